// RUN: %unit/TextTest
//
// Text.h: what is added stands there, with a NUL behind it, however long it gets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Text.h"
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void textGrows(void **state) {
  (void)state;
  TileText text = {0};
  tileTextAdd(&text, "");
  assert_string_equal(text.data, "");
  assert_int_equal(text.size, 0);
  tileTextAdd(&text, "BM=");
  tileTextPrint(&text, "%d", 64);
  tileTextCollect(mlirStringRefCreate(",BN=8", 3), &text);
  assert_string_equal(text.data, "BM=64,BN");
  assert_int_equal(text.size, 8);
  tileTextAddBytes(&text, "\0x", 2);
  assert_int_equal(text.size, 10);
  assert_memory_equal(text.data, "BM=64,BN\0x", 11);
  free(text.data);
}

static void longTextIsKeptWhole(void **state) {
  (void)state;
  enum { TIMES = 5000 };
  TileText text = {0};
  for (int i = 0; i < TIMES; ++i) tileTextPrint(&text, "%4d ", i);
  assert_int_equal(text.size, 5 * TIMES);
  assert_int_equal(strlen(text.data), text.size);
  for (int i = 0; i < TIMES; ++i) assert_int_equal(strtol(text.data + 5 * i, NULL, 10), i);
  // At once, into a text that has no room for it.
  TileText copy = {0};
  tileTextPrint(&copy, "<%s>", text.data);
  assert_int_equal(copy.size, text.size + 2);
  assert_int_equal(copy.data[copy.size - 1], '>');
  free(text.data);
  free(copy.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(textGrows),
      cmocka_unit_test(longTextIsKeptWhole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
