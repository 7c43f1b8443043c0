//===- OtherWarps.h - warps that hide each other's loads --------*- C -*-===//
#ifndef TILE_TRANSFORMS_OTHER_WARPS_H
#define TILE_TRANSFORMS_OTHER_WARPS_H

#include "../Feeds.h"

/// Warps that a multiprocessor has of a launch, of a loop that streams, where they keep enough on
/// their way by themselves: one waits while others compute. What runs ahead takes registers of its
/// own, for the next steps' addresses and masks, by which up to half of the warps go, and
/// instructions. Enough is half of all warps, or what memory asks for. 0: they do not, or nobody
/// knows.
int64_t tileFeedsOtherWarps(const TileFeeds *f, int64_t numWarps);

/// Does each step of a loop around read the same again, as a search for a threshold does its row?
/// Then the caches have it, which answer loads sooner than copies of a word each are made.
bool tileFeedsComeAgain(const TileFeeds *f);

#endif
