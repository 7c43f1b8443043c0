//===- UnderDots.h - what a dot's sum does not need runs under it - C -*-===//
//
// Before:  %s = tile.load %scales
//          %c = tile_gpu.convert_layout %s
//          %d = tile.dot %a, %b, %zero by wgmma
//          %e = arith.mulf %d, %c
// After:   %s = tile.load %scales
//          %d = tile.dot %a, %b, %zero by wgmma async
//          %c = tile_gpu.convert_layout %s
//          %w = tile_gpu.dot_wait %d pending 0 tied
//          %e = arith.mulf %w, %c
//
// A dot in a loop whose sum is read in the same step, as where each step's product is scaled, is
// started, and waited for where its sum is read, or where something could overwrite what it reads,
// or tells others that they may. What stands in front of it and is for readers of its sum moves
// behind its start: the values of a load are waited for under the dot, not before it. Where the
// registers of a kernel with several blocks of a multiprocessor do not hold it all beside the sum,
// what takes more of them than it reads is left behind the wait:
//
//          %d = tile.dot %a, %b, %zero by wgmma async
//          %x = ...                                    // the next step's loads
//          %w = tile_gpu.dot_wait %d pending 0 tied
//          %c = tile_gpu.convert_layout %s
//          %e = arith.mulf %w, %c
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_UNDER_DOTS_H
#define TILE_TRANSFORMS_UNDER_DOTS_H

#include "tile/IR.h"

/// Does so with `dot`, one by wgmma that is waited for, where anything can run under it.
void tileComputeUnder(MlirOperation dot);

#endif
