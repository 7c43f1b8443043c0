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
// Before:  scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %sum) {       a chunk of the steps
//            %k = arith.addi %first, %i
//            %some = arith.cmpi slt, %k, %steps
//            %t = scf.if %some { .. tile.dot .. } else { scf.yield %s }
//            scf.yield %t }
// After:   %left = arith.subi %steps, %first
//          %end = arith.minsi %c4, %left
//          scf.for %i = %c0 to %end step %c1 iter_args(%s = %sum) { .. tile.dot .. }
//
// Steps of which none is taken behind the first that is not end there: the branch, which asks
// whether a number that grows with the loop's counter is below another one, is all that a step
// does.
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

static bool isBoxForDots(MlirOperation op, void *data) {
  (void)data;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  return tileOpIsADescLoad(op) && tileOpIs(loop, "scf.for") && tileHoldsDot(loop);
}

/// A load of a descriptor in a loop of dots that `op` holds; null where there is none.
static MlirOperation boxOf(MlirOperation op) { return tileFindOp(op, isBoxForDots, NULL); }

static bool isAroundDots(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "scf.if") || !tileHoldsDot(op)) return false;
  if (!mlirOperationIsNull(tileForAround(op)))
    return tileHoldsLoopOfDots(op) || isBehindLoopOfDots(op);
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
  return tileOpIs(loop, "scf.for") && mlirValueEqual(tileForGetUpper(loop), tileOperand(op, 0)) &&
         tileConstantInt(tileForGetLower(loop), &from) && from >= 0;
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

/// Of the two numbers of a branch's comparison the one that is less where it is taken, and the
/// other one; false where it does not compare so.
static bool findOrder(MlirOperation branch, MlirValue *less, MlirValue *more) {
  MlirOperation compare = tileValueGetOp(tileOperand(branch, 0));
  if (mlirOperationIsNull(compare) || !tileOpIs(compare, "arith.cmpi")) return false;
  int64_t predicate = tileIntAttr(compare, "predicate", -1);
  if (predicate != TILE_SLT && predicate != TILE_SGT) return false;
  *less = tileOperand(compare, predicate == TILE_SGT);
  *more = tileOperand(compare, predicate == TILE_SLT);
  return true;
}

/// Is `value` the counter of a loop up to `end`?
static bool countsTo(MlirValue value, MlirValue end) {
  if (!mlirValueIsABlockArgument(value) || mlirBlockArgumentGetArgNumber(value) != 0) return false;
  MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return tileOpIs(loop, "scf.for") && mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) &&
         mlirValueEqual(tileForGetUpper(loop), end);
}

static bool isAlwaysTaken(MlirOperation op, void *data) {
  (void)data;
  int64_t zero;
  MlirValue less, more;
  if (!tileOpIs(op, "scf.if") || !tileHoldsDot(op) || !findOrder(op, &less, &more)) return false;
  return countsTo(less, more) ||
         (tileConstantInt(less, &zero) && zero == 0 && isAboveZero(more, 4));
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

//===- loops that end with their branch -----------------------------------===//

enum { MOST_DEPTH = 4 };

/// Is `value` the same in each step: from in front of the loop, or arithmetic of what is?
static bool isSteady(MlirOperation loop, MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  if (tileIsOutside(value, loop)) return true;
  if (mlirOperationIsNull(op) || !tileOpIsScalarArithmetic(op) || !depth) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isSteady(loop, tileOperand(op, i), depth - 1)) return false;
  return true;
}

/// Puts what a steady value is computed by in front of the loop.
static MlirValue leaveLoop(MlirOperation loop, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (tileIsOutside(value, loop)) return value;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    leaveLoop(loop, tileOperand(op, i));
  mlirOperationMoveBefore(op, loop);
  return value;
}

/// Is `value` the loop's counter, or a sum of it and of what is the same in each step?
static bool growsWith(MlirOperation loop, MlirValue value, int depth) {
  if (mlirValueEqual(value, mlirBlockGetArgument(tileBody(loop, 0), 0))) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.addi") || !depth) return false;
  bool second = isSteady(loop, tileOperand(op, 0), MOST_DEPTH);
  return isSteady(loop, tileOperand(op, !second), MOST_DEPTH) &&
         growsWith(loop, tileOperand(op, second), depth - 1);
}

