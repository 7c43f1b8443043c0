// RUN: %unit/CacheTrustTest
//
// Whose the cache is, what is lost of a damaged one, how large its file is, and whether it may be
// shared between machines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/Tuned.h"
#include <cmocka.h>

#include "CacheFixture.h"
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, ENTRY_BYTES = 20000 };

static void put(TileCache *cache, unsigned number) {
  static unsigned char data[ENTRY_BYTES];
  memset(data, (int)number + 1, sizeof data);
  tileCachePut(cache, TILE_CACHE_OBJECT, keyOf(number), data, sizeof data);
}

static bool has(TileCache *cache, unsigned number) {
  unsigned char *data;
  size_t size;
  if (!tileCacheGet(cache, TILE_CACHE_OBJECT, keyOf(number), (void **)&data, &size)) return false;
  assert_int_equal(size, ENTRY_BYTES);
  for (size_t i = 0; i < size; ++i) assert_int_equal(data[i], (number + 1) & 0xff);
  free(data);
  return true;
}

/// A cache with ten entries and a tuning result, closed.
static void fill(void) {
  TileCache *cache = openWith((TileCacheOptions){.limit = 0});
  for (unsigned i = 0; i < 10; ++i) put(cache, i);
  TileTuned tuned = {.kernel = "k",
                     .code = "c",
                     .key = "64",
                     .types = "",
                     .device = "d",
                     .version = TILE_TUNED_VERSION,
                     .config = "BM=64",
                     .seconds = 1e-3,
                     .tried = 7};
  assert_true(tileTunedPut(cache, &tuned, 1, &error));
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

static void execute(const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(database, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

/// Is the cache used? If not, with one warning that says `why`.
static void expectUse(bool used, const char *why) {
  warnings = 0;
  TileCache *cache = openWith((TileCacheOptions){.limit = 0});
  put(cache, 100);
  assert_int_equal(has(cache, 100), used);
  assert_int_equal(tileCacheGetStat(cache).readable, used);
  tileCacheClose(cache);
  assert_int_equal(warnings, used ? 0 : 1);
  if (!used && !strstr(lastWarning, why)) fail_msg("found '%s'", lastWarning);
}

static int modeOf(const char *path) {
  struct stat status;
  assert_int_equal(lstat(path, &status), 0);
  return status.st_mode & 0777;
}

//===- whose --------------------------------------------------------------===//

static void whatOthersMayWriteIsNotUsed(void **state) {
  (void)state;
  fill();
  chmod(folder, 0777);
  expectUse(false, "others may write");
  chmod(folder, 01777);
  expectUse(false, "others may write");
  chmod(folder, 0770);
  expectUse(false, "others may write");
  chmod(folder, 0755);
  expectUse(true, NULL);
  chmod(database, 0666);
  expectUse(false, "others may write");
  assert_int_equal(modeOf(database), 0666);
}

static void nobodyElseReadsIt(void **state) {
  (void)state;
  mode_t mask = umask(0);
  fill();
  assert_int_equal(modeOf(database), 0600);
  // As versions before this one left it.
  chmod(database, 0644);
  expectUse(true, NULL);
  assert_int_equal(modeOf(database), 0600);
  TileCache *cache = openWith((TileCacheOptions){.limit = 0});
  put(cache, 1);
  char log[80];
  snprintf(log, sizeof log, "%s-wal", database);
  assert_int_equal(modeOf(log), 0600);
  tileCacheClose(cache);
  // Nor the one that takes a damaged one's place.
  FILE *file = fopen(database, "r+");
  assert_non_null(file);
  assert_int_equal(fwrite("damaged", 1, 7, file), 7);
  fclose(file);
  cache = openWith((TileCacheOptions){.limit = 0});
  assert_int_equal(warnings, 1);
  assert_int_equal(modeOf(database), 0600);
  tileCacheClose(cache);
  umask(mask);
}

static void fillAsNobody(void) {
  if (setgid(NOBODY) || setuid(NOBODY)) _exit(2);
  fill();
  _exit(warnings);
}

static void anothersIsNotUsed(void **state) {
  (void)state;
  if (geteuid() != 0) skip(); // there is one user alone
  assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
  fflush(stdout);
  pid_t child = fork();
  if (!child) fillAsNobody();
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expectUse(false, "belongs to another");
  // The folder alone is not what counts.
  assert_int_equal(chown(folder, 0, 0), 0);
  expectUse(false, "belongs to another");
  unlink(database);
  char log[80];
  snprintf(log, sizeof log, "%s-wal", database);
  int file = open(log, O_WRONLY | O_CREAT, 0600);
  assert_int_equal(fchown(file, NOBODY, NOBODY), 0);
  close(file);
  expectUse(false, "belongs to another");
}

static void linksAreNotFollowed(void **state) {
  (void)state;
  char elsewhere[80], lock[80];
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
  snprintf(lock, sizeof lock, "%s/cache.lock", folder);
  assert_int_equal(symlink(elsewhere, lock), 0);
  expectUse(true, NULL);
  assert_int_not_equal(access(elsewhere, F_OK), 0);
  assert_int_equal(rename(database, elsewhere), 0);
  assert_int_equal(symlink(elsewhere, database), 0);
  expectUse(false, "is a symbolic link");
  unlink(database);
  assert_int_equal(mkfifo(database, 0600), 0);
  expectUse(false, "is no regular file");
}

//===- what is lost -------------------------------------------------------===//

static void expectTuned(TileCache *cache) {
  TileTunedList list;
  assert_true(tileTunedFind(cache, &(TileTuned){.kernel = "k"}, &list));
  assert_int_equal(list.count, 1);
  assert_string_equal(list.items[0].config, "BM=64");
  assert_int_equal(list.items[0].tried, 7);
  tileTunedListDestroy(&list);
}

static void aDamagedEntryIsLostAlone(void **state) {
  (void)state;
  fill();
  execute("UPDATE entries SET data = zeroblob(20000) WHERE rowid = 4");
  TileCache *cache = openWith((TileCacheOptions){.limit = 0});
  for (unsigned i = 0; i < 10; ++i) assert_int_equal(has(cache, i), i != 3);
  assert_int_equal(warnings, 1);
  assert_non_null(strstr(lastWarning, "as they were stored"));
  expectTuned(cache);
  put(cache, 3);
  assert_true(has(cache, 3));
  tileCacheClose(cache);
}

/// Fills the page where a table or index begins with what no page is like.
static void damage(const char *table) {
  sqlite3 *db;
  sqlite3_stmt *statement;
  char sql[128];
  snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
  assert_int_equal(sqlite3_open(database, &db), SQLITE_OK);
  sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  int page = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  char bytes[4096];
  memset(bytes, 0x5a, sizeof bytes);
  int file = open(database, O_WRONLY);
  assert_int_equal(pwrite(file, bytes, sizeof bytes, (off_t)(page - 1) * (off_t)sizeof bytes),
                   sizeof bytes);
  close(file);
}

static void tuningOutlivesDamage(void **state) {
  (void)state;
  static const char *const tables[] = {"entries", "uses", "sqlite_autoindex_entries_1"};
  for (int i = 0; i < 3; ++i) {
    warnings = 0;
    unlink(database);
    fill();
    damage(tables[i]);
    TileCache *cache = openWith((TileCacheOptions){.limit = 0});
    for (unsigned k = 0; k < 10; ++k) put(cache, k);
    for (unsigned k = 0; k < 10; ++k) assert_true(has(cache, k));
    expectTuned(cache);
    tileCacheClose(cache);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(lastWarning, "set aside"));
  }
}

static size_t readWhole(char *bytes, size_t size) {
  FILE *file = fopen(database, "rb");
  assert_non_null(file);
  size_t got = fread(bytes, 1, size, file);
  fclose(file);
  return got;
}

static void anotherVersionsIsLeftAlone(void **state) {
  (void)state;
  static char before[1 << 20], after[1 << 20];
  fill();
  execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 2");
  size_t size = readWhole(before, sizeof before);
  expectUse(false, "a database of another version of tile");
  assert_int_equal(readWhole(after, sizeof after), size);
  assert_memory_equal(before, after, size);
}

//===- how large ----------------------------------------------------------===//

static void expectSmall(void) {
  TileCache *cache = openWith((TileCacheOptions){.limit = 100000});
  put(cache, 1000);
  assert_true(has(cache, 1000));
  tileCacheClose(cache);
  struct stat file;
  assert_int_equal(stat(database, &file), 0);
  assert_in_range(file.st_size, 80000, 300000);
}

static void aLowerLimitShrinksTheFile(void **state) {
  (void)state;
  for (int old = 0; old < 2; ++old) {
    TileCache *cache = openWith((TileCacheOptions){.limit = 0});
    for (unsigned i = 0; i < 200; ++i) put(cache, i); // 4 MB
    tileCacheClose(cache);
    if (old) execute("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM");
    expectSmall();
  }
  assert_int_equal(warnings, 0);
}

//===- many machines ------------------------------------------------------===//

static void shareRemotely(void) {
  TileCache *cache = openWith((TileCacheOptions){.limit = 0, .remote = true});
  for (unsigned i = 0; i < 20; ++i) {
    unsigned number = (i * 7 + (unsigned)getpid()) % 20;
    if (!has(cache, number)) put(cache, number);
    if (!has(cache, number)) _exit(2);
  }
  tileCacheClose(cache);
  _exit(warnings ? 3 : 0);
}

/// The file's formats for writing and reading: 1 a rollback journal, 2 WAL (SQLite's file format).
static void expectFormat(unsigned char format) {
  char header[20];
  assert_int_equal(readWhole(header, sizeof header), sizeof header);
  assert_int_equal(header[18], format);
  assert_int_equal(header[19], format);
}

static void machinesShareARollbackJournal(void **state) {
  (void)state;
  enum { PROCESSES = 4 };
  fill();
  expectFormat(2);
  fflush(stdout);
  for (int i = 0; i < PROCESSES; ++i)
    if (!fork()) shareRemotely();
  for (int i = 0; i < PROCESSES; ++i) {
    int status;
    wait(&status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
  }
  expectFormat(1);
  TileCache *cache = openWith((TileCacheOptions){.limit = 0, .remote = true});
  for (unsigned i = 0; i < 20; ++i) assert_true(has(cache, i));
  expectTuned(cache);
  char log[80];
  snprintf(log, sizeof log, "%s-shm", database);
  assert_int_not_equal(access(log, F_OK), 0);
  tileCacheClose(cache);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, makeFolder, removeFolder)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(whatOthersMayWriteIsNotUsed),
      TEST(nobodyElseReadsIt),
      TEST(anothersIsNotUsed),
      TEST(linksAreNotFollowed),
      TEST(aDamagedEntryIsLostAlone),
      TEST(tuningOutlivesDamage),
      TEST(anotherVersionsIsLeftAlone),
      TEST(aLowerLimitShrinksTheFile),
      TEST(machinesShareARollbackJournal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
