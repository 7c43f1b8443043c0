//===- Analysis.h - what is known of values before they exist ---*- C -*-===//
//
// Axis analysis: a forward dataflow over the scalars and tiles of one kernel.
// For every value it says, dimension by dimension, how the elements follow each
// other. Take a tile of 2 x 8 numbers:
//
//     32 33 34 35   48 49 50 51      dimension 1: contiguity 4, divisibility 16
//     64 65 66 67   16 17 18 19      (each run of 4 starts at a multiple of 16)
//                                    dimension 0: contiguity 1, divisibility 1
//
// and one of 2 x 8 truth values:
//
//      1  1  1  1    0  0  0  0      dimension 1: constancy 4
//      1  1  1  1    1  1  1  1      dimension 0: constancy 1
//
// Runs are aligned: along a dimension of extent N a run length R divides N and the
// runs start at coordinates 0, R, 2R, ..; every run of the tile satisfies the claim.
// So the whole extent of a dimension is the most that can be claimed, extents
// that are no powers of two included.
//
// All claims hold for values as the machine has them. Integers wrap as arith says: inside a
// run "the next value" is taken modulo 2^width, and a power of two that divides a sum divides
// the wrapped sum as well. Ranges that would leave the type become the type's whole range.
//
// The three numbers a dimension, and how masks get their constancy, follow
// Triton's AxisInfo (lib/Analysis/AxisInfo.cpp there); docs/analysis/axis-analysis.md
// gives every transfer function and says where ours differ.
//
// Needs: one tile.func, meta-parameters bound, helpers inlined. (Unbound extents and calls are
// legal; nothing is known of them.) The IR is read only; after it changes, analyse again.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_ANALYSIS_H
#define TILE_ANALYSIS_H

#include "mlir-c/IR.h"
#include "tile/Layout.h"
#include "tile/Machine.h"
#include "tile/TensorMap.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

//===- axis information ---------------------------------------------------===//

/// What is known of one scalar or tile. A scalar has rank 0 and is described by the entries [0], as
/// a dimension of extent 1.
typedef struct {
  int rank;
  /// Along dimension d, runs of this many values step by 1; of pointers, by one element pointed at.
  int64_t contiguity[TILE_MAX_RANK];
  /// The first value of each such run is a multiple of this power of two; of pointers, in bytes.
  /// Where contiguity[d] is 1, every element is a multiple. At most 2^62.
  int64_t divisibility[TILE_MAX_RANK];
  /// Along dimension d, runs of this many values are equal.
  int64_t constancy[TILE_MAX_RANK];
  /// The one integer that the scalar, or every element, is.
  bool hasConstant;
  int64_t constant;
  /// Bounds of integers, both included, as signed values of the element type (i1: 0 and 1).
  /// The type's own bounds where nothing is known, INT64_MIN and INT64_MAX for pointers and floats.
  int64_t min, max;
} TileAxisInfo;

typedef struct TileAxisAnalysis TileAxisAnalysis;

/// Analyses a tile.func (any op with regions will do). To be destroyed by the caller.
TileAxisAnalysis *tileAxisAnalysisCreate(MlirOperation func);
void tileAxisAnalysisDestroy(TileAxisAnalysis *analysis);

/// Analyses the ops of `block` anew that lie behind `front` (null: behind nothing) and in front of
/// `behind`, after a rewriting that made ops nowhere else: what it took away may have been where
/// new values are. Nobody else's facts change by a rewriting that keeps what the program computes.
void tileAxisAnalysisUpdate(TileAxisAnalysis *analysis, MlirBlock block, MlirOperation front,
                            MlirOperation behind);

/// What is known of `value`: never NULL, borrowed from the analysis. For a value that was not
/// analysed (made later, say) all that is known is nothing: contiguity 1, divisibility 1,
/// constancy 1, no bounds.
const TileAxisInfo *tileAxisAnalysisGet(const TileAxisAnalysis *analysis, MlirValue value);

/// By how much each element of `value` along `dim` is above the one before, of pointers in elements
/// pointed at, where that is one number for all of them: -1 of what falls.
/// As few ops say it, arithmetic of 32 bits and more that wraps around aside: of offsets, as those
/// of addresses do not.
bool tileAxisStep(const TileAxisAnalysis *analysis, MlirValue value, int dim, int64_t *step);

/// So many times `times`, a scalar that the kernel has in front of what is asked for; null:
/// times 1.
typedef struct TileAxisDistance {
  int64_t count;
  MlirValue times;
} TileAxisDistance;
/// The same where that number is known, or is so many times one that the launch alone knows, as
/// rows of a matrix lie apart.
bool tileAxisDistance(const TileAxisAnalysis *analysis, MlirValue value, int dim,
                      TileAxisDistance *distance);

/// By how much each element of `value`, which stands in the scf.for `loop`, is above that of the
/// step before, of pointers in elements, where that is one number. As little of a proof.
bool tileAxisStepInLoop(const TileAxisAnalysis *analysis, MlirValue value, MlirOperation loop,
                        int64_t *step);

