// RUN: %unit/ArrayTest
// RUN: env TILE_NUM_THREADS=3 %unit/ArrayTest
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // open_memstream
#endif
#include "../FillArray.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/Array.h"
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// cmocka 1.1 compares floats only.
#define assert_near(got, want, tolerance)                                                          \
  assert_true(fabs((double)(got) - (double)(want)) <= (tolerance))

static TileError error;

#define assert_message(text) assert_string_equal(tileErrorGetMessage(&error), text)

static TileArray *make(TileElementType type, unsigned rank, int64_t a, int64_t b, int64_t c) {
  const int64_t shape[] = {a, b, c};
  TileArray *array = tileArrayCreate(type, rank, shape, &error);
  assert_non_null(array);
  return array;
}

static void set(TileArray *array, int64_t index, double value) {
  size_t size = tileElementGetSize(array->type);
  tileElementFromDouble(array->type, value, (char *)array->host + (size_t)index * size);
}

//===- Making and finding -------------------------------------------------===//

static void arraysAreZeroAlignedRowMajor(void **state) {
  (void)state;
  TileArray *array = make(TILE_ELEMENT_F16, 3, 3, 5, 7);
  assert_int_equal(array->count, 105);
  assert_int_equal(array->bytes, 210);
  assert_int_equal(array->strides[0], 35);
  assert_int_equal(array->strides[1], 7);
  assert_int_equal(array->strides[2], 1);
  assert_int_equal((uintptr_t)array->host % 64, 0);
  for (int64_t i = 0; i < 105; ++i) assert_near(tileArrayGetElement(array, i), 0, 0);
  tileArrayDestroy(array);
}

static void largeArraysLieOnHugePages(void **state) {
  (void)state;
  TileArray *array = make(TILE_ELEMENT_F32, 2, 1024, 1024, 0);
  assert_int_equal((uintptr_t)array->host % (2 << 20), 0);
  assert_near(tileArrayGetElement(array, (1 << 20) - 1), 0, 0);
  tileArrayDestroy(array);
}

static void scalarsAndEmptyArraysExist(void **state) {
  (void)state;
  TileArray *scalar = make(TILE_ELEMENT_F64, 0, 0, 0, 0);
  assert_int_equal(scalar->count, 1);
  TileArray *empty = make(TILE_ELEMENT_F32, 2, 0, 8, 0);
  assert_int_equal(empty->count, 0);
  assert_int_equal(empty->bytes, 0);
  assert_non_null(empty->host);
  assert_ptr_equal(tileArrayFind(empty->host), empty);
  fillArray(empty, 1);
  tileArrayFillRandom(empty, 1);
  tileArrayDestroy(empty);
  tileArrayDestroy(scalar);
  tileArrayDestroy(NULL);
}

static void impossibleShapesAreRefused(void **state) {
  (void)state;
  const int64_t negative[] = {4, -1};
  assert_null(tileArrayCreate(TILE_ELEMENT_F32, 2, negative, &error));
  assert_message("expected extents of 0 or more, found -1 in dimension 1");
  const int64_t wide[] = {INT64_C(1) << 40, INT64_C(1) << 40};
  assert_null(tileArrayCreate(TILE_ELEMENT_F32, 2, wide, &error));
  assert_message("expected an array that fits in the address space, found a larger shape");
  const int64_t huge[] = {INT64_C(1) << 55};
  assert_null(tileArrayCreate(TILE_ELEMENT_I8, 1, huge, &error));
  assert_message("expected memory for an array of 36028797018963968 bytes, found: Cannot allocate "
                 "memory");
  int64_t many[TILE_ARRAY_MAX_RANK + 1] = {0};
  assert_null(tileArrayCreate(TILE_ELEMENT_I8, TILE_ARRAY_MAX_RANK + 1, many, &error));
  assert_message("expected an array of rank 16 at most, found rank 17");
}

