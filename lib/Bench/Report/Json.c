//===- Json.c - all that was measured, samples and all --------------------===//
#include "Report.h"
#include "tile/Support/Version.h"
#include <jansson.h>

static json_t *known(double value) { return value > 0 ? json_real(value) : json_null(); }
static json_t *text(const char *value) { return value ? json_string(value) : json_null(); }

static json_t *reading(const TileSensorReading *r) {
  return json_pack("{s:o, s:o, s:o, s:o}", "clock_mhz", known(r->clockMHz), "memory_clock_mhz",
                   known(r->memoryClockMHz), "celsius", known(r->celsius), "watts",
                   known(r->watts));
}

static json_t *percentiles(const BenchRow *row) {
  json_t *result = json_object();
  for (int i = 0; i < BENCH_NUM_PERCENTILES; ++i) {
    char name[16];
    snprintf(name, sizeof name, "p%d", benchPercentiles[i]);
    double value =
        tileStatisticsQuantile(row->samples, row->seconds.count, benchPercentiles[i] / 100.0);
    json_object_set_new(result, name, json_real(value));
  }
  return result;
}

/// In the order they were taken, so that a drift can be seen.
static json_t *samples(const BenchRow *row) {
  json_t *result = json_array();
  for (size_t i = 0; i < row->seconds.count; ++i)
    json_array_append_new(result, json_real(row->taken[i]));
  return result;
}

static json_t *launch(const TileProgramLaunch *l) {
  return json_pack("{s:[iii], s:i, s:i, s:i, s:i, s:i}", "grid", l->grid[0], l->grid[1], l->grid[2],
                   "threads", l->threads, "registers", l->registers, "local_bytes", l->localBytes,
                   "shared_bytes", l->sharedBytes, "blocks_per_multiprocessor",
                   l->blocksPerMultiprocessor);
}

static json_t *values(const BenchReport *report, const BenchRow *row) {
  const TileSpace *space = report->options->space;
  json_t *result = json_object();
  for (size_t v = 0; v < tileSpaceGetNumVariables(space); ++v)
    json_object_set_new(result, tileSpaceGetVariable(space, v),
                        json_integer(tileSpaceGetValue(space, row->point, v)));
  return result;
}

static json_t *rowObject(const BenchReport *report, const BenchRow *row) {
  static const char *const statuses[] = {"ok", "out of memory", "failed"};
  json_t *result = json_pack("{s:o, s:o, s:o, s:o, s:s}", "line", text(row->line), "kernel",
                             text(row->kernel), "arguments", text(row->arguments), "values",
                             values(report, row), "status", statuses[row->status]);
  if (row->config) json_object_set_new(result, "config", text(row->config));
  if (row->message) json_object_set_new(result, "message", text(row->message));
  if (!row->seconds.count) return result;
  double median = row->seconds.median;
  json_object_set_new(result, "repetitions", json_integer((json_int_t)row->seconds.count));
  json_object_set_new(result, "replayed", json_boolean(row->replayed));
  bool judged = row->drift >= 0;
  json_object_set_new(result, "settled",
                      judged ? json_boolean(tileSteadyRests(row->drift)) : json_null());
  json_object_set_new(result, "drift", judged ? json_real(row->drift) : json_null());
  json_object_set_new(result, "median_seconds", json_real(median));
  json_object_set_new(result, "mean_seconds", json_real(row->seconds.mean));
  json_object_set_new(result, "percentiles_seconds", percentiles(row));
  json_object_set_new(result, "samples_seconds", samples(row));
  json_object_set_new(result, "host_seconds", known(row->host.median));
  if (row->host.count)
    json_object_set_new(result, "host_percentiles_seconds",
                        json_pack("{s:f, s:f, s:f, s:f, s:f}", "p0", row->host.min, "p20",
                                  row->host.low, "p50", row->host.median, "p80", row->host.high,
                                  "p100", row->host.max));
  json_object_set_new(result, "operations", json_integer(row->operations));
  json_object_set_new(result, "bytes", json_integer(row->bytes));
  json_object_set_new(result, "tflops",
                      known(benchRowGetMetric(report, row, BENCH_TFLOPS, median)));
  json_object_set_new(result, "gbps", known(benchRowGetMetric(report, row, BENCH_GBPS, median)));
  json_object_set_new(result, "ratio", known(benchRowGetMetric(report, row, BENCH_RATIO, median)));
  json_object_set_new(result, "peak_tflops", known(row->peakOperations * 1e-12));
  json_object_set_new(result, "peak_share", known(benchRowGetPeakShare(report, row)));
  json_object_set_new(result, "before", reading(&row->before));
  json_object_set_new(result, "after", reading(&row->after));
  if (row->launch.threads) json_object_set_new(result, "launch", launch(&row->launch));
  return result;
}

static json_t *resourceObject(const BenchResources *r) {
  const TileResources *f = &r->found;
  json_t *mix = json_object();
  for (int i = 0; i < TILE_MIX_KINDS; ++i)
    json_object_set_new(mix, tileMixGetName((TileMixKind)i), json_integer(f->mix[i]));
  return json_pack("{s:o, s:o, s:o, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:f, s:s, s:o}",
                   "line", text(r->line), "kernel", text(r->kernel), "config", text(r->config),
                   "arch", f->arch, "registers", f->registers, "spill_store_bytes", f->spillStores,
                   "spill_load_bytes", f->spillLoads, "shared_bytes", f->sharedBytes, "barriers",
                   f->barriers, "threads", f->threads, "blocks_per_multiprocessor",
                   f->occupancy.blocks, "limited_by", tileOccupancyGetLimitName(f->occupancy.limit),
                   "occupancy", f->occupancy.share, "mix_from", f->fromSass ? "sass" : "ptx", "mix",
                   mix);
}

bool benchWriteJson(FILE *file, const BenchReport *report) {
  json_t *rows = json_array(), *resources = json_array();
  for (size_t i = 0; i < report->numRows; ++i)
    json_array_append_new(rows, rowObject(report, &report->rows[i]));
  for (size_t i = 0; i < report->numResources; ++i)
    json_array_append_new(resources, resourceObject(&report->resources[i]));
  json_t *all =
      json_pack("{s:i, s:o, s:o, s:s, s:s, s:s, s:i, s:o, s:b, s:o, s:o}", "tile_bench", 1, "title",
                text(report->options->title), "command", text(report->options->command), "date",
                report->date, "device", report->device, "driver", report->driver, "multiprocessors",
                report->multiprocessors, "peak_gbps", known(report->peakBytes * 1e-9),
                "interrupted", report->interrupted, "rows", rows, "resources", resources);
  if (all) {
    json_object_set_new(all, "tile", text(tileVersionGet()));
    json_object_set_new(all, "commit", text(report->options->commit));
    json_object_set_new(all, "host", json_string(report->host));
    json_object_set_new(all, "processor", json_string(report->processor));
    json_object_set_new(all, "ratio_to",
                        report->reference && *report->reference ? json_string(report->reference)
                                                                : json_null());
  }
  bool ok = all && json_dumpf(all, file, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
  fputc('\n', file);
  json_decref(all);
  return ok;
}
