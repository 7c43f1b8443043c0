//===- SortNetwork.h - a bitonic network over registers, lanes, warps -----===//
//
// Elements stand at slots. A slot's bits are held by register, lane and warp bits, in this order
// from the lowest on: the lowest bits are exchanged most often, and registers cost least. Which
// element is in which slot at first is of no account.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_TILETOGPU_SORTNETWORK_H
#define TILE_CONVERSION_TILETOGPU_SORTNETWORK_H

#include "Exchange.h"
#include "tile/Analysis/Scratch.h"

typedef struct {
  Lowering *l;
  MlirOperation op; ///< whose scratch is used
  TileSortPlan plan;
  int numBits;                     ///< of a slot
  TileScanBit bits[TILE_MAX_BITS]; ///< their holders; registers as they are numbered now
  int numRegisterBits;             ///< of what a thread has now
  int registerBits[TILE_MAX_BITS]; ///< and which of the layout's these are
  MlirValue words;                 ///< vector<Nxi32 or i64>
  MlirValue positions;             ///< vector<Nxi32>, where they stand apart; else null
  bool written;                    ///< does the scratch hold what some thread may have to read?
} SortNetwork;

static inline int64_t sortRegisters(const SortNetwork *n) {
  return (int64_t)1 << n->numRegisterBits;
}

/// Begins with the layout's bits along the axis, `numBits` of them, in any order.
void lowerSortBegin(SortNetwork *n, const TileLayout *layout, const TileScanBit *bits);

/// Leaves the 2^kept least elements in slots 0 .. 2^kept - 1, in order; of more slots nothing is
/// left. Registers become fewer: `numRegisterBits`.
void lowerSortNetwork(SortNetwork *n, int kept);

#endif
