//===- Race.c - which of several candidates is fastest --------------------===//
//
// Rounds of timings by turns. After each the slower half is out, and those left get twice the time;
// the last three race for longest, on a chip that is warm.
//
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Runtime/Timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_TURNS = 5, FINALISTS = 3 };

/// Time for the samples of a candidate in the first round, each later one taking twice as long, and
/// in each turn of the last: short kernels need many samples, and have them.
static const double firstSeconds = 0.002, lastSeconds = 0.008;

/// Most and least time to warm the chip up in front of the last round: what leads on a cool one,
/// whose clocks are higher, need not lead on one that works.
static const double lastSettle = 0.5, leastSettle = 0.3;

void tileTrialFail(TileTrial *trial, TileTrialState state, TileError *error) {
  snprintf(trial->message, sizeof trial->message, "%.*s",
           (int)strcspn(tileErrorGetMessage(error), "\n"), tileErrorGetMessage(error));
  trial->state = state;
  tileErrorDestroy(error);
}

//===- results ------------------------------------------------------------===//

/// How far apart two right results of one computation may be, as a share of their norm: sums in
/// another order, in the type's precision.
static double getTolerance(TileElementType type) {
  switch (type) {
  case TILE_ELEMENT_F64:
    return 1e-10;
  case TILE_ELEMENT_F32:
    return 1e-4;
  case TILE_ELEMENT_F16:
    return 5e-3;
  case TILE_ELEMENT_BF16:
    return 4e-2;
  case TILE_ELEMENT_F8E4M3FN:
  case TILE_ELEMENT_F8E5M2:
    return .25;
  default:
    return 0;
  }
}

bool tileTuneCompare(TileArray *got, TileArray *want, TileError *error) {
  // Equal bytes need no numbers: NaN is as right as it was in the reference.
  if (!memcmp(want->host, got->host, got->bytes)) return true;
  TileComparison found;
  double tolerance = getTolerance(got->type);
  if (!tileArrayCompare(got, want, tolerance, tolerance, &found, error)) return false;
  if (found.frobeniusError <= tolerance) return true;
  found.passed = false;
  return tileComparisonCheck(&found, error);
}

//===- rounds -------------------------------------------------------------===//

typedef struct Turn {
  const TileRace *race;
  int trial;
} Turn;

static bool launchAgain(void *context, TileError *error) {
  const Turn *turn = context;
  return turn->race->launch(turn->race->context, turn->trial, error);
}

/// Times a candidate, and adds to the samples that `timing` has.
static void timeTrial(TileRace *race, int i, double seconds, double settle, TileTiming *timing) {
  TileTrial *trial = &race->task->trials[i];
  Turn turn = {race, i};
  TileTimingOptions options = {.seconds = seconds,
                               .warmupSeconds = 1e-3,
                               .settleSeconds = settle,
                               .settleLeast = leastSettle,
                               .hostSeconds = 1e-3,
                               // All alike: a replayed launch is measured a microsecond shorter.
                               .replay = TILE_REPLAY_POSSIBLE};
  TileError error = TILE_ERROR_INIT;
  trial->state = TILE_TRIAL_RUNNING;
  race->watch(race->context, true);
  bool ok = tileTimingMeasure(race->device, launchAgain, &turn, &options, timing, &error);
  race->watch(race->context, false);
  if (ok) {
    trial->seconds = tileStatisticsCompute(timing->seconds, timing->count).median;
    trial->state = TILE_TRIAL_TIMED;
    race->timed = true;
    return;
  }
  tileTrialFail(trial, TILE_TRIAL_FAULT, &error);
  // A context in which a kernel has faulted is of no more use.
  race->lost = race->device != NULL;
}

/// Something is timed in any case.
static bool isOver(const TileRace *race) {
  bool late = race->deadline > 0 && tileClockGetSeconds() > race->deadline;
  return race->lost || (late && race->timed);
}

static double secondsOf(const TileTrial *trial) {
  return trial->seconds > 0 ? trial->seconds : INFINITY;
}

/// The candidates still in the race, fastest first; those that were not timed yet last.
static int rank(const TileTuneTask *task, int *order) {
  int count = 0;
  for (int i = 0; i < task->numTrials; ++i) {
    const TileTrial *trial = &task->trials[i];
    if (trial->state != TILE_TRIAL_TIMED) continue;
    int at = count++;
    for (; at && secondsOf(&task->trials[order[at - 1]]) > secondsOf(trial); --at)
      order[at] = order[at - 1];
    order[at] = i;
  }
  return count;
}

/// Times those that are left, one after the other; in the last round by turns.
static void runRound(TileRace *race, const int *order, int left, double seconds, bool last) {
  TileTiming *timings = tileRuntimeAlloc((size_t)left * sizeof *timings + 1);
  for (int turn = 0; turn < (last ? LAST_TURNS : 1); ++turn)
    for (int i = 0; i < left; ++i)
      // A candidate that failed does not come back.
      if (!isOver(race) && race->task->trials[order[i]].state == TILE_TRIAL_TIMED)
        timeTrial(race, order[i], seconds, last && !turn && !i ? lastSettle : 0, &timings[i]);
  for (int i = 0; i < left; ++i) tileTimingDestroy(&timings[i]);
  free(timings);
}

void tileTrialSkip(TileTrial *trial) {
  trial->state = TILE_TRIAL_SKIPPED;
  snprintf(trial->message, sizeof trial->message, "expected time for it, found none left");
}

static void skipUntimed(TileTuneTask *task) {
  for (int i = 0; i < task->numTrials; ++i) {
    TileTrial *trial = &task->trials[i];
    if (trial->state == TILE_TRIAL_TIMED && !(trial->seconds > 0)) tileTrialSkip(trial);
  }
}

bool tileTuneRace(TileRace *race) {
  TileTuneTask *task = race->task;
  int *order = tileRuntimeAlloc((size_t)task->numTrials * sizeof *order);
  int left = rank(task, order);
  for (double seconds = firstSeconds;; seconds *= 2) {
    bool last = left <= FINALISTS;
    runRound(race, order, left, last ? lastSeconds : seconds, last);
    last |= isOver(race);
    if (last) skipUntimed(task);
    left = rank(task, order);
    int keep = last ? 1 : (left + 1) / 2 > FINALISTS ? (left + 1) / 2 : FINALISTS;
    for (int i = keep; i < left; ++i) task->trials[order[i]].state = TILE_TRIAL_BEATEN;
    if (last || !left) break;
    left = rank(task, order);
  }
  bool won = left && !race->lost;
  if (won) {
    task->winner = order[0];
    task->trials[order[0]].state = TILE_TRIAL_WON;
  }
  free(order);
  return won;
}
