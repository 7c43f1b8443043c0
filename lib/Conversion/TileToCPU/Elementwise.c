//===- Elementwise.c - arith and math ops on scalars and chunks -----------===//
//
// The kernel's op becomes the same op on a vector, but where the host computes differently:
//
//   f16, bf16, f8    extended to f32, computed, and rounded back, op by op
//   division         a lane that is masked off or beyond the tile may divide by 0, which must not
//                    trap: the divisor is replaced by 1 there; -1 is done by negation, as the
//                    processor traps on the smallest number by -1
//   float to integer beyond its range the integer's nearest, NaN as 0: LLVM's own conversion may
//                    give anything there
//   math, remf       polynomials of our own (Math.h), no call per element; exponentials of what is
//                    so small that they are 0 are not computed, as the processor takes a hundred
//                    cycles for a product that underflows, and what masks leave out is often -inf
//
//===----------------------------------------------------------------------===//
#include "../Math/Math.h"
#include "Lowering.h"
#include "NarrowFloat.h"
#include <math.h>
#include <string.h>

static bool isNarrow(MlirType element) {
  return tileTypeIsFloat(element) && tileBitWidth(element) < 32;
}

static bool anyNarrow(MlirOperation op) {
  if (isNarrow(tileElementType(mlirValueGetType(tileResult(op))))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isNarrow(tileElementType(mlirValueGetType(tileOperand(op, i))))) return true;
  return false;
}

bool cpuIsElementwise(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || tileOpIs(op, "arith.constant")) return false;
  return tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math");
}

//===- the op itself ------------------------------------------------------===//

/// The same op with the same attributes on other operands.
static MlirValue repeat(CpuLowering *l, MlirOperation op, const MlirValue *operands,
                        MlirType result) {
  intptr_t numAttrs = mlirOperationGetNumAttributes(op);
  TileNamedAttr attrs[16];
  char names[16][48];
  if (numAttrs > 16) numAttrs = 16;
  for (intptr_t i = 0; i < numAttrs; ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    MlirStringRef key = mlirIdentifierStr(attr.name);
    size_t length = key.length < 47 ? key.length : 47;
    memcpy(names[i], key.data, length);
    names[i][length] = 0;
    attrs[i] = (TileNamedAttr){names[i], attr.attribute};
  }
  char name[64];
  MlirStringRef text = tileOpName(op);
  size_t length = text.length < 63 ? text.length : 63;
  memcpy(name, text.data, length);
  name[length] = 0;
  return tileResult(tileBuildOp(&l->at, name, mlirOperationGetNumOperands(op), operands, 1, &result,
                                numAttrs, attrs, 0));
}

//===- division -----------------------------------------------------------===//

static bool isSignedDivision(MlirOperation op) {
  static const char *const names[] = {"arith.divsi", "arith.remsi", "arith.ceildivsi",
                                      "arith.floordivsi", NULL};
  return tileOpIsOneOf(op, names);
}

