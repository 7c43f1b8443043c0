//===- LibdeviceGamma.c - the gamma function and its logarithm ------------===//
//
// (Abramowitz and Stegun, Handbook of Mathematical Functions, 6.1.15, 6.1.17 and 6.1.41.) In f64
// both are, up to 8.25, of gamma(2 + u) and of the factors between: u p(u) is the logarithm, a
// polynomial gamma itself (sums of Chebyshev polynomials through 40 values of 45 digits, in
// powers); beyond they are Stirling's series, and a power times what else that has.
//
// In f32 both are made of f32. gamma is the exponential of
//
//   (z - 1/2) (ln z - 1) + (ln 2 pi - 1) / 2 + r(1 / z)     z = a, or a + 2 below 2
//
// which goes up to 90, and so is computed as a sum of two numbers, of a logarithm that is such a
// sum (Dekker, "A floating-point technique for extending the available precision", 1971).
// Polynomials were fitted to values of 30 digits, minimax (iterated least squares), for these
// errors:
//
//   (log(1 + f) - f + f^2 / 2) / f^3     2^-32.5 / f^3 from sqrt(1/2) to sqrt(2)
//   r(1 / z) z, in 1 / z^2               2^-28.7 z from 2 on
//   sin(pi d) / pi d, in d^2             2^-27.2, up to 1/2
//
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

static const double log2pi = 1.8378770664093454836;

/// An infinity where `sine` is 0, at the poles, beyond which ln(gamma) overflows as well; else
/// `value`.
static V exceptPoles(const ExternCall *c, V sine, V value) {
  return xPick(c, xIs(c, EXTERN_OEQ, sine, 0), xNum(c, value, INFINITY), value);
}

//===- f32 ----------------------------------------------------------------===//

/// ln of gamma(a), a >= 0: t p(t) from 1 and from 2, where it is 0, p(t) up to 8, then Stirling's
/// series. Below 1/2 it is that of a + 1, less the logarithm.
static V narrowLogGammaAbove(const ExternCall *c, V a) {
  static const double one[] = {-0.1578654646873474,  0.1799381673336029,   -0.0654352605342865,
                               0.06517606228590012,  -0.11455302685499191, 0.1311277449131012,
                               -0.14391881227493286, 0.16913114488124847,  -0.20738239586353302,
                               0.27059441804885864,  -0.4006858766078949,  0.8224669098854065,
                               -0.5772156715393066},
                      two[] = {4.959811849403195e-05, -0.00022089410049375147,
                               0.0005413140752352774, -0.0012045173207297921,
                               0.0028842519968748093, -0.0073827579617500305,
                               0.02058131992816925,   -0.06735248863697052,
                               0.32246702909469604,   0.42278432846069336},
                      middle[] = {1.1377050412875178e-08, -4.8454982248813394e-08,
                                  1.3582284452695603e-07, -1.3243769672044436e-06,
                                  1.050789524015272e-05,  -7.769325748085976e-05,
                                  0.0006530875107273459,  -0.006601294968277216,
                                  0.09967168420553207,    1.6110931634902954,
                                  3.9578139781951904},
                      stirling[] = {1. / 1260, -1. / 360, 1. / 12};
  V isSmall = xIs(c, EXTERN_OLT, a, .5), log = xMath(c, "math.log", a);
  V t = xPick(c, isSmall, a, xPlus(c, a, -1)), u = xPlus(c, a, -2);
  // At 1, where t and u are 0, 0 and not -0.
  V low = xFma(c, t, xPolynomial(c, t, one, 13), xNum(c, a, 0));
  V next = xMul(c, u, xPolynomial(c, u, two, 10));
  V high = xPolynomial(c, xPlus(c, a, -5.5), middle, 11);
  V inverse = xOver(c, 1, a), square = xMul(c, inverse, inverse);
  V rest = xFma(c, xPolynomial(c, square, stirling, 3), inverse, xNum(c, a, .5 * log2pi - .5));
  V far = xFma(c, xPlus(c, a, -.5), xPlus(c, log, -1), rest);
  V value = xPick(c, xIs(c, EXTERN_OLT, a, 8), high, far);
  value = xPick(c, xIs(c, EXTERN_OLT, a, 3), next, value);
  value = xPick(c, xIs(c, EXTERN_OLT, a, 1.5), low, value);
  return xPick(c, isSmall, xSub(c, value, log), value);
}

/// log |gamma(x)| from `above`, that of a = |x|: gamma(-a) gamma(a) = -pi / (a sin(pi a)). From
/// `least` on, near 0, where that overflows, both are of one size.
static V reflectLogGamma(const ExternCall *c, V x, V a, V above, double least) {
  V sine = xMath(c, "math.absf", externTurn(c, a, false));
  V below = xSub(c, xMath(c, "math.log", xOver(c, M_PI, xMul(c, a, sine))), above);
  below = exceptPoles(c, sine, below);
  V value = xPick(c, xIs(c, EXTERN_OLT, x, least), below, above);
  return xPick(c, xIs(c, EXTERN_OEQ, a, INFINITY), a, value);
}

