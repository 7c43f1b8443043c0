//===- Series.c - rows as the lines of a plot -----------------------------===//
#include "Report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void benchPlotDescribeAxis(const BenchReport *report, char *text, size_t size) {
  const TileSpace *space = report->options->space;
  size_t used = 0;
  text[0] = 0;
  for (size_t v = 0; v < tileSpaceGetNumVariables(space) && used < size; ++v)
    if (tileSpaceIsJoint(space, v, tileSpaceGetAxis(space)))
      used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " = " : "",
                               tileSpaceGetVariable(space, v));
}

/// The row's line, with the variables that are not along x: "matmul, k = 64".
static void nameSeries(const BenchReport *report, const BenchRow *row, char *text, size_t size) {
  const TileSpace *space = report->options->space;
  size_t used = (size_t)snprintf(text, size, "%s", row->line);
  if (!tileSpaceGetNumVariables(space)) return;
  size_t axis = tileSpaceGetAxis(space);
  for (size_t v = 0; v < tileSpaceGetNumVariables(space) && used < size; ++v)
    if (!tileSpaceIsJoint(space, v, axis))
      used +=
          (size_t)snprintf(text + used, size - used, ", %s = %lld", tileSpaceGetVariable(space, v),
                           (long long)tileSpaceGetValue(space, row->point, v));
}

static BenchSeries *findSeries(BenchPlot *plot, const BenchReport *report, const char *name) {
  for (size_t i = 0; i < plot->count; ++i)
    if (!strcmp(plot->series[i].name, name)) return &plot->series[i];
  BenchSeries *series = &plot->series[plot->count++];
  series->name = strdup(name);
  if (!series->name) abort();
  series->dots = tileRuntimeAlloc(report->numRows * sizeof *series->dots);
  return series;
}

static int compareDots(const void *a, const void *b) {
  const struct BenchDot *x = a, *y = b;
  return (x->x > y->x) - (x->x < y->x);
}

/// Whether the middle value is nearer to the geometric mean of the outer ones than to the
/// arithmetic one.
static bool growsByFactor(const BenchSeries *series) {
  if (series->count < 3) return false;
  double first = series->dots[0].x, last = series->dots[series->count - 1].x;
  double middle = series->dots[series->count / 2].x;
  if (first <= 0 || last < 4 * first) return false;
  return fabs(middle - sqrt(first * last)) < fabs(middle - (first + last) / 2);
}

BenchPlot benchPlotCreate(const BenchReport *report, BenchMetric metric) {
  BenchPlot plot = {.series = tileRuntimeAlloc((report->numRows + 1) * sizeof *plot.series)};
  const TileSpace *space = report->options->space;
  size_t axis = tileSpaceGetAxis(space);
  bool any = false;
  for (size_t i = 0; i < report->numRows; ++i) {
    const BenchRow *row = &report->rows[i];
    double middle = benchRowGetMetric(report, row, metric, row->seconds.median);
    if (row->status != BENCH_OK || middle <= 0) continue;
    char name[512];
    nameSeries(report, row, name, sizeof name);
    BenchSeries *series = findSeries(&plot, report, name);
    double x =
        tileSpaceGetNumVariables(space) ? (double)tileSpaceGetValue(space, row->point, axis) : 0;
    double fast = benchRowGetMetric(report, row, metric, row->seconds.low);
    double slow = benchRowGetMetric(report, row, metric, row->seconds.high);
    struct BenchDot dot = {x, fmin(fast, slow), middle, fmax(fast, slow), row};
    series->dots[series->count++] = dot;
    plot.xMin = any ? fmin(plot.xMin, x) : x;
    plot.xMax = any ? fmax(plot.xMax, x) : x;
    plot.yMin = any ? fmin(plot.yMin, dot.low) : dot.low;
    plot.yMax = fmax(plot.yMax, dot.high);
    any = true;
  }
  for (size_t i = 0; i < plot.count; ++i)
    qsort(plot.series[i].dots, plot.series[i].count, sizeof *plot.series[i].dots, compareDots);
  plot.logarithmic = plot.count && growsByFactor(&plot.series[0]);
  plot.logarithmicY = metric != BENCH_RATIO && plot.logarithmic && plot.yMax > 20 * plot.yMin;
  return plot;
}

void benchPlotDestroy(BenchPlot *plot) {
  for (size_t i = 0; i < plot->count; ++i) {
    free(plot->series[i].name);
    free(plot->series[i].dots);
  }
  free(plot->series);
}
