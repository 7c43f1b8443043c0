//===- MathLog.c - logarithms and powers ----------------------------------===//
//
//   x = 2^e (1 + f), 1 + f within [sqrt 1/2, sqrt 2]
//   log(1 + f) = f + tail
//
// In f32 the tail is a polynomial in f (Moshier's Cephes); in f64 log(1 + f) = 2 atanh(s),
// s = f / (2 + f), in the arrangement of Sun's fdlibm, where f^2 / 2 is apart. For powers the
// logarithm is a pair of floats (Dekker, "A floating-point technique for extending the available
// precision", 1971), with what an exponent of 2^7 (2^10) takes to spare.
//===----------------------------------------------------------------------===//
#include "MathKit.h"
#include <math.h>

typedef struct {
  V f;
  V e; ///< as a float
} Split;

/// x > 0.
static Split split(Math *m, V x) {
  // Subnormals are multiplied into the normal range first.
  int tiny = m->wide ? 54 : 23;
  V isTiny = compareNumber(m, OLT, x, pick(m, 0x1p-126, 0x1p-1022));
  V scaled = mulNumber(m, x, ldexp(1, tiny));
  x = select(m, isTiny, scaled, x);
  V all = bits(m, x);
  V least = integer(m, m->wide ? 0x3fe6a09e667f3bcd : 0x3f3504f3); // sqrt(1/2)
  V above = isub(m, all, least);
  // e in its place above the mantissa: what is left without it is the mantissa under 2^0.
  V high = iop(m, "arith.andi", above, -((int64_t)1 << m->mantissa));
  V f = addNumber(m, floats(m, isub(m, all, high)), -1);
  V zero = number(m, 0), shift = selectNumber(m, isTiny, -tiny, zero);
  if (!m->wide) return (Split){f, fmaNumber(m, toFloat(m, high), 0x1p-23, shift)};
  V e = iop(m, "arith.shrsi", above, m->mantissa);
  return (Split){f, add(m, toFloat(m, e), shift)};
}

/// Of (log(1 + f) - f + f^2 / 2) / f^3 in f32, from f^8 down.
#define TAIL_COEFFICIENTS                                                                          \
  7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,           \
      -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1

static V tailOf(Math *m, V f) {
  if (!m->wide) {
    V q = POLYNOMIAL(m, f, TAIL_COEFFICIENTS);
    V square = mul(m, f, f), half = number(m, -0.5);
    V cube = mul(m, square, f);
    return fma3(m, half, square, mul(m, q, cube));
  }
  V s = mathQuotient(m, f, addNumber(m, f, 2));
  V z = mul(m, s, s);
  V r = POLYNOMIAL(m, z, 1.4797469567464264e-1, 1.5313907384962251e-1, 1.8183569561821931e-1,
                   2.2222198479824806e-1, 2.8571428743219646e-1, 3.9999999999411324e-1,
                   6.6666666666667349e-1);
  V half = mulNumber(m, mul(m, f, f), 0.5);
  return fms(m, s, fma3(m, r, z, half), half);
}

/// log of 0 is -inf, of what is below NaN, of inf inf.
static V finish(Math *m, V x, V result) {
  // As numbers without a sign, the bits of these are above those of all others: x inf + inf.
  V infinite = integer(m, m->wide ? 0x7ff0000000000000 : 0x7f800000);
  V isSpecial = tileBuildCmpi(m->b, TILE_UGE, bits(m, x), infinite);
  V limit = number(m, INFINITY);
  result = select(m, isSpecial, fma3(m, x, limit, limit), result);
  V isZero = compareNumber(m, OEQ, x, 0);
  return selectNumber(m, isZero, -INFINITY, result);
}

/// e ln 2 + f + tail.
static V assemble(Math *m, V e, V f, V tail) {
  V low = fmaNumber(m, e, pick(m, -0x1.05c61p-29, 0x1.abc9e3b39803fp-56), tail);
  return fmaNumber(m, e, pick(m, 0x1.62e43p-1, 0x1.62e42fefa39efp-1), add(m, f, low));
}

