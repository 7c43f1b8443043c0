//===- Tools.h - the mains of the tools that wrap MLIR's own ----*- C -*-===//
#ifndef TILE_TOOLS_H
#define TILE_TOOLS_H

#ifdef __cplusplus
extern "C" {
#endif

/// mlir-opt's main, with tile's dialect, passes and pipelines. Returns the exit code.
int tileOptMain(int argc, char **argv);
/// mlir-lsp-server's main, with tile's dialect.
int tileLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
