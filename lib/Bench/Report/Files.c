//===- Files.c - each file the options ask for ----------------------------===//
#include "Report.h"
#include <stdlib.h>
#include <string.h>

typedef enum Format { CSV, JSON, HTML, SVG } Format;

static bool complain(TileError *error) {
  fprintf(stderr, "error: %s\n", tileErrorGetMessage(error));
  tileErrorDestroy(error);
  return false;
}

static bool isDue(const char *path, BenchStage stage) {
  return path && (stage == BENCH_END || !tileOutputIsStream(path));
}

static bool writeFile(const BenchReport *report, Format format, const char *path,
                      BenchStage stage) {
  if (!isDue(path, stage)) return true;
  char *data = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&data, &size);
  if (!file) abort();
  bool made = true;
  switch (format) {
  case CSV:
    benchWriteCsv(file, report);
    break;
  case JSON:
    made = benchWriteJson(file, report);
    break;
  case HTML:
    benchWriteHtml(file, report);
    break;
  case SVG:
    benchWriteSvg(file, report, benchReportChooseMetric(report), true);
    break;
  }
  fclose(file);
  TileError error = TILE_ERROR_INIT;
  if (!made) tileErrorSet(&error, "expected text in UTF-8 for '%s', found other bytes", path);
  bool ok = made && tileOutputWrite(path, data, size, &error);
  free(data);
  return ok || complain(&error);
}

static bool endsIn(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && !strcmp(text + length - tail, end);
}

bool benchWriteFiles(const BenchReport *report, BenchStage stage) {
  const TileBenchOptions *o = report->options;
  bool ok = writeFile(report, CSV, o->csv, stage);
  ok &= writeFile(report, JSON, o->json, stage);
  ok &= writeFile(report, HTML, o->html, stage);
  for (size_t i = 0; i < o->numPlots; ++i) {
    TileError error = TILE_ERROR_INIT;
    if (!endsIn(o->plots[i], ".png"))
      ok &= writeFile(report, SVG, o->plots[i], stage);
    else if (stage != BENCH_PART && isDue(o->plots[i], stage) &&
             !benchWritePng(o->plots[i], report, benchReportChooseMetric(report), &error))
      ok = complain(&error);
  }
  return ok;
}
