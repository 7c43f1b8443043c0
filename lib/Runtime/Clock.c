//===- Clock.c - a monotonic clock and order statistics -------------------===//
#include "tile/Runtime/Clock.h"
#include <stdlib.h>
#include <time.h>

double tileClockGetSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compareSamples(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double tileStatisticsQuantile(const double *sorted, size_t count, double q) {
  if (!count) return 0;
  double position = q * (double)(count - 1);
  size_t below = (size_t)position;
  if (below + 1 >= count) return sorted[count - 1];
  double share = position - (double)below;
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

TileStatistics tileStatisticsCompute(double *samples, size_t count) {
  TileStatistics result = {.count = count};
  if (!count) return result;
  qsort(samples, count, sizeof *samples, compareSamples);
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += samples[i];
  result.min = samples[0];
  result.max = samples[count - 1];
  result.mean = sum / (double)count;
  result.median = tileStatisticsQuantile(samples, count, 0.5);
  result.low = tileStatisticsQuantile(samples, count, 0.2);
  result.high = tileStatisticsQuantile(samples, count, 0.8);
  return result;
}
