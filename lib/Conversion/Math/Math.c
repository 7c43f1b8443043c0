//===- Math.c - math functions as arithmetic ------------------------------===//
//
// Each function reduces its argument to a small interval, evaluates a polynomial there, and puts
// the result together again from bits. Constants that a reduction subtracts are split, so that what
// one product loses the next gives back (Cody and Waite, "Software Manual for the Elementary
// Functions", 1980). Special values come out of comparisons and selects: a NaN compares false and
// so passes through.
//
// Integers are taken from floats by adding 1.5 * 2^23 (2^52), which leaves them in the low bits:
// unlike a conversion, that is defined for NaN.
//===----------------------------------------------------------------------===//
#include "Math.h"
#include "MathKit.h"
#include "tile/Support/FastMath.h"
#include <math.h>

static V rsqrt(Math *m, V x) {
  V one = number(m, 1);
  return divide(m, one, root(m, x));
}

static V clampTo(Math *m, V x, V low, V high) {
  V below = mathCompare(m, OLT, x, low);
  x = select(m, below, low, x);
  V above = mathCompare(m, OGT, x, high);
  return select(m, above, high, x);
}

static V isFinite(Math *m, V x) { return compareNumber(m, OLT, absolute(m, x), INFINITY); }
static V isInf(Math *m, V x) { return compareNumber(m, OEQ, absolute(m, x), INFINITY); }
static V isNan(Math *m, V x) { return mathCompare(m, UNO, x, x); }
static V isNormal(Math *m, V x) {
  V size = absolute(m, x);
  V above = mathNot(m, compareNumber(m, OLT, size, m->least));
  V below = compareNumber(m, OLT, size, INFINITY);
  return both(m, above, below);
}

/// x^n of those few n by which multiplying is as right as what follows (1.5 ulp); null of others.
static V powerByProducts(Math *m, V x, double n) {
  if (n != -1 && n != 1 && n != 2 && n != 3) return (V){NULL};
  if (n < 0) return divide(m, number(m, 1), x);
  V result = x;
  for (int i = 1; i < n; ++i) result = mul(m, result, x);
  return result;
}

static V power(Math *m, V x, V y) {
  double known;
  V simple = {NULL};
  if (tileConstantFloat(y, &known)) simple = powerByProducts(m, x, known);
  return mlirValueIsNull(simple) ? mathPow(m, x, y) : simple;
}

/// x^n: the sign is for n to say, as a float may have lost whether n is odd.
static V powerOfInteger(Math *m, V x, V n) {
  int64_t known;
  V simple = {NULL};
  if (tileConstantInt(n, &known)) simple = powerByProducts(m, x, (double)known);
  if (!mlirValueIsNull(simple)) return simple;
  V y = tileBuildUnary(m->b, "arith.sitofp", m->type, n);
  V result = mathPow(m, absolute(m, x), y);
  V one = tileBuildInt(m->b, mlirValueGetType(n), 1), plus = number(m, 1);
  V last = tileBuildBinary(m->b, "arith.andi", n, one);
  V isOdd = tileBuildCmpi(m->b, TILE_EQ, last, one);
  V isNegative = compareNumber(m, OLT, mathCopySign(m, plus, x), 0);
  V flips = both(m, isOdd, isNegative);
  return select(m, flips, negate(m, result), result);
}

