//===- Faults.c - work done again and again, a call failing each time -----===//
#include "Faults.h"
#include "Calls.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// What a child says of itself.
typedef struct Report {
  uint64_t calls;
  bool stayed, reached, done, wrong;
  int64_t blocks;
  int descriptors;
  char call[32], message[256];
} Report;

static Report *report;

bool faultsWrong(const char *what) {
  report->wrong = true;
  snprintf(report->message, sizeof report->message, "%s", what);
  return false;
}

void faultsPause(void) { callsPause(); }
void faultsResume(void) { callsResume(); }

static int countDescriptors(void) {
  DIR *folder = opendir("/proc/self/fd");
  int count = 0;
  while (folder && readdir(folder)) ++count;
  if (folder) closedir(folder);
  return count;
}

static void runChild(const FaultWork *work, uint64_t at, bool stays, int messages) {
  TileError error = TILE_ERROR_INIT;
  // cmocka's handlers would take it for the test's own end.
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; ++i) signal(crashes[i], SIG_DFL);
  dup2(messages, STDERR_FILENO);
  int64_t blocks = callsGetLive();
  int descriptors = countDescriptors();
  const char *failed = NULL;
  callsArm(at, stays);
  bool done = work->act(&error);
  if (!done && !report->wrong)
    snprintf(report->message, sizeof report->message, "%s", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  report->calls = callsDisarm(&failed);
  report->done = done;
  if (failed) snprintf(report->call, sizeof report->call, "%s", failed);
  report->reached = failed != NULL;
  report->blocks = callsGetLive() - blocks;
  report->descriptors = countDescriptors() - descriptors;
  _exit(0);
}

/// How a child ended; fails the test where that is none of the three ways.
static FaultOutcome judge(const FaultWork *work, uint64_t at, bool stays, int status,
                          int messages) {
  char said[512] = "", where[128];
  ssize_t length = pread(messages, said, sizeof said - 1, 0);
  said[length < 0 ? 0 : length] = 0;
  snprintf(where, sizeof where, "%s, call %" PRIu64 " (%s)%s", work->name, at, report->call,
           stays ? " and all after it" : "");
  if (getenv("FAULTS_VERBOSE")) printf("%s: %s%s\n", where, report->message, said);
  if (WIFSIGNALED(status)) {
    bool ended = WTERMSIG(status) == SIGABRT && strstr(said, "tile: out of memory");
    if (!ended) fail_msg("%s: ended by %s: %s", where, strsignal(WTERMSIG(status)), said);
    return FAULT_ENDED;
  }
  if (WEXITSTATUS(status)) fail_msg("%s: exit %d: %s", where, WEXITSTATUS(status), said);
  if (report->wrong) fail_msg("%s: wrong: %s", where, report->message);
  if (report->blocks) fail_msg("%s: %" PRId64 " blocks not freed", where, report->blocks);
  if (report->descriptors) fail_msg("%s: %d descriptors not closed", where, report->descriptors);
  if (!report->done && !strstr(report->message, "expected "))
    fail_msg("%s: refused with '%s'", where, report->message);
  return report->done ? FAULT_DONE : FAULT_REFUSED;
}

bool faultsStayed(void) { return report->stayed; }

static FaultOutcome tryOnce(const FaultWork *work, uint64_t at, bool stays) {
  memset(report, 0, sizeof *report);
  report->stayed = stays;
  if (work->prepare) work->prepare();
  int messages = memfd_create("messages", 0), status = 0;
  assert_true(messages >= 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) runChild(work, at, stays, messages);
  waitpid(child, &status, 0);
  FaultOutcome outcome = judge(work, at, stays, status, messages);
  close(messages);
  // One that ended itself cannot say that it did because a call had failed.
  report->reached |= outcome == FAULT_ENDED;
  if (work->verify) work->verify(outcome);
  return outcome;
}

static uint64_t readNumber(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  uint64_t number = text ? strtoull(text, NULL, 10) : 0;
  return number ? number : otherwise;
}

void faultsTry(const FaultWork *work, uint64_t least) {
  enum { MOST = 200000 };
  uint64_t step = readNumber("FAULTS_STEP", 1), first = readNumber("FAULTS_FIRST", 1);
  if (!report)
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(report != MAP_FAILED);
  for (int stays = 0; stays < 2; ++stays) {
    uint64_t counts[FAULT_OUTCOMES] = {0}, at = 0;
    for (bool reached = true; reached;) {
      at += at ? step : first;
      FaultOutcome outcome = tryOnce(work, at, stays);
      reached = report->reached;
      counts[outcome] += reached;
      if (!reached) assert_int_equal(outcome, FAULT_DONE);
      assert_in_range(at, 1, MOST);
    }
    uint64_t tried = counts[FAULT_DONE] + counts[FAULT_REFUSED] + counts[FAULT_ENDED];
    printf("%-28s %-14s %5" PRIu64 " calls failed: %5" PRIu64 " done, %5" PRIu64
           " refused, %5" PRIu64 " ended\n",
           work->name, stays ? "and all after" : "one alone", tried, counts[FAULT_DONE],
           counts[FAULT_REFUSED], counts[FAULT_ENDED]);
    assert_in_range(at - 1, least, MOST);
  }
}
