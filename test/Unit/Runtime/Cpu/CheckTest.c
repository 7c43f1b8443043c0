// RUN: %unit/CheckTest
//
// The checker as compiled code calls it: what it switches off, what it reports, in which order.
#include "tile/Runtime/Check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the above first.
#include <cmocka.h>

typedef struct Fixture {
  TileChecker *checker;
  TileArray *x, *z;
  TileFinding findings[16];
  size_t count;
  TileTracedValue traced;
  size_t numTraced;
} Fixture;

static void onFinding(void *data, const TileFinding *finding) {
  Fixture *f = data;
  assert_true(f->count < 16);
  f->findings[f->count++] = *finding;
}

static void onValue(void *data, const TileTracedValue *value) {
  Fixture *f = data;
  f->traced = *value;
  ++f->numTraced;
}

enum { LOAD_X, STORE_Z, ATOMIC_Z, LOAD_ANY, ADD, ASSERT, STORE_PAIR };
static const TileCheckSite sites[] = {
    [LOAD_X] = {TILE_SITE_LOAD, 1, 4, 0},      [STORE_Z] = {TILE_SITE_STORE, 2, 4, 1},
    [ATOMIC_Z] = {TILE_SITE_ATOMIC, 0, 4, 1},  [LOAD_ANY] = {TILE_SITE_LOAD, 1, 4, -1},
    [ADD] = {TILE_SITE_OVERFLOW, 1, 4, -1},    [ASSERT] = {TILE_SITE_ASSERT, 1, 1, -1},
    [STORE_PAIR] = {TILE_SITE_STORE, 1, 8, 1},
};

static void launch(Fixture *f, int kernel) {
  TileArray *arrays[] = {f->x, f->z, NULL};
  const uint64_t slots[] = {(uintptr_t)f->x->host, (uintptr_t)f->z->host, 0};
  const int32_t grid[3] = {3, 2, 1};
  tileCheckerBeginLaunch(f->checker, kernel, sites, 3, arrays, slots, grid);
}

static int setUp(void **state) {
  Fixture *f = calloc(1, sizeof *f);
  const int64_t shape[] = {2, 3};
  TileCheckerOptions options = {
      .finding = onFinding, .value = onValue, .data = f, .traces = true, .traced = {1, 1, 0}};
  f->x = tileArrayCreate(TILE_ELEMENT_F32, 2, shape, NULL);
  f->z = tileArrayCreate(TILE_ELEMENT_I32, 2, shape, NULL);
  f->checker = tileCheckerCreate(&options);
  launch(f, 7);
  *state = f;
  return 0;
}

static int tearDown(void **state) {
  Fixture *f = *state;
  tileCheckerDestroy(f->checker);
  tileArrayDestroy(f->x);
  tileArrayDestroy(f->z);
  free(f);
  return 0;
}

/// Accesses of four lanes from element `first` on, along the last dimension of `rank`.
static void access(Fixture *f, int site, TileArray *array, int64_t first, uint8_t mask[4],
                   const int32_t values[4]) {
  const char *pointers[4];
  const int64_t indices[2] = {0, 0};
  uintptr_t base = (uintptr_t)array->host;
  for (int i = 0; i < 4; ++i) pointers[i] = (const char *)(base + (uintptr_t)(4 * (first + i)));
  tileCheckAccess(f->checker, site, 4, (int32_t)sites[site].rank - 1, pointers, mask, values,
                  indices);
  tileCheckFlush(f->checker, site);
}

static void testSwitchesOffWhatIsOutside(void **state) {
  Fixture *f = *state;
  tileCheckerMarkWritten(f->checker, f->x);
  tileCheckEnter(f->checker, 2, 1, 0);
  uint8_t mask[4] = {1, 1, 1, 1};
  access(f, LOAD_X, f->x, 4, mask, NULL);
  assert_memory_equal(mask, ((uint8_t[]){1, 1, 0, 0}), 4);
  assert_int_equal(f->count, 1);
  const TileFinding *found = &f->findings[0];
  assert_int_equal(found->kind, TILE_FINDING_BOUNDS);
  assert_int_equal(found->kernel, 7);
  assert_int_equal(found->site, LOAD_X);
  assert_int_equal(found->program[0], 2);
  assert_int_equal(found->program[1], 1);
  assert_ptr_equal(found->array, f->x);
  assert_int_equal(found->argument, 0);
  assert_int_equal(found->element, 6);
  assert_int_equal(found->lanes, 2);
  assert_int_equal(found->first[0], 2);
  assert_int_equal(found->last[0], 3);

  uint8_t below[4] = {1, 1, 0, 0};
  access(f, LOAD_X, f->x, -1, below, NULL);
  assert_memory_equal(below, ((uint8_t[]){0, 1, 0, 0}), 4);
  assert_int_equal(f->findings[1].element, -1);
}

