//===- WarmCache.h - first boxes come to the L2 cache at once ---*- C -*-===//
#ifndef TILE_TRANSFORMS_WARM_CACHE_H
#define TILE_TRANSFORMS_WARM_CACHE_H

#include "../Channels.h"

/// Does any loop copy what the cache can be asked for `steps` steps ahead: of arrays of rank 2, by
/// its counter?
bool tileCanWarmCache(MlirOperation func, const TileChannels *channels, int64_t steps);

#endif