static void pointersFindTheirArray(void **state) {
  (void)state;
  enum { COUNT = 100 };
  TileArray *arrays[COUNT];
  for (int i = 0; i < COUNT; ++i) arrays[i] = make(TILE_ELEMENT_I32, 1, 1 + i * 37, 0, 0);
  for (int i = 0; i < COUNT; i += 3) {
    tileArrayDestroy(arrays[i]);
    arrays[i] = NULL;
  }
  for (int i = 0; i < COUNT; ++i) {
    if (!arrays[i]) continue;
    char *first = arrays[i]->host;
    assert_ptr_equal(tileArrayFind(first), arrays[i]);
    assert_ptr_equal(tileArrayFind(first + arrays[i]->bytes / 2), arrays[i]);
    assert_ptr_equal(tileArrayFind(first + arrays[i]->bytes - 1), arrays[i]);
    assert_ptr_not_equal(tileArrayFind(first + arrays[i]->bytes), arrays[i]);
    assert_ptr_not_equal(tileArrayFind(first - 1), arrays[i]);
  }
  int local = 0;
  assert_null(tileArrayFind(&local));
  assert_null(tileArrayFind(NULL));
  for (int i = 0; i < COUNT; ++i) tileArrayDestroy(arrays[i]);
}

//===- Contents -----------------------------------------------------------===//

static void fillsConvertTheValue(void **state) {
  (void)state;
  for (int t = 0; t < TILE_ELEMENT_TYPE_COUNT; ++t) {
    TileArray *array = make((TileElementType)t, 1, 1001, 0, 0);
    fillArray(array, 1);
    for (int64_t i = 0; i < 1001; ++i) assert_near(tileArrayGetElement(array, i), 1, 0);
    tileArrayDestroy(array);
  }
  TileArray *large = make(TILE_ELEMENT_I16, 2, 1500, 1001, 0);
  fillArray(large, -7);
  for (int64_t i = 0; i < large->count; ++i)
    if (tileArrayGetElement(large, i) != -7) fail_msg("element %lld", (long long)i);
  tileArrayDestroy(large);
}

static void randomNumbersArePhilox(void **state) {
  (void)state;
  // Known answers of the Random123 library (kat_vectors): philox4x32, 10 rounds, counter and key 0.
  const uint32_t words[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  TileArray *array = make(TILE_ELEMENT_F32, 1, 4, 0, 0);
  tileArrayFillRandom(array, 0);
  for (int i = 0; i < 4; ++i)
    assert_near(tileArrayGetElement(array, i), (words[i] >> 8) * 0x1p-23 - 1, 0);
  TileArray *wide = make(TILE_ELEMENT_F64, 1, 2, 0, 0);
  tileArrayFillRandom(wide, 0);
  uint64_t bits = ((uint64_t)words[2] << 32 | words[3]) >> 11;
  assert_near(tileArrayGetElement(wide, 1), (double)bits * 0x1p-52 - 1, 0);
  TileArray *bytes = make(TILE_ELEMENT_I8, 1, 4, 0, 0);
  tileArrayFillRandom(bytes, 0);
  for (int i = 0; i < 4; ++i)
    assert_near(tileArrayGetElement(bytes, i), (int)(words[i] >> 28) - 8, 0);
  tileArrayDestroy(array);
  tileArrayDestroy(wide);
  tileArrayDestroy(bytes);
}

static void randomNumbersDoNotDependOnTheSplit(void **state) {
  (void)state;
  // A large array is filled by many threads; its beginning must equal a small one's.
  for (int t = 0; t < TILE_ELEMENT_TYPE_COUNT; ++t) {
    TileArray *large = make((TileElementType)t, 1, (1 << 20) + 4321, 0, 0);
    TileArray *small = make((TileElementType)t, 1, 1 << 20, 0, 0);
    tileArrayFillRandom(large, 42);
    tileArrayFillRandom(small, 42);
    assert_memory_equal(large->host, small->host, small->bytes);
    tileArrayFillRandom(small, 43);
    assert_true(memcmp(large->host, small->host, small->bytes) != 0);
    tileArrayDestroy(large);
    tileArrayDestroy(small);
  }
}

static void randomNumbersAreUniformInTheirRange(void **state) {
  (void)state;
  for (int t = 0; t < TILE_ELEMENT_TYPE_COUNT; ++t) {
    TileElementType type = (TileElementType)t;
    bool integer = tileElementIsInteger(type);
    double low = type == TILE_ELEMENT_I1 ? 0 : integer ? -8 : -1;
    double high = type == TILE_ELEMENT_I1 ? 1 : integer ? 7 : 1;
    // The mean and variance of 2^p equidistant steps; 2^24 and more act as a continuum.
    double steps = ldexp(1, (int)tileElementGetPrecision(type));
    double mean = integer ? (low + high) / 2 : -1 / steps;
    double levels = type == TILE_ELEMENT_I1 ? 2 : 16;
    double variance = integer ? (levels * levels - 1) / 12 : (1 - 1 / (steps * steps)) / 3;
    TileArray *array = make(type, 1, 200000, 0, 0);
    tileArrayFillRandom(array, 7);
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < array->count; ++i) {
      double value = tileArrayGetElement(array, i);
      assert_true(value >= low && (integer ? value <= high : value < high));
      sum += value;
      squares += (value - mean) * (value - mean);
    }
    double spread = sqrt(variance / (double)array->count);
    assert_near(sum / (double)array->count, mean, 5 * spread);
    assert_near(squares / (double)array->count, variance, 0.02 * variance);
    tileArrayDestroy(array);
  }
}

