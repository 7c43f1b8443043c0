//===- Pack.h - copies of arrays that are aligned (private) -----*- C -*-===//
//
// tile/Runtime/Launcher.h says when. A packer has the memory of one launcher's copies.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_RUNTIME_PACK_H
#define TILE_LIB_RUNTIME_PACK_H

#include "tile/Runtime/Launcher.h"

/// Different arrays of a launch.
enum { TILE_MAX_PACKED = 16 };

/// One array, and its copy.
typedef struct TilePacked {
  TileTensorMapSpec from, to;
  TileDevicePtr memory;
  size_t bytes; ///< of the memory
} TilePacked;

typedef struct TilePacker {
  TileKernel *kernel; ///< TILE_PACK, borrowed
  TilePacked arrays[TILE_MAX_PACKED];
  unsigned count; ///< of those of the next launch
  /// Where the copies were made last.
  void *stream;
  bool hasStream;
} TilePacker;

/// Does the engine refuse such an array for its base or strides?
bool tilePackIsNeeded(const TileTensorMapSpec *spec);

/// Puts the copy's place into `spec`, and adds the array to those of the next launch, once. Memory
/// that is too small is made anew: nothing may be using it.
bool tilePackAdd(TilePacker *packer, TileTensorMapSpec *spec, TileError *error);

/// Makes all copies, on `stream` (NULL: the device's own).
bool tilePackRun(TilePacker *packer, TileStream *stream, TileError *error);

void tilePackDestroy(TilePacker *packer);

#endif // TILE_LIB_RUNTIME_PACK_H
