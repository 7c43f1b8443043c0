//===- LongerLoop.h - a loop that can take a step for each box --*- C -*-===//
//
// Before:  scf.for %k = %0 to %n step %s { .. }
// After:   scf.for %k = %0 to max(%n, %0 + boxes * %s) step %s { .. }
//
// Deferred stores take place between the first steps of a program's loop, a step for each box
// (DeferStores.c). These steps always run, so a loop of fewer must do no harm with more: it reads
// boxes whose position along K is no less than their extent there once the counter has passed the
// bound, as c * %k is for a bound of (extent + c - 1) / c, so all of them are zeros.
//
// Producer and consumers count the same slots: so this is done before they part.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LONGER_LOOP_H
#define TILE_TRANSFORMS_LONGER_LOOP_H

#include "Channels.h"
#include "Stores/StoreBoxes.h"

/// Null where `stores` can take place between steps of the one async channel's loop, which lies
/// beside them; else why not: "expected ..., found ...".
const char *tileMayDefer(const TileChannels *channels, const TileBoxStores *stores);
/// lower + n * step
MlirValue tileBuildAfterSteps(TileBuilder *b, MlirOperation loop, int n);
/// Lets that loop take as many steps as there are boxes.
void tileLengthenLoop(const TileChannels *channels, const TileBoxStores *stores);

#endif
