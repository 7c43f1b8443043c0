// RUN: %unit/MisuseTest
//===- MisuseTest.c - libtile in the hands of a careless program ----------===//
//
// Every function with every wrong parameter there is: NULL, handles of other kinds, destroyed and
// invented ones, structs of other sizes, counts and types that are not the kernel's, machines that
// are not there. And memory that runs out under launches.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include "tile-rt.h"
#include <pthread.h>
#include <stdatomic.h>

//===- memory that runs out -----------------------------------------------===//

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#endif

/// Allocations that this thread may still have; negative: all.
static _Thread_local int left = -1;

#ifndef HAS_SANITIZER
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool mayAllocate(void) {
  if (left < 0) return true;
  if (!left) return false;
  --left;
  return true;
}

void *malloc(size_t size) { return mayAllocate() ? __libc_malloc(size) : NULL; }
void *calloc(size_t count, size_t size) {
  return mayAllocate() ? __libc_calloc(count, size) : NULL;
}
void *realloc(void *memory, size_t size) {
  return mayAllocate() ? __libc_realloc(memory, size) : NULL;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return mayAllocate() ? __libc_memalign(alignment, size) : NULL;
}
#endif

//===- handles ------------------------------------------------------------===//

/// All functions that take a handle, with `handle` in its place; what each returned.
enum { CALLS = 28 };

static void callAll(void *handle, tile_status got[CALLS]) {
  tile_module *module = NULL;
  tile_kernel *kernel = NULL;
  tile_artifact *artifact = NULL;
  const char *text = NULL;
  size_t count = 0;
  tile_kernel_info info = {.size = sizeof info};
  tile_argument_info argument = {.size = sizeof argument};
  tile_meta_info meta = {.size = sizeof meta};
  tile_artifact_info compiled = {.size = sizeof compiled};
  tile_resources resources = {.size = sizeof resources};
  tile_rt_variant variant;
  tile_future *future = NULL;
  tile_tuning *tuning = NULL;
  tile_tuning_info tuned = {.size = sizeof tuned};
  tile_trial trial = {.size = sizeof trial};
  const tile_status all[CALLS] = {
      tile_module_create_from_text(handle, addText, strlen(addText), NULL, &module),
      tile_module_create_from_file(handle, "/dev/null", &module),
      tile_module_get_num_kernels(handle, &count),
      tile_module_get_kernel(handle, 0, &kernel),
      tile_module_find_kernel(handle, NULL, &kernel),
      tile_kernel_get_info(handle, &info),
      tile_kernel_get_argument(handle, 0, &argument),
      tile_kernel_get_meta(handle, 0, &meta),
      tile_kernel_get_config(handle, 0, &text),
      tile_kernel_compile(handle, NULL, &artifact),
      tile_kernel_launch(handle, NULL, NULL, 0),
      tile_artifact_get_info(handle, &compiled),
      tile_artifact_get_variant(handle, &variant, sizeof variant),
      tile_artifact_get_resources(handle, &resources),
      tile_artifact_launch(handle, NULL, NULL, 0),
      tile_kernel_compile_async(handle, NULL, &future),
      tile_future_wait(handle, 0, &artifact),
      tile_future_cancel(handle),
      tile_kernel_find_config(handle, NULL, NULL, 0, &text),
      tile_kernel_tune(handle, NULL, NULL, 0, &tuning),
      tile_kernel_list_tuned(handle, NULL, NULL),
      tile_tuning_get_info(handle, &tuned),
      tile_tuning_get_trial(handle, 0, &trial),
      // To destroy NULL does nothing.
      handle ? tile_context_destroy(handle) : TILE_STATUS_HANDLE,
      handle ? tile_module_destroy(handle) : TILE_STATUS_HANDLE,
      handle ? tile_artifact_destroy(handle) : TILE_STATUS_HANDLE,
      handle ? tile_tuning_destroy(handle) : TILE_STATUS_HANDLE,
      handle ? tile_future_destroy(handle) : TILE_STATUS_HANDLE,
  };
  assert_null(module);
  assert_null(kernel);
  assert_null(artifact);
  assert_null(tuning);
  assert_null(future);
  memcpy(got, all, sizeof all);
}

