//===- Strips.c - element-wise ops, a strip of registers at a time --------===//
//
// Before:  %a = arith.mulf %x, %c : vector<128xf32>      After:  for each 8 registers:
//          %e = math.exp %a                                        %a = arith.mulf %x, %c : 8
//          %y = arith.addf %e, %x                                  %e = math.exp %a : 8
//                                                                  %y = arith.addf %e, %x : 8
//
// Emitted op by op, each op of a chain over a large tile leaves a whole tile's registers
// alive for the next, and what a function of math keeps besides does so several times
// over: 128 accumulators and their exponential spill. Emitted strip by strip, a strip's temporaries
// are all there is. 8 are independent of each other, enough to hide the latency of an instruction.
// Rows and columns that are made between them, and repeated, come first, where there are no dots.
// What lanes hand each other for them is held until the last strip is done, and ends the run where
// it is much.
//
// A dot of `tile.part` registers at a time (tile-add-parts) is multiplied as its strips are wanted:
// what reads it stands behind it, and leaves its registers to the next part.
//
// ptxas mixes what is independent again: 8 logarithms of gamma take 132 registers so. Of arithmetic
// that is long by itself a strip has two registers, and a branch that no program takes stands
// between one strip and the next. What the strip hands on is made in front of it: LLVM would sink
// all of a strip that lies behind its last branch (that of a large angle) to where it is read, and
// keep what the branches leave of all strips until then. What one side of a choice takes has a
// branch (Arms.c). Beside dots all stays in one piece, and so does arithmetic of 64 bits, and what
// mixes bits, as random numbers and hashes do: of these ten rounds have no more numbers than one.
// Nor do quotients of 64 bits by what a launch says count as long: they share a branch and a
// reciprocal (LongDivision.c), the more of them are together.
//
//===----------------------------------------------------------------------===//
#include "Arms.h"
#include "Exchange/Exchange.h"
#include "MathLowering.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/OpLength.h"
#include <stdlib.h>
#include <string.h>

/// Ops of a run, at most.
enum { MOST_OPS = 1024 };

typedef struct {
  MlirOperation ops[MOST_OPS], beside[MOST_OPS]; ///< beside: what is made between, of none of them
  int count, numBeside;
  int64_t work;      ///< instructions that an element takes, about
  int64_t handed;    ///< words a thread of what lanes hand each other between
  bool isDouble;     ///< some of them of 64 bits
  bool hasArms;      ///< one side of a choice takes long
  bool isWhole;      ///< a few registers of integers
  MlirOperation dot; ///< multiplied part by part as strips are wanted; or null
} Run;

/// A tile's value while its strips are worked on.
typedef struct {
  MlirValue tile, whole;
  int64_t length; ///< of a part: `whole` has so many registers; 0: all
  bool isHeld;    ///< what is made of it waits for the part of the dot that it is for
} Operand;

/// Does the op make a strip as easily as it makes all?
static bool isMade(MlirOperation op) {
  return (tileOpIs(op, "arith.constant") && !tileIsTable(op)) || tileOpIsASplat(op);
}

static bool isDouble(MlirOperation op) {
  return mlirTypeIsAF64(tileElementType(mlirValueGetType(tileResult(op))));
}

/// Is it an instruction on integers, of which each takes the place of what it reads?
static bool mixesBits(MlirOperation op) {
  MlirType type = tileElementType(mlirValueGetType(tileResult(op)));
  return mlirTypeIsAInteger(type) && tileOpLength(op) == 1;
}

/// Integers, and pointers that are made beside them.
static bool isOfIntegers(const Run *run) {
  for (int i = 0; i < run->count; ++i)
    if (mlirTypeIsAFloat(tileElementType(mlirValueGetType(tileResult(run->ops[i]))))) return false;
  return true;
}

