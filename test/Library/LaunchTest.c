// RUN: %unit/LaunchTest
//===- LaunchTest.c - launches by libtile, on the CPU and a fake GPU ------===//
//
// The fake driver's device memory is the host's, and its every kernel adds two arrays: what the
// launches of @add are to compute anyway. What a launch was asked for is read from the driver.
//===----------------------------------------------------------------------===//
#include "../Support/FakeCudaDriver.h"
#include "Support.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>

static tile_status launchAdd(tile_kernel *kernel, const tile_launch *how, const Arrays *a, int n) {
  const tile_value values[] = {tile_pointer(a->x), tile_pointer(a->y), tile_pointer(a->out),
                               tile_integer(n)};
  return tile_kernel_launch(kernel, how, values, 4);
}

static const FakeLaunch *lastLaunch(void) {
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
  return dlsym(driver, "fakeLastLaunch");
}

/// All lengths about a block's, from boundaries of 256 and of 4 bytes: each has facts of its own.
static void launchesOf(tile_place place) {
  Fixture f = makeFixture(addText);
  static const int counts[] = {1, 0, 7, 16, 1023, 1024, 1025, 4096, 5000};
  const tile_launch how = {.size = sizeof how, .place = place};
  for (int offset = 0; offset < 2; ++offset) {
    Arrays a = makeArrays(5000, offset);
    for (int times = 0; times < 2; ++times)
      for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        for (int k = 0; k < a.count; ++k) a.out[k] = -1;
        assert_ok(launchAdd(f.kernel, &how, &a, counts[i]));
        expectSums(&a, counts[i]);
      }
    freeArrays(&a);
  }
  assert_ok(tile_context_destroy(f.context));
}

static void launchesOnTheCpu(void **state) {
  (void)state;
  launchesOf(TILE_PLACE_CPU);
}

static void launchesOnTheGpu(void **state) {
  (void)state;
  launchesOf(TILE_PLACE_GPU);
}

static void gridsAndConfigurations(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(5000, 0);
  tile_launch how = {.size = sizeof how, .place = TILE_PLACE_GPU};
  assert_ok(launchAdd(f.kernel, &how, &a, 5000));
  const FakeLaunch *last = lastLaunch();
  assert_int_equal(last->grid[0], 5);
  assert_int_equal(last->block[0], 128);
  how.config = "BLOCK=256,num_warps=2";
  assert_ok(launchAdd(f.kernel, &how, &a, 5000));
  assert_int_equal(last->grid[0], 20);
  assert_int_equal(last->block[0], 64);
  how.grid[0] = 3;
  how.grid[1] = how.grid[2] = 1;
  assert_ok(launchAdd(f.kernel, &how, &a, 5000));
  assert_int_equal(last->grid[0], 3);
  // On the CPU a smaller grid writes less.
  how.place = TILE_PLACE_CPU;
  for (int k = 0; k < a.count; ++k) a.out[k] = -1;
  assert_ok(launchAdd(f.kernel, &how, &a, 5000));
  expectSums(&a, 3 * 256);
  how.grid[1] = 0;
  int launched = last->count;
  how.place = TILE_PLACE_GPU;
  assert_ok(launchAdd(f.kernel, &how, &a, 5000));
  assert_int_equal(last->count, launched);
  how = (tile_launch){.size = sizeof how, .config = "BLOK=256"};
  assert_fails(TILE_STATUS_ARGUMENT, launchAdd(f.kernel, &how, &a, 5000));
  assert_non_null(strstr(tile_get_message(), "expected the name of a meta-parameter (BLOCK), "
                                             "found 'BLOK'"));
  how = (tile_launch){.size = sizeof how, .config = "BLOCK=0"};
  assert_fails(TILE_STATUS_ARGUMENT, launchAdd(f.kernel, &how, &a, 5000));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

static void artifactsAreLaunched(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(5000, 0);
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(4999)};
  static const struct {
    const char *arch;
    tile_format format;
  } kinds[] = {{"cpu", TILE_FORMAT_OBJECT}, {"sm_90a", TILE_FORMAT_PTX}, {NULL, TILE_FORMAT_PTX}};
  for (size_t i = 0; i < 3; ++i) {
    tile_artifact *artifact;
    const tile_compile_options options = {.size = sizeof options,
                                          .arch = kinds[i].arch,
                                          .format = kinds[i].format,
                                          .config = "BLOCK=512",
                                          .facts = "0/16,1/16,2/16"};
    assert_ok(tile_kernel_compile(f.kernel, &options, &artifact));
    for (int k = 0; k < a.count; ++k) a.out[k] = -1;
    assert_ok(tile_artifact_launch(artifact, NULL, values, 4));
    expectSums(&a, 4999);
    if (i) assert_int_equal(lastLaunch()->grid[0], 10);
    assert_ok(tile_artifact_destroy(artifact));
    assert_fails(TILE_STATUS_HANDLE, tile_artifact_launch(artifact, NULL, values, 4));
  }
  tile_artifact *other;
  const tile_compile_options options = {
      .size = sizeof options, .arch = "sm_100a", .format = TILE_FORMAT_PTX};
  assert_ok(tile_kernel_compile(f.kernel, &options, &other));
  assert_fails(TILE_STATUS_DEVICE, tile_artifact_launch(other, NULL, values, 4));
  assert_string_equal(tile_get_message(), "error: expected a device that runs code of sm_100a, "
                                          "found Fake GPU with 9.0");
  assert_ok(tile_artifact_destroy(other));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

/// Each context of the driver's gets its own code, and stays current.
static void contextsOfTheDriver(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(100, 0);
  const tile_launch how = {.size = sizeof how};
  assert_ok(launchAdd(f.kernel, &how, &a, 100)); // opens the driver
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD), *current = NULL;
  int (*set)(void *), (*get)(void **);
  *(void **)&set = dlsym(driver, "cuCtxSetCurrent");
  *(void **)&get = dlsym(driver, "cuCtxGetCurrent");
  void *other = dlsym(driver, "fakeOtherContext");
  assert_int_equal(set(other), 0);
  assert_ok(launchAdd(f.kernel, &how, &a, 100));
  assert_ok(launchAdd(f.kernel, &how, &a, 99));
  expectSums(&a, 100);
  get(&current);
  assert_ptr_equal(current, other);
  assert_ok(tile_context_destroy(f.context));
  get(&current);
  assert_ptr_equal(current, other);
  set(NULL);
  freeArrays(&a);
}

