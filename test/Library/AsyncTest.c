// RUN: %unit/AsyncTest
//===- AsyncTest.c - compilations in the background -----------------------===//
//
// No test depends on how fast anything is: a thread that is to be busy, of the pool or a caller's,
// stands in the context's on_diagnostic until the test lets it go.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/stat.h>

static const tile_compile_options ptxFor80 = {
    .size = sizeof ptxFor80, .arch = "sm_80", .format = TILE_FORMAT_PTX};

/// What takes a thread of the pool: a diagnostic comes of it.
static const tile_compile_options refused = {
    .size = sizeof refused, .arch = "cpu", .config = "BLOK=1"};

typedef struct Gate {
  sem_t reached, open;
} Gate;

/// Only errors of the refused compilation come here.
static void stand(void *data, const tile_diagnostic *diagnostic) {
  Gate *gate = data;
  assert_non_null(strstr(diagnostic->message, "found 'BLOK'"));
  sem_post(&gate->reached);
  while (sem_wait(&gate->open) != 0) {
  }
}

/// A context with one thread, which stands at the gate.
static Fixture makeBusy(Gate *gate, tile_future **busy) {
  Fixture f = {NULL, NULL, NULL};
  sem_init(&gate->reached, 0, 0);
  sem_init(&gate->open, 0, 0);
  const tile_context_options options = {
      .size = sizeof options, .cache = "", .on_diagnostic = stand, .data = gate, .num_threads = 1};
  assert_ok(tile_context_create(&options, &f.context));
  assert_ok(
      tile_module_create_from_text(f.context, addText, strlen(addText), "add.mlir", &f.module));
  assert_ok(tile_module_find_kernel(f.module, NULL, &f.kernel));
  assert_ok(tile_kernel_compile_async(f.kernel, &refused, busy));
  while (sem_wait(&gate->reached) != 0) {
  }
  return f;
}

static void destroyGate(Gate *gate) {
  sem_destroy(&gate->reached);
  sem_destroy(&gate->open);
}

//===- results ------------------------------------------------------------===//

/// The same code as on the caller's thread, for every kind of it.
static void theSameCode(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  static const tile_compile_options all[] = {
      {.arch = "sm_80", .format = TILE_FORMAT_PTX},
      {.arch = "sm_90a", .format = TILE_FORMAT_PTX, .facts = "0/16,1/16,2/16,3/16"},
      {.arch = "sm_100", .format = TILE_FORMAT_PTX, .config = "BLOCK=256,num_warps=2"},
      {.arch = "cpu"},
      {.arch = "cpu", .format = TILE_FORMAT_LLVM},
      {.arch = "sm_90a", .format = TILE_FORMAT_TILE, .config = "BLOCK=64"},
  };
  enum { COUNT = sizeof all / sizeof *all };
  tile_future *futures[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    tile_compile_options options = all[i];
    options.size = sizeof options;
    assert_ok(tile_kernel_compile_async(f.kernel, &options, &futures[i]));
  }
  for (int i = COUNT; i-- > 0;) {
    tile_compile_options options = all[i];
    options.size = sizeof options;
    tile_artifact *apart, *here;
    assert_ok(tile_future_wait(futures[i], -1, NULL));
    assert_ok(tile_future_wait(futures[i], 0, &apart));
    assert_ok(tile_kernel_compile(f.kernel, &options, &here));
    expectSameCode(apart, here);
    assert_ok(tile_artifact_destroy(here));
    // It is taken once.
    assert_ok(tile_future_wait(futures[i], 0, NULL));
    assert_fails(TILE_STATUS_NOT_FOUND, tile_future_wait(futures[i], 0, &here));
    assert_null(here);
    assert_ok(tile_future_destroy(futures[i]));
    assert_ok(tile_artifact_destroy(apart));
  }
  assert_ok(tile_context_destroy(f.context));
}

/// Code that was compiled elsewhere runs here, though its module is gone by then.
static void itRuns(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  tile_future *future;
  tile_artifact *artifact;
  const tile_compile_options cpu = {.size = sizeof cpu, .arch = "cpu", .config = "BLOCK=128"};
  assert_ok(tile_kernel_compile_async(f.kernel, &cpu, &future));
  assert_ok(tile_module_destroy(f.module));
  assert_ok(tile_future_wait(future, -1, &artifact));
  assert_ok(tile_future_destroy(future));
  Arrays a = makeArrays(1000, 1);
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(999)};
  assert_ok(tile_artifact_launch(artifact, NULL, values, 4));
  expectSums(&a, 999);
  freeArrays(&a);
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_context_destroy(f.context));
}

