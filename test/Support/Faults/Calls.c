//===- Calls.c - the C library's calls, failing when they are asked to ----===//
//
// The linker gives our objects these __wrap_ functions in place of the C library's (--wrap), which
// are __real_ here. What a call leaves behind when it fails is what the real one leaves: errno, a
// stream's error flag, half of what was to be written.
//
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic uint64_t made, failsAt;
static atomic_bool armed, lasting;
static _Atomic int64_t live;
static _Atomic(const char *) firstFailed;

void callsArm(uint64_t at, bool stays) {
  made = 0;
  failsAt = at;
  lasting = stays;
  firstFailed = NULL;
  armed = true;
}

uint64_t callsDisarm(const char **failed) {
  armed = false;
  *failed = firstFailed;
  return made;
}

void callsPause(void) { armed = false; }
void callsResume(void) { armed = true; }
int64_t callsGetLive(void) { return live; }

bool callFails(const char *name) {
  if (!armed) return false;
  uint64_t now = atomic_fetch_add(&made, 1) + 1, at = failsAt;
  if (!at || !(now == at || (lasting && now > at))) return false;
  const char *none = NULL;
  atomic_compare_exchange_strong(&firstFailed, &none, name);
  return true;
}

/// WRAP(int, unlink, (const char *path), (path), -1, EIO): `unlink`, which may return -1 with EIO.
#define WRAP(type, name, parameters, arguments, failure, reason)                                   \
  type __real_##name parameters;                                                                   \
  type __wrap_##name parameters;                                                                   \
  type __wrap_##name parameters {                                                                  \
    if (callFails(#name)) {                                                                        \
      errno = reason;                                                                              \
      return failure;                                                                              \
    }                                                                                              \
    return __real_##name arguments;                                                                \
  }

//===- memory -------------------------------------------------------------===//

static void *count(void *memory) {
  live += armed && memory;
  return memory;
}

#define WRAP_MEMORY(type, name, parameters, arguments)                                             \
  type *__real_##name parameters;                                                                  \
  type *__wrap_##name parameters;                                                                  \
  type *__wrap_##name parameters {                                                                 \
    if (callFails(#name)) {                                                                        \
      errno = ENOMEM;                                                                              \
      return NULL;                                                                                 \
    }                                                                                              \
    return count(__real_##name arguments);                                                         \
  }

WRAP_MEMORY(void, malloc, (size_t size), (size))
WRAP_MEMORY(void, calloc, (size_t number, size_t size), (number, size))
WRAP_MEMORY(void, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAP_MEMORY(char, strdup, (const char *text), (text))
WRAP_MEMORY(char, strndup, (const char *text, size_t most), (text, most))

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size) {
  if (callFails("realloc")) {
    errno = ENOMEM;
    return NULL;
  }
  void *moved = __real_realloc(memory, size);
  live += armed && !memory && moved;
  return moved;
}

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory) {
  live -= armed && memory;
  __real_free(memory);
}

WRAP(void *, mmap, (void *at, size_t size, int access, int flags, int file, off_t offset),
     (at, size, access, flags, file, offset), MAP_FAILED, ENOMEM)

//===- names and descriptors ----------------------------------------------===//

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (callFails("open")) {
    errno = EMFILE;
    return -1;
  }
  return __real_open(path, flags, mode);
}

WRAP(int, stat, (const char *path, struct stat *status), (path, status), -1, EIO)
WRAP(int, lstat, (const char *path, struct stat *status), (path, status), -1, EIO)
WRAP(int, fstat, (int file, struct stat *status), (file, status), -1, EIO)
WRAP(int, access, (const char *path, int mode), (path, mode), -1, EIO)
WRAP(ssize_t, readlink, (const char *path, char *text, size_t size), (path, text, size), -1, EIO)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1, EIO)
WRAP(int, unlink, (const char *path), (path), -1, EIO)
WRAP(int, linkat, (int folder, const char *path, int other, const char *name, int flags),
     (folder, path, other, name, flags), -1, EIO)
