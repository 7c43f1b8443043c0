//===- LibdeviceFloats.c - functions of floats, in a few ops each ---------===//
//
// Errors are those of the functions they are made of, and a rounding or two. Meanings of names,
// also for infinities and NaNs: NVIDIA, "Libdevice User's Guide"; C11, 7.12.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

//===- powers, turns ------------------------------------------------------===//

static V recip(const ExternCall *c) { return xOver(c, 1, c->in[0]); }

/// Of an angle of pi/4 at most.
static V reduced(const ExternCall *c, const char *name, V angle) {
  V value = xMath(c, name, angle);
  mlirOperationSetAttributeByName(tileValueGetOp(value), tileString(TILE_ANGLE_IN_RANGE),
                                  mlirUnitAttrGet(c->b->context));
  return value;
}

MlirValue externTurn(const ExternCall *c, MlirValue x, bool cosine) {
  // All without an error: what whole turns leave, within -1 and 1, and what quarters of them do.
  V turns = xMath(c, "math.roundeven", xScale(c, x, .5));
  V within = xSub(c, x, xScale(c, turns, 2));
  V quarter = xMath(c, "math.roundeven", xScale(c, within, 2));
  V angle = xScale(c, xSub(c, within, xScale(c, quarter, .5)), M_PI);
  V sine = reduced(c, "math.sin", angle), other = reduced(c, "math.cos", angle);
  V isOdd = xIs(c, EXTERN_OEQ, xMath(c, "math.absf", quarter), 1);
  V value = cosine ? xPick(c, isOdd, sine, other) : xPick(c, isOdd, other, sine);
  // Quarters -2 to 2: of sin - - + + -, of cos - + + - -.
  V below = xIs(c, EXTERN_OLT, quarter, cosine ? -1.5 : 0);
  V above = xIs(c, EXTERN_OGT, quarter, cosine ? .5 : 1.5);
  V negative = xOp(c, "arith.ori", below, above);
  return xPick(c, negative, xScale(c, value, -1), value);
}
/// At whole turns and their halves 0 with the sign of x.
static V sinPi(const ExternCall *c) {
  V value = externTurn(c, c->in[0], false), isZero = xIs(c, EXTERN_OEQ, value, 0);
  return xPick(c, isZero, xOp(c, "math.copysign", value, c->in[0]), value);
}
/// 0 is never -0.
static V cosPi(const ExternCall *c) { return xPlus(c, externTurn(c, c->in[0], true), 0); }

//===- norms --------------------------------------------------------------===//

static MlirType bitsOf(const ExternCall *c, V x) {
  return xIsDouble(x) ? tileI64(c->b->context) : tileI32(c->b->context);
}

/// The root of the squares' sum, of numbers scaled by the power of two of the largest of them.
typedef struct {
  V most;     ///< the largest
  V length;   ///< scaled, from 1 on where `most` is normal
  V sum;      ///< its square
  V up, down; ///< what scales it back, and what scales its reciprocal
  V isUsual;  ///< `most` is neither 0 nor infinite; NaN among the numbers makes `length` NaN
  V end;      ///< 0, infinity or NaN where `most` is unusual: NaN counts beside 0 alone
} Norm;

