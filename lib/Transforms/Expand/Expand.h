//===- Expand.h - what tile-expand-ops rewrites, an op each -----*- C -*-===//
#ifndef TILE_TRANSFORMS_EXPAND_H
#define TILE_TRANSFORMS_EXPAND_H

#include "tile/Patterns.h"

/// Patterns (tile/Patterns.h): a tile.rand as the arithmetic of its generator ..
bool tileExpandRand(TileBuilder *b, MlirOperation op, void *data, MlirValue *results);
/// .. and a math.ipowi as multiplications.
bool tileExpandIPowI(TileBuilder *b, MlirOperation op, void *data, MlirValue *results);

#endif
