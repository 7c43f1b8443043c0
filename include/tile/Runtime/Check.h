//===- Check.h - what programs may do to arrays, tested as they do it -----===//
//
// A checker stands beside a run on the CPU. Code compiled with `check` (convert-tile-to-cpu) tells
// it of every access before it happens; the checker knows the arrays and, for each element, who
// wrote it:
//
//   one byte an element          written by anybody; by several programs of a launch
//   four bytes an element        the program of this launch that stored there last, plus one; the
//   three times                  execution of a store that did; and the program that loaded, or
//                                several (made when a launch first stores into the array, or loads
//                                from it)
//
// What it finds is put together for one execution of one op, and reported once for it:
//
//   compiled code                         checker                         reporter
//   tileCheckEnter(program)        ---->  whose accesses come now
//   tileCheckAccess(8 lanes) x n   ---->  lanes that may not run are
//                                         switched off; the first, the
//                                         last and how many are kept
//   tileCheckFlush(op)             ---->  a TileFinding of each kind ---->  prints the first few,
//                                                                           counts all
//
// Programs run one after the other, x fastest, on one thread: the same run finds the same things in
// the same order, and the last value of an element is what an earlier program left there. Lanes
// that are off run nothing, so a run with findings goes on to its end.
//
// Arrays are those of tile/Runtime/Array.h and must outlive the checker's last use of them. A
// checker is used by one thread at a time.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_CHECK_H
#define TILE_RUNTIME_CHECK_H

#include "tile/Runtime/Array.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TILE_CHECK_MAX_RANK = 16, TILE_CHECK_MAX_LANES = 16 };

typedef enum TileSiteKind {
  TILE_SITE_LOAD,
  TILE_SITE_STORE,
  TILE_SITE_ATOMIC,
  /// An atomic that is relaxed: it orders no other access.
  TILE_SITE_RELAXED,
  TILE_SITE_OVERFLOW,
  TILE_SITE_ASSERT,
  /// Of a traced program: a result of an op, the induction variable of a loop, an op without
  /// results.
  TILE_SITE_VALUE,
  TILE_SITE_ITERATION,
  TILE_SITE_OP,
} TileSiteKind;

/// One place in a kernel that calls the checker.
typedef struct TileCheckSite {
  TileSiteKind kind;
  /// Of the op's tile; 0 for a scalar.
  unsigned rank;
  /// Bytes of an element that an access moves.
  unsigned elementBytes;
  /// The argument whose array all lanes belong to; -1: any array will do.
  int argument;
} TileCheckSite;

/// What may be found, in the order of reports.
typedef enum TileFindingKind {
  /// A lane outside of its array (of every array, if it may be any).
  TILE_FINDING_BOUNDS,
  /// A load of an element that neither the host nor a program has written; or the host's use of a
  /// result with such elements.
  TILE_FINDING_UNWRITTEN,
  /// A store over what another program of the launch stored, of another value.
  TILE_FINDING_CONFLICT,
  /// Two lanes of one execution of a store in one element, with different values: which of them
  /// stays nobody says.
  TILE_FINDING_MEETING,
  /// A load of what another program of the launch stores, in either order; not in launches with
  /// atomics, by which programs may wait for each other.
  TILE_FINDING_RACE,
  /// A sum or product of 32 bits or fewer that wrapped.
  TILE_FINDING_OVERFLOW,
  TILE_FINDING_ASSERT,
  /// At the end: elements of an array that launches store into and nobody has written.
  TILE_FINDING_NEVER_WRITTEN,
  /// At the end: elements of an array into which several programs of a launch stored one value.
  TILE_FINDING_SHARED,
} TileFindingKind;
enum { TILE_FINDING_KINDS = TILE_FINDING_SHARED + 1 };

