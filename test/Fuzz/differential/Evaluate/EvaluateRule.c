//===- EvaluateRule.c - ops that go element by element --------------------===//
//
// Floats are computed as doubles. That of f32 and narrower is rounded to f32 first, which is exact
// for one operation (a double has more than twice the digits of an f32, Figueroa 1995), and then to
// its own type, as docs/cpu.md promises it: computed in f32, rounded after each op.
//
// The reference of an inexact function is the C library's in the next wider type. An error grows
// through an op as its derivative says, plus the rounding of a neighbour.
//===----------------------------------------------------------------------===//
#include "../Floats.h"
#include "Evaluate.h"
#include <math.h>
#include <string.h>

//===- which op -----------------------------------------------------------===//

enum {
  code_addi,
  code_subi,
  code_muli,
  code_andi,
  code_ori,
  code_xori,
  code_maxsi,
  code_minsi,
  code_maxui,
  code_minui,
  code_divsi,
  code_divui,
  code_remsi,
  code_remui,
  code_ceildivsi,
  code_floordivsi,
  code_ceildivui,
  code_shli,
  code_shrsi,
  code_shrui,
  code_absi,
  code_ctpop,
  code_ctlz,
  code_cttz,
  code_ipowi,
  code_cmpi,
  code_cmpf,
  code_select,
  code_extsi,
  code_extui,
  code_trunci,
  code_sitofp,
  code_uitofp,
  code_fptosi,
  code_fptoui,
  code_extf,
  code_truncf,
  code_bitcast,
  code_addf,
  code_subf,
  code_mulf,
  code_divf,
  code_remf,
  code_negf,
  code_maximumf,
  code_minimumf,
  code_maxnumf,
  code_minnumf,
  code_absf,
  code_copysign,
  code_isnan,
  code_isinf,
  code_isfinite,
  code_isnormal,
  code_fma,
  code_powf,
  code_atan2,
  code_fpowi,
  code_sqrt,
  code_function
};

/// In the order of the codes.
static const char *const codeNames[] = {
    "addi",      "subi",     "muli",   "andi",   "ori",      "xori",     "maxsi",     "minsi",
    "maxui",     "minui",    "divsi",  "divui",  "remsi",    "remui",    "ceildivsi", "floordivsi",
    "ceildivui", "shli",     "shrsi",  "shrui",  "absi",     "ctpop",    "ctlz",      "cttz",
    "ipowi",     "cmpi",     "cmpf",   "select", "extsi",    "extui",    "trunci",    "sitofp",
    "uitofp",    "fptosi",   "fptoui", "extf",   "truncf",   "bitcast",  "addf",      "subf",
    "mulf",      "divf",     "remf",   "negf",   "maximumf", "minimumf", "maxnumf",   "minnumf",
    "absf",      "copysign", "isnan",  "isinf",  "isfinite", "isnormal", "fma",       "powf",
    "atan2",     "fpowi",    "sqrt"};

_Static_assert(sizeof codeNames / sizeof *codeNames == code_function, "a name for each code");

static double rsqrt(double x) { return 1 / sqrt(x); }
static long double rsqrtl(long double x) { return 1 / sqrtl(x); }

static const struct {
  const char *name;
  double (*narrow)(double);
  long double (*wide)(long double);
} functions[] = {
#define FUNCTION(name) {#name, name, name##l}
    FUNCTION(floor),
    FUNCTION(ceil),
    FUNCTION(trunc),
    FUNCTION(round),
    FUNCTION(rsqrt),
    FUNCTION(exp),
    FUNCTION(exp2),
    FUNCTION(expm1),
    FUNCTION(log),
    FUNCTION(log2),
    FUNCTION(log10),
    FUNCTION(log1p),
    FUNCTION(sin),
    FUNCTION(cos),
    FUNCTION(tan),
    FUNCTION(tanh),
    FUNCTION(sinh),
    FUNCTION(cosh),
    FUNCTION(asinh),
    FUNCTION(acosh),
    FUNCTION(atanh),
    FUNCTION(atan),
    FUNCTION(asin),
    FUNCTION(acos),
    FUNCTION(cbrt),
    FUNCTION(erf),
    FUNCTION(erfc),
#undef FUNCTION
    {"roundeven", nearbyint, nearbyintl},
};

Step prepareStep(int rule, int64_t attribute, Element from, Element to) {
  const char *name = strchr(rules[rule].name, '.') + 1;
  Step s = {&rules[rule], code_function, from, to, attribute, NULL, NULL};
  for (int i = 0; i < code_function; ++i)
    if (!strcmp(codeNames[i], name)) s.code = i;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (!strcmp(functions[i].name, name)) {
      s.narrow = functions[i].narrow;
      s.wide = functions[i].wide;
    }
  return s;
}