static const struct {
  const char *name;
  V (*one)(Math *, V);
  V (*two)(Math *, V, V);
  V (*three)(Math *, V, V, V);
} functions[] = {
    {"math.exp", mathExp, NULL, NULL},          {"math.exp2", mathExp2, NULL, NULL},
    {"math.expm1", mathExpm1, NULL, NULL},      {"math.log", mathLog, NULL, NULL},
    {"math.log2", mathLog2, NULL, NULL},        {"math.log10", mathLog10, NULL, NULL},
    {"math.log1p", mathLog1p, NULL, NULL},      {"math.sin", mathSin, NULL, NULL},
    {"math.cos", mathCos, NULL, NULL},          {"math.tan", mathTan, NULL, NULL},
    {"math.tanh", mathTanh, NULL, NULL},        {"math.sinh", mathSinh, NULL, NULL},
    {"math.cosh", mathCosh, NULL, NULL},        {"math.asinh", mathAsinh, NULL, NULL},
    {"math.acosh", mathAcosh, NULL, NULL},      {"math.atanh", mathAtanh, NULL, NULL},
    {"math.atan", mathAtan, NULL, NULL},        {"math.asin", mathAsin, NULL, NULL},
    {"math.acos", mathAcos, NULL, NULL},        {"math.cbrt", mathCbrt, NULL, NULL},
    {"math.erf", mathErf, NULL, NULL},          {"math.erfc", mathErfc, NULL, NULL},
    {"math.rsqrt", rsqrt, NULL, NULL},          {"math.isfinite", isFinite, NULL, NULL},
    {"math.isinf", isInf, NULL, NULL},          {"math.isnan", isNan, NULL, NULL},
    {"math.isnormal", isNormal, NULL, NULL},    {"math.powf", NULL, power, NULL},
    {"math.atan2", NULL, mathAtan2, NULL},      {"math.copysign", NULL, mathCopySign, NULL},
    {"arith.remf", NULL, mathRemainder, NULL},  {"math.clampf", NULL, NULL, clampTo},
    {"math.fpowi", NULL, powerOfInteger, NULL},
};

/// Of f32 and f64, and of those that are computed in f32.
static double leastNormal(MlirType element) {
  if (mlirTypeIsAF64(element)) return 0x1p-1022;
  if (mlirTypeIsAFloat8E4M3FN(element)) return 0x1p-6;
  return mlirTypeIsAF16(element) || mlirTypeIsAFloat8E5M2(element) ? 0x1p-14 : 0x1p-126;
}

/// False where there is none for the type.
static bool start(Math *m, TileBuilder *b, MlirOperation op, MlirType type) {
  MlirType element = tileElementType(type);
  *m = (Math){.b = b, .type = type, .wide = mlirTypeIsAF64(element)};
  m->isReduced = !mlirAttributeIsNull(tileAttr(op, TILE_ANGLE_IN_RANGE));
  if (!m->wide && !mlirTypeIsAF32(element)) return false;
  m->mantissa = m->wide ? 52 : 23;
  m->least = leastNormal(tileElementType(mlirValueGetType(tileOperand(op, 0))));
  m->bias = m->wide ? 1023 : 127;
  bool isVector = mlirTypeIsAVector(type);
  int64_t n = isVector ? mlirShapedTypeGetDimSize(type, 0) : 0;
  MlirType number = m->wide ? tileI64(b->context) : tileI32(b->context);
  m->ints = isVector ? tileVectorType(n, number) : number;
  m->masks = isVector ? tileVectorType(n, tileI1(b->context)) : tileI1(b->context);
  return true;
}

bool tileExpandSinCos(TileBuilder *b, MlirOperation op, MlirValue x, MlirValue results[2]) {
  Math m;
  if (!start(&m, b, op, mlirValueGetType(x)) || m.wide || m.isReduced) return false;
  mathSinCos(&m, x, results);
  return true;
}

MlirValue tileExpandMath(TileBuilder *b, MlirOperation op, const MlirValue *operands) {
  Math m;
  if (!start(&m, b, op, mlirValueGetType(operands[0]))) return (MlirValue){NULL};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (!tileOpIs(op, functions[i].name)) continue;
    if (functions[i].one) return functions[i].one(&m, operands[0]);
    if (functions[i].two) return functions[i].two(&m, operands[0], operands[1]);
    return functions[i].three(&m, operands[0], operands[1], operands[2]);
  }
  return (MlirValue){NULL};
}
