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
// What is read on both sides of where threads meet, as a row that a loss takes the maximum of, and
// then exponentials, would be held as it was widened. Where that is all registers that a block
// leaves to a thread (64 elements of bf16 by 32 warps), it is widened again behind:
//
//          %m = tile.reduce maxnum %wide axis 0
//          %bits = arith.shli (arith.extui (arith.bitcast %w)), 16
//          %again = arith.bitcast %bits                                   // %wide, in registers
//          %e = math.exp (arith.subf %again, ..)                          // of half the number
//
// by integers: two conversions of one number are one to LLVM and ptxas.
//
// Requires: layouts assigned.  Preserves: numerics; the order of effects.
//===----------------------------------------------------------------------===//
#include "../Layouts/Layouts.h"
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/Machine.h"
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

//===- widened again ------------------------------------------------------===//

/// Of bf16, whose bits are the upper ones of an f32, and so wide that a thread has no registers
/// besides?
static bool fillsRegisters(MlirOperation op, int64_t registers) {
  if (!tileOpIs(op, "arith.extf") || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return false;
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = mlirValueGetType(tileResult(op));
  return mlirTypeIsABF16(from) && mlirTypeIsAF32(tileElementType(to)) &&
         tileTypeGetWords(to) >= registers;
}

/// A use of `value` behind `op`, an op of the same block; null where there is none.
static MlirOpOperand useBehind(MlirValue value, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(mlirOperationGetBlock(op), mlirOpOperandGetOwner(use));
    if (mlirOperationIsBeforeInBlock(op, user)) break;
  }
  return use;
}

/// The first op that threads meet in, at or behind `wide`'s first reader.
static MlirOperation firstMeeting(MlirOperation wide) {
  MlirOperation at = tileFirstReader(wide);
  while (!mlirOperationIsNull(at) && !tileOpIsAReduce(at) && !tileOpIsAScan(at))
    at = mlirOperationGetNextInBlock(at);
  return at;
}

static MlirValue buildAgain(MlirOperation wide, MlirOperation behind) {
  TileBuilder b = tileBuilderAfter(behind);
  MlirValue narrow = tileOperand(wide, 0);
  MlirType type = mlirValueGetType(tileResult(wide));
  MlirType ints = tileWithElement(type, tileI32(b.context));
  MlirType halves = tileWithElement(type, tileI16(b.context));
  MlirValue bits = tileBuildUnary(&b, "arith.bitcast", halves, narrow);
  bits = tileBuildUnary(&b, "arith.extui", ints, bits);
  MlirValue half = tileBuildInt(&b, ints, 16);
  bits = tileBuildBinary(&b, "arith.shli", bits, half);
  return tileBuildUnary(&b, "arith.bitcast", type, bits);
}

/// What fills registers on both sides of where threads meet is widened again behind.
static int64_t widenAgain(MlirBlock block, int64_t registers) {
  int64_t made = 0;
  TILE_FOR_EACH_OP(wide, block) {
    if (!fillsRegisters(wide, registers)) continue;
    MlirOperation meeting = firstMeeting(wide);
    if (mlirOperationIsNull(meeting)) continue;
    MlirOpOperand use = useBehind(tileResult(wide), meeting);
    if (mlirOpOperandIsNull(use)) continue;
    MlirValue again = buildAgain(wide, meeting);
    for (; !mlirOpOperandIsNull(use); use = useBehind(tileResult(wide), meeting))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use),
                              again);
    ++made;
  }
  return made;
}

//===- the pass -----------------------------------------------------------===//

/// Registers that a block leaves to a thread.
static int64_t countRegisters(MlirOperation func) {
  const TileMachine *m = tileMachineOf(func);
  int64_t each = m->registers / (32 * tileIntAttr(func, "tile.num_warps", 4));
  return each < m->threadRegisters ? each : m->threadRegisters;
}

static bool isBlockOfTiles(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAFunc(op) || tileOpIsOneOf(op, (const char *const[]){"scf.for", "scf.if", NULL});
}

MlirLogicalResult tileRunWidenLate(MlirOperation func) {
  if (tileHoldsDot(func)) return mlirLogicalResultSuccess();
  TileOpList holders = {0};
  int64_t moved = 0, again = 0, registers = countRegisters(func);
  tileOpListCollect(&holders, func, MlirWalkPreOrder, isBlockOfTiles, NULL);
  for (size_t i = 0; i < holders.count; ++i)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(holders.ops[i]); ++r) {
      MlirBlock block = tileBody(holders.ops[i], r);
      if (mlirBlockIsNull(block)) continue;
      moved += moveDown(block);
      again += widenAgain(block, registers);
    }
  tileOpListDestroy(&holders);
  if (moved) tileTrace(mlirOperationGetLocation(func), "%d ops widen later", (int)moved);
  if (again) tileTrace(mlirOperationGetLocation(func), "%d ops widen again", (int)again);
  return mlirLogicalResultSuccess();
}
