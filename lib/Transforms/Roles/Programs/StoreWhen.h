//===- StoreWhen.h - programs that run twice store once ---------*- C -*-===//
//
// Before:  tile_gpu.desc_write %c[%row, %column] from %s
// After:   %at = arith.select %condition, %row, %rows     // %c has so many: there is nothing there
//          tile_gpu.desc_write %c[%at, %column] from %s
//
// Where no end of %c is known, %rows are as many as leave boxes room below 2^31.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_STORE_WHEN_H
#define TILE_TRANSFORMS_STORE_WHEN_H

#include "tile/IR.h"

/// Why no two blocks can run the same program: it would write something but boxes, which can be
/// moved out of bounds, twice. Null where they can.
const char *tileWhyNotTwice(MlirOperation func);

/// Moves the boxes that are stored below `loop` out of bounds where `condition` (i1), or one that
/// was given before, is false.
void tileStoreWhen(MlirOperation loop, MlirValue condition);

#endif
