//===- SelectNumbers.c - numbers of both branches, and a choice -----------===//
//
// Before:  %tiles = scf.if %fewer -> i32 {
//            %more = arith.addi %each, %c1
//            scf.yield %more
//          } else { scf.yield %each }
//          %start = scf.if %first -> i32 { scf.yield %c0 } else {
//            %end = tile.load %before
//            scf.yield %end
//          }
// After:   %more = arith.addi %each, %c1
//          %tiles = arith.select %fewer, %more, %each
//          %end = tile.load %before, %other          where %first is not
//          %start = arith.select %first, %c0, %end
//
// How many tiles a program has, or which one it begins with, kernels say by branches; where a group
// begins, by a load of the end of the one before, if there is one. A warp that
// copies ahead follows loops, arithmetic and numbers that are only read, and axis analysis has
// bounds of a choice, none of a branch. What is loaded is loaded under its branch's condition; what
// only that says is not 0 is 1 without it where it divides. Only in kernels with dots, and not in
// the loops that step through one: there what a branch leaves out is left out in each step. In
// those that search for the group that a program is of, halving what is left, numbers are chosen,
// too.
//
// Branches whose arms compute the same stand in front of themselves, whatever they yield and in
// every kernel: torch.compile takes rows % n in both, and promises neighbours in one, where a
// product has a size that only the launch says. What one arm alone promises is forgotten.
//
// Before:  %rows = scf.if %whole -> tensor<64xi32> {
//            %r = arith.remsi %all, %n {tile.contiguity = array<i64: 64>}
//            scf.yield %r
//          } else {
//            %r = arith.remsi %all, %n
//            scf.yield %r
//          }
// After:   %rows = arith.remsi %all, %n
//
// Requires: nothing.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "SelectBranch.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"

/// Ops of an arm that are compared with those of the other one; the rest of a longer arm is not
/// looked at.
#define BRANCH_OPS_ALIKE 32

/// Is `op` in a loop of dots that holds no other loop? Where a group of rows is searched for none
/// is.
static bool isInSteps(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op)) {
    if (tileOpIs(op, "scf.while")) return true;
    if (!tileOpIs(op, "scf.for")) continue;
    TILE_FOR_EACH_OP(inner, tileBody(op, 0)) {
      if (tileOpIsLoop(inner)) return false;
    }
    return tileHoldsDot(op);
  }
  return false;
}

/// Ops in both branches of `op`; -1 where there are others than arithmetic and loads of numbers.
static int countOps(MlirOperation op) {
  int count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (mlirBlockIsNull(block)) return -1;
    MlirOperation yield = mlirBlockGetTerminator(block);
    TILE_FOR_EACH_OP(inner, block) {
      if (mlirOperationEqual(inner, yield)) break;
      bool isNumber = tileOpIsScalarArithmetic(inner) || tileLoadsNumber(inner);
      if (!isNumber || mlirOperationGetNumRegions(inner)) return -1;
      ++count;
    }
  }
  return count;
}

static bool isBranch(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "scf.if") || mlirOperationGetNumResults(op) == 0 || isInSteps(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  return countOps(op) >= 0;
}

//===- arms that are alike ------------------------------------------------===//

/// Ops of one arm, and those of the other one that stand in the same places.
typedef struct {
  MlirOperation ops[2][BRANCH_OPS_ALIKE];
  int count;
} Alike;

/// Is the operand the same from outside, or the same result of ops that are alike?
static bool areSameOperand(const Alike *a, MlirValue one, MlirValue other) {
  if (mlirValueEqual(one, other)) return true;
  MlirOperation from = tileValueGetOp(one), to = tileValueGetOp(other);
  if (mlirOperationIsNull(from) || mlirOperationIsNull(to)) return false;
  for (int i = 0; i < a->count; ++i)
    if (mlirOperationEqual(a->ops[0][i], from))
      return mlirOperationEqual(a->ops[1][i], to) &&
             mlirOpResultGetResultNumber(one) == mlirOpResultGetResultNumber(other);
  return false;
}

static bool areSameOperands(const Alike *a, MlirOperation one, MlirOperation other) {
  if (mlirOperationGetNumOperands(one) != mlirOperationGetNumOperands(other)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(one); ++i)
    if (!areSameOperand(a, tileOperand(one, i), tileOperand(other, i))) return false;
  return true;
}

