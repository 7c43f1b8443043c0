//===- Ahead.h - loads that another warp can make ahead ---------*- C -*-===//
#ifndef TILE_TRANSFORMS_AHEAD_H
#define TILE_TRANSFORMS_AHEAD_H

#include "tile/IR.h"

/// Why no warp of its own can load ahead what `load`, one of pointers, reads: where its addresses,
/// or the bounds of the loops around it, follow from what memory holds, or such a loop is none of
/// counts. Null where one can. A number that no program writes, as an entry of a list of blocks, is
/// not in its way: that warp loads it, too. A box that no warp loads ahead is waited for in each
/// step (tile-plan-roles), where loads of pointers run ahead whatever they follow from.
const char *tileWhyNotAhead(MlirOperation load);

/// Why a tile.barrier of the kernel, which has some, orders `access`: the engine reads ahead of
/// what the program does, and its stores end later than those of threads. Null where none does: of
/// a load in a loop, in front of which there is none, and none in the loops around it; what it
/// brings is there before the loop goes on.
const char *tileWhyOrdered(MlirOperation access);

/// Does `func` have barriers, and wait for other programs, as for a lock? It lives on many blocks,
/// one of which computes while others wait; those with roles and boxes are few.
bool tileWaitsAtBarriers(MlirOperation func);

/// Do addresses of `access`, or its mask, follow from a number that memory holds?
bool tileFollowsMemory(MlirOperation access);
/// Is a load of a loop, which feeds a dot, in a branch of `func` that the loop cannot leave, or one
/// whose place is read from memory?
bool tileIsHeldByBranch(MlirOperation func);

/// Does the program read the array that `store` writes, a tile.store or a tile.desc_store, or add
/// to it, behind the store or in a loop around it? A box leaves by itself, and nobody waits for it
/// to arrive.
bool tileIsReadAgain(MlirOperation store);

#endif
