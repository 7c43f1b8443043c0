//===- Tuning.c - which configuration is fastest for a launch -------------===//
#include "Library.h"
#include "tile/IR.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tuning {
  void *handle;
  char *kernel, *device, *key;
  TileTrial *trials;
  size_t numTrials, winner;
  bool wasKept;
} Tuning;

/// A call on its way.
typedef struct Call {
  TileLibKernel *kernel;
  const tile_tune_options *options;
  TileProgram *program;
  TileLibDevice *device;
  int32_t grid[3];
  bool hasGrid, wasKept;
  uint64_t slots[TILE_LIB_MAX_ARGUMENTS];
  size_t bytes[TILE_LIB_MAX_ARGUMENTS];
} Call;

static tile_status refuseMemory(void) {
  return tileLibFail(TILE_STATUS_MEMORY, "expected memory for tuning, found none");
}

//===- what is given ------------------------------------------------------===//

static tile_status checkTexts(const char *const *texts, size_t count, const char *what) {
  if (count && !texts) return tileLibFail(TILE_STATUS_ARGUMENT, "expected %s, found NULL", what);
  for (size_t i = 0; i < count; ++i)
    if (!texts[i]) return tileLibFail(TILE_STATUS_ARGUMENT, "expected %s, found NULL", what);
  return TILE_STATUS_OK;
}

static tile_status findBytes(Call *c) {
  const TileLibKernel *kernel = c->kernel;
  for (size_t i = 0; c->options->num_elements && i < kernel->numArguments; ++i) {
    const TileLibArgument *argument = &kernel->arguments[i];
    size_t size = argument->hasType ? tileElementGetSize(argument->type) : 8;
    size_t count = c->options->num_elements[i];
    if (!argument->isPointer) continue;
    if (count > PTRDIFF_MAX / size)
      return tileLibFail(TILE_STATUS_ARGUMENT,
                         "expected an array that fits into memory for argument %zu of '%s', found "
                         "%zu elements",
                         i, kernel->name, count);
    c->bytes[i] = count * size;
  }
  return TILE_STATUS_OK;
}

static tile_status begin(Call *c, const tile_value *values, size_t count) {
  const TileLibKernel *kernel = c->kernel;
  const tile_tune_options *o = c->options;
  if (kernel->numArguments > TILE_LIB_MAX_ARGUMENTS)
    return tileLibFail(TILE_STATUS_UNSUPPORTED, "expected at most %d arguments, found %zu",
                       TILE_LIB_MAX_ARGUMENTS, kernel->numArguments);
  tile_status status = tileLibReadValues(kernel, values, count, c->slots);
  if (!status) status = checkTexts(o->candidates, o->num_candidates, "candidates");
  if (!status) status = checkTexts(o->spaces, o->num_spaces, "spaces");
  if (!status) status = tileLibTakeGrid(o->grid, c->grid, &c->hasGrid);
  if (!status && !c->hasGrid && c->kernel->wantsGrid) status = tileLibRefuseNoGrid(c->kernel);
  if (!status) status = findBytes(c);
  if (!status && !(o->seconds >= 0))
    status =
        tileLibFail(TILE_STATUS_ARGUMENT, "expected seconds of 0 or more, found %g", o->seconds);
  if (!status && o->budget > TILE_TUNE_TRIALS)
    status = tileLibFail(TILE_STATUS_ARGUMENT, "expected a budget of at most %d, found %u",
                         TILE_TUNE_TRIALS, o->budget);
  return status;
}

//===- tuning -------------------------------------------------------------===//

/// What the caller's stream was given is done.
static tile_status waitFor(const Call *c) {
  if (!c->device) return tileLibCheckHost(c->kernel, c->slots);
  TileError error = TILE_ERROR_INIT;
  TileStream *theirs = tileStreamBorrow(c->device->device, c->options->stream);
  bool ok = tileStreamSynchronize(c->device->device, theirs, &error);
  tileStreamDestroy(theirs);
  return ok ? TILE_STATUS_OK : tileLibFailWith(TILE_STATUS_DEVICE, &error);
}

/// Lets launches have what was found. What cannot be written down holds here all the same.
static void keep(Call *c, const TileTuneTask *task) {
  TileLibModule *module = c->kernel->module;
  TileError error = TILE_ERROR_INIT;
  pthread_mutex_lock(&module->mutex);
  c->wasKept = tileProgramKeepTuned(c->program, task, &error) && module->context->cache;
  pthread_mutex_unlock(&module->mutex);
  tileErrorDestroy(&error);
  atomic_fetch_add(&module->context->tunings, 1);
}

