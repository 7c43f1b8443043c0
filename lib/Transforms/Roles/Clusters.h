//===- Clusters.h - blocks that share copies of boxes -----------*- C -*-===//
//
// The blocks of a cluster work through neighbouring programs at the same time, and step by step
// through the same loops. Where several of them want the same box of an array, each copies a part
// of it into the shared memory of all (multicast), so that the L2 cache is asked for it once:
//
//   block          0            1            2            3            programs t .. t + 3
//   wants of A     (0, k)       (128, k)     (256, k)     (384, k)     nobody shares
//   wants of B     (k, 0)       (k, 0)       (k, 0)       (k, 256)     0, 1 and 2 share
//
// Which blocks want the same is found when the program begins: the first threads of the producer's
// warp compute the positions of a block's boxes each, which follow from the program's number by
// scalar arithmetic, and vote. Of n blocks that share, 2^floor(log2 n) copy a part.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_CLUSTERS_H
#define TILE_TRANSFORMS_CLUSTERS_H

#include "Channels.h"

enum { tileMaxCluster = 8 };

/// Which copies blocks can share: fills in `shared` of channels, for clusters of `blocks` (2, 4 or
/// 8). Null, or why there can be no clusters: "expected ..., found ...".
const char *tileShareCopies(MlirOperation func, TileChannels *channels, int blocks);

/// Fills in `shares` of boxes that can be shared, in front of the program's loops that copy them;
/// their `cuts` stand behind the whole boxes' descriptors.
void tileBuildSharing(MlirValue rank, TileChannels *channels);

#endif
