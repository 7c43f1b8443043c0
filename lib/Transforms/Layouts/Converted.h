//===- Converted.h - operands that are computed on their way to a dot -*- C -*-===//
//
// Weights of 8 or 4 bits, say, that become f16 between memory and the dot. What they are computed
// from may come by boxes, ahead of its use: the ring holds what lies in memory, and the threads
// that multiply read it from there as the instruction wants its A in registers.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_CONVERTED_H
#define TILE_TRANSFORMS_CONVERTED_H

#include "tile/IR.h"

/// Does the op give, element by element of its first operand, in a tile of as many (a conversion, a
/// product with a scale, two halves joined), what a dot may read?
bool tileOpConverts(MlirOperation op);

/// Does the op repeat its tile along a dimension of its own, as words are for each number that is
/// packed into them?
bool tileOpRepeats(MlirOperation op);

/// Is `value` computed by such ops from a tile loaded in the loop around it, and not just loaded,
/// transposed or reshaped?
bool tileIsConverted(MlirValue value);

/// Is one of those tiles a box?
bool tileIsConvertedBox(MlirValue value);

#endif
