//===- NarrowBoxes.c - columns of padding are not copied ------------------===//
//
// Before:  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, order = [0, 1]>
//          tile_gpu.desc_copy %desc[%j, %k] into %b : !tile.desc<256x64xf16> -> ..
//          tile.dot %a, %b, %acc by wgmma {tile.extents = array<i64: 128, 240>}
// After:   %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x240xf16, order = [0, 1]>
//          tile_gpu.desc_copy %narrow[%j, %k] into %b : !tile.desc<240x64xf16> -> ..
//          tile.dot %a, %b, %acc by wgmma {tile.extents = array<i64: 128, 240>}
//
// A box whose rows are B's columns ([N, K] in memory) has as many rows as there are columns to
// multiply; one whose rows are B's rows ([K, N]) as many boxes of 64 columns as hold them. Both are
// still what the wgmma's descriptors say. What a ring's slot saves may be another stage: so this
// comes before tile-plan-roles, and no choice of it, as a box that nobody reads never pays.
//
// Blocks of a cluster that share a box cut it where rows are even patterns of 8
// (tile-share-copies): 72 rows are copied by one of them, as 80 in two parts take longer, and a
// stage less fits.
//
// Requires: layouts assigned.  Preserves: numerics, control flow.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { patternRows = 8 };

/// Is `dot` a wgmma with `buffer` as B, and no other of its operands, whose warp groups lie along
/// M?
static bool readsAsB(MlirOperation dot, MlirValue buffer) {
  TileLayout acc;
  if (!tileOpIsWgmma(dot) || !mlirValueEqual(tileDotGetB(dot), buffer) ||
      mlirValueEqual(tileDotGetA(dot), buffer) ||
      !tileTypeGetLayout(mlirValueGetType(tileResult(dot)), &acc))
    return false;
  for (int b = 0; b < acc.inBits[TILE_WARP]; ++b)
    if (tileLayoutCoordinate(acc, acc.bases[TILE_WARP][b], 1)) return false;
  return true;
}

/// The columns of the buffer that its readers need; 0 where one might need all.
static int64_t neededColumns(MlirOperation copy) {
  MlirValue buffer = tileDescCopyGetBuffer(copy);
  int64_t most = 0;
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int64_t extents[TILE_MAX_RANK];
    if (mlirOperationEqual(user, copy)) continue;
    TileDotForm form;
    if (!readsAsB(user, buffer) || !tileOpGetExtents(user, 2, extents)) return 0;
    int64_t columns =
        tileDotGetForm(user, &form) ? tileDotFormColumns(&form, extents[1]) : extents[1];
    if (columns > most) most = columns;
  }
  return most;
}

/// The dimension of the box along which the buffer's columns run: its last of more than 1 element,
/// or with `slower` the one before that. -1: there is none.
static int columnsOfBox(const int64_t shape[], int rank, bool slower) {
  int left = slower;
  for (int d = rank; d-- > 0;)
    if (shape[d] != 1 && left-- == 0) return d;
  return -1;
}

/// What the number of columns must be a multiple of: whole boxes, or whole patterns of rows.
static int64_t stepOf(MlirType desc, bool kMajor, int64_t columns) {
  TileMapBox box;
  if (!tileDescBox(desc, &box) || !box.swizzle) return columns;
  return kMajor ? patternRows : box.box[box.rank - 1];
}

static bool narrowCopy(MlirOperation copy) {
  MlirOperation desc = tileValueGetOp(tileDescCopyGetDesc(copy));
  MlirValue buffer = tileDescCopyGetBuffer(copy);
  MlirType type = mlirValueGetType(buffer);
  int64_t needed = neededColumns(copy);
  MlirOperation alloc = tileBufferGetAlloc(buffer);
  if (!needed || mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) ||
      mlirOperationIsNull(alloc) || tileBufferTypeGetRank(type) != 2)
    return false;
  bool kMajor = tileBufferTypeGetOrder(type, 0) == 0;
  MlirType boxed = mlirValueGetType(tileResult(desc)), tile = tileDescTypeGetBox(boxed);
  int64_t shape[TILE_MAX_RANK], dims[] = {tileBufferTypeGetDim(type, 0), 0};
  const int64_t order[] = {tileBufferTypeGetOrder(type, 0), tileBufferTypeGetOrder(type, 1)};
  int64_t columns = tileBufferTypeGetDim(type, 1), step = stepOf(boxed, kMajor, columns);
  int rank = tileShape(tile, shape), d = columnsOfBox(shape, rank, kMajor);
  dims[1] = (needed + step - 1) / step * step;
  if (d < 0 || shape[d] != columns || dims[1] < 16 || dims[1] >= columns) return false;
  shape[d] = dims[1];
  MlirType element = tileElementType(tile);
  MlirOperation made = mlirOperationClone(desc);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(desc), desc, made);
  mlirValueSetType(tileResult(made), tileDescTypeGet(mlirRankedTensorTypeGet(
                                         rank, shape, element, mlirAttributeGetNull())));
  mlirOperationSetOperand(copy, 0, tileResult(made));
  mlirValueSetType(buffer, tileBufferTypeGet(mlirOperationGetContext(copy), 2, dims, element,
                                             tileBufferTypeGetSwizzle(type), order, 1));
  return true;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  if (tileOpIsADescCopy(op) && narrowCopy(op))
    tileTrace(mlirOperationGetLocation(op), "columns of padding are not copied");
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunNarrowBoxes(MlirOperation func) {
  mlirOperationWalk(func, visit, NULL, MlirWalkPreOrder);
  return mlirLogicalResultSuccess();
}