/// Is its arithmetic so long that strips of it are not to be mixed? That of 64 bits has few
/// instructions on their way as it is, and is taken apart where that skips one side of a choice. So
/// have a few integers, whose quotients are chains of instructions.
static bool isLong(const Lowering *l, const Run *run) {
  if (l->hasDots || run->isWhole) return false;
  return run->isDouble ? run->hasArms
                       : run->work >= tileMachineNumber(l->machine, TILE_NUMBER_STRIP_LONG);
}

/// Registers of a strip.
static int stripOf(const Lowering *l, const Run *run) {
  return tileMachineNumber(l->machine, isLong(l, run) ? TILE_NUMBER_STRIP_LONG_REGISTERS
                                                      : TILE_NUMBER_STRIP_REGISTERS);
}

static int64_t registersOf(MlirType type) {
  TileLayout layout;
  return tileTypeGetLayout(type, &layout) ? lowerNumRegisters(&layout) : 0;
}

/// One tile of `registers` from tiles of as many, each element by itself.
static bool belongs(MlirOperation op, int64_t registers) {
  bool computes = tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math");
  if (!isMade(op) && (!computes || tileIsTable(op))) return false;
  if (mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op)) return false;
  if (registersOf(mlirValueGetType(tileResult(op))) != registers) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(tileOperand(op, i));
    if (tileTypeIsTile(type) && registersOf(type) != registers) return false;
  }
  return true;
}

static bool holds(const Run *run, MlirOperation op) {
  for (int i = 0; i < run->count; ++i)
    if (mlirOperationEqual(run->ops[i], op)) return true;
  return false;
}

/// Is there use of the op's result behind the run?
static bool escapes(const Run *run, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!holds(run, mlirOpOperandGetOwner(use))) return true;
  return false;
}

/// Does the run compare what the op makes? Copies and accesses under such a mask ask for the truths
/// that they want, one by one (lowerTruthAt), of what is whole.
static bool isCompared(const Run *run, MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIs(user, "arith.cmpi") && holds(run, user)) return true;
  }
  return false;
}

/// Does one side of a choice in the run take long?
static bool hasArms(const Lowering *l, const Run *run) {
  LowerArms arms = {run->ops, run->count, calloc((size_t)run->count, sizeof *arms.arms), NULL};
  if (!arms.arms) abort();
  lowerFindArms(&arms, tileMachineNumber(l->machine, TILE_NUMBER_STRIP_ARM));
  bool any = false;
  for (int k = 0; k < run->count; ++k) any |= arms.arms[k] >= 0;
  free(arms.arms);
  return any;
}

/// Do lanes hand it each other, without shared memory?
static bool isHanded(MlirOperation op) {
  return tileOpIsAConvertLayout(op) && tileOpScratchBytes(op) == 0;
}

static int64_t wordsOf(MlirType type) {
  return registersOf(type) * ((tileBitWidth(tileElementType(type)) + 31) / 32);
}

/// Can `op` be made in front of the run?
static bool comesFirst(const Lowering *l, const Run *run, MlirOperation op) {
  bool exchanges = isHanded(op);
  int64_t handed = run->handed + (exchanges ? wordsOf(mlirValueGetType(tileResult(op))) : 0);
  if (handed > tileMachineNumber(l->machine, TILE_NUMBER_STRIP_HANDED)) return false;
  bool spreads = tileOpIsElementwise(op) || tileOpIsSource(op) || tileOpIsABroadcast(op) ||
                 tileOpIsAExpandDims(op) || exchanges;
  if (run->numBeside == MOST_OPS || !spreads || (!exchanges && !tileOpIsMovable(op))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (!mlirOperationIsNull(from) && holds(run, from)) return false;
  }
  return true;
}

/// What stands behind the last op of the run is not between.
static void dropBehind(Run *run) {
  while (run->numBeside &&
         (!run->count ||
          mlirOperationIsBeforeInBlock(run->ops[run->count - 1], run->beside[run->numBeside - 1])))
    --run->numBeside;
}

