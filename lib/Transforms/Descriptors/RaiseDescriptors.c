//===- RaiseDescriptors.c - affine accesses as boxes of arrays ------------===//
//
// Before:  scf.for %k0 = .. iter_args(%ptrs = a + (first_m + rows) * stride + columns) {
//            %in = rows < m - first_m  and  columns < k - k0
//            %v = tile.load %ptrs, %in : tensor<128x64x!tile.ptr<f16>>
//            tile.dot %v, ..
//            scf.yield %ptrs + 64
// After:   %d = tile.make_desc %a, [%m, %k], [%stride]         at the top of the kernel
//          scf.for %k0 = .. {
//            %v = tile.desc_load %d[%first_m, %k0] : !tile.desc<128x64xf16>
//            tile.dot %v, ..
//
// so that the copy engine of sm_90 and up moves them. Taken are, of kernels with a dot in a loop,
// loads that feed dots, and that a warp can make ahead (Ahead.h; out of branches: Branches.h,
// PredicateBranches.h), and stores of what dots computed; other accesses gain nothing from it. A
// tile whose contiguous dimension is not its last is described as it lies in memory, and transposed
// after the load. An offset that is the same for all of the tile, as b * stride_b, becomes a
// dimension in which the box has extent 1. Rows that wrap around as a whole are first taken apart
// (Remainders/Remainders.h), and where nobody sees those that do they are left out
// (Remainders/Unwrap.h).
//
// A tile.atomic_rmw that a loop adds a dot's result with is such a store, which adds (Sums.h):
// where the loop's dots read boxes, too.
//
// Boxes that the kernel itself describes and its loops' dots read are held against some of the same
// rules: those that gain nothing become tiles of pointers (ExpandDescriptors.c).
//
// Padding (tile.extents of tile-pad-extents) is read as what lies there in the array, since nobody
// looks at it, and not stored: the desc_store is told the same extents.
//
// Every refusal is a remark that says what was expected: that the access is affine and its mask the
// bounds of the array (tile/Analysis/Affine.h), and what the engine asks for: an array aligned to
// 16 bytes, strides that are multiples of 16 bytes (launch facts), boxes of at most 256 by 256 by
// .. Where the launch packs (tile_gpu.packs), arrays that are read need not be aligned, if all that
// dots read becomes boxes: their tile.make_desc says {tile_gpu.packed} (Packing.h).
//
// A launch must bring extents >= 0 and strides >= 0 for the arrays described: proofs rest on it,
// and whoever encodes the descriptors sees the numbers and can refuse. Where more becomes a box by
// it, so it is with arguments that count something (Counts.h). Positions that follow from what
// memory holds, and those of loads whose sign nothing tells, are moved away from 0
// (tile/Analysis/Affine.h).
//
// Requires: swizzle2d expanded, loads simplified.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Flow/Branches/Branches.h"
#include "../Flow/Branches/PredicateBranches.h"
#include "../Layouts/Layouts.h"
#include "../Loops.h"
#include "Ahead.h"
#include "Counts.h"
#include "Engine.h"
#include "Feeds.h"
#include "Gains.h"
#include "Packing.h"
#include "Remainders/Remainders.h"
#include "Sums.h"
#include "tile/Analysis/Affine.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Trace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===- what is worth raising ----------------------------------------------===//

static void addCandidate(TileRaiser *r, MlirOperation op) {
  r->candidates = tileGrow(r->candidates, r->count, &r->capacity, sizeof *r->candidates);
  TileCandidate *c = &r->candidates[r->count];
  bool isOwn = tileOpIsADescLoad(op), isLoad = isOwn || tileOpIsALoad(op);
  MlirType tile = mlirValueGetType(isLoad ? tileResult(op) : tileOperand(op, 1));
  *c = (TileCandidate){.op = op,
                       .isOwn = isOwn,
                       .isRead = !isOwn && tileFollowsMemory(op),
                       .loop = tileLoopAround(op),
                       .first = r->count,
                       .bytes = tileNumElements(tile) * tileBitWidth(tileElementType(tile)) / 8,
                       .isLoad = isLoad,
                       .isOperand = tileIsDotOperand(op),
                       .isStoredForB = tileIsStoredForB(op)};
  for (size_t i = r->count++; i-- > 0;)
    if (r->candidates[i].loop.ptr == c->loop.ptr) {
      c->first = r->candidates[i].first;
      break;
    }
}

