//===- LastRound.h - may two blocks share each of the last programs? -*- C -*-===//
//
// Products must stay with the warp group that computes them: only element-wise ops read them, and
// what turns them round where they were computed transposed, whose warp groups have columns, and
// boxes that hold what one group has. Kernels that combine them with other tiles (a bias) have no
// register to spare and keep a block for each program. ShareLastRound.c is the pass.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LAST_ROUND_H
#define TILE_TRANSFORMS_LAST_ROUND_H

#include "../Stores/StoreBoxes.h"

/// Null where blocks can share programs, else why not: "expected ..., found ...". All results leave
/// through `stores`.
const char *tileMayShareLastRound(MlirOperation func, const TileBoxStores *stores, int warpGroups);
/// The same, and why it would not pay.
const char *tileShouldShareLastRound(MlirOperation func, const TileBoxStores *stores,
                                     int warpGroups);

/// The turn of a block of a cluster of so many: the counter of `loop`, which is over programs, or
/// what the block adds to it. Null where there is none.
MlirValue tileFindTurn(MlirOperation func, MlirOperation loop, int64_t cluster);

#endif
