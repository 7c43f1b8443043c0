// RUN: %unit/ErrorTest
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/Error.h"
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void settingReturnsFalse(void **state) {
  (void)state;
  TileError error = TILE_ERROR_INIT;
  assert_string_equal(tileErrorGetMessage(&error), "");
  assert_false(tileErrorSet(&error, "expected %d, found '%s'", 3, "four"));
  assert_string_equal(tileErrorGetMessage(&error), "expected 3, found 'four'");
  tileErrorDestroy(&error);
  assert_string_equal(tileErrorGetMessage(&error), "");
  tileErrorDestroy(&error);
}

static void nobodyNeedsToListen(void **state) {
  (void)state;
  assert_false(tileErrorSet(NULL, "expected %d", 3));
}

static void aMessageMayBeWrapped(void **state) {
  (void)state;
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error, "inner");
  tileErrorSet(&error, "outer: %s", tileErrorGetMessage(&error));
  assert_string_equal(tileErrorGetMessage(&error), "outer: inner");
  tileErrorDestroy(&error);
}

static void terminalsAreLeftInPeace(void **state) {
  (void)state;
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error, "found '%s'", "\x1B[31m\r\n\t\x7F\xC3\xA4\xC2\x9B\xC2\\");
  assert_string_equal(tileErrorGetMessage(&error),
                      "found '\\1B[31m\\0D\n\t\\7F\xC3\xA4\\C2\\9B\xC2\\'");
  tileErrorSet(&error, "outer: %s", tileErrorGetMessage(&error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "outer: found '\\1B[31m\\0D\n\t\\7F\xC3\xA4\\C2\\9B\xC2\\'");
  tileErrorDestroy(&error);
}

static void longMessagesAreKeptWhole(void **state) {
  (void)state;
  enum { LENGTH = 100000 };
  char *text = tileRuntimeAlloc(LENGTH + 1);
  memset(text, 'x', LENGTH);
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error, "%s!", text);
  assert_int_equal(strlen(tileErrorGetMessage(&error)), LENGTH + 1);
  tileErrorDestroy(&error);
  free(text);
}

static void memoryIsZeroed(void **state) {
  (void)state;
  char *memory = tileRuntimeAlloc(1000);
  for (int i = 0; i < 1000; ++i) assert_int_equal(memory[i], 0);
  free(memory);
  free(tileRuntimeAlloc(0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(settingReturnsFalse),      cmocka_unit_test(nobodyNeedsToListen),
      cmocka_unit_test(terminalsAreLeftInPeace),  cmocka_unit_test(aMessageMayBeWrapped),
      cmocka_unit_test(longMessagesAreKeptWhole), cmocka_unit_test(memoryIsZeroed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
