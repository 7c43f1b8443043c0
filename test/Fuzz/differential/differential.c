//===- differential.c - random kernels, three ways ------------------------===//
//
// Makes a kernel of every seed (Kernel.h shows how), computes what it has to leave in memory one
// number at a time, and compares with what the compiled kernel leaves there, on the CPU, and on the
// GPU when there is one; where there is none, the way to PTX is compiled and not run.
//
//   differential --count 300                   the kernels of the seeds 1 to 300
//   differential --seed 7000 --count 1000 --jobs 16 --save FOLDER
//   differential --print --seed 17             kernel 17 as a .mlir file, with how it is launched
//   differential --shrink --seed 17 --time 60  the smallest kernel found that fails as 17 does
//
// A kernel, its data and its launch depend on its seed alone. What may differ: results of exact ops
// not at all; of the others, by the errors of docs/results/math-ulp.md and by what the order of a
// sum can make of it, as bounds that the evaluator carries through the kernel. NaNs are equal.
//
// Each job is a process that works through its seeds; when it dies, or takes more than 60 seconds
// for one, the parent reports the seed and begins a new one behind it. The status is 1 when
// anything was reported.
//===----------------------------------------------------------------------===//
#include "../RunOptions.h"
#include "Evaluate/Evaluate.h"
#include "Run.h"
#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_JOBS = 256, MAX_SHRINKS = 3000 };
static const double maxSeconds = 60;

typedef struct {
  RunOptions run;
  int jobs;
  const char *target;
  bool shrinks;
} Options;

/// What a job says of itself.
typedef struct {
  uint64_t now;
  double start;
  uint64_t done, undefined, reports;
  /// Elements of outputs: compared, exact, and those of which anything was right.
  uint64_t elements, exact, free;
  uint64_t millis; ///< in the compiler and its code
} Job;

static Options options = {.run = {.seed = 1, .usualCount = 100}, .jobs = 1, .target = "all"};
static bool hasDevice;
static Job *jobs;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

//===- one kernel ---------------------------------------------------------===//

static bool wants(Target target) {
  bool isAll = !strcmp(options.target, "all");
  if (target == TARGET_CPU) return isAll || !strcmp(options.target, "cpu");
  if (target == TARGET_GPU) return hasDevice && (isAll || !strcmp(options.target, "gpu"));
  if (target == TARGET_FRONT) return !strcmp(options.target, "front");
  return (isAll && !hasDevice) || !strcmp(options.target, "ptx");
}

static const char *const targetNames[] = {"cpu", "gpu", "ptx", "front"};

static bool isTarget(const char *name) {
  bool found = !strcmp(name, "all");
  for (int t = TARGET_CPU; t <= TARGET_FRONT; ++t) found |= !strcmp(name, targetNames[t]);
  return found;
}

static void countElements(const Kernel *k, const Memory *want, Job *job) {
  for (int p = 0; p < k->numParameters; ++p) {
    if (!isStored(k->parameters[p].role) && k->parameters[p].role != ROLE_ATOMIC) continue;
    for (int64_t i = 0; i < k->parameters[p].length; ++i) {
      double error = want->arrays[p][i].error;
      ++job->elements;
      if (error == 0) ++job->exact;
      if (isinf(error)) ++job->free;
    }
  }
}

/// Runs the kernel everywhere. True, or false and a message; `*problem`: what is undefined in it.
static bool tryKernel(Runner *r, const Kernel *k, Job *job, const char **problem, char *message,
                      size_t size, bool *isBroken) {
  Memory before = {{NULL}}, want = {{NULL}};
  fillMemory(k, &before);
  fillMemory(k, &want);
  *problem = evaluateKernel(k, &want);
  bool ok = true;
  char *text = printKernel(k);
  if (!*problem && job) countElements(k, &want, job);
  for (int t = TARGET_CPU; t <= TARGET_FRONT && ok && !*problem; ++t) {
    char found[1200];
    if (!wants((Target)t)) continue;
    ok = runKernel(r, k, text, (Target)t, &before, &want, found, sizeof found, isBroken);
    if (!ok) snprintf(message, size, "%s: %s", targetNames[t], found);
  }
  free(text);
  destroyMemory(&before);
  destroyMemory(&want);
  return ok;
}

static void saveKernel(uint64_t seed) {
  if (!options.run.save) return;
  char path[4096];
  snprintf(path, sizeof path, "%s/%" PRIu64 ".mlir", options.run.save, seed);
  Kernel *k = generateKernel(seed);
  char *text = printKernel(k);
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file)) perror(path);
  free(text);
  free(k);
}

