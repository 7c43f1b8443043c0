//===- Executor.c - a pool of threads over a shared counter ---------------===//
//
// A job is published in one atomic word, `state`:
//
//    63           33  32   31            0
//   [ job number    | open | joined count ]
//
// A worker joins an open job that it has not seen by a compare-and-swap that adds one to the count,
// and leaves by subtracting one. The caller closes the job when the counter has run out, and then
// waits only for those who joined: a worker that wakes late finds the job closed and costs nothing.
// The job's fields change only while the job is closed and nobody is joined.
//===----------------------------------------------------------------------===//
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "tile/Runtime/Executor.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILE_HAS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TILE_HAS_ASAN 1
#endif

#ifdef TILE_HAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

enum { MAX_THREADS = 4096, SPINS = 1000, CHUNKS_A_THREAD = 8 };
#define DEFAULT_STACK_BYTES ((size_t)64 << 20)
#define STATE_OPEN (UINT64_C(1) << 32)
#define STATE_JOB (UINT64_C(1) << 33)
#define STATE_JOINED (STATE_OPEN - 1)
#define STATE_NUMBER (~(STATE_JOB - 1))

typedef struct Job {
  TileCpuKernel kernel;
  const void *args;
  int32_t grid[3];
  TileLoopBody body; ///< NULL: programs of `kernel`.
  void *context;
  int64_t total, grain;
} Job;

struct TileExecutor {
  unsigned threads, workers;
  unsigned spins;
  pthread_t *handles;
  void *callerStack;
  size_t callerStackBytes, guardBytes;
  pthread_mutex_t turn; ///< Held through a run.
  Job job;
  _Alignas(64) _Atomic int64_t next;
  _Alignas(64) _Atomic uint64_t state;
  pthread_mutex_t mutex;
  pthread_cond_t wake, done;
  _Atomic unsigned sleeping;
  _Atomic bool callerSleeps, stopping;
};

/// Set while this thread works on a job of any executor.
static _Thread_local bool insideJob;

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

//===- Work ---------------------------------------------------------------===//

static void runPrograms(const Job *job, int64_t begin, int64_t end) {
  int32_t nx = job->grid[0], ny = job->grid[1], nz = job->grid[2];
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a grid with an extent of 0 is not run
  int32_t x = (int32_t)(begin % nx);
  int32_t y = (int32_t)(begin / nx % ny);
  int32_t z = (int32_t)(begin / nx / ny);
  for (int64_t i = begin; i < end; ++i) {
    job->kernel(job->args, x, y, z, nx, ny, nz);
    if (++x < nx) continue;
    x = 0;
    if (++y < ny) continue;
    y = 0;
    ++z;
  }
}

static void runRange(const Job *job, int64_t begin, int64_t end) {
  if (job->body)
    job->body(job->context, begin, end);
  else
    runPrograms(job, begin, end);
}

/// Takes chunks until none is left. A chunk is a fixed share of what remains (guided
/// self-scheduling, Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987).
static void work(TileExecutor *executor) {
  const Job *job = &executor->job;
  int64_t shares = (int64_t)executor->threads * CHUNKS_A_THREAD;
  insideJob = true;
  int64_t begin = atomic_load_explicit(&executor->next, memory_order_relaxed);
  while (begin < job->total) {
    int64_t chunk = (job->total - begin) / shares;
    if (chunk < job->grain) chunk = job->grain;
    int64_t end = chunk < job->total - begin ? begin + chunk : job->total;
    if (!atomic_compare_exchange_weak_explicit(&executor->next, &begin, end, memory_order_relaxed,
                                               memory_order_relaxed))
      continue;
    runRange(job, begin, end);
    begin = atomic_load_explicit(&executor->next, memory_order_relaxed);
  }
  insideJob = false;
}

//===- Workers ------------------------------------------------------------===//

/// Whether there is a job that this worker has not seen, or the pool ends.
static bool hasNews(TileExecutor *executor, uint64_t seen) {
  uint64_t state = atomic_load(&executor->state);
  return ((state & STATE_OPEN) && (state & STATE_NUMBER) != seen) ||
         atomic_load(&executor->stopping);
}

