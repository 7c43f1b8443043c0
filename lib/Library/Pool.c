//===- Pool.c - threads of a context's, for what is done in the background ===//
//
// Threads start when there is more to do than threads that wait, up to the context's number, and
// end with the context. Signals of the host's are its own threads' affair.
//===----------------------------------------------------------------------===//
#include "Library.h"
#include <signal.h>
#include <unistd.h>

void tileLibPoolCreate(TileLibPool *pool, unsigned threads) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (!threads) threads = cores > 0 ? (unsigned)cores : 1;
  pool->limit = threads < TILE_LIB_MAX_THREADS ? threads : TILE_LIB_MAX_THREADS;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->changed, NULL);
}

/// The next job, or NULL at the end of all.
static TileLibJob *takeJob(TileLibPool *pool) {
  pthread_mutex_lock(&pool->mutex);
  ++pool->idle;
  while (!pool->first && !pool->stops) pthread_cond_wait(&pool->changed, &pool->mutex);
  --pool->idle;
  TileLibJob *job = pool->first;
  if (job) {
    pool->first = job->next;
    --pool->waiting;
  }
  pthread_mutex_unlock(&pool->mutex);
  return job;
}

static void *work(void *data) {
  TileLibPool *pool = data;
  for (TileLibJob *job; (job = takeJob(pool));) job->run(job);
  return NULL;
}

/// One thread more; false where there is none to be had. With the mutex.
static bool startThread(TileLibPool *pool) {
  sigset_t all, before;
  sigfillset(&all);
  // Faults of its own are answered where they happen.
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) sigdelset(&all, faults[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(&pool->threads[pool->numThreads], NULL, work, pool) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pool->numThreads += ok;
  return ok;
}

bool tileLibPoolAdd(TileLibPool *pool, TileLibJob *job) {
  pthread_mutex_lock(&pool->mutex);
  bool wanted = pool->waiting >= pool->idle && pool->numThreads < pool->limit;
  bool ok = !wanted || startThread(pool) || pool->numThreads;
  if (ok) {
    job->next = NULL;
    TileLibJob **at = pool->first ? &pool->last->next : &pool->first;
    *at = job;
    pool->last = job;
    ++pool->waiting;
    pthread_cond_signal(&pool->changed);
  }
  pthread_mutex_unlock(&pool->mutex);
  return ok;
}

void tileLibPoolDestroy(TileLibPool *pool) {
  pthread_mutex_lock(&pool->mutex);
  TileLibJob *job = pool->first, *next;
  pool->first = NULL;
  pool->waiting = 0;
  pool->stops = true;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
  for (; job; job = next) {
    next = job->next;
    job->drop(job);
  }
  for (unsigned i = 0; i < pool->numThreads; ++i) pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->mutex);
}