//===- integers -----------------------------------------------------------===//

static bool compareInts(int64_t predicate, int64_t a, int64_t b, uint64_t ua, uint64_t ub) {
  const bool holds[] = {a == b,  a != b, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub,
                        ua >= ub};
  return holds[predicate];
}

static bool compareFloats(int64_t predicate, double a, double b) {
  // MLIR lists false, the six ordered ones, ord, the six unordered ones, uno, true. As bits:
  // unordered (8), less (4), greater (2), equal (1).
  if (predicate >= 8 && predicate < 15) predicate = predicate == 14 ? 8 : predicate + 1;
  bool isEqual = a == b, isGreater = a > b, isLess = a < b, isUnordered = isnan(a) || isnan(b);
  return (predicate & 1 && isEqual) || (predicate & 2 && isGreater) || (predicate & 4 && isLess) ||
         (predicate & 8 && isUnordered);
}

static int countLeadingZeros(uint64_t x, int width) {
  int count = 0;
  while (count < width && !(x >> (width - 1 - count) & 1)) ++count;
  return count;
}

static int countTrailingZeros(uint64_t x, int width) {
  int count = 0;
  while (count < width && !(x >> count & 1)) ++count;
  return count;
}

static uint64_t power(uint64_t x, uint64_t n) {
  uint64_t result = 1;
  while (n--) result *= x;
  return result;
}

/// Divisions and remainders, of no 0 and no -1.
static uint64_t divide(const Step *s, uint64_t ua, uint64_t ub) {
  int64_t a = signedOf(s->from, ua), b = signedOf(s->from, ub);
  switch (s->code) {
  case code_divsi:
    return (uint64_t)(a / b);
  case code_divui:
    return ua / ub;
  case code_remsi:
    return (uint64_t)(a % b);
  case code_remui:
    return ua % ub;
  case code_ceildivsi:
    return (uint64_t)(a / b + (a % b && (a < 0) == (b < 0)));
  case code_floordivsi:
    return (uint64_t)(a / b - (a % b && (a < 0) != (b < 0)));
  default: // ceildivui
    return ua / ub + (ua % ub != 0);
  }
}

/// The result's bits, with more above them.
static uint64_t applyInts(const Step *s, uint64_t ua, uint64_t ub, const char **problem) {
  Element e = s->from;
  int64_t a = signedOf(e, ua), b = signedOf(e, ub);
  int width = bitsOf(e);
  bool divides = s->code >= code_divsi && s->code <= code_ceildivui;
  bool shifts = s->code >= code_shli && s->code <= code_shrui;
  if (divides && (ub == 0 || b == -1)) return *problem = "division by 0 or -1", 0;
  if (divides) return divide(s, ua, ub);
  if (shifts && ub >= (uint64_t)width) return *problem = "shift by the width", 0;
  switch (s->code) {
  case code_addi:
    return ua + ub;
  case code_subi:
    return ua - ub;
  case code_muli:
    return ua * ub;
  case code_andi:
    return ua & ub;
  case code_ori:
    return ua | ub;
  case code_xori:
    return ua ^ ub;
  case code_maxsi:
    return a > b ? ua : ub;
  case code_minsi:
    return a < b ? ua : ub;
  case code_maxui:
    return ua > ub ? ua : ub;
  case code_minui:
    return ua < ub ? ua : ub;
  case code_shli:
    return ua << ub;
  case code_shrsi:
    return (uint64_t)(a >> ub);
  case code_shrui:
    return ua >> ub;
  case code_absi:
    return a < 0 ? 0 - ua : ua;
  case code_ctpop:
    return (uint64_t)__builtin_popcountll(ua);
  case code_ctlz:
    return (uint64_t)countLeadingZeros(ua, width);
  case code_cttz:
    return (uint64_t)countTrailingZeros(ua, width);
  case code_ipowi:
    return ub > 64 ? (*problem = "a large power", 0) : power(ua, ub);
  case code_cmpi:
    return compareInts(s->attribute, a, b, ua, ub);
  case code_extsi:
    return (uint64_t)a;
  default: // extui, trunci
    return ua;
  }
}

//===- conversions --------------------------------------------------------===//

