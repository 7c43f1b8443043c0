//===- LibdeviceBesselNarrow.c - Bessel functions of f32 ------------------===//
//
// In f32, with errors as libdevice has them: 9 ulp up to 8, absolute ones of 2.2e-6 beyond. Up to 8
// zeros are factors, so that what is small near them is right:
//
//   J0            1 + x^2 u(x^2)                                    x < 1.5
//                 product of x - z times r(x - 6)                   from there on
//   J1            x times product of x - z times r(x - 4)
//   Y0            2/pi ln(x / z) J0(x) + (x^2 - z^2) u(x^2)         x < 2.5, z its first zero
//                 product of x - z times r(x - 5)                   from there on
//   Y1            2/pi (ln(x) J1(x) - 1 / x) + x u(x^2)             x < 1.5
//                 (x - z) p(x - 3) / x                              x < 4
//                 (x - z) r(x - 6)                                  from there on
//
// Polynomials were fitted to values of 25 digits, minimax (iterated least squares), for errors of
// 2^-24 to 2^-26 of their values. Beyond 8: Abramowitz and Stegun, Handbook of Mathematical
// Functions, 9.2.28 and 9.2.29.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

//===- beyond 8 -----------------------------------------------------------===//

/// cos(x + turns * 2 pi + more), 8 <= x, within 1e-6 of it up to 1e10; what is to be multiplied by
/// it is below 1e-5 there. `turns` and `more` below 1.
static V narrowCosine(const ExternCall *c, V x, double turns, V more) {
  static const double quarter[] = {1.57079637050628662, -4.37113900018624283e-8,
                                   -1.71512451180850e-15};
  V rest = x, count[2];
  // Of large numbers the first count of quarters is a few off.
  for (int i = 0; i < 2; ++i) {
    count[i] = xMath(c, "math.roundeven", xScale(c, rest, M_2_PI));
    V minus = xScale(c, count[i], -1);
    for (int k = 0; k < 3 - i; ++k) rest = xFma(c, minus, xNum(c, x, quarter[k]), rest);
  }
  V whole = xScale(c, count[0], .25), part = xSub(c, whole, xMath(c, "math.floor", whole));
  V turn = xPlus(c, xFma(c, count[1], xNum(c, x, .25), part), turns);
  turn = xSub(c, turn, xMath(c, "math.roundeven", turn));
  V angle = xFma(c, turn, xNum(c, x, 2 * M_PI), xAdd(c, rest, more));
  MlirType type = mlirValueGetType(x);
  MlirAttribute afn = tileParseAttr(c->b->context, "#arith.fastmath<afn>");
  return tileResult(tileBuildOp(c->b, "math.cos", TILE_VALUES(angle), 1, &type,
                                TILE_ATTRS({"fastmath", afn}), 0));
}

/// sqrt(2 / pi x) A cos(x - shift + B / x), A and B in (8 / x)^2 (9.2.28, 9.2.29).
static V narrowBesselFar(const ExternCall *c, V x, bool one, bool first) {
  static const double a0[] = {2.26432694e-05, -0.000975629431, 0.99999994},
                      b0[] = {-4.36094706e-05, 0.00101461541, -0.124999858},
                      a1[] = {-4.32391571e-05, 0.00292827096, 1.00000012},
                      b1[] = {7.94019507e-05, -0.00255955732, 0.374999791};
  V inverse = xQuotient(c, xNum(c, x, 1), x), eight = xScale(c, inverse, 8);
  V square = xMul(c, eight, eight);
  V size = one ? X_POLYNOMIAL(c, square, a1) : X_POLYNOMIAL(c, square, a0);
  V more = xMul(c, one ? X_POLYNOMIAL(c, square, b1) : X_POLYNOMIAL(c, square, b0), inverse);
  // x - pi/4 or x - 3 pi/4, and a quarter more for a sine.
  double turns = -.125 - .25 * one - .25 * !first;
  V root = xScale(c, xMath(c, "math.rsqrt", x), 0.79788456080286536); // sqrt(2 / pi)
  return xMul(c, xMul(c, size, root), narrowCosine(c, x, turns, more));
}

//===- up to 8 ------------------------------------------------------------===//

/// x less a zero, which f32 has not: the difference to its bits up to 2^-21 is exact, near it
/// because they are close, and far off for want of smaller bits in x from 4 on.
static V awayFrom(const ExternCall *c, V x, double zero) {
  double high = round(zero * 0x1p21) / 0x1p21;
  return xPlus(c, xPlus(c, x, -high), high - zero);
}