/// The failure of a compilation is heard by each who asks, in the words of the text's own places.
static void failuresAreTold(void **state) {
  (void)state;
  static const char bad[] = "tile.func @bad(%p: !tile.ptr<f32>) {\n"
                            "  %a = tile.arange : tensor<12xi32>\n"
                            "  %b = \"tile.splat\"(%p) : (!tile.ptr<f32>) -> "
                            "tensor<12x!tile.ptr<f32>>\n"
                            "  %c = tile.addptr %b, %a : tensor<12x!tile.ptr<f32>>, "
                            "tensor<12xi32>\n"
                            "  %v = tile.load %c : tensor<12x!tile.ptr<f32>>\n"
                            "  tile.store %c, %v : tensor<12x!tile.ptr<f32>>\n"
                            "  tile.return\n"
                            "}\n";
  Fixture f = makeFixture(bad);
  const tile_compile_options wrong = {
      .size = sizeof wrong, .arch = "sm_80", .format = TILE_FORMAT_PTX, .config = "nope=3"};
  tile_artifact *artifact;
  tile_future *future;
  tile_status status = tile_kernel_compile(f.kernel, &wrong, &artifact);
  assert_int_equal(status, TILE_STATUS_SOURCE);
  char *message = strdup(tile_get_message());
  assert_ok(tile_kernel_compile_async(f.kernel, &wrong, &future));
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(tile_future_wait(future, -1, i ? &artifact : NULL), status);
    assert_string_equal(tile_get_message(), message);
    assert_non_null(strstr(message, "bad.mlir") ? message : strstr(message, "add.mlir"));
  }
  assert_null(artifact);
  assert_ok(tile_future_destroy(future));
  free(message);
  assert_ok(tile_context_destroy(f.context));
}

//===- waiting and cancelling ---------------------------------------------===//

static void timeoutsAndCancels(void **state) {
  (void)state;
  Gate gate;
  tile_future *busy, *second, *third;
  Fixture f = makeBusy(&gate, &busy);
  tile_artifact *artifact = (tile_artifact *)&f;
  assert_ok(tile_kernel_compile_async(f.kernel, &ptxFor80, &second));
  assert_ok(tile_kernel_compile_async(f.kernel, &ptxFor80, &third));
  assert_fails(TILE_STATUS_TIMEOUT, tile_future_wait(busy, 0, &artifact));
  assert_null(artifact);
  assert_fails(TILE_STATUS_TIMEOUT, tile_future_wait(second, 0, NULL));
  assert_fails(TILE_STATUS_TIMEOUT, tile_future_wait(second, 0.02, NULL));
  assert_non_null(strstr(tile_get_message(), "within 0.02 seconds, found it under way"));
  // What has not begun never does; what is under way is no longer waited for.
  assert_ok(tile_future_cancel(second));
  assert_fails(TILE_STATUS_CANCELLED, tile_future_wait(second, -1, &artifact));
  assert_ok(tile_future_cancel(busy));
  assert_fails(TILE_STATUS_CANCELLED, tile_future_wait(busy, -1, &artifact));
  sem_post(&gate.open);
  assert_ok(tile_future_wait(third, -1, &artifact));
  // Too late: it is there.
  assert_ok(tile_future_cancel(third));
  assert_ok(tile_future_wait(third, 0, NULL));
  assert_fails(TILE_STATUS_CANCELLED, tile_future_wait(busy, -1, &artifact));
  tile_future *all[] = {busy, second, third};
  for (int i = 0; i < 3; ++i) assert_ok(tile_future_destroy(all[i]));
  assert_ok(tile_context_destroy(f.context));
  destroyGate(&gate);
}

static void *openLater(void *data) {
  usleep(20000);
  sem_post(&((Gate *)data)->open);
  return NULL;
}