MlirValue externNarrowLogGamma(const ExternCall *c) {
  V x = c->in[0], a = xMath(c, "math.absf", x);
  return reflectLogGamma(c, x, a, narrowLogGammaAbove(c, a), -1e-15);
}

typedef struct {
  V high, low;
} Pair;

/// ln z of z from 2 to 2^24, within 2^-31 of it or of 1.
static Pair logPair(const ExternCall *c, V z) {
  static const double tail[] = {0.0675950646, -0.118030302, 0.119553432, -0.123871543, 0.142066702,
                                -0.166686878, 0.200028881,  -0.25000006, 0.333332986};
  MlirType f32 = tileElementType(mlirValueGetType(z)), i32 = tileI32(c->b->context);
  V bits = xCast(c, "arith.bitcast", z, i32);
  V above = xOp(c, "arith.subi", bits, xInt(c, bits, 0x3f3504f3)); // sqrt(1/2)
  V exponent = xOp(c, "arith.andi", above, xInt(c, bits, -0x800000));
  V f = xPlus(c, xCast(c, "arith.bitcast", xOp(c, "arith.subi", bits, exponent), f32), -1);
  V e = xScale(c, xCast(c, "arith.sitofp", exponent, f32), 0x1p-23);
  // f - f^2 / 2 + f^3 q(f), without an error but that of the last term
  V square = xMul(c, f, f), half = xNum(c, z, -.5);
  V lost = xFma(c, f, f, xScale(c, square, -1)), high = xFma(c, square, half, f);
  V low = xFma(c, square, half, xSub(c, f, high));
  low = xAdd(c, low, xFma(c, xMul(c, square, f), X_POLYNOMIAL(c, f, tail), xMul(c, lost, half)));
  // e ln 2 in two parts, of which e times the first has no error
  V sum = xFma(c, e, xNum(c, z, 0x1.62e43p-1), high);
  V rest = xSub(c, high, xFma(c, e, xNum(c, z, -0x1.62e43p-1), sum));
  low = xAdd(c, low, xFma(c, e, xNum(c, z, -0x1.05c61p-29), rest));
  V all = xAdd(c, sum, low);
  return (Pair){all, xAdd(c, xSub(c, sum, all), low)};
}

/// e^(high + low) times `factor` and 2^24, `low` far below 1: two powers of two, neither of which
/// over- or underflows up to |n| = 250.
static V expOfPair(const ExternCall *c, V high, V low, V factor) {
  static const double terms[] = {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                                 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1};
  MlirType f32 = tileElementType(mlirValueGetType(high)), i32 = tileI32(c->b->context);
  V magic = xNum(c, high, 0x1.8p23), shifted = xFma(c, high, xNum(c, high, M_LOG2E), magic);
  V whole = xSub(c, shifted, magic), r = xFma(c, whole, xNum(c, high, -0x1.62e43p-1), high);
  r = xAdd(c, xFma(c, whole, xNum(c, high, 0x1.05c61p-29), r), low);
  V power = xPlus(c, xFma(c, X_POLYNOMIAL(c, r, terms), xMul(c, r, r), r), 1);
  V n = xCast(c, "arith.bitcast", shifted, i32), place = xInt(c, n, 23);
  n = xOp(c, "arith.subi", n, xInt(c, n, 0x4b400000 - 24));
  V half = xOp(c, "arith.shrsi", n, xInt(c, n, 1)), rest = xOp(c, "arith.subi", n, half);
  V first = xOp(c, "arith.shli", half, place);
  first = xOp(c, "arith.addi", xCast(c, "arith.bitcast", power, i32), first);
  V second = xOp(c, "arith.shli", xOp(c, "arith.addi", rest, xInt(c, n, 127)), place);
  V value = xMul(c, xCast(c, "arith.bitcast", first, f32), factor);
  return xMul(c, value, xCast(c, "arith.bitcast", second, f32));
}

/// sin(pi a) / pi times 2^24, and whether it is 0, or a infinite or NaN.
static V sineOverPi(const ExternCall *c, V a, V *isZero) {
  static const double terms[] = {0.0247159302, -0.190443233, 0.811715841, -1.64493334, 1};
  V whole = xMath(c, "math.roundeven", a), d = xSub(c, a, whole);
  V sine = xMul(c, xScale(c, d, 0x1p24), X_POLYNOMIAL(c, xMul(c, d, d), terms));
  *isZero = xIs(c, EXTERN_UEQ, d, 0);
  // Odd ones have the other sign; beyond 2^22, where gamma is 0, one or the other.
  MlirType f32 = tileElementType(mlirValueGetType(a)), i32 = tileI32(c->b->context);
  V odd = xCast(c, "arith.bitcast", xPlus(c, whole, 0x1.8p23), i32);
  odd = xOp(c, "arith.shli", odd, xInt(c, odd, 31));
  return xCast(c, "arith.bitcast", xOp(c, "arith.xori", xCast(c, "arith.bitcast", sine, i32), odd),
               f32);
}

