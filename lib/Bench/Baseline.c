//===- Baseline.c - ratios of lines, and against an earlier run -----------===//
//
// In the words of hyperfine: how many times faster one ran than another. A median over several
// points is the geometric mean of the ratios at each.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "tile/Support/Version.h"
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

//===- lines of this run --------------------------------------------------===//

bool benchReportFindReference(BenchReport *report) {
  const TileBenchOptions *o = report->options;
  const char *wanted = o->ratioTo ? o->ratioTo : o->numProviders ? o->providers[0] : NULL;
  report->reference = "";
  if (!wanted && o->numLines < 2) return true;
  for (size_t i = 0; i < report->numRows && !*report->reference; ++i)
    if (!wanted || !strcmp(report->rows[i].line, wanted)) report->reference = report->rows[i].line;
  if (*report->reference || !o->ratioTo) return true;
  tileProgressClear();
  fputs("error: expected one of the lines ", stderr);
  for (size_t i = 0; i < report->numRows; ++i)
    fprintf(stderr, "%s'%s'", i ? ", " : "", report->rows[i].line);
  fprintf(stderr, " for ratios, found '%s'\n", o->ratioTo);
  return false;
}

/// Ratios of times, above 1 where the first is the faster.
typedef struct Ratios {
  double logs, least, most;
  size_t count;
} Ratios;

static void addRatio(Ratios *r, double ratio) {
  r->logs += log(ratio);
  r->least = r->count ? fmin(r->least, ratio) : ratio;
  r->most = r->count ? fmax(r->most, ratio) : ratio;
  ++r->count;
}

/// "1.30 times faster than ", "1.30 times slower than ", "as fast as ".
static void printFactor(double ratio) {
  if (fabs(ratio - 1) < 0.005)
    printf("as fast as ");
  else
    printf("%.2f times %s than ", ratio > 1 ? ratio : 1 / ratio, ratio > 1 ? "faster" : "slower");
}

static void printRatios(const char *line, const Ratios *r, const char *other) {
  printf("%s ran ", line);
  printFactor(exp(r->logs / (double)r->count));
  fputs(other, stdout);
  if (r->count > 1)
    printf(" (geometric mean of %zu points, %.2f to %.2f)", r->count, r->least, r->most);
  putchar('\n');
}

/// Has an earlier row this line's name?
static bool isRepeated(const BenchReport *report, size_t row) {
  for (size_t i = 0; i < row; ++i)
    if (!strcmp(report->rows[i].line, report->rows[row].line)) return true;
  return false;
}

void benchPrintRatios(const BenchReport *report) {
  if (!report->reference || !*report->reference) return;
  for (size_t i = 0; i < report->numRows; ++i) {
    const char *line = report->rows[i].line;
    if (!strcmp(line, report->reference) || isRepeated(report, i)) continue;
    Ratios all = {0};
    for (size_t k = i; k < report->numRows; ++k) {
      const BenchRow *row = &report->rows[k];
      if (strcmp(row->line, line) != 0 || row->status != BENCH_OK) continue;
      double ratio = benchRowGetMetric(report, row, BENCH_RATIO, row->seconds.median);
      if (ratio > 0) addRatio(&all, ratio);
    }
    if (all.count) printRatios(line, &all, report->reference);
  }
  fflush(stdout);
}

//===- an earlier run -----------------------------------------------------===//

struct BenchBaseline {
  json_t *report;
  char *path;
};

/// What is wrong with the file, or NULL. It may be anybody's.
static const char *findFault(json_t *report) {
  if (json_integer_value(json_object_get(report, "tile_bench")) != 1) return "no \"tile_bench\": 1";
  const json_t *rows = json_object_get(report, "rows");
  if (!json_is_array(rows)) return "no array \"rows\"";
  for (size_t i = 0; i < json_array_size(rows); ++i) {
    const json_t *row = json_array_get(rows, i);
    if (!json_is_string(json_object_get(row, "line"))) return "a row without \"line\"";
    if (!json_is_object(json_object_get(row, "values"))) return "a row without \"values\"";
  }
  return NULL;
}

