//===- LaunchArtifact.c - launches of one piece of code -------------------===//
#include "Library.h"
#include <stdio.h>
#include <stdlib.h>

/// The grid that is given, or that the kernel says.
static tile_status findArtifactGrid(TileLibArtifact *artifact, const tile_launch *launch,
                                    const uint64_t *slots, int32_t grid[3]) {
  bool isGiven;
  tile_status status = tileLibTakeGrid(launch->grid, grid, &isGiven);
  if (status || isGiven) return status;
  const TileGridForm *form = tileLibGetForm(artifact);
  return form ? tileLibEvaluateGrid(artifact->kernel, form, slots, grid) : TILE_STATUS_SOURCE;
}

/// What a launch said goes to the host, and its first assert that failed to the caller.
static tile_status flush(const TileLibArtifact *artifact, TileConsole *console,
                         tile_status otherwise, bool ran, TileError *error) {
  TileConsolePlace place = {0};
  FILE *to = artifact->module->context->console;
  bool ok = ran && tileConsoleFlush(console, to, &place, error);
  fflush(to);
  if (ok) return TILE_STATUS_OK;
  if (place.file) return tileLibFailAt(TILE_STATUS_KERNEL, error, &place);
  return tileLibFailWith(otherwise, error);
}

/// The console in the device's memory is the code's: one launch at a time, which is waited for.
static tile_status runOnGpuWithConsole(TileLibArtifact *artifact, const TileLibLoaded *loaded,
                                       const tile_launch *launch, const uint64_t *slots,
                                       const int32_t grid[3]) {
  TileError error = TILE_ERROR_INIT;
  TileDevice *device = loaded->device->device;
  TileStream *theirs = tileStreamBorrow(device, launch->stream);
  TileConsole *console = tileConsoleCreate();
  pthread_mutex_lock(&artifact->mutex);
  bool ran = tileLauncherRunOn(loaded->launcher, slots, grid, launch->stream,
                               launch->flags & TILE_LAUNCH_COOPERATIVE, &error) &&
             tileStreamSynchronize(device, theirs, &error) &&
             tileModuleConsoleRead(loaded->console, grid, console, &error);
  pthread_mutex_unlock(&artifact->mutex);
  tile_status status = flush(artifact, console, TILE_STATUS_DEVICE, ran, &error);
  tileConsoleDestroy(console);
  tileStreamDestroy(theirs);
  return status;
}

static tile_status runOnGpu(TileLibArtifact *artifact, TileLibDevice *device,
                            const tile_launch *launch, const uint64_t *slots,
                            const int32_t grid[3]) {
  TileError error = TILE_ERROR_INIT;
  TileLibLoaded *loaded = tileLibLoadArtifact(artifact, device);
  if (!loaded) return TILE_STATUS_DEVICE;
  if (!grid[0] || !grid[1] || !grid[2]) return TILE_STATUS_OK;
  if (loaded->console) return runOnGpuWithConsole(artifact, loaded, launch, slots, grid);
  if (tileLauncherRunOn(loaded->launcher, slots, grid, launch->stream,
                        launch->flags & TILE_LAUNCH_COOPERATIVE, &error))
    return TILE_STATUS_OK;
  return tileLibFailWith(TILE_STATUS_DEVICE, &error);
}

static tile_status launchOnGpu(TileLibArtifact *artifact, const tile_launch *launch,
                               const uint64_t *slots, const int32_t grid[3]) {
  TileLibCurrent former;
  TileLibDevice *device = tileLibEnterDevice(artifact->module->context, launch->device, &former);
  tile_status status =
      device ? runOnGpu(artifact, device, launch, slots, grid) : TILE_STATUS_DEVICE;
  tileLibRestoreCurrent(&former);
  return status;
}

/// Code that prints or asserts has a console of its own for the launch.
static tile_status runOnCpuWithConsole(const TileLibArtifact *artifact, TileExecutor *executor,
                                       TileCpuKernel cpu, const uint64_t *slots,
                                       const int32_t grid[3]) {
  TileError error = TILE_ERROR_INIT;
  TileConsole *console = tileConsoleCreate();
  TileConsoleCall call = {cpu, slots, console};
  bool ran = tileExecutorRun(executor, tileConsoleRunProgram, &call, grid, &error);
  tile_status status = flush(artifact, console, TILE_STATUS_SYSTEM, ran, &error);
  tileConsoleDestroy(console);
  return status;
}

static tile_status launchOnCpu(TileLibArtifact *artifact, const uint64_t *slots,
                               const int32_t grid[3]) {
  TileError error = TILE_ERROR_INIT;
  TileCpuKernel cpu = tileLibLoadCpu(artifact);
  if (!cpu) return TILE_STATUS_SOURCE;
  tile_status status = tileLibCheckHost(artifact->kernel, slots);
  if (status) return status;
  TileExecutor *executor = tileExecutorGetDefault(&error);
  if (executor && artifact->compiled.speaks)
    return runOnCpuWithConsole(artifact, executor, cpu, slots, grid);
  if (executor && tileExecutorRun(executor, cpu, slots, grid, &error)) return TILE_STATUS_OK;
  return tileLibFailWith(TILE_STATUS_SYSTEM, &error);
}

tile_status tile_artifact_launch(tile_artifact *handle, const tile_launch *given,
                                 const tile_value *values, size_t count) {
  tileLibBegin();
  TileLibArtifact *artifact = tileLibFind(handle, TILE_LIB_ARTIFACT);
  if (!artifact) return tileLibFailHandle("artifact", handle);
  if (artifact->format > TILE_FORMAT_OBJECT)
    return tileLibFail(TILE_STATUS_ARGUMENT,
                       "expected PTX, a cubin or an object to launch, found text");
  tile_launch launch;
  uint64_t slots[TILE_LIB_MAX_ARGUMENTS];
  int32_t grid[3] = {0};
  tile_status status = tileLibBeginLaunch(artifact->kernel, given, &launch);
  if (!status) status = tileLibReadValues(artifact->kernel, values, count, slots);
  if (!status) status = findArtifactGrid(artifact, &launch, slots, grid);
  if (!status && !artifact->arch) status = tileLibCheckCooperation(&launch, grid);
  if (status) return status;
  return artifact->arch ? launchOnGpu(artifact, &launch, slots, grid)
                        : launchOnCpu(artifact, slots, grid);
}
