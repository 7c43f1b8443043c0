//===- LibdeviceInverse.c - inverse error functions -----------------------===//
//
// In f32, of w = -log2(x (2 - x)), erfc's inverse is
//
//   (1 - x) f(w)                            w < 8
//   sqrt(w) g(1 / sqrt(w)) as 1 - x is      w >= 8
//
// f and g were fitted to values of 30 digits, minimax, for relative errors of 2^-25.5 and 2^-24.7.
// The chip's approximation of log2 is good enough: f falls by a quarter of what w is off by at
// most, and beyond 1 by half of what w is off by, relatively. The rest is rounding: 3 ulp. It is
// M. Giles' idea ("Approximating the erfinv function", GPU Computing Gems, 2011) with other
// logarithms.
//
// In f64 w is -log(x (2 - x)), and the tail is sqrt(L) g of L = -log(x), which follows from w by a
// few terms of a series; g is a polynomial of what takes sqrt(L), from its least to its greatest,
// to -h and h. Both polynomials are sums of Chebyshev polynomials through 40 values of 45 digits,
// cut at 2^-54 of the result, in powers.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

//===- f32 ----------------------------------------------------------------===//

/// -ln x of x from 2^-126 to 1, as MathLog.c has the logarithm but for all others.
static V minusLog(const ExternCall *c, V x) {
  static const double tail[] = {
      7.0376836292e-2,  -1.1514610310e-1, 1.1676998740e-1,  -1.2420140846e-1, 1.4249322787e-1,
      -1.6668057665e-1, 2.0000714765e-1,  -2.4999993993e-1, 3.3333331174e-1,  -0.5};
  MlirType f32 = tileElementType(mlirValueGetType(x)), i32 = tileI32(c->b->context);
  V bits = xCast(c, "arith.bitcast", x, i32);
  V above = xOp(c, "arith.subi", bits, xInt(c, bits, 0x3f3504f3)); // sqrt(1/2)
  V exponent = xOp(c, "arith.andi", above, xInt(c, bits, -0x800000));
  V f = xPlus(c, xCast(c, "arith.bitcast", xOp(c, "arith.subi", bits, exponent), f32), -1);
  V near = xFma(c, X_POLYNOMIAL(c, f, tail), xMul(c, f, f), f);
  V e = xCast(c, "arith.sitofp", exponent, f32), ln2 = xNum(c, x, -M_LN2 * 0x1p-23);
  return xFma(c, e, ln2, xScale(c, near, -1));
}

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
  V w = minusLog(c, xFma(c, minus, x, one));
  V isNear = xIs(c, EXTERN_OLT, w, 5), root = xPlus(c, xRoot(c, w), -3);
  V t = xPick(c, isNear, w, root);
  V slope = xPick(c, isNear, xPolynomial(c, w, near, 9), xPolynomial(c, root, far, 9));
  V first = xPick(c, isNear, xNum(c, x, 0.88622695), xNum(c, x, 2.8329768));
  V rest = xPick(c, isNear, xNum(c, x, -2.66232e-08), xNum(c, x, -1.2390611e-08));
  V high = xFma(c, slope, t, first), low = xAdd(c, xFma(c, slope, t, xSub(c, first, high)), rest);
  V y = xFma(c, x, high, xMul(c, x, low));
  V size = xMath(c, "math.absf", x), isEnd = xIs(c, EXTERN_OGE, size, 1);
  V end = xPick(c, xIs(c, EXTERN_OGT, size, 1), xNum(c, x, NAN), xNum(c, x, INFINITY));
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

