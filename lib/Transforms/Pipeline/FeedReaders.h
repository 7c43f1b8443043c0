//===- FeedReaders.h - who reads a load, and then its copies ----*- C -*-===//
#ifndef TILE_TRANSFORMS_FEEDREADERS_H
#define TILE_TRANSFORMS_FEEDREADERS_H

#include "Feeds.h"

/// Does `op` stand in `body`, a loop's, or in a branch of a step?
bool tileIsInStep(MlirOperation op, MlirBlock body);

/// A block of the ring for `load`: as the first dot that reads it wants it, else plain.
MlirType tileFeedGetBlock(const TileFeeds *f, MlirOperation load, bool *forDot);
/// A block for rows that begin anywhere, which are copied chunk by chunk; null: they are not. A
/// chunk is several threads': where they read their own copies alone there are none.
MlirType tileFeedGetRaggedBlock(const TileFeeds *f, MlirOperation load);
/// A tile of two dimensions that a dot multiplies, as it is or computed with on its way.
bool tileFeedReachesDot(const TileFeeds *f, MlirOperation load);

/// Who reads a load's tile in a step.
typedef struct {
  MlirOperation first, last; ///< of the loop's body
  bool threads;              ///< does one of them want it in registers, not as it lies in the ring?
} TileReaders;

/// False where one is neither a dot of the body nor a thread that reads the ring for the step's own
/// use.
bool tileFeedFindReaders(const TileFeeds *f, MlirOperation load, TileReaders *readers);

/// Is `store` one that tileFeedReplace makes a view of a slot?
bool tileFeedsReplaceStore(const TileFeeds *f, MlirOperation store);
/// Replaces a feed's load by reads of `slot`, a block of its ring, and erases it. The readers stay
/// in their places.
void tileFeedReplace(const TileFeed *feed, MlirValue slot);
/// The same where the loop streams: the thread reads its own copy, where the load stood.
void tileFeedReplaceStream(const TileFeed *feed, MlirValue slot);

#endif
