//===- Sums.h - sums whose loop several blocks divide ------*- C -*-===//
#ifndef TILE_TRANSFORMS_SUMS_H
#define TILE_TRANSFORMS_SUMS_H

#include "../Channels.h"
#include "../Stores/StoreBoxes.h"

enum { tileMaxParts = 8, tileMaxSplits = 32 };

/// Null where blocks can be a cluster's; else why not.
const char *tileMayHaveClusters(MlirOperation func);
/// Null where blocks can have a part each of the loop that reads the channels; else why not:
/// "expected ..., found ...".
const char *tileMaySplitSums(const TileChannels *channels);

/// Bytes of shared memory in which blocks show each other what they have, one sum at a time.
int64_t tileSumsGetBytes(MlirOperation func, const TileChannels *channels);

/// Lets each of `parts` blocks end with a share of the program's sums, and store that: says so on
/// the tile_gpu.add_parts and tile_gpu.collect_parts, and in `stores`. False, and a remark, where
/// block 0 has to have all.
bool tileShareSums(MlirOperation func, int parts, TileBoxStores *stores);

#endif
