//===- SinkTiles.c - large tiles are computed where they are wanted -------===//
//
// Before:  %rows = tile.splat %stride            // in front of the loop over programs, maybe
//          %offsets = arith.muli %.., %rows      // 128 registers a thread
//          scf.for .. {
//            %sum = scf.for .. { .. tile.dot .. }
//            %p = tile.addptr %c, %offsets
//            %value = arith.truncf %sum
//            tile.store %p, %value }
// After:   scf.for .. {
//            %sum = scf.for .. { .. tile.dot .. }
//            %value = arith.truncf %sum
//            %here = tile_gpu.pin %stride
//            %rows = tile.splat %here
//            %offsets = arith.muli %.., %rows
//            %p = tile.addptr %c, %offsets
//            tile.store %p, %value }
//
// A tile of offsets, pointers or a mask beside the result of a product takes as many registers as
// that. Where it is computed in front of the loop of dots it is alive over the loop, and there is
// no room for both: dots wait for each other, or registers spill. To compute it again costs an
// instruction or two for each element.
//
// Moved are chains of integer arithmetic on tiles that begin with scalars, positions and tiles of
// few registers, down to their first reader. Scalars from in front of a loop around are pinned, or
// LLVM would move what follows from them back there.
//
// What spreads over more registers than it was made of, as a row of scales that was loaded in front
// of the loop and is wanted as the result lies, spreads behind the loop: until then each thread has
// its part of the row alone, and nobody waits for the load. So it is within a step: what spreads in
// front of dots that the step starts, and is read behind them, spreads there.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/Layout.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Trace.h"
#include <stdlib.h>

enum { maxChain = 64 };

typedef struct {
  MlirOperation loop;
  TileValueMap sunk; ///< what there is behind the loop, by what was in front of it
  MlirOperation old[maxChain];
  int count;       ///< of old
  int64_t large;   ///< words
  int64_t numSunk; ///< tiles of so many
} Sinker;

/// Divisions are not computed twice, nor is what many threads compute together.
static bool isChain(MlirOperation op) {
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsASplat(op) || tileOpIsABroadcast(op) || tileOpIsAExpandDims(op) ||
      tileOpIsAArange(op) || tileOpIs(op, "arith.constant"))
    return true;
  return tileOpIsElementwise(op) && tileOpIsMovable(op) && mlirOperationGetNumResults(op) == 1 &&
         !tileTypeIsFloat(tileElementType(mlirValueGetType(tileResult(op)))) &&
         !tileOpDividesIntegers(op);
}

/// Registers of a thread, of which a truth takes one.
static int64_t countRegisters(MlirType type) {
  TileLayout layout;
  bool isTruth = tileBitWidth(tileElementType(type)) == 1;
  if (isTruth && tileTypeGetLayout(type, &layout))
    return INT64_C(1) << layout.inBits[TILE_REGISTER];
  return tileTypeGetWords(type);
}

/// Does `op` stand in front of the loop: there, or around?
static bool isInFront(const Sinker *s, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(s->loop);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), block)) return true;
  return mlirOperationIsBeforeInBlock(op, s->loop);
}

/// Does the tile follow from scalars and small tiles, in at most `left` ops?
static bool follows(const Sinker *s, MlirValue value, int *left) {
  MlirType type = mlirValueGetType(value);
  MlirOperation op = tileValueGetOp(value);
  if (!tileTypeIsTile(type)) return true;
  bool isSmall = countRegisters(type) < s->large;
  if (!isChain(op)) return isSmall;
  if (!isInFront(s, op) || tileValueMapHas(s->sunk, value)) return true;
  if (--*left < 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!follows(s, tileOperand(op, i), left)) return false;
  return true;
}

/// A scalar that comes from outside of the block around the loop, here.
static MlirValue pin(Sinker *s, TileBuilder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t number;
  bool isNumber = mlirTypeIsAInteger(type) &&
                  (mlirIntegerTypeGetWidth(type) == 32 || mlirIntegerTypeGetWidth(type) == 64);
  if (!isNumber || mlirBlockEqual(tileValueGetBlock(value), b->block) ||
      tileConstantInt(value, &number))
    return value;
  if (!tileValueMapHas(s->sunk, value)) {
    TileBuilder behind = *b;
    behind.before = mlirOperationGetNextInBlock(s->loop);
    tileValueMapSet(&s->sunk, value, tileBuild(&behind, "tile_gpu.pin", type, TILE_VALUES(value)));
  }
  return tileValueMapGet(s->sunk, value);
}

/// The tile, computed at `b`.
static MlirValue sink(Sinker *s, TileBuilder *b, MlirValue value) {
  if (!tileTypeIsTile(mlirValueGetType(value))) return pin(s, b, value);
  if (tileValueMapHas(s->sunk, value)) return tileValueMapGet(s->sunk, value);
  MlirOperation op = tileValueGetOp(value);
  if (!isChain(op) || !isInFront(s, op)) return value;
  MlirOperation made = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(made, i, sink(s, b, tileOperand(op, i)));
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, made);
  tileValueMapSet(&s->sunk, value, tileResult(made));
  if (s->count < maxChain) s->old[s->count++] = op;
  return tileResult(made);
}

