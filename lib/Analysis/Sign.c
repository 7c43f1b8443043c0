//===- Sign.c - values that are never above 0 -----------------------------===//
#include "tile/Analysis/Sign.h"
#include "tile/Analysis/Laws.h"
#include "tile/IR.h"
#include <string.h>

enum { mostOps = 64 }; // that are looked at, each as often as there are ways to it

static bool isOneOf(MlirOperation op, const char *a, const char *b) {
  return tileOpIs(op, a) || tileOpIs(op, b);
}

/// Past conversions of layout, which move elements among threads and leave them as they are.
static MlirValue pastLayouts(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && tileOpIsAConvertLayout(op)) {
    value = tileOperand(op, 0);
    op = tileValueGetOp(value);
  }
  return value;
}

static bool isMaximum(MlirOperation op) { return isOneOf(op, "arith.maximumf", "arith.maxnumf"); }

/// Has the reduction, whose one result goes back to the tile's shape along `axis` (-1: as a
/// scalar), the maximum of `value`?
static bool isMaximumOf(MlirOperation reduce, MlirValue value, int64_t axis) {
  if (tileReduceGetNumResults(reduce) != 1) return false;
  MlirOperation only = tileCombineGetOnlyOp(reduce);
  if (mlirOperationIsNull(only) || !isMaximum(only)) return false;
  bool fits = axis < 0 ? !tileTypeIsTile(mlirValueGetType(tileResult(reduce)))
                       : tileReduceGetAxis(reduce) == axis;
  return fits && mlirValueEqual(pastLayouts(tileOperand(reduce, 0)), value);
}

/// What `value` scales by a number above 0; null where it does not.
static MlirValue scaledBy(MlirValue value, double *factor) {
  MlirOperation op = tileValueGetOp(pastLayouts(value));
  MlirValue none = {NULL};
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.mulf")) return none;
  for (int i = 0; i < 2; ++i)
    if (tileConstantFloat(tileOperand(op, i), factor))
      return *factor > 0 ? tileOperand(op, 1 - i) : none;
  return none;
}

/// Is each element of `bound` at least that of `value` (or either NaN)? `axis`: the dimension of
/// extent 1 that the tile on the way has got, -1 for none.
static bool bounds(MlirValue bound, MlirValue value, int64_t axis, int *left) {
  bound = pastLayouts(bound);
  if (axis < 0 && mlirValueEqual(bound, value)) return true;
  MlirOperation op = tileValueGetOp(bound);
  if (mlirOperationIsNull(op) || --*left < 0) return false;
  if (tileOpIsASplat(op) || tileOpIsABroadcast(op))
    return bounds(tileOperand(op, 0), value, axis, left);
  if (tileOpIsAExpandDims(op))
    return axis < 0 && bounds(tileOperand(op, 0), value, tileExpandDimsGetAxis(op), left);
  double above = 0, factor = 0;
  MlirValue most = scaledBy(bound, &above), scaled = scaledBy(value, &factor);
  if (!mlirValueIsNull(most))
    return !mlirValueIsNull(scaled) && above == factor &&
           bounds(most, pastLayouts(scaled), axis, left);
  if (isMaximum(op))
    return bounds(tileOperand(op, 0), value, axis, left) ||
           bounds(tileOperand(op, 1), value, axis, left);
  return tileOpIsAReduce(op) && isMaximumOf(op, value, axis);
}

static bool isNegativeSquareOrSize(MlirOperation negation) {
  MlirOperation op = tileValueGetOp(tileOperand(negation, 0));
  if (mlirOperationIsNull(op)) return false;
  return tileOpIs(op, "math.absf") ||
         (tileOpIs(op, "arith.mulf") && mlirValueEqual(tileOperand(op, 0), tileOperand(op, 1)));
}

static bool isAtMostZero(MlirValue value, int *left);

/// Of arith.minnumf, which drops a NaN and leaves the other: one that is a number does, else both.
static bool isLeastAtMostZero(MlirOperation op, int *left) {
  double known;
  for (int i = 0; i < 2; ++i)
    if (tileConstantFloat(tileOperand(op, i), &known) && known <= 0) return true;
  return isAtMostZero(tileOperand(op, 0), left) && isAtMostZero(tileOperand(op, 1), left);
}

static bool isAtMostZero(MlirValue value, int *left) {
  MlirOperation op = tileValueGetOp(value);
  double known;
  if (tileConstantFloat(value, &known)) return known <= 0;
  if (mlirOperationIsNull(op) || --*left < 0) return false;
  if (tileOpIsASplat(op) || tileOpIsABroadcast(op) || tileOpIsAExpandDims(op) ||
      tileOpIsAConvertLayout(op) || isOneOf(op, "arith.extf", "arith.truncf"))
    return isAtMostZero(tileOperand(op, 0), left);
  if (tileOpIs(op, "arith.negf")) return isNegativeSquareOrSize(op);
  if (tileOpIs(op, "arith.subf"))
    return bounds(tileOperand(op, 1), pastLayouts(tileOperand(op, 0)), -1, left);
  if (tileOpIs(op, "arith.minnumf")) return isLeastAtMostZero(op, left);
  if (tileOpIs(op, "arith.minimumf"))
    return isAtMostZero(tileOperand(op, 0), left) || isAtMostZero(tileOperand(op, 1), left);
  if (!tileOpIs(op, "arith.mulf")) return false;
  for (int i = 0; i < 2; ++i)
    if (tileConstantFloat(tileOperand(op, i), &known) && known > 0)
      return isAtMostZero(tileOperand(op, 1 - i), left);
  return false;
}

bool tileIsAtMostZero(MlirValue value) {
  int left = mostOps;
  return isAtMostZero(value, &left);
}