V mathLog(Math *m, V x) {
  Split p = split(m, x);
  if (!m->wide) { // the tail is rounded once with f, and e ln 2 with both: .91 ulp
    V q = POLYNOMIAL(m, p.f, TAIL_COEFFICIENTS, -0.5);
    V near = fma3(m, q, mul(m, p.f, p.f), p.f);
    return finish(m, x, fmaNumber(m, p.e, 0x1.62e43p-1, near));
  }
  return finish(m, x, assemble(m, p.e, p.f, tailOf(m, p.f)));
}

/// Of f64: (f + tail) times a factor given to twice the precision, plus e times another.
static V otherBase(Math *m, V x, double factor, double rest, double perExponent) {
  Split p = split(m, x);
  V tail = tailOf(m, p.f);
  V high = add(m, p.f, tail);
  V low = add(m, sub(m, p.f, high), tail);
  V product = mulNumber(m, high, factor);
  V c = number(m, factor);
  V lost = fms(m, high, c, product);
  lost = fmaNumber(m, high, rest, lost);
  lost = fma3(m, low, c, lost);
  V whole = mulNumber(m, p.e, perExponent);
  V sum = add(m, whole, product);
  V sumLost = add(m, sub(m, whole, sum), product); // exact: |whole| is 0 or the greater
  V k = number(m, perExponent);
  V wholeLost = fms(m, p.e, k, whole);
  lost = add(m, lost, add(m, sumLost, wholeLost));
  return finish(m, x, add(m, sum, lost));
}

/// In f32: the tail's coefficients times log2 e, and f's part to twice the precision, rounded once
/// with the tail's and once with e. One is 2^-25 lower: .94 ulp in all, for 1.01.
static V log2Narrow(Math *m, V x) {
  Split p = split(m, x);
  V q = POLYNOMIAL(m, p.f, 1.0153231271e-01, -1.6612071192e-01, 1.6846348175e-01, -1.7918475606e-01,
                   2.0557427321e-01, -2.4046924135e-01, 2.8854932006e-01, -3.6067367356e-01,
                   4.8089829087e-01, -7.2134752044e-01);
  V low = fma3(m, q, mul(m, p.f, p.f), mulNumber(m, p.f, 0x1.4ae0cp-26));
  return finish(m, x, add(m, p.e, fmaNumber(m, p.f, 0x1.715476p+0, low)));
}

V mathLog2(Math *m, V x) {
  if (!m->wide) return log2Narrow(m, x);
  return otherBase(m, x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1);
}

/// In f32: the same by log10 e, and e log10 2 in two parts.
static V log10Narrow(Math *m, V x) {
  Split p = split(m, x);
  V q = POLYNOMIAL(m, p.f, -3.33097018e-2, 5.6290213e-2, -5.75573072e-2, 6.15581535e-2,
                   -7.21233115e-2, 8.68687183e-2, -1.08580887e-1, 1.44764781e-1, -2.17147186e-1);
  V low = fma3(m, q, mul(m, p.f, p.f), mulNumber(m, p.f, -0x1.5b235ep-27));
  low = fmaNumber(m, p.e, -0x1.ec10cp-27, low);
  V near = fmaNumber(m, p.f, 0x1.bcb7b2p-2, low);
  return finish(m, x, fmaNumber(m, p.e, 0x1.344136p-2, near));
}

V mathLog10(Math *m, V x) {
  if (!m->wide) return log10Narrow(m, x);
  return otherBase(m, x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79ffp-2);
}

