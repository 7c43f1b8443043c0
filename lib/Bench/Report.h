//===- Report.h - what a benchmark found, and who writes it ---------------===//
//
// Rows are added as points are measured; the writers only read.
//===----------------------------------------------------------------------===//
#ifndef TILE_BENCH_REPORT_H
#define TILE_BENCH_REPORT_H

#include "tile/Bench.h"
#include "tile/Target/Resources.h"
#include <stdio.h>

typedef enum BenchStatus { BENCH_OK, BENCH_OUT_OF_MEMORY, BENCH_FAILED } BenchStatus;

/// One launch (or provider) at one point.
typedef struct BenchRow {
  char *line, *kernel, *arguments;
  /// What was bound, on the command line or by the launch, and what tuning found:
  /// "BM=64,num_warps=4"; "" for the kernel's defaults, NULL for a provider.
  char *config;
  size_t point;
  BenchStatus status;
  /// The first line of what went wrong, NULL where nothing did.
  char *message;
  /// Seconds on the device, sorted upwards; the host's for a launch.
  double *samples;
  TileStatistics seconds, host;
  /// tileSteadyGetDrift of the samples as they were taken.
  double drift;
  bool replayed;
  int64_t operations, bytes;
  /// The most operations a second that the device has for this kernel; 0 when unknown.
  double peakOperations;
  TileSensorReading before, after;
  TileProgramLaunch launch;
} BenchRow;

/// The resources of one kernel in one configuration.
typedef struct BenchResources {
  char *line, *kernel, *config;
  TileResources found;
} BenchResources;

typedef struct BenchReport {
  const TileBenchOptions *options;
  /// "NVIDIA H200"; "CUDA 13.0, driver 580.65.06".
  char device[160], driver[128], date[32];
  bool onGpu;
  int multiprocessors;
  /// Bytes a second, 0 when unknown.
  double peakBytes;
  BenchRow *rows;
  size_t numRows, capacityRows;
  BenchResources *resources;
  size_t numResources;
  bool interrupted;
} BenchReport;

/// The percentiles that files keep.
extern const int benchPercentiles[];
enum { BENCH_NUM_PERCENTILES = 17 };

/// A new row at the end, valid until the next; its strings are freed with the report.
BenchRow *benchReportAdd(BenchReport *report, const char *line, size_t point);
void benchReportDestroy(BenchReport *report);

//===- figures of a row ---------------------------------------------------===//

typedef enum BenchMetric { BENCH_GBPS, BENCH_TFLOPS, BENCH_MS } BenchMetric;
enum { BENCH_NUM_METRICS = 3 };

const char *benchMetricGetName(BenchMetric metric);
/// The metric of a row that takes `seconds`; 0 where the kernel declares no cost.
double benchRowGetMetric(const BenchRow *row, BenchMetric metric, double seconds);
/// The larger of the shares of the two peaks, 0 when unknown.
double benchRowGetPeakShare(const BenchReport *report, const BenchRow *row);
/// What the plot shows: the rate whose peak is nearer, ms where kernels declare nothing.
BenchMetric benchReportChooseMetric(const BenchReport *report);
/// Does any row have it?
bool benchReportHasMetric(const BenchReport *report, BenchMetric metric);

/// "n = 512, k = 64": a point's variables.
void benchDescribePoint(const BenchReport *report, size_t point, char *text, size_t size);

//===- writers ------------------------------------------------------------===//

void benchWriteCsv(FILE *file, const BenchReport *report);
bool benchWriteJson(FILE *file, const BenchReport *report);
/// An <svg> element, with the XML header before it if `alone`.
void benchWriteSvg(FILE *file, const BenchReport *report, BenchMetric metric, bool alone);
void benchWriteHtml(FILE *file, const BenchReport *report);
/// Runs gnuplot, which writes `path` itself.
bool benchWritePng(const char *path, const BenchReport *report, BenchMetric metric,
                   TileError *error);
/// The files that the options ask for, those of other programs (PNG) if `all`; every one is tried.
/// False after messages on stderr.
bool benchWriteFiles(const BenchReport *report, bool all);

/// `text` with & < > " as entities.
void benchWriteEscaped(FILE *file, const char *text);

//===- lines of a plot ----------------------------------------------------===//

/// One line: rows that were measured, sorted by x.
typedef struct BenchSeries {
  char *name;
  struct BenchDot {
    double x, low, middle, high;
    const BenchRow *row;
  } *dots;
  size_t count;
} BenchSeries;

typedef struct BenchPlot {
  BenchSeries *series;
  size_t count;
  double xMin, xMax, yMin, yMax;
  /// The values of x grow by a factor rather than by a step.
  bool logarithmic;
  /// So do the times along y; rates always begin at 0.
  bool logarithmicY;
} BenchPlot;

/// Is there one point on each line, a bar then?
static inline bool benchPlotHasBars(const BenchPlot *plot) { return plot->xMax <= plot->xMin; }

BenchPlot benchPlotCreate(const BenchReport *report, BenchMetric metric);
void benchPlotDestroy(BenchPlot *plot);
/// "#0072b2" and so on; the colours of Okabe and Ito, which most eyes tell apart.
const char *benchPlotGetColor(size_t series);
/// What is along x: "n", "m = n = k" where one sweep sets several, "" for a plot of one point.
void benchPlotDescribeAxis(const BenchReport *report, char *text, size_t size);

#endif // TILE_BENCH_REPORT_H