/// A division of vectors of i32, or its remainder, for which there is no instruction. Quotients of
/// numbers below 2^32 are rounded to f64 on the side of the next integer that they are on.
static MlirValue divideAsF64(CpuLowering *l, MlirOperation op, MlirValue x, MlirValue y,
                             bool isSigned) {
  MlirType type = mlirValueGetType(x), wide = cpuWiden(mlirF64TypeGet(l->context), cpuWidth(x));
  const char *toFloat = isSigned ? "arith.sitofp" : "arith.uitofp";
  MlirValue a = tileBuildUnary(&l->at, toFloat, wide, x);
  MlirValue b = tileBuildUnary(&l->at, toFloat, wide, y);
  MlirValue q = tileBuildBinary(&l->at, "arith.divf", a, b);
  q = tileBuildUnary(&l->at, isSigned ? "arith.fptosi" : "arith.fptoui", type, q);
  if (tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.divui")) return q;
  return tileBuildBinary(&l->at, "arith.subi", x, tileBuildBinary(&l->at, "arith.muli", q, y));
}

/// The op, of a divisor that is neither 0 nor -1.
static MlirValue divideSafely(CpuLowering *l, MlirOperation op, MlirValue x, MlirValue y,
                              MlirType type) {
  static const char *const names[] = {"arith.divsi", "arith.remsi", "arith.divui", "arith.remui",
                                      NULL};
  bool isVector = cpuWidth(x) && tileBitWidth(tileElementType(type)) == 32;
  if (isVector && tileOpIsOneOf(op, names)) return divideAsF64(l, op, x, y, isSignedDivision(op));
  return repeat(l, op, (MlirValue[]){x, y}, type);
}

static MlirValue divide(CpuLowering *l, MlirOperation op, const MlirValue *operands, bool isSigned,
                        MlirType type) {
  int64_t divisor;
  if (tileConstantInt(tileOperand(op, 1), &divisor) && divisor != 0 && divisor != -1)
    return repeat(l, op, operands, type);
  MlirValue zero = cpuInt(l, type, 0), one = cpuInt(l, type, 1);
  MlirValue isZero = tileBuildCmpi(&l->at, TILE_EQ, operands[1], zero);
  MlirValue safe = tileBuildSelect(&l->at, isZero, one, operands[1]);
  if (!isSigned) return divideSafely(l, op, operands[0], safe, type);
  MlirValue minus = cpuInt(l, type, -1);
  MlirValue isMinus = tileBuildCmpi(&l->at, TILE_EQ, operands[1], minus);
  safe = tileBuildSelect(&l->at, isMinus, one, safe);
  MlirValue result = divideSafely(l, op, operands[0], safe, type);
  MlirValue byMinus = zero;
  if (!tileOpIs(op, "arith.remsi"))
    byMinus = tileBuildBinary(&l->at, "arith.subi", zero, operands[0]);
  return tileBuildSelect(&l->at, isMinus, byMinus, result);
}

//===- floats as integers -------------------------------------------------===//

/// The same of vectors, which LLVM takes apart. Numbers are cut to [least, most], the largest that
/// is of the float's type; what is above is the integers' largest.
static MlirValue vectorToInteger(CpuLowering *l, MlirValue x, MlirType type, bool isSigned) {
  MlirType from = mlirValueGetType(x), element = tileElementType(type);
  int bits = tileBitWidth(element), digits = tileBitWidth(tileElementType(from)) == 64 ? 53 : 24;
  int magnitude = isSigned ? bits - 1 : bits;
  bool isExact = magnitude <= digits;
  double above = ldexp(1, magnitude),
         most = isExact ? above - 1 : above - ldexp(1, magnitude - digits);
  MlirValue limit = cpuFloat(l, from, above), zero = cpuFloat(l, from, 0);
  MlirValue isNumber = tileBuildCmpf(&l->at, TILE_CMPF_OEQ, x, x);
  MlirValue cut = tileBuildSelect(&l->at, isNumber, x, zero);
  cut = tileBuildBinary(&l->at, "arith.maxnumf", cut, cpuFloat(l, from, isSigned ? -above : 0));
  cut = tileBuildBinary(&l->at, "arith.minnumf", cut, cpuFloat(l, from, most));
  // Of 32 bits there are instructions.
  MlirType wide = bits < 32 ? cpuWiden(tileI32(l->context), cpuWidth(x)) : type;
  const char *name = isSigned || bits < 32 ? "arith.fptosi" : "arith.fptoui";
  MlirValue result = tileBuildUnary(&l->at, name, wide, cut);
  if (bits < 32) result = tileBuildUnary(&l->at, "arith.trunci", type, result);
  if (isExact) return result;
  MlirValue isAbove = tileBuildCmpf(&l->at, TILE_CMPF_OGE, x, limit);
  int64_t largest = isSigned ? (int64_t)(UINT64_MAX >> (65 - bits)) : -1;
  return tileBuildSelect(&l->at, isAbove, cpuInt(l, type, largest), result);
}

static MlirValue toInteger(CpuLowering *l, MlirOperation op, MlirValue x, MlirType type) {
  if (cpuWidth(x) && tileBitWidth(tileElementType(type)) >= 8)
    return vectorToInteger(l, x, type, tileOpIs(op, "arith.fptosi"));
  const char *name = tileOpIs(op, "arith.fptosi") ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  int32_t segments[] = {1, 0};
  return tileResult(tileBuildOp(
      &l->at, "llvm.call_intrinsic", 1, &x, 1, &type,
      TILE_ATTRS({"intrin", tileStringAttr(l->context, name)},
                 {"op_bundle_sizes", mlirDenseI32ArrayGet(l->context, 0, NULL)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)}),
      0));
}

//===- narrow floats ------------------------------------------------------===//

MlirValue cpuConvertFloat(CpuLowering *l, MlirValue value, MlirType from, MlirType to) {
  if (mlirTypeEqual(from, to)) return value;
  if (mlirTypeIsAInteger(from)) {
    // A dot widens i8.
    MlirType wide = cpuWiden(to, cpuWidth(value));
    return tileBuildUnary(&l->at, "arith.extsi", wide, value);
  }
  if (isNarrow(from)) {
    value = cpuExtendNarrow(l, value, from);
    from = tileF32(l->context);
    if (mlirTypeEqual(from, to)) return value;
  }
  if (isNarrow(to)) {
    if (tileBitWidth(from) == 64) value = cpuRoundToOdd(l, value);
    return cpuRoundNarrow(l, value, to);
  }
  MlirType type = cpuWiden(to, cpuWidth(value));
  const char *name = tileBitWidth(to) > tileBitWidth(from) ? "arith.extf" : "arith.truncf";
  return tileBuildUnary(&l->at, name, type, value);
}

