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

/// The first and the last dot of the step that read the load's tile, where dots of the body alone
/// do, and it as it lies in the ring; else false.
bool tileFeedFindDots(const TileFeeds *f, MlirOperation load, MlirOperation *first,
                      MlirOperation *last);

/// Is `store` one that tileFeedReplace makes a view of a slot?
bool tileFeedsReplaceStore(const TileFeeds *f, MlirOperation store);
/// Replaces a feed's load by reads of `slot`, a block of its ring, and erases it. The readers stay
/// in their places.
void tileFeedReplace(const TileFeed *feed, MlirValue slot);
/// The same where the loop streams: the thread reads its own copy, where the load stood.
void tileFeedReplaceStream(const TileFeed *feed, MlirValue slot);

#endif
