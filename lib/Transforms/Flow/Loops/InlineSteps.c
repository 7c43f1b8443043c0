//===- InlineSteps.c - a loop of one step is no loop ----------------------===//
//
// Before:  %last = arith.addi %steps, -1
//          %sum = scf.for %i = %last to %steps step 1 iter_args(%s = %zero) { .. yield %t }
// After:   .. with %last for %i and %zero for %s; %t for %sum
//
// Kernels that work through rows in steps take the last step, which alone is masked, in a loop of
// its own, from one step before the end to the end. What loops read runs ahead in rings, with
// copies before the first step and waits in each: with one step nothing is ahead of anything.
//
// A loop has one step where its end is as far behind its start as one step goes, or less, and the
// bounds of axis analysis show that the sum of the two does not wrap. So has one whose ends leave
// it one at most, and whose step affine analysis proves, of bounds that do not wrap: kernels work
// through a chunk of rows in parts, which may be all of it,
//
//   for %i to cdiv(%n, 16)  { for %j to cdiv(min(%n - 16 %i, 16), 16) { .. } }
//
// and what runs ahead then is the loop around it. One that has a step or none, as programs have
// that each take a chunk of a row up to its end,
//
//   for %i = %pid * 4096 to min(%pid * 4096 + 4096, %n) step 4096 { .. }
//
// becomes a branch, whatever wraps: what is loaded there waits for nothing that the step before
// had. A loop with dots and none around it stays: boxes
// and roles know it as a loop. One that has them in loops of its own does not: those are the ones
// that run ahead (`for %i to %start + 1` is what is left of programs that may have several rows).
//
// Requires: extents bound.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/Analysis/Affine.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// The number that `value` is `base` plus; false where it does not say.
static bool isBehind(MlirValue value, MlirValue base, int64_t *by) {
  MlirOperation op = tileValueGetOp(value);
  bool adds = !mlirOperationIsNull(op) && tileOpIs(op, "arith.addi");
  bool subtracts = !mlirOperationIsNull(op) && tileOpIs(op, "arith.subi");
  if ((!adds && !subtracts) || !mlirValueEqual(tileOperand(op, 0), base) ||
      !tileConstantInt(tileOperand(op, 1), by))
    return false;
  if (subtracts) *by = -*by;
  return true;
}

/// Do all numbers that `value` can be, and those `by` behind them, fit its type?
static bool staysInType(const TileAxisAnalysis *axis, MlirValue value, int64_t by) {
  const TileAxisInfo *info = tileAxisAnalysisGet(axis, value);
  MlirType type = mlirValueGetType(value);
  int width = mlirTypeIsAInteger(type) ? tileBitWidth(type) : 0;
  if (width < 2 || width > 64) return false;
  int64_t most = INT64_MAX >> (64 - width), least, greatest;
  if (__builtin_add_overflow(info->min, by, &least) ||
      __builtin_add_overflow(info->max, by, &greatest))
    return false;
  return least >= -most - 1 && greatest <= most;
}

/// How many steps bounds of its ends leave the loop at most; INT64_MAX where they do not say.
static int64_t boundSteps(const TileAxisAnalysis *axis, MlirOperation loop, int64_t step) {
  const TileAxisInfo *lower = tileAxisAnalysisGet(axis, tileForGetLower(loop));
  const TileAxisInfo *upper = tileAxisAnalysisGet(axis, tileForGetUpper(loop));
  int64_t room;
  if (__builtin_sub_overflow(upper->max, lower->min, &room)) return INT64_MAX;
  return room <= 0 ? 0 : (room - 1) / step + 1;
}

static bool hasOneStep(const TileAxisAnalysis *axis, TileAffine *affine, MlirOperation loop) {
  MlirValue lower = tileForGetLower(loop), upper = tileForGetUpper(loop);
  int64_t step, by;
  if (!tileConstantInt(tileForGetStep(loop), &step) || step < 1) return false;
  if (!mlirAttributeIsNull(tileAttr(loop, "unsignedCmp"))) return false;
  if (boundSteps(axis, loop, step) <= 1 && tileAffineHasStep(affine, loop)) return true;
  if (isBehind(upper, lower, &by)) return by > 0 && by <= step && staysInType(axis, lower, by);
  if (isBehind(lower, upper, &by)) return by < 0 && -by <= step && staysInType(axis, upper, by);
  return false;
}

