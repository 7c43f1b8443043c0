//===- NarrowBoxes.c - columns of padding are not copied ------------------===//
//
// Before:  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, order = [0, 1]>
//          tile_gpu.desc_copy %desc[%j, %k] into %b : !tile.desc<256x64xf16> -> ..
//          tile.dot %a, %b, %acc by wgmma {tile.extents = array<i64: 128, 240>}
// After:   %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x240xf16, order = [0, 1]>
//          tile_gpu.desc_copy %narrow[%j, %k] into %b : !tile.desc<240x64xf16> -> ..
//          tile.dot %a, %b, %acc by wgmma {tile.extents = array<i64: 128, 240>}
//
// Rows and columns along K go with tile.depth (tile-narrow-dots) in the same way.
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
// Padding that is copied, as another reader wants all, or a box has no other form, is told of in a
// remark.
//
// Requires: layouts assigned.  Preserves: numerics, control flow.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Analysis.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { patternRows = 8 };

/// Do warp groups lie along M, as `dot`, a wgmma, has them?
static bool areGroupsAlongRows(MlirOperation dot) {
  TileLayout acc;
  if (!tileTypeGetLayout(mlirValueGetType(tileResult(dot)), &acc)) return false;
  for (int b = 0; b < acc.inBits[TILE_WARP]; ++b)
    if (tileLayoutCoordinate(acc, acc.bases[TILE_WARP][b], 1)) return false;
  return true;
}

/// What `dot` needs of the buffer along its dimension d; 0 where it might need all.
static int64_t neededByDot(MlirOperation dot, MlirValue buffer, int d) {
  int64_t extents[TILE_MAX_RANK];
  TileDotForm form;
  bool isA = mlirValueEqual(tileDotGetA(dot), buffer),
       isB = mlirValueEqual(tileDotGetB(dot), buffer);
  if (!tileOpIsWgmma(dot) || isA == isB || !tileDotGetForm(dot, &form)) return 0;
  if (d == isA) { // K, by whole instructions
    int64_t deep = tileDotFormDepth(&form);
    return (tileIntAttr(dot, "tile.depth", 0) + deep - 1) / deep * deep;
  }
  if (isA || !areGroupsAlongRows(dot) || !tileOpGetExtents(dot, 2, extents)) return 0;
  return tileDotFormColumns(&form, extents[1]);
}

/// What the readers of the copy's buffer need along its dimension d; 0 where one might need all,
/// though some dot may need less: `*padded`.
static int64_t neededExtent(MlirOperation copy, int d, bool *padded) {
  MlirValue buffer = tileDescCopyGetBuffer(copy);
  int64_t most = 0, all = tileBufferTypeGetDim(mlirValueGetType(buffer), d);
  bool any = false;
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, copy)) continue;
    int64_t needed = tileOpIsADot(user) ? neededByDot(user, buffer, d) : 0;
    *padded |= needed && needed < all;
    any |= !needed;
    if (needed > most) most = needed;
  }
  return any ? 0 : most;
}

/// The dimension of the box along which the buffer's fastest dimension runs: its last of more than
/// 1 element, or with `slower` the one before that. -1: there is none.
static int dimOfBox(const int64_t shape[], int rank, bool slower) {
  int left = slower;
  for (int d = rank; d-- > 0;)
    if (shape[d] != 1 && left-- == 0) return d;
  return -1;
}

/// What the extent must be a multiple of: whole boxes, or whole patterns of rows.
static int64_t stepOf(MlirType desc, bool slower, int64_t extent) {
  TileMapBox box;
  if (!tileDescBox(desc, &box) || !box.swizzle) return extent;
  return slower ? patternRows : box.box[box.rank - 1];
}

/// Makes the box and its buffer as long along dimension d of the buffer as its readers need. Null,
/// or why padding is copied.
static const char *narrowCopy(MlirOperation copy, int d, bool *narrowed) {
  MlirOperation desc = tileValueGetOp(tileDescCopyGetDesc(copy));
  MlirValue buffer = tileDescCopyGetBuffer(copy);
  MlirType type = mlirValueGetType(buffer);
  if (tileBufferTypeGetRank(type) != 2) return NULL;
  bool padded = false;
  int64_t needed = neededExtent(copy, d, &padded);
  if (!needed) return padded ? "expected readers that leave out as much, found another" : NULL;
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) ||
      mlirOperationIsNull(tileBufferGetAlloc(buffer)))
    return padded ? "expected a box that the kernel describes, in a buffer of its own" : NULL;
  bool slower = tileBufferTypeGetOrder(type, 0) != d;
  MlirType boxed = mlirValueGetType(tileResult(desc)), tile = tileDescTypeGetBox(boxed);
  int64_t shape[TILE_MAX_RANK];
  int64_t dims[] = {tileBufferTypeGetDim(type, 0), tileBufferTypeGetDim(type, 1)};
  const int64_t order[] = {tileBufferTypeGetOrder(type, 0), tileBufferTypeGetOrder(type, 1)};
  int64_t extent = dims[d], step = stepOf(boxed, slower, extent);
  int rank = tileShape(tile, shape), along = dimOfBox(shape, rank, slower);
  dims[d] = (needed + step - 1) / step * step;
  if (dims[d] >= extent) return NULL;
  if (along < 0 || shape[along] != extent)
    return "expected a box that has the dimension as it is, found another";
  if (dims[d] < 16) return "expected 16 or more to be left, found fewer";
  shape[along] = dims[d];
  MlirType element = tileElementType(tile);
  MlirOperation made = mlirOperationClone(desc);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(desc), desc, made);
  mlirValueSetType(tileResult(made), tileDescTypeGet(mlirRankedTensorTypeGet(
                                         rank, shape, element, mlirAttributeGetNull())));
  mlirOperationSetOperand(copy, 0, tileResult(made));
  mlirValueSetType(buffer, tileBufferTypeGet(mlirOperationGetContext(copy), 2, dims, element,
                                             tileBufferTypeGetSwizzle(type), order, 1));
  *narrowed = true;
  return NULL;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  static const char *const what[] = {"rows", "columns"};
  for (int d = 0; d < 2 && tileOpIsADescCopy(op); ++d) {
    bool narrowed = false;
    const char *why = narrowCopy(op, d, &narrowed);
    if (narrowed) tileTrace(mlirOperationGetLocation(op), "%s of padding are not copied", what[d]);
    if (why)
      tileEmitRemark(mlirOperationGetLocation(op), "%s of padding are copied: %s", what[d], why);
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunNarrowBoxes(MlirOperation func) {
  mlirOperationWalk(func, visit, NULL, MlirWalkPreOrder);
  return mlirLogicalResultSuccess();
}
