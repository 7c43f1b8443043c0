//===- Cache.c - storing, finding, making room ----------------------------===//
#include "CacheImpl.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { TOUCH_SECONDS = 3600 };

int64_t tileCacheNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/// One entry on its way in or out.
typedef struct Entry {
  TileCacheKind kind;
  TileCacheKey key;
  void *data;
  size_t size;
  bool found, damaged, evicts;
  int64_t used;
} Entry;

/// Over the key as well: data that ends up under another key is as wrong as changed data.
static int64_t digest(const Entry *entry, const void *data, size_t size) {
  uint64_t seed = XXH3_64bits(entry->key.bytes, sizeof entry->key.bytes);
  return (int64_t)XXH3_64bits_withSeed(data, size, seed);
}

static int bindKey(sqlite3_stmt *statement, const Entry *entry) {
  int code = sqlite3_bind_int(statement, 1, (int)entry->kind);
  if (code) return code;
  return sqlite3_bind_blob(statement, 2, entry->key.bytes, sizeof entry->key.bytes, SQLITE_STATIC);
}

//===- finding ------------------------------------------------------------===//

/// Takes a row's data if they are what was stored.
static int takeRow(sqlite3_stmt *statement, Entry *entry) {
  const void *data = sqlite3_column_blob(statement, 0);
  int size = sqlite3_column_bytes(statement, 0);
  if (!data && size) return SQLITE_NOMEM;
  entry->damaged =
      sqlite3_column_int64(statement, 1) != digest(entry, data ? data : "", (size_t)size);
  if (entry->damaged) return SQLITE_OK;
  entry->used = sqlite3_column_int64(statement, 2);
  entry->size = (size_t)size;
  entry->data = malloc(entry->size + 1);
  if (!entry->data) return SQLITE_NOMEM;
  if (size) memcpy(entry->data, data, entry->size);
  ((char *)entry->data)[size] = 0;
  entry->found = true;
  return SQLITE_OK;
}

static int find(TileCache *cache, void *context) {
  Entry *entry = context;
  sqlite3_stmt *statement;
  int code = tileCachePrepare(
      cache, "SELECT data, digest, used FROM entries WHERE kind = ? AND key = ?", &statement);
  if (code) return code;
  code = bindKey(statement, entry);
  if (!code) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) code = takeRow(statement, entry);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int touch(TileCache *cache, void *context) {
  const Entry *entry = context;
  sqlite3_stmt *statement;
  int code = tileCachePrepare(cache, "UPDATE entries SET used = ?3 WHERE kind = ?1 AND key = ?2",
                              &statement);
  if (code) return code;
  code = bindKey(statement, entry);
  if (!code) code = sqlite3_bind_int64(statement, 3, tileCacheNow());
  int done = tileCacheFinish(statement);
  return code ? code : done;
}

static int drop(TileCache *cache, void *context) {
  sqlite3_stmt *statement;
  int code = tileCachePrepare(cache, "DELETE FROM entries WHERE kind = ? AND key = ?", &statement);
  if (code) return code;
  code = bindKey(statement, context);
  int done = tileCacheFinish(statement);
  return code ? code : done;
}

bool tileCacheGet(TileCache *cache, TileCacheKind kind, TileCacheKey key, void **data,
                  size_t *size) {
  if (!cache) return false;
  Entry entry = {.kind = kind, .key = key};
  pthread_mutex_lock(&cache->mutex);
  bool ok = tileCacheDo(cache, find, &entry, false) && entry.found;
  ok ? ++cache->hits : ++cache->misses;
  // The others are as good as before.
  if (entry.damaged) {
    tileCacheWarn(cache, "expected entries of '%s' as they were stored, found another: left out",
                  cache->path);
    tileCacheDo(cache, drop, &entry, true);
  }
  int every = cache->options.touchSeconds ? cache->options.touchSeconds : TOUCH_SECONDS;
  bool old = every < 0 || tileCacheNow() - entry.used > (int64_t)every * 1000000;
  if (ok && old) tileCacheDo(cache, touch, &entry, true);
  pthread_mutex_unlock(&cache->mutex);
  *data = ok ? entry.data : NULL;
  *size = ok ? entry.size : 0;
  return ok;
}

//===- storing ------------------------------------------------------------===//

static int insert(TileCache *cache, const Entry *entry) {
  sqlite3_stmt *statement;
  int code = tileCachePrepare(cache,
                              "INSERT OR REPLACE INTO entries(kind, key, size, used, digest, data)"
                              " VALUES(?, ?, ?, ?, ?, ?)",
                              &statement);
  if (code) return code;
  code = bindKey(statement, entry);
  if (!code) code = sqlite3_bind_int64(statement, 3, (int64_t)entry->size);
  if (!code) code = sqlite3_bind_int64(statement, 4, tileCacheNow());
  if (!code) code = sqlite3_bind_int64(statement, 5, digest(entry, entry->data, entry->size));
  if (!code) code = sqlite3_bind_blob64(statement, 6, entry->data, entry->size, SQLITE_STATIC);
  int done = tileCacheFinish(statement);
  return code ? code : done;
}

