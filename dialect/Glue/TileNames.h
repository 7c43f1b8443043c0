//===- TileNames.h - values keep the names they have in the text -*- C++ -*-===//
#ifndef TILE_DIALECT_TILENAMES_H
#define TILE_DIALECT_TILENAMES_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace tile {

/// A TextParser (TileText.h): MLIR's, and then values are named. What else it is given is not used.
mlir::LogicalResult parseNamedText(const llvm::SourceMgr &sources, mlir::Block *block,
                                   const mlir::ParserConfig &config, mlir::AsmParserState *,
                                   mlir::AsmParserCodeCompleteContext *);

/// Parses a module, text or bytecode, whose values are then named by their locations
/// (tile/Support/Names.h). Not verified. Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseNamed(llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace tile

#endif // TILE_DIALECT_TILENAMES_H
