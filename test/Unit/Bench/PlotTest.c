// RUN: %unit/PlotTest
//
// Axes of a plot, from times that are given: what is measured differs from machine to machine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/Bench/Report/Report.h"
#include <cmocka.h>

/// The plot of one kernel that takes seconds[i] at the i-th point of `sweep`; freed by the caller.
static char *draw(const char *sweep, const double *seconds, BenchMetric metric) {
  TileError error = {0};
  TileBenchOptions options = {.space = tileSpaceCreate(&sweep, 1, &error), .title = "given"};
  assert_non_null(options.space);
  BenchReport report = {.options = &options, .device = "cpu"};
  for (size_t i = 0; i < tileSpaceGetNumPoints(options.space); ++i) {
    BenchRow *row = benchReportAdd(&report, "fill", i);
    double t = seconds[i];
    row->seconds = (TileStatistics){.count = 3, .low = t, .median = t, .high = t};
    row->bytes = 1000000;
  }
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  assert_non_null(file);
  benchWriteSvg(file, &report, metric, true);
  fclose(file);
  benchReportDestroy(&report);
  tileSpaceDestroy((TileSpace *)options.space);
  return text;
}

static void expectTick(const char *plot, const char *label, bool there) {
  char tick[64];
  snprintf(tick, sizeof tick, "text-anchor=\"end\">%s</text>", label);
  if (!strstr(plot, tick) == there)
    fail_msg("expected %s tick '%s', found\n%s", there ? "a" : "no", label, plot);
}

static void timesThatSpanSizesGrowByPowersOfTen(void **state) {
  (void)state;
  char *plot = draw("n=2^6,2^14,2^22", (double[]){2e-5, 4e-5, 5e-4}, BENCH_MS);
  assert_non_null(strstr(plot, "ms on cpu"));
  const char *const ticks[] = {"0.02", "0.05", "0.1", "0.2", "0.5"};
  for (size_t i = 0; i < sizeof ticks / sizeof *ticks; ++i) expectTick(plot, ticks[i], true);
  expectTick(plot, "0", false);
  expectTick(plot, "1", false);
  free(plot);
}

static void timesOfOneSizeBeginAtNought(void **state) {
  (void)state;
  char *plot = draw("n=2^6,2^14,2^22", (double[]){4e-5, 4e-5, 5e-4}, BENCH_MS);
  expectTick(plot, "0", true);
  expectTick(plot, "0.01", false);
  free(plot);
  plot = draw("n=100,200,300", (double[]){2e-5, 4e-5, 5e-4},
              BENCH_MS); // A step between sizes, no factor.
  expectTick(plot, "0", true);
  free(plot);
}

static void ratesThatSpanSizesDoSoToo(void **state) {
  (void)state;
  char *plot = draw("n=2^6,2^14,2^22", (double[]){2e-5, 4e-5, 5e-1}, BENCH_GBPS);
  assert_non_null(strstr(plot, "GB/s"));
  expectTick(plot, "0", false);
  expectTick(plot, "0.01", true); // Over more than two powers, the powers alone.
  expectTick(plot, "0.02", false);
  expectTick(plot, "10", true);
  free(plot);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(timesThatSpanSizesGrowByPowersOfTen),
      cmocka_unit_test(timesOfOneSizeBeginAtNought),
      cmocka_unit_test(ratesThatSpanSizesDoSoToo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
