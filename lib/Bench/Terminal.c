//===- Terminal.c - the table and the progress bar ------------------------===//
#include "Run.h"
#include "tile/Runtime/Clock.h"
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

//===- progress -----------------------------------------------------------===//

static volatile sig_atomic_t drawn;

void benchClearAtSignal(void) {
  if (!drawn) return;
  static const char clear[] = "\r\033[K";
  ssize_t ignored = write(STDERR_FILENO, clear, sizeof clear - 1);
  (void)ignored;
  drawn = 0;
}

void tileProgressClear(void) {
  if (!drawn) return;
  fputs("\r\033[K", stderr);
  drawn = 0;
}

/// ", 1:05 left" by the time that the part which is done took; "" in the first seconds, and where
/// nothing is done.
static void sayTimeLeft(size_t done, size_t all, char *text, size_t size) {
  const double soon = 5;
  static double began;
  static size_t total, before;
  double now = tileClockGetSeconds();
  if (total != all || done < before || began <= 0) began = now;
  total = all;
  before = done;
  double elapsed = now - began;
  text[0] = 0;
  if (!done || done >= all || elapsed < soon) return;
  double left = elapsed / (double)done * (double)(all - done);
  if (left < 1e6) snprintf(text, size, ", %d:%02d left", (int)left / 60, (int)left % 60);
}

void tileProgressDraw(size_t done, size_t all, const char *what) {
  enum { BAR = 24 };
  if (benchStopped || !isatty(STDERR_FILENO)) return;
  struct winsize window = {0};
  ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
  int columns = window.ws_col ? window.ws_col : 80;
  char bar[BAR + 1], line[256], left[32];
  size_t full = all ? done * BAR / all : BAR;
  for (size_t i = 0; i < BAR; ++i) bar[i] = i < full ? '#' : '.';
  bar[BAR] = 0;
  sayTimeLeft(done, all, left, sizeof left);
  snprintf(line, sizeof line, "[%s] %zu/%zu%s %s", bar, done, all, left, what);
  // A line that wraps could not be cleared.
  fprintf(stderr, "\r\033[K%.*s", columns - 1, line);
  fflush(stderr);
  drawn = 1;
}

void benchPrintInterrupted(const BenchReport *report, size_t point) {
  tileProgressClear();
  fprintf(stderr, "error: interrupted at point %zu of %zu; what was measured is kept\n", point,
          tileSpaceGetNumPoints(report->options->space));
}

//===- the table ----------------------------------------------------------===//

static int columnWidth(const TileSpace *space, size_t variable) {
  int width = (int)strlen(tileSpaceGetVariable(space, variable));
  for (size_t p = 0; p < tileSpaceGetNumPoints(space); ++p) {
    int digits = snprintf(NULL, 0, "%lld", (long long)tileSpaceGetValue(space, p, variable));
    if (digits > width) width = digits;
  }
  return width;
}

static void printReading(const char *when, const TileSensorReading *r) {
  if (r->clockMHz > 0) printf(", %s %.0f MHz", when, r->clockMHz);
  if (r->celsius > 0) printf(", %.0f C", r->celsius);
}

/// Are there lines to compare?
static bool hasRatios(const TileBenchOptions *options) {
  return options->ratioTo || options->numProviders || options->numLines > 1;
}

void benchPrintHeader(const BenchReport *report) {
  const TileSpace *space = report->options->space;
  printf("%s", report->device);
  if (report->driver[0]) printf(", %s", report->driver);
  if (report->peakBytes > 0) printf(", peak %.4g GB/s", report->peakBytes * 1e-9);
  putchar('\n');
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v)
    printf("%*s  ", columnWidth(space, v), tileSpaceGetVariable(space, v));
  printf("%-24s %10s %10s %10s %7s %9s %9s %7s %8s%s\n", "line", "median ms", "p20", "p80", "reps",
         "TFLOP/s", "GB/s", "peak", "host us", hasRatios(report->options) ? "   ratio" : "");
  fflush(stdout);
}

/// A number in a column, "-" for 0, which stands for unknown.
static void printNumber(int width, const char *format, double value) {
  char text[32] = "-";
  if (value > 0)
    snprintf(text, sizeof text, format, value); // NOLINT(clang-diagnostic-format-nonliteral)
  printf(" %*s", width, text);
}

void benchPrintRow(const BenchReport *report, const BenchRow *row) {
  const TileSpace *space = report->options->space;
  tileProgressClear();
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v)
    printf("%*lld  ", columnWidth(space, v), (long long)tileSpaceGetValue(space, row->point, v));
  printf("%-24s", row->line);
  if (row->status != BENCH_OK) {
    printf(" %s: %s\n", row->status == BENCH_OUT_OF_MEMORY ? "out of memory" : "failed",
           row->message ? row->message : "");
    fflush(stdout);
    return;
  }
  printNumber(10, "%.5g", row->seconds.median * 1e3);
  printNumber(10, "%.5g", row->seconds.low * 1e3);
  printNumber(10, "%.5g", row->seconds.high * 1e3);
  printf(" %5zu%c%c", row->seconds.count, row->replayed ? 'r' : ' ',
         tileSteadyMoves(row->drift) ? 'u' : ' ');
  printNumber(9, "%.4g", benchRowGetMetric(report, row, BENCH_TFLOPS, row->seconds.median));
  printNumber(9, "%.4g", benchRowGetMetric(report, row, BENCH_GBPS, row->seconds.median));
  printNumber(7, "%.1f%%", 100 * benchRowGetPeakShare(report, row));
  printNumber(8, "%.2f", row->host.median * 1e6);
  if (hasRatios(report->options))
    printNumber(7, "%.3f", benchRowGetMetric(report, row, BENCH_RATIO, row->seconds.median));
  putchar('\n');
  fflush(stdout);
}

void benchPrintUnsettled(const BenchReport *report) {
  size_t count = 0;
  for (size_t i = 0; i < report->numRows; ++i) count += tileSteadyMoves(report->rows[i].drift);
  if (count)
    printf("u: unsettled, the times moved by more than 2 %% while they were taken (%zu of %zu)\n",
           count, report->numRows);
  fflush(stdout);
}

void benchPrintResources(const BenchReport *report) {
  for (size_t i = 0; i < report->numResources; ++i) {
    const BenchResources *r = &report->resources[i];
    printf("%s: @%s%s%s", r->line, r->kernel, *r->config ? " " : "", r->config);
    tileResourcesPrint(stdout, &r->found);
  }
  if (report->numRows) {
    const BenchRow *first = &report->rows[0], *last = &report->rows[report->numRows - 1];
    if (first->before.clockMHz > 0 || last->after.clockMHz > 0) {
      printf("%s", report->onGpu ? "GPU" : "CPU");
      printReading("before", &first->before);
      printReading("after", &last->after);
      putchar('\n');
    }
  }
  fflush(stdout);
}
