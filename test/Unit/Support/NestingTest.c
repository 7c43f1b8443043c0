// RUN: %unit/NestingTest
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Support/Source.h"
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/// `first`, then `count` times `text`, then `last`; freed by the next call.
static const char *repeat(const char *first, const char *text, int count, const char *last) {
  static char *whole;
  free(whole);
  size_t step = strlen(text);
  whole = malloc(strlen(first) + step * (size_t)count + strlen(last) + 1);
  assert_non_null(whole);
  char *end = stpcpy(whole, first);
  for (int i = 0; i < count; ++i) end = stpcpy(end, text);
  strcpy(end, last);
  return whole;
}

static bool isTooDeep(const char *text) {
  int line, column;
  return tileSourceFindExcess(text, strlen(text), &line, &column) != NULL;
}

static void theLimitIsWhatItSays(void **state) {
  (void)state;
  static const char *const brackets[] = {"(", "[", "{", "<", "module {\n"};
  for (int i = 0; i < 5; ++i) {
    assert_false(isTooDeep(repeat("", brackets[i], TILE_MAX_NESTING, "")));
    assert_true(isTooDeep(repeat("", brackets[i], TILE_MAX_NESTING + 1, "")));
  }
}

static void itSaysWhere(void **state) {
  (void)state;
  int line = 0, column = 0;
  const char *text = repeat("a\n\"b\nc", "x {\n", TILE_MAX_NESTING + 1, "");
  assert_non_null(tileSourceFindExcess(text, strlen(text), &line, &column));
  assert_int_equal(line, 3 + TILE_MAX_NESTING);
  assert_int_equal(column, 3);
}

static void whatIsClosedDoesNotCount(void **state) {
  (void)state;
  enum { MANY = 100 * TILE_MAX_NESTING };
  assert_false(isTooDeep(repeat("", "([{<>}])", MANY, "")));
  assert_false(isTooDeep(repeat("", "f() -> (i32) {\n x <= y; z >= 0 \n}\n", MANY, "")));
  // A < that nobody closes goes with what is around it.
  assert_false(isTooDeep(repeat("", "(a < b)", MANY, "")));
  assert_false(isTooDeep(repeat("", "\"(((\\\"(((\" // (((\n", MANY, "")));
  assert_false(isTooDeep(repeat("", "{{{\n// -----\n", MANY, "")));
  assert_true(isTooDeep(repeat("", "{ // -----\n", MANY, "")));
  // Nothing that closes what is not open opens anything.
  assert_true(isTooDeep(repeat(")))]]>>>", "{)", MANY, "")));
}

static void theEndMayComeAnywhere(void **state) {
  (void)state;
  static const char *const texts[] = {"", "\"", "\"\\", "/", "//", "-", "->", "<", "(", "// ---"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    // A copy of its own size, for a sanitizer to see what is read behind it.
    size_t size = strlen(texts[i]);
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, texts[i], size);
    int line, column;
    assert_null(tileSourceFindExcess(copy, size, &line, &column));
    free(copy);
  }
}

static void numbersHaveAnEnd(void **state) {
  (void)state;
  assert_false(isTooDeep(repeat("x = ", "9", TILE_MAX_DIGITS, " : i32")));
  assert_true(isTooDeep(repeat("x = ", "9", TILE_MAX_DIGITS + 1, " : i32")));
  assert_true(isTooDeep(repeat("x = 0x", "a", TILE_MAX_DIGITS + 1, "")));
  assert_true(isTooDeep(repeat("x = 0.", "9", TILE_MAX_DIGITS + 1, "")));
  assert_true(isTooDeep(repeat("x = -1e", "9", TILE_MAX_DIGITS + 1, "")));
  // Texts, names and shapes may be longer.
  assert_false(isTooDeep(repeat("x = \"0x", "9", TILE_MAX_DIGITS + 1, "\"")));
  assert_false(isTooDeep(repeat("// ", "9", TILE_MAX_DIGITS + 1, "")));
  assert_false(isTooDeep(repeat("a", "9", TILE_MAX_DIGITS + 1, "")));
  assert_false(isTooDeep(repeat("tensor<", "1x", TILE_MAX_DIGITS + 1, "f32>")));
  assert_false(isTooDeep(repeat("x", "y", TILE_MAX_WORD - 1, " z")));
  assert_true(isTooDeep(repeat("x", "y", TILE_MAX_WORD, "")));
  assert_false(isTooDeep(repeat("tensor<", "1x", TILE_MAX_WORD / 2 - 2, "f32>")));
  assert_true(isTooDeep(repeat("tensor<", "1x", TILE_MAX_WORD / 2, "f32>")));
  assert_true(isTooDeep(repeat("tensor<?", "x1", TILE_MAX_WORD / 2, "xf32>")));
  assert_false(isTooDeep(repeat("\"", "y", 2 * TILE_MAX_WORD, "\"")));
  int line = 0, column = 0;
  const char *text = repeat("a\nx = -", "9", TILE_MAX_DIGITS + 1, "");
  assert_string_equal(tileSourceFindExcess(text, strlen(text), &line, &column),
                      "expected at most 4096 digits in a number, found more");
  assert_int_equal(line, 2);
  assert_int_equal(column, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theLimitIsWhatItSays),  cmocka_unit_test(itSaysWhere),
      cmocka_unit_test(numbersHaveAnEnd),      cmocka_unit_test(whatIsClosedDoesNotCount),
      cmocka_unit_test(theEndMayComeAnywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
