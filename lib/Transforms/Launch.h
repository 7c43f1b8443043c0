//===- Launch.h - what a kernel knows of its launch -------------*- C -*-===//
//
//   tile.func @kernel(..) attributes {tile_gpu.single_wave = 1 : i32}      // tile-specialize
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LAUNCH_H
#define TILE_TRANSFORMS_LAUNCH_H

#include "tile/IR.h"

/// How many multiprocessors, 1 or 2, the device has for each program; 0 where it has fewer, or
/// nobody knows.
static inline int64_t tileLaunchGetMultiprocessors(MlirOperation func) {
  return tileIntAttr(func, "tile_gpu.single_wave", 0);
}

/// How many programs each multiprocessor has, rounded down to a power of two; 0 where it has fewer
/// than one, or nobody knows.
static inline int64_t tileLaunchGetPrograms(MlirOperation func) {
  return tileIntAttr(func, "tile_gpu.programs", 0);
}

#endif // TILE_TRANSFORMS_LAUNCH_H
