//===- TuneMain.c - tuning from the command line --------------------------===//
//
// The program runs, and its kernels are tuned, in a worker process (tile/Session/Tune.h); this one
// watches it through shared memory, replaces it when it dies of a candidate or a candidate hangs,
// prints what came out and keeps the winners. Before a benchmark that happens at each of its
// points.
//
//===----------------------------------------------------------------------===//
#include "TileRun.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool report(TileError *error) {
  fprintf(stderr, "error: %s\n", tileErrorGetMessage(error));
  tileErrorDestroy(error);
  return false;
}

//===- Ctrl-C -------------------------------------------------------------===//

/// The worker, of the same process group, is told too.
static volatile sig_atomic_t stopped;

static void releaseInterrupts(void);

static void onInterrupt(int number) {
  (void)number;
  stopped = 1;
  releaseInterrupts();
}

/// What Ctrl-C and its like did before, and a second one does again.
static struct sigaction formerInterrupt, formerEnd;

static void catchInterrupts(void) {
  struct sigaction action = {.sa_handler = onInterrupt};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &formerInterrupt);
  sigaction(SIGTERM, &action, &formerEnd);
}

static void releaseInterrupts(void) {
  sigaction(SIGINT, &formerInterrupt, NULL);
  sigaction(SIGTERM, &formerEnd, NULL);
}

//===- watching -----------------------------------------------------------===//

static TileTrial *findRunning(TileTuneState *state) {
  for (int i = 0; i < state->numTasks; ++i)
    for (int k = 0; k < state->tasks[i].numTrials; ++k)
      if (state->tasks[i].trials[k].state == TILE_TRIAL_RUNNING) return &state->tasks[i].trials[k];
  return NULL;
}

/// How many candidates of the last task are through, and what the worker does now.
static void drawProgress(TileTuneState *state) {
  if (!state->numTasks) return;
  TileTuneTask *task = &state->tasks[state->numTasks - 1];
  int done = 0, compiled = 0, timed = 0;
  for (int i = 0; i < task->numTrials; ++i) {
    TileTrialState now = task->trials[i].state;
    compiled += now != TILE_TRIAL_NEW;
    done += now != TILE_TRIAL_NEW && now != TILE_TRIAL_COMPILED && now != TILE_TRIAL_RUNNING;
    timed += task->trials[i].seconds > 0;
  }
  const TileTrial *running = findRunning(state);
  bool compiling = compiled < task->numTrials;
  char what[640];
  snprintf(what, sizeof what, "%s(%s) %s %s", task->kernel, task->key,
           compiling ? "compiling"
           : timed   ? "timing"
                     : "trying",
           running ? running->config : "");
  tileProgressDraw((size_t)(compiling ? compiled : done), (size_t)task->numTrials, what);
}

/// Waits for a worker, or kills it at its deadline. Its status; `*late` says that it was killed.
static int watch(pid_t worker, TileTuneState *state, bool *late) {
  enum { DRAW_EVERY = 50 };
  const struct timespec pause = {.tv_nsec = 2000000};
  int status;
  *late = false;
  for (unsigned i = 1; waitpid(worker, &status, WNOHANG) == 0; ++i) {
    double deadline = state->deadline;
    if (stopped || (!*late && deadline > 0 && tileClockGetSeconds() > deadline)) {
      *late = true;
      kill(worker, SIGKILL);
    }
    if (i % DRAW_EVERY == 0 && !stopped) drawProgress(state);
    nanosleep(&pause, NULL);
  }
  tileProgressClear();
  return status;
}

/// Runs one worker after the other until one comes to its end; false where that was an error.
static bool runWorkers(const RunOptions *o, const TileTuneOptions *tune) {
  TileTuneState *state = tune->state;
  pid_t watcher = getpid();
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
      releaseInterrupts();
      // Nobody would end a candidate that hangs when the watcher is gone.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != watcher) _exit(1);
      TileCache *cache = NULL;
      bool ok = openCache(&cache) && runFile(o, cache, tune);
      tileCacheClose(cache);
      ok = fflush(NULL) == 0 && ok;
      _exit(ok ? 0 : 1);
    }
    bool late;
    int status = watch(worker, state, &late);
    TileTrial *trial = findRunning(state);
    if (stopped) {
      fputs("error: interrupted; what was found for this launch is not kept\n", stderr);
      return false;
    }
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
      "not tried", "pruned",    "compiled",     "running", "right", "beaten",  "best",
      "no code",   "too large", "wrong result", "fault",   "hangs", "no time",
  };
  return names[state];
}

