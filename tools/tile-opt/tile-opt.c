//===- tile-opt.c - run passes over tile programs -------------------------===//
//
// All that mlir-opt has, plus the tile dialect and its passes.
//
//===----------------------------------------------------------------------===//
#include "../start/Programs.h"
#include "tile/Runtime/Output.h"
#include "tile/Support/Process.h"
#include "tile/Tools.h"
#include <stdio.h>
#include <string.h>

static bool writeOutput(const char *path, const void *data, size_t size) {
  if (!strcmp(path, "-")) return fwrite(data, 1, size, stdout) == size;
  TileError error = TILE_ERROR_INIT;
  bool written = tileOutputWrite(path, data, size, &error);
  if (!written) fprintf(stderr, "error: %s\n", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  return written;
}

int tileOptProgram(int argc, char **argv) {
  tileProcessBegin("tile-opt");
  tileProcessRunNoPrograms();
  return tileOptMain(argc, argv, writeOutput);
}
