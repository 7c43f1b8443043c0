//===- TuningFuzz.c - texts that are almost exported tuning results -------===//
//
// Results that are taken have to come back the same from a file written of them, and from the
// cache.
//
//===----------------------------------------------------------------------===//
#include "Scratch.h"
#include "Target.h"
#include "tile/Runtime/Tuned.h"
#include <string.h>

static char folder[] = "/tmp/tile-fuzz-XXXXXX";
static TileCache *cache;

static void removeFolder(void) {
  char command[64];
  tileCacheClose(cache);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command)) perror(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  TileError error = TILE_ERROR_INIT;
  expect(mkdtemp(folder), "room for a folder");
  cache = tileCacheOpen(&(TileCacheOptions){.directory = folder}, &error);
  expect(cache != NULL, "a cache");
  atexit(removeFolder);
  return 0;
}

static bool sameTexts(const TileTuned *a, const TileTuned *b) {
  return !strcmp(a->kernel, b->kernel) && !strcmp(a->code, b->code) && !strcmp(a->key, b->key) &&
         !strcmp(a->types, b->types) && !strcmp(a->device, b->device) &&
         !strcmp(a->config, b->config);
}

static void keep(TileTunedList *list) {
  char path[64];
  TileError error = TILE_ERROR_INIT;
  TileTunedList again;
  scratchName(path, sizeof path, "export");
  expect(tileTunedWrite(path, list, &error), "room for an export");
  expect(tileTunedRead(path, &again, &error), "an export of ours to be read");
  expect(again.count == list->count, "as many results as were written");
  for (size_t i = 0; i < list->count; ++i)
    expect(sameTexts(&list->items[i], &again.items[i]), "a result that comes back as it was");
  tileTunedListDestroy(&again);
  expect(tileTunedPut(cache, list->items, list->count, &error), "room in the cache");
  if (list->count) {
    // The last of several for one kernel and key.
    TileTuned like = list->items[list->count - 1];
    expect(tileTunedFind(cache, &like, &again), "a cache that is read");
    expect(again.count == 1 && sameTexts(&like, &again.items[0]), "what was just stored");
    tileTunedListDestroy(&again);
  }
  expect(tileCacheClear(cache, &error), "a cache that is emptied");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  TileError error = TILE_ERROR_INIT;
  TileTunedList list;
  scratchFile(path, sizeof path, data, size);
  if (tileTunedRead(path, &list, &error))
    keep(&list);
  else
    expect(*tileErrorGetMessage(&error), "an error for a refusal");
  tileTunedListDestroy(&list);
  tileErrorDestroy(&error);
  return 0;
}
