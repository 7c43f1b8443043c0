//===- FastMath.h - what arithmetic may be ----------------------*- C -*-===//
#ifndef TILE_FASTMATH_H
#define TILE_FASTMATH_H

#include "tile/IR.h"

/// On an arith.divf of 1 in f32: the divisor is 0, infinite, NaN, or has a magnitude from 2^-126 to
/// 2^126, so that the chip's reciprocal of it, one instruction that flushes subnormal numbers, is
/// as good as a division that may be approximate. On one of any other dividend whose quotient is
/// finite, and on any in f64: the divisor has a magnitude from 2^-126 to 2^126 (2^-1000 to 2^1000),
/// or nobody reads the result, which needs to be right to one ulp alone. Where it is greater the
/// quotient may be 0. The CPU divides.
#define TILE_DIVISOR_IN_RANGE "tile_gpu.divisor_in_range"
/// On a math.sqrt in f32 or f64: the radicand is 2^-100 (2^-900) at least, below 0 or NaN, or
/// nobody reads the result, which needs to be right to one ulp alone. The CPU's is rounded right.
#define TILE_RADICAND_IN_RANGE "tile_gpu.radicand_in_range"
/// On a math.sin or math.cos in f32 or f64: the angle is pi/4 at most, and a rounding error, or
/// NaN.
#define TILE_ANGLE_IN_RANGE "tile.angle_in_range"

#ifdef __cplusplus
extern "C" {
#endif

/// Has the op fastmath<NAME> ("afn", "arcp", ..), or <fast>, which includes all?
bool tileOpHasFastMath(MlirOperation op, const char *name);

#ifdef __cplusplus
}
#endif
#endif
