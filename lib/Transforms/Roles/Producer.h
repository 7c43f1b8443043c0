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

/// Clones it at `b`, filling the channels' rings. True where two warps are to run it, which
/// take turns with programs; false: one, as where a block has one program (`once`).
bool tileProducerBuild(TileProducer *producer, TileBuilder *b, bool once);

#endif