//===- Comparing ----------------------------------------------------------===//

static void equalArraysPass(void **state) {
  (void)state;
  TileArray *a = make(TILE_ELEMENT_F32, 2, 30, 40, 0);
  TileArray *b = make(TILE_ELEMENT_F32, 2, 30, 40, 0);
  tileArrayFillRandom(a, 1);
  tileArrayFillRandom(b, 1);
  set(a, 5, INFINITY), set(b, 5, INFINITY);
  TileComparison result;
  assert_true(tileArrayCompare(a, b, 0, 0, &result, &error));
  assert_true(result.passed);
  assert_near(result.maxAbsError, 0, 0);
  assert_true(tileComparisonCheck(&result, &error));
  tileArrayDestroy(a);
  tileArrayDestroy(b);
}

static void theWorstElementIsTold(void **state) {
  (void)state;
  TileArray *got = make(TILE_ELEMENT_F16, 3, 2, 3, 4);
  TileArray *want = make(TILE_ELEMENT_F64, 3, 2, 3, 4);
  fillArray(got, 1);
  fillArray(want, 1);
  set(got, 7, 1.25);
  set(got, 17, 2); // [1, 1, 1]
  set(got, 20, 0.5);
  TileComparison result;
  assert_true(tileArrayCompare(got, want, 0.125, 0.25, &result, &error));
  assert_false(result.passed);
  assert_int_equal(result.failures, 2);
  assert_int_equal(result.worst, 17);
  assert_int_equal(result.worstIndex[0], 1);
  assert_int_equal(result.worstIndex[1], 1);
  assert_int_equal(result.worstIndex[2], 1);
  assert_near(result.maxAbsError, 1, 0);
  assert_near(result.maxRelError, 1, 0);
  assert_near(result.frobeniusError, sqrt((.0625 + 1 + .25) / 24), 1e-12);
  assert_false(tileComparisonCheck(&result, &error));
  assert_message("expected 1 within atol 0.125 and rtol 0.25 at [1, 1, 1], found 2; 2 of 24 "
                 "elements are off, largest absolute error 1, largest relative error 1");
  tileArrayDestroy(got);
  tileArrayDestroy(want);
}

/// Whether a single element passes.
static bool passes(double got, double want, double atol, double rtol) {
  TileArray *a = make(TILE_ELEMENT_F64, 0, 0, 0, 0);
  TileArray *b = make(TILE_ELEMENT_F64, 0, 0, 0, 0);
  set(a, 0, got), set(b, 0, want);
  TileComparison result;
  assert_true(tileArrayCompare(a, b, atol, rtol, &result, &error));
  tileArrayDestroy(a);
  tileArrayDestroy(b);
  return result.passed;
}

static void toleranceIsAbsolutePlusRelative(void **state) {
  (void)state;
  assert_true(passes(1.5, 1, 0.5, 0));
  assert_false(passes(1.5, 1, 0.25, 0.125));
  assert_true(passes(1.5, 1, 0.25, 0.25));
  assert_true(passes(-6, -4, 0, 0.5));
  assert_false(passes(0x1p-60, 0, 0, 1));
}

static void nanNeverPasses(void **state) {
  (void)state;
  double nan = (double)NAN, inf = (double)INFINITY;
  assert_false(passes(nan, nan, 1, 1));
  assert_false(passes(nan, 1, inf, 0));
  assert_false(passes(1, nan, inf, inf));
  assert_false(passes(inf, -inf, inf, 1));
  assert_false(passes(1, inf, 1, 1));
  assert_false(passes(inf, 1, inf, 1));
  assert_true(passes(-inf, -inf, 0, 0));
}

