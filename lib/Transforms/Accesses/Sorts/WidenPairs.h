//===- WidenPairs.h - small numbers are sorted as words ---------*- C -*-===//
#ifndef TILE_TRANSFORMS_WIDEN_PAIRS_H
#define TILE_TRANSFORMS_WIDEN_PAIRS_H

#include "tile/IR.h"

/// Has numbers of 8 and 16 bits that `func` sorts by exchanges of pairs be 32 bits wide meanwhile.
void tileWidenPairs(MlirOperation func);

#endif
