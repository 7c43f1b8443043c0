//===- Array.h - arrays that live on the host, the device, or both --------===//
//
// An array is a dense row-major block of elements with a home on the host and, once a kernel on a
// device has asked for it, a copy there. Two flags say which sides hold the current values:
//
//        create            tileArrayToDevice          launch writes: tileArrayMarkDeviceWritten
//   host valid only  --->  both valid  ------------->  device valid only
//         ^                    |                              |
//         |  tileArrayMarkHostWritten    tileArrayToHost      |
//         +--------------------+<-----------------------------+
//
// So data moves only when the side changes, and a chain of launches never touches the host. Before
// touching `host`, call tileArrayToHost; after writing there, tileArrayMarkHostWritten. Before a
// launch, call tileArrayToDevice; after a launch that may write the array, MarkDeviceWritten.
//
// A compiled host program knows bare host pointers only: tileArrayFind gives the array that a
// pointer into its data belongs to.
//
// Memory: 64-byte aligned, zero at first; large arrays are mapped on 2 MiB boundaries and offered
// to the kernel for huge pages, and take physical memory when touched. A fresh array that no one
// has touched on the host is cleared on the device instead of copied there.
//
// One array must not be used from two threads at once; different arrays may. Find is always safe.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_ARRAY_H
#define TILE_RUNTIME_ARRAY_H

#include "tile/Runtime/Driver.h"
#include "tile/Runtime/ElementType.h"
#include "tile/Runtime/Error.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE_ARRAY_MAX_RANK = 16 };

/// Read the fields freely; change them through the functions below only.
typedef struct TileArray {
  TileElementType type;
  /// 0 .. TILE_ARRAY_MAX_RANK; rank 0 is one element.
  unsigned rank;
  int64_t shape[TILE_ARRAY_MAX_RANK];
  /// In elements, row-major: the last is 1.
  int64_t strides[TILE_ARRAY_MAX_RANK];
  /// Number of elements: the product of the shape.
  int64_t count;
  /// count * element size; what a copy moves.
  size_t bytes;
  /// Host data; never NULL, unique for each living array even when it has no elements.
  void *host;
  /// The device that holds the copy, or NULL before the first tileArrayToDevice; borrowed, and must
  /// outlive the array.
  TileDevice *device;
  TileDevicePtr devicePtr;
  bool hostValid, deviceValid;
  /// All zero and not yet touched on either side.
  bool fresh;
  /// What was mapped for `host`; the runtime's own.
  void *mapping;
  size_t mappingBytes;
} TileArray;

/// A zeroed array. Fails on a negative extent, a rank over TILE_ARRAY_MAX_RANK, a size over what
/// the address space holds, or when the host has no memory for it.
TileArray *tileArrayCreate(TileElementType type, unsigned rank, const int64_t *shape,
                           TileError *error);

/// Frees both sides. NULL is allowed.
void tileArrayDestroy(TileArray *array);

/// The living array whose host data contains `pointer` (its one-past-the-end address does not
/// count, except that the data pointer of an array without elements finds it); NULL when there is
/// none. Logarithmic in the number of arrays.
TileArray *tileArrayFind(const void *pointer);
/// A number that changes whenever an array is made or destroyed: as long as it is the same,
/// tileArrayFind gives the same answers.
uint64_t tileArrayGetGeneration(void);

/// Makes the device's copy current (allocating it at the first call) and sets `devicePtr`. The copy
/// is ordered with launches on the device's own stream. An array is tied to the first device that
/// asks.
bool tileArrayToDevice(TileArray *array, TileDevice *device, TileError *error);

/// Makes the host's copy current, waiting for the device's stream if data has to come from there.
bool tileArrayToHost(TileArray *array, TileError *error);

/// Say that the values on one side changed: the other side's copy is out of date.
void tileArrayMarkDeviceWritten(TileArray *array);
void tileArrayMarkHostWritten(TileArray *array);

/// Fills with numbers that depend on seed, element type and index alone, on any machine with any
/// number of threads. Floats: multiples of 2^(1-p) in [-1, 1), uniform, p being the type's
/// significand bits, so each is exact in its type. Integers: uniform in [-8, 8); i1: 0 or 1.
/// Element i takes a word of Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011) with the seed as key and the block number as counter: word i%4 of block i/4,
/// its high p bits; f64 takes two words, 2*(i%2) (high) and 2*(i%2)+1 of block i/2.
void tileArrayFillRandom(TileArray *array, uint64_t seed);

/// The element at a linear index in [0, count), from the host side (which must be valid).
double tileArrayGetElement(const TileArray *array, int64_t index);

/// What comparing two arrays found. Indices are into the shape. An element passes when
/// |got - want| <= atol + rtol * |want|, or both are the same infinity; NaN never passes.
typedef struct TileComparison {
  bool passed;
  int64_t count, failures;
  double atol, rtol;
  /// The largest |got - want|, and |got - want| / |want| over elements with want != 0; infinity
  /// when a NaN or an infinity differs.
  double maxAbsError, maxRelError;
  /// ||got - want|| / ||want|| (Frobenius norms; ||got|| when want is all zero); NaN when an
  /// element is not finite.
  double frobeniusError;
  /// The element that exceeds its bound the most (the least within it when all pass; the first
  /// among equals), its row-major position (-1 for empty arrays), indices and values.
  int64_t worst;
  unsigned rank;
  int64_t worstIndex[TILE_ARRAY_MAX_RANK];
  double worstGot, worstWant;
} TileComparison;

/// Compares the host sides (both brought up to date first). Types may differ: values are compared
/// as doubles, integers against integers exactly. Returns false with an error only when the two
/// cannot be compared: shapes differ, a tolerance is negative or NaN, or a copy fails. Whether the
/// values are close is in `result->passed`.
bool tileArrayCompare(TileArray *got, TileArray *want, double atol, double rtol,
                      TileComparison *result, TileError *error);

/// True when the comparison passed; otherwise false with a message that names the worst element,
/// its indices, both values, the tolerance, and how many elements failed.
bool tileComparisonCheck(const TileComparison *comparison, TileError *error);

/// Prints type, shape and values, with `edge` (0 takes 3) elements at either end of each dimension
/// and "..." between when the array has more than 1000 elements. Brings the host side up to date.
bool tileArrayPrint(FILE *stream, TileArray *array, unsigned edge, TileError *error);

/// Prints the values alone, shortened where there are more than `most`, with no line end. The array
/// may be a view that the caller made: its type, rank, shape, strides, count and host data are
/// read, and the host's values are taken as they are. `pointers`: integers are addresses.
void tileArrayPrintValues(FILE *stream, const TileArray *array, int64_t most, unsigned edge,
                          bool pointers);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_ARRAY_H
