// RUN: %unit/PtxNumbersTest
//===- PtxNumbersTest.c - the PTX emulator's formats and roundings --------===//
//
// A format is held against the list of its values, which is made here from its definition; f32
// arithmetic against the processor's in each rounding mode; half precision against exact integers.
//===----------------------------------------------------------------------===//
#include "../../../Support/Ptx/Numbers.h"
#include "Random.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/// A format by its definition. Magnitudes 0 .. `largest` are finite.
typedef struct Definition {
  PtxFormat format;
  int mantissa, bias;
  unsigned largest;
  bool hasInfinity, hasNan;
  unsigned sign;
} Definition;

static const Definition definitions[] = {
    {PTX_F16, 10, 15, 0x7bff, true, true, 0x8000}, {PTX_BF16, 7, 127, 0x7f7f, true, true, 0x8000},
    {PTX_E4M3, 3, 7, 0x7e, false, true, 0x80},     {PTX_E5M2, 2, 15, 0x7b, true, true, 0x80},
    {PTX_E2M3, 3, 1, 0x1f, false, false, 0x20},    {PTX_E3M2, 2, 3, 0x1f, false, false, 0x20},
    {PTX_E2M1, 1, 1, 0x7, false, false, 0x8},
};
enum { DEFINITIONS = sizeof definitions / sizeof *definitions };

static double getValue(const Definition *d, unsigned magnitude) {
  unsigned exponent = magnitude >> d->mantissa, mantissa = magnitude & ((1u << d->mantissa) - 1);
  double fraction = mantissa / (double)(1u << d->mantissa);
  return exponent ? (1 + fraction) * pow(2, (int)exponent - d->bias)
                  : fraction * pow(2, 1 - d->bias);
}

static void bitsDecode(void **state) {
  (void)state;
  for (const Definition *d = definitions; d < definitions + DEFINITIONS; ++d) {
    for (unsigned i = 0; i <= d->largest; ++i) {
      assert_true(ptxDecode(d->format, i) == getValue(d, i));
      assert_true(ptxDecode(d->format, i | d->sign) == -getValue(d, i));
    }
    assert_true(signbit(ptxDecode(d->format, d->sign)) != 0);
    if (d->hasInfinity) assert_true(ptxDecode(d->format, d->largest + 1) == INFINITY);
    for (unsigned i = d->largest + 1 + d->hasInfinity; d->hasNan && i < d->sign; ++i)
      assert_true(isnan(ptxDecode(d->format, i)));
  }
  assert_true(ptxDecode(PTX_UE8M0, 0) == 0x1p-127 && ptxDecode(PTX_UE8M0, 254) == 0x1p127);
  assert_true(ptxDecode(PTX_TF32, 0x3f801fff) == 1);
}

/// What a positive value rounds to: the largest magnitude not above it, or the next one.
static unsigned roundValue(const Definition *d, double value, PtxRounding rounding, bool negative,
                           bool finite) {
  unsigned low = 0, high = d->largest;
  while (low < high) {
    unsigned middle = (low + high + 1) / 2;
    if (getValue(d, middle) <= value)
      low = middle;
    else
      high = middle - 1;
  }
  double below = getValue(d, low), above = getValue(d, low + 1);
  bool up = rounding == PTX_RP ? !negative : rounding == PTX_RM ? negative : false;
  if (rounding == PTX_RN || rounding == PTX_RNA) {
    double middle = (below + above) / 2;
    up = value > middle || (value == middle && (rounding == PTX_RNA || low % 2));
  }
  if (value == below) up = false;
  bool isOver = low == d->largest && up;
  return low + (up && (!isOver || (d->hasInfinity && !finite)));
}

static void checkRounding(const Definition *d, double value) {
  for (int r = PTX_RN; r <= PTX_RP; ++r)
    for (int way = 0; way < 4; ++way) {
      bool negative = way & 1, finite = way & 2;
      unsigned wanted = roundValue(d, value, (PtxRounding)r, negative, finite);
      uint64_t found = ptxEncode(d->format, negative ? -value : value, (PtxRounding)r, finite);
      assert_int_equal(found, wanted | (negative ? d->sign : 0));
    }
}