static Norm norm(const ExternCall *c, int count) {
  Norm n = {.most = {NULL}};
  V size[4];
  for (int i = 0; i < count; ++i) {
    size[i] = xMath(c, "math.absf", c->in[i]);
    n.most = i ? xOp(c, "arith.maxnumf", n.most, size[i]) : size[i];
  }
  // Exponents that have an inverse: a mantissa of 0 below the power of two.
  bool wide = xIsDouble(n.most);
  int mantissa = wide ? 52 : 23;
  int64_t unit = (int64_t)1 << mantissa, last = wide ? 2045 : 253;
  MlirType element = tileElementType(mlirValueGetType(n.most));
  V bits = xCast(c, "arith.bitcast", n.most, bitsOf(c, n.most));
  bits = xOp(c, "arith.andi", bits, xInt(c, bits, -unit));
  bits = xOp(c, "arith.maxsi", bits, xInt(c, bits, unit));
  bits = xOp(c, "arith.minsi", bits, xInt(c, bits, last * unit));
  V other = xOp(c, "arith.subi", xInt(c, bits, (last + 1) * unit), bits);
  n.up = xCast(c, "arith.bitcast", bits, element);
  n.down = xCast(c, "arith.bitcast", other, element);
  for (int i = 0; i < count; ++i) {
    V part = xMul(c, size[i], n.down);
    n.sum = i ? xFma(c, part, part, n.sum) : xMul(c, part, part);
  }
  n.length = xRoot(c, n.sum);
  V some = xIs(c, EXTERN_OGT, n.most, 0), finite = xIs(c, EXTERN_UNE, n.most, INFINITY);
  n.isUsual = xOp(c, "arith.andi", some, finite);
  n.end = xPick(c, finite, n.sum, n.most);
  return n;
}

static V lengthOf(const ExternCall *c, int count) {
  Norm n = norm(c, count);
  return xPick(c, n.isUsual, xMul(c, n.length, n.up), n.end);
}

/// What 1 / size is for a size of 0, infinity or NaN.
static V endOf(const ExternCall *c, V size) {
  V zero = xNum(c, size, 0), infinity = xNum(c, size, INFINITY);
  V end = xPick(c, xIs(c, EXTERN_OEQ, size, 0), infinity, zero);
  return xPick(c, xTest(c, EXTERN_UNO, size, size), size, end);
}

static V reciprocalOf(const ExternCall *c, int count) {
  Norm n = norm(c, count);
  V one = xNum(c, n.most, 1), inverse = xQuotient(c, one, n.length);
  V rest = xFma(c, xScale(c, xMul(c, n.sum, inverse), -1), inverse, one);
  inverse = xFma(c, xScale(c, inverse, .5), rest, inverse);
  return xPick(c, n.isUsual, xMul(c, inverse, n.down), endOf(c, n.end));
}

/// r by a quotient, as cube roots are in range, and a third of r times what its cube lacks.
static V recipCbrt(const ExternCall *c) {
  V x = c->in[0], size = xMath(c, "math.absf", x), y = xMath(c, "math.cbrt", size);
  V one = xNum(c, x, 1), inverse = xQuotient(c, one, y);
  V rest = xFma(c, xScale(c, xMul(c, size, inverse), -1), xMul(c, inverse, inverse), one);
  inverse = xFma(c, xScale(c, inverse, 1. / 3), rest, inverse);
  V some = xIs(c, EXTERN_OGT, size, 0), finite = xIs(c, EXTERN_OLT, size, INFINITY);
  V isUsual = xOp(c, "arith.andi", some, finite);
  return xOp(c, "math.copysign", xPick(c, isUsual, inverse, endOf(c, size)), x);
}
static V hypot2(const ExternCall *c) { return lengthOf(c, 2); }
static V hypot3(const ExternCall *c) { return lengthOf(c, 3); }
static V hypot4(const ExternCall *c) { return lengthOf(c, 4); }
static V recipHypot2(const ExternCall *c) { return reciprocalOf(c, 2); }
static V recipHypot3(const ExternCall *c) { return reciprocalOf(c, 3); }
static V recipHypot4(const ExternCall *c) { return reciprocalOf(c, 4); }

//===- differences and remainders -----------------------------------------===//

static V positiveDifference(const ExternCall *c) {
  V less = xTest(c, EXTERN_OLE, c->in[0], c->in[1]), zero = xNum(c, c->in[0], 0);
  return xPick(c, less, zero, xSub(c, c->in[0], c->in[1]));
}

static V saturate(const ExternCall *c) {
  V zero = xNum(c, c->in[0], 0), one = xNum(c, c->in[0], 1);
  return xOp(c, "arith.minnumf", xOp(c, "arith.maxnumf", c->in[0], zero), one);
}

