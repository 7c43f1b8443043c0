//===- LibdeviceSpecials.c - Bessel, gamma and inverse error functions ----===//
//
// In f64; those of f32 are computed there and rounded once, but for those that f32 itself gives as
// right as libdevice says of its own (externNarrow: erfinv 2 ulp, lgamma, I0 and I1 6), whose
// polynomials were fitted for relative errors below 2e-8 (iterated least squares in 30 digits).
// Chebyshev series were fitted to values of 40 digits (mpmath) and cut where terms fall below 2e-17
// of the largest:
//
//   J0, J1 / x, and what Y0, Y1 are besides their logarithm    x <= 8, in t = x^2 / 32 - 1
//   P and Q x of sqrt(2 / pi x) (P cos - Q sin)                x >= 8, in t = 2 (8 / x)^2 - 1
//   I0, I1 / x by e^-x                                         x <= 8, in t = x / 4 - 1
//   I0, I1 by e^-x sqrt(x)                                     x >= 8, in t = 16 / x - 1
//   erfcx by 1 + 2 x                                           x >= 0, in t = (x - 4) / (x + 4)
//
// (Abramowitz and Stegun, Handbook of Mathematical Functions, 9.1.13, 9.2.5, 9.8 and 7.1.) lgamma
// is Stirling's series at x + 8, less the logarithm of the factors between (6.1.41), tgamma its
// exponential, so that relative errors grow with its logarithm. erfinv begins with M. Giles'
// polynomials ("Approximating the erfinv function", GPU Computing Gems, 2011) and takes two
// steps of Halley's: the polynomials are within 3e-7, and a step cubes that.
//===----------------------------------------------------------------------===//
#include "LibdeviceKit.h"
#include <math.h>

typedef MlirValue V;

static const double besselJ0[] = {
    0.15772797147489012,     -0.0087234423528522211,  0.2651786132033368,
    -0.37009499387264977,    0.15806710233209725,     -0.034893769411408884,
    0.0048191800694676046,   -0.00046062616620627504, 3.2460328821005083e-05,
    -1.7619469077621507e-06, 7.6081635924187821e-08,  -2.6792535305576728e-09,
    7.8486963144794648e-11,  -1.9438346867370164e-12, 4.1253205956343741e-14,
    -7.5885081254475459e-16, 1.2218515873961411e-17};
static const double besselJ1[] = {
    0.081044846325658115,    -0.14897514506765211,    0.16099926235720971,
    -0.08268049176681791,    0.022213639654966037,    -0.0036469406007692759,
    0.0004050337728354822,   -3.2555548668572587e-05, 1.9858774049915165e-06,
    -9.5219847567504361e-08, 3.6871337590971481e-09,  -1.178026622695885e-10,
    3.1601545803480032e-12,  -7.2217552396517734e-14, 1.4232144003513942e-15,
    -2.4441972916190464e-17};
static const double besselY0[] = {
    -0.033146113203284942,   -0.27447430552974528,   0.17903431407718265,
    0.26156734625504663,     -0.17730201278114358,   0.04719668959576339,
    -0.0072879624795520789,  0.0007531135932577742,  -5.6320791410569873e-05,
    3.2065325376548008e-06,  -1.44072332740187e-07,  5.2487947873305158e-09,
    -1.5837552541812015e-10, 4.0263308183061204e-12, -8.7473412033107693e-14,
    1.6434898714919468e-15,  -2.6977881152566837e-17};
static const double besselY1[] = {
    0.0025380132357417816,   -0.016087173047668751,   -0.095912045360830742,
    0.084451972596523456,    -0.028328123944594365,   0.0052898975441671133,
    -0.0006414551451326356,  5.5059828733387439e-05,  -3.5380800186893499e-06,
    1.7707804556154404e-07,  -7.1105500498992796e-09, 2.3443379059115162e-10,
    -6.4651518414115946e-12, 1.51429151205002e-13,    -3.0511859694473254e-15,
    5.3466803857286703e-17};