static void report(uint64_t seed, const char *message) {
  printf("seed %" PRIu64 ": %s\n", seed, message);
  fflush(stdout);
  saveKernel(seed);
}

//===- jobs ---------------------------------------------------------------===//

static void dropCores(void) {
  struct rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
}

/// Seeds from `first` on, every options.jobs-th.
static void work(Job *job, uint64_t first, uint64_t end, double deadline) {
  dropCores();
  Runner *r = createRunner(hasDevice);
  for (uint64_t seed = first; seed < end && now() < deadline; seed += (uint64_t)options.jobs) {
    job->start = now();
    job->now = seed;
    Kernel *k = generateKernel(seed);
    const char *problem;
    char message[1400];
    bool isBroken = false;
    if (!tryKernel(r, k, job, &problem, message, sizeof message, &isBroken)) {
      ++job->reports;
      report(seed, message);
    }
    if (problem) {
      ++job->undefined;
      printf("seed %" PRIu64 ": the kernel is not defined: %s\n", seed, problem);
    }
    ++job->done;
    free(k);
    // A device that has failed takes no more work from this process.
    if (isBroken) _exit(3);
  }
  job->now = end;
  fflush(stdout);
  destroyRunner(r);
  _exit(0);
}

typedef struct {
  pid_t pid;
  uint64_t end;
} Child;

static void begin(Child *child, Job *job, uint64_t first, uint64_t end, double deadline) {
  job->now = first;
  job->start = now();
  fflush(stdout);
  child->end = end;
  child->pid = fork();
  if (child->pid < 0) {
    perror("fork");
    exit(2);
  }
  if (!child->pid) work(job, first, end, deadline);
}

/// What ended a job that did not end by itself; NULL where it did.
static const char *explain(int status, bool isLate) {
  static char message[64];
  if (isLate) return "took longer than allowed";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NULL;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 3) return "";
  if (WIFSIGNALED(status))
    snprintf(message, sizeof message, "ended with signal %s", strsignal(WTERMSIG(status)));
  else
    snprintf(message, sizeof message, "ended the process with %d", WEXITSTATUS(status));
  return message;
}

/// Looks after one job; false once it has come to its end.
static bool watch(Child *child, Job *job, double deadline) {
  int status;
  bool isLate = now() - job->start > maxSeconds && job->now < child->end;
  if (isLate) kill(child->pid, SIGKILL);
  if (waitpid(child->pid, &status, isLate ? 0 : WNOHANG) <= 0) return true;
  const char *message = explain(status, isLate);
  if (!message) return false;
  if (*message) {
    ++job->reports;
    ++job->done;
    report(job->now, message);
  }
  uint64_t next = job->now + (uint64_t)options.jobs;
  if (next >= child->end || now() > deadline) return false;
  begin(child, job, next, child->end, deadline);
  return true;
}

static void runAll(void) {
  static Child children[MAX_JOBS];
  double deadline = options.run.seconds > 0 ? now() + options.run.seconds : (double)INFINITY;
  uint64_t end = options.run.count ? options.run.seed + options.run.count : UINT64_MAX / 2;
  bool isRunning[MAX_JOBS];
  int running = options.jobs;
  for (int i = 0; i < options.jobs; ++i) {
    begin(&children[i], &jobs[i], options.run.seed + (uint64_t)i, end, deadline);
    isRunning[i] = true;
  }
  while (running) {
    for (int i = 0; i < options.jobs; ++i)
      if (isRunning[i] && !watch(&children[i], &jobs[i], deadline)) {
        isRunning[i] = false;
        --running;
      }
    usleep(5000);
  }
}

static int summarize(double seconds) {
  Job all = {0};
  for (int i = 0; i < options.jobs; ++i) {
    all.done += jobs[i].done;
    all.undefined += jobs[i].undefined;
    all.reports += jobs[i].reports;
    all.elements += jobs[i].elements;
    all.exact += jobs[i].exact;
    all.free += jobs[i].free;
  }
  double count = all.elements ? (double)all.elements : 1;
  printf("%" PRIu64 " kernels from %" PRIu64 " on (%s): %" PRIu64 " reports, %" PRIu64
         " not defined; %" PRIu64 " elements, %.0f%% exact, %.1f%% unbounded; %.0f s\n",
         all.done, options.run.seed,
         !strcmp(options.target, "all") ? hasDevice ? "cpu, gpu" : "cpu, ptx" : options.target,
         all.reports, all.undefined, all.elements, 100.0 * (double)all.exact / count,
         100.0 * (double)all.free / count, seconds);
  return all.reports || all.undefined ? 1 : 0;
}

//===- shrinking ----------------------------------------------------------===//

