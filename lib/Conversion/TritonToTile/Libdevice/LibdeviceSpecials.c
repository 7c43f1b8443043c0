//===- LibdeviceSpecials.c - Bessel and error functions -----------------===//
//
// In f64, and erfcx (4 ulp, as libdevice has it) and normcdf (5) of f32, whose polynomials were
// fitted for relative errors below 2e-8 (iterated least squares in 30 digits).
//
// Those of f64 were fitted to values of 40 digits (mpmath) as sums of Chebyshev polynomials, cut
// where terms fall below 2e-17 of the largest, and are written in powers of t:
//
//   I0, I1 by e^-x sqrt(x)                                     x >= 8, in t = 16 / x - 1
//   erfcx by x + 4                                             x >= 0, in t = (x - 4) / (x + 4)
//   J0, J1 / x, and what Y0, Y1 are besides their logarithm    x <= 8, in t = x^2 / 32 - 1
//   P and Q x of sqrt(2 / pi x) (P cos - Q sin)                x >= 8, in t = 2 (8 / x)^2 - 1
//
// (Abramowitz and Stegun, Handbook of Mathematical Functions, 9.1.13, 9.2.5, 9.8 and 7.1.) The
// gamma and inverse error functions are in LibdeviceGamma.c and LibdeviceInverse.c, Bessel
// functions of f32 in LibdeviceBesselNarrow.c.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

static const double besselJ0[] = {
    4.0037632815796753e-13, -1.243301171273326e-11, 3.3634475788173604e-10, -7.91532308295207e-09,
    1.5956109104549218e-07, -2.717749223632098e-06, 3.8473197855944365e-05, -0.0004435459224311503,
    0.004058078989140991,   -0.028472718610882047,  0.14598884856759264,    -0.5074680458471,
    1.0383794611437211,     -0.8080888076696872,    -0.6484692830871837,    0.9303012472958572,
    0.04582966485981377};
static const double besselJ1[] = {
    1.2095547964761484e-14, -4.0045728425886457e-13, 1.1610590175819576e-11, -2.943013798001659e-10,
    6.4312687983276065e-09, -1.196708186787801e-07,  1.8684525371950874e-06, -2.404574865968694e-05,
    0.0002494945813909099,  -0.0020290394945705996,  0.012456814392255438,   -0.05474581821284722,
    0.15858376432721938,    -0.2595948652859303,     0.15151665143806634,    0.08105866038589796,
    -0.05814382795599107};
static const double besselY0[] = {
    -8.840112096073101e-13,  2.6926938054524057e-11, -7.13046146536789e-10,  1.6390875014077404e-08,
    -3.2185078445935923e-07, 5.3213188103997145e-06, -7.279541882454115e-05, 0.000806158605961636,
    -0.00702574105727097,    0.046367047681375125,   -0.21895747096171628,   0.6721770783431679,
    -1.0775477338215995,     0.14412632369302475,    1.6470964788745466,     -0.8284358903604587,
    -0.382250654459425};
static const double besselY1[] = {
    -2.695138958384033e-14,  8.760001143977853e-13,  -2.4887509903377128e-11, 6.169688029066965e-10,
    -1.3153322551127247e-08, 2.3804930420514178e-07, -3.600999874357815e-06,  4.467433012646365e-05,
    -0.00044381734351149876, 0.0034224907399188495,  -0.019628756833099423,   0.07854786922242532,
    -0.19639839859930425,    0.23507209206669755,    0.023367571720993584,    -0.24337743079193114,
    0.07075985882118005};
static const double besselP0[] = {
    3.339452259070809e-14, -1.0251790052831013e-13, 2.4531772967345006e-13, -1.0157485021065676e-12,
    4.786995821368028e-12, -2.491146535471666e-11,  1.5500565496632596e-10, -1.2121098178951377e-09,
    1.280376144080092e-08, -2.0527448261170675e-07, 6.137416080109497e-06,  -0.0005363673192129672,
    0.9994572757882519};
static const double besselQ0[] = {
    -4.0574096424030336e-14, 1.0185094098694355e-13, -1.3137515498826537e-13,
    4.605060470396763e-13,   -1.873640743543296e-12, 6.951785915752245e-12,
    -2.8707211071105146e-11, 1.3623497617833053e-10, -7.5763304988972e-10,
    5.146231602705606e-09,   -4.534972837363434e-08, 5.684971881753781e-07,
    -1.1817110661200976e-05, 0.0005466519279475266,  -0.12444091103610815};