/// Launches name a device: what was current before is so after, and nothing is asked of a CPU.
static void devicesThatAreNotCurrent(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(100, 0);
  tile_launch how = {.size = sizeof how};
  assert_ok(launchAdd(f.kernel, &how, &a, 100)); // opens the driver
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
  int (*set)(void *), (*get)(void **);
  *(void **)&set = dlsym(driver, "cuCtxSetCurrent");
  *(void **)&get = dlsym(driver, "cuCtxGetCurrent");
  void *other = dlsym(driver, "fakeOtherContext"), *first = NULL, *current = NULL;
  FakeLaunch *last = dlsym(driver, "fakeLastLaunch");
  get(&first);
  assert_ptr_equal(last->context, first);
  tile_artifact *artifact;
  const tile_compile_options options = {.size = sizeof options, .format = TILE_FORMAT_PTX};
  assert_ok(tile_kernel_compile(f.kernel, &options, &artifact));
  for (int i = 0; i < 4; ++i) {
    how.device = 1 + (i % 2 == 0); // device 1, and 0, by their numbers
    assert_ok(launchAdd(f.kernel, &how, &a, 100));
    assert_ptr_equal(last->context, i % 2 ? first : other);
    last->context = NULL;
    const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                                 tile_integer(100)};
    assert_ok(tile_artifact_launch(artifact, &how, values, 4));
    assert_ptr_equal(last->context, i % 2 ? first : other);
    get(&current);
    assert_ptr_equal(current, first);
  }
  expectSums(&a, 100);
  // A thread with no context has that of the device that is named for the call, and then device
  // 0's.
  set(NULL);
  how.device = 2;
  assert_ok(launchAdd(f.kernel, &how, &a, 100));
  assert_ptr_equal(last->context, other);
  how.device = 3;
  assert_fails(TILE_STATUS_DEVICE, launchAdd(f.kernel, &how, &a, 100));
  assert_non_null(strstr(tile_get_message(), "expected a device number in 0 .. 1, found 2"));
  get(&current);
  assert_ptr_equal(current, first);
  how.place = TILE_PLACE_CPU;
  assert_ok(launchAdd(f.kernel, &how, &a, 100));
  // A program of an older header, whose struct ends before the device, means the current one.
  how = (tile_launch){.size = offsetof(tile_launch, device), .device = 3};
  assert_ok(launchAdd(f.kernel, &how, &a, 100));
  assert_ok(tile_artifact_destroy(artifact));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