/// A context that goes takes what waits along, and waits for what is under way; futures stay.
static void contextsThatGo(void **state) {
  (void)state;
  Gate gate;
  tile_future *busy, *waiting[5];
  Fixture f = makeBusy(&gate, &busy);
  for (int i = 0; i < 5; ++i)
    assert_ok(tile_kernel_compile_async(f.kernel, &ptxFor80, &waiting[i]));
  assert_ok(tile_future_destroy(waiting[4]));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, openLater, &gate), 0);
  assert_ok(tile_context_destroy(f.context));
  pthread_join(thread, NULL);
  tile_artifact *artifact;
  assert_fails(TILE_STATUS_SOURCE, tile_future_wait(busy, -1, &artifact));
  for (int i = 0; i < 4; ++i) {
    assert_fails(TILE_STATUS_CANCELLED, tile_future_wait(waiting[i], -1, &artifact));
    assert_ok(tile_future_destroy(waiting[i]));
    assert_fails(TILE_STATUS_HANDLE, tile_future_wait(waiting[i], -1, &artifact));
  }
  assert_ok(tile_future_destroy(busy));
  destroyGate(&gate);
}

static void *refuse(void *data) {
  tile_artifact *artifact;
  return tile_kernel_compile(data, &refused, &artifact) == TILE_STATUS_SOURCE ? data : NULL;
}

/// A compilation in the background does not wait for one of the same module on a caller's thread.
static void besideACaller(void **state) {
  (void)state;
  Gate gate;
  tile_future *busy, *beside;
  Fixture f = makeBusy(&gate, &busy);
  sem_post(&gate.open);
  assert_fails(TILE_STATUS_SOURCE, tile_future_wait(busy, -1, NULL));
  pthread_t caller;
  assert_int_equal(pthread_create(&caller, NULL, refuse, f.kernel), 0);
  while (sem_wait(&gate.reached) != 0) {
  }
  tile_artifact *artifact;
  assert_ok(tile_kernel_compile_async(f.kernel, &ptxFor80, &beside));
  assert_ok(tile_future_wait(beside, 60, &artifact));
  sem_post(&gate.open);
  void *end;
  pthread_join(caller, &end);
  assert_ptr_equal(end, f.kernel);
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_future_destroy(busy));
  assert_ok(tile_future_destroy(beside));
  assert_ok(tile_context_destroy(f.context));
  destroyGate(&gate);
}

/// An assembler that writes a line into `log` each time it is asked.
static void useAssembler(const char *folder, char log[128]) {
  char path[128];
  snprintf(path, sizeof path, "%s/ptxas", folder);
  snprintf(log, 128, "%s/log", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file,
          "#!/bin/sh\necho >> %s\nwhile [ \"$1\" != -o ]; do shift; done\necho code > \"$2\"\n",
          log);
  fclose(file);
  assert_int_equal(chmod(path, 0700), 0);
  assert_int_equal(setenv("TILE_PTXAS", path, 1), 0);
}

static int countLines(const char *path) {
  FILE *file = fopen(path, "r");
  int lines = 0;
  for (int c; file && (c = getc(file)) != EOF;) lines += c == '\n';
  if (file) fclose(file);
  return lines;
}

