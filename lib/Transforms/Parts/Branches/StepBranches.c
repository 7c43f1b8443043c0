//===- StepBranches.c - branches around loops of dots are loops -----------===//
//
// Before:  scf.for %g = .. iter_args(%t = %first) {
//            %n = tile.load %sizes[%g]
//            %some = arith.cmpi sgt, %n, %c0
//            %next = scf.if %some -> i32 {
//              scf.for %tile = %t to .. { .. scf.for %k = .. { tile.dot .. } .. }
//              scf.yield %behind
//            } else { scf.yield %t }
//            scf.yield %next }
// After:     %steps = arith.extui %some : i1 to i32
//            %next = scf.for %once = %c0 to %steps step %c1 iter_args(%kept = %t) -> i32 {
//              scf.for %tile = %t to .. { .. scf.for %k = .. { tile.dot .. } .. }
//              scf.yield %behind }
//
// Blocks that stay work through groups of rows, and leave out those that are empty; or take the
// last part of K by itself, where there is one. Boxes are copied ahead by a warp that follows loops
// and numbers that are only read: a branch is a loop of one step or of none to it, as to all that
// counts slots of rings. What a branch leaves out it leaves out still, whatever it writes.
//
// Taken are branches within loops that hold a loop of dots, or dots and stand behind such a loop,
// and others whose loops of dots read descriptors, as programs that return early have them: the
// loop leaves these, where it can (Branches.h). Where both arms do something they stay, with a
// remark. Branches around dots alone choose among the steps of one loop. What pointers become boxes
// in outside of loops, masks say (PredicateBranches.h). Only on machines whose warps have roles.
//
// Before:  scf.for %i = %c0 to %n step %c64 {
//            %left = arith.subi %n, %i
//            %rows = arith.minsi %left, %c64
//            %some = arith.cmpi sgt, %rows, %c0
//            scf.if %some { .. tile.dot .. } }
// After:   scf.for %i = %c0 to %n step %c64 { .. tile.dot .. }
//
// A step that the loop would not take if nothing were left is no branch.
//
// Requires: loops over ranges.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "Branches.h"
#include "PredicateBranches.h"
#include "tile/Machine.h"
#include "tile/Passes.h"
#include <stdlib.h>

static bool isBehindLoopOfDots(MlirOperation branch) {
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(branch)) {
    if (mlirOperationEqual(op, branch)) return false;
    if (tileIsLoopOfDots(op)) return true;
  }
  return false;
}

static bool isInLoop(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op))
    if (tileOpIs(op, "scf.for")) return true;
  return false;
}

typedef struct {
  MlirOperation load; ///< of a descriptor, in a loop of dots; null: there is none
} Boxes;

static MlirWalkResult findBox(MlirOperation op, void *data) {
  Boxes *boxes = data;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (!tileOpIsADescLoad(op) || !tileOpIs(loop, "scf.for") || !tileHoldsDot(loop))
    return MlirWalkResultAdvance;
  boxes->load = op;
  return MlirWalkResultInterrupt;
}

/// A load of a descriptor in a loop of dots that `op` holds; null where there is none.
static MlirOperation boxOf(MlirOperation op) {
  Boxes boxes = {.load = {NULL}};
  mlirOperationWalk(op, findBox, &boxes, MlirWalkPreOrder);
  return boxes.load;
}

static bool isAroundDots(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "scf.if") || !tileHoldsDot(op)) return false;
  if (isInLoop(op)) return tileHoldsLoopOfDots(op) || isBehindLoopOfDots(op);
  return !mlirOperationIsNull(boxOf(op));
}

static bool isEmpty(MlirBlock arm) {
  return mlirBlockIsNull(arm) ||
         mlirOperationEqual(mlirBlockGetFirstOperation(arm), mlirBlockGetTerminator(arm));
}

//===- branches that are always taken -------------------------------------===//

/// Is `value` how far the counter of a loop, which begins at 0 or more, is from the loop's end?
static bool isLeftInLoop(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.subi")) return false;
  MlirValue counter = tileOperand(op, 1);
  if (!mlirValueIsABlockArgument(counter) || mlirBlockArgumentGetArgNumber(counter) != 0)
    return false;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(counter));
  int64_t from;
  return tileOpIs(loop, "scf.for") && mlirValueEqual(tileOperand(loop, 1), tileOperand(op, 0)) &&
         tileConstantInt(tileOperand(loop, 0), &from) && from >= 0;
}

/// Is `value` above 0 wherever it stands, by the loops around it?
static bool isAboveZero(MlirValue value, int depth) {
  int64_t number;
  if (tileConstantInt(value, &number)) return number > 0;
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIs(op, "arith.minsi") && depth)
    return isAboveZero(tileOperand(op, 0), depth - 1) && isAboveZero(tileOperand(op, 1), depth - 1);
  return isLeftInLoop(value);
}