/// The kernel's own boxes of loops, if these gain as little as those that pointers would become.
static void collectOwn(TileRaiser *r, MlirOperation op) {
  MlirValue tile = tileResult(op);
  if (!r->multiplies || !tileIsInLoop(op) || !tileFeedsDot(tile, true, INT64_MAX)) return;
  addCandidate(r, op);
}

static MlirWalkResult collect(MlirOperation op, void *data) {
  // A row of scales is not worth a box.
  TileRaiser *r = data;
  int64_t shape[TILE_MAX_RANK];
  if (tileOpIsADescLoad(op)) collectOwn(r, op);
  bool isLoad = tileOpIsALoad(op) && tileLoadGetCache(op) != TILE_CACHE_USE_CV, converts = false;
  if (isLoad && tileShape(mlirValueGetType(tileResult(op)), shape) == 2)
    converts = tileIsInLoop(op) && shape[0] > 1 && shape[1] > 1;
  isLoad = isLoad && r->multiplies && tileFeedsDot(tileResult(op), converts, INT64_MAX);
  bool isSmall = isLoad && !tileFeedsDot(tileResult(op), converts, r->warps);
  bool isStore = tileOpIsAStore(op) && tileComesFromDot(tileStoreGetValue(op));
  bool isSum = tileAddsProduct(op);
  if (!isLoad && !isStore && !isSum) return MlirWalkResultAdvance;
  addCandidate(r, op);
  // It counts beside the boxes of its loop.
  if (isSmall) {
    tileRefuseBox(&r->candidates[r->count - 1],
                  "expected a product for wgmma, of 64 x 16 or more, or of more warps, found a "
                  "smaller one");
    return MlirWalkResultAdvance;
  }
  const char *why = isSum ? tileWhyNotAdded(r->func, op) : isLoad ? tileWhyInBranch(op) : NULL;
  if (!why && isLoad && tileIsInLoop(op)) why = tileWhyNotAhead(op);
  if (!why && r->hasBarriers) why = tileWhyOrdered(op);
  if (why) tileRefuseBox(&r->candidates[r->count - 1], why);
  return MlirWalkResultAdvance;
}

//===- what the engine can do ---------------------------------------------===//

static MlirType elementOf(const TileCandidate *c) {
  MlirValue pointers = tileOperand(c->op, 0);
  return tilePtrTypeGetPointee(tileElementType(mlirValueGetType(pointers)));
}

