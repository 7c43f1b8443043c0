//===- LastRound.h - two blocks share each of the last programs -*- C -*-===//
//
// Before:  561 programs on 132 blocks: four rounds, then one of 33 programs, in which 99 blocks
//          have nothing to do
// After:   66 blocks work on these 33, two on each: both copy all boxes, and one warp group of
//          either multiplies and stores its rows
//
// A multiplication by one warp group alone takes the tensor cores half the time of one by two. So
// the last round, if no more than half of the blocks have a program there, takes half as long
// as the others. The idle group keeps pace with the barriers; what it holds is never stored.
//
// Products must stay with the warp group that computes them: only element-wise ops read them, and
// boxes that hold rows of one group. Kernels that combine them with other tiles (a bias) have no
// register to spare and keep a block for each program.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LAST_ROUND_H
#define TILE_TRANSFORMS_LAST_ROUND_H

#include "Stores/StoreBoxes.h"

/// The rounds of a loop over programs; made in front of it. A block has turn number b, its own,
/// then b + blocks, and so on. Values of i32.
typedef struct {
  MlirValue shared; ///< the first turn whose program has two blocks; the end where none has
  MlirValue end;    ///< of the turns
} TileRounds;

/// Null where blocks can share programs, else why not: "expected ..., found ...". All results leave
/// through `stores`.
const char *tileMayShareLastRound(MlirOperation func, const TileBoxStores *stores, int warpGroups);
/// The same, and why it would not pay.
const char *tileShouldShareLastRound(MlirOperation func, const TileBoxStores *stores,
                                     int warpGroups);
/// `total` programs in turn to `blocks`.
TileRounds tileBuildRounds(TileBuilder *b, MlirValue total, MlirValue blocks);
/// The program that a block has in turn `turn`.
MlirValue tileBuildProgramOfTurn(TileBuilder *b, const TileRounds *rounds, MlirValue turn);
/// i1: does this warp group work on it?
MlirValue tileBuildIsOurs(TileBuilder *b, const TileRounds *rounds, MlirValue turn);
/// Leaves out the products of `body` where `ours` is false.
void tileMultiplyWhen(MlirBlock body, MlirValue ours);

/// Why no two blocks can run the same program: it would write something but boxes, which can be
/// moved out of bounds, twice. Null where they can.
const char *tileWhyNotTwice(MlirOperation func);

#endif
