//===- OwnParts.h - what a thread reduces by itself -------------*- C -*-===//
//
// Of what a reduction combines along its axis a thread has some in its own registers: that needs no
// other thread. What is left of the axis then, one element for each thread that has a part, is
// combined by lanes and warps.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_OWNPARTS_H
#define TILE_TRANSFORMS_OWNPARTS_H

#include "Layouts.h"
#include "tile/Analysis/Laws.h"
#include "tile/Analysis/Scratch.h"

/// A reduction of one tile, and the bits along its axis that a thread's registers have.
typedef struct {
  MlirOperation reduce;
  TileLayout layout; ///< of what is reduced
  int axis;
  uint64_t own;
  bool isAll; ///< One thread has the program, and all of every axis: tiles have no layouts.
} TileOwnPart;

/// Finds them for `part->reduce`, unless `isAll` says; null, or why that is not known.
const char *tilePlanOwnPart(TileOwnPart *part);

/// Has each thread all of the axis?
bool tileOwnPartIsWhole(const TileOwnPart *part);

/// Words of a thread that are left when it has combined its own.
int64_t tileOwnPartWords(const TileOwnPart *part);

/// What a thread has of `value`, a tile as the reduction's operand, along the axis becomes one
/// element: the tile with the rest of the axis, as one dimension, or without that dimension where
/// nothing is left.
MlirValue tileReduceOwn(TileBuilder *b, const TileOwnPart *part, MlirValue value);

/// Such parts combined by all threads: the reduction's result.
MlirValue tileReduceRest(TileBuilder *b, const TileOwnPart *part, MlirValue parts);

#endif
