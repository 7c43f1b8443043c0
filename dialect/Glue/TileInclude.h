//===- TileInclude.h - files that include others ---------------*- C++ -*-===//
#ifndef TILE_DIALECT_TILEINCLUDE_H
#define TILE_DIALECT_TILEINCLUDE_H

#include "TileText.h"

namespace tile {

/// Puts the functions of included files in the place of each `tile.include "x.mlir"` at the top of
/// `module`, which is the text of `file` (a path, or what is none: then the current folder counts).
/// A file is looked for beside the one that includes it, and then in share/ of where tile is built
/// or installed. Each comes once, with what it includes; its public host functions, such as @main,
/// stay behind. Failure after a diagnostic: where a file is missing, or no text of MLIR's, or
/// includes itself, over however many others.
mlir::LogicalResult resolveIncludes(mlir::ModuleOp module, llvm::StringRef file, TextParser parser);

} // namespace tile

#endif // TILE_DIALECT_TILEINCLUDE_H
