//===- Html.c - one page with tables and plots ----------------------------===//
//
// Self-contained: no script, nothing loaded from elsewhere, so it can be sent and kept.
//===----------------------------------------------------------------------===//
#include "Report.h"

static const char style[] =
    "body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:84rem;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}\n"
    "h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.1rem;margin-top:2rem}\n"
    "p.method,p.command{color:#555;max-width:60rem}code{background:#f4f4f4;padding:.1em .3em}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,32rem),1fr));gap:"
    "1rem}\n"
    "svg{max-width:100%;height:auto}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .5rem;text-align:right;border-bottom:1px solid #e4e4e4;"
    "white-space:nowrap}\n"
    "th{border-bottom:2px solid #999;position:sticky;top:0;background:#fff}\n"
    "td.text,th.text{text-align:left}td.config{white-space:normal;min-width:16rem;font-size:.9em}"
    "tr.failed td{color:#b00020}\n";

static void writeCell(FILE *file, const char *text) {
  fputs("<td class=\"text\">", file);
  benchWriteEscaped(file, text ? text : "");
  fputs("</td>", file);
}

/// A number, or nothing for 0, which stands for unknown.
static void writeNumber(FILE *file, const char *format, double value) {
  fputs("<td>", file);
  if (value > 0) fprintf(file, format, value); // NOLINT(clang-diagnostic-format-nonliteral)
  fputs("</td>", file);
}

static void writeHead(FILE *file, const BenchReport *report) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        file);
  benchWriteEscaped(file, report->options->title);
  fprintf(file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
  benchWriteEscaped(file, report->options->title);
  fputs("</h1>\n<p>", file);
  benchWriteEscaped(file, report->device);
  if (report->driver[0]) fputs(", ", file);
  benchWriteEscaped(file, report->driver);
  if (report->multiprocessors) fprintf(file, ", %d multiprocessors", report->multiprocessors);
  if (report->peakBytes > 0) fprintf(file, ", peak %.4g GB/s", report->peakBytes * 1e-9);
  fprintf(file, ". %s.</p>\n", report->date);
  if (report->interrupted)
    fputs("<p><strong>Interrupted</strong>: the points below were measured before.</p>\n", file);
  if (!report->options->command) return;
  fputs("<p class=\"command\"><code>", file);
  benchWriteEscaped(file, report->options->command);
  fputs("</code></p>\n", file);
}

/// Columns that stay empty on some machines, and are left out there.
typedef struct Columns {
  bool tflops, gbps, peak, host, clock, celsius, config;
  int count;
} Columns;

static Columns findColumns(const BenchReport *report) {
  Columns c = {0};
  for (size_t i = 0; i < report->numRows; ++i) {
    const BenchRow *row = &report->rows[i];
    c.tflops |= row->operations > 0;
    c.gbps |= row->bytes > 0;
    c.peak |= benchRowGetPeakShare(report, row) > 0;
    c.host |= row->host.median > 0;
    c.clock |= row->after.clockMHz > 0;
    c.celsius |= row->after.celsius > 0;
    c.config |= row->config && *row->config;
  }
  c.count = 6 + c.tflops + c.gbps + c.peak + c.host + c.clock + c.celsius + c.config;
  return c;
}

/// "BM=64, BN=32", which may be broken into lines.
static void writeConfig(FILE *file, const char *config) {
  fputs("<td class=\"text config\">", file);
  if (config && !*config) fputs("(default)", file);
  for (const char *at = config ? config : ""; *at; ++at) {
    const char text[2] = {*at};
    benchWriteEscaped(file, *at == ',' ? ", " : text);
  }
  fputs("</td>", file);
}

static void writeTableHead(FILE *file, const BenchReport *report, const Columns *c) {
  const TileSpace *space = report->options->space;
  fputs("<div class=\"scroll\"><table id=\"results\">\n<thead><tr>", file);
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v) {
    fputs("<th>", file);
    benchWriteEscaped(file, tileSpaceGetVariable(space, v));
    fputs("</th>", file);
  }
  fputs("<th class=\"text\">line</th><th>median ms</th><th>p20</th><th>p80</th><th>p5</th>"
        "<th>p95</th><th>repetitions</th>",
        file);
  if (c->tflops) fputs("<th>TFLOP/s</th>", file);
  if (c->gbps) fputs("<th>GB/s</th>", file);
  if (c->peak) fputs("<th>of peak %</th>", file);
  if (c->host) fputs("<th>host us</th>", file);
  if (c->clock) fputs("<th>MHz</th>", file);
  if (c->celsius) fputs("<th>&deg;C</th>", file);
  if (c->config) fputs("<th class=\"text\">configuration</th>", file);
  fputs("</tr></thead>\n<tbody>\n", file);
}

