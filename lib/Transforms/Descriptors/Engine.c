//===- Engine.c - whether boxes are for the copy engine -------------------===//
#include "Engine.h"
#include "../Loops.h"
#include "tile/MachineNumbers.h"

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

/// Registers of a thread of one warp group that results of the dots of `loop` take; 0 where the
/// dots are one, or all sums that the loop carries: steps of copies and such products overlap by
/// themselves.
static int64_t stepWords(MlirOperation loop) {
  enum { groupThreads = 128 };
  int64_t bits = 0;
  int dots = 0, sums = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (!tileOpIsADot(op) || tileDotIsAddedTo(op)) continue;
    bits += bitsOf(tileResult(op));
    sums += isCarried(op, loop);
    ++dots;
  }
  return dots > 1 && sums < dots ? bits / (32 * groupThreads) : 0;
}

bool tileEngineWouldBeAlone(MlirOperation func, int64_t warps) {
  const TileMachine *m = tileMachineOf(func);
  if (warps != tileMachineNumber(m, TILE_NUMBER_ROLE_WARPS_LEAST)) return false;
  int64_t most = 0;
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    int64_t words = stepWords(loops.ops[i]);
    if (words > most) most = words;
  }
  tileOpListDestroy(&loops);
  return most > 0 && most <= m->threadRegisters;
}

bool tileEngineTakesBoxes(MlirOperation func, int64_t warps) {
  const TileMachine *machine = tileMachineOf(func);
  if (!tileMachineHasRoles(machine) || !mlirAttributeIsNull(tileAttr(func, "tile.no_boxes")) ||
      warps < tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST) ||
      warps > tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_MOST))
    return false;
  return !tileEngineWouldBeAlone(func, warps);
}
