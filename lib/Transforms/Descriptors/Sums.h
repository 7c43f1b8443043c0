//===- Sums.h - what the copy engine may add to memory ----------*- C -*-===//
#ifndef TILE_TRANSFORMS_DESCRIPTORS_SUMS_H
#define TILE_TRANSFORMS_DESCRIPTORS_SUMS_H

#include "tile/IR.h"

/// Is `op` a tile.atomic_rmw that adds what a dot of its loop computed, and whose old values nobody
/// looks at? The rest is for tileWhyNotAdded.
bool tileAddsProduct(MlirOperation op);
/// Why the copy engine may not add it, as much later as it comes to that; null where it may. In
/// what order others see it (acq_rel, as Triton has it where nothing is said) is not asked: no
/// program looks at the array, and what is a product's part of a sum tells nobody anything.
const char *tileWhyNotAdded(MlirOperation func, MlirOperation op);

#endif
