//===- Math.h - functions of numbers, on vectors ----------------*- C -*-===//
#ifndef TILE_CONVERSION_TILETOGPU_MATH_H
#define TILE_CONVERSION_TILETOGPU_MATH_H

#include "Lowering.h"

/// The math op `op` on thread values; `type` is the result's. Null after an error.
MlirValue lowerMathOf(Lowering *l, MlirOperation op, const MlirValue *operands, MlirType type);
/// |x| of a float or a vector of them.
MlirValue lowerAbsolute(Lowering *l, MlirValue x);

#endif