/// Writes "contiguity = [..], divisibility = [..], constancy = [..]", then ", constant = .." or
/// ", range = [.., ..]" where they say more than the element type `type` does. Returns `text`.
#define TILE_AXIS_TEXT 512
const char *tileAxisInfoPrint(const TileAxisInfo *info, MlirType type, char text[TILE_AXIS_TEXT]);

//===- memory accesses ----------------------------------------------------===//

/// For tile.load, tile.store, tile_gpu.async_copy, tile.atomic_rmw and tile.atomic_cas: the largest
/// number of elements that follow each other along `dim` and may be moved as one access. A power of
/// two of at most 16 bytes, such that every aligned group of so many coordinates is contiguous in
/// memory, starts at a multiple of the group's bytes, and is masked as a whole. 1 for any other op.
int tileAxisAccessVector(const TileAxisAnalysis *analysis, MlirOperation access, int dim);

/// The same for a thread that holds the tile in `layout`: the largest number of its consecutive
/// registers that one access may cover, along whichever dimension they run.
int tileAxisAccessVectorIn(const TileAxisAnalysis *analysis, MlirOperation access,
                           TileLayout layout);

/// How many elements side by side one instruction of a tile.atomic_rmw updates at most, where
/// nobody reads its result: those of 16 bytes, of floats that `machine` has vectors for, else one.
int tileMostUpdatedAtOnce(const TileMachine *machine, MlirOperation rmw);

/// Bytes of a run that a thread's asynchronous copy (cp.async) brings at least.
enum { tileCopiedRunBytes = 4 };

/// The dimension along which a tile.load of two dimensions reads rows that begin anywhere in
/// memory, at no multiple of 4 bytes that is known, or, where `words`, of 8 bytes if elements have
/// 4; each without a gap, and as far as its mask is true. -1 where it is no such load. Such rows of
/// whole chunks of 16 bytes, 32 at most, can be copied chunk by chunk (ragged buffers).
int tileAxisRaggedDim(const TileAxisAnalysis *analysis, MlirOperation load, bool words);

/// The order of the dimensions of a tile of pointers, the one most contiguous in memory first.
/// Dimensions along which all addresses are equal come last; else the last dimension comes first.
/// Fills as many entries as the tile has dimensions; none for a scalar.
void tileAxisAccessOrder(const TileAxisAnalysis *analysis, MlirValue pointers,
                         int order[TILE_MAX_RANK]);
/// Of a window that is reduced, along the dimensions `reduced`, a few elements of each of a few
/// rows, lanes take a window each, where these lie as close: that dimension comes first in `order`.
/// What windows are reduced to is then nobody else's, and a thread has one window and all its
/// places.
void tileAxisPutWindowsFirst(const TileAxisAnalysis *analysis, MlirValue pointers, unsigned reduced,
                             int order[TILE_MAX_RANK]);
/// How many neighbours along `dim` lie one behind the other, if no offset of 32 bits wraps and most
/// neighbours have the same quotient: nothing to rely on, but the better guess of how the program
/// walks memory.
int64_t tileAxisLikelyRun(const TileAxisAnalysis *analysis, MlirValue pointers, int dim);
/// The same but for what quotients and remainders of numbers that nobody knows are likely to do.
int64_t tileAxisSteadyRun(const TileAxisAnalysis *analysis, MlirValue pointers, int dim);
/// Do neighbours along `dim` lie where a list says that was loaded outside of the block that
/// `pointers` are of, as in front of its loop?
bool tileAxisIsListed(const TileAxisAnalysis *analysis, MlirValue pointers, int dim);
/// Does each element along `dim` lie a sector and more from its neighbours, or by a distance that
/// is the same for all and that a launch knows, which says where it is 1? As rows of a column do.
bool tileAxisIsSpaced(const TileAxisAnalysis *analysis, MlirValue pointers, int dim);

//===- descriptors --------------------------------------------------------===//

/// The boxes of a !tile.desc (see tile/TensorMap.h); its extents are padded to powers of two as
/// those of buffers are. False where no copy can move its tile.
bool tileDescBox(MlirType desc, TileMapBox *box);

/// Does all that a tile.make_desc says follow from the kernel's arguments, so that the host can
/// encode it before a launch?
bool tileDescIsKnown(MlirOperation makeDesc);

/// Is the array of `makeDesc` (a tile.make_desc) packed before the kernel starts
/// (`tile_gpu.packed`)? Then boxes come from a copy of it whose rows begin on lines of the L2
/// cache.
bool tileDescIsPacked(MlirOperation makeDesc);
/// Has `makeDesc` packed. The kernel must not write to the array in front of its loads.
void tileDescSetPacked(MlirOperation makeDesc);

/// Writes the descriptor that `makeDesc` (a tile.make_desc) makes in terms of the kernel's
/// arguments, for whoever launches the kernel: tile/Runtime/Launcher.h has the grammar. False after
/// an error at the op where an operand does not follow from arguments alone.
#define TILE_TENSOR_MAP_TEXT 1024
bool tileDescribeTensorMap(MlirOperation makeDesc, char text[TILE_TENSOR_MAP_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