static void sinkOperands(Sinker *s, MlirOperation user) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(user); ++i) {
    MlirValue value = tileOperand(user, i);
    MlirType type = mlirValueGetType(value);
    MlirOperation op = tileValueGetOp(value);
    int left = maxChain - s->count;
    // A number for all elements is one register.
    if (mlirOperationIsNull(op) || tileOpIsASplat(op) || tileOpIs(op, "arith.constant")) continue;
    if (!tileTypeIsTile(type) || countRegisters(type) < s->large || !isChain(op) ||
        !isInFront(s, op))
      continue;
    if (!follows(s, value, &left)) {
      if (left < 0)
        tileEmitRemark(mlirOperationGetLocation(op),
                       "a tile stays in registers: expected at most %d ops to compute it again "
                       "behind the loop, found more",
                       (int)maxChain);
      continue;
    }
    TileBuilder b = tileBuilderBefore(user);
    mlirOperationSetOperand(user, i, sink(s, &b, value));
    ++s->numSunk;
  }
}

static void moveToReader(MlirOperation op) {
  MlirOperation reader = tileFirstReader(op);
  if (!mlirOperationIsNull(reader)) mlirOperationMoveBefore(op, reader);
}

/// Ops of chains from `op` on, the last one first, go down to their readers: what they take would
/// be there beside the sums of products.
static void moveDown(MlirOperation op) {
  MlirOperation *chain = NULL;
  size_t count = 0, capacity = 0;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!isChain(op) || tileOpIs(op, "arith.constant") ||
        !tileTypeIsTile(mlirValueGetType(tileResult(op))))
      continue;
    chain = tileGrow(chain, count, &capacity, sizeof *chain);
    chain[count++] = op;
  }
  while (count) moveToReader(chain[--count]);
  free(chain);
}

/// Does `op` make a tile of more words than it reads?
static bool spreads(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op) ||
      !(tileOpIsAConvertLayout(op) || tileOpMovesElements(op) ||
        (tileOpIsElementwise(op) && tileOpIsMovable(op))))
    return false;
  MlirType type = mlirValueGetType(tileResult(op));
  int64_t words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    words += tileTypeGetWords(mlirValueGetType(tileOperand(op, i)));
  return words && tileTypeIsTile(type) && tileTypeGetWords(type) > words;
}

/// What spreads in front of the loop, and is read behind it alone, goes there; the last ones first,
/// whose operands may follow.
static void spreadBehind(MlirOperation loop) {
  TileOpList wide = {0};
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(loop));
  for (; !mlirOperationEqual(op, loop); op = mlirOperationGetNextInBlock(op))
    if (spreads(op)) tileOpListAdd(&wide, op);
  while (wide.count) {
    op = wide.ops[--wide.count];
    MlirOperation reader = tileFirstReader(op);
    if (!mlirOperationIsNull(reader) && mlirOperationIsBeforeInBlock(loop, reader))
      mlirOperationMoveBefore(op, reader);
  }
  tileOpListDestroy(&wide);
}

/// Where `op` of a step may stand instead: in front of what reads it first, or of the last wait for
/// a dot there, under which it runs; null where no dot starts between.
static MlirOperation findLaterPlace(MlirOperation op) {
  MlirOperation reader = tileFirstReader(op), place = reader;
  bool starts = false, passes = false;
  if (mlirOperationIsNull(reader)) return reader;
  for (MlirOperation at = op; !mlirOperationEqual(at, reader);
       at = mlirOperationGetNextInBlock(at)) {
    starts |= tileOpIsWgmma(at);
    if (!tileOpIsADotWait(at)) continue;
    place = at;
    passes = starts;
  }
  if (mlirOperationEqual(place, reader)) passes = starts;
  return passes ? place : (MlirOperation){NULL};
}

/// What spreads over more than a few registers in a step, and is read behind dots that the step
/// starts, goes there: the sums of dots on their way have its registers until then. Nothing that
/// exchanges through memory, whose barriers would stand elsewhere.
static void spreadWithin(MlirOperation loop) {
  TileOpList wide = {0};
  int64_t few = tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_HOISTED_WORDS);
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (spreads(op) && !tileOpScratchBytes(op) &&
        tileTypeGetWords(mlirValueGetType(tileResult(op))) > few)
      tileOpListAdd(&wide, op);
  }
  while (wide.count) {
    MlirOperation op = wide.ops[--wide.count], place = findLaterPlace(op);
    if (!mlirOperationIsNull(place)) mlirOperationMoveBefore(op, place);
  }
  tileOpListDestroy(&wide);
}

/// Sums of wgmma have to stay where they are; those of mma.sync may be moved and spilled, and there
/// what is in front of the loop is better left to ptxas.
static bool holdsDot(MlirOperation loop) {
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsWgmma(op)) return true;
  }
  return false;
}

static void sinkBehind(MlirOperation loop, int64_t large) {
  Sinker s = {.loop = loop, .large = large};
  moveDown(mlirOperationGetNextInBlock(loop));
  for (MlirOperation op = mlirOperationGetNextInBlock(loop); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    sinkOperands(&s, op);
  tileValueMapClear(&s.sunk);
  // Those whose users are gone went first.
  bool erased = true;
  while (erased) {
    erased = false;
    for (int i = 0; i < s.count; ++i) {
      if (mlirOperationIsNull(s.old[i]) ||
          !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(s.old[i]))))
        continue;
      mlirOperationDestroy(s.old[i]);
      s.old[i] = (MlirOperation){NULL};
      erased = true;
    }
  }
  if (s.numSunk)
    tileTrace(mlirOperationGetLocation(loop), "tiles that are computed again behind dots: %lld",
              (long long)s.numSunk);
}

static void runLoop(MlirOperation loop) {
  if (!holdsDot(loop)) return;
  sinkBehind(loop, tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_SUNK_WORDS));
  spreadBehind(loop);
  spreadWithin(loop);
}

MlirLogicalResult tileRunSinkTiles(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
