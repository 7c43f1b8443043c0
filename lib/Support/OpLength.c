//===- OpLength.c - how much code an op is --------------------------------===//
//
// Of functions and divisions, counted in machine code for sm_90a: what one more element of a thread
// adds (docs/results/notebook/strangers/products.md: How long ops are). They are what
// lib/Conversion/Math and TileToGPU/MathLowering.c make of them, so that a change there is a change
// here.
//
//===----------------------------------------------------------------------===//
#include "tile/Support/OpLength.h"
#include "tile/IR.h"
#include "tile/Support/FastMath.h"

/// Of f32, and of 16 bits and less, which are computed in f32; where it may be approximate; of f64.
static const struct {
  const char *name;
  int exact, approximate, wide;
} floats[] = {
    {"math.exp", 8, 2, 30},      {"math.exp2", 4, 1, 30},    {"math.expm1", 18, 18, 30},
    {"math.log", 26, 5, 46},     {"math.log2", 28, 4, 58},   {"math.log10", 28, 28, 58},
    {"math.log1p", 23, 23, 70},  {"math.sin", 82, 4, 185},   {"math.cos", 80, 4, 182},
    {"math.tan", 88, 88, 194},   {"math.tanh", 14, 1, 44},   {"math.sinh", 34, 34, 64},
    {"math.cosh", 26, 26, 46},   {"math.asinh", 40, 40, 96}, {"math.acosh", 38, 38, 96},
    {"math.atanh", 35, 35, 90},  {"math.atan", 29, 29, 49},  {"math.asin", 27, 27, 59},
    {"math.acos", 37, 37, 72},   {"math.cbrt", 29, 29, 53},  {"math.erf", 18, 9, 88},
    {"math.erfc", 59, 59, 106},  {"math.rsqrt", 4, 1, 18},   {"math.sqrt", 15, 1, 27},
    {"math.round", 4, 4, 5},     {"math.powf", 98, 98, 161}, {"math.fpowi", 98, 98, 161},
    {"math.atan2", 68, 68, 121}, {"arith.divf", 14, 9, 24},  {"arith.remf", 50, 50, 90},
};

/// Of 32 bits and less, and of 64; the same where one number divides all elements.
static const struct {
  const char *name;
  int narrow, wide, narrowByOne, wideByOne;
} integers[] = {
    {"arith.divsi", 26, 34, 12, 30},      {"arith.remsi", 24, 33, 9, 27},
    {"arith.divui", 18, 33, 9, 29},       {"arith.remui", 18, 29, 8, 27},
    {"arith.floordivsi", 30, 40, 17, 40}, {"arith.ceildivsi", 30, 40, 17, 40},
    {"arith.ceildivui", 20, 35, 11, 35},  {"math.ipowi", 101, 693, 101, 693},
};

static bool isApproximate(MlirOperation op) {
  return tileOpHasFastMath(op, "afn") ||
         (tileOpIs(op, "arith.divf") && tileOpHasFastMath(op, "arcp"));
}

static int lengthOfFloats(MlirOperation op, int exact, int approximate, int wide) {
  enum { PRODUCTS = 3, QUOTIENT = 4, ANGLE = 20 };
  double power;
  MlirType type = tileElementType(mlirValueGetType(tileResult(op)));
  bool isPower = tileOpIs(op, "math.powf") && tileConstantFloat(tileOperand(op, 1), &power);
  if (isPower && (power == 2 || power == 3 || power == 1)) return PRODUCTS;
  if (mlirTypeIsAF64(type)) return wide;
  if (isApproximate(op)) return approximate;
  if (!mlirAttributeIsNull(tileAttr(op, TILE_ANGLE_IN_RANGE))) return ANGLE;
  bool isInRange = !mlirAttributeIsNull(tileAttr(op, TILE_DIVISOR_IN_RANGE)) ||
                   !mlirAttributeIsNull(tileAttr(op, TILE_RADICAND_IN_RANGE));
  return isInRange ? QUOTIENT : exact;
}

/// Is `value` one number, or a tile of it?
static bool isOneNumber(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !tileTypeIsTile(mlirValueGetType(value)) ||
         (!mlirOperationIsNull(op) && tileOpIsASplat(op));
}

int tileOpLength(MlirOperation op) {
  enum { CONSTANT_DIVISOR = 4 };
  int64_t number;
  if (tileOpIsView(op) || tileOpIs(op, "arith.constant")) return 0;
  for (size_t i = 0; i < sizeof floats / sizeof *floats; ++i)
    if (tileOpIs(op, floats[i].name))
      return lengthOfFloats(op, floats[i].exact, floats[i].approximate, floats[i].wide);
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) {
    if (!tileOpIs(op, integers[i].name)) continue;
    // By a constant it is a product and shifts.
    if (tileConstantInt(tileOperand(op, 1), &number)) return CONSTANT_DIVISOR;
    bool isWide = tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) > 32;
    if (isOneNumber(tileOperand(op, 1)))
      return isWide ? integers[i].wideByOne : integers[i].narrowByOne;
    return isWide ? integers[i].wide : integers[i].narrow;
  }
  return 1;
}
