//===- Tf32Parts.h - what tensor cores see of an f32 ------------*- C -*-===//
#ifndef TILE_SUPPORT_TF32_PARTS_H
#define TILE_SUPPORT_TF32_PARTS_H

#include "tile/IR.h"

/// The bits of an f32 that tensor cores see of it, and those that are a bf16.
enum { TILE_UPPER_OF_TF32 = (int32_t)0xffffe000, TILE_UPPER_OF_BF16 = (int32_t)0xffff0000 };

/// `x`, an f32 or a tile of them, with its lower bits cleared.
MlirValue tileBuildLargePart(TileBuilder *b, MlirValue x, int32_t upper);

/// What tensor cores do not see of `x` as tf32, and a little of its sign; `x` where that is
/// infinite (tile-split-precision).
MlirValue tileBuildSmallPart(TileBuilder *b, MlirValue x);

#endif
