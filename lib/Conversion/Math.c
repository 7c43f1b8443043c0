//===- Math.c - math functions as arithmetic ------------------------------===//
//
// Each function reduces its argument to a small interval, evaluates a polynomial there, and puts
// the result together again from bits. Constants that a reduction subtracts are split in two, so
// that the first product is exact (Cody and Waite, "Software Manual for the Elementary Functions",
// 1980). The minimax polynomials are those of Moshier's Cephes (exp, log, sin, cos, tanh) and of
// Juffa's published erff. Special values come out of comparisons and selects: a NaN compares false
// and so passes through.
//
// Integers are taken from floats by adding 1.5 * 2^23, which leaves them in the low bits: unlike a
// conversion, that is defined for NaN.
//===----------------------------------------------------------------------===//
#include "Math.h"
#include <math.h>

typedef struct {
  TileBuilder *b;
  MlirType type;  ///< f32, or a vector of it
  MlirType ints;  ///< i32 likewise
  MlirType masks; ///< i1 likewise
} Math;

typedef MlirValue V;

static MlirType like(MlirType type, MlirType element) {
  if (!mlirTypeIsAVector(type)) return element;
  return tileVectorType(mlirShapedTypeGetDimSize(type, 0), element);
}

static V number(Math *m, double value) { return tileBuildFloat(m->b, m->type, value); }
static V integer(Math *m, int64_t value) { return tileBuildInt(m->b, m->ints, value); }
static V add(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.addf", x, y); }
static V sub(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.subf", x, y); }
static V mul(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.mulf", x, y); }
static V divide(Math *m, V x, V y) { return tileBuildBinary(m->b, "arith.divf", x, y); }
static V fma3(Math *m, V x, V y, V z) {
  return tileBuild(m->b, "math.fma", mlirValueGetType(x), TILE_VALUES(x, y, z));
}
static V iop(Math *m, const char *name, V x, int64_t y) {
  V constant = integer(m, y);
  return tileBuildBinary(m->b, name, x, constant);
}
static V bits(Math *m, V x) { return tileBuildUnary(m->b, "arith.bitcast", m->ints, x); }
static V floats(Math *m, V x) { return tileBuildUnary(m->b, "arith.bitcast", m->type, x); }
static V select(Math *m, V c, V x, V y) { return tileBuildSelect(m->b, c, x, y); }
static V absolute(Math *m, V x) { return tileBuildUnary(m->b, "math.absf", m->type, x); }
static V copySign(Math *m, V x, V sign) { return tileBuildBinary(m->b, "math.copysign", x, sign); }

enum { OEQ = 1, OGT = 2, OLT = 4, UNO = 14 };
static V compare(Math *m, int64_t predicate, V x, V y) {
  MlirAttribute attr = tileIntegerAttr(tileI64(m->b->context), predicate);
  return tileResult(tileBuildOp(m->b, "arith.cmpf", TILE_VALUES(x, y), 1, &m->masks,
                                TILE_ATTRS({"predicate", attr}), 0));
}

/// c[0] x^(n-1) + .. + c[n-1].
static V polynomial(Math *m, V x, int n, const double *c) {
  V sum = number(m, c[0]);
  for (int i = 1; i < n; ++i) {
    V next = number(m, c[i]);
    sum = fma3(m, sum, x, next);
  }
  return sum;
}
#define POLYNOMIAL(m, x, ...)                                                                      \
  polynomial(m, x, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

/// The nearest integer to x * scale, as a float and as an i32; |x * scale| < 2^22.
static V nearest(Math *m, V x, double scale, V *asInt) {
  V magic = number(m, 12582912.0), factor = number(m, scale);
  V shifted = fma3(m, x, factor, magic);
  V low = bits(m, shifted), base = bits(m, magic);
  *asInt = tileBuildBinary(m->b, "arith.subi", low, base);
  return sub(m, shifted, magic);
}

/// x * 2^n in two steps, so that neither factor over- or underflows; |n| <= 252.
static V scale(Math *m, V x, V n) {
  V half = iop(m, "arith.shrsi", n, 1);
  V rest = tileBuildBinary(m->b, "arith.subi", n, half);
  V parts[2] = {half, rest};
  for (int i = 0; i < 2; ++i) {
    V biased = iop(m, "arith.addi", parts[i], 127);
    V factor = floats(m, iop(m, "arith.shli", biased, 23));
    x = mul(m, x, factor);
  }
  return x;
}

/// x, but within [low, high]; NaN stays.
static V clamp(Math *m, V x, double low, double high) {
  V most = number(m, high), least = number(m, low);
  V above = compare(m, OGT, x, most);
  x = select(m, above, most, x);
  V below = compare(m, OLT, x, least);
  return select(m, below, least, x);
}

//===- exp ----------------------------------------------------------------===//

/// x = n ln 2 + r, |r| <= ln 2 / 2; exp x = 2^n (1 + r + r^2 p(r)).
static V expandExp(Math *m, V x) {
  V n, inside = clamp(m, x, -104, 89);
  V nf = nearest(m, inside, 1.44269504088896341, &n);
  V high = number(m, -0.693359375), low = number(m, 2.12194440e-4);
  V r = fma3(m, nf, high, inside);
  r = fma3(m, nf, low, r);
  V p = POLYNOMIAL(m, r, 1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                   1.6666665459e-1, 5.0000001201e-1);
  V square = mul(m, r, r), one = number(m, 1);
  V linear = add(m, r, one);
  return scale(m, fma3(m, p, square, linear), n);
}

/// x = n + r, |r| <= 1/2; 2^x = 2^n (1 + r p(r)).
static V expandExp2(Math *m, V x) {
  V n, inside = clamp(m, x, -151, 129);
  V nf = nearest(m, inside, 1, &n);
  V r = sub(m, inside, nf);
  V p = POLYNOMIAL(m, r, 1.535336188319500e-4, 1.339887440266574e-3, 9.618437357674640e-3,
                   5.550332471162809e-2, 2.402264791363012e-1, 6.931472028550421e-1);
  V one = number(m, 1);
  return scale(m, fma3(m, p, r, one), n);
}

/// Near 0 exp's polynomial without its 1, which would swallow the small digits.
static V expandExpm1(Math *m, V x) {
  V p = POLYNOMIAL(m, x, 1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                   1.6666665459e-1, 5.0000001201e-1);
  V square = mul(m, x, x), one = number(m, 1), limit = number(m, 0.34657359);
  V near = fma3(m, p, square, x);
  V far = sub(m, expandExp(m, x), one);
  V isNear = compare(m, OLT, absolute(m, x), limit);
  return select(m, isNear, near, far);
}

//===- log ----------------------------------------------------------------===//

typedef struct {
  V f;    ///< x = 2^e (1 + f), f within [sqrt 1/2, sqrt 2] - 1
  V e;    ///< as a float
  V tail; ///< log(1 + f) - f
} LogParts;

static LogParts splitLog(Math *m, V x) {
  // Subnormals are multiplied into the normal range first.
  V tiny = number(m, 1.17549435e-38), large = number(m, 8388608.0);
  V isTiny = compare(m, OLT, x, tiny);
  V scaled = mul(m, x, large);
  x = select(m, isTiny, scaled, x);
  V root = integer(m, 0x3f3504f3); // sqrt(1/2)
  V above = tileBuildBinary(m->b, "arith.subi", bits(m, x), root);
  V e = iop(m, "arith.shrsi", above, 23);
  V shift = integer(m, -23), zero = integer(m, 0);
  V correction = select(m, isTiny, shift, zero);
  e = tileBuildBinary(m->b, "arith.addi", e, correction);
  V mantissa = iop(m, "arith.andi", above, 0x7fffff);
  mantissa = floats(m, tileBuildBinary(m->b, "arith.addi", mantissa, root));
  V one = number(m, 1), half = number(m, -0.5);
  LogParts p;
  p.f = sub(m, mantissa, one);
  p.e = tileBuildUnary(m->b, "arith.sitofp", m->type, e);
  V q = POLYNOMIAL(m, p.f, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
                   1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1,
                   3.3333331174e-1);
  V square = mul(m, p.f, p.f);
  V cube = mul(m, square, p.f);
  p.tail = mul(m, q, cube);
  p.tail = fma3(m, half, square, p.tail);
  return p;
}

/// log of 0 is -inf, of what is below NaN, of inf inf.
static V finishLog(Math *m, V x, V result) {
  V zero = number(m, 0), infinity = number(m, INFINITY), minus = number(m, -INFINITY);
  V nan = number(m, NAN);
  V isInfinite = compare(m, OEQ, x, infinity);
  result = select(m, isInfinite, infinity, result);
  V isZero = compare(m, OEQ, x, zero);
  result = select(m, isZero, minus, result);
  V isBelow = compare(m, OLT, x, zero);
  result = select(m, isBelow, nan, result);
  V isNan = compare(m, UNO, x, x);
  return select(m, isNan, x, result);
}

static V expandLog(Math *m, V x) {
  LogParts p = splitLog(m, x);
  V low = number(m, -2.12194440e-4), high = number(m, 0.693359375);
  V tail = fma3(m, p.e, low, p.tail);
  V sum = add(m, p.f, tail);
  return finishLog(m, x, fma3(m, p.e, high, sum));
}

static V expandLog2(Math *m, V x) {
  LogParts p = splitLog(m, x);
  // log2 e = 1 + 0.4427: the large part is added last.
  V rest = number(m, 0.44269504088896341);
  V sum = mul(m, p.tail, rest);
  sum = fma3(m, p.f, rest, sum);
  sum = add(m, sum, p.tail);
  sum = add(m, sum, p.f);
  return finishLog(m, x, add(m, sum, p.e));
}

/// log(1 + x), corrected by what rounding 1 + x lost.
static V expandLog1p(Math *m, V x) {
  V one = number(m, 1), infinity = number(m, INFINITY);
  V sum = add(m, x, one);
  V lost = sub(m, x, sub(m, sum, one));
  V correction = divide(m, lost, sum), plain = expandLog(m, sum);
  V result = add(m, plain, correction);
  V isZero = compare(m, OEQ, sum, one);
  result = select(m, isZero, x, result);
  V least = number(m, -1);
  V below = compare(m, OLT, least, x), above = compare(m, OLT, x, infinity);
  V usual = tileBuildBinary(m->b, "arith.andi", below, above);
  return select(m, usual, result, plain);
}

//===- sin, cos -----------------------------------------------------------===//

/// x = q pi/2 + r, |r| <= pi/4, by f64, which is exact enough up to |x| of 2^40.
static V reduceQuadrant(Math *m, V x, V *quadrant) {
  MlirType f64 = like(m->type, mlirF64TypeGet(m->b->context));
  MlirType i64 = like(m->type, tileI64(m->b->context));
  V wide = tileBuildUnary(m->b, "arith.extf", f64, x);
  V magic = tileBuildFloat(m->b, f64, 6755399441055744.0);
  V factor = tileBuildFloat(m->b, f64, 0.63661977236758134308);
  V shifted = fma3(m, wide, factor, magic);
  V low = tileBuildUnary(m->b, "arith.bitcast", i64, shifted);
  *quadrant = tileBuildUnary(m->b, "arith.trunci", m->ints, low);
  V n = sub(m, shifted, magic);
  V high = tileBuildFloat(m->b, f64, -1.5707963267948966), rest;
  rest = tileBuildFloat(m->b, f64, -6.123233995736766e-17);
  V r = fma3(m, n, high, wide);
  r = fma3(m, n, rest, r);
  return tileBuildUnary(m->b, "arith.truncf", m->type, r);
}

/// sin for `ahead` 0; cos is sin a quadrant ahead.
static V expandSin(Math *m, V x, int ahead) {
  V quadrant, r = reduceQuadrant(m, x, &quadrant);
  if (ahead) quadrant = iop(m, "arith.addi", quadrant, ahead);
  V square = mul(m, r, r), one = number(m, 1), half = number(m, -0.5);
  V s = POLYNOMIAL(m, square, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1);
  V cube = mul(m, square, r);
  s = fma3(m, s, cube, r);
  V c = POLYNOMIAL(m, square, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2);
  V fourth = mul(m, square, square);
  c = mul(m, c, fourth);
  c = fma3(m, half, square, c);
  c = add(m, c, one);
  V zero = integer(m, 0);
  V isOdd = tileBuildCmpi(m->b, TILE_NE, iop(m, "arith.andi", quadrant, 1), zero);
  V value = select(m, isOdd, c, s);
  V sign = iop(m, "arith.shli", iop(m, "arith.andi", quadrant, 2), 30);
  V flipped = tileBuildBinary(m->b, "arith.xori", bits(m, value), sign);
  return floats(m, flipped);
}

//===- tanh, erf ----------------------------------------------------------===//

static V expandTanh(Math *m, V x) {
  V size = absolute(m, x), two = number(m, 2), one = number(m, 1), limit = number(m, 0.625);
  // Far out: 1 - 2 / (exp 2|x| + 1).
  V twice = mul(m, size, two);
  V grown = add(m, expandExp(m, twice), one);
  V far = copySign(m, sub(m, one, divide(m, two, grown)), x);
  // Near 0: x + x^3 p(x^2).
  V square = mul(m, x, x);
  V p = POLYNOMIAL(m, square, -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                   1.33314422036e-1, -3.33332819422e-1);
  V near = fma3(m, mul(m, p, square), x, x);
  V isNear = compare(m, OLT, size, limit);
  return select(m, isNear, near, far);
}

static V expandErf(Math *m, V x) {
  V size = clamp(m, absolute(m, x), 0, 4), one = number(m, 1), limit = number(m, 0.921875);
  // Far out: 1 - exp(-|x| + |x| q(|x|)).
  V q = POLYNOMIAL(m, size, -1.72853470e-5, 3.83197126e-4, -3.88396438e-3, 2.42546219e-2,
                   -1.06777877e-1, -6.34846687e-1, -1.28717512e-1);
  V minus = tileBuildUnary(m->b, "arith.negf", m->type, size);
  V power = fma3(m, q, size, minus);
  V far = copySign(m, sub(m, one, expandExp(m, power)), x);
  V square = mul(m, x, x);
  V p = POLYNOMIAL(m, square, -5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1,
                   -3.76125336e-1, 1.28379166e-1);
  V near = fma3(m, p, x, x);
  V isNear = compare(m, OLT, size, limit);
  return select(m, isNear, near, far);
}

//===- all of them --------------------------------------------------------===//

static V expandRsqrt(Math *m, V x) {
  V one = number(m, 1);
  V root = tileBuildUnary(m->b, "math.sqrt", m->type, x);
  return divide(m, one, root);
}

MlirValue tileExpandMath(TileBuilder *b, MlirOperation op, const MlirValue *operands,
                         MlirType type) {
  Math m = {.b = b, .type = type};
  if (tileOpIs(op, "math.rsqrt")) return expandRsqrt(&m, operands[0]);
  if (!mlirTypeIsAF32(tileElementType(type))) return (MlirValue){NULL};
  m.ints = like(type, tileI32(b->context));
  m.masks = like(type, tileI1(b->context));
  if (tileOpIs(op, "math.exp")) return expandExp(&m, operands[0]);
  if (tileOpIs(op, "math.exp2")) return expandExp2(&m, operands[0]);
  if (tileOpIs(op, "math.log")) return expandLog(&m, operands[0]);
  if (tileOpIs(op, "math.log2")) return expandLog2(&m, operands[0]);
  if (tileOpIs(op, "math.expm1")) return expandExpm1(&m, operands[0]);
  if (tileOpIs(op, "math.log1p")) return expandLog1p(&m, operands[0]);
  if (tileOpIs(op, "math.copysign")) return copySign(&m, operands[0], operands[1]);
  if (tileOpIs(op, "math.sin")) return expandSin(&m, operands[0], 0);
  if (tileOpIs(op, "math.cos")) return expandSin(&m, operands[0], 1);
  if (tileOpIs(op, "math.tanh")) return expandTanh(&m, operands[0]);
  if (tileOpIs(op, "math.erf")) return expandErf(&m, operands[0]);
  return (MlirValue){NULL};
}
