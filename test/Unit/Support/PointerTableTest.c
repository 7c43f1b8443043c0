// RUN: %unit/PointerTableTest
//
// PointerTable.h: entries are found by their keys, stay where they are however many follow, and
// come out in the order in which they went in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Support/PointerTable.h"
#include <cmocka.h>

typedef struct {
  uintptr_t number;
  long double wide; // the most aligned of types
} Known;

/// A key that nothing stands at. Neighbours in memory, multiples of one number, come to other
/// orders of buckets.
static const void *keyOf(uintptr_t i) { return (const void *)(i * 0x9E3779B1U ^ 16 * i); }

static void anEmptyTableHasNothing(void **state) {
  (void)state;
  TilePointerTable table = {0};
  assert_null(tilePointerTableFind(table, &table));
  assert_null(tilePointerTableFirst(table));
  tilePointerTableClear(&table);
  tilePointerTableClear(&table);
}

static void aNewEntryIsZero(void **state) {
  (void)state;
  TilePointerTable table = {0};
  Known *known = tilePointerTableAdd(&table, &table, sizeof *known);
  assert_int_equal(known->number, 0);
  assert_int_equal((uintptr_t)known % _Alignof(Known), 0);
  known->number = 7;
  // And there is one for each key.
  assert_ptr_equal(tilePointerTableAdd(&table, &table, sizeof *known), known);
  assert_ptr_equal(tilePointerTableFind(table, &table), known);
  assert_int_equal(known->number, 7);
  assert_null(tilePointerTableFind(table, &known));
  assert_null(tilePointerTableNext(known));
  tilePointerTableClear(&table);
  assert_null(tilePointerTableFind(table, &table));
}

static void manyStayWhereTheyAreInOrder(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  static const Known *at[COUNT];
  TilePointerTable table = {0};
  for (uintptr_t i = 0; i < COUNT; ++i) {
    Known *known = tilePointerTableAdd(&table, keyOf(i), sizeof *known);
    assert_int_equal(known->number, 0); // keys differ
    known->number = i + 1;
    at[i] = known;
  }
  for (uintptr_t i = 0; i < COUNT; ++i)
    assert_ptr_equal(tilePointerTableFind(table, keyOf(i)), at[i]);
  uintptr_t count = 0;
  for (const Known *k = tilePointerTableFirst(table); k; k = tilePointerTableNext(k)) {
    assert_true(count < COUNT);
    assert_int_equal(k->number, count + 1);
    ++count;
  }
  assert_int_equal(count, COUNT);
  tilePointerTableClear(&table);
  assert_null(tilePointerTableFirst(table));
  // It can be used again.
  Known *known = tilePointerTableAdd(&table, keyOf(3), sizeof *known);
  assert_int_equal(known->number, 0);
  tilePointerTableClear(&table);
}

static void aSetTakesAKeyOnce(void **state) {
  (void)state;
  TilePointerTable set = {0};
  assert_true(tilePointerTableInsert(&set, NULL));
  assert_true(tilePointerTableInsert(&set, &set));
  assert_false(tilePointerTableInsert(&set, NULL));
  assert_non_null(tilePointerTableFind(set, NULL));
  assert_null(tilePointerTableFind(set, state));
  tilePointerTableClear(&set);
  assert_true(tilePointerTableInsert(&set, &set));
  tilePointerTableClear(&set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(anEmptyTableHasNothing),
      cmocka_unit_test(aNewEntryIsZero),
      cmocka_unit_test(manyStayWhereTheyAreInOrder),
      cmocka_unit_test(aSetTakesAKeyOnce),
  };
  return cmocka_run_group_tests_name("PointerTable", tests, NULL, NULL);
}
