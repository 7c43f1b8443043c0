//===- Floats.c - numbers as bits, in ten formats -------------------------===//
//
// A format has a sign, `exponent` bits and `mantissa` bits. Rounding works on the quotient of the
// number and the last place it keeps, which is exact in a double; a double that is rounded to the
// nearest integer is rounded to the nearest number of the format.
//===----------------------------------------------------------------------===//
#include "Floats.h"
#include <math.h>
#include <string.h>

typedef struct {
  int exponent, mantissa;
  bool hasInfinity;
} Format;

static Format formatOf(Element e) {
  switch (e) {
  case F16:
    return (Format){5, 10, true};
  case BF16:
    return (Format){8, 7, true};
  case F32:
    return (Format){8, 23, true};
  case E4M3:
    return (Format){4, 3, false};
  case E5M2:
    return (Format){5, 2, true};
  default:
    return (Format){11, 52, true};
  }
}

static int biasOf(Format f) { return (1 << (f.exponent - 1)) - 1; }

double largestOf(Element e) {
  Format f = formatOf(e);
  // f8E4M3FN uses the last exponent for numbers, but for its last code.
  if (!f.hasInfinity) return 448;
  return ldexp(2 - ldexp(1, -f.mantissa), biasOf(f));
}

double leastOf(Element e) { return ldexp(1, 1 - biasOf(formatOf(e))); }

double ulpOf(Element e, double x) {
  Format f = formatOf(e);
  int exponent = x == 0 || !isfinite(x) ? 1 - biasOf(f) : ilogb(x);
  if (exponent < 1 - biasOf(f)) exponent = 1 - biasOf(f);
  if (isinf(x)) exponent = biasOf(f);
  return ldexp(1, exponent - f.mantissa);
}

double floatOf(Element e, uint64_t bits) {
  double x;
  if (e == F64) {
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  Format f = formatOf(e);
  int width = 1 + f.exponent + f.mantissa, last = (1 << f.exponent) - 1;
  int exponent = (int)(bits >> f.mantissa) & last;
  uint64_t mantissa = bits & ((UINT64_C(1) << f.mantissa) - 1);
  bool isNegative = bits >> (width - 1) & 1;
  if (exponent == last && (f.hasInfinity || mantissa == 7))
    x = mantissa ? (double)NAN : (double)INFINITY;
  else if (exponent == 0)
    x = ldexp((double)mantissa, 1 - biasOf(f) - f.mantissa);
  else
    x = ldexp((double)(mantissa + (UINT64_C(1) << f.mantissa)), exponent - biasOf(f) - f.mantissa);
  return isNegative ? -x : x;
}

uint64_t roundTo(Element e, double x) {
  uint64_t bits;
  if (e == F64) {
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  Format f = formatOf(e);
  int width = 1 + f.exponent + f.mantissa;
  uint64_t sign = signbit(x) ? UINT64_C(1) << (width - 1) : 0;
  uint64_t infinity = ((UINT64_C(1) << f.exponent) - 1) << f.mantissa;
  uint64_t nan = f.hasInfinity ? infinity | UINT64_C(1) << (f.mantissa - 1) : infinity | 7;
  if (isnan(x)) return nan | sign;
  double ulp = ulpOf(e, x);
  double kept = isinf(x) ? x : nearbyint(fabs(x) / ulp) * ulp;
  if (fabs(kept) > largestOf(e)) return (f.hasInfinity ? infinity : nan) | sign;
  // Codes of one sign are in the order of their numbers: an exponent up is a mantissa more.
  int exponent = kept < leastOf(e) ? 1 - biasOf(f) : ilogb(kept);
  uint64_t steps = (uint64_t)ldexp(kept, f.mantissa - exponent);
  uint64_t code = ((uint64_t)(exponent + biasOf(f) - 1) << f.mantissa) + steps;
  return code | sign;
}

bool isNanBits(Element e, uint64_t bits) { return isFloat(e) && isnan(floatOf(e, bits)); }

uint64_t cutTo(Element e, uint64_t bits) {
  int width = bitsOf(e);
  return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

int64_t signedOf(Element e, uint64_t bits) {
  int unused = 64 - bitsOf(e);
  return (int64_t)(bits << unused) >> unused;
}
