//===- MathExp.c - exponentials and hyperbolic functions ------------------===//
//
//   exp x  = 2^n (1 + r + r^2 p(r))      x = n ln 2 + r, |r| <= ln 2 / 2
//   2^x    = 2^n (1 + r q(r))            x = n + r, |r| <= 1/2
//
// Near 0 the sum 1 + .. swallows small digits: expm1 leaves the 1 out, and tanh, sinh are made of
// it. Polynomials: minimax, those of f32 exp and tanh from Moshier's Cephes.
//===----------------------------------------------------------------------===//
#include "MathKit.h"
#include <math.h>

static const double log2e = 1.4426950408889634;

/// exp x - 1 of what is left of x after n ln 2.
static V expPolynomial(Math *m, V r) {
  V p = m->wide ? POLYNOMIAL(m, r, 2.0921580031412765e-9, 2.5105206979042025e-8,
                             2.7557252937892111e-7, 2.7557255424107243e-6, 2.4801587347316343e-5,
                             1.9841269874801974e-4, 1.3888888888874406e-3, 8.3333333333261404e-3,
                             4.1666666666666684e-2, 1.6666666666666671e-1, 0.5)
                : POLYNOMIAL(m, r, 1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                             4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1);
  V square = mul(m, r, r);
  return fma3(m, p, square, r);
}

static V reduceExp(Math *m, V x, V *n) {
  V nf = mathNearest(m, x, log2e, n);
  V r = fmaNumber(m, nf, pick(m, -0x1.62e43p-1, -0x1.62e42fefa39efp-1), x);
  return fmaNumber(m, nf, pick(m, 0x1.05c61p-29, -0x1.abc9e3b39803fp-56), r);
}

static V expOfAny(Math *m, V x) {
  V n, inside = mathClamp(m, x, pick(m, -104, -746), pick(m, 89, 710));
  V r = reduceExp(m, inside, &n);
  V grown = addNumber(m, expPolynomial(m, r), 1);
  return mathScale(m, grown, n);
}

V mathOneMinusExp(Math *m, V x) {
  V n, r = reduceExp(m, x, &n), one = number(m, 1);
  V biased = iop(m, "arith.addi", n, m->bias);
  V scale = floats(m, iop(m, "arith.shli", biased, m->mantissa));
  return fma3(m, negate(m, scale), expPolynomial(m, r), sub(m, one, scale));
}

/// Of f64, where no result is subnormal or infinite: 2^n is added to the exponent.
static V expOfUsual(Math *m, V x) {
  V n, r = reduceExp(m, x, &n);
  V grown = addNumber(m, expPolynomial(m, r), 1);
  return floats(m, iadd(m, bits(m, grown), iop(m, "arith.shli", n, m->mantissa)));
}

static V expOfFar(Math *m, V x, V y) {
  (void)y;
  return expOfAny(m, x);
}

V mathExp(Math *m, V x) {
  if (!m->wide) return expOfAny(m, x);
  V usual = compareNumber(m, OLT, absolute(m, x), 708);
  return mathUnless(m, usual, expOfUsual(m, x), expOfFar, x, x);
}

static V exp2Fraction(Math *m, V r) {
  V p = m->wide ? POLYNOMIAL(m, r, 2.5737813502097133e-11, 4.4558181534903146e-10,
                             7.0548914678111157e-9, 1.0178057086201744e-7, 1.3215486823296216e-6,
                             1.5252733841560124e-5, 1.5403530393354775e-4, 1.3333558146406468e-3,
                             9.6181291076284866e-3, 5.5504108664821627e-2, 2.4022650695910071e-1,
                             6.9314718055994531e-1)
                : POLYNOMIAL(m, r, 1.535336188319500e-4, 1.339887440266574e-3, 9.618437357674640e-3,
                             5.550332471162809e-2, 2.402264791363012e-1, 6.931472028550421e-1);
  V one = number(m, 1);
  return fma3(m, p, r, one);
}

V mathExpPair(Math *m, V high, V low) {
  V n, inside = mathClamp(m, high, -105, 90);
  V outside = mathCompare(m, UNE, high, inside);
  V r = reduceExp(m, inside, &n);
  V all = add(m, r, low);
  r = select(m, outside, r, all);
  return mathScale(m, addNumber(m, expPolynomial(m, r), 1), n);
}

V mathExp2(Math *m, V x) {
  V n, inside = mathClamp(m, x, pick(m, -151, -1076), pick(m, 129, 1025));
  V nf = mathNearest(m, inside, 1, &n);
  V r = sub(m, inside, nf);
  return mathScale(m, exp2Fraction(m, r), n);
}

