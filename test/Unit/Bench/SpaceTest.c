// RUN: %unit/SpaceTest
//
// Sweeps: what they mean and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Bench.h"
#include <cmocka.h>

static TileError error;

static TileSpace *make(const char *sweep) {
  TileSpace *space = tileSpaceCreate(&sweep, 1, &error);
  if (!space) fail_msg("%s", tileErrorGetMessage(&error));
  return space;
}

static void expectValues(const char *sweep, size_t count, const int64_t *values) {
  TileSpace *space = make(sweep);
  assert_int_equal(tileSpaceGetNumPoints(space), count);
  for (size_t i = 0; i < count; ++i) assert_int_equal(tileSpaceGetValue(space, i, 0), values[i]);
  tileSpaceDestroy(space);
}

static void expectError(const char *sweep, const char *message) {
  assert_null(tileSpaceCreate(&sweep, 1, &error));
  assert_string_equal(tileErrorGetMessage(&error), message);
}

static void rangesAndListsMix(void **state) {
  (void)state;
  expectValues("n=256..2048:x2", 4, (const int64_t[]){256, 512, 1024, 2048});
  expectValues("n=3..20:x3", 2, (const int64_t[]){3, 9});
  expectValues("n=0..10:+5", 3, (const int64_t[]){0, 5, 10});
  expectValues("n=512,1000,4095", 3, (const int64_t[]){512, 1000, 4095});
  expectValues("n=7,2^4..2^6:x2,-1", 5, (const int64_t[]){7, 16, 32, 64, -1});
  // The last step would pass the largest number there is.
  expectValues("n=2^62..9223372036854775807:x2", 1, (const int64_t[]){INT64_C(1) << 62});
}

static void severalSweepsMultiply(void **state) {
  (void)state;
  const char *sweeps[] = {"a=1,2", "m,n=5..7:+1"};
  TileSpace *space = tileSpaceCreate(sweeps, 2, &error);
  assert_non_null(space);
  assert_int_equal(tileSpaceGetNumPoints(space), 6);
  assert_int_equal(tileSpaceGetNumVariables(space), 3);
  assert_string_equal(tileSpaceGetVariable(space, 2), "n");
  const int64_t want[6][3] = {{1, 5, 5}, {1, 6, 6}, {1, 7, 7}, {2, 5, 5}, {2, 6, 6}, {2, 7, 7}};
  for (size_t p = 0; p < 6; ++p)
    for (size_t v = 0; v < 3; ++v) assert_int_equal(tileSpaceGetValue(space, p, v), want[p][v]);
  // The sweep with the most values is along x.
  assert_int_equal(tileSpaceGetAxis(space), 1);
  assert_true(tileSpaceIsJoint(space, 1, 2));
  assert_false(tileSpaceIsJoint(space, 0, 2));
  tileSpaceDestroy(space);
}

static void noSweepIsOnePoint(void **state) {
  (void)state;
  TileSpace *space = tileSpaceCreate(NULL, 0, &error);
  assert_int_equal(tileSpaceGetNumPoints(space), 1);
  assert_int_equal(tileSpaceGetNumVariables(space), 0);
  tileSpaceDestroy(space);
}

static void whatIsNoSweepIsRefused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "",          "n",         "=1",        "n=",     "n=x",
      "n=1,",      ",n=1",      "n,=1",      "n=1..5", "n=1..5:x1",
      "n=1..5:+0", "n=0..5:x2", "n=1..5:*2", "n=1 2",  "n= 1",
      "n=2^64",    "n=1..:x2",  "n m=1",     "n=2^-1", "n=99999999999999999999"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char message[256];
    snprintf(message, sizeof message,
             "expected a sweep such as n=256..8192:x2, n=0..100:+10 or n=512,1000,4095, found '%s'",
             wrong[i]);
    expectError(wrong[i], message);
  }
}

static void emptyAndEndlessSpacesAreRefused(void **state) {
  (void)state;
  expectError("n=8..4:x2", "expected at least one value in the sweep 'n=8..4:x2', found none");
  expectError("n=0..100000:+1", "expected at most 100000 values in a sweep, found more");
  expectError("n,n=1", "expected each variable in one --sweep, found 'n' in two");
  const char *large[] = {"a=1..1000:+1", "b=1..1000:+1"};
  assert_null(tileSpaceCreate(large, 2, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected at most 100000 points in all sweeps together, found more");
  const char *twice[] = {"n=1", "n=2"};
  assert_null(tileSpaceCreate(twice, 2, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected each variable in one --sweep, found 'n' in two");
}

static int cleanUp(void **state) {
  (void)state;
  tileErrorDestroy(&error);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rangesAndListsMix),
      cmocka_unit_test(severalSweepsMultiply),
      cmocka_unit_test(noSweepIsOnePoint),
      cmocka_unit_test(whatIsNoSweepIsRefused),
      cmocka_unit_test(emptyAndEndlessSpacesAreRefused),
  };
  return cmocka_run_group_tests(tests, NULL, cleanUp);
}
