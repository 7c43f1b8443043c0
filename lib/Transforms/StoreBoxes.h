//===- StoreBoxes.h - results leave through the copy engine -----*- C -*-===//
//
// Before:  tile.buffer_store %v, %b                     // all of 128 x 256, 64 KiB
//          tile.desc_write %desc[%i, %j] from %b
// After:   for each 64 columns at c:
//            %p = tile.extract_tile %v[0, c]
//            tile.buffer_store %p, %slot                // 16 KiB, one of two in turn
//            tile.tma_store_wait 0
//            tile.group_barrier
//            tile.tma_store %desc'[%i, %j + c] from %slot
//
// Of a box with padding (extents) the columns before that: 240 are boxes at 0, 64, 128 and, over
// some of the one before, 176. The ring's slots take turns; where their number is odd, the first
// one waits for the last one of the program before.
//
// Each warp group stores the rows that it holds, and waits for nobody else. Its barrier
// also says that the one thread which issues its stores has seen the store before this one
// finish reading: so the other slot, which comes next, is free.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_STORE_BOXES_H
#define TILE_TRANSFORMS_STORE_BOXES_H

#include "tile/IR.h"

/// Of a program.
enum { tileMaxStores = 8 };

/// A tile.desc_write that can go box by box.
typedef struct {
  MlirOperation write, store, alloc;
  MlirOperation desc; ///< the tile.make_desc
  int64_t columns;    ///< of a box
  int64_t end;        ///< columns that are stored; not below `columns`
  int boxes, slots;
  MlirType part;    ///< what each thread holds of one box
  MlirType staging; ///< !tile.buffer of a box, `slots` stages
  MlirValue ring;   ///< made of it
  MlirValue made;   ///< descriptor of a warp group's rows
} TileBoxStore;

/// Can the store go box by box, with `warpGroups` of four warps that hold rows of their own?
bool tileFindBoxStore(MlirOperation write, int warpGroups, TileBoxStore *result);
/// Makes its ring and descriptor at `b`, in front of all that warps with roles do.
void tileBuildBoxStoreRing(TileBuilder *b, TileBoxStore *store, int warpGroups);
/// Emits box number `box` of `value` at `b`; indices are those of the whole tile. `once`: nothing
/// else is ever staged in its ring.
void tileBuildStoreBox(TileBuilder *b, const TileBoxStore *store, MlirValue value, MlirValue row,
                       MlirValue column, int box, bool once);
/// Replaces the op and its buffer by all boxes; `once` as above.
void tileReplaceByBoxes(TileBoxStore *store, bool once);

#endif