static const double besselP0[] = {
    0.99946034934751871,     -0.00053652204681321172, 3.0751847875194745e-06,
    -5.1705945376060975e-08, 1.6306464635151382e-09,  -7.8640913772370698e-11,
    5.1682623873491928e-12,  -4.3045788699253914e-13, 4.3265957431549404e-14,
    -5.0690340959352359e-15, 6.7480722157338734e-16,  -1.0011513723467786e-16};
static const double besselQ0[] = {
    -0.12444683684269607,    0.00054708159540893195,  -5.9315987288485175e-06,
    1.4377965798375193e-07,  -5.8175327494930561e-09, 3.3760975237349908e-10,
    -2.5653979367973079e-11, 2.404916100281365e-12,   -2.6690625482579414e-13,
    3.4041800321963686e-14,  -4.8799441053120397e-15, 7.7297031762426054e-16,
    -1.3348852171502517e-16, 2.4865952389390515e-17,  -4.9528926298865157e-18};
static const double besselP1[] = {
    1.0009030408600137,      0.00089898983308594083,  -3.9872843004889084e-06,
    6.1776339606442988e-08,  -1.8718907491063067e-09, 8.8168986595823391e-11,
    -5.7048636403956448e-12, 4.699195515230542e-13,   -4.6842237839904895e-14,
    5.4526748960447171e-15,  -7.2211808422740179e-16, 1.0667689114335412e-16};
static const double besselQ1[] = {
    0.37422229655628259,     -0.00077021788393256637, 7.3108922063643636e-06,
    -1.6767825107266739e-07, 6.5833546621204433e-09,  -3.7490909505415562e-10,
    2.8121750359748866e-11,  -2.61145253946232e-12,   2.8774212663332235e-13,
    -3.6490019160618379e-14, 5.2066263662267069e-15,  -8.2153180254585947e-16,
    1.4141084390211833e-16,  -2.6267615898385291e-17};
static const double besselI0[] = {
    0.33839763720473803,     -0.3046826723431984,     0.17162090152220877,
    -0.094901097048047639,   0.049305284239670712,    -0.023737414805899471,
    0.010546460394594998,    -0.0043243099950505759,  0.0016394756169413357,
    -0.00057637557453858236, 0.00018850288509584165,  -5.754195010082104e-05,
    1.6448448070728896e-05,  -4.4167383584587505e-06, 1.1173875391201037e-06,
    -2.6707938539406119e-07, 6.0469950225419186e-08,  -1.300025009986248e-08,
    2.6598237246823866e-09,  -5.1897956016352627e-10, 9.675809035373237e-11,
    -1.7268262914415559e-11, 2.9550526631296399e-12,  -4.856446783111929e-13,
    7.6761854986049361e-14,  -1.1685332877993451e-14, 1.7153912855551331e-15,
    -2.4312798465479549e-16, 3.3307945188222384e-17};
static const double besselI0Far[] = {
    0.40224520550705439,     0.0033691164782556943,   6.8897583469168245e-05,
    2.8913705208347567e-06,  2.0489185894690638e-07,  2.266668990498178e-08,
    3.3962320257083865e-09,  4.9406023882249701e-10,  1.1889147107846439e-11,
    -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
    7.180124451383666e-13,   3.8527783827421426e-13,  1.54008621752141e-14,
    -4.1505693472872222e-14, -9.5548466988283073e-15, 3.8116806693526224e-15,
    1.7725601330565263e-15,  -3.425485619677219e-16,  -2.8276239805165836e-16,
    3.4612228676974612e-17,  4.4656214202967598e-17};