/// gamma(a) = gamma(a + 2) / (a (a + 1)) and gamma(-a) gamma(a) = -pi / (a sin(pi a)): one quotient
/// of factors, of which the divisor has 2^24 so that it is normal, times e^ln(gamma(z)) or its
/// inverse.
MlirValue externNarrowGamma(const ExternCall *c) {
  static const double stirling[] = {-0.000332790398, 0.000754046836, -0.0027753273, 0.0833332911};
  V x = c->in[0], a = xMath(c, "math.absf", x), one = xNum(c, x, 1), isPole;
  V isBelow = xIs(c, EXTERN_ULT, x, 0), isSmall = xIs(c, EXTERN_OLT, a, 2);
  V next = xPlus(c, a, 2), z = xPick(c, isSmall, next, xOp(c, "arith.minimumf", a, xNum(c, a, 43)));
  V lost = xPick(c, isSmall, xSub(c, a, xPlus(c, next, -2)), xNum(c, a, 0));
  Pair log = logPair(c, z);
  V inverse = xQuotient(c, one, z), p = xPlus(c, z, -.5), q = xPlus(c, log.high, -1);
  V high = xMul(c, p, q), low = xFma(c, p, q, xScale(c, high, -1));
  low = xFma(c, p, log.low, low);
  // The slope is ln z - 1 / 2z.
  low = xFma(c, lost, xFma(c, inverse, xNum(c, x, -.5), log.high), low);
  V tail = X_POLYNOMIAL(c, xMul(c, inverse, inverse), stirling);
  // The constant, and what is lost of it in the sum, but where it is the greater one: there nothing
  // counts.
  const double constant = 0.418938547, left = -1.41681453e-08;
  V all = xPlus(c, high, constant), kept = xSub(c, all, high);
  low = xAdd(c, low, xFma(c, tail, inverse, xNum(c, x, left)));
  low = xAdd(c, low, xSub(c, xNum(c, x, constant), kept));
  V sign = xPick(c, isBelow, xNum(c, x, -1), one), scaled = xScale(c, a, 0x1p24);
  V sine = sineOverPi(c, a, &isPole), more = xPlus(c, a, 1);
  V above = xPick(c, isSmall, xMul(c, scaled, more), xNum(c, x, 0x1p24));
  V below = xScale(c, xPick(c, isSmall, sine, xMul(c, sine, a)), -1);
  V top = xPick(c, xOp(c, "arith.andi", isBelow, isSmall), more, one);
  V factor = xQuotient(c, top, xPick(c, isBelow, below, above));
  V value = expOfPair(c, xMul(c, all, sign), xMul(c, low, sign), factor);
  value = xPick(c, xOp(c, "arith.andi", isBelow, isPole), xNum(c, x, NAN), value);
  V pole = xOp(c, "math.copysign", xNum(c, x, INFINITY), x);
  return xPick(c, xIs(c, EXTERN_OEQ, x, 0), pole, value);
}

//===- f64 ----------------------------------------------------------------===//

/// Up to 8.5 gamma(a) is `above` / `below` times gamma(2 + u), |u| <= 1/2: products of what lies
/// between.
typedef struct {
  V u, above, below, isLarge, isBelow;
} Shift;

static Shift shiftOf(const ExternCall *c, V a) {
  V one = xNum(c, a, 1), n = xMath(c, "math.roundeven", xPlus(c, a, .25));
  Shift s = {.u = xSub(c, a, n), .above = one, .isLarge = xIs(c, EXTERN_OGT, a, 8.25)};
  for (int i = 2; i < 8; ++i) {
    V factor = xPick(c, xIs(c, EXTERN_OGT, n, i), xPlus(c, s.u, i), one);
    s.above = i == 2 ? factor : xMul(c, s.above, factor);
  }
  s.isBelow = xIs(c, EXTERN_OLT, n, 2);
  V more = xPick(c, xIs(c, EXTERN_OLT, n, 1), xPlus(c, a, 1), one);
  s.below = xPick(c, s.isBelow, xMul(c, a, more), one);
  return s;
}

/// ln(gamma(z)) less (z - 1/2) ln(z) - z + ln(2 pi) / 2, from 8.25 on.
static V stirlingTail(const ExternCall *c, V z) {
  static const double terms[] = {1. / 156,  -691. / 360360, 1. / 1188, -1. / 1680,
                                 1. / 1260, -1. / 360,      1. / 12};
  V inverse = xQuotient(c, xNum(c, z, 1), z), square = xMul(c, inverse, inverse);
  return xMul(c, X_POLYNOMIAL(c, square, terms), inverse);
}

