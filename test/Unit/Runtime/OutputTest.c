// RUN: %unit/OutputTest %t
//
// Whole or not at all, whatever stands at the path. The argument is a folder to be made.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../../../lib/Runtime/File.h"
#include "tile/Runtime/Output.h"
#include "tile/Support/Process.h"
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// As on NFS: a file has a name or is none.
static bool noAnonymousFiles;

/// The C library's, with that.
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (noAnonymousFiles && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static int countFiles(void) {
  DIR *folder = opendir(".");
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

static int empty(void **state) {
  (void)state;
  DIR *folder = opendir(".");
  for (struct dirent *entry; (entry = readdir(folder));)
    if (entry->d_name[0] != '.' && unlink(entry->d_name)) rmdir(entry->d_name);
  closedir(folder);
  noAnonymousFiles = false;
  return 0;
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void expectText(const char *path, const char *text) {
  char found[64] = "";
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  found[fread(found, 1, sizeof found - 1, file)] = 0;
  fclose(file);
  assert_string_equal(found, text);
}

static struct stat lookAt(const char *path) {
  struct stat status;
  assert_int_equal(lstat(path, &status), 0);
  return status;
}

static void writeText(const char *path) {
  TileError error = TILE_ERROR_INIT;
  if (!tileOutputWrite(path, "new", 3, &error)) fail_msg("%s", tileErrorGetMessage(&error));
}

static void expectRefusal(const char *path, const char *reason) {
  char message[256];
  TileError error = TILE_ERROR_INIT;
  snprintf(message, sizeof message, "expected to write '%s', found: %s", path, reason);
  assert_false(tileOutputWrite(path, "new", 3, &error));
  assert_string_equal(tileErrorGetMessage(&error), message);
  tileErrorDestroy(&error);
}

static void aFileIsReplacedWithItsMode(void **state) {
  (void)state;
  for (int named = 0; named < 2; ++named) {
    noAnonymousFiles = named;
    put("x", "a longer old text");
    chmod("x", 0640);
    ino_t old = lookAt("x").st_ino;
    writeText("x");
    expectText("x", "new");
    assert_int_equal(lookAt("x").st_mode & 07777, 0640);
    assert_int_not_equal(lookAt("x").st_ino, old);
    assert_int_equal(countFiles(), 1);
  }
}

static void aNewFileHasTheUsualMode(void **state) {
  (void)state;
  mode_t mask = umask(027);
  for (int named = 0; named < 2; ++named) {
    noAnonymousFiles = named;
    writeText("x");
    expectText("x", "new");
    assert_int_equal(lookAt("x").st_mode & 07777, 0640);
    assert_int_equal(unlink("x"), 0);
  }
  umask(mask);
}

static void linksAreFollowed(void **state) {
  (void)state;
  mkdir("folder", 0777);
  assert_int_equal(symlink("folder/second", "first"), 0);
  assert_int_equal(symlink("../third", "folder/second"), 0);
  // Leads nowhere, then to a file.
  for (int i = 0; i < 2; ++i) {
    writeText("first");
    assert_true(S_ISLNK(lookAt("first").st_mode) && S_ISLNK(lookAt("folder/second").st_mode));
    assert_true(S_ISREG(lookAt("third").st_mode));
    expectText("third", "new");
    put("third", "old");
  }
  unlink("folder/second");
  assert_int_equal(symlink("itself", "itself"), 0);
  expectRefusal("itself", "Too many levels of symbolic links");
}

static void otherNamesOfAFileAreTheSameFile(void **state) {
  (void)state;
  put("x", "old");
  assert_int_equal(link("x", "y"), 0);
  writeText("y");
  expectText("x", "new");
  assert_int_equal(lookAt("x").st_nlink, 2);
}

static void aPipeIsWrittenThrough(void **state) {
  (void)state;
  char got[8] = "";
  assert_int_equal(mkfifo("pipe", 0600), 0);
  int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  writeText("pipe");
  assert_int_equal(read(reader, got, sizeof got), 3);
  assert_string_equal(got, "new");
  assert_true(S_ISFIFO(lookAt("pipe").st_mode));
  close(reader);
  TileError error = TILE_ERROR_INIT;
  assert_true(tileOutputCheck("pipe", &error));
  // And is not waited for when read.
  uint64_t bytes;
  assert_null(tileFileOpen("pipe", &bytes, &error));
  assert_string_equal(tileErrorGetMessage(&error),
                      "expected a regular file, found 'pipe', which is none");
  tileErrorDestroy(&error);
}

static void whatIsOpenIsWrittenThrough(void **state) {
  (void)state;
  int ends[2];
  char got[4] = "", path[40];
  TileError error = TILE_ERROR_INIT;
  assert_int_equal(pipe(ends), 0);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
  assert_true(tileOutputCheck(path, &error));
  assert_true(tileOutputWrite(path, "new", 3, &error));
  assert_int_equal(read(ends[0], got, sizeof got), 3);
  assert_string_equal(got, "new");
  close(ends[0]);
  close(ends[1]);
  // A file that has lost its name gets none back.
  put("x", "old");
  int file = open("x", O_RDWR);
  assert_true(file >= 0);
  assert_int_equal(unlink("x"), 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  assert_true(tileOutputWrite(path, "new", 3, &error));
  assert_int_equal(pread(file, got, sizeof got, 0), 3);
  assert_string_equal(got, "new");
  assert_int_equal(countFiles(), 0);
  close(file);
}

static void aFolderIsRefused(void **state) {
  (void)state;
  mkdir("folder", 0777);
  expectRefusal("folder", "Is a directory");
  assert_false(tileOutputCheck("folder", NULL));
  assert_false(tileOutputCheck("none/x", NULL));
  assert_true(tileOutputCheck("x", NULL));
}

/// Runs `test` in a process that is nobody, whoever runs the tests: a mistake must not reach what
/// root may write. Its exit status.
static int asNobody(int (*test)(void)) {
  enum { NOBODY = 65534 };
  pid_t child = fork();
  if (!child) {
    if (geteuid() == 0 && (setgid(NOBODY) || setuid(NOBODY))) _exit(100);
    _exit(test());
  }
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 101;
}

static int writeToDevice(void) {
  TileError error = TILE_ERROR_INIT;
  if (tileOutputWrite("/dev/full", "new", 3, &error)) return 1;
  if (!strstr(tileErrorGetMessage(&error), "No space left on device")) return 2;
  if (!tileOutputWrite("/dev/null", "new", 3, &error)) return 3;
  const TileOutput both[] = {{"new", "new", 3}, {"/dev/full", "new", 3}};
  if (tileOutputWriteAll(both, 2, &error)) return 4;
  tileErrorDestroy(&error);
  return countFiles();
}

static void aDeviceIsWrittenThrough(void **state) {
  (void)state;
  assert_int_equal(chmod(".", 0777), 0); // what fails is to be the device
  assert_int_equal(asNobody(writeToDevice), 0);
  assert_true(S_ISCHR(lookAt("/dev/null").st_mode));
}

static int writeAsAnother(void) {
  TileError error = TILE_ERROR_INIT;
  // May be written by all, in a folder that may not: its owner stays.
  if (!tileOutputWrite("everyone", "new", 3, &error)) return 1;
  if (tileOutputWrite("mine", "new", 3, &error)) return 2;
  if (!strstr(tileErrorGetMessage(&error), "Permission denied")) return 3;
  tileErrorDestroy(&error);
  return tileOutputCheck("everyone", NULL) && !tileOutputCheck("mine", NULL) ? 0 : 4;
}

static void theOwnerStays(void **state) {
  (void)state;
  if (geteuid() != 0) skip(); // there is one user alone
  put("everyone", "old");
  put("mine", "old");
  chmod("everyone", 0666);
  chmod("mine", 0644);
  assert_int_equal(asNobody(writeAsAnother), 0);
  expectText("everyone", "new");
  expectText("mine", "old");
  assert_int_equal(lookAt("everyone").st_uid, 0);
  // Root replaces another's file, which stays the other's.
  assert_int_equal(chown("everyone", 65534, 65534), 0);
  ino_t old = lookAt("everyone").st_ino;
  writeText("everyone");
  assert_int_equal(lookAt("everyone").st_uid, 65534);
  assert_int_not_equal(lookAt("everyone").st_ino, old);
}

/// The files `first` and `last` of which the last one cannot be written, for `reason`.
static void expectNeither(const char *first, const char *last, const char *reason) {
  char message[256];
  TileError error = TILE_ERROR_INIT;
  const TileOutput outputs[] = {{first, "new", 3}, {last, "new", 3}};
  snprintf(message, sizeof message, "expected to write '%s', found: %s", last, reason);
  assert_false(tileOutputWriteAll(outputs, 2, &error));
  assert_string_equal(tileErrorGetMessage(&error), message);
  tileErrorDestroy(&error);
}

static void filesThatBelongTogetherAppearTogether(void **state) {
  (void)state;
  const TileOutput outputs[] = {{"x", "new", 3}, {"y", "newer", 5}};
  for (int named = 0; named < 2; ++named) {
    noAnonymousFiles = named;
    put("x", "old");
    chmod("x", 0640);
    assert_true(tileOutputWriteAll(outputs, 2, NULL));
    expectText("x", "new");
    expectText("y", "newer");
    assert_int_equal(lookAt("x").st_mode & 07777, 0640);
    assert_int_equal(countFiles(), 2);
    // Where one cannot be: first or last, replaced, new or written in place.
    put("x", "old");
    mkdir("folder", 0777);
    expectNeither("x", "folder", "Is a directory");
    expectNeither("x", "none/y", "No such file or directory");
    expectNeither("z", "folder", "Is a directory");
    expectText("x", "old");
    assert_int_equal(countFiles(), 3);
    empty(NULL);
  }
}

/// Fails as the next writer's file would, of a file system without room for both.
static bool writeNothing(FILE *file, const void *data) {
  (void)file;
  (void)data;
  errno = ENOSPC;
  return false;
}

static bool writeNew(FILE *file, const void *data) {
  (void)data;
  return fputs("new", file) >= 0;
}

static void noneOfThemIsHalfWritten(void **state) {
  (void)state;
  static const char *const names[] = {"x", "y", "z"};
  for (int named = 0; named < 2; ++named)
    for (int failing = 0; failing < 3; ++failing) {
      TileFileOutput outputs[3];
      TileError error = TILE_ERROR_INIT;
      char message[80];
      noAnonymousFiles = named;
      put("x", "old"); // the others are new
      for (int i = 0; i < 3; ++i)
        outputs[i] = (TileFileOutput){names[i], i == failing ? writeNothing : writeNew, NULL};
      assert_false(tileFileReplaceAll(outputs, 3, &error));
      snprintf(message, sizeof message, "expected to write '%s', found: No space left on device",
               names[failing]);
      assert_string_equal(tileErrorGetMessage(&error), message);
      tileErrorDestroy(&error);
      expectText("x", "old");
      assert_int_equal(countFiles(), 1);
      empty(NULL);
    }
}

static bool writeHalf(FILE *file, const void *data) {
  fputs("half", file);
  fflush(file);
  raise(*(const int *)data);
  errno = ENOSPC;
  return false;
}

static void aSignalLeavesNothing(void **state) {
  (void)state;
  static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGABRT, SIGKILL, SIGURG};
  for (int named = 0; named < 2; ++named)
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
      // Nothing can be done about a name and a signal that nobody catches.
      if (named && signals[i] == SIGKILL) continue;
      put("x", "old");
      pid_t child = fork();
      if (!child) {
        freopen("/dev/null", "w", stderr);
        noAnonymousFiles = named;
        // What runs the tests may ignore some, which then stay so.
        signal(signals[i], SIG_DFL);
        tileProcessBegin("OutputTest");
        mkdir("folder", 0700);
        if (signals[i] != SIGKILL) tileTemporaryNote("folder");
        tileFileReplace("x", writeHalf, &signals[i], NULL);
        rmdir("folder");
        _exit(7);
      }
      int status;
      assert_int_equal(waitpid(child, &status, 0), child);
      // SIGURG is ignored: there the write failed by itself.
      if (signals[i] == SIGURG) assert_int_equal(WEXITSTATUS(status), 7);
      // What a crash ends in, where no sanitizer has a word.
      else if (signals[i] == SIGABRT)
        assert_true(WIFEXITED(status) || WTERMSIG(status) == SIGABRT);
      else
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
      if (signals[i] == SIGKILL) rmdir("folder");
      expectText("x", "old");
      bool crashed = signals[i] == SIGABRT && WIFSIGNALED(status);
      if (!crashed) assert_int_equal(countFiles(), 1);
      empty(NULL);
    }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  mkdir(argv[1], 0755);
  if (chdir(argv[1])) return 2;
  empty(NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(aFileIsReplacedWithItsMode, empty),
      cmocka_unit_test_teardown(aNewFileHasTheUsualMode, empty),
      cmocka_unit_test_teardown(linksAreFollowed, empty),
      cmocka_unit_test_teardown(otherNamesOfAFileAreTheSameFile, empty),
      cmocka_unit_test_teardown(aPipeIsWrittenThrough, empty),
      cmocka_unit_test_teardown(whatIsOpenIsWrittenThrough, empty),
      cmocka_unit_test_teardown(aFolderIsRefused, empty),
      cmocka_unit_test_teardown(aDeviceIsWrittenThrough, empty),
      cmocka_unit_test_teardown(theOwnerStays, empty),
      cmocka_unit_test_teardown(filesThatBelongTogetherAppearTogether, empty),
      cmocka_unit_test_teardown(noneOfThemIsHalfWritten, empty),
      cmocka_unit_test_teardown(aSignalLeavesNothing, empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
