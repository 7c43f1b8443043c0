//===- TuneCall.c - tuning a launch of an embedder's ----------------------===//
//
// What tile-run --tune does in a worker process, here in the caller's: the candidates are compiled,
// each is launched once on the arguments as they were and must write what the first one wrote, and
// those left race. A candidate that faults takes the device's context with it, as any kernel does;
// nobody ends one that hangs.
//
//===----------------------------------------------------------------------===//
#include "TuneImpl.h"
#include "tile/Runtime/Clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Memory that the kernel writes: as it was, on the device where there is room and else on the
/// host; what the reference left there, and what the last candidate did.
typedef struct Written {
  uint64_t at;
  size_t bytes;
  void *before;
  TileDevicePtr beforeOnDevice;
  TileArray *want, *got;
} Written;

/// How to launch a candidate.
typedef struct Entry {
  TileSpecialization *code;
  int32_t grid[3];
} Entry;

typedef struct Tuning {
  TileProgram *program;
  TileProgramKernel *kernel;
  const TileTuneCall *call;
  TileTuneTask *task;
  Entry *entries;
  Written *written;
  unsigned numWritten;
  bool hasReference, lost;
  double deadline;
  /// Of the candidate that is compiled, or reports what it asserted.
  char *message;
} Tuning;

//===- arguments ----------------------------------------------------------===//

static TileElementType typeOf(const TileProgramKernel *kernel, unsigned i) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(tileBody(kernel->func, 0), i));
  TileElementType found;
  bool is = tileProgramGetElementType(tilePtrTypeGetPointee(type), &found);
  return is ? found : TILE_ELEMENT_I8;
}

static bool copyOut(const TileProgram *p, const Written *w, void *to, TileError *error) {
  if (p->device) return tileDeviceCopyOut(p->device, to, w->at, w->bytes, error);
  memcpy(to, (const void *)(uintptr_t)w->at, w->bytes);
  return true;
}

static bool save(const TileProgram *p, Written *w, TileElementType type, TileError *error) {
  const int64_t count = (int64_t)(w->bytes / tileElementGetSize(type));
  w->got = tileArrayCreate(type, 1, &count, error);
  w->want = w->got ? tileArrayCreate(type, 1, &count, error) : NULL;
  if (!w->want) return false;
  if (p->device && tileDeviceAlloc(p->device, w->bytes, &w->beforeOnDevice, NULL))
    return tileDeviceCopy(p->device, w->beforeOnDevice, w->at, w->bytes, NULL, error);
  w->before = malloc(w->bytes + 1);
  if (!w->before)
    return tileErrorSetOutOfMemory(error,
                                   "expected %zu bytes for a copy of the arguments, found "
                                   "no memory",
                                   w->bytes);
  return copyOut(p, w, w->before, error);
}

static bool saveAll(Tuning *t, TileError *error) {
  const TileProgramKernel *kernel = t->kernel;
  t->written = tileRuntimeAlloc((kernel->count + (size_t)1) * sizeof *t->written);
  for (unsigned i = 0; t->call->bytes && i < kernel->count; ++i) {
    bool written = i >= 64 || kernel->written >> i & 1;
    if (!kernel->parameters[i].isPointer || !written || !t->call->bytes[i]) continue;
    Written *w = &t->written[t->numWritten++];
    w->at = t->call->slots[i];
    w->bytes = t->call->bytes[i];
    if (!save(t->program, w, typeOf(kernel, i), error)) return false;
  }
  return true;
}

static bool restore(const Tuning *t, TileError *error) {
  TileDevice *device = t->program->device;
  for (unsigned i = 0; i < t->numWritten; ++i) {
    const Written *w = &t->written[i];
    if (w->beforeOnDevice) {
      if (!tileDeviceCopy(device, w->at, w->beforeOnDevice, w->bytes, NULL, error)) return false;
    } else if (device) {
      if (!tileDeviceCopyIn(device, w->at, w->before, w->bytes, error)) return false;
    } else {
      memcpy((void *)(uintptr_t)w->at, w->before, w->bytes);
    }
  }
  return true;
}

