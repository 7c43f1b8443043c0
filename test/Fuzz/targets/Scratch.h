//===- Scratch.h - files of a fuzz target -----------------------*- C -*-===//
#ifndef TILE_FUZZ_SCRATCH_H
#define TILE_FUZZ_SCRATCH_H

#include "Target.h"
#include <unistd.h>

/// A name of this process's own, in memory where the machine has files there.
static inline void scratchName(char *path, size_t size, const char *name) {
  const char *folder = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
  snprintf(path, size, "%s/tile-fuzz-%ld-%s", folder, (long)getpid(), name);
}

/// A file of the input; one a process.
static inline void scratchFile(char *path, size_t size, const uint8_t *data, size_t bytes) {
  scratchName(path, size, "input");
  FILE *file = fopen(path, "wb");
  expect(file && fwrite(data, 1, bytes, file) == bytes && !fclose(file), "room for the input");
}

#endif // TILE_FUZZ_SCRATCH_H
