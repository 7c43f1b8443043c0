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

/// Has `dot`, which alone of its step is on its way while the next begins, start in front of what
/// the step computes besides: sums of what the dot multiplies, as norms have, run under it.
void tileStartInFront(MlirOperation dot);

/// Does the op only round its operand, clamp it, as for 8-bit floats in front of that, or move it?
/// The three together are fewer instructions (lib/Conversion/TileToGPU/Numbers/Float8.c).
bool tileOpNarrows(MlirOperation op);

/// Words that a thread holds of two dots on their way, of which each takes A from registers: their
/// sums, A of both, and what makes one of them.
int64_t tileWordsOfTwo(MlirOperation dot);

/// What `value` takes of a thread's registers, one more than `most` where it is more. Padding takes
/// none: of what a dot computes, and of what `dot` reads as A.
int64_t tileWordsBeside(MlirValue value, MlirOperation dot, int most);

/// Why what makes A, in front of a dot that takes it from registers, is not to run under the dot of
/// the step before; null where it is. A warp issues a wgmma with A in registers as the one before
/// has read its own: it makes the next A under the last of them alone, and where that takes long
/// beside the dot, warp groups and blocks that wait hide more of each other's.
const char *tileWhyNotMadeUnder(MlirOperation func, MlirOperation dot);

#endif
