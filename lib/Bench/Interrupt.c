//===- Interrupt.c - Ctrl-C, and what is kept of a benchmark --------------===//
//
// A thread waits for the signal. It writes what is complete, from a report that nobody changes
// meanwhile: the benchmark holds `report` while it works on it, and lets go where it waits long.
// A measurement ends by itself after the repetition under way; host code does not, so there the
// thread ends the process.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "tile/Runtime/Clock.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

volatile sig_atomic_t benchStopped;
/// Files are being written: a moment that a second Ctrl-C waits for.
static volatile sig_atomic_t writing;
static struct sigaction formerInterrupt, formerEnd;

static struct {
  pthread_t thread;
  bool hasThread;
  sem_t asked;
  pthread_mutex_t report;
  /// The rest belongs to whoever holds `report`.
  const BenchReport *complete;
  size_t numRows, point;
  bool inHostCode, ended;
  /// When files were last written, and how long that took.
  double written, took;
  bool failed;
} keeper;

static void onSignal(int number) {
  int error = errno;
  if (!benchStopped) {
    benchStopped = 1;
    // The line is cleared here too: the repetition under way may be the process's last.
    benchClearAtSignal();
    sem_post(&keeper.asked);
  } else if (!writing) {
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = error;
}

static bool writeFiles(const BenchReport *report, BenchStage stage) {
  writing = 1;
  bool ok = benchWriteFiles(report, stage);
  writing = 0;
  return ok;
}

/// Waits for the signal (or the end), then for a moment at which the report stands still.
static void *keep(void *data) {
  while (sem_wait(&keeper.asked)) {
  }
  pthread_mutex_lock(&keeper.report);
  if (!keeper.ended) {
    BenchReport report = *keeper.complete;
    report.numRows = keeper.numRows;
    report.interrupted = true;
    writeFiles(&report, keeper.inHostCode ? BENCH_END : BENCH_INTERRUPTED);
    if (keeper.inHostCode) {
      benchPrintInterrupted(&report, keeper.point);
      fflush(stdout);
      _exit(1);
    }
  }
  pthread_mutex_unlock(&keeper.report);
  return data;
}

void benchCatchInterrupts(const BenchReport *report) {
  benchStopped = 0;
  keeper.complete = report;
  keeper.ended = keeper.failed = false;
  keeper.written = keeper.took = 0;
  sem_init(&keeper.asked, 0, 0);
  pthread_mutex_init(&keeper.report, NULL);
  pthread_mutex_lock(&keeper.report);
  // Without the thread Ctrl-C takes effect behind host code.
  keeper.hasThread = pthread_create(&keeper.thread, NULL, keep, NULL) == 0;
  struct sigaction action = {.sa_handler = onSignal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &formerInterrupt);
  sigaction(SIGTERM, &action, &formerEnd);
}

void benchReleaseInterrupts(void) {
  sigaction(SIGINT, &formerInterrupt, NULL);
  sigaction(SIGTERM, &formerEnd, NULL);
  keeper.ended = true;
  pthread_mutex_unlock(&keeper.report);
  sem_post(&keeper.asked);
  if (keeper.hasThread) pthread_join(keeper.thread, NULL);
  pthread_mutex_destroy(&keeper.report);
  sem_destroy(&keeper.asked);
}

void benchLetGo(bool inHostCode, size_t numRows, size_t point) {
  keeper.inHostCode = inHostCode;
  keeper.numRows = numRows;
  keeper.point = point;
  pthread_mutex_unlock(&keeper.report);
}

void benchTakeBack(void) { pthread_mutex_lock(&keeper.report); }

void benchKeepRows(const BenchReport *report) {
  // Writing all rows anew for each point would take longer and longer: a twentieth of the time.
  if (keeper.failed || tileClockGetSeconds() - keeper.written < 20 * keeper.took) return;
  double begin = tileClockGetSeconds();
  BenchReport part = *report;
  part.interrupted = true;
  keeper.failed = !writeFiles(&part, BENCH_PART);
  keeper.written = tileClockGetSeconds();
  keeper.took = keeper.written - begin;
}

bool benchFinishFiles(const BenchReport *report) { return writeFiles(report, BENCH_END); }
