//===- Tile.h - the dialect's C++ classes, for dialect/ alone ---*- C++ -*-===//
#ifndef TILE_DIALECT_TILE_H
#define TILE_DIALECT_TILE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "TileDialect.h.inc"
#include "TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TileTypes.h.inc"

namespace tile {
/// `shape` with another element type; a plain type stands for a tile of rank 0.
mlir::Type withElement(mlir::Type shape, mlir::Type element);
/// !tile.ptr<T> -> T, tensor<..x!tile.ptr<T>> -> tensor<..xT>; null otherwise.
mlir::Type pointeeType(mlir::Type pointers);
/// i1 of the shape of `type`.
mlir::Type maskType(mlir::Type type);
/// f32 of the shape of `type`.
mlir::Type f32Like(mlir::Type type);
/// The tile that one access of a descriptor moves; null for other types.
mlir::Type boxType(mlir::Type desc);
} // namespace tile

#define GET_OP_CLASSES
#include "TileOps.h.inc"

#endif
