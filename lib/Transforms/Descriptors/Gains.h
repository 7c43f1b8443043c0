//===- Gains.h - which boxes would gain nothing -----------------*- C -*-===//
#ifndef TILE_TRANSFORMS_GAINS_H
#define TILE_TRANSFORMS_GAINS_H

#include "Remainders/Unwrap.h"
#include "tile/Analysis/Affine.h"
#include "tile/Analysis/Analysis.h"

typedef struct {
  MlirOperation op;
  TileAffineAccess access;
  bool raised;
  bool isOwn;  // the kernel's own box, which stays one, or becomes a tile of pointers
  bool nan;    // padding
  bool chosen; // by threads: what lanes that are off have, as the engine fills in zeros
  bool packed; // by the launch
  bool isRead; // from memory: where it lies
  // Of its op, which are asked for again and again:
  MlirOperation loop; // around it; null: none
  size_t first;       // the first candidate of that loop
  int64_t bytes;      // of its tile
  bool isLoad, isOperand, isStoredForB;
  char why[TILE_AFFINE_TEXT];
} TileCandidate;

/// What tile-raise-descriptors knows of a kernel.
typedef struct {
  MlirOperation func;
  int alignment; // bytes that boxes, pitches and starts of arrays are multiples of
  TileAxisAnalysis *axes;
  TileAffine *affine;
  int64_t warps, warpGroups;
  int groupRows, stepColumns; // of products: rows of a warp group, steps of columns
  TileCandidate *candidates;
  size_t count, capacity;
  bool multiplies;  // in a loop?
  bool predicated;  // are branches gone by which programs would have left early?
  bool hasBarriers; // of the user's, or by what orders accesses?
  intptr_t numArguments;
  bool *watched; // by argument: descriptors without an end tell its sign; null: none do
  TileUnwrapped *unwrapped;
  bool moves;     // positions away from 0
  bool movesHelp; // are there accesses left that this is for?
} TileRaiser;

/// Writes down why `c` is no box. False, for its caller to return.
bool tileRefuseBox(TileCandidate *c, const char *why);
/// Of the candidates that are raised, refuses those that the first rule is about which finds any;
/// true where there is one.
bool tileRefuseGainless(TileRaiser *r);
/// Where no load is raised threads load, and are done with a small store before the engine has
/// begun, or, where they load tiles and none comes as a box, with one of 32 bits an element, which
/// they store as it lies: refuses such stores. And all stores of a launch whose programs have
/// SINGLE_STORE_ROOM multiprocessors each and no loop of dots: the engine takes about as long
/// there, and the host spares maps.
void tileRefuseSmallStores(TileRaiser *r);
/// Marks a kernel some of whose dots are waited for by what computes with their sums, so that
/// registers decide: `tile_gpu.rounds_may_cost`; and where it adds nothing to memory, which the
/// copy engine does better, `tile_gpu.boxes_may_cost`. Who sees what is spilled may lower it again
/// (lib/Session/Compile/LowerAgain.c).
void tileMarkCosts(MlirOperation func);

#endif
