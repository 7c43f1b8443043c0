// RUN: %unit/TuneTest
//===- TuneTest.c - tuning by libtile, on the CPU and a fake GPU ----------===//
//
// Which of several right candidates is fastest is this machine's affair, and no test asks for it.
// Where one has to win, it is the only one that can.
//===----------------------------------------------------------------------===//
#include "../Support/FakeCudaDriver.h"
#include "Support.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

/// @add as it stands in Support.h, with these defaults and configs in place of its own. To be
/// freed.
static char *makeAdd(const char *defaults, const char *configs) {
  const char *meta = strstr(addText, "meta {BLOCK = 1024}");
  const char *body = strstr(meta, " {\n  tile.grid");
  char *text = NULL;
  assert_true(asprintf(&text, "%.*smeta {%s}\n    %s%s", (int)(meta - addText), addText, defaults,
                       configs, body) > 0);
  return text;
}

/// Defaults that no machine compiles (a tile of 2^25 elements), and one candidate that works.
static char *makeHopeless(void) { return makeAdd("BLOCK = 33554432", "configs [{BLOCK = 256}]"); }

static tile_status tune(tile_kernel *kernel, const tile_tune_options *options, const Arrays *a,
                        int n, tile_tuning **tuning) {
  const tile_value values[] = {tile_pointer(a->x), tile_pointer(a->y), tile_pointer(a->out),
                               tile_integer(n)};
  return tile_kernel_tune(kernel, options, values, 4, tuning);
}

static tile_status findConfig(tile_kernel *kernel, tile_place place, const Arrays *a, int n,
                              const char **config) {
  const tile_launch how = {.size = sizeof how, .place = place};
  const tile_value values[] = {tile_pointer(a->x), tile_pointer(a->y), tile_pointer(a->out),
                               tile_integer(n)};
  return tile_kernel_find_config(kernel, &how, values, 4, config);
}

static void expectLaunch(tile_kernel *kernel, tile_place place, Arrays *a, int n) {
  const tile_launch how = {.size = sizeof how, .place = place};
  const tile_value values[] = {tile_pointer(a->x), tile_pointer(a->y), tile_pointer(a->out),
                               tile_integer(n)};
  for (int k = 0; k < a->count; ++k) a->out[k] = -1;
  assert_ok(tile_kernel_launch(kernel, &how, values, 4));
  expectSums(a, n);
}

static tile_trial getTrial(tile_tuning *tuning, size_t i) {
  tile_trial trial = {.size = sizeof trial};
  assert_ok(tile_tuning_get_trial(tuning, i, &trial));
  return trial;
}

static tile_tuning_info getInfo(tile_tuning *tuning) {
  tile_tuning_info info = {.size = sizeof info};
  assert_ok(tile_tuning_get_info(tuning, &info));
  return info;
}

/// Is it, on the CPU, a candidate before it once more? Those of the second race are, but for the
/// first of each BLOCK.
static bool isSame(tile_place place, size_t count, const char *config) {
  const char *warps = strstr(config, "num_warps=");
  return place == TILE_PLACE_CPU && count == 8 && warps && strcmp(warps, "num_warps=1") != 0;
}

/// All were timed that differ, one won, and launches take it; what it was tuned on is as it was
/// before.
static void expectRace(tile_kernel *kernel, tile_tuning *tuning, tile_place place, Arrays *a,
                       size_t count) {
  tile_tuning_info info = getInfo(tuning);
  assert_string_equal(info.kernel, "add");
  assert_string_equal(info.key, "5000");
  assert_int_equal(info.num_trials, count);
  assert_true(info.winner < count);
  assert_true(info.seconds > 0 && info.default_seconds > 0);
  assert_false(info.was_kept);
  for (size_t i = 0; i < count; ++i) {
    tile_trial trial = getTrial(tuning, i);
    if (isSame(place, count, trial.config)) {
      assert_int_equal(trial.outcome, TILE_OUTCOME_REFUSED);
      assert_non_null(strstr(trial.message, "found the same: a CPU has no warps"));
      continue;
    }
    assert_int_equal(trial.outcome, i == info.winner ? TILE_OUTCOME_BEST : TILE_OUTCOME_SLOWER);
    assert_true(trial.seconds > 0);
    assert_string_equal(trial.message, "");
    if (i == info.winner) assert_string_equal(trial.config, info.config);
  }
  assert_string_equal(getTrial(tuning, 0).config, "");
  expectSums(a, 0);
  const char *config;
  assert_ok(findConfig(kernel, place, a, 5000, &config));
  assert_string_equal(config, info.config);
  expectLaunch(kernel, place, a, 5000);
  expectLaunch(kernel, place, a, 77);
}

