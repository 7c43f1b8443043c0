//===- VersionTails.c - two versions for how rows of boxes end ------------===//
//
// Before:  %d = tile.make_desc %p, [%m, %k], [%s] : !tile.ptr<f16> -> !tile.desc<128x64xf16>
//          ..                                            all that is behind it in its block
// After:   scf.if %k % 8 == 0 {
//            %d = tile.make_desc %p, [%m, (%k / 8) * 8], [%s]
//            ..                                          8 elements at once
//          } else {
//            %d = tile.make_desc %p, [%m, %k], [%s]
//            ..                                          one by one
//          }
//
// A descriptor that a kernel makes of what it has loaded (of a group of products, say) has extents
// of which nothing is known when it is compiled. Its base and strides are multiples of 16 bytes,
// as whoever makes a descriptor promises; where the last extent is one, too, a mask never ends
// within 16 bytes. That is almost always so, and the program can ask. In the first version the
// extent is written as a multiple of its quotient, by which axis analysis sees it. The second one's
// locations say that it is rare (tileLocationMarkRare), so that nobody is warned of its slow road.
//
// Stays out of kernels whose descriptors are made of arguments: what those are is a launch's fact
// (tile-specialize). Descriptors of one block share two versions. Extents that are computed behind
// the block's first descriptor are left, and descriptors of a second block, as a remark says.
//
// Requires: meta-parameters bound.  Preserves: control flow otherwise, numerics.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Support/Slow.h"
#include <stdlib.h>

enum { MOST_EXTENTS = 8, ROW_BYTES = 16 };

/// The extents of a block's descriptors that are asked for, and of what each is to be a multiple.
typedef struct {
  MlirOperation first; // the block's first descriptor
  MlirValue extents[MOST_EXTENTS];
  int64_t multiples[MOST_EXTENTS];
  int count;
} Tails;

static int rankOf(MlirOperation desc) {
  return (int)mlirShapedTypeGetRank(tileDescTypeGetBox(mlirValueGetType(tileResult(desc))));
}

/// How many elements 16 bytes hold; 0 where rows of a descriptor are none that are moved so.
static int64_t elementsOf(MlirOperation desc) {
  MlirType box = tileDescTypeGetBox(mlirValueGetType(tileResult(desc)));
  int bits = tileBitWidth(tileElementType(box));
  return bits >= 8 && bits < 8 * ROW_BYTES ? 8 * ROW_BYTES / bits : 0;
}

/// Would a row's end be all that keeps accesses from 16 bytes at once?
static bool wantsTail(const TileAxisAnalysis *axes, MlirOperation desc, int64_t multiple) {
  if (!multiple || tileDescIsKnown(desc)) return false;
  int rank = rankOf(desc);
  if (tileAxisAnalysisGet(axes, tileMakeDescGetBase(desc))->divisibility[0] % ROW_BYTES)
    return false;
  for (int d = 0; d + 1 < rank; ++d)
    if (tileAxisAnalysisGet(axes, tileMakeDescGetStrides(desc, d))->divisibility[0] % multiple)
      return false;
  const TileAxisInfo *extent = tileAxisAnalysisGet(axes, tileMakeDescGetShape(desc, rank - 1));
  return extent->divisibility[0] % multiple != 0;
}

/// Is `value` there before `op` of the same block, or of a block around it?
static bool isBefore(MlirValue value, MlirOperation op) {
  MlirOperation def = tileValueGetOp(value);
  return mlirOperationIsNull(def) ||
         !mlirBlockEqual(mlirOperationGetBlock(def), mlirOperationGetBlock(op)) ||
         mlirOperationIsBeforeInBlock(def, op);
}

static void addTail(Tails *tails, MlirOperation desc, int64_t multiple) {
  MlirValue extent = tileMakeDescGetShape(desc, rankOf(desc) - 1);
  if (mlirOperationIsNull(tails->first)) tails->first = desc;
  if (!isBefore(extent, tails->first)) return;
  for (int i = 0; i < tails->count; ++i) {
    if (!mlirValueEqual(tails->extents[i], extent)) continue;
    if (tails->multiples[i] < multiple) tails->multiples[i] = multiple;
    return;
  }
  if (tails->count == MOST_EXTENTS) return;
  tails->extents[tails->count] = extent;
  tails->multiples[tails->count++] = multiple;
}

/// Are all extents multiples, as an i1 at `b`?
static MlirValue areWhole(TileBuilder *b, const Tails *tails) {
  MlirValue all = {NULL};
  for (int i = 0; i < tails->count; ++i) {
    MlirType type = mlirValueGetType(tails->extents[i]);
    MlirValue by = tileBuildInt(b, type, tails->multiples[i]);
    MlirValue rest = tileBuildBinary(b, "arith.remui", tails->extents[i], by);
    MlirValue whole = tileBuildCmpi(b, TILE_EQ, rest, tileBuildZero(b, type));
    all = i ? tileBuildBinary(b, "arith.andi", all, whole) : whole;
  }
  return all;
}

typedef struct {
  MlirValue from, to;
} Exchange;

