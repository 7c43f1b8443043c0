//===- Loops.c - the loops of a kernel ------------------------------------===//
#include "Loops.h"

static bool isFor(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "scf.for");
}

void tileFindLoops(MlirOperation root, TileOpList *loops) {
  tileOpListCollect(loops, root, MlirWalkPostOrder, isFor, NULL);
}

intptr_t tileDotCarried(MlirOperation dot) {
  MlirValue acc = tileDotGetAcc(dot);
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  if (mlirOpOperandIsNull(use) || !tileOpIs(mlirOpOperandGetOwner(use), "scf.yield")) return -1;
  if (!mlirValueIsABlockArgument(acc) || mlirOpOperandIsNull(tileOnlyUse(acc)) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(acc), mlirOperationGetBlock(dot)))
    return -1;
  intptr_t number = mlirBlockArgumentGetArgNumber(acc) - 1;
  return number == (intptr_t)mlirOpOperandGetOperandNumber(use) ? number : -1;
}

bool tileIsInRole(MlirOperation op) {
  for (; !mlirOperationIsNull(op) && !tileOpIsAFunc(op); op = mlirOperationGetParentOperation(op))
    if (tileOpIsAWarpSpecialize(op)) return true;
  return false;
}
