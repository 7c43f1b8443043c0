//===- WarmCache.h - first boxes come to the L2 cache at once ---*- C -*-===//
//
// Before:  %a = tile.make_desc ..
//          %b = tile.make_desc ..
//          tile_gpu.barrier_init ..
//          scf.for %k = 0 .. step 64 { tile_gpu.desc_copy %a[%i, %k], %b[%k, %j] .. }
// After:   %a = tile.make_desc ..
//          %b = tile.make_desc ..
//          tile_gpu.prefetch_array %a first 256 of 1       // each thread of the grid: a line
//          tile_gpu.prefetch_array %b first 256 of 0
//          tile_gpu.barrier_init ..
//
// A block that has one program cannot hide the wait for its first boxes under an earlier one: 2,100
// cycles of 10,500 at 1000 x 1000 x 1000 in f16, half of which is DRAM's latency, that of the
// slowest of many requests. So warps that have nothing to do ask for the first steps' boxes of all
// blocks before barriers and positions are there. They ask for no more: all of both arrays would
// keep the first boxes waiting (figures: docs/results/notebook/hopper.md).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_WARM_CACHE_H
#define TILE_TRANSFORMS_WARM_CACHE_H

#include "Channels.h"

/// Prefetches, at `b`, what loops copy of arrays of rank 2 in their first steps. For blocks of one
/// program each.
void tileWarmCache(TileBuilder *b, const TileChannels *channels);

#endif
