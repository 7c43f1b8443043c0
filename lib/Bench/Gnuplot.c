//===- Gnuplot.c - the same plot as a PNG ---------------------------------===//
#include "Report.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tileBenchHasProgram(const char *name) {
  const char *path = getenv("PATH");
  char *copy = strdup(path ? path : ""), *state = NULL;
  if (!copy) abort();
  bool found = false;
  for (char *folder = strtok_r(copy, ":", &state); folder && !found;
       folder = strtok_r(NULL, ":", &state)) {
    char file[4096];
    struct stat status;
    int length = snprintf(file, sizeof file, "%s/%s", folder, name);
    found = length > 0 && (size_t)length < sizeof file && stat(file, &status) == 0 &&
            S_ISREG(status.st_mode) && access(file, X_OK) == 0;
  }
  free(copy);
  return found;
}

/// `text` between single quotes, as gnuplot reads it.
static void writeQuoted(FILE *pipe, const char *text) {
  fputc('\'', pipe);
  for (; *text; ++text) {
    if (*text == '\'') fputc('\'', pipe);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, pipe);
  }
  fputc('\'', pipe);
}

/// Line `i`: its median over its band, or a bar where there is one point.
static void writeSeries(FILE *pipe, const BenchPlot *plot, size_t i) {
  const char *color = benchPlotGetColor(i);
  if (benchPlotHasBars(plot))
    fprintf(pipe,
            "$d%zu using (%zu):3:2:4 with yerrorbars pt 0 lc rgb '#1a1a1a' notitle, "
            "$d%zu using (%zu):3 with boxes fs transparent solid 0.8 lc rgb '%s' title ",
            i, i, i, i, color);
  else
    fprintf(pipe,
            "$d%zu using 1:2:4 with filledcurves fs transparent solid 0.2 noborder lc rgb '%s' "
            "notitle, $d%zu using 1:3 with linespoints pt 7 ps 0.6 lw 2 lc rgb '%s' title ",
            i, color, i, color);
  writeQuoted(pipe, plot->series[i].name);
}

static void writeScript(FILE *pipe, const char *output, const BenchReport *report,
                        const BenchPlot *plot, BenchMetric metric) {
  fputs("set terminal pngcairo size 1000,560 noenhanced\nset output ", pipe);
  writeQuoted(pipe, output);
  fputs("\nset title ", pipe);
  writeQuoted(pipe, report->options->title);
  fputs("\nset xlabel ", pipe);
  char axis[256];
  benchPlotDescribeAxis(report, axis, sizeof axis);
  writeQuoted(pipe, axis);
  fprintf(pipe, "\nset ylabel '%s'\n%s\nset grid\nset key outside right\n",
          benchMetricGetName(metric), plot->logarithmicY ? "set logscale y" : "set yrange [0:*]");
  if (benchPlotHasBars(plot))
    fprintf(pipe, "set xrange [-1:%zu]\nset boxwidth 0.7\nunset xtics\n", plot->count);
  if (plot->logarithmic) fputs("set logscale x 2\nset format x '%.0f'\n", pipe);
  for (size_t i = 0; i < plot->count; ++i) {
    fprintf(pipe, "$d%zu << END\n", i);
    for (size_t k = 0; k < plot->series[i].count; ++k) {
      const struct BenchDot *dot = &plot->series[i].dots[k];
      fprintf(pipe, "%.17g %.9g %.9g %.9g\n", dot->x, dot->low, dot->middle, dot->high);
    }
    fputs("END\n", pipe);
  }
  for (size_t i = 0; i < plot->count; ++i) {
    fputs(i ? ", " : "plot ", pipe);
    writeSeries(pipe, plot, i);
  }
  fputc('\n', pipe);
}

/// Does the file end as a PNG does? gnuplot does not say when the disk is full.
static bool isWhole(const char *path) {
  static const unsigned char end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
  unsigned char found[sizeof end];
  FILE *file = fopen(path, "rb");
  bool whole = file && fseek(file, -(long)sizeof end, SEEK_END) == 0 &&
               fread(found, 1, sizeof end, file) == sizeof end && !memcmp(found, end, sizeof end);
  if (file) fclose(file);
  return whole;
}

bool benchWritePng(const char *path, const BenchReport *report, BenchMetric metric,
                   TileError *error) {
  BenchPlot plot = benchPlotCreate(report, metric);
  size_t size = strlen(path) + 32;
  char *temporary = tileRuntimeAlloc(size);
  snprintf(temporary, size, "%s.tmp-%ld", path, (long)getpid());
  bool ok = plot.count != 0;
  if (!ok) tileErrorSet(error, "expected something measured to plot in '%s', found nothing", path);
  // A fixed command: nothing of the input is in it.
  FILE *pipe = ok ? popen("gnuplot", "w") : NULL; // NOLINT(bugprone-command-processor)
  if (pipe) {
    writeScript(pipe, temporary, report, &plot, metric);
    ok = pclose(pipe) == 0 && isWhole(temporary);
  }
  if (plot.count && !(ok && pipe && rename(temporary, path) == 0)) {
    ok = tileErrorSet(error, "expected gnuplot to write '%s', found that it failed", path);
    unlink(temporary);
  }
  free(temporary);
  benchPlotDestroy(&plot);
  return ok;
}
