//===- AddLoaded.c - what a dot adds to memory is added behind it ---------===//
//
// Before:  scf.for .. {
//            %s = arith.truncf ..
//            scf.while { .. }                        // takes a lock, say
//            %old = tile.load %p
//            %d = tile.dot %s, %b, %old by wgmma
//            tile.store %p, %d }
// After:   scf.for .. {
//            %s = arith.truncf ..
//            %x = tile.dot %s, %b, 0 by wgmma
//            scf.while { .. }
//            %old = tile.load %p
//            %d = arith.addf %x, %old
//            tile.store %p, %d }
//
// A dot that begins with what a step loads waits for memory before it starts, and memory's tile has
// to lie as tensor cores hold sums. One that begins at zero starts as soon as its operands are
// there, and runs while the load is on its way; under a lock that other programs wait for, only the
// load, the sum and the store are left. Gradients that attention adds up in memory, block after
// block, are such; so are those of fused losses, under locks.
//
// It rounds once more, and cuts off less: tensor cores round sums towards zero (SplitPrecision.c).
//
// Stays as it is: what a loop carries, which is added in registers for nothing; sums that somebody
// else looks at; dots that threads wait for in any case (mma.sync, FMA).
//
// Requires: instructions chosen (tile-accelerate-dot).  Preserves: order of effects.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Patterns.h"

/// Is `value` stored alone, as it is or computed with, element by element?
static bool isStored(MlirValue value) {
  for (MlirOpOperand use; !mlirOpOperandIsNull(use = tileOnlyUse(value));) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsAStore(user)) return mlirOpOperandGetOperandNumber(use) == 1;
    if (!tileOpIsElementwise(user)) return false;
    value = tileResult(user);
  }
  return false;
}

/// Does `dot`, in a loop, begin with what its step loads for nobody else? Of one that begins with
/// what is loaded it is said why it stays so.
static bool addsToMemory(MlirOperation dot) {
  MlirBlock block = mlirOperationGetBlock(dot);
  MlirOperation load = tileValueGetOp(tileDotGetAcc(dot));
  if (mlirOperationIsNull(load) || !tileOpIsALoad(load)) return false;
  if (!tileOpIs(mlirBlockGetParentOperation(block), "scf.for") ||
      !mlirBlockEqual(mlirOperationGetBlock(load), block))
    return false;
  const char *why = NULL;
  if (!tileOpIsWgmma(dot))
    why = "expected a dot by wgmma";
  else if (mlirOpOperandIsNull(tileOnlyUse(tileResult(load))))
    why = "expected nobody else to read it";
  else if (!isStored(tileResult(dot)))
    why = "expected the sum to be stored alone";
  if (why)
    tileEmitRemark(mlirOperationGetLocation(dot), "dot waits for what its sum begins with: %s",
                   why);
  return !why;
}

/// The op of the block behind which both operands of `dot` are there; null: they are in front.
static MlirOperation findOperands(MlirOperation dot) {
  MlirOperation last = {NULL};
  for (int i = 0; i < 2; ++i) {
    MlirOperation op = tileValueGetOp(tileOperand(dot, i));
    if (mlirOperationIsNull(op) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot)))
      continue;
    if (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, op)) last = op;
  }
  return last;
}

static bool addBehind(TileBuilder *b, MlirOperation dot, void *data, MlirValue *results) {
  (void)data;
  if (!addsToMemory(dot)) return false;
  MlirBlock block = mlirOperationGetBlock(dot);
  MlirOperation behind = findOperands(dot);
  TileBuilder early =
      mlirOperationIsNull(behind) ? tileBuilderAtStart(block) : tileBuilderAfter(behind);
  early.location = b->location;
  MlirValue old = tileDotGetAcc(dot);
  MlirType type = mlirValueGetType(old);
  const MlirValue operands[] = {tileDotGetA(dot), tileDotGetB(dot), tileBuildZero(&early, type)};
  MlirValue sum = tileResult(tileBuildLike(&early, dot, 3, operands, &type));
  bool isFloat = mlirTypeIsAFloat(tileElementType(type));
  results[0] = tileBuildBinary(b, isFloat ? "arith.addf" : "arith.addi", sum, old);
  return true;
}

MlirLogicalResult tileRunAddLoaded(MlirOperation func) {
  static const TilePattern patterns[] = {{"tile.dot", addBehind}};
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
