//===- Stored.h - what is stored of a value ---------------------*- C -*-===//
//
//   %y = arith.mulf %x, %scale
//   %z = arith.truncf %y                  of %x: 16 bits of an element of %z are stored, and
//   tile.store %to, %z                    32 of %y, 48 bits in all
//   tile.store %there, %y
//
// Layouts follow what is stored where that is more than what is computed (Layouts/Assign).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_STORED_H
#define TILE_STORED_H

#include "tile/IR.h"
#include "tile/Support/ValueSearch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bits of an element of what stores write of `value`, as it is or as element-wise ops make of it,
/// in those stores that `counts` holds of; in all of them where it is NULL. `isRead`: does anything
/// else look at it, or are there too many values? The search ends there, where it is not NULL.
int64_t tileStoredBits(MlirValue value, TileOpTest counts, void *data, bool *isRead);

/// One step of this, for a search of one's own: what is stored of `value` as it is. Adds what
/// element-wise ops make of it to `s`, and sets `*isRead` where something else looks at it.
int64_t tileStoredAdd(TileValueSearch *s, MlirValue value, TileOpTest counts, void *data,
                      bool *isRead);

#ifdef __cplusplus
}
#endif

#endif // TILE_STORED_H
