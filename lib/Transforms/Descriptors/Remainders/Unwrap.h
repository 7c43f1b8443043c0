//===- Unwrap.h - rows that wrap around where nobody looks ------*- C -*-===//
//
// Before:  %i = splat %first + %rows                               >= 0, by promise or fact
//          %r = arith.remsi %i, splat %m
//          %a = tile.load (.. %r * stride + columns), %in
//          %sum = tile.dot %a, ..
//          tile.store (..), %sum, (.. and %i < %m)
// After:   %a = tile.load (.. %i * stride + columns), %in and %i < %m
//
// Kernels take rows modulo their number, as Triton's tutorials do, so that loads need no mask of
// rows. What such a load finds in rows behind the last reaches, through products and element by
// element, nothing but these rows of results, which a store leaves out: it may as well be 0. Then
// the rows are those of a box, whatever their number is a multiple of. So it is where they are
// taken elsewhere, as by arith.select %i < %m, %i, %zero.
//
// A quotient of such rows that is the same for all of a tile, as the number of a block of 128 rows
// is where scales belong to blocks, becomes that of the first row alone.
//
// Only loads are changed whose every use is such; others keep the remainder.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_UNWRAP_H
#define TILE_TRANSFORMS_UNWRAP_H

#include "tile/IR.h"

typedef struct TileUnwrapped TileUnwrapped;

/// Changes the loads of `func` that may be. The result is the caller's, for tileWrapAgain.
TileUnwrapped *tileUnwrapRemainders(MlirOperation func);
/// Was `load` changed?
bool tileIsUnwrapped(const TileUnwrapped *unwrapped, MlirOperation load);
/// Gives those of the loads that are there still, no boxes, their remainders and masks back, and
/// frees `unwrapped`: `isLeft` says of a load whether it is. A remainder once costs less than a
/// mask in each step.
void tileWrapAgain(TileUnwrapped *unwrapped, bool (*isLeft)(MlirOperation load, void *data),
                   void *data);

#endif