/// Does the attribute promise something of the result, which is computed without it as well?
static bool isPromise(MlirStringRef name) {
  static const char *const promises[] = {"tile.contiguity", "tile.constancy", "tile.divisibility",
                                         "tile.nonnegative"};
  for (size_t i = 0; i < sizeof promises / sizeof *promises; ++i)
    if (mlirStringRefEqual(name, tileString(promises[i]))) return true;
  return false;
}

/// Is all that `one` has an attribute for said of `other` too, but for promises?
static bool saysTheSame(MlirOperation one, MlirOperation other) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(one); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(one, i);
    MlirStringRef name = mlirIdentifierStr(attr.name);
    if (!isPromise(name) &&
        !mlirAttributeEqual(attr.attribute, mlirOperationGetAttributeByName(other, name)))
      return false;
  }
  return true;
}

static bool areAlike(const Alike *a, MlirOperation one, MlirOperation other) {
  if (!mlirIdentifierEqual(mlirOperationGetName(one), mlirOperationGetName(other)) ||
      !tileOpIsMovable(one) || mlirOperationGetNumRegions(one) ||
      mlirOperationGetNumResults(one) != mlirOperationGetNumResults(other))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(one); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(one, i)),
                       mlirValueGetType(mlirOperationGetResult(other, i))))
      return false;
  return areSameOperands(a, one, other) && saysTheSame(one, other) && saysTheSame(other, one);
}

/// Do both arms of `op` compute the same? Fills `a`.
static bool hasArmsAlike(MlirOperation op, Alike *a) {
  a->count = 0;
  if (!tileOpIs(op, "scf.if") || mlirOperationGetNumResults(op) == 0) return false;
  MlirOperation one = mlirBlockGetFirstOperation(tileBody(op, 0));
  MlirOperation other = mlirBlockGetFirstOperation(tileBody(op, 1));
  while (!tileOpIs(one, "scf.yield")) {
    if (a->count == BRANCH_OPS_ALIKE || !areAlike(a, one, other)) return false;
    a->ops[0][a->count] = one;
    a->ops[1][a->count++] = other;
    one = mlirOperationGetNextInBlock(one);
    other = mlirOperationGetNextInBlock(other);
  }
  return tileOpIs(other, "scf.yield") && areSameOperands(a, one, other);
}

static bool isAlikeBranch(MlirOperation op, void *data) { return hasArmsAlike(op, data); }

/// Leaves on `op` what both promise.
static void forgetPromises(MlirOperation op, MlirOperation other) {
  for (intptr_t i = mlirOperationGetNumAttributes(op); i-- > 0;) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(attr.name);
    if (!mlirAttributeEqual(attr.attribute, mlirOperationGetAttributeByName(other, name)))
      mlirOperationRemoveAttributeByName(op, name);
  }
}

/// One arm in front of `op`, in its place.
static void takeOneArm(MlirOperation op) {
  Alike alike;
  if (!hasArmsAlike(op, &alike)) return;
  for (int i = 0; i < alike.count; ++i) forgetPromises(alike.ops[0][i], alike.ops[1][i]);
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation yield = mlirBlockGetTerminator(tileBody(op, 0));
  tileMoveOps(&b, mlirBlockGetFirstOperation(tileBody(op, 0)), yield, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), tileOperand(yield, i));
  mlirOperationDestroy(op);
}

static void takeOneArmEach(MlirOperation func) {
  TileOpList branches = {0};
  Alike alike;
  tileOpListCollect(&branches, func, MlirWalkPostOrder, isAlikeBranch, &alike);
  for (size_t i = 0; i < branches.count; ++i) takeOneArm(branches.ops[i]);
  tileOpListDestroy(&branches);
}

MlirLogicalResult tileRunSelectNumbers(MlirOperation func) {
  takeOneArmEach(func);
  TileOpList branches = {0};
  if (tileHoldsDot(func)) tileOpListCollect(&branches, func, MlirWalkPostOrder, isBranch, NULL);
  for (size_t i = 0; i < branches.count; ++i) {
    int ops = countOps(branches.ops[i]);
    int most = tileMachineNumber(tileMachineOf(func), TILE_NUMBER_BRANCH_OPS);
    if (ops > most)
      tileEmitRemark(mlirOperationGetLocation(branches.ops[i]),
                     "branches stay: expected at most %d ops, found %d", most, ops);
    else
      tileSelectBranch(branches.ops[i]);
  }
  tileOpListDestroy(&branches);
  return mlirLogicalResultSuccess();
}