/// Where erfc is `tail` up to 1 and 1 less it is `away`, by `product`, tail (2 - tail): `away` f(w)
/// in the middle, else as a float without a sign sqrt(L) g. `terms` are those of g, of (sqrt(L) -
/// c) / (sqrt(L) + c).
static V wideInverse(const ExternCall *c, V tail, V away, V product, double center,
                     const double *terms, size_t count) {
  static const double middle[] = {2.540685090240003e-18,   -2.1247519591116574e-17,
                                  -1.0145842269025897e-16, 1.8182444109204687e-15,
                                  -3.1760471492071243e-15, -7.550898267028066e-14,
                                  5.371704546905235e-13,   9.085853502747262e-13,
                                  -3.11079260533791e-11,   1.1961607001316643e-10,
                                  9.073146911812734e-10,   -1.0861186282207807e-08,
                                  1.3416788967168407e-08,  4.7872523843418e-07,
                                  -3.4166195850117613e-06, -4.996079611413909e-06,
                                  0.00021825026433943242,  -0.0012527079078073968,
                                  -0.004177317724382901,   0.2466402767441667,
                                  1.501409351110792},
                      // -log(1 - t / 2) / t
      shift[] = {1. / 160, 1. / 64, 1. / 24, 1. / 8, 1. / 2};
  V w = xScale(c, xMath(c, "math.log", product), -1);
  V near = xMul(c, away, X_POLYNOMIAL(c, xPlus(c, w, -2.5), middle));
  // L = -log(tail), of which w is that of 2 - tail too little
  V less = xMul(c, X_POLYNOMIAL(c, tail, shift), tail);
  V root = xRoot(c, xAdd(c, w, xSub(c, xNum(c, tail, M_LN2), less)));
  V t = xQuotient(c, xPlus(c, root, -center), xPlus(c, root, center));
  V far = xMul(c, root, xPolynomial(c, t, terms, count));
  far = xPick(c, xIs(c, EXTERN_OEQ, product, 0), xNum(c, tail, INFINITY), far);
  return xPick(c, xIs(c, EXTERN_OLT, w, 5), near, xOp(c, "math.copysign", far, away));
}

MlirValue externErfInverse(const ExternCall *c) {
  // Up to the last number below 1.
  static const double terms[] = {-0.04040229071680932,  0.020419323774232157, 0.015637270336273053,
                                 -0.040437124132789284, 0.060956367542959806, -0.07475640290359635,
                                 0.07615598271546797,   -0.06183125171329039, 0.03010810224245282,
                                 0.01800794150419698,   -0.07922156173271022, 0.1461899417476975,
                                 -0.2096164122349311,   0.25418060399254877,  -0.2654532966308485,
                                 0.19631202065671988,   0.9347896504765493};
  V x = c->in[0], one = xNum(c, x, 1), size = xMath(c, "math.absf", x), tail = xSub(c, one, size);
  V product = xMul(c, tail, xAdd(c, one, size));
  return wideInverse(c, tail, x, product, 3.875, terms, sizeof terms / sizeof *terms);
}

/// Where erfc is x: beyond 1 the mirrored one.
static V erfcInverseOf(const ExternCall *c, V x) {
  static const double terms[] = {
      0.09545843502124965,    -0.04254028810209913,  -0.20267901881821226, 0.14097889220084586,
      0.09102252130370223,    -0.04108316839986507,  -0.09246572739792602, 0.0695093007496404,
      -0.017608861035228143,  0.01904759256337103,   -0.02400585654933849, 0.013339348141456186,
      -4.127097981738839e-05, -0.012645450128814307, 0.026736707407599244, -0.042220886084597745,
      0.05834540258240124,    -0.07456200326732139,  0.09022749054340112,  -0.10464434780520766,
      0.11692212208120649,    -0.12618854766026324,  0.13122283322991246,  -0.13088857738507886,
      0.12297675912438176,    -0.10542950326427497,  0.06796261782910826,  0.9791678303150311};
  V mirrored = xSub(c, xNum(c, x, 2), x), away = xSub(c, xNum(c, x, 1), x);
  V tail = xPick(c, xIs(c, EXTERN_OGT, x, 1), mirrored, x);
  return wideInverse(c, tail, away, xMul(c, x, mirrored), 8, terms, sizeof terms / sizeof *terms);
}
MlirValue externErfcInverse(const ExternCall *c) { return erfcInverseOf(c, c->in[0]); }
MlirValue externNormalInverse(const ExternCall *c) {
  V y = erfcInverseOf(c, xAdd(c, c->in[0], c->in[0]));
  return xFma(c, y, xNum(c, y, -M_SQRT2), xNum(c, y, 0)); // of 1/2: 0, not -0
}