/// The ops from `op` on, `least` steps or more.
static Run findRun(const Lowering *l, MlirOperation op, int64_t registers, bool skips, int least) {
  int most = MOST_OPS, fewer = tileMachineNumber(l->machine, TILE_NUMBER_STRIP_OPS);
  if (l->hasDots && fewer < most) most = fewer;
  Run run = {.count = 0};
  int steps = 0;
  for (; !mlirOperationIsNull(op) && run.count < most; op = mlirOperationGetNextInBlock(op)) {
    if (!belongs(op, registers)) {
      if (!run.count || !skips || !comesFirst(l, &run, op)) break;
      if (isHanded(op)) run.handed += wordsOf(mlirValueGetType(tileResult(op)));
      run.beside[run.numBeside++] = op;
      continue;
    }
    if (!isMade(op)) steps += tileOpIsOfDialect(op, "math") ? 2 : 1;
    if (!isMade(op) && !mixesBits(op) && !lowerIsLongDivision(op)) run.work += tileOpLength(op);
    run.isDouble |= isDouble(op);
    run.ops[run.count++] = op;
  }
  if (steps < least) run.count = 0;
  dropBehind(&run);
  return run;
}

/// Is all of `value` there? Of what a run hands to its own ops alone the last strip is.
static bool isWhole(Lowering *l, MlirValue value, int64_t registers) {
  MlirValue thread = lowerGet(l, value);
  return !mlirValueIsNull(thread) &&
         mlirShapedTypeGetDimSize(mlirValueGetType(thread), 0) == registers;
}

/// Floats that are widened for the run alone are widened in it: of the product of two halves, and
/// of a half with a constant, that is narrowed again the optimizer makes one of halves.
static void takeWidened(Lowering *l, Run *run, int64_t registers) {
  for (int k = 0; k < run->count && run->count < MOST_OPS; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(run->ops[k]); ++i) {
      MlirValue value = tileOperand(run->ops[k], i);
      MlirOperation from = tileValueGetOp(value);
      bool widens = !mlirOperationIsNull(from) && tileOpIs(from, "arith.extf") &&
                    belongs(from, registers) && !holds(run, from) && !escapes(run, from) &&
                    tileBitWidth(tileElementType(mlirValueGetType(tileOperand(from, 0)))) == 16 &&
                    isWhole(l, tileOperand(from, 0), registers);
      if (!widens || run->count == MOST_OPS) continue;
      memmove(run->ops + 1, run->ops, (size_t)run->count++ * sizeof *run->ops);
      run->ops[0] = from;
      ++k;
    }
}

/// The tiles from outside that the run reads, each once.
static int findOperands(Lowering *l, const Run *run, Operand *operands) {
  int count = 0;
  for (int k = 0; k < run->count; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(run->ops[k]); ++i) {
      MlirValue value = tileOperand(run->ops[k], i);
      bool known = !tileTypeIsTile(mlirValueGetType(value)) ||
                   (!mlirValueIsABlockArgument(value) && holds(run, tileValueGetOp(value)));
      for (int o = 0; o < count && !known; ++o) known = mlirValueEqual(operands[o].tile, value);
      if (known) continue;
      MlirOperation from = tileValueGetOp(value);
      int64_t part = !mlirOperationIsNull(run->dot) && mlirOperationEqual(from, run->dot)
                         ? lowerPartOf(from)
                         : 0;
      operands[count++] =
          (Operand){value, part ? (MlirValue){NULL} : lowerGet(l, value), part, false};
    }
  return count;
}

