//===- File.h - files that are read and written whole -----------*- C -*-===//
//
// What the readers and writers of array files share: opening one that is a file, and replacing one
// so that it appears whole or not at all.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_FILE_H
#define TILE_RUNTIME_FILE_H

#include "tile/Runtime/Error.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// Opens a regular file for reading and gives its length. Null after an error; the caller closes
/// it.
FILE *tileFileOpen(const char *path, uint64_t *bytes, TileError *error);

/// "expected to WHAT 'PATH', found: REASON", the reason that of errno. Returns false.
bool tileFileFail(const char *what, const char *path, TileError *error);

/// Writes a file whole or not at all: what `write` writes to a new file, which takes the place of
/// the one at `path` and keeps its mode and owner. Symbolic links are followed; what is no regular
/// file (a device, a pipe), and what cannot be replaced as it is, is written in place. `write`
/// returns false where it fails, errno saying why.
bool tileFileReplace(const char *path, bool (*write)(FILE *file, const void *data),
                     const void *data, TileError *error);

/// One of the files of tileFileReplaceAll.
typedef struct TileFileOutput {
  const char *path;
  bool (*write)(FILE *file, const void *data);
  const void *data;
} TileFileOutput;

/// The same for several files that belong together: where one cannot be written, the others keep
/// what they had. What is written in place comes last, as it cannot be taken back.
bool tileFileReplaceAll(const TileFileOutput *outputs, size_t count, TileError *error);

/// Fails where tileFileReplace is bound to.
bool tileFileCheckWritable(const char *path, TileError *error);

#endif