static const double besselP1[] = {
    -3.5455617466606254e-14, 1.0923713653079462e-13, -2.6335760672461096e-13,
    1.0954826479277623e-12,  -5.191158004646548e-12, 2.72345126828134e-11,
    -1.713107485294131e-10,  1.3602969253877949e-09, -1.4708512991275258e-08,
    2.453676633366693e-07,   -7.9596946984383e-06,   0.0008988049416705183,
    1.0009070262780821};
static const double besselQ1[] = {
    4.275621822194818e-14,  -1.0759215471978615e-13, 1.3996264453471973e-13,
    -4.91574062967655e-13,  2.002728774766585e-12,   -7.465104477698295e-12,
    3.100364837230575e-11,  -1.4816588916791194e-10, 8.316077350038262e-10,
    -5.720890888840857e-09, 5.136105997071193e-08,   -6.633568561050814e-07,
    1.4569614809851411e-05, -0.0007697167057643706,  0.3742149922195918};

//===- Bessel functions ---------------------------------------------------===//

/// t of the series near 0 and of those far off.
static V nearArgument(const ExternCall *c, V x) {
  V square = xMul(c, x, x);
  return xPlus(c, xScale(c, square, 1. / 32), -1);
}
static V farArgument(const ExternCall *c, V x) {
  V eight = xNum(c, x, 8), inverse = xQuotient(c, eight, x), square = xMul(c, inverse, inverse);
  return xPlus(c, xScale(c, square, 2), -1);
}

/// sqrt(2 / pi x) (P cos(x - shift) - Q sin(x - shift)), or with sin and cos for those of the
/// second kind; 1 / sqrt 2 (sin + cos) and the like stand for the shifted ones.
static V far(const ExternCall *c, V x, V p, V q, bool first, bool one) {
  V sine = xMath(c, "math.sin", x), cosine = xMath(c, "math.cos", x);
  V sum = xAdd(c, sine, cosine), difference = xSub(c, sine, cosine);
  // x - pi/4: cos is sum / sqrt 2, sin difference / sqrt 2; x - 3 pi/4: difference, and -sum.
  V shiftedCos = one ? difference : sum, shiftedSin = one ? xScale(c, sum, -1) : difference;
  V overX = xQuotient(c, q, x);
  V main = xMul(c, p, first ? shiftedCos : shiftedSin);
  V other = xMul(c, overX, first ? shiftedSin : shiftedCos);
  V both = first ? xSub(c, main, other) : xAdd(c, main, other);
  V root = xScale(c, xRoot(c, x), 1.7724538509055161); // sqrt(pi)
  return xQuotient(c, both, root);
}

static V besselFar(const ExternCall *c, V x, bool one, bool first) {
  V t = farArgument(c, x);
  V p = one ? X_POLYNOMIAL(c, t, besselP1) : X_POLYNOMIAL(c, t, besselP0);
  V q = one ? X_POLYNOMIAL(c, t, besselQ1) : X_POLYNOMIAL(c, t, besselQ0);
  return far(c, x, p, q, first, one);
}

static V besselJ(const ExternCall *c, bool one) {
  V size = xMath(c, "math.absf", c->in[0]);
  V t = nearArgument(c, size);
  V near = one ? X_POLYNOMIAL(c, t, besselJ1) : X_POLYNOMIAL(c, t, besselJ0);
  if (one) near = xMul(c, near, size);
  V beyond = besselFar(c, size, one, true);
  V isNear = xIs(c, EXTERN_OLE, size, 8), infinite = xIs(c, EXTERN_OEQ, size, INFINITY);
  V value = xPick(c, isNear, near, beyond), zero = xNum(c, size, 0);
  value = xPick(c, infinite, zero, value);
  if (!one) return value;
  return xMul(c, value, xOp(c, "math.copysign", xNum(c, value, 1), c->in[0]));
}
static V besselJZero(const ExternCall *c) { return besselJ(c, false); }
static V besselJOne(const ExternCall *c) { return besselJ(c, true); }

