//===- Svg.c - a plot with bands, as SVG ----------------------------------===//
//
// Each line is the median, its band the 20th to 80th percentile; each dot has a tooltip. Written
// without a plotting program, so that a plot is there wherever tile is.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include <math.h>
#include <stdlib.h>

static const int plotWidth = 860, plotHeight = 480, marginLeft = 76, marginTop = 44,
                 marginBottom = 60;
/// Room for the lines' names.
static const int marginRight = 190;

typedef struct Canvas {
  FILE *file;
  const BenchPlot *plot;
  /// The axis of y; from 0 unless it is logarithmic, then between powers of ten.
  double yBottom, yTop;
} Canvas;

static double placeX(const Canvas *c, double x) {
  const BenchPlot *p = c->plot;
  double room = plotWidth - marginLeft - marginRight;
  if (benchPlotHasBars(p)) return marginLeft + room / 2;
  double share = p->logarithmic ? log(x / p->xMin) / log(p->xMax / p->xMin)
                                : (x - p->xMin) / (p->xMax - p->xMin);
  return marginLeft + share * room;
}

static double placeY(const Canvas *c, double y) {
  double share =
      c->plot->logarithmicY ? log(y / c->yBottom) / log(c->yTop / c->yBottom) : y / c->yTop;
  return plotHeight - marginBottom - share * (plotHeight - marginTop - marginBottom);
}