static void awaitNews(TileExecutor *executor, uint64_t seen) {
  for (unsigned i = 0; i < executor->spins; ++i) {
    if (hasNews(executor, seen)) return;
    relax();
  }
  pthread_mutex_lock(&executor->mutex);
  // The caller publishes, then reads `sleeping`; this adds to it, then reads the publication.
  atomic_fetch_add(&executor->sleeping, 1);
  while (!hasNews(executor, seen)) pthread_cond_wait(&executor->wake, &executor->mutex);
  atomic_fetch_sub(&executor->sleeping, 1);
  pthread_mutex_unlock(&executor->mutex);
}

/// Adds this thread to the open job; false when it closed meanwhile.
static bool joinJob(TileExecutor *executor, uint64_t *seen) {
  uint64_t state = atomic_load(&executor->state);
  while ((state & STATE_OPEN) && (state & STATE_NUMBER) != *seen) {
    if (!atomic_compare_exchange_weak(&executor->state, &state, state + 1)) continue;
    *seen = state & STATE_NUMBER;
    return true;
  }
  return false;
}

static void leaveJob(TileExecutor *executor) {
  uint64_t before = atomic_fetch_sub(&executor->state, 1);
  bool last = (before & STATE_JOINED) == 1 && !(before & STATE_OPEN);
  if (!last || !atomic_load(&executor->callerSleeps)) return;
  pthread_mutex_lock(&executor->mutex);
  pthread_cond_signal(&executor->done);
  pthread_mutex_unlock(&executor->mutex);
}

static void *runWorker(void *opaque) {
  TileExecutor *executor = opaque;
  uint64_t seen = 0;
  for (;;) {
    awaitNews(executor, seen);
    if (atomic_load(&executor->stopping)) return NULL;
    if (!joinJob(executor, &seen)) continue;
    work(executor);
    leaveJob(executor);
  }
}

//===- The caller ---------------------------------------------------------===//

/// The executor whose job this thread begins on another stack.
static _Thread_local TileExecutor *switchingExecutor;

/// AddressSanitizer has to be told of stacks that a program switches itself
/// (common_interface_defs.h of its runtime). To `bottom`, of `size` bytes; `fake` keeps what is to
/// come back, NULL where nothing is.
static void beginSwitch(void **fake, const void *bottom, size_t size) {
#ifdef TILE_HAS_ASAN
  __sanitizer_start_switch_fiber(fake, bottom, size);
#else
  (void)fake, (void)bottom, (void)size;
#endif
}

/// On the other stack, with what was kept of it; gives the one that was left.
static void endSwitch(void *fake, const void **bottom, size_t *size) {
#ifdef TILE_HAS_ASAN
  __sanitizer_finish_switch_fiber(fake, bottom, size);
#else
  (void)fake, (void)bottom, (void)size;
#endif
}

static void workInside(void) {
  const void *bottom = NULL;
  size_t size = 0;
  endSwitch(NULL, &bottom, &size);
  work(switchingExecutor);
  beginSwitch(NULL, bottom, size);
}

/// Works on the executor's own large stack: the caller's may be small.
static void workOnLargeStack(TileExecutor *executor) {
  ucontext_t caller, inside;
  if (getcontext(&inside)) {
    work(executor);
    return;
  }
  inside.uc_stack.ss_sp = (char *)executor->callerStack + executor->guardBytes;
  inside.uc_stack.ss_size = executor->callerStackBytes - executor->guardBytes;
  inside.uc_link = &caller;
  makecontext(&inside, workInside, 0);
  switchingExecutor = executor;
  void *fake = NULL;
  beginSwitch(&fake, inside.uc_stack.ss_sp, inside.uc_stack.ss_size);
  swapcontext(&caller, &inside);
  endSwitch(fake, NULL, NULL);
}

/// Wakes as many sleeping workers as the job has chunks for.
static void wakeWorkers(TileExecutor *executor, int64_t chunks) {
  unsigned sleeping = atomic_load(&executor->sleeping);
  if (!sleeping || chunks < 2) return;
  pthread_mutex_lock(&executor->mutex);
  if (chunks - 1 >= sleeping) {
    pthread_cond_broadcast(&executor->wake);
  } else {
    for (int64_t i = 1; i < chunks; ++i) pthread_cond_signal(&executor->wake);
  }
  pthread_mutex_unlock(&executor->mutex);
}

