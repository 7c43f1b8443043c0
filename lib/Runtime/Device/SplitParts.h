//===- SplitParts.h - memory of split programs (private) --------*- C -*-===//
//
// tile/Runtime/Launcher.h says what it is for. One launcher's launches have it one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_RUNTIME_SPLIT_PARTS_H
#define TILE_LIB_RUNTIME_SPLIT_PARTS_H

#include "tile/Runtime/Launcher.h"

typedef struct TileSplitParts {
  TileKernel *kernel;   ///< borrowed; NULL: its programs are not split
  TileDevicePtr global; ///< of the module
  uint64_t bytes;       ///< of a program's parts
  uint32_t blocks;      ///< of a program; 1: it is not split
  TileDevicePtr memory; ///< for so many programs: their numbers, then their parts
  uint64_t programs;
  void *stream; ///< of the last launch
  bool hasStream;
} TileSplitParts;

/// Finds out whether the kernel's programs are split. False after an error.
bool tileSplitPartsCreate(TileKernel *kernel, TileSplitParts *parts, TileError *error);

/// Has memory for a launch of `programs` on `stream` (NULL: the device's own) ready. Where there is
/// less, it is made anew, behind all that the device has to do; and a launch on another stream than
/// the last one's waits for that.
bool tileSplitPartsPrepare(TileSplitParts *parts, uint64_t programs, TileStream *stream,
                           TileError *error);

void tileSplitPartsDestroy(TileSplitParts *parts);

#endif // TILE_LIB_RUNTIME_SPLIT_PARTS_H
