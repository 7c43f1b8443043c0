//===- RunMain.c - a file's program: run, emitted, or tuned ---------------===//
#include "TileRun.h"
#include "mlir-c/Pass.h"
#include "tile/IR.h"
#include "tile/Session/Kernels.h"
#include "tile/Text.h"
#include "tile/Trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/// What --emit asks for. @main runs up to the kernel's first launch where its arguments are given.
static bool emit(TileProgram *program, const RunOptions *o) {
  static const char *const none[] = {NULL};
  if (o->emit == TILE_EMIT_CUBIN && !o->output && isatty(STDOUT_FILENO)) {
    fputs("error: expected -o FILE for a cubin, found a terminal\n", stderr);
    return false;
  }
  TileBlob blob;
  const char *const *arguments = o->numSpecs ? none : o->args;
  MlirLogicalResult result = tileProgramEmit(program, tileString(o->kernel ? o->kernel : ""),
                                             o->emit, arguments, o->numArgs, &blob);
  bool ok = mlirLogicalResultIsSuccess(result) && writeOutput(o->output, &blob);
  tileBlobDestroy(&blob);
  return ok;
}

/// Times a launch for a glance: --bench takes its time. On a device some milliseconds: warm, a
/// whole run is to take 60 more than the driver needs to open.
static bool timeLaunch(TileProgram *program, size_t index, const RunOptions *o,
                       TileStatistics *seconds) {
  TileTimingOptions options = {.repeat = o->repeat};
  if (tileProgramGetDevice(program)) {
    options.seconds = 0.004;
    options.warmupSeconds = 0.002;
    options.hostSeconds = 0.001;
  }
  TileTiming timing = {0};
  bool ok = mlirLogicalResultIsSuccess(tileProgramMeasure(program, index, &options, &timing));
  if (ok) *seconds = tileStatisticsCompute(timing.seconds, timing.count);
  tileTimingDestroy(&timing);
  return ok;
}

static void printFacts(const TileFacts *facts) {
  TileText text = {0};
  tileFactsPrint(facts, &text);
  if (text.size) printf("  compiled for: %s\n", text.data);
  free(text.data);
}

/// One line: device, kernel, arguments, time, rates.
static bool reportLaunch(TileProgram *program, size_t index, const RunOptions *o) {
  TileProgramLaunch launch = tileProgramGetLaunch(program, index);
  TileStatistics seconds;
  if (!timeLaunch(program, index, o, &seconds)) return false;
  printf("%s: %.*s(%s): %.4g ms", tileProgramGetDeviceName(program), (int)launch.kernel.length,
         launch.kernel.data, launch.arguments, seconds.median * 1e3);
  if (seconds.median > 0 && launch.operations)
    printf(", %.4g TFLOP/s", (double)launch.operations / seconds.median * 1e-12);
  if (seconds.median > 0 && launch.bytes)
    printf(", %.4g GB/s", (double)launch.bytes / seconds.median * 1e-9);
  putchar('\n');
  if (!o->verbose) return true;
  printf("  median of %zu, %.4g to %.4g ms; grid %d x %d x %d; launched %zu time%s\n",
         seconds.count, seconds.min * 1e3, seconds.max * 1e3, launch.grid[0], launch.grid[1],
         launch.grid[2], launch.times, launch.times == 1 ? "" : "s");
  if (*launch.config) printf("  configuration: %s\n", launch.config);
  printFacts(launch.facts);
  if (launch.threads)
    printf("  %d threads, %d registers, %d bytes spilled, %d shared bytes, %d blocks a "
           "multiprocessor\n",
           launch.threads, launch.registers, launch.localBytes, launch.sharedBytes,
           launch.blocksPerMultiprocessor);
  return true;
}

static void noteCpu(const char *reason) {
  fprintf(stderr, "note: running on the CPU: %s\n", reason);
}

