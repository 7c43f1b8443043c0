// RUN: %unit/CacheTest
//
// The cache against everything that can happen to it: killed writers, full disks, folders that
// cannot be written, damaged files, many processes. Data of an entry follows from its number, so
// whatever comes back can be judged.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "CacheFixture.h"
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static TileCache *openHere(void) { return openWith((TileCacheOptions){.limit = 0}); }

enum { MAX_BYTES = 40000 };

/// The data of entry `number`: 0 to 39999 bytes, over several pages of the database or none.
static size_t makeData(unsigned number, unsigned char *data) {
  size_t size = (number * 7919U) % MAX_BYTES;
  uint32_t state = number + 1;
  for (size_t i = 0; i < size; ++i) {
    state = state * 1664525U + 1013904223U;
    data[i] = (unsigned char)(state >> 24);
  }
  return size;
}

static void put(TileCache *cache, unsigned number) {
  static unsigned char data[MAX_BYTES];
  tileCachePut(cache, TILE_CACHE_OBJECT, keyOf(number), data, makeData(number, data));
}

/// Whether entry `number` is there; what is there has to be right.
static bool has(TileCache *cache, unsigned number) {
  static unsigned char data[MAX_BYTES];
  void *found;
  size_t size;
  if (!tileCacheGet(cache, TILE_CACHE_OBJECT, keyOf(number), &found, &size)) return false;
  assert_int_equal(size, makeData(number, data));
  assert_memory_equal(found, data, size);
  free(found);
  return true;
}

static unsigned countEntries(TileCache *cache, unsigned numbers) {
  unsigned count = 0;
  for (unsigned i = 0; i < numbers; ++i) count += has(cache, i);
  return count;
}

