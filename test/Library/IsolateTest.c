// RUN: %unit/IsolateTest
//===- IsolateTest.c - parsed and compiled in child processes -------------===//
//
// What a child makes is what this process would have made; what ends a child is an error here.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static tile_context *makeContext(size_t memory, double seconds, bool isolates) {
  const tile_context_options options = {.size = sizeof options,
                                        .cache = "",
                                        .max_memory = memory,
                                        .max_seconds = seconds,
                                        .isolates = isolates};
  tile_context *context;
  assert_ok(tile_context_create(&options, &context));
  return context;
}

static tile_kernel *makeKernel(tile_context *context, const char *text) {
  tile_module *module;
  tile_kernel *kernel;
  assert_ok(tile_module_create_from_text(context, text, strlen(text), "add.mlir", &module));
  assert_ok(tile_module_find_kernel(module, NULL, &kernel));
  return kernel;
}

static const tile_compile_options machines[] = {
    {.arch = "sm_80", .format = TILE_FORMAT_PTX},
    {.arch = "sm_90a", .format = TILE_FORMAT_PTX, .facts = "0/16,1/16,2/16,3/16"},
    {.arch = "sm_90a", .format = TILE_FORMAT_LLVM},
    {.arch = "sm_80"}, // a cubin
    {.arch = "cpu"},   // an object
    {.arch = "cpu", .format = TILE_FORMAT_ASSEMBLY, .config = "BLOCK=256"},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static tile_artifact *compile(tile_kernel *kernel, int machine) {
  tile_compile_options how = machines[machine];
  tile_artifact *artifact;
  how.size = sizeof how;
  assert_ok(tile_kernel_compile(kernel, &how, &artifact));
  return artifact;
}

static void childrenMakeTheSame(void **state) {
  (void)state;
  tile_context *here = makeContext(0, 0, false), *there = makeContext(0, 600, true);
  tile_kernel *a = makeKernel(here, addText), *b = makeKernel(there, addText);
  for (int i = 0; i < MACHINES; ++i) {
    tile_artifact *one = compile(a, i), *other = compile(b, i);
    expectSameCode(other, one);
    assert_ok(tile_artifact_destroy(one));
    assert_ok(tile_artifact_destroy(other));
  }
  assert_ok(tile_context_destroy(here));
  assert_ok(tile_context_destroy(there));
}

static void launchesGoOn(void **state) {
  (void)state;
  tile_context *context = makeContext(0, 0, true);
  tile_kernel *kernel = makeKernel(context, addText);
  for (int place = 0; place < 2; ++place) {
    Arrays a = makeArrays(3000, place);
    const tile_launch how = {.size = sizeof how, .place = place ? TILE_PLACE_CPU : TILE_PLACE_GPU};
    const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                                 tile_integer(2999)};
    assert_ok(tile_kernel_launch(kernel, &how, values, 4));
    expectSums(&a, 2999);
    freeArrays(&a);
  }
  assert_ok(tile_context_destroy(context));
}

/// What the compiler says is said, with its places and notes.
static void childrenAreHeard(void **state) {
  (void)state;
  // A tile of 2^25 elements, for which there is no code.
  char *text = strdup(addText), *message[2] = {NULL, NULL};
  memcpy(strstr(text, "BLOCK = 1024"), "BLOCK = 9999", 12);
  const tile_compile_options how = {
      .size = sizeof how, .arch = "sm_80", .config = "BLOCK=33554432", .format = TILE_FORMAT_PTX};
  size_t count[2];
  for (int i = 0; i < 2; ++i) {
    tile_context *context = makeContext(0, 0, i);
    tile_artifact *artifact;
    assert_fails(TILE_STATUS_SOURCE,
                 tile_kernel_compile(makeKernel(context, text), &how, &artifact));
    message[i] = strdup(tile_get_message());
    count[i] = tile_get_num_diagnostics();
    assert_ok(tile_context_destroy(context));
  }
  assert_string_equal(message[0], message[1]);
  assert_non_null(strstr(message[1], "add.mlir:"));
  assert_non_null(strstr(message[1], "expected "));
  assert_int_equal(count[0], count[1]);
  for (int i = 0; i < 2; ++i) free(message[i]);
  free(text);
  // And what is no text of kernels is refused at its place.
  tile_context *context = makeContext(0, 0, true);
  tile_module *module;
  assert_fails(TILE_STATUS_SOURCE,
               tile_module_create_from_text(context, "tile.func @", 11, "x.mlir", &module));
  assert_non_null(strstr(tile_get_message(), "x.mlir:1:"));
  assert_ok(tile_context_destroy(context));
}

/// A text of so many ops, which takes some memory to be parsed.
static char *makeLong(int ops) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  fputs("tile.func @long(%x: !tile.ptr<f32>) {\n  %v0 = tile.load %x : !tile.ptr<f32>\n", stream);
  for (int i = 0; i < ops; ++i)
    fprintf(stream, "  %%v%d = arith.addf %%v%d, %%v%d : f32\n", i + 1, i, i / 2);
  fprintf(stream, "  tile.store %%x, %%v%d : !tile.ptr<f32>\n  tile.return\n}\n", ops);
  fclose(stream);
  return text;
}