//===- what kernels say ---------------------------------------------------===//

static const char loudText[] = "tile.func @loud(%n: i32) {\n"
                               "  %c3 = arith.constant 3 : i32\n"
                               "  %ok = arith.cmpi slt, %n, %c3 : i32\n"
                               "  tile.print \"n\" %n : i32\n"
                               "  tile.assert %ok, \"n is small\" : i1\n"
                               "  tile.return\n"
                               "}\n";

static void keepText(void *data, const char *text, size_t size) {
  char *kept = data;
  size_t used = strlen(kept);
  snprintf(kept + used, 256 - used, "%.*s", (int)size, text);
}

static void printsAreHeard(void **state) {
  (void)state;
  char kept[256] = "";
  Fixture f = {NULL, NULL, NULL};
  const tile_context_options options = {
      .size = sizeof options, .cache = "", .on_print = keepText, .data = kept};
  assert_ok(tile_context_create(&options, &f.context));
  assert_ok(
      tile_module_create_from_text(f.context, loudText, strlen(loudText), "loud.mlir", &f.module));
  assert_ok(tile_module_find_kernel(f.module, NULL, &f.kernel));
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  tile_value value = tile_integer(2);
  assert_ok(tile_kernel_launch(f.kernel, &how, &value, 1));
  assert_string_equal(kept, "pid (0, 0, 0) n: 2\n");
  value = tile_integer(5);
  assert_fails(TILE_STATUS_KERNEL, tile_kernel_launch(f.kernel, &how, &value, 1));
  assert_non_null(strstr(tile_get_message(), "loud.mlir:5:3: error: "));
  tile_artifact *artifact;
  const tile_compile_options cpu = {.size = sizeof cpu, .arch = "cpu"};
  assert_ok(tile_kernel_compile(f.kernel, &cpu, &artifact));
  assert_fails(TILE_STATUS_KERNEL, tile_artifact_launch(artifact, NULL, &value, 1));
  kept[0] = 0;
  value = tile_integer(1);
  assert_ok(tile_artifact_launch(artifact, NULL, &value, 1));
  assert_string_equal(kept, "pid (0, 0, 0) n: 1\n");
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_context_destroy(f.context));
}

/// What artifacts say on a GPU is heard as well. The driver's part is played here: a kernel's text
/// goes through its module's variables (tile/Console.h), in which a launch leaves a record of
/// program (3, 0, 0) and a broken assert of program 1, its element 2.
static struct {
  uint64_t used, pad;
  struct {
    int32_t site, program[3];
    int32_t value[4];
  } record;
} said;
static char saidMore[sizeof said + (4 << 20)];
static uint64_t failed[2];
static bool breaks;

static void say(void) {
  said.used = sizeof said.record;
  said.record.program[0] = 3;
  said.record.value[0] = 42;
  memcpy(saidMore, &said, sizeof said);
  if (breaks) failed[1] = ((UINT64_C(1) << 39) - 1 - 1) << 25 | ((UINT64_C(1) << 24) - 2);
}

