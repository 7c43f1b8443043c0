// RUN: rm -rf %t && mkdir %t && cd %t && %unit/HostTest
//===- HostTest.c - what libtile leaves alone in its host's process -------===//
//
// Everything that the library does, well and badly, from first to last; before and after it, and on
// another thread meanwhile, the process is what it was: handlers and masks of signals, locale,
// environment, streams, folder, file mode mask, rounding, open files.
//===----------------------------------------------------------------------===//
#include "Support.h"
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

extern char **environ;

enum { SIGNALS = 65 };

typedef struct Process {
  void (*handlers[SIGNALS])(int);
  int flags[SIGNALS];
  sigset_t mask;
  char locale[256], folder[4096];
  char *environment;
  mode_t creation;
  int rounding, files;
} Process;

static int countFiles(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

static char *joinEnvironment(void) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  for (char **each = environ; *each; ++each) fprintf(stream, "%s\n", *each);
  fclose(stream);
  return text;
}

static Process look(void) {
  Process p = {.rounding = fegetround(), .files = countFiles(), .environment = joinEnvironment()};
  for (int i = 1; i < SIGNALS; ++i) {
    struct sigaction action;
    if (sigaction(i, NULL, &action) != 0) continue;
    p.handlers[i] = action.sa_handler;
    p.flags[i] = action.sa_flags;
  }
  sigemptyset(&p.mask);
  pthread_sigmask(SIG_SETMASK, NULL, &p.mask);
  snprintf(p.locale, sizeof p.locale, "%s", setlocale(LC_ALL, NULL));
  assert_non_null(getcwd(p.folder, sizeof p.folder));
  p.creation = umask(022);
  umask(p.creation);
  return p;
}

static void expectAlike(const Process *a, const Process *b) {
  for (int i = 1; i < SIGNALS; ++i) {
    if (a->handlers[i] != b->handlers[i] || a->flags[i] != b->flags[i])
      fail_msg("signal %d has another handler", i);
    assert_int_equal(sigismember(&a->mask, i), sigismember(&b->mask, i));
  }
  assert_string_equal(a->locale, b->locale);
  assert_string_equal(a->environment, b->environment);
  assert_string_equal(a->folder, b->folder);
  assert_int_equal(a->creation, b->creation);
  assert_int_equal(a->rounding, b->rounding);
}

//===- what is done -------------------------------------------------------===//

static void launchAndTune(tile_kernel *kernel, tile_place place) {
  Arrays a = makeArrays(5000, 0);
  const tile_launch how = {.size = sizeof how, .place = place};
  const tile_value values[] = {tile_pointer(a.x), tile_pointer(a.y), tile_pointer(a.out),
                               tile_integer(4999)};
  const size_t elements[] = {5000, 5000, 5000, 0};
  const tile_tune_options tune = {.size = sizeof tune, .place = place, .num_elements = elements};
  tile_check check = {.size = sizeof check, .num_elements = elements};
  assert_ok(tile_kernel_launch(kernel, &how, values, 4));
  assert_ok(tile_kernel_tune(kernel, &tune, values, 4, NULL));
  assert_ok(tile_kernel_launch(kernel, &how, values, 4));
  assert_ok(tile_kernel_check(kernel, &check, values, 4));
  expectSums(&a, 4999);
  freeArrays(&a);
}

static void failOften(tile_context *context, tile_kernel *kernel) {
  static const char *const texts[] = {"", "tile.func @", "\xff\xfe",
                                      "module { \"x.y\"() : () -> () }",
                                      "tile.func @f() { tile.return %x }"};
  tile_module *module;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    if (!tile_module_create_from_text(context, texts[i], strlen(texts[i]), NULL, &module))
      assert_ok(tile_module_destroy(module));
  tile_module_create_from_file(context, "/nowhere/at/all", &module);
  tile_artifact *artifact;
  const tile_compile_options wrong[] = {{.size = sizeof *wrong, .arch = "sm_1"},
                                        {.size = sizeof *wrong, .arch = "cpu", .config = "NONE=1"},
                                        {.size = sizeof *wrong, .arch = "cpu", .facts = "99/16"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    assert_int_not_equal(tile_kernel_compile(kernel, &wrong[i], &artifact), TILE_STATUS_OK);
}

static void doEverything(const char *cache, bool isolates) {
  const tile_context_options options = {
      .size = sizeof options, .cache = cache, .num_threads = 2, .isolates = isolates};
  tile_context *context;
  tile_module *module;
  tile_kernel *kernel;
  tile_future *future;
  tile_artifact *artifact;
  assert_ok(tile_context_create(&options, &context));
  assert_ok(tile_module_create_from_text(context, addText, strlen(addText), "a", &module));
  assert_ok(tile_module_find_kernel(module, NULL, &kernel));
  const tile_compile_options ptx = {
      .size = sizeof ptx, .arch = "sm_90a", .format = TILE_FORMAT_PTX};
  assert_ok(tile_kernel_compile_async(kernel, &ptx, &future));
  assert_ok(tile_future_wait(future, -1, &artifact));
  assert_ok(tile_artifact_destroy(artifact));
  assert_ok(tile_future_destroy(future));
  launchAndTune(kernel, TILE_PLACE_CPU);
  launchAndTune(kernel, TILE_PLACE_GPU);
  failOften(context, kernel);
  assert_ok(tile_context_destroy(context));
}

//===- the process --------------------------------------------------------===//

/// A thread of the host's that has habits of its own.
static _Thread_local char habit;
static atomic_bool ends;

static void *live(void *data) {
  (void)data;
  habit = 1;
  fesetround(FE_UPWARD);
  while (!atomic_load(&ends)) {
    if (fegetround() != FE_UPWARD || habit != 1) return (void *)1;
    usleep(1000);
  }
  return NULL;
}

static void onHangup(int signal) { (void)signal; }

static void nothingIsTouched(void **state) {
  (void)state;
  // What a host may have: its handlers, a mask, a locale that writes numbers otherwise, if there is
  // one.
  signal(SIGHUP, onHangup);
  signal(SIGPIPE, onHangup);
  signal(SIGSEGV, onHangup);
  signal(SIGABRT, SIG_IGN);
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &some, NULL);
  if (!setlocale(LC_ALL, "de_DE.UTF-8")) setlocale(LC_ALL, "C.UTF-8");
  umask(027);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, live, NULL), 0);
  doEverything("", false); // threads, drivers and tables of the process begin once
  Process before = look();
  doEverything("cache", false);
  doEverything("", true);
  Process after = look();
  expectAlike(&before, &after);
  assert_int_equal(before.files, after.files);
  atomic_store(&ends, true);
  void *bad;
  pthread_join(thread, &bad);
  assert_null(bad);
  free(before.environment);
  free(after.environment);
}

/// The same with streams that are full, or closed: nobody writes to them.
static void nothingIsPrinted(void **state) {
  (void)state;
  fflush(NULL);
  int kept[2] = {dup(1), dup(2)};
  int file = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert_true(file > 2);
  dup2(file, 1);
  dup2(file, 2);
  doEverything("", false);
  fflush(NULL);
  struct stat found;
  assert_int_equal(fstat(file, &found), 0);
  for (int i = 0; i < 2; ++i) {
    dup2(kept[i], 1 + i);
    close(kept[i]);
  }
  close(file);
  assert_int_equal(found.st_size, 0);
}

int main(void) {
  useFakeDriver();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothingIsTouched),
      cmocka_unit_test(nothingIsPrinted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