static void race(tile_place place) {
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(5000, 0);
  const size_t counts[] = {5000, 5000, 5000, 0};
  tile_tune_options how = {.size = sizeof how, .place = place, .num_elements = counts};
  tile_tuning *tuning;
  assert_ok(tune(f.kernel, &how, &a, 5000, &tuning));
  expectRace(f.kernel, tuning, place, &a, 3);
  assert_string_equal(getTrial(tuning, 1).config, "BLOCK=256,num_warps=2");
  assert_ok(tile_tuning_destroy(tuning));
  assert_fails(TILE_STATUS_HANDLE, tile_tuning_destroy(tuning));
  for (int k = 0; k < a.count; ++k) a.out[k] = -1;
  static const char *const candidates[] = {"BLOCK=64", "BLOCK=64"}, // counted once
      *const spaces[] = {"BLOCK=128,256", "num_warps=1,2,4"};
  how.candidates = candidates;
  how.num_candidates = 2;
  how.spaces = spaces;
  how.num_spaces = 2;
  assert_ok(tune(f.kernel, &how, &a, 5000, &tuning));
  expectRace(f.kernel, tuning, place, &a, 8);
  assert_string_equal(getTrial(tuning, 7).config, "BLOCK=256,num_warps=4");
  assert_ok(tile_tuning_destroy(tuning));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

static void racesOnTheCpu(void **state) {
  (void)state;
  race(TILE_PLACE_CPU);
}

static void racesOnTheGpu(void **state) {
  (void)state;
  race(TILE_PLACE_GPU);
}

/// Launches take what was found, though there was a launch before, and others go on meanwhile.
static void launchesTakeTheWinner(void **state) {
  (void)state;
  char *text = makeHopeless();
  Fixture f = makeFixture(text);
  Arrays a = makeArrays(5000, 0);
  const size_t counts[] = {5000, 5000, 5000, 0};
  const tile_tune_options how = {
      .size = sizeof how, .place = TILE_PLACE_CPU, .num_elements = counts};
  const char *config = NULL;
  assert_ok(findConfig(f.kernel, TILE_PLACE_CPU, &a, 5000, &config));
  assert_string_equal(config, "");
  const tile_launch plain = {.size = sizeof plain, .place = TILE_PLACE_CPU};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(5000)};
  assert_fails(TILE_STATUS_SOURCE, tile_kernel_launch(f.kernel, &plain, values, 4));
  tile_tuning *tuning;
  assert_ok(tune(f.kernel, &how, &a, 5000, &tuning));
  tile_tuning_info info = getInfo(tuning);
  assert_string_equal(info.config, "BLOCK=256");
  assert_true(info.default_seconds == 0);
  tile_trial first = getTrial(tuning, 0);
  assert_int_equal(first.outcome, TILE_OUTCOME_REFUSED);
  assert_non_null(strstr(first.message, "expected "));
  // What it refused is data, and no failure.
  assert_int_equal(tile_get_num_diagnostics(), 0);
  assert_ok(tile_tuning_destroy(tuning));
  static const int sizes[] = {5000, 5000, 1, 4097, 0};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    expectLaunch(f.kernel, TILE_PLACE_CPU, &a, sizes[i]);
  freeArrays(&a);
  free(text);
  assert_ok(tile_context_destroy(f.context));
}

