//===- TileParse.h - calling MLIR's parsers on text of strangers *- C++ -*-===//
#ifndef TILE_DIALECT_TILEPARSE_H
#define TILE_DIALECT_TILEPARSE_H

#include "mlir/IR/Block.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tile {

/// Calls `parser` on a text that is not nested too deep, and survives its crashes. False after
/// either, with an error in the context, at the file `name`; what the parser made is lost then.
/// Several threads may parse at a time, each in its context. Meanwhile SIGSEGV, SIGBUS, SIGABRT,
/// SIGILL, SIGFPE and SIGTRAP have LLVM's handlers; a host that sets its own sets them before.
bool parseSafely(mlir::MLIRContext *context, llvm::StringRef text, llvm::StringRef name,
                 llvm::function_ref<void()> parser);

/// Can all ops be worked through, and printed? An alias of an alias, and bytecode, nest attributes
/// and types deeper than brackets could, and have few of them stand for more than there is room
/// for. False after an error at the op. Locations count, too.
bool isWithinLimits(mlir::Operation *op);
bool isWithinLimits(mlir::Block *block);

} // namespace tile

#endif // TILE_DIALECT_TILEPARSE_H
