//===- EmitOutput.c - files and facts about the device --------------------===//
#include "TileRun.h"
#include <stdio.h>
#include <string.h>

bool writeOutput(const char *path, const TileBlob *blob) {
  if (!path || !strcmp(path, "-")) return fwrite(blob->data, 1, blob->size, stdout) == blob->size;
  TileError error = TILE_ERROR_INIT;
  bool written = tileOutputWrite(path, blob->data, blob->size, &error);
  if (!written) fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  return written;
}

bool printDeviceInfo(void) {
  TileError error = TILE_ERROR_INIT;
  TileDriver *driver = tileDriverOpen(&error);
  TileDevice *device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  if (!device) {
    fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
    tileErrorDestroy(&error);
    return false;
  }
  const TileDeviceInfo *info = tileDeviceGetInfo(device);
  const TileMachine *arch = tileMachineForDevice(info->major, info->minor);
  printf("device                 %s\n", info->name);
  printf("compute capability     %d.%d\n", info->major, info->minor);
  printf("architecture           %s\n", arch ? arch->name : "none that tile compiles for");
  printf("driver                 CUDA %d.%d\n", info->driverVersion / 1000,
         info->driverVersion % 1000 / 10);
  printf("multiprocessors        %d\n", info->multiprocessors);
  printf("registers a block      %d\n", info->registersPerBlock);
  printf("shared bytes a block   %d\n", info->sharedPerBlockOptin);
  printf("threads a block        %d\n", info->maxThreadsPerBlock);
  printf("L2 bytes               %d\n", info->l2Bytes);
  printf("memory bytes           %zu\n", info->memoryBytes);
  tileDeviceDestroy(device);
  return true;
}
