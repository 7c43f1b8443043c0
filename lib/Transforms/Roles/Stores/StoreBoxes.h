//===- StoreBoxes.h - results leave through the copy engine -----*- C -*-===//
//
// Before:  tile_gpu.buffer_store %v, %b                     // all of 128 x 256, 64 KiB
//          tile_gpu.desc_write %desc[%i, %j] from %b
// After:   for each 64 columns at c:
//            %p = tile_gpu.extract_tile %v[0, c]
//            tile_gpu.buffer_store %p, %slot                // 16 KiB, one of two in turn
//            tile_gpu.tma_store_wait 0
//            tile_gpu.group_barrier
//            tile_gpu.tma_store %desc'[%i, %j + c] from %slot
//
// Of a box with padding (extents) the columns before that: 240 are boxes at 0, 64, 128 and, over
// some of the one before, 176. And the rows before that: each box is then stored in parts whose
// heights are powers of two, 72 rows as 64 and 8. The ring's slots take turns; where their number
// is odd, the first one waits for the last one of the program before.
//
// Each warp group stores the rows that it holds, and waits for nobody else. Its barrier
// also says that the one thread which issues its stores has seen the store before this one
// finish reading: so the other slot, which comes next, is free.
//
// Boxes of more dimensions whose first extents are 1, a head's or a batch's say, are the same: what
// is stored is the tile of two dimensions of which tile.reshape made them.
//
// Of a product that was computed transposed (tile-transpose-dots) warp groups hold columns. Columns
// of 128 bytes are then taken for rows of another tile below those of the first 128, and rows
// behind the first H, as many as 16 KiB hold, for further columns: which moves nothing. The boxes
// that are staged at once lie beside each other in the array, not below (`across`). Of rows with
// padding the last box begins above its place, and ends with them: 152 rows are boxes of 32 at 0,
// 32, 64, 96 and 120.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_STORE_BOXES_H
#define TILE_TRANSFORMS_STORE_BOXES_H

#include "tile/IR.h"
#include "tile/Layout.h"

/// Of a program; and of a box: rows are a multiple of 8, 256 at most.
enum { tileMaxStores = 8, tileMaxBoxParts = 6 };

/// Rows of a box that are stored at once.
typedef struct {
  int64_t row, rows; ///< of the tile, as rows of warp groups; a power of two
  MlirType held;     ///< what each thread holds of it
  MlirType staging;  ///< !tile_gpu.buffer of it, as many stages as the box has slots
  MlirValue ring;    ///< made of it
  MlirValue made;    ///< descriptor of a warp group's rows
} TileBoxPart;

/// A tile_gpu.desc_write that can go box by box.
typedef struct {
  MlirOperation write, store, alloc;
  MlirOperation desc; ///< the tile.make_desc
  MlirValue value;    ///< what is stored, of two dimensions
  int rank;           ///< of the descriptor: the last two dimensions are the tile's
  int64_t columns;    ///< of a box
  int64_t end;        ///< columns that are stored; not below `columns`
  int64_t across; ///< columns of a box of warp groups that have all rows; 0: they have their own
  int64_t height; ///< rows of such a box
  bool adds;      ///< to what is there
  int boxes, slots;
  int blocks;        ///< of a program that have a share of the boxes each; 1 or less: one has all
  MlirValue all;     ///< i1: this one has all of them after all; null where these are a cluster's
  MlirValue part;    ///< i32: whose share a turn of a loop over programs has; null: the block's own
  TileLayout layout; ///< of rows of warp groups, of which boxes are cut
  TileBoxPart parts[tileMaxBoxParts];
  int numParts; ///< 1 unless rows are padding
  int shares;   ///< the number of the store whose ring it has, 0 that of the first; -1: its own
} TileBoxStore;

typedef struct {
  TileBoxStore list[tileMaxStores];
  int count;
  MlirOperation left; ///< the first for which there was no room in the list; null: there was
} TileBoxStores;

/// Finds the stores of a program (Kernel.h), at its own level, that can go box by box.
void tileFindBoxStores(MlirOperation func, TileBoxStores *stores);

/// Finds what loops of a program add to memory that can go box by box; their rings are shared.
void tileFindBoxSums(MlirOperation func, TileBoxStores *sums);

/// Lets stores that stage boxes of one kind have one ring: so they wait for one another, and leave
/// room.
void tileShareBoxStoreRings(TileBoxStores *stores);

/// Of all of them together.
int tileCountBoxes(const TileBoxStores *stores);

/// Shared memory for what is staged in a ring of its own.
int64_t tileBoxStoreBytes(const TileBoxStore *store);

/// What it takes besides to stage all its boxes at a time.
int64_t tileBoxStoreMoreBytes(const TileBoxStore *store);
/// Gives each store, which has a ring of its own, a slot for each of its boxes.
void tileStageAllBoxes(TileBoxStores *stores);

/// Can the store go box by box, with `warpGroups` of four warps that hold rows or columns of their
/// own? In as many boxes as `boxes` at least, where they need not have rows of less than 32 bytes.
bool tileFindBoxStore(MlirOperation write, int warpGroups, int boxes, TileBoxStore *result);
/// The first column of a box in `layout`.
int64_t tileBoxStoreColumn(const TileBoxStore *store, int box);
/// The first box that is block number `block`'s of so many; the last one's end is block `blocks`'s.
int tileBoxStoreFirst(const TileBoxStore *store, int block, int blocks);
/// Makes its rings and descriptors at `b`, in front of all that warps with roles do.
void tileBuildBoxStoreRing(TileBuilder *b, TileBoxStore *store, int warpGroups);
/// The same for all of them.
void tileBuildBoxStoreRings(TileBuilder *b, TileBoxStores *stores, int warpGroups);
/// Waits until nobody reads what was staged before.
void tileBuildStoreWait(TileBuilder *b);
/// The same for all threads of a warp group, of which one waits.
void tileBuildStoresFree(TileBuilder *b);
/// Emits box number `box` of `value` at `b`; `at` are the `rank` indices of the whole tile.
void tileBuildStoreBox(TileBuilder *b, const TileBoxStore *store, MlirValue value,
                       const MlirValue *at, int box);
/// Replaces the op and its buffer by all boxes, or each block's share of them. `once`: nothing else
/// is staged in its rings but what shares them, and sums of steps, which wait for it.
void tileReplaceByBoxes(TileBoxStore *store, bool once);

#endif
