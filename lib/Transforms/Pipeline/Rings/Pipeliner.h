//===- Pipeliner.h - a loop whose copies run ahead --------------*- C -*-===//
//
// What tile-pipeline (Pipeline.c) decides about a loop, and RewriteLoop.c writes the new one by.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PIPELINER_H
#define TILE_TRANSFORMS_PIPELINER_H

#include "../../ValueMap.h"
#include "Stages.h"

/// A loop, what feeds its dots, and the decisions.
typedef struct {
  TileFeeds feeds;
  int stages;
  int ahead;          ///< steps that copies run ahead of their use
  bool whole;         ///< do all steps have a slot? Then all copies start in front of the loop
  bool boxesAlone;    ///< are all that fences are for?
  bool starts, flies; ///< are dots on their way while others start, also across steps?
  bool guards;        ///< do copies wait for the dot of the step before?
  int lot;            ///< feeds of the first lot, where there are two; else 0
  MlirOperation next; ///< the first dot that reads the second one
  MlirValue mayRun;   ///< i1: may copies run ahead? Null: always
  TileRings rings;    ///< of `feeds`
  TileValueMap map;   ///< from the old body's values
} TilePipeliner;

/// Replaces the loop, and erases it, by one whose steps copy what feeds them ahead. `map` stays the
/// caller's to clear.
void tilePipelinerRewrite(TilePipeliner *p);

#endif
