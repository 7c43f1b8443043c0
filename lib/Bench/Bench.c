//===- Bench.c - points, lines, rounds ------------------------------------===//
//
// At a point, all lines run first and keep their arrays; then everything is measured by turns, in
// rounds, so that what the machine does meanwhile strikes all alike.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "mlir-c/Diagnostics.h"
#include "tile/IR.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 3 };

/// What is measured at one point: a launch, or a provider.
typedef struct Entry {
  size_t row;
  TileProgram *program;
  size_t launch;
  BenchProvider *provider;
  TileTiming timing;
  TileSteadyTurns turns;
} Entry;

typedef struct Bench {
  const TileBenchOptions *options;
  TileProgram **programs;
  /// What each program is bound to.
  char ***bindings;
  TileSensors *sensors;
  double clockMHz;
  BenchReport report;
  /// What to compare with at the end, or NULL.
  BenchBaseline *baseline;
  /// The first error since it was last emptied.
  char *message;
  Entry *entries;
  size_t numEntries, capacityEntries;
  size_t firstRow, done;
  /// Of the point: all are replayed as graphs, since one of them has to be.
  bool replays;
  /// The first point has no line that the options name: a message said so.
  bool refused;
} Bench;

//===- errors -------------------------------------------------------------===//

static void appendText(MlirStringRef text, void *data) { fwrite(text.data, 1, text.length, data); }

/// Keeps the first line of the first error, and leaves printing to the handlers before it.
static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *data) {
  Bench *b = data;
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  tileProgressClear();
  if (b->message) return mlirLogicalResultFailure();
  size_t size;
  FILE *stream = open_memstream(&b->message, &size);
  if (!stream) abort();
  mlirDiagnosticPrint(diagnostic, appendText, stream);
  fclose(stream);
  b->message[strcspn(b->message, "\n")] = 0;
  return mlirLogicalResultFailure();
}

static void failRow(Bench *b, BenchRow *row, bool outOfMemory) {
  row->status = outOfMemory ? BENCH_OUT_OF_MEMORY : BENCH_FAILED;
  free(row->message);
  row->message = b->message;
  b->message = NULL;
}

/// A failure that no diagnostic told.
static void failRowWith(BenchRow *row, TileError *error) {
  row->status = error->outOfMemory ? BENCH_OUT_OF_MEMORY : BENCH_FAILED;
  free(row->message);
  row->message = error->message;
  error->message = NULL;
  if (row->message) row->message[strcspn(row->message, "\n")] = 0;
  tileProgressClear();
  fprintf(stderr, "error: %s: %s\n", row->line, row->message ? row->message : "unknown");
}

//===- a point: running ---------------------------------------------------===//

static Entry *addEntry(Bench *b, const char *line, size_t point) {
  if (b->numEntries == b->capacityEntries) {
    b->capacityEntries = b->capacityEntries ? 2 * b->capacityEntries : 16;
    Entry *grown = tileRuntimeAlloc(b->capacityEntries * sizeof *grown);
    if (b->numEntries) memcpy(grown, b->entries, b->numEntries * sizeof *grown);
    free(b->entries);
    b->entries = grown;
  }
  benchReportAdd(&b->report, line, point);
  Entry *entry = &b->entries[b->numEntries++];
  *entry = (Entry){.row = b->report.numRows - 1};
  return entry;
}

static BenchRow *rowOf(Bench *b, const Entry *entry) { return &b->report.rows[entry->row]; }

/// What the launch is called: the line's name or the kernel's, numbered where one kernel has
/// several launches.
static void nameLaunch(const Bench *b, size_t line, size_t launch, char *name, size_t size) {
  const TileProgram *program = b->programs[line];
  MlirStringRef kernel = tileProgramGetLaunch(program, launch).kernel;
  size_t all = tileProgramGetNumLaunches(program), number = 1;
  for (size_t i = 0; i < launch; ++i)
    number += mlirStringRefEqual(tileProgramGetLaunch(program, i).kernel, kernel);
  const char *own = b->options->lines[line].name;
  int used = own && all > 1 ? snprintf(name, size, "%s %.*s", own, (int)kernel.length, kernel.data)
             : own          ? snprintf(name, size, "%s", own)
                            : snprintf(name, size, "%.*s", (int)kernel.length, kernel.data);
  if (number > 1 && used > 0 && (size_t)used < size)
    snprintf(name + used, size - (size_t)used, " #%zu", number);
}

