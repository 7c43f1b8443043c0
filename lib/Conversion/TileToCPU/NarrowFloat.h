//===- NarrowFloat.h - f16, bf16 and f8 to and from f32 ---------*- C -*-===//
#ifndef TILE_TO_CPU_NARROW_FLOAT_H
#define TILE_TO_CPU_NARROW_FLOAT_H

#include "Lowering.h"

/// f32 from a narrow float in its register form (f8 is i8); exact.
MlirValue cpuExtendNarrow(CpuLowering *l, MlirValue value, MlirType from);
/// f32 rounded to nearest, ties to even, in the register form of `to`. Numbers too large become
/// infinity, or NaN in f8E4M3FN, which has none; NaN stays NaN.
MlirValue cpuRoundNarrow(CpuLowering *l, MlirValue value, MlirType to);
/// f64 to f32 with the last bit set when anything was lost, so that rounding it again to a type
/// with at most 22 significant bits gives what rounding once would.
MlirValue cpuRoundToOdd(CpuLowering *l, MlirValue value);

#endif