/// With the mutex of timing, and a copy of the module.
static tile_status run(Call *c, TileTuneTask *task) {
  const tile_tune_options *o = c->options;
  const TileTuneOptions options = {.candidates = o->candidates,
                                   .numCandidates = o->num_candidates,
                                   .spaces = o->spaces,
                                   .numSpaces = o->num_spaces,
                                   .budget = (int)o->budget};
  const TileTuneCall call = {.kernel = tileString(c->kernel->name),
                             .slots = c->slots,
                             .grid = c->hasGrid ? c->grid : NULL,
                             .bytes = o->num_elements ? c->bytes : NULL,
                             .options = &options,
                             .seconds = o->seconds};
  TileLibModule *module = c->kernel->module;
  const TileProgramOptions how = tileLibChooseOptions(module->context, c->device, NULL);
  TileLibCopy copy;
  TileProgram *program = tileLibOpenCopy(module, &how, c->device, &copy);
  bool ok = program && mlirLogicalResultIsSuccess(tileProgramTune(program, &call, task));
  tileLibCloseCopy(&copy);
  if (ok) return TILE_STATUS_OK;
  return task->lost        ? TILE_STATUS_DEVICE
         : task->numTrials ? TILE_STATUS_SOURCE
                           : TILE_STATUS_ARGUMENT;
}

static void destroy(Tuning *t) {
  free(t->kernel);
  free(t->device);
  free(t->key);
  free(t->trials);
  free(t);
}

static tile_status describe(const Call *c, const TileTuneTask *task, tile_tuning **result) {
  Tuning *t = calloc(1, sizeof *t);
  if (!t) return refuseMemory();
  t->kernel = strdup(c->kernel->name);
  t->device = strdup(task->device);
  t->key = strdup(task->key);
  t->numTrials = (size_t)task->numTrials;
  t->trials = malloc(t->numTrials * sizeof *t->trials);
  t->winner = (size_t)task->winner;
  t->wasKept = c->wasKept;
  if (t->kernel && t->device && t->key && t->trials)
    t->handle = tileLibMakeHandle(TILE_LIB_TUNING, t);
  if (!t->handle) {
    destroy(t);
    return refuseMemory();
  }
  memcpy(t->trials, task->trials, t->numTrials * sizeof *t->trials);
  *result = t->handle;
  return TILE_STATUS_OK;
}

/// With its values, its program and its device.
static tile_status tuneAt(Call *c, tile_tuning **result) {
  tile_status status = waitFor(c);
  if (status) return status;
  TileTuneTask *task = calloc(1, sizeof *task);
  if (!task) return refuseMemory();
  TileLibContext *context = c->kernel->module->context;
  pthread_mutex_lock(&context->timing);
  status = run(c, task);
  if (!status) keep(c, task);
  pthread_mutex_unlock(&context->timing);
  if (!status && result) status = describe(c, task, result);
  free(task);
  return status;
}

static tile_status tune(Call *c, const tile_value *values, size_t count, tile_tuning **result) {
  const tile_tune_options *o = c->options;
  TileLibCurrent former;
  tile_status status = begin(c, values, count);
  if (status) return status;
  status = tileLibFindPlace(c->kernel, o->place, o->device, &c->program, &c->device, &former);
  if (!status) status = tuneAt(c, result);
  tileLibRestoreCurrent(&former);
  return status;
}

tile_status tile_kernel_tune(tile_kernel *handle, const tile_tune_options *given,
                             const tile_value *values, size_t count, tile_tuning **result) {
  tileLibBegin();
  if (result) *result = NULL;
  tile_tune_options options = {0};
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  if (given && !tileLibTake(&options, sizeof options, offsetof(tile_tune_options, device), given,
                            "tile_tune_options"))
    return TILE_STATUS_ARGUMENT;
  Call *c = calloc(1, sizeof *c);
  if (!c) return refuseMemory();
  c->kernel = kernel;
  c->options = &options;
  tile_status status = tune(c, values, count, result);
  free(c);
  return status;
}

tile_status tile_tuning_destroy(tile_tuning *handle) {
  tileLibBegin();
  if (!handle) return TILE_STATUS_OK;
  Tuning *t = tileLibFind(handle, TILE_LIB_TUNING);
  if (!t) return tileLibFailHandle("tuning", handle);
  tileLibDropHandle(handle);
  destroy(t);
  return TILE_STATUS_OK;
}

