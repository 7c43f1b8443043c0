//===- HoistLoads.c - small loads behind a loop start in front of it ------===//
//
// Before:  %sum = scf.for .. { .. tile.dot .. }
//          %p = tile.addptr %bias, %columns
//          %b = tile.load %p, %mask            // a row of biases
//          arith.addf %sum, %b
// After:   %p = tile.addptr %bias, %columns
//          %b = tile.load %p, %mask
//          %sum = scf.for .. { .. tile.dot .. }
//          arith.addf %sum, %b
//
// A load behind a loop makes everybody wait for memory once more, when it could have been on its
// way while the loop ran. What it costs is registers over the whole loop, so only loads of up to 4
// words a thread move; beside products by wgmma, whose operands take no registers, tiles as large
// as what they add to (a residual), as far as registers go.
//
// So do rows and numbers that a step reads behind its first dot, as the sums and maxima of a
// softmax whose gradient it computes, where nobody starts them a step ahead (tile-load-ahead): in
// branches, and in loops that write:
//
//          %d = tile.dot ..                        %b = tile.load %p
//          %b = tile.load %p              ->       %d = tile.dot ..
//          arith.subf %d, %b                       arith.subf %d, %b
//
// Nothing between the two places may write to memory that the load could see, what the load needs
// must not come from the loop, and a volatile one is made where it stands. Declined otherwise, with
// a remark.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/Layout.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include <stdio.h>

static bool isBehind(MlirOperation op, MlirOperation loop) {
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(loop)) &&
         mlirOperationIsBeforeInBlock(loop, op);
}

/// Collects what `op` and its operands need from behind `loop` to stand in front of it, each before
/// its users; false where it cannot.
static bool collect(TileOpList *slice, MlirOperation op, MlirOperation loop, bool root) {
  if (tileOpListHolds(slice, op) || !isBehind(op, loop)) return !mlirOperationEqual(op, loop);
  if (!root && !tileOpIsMovable(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!mlirValueIsABlockArgument(operand) &&
        !collect(slice, tileValueGetOp(operand), loop, false))
      return false;
  }
  tileOpListAdd(slice, op);
  return true;
}

/// Of what writes in between, some may write what the load reads, or keep the program from it.
static bool writesBetween(MlirOperation loop, MlirOperation load) {
  bool writes = false;
  for (MlirOperation op = loop; !mlirOperationEqual(op, load) && !writes;
       op = mlirOperationGetNextInBlock(op))
    writes = tileHoldsEffects(op, TILE_WRITES_GLOBAL | TILE_WRITES_CONTROL);
  return writes;
}

/// Words a thread that a load in front of the loop, or of a dot, may take.
static int64_t mostWords(MlirOperation loop) {
  const TileMachine *machine = tileMachineOf(loop);
  int64_t least = tileMachineNumber(machine, TILE_NUMBER_HOISTED_WORDS), words = 0;
  if (!tileOpIs(loop, "scf.for")) return least;
  int64_t all = tileMachineNumber(machine, TILE_NUMBER_CONSUMER_REGISTERS);
  bool isAsync = true;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    isAsync &= !tileOpIsADot(op) || tileOpIsWgmma(op);
    isAsync &= mlirOperationGetNumRegions(op) == 0;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    words += tileTypeGetWords(mlirValueGetType(mlirOperationGetResult(loop, i)));
  all = all * tileMachineNumber(machine, TILE_NUMBER_HOISTED_SHARE) / 100;
  int64_t room = isAsync ? all - words : 0;
  return room > least ? room : least;
}

static void hoist(MlirOperation load, MlirOperation loop) {
  TileOpList slice = {0};
  MlirLocation loc = mlirOperationGetLocation(load);
  char reasonOfWords[64];
  const char *reason = NULL, *place = tileOpIs(loop, "scf.for") ? "loop" : "dot";
  int most = (int)mostWords(loop);
  snprintf(reasonOfWords, sizeof reasonOfWords, "expected at most %d words a thread, found more",
           most);
  if (tileLoadGetCache(load) == TILE_CACHE_USE_CV)
    reason = "expected a load that is not volatile, found one";
  else if (tileTypeGetWords(mlirValueGetType(tileResult(load))) > most)
    reason = reasonOfWords;
  else if (!collect(&slice, load, loop, true))
    reason = "expected addresses that are known in front of the loop, found others";
  else if (writesBetween(loop, load))
    reason = "expected nothing that writes to memory in between, found some";
  if (reason) {
    tileEmitRemark(loc, "load does not start in front of the %s: %s", place, reason);
  } else {
    for (size_t i = 0; i < slice.count; ++i) mlirOperationMoveBefore(slice.ops[i], loop);
  }
  tileOpListDestroy(&slice);
}

/// In `block` and its branches, of which one is all that a program does that has not returned
/// early.
static void hoistAll(MlirBlock block) {
  MlirOperation loop = {NULL};
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpIsALoad(op) && !mlirOperationIsNull(loop)) hoist(op, loop);
    if (tileIsLoopOfDots(op)) loop = op;
    for (intptr_t r = 0; tileOpIs(op, "scf.if") && r < 2; ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) hoistAll(tileBody(op, r));
  }
}

/// In front of the first dot, and of what threads store for it, which waits for loads.
static void hoistInStep(MlirBlock step) {
  MlirOperation dot = {NULL};
  int64_t shape[TILE_MAX_RANK];
  TILE_FOR_EACH_OP(op, step) {
    if (tileOpIsALoad(op) && !mlirOperationIsNull(dot) &&
        tileShape(mlirValueGetType(tileResult(op)), shape) < 2)
      hoist(op, dot);
    if (mlirOperationIsNull(dot) && (tileOpIsADot(op) || tileOpIsABufferStore(op))) dot = op;
  }
}

/// Steps of loops whose loads are not started a step ahead.
static MlirWalkResult visitStep(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "scf.for")) return MlirWalkResultAdvance;
  if (tileHoldsEffects(op, TILE_WRITES_GLOBAL)) hoistInStep(tileBody(op, 0));
  TILE_FOR_EACH_OP(branch, tileBody(op, 0)) {
    for (intptr_t r = 0; tileOpIs(branch, "scf.if") && r < 2; ++r)
      if (!mlirBlockIsNull(tileBody(branch, r))) hoistInStep(tileBody(branch, r));
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunHoistLoads(MlirOperation func) {
  hoistAll(tileBody(func, 0));
  mlirOperationWalk(func, visitStep, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