//===- kept by the cache --------------------------------------------------===//

/// Results as "KEY CONFIG;", one behind the other.
static void addResult(void *data, const tile_tuned *result) {
  char *text = data;
  size_t used = strlen(text);
  assert_true(result->seconds > 0);
  assert_non_null(strstr(result->device, "cpu ("));
  snprintf(text + used, 256 - used, "%s %s;", result->key, result->config);
}

static void theCacheKeepsIt(void **state) {
  (void)state;
  char folder[] = "/tmp/tile-tune-XXXXXX", *text = makeHopeless(), *command;
  assert_non_null(mkdtemp(folder));
  const tile_context_options options = {.size = sizeof options, .cache = folder};
  tile_context *contexts[2];
  tile_module *modules[3];
  tile_kernel *kernels[3];
  for (int i = 0; i < 2; ++i) assert_ok(tile_context_create(&options, &contexts[i]));
  for (int i = 0; i < 3; ++i) {
    assert_ok(tile_module_create_from_text(contexts[i / 2], text, strlen(text), NULL, &modules[i]));
    assert_ok(tile_module_find_kernel(modules[i], NULL, &kernels[i]));
  }
  Arrays a = makeArrays(5000, 0);
  const char *config;
  // It was asked before, and has to ask again.
  assert_ok(findConfig(kernels[1], TILE_PLACE_CPU, &a, 5000, &config));
  assert_string_equal(config, "");
  const size_t counts[] = {5000, 5000, 5000, 0};
  const tile_tune_options how = {
      .size = sizeof how, .place = TILE_PLACE_CPU, .num_elements = counts};
  tile_tuning *tuning;
  assert_ok(tune(kernels[0], &how, &a, 5000, &tuning));
  assert_true(getInfo(tuning).was_kept);
  assert_ok(tile_tuning_destroy(tuning));
  for (int i = 0; i < 3; ++i) {
    assert_ok(findConfig(kernels[i], TILE_PLACE_CPU, &a, 5000, &config));
    assert_string_equal(config, "BLOCK=256");
    expectLaunch(kernels[i], TILE_PLACE_CPU, &a, 5000);
  }
  // Another key is another result: the nearer one is taken.
  static const char *const other[] = {"BLOCK=128"};
  tile_tune_options more = how;
  more.candidates = other;
  more.num_candidates = 1;
  assert_ok(tune(kernels[1], &more, &a, 100, NULL));
  for (int i = 0; i < 2; ++i) {
    assert_ok(findConfig(kernels[i], TILE_PLACE_CPU, &a, 120, &config));
    assert_string_equal(config, "BLOCK=128");
    assert_ok(findConfig(kernels[i], TILE_PLACE_CPU, &a, 4000, &config));
    assert_string_equal(config, "BLOCK=256");
    expectLaunch(kernels[i], TILE_PLACE_CPU, &a, 120);
  }
  char listed[256] = "";
  assert_ok(tile_kernel_list_tuned(kernels[2], addResult, listed));
  assert_string_equal(listed, "100 BLOCK=128;5000 BLOCK=256;");
  freeArrays(&a);
  free(text);
  for (int i = 0; i < 2; ++i) assert_ok(tile_context_destroy(contexts[i]));
  assert_true(asprintf(&command, "rm -rf %s", folder) > 0);
  assert_int_equal(system(command), 0);
  free(command);
}

//===- candidates that are out --------------------------------------------===//

/// out[0] = BLOCK: each candidate has another result. And an assert that one of them breaks.
static const char wrongText[] = "tile.func @wrong(%out: !tile.ptr<i32>) meta {BLOCK = 1} {\n"
                                "  %block = tile.meta BLOCK : i32\n"
                                "  %c8 = arith.constant 8 : i32\n"
                                "  %small = arith.cmpi slt, %block, %c8 : i32\n"
                                "  tile.print \"block\" %block : i32\n"
                                "  tile.assert %small, \"BLOCK is small\" : i1\n"
                                "  tile.store %out, %block : !tile.ptr<i32>\n"
                                "  tile.return\n"
                                "}\n";

