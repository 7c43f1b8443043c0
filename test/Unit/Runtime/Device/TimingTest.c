// RUN: %unit/TimingTest
//
// The method of Timing.h: what is run how often, what is kept, when a graph is replayed. On the CPU
// with work of known length, on a device with the fake driver, whose events lie apart as told.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "FakeFixture.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char fakePath[PATH_MAX];
static TileDriver *driver;
static TileDevice *device;
static FakeLaunch *fake;

typedef struct Work {
  int runs, failAt, stopAt;
  double seconds;
  volatile sig_atomic_t stop;
} Work;

/// The clock of everything in this program, in the place of tileClockGetSeconds (the linker sees to
/// that): what work takes is added, and looking at it takes a microsecond. So a machine that is
/// busy with something else changes nothing.
static double clockNow;
double __wrap_tileClockGetSeconds(void);
double __wrap_tileClockGetSeconds(void) { return clockNow += 1e-6; }

static bool work(void *context, TileError *failure) {
  Work *w = context;
  clockNow += w->seconds;
  if (++w->runs == w->stopAt) w->stop = 1;
  return w->runs != w->failAt || tileErrorSet(failure, "expected more, found run %d", w->runs);
}

/// Work whose time on the device, 100 us at first, grows by one each run until run `count`, while a
/// run takes a millisecond of the clock.
typedef struct Heating {
  int runs, count;
  /// Nanoseconds that a run takes longer than the one before; 1000 where it is 0.
  int step;
} Heating;

static bool heat(void *context, TileError *failure) {
  (void)failure;
  Heating *h = context;
  char text[32];
  int steps = h->runs < h->count ? h->runs : h->count;
  snprintf(text, sizeof text, "%d", 100000 + (h->step ? h->step : 1000) * steps);
  setenv("FAKE_CUDA_ELAPSED", text, 1);
  clockNow += 1e-3;
  ++h->runs;
  return true;
}

//===- the CPU ------------------------------------------------------------===//

static void theSamplesAreTheWorksTime(void **state) {
  (void)state;
  Work w = {.seconds = 2e-3};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 7, .warmupSeconds = 1e-9};
  assert_true(tileTimingMeasure(NULL, work, &w, &options, &timing, &error));
  assert_int_equal(timing.count, 7);
  assert_int_equal(w.runs, 8);
  assert_int_equal(timing.hostCount, 0);
  TileStatistics seconds = tileStatisticsCompute(timing.seconds, timing.count);
  assert_true(seconds.min >= 2e-3 && seconds.max < 2.1e-3);
  tileTimingDestroy(&timing);
  assert_int_equal(timing.count, 0);
}

static void theBudgetDecidesHowManySamples(void **state) {
  (void)state;
  Work w = {.seconds = 1e-3};
  TileTiming timing = {0};
  TileTimingOptions options = {.seconds = 20e-3, .warmupSeconds = 5e-3};
  assert_true(tileTimingMeasure(NULL, work, &w, &options, &timing, &error));
  assert_in_range(timing.count, 19, 20);
  // The warm-up ran more than once and is not among the samples.
  assert_true((size_t)w.runs >= timing.count + 2);
  tileTimingDestroy(&timing);
  // Work far longer than the budget still gives three.
  options = (TileTimingOptions){.seconds = 1e-6, .warmupSeconds = 1e-9};
  assert_true(tileTimingMeasure(NULL, work, &w, &options, &timing, &error));
  assert_int_equal(timing.count, 3);
  tileTimingDestroy(&timing);
}

static void roundsAppend(void **state) {
  (void)state;
  Work w = {0};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 5, .warmupSeconds = 1e-9};
  for (int i = 0; i < 3; ++i)
    assert_true(tileTimingMeasure(NULL, work, &w, &options, &timing, &error));
  assert_int_equal(timing.count, 15);
  tileTimingDestroy(&timing);
}

static void aFailureEndsItAndKeepsWhatThereIs(void **state) {
  (void)state;
  Work w = {.failAt = 4};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 10, .warmupSeconds = 1e-9};
  assert_false(tileTimingMeasure(NULL, work, &w, &options, &timing, &error));
  assert_string_equal(tileErrorGetMessage(&error), "expected more, found run 4");
  assert_in_range(timing.count, 0, 2);
  tileTimingDestroy(&timing);
}

static void stopEndsItAfterTheRepetitionUnderWay(void **state) {
  (void)state;
  Work w = {.stopAt = 50};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 1000, .warmupSeconds = 1e-9, .stop = &w.stop};
  assert_true(tileTimingMeasure(NULL, work, &w, &options, &timing, &error));
  assert_true(timing.stopped);
  assert_int_equal(w.runs, 50);
  assert_int_equal(timing.count, 49);
  tileTimingDestroy(&timing);
}

