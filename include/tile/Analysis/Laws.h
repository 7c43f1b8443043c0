//===- Identity.h - what a combination leaves as it is ----------*- C -*-===//
#ifndef TILE_IDENTITY_H
#define TILE_IDENTITY_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The op of a tile.reduce or tile.scan whose region applies one op to its two arguments, in either
/// order; null for other regions, and for those of several operands.
MlirOperation tileCombineGetOnlyOp(MlirOperation combine);

/// The number that such a region leaves every other as it is with, of the element's type: -0 of a
/// sum of floats. Null for other regions, and where none is known of the op.
MlirAttribute tileCombineGetIdentity(MlirOperation combine);

#ifdef __cplusplus
}
#endif

#endif // TILE_IDENTITY_H
