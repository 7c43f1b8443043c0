//===- Future.c - compilations in the background --------------------------===//
//
// A compilation is a job of the context's pool, with a context of MLIR's to itself: it waits for
// no other one, and nobody for it. Its messages become those of the threads that ask.
//===----------------------------------------------------------------------===//
#include "Library.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef enum State { STATE_WAITS, STATE_RUNS, STATE_DONE } State;

typedef struct Future {
  TileLibJob job;
  void *handle;
  TileLibCompilation compilation;
  pthread_mutex_t mutex; ///< of what follows
  pthread_cond_t changed;
  unsigned references; ///< the handle's, and the job's
  State state;
  bool isCancelled;
  tile_status status;
  TileLibMessages *messages;
} Future;

static Future *makeFuture(void) {
  Future *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&f->changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&f->mutex, NULL);
  f->references = 1;
  return f;
}

static void release(Future *f) {
  pthread_mutex_lock(&f->mutex);
  bool isLast = !--f->references;
  pthread_mutex_unlock(&f->mutex);
  if (!isLast) return;
  tileLibEndCompilation(&f->compilation);
  tileLibMessagesDestroy(f->messages);
  pthread_cond_destroy(&f->changed);
  pthread_mutex_destroy(&f->mutex);
  free(f);
}

//===- the job ------------------------------------------------------------===//

static void finish(Future *f, tile_status status) {
  pthread_mutex_lock(&f->mutex);
  f->state = STATE_DONE;
  f->status = status;
  f->messages = tileLibMessagesTake();
  pthread_cond_broadcast(&f->changed);
  pthread_mutex_unlock(&f->mutex);
  release(f);
}

static void runJob(TileLibJob *job) {
  Future *f = (Future *)job;
  pthread_mutex_lock(&f->mutex);
  bool isCancelled = f->isCancelled;
  f->state = STATE_RUNS;
  pthread_mutex_unlock(&f->mutex);
  tileLibBegin();
  finish(f, isCancelled ? TILE_STATUS_CANCELLED : tileLibRunCompilation(&f->compilation));
}

/// The context goes, and the job was not begun.
static void dropJob(TileLibJob *job) {
  Future *f = (Future *)job;
  pthread_mutex_lock(&f->mutex);
  f->isCancelled = true;
  f->state = STATE_DONE;
  f->status = TILE_STATUS_CANCELLED;
  pthread_cond_broadcast(&f->changed);
  pthread_mutex_unlock(&f->mutex);
  release(f);
}

//===- for the caller -----------------------------------------------------===//

static tile_status start(TileLibKernel *kernel, const tile_compile_options *options,
                         tile_future **result) {
  Future *f = makeFuture();
  if (!f) return tileLibFail(TILE_STATUS_MEMORY, "expected memory for a future, found none");
  tile_status status = tileLibBeginCompilation(kernel, options, &f->compilation);
  if (!status) f->handle = tileLibMakeHandle(TILE_LIB_FUTURE, f);
  if (!status && !f->handle)
    status = tileLibFail(TILE_STATUS_MEMORY, "expected memory for a handle, found none");
  if (!status) {
    tileLibPrepareCopy(kernel->module);
    f->job = (TileLibJob){.run = runJob, .drop = dropJob};
    ++f->references;
    if (!tileLibPoolAdd(&kernel->module->context->pool, &f->job)) {
      --f->references;
      tileLibDropHandle(f->handle);
      status = tileLibFail(TILE_STATUS_SYSTEM, "expected to start a thread, found no room for one");
    }
  }
  if (status)
    release(f);
  else
    *result = f->handle;
  return status;
}

tile_status tile_kernel_compile_async(tile_kernel *handle, const tile_compile_options *given,
                                      tile_future **result) {
  tileLibBegin();
  tile_compile_options options = {0};
  if (!result)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for a future, found NULL");
  *result = NULL;
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  if (given &&
      !tileLibTake(&options, sizeof options, sizeof options, given, "tile_compile_options"))
    return TILE_STATUS_ARGUMENT;
  return start(kernel, &options, result);
}

/// Waits until it is done or cancelled, or time is up. With the mutex.
static void waitFor(Future *f, double seconds) {
  const double longest = 1e8;
  bool isForever = seconds < 0 || seconds > longest;
  struct timespec end = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (!isForever) {
    double whole = floor(seconds);
    end.tv_sec += (time_t)whole;
    end.tv_nsec += (long)((seconds - whole) * 1e9);
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
  }
  int late = 0;
  while (f->state != STATE_DONE && !f->isCancelled && late != ETIMEDOUT)
    late = isForever ? pthread_cond_wait(&f->changed, &f->mutex)
                     : pthread_cond_timedwait(&f->changed, &f->mutex, &end);
}

/// With the mutex.
static tile_status takeResult(Future *f, double seconds, tile_artifact **artifact) {
  waitFor(f, seconds);
  if (f->isCancelled)
    return tileLibFail(TILE_STATUS_CANCELLED,
                       "expected a compilation, found one that was cancelled");
  if (f->state != STATE_DONE)
    return tileLibFail(TILE_STATUS_TIMEOUT,
                       "expected the compilation to end within %g seconds, found it under way",
                       seconds);
  tileLibMessagesRepeat(f->messages);
  return f->status || !artifact ? f->status : tileLibTakeArtifact(&f->compilation, artifact);
}

tile_status tile_future_wait(tile_future *handle, double seconds, tile_artifact **artifact) {
  tileLibBegin();
  if (artifact) *artifact = NULL;
  Future *f = tileLibFind(handle, TILE_LIB_FUTURE);
  if (!f) return tileLibFailHandle("future", handle);
  if (isnan(seconds))
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a number of seconds, found none");
  pthread_mutex_lock(&f->mutex);
  tile_status status = takeResult(f, seconds, artifact);
  pthread_mutex_unlock(&f->mutex);
  return status;
}

static void cancel(Future *f) {
  pthread_mutex_lock(&f->mutex);
  if (f->state != STATE_DONE) f->isCancelled = true;
  pthread_cond_broadcast(&f->changed);
  pthread_mutex_unlock(&f->mutex);
}

tile_status tile_future_cancel(tile_future *handle) {
  tileLibBegin();
  Future *f = tileLibFind(handle, TILE_LIB_FUTURE);
  if (!f) return tileLibFailHandle("future", handle);
  cancel(f);
  return TILE_STATUS_OK;
}

tile_status tile_future_destroy(tile_future *handle) {
  tileLibBegin();
  if (!handle) return TILE_STATUS_OK;
  Future *f = tileLibFind(handle, TILE_LIB_FUTURE);
  if (!f) return tileLibFailHandle("future", handle);
  tileLibDropHandle(handle);
  cancel(f);
  release(f);
  return TILE_STATUS_OK;
}