/// Is its end no farther behind its start than one step goes, as the lesser of two is of which one
/// is? Where the sum of start and step wraps, that one is in front of the start.
static bool hasStepOrNone(MlirOperation loop) {
  MlirValue lower = tileForGetLower(loop);
  MlirOperation end = tileValueGetOp(tileForGetUpper(loop));
  int64_t step, by;
  if (!tileConstantInt(tileForGetStep(loop), &step) || mlirOperationIsNull(end) ||
      !tileOpIs(end, "arith.minsi") || !mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) ||
      tileHoldsDot(loop))
    return false;
  bool isNear = false;
  for (intptr_t i = 0; i < 2; ++i)
    isNear |= isBehind(tileOperand(end, i), lower, &by) && by > 0 && by <= step;
  return isNear;
}

static void startBody(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), tileForGetLower(loop));
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), tileForGetInit(loop, i - 1));
}

/// The loop becomes a branch that is taken where it has a step.
static void branchToStep(MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirType *types = calloc((size_t)count + 1, sizeof *types);
  MlirValue *inits = calloc((size_t)count + 1, sizeof *inits);
  if (!types || !inits) abort();
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = mlirValueGetType(mlirOperationGetResult(loop, i));
    inits[i] = tileForGetInit(loop, i);
  }
  startBody(loop);
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue has = tileBuildCmpi(&b, TILE_SLT, tileForGetLower(loop), tileForGetUpper(loop));
  MlirOperation branch = tileBuildIf(&b, has, count, types, count > 0);
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b.location);
  tileMoveOps(&in, mlirBlockGetFirstOperation(tileBody(loop, 0)), (MlirOperation){NULL}, NULL);
  if (count > 0) {
    TileBuilder other = tileBuilderAtEnd(tileBody(branch, 1), b.location);
    tileBuildOp(&other, "scf.yield", count, inits, TILE_NONE, TILE_NONE, 0);
  }
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i),
                                  mlirOperationGetResult(branch, i));
  free(types);
  free(inits);
  mlirOperationDestroy(loop);
}

/// Puts the body where the loop is.
static void inlineStep(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  startBody(loop);
  TileBuilder b = tileBuilderBefore(loop);
  tileMoveOps(&b, mlirBlockGetFirstOperation(body), yield, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), tileOperand(yield, i));
  mlirOperationDestroy(loop);
}

/// Has a step of `loop` a dot that is in no loop of the step's own?
static bool multipliesItself(MlirOperation loop) {
  TileOpList dots = {0};
  tileFindDots(loop, &dots);
  bool does = false;
  for (size_t i = 0; i < dots.count; ++i)
    does |= mlirOperationEqual(tileForAround(dots.ops[i]), loop);
  tileOpListDestroy(&dots);
  return does;
}

/// Writes down how many steps a loop that stays has at most, where its ends say so and are no
/// constants: what runs ahead needs no more slots (tileMostSteps).
static void noteSteps(const TileAxisAnalysis *axis, MlirOperation loop) {
  enum { most = 16 }; // slots that a ring may have
  int64_t step;
  if (tileCountSteps(loop) || !mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) ||
      !tileConstantInt(tileForGetStep(loop), &step) || step < 1)
    return;
  int64_t steps = boundSteps(axis, loop, step);
  if (steps < 1 || steps > most) return;
  tileTrace(mlirOperationGetLocation(loop), "loop has %lld step%s at most", (long long)steps,
            steps == 1 ? "" : "s");
  MlirType i64 = mlirIntegerTypeGet(mlirOperationGetContext(loop), 64);
  mlirOperationSetDiscardableAttributeByName(loop, tileString("tile.most_steps"),
                                             mlirIntegerAttrGet(i64, steps));
}

MlirLogicalResult tileRunInlineSteps(MlirOperation func) {
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axis, NULL);
  for (size_t i = 0; i < loops.count; ++i) {
    MlirLocation location = mlirOperationGetLocation(loops.ops[i]);
    if (!hasOneStep(axis, affine, loops.ops[i])) {
      if (!hasStepOrNone(loops.ops[i])) {
        noteSteps(axis, loops.ops[i]);
        continue;
      }
      tileTrace(location, "a loop of one step or none becomes a branch");
      branchToStep(loops.ops[i]);
      continue;
    }
    if (mlirOperationIsNull(tileForAround(loops.ops[i])) && multipliesItself(loops.ops[i])) {
      tileEmitRemark(location,
                     "loop of one step stays a loop: it holds a dot, and no loop is around it");
      continue;
    }
    tileTrace(location, "a loop of one step becomes its body");
    inlineStep(loops.ops[i]);
  }
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axis);
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
