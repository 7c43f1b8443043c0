//===- Numbers.c - PTX's number formats, conversions and functions --------===//
//
// Sources: see Numbers.h.
//===----------------------------------------------------------------------===//
#include "Numbers.h"
#include <fenv.h>
#include <math.h>

/// A format: its exponent's and mantissa's bits, the exponent's bias, the code of the largest
/// finite magnitude and of a NaN (that of the largest for formats without), and whether it has
/// infinities, whose code is then one above the largest finite one.
typedef struct Shape {
  const char *name;
  int exponent, mantissa, bias, bits;
  uint64_t largest, nan;
  bool hasInfinity, hasNan;
} Shape;

static const Shape shapes[PTX_FORMATS] = {
    [PTX_F64] = {"f64", 11, 52, 1023, 64, 0x7fefffffffffffff, 0x7fffffffffffffff, true, true},
    [PTX_F32] = {"f32", 8, 23, 127, 32, 0x7f7fffff, 0x7fffffff, true, true},
    [PTX_TF32] = {"tf32", 8, 10, 127, 32, 0x3fbff, 0x3ffff, true, true},
    [PTX_F16] = {"f16", 5, 10, 15, 16, 0x7bff, 0x7fff, true, true},
    [PTX_BF16] = {"bf16", 8, 7, 127, 16, 0x7f7f, 0x7fff, true, true},
    [PTX_E4M3] = {"e4m3", 4, 3, 7, 8, 0x7e, 0x7f, false, true},
    [PTX_E5M2] = {"e5m2", 5, 2, 15, 8, 0x7b, 0x7f, true, true},
    [PTX_E2M3] = {"e2m3", 2, 3, 1, 6, 0x1f, 0x1f, false, false},
    [PTX_E3M2] = {"e3m2", 3, 2, 3, 6, 0x1f, 0x1f, false, false},
    [PTX_E2M1] = {"e2m1", 2, 1, 1, 4, 0x7, 0x7, false, false},
    [PTX_UE8M0] = {"ue8m0", 8, 0, 127, 8, 0xfe, 0xff, false, true},
};

int ptxFormatGetBits(PtxFormat format) { return shapes[format].bits; }

PtxFormat ptxFormatByName(const char *name, size_t length) {
  for (int i = 0; i < PTX_FORMATS; ++i)
    if (strlen(shapes[i].name) == length && !strncmp(shapes[i].name, name, length))
      return (PtxFormat)i;
  return PTX_FORMATS;
}

static double decodeShape(const Shape *shape, uint64_t bits) {
  const uint64_t low = (UINT64_C(1) << shape->mantissa) - 1;
  const uint64_t sign = bits >> (shape->exponent + shape->mantissa) & 1;
  const uint64_t magnitude = bits & ((UINT64_C(1) << (shape->exponent + shape->mantissa)) - 1);
  double value;
  if (magnitude > shape->largest)
    value = shape->hasInfinity && magnitude == shape->largest + 1 ? INFINITY : NAN;
  else if (magnitude > low)
    value = ldexp((double)((magnitude & low) | (low + 1)),
                  (int)(magnitude >> shape->mantissa) - shape->bias - shape->mantissa);
  else
    value = ldexp((double)magnitude, 1 - shape->bias - shape->mantissa);
  return sign ? -value : value;
}

double ptxDecode(PtxFormat format, uint64_t bits) {
  double value;
  switch (format) {
  case PTX_F64:
    memcpy(&value, &bits, sizeof value);
    return value;
  case PTX_F32:
    return ptxBitsToF32((uint32_t)bits);
  case PTX_TF32:
    return ptxBitsToF32((uint32_t)bits & 0xffffe000u);
  case PTX_F16:
    return ptxF16ToF32((uint16_t)bits);
  case PTX_BF16:
    return ptxBf16ToF32((uint16_t)bits);
  case PTX_UE8M0: // neither sign nor subnormals
    return (bits & 0xff) == 0xff ? NAN : ldexp(1, (int)(bits & 0xff) - 127);
  default:
    return decodeShape(&shapes[format], bits);
  }
}

