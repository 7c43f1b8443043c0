//===- Output.c - files that appear whole or not at all -------------------===//
#include "tile/Runtime/Output.h"
#include "File.h"
#include <sys/stat.h>

typedef struct Bytes {
  const void *data;
  size_t size;
} Bytes;

static bool writeBytes(FILE *file, const void *data) {
  const Bytes *bytes = data;
  return fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
}

bool tileOutputWrite(const char *path, const void *data, size_t size, TileError *error) {
  Bytes bytes = {data, size};
  return tileFileReplace(path, writeBytes, &bytes, error);
}

bool tileOutputIsStream(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool tileOutputCheck(const char *path, TileError *error) {
  return tileFileCheckWritable(path, error);
}
