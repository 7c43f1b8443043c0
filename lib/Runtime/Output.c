//===- Output.c - files that appear whole or not at all -------------------===//
#include "tile/Runtime/Output.h"
#include "File.h"
#include <stdlib.h>
#include <sys/stat.h>

static bool writeBytes(FILE *file, const void *data) {
  const TileOutput *output = data;
  return fwrite(output->data, 1, output->size, file) == output->size;
}

bool tileOutputWriteAll(const TileOutput *outputs, size_t count, TileError *error) {
  TileFileOutput *files = tileRuntimeAlloc(count * sizeof *files);
  for (size_t i = 0; i < count; ++i)
    files[i] = (TileFileOutput){outputs[i].path, writeBytes, &outputs[i]};
  bool ok = tileFileReplaceAll(files, count, error);
  free(files);
  return ok;
}

bool tileOutputWrite(const char *path, const void *data, size_t size, TileError *error) {
  const TileOutput output = {path, data, size};
  return tileOutputWriteAll(&output, 1, error);
}

bool tileOutputIsStream(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool tileOutputCheck(const char *path, TileError *error) {
  return tileFileCheckWritable(path, error);
}