/// 2/pi ln(x) J [- 2/pi 1/x] and a series; NaN below 0, minus infinity at 0.
static V besselY(const ExternCall *c, bool one) {
  V x = c->in[0], t = nearArgument(c, x), log = xMath(c, "math.log", x);
  V j = one ? X_POLYNOMIAL(c, t, besselJ1) : X_POLYNOMIAL(c, t, besselJ0);
  if (one) j = xMul(c, j, x);
  V part = xMul(c, log, j);
  V rest = one ? X_POLYNOMIAL(c, t, besselY1) : X_POLYNOMIAL(c, t, besselY0);
  if (one) rest = xMul(c, rest, x);
  V near = xAdd(c, xScale(c, part, M_2_PI), rest);
  if (one) near = xSub(c, near, xOver(c, M_2_PI, x)); // 1 / x alone may be infinite
  V beyond = besselFar(c, x, one, false);
  V isNear = xIs(c, EXTERN_OLE, x, 8), infinite = xIs(c, EXTERN_OEQ, x, INFINITY);
  V value = xPick(c, isNear, near, beyond), zero = xNum(c, x, 0);
  value = xPick(c, infinite, zero, value);
  V isZero = xIs(c, EXTERN_OEQ, x, 0), least = xNum(c, x, -INFINITY);
  value = xPick(c, isZero, least, value);
  V below = xIs(c, EXTERN_OLT, x, 0), nan = xNum(c, x, NAN);
  return xPick(c, below, nan, value);
}
static V besselYZero(const ExternCall *c) { return besselY(c, false); }
static V besselYOne(const ExternCall *c) { return besselY(c, true); }

/// Up to 8 by the series in x^2 / 4, all of whose terms have one sign, until they fall below 2^-59
/// of the sum.
static V besselI(const ExternCall *c, bool one) {
  enum { TERMS = 22 };
  static const double
      far0[] = {9.365086892818145e-11,  3.62935522971875e-11,    -6.633287112547059e-10,
                -2.803381997887009e-10, 2.1968921378828948e-09,  1.1050558794424366e-09,
                -4.575553424534966e-09, -3.1346276429240816e-09, 6.560138746917051e-09,
                7.335968710816156e-09,  -5.03810648790328e-09,   -1.3326094405766389e-08,
                -6.849338188286771e-09, 7.534355843803342e-09,   2.1566251453104354e-08,
                3.932889375114634e-08,  8.872034383314144e-08,   2.973596046562712e-07,
                1.4838476651250266e-06, 1.1143033800708978e-05,  0.00013621607438984735,
                0.0033605519836677504,  0.4021765094450081},
      far1[] = {-9.752397204138148e-11,  -3.365431853180194e-11,  6.917089294193781e-10,
                2.6340771095136576e-10,  -2.297004161885195e-09,  -1.0594544160443186e-09,
                4.810597405089936e-09,   3.086886736722728e-09,   -6.983839624895859e-09,
                -7.444441477197272e-09,  5.593370101790607e-09,   1.3958551001385956e-08,
                6.840138997706959e-09,   -8.409182040442918e-09,  -2.339250374801858e-08,
                -4.313196489977733e-08,  -1.000109565963654e-07,  -3.4838534380376333e-07,
                -1.8349102358955385e-06, -1.5038547209501858e-05, -0.0002192357638317243,
                -0.009749577193235635,   0.38939845902587233};
  double terms[TERMS];
  long double term = one ? .5L : 1;
  for (int k = 0; k < TERMS; term /= (k + 1.L) * (k + 1 + one), ++k)
    terms[TERMS - 1 - k] = (double)term;
  V size = xMath(c, "math.absf", c->in[0]), half = xScale(c, size, .5);
  V near = xPolynomial(c, xMul(c, half, half), terms, TERMS);
  if (one) near = xMul(c, near, size);
  V t = xPlus(c, xQuotient(c, xNum(c, size, 16), size), -1);
  V beyond = one ? X_POLYNOMIAL(c, t, far1) : X_POLYNOMIAL(c, t, far0);
  beyond = xQuotient(c, beyond, xRoot(c, size));
  // In two halves, as the exponential overflows before its product does.
  V power = xMath(c, "math.exp", half);
  beyond = xMul(c, xMul(c, power, beyond), power);
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY), isNear = xIs(c, EXTERN_OLE, size, 8);
  V value = xPick(c, isNear, near, xPick(c, infinite, size, beyond));
  return one ? xOp(c, "math.copysign", value, c->in[0]) : value;
}
static V besselIZero(const ExternCall *c) { return besselI(c, false); }
static V besselIOne(const ExternCall *c) { return besselI(c, true); }

//===- the error function -------------------------------------------------===//