static void valuesRound(void **state) {
  (void)state;
  for (const Definition *d = definitions; d < definitions + DEFINITIONS; ++d) {
    for (int i = 0; i < 3000; ++i) {
      unsigned at = i <= (int)d->largest ? (unsigned)i : randomBelow(d->largest + 1);
      double value = getValue(d, at), next = getValue(d, at + 1);
      checkRounding(d, value);
      checkRounding(d, (value + next) / 2);
      checkRounding(d, nextafter((value + next) / 2, 0));
      checkRounding(d, nextafter((value + next) / 2, INFINITY));
      checkRounding(d, value + (next - value) * (double)randomBelow(1000) / 1000);
    }
    checkRounding(d, 1e300);
    checkRounding(d, 0x1p-1070);
    assert_int_equal(ptxEncode(d->format, NAN, PTX_RN, true), d->hasNan ? d->sign - 1 : d->largest);
    assert_int_equal(ptxEncode(d->format, -INFINITY, PTX_RZ, false),
                     (d->largest + d->hasInfinity) | d->sign);
  }
}

/// The inline conversions are the general ones.
static void inlineConversionsAgree(void **state) {
  (void)state;
  for (int i = 0; i < 3000000; ++i) {
    // Exponents near f16's half of the time.
    uint32_t bits = (uint32_t)nextRandom();
    if (i & 1) bits = (bits & 0x807fffffu) | (96 + randomBelow(56)) << 23;
    if (i % 5 == 0) bits &= ~0xfffu;
    float value = ptxBitsToF32(bits);
    assert_int_equal(ptxF32ToF16(value), ptxEncode(PTX_F16, value, PTX_RN, false));
    assert_int_equal(ptxF32ToBf16(value), ptxEncode(PTX_BF16, value, PTX_RN, false));
    if (!isnan(value)) assert_int_equal(ptxEncode(PTX_F32, value, PTX_RM, false), bits);
  }
  for (unsigned i = 0; i < 0x10000; ++i)
    if (!isnan(ptxF16ToF32((uint16_t)i)))
      assert_int_equal(ptxF32ToF16(ptxF16ToF32((uint16_t)i)), i);
  // TF32 keeps 10 bits of a mantissa, by its two roundings.
  assert_int_equal(ptxEncode(PTX_TF32, ptxBitsToF32(0x3f801000), PTX_RN, false), 0x3f800000);
  assert_int_equal(ptxEncode(PTX_TF32, ptxBitsToF32(0x3f801000), PTX_RNA, false), 0x3f802000);
  assert_int_equal(ptxEncode(PTX_TF32, ptxBitsToF32(0xbf803001), PTX_RZ, false), 0xbf802000);
}

//===- f32 and f64 --------------------------------------------------------===//

static const struct {
  PtxRounding rounding;
  int mode;
} modes[] = {
    {PTX_RN, FE_TONEAREST}, {PTX_RZ, FE_TOWARDZERO}, {PTX_RM, FE_DOWNWARD}, {PTX_RP, FE_UPWARD}};

static float randomFloat(void) {
  uint32_t bits = (uint32_t)nextRandom();
  if (nextRandom() % 3) bits = (bits & 0x80ffffffu) | (110 + randomBelow(30)) << 23;
  if (nextRandom() % 16 == 0) bits &= 0x807fffffu;
  return ptxBitsToF32(bits);
}

static void checkSame(float found, float wanted) {
  if (isnan(wanted))
    assert_true(isnan(found));
  else
    assert_int_equal(ptxF32ToBits(found), ptxF32ToBits(wanted));
}

static void singlePrecisionRounds(void **state) {
  (void)state;
  for (int i = 0; i < 200000; ++i) {
    volatile float a = randomFloat(), b = randomFloat(), c = randomFloat();
    if (i % 7 == 0) c = -a * b;
    if (i % 11 == 0) b = -a;
    for (int m = 0; m < 4; ++m) {
      fesetround(modes[m].mode);
      volatile float sum = a + b, product = a * b, quotient = a / b, root = sqrtf(fabsf(a));
      volatile float fused = fmaf(a, b, c);
      fesetround(FE_TONEAREST);
      checkSame(ptxAddF32(a, b, modes[m].rounding), sum);
      checkSame(ptxMulF32(a, b, modes[m].rounding), product);
      checkSame(ptxDivF32(a, b, modes[m].rounding), quotient);
      checkSame(ptxSqrtF32(fabsf(a), modes[m].rounding), root);
      checkSame(ptxFmaF32(a, b, c, modes[m].rounding), fused);
    }
    checkSame(ptxFmaNear(a, b, c), fmaf(a, b, c));
  }
}