static void countText(void *data, const char *text, size_t size) {
  (void)text;
  *(size_t *)data += size;
}

static void wrongResultsAreOut(void **state) {
  (void)state;
  size_t printed = 0;
  Fixture f = {NULL, NULL, NULL};
  const tile_context_options options = {
      .size = sizeof options, .cache = "", .on_print = countText, .data = &printed};
  assert_ok(tile_context_create(&options, &f.context));
  assert_ok(tile_module_create_from_text(f.context, wrongText, strlen(wrongText), "wrong.mlir",
                                         &f.module));
  assert_ok(tile_module_find_kernel(f.module, NULL, &f.kernel));
  int32_t out = 77;
  const size_t count = 1;
  static const char *const spaces[] = {"BLOCK=1,2,4,8"};
  tile_tune_options how = {.size = sizeof how,
                           .place = TILE_PLACE_CPU,
                           .spaces = spaces,
                           .num_spaces = 1,
                           .num_elements = &count};
  const tile_value value = tile_pointer(&out);
  tile_tuning *tuning;
  assert_ok(tile_kernel_tune(f.kernel, &how, &value, 1, &tuning));
  assert_int_equal(out, 77);
  assert_int_equal(printed, 0); // candidates are quiet
  static const tile_outcome first[] = {TILE_OUTCOME_BEST, TILE_OUTCOME_SLOWER};
  for (size_t i = 0; i < 5; ++i) {
    tile_trial trial = getTrial(tuning, i);
    if (i < 2) {
      assert_true(trial.outcome == first[0] || trial.outcome == first[1]);
      continue;
    }
    assert_int_equal(trial.outcome, TILE_OUTCOME_WRONG);
    assert_true(trial.seconds == 0);
    assert_non_null(strstr(trial.message, i == 4 ? "BLOCK is small" : "expected"));
  }
  assert_ok(tile_tuning_destroy(tuning));
  // Whose results nobody asks for may have any.
  how.num_elements = NULL;
  assert_ok(tile_kernel_tune(f.kernel, &how, &value, 1, &tuning));
  assert_int_equal(getTrial(tuning, 3).outcome == TILE_OUTCOME_WRONG, false);
  assert_int_equal(getTrial(tuning, 4).outcome, TILE_OUTCOME_WRONG);
  assert_ok(tile_tuning_destroy(tuning));
  assert_ok(tile_context_destroy(f.context));
}

