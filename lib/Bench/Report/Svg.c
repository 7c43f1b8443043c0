//===- Svg.c - a plot with bands, as SVG ----------------------------------===//
//
// Each line is the median, its band the 20th to 80th percentile; each dot has a tooltip. Written
// without a plotting program, so that a plot is there wherever tile is. Colours are classes, for
// light and dark; a line's own is the `color` of its group, which its parts take as currentColor.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include <math.h>
#include <stdlib.h>

const char benchSvgStyle[] =
    ".ink{fill:#1a1a1a}.dim{fill:#5a5a5a}.paper{fill:#fff}.grid{stroke:#e4e4e4}"
    ".axis{stroke:#777}.whisker{stroke:#1a1a1a}\n"
    ".s0{color:#0072b2}.s1{color:#c65100}.s2{color:#00805f}.s3{color:#b5568d}"
    ".s4{color:#a87400}.s5{color:#3487c0}.s6{color:#333}.s7{color:#7a7000}\n"
    "@media(prefers-color-scheme:dark){"
    ".ink{fill:#e8e8e8}.dim{fill:#a8a8a8}.paper{fill:#16181c}.grid{stroke:#33363c}"
    ".axis{stroke:#999}.whisker{stroke:#e8e8e8}"
    ".s0{color:#4aa8e0}.s1{color:#ff8a3c}.s2{color:#2cc79b}.s3{color:#e39bc4}"
    ".s4{color:#e6b030}.s5{color:#8fcdf2}.s6{color:#ddd}.s7{color:#cfc840}}\n";

/// Sizes in the units of the picture: alone it is drawn as it is, in a page as wide as there is
/// room, on a telephone some 360 pixels.
typedef struct Frame {
  int width, height, left, top, right, bottom;
} Frame;

static const Frame aloneFrame = {
    .width = 860, .height = 480, .left = 76, .top = 56, .right = 190, .bottom = 60};
static const Frame pageFrame = {
    .width = 400, .height = 290, .left = 52, .top = 40, .right = 22, .bottom = 46};

typedef struct Canvas {
  FILE *file;
  Frame frame;
  const BenchPlot *plot;
  /// The axis of y; from 0 unless it is logarithmic, then between powers of ten.
  double yBottom, yTop;
} Canvas;

static double placeX(const Canvas *c, double x) {
  const BenchPlot *p = c->plot;
  double room = c->frame.width - c->frame.left - c->frame.right;
  if (benchPlotHasBars(p)) return c->frame.left + room / 2;
  double share = p->logarithmic ? log(x / p->xMin) / log(p->xMax / p->xMin)
                                : (x - p->xMin) / (p->xMax - p->xMin);
  return c->frame.left + share * room;
}

static double placeY(const Canvas *c, double y) {
  double share =
      c->plot->logarithmicY ? log(y / c->yBottom) / log(c->yTop / c->yBottom) : y / c->yTop;
  double room = c->frame.height - c->frame.top - c->frame.bottom;
  return c->frame.height - c->frame.bottom - share * room;
}

