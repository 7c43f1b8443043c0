//===- ScaleMaxima.c - the greatest of what is scaled, scaled -------------===//
//
// Before:  %y = arith.mulf %x, 0.125 fastmath<contract> : tensor<128x64xf32>
//          %most = tile.reduce maxnum %y axis 1
//          %far = arith.subf %y, broadcast %most fastmath<contract>
// After:   %greatest = tile.reduce maxnum %x axis 1
//          %most = arith.mulf %greatest, 0.125 : tensor<128xf32>
//          %y = arith.mulf %x, 0.125
//          %far = arith.subf %y, broadcast %most
//
// Rounding keeps order, so that the greatest of the products is the product of the greatest, to the
// bit. What is left of %y is subtracted from, as a softmax does: one instruction with the product,
// which was there for the reduction.
//
// Taken are numbers above 0 that are no infinities, and products that have no other readers than
// the reduction and such differences; the least of products as well. With others each element is
// scaled anyhow; without differences what a loop takes the greatest of would no longer be that
// alone (tile-defer-reductions). A scale that is an argument might be below 0, and stays.
//
// Where a row of numbers is subtracted from products, as the logarithms of sums are in the
// gradients of attention, that are transposed, it is negated as a row, in front of its broadcast:
//
//          %far = arith.subf (mulf %x, %s), broadcast %row      ->  arith.addf .., broadcast (negf
//          %row)
//
// A thread has a row's number for each column of its products, and few of them before they are
// handed on; ptxas negates them one by one where the scale is a uniform register.
//
// Requires: nothing.  Preserves: numerics, but for the sign of a 0, which reductions leave open.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Laws.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Support/FastMath.h"
#include "tile/Support/ValueSearch.h"
#include <math.h>

/// Is it the greatest or the least of floats?
static bool keepsOrder(MlirOperation reduce) {
  if (tileReduceGetNumResults(reduce) != 1) return false;
  MlirOperation only = tileCombineGetOnlyOp(reduce);
  return !mlirOperationIsNull(only) && tileTypeIsFloat(mlirValueGetType(tileResult(only))) &&
         (tileOpGetLaws(only) & TILE_IDEMPOTENT);
}

/// The factor of `product`, a number above 0, and what it scales; false where it has none.
static bool findScale(MlirOperation product, MlirValue *scaled, double *factor) {
  if (mlirOperationIsNull(product) || !tileOpIs(product, "arith.mulf")) return false;
  for (int i = 0; i < 2; ++i) {
    *scaled = tileOperand(product, 1 - i);
    if (tileConstantFloat(tileOperand(product, i), factor)) return *factor > 0 && isfinite(*factor);
  }
  return false;
}

/// Does `user` subtract from the result of `product`, in one instruction with it?
static bool subtractsFrom(MlirOperation user, MlirOperation product) {
  return tileOpIs(user, "arith.subf") && tileOpHasFastMath(user, "contract") &&
         mlirValueEqual(tileOperand(user, 0), tileResult(product)) &&
         !mlirValueEqual(tileOperand(user, 1), tileResult(product));
}

/// Is `product` there for `reduce`, and else for differences that take it in alone?
static bool isForDifferences(MlirOperation product, MlirOperation reduce) {
  bool isAll = tileOpHasFastMath(product, "contract");
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(product));
  for (; !mlirOpOperandIsNull(use) && isAll; use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    isAll = mlirOperationEqual(user, reduce) || subtractsFrom(user, product);
  }
  return isAll;
}

/// Is `value`, or what follows from it element by element, subtracted from the result of `data`?
static bool isSubtracted(TileValueSearch *s, MlirValue value, const void *data) {
  const MlirOperation *product = data;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (subtractsFrom(user, *product)) return true;
    if (tileOpIsElementwise(user) || tileOpMovesElements(user) || tileOpIsASplat(user) ||
        tileOpIsABroadcast(user) || tileOpIsAExpandDims(user))
      tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

static MlirWalkResult scaleMaximum(MlirOperation reduce, void *data) {
  (void)data;
  if (!tileOpIsAReduce(reduce) || !keepsOrder(reduce)) return MlirWalkResultAdvance;
  MlirOperation product = tileValueGetOp(tileOperand(reduce, 0));
  MlirValue scaled, greatest = tileResult(reduce);
  double factor;
  if (!findScale(product, &scaled, &factor)) return MlirWalkResultAdvance;
  if (!isForDifferences(product, reduce) ||
      !tileValueSearchFinds(greatest, isSubtracted, &product)) {
    tileEmitRemark(mlirOperationGetLocation(reduce),
                   "greatest of what is scaled: expected products that nobody reads but for "
                   "differences from it, with fastmath<contract>");
    return MlirWalkResultAdvance;
  }
  mlirOperationSetOperand(reduce, 0, scaled);
  TileBuilder b = tileBuilderAfter(reduce);
  MlirType type = mlirValueGetType(greatest);
  MlirValue operands[2] = {greatest, tileBuildFloat(&b, type, factor)};
  MlirOperation most = tileBuildLike(&b, product, 2, operands, &type);
  mlirValueReplaceAllUsesExcept(greatest, tileResult(most), 1, &most);
  return MlirWalkResultAdvance;
}

/// Is `value` a row of a number for each column?
static bool isRow(MlirValue value) {
  int64_t shape[TILE_MAX_RANK];
  return tileShape(mlirValueGetType(value), shape) == 2 && shape[0] == 1 && shape[1] > 1;
}

static MlirWalkResult negateRow(MlirOperation difference, void *data) {
  (void)data;
  if (!tileOpIs(difference, "arith.subf") || !tileOpHasFastMath(difference, "contract"))
    return MlirWalkResultAdvance;
  MlirOperation product = tileValueGetOp(tileOperand(difference, 0));
  MlirOperation broadcast = tileValueGetOp(tileOperand(difference, 1));
  if (mlirOperationIsNull(product) || !tileOpIs(product, "arith.mulf") ||
      !tileOpHasFastMath(product, "contract") || mlirOperationIsNull(broadcast) ||
      !tileOpIsABroadcast(broadcast) || !isRow(tileOperand(broadcast, 0)))
    return MlirWalkResultAdvance;
  MlirValue row = tileOperand(broadcast, 0);
  MlirType types[2] = {mlirValueGetType(row), mlirValueGetType(tileResult(broadcast))};
  TileBuilder b = tileBuilderBefore(broadcast);
  MlirValue negative = tileBuildUnary(&b, "arith.negf", types[0], row);
  MlirValue spread = tileResult(tileBuildLike(&b, broadcast, 1, &negative, &types[1]));
  MlirValue terms[2] = {tileOperand(difference, 0), spread};
  TileBuilder at = tileBuilderBefore(difference);
  MlirValue sum = tileBuildBinary(&at, "arith.addf", terms[0], terms[1]);
  MlirAttribute flags = mlirOperationGetAttributeByName(difference, tileString("fastmath"));
  mlirOperationSetAttributeByName(tileValueGetOp(sum), tileString("fastmath"), flags);
  mlirValueReplaceAllUsesOfWith(tileResult(difference), sum);
  mlirOperationDestroy(difference);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunScaleMaxima(MlirOperation func) {
  mlirOperationWalk(func, scaleMaximum, NULL, MlirWalkPostOrder);
  mlirOperationWalk(func, negateRow, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
