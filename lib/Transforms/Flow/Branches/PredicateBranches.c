//===- PredicateBranches.c - straight code for branches -------------------===//
#include "PredicateBranches.h"
#include "../../Loops.h"
#include "../../Masks.h"
#include "tile/Analysis/Affine.h"
#include "tile/OpTraits.h"

//===- which branches -----------------------------------------------------===//

/// The next branch of `func` that holds a loop of dots; null where there is none.
static MlirOperation findBranch(MlirOperation func) {
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    bool isBranch = tileOpIs(op, "scf.if") && mlirOperationGetNumResults(op) == 0;
    if (isBranch && tileHoldsLoopOfDots(op)) return op;
  }
  return (MlirOperation){NULL};
}

static bool isMasked(MlirOperation op) {
  return tileOpIsALoad(op) || tileOpIsAStore(op) || tileOpIsAAtomicRmw(op) ||
         tileOpIsAAtomicCas(op);
}

/// Can something that `op` does be seen where it takes no step, or has no lane?
static bool isSeen(MlirOperation op, void *data) {
  (void)data;
  bool holds = mlirOperationGetNumRegions(op) != 0;
  if (tileOpIs(op, "scf.while") || tileOpIsABarrier(op)) return true;
  if (!holds && !isMasked(op) && !tileOpIsAAssume(op) && tileOpGetEffects(op)) return true;
  return tileOpIsALoad(op) && tileLoadGetCache(op) == TILE_CACHE_USE_CV;
}

//===- conditions ---------------------------------------------------------===//

MlirValue tileBuildContrary(TileBuilder *b, MlirValue condition) {
  static const int64_t contraries[] = {TILE_NE,  TILE_EQ,  TILE_SGE, TILE_SGT, TILE_SLE,
                                       TILE_SLT, TILE_UGE, TILE_UGT, TILE_ULE, TILE_ULT};
  MlirOperation op = tileValueGetOp(condition);
  if (!mlirOperationIsNull(op) && tileOpIs(op, "arith.cmpi")) {
    int64_t predicate = contraries[tileIntAttr(op, "predicate", 0)];
    return tileBuildCmpi(b, (int)predicate, tileOperand(op, 0), tileOperand(op, 1));
  }
  return tileBuildBinary(b, "arith.xori", condition, tileBuildInt(b, tileI1(b->context), 1));
}

/// Does the launch alone decide on `value`?
static bool isOfLaunch(MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op))
    return tileOpIsAFunc(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
  if (depth == 0 || (!tileOpIsScalarArithmetic(op) && !tileOpIsASplat(op)) || tileOpReadsPlace(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isOfLaunch(tileOperand(op, i), depth - 1)) return false;
  return true;
}

void tileGuardDivision(MlirOperation op, MlirValue condition) {
  MlirValue divisor = tileOpDividesIntegers(op) ? tileOperand(op, 1) : (MlirValue){NULL};
  int64_t number = 0;
  if (mlirValueIsNull(divisor) || (tileConstantInt(divisor, &number) && number)) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue one = tileBuildInt(&b, mlirValueGetType(divisor), 1);
  mlirOperationSetOperand(op, 1, tileBuildSelect(&b, condition, divisor, one));
}

static void guard(TileAffine *affine, MlirOperation op, MlirValue condition);

/// The same of all ops of a block.
static void guardAll(TileAffine *affine, MlirBlock block, MlirValue condition) {
  MlirOperation op =
      mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    guard(affine, op, condition);
    op = next;
  }
}

/// Has `op`, which stands in a branch, do nothing where `condition` is false. Of a branch within it
/// the first side is not taken then, so the other one is.
static void guard(TileAffine *affine, MlirOperation op, MlirValue condition) {
  TileBuilder b = tileBuilderBefore(op);
  if (tileOpIs(op, "scf.for")) {
    MlirValue end = tileBuildSelect(&b, condition, tileOperand(op, 1), tileOperand(op, 0));
    mlirOperationSetOperand(op, 1, end);
  } else if (tileOpIs(op, "scf.if")) {
    mlirOperationSetOperand(op, 0,
                            tileBuildBinary(&b, "arith.andi", tileOperand(op, 0), condition));
    guardAll(affine, tileBody(op, 1), condition);
  } else if (isMasked(op)) {
    MlirValue mask = tileOpIsALoad(op)    ? tileLoadGetMask(op)
                     : tileOpIsAStore(op) ? tileStoreGetMask(op)
                                          : (MlirValue){NULL};
    if (mlirValueIsNull(mask) || !tileAffineIsOffWithout(affine, mask, condition))
      tileAccessOnlyIf(op, condition);
  } else if (tileOpDividesIntegers(op) && !isOfLaunch(tileOperand(op, 1), 8)) {
    tileGuardDivision(op, condition);
  }
}

