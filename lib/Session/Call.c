//===- Call.c - kernels launched by an embedder ---------------------------===//
//
// tileProgramCall: the same code that a tile_host.launch would run, on data of the caller's, over
// the grid that the kernel's tile.grid yields (Grid.c).
//===----------------------------------------------------------------------===//
#include "ProgramImpl.h"
#include <stdlib.h>

/// The configuration for a call: what tuning found for its key, or for the nearest one.
static const char *chooseConfig(TileProgram *p, TileProgramKernel *kernel, const uint64_t *slots) {
  tileProgramLoadTuned(p);
  if (!kernel->calls) {
    kernel->calls = tileRuntimeAlloc(sizeof *kernel->calls);
    kernel->calls->kernel = kernel;
    kernel->calls->key = tileRuntimeAlloc((kernel->count + (size_t)1) * sizeof(int64_t));
  }
  kernel->calls->config = tileProgramChooseConfig(p, kernel->calls, slots);
  return kernel->calls->config;
}

MlirLogicalResult tileProgramCall(TileProgram *p, MlirStringRef name, const uint64_t *slots,
                                  size_t count, TileStream *stream) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (!kernel || kernel->count != count) {
    tileEmitError(p->loc, "expected a kernel '%.*s' with %zu arguments, found %s", (int)name.length,
                  name.data, count, kernel ? "another number" : "none");
    return mlirLogicalResultFailure();
  }
  MlirLocation loc = mlirOperationGetLocation(kernel->func);
  TILE_TRY(tileProgramOpen(p, NULL));
  p->place = loc;
  const char *config = chooseConfig(p, kernel, slots);
  int32_t grid[3];
  TILE_TRY(tileProgramFindGrid(p, kernel, config, slots, grid));
  if (!grid[0] || !grid[1] || !grid[2]) return mlirLogicalResultSuccess();
  TileFacts facts = {0};
  tileProgramFindFacts(p, kernel, slots, grid, &facts);
  TileSpecialization *code = tileProgramGetCode(p, kernel, &facts, config);
  tileFactsDestroy(&facts);
  if (!code) return mlirLogicalResultFailure();
  TileError error = TILE_ERROR_INIT;
  bool ok = p->device ? tileLauncherRun(code->launcher, slots, grid, stream, &error)
                      : tileProgramLaunchCode(p, code, slots, grid, &error);
  // What is read of the device is read on its own stream.
  if (ok && code->speaks && stream) ok = tileStreamSynchronize(p->device, stream, &error);
  if (!ok) return tileProgramReport(loc, &error);
  // What it printed and asserted, which takes waiting for it.
  return code->speaks ? tileProgramFlush(p, code, grid) : mlirLogicalResultSuccess();
}

bool tileProgramPicks(TileProgram *p, MlirStringRef name) {
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  return kernel && tileProgramGetMultiprocessors(p) && tileProgramMayPick(p, kernel);
}

bool tileProgramIsTuned(TileProgram *p, MlirStringRef name) {
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  tileProgramLoadTuned(p);
  return kernel && kernel->tuned.count;
}

const char *tileProgramFindTuned(TileProgram *p, MlirStringRef name, const uint64_t *slots) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (!kernel) return "";
  p->place = mlirOperationGetLocation(kernel->func);
  return chooseConfig(p, kernel, slots);
}

MlirLogicalResult tileProgramLaunchLoudly(TileProgram *p, const TileLaunchCode *launch,
                                          const uint64_t *slots, const int32_t grid[3],
                                          void *stream) {
  const TileSpecialization *code = launch->code;
  TileError error = TILE_ERROR_INIT;
  p->place = mlirOperationGetLocation(code->kernel->func);
  TileStream *theirs = p->device ? tileStreamBorrow(p->device, stream) : NULL;
  bool ok = p->device ? tileLauncherRun(code->launcher, slots, grid, theirs, &error) &&
                            tileStreamSynchronize(p->device, theirs, &error)
                      : tileProgramLaunchCode(p, code, slots, grid, &error);
  tileStreamDestroy(theirs);
  if (!ok) return tileProgramReport(p->place, &error);
  return tileProgramFlush(p, code, grid);
}

MlirLogicalResult tileProgramCheckLaunch(TileProgram *p, MlirStringRef name, const char *config,
                                         TileArray *const *arrays, const bool *isEmpty,
                                         uint64_t *slots, const int32_t grid[3],
                                         TileProgramFindings *findings) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  TILE_TRY(tileProgramOpen(p, NULL));
  p->place = mlirOperationGetLocation(kernel->func);
  TileFacts facts = {0};
  tileProgramFindFacts(p, kernel, slots, grid, &facts);
  TileSpecialization *code = tileProgramGetCode(p, kernel, &facts, config);
  tileFactsDestroy(&facts);
  if (!code) return mlirLogicalResultFailure();
  for (unsigned i = 0; i < kernel->count; ++i)
    if (arrays[i] && !(isEmpty && isEmpty[i])) tileProgramMarkWritten(p, arrays[i]);
  slots[kernel->count] = tileProgramBeginCheckedLaunch(p, code->sites, config, slots, grid);
  TileError error = TILE_ERROR_INIT;
  bool ok = tileProgramLaunchCode(p, code, slots, grid, &error);
  FILE *nowhere = fopen("/dev/null", "w");
  if (nowhere) *findings = tileProgramFinishCheck(p, nowhere);
  if (nowhere) fclose(nowhere);
  // The caller's arrays go before the program does.
  tileProgramForgetArrays(p);
  return ok ? mlirLogicalResultSuccess() : tileProgramReport(p->place, &error);
}
