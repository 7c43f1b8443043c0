//===- Math.h - math functions as arithmetic --------------------*- C -*-===//
//
// exp, log, sin and their like on f32, scalars or vectors, as polynomials: no call, no table, the
// same code on every target. The reductions and polynomials are those of the literature (Cody and
// Waite's reductions; minimax coefficients in the manner of Cephes), with the errors in
// docs/cpu.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_MATH_H
#define TILE_CONVERSION_MATH_H

#include "tile/IR.h"

/// Emits what the math op computes on `operands` of `type` (f32, or a vector of it). Null, with
/// nothing emitted, where there is no expansion: another type, or a function that targets have an
/// instruction for (sqrt, fma, floor).
MlirValue tileExpandMath(TileBuilder *b, MlirOperation op, const MlirValue *operands,
                         MlirType type);

#endif