/// What lanes that are off read is what the engine fills in, 0 or NaN. Another value is chosen by
/// the threads that read the box: no dot does so itself.
static bool checkOther(TileCandidate *c) {
  if (!tileOpIsALoad(c->op)) return true;
  MlirValue other = tileLoadGetOther(c->op);
  int64_t number = -1;
  if (mlirValueIsNull(other) || (tileConstantInt(other, &number) && number == 0)) return true;
  MlirOperation op = tileValueGetOp(other);
  MlirAttribute value = mlirOperationIsNull(op) ? mlirAttributeGetNull() : tileAttr(op, "value");
  if (!mlirAttributeIsNull(value) && mlirAttributeIsADenseElements(value) &&
      mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  bool isFloat = !mlirAttributeIsNull(value) && mlirAttributeIsAFloat(value);
  double x = isFloat ? mlirFloatAttrGetValueDouble(value) : 1;
  c->nan = isnan(x);
  if (c->nan || (x == 0 && !signbit(x))) return true;
  c->chosen = !c->isOperand && !mlirValueIsNull(tileLoadGetMask(c->op));
  if (c->chosen) return true;
  return tileRefuseBox(c, "expected 0 or NaN for lanes that are masked off, found another value");
}

/// Are so many elements a multiple of 16 bytes?
static bool isWhole(const TileRaiser *r, const TilePoly *elements, int64_t bytes) {
  return tileAffineDivisor(r->affine, elements) % r->alignment * bytes % r->alignment == 0;
}

/// Rows of padding: of a product that was transposed, each warp group holds 64 columns or more.
static bool checkPaddedRows(const TileRaiser *r, TileCandidate *c) {
  const TileAffineDim *inner = &c->access.dims[c->access.rank - 1], *rows = inner - 1;
  int64_t bytes = tileBitWidth(elementOf(c)) / 8;
  if (inner->inside || rows->tileDim != 0 || rows->inside % r->stepColumns || !r->warpGroups ||
      inner->box % (r->groupRows * r->warpGroups) || inner->box * bytes < 2 * r->alignment ||
      !tileIsTransposedProduct(tileStoreGetValue(c->op)))
    return tileRefuseBox(
        c, "expected padding of columns alone, or of a transposed product's rows behind a "
           "multiple of 8, found other padding");
  return true;
}

/// Is the box one matrix: in front of its rows and columns there are none but those of which it has
/// one, as the batch that it is of?
static bool isMatrix(const TileAffineAccess *access) {
  bool isOne = access->rank >= 2;
  for (int d = 0; d + 2 < access->rank; ++d) isOne &= access->dims[d].box == 1;
  return isOne;
}

/// A store that leaves padding out goes in boxes of columns, each warp group its rows:
/// tile-warp-specialize.
static bool checkPadding(const TileRaiser *r, TileCandidate *c) {
  const TileAffineAccess *access = &c->access;
  const TileAffineDim *inner = &access->dims[access->rank - 1], *rows = inner - 1;
  int64_t bytes = tileBitWidth(elementOf(c)) / 8;
  bool any = false;
  for (int d = 0; d < access->rank; ++d) any |= access->dims[d].inside != 0;
  if (!any || tileOpIsALoad(c->op)) return true;
  if (tileOpIsAAtomicRmw(c->op))
    return tileRefuseBox(c, "expected sums without padding, found some");
  bool one = isMatrix(access);
  if (one && rows->inside) return checkPaddedRows(r, c);
  if (!one || rows->tileDim != 0 || rows->box % (r->groupRows * r->warpGroups))
    return tileRefuseBox(
        c, "expected padding of columns alone, of 64 rows or more a warp group, found "
           "other padding");
  if (inner->inside % r->stepColumns || inner->inside * bytes < 2 * r->alignment)
    return tileRefuseBox(
        c, "expected a multiple of 8 columns, and 32 bytes or more, before the padding, "
           "found others");
  return true;
}

/// Does the array lie as the engine wants it, or can the launch see to that?
static bool checkAlignment(const TileRaiser *r, TileCandidate *c, int64_t bytes) {
  const TileAffineAccess *access = &c->access;
  const char *reason = NULL, *why = NULL;
  if (tileAxisAnalysisGet(r->axes, access->base)->divisibility[0] < r->alignment)
    reason = "expected an array aligned to 16 bytes, found no such fact about its pointer";
  bool ends = true;
  for (int d = 0; d < access->rank; ++d) {
    const TileAffineDim *dim = &access->dims[d];
    ends &= dim->extent.valid;
    if (!reason && d + 1 < access->rank &&
        tileAffineDivisor(r->affine, &dim->stride) % r->alignment * bytes % r->alignment)
      reason = "expected strides that are multiples of 16 bytes, found no such fact";
  }
  c->packed = reason != NULL;
  if (!reason) return true;
  if (!tileOpIsALoad(c->op) || !tileKernelPacks(r->func)) return tileRefuseBox(c, reason);
  why = !ends             ? "expected a mask that sets ends, to pack it, found none"
        : access->isMoved ? "expected positions that begin at 0, to pack it, found others"
                          : tileWhyNotPacked(c->op);
  return !why || tileRefuseBox(c, why);
}

static bool checkEngine(const TileRaiser *r, TileCandidate *c) {
  if (tileOpIsAStore(c->op) && tileIsReadAgain(c->op))
    return tileRefuseBox(
        c, "expected an array that the program does not read again or add to, found one");
  const TileAffineAccess *access = &c->access;
  int64_t bytes = tileBitWidth(elementOf(c)) / 8;
  const TileAffineDim *inner = &access->dims[access->rank - 1];
  if (bytes == 0) return tileRefuseBox(c, "expected elements of whole bytes, found i1");
  if (inner->box * bytes % r->alignment != 0)
    return tileRefuseBox(c, "expected rows of a multiple of 16 bytes in the box, found others");
  for (int d = 0; d + 1 < access->rank; ++d)
    if (access->dims[d].box > 256)
      return tileRefuseBox(c, "expected a box of at most 256 rows, found more");
  if (!checkAlignment(r, c, bytes)) return false;
  // An H200 moves whole 16 bytes: it ends boxes that begin within them by an illegal instruction,
  // and writes past the end of an array that ends there.
  if (!isWhole(r, &inner->origin, bytes))
    return tileRefuseBox(c,
                         "expected rows that begin at multiples of 16 bytes, found no such fact");
  if (!tileOpIsALoad(c->op) && inner->extent.valid && !isWhole(r, &inner->extent, bytes))
    return tileRefuseBox(c, "expected rows stored up to multiples of 16 bytes, found no such fact");
  return checkPadding(r, c) && checkOther(c);
}

/// The arguments whose signs whoever encodes the descriptors will see.
static void noteArguments(const TileRaiser *r, const TileAffineAccess *access, bool *seen) {
  for (int d = 0; d < access->rank; ++d) {
    const TilePoly *polys[] = {&access->dims[d].stride, &access->dims[d].extent};
    for (int i = 0; i < 2; ++i) {
      int argument = tileAffineArgument(r->affine, polys[i]);
      if (argument >= 0) seen[argument] = true;
    }
  }
  for (intptr_t i = 0; r->watched && !access->dims[0].extent.valid && i < r->numArguments; ++i)
    seen[i] |= r->watched[i];
}

/// Matches all candidates, arguments in `trusted` being taken as >= 0. True where the arrays
/// described cover all of these; else `trusted` is cut down to those that they do.
static bool matchAll(TileRaiser *r, bool *trusted) {
  tileAffineDestroy(r->affine);
  r->affine = tileAffineCreate(r->func, r->axes, trusted);
  bool *seen = calloc((size_t)r->numArguments + 1, sizeof *seen), isCovered = true;
  if (!seen) abort();
  for (size_t i = 0; i < r->count; ++i) {
    TileCandidate *c = &r->candidates[i];
    if (*c->why) continue; // refused with more trust already
    c->raised = c->isOwn;
    if (c->isOwn) continue;
    bool mayMove = c->isRead || c->isLoad;
    tileAffineMovePositions(r->affine, r->moves && mayMove);
    c->access.isBelow = false;
    c->raised = tileAffineAccessOf(r->affine, c->op, &c->access, c->why) && checkEngine(r, c);
    if (c->raised) noteArguments(r, &c->access, seen);
    r->movesHelp |= !c->raised && (c->isRead || (c->isLoad && c->access.isBelow));
  }
  for (intptr_t i = 0; i < r->numArguments; ++i) {
    isCovered &= seen[i] || !trusted[i];
    trusted[i] &= seen[i];
  }
  free(seen);
  return isCovered;
}

/// Only what a mask compares with, or a remainder divides by, is worth trusting at first: integers.
static void trustIntegers(MlirOperation func, bool *trusted) {
  MlirBlock entry = tileBody(func, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    trusted[i] = mlirTypeIsAInteger(mlirValueGetType(mlirBlockGetArgument(entry, i)));
}

//===- rewriting ----------------------------------------------------------===//

/// %d = tile.make_desc %base, [extents], [strides] at the top of the kernel. Where the mask sets no
/// end, the array is taken to have none.
static MlirValue buildDesc(TileRaiser *r, const TileCandidate *c) {
  const TileAffineAccess *access = &c->access;
  TileBuilder b = tileBuilderAtStart(tileBody(r->func, 0));
  b.location = mlirOperationGetLocation(c->op);
  MlirType i32 = tileI32(b.context), i64 = tileI64(b.context);
  MlirValue operands[1 + 5 + 4] = {access->base};
  int64_t box[5];
  int rank = access->rank;
  for (int d = 0; d < rank; ++d) {
    const TileAffineDim *dim = &access->dims[d];
    box[d] = dim->box;
    operands[1 + d] = dim->extent.valid      ? tileAffineBuild(r->affine, &b, &dim->extent, i32)
                      : d == 0 && r->watched ? tileBuildWatchedExtent(&b, r->func, r->watched)
                                             : tileBuildInt(&b, i32, INT32_MAX);
    if (d + 1 < rank) operands[1 + rank + d] = tileAffineBuild(r->affine, &b, &dim->stride, i64);
  }
  const int32_t sizes[3] = {1, rank, rank - 1};
  MlirAttribute segments = mlirDenseI32ArrayGet(b.context, 3, sizes);
  MlirType tile = mlirRankedTensorTypeGet(rank, box, elementOf(c), mlirAttributeGetNull());
  MlirType type = tileDescTypeGet(tile);
  TileNamedAttr attrs[2] = {{"operandSegmentSizes", segments},
                            {"padding", tileParseAttr(b.context, "#tile<padding nan>")}};
  MlirOperation made =
      tileBuildOp(&b, "tile.make_desc", 2 * rank, operands, 1, &type, c->nan ? 2 : 1, attrs, 0);
  if (c->packed) tileDescSetPacked(made);
  return tileResult(made);
}

/// The tile's dimensions in the order in which the array has them, and that order's shape.
static int memoryOrder(const TileAffineAccess *access, MlirType tile, int32_t order[TILE_MAX_RANK],
                       int64_t shape[TILE_MAX_RANK]) {
  int64_t extents[TILE_MAX_RANK];
  int rank = tileShape(tile, extents), count = 0;
  int inner = access->dims[access->rank - 1].tileDim;
  for (int d = 0; d < rank; ++d)
    if (d != inner) order[count++] = d;
  order[count++] = inner;
  for (int i = 0; i < rank; ++i) shape[i] = extents[order[i]];
  return rank;
}

static MlirValue reshape(TileBuilder *b, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return tileBuildUnary(b, "tile.reshape", type, value);
}

static MlirValue transpose(TileBuilder *b, MlirValue value, const int32_t *order, int rank,
                           MlirType type) {
  bool isSame = true;
  for (int i = 0; i < rank; ++i) isSame &= order[i] == i;
  if (isSame) return value;
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, rank, order);
  return tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(value), 1, &type, TILE_ATTRS({"order", attr}), 0));
}