BenchBaseline *benchBaselineRead(const char *path, TileError *error) {
  json_error_t fault;
  json_t *report = json_load_file(path, 0, &fault);
  if (!report) {
    if (fault.line > 0)
      tileErrorSet(error, "%s:%d:%d: expected JSON as --json writes it, found: %s", path,
                   fault.line, fault.column, fault.text);
    else
      tileErrorSet(error, "expected to read '%s', found: %s", path, fault.text);
    return NULL;
  }
  const char *why = findFault(report);
  if (why) {
    tileErrorSet(error, "expected '%s' to be what --json wrote, found %s", path, why);
    json_decref(report);
    return NULL;
  }
  BenchBaseline *baseline = tileRuntimeAlloc(sizeof *baseline);
  *baseline = (BenchBaseline){report, strdup(path)};
  if (!baseline->path) abort();
  return baseline;
}

void benchBaselineDestroy(BenchBaseline *baseline) {
  if (!baseline) return;
  json_decref(baseline->report);
  free(baseline->path);
  free(baseline);
}

static bool hasValues(const BenchReport *report, const BenchRow *row, const json_t *values) {
  const TileSpace *space = report->options->space;
  size_t count = tileSpaceGetNumVariables(space);
  if (json_object_size(values) != count) return false;
  for (size_t v = 0; v < count; ++v) {
    const json_t *value = json_object_get(values, tileSpaceGetVariable(space, v));
    if (!json_is_integer(value) ||
        json_integer_value(value) != tileSpaceGetValue(space, row->point, v))
      return false;
  }
  return true;
}

/// The median of the row of the same line and values, 0 where there is none.
static double findMedian(const BenchBaseline *baseline, const BenchReport *report,
                         const BenchRow *row) {
  const json_t *rows = json_object_get(baseline->report, "rows");
  for (size_t i = 0; i < json_array_size(rows); ++i) {
    const json_t *other = json_array_get(rows, i);
    if (strcmp(json_string_value(json_object_get(other, "line")), row->line) != 0) continue;
    if (!hasValues(report, row, json_object_get(other, "values"))) continue;
    double median = json_number_value(json_object_get(other, "median_seconds"));
    if (median > 0) return median;
  }
  return 0;
}

/// Times of another device say little.
static void noteDevice(const BenchBaseline *baseline, const BenchReport *report) {
  const char *device = json_string_value(json_object_get(baseline->report, "device"));
  if (device && strcmp(device, report->device) != 0)
    fprintf(stderr, "note: '%s' was measured on %s, this on %s\n", baseline->path, device,
            report->device);
}

bool benchBaselineCompare(const BenchBaseline *baseline, const BenchReport *report) {
  double allowed = report->options->failAbove;
  Ratios all = {0};
  size_t slower = 0;
  noteDevice(baseline, report);
  for (size_t i = 0; i < report->numRows; ++i) {
    const BenchRow *row = &report->rows[i];
    if (row->status != BENCH_OK) continue;
    char where[256];
    benchDescribePoint(report, row->point, where, sizeof where);
    printf("%s%s%s ran ", row->line, *where ? " " : "", where);
    double before = findMedian(baseline, report, row), now = row->seconds.median;
    if (before <= 0) {
      printf("for the first time: it is not in %s\n", baseline->path);
      continue;
    }
    addRatio(&all, before / now);
    printFactor(before / now);
    printf("in %s (%.5g ms, %.5g there)\n", baseline->path, now * 1e3, before * 1e3);
    slower += allowed >= 0 && now > before * (1 + allowed / 100);
  }
  if (all.count > 1) printRatios("All", &all, baseline->path);
  fflush(stdout);
  if (!all.count)
    fprintf(stderr, "error: expected rows of '%s' in this run, found none\n", baseline->path);
  if (slower)
    fprintf(stderr,
            "error: expected medians at most %g %% above those of '%s', found %zu of %zu above\n",
            allowed, baseline->path, slower, all.count);
  return all.count && !slower;
}

//===- where --------------------------------------------------------------===//

void benchDescribeHost(BenchReport *report) {
  struct utsname names;
  if (uname(&names) == 0)
    snprintf(report->host, sizeof report->host, "%.64s, %.8s", names.nodename, names.machine);
  FILE *file = fopen("/proc/cpuinfo", "re");
  char line[256];
  while (file && !*report->processor && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(report->processor, sizeof report->processor, "%.79s", colon + 2);
  }
  if (file) fclose(file);
}
