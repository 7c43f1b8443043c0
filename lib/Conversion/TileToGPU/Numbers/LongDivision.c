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
// Where upper halves are 0 no number is below 0, and with and without a sign it is the same. With a
// sign, x may be below 0, as places that wrap around an edge are (`(i - 3) % n`), without which one
// of them would have all of a warp take the long way: asked is whether x is what its lower half
// says with its sign, and n below 2^31, and what is divided is |x|. A number that was widened is
// so, which LLVM sees. So are quotients of those that kernels promise to be 0 or more
// (tile.nonnegative), of which the upper halves are asked for as above.
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

/// May x be below 0?
static bool hasSign(MlirOperation op) {
  return (tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.remsi")) &&
         mlirAttributeIsNull(tileAttr(op, "tile.nonnegative"));
}

/// What is 0 where the lower halves of x and n say all: the upper ones, or, with a sign, what x has
/// besides its lower half's sign, and what n has from bit 31 on.
static V excess(Lowering *l, V x, V n, bool sign) {
  MlirType type = mlirValueGetType(x), half = tileI32(l->b.context);
  V bits = tileBuildInt(&l->b, type, sign ? 31 : 32);
  if (!sign)
    return tileBuildBinary(&l->b, "arith.shrui", tileBuildBinary(&l->b, "arith.ori", x, n), bits);
  V lower = tileBuildUnary(&l->b, "arith.trunci", half, x);
  V same = tileBuildUnary(&l->b, "arith.extsi", type, lower);
  V other = tileBuildBinary(&l->b, "arith.xori", x, same);
  V upper = tileBuildBinary(&l->b, "arith.shrui", n, bits);
  return tileBuildBinary(&l->b, "arith.ori", other, upper);
}

/// Do the lower halves of all of both say all?
static V fitHalf(Lowering *l, V a, V b, bool sign) {
  int64_t count = mlirShapedTypeGetDimSize(mlirValueGetType(a), 0);
  V all = {NULL};
  for (int64_t i = 0; i < count; ++i) {
    V next = excess(l, lowerExtract(l, a, i), lowerExtract(l, b, i), sign);
    all = i ? tileBuildBinary(&l->b, "arith.ori", all, next) : next;
  }
  return tileBuildCmpi(&l->b, TILE_EQ, all, tileBuildZero(&l->b, mlirValueGetType(all)));
}

/// By lower halves: |x| by n, with the sign of x.
static V divideHalves(Lowering *l, MlirOperation op, V a, V b) {
  MlirType type = mlirValueGetType(a);
  MlirType half = tileVectorType(mlirShapedTypeGetDimSize(type, 0), tileI32(l->b.context));
  const char *name = tileOpIsQuotient(op) ? "arith.divui" : "arith.remui";
  V x = tileBuildUnary(&l->b, "arith.trunci", half, a);
  V n = tileBuildUnary(&l->b, "arith.trunci", half, b);
  if (!hasSign(op)) return tileBuildUnary(&l->b, "arith.extui", type, divideEach(l, name, x, n));
  V zero = tileBuildZero(&l->b, half), isBelow = tileBuildCmpi(&l->b, TILE_SLT, x, zero);
  V opposite = tileBuildBinary(&l->b, "arith.subi", zero, x);
  V size = tileBuildSelect(&l->b, isBelow, opposite, x);
  V few = divideEach(l, name, size, n);
  opposite = tileBuildBinary(&l->b, "arith.subi", zero, few);
  few = tileBuildSelect(&l->b, isBelow, opposite, few);
  return tileBuildUnary(&l->b, "arith.extsi", type, few);
}

/// The next quotient of the same two numbers in the same block, from a use of the first one on;
/// null for none.
static MlirOperation nextQuotient(MlirOperation remainder, MlirOpOperand *use) {
  const char *name = tileOpIs(remainder, "arith.remsi") ? "arith.divsi" : "arith.divui";
  while (!mlirOpOperandIsNull(*use)) {
    MlirOperation op = mlirOpOperandGetOwner(*use);
    *use = mlirOpOperandGetNextUse(*use);
    if (tileOpIs(op, name) && mlirValueEqual(tileOperand(op, 0), tileOperand(remainder, 0)) &&
        mlirValueEqual(tileOperand(op, 1), tileOperand(remainder, 1)) &&
        mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(remainder)))
      return op;
  }
  return (MlirOperation){NULL};
}

/// The quotient of the same two numbers that was computed before in the same block; null for none.
static V findQuotient(Lowering *l, MlirOperation remainder) {
  MlirOpOperand use = mlirValueGetFirstUse(tileOperand(remainder, 0));
  MlirOperation op = nextQuotient(remainder, &use);
  for (; !mlirOperationIsNull(op); op = nextQuotient(remainder, &use))
    if (mlirOperationIsBeforeInBlock(op, remainder) && !l->strip && lowerIsWhole(l, tileResult(op)))
      return lowerGet(l, tileResult(op));
  return (V){NULL};
}

static MlirWalkResult moveQuotient(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIsRemainder(op) || !lowerIsLongDivision(op)) return MlirWalkResultAdvance;
  MlirOpOperand use = mlirValueGetFirstUse(tileOperand(op, 0));
  MlirOperation quotient = nextQuotient(op, &use);
  if (!mlirOperationIsNull(quotient) && mlirOperationIsBeforeInBlock(op, quotient))
    mlirOperationMoveBefore(quotient, op);
  return MlirWalkResultAdvance;
}

void lowerOrderLongDivisions(MlirOperation kernel) {
  mlirOperationWalk(kernel, moveQuotient, NULL, MlirWalkPreOrder);
}

V lowerLongDivision(Lowering *l, MlirOperation op) {
  V a = lowerGet(l, tileOperand(op, 0)), b = lowerGet(l, tileOperand(op, 1));
  MlirType type = mlirValueGetType(a);
  if (mlirShapedTypeGetDimSize(type, 0) == 1 && !hasSign(op)) return (V){NULL};
  V quotient = tileOpIsRemainder(op) ? findQuotient(l, op) : (V){NULL};
  if (!mlirValueIsNull(quotient)) {
    V whole = tileBuildBinary(&l->b, "arith.muli", quotient, b);
    return tileBuildBinary(&l->b, "arith.subi", a, whole);
  }
  MlirOperation branch = tileBuildIf(&l->b, fitHalf(l, a, b, hasSign(op)), 1, &type, true);
  TileBuilder outside = l->b;
  l->b = tileBuilderAtEnd(tileBody(branch, 0), outside.location);
  V wide = divideHalves(l, op, a, b);
  tileBuildOp(&l->b, "scf.yield", TILE_VALUES(wide), TILE_NONE, TILE_NONE, 0);
  l->b = tileBuilderAtEnd(tileBody(branch, 1), outside.location);
  V each = divideEach(l, nameOf(op), a, b);
  tileBuildOp(&l->b, "scf.yield", TILE_VALUES(each), TILE_NONE, TILE_NONE, 0);
  l->b = outside;
  return tileResult(branch);
}
