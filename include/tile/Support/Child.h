//===- Child.h - work that may not end well, in a child process -*- C -*-===//
//
// Compilers end their process where memory is out, and crash where they are wrong. A host that must
// live on has such work done by a copy of itself, which is lost instead:
//
//   child:   the calling thread alone; streams to nowhere; signals as they are by default; no more
//            memory and time than it is given; the first that a system short of memory ends
//   parent:  waits, and gets what the child wrote
//
// What other threads hold at the moment of the fork stays locked in the child: glibc's own
// functions see to that, and work that takes locks of other libraries holds forks back meanwhile.
//===----------------------------------------------------------------------===//
#ifndef TILE_CHILD_H
#define TILE_CHILD_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a child may take.
typedef struct TileChildLimits {
  size_t memory;  ///< bytes beyond what its parent has; 0: no limit
  double seconds; ///< 0: no limit
} TileChildLimits;

typedef enum TileChildEnd {
  TILE_CHILD_DONE,      ///< the work came to its end
  TILE_CHILD_NONE,      ///< the system gave no process
  TILE_CHILD_CRASHED,   ///< the work ended its process
  TILE_CHILD_NO_MEMORY, ///< for want of memory, as far as can be told
  TILE_CHILD_NO_TIME,
} TileChildEnd;

/// Does `work` in a child. What it writes to `out` becomes `*result`, of `*size` bytes, which the
/// caller frees; NULL but for TILE_CHILD_DONE. Any thread may call it.
TileChildEnd tileChildRun(const TileChildLimits *limits, void (*work)(void *data, FILE *out),
                          void *data, char **result, size_t *size);
/// "found that memory was out" and so on; static.
const char *tileChildDescribe(TileChildEnd end);

/// Between the two no child is forked. They do not nest.
void tileChildHoldForks(void);
void tileChildAllowForks(void);

#ifdef __cplusplus
}
#endif

#endif // TILE_CHILD_H