/// 1, 2 or 5 times a power of ten, so that some five steps cover `range`.
static double chooseStep(double range) {
  double raw = range / 5, power = pow(10, floor(log10(raw))), lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void writeLabel(const Canvas *c, double x, double y, const char *anchor, const char *text) {
  fprintf(c->file, "<text class=\"ink\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  benchWriteEscaped(c->file, text);
  fputs("</text>\n", c->file);
}

static void writeLine(const Canvas *c, double x1, double y1, double x2, double y2,
                      const char *class) {
  fprintf(c->file, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class,
          x1, y1, x2, y2);
}

//===- axes ---------------------------------------------------------------===//

static void writeYTick(const Canvas *c, double value) {
  double y = placeY(c, value);
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  writeLine(c, c->frame.left, y, c->frame.width - c->frame.right, y, "grid");
  writeLabel(c, c->frame.left - 8, y + 4, "end", text);
}

/// 1, 2, 5, 10, 20, 50 .. at 0, 1, 2 ..
static double getLogTick(int i) {
  static const int leads[] = {1, 2, 5};
  int lead = ((i % 3) + 3) % 3;
  return leads[lead] * pow(10, (i - lead) / 3);
}

static void writeYAxis(Canvas *c) {
  const BenchPlot *p = c->plot;
  if (p->logarithmicY) {
    // 1, 2 and 5 of each power of ten that are needed; of many, the powers alone have a tick.
    int first = 3 * (int)floor(log10(p->yMin)), last = 3 * (int)ceil(log10(p->yMax));
    while (getLogTick(first + 1) <= p->yMin) ++first;
    while (getLogTick(last - 1) >= p->yMax) --last;
    c->yBottom = getLogTick(first);
    c->yTop = getLogTick(last);
    for (int i = first; i <= last; ++i)
      if (last - first <= 7 || i % 3 == 0) writeYTick(c, getLogTick(i));
    return;
  }
  double step = chooseStep(p->yMax);
  c->yTop = ceil(p->yMax / step) * step;
  for (int i = 0; i * step <= c->yTop * 1.0001; ++i) writeYTick(c, i * step);
}

/// "8192"; all ticks of an axis are powers, "2^20", where one would be too long.
static void writeXTick(const Canvas *c, double x, bool asPower) {
  char text[32];
  if (asPower)
    snprintf(text, sizeof text, "2^%d", (int)lround(log2(x)));
  else
    snprintf(text, sizeof text, "%.12g", x);
  double at = placeX(c, x), bottom = c->frame.height - c->frame.bottom;
  writeLine(c, at, bottom, at, bottom + 5, "axis");
  writeLabel(c, at, bottom + 19, "middle", text);
}

static void writeXAxis(const Canvas *c) {
  const BenchPlot *p = c->plot;
  double bottom = c->frame.height - c->frame.bottom;
  writeLine(c, c->frame.left, bottom, c->frame.width - c->frame.right, bottom, "axis");
  if (benchPlotHasBars(p)) {
    if (p->xMax > 0) writeXTick(c, p->xMax, false);
    return;
  }
  if (!p->logarithmic) {
    double step = chooseStep(p->xMax - p->xMin);
    for (int i = (int)ceil(p->xMin / step); i * step <= p->xMax * 1.0001; ++i)
      writeXTick(c, i * step, false);
    return;
  }
  // Powers of two, as many as have room.
  int first = (int)ceil(log2(p->xMin) - 1e-9), last = (int)floor(log2(p->xMax) + 1e-9);
  int stride = (last - first) / (c->frame.width / 90) + 1;
  for (int power = first; power <= last; power += stride)
    writeXTick(c, ldexp(1, power), last >= 17);
}

//===- lines --------------------------------------------------------------===//

static void writeBand(const Canvas *c, const BenchSeries *s) {
  fputs("<polygon fill=\"currentColor\" fill-opacity=\"0.2\" points=\"", c->file);
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

/// The group of line `series`, in its colour; the page's buttons hide it by its number.
static void openSeries(const Canvas *c, size_t series) {
  fprintf(c->file, "<g class=\"s%zu\" data-line=\"%zu\">\n", series % BENCH_NUM_COLORS, series);
}

/// One point is no line: a bar each, with the band as a stroke.
static void writeBars(const Canvas *c, BenchMetric metric) {
  const BenchPlot *p = c->plot;
  double step = (double)(c->frame.width - c->frame.left - c->frame.right) / (double)p->count;
  double width = fmin(0.7 * step, 90);
  for (size_t i = 0; i < p->count; ++i) {
    const BenchSeries *s = &p->series[i];
    const struct BenchDot *dot = &s->dots[0];
    double x = c->frame.left + step * ((double)i + 0.5), y = placeY(c, dot->middle);
    openSeries(c, i);
    fprintf(c->file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"currentColor\" "
            "fill-opacity=\"0.8\">",
            x - width / 2, y, width, placeY(c, 0) - y);
    writeTooltip(c, s, dot, metric, true);
    fputs("</rect>\n", c->file);
    writeLine(c, x, placeY(c, dot->low), x, placeY(c, dot->high), "whisker");
    fputs("</g>\n", c->file);
  }
}

static void writeSeries(const Canvas *c, const BenchSeries *s, size_t index, BenchMetric metric) {
  openSeries(c, index);
  writeBand(c, s);
  fputs("<polyline fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" points=\"", c->file);
  for (size_t i = 0; i < s->count; ++i)
    fprintf(c->file, "%.1f,%.1f ", placeX(c, s->dots[i].x), placeY(c, s->dots[i].middle));
  fputs("\"/>\n", c->file);
  for (size_t i = 0; i < s->count; ++i) {
    const struct BenchDot *dot = &s->dots[i];
    double x = placeX(c, dot->x), y = placeY(c, dot->middle);
    // The band's ends, where a single point has no width to fill.
    fprintf(c->file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" "
            "stroke-opacity=\"0.5\"/>\n",
            x, placeY(c, dot->low), x, placeY(c, dot->high));
    fprintf(c->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"currentColor\">", x, y);
    writeTooltip(c, s, dot, metric, false);
    fputs("</circle>\n", c->file);
  }
  fputs("</g>\n", c->file);
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
  double lowest = c->frame.height - c->frame.bottom;
  for (size_t i = p->count; i-- > 0; lowest = labels[i].y - lineHeight)
    labels[i].y = fmin(labels[i].y, lowest);
  for (size_t i = 0; i < p->count; ++i) {
    fprintf(c->file,
            "<text class=\"s%zu\" fill=\"currentColor\" x=\"%d\" y=\"%.1f\" font-weight=\"bold\">",
            labels[i].series % BENCH_NUM_COLORS, c->frame.width - c->frame.right + 12,
            labels[i].y + 4);
    benchWriteEscaped(c->file, p->series[labels[i].series].name);
    fputs("</text>\n", c->file);
  }
  free(labels);
}

static void writeMark(const Canvas *c, double value, const char *text) {
  double y = placeY(c, value);
  fprintf(c->file,
          "<line class=\"axis\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
          "stroke-dasharray=\"6 4\"/>\n",
          c->frame.left, y, c->frame.width - c->frame.right, y);
  writeLabel(c, c->frame.left + 6, y - 5, "start", text);
}

/// The device's peak as a dashed line, where it is near enough to be seen, or the reference's 1.
static void writePeak(const Canvas *c, const BenchReport *report, BenchMetric metric) {
  if (metric == BENCH_RATIO && c->yTop >= 1) writeMark(c, 1, report->reference);
  double peak = metric == BENCH_GBPS ? report->peakBytes * 1e-9 : 0;
  if (metric == BENCH_TFLOPS)
    for (size_t i = 0; i < report->numRows; ++i)
      peak = fmax(peak, report->rows[i].peakOperations * 1e-12);
  if (peak <= c->yBottom || peak > c->yTop) return;
  char text[64];
  snprintf(text, sizeof text, "peak %.4g %s", peak, benchMetricGetName(metric));
  writeMark(c, peak, text);
}

/// What stands along the axes, and above them what is seen, where nothing else says it.
static void writeTitles(const Canvas *c, const BenchReport *report, BenchMetric metric,
                        bool alone) {
  const Frame *f = &c->frame;
  if (alone) {
    fprintf(c->file, "<text class=\"ink\" x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">",
            f->left);
    benchWriteEscaped(c->file, report->options->title);
    fprintf(c->file, "</text>\n<text class=\"dim\" x=\"%d\" y=\"38\">%s on ", f->left,
            benchMetricGetName(metric));
    benchWriteEscaped(c->file, report->device);
    fputs(", median with 20th to 80th percentile</text>\n", c->file);
  }
  char unit[320];
  if (metric == BENCH_RATIO)
    snprintf(unit, sizeof unit, "times as fast as %s", report->reference ? report->reference : "");
  else
    snprintf(unit, sizeof unit, "%s", benchMetricGetName(metric));
  writeLabel(c, alone ? f->left - 8 : 4, f->top - 12, alone ? "end" : "start",
             alone && metric == BENCH_RATIO ? "ratio" : unit);
  char axis[256];
  benchPlotDescribeAxis(report, axis, sizeof axis);
  writeLabel(c, (f->left + f->width - f->right) / 2.0, f->height - 10, "middle", axis);
}

static void writeLines(Canvas *c, const BenchReport *report, BenchMetric metric, bool alone) {
  const BenchPlot *p = c->plot;
  if (!p->count) {
    writeLabel(c, c->frame.width / 2.0, c->frame.height / 2.0, "middle", "nothing was measured");
    return;
  }
  writeYAxis(c);
  writeXAxis(c);
  writePeak(c, report, metric);
  if (benchPlotHasBars(p))
    writeBars(c, metric);
  else
    for (size_t i = 0; i < p->count; ++i) writeSeries(c, &p->series[i], i, metric);
  if (alone) writeNames(c);
}

void benchWriteSvg(FILE *file, const BenchReport *report, BenchMetric metric, bool alone) {
  BenchPlot plot = benchPlotCreate(report, metric);
  Canvas c = {.file = file, .frame = alone ? aloneFrame : pageFrame, .plot = &plot};
  if (alone) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n",
          c.frame.width, c.frame.height, c.frame.width, c.frame.height);
  if (alone) fprintf(file, "<style>%s</style>\n", benchSvgStyle);
  fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", file);
  writeTitles(&c, report, metric, alone);
  writeLines(&c, report, metric, alone);
  fputs("</svg>\n", file);
  benchPlotDestroy(&plot);
}