static const char *configOf(const TileTrial *trial) {
  return trial->config[0] ? trial->config : "(default)";
}

static bool isTimed(const TileTrial *trial) {
  return trial->state == TILE_TRIAL_BEATEN || trial->state == TILE_TRIAL_WON ||
         (trial->state == TILE_TRIAL_TIMED && trial->seconds > 0);
}

/// The winner, then the others by their times, then those without in the order of the list.
static int compareTrials(const void *left, const void *right) {
  const TileTrial *a = *(const TileTrial *const *)left, *b = *(const TileTrial *const *)right;
  bool aWon = a->state == TILE_TRIAL_WON, bWon = b->state == TILE_TRIAL_WON;
  if (aWon != bWon) return aWon ? -1 : 1;
  if (isTimed(a) != isTimed(b)) return isTimed(a) ? -1 : 1;
  if (isTimed(a) && a->seconds != b->seconds) return a->seconds < b->seconds ? -1 : 1;
  return a < b ? -1 : a > b;
}

/// Time, how many times as fast as the default, and rates where the kernel has a tile.cost.
static void printTimes(const TileTuneTask *task, const TileTrial *trial) {
  const TileTrial *usual = &task->trials[0];
  printf("%.4g ms", trial->seconds * 1e3);
  if (isTimed(usual) && trial != usual) printf(", %.3g x", usual->seconds / trial->seconds);
  if (task->operations) printf(", %.4g TFLOP/s", (double)task->operations / trial->seconds * 1e-12);
  if (task->bytes) printf(", %.4g GB/s", (double)task->bytes / trial->seconds * 1e-9);
  puts(trial->state == TILE_TRIAL_WON ? ", best" : "");
}

static void printTrial(const TileTuneTask *task, const TileTrial *trial, int width) {
  printf("  %-*s ", width, configOf(trial));
  if (isTimed(trial))
    printTimes(task, trial);
  else
    printf("%s%s%s\n", nameOf(trial->state), trial->message[0] ? ": " : "", trial->message);
}

/// All candidates, the fastest first; of many that were not worth compiling, how many there were,
/// unless `all`.
static void printTask(const TileTuneTask *task, bool all) {
  enum { FEW = 4 };
  int pruned = 0, width = 0;
  const TileTrial **ranked = calloc((size_t)task->numTrials + 1, sizeof(const TileTrial *));
  if (!ranked) abort();
  for (int i = 0; i < task->numTrials; ++i) {
    ranked[i] = &task->trials[i];
    int length = (int)strlen(configOf(&task->trials[i]));
    pruned += task->trials[i].state == TILE_TRIAL_PRUNED;
    if (length > width) width = length;
  }
  qsort(ranked, (size_t)task->numTrials, sizeof *ranked, compareTrials);
  bool few = all || pruned <= FEW;
  printf("%s(%s) on %s: %d candidates; x: times as fast as the default\n", task->kernel, task->key,
         task->device, task->numTrials);
  for (int i = 0; i < task->numTrials; ++i)
    if (few || ranked[i]->state != TILE_TRIAL_PRUNED) printTrial(task, ranked[i], width);
  if (!few)
    printf("  and %d not compiled, by the cost model, for their size or as the same as another (-v "
           "lists them)\n",
           pruned);
  free(ranked);
}

/// The same in a line, for a benchmark.
static void printWinner(const TileTuneTask *task) {
  const TileTrial *best = &task->trials[task->winner];
  if (task->done)
    printf("tuned %s(%s): %s, %.4g ms, best of %d\n", task->kernel, task->key, configOf(best),
           best->seconds * 1e3, task->numTrials);
}

/// Keeps the winners of all tasks, all or none.
static bool keep(const TileTuneState *state) {
  TileTuned results[TILE_TUNE_TASKS];
  for (int i = 0; i < state->numTasks; ++i) results[i] = tileTuneTaskGetWinner(&state->tasks[i]);
  TileCache *cache;
  if (!openCache(&cache)) return false;
  TileError error = TILE_ERROR_INIT;
  bool ok = tileTunedPut(cache, results, (size_t)state->numTasks, &error);
  tileCacheClose(cache);
  return ok || report(&error);
}

