//===- Tune.c - tuning at a launch ----------------------------------------===//
//
// Host code asks tileHostConfigure before each launch, and launches as long as it says yes, with a
// grid for the configuration that was chosen. So the candidates of a task take their turns:
//
//   choose --> candidate 0 --> try   (the reference)
//   choose --> candidate 1 --> try
//   ...
//   choose --> no candidate left: race, with the grids now known
//          --> the winner --> launched like any other, on restored arguments
//   choose --> no
//
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Runtime/Timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAST_TURNS = 5, FINALISTS = 3 };

/// Time for the samples of a candidate in the first round, each later one taking twice as long, and
/// in each turn of the last: short kernels need many samples, and have them.
static const double firstSeconds = 0.002, lastSeconds = 0.008;

/// Most and least time to warm the chip up in front of the last round: what leads on a cool one,
/// whose clocks are higher, need not lead on one that works.
static const double lastSettle = 0.5, leastSettle = 0.3;

/// An array that the kernel writes: as it was, on the device where there is room and else on the
/// host, and as the reference left it.
typedef struct Written {
  TileArray *array;
  void *before;
  TileDevicePtr beforeOnDevice;
  TileArray *want;
} Written;

/// How to launch a candidate that was tried.
typedef struct Entry {
  TileSpecialization *code;
  int32_t grid[3];
} Entry;

typedef struct TileTuning {
  TileTuneTask *task;
  const TileProgramKernel *kernel;
  TileLaunchSite *site;
  uint64_t *placed;
  TileArray **arrays;
  Written *written;
  unsigned numWritten;
  bool hasReference;
  Entry *entries;
  /// The candidate that is tried now; -1: the winner is launched.
  int current;
} TileTuning;

static TileTuneState *stateOf(const TileProgram *p) { return p->options.tune->state; }

static void setDeadline(const TileProgram *p, double seconds) {
  double timeout = p->options.tune->timeout;
  if (seconds <= 0) seconds = timeout > 0 ? timeout : 10;
  stateOf(p)->deadline = tileClockGetSeconds() + seconds;
}

void tileTuningDestroy(TileProgram *p) {
  TileTuning *t = p->tuning;
  if (!t) return;
  for (unsigned i = 0; i < t->numWritten; ++i) {
    free(t->written[i].before);
    tileDeviceFree(p->device, t->written[i].beforeOnDevice);
    tileArrayDestroy(t->written[i].want);
  }
  free(t->written);
  free(t->entries);
  free(t->placed);
  free(t->arrays);
  free(t);
  p->tuning = NULL;
}

//===- tasks --------------------------------------------------------------===//

static bool isWanted(const TileProgram *p, const TileProgramKernel *kernel) {
  const TileTuneOptions *o = p->options.tune;
  if (mlirAttributeIsNull(tileFuncGetMetaAttr(kernel->func))) return false;
  if (o->kernel) return tileStringIs(kernel->name, o->kernel);
  return o->numSpaces || !mlirAttributeIsNull(tileFuncGetConfigsAttr(kernel->func));
}

/// The task of this kernel and key, begun if it is new; NULL where it is not to be tuned.
static TileTuneTask *findTask(TileProgram *p, const TileProgramKernel *kernel,
                              const uint64_t *slots) {
  TileTuneState *state = stateOf(p);
  char key[TILE_TUNE_TEXT];
  if (!isWanted(p, kernel)) return NULL;
  tileProgramPrintKey(kernel, slots, key, sizeof key);
  for (int i = 0; i < state->numTasks; ++i)
    if (tileStringIs(kernel->name, state->tasks[i].kernel) && !strcmp(state->tasks[i].key, key))
      return &state->tasks[i];
  if (state->numTasks == TILE_TUNE_TASKS) return NULL;
  TileTuneTask *task = &state->tasks[state->numTasks];
  TileTunedIdentity identity;
  tileProgramIdentify(p, kernel, &identity);
  memcpy(task->kernel, identity.kernel, sizeof task->kernel);
  memcpy(task->code, identity.code, sizeof task->code);
  memcpy(task->types, identity.types, sizeof task->types);
  memcpy(task->device, identity.device, sizeof task->device);
  memcpy(task->key, key, sizeof task->key);
  tileTuneFillTask(p, kernel, task);
  ++state->numTasks;
  return task;
}

