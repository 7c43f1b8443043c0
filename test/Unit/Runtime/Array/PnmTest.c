// RUN: %unit/PnmTest
//
// Files are written out here byte by byte as Netpbm's description has them, so reading is tested
// against the format and not against our own writer.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "FileFixture.h"
#include "tile/Runtime/Pnm.h"

static const char colours[] = "P6\n2 3\n255\nabcdefghijklmnopqr";
static const char greys[] = "P5 3 2 255 \xff\x80\x7f\x01\x02\x03";

static void coloursBecomePlanes(void **state) {
  (void)state;
  writeBytes(colours, sizeof colours - 1);
  TileArray *array = tilePnmRead(path, TILE_ELEMENT_I8, &error);
  assert_non_null(array);
  assert_int_equal(array->rank, 3);
  assert_int_equal(array->shape[0], 3);
  assert_int_equal(array->shape[1], 3);
  assert_int_equal(array->shape[2], 2);
  assert_memory_equal(array->host, "adgjmpbehknqcfilor", 18);
  tileArrayDestroy(array);
}

static void greysAreReadAsTheyAre(void **state) {
  (void)state;
  writeBytes(greys, sizeof greys - 1);
  TileArray *array = tilePnmRead(path, TILE_ELEMENT_I8, &error);
  assert_non_null(array);
  assert_int_equal(array->rank, 2);
  assert_int_equal(array->shape[0], 2);
  assert_int_equal(array->shape[1], 3);
  assert_memory_equal(array->host, "\xff\x80\x7f\x01\x02\x03", 6);
  tileArrayDestroy(array);
}

static void commentsAndSpaceAreSkipped(void **state) {
  (void)state;
  static const char *const files[] = {
      "P5 1 1 255\n!",    "P5\t1\r\n1\n 255\t!", "P5 # one\n1 # 2\n#\n 1\n255 !",
      "P5#x\n1 1 255\n!", "P5 0001 01 255 !",
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    writeBytes(files[i], strlen(files[i]));
    TileArray *array = tilePnmRead(path, TILE_ELEMENT_I8, &error);
    assert_non_null(array);
    assert_int_equal(array->count, 1);
    assert_int_equal(*(char *)array->host, '!');
    tileArrayDestroy(array);
  }
}

static void emptyPicturesAreRead(void **state) {
  (void)state;
  writeBytes("P6 0 7 255 ", 11);
  TileArray *array = tilePnmRead(path, TILE_ELEMENT_I8, &error);
  assert_non_null(array);
  assert_int_equal(array->count, 0);
  assert_int_equal(array->shape[1], 7);
  tileArrayDestroy(array);
}

