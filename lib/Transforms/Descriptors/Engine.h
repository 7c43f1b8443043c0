//===- Engine.h - whether boxes are for the copy engine ---------*- C -*-===//
#ifndef TILE_TRANSFORMS_ENGINE_H
#define TILE_TRANSFORMS_ENGINE_H

#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"

/// Is it one warp group whose loop has several dots, of which one's result is computed with, in
/// registers that are enough? It waits for itself then, and other blocks of the multiprocessor run
/// meanwhile: the more without a warp that copies.
bool tileEngineWouldBeAlone(MlirOperation func, int64_t warps);
/// Do warps with roles of their own copy the boxes that dots of `func` read, in programs of `warps`
/// warps? (tile-warp-specialize: whole warp groups.) Else boxes are tiles of pointers.
bool tileEngineTakesBoxes(MlirOperation func, int64_t warps);
/// Replaces a tile.desc_load, of a tile.make_desc, by a load through pointers
/// (ExpandDescriptors.c); `axes` are of its kernel. The descriptor goes with its last reader.
void tileExpandBox(MlirOperation load, TileAxisAnalysis *axes);

#endif