static const double besselI1[] = {
    0.12629359322181682,     -0.17641651835783406,    0.10264365868984709,
    -0.052945981208094989,   0.024726449030626516,    -0.010564084894626197,
    0.0041564229443128882,   -0.0015135724506312532,  0.00051228595616857576,
    -0.00016176081582589674, 4.7815651075500542e-05,  -1.3273163656039436e-05,
    3.4702513081376785e-06,  -8.5687202646954547e-07, 2.0032947535521353e-07,
    -4.4450591287963281e-08, 9.3815373864957726e-09,  -1.8872497517228294e-09,
    3.6255902815521172e-10,  -6.6634897235020271e-11, 1.1736186298890901e-11,
    -1.9839743977649436e-12, 3.2237933659455748e-13,  -5.0421855047279118e-14,
    7.6006842947354077e-15,  -1.1055969477353862e-15, 1.5536319577362005e-16,
    -2.111421214358166e-17};
static const double besselI1Far[] = {
    0.38928811750914005,     -0.0097610974913614687,  -0.00011058893876262371,
    -3.8825648088776906e-06, -2.5122362378702088e-07, -2.6314688468895196e-08,
    -3.835380385964237e-09,  -5.5897434621965838e-10, -1.8974958123505413e-11,
    3.2526035830154884e-11,  1.4125807436613782e-11,  2.0356285441470896e-12,
    -7.1985517762459084e-13, -4.0835511110921974e-13, -2.1015418427726643e-14,
    4.272440016711951e-14,   1.0420276984128802e-14,  -3.8144030724370075e-15,
    -1.8803547755107825e-15, 3.3082023109209285e-16,  2.9626289976459501e-16,
    -3.2095259219934238e-17, -4.650305368489358e-17};
static const double erfcx[] = {
    1.1774832005374483,      -0.0072607966203025879,  -0.081265123236184941,
    0.060092128041223006,    -0.028753935580275673,   0.010595663363473467,
    -0.0031369272945544137,  0.00074564943725280962,  -0.00013696965030196649,
    1.7183861599785992e-05,  -7.158364620975888e-07,  -2.4261399357562787e-07,
    5.5765710311883492e-08,  -2.1057865388688685e-09, -1.1717892775825961e-09,
    1.9098267674346806e-10,  1.4087862368942068e-11,  -6.9014102384804379e-12,
    9.2112444555770153e-14,  2.1543224852187407e-13,  -1.3936585566113277e-14,
    -6.4831393646236968e-15, 2.3333298680117183e-16,  -6.6340266292426044e-16,
    -7.2379170052066423e-16, -7.407608227912531e-17,  5.9464519687120517e-16,
    8.7005638331045937e-16,  5.9331284622043285e-16,  -5.454094741663179e-17,
    -6.5993868026165695e-16, -8.401499385078601e-16,  -4.8559625043137639e-16,
    1.7327946689690511e-16,  7.1518077297083535e-16,  7.9689667672344168e-16,
    3.7058187115386562e-16,  -2.8813671099238631e-16, -7.5780293020901212e-16,
    -7.4033975580545485e-16, -2.5010479435522102e-16, 3.9705625720612345e-16,
    7.8679081664236271e-16,  6.7109139722216513e-16,  1.2596980623231972e-16,
    -4.9821362371376772e-16, -8.0145757014582208e-16, -5.9001182224328658e-16};

//===- series -------------------------------------------------------------===//

/// Clenshaw's sum of a Chebyshev series.
static V series(const ExternCall *c, V t, const double *terms, size_t count) {
  V twice = xAdd(c, t, t), last = xNum(c, t, 0), sum = last;
  for (size_t i = count; i-- > 1;) {
    V term = xNum(c, t, terms[i]), less = xSub(c, term, last);
    last = sum;
    sum = xFma(c, twice, sum, less);
  }
  V first = xNum(c, t, terms[0]), less = xSub(c, first, last);
  return xFma(c, t, sum, less);
}
#define SERIES(c, t, terms) series(c, t, terms, sizeof(terms) / sizeof *(terms))

/// The same of a series whose sum is .1 at least: f32 sees nothing of terms below 2e-10.
static V positiveSeries(const ExternCall *c, V t, const double *terms, size_t count) {
  while (c->isNarrow && fabs(terms[count - 1]) < 2e-10) --count;
  return series(c, t, terms, count);
}
#define POSITIVE_SERIES(c, t, terms) positiveSeries(c, t, terms, sizeof(terms) / sizeof *(terms))