/// Where nothing is seen a box may begin anywhere, and no engine should have to know positions that
/// nobody meant, as by a division by 0.
static int buildOrigins(TileRaiser *r, TileBuilder *b, const TileAffineAccess *access,
                        MlirValue operands[]) {
  MlirType i32 = tileI32(b->context);
  for (int d = 0; d < access->rank; ++d) {
    const TileAffineDim *dim = &access->dims[d];
    MlirValue at = tileAffineBuild(r->affine, b, &dim->origin, i32);
    if (dim->asSeen) at = tileBuildBinary(b, "arith.maxsi", at, tileBuildInt(b, i32, 0));
    operands[1 + d] = at;
  }
  return 1 + access->rank;
}

static void raiseLoad(TileRaiser *r, const TileCandidate *c, MlirValue desc) {
  tileLeaveBranches(c->op);
  TileBuilder b = tileBuilderBefore(c->op);
  MlirValue operands[6] = {desc};
  int count = buildOrigins(r, &b, &c->access, operands);
  MlirType type = mlirValueGetType(tileResult(c->op));
  int32_t order[TILE_MAX_RANK], back[TILE_MAX_RANK];
  int64_t shape[TILE_MAX_RANK];
  int rank = memoryOrder(&c->access, type, order, shape);
  for (int i = 0; i < rank; ++i) back[order[i]] = i;
  MlirType box = tileDescTypeGetBox(mlirValueGetType(operands[0]));
  MlirValue tile = tileBuild(&b, "tile.desc_load", box, count, operands);
  MlirType inMemory = mlirRankedTensorTypeGet(rank, shape, elementOf(c), mlirAttributeGetNull());
  tile = reshape(&b, tile, inMemory);
  tile = transpose(&b, tile, back, rank, type);
  if (c->chosen) tile = tileBuildSelect(&b, tileLoadGetMask(c->op), tile, tileLoadGetOther(c->op));
  tileReplaceOp(c->op, TILE_VALUES(tile));
}

