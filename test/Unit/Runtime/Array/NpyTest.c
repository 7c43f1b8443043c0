// RUN: %unit/NpyTest
//
// Files are written out here byte by byte as the format's description has them, so reading is
// tested against the format and not against our own writer.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "FileFixture.h"
#include "tile/Runtime/Npy.h"
#include <dirent.h>
#include <math.h>
#include <sys/stat.h>

#define assert_message(text) assert_string_equal(tileErrorGetMessage(&error), text)

/// A file of the given version with this dict (padded as numpy does) and this data; its size.
static size_t formatFile(unsigned char *bytes, unsigned major, const char *dict, const void *data,
                         size_t dataBytes) {
  size_t start = major == 1 ? 10 : 12, length = strlen(dict);
  size_t padded = (start + length + 1 + 63) / 64 * 64 - start;
  memcpy(bytes, "\x93NUMPY", 6);
  bytes[6] = (unsigned char)major;
  bytes[7] = 0;
  for (size_t i = 8; i < start; ++i) bytes[i] = (unsigned char)(padded >> (8 * (i - 8)));
  memset(bytes + start, ' ', padded);
  memcpy(bytes + start, dict, length);
  bytes[start + padded - 1] = '\n';
  if (dataBytes) memcpy(bytes + start + padded, data, dataBytes);
  return start + padded + dataBytes;
}

static void writeFile(unsigned major, const char *dict, const void *data, size_t dataBytes) {
  unsigned char bytes[4096];
  writeBytes(bytes, formatFile(bytes, major, dict, data, dataBytes));
}

static const float sixFloats[] = {0, 1.5f, -2, 3, 4e10f, -0.0f};

#define DICT(descr, order, shape)                                                                  \
  "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }"

//===- Reading ------------------------------------------------------------===//

static void allVersionsAreRead(void **state) {
  (void)state;
  for (unsigned major = 1; major <= 3; ++major) {
    writeFile(major, DICT("<f4", "False", "(2, 3)"), sixFloats, sizeof sixFloats);
    TileArray *array = tileNpyRead(path, NULL, &error);
    assert_non_null(array);
    assert_int_equal(array->type, TILE_ELEMENT_F32);
    assert_int_equal(array->rank, 2);
    assert_int_equal(array->shape[0], 2);
    assert_int_equal(array->shape[1], 3);
    assert_memory_equal(array->host, sixFloats, sizeof sixFloats);
    tileArrayDestroy(array);
  }
}

static void typesAreRecognized(void **state) {
  (void)state;
  static const struct {
    const char *descr;
    TileElementType type;
    size_t size;
  } cases[] = {
      {"|b1", TILE_ELEMENT_I1, 1},   {"|i1", TILE_ELEMENT_I8, 1},   {"|u1", TILE_ELEMENT_I8, 1},
      {"<i2", TILE_ELEMENT_I16, 2},  {"<u2", TILE_ELEMENT_I16, 2},  {"<i4", TILE_ELEMENT_I32, 4},
      {"<u4", TILE_ELEMENT_I32, 4},  {"<i8", TILE_ELEMENT_I64, 8},  {"<u8", TILE_ELEMENT_I64, 8},
      {"<f2", TILE_ELEMENT_F16, 2},  {"<f4", TILE_ELEMENT_F32, 4},  {"<f8", TILE_ELEMENT_F64, 8},
      {"<V2", TILE_ELEMENT_BF16, 2}, {"|V2", TILE_ELEMENT_BF16, 2},
  };
  const unsigned char data[8] = {1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char dict[128];
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }",
             cases[i].descr);
    writeFile(1, dict, data, cases[i].size);
    TileArray *array = tileNpyRead(path, NULL, &error);
    assert_non_null(array);
    assert_int_equal(array->type, cases[i].type);
    assert_memory_equal(array->host, data, cases[i].size);
    tileArrayDestroy(array);
  }
}

