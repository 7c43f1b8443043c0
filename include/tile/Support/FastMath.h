//===- FastMath.h - what arithmetic may be ----------------------*- C -*-===//
#ifndef TILE_FASTMATH_H
#define TILE_FASTMATH_H

#include "tile/IR.h"

/// On an arith.divf of 1 in f32: the divisor is 0, infinite, NaN, or has a magnitude from 2^-126 to
/// 2^126, so that the chip's reciprocal of it, one instruction that flushes subnormal numbers, is
/// as good as a division that may be approximate. On one in f64, of any dividend whose quotient is
/// finite: the divisor has a magnitude from 2^-1000 to 2^1000, or nobody reads the result, which
/// needs to be right to one ulp alone. The CPU divides.
#define TILE_DIVISOR_IN_RANGE "tile_gpu.divisor_in_range"

#ifdef __cplusplus
extern "C" {
#endif

/// Has the op fastmath<NAME> ("afn", "arcp", ..), or <fast>, which includes all?
bool tileOpHasFastMath(MlirOperation op, const char *name);

#ifdef __cplusplus
}
#endif
#endif
