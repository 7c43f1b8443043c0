//===- Waiting.c - programs that wait for others --------------------------===//
#include "tile/Analysis/Waiting.h"

static bool isAccess(MlirOperation op, void *data) {
  (void)data;
  bool loops = mlirOperationGetNumRegions(op) != 0; // their ops are asked themselves
  return !loops && tileOpGetEffects(op) != 0;
}

static bool isWaiting(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "scf.while") && tileHoldsOp(op, isAccess, NULL);
}

MlirOperation tileFindWaiting(MlirOperation func) { return tileFindOp(func, isWaiting, NULL); }
