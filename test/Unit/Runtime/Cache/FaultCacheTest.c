// RUN: rm -rf %t && mkdir %t && cd %t && env FAULTS_STEP=29 %unit/FaultCacheTest
//
// One call in 29: all of them, some 20,000 runs, take minutes (make fuzz; docs/results/fuzzing.md).
//
// The cache with every call that can fail failing in turn, SQLite's own among them
// (test/Support/Faults): what was in it before is in it after, byte for byte; what is new is right
// or absent; trouble is one warning, never the caller's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../Support/Faults/Faults.h"
#include "tile/Runtime/Cache.h"
#include "tile/Runtime/Tuned.h"
#include <cmocka.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OLD = 3, ENTRY_BYTES = 9000 };
static int warnings;
static bool remote;

static void onWarning(const char *text, void *data) {
  (void)data;
  fprintf(stderr, "%s\n", text);
  ++warnings;
}

static TileCache *openHere(int64_t limit, TileError *error) {
  TileCacheOptions options = {
      .directory = "cache", .warn = onWarning, .limit = limit, .remote = remote};
  warnings = 0;
  return tileCacheOpen(&options, error);
}

static TileCacheKey keyOf(unsigned number) {
  return tileCacheHash(&(TileCacheField){&number, sizeof number}, 1);
}

static void put(TileCache *cache, unsigned number) {
  unsigned char data[ENTRY_BYTES];
  memset(data, (int)number + 1, sizeof data);
  tileCachePut(cache, TILE_CACHE_OBJECT, keyOf(number), data, sizeof data);
}

/// Is entry `number` there? -1 where something else is in its place.
static int has(TileCache *cache, unsigned number) {
  unsigned char *data;
  size_t size;
  if (!tileCacheGet(cache, TILE_CACHE_OBJECT, keyOf(number), (void **)&data, &size)) return 0;
  bool same = size == ENTRY_BYTES;
  for (size_t i = 0; same && i < size; ++i) same = data[i] == number + 1;
  free(data);
  return same ? 1 : -1;
}

static const TileTuned result = {"k", "c", "64", "", "d", TILE_TUNED_VERSION, "BM=64", 1e-3, 7, 1};

static void makeNone(void) {
  DIR *folder = opendir("cache");
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (entry->d_name[0] != '.') unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder) closedir(folder);
  rmdir("cache");
}

