//===- LongerLoop.c - a loop that can take a step for each box ------------===//
#include "LongerLoop.h"
#include "../Loops.h"
#include "tile/Analysis/Affine.h"

/// Is the box of zeros alone when the loop's counter has passed its bound?
static bool endsWithLoop(TileAffine *affine, MlirOperation copy, MlirOperation loop) {
  MlirOperation desc = tileValueGetOp(tileOperand(copy, 0));
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) || tileMakeDescGetPadding(desc) != 0)
    return false;
  int rank = (int)mlirShapedTypeGetRank(tileDescTypeGetBox(mlirValueGetType(tileResult(desc))));
  for (int d = 0; d < rank; ++d)
    if (tileAffineEndsWithLoop(affine, tileOperand(copy, 1 + d), tileOperand(desc, 1 + d), loop))
      return true;
  return false;
}

/// Are all boxes of the channel?
static bool endWithLoop(const TileChannel *c, MlirOperation loop) {
  MlirOperation func = tileFuncOf(loop);
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axes, NULL);
  bool end = true;
  for (int k = 0; k < c->numCopies && end; ++k) end = endsWithLoop(affine, c->copies[k], loop);
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axes);
  return end;
}

static bool isPositive(MlirValue step) {
  int64_t value;
  return tileConstantInt(step, &value) && value > 0;
}

/// Does a step of zeros do nothing but add to the sums of dots, as far as anybody sees?
static bool addsAlone(MlirOperation loop) {
  bool writes = tileHoldsEffects(loop, TILE_WRITES_GLOBAL | TILE_WRITES_CONSOLE);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop) && !writes; ++i) {
    MlirValue next = tileOperand(mlirBlockGetTerminator(tileBody(loop, 0)), i);
    MlirOperation op = tileValueGetOp(next);
    bool adds = !mlirOperationIsNull(op) && tileOpIsADot(op) && tileDotCarried(op) == i;
    if (!adds && !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(loop, i))))
      return false;
  }
  return !writes;
}

const char *tileMayDefer(const TileChannels *channels, const TileBoxStores *stores) {
  const TileChannel *c = tileAsyncChannel(channels);
  if (!c) return "expected dots in flight of one channel, found none or several";
  MlirOperation loop = mlirBlockGetParentOperation(c->block);
  if (!mlirAttributeIsNull(tileAttr(loop, "unsignedCmp")) || !isPositive(tileForGetStep(loop)))
    return "expected a loop that counts up by a constant, found another";
  if (!endWithLoop(c, loop)) return "expected boxes that end where the loop does, found others";
  if (!addsAlone(loop)) return "expected a loop that adds to sums of dots alone, found another";
  if (!stores->count) return "expected results that can go box by box, found none";
  for (int i = 0; i < stores->count; ++i)
    if (!mlirBlockEqual(mlirOperationGetBlock(loop), mlirOperationGetBlock(stores->list[i].write)))
      return "expected a store behind the loop, found it elsewhere";
  return NULL;
}

MlirValue tileBuildAfterSteps(TileBuilder *b, MlirOperation loop, int n) {
  MlirValue step = tileForGetStep(loop);
  MlirValue count = tileBuildInt(b, mlirValueGetType(step), n);
  MlirValue distance = tileBuildBinary(b, "arith.muli", step, count);
  return tileBuildBinary(b, "arith.addi", tileForGetLower(loop), distance);
}

void tileLengthenLoop(const TileChannels *channels, const TileBoxStores *stores) {
  MlirOperation loop = mlirBlockGetParentOperation(tileAsyncChannel(channels)->block);
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue least = tileBuildAfterSteps(&b, loop, tileCountBoxes(stores));
  mlirOperationSetOperand(loop, TILE_FOR_UPPER,
                          tileBuildBinary(&b, "arith.maxsi", tileForGetUpper(loop), least));
}