//===- straight code ------------------------------------------------------===//

/// Does a block do more than read and compute, but for `op` in it?
static bool doesMore(MlirBlock block, MlirOperation but) {
  const uint32_t reads = TILE_READS_GLOBAL | TILE_READS_SHARED;
  if (mlirBlockIsNull(block)) return false;
  TILE_FOR_EACH_OP(op, block) {
    bool isBut = !mlirOperationIsNull(but) && mlirOperationEqual(op, but);
    if (!isBut && !tileOpIsAAssume(op) && tileHoldsEffects(op, ~reads)) return true;
  }
  return false;
}

/// Is what `block` does, which branches are around, all that the program does?
static bool isAllOfProgram(MlirBlock block) {
  MlirOperation around = mlirBlockGetParentOperation(block);
  for (; tileOpIs(around, "scf.if"); around = mlirBlockGetParentOperation(block)) {
    for (intptr_t side = 0; side < 2; ++side) {
      MlirBlock other = tileBody(around, side);
      bool isOther = !mlirBlockIsNull(other) && !mlirBlockEqual(other, block);
      if (isOther && doesMore(other, (MlirOperation){NULL})) return false;
    }
    block = mlirOperationGetBlock(around);
    if (doesMore(block, around)) return false;
  }
  return tileOpIsAFunc(around);
}

void tileMarkEntry(MlirBlock block, MlirValue enters) {
  MlirOperation op = tileValueGetOp(enters);
  if (mlirOperationIsNull(op) || !isAllOfProgram(block)) return;
  MlirAttribute unit = mlirUnitAttrGet(mlirOperationGetContext(op));
  mlirOperationSetAttributeByName(op, tileString("tile.leaves"), unit);
}

static void predicate(MlirOperation branch) {
  MlirOperation func = mlirOperationGetParentOperation(branch);
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axes, NULL);
  MlirBlock block = mlirOperationGetBlock(branch);
  TileBuilder b = tileBuilderBefore(branch);
  for (intptr_t side = 0; side < 2; ++side) {
    MlirBlock body = tileBody(branch, side);
    if (mlirBlockIsNull(body)) continue;
    MlirValue condition = tileOperand(branch, 0);
    if (side) condition = tileBuildContrary(&b, condition);
    tileMarkEntry(body, condition);
    MlirOperation end = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, end);) {
      MlirOperation next = mlirOperationGetNextInBlock(op);
      mlirOperationRemoveFromParent(op);
      if (tileOpIsAAssume(op)) { // holds in the branch alone
        mlirOperationDestroy(op);
      } else {
        mlirBlockInsertOwnedOperationBefore(block, branch, op);
        guard(affine, op, condition);
      }
      op = next;
    }
  }
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axes);
  mlirOperationDestroy(branch);
}

/// Does a side of the branch write something in front of a loop of dots?
static bool writesBefore(MlirOperation branch) {
  for (intptr_t side = 0; side < 2; ++side) {
    bool writes = false;
    if (mlirBlockIsNull(tileBody(branch, side))) continue;
    TILE_FOR_EACH_OP(op, tileBody(branch, side)) {
      if (writes && tileHoldsLoopOfDots(op)) return true;
      writes |= tileHoldsEffects(op, TILE_WRITES_GLOBAL);
    }
  }
  return false;
}

bool tilePredicateBranches(MlirOperation func) {
  bool any = false;
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    bool isBranch = tileOpIs(op, "scf.if") && mlirOperationGetNumResults(op) == 0;
    if (!isBranch || !tileHoldsLoopOfDots(op)) continue;
    if (tileHoldsOp(op, isSeen, NULL) || writesBefore(op)) return false;
    any = true;
  }
  if (!any) return false;
  for (MlirOperation branch = findBranch(func); !mlirOperationIsNull(branch);
       branch = findBranch(func))
    predicate(branch);
  return true;
}