static void nanIsTheWorst(void **state) {
  (void)state;
  TileArray *got = make(TILE_ELEMENT_F32, 1, 5, 0, 0);
  TileArray *want = make(TILE_ELEMENT_F32, 1, 5, 0, 0);
  set(got, 1, 1e30), set(got, 3, (double)NAN);
  TileComparison result;
  assert_true(tileArrayCompare(got, want, 0, 0, &result, &error));
  assert_int_equal(result.worst, 3);
  assert_int_equal(result.failures, 2);
  assert_true(isinf(result.maxAbsError));
  assert_true(isnan(result.frobeniusError));
  tileArrayDestroy(got);
  tileArrayDestroy(want);
}

static void integersCompareExactly(void **state) {
  (void)state;
  // As doubles these two are equal.
  const int64_t values[] = {(INT64_C(1) << 60) + 1, INT64_C(1) << 60};
  TileArray *got = make(TILE_ELEMENT_I64, 1, 1, 0, 0);
  TileArray *want = make(TILE_ELEMENT_I64, 1, 1, 0, 0);
  memcpy(got->host, &values[0], 8);
  memcpy(want->host, &values[1], 8);
  TileComparison result;
  assert_true(tileArrayCompare(got, want, 0, 0, &result, &error));
  assert_false(result.passed);
  assert_near(result.maxAbsError, 1, 0);
  tileArrayDestroy(got);
  tileArrayDestroy(want);
}

/// Every number of 16 bits is what tileElementToDouble says that it is; NaN alone fails.
static void halvesCompareAsTheNumbersTheyAre(void **state) {
  (void)state;
  const struct {
    TileElementType type;
    int64_t nans;
  } kinds[] = {{TILE_ELEMENT_F16, 2 * 1023}, {TILE_ELEMENT_BF16, 2 * 127}};
  for (int k = 0; k < 2; ++k) {
    TileArray *got = make(kinds[k].type, 1, 65536, 0, 0);
    TileArray *want = make(TILE_ELEMENT_F64, 1, 65536, 0, 0);
    for (unsigned i = 0; i < 65536; ++i) {
      const uint16_t bits = (uint16_t)i;
      ((uint16_t *)got->host)[i] = bits;
      ((double *)want->host)[i] = tileElementToDouble(kinds[k].type, &bits);
    }
    TileComparison result;
    assert_true(tileArrayCompare(got, want, 0, 0, &result, &error));
    assert_int_equal(result.failures, kinds[k].nans);
    assert_true(isnan(result.worstWant));
    tileArrayDestroy(got);
    tileArrayDestroy(want);
  }
}

static void emptyArraysPass(void **state) {
  (void)state;
  TileArray *a = make(TILE_ELEMENT_F32, 1, 0, 0, 0), *b = make(TILE_ELEMENT_F32, 1, 0, 0, 0);
  TileComparison result;
  assert_true(tileArrayCompare(a, b, 0, 0, &result, &error));
  assert_true(result.passed);
  assert_int_equal(result.worst, -1);
  tileArrayDestroy(a);
  tileArrayDestroy(b);
}

static void differentShapesDoNotCompare(void **state) {
  (void)state;
  TileArray *a = make(TILE_ELEMENT_F32, 2, 3, 4, 0), *b = make(TILE_ELEMENT_F16, 2, 4, 3, 0);
  TileComparison result;
  assert_false(tileArrayCompare(a, b, 0, 0, &result, &error));
  assert_message("expected arrays of one shape, found 3x4xf32 to compare with 4x3xf16");
  assert_false(tileArrayCompare(a, a, -1, 0, &result, &error));
  assert_message("expected tolerances of 0 or more, found atol -1 and rtol 0");
  assert_false(tileArrayCompare(a, a, 0, (double)NAN, &result, &error));
  tileArrayDestroy(a);
  tileArrayDestroy(b);
}

static void largeArraysCompareInParallel(void **state) {
  (void)state;
  TileArray *got = make(TILE_ELEMENT_F32, 2, 1200, 1001, 0);
  TileArray *want = make(TILE_ELEMENT_F32, 2, 1200, 1001, 0);
  fillArray(got, 2);
  fillArray(want, 2);
  set(got, 1111111, 3), set(got, 222222, 3);
  TileComparison result;
  assert_true(tileArrayCompare(got, want, 0.5, 0, &result, &error));
  assert_int_equal(result.failures, 2);
  assert_int_equal(result.worst, 222222); // the first among equals
  assert_near(result.frobeniusError, sqrt(2 / (4.0 * 1200 * 1001)), 1e-15);
  tileArrayDestroy(got);
  tileArrayDestroy(want);
}

