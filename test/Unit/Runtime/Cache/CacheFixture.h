//===- CacheFixture.h - a cache in a folder of its own, for its tests -----===//
//
// Included behind cmocka.h. makeFolder and removeFolder are set-up and tear-down of a test.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_CACHE_FIXTURE_H
#define TILE_TEST_CACHE_FIXTURE_H

#include "tile/Runtime/Cache.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static TileError error;
static char folder[32], database[64];
/// How many the cache gave since makeFolder, and the last.
static int warnings;
static char lastWarning[512];

static void onWarning(const char *text, void *data) {
  (void)data;
  ++warnings;
  snprintf(lastWarning, sizeof lastWarning, "%s", text);
}

static int makeFolder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/tile-cache-XXXXXX");
  if (!mkdtemp(folder)) return 1;
  snprintf(database, sizeof database, "%s/cache-v1.db", folder);
  warnings = 0;
  return 0;
}

static int removeFolder(void **state) {
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

/// The cache of the folder. The caller closes it.
static TileCache *openWith(TileCacheOptions options) {
  options.directory = folder;
  options.warn = onWarning;
  TileCache *cache = tileCacheOpen(&options, &error);
  assert_string_equal(tileErrorGetMessage(&error), "");
  return cache;
}

static TileCacheKey keyOf(unsigned number) {
  return tileCacheHash(&(TileCacheField){&number, sizeof number}, 1);
}

#endif