/// Whether a magnitude goes up whose rest beyond what is kept compares so with a half.
static bool goesUp(PtxRounding rounding, bool negative, bool isOdd, bool isExact, int toHalf) {
  switch (rounding) {
  case PTX_RN:
    return toHalf > 0 || (toHalf == 0 && isOdd);
  case PTX_RNA:
    return toHalf >= 0;
  case PTX_RZ:
    return false;
  case PTX_RM:
    return negative && !isExact;
  case PTX_RP:
    return !negative && !isExact;
  }
  return false;
}

/// The code of +-significand * 2^(exponent - 63), whose significand has its highest bit set.
static uint64_t encodeParts(const Shape *shape, bool negative, uint64_t significand, int exponent,
                            PtxRounding rounding, bool finite) {
  // The smallest exponent, at which subnormals are counted too. UE8M0 has none of them.
  const int least = (shape->mantissa ? 1 : 0) - shape->bias;
  const int at = exponent > least ? exponent : least;
  // Bits of the significand below the result's last place.
  const int64_t shift = (int64_t)at - shape->mantissa - exponent + 63;
  uint64_t kept = shift < 64 ? significand >> shift : 0;
  uint64_t rest = shift < 64 ? significand & ((UINT64_C(1) << shift) - 1) : significand;
  int toHalf = -1;
  if (shift >= 1 && shift <= 64) {
    uint64_t half = UINT64_C(1) << (shift - 1);
    toHalf = rest > half ? 1 : rest == half ? 0 : -1;
  }
  kept += goesUp(rounding, negative, kept & 1, !rest, toHalf);
  // The hidden bit adds one to the exponent's field; a carry out of the mantissa one more.
  uint64_t magnitude = kept + ((uint64_t)(at - least) << shape->mantissa);
  if (magnitude > shape->largest) {
    bool isKept = rounding == PTX_RZ || rounding == (negative ? PTX_RP : PTX_RM);
    magnitude = shape->largest + (shape->hasInfinity && !finite && !isKept);
  }
  return magnitude | (uint64_t)negative << (shape->exponent + shape->mantissa);
}

/// TF32's code in f32's place.
static uint64_t place(PtxFormat format, uint64_t code) {
  return format == PTX_TF32 ? code << 13 : code;
}

static uint64_t encodeScale(double value, PtxRounding rounding) {
  if (isnan(value)) return 0xff;
  int exponent;
  double fraction = frexp(fabs(value), &exponent); // of [0.5, 1)
  if (value == 0) return 0;
  if (isinf(value)) return 0xfe;
  exponent -= 1;
  exponent += fraction > 0.5 && (rounding == PTX_RP || (rounding == PTX_RN && fraction >= 0.75));
  return exponent < -127 ? 0 : exponent > 127 ? 0xfe : (uint64_t)(exponent + 127);
}

uint64_t ptxEncode(PtxFormat format, double value, PtxRounding rounding, bool finite) {
  const Shape *shape = &shapes[format];
  if (format == PTX_UE8M0) return encodeScale(value, rounding);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bool negative = bits >> 63;
  if (isnan(value)) return format == PTX_TF32 ? 0x7fffffff : shape->nan;
  const uint64_t sign = (uint64_t)negative << (shape->exponent + shape->mantissa);
  if (isinf(value)) return place(format, (shape->largest + (shape->hasInfinity && !finite)) | sign);
  if (value == 0) return place(format, sign);
  uint64_t significand = (bits & 0xfffffffffffffu) << 11;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent == -1023) { // f64's own subnormals
    int zeros = __builtin_clzll(significand);
    significand <<= zeros;
    exponent = -1022 - zeros;
  } else {
    significand |= UINT64_C(1) << 63;
  }
  return place(format, encodeParts(shape, negative, significand, exponent, rounding, finite));
}

