//===- gpu-probe.c - is there a GPU that the runtime can use? -------------===//
//
// Prints the architecture of the first device as sm_90 and exits 0, or prints on stderr why there
// is none and exits 1. The test configuration asks it once, before the tests.
//
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Driver.h"
#include <stdio.h>

int main(void) {
  TileError error = TILE_ERROR_INIT;
  TileDriver *driver = tileDriverOpen(&error);
  TileDevice *device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  if (!device) {
    fprintf(stderr, "%s\n", tileErrorGetMessage(&error));
    tileErrorDestroy(&error);
    return 1;
  }
  const TileDeviceInfo *info = tileDeviceGetInfo(device);
  printf("sm_%d%d\n", info->major, info->minor);
  tileDeviceDestroy(device);
  return 0;
}