/// ln of gamma(a), a >= 0, by one logarithm.
static V logGammaAbove(const ExternCall *c, V a) {
  static const double two[] = {
      9.065721264765083e-07,  2.6702998318091668e-06, 4.211255336063003e-06,
      2.555035747458016e-06,  1.9299719752429636e-06, -2.208391534156381e-06,
      4.129896444577568e-06,  -9.494514590828666e-06, 2.0520089540136864e-05,
      -4.491910456368621e-05, 9.945771409266872e-05,  -0.00022315510107876355,
      0.0005096694881084903,  -0.001192753903908595,  0.0028905103318539425,
      -0.007385551028758149,  0.020580808427772334,   -0.06735230105319771,
      0.32246703342411326,    0.42278433509846713};
  Shift s = shiftOf(c, a);
  V log = xMath(c, "math.log", xPick(c, s.isLarge, a, xPick(c, s.isBelow, s.below, s.above)));
  V near = xMul(c, s.u, X_POLYNOMIAL(c, s.u, two));
  near = xAdd(c, near, xPick(c, s.isBelow, xScale(c, log, -1), log));
  // Not (a - 1/2) log - a, of which the product overflows before the logarithm of gamma does.
  V rest = xPlus(c, stirlingTail(c, a), .5 * log2pi - .5);
  V far = xFma(c, xPlus(c, a, -.5), xPlus(c, log, -1), rest);
  return xPick(c, s.isLarge, far, near);
}

MlirValue externLogGamma(const ExternCall *c) {
  V x = c->in[0], a = xMath(c, "math.absf", x);
  return reflectLogGamma(c, x, a, logGammaAbove(c, a), -1e-30);
}

/// gamma(a), a > 0, as the product of two numbers, neither of which overflows where 1 / gamma(a) is
/// not yet 0. A power is nearer than what the logarithm, of some hundreds, makes.
static void gammaAbove(const ExternCall *c, V a, V parts[2]) {
  static const double two[] = {-2.1453270158162913e-05, -6.514427811093382e-05,
                               -0.00010137335106385803, -6.615794683081839e-05,
                               -3.9411313258359024e-05, 3.450132019649227e-05,
                               -5.476829417094402e-05,  0.0001230431098879394,
                               -0.00024125494133713475, 0.0004902121496001671,
                               -0.0009195791080284472,  0.00210394178565463,
                               -0.002852644906379994,   0.011154045526510253,
                               -0.00026698209639761187, 0.0742490107555771,
                               0.08157691924738945,     0.41184033042643053,
                               0.42278433509846625,     1.0};
  Shift s = shiftOf(c, a);
  V near = xDiv(c, xMul(c, X_POLYNOMIAL(c, s.u, two), s.above), s.below);
  a = xOp(c, "arith.minimumf", a, xNum(c, a, 220));
  V half = xOp(c, "math.powf", a, xPlus(c, xScale(c, a, .5), -.25));
  // The tail is below .01.
  V tail = stirlingTail(c, a), less = xMath(c, "math.exp", xScale(c, a, -1));
  static const double exp[] = {1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, .5, 1, 1};
  V rest = xMul(c, X_POLYNOMIAL(c, tail, exp), less);
  parts[0] = xPick(c, s.isLarge, xMul(c, half, xScale(c, rest, sqrt(2 * M_PI))), near);
  parts[1] = xPick(c, s.isLarge, half, xNum(c, a, 1));
}

/// gamma(-a) gamma(a) = -pi / (a sin(pi a)).
MlirValue externGamma(const ExternCall *c) {
  V x = c->in[0], a = xMath(c, "math.absf", x), parts[2];
  gammaAbove(c, a, parts);
  V sine = externTurn(c, a, false);
  // Near 0 sin(pi a) times anything below 1 may be subnormal.
  V below = xDiv(c, xOver(c, -M_PI, sine), parts[1]);
  below = xDiv(c, below, xMul(c, a, parts[0]));
  V value = xPick(c, xIs(c, EXTERN_OLT, x, 0), below, xMul(c, parts[0], parts[1]));
  // Poles, of which that at 0 has a sign.
  V floor = xMath(c, "math.floor", x), whole = xTest(c, EXTERN_OEQ, floor, x);
  V negative = xIs(c, EXTERN_OLT, x, 0), pole = xOp(c, "arith.andi", whole, negative);
  value = xPick(c, pole, xNum(c, x, NAN), value);
  return xPick(c, xIs(c, EXTERN_OLT, a, 1e-300), xOver(c, 1, x), value);
}
