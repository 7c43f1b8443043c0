//===- Known.h - types that values have already ----------------*- C++ -*-===//
//
// Custom directives of ODS for ops whose operands say all that stands behind the colon, or all but
// the result: `tile.reshape %x -> tensor<8x8xf32>`, `tile_host.dump %x`. What is left out is the
// type that the value was given where it was defined. What these print is complete.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DIALECT_TEXT_KNOWN_H
#define TILE_DIALECT_TEXT_KNOWN_H

#include "Operands.h"

namespace tile {

// `: types`, or nothing: those of the operands.
mlir::ParseResult parseKnownTypes(mlir::OpAsmParser &p, llvm::ArrayRef<Operand> operands,
                                  TypeList<mlir::Type> &types);
mlir::ParseResult parseKnownType(mlir::OpAsmParser &p, const Operand &operand, mlir::Type &type);
mlir::ParseResult parseKnownPair(mlir::OpAsmParser &p, const Operand &a, const Operand &b,
                                 mlir::Type &aType, mlir::Type &bType);
// `: source -> result`, or `-> result`.
mlir::ParseResult parseSourceTypes(mlir::OpAsmParser &p, const Operand &source,
                                   mlir::Type &sourceType, mlir::Type &result);
// `: source -> result` or nothing: one extent of 2 more behind, or one less.
mlir::ParseResult parseJoinTypes(mlir::OpAsmParser &p, const Operand &lhs, mlir::Type &lhsType,
                                 mlir::Type &result);
mlir::ParseResult parseSplitTypes(mlir::OpAsmParser &p, const Operand &source,
                                  mlir::Type &sourceType, mlir::Type &half);
// `: lhs, rhs -> result` or nothing: extents along the axis are added.
mlir::ParseResult parseCatTypes(mlir::OpAsmParser &p, const Operand &lhs, const Operand &rhs,
                                mlir::IntegerAttr axis, mlir::Type &lhsType, mlir::Type &rhsType,
                                mlir::Type &result);
// `: source, indices -> result` or nothing: the shape of the indices.
mlir::ParseResult parseGatherTypes(mlir::OpAsmParser &p, const Operand &source,
                                   const Operand &indices, mlir::Type &sourceType,
                                   mlir::Type &indicesType, mlir::Type &result);
// `: (extents) -> array`, or `-> array`.
mlir::ParseResult parseArrayTypes(mlir::OpAsmParser &p, llvm::ArrayRef<Operand> extents,
                                  TypeList<mlir::Type> &types, mlir::Type &array);

template <typename Types>
void printKnownTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::OperandRange operands, Types) {
  if (!operands.empty()) p << " : " << operands.getTypes();
}
inline void printKnownType(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value operand,
                           mlir::Type) {
  p << ": " << operand.getType();
}
inline void printKnownPair(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value a, mlir::Value b,
                           mlir::Type, mlir::Type) {
  p << ": " << a.getType() << ", " << b.getType();
}
inline void printSourceTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value source,
                             mlir::Type, mlir::Type result) {
  p << ": " << source.getType() << " -> " << result;
}
inline void printJoinTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value lhs, mlir::Type,
                           mlir::Type result) {
  p << ": " << lhs.getType() << " -> " << result;
}
inline void printSplitTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value source,
                            mlir::Type, mlir::Type half) {
  p << ": " << source.getType() << " -> " << half;
}
inline void printCatTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value lhs,
                          mlir::Value rhs, mlir::IntegerAttr, mlir::Type, mlir::Type,
                          mlir::Type result) {
  p << ": " << lhs.getType() << ", " << rhs.getType() << " -> " << result;
}
inline void printGatherTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value source,
                             mlir::Value indices, mlir::Type, mlir::Type, mlir::Type result) {
  p << ": " << source.getType() << ", " << indices.getType() << " -> " << result;
}
template <typename Types>
void printArrayTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::OperandRange extents, Types,
                     mlir::Type array) {
  p << ": (" << extents.getTypes() << ") -> " << array;
}

} // namespace tile

#endif
