//===- CacheMain.c - the cache as the command line sees it ----------------===//
#include "TileRun.h"
#include <stdio.h>

static void warn(const char *text, void *data) {
  (void)data;
  fflush(stdout);
  fprintf(stderr, "warning: %s\n", text);
}

bool openCache(TileCache **cache) {
  TileCacheOptions options = {.warn = warn};
  TileError error = TILE_ERROR_INIT;
  *cache = tileCacheOpen(&options, &error);
  if (!error.message) return true;
  fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  return false;
}

bool expectCache(TileCache *cache, bool writable) {
  TileCacheStat stat = {0};
  if (cache) stat = tileCacheGetStat(cache);
  if (writable ? stat.writable : stat.readable) return true;
  fprintf(stderr, "error: expected a cache, found %s\n",
          cache ? "one that cannot be used" : "TILE_CACHE=off");
  return false;
}

bool printCacheStat(TileCache *cache) {
  if (!expectCache(cache, false)) return false;
  TileCacheStat stat = tileCacheGetStat(cache);
  static const char *const names[TILE_CACHE_KINDS] = {"GPU code", "CPU code"};
  printf("file            %s\n", stat.path);
  printf("on disk         %lld bytes\n", (long long)stat.fileBytes);
  printf("limit           %lld bytes\n", (long long)stat.limit);
  for (int i = 0; i < TILE_CACHE_KINDS; ++i)
    printf("%s        %lld entr%s, %lld bytes\n", names[i], (long long)stat.count[i],
           stat.count[i] == 1 ? "y" : "ies", (long long)stat.bytes[i]);
  printf("tuning results  %lld\n", (long long)stat.tuned);
  return true;
}

bool clearCache(TileCache *cache) {
  if (!expectCache(cache, true)) return false;
  TileError error = TILE_ERROR_INIT;
  if (tileCacheClear(cache, &error)) return true;
  fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  return false;
}
