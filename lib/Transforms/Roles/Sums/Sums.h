//===- Sums.h - sums whose loop several blocks divide ------*- C -*-===//
#ifndef TILE_TRANSFORMS_SUMS_H
#define TILE_TRANSFORMS_SUMS_H

#include "../Channels.h"
#include "../Stores/StoreBoxes.h"

enum { tileMaxParts = 8, tileMaxSplits = 32 };

/// Null where blocks can be a cluster's; else why not.
const char *tileMayHaveClusters(MlirOperation func);
/// Null where blocks can have a part each of the loop that reads the channels; else why not:
/// "expected ..., found ...".
const char *tileMaySplitSums(const TileChannels *channels);

/// The loop that all channels are of; null where there are several.
MlirOperation tileFindSummingLoop(const TileChannels *channels);
/// Of the loop's steps a block has those of part number `rank`, an i32, of so many: each all /
/// parts, and the first all % parts one more. All of them where `when`, an i1, is false; null:
/// never.
void tileDivideLoop(MlirOperation loop, MlirValue rank, int64_t parts, MlirValue when);

/// Do teams of a block pay for all that the loop multiplies, where a thread sums up so many words
/// (tileMachineHasTeams)?
bool tileLoopHasTeams(MlirOperation loop, int64_t words);

/// Bytes of shared memory in which blocks show each other what they have, one sum at a time.
int64_t tileSumsGetBytes(MlirOperation func, const TileChannels *channels);

/// The one loop of dots of a kernel without boxes; else why blocks cannot divide it.
const char *tileFindLoneLoop(MlirOperation func, MlirOperation *loop);
/// Is what the loop carries as number `i` moved on by each step alike, and seen by the loop alone?
bool tileIsMoved(MlirOperation loop, intptr_t i);
/// Has what is moved on begin behind so many steps (an integer).
void tileMoveOn(TileBuilder *b, MlirOperation loop, MlirValue steps);

/// Lets each of `parts` blocks end with a share of the program's sums, and store that: says so on
/// the tile_gpu.add_parts and tile_gpu.collect_parts, and in `stores`. False, and a remark, where
/// block 0 has to have all.
bool tileShareSums(MlirOperation func, int parts, TileBoxStores *stores);

#endif
