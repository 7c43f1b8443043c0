//===- StoreOnce.c - what several dots of a step read is stored once ------===//
//
// Before:  tile_gpu.desc_copy %desc[..] into ..
//          tile_gpu.buffer_store %ds, %b0
//          %q = tile.dot %b0, ..
//          %t = tile.trans %ds
//          tile_gpu.buffer_store %t, %b1       // the same bytes, read the other way round
//          %k = tile.dot %b1, ..
// After:   tile_gpu.buffer_store %ds, %b0
//          %q = tile.dot %b0, ..
//          %v = tile_gpu.buffer_trans %b0
//          %k = tile.dot %v, ..
//
// Gradients of attention multiply what they compute of scores by keys, and transposed by queries;
// where heads come in parts, twice each. tile-assign-layouts stores an operand in front of each dot
// that reads it. Stored once it takes one barrier, and leaves its place to the rings of boxes,
// whose slots tile-plan-roles counts.
//
// Declined with a remark where no loop reads boxes: without their rings tile-stage-operands asks
// what living longer costs. What is loaded is left to tile-pipeline, which makes rings of it.
//
// Requires: layouts assigned.  Preserves: numerics, control flow.
//===----------------------------------------------------------------------===//
#include "Staged.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

static bool isBoxOfLoop(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADescCopy(op) && tileOpIs(mlirOperationGetParentOperation(op), "scf.for");
}

/// Is what `store` stores loaded? tile-pipeline makes rings of such, one for all that read them.
static bool isLoaded(MlirOperation store) {
  MlirOperation op = tileValueGetOp(tileBufferStoreGetValue(store));
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && tileOpIsALoad(op);
}

/// How many stores are gone; where no loop has `boxes`, none.
static int storeOnce(MlirBlock block, bool boxes) {
  int shared = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) shared += storeOnce(tileBody(op, r), boxes);
    if (!tileOpIsABufferStore(op) || isLoaded(op) || !tileFillsAlone(op)) continue;
    MlirOperation staged = tileFindStaged(op);
    if (mlirOperationIsNull(staged)) continue;
    if (boxes)
      tileReadStaged(op, staged);
    else
      tileEmitRemark(
          mlirOperationGetLocation(op),
          "operand is stored again so far: expected boxes that a loop reads, found none");
    shared += boxes;
  }
  return shared;
}

MlirLogicalResult tileRunStoreOnce(MlirOperation func) {
  int shared = storeOnce(tileBody(func, 0), tileHoldsOp(func, isBoxOfLoop, NULL));
  if (shared)
    tileTrace(mlirOperationGetLocation(func), "operands that are stored already: %d", shared);
  return mlirLogicalResultSuccess();
}
