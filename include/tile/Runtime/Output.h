//===- Output.h - files that appear whole or not at all ---------------------===//
#ifndef TILE_RUNTIME_OUTPUT_H
#define TILE_RUNTIME_OUTPUT_H

#include "tile/Runtime/Error.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a file: to a new one in the same directory, which then takes the name with the mode and
/// owner of what was there, so that a reader, or a crash, sees the old contents or the new. Links
/// are followed; a device, a pipe, and a file that cannot be replaced as it is (another's, one of
/// several names, one with an access list) is written in place.
bool tileOutputWrite(const char *path, const void *data, size_t size, TileError *error);

/// A file and what is to stand in it; all borrowed.
typedef struct TileOutput {
  const char *path;
  const void *data;
  size_t size;
} TileOutput;

/// Writes files that belong together, each as tileOutputWrite does: all are whole before the first
/// takes its name, so that where one cannot be written the others keep what they had.
bool tileOutputWriteAll(const TileOutput *outputs, size_t count, TileError *error);

/// Fails when tileOutputWrite(path, ..) is bound to: for asking before hours of work.
bool tileOutputCheck(const char *path, TileError *error);

/// Is what stands at the path a device, a pipe or the like? Whoever reads that gets all that is
/// written, so a file that is written again and again while it grows is no output for it.
bool tileOutputIsStream(const char *path);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_OUTPUT_H
