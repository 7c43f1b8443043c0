//===- UnderDots.c - what a dot's sum does not need runs under it ---------===//
#include "UnderDots.h"
#include "tile/Analysis/Scratch.h"
#include "tile/OpTraits.h"
#include "tile/Trace.h"

/// Is every reader of `op` behind `dot`, or one that moves there?
static bool isForBehind(const TileOpList *moved, MlirOperation op, MlirOperation dot) {
  MlirBlock block = mlirOperationGetBlock(dot);
  bool isRead = false;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = tileAncestorIn(block, mlirOpOperandGetOwner(use));
      bool isBehind = !mlirOperationIsNull(user) && mlirOperationIsBeforeInBlock(dot, user);
      if (!isBehind && (mlirOperationIsNull(user) || !tileOpListHolds(moved, user))) return false;
      isRead = true;
    }
  }
  return isRead;
}

/// Computes a tile from tiles, by threads or lanes, without a barrier of all.
static bool computes(MlirOperation op) {
  return tileOpIsMovable(op) && mlirOperationGetNumResults(op) == 1 &&
         mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumOperands(op) > 0 &&
         tileTypeIsTile(mlirValueGetType(tileResult(op))) && tileOpScratchBytes(op) == 0;
}

/// What stands in front of the dot, for readers behind it: from the dot up.
static void findMoved(TileOpList *moved, MlirOperation dot) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(dot));
  TileOpList before = {0};
  for (; !mlirOperationEqual(op, dot); op = mlirOperationGetNextInBlock(op))
    tileOpListAdd(&before, op);
  while (before.count-- > 0) {
    op = before.ops[before.count];
    if (computes(op) && isForBehind(moved, op, dot)) tileOpListAdd(moved, op);
  }
  tileOpListDestroy(&before);
}

static bool reads(MlirOperation op, MlirValue value) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (mlirOperationEqual(tileAncestorIn(block, mlirOpOperandGetOwner(use)), op)) return true;
  return false;
}

/// The first op behind `dot` that may not run under it: each block ends with one.
static MlirOperation firstBehind(MlirOperation dot) {
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(dot));
  MlirOperation op = mlirOperationGetNextInBlock(dot);
  while (
      !mlirOperationEqual(op, end) && !reads(op, tileResult(dot)) &&
      (computes(op) || tileOpIsScalarArithmetic(op) || tileOpIsALoad(op) || tileOpIsBufferView(op)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

void tileComputeUnder(MlirOperation dot) {
  MlirOperation loop = mlirOperationGetParentOperation(dot);
  if (!tileOpIs(loop, "scf.for") || !tileIsZero(tileDotGetAcc(dot))) return;
  TileOpList moved = {0};
  findMoved(&moved, dot);
  MlirOperation end = firstBehind(dot), place = dot;
  bool any = moved.count > 0;
  for (MlirOperation op = mlirOperationGetNextInBlock(dot); !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    any |= computes(op);
  while (moved.count > 0) {
    MlirOperation op = moved.ops[--moved.count];
    mlirOperationMoveAfter(op, place);
    place = op;
  }
  tileOpListDestroy(&moved);
  if (!any) return;
  tileTrace(mlirOperationGetLocation(dot), "what the sum does not need is computed under the dot");
  mlirOperationSetAttributeByName(dot, tileString("async"),
                                  mlirUnitAttrGet(mlirOperationGetContext(dot)));
  TileBuilder b = tileBuilderBefore(end);
  MlirOperation wait = tileValueGetOp(tileBuildDotWait(&b, tileResult(dot), 0, true));
  mlirValueReplaceAllUsesExcept(tileResult(dot), tileResult(wait), 1, &wait);
}