/// log(1 + x) in f32. The exponent e of 1 + x, for a rest within [3/4, 3/2), scales x itself:
/// 1 + f = 2^-e x + 2^-e loses nothing of x, since the difference of 2^-e x and 1 - 2^-e is exact
/// where both matter. What is taken off and put back is -e, so that -0 stays. The polynomial is
/// (log(1 + f) - f) / f^2, fitted to 2^-27.6 of the result: 1.27 ulp in all.
static V log1pNarrow(Math *m, V x) {
  V sum = addNumber(m, x, 1), one = number(m, 1);
  V least = integer(m, 0x3f400000 + 0x7fffff); // 3/4, and what rounds -e up
  V turned = iop(m, "arith.andi", isub(m, least, bits(m, sum)), -((int64_t)1 << m->mantissa));
  V scaled = floats(m, tileBuildBinary(m->b, "arith.addi", bits(m, x), turned));
  // 4 2^-e is no subnormal, however large e is.
  V scale = floats(m, tileBuildBinary(m->b, "arith.addi", integer(m, 0x40800000), turned));
  V f = sub(m, scaled, fmaNumber(m, scale, -0.25, one));
  V q = POLYNOMIAL(m, f, -4.4908132404e-2, 1.0448177904e-1, -1.3162207605e-1, 1.4482079446e-1,
                   -1.6647771001e-1, 1.9990606606e-1, -2.5000053644e-1, 3.3333453536e-1, -0.5);
  V near = fma3(m, q, mul(m, f, f), f);
  return finish(m, sum, fmaNumber(m, toFloat(m, turned), -0x1.62e43p-24, near));
}

/// log(1 + x): of what is nearest to 1 + x, and what rounding that lost over it.
V mathLog1p(Math *m, V x) {
  if (!m->wide) return log1pNarrow(m, x);
  V one = number(m, 1);
  V sum = add(m, x, one);
  V part = sub(m, sum, one);
  V lost = sub(m, one, sub(m, sum, part));
  lost = add(m, lost, sub(m, x, part));
  Split p = split(m, sum);
  V correction = mathQuotient(m, lost, sum);
  V zero = number(m, 0), isNear = compareNumber(m, OEQ, p.e, 0);
  correction = select(m, isNear, zero, correction);
  V f = select(m, isNear, x, p.f);
  V tail = add(m, tailOf(m, f), correction);
  V result = finish(m, sum, assemble(m, p.e, f, tail));
  V isZero = compareNumber(m, OEQ, x, 0); // -0 stays
  return select(m, isZero, x, result);
}

//===- powers -------------------------------------------------------------===//

typedef struct {
  V high, low;
} Pair;

/// high + low for |a| >= |b|.
static Pair quickSum(Math *m, V a, V b) {
  V sum = add(m, a, b);
  return (Pair){sum, add(m, sub(m, a, sum), b)};
}

static Pair product(Math *m, V a, V b) {
  V high = mul(m, a, b);
  return (Pair){high, fms(m, a, b, high)};
}

