// RUN: %unit/ChildTest
// RUN: %unit/ChildTest 2>&1 | not grep "nobody hears this"
//===- ChildTest.c - child processes that end well, and others ------------===//
#include "tile/Support/Child.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const TileChildLimits none = {0, 0};

static void say(void *data, FILE *out) {
  puts("nobody hears this");
  fputs("nobody hears this", stderr);
  fputs(data, out);
}
static void sayMuch(void *data, FILE *out) {
  for (int i = 0; i < 3000000; ++i) fprintf(out, "%d\n", i);
  (void)data;
}
static void crash(void *data, FILE *out) {
  fputs("half", out);
  fflush(out);
  raise(*(int *)data);
}
static void leave(void *data, FILE *out) {
  (void)data;
  fputs("half", out);
  fclose(out);
  exit(0);
}
static void complain(void *data, FILE *out) {
  (void)data, (void)out;
  fputs("LLVM ERROR: out of memory\n", stderr);
  abort();
}
static void stay(void *data, FILE *out) {
  (void)data, (void)out;
  for (;;) pause();
}
/// As tile's own passes do where there is none.
static void hog(void *data, FILE *out) {
  (void)data, (void)out;
  for (;;) {
    char *volatile more = malloc(1 << 20);
    if (!more) abort();
    memset(more, 1, 1 << 20);
  }
}
/// As others do.
static void follow(void *data, FILE *out) {
  char *volatile far = malloc((size_t)1 << 40);
  (void)data, (void)out;
  *far = 1;
}
static void lookAtFiles(void *data, FILE *out) {
  fprintf(out, "%d", fcntl(*(int *)data, F_GETFD) < 0);
}

static TileChildEnd run(const TileChildLimits *limits, void (*work)(void *, FILE *), void *data) {
  char *result = (char *)"";
  size_t size = 1;
  TileChildEnd end = tileChildRun(limits, work, data, &result, &size);
  assert_true(end == TILE_CHILD_DONE || (!result && !size));
  free(result);
  return end;
}

static void whatItWritesArrives(void **state) {
  (void)state;
  char *result, text[] = "all of it";
  size_t size;
  assert_int_equal(tileChildRun(&none, say, text, &result, &size), TILE_CHILD_DONE);
  assert_int_equal(size, strlen(text));
  assert_memory_equal(result, text, size);
  free(result);
  assert_int_equal(tileChildRun(&none, sayMuch, NULL, &result, &size), TILE_CHILD_DONE);
  assert_memory_equal(result + size - 8, "2999999\n", 8);
  free(result);
}

static atomic_int handled;
static void onSignal(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

/// The parent's handlers are not the child's: it dies.
static void crashesAreTold(void **state) {
  (void)state;
  static int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    signal(signals[i], onSignal);
    assert_int_equal(run(&none, crash, &signals[i]), TILE_CHILD_CRASHED);
    signal(signals[i], SIG_DFL);
  }
  assert_int_equal(atomic_load(&handled), 0);
  assert_int_equal(run(&none, leave, NULL), TILE_CHILD_CRASHED);
}

static void wantOfMemoryIsTold(void **state) {
  (void)state;
  const TileChildLimits few = {.memory = 64 << 20};
  assert_int_equal(run(&few, hog, NULL), TILE_CHILD_NO_MEMORY);
  assert_int_equal(run(&few, follow, NULL), TILE_CHILD_NO_MEMORY);
  assert_int_equal(run(&none, complain, NULL), TILE_CHILD_NO_MEMORY);
  // As a system does that is out of it.
  int number = SIGKILL;
  assert_int_equal(run(&none, crash, &number), TILE_CHILD_NO_MEMORY);
}

static void timeIsUp(void **state) {
  (void)state;
  const TileChildLimits moment = {.seconds = 1e-3};
  assert_int_equal(run(&moment, stay, NULL), TILE_CHILD_NO_TIME);
}

/// Whoever asks for children's ends, or wants to hear of none.
static void hostsWithHabits(void **state) {
  (void)state;
  char text[] = "x";
  int number = SIGSEGV;
  signal(SIGCHLD, SIG_IGN);
  assert_int_equal(run(&none, say, text), TILE_CHILD_DONE);
  assert_int_equal(run(&none, crash, &number), TILE_CHILD_CRASHED);
  signal(SIGCHLD, SIG_DFL);
}

static void filesOfTheHostAreClosed(void **state) {
  (void)state;
  int file = open("/dev/null", O_RDONLY);
  int high = fcntl(file, F_DUPFD, 200);
  char *result;
  size_t size;
  assert_int_equal(tileChildRun(&none, lookAtFiles, &high, &result, &size), TILE_CHILD_DONE);
  assert_int_equal(result[0], '1');
  free(result);
  close(file);
  close(high);
}

enum { THREADS = 8, TURNS = 20 };

static void *workInParent(void *data) {
  atomic_bool *goesOn = data;
  while (atomic_load(goesOn)) {
    tileChildHoldForks();
    free(malloc(100000));
    tileChildAllowForks();
  }
  return NULL;
}

static void *workInChildren(void *data) {
  atomic_int *done = data;
  char text[] = "x";
  for (int i = 0; i < TURNS; ++i) atomic_fetch_add(done, run(&none, say, text) == TILE_CHILD_DONE);
  return NULL;
}

static void manyThreads(void **state) {
  (void)state;
  pthread_t threads[THREADS], holder;
  atomic_int done;
  atomic_bool goesOn;
  atomic_init(&done, 0);
  atomic_init(&goesOn, true);
  assert_int_equal(pthread_create(&holder, NULL, workInParent, &goesOn), 0);
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, workInChildren, &done), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  atomic_store(&goesOn, false);
  pthread_join(holder, NULL);
  assert_int_equal(atomic_load(&done), THREADS * TURNS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whatItWritesArrives), cmocka_unit_test(crashesAreTold),
      cmocka_unit_test(wantOfMemoryIsTold),  cmocka_unit_test(timeIsUp),
      cmocka_unit_test(hostsWithHabits),     cmocka_unit_test(filesOfTheHostAreClosed),
      cmocka_unit_test(manyThreads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
