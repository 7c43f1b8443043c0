//===- WidenLate.c - narrow tiles are widened where they are wanted -------===//
//
// Before:  %w = tile.load %p : tensor<1024x!tile.ptr<f16>>
//          %wide = arith.extf %w : tensor<1024xf16> to tensor<1024xf32>     // 8 registers for 4
//          %sum = tile.reduce add %x axis 0
//          %y = arith.mulf %wide, (.. %sum ..)
// After:   %w = tile.load %p : tensor<1024x!tile.ptr<f16>>
//          %sum = tile.reduce add %x axis 0
//          %wide = arith.extf %w : tensor<1024xf16> to tensor<1024xf32>
//          %y = arith.mulf %wide, (.. %sum ..)
//
// Weights and biases of a norm are loaded, and made f32, where their author wrote it: in front of
// the reductions that they are multiplied behind. LLVM and ptxas leave the conversion where it
// stands, and a thread holds twice the registers for as long as threads meet, of which blocks are
// made. The conversion waits for the load, too, and what is loaded behind it waits for both.
//
// Of what all programs load, as weights are, this is so. A row of the program's own is asked for by
// ptxas the later the later it is wanted, and memory has nothing to do meanwhile: its conversions
// stay.
//
// Moved are element-wise ops that make more words of a thread than they read, and what is computed
// of one such tile and numbers alone (w + 1), down to their first reader, where a reduction, a scan
// or a loop lies between. Kernels with dots have passes of their own for what lies in front of
// these.
//
// Requires: layouts assigned.  Preserves: numerics; the order of effects.
//===----------------------------------------------------------------------===//
#include "../Layouts/Layouts.h"
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// A number for all elements is one register, whatever the tile.
static bool isNumber(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (!tileTypeIsTile(mlirValueGetType(value))) return true;
  return !mlirOperationIsNull(op) && (tileOpIsASplat(op) || tileOpIs(op, "arith.constant"));
}

/// The one tile that `op`, element-wise, computes its own of; null where there are others.
static MlirValue onlyTile(MlirOperation op) {
  MlirValue only = {NULL};
  bool computes = tileOpIsElementwise(op) && tileOpIsMovable(op) &&
                  mlirOperationGetNumResults(op) == 1 && !mlirOperationGetNumRegions(op) &&
                  tileTypeIsTile(mlirValueGetType(tileResult(op)));
  for (intptr_t i = 0; computes && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (isNumber(operand)) continue;
    if (!mlirValueIsNull(only)) return (MlirValue){NULL};
    only = operand;
  }
  return only;
}

/// Does `op` make more words of one tile, or as many of one that was widened for it alone?
static bool widens(MlirOperation op) {
  MlirValue only = onlyTile(op);
  if (mlirValueIsNull(only)) return false;
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(op)));
  int64_t own = tileTypeGetWords(mlirValueGetType(only));
  if (words > own) return own > 0 && words != INT64_MAX;
  MlirOperation from = tileValueGetOp(only);
  return words == own && !mlirOperationIsNull(from) && !mlirOpOperandIsNull(tileOnlyUse(only)) &&
         mlirBlockEqual(mlirOperationGetBlock(from), mlirOperationGetBlock(op)) && widens(from);
}

/// Is `value` computed of numbers that all programs have, and of what they load by these?
static bool isCommon(MlirValue value, int depth) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op))
    return tileOpIsAFunc(mlirBlockGetParentOperation(tileValueGetBlock(value)));
  if (!depth || tileOpIsAProgramId(op) || mlirOperationGetNumRegions(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isCommon(tileOperand(op, i), depth - 1)) return false;
  return true;
}

/// Is a tile that lies over `op` held while threads meet, or over steps?
static bool isLong(MlirOperation op) {
  return tileOpIsAReduce(op) || tileOpIsAScan(op) || tileOpIs(op, "scf.for") ||
         tileOpIs(op, "scf.while");
}

static bool liesOverLong(MlirOperation op, MlirOperation reader) {
  for (MlirOperation at = op; !mlirOperationEqual(at, reader); at = mlirOperationGetNextInBlock(at))
    if (isLong(at)) return true;
  return false;
}

/// Ops of the block, the last one first: what a chain ends in moves before what it is made of.
static int64_t moveDown(MlirBlock block) {
  enum { DEPTH = 24 };
  TileOpList ops = {0};
  int64_t moved = 0;
  TILE_FOR_EACH_OP(op, block) if (widens(op)) tileOpListAdd(&ops, op);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation reader = tileFirstReader(ops.ops[i]);
    if (mlirOperationIsNull(reader) || !liesOverLong(ops.ops[i], reader)) continue;
    if (!isCommon(tileResult(ops.ops[i]), DEPTH)) continue;
    mlirOperationMoveBefore(ops.ops[i], reader);
    ++moved;
  }
  tileOpListDestroy(&ops);
  return moved;
}

static bool isBlockOfTiles(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAFunc(op) || tileOpIsOneOf(op, (const char *const[]){"scf.for", "scf.if", NULL});
}

MlirLogicalResult tileRunWidenLate(MlirOperation func) {
  if (tileHoldsDot(func)) return mlirLogicalResultSuccess();
  TileOpList holders = {0};
  int64_t moved = 0;
  tileOpListCollect(&holders, func, MlirWalkPreOrder, isBlockOfTiles, NULL);
  for (size_t i = 0; i < holders.count; ++i)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(holders.ops[i]); ++r) {
      MlirBlock block = tileBody(holders.ops[i], r);
      if (!mlirBlockIsNull(block)) moved += moveDown(block);
    }
  tileOpListDestroy(&holders);
  if (moved) tileTrace(mlirOperationGetLocation(func), "%d ops widen later", (int)moved);
  return mlirLogicalResultSuccess();
}
