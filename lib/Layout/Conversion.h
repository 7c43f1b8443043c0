//===- Conversion.h - the parts of a conversion plan ----------------------===//
//
// Internal to lib/Layout. Conversion.c chooses; Shuffles.c and Scratch.c plan.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LAYOUT_CONVERSION_H
#define TILE_LAYOUT_CONVERSION_H

#include "tile/Layout.h"

/// Issue slots of a warp scheduler, roughly: an ALU instruction is 1; a shuffle or one wavefront of
/// shared memory is 2, since four schedulers share one unit of 32 lanes a cycle; a barrier with the
/// addresses and the latency around it is 64.
enum { COST_WAVEFRONT = 2, COST_BARRIER = 64 };

/// Plans dst = src within warps, `map` being the local position map. False when no assignment of
/// rounds makes every round one shuffle.
bool layoutPlanShuffles(const TileLayout *src, const TileLayout *dst, const TileLayout *map,
                        int elementBytes, TileShufflePlan *plan);

/// What it costs to carry the plan out.
int layoutShufflesCost(const TileShufflePlan *plan, int elementBytes);

/// Plans dst = src through scratch; returns the cost.
int layoutPlanScratch(const TileLayout *src, const TileLayout *dst, int elementBytes,
                      int64_t maxBytes, TileScratchPlan *plan);

#endif // TILE_LAYOUT_CONVERSION_H