static Number intToFloat(const Step *s, uint64_t bits) {
  bool isSigned = s->code == code_sitofp;
  int64_t a = signedOf(s->from, bits);
  if (s->to == F64) return (Number){roundTo(F64, isSigned ? (double)a : (double)bits), 0};
  double x = isSigned ? (double)(float)a : (double)(float)bits;
  Number result = {roundTo(s->to, x), 0};
  // Rounded twice, or once: a neighbour.
  if (s->to == BF16 && fabs(x) >= 0x1p24) result.error = ulpOf(BF16, x);
  return result;
}

/// Towards zero; beyond the integer's range its nearest end, and 0 for NaN.
static Number floatToInt(const Step *s, double x) {
  int width = bitsOf(s->to);
  bool isSigned = s->code == code_fptosi;
  double end = ldexp(1, isSigned ? width - 1 : width), whole = trunc(x);
  if (isnan(x)) return (Number){0, 0};
  uint64_t most = isSigned ? (UINT64_C(1) << (width - 1)) - 1 : UINT64_MAX;
  uint64_t least = isSigned ? UINT64_C(1) << (width - 1) : 0;
  uint64_t bits = whole >= end                    ? most
                  : whole < (isSigned ? -end : 0) ? least
                  : isSigned                      ? (uint64_t)(int64_t)whole
                                                  : (uint64_t)whole;
  return (Number){cutTo(s->to, bits), 0};
}

//===- floats -------------------------------------------------------------===//

/// IEEE 754-2019 maximum: NaN wins, and -0 is below +0.
static double maximum(double a, double b) {
  if (isnan(a) || isnan(b)) return (double)NAN;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}

static double fmaIn(Element e, double a, double b, double c) {
  return e == F64 ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
}

/// pow of a number of f32 or f64 in the next wider type, as a double.
static double wider2(const Step *s, double a, double b) {
  bool isPower = s->code != code_atan2;
  if (s->from != F64) return isPower ? pow(a, b) : atan2(a, b);
  return (double)(isPower ? powl(a, b) : atan2l(a, b));
}

static double compute(const Step *s, double a, double b, double c, const char **problem) {
  switch (s->code) {
  case code_addf:
    return a + b;
  case code_subf:
    return a - b;
  case code_mulf:
    return a * b;
  case code_divf:
    return a / b;
  case code_remf:
    return fmod(a, b);
  case code_negf:
    return -a;
  case code_absf:
    return fabs(a);
  case code_maximumf:
    return maximum(a, b);
  case code_minimumf:
    return -maximum(-a, -b);
  case code_maxnumf:
  case code_minnumf:
    if (a == 0 && b == 0 && signbit(a) != signbit(b)) *problem = "maxnumf of -0 and +0";
    return s->code == code_maxnumf ? fmax(a, b) : fmin(a, b);
  case code_copysign:
    if (isnan(a) || isnan(b)) *problem = "the sign of NaN";
    return copysign(a, b);
  case code_fma:
    return fmaIn(s->from, a, b, c);
  case code_sqrt:
    return sqrt(a);
  case code_powf:
  case code_atan2:
  case code_fpowi:
    return wider2(s, a, b);
  default:
    return s->from == F64 ? (double)s->wide(a) : s->narrow(a);
  }
}

/// How far the result may move when operands move by their errors.
static double growth(const Step *s, const double *x, const double *e, double r) {
  double a = fabs(x[0]), b = fabs(x[1]);
  switch (s->code) {
  case code_addf:
  case code_subf:
    return e[0] + e[1];
  case code_mulf:
    return a * e[1] + b * e[0] + e[0] * e[1];
  case code_fma:
    return a * e[1] + b * e[0] + e[0] * e[1] + e[2];
  case code_divf:
    return b <= e[1] ? (double)INFINITY : (e[0] + fabs(r) * e[1]) / (b - e[1]);
  case code_maximumf:
  case code_minimumf:
  case code_maxnumf:
  case code_minnumf:
    return fmax(e[0], e[1]);
  case code_sqrt:
    return x[0] < e[0] ? (double)INFINITY : sqrt(x[0] + e[0]) - sqrt(x[0] - e[0]);
  case code_function:
    break;
  default: // negf, absf, extf, truncf
    return e[0];
  }
  // exp and exp2 grow; of the others that take inexact operands no slope is above 1.13.
  if (s->narrow == exp || s->narrow == exp2) return s->narrow(x[0] + e[0]) - s->narrow(x[0]);
  return 1.13 * e[0];
}

static bool onlyMoves(const Step *s) {
  return s->code == code_negf || s->code == code_absf || s->code == code_extf ||
         (s->code >= code_maximumf && s->code <= code_minnumf);
}

