//===- MathLowering.h - functions of numbers, on vectors ----------*- C -*-===//
#ifndef TILE_CONVERSION_TILETOGPU_MATH_H
#define TILE_CONVERSION_TILETOGPU_MATH_H

#include "Lowering.h"

/// The math op `op`, or arith.remf, on thread values; `type` is the result's. Null after an error.
MlirValue lowerMathOf(Lowering *l, MlirOperation op, const MlirValue *operands, MlirType type);
/// Is it a division of f32 that may be approximate, fastmath<arcp> or <afn>, or the reciprocal of a
/// number in range? And what it becomes.
bool lowerIsFastDivision(MlirOperation op);
MlirValue lowerFastDivision(Lowering *l, MlirOperation op, const MlirValue *operands);
/// What tensor cores do not see of `x`, an f32 (tileBuildSmallPart).
MlirValue lowerSmallPart(Lowering *l, MlirValue x);
/// |x| of a float or a vector of them.
MlirValue lowerAbsolute(Lowering *l, MlirValue x);

/// What tileOpIsToInteger becomes of a float that no f8 is, or a vector of them.
MlirValue lowerToInteger(Lowering *l, MlirOperation op, MlirValue x, MlirType type);

/// Is it arith.sitofp or uitofp of as many bytes as fill words, to f16 or bf16, of which `type` is
/// a vector? And what it becomes.
bool lowerIsFromBytes(MlirOperation op, MlirType type);
MlirValue lowerFromBytes(Lowering *l, MlirOperation op, MlirValue x, MlirType type);
/// The same of integers of 32 bits that are known to be small.
bool lowerIsFromFew(const Lowering *l, MlirOperation op, MlirType type);
MlirValue lowerFromFew(Lowering *l, MlirOperation op, MlirValue x, MlirType type);

/// Are the bytes `x` lower and upper halves of other bytes, by turns, so that numbers of 0 to 15
/// are to be floats of `type`? And what they become.
bool lowerIsFromNibbles(MlirValue x, MlirType type);
MlirValue lowerFromNibbles(Lowering *l, MlirValue x, MlirType type);

/// Is it a shift of as many bytes as fill words, by a constant that all have? And what it becomes
/// of `x`, the bytes.
bool lowerIsByteShift(MlirOperation op, MlirType type);
MlirValue lowerByteShift(Lowering *l, MlirOperation op, MlirValue x, MlirType type);

/// Is it a quotient or remainder of i64 by what is no constant? And what it becomes of tiles of
/// which a thread has several elements, or whose sign is not known; null of others.
bool lowerIsLongDivision(MlirOperation op);
MlirValue lowerLongDivision(Lowering *l, MlirOperation op);
/// Has each remainder of that kind follow the quotient of the same two numbers, of which it is
/// made.
void lowerOrderLongDivisions(MlirOperation kernel);

/// The LLVM intrinsic of that name, as "llvm.fma".
MlirValue lowerIntrinsic(Lowering *l, const char *name, intptr_t count, const MlirValue *operands,
                         MlirType type);

#endif
