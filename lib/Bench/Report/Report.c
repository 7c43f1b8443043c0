//===- Report.c - rows and what they come to ------------------------------===//
#include "Report.h"
#include <stdlib.h>
#include <string.h>

const int benchPercentiles[BENCH_NUM_PERCENTILES] = {0,  1,  5,  10, 20, 25, 30, 40, 50,
                                                     60, 70, 75, 80, 90, 95, 99, 100};

/// Where no device tells its peaks: 16 operations a byte are more than any memory feeds.
static const double usualBalance = 16;

BenchRow *benchReportAdd(BenchReport *report, const char *line, size_t point) {
  if (report->numRows == report->capacityRows) {
    report->capacityRows = report->capacityRows ? 2 * report->capacityRows : 64;
    BenchRow *grown = tileRuntimeAlloc(report->capacityRows * sizeof *grown);
    if (report->numRows) memcpy(grown, report->rows, report->numRows * sizeof *grown);
    free(report->rows);
    report->rows = grown;
  }
  BenchRow *row = &report->rows[report->numRows++];
  *row = (BenchRow){.line = strdup(line), .point = point};
  if (!row->line) abort();
  return row;
}

void benchRowDestroy(BenchRow *row) {
  free(row->line);
  free(row->kernel);
  free(row->arguments);
  free(row->config);
  free(row->message);
  free(row->samples);
  free(row->taken);
}

void benchReportDestroy(BenchReport *report) {
  for (size_t i = 0; i < report->numRows; ++i) benchRowDestroy(&report->rows[i]);
  for (size_t i = 0; i < report->numResources; ++i) {
    free(report->resources[i].line);
    free(report->resources[i].kernel);
    free(report->resources[i].config);
  }
  free(report->rows);
  free(report->resources);
}

const char *benchMetricGetName(BenchMetric metric) {
  switch (metric) {
  case BENCH_GBPS:
    return "GB/s";
  case BENCH_TFLOPS:
    return "TFLOP/s";
  case BENCH_MS:
    return "ms";
  case BENCH_RATIO:
    return "ratio";
  }
  return "";
}

/// The metric of that name, in any case; false where there is none.
static bool findMetric(const char *name, BenchMetric *metric) {
  for (int m = 0; m < BENCH_NUM_METRICS; ++m) {
    if (strcasecmp(benchMetricGetName((BenchMetric)m), name) != 0) continue;
    *metric = (BenchMetric)m;
    return true;
  }
  return false;
}

bool tileBenchKnowsMetric(const char *name) {
  BenchMetric metric;
  return findMetric(name, &metric);
}

/// The reference's row at the point of `row`, or NULL.
static const BenchRow *findReferenceRow(const BenchReport *report, const BenchRow *row) {
  if (!report->reference || !*report->reference) return NULL;
  for (size_t i = 0; i < report->numRows; ++i) {
    const BenchRow *r = &report->rows[i];
    if (r->point == row->point && r->status == BENCH_OK && !strcmp(r->line, report->reference))
      return r;
  }
  return NULL;
}

double benchRowGetMetric(const BenchReport *report, const BenchRow *row, BenchMetric metric,
                         double seconds) {
  if (seconds <= 0) return 0;
  switch (metric) {
  case BENCH_GBPS:
    return (double)row->bytes / seconds * 1e-9;
  case BENCH_TFLOPS:
    return row->multiplies ? (double)row->operations / seconds * 1e-12 : 0;
  case BENCH_MS:
    return seconds * 1e3;
  case BENCH_RATIO: {
    const BenchRow *reference = findReferenceRow(report, row);
    return reference ? reference->seconds.median / seconds : 0;
  }
  }
  return 0;
}

double benchRowGetPeakShare(const BenchReport *report, const BenchRow *row) {
  double seconds = row->seconds.median;
  if (seconds <= 0) return 0;
  double memory = report->peakBytes > 0 ? (double)row->bytes / seconds / report->peakBytes : 0;
  double math =
      row->peakOperations > 0 ? (double)row->operations / seconds / row->peakOperations : 0;
  return memory > math ? memory : math;
}

bool benchReportHasMetric(const BenchReport *report, BenchMetric metric) {
  for (size_t i = 0; i < report->numRows; ++i)
    if (benchRowGetMetric(report, &report->rows[i], metric, report->rows[i].seconds.median) > 0)
      return true;
  return false;
}

bool benchIsArithmetic(int64_t operations, int64_t bytes) {
  return (double)operations > usualBalance * (double)bytes;
}

BenchMetric benchReportChooseMetric(const BenchReport *report) {
  BenchMetric asked;
  if (report->options->metric && findMetric(report->options->metric, &asked)) return asked;
  const BenchRow *last = NULL;
  for (size_t i = 0; i < report->numRows; ++i)
    if (report->rows[i].kernel && (report->rows[i].operations || report->rows[i].bytes))
      last = &report->rows[i];
  if (!last) return BENCH_MS;
  if (!last->multiplies) return last->bytes ? BENCH_GBPS : BENCH_MS;
  if (!last->bytes) return BENCH_TFLOPS;
  double balance = report->peakBytes > 0 && last->peakOperations > 0
                       ? last->peakOperations / report->peakBytes
                       : usualBalance;
  return (double)last->operations / (double)last->bytes > balance ? BENCH_TFLOPS : BENCH_GBPS;
}

void benchDescribePoint(const BenchReport *report, size_t point, char *text, size_t size) {
  const TileSpace *space = report->options->space;
  size_t used = 0;
  text[0] = 0;
  for (size_t v = 0; v < tileSpaceGetNumVariables(space) && used < size; ++v)
    used += (size_t)snprintf(text + used, size - used, "%s%s = %lld", v ? ", " : "",
                             tileSpaceGetVariable(space, v),
                             (long long)tileSpaceGetValue(space, point, v));
}

void benchWriteEscaped(FILE *file, const char *text) {
  for (; *text; ++text) {
    const char *entity = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
    if (entity)
      fputs(entity, file);
    else if ((unsigned char)*text >= ' ')
      fputc(*text, file);
    else
      fputc(' ', file);
  }
}