WRAP(int, fchmod, (int file, mode_t mode), (file, mode), -1, EPERM)
WRAP(int, fchown, (int file, uid_t user, gid_t group), (file, user, group), -1, EPERM)
WRAP(int, flock, (int file, int operation), (file, operation), -1, ENOLCK)

//===- streams ------------------------------------------------------------===//

WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
WRAP(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, ENOMEM)

FILE *__real_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size) {
  if (callFails("open_memstream")) {
    errno = ENOMEM;
    return NULL;
  }
  live += armed; // the text, which is freed by the caller
  return __real_open_memstream(text, size);
}

/// glibc's flag of streams that have failed, which has no function that sets it.
static void markFailed(FILE *file) {
  enum { ERROR_SEEN = 0x20 };
  file->_flags |= ERROR_SEEN;
  errno = EIO;
}

size_t __real_fread(void *data, size_t size, size_t number, FILE *file);
size_t __wrap_fread(void *data, size_t size, size_t number, FILE *file);
size_t __wrap_fread(void *data, size_t size, size_t number, FILE *file) {
  if (!callFails("fread")) return __real_fread(data, size, number, file);
  size_t half = __real_fread(data, size, number / 2, file);
  markFailed(file);
  return half;
}

size_t __real_fwrite(const void *data, size_t size, size_t number, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t number, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t number, FILE *file) {
  if (file == stderr || !callFails("fwrite")) return __real_fwrite(data, size, number, file);
  size_t half = __real_fwrite(data, size, number / 2, file);
  markFailed(file);
  return half;
}

int __real_fputs(const char *text, FILE *file);
int __wrap_fputs(const char *text, FILE *file);
int __wrap_fputs(const char *text, FILE *file) {
  if (file == stderr || !callFails("fputs")) return __real_fputs(text, file);
  markFailed(file);
  return EOF;
}

int __wrap_fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_fprintf(FILE *file, const char *format, ...) {
  if (file != stderr && callFails("fprintf")) {
    markFailed(file);
    return -1;
  }
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}

#define WRAP_BYTE(name, parameters, arguments)                                                     \
  int __real_##name parameters;                                                                    \
  int __wrap_##name parameters;                                                                    \
  int __wrap_##name parameters {                                                                   \
    if (!callFails(#name)) return __real_##name arguments;                                         \
    markFailed(file);                                                                              \
    return EOF;                                                                                    \
  }
WRAP_BYTE(getc, (FILE * file), (file))
WRAP_BYTE(putc, (int byte, FILE *file), (byte, file))
WRAP_BYTE(fputc, (int byte, FILE *file), (byte, file))

int __real_fflush(FILE *file);
int __wrap_fflush(FILE *file);
int __wrap_fflush(FILE *file) {
  if (!file || file == stderr || !callFails("fflush")) return __real_fflush(file);
  markFailed(file);
  return EOF;
}

/// Closed it is, in any case.
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) {
  bool fails = callFails("fclose");
  int status = __real_fclose(file);
  if (!fails) return status;
  errno = EIO;
  return EOF;
}

/// getline is this, in <stdio.h>.
ssize_t __real___getdelim(char **line, size_t *capacity, int end, FILE *file);
ssize_t __wrap___getdelim(char **line, size_t *capacity, int end, FILE *file);
ssize_t __wrap___getdelim(char **line, size_t *capacity, int end, FILE *file) {
  if (callFails("getline")) {
    markFailed(file);
    return -1;
  }
  bool none = !*line;
  ssize_t length = __real___getdelim(line, capacity, end, file);
  live += armed && none && *line;
  return length;
}

//===- threads ------------------------------------------------------------===//

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *data);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *data) {
  return callFails("pthread_create") ? EAGAIN : __real_pthread_create(thread, how, run, data);
}
WRAP(int, mprotect, (void *at, size_t size, int access), (at, size, access), -1, ENOMEM)
