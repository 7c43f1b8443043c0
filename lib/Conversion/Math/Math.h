//===- Math.h - math functions as arithmetic --------------------*- C -*-===//
//
// exp, log, sin and their like on f32 and f64, scalars or vectors, as polynomials: no call, no
// table, the same code on every target. Their errors are in docs/results/math-ulp.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONVERSION_MATH_H
#define TILE_CONVERSION_MATH_H

#include "tile/IR.h"

/// Emits what the math op, or arith.remf, computes on `operands`, f32 or f64 or vectors of them, in
/// arith and those math ops that targets have an instruction for; sin, cos and tan in a branch
/// (scf.if), remainders in a loop. Null, with nothing emitted, where there is no expansion: another
/// type, or one of those (sqrt, fma, floor).
MlirValue tileExpandMath(TileBuilder *b, MlirOperation op, const MlirValue *operands);

/// sin x and cos x, which an op of either asks for, of f32 or vectors of them, for less than both.
/// False, with nothing emitted, of others.
bool tileExpandSinCos(TileBuilder *b, MlirOperation op, MlirValue x, MlirValue results[2]);

#endif
