//===- Functions.c - what functions should give ---------------------------===//
//
// Of the C library in a wider type, or made of its functions there.
//===----------------------------------------------------------------------===//
#include "Ulp.h"
#include <math.h>

static Wide rsqrtWide(Wide x) { return 1 / sqrtl(x); }
static double rsqrtNarrow(double x) { return 1 / sqrt(x); }

static Wide sigmoidWide(Wide x) { return 1 / (1 + expl(-x)); }
static double sigmoidNarrow(double x) { return 1 / (1 + exp(-x)); }

// The third number: another one, or what leaves nothing of the product but its rounding error,
// which only a fused operation has.
static Wide fmaWide(Wide x, Wide y) {
  double p = (double)x, q = (double)y;
  return fmal(x, y, p < 0 ? q : -(p * q));
}
static double fmaNarrow(double x, double y) { return fma(x, y, x < 0 ? y : -(float)(x * y)); }

static Wide maximumWide(Wide x, Wide y) { return isunordered(x, y) ? (Wide)NAN : fmaxl(x, y); }
static Wide minimumWide(Wide x, Wide y) { return isunordered(x, y) ? (Wide)NAN : fminl(x, y); }
static double maximumNarrow(double x, double y) { return isunordered(x, y) ? NAN : fmax(x, y); }
static double minimumNarrow(double x, double y) { return isunordered(x, y) ? NAN : fmin(x, y); }

//===- of libdevice -------------------------------------------------------===//

static Wide sinpiWide(Wide x) {
  Wide rest = x - 2 * rintl(x / 2); // exact, as what follows is
  if (fabsl(rest) > .5L) rest = copysignl(1, rest) - rest;
  return isinf(x) ? (Wide)NAN : sinl(3.14159265358979323851L * rest);
}
static Wide cospiWide(Wide x) { return sinpiWide(.5L - fabsl(x - 2 * rintl(x / 2))); }
static Wide rcbrtWide(Wide x) { return 1 / cbrtl(x); }
static Wide exp10Wide(Wide x) { return exp10l(x); }
static Wide lgammaWide(Wide x) {
  int sign;
  return lgammal_r(x, &sign);
}
static Wide tgammaWide(Wide x) { return x == 0 ? copysignl(INFINITY, x) : tgammal(x); }
static Wide normcdfWide(Wide x) { return .5L * erfcl(-x * 0.70710678118654752440L); }

/// e^(x^2) erfc x, by its series of 1 / x far out (Abramowitz and Stegun, 7.1.23).
static Wide erfcxWide(Wide x) {
  if (x < 50) return expl(x * x) * erfcl(x);
  Wide t = 1 / (2 * x * x);
  return 0.56418958354775628695L / x *
         (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t * (1 - 11 * t))))));
}

/// Newton's steps, and what the second derivative gives, from where erfc is about `tail` <= 1; near
/// 1 by erf, as 1 - tail is exact there.
static Wide erfcInverseOf(Wide tail) {
  if (!(tail >= 0)) return NAN;
  if (tail == 0) return INFINITY;
  Wide depth = -logl(tail), y = (1 - tail) * .886L;
  if (tail < .1L) y = sqrtl(depth - .5L * logl(3.14159265358979L * depth));
  for (int i = 0; i < 40; ++i) {
    Wide off = tail > .5L ? 1 - tail - erfl(y) : erfcl(y) - tail;
    Wide step = off / (1.12837916709551257390L * expl(-y * y));
    y += step * (1 + y * step);
    if (fabsl(step) <= 1e-19L * fabsl(y)) break;
  }
  return y;
}
static Wide erfcinvWide(Wide x) { return x <= 1 ? erfcInverseOf(x) : -erfcInverseOf(2 - x); }
static Wide erfinvWide(Wide x) {
  if (fabsl(x) > .25L) return copysignl(erfcInverseOf(1 - fabsl(x)), x);
  Wide y = .886226925452758L * x; // 1 - x loses too much of x
  for (int i = 0; i < 4; ++i) y += (x - erfl(y)) / (1.12837916709551257390L * expl(-y * y));
  return y;
}
static Wide normcdfinvWide(Wide x) {
  Wide y = x <= .5L ? -erfcInverseOf(2 * x) : erfcInverseOf(2 - 2 * x);
  return 1.41421356237309504880L * y;
}

/// The series in x^2 / 4, whose terms have one sign.
static Wide besselI(Wide x, int order) {
  Wide square = x * x / 4, term = order ? x / 2 : 1, sum = 0;
  if (fabsl(x) > 800) return order && x < 0 ? -INFINITY : (Wide)INFINITY;
  for (int k = 1; fabsl(term) > 1e-21L * fabsl(sum); ++k) {
    sum += term;
    term *= square / ((Wide)k * (k + order));
  }
  return isnan(x) ? x : order && x == 0 ? x : sum;
}
static Wide cyl_bessel_i0Wide(Wide x) { return besselI(x, 0); }
static Wide cyl_bessel_i1Wide(Wide x) { return besselI(x, 1); }
static Wide j0Wide(Wide x) { return j0l(x); }
static Wide j1Wide(Wide x) { return j1l(x); }
static Wide y0Wide(Wide x) { return x < 0 ? (Wide)NAN : y0l(x); }
static Wide y1Wide(Wide x) { return x < 0 ? (Wide)NAN : y1l(x); }

/// Of Bessel functions: from 8 on, and in f64 everywhere, errors are absolute, as CUDA's are
/// promised.
static double swing(double x, bool wide) { return !wide && fabs(x) <= 8 ? 0 : 1; }
/// Of lgamma where it goes through 0 between poles: it is a logarithm less lgamma(-x) there, whose
/// rounding is left where the two cancel. CUDA promises nothing there.
static double aroundZeros(double x, bool wide) {
  (void)wide;
  return x < -2 && x > -12 ? fmax(1, lgamma(-x)) : 0;
}