// An address of another array is outside of the argument's, and inside of one that may be any.
static void testKnowsWhoseAddressItIs(void **state) {
  Fixture *f = *state;
  tileCheckerMarkWritten(f->checker, f->z);
  tileCheckEnter(f->checker, 0, 0, 0);
  uint8_t mask[4] = {1, 0, 0, 0}, any[4] = {1, 0, 0, 0}, none[4] = {1, 0, 0, 0};
  access(f, LOAD_X, f->z, 0, mask, NULL);
  assert_int_equal(mask[0], 0);
  assert_int_equal(f->count, 1);
  access(f, LOAD_ANY, f->z, 0, any, NULL);
  assert_int_equal(any[0], 1);
  assert_int_equal(f->count, 1);
  const char *nowhere[1] = {(const char *)(uintptr_t)64};
  tileCheckAccess(f->checker, LOAD_ANY, 1, -1, nowhere, none, NULL, (int64_t[]){0});
  tileCheckFlush(f->checker, LOAD_ANY);
  assert_int_equal(none[0], 0);
  assert_int_equal(f->findings[1].kind, TILE_FINDING_BOUNDS);
  assert_null(f->findings[1].array);
}

static void testReportsReadsOfWhatNobodyWrote(void **state) {
  Fixture *f = *state;
  tileCheckEnter(f->checker, 0, 0, 0);
  uint8_t mask[4] = {0, 1, 1, 1};
  access(f, LOAD_X, f->x, 0, mask, NULL);
  // It may run all the same: the memory is there.
  assert_memory_equal(mask, ((uint8_t[]){0, 1, 1, 1}), 4);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->findings[0].kind, TILE_FINDING_UNWRITTEN);
  assert_int_equal(f->findings[0].lanes, 3);
  assert_int_equal(f->findings[0].element, 1);
  tileCheckerMarkWritten(f->checker, f->x);
  access(f, LOAD_X, f->x, 0, mask, NULL);
  assert_int_equal(f->count, 1);
}

static void store(Fixture *f, int32_t program, const int32_t values[4]) {
  tileCheckEnter(f->checker, program % 3, program / 3, 0);
  uint8_t mask[4] = {1, 1, 1, 1};
  access(f, STORE_Z, f->z, 0, mask, values);
  memcpy(f->z->host, values, 4 * sizeof *values);
}

static void testReportsConflictsWithinALaunch(void **state) {
  Fixture *f = *state;
  store(f, 0, (int32_t[]){1, 2, 3, 4});
  store(f, 0, (int32_t[]){2, 2, 3, 4}); // its own
  store(f, 3, (int32_t[]){2, 2, 3, 4}); // the same
  assert_int_equal(f->count, 0);
  store(f, 4, (int32_t[]){2, 9, 8, 4});
  assert_int_equal(f->count, 1);
  const TileFinding *found = &f->findings[0];
  assert_int_equal(found->kind, TILE_FINDING_CONFLICT);
  assert_int_equal(found->lanes, 2);
  assert_int_equal(found->first[1], 1);
  assert_int_equal(found->element, 1);
  assert_int_equal((int32_t)found->before, 2);
  assert_int_equal((int32_t)found->after, 9);
  assert_memory_equal(found->other, ((int32_t[]){0, 1, 0}), sizeof found->other);
  assert_memory_equal(found->program, ((int32_t[]){1, 1, 0}), sizeof found->program);
  // Another launch may write what it likes; so may who comes after an atomic.
  launch(f, 8);
  store(f, 5, (int32_t[]){5, 5, 5, 5});
  tileCheckEnter(f->checker, 1, 0, 0);
  const char *pointers[1] = {f->z->host};
  uint8_t on = 1;
  tileCheckAccess(f->checker, ATOMIC_Z, 1, -1, pointers, &on, NULL, NULL);
  tileCheckFlush(f->checker, ATOMIC_Z);
  store(f, 0, (int32_t[]){6, 5, 5, 5});
  assert_int_equal(f->count, 1);
}