static char *copyRef(MlirStringRef text) {
  char *copy = tileRuntimeAlloc(text.length + 1);
  memcpy(copy, text.data, text.length);
  return copy;
}

/// What `line` binds, or what tuning found.
static char *describeConfig(const Bench *b, size_t line, const char *tuned) {
  size_t count = b->options->lines[line].numBind, size = strlen(tuned) + 1, used = 0;
  for (size_t i = 0; i < count; ++i) size += strlen(b->bindings[line][i]) + 1;
  char *text = tileRuntimeAlloc(size);
  for (size_t i = 0; i < count; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "", b->bindings[line][i]);
  snprintf(text + used, size - used, "%s%s", used && *tuned ? "," : "", tuned);
  return text;
}

static void describeLaunch(Bench *b, const Entry *entry, size_t line) {
  MlirModule module = b->options->lines[line].module;
  BenchRow *row = rowOf(b, entry);
  row->launch = tileProgramGetLaunch(entry->program, entry->launch);
  row->kernel = copyRef(row->launch.kernel);
  row->arguments = strdup(row->launch.arguments);
  if (!row->arguments) abort();
  row->config = describeConfig(b, line, row->launch.config);
  row->operations = row->launch.operations;
  row->bytes = row->launch.bytes;
  row->multiplies =
      benchHasDot(module, row->launch.kernel) || benchIsArithmetic(row->operations, row->bytes);
  TileDevice *device = tileProgramGetDevice(entry->program);
  if (device)
    row->peakOperations =
        benchFindPeak(tileDeviceGetInfo(device), b->clockMHz, module, row->launch.kernel);
}

/// The line's name where it has not launched anything: its own or its first kernel's.
static void nameLine(const Bench *b, size_t line, char *name, size_t size) {
  const TileBenchLine *l = &b->options->lines[line];
  snprintf(name, size, "%s", l->name ? l->name : "main");
  if (l->name) return;
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(l->module)) {
    if (!tileOpIsAFunc(op) || !mlirAttributeIsNull(tileAttr(op, "sym_visibility"))) continue;
    MlirStringRef kernel = tileFuncGetSymName(op);
    snprintf(name, size, "%.*s", (int)kernel.length, kernel.data);
    return;
  }
}

/// Makes and opens the program of a line as it is bound at `point`, unless it is there.
static bool openLine(Bench *b, size_t line, size_t point) {
  const TileBenchOptions *o = b->options;
  const TileBenchLine *l = &o->lines[line];
  char **bindings = benchMakeBindings(l, o->space, point);
  bool same = b->programs[line] != NULL;
  for (size_t i = 0; same && i < l->numBind; ++i) same = !strcmp(bindings[i], b->bindings[line][i]);
  if (same) {
    free(bindings);
    return true;
  }
  tileProgramDestroy(b->programs[line]);
  free(b->bindings[line]);
  b->bindings[line] = bindings;
  TileProgramOptions options = {.target = o->target,
                                .arch = o->arch,
                                .bind = (const char *const *)bindings,
                                .numBind = l->numBind,
                                .cache = o->cache};
  b->programs[line] = tileProgramCreate(l->module, &options);
  const char *reason = NULL;
  if (!b->programs[line] || mlirLogicalResultIsFailure(tileProgramOpen(b->programs[line], &reason)))
    return false;
  if (reason && !line && !b->done) fprintf(stderr, "note: running on the CPU: %s\n", reason);
  return true;
}

