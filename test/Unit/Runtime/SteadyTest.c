// RUN: %unit/SteadyTest
//
// The rules of Steady.h on series of times that are made up, and on the shape that an H200 gave.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/Runtime/Steady.h"
#include <cmocka.h>
#include <math.h>

enum { MOST = 10000, TURN = 100 };
static double samples[MOST];
static size_t count;

static int empty(void **state) {
  (void)state;
  count = 0;
  return 0;
}

/// Appends `length` samples from `first` to `last` us, each a share up to `noise` off, by turns to
/// either side and in no order.
static void add(size_t length, double first, double last, double noise) {
  static uint32_t random = 1;
  for (size_t i = 0; i < length && count < MOST; ++i) {
    random = random * 1664525u + 1013904223u;
    double off = noise * ((random >> 8) / 8388608.0 - 1);
    samples[count++] = 1e-6 * (first + (last - first) * (double)i / (double)length) * (1 + off);
  }
}

#define assert_near(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance))

//===- drift --------------------------------------------------------------===//

static void equalTimesDoNotDrift(void **state) {
  (void)state;
  add(600, 90, 90, 0);
  double drift = tileSteadyGetDrift(samples, count);
  assert_true(drift == 0);
  assert_true(tileSteadyRests(drift));
  assert_false(tileSteadyMoves(drift));
}

static void noiseIsNoDrift(void **state) {
  (void)state;
  // Each time is up to 5 % off; the median of a hundred is not.
  add(3000, 90, 90, 0.05);
  double drift = tileSteadyGetDrift(samples, count);
  assert_true(drift > 0 && tileSteadyRests(drift));
}

static void aStepIsItsHeight(void **state) {
  (void)state;
  add(300, 100, 100, 0);
  add(300, 104, 104, 0);
  assert_near(tileSteadyGetDrift(samples, count), 0.04, 1e-9);
  assert_true(tileSteadyMoves(tileSteadyGetDrift(samples, count)));
}

static void aSlopeIsFiveSixthsOfIt(void **state) {
  (void)state;
  add(6000, 100, 106, 0);
  // Medians stand in the middle of their parts: 100.5 .. 105.5.
  assert_near(tileSteadyGetDrift(samples, count), 5 / 100.5, 1e-4);
}

static void aFewOutliersAreNoDrift(void **state) {
  (void)state;
  for (int i = 0; i < 60; ++i) {
    add(9, 90, 90, 0);
    add(1, 900, 900, 0);
  }
  assert_true(tileSteadyGetDrift(samples, count) == 0);
}

static void theOrderMatters(void **state) {
  (void)state;
  // The same times, the slow ones by turns with the others, or last.
  for (int i = 0; i < 300; ++i) add(1, i % 2 ? 110 : 100, 100, 0);
  double mixed = tileSteadyGetDrift(samples, count);
  count = 0;
  add(150, 100, 100, 0);
  add(150, 110, 110, 0);
  assert_true(tileSteadyRests(mixed));
  assert_true(tileSteadyMoves(tileSteadyGetDrift(samples, count)));
}

static void whatClocksCannotTellIsNoDrift(void **state) {
  (void)state;
  // Events are some 32 ns apart at least, which is 3 % of a microsecond.
  add(300, 1.056, 1.056, 0);
  add(300, 1.088, 1.088, 0);
  assert_true(tileSteadyGetDrift(samples, count) == 0);
  // Two graphs of one launch.
  count = 0;
  add(300, 4.576, 4.576, 0);
  add(300, 4.8, 4.8, 0);
  assert_true(tileSteadyGetDrift(samples, count) == 0);
  add(300, 4.928, 4.928, 0);
  assert_true(tileSteadyMoves(tileSteadyGetDrift(samples, count)));
}

static void fewSamplesTellNothing(void **state) {
  (void)state;
  add(5, 100, 100, 0);
  add(6, 200, 200, 0);
  double drift = tileSteadyGetDrift(samples, count);
  assert_true(drift < 0);
  assert_false(tileSteadyMoves(drift) || tileSteadyRests(drift));
  add(1, 200, 200, 0);
  assert_near(tileSteadyGetDrift(samples, count), 1, 1e-9);
  assert_true(tileSteadyGetDrift(NULL, 0) < 0);
}

//===- warming up ---------------------------------------------------------===//

/// After how many of the medians warming up ends; 0 for never.
static size_t warmUp(const double *medians, size_t length) {
  TileSteadyWindows windows = {0};
  for (size_t i = 0; i < length; ++i)
    if (tileSteadyAddWindow(&windows, medians[i])) return i + 1;
  return 0;
}

static void threeEqualWindowsEndWarmingUp(void **state) {
  (void)state;
  assert_int_equal(warmUp((const double[]){5, 5, 5, 5}, 4), 3);
  assert_int_equal(warmUp((const double[]){5, 5}, 2), 0);
}