static int sumSizes(TileCache *cache, int64_t *sum) {
  sqlite3_stmt *statement;
  int code = tileCachePrepare(cache, "SELECT total(size) FROM entries", &statement);
  if (code) return code;
  code = sqlite3_step(statement);
  if (code == SQLITE_ROW) *sum = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return code == SQLITE_ROW ? SQLITE_OK : code;
}

/// Removes the entry that was not used for longest; `*size` is what that gave.
static int removeOldest(TileCache *cache, int64_t *size) {
  sqlite3_stmt *statement;
  int code = tileCachePrepare(cache,
                              "DELETE FROM entries WHERE rowid = (SELECT rowid FROM entries"
                              " ORDER BY used, rowid LIMIT 1) RETURNING size",
                              &statement);
  if (code) return code;
  code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    *size = sqlite3_column_int64(statement, 0);
    code = sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int store(TileCache *cache, void *context) {
  int64_t sum = 0;
  int code = insert(cache, context);
  if (!code) code = sumSizes(cache, &sum);
  while (!code && sum > cache->limit) {
    int64_t size = 0;
    ((Entry *)context)->evicts = true;
    code = removeOldest(cache, &size);
    // Sizes that do not add up: nothing left to remove.
    if (!size) break;
    sum -= size;
  }
  return code;
}

/// Gives room back when much of the file is free, as it is after the limit was lowered; where each
/// new entry takes an old one's place, it never is. What fails, as another process may be reading,
/// is tried again at the next occasion.
static void shrink(TileCache *cache) {
  int64_t free = 0, pages = 0, mode = 0;
  enum { FREE_SHARE = 4, INCREMENTAL = 2 };
  if (tileCacheReadNumber(cache->db, "PRAGMA freelist_count", &free) ||
      tileCacheReadNumber(cache->db, "PRAGMA page_count", &pages) || free * FREE_SHARE <= pages ||
      tileCacheReadNumber(cache->db, "PRAGMA auto_vacuum", &mode))
    return;
  // A database of before cannot shrink but by being written anew.
  sqlite3_exec(cache->db, mode == INCREMENTAL ? "PRAGMA incremental_vacuum" : "VACUUM", NULL, NULL,
               NULL);
  sqlite3_exec(cache->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
}

static int storeWhole(TileCache *cache, void *context) {
  int code = tileCacheTransact(cache, store, context);
  if (!code && ((Entry *)context)->evicts) shrink(cache);
  return code;
}

void tileCachePut(TileCache *cache, TileCacheKind kind, TileCacheKey key, const void *data,
                  size_t size) {
  if (!cache || (int64_t)size > cache->limit) return;
  Entry entry = {.kind = kind, .key = key, .data = (void *)(uintptr_t)data, .size = size};
  pthread_mutex_lock(&cache->mutex);
  cache->stored += tileCacheDo(cache, storeWhole, &entry, true);
  pthread_mutex_unlock(&cache->mutex);
}

void tileCacheRemove(TileCache *cache, TileCacheKind kind, TileCacheKey key) {
  if (!cache) return;
  Entry entry = {.kind = kind, .key = key};
  pthread_mutex_lock(&cache->mutex);
  tileCacheDo(cache, drop, &entry, true);
  pthread_mutex_unlock(&cache->mutex);
}

//===- the whole ----------------------------------------------------------===//

static int count(TileCache *cache, void *context) {
  TileCacheStat *stat = context;
  sqlite3_stmt *statement;
  int code = tileCachePrepare(cache,
                              "SELECT kind, count(*), total(size) FROM entries GROUP BY kind"
                              " UNION ALL SELECT -1, count(*), 0 FROM tuning",
                              &statement);
  if (code) return code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    int kind = sqlite3_column_int(statement, 0);
    if (kind == -1) stat->tuned = sqlite3_column_int64(statement, 1);
    if (kind < 0 || kind >= TILE_CACHE_KINDS) continue;
    stat->count[kind] = sqlite3_column_int64(statement, 1);
    stat->bytes[kind] = sqlite3_column_int64(statement, 2);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

TileCacheStat tileCacheGetStat(TileCache *cache) {
  TileCacheStat result = {.path = cache->path, .limit = cache->limit};
  pthread_mutex_lock(&cache->mutex);
  tileCacheDo(cache, count, &result, false);
  result.readable = cache->db != NULL;
  result.writable = cache->writable;
  result.hits = cache->hits;
  result.misses = cache->misses;
  result.stored = cache->stored;
  struct stat status;
  if (stat(cache->path, &status) == 0) result.fileBytes = status.st_size;
  pthread_mutex_unlock(&cache->mutex);
  return result;
}

static int clear(TileCache *cache, void *context) {
  (void)context;
  return sqlite3_exec(cache->db, "DELETE FROM entries; DELETE FROM tuning", NULL, NULL, NULL);
}

static int clearWhole(TileCache *cache, void *context) {
  int code = tileCacheTransact(cache, clear, context);
  // Another process may be reading; then the space is used again instead of given back.
  if (!code) sqlite3_exec(cache->db, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
  return code;
}

bool tileCacheClear(TileCache *cache, TileError *error) {
  pthread_mutex_lock(&cache->mutex);
  bool ok = tileCacheDo(cache, clearWhole, NULL, true);
  pthread_mutex_unlock(&cache->mutex);
  return ok || tileErrorSet(error, "expected to write the cache in '%s', found that it cannot be",
                            cache->directory);
}