/// Of `size` = |x|; beyond 8 `far`; at infinity 0.
static V besselOf(const ExternCall *c, V size, V near, V far) {
  V zero = xNum(c, size, 0), infinite = xIs(c, EXTERN_OEQ, size, INFINITY);
  return xPick(c, xIs(c, EXTERN_OLE, size, 8), near, xPick(c, infinite, zero, far));
}

MlirValue externNarrowJZero(const ExternCall *c) {
  static const double u[] = {6.41695033e-06, -0.000433340087, 0.0156244868, -0.249999881},
                      r[] = {3.07051121e-11, 3.10531489e-10, -4.17055812e-09, -3.96072508e-08,
                             5.17764931e-07, 3.18941306e-06, -4.39108226e-05, -0.000132530462,
                             0.00216713781,  0.000673751172, -0.0458522327,   0.0873101875};
  V x = xMath(c, "math.absf", c->in[0]), square = xMul(c, x, x);
  V first = xFma(c, square, X_POLYNOMIAL(c, square, u), xNum(c, x, 1));
  V later = xMul(c, awayFrom(c, x, 2.404825557695773), awayFrom(c, x, 5.520078110286311));
  later = xMul(c, later, X_POLYNOMIAL(c, xPlus(c, x, -6), r));
  V near = xPick(c, xIs(c, EXTERN_OLT, x, 1.5), first, later);
  return besselOf(c, x, near, narrowBesselFar(c, x, false, true));
}

MlirValue externNarrowJOne(const ExternCall *c) {
  static const double terms[] = {1.49127889e-13, 1.18039432e-12, -2.77384504e-11, -2.47790816e-10,
                                 4.25527347e-09, 3.29352581e-08, -5.00240219e-07, -2.88342926e-06,
                                 3.90057794e-05, 0.00014619471,  -0.00174051349,  -0.00315239443,
                                 0.0325333253};
  V x = xMath(c, "math.absf", c->in[0]);
  V near = xMul(c, awayFrom(c, x, 3.831705970207512), awayFrom(c, x, 7.015586669815619));
  near = xMul(c, xMul(c, near, X_POLYNOMIAL(c, xPlus(c, x, -4), terms)), x);
  V value = besselOf(c, x, near, narrowBesselFar(c, x, true, true));
  return xMul(c, value, xOp(c, "math.copysign", xNum(c, x, 1), c->in[0]));
}

/// NaN below 0, minus infinity at 0, as the logarithm is.
MlirValue externNarrowYZero(const ExternCall *c) {
  static const double j[] = {-5.95810796e-08, 6.72592978e-06, -0.000433854642,
                             0.0156247644,    -0.249999896,   1},
                      u[] = {-8.69461447e-10, 1.09656078e-07, -9.90671742e-06,
                             0.00056182337,   -0.0167446993,  0.182144299},
                      r[] = {5.10826832e-11, -7.23426097e-10, 5.75994287e-11,  5.83177773e-08,
                             1.28121386e-07, -6.30071781e-06, -5.70286056e-06, 0.000372598181,
                             0.000223576033, -0.0124374349,   -0.000106769839, 0.141890496};
  const double zero = 0.8935769662791675, inverse = (double)(float)(1 / zero);
  V x = c->in[0], square = xMul(c, x, x), scaled = xScale(c, x, inverse);
  // Near 1 what rounding x / z has lost is all that counts of the logarithm; small x may be
  // subnormal.
  V lost = xFma(c, x, xNum(c, x, inverse), xScale(c, scaled, -1));
  lost = xFma(c, x, xNum(c, x, 1 / zero - inverse), lost);
  V isSmall = xIs(c, EXTERN_OLT, x, .25);
  V logarithm = xMath(c, "math.log", xPick(c, isSmall, x, scaled));
  logarithm =
      xScale(c, xAdd(c, logarithm, xPick(c, isSmall, xNum(c, x, 0.112522808), lost)), M_2_PI);
  V rest = xMul(c, xMul(c, awayFrom(c, x, zero), xPlus(c, x, zero)), X_POLYNOMIAL(c, square, u));
  V first = xFma(c, logarithm, X_POLYNOMIAL(c, square, j), rest);
  V later = xMul(c, awayFrom(c, x, 3.957678419314858), awayFrom(c, x, 7.086051060301773));
  later = xMul(c, later, X_POLYNOMIAL(c, xPlus(c, x, -5), r));
  V near = xPick(c, xIs(c, EXTERN_OLT, x, 2.5), first, later);
  return besselOf(c, x, near, narrowBesselFar(c, x, false, false));
}