static bool run(TileProgram *program, const RunOptions *o, TileCache *cache) {
  bool ok = mlirLogicalResultIsSuccess(tileProgramRun(program, o->args, o->numArgs));
  TileProgramChecks checks = tileProgramGetChecks(program);
  if (ok && checks.count)
    printf("largest error %.4g, relative %.4g, in %zu comparison%s\n", checks.maxAbsError,
           checks.frobeniusError, checks.count, checks.count == 1 ? "" : "s");
  // Instrumented code is not worth timing.
  if (o->check || o->traces) {
    TileProgramFindings findings = tileProgramFinishCheck(program, stdout);
    return ok && !findings.errors;
  }
  if (!ok) return false;
  for (size_t i = 0; i < tileProgramGetNumLaunches(program); ++i)
    if (!reportLaunch(program, i, o)) return false;
  if (o->verbose && cache) {
    TileCacheStat stat = tileCacheGetStat(cache);
    printf("cache: %lld found, %lld compiled, %lld stored\n", (long long)stat.hits,
           (long long)stat.misses, (long long)stat.stored);
  }
  return true;
}

/// Runs the program whose launches are tuned, at one of the benchmark's points if there is one.
static bool runTuning(TileProgram *program, const RunOptions *o) {
  if (!o->bench.wanted)
    return mlirLogicalResultIsSuccess(tileProgramRun(program, o->args, o->numArgs));
  if (mlirOperationIsNull(tileProgramGetMain(program))) return false;
  TileBenchOptions options = {.space = o->bench.space, .args = o->args, .numArgs = o->numArgs};
  size_t count;
  char **texts = tileBenchMakeArguments(program, &options, o->tunePoint, &count);
  bool ok = texts &&
            mlirLogicalResultIsSuccess(tileProgramRun(program, (const char *const *)texts, count));
  free(texts);
  return ok;
}

/// The grid and the host program of one kernel, where options ask for them.
static bool addFromCommandLine(MlirModule module, const RunOptions *o,
                               const TileTuneOptions *tuning) {
  bool runs = o->numSpecs || (o->kernel && !o->emits && !o->bench.resources && !tuning);
  if (!runs && !o->numGrid) return true;
  MlirOperation kernel = tileKernelsFind(module, o->kernel);
  if (mlirOperationIsNull(kernel)) return false;
  if (o->numGrid && mlirLogicalResultIsFailure(tileKernelSetGrid(kernel, o->grid))) return false;
  return !runs || mlirLogicalResultIsSuccess(addKernelMain(module, kernel, o->specs, o->numSpecs));
}

static bool runModule(MlirModule module, const RunOptions *o, TileCache *cache,
                      const TileTuneOptions *tuning) {
  if (!addFromCommandLine(module, o, tuning)) return false;
  if (o->bench.wanted && !tuning) return runBench(module, o, cache);
  TileProgramOptions options = {
      .target = o->target,
      .arch = o->arch,
      .bind = o->bind,
      .numBind = tuning ? 0 : o->numBind,
      .cache = cache,
      .check = o->check,
      .checkLimit = o->checkLimit,
      .traces = o->traces,
      .traced = {o->traced[0], o->traced[1], o->traced[2]},
      .dumpDir = o->dumpDir,
      .reproducer = o->reproducer,
      .runsPasses = o->remarks != NULL,
      .overrides = o->overrides,
      .numOverrides = o->numOverrides,
      .tune = tuning,
      .onCpu = tuning || o->emits || o->bench.resources ? NULL : noteCpu,
  };
  TileProgram *program = tileProgramCreate(module, &options);
  bool ok = program != NULL;
  if (ok && tuning)
    ok = runTuning(program, o);
  else if (ok)
    ok = o->emits             ? emit(program, o)
         : o->bench.resources ? printResources(program, o)
                              : run(program, o, cache);
  tileProgramDestroy(program);
  return ok;
}

/// Are all names in the list those of passes? NULL: in $TILE_TRACE.
static bool checkPasses(const char *where, const char *list) {
  TileSuggestionText meant;
  char *unknown = tilePassListFindUnknown(list, &meant);
  if (unknown)
    fprintf(stderr, "error: expected passes in %s, found '%s'%s\n", where, unknown, meant.text);
  free(unknown);
  return !unknown;
}

bool runFile(const RunOptions *o, TileCache *cache, const TileTuneOptions *tuning) {
  if (!checkPasses("TILE_TRACE", NULL)) return false;
  if (o->remarks && !checkPasses("--remarks", o->remarks)) return false;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  attachDiagnostics(context, o);
  MlirModule module = readKernels(context, o->file, o);
  bool ok = !mlirModuleIsNull(module) && runModule(module, o, cache, tuning);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok;
}