/// A cache with OLD entries and a tuning result.
static void makeOld(void) {
  TileError error = TILE_ERROR_INIT;
  makeNone();
  TileCache *cache = openHere(0, &error);
  assert_non_null(cache);
  for (unsigned i = 0; i < OLD; ++i) put(cache, i);
  assert_true(tileTunedPut(cache, &result, 1, &error));
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

/// The same with a page of the entries destroyed, in a place that opening does not look at.
static void makeDamaged(void) {
  makeOld();
  sqlite3 *db;
  assert_int_equal(sqlite3_open("cache/cache-v1.db", &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
  FILE *file = fopen("cache/cache-v1.db", "r+");
  char text[8] = "damaged";
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  for (long at = 4096, end = ftell(file); at < end; at += 4096) {
    char kind = 0;
    fseek(file, at, SEEK_SET);
    if (fread(&kind, 1, 1, file) != 1) break;
    fseek(file, at, SEEK_SET);
    if (kind == 13) fwrite(text, 1, sizeof text, file); // a leaf of a table
  }
  fclose(file);
}

//===- what is done -------------------------------------------------------===//

/// At most one warning, which is no failure of the caller's; a message would be.
static bool isOrderly(TileCache *cache) {
  tileCacheClose(cache);
  return warnings <= 1 || faultsWrong("more than one warning");
}

static bool use(TileError *error) {
  TileCache *cache = openHere(0, error);
  if (!cache) return false;
  bool right = has(cache, OLD - 1) >= 0;
  for (unsigned i = OLD; i < OLD + 2; ++i) put(cache, i);
  right &= has(cache, OLD) >= 0;
  tileCacheGetStat(cache);
  return isOrderly(cache) && (right || faultsWrong("an entry is not what was stored"));
}

/// With room for two entries.
static bool evict(TileError *error) {
  TileCache *cache = openHere(2 * ENTRY_BYTES + 1, error);
  if (!cache) return false;
  put(cache, OLD);
  if (has(cache, OLD) < 0) return faultsWrong("an entry is not what was stored");
  return isOrderly(cache);
}

static bool tune(TileError *error) {
  TileCache *cache = openHere(0, error);
  if (!cache) return false;
  TileTuned other = result;
  other.key = "128";
  bool ok = tileTunedPut(cache, &other, 1, error);
  TileTunedList list;
  bool found = tileTunedFind(cache, &result, &list);
  if (found && list.count && strcmp(list.items[0].config, "BM=64"))
    ok = faultsWrong("a result is not what was stored");
  tileTunedListDestroy(&list);
  return isOrderly(cache) && ok;
}

static bool clear(TileError *error) {
  TileCache *cache = openHere(0, error);
  bool ok = cache && tileCacheClear(cache, error);
  return cache ? isOrderly(cache) && ok : false;
}

//===- what is left -------------------------------------------------------===//

/// Opens what is there, nothing failing any more.
static TileCache *reopen(void) {
  TileError error = TILE_ERROR_INIT;
  mkdir("cache", 0700); // where that has failed
  sqlite3 *db;
  sqlite3_stmt *check;
  assert_int_equal(sqlite3_open("cache/cache-v1.db", &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &check, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(check), SQLITE_ROW);
  assert_string_equal((const char *)sqlite3_column_text(check, 0), "ok");
  sqlite3_finalize(check);
  sqlite3_close(db);
  TileCache *cache = openHere(0, &error);
  assert_non_null(cache);
  return cache;
}

/// Entries from `first` on are right or absent, and a new one can be stored.
static void expectWorking(TileCache *cache, unsigned first) {
  for (unsigned i = first; i < 2 * OLD; ++i) assert_int_not_equal(has(cache, i), -1);
  put(cache, 100);
  assert_int_equal(has(cache, 100), 1);
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

static void expectTuned(TileCache *cache) {
  TileTunedList list;
  assert_true(tileTunedFind(cache, &result, &list));
  assert_int_equal(list.count, 1);
  tileTunedListDestroy(&list);
}

static void expectAny(FaultOutcome outcome) {
  (void)outcome;
  expectWorking(reopen(), 0);
}

static void expectOld(FaultOutcome outcome) {
  (void)outcome;
  TileCache *cache = reopen();
  for (unsigned i = 0; i < OLD; ++i) assert_int_equal(has(cache, i), 1);
  expectTuned(cache);
  expectWorking(cache, OLD);
}

static void expectTuning(FaultOutcome outcome) {
  (void)outcome;
  TileCache *cache = reopen();
  expectTuned(cache);
  expectWorking(cache, 0);
}

/// Of a damaged database nothing need be left; what is used next works, with a warning at most.
static void expectRecovery(FaultOutcome outcome) {
  (void)outcome;
  TileError error = TILE_ERROR_INIT;
  TileCache *cache = openHere(0, &error);
  assert_non_null(cache);
  for (unsigned i = 0; i < 2 * OLD; ++i) {
    assert_int_not_equal(has(cache, i), -1);
    put(cache, i);
    assert_int_equal(has(cache, i), 1);
  }
  tileCacheClose(cache);
  assert_in_range(warnings, 0, 1);
  tileCacheClose(reopen());
  assert_int_equal(warnings, 0);
}

//===- tests --------------------------------------------------------------===//

static void aNewCache(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"use a new cache", makeNone, use, expectAny}, 100);
}

static void anOldCache(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"use a cache", makeOld, use, expectOld}, 100);
  faultsTry(&(FaultWork){"keep tuning results", makeOld, tune, expectOld}, 100);
}

static void lessRoom(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"make room", makeOld, evict, expectTuning}, 100);
  faultsTry(&(FaultWork){"clear", makeOld, clear, expectAny}, 100);
}

static void aSharedCache(void **state) {
  (void)state;
  remote = true;
  faultsTry(&(FaultWork){"use a shared cache", makeOld, use, expectOld}, 100);
  remote = false;
}

static void aDamagedCache(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"use a damaged cache", makeDamaged, use, expectRecovery}, 100);
}

int main(void) {
  faultsTakeSqlite();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aNewCache),    cmocka_unit_test(anOldCache),    cmocka_unit_test(lessRoom),
      cmocka_unit_test(aSharedCache), cmocka_unit_test(aDamagedCache),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
