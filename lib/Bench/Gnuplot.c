//===- Gnuplot.c - the same plot as a PNG ---------------------------------===//
#include "Report.h"
#include "tile/Support/Process.h"
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

/// Reads the picture if it is whole: gnuplot does not say when the disk is full. The caller frees.
static void *readWhole(const char *path, size_t *size) {
  static const unsigned char end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
  FILE *file = fopen(path, "rb");
  struct stat status;
  char *data = NULL;
  if (file && fstat(fileno(file), &status) == 0 && (size_t)status.st_size >= sizeof end) {
    *size = (size_t)status.st_size;
    data = tileRuntimeAlloc(*size);
    bool whole =
        fread(data, 1, *size, file) == *size && !memcmp(data + *size - sizeof end, end, sizeof end);
    if (!whole) {
      free(data);
      data = NULL;
    }
  }
  if (file) fclose(file);
  return data;
}

/// Has gnuplot draw into a file of a folder of its own; NULL where that fails.
static void *draw(const BenchReport *report, const BenchPlot *plot, BenchMetric metric,
                  size_t *size) {
  char folder[256], picture[280];
  if (!tileTemporaryMakeFolder(folder, sizeof folder)) return NULL;
  snprintf(picture, sizeof picture, "%s/plot.png", folder);
  int slots[] = {tileTemporaryNote(folder), tileTemporaryNote(picture)};
  // A fixed command: nothing of the input is in it.
  FILE *pipe = popen("gnuplot", "w"); // NOLINT(bugprone-command-processor)
  if (pipe) writeScript(pipe, picture, report, plot, metric);
  void *data = pipe && pclose(pipe) == 0 ? readWhole(picture, size) : NULL;
  unlink(picture);
  rmdir(folder);
  tileTemporaryForget(slots[1]);
  tileTemporaryForget(slots[0]);
  return data;
}

bool benchWritePng(const char *path, const BenchReport *report, BenchMetric metric,
                   TileError *error) {
  BenchPlot plot = benchPlotCreate(report, metric);
  size_t size = 0;
  void *data = plot.count ? draw(report, &plot, metric, &size) : NULL;
  bool ok = data && tileOutputWrite(path, data, size, error);
  if (!plot.count)
    tileErrorSet(error, "expected something measured to plot in '%s', found nothing", path);
  else if (!data)
    tileErrorSet(error, "expected gnuplot to write '%s', found that it failed", path);
  free(data);
  benchPlotDestroy(&plot);
  return ok;
}
