//===- Loops.c - the loops of a kernel ------------------------------------===//
#include "Loops.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>

static MlirWalkResult add(MlirOperation op, void *data) {
  TileLoops *loops = data;
  if (!tileOpIs(op, "scf.for")) return MlirWalkResultAdvance;
  loops->list = tileGrow(loops->list, (size_t)loops->count, &loops->capacity, sizeof *loops->list);
  loops->list[loops->count++] = op;
  return MlirWalkResultAdvance;
}

void tileLoopsDestroy(TileLoops *loops) {
  free(loops->list);
  *loops = (TileLoops){0};
}

void tileFindLoops(MlirOperation root, TileLoops *loops) {
  mlirOperationWalk(root, add, loops, MlirWalkPostOrder);
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
