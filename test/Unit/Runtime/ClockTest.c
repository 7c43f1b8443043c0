// RUN: %unit/ClockTest
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/Clock.h"
#include <cmocka.h>
#include <math.h>

/// cmocka 1.1 compares floats only.
#define assert_near(got, want, tolerance)                                                          \
  assert_true(fabs((double)(got) - (double)(want)) <= (tolerance))

static void clockNeverGoesBack(void **state) {
  (void)state;
  double first = tileClockGetSeconds(), last = first;
  for (int i = 0; i < 100000; ++i) {
    double now = tileClockGetSeconds();
    assert_true(now >= last);
    last = now;
  }
  assert_true(last > first);
}

static void quantilesAreLinearBetweenSamples(void **state) {
  (void)state;
  const double sorted[] = {1, 2, 4, 8};
  // numpy.quantile([1, 2, 4, 8], [0, .1, .5, .75, 1]) = 1, 1.3, 3, 5, 8
  assert_near(tileStatisticsQuantile(sorted, 4, 0), 1, 1e-12);
  assert_near(tileStatisticsQuantile(sorted, 4, .1), 1.3, 1e-12);
  assert_near(tileStatisticsQuantile(sorted, 4, .5), 3, 1e-12);
  assert_near(tileStatisticsQuantile(sorted, 4, .75), 5, 1e-12);
  assert_near(tileStatisticsQuantile(sorted, 4, 1), 8, 1e-12);
  assert_near(tileStatisticsQuantile(sorted, 0, .5), 0, 0);
}

static void statisticsSortTheSamples(void **state) {
  (void)state;
  double samples[] = {5, 1, 4, 2, 3};
  TileStatistics stats = tileStatisticsCompute(samples, 5);
  assert_int_equal(stats.count, 5);
  assert_near(stats.min, 1, 0);
  assert_near(stats.max, 5, 0);
  assert_near(stats.median, 3, 0);
  assert_near(stats.mean, 3, 1e-12);
  assert_near(stats.low, 1.8, 1e-12);
  assert_near(stats.high, 4.2, 1e-12);
  for (int i = 0; i < 5; ++i) assert_near(samples[i], i + 1, 0);
}

static void noSamplesGiveZeros(void **state) {
  (void)state;
  TileStatistics stats = tileStatisticsCompute(NULL, 0);
  assert_int_equal(stats.count, 0);
  assert_near(stats.median, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clockNeverGoesBack),
      cmocka_unit_test(quantilesAreLinearBetweenSamples),
      cmocka_unit_test(statisticsSortTheSamples),
      cmocka_unit_test(noSamplesGiveZeros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