static void raiseStore(TileRaiser *r, const TileCandidate *c, MlirValue desc) {
  TileBuilder b = tileBuilderBefore(c->op);
  MlirValue operands[7] = {desc};
  int count = buildOrigins(r, &b, &c->access, operands);
  MlirValue value = tileOperand(c->op, 1);
  int32_t order[TILE_MAX_RANK];
  int64_t shape[TILE_MAX_RANK];
  int rank = memoryOrder(&c->access, mlirValueGetType(value), order, shape);
  MlirType inMemory = mlirRankedTensorTypeGet(rank, shape, elementOf(c), mlirAttributeGetNull());
  value = transpose(&b, value, order, rank, inMemory);
  operands[count] = reshape(&b, value, tileDescTypeGetBox(mlirValueGetType(operands[0])));
  int64_t extents[5];
  bool isPadded = false;
  for (int d = 0; d < c->access.rank; ++d) {
    const TileAffineDim *dim = &c->access.dims[d];
    extents[d] = dim->inside ? dim->inside : dim->box;
    isPadded |= dim->inside != 0;
  }
  MlirAttribute attr = mlirDenseI64ArrayGet(b.context, c->access.rank, extents);
  TileNamedAttr attrs[] = {{"extents", attr}}, adds = {"add", mlirUnitAttrGet(b.context)};
  bool isSum = tileOpIsAAtomicRmw(c->op);
  tileBuildOp(&b, "tile.desc_store", count + 1, operands, TILE_NONE, isPadded || isSum,
              isSum ? &adds : attrs, 0);
  mlirOperationDestroy(c->op);
}

