//===- FastMath.h - what arithmetic may be ----------------------*- C -*-===//
#ifndef TILE_FASTMATH_H
#define TILE_FASTMATH_H

#include "tile/IR.h"

/// On an arith.divf of 1: the divisor is 0, infinite, NaN, or has a magnitude from 2^-126 to 2^126,
/// so that the chip's reciprocal of it, one instruction that flushes subnormal numbers, is as good
/// as a division that may be approximate. The CPU divides.
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