/// Has the run ops that read nothing of its dot, as scales that are multiplied first? LLVM would
/// make them for all parts in front of the first: what they read is held.
static void holdOperands(const Run *run, Operand *operands, int count) {
  bool reads[MOST_OPS] = {false};
  for (int k = 0; k < run->count; ++k) {
    MlirOperation op = run->ops[k];
    intptr_t n = mlirOperationGetNumOperands(op);
    for (intptr_t i = 0; i < n && !reads[k]; ++i) {
      MlirOperation from = tileValueGetOp(tileOperand(op, i));
      reads[k] = mlirOperationEqual(from, run->dot);
      for (int j = 0; j < k && !reads[k]; ++j)
        reads[k] = reads[j] && mlirOperationEqual(from, run->ops[j]);
    }
    for (int o = 0; o < count && !reads[k]; ++o)
      for (intptr_t i = 0; i < n; ++i)
        operands[o].isHeld |= mlirValueEqual(operands[o].tile, tileOperand(op, i));
  }
}

/// `value`, computed here and not where it is read. In words of 32 bits; others go as they are.
static MlirValue hold(Lowering *l, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t bits = mlirShapedTypeGetDimSize(type, 0) * tileBitWidth(tileElementType(type));
  if (tileBitWidth(tileElementType(type)) < 16 || bits % 32) return value;
  MlirType i32 = tileI32(l->b.context);
  MlirValue words[64],
      whole = tileBuildUnary(&l->b, "llvm.bitcast", tileVectorType(bits / 32, i32), value);
  for (int64_t i = 0; i < bits / 32; ++i) {
    MlirValue word = lowerExtract(l, whole, i);
    words[i] = tileResult(lowerInlineAsm(l, "mov.b32 $0, $1;", "=r,r", i32, 1, &word));
  }
  whole = lowerFromElements(l, i32, bits / 32, words);
  return tileBuildUnary(&l->b, "llvm.bitcast", type, whole);
}

static MlirLogicalResult lowerStrip(Lowering *l, const LowerArms *arms, const Operand *operands,
                                    int count, int64_t first) {
  for (int o = 0; o < count; ++o) {
    MlirValue tile = operands[o].tile;
    bool made = !mlirValueIsABlockArgument(tile) && isMade(tileValueGetOp(tile));
    if (made && first == 0) TILE_TRY(lowerFind(tileValueGetOp(tile))(l, tileValueGetOp(tile)));
    if (made) continue;
    int64_t length = operands[o].length, at = length ? first % length : first;
    MlirValue slice = lowerExtractSlice(l, operands[o].whole, at, l->strip);
    lowerSet(l, tile, operands[o].isHeld ? hold(l, slice) : slice);
  }
  return lowerInArms(l, arms);
}

/// Ends a strip that the next one is not to be mixed with: `pieces` has what it made of each op.
/// Beside a dot that is multiplied part by part the next part is what stands between: LLVM would
/// add up all parts behind the last one.
static void endStrip(Lowering *l, const Run *run, MlirValue *pieces, int64_t strips) {
  for (int k = 0; k < run->count; ++k)
    if (!isMade(run->ops[k]) && escapes(run, run->ops[k]))
      pieces[k * strips] = hold(l, pieces[k * strips]);
  if (mlirOperationIsNull(run->dot)) lowerStandApart(l);
}

/// Of a dot that is multiplied part by part: the part that begins with register `first`, if one
/// does.
static void lowerPartFrom(Lowering *l, LowerParts *parts, Operand *operands, int count,
                          int64_t first) {
  for (int o = 0; o < count; ++o)
    if (operands[o].length && first % operands[o].length == 0) {
      int64_t strip = l->strip;
      l->strip = 0;
      operands[o].whole = lowerNextPart(l, parts);
      l->strip = strip;
    }
}

