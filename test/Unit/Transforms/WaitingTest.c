// RUN: %unit/WaitingTest
//
// Waiting.h: numbers come out in order, forward and backward, those that are added on the way too,
// each once; beside a plain list of truths.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../../lib/Transforms/Layouts/Waiting.h"
#include <cmocka.h>

enum { COUNT = 300 };

static void allComeOutInOrder(void **state) {
  (void)state;
  for (size_t count = 0; count <= COUNT; ++count) {
    TileWaiting waiting = tileWaitingCreate(count);
    size_t n = tileWaitingNext(&waiting, 0);
    for (size_t i = 0; i < count; ++i, n = tileWaitingNext(&waiting, n + 1)) assert_int_equal(n, i);
    assert_int_equal(n, TILE_NOBODY);
    assert_int_equal(tileWaitingPrevious(&waiting, count), TILE_NOBODY);
    tileWaitingDestroy(&waiting);
  }
}

static void whatIsAddedBehindComesYet(void **state) {
  (void)state;
  TileWaiting waiting = tileWaitingCreate(COUNT);
  while (tileWaitingNext(&waiting, 0) != TILE_NOBODY);
  tileWaitingAdd(&waiting, 100, 100);
  assert_int_equal(tileWaitingNext(&waiting, 0), 100);
  tileWaitingAdd(&waiting, 99, 101);
  assert_int_equal(tileWaitingNext(&waiting, 101), 101);
  assert_int_equal(tileWaitingNext(&waiting, 102), TILE_NOBODY);
  assert_int_equal(tileWaitingPrevious(&waiting, 100), 99);
  assert_int_equal(tileWaitingNext(&waiting, 0), 100);
  tileWaitingDestroy(&waiting);
}

/// The number that `wanted` holds next to `from`, going up or down; TILE_NOBODY.
static size_t find(const bool *wanted, size_t from, bool up) {
  if (up) {
    for (size_t i = from; i < COUNT; ++i)
      if (wanted[i]) return i;
    return TILE_NOBODY;
  }
  for (size_t i = from; i-- > 0;)
    if (wanted[i]) return i;
  return TILE_NOBODY;
}

static void itIsAsAListOfTruths(void **state) {
  (void)state;
  bool wanted[COUNT];
  unsigned seed = 7;
  TileWaiting waiting = tileWaitingCreate(COUNT);
  for (size_t i = 0; i < COUNT; ++i) wanted[i] = true;
  for (int step = 0; step < 20000; ++step) {
    seed = seed * 1664525 + 1013904223;
    size_t at = seed >> 8U, kind = seed >> 29U;
    if (kind < 2) {
      size_t first = at % COUNT, last = first + at / COUNT % 3 * (at % 80);
      if (last >= COUNT) last = COUNT - 1;
      tileWaitingAdd(&waiting, first, last);
      for (size_t i = first; i <= last; ++i) wanted[i] = true;
      continue;
    }
    bool up = kind < 5;
    size_t from = at % (COUNT + 1), expected = find(wanted, from, up);
    size_t found = up ? tileWaitingNext(&waiting, from) : tileWaitingPrevious(&waiting, from);
    assert_int_equal(found, expected);
    if (found != TILE_NOBODY) wanted[found] = false;
  }
  tileWaitingDestroy(&waiting);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allComeOutInOrder),
      cmocka_unit_test(whatIsAddedBehindComesYet),
      cmocka_unit_test(itIsAsAListOfTruths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
