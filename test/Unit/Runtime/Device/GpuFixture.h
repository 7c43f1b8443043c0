//===- GpuFixture.h - a GPU, for tests of the driver layer on one ---------===//
//
// Included behind cmocka.h.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_GPU_FIXTURE_H
#define TILE_TEST_GPU_FIXTURE_H

#include "tile/Runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TileError error;
static TileDevice *device;
static TileModule *module;

#define assert_ok(condition)                                                                       \
  do {                                                                                             \
    if (!(condition)) fail_msg("%s", tileErrorGetMessage(&error));                                 \
  } while (0)

#endif