static uint64_t encodeInteger(PtxFormat format, bool negative, uint64_t magnitude,
                              PtxRounding rounding) {
  if (!magnitude) return 0;
  int zeros = __builtin_clzll(magnitude);
  return place(format, encodeParts(&shapes[format], negative, magnitude << zeros, 63 - zeros,
                                   rounding, false));
}

uint64_t ptxEncodeSigned(PtxFormat format, int64_t value, PtxRounding rounding) {
  return encodeInteger(format, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value, rounding);
}

uint64_t ptxEncodeUnsigned(PtxFormat format, uint64_t value, PtxRounding rounding) {
  return encodeInteger(format, false, value, rounding);
}

double ptxRound(double value, PtxRounding rounding) {
  switch (rounding) {
  case PTX_RN:
    return nearbyint(value);
  case PTX_RNA:
    return round(value);
  case PTX_RZ:
    return trunc(value);
  case PTX_RM:
    return floor(value);
  case PTX_RP:
    return ceil(value);
  }
  return value;
}

uint64_t ptxToInteger(double value, PtxRounding rounding, int bits, bool isSigned, bool wide) {
  if (isnan(value)) return wide ? UINT64_C(1) << (bits - 1) : 0;
  const double limit = ldexp(1, isSigned ? bits - 1 : bits), rounded = ptxRound(value, rounding);
  if (rounded >= limit)
    return isSigned ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
  if (!isSigned) return rounded <= 0 ? 0 : (uint64_t)rounded;
  return (uint64_t)(rounded <= -limit ? -(int64_t)(UINT64_C(1) << (bits - 2)) * 2
                                      : (int64_t)rounded);
}

/// A double, exact or rounded to odd, as f32.
static float toF32(double value, PtxRounding rounding) {
  float near = (float)value;
  if (rounding == PTX_RN || isnan(value) || isinf(value) || (double)near == value) return near;
  if (rounding == PTX_RZ) rounding = value > 0 ? PTX_RM : PTX_RP;
  if (rounding == PTX_RM) return (double)near > value ? nextafterf(near, -INFINITY) : near;
  return (double)near < value ? nextafterf(near, INFINITY) : near;
}

/// A sum that is nothing is -0 downwards, unless both terms are +0.
static double sumOf(double a, double b, PtxRounding rounding) {
  double sum = ptxAddOdd(a, b);
  return sum == 0 && rounding == PTX_RM && (signbit(a) || signbit(b)) ? -0.0 : sum;
}

float ptxAddF32(float a, float b, PtxRounding rounding) {
  return rounding == PTX_RN ? a + b : toF32(sumOf(a, b, rounding), rounding);
}

float ptxMulF32(float a, float b, PtxRounding rounding) {
  return rounding == PTX_RN ? a * b : toF32((double)a * (double)b, rounding);
}

float ptxFmaF32(float a, float b, float c, PtxRounding rounding) {
  return toF32(sumOf((double)a * (double)b, c, rounding), rounding);
}

/// A quotient or root beside the exact one, by the sign of what is left of it: to odd.
static double towards(double near, double rest) {
  if (rest == 0 || isnan(rest) || isinf(near)) return near;
  uint64_t bits;
  memcpy(&bits, &near, sizeof bits);
  if (!(bits & 1)) bits = (rest > 0) == (near > 0) ? bits + 1 : bits - 1;
  memcpy(&near, &bits, sizeof bits);
  return near;
}

float ptxDivF32(float a, float b, PtxRounding rounding) {
  if (rounding == PTX_RN) return a / b;
  double near = (double)a / (double)b, rest = fma(-near, b, a);
  return toF32(near == 0 ? near : towards(near, b < 0 ? -rest : rest), rounding);
}