static void testReportsLanesThatFail(void **state) {
  Fixture *f = *state;
  tileCheckEnter(f->checker, 0, 1, 0);
  const int64_t operands[] = {1, 2, 3, 4, 10, 20, 30, 40}, at[] = {8};
  const uint8_t mask[] = {0, 1, 0, 1}, one[] = {1};
  tileCheckFail(f->checker, ADD, 4, 0, mask, operands, at);
  tileCheckFail(f->checker, ADD, 4, 0, mask, operands, (int64_t[]){12});
  tileCheckFlush(f->checker, ADD);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->findings[0].kind, TILE_FINDING_OVERFLOW);
  assert_int_equal(f->findings[0].lanes, 4);
  assert_int_equal(f->findings[0].first[0], 9);
  assert_int_equal(f->findings[0].last[0], 15);
  assert_int_equal(f->findings[0].operands[0], 2);
  assert_int_equal(f->findings[0].operands[1], 20);
  tileCheckFail(f->checker, ASSERT, 1, -1, one, NULL, at);
  tileCheckFlush(f->checker, ASSERT);
  tileCheckFlush(f->checker, ASSERT);
  assert_int_equal(f->count, 2);
  assert_int_equal(f->findings[1].kind, TILE_FINDING_ASSERT);
}

static void testReportsWhatWasNeverWritten(void **state) {
  Fixture *f = *state;
  store(f, 0, (int32_t[]){1, 2, 3, 4});
  store(f, 1, (int32_t[]){1, 2, 3, 4});
  tileCheckerFinish(f->checker);
  assert_int_equal(f->count, 1);
  const TileFinding *found = &f->findings[0];
  assert_int_equal(found->kind, TILE_FINDING_NEVER_WRITTEN);
  assert_ptr_equal(found->array, f->z);
  assert_int_equal(found->kernel, 7);
  assert_int_equal(found->site, STORE_Z);
  assert_int_equal(found->argument, 1);
  assert_int_equal(found->missing, 2);
  assert_int_equal(found->element, 4);
  assert_int_equal(found->shared, 4);
  assert_int_equal(tileCheckerGetTotals(f->checker).findings[TILE_FINDING_NEVER_WRITTEN], 1);
}

static void testReportsWhatTheHostTakesForResults(void **state) {
  Fixture *f = *state;
  tileCheckerMarkWritten(f->checker, f->x);
  store(f, 0, (int32_t[]){1, 2, 3, 4});
  tileCheckerHostReads(f->checker, 5, f->z, 0, 4);
  tileCheckerHostReads(f->checker, 5, f->x, 0, 6);
  assert_int_equal(f->count, 0);
  tileCheckerHostReads(f->checker, 5, f->z, 3, 3);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->findings[0].kind, TILE_FINDING_UNWRITTEN);
  assert_int_equal(f->findings[0].kernel, -1);
  assert_int_equal(f->findings[0].site, 5);
  assert_int_equal(f->findings[0].element, 4);
  assert_int_equal(f->findings[0].missing, 2);
}

static void testReportsWhatNobodyStoredTo(void **state) {
  Fixture *f = *state;
  tileCheckerHostReads(f->checker, 5, f->z, 0, 6);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->findings[0].kind, TILE_FINDING_UNWRITTEN);
  assert_int_equal(f->findings[0].missing, 6);
}

static void read(Fixture *f, TileArray *array, int64_t first, uint8_t lanes) {
  uint8_t mask[4] = {lanes & 1, (lanes >> 1) & 1, (lanes >> 2) & 1, (lanes >> 3) & 1};
  access(f, LOAD_ANY, array, first, mask, NULL);
}