static void noTimeIsNoFailure(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(5000, 0);
  const size_t counts[] = {5000, 5000, 5000, 0};
  tile_tune_options how = {
      .size = sizeof how, .place = TILE_PLACE_CPU, .num_elements = counts, .seconds = 1e-9};
  tile_tuning *tuning;
  assert_ok(tune(f.kernel, &how, &a, 5000, &tuning));
  tile_tuning_info info = getInfo(tuning);
  assert_int_equal(info.winner, 0);
  assert_string_equal(info.config, "");
  for (size_t i = 1; i < 3; ++i)
    assert_int_equal(getTrial(tuning, i).outcome, TILE_OUTCOME_NO_TIME);
  assert_ok(tile_tuning_destroy(tuning));
  // And the budget takes the best by the cost model: what is out says so.
  static const char *const spaces[] = {"BLOCK=1,2,4,8,2048"};
  how.seconds = 0;
  how.spaces = spaces;
  how.num_spaces = 1;
  how.budget = 2;
  assert_ok(tune(f.kernel, &how, &a, 5000, &tuning));
  size_t refused = 0;
  for (size_t i = 0; i < 6; ++i) refused += getTrial(tuning, i).outcome == TILE_OUTCOME_REFUSED;
  assert_int_equal(refused, 4);
  assert_ok(tile_tuning_destroy(tuning));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

/// A context that a kernel has cost is said to be lost, and the process lives.
static void faultsEndTuning(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(5000, 0);
  const tile_tune_options how = {.size = sizeof how, .place = TILE_PLACE_GPU};
  setenv("FAKE_CUDA_LAUNCH", "719", 1);
  assert_fails(TILE_STATUS_SOURCE, tune(f.kernel, &how, &a, 5000, NULL));
  assert_non_null(strstr(tile_get_message(), "found none of 3: "));
  assert_non_null(strstr(tile_get_message(), "unspecified launch failure"));
  unsetenv("FAKE_CUDA_LAUNCH");
  // The first waits for what the stream was given before.
  const tile_launch launch = {.size = sizeof launch};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(5000)};
  assert_ok(tile_kernel_launch(f.kernel, &launch, values, 4));
  setenv("FAKE_CUDA_FAULT", "719", 1);
  assert_fails(TILE_STATUS_DEVICE, tune(f.kernel, &how, &a, 5000, NULL));
  assert_non_null(strstr(tile_get_message(), "unspecified launch failure"));
  unsetenv("FAKE_CUDA_FAULT");
  assert_ok(tune(f.kernel, &how, &a, 5000, NULL));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

//===- misuse -------------------------------------------------------------===//

static void badOptions(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(64, 0);
  static const char *const nothing[] = {NULL}, *const typo[] = {"BLOK=4"}, *const empty[] = {""},
                           *const zero[] = {"BLOCK=0"}, *const noValue[] = {"BLOCK="},
                           *const noName[] = {"=4"}, *const many[] = {"BLOCK=1,2,,3"},
                           *const large[] = {"BLOCK=99999999999999999999"},
                           *const facts[] = {"0/16"}, *const typos[] = {"BLOK=4,5"};
  const size_t counts[] = {64, 64, SIZE_MAX / 2, 0};
  const tile_tune_options wrong[] = {
      {.candidates = nothing, .num_candidates = 1},
      {.candidates = NULL, .num_candidates = 1},
      {.spaces = NULL, .num_spaces = 2},
      {.spaces = nothing, .num_spaces = 1},
      {.candidates = typo, .num_candidates = 1},
      {.candidates = zero, .num_candidates = 1},
      {.candidates = facts, .num_candidates = 1},
      {.candidates = large, .num_candidates = 1},
      {.spaces = empty, .num_spaces = 1},
      {.spaces = noValue, .num_spaces = 1},
      {.spaces = noName, .num_spaces = 1},
      {.spaces = many, .num_spaces = 1},
      {.spaces = large, .num_spaces = 1},
      {.spaces = zero, .num_spaces = 1},
      {.spaces = typos, .num_spaces = 1},
      {.num_elements = counts},
      {.seconds = -1},
      {.seconds = NAN},
      {.budget = UINT32_MAX},
      {.grid = {UINT32_MAX, 1, 1}},
      {.place = (tile_place)7},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    tile_tune_options how = wrong[i];
    tile_tuning *tuning = (tile_tuning *)&f;
    how.size = sizeof how;
    if (!how.place) how.place = TILE_PLACE_CPU;
    tile_status got = tune(f.kernel, &how, &a, 64, &tuning);
    if (got != TILE_STATUS_ARGUMENT || tuning)
      fail_msg("case %zu: %s: %s", i, tile_status_get_name(got), tile_get_message());
    if (!strstr(tile_get_message(), "expected ")) fail_msg("case %zu: %s", i, tile_get_message());
  }
  tile_tune_options how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_tune(f.kernel, &how, NULL, 4, NULL));
  assert_fails(TILE_STATUS_ARGUMENT, tile_kernel_tune(f.kernel, &how, NULL, 0, NULL));
  assert_fails(TILE_STATUS_HANDLE, tile_kernel_tune((void *)f.module, &how, NULL, 0, NULL));
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

/// A launch of nothing has no time; nor has a kernel without candidates. What was found outlives
/// its module.
static void nothingToTune(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Arrays a = makeArrays(64, 0);
  tile_tune_options how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  assert_fails(TILE_STATUS_SOURCE, tune(f.kernel, &how, &a, 0, NULL));
  assert_non_null(strstr(tile_get_message(), "found a grid of none"));
  char *text = makeAdd("BLOCK = 1024", "");
  Fixture plain = makeFixture(text);
  assert_fails(TILE_STATUS_ARGUMENT, tune(plain.kernel, &how, &a, 64, NULL));
  assert_non_null(strstr(tile_get_message(), "expected candidates, or configs of 'add'"));
  static const char *const right[] = {"BLOCK=64"};
  how.candidates = right;
  how.num_candidates = 1;
  tile_tuning *tuning;
  assert_ok(tune(plain.kernel, &how, &a, 64, &tuning));
  tile_trial trial = {.size = sizeof trial};
  assert_fails(TILE_STATUS_NOT_FOUND, tile_tuning_get_trial(tuning, 2, &trial));
  assert_fails(TILE_STATUS_ARGUMENT, tile_tuning_get_trial(tuning, 0, NULL));
  assert_fails(TILE_STATUS_ARGUMENT, tile_tuning_get_info(tuning, NULL));
  trial.size = 3;
  assert_fails(TILE_STATUS_ARGUMENT, tile_tuning_get_trial(tuning, 0, &trial));
  assert_ok(tile_context_destroy(plain.context));
  assert_int_equal(getInfo(tuning).num_trials, 2);
  assert_ok(tile_tuning_destroy(tuning));
  assert_ok(tile_tuning_destroy(NULL));
  free(text);
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

//===- threads ------------------------------------------------------------===//

enum { THREADS = 8 };

typedef struct Crowd {
  tile_kernel *kernel;
  atomic_int running, failures;
} Crowd;

static void *launchMeanwhile(void *data) {
  Crowd *crowd = data;
  Arrays a = makeArrays(3000, 0);
  const tile_launch how = {.size = sizeof how, .place = TILE_PLACE_CPU};
  const char *config;
  for (int i = 0; atomic_load(&crowd->running); ++i) {
    int n = i % 3000 + 1;
    const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                                 tile_integer(n)};
    bool bad = tile_kernel_launch(crowd->kernel, &how, values, 4) ||
               findConfig(crowd->kernel, TILE_PLACE_CPU, &a, n, &config) ||
               a.out[n - 1] != (float)(4 * (n - 1) + 1);
    atomic_fetch_add(&crowd->failures, bad);
  }
  freeArrays(&a);
  return NULL;
}

static void othersLaunchMeanwhile(void **state) {
  (void)state;
  Fixture f = makeFixture(addText);
  Crowd crowd = {.kernel = f.kernel};
  pthread_t threads[THREADS];
  atomic_store(&crowd.running, 1);
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, launchMeanwhile, &crowd), 0);
  Arrays a = makeArrays(2000, 0);
  const size_t counts[] = {2000, 2000, 2000, 0};
  const tile_tune_options how = {
      .size = sizeof how, .place = TILE_PLACE_CPU, .num_elements = counts};
  for (int i = 0; i < 3; ++i) assert_ok(tune(f.kernel, &how, &a, 500 * (i + 1), NULL));
  atomic_store(&crowd.running, 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert_int_equal(crowd.failures, 0);
  freeArrays(&a);
  assert_ok(tile_context_destroy(f.context));
}

int main(void) {
  useFakeDriver();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(racesOnTheCpu),         cmocka_unit_test(racesOnTheGpu),
      cmocka_unit_test(launchesTakeTheWinner), cmocka_unit_test(theCacheKeepsIt),
      cmocka_unit_test(wrongResultsAreOut),    cmocka_unit_test(noTimeIsNoFailure),
      cmocka_unit_test(faultsEndTuning),       cmocka_unit_test(badOptions),
      cmocka_unit_test(nothingToTune),         cmocka_unit_test(othersLaunchMeanwhile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
