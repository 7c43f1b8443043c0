//===- Glibc.c - functions that glibc 2.28 has under other names ----------===//
//
// LLVM's archives were compiled with glibc 2.36's headers and call functions that came later than
// 2.28. Here they are made of those that were there, for libtile.so.1 alone: nothing of it shows.
//===----------------------------------------------------------------------===//
#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>

struct stat;

/// libstdc++ leaves out atomic operations where it is true; 0 is always right.
char __libc_single_threaded;

// sys/stat.h of glibc 2.28: inline calls of these, with the version of the structure.
enum { STAT_VERSION = 1, MKNOD_VERSION = 0 };
int __xstat(int version, const char *path, struct stat *result);
int __lxstat(int version, const char *path, struct stat *result);
int __fxstat(int version, int file, struct stat *result);
int __xmknod(int version, const char *path, unsigned mode, unsigned long *device);

int stat(const char *path, struct stat *result);
int stat64(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
int lstat64(const char *path, struct stat *result);
int fstat(int file, struct stat *result);
int fstat64(int file, struct stat *result);
int mknod(const char *path, unsigned mode, unsigned long device);
int stat(const char *path, struct stat *result) { return __xstat(STAT_VERSION, path, result); }
int stat64(const char *path, struct stat *result) { return __xstat(STAT_VERSION, path, result); }
int lstat(const char *path, struct stat *result) { return __lxstat(STAT_VERSION, path, result); }
int lstat64(const char *path, struct stat *result) { return __lxstat(STAT_VERSION, path, result); }
int fstat(int file, struct stat *result) { return __fxstat(STAT_VERSION, file, result); }
int fstat64(int file, struct stat *result) { return __fxstat(STAT_VERSION, file, result); }
int mknod(const char *path, unsigned mode, unsigned long device) {
  return __xmknod(MKNOD_VERSION, path, mode, &device);
}

/// In libc_nonshared.a, for a library's own end.
extern void *__dso_handle;
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int atexit(void (*function)(void));
int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))function, NULL, &__dso_handle);
}

/// LLVM asks how much the heap has, for its statistics alone.
struct Heap {
  size_t numbers[10];
};
struct Heap mallinfo2(void);
struct Heap mallinfo2(void) { return (struct Heap){{0}}; }

/// Names of temporary files.
uint32_t arc4random(void);
uint32_t arc4random(void) {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}
