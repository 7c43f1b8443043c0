//===- SelectBranch.c - both branches, and a choice -----------------------===//
#include "SelectBranch.h"
#include "../../Masks.h"
#include "PredicateBranches.h"
#include "tile/Layout.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/OpLength.h"

bool tileLoadsNumber(MlirOperation op) {
  return tileOpIsALoad(op) && !tileTypeIsTile(mlirValueGetType(tileResult(op))) &&
         tileLoadGetCache(op) != TILE_CACHE_USE_CV;
}

void tileSelectBranch(MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation yields[2];
  MlirValue conditions[2] = {tileOperand(op, 0), tileBuildContrary(&b, tileOperand(op, 0))};
  for (int i = 0; i < 2; ++i) {
    MlirBlock block = tileBody(op, i);
    yields[i] = mlirBlockGetTerminator(block);
    for (MlirOperation inner = mlirBlockGetFirstOperation(block);
         !mlirOperationEqual(inner, yields[i]);) {
      MlirOperation next = mlirOperationGetNextInBlock(inner);
      if (tileLoadsNumber(inner))
        tileAccessOnlyIf(inner, conditions[i]);
      else if (!tileTypeIsTile(mlirValueGetType(tileResult(inner))))
        tileGuardDivision(inner, conditions[i]);
      inner = next;
    }
    tileMoveOps(&b, mlirBlockGetFirstOperation(block), yields[i], NULL);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue chosen = tileBuildSelect(&b, tileOperand(op, 0), tileOperand(yields[0], i),
                                       tileOperand(yields[1], i));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), chosen);
  }
  mlirOperationDestroy(op);
}

/// Elements of the tile `type` that a thread has, all where it has no layout; 0 of anything else.
static int64_t elementsOf(MlirType type) {
  TileLayout layout;
  if (!tileTypeIsTile(type)) return 0;
  if (!tileTypeGetLayout(type, &layout)) return tileNumElements(type);
  return (int64_t)1 << layout.inBits[TILE_REGISTER];
}

/// How many elements a thread computes in both branches of `op`; -1 where they do more than that.
static int64_t branchWork(MlirOperation op) {
  int64_t work = 0;
  for (int i = 0; i < 2; ++i) {
    MlirOperation yield = mlirBlockGetTerminator(tileBody(op, i));
    TILE_FOR_EACH_OP(inner, tileBody(op, i)) {
      if (mlirOperationEqual(inner, yield)) break;
      if (!tileOpIsMovable(inner) || mlirOperationGetNumRegions(inner)) return -1;
      if (tileOpIsElementwise(inner))
        work += tileOpLength(inner) * elementsOf(mlirValueGetType(tileResult(inner)));
    }
  }
  return work;
}

bool tileIsChoice(MlirOperation op) {
  int64_t made = 0;
  if (!tileOpIs(op, "scf.if")) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    made += elementsOf(mlirValueGetType(mlirOperationGetResult(op, i)));
  int64_t work = made ? branchWork(op) : -1;
  return work >= 0 && work <= made * tileMachineNumber(tileMachineOf(op), TILE_NUMBER_CHOICE_OPS);
}

bool tileSelectChoices(MlirBlock body) {
  TileOpList choices = {0};
  TILE_FOR_EACH_OP(op, body) {
    if (tileIsChoice(op)) tileOpListAdd(&choices, op);
  }
  for (size_t i = 0; i < choices.count; ++i) tileSelectBranch(choices.ops[i]);
  bool any = choices.count > 0;
  tileOpListDestroy(&choices);
  return any;
}

static bool isChoice(MlirOperation op, void *data) {
  (void)data;
  return tileIsChoice(op);
}

MlirLogicalResult tileRunSelectChoices(MlirOperation func) {
  TileOpList choices = {0};
  tileOpListCollect(&choices, func, MlirWalkPostOrder, isChoice, NULL);
  for (size_t i = 0; i < choices.count; ++i) tileSelectBranch(choices.ops[i]);
  tileOpListDestroy(&choices);
  return mlirLogicalResultSuccess();
}
