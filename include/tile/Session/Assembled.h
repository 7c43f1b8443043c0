//===- Assembled.h - PTX that was assembled before ----------------*- C -*-===//
//
// A kernel is compiled once more for launches of which something else is known, and mostly its PTX
// is another: but where nothing of it depends on that, it is the same to the last letter. ptxas,
// which takes two thirds of a compilation, is not asked again for text that it was given a short
// while ago, nor twice at the same time:
//
//   TileAssembledCode made;
//   if (!tileAssembledFind(assembled, key, &made)) {
//     ... ptxas ...
//     tileAssembledKeep(assembled, key, &made);
//   }
//
// Any thread may call these. What outlives the process is the cache's affair
// (tile/Runtime/Cache.h).
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_ASSEMBLED_H
#define TILE_SESSION_ASSEMBLED_H

#include "tile/Runtime/Cache.h"
#include "tile/Target/Registers.h"
#include "tile/Target/Target.h"

/// Machine code, and what it takes of a thread: 0 registers where that is unknown.
typedef struct TileAssembledCode {
  TileBlob code;
  TileRegisterUse use;
} TileAssembledCode;

typedef struct TileAssembled TileAssembled;

/// NULL where memory is out, which all other functions allow.
TileAssembled *tileAssembledCreate(void);
void tileAssembledDestroy(TileAssembled *assembled);

/// Code of `key`, the caller's to destroy; waits for another thread that makes it. False: the
/// caller makes it, and has to call tileAssembledKeep.
bool tileAssembledFind(TileAssembled *assembled, TileCacheKey key, TileAssembledCode *made);
/// What became of it; NULL: it could not be made. A copy is kept in place of what is there for
/// longest.
void tileAssembledKeep(TileAssembled *assembled, TileCacheKey key, const TileAssembledCode *made);

#endif
