//===- Engine.c - whether boxes are for the copy engine -------------------===//
#include "Engine.h"
#include "../Loops.h"

/// Bits of a tile that the step of a loop carries, or that its dots compute.
static int64_t bitsOf(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tileTypeIsTile(type) ? tileNumElements(type) * tileBitWidth(tileElementType(type)) : 0;
}

/// Does the dot add to what the loop carries? It may have been scaled before.
static bool isCarried(MlirOperation dot, MlirOperation loop) {
  MlirOperation yield = mlirBlockGetTerminator(tileBody(loop, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    if (mlirValueEqual(tileOperand(yield, i), tileResult(dot))) return true;
  return false;
}

/// Is it a part of the next dot's sum, in the same registers?
static bool isChained(MlirOperation dot) {
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  return !mlirOpOperandIsNull(use) && tileOpIsADot(mlirOpOperandGetOwner(use)) &&
         mlirOpOperandGetOperandNumber(use) == 2;
}

/// Registers of a thread of one warp group that dots of a step of `loop` take: sums, and `times`
/// what others compute, of which something of the same size is computed. 0 of a single dot: steps
/// of copies and one product overlap by themselves.
static int64_t stepWords(MlirOperation loop, int times) {
  enum { groupThreads = 128 };
  int64_t bits = 0;
  int dots = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (!tileOpIsADot(op) || isChained(op)) continue;
    bits += bitsOf(tileResult(op)) * (isCarried(op, loop) ? 1 : times);
    ++dots;
  }
  return dots > 1 ? bits / (32 * groupThreads) : 0;
}

bool tileEngineWouldBeAlone(MlirOperation func, int64_t warps) {
  enum { blocks = 2, threads = 160 };
  const TileMachine *m = tileMachineOf(func);
  if (warps != tileMachineNumber(m, TILE_NUMBER_ROLE_WARPS_LEAST)) return false;
  int64_t shared = 0, least = 0, each = m->registers / blocks / threads;
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    int64_t words = stepWords(loops.ops[i], 2), once = stepWords(loops.ops[i], 1);
    if (words > shared) shared = words;
    if (once > least) least = once;
  }
  tileOpListDestroy(&loops);
  return shared + tileMachineNumber(m, TILE_NUMBER_ROLE_REGISTERS) > each && least > 0 &&
         least <= m->threadRegisters;
}

bool tileEngineTakesBoxes(MlirOperation func, int64_t warps) {
  const TileMachine *machine = tileMachineOf(func);
  if (!tileMachineHasRoles(machine) ||
      warps < tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST) ||
      warps > tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_MOST))
    return false;
  return !tileEngineWouldBeAlone(func, warps);
}