/// a[0] x^(n-1) + .. + a[n-1].
static V polynomial(const ExternCall *c, V x, const double *a, size_t count) {
  V sum = xNum(c, x, a[0]);
  for (size_t i = 1; i < count; ++i) {
    V next = xNum(c, x, a[i]);
    sum = xFma(c, sum, x, next);
  }
  return sum;
}

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
  V p = one ? SERIES(c, t, besselP1) : SERIES(c, t, besselP0);
  V q = one ? SERIES(c, t, besselQ1) : SERIES(c, t, besselQ0);
  return far(c, x, p, q, first, one);
}

static V besselJ(const ExternCall *c, bool one) {
  V size = xMath(c, "math.absf", c->in[0]);
  V t = nearArgument(c, size);
  V near = one ? SERIES(c, t, besselJ1) : SERIES(c, t, besselJ0);
  if (one) near = xMul(c, near, size);
  V beyond = besselFar(c, size, one, true);
  V isNear = xIs(c, EXTERN_OLE, size, 8), infinite = xIs(c, EXTERN_OEQ, size, INFINITY);
  V value = xPick(c, isNear, near, beyond), zero = xNum(c, size, 0);
  value = xPick(c, infinite, zero, value);
  if (!one) return value;
  V negative = xScale(c, value, -1), below = xIs(c, EXTERN_OLT, c->in[0], 0);
  return xPick(c, below, negative, value);
}
static V besselJZero(const ExternCall *c) { return besselJ(c, false); }
static V besselJOne(const ExternCall *c) { return besselJ(c, true); }

/// 2/pi (ln(x) J - [1/x]) and a series; NaN below 0, minus infinity at 0.
static V besselY(const ExternCall *c, bool one) {
  V x = c->in[0], t = nearArgument(c, x), log = xMath(c, "math.log", x);
  V j = one ? SERIES(c, t, besselJ1) : SERIES(c, t, besselJ0);
  if (one) j = xMul(c, j, x);
  V part = xMul(c, log, j);
  if (one) part = xSub(c, part, xOver(c, 1, x));
  V rest = one ? SERIES(c, t, besselY1) : SERIES(c, t, besselY0);
  if (one) rest = xMul(c, rest, x);
  V near = xAdd(c, xScale(c, part, M_2_PI), rest);
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

static V besselI(const ExternCall *c, bool one) {
  V size = xMath(c, "math.absf", c->in[0]);
  V sixteen = xNum(c, size, 16), far = xPlus(c, xQuotient(c, sixteen, size), -1);
  V t = xPlus(c, xScale(c, size, .25), -1);
  V near = one ? POSITIVE_SERIES(c, t, besselI1) : POSITIVE_SERIES(c, t, besselI0);
  if (one) near = xMul(c, near, size);
  V beyond = one ? POSITIVE_SERIES(c, far, besselI1Far) : POSITIVE_SERIES(c, far, besselI0Far);
  beyond = xQuotient(c, beyond, xRoot(c, size));
  V isNear = xIs(c, EXTERN_OLE, size, 8), value = xPick(c, isNear, near, beyond);
  // In two halves, as the exponential overflows before its product does.
  V half = xMath(c, "math.exp", xScale(c, size, .5));
  value = xMul(c, xMul(c, half, value), half);
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY);
  value = xPick(c, infinite, size, value);
  if (!one) return value;
  V negative = xScale(c, value, -1), below = xIs(c, EXTERN_OLT, c->in[0], 0);
  return xPick(c, below, negative, value);
}
static V besselIZero(const ExternCall *c) { return besselI(c, false); }
static V besselIOne(const ExternCall *c) { return besselI(c, true); }