/// IEEE 754's: the quotient is rounded to the nearest, of two to the even one. What is left of
/// |x| by 2 |y| lies below that; up to two times |y| go off. Half of a number that is no normal one
/// may be none; twice what is left is compared.
static V remainder2(const ExternCall *c) {
  V x = xMath(c, "math.absf", c->in[0]), y = xMath(c, "math.absf", c->in[1]);
  V twice = xAdd(c, y, y), infinite = xIs(c, EXTERN_OEQ, twice, INFINITY);
  V left = xPick(c, infinite, x, xOp(c, "arith.remf", x, twice));
  V over = xTest(c, EXTERN_OGT, xAdd(c, left, left), y), less = xSub(c, left, y);
  V once = xPick(c, over, less, left);
  V again = xTest(c, EXTERN_OGE, xAdd(c, once, once), y), lesser = xSub(c, once, y);
  V both = xOp(c, "arith.andi", over, again);
  V result = xPick(c, both, lesser, once);
  V sign = xOp(c, "math.copysign", xNum(c, x, 1), c->in[0]);
  V byZero = xIs(c, EXTERN_OEQ, y, 0), endless = xIs(c, EXTERN_OEQ, x, INFINITY);
  V bad = xOp(c, "arith.ori", byZero, endless), nan = xNum(c, x, NAN);
  return xPick(c, bad, nan, xMul(c, result, sign));
}

//===- neighbours, scaling, exponents -------------------------------------===//

static V nextAfter(const ExternCall *c) {
  V x = c->in[0], y = c->in[1];
  MlirType element = tileElementType(mlirValueGetType(x));
  V bits = xCast(c, "arith.bitcast", x, bitsOf(c, x));
  V up = xTest(c, EXTERN_OLT, x, y), positive = xIs(c, EXTERN_OGT, x, 0);
  // Away from zero bits grow, whatever the sign.
  V differs = xOp(c, "arith.xori", up, positive);
  V one = xInt(c, bits, 1), minus = xInt(c, bits, -1);
  V moved = xOp(c, "arith.addi", bits, tileBuildSelect(c->b, differs, minus, one));
  moved = xCast(c, "arith.bitcast", moved, element);
  V least = xCast(c, "arith.bitcast", one, element);
  V fromZero = xOp(c, "math.copysign", least, y);
  V result = xPick(c, xIs(c, EXTERN_OEQ, x, 0), fromZero, moved);
  result = xPick(c, xTest(c, EXTERN_OEQ, x, y), y, result);
  V isNan = xTest(c, EXTERN_UNO, x, y), nan = xAdd(c, x, y);
  return xPick(c, isNan, nan, result);
}

/// 2^n of an i32 n that is an exponent of a normal number.
static V powerOfTwo(const ExternCall *c, V n) {
  bool wide = xIsDouble(c->in[0]);
  MlirType element = tileElementType(mlirValueGetType(c->in[0]));
  if (wide) n = xCast(c, "arith.extsi", n, tileI64(c->b->context));
  V biased = xOp(c, "arith.addi", n, xInt(c, n, wide ? 1023 : 127));
  V bits = xOp(c, "arith.shli", biased, xInt(c, n, wide ? 52 : 23));
  return xCast(c, "arith.bitcast", bits, element);
}

static V clampInt(const ExternCall *c, V n, int64_t least, int64_t most) {
  n = xOp(c, "arith.maxsi", n, xInt(c, n, least));
  return xOp(c, "arith.minsi", n, xInt(c, n, most));
}

/// In three steps, each by a power that is a normal number.
static V loadExponent(const ExternCall *c) {
  int64_t most = xIsDouble(c->in[0]) ? 1022 : 126;
  V x = c->in[0], n = clampInt(c, c->in[1], -3 * most, 3 * most);
  for (int i = 0; i < 3; ++i) {
    V step = clampInt(c, n, -most, most);
    x = xMul(c, x, powerOfTwo(c, step));
    n = xOp(c, "arith.subi", n, step);
  }
  return x;
}