//===- the pass -----------------------------------------------------------===//

/// The different arrays and boxes that are described: a launch has a parameter of 128 bytes for
/// each, and later passes describe results again, as what leaves the block by parts.
enum { mostDescribed = 20 };
typedef struct {
  MlirAttribute texts[mostDescribed];
  int count;
} Described;

static MlirWalkResult countOwn(MlirOperation op, void *data) {
  int *own = data;
  *own += tileOpIsAMakeDesc(op);
  return MlirWalkResultAdvance;
}

/// A descriptor for `c`, or null where it would be one more than a kernel may have.
static MlirValue describe(TileRaiser *r, Described *described, int own, TileCandidate *c) {
  MlirValue desc = buildDesc(r, c), none = {NULL};
  char text[TILE_TENSOR_MAP_TEXT];
  if (!tileDescribeTensorMap(tileValueGetOp(desc), text)) return desc; // an error, said there
  MlirAttribute attr = tileStringAttr(mlirOperationGetContext(r->func), text);
  for (int i = 0; i < described->count; ++i)
    if (mlirAttributeEqual(described->texts[i], attr)) return desc;
  if (own + described->count < mostDescribed) {
    described->texts[described->count++] = attr;
    return desc;
  }
  snprintf(text, sizeof text, "expected at most %d different descriptors in a kernel, found more",
           mostDescribed);
  c->raised = tileRefuseBox(c, text);
  mlirOperationDestroy(tileValueGetOp(desc));
  return none;
}