/// How a kernel fails, cut before its numbers: other kernels fail alike with others.
typedef struct {
  char kind[64];
  bool isDeadly; ///< to the process, or to its work on the GPU
} Failure;

static void classify(const char *message, Failure *f) {
  const char *colon = strstr(message, ": ");
  const char *rest = colon ? colon + 2 : message;
  bool isRefusal = !strncmp(rest, "refused", 7);
  snprintf(f->kind, sizeof f->kind, "%.3s %.59s", message, isRefusal ? rest : "differs");
}

/// Runs in a process of its own, which may crash or lose its GPU. 0: fine or not defined.
static int tryApart(const Kernel *k, Failure *f) {
  static Failure *shared;
  if (!shared)
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  *shared = (Failure){"crash", true};
  pid_t child = fork();
  if (!child) {
    dropCores();
    alarm((unsigned)maxSeconds);
    const char *problem;
    char message[1400];
    bool isBroken = false;
    Runner *r = createRunner(hasDevice);
    bool ok = tryKernel(r, k, NULL, &problem, message, sizeof message, &isBroken);
    if (!ok) {
      classify(message, shared);
      shared->isDeadly = isBroken;
    }
    _exit(ok || problem ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  *f = *shared;
  return status;
}

/// The same in this process.
static int tryHere(const Kernel *k, Failure *f) {
  static Runner *r;
  if (!r) r = createRunner(hasDevice);
  const char *problem;
  char message[1400];
  bool isBroken = false;
  bool ok = tryKernel(r, k, NULL, &problem, message, sizeof message, &isBroken);
  if (ok || problem) return 0;
  classify(message, f);
  return 1;
}

typedef struct {
  Failure want;
  double deadline;
} Shrinking;

static bool failsAlike(const Kernel *k, void *data) {
  const Shrinking *s = data;
  if (now() > s->deadline) return false;
  Failure found;
  int status = s->want.isDeadly ? tryApart(k, &found) : tryHere(k, &found);
  return status && !strcmp(found.kind, s->want.kind);
}

static int shrink(void) {
  Kernel *k = generateKernel(options.run.seed);
  double deadline = options.run.seconds > 0 ? now() + options.run.seconds : (double)INFINITY;
  Shrinking s = {.deadline = deadline};
  if (!tryApart(k, &s.want)) {
    printf("seed %" PRIu64 " does not fail\n", options.run.seed);
    free(k);
    return 2;
  }
  shrinkKernel(k, failsAlike, &s, MAX_SHRINKS);
  char *text = printKernel(k);
  printf("%s// fails: %s\n", text, s.want.kind);
  free(text);
  free(k);
  return 1;
}

//===- options ------------------------------------------------------------===//

static error_t parseOption(int key, char *text, struct argp_state *state) {
  char *rest = NULL;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &options.run;
    break;
  case 'j':
    options.jobs = (int)strtol(text, &rest, 10);
    if (*rest || options.jobs < 1 || options.jobs > MAX_JOBS)
      argp_error(state, "expected 1 to %d jobs, found '%s'", MAX_JOBS, text);
    break;
  case 'g':
    options.target = text;
    if (!isTarget(text))
      argp_error(state, "expected all, cpu, gpu, ptx or front, found '%s'", text);
    break;
  case 'r':
    options.shrinks = true;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

int main(int argc, char **argv) {
  static const struct argp_option list[] = {
      {"jobs", 'j', "N", 0, "Processes (1)", 0},
      {"target", 'g', "NAME", 0, "all, cpu, gpu, ptx or front (all that can be)", 0},
      {"shrink", 'r', 0, 0, "Print the smallest kernel that fails as the first does", 0},
      {0}};
  static const struct argp parser = {list,
                                     parseOption,
                                     "",
                                     "Compares compiled random kernels with what they mean.",
                                     runOptionChildren,
                                     0,
                                     0};
  argp_parse(&parser, argc, argv, 0, NULL, NULL);
  if (options.run.prints) {
    Kernel *k = generateKernel(options.run.seed);
    char *text = printKernel(k);
    printf("%s", text);
    free(text);
    free(k);
    return 0;
  }
  hasDevice = (!strcmp(options.target, "all") || !strcmp(options.target, "gpu")) && findGpu();
  if (!strcmp(options.target, "gpu") && !hasDevice) {
    fprintf(stderr, "differential: expected a GPU, found none\n");
    return 2;
  }
  if (options.shrinks) return shrink();
  jobs = mmap(NULL, MAX_JOBS * sizeof *jobs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
              0);
  if (jobs == MAP_FAILED) {
    perror("differential");
    return 2;
  }
  double start = now();
  runAll();
  return summarize(now() - start);
}