/// What one execution of an op did, or of NEVER_WRITTEN what is true of an array.
typedef struct TileFinding {
  TileFindingKind kind;
  /// The number given to tileCheckerBeginLaunch, and the site. Kernel -1: the host, and its site as
  /// tileCheckerHostReads was told.
  int kernel, site;
  int32_t program[3];
  /// How many lanes, and the indices of the first and the last of them.
  int64_t lanes;
  int64_t first[TILE_CHECK_MAX_RANK], last[TILE_CHECK_MAX_RANK];
  /// The array; NULL where a pointer belongs to none.
  const TileArray *array;
  /// The argument that the array was; -1 where that is not known.
  int argument;
  /// Of the first lane, in elements from the array's first; without lanes the first element.
  int64_t element;
  /// The element that the argument points to.
  int64_t start;
  /// CONFLICT: who wrote, what was there, and what was to be written, as bytes of an element.
  /// MEETING: what the lane before wrote, and what was to be written. RACE:
  /// who wrote or read, -1 for several.
  int32_t other[3];
  uint64_t before, after;
  /// OVERFLOW: operands of the first lane.
  int64_t operands[2];
  /// NEVER_WRITTEN and the host's UNWRITTEN: how many elements were not; and of NEVER_WRITTEN, how
  /// many several programs of a launch wrote.
  int64_t missing, shared;
} TileFinding;

typedef void (*TileReportFinding)(void *data, const TileFinding *finding);

typedef struct TileTracedValue {
  int kernel, site;
  int32_t program[3];
  /// The values, and the distance of rows (of a tile's last dimension) in elements; NULL for an op
  /// without results.
  const void *data;
  int64_t row;
} TileTracedValue;

typedef void (*TileReportValue)(void *data, const TileTracedValue *value);

typedef struct TileCheckerOptions {
  TileReportFinding finding;
  TileReportValue value;
  void *data;
  /// The program whose values are reported, if `traces`.
  bool traces;
  int32_t traced[3];
} TileCheckerOptions;

typedef struct TileChecker TileChecker;

TileChecker *tileCheckerCreate(const TileCheckerOptions *options);
/// NULL is allowed.
void tileCheckerDestroy(TileChecker *checker);

/// The host has written all of the array, as far as anyone knows.
void tileCheckerMarkWritten(TileChecker *checker, TileArray *array);

/// The host is about to use `count` elements from `first` on, say to compare or to print them. An
/// error where some of these were never written, by nobody. Where programs
/// only add to it atomically, the zeros that it began with are part of the result.
void tileCheckerHostReads(TileChecker *checker, int site, TileArray *array, int64_t first,
                          int64_t count);

/// Forgets all arrays: they are about to be destroyed.
void tileCheckerForgetArrays(TileChecker *checker);

/// A launch of `kernel` (a number that findings give back) begins. `sites` are the kernel's;
/// `arrays` has one for each argument, NULL for one that is no pointer, and `slots` where in it
/// that points. The first two are borrowed until the next Begin or Finish.
void tileCheckerBeginLaunch(TileChecker *checker, int kernel, const TileCheckSite *sites,
                            size_t numArguments, TileArray *const *arrays, const uint64_t *slots,
                            const int32_t grid[3]);

/// Reports the elements that were never written.
void tileCheckerFinish(TileChecker *checker);

typedef struct TileCheckerTotals {
  uint64_t launches, programs;
  uint64_t findings[TILE_FINDING_KINDS];
  /// Whether a traced program ran.
  bool traced;
} TileCheckerTotals;
TileCheckerTotals tileCheckerGetTotals(const TileChecker *checker);

//===- what compiled code calls -------------------------------------------===//
//
// `lanes` are at most TILE_CHECK_MAX_LANES, lane i at `indices` with i added in dimension `lane`
// (-1: there is one). Masks are bytes, 0 or 1.

/// A program begins; whether its values are to be printed.
bool tileCheckEnter(TileChecker *checker, int32_t x, int32_t y, int32_t z);

/// Tests accesses through `pointers` and clears `mask` where one may not run. `values` is what a
/// store stores, an element a lane.
void tileCheckAccess(TileChecker *checker, int32_t site, int32_t lanes, int32_t lane,
                     const char *const *pointers, uint8_t *mask, const void *values,
                     const int64_t *indices);

/// Lanes of an overflow or assert that failed. `operands` of arithmetic: the first of each lane,
/// then the second of each.
void tileCheckFail(TileChecker *checker, int32_t site, int32_t lanes, int32_t lane,
                   const uint8_t *mask, const int64_t *operands, const int64_t *indices);

/// An execution of the op ends.
void tileCheckFlush(TileChecker *checker, int32_t site);

/// A value of a traced program.
void tileTraceValue(TileChecker *checker, int32_t site, const void *data, int64_t row);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_CHECK_H
