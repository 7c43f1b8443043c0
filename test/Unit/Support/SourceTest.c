// RUN: %unit/SourceTest
//
// The lines of a file, from places in it.
#include "tile/Support/Source.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka wants the above first.
#include <cmocka.h>

static char path[] = "/tmp/SourceTestXXXXXX";

static const char text[] = "tile.func @copy(%x: !tile.ptr<i32>, %in_2.a: i32) {\n"
                           "  %v = tile.load %p\n"
                           "\t%q, %r = tile.split %s\n"
                           "  %all:3 = scf.for\n"
                           "  %a:2, %b = op\n"
                           "  tile.store %v\n"
                           "  %far =\n"
                           "    op";

static int setUp(void **state) {
  (void)state;
  int file = mkstemp(path);
  bool ok = file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
  return ok && close(file) == 0 ? 0 : -1;
}

static int tearDown(void **state) {
  (void)state;
  return unlink(path);
}

static TileSourcePlace place(int line, int column) {
  return (TileSourcePlace){mlirStringRefCreateFromCString(path), line, column};
}

static void testLines(void **state) {
  (void)state;
  TileSourcePlace at = place(2, 1), last = place(8, 1);
  char *line = tileSourceCopyLine(&at);
  assert_string_equal(line, "  %v = tile.load %p");
  free(line);
  line = tileSourceCopyLine(&last);
  assert_string_equal(line, "    op");
  free(line);
  TileSourcePlace gone = {mlirStringRefCreateFromCString("/nowhere/at/all"), 1, 1};
  assert_null(tileSourceCopyLine(&gone));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testLines),
  };
  return cmocka_run_group_tests(tests, setUp, tearDown);
}
