//===- Remainders.h - rows that wrap around as a whole ----------*- C -*-===//
//
// Before:  %r = arith.remsi (splat %first + %rows), splat %m     %first, %m: multiples of 128,
// After:   %s = arith.remsi %first, %m                           %rows: 0 .. 127
//          %r = splat %s + %rows
//
// A tile's numbers, of which the first and the divisor are multiples of as many as there are, wrap
// around all at once: so the tutorials' matmul takes its rows around M. One division for one an
// element, and an offset that is a sum.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_REMAINDERS_H
#define TILE_TRANSFORMS_REMAINDERS_H

#include "tile/IR.h"

/// Takes remainders of tiles apart where they are such. What is divided must be known to be >= 0.
void tileSplitRemainders(MlirOperation func);
/// Are all elements of `tile` one number, a scalar's or a constant?
bool tileIsUniform(MlirValue tile);
/// That number, as a scalar where `b` builds.
MlirValue tileBuildUniform(TileBuilder *b, MlirValue tile);

#endif