static MlirValue throughF32(CpuLowering *l, MlirOperation op, const MlirValue *operands,
                            int64_t width);

/// Ops that move bits and compute nothing.
static MlirValue moveNarrow(CpuLowering *l, MlirOperation op, const MlirValue *operands,
                            int64_t width) {
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = tileElementType(mlirValueGetType(tileResult(op)));
  if (tileOpIs(op, "arith.extf") || tileOpIs(op, "arith.truncf"))
    return cpuConvertFloat(l, operands[0], from, to);
  if (tileOpIs(op, "arith.select")) {
    return tileBuildSelect(&l->at, operands[0], operands[1], operands[2]);
  }
  if (!tileOpIs(op, "arith.bitcast")) return throughF32(l, op, operands, width);
  MlirType type = cpuWiden(cpuRegisterType(l, to), width);
  if (mlirTypeEqual(type, mlirValueGetType(operands[0]))) return operands[0];
  return tileBuildUnary(&l->at, "arith.bitcast", type, operands[0]);
}

static MlirValue emit(CpuLowering *l, MlirOperation op, const MlirValue *operands, MlirType type);

static MlirValue throughF32(CpuLowering *l, MlirOperation op, const MlirValue *operands,
                            int64_t width) {
  MlirValue wide[4];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 4) {
    cpuFail(l, op, "an op of at most four operands");
    return operands[0];
  }
  for (intptr_t i = 0; i < count; ++i) {
    MlirType from = tileElementType(mlirValueGetType(tileOperand(op, i)));
    wide[i] = isNarrow(from) ? cpuExtendNarrow(l, operands[i], from) : operands[i];
  }
  MlirType to = tileElementType(mlirValueGetType(tileResult(op)));
  MlirType type = isNarrow(to) ? tileF32(l->context) : to;
  MlirValue result = emit(l, op, wide, cpuWiden(type, width));
  return isNarrow(to) ? cpuRoundNarrow(l, result, to) : result;
}

//===- math ---------------------------------------------------------------===//

/// Below which x the op's result is 0; 0 for ops that are not exponentials.
static double leastExponent(MlirOperation op, bool isWide) {
  if (tileOpIs(op, "math.exp")) return isWide ? -746 : -104;
  if (tileOpIs(op, "math.exp2")) return isWide ? -1076 : -151;
  return 0;
}

/// As tileExpandMath; exponentials that are 0 are those of 0, replaced.
static MlirValue expandMath(CpuLowering *l, MlirOperation op, const MlirValue *operands) {
  MlirType type = mlirValueGetType(operands[0]);
  double least = leastExponent(op, tileBitWidth(tileElementType(type)) == 64);
  if (least == 0) return tileExpandMath(&l->at, op, operands);
  MlirValue zero = cpuFloat(l, type, 0), limit = cpuFloat(l, type, least);
  MlirValue isZero = tileBuildCmpf(&l->at, TILE_CMPF_OLT, operands[0], limit);
  MlirValue x = tileBuildSelect(&l->at, isZero, zero, operands[0]);
  MlirValue result = tileExpandMath(&l->at, op, &x);
  return mlirValueIsNull(result) ? result : tileBuildSelect(&l->at, isZero, zero, result);
}

//===- all of it ----------------------------------------------------------===//

static MlirValue emit(CpuLowering *l, MlirOperation op, const MlirValue *operands, MlirType type) {
  if (tileOpDividesIntegers(op)) return divide(l, op, operands, isSignedDivision(op), type);
  if (tileOpIsToInteger(op)) return toInteger(l, op, operands[0], type);
  if (tileOpIsOfDialect(op, "math") || tileOpIs(op, "arith.remf")) {
    MlirValue result = expandMath(l, op, operands);
    if (!mlirValueIsNull(result)) return result;
  }
  // arith-expand would compare, to which -0 and +0 are equal.
  if (tileOpIs(op, "arith.maximumf"))
    return tileBuildBinary(&l->at, "llvm.intr.maximum", operands[0], operands[1]);
  if (tileOpIs(op, "arith.minimumf"))
    return tileBuildBinary(&l->at, "llvm.intr.minimum", operands[0], operands[1]);
  return repeat(l, op, operands, type);
}

MlirValue cpuElementwise(CpuLowering *l, MlirOperation op, const MlirValue *operands,
                         int64_t width) {
  if (anyNarrow(op)) return moveNarrow(l, op, operands, width);
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  return emit(l, op, operands, cpuWiden(cpuRegisterType(l, element), width));
}
