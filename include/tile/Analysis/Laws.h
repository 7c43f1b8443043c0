//===- Laws.h - what holds of ops that put two numbers together -*- C -*-===//
#ifndef TILE_LAWS_H
#define TILE_LAWS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What holds of an op of two operands, to the bit but for the payload of a NaN and the sign of a
/// zero that greatest and least numbers choose.
typedef enum {
  TILE_COMMUTES = 1,   ///< of a, b and of b, a it is the same
  TILE_ASSOCIATES = 2, ///< so it is of (a, b), c and of a, (b, c): sums of floats round otherwise
  TILE_IDEMPOTENT = 4, ///< of a, a it is a
} TileLaw;

/// The laws of `op`, a sum of TileLaw; 0 where none is known. What has no entry may still have
/// some.
unsigned tileOpGetLaws(MlirOperation op);

/// The op of a tile.reduce or tile.scan whose region applies one op to its two arguments, in either
/// order; null for other regions, and for those of several operands.
MlirOperation tileCombineGetOnlyOp(MlirOperation combine);

/// The number that such a region leaves every other as it is with, of the element's type: -0 of a
/// sum of floats. Null for other regions, and where none is known of the op.
MlirAttribute tileCombineGetIdentity(MlirOperation combine);

/// Does a tile.reduce or tile.scan add up truths, as numbers of 8 bits or more?
bool tileCombineCountsTruths(MlirOperation combine);

#ifdef __cplusplus
}
#endif

#endif // TILE_LAWS_H
