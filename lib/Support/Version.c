//===- Version.c - which tile this is -------------------------------------===//
#include "tile/Support/Version.h"
#include "tile.h"
#include "llvm-c/Core.h"
#include <pthread.h>
#include <stdio.h>

static char version[64];

static void makeVersion(void) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  snprintf(version, sizeof version, "%d.%d.%d (LLVM %u.%u.%u)", TILE_VERSION_MAJOR,
           TILE_VERSION_MINOR, TILE_VERSION_PATCH, major, minor, patch);
}

const char *tileVersionGet(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, makeVersion);
  return version;
}
