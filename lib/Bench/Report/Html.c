//===- Html.c - one page with tables and plots ----------------------------===//
//
// Self-contained: nothing is loaded from elsewhere, so it can be sent and kept; its script is the
// few lines below.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "tile/Support/Version.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--dim:#555;--paper:#fff;--soft:#f1f1f1;"
    "--rule:#ddd;--bad:#b00020}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--dim:#a8a8a8;--paper:#16181c;"
    "--soft:#24272d;--rule:#33363c;--bad:#ff7b8a}}\n"
    "body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:84rem;padding:0 1rem;"
    "color:var(--ink);background:var(--paper)}\n"
    "h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.1rem;margin-top:2rem}\n"
    "p.method,p.command{color:var(--dim);max-width:60rem}code{background:var(--soft);"
    "padding:.1em .3em;overflow-wrap:anywhere}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:"
    "1.5rem}\n"
    "figure{margin:0}svg{display:block;width:100%;height:auto;touch-action:pan-y}\n"
    "output{display:block;min-height:1.5em;font-size:.9em;color:var(--dim);white-space:pre-line}\n"
    "button{font:inherit;font-weight:600;background:none;border:1px solid currentColor;"
    "border-radius:.3em;margin:0 .3em .3em 0;padding:.1em .6em;cursor:pointer}"
    "button[aria-pressed=false]{opacity:.45;text-decoration:line-through}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .5rem;text-align:right;border-bottom:1px solid var(--rule);"
    "white-space:nowrap}\n"
    "th{border-bottom:2px solid var(--dim);position:sticky;top:0;background:var(--paper)}\n"
    "td.text,th.text{text-align:left}td.config{white-space:normal;min-width:16rem;font-size:.9em}"
    "tr.failed td{color:var(--bad)}\n";

/// Buttons hide lines; under the pointer stand the values at the nearest size. Without it, the
/// dots' own tooltips say as much.
static const char script[] =
    "for (const figure of document.querySelectorAll('figure')) {\n"
    "  const svg = figure.querySelector('svg'), out = figure.querySelector('output');\n"
    "  const lines = [...svg.querySelectorAll('g[data-line]')];\n"
    "  const box = svg.viewBox.baseVal;\n"
    "  const hair = document.createElementNS(svg.namespaceURI, 'line');\n"
    "  hair.setAttribute('class', 'axis');\n"
    "  hair.setAttribute('y1', 40);\n"
    "  hair.setAttribute('y2', box.height - 46);\n"
    "  for (const button of figure.querySelectorAll('button'))\n"
    "    button.onclick = () => {\n"
    "      const shown = button.getAttribute('aria-pressed') !== 'true';\n"
    "      button.setAttribute('aria-pressed', shown);\n"
    "      lines[button.value].style.display = shown ? '' : 'none';\n"
    "    };\n"
    "  svg.onpointermove = event => {\n"
    "    const at = new DOMPoint(event.clientX, event.clientY)\n"
    "                   .matrixTransform(svg.getScreenCTM().inverse()).x;\n"
    "    const dots = lines.filter(line => line.style.display !== 'none')\n"
    "                     .flatMap(line => [...line.querySelectorAll('circle')]);\n"
    "    if (!dots.length) return;\n"
    "    const far = dot => Math.abs(dot.cx.baseVal.value - at);\n"
    "    const x = dots.reduce((a, b) => far(b) < far(a) ? b : a).getAttribute('cx');\n"
    "    hair.setAttribute('x1', x);\n"
    "    hair.setAttribute('x2', x);\n"
    "    svg.append(hair);\n"
    "    out.value = dots.filter(dot => dot.getAttribute('cx') === x)\n"
    "                    .map(dot => dot.textContent).join('\\n');\n"
    "  };\n"
    "  svg.onpointerleave = () => { hair.remove(); out.value = ''; };\n"
    "}\n";

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
  fprintf(file, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", style, benchSvgStyle);
  benchWriteEscaped(file, report->options->title);
  fputs("</h1>\n<p>", file);
  benchWriteEscaped(file, report->device);
  if (report->driver[0]) fputs(", ", file);
  benchWriteEscaped(file, report->driver);
  if (report->multiprocessors) fprintf(file, ", %d multiprocessors", report->multiprocessors);
  if (report->peakBytes > 0) fprintf(file, ", peak %.4g GB/s", report->peakBytes * 1e-9);
  fprintf(file, ". %s.</p>\n<p class=\"command\">tile ", report->date);
  benchWriteEscaped(file, tileVersionGet());
  if (report->options->commit) fprintf(file, ", commit %s", report->options->commit);
  fputs("; ", file);
  benchWriteEscaped(file, report->host);
  fputs(", ", file);
  benchWriteEscaped(file, report->processor);
  fputs(".</p>\n", file);
  if (report->interrupted)
    fputs("<p><strong>Interrupted</strong>: the points below were measured before.</p>\n", file);
  if (!report->options->command) return;
  fputs("<p class=\"command\"><code>", file);
  benchWriteEscaped(file, report->options->command);
  fputs("</code></p>\n", file);
}