static void refuseAll(void *handle) {
  tile_status got[CALLS];
  callAll(handle, got);
  for (int i = 0; i < CALLS; ++i)
    if (got[i] != TILE_STATUS_HANDLE)
      fail_msg("call %d with %p: %s", i, handle, tile_status_get_name(got[i]));
  assert_non_null(strstr(tile_get_message(), "error: expected a"));
}

static void handlesThatAreNone(void **state) {
  (void)state;
  int here = 0;
  refuseAll(NULL);
  refuseAll(&here);
  refuseAll((void *)1);
  refuseAll((void *)UINTPTR_MAX);
  srand(7);
  for (int i = 0; i < 100; ++i) {
    uint64_t bits = (uint64_t)rand() << 32 ^ (uint64_t)rand() << 8 ^ (uint64_t)rand();
    // With the mark of handles, too.
    if (i % 2) bits = (bits >> 8) | UINT64_C(0x71) << 56;
    if (i % 4 == 3) bits &= ~UINT64_C(0xfffff000);
    refuseAll((void *)(uintptr_t)bits);
  }
  assert_ok(tile_context_destroy(NULL));
  assert_ok(tile_module_destroy(NULL));
  assert_ok(tile_artifact_destroy(NULL));
}

static void handlesOfOtherKinds(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  tile_artifact *artifact;
  const tile_compile_options options = {.size = sizeof options, .arch = "cpu"};
  assert_ok(tile_kernel_compile(f.kernel, &options, &artifact));
  size_t count;
  assert_fails(TILE_STATUS_HANDLE, tile_module_get_num_kernels((void *)f.context, &count));
  assert_fails(TILE_STATUS_HANDLE, tile_module_get_num_kernels((void *)f.kernel, &count));
  assert_fails(TILE_STATUS_HANDLE, tile_kernel_launch((void *)f.module, NULL, NULL, 0));
  assert_fails(TILE_STATUS_HANDLE, tile_kernel_launch((void *)artifact, NULL, NULL, 0));
  assert_fails(TILE_STATUS_HANDLE, tile_artifact_launch((void *)f.kernel, NULL, NULL, 0));
  assert_fails(TILE_STATUS_HANDLE, tile_context_destroy((void *)f.module));
  assert_fails(TILE_STATUS_HANDLE, tile_module_destroy((void *)f.context));
  assert_fails(TILE_STATUS_HANDLE, tile_artifact_destroy((void *)f.module));
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_context_destroy(f.context));
}

/// What is destroyed is refused, though its place has been taken by others many times.
static void handlesThatWereDestroyed(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  tile_artifact *artifact;
  const tile_compile_options options = {.size = sizeof options, .arch = "cpu"};
  assert_ok(tile_kernel_compile(f.kernel, &options, &artifact));
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_module_destroy(f.module));
  for (int i = 0; i < 3; ++i) {
    refuseAll(artifact);
    refuseAll(f.module);
    refuseAll(f.kernel); // which went with its module
    tile_module *other;
    assert_ok(tile_module_create_from_text(f.context, addText, strlen(addText), NULL, &other));
    refuseAll(f.module);
    refuseAll(f.kernel);
    assert_ok(tile_module_destroy(other));
  }
  assert_ok(tile_context_destroy(f.context));
  refuseAll(f.context);
}

//===- parameters ---------------------------------------------------------===//

