//===- LoopBarriers.h - barriers of loops that write nothing ----*- C -*-===//
#ifndef TILE_TRANSFORMS_LOOP_BARRIERS_H
#define TILE_TRANSFORMS_LOOP_BARRIERS_H

#include "tile/IR.h"

/// Moves the barriers out of loops of `func` that write nothing: one behind each such loop, and one
/// in front of it where something may have been written by then.
void tileMoveLoopBarriers(MlirOperation func);

#endif
