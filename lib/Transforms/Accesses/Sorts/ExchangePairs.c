//===- ExchangePairs.c - each of a pair gets the other, by one exchange ---===//
//
// Before:  %l = tile.reduce add (%x * %first) axis 1 : tensor<64x2x8xi32>   // %first: 1 and 0
//          %left = tile.broadcast (tile.expand_dims %l axis 1)
//          %r = tile.reduce add (%x * %second) axis 1                       // %second: 0 and 1
//          %right = tile.broadcast (tile.expand_dims %r axis 1)
// After:   %b = tile.reduce xor %x axis 1
//          %other = %x ^ tile.broadcast (tile.expand_dims %b axis 1)
//          %is = arith.cmpi ne, %first, 0
//          %left = arith.select %is, %x, %other
//          %right = arith.select %is, %other, %x
//
// torch.compile's sorts, and those that Triton had before 3.3, take the two of a pair apart by
// sums: of each one by what is 0 for the other. Where the two are in different lanes each sum is a
// product, an exchange and an addition for every element, of the numbers and once more of their
// places. The exclusive or of both, and of that and one of them, which is the other, is one
// exchange; where the two are registers of one thread nothing is left of any of it.
//
// Done where both halves of one value of integers are summed, over an axis of two, and each sum
// goes back to the shape of the pairs, narrowed perhaps. Declines, with a remark, where one half
// alone is.
//
// Requires: no layouts.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "WidenPairs.h"
#include "tile/Analysis/Laws.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"

/// How far is looked, so that long kernels take no longer for each op that they have: from a weight
/// to the coordinate that it follows from, ops; from a sum to the other of its pair, sums. The two
/// follow each other, but for those of numbers and of places that stand between.
enum { MOST_DEPTH = 10, NEAR = 8 };

/// One of each pair of `source`, as a sum.
typedef struct {
  MlirOperation reduce, back; ///< the sum, and what has it in the shape of the pairs again
  MlirValue source, weight;
  const char *widened; ///< the op by which it is, in front of the sum; NULL: none
  MlirType narrowed;   ///< what the sum is narrowed to; null: it is not
  int which, axis;
} Half;

/// What `value` is where the coordinate along `dim`, of extent 2, is `at`, as far as it follows
/// from that alone.
static bool valueAt(MlirValue value, int dim, int64_t at, int depth, int64_t *result) {
  static const char *const passed[] = {"arith.trunci", "arith.extsi", "arith.extui", NULL};
  int64_t shape[TILE_MAX_RANK], x, y;
  MlirOperation op = tileValueGetOp(value);
  if (tileConstantInt(value, result)) return true;
  if (mlirOperationIsNull(op) || !depth) return false;
  if (tileShape(mlirValueGetType(value), shape) <= dim || shape[dim] != 2) return false;
  if (tileOpIsAArange(op)) {
    *result = at;
    return true;
  }
  if (tileOpIsAExpandDims(op)) dim -= dim > tileExpandDimsGetAxis(op);
  if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsOneOf(op, passed))
    return valueAt(tileOperand(op, 0), dim, at, depth - 1, result);
  if (!tileOpIs(op, "arith.subi")) return false;
  if (!valueAt(tileOperand(op, 0), dim, at, depth - 1, &x) ||
      !valueAt(tileOperand(op, 1), dim, at, depth - 1, &y))
    return false;
  *result = x - y;
  return true;
}

/// Which of a pair along `dim` `weight` leaves; -1 where it leaves both, or something else.
static int keptBy(MlirValue weight, int dim) {
  int64_t first, second;
  if (!valueAt(weight, dim, 0, MOST_DEPTH, &first) || !valueAt(weight, dim, 1, MOST_DEPTH, &second))
    return -1;
  return first == 1 && second == 0 ? 0 : first == 0 && second == 1 ? 1 : -1;
}

/// The product that is summed, which may be widened in front of it.
static bool readProduct(Half *half, MlirValue summed) {
  MlirOperation op = tileValueGetOp(summed);
  if (mlirOperationIsNull(op)) return false;
  half->widened = tileOpIs(op, "arith.extsi")   ? "arith.extsi"
                  : tileOpIs(op, "arith.extui") ? "arith.extui"
                                                : NULL;
  if (half->widened) op = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.muli")) return false;
  for (intptr_t i = 0; i < 2; ++i) {
    half->weight = tileOperand(op, i);
    half->source = tileOperand(op, 1 - i);
    half->which = keptBy(half->weight, half->axis);
    if (half->which >= 0) return true;
  }
  return false;
}

/// The way of the sum back to the shape of the pairs.
static bool readBack(Half *half) {
  MlirValue value = tileResult(half->reduce);
  half->narrowed = (MlirType){NULL};
  for (int step = 0; step < 3; ++step) {
    MlirOpOperand use = tileOnlyUse(value);
    if (mlirOpOperandIsNull(use)) return false;
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool narrows = tileOpIs(op, "arith.trunci");
    bool expands = tileOpIsAExpandDims(op) && tileExpandDimsGetAxis(op) == half->axis;
    if (!narrows && !expands && !tileOpIsABroadcast(op)) return false;
    value = tileResult(op);
    if (narrows) half->narrowed = tileElementType(mlirValueGetType(value));
    if (!tileOpIsABroadcast(op)) continue;
    half->back = op;
    MlirType pairs = mlirValueGetType(half->source);
    return mlirTypeEqual(mlirValueGetType(value),
                         tileWithElement(pairs, tileElementType(mlirValueGetType(value))));
  }
  return false;
}

