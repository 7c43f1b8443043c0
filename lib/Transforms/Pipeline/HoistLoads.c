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
// words a thread move.
//
// Nothing between the two places may write to memory that the load could see, and what the
// load needs must not come from the loop. Declined otherwise, with a remark.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/Layout.h"
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

static void hoist(MlirOperation load, MlirOperation loop) {
  TileOpList slice = {0};
  MlirLocation loc = mlirOperationGetLocation(load);
  char reasonOfWords[64];
  const char *reason = NULL;
  int most = tileMachineNumber(tileMachineOf(load), TILE_NUMBER_HOISTED_WORDS);
  snprintf(reasonOfWords, sizeof reasonOfWords, "expected at most %d words a thread, found more",
           most);
  if (tileTypeGetWords(mlirValueGetType(tileResult(load))) > most)
    reason = reasonOfWords;
  else if (!collect(&slice, load, loop, true))
    reason = "expected addresses that are known in front of the loop, found others";
  else if (writesBetween(loop, load))
    reason = "expected nothing that writes to memory in between, found some";
  if (reason) {
    tileEmitRemark(loc, "load does not start in front of the loop: %s", reason);
  } else {
    for (size_t i = 0; i < slice.count; ++i) mlirOperationMoveBefore(slice.ops[i], loop);
  }
  tileOpListDestroy(&slice);
}

static void hoistAll(MlirBlock block) {
  MlirOperation loop = {NULL};
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpIsALoad(op) && !mlirOperationIsNull(loop)) hoist(op, loop);
    if (tileOpIs(op, "scf.for") && tileHoldsDot(op)) loop = op;
  }
}

MlirLogicalResult tileRunHoistLoads(MlirOperation func) {
  hoistAll(tileBody(func, 0));
  return mlirLogicalResultSuccess();
}