/// The error of a result, given that of a rounded one and how it grew.
static double errorOf(const Step *s, const Number *in, const double *x, uint64_t bits, double exact,
                      double grown, bool isSure) {
  bool isNarrow = bitsOf(s->to) < 32;
  double ulps = s->to == F64 ? s->rule->ulp64 : s->rule->ulp;
  // fma of narrow types: rounded once, or in f32 first.
  bool isOff = ulps > 0 || (s->code == code_fma && isNarrow);
  if (isSure && !isOff) return 0;
  double r = floatOf(s->to, bits);
  if (isnan(r)) {
    for (int i = 0; i < s->rule->arity; ++i)
      if (isnan(x[i]) && in[i].error == 0) return 0;
    return isSure ? 0 : (double)INFINITY;
  }
  if (isSure && isinf(exact)) return 0;
  double error = grown;
  if (!onlyMoves(s)) error += ulpOf(s->to, fabs(r) + grown);
  // tanh.approx of f16 and bf16 is off by 2^-11 of its value.
  if (isNarrow && s->narrow == tanh) error += fabs(r) * 0x1p-10;
  error += ulps * ulpOf(s->to == F64 ? F64 : F32, r);
  return fabs(r) + error < largestOf(s->to) ? error : (double)INFINITY;
}

static Number applyFloats(const Step *s, const Number *in, const char **problem) {
  double x[3] = {0, 0, 0}, e[3] = {0, 0, 0};
  bool isSure = true;
  for (int i = 0; i < s->rule->arity; ++i) {
    bool isPower = s->code == code_fpowi && i == 1;
    x[i] = isPower ? (double)signedOf(I32, in[i].bits) : floatOf(s->from, in[i].bits);
    e[i] = in[i].error;
    if (e[i] > 0) isSure = false;
  }
  double exact;
  if (s->code == code_extf || s->code == code_truncf)
    exact = x[0];
  else
    exact = compute(s, x[0], x[1], x[2], problem);
  bool inF32 = s->to != F64 && s->code != code_truncf;
  uint64_t bits = roundTo(s->to, inF32 ? (double)(float)exact : exact);
  // MLIR folds atan2(0, 0) of constants to NaN; computed, it is 0 or pi.
  if (s->code == code_atan2 && x[0] == 0 && x[1] == 0) return (Number){bits, (double)INFINITY};
  double grown = isSure ? 0 : growth(s, x, e, exact);
  return (Number){bits, errorOf(s, in, x, bits, exact, grown, isSure)};
}

static bool classify(const Step *s, double x) {
  switch (s->code) {
  case code_isnan:
    return isnan(x);
  case code_isinf:
    return isinf(x);
  case code_isfinite:
    return isfinite(x);
  default:
    return isfinite(x) && fabs(x) >= leastOf(s->from);
  }
}

Number applyStep(const Step *s, const Number *x, const char **problem) {
  switch (s->rule->signature) {
  case SIG_INT:
  case SIG_INT_WIDE:
  case SIG_CMPI:
  case SIG_INT_UP:
  case SIG_INT_DOWN: {
    uint64_t second = s->rule->arity > 1 ? x[1].bits : 0;
    return (Number){cutTo(s->to, applyInts(s, x[0].bits, second, problem)), 0};
  }
  case SIG_CMPF:
    return (Number){
        compareFloats(s->attribute, floatOf(s->from, x[0].bits), floatOf(s->from, x[1].bits)), 0};
  case SIG_CLASS:
    return (Number){classify(s, floatOf(s->from, x[0].bits)), 0};
  case SIG_SELECT:
    return x[0].bits ? x[1] : x[2];
  case SIG_TO_FLOAT:
    return intToFloat(s, x[0].bits);
  case SIG_TO_INT:
    return floatToInt(s, floatOf(s->from, x[0].bits));
  case SIG_BITCAST:
    if (isNanBits(s->from, x[0].bits)) *problem = "the bits of NaN";
    return x[0];
  case SIG_FLOAT:
  case SIG_FLOAT_UP:
  case SIG_FLOAT_DOWN:
  case SIG_FPOWI:
    break;
  }
  return applyFloats(s, x, problem);
}

//===- comparing ----------------------------------------------------------===//

bool isClose(Element e, Number want, uint64_t got) {
  if (!isfinite(want.error) || want.bits == got) return true;
  if (!isFloat(e)) return false;
  double w = floatOf(e, want.bits), g = floatOf(e, got);
  if (isnan(w) || isnan(g)) return isnan(w) && isnan(g);
  return want.error > 0 && fabs(w - g) <= want.error;
}