//===- what was found -----------------------------------------------------===//

static double secondsOf(const TileTrial *trial) {
  bool isTimed = trial->state == TILE_TRIAL_WON || trial->state == TILE_TRIAL_BEATEN;
  return isTimed ? trial->seconds : 0;
}

tile_status tile_tuning_get_info(tile_tuning *handle, tile_tuning_info *info) {
  tileLibBegin();
  tile_tuning_info found = {0};
  const Tuning *t = tileLibFind(handle, TILE_LIB_TUNING);
  if (!t) return tileLibFailHandle("tuning", handle);
  if (!info) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a tile_tuning_info, found NULL");
  if (!tileLibTake(&found, sizeof found, sizeof found, info, "tile_tuning_info"))
    return TILE_STATUS_ARGUMENT;
  found = (tile_tuning_info){.kernel = t->kernel,
                             .device = t->device,
                             .key = t->key,
                             .config = t->trials[t->winner].config,
                             .winner = t->winner,
                             .num_trials = t->numTrials,
                             .seconds = secondsOf(&t->trials[t->winner]),
                             .default_seconds = secondsOf(&t->trials[0]),
                             .was_kept = t->wasKept};
  tileLibGive(info, &found, sizeof found);
  return TILE_STATUS_OK;
}

static tile_outcome outcomeOf(TileTrialState state) {
  switch (state) {
  case TILE_TRIAL_WON:
    return TILE_OUTCOME_BEST;
  case TILE_TRIAL_TIMED:
  case TILE_TRIAL_BEATEN:
    return TILE_OUTCOME_SLOWER;
  case TILE_TRIAL_WRONG:
    return TILE_OUTCOME_WRONG;
  case TILE_TRIAL_RUNNING:
  case TILE_TRIAL_FAULT:
  case TILE_TRIAL_HUNG:
    return TILE_OUTCOME_FAULT;
  case TILE_TRIAL_NEW:
  case TILE_TRIAL_COMPILED:
  case TILE_TRIAL_SKIPPED:
    return TILE_OUTCOME_NO_TIME;
  case TILE_TRIAL_PRUNED:
  case TILE_TRIAL_NO_CODE:
  case TILE_TRIAL_TOO_LARGE:
    break;
  }
  return TILE_OUTCOME_REFUSED;
}

tile_status tile_tuning_get_trial(tile_tuning *handle, size_t index, tile_trial *trial) {
  tileLibBegin();
  tile_trial found = {0};
  const Tuning *t = tileLibFind(handle, TILE_LIB_TUNING);
  if (!t) return tileLibFailHandle("tuning", handle);
  if (!trial) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a tile_trial, found NULL");
  if (!tileLibTake(&found, sizeof found, sizeof found, trial, "tile_trial"))
    return TILE_STATUS_ARGUMENT;
  if (index >= t->numTrials)
    return tileLibFail(TILE_STATUS_NOT_FOUND, "expected a trial below %zu, found %zu", t->numTrials,
                       index);
  const TileTrial *one = &t->trials[index];
  found = (tile_trial){.config = one->config,
                       .outcome = outcomeOf(one->state),
                       .seconds = secondsOf(one),
                       .message = one->message};
  tileLibGive(trial, &found, sizeof found);
  return TILE_STATUS_OK;
}

//===- what is kept -------------------------------------------------------===//

tile_status tile_kernel_list_tuned(tile_kernel *handle,
                                   void (*on_result)(void *data, const tile_tuned *result),
                                   void *data) {
  tileLibBegin();
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  if (!on_result) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a function, found NULL");
  TileTunedList list = {0};
  TileLibModule *module = kernel->module;
  pthread_mutex_lock(&module->mutex);
  TileProgram *program = tileLibGetProgram(module, NULL, NULL);
  if (program) tileProgramListTuned(program, tileString(kernel->name), &list);
  pthread_mutex_unlock(&module->mutex);
  for (size_t i = 0; i < list.count; ++i) {
    const TileTuned *one = &list.items[i];
    const tile_tuned told = {sizeof told, one->device, one->key, one->config, one->seconds};
    on_result(data, &told);
  }
  tileTunedListDestroy(&list);
  return program ? TILE_STATUS_OK : TILE_STATUS_SYSTEM;
}