//===- a device -----------------------------------------------------------===//

static void aDeviceIsTimedByItsEvents(void **state) {
  (void)state;
  Work w = {0};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 5};
  int replays = fake->replays;
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_int_equal(timing.count, 5);
  for (int i = 0; i < 5; ++i)
    assert_true(timing.seconds[i] > 1.49e-3 && timing.seconds[i] < 1.51e-3);
  // 20 ms of 1.5 ms each for the host's time.
  assert_int_equal(timing.hostCount, 13);
  assert_false(timing.replayed);
  assert_int_equal(fake->replays, replays);
  tileTimingDestroy(&timing);
}

static void workShorterThanItsLaunchIsReplayed(void **state) {
  (void)state;
  setenv("FAKE_CUDA_ELAPSED", "2000", 1); // 2 us on the device, 50 on the host
  Work w = {.seconds = 50e-6};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 9};
  int replays = fake->replays, events = fake->eventsInGraphs;
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_true(timing.replayed);
  assert_int_equal(timing.count, 9);
  assert_int_equal(fake->replays - replays, 9);
  assert_int_equal(fake->eventsInGraphs - events, 2);
  TileStatistics host = tileStatisticsCompute(timing.hostSeconds, timing.hostCount);
  assert_int_equal(timing.hostCount, 100);
  assert_true(host.min >= 50e-6);
  tileTimingDestroy(&timing);
  unsetenv("FAKE_CUDA_ELAPSED");
}

static void warmingUpWaitsUntilTheChipHasSettled(void **state) {
  (void)state;
  // Each run takes 2 % longer at least, so that no two windows are alike, however few runs a busy
  // machine has in them.
  Heating h = {.count = 40, .step = 20000};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 5,
                               .settleSeconds = 60,
                               .settleLeast = 0.1,
                               .hostSeconds = 1e-3,
                               .replay = TILE_REPLAY_NEVER};
  assert_true(tileTimingMeasure(device, heat, &h, &options, &timing, &error));
  assert_true(h.runs > 40);
  assert_true(timing.isLong);
  assert_int_equal(timing.count, 5);
  for (int i = 0; i < 5; ++i) assert_true(timing.seconds[i] > 899e-6);
  tileTimingDestroy(&timing);
  unsetenv("FAKE_CUDA_ELAPSED");
}

static void whatDoesNotSettleIsMeasuredInTheEnd(void **state) {
  (void)state;
  Heating h = {.count = 1000000};
  TileTiming timing = {0};
  TileTimingOptions options = {
      .repeat = 5, .settleSeconds = 0.4, .hostSeconds = 1e-3, .replay = TILE_REPLAY_NEVER};
  double begin = tileClockGetSeconds();
  assert_true(tileTimingMeasure(device, heat, &h, &options, &timing, &error));
  assert_true(tileClockGetSeconds() - begin >= 0.4);
  assert_int_equal(timing.count, 5);
  tileTimingDestroy(&timing);
  // Short work does not warm the chip.
  setenv("FAKE_CUDA_ELAPSED", "40000", 1);
  Work w = {0};
  options = (TileTimingOptions){.repeat = 5, .settleSeconds = 60, .warmupSeconds = 1e-9};
  begin = tileClockGetSeconds();
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_true(tileClockGetSeconds() - begin < 10);
  assert_false(timing.isLong);
  tileTimingDestroy(&timing);
  unsetenv("FAKE_CUDA_ELAPSED");
}

static void theLeastTimeToSettleIsKept(void **state) {
  (void)state;
  Heating h = {0};
  TileTiming timing = {0};
  TileTimingOptions options = {
      .repeat = 5, .settleSeconds = 60, .settleLeast = 0.2, .hostSeconds = 1e-3};
  double begin = tileClockGetSeconds();
  assert_true(tileTimingMeasure(device, heat, &h, &options, &timing, &error));
  assert_true(tileClockGetSeconds() - begin >= 0.2);
  tileTimingDestroy(&timing);
  unsetenv("FAKE_CUDA_ELAPSED");
}

static void longWorkFillsItsTime(void **state) {
  (void)state;
  setenv("FAKE_CUDA_ELAPSED", "60000", 1);
  Work w = {0};
  TileTiming timing = {0};
  TileTimingOptions options = {.seconds = 10, .fill = true, .warmupSeconds = 1e-3};
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_int_equal(timing.count, 4000);
  tileTimingDestroy(&timing);
  setenv("FAKE_CUDA_ELAPSED", "40000", 1);
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_int_equal(timing.count, 300);
  tileTimingDestroy(&timing);
  unsetenv("FAKE_CUDA_ELAPSED");
}

