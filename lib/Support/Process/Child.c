//===- Child.c - work that may not end well, in a child process -----------===//
#include "tile/Support/Child.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Who forks goes before those that come later to hold forks back.
static pthread_rwlock_t forks = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void tileChildHoldForks(void) { pthread_rwlock_rdlock(&forks); }
void tileChildAllowForks(void) { pthread_rwlock_unlock(&forks); }

/// Behind all that the work wrote.
static const char trailer[] = "\1done";
enum { TRAILER = sizeof trailer - 1 };

//===- the child ----------------------------------------------------------===//

/// What its parent has of the address space, in bytes; 0 where the system does not tell.
static size_t findAddressSpace(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  if (!file) return 0;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limitMemory(size_t memory) {
  size_t has = findAddressSpace(), most;
  if (!memory || !has || __builtin_add_overflow(has, memory, &most)) return;
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur < most) return;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_AS, &limit);
}

/// It ends with its parent, first of all, and without a trace.
static void makeExpendable(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, "1000", 4);
  (void)written;
  close(file);
}

/// The host's handlers are for the host.
static void resetSignals(void) {
  for (int i = 1; i < NSIG; ++i) signal(i, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/// What crashes behind an allocation that failed, by an address of zero as a rule, says so: a
/// success leaves errno as it is.
static void onCrash(int number) {
  static const char text[] = "out of memory\n";
  ssize_t written = errno == ENOMEM ? write(STDERR_FILENO, text, sizeof text - 1) : 0;
  (void)written;
  raise(number);
}

static void watchCrashes(void) {
  static char stack[65536];
  const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT};
  // Raised once more, it ends the process when the handler returns.
  const struct sigaction action = {.sa_handler = onCrash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  sigaltstack(&own, NULL);
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; ++i)
    sigaction(crashes[i], &action, NULL);
}

/// Leaves it no file of the host's: `out` becomes 3, `said` standard error.
static void takeFiles(int out, int said) {
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(said >= 0 ? said : nowhere, STDERR_FILENO);
  }
  if (out != 3) dup2(out, 3);
  syscall(SYS_close_range, 4U, ~0U, 0U);
}

__attribute__((noreturn)) static void runChild(const TileChildLimits *limits, int out, int said,
                                               void (*work)(void *data, FILE *out), void *data) {
  resetSignals();
  makeExpendable();
  takeFiles(out, said);
  FILE *stream = fdopen(3, "w");
  if (!stream) _exit(1);
  watchCrashes();
  limitMemory(limits->memory);
  errno = 0;
  work(data, stream);
  fwrite(trailer, 1, TRAILER, stream);
  _exit(fflush(stream) ? 1 : 0);
}

//===- the parent ---------------------------------------------------------===//

typedef struct Reading {
  int from;
  double deadline; ///< 0: none
  char *data;
  size_t size, capacity;
} Reading;

static double getSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// For poll.
static int findMilliseconds(double deadline) {
  if (deadline <= 0) return -1;
  double left = ceil(1e3 * (deadline - getSeconds()));
  return left <= 0 ? 0 : left > 1e9 ? 1000000000 : (int)left;
}

static bool grow(Reading *r) {
  if (r->size < r->capacity) return true;
  size_t capacity = 2 * r->capacity + 65536;
  char *grown = realloc(r->data, capacity);
  if (!grown) return false;
  r->data = grown;
  r->capacity = capacity;
  return true;
}

/// All that the child writes, until it has ended.
static TileChildEnd readAll(Reading *r) {
  for (;;) {
    struct pollfd file = {.fd = r->from, .events = POLLIN};
    if (r->deadline > 0 && getSeconds() >= r->deadline) return TILE_CHILD_NO_TIME;
    int ready = poll(&file, 1, findMilliseconds(r->deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return TILE_CHILD_NO_TIME;
    if (ready < 0) return TILE_CHILD_CRASHED;
    if (!grow(r)) return TILE_CHILD_NO_MEMORY;
    ssize_t got = read(r->from, r->data + r->size, r->capacity - r->size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return TILE_CHILD_CRASHED;
    if (got == 0) return TILE_CHILD_DONE;
    r->size += (size_t)got;
  }
}

/// Did what it said at its end tell of memory? What says nothing and aborts is a failing malloc of
/// tile's own.
static bool wantedMemory(int said, int status) {
  char text[4096];
  ssize_t size = said < 0 ? 0 : pread(said, text, sizeof text - 1, 0);
  text[size > 0 ? size : 0] = 0;
  if (strstr(text, "out of memory") || strstr(text, "bad_alloc") ||
      strstr(text, "Allocation failed"))
    return true;
  if (!WIFSIGNALED(status)) return false;
  return WTERMSIG(status) == SIGKILL || (WTERMSIG(status) == SIGABRT && size <= 0);
}

/// Its status; 0 where somebody else in the process has asked for it before.
static int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 0;
  return status;
}

static TileChildEnd finish(Reading *r, pid_t child, int said) {
  TileChildEnd end = readAll(r);
  if (end != TILE_CHILD_DONE) kill(child, SIGKILL);
  int status = waitFor(child);
  if (end != TILE_CHILD_DONE) return end;
  if (r->size >= TRAILER && !memcmp(r->data + r->size - TRAILER, trailer, TRAILER)) {
    r->size -= TRAILER;
    return TILE_CHILD_DONE;
  }
  return wantedMemory(said, status) ? TILE_CHILD_NO_MEMORY : TILE_CHILD_CRASHED;
}

TileChildEnd tileChildRun(const TileChildLimits *limits, void (*work)(void *data, FILE *out),
                          void *data, char **result, size_t *size) {
  int ends[2];
  *result = NULL;
  *size = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return TILE_CHILD_NONE;
  int said = memfd_create("said", MFD_CLOEXEC);
  pthread_rwlock_wrlock(&forks);
  pid_t child = fork();
  if (child == 0) runChild(limits, ends[1], said, work, data);
  pthread_rwlock_unlock(&forks);
  close(ends[1]);
  Reading r = {.from = ends[0]};
  if (limits->seconds > 0) r.deadline = getSeconds() + limits->seconds;
  TileChildEnd end = child < 0 ? TILE_CHILD_NONE : finish(&r, child, said);
  close(ends[0]);
  if (said >= 0) close(said);
  if (end == TILE_CHILD_DONE) {
    *result = r.data;
    *size = r.size;
  } else {
    free(r.data);
  }
  return end;
}

const char *tileChildDescribe(TileChildEnd end) {
  switch (end) {
  case TILE_CHILD_DONE:
    return "found it done";
  case TILE_CHILD_NONE:
    return "found no process for it";
  case TILE_CHILD_CRASHED:
    return "found that it crashed";
  case TILE_CHILD_NO_MEMORY:
    return "found that its memory was out";
  case TILE_CHILD_NO_TIME:
    return "found that its time was up";
  }
  return "";
}
