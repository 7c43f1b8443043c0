//===- Producer.h - the part of a program that fills channels ---*- C -*-===//
//
// What a kernel's boxes follow from (their indices, the loops around them) is scalar
// arithmetic on program ids and loop counters. The producer runs just this once more,
// for itself, as far ahead as the rings allow.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PRODUCER_H
#define TILE_TRANSFORMS_PRODUCER_H

#include "Channels.h"

typedef struct TileProducer TileProducer;

/// Finds what the channels' boxes in `block` (and the loops it holds) follow from. What is defined
/// outside `block` is taken as it is. Null, with *reason set ("expected ..., found ..."), where
/// that is more than scalar arithmetic and loops. To be destroyed by the caller.
TileProducer *tileProducerCreate(MlirBlock block, const TileChannels *channels,
                                 const char **reason);
void tileProducerDestroy(TileProducer *producer);

/// Finds the channels of a kernel whose warps can have roles. Null, or why they cannot: "expected
/// ..., found ...".
const char *tileFindRoles(MlirOperation func, TileChannels *channels);

/// Can two warps take turns with the programs of `channels`? All have to fill as many slots, which
/// is known before the first: their loops are of i32, directly in the program, with bounds from in
/// front of it. `lengthened`: the loop of dots in flight still gets a bound of its own
/// (LongerLoop.h).
bool tileCanTakeTurns(const TileChannels *channels, bool lengthened);
/// Clones it at `b`, filling the channels' rings. `pair`: two warps are to run it, which take turns
/// with programs. Only where blocks share copies, and tileCanTakeTurns.
void tileProducerBuild(TileProducer *producer, TileBuilder *b, bool pair);

#endif
