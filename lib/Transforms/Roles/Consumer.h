//===- Consumer.h - the part of a program that reads channels ---*- C -*-===//
//
// Before:  %s = tile_gpu.alloc_shared : !tile_gpu.buffer<..>     After:  tile_gpu.barrier_wait
// %full[%stage], %phase
//          tile_gpu.desc_copy %desc[..] into %s                      %d = tile.dot %ring[%stage],
//          .. %d = tile.dot %s, ..                                  tile_gpu.barrier_arrive
//          %empty[%stage]
//
// Loops that hold channels carry their cursors. A dot that may stay in flight frees the
// slot of the dot before it, which one tile_gpu.dot_wait says is done; the last one is waited for
// behind the loop.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_CONSUMER_H
#define TILE_TRANSFORMS_CONSUMER_H

#include "Channels.h"

/// Rewrites `block`, in which everything that fills the channels is found, in place: the copies
/// and their buffers vanish.
void tileBuildConsumer(MlirBlock block, TileChannels *channels);

#endif
