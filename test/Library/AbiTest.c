// RUN: %unit/AbiTest
//===- AbiTest.c - what programs were compiled with stays -----------------===//
//
// Structs and values of tile.h and tile-rt.h against the list in abi.inc; functions are in
// symbols.test, which also asks whether all structs are in the list.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include <tile-rt.h>

typedef struct Entry {
  const char *what;
  size_t found, wanted;
} Entry;

static const Entry entries[] = {
#define STRUCT(type, size) {"sizeof(" #type ")", sizeof(type), size},
#define FIELD(type, field, place) {#type "." #field, offsetof(type, field), place},
#define VALUE(name, value) {#name, (size_t)(name), value},
#include "abi.inc"
};

static void theListStays(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; ++i) {
    const Entry *e = &entries[i];
    if (e->found == e->wanted) continue;
    print_error("%s: expected %zu, found %zu\n", e->what, e->wanted, e->found);
    ++wrong;
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(theListStays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
