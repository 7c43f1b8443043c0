//===- Counts.h - arguments that count something ----------------*- C -*-===//
//
// Heads that share keys find theirs by the numbers of heads and groups:
//
//   kv = pid / heads * groups + pid % heads / (heads / groups)      row = kv * length + j
//
// which is >= 0 where all of these are, and nobody says so. But nobody divides by a negative number
// of things, or has a loop go up to one: such arguments are taken to be >= 0 where boxes come of
// it, and whoever encodes a descriptor sees it, in the extent of an array that has none, and
// refuses the launch:
//
//   extent = 2^31 - 1, or -1 where one of them is negative
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_COUNTS_H
#define TILE_TRANSFORMS_COUNTS_H

#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"

/// More would make a descriptor's description long (TILE_TENSOR_MAP_TEXT).
enum { tileMaxCounts = 4 };

/// Sets `found`, of as many as the kernel has arguments, where one whose sign is not known divides
/// something, bounds a loop, or is a factor or dividend of a divisor, as in pid % heads / (heads /
/// groups). False where there is none, or more than are watched.
bool tileFindCounts(MlirOperation func, const TileAxisAnalysis *axes, bool *found);

/// The extent, of i32, at `b`, at the top of the kernel.
MlirValue tileBuildWatchedExtent(TileBuilder *b, MlirOperation func, const bool *watched);

#endif