//===- arguments ----------------------------------------------------------===//

/// Keeps a copy of the array, where restoring takes least.
static bool save(TileProgram *p, Written *w, TileError *error) {
  TileArray *array = w->array;
  if (p->device && tileArrayToDevice(array, p->device, NULL) &&
      tileDeviceAlloc(p->device, array->bytes, &w->beforeOnDevice, NULL))
    return tileDeviceCopy(p->device, w->beforeOnDevice, array->devicePtr, array->bytes, NULL,
                          error);
  if (!tileArrayToHost(array, error)) return false;
  w->before = malloc(array->bytes + 1);
  if (!w->before)
    return tileErrorSet(error, "expected memory for a copy of the arguments, found none");
  memcpy(w->before, array->host, array->bytes);
  return true;
}

static bool saveArguments(TileProgram *p, TileTuning *t, const uint64_t *slots, TileError *error) {
  const TileProgramKernel *kernel = t->kernel;
  t->written = tileRuntimeAlloc((kernel->count + (size_t)1) * sizeof *t->written);
  for (unsigned i = 0; i < kernel->count; ++i) {
    bool written = i >= 64 || kernel->written >> i & 1;
    if (!kernel->parameters[i].isPointer || !written) continue;
    Written *w = &t->written[t->numWritten];
    w->array = tileArrayFind((const void *)(uintptr_t)slots[i]);
    if (!w->array) continue;
    ++t->numWritten;
    if (!save(p, w, error)) return false;
  }
  return true;
}

static void restoreArguments(TileProgram *p, const TileTuning *t) {
  for (unsigned i = 0; i < t->numWritten; ++i) {
    const Written *w = &t->written[i];
    if (w->beforeOnDevice) {
      // A copy that fails leaves a device that the next launch finds in trouble.
      tileDeviceCopy(p->device, w->array->devicePtr, w->beforeOnDevice, w->array->bytes, NULL,
                     NULL);
      tileArrayMarkDeviceWritten(w->array);
      continue;
    }
    memcpy(w->array->host, w->before, w->array->bytes);
    w->array->hostValid = true;
    tileArrayMarkHostWritten(w->array);
  }
}

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

/// Compares what a candidate wrote with what the first one wrote, or keeps it as that.
static bool checkResults(TileTuning *t, TileError *error) {
  bool first = !t->hasReference;
  for (unsigned i = 0; i < t->numWritten; ++i) {
    Written *w = &t->written[i];
    if (!tileArrayToHost(w->array, error)) return false;
    if (first) {
      w->want = tileArrayCreate(w->array->type, w->array->rank, w->array->shape, error);
      if (!w->want) return false;
      memcpy(w->want->host, w->array->host, w->array->bytes);
      tileArrayMarkHostWritten(w->want);
      continue;
    }
    // Equal bytes need no numbers: NaN is as right as it was in the reference.
    if (!memcmp(w->want->host, w->array->host, w->array->bytes)) continue;
    TileComparison found;
    double tolerance = getTolerance(w->array->type);
    if (!tileArrayCompare(w->array, w->want, tolerance, tolerance, &found, error)) return false;
    if (!(found.frobeniusError <= tolerance)) {
      found.passed = false;
      return tileComparisonCheck(&found, error);
    }
  }
  t->hasReference = true;
  return true;
}

//===- one candidate ------------------------------------------------------===//

static void fail(TileTrial *trial, TileTrialState state, TileError *error) {
  snprintf(trial->message, sizeof trial->message, "%.*s",
           (int)strcspn(tileErrorGetMessage(error), "\n"), tileErrorGetMessage(error));
  trial->state = state;
  tileErrorDestroy(error);
}

/// Launches on the arguments as they were and waits. False with a message: too large where nothing
/// ran, else a fault.
static bool launchOnce(TileProgram *p, const TileTuning *t, const Entry *entry,
                       const uint64_t *slots, bool *ran, TileError *error) {
  restoreArguments(p, t);
  memcpy(t->placed, slots, t->kernel->count * sizeof *slots);
  *ran = false;
  if (!tileProgramFindArrays(t->kernel, slots, t->arrays, error) ||
      !tileProgramPlaceArguments(p, t->kernel, t->arrays, t->placed, error))
    return false;
  if (!tileProgramLaunchCode(p, entry->code, t->placed, entry->grid, error)) return false;
  *ran = true;
  tileProgramMarkArguments(p, t->kernel, t->arrays);
  return !p->device || tileDeviceSynchronize(p->device, error);
}