/// 1/2 + x p(x^2) up to 1; beyond e^(-x^2 / 2) h(t) / (a + 2), a = |x|, t = (a - 2) / (a + 2), and
/// 1 less that. Of f32, in f32: p and h were fitted to 2^-26 of the result and 2^-25.
static V narrowNormalCdf(const ExternCall *c) {
  static const double near[] = {9.24939013e-05, -0.00116542424, 0.00996423885, -0.0664887577,
                                0.398942202},
                      far[] = {0.000542300055, 0.00109879533,   -0.00196478819,
                               -0.00675913459, -0.000471360603, 0.0367187932,
                               0.0287982225,   -0.331404418,    0.672407985};
  V x = c->in[0], one = xNum(c, x, 1), square = xMul(c, x, x);
  V middle = xFma(c, x, X_POLYNOMIAL(c, square, near), xNum(c, x, .5));
  V a = xOp(c, "arith.minimumf", xMath(c, "math.absf", x), xNum(c, x, 14.5));
  V sum = xPlus(c, a, 2), inverse = xQuotient(c, one, sum);
  // What a + 2 loses of a would be up to two units of the result.
  V missing = xSub(c, xPlus(c, sum, -2), a);
  V part = xMul(c, inverse, missing);
  V t = xFma(c, xFma(c, part, inverse, inverse), xNum(c, x, -4), one);
  V twice = xMul(c, a, a), lost = xFma(c, a, a, xScale(c, twice, -1));
  V power = xMath(c, "math.exp", xScale(c, twice, -.5));
  V tail = xMul(c, power, xQuotient(c, X_POLYNOMIAL(c, t, far), sum));
  tail = xFma(c, tail, xFma(c, lost, xNum(c, x, -.5), part), tail);
  tail = xPick(c, xIs(c, EXTERN_OGT, x, 0), xSub(c, one, tail), tail);
  return xPick(c, xIs(c, EXTERN_OLT, a, 1), middle, tail);
}

/// erfc of y = -x / sqrt 2, which deep in the tail falls by 2 y of itself for what rounding takes
/// of y.
static V normalCdf(const ExternCall *c) {
  static const double lower = -4.8336466567264567e-17; // of 1 / sqrt 2
  V x = c->in[0], y = xScale(c, x, -M_SQRT1_2);
  V value = xScale(c, xMath(c, "math.erfc", y), .5);
  V lost = xFma(c, x, xNum(c, x, -M_SQRT1_2), xScale(c, y, -1));
  lost = xFma(c, x, xNum(c, x, -lower), lost);
  V exact = xFma(c, value, xMul(c, xScale(c, y, -2), lost), value);
  // Of infinities nothing that is a number is lost, and near 0 nothing that counts.
  V isTail = xOp(c, "arith.andi", xIs(c, EXTERN_OGT, y, 1), xIs(c, EXTERN_OLT, y, 40));
  return xPick(c, isTail, exact, value);
}

/// e^(x^2), of x^2 in two parts.
static V powerOfSquare(const ExternCall *c, V x) {
  V square = xMul(c, x, x), lost = xFma(c, x, x, xScale(c, square, -1));
  V power = xMath(c, "math.exp", square), whole = xFma(c, power, lost, power);
  // Where the power is infinite, what is lost may be anything.
  return xPick(c, xIs(c, EXTERN_OEQ, power, INFINITY), power, whole);
}

/// 2^-8 where `size` is beyond `end`, else 1: a chip's reciprocal of a number that is nearly the
/// greatest is 0. So far out the result is a part of 1 / size to the last bit, and takes the
/// factor.
static V farFactor(const ExternCall *c, V size, double end) {
  return xPick(c, xIs(c, EXTERN_OGT, size, end), xNum(c, size, 0x1p-8), xNum(c, size, 1));
}

