//===- Lots.h - two lots of loads that are copied by turns ------*- C -*-===//
#ifndef TILE_TRANSFORMS_LOTS_H
#define TILE_TRANSFORMS_LOTS_H

#include "../Feeds.h"

/// How many loads are the first of two lots, which are as equal as can be, and are put in front of
/// the others: all, where dots alone read them, by turns; 0 where there are no two lots else.
/// `*next` is the first dot of the step that reads the second one, if there is one.
int tileFeedsDivideLots(TileFeeds *f, MlirOperation *next);

#endif