static void runLine(Bench *b, size_t line, size_t point) {
  char name[256];
  size_t count;
  free(b->message);
  b->message = NULL;
  bool open = openLine(b, line, point);
  TileProgram *program = b->programs[line];
  char **texts = open ? tileBenchMakeArguments(program, b->options, point, &count) : NULL;
  MlirLogicalResult result = mlirLogicalResultFailure();
  benchLetGo(true, b->firstRow, b->done + 1);
  if (texts) result = tileProgramRun(program, (const char *const *)texts, count);
  benchTakeBack();
  free(texts);
  if (mlirLogicalResultIsFailure(result)) {
    nameLine(b, line, name, sizeof name);
    Entry *entry = addEntry(b, name, point);
    failRow(b, rowOf(b, entry), program && tileProgramRanOutOfMemory(program));
    return;
  }
  for (size_t i = 0; i < tileProgramGetNumLaunches(program); ++i) {
    nameLaunch(b, line, i, name, sizeof name);
    Entry *entry = addEntry(b, name, point);
    entry->program = program;
    entry->launch = i;
    describeLaunch(b, entry, line);
  }
}

/// Prepares a provider for the first launch of the first line that it can do the work of.
static void addProvider(Bench *b, const char *name, size_t point, size_t numLaunches) {
  TileError error = TILE_ERROR_INIT;
  BenchProvider *provider = NULL;
  const Entry *like = NULL;
  bool any = false;
  for (size_t i = 0; i < numLaunches && !provider; ++i) {
    like = &b->entries[i];
    any |= like->program != NULL;
    if (like->program) provider = benchProviderCreate(name, like->program, like->launch, &error);
  }
  // Where no line got as far as a launch, there is nothing to compare with.
  if (!any) return;
  BenchRow cost = provider ? *rowOf(b, like) : (BenchRow){0};
  TileProgram *program = provider ? like->program : NULL;
  Entry *entry = addEntry(b, name, point);
  BenchRow *row = rowOf(b, entry);
  row->bytes = cost.bytes;
  if (benchProviderComputes(name)) {
    row->operations = cost.operations;
    row->peakOperations = cost.peakOperations;
    row->multiplies = cost.multiplies;
  }
  entry->provider = provider;
  entry->program = program;
  if (!provider) failRowWith(row, &error);
  tileErrorDestroy(&error);
}

//===- a point: measuring -------------------------------------------------===//

static void measureOnce(Bench *b, Entry *entry, const TileTimingOptions *options) {
  TileError error = TILE_ERROR_INIT;
  bool ok;
  benchLetGo(false, b->firstRow, b->done + 1);
  if (entry->provider)
    ok = tileTimingMeasure(tileProgramGetDevice(entry->program), benchProviderRun, entry->provider,
                           options, &entry->timing, &error);
  else
    ok = mlirLogicalResultIsSuccess(
        tileProgramMeasure(entry->program, entry->launch, options, &entry->timing));
  benchTakeBack();
  if (!ok && entry->provider) failRowWith(rowOf(b, entry), &error);
  if (!ok && !entry->provider)
    failRow(b, rowOf(b, entry), tileProgramRanOutOfMemory(entry->program));
  tileErrorDestroy(&error);
}

/// Turns of an entry, but for long work.
static unsigned getRounds(const Bench *b) {
  unsigned repeat = b->options->repeat;
  return b->numEntries == 1 ? 1 : repeat && repeat < ROUNDS ? repeat : ROUNDS;
}

/// How an entry is measured in a turn. Long work settles and fills its time: between points the
/// device idles, and by turns with others, which take another power, it has to settle each time.
static TileTimingOptions makeTurn(const Bench *b, const Entry *entry, unsigned turn) {
  const unsigned repeat = b->options->repeat, rounds = getRounds(b);
  const bool one = entry->turns.count < repeat % rounds;
  const bool alone = b->numEntries == 1;
  TileTimingOptions options = {.repeat = repeat / rounds + one,
                               .warmupSeconds = turn ? 0.005 : 0.025,
                               .replay = b->replays ? TILE_REPLAY_POSSIBLE : TILE_REPLAY_AUTO,
                               .stop = &benchStopped};
  if (!b->report.onGpu) {
    options.seconds = alone ? 0.2 : 0.1;
  } else if (!repeat) {
    options.seconds = 0.12;
    options.fill = true;
    options.settleLeast = turn ? 0.1 : 0.2;
    options.settleSeconds = !turn ? 1 : alone ? 0 : 0.3;
  }
  return options;
}

