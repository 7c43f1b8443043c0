//===- Parts.h - equal parts of tiles ---------------------------*- C -*-===//
//
// A tile that is computed from positions, numbers and what is loaded can be computed in parts: the
// ops that lead to it are cloned on narrower tiles, which positions and loads follow.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_PARTS_H
#define TILE_TRANSFORMS_PARTS_H

#include "../ValueMap.h"
#include "tile/IR.h"
#include "tile/Support/PointerTable.h"

/// The dimension of the operand of a tile.trans, expand_dims or broadcast that runs along `dim` of
/// its result; -1 where none does.
int tileDimBefore(MlirOperation op, int dim);

/// What is known of a block's loads, so that it is found once for all their readers.
typedef struct {
  TileOpList ops;          ///< of the block in order, until one is put in or taken away: none then
  TilePointerTable places; ///< op of the block -> its number there, an int64_t
  TilePointerTable clear;  ///< load -> the number of the last op up to which nothing writes there
} TileReach;

/// What an op reads is to be divided for it.
typedef struct {
  MlirOperation reader;  ///< in whose place parts will be computed
  TileReach *reach;      ///< of its block
  int64_t count;         ///< of parts, each as long
  TilePointerTable dims; ///< value -> the dimension along which it is divided, an int
  int reduces;           ///< how many tile.reduce are divided with it
} TileDivision;

/// Can parts of `value` along `dim` be computed where the reader is? Through element-wise ops and
/// those of shapes, reductions along other dimensions, and loads of the reader's block, behind
/// which nothing writes where they read: no barrier, no store to what may be the same array, nor
/// to the same places of another argument, which may be that array, but for the reader's own store
/// to the very elements that a load's lanes read. Remembers what it has found, so that
/// a value is divided along one dimension. `depth` begins as 0.
bool tilePartsCan(TileDivision *d, MlirValue value, int dim, int depth);

/// Part `number` (i32) of `value`, for which tilePartsCan said yes, by ops where `b` builds. `map`
/// has the parts that were computed there before.
MlirValue tilePartsBuild(const TileDivision *d, TileBuilder *b, TileValueMap *map, MlirValue value,
                         MlirValue number);

#endif
