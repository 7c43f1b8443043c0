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
#include "tile/Runtime/Clock.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/// Whoever has no meta-parameters, as Triton's kernels, has warps and stages to choose.
static bool isWanted(const TileProgram *p, const TileProgramKernel *kernel) {
  const TileTuneOptions *o = p->options.tune;
  bool given = o->numSpaces || o->numCandidates;
  if (!given && mlirAttributeIsNull(tileFuncGetMetaAttr(kernel->func))) return false;
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
  tileTuneFillTask(p, kernel, key, slots, p->options.tune, task);
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
    if (!tileTuneCompare(w->array, w->want, error)) return false;
  }
  t->hasReference = true;
  return true;
}

//===- one candidate ------------------------------------------------------===//

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
                   const int32_t grid[3], int64_t operations, int64_t bytes) {
  TileTuning *t = p->tuning;
  if (t->site != here || t->current < 0) return false;
  t->task->operations = operations;
  t->task->bytes = bytes;
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
    tileTrialFail(trial, ran ? TILE_TRIAL_FAULT : TILE_TRIAL_TOO_LARGE, &error);
    // A context in which a kernel has faulted is of no more use.
    if (ran) _exit(TILE_TUNE_LOST);
    return true;
  }
  stateOf(p)->deadline = 0;
  trial->state = TILE_TRIAL_TIMED;
  if (!checkResults(t, &error)) tileTrialFail(trial, TILE_TRIAL_WRONG, &error);
  return true;
}

//===- the race -----------------------------------------------------------===//

typedef struct Run {
  TileProgram *program;
  const TileTuning *tuning;
} Run;

static bool launchAgain(void *context, int trial, TileError *error) {
  const Run *run = context;
  const TileTuning *t = run->tuning;
  const Entry *entry = &t->entries[trial];
  return tileProgramLaunchCode(run->program, entry->code, t->placed, entry->grid, error);
}

static void watch(void *context, bool runs) {
  const TileProgram *p = ((const Run *)context)->program;
  if (runs)
    setDeadline(p, 0);
  else
    stateOf(p)->deadline = 0;
}

static bool race(TileProgram *p, const TileTuning *t) {
  Run run = {p, t};
  TileRace all = {
      .device = p->device, .task = t->task, .launch = launchAgain, .watch = watch, .context = &run};
  bool won = tileTuneRace(&all);
  if (all.lost) _exit(TILE_TUNE_LOST);
  return won;
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
  tileTuneCompile(p, t->kernel, slots, NULL, here->boundConfig, task);
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