static void placesForResults(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  tile_artifact *artifact;
  tile_module *module;
  const tile_compile_options cpu = {.size = sizeof cpu, .arch = "cpu"};
  assert_ok(tile_kernel_compile(f.kernel, &cpu, &artifact));
  tile_rt_variant variant;
  const tile_status got[] = {
      tile_context_create(NULL, NULL),
      tile_module_create_from_text(f.context, NULL, 3, NULL, &module),
      tile_module_create_from_text(f.context, "", 0, NULL, NULL),
      tile_module_create_from_file(f.context, NULL, &module),
      tile_module_create_from_file(f.context, "/dev/null", NULL),
      tile_module_get_num_kernels(f.module, NULL),
      tile_module_get_kernel(f.module, 0, NULL),
      tile_module_find_kernel(f.module, "add", NULL),
      tile_kernel_get_info(f.kernel, NULL),
      tile_kernel_get_argument(f.kernel, 0, NULL),
      tile_kernel_get_meta(f.kernel, 0, NULL),
      tile_kernel_get_config(f.kernel, 0, NULL),
      tile_kernel_compile(f.kernel, &cpu, NULL),
      tile_kernel_find_config(f.kernel, NULL, NULL, 0, NULL),
      tile_kernel_list_tuned(f.kernel, NULL, NULL),
      tile_artifact_get_info(artifact, NULL),
      tile_artifact_get_variant(artifact, NULL, 8),
      tile_artifact_get_variant(artifact, &variant, SIZE_MAX),
      tile_artifact_get_variant(artifact, &variant, sizeof variant), // of the CPU
      tile_artifact_get_resources(artifact, NULL),
      tile_get_diagnostic(0, NULL),
  };
  for (size_t i = 0; i < sizeof got / sizeof *got; ++i)
    if (got[i] != TILE_STATUS_ARGUMENT) fail_msg("call %zu: %s", i, tile_status_get_name(got[i]));
  // Nothing is read of a text that cannot be so long.
  assert_fails(TILE_STATUS_SOURCE,
               tile_module_create_from_text(f.context, "", SIZE_MAX, NULL, &module));
  assert_null(module);
  assert_string_equal(
      tile_get_message(),
      "error: expected at most 268435456 bytes in '<text>', found 18446744073709551615");
  size_t count = 0;
  tile_kernel *kernel = f.kernel;
  assert_fails(TILE_STATUS_NOT_FOUND, tile_module_get_kernel(f.module, 1, &kernel));
  assert_null(kernel);
  assert_fails(TILE_STATUS_NOT_FOUND, tile_module_get_kernel(f.module, SIZE_MAX, &kernel));
  assert_fails(TILE_STATUS_NOT_FOUND, tile_module_find_kernel(f.module, "ad", &kernel));
  assert_string_equal(tile_get_message(),
                      "error: expected a kernel 'ad', found none; did you mean 'add'?");
  assert_ok(tile_module_get_num_kernels(f.module, &count));
  tile_argument_info argument = {.size = sizeof argument};
  assert_fails(TILE_STATUS_NOT_FOUND, tile_kernel_get_argument(f.kernel, 4, &argument));
  tile_meta_info meta = {.size = sizeof meta};
  assert_fails(TILE_STATUS_NOT_FOUND, tile_kernel_get_meta(f.kernel, SIZE_MAX, &meta));
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_context_destroy(f.context));
}

static void structsOfOtherSizes(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  static const size_t wrong[] = {0, 1, sizeof(size_t), SIZE_MAX};
  tile_artifact *artifact;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    tile_kernel_info info = {.size = wrong[i]};
    assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_get_info(f.kernel, &info));
    tile_launch launch = {.size = wrong[i]};
    assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &launch, NULL, 0));
    tile_compile_options options = {.size = wrong[i], .arch = "cpu"};
    assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_compile(f.kernel, &options, &artifact));
    tile_tune_options tune = {.size = wrong[i]};
    assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_tune(f.kernel, &tune, NULL, 0, NULL));
    tile_context_options made = {.size = wrong[i]};
    tile_context *context;
    assert_fails(TILE_STATUS_ARGUMENT, tile_context_create(&made, &context));
    tile_diagnostic diagnostic = {.size = wrong[i]};
    assert_fails(TILE_STATUS_ARGUMENT, tile_get_diagnostic(0, &diagnostic));
  }
  // Contexts had no number of threads at first.
  const tile_context_options first = {
      .size = offsetof(tile_context_options, num_threads), .cache = "", .num_threads = UINT32_MAX};
  tile_context *context;
  assert_ok(tile_context_create(&first, &context));
  assert_ok(tile_context_destroy(context));
  // A later header's has more: it is zero. And nothing behind it is touched.
  struct {
    tile_kernel_info info;
    uint64_t more, behind;
  } later = {.info = {.size = sizeof later.info + 8}, .more = 5, .behind = 6};
  assert_ok(tile_kernel_get_info(f.kernel, &later.info));
  assert_string_equal(later.info.name, "add");
  assert_int_equal(later.info.size, sizeof later.info + 8);
  assert_int_equal(later.more, 0);
  assert_int_equal(later.behind, 6);
  assert_ok(tile_context_destroy(f.context));
}

