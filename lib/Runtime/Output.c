//===- Output.c - files that appear whole or not at all -------------------===//
#include "tile/Runtime/Output.h"
#include "File.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Bytes {
  const void *data;
  size_t size;
} Bytes;

static bool writeBytes(FILE *file, const void *data) {
  const Bytes *bytes = data;
  return fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
}

/// A device or a pipe, which cannot be replaced.
static bool isSpecial(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool tileOutputWrite(const char *path, const void *data, size_t size, TileError *error) {
  Bytes bytes = {data, size};
  if (!isSpecial(path)) return tileFileReplace(path, writeBytes, &bytes, error);
  FILE *file = fopen(path, "wb");
  if (!file) return tileFileFail("write", path, error);
  bool written = writeBytes(file, &bytes);
  written = fclose(file) == 0 && written;
  return written || tileFileFail("write", path, error);
}

bool tileOutputCheck(const char *path, TileError *error) {
  if (isSpecial(path)) return access(path, W_OK) == 0 || tileFileFail("write", path, error);
  const char *slash = strrchr(path, '/');
  size_t length = slash && slash > path ? (size_t)(slash - path) : 1;
  char *folder = tileRuntimeAlloc(length + 1);
  memcpy(folder, slash ? path : ".", length);
  bool ok = access(folder, W_OK | X_OK) == 0 || tileFileFail("write", path, error);
  free(folder);
  return ok;
}
