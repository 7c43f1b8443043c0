//===- Loops.h - the loops of a kernel --------------------------*- C -*-===//
//
// A pass that rewrites loops finds them first: a walk would meet what it has made.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LOOPS_H
#define TILE_TRANSFORMS_LOOPS_H

#include "tile/IR.h"

/// `{0}` has none; the list is its own until tileLoopsDestroy.
typedef struct {
  MlirOperation *list;
  int count;
  size_t capacity;
} TileLoops;

/// Adds `root`, if it is an scf.for, and those inside, inner ones first.
void tileFindLoops(MlirOperation root, TileLoops *loops);
void tileLoopsDestroy(TileLoops *loops);

/// The number of what the loop around `dot` carries for its sum, which nothing else reads before
/// the loop ends; -1 where it is no such sum.
intptr_t tileDotCarried(MlirOperation dot);

#endif
