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
  /// Seconds on the device, sorted upwards, and in the order they were taken.
  double *samples, *taken;
  TileStatistics seconds, host;
  /// tileSteadyGetDrift of the samples as they were taken.
  double drift;
  bool replayed;
  /// What it does is arithmetic more than traffic: its operations make a rate worth showing.
  bool multiplies;
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
  /// The machine that launched it, and its processor.
  char host[80], processor[80];
  /// The line that ratios are to; NULL before the first point, "" where there is just one line.
  const char *reference;
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
/// Frees what a row owns, not the row.
void benchRowDestroy(BenchRow *row);
void benchReportDestroy(BenchReport *report);

//===- figures of a row ---------------------------------------------------===//

/// BENCH_RATIO is how many times faster than the reference at the same point.
typedef enum BenchMetric { BENCH_GBPS, BENCH_TFLOPS, BENCH_MS, BENCH_RATIO } BenchMetric;
enum { BENCH_NUM_METRICS = 4 };

/// "GB/s", "TFLOP/s", "ms", "ratio".
const char *benchMetricGetName(BenchMetric metric);
/// The metric of a row that takes `seconds`; 0 where it is unknown: the kernel declares no cost, or
/// the reference was not measured at its point.
double benchRowGetMetric(const BenchReport *report, const BenchRow *row, BenchMetric metric,
                         double seconds);
/// The larger of the shares of the two peaks, 0 when unknown.
double benchRowGetPeakShare(const BenchReport *report, const BenchRow *row);
/// What the plot shows where the options do not say: the rate whose peak is nearer, ms where
/// kernels declare nothing.
BenchMetric benchReportChooseMetric(const BenchReport *report);
/// Settles `reference` once the first point has named the lines: the options' own, else the first
/// provider, else the first of several lines. False after a message: the options' line is not
/// there.
bool benchReportFindReference(BenchReport *report);
/// Prints how many times faster than the reference each other line ran.
void benchPrintRatios(const BenchReport *report);
/// Has a kernel of this cost so much to compute that its memory could not be what it waits for?
bool benchIsArithmetic(int64_t operations, int64_t bytes);
/// Does any row have it?
bool benchReportHasMetric(const BenchReport *report, BenchMetric metric);

/// "n = 512, k = 64": a point's variables.
void benchDescribePoint(const BenchReport *report, size_t point, char *text, size_t size);

//===- writers ------------------------------------------------------------===//

void benchWriteCsv(FILE *file, const BenchReport *report);
bool benchWriteJson(FILE *file, const BenchReport *report);
/// An <svg> element: a file of its own if `alone`, with header, style and the lines' names; else a
/// narrower one for a page that has the style and the names beside it.
void benchWriteSvg(FILE *file, const BenchReport *report, BenchMetric metric, bool alone);
/// The style of both, light and dark.
extern const char benchSvgStyle[];
void benchWriteHtml(FILE *file, const BenchReport *report);
/// The same plot as pixels, by rsvg-convert (librsvg).
bool benchWritePng(const char *path, const BenchReport *report, BenchMetric metric,
                   TileError *error);
typedef enum BenchStage {
  BENCH_PART,        ///< more points come
  BENCH_INTERRUPTED, ///< no more points come
  BENCH_END,         ///< this is the last time
} BenchStage;

/// The files that the options ask for: of a part none that another program makes (PNG), and only at
/// the end those that are devices or pipes. Every one is tried. False after messages on stderr.
bool benchWriteFiles(const BenchReport *report, BenchStage stage);

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
  /// So does what stands along y, over more than a power of ten; else it begins at 0.
  bool logarithmicY;
} BenchPlot;

/// Is there one point on each line, a bar then?
static inline bool benchPlotHasBars(const BenchPlot *plot) { return plot->xMax <= plot->xMin; }

BenchPlot benchPlotCreate(const BenchReport *report, BenchMetric metric);
void benchPlotDestroy(BenchPlot *plot);
/// The number of colours, those of Okabe and Ito, which most eyes tell apart: classes s0, s1 ..
enum { BENCH_NUM_COLORS = 8 };
/// What is along x: "n", "m = n = k" where one sweep sets several, "" for a plot of one point.
void benchPlotDescribeAxis(const BenchReport *report, char *text, size_t size);

#endif // TILE_BENCH_REPORT_H
