// RUN: %unit/ExecutorTest
// RUN: env TILE_NUM_THREADS=3 %unit/ExecutorTest
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/Executor.h"
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// What counting programs see: one cell a program, through 8-byte argument slots.
typedef struct CountArgs {
  _Atomic int *cells;
  int64_t seen[3];
} CountArgs;

static void countProgram(const void *args, int32_t x, int32_t y, int32_t z, int32_t nx, int32_t ny,
                         int32_t nz) {
  const CountArgs *slots = args;
  if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz) return;
  if (slots->seen[0] != nx || slots->seen[1] != ny || slots->seen[2] != nz) return;
  atomic_fetch_add(&slots->cells[((int64_t)z * ny + y) * nx + x], 1);
}

static void checkGrid(TileExecutor *executor, int32_t nx, int32_t ny, int32_t nz) {
  size_t count = (size_t)nx * (size_t)ny * (size_t)nz;
  _Atomic int *cells = calloc(count + 1, sizeof *cells);
  CountArgs args = {cells, {nx, ny, nz}};
  const int32_t grid[3] = {nx, ny, nz};
  assert_true(tileExecutorRun(executor, countProgram, &args, grid, NULL));
  for (size_t i = 0; i < count; ++i) assert_int_equal(cells[i], 1);
  free(cells);
}

static void everyProgramRunsOnce(void **state) {
  TileExecutor *executor = *state;
  checkGrid(executor, 1, 1, 1);
  checkGrid(executor, 7, 1, 1);
  checkGrid(executor, 1, 1, 5);
  checkGrid(executor, 3, 4, 5);
  checkGrid(executor, 100000, 1, 1);
  checkGrid(executor, 31, 37, 41);
}

static void manySmallRunsLoseNothing(void **state) {
  for (int i = 0; i < 5000; ++i) checkGrid(*state, 1 + i % 13, 1 + i % 3, 1);
}

static void emptyGridsRunNothing(void **state) {
  checkGrid(*state, 0, 1, 1);
  checkGrid(*state, 5, 0, 7);
}

static void badGridsAreRefused(void **state) {
  TileError error = TILE_ERROR_INIT;
  const int32_t negative[3] = {4, -1, 1};
  assert_false(tileExecutorRun(*state, countProgram, NULL, negative, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected grid extents of 0 or more, found 4 x -1 x 1");
  const int32_t huge[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
  assert_false(tileExecutorRun(*state, countProgram, NULL, huge, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected fewer than 2^62 programs, found a grid of 2147483647 x 2147483647 "
                      "x 2147483647");
  tileErrorDestroy(&error);
}

/// Touches 48 MiB of stack, as a kernel with large tiles does.
static void deepProgram(const void *args, int32_t x, int32_t y, int32_t z, int32_t nx, int32_t ny,
                        int32_t nz) {
  (void)y, (void)z, (void)nx, (void)ny, (void)nz;
  volatile unsigned char tile[48 << 20];
  for (size_t i = 0; i < sizeof tile; i += 4096) tile[i] = (unsigned char)(x + 1);
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof tile; i += 4096) sum += tile[i];
  _Atomic unsigned *const *slots = args;
  atomic_fetch_add(slots[0], sum == (unsigned)(x + 1) * (sizeof tile / 4096));
}

static void *runDeep(void *executor) {
  _Atomic unsigned right = 0;
  _Atomic unsigned *slots[] = {&right};
  const int32_t grid[3] = {8, 1, 1};
  bool ok = tileExecutorRun(executor, deepProgram, slots, grid, NULL);
  return ok && right == 8 ? executor : NULL;
}

static void stacksAreLargeForWorkersAndCaller(void **state) {
  assert_non_null(runDeep(*state));
  // The caller may itself be a thread with little stack.
  pthread_attr_t attributes;
  pthread_t thread;
  void *result;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  assert_int_equal(pthread_create(&thread, &attributes, runDeep, *state), 0);
  pthread_join(thread, &result);
  pthread_attr_destroy(&attributes);
  assert_non_null(result);
}

static void *runMany(void *executor) {
  for (int i = 0; i < 500; ++i) checkGrid(executor, 64, 2, 1);
  return executor;
}

static void callersTakeTurns(void **state) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, runMany, *state);
  for (int i = 0; i < 4; ++i) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    assert_non_null(result);
  }
}

