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
// the loops that step through one: there what a branch leaves out is left out in each step.
//
// Requires: nothing.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "SelectBranch.h"
#include "tile/Machine.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"

/// Is `op` in a loop that holds no other?
static bool isInSteps(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op)) {
    if (tileOpIs(op, "scf.while")) return true;
    if (!tileOpIs(op, "scf.for")) continue;
    TILE_FOR_EACH_OP(inner, tileBody(op, 0)) {
      if (tileOpIs(inner, "scf.for") || tileOpIs(inner, "scf.while")) return false;
    }
    return true;
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

MlirLogicalResult tileRunSelectNumbers(MlirOperation func) {
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
