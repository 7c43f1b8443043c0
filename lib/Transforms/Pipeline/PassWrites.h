//===- PassWrites.h - loops with dots, and with writes ----------*- C -*-===//
#ifndef TILE_TRANSFORMS_PASS_WRITES_H
#define TILE_TRANSFORMS_PASS_WRITES_H

#include "Feeds.h"

/// Divides loops whose dots read tiles from memory that they also write, where addresses are known
/// well enough, by what a launch's addresses are (see Hazards.h). `wish`: the stages that loops
/// have which do not say; loops of one stay as they are. tileFindLoops finds others afterwards.
void tileLetPassWrites(MlirOperation func, int64_t wish);

#endif