/// Launches of which other things are known have code of their own; but where it is the same text,
/// it is assembled once.
static void theSameTextIsAssembledOnce(void **state) {
  (void)state;
  char folder[] = "/tmp/tile-async-XXXXXX", log[128], command[64];
  assert_non_null(mkdtemp(folder));
  useAssembler(folder, log);
  Fixture f = makeFixture(addText);
  static const char *const facts[] = {"programs:64", "programs:1", "programs:2",
                                      "0/16,1/16,2/16,3/16"};
  enum { COUNT = sizeof facts / sizeof *facts };
  tile_future *futures[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    const tile_compile_options options = {
        .size = sizeof options, .arch = "sm_80", .facts = facts[i]};
    assert_ok(tile_kernel_compile_async(f.kernel, &options, &futures[i]));
  }
  for (int i = 0; i < COUNT; ++i) {
    tile_artifact *artifact;
    assert_ok(tile_future_wait(futures[i], -1, &artifact));
    assert_ok(tile_future_destroy(futures[i]));
    assert_ok(tile_artifact_destroy(artifact));
  }
  assert_int_equal(countLines(log), 2);
  assert_ok(tile_context_destroy(f.context));
  assert_int_equal(unsetenv("TILE_PTXAS"), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

//===- misuse -------------------------------------------------------------===//

static void badCalls(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  tile_future *future = (tile_future *)&f;
  tile_artifact *artifact;
  // What the call itself can tell is told by it.
  static const tile_compile_options wrong[] = {
      {.arch = "sm_1"},
      {.arch = "cpu", .format = TILE_FORMAT_PTX},
      {.arch = "cpu", .facts = "9/16"},
      {.arch = "cpu", .format = (tile_format)77},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    tile_compile_options options = wrong[i];
    options.size = sizeof options;
    tile_status status = tile_kernel_compile_async(f.kernel, &options, &future);
    assert_true(status == TILE_STATUS_ARGUMENT || status == TILE_STATUS_UNSUPPORTED);
    assert_null(future);
  }
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_compile_async(f.kernel, &ptxFor80, NULL));
  assert_ok(tile_kernel_compile_async(f.kernel, &ptxFor80, &future));
  assert_fails(TILE_STATUS_ARGUMENT, tile_future_wait(future, (double)NAN, &artifact));
  assert_ok(tile_future_wait(future, HUGE_VAL, &artifact));
  assert_fails(TILE_STATUS_HANDLE, tile_future_wait((void *)artifact, -1, NULL));
  assert_fails(TILE_STATUS_HANDLE, tile_future_cancel((void *)artifact));
  assert_fails(TILE_STATUS_HANDLE, tile_future_destroy((void *)artifact));
  assert_ok(tile_future_destroy(NULL));
  assert_ok(tile_future_destroy(future));
  assert_fails(TILE_STATUS_HANDLE, tile_future_destroy(future));
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_context_destroy(f.context));
}

//===- threads ------------------------------------------------------------===//

enum { THREADS = 64 };

typedef struct Crowd {
  tile_kernel *kernel;
  tile_future *shared;
  atomic_int taken, failures;
} Crowd;

/// Futures of its own, some of them cancelled; and one that all wait for.
static void *work(void *data) {
  Crowd *crowd = data;
  for (int i = 0; i < 3; ++i) {
    char config[32];
    snprintf(config, sizeof config, "BLOCK=%d", 64 << i);
    const tile_compile_options options = {.size = sizeof options,
                                          .arch = i == 1 ? "cpu" : "sm_90a",
                                          .config = config,
                                          .format = i == 1 ? TILE_FORMAT_LLVM : TILE_FORMAT_PTX};
    tile_future *future;
    tile_artifact *artifact = NULL;
    int bad = tile_kernel_compile_async(crowd->kernel, &options, &future) != TILE_STATUS_OK;
    if (i == 2) bad += tile_future_cancel(future) != TILE_STATUS_OK;
    tile_status status = tile_future_wait(future, -1, &artifact);
    bad += status != TILE_STATUS_OK && !(i == 2 && status == TILE_STATUS_CANCELLED);
    bad += tile_future_destroy(future) != TILE_STATUS_OK;
    if (artifact) bad += tile_artifact_destroy(artifact) != TILE_STATUS_OK;
    atomic_fetch_add(&crowd->failures, bad);
  }
  tile_artifact *artifact;
  tile_status status = tile_future_wait(crowd->shared, -1, &artifact);
  atomic_fetch_add(&crowd->taken, status == TILE_STATUS_OK);
  atomic_fetch_add(&crowd->failures, status && status != TILE_STATUS_NOT_FOUND);
  if (!status) tile_artifact_destroy(artifact);
  return NULL;
}

static void manyThreads(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Crowd crowd = {.kernel = f.kernel};
  assert_ok(tile_kernel_compile_async(f.kernel, &ptxFor80, &crowd.shared));
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &crowd), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert_int_equal(crowd.failures, 0);
  assert_int_equal(crowd.taken, 1);
  assert_ok(tile_future_destroy(crowd.shared));
  assert_ok(tile_context_destroy(f.context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theSameCode),
      cmocka_unit_test(itRuns),
      cmocka_unit_test(failuresAreTold),
      cmocka_unit_test(timeoutsAndCancels),
      cmocka_unit_test(contextsThatGo),
      cmocka_unit_test(besideACaller),
      cmocka_unit_test(badCalls),
      cmocka_unit_test(manyThreads),
      cmocka_unit_test(theSameTextIsAssembledOnce),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
