//===- LibdeviceInverse.c - inverse error functions -----------------------===//
//
// In f32, of w = -log2(x (2 - x)), erfc's inverse is
//
//   (1 - x) f(w)                            w < 8
//   sqrt(w) g(1 / sqrt(w)) as 1 - x is      w >= 8
//
// f and g were fitted to values of 30 digits, minimax, for relative errors of 2^-25.5 and 2^-24.7.
// The chip's approximation of log2 is good enough: f falls by a quarter of what w is off by at
// most, and beyond 1 by half of what w is off by, relatively. The rest is rounding: 2.5 ulp. It is
// M. Giles' idea ("Approximating the erfinv function", GPU Computing Gems, 2011) with other
// logarithms.
//
// f64 begins with Giles' polynomials for f32 and takes two steps of Halley's: the polynomials are
// within 3e-7, and a step cubes that.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

//===- f32 ----------------------------------------------------------------===//

/// f(w) x, w = -ln(1 - x^2). What rounding the last sum of f loses is added to its
/// product with x.
MlirValue externNarrowErfInverse(const ExternCall *c) {
  static const double near[] = {-8.820527419572954e-09,  2.2173465197283804e-07,
                                -1.9835454168060096e-06, 4.022287612315267e-06,
                                4.4436957978177816e-05,  -0.00012722609972115606,
                                -0.002334596822038293,   0.011548846960067749,
                                0.2320137619972229},
                      far[] = {
                          0.00011009930312866345, -0.0003043630567844957, -4.8675625293981284e-05,
                          0.0014786510728299618,  -0.00360164069570601,   0.005689405836164951,
                          -0.007636391092091799,  0.009445007890462875,   1.0016748905181885};
  V x = c->in[0], one = xNum(c, x, 1), minus = xScale(c, x, -1);
  V w = xScale(c, xMath(c, "math.log", xFma(c, minus, x, one)), -1);
  V isNear = xIs(c, EXTERN_OLT, w, 5), root = xPlus(c, xRoot(c, w), -3);
  V t = xPick(c, isNear, w, root);
  V slope = xPick(c, isNear, xPolynomial(c, w, near, 9), xPolynomial(c, root, far, 9));
  V first = xPick(c, isNear, xNum(c, x, 0.88622695), xNum(c, x, 2.8329768));
  V rest = xPick(c, isNear, xNum(c, x, -2.66232e-08), xNum(c, x, -1.2390611e-08));
  V high = xFma(c, slope, t, first), low = xAdd(c, xFma(c, slope, t, xSub(c, first, high)), rest);
  V y = xFma(c, x, high, xMul(c, x, low));
  V end = xNum(c, x, INFINITY), isEnd = xIs(c, EXTERN_OEQ, xMath(c, "math.absf", x), 1);
  return xOp(c, "math.copysign", xPick(c, isEnd, end, y), x);
}

enum { MIDDLE = 10, TAIL = 8 };

/// `sign` (1 - x) f(w), and so on: `sign` is in f and g, too. Where x is 0 or 2, w is infinite,
/// below and beyond NaN.
static V narrowErfcInverse(const ExternCall *c, V x, int sign, const double *middle,
                           const double *tail) {
  V one = xNum(c, x, 1), away = sign > 0 ? xSub(c, one, x) : xSub(c, x, one);
  V product = xMul(c, x, xSub(c, xNum(c, x, 2), x));
  V w = xScale(c, xFast(c, "math.log2", product), -1);
  V near = xMul(c, away, xPolynomial(c, w, middle, MIDDLE));
  V far = xMul(c, xRoot(c, w), xPolynomial(c, xFast(c, "math.rsqrt", w), tail, TAIL));
  far = xPick(c, xIs(c, EXTERN_OEQ, product, 0), xNum(c, x, INFINITY), far);
  return xPick(c, xIs(c, EXTERN_OLT, w, 8), near, xOp(c, "math.copysign", far, away));
}

MlirValue externNarrowErfcInverse(const ExternCall *c) {
  static const double middle[MIDDLE] = {-2.50271637e-10, 9.34847399e-09, -1.18978377e-07,
                                        2.01321853e-07,  8.14885334e-06, -3.19480496e-05,
                                        -0.000773893378, 0.00554618426,  0.160820365,
                                        0.886226892},
                      tail[TAIL] = {15.8360167, -32.4277115, 27.6295433,    -14.18365,
                                    5.44701719, -1.32646036, -0.0346545987, 0.832964659};
  return narrowErfcInverse(c, c->in[0], 1, middle, tail);
}