static bool hadItsTurns(const Bench *b, const Entry *entry) {
  if (entry->timing.isLong && !b->options->repeat)
    return tileSteadyIsDone(&entry->turns, entry->timing.seconds);
  return entry->turns.count >= getRounds(b);
}

static void measureTurn(Bench *b, Entry *entry, unsigned turn) {
  BenchRow *row = rowOf(b, entry);
  TileTimingOptions options = makeTurn(b, entry, turn);
  char what[320], where[256];
  benchDescribePoint(&b->report, row->point, where, sizeof where);
  snprintf(what, sizeof what, "%s %s", row->line, where);
  tileProgressDraw(b->done, tileSpaceGetNumPoints(b->options->space), what);
  if (!turn) row->before = tileSensorsRead(b->sensors);
  measureOnce(b, entry, &options);
  tileSteadyAddTurn(&entry->turns, entry->timing.count);
  row->after = tileSensorsRead(b->sensors);
}

/// What a graph replays is measured a microsecond shorter than what the host launches: where one
/// entry has to be replayed, the others begin again, so that all are measured alike.
static void replayAlike(Bench *b) {
  for (size_t i = 0; i < b->numEntries; ++i) b->replays |= b->entries[i].timing.replayed;
  for (size_t i = 0; i < b->numEntries && b->replays; ++i) {
    Entry *entry = &b->entries[i];
    if (entry->timing.replayed) continue;
    entry->timing.count = 0;
    entry->turns = (TileSteadyTurns){0};
  }
}

static void measureEntries(Bench *b) {
  bool more = true;
  b->replays = false;
  for (unsigned turn = 0; more && !benchStopped; ++turn) {
    more = false;
    for (size_t i = 0; i < b->numEntries && !benchStopped; ++i) {
      Entry *entry = &b->entries[i];
      if (rowOf(b, entry)->status != BENCH_OK || !entry->program) continue;
      if (turn && hadItsTurns(b, entry)) continue;
      measureTurn(b, entry, turn);
      more = true;
    }
    if (!turn && !benchStopped) replayAlike(b);
  }
}

static bool isKnown(const BenchReport *report, const BenchRow *row) {
  for (size_t i = 0; i < report->numResources; ++i)
    if (!strcmp(report->resources[i].line, row->line) &&
        !strcmp(report->resources[i].config, row->config))
      return true;
  return false;
}

/// Finds the resources of each kernel and configuration that was measured and is new to the report.
static void findResources(Bench *b, size_t line, size_t point) {
  TileProgram *program = b->programs[line];
  BenchReport *report = &b->report;
  size_t count;
  char **texts = tileBenchMakeArguments(program, b->options, point, &count);
  for (size_t i = 0; texts && i < b->numEntries; ++i) {
    const Entry *entry = &b->entries[i];
    BenchRow *row = rowOf(b, entry);
    if (entry->program != program || entry->provider || row->status != BENCH_OK) continue;
    if (isKnown(report, row)) continue;
    TileResources found;
    if (mlirLogicalResultIsFailure(tileProgramFindResources(
            program, tileString(row->kernel), (const char *const *)texts, count, &found)))
      continue;
    BenchResources *grown = tileRuntimeAlloc((report->numResources + 1) * sizeof *grown);
    if (report->numResources)
      memcpy(grown, report->resources, report->numResources * sizeof *grown);
    free(report->resources);
    report->resources = grown;
    grown[report->numResources++] =
        (BenchResources){copyRef(tileString(row->line)), copyRef(tileString(row->kernel)),
                         copyRef(tileString(row->config)), found};
  }
  free(texts);
}

