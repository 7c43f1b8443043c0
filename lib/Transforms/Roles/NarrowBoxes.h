//===- NarrowBoxes.h - columns of padding are not copied --------*- C -*-===//
//
// Before:  %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x256xf16, order = [0, 1]>
//          tile_gpu.desc_copy %desc[%j, %k] into %b : !tile.desc<256x64xf16> -> ..
//          tile.dot %a, %b, %acc by wgmma {tile.extents = array<i64: 128, 240>}
// After:   %b = tile_gpu.alloc_shared : !tile_gpu.buffer<64x240xf16, order = [0, 1]>
//          tile_gpu.desc_copy %narrow[%j, %k] into %b : !tile.desc<240x64xf16> -> ..
//          tile.dot %a, %b, %acc by wgmma {tile.extents = array<i64: 128, 240>}
//
// A box whose rows are B's columns ([N, K] in memory) has as many rows as there are columns to
// multiply; one whose rows are B's rows ([K, N]) as many boxes of 64 columns as hold them. Both are
// still what the wgmma's descriptors say. What a ring's slot saves may be another stage.
//
// Blocks of a cluster that share a box cut it where rows are even patterns of 8 (Clusters.c): 72
// rows are copied by one of them, as 80 in two parts take longer, and a stage less fits.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_NARROW_BOXES_H
#define TILE_TRANSFORMS_NARROW_BOXES_H

#include "Channels.h"

/// Narrows the boxes of B that wgmmas alone read. True where any was: channels have to be found
/// again.
bool tileNarrowBoxes(const TileChannels *channels);

#endif