/// -sqrt 2 times that of 2 x, which f and g are multiplied by.
MlirValue externNarrowNormalInverse(const ExternCall *c) {
  static const double middle[MIDDLE] = {-3.82160414e-10, 1.42274343e-08, -1.83208925e-07,
                                        4.04315642e-07,  1.09665516e-05, -4.36512928e-05,
                                        -0.00109682581,  0.00784538127,  0.227433711,
                                        1.25331414},
                      tail[TAIL] = {22.3874817, -45.8485374, 39.067646,    -20.0567322,
                                    7.70289516, -1.8758626,  -0.049010925, 1.17798996};
  V twice = xAdd(c, c->in[0], c->in[0]);
  return narrowErfcInverse(c, twice, -1, middle, tail);
}

//===- f64 ----------------------------------------------------------------===//

/// Close to where erf is `x`, of -ln(1 - x^2): within 3e-7 of the value for w up to 16.
static V nearInverseError(const ExternCall *c, V x, V w) {
  static const double near[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, .00021858087,   -.00125372503,
                                -.00417768164,   .246640727,     1.50140941},
                      far[] = {-.000200214257, .000100950558, .00134934322,
                               -.00367342844,  .00573950773,  -.0076224613,
                               .00943887047,   1.00167406,    2.83297682};
  V small = xPolynomial(c, xPlus(c, w, -2.5), near, 9);
  V large = xPolynomial(c, xPlus(c, xMath(c, "math.sqrt", w), -3), far, 9);
  V isSmall = xIs(c, EXTERN_OLT, w, 5);
  return xMul(c, xPick(c, isSmall, small, large), x);
}

/// A step of Halley's from `y`, whose error function is off by `error`.
static V stepTowards(const ExternCall *c, V y, V error) {
  V square = xMul(c, y, y), slope = xMath(c, "math.exp", xScale(c, square, -1));
  slope = xScale(c, slope, M_2_SQRTPI);
  V step = xDiv(c, error, slope);
  V curve = xPlus(c, xMul(c, y, step), 1);
  return xSub(c, y, xQuotient(c, step, curve));
}

/// Where erfc is `tail`, and erf `x` = 1 - tail, both at least 0: the one of both that is exact is
/// used. Twice, as the first guess of deep tails is within 4e-3, which a step cubes.
static V inverseError(const ExternCall *c, V x, V tail) {
  V other = xPlus(c, xScale(c, tail, -1), 2), product = xMul(c, tail, other);
  V w = xScale(c, xMath(c, "math.log", product), -1), y = nearInverseError(c, x, w);
  // Deep in the tail y^2 is about L - ln(pi L) / 2, L = -ln(tail).
  V depth = xPlus(c, w, M_LN2), log = xMath(c, "math.log", xScale(c, depth, M_PI));
  V deep = xRoot(c, xSub(c, depth, xScale(c, log, .5)));
  y = xPick(c, xIs(c, EXTERN_OGT, w, 15), deep, y);
  V isTail = xIs(c, EXTERN_OGT, x, .5);
  for (int i = 0; i < 2; ++i) {
    V error = xSub(c, tail, xMath(c, "math.erfc", y));
    error = xPick(c, isTail, error, xSub(c, xMath(c, "math.erf", y), x));
    y = stepTowards(c, y, error);
  }
  V infinity = xNum(c, x, INFINITY), isEnd = xIs(c, EXTERN_OEQ, tail, 0);
  return xPick(c, isEnd, infinity, y);
}
MlirValue externErfInverse(const ExternCall *c) {
  V x = c->in[0];
  V size = xMath(c, "math.absf", x), tail = xPlus(c, xScale(c, size, -1), 1);
  return xOp(c, "math.copysign", inverseError(c, size, tail), x);
}
/// Where erfc is x: beyond 1 the mirrored one.
static V erfcInverseOf(const ExternCall *c, V x) {
  V mirrored = xPlus(c, xScale(c, x, -1), 2), isLeft = xIs(c, EXTERN_OGT, x, 1);
  V tail = xPick(c, isLeft, mirrored, x);
  V y = inverseError(c, xPlus(c, xScale(c, tail, -1), 1), tail);
  return xPick(c, isLeft, xScale(c, y, -1), y);
}
MlirValue externErfcInverse(const ExternCall *c) { return erfcInverseOf(c, c->in[0]); }
MlirValue externNormalInverse(const ExternCall *c) {
  V y = erfcInverseOf(c, xScale(c, c->in[0], 2));
  return xFma(c, y, xNum(c, y, -M_SQRT2), xNum(c, y, 0)); // of 1/2: 0, not -0
}
