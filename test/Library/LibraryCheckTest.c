// RUN: %unit/LibraryCheckTest
//===- LibraryCheckTest.c - checked launches, by libtile ------------------===//
#include "Support.h"

/// @add without its mask: the last program goes past the end.
static char *makeUnmasked(void) {
  char *text = strdup(addText), *mask;
  assert_non_null(text);
  while ((mask = strstr(text, ", %in : "))) memmove(mask, mask + 5, strlen(mask + 5) + 1);
  return text;
}

static tile_status check(tile_kernel *kernel, tile_check *how, const Arrays *a, int n) {
  const tile_value values[] = {tile_pointer(a->x), tile_pointer(a->y), tile_pointer(a->out),
                               tile_integer(n)};
  return tile_kernel_check(kernel, how, values, 4);
}

static void rightKernelsHaveNoFindings(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(1500, 1);
  const size_t counts[4] = {1500, 1500, 1500, 0};
  const bool empty[4] = {false, false, true, false};
  tile_check how = {.size = sizeof how, .num_elements = counts, .is_empty = empty};
  assert_ok(check(f.kernel, &how, &a, 1500));
  assert_int_equal(how.num_errors, 0);
  assert_int_equal(how.num_warnings, 0);
  expectSums(&a, 1500);
  // The arrays are those of the launch: one that is shorter than it says is found out.
  const size_t shorter[4] = {1500, 1400, 1500, 0};
  how.num_elements = shorter;
  assert_fails(TILE_STATUS_FINDINGS, check(f.kernel, &how, &a, 1500));
  assert_true(how.num_errors > 0);
  const size_t endless[4] = {1500, 1500, SIZE_MAX, 0};
  how.num_elements = endless;
  assert_fails(TILE_STATUS_ARGUMENT, check(f.kernel, &how, &a, 1500));
  assert_non_null(strstr(tile_get_message(), "found 18446744073709551615 elements"));
  float *out = a.out;
  a.out = NULL;
  how.num_elements = counts;
  assert_fails(TILE_STATUS_ARGUMENT, check(f.kernel, &how, &a, 1500));
  assert_non_null(strstr(tile_get_message(), "found NULL of 1500 elements"));
  a.out = out;
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

/// out[i] = x[i] + y[i], all three in one memory.
static void arraysThatShareMemoryAreOne(void **state) {
  (void)state;
  enum { SIZE = 3000, SHIFT = 1024 };
  Fixture f = makeFixture(addText);
  float *memory = malloc(SIZE * sizeof *memory);
  assert_non_null(memory);
  for (int i = 0; i < SIZE; ++i) memory[i] = (float)i;
  const Arrays a = {.x = memory + SHIFT, .y = memory, .out = memory};
  const size_t counts[4] = {SIZE - SHIFT, SIZE, SIZE, 0}, before[4] = {SHIFT, 0, 0, 0};
  tile_check how = {.size = sizeof how, .num_elements = counts, .num_before = before};
  assert_ok(check(f.kernel, &how, &a, SHIFT));
  for (int i = 0; i < SIZE; ++i) assert_true(memory[i] == (float)(i < SHIFT ? SHIFT + 2 * i : i));
  // The second program writes what the first reads.
  assert_fails(TILE_STATUS_FINDINGS, check(f.kernel, &how, &a, SHIFT + 10));
  const size_t wrong[4] = {SIZE_MAX / 8, 0, 0, 0};
  how.num_before = wrong;
  assert_fails(TILE_STATUS_ARGUMENT, check(f.kernel, &how, &a, SHIFT));
  free(memory);
  assert_ok(tile_context_destroy(f.context));
}

static void findingsAreDiagnostics(void **state) {
  (void)state;
  char *text = makeUnmasked();
  Fixture f = makeFixture(text);
  Arrays a = makeArrays(1500, 0);
  const size_t counts[4] = {1500, 1500, 1500, 0};
  tile_check how = {.size = sizeof how, .num_elements = counts};
  assert_fails(TILE_STATUS_FINDINGS, check(f.kernel, &how, &a, 1500));
  // Two loads and a store of the second program, 548 lanes each.
  assert_int_equal(how.num_errors, 3);
  static const unsigned lines[] = {21, 24, 28};
  for (size_t i = 0; i < 3; ++i) {
    tile_diagnostic d = {.size = sizeof d};
    assert_ok(tile_get_diagnostic(i, &d));
    assert_int_equal(d.severity, TILE_SEVERITY_ERROR);
    assert_string_equal(d.file, "add.mlir");
    assert_int_equal(d.line, lines[i]);
    assert_non_null(strstr(d.message, "0 to 1499, found element 1500"));
    assert_non_null(strstr(d.message, "program (1, 0, 0) at 548 lanes"));
  }
  // What is inside was computed all the same, and nothing outside was touched.
  expectSums(&a, 1500);
  how.config = "BLOK=1";
  assert_fails(TILE_STATUS_SOURCE, check(f.kernel, &how, &a, 1500));
  how = (tile_check){.size = sizeof how};
  assert_fails(TILE_STATUS_ARGUMENT, check(f.kernel, &how, &a, 1500));
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_check(f.kernel, NULL, NULL, 0));
  assert_fails(TILE_STATUS_HANDLE, tile_kernel_check(NULL, NULL, NULL, 0));
  freeArrays(&a);
  free(text);
  assert_ok(tile_context_destroy(f.context));
}

/// Grids that are given, and reads of what nobody wrote.
static void emptyArraysAreNotRead(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(1500, 0);
  const size_t counts[4] = {1500, 1500, 1500, 0};
  const bool empty[4] = {true, false, true, false};
  tile_check how = {
      .size = sizeof how, .num_elements = counts, .is_empty = empty, .grid = {1, 1, 1}};
  assert_fails(TILE_STATUS_FINDINGS, check(f.kernel, &how, &a, 1500));
  assert_non_null(strstr(tile_get_message(), "expected an element that was written"));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rightKernelsHaveNoFindings),
      cmocka_unit_test(arraysThatShareMemoryAreOne),
      cmocka_unit_test(findingsAreDiagnostics),
      cmocka_unit_test(emptyArraysAreNotRead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
