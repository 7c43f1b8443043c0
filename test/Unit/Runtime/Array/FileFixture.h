//===- FileFixture.h - a file to be read, for tests of formats ------------===//
//
// Included behind cmocka.h, and with _GNU_SOURCE.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_FILE_FIXTURE_H
#define TILE_TEST_FILE_FIXTURE_H

#include "tile/Runtime/Error.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static TileError error;
/// The folder of this test, and its file.
static char directory[32];
static char path[64];

/// Makes the folder, in memory where there is a place for it: tests write thousands of small files.
static inline bool makeDirectory(const char *fileName) {
  bool inMemory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(directory, sizeof directory, "%s/tile-XXXXXX", inMemory ? "/dev/shm" : "/tmp");
  if (!mkdtemp(directory)) return false;
  snprintf(path, sizeof path, "%s/%s", directory, fileName);
  return true;
}

static inline void removeDirectory(void) {
  unlink(path);
  rmdir(directory);
  tileErrorDestroy(&error);
}

/// The message of the last error, "expected ... in 'FILE', found ...", must be `wanted`, FILE put
/// for the path.
static inline void assertFileMessage(const char *wanted) {
  const char *message = tileErrorGetMessage(&error);
  const char *at = strstr(message, path);
  assert_non_null(at);
  char text[1024];
  snprintf(text, sizeof text, "%.*sFILE%s", (int)(at - message), message, at + strlen(path));
  assert_string_equal(text, wanted);
}

static inline void writeBytes(const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    fail_msg("cannot write %s", path);
    return;
  }
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

#endif