static void valuesOfOtherTypes(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(8, 0);
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  const tile_value right[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                              tile_integer(8)};
  for (size_t count = 0; count < 8; ++count)
    if (count != 4)
      assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &how, right, count));
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &how, NULL, 4));
  const tile_value wrong[] = {tile_integer(8), tile_float(8), {.kind = 0}, {.kind = 77}};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) {
      tile_value values[4];
      memcpy(values, right, sizeof values);
      values[i] = i == 3 && k == 0 ? tile_pointer(a.x) : wrong[k];
      assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &how, values, 4));
    }
  tile_value values[4];
  memcpy(values, right, sizeof values);
  // What a 32-bit number holds, signed or unsigned, and no more.
  static const int64_t outside[] = {INT64_C(1) << 32, INT64_MAX, INT64_MIN,
                                    -(INT64_C(1) << 31) - 1};
  for (int i = 0; i < 4; ++i) {
    values[3] = tile_integer(outside[i]);
    assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &how, values, 4));
  }
  values[3] = tile_integer(-1);
  assert_ok(tile_kernel_launch(f.kernel, &how, values, 4)); // a grid of none
  expectSums(&a, 0);
  tile_launch other = {.size = sizeof other, .place = (tile_place)9};
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &other, right, 4));
  other = (tile_launch){.size = sizeof other, .place = TILE_PLACE_CPU, .grid = {UINT32_MAX, 1, 1}};
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &other, right, 4));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

static void machinesFactsAndConfigurations(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  static const struct {
    tile_status status;
    const char *arch, *config, *facts;
    int format;
  } wrong[] = {
      {TILE_STATUS_UNSUPPORTED, "sm_1", NULL, NULL, 0},
      {TILE_STATUS_UNSUPPORTED, "", NULL, NULL, 0},
      {TILE_STATUS_DEVICE, NULL, NULL, NULL, 0}, // no driver here
      {TILE_STATUS_ARGUMENT, "cpu", NULL, NULL, TILE_FORMAT_PTX},
      {TILE_STATUS_ARGUMENT, "sm_80", NULL, NULL, TILE_FORMAT_OBJECT},
      {TILE_STATUS_ARGUMENT, "sm_80", NULL, NULL, 99},
      {TILE_STATUS_ARGUMENT, "sm_80", NULL, NULL, -1},
      {TILE_STATUS_SOURCE, "cpu", "BLOK=4", NULL, 0},
      {TILE_STATUS_SOURCE, "cpu", "BLOCK", NULL, 0},
      {TILE_STATUS_SOURCE, "cpu", "0/16", NULL, 0},
      {TILE_STATUS_SOURCE, "cpu", "BLOCK=99999999999999999999", NULL, 0},
      {TILE_STATUS_ARGUMENT, "cpu", NULL, "x", 0},
      {TILE_STATUS_ARGUMENT, "cpu", NULL, "0/3", 0},
      {TILE_STATUS_ARGUMENT, "cpu", NULL, "BLOCK=4", 0},
      {TILE_STATUS_ARGUMENT, "cpu", NULL, "4/16", 0},
      {TILE_STATUS_ARGUMENT, "cpu", NULL, "0=1", 0},
      {TILE_STATUS_ARGUMENT, "cpu", NULL, "1/256+", 0},
  };
  setenv("TILE_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    tile_artifact *artifact = (tile_artifact *)&f;
    const tile_compile_options options = {.size = sizeof options,
                                          .arch = wrong[i].arch,
                                          .config = wrong[i].config,
                                          .facts = wrong[i].facts,
                                          .format = (tile_format)wrong[i].format};
    tile_status got = tile_kernel_compile(f.kernel, &options, &artifact);
    if (got != wrong[i].status || artifact)
      fail_msg("case %zu: %s: %s", i, tile_status_get_name(got), tile_get_message());
    if (!strstr(tile_get_message(), "expected ")) fail_msg("case %zu: %s", i, tile_get_message());
  }
  assert_fails(TILE_STATUS_DEVICE,
               tile_kernel_launch(f.kernel, NULL,
                                  (tile_value[]){tile_pointer(NULL), tile_pointer(NULL),
                                                 tile_pointer(NULL), tile_integer(1)},
                                  4));
  tile_context *context;
  const tile_context_options file = {.size = sizeof file, .cache = "/dev/null"};
  assert_fails(TILE_STATUS_SYSTEM, tile_context_create(&file, &context));
  assert_null(context);
  assert_string_equal(tile_status_get_name((tile_status)99), "unknown");
  assert_string_equal(tile_status_get_name((tile_status)-1), "unknown");
  assert_ok(tile_context_destroy(f.context));
}