/// Runs `body` in a child process; its exit status, or minus the signal that ended it.
static int inChild(void (*body)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    body();
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

//===- in and out ---------------------------------------------------------===//

static void fieldsKeepTheirBorders(void **state) {
  (void)state;
  TileCacheKey one = tileCacheHash((TileCacheField[]){{"ab", 2}, {"c", 1}}, 2);
  TileCacheKey other = tileCacheHash((TileCacheField[]){{"a", 1}, {"bc", 2}}, 2);
  TileCacheKey same = tileCacheHash((TileCacheField[]){{"ab", 2}, {"c", 1}}, 2);
  assert_memory_not_equal(one.bytes, other.bytes, sizeof one.bytes);
  assert_memory_equal(one.bytes, same.bytes, sizeof one.bytes);
}

static void theBuildHasItsIds(void **state) {
  (void)state;
  // Three of 40 digits: this program, libLLVM and libMLIR.
  const char *build = tileCacheGetBuild();
  assert_int_equal(strlen(build), 3 * 40 + 2);
  assert_int_equal(strspn(build, "0123456789abcdef-"), strlen(build));
}

static void whatWasStoredIsFoundByTheNextProcess(void **state) {
  (void)state;
  TileCache *cache = openHere();
  for (unsigned i = 0; i < 20; ++i) assert_false(has(cache, i));
  for (unsigned i = 0; i < 20; ++i) put(cache, i);
  tileCacheClose(cache);
  cache = openHere();
  assert_int_equal(countEntries(cache, 20), 20);
  void *data;
  size_t size;
  assert_false(tileCacheGet(cache, TILE_CACHE_CUBIN, keyOf(3), &data, &size));
  TileCacheStat stat = tileCacheGetStat(cache);
  assert_int_equal(stat.count[TILE_CACHE_OBJECT], 20);
  assert_int_equal(stat.count[TILE_CACHE_CUBIN], 0);
  assert_int_equal(stat.hits, 20);
  assert_int_equal(stat.misses, 1);
  tileCacheRemove(cache, TILE_CACHE_OBJECT, keyOf(3));
  assert_int_equal(countEntries(cache, 20), 19);
  assert_true(tileCacheClear(cache, &error));
  assert_int_equal(countEntries(cache, 20), 0);
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

static void storingAgainReplaces(void **state) {
  (void)state;
  TileCache *cache = openHere();
  tileCachePut(cache, TILE_CACHE_CUBIN, keyOf(1), "old", 3);
  tileCachePut(cache, TILE_CACHE_CUBIN, keyOf(1), "newer", 5);
  void *data;
  size_t size;
  assert_true(tileCacheGet(cache, TILE_CACHE_CUBIN, keyOf(1), &data, &size));
  assert_int_equal(size, 5);
  assert_memory_equal(data, "newer", 5);
  free(data);
  TileCacheStat stat = tileCacheGetStat(cache);
  assert_int_equal(stat.count[TILE_CACHE_CUBIN], 1);
  assert_int_equal(stat.bytes[TILE_CACHE_CUBIN], 5);
  tileCacheClose(cache);
}

static void noCacheIsAnEmptyOne(void **state) {
  (void)state;
  assert_false(has(NULL, 1));
  put(NULL, 1);
  tileCacheClose(NULL);
}

//===- the limit ----------------------------------------------------------===//

static void putBytes(TileCache *cache, unsigned number, size_t size) {
  void *data = calloc(1, size);
  tileCachePut(cache, TILE_CACHE_OBJECT, keyOf(number), data, size);
  free(data);
}

static bool hasKey(TileCache *cache, unsigned number) {
  void *data;
  size_t size;
  bool found = tileCacheGet(cache, TILE_CACHE_OBJECT, keyOf(number), &data, &size);
  free(data);
  return found;
}

static void whatWasNotUsedLongestGoes(void **state) {
  (void)state;
  TileCache *cache = openWith((TileCacheOptions){.limit = 1000, .touchSeconds = -1});
  putBytes(cache, 1, 400);
  putBytes(cache, 2, 400);
  assert_true(hasKey(cache, 1)); // used after 2
  putBytes(cache, 3, 400);
  assert_true(hasKey(cache, 1));
  assert_false(hasKey(cache, 2));
  assert_true(hasKey(cache, 3));
  putBytes(cache, 4, 1000); // fits alone
  assert_false(hasKey(cache, 1));
  assert_false(hasKey(cache, 3));
  assert_true(hasKey(cache, 4));
  putBytes(cache, 5, 1001); // never fits, and costs nobody a place
  assert_false(hasKey(cache, 5));
  assert_true(hasKey(cache, 4));
  assert_int_equal(tileCacheGetStat(cache).bytes[TILE_CACHE_OBJECT], 1000);
  tileCacheClose(cache);
}

static void theFileStaysNearTheLimit(void **state) {
  (void)state;
  TileCache *cache = openWith((TileCacheOptions){.limit = 200000});
  for (unsigned i = 0; i < 300; ++i) put(cache, i); // 6 MB in all
  assert_in_range(tileCacheGetStat(cache).bytes[TILE_CACHE_OBJECT], 160000, 200000);
  tileCacheClose(cache);
  struct stat file;
  assert_int_equal(stat(database, &file), 0);
  assert_in_range(file.st_size, 160000, 600000);
}

//===- killed at any moment -----------------------------------------------===//

static int reports;

static void storeAndReport(void) {
  TileCache *cache = openHere();
  for (unsigned i = 0; i < 100000; ++i) {
    put(cache, i);
    if (write(reports, &i, sizeof i) != sizeof i) _exit(1);
  }
}

/// Kills a writer after some microseconds; what it had reported as stored must be there.
static void killAfter(useconds_t delay) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  reports = ends[1];
  pid_t child = fork();
  if (!child) {
    storeAndReport();
    _exit(0);
  }
  close(ends[1]);
  usleep(delay);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  unsigned stored = 0, number;
  while (read(ends[0], &number, sizeof number) == sizeof number) stored = number + 1;
  close(ends[0]);
  TileCache *cache = openHere();
  assert_int_equal(countEntries(cache, stored), stored);
  assert_true(tileCacheClear(cache, &error));
  tileCacheClose(cache);
}

static void aKilledWriterLosesNothing(void **state) {
  (void)state;
  for (useconds_t i = 0; i < 40; ++i) killAfter(i * i * 37);
  assert_int_equal(warnings, 0);
}

//===- no room ------------------------------------------------------------===//

static void storeUnderLimit(void) {
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {.rlim_cur = 150000, .rlim_max = 150000};
  if (setrlimit(RLIMIT_FSIZE, &limit)) _exit(2);
  TileCache *cache = openHere();
  for (unsigned i = 0; i < 40; ++i) put(cache, i);
  unsigned found = countEntries(cache, 40);
  tileCacheClose(cache);
  // One warning; what did fit can be read.
  if (warnings != 1 || !strstr(lastWarning, "storing no more")) _exit(3);
  _exit(found > 0 && found < 40 ? 0 : 4);
}

static void aFullDiskEndsStoringOnly(void **state) {
  (void)state;
  assert_int_equal(inChild(storeUnderLimit), 0);
  TileCache *cache = openHere();
  unsigned found = countEntries(cache, 40);
  assert_in_range(found, 1, 39);
  for (unsigned i = 0; i < 40; ++i) put(cache, i); // there is room again
  assert_int_equal(countEntries(cache, 40), 40);
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

/// A VFS that passes all on to the system's but lets writes fail from the `failFrom`th on.
static sqlite3_vfs failingVfs;
/// The system's differ between databases and logs; both write alike.
static sqlite3_io_methods databaseMethods, logMethods;
static const sqlite3_io_methods *systemMethods;
static int writesDone, failFrom, failCode;

static int failingWrite(sqlite3_file *file, const void *data, int size, sqlite3_int64 offset) {
  if (++writesDone >= failFrom) return failCode;
  return systemMethods->xWrite(file, data, size, offset);
}

static int failingSync(sqlite3_file *file, int flags) {
  if (writesDone >= failFrom) return SQLITE_IOERR_FSYNC;
  return systemMethods->xSync(file, flags);
}

static int failingOpen(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                       int *outFlags) {
  sqlite3_vfs *real = vfs->pAppData;
  int code = real->xOpen(real, name, file, flags, outFlags);
  if (code || !file->pMethods) return code;
  systemMethods = file->pMethods;
  sqlite3_io_methods *methods = flags & SQLITE_OPEN_MAIN_DB ? &databaseMethods : &logMethods;
  *methods = *systemMethods;
  methods->xWrite = failingWrite;
  methods->xSync = failingSync;
  file->pMethods = methods;
  return code;
}

/// With every write from the nth on failing, for each n until none does.
static void failAtEachWrite(int code) {
  failCode = code;
  int total = 0;
  for (int n = 1;; ++n) {
    TileCache *cache = openHere();
    for (unsigned i = 0; i < 3; ++i) put(cache, i);
    tileCacheClose(cache);
    assert_int_equal(warnings, 0);

    writesDone = 0;
    failFrom = n;
    cache = openWith((TileCacheOptions){.vfs = "failing"});
    for (unsigned i = 3; i < 6; ++i) put(cache, i);
    total = writesDone;
    countEntries(cache, 6);
    tileCacheClose(cache);
    assert_in_range(warnings, 0, 1);
    warnings = 0;

    failFrom = INT32_MAX;
    cache = openHere();
    assert_int_equal(countEntries(cache, 3), 3); // the old ones are safe
    countEntries(cache, 6);                      // and new ones right or absent
    assert_int_equal(warnings, 0);
    assert_true(tileCacheClear(cache, &error));
    tileCacheClose(cache);
    if (n > total) break;
  }
  assert_in_range(total, 10, 1000);
}

static void aWriteMayFailAnywhere(void **state) {
  (void)state;
  sqlite3_initialize();
  sqlite3_vfs *real = sqlite3_vfs_find(NULL);
  failingVfs = *real;
  failingVfs.zName = "failing";
  failingVfs.pAppData = real;
  failingVfs.pNext = NULL;
  failingVfs.xOpen = failingOpen;
  assert_int_equal(sqlite3_vfs_register(&failingVfs, 0), SQLITE_OK);
  failAtEachWrite(SQLITE_FULL);
  failAtEachWrite(SQLITE_IOERR_WRITE);
  sqlite3_vfs_unregister(&failingVfs);
}

//===- read-only ----------------------------------------------------------===//

enum { NOBODY = 65534 };

static void useReadOnly(void) {
  // Root may write everywhere.
  if (!getuid() && (setgid(NOBODY) || setuid(NOBODY))) _exit(2);
  TileCache *cache = openHere();
  put(cache, 1);
  bool found = has(cache, 1);
  TileCacheStat stat = tileCacheGetStat(cache);
  tileCacheClose(cache);
  _exit(cache && warnings == 1 && !found && !stat.writable ? 0 : 3);
}

static void aReadOnlyFolderIsOneWarning(void **state) {
  (void)state;
  assert_int_equal(chmod(folder, 0555), 0);
  assert_int_equal(inChild(useReadOnly), 0);
  assert_int_equal(chmod(folder, 0755), 0);
  // The same with a database in it that somebody else made.
  TileCache *cache = openHere();
  put(cache, 1);
  tileCacheClose(cache);
  assert_int_equal(chmod(folder, 0555), 0);
  assert_int_equal(inChild(useReadOnly), 0);
  assert_int_equal(chmod(folder, 0755), 0);
}

//===- damage -------------------------------------------------------------===//

static void fillAndClose(unsigned count) {
  TileCache *cache = openHere();
  for (unsigned i = 0; i < count; ++i) put(cache, i);
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

/// After damage: no wrong data, one warning at most, and a cache that works, now and later.
static void expectRecovery(void) {
  TileCache *cache = openHere();
  countEntries(cache, 10);
  for (unsigned i = 0; i < 10; ++i) put(cache, i);
  assert_int_equal(countEntries(cache, 10), 10);
  tileCacheClose(cache);
  assert_in_range(warnings, 0, 1);
  int before = warnings;
  cache = openHere();
  assert_int_equal(countEntries(cache, 10), 10);
  tileCacheClose(cache);
  assert_int_equal(warnings, before);
}

static void aForeignFileIsSetAside(void **state) {
  (void)state;
  FILE *file = fopen(database, "w");
  for (int i = 0; i < 1000; ++i) fputs("no database\n", file);
  fclose(file);
  expectRecovery();
  assert_int_equal(warnings, 1);
  assert_non_null(strstr(lastWarning, "set aside as cache-v1.db.corrupt and begun anew"));
  char aside[80];
  snprintf(aside, sizeof aside, "%s.corrupt", database);
  struct stat status;
  assert_int_equal(stat(aside, &status), 0);
  assert_int_equal(status.st_size, 12000);
}

static void otherTablesAreSetAside(void **state) {
  (void)state;
  sqlite3 *db;
  assert_int_equal(sqlite3_open(database, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_exec(db, "CREATE TABLE entries(x); PRAGMA user_version = 1", NULL, NULL, NULL),
      SQLITE_OK);
  sqlite3_close(db);
  expectRecovery();
  assert_int_equal(warnings, 1);
}

static void aFileMayEndAnywhere(void **state) {
  (void)state;
  struct stat status;
  fillAndClose(10);
  assert_int_equal(stat(database, &status), 0);
  for (off_t size = 0; size < status.st_size; size += 1 + status.st_size / 40) {
    warnings = 0;
    unlink(database);
    fillAndClose(10);
    assert_int_equal(truncate(database, size), 0);
    expectRecovery();
  }
}

static void bytesMayChangeAnywhere(void **state) {
  (void)state;
  uint32_t random = 12345;
  for (int round = 0; round < 60; ++round) {
    warnings = 0;
    unlink(database);
    fillAndClose(10);
    struct stat status;
    assert_int_equal(stat(database, &status), 0);
    int file = open(database, O_RDWR);
    // One byte in the first rounds, where structure lies; then more, anywhere.
    for (int i = 0; i < 1 + round / 4; ++i) {
      random = random * 1664525U + 1013904223U;
      off_t at = (off_t)(random >> 4) % (round < 20 ? 4096 : status.st_size);
      unsigned char byte = (unsigned char)(random >> 16);
      assert_int_equal(pwrite(file, &byte, 1, at), 1);
    }
    close(file);
    expectRecovery();
  }
}

//===- many at once -------------------------------------------------------===//

enum { PROCESSES = 16 };

static void work(void) {
  TileCache *cache = openHere();
  for (unsigned i = 0; i < 30; ++i) {
    unsigned number = (i * 7 + (unsigned)getpid()) % 30;
    if (!has(cache, number)) put(cache, number);
    if (!has(cache, number)) _exit(2);
  }
  tileCacheClose(cache);
  _exit(warnings ? 10 + warnings : 0);
}

/// Statuses of all processes added up; each 0 for a right run, 10 more a warning.
static int runMany(void) {
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; ++i) {
    children[i] = fork();
    if (!children[i]) work();
  }
  int sum = 0;
  for (int i = 0; i < PROCESSES; ++i) {
    int status;
    waitpid(children[i], &status, 0);
    assert_true(WIFEXITED(status));
    int code = WEXITSTATUS(status);
    assert_true(code == 0 || code == 11);
    sum += code;
  }
  return sum;
}

static void sixteenProcessesShareIt(void **state) {
  (void)state;
  assert_int_equal(runMany(), 0);
  TileCache *cache = openHere();
  assert_int_equal(countEntries(cache, 30), 30);
  tileCacheClose(cache);
}

static void sixteenProcessesFindItCorrupt(void **state) {
  (void)state;
  FILE *file = fopen(database, "w");
  for (int i = 0; i < 1000; ++i) fputs("no database\n", file);
  fclose(file);
  // The first to come sets it aside; the others never see it.
  assert_int_equal(runMany(), 11);
  TileCache *cache = openHere();
  assert_int_equal(countEntries(cache, 30), 30);
  tileCacheClose(cache);
  assert_int_equal(warnings, 0);
}

int main(void) {
#define CACHE_TEST(name) cmocka_unit_test_setup_teardown(name, makeFolder, removeFolder)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fieldsKeepTheirBorders),  cmocka_unit_test(theBuildHasItsIds),
      cmocka_unit_test(noCacheIsAnEmptyOne),     CACHE_TEST(whatWasStoredIsFoundByTheNextProcess),
      CACHE_TEST(storingAgainReplaces),          CACHE_TEST(whatWasNotUsedLongestGoes),
      CACHE_TEST(theFileStaysNearTheLimit),      CACHE_TEST(aKilledWriterLosesNothing),
      CACHE_TEST(aFullDiskEndsStoringOnly),      CACHE_TEST(aWriteMayFailAnywhere),
      CACHE_TEST(aReadOnlyFolderIsOneWarning),   CACHE_TEST(aForeignFileIsSetAside),
      CACHE_TEST(otherTablesAreSetAside),        CACHE_TEST(aFileMayEndAnywhere),
      CACHE_TEST(bytesMayChangeAnywhere),        CACHE_TEST(sixteenProcessesShareIt),
      CACHE_TEST(sixteenProcessesFindItCorrupt),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