float ptxSqrtF32(float a, PtxRounding rounding) {
  if (rounding == PTX_RN) return sqrtf(a);
  double near = sqrt(a);
  return toF32(near == 0 ? near : towards(near, fma(-near, near, a)), rounding);
}

/// The direction that the processor rounds f64 in until the other comes back.
static int direct(PtxRounding rounding) {
  static const int directions[] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                   FE_UPWARD};
  int before = fegetround();
  fesetround(directions[rounding]);
  return before;
}

/// An operation in a direction; volatile, for compilers move f64's across fesetround.
#define IN_DIRECTION(expression)                                                                   \
  do {                                                                                             \
    int before = direct(rounding);                                                                 \
    volatile double result = (expression);                                                         \
    fesetround(before);                                                                            \
    return result;                                                                                 \
  } while (0)

double ptxAddF64(double a, double b, PtxRounding rounding) {
  if (rounding == PTX_RN) return a + b;
  volatile double x = a, y = b;
  IN_DIRECTION(x + y);
}

double ptxMulF64(double a, double b, PtxRounding rounding) {
  if (rounding == PTX_RN) return a * b;
  volatile double x = a, y = b;
  IN_DIRECTION(x * y);
}

double ptxFmaF64(double a, double b, double c, PtxRounding rounding) {
  if (rounding == PTX_RN) return fma(a, b, c);
  volatile double x = a, y = b, z = c;
  IN_DIRECTION(fma(x, y, z));
}

double ptxDivF64(double a, double b, PtxRounding rounding) {
  if (rounding == PTX_RN) return a / b;
  volatile double x = a, y = b;
  IN_DIRECTION(x / y);
}

double ptxSqrtF64(double a, PtxRounding rounding) {
  if (rounding == PTX_RN) return sqrt(a);
  volatile double x = a;
  IN_DIRECTION(sqrt(x));
}

static float reciprocal(float x) { return 1 / x; }
static float reciprocalRoot(float x) { return (float)(1 / sqrt(x)); }

PtxApproximation ptxApproximationByName(const char *name, size_t length) {
  static const struct {
    const char *name;
    PtxApproximation function;
  } functions[] = {{"ex2", exp2f},  {"lg2", log2f},           {"sin", sinf},
                   {"cos", cosf},   {"tanh", tanhf},          {"rcp", reciprocal},
                   {"sqrt", sqrtf}, {"rsqrt", reciprocalRoot}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (strlen(functions[i].name) == length && !strncmp(functions[i].name, name, length))
      return functions[i].function;
  return NULL;
}

/// The upper 32 bits, zero for a subnormal number.
static double upperHalf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= UINT64_C(0xffffffff00000000);
  if (!(bits & UINT64_C(0x7ff0000000000000))) bits &= UINT64_C(1) << 63;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

double ptxRcpF64(double a) { return upperHalf(1 / upperHalf(a)); }
double ptxRsqrtF64(double a) { return upperHalf(1 / sqrt(upperHalf(a))); }

static uint16_t toHalf(PtxFormat format, double value) {
  return (uint16_t)ptxEncode(format, value, PTX_RN, false);
}

static double fromHalf(PtxFormat format, uint16_t bits) {
  return format == PTX_F16 ? ptxF16ToF32(bits) : ptxBf16ToF32(bits);
}

uint16_t ptxAddHalf(PtxFormat format, uint16_t a, uint16_t b) {
  return toHalf(format, ptxAddOdd(fromHalf(format, a), fromHalf(format, b)));
}

uint16_t ptxMulHalf(PtxFormat format, uint16_t a, uint16_t b) {
  return toHalf(format, fromHalf(format, a) * fromHalf(format, b));
}

uint16_t ptxFmaHalf(PtxFormat format, uint16_t a, uint16_t b, uint16_t c) {
  return toHalf(format, ptxFmaOdd(fromHalf(format, a), fromHalf(format, b), fromHalf(format, c)));
}
