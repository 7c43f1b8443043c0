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
/// From here on what is parsed in this process is an editor's: what is right of a text with errors
/// is understood, and a parser that crashes ends nothing.
void tileLspBegin(void);
/// mlir-lsp-server's main, with tile's dialect. Begins by itself.
int tileLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
