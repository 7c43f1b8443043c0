//===- StoreWhen.c - programs that run twice store once -------------------===//
#include "StoreWhen.h"
#include "../Kernel.h"

/// Results may only leave as boxes: a program that runs twice then stores nothing the second time.
static MlirWalkResult findEffect(MlirOperation op, void *data) {
  bool *found = data;
  bool isBox =
      tileOpIsADescWrite(op) && !mlirOperationIsNull(tileDescGetMaker(tileDescWriteGetDesc(op)));
  *found |= !isBox && (tileOpGetEffects(op) & TILE_WRITES_GLOBAL);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileWhyNotTwice(MlirOperation func) {
  bool found = false;
  mlirOperationWalk(func, findEffect, &found, MlirWalkPreOrder);
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

/// Past the first extent there is nothing to write.
static MlirWalkResult storeWhen(MlirOperation op, void *data) {
  MlirValue condition = *(MlirValue *)data;
  if (!tileOpIsADescWrite(op)) return MlirWalkResultAdvance;
  MlirValue row = tileOperand(op, 1);
  MlirValue outside = tileOperand(tileDescGetMaker(tileDescWriteGetDesc(op)), 1);
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