/// Of f32, in f32, where all terms have one sign: up to 8 of x^2 / 4, beyond of 1 / x, times
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
  V near = polynomial(c, xMul(c, half, half), one ? near1 : near0, 10);
  if (one) near = xMul(c, near, size);
  V power = xMath(c, "math.exp", half);
  V inverse = xOver(c, 1, size);
  V beyond = polynomial(c, inverse, one ? far1 : far0, 6);
  beyond = xMul(c, beyond, xMath(c, "math.rsqrt", size));
  // In two halves, as the exponential overflows before its product does.
  beyond = xMul(c, xMul(c, power, beyond), power);
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY), isNear = xIs(c, EXTERN_OLE, size, 8);
  V value = xPick(c, isNear, near, xPick(c, infinite, size, beyond));
  return one ? xOp(c, "math.copysign", value, x) : value;
}
static V narrowBesselIZero(const ExternCall *c) { return narrowBesselI(c, false); }
static V narrowBesselIOne(const ExternCall *c) { return narrowBesselI(c, true); }

//===- gamma --------------------------------------------------------------===//

static const double log2pi = 1.8378770664093454836;

/// ln of gamma(x), x > 0.
static V logGammaAbove(const ExternCall *c, V x) {
  static const double stirling[] = {1. / 156,  -691. / 360360, 1. / 1188, -1. / 1680,
                                    1. / 1260, -1. / 360,      1. / 12};
  V product = x;
  for (int i = 1; i < 8; ++i) product = xMul(c, product, xPlus(c, x, i));
  // Where the product overflows nothing is gained by it.
  V isLarge = xIs(c, EXTERN_OGT, x, 1e3), one = xNum(c, x, 1), shifted = xPlus(c, x, 8);
  V z = xPick(c, isLarge, x, shifted), factors = xPick(c, isLarge, one, product);
  V inverse = xQuotient(c, one, z), square = xMul(c, inverse, inverse);
  V tail = xMul(c, polynomial(c, square, stirling, 7), inverse);
  V main = xMul(c, xPlus(c, z, -.5), xMath(c, "math.log", z));
  V sum = xPlus(c, xSub(c, main, z), .5 * log(2 * M_PI));
  sum = xAdd(c, sum, tail);
  V value = xSub(c, sum, xMath(c, "math.log", factors));
  V infinite = xIs(c, EXTERN_OEQ, x, INFINITY);
  return xPick(c, infinite, x, value);
}

/// gamma(x) gamma(1 - x) = pi / sin(pi x).
static V logGamma(const ExternCall *c) {
  V x = c->in[0], size = xMath(c, "math.absf", x), mirrored = xPlus(c, xScale(c, x, -1), 1);
  V isBelow = xIs(c, EXTERN_OLT, x, .5), at = xPick(c, isBelow, mirrored, x);
  V above = logGammaAbove(c, at);
  V sine = xMath(c, "math.absf", externTurn(c, x, false));
  V log = xMath(c, "math.log", xOver(c, M_PI, sine));
  V below = xSub(c, log, above), value = xPick(c, isBelow, below, above);
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY);
  return xPick(c, infinite, size, value);
}

/// Of f32, in f32, a >= 0: t p(t) from 1 and from 2, where it is 0, p(t) up to 8, then Stirling's
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
  V low = xMul(c, t, polynomial(c, t, one, 13)), next = xMul(c, u, polynomial(c, u, two, 10));
  V high = polynomial(c, xPlus(c, a, -5.5), middle, 11);
  V inverse = xOver(c, 1, a), square = xMul(c, inverse, inverse);
  V rest = xFma(c, polynomial(c, square, stirling, 3), inverse, xNum(c, a, .5 * log2pi - .5));
  V far = xFma(c, xPlus(c, a, -.5), xPlus(c, log, -1), rest);
  V value = xPick(c, xIs(c, EXTERN_OLT, a, 8), high, far);
  value = xPick(c, xIs(c, EXTERN_OLT, a, 3), next, value);
  value = xPick(c, xIs(c, EXTERN_OLT, a, 1.5), low, value);
  return xPick(c, isSmall, xSub(c, value, log), value);
}