MlirValue externNarrowYOne(const ExternCall *c) {
  static const double j[] = {6.46828596e-07, -5.41926456e-05, 0.00260411995, -0.0624999888, 0.5},
                      u[] = {-9.68737822e-07, 7.16631112e-05, -0.00295539876, 0.0543487482,
                             -0.196057096},
                      p[] = {7.20932121e-06, -4.72054762e-06, -0.000409452274,
                             2.09044465e-05, 0.0152599467,    0.00143715239,
                             -0.24369064,    -0.10293705,     1.21319389},
                      r[] = {4.6092218e-08,  -3.13036082e-07, -4.93162997e-06, 3.04364075e-05,
                             0.000280754757, -0.0015434355,   -0.00846443605,  0.039944496,
                             0.0838788226,   -0.306863964};
  V x = c->in[0], square = xMul(c, x, x);
  // 2^-24 / x, for which no x is subnormal
  V inverse = xQuotient(c, xNum(c, x, 1), xScale(c, x, 0x1p24));
  V log = xScale(c, xMath(c, "math.log", x), M_2_PI);
  V first = xMul(c, xFma(c, log, X_POLYNOMIAL(c, square, j), X_POLYNOMIAL(c, square, u)), x);
  first = xFma(c, xScale(c, inverse, -M_2_PI), xNum(c, x, 0x1p24), first);
  first = xPick(c, xIs(c, EXTERN_OEQ, x, 0), xNum(c, x, -INFINITY), first);
  V middle = xMul(c, X_POLYNOMIAL(c, xPlus(c, x, -3), p), xScale(c, inverse, 0x1p24));
  middle = xMul(c, middle, awayFrom(c, x, 2.197141326031017));
  V later = xMul(c, X_POLYNOMIAL(c, xPlus(c, x, -6), r), awayFrom(c, x, 5.429681040794135));
  V near = xPick(c, xIs(c, EXTERN_OLT, x, 4), middle, later);
  near = xPick(c, xIs(c, EXTERN_OLT, x, 1.5), first, near);
  return besselOf(c, x, near, narrowBesselFar(c, x, true, false));
}

//===- the modified ones --------------------------------------------------===//

/// Where all terms have one sign: up to 8 of x^2 / 4, beyond of 1 / x, times
/// e^x / sqrt(x).
static V narrowBesselI(const ExternCall *c, bool one) {
  static const double near0[] = {1.4984354035352254e-11, 3.811334581271808e-10,
                                 4.315852208947035e-08,  1.8937940922114649e-06,
                                 6.963708437979221e-05,  0.0017355043673887849,
                                 0.027778804302215576,   0.24999919533729553,
                                 1.000000238418579,      1.0},
                      near1[] = {7.210124966690323e-13, 2.2967440449495058e-11,
                                 2.650640817947192e-09, 1.3591687775260652e-07,
                                 5.797996436740505e-06, 0.00017357352771796286,
                                 0.003472292795777321,  0.041666604578495026,
                                 0.2500000298023224,    0.5},
                      far0[] = {0.3894883692264557,   -0.014381395652890205, 0.033852703869342804,
                                0.027895014733076096, 0.04986967518925667,   0.3989422619342804},
                      far1[] = {-0.4540921747684479,  0.01029872801154852,  -0.04623302444815636,
                                -0.04657144844532013, -0.14960554242134094, 0.3989422917366028};
  V x = c->in[0], size = xMath(c, "math.absf", x), half = xScale(c, size, .5);
  V near = xPolynomial(c, xMul(c, half, half), one ? near1 : near0, 10);
  if (one) near = xMul(c, near, size);
  V power = xMath(c, "math.exp", half);
  V inverse = xOver(c, 1, size);
  V beyond = xPolynomial(c, inverse, one ? far1 : far0, 6);
  beyond = xMul(c, beyond, xMath(c, "math.rsqrt", size));
  // In two halves, as the exponential overflows before its product does.
  beyond = xMul(c, xMul(c, power, beyond), power);
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY), isNear = xIs(c, EXTERN_OLE, size, 8);
  V value = xPick(c, isNear, near, xPick(c, infinite, size, beyond));
  return one ? xOp(c, "math.copysign", value, x) : value;
}
MlirValue externNarrowIZero(const ExternCall *c) { return narrowBesselI(c, false); }
MlirValue externNarrowIOne(const ExternCall *c) { return narrowBesselI(c, true); }
