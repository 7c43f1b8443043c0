//===- Output.h - files that appear whole or not at all ---------------------===//
#ifndef TILE_RUNTIME_OUTPUT_H
#define TILE_RUNTIME_OUTPUT_H

#include "tile/Runtime/Error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a file: to a temporary one in the same directory, which then takes the name, so that a
/// reader, or a crash, sees the old contents or the new. A device or a pipe is written in place.
bool tileOutputWrite(const char *path, const void *data, size_t size, TileError *error);

/// Fails when tileOutputWrite(path, ..) is bound to: for asking before hours of work.
bool tileOutputCheck(const char *path, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_OUTPUT_H