/// Compares what a candidate wrote with what the first one wrote, or keeps it as that.
static bool checkResults(Tuning *t, TileError *error) {
  for (unsigned i = 0; i < t->numWritten; ++i) {
    const Written *w = &t->written[i];
    TileArray *to = t->hasReference ? w->got : w->want;
    if (!copyOut(t->program, w, to->host, error)) return false;
    tileArrayMarkHostWritten(to);
    if (t->hasReference && !tileTuneCompare(w->got, w->want, error)) return false;
  }
  t->hasReference = true;
  return true;
}

static void destroy(Tuning *t) {
  for (unsigned i = 0; i < t->numWritten; ++i) {
    free(t->written[i].before);
    tileDeviceFree(t->program->device, t->written[i].beforeOnDevice);
    tileArrayDestroy(t->written[i].want);
    tileArrayDestroy(t->written[i].got);
  }
  free(t->written);
  free(t->entries);
}

//===- one candidate ------------------------------------------------------===//

/// Its grid and its code; false with the trial's message.
static bool findCode(const Tuning *t, const char *config, Entry *entry) {
  TileProgram *p = t->program;
  const TileTuneCall *call = t->call;
  bool found = true;
  if (call->grid)
    memcpy(entry->grid, call->grid, sizeof entry->grid);
  else
    found = mlirLogicalResultIsSuccess(
        tileProgramFindGrid(p, t->kernel, config, call->slots, entry->grid));
  if (!found) return false;
  const int32_t *grid = entry->grid;
  if (!grid[0] || !grid[1] || !grid[2]) {
    tileEmitError(p->place, "expected a launch of programs, found a grid of none");
    return false;
  }
  TileFacts facts = {0};
  tileProgramFindFacts(p, t->kernel, call->slots, grid, &facts);
  entry->code = tileProgramGetCode(p, t->kernel, &facts, config);
  tileFactsDestroy(&facts);
  return entry->code != NULL;
}

static bool launch(void *context, int trial, TileError *error) {
  const Tuning *t = context;
  const Entry *entry = &t->entries[trial];
  return tileProgramLaunchCode(t->program, entry->code, t->call->slots, entry->grid, error);
}

/// Launches on the arguments as they were and waits; `*ran` where it has come to that.
static bool launchOnce(Tuning *t, int i, bool *ran, TileError *error) {
  TileDevice *device = t->program->device;
  *ran = false;
  if (!restore(t, error) || !launch(t, i, error)) return false;
  *ran = true;
  return !device || tileDeviceSynchronize(device, error);
}

static void tryTrial(Tuning *t, int i) {
  TileTrial *trial = &t->task->trials[i];
  TileError error = TILE_ERROR_INIT;
  bool ran;
  t->message = trial->message;
  trial->state = TILE_TRIAL_NO_CODE;
  if (!findCode(t, trial->config, &t->entries[i])) return;
  if (!launchOnce(t, i, &ran, &error)) {
    tileTrialFail(trial, ran ? TILE_TRIAL_FAULT : TILE_TRIAL_TOO_LARGE, &error);
    t->lost = ran && t->program->device;
    return;
  }
  trial->state = TILE_TRIAL_WRONG;
  const Entry *entry = &t->entries[i];
  if (entry->code->speaks &&
      mlirLogicalResultIsFailure(tileProgramFlush(t->program, entry->code, entry->grid)))
    return;
  trial->state = TILE_TRIAL_TIMED;
  if (!checkResults(t, &error)) tileTrialFail(trial, TILE_TRIAL_WRONG, &error);
}

static void tryAll(Tuning *t) {
  for (int i = 0; i < t->task->numTrials && !t->lost; ++i) {
    TileTrial *trial = &t->task->trials[i];
    if (trial->state != TILE_TRIAL_NEW && trial->state != TILE_TRIAL_COMPILED) continue;
    if (t->hasReference && t->deadline > 0 && tileClockGetSeconds() > t->deadline)
      tileTrialSkip(trial);
    else
      tryTrial(t, i);
    t->message = NULL;
  }
}

