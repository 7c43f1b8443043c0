//===- Hazards.h - may copies run ahead of a loop's writes? -----*- C -*-===//
//
// A copy for a later step reads memory before this step has written its own. That is the same
// where no step reads what an earlier one has written: where the two accesses are in places that
// move on with each step and are the same within one (an update in place), or where all that one
// touches as the loop runs lies apart from all that the other does. The second is asked as
// the program runs, of addresses alone, once in front of the loop; where it is not so, each step
// copies for itself. So a load must stand in front of the step's writes.
//
// What other elements of a tile have written a program reads behind a tile.barrier alone, and past
// a barrier no copy runs; but where all that the loop reads ahead lies apart from what it writes
// (`apartAlone`), a barrier in front of the loop does for those in it.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_HAZARDS_H
#define TILE_TRANSFORMS_HAZARDS_H

#include "tile/Analysis/Affine.h"

enum { tileMaxHazards = 16 };

/// Reads and writes of a loop of which neither is known to come first.
typedef struct {
  MlirOperation loop;
  TileAffine *affine; // borrowed; null: of a loop that does not write
  bool apartAlone;    ///< no update in place: then loads may stand behind the step's writes
  TileAffineAddress writes[tileMaxHazards];
  int numWrites;
  MlirOperation first; ///< of the body's ops, that writes
  TileAffineAddress reads[tileMaxHazards];
  int numReads;
} TileHazards;

/// Reads the writes of `h->loop`; why copies cannot run ahead of them, or null.
const char *tileHazardsFind(TileHazards *h);
/// May a copy run ahead of what `load`, of the loop's body, reads? Null, or why not.
const char *tileHazardsAdd(TileHazards *h, MlirOperation load);
/// Builds, in front of the loop, whether copies may run ahead (i1); null where they always may.
MlirValue tileHazardsBuild(const TileHazards *h);

/// Is it known of a loop (`tile_gpu.apart`) that copies of what its dots read may run ahead of all
/// that it writes; of a load that it may itself, in the loop around it?
bool tilePassesWrites(MlirOperation op);
void tileSetPassesWrites(MlirOperation op);

#endif