typedef struct Nested {
  TileExecutor *executor;
  _Atomic int64_t sum;
} Nested;

static void addRange(void *context, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) atomic_fetch_add(&((Nested *)context)->sum, i);
}

static void nestProgram(const void *args, int32_t x, int32_t y, int32_t z, int32_t nx, int32_t ny,
                        int32_t nz) {
  (void)x, (void)y, (void)z, (void)nx, (void)ny, (void)nz;
  Nested *const *slots = args;
  tileExecutorLoop(slots[0]->executor, 10, 1, addRange, slots[0]);
}

static void aRunInsideARunWorksOnItsOwnThread(void **state) {
  Nested nested = {.executor = *state};
  Nested *slots[] = {&nested};
  const int32_t grid[3] = {100, 1, 1};
  assert_true(tileExecutorRun(*state, nestProgram, slots, grid, NULL));
  assert_int_equal(nested.sum, 4500);
}

static void loopsCoverTheirRange(void **state) {
  const int64_t counts[] = {0, 1, 2, 1000, 12345};
  for (int executor = 0; executor < 2; ++executor)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
      Nested nested = {0};
      tileExecutorLoop(executor ? *state : NULL, counts[i], 7, addRange, &nested);
      assert_int_equal(nested.sum, counts[i] * (counts[i] - 1) / 2);
    }
}

static void threadCountIsAsAsked(void **state) {
  (void)state;
  for (unsigned threads = 1; threads <= 5; ++threads) {
    TileExecutorOptions options = {.threads = threads, .stackBytes = 64 << 20};
    TileExecutor *executor = tileExecutorCreate(&options, NULL);
    assert_non_null(executor);
    assert_int_equal(tileExecutorGetThreads(executor), threads);
    checkGrid(executor, 100, 3, 1);
    tileExecutorDestroy(executor);
  }
}

static void threadCountComesFromTheEnvironment(void **state) {
  (void)state;
  TileError error = TILE_ERROR_INIT;
  const char *before = getenv("TILE_NUM_THREADS");
  char *saved = before ? strdup(before) : NULL;
  setenv("TILE_NUM_THREADS", "4", 1);
  TileExecutor *executor = tileExecutorCreate(NULL, &error);
  assert_int_equal(tileExecutorGetThreads(executor), 4);
  tileExecutorDestroy(executor);
  const char *const bad[] = {"0", "-3", "two", "4x", "99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    setenv("TILE_NUM_THREADS", bad[i], 1);
    assert_null(tileExecutorCreate(NULL, &error));
    assert_non_null(strstr(tileErrorGetMessage(&error),
                           "expected TILE_NUM_THREADS to be a number in 1 .. 4096, found '"));
  }
  if (saved)
    setenv("TILE_NUM_THREADS", saved, 1);
  else
    unsetenv("TILE_NUM_THREADS");
  free(saved);
  tileErrorDestroy(&error);
}

static void tooLargeAStackIsAnError(void **state) {
  (void)state;
  TileError error = TILE_ERROR_INIT;
  TileExecutorOptions options = {.threads = 1, .stackBytes = (size_t)1 << 62};
  assert_null(tileExecutorCreate(&options, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "expected room for a stack of "));
  tileErrorDestroy(&error);
}

static int setUp(void **state) {
  *state = tileExecutorGetDefault(NULL);
  return *state ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyProgramRunsOnce),
      cmocka_unit_test(manySmallRunsLoseNothing),
      cmocka_unit_test(emptyGridsRunNothing),
      cmocka_unit_test(badGridsAreRefused),
      cmocka_unit_test(stacksAreLargeForWorkersAndCaller),
      cmocka_unit_test(callersTakeTurns),
      cmocka_unit_test(aRunInsideARunWorksOnItsOwnThread),
      cmocka_unit_test(loopsCoverTheirRange),
      cmocka_unit_test(threadCountIsAsAsked),
      cmocka_unit_test(threadCountComesFromTheEnvironment),
      cmocka_unit_test(tooLargeAStackIsAnError),
  };
  return cmocka_run_group_tests(tests, setUp, NULL);
}