static void artifactsAreHeardOnTheGpu(void **state) {
  (void)state;
  static char sites[] = "print\x1f"
                        "add.mlir\x1f"
                        "7\x1f"
                        "3\x1f"
                        "n\x1f"
                        "i32\0"
                        "assert\x1f"
                        "add.mlir\x1f"
                        "9\x1f"
                        "5\x1f"
                        "small\x1f"
                        "4xi1";
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW);
  FakeGlobal *globals = dlsym(driver, "fakeGlobals");
  void (**onLaunch)(void) = NULL;
  *(void **)&onLaunch = dlsym(driver, "fakeOnLaunch");
  globals[0] = (FakeGlobal){"__tile_console_sites", sites, sizeof sites};
  globals[1] = (FakeGlobal){"__tile_console_failed", failed, sizeof failed};
  globals[2] = (FakeGlobal){"__tile_console", saidMore, sizeof saidMore};
  *onLaunch = say;
  char kept[256] = "";
  Fixture f = {NULL, NULL, NULL};
  const tile_context_options options = {
      .size = sizeof options, .cache = "", .on_print = keepText, .data = kept};
  assert_ok(tile_context_create(&options, &f.context));
  assert_ok(tile_module_create_from_text(f.context, addText, strlen(addText), NULL, &f.module));
  assert_ok(tile_module_find_kernel(f.module, NULL, &f.kernel));
  Arrays a = makeArrays(64, 0);
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(64)};
  tile_artifact *artifact;
  const tile_compile_options ptx = {
      .size = sizeof ptx, .arch = "sm_90a", .format = TILE_FORMAT_PTX};
  assert_ok(tile_kernel_compile(f.kernel, &ptx, &artifact));
  const tile_launch how = {.size = sizeof how, .grid = {8, 1, 1}};
  for (int i = 0; i < 2; ++i) {
    kept[0] = 0;
    assert_ok(tile_artifact_launch(artifact, &how, values, 4));
    assert_string_equal(kept, "pid (3, 0, 0) n: 42\n");
  }
  breaks = true;
  assert_fails(TILE_STATUS_KERNEL, tile_artifact_launch(artifact, &how, values, 4));
  tile_diagnostic told = {.size = sizeof told};
  assert_ok(tile_get_diagnostic(0, &told));
  assert_string_equal(told.file, "add.mlir");
  assert_int_equal(told.line, 9);
  assert_int_equal(told.column, 5);
  assert_non_null(strstr(told.message, "small"));
  assert_non_null(strstr(told.message, "(1, 0, 0)"));
  breaks = false;
  memset(globals, 0, 3 * sizeof *globals);
  *onLaunch = NULL;
  assert_ok(tile_artifact_destroy(artifact));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
  dlclose(driver);
}

//===- what goes wrong ----------------------------------------------------===//

/// The host reads no device's memory: it is told before it does.
static void deviceMemoryOnTheCpu(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(100, 0);
  const tile_launch gpu = {.size = sizeof gpu}, cpu = {.size = sizeof cpu, .place = TILE_PLACE_CPU};
  assert_ok(launchAdd(f.kernel, &gpu, &a, 100)); // opens the driver
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
  int (*allocate)(uint64_t *, size_t), (*release)(uint64_t);
  *(void **)&allocate = dlsym(driver, "cuMemAlloc_v2");
  *(void **)&release = dlsym(driver, "cuMemFree_v2");
  uint64_t address;
  assert_int_equal(allocate(&address, 400), 0);
  tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                         tile_integer(50)};
  values[2].as.pointer = address + 200;
  assert_ok(tile_kernel_launch(f.kernel, &gpu, values, 4));
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_launch(f.kernel, &cpu, values, 4));
  assert_string_equal(tile_get_message(),
                      "error: expected memory of the host for argument 2 %out of 'add', found "
                      "memory of a device");
  tile_artifact *artifact;
  const tile_compile_options object = {.size = sizeof object, .arch = "cpu"};
  assert_ok(tile_kernel_compile(f.kernel, &object, &artifact));
  assert_fails(TILE_STATUS_ARGUMENT, tile_artifact_launch(artifact, NULL, values, 4));
  const size_t counts[] = {50, 50, 50, 0};
  tile_check check = {.size = sizeof check, .num_elements = counts};
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_check(f.kernel, &check, values, 4));
  const tile_tune_options tune = {
      .size = sizeof tune, .place = TILE_PLACE_CPU, .num_elements = counts};
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_tune(f.kernel, &tune, values, 4, NULL));
  // Managed memory is both's.
  setenv("FAKE_CUDA_MANAGED", "1", 1);
  assert_ok(tile_kernel_launch(f.kernel, &cpu, values, 4));
  unsetenv("FAKE_CUDA_MANAGED");
  assert_int_equal(release(address), 0);
  assert_ok(tile_artifact_destroy(artifact));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