/// log2 of x > 0 in f64: with u = f / (2 + f) as a pair, log(1 + f) = u (2 + u^2 (2/3 + u^2
/// q(u^2))).
static Pair log2Pair(Math *m, V x) {
  Split p = split(m, x);
  V below = addNumber(m, p.f, 2); // may lose a bit of f, which belowLost is
  V belowLost = sub(m, p.f, addNumber(m, below, -2));
  // One reciprocal, right to two ulp, serves both: what u is off by is in the rest.
  V one = number(m, 1), inverse = mathRatio(m, one, below);
  V u = mul(m, p.f, inverse);
  V rest = fms(m, u, below, p.f);
  rest = fma3(m, u, belowLost, rest);
  V uLow = negate(m, mul(m, rest, inverse));
  Pair z = product(m, u, u);
  V twice = add(m, u, u);
  z.low = fma3(m, twice, uLow, z.low);
  V q = POLYNOMIAL(m, z.high, 1.1989866856428469e-1, 1.1674723374574983e-1, 1.3336321661095972e-1,
                   1.538455677521583e-1, 1.8181818871444464e-1, 2.2222222217530256e-1,
                   2.857142857144512e-1, 3.9999999999999978e-1);
  // c = 2/3 + z q;  t = z c;  log = u (2 + t)
  V third = number(m, 0x1.5555555555555p-1);
  V thirdLow = number(m, 0x1.5555555555555p-55);
  Pair c = quickSum(m, third, mul(m, z.high, q));
  c.low = add(m, c.low, thirdLow);
  Pair t = product(m, z.high, c.high);
  t.low = fma3(m, z.high, c.low, fma3(m, z.low, c.high, t.low));
  V two = number(m, 2);
  Pair s = quickSum(m, two, t.high);
  s.low = add(m, s.low, t.low);
  Pair log = product(m, u, s.high);
  log.low = fma3(m, u, s.low, fma3(m, uLow, s.high, log.low));
  // times log2 e, plus e
  V k = number(m, 0x1.71547652b82fep+0);
  Pair r = product(m, log.high, k);
  r.low = fma3(m, log.low, k, r.low);
  r.low = fmaNumber(m, log.high, 0x1.777d0ffda0d24p-56, r.low);
  Pair all = quickSum(m, p.e, r.high);
  V isNear = compareNumber(m, OEQ, p.e, 0);
  V high = select(m, isNear, r.high, all.high), zero = number(m, 0);
  V low = add(m, select(m, isNear, zero, all.low), r.low);
  return quickSum(m, high, low);
}

/// log of x > 0 in f32, to some 2^-31 of it: 2 atanh(u), u = f / (2 + f) as a pair of which u^3 is
/// one, too, and the rest of the series a float. A reciprocal right to two ulp will do.
static Pair logPair(Math *m, V x) {
  Split p = split(m, x);
  V one = number(m, 1), inverse = mathRatio(m, one, addNumber(m, p.f, 2));
  V u = mul(m, p.f, inverse);
  // What is left of f - 2 u - u f, over 2 + f: 2 + f itself may have lost a bit of f.
  V left = fmaNumber(m, u, -2, p.f);
  left = fma3(m, u, negate(m, p.f), left);
  V uLow = mul(m, left, inverse);
  Pair z = product(m, u, u);
  z.low = fma3(m, u, add(m, uLow, uLow), z.low);
  Pair cube = product(m, z.high, u);
  cube.low = fma3(m, z.high, uLow, fma3(m, z.low, u, cube.low));
  // (atanh(u) - u) / u^3 in u^2 <= .0295, fitted at Chebyshev's points
  V q = POLYNOMIAL(m, z.high, 1.166570634e-1, 1.427509189e-1, 2.000007033e-1, 3.333333433e-1);
  V tail = fma3(m, q, cube.high, fma3(m, q, cube.low, uLow));
  V twice = add(m, u, u);
  V sum = fmaNumber(m, p.e, 0x1.62e43p-1, twice); // e ln 2 is exact
  V lost = sub(m, twice, fmaNumber(m, p.e, -0x1.62e43p-1, sum));
  V low = fmaNumber(m, tail, 2, lost);
  return quickSum(m, sum, fmaNumber(m, p.e, -0x1.05c61p-29, low));
}

/// |x|^y for |x| that is neither 0 nor infinite.
static V powerOfSize(Math *m, V size, V y) {
  // So far out that every |x| but 1 is at its limit, and products stay finite; NaN stays.
  double far = pick(m, 0x1p40, 0x1p80);
  V isFar = compareNumber(m, OGT, absolute(m, y), far);
  y = select(m, isFar, mathCopySign(m, number(m, far), y), y);
  Pair log = m->wide ? log2Pair(m, size) : logPair(m, size);
  Pair t = product(m, log.high, y);
  t.low = fma3(m, log.low, y, t.low);
  return m->wide ? mathExp2Pair(m, t.high, t.low) : mathExpPair(m, t.high, t.low);
}