static void rawTypesAreReadAsAsked(void **state) {
  (void)state;
  const TileElementType e5m2 = TILE_ELEMENT_F8E5M2, e4m3 = TILE_ELEMENT_F8E4M3FN,
                        bf16 = TILE_ELEMENT_BF16;
  const unsigned char data[] = {0x3c, 0x40};
  writeFile(1, DICT("|V1", "False", "(2,)"), data, 2);
  TileArray *array = tileNpyRead(path, &e5m2, &error);
  assert_true(tileArrayGetElement(array, 0) == 1 && tileArrayGetElement(array, 1) == 2);
  tileArrayDestroy(array);
  array = tileNpyRead(path, &e4m3, &error);
  assert_true(tileArrayGetElement(array, 0) == 1.5 && tileArrayGetElement(array, 1) == 2);
  tileArrayDestroy(array);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected an element type to read 'FILE' as, found only raw '|V1' (f8E4M3FN or "
                    "f8E5M2)");
  const unsigned char one[] = {0x80, 0x3f};
  writeFile(1, DICT("<u2", "False", "(1,)"), one, 2);
  array = tileNpyRead(path, &bf16, &error);
  assert_true(tileArrayGetElement(array, 0) == 1);
  tileArrayDestroy(array);
}

static void boolsBecomeZeroOrOne(void **state) {
  (void)state;
  const unsigned char data[] = {0, 1, 2, 255}, want[] = {0, 1, 1, 1};
  writeFile(1, DICT("|b1", "False", "(4,)"), data, 4);
  TileArray *array = tileNpyRead(path, NULL, &error);
  assert_memory_equal(array->host, want, 4);
  tileArrayDestroy(array);
}

static void otherSpellingsOfTheDictAreRead(void **state) {
  (void)state;
  static const char *const dicts[] = {
      "{\"shape\":(6,),\"descr\":\"<f4\",\"fortran_order\":False}",
      "{ 'fortran_order' : False , 'shape' : ( 6 , ) , 'descr' : '<f4' }",
      DICT("<f4", "True", "(6,)"),   // the order of a vector does not matter
      DICT("<f4", "True", "(6, 1)"), // nor that of one in disguise
  };
  for (size_t i = 0; i < sizeof dicts / sizeof *dicts; ++i) {
    writeFile(1, dicts[i], sixFloats, sizeof sixFloats);
    TileArray *array = tileNpyRead(path, NULL, &error);
    assert_non_null(array);
    assert_int_equal(array->count, 6);
    tileArrayDestroy(array);
  }
}

static void scalarsAndEmptyArraysAreRead(void **state) {
  (void)state;
  writeFile(1, DICT("<f4", "False", "()"), sixFloats, 4);
  TileArray *array = tileNpyRead(path, NULL, &error);
  assert_int_equal(array->rank, 0);
  tileArrayDestroy(array);
  writeFile(1, DICT("<f4", "False", "(0, 7)"), NULL, 0);
  array = tileNpyRead(path, NULL, &error);
  assert_int_equal(array->count, 0);
  tileArrayDestroy(array);
}

//===- Refusals -----------------------------------------------------------===//