static void doublePrecisionRounds(void **state) {
  (void)state;
  assert_true(ptxAddF64(1, 0x1p-60, PTX_RP) == 1 + 0x1p-52);
  assert_true(ptxAddF64(1, 0x1p-60, PTX_RN) == 1);
  assert_true(ptxAddF64(-1, -0x1p-60, PTX_RM) == -1 - 0x1p-52);
  assert_true(ptxMulF64(1 + 0x1p-52, 1 + 0x1p-52, PTX_RP) == 1 + 0x3p-52);
  assert_true(ptxDivF64(1, 3, PTX_RP) > ptxDivF64(1, 3, PTX_RM));
  assert_true(ptxSqrtF64(2, PTX_RP) > ptxSqrtF64(2, PTX_RZ));
  assert_true(ptxFmaF64(1 + 0x1p-52, 1 + 0x1p-52, -1 - 0x1p-51, PTX_RN) == 0x1p-104);
  assert_int_equal(fegetround(), FE_TONEAREST);
}

//===- half precision -----------------------------------------------------===//

/// f16 in steps of its least number.
__extension__ typedef __int128 Wide;

static Wide scaled(uint16_t bits) { return (Wide)ldexp(ptxF16ToF32(bits), 24); }

/// A multiple of 2^-48, rounded to f16, from above and below on the list of its values.
static uint16_t roundExact(Wide value) {
  bool negative = value < 0;
  Wide magnitude = negative ? -value : value;
  uint16_t low = 0, high = 0x7bff;
  while (low < high) {
    uint16_t middle = (uint16_t)((low + high + 1) / 2);
    if (scaled(middle) << 24 <= magnitude)
      low = middle;
    else
      high = (uint16_t)(middle - 1);
  }
  Wide below = scaled(low) << 24;
  Wide above = low == 0x7bff ? (Wide)65536 << 48 : scaled((uint16_t)(low + 1)) << 24;
  Wide twice = 2 * magnitude - below - above;
  if (magnitude != below && (twice > 0 || (twice == 0 && low % 2))) ++low;
  return (uint16_t)(low | (negative ? 0x8000 : 0));
}

static void halvesRoundOnce(void **state) {
  (void)state;
  for (int i = 0; i < 500000; ++i) {
    uint16_t a = (uint16_t)nextRandom(), b = (uint16_t)nextRandom(), c = (uint16_t)nextRandom();
    if (isnan(ptxF16ToF32(a)) || isinf(ptxF16ToF32(a)) || isnan(ptxF16ToF32(b)) ||
        isinf(ptxF16ToF32(b)) || isnan(ptxF16ToF32(c)) || isinf(ptxF16ToF32(c)))
      continue;
    Wide product = scaled(a) * scaled(b), sum = product + (scaled(c) << 24);
    if (sum) assert_int_equal(ptxFmaHalf(PTX_F16, a, b, c), roundExact(sum));
    if (product) assert_int_equal(ptxMulHalf(PTX_F16, a, b), roundExact(product));
    Wide added = (scaled(a) + scaled(b)) << 24;
    if (added) assert_int_equal(ptxAddHalf(PTX_F16, a, b), roundExact(added));
  }
  // 1 + 2^-8 is a tie of bf16; what is below the tie by far less than a double holds goes down.
  assert_int_equal(ptxFmaHalf(PTX_BF16, 0x3f80, 0x3f80, 0x3b80), 0x3f80);
  assert_int_equal(ptxFmaHalf(PTX_BF16, 0x3f81, 0x3b80, 0x3f80), 0x3f81);
  assert_int_equal(ptxFmaHalf(PTX_BF16, 0x0080, 0x0001, 0x3f81), 0x3f81);
}

//===- integers and functions ---------------------------------------------===//