//===- all of it ----------------------------------------------------------===//

static void watch(void *context, bool runs) { (void)context, (void)runs; }

static bool run(Tuning *t) {
  TileProgram *p = t->program;
  // Code travels through the cache; without one it would be compiled twice.
  if (p->options.cache) tileTuneCompile(p, t->kernel, t->call->slots, t->call->grid, NULL, t->task);
  tryAll(t);
  TileRace race = {.device = p->device,
                   .task = t->task,
                   .launch = launch,
                   .watch = watch,
                   .context = t,
                   .deadline = t->deadline,
                   .lost = t->lost};
  bool won = !t->lost && tileTuneRace(&race);
  t->lost = race.lost;
  // What was printed and asserted while they raced.
  for (int i = 0; i < t->task->numTrials && !t->lost; ++i)
    if (t->entries[i].code && t->entries[i].code->speaks)
      tileProgramFlush(p, t->entries[i].code, t->entries[i].grid);
  return won;
}

/// Why there is no winner: what the first candidate, which runs without tuning, died of.
static MlirLogicalResult refuse(const Tuning *t) {
  const TileTuneTask *task = t->task;
  const char *why = "";
  for (int i = task->numTrials; i-- > 0;) {
    const TileTrial *trial = &task->trials[i];
    if (trial->message[0] && (!t->lost || trial->state == TILE_TRIAL_FAULT)) why = trial->message;
  }
  tileEmitError(t->program->place,
                t->lost ? "expected candidates of '%s' that leave the device's context usable, "
                          "found one of %d that faulted: %s"
                        : "expected a configuration of '%s' that works, found none of %d: %s",
                task->kernel, task->numTrials, why);
  return mlirLogicalResultFailure();
}

/// On an open program, with options that are right.
static MlirLogicalResult tune(Tuning *t) {
  TileProgram *p = t->program;
  TileError error = TILE_ERROR_INIT;
  char key[TILE_TUNE_TEXT];
  tileProgramPrintKey(t->kernel, t->call->slots, key, sizeof key);
  tileTuneFillTask(p, t->kernel, key, t->call->slots, t->call->options, t->task);
  t->entries = tileRuntimeAlloc((size_t)t->task->numTrials * sizeof *t->entries);
  if (t->call->seconds > 0) t->deadline = tileClockGetSeconds() + t->call->seconds;
  if (!saveAll(t, &error)) return tileProgramReport(p->place, &error);
  tileConsoleSetQuiet(p->console, true);
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(p->context, tileTuneKeepMessage, &t->message, NULL);
  bool won = run(t);
  mlirContextDetachDiagnosticHandler(p->context, handler);
  tileConsoleSetQuiet(p->console, false);
  t->task->lost = t->lost;
  if (!won) refuse(t);
  bool restored = t->lost || restore(t, &error);
  if (restored && p->device && !t->lost) restored = tileDeviceSynchronize(p->device, &error);
  if (!restored) return tileProgramReport(p->place, &error);
  t->task->done = won;
  return won ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirLogicalResult tileProgramTune(TileProgram *p, const TileTuneCall *call, TileTuneTask *task) {
  Tuning t = {
      .program = p, .kernel = tileProgramFindKernel(p, call->kernel), .call = call, .task = task};
  if (!t.kernel) {
    tileEmitError(p->loc, "expected a kernel '%.*s', found none", (int)call->kernel.length,
                  call->kernel.data);
    return mlirLogicalResultFailure();
  }
  TILE_TRY(tileProgramOpen(p, NULL));
  p->place = mlirOperationGetLocation(t.kernel->func);
  TILE_TRY(tileTuneCheckOptions(p, t.kernel, call->options));
  MlirLogicalResult result = tune(&t);
  destroy(&t);
  return result;
}
