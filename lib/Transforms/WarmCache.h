//===- WarmCache.h - arrays come to the L2 cache at once --------*- C -*-===//
//
// Before:  %a = tile.make_desc ..
//          %b = tile.make_desc ..
//          tile.barrier_init ..
// After:   %a = tile.make_desc ..
//          %b = tile.make_desc ..
//          tile.prefetch_array %a       // each thread of the grid: one line of 128 bytes
//          tile.prefetch_array %b
//          tile.barrier_init ..
//
// A block that has one program cannot hide the wait for its first boxes under an earlier one: 3,000
// cycles at 1000 x 1000 x 1000 in f16 and clusters of 8, which is DRAM's latency, that of the
// slowest of many requests. All threads together ask for the arrays before maps, barriers and
// positions are there.
//
// Speed by cuBLAS's there (H200, 2026-11-22): .991 before, 1.015 after. In pairs it loses, .923
// before and .915 after. So it is for clusters of 4 and more.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_WARM_CACHE_H
#define TILE_TRANSFORMS_WARM_CACHE_H

#include "Channels.h"

/// Prefetches, at `b`, each array of known extents that a loop copies boxes of, where clusters of
/// `blocks` are large enough. For blocks of one program each.
void tileWarmCache(TileBuilder *b, const TileChannels *channels, int blocks);

#endif