static MlirLogicalResult lowerRun(Lowering *l, const Run *run, int64_t registers) {
  int64_t strips = registers / stripOf(l, run);
  Operand operands[3 * MOST_OPS];
  LowerParts *parts = mlirOperationIsNull(run->dot) ? NULL : lowerBeginParts(l, run->dot);
  if (!parts && !mlirOperationIsNull(run->dot)) return mlirLogicalResultFailure();
  int count = findOperands(l, run, operands);
  if (parts) holdOperands(run, operands, count);
  MlirValue *pieces = calloc((size_t)(run->count * strips), sizeof *pieces);
  if (!pieces) abort();
  l->strip = stripOf(l, run);
  LowerArms arms = {run->ops, run->count, calloc((size_t)run->count, sizeof *arms.arms), lowerFind};
  if (!arms.arms) abort();
  int64_t least = tileMachineNumber(l->machine, TILE_NUMBER_STRIP_ARM);
  lowerFindArms(&arms, isLong(l, run) ? least : INT64_MAX);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (int64_t s = 0; s < strips && mlirLogicalResultIsSuccess(result); ++s) {
    lowerPartFrom(l, parts, operands, count, s * l->strip);
    result = lowerStrip(l, &arms, operands, count, s * l->strip);
    for (int k = 0; k < run->count; ++k)
      pieces[k * strips + s] = lowerGet(l, tileResult(run->ops[k]));
    if (parts || (isLong(l, run) && s + 1 < strips)) endStrip(l, run, pieces + s, strips);
  }
  l->strip = 0;
  for (int o = 0; o < count; ++o) lowerSet(l, operands[o].tile, operands[o].whole);
  for (int k = 0; k < run->count && mlirLogicalResultIsSuccess(result); ++k)
    if (escapes(run, run->ops[k]) || isCompared(run, run->ops[k])) {
      MlirValue *slices = lowerNewSlices(strips);
      memcpy(slices, pieces + k * strips, (size_t)strips * sizeof *slices);
      lowerSet(l, tileResult(run->ops[k]), lowerJoinSlices(l, strips, slices));
    }
  free(parts);
  free(pieces);
  free(arms.arms);
  return result;
}

/// A dot and what reads it, a part at a time, where nothing else does.
static MlirLogicalResult lowerDotInParts(Lowering *l, MlirOperation dot, MlirOperation *last) {
  int64_t registers = registersOf(mlirValueGetType(tileResult(dot)));
  int64_t part = lowerPartOf(dot),
          strip = tileMachineNumber(l->machine, TILE_NUMBER_STRIP_REGISTERS);
  if (part % strip || registers % part) return mlirLogicalResultSuccess();
  Run run = findRun(l, mlirOperationGetNextInBlock(dot), registers, true, 1);
  if (!run.count || escapes(&run, dot)) return mlirLogicalResultSuccess();
  run.dot = dot;
  *last = run.ops[run.count - 1];
  for (int i = 0; i < run.numBeside; ++i) TILE_TRY(lowerFind(run.beside[i])(l, run.beside[i]));
  return lowerRun(l, &run, registers);
}

MlirLogicalResult lowerStrips(Lowering *l, MlirOperation op, MlirOperation *last) {
  *last = (MlirOperation){NULL};
  if (!mlirOperationGetNumResults(op)) return mlirLogicalResultSuccess();
  if (lowerPartOf(op)) return lowerDotInParts(l, op, last);
  int64_t registers = registersOf(mlirValueGetType(tileResult(op)));
  bool isLarge = registers >= tileMachineNumber(l->machine, TILE_NUMBER_STRIP_LEAST);
  if (registers <= tileMachineNumber(l->machine, TILE_NUMBER_STRIP_LONG_REGISTERS))
    return mlirLogicalResultSuccess();
  Run run = findRun(l, op, registers, !l->hasDots, 2);
  if (!run.count) return mlirLogicalResultSuccess();
  run.hasArms = run.isDouble && !l->hasDots && hasArms(l, &run);
  bool isFew = registers <= tileMachineNumber(l->machine, TILE_NUMBER_STRIP_WHOLE);
  run.isWhole = isFew && isOfIntegers(&run);
  if (!isLarge && !isLong(l, &run)) return mlirLogicalResultSuccess();
  *last = run.ops[run.count - 1];
  takeWidened(l, &run, registers);
  for (int i = 0; i < run.numBeside; ++i) TILE_TRY(lowerFind(run.beside[i])(l, run.beside[i]));
  return lowerRun(l, &run, registers);
}
