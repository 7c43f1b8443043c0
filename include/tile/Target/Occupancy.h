//===- Occupancy.h - how many blocks a multiprocessor holds -----*- C -*-===//
//
// Computed from the limits of the architecture ("Compute Capabilities", CUDA C++ Programming
// Guide): registers are given to a warp in 256s, shared memory to a block in 128 bytes with 1 KiB
// of the system's own on top.
//===----------------------------------------------------------------------===//
#ifndef TILE_OCCUPANCY_H
#define TILE_OCCUPANCY_H

#include "tile/Machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileOccupancyLimit {
  TILE_LIMIT_THREADS,
  TILE_LIMIT_BLOCKS,
  TILE_LIMIT_REGISTERS,
  TILE_LIMIT_SHARED,
} TileOccupancyLimit;

/// "threads", "blocks", "registers", "shared memory".
const char *tileOccupancyGetLimitName(TileOccupancyLimit limit);

typedef struct TileOccupancy {
  /// Blocks of the kernel that a multiprocessor holds at a time, and the share of its warps.
  int blocks;
  double share;
  /// What runs out first.
  TileOccupancyLimit limit;
} TileOccupancy;

/// Occupancy of blocks of `threads`, with registers a thread and bytes of shared memory a block.
TileOccupancy tileOccupancyCompute(const TileMachine *arch, int threads, int registers,
                                   int sharedBytes);

#ifdef __cplusplus
}
#endif
#endif // TILE_OCCUPANCY_H
