//===- Worklist.h - ops that a round still has to look at --------*- C -*-===//
//
//   TileWorklist waiting = tileWorklistCreate(count);  // all of them
//   size_t n = tileWorklistNext(&waiting, 0);
//   for (; n != TILE_WORKLIST_END; n = tileWorklistNext(&waiting, n + 1))
//     look(n);  // may add others: those behind n come yet, those before it the next time
//   tileWorklistDestroy(&waiting);
//
// A set of numbers below `count`, those of ops in program order, taken out in order. Going on costs
// as little as what lies between the least and the greatest of them is short.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_WORKLIST_H
#define TILE_TRANSFORMS_WORKLIST_H

#include <stddef.h>
#include <stdint.h>

#define TILE_WORKLIST_END SIZE_MAX

typedef struct {
  uint64_t *words;   ///< a bit a number; owned
  size_t first, end; ///< no bit stands before word `first`, or at `end` and behind
} TileWorklist;

/// All numbers below `count`. Ends the process where there is no memory.
TileWorklist tileWorklistCreate(size_t count);
void tileWorklistDestroy(TileWorklist *waiting);

/// Adds `first` to `last`, both too.
void tileWorklistAdd(TileWorklist *waiting, size_t first, size_t last);
/// Takes out the least that is `from` or more, TILE_WORKLIST_END where there is none.
size_t tileWorklistNext(TileWorklist *waiting, size_t from);
/// Takes out the greatest that is less than `below`, the same.
size_t tileWorklistPrevious(TileWorklist *waiting, size_t below);

#endif