static void laterTurnsDoNotLaunchForTheHostAgain(void **state) {
  (void)state;
  Work w = {0};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 5, .warmupSeconds = 1e-9};
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_int_equal(timing.hostCount, 13);
  int runs = w.runs;
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_int_equal(timing.hostCount, 13);
  assert_int_equal(w.runs - runs, 6);
  assert_int_equal(timing.count, 10);
  tileTimingDestroy(&timing);
}

static void withoutGraphsItMeasuresAllTheSame(void **state) {
  (void)state;
  setenv("FAKE_CUDA_ELAPSED", "2000", 1);
  setenv("FAKE_CUDA_CAPTURE", "900", 1);
  Work w = {.seconds = 50e-6};
  TileTiming timing = {0};
  TileTimingOptions options = {.repeat = 9};
  assert_true(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_false(timing.replayed);
  assert_int_equal(timing.count, 9);
  options.replay = TILE_REPLAY_ALWAYS;
  assert_false(tileTimingMeasure(device, work, &w, &options, &timing, &error));
  assert_non_null(strstr(tileErrorGetMessage(&error), "expected recording a graph to succeed"));
  tileTimingDestroy(&timing);
  unsetenv("FAKE_CUDA_CAPTURE");
  unsetenv("FAKE_CUDA_ELAPSED");
}

static void aFailureInsideARecordingLeavesTheStreamUsable(void **state) {
  (void)state;
  Work w = {.failAt = 1};
  assert_true(tileGraphBegin(device, &error));
  assert_false(work(&w, &error));
  TileGraph *graph = tileGraphEnd(device, &error);
  tileGraphDestroy(graph);
  assert_true(tileGraphBegin(device, &error));
  tileGraphDestroy(tileGraphEnd(device, &error));
}

//===- sensors ------------------------------------------------------------===//

static void sensorsReadWhatTheLibraryTells(void **state) {
  (void)state;
  setenv("TILE_NVML", fakePath, 1);
  TileSensors *sensors = tileSensorsCreate(device);
  TileSensorReading now = tileSensorsRead(sensors), most = tileSensorsGetMaximum(sensors);
  assert_int_equal((int)now.clockMHz, 1755);
  assert_int_equal((int)now.memoryClockMHz, 2619);
  assert_int_equal((int)now.celsius, 41);
  assert_int_equal((int)now.watts, 0);
  assert_int_equal((int)most.memoryClockMHz, 3201);
  assert_string_equal(tileSensorsGetDriverVersion(sensors), "580.1.2");
  tileSensorsDestroy(sensors);
}

static void withoutALibraryAllIsUnknown(void **state) {
  (void)state;
  setenv("TILE_NVML", "/nowhere", 1);
  TileSensors *sensors = tileSensorsCreate(device);
  assert_int_equal((int)tileSensorsRead(sensors).clockMHz, 0);
  assert_string_equal(tileSensorsGetDriverVersion(sensors), "");
  tileSensorsDestroy(sensors);
}

static int openFake(void **state) {
  (void)state;
  findBeside("FakeCudaDriver.so", fakePath);
  driver = tileDriverCreate(fakePath, &error);
  device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  fake = driver ? findFakeLaunch(fakePath) : NULL;
  return device && fake ? 0 : -1;
}

static int closeFake(void **state) {
  (void)state;
  tileDeviceDestroy(device);
  tileDriverDestroy(driver);
  tileErrorDestroy(&error);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theSamplesAreTheWorksTime),
      cmocka_unit_test(theBudgetDecidesHowManySamples),
      cmocka_unit_test(roundsAppend),
      cmocka_unit_test(aFailureEndsItAndKeepsWhatThereIs),
      cmocka_unit_test(stopEndsItAfterTheRepetitionUnderWay),
      cmocka_unit_test(aDeviceIsTimedByItsEvents),
      cmocka_unit_test(workShorterThanItsLaunchIsReplayed),
      cmocka_unit_test(warmingUpWaitsUntilTheChipHasSettled),
      cmocka_unit_test(whatDoesNotSettleIsMeasuredInTheEnd),
      cmocka_unit_test(theLeastTimeToSettleIsKept),
      cmocka_unit_test(longWorkFillsItsTime),
      cmocka_unit_test(laterTurnsDoNotLaunchForTheHostAgain),
      cmocka_unit_test(withoutGraphsItMeasuresAllTheSame),
      cmocka_unit_test(aFailureInsideARecordingLeavesTheStreamUsable),
      cmocka_unit_test(sensorsReadWhatTheLibraryTells),
      cmocka_unit_test(withoutALibraryAllIsUnknown),
  };
  return cmocka_run_group_tests(tests, openFake, closeFake);
}
