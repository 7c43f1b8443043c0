//===- Time.c - running launches again, timed -----------------------------===//
#include "ProgramImpl.h"

size_t tileProgramGetNumLaunches(const TileProgram *p) { return p->numRecords; }

TileProgramLaunch tileProgramGetLaunch(const TileProgram *p, size_t index) {
  const TileProgramRecord *r = &p->records[index];
  TileProgramLaunch launch = {.kernel = r->code->kernel->name,
                              .arguments = r->arguments,
                              .config = r->code->config,
                              .facts = &r->code->facts,
                              .grid = {r->grid[0], r->grid[1], r->grid[2]},
                              .operations = r->operations,
                              .bytes = r->bytes,
                              .times = r->times};
  if (!r->code->gpu) return launch;
  const TileKernelInfo *info = tileKernelGetInfo(r->code->gpu);
  TileLaunch shape;
  launch.registers = info->registers;
  launch.localBytes = info->localBytes;
  launch.sharedBytes = info->staticSharedBytes + r->code->sharedBytes;
  launch.threads = r->code->threads;
  if (tileLauncherGetLaunch(r->code->launcher, r->grid, &shape, NULL))
    tileKernelGetOccupancy(r->code->gpu, &shape, &launch.blocksPerMultiprocessor, NULL);
  return launch;
}

TileArray *tileProgramGetLaunchArray(const TileProgram *p, size_t index, unsigned argument) {
  const TileProgramRecord *r = &p->records[index];
  return argument < r->code->kernel->count ? r->arrays[argument] : NULL;
}

bool tileProgramLaunchWrites(const TileProgram *p, size_t index, unsigned argument) {
  const TileProgramKernel *kernel = p->records[index].code->kernel;
  return argument < kernel->count && kernel->parameters[argument].isPointer &&
         (argument >= 64 || kernel->written >> argument & 1);
}

typedef struct Relaunch {
  TileProgram *program;
  const TileProgramRecord *record;
} Relaunch;

static bool relaunch(void *context, TileError *error) {
  const Relaunch *again = context;
  const TileProgramRecord *r = again->record;
  return tileProgramLaunchCode(again->program, r->code, r->slots, r->grid, error);
}

MlirLogicalResult tileProgramMeasure(TileProgram *p, size_t index, const TileTimingOptions *options,
                                     TileTiming *timing) {
  p->outOfMemory = false;
  Relaunch again = {p, &p->records[index]};
  TileError error = TILE_ERROR_INIT;
  // What the launch prints has been seen.
  tileConsoleSetQuiet(p->console, true);
  bool ok = tileTimingMeasure(p->device, relaunch, &again, options, timing, &error);
  MlirLogicalResult flushed = mlirLogicalResultSuccess();
  const TileProgramRecord *r = again.record;
  if (ok && r->code->speaks) flushed = tileProgramFlush(p, r->code, r->grid);
  tileConsoleSetQuiet(p->console, false);
  if (ok) return flushed;
  p->outOfMemory = error.outOfMemory;
  return tileProgramReport(again.record->loc, &error);
}

MlirLogicalResult tileProgramTime(TileProgram *p, size_t index, unsigned repeat,
                                  TileStatistics *seconds) {
  TileTimingOptions options = {.repeat = repeat};
  TileTiming timing = {0};
  MlirLogicalResult result = tileProgramMeasure(p, index, &options, &timing);
  if (mlirLogicalResultIsSuccess(result))
    *seconds = tileStatisticsCompute(timing.seconds, timing.count);
  tileTimingDestroy(&timing);
  return result;
}
