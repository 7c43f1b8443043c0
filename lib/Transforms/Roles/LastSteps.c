//===- LastSteps.c - warp groups end a loop of dots one by one ------------===//
#include "LastSteps.h"
#include "../Layouts/Layouts.h"

/// Is anything computed of whole tiles behind the loop, but a narrowing?
static bool worksBehind(MlirOperation loop) {
  int64_t elements = tileNumElements(mlirValueGetType(tileResult(loop)));
  MlirOperation op = mlirOperationGetNextInBlock(loop);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!tileOpIsElementwise(op) || tileOpIs(op, "arith.truncf")) continue;
    MlirType type = mlirValueGetType(tileResult(op));
    if (tileTypeIsTile(type) && tileNumElements(type) == elements) return true;
  }
  return false;
}

/// Where the last `steps` steps begin; all of them, where the loop has fewer.
static MlirValue buildMiddle(TileBuilder *b, MlirOperation loop, int steps) {
  MlirValue lower = tileOperand(loop, 0), step = tileOperand(loop, 2);
  MlirType type = mlirValueGetType(lower);
  MlirValue way = tileBuildBinary(b, "arith.subi", tileOperand(loop, 1), lower);
  MlirValue all = tileBuildBinary(b, "arith.ceildivsi", way, step);
  MlirValue before = tileBuildBinary(b, "arith.subi", all, tileBuildInt(b, type, steps));
  MlirValue most = tileBuildBinary(b, "arith.maxsi", before, tileBuildInt(b, type, 0));
  MlirValue distance = tileBuildBinary(b, "arith.muli", most, step);
  return tileBuildBinary(b, "arith.addi", lower, distance);
}

static void split(MlirOperation loop, int steps) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue middle = buildMiddle(&b, loop, steps);
  MlirOperation last = mlirOperationClone(loop);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(loop), loop, last);
  intptr_t n = mlirOperationGetNumResults(loop);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(last, i));
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(last, 3 + i, mlirOperationGetResult(loop, i));
  mlirOperationSetOperand(loop, 1, middle);
  mlirOperationSetOperand(last, 0, middle);
  b = tileBuilderBefore(last);
  tileBuildOp(&b, "tile_gpu.turn_wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  b = tileBuilderBefore(mlirOperationGetNextInBlock(last));
  tileBuildOp(&b, "tile_gpu.turn_pass", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void tileTakeTurnsAtEnd(const TileChannel *channel) {
  MlirOperation loop = mlirBlockGetParentOperation(channel->block);
  int spare = channel->stages - 1;
  if (worksBehind(loop)) split(loop, spare < tileLastSteps ? spare : tileLastSteps);
}
