// RUN: %unit/ElementTypeTest
//
// The references are independent of the code: the compiler's own half type, the relations between
// the formats (bf16 is the top of an f32, f8E5M2 the top of an f16), and the published corner
// values of OCP FP8. Rounding is checked at every boundary there is: the midpoint of each two
// neighbours.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/ElementType.h"
#include <cmocka.h>
#include <math.h>
#include <string.h>

__extension__ typedef _Float16 Half;

static const TileElementType smallFloats[] = {TILE_ELEMENT_F16, TILE_ELEMENT_BF16,
                                              TILE_ELEMENT_F8E4M3FN, TILE_ELEMENT_F8E5M2};

static double decode(TileElementType type, uint32_t bits) {
  return tileElementDecodeSmallFloat(type, bits);
}

static void assertSame(double got, double want) {
  if (isnan(want))
    assert_true(isnan(got));
  else
    assert_memory_equal(&got, &want, sizeof got);
}

static void namesRoundTrip(void **state) {
  (void)state;
  const char *const names[] = {"i1",   "i8",  "i16", "i32",      "i64",   "f16",
                               "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"};
  const size_t sizes[] = {1, 1, 2, 4, 8, 2, 2, 4, 8, 1, 1};
  for (unsigned i = 0; i < TILE_ELEMENT_TYPE_COUNT; ++i) {
    TileElementType type;
    assert_true(tileElementParse(names[i], strlen(names[i]), &type));
    assert_string_equal(tileElementGetName(type), names[i]);
    assert_int_equal(tileElementGetSize(type), sizes[i]);
    assert_int_equal(tileElementIsInteger(type), names[i][0] == 'i');
  }
}

static void unknownNamesAreRefused(void **state) {
  (void)state;
  TileElementType type;
  assert_false(tileElementParse("f", 1, &type));
  assert_false(tileElementParse("f160", 4, &type));
  assert_false(tileElementParse("", 0, &type));
  assert_true(tileElementParse("f160", 3, &type));
  assert_int_equal(type, TILE_ELEMENT_F16);
}

static void halvesDecodeAsTheCompilerDoes(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    uint16_t narrow = (uint16_t)bits;
    Half half;
    memcpy(&half, &narrow, sizeof half);
    assertSame(decode(TILE_ELEMENT_F16, bits), (double)half);
  }
}

static void brainFloatsAreTheTopOfFloats(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    uint32_t wide = bits << 16;
    float number;
    memcpy(&number, &wide, sizeof number);
    assertSame(decode(TILE_ELEMENT_BF16, bits), (double)number);
  }
}

static void e5m2IsTheTopOfHalves(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 256; ++bits)
    assertSame(decode(TILE_ELEMENT_F8E5M2, bits), decode(TILE_ELEMENT_F16, bits << 8));
}

static void e4m3HasItsPublishedCorners(void **state) {
  (void)state;
  // OCP 8-bit floating point specification, revision 1.0, table 2.
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0x7e), 448);
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0x08), 0x1p-6);
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0x07), 0.875 * 0x1p-6);
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0x01), 0x1p-9);
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0x38), 1);
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0xb9), -1.125);
  assertSame(decode(TILE_ELEMENT_F8E4M3FN, 0x80), -0.0);
  assert_true(isnan(decode(TILE_ELEMENT_F8E4M3FN, 0x7f)));
  assert_true(isnan(decode(TILE_ELEMENT_F8E4M3FN, 0xff)));
  // Values rise strictly with the encoding.
  for (uint32_t bits = 0; bits < 0x7e; ++bits)
    assert_true(decode(TILE_ELEMENT_F8E4M3FN, bits) < decode(TILE_ELEMENT_F8E4M3FN, bits + 1));
}

/// Values, midpoints and the doubles beside each midpoint, both signs.
static void checkRounding(TileElementType type, uint32_t maxFinite, uint32_t overflow) {
  uint32_t sign = 1u << (8 * tileElementGetSize(type) - 1);
  for (uint32_t bits = 0; bits <= maxFinite; ++bits) {
    double value = decode(type, bits);
    // Past the largest value, the next one would be one more step away.
    double next =
        bits < maxFinite ? decode(type, bits + 1) : 2 * value - decode(type, maxFinite - 1);
    double middle = value + (next - value) / 2; // exact: one more bit than the type has
    uint32_t above = bits < maxFinite ? bits + 1 : overflow;
    uint32_t tie = bits % 2 == 0 ? bits : above;
    for (uint32_t s = 0; s <= sign; s += sign) {
      double factor = s ? -1 : 1;
      assert_int_equal(tileElementEncodeSmallFloat(type, factor * value), s | bits);
      assert_int_equal(tileElementEncodeSmallFloat(type, factor * middle), s | tie);
      assert_int_equal(tileElementEncodeSmallFloat(type, factor * nextafter(middle, 0)), s | bits);
      assert_int_equal(tileElementEncodeSmallFloat(type, factor * nextafter(middle, INFINITY)),
                       s | above);
    }
  }
}

static void everyMidpointRoundsToEven(void **state) {
  (void)state;
  checkRounding(TILE_ELEMENT_F16, 0x7bff, 0x7c00);
  checkRounding(TILE_ELEMENT_BF16, 0x7f7f, 0x7f80);
  checkRounding(TILE_ELEMENT_F8E5M2, 0x7b, 0x7c);
}

