//===- Waiting.h - ops that a round still has to look at --------*- C -*-===//
//
//   TileWaiting waiting = tileWaitingCreate(count);  // all of them
//   size_t n = tileWaitingNext(&waiting, 0);
//   for (; n != TILE_NOBODY; n = tileWaitingNext(&waiting, n + 1))
//     look(n);  // may add others: those behind n come yet, those before it the next time
//   tileWaitingDestroy(&waiting);
//
// A set of numbers below `count`, those of ops in program order, taken out in order. Going on costs
// as little as what lies between the least and the greatest of them is short.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_WAITING_H
#define TILE_TRANSFORMS_WAITING_H

#include <stddef.h>
#include <stdint.h>

#define TILE_NOBODY SIZE_MAX

typedef struct {
  uint64_t *words;   ///< a bit a number; owned
  size_t first, end; ///< no bit stands before word `first`, or at `end` and behind
} TileWaiting;

/// All numbers below `count`. Ends the process where there is no memory.
TileWaiting tileWaitingCreate(size_t count);
void tileWaitingDestroy(TileWaiting *waiting);

/// Adds `first` to `last`, both too.
void tileWaitingAdd(TileWaiting *waiting, size_t first, size_t last);
/// Takes out the least that is `from` or more, TILE_NOBODY where there is none.
size_t tileWaitingNext(TileWaiting *waiting, size_t from);
/// Takes out the greatest that is less than `below`, the same.
size_t tileWaitingPrevious(TileWaiting *waiting, size_t below);

#endif
