//===- ProgramTime.c - running launches again, timed ----------------------===//
#include "ProgramImpl.h"
#include <stdlib.h>

size_t tileProgramGetNumLaunches(const TileProgram *p) { return p->numRecords; }

static TileLaunch launchOf(const TileProgramRecord *r) {
  return (TileLaunch){
      .grid = {(uint32_t)r->grid[0], (uint32_t)r->grid[1], (uint32_t)r->grid[2]},
      .block = {(uint32_t)r->code->threads, 1, 1},
      .cluster = {1, 1, 1},
      .sharedBytes = (uint32_t)r->code->sharedBytes,
  };
}

TileProgramLaunch tileProgramGetLaunch(const TileProgram *p, size_t index) {
  const TileProgramRecord *r = &p->records[index];
  TileProgramLaunch launch = {.kernel = r->code->kernel->name,
                              .arguments = r->arguments,
                              .grid = {r->grid[0], r->grid[1], r->grid[2]},
                              .operations = r->operations,
                              .bytes = r->bytes,
                              .times = r->times};
  if (!r->code->gpu) return launch;
  const TileKernelInfo *info = tileKernelGetInfo(r->code->gpu);
  TileLaunch shape = launchOf(r);
  launch.registers = info->registers;
  launch.localBytes = info->localBytes;
  launch.sharedBytes = info->staticSharedBytes + r->code->sharedBytes;
  launch.threads = r->code->threads;
  tileKernelGetOccupancy(r->code->gpu, &shape, &launch.blocksPerMultiprocessor, NULL);
  return launch;
}

typedef struct Clock {
  TileEvent *start, *stop;
} Clock;

/// One timed run; the seconds it took.
static bool timeOnce(TileProgram *p, const TileProgramRecord *r, const Clock *clock,
                     double *seconds, TileError *error) {
  if (!p->device) {
    double start = tileClockGetSeconds();
    bool ok = tileProgramLaunchCode(p, r->code, r->slots, r->grid, error);
    *seconds = tileClockGetSeconds() - start;
    return ok;
  }
  double milliseconds = 0;
  bool ok = tileDeviceFlushL2(p->device, NULL, error) &&
            tileEventRecord(clock->start, NULL, error) &&
            tileProgramLaunchCode(p, r->code, r->slots, r->grid, error) &&
            tileEventRecord(clock->stop, NULL, error) &&
            tileEventGetElapsed(clock->start, clock->stop, &milliseconds, error);
  *seconds = milliseconds * 1e-3;
  return ok;
}

MlirLogicalResult tileProgramTime(TileProgram *p, size_t index, unsigned repeat,
                                  TileStatistics *seconds) {
  const TileProgramRecord *r = &p->records[index];
  TileError error = TILE_ERROR_INIT;
  Clock clock = {0};
  bool ok = true;
  if (p->device) {
    clock.start = tileEventCreate(p->device, &error);
    clock.stop = clock.start ? tileEventCreate(p->device, &error) : NULL;
    ok = clock.stop != NULL;
  }
  unsigned limit = repeat ? repeat : 100;
  double *samples = tileRuntimeAlloc((limit + 1) * sizeof *samples);
  double begin = tileClockGetSeconds();
  // The first is a warm-up and not kept.
  unsigned count = 0;
  if (ok) ok = timeOnce(p, r, &clock, &samples[0], &error);
  while (ok && count < limit && (repeat || count < 3 || tileClockGetSeconds() - begin < 0.5)) {
    ok = timeOnce(p, r, &clock, &samples[count], &error);
    count += ok;
  }
  if (ok) *seconds = tileStatisticsCompute(samples, count);
  free(samples);
  tileEventDestroy(clock.start);
  tileEventDestroy(clock.stop);
  return ok ? mlirLogicalResultSuccess() : tileProgramReport(r->loc, &error);
}
