//===- Clock.h - a monotonic clock and order statistics -------------------===//
//
// Timing is reported as a median with its spread, never as a mean of a few runs:
//
//   for (size_t i = 0; i < 50; ++i) {
//     double start = tileClockGetSeconds();
//     work();
//     samples[i] = tileClockGetSeconds() - start;
//   }
//   TileStatistics stats = tileStatisticsCompute(samples, 50);
//
// Timing.h does this with all that a device needs around it.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_CLOCK_H
#define TILE_RUNTIME_CLOCK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Seconds since an arbitrary fixed moment; never goes back; resolution about 50 ns.
double tileClockGetSeconds(void);

typedef struct TileStatistics {
  size_t count;
  double min, max, median, mean;
  /// The 20 % and 80 % quantiles.
  double low, high;
} TileStatistics;

/// Statistics of `count` samples, sorting them in place; all zero for no samples. Units are the
/// samples' own. NaN samples are not allowed.
TileStatistics tileStatisticsCompute(double *samples, size_t count);

/// The quantile `q` in [0, 1] of samples sorted upwards, linear between neighbours (definition 7 of
/// Hyndman and Fan, "Sample quantiles in statistical packages", 1996: the default of R and numpy).
/// 0 for no samples.
double tileStatisticsQuantile(const double *sorted, size_t count, double q);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_CLOCK_H
