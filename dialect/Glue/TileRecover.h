//===- TileRecover.h - all errors of a text, with what mends them *- C++ -*-===//
//
// MLIR's parser stops at the first error, and its verifier at the first op that is wrong. These go
// on, so that one run tells of many mistakes, and of none that follows from another.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DIALECT_TILERECOVER_H
#define TILE_DIALECT_TILERECOVER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <thread>
#include <vector>

namespace tile {

/// Keeps what this thread's parser says in the context, until it goes. To be made outside of
/// parseSafely, which may leave what is made inside as it is.
class CaughtDiagnostics {
public:
  explicit CaughtDiagnostics(mlir::MLIRContext *context);
  std::vector<mlir::Diagnostic> all;

private:
  std::thread::id owner;
  mlir::ScopedDiagnosticHandler handler;
};

/// Hands all on to the handlers of the context, the first errors alone where there are many.
void emitAll(mlir::MLIRContext *context, std::vector<mlir::Diagnostic> diagnostics);

/// A parse of `text` failed, and `caught` has its errors. Takes the statements that these are in
/// out of the text, calls `again` with what is left, and so on until that returns true or there is
/// nothing to be won. Drops errors that follow from what was taken out. True where the last call of
/// `again` did.
bool recover(llvm::StringRef text, llvm::StringRef name, CaughtDiagnostics &caught,
             llvm::function_ref<bool(llvm::StringRef)> again);

/// Puts what was said in the order of the text, and adds hints to the errors that emitAll hands on:
/// the verifier's, too, have names that may be misspelt.
void addHints(mlir::MLIRContext *context, llvm::StringRef text, llvm::StringRef name,
              CaughtDiagnostics &caught);

/// Verifies each op in the order of the text: of one with regions, the region first, and itself
/// only where all within it is right. False where one is wrong.
bool verifyEach(mlir::Operation *op);

/// A module of a text or of bytecode, whose values keep their names (TileNames.h). Null after
/// diagnostics: all errors that there are, with hints.
mlir::OwningOpRef<mlir::ModuleOp> parseAll(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                           mlir::MLIRContext *context);

} // namespace tile

#endif // TILE_DIALECT_TILERECOVER_H
