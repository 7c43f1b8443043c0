// RUN: %unit/WorklistTest
//
// Worklist.h: numbers come out in order, forward and backward, those that are added on the way too,
// each once; beside a plain list of truths.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../../lib/Transforms/Layouts/Assign/Worklist.h"
#include <cmocka.h>

enum { COUNT = 300 };

static void allComeOutInOrder(void **state) {
  (void)state;
  for (size_t count = 0; count <= COUNT; ++count) {
    TileWorklist waiting = tileWorklistCreate(count);
    size_t n = tileWorklistNext(&waiting, 0);
    for (size_t i = 0; i < count; ++i, n = tileWorklistNext(&waiting, n + 1))
      assert_int_equal(n, i);
    assert_int_equal(n, TILE_WORKLIST_END);
    assert_int_equal(tileWorklistPrevious(&waiting, count), TILE_WORKLIST_END);
    tileWorklistDestroy(&waiting);
  }
}

static void whatIsAddedBehindComesYet(void **state) {
  (void)state;
  TileWorklist waiting = tileWorklistCreate(COUNT);
  while (tileWorklistNext(&waiting, 0) != TILE_WORKLIST_END);
  tileWorklistAdd(&waiting, 100, 100);
  assert_int_equal(tileWorklistNext(&waiting, 0), 100);
  tileWorklistAdd(&waiting, 99, 101);
  assert_int_equal(tileWorklistNext(&waiting, 101), 101);
  assert_int_equal(tileWorklistNext(&waiting, 102), TILE_WORKLIST_END);
  assert_int_equal(tileWorklistPrevious(&waiting, 100), 99);
  assert_int_equal(tileWorklistNext(&waiting, 0), 100);
  tileWorklistDestroy(&waiting);
}

/// The number that `wanted` holds next to `from`, going up or down; TILE_WORKLIST_END.
static size_t find(const bool *wanted, size_t from, bool up) {
  if (up) {
    for (size_t i = from; i < COUNT; ++i)
      if (wanted[i]) return i;
    return TILE_WORKLIST_END;
  }
  for (size_t i = from; i-- > 0;)
    if (wanted[i]) return i;
  return TILE_WORKLIST_END;
}

static void itIsAsAListOfTruths(void **state) {
  (void)state;
  bool wanted[COUNT];
  unsigned seed = 7;
  TileWorklist waiting = tileWorklistCreate(COUNT);
  for (size_t i = 0; i < COUNT; ++i) wanted[i] = true;
  for (int step = 0; step < 20000; ++step) {
    seed = seed * 1664525 + 1013904223;
    size_t at = seed >> 8U, kind = seed >> 29U;
    if (kind < 2) {
      size_t first = at % COUNT, last = first + at / COUNT % 3 * (at % 80);
      if (last >= COUNT) last = COUNT - 1;
      tileWorklistAdd(&waiting, first, last);
      for (size_t i = first; i <= last; ++i) wanted[i] = true;
      continue;
    }
    bool up = kind < 5;
    size_t from = at % (COUNT + 1), expected = find(wanted, from, up);
    size_t found = up ? tileWorklistNext(&waiting, from) : tileWorklistPrevious(&waiting, from);
    assert_int_equal(found, expected);
    if (found != TILE_WORKLIST_END) wanted[found] = false;
  }
  tileWorklistDestroy(&waiting);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allComeOutInOrder),
      cmocka_unit_test(whatIsAddedBehindComesYet),
      cmocka_unit_test(itIsAsAListOfTruths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
