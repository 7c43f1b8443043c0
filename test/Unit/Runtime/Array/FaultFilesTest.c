// RUN: rm -rf %t && mkdir %t && cd %t && %unit/FaultFilesTest
//
// Arrays and files with every call that can fail failing in turn (test/Support/Faults): what is
// read is right or refused; what is written is there whole, or what was there before is.
#include "../FillArray.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../Support/Faults/Faults.h"
#include "tile/Runtime/Array.h"
#include "tile/Runtime/Executor.h"
#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Output.h"
#include "tile/Runtime/Pnm.h"
#include "tile/Runtime/Tuned.h"
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 3, COLUMNS = 5, LARGEST = 4096 };
static const int64_t shape[] = {3, ROWS, COLUMNS};

//===- files --------------------------------------------------------------===//

/// What a file holds; -1 where there is none.
static long readAll(const char *path, char *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  long size = (long)fread(bytes, 1, LARGEST, file);
  fclose(file);
  return size;
}

static void putFile(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void clearFolder(void) {
  DIR *folder = opendir(".");
  for (struct dirent *entry; (entry = readdir(folder));)
    if (entry->d_name[0] != '.') unlink(entry->d_name);
  closedir(folder);
}

/// What was there, and what a writer that nothing disturbs leaves there.
static char before[LARGEST], after[LARGEST];
static long beforeSize, afterSize;
static mode_t modeBefore;
static const char *target;

/// The target holds all of the old or all of the new, and has no company.
static void expectOldOrNew(FaultOutcome outcome) {
  char found[LARGEST];
  long size = readAll(target, found);
  bool isOld = size == beforeSize && (size < 0 || !memcmp(found, before, (size_t)size));
  bool isNew = size == afterSize && !memcmp(found, after, (size_t)size);
  if (outcome == FAULT_DONE ? !isNew : !isOld && !isNew)
    fail_msg("found %ld bytes that are neither the old file nor the new one", size);
  struct stat status;
  if (isOld && beforeSize >= 0) assert_int_equal(stat(target, &status), 0);
  DIR *folder = opendir(".");
  for (struct dirent *entry; (entry = readdir(folder));) {
    bool known = entry->d_name[0] == '.' || !strcmp(entry->d_name, target);
    // A process that ends itself leaves what a signal handler of tile/Support/Process.h removes;
    // and where every call fails, so does unlink.
    known |= (outcome == FAULT_ENDED || faultsStayed()) && strstr(entry->d_name, ".tmp-");
    if (!known) fail_msg("found '%s' beside '%s'", entry->d_name, target);
  }
  closedir(folder);
  if (outcome == FAULT_DONE && beforeSize >= 0) {
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_mode & 07777, modeBefore);
  }
}

static void putOld(void) {
  clearFolder();
  if (beforeSize < 0) return;
  putFile(target, before, (size_t)beforeSize);
  chmod(target, modeBefore);
}

/// Tries a writer of `path`, over no file and over an old one.
static void tryWriter(const char *name, const char *path, bool (*write)(TileError *error),
                      uint64_t least) {
  TileError error = TILE_ERROR_INIT;
  target = path;
  clearFolder();
  if (!write(&error)) fail_msg("%s", tileErrorGetMessage(&error));
  afterSize = readAll(path, after);
  assert_in_range(afterSize, 1, LARGEST - 1);
  modeBefore = 0600;
  const FaultWork work = {name, putOld, write, expectOldOrNew};
  beforeSize = -1;
  faultsTry(&work, least);
  beforeSize = sprintf(before, "what was there before");
  faultsTry(&work, least);
}

//===- writing ------------------------------------------------------------===//

static TileArray *makeArray(TileElementType type, unsigned rank, TileError *error) {
  TileArray *array = tileArrayCreate(type, rank, shape + 3 - rank, error);
  if (array) tileArrayFillRandom(array, 7);
  return array;
}

static bool writeNpy(TileError *error) {
  TileArray *array = makeArray(TILE_ELEMENT_F16, 3, error);
  bool ok = array && tileNpyWrite("x.npy", array, error);
  tileArrayDestroy(array);
  return ok;
}

static bool writeColours(TileError *error) {
  TileArray *array = makeArray(TILE_ELEMENT_I8, 3, error);
  bool ok = array && tilePnmWrite("x.ppm", array, error);
  tileArrayDestroy(array);
  return ok;
}

static bool writeGreys(TileError *error) {
  TileArray *array = makeArray(TILE_ELEMENT_I8, 2, error);
  bool ok = array && tilePnmWrite("x.pgm", array, error);
  tileArrayDestroy(array);
  return ok;
}

static bool writeOutput(TileError *error) {
  return tileOutputCheck("x.txt", error) && tileOutputWrite("x.txt", "some text", 9, error);
}