static void badFilesAreRefusedPrecisely(void **state) {
  (void)state;
  static const struct {
    const char *dict;
    size_t bytes;
    const char *message;
  } cases[] = {
      {DICT("<f4", "True", "(2, 3)"), 24,
       "expected C order (fortran_order False) in 'FILE', found fortran_order True"},
      {DICT("<f4", "False", "(2, 3)"), 23,
       "expected 24 bytes of data for shape (2, 3) of f32 in 'FILE', found 23"},
      {DICT("<f4", "False", "(2, 3)"), 25,
       "expected 24 bytes of data for shape (2, 3) of f32 in 'FILE', found 25"},
      {DICT("<f4", "False", "(5,)"), 24,
       "expected 20 bytes of data for shape (5,) of f32 in 'FILE', found 24"},
      {DICT(">f4", "False", "(6,)"), 24,
       "expected a little-endian bool, integer, float or raw bf16 type in 'FILE', found '>f4'"},
      {DICT("<c8", "False", "(3,)"), 24,
       "expected a little-endian bool, integer, float or raw bf16 type in 'FILE', found '<c8'"},
      {DICT("", "False", "(3,)"), 24,
       "expected a little-endian bool, integer, float or raw bf16 type in 'FILE', found ''"},
      {DICT("<f4", "False", "(4611686018427387904, 4, 1)"), 24,
       "expected a shape that fits in the address space in 'FILE', found (4611686018427387904, 4, "
       "1)"},
      {DICT("<f4", "False", "(4611686018427387, 1)"), 24,
       "expected 18446744073709548 bytes of data for shape (4611686018427387, 1) of f32 in 'FILE', "
       "found 24"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    unsigned char data[32] = {0};
    writeFile(1, cases[i].dict, data, cases[i].bytes);
    assert_null(tileNpyRead(path, NULL, &error));
    assertFileMessage(cases[i].message);
  }
}

static void badDictsAreRefused(void **state) {
  (void)state;
  static const char *const dicts[] = {
      "",
      "{}",
      "{'descr': '<f4'}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", // a number, no tuple
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (6,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} and more",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}",
      "{'descr': '<f4444444444444444444444', 'fortran_order': False, 'shape': (6,)}",
      "{'descr': '<f4, 'fortran_order': False, 'shape': (6,)}",
      "{'descr' '<f4', 'fortran_order': False, 'shape': (6,)}",
  };
  for (size_t i = 0; i < sizeof dicts / sizeof *dicts; ++i) {
    writeFile(1, dicts[i], sixFloats, sizeof sixFloats);
    assert_null(tileNpyRead(path, NULL, &error));
    assert_non_null(
        strstr(tileErrorGetMessage(&error),
               "expected a header {'descr': '<f4', 'fortran_order': False, 'shape': (2, "
               "3)} in '"));
  }
}

static void foreignFilesAreRefused(void **state) {
  (void)state;
  writeBytes("hello, this is no array", 23);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected a .npy file, found 'FILE' without its magic string");
  writeBytes("", 0);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected a .npy file, found 'FILE' without its magic string");
  writeBytes("\x93NUMPY\x04\x00\x10\x00", 10);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected .npy version 1.0, 2.0 or 3.0 in 'FILE', found 4.0");
  writeBytes("\x93NUMPY\x01\x00\x10", 9);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected a .npy header in 'FILE', found 9 bytes in all");
  writeBytes("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected a .npy header of at most 2 bytes in 'FILE', found one of 4294967295");
}

static void missingFilesAndPipesAreRefused(void **state) {
  (void)state;
  unlink(path);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected to read 'FILE', found: No such file or directory");
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_null(tileNpyRead(path, NULL, &error));
  assertFileMessage("expected a regular file, found 'FILE', which is none");
  unlink(path);
  assert_null(tileNpyRead(directory, NULL, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "expected a regular file, found '"));
}

/// Reads whatever is in the file; the only demand is that nothing breaks.
static bool readAnything(void) {
  TileArray *array = tileNpyRead(path, NULL, &error);
  if (!array) assert_non_null(strstr(tileErrorGetMessage(&error), "expected "));
  bool ok = array != NULL;
  tileArrayDestroy(array);
  return ok;
}

static void everyTruncationIsRefused(void **state) {
  (void)state;
  unsigned char bytes[4096];
  size_t size = formatFile(bytes, 1, DICT("<f4", "False", "(2, 3)"), sixFloats, 24);
  for (size_t i = 0; i < size; ++i) {
    writeBytes(bytes, i);
    assert_false(readAnything());
  }
  writeBytes(bytes, size);
  assert_true(readAnything());
}

static void damagedFilesNeverCrash(void **state) {
  (void)state;
  unsigned char bytes[4096], damaged[4096];
  uint32_t random = 12345;
  for (unsigned major = 1; major <= 3; ++major) {
    size_t size = formatFile(bytes, major, DICT("<f4", "False", "(2, 3)"), sixFloats, 24);
    // Each bit of the header alone (of the common version), then random bytes in several places.
    for (size_t bit = 0; major == 1 && bit < 8 * (size - 24); ++bit) {
      memcpy(damaged, bytes, size);
      damaged[bit / 8] ^= (unsigned char)(1 << bit % 8);
      writeBytes(damaged, size);
      readAnything();
    }
    for (int round = 0; round < 400; ++round) {
      memcpy(damaged, bytes, size);
      for (int i = 0; i < 1 + round % 4; ++i) {
        random = random * 1664525 + 1013904223;
        damaged[(random >> 8) % size] = (unsigned char)(random >> 24);
      }
      writeBytes(damaged, size);
      readAnything();
    }
  }
}

//===- Writing ------------------------------------------------------------===//

static void writtenBytesAreTheFormats(void **state) {
  (void)state;
  const int64_t shape[] = {2, 3};
  TileArray *array = tileArrayCreate(TILE_ELEMENT_F32, 2, shape, &error);
  memcpy(array->host, sixFloats, sizeof sixFloats);
  assert_true(tileNpyWrite(path, array, &error));
  tileArrayDestroy(array);
  unsigned char want[4096], got[4096];
  size_t size = formatFile(want, 1, DICT("<f4", "False", "(2, 3)"), sixFloats, 24);
  FILE *file = fopen(path, "rb");
  if (!file) {
    fail_msg("cannot read %s", path);
    return;
  }
  assert_int_equal(fread(got, 1, sizeof got, file), size);
  fclose(file);
  assert_memory_equal(got, want, size);
}

static void everyTypeRoundTrips(void **state) {
  (void)state;
  for (int t = 0; t < TILE_ELEMENT_TYPE_COUNT; ++t)
    for (unsigned rank = 0; rank <= 3; ++rank) {
      TileElementType type = (TileElementType)t;
      const int64_t shape[] = {5, 1, 7};
      TileArray *array = tileArrayCreate(type, rank, shape, &error);
      tileArrayFillRandom(array, 3);
      assert_true(tileNpyWrite(path, array, &error));
      TileArray *back = tileNpyRead(path, &type, &error);
      assert_non_null(back);
      assert_int_equal(back->rank, rank);
      assert_memory_equal(back->host, array->host, array->bytes);
      tileArrayDestroy(array);
      tileArrayDestroy(back);
    }
}

static int countFiles(void) {
  int count = 0;
  DIR *listing = opendir(directory);
  if (!listing) {
    fail_msg("cannot list %s", directory);
    return -1;
  }
  for (struct dirent *entry; (entry = readdir(listing));) count += entry->d_name[0] != '.';
  closedir(listing);
  return count;
}

static void aFailedWriteLeavesNothing(void **state) {
  (void)state;
  TileArray *array = tileArrayCreate(TILE_ELEMENT_F32, 0, NULL, &error);
  assert_false(tileNpyWrite("/nowhere/at/all.npy", array, &error));
  assert_message("expected to write '/nowhere/at/all.npy', found: No such file or directory");
  // A directory stands where the file should go.
  unlink(path);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_false(tileNpyWrite(path, array, &error));
  assertFileMessage("expected to write 'FILE', found: Is a directory");
  assert_int_equal(countFiles(), 1);
  rmdir(path);
  tileArrayDestroy(array);
}

static void anOldFileIsReplacedWhole(void **state) {
  (void)state;
  writeBytes("something much longer than what is written next, surely, by any count of bytes, "
             "and then some, and then a little more so that the file is longer than the new one",
             150);
  TileArray *array = tileArrayCreate(TILE_ELEMENT_I8, 0, NULL, &error);
  assert_true(tileNpyWrite(path, array, &error));
  assert_true(readAnything());
  assert_int_equal(countFiles(), 1);
  tileArrayDestroy(array);
}

int main(void) {
  if (!makeDirectory("x.npy")) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allVersionsAreRead),
      cmocka_unit_test(typesAreRecognized),
      cmocka_unit_test(rawTypesAreReadAsAsked),
      cmocka_unit_test(boolsBecomeZeroOrOne),
      cmocka_unit_test(otherSpellingsOfTheDictAreRead),
      cmocka_unit_test(scalarsAndEmptyArraysAreRead),
      cmocka_unit_test(badFilesAreRefusedPrecisely),
      cmocka_unit_test(badDictsAreRefused),
      cmocka_unit_test(foreignFilesAreRefused),
      cmocka_unit_test(missingFilesAndPipesAreRefused),
      cmocka_unit_test(everyTruncationIsRefused),
      cmocka_unit_test(damagedFilesNeverCrash),
      cmocka_unit_test(writtenBytesAreTheFormats),
      cmocka_unit_test(everyTypeRoundTrips),
      cmocka_unit_test(aFailedWriteLeavesNothing),
      cmocka_unit_test(anOldFileIsReplacedWhole),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  removeDirectory();
  return failed;
}
