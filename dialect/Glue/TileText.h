//===- TileText.h - what stands in text alone, taken out of modules -*- C++ -*-===//
#ifndef TILE_DIALECT_TILETEXT_H
#define TILE_DIALECT_TILETEXT_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/SourceMgr.h"

namespace tile {

/// MLIR's parser of text.
using TextParser = llvm::function_ref<mlir::LogicalResult(
    const llvm::SourceMgr &, mlir::Block *, const mlir::ParserConfig &, mlir::AsmParserState *,
    mlir::AsmParserCodeCompleteContext *)>;

/// `config`, but that nothing is verified: what stands in text alone passes no verifier.
void relax(const mlir::ParserConfig &config, mlir::ParserConfig &relaxed);

/// What follows a relaxed parse of `file`: other files are included, by `parser`; helpers for any
/// types become some for those that they are called with, expressions become ops, and tiles are
/// repeated where they are meant to be (Text/). Nothing is verified. Failure after a diagnostic.
mlir::LogicalResult expandModule(mlir::ModuleOp module, llvm::StringRef file, TextParser parser);

/// Parses text as MLIR does, by `parser`, expands it and verifies it. Where an editor asks
/// (`state`), which keeps pointers to the ops, a copy is: for what there is to say of it.
mlir::LogicalResult parseText(TextParser parser, const llvm::SourceMgr &sources, mlir::Block *block,
                              const mlir::ParserConfig &config, mlir::AsmParserState *state,
                              mlir::AsmParserCodeCompleteContext *completion);

/// Expands a copy of what a relaxed parse of `file` left in `block`, and hands its module to
/// `check`. Failure after diagnostics, or where `check` returns false.
mlir::LogicalResult expandCopy(TextParser parser, mlir::Block *block, mlir::MLIRContext *context,
                               llvm::StringRef file,
                               llvm::function_ref<bool(mlir::Operation *)> check);

} // namespace tile

#endif // TILE_DIALECT_TILETEXT_H