static void integersConvert(void **state) {
  (void)state;
  for (int i = 0; i < 300000; ++i) {
    volatile int64_t value = (int64_t)nextRandom() >> randomBelow(64);
    volatile uint64_t positive = nextRandom() >> randomBelow(64);
    for (int m = 0; m < 4; ++m) {
      fesetround(modes[m].mode);
      volatile float single = (float)value, of = (float)positive;
      volatile double wide = (double)value;
      fesetround(FE_TONEAREST);
      assert_int_equal(ptxEncodeSigned(PTX_F32, value, modes[m].rounding), ptxF32ToBits(single));
      assert_int_equal(ptxEncodeUnsigned(PTX_F32, positive, modes[m].rounding), ptxF32ToBits(of));
      assert_true(ptxDecode(PTX_F64, ptxEncodeSigned(PTX_F64, value, modes[m].rounding)) == wide);
    }
  }
  assert_int_equal(ptxToInteger(2.5, PTX_RN, 32, true, false), 2);
  assert_int_equal(ptxToInteger(-2.5, PTX_RZ, 32, true, false), -2);
  assert_int_equal(ptxToInteger(-2.5, PTX_RM, 32, true, false), -3);
  assert_int_equal(ptxToInteger(2.1, PTX_RP, 8, false, false), 3);
  assert_int_equal(ptxToInteger(-7, PTX_RZ, 32, false, false), 0);
  assert_int_equal(ptxToInteger(300, PTX_RZ, 8, true, false), 127);
  assert_int_equal(ptxToInteger(-300, PTX_RZ, 8, true, false), -128);
  assert_int_equal(ptxToInteger(1e30, PTX_RZ, 32, false, false), 0xffffffff);
  assert_int_equal(ptxToInteger(1e30, PTX_RZ, 64, false, true), UINT64_MAX);
  assert_int_equal(ptxToInteger(-1e30, PTX_RZ, 64, true, true), INT64_MIN);
  assert_int_equal(ptxToInteger(INFINITY, PTX_RZ, 64, true, true), INT64_MAX);
  assert_int_equal(ptxToInteger(NAN, PTX_RZ, 32, true, false), 0);
  assert_int_equal(ptxToInteger(NAN, PTX_RZ, 32, true, true), 0x80000000);
  assert_int_equal(ptxToInteger(NAN, PTX_RZ, 64, false, true), UINT64_C(1) << 63);
}

static long double reciprocalRoot(long double x) { return 1 / sqrtl(x); }
static long double reciprocal(long double x) { return 1 / x; }

static void functionsAreNear(void **state) {
  (void)state;
  static const struct {
    const char *name;
    long double (*exact)(long double);
    float least, most;
  } functions[] = {
      {"ex2", exp2l, -120, 120},      {"lg2", log2l, 2, 1e30f},
      {"sin", sinl, -3, 3},           {"cos", cosl, -1.5f, 1.5f},
      {"tanh", tanhl, -9, 9},         {"rcp", reciprocal, 1e-30f, 1e30f},
      {"sqrt", sqrtl, 1e-30f, 1e30f}, {"rsqrt", reciprocalRoot, 1e-30f, 1e30f},
  };
  for (size_t f = 0; f < sizeof functions / sizeof *functions; ++f) {
    PtxApproximation function =
        ptxApproximationByName(functions[f].name, strlen(functions[f].name));
    assert_non_null(function);
    for (int i = 0; i < 20000; ++i) {
      float at = (float)randomBelow(1 << 24) / (1 << 24);
      float x = functions[f].least + (functions[f].most - functions[f].least) * at;
      long double wanted = functions[f].exact(x);
      assert_true(fabsl(function(x) - wanted) <= 0x1p-22L * fabsl(wanted));
    }
  }
  assert_null(ptxApproximationByName("exp", 3));
  assert_true(fabs(ptxRcpF64(3) * 3 - 1) < 0x1p-19 && ptxRcpF64(0x1p-1070) == INFINITY);
  assert_true(fabs(ptxRsqrtF64(9) * 3 - 1) < 0x1p-19);
  assert_true(ptxFlush(0x1p-140f) == 0 && ptxFlush(0x1p-126f) == 0x1p-126f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bitsDecode),
      cmocka_unit_test(valuesRound),
      cmocka_unit_test(inlineConversionsAgree),
      cmocka_unit_test(singlePrecisionRounds),
      cmocka_unit_test(doublePrecisionRounds),
      cmocka_unit_test(halvesRoundOnce),
      cmocka_unit_test(integersConvert),
      cmocka_unit_test(functionsAreNear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