/// ThreadSanitizer's memory is set aside in front of the limit, which then says nothing.
#if defined(__SANITIZE_THREAD__)
enum { LIMITS_MEMORY = 0 };
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
enum { LIMITS_MEMORY = 0 };
#else
enum { LIMITS_MEMORY = 1 };
#endif
#else
enum { LIMITS_MEMORY = 1 };
#endif

static void memoryRunsOut(void **state) {
  (void)state;
  if (!LIMITS_MEMORY) skip();
  char *text = makeLong(300000);
  tile_context *context = makeContext(12 << 20, 0, true);
  tile_module *module;
  assert_fails(TILE_STATUS_MEMORY,
               tile_module_create_from_text(context, text, strlen(text), "long.mlir", &module));
  assert_null(module);
  assert_string_equal(tile_get_message(),
                      "error: expected to parse 'long.mlir' in a child process, found that its "
                      "memory was out");
  free(text);
  // What fits is parsed, and compiled where that fits.
  text = makeLong(6500);
  assert_ok(tile_module_create_from_text(context, text, strlen(text), "long.mlir", &module));
  tile_kernel *kernel;
  tile_artifact *artifact;
  assert_ok(tile_module_find_kernel(module, NULL, &kernel));
  const tile_compile_options how = {.size = sizeof how, .arch = "cpu"};
  assert_fails(TILE_STATUS_MEMORY, tile_kernel_compile(kernel, &how, &artifact));
  assert_null(artifact);
  assert_non_null(strstr(tile_get_message(), "found that its memory was out"));
  // As in a launch. (What malloc has set aside for a thread of the pool is more than this.)
  float x = 1;
  const tile_launch launch = {.size = sizeof launch, .place = TILE_PLACE_CPU};
  const tile_value value = tile_pointer(&x);
  assert_fails(TILE_STATUS_MEMORY, tile_kernel_launch(kernel, &launch, &value, 1));
  assert_true(x == 1);
  assert_ok(tile_context_destroy(context));
  free(text);
}

static void timeIsUp(void **state) {
  (void)state;
  tile_context *context = makeContext(0, 1e-6, true);
  tile_module *module;
  assert_fails(TILE_STATUS_TIMEOUT,
               tile_module_create_from_text(context, addText, strlen(addText), NULL, &module));
  assert_non_null(strstr(tile_get_message(), "found that its time was up"));
  assert_ok(tile_context_destroy(context));
}

static void badLimits(void **state) {
  (void)state;
  tile_context *context;
  static const double wrong[] = {-1, NAN};
  for (int i = 0; i < 2; ++i) {
    const tile_context_options options = {.size = sizeof options, .max_seconds = wrong[i]};
    assert_fails(TILE_STATUS_ARGUMENT, tile_context_create(&options, &context));
    assert_null(context);
  }
}

//===- threads, and hosts with habits -------------------------------------===//

enum { THREADS = 6 };

typedef struct Crowd {
  tile_kernel *kernels[2];
  atomic_int next, right;
} Crowd;

/// Some in this process, some in children, at once.
static void *compileSome(void *data) {
  Crowd *crowd = data;
  int number = atomic_fetch_add(&crowd->next, 1);
  for (int i = 0; i < MACHINES; ++i) {
    tile_future *future;
    tile_artifact *artifact = NULL;
    tile_compile_options how = machines[i];
    how.size = sizeof how;
    bool ok = !tile_kernel_compile_async(crowd->kernels[number % 2], &how, &future) &&
              !tile_future_wait(future, -1, &artifact) && !tile_artifact_destroy(artifact) &&
              !tile_future_destroy(future);
    atomic_fetch_add(&crowd->right, ok);
  }
  return NULL;
}

static void manyThreads(void **state) {
  (void)state;
  tile_context *here = makeContext(0, 0, false), *there = makeContext(0, 0, true);
  Crowd crowd = {.kernels = {makeKernel(here, addText), makeKernel(there, addText)}};
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, compileSome, &crowd), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert_int_equal(atomic_load(&crowd.right), THREADS * MACHINES);
  assert_ok(tile_context_destroy(here));
  assert_ok(tile_context_destroy(there));
}

static void hostsThatHearOfNoChildren(void **state) {
  (void)state;
  signal(SIGCHLD, SIG_IGN);
  tile_context *context = makeContext(0, 0, true);
  assert_ok(tile_artifact_destroy(compile(makeKernel(context, addText), 0)));
  assert_ok(tile_context_destroy(context));
  signal(SIGCHLD, SIG_DFL);
}

int main(void) {
  useFakeDriver();
  // Memory first: what this process has freed, a child may use.
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memoryRunsOut), cmocka_unit_test(childrenMakeTheSame),
      cmocka_unit_test(launchesGoOn),  cmocka_unit_test(childrenAreHeard),
      cmocka_unit_test(timeIsUp),      cmocka_unit_test(badLimits),
      cmocka_unit_test(manyThreads),   cmocka_unit_test(hostsThatHearOfNoChildren),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
