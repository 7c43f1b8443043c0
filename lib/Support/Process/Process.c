//===- Process.c - how a process of tile begins, ends and dies ------------===//
#include "tile/Support/Process.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The sanitizers have handlers of their own, which say more.
#if defined(__SANITIZE_ADDRESS__)
#define HANDLES_CRASHES false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HANDLES_CRASHES false
#endif
#endif
#ifndef HANDLES_CRASHES
#define HANDLES_CRASHES true
#endif

/// The state of a process, where its signal handlers find it.
static const char *processName;
static _Atomic(const char *) activity, activityAdvice;

//===- messages of handlers -----------------------------------------------===//

/// Writes texts, up to a NULL, to stderr; async-signal-safe.
static void say(const char *const *texts) {
  char line[1024];
  size_t used = 0;
  for (; *texts; ++texts)
    for (const char *c = *texts; *c && used < sizeof line; ++c) line[used++] = *c;
  // Nothing can be done where that fails.
  ssize_t written = write(STDERR_FILENO, line, used);
  (void)written;
}

static const char *nameOf(int number) {
  switch (number) {
  case SIGSEGV:
    return "a segmentation fault (or a stack that is too deep)";
  case SIGBUS:
    return "a bus error";
  case SIGILL:
    return "an illegal instruction";
  case SIGFPE:
    return "an arithmetic exception";
  default:
    return "an abort";
  }
}

static void onCrash(int number) {
  const char *what = atomic_load(&activity), *advice = atomic_load(&activityAdvice);
  if (what)
    say((const char *const[]){"error: expected ", what, " to end, found ", nameOf(number),
                              advice ? "; " : "", advice ? advice : "", "\n", NULL});
  else
    say((const char *const[]){"error: expected input that ", processName,
                              " takes, found some at which it ends by ", nameOf(number), "\n",
                              NULL});
  tileTemporariesRemove();
  _exit(1);
}

static void onEnd(int number) {
  tileTemporariesRemove();
  signal(number, SIG_DFL);
  raise(number);
}

//===- beginning and end --------------------------------------------------===//

/// A descriptor that is closed would be the next file's: writing to it must fail instead.
static void occupyStreams(void) {
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i) {
    if (fcntl(i, F_GETFD) >= 0 || errno != EBADF) continue;
    int file = open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (file >= 0 && file != i) {
      dup2(file, i);
      close(file);
    }
  }
}

static void installHandlers(void) {
  // The C++ demangler and the dumps of LLVM run in handlers, too: more than SIGSTKSZ.
  enum { STACK_BYTES = 256 << 10 };
  static char bytes[STACK_BYTES];
  const stack_t stack = {.ss_sp = bytes, .ss_size = STACK_BYTES};
  sigaltstack(&stack, NULL);
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  struct sigaction action = {.sa_handler = onCrash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; HANDLES_CRASHES && i < sizeof crashes / sizeof *crashes; ++i)
    sigaction(crashes[i], &action, NULL);
  static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
  action = (struct sigaction){.sa_handler = onEnd, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    struct sigaction former;
    bool ignored = sigaction(ends[i], NULL, &former) == 0 && former.sa_handler == SIG_IGN;
    if (!ignored) sigaction(ends[i], &action, NULL);
  }
}

/// Runs at exit(), before the C library closes the streams without looking.
static void checkOutput(void) {
  errno = 0;
  bool failed = fflush(stdout) != 0;
  int reason = errno;
  if (!failed && !ferror(stdout)) return;
  fprintf(stderr, "error: expected to write standard output, found: %s\n",
          reason ? strerror(reason) : "an error earlier");
  // All but this stream is as at exit().
  fflush(NULL);
  _exit(1);
}

void tileProcessBegin(const char *name) {
  processName = name;
  occupyStreams();
  installHandlers();
  atexit(checkOutput);
}

bool tileProcessRunNoPrograms(void) {
#ifdef __x86_64__
  // Another architecture's calls have other numbers, and so have those of x32.
  const struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof program / sizeof *program,
                                    (struct sock_filter *)program};
  return HANDLES_CRASHES && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
         !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#else
  return false;
#endif
}

void tileProcessEnter(const char *what, const char *advice) {
  atomic_store(&activity, what);
  atomic_store(&activityAdvice, advice);
}
