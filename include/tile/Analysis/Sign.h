//===- Sign.h - values that are never above 0 -------------------*- C -*-===//
#ifndef TILE_SIGN_H
#define TILE_SIGN_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Is each element of the float, or tile of floats, 0 at most, or NaN? So is `x - m` where m is a
/// maximum of x, as a softmax's and an online softmax's exponents are:
///
///   %m = tile.reduce max %x axis 1            // or arith.maximumf of it and of anything
///   %b = tile.broadcast (tile.expand_dims %m {axis = 1})
///   %d = arith.subf %x, %b                    // true
///
/// and -|x|, -(x x), min(x, 0), and each of them times a constant above 0, widened, or in another
/// shape or layout. False where nothing is known.
bool tileIsAtMostZero(MlirValue value);

#ifdef __cplusplus
}
#endif

#endif // TILE_SIGN_H