static bool readHalf(MlirOperation reduce, Half *half) {
  int64_t shape[TILE_MAX_RANK];
  *half = (Half){.reduce = reduce, .axis = (int)tileReduceGetAxis(reduce)};
  if (mlirOperationGetNumResults(reduce) != 1) return false;
  MlirOperation only = tileCombineGetOnlyOp(reduce);
  MlirValue summed = tileOperand(reduce, 0);
  if (mlirOperationIsNull(only) || !tileOpIs(only, "arith.addi")) return false;
  tileShape(mlirValueGetType(summed), shape);
  return shape[half->axis] == 2 && readProduct(half, summed) && readBack(half);
}

static bool areOfOne(const Half *a, const Half *b) {
  bool sameWidening = (!a->widened && !b->widened) || (a->widened && a->widened == b->widened);
  return mlirValueEqual(a->source, b->source) && a->axis == b->axis && a->which != b->which &&
         sameWidening &&
         mlirTypeEqual(mlirValueGetType(tileResult(a->reduce)),
                       mlirValueGetType(tileResult(b->reduce))) &&
         mlirBlockEqual(mlirOperationGetBlock(a->reduce), mlirOperationGetBlock(b->reduce));
}

/// The exclusive or of each pair of `x`, in their shape.
static MlirValue buildBoth(TileBuilder *b, const Half *half, MlirValue x) {
  MlirOperation both = mlirOperationClone(half->reduce);
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, both);
  mlirOperationSetOperand(both, 0, x);
  MlirOperation only = tileCombineGetOnlyOp(both);
  TileBuilder inside = tileBuilderBefore(only);
  MlirValue sum =
      tileBuildBinary(&inside, "arith.xori", tileOperand(only, 0), tileOperand(only, 1));
  tileReplaceOp(only, 1, &sum);
  MlirValue expanded = tileResult(both);
  MlirOperation op = mlirOpOperandGetOwner(tileOnlyUse(tileResult(half->reduce)));
  while (!tileOpIsAExpandDims(op)) op = mlirOpOperandGetOwner(tileOnlyUse(tileResult(op)));
  MlirType type = tileWithElement(mlirValueGetType(tileResult(op)),
                                  tileElementType(mlirValueGetType(expanded)));
  expanded = tileResult(tileBuildLike(b, op, 1, &expanded, &type));
  return tileBuildUnary(b, "tile.broadcast", mlirValueGetType(x), expanded);
}

static void exchange(const Half *first, const Half *second) {
  TileBuilder b = tileBuilderBefore(first->reduce);
  MlirType type = tileWithElement(mlirValueGetType(first->source),
                                  tileElementType(mlirValueGetType(tileResult(first->reduce))));
  MlirValue x = first->source;
  if (first->widened) x = tileBuildUnary(&b, first->widened, type, x);
  MlirValue both = buildBoth(&b, first, x), other = tileBuildBinary(&b, "arith.xori", x, both);
  MlirValue zero = tileBuildZero(&b, mlirValueGetType(first->weight));
  MlirValue isOwn = tileBuildCmpi(&b, TILE_NE, first->weight, zero);
  const Half *halves[] = {first, second};
  for (int i = 0; i < 2; ++i) {
    MlirValue value = tileBuildSelect(&b, isOwn, i ? other : x, i ? x : other);
    MlirType back = mlirValueGetType(tileResult(halves[i]->back));
    if (!mlirTypeIsNull(halves[i]->narrowed))
      value = tileBuildUnary(&b, "arith.trunci", back, value);
    mlirValueReplaceAllUsesOfWith(tileResult(halves[i]->back), value);
  }
}

/// Is the sum still read? That of a half that was exchanged is not.
static bool isRead(const Half *half) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(half->back)));
}

static bool isReduction(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAReduce(op);
}

MlirLogicalResult tileRunExchangePairs(MlirOperation func) {
  TileOpList sums = {0};
  tileOpListCollect(&sums, func, MlirWalkPreOrder, isReduction, NULL);
  Half first, second;
  for (size_t i = 0; i < sums.count; ++i) {
    if (!readHalf(sums.ops[i], &first) || !isRead(&first)) continue;
    size_t k = i + 1, end = i + NEAR < sums.count ? i + NEAR : sums.count;
    while (k < end && !(readHalf(sums.ops[k], &second) && areOfOne(&first, &second))) ++k;
    if (k < end)
      exchange(&first, &second);
    else
      tileEmitRemark(mlirOperationGetLocation(first.reduce),
                     "one of each pair is a sum: expected the sum of the other one close behind");
  }
  tileOpListDestroy(&sums);
  tileWidenPairs(func);
  return mlirLogicalResultSuccess();
}
