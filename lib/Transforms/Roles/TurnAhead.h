//===- TurnAhead.h - operands that threads turn round, ahead ----*- C -*-===//
//
// Before:  scf.for {
//            %s = tile.dot ..
//            barrier_wait V ; %v = tile_gpu.buffer_load %slot ; tile_gpu.group_barrier
//            tile_gpu.barrier_arrive E
//            %t = tile_gpu.alloc_shared ; tile_gpu.buffer_store %v, %t
//            %d = tile.dot %p, %t, %sum by wgmma }
// After:   %ring = tile_gpu.alloc_shared .., stages = 3
//          gpu.barrier
//          scf.for .. iter_args(%n = 0) {
//            %s = tile.dot ..
//            barrier_wait V ; %v = tile_gpu.buffer_load %slot ; tile_gpu.group_barrier
//            tile_gpu.barrier_arrive E
//            %t = tile_gpu.buffer_stage %ring[%n] ; tile_gpu.buffer_store %v, %t
//            gpu.barrier
//            %d = tile.dot %p, %t, %sum by wgmma
//            %next = (%n + 1) % 3 }
//
// What threads read from a box and store the other way round for one dot (tile-assign-layouts)
// depends on nothing but the box: it may run under dots in front, the one of the step before too
// (tile-overlap-dots). One barrier a step is enough with three slots: who stores into a slot again
// has met all others in the step before, in which they had ended the dot that read it, two or
// three steps ago.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_TURN_AHEAD_H
#define TILE_TRANSFORMS_TURN_AHEAD_H

#include "tile/IR.h"

enum { tileTurnSlots = 3 };

/// Is it a buffer of a loop's step into which threads store what they have read from a box, for B
/// of one wgmma alone?
bool tileIsTurned(MlirOperation alloc);

/// Makes rings of such buffers in the body of `loop`, which is in the consumers' part of a
/// tile_gpu.warp_specialize; what fills them stands behind the first dot. Returns the loop that
/// stands for it.
MlirOperation tileTurnAhead(MlirOperation loop);

/// Does the op belong to what fills such a ring?
bool tileFillsTurned(MlirOperation op);
/// Does the dot read such a ring?
bool tileReadsTurned(MlirOperation dot);

#endif