/// Columns that stay empty on some machines, and are left out there.
typedef struct Columns {
  bool tflops, gbps, ratio, peak, host, clock, celsius, config;
  int count;
} Columns;

static Columns findColumns(const BenchReport *report) {
  Columns c = {0};
  for (size_t i = 0; i < report->numRows; ++i) {
    const BenchRow *row = &report->rows[i];
    c.tflops |= row->operations > 0 && row->multiplies;
    c.ratio |= benchRowGetMetric(report, row, BENCH_RATIO, row->seconds.median) > 0;
    c.gbps |= row->bytes > 0;
    c.peak |= benchRowGetPeakShare(report, row) > 0;
    c.host |= row->host.median > 0;
    c.clock |= row->after.clockMHz > 0;
    c.celsius |= row->after.celsius > 0;
    c.config |= row->config && *row->config;
  }
  c.count = 6 + c.tflops + c.gbps + c.ratio + c.peak + c.host + c.clock + c.celsius + c.config;
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
  if (c->ratio) {
    fputs("<th>times ", file);
    benchWriteEscaped(file, report->reference);
    fputs("</th>", file);
  }
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
  if (c->tflops) writeNumber(file, "%.4g", benchRowGetMetric(report, row, BENCH_TFLOPS, median));
  if (c->gbps) writeNumber(file, "%.4g", benchRowGetMetric(report, row, BENCH_GBPS, median));
  if (c->ratio) writeNumber(file, "%.3f", benchRowGetMetric(report, row, BENCH_RATIO, median));
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

/// A plot, with a button for each of its lines above it.
static void writeFigure(FILE *file, const BenchReport *report, BenchMetric metric) {
  BenchPlot plot = benchPlotCreate(report, metric);
  fputs("<figure><div>", file);
  for (size_t i = 0; i < plot.count; ++i) {
    fprintf(file, "<button class=\"s%zu\" value=\"%zu\" aria-pressed=\"true\">",
            i % BENCH_NUM_COLORS, i);
    benchWriteEscaped(file, plot.series[i].name);
    fputs("</button>", file);
  }
  fputs("</div>\n", file);
  benchPlotDestroy(&plot);
  benchWriteSvg(file, report, metric, false);
  fputs("<output></output></figure>\n", file);
}

void benchWriteHtml(FILE *file, const BenchReport *report) {
  BenchMetric first = benchReportChooseMetric(report);
  Columns columns = findColumns(report);
  writeHead(file, report);
  fputs("<div class=\"plots\">\n", file);
  writeFigure(file, report, first);
  for (int m = 0; m < BENCH_NUM_METRICS; ++m)
    if ((BenchMetric)m != first && benchReportHasMetric(report, (BenchMetric)m))
      writeFigure(file, report, (BenchMetric)m);
  fputs("</div>\n<h2>Results</h2>\n", file);
  writeTableHead(file, report, &columns);
  for (size_t i = 0; i < report->numRows; ++i) writeRow(file, report, &report->rows[i], &columns);
  fputs("</tbody></table></div>\n", file);
  writeResources(file, report);
  writeMethod(file, report);
  fprintf(file, "<script>\n%s</script>\n</body>\n</html>\n", script);
}
