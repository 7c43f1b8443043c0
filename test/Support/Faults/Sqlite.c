//===- Sqlite.c - SQLite's calls, failing when they are asked to ----------===//
//
// SQLite takes memory and calls the system through tables that can be replaced:
// SQLITE_CONFIG_MALLOC and sqlite3_vfs.xSetSystemCall, as its own tests do.
//
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include "Faults.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void *take(int size) { return malloc((size_t)size); }
static void give(void *memory) { free(memory); }
static void *takeAgain(void *memory, int size) { return realloc(memory, (size_t)size); }
static int sizeOf(void *memory) { return memory ? (int)malloc_usable_size(memory) : 0; }
static int roundUp(int size) { return (size + 7) & ~7; }
static int begin(void *data) {
  (void)data;
  return SQLITE_OK;
}
static void end(void *data) { (void)data; }

static bool fails(const char *name, int reason) {
  if (!callFails(name)) return false;
  errno = reason;
  return true;
}

/// Those that are wrapped already.
static int sqliteOpen(const char *path, int flags, int mode) { return open(path, flags, mode); }
static int sqliteStat(const char *path, struct stat *status) { return stat(path, status); }
static int sqliteFstat(int file, struct stat *status) { return fstat(file, status); }
static int sqliteAccess(const char *path, int mode) { return access(path, mode); }
static int sqliteUnlink(const char *path) { return unlink(path); }
static void *sqliteMap(void *at, size_t size, int mode, int flags, int file, off_t offset) {
  return mmap(at, size, mode, flags, file, offset);
}

static int sqliteTruncate(int file, off_t size) {
  return fails("ftruncate", EIO) ? -1 : ftruncate(file, size);
}
static int sqliteControl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return fails("fcntl", EIO) ? -1 : fcntl(file, command, argument);
}
static ssize_t sqliteRead(int file, void *data, size_t size, off_t at) {
  return fails("pread", EIO) ? -1 : pread(file, data, size, at);
}
static ssize_t sqliteWrite(int file, const void *data, size_t size, off_t at) {
  return fails("pwrite", ENOSPC) ? -1 : pwrite(file, data, size, at);
}

/// SQLite waits ten seconds for locks that cannot be had.
static int passTime(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

/// In place of the C library's, for SQLite, too: nothing here is to outlive a power cut, and a disk
/// would take minutes for it.
int fsync(int file) {
  (void)file;
  return fails("fsync", EIO) ? -1 : 0;
}
int fdatasync(int file) { return fsync(file); }

void faultsTakeSqlite(void) {
  static const sqlite3_mem_methods memory = {take,    give,  takeAgain, sizeOf,
                                             roundUp, begin, end,       NULL};
  static const struct {
    const char *name;
    sqlite3_syscall_ptr call;
  } calls[] = {
      {"open", (sqlite3_syscall_ptr)sqliteOpen},
      {"stat", (sqlite3_syscall_ptr)sqliteStat},
      {"fstat", (sqlite3_syscall_ptr)sqliteFstat},
      {"access", (sqlite3_syscall_ptr)sqliteAccess},
      {"ftruncate", (sqlite3_syscall_ptr)sqliteTruncate},
      {"fcntl", (sqlite3_syscall_ptr)sqliteControl},
      {"pread", (sqlite3_syscall_ptr)sqliteRead},
      {"pread64", (sqlite3_syscall_ptr)sqliteRead},
      {"pwrite", (sqlite3_syscall_ptr)sqliteWrite},
      {"pwrite64", (sqlite3_syscall_ptr)sqliteWrite},
      {"unlink", (sqlite3_syscall_ptr)sqliteUnlink},
      {"mmap", (sqlite3_syscall_ptr)sqliteMap},
  };
  sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
  // Small blocks would come from a pool that never fails.
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  sqlite3_initialize();
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  system->xSleep = passTime;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    system->xSetSystemCall(system, calls[i].name, calls[i].call);
}