static void testReportsRaces(void **state) {
  Fixture *f = *state;
  tileCheckerMarkWritten(f->checker, f->z);
  // Its own, and what was stored in an earlier launch, are no races.
  store(f, 0, (int32_t[]){1, 2, 3, 4});
  read(f, f->z, 0, 15);
  store(f, 0, (int32_t[]){5, 6, 7, 8});
  launch(f, 7);
  tileCheckEnter(f->checker, 1, 0, 0);
  read(f, f->z, 1, 15);
  assert_int_equal(f->count, 0);
  // A store over what another has read.
  store(f, 2, (int32_t[]){5, 6, 7, 8});
  assert_int_equal(f->count, 1);
  const TileFinding *found = &f->findings[0];
  assert_int_equal(found->kind, TILE_FINDING_RACE);
  assert_int_equal(found->site, STORE_Z);
  assert_int_equal(found->program[0], 2);
  assert_int_equal(found->other[0], 1);
  assert_int_equal(found->element, 1);
  assert_int_equal(found->lanes, 3);
  // A load of what another has stored.
  tileCheckEnter(f->checker, 0, 1, 0);
  read(f, f->z, 2, 1);
  found = &f->findings[1];
  assert_int_equal(f->count, 2);
  assert_int_equal(found->kind, TILE_FINDING_RACE);
  assert_int_equal(found->site, LOAD_ANY);
  assert_int_equal(found->other[0], 2);
  assert_int_equal(found->element, 2);
  // Now two have read it.
  store(f, 5, (int32_t[]){5, 6, 7, 8});
  found = &f->findings[2];
  assert_int_equal(f->count, 3);
  assert_int_equal(found->element, 1);
  assert_int_equal(found->other[0], 1);
}

static void testLetsAtomicsOrderPrograms(void **state) {
  Fixture *f = *state;
  tileCheckerMarkWritten(f->checker, f->z);
  tileCheckEnter(f->checker, 0, 0, 0);
  read(f, f->z, 0, 15);
  uint8_t one[4] = {1, 0, 0, 0};
  access(f, ATOMIC_Z, f->z, 5, one, NULL);
  tileCheckEnter(f->checker, 1, 0, 0);
  store(f, 0, (int32_t[]){1, 2, 3, 4});
  assert_int_equal(f->count, 0);
}

static void testReportsWhatSeveralWrote(void **state) {
  Fixture *f = *state;
  tileCheckerMarkWritten(f->checker, f->z);
  for (int i = 0; i < 2; ++i) store(f, i, (int32_t[]){4, 4, 4, 4});
  assert_int_equal(f->count, 0);
  tileCheckerFinish(f->checker);
  assert_int_equal(f->count, 1);
  assert_int_equal(f->findings[0].kind, TILE_FINDING_SHARED);
  assert_int_equal(f->findings[0].shared, 4);
  assert_int_equal(f->findings[0].element, 0);
}

static void testLetsTheHostReadSums(void **state) {
  Fixture *f = *state;
  uint8_t mask[] = {1, 0, 1, 0};
  access(f, ATOMIC_Z, f->z, 0, mask, (int32_t[]){1, 2, 3, 4});
  tileCheckerHostReads(f->checker, 5, f->z, 0, 6);
  assert_int_equal(f->count, 0);
}

static void testTracesOneProgram(void **state) {
  Fixture *f = *state;
  assert_false(tileCheckEnter(f->checker, 1, 0, 0));
  assert_false(tileCheckerGetTotals(f->checker).traced);
  assert_true(tileCheckEnter(f->checker, 1, 1, 0));
  tileTraceValue(f->checker, 3, f, 8);
  assert_int_equal(f->numTraced, 1);
  assert_int_equal(f->traced.kernel, 7);
  assert_int_equal(f->traced.site, 3);
  assert_int_equal(f->traced.row, 8);
  TileCheckerTotals totals = tileCheckerGetTotals(f->checker);
  assert_true(totals.traced);
  assert_int_equal(totals.launches, 1);
  assert_int_equal(totals.programs, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setUp, tearDown)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(testSwitchesOffWhatIsOutside),
      TEST(testKnowsWhoseAddressItIs),
      TEST(testReportsReadsOfWhatNobodyWrote),
      TEST(testReportsConflictsWithinALaunch),
      TEST(testReportsLanesThatFail),
      TEST(testReportsWhatWasNeverWritten),
      TEST(testReportsWhatTheHostTakesForResults),
      TEST(testReportsWhatNobodyStoredTo),
      TEST(testReportsRaces),
      TEST(testLetsAtomicsOrderPrograms),
      TEST(testReportsWhatSeveralWrote),
      TEST(testLetsTheHostReadSums),
      TEST(testTracesOneProgram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
