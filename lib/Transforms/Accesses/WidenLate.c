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
// stay, with a remark.
//
// Moved are element-wise ops that make more words of a thread than they read, and what is computed
// of one such tile and numbers alone (w + 1), down to their first reader, where a reduction, a scan
// or a loop lies between. Kernels with dots have passes of their own for what lies in front of
// these.
//
// What is read on both sides of where threads meet, as a row that a loss takes the maximum of, and
// then exponentials, and these, which are added up and then divided, would be held as f32. Where
// that is all registers that a block leaves to a thread (64 elements of f16 by 32 warps), it is
// widened, and computed, again behind:
//
//          %m = tile.reduce maxnum %wide axis 0
//          %n = tile.inline_ptx (%w)                 // %w, of which ptxas does not know it
//          %again = arith.extf %n                               // %wide, in registers
//          %e = math.exp (arith.subf %again, %m)                // of half the number
//          %s = tile.reduce add %e axis 0
//          %o = tile.inline_ptx (%n)
//          %f = math.exp (arith.subf (arith.extf %o), %m)       // %e
//
// since two conversions of one number are one to LLVM and ptxas. Computed again is what few
// instructions make of the one row and of numbers.
//
// Requires: layouts assigned.  Preserves: numerics; the order of effects.
//===----------------------------------------------------------------------===//
#include "../Layouts/Layouts.h"
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/IR.h"
#include "tile/Machine.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/Opaque.h"
#include "tile/Support/PointerTable.h"
#include "tile/Support/ValueSearch.h"
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

/// Does `op` make more words of one tile, or as many of one that was `widened`, an op of its block,
/// for it alone?
static bool widens(MlirOperation op, TilePointerTable widened) {
  MlirValue only = onlyTile(op);
  if (mlirValueIsNull(only)) return false;
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(op)));
  int64_t own = tileTypeGetWords(mlirValueGetType(only));
  if (words > own) return own > 0 && words != INT64_MAX;
  MlirOperation from = tileValueGetOp(only);
  return words == own && !mlirOperationIsNull(from) && !mlirOpOperandIsNull(tileOnlyUse(only)) &&
         tilePointerTableFind(widened, from.ptr);
}

/// Does `value` come from where a program has something of its own?
static bool isOwn(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op))
    return !tileOpIsAFunc(mlirBlockGetParentOperation(tileValueGetBlock(value)));
  tileValueSearchAddOperands(s, op);
  return tileOpIsAProgramId(op) || mlirOperationGetNumRegions(op);
}

/// Is `value` computed of numbers that all programs have, and of what they load by these?
static bool isCommon(MlirValue value) { return !tileValueSearchFinds(value, isOwn, NULL); }

/// Is a tile that lies over `op` held while threads meet, or over steps?
static bool isLong(MlirOperation op) {
  return tileOpIsAReduce(op) || tileOpIsAScan(op) || tileOpIsLoop(op);
}

static bool liesOverLong(MlirOperation op, MlirOperation reader) {
  for (MlirOperation at = op; !mlirOperationEqual(at, reader); at = mlirOperationGetNextInBlock(at))
    if (isLong(at)) return true;
  return false;
}

/// Ops of the block, the last one first: what a chain ends in moves before what it is made of.
static int64_t moveDown(MlirBlock block) {
  TileOpList ops = {0};
  TilePointerTable widened = {0};
  int64_t moved = 0;
  TILE_FOR_EACH_OP(op, block) {
    if (!widens(op, widened)) continue;
    tilePointerTableInsert(&widened, op.ptr);
    tileOpListAdd(&ops, op);
  }
  tilePointerTableClear(&widened);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation reader = tileFirstReader(ops.ops[i]);
    if (mlirOperationIsNull(reader) || !liesOverLong(ops.ops[i], reader)) continue;
    if (!isCommon(tileResult(ops.ops[i]))) {
      tileEmitRemark(mlirOperationGetLocation(ops.ops[i]),
                     "widened in front of where threads meet: expected what all programs load");
      continue;
    }
    mlirOperationMoveBefore(ops.ops[i], reader);
    ++moved;
  }
  tileOpListDestroy(&ops);
  return moved;
}

//===- widened again ------------------------------------------------------===//