/// The kernel's own boxes that are refused become tiles of pointers. The others are settled, and no
/// candidates any more.
static void expandOwn(TileRaiser *r) {
  size_t left = 0;
  for (size_t i = 0; i < r->count; ++i) {
    TileCandidate *c = &r->candidates[i];
    if (!c->isOwn)
      r->candidates[left++] = *c;
    else if (!c->raised) {
      tileEmitRemark(mlirOperationGetLocation(c->op), "box is read through pointers: %s", c->why);
      tileExpandBox(c->op, r->axes);
    }
  }
  r->count = left;
}

static void apply(TileRaiser *r) {
  bool any = false;
  int own = 0;
  Described described = {.count = 0};
  mlirOperationWalk(r->func, countOwn, &own, MlirWalkPreOrder);
  for (size_t i = 0; i < r->count; ++i) {
    TileCandidate *c = &r->candidates[i];
    MlirValue desc = {NULL};
    if (c->raised) desc = describe(r, &described, own, c);
    any |= c->raised;
    if (!c->raised)
      tileEmitRemark(mlirOperationGetLocation(c->op), "stays an access through pointers: %s",
                     c->why);
    else if (tileOpIsALoad(c->op))
      raiseLoad(r, c, desc);
    else
      raiseStore(r, c, desc);
  }
  // Pointers that a loop only advances are nobody's any more.
  if (any) tileStopIdleCarries(r->func);
}

/// Matches as often as it takes until what is trusted is what descriptors tell.
static void settle(TileRaiser *r) {
  bool *trusted = calloc((size_t)r->numArguments + 1, sizeof *trusted);
  if (!trusted) abort();
  trustIntegers(r->func, trusted);
  do {
    while (!matchAll(r, trusted)) {
    }
  } while (tileRefuseGainless(r));
  free(trusted);
}

/// How many accesses are raised; of loads that loops hold alone, with `loops`.
static size_t countRaised(const TileRaiser *r, bool loops) {
  size_t raised = 0;
  for (size_t i = 0; i < r->count; ++i) {
    const TileCandidate *c = &r->candidates[i];
    raised += c->raised && !c->isOwn && (!loops || (c->isLoad && !mlirOperationIsNull(c->loop)));
  }
  return raised;
}

/// Matches with the signs of these arguments (null: of none), and positions moved away from 0.
static void settleWith(TileRaiser *r, const TileCandidate *fresh, bool *watched, bool moves) {
  memcpy(r->candidates, fresh, r->count * sizeof *fresh);
  r->watched = watched;
  r->moves = moves;
  settle(r);
}

/// Matches with the signs of counts where that leaves more to raise, and with positions moved away
/// from 0 where it leaves more loads of loops.
static void matchCandidates(TileRaiser *r) {
  TileCandidate *fresh = malloc(r->count * sizeof *fresh + 1);
  bool *counts = calloc((size_t)r->numArguments + 1, sizeof *counts);
  if (!fresh || !counts) abort();
  memcpy(fresh, r->candidates, r->count * sizeof *fresh);
  bool hasCounts = tileFindCounts(r->func, r->axes, counts), isBest = true;
  size_t all = 0, loads = 0;
  int best = 0;
  for (int i = 0; i < 4 && (i == 0 || all < r->count); ++i) {
    bool watches = i % 2, moves = i / 2;
    if ((watches && !hasCounts) || (moves && !r->movesHelp)) continue;
    settleWith(r, fresh, watches ? counts : NULL, moves);
    size_t raised = countRaised(r, false), ofLoops = countRaised(r, true);
    isBest = i == 0 || (moves ? ofLoops > loads : raised > all);
    if (!isBest) continue;
    best = i;
    all = raised;
    loads = ofLoops;
  }
  if (!isBest) settleWith(r, fresh, best % 2 ? counts : NULL, best / 2);
  free(fresh);
  if (!r->watched) free(counts);
}