static void badFilesAreRefusedPrecisely(void **state) {
  (void)state;
  static const struct {
    const char *bytes, *message;
  } cases[] = {
      {"", "expected a picture that begins with P5 or P6, found 'FILE', which does not"},
      {"P", "expected a picture that begins with P5 or P6, found 'FILE', which does not"},
      {"P3 1 1 255 1 2 3", "expected a picture that begins with P5 or P6, found 'FILE', which does "
                           "not"},
      {"P51 1 255 x", "expected width, height and largest value of a picture in 'FILE', found "
                      "something else at byte 3"},
      {"P5 1 -1 255 x", "expected width, height and largest value of a picture in 'FILE', found "
                        "something else at byte 6"},
      {"P5 1 99999999999999999999 255 x",
       "expected width, height and largest value of a picture in 'FILE', found something else at "
       "byte 15"},
      {"P5 1 1", "expected width, height and largest value of a picture in 'FILE', found something "
                 "else at byte 6"},
      {"P5 1 1 65535 xx", "expected a picture with values up to 255 in 'FILE', found 65535"},
      {"P5 1 1 255", "expected a space after the header of 'FILE', found none"},
      {"P5 2 1 255 x", "expected 2 bytes for 1 x 2 pixels in 'FILE', found 1"},
      {"P6 1 1 255 xxxx", "expected 3 bytes for 1 x 1 pixels in 'FILE', found 4"},
      {"P6 1073741824 1073741824 255 x",
       "expected 3458764513820540928 bytes for 1073741824 x 1073741824 pixels in 'FILE', found 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    writeBytes(cases[i].bytes, strlen(cases[i].bytes));
    assert_null(tilePnmRead(path, TILE_ELEMENT_I8, &error));
    assertFileMessage(cases[i].message);
  }
  writeBytes(greys, sizeof greys - 1);
  assert_null(tilePnmRead(path, TILE_ELEMENT_F32, &error));
  assertFileMessage("expected elements of type f32 in 'FILE', found a picture, whose are i8");
  unlink(path);
  assert_null(tilePnmRead(path, TILE_ELEMENT_I8, &error));
  assertFileMessage("expected to read 'FILE', found: No such file or directory");
}

/// Reads whatever is in the file; the only demand is that nothing breaks.
static bool readAnything(void) {
  TileArray *array = tilePnmRead(path, TILE_ELEMENT_I8, &error);
  if (!array) assert_non_null(strstr(tileErrorGetMessage(&error), "expected "));
  bool ok = array != NULL;
  tileArrayDestroy(array);
  return ok;
}

static void damagedFilesNeverCrash(void **state) {
  (void)state;
  for (size_t size = 0; size + 1 < sizeof colours; ++size) {
    writeBytes(colours, size);
    assert_int_equal(readAnything(), false);
  }
  char damaged[sizeof colours];
  for (size_t bit = 0; bit < 8 * 11; ++bit) {
    memcpy(damaged, colours, sizeof colours);
    damaged[bit / 8] = (char)(damaged[bit / 8] ^ 1 << bit % 8);
    writeBytes(damaged, sizeof colours - 1);
    readAnything();
  }
}

static void assertFile(const char *bytes, size_t size) {
  char found[256];
  FILE *file = fopen(path, "rb");
  if (!file) {
    fail_msg("cannot read %s", path);
    return;
  }
  assert_int_equal(fread(found, 1, sizeof found, file), size);
  fclose(file);
  assert_memory_equal(found, bytes, size);
}

static void writtenBytesAreTheFormats(void **state) {
  (void)state;
  const int64_t shape[] = {3, 3, 2};
  TileArray *array = tileArrayCreate(TILE_ELEMENT_I8, 3, shape, &error);
  memcpy(array->host, "adgjmpbehknqcfilor", 18);
  assert_true(tilePnmWrite(path, array, &error));
  assertFile(colours, sizeof colours - 1);
  tileArrayDestroy(array);
  // What a file is called says what it has to be.
  path[strlen(path) - 2] = 'g';
  array = tileArrayCreate(TILE_ELEMENT_I8, 2, shape + 1, &error);
  memcpy(array->host, "\xff\x80\x7f\x01\x02\x03", 6);
  assert_true(tilePnmWrite(path, array, &error));
  assertFile("P5\n2 3\n255\n\xff\x80\x7f\x01\x02\x03", 17);
  unlink(path);
  path[strlen(path) - 2] = 'p';
  tileArrayDestroy(array);
}

static void otherArraysAreNotWritten(void **state) {
  (void)state;
  const int64_t shape[] = {4, 3, 2};
  TileArray *four = tileArrayCreate(TILE_ELEMENT_I8, 3, shape, &error);
  TileArray *floats = tileArrayCreate(TILE_ELEMENT_F32, 2, shape, &error);
  assert_false(tilePnmWrite(path, four, &error));
  assertFileMessage("expected 3 x height x width of i8 for 'FILE', found an array of rank 3 of i8");
  path[strlen(path) - 2] = 'g';
  assert_false(tilePnmWrite(path, floats, &error));
  assertFileMessage("expected height x width of i8 for 'FILE', found an array of rank 2 of f32");
  path[strlen(path) - 2] = 'p';
  tileArrayDestroy(four);
  tileArrayDestroy(floats);
}

static void namesSayWhatIsAPicture(void **state) {
  (void)state;
  assert_true(tilePnmIsPath("a.ppm"));
  assert_true(tilePnmIsPath("b/c.pgm"));
  assert_false(tilePnmIsPath("a.npy"));
  assert_false(tilePnmIsPath("ppm"));
  assert_false(tilePnmIsPath(""));
}

int main(void) {
  if (!makeDirectory("x.ppm")) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coloursBecomePlanes),         cmocka_unit_test(greysAreReadAsTheyAre),
      cmocka_unit_test(commentsAndSpaceAreSkipped),  cmocka_unit_test(emptyPicturesAreRead),
      cmocka_unit_test(badFilesAreRefusedPrecisely), cmocka_unit_test(damagedFilesNeverCrash),
      cmocka_unit_test(writtenBytesAreTheFormats),   cmocka_unit_test(otherArraysAreNotWritten),
      cmocka_unit_test(namesSayWhatIsAPicture),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  removeDirectory();
  return failed;
}