static MlirWalkResult exchange(MlirOperation op, void *data) {
  const Exchange *e = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirValueEqual(tileOperand(op, i), e->from)) mlirOperationSetOperand(op, i, e->to);
  return MlirWalkResultAdvance;
}

/// In `branch`'s first version each extent is what it is a multiple of, times that.
static void writeMultiples(MlirOperation branch, const Tails *tails) {
  MlirBlock block = tileBody(branch, 0);
  for (int i = 0; i < tails->count; ++i) {
    MlirOperation first = mlirBlockGetFirstOperation(block);
    TileBuilder b = tileBuilderBefore(first);
    MlirValue by = tileBuildInt(&b, mlirValueGetType(tails->extents[i]), tails->multiples[i]);
    MlirValue quotient = tileBuildBinary(&b, "arith.divui", tails->extents[i], by);
    Exchange e = {tails->extents[i], tileBuildBinary(&b, "arith.muli", quotient, by)};
    for (MlirOperation op = first; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      mlirOperationWalk(op, exchange, &e, MlirWalkPreOrder);
  }
}

static MlirWalkResult markRare(MlirOperation op, void *data) {
  (void)data;
  mlirOperationSetLocation(op, tileLocationMarkRare(mlirOperationGetLocation(op)));
  return MlirWalkResultAdvance;
}

/// All from the first descriptor to the block's end becomes two versions, whose results the block
/// ends with.
static void version(const Tails *tails) {
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(tails->first));
  intptr_t count = mlirOperationGetNumOperands(end);
  MlirType *types = calloc((size_t)count + 1, sizeof *types);
  MlirValue *values = calloc((size_t)count + 1, sizeof *values);
  if (!types || !values) abort();
  for (intptr_t i = 0; i < count; ++i) {
    values[i] = tileOperand(end, i);
    types[i] = mlirValueGetType(values[i]);
  }
  TileBuilder b = tileBuilderBefore(tails->first);
  MlirOperation branch = tileBuildIf(&b, areWhole(&b, tails), count, types, true);
  for (intptr_t i = 0; i < count; ++i)
    mlirOperationSetOperand(end, i, mlirOperationGetResult(branch, i));
  mlirOperationRemoveFromParent(end);
  MlirBlock block = mlirOperationGetBlock(branch);
  MlirLocation location = mlirOperationGetLocation(end);
  TileBuilder last = tileBuilderAtEnd(tileBody(branch, 0), location);
  tileMoveOps(&last, mlirOperationGetNextInBlock(branch), (MlirOperation){NULL}, NULL);
  mlirBlockAppendOwnedOperation(block, end);
  tileBuildOp(&last, "scf.yield", count, values, TILE_NONE, TILE_NONE, 0);
  MlirOperation twin = mlirOperationClone(branch);
  TileBuilder other = tileBuilderAtEnd(tileBody(branch, 1), location);
  tileMoveOps(&other, mlirBlockGetFirstOperation(tileBody(twin, 0)), (MlirOperation){NULL}, NULL);
  mlirOperationDestroy(twin);
  for (MlirOperation op = mlirBlockGetFirstOperation(tileBody(branch, 1)); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, markRare, NULL, MlirWalkPreOrder);
  writeMultiples(branch, tails);
  free(types);
  free(values);
}

typedef struct {
  TileAxisAnalysis *axes;
  MlirBlock seen;
  Tails *tails; // one of each block, in the order of the walk
  int numTails, room;
} Blocks;

static MlirWalkResult collect(MlirOperation op, void *data) {
  Blocks *blocks = data;
  if (!tileOpIsAMakeDesc(op)) return MlirWalkResultAdvance;
  int64_t multiple = elementsOf(op);
  if (!wantsTail(blocks->axes, op, multiple)) return MlirWalkResultAdvance;
  MlirBlock block = mlirOperationGetBlock(op);
  if (!blocks->numTails || !mlirBlockEqual(blocks->seen, block)) {
    if (blocks->numTails == blocks->room) {
      blocks->room = blocks->room ? 2 * blocks->room : 4;
      blocks->tails = realloc(blocks->tails, (size_t)blocks->room * sizeof *blocks->tails);
      if (!blocks->tails) abort();
    }
    blocks->tails[blocks->numTails++] = (Tails){.first = {NULL}};
    blocks->seen = block;
  }
  addTail(&blocks->tails[blocks->numTails - 1], op, multiple);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunVersionTails(MlirOperation func) {
  Blocks blocks = {.axes = tileAxisAnalysisCreate(func)};
  mlirOperationWalk(func, collect, &blocks, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(blocks.axes);
  // Two versions of two versions would be four: a kernel gets one pair.
  if (blocks.numTails > 1)
    tileEmitRemark(mlirOperationGetLocation(blocks.tails[1].first),
                   "rows are read as if they ended anywhere: expected descriptors in one block");
  if (blocks.numTails && blocks.tails[0].count) version(&blocks.tails[0]);
  free(blocks.tails);
  return mlirLogicalResultSuccess();
}
