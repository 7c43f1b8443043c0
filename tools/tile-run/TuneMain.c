//===- TuneMain.c - tuning, and what it found, from the command line ------===//
//
// The program runs, and its kernels are tuned, in a worker process (tile/Tune.h); this one watches
// it through shared memory, replaces it when it dies of a candidate or a candidate hangs, prints
// what came out and keeps the winners.
//
//===----------------------------------------------------------------------===//
#include "TileRun.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool report(TileError *error) {
  fprintf(stderr, "error: %s\n", tileErrorGetMessage(error));
  tileErrorDestroy(error);
  return false;
}

//===- watching -----------------------------------------------------------===//

static TileTrial *findRunning(TileTuneState *state) {
  for (int i = 0; i < state->numTasks; ++i)
    for (int k = 0; k < state->tasks[i].numTrials; ++k)
      if (state->tasks[i].trials[k].state == TILE_TRIAL_RUNNING) return &state->tasks[i].trials[k];
  return NULL;
}

/// Waits for a worker, or kills it at its deadline. Its status; `*late` says that it was killed.
static int watch(pid_t worker, const TileTuneState *state, bool *late) {
  const struct timespec pause = {.tv_nsec = 2000000};
  int status;
  *late = false;
  while (waitpid(worker, &status, WNOHANG) == 0) {
    double deadline = state->deadline;
    if (!*late && deadline > 0 && tileClockGetSeconds() > deadline) {
      *late = true;
      kill(worker, SIGKILL);
    }
    nanosleep(&pause, NULL);
  }
  return status;
}

/// Runs one worker after the other until one comes to its end; false where that was an error.
static bool runWorkers(const RunOptions *o, const TileTuneOptions *tune) {
  TileTuneState *state = tune->state;
  for (;;) {
    state->deadline = 0;
    fflush(NULL);
    pid_t worker = fork();
    if (worker < 0) {
      fputs("error: expected to start a worker process, found no room for one\n", stderr);
      return false;
    }
    if (!worker) {
      // A candidate that faults ends the worker by the signal, whoever else would handle it.
      signal(SIGSEGV, SIG_DFL);
      signal(SIGBUS, SIG_DFL);
      signal(SIGFPE, SIG_DFL);
      signal(SIGILL, SIG_DFL);
      TileCache *cache = NULL;
      bool ok = openCache(&cache) && runFile(o, cache, tune);
      tileCacheClose(cache);
      fflush(NULL);
      _exit(ok ? 0 : 1);
    }
    bool late;
    int status = watch(worker, state, &late);
    TileTrial *trial = findRunning(state);
    if (WIFEXITED(status) && WEXITSTATUS(status) != TILE_TUNE_LOST) return WEXITSTATUS(status) == 0;
    if (trial && late) {
      trial->state = TILE_TRIAL_HUNG;
      snprintf(trial->message, sizeof trial->message, "expected an end in time, found none");
    } else if (trial) {
      trial->state = TILE_TRIAL_FAULT;
      snprintf(trial->message, sizeof trial->message, "expected to live, found signal %d (%s)",
               WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WIFSIGNALED(status)) {
      fprintf(stderr,
              "error: expected a worker process to go on, found it ended by signal %d (%s)\n",
              WTERMSIG(status), strsignal(WTERMSIG(status)));
      return false;
    }
  }
}

//===- what came out ------------------------------------------------------===//

static const char *nameOf(TileTrialState state) {
  static const char *const names[] = {
      "not tried", "pruned",  "compiled",  "running",      "timed", "beaten",
      "best",      "no code", "too large", "wrong result", "fault", "hangs",
  };
  return names[state];
}

static void printTask(const TileTuneTask *task) {
  printf("%s(%s) on %s: %d candidates\n", task->kernel, task->key, task->device, task->numTrials);
  for (int i = 0; i < task->numTrials; ++i) {
    const TileTrial *trial = &task->trials[i];
    const char *config = trial->config[0] ? trial->config : "(default)";
    if (trial->state == TILE_TRIAL_BEATEN || trial->state == TILE_TRIAL_WON)
      printf("  %-40s %.4g ms%s\n", config, trial->seconds * 1e3,
             trial->state == TILE_TRIAL_WON ? ", best" : "");
    else
      printf("  %-40s %s: %s\n", config, nameOf(trial->state), trial->message);
  }
}

/// Keeps the winners of all tasks, all or none.
static bool keep(const TileTuneState *state) {
  TileTuned results[TILE_TUNE_TASKS];
  for (int i = 0; i < state->numTasks; ++i) {
    const TileTuneTask *task = &state->tasks[i];
    const TileTrial *best = &task->trials[task->winner];
    results[i] = (TileTuned){.kernel = task->kernel,
                             .code = task->code,
                             .key = task->key,
                             .types = task->types,
                             .device = task->device,
                             .version = TILE_TUNED_VERSION,
                             .config = best->config,
                             .seconds = best->seconds,
                             .tried = task->numTrials};
  }
  TileCache *cache;
  if (!openCache(&cache)) return false;
  TileError error = TILE_ERROR_INIT;
  bool ok = tileTunedPut(cache, results, (size_t)state->numTasks, &error);
  tileCacheClose(cache);
  return ok || report(&error);
}

bool tune(const RunOptions *o) {
  TileTuneState *state =
      mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (state == MAP_FAILED) abort();
  const TileTuneOptions options = {.state = state,
                                   .spaces = o->spaces,
                                   .numSpaces = o->numSpaces,
                                   .budget = o->budget,
                                   .kernel = o->kernel,
                                   .timeout = o->tuneTimeout};
  // Found out now rather than after the work.
  TileCache *cache = NULL;
  bool ok = openCache(&cache) && expectCache(cache, /*writable=*/true);
  tileCacheClose(cache);
  ok = ok && runWorkers(o, &options);
  for (int i = 0; i < state->numTasks; ++i) printTask(&state->tasks[i]);
  if (ok && !state->numTasks) {
    fputs("error: expected @main to launch a kernel with configs (or --space), found none\n",
          stderr);
    ok = false;
  }
  ok = ok && keep(state);
  munmap(state, sizeof *state);
  return ok && fflush(stdout) == 0;
}

//===- what is known ------------------------------------------------------===//

static bool findAll(TileCache *cache, TileTunedList *list) {
  return expectCache(cache, false) && tileTunedFind(cache, &(TileTuned){0}, list);
}

bool showTuned(TileCache *cache) {
  TileTunedList list;
  if (!findAll(cache, &list)) return false;
  for (size_t i = 0; i < list.count; ++i) {
    const TileTuned *t = &list.items[i];
    printf("%s(%s): %s, %.4g ms, best of %lld, on %s, version %s, code %.8s\n", t->kernel, t->key,
           *t->config ? t->config : "(default)", t->seconds * 1e3, (long long)t->tried, t->device,
           t->version, t->code);
  }
  tileTunedListDestroy(&list);
  return fflush(stdout) == 0;
}

bool exportTuned(TileCache *cache, const char *path) {
  TileTunedList list;
  TileError error = TILE_ERROR_INIT;
  if (!findAll(cache, &list)) return false;
  bool ok = tileTunedWrite(path, &list, &error) || report(&error);
  tileTunedListDestroy(&list);
  return ok;
}

bool importTuned(TileCache *cache, const char *path) {
  TileTunedList list = {0};
  TileError error = TILE_ERROR_INIT;
  if (!expectCache(cache, true)) return false;
  bool ok =
      (tileTunedRead(path, &list, &error) && tileTunedPut(cache, list.items, list.count, &error)) ||
      report(&error);
  tileTunedListDestroy(&list);
  return ok;
}