/// The exponent as an i32, of a number that is neither 0 nor infinite.
static V exponent(const ExternCall *c, V x) {
  bool wide = xIsDouble(x);
  V size = xMath(c, "math.absf", x);
  V small = xIs(c, EXTERN_OLT, size, wide ? 0x1p-1022 : 0x1p-126);
  V normal = xPick(c, small, xScale(c, size, wide ? 0x1p53 : 0x1p24), size);
  V bits = xCast(c, "arith.bitcast", normal, bitsOf(c, x));
  V biased = xOp(c, "arith.shrui", bits, xInt(c, bits, wide ? 52 : 23));
  V many = xInt(c, bits, wide ? 1023 + 53 : 127 + 24), few = xInt(c, bits, wide ? 1023 : 127);
  V n = xOp(c, "arith.subi", biased, tileBuildSelect(c->b, small, many, few));
  return wide ? xCast(c, "arith.trunci", n, tileI32(c->b->context)) : n;
}

static V integerExponent(const ExternCall *c) {
  V x = c->in[0], n = exponent(c, x);
  V infinite = xIs(c, EXTERN_OEQ, xMath(c, "math.absf", x), INFINITY);
  n = tileBuildSelect(c->b, infinite, xInt(c, n, INT32_MAX), n);
  V isZero = xIs(c, EXTERN_OEQ, x, 0), isNan = xTest(c, EXTERN_UNO, x, x);
  V none = xOp(c, "arith.ori", isZero, isNan);
  return tileBuildSelect(c->b, none, xInt(c, n, INT32_MIN), n);
}

static V floatExponent(const ExternCall *c) {
  V x = c->in[0], size = xMath(c, "math.absf", x);
  V n = xCast(c, "arith.sitofp", exponent(c, x), tileElementType(mlirValueGetType(x)));
  V isZero = xIs(c, EXTERN_OEQ, x, 0), least = xNum(c, x, -INFINITY);
  n = xPick(c, isZero, least, n);
  V finite = xIs(c, EXTERN_OLT, size, INFINITY);
  return xPick(c, finite, n, size);
}

static V roundToLong(const ExternCall *c) {
  return tileBuildUnary(c->b, "arith.fptosi", c->type, xMath(c, "math.round", c->in[0]));
}
static V roundEvenToLong(const ExternCall *c) {
  return tileBuildUnary(c->b, "arith.fptosi", c->type, xMath(c, "math.roundeven", c->in[0]));
}

//===- the chip's approximations ------------------------------------------===//

/// `x`, of an op just made, with fastmath<afn>.
static V fast(const ExternCall *c, V x) {
  MlirAttribute flags = tileParseAttr(c->b->context, "#arith.fastmath<afn>");
  mlirOperationSetAttributeByName(tileValueGetOp(x), tileString("fastmath"), flags);
  return x;
}
static V fastExp(const ExternCall *c) { return fast(c, xMath(c, "math.exp", c->in[0])); }
static V fastLog(const ExternCall *c) { return fast(c, xMath(c, "math.log", c->in[0])); }
static V fastLog2(const ExternCall *c) { return fast(c, xMath(c, "math.log2", c->in[0])); }
static V fastRsqrt(const ExternCall *c) { return fast(c, xMath(c, "math.rsqrt", c->in[0])); }
/// Triton links libdevice without __CUDA_PREC_SQRT and with flushed subnormals.
static V plainSqrt(const ExternCall *c) {
  V root = xMath(c, "math.sqrt", c->in[0]);
  return xIsDouble(root) ? root : fast(c, root);
}
static V fastSin(const ExternCall *c) { return fast(c, xMath(c, "math.sin", c->in[0])); }
static V fastCos(const ExternCall *c) { return fast(c, xMath(c, "math.cos", c->in[0])); }
static V fastTanh(const ExternCall *c) { return fast(c, xMath(c, "math.tanh", c->in[0])); }
/// By the chip's reciprocal, which asks nothing of the divisor: as CUDA has it, 0 beyond 2^126.
static V fastDivide(const ExternCall *c) {
  V one = xNum(c, c->in[1], 1);
  return xMul(c, c->in[0], xQuotient(c, one, c->in[1]));
}
static V fastTan(const ExternCall *c) {
  V sine = fastSin(c), cosine = fastCos(c);
  return fast(c, xDiv(c, sine, cosine));
}
static V fastLog10(const ExternCall *c) { return xScale(c, fastLog2(c), M_LN2 / M_LN10); }
static V fastExp10(const ExternCall *c) {
  return fast(c, xMath(c, "math.exp2", xScale(c, c->in[0], M_LN10 / M_LN2)));
}
static V fastPow(const ExternCall *c) {
  return fast(c, xMath(c, "math.exp2", xMul(c, c->in[1], fastLog2(c))));
}