/// One run of the program with tuning. `*tasks` is how many launches there were to tune.
static bool tuneOnce(const RunOptions *o, int *tasks) {
  TileTuneState *state =
      mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (state == MAP_FAILED) abort();
  const TileTuneOptions options = {.state = state,
                                   .spaces = o->spaces,
                                   .numSpaces = o->numSpaces,
                                   .budget = o->budget,
                                   .kernel = o->kernel,
                                   .timeout = o->tuneTimeout};
  bool ok = runWorkers(o, &options);
  *tasks = state->numTasks;
  for (int i = 0; i < state->numTasks; ++i)
    if (o->bench.wanted && ok && !o->verbose)
      printWinner(&state->tasks[i]);
    else
      printTask(&state->tasks[i], o->verbose);
  fflush(stdout);
  ok = ok && (!state->numTasks || keep(state));
  munmap(state, sizeof *state);
  return ok;
}

/// Tunes one file at each point of the benchmark. A point that fails, here for want of memory, say,
/// fails again when it is measured, and is marked then.
static int tunePoints(const RunOptions *o, const char *file) {
  RunOptions at = *o;
  at.file = file;
  int all = 0;
  for (size_t i = 0; i < tileSpaceGetNumPoints(o->bench.space) && !stopped; ++i) {
    int tasks = 0;
    at.tunePoint = i;
    bool ok = tuneOnce(&at, &tasks);
    all += tasks;
    if (ok && !tasks) break;
  }
  return all;
}

/// The lines of a benchmark that bind nothing.
static int tuneLines(const RunOptions *o) {
  int all = o->numBind ? 0 : tunePoints(o, o->file);
  for (size_t i = 0; i < o->bench.numCompare && !stopped; ++i) {
    const char *equals = strchr(o->bench.compare[i], '=');
    if (equals && !strchr(equals, ',')) all += tunePoints(o, equals + 1);
  }
  return all;
}

bool tune(const RunOptions *o) {
  // Found out now rather than after the work.
  TileCache *cache = NULL;
  bool ok = openCache(&cache) && expectCache(cache, /*writable=*/true);
  tileCacheClose(cache);
  if (!ok) return false;
  catchInterrupts();
  int tasks = 0;
  if (o->bench.wanted)
    tasks = tuneLines(o);
  else
    ok = tuneOnce(o, &tasks);
  releaseInterrupts();
  ok = ok && !stopped;
  if (ok && !tasks) {
    fputs("error: expected @main to launch a kernel with configs (or --space), found none\n",
          stderr);
    ok = false;
  }
  return ok;
}

//===- what is known ------------------------------------------------------===//

static bool findAll(TileCache *cache, TileTunedList *list) {
  return expectCache(cache, false) && tileTunedFind(cache, &(TileTuned){0}, list);
}

bool showTuned(TileCache *cache) {
  TileTunedList list;
  if (!findAll(cache, &list)) return false;
  if (!list.count) fputs("note: nothing is tuned yet\n", stderr);
  for (size_t i = 0; i < list.count; ++i) {
    const TileTuned *t = &list.items[i];
    printf("%s(%s): %s, %.4g ms, best of %lld, on %s, version %s, code %.8s\n", t->kernel, t->key,
           *t->config ? t->config : "(default)", t->seconds * 1e3, (long long)t->tried, t->device,
           t->version, t->code);
  }
  tileTunedListDestroy(&list);
  return true;
}

/// "-" is stdout, and stdin.
static bool isStream(const char *path) { return !strcmp(path, "-"); }

bool exportTuned(TileCache *cache, const char *path) {
  TileTunedList list;
  TileError error = TILE_ERROR_INIT;
  if (!findAll(cache, &list)) return false;
  // What stdout does not take is told at the end, as for all that is printed.
  bool ok = isStream(path) ? tileTunedPrint(stdout, &list) || ferror(stdout)
                           : tileTunedWrite(path, &list, &error) || report(&error);
  tileTunedListDestroy(&list);
  return ok;
}

bool importTuned(TileCache *cache, const char *path) {
  TileTunedList list = {0};
  TileError error = TILE_ERROR_INIT;
  if (!expectCache(cache, true)) return false;
  bool ok = isStream(path) ? tileTunedParse(stdin, "<stdin>", &list, &error)
                           : tileTunedRead(path, &list, &error);
  ok = (ok && tileTunedPut(cache, list.items, list.count, &error)) || report(&error);
  tileTunedListDestroy(&list);
  return ok;
}