//===- Printing -----------------------------------------------------------===//

static void assertPrints(TileArray *array, unsigned edge, const char *want) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assert_true(tileArrayPrint(stream, array, edge, &error));
  fclose(stream);
  assert_string_equal(text, want);
  free(text);
}

static void smallArraysPrintWhole(void **state) {
  (void)state;
  TileArray *array = make(TILE_ELEMENT_F32, 2, 2, 3, 0);
  for (int i = 0; i < 6; ++i) set(array, i, i * 2.5 - 5);
  assertPrints(array, 0, "2x3xf32\n[[  -5 -2.5    0]\n [ 2.5    5  7.5]]\n");
  tileArrayDestroy(array);
  TileArray *integers = make(TILE_ELEMENT_I64, 1, 2, 0, 0);
  const int64_t values[] = {INT64_MAX, -1};
  memcpy(integers->host, values, sizeof values);
  assertPrints(integers, 0, "2xi64\n[9223372036854775807                  -1]\n");
  tileArrayDestroy(integers);
  TileArray *scalar = make(TILE_ELEMENT_BF16, 0, 0, 0, 0);
  set(scalar, 0, 0.5);
  assertPrints(scalar, 0, "bf16\n0.5\n");
  tileArrayDestroy(scalar);
  TileArray *special = make(TILE_ELEMENT_F16, 1, 3, 0, 0);
  set(special, 0, -(double)NAN), set(special, 1, -(double)INFINITY), set(special, 2, 0.1);
  assertPrints(special, 0, "3xf16\n[     nan     -inf 0.099976]\n");
  tileArrayDestroy(special);
}

static void largeArraysAreShortened(void **state) {
  (void)state;
  TileArray *array = make(TILE_ELEMENT_I32, 2, 100, 100, 0);
  for (int i = 0; i < 10000; ++i) set(array, i, i);
  assertPrints(array, 2,
               "100x100xi32\n"
               "[[   0    1 ...   98   99]\n"
               " [ 100  101 ...  198  199]\n"
               " ...\n"
               " [9800 9801 ... 9898 9899]\n"
               " [9900 9901 ... 9998 9999]]\n");
  tileArrayDestroy(array);
  TileArray *vector = make(TILE_ELEMENT_I8, 1, 5000, 0, 0);
  assertPrints(vector, 0, "5000xi8\n[0 0 0 ... 0 0 0]\n");
  tileArrayDestroy(vector);
}

static void emptyArraysPrint(void **state) {
  (void)state;
  TileArray *array = make(TILE_ELEMENT_F32, 2, INT64_C(1) << 40, 0, 0);
  assertPrints(array, 0, "1099511627776x0xf32\n[]\n");
  tileArrayDestroy(array);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arraysAreZeroAlignedRowMajor),
      cmocka_unit_test(largeArraysLieOnHugePages),
      cmocka_unit_test(scalarsAndEmptyArraysExist),
      cmocka_unit_test(impossibleShapesAreRefused),
      cmocka_unit_test(pointersFindTheirArray),
      cmocka_unit_test(fillsConvertTheValue),
      cmocka_unit_test(randomNumbersArePhilox),
      cmocka_unit_test(randomNumbersDoNotDependOnTheSplit),
      cmocka_unit_test(randomNumbersAreUniformInTheirRange),
      cmocka_unit_test(equalArraysPass),
      cmocka_unit_test(theWorstElementIsTold),
      cmocka_unit_test(toleranceIsAbsolutePlusRelative),
      cmocka_unit_test(nanNeverPasses),
      cmocka_unit_test(nanIsTheWorst),
      cmocka_unit_test(halvesCompareAsTheNumbersTheyAre),
      cmocka_unit_test(integersCompareExactly),
      cmocka_unit_test(emptyArraysPass),
      cmocka_unit_test(differentShapesDoNotCompare),
      cmocka_unit_test(largeArraysCompareInParallel),
      cmocka_unit_test(smallArraysPrintWhole),
      cmocka_unit_test(largeArraysAreShortened),
      cmocka_unit_test(emptyArraysPrint),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tileErrorDestroy(&error);
  return failed;
}
