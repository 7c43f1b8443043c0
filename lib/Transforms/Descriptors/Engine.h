//===- Engine.h - whether boxes are for the copy engine ---------*- C -*-===//
#ifndef TILE_TRANSFORMS_ENGINE_H
#define TILE_TRANSFORMS_ENGINE_H

#include "tile/IR.h"

/// Have two blocks of one warp group and a warp that copies too few registers for what a loop of
/// several dots holds, and two blocks without that warp enough?
bool tileEngineWouldBeAlone(MlirOperation func, int64_t warps);
/// Do warps with roles of their own copy the boxes that dots of `func` read, in programs of `warps`
/// warps? (tile-warp-specialize: whole warp groups.) Else boxes are tiles of pointers. So they are
/// where a multiprocessor would have one block of one warp group: nothing runs beside it while it
/// waits, or computes for its next product. Without a warp that copies there is room for two.
bool tileEngineTakesBoxes(MlirOperation func, int64_t warps);

#endif