//===- memory and threads -------------------------------------------------===//

/// Launches of code that is there need no memory; refusals have none for their words, and say so.
static void launchesWithoutMemory(void **state) {
  (void)state;
#ifdef HAS_SANITIZER
  skip(); // its allocator is its own
#endif
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(2000, 0);
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                         tile_integer(2000)};
  assert_ok(tile_kernel_launch(f.kernel, &how, values, 4));
  for (int k = 0; k < a.count; ++k) a.out[k] = -1;
  left = 0;
  tile_status status = tile_kernel_launch(f.kernel, &how, values, 4);
  left = -1;
  assert_int_equal(status, TILE_STATUS_OK);
  expectSums(&a, 2000);
  values[3] = tile_float(1);
  for (int n = 0; n < 8; ++n) {
    left = n;
    status = tile_kernel_launch(f.kernel, &how, values, 4);
    const char *message = tile_get_message();
    left = -1;
    assert_int_equal(status, TILE_STATUS_ARGUMENT);
    bool known = !strcmp(message, "error: expected memory, found none") ||
                 !strcmp(message, "error: expected i32 for argument 3 %n of 'add', found a float");
    if (!known) fail_msg("with %d allocations: %s", n, message);
  }
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

/// What was expected, and what was found, in words of who wrote the call.
static void saysWhatIsWrongOfALaunch(void **state) {
  (void)state;
  Fixture f = makeFixture("tile.func @fill(%x: !tile.ptr<f32>, %s: f32) meta {B = 4} {\n"
                          "  tile.grid = 1\n"
                          "  %i = tile.expr arange(B)\n"
                          "  %p = tile.expr %x + %i\n"
                          "  tile.store %p, %s\n"
                          "  tile.return\n"
                          "}\n");
  float x[4] = {0};
  tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  tile_value values[] = {tile_pointer(x), tile_integer(3)};
  assert_int_equal(tile_kernel_launch(f.kernel, &how, values, 2), TILE_STATUS_ARGUMENT);
  assert_string_equal(tile_get_message(),
                      "error: expected f32 for argument 1 %s of 'fill', found an integer");
  values[1] = tile_float(3);
  how.config = "num_warps=2,B=0";
  assert_int_equal(tile_kernel_launch(f.kernel, &how, values, 2), TILE_STATUS_ARGUMENT);
  assert_non_null(strstr(tile_get_message(), "values from 1 to 2^31 - 1, found 'B=0'"));
  how.config = NULL;
  assert_ok(tile_kernel_launch(f.kernel, &how, values, 2));
  assert_true(x[0] == 3 && x[3] == 3);
  assert_ok(tile_context_destroy(f.context));
}

