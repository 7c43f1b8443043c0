//===- Expand.h - what tile-expand-ops rewrites, an op each -----*- C -*-===//
#ifndef TILE_TRANSFORMS_EXPAND_H
#define TILE_TRANSFORMS_EXPAND_H

#include "tile/IR.h"

/// Replaces a tile.rand by the arithmetic of its generator.
void tileExpandRand(MlirOperation op);
/// Replaces a math.ipowi by multiplications.
void tileExpandIPowI(MlirOperation op);

#endif