/// A device that refuses, and one that a kernel has taken down: both are told, and the host lives.
static void faultsComeBack(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(100, 0);
  const tile_launch gpu = {.size = sizeof gpu}, cpu = {.size = sizeof cpu, .place = TILE_PLACE_CPU};
  assert_ok(launchAdd(f.kernel, &gpu, &a, 100));
  setenv("FAKE_CUDA_LAUNCH", "719", 1);
  for (int i = 0; i < 2; ++i) {
    assert_fails(TILE_STATUS_DEVICE, launchAdd(f.kernel, &gpu, &a, 100));
    assert_non_null(
        strstr(tile_get_message(), "found CUDA_ERROR_LAUNCH_FAILED (unspecified launch failure)"));
    assert_non_null(strstr(tile_get_message(), "the context is lost"));
    assert_ok(launchAdd(f.kernel, &cpu, &a, 100));
  }
  setenv("FAKE_CUDA_LAUNCH", "1", 1);
  assert_fails(TILE_STATUS_DEVICE, launchAdd(f.kernel, &gpu, &a, 100));
  assert_null(strstr(tile_get_message(), "lost"));
  unsetenv("FAKE_CUDA_LAUNCH");
  assert_ok(launchAdd(f.kernel, &gpu, &a, 100));
  expectSums(&a, 100);
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define HAS_TSAN 1
#endif

/// A child that leaves its parent's handles alone has everything of its own; and its parent goes
/// on.
static void childrenBeginAnew(void **state) {
  (void)state;
#ifdef HAS_TSAN
  skip(); // it ends children that start threads
#endif
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(5000, 0);
  const tile_launch cpu = {.size = sizeof cpu, .place = TILE_PLACE_CPU};
  assert_ok(launchAdd(f.kernel, &cpu, &a, 5000));
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    alarm(60); // one that waits for threads of its parent's would wait for ever
    const tile_context_options options = {.size = sizeof options, .cache = ""};
    Fixture own = {NULL, NULL, NULL};
    memset(a.out, 0, 5000 * sizeof *a.out);
    bool bad =
        tile_context_create(&options, &own.context) ||
        tile_module_create_from_text(own.context, addText, strlen(addText), NULL, &own.module) ||
        tile_module_find_kernel(own.module, NULL, &own.kernel) ||
        launchAdd(own.kernel, &cpu, &a, 5000) || a.out[4999] != 4 * 4999 + 1 ||
        tile_context_destroy(own.context);
    exit(bad); // which ends threads that are here
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_ok(launchAdd(f.kernel, &cpu, &a, 5000));
  expectSums(&a, 5000);
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

//===- threads ------------------------------------------------------------===//

enum { THREADS = 64 };

typedef struct Worker {
  tile_kernel *kernel;
  int number, failures;
} Worker;

/// Launches with facts of its own, and those of others; on either place by turns.
static void *work(void *data) {
  Worker *w = data;
  Arrays a = makeArrays(2100, w->number % 3);
  for (int i = 0; i < 20; ++i) {
    const tile_launch how = {.size = sizeof how, .place = i % 2 ? TILE_PLACE_CPU : TILE_PLACE_GPU};
    int n = 1 + (w->number * 37 + i * 101) % 2100;
    for (int k = 0; k < a.count; ++k) a.out[k] = -1;
    w->failures += launchAdd(w->kernel, &how, &a, n) != TILE_STATUS_OK;
    for (int k = 0; k < a.count; ++k)
      w->failures += a.out[k] != (k < n ? (float)(4 * k + 1) : -1.0f);
    // A failure of this thread's is this thread's.
    const tile_value wrong = tile_integer(w->number);
    w->failures += tile_kernel_launch(w->kernel, &how, &wrong, 1) != TILE_STATUS_ARGUMENT;
    w->failures += strcmp(tile_get_message(), "error: expected 4 arguments for 'add', found 1");
  }
  freeArrays(&a);
  return NULL;
}

static void manyThreads(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  pthread_t threads[THREADS];
  Worker workers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    workers[i] = (Worker){f.kernel, i, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  int failures = 0;
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    failures += workers[i].failures;
  }
  assert_int_equal(failures, 0);
  assert_ok(tile_context_destroy(f.context));
}

int main(void) {
  useFakeDriver();
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launchesOnTheCpu),       cmocka_unit_test(launchesOnTheGpu),
      cmocka_unit_test(gridsAndConfigurations), cmocka_unit_test(artifactsAreLaunched),
      cmocka_unit_test(contextsOfTheDriver),    cmocka_unit_test(devicesThatAreNotCurrent),
      cmocka_unit_test(printsAreHeard),         cmocka_unit_test(artifactsAreHeardOnTheGpu),
      cmocka_unit_test(deviceMemoryOnTheCpu),   cmocka_unit_test(faultsComeBack),
      cmocka_unit_test(childrenBeginAnew),      cmocka_unit_test(manyThreads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