/// As C's pow has it: pow(x, 0) and pow(1, y) are 1 even of NaN; a negative x wants an integer y.
/// Most of what asks about y alone is asked once where y is one number for all.
V mathPow(Math *m, V x, V y) {
  V size = absolute(m, x), result = powerOfSize(m, size, y);
  V isWhole = mathCompare(m, OEQ, truncated(m, y), y);
  V below = compareNumber(m, OLT, x, 0), refuses = both(m, below, mathNot(m, isWhole));
  result = selectNumber(m, refuses, NAN, result);
  // Of 0, infinity and NaN: as the power grows, that, else infinity less that; NaN stays one.
  int64_t infinite = m->wide ? 0x7ff0000000000000 : 0x7f800000;
  V sizeBits = bits(m, size), least = iop(m, "arith.addi", sizeBits, -1);
  V isExtreme = tileBuildCmpi(m->b, TILE_UGE, least, integer(m, infinite - 1));
  isExtreme = both(m, isExtreme, mathNot(m, mathCompare(m, UNO, y, y)));
  V turned = floats(m, isub(m, integer(m, infinite), sizeBits));
  V extreme = select(m, compareNumber(m, OGT, y, 0), size, turned);
  result = select(m, isExtreme, extreme, result);
  // An odd power has the sign of x.
  V half = mulNumber(m, y, 0.5);
  V isOdd = both(m, isWhole, mathCompare(m, UNE, truncated(m, half), half));
  V sign = integer(m, (int64_t)((uint64_t)1 << (m->wide ? 63 : 31)));
  V kept = select(m, isOdd, sign, integer(m, 0));
  V flip = tileBuildBinary(m->b, "arith.andi", bits(m, x), kept);
  result = floats(m, tileBuildBinary(m->b, "arith.xori", bits(m, result), flip));
  V isOne = compareNumber(m, OEQ, x, 1);
  isOne = either(m, isOne, compareNumber(m, OEQ, y, 0));
  return selectNumber(m, isOne, 1, result);
}

//===- inverse hyperbolic -------------------------------------------------===//

static const double ln2 = 0.69314718055994531;

/// log1p(near), or far out log1p(x) + log 2: there it is log x.
static V logNearOrFar(Math *m, V near, V x) {
  V isFar = compareNumber(m, OGT, x, pick(m, 0x1p28, 0x1p56)), zero = number(m, 0);
  V log = mathLog1p(m, select(m, isFar, x, near));
  return add(m, log, selectNumber(m, isFar, ln2, zero));
}

/// log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))).
V mathAsinh(Math *m, V x) {
  V size = absolute(m, x), one = number(m, 1);
  V square = mul(m, size, size);
  V below = add(m, mathRoot(m, add(m, square, one)), one);
  V near = add(m, size, mathQuotient(m, square, below));
  return mathCopySign(m, logNearOrFar(m, near, size), x);
}

/// log1p(t + sqrt(2 t + t^2)), t = x - 1.
V mathAcosh(Math *m, V x) {
  V t = addNumber(m, x, -1);
  V inner = fma3(m, t, t, add(m, t, t));
  V zero = number(m, 0), isOne = mathCompare(m, OEQ, inner, zero);
  V near = add(m, t, select(m, isOne, zero, mathRoot(m, inner)));
  V isBelow = compareNumber(m, OLT, x, 1);
  return selectNumber(m, isBelow, NAN, logNearOrFar(m, near, x));
}

/// log1p(2 |x| / (1 - |x|)) / 2.
V mathAtanh(Math *m, V x) {
  V size = absolute(m, x), one = number(m, 1);
  V ratio = mathQuotient(m, add(m, size, size), sub(m, one, size));
  ratio = selectNumber(m, mathCompare(m, OEQ, size, one), INFINITY, ratio);
  // Beyond 2^126 (2^1000) a quotient in range may be 0.
  ratio = selectNumber(m, mathCompare(m, OGT, size, one), NAN, ratio);
  V result = mulNumber(m, mathLog1p(m, ratio), 0.5);
  return mathCopySign(m, result, x);
}
