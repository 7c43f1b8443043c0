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
// Arrivals that tell whoever fills a slot that its readers are done move behind the next dot.
//
// A dot alone whose sum is read in the same step is waited for where it is read, and what its
// readers want besides is computed under it (UnderDots.h).
//
// A dot alone that is on its way while the next step begins, as rings of boxes have it, starts in
// front of what its step computes besides (UnderDots.h).
//
// Three dots or more of a step that are no chain, as in attention's backward, start as early as
// they can, and are waited for where their sums are read (Flight.h).
//
// Declines, with a remark, where something between the two could overwrite what the first still
// reads: stores to its buffers, loops and branches.
//
// Requires: layouts assigned; roles, rings and waits in place.  Preserves: order of ops, numerics.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../Flight.h"
#include "UnderDots.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// May the dot still be reading its operands while `op` runs?
static bool keepsOperands(MlirOperation op, MlirOperation dot) {
  if (tileOpIsADot(op) || tileOpIsABufferLoad(op) || tileOpIsAAllocShared(op)) return true;
  if (tileOpIsABarrierWait(op) || tileOpIsABufferStage(op)) return true;
  return tileOpIsABufferStore(op) ? !tileDotReadsStored(dot, op) : tileOpIsMovable(op);
}

/// Why `dot` has to be done before `next` starts; null where it need not.
static const char *whyWait(MlirOperation dot, MlirOperation next) {
  MlirOperation op = mlirOperationGetNextInBlock(dot);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, next);
       op = mlirOperationGetNextInBlock(op))
    if (!tileOpTellsOthers(op) && !keepsOperands(op, dot))
      return "expected nothing between two dots that could overwrite what the first reads, found "
             "another op";
  return mlirOperationIsNull(op) ? "expected a sum that a dot behind it takes, found another"
                                 : NULL;
}

/// What says that `dot` is done says so behind `next`.
static void tellLater(MlirOperation dot, MlirOperation next) {
  MlirOperation last = next;
  for (MlirOperation op = mlirOperationGetNextInBlock(dot); !mlirOperationEqual(op, next);) {
    MlirOperation behind = mlirOperationGetNextInBlock(op);
    if (tileOpTellsOthers(op)) {
      mlirOperationMoveAfter(op, last);
      last = op;
    }
    op = behind;
  }
}

static void chain(MlirOperation dot) {
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  if (mlirOpOperandIsNull(use)) return;
  MlirOperation next = mlirOpOperandGetOwner(use);
  if (!tileOpIsWgmma(next) || mlirOpOperandGetOperandNumber(use) != 2 ||
      !mlirBlockEqual(mlirOperationGetBlock(next), mlirOperationGetBlock(dot)))
    return;
  const char *reason = whyWait(dot, next);
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(dot), "dot is waited for: %s", reason);
    return;
  }
  tileTrace(mlirOperationGetLocation(dot), "dot is not waited for");
  tellLater(dot, next);
  mlirOperationSetAttributeByName(dot, tileString("async"),
                                  mlirUnitAttrGet(mlirOperationGetContext(dot)));
}

/// Several dots of a step that all give sums to others than dots.
static bool areApart(MlirOperation loop) {
  int dots = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (!tileOpIsWgmma(op)) continue;
    MlirOpOperand use = tileOnlyUse(tileResult(op));
    MlirOperation user = mlirOpOperandIsNull(use) ? op : mlirOpOperandGetOwner(use);
    bool isAdded = !mlirOperationEqual(user, op) && tileOpIsADot(user);
    if (isAdded && mlirOpOperandGetOperandNumber(use) == 2) return false;
    ++dots;
  }
  return dots >= tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_FLIGHT_DOTS);
}

static void letFly(MlirOperation loop) {
  if (!areApart(loop) || !tileIsInRole(loop) || !tileMayFly(loop)) return;
  if (!tileHasRoomToFly(loop)) {
    tileEmitRemark(mlirOperationGetLocation(loop),
                   "dots are waited for one by one: expected fewer registers of sums and "
                   "operands, found more");
    return;
  }
  tileTrace(mlirOperationGetLocation(loop), "dots start early and are waited for late");
  tileLetFly(loop, false, true);
}

static bool isProduct(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsWgmma(op);
}

MlirLogicalResult tileRunChainDots(MlirOperation func) {
  TileOpList dots = {0};
  tileVisitLoops(func, letFly);
  tileOpListCollect(&dots, func, MlirWalkPreOrder, isProduct, NULL);
  for (size_t i = 0; i < dots.count; ++i)
    if (tileDotGetAsync(dots.ops[i]))
      tileStartInFront(dots.ops[i]);
    else
      chain(dots.ops[i]);
  for (size_t i = 0; i < dots.count; ++i)
    if (!tileDotGetAsync(dots.ops[i])) tileComputeUnder(dots.ops[i]);
  tileOpListDestroy(&dots);
  return mlirLogicalResultSuccess();
}