static void e4m3RoundsToEvenAndOverflowsToNan(void **state) {
  (void)state;
  // 448 has an even significand: the tie with the missing 480 stays at 448.
  checkRounding(TILE_ELEMENT_F8E4M3FN, 0x7e, 0x7f);
  assert_int_equal(tileElementEncodeSmallFloat(TILE_ELEMENT_F8E4M3FN, 464), 0x7e);
  assert_int_equal(tileElementEncodeSmallFloat(TILE_ELEMENT_F8E4M3FN, 465), 0x7f);
  assert_int_equal(tileElementEncodeSmallFloat(TILE_ELEMENT_F8E4M3FN, -INFINITY), 0xff);
}

static void randomDoublesRoundAsTheCompilerDoes(void **state) {
  (void)state;
  uint64_t random = 88172645463325252u;
  for (int i = 0; i < 1000000; ++i) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17; // Marsaglia's xorshift
    double value = ldexp((double)(int64_t)random, (int)(random % 48) - 84);
    Half half = (Half)value;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    assert_int_equal(tileElementEncodeSmallFloat(TILE_ELEMENT_F16, value), bits);
  }
}

static void extremesAreKept(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof smallFloats / sizeof *smallFloats; ++i) {
    TileElementType type = smallFloats[i];
    uint32_t sign = 1u << (8 * tileElementGetSize(type) - 1);
    assert_int_equal(tileElementEncodeSmallFloat(type, 0.0), 0);
    assert_int_equal(tileElementEncodeSmallFloat(type, -0.0), sign);
    assert_int_equal(tileElementEncodeSmallFloat(type, 0x1p-1074), 0);
    assert_int_equal(tileElementEncodeSmallFloat(type, -0x1p-1074), sign);
    assert_true(isnan(decode(type, tileElementEncodeSmallFloat(type, NAN))));
    double huge = decode(type, tileElementEncodeSmallFloat(type, 0x1p1023));
    assert_true(type == TILE_ELEMENT_F8E4M3FN ? isnan(huge) : isinf(huge) && huge > 0);
  }
}

static int64_t toInteger(TileElementType type, double value) {
  int64_t memory = 0;
  tileElementFromDouble(type, value, &memory);
  return tileElementToInteger(type, &memory);
}

static void integersRoundAndSaturate(void **state) {
  (void)state;
  assert_int_equal(toInteger(TILE_ELEMENT_I8, 2.5), 2);
  assert_int_equal(toInteger(TILE_ELEMENT_I8, 3.5), 4);
  assert_int_equal(toInteger(TILE_ELEMENT_I8, -2.5), -2);
  assert_int_equal(toInteger(TILE_ELEMENT_I8, -3.5), -4);
  assert_int_equal(toInteger(TILE_ELEMENT_I8, 127.5), 127);
  assert_int_equal(toInteger(TILE_ELEMENT_I8, -1000), -128);
  assert_int_equal(toInteger(TILE_ELEMENT_I16, 40000), 32767);
  assert_int_equal(toInteger(TILE_ELEMENT_I32, -0x1p40), INT32_MIN);
  assert_true(toInteger(TILE_ELEMENT_I64, INFINITY) == INT64_MAX);
  assert_true(toInteger(TILE_ELEMENT_I64, -INFINITY) == INT64_MIN);
  assert_true(toInteger(TILE_ELEMENT_I64, -0x1p63) == INT64_MIN);
  assert_true(toInteger(TILE_ELEMENT_I64, 0x1p62 + 0x1p20) == (INT64_C(1) << 62) + (1 << 20));
  assert_int_equal(toInteger(TILE_ELEMENT_I32, NAN), 0);
  assert_int_equal(toInteger(TILE_ELEMENT_I1, 0), 0);
  assert_int_equal(toInteger(TILE_ELEMENT_I1, -0.25), 1);
  assert_int_equal(toInteger(TILE_ELEMENT_F32, -7.75), -7);
}

static void elementsNeedNoAlignment(void **state) {
  (void)state;
  unsigned char memory[16] = {0};
  for (int i = 0; i < TILE_ELEMENT_TYPE_COUNT; ++i) {
    TileElementType type = (TileElementType)i;
    tileElementFromDouble(type, 1, memory + 1);
    assertSame(tileElementToDouble(type, memory + 1), 1);
    assert_int_equal(memory[0], 0);
    assert_int_equal(tileElementToInteger(type, memory + 1), 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(namesRoundTrip),
      cmocka_unit_test(unknownNamesAreRefused),
      cmocka_unit_test(halvesDecodeAsTheCompilerDoes),
      cmocka_unit_test(brainFloatsAreTheTopOfFloats),
      cmocka_unit_test(e5m2IsTheTopOfHalves),
      cmocka_unit_test(e4m3HasItsPublishedCorners),
      cmocka_unit_test(everyMidpointRoundsToEven),
      cmocka_unit_test(e4m3RoundsToEvenAndOverflowsToNan),
      cmocka_unit_test(randomDoublesRoundAsTheCompilerDoes),
      cmocka_unit_test(extremesAreKept),
      cmocka_unit_test(integersRoundAndSaturate),
      cmocka_unit_test(elementsNeedNoAlignment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