static bool isAlwaysTaken(MlirOperation op, void *data) {
  (void)data;
  int64_t zero;
  if (!tileOpIs(op, "scf.if") || !tileHoldsDot(op)) return false;
  MlirOperation compare = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(compare) && tileOpIs(compare, "arith.cmpi") &&
         tileIntAttr(compare, "predicate", -1) == TILE_SGT &&
         tileConstantInt(tileOperand(compare, 1), &zero) && zero == 0 &&
         isAboveZero(tileOperand(compare, 0), 4);
}

/// Puts what is done where the branch is taken in its place.
static void alwaysTake(MlirOperation branch) {
  TileBuilder b = tileBuilderBefore(branch);
  MlirOperation yield = mlirBlockGetTerminator(tileBody(branch, 0));
  tileMoveOps(&b, mlirBlockGetFirstOperation(tileBody(branch, 0)), yield, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, i), tileOperand(yield, i));
  mlirOperationDestroy(branch);
}

//===- loops of branches --------------------------------------------------===//

/// Tiles that the branch would hand on otherwise are those that the loop carries: sums, which a dot
/// in it adds to. Numbers stay what is known of them.
static void readCarried(MlirBlock body, MlirValue was, MlirValue carried) {
  if (!tileTypeIsTile(mlirValueGetType(was))) return;
  for (MlirOpOperand use = mlirValueGetFirstUse(was); !mlirOpOperandIsNull(use);) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned number = mlirOpOperandGetOperandNumber(use);
    use = mlirOpOperandGetNextUse(use);
    if (tileBlockHolds(body, mlirOperationGetBlock(user)))
      mlirOperationSetOperand(user, number, carried);
  }
}

/// Arm number `side` is the body of a loop; the other one does nothing.
static void makeLoop(MlirOperation branch, int side) {
  TileBuilder b = tileBuilderBefore(branch);
  intptr_t count = mlirOperationGetNumResults(branch);
  MlirValue *operands = malloc((size_t)(3 + count) * sizeof *operands);
  if (!operands) abort();
  MlirType i32 = tileI32(b.context);
  MlirValue taken = tileOperand(branch, 0);
  if (side) taken = tileBuildContrary(&b, taken);
  operands[0] = tileBuildInt(&b, i32, 0);
  operands[1] = tileBuildUnary(&b, "arith.extui", i32, taken);
  operands[2] = tileBuildInt(&b, i32, 1);
  for (intptr_t i = 0; i < count; ++i)
    operands[3 + i] = tileOperand(mlirBlockGetTerminator(tileBody(branch, 1 - side)), i);
  MlirOperation loop = tileBuildFor(&b, 3 + count, operands);
  MlirBlock body = tileBody(loop, 0), arm = tileBody(branch, side);
  MlirOperation last = mlirBlockGetTerminator(arm);
  TileBuilder inside = tileBuilderAtEnd(body, b.location);
  tileMoveOps(&inside, mlirBlockGetFirstOperation(arm), last, NULL);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(branch, i);
    mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(loop, i));
    readCarried(body, operands[3 + i], mlirBlockGetArgument(body, 1 + i));
    operands[3 + i] = tileOperand(last, i);
  }
  tileBuildOp(&inside, "scf.yield", count, operands + 3, TILE_NONE, TILE_NONE, 0);
  free(operands);
  mlirOperationDestroy(branch);
}

static void take(MlirOperation branch) {
  bool isFirst = isEmpty(tileBody(branch, 1)), leaves = !isInLoop(branch);
  while (leaves) {
    MlirOperation box = boxOf(branch);
    if (mlirOperationIsNull(box)) return;
    leaves = !tileWhyInBranch(box);
    if (leaves) tileLeaveBranches(box);
  }
  if (isFirst || isEmpty(tileBody(branch, 0)))
    makeLoop(branch, isFirst ? 0 : 1);
  else
    tileEmitRemark(mlirOperationGetLocation(branch),
                   "branch around dots stays: expected nothing to do where it is not taken, "
                   "found something");
}

MlirLogicalResult tileRunStepBranches(MlirOperation func) {
  TileOpList taken = {0}, branches = {0};
  tileOpListCollect(&taken, func, MlirWalkPostOrder, isAlwaysTaken, NULL);
  for (size_t i = 0; i < taken.count; ++i) alwaysTake(taken.ops[i]);
  if (tileMachineHasRoles(tileMachineOf(func)))
    tileOpListCollect(&branches, func, MlirWalkPostOrder, isAroundDots, NULL);
  for (size_t i = 0; i < branches.count; ++i)
    if (isAroundDots(branches.ops[i], NULL)) take(branches.ops[i]); // a loop may have left it
  tileOpListDestroy(&taken);
  tileOpListDestroy(&branches);
  return mlirLogicalResultSuccess();
}
