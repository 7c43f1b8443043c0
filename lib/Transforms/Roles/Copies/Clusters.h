//===- Clusters.h - which copies blocks of a cluster can share --*- C -*-===//
//
// See ShareCopies.c, the pass. What a launch's model expects of it, of kernels as they are written
// and with the numbers of the launch, is in lib/Session/Tune/Sharing.c: the plan has no launch, and
// the model no boxes.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_CLUSTERS_H
#define TILE_TRANSFORMS_CLUSTERS_H

#include "../Channels.h"

enum { tileMaxCluster = 8, tileMaxCuts = 3 };

typedef struct {
  MlirOperation list[tileMaxChannels * tileMaxBoxes]; ///< tile_gpu.desc_copy, channel by channel
  int count;
} TileSharedCopies;

/// Which copies clusters of `blocks` (2, 4 or 8) can share. Null, or why there can be no clusters:
/// "expected ..., found ...".
const char *tileFindSharedCopies(MlirOperation func, const TileChannels *channels, int blocks,
                                 TileSharedCopies *shared);

/// Do some of these copies follow from x of a program alone, and others from y, as both operands of
/// a product do? Blocks of two rows and two columns of the grid then share both.
bool tileSharesAcross(MlirOperation func, const TileSharedCopies *shared);

/// The same of all boxes that loops of a kernel copy.
bool tileLoopsShareAcross(MlirOperation func);

/// How often a box of `desc` can be halved, for up to `blocks` blocks: between its copies first,
/// and then `cuts` times each of those. False where the copy engine cannot copy it in parts.
bool tileSplitBox(MlirType desc, int blocks, int *splits, int *cuts);

#endif
