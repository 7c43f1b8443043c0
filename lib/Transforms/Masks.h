//===- Masks.h - masks of accesses ------------------------------*- C -*-===//
#ifndef TILE_TRANSFORMS_MASKS_H
#define TILE_TRANSFORMS_MASKS_H

#include "tile/IR.h"

/// `load` with another mask (null: none) in its place.
MlirOperation tileLoadWithMask(MlirOperation load, MlirValue mask);
/// Has `access`, a tile.load, tile.store or atomic, do nothing where `condition`, an i1, is false.
void tileAccessOnlyIf(MlirOperation access, MlirValue condition);

#endif
