//===- Loops.h - the loops of a kernel --------------------------*- C -*-===//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LOOPS_H
#define TILE_TRANSFORMS_LOOPS_H

#include "tile/IR.h"

/// Does `op` stand in a warp's role? (tile-warp-specialize)
bool tileIsInRole(MlirOperation op);
/// Adds `root`, if it is an scf.for, and those inside, inner ones first.
void tileFindLoops(MlirOperation root, TileOpList *loops);

/// The number of what the loop around `dot` carries for its sum, which nothing else reads before
/// the loop ends; -1 where it is no such sum.
intptr_t tileDotCarried(MlirOperation dot);

#endif