static void writeRow(FILE *file, const BenchReport *report, const BenchRow *row, const Columns *c) {
  const TileSpace *space = report->options->space;
  fputs(row->status == BENCH_OK ? "<tr>" : "<tr class=\"failed\">", file);
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v)
    fprintf(file, "<td>%lld</td>", (long long)tileSpaceGetValue(space, row->point, v));
  writeCell(file, row->line);
  if (row->status != BENCH_OK) {
    fprintf(file, "<td class=\"text\" colspan=\"%d\">", c->count);
    fputs(row->status == BENCH_OUT_OF_MEMORY ? "out of memory: " : "failed: ", file);
    benchWriteEscaped(file, row->message ? row->message : "");
    fputs("</td></tr>\n", file);
    return;
  }
  const double shown[] = {.5, .2, .8, .05, .95};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; ++i)
    writeNumber(file, "%.4g",
                1e3 * tileStatisticsQuantile(row->samples, row->seconds.count, shown[i]));
  fprintf(file, "<td>%zu%s%s</td>", row->seconds.count, row->replayed ? " replays" : "",
          tileSteadyMoves(row->drift) ? ", unsettled" : "");
  double median = row->seconds.median;
  if (c->tflops) writeNumber(file, "%.4g", benchRowGetMetric(row, BENCH_TFLOPS, median));
  if (c->gbps) writeNumber(file, "%.4g", benchRowGetMetric(row, BENCH_GBPS, median));
  if (c->peak) writeNumber(file, "%.1f", 100 * benchRowGetPeakShare(report, row));
  if (c->host) writeNumber(file, "%.2f", row->host.median * 1e6);
  if (c->clock) writeNumber(file, "%.0f", row->after.clockMHz);
  if (c->celsius) writeNumber(file, "%.0f", row->after.celsius);
  if (c->config) writeConfig(file, row->config);
  fputs("</tr>\n", file);
}

static void writeResources(FILE *file, const BenchReport *report) {
  if (!report->numResources) return;
  fputs("<h2>Resources</h2>\n<div class=\"scroll\"><table id=\"resources\">\n<thead><tr>"
        "<th class=\"text\">line</th><th class=\"text\">kernel</th>"
        "<th class=\"text\">configuration</th><th>registers</th>"
        "<th>spilled bytes</th><th>shared bytes</th><th>barriers</th><th>threads</th>"
        "<th>blocks</th><th>occupancy %</th><th class=\"text\">limited by</th>",
        file);
  for (int i = 0; i < TILE_MIX_KINDS; ++i)
    fprintf(file, "<th>%s</th>", tileMixGetName((TileMixKind)i));
  fputs("<th class=\"text\">counted in</th></tr></thead>\n<tbody>\n", file);
  for (size_t i = 0; i < report->numResources; ++i) {
    const BenchResources *r = &report->resources[i];
    const TileResources *f = &r->found;
    fputs("<tr>", file);
    writeCell(file, r->line);
    writeCell(file, r->kernel);
    writeConfig(file, r->config);
    if (f->assembled)
      fprintf(file,
              "<td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%.0f</td>",
              f->registers, f->spillStores + f->spillLoads, f->sharedBytes, f->barriers, f->threads,
              f->occupancy.blocks, 100 * f->occupancy.share);
    else
      fprintf(file, "<td></td><td></td><td>%d</td><td></td><td>%d</td><td></td><td></td>",
              f->sharedBytes, f->threads);
    writeCell(file, f->assembled ? tileOccupancyGetLimitName(f->occupancy.limit) : "");
    for (int k = 0; k < TILE_MIX_KINDS; ++k) fprintf(file, "<td>%d</td>", f->mix[k]);
    writeCell(file, f->fromSass ? "SASS" : "PTX");
    fputs("</tr>\n", file);
  }
  fputs("</tbody></table></div>\n", file);
}

static void writeMethod(FILE *file, const BenchReport *report) {
  fputs("<h2>Method</h2>\n<p class=\"method\">", file);
  if (report->onGpu)
    fputs("Time on the device between two events, the L2 cache flushed before each repetition and "
          "each of the warm-up, which is not kept; launches shorter than the host takes to give "
          "them away are replayed as a graph. The host's time is that of a launch's call, apart. ",
          file);
  else
    fputs("Wall clock around each repetition after a warm-up, caches as the repetition before left "
          "them. ",
          file);
  fputs("Rows whose times moved by more than 2 % while they were taken are called unsettled. "
        "Lines are measured by turns in one process. Rates come from each kernel's tile.cost. The "
        "files of --csv and --json keep every percentile.</p>\n",
        file);
}

void benchWriteHtml(FILE *file, const BenchReport *report) {
  BenchMetric first = benchReportChooseMetric(report);
  Columns columns = findColumns(report);
  writeHead(file, report);
  fputs("<div class=\"plots\">\n", file);
  benchWriteSvg(file, report, first, false);
  for (int m = 0; m < BENCH_NUM_METRICS; ++m)
    if ((BenchMetric)m != first && benchReportHasMetric(report, (BenchMetric)m))
      benchWriteSvg(file, report, (BenchMetric)m, false);
  fputs("</div>\n<h2>Results</h2>\n", file);
  writeTableHead(file, report, &columns);
  for (size_t i = 0; i < report->numRows; ++i) writeRow(file, report, &report->rows[i], &columns);
  fputs("</tbody></table></div>\n", file);
  writeResources(file, report);
  writeMethod(file, report);
  fputs("</body>\n</html>\n", file);
}