static Wide rhypotWide(Wide x, Wide y) { return 1 / hypotl(x, y); }
static double rhypotNarrow(double x, double y) { return 1 / hypot(x, y); }

#define NARROW(name)                                                                               \
  static double name##Narrow(double x) { return (double)name##Wide(x); }
NARROW(sinpi)
NARROW(cospi)
NARROW(rcbrt)
NARROW(exp10)
NARROW(lgamma)
NARROW(tgamma)
NARROW(normcdf)
NARROW(erfcx)
NARROW(erfcinv)
NARROW(erfinv)
NARROW(normcdfinv)
NARROW(cyl_bessel_i0)
NARROW(cyl_bessel_i1)
NARROW(j0)
NARROW(j1)
NARROW(y0)
NARROW(y1)
#undef NARROW

//===- the table -----------------------------------------------------------===//
const UlpFunction ulpFunctions[] = {
#define ONE(name, ...) {"math." #name, name, name##l, NULL, NULL, __VA_ARGS__, NULL}
    ONE(exp, 1.5, 3.5, 1.5),
    ONE(exp2, 1.5, 2.5, 1.5),
    ONE(expm1, 2, 2, 2),
    ONE(log, 1.5, 1.5, 1.5),
    ONE(log2, 1.5, 1.5, 1.5),
    ONE(log10, 1.5, 1.5, 1),
    ONE(log1p, 2, 2, 2),
    ONE(sin, 2, 2, 2),
    ONE(cos, 2, 2, 2),
    ONE(tan, 3.5, 4, 3.5),
    ONE(tanh, 3, 3, 3),
    ONE(sinh, 2, 4, 2),
    ONE(cosh, 2, 4, 2),
    ONE(asinh, 2.5, 3, 2.5),
    ONE(acosh, 2.5, 4, 2.5),
    ONE(atanh, 4, 4, 4),
    ONE(atan, 2, 2, 2),
    ONE(asin, 2, 2, 2),
    ONE(acos, 2, 2, 2),
    ONE(cbrt, 1, 1, 1),
    ONE(erf, 2, 2, 2),
    ONE(erfc, 4.5, 4.5, 5),
    ONE(sqrt, 0.5001, 0.5001, 0.501),
    ONE(floor, 0, 0, 0),
    ONE(ceil, 0, 0, 0),
    ONE(round, 0, 0, 0),
    ONE(trunc, 0, 0, 0),
#undef ONE
    {"math.roundeven", rint, rintl, NULL, NULL, 0, 0, 0, NULL},
    {"math.absf", fabs, fabsl, NULL, NULL, 0, 0, 0, NULL},
    {"math.rsqrt", rsqrtNarrow, rsqrtWide, NULL, NULL, 1.5, 2, 1.5, NULL},
    // No op of its own: as kernels write it, see `sigmoid`.
    {"math.sigmoid", sigmoidNarrow, sigmoidWide, NULL, NULL, 2.5, 5, 2.5, NULL},
    // As kernels write it, with the third number of `fused`.
    {"math.fma", NULL, NULL, fmaNarrow, fmaWide, 0.5001, 0.5001, 0.501, NULL},
    // NaN wins in the first two, and loses in the others.
    {"arith.maximumf", NULL, NULL, maximumNarrow, maximumWide, 0, 0, 0, NULL},
    {"arith.minimumf", NULL, NULL, minimumNarrow, minimumWide, 0, 0, 0, NULL},
    {"arith.maxnumf", NULL, NULL, fmax, fmaxl, 0, 0, 0, NULL},
    {"arith.minnumf", NULL, NULL, fmin, fminl, 0, 0, 0, NULL},
    // (Of f32 2.03 where y log x is near 88, which few pairs here are: its logarithm is right to
    // 2^-31.)
    {"math.powf", NULL, NULL, pow, powl, 2.5, 2.5, 1.5, NULL},
    {"math.atan2", NULL, NULL, atan2, atan2l, 2.5, 2.5, 2.5, NULL},
    {"arith.divf", NULL, NULL, NULL, NULL, 0.5001, 0.5001, 0.501, NULL},
#define NV(name, ...) {"nv." #name, name##Narrow, name##Wide, NULL, NULL, __VA_ARGS__}
    NV(sinpi, 2, 2, 2, NULL),
    NV(cospi, 2, 2, 2, NULL),
    NV(exp10, 1.5, 1.5, 2, NULL),
    NV(rcbrt, 1.5, 1.5, 1.5, NULL),
    NV(erfcx, 3, 4, 4, NULL),
    NV(erfinv, 2, 2.5, 4, NULL),
    NV(erfcinv, 3, 4, 4, NULL),
    NV(normcdfinv, 3.1, 4, 5, NULL),
    NV(normcdf, 4, 5, 6, NULL),
    NV(lgamma, 4.5, 6, 4, aroundZeros),
    NV(tgamma, 4.5, 5, 8, NULL),
    NV(cyl_bessel_i0, 6, 6, 5.5, NULL),
    NV(cyl_bessel_i1, 6, 6, 5.5, NULL),
    NV(j0, 7, 9, 9, swing),
    NV(j1, 7, 9, 7, swing),
    NV(y0, 6, 9, 10, swing),
    NV(y1, 6, 9, 7, swing),
#undef NV
    {"nv.hypot", NULL, NULL, hypot, hypotl, 2, 2, 2, NULL},
    {"nv.rhypot", NULL, NULL, rhypotNarrow, rhypotWide, 2, 2, 2, NULL},
};

const size_t numUlpFunctions = sizeof ulpFunctions / sizeof *ulpFunctions;
