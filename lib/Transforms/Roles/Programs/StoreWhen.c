//===- StoreWhen.c - programs that run twice store once -------------------===//
#include "StoreWhen.h"
#include "../Kernel.h"

/// Results may only leave as boxes: a program that runs twice then stores nothing the second time.
static bool storesByPointers(MlirOperation op, void *data) {
  (void)data;
  bool isBox =
      tileOpIsADescWrite(op) && !mlirOperationIsNull(tileDescGetMaker(tileDescWriteGetDesc(op)));
  return !isBox && (tileOpGetEffects(op) & TILE_WRITES_GLOBAL);
}

const char *tileWhyNotTwice(MlirOperation func) {
  bool found = tileHoldsOp(func, storesByPointers, NULL);
  return found ? "expected results that leave as boxes, found a store through pointers" : NULL;
}

/// In front of the loops between a value of the block and `op`, so that what it is selected by
/// need not be kept; behind `condition` in any case.
static TileBuilder builderBehind(MlirValue value, MlirValue condition, MlirOperation op) {
  MlirOperation def = tileValueGetOp(value), other = tileValueGetOp(condition);
  MlirBlock block = mlirOperationGetBlock(op);
  if (mlirOperationIsNull(def) || !mlirBlockEqual(mlirOperationGetBlock(def), block) ||
      !mlirBlockEqual(mlirOperationGetBlock(other), block))
    return tileBuilderBefore(op);
  if (mlirOperationIsBeforeInBlock(def, other)) def = other;
  return tileBuilderBefore(mlirOperationGetNextInBlock(def));
}

/// Is an extent 2^31 - 1, where no end is known, or that where arguments are what they should be
/// (tileBuildWatchedExtent)?
static bool isEndless(MlirValue extent) {
  int64_t number;
  if (tileConstantInt(extent, &number)) return number == INT32_MAX;
  for (int i = 0; i < 2; ++i) {
    MlirOperation op = tileValueGetOp(extent);
    if (mlirOperationIsNull(op) || !tileOpIs(op, i ? "arith.muli" : "arith.addi")) return false;
    extent = tileOperand(op, i);
  }
  return tileConstantInt(extent, &number) && number == INT32_MAX;
}

/// The first row past an array that `write` writes, where there is nothing to write. Boxes that
/// begin some rows behind it must not begin in front of all rows: that is an illegal instruction.
/// So an array without an end ends a box before 2^31.
static MlirValue outsideOf(MlirOperation write) {
  int64_t box[TILE_MAX_RANK];
  MlirValue desc = tileDescWriteGetDesc(write);
  MlirOperation maker = tileDescGetMaker(desc);
  MlirValue extent = tileOperand(maker, 1);
  if (!isEndless(extent)) return extent;
  tileShape(tileDescTypeGetBox(mlirValueGetType(desc)), box);
  TileBuilder b = tileBuilderBefore(maker);
  MlirValue most = tileBuildInt(&b, mlirValueGetType(extent), INT32_MAX - box[0] + 1);
  int64_t number;
  bool isNumber = tileConstantInt(extent, &number);
  extent = isNumber ? most : tileBuildBinary(&b, "arith.minsi", extent, most);
  mlirOperationSetOperand(maker, 1, extent);
  return extent;
}

static MlirWalkResult storeWhen(MlirOperation op, void *data) {
  MlirValue condition = *(MlirValue *)data;
  if (!tileOpIsADescWrite(op)) return MlirWalkResultAdvance;
  MlirValue row = tileOperand(op, 1);
  MlirValue outside = outsideOf(op);
  MlirOperation before = tileValueGetOp(row);
  bool isGiven = !mlirOperationIsNull(before) && tileOpIs(before, "arith.select") &&
                 mlirValueEqual(tileOperand(before, 2), outside);
  if (isGiven) {
    MlirValue other = tileOperand(before, 0);
    TileBuilder b = builderBehind(other, condition, op);
    condition = tileBuildBinary(&b, "arith.andi", other, condition);
    row = tileOperand(before, 1);
  }
  TileBuilder b = builderBehind(row, condition, op);
  mlirOperationSetOperand(op, 1, tileBuildSelect(&b, condition, row, outside));
  if (isGiven && mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(before))))
    mlirOperationDestroy(before);
  return MlirWalkResultAdvance;
}

void tileStoreWhen(MlirOperation loop, MlirValue condition) {
  mlirOperationWalk(loop, storeWhen, &condition, MlirWalkPreOrder);
}