/// Of 16 bits, and so wide that a thread has no registers besides?
static bool fillsRegisters(MlirOperation op, int64_t registers) {
  if (!tileOpIs(op, "arith.extf") || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return false;
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = mlirValueGetType(tileResult(op));
  return tileBitWidth(from) == 16 && mlirTypeIsAF32(tileElementType(to)) &&
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

/// The op that threads meet in, at or behind `at`; null where there is none.
static MlirOperation meetingFrom(MlirOperation at) {
  while (!mlirOperationIsNull(at) && !tileOpIsAReduce(at) && !tileOpIsAScan(at))
    at = mlirOperationGetNextInBlock(at);
  return at;
}

/// Does `value` follow from `wide` and numbers alone, by a few short ops?
static bool followsFrom(MlirValue value, MlirValue wide, int depth) {
  static const char *const known[] = {"arith.addf",    "arith.subf", "arith.mulf", "arith.negf",
                                      "arith.maxnumf", "math.fma",   "math.exp",   "math.exp2",
                                      "math.absf",     NULL};
  if (mlirValueEqual(value, wide)) return true;
  MlirOperation op = tileValueGetOp(value);
  if (!depth || mlirOperationIsNull(op) || !tileOpIsOneOf(op, known)) return false;
  MlirValue only = onlyTile(op);
  return !mlirValueIsNull(only) && followsFrom(only, wide, depth - 1);
}

/// `value`, over what stands for the row in `map`.
static MlirValue computeAgain(TileBuilder *b, TileValueMap *map, MlirValue value) {
  if (tileValueMapHas(*map, value)) return tileValueMapGet(*map, value);
  MlirOperation op = tileValueGetOp(value);
  computeAgain(b, map, onlyTile(op));
  tileCloneMapped(b, map, op);
  return tileValueMapGet(*map, value);
}

/// The narrow row, of which nobody knows that it is the same: two elements a word.
static MlirValue buildOpaque(TileBuilder *b, MlirValue narrow) {
  MlirContext c = b->context;
  MlirType type = mlirValueGetType(narrow);
  return tileResult(tileBuildOp(b, "tile.inline_ptx", TILE_VALUES(narrow), 1, &type,
                                TILE_ATTRS({"text", tileStringAttr(c, TILE_OPAQUE_WORD)},
                                           {"constraints", tileStringAttr(c, "=r,r")},
                                           {"pack", mlirIntegerAttrGet(tileI32(c), 2)}),
                                0));
}

/// Computes what is read behind `meeting` of the row `*wide`, widened from `*narrow`, again from
/// there, which these are then; false where nothing is.
static bool widenBehind(MlirOperation meeting, MlirValue *narrow, MlirValue *wide) {
  enum { DEPTH = 4 };
  TileOpList held = {0};
  MlirOperation op = tileValueGetOp(*wide);
  for (; !mlirOperationEqual(op, meeting); op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumResults(op) != 1 || !followsFrom(tileResult(op), *wide, DEPTH)) continue;
    if (!mlirOpOperandIsNull(useBehind(tileResult(op), meeting))) tileOpListAdd(&held, op);
  }
  bool some = held.count > 0;
  TileBuilder b = tileBuilderAfter(meeting);
  TileValueMap map = {0};
  if (some) {
    *narrow = buildOpaque(&b, *narrow);
    MlirValue again = tileBuildUnary(&b, "arith.extf", mlirValueGetType(*wide), *narrow);
    tileValueMapSet(&map, *wide, again);
    for (size_t i = 0; i < held.count; ++i) computeAgain(&b, &map, tileResult(held.ops[i]));
    for (size_t i = 0; i < held.count; ++i) {
      MlirValue before = tileResult(held.ops[i]), now = tileValueMapGet(map, before);
      MlirOpOperand use = useBehind(before, meeting);
      for (; !mlirOpOperandIsNull(use); use = useBehind(before, meeting))
        mlirOperationSetOperand(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use),
                                now);
    }
    *wide = again;
  }
  tileValueMapClear(&map);
  tileOpListDestroy(&held);
  return some;
}

/// What fills registers on both sides of where threads meet is widened again behind.
static int64_t widenAgain(MlirBlock block, int64_t registers) {
  int64_t made = 0;
  TileOpList rows = {0};
  TILE_FOR_EACH_OP(op, block) if (fillsRegisters(op, registers)) tileOpListAdd(&rows, op);
  for (size_t i = 0; i < rows.count; ++i) {
    MlirValue narrow = tileOperand(rows.ops[i], 0), wide = tileResult(rows.ops[i]);
    MlirOperation meeting = meetingFrom(rows.ops[i]);
    while (!mlirOperationIsNull(meeting) && widenBehind(meeting, &narrow, &wide)) {
      ++made;
      meeting = meetingFrom(mlirOperationGetNextInBlock(meeting));
    }
  }
  tileOpListDestroy(&rows);
  return made;
}

//===- the pass -----------------------------------------------------------===//

/// Registers that a block leaves to a thread.
static int64_t countRegisters(MlirOperation func) {
  const TileMachine *m = tileMachineOf(func);
  int64_t each = m->registers / tileNumThreadsOf(func);
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
