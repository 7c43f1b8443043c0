//===- Rest.c - the library with all the rest, beside a program -----------===//
#include "Programs.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *load(const char *name) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - strlen(name) - 1);
  char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
  if (!slash) return NULL;
  strcpy(slash + 1, name);
  // Global: compiled host code finds the C library's functions among the process's symbols.
  return dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
}

TileProgramMain *tileRestFind(const char *name) {
  void *rest = load("../lib/tile-static.so");
  if (!rest) rest = load("tile-run.so");
  void *address = rest ? dlsym(rest, name) : NULL;
  TileProgramMain *found = NULL;
  // An object pointer turned into a function's, which ISO C does not do.
  memcpy(&found, &address, sizeof found);
  if (found) return found;
  const char *reason = dlerror();
  fprintf(stderr, "error: expected tile-run.so beside this program, found none: %s\n",
          reason ? reason : "no such file");
  return NULL;
}
