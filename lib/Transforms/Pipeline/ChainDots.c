//===- ChainDots.c - dots that follow each other wait once ----------------===//
//
// Before:  %x = tile.dot %a, %b, %sum by wgmma
//          %small = arith.subf ..
//          %y = tile.dot %small, %b, %x by wgmma
// After:   %x = tile.dot %a, %b, %sum by wgmma async
//          %small = arith.subf ..
//          %y = tile.dot %small, %b, %x by wgmma
//
// A dot whose sum goes to another alone need not be waited for: the tensor cores take their work in
// order, and the last dot, which waits for all, gives the sum. What is computed for the next dot
// runs under this one.
//
// Declines, with a remark, where something between the two could free or overwrite what the first
// still reads: arrivals at barriers, stores to its buffers, loops and branches.
//
// Requires: layouts assigned; roles, rings and waits in place.  Preserves: order of ops, numerics.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// May the dot still be reading its operands while `op` runs?
static bool keepsOperands(MlirOperation op, MlirOperation dot) {
  if (tileOpIsADot(op) || tileOpIsABufferLoad(op) || tileOpIsAAllocShared(op)) return true;
  if (tileOpIsABarrierWait(op) || tileOpIsABufferStage(op)) return true;
  if (tileOpIsABufferStore(op)) {
    MlirOperation written = tileBufferGetSource(tileBufferStoreGetBuffer(op));
    for (intptr_t i = 0; i < 2; ++i) {
      MlirValue read = tileOperand(dot, i);
      if (tileTypeIsABuffer(mlirValueGetType(read)) &&
          mlirOperationEqual(tileBufferGetSource(read), written))
        return false;
    }
    return true;
  }
  return tileOpIsMovable(op);
}

/// Why `dot` has to be done before `next` starts; null where it need not.
static const char *whyWait(MlirOperation dot, MlirOperation next) {
  MlirOperation op = mlirOperationGetNextInBlock(dot);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, next);
       op = mlirOperationGetNextInBlock(op))
    if (!keepsOperands(op, dot))
      return "expected nothing between two dots that could overwrite what the first reads, found "
             "another op";
  return mlirOperationIsNull(op) ? "expected a sum that a dot behind it takes, found another"
                                 : NULL;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIsWgmma(op) || tileDotGetAsync(op)) return MlirWalkResultAdvance;
  MlirOpOperand use = tileOnlyUse(tileResult(op));
  if (mlirOpOperandIsNull(use)) return MlirWalkResultAdvance;
  MlirOperation next = mlirOpOperandGetOwner(use);
  if (!tileOpIsWgmma(next) || mlirOpOperandGetOperandNumber(use) != 2 ||
      !mlirBlockEqual(mlirOperationGetBlock(next), mlirOperationGetBlock(op)))
    return MlirWalkResultAdvance;
  const char *reason = whyWait(op, next);
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(op), "dot is waited for: %s", reason);
    return MlirWalkResultAdvance;
  }
  tileTrace(mlirOperationGetLocation(op), "dot is not waited for");
  mlirOperationSetAttributeByName(op, tileString("async"),
                                  mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunChainDots(MlirOperation func) {
  mlirOperationWalk(func, visit, NULL, MlirWalkPreOrder);
  return mlirLogicalResultSuccess();
}
