//===- ProgramLengths.h - which programs take longest -----------*- C -*-===//
//
//   %block = tile.program_id x
//   %end = arith.muli %block, %c128
//   scf.for %k = %c0 to %end step %c64 ..        longer, the higher a program's number along x
//
// Only to see what pays: quantities that no constant tells are taken to be positive, and loops in
// loops are not looked at.
//===----------------------------------------------------------------------===//
#ifndef TILE_PROGRAM_LENGTHS_H
#define TILE_PROGRAM_LENGTHS_H

#include "tile/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a quantity moves with the number of the program; that of a sum of two is their disjunction.
typedef enum {
  TILE_STEADY = 0,
  TILE_GROWS = 1,
  TILE_SHRINKS = 2,
  TILE_UNKNOWN = TILE_GROWS | TILE_SHRINKS
} TileTrend;

/// Of the steps of the kernel's loops, in programs along `axis` (0: x to 2: z): unknown where some
/// grow and some shrink. Loops whose bounds depend on what memory holds count as steady. Linear in
/// the ops of the kernel's body.
TileTrend tileProgramLengths(MlirOperation func, int axis);

/// Is it read from memory how many steps a program's loops have? Whether they have any counts where
/// what is read for a program is compared with its number.
bool tileProgramLengthsAreRead(MlirOperation func);

/// Is that read for each block of rows along `axis`, as block masks are? `load %counts[%id]`, where
/// rows begin at `%id * 128` of tiles of 128.
bool tileProgramLengthsAreReadAlong(MlirOperation func, int axis);

#ifdef __cplusplus
}
#endif
#endif