/// Moves the samples into the row.
static void finishEntry(Bench *b, Entry *entry) {
  BenchRow *row = rowOf(b, entry);
  TileTiming *timing = &entry->timing;
  size_t first = timing->isLong ? tileSteadyGetFirst(&entry->turns) : 0;
  timing->count -= first;
  if (first)
    memmove(timing->seconds, timing->seconds + first, timing->count * sizeof *row->samples);
  row->drift = tileSteadyGetDrift(timing->seconds, timing->count);
  row->taken = tileRuntimeAlloc((timing->count + 1) * sizeof *row->taken);
  if (timing->count) memcpy(row->taken, timing->seconds, timing->count * sizeof *row->taken);
  row->seconds = tileStatisticsCompute(timing->seconds, timing->count);
  row->host = tileStatisticsCompute(timing->hostSeconds, timing->hostCount);
  row->replayed = timing->replayed;
  row->samples = timing->seconds;
  timing->seconds = NULL;
  tileTimingDestroy(timing);
  benchProviderDestroy(entry->provider);
  entry->provider = NULL;
  // Its texts go with the program's arrays.
  row->launch.kernel = (MlirStringRef){NULL, 0};
  row->launch.arguments = row->launch.config = NULL;
}

/// Keeps the point's rows that have samples, or failed, and prints them.
static bool printPoint(Bench *b) {
  BenchReport *report = &b->report;
  size_t kept = b->firstRow;
  for (size_t i = b->firstRow; i < report->numRows; ++i) {
    BenchRow row = report->rows[i];
    if (row.status != BENCH_OK || row.seconds.count)
      report->rows[kept++] = row;
    else
      benchRowDestroy(&row);
  }
  report->numRows = kept;
  ++b->done;
  if (!report->reference) b->refused = kept && !benchReportFindReference(report);
  bool ok = !b->refused;
  for (size_t i = b->firstRow; i < kept; ++i) {
    benchPrintRow(report, &report->rows[i]);
    ok &= report->rows[i].status == BENCH_OK;
  }
  return ok;
}

/// Measures one point and prints its rows. An interrupted point keeps what has samples.
static bool measurePoint(Bench *b, size_t point) {
  const TileBenchOptions *o = b->options;
  b->firstRow = b->report.numRows;
  b->numEntries = 0;
  for (size_t i = 0; i < o->numLines && !benchStopped; ++i) {
    char where[256];
    benchDescribePoint(&b->report, point, where, sizeof where);
    tileProgressDraw(b->done, tileSpaceGetNumPoints(o->space), where);
    runLine(b, i, point);
  }
  size_t launches = b->numEntries;
  for (size_t i = 0; i < o->numProviders && !benchStopped; ++i)
    addProvider(b, o->providers[i], point, launches);
  measureEntries(b);
  for (size_t i = 0; i < o->numLines && b->report.onGpu && !benchStopped; ++i)
    findResources(b, i, point);
  for (size_t i = 0; i < b->numEntries; ++i) finishEntry(b, &b->entries[i]);
  for (size_t i = 0; i < o->numLines; ++i)
    if (b->programs[i]) tileProgramReset(b->programs[i]);
  return printPoint(b);
}

//===- before and after ---------------------------------------------------===//

static bool checkFile(const char *path) {
  TileError error = TILE_ERROR_INIT;
  if (!path || tileOutputCheck(path, &error)) return true;
  fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  return false;
}

static bool checkFiles(const TileBenchOptions *o) {
  bool ok = checkFile(o->csv) && checkFile(o->json) && checkFile(o->html);
  for (size_t i = 0; ok && i < o->numPlots; ++i) {
    size_t length = strlen(o->plots[i]);
    bool png = length > 4 && !strcmp(o->plots[i] + length - 4, ".png");
    ok = checkFile(o->plots[i]);
    if (!ok || !png || tileBenchHasProgram("rsvg-convert")) continue;
    fprintf(stderr,
            "error: expected rsvg-convert (librsvg2-bin) on PATH for '%s', found none: a plot in "
            ".svg needs no other program\n",
            o->plots[i]);
    ok = false;
  }
  return ok;
}