static bool allLeft(TileExecutor *executor) {
  return !(atomic_load(&executor->state) & STATE_JOINED);
}

static void awaitWorkers(TileExecutor *executor) {
  for (unsigned i = 0; i < executor->spins; ++i) {
    if (allLeft(executor)) return;
    relax();
  }
  pthread_mutex_lock(&executor->mutex);
  atomic_store(&executor->callerSleeps, true);
  while (!allLeft(executor)) pthread_cond_wait(&executor->done, &executor->mutex);
  atomic_store(&executor->callerSleeps, false);
  pthread_mutex_unlock(&executor->mutex);
}

static void runJob(TileExecutor *executor, const Job *job) {
  if (!job->total) return;
  if (insideJob) {
    runRange(job, 0, job->total);
    return;
  }
  pthread_mutex_lock(&executor->turn);
  executor->job = *job;
  atomic_store_explicit(&executor->next, 0, memory_order_relaxed);
  uint64_t number = (atomic_load(&executor->state) & STATE_NUMBER) + STATE_JOB;
  atomic_store(&executor->state, number | STATE_OPEN);
  wakeWorkers(executor, (job->total - 1) / job->grain + 1);
  workOnLargeStack(executor);
  atomic_fetch_and(&executor->state, ~STATE_OPEN);
  awaitWorkers(executor);
  pthread_mutex_unlock(&executor->turn);
}

bool tileExecutorRun(TileExecutor *executor, TileCpuKernel kernel, const void *args,
                     const int32_t grid[3], TileError *error) {
  Job job = {.kernel = kernel, .args = args, .total = 1, .grain = 1};
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 0)
      return tileErrorSet(error, "expected grid extents of 0 or more, found %d x %d x %d", grid[0],
                          grid[1], grid[2]);
    job.grid[i] = grid[i];
    if (grid[i] && job.total > (INT64_C(1) << 62) / grid[i])
      return tileErrorSet(error, "expected fewer than 2^62 programs, found a grid of %d x %d x %d",
                          grid[0], grid[1], grid[2]);
    job.total *= grid[i];
  }
  runJob(executor, &job);
  return true;
}

void tileExecutorLoop(TileExecutor *executor, int64_t count, int64_t grain, TileLoopBody body,
                      void *context) {
  if (count <= 0) return;
  if (!executor) {
    body(context, 0, count);
    return;
  }
  Job job = {.body = body, .context = context, .total = count, .grain = grain > 1 ? grain : 1};
  runJob(executor, &job);
}

unsigned tileExecutorGetThreads(const TileExecutor *executor) { return executor->threads; }

//===- Making and ending --------------------------------------------------===//

static unsigned countCpus(void) {
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof set, &set)) {
    int count = CPU_COUNT(&set);
    if (count > 0) return (unsigned)count;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (online < 1) return 1;
  return online < MAX_THREADS ? (unsigned)online : MAX_THREADS;
}

static bool chooseThreads(unsigned asked, unsigned *threads, TileError *error) {
  *threads = asked ? asked : countCpus();
  const char *text = getenv("TILE_NUM_THREADS");
  if (asked || !text || !*text) return true;
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (*end || errno || number < 1 || number > MAX_THREADS)
    return tileErrorSet(error, "expected TILE_NUM_THREADS to be a number in 1 .. %d, found '%s'",
                        MAX_THREADS, text);
  *threads = (unsigned)number;
  return true;
}

static bool mapCallerStack(TileExecutor *executor, size_t bytes, TileError *error) {
  executor->guardBytes = (size_t)sysconf(_SC_PAGESIZE);
  executor->callerStackBytes = bytes + executor->guardBytes;
  void *stack = mmap(NULL, executor->callerStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || mprotect(stack, executor->guardBytes, PROT_NONE)) {
    int reason = errno;
    if (stack != MAP_FAILED) munmap(stack, executor->callerStackBytes);
    return tileErrorSet(error, "expected room for a stack of %zu bytes, found: %s", bytes,
                        strerror(reason));
  }
  executor->callerStack = stack;
  return true;
}

