// RUN: %unit/BusyTest
//===- BusyTest.c - what takes long is waited for by nobody ---------------===//
//
// While one thread is in the middle of tuning, or of a check, another launches, compiles and checks
// kernels of the same module, with code that is not there yet. The first goes on when the other is
// done, and not before: what waited for it would never be.
//===----------------------------------------------------------------------===//
#include "../Support/FakeCudaDriver.h"
#include "Support.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { PATIENCE = 200, COUNT = 3000 };

static struct {
  tile_kernel *kernel;
  atomic_bool begun;
  int done; ///< of what the other thread does, how much is
} busy;

static void launchOn(tile_place place, int offset) {
  Arrays a = makeArrays(COUNT, offset);
  const tile_launch how = {.size = sizeof how, .place = place};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(COUNT - offset)};
  if (tile_kernel_launch(busy.kernel, &how, values, 4))
    print_error("%s\n", tile_get_message());
  else if (a.out[COUNT - offset - 1] == (float)(4 * (COUNT - offset - 1) + 1))
    ++busy.done;
  freeArrays(&a);
}

static void checkOnce(void) {
  Arrays a = makeArrays(64, 0);
  const size_t counts[] = {64, 64, 64, 0};
  tile_check how = {.size = sizeof how, .num_elements = counts};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(64)};
  busy.done += !tile_kernel_check(busy.kernel, &how, values, 4);
  freeArrays(&a);
}

enum { ALL = 6 };

/// Facts and configurations that nobody had before, so that the code has to be made.
static void *doOtherThings(void *data) {
  (void)data;
  launchOn(TILE_PLACE_CPU, 1);
  launchOn(TILE_PLACE_CPU, 2);
  launchOn(TILE_PLACE_GPU, 1);
  const tile_compile_options how = {
      .size = sizeof how, .arch = "sm_80", .config = "BLOCK=64", .format = TILE_FORMAT_PTX};
  tile_artifact *artifact;
  busy.done += !tile_kernel_compile(busy.kernel, &how, &artifact);
  tile_artifact_destroy(artifact);
  const tile_launch launch = {.size = sizeof launch, .place = TILE_PLACE_CPU};
  const tile_value values[] = {tile_pointer(NULL), tile_pointer(NULL), tile_pointer(NULL),
                               tile_integer(9)};
  const char *config;
  busy.done += !tile_kernel_find_config(busy.kernel, &launch, values, 4, &config);
  checkOnce();
  return NULL;
}

/// In the middle of what takes long: goes on when the other thread has ended. How long that takes
/// is nobody's affair, so that patience ends a test that fails, and no other.
static void letOtherThingsBeDone(void) {
  if (atomic_exchange(&busy.begun, true)) return;
  pthread_t other;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += PATIENCE;
  if (pthread_create(&other, NULL, doOtherThings, NULL) ||
      pthread_timedjoin_np(other, NULL, &end)) {
    print_error("the other thread has done %d things in %d seconds\n", busy.done, PATIENCE);
    _exit(1);
  }
}

static void begin(const Fixture *f) {
  busy.kernel = f->kernel;
  busy.done = 0;
  atomic_store(&busy.begun, false);
}

static void othersWorkWhileOneTunes(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(COUNT, 0);
  // Opens the driver, so that there is something to stand at its launch.
  begin(&f);
  launchOn(TILE_PLACE_GPU, 0);
  void *driver = dlopen(getenv("TILE_CUDA_DRIVER"), RTLD_NOW | RTLD_NOLOAD);
  void (**onLaunch)(void) = NULL;
  *(void **)&onLaunch = dlsym(driver, "fakeOnLaunch");
  *onLaunch = letOtherThingsBeDone;
  begin(&f);
  const size_t counts[] = {COUNT, COUNT, COUNT, 0};
  const tile_tune_options how = {.size = sizeof how, .num_elements = counts};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(COUNT)};
  tile_tuning *tuning;
  assert_ok(tile_kernel_tune(f.kernel, &how, values, 4, &tuning));
  *onLaunch = NULL;
  assert_true(atomic_load(&busy.begun));
  assert_int_equal(busy.done, ALL);
  tile_tuning_info info = {.size = sizeof info};
  assert_ok(tile_tuning_get_info(tuning, &info));
  assert_int_equal(info.num_trials, 3);
  // What was launched meanwhile is there, and takes the winner from now on.
  const tile_launch launch = {.size = sizeof launch};
  const char *config;
  assert_ok(tile_kernel_find_config(f.kernel, &launch, values, 4, &config));
  assert_string_equal(config, info.config);
  assert_ok(tile_kernel_launch(f.kernel, &launch, values, 4));
  expectSums(&a, COUNT);
  assert_ok(tile_tuning_destroy(tuning));
  freeArrays(&a);
  dlclose(driver);
  assert_ok(tile_context_destroy(f.context));
}

static void onDiagnostic(void *data, const tile_diagnostic *diagnostic) {
  (void)data;
  if (diagnostic->severity == TILE_SEVERITY_ERROR) letOtherThingsBeDone();
}

/// Arrays that are shorter than the launch: a finding is heard in the middle of the check.
static void othersWorkWhileOneChecks(void **state) {
  (void)state;
  Fixture f = {NULL, NULL, NULL};
  const tile_context_options options = {
      .size = sizeof options, .cache = "", .on_diagnostic = onDiagnostic};
  assert_ok(tile_context_create(&options, &f.context));
  assert_ok(tile_module_create_from_text(f.context, addText, strlen(addText), NULL, &f.module));
  assert_ok(tile_module_find_kernel(f.module, NULL, &f.kernel));
  Arrays a = makeArrays(COUNT, 0);
  begin(&f);
  const size_t counts[] = {COUNT, COUNT, COUNT - 1, 0};
  tile_check how = {.size = sizeof how, .num_elements = counts};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(COUNT)};
  assert_fails(TILE_STATUS_FINDINGS, tile_kernel_check(f.kernel, &how, values, 4));
  assert_true(atomic_load(&busy.begun));
  assert_int_equal(busy.done, ALL);
  assert_int_equal(how.num_errors, 1);
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

int main(void) {
  useFakeDriver();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(othersWorkWhileOneTunes),
      cmocka_unit_test(othersWorkWhileOneChecks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
