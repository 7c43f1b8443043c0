//===- CompareTruths.c - truths are compared as truths --------------------===//
//
// Before:  %more = arith.cmpf ogt, %x, %y : tensor<64x2xf32>
//          %number = arith.extui %more : tensor<64x2xi1> to tensor<64x2xi32>
//          %turned = arith.cmpi ne, %number, %second          // %second: 0 and 1, along the pair
// After:   %more = arith.cmpf ogt, %x, %y : tensor<64x2xf32>
//          %is = arith.cmpi ne, %second, 0
//          %turned = arith.xori %more, %is : tensor<64x2xi1>
//
// Triton's sorts compare the two of a pair, and whether the result is the one that is wanted there
// they ask by numbers: which of the two an element is, and which way its block is sorted. A number
// made of a comparison is two instructions, and one more to compare it; of two truths each
// comparison takes the second as an operand.
//
// Done where one side, of a comparison or of an exclusive or that is compared with 0, is a truth
// made a number and the other one is known to be 0 or 1 everywhere: such numbers themselves,
// positions among two, and what is made of these by and, or, exclusive or, choices and changes of
// shape.
//
// Requires: nothing.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// The truth that `value` is as a number; null where it is none.
static MlirValue truthOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.extui")) return (MlirValue){NULL};
  MlirValue from = tileOperand(op, 0);
  bool isTruth = tileBitWidth(tileElementType(mlirValueGetType(from))) == 1;
  return isTruth ? from : (MlirValue){NULL};
}

/// Is it 0 or 1 everywhere? `depth`: ops that are looked at, one behind the other.
static bool isZeroOrOne(MlirValue value, int depth) {
  int64_t number;
  MlirOperation op = tileValueGetOp(value);
  if (tileConstantInt(value, &number)) return number == 0 || number == 1;
  if (mlirOperationIsNull(op) || !depth) return false;
  if (!mlirValueIsNull(truthOf(value))) return true;
  if (tileOpIsAArange(op)) return tileNumElements(mlirValueGetType(value)) <= 2;
  if (tileOpIs(op, "arith.andi"))
    return isZeroOrOne(tileOperand(op, 0), depth - 1) || isZeroOrOne(tileOperand(op, 1), depth - 1);
  if (tileOpIs(op, "arith.ori") || tileOpIs(op, "arith.xori"))
    return isZeroOrOne(tileOperand(op, 0), depth - 1) && isZeroOrOne(tileOperand(op, 1), depth - 1);
  if (tileOpIs(op, "arith.select"))
    return isZeroOrOne(tileOperand(op, 1), depth - 1) && isZeroOrOne(tileOperand(op, 2), depth - 1);
  return (tileOpIsASplat(op) || tileOpIsABroadcast(op) || tileOpMovesElements(op)) &&
         isZeroOrOne(tileOperand(op, 0), depth - 1);
}

static bool isEquality(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "arith.cmpi")) return false;
  int64_t predicate = mlirIntegerAttrGetValueInt(tileAttr(op, "predicate"));
  return predicate == TILE_EQ || predicate == TILE_NE;
}

/// `comparison` of `truth`, as a number, and `other`, where that is 0 or 1.
static bool replace(MlirOperation comparison, MlirValue truth, MlirValue other) {
  enum { DEPTH = 12 };
  if (mlirValueIsNull(truth)) return false;
  if (!isZeroOrOne(other, DEPTH)) {
    tileEmitRemark(mlirOperationGetLocation(comparison),
                   "truth stays a number: expected to be compared with 0 and 1 alone, found other "
                   "numbers");
    return false;
  }
  TileBuilder b = tileBuilderBefore(comparison);
  int predicate = (int)mlirIntegerAttrGetValueInt(tileAttr(comparison, "predicate"));
  MlirValue zero = tileBuildZero(&b, mlirValueGetType(other));
  MlirValue own = truthOf(other);
  bool asItIs = predicate == TILE_NE && !mlirValueIsNull(own);
  MlirValue turns = asItIs ? own : tileBuildCmpi(&b, predicate, other, zero);
  MlirValue result = tileBuildBinary(&b, "arith.xori", truth, turns);
  tileReplaceOp(comparison, 1, &result);
  return true;
}

MlirLogicalResult tileRunCompareTruths(MlirOperation func) {
  TileOpList comparisons = {0};
  tileOpListCollect(&comparisons, func, MlirWalkPreOrder, isEquality, NULL);
  for (size_t i = 0; i < comparisons.count; ++i) {
    MlirOperation op = comparisons.ops[i];
    MlirValue lhs = tileOperand(op, 0), rhs = tileOperand(op, 1);
    // Whether an exclusive or is 0 is whether its two are the same.
    MlirOperation both = tileValueGetOp(lhs);
    if (tileIsZero(rhs) && !mlirOperationIsNull(both) && tileOpIs(both, "arith.xori")) {
      lhs = tileOperand(both, 0);
      rhs = tileOperand(both, 1);
    }
    if (!replace(op, truthOf(lhs), rhs)) replace(op, truthOf(rhs), lhs);
  }
  tileOpListDestroy(&comparisons);
  return mlirLogicalResultSuccess();
}