static bool startWorkers(TileExecutor *executor, size_t stackBytes, TileError *error) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  int reason = pthread_attr_setstacksize(&attributes, stackBytes);
  executor->handles = tileRuntimeAlloc(sizeof(pthread_t) * executor->threads);
  while (!reason && executor->workers + 1 < executor->threads) {
    reason =
        pthread_create(&executor->handles[executor->workers], &attributes, runWorker, executor);
    if (!reason) ++executor->workers;
  }
  pthread_attr_destroy(&attributes);
  if (!reason) return true;
  return tileErrorSet(error, "expected %u threads with stacks of %zu bytes, found room for %u: %s",
                      executor->threads, stackBytes, executor->workers + 1, strerror(reason));
}

TileExecutor *tileExecutorCreate(const TileExecutorOptions *options, TileError *error) {
  unsigned threads;
  if (!chooseThreads(options ? options->threads : 0, &threads, error)) return NULL;
  if (threads > MAX_THREADS) {
    tileErrorSet(error, "expected at most %d threads, found %u", MAX_THREADS, threads);
    return NULL;
  }
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t stackBytes = options && options->stackBytes ? options->stackBytes : DEFAULT_STACK_BYTES;
  stackBytes = (stackBytes + page - 1) / page * page;
  TileExecutor *executor = aligned_alloc(64, sizeof *executor);
  if (!executor) {
    tileErrorSet(error, "expected memory for a thread pool, found none");
    return NULL;
  }
  memset(executor, 0, sizeof *executor);
  executor->threads = threads;
  // Spinning only pays while each thread has a CPU.
  executor->spins = threads <= countCpus() ? SPINS : 1;
  pthread_mutex_init(&executor->turn, NULL);
  pthread_mutex_init(&executor->mutex, NULL);
  pthread_cond_init(&executor->wake, NULL);
  pthread_cond_init(&executor->done, NULL);
  if (mapCallerStack(executor, stackBytes, error) && startWorkers(executor, stackBytes, error))
    return executor;
  tileExecutorDestroy(executor);
  return NULL;
}

void tileExecutorDestroy(TileExecutor *executor) {
  if (!executor) return;
  pthread_mutex_lock(&executor->mutex);
  atomic_store(&executor->stopping, true);
  pthread_cond_broadcast(&executor->wake);
  pthread_mutex_unlock(&executor->mutex);
  for (unsigned i = 0; i < executor->workers; ++i) pthread_join(executor->handles[i], NULL);
  if (executor->callerStack) munmap(executor->callerStack, executor->callerStackBytes);
  pthread_cond_destroy(&executor->done);
  pthread_cond_destroy(&executor->wake);
  pthread_mutex_destroy(&executor->mutex);
  pthread_mutex_destroy(&executor->turn);
  free(executor->handles);
  free(executor);
}

static pthread_once_t defaultOnce = PTHREAD_ONCE_INIT;
static TileExecutor *defaultExecutor;
static TileError defaultError;

static void endDefault(void) {
  tileExecutorDestroy(defaultExecutor);
  defaultExecutor = NULL;
  tileErrorDestroy(&defaultError);
}

/// A child has none of its parent's threads: it makes an executor of its own when it wants one, and
/// leaves the parent's as it lies.
static void forgetDefault(void) {
  const pthread_once_t fresh = PTHREAD_ONCE_INIT;
  defaultExecutor = NULL;
  defaultError = (TileError)TILE_ERROR_INIT;
  defaultOnce = fresh;
  insideJob = false;
}

static void makeDefault(void) {
  static bool isKnown;
  defaultExecutor = tileExecutorCreate(NULL, &defaultError);
  if (isKnown) return;
  isKnown = true;
  atexit(endDefault);
  pthread_atfork(NULL, NULL, forgetDefault);
}

TileExecutor *tileExecutorGetDefault(TileError *error) {
  pthread_once(&defaultOnce, makeDefault);
  if (!defaultExecutor) tileErrorSet(error, "%s", tileErrorGetMessage(&defaultError));
  return defaultExecutor;
}