/// gamma(-a) gamma(a) = -pi / (a sin(pi a)).
static V narrowLogGamma(const ExternCall *c) {
  V x = c->in[0], a = xMath(c, "math.absf", x), above = narrowLogGammaAbove(c, a);
  V sine = xMath(c, "math.absf", externTurn(c, a, false));
  V below = xSub(c, xMath(c, "math.log", xOver(c, M_PI, xMul(c, a, sine))), above);
  V value = xPick(c, xIs(c, EXTERN_OLT, x, 0), below, above);
  return xPick(c, xIs(c, EXTERN_OEQ, a, INFINITY), a, value);
}

static V gammaOf(const ExternCall *c) {
  V x = c->in[0], mirrored = xPlus(c, xScale(c, x, -1), 1);
  V isBelow = xIs(c, EXTERN_OLT, x, .5), at = xPick(c, isBelow, mirrored, x);
  V above = xMath(c, "math.exp", logGammaAbove(c, at));
  V sine = externTurn(c, x, false);
  V below = xOver(c, M_PI, xMul(c, sine, above)), value = xPick(c, isBelow, below, above);
  // Poles, of which that at 0 has a sign.
  V floor = xMath(c, "math.floor", x), whole = xTest(c, EXTERN_OEQ, floor, x);
  V negative = xIs(c, EXTERN_OLT, x, 0), pole = xOp(c, "arith.andi", whole, negative);
  V nan = xNum(c, x, NAN);
  value = xPick(c, pole, nan, value);
  V isZero = xIs(c, EXTERN_OEQ, x, 0);
  return xPick(c, isZero, xOver(c, 1, x), value);
}

//===- the error function -------------------------------------------------===//

/// Close to where erf is `x`, of -ln(1 - x^2): within 3e-7 of the value for w up to 16.
static V nearInverseError(const ExternCall *c, V x, V w) {
  static const double near[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                -4.39150654e-06, .00021858087,   -.00125372503,
                                -.00417768164,   .246640727,     1.50140941},
                      far[] = {-.000200214257, .000100950558, .00134934322,
                               -.00367342844,  .00573950773,  -.0076224613,
                               .00943887047,   1.00167406,    2.83297682};
  V small = polynomial(c, xPlus(c, w, -2.5), near, 9);
  V large = polynomial(c, xPlus(c, xMath(c, "math.sqrt", w), -3), far, 9);
  V isSmall = xIs(c, EXTERN_OLT, w, 5);
  return xMul(c, xPick(c, isSmall, small, large), x);
}

/// A step of Halley's from `y`, whose error function is off by `error`. Of f32 no slope is below
/// 2^-160.
static V stepTowards(const ExternCall *c, V y, V error) {
  V square = xMul(c, y, y), slope = xMath(c, "math.exp", xScale(c, square, -1));
  slope = xScale(c, slope, M_2_SQRTPI);
  V step = c->isNarrow ? xQuotient(c, error, slope) : xDiv(c, error, slope);
  V curve = xPlus(c, xMul(c, y, step), 1);
  return xSub(c, y, xQuotient(c, step, curve));
}

