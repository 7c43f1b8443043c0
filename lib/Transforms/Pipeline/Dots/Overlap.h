//===- Overlap.h - a loop whose dots overlap: its parts ---------*- C -*-===//
//
// What tile-overlap-dots (OverlapDots.c) finds out of a loop, and EmitOverlap.c writes the new one
// by.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_OVERLAP_H
#define TILE_TRANSFORMS_OVERLAP_H

#include "tile/IR.h"

enum { maxOps = 512, maxCarried = 64, maxReleases = 4 };

/// The parts in the order of a step: what is computed for the second dot of the step before, the
/// first dot, the second dot, what turns round what the next one reads, what follows the first,
/// what makes A of the next second dot, and what follows the second.
typedef enum {
  PART_ADDEND,
  PART_BEGIN,
  PART_SECOND,
  PART_TURN,
  PART_REST,
  PART_OPERAND,
  PART_END,
  PART_RELEASE
} Part;

/// An arrival that frees the slot of a dot: a barrier of a ring, whose stage the loop carries.
typedef struct {
  MlirOperation arrive, view;
  intptr_t stage; // number of what the loop carries
} Release;

typedef struct {
  MlirOperation func, loop;
  MlirBlock body;
  MlirOperation ops[maxOps];
  Part parts[maxOps];
  int numOps, first, second; // of ops; first: -1 where there is one dot
  bool delayed[maxCarried];  // does the second half make what the loop carries?
  MlirValue crossing[maxCarried];
  int numCrossing;
  bool turns; // do several warp groups share the tensor cores?
  // Of a dot alone that only adds: what frees its slots, once the dot behind it has started.
  Release releases[maxReleases];
  int numReleases;
} Overlap;

/// Replaces the loop by one whose steps are the first half of a step and the second of the one
/// before it, between what begins the first step and what ends the last.
void overlapEmit(const Overlap *o);

#endif
