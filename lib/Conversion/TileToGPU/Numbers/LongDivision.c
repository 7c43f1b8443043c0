//===- LongDivision.c - quotients of 64 bits that 32 bits hold ------------===//
//
// Before:  %q = arith.divsi %x, %n : vector<4xi64>
//          %r = arith.remsi %x, %n : vector<4xi64>
// After:   %q = scf.if (the upper halves of all of %x and %n are 0) {
//            arith.extui (arith.divui of the lower halves : vector<4xi32>)
//          } else { each by itself, as before }
//          %r = arith.subi %x, (arith.muli %q, %n)
//
// A quotient of i64 by what a launch says is a call of a hundred instructions. Places that kernels
// count in 64 bits fit 32 as a rule, and so LLVM asks of each number whether both do (of vectors it
// does not), and computes it by a dozen instructions behind a branch of its own: four numbers of a
// thread, and their remainders, wait for each other, and each for a reciprocal that is the same for
// all. Behind one branch ptxas makes one reciprocal.
//
// Where upper halves are 0 no number is below 0, and with and without a sign it is the same.
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"
#include <stdlib.h>

typedef MlirValue V;

bool lowerIsLongDivision(MlirOperation op) {
  int64_t constant;
  return (tileOpIsQuotient(op) || tileOpIsRemainder(op)) &&
         tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) == 64 &&
         !tileConstantInt(tileOperand(op, 1), &constant);
}

static const char *nameOf(MlirOperation op) {
  if (tileOpIsQuotient(op)) return tileOpIs(op, "arith.divsi") ? "arith.divsi" : "arith.divui";
  return tileOpIs(op, "arith.remsi") ? "arith.remsi" : "arith.remui";
}

/// Each number of `a` by that of `b`.
static V divideEach(Lowering *l, const char *name, V a, V b) {
  MlirType type = mlirValueGetType(a), element = mlirShapedTypeGetElementType(type);
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  V *numbers = malloc((size_t)count * sizeof *numbers);
  if (!numbers) abort();
  for (int64_t i = 0; i < count; ++i) {
    V x = lowerExtract(l, a, i), y = lowerExtract(l, b, i);
    numbers[i] = tileBuildBinary(&l->b, name, x, y);
  }
  V all = lowerFromElements(l, element, count, numbers);
  free(numbers);
  return all;
}

/// Are the upper halves of all of both 0?
static V fitHalf(Lowering *l, V a, V b) {
  int64_t count = mlirShapedTypeGetDimSize(mlirValueGetType(a), 0);
  V both = tileBuildBinary(&l->b, "arith.ori", a, b), all = lowerExtract(l, both, 0);
  for (int64_t i = 1; i < count; ++i) {
    V next = lowerExtract(l, both, i);
    all = tileBuildBinary(&l->b, "arith.ori", all, next);
  }
  V bits = tileBuildInt(&l->b, mlirValueGetType(all), 32);
  V upper = tileBuildBinary(&l->b, "arith.shrui", all, bits);
  V zero = tileBuildZero(&l->b, mlirValueGetType(all));
  return tileBuildCmpi(&l->b, TILE_EQ, upper, zero);
}

/// The quotient of the same two numbers that was computed before in the same block; null for none.
static V findQuotient(Lowering *l, MlirOperation remainder) {
  bool isSigned = tileOpIs(remainder, "arith.remsi");
  MlirOpOperand use = mlirValueGetFirstUse(tileOperand(remainder, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!tileOpIs(op, isSigned ? "arith.divsi" : "arith.divui") ||
        !mlirValueEqual(tileOperand(op, 0), tileOperand(remainder, 0)) ||
        !mlirValueEqual(tileOperand(op, 1), tileOperand(remainder, 1)) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(remainder)) ||
        !mlirOperationIsBeforeInBlock(op, remainder))
      continue;
    if (!l->strip && lowerIsWhole(l, tileResult(op))) return lowerGet(l, tileResult(op));
  }
  return (V){NULL};
}

V lowerLongDivision(Lowering *l, MlirOperation op) {
  V a = lowerGet(l, tileOperand(op, 0)), b = lowerGet(l, tileOperand(op, 1));
  MlirType type = mlirValueGetType(a);
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  if (count == 1) return (V){NULL};
  V quotient = tileOpIsRemainder(op) ? findQuotient(l, op) : (V){NULL};
  if (!mlirValueIsNull(quotient)) {
    V whole = tileBuildBinary(&l->b, "arith.muli", quotient, b);
    return tileBuildBinary(&l->b, "arith.subi", a, whole);
  }
  MlirOperation branch = tileBuildIf(&l->b, fitHalf(l, a, b), 1, &type, true);
  TileBuilder outside = l->b;
  l->b = tileBuilderAtEnd(tileBody(branch, 0), outside.location);
  MlirType half = tileVectorType(count, tileI32(l->b.context));
  V x = tileBuildUnary(&l->b, "arith.trunci", half, a);
  V y = tileBuildUnary(&l->b, "arith.trunci", half, b);
  V few = divideEach(l, tileOpIsQuotient(op) ? "arith.divui" : "arith.remui", x, y);
  V wide = tileBuildUnary(&l->b, "arith.extui", type, few);
  tileBuildOp(&l->b, "scf.yield", TILE_VALUES(wide), TILE_NONE, TILE_NONE, 0);
  l->b = tileBuilderAtEnd(tileBody(branch, 1), outside.location);
  V each = divideEach(l, nameOf(op), a, b);
  tileBuildOp(&l->b, "scf.yield", TILE_VALUES(each), TILE_NONE, TILE_NONE, 0);
  l->b = outside;
  return tileResult(branch);
}