bool tileTuningTry(TileProgram *p, TileLaunchSite *here, const uint64_t *slots,
                   const int32_t grid[3]) {
  TileTuning *t = p->tuning;
  if (t->site != here || t->current < 0) return false;
  TileTrial *trial = &t->task->trials[t->current];
  Entry *entry = &t->entries[t->current];
  TileError error = TILE_ERROR_INIT;
  TileFacts facts = {0};
  tileProgramFindFacts(p, t->kernel, slots, grid, &facts);
  char *config = tileConfigJoin(trial->config, here->boundConfig);
  entry->code = tileProgramGetCode(p, here->kernel, &facts, config);
  free(config);
  tileFactsDestroy(&facts);
  memcpy(entry->grid, grid, sizeof entry->grid);
  if (!entry->code) {
    trial->state = TILE_TRIAL_NO_CODE;
    return true;
  }
  trial->state = TILE_TRIAL_RUNNING;
  setDeadline(p, 0);
  bool ran;
  if (!launchOnce(p, t, entry, slots, &ran, &error)) {
    fail(trial, ran ? TILE_TRIAL_FAULT : TILE_TRIAL_TOO_LARGE, &error);
    // A context in which a kernel has faulted is of no more use.
    if (ran) _exit(TILE_TUNE_LOST);
    return true;
  }
  stateOf(p)->deadline = 0;
  trial->state = TILE_TRIAL_TIMED;
  if (!checkResults(t, &error)) fail(trial, TILE_TRIAL_WRONG, &error);
  return true;
}

//===- the race -----------------------------------------------------------===//

typedef struct Run {
  TileProgram *program;
  const TileTuning *tuning;
  const Entry *entry;
} Run;

static bool launchAgain(void *context, TileError *error) {
  const Run *run = context;
  return tileProgramLaunchCode(run->program, run->entry->code, run->tuning->placed,
                               run->entry->grid, error);
}

/// Times a candidate, and adds to the samples that `timing` has.
static void timeTrial(TileProgram *p, TileTuning *t, int i, double seconds, double settle,
                      TileTiming *timing) {
  TileTrial *trial = &t->task->trials[i];
  Run run = {p, t, &t->entries[i]};
  TileTimingOptions options = {.seconds = seconds,
                               .warmupSeconds = 1e-3,
                               .settleSeconds = settle,
                               .settleLeast = leastSettle,
                               .hostSeconds = 1e-3,
                               // All alike: a replayed launch is measured a microsecond shorter.
                               .replay = TILE_REPLAY_POSSIBLE};
  TileError error = TILE_ERROR_INIT;
  trial->state = TILE_TRIAL_RUNNING;
  setDeadline(p, 0);
  bool ok = tileTimingMeasure(p->device, launchAgain, &run, &options, timing, &error);
  stateOf(p)->deadline = 0;
  if (!ok) {
    fail(trial, TILE_TRIAL_FAULT, &error);
    if (p->device) _exit(TILE_TUNE_LOST);
  } else {
    trial->seconds = tileStatisticsCompute(timing->seconds, timing->count).median;
    trial->state = TILE_TRIAL_TIMED;
  }
}

/// The candidates still in the race, fastest first.
static int rank(const TileTuneTask *task, int *order) {
  int count = 0;
  for (int i = 0; i < task->numTrials; ++i) {
    if (task->trials[i].state != TILE_TRIAL_TIMED) continue;
    int at = count++;
    for (; at && task->trials[order[at - 1]].seconds > task->trials[i].seconds; --at)
      order[at] = order[at - 1];
    order[at] = i;
  }
  return count;
}

/// Times those that are left, one after the other; in the last round by turns.
static void runRound(TileProgram *p, TileTuning *t, const int *order, int left, double seconds,
                     bool last) {
  TileTiming *timings = tileRuntimeAlloc((size_t)left * sizeof *timings + 1);
  for (int turn = 0; turn < (last ? LAST_TURNS : 1); ++turn)
    for (int i = 0; i < left; ++i)
      // A candidate that failed does not come back.
      if (t->task->trials[order[i]].state == TILE_TRIAL_TIMED)
        timeTrial(p, t, order[i], seconds, last && !turn && !i ? lastSettle : 0, &timings[i]);
  for (int i = 0; i < left; ++i) tileTimingDestroy(&timings[i]);
  free(timings);
}

