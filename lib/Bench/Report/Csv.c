//===- Csv.c - rows as comma-separated values -----------------------------===//
//
// RFC 4180, with a header line; times in the units their columns name, empty where there is no
// value.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include <string.h>

static void writeText(FILE *file, const char *text) {
  if (!text) return;
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; ++text) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

/// ",VALUE", or "," for 0, which stands for unknown.
static void writeKnown(FILE *file, double value) {
  if (value > 0)
    fprintf(file, ",%.6g", value);
  else
    fputc(',', file);
}

/// Empty where there are too few samples to tell.
static void writeDrift(FILE *file, const BenchRow *row) {
  if (row->drift < 0)
    fputs(",,", file);
  else
    fprintf(file, ",%s,%.3g", tileSteadyMoves(row->drift) ? "no" : "yes", 100 * row->drift);
}

static void writeHeader(FILE *file, const BenchReport *report) {
  const TileSpace *space = report->options->space;
  fputs("line,kernel,arguments", file);
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v)
    fprintf(file, ",%s", tileSpaceGetVariable(space, v));
  fputs(",status,repetitions,replayed,settled,drift_percent,median_ms", file);
  for (int i = 0; i < BENCH_NUM_PERCENTILES; ++i) fprintf(file, ",p%d_ms", benchPercentiles[i]);
  fputs(",host_us,operations,bytes,tflops,gbps,ratio,peak_share,registers,local_bytes,shared_bytes,"
        "threads,blocks_per_multiprocessor,clock_before_mhz,clock_after_mhz,before_celsius,"
        "after_celsius,config,message\n",
        file);
}

static void writeRow(FILE *file, const BenchReport *report, const BenchRow *row) {
  static const char *const statuses[] = {"ok", "out of memory", "failed"};
  const TileSpace *space = report->options->space;
  writeText(file, row->line);
  fputc(',', file);
  writeText(file, row->kernel);
  fputc(',', file);
  writeText(file, row->arguments);
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v)
    fprintf(file, ",%lld", (long long)tileSpaceGetValue(space, row->point, v));
  fprintf(file, ",%s,%zu,%s", statuses[row->status], row->seconds.count,
          row->replayed ? "yes" : "no");
  writeDrift(file, row);
  writeKnown(file, row->seconds.median * 1e3);
  for (int i = 0; i < BENCH_NUM_PERCENTILES; ++i)
    writeKnown(file, 1e3 * tileStatisticsQuantile(row->samples, row->seconds.count,
                                                  benchPercentiles[i] / 100.0));
  writeKnown(file, row->host.median * 1e6);
  fprintf(file, ",%lld,%lld", (long long)row->operations, (long long)row->bytes);
  writeKnown(file, benchRowGetMetric(report, row, BENCH_TFLOPS, row->seconds.median));
  writeKnown(file, benchRowGetMetric(report, row, BENCH_GBPS, row->seconds.median));
  writeKnown(file, benchRowGetMetric(report, row, BENCH_RATIO, row->seconds.median));
  writeKnown(file, benchRowGetPeakShare(report, row));
  const TileProgramLaunch *launch = &row->launch;
  if (launch->threads)
    fprintf(file, ",%d,%d,%d,%d,%d", launch->registers, launch->localBytes, launch->sharedBytes,
            launch->threads, launch->blocksPerMultiprocessor);
  else
    fputs(",,,,,", file);
  writeKnown(file, row->before.clockMHz);
  writeKnown(file, row->after.clockMHz);
  writeKnown(file, row->before.celsius);
  writeKnown(file, row->after.celsius);
  fputc(',', file);
  writeText(file, row->config);
  fputc(',', file);
  writeText(file, row->message);
  fputc('\n', file);
}

void benchWriteCsv(FILE *file, const BenchReport *report) {
  writeHeader(file, report);
  for (size_t i = 0; i < report->numRows; ++i) writeRow(file, report, &report->rows[i]);
}
