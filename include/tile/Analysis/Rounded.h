//===- Rounded.h - values of which 16 bits are kept -------------*- C -*-===//
#ifndef TILE_ROUNDED_H
#define TILE_ROUNDED_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Is the float, or tile of floats, multiplied at most, and then rounded to 16 bits, wherever it is
/// used? A relative error of 2^-17 and less is hardly seen behind that.
///
///   %r = arith.mulf %value, %x
///   %s = arith.truncf %r : tensor<64xf32> to tensor<64xbf16>      // true of %value
///
/// False where it has no use.
bool tileIsRoundedTo16(MlirValue value);

#ifdef __cplusplus
}
#endif

#endif // TILE_ROUNDED_H