/// Where erfc is `tail`, and erf `x` = 1 - tail, both at least 0: the one of both that is exact is
/// used. Twice, as the first guess of deep tails is within 4e-3, which a step cubes; of f32 once,
/// and by erfc alone, which near 1 is within 1e-16 of what is 6e-8 at least.
static V inverseError(const ExternCall *c, V x, V tail) {
  V other = xPlus(c, xScale(c, tail, -1), 2), product = xMul(c, tail, other);
  V w = xScale(c, xMath(c, "math.log", product), -1), y = nearInverseError(c, x, w);
  // Deep in the tail y^2 is about L - ln(pi L) / 2, L = -ln(tail).
  V depth = xPlus(c, w, M_LN2), log = xMath(c, "math.log", xScale(c, depth, M_PI));
  V deep = xRoot(c, xSub(c, depth, xScale(c, log, .5)));
  y = xPick(c, xIs(c, EXTERN_OGT, w, 15), deep, y);
  V isTail = xIs(c, EXTERN_OGT, x, .5);
  for (int i = 0; i < (c->isNarrow ? 1 : 2); ++i) {
    V error = xSub(c, tail, xMath(c, "math.erfc", y));
    if (!c->isNarrow) error = xPick(c, isTail, error, xSub(c, xMath(c, "math.erf", y), x));
    y = stepTowards(c, y, error);
  }
  V infinity = xNum(c, x, INFINITY), isEnd = xIs(c, EXTERN_OEQ, tail, 0);
  return xPick(c, isEnd, infinity, y);
}
/// Of f32, in f32: f(w) x, w = -ln(1 - x^2). What rounding the last sum of f loses is added to its
/// product with x.
static V narrowErfInverse(const ExternCall *c) {
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
  V isNear = xIs(c, EXTERN_OLT, w, 5), root = xPlus(c, xMath(c, "math.sqrt", w), -3);
  V t = xPick(c, isNear, w, root);
  V slope = xPick(c, isNear, polynomial(c, w, near, 9), polynomial(c, root, far, 9));
  V first = xPick(c, isNear, xNum(c, x, 0.88622695), xNum(c, x, 2.8329768));
  V rest = xPick(c, isNear, xNum(c, x, -2.66232e-08), xNum(c, x, -1.2390611e-08));
  V high = xFma(c, slope, t, first), low = xAdd(c, xFma(c, slope, t, xSub(c, first, high)), rest);
  V y = xFma(c, x, high, xMul(c, x, low));
  V end = xNum(c, x, INFINITY), isEnd = xIs(c, EXTERN_OEQ, xMath(c, "math.absf", x), 1);
  return xOp(c, "math.copysign", xPick(c, isEnd, end, y), x);
}
static V erfInverse(const ExternCall *c) {
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
static V erfcInverse(const ExternCall *c) { return erfcInverseOf(c, c->in[0]); }
static V normalInverse(const ExternCall *c) {
  V y = erfcInverseOf(c, xScale(c, c->in[0], 2));
  return xScale(c, y, -M_SQRT2);
}

static V normalCdf(const ExternCall *c) {
  V half = xMath(c, "math.erfc", xScale(c, c->in[0], -M_SQRT1_2));
  return xScale(c, half, .5);
}

static V scaledErfc(const ExternCall *c) {
  V x = c->in[0], size = xMath(c, "math.absf", x), less = xPlus(c, size, -4);
  V t = xQuotient(c, less, xPlus(c, size, 4));
  V value = xQuotient(c, POSITIVE_SERIES(c, t, erfcx), xPlus(c, xScale(c, size, 2), 1));
  V infinite = xIs(c, EXTERN_OEQ, size, INFINITY), zero = xNum(c, x, 0);
  value = xPick(c, infinite, zero, value);
  V square = xMul(c, x, x), twice = xScale(c, xMath(c, "math.exp", square), 2);
  V mirrored = xSub(c, twice, value), below = xIs(c, EXTERN_OLT, x, 0);
  return xPick(c, below, mirrored, value);
}

const ExternRule externNarrow[] = {{"cyl_bessel_i0", 1, narrowBesselIZero},
                                   {"cyl_bessel_i1", 1, narrowBesselIOne},
                                   {"erfinv", 1, narrowErfInverse},
                                   {"lgamma", 1, narrowLogGamma},
                                   {NULL, 0, NULL}};

const ExternRule externSpecials[] = {{"j0", 1, besselJZero},
                                     {"j1", 1, besselJOne},
                                     {"y0", 1, besselYZero},
                                     {"y1", 1, besselYOne},
                                     {"cyl_bessel_i0", 1, besselIZero},
                                     {"cyl_bessel_i1", 1, besselIOne},
                                     {"lgamma", 1, logGamma},
                                     {"tgamma", 1, gammaOf},
                                     {"erfinv", 1, erfInverse},
                                     {"erfcinv", 1, erfcInverse},
                                     {"normcdfinv", 1, normalInverse},
                                     {"erfcx", 1, scaledErfc},
                                     {"normcdf", 1, normalCdf},
                                     {NULL, 0, NULL}};