static void describeDevice(Bench *b) {
  BenchReport *r = &b->report;
  TileDevice *device = tileProgramGetDevice(b->programs[0]);
  b->sensors = tileSensorsCreate(device);
  snprintf(r->device, sizeof r->device, "%s", tileProgramGetDeviceName(b->programs[0]));
  time_t now = time(NULL);
  struct tm parts;
  strftime(r->date, sizeof r->date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
  benchDescribeHost(r);
  if (!device) return;
  const TileDeviceInfo *info = tileDeviceGetInfo(device);
  TileSensorReading most = tileSensorsGetMaximum(b->sensors);
  r->onGpu = true;
  r->multiprocessors = info->multiprocessors;
  int used = snprintf(r->driver, sizeof r->driver, "CUDA %d.%d", info->driverVersion / 1000,
                      info->driverVersion % 1000 / 10);
  const char *version = tileSensorsGetDriverVersion(b->sensors);
  if (*version) snprintf(r->driver + used, sizeof r->driver - (size_t)used, ", driver %s", version);
  b->clockMHz = info->clockKHz ? info->clockKHz * 1e-3 : most.clockMHz;
  double memoryMHz = info->memoryClockKHz ? info->memoryClockKHz * 1e-3 : most.memoryClockMHz;
  // Memory moves data at both edges of its clock.
  r->peakBytes = 2 * memoryMHz * 1e6 * info->memoryBusBits / 8;
}

/// Opens every line and looks at what can be wrong before anything is measured.
static bool prepare(Bench *b) {
  const TileBenchOptions *o = b->options;
  if (!checkFiles(o)) return false;
  if (o->baseline) {
    TileError error = TILE_ERROR_INIT;
    b->baseline = benchBaselineRead(o->baseline, &error);
    if (!b->baseline) fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
    tileErrorDestroy(&error);
    if (!b->baseline) return false;
  }
  for (size_t i = 0; i < o->numLines; ++i) {
    if (!openLine(b, i, 0)) return false;
    if (mlirOperationIsNull(tileProgramGetMain(b->programs[i]))) {
      MlirOperation module = mlirModuleGetOperation(o->lines[i].module);
      tileEmitError(mlirOperationGetLocation(module),
                    "expected a host program func.func @main, found none");
      return false;
    }
    size_t count;
    char **texts = tileBenchMakeArguments(b->programs[i], o, 0, &count);
    if (!texts) return false;
    free(texts);
  }
  for (size_t i = 0; i < o->numProviders; ++i) {
    TileError error = TILE_ERROR_INIT;
    if (benchProviderCheck(o->providers[i], tileProgramGetDevice(b->programs[0]), &error)) continue;
    fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
    tileErrorDestroy(&error);
    return false;
  }
  return true;
}

static bool measureAll(Bench *b) {
  size_t points = tileSpaceGetNumPoints(b->options->space);
  bool ok = true;
  describeDevice(b);
  benchPrintHeader(&b->report);
  benchCatchInterrupts(&b->report);
  for (size_t i = 0; i < points && !benchStopped && !b->refused; ++i) {
    ok &= measurePoint(b, i);
    if (b->done < points && !benchStopped) benchKeepRows(&b->report);
  }
  tileProgressClear();
  b->report.interrupted = benchStopped;
  if (b->report.interrupted) {
    benchPrintInterrupted(&b->report, b->done);
    ok = false;
  }
  benchPrintUnsettled(&b->report);
  benchPrintResources(&b->report);
  benchPrintRatios(&b->report);
  if (b->baseline) ok &= benchBaselineCompare(b->baseline, &b->report);
  ok &= benchFinishFiles(&b->report);
  benchReleaseInterrupts();
  tileSensorsDestroy(b->sensors);
  return ok;
}

MlirLogicalResult tileBenchRun(const TileBenchOptions *options) {
  Bench b = {.options = options, .report = {.options = options}};
  b.programs = tileRuntimeAlloc((options->numLines + 1) * sizeof *b.programs);
  b.bindings = tileRuntimeAlloc((options->numLines + 1) * sizeof *b.bindings);
  MlirContext context = mlirModuleGetContext(options->lines[0].module);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, onDiagnostic, &b, NULL);
  bool ok = prepare(&b) && measureAll(&b);
  mlirContextDetachDiagnosticHandler(context, handler);
  benchReportDestroy(&b.report);
  for (size_t i = 0; i < options->numLines; ++i) {
    tileProgramDestroy(b.programs[i]);
    free(b.bindings[i]);
  }
  benchBaselineDestroy(b.baseline);
  free(b.bindings);
  free(b.programs);
  free(b.entries);
  free(b.message);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
