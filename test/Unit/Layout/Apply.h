//===- Apply.h - layouts as the functions that they are ---------*- C -*-===//
//
// By these, element by element, the tests say what the algebra's results have to be.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_APPLY_H
#define TILE_TEST_APPLY_H

#include "tile/Layout.h"

/// The packed coordinate held at a position of a distributed layout.
static inline uint64_t applyLayout(TileLayout layout, uint32_t reg, uint32_t lane, uint32_t warp) {
  return tileLayoutApplyDim(&layout, TILE_REGISTER, reg) ^
         tileLayoutApplyDim(&layout, TILE_LANE, lane) ^
         tileLayoutApplyDim(&layout, TILE_WARP, warp);
}

#endif
