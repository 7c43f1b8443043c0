//===- Rows.h - rows that conversions bring ---------------------*- C -*-===//
//
// The parts of tile-localize-rows: what a row is computed from, in which layouts it may be loaded,
// and what that costs (Rows.c); one that a conversion brings (LocalizeRows.c); those that several
// bring (ShareRows.c).
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_LAYOUTS_ROWS_ROWS_H
#define TILE_TRANSFORMS_LAYOUTS_ROWS_ROWS_H

#include "../../ValueMap.h"
#include "../Layouts.h"
#include "tile/Support/PointerTable.h"

typedef struct {
  MlirOperation op;
  bool loads;           ///< is it, or does it read, a load's result?
  MlirAttribute layout; ///< that its result is to have
} TileRowStep;

/// What a value is computed from, each op before its users.
typedef struct {
  TileRowStep *steps; ///< owned
  int count;
  size_t capacity;
} TileRowSlice;

/// What is asked of a whole kernel.
typedef struct {
  MlirOperation func;
  TileAxisAnalysis *axis; ///< of the function as it is; null: to be made
  bool hasDots;
  TilePointerTable copied; ///< loop -> bool: could all its loads be copied, as they were at first?
} TileRows;

MlirAttribute tileRowsLayoutOf(MlirValue value);
/// The conversion between two types; false where there is none.
bool tileRowsPlan(MlirType from, MlirType to, TileConversion *plan);

/// The place of the op among the steps; -1: it is none.
int tileRowsIndexOf(const TileRowSlice *slice, MlirOperation op);
/// Collects what `value` is computed from, to be made in `layout`; false where that is not known.
bool tileRowsCollect(TileRowSlice *slice, MlirValue value, MlirAttribute layout);
/// Clones the steps up to `last` in their layouts, over what stands for values in `map`; those
/// that are there stay.
void tileRowsCloneSteps(const TileRowSlice *slice, TileValueMap *map, MlirValue last);

/// Each warp holds what it holds of the tile type `wanted`, words of consecutive elements spread
/// over its lanes; null where a thread would hold more than `most` words.
MlirAttribute tileRowsLayoutForWarps(MlirType wanted, int most);
/// The slots of each warp's loads of a row in `layout` and of handing it on as `wanted`; `most`
/// where it is not to be had so, or costs more.
int64_t tileRowsCostOfWarps(MlirAttribute layout, MlirType wanted, int64_t most);

/// The innermost loop over numbers around `op`; null where there is none.
MlirOperation tileRowsInnermostLoop(MlirOperation op);
/// Is it in a loop that writes global memory, ahead of which loads may run?
bool tileRowsIsAmongWrites(TileRows *rows, MlirOperation op);
/// The layout in which each lane loads all that `reader` wants of the row `wanted`; null where it
/// may not.
MlirAttribute tileRowsLayoutByLanes(TileRows *rows, MlirOperation reader, MlirType wanted);
/// The issue slots of the slice's loads and of what is computed of them, in their new layout: an
/// access and its wavefronts, of which one of 16 bytes takes two though lanes read the same.
int64_t tileRowsCostOfLanes(TileRows *rows, const TileRowSlice *slice);
/// What loads of the slice cost for touching more lines than one, in their layouts now or, `anew`,
/// in those that the slice says.
int64_t tileRowsCostOfLines(TileRows *rows, const TileRowSlice *slice, bool anew);

/// The slots of a warp that what the step computes takes in its new layout, over those it takes
/// now; 0 of what computes nothing.
int64_t tileRowsMoreOfStep(const TileRowStep *step);

/// Are the rows that `conversion` and others bring what is computed of handed on to all of them,
/// and computed with there?
bool tileRowsShare(TileRows *rows, MlirOperation conversion);

/// Computes long functions of positions once that lanes and warps compute alike
/// (SpreadFunctions.c).
void tileRowsSpreadFunctions(MlirOperation func);

#endif