static void warmingUpGoesOnWhileTimesRise(void **state) {
  (void)state;
  const double rising[] = {82, 84, 86, 88, 88.1, 88.3};
  assert_int_equal(warmUp(rising, 6), 6);
  const double slowly[] = {100, 101.2, 102.4, 103.6, 104.8, 106, 107.3};
  assert_int_equal(warmUp(slowly, 7), 0);
  const double swinging[] = {100, 103, 100, 103, 100, 103};
  assert_int_equal(warmUp(swinging, 6), 0);
}

//===- turns --------------------------------------------------------------===//

/// How many turns are taken of samples that are all there.
static TileSteadyTurns takeTurns(void) {
  TileSteadyTurns turns = {0};
  size_t end = 0;
  while (!tileSteadyIsDone(&turns, samples)) {
    end += TURN;
    assert_true(end <= count);
    tileSteadyAddTurn(&turns, end);
  }
  return turns;
}

static void whatRestsTakesThreeTurns(void **state) {
  (void)state;
  add(3 * TURN, 90, 90, 0.02);
  TileSteadyTurns turns = takeTurns();
  assert_int_equal(turns.count, 3);
  assert_int_equal(tileSteadyGetFirst(&turns), 0);
}

static void turnsOfAPlateauAreKept(void **state) {
  (void)state;
  // Settled too early: one turn and a half before the times rise.
  add(TURN + TURN / 2, 82, 82, 0.01);
  add(7 * TURN, 88.5, 88.5, 0.01);
  TileSteadyTurns turns = takeTurns();
  assert_int_equal(turns.count, 5);
  assert_int_equal(tileSteadyGetFirst(&turns), 2 * TURN);
  assert_true(samples[tileSteadyGetFirst(&turns)] > 87e-6);
}

static void aDipIsLeftBehind(void **state) {
  (void)state;
  // The mean power of the last second comes to its limit in the third turn.
  add(2 * TURN + 20, 88.6, 88.6, 0.01);
  add(TURN, 93, 93, 0.01);
  add(30, 93, 89, 0.01);
  add(6 * TURN, 89, 89, 0.01);
  TileSteadyTurns turns = takeTurns();
  assert_int_equal(turns.count, 7);
  assert_int_equal(tileSteadyGetFirst(&turns), 4 * TURN);
  assert_true(tileSteadyRests(tileSteadyGetDrift(samples + 4 * TURN, 3 * TURN)));
}

static void whatNeverRestsEndsAndSaysSo(void **state) {
  (void)state;
  add(MOST, 100, 800, 0.01);
  TileSteadyTurns turns = takeTurns();
  assert_int_equal(turns.count, TILE_STEADY_MOST_TURNS);
  size_t first = tileSteadyGetFirst(&turns);
  assert_int_equal(first, (TILE_STEADY_MOST_TURNS - 3) * TURN);
  assert_true(tileSteadyMoves(tileSteadyGetDrift(samples + first, 3 * TURN)));
  // More turns are not taken.
  tileSteadyAddTurn(&turns, MOST);
  assert_int_equal(turns.count, TILE_STEADY_MOST_TURNS);
}

static void tooFewSamplesTakeThreeTurns(void **state) {
  (void)state;
  TileSteadyTurns turns = {0};
  add(3, 100, 400, 0);
  for (size_t i = 1; i <= 3; ++i) {
    assert_false(tileSteadyIsDone(&turns, samples));
    tileSteadyAddTurn(&turns, i);
  }
  assert_true(tileSteadyIsDone(&turns, samples));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(equalTimesDoNotDrift, empty),
      cmocka_unit_test_setup(noiseIsNoDrift, empty),
      cmocka_unit_test_setup(aStepIsItsHeight, empty),
      cmocka_unit_test_setup(aSlopeIsFiveSixthsOfIt, empty),
      cmocka_unit_test_setup(aFewOutliersAreNoDrift, empty),
      cmocka_unit_test_setup(theOrderMatters, empty),
      cmocka_unit_test_setup(whatClocksCannotTellIsNoDrift, empty),
      cmocka_unit_test_setup(fewSamplesTellNothing, empty),
      cmocka_unit_test_setup(threeEqualWindowsEndWarmingUp, empty),
      cmocka_unit_test_setup(warmingUpGoesOnWhileTimesRise, empty),
      cmocka_unit_test_setup(whatRestsTakesThreeTurns, empty),
      cmocka_unit_test_setup(turnsOfAPlateauAreKept, empty),
      cmocka_unit_test_setup(aDipIsLeftBehind, empty),
      cmocka_unit_test_setup(whatNeverRestsEndsAndSaysSo, empty),
      cmocka_unit_test_setup(tooFewSamplesTakeThreeTurns, empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
