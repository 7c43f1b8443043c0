//===- Waiting.c - programs that wait for others --------------------------===//
#include "tile/Analysis/Waiting.h"

static MlirWalkResult findAccess(MlirOperation op, void *found) {
  bool loops = mlirOperationGetNumRegions(op) != 0; // their ops are asked themselves
  *(bool *)found |= !loops && tileOpGetEffects(op) != 0;
  return MlirWalkResultAdvance;
}

static MlirWalkResult findWaiting(MlirOperation op, void *data) {
  bool found = false;
  if (!tileOpIs(op, "scf.while")) return MlirWalkResultAdvance;
  mlirOperationWalk(op, findAccess, &found, MlirWalkPreOrder);
  if (!found) return MlirWalkResultAdvance;
  *(MlirOperation *)data = op;
  return MlirWalkResultInterrupt;
}

MlirOperation tileFindWaiting(MlirOperation func) {
  MlirOperation waiting = {NULL};
  mlirOperationWalk(func, findWaiting, &waiting, MlirWalkPreOrder);
  return waiting;
}
