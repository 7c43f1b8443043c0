//===- Tools.h - the mains of the tools that wrap MLIR's own ----*- C -*-===//
#ifndef TILE_TOOLS_H
#define TILE_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a file, or stdout where the path is "-"; false after an error, which it prints.
typedef bool (*TileWriter)(const char *path, const void *data, size_t size);

/// mlir-opt's main, with tile's dialect, passes and pipelines; `write` gets what it made. Returns
/// the exit code.
int tileOptMain(int argc, char **argv, TileWriter write);
/// mlir-lsp-server's main, with tile's dialect.
int tileLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
