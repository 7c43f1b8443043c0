//===- Engine.h - whether boxes are for the copy engine ---------*- C -*-===//
#ifndef TILE_TRANSFORMS_ENGINE_H
#define TILE_TRANSFORMS_ENGINE_H

#include "tile/IR.h"

/// Do warps with roles of their own copy the boxes that dots of `func` read, in programs of `warps`
/// warps? (tile-warp-specialize: whole warp groups.) Else boxes are tiles of pointers.
static inline bool tileEngineTakesBoxes(MlirOperation func, int64_t warps) {
  const TileMachine *machine = tileMachineOf(func);
  return tileMachineHasRoles(machine) &&
         warps >= tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_LEAST) &&
         warps <= tileMachineNumber(machine, TILE_NUMBER_ROLE_WARPS_MOST);
}

#endif