static const TileTuned results[] = {
    {"add", "c0de", "64", "ptr<f32>, i32", "a device", TILE_TUNED_VERSION, "BM=64", 1e-3, 7, 1},
    {"mul", "c1de", "", "", "", TILE_TUNED_VERSION, "", 2e-3, 8, 2}};

static bool writeResults(TileError *error) {
  const TileTunedList list = {(TileTuned *)(uintptr_t)results, 2};
  return tileTunedWrite("x.tsv", &list, error);
}

static void writersLeaveTheOldOrTheNew(void **state) {
  (void)state;
  tryWriter("write .npy", "x.npy", writeNpy, 8);
  tryWriter("write .ppm", "x.ppm", writeColours, 8);
  tryWriter("write .pgm", "x.pgm", writeGreys, 8);
  tryWriter("write a file", "x.txt", writeOutput, 8);
  tryWriter("export tuning results", "x.tsv", writeResults, 8);
}

//===- reading ------------------------------------------------------------===//

static void expectNothing(FaultOutcome outcome) { (void)outcome; }

/// Is it the array of the seed?
static bool isRight(TileArray *array, TileElementType type, unsigned rank) {
  faultsPause();
  TileError error = TILE_ERROR_INIT;
  TileComparison result = {0};
  TileArray *want = makeArray(type, rank, &error);
  bool same =
      array->type == type && tileArrayCompare(array, want, 0, 0, &result, &error) && result.passed;
  tileArrayDestroy(want);
  tileErrorDestroy(&error);
  faultsResume();
  return same || faultsWrong("the array is not the one that was written");
}

static bool readNpy(TileError *error) {
  TileArray *array = tileNpyRead("x.npy", NULL, error);
  bool ok = array && isRight(array, TILE_ELEMENT_F16, 3);
  tileArrayDestroy(array);
  return ok;
}

static bool readColours(TileError *error) {
  TileArray *array = tilePnmRead("x.ppm", TILE_ELEMENT_I8, error);
  bool ok = array && isRight(array, TILE_ELEMENT_I8, 3);
  tileArrayDestroy(array);
  return ok;
}

static bool readResults(TileError *error) {
  TileTunedList list;
  if (!tileTunedRead("x.tsv", &list, error)) return false;
  bool same = list.count == 2 && !strcmp(list.items[0].config, "BM=64") &&
              !strcmp(list.items[1].kernel, "mul") && list.items[1].tried == 8;
  tileTunedListDestroy(&list);
  return same || faultsWrong("the results are not those that were written");
}

static void readersAreRightOrRefuse(void **state) {
  (void)state;
  TileError error = TILE_ERROR_INIT;
  clearFolder();
  assert_true(writeNpy(&error) && writeColours(&error) && writeResults(&error));
  faultsTry(&(FaultWork){"read .npy", NULL, readNpy, expectNothing}, 6);
  faultsTry(&(FaultWork){"read .ppm", NULL, readColours, expectNothing}, 6);
  faultsTry(&(FaultWork){"import tuning results", NULL, readResults, expectNothing}, 6);
}

//===- arrays -------------------------------------------------------------===//

static bool compareArrays(TileError *error) {
  // Large enough for memory of its own.
  const int64_t large[] = {3 << 20};
  TileArray *got = tileArrayCreate(TILE_ELEMENT_F16, 1, large, error);
  TileArray *want = got ? tileArrayCreate(TILE_ELEMENT_F16, 1, large, error) : NULL;
  TileComparison result = {0};
  bool ok = want != NULL;
  // The process's threads are never given back.
  faultsPause();
  tileExecutorGetDefault(NULL);
  faultsResume();
  if (ok) {
    fillArray(got, 1);
    fillArray(want, 2);
    ok = tileArrayCompare(got, want, 0, 0, &result, error);
  }
  if (ok && (result.passed || result.failures != large[0])) ok = faultsWrong("1 passes for 2");
  tileArrayDestroy(got);
  tileArrayDestroy(want);
  return ok;
}

static bool printArray(TileError *error) {
  TileArray *array = tileArrayCreate(TILE_ELEMENT_F32, 2, shape + 1, error);
  FILE *file = array ? tmpfile() : NULL;
  bool ok = file && tileArrayPrint(file, array, 0, error);
  if (file) fclose(file);
  tileArrayDestroy(array);
  return ok;
}

static void arraysAreRightOrRefused(void **state) {
  (void)state;
  faultsTry(&(FaultWork){"compare arrays", NULL, compareArrays, NULL}, 4);
  faultsTry(&(FaultWork){"print an array", NULL, printArray, NULL}, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writersLeaveTheOldOrTheNew),
      cmocka_unit_test(readersAreRightOrRefuse),
      cmocka_unit_test(arraysAreRightOrRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
