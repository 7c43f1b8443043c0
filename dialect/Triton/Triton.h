//===- Triton.h - the reader's dialects, for dialect/ alone -----*- C++ -*-===//
#ifndef TILE_DIALECT_TRITON_H
#define TILE_DIALECT_TRITON_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "TtDialect.h.inc"
#include "TtgDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TtTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "TtAttrs.h.inc"

namespace tile::tt {
/// What pointers point at, in their shape; a type that is none as it is.
mlir::Type pointeeType(mlir::Type pointers);
/// i1 of the shape of `type`.
mlir::Type maskType(mlir::Type type);
} // namespace tile::tt

#define GET_OP_CLASSES
#include "TtOps.h.inc"
#define GET_OP_CLASSES
#include "TtgOps.h.inc"

#endif