/// Is a load that was there before still there? Handles of others are compared, and no more.
static bool isLeft(MlirOperation load, void *data) {
  const TileRaiser *r = data;
  for (size_t i = 0; i < r->count; ++i)
    if (mlirOperationEqual(r->candidates[i].op, load)) return !r->candidates[i].raised;
  return true;
}

/// Finds what can be raised and raises it; with `loops`, only where loads of a loop are among it.
static bool raise(TileRaiser *r, bool loops) {
  tileSplitRemainders(r->func);
  r->unwrapped = tileUnwrapRemainders(r->func);
  r->multiplies = tileMultipliesInLoop(r->func);
  mlirOperationWalk(r->func, collect, r, MlirWalkPreOrder);
  bool raises = !loops;
  if (r->count) {
    r->axes = tileAxisAnalysisCreate(r->func);
    matchCandidates(r);
    raises = raises || countRaised(r, true) > 0;
    if (raises) expandOwn(r);
    tileRefuseSmallStores(r);
    for (size_t i = 0; i < r->count && !raises; ++i)
      tileTrace(mlirOperationGetLocation(r->candidates[i].op), "no box either: %s",
                r->candidates[i].why);
    bool inLoops = countRaised(r, true) > 0;
    if (raises) apply(r);
    if (raises && inLoops) tileMarkCosts(r->func);
    free(r->watched);
    tileAffineDestroy(r->affine);
    tileAxisAnalysisDestroy(r->axes);
  }
  tileWrapAgain(r->unwrapped, isLeft, r);
  free(r->candidates);
  return raises;
}

/// The same without branches that hold loops of dots; false, and nothing has changed, where these
/// can leave them by themselves, or get no boxes.
static bool raiseInBranches(TileRaiser r) {
  if (!tileIsHeldByBranch(r.func)) return false;
  MlirOperation before = mlirOperationClone(r.func);
  r.predicated = true;
  bool raises = tilePredicateBranches(r.func) && raise(&r, true);
  if (!raises)
    mlirRegionTakeBody(mlirOperationGetRegion(r.func, 0), mlirOperationGetRegion(before, 0));
  mlirOperationDestroy(before);
  return raises;
}

MlirLogicalResult tileRunRaiseDescriptors(MlirOperation func,
                                          const TileRaiseDescriptorsOptions *options) {
  int64_t warps = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  if (!tileEngineTakesBoxes(func, warps)) {
    if (tileEngineWouldBeAlone(func, warps))
      tileEmitRemark(mlirOperationGetLocation(func),
                     "accesses stay as they are: expected two warp groups, or products that do not "
                     "wait for one another, found one warp group and others");
    return mlirLogicalResultSuccess();
  }
  if (tileWaitsAtBarriers(func)) {
    tileEmitRemark(mlirOperationGetLocation(func), "accesses stay as they are: expected no loop "
                                                   "that waits beside a tile.barrier, found one");
    return mlirLogicalResultSuccess();
  }
  const TileMachine *machine = tileMachineOf(func);
  const TileMatrix *wgmma = tileMachineFindMatrix(machine, TILE_MATRIX_WGMMA, TILE_MATRIX_F16,
                                                  TILE_MATRIX_F16, TILE_MATRIX_F32);
  if (!wgmma) return mlirLogicalResultSuccess();
  TileRaiser r = {.func = func,
                  .alignment = machine->boxAlignment,
                  .warps = warps,
                  .warpGroups = warps / 4,
                  .groupRows = wgmma->m,
                  .stepColumns = wgmma->stepN,
                  .hasBarriers = tileHoldsBarrier(func),
                  .numArguments = mlirBlockGetNumArguments(tileBody(func, 0))};
  if (!raiseInBranches(r)) raise(&r, false);
  return mlirLogicalResultSuccess();
}
