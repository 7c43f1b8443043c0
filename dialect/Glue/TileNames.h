//===- TileNames.h - values keep the names they have in the text -*- C++ -*-===//
#ifndef TILE_DIALECT_TILENAMES_H
#define TILE_DIALECT_TILENAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace tile {

/// Parses a module, text or bytecode, whose values are then named by their locations
/// (tile/Support/Names.h). Not verified. Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseNamed(llvm::SourceMgr &sources, mlir::MLIRContext *context);

} // namespace tile

#endif // TILE_DIALECT_TILENAMES_H