V mathExp2Pair(Math *m, V high, V low) {
  V n, inside = mathClamp(m, high, -1077, 1025);
  V outside = mathCompare(m, UNE, high, inside);
  V nf = mathNearest(m, inside, 1, &n);
  V r = sub(m, inside, nf);
  V all = add(m, r, low);
  r = select(m, outside, r, all);
  return mathScale(m, exp2Fraction(m, r), n);
}

/// 2^n e + (2^n - 1), all times 1/2, so that 2^128 (2^1024) does not overflow before its time.
V mathExpm1(Math *m, V x) {
  V n, inside = mathClamp(m, x, pick(m, -30, -60), pick(m, 89, 710));
  V r = reduceExp(m, inside, &n);
  V e = expPolynomial(m, r);
  V biased = iop(m, "arith.addi", n, m->bias - 1);
  V half = floats(m, iop(m, "arith.shli", biased, m->mantissa));
  V less = addNumber(m, half, -0.5);
  V result = mulNumber(m, fma3(m, e, half, less), 2);
  // x itself where it is so small, -0 among it, that n is 0 and nothing is left of e - x.
  V tiny = compareNumber(m, OLT, absolute(m, x), pick(m, 0x1p-25, 0x1p-54));
  return select(m, tiny, x, result);
}

//===- hyperbolic ---------------------------------------------------------===//

/// tanh |x| = t / (t + 2), t = expm1 2|x|
static V tanhByExpm1(Math *m, V x) {
  V size = mathClamp(m, absolute(m, x), 0, 25);
  V t = mathExpm1(m, add(m, size, size));
  return mathCopySign(m, mathQuotient(m, t, addNumber(m, t, 2)), x);
}

V mathTanh(Math *m, V x) {
  if (m->wide) {
    V isNan = mathCompare(m, UNO, x, x);
    V result = tanhByExpm1(m, x);
    return select(m, isNan, x, result);
  }
  V size = absolute(m, x), two = number(m, 2), one = number(m, 1);
  // Far out: 1 - 2 / (exp 2|x| + 1).
  V twice = mul(m, size, two);
  V grown = add(m, mathExp(m, twice), one);
  V far = sub(m, one, divide(m, two, grown));
  // Near 0: x + x^3 p(x^2).
  V square = mul(m, x, x);
  V p = POLYNOMIAL(m, square, -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2,
                   1.33314422036e-1, -3.33332819422e-1);
  V near = fma3(m, mul(m, p, square), x, x); // of -0 it is 0
  V isNear = compareNumber(m, OLT, size, 0.625);
  return mathCopySign(m, select(m, isNear, near, far), x);
}

/// exp(|x|) / 2, which overflows where sinh and cosh do.
static V halfOfExp(Math *m, V size) {
  V n, inside = mathClamp(m, size, 0, pick(m, 90, 712));
  V r = reduceExp(m, inside, &n);
  V grown = addNumber(m, expPolynomial(m, r), 1);
  return mathScale(m, grown, iop(m, "arith.addi", n, -1));
}

/// 1 / 4h, h = exp(|x|) / 2, which may be infinite: divisors have to be in range.
static V quarterOver(Math *m, V h) {
  double huge = pick(m, 0x1p125, 0x1p999);
  V isHuge = compareNumber(m, OGT, h, huge);
  return mathQuotient(m, number(m, 0.25), selectNumber(m, isHuge, huge, h));
}

/// x + x^3 p(x^2) up to 1, h - 1 / 4h beyond, h = exp(|x|) / 2. In f64 p is the series' first
/// terms, of which the next is 2^-57.
V mathSinh(Math *m, V x) {
  V size = absolute(m, x), square = mul(m, x, x), h = halfOfExp(m, size);
  V p = m->wide ? POLYNOMIAL(m, square, 1. / 355687428096000, 1. / 1307674368000, 1. / 6227020800,
                             1. / 39916800, 1. / 362880, 1. / 5040, 1. / 120, 1. / 6)
                : POLYNOMIAL(m, square, 2.8057e-6, 1.98408e-4, 8.3333395e-3, 1.66666666e-1);
  V near = fma3(m, mul(m, p, square), size, size);
  V far = sub(m, h, quarterOver(m, h));
  V isNear = compareNumber(m, OLT, size, 1);
  return mathCopySign(m, select(m, isNear, near, far), x);
}

V mathCosh(Math *m, V x) {
  V h = halfOfExp(m, absolute(m, x));
  return add(m, h, quarterOver(m, h));
}