/// 10^x = 2^n 10^r, x = n log10(2) + r. Of f32 by r p(r), fitted to 2^-28.4 of the result.
static V exp10Of(const ExternCall *c) {
  static const double terms[] = {0.207600951, 0.54182595, 1.1712538,
                                 2.03465605,  2.650949,   2.30258512};
  V x = c->in[0];
  if (xIsDouble(x)) return xOp(c, "math.powf", xNum(c, x, 10), x);
  // Far enough for 0 and infinity; NaN stays.
  x = xOp(c, "arith.minimumf", xOp(c, "arith.maximumf", x, xNum(c, x, -46)), xNum(c, x, 39));
  V magic = xNum(c, x, 0x1.8p23), shifted = xFma(c, x, xNum(c, x, M_LN10 / M_LN2), magic);
  V minus = xSub(c, magic, shifted);
  // The first part of log10(2) has so few bits that its product with n is exact.
  V r = xFma(c, minus, xNum(c, x, 0x1.3509f8p-18), xFma(c, minus, xNum(c, x, 0x1.344p-2), x));
  V power = xFma(c, X_POLYNOMIAL(c, r, terms), r, xNum(c, x, 1));
  V n = xCast(c, "arith.bitcast", shifted, tileI32(c->b->context));
  n = xOp(c, "arith.subi", n, xInt(c, n, 0x4b400000));
  V half = xOp(c, "arith.shrsi", n, xInt(c, n, 1));
  power = xMul(c, power, powerOfTwo(c, half));
  return xMul(c, power, powerOfTwo(c, xOp(c, "arith.subi", n, half)));
}

const ExternRule externFloats[] = {{"exp10", 1, exp10Of},
                                   {"sinpi", 1, sinPi},
                                   {"cospi", 1, cosPi},
                                   {"rcbrt", 1, recipCbrt},
                                   {"frcp_rn", 1, recip},
                                   {"drcp_rn", 1, recip},
                                   {"hypot", 2, hypot2},
                                   {"rhypot", 2, recipHypot2},
                                   {"norm3d", 3, hypot3},
                                   {"rnorm3d", 3, recipHypot3},
                                   {"norm4d", 4, hypot4},
                                   {"rnorm4d", 4, recipHypot4},
                                   {"fdim", 2, positiveDifference},
                                   {"saturate", 1, saturate},
                                   {"remainder", 2, remainder2},
                                   {"nextafter", 2, nextAfter},
                                   {"ldexp", 2, loadExponent},
                                   {"scalbn", 2, loadExponent},
                                   {"ilogb", 1, integerExponent},
                                   {"logb", 1, floatExponent},
                                   {"llround", 1, roundToLong},
                                   {"llrint", 1, roundEvenToLong},
                                   {"rsqrt", 1, fastRsqrt}, // libdevice's is no better
                                   {"sqrt", 1, plainSqrt},
                                   {"fast_exp", 1, fastExp},
                                   {"fast_log", 1, fastLog},
                                   {"fast_log2", 1, fastLog2},
                                   {"fast_log10", 1, fastLog10},
                                   {"fast_sin", 1, fastSin},
                                   {"fast_cos", 1, fastCos},
                                   {"fast_tan", 1, fastTan},
                                   {"fast_tanh", 1, fastTanh},
                                   {"fast_exp10", 1, fastExp10},
                                   {"fast_pow", 2, fastPow},
                                   {"fast_fdivide", 2, fastDivide},
                                   {NULL, 0, NULL}};