/// What the counter is below while `value`, which grows with it, is below `bound`.
static MlirValue buildEnd(TileBuilder *b, MlirOperation loop, MlirValue value, MlirValue bound) {
  MlirBlock body = tileBody(loop, 0);
  bound = leaveLoop(loop, bound);
  while (!mlirValueEqual(value, mlirBlockGetArgument(body, 0))) {
    MlirOperation sum = tileValueGetOp(value);
    bool second = isSteady(loop, tileOperand(sum, 0), MOST_DEPTH);
    MlirValue steady = leaveLoop(loop, tileOperand(sum, !second));
    bound = tileBuildBinary(b, "arith.subi", bound, steady);
    value = tileOperand(sum, second);
  }
  return bound;
}

/// Is what the loop carries behind a step without the branch what it was, or nobody's?
static bool keepsCarried(MlirOperation loop, MlirOperation branch) {
  MlirOperation yield = mlirBlockGetTerminator(tileBody(loop, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue next = tileOperand(yield, i);
    MlirOperation op = tileValueGetOp(next);
    if (!mlirOperationIsNull(op) && mlirOperationEqual(op, branch))
      next = tileOperand(mlirBlockGetTerminator(tileBody(branch, 1)),
                         mlirOpResultGetResultNumber(next));
    bool isUsed = !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(loop, i)));
    if (isUsed && !mlirValueEqual(next, mlirBlockGetArgument(tileBody(loop, 0), 1 + i)))
      return false;
  }
  return true;
}

/// Is all that a step of the loop around does a branch around dots, taken in its first steps alone?
static bool endsItsLoop(MlirOperation op, void *data) {
  (void)data;
  MlirValue less, more;
  if (!tileOpIs(op, "scf.if") || !tileHoldsDot(op) || !isEmpty(tileBody(op, 1))) return false;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  if (!tileOpIs(loop, "scf.for") || !mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")))
    return false;
  TILE_FOR_EACH_OP(other, tileBody(loop, 0)) {
    bool isStep = mlirOperationEqual(other, op) || tileOpIs(other, "scf.yield");
    if (!isStep && tileHoldsEffects(other, ~0U)) return false;
  }
  return findOrder(op, &less, &more) && growsWith(loop, less, MOST_DEPTH) &&
         isSteady(loop, more, MOST_DEPTH) && keepsCarried(loop, op);
}

static void endLoop(MlirOperation branch) {
  MlirOperation loop = mlirOperationGetParentOperation(branch);
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue less = {NULL}, more = {NULL};
  if (!findOrder(branch, &less, &more)) return;
  MlirValue end = buildEnd(&b, loop, less, more);
  mlirOperationSetOperand(loop, TILE_FOR_UPPER,
                          tileBuildBinary(&b, "arith.minsi", tileForGetUpper(loop), end));
  alwaysTake(branch);
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
  MlirOperation loop = tileBuildFor(&b, TILE_FOR_INITS + count, operands);
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
  bool isFirst = isEmpty(tileBody(branch, 1)), leaves = mlirOperationIsNull(tileForAround(branch));
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
  TileOpList taken = {0}, ending = {0}, branches = {0};
  tileOpListCollect(&taken, func, MlirWalkPostOrder, isAlwaysTaken, NULL);
  for (size_t i = 0; i < taken.count; ++i) alwaysTake(taken.ops[i]);
  tileOpListCollect(&ending, func, MlirWalkPostOrder, endsItsLoop, NULL);
  for (size_t i = 0; i < ending.count; ++i)
    if (endsItsLoop(ending.ops[i], NULL)) endLoop(ending.ops[i]);
  if (tileMachineHasRoles(tileMachineOf(func)))
    tileOpListCollect(&branches, func, MlirWalkPostOrder, isAroundDots, NULL);
  for (size_t i = 0; i < branches.count; ++i)
    if (isAroundDots(branches.ops[i], NULL)) take(branches.ops[i]); // a loop may have left it
  tileOpListDestroy(&taken);
  tileOpListDestroy(&ending);
  tileOpListDestroy(&branches);
  return mlirLogicalResultSuccess();
}
