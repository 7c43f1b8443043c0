//===- Output.c - files and facts about the device ------------------------===//
#include "TileRun.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool complain(const char *path) {
  fprintf(stderr, "error: expected to write '%s', found: %s\n", path, strerror(errno));
  return false;
}

bool writeOutput(const char *path, const TileBlob *blob) {
  if (!path || !strcmp(path, "-")) {
    bool written = fwrite(blob->data, 1, blob->size, stdout) == blob->size;
    return (fflush(stdout) == 0 && written) || complain("standard output");
  }
  // A device or pipe is written in place: it cannot be replaced.
  struct stat status;
  bool special = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  char temporary[4096];
  int length = snprintf(temporary, sizeof temporary, special ? "%s" : "%s.XXXXXX", path);
  if (length < 0 || (size_t)length >= sizeof temporary) {
    errno = ENAMETOOLONG;
    return complain(path);
  }
  int descriptor = special ? -1 : mkstemp(temporary);
  if (!special && descriptor < 0) return complain(path);
  FILE *file = special ? fopen(path, "wb") : fdopen(descriptor, "wb");
  if (!file) return complain(path);
  bool written = fwrite(blob->data, 1, blob->size, file) == blob->size;
  written = fclose(file) == 0 && written;
  if (special) return written || complain(path);
  mode_t mask = umask(0);
  umask(mask);
  written = written && chmod(temporary, 0666 & ~mask) == 0 && rename(temporary, path) == 0;
  if (written) return true;
  complain(path);
  unlink(temporary);
  return false;
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
  const TileArch *arch = tileArchForDevice(info->major, info->minor);
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