/// 1, 2 or 5 times a power of ten, so that some five steps cover `range`.
static double chooseStep(double range) {
  double raw = range / 5, power = pow(10, floor(log10(raw))), lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void writeLabel(const Canvas *c, double x, double y, const char *anchor, const char *text) {
  fprintf(c->file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  benchWriteEscaped(c->file, text);
  fputs("</text>\n", c->file);
}

static void writeLine(const Canvas *c, double x1, double y1, double x2, double y2,
                      const char *color) {
  fprintf(c->file,
          "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
          "stroke-width=\"1\"/>\n",
          x1, y1, x2, y2, color);
}

//===- axes ---------------------------------------------------------------===//

static void writeYTick(const Canvas *c, double value) {
  double y = placeY(c, value);
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  writeLine(c, marginLeft, y, plotWidth - marginRight, y,
            value > c->yBottom ? "#e4e4e4" : "#666666");
  writeLabel(c, marginLeft - 8, y + 4, "end", text);
}

static void writeYAxis(Canvas *c) {
  const BenchPlot *p = c->plot;
  if (p->logarithmicY) {
    int first = (int)floor(log10(p->yMin)), last = (int)ceil(log10(p->yMax));
    c->yBottom = pow(10, first);
    c->yTop = pow(10, last);
    for (int power = first; power <= last; ++power) writeYTick(c, pow(10, power));
    return;
  }
  double step = chooseStep(p->yMax);
  c->yTop = ceil(p->yMax / step) * step;
  for (int i = 0; i * step <= c->yTop * 1.0001; ++i) writeYTick(c, i * step);
}

/// "8192", or "2^20" where a power of two is too long.
static void formatX(double x, char *text, size_t size) {
  int power = 0;
  if (x >= 65536 && frexp(x, &power) == 0.5)
    snprintf(text, size, "2^%d", power - 1);
  else
    snprintf(text, size, "%g", x);
}

static void writeXTick(const Canvas *c, double x) {
  char text[32];
  formatX(x, text, sizeof text);
  double at = placeX(c, x);
  writeLine(c, at, plotHeight - marginBottom, at, plotHeight - marginBottom + 5, "#666666");
  writeLabel(c, at, plotHeight - marginBottom + 20, "middle", text);
}

static void writeXAxis(const Canvas *c) {
  const BenchPlot *p = c->plot;
  if (benchPlotHasBars(p)) {
    if (p->xMax > 0) writeXTick(c, p->xMax);
    return;
  }
  if (!p->logarithmic) {
    double step = chooseStep(p->xMax - p->xMin);
    for (int i = (int)ceil(p->xMin / step); i * step <= p->xMax * 1.0001; ++i)
      writeXTick(c, i * step);
    return;
  }
  // Powers of two, as many as have room.
  int first = (int)ceil(log2(p->xMin) - 1e-9), last = (int)floor(log2(p->xMax) + 1e-9);
  int stride = (last - first) / 9 + 1;
  for (int power = first; power <= last; power += stride) writeXTick(c, ldexp(1, power));
}

//===- lines --------------------------------------------------------------===//

static void writeBand(const Canvas *c, const BenchSeries *s, const char *color) {
  fprintf(c->file, "<polygon fill=\"%s\" fill-opacity=\"0.2\" points=\"", color);
  for (size_t i = 0; i < s->count; ++i)
    fprintf(c->file, "%.1f,%.1f ", placeX(c, s->dots[i].x), placeY(c, s->dots[i].high));
  for (size_t i = s->count; i-- > 0;)
    fprintf(c->file, "%.1f,%.1f ", placeX(c, s->dots[i].x), placeY(c, s->dots[i].low));
  fputs("\"/>\n", c->file);
}

/// What a browser shows over a dot or a bar.
static void writeTooltip(const Canvas *c, const BenchSeries *s, const struct BenchDot *dot,
                         BenchMetric metric, bool single) {
  fputs("<title>", c->file);
  benchWriteEscaped(c->file, s->name);
  if (!single) fprintf(c->file, " at %g", dot->x);
  fprintf(c->file, ": %.4g %s (%.4g to %.4g), %zu repetitions</title>", dot->middle,
          benchMetricGetName(metric), dot->low, dot->high, dot->row->seconds.count);
}

/// One point is no line: a bar each, with the band as a stroke.
static void writeBars(const Canvas *c, BenchMetric metric) {
  const BenchPlot *p = c->plot;
  double step = (double)(plotWidth - marginLeft - marginRight) / (double)p->count;
  double width = fmin(0.7 * step, 90);
  for (size_t i = 0; i < p->count; ++i) {
    const BenchSeries *s = &p->series[i];
    const struct BenchDot *dot = &s->dots[0];
    double x = marginLeft + step * ((double)i + 0.5), y = placeY(c, dot->middle);
    fprintf(c->file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
            "fill-opacity=\"0.8\">",
            x - width / 2, y, width, placeY(c, 0) - y, benchPlotGetColor(i));
    writeTooltip(c, s, dot, metric, true);
    fputs("</rect>\n", c->file);
    writeLine(c, x, placeY(c, dot->low), x, placeY(c, dot->high), "#1a1a1a");
  }
}

static void writeSeries(const Canvas *c, const BenchSeries *s, size_t index, BenchMetric metric) {
  const char *color = benchPlotGetColor(index);
  writeBand(c, s, color);
  fprintf(c->file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
  for (size_t i = 0; i < s->count; ++i)
    fprintf(c->file, "%.1f,%.1f ", placeX(c, s->dots[i].x), placeY(c, s->dots[i].middle));
  fputs("\"/>\n", c->file);
  for (size_t i = 0; i < s->count; ++i) {
    const struct BenchDot *dot = &s->dots[i];
    double x = placeX(c, dot->x), y = placeY(c, dot->middle);
    // The band's ends, where a single point has no width to fill.
    fprintf(c->file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-opacity=\"0.5\"/>\n",
            x, placeY(c, dot->low), x, placeY(c, dot->high), color);
    fprintf(c->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\">", x, y, color);
    writeTooltip(c, s, dot, metric, false);
    fputs("</circle>\n", c->file);
  }
}

/// Where a name stands, and whose it is.
typedef struct Label {
  double y;
  size_t series;
} Label;

static int compareLabels(const void *a, const void *b) {
  const Label *x = a, *y = b;
  return (x->y > y->y) - (x->y < y->y);
}

/// The lines' names at the right, in the order of their last points: not on top of each other, nor
/// below the axis.
static void writeNames(const Canvas *c) {
  static const double lineHeight = 18;
  const BenchPlot *p = c->plot;
  Label *labels = tileRuntimeAlloc((p->count + 1) * sizeof *labels);
  for (size_t i = 0; i < p->count; ++i)
    labels[i] = (Label){placeY(c, p->series[i].dots[p->series[i].count - 1].middle), i};
  qsort(labels, p->count, sizeof *labels, compareLabels);
  for (size_t i = 1; i < p->count; ++i)
    labels[i].y = fmax(labels[i].y, labels[i - 1].y + lineHeight);
  double lowest = plotHeight - marginBottom;
  for (size_t i = p->count; i-- > 0; lowest = labels[i].y - lineHeight)
    labels[i].y = fmin(labels[i].y, lowest);
  for (size_t i = 0; i < p->count; ++i) {
    fprintf(c->file, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\" font-weight=\"bold\">",
            plotWidth - marginRight + 12, labels[i].y + 4, benchPlotGetColor(labels[i].series));
    benchWriteEscaped(c->file, p->series[labels[i].series].name);
    fputs("</text>\n", c->file);
  }
  free(labels);
}

/// The device's peak as a dashed line, where it is near enough to be seen.
static void writePeak(const Canvas *c, const BenchReport *report, BenchMetric metric) {
  double peak = metric == BENCH_GBPS ? report->peakBytes * 1e-9 : 0;
  if (metric == BENCH_TFLOPS)
    for (size_t i = 0; i < report->numRows; ++i)
      peak = fmax(peak, report->rows[i].peakOperations * 1e-12);
  if (peak <= 0 || peak > c->yTop) return;
  double y = placeY(c, peak);
  fprintf(c->file,
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#666666\" "
          "stroke-dasharray=\"6 4\"/>\n",
          marginLeft, y, plotWidth - marginRight, y);
  char text[64];
  snprintf(text, sizeof text, "peak %.4g %s", peak, benchMetricGetName(metric));
  writeLabel(c, marginLeft + 6, y - 5, "start", text);
}

static void writeTitles(const Canvas *c, const BenchReport *report, BenchMetric metric) {
  fprintf(c->file, "<text x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">", marginLeft);
  benchWriteEscaped(c->file, report->options->title);
  fputs("</text>\n", c->file);
  fprintf(c->file, "<text x=\"%d\" y=\"38\" fill=\"#666666\">%s on ", marginLeft,
          benchMetricGetName(metric));
  benchWriteEscaped(c->file, report->device);
  fputs(", median with 20th to 80th percentile</text>\n", c->file);
  char axis[256];
  benchPlotDescribeAxis(report, axis, sizeof axis);
  writeLabel(c, (marginLeft + plotWidth - marginRight) / 2.0, plotHeight - 16, "middle", axis);
}

void benchWriteSvg(FILE *file, const BenchReport *report, BenchMetric metric, bool alone) {
  BenchPlot plot = benchPlotCreate(report, metric);
  if (alone) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          plotWidth, plotHeight, plotWidth, plotHeight);
  Canvas c = {.file = file, .plot = &plot};
  writeTitles(&c, report, metric);
  if (plot.count) {
    writeYAxis(&c);
    writeXAxis(&c);
    writePeak(&c, report, metric);
    if (benchPlotHasBars(&plot))
      writeBars(&c, metric);
    else
      for (size_t i = 0; i < plot.count; ++i) writeSeries(&c, &plot.series[i], i, metric);
    writeNames(&c);
  } else {
    writeLabel(&c, plotWidth / 2.0, plotHeight / 2.0, "middle", "nothing was measured");
  }
  fputs("</svg>\n", file);
  benchPlotDestroy(&plot);
}