/// A kernel without a grid runs as one program, unless its programs ask which one they are.
static void asksForAGrid(void **state) {
  (void)state;
  Fixture f = makeFixture("tile.func @first(%x: !tile.ptr<f32>) {\n"
                          "  %one = arith.constant 1.0 : f32\n"
                          "  tile.store %x, %one\n"
                          "  tile.return\n"
                          "}\n");
  Fixture g = makeFixture("tile.func @each(%x: !tile.ptr<f32>) {\n"
                          "  %p = tile.expr %x + program_id(x)\n"
                          "  %two = arith.constant 2.0 : f32\n"
                          "  tile.store %p, %two\n"
                          "  tile.return\n"
                          "}\n");
  static const char wanted[] = "error: expected kernel 'each' to have a tile.grid, or the launch "
                               "to give one, found neither";
  float x[3] = {0};
  const size_t elements[] = {3};
  tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  tile_check check = {.size = sizeof check, .num_elements = elements};
  tile_tune_options tune = {.size = sizeof tune, .place = TILE_PLACE_CPU, .num_elements = elements};
  const tile_value values[] = {tile_pointer(x)};
  tile_tuning *tuning;
  assert_ok(tile_kernel_launch(f.kernel, &how, values, 1));
  assert_int_equal(tile_kernel_launch(g.kernel, &how, values, 1), TILE_STATUS_ARGUMENT);
  assert_string_equal(tile_get_message(), wanted);
  assert_int_equal(tile_kernel_check(g.kernel, &check, values, 1), TILE_STATUS_ARGUMENT);
  assert_string_equal(tile_get_message(), wanted);
  assert_int_equal(tile_kernel_tune(g.kernel, &tune, values, 1, &tuning), TILE_STATUS_ARGUMENT);
  assert_string_equal(tile_get_message(), wanted);
  assert_true(x[0] == 1 && x[1] == 0);
  how.grid[0] = 3, how.grid[1] = how.grid[2] = 1;
  assert_ok(tile_kernel_launch(g.kernel, &how, values, 1));
  assert_true(x[0] == 2 && x[2] == 2);
  assert_ok(tile_context_destroy(f.context));
  assert_ok(tile_context_destroy(g.context));
}

enum { THREADS = 64 };

typedef struct Crowd {
  tile_context *context;
  tile_kernel *kernel;
  atomic_int failures;
} Crowd;

/// Modules of its own, and compilations of a kernel that all share.
static void *compileAndDestroy(void *data) {
  Crowd *crowd = data;
  for (int i = 0; i < 2; ++i) {
    tile_module *module;
    tile_kernel *kernel;
    tile_artifact *artifact;
    tile_artifact_info info = {.size = sizeof info};
    const tile_compile_options ptx = {
        .size = sizeof ptx, .arch = i ? "sm_80" : "sm_90a", .format = TILE_FORMAT_PTX};
    int bad = tile_module_create_from_text(crowd->context, addText, strlen(addText), NULL, &module);
    bad += tile_module_find_kernel(module, "add", &kernel);
    bad += tile_kernel_compile(i ? kernel : crowd->kernel, &ptx, &artifact);
    bad += tile_module_destroy(module);
    bad += tile_artifact_get_info(artifact, &info);
    bad += !info.code || !strstr(info.code, ".entry add(");
    bad += tile_artifact_destroy(artifact);
    bad += tile_kernel_compile(kernel, &ptx, &artifact) != TILE_STATUS_HANDLE;
    atomic_fetch_add(&crowd->failures, bad != 0);
  }
  return NULL;
}

static void manyThreadsCompile(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Crowd crowd = {.context = f.context, .kernel = f.kernel};
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, compileAndDestroy, &crowd), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert_int_equal(atomic_load(&crowd.failures), 0);
  assert_ok(tile_context_destroy(f.context));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(handlesThatAreNone),
      cmocka_unit_test(handlesOfOtherKinds),
      cmocka_unit_test(handlesThatWereDestroyed),
      cmocka_unit_test(placesForResults),
      cmocka_unit_test(structsOfOtherSizes),
      cmocka_unit_test(valuesOfOtherTypes),
      cmocka_unit_test(machinesFactsAndConfigurations),
      cmocka_unit_test(launchesWithoutMemory),
      cmocka_unit_test(saysWhatIsWrongOfALaunch),
      cmocka_unit_test(asksForAGrid),
      cmocka_unit_test(manyThreadsCompile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