/// Of f32, in f32.
static V narrowScaledErfc(const ExternCall *c) {
  static const double terms[] = {0.000114208175, -0.000248436729, -0.000709132815, 0.00508226966,
                                 -0.0162303913,  0.0371404588,    -0.066319041,    0.0937402025,
                                 -0.101040944,   0.0680961758,    0.0153797688,    -0.139621094,
                                 1.23299515};
  static const double near[] = {0.0715499073, -0.246126607, 0.483032912,
                                -0.74948597,  0.99978745,   -1.12837362};
  V x = c->in[0], size = xMath(c, "math.absf", x), factor = farFactor(c, size, 0x1p100);
  size = xMul(c, size, factor);
  V t = xQuotient(c, xPlus(c, size, -4), xPlus(c, size, 4));
  V value = xQuotient(c, xScale(c, X_POLYNOMIAL(c, t, terms), .5), xPlus(c, size, .5));
  value = xMul(c, value, factor);
  value = xPick(c, xIs(c, EXTERN_OEQ, size, INFINITY), xNum(c, x, 0), value);
  // What size + 4 loses of `size` would be four units of the result.
  V first = xFma(c, size, X_POLYNOMIAL(c, size, near), xNum(c, x, 1));
  value = xPick(c, xIs(c, EXTERN_OLT, size, .5), first, value);
  V mirrored = xSub(c, xScale(c, powerOfSquare(c, x), 2), value);
  return xPick(c, xIs(c, EXTERN_OLT, x, 0), mirrored, value);
}

static V scaledErfc(const ExternCall *c) {
  static const double terms[] = {
      -1.791502752209178e-10,  -7.652918351368929e-11,  2.282283310732059e-09,
      7.054882560385151e-10,   -1.8096905734635933e-08, -2.762829273945234e-10,
      1.2678363974294932e-07,  -7.440134079315679e-08,  -8.477202827598295e-07,
      1.4235437808888834e-06,  4.6949536005148395e-06,  -1.8860655174390427e-05,
      -3.6352864144616853e-06, 0.00017681276781310884,  -0.0004550526714402559,
      -0.0002809588591250074,  0.00611205565561393,     -0.02637005334070314,
      0.0763815149091835,      -0.17401093723993213,    0.33085158787802266,
      -0.5408538313132345,     0.7732087022652369,      -0.976548729080882,
      1.095995661000491};
  V x = c->in[0], size = xMath(c, "math.absf", x), factor = farFactor(c, size, 0x1p1000);
  size = xMul(c, size, factor);
  V sum = xPlus(c, size, 4), t = xQuotient(c, xPlus(c, sum, -8), sum);
  V value = xMul(c, xQuotient(c, X_POLYNOMIAL(c, t, terms), sum), factor);
  // What the sum loses of `size`, times the slope, 2 x erfcx(x) - 2 / sqrt(pi). Far out nothing is
  // left of it.
  V slope = xFma(c, size, xAdd(c, value, value), xNum(c, x, -M_2_SQRTPI));
  V exact = xFma(c, xSub(c, size, xPlus(c, sum, -4)), slope, value);
  value = xPick(c, xIs(c, EXTERN_OLT, size, 16), exact, value);
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY), zero = xNum(c, x, 0);
  value = xPick(c, infinite, zero, value);
  V mirrored = xSub(c, xScale(c, powerOfSquare(c, x), 2), value);
  return xPick(c, xIs(c, EXTERN_OLT, x, 0), mirrored, value);
}

const ExternRule externNarrow[] = {{"j0", 1, externNarrowJZero},
                                   {"j1", 1, externNarrowJOne},
                                   {"y0", 1, externNarrowYZero},
                                   {"y1", 1, externNarrowYOne},
                                   {"cyl_bessel_i0", 1, externNarrowIZero},
                                   {"cyl_bessel_i1", 1, externNarrowIOne},
                                   {"erfinv", 1, externNarrowErfInverse},
                                   {"erfcinv", 1, externNarrowErfcInverse},
                                   {"normcdfinv", 1, externNarrowNormalInverse},
                                   {"erfcx", 1, narrowScaledErfc},
                                   {"lgamma", 1, externNarrowLogGamma},
                                   {"tgamma", 1, externNarrowGamma},
                                   {"normcdf", 1, narrowNormalCdf},
                                   {NULL, 0, NULL}};

const ExternRule externSpecials[] = {{"j0", 1, besselJZero},
                                     {"j1", 1, besselJOne},
                                     {"y0", 1, besselYZero},
                                     {"y1", 1, besselYOne},
                                     {"cyl_bessel_i0", 1, besselIZero},
                                     {"cyl_bessel_i1", 1, besselIOne},
                                     {"lgamma", 1, externLogGamma},
                                     {"tgamma", 1, externGamma},
                                     {"erfinv", 1, externErfInverse},
                                     {"erfcinv", 1, externErfcInverse},
                                     {"normcdfinv", 1, externNormalInverse},
                                     {"erfcx", 1, scaledErfc},
                                     {"normcdf", 1, normalCdf},
                                     {NULL, 0, NULL}};