/// False where nothing has come through.
static bool race(TileProgram *p, TileTuning *t) {
  TileTuneTask *task = t->task;
  int *order = tileRuntimeAlloc((size_t)task->numTrials * sizeof *order);
  int left = rank(task, order);
  for (double seconds = firstSeconds;; seconds *= 2) {
    bool last = left <= FINALISTS;
    runRound(p, t, order, left, last ? lastSeconds : seconds, last);
    left = rank(task, order);
    int keep = last ? 1 : (left + 1) / 2 > FINALISTS ? (left + 1) / 2 : FINALISTS;
    for (int i = keep; i < left; ++i) task->trials[order[i]].state = TILE_TRIAL_BEATEN;
    if (last || !left) break;
    left = rank(task, order);
  }
  if (left) {
    task->winner = order[0];
    task->trials[order[0]].state = TILE_TRIAL_WON;
  }
  free(order);
  return left > 0;
}

//===- turns --------------------------------------------------------------===//

static int findNext(const TileTuneTask *task, int from) {
  for (int i = from; i < task->numTrials; ++i)
    if (task->trials[i].state == TILE_TRIAL_COMPILED) return i;
  return task->numTrials;
}

/// Saves the arguments and compiles. A worker before this one may have died on the way: what it
/// knew of candidates that are not out has to be found again.
static bool start(TileProgram *p, TileLaunchSite *here, const uint64_t *slots, TileTuneTask *task) {
  TileTuning *t = tileRuntimeAlloc(sizeof *t);
  p->tuning = t;
  t->task = task;
  t->kernel = here->kernel;
  t->site = here;
  t->entries = tileRuntimeAlloc((size_t)task->numTrials * sizeof *t->entries);
  t->placed = tileRuntimeAlloc((t->kernel->count + (size_t)1) * sizeof *t->placed);
  t->arrays = tileRuntimeAlloc((t->kernel->count + (size_t)1) * sizeof *t->arrays);
  for (int i = 0; i < task->numTrials; ++i) {
    TileTrialState *state = &task->trials[i].state;
    if (*state == TILE_TRIAL_TIMED || *state == TILE_TRIAL_BEATEN) *state = TILE_TRIAL_COMPILED;
  }
  TileError error = TILE_ERROR_INIT;
  if (!saveArguments(p, t, slots, &error)) {
    tileProgramReport(p->place, &error);
    tileTuningDestroy(p);
    return false;
  }
  setDeadline(p, 120);
  tileTuneCompile(p, t->kernel, slots, here->boundConfig, task);
  stateOf(p)->deadline = 0;
  return true;
}

/// One launch with the task's winner, or the defaults where there is no task.
static bool chooseOnce(TileLaunchSite *here, const TileTuneTask *task) {
  here->again = !here->again;
  if (here->again) here->config = task ? task->trials[task->winner].config : "";
  return here->again;
}

int tileTuningChoose(TileProgram *p, TileLaunchSite *here, const uint64_t *slots) {
  TileTuning *t = p->tuning;
  if (!t) {
    TileTuneTask *task = here->again ? NULL : findTask(p, here->kernel, slots);
    if (!task || task->done || !start(p, here, slots, task)) return chooseOnce(here, task);
    t = p->tuning;
    t->current = findNext(task, 0);
  } else if (t->current < 0) {
    tileTuningDestroy(p);
    return 0;
  } else {
    t->current = findNext(t->task, t->current + 1);
  }
  if (t->current < t->task->numTrials) {
    here->config = t->task->trials[t->current].config;
    return 1;
  }
  bool won = race(p, t);
  restoreArguments(p, t);
  if (!won) {
    tileEmitError(p->place, "expected a configuration of '%s' that works, found none of %d",
                  t->task->kernel, t->task->numTrials);
    return -1;
  }
  t->current = -1;
  t->task->done = true;
  here->config = t->task->trials[t->task->winner].config;
  return 1;
}
