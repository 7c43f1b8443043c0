//===- Blocks.c - blocks that a multiprocessor has at a time --------------===//
#include "../../Launch.h"
#include "../../Loops.h"
#include "Plan.h"
#include "tile/Analysis/DotForm.h"
#include "tile/MachineNumbers.h"
#include "tile/Trace.h"

/// Does `dot` compute what the next step begins with? It may be of more than it began with itself,
/// as in attention, which scales it.
static bool isHandedOn(MlirOperation dot) {
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  return !mlirOpOperandIsNull(use) && tileOpIs(mlirOpOperandGetOwner(use), "scf.yield");
}

/// Does `value` become, element by element, a part of what the next step begins with, as a product
/// of blocks that is scaled and added? It takes no more than itself.
static bool isAdded(MlirValue value) {
  for (MlirOpOperand use; !mlirOpOperandIsNull(use = tileOnlyUse(value));) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (tileOpIs(reader, "scf.yield")) return true;
    if (!tileOpIsElementwise(reader)) return false;
    value = tileResult(reader);
  }
  return false;
}

/// Is what `value` becomes, element by element, read more than once? As where a row's maximum is
/// taken off it; what is converted and stored is not.
static bool isReadAgain(MlirValue value) {
  for (MlirOpOperand use; !mlirOpOperandIsNull(use = tileOnlyUse(value));) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (mlirOperationGetNumResults(reader) != 1 || mlirOperationGetNumRegions(reader)) return false;
    value = tileResult(reader);
  }
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

/// Does `value` become, element by element, nothing but reductions, as where weights of a softmax
/// are summed up? That takes a few elements more at a time.
static bool isOnlyReduced(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (tileOpIsAReduce(reader)) continue;
    bool passes = tileOpIsElementwise(reader) || tileOpIsAReshape(reader);
    if (!passes || tileOpGetEffects(reader) || !isOnlyReduced(tileResult(reader))) return false;
  }
  return true;
}

/// Words of the dots that an inner loop sums up and this step computes with, as where products are
/// cut along what they sum.
static int64_t innerWords(MlirOperation inner) {
  int64_t words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(inner); ++i) {
    MlirValue sum = mlirOperationGetResult(inner, i);
    if (tileTypeIsTile(mlirValueGetType(sum)) && isReadAgain(sum))
      words += 2 * tileTypeGetWords(mlirValueGetType(sum));
  }
  return words;
}

/// Registers of a thread that what `dot` computes takes in its step: twice, where it is read to
/// compute something of the same size that is kept.
static int64_t wordsOfDot(MlirOperation dot) {
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(dot)));
  if (isAdded(tileResult(dot))) return words;
  int64_t strip = tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_STRIP_REGISTERS);
  return words + (isOnlyReduced(tileResult(dot)) && strip < words ? strip : words);
}

/// Registers of a thread that a step of `loop` takes for tiles: what it carries, and what its other
/// dots compute.
static int64_t stepWords(MlirOperation loop) {
  int64_t words = tileCarriedWords(loop);
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsADot(op) && !isHandedOn(op) && !tileDotIsAddedTo(op)) words += wordsOfDot(op);
    if (tileOpIs(op, "scf.for")) words += innerWords(op);
  }
  return words;
}

/// The same of a block of ops around loops: the sums of a loop that are read behind it, and what a
/// dot behind it computes of one of them, as a product of low rank.
static int64_t behindWords(MlirBlock block) {
  int64_t sums = 0, most = 0;
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpIsADot(op) && sums) {
      int64_t words = sums + tileTypeGetWords(mlirValueGetType(tileResult(op)));
      if (words > most) most = words;
    }
    if (tileOpIs(op, "scf.for")) sums = tileCarriedWords(op);
  }
  return most;
}

/// Is all that steps multiply reduced there, and nothing else, as where a row's best score is
/// looked for? Each waits for its own products then.
static bool waitsInSteps(MlirOperation func) {
  TileOpList loops = {0};
  int count = 0;
  bool waits = true;
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) TILE_FOR_EACH_OP(op, tileBody(loops.ops[i], 0)) {
      if (!tileOpIsADot(op)) continue;
      waits &= isOnlyReduced(tileResult(op));
      ++count;
    }
  tileOpListDestroy(&loops);
  return waits && count;
}

/// Registers that a thread may want.
static int64_t countRegisters(MlirOperation func) {
  TileOpList loops = {0};
  int64_t most = behindWords(tileKernelGetProgram(func));
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    int64_t words = stepWords(loops.ops[i]);
    if (words > most) most = words;
  }
  tileOpListDestroy(&loops);
  TileNumber besides =
      waitsInSteps(func) ? TILE_NUMBER_ROLE_WAITED_REGISTERS : TILE_NUMBER_ROLE_REGISTERS;
  return most + tileKernelGetNumber(func, besides);
}

/// Warps of a block that is not alone, those that copy among them.
static int64_t warpsOf(const TilePlan *p) { return 4 * p->warpGroups + p->schedule.producers; }

bool tileBlocksHaveRegisters(const TilePlan *p, int64_t blocks) {
  const TileMachine *m = tileMachineOf(p->func);
  return tileMachineShareRegisters(m, (int)warpsOf(p), (int)blocks) >= countRegisters(p->func);
}

/// Cycles that products of the longest step take; -1 where one waits for another one.
static double stepCycles(MlirOperation func) {
  TileOpList loops = {0};
  double most = 0;
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count && most >= 0; ++i) {
    double cycles = 0;
    TILE_FOR_EACH_OP(op, tileBody(loops.ops[i], 0)) {
      if (!tileOpIsADot(op)) continue;
      if (!isHandedOn(op) && !isAdded(tileResult(op)) && !tileDotIsAddedTo(op)) most = -1;
      cycles += tileDotGetCycles(op);
    }
    if (most >= 0 && cycles > most) most = cycles;
  }
  tileOpListDestroy(&loops);
  return most;
}

/// Do warp groups of one program overlap by themselves? Two of them do not where steps are short:
/// each waits for its box as long as it multiplies it. Nor do they where each step waits for what
/// it multiplies: they do so at the same time.
static bool overlapsItself(const TilePlan *p) {
  if (p->warpGroups != 2) return p->warpGroups > 1;
  if (waitsInSteps(p->func)) return false;
  double cycles = stepCycles(p->func);
  return cycles < 0 || cycles > (double)tileKernelGetNumber(p->func, TILE_NUMBER_ROLE_PAIR_CYCLES);
}

int64_t tileCountBlocks(const TilePlan *p) {
  const TileMachine *m = tileMachineOf(p->func);
  int64_t most = tileKernelGetNumber(p->func, TILE_NUMBER_ROLE_BLOCKS);
  // Clusters and launches of one round have a multiprocessor for each block. Of a round that is
  // split there are blocks enough.
  bool single =
      tileLaunchGetMultiprocessors(p->func) && p->schedule.lastRound != TILE_LAST_ROUND_SPLIT;
  if (p->schedule.cluster > 1 || single || overlapsItself(p)) return 1;
  int64_t warps = warpsOf(p), each = countRegisters(p->func);
  int64_t granule = m->warpRegisterGranule, warp = (32 * each + granule - 1) / granule * granule;
  int64_t blocks = m->registers / (warps * warp);
  tileTrace(mlirOperationGetLocation(p->func), "registers that a thread may want: %d", (int)each);
  return blocks < 1 ? 1 : blocks < most ? blocks : most;
}
