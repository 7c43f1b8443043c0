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

static MlirLogicalResult refuseGrid(MlirOperation at) {
  MlirStringRef name = tileOpName(at);
  tileEmitError(mlirOperationGetLocation(at),
                "expected a grid of integer arithmetic whose extents are not negative, found "
                "another with '%.*s'",
                (int)name.length, name.data);
  return mlirLogicalResultFailure();
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
  MlirOperation at;
  if (!tileProgramEvaluateGrid(p, kernel, config, slots, grid, &at)) return refuseGrid(at);
  if (!grid[0] || !grid[1] || !grid[2]) return mlirLogicalResultSuccess();
  TileFacts facts = {0};
  tileProgramFindFacts(p, kernel, slots, grid, &facts);
  TileSpecialization *code = tileProgramGetCode(p, kernel, &facts, config);
  tileFactsDestroy(&facts);
  if (!code) return mlirLogicalResultFailure();
  TileError error = TILE_ERROR_INIT;
  bool ok = p->device ? tileLauncherRun(code->launcher, slots, grid, stream, &error)
                      : tileProgramLaunchCode(p, code, slots, grid, &error);
  if (!ok) return tileProgramReport(loc, &error);
  // What it printed and asserted, which takes waiting for it.
  return code->speaks ? tileProgramFlush(p, code, grid) : mlirLogicalResultSuccess();
}
