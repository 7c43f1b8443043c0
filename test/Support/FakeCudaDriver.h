//===- FakeCudaDriver.h - what the fake driver lets a test see ------------===//
#ifndef TILE_TEST_SUPPORT_FAKE_CUDA_DRIVER_H
#define TILE_TEST_SUPPORT_FAKE_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct FakeTensorMap {
  int type;
  unsigned rank;
  uint64_t shape[5], strides[5];
  uint32_t box[5];
  int swizzle, fill;
  void *base;
} FakeTensorMap;

/// The last launch, as the driver saw it, and how often data moved so far. The library exports one,
/// named fakeLastLaunch.
typedef struct FakeLaunch {
  unsigned grid[3], block[3], cluster[3], shared;
  int maxDynamicShared, nonPortable;
  int count, copiesIn, copiesOut;
  /// Launches of __tile_pack, which are not counted otherwise.
  int packs;
  /// Events recorded into graphs, and launches of graphs.
  int eventsInGraphs, replays;
  /// The map encoded last, and how many were; the first byte of each is its number.
  FakeTensorMap map;
  int encoded;
  /// What the parameters behind those of "add" were: extents of a grid, first bytes of maps.
  int extents[3], maps[4];
  void *context; ///< that was current at the launch
  int cooperative;
} FakeLaunch;

extern FakeLaunch fakeLastLaunch;

/// Variables that a test gives to every module; and what it does at a launch of "add".
typedef struct FakeGlobal {
  const char *name;
  void *data;
  size_t bytes;
} FakeGlobal;
extern FakeGlobal fakeGlobals[3];
extern void (*fakeOnLaunch)(void);

/// Its address is a context that is not the primary one.
extern int fakeOtherContext;

#endif // TILE_TEST_SUPPORT_FAKE_CUDA_DRIVER_H
