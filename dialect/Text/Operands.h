//===- Operands.h - types that text may leave out --------------*- C++ -*-===//
//
// Custom directives of ODS for the types behind an op's colon. All of them may be left out, where
// those of operands determine the rest. Operands may be scalars, or have extents of 1, where tiles
// are meant: expandText (Expand.h) repeats them.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DIALECT_TEXT_OPERANDS_H
#define TILE_DIALECT_TEXT_OPERANDS_H

#include "Tile.h"

namespace tile {
using Operand = mlir::OpAsmParser::UnresolvedOperand;
using MaybeOperand = std::optional<mlir::OpAsmParser::UnresolvedOperand>;
template <typename T> using TypeList = llvm::SmallVectorImpl<T>;

/// The type of `operand`, which has to fit `meant`, whatever `what` it is.
mlir::ParseResult parseFitting(mlir::OpAsmParser &p, const Operand &operand, llvm::StringRef what,
                               mlir::Type meant, mlir::Type &type);

// `: type of the pointers`. All that an access has is of their shape.
mlir::ParseResult parseLoadTypes(mlir::OpAsmParser &p, const Operand &ptr, const MaybeOperand &mask,
                                 const MaybeOperand &other, mlir::Type &ptrType,
                                 mlir::Type &maskType, mlir::Type &otherType, mlir::Type &result);
mlir::ParseResult parseStoreTypes(mlir::OpAsmParser &p, const Operand &ptr, const Operand &value,
                                  const MaybeOperand &mask, mlir::Type &ptrType,
                                  mlir::Type &valueType, mlir::Type &maskType);
mlir::ParseResult parseRmwTypes(mlir::OpAsmParser &p, const Operand &ptr, const Operand &value,
                                const MaybeOperand &mask, mlir::Type &ptrType,
                                mlir::Type &valueType, mlir::Type &maskType, mlir::Type &result);
mlir::ParseResult parseCasTypes(mlir::OpAsmParser &p, const Operand &ptr, const Operand &expected,
                                const Operand &value, const MaybeOperand &mask, mlir::Type &ptrType,
                                mlir::Type &expectedType, mlir::Type &valueType,
                                mlir::Type &maskType, mlir::Type &result);
// `: pointers, offsets`. The result has the shape that both fit.
mlir::ParseResult parseAddressTypes(mlir::OpAsmParser &p, const Operand &ptr, const Operand &offset,
                                    mlir::Type &ptrType, mlir::Type &offsetType,
                                    mlir::Type &result);
// `: type of all`.
mlir::ParseResult parseSwizzleTypes(mlir::OpAsmParser &p, const Operand &i, const Operand &j,
                                    const Operand &sizeI, const Operand &sizeJ,
                                    const Operand &group, mlir::Type &iType, mlir::Type &jType,
                                    mlir::Type &sizeIType, mlir::Type &sizeJType,
                                    mlir::Type &groupType, mlir::Type &newI, mlir::Type &newJ);
// `: source -> result`.
mlir::ParseResult parseExpandTypes(mlir::OpAsmParser &p, const Operand &source,
                                   mlir::IntegerAttr axis, mlir::Type &sourceType,
                                   mlir::Type &result);
mlir::ParseResult parseTransTypes(mlir::OpAsmParser &p, const Operand &source,
                                  mlir::DenseI32ArrayAttr order, mlir::Type &sourceType,
                                  mlir::Type &result);
// `[0, D floordiv 2]`: numbers and extents of #tile.dims.
mlir::ParseResult parseSliceOffsets(mlir::OpAsmParser &p, mlir::ArrayAttr &offsets);
void printSliceOffsets(mlir::OpAsmPrinter &p, mlir::Operation *op, mlir::ArrayAttr offsets);
// `: a, b -> result`.
mlir::ParseResult parseDotTypes(mlir::OpAsmParser &p, const Operand &a, const Operand &b,
                                const Operand &acc, mlir::Type &aType, mlir::Type &bType,
                                mlir::Type &accType, mlir::Type &result);
// `: (inputs) -> outputs`, or `-> outputs`.
mlir::ParseResult parseCallTypes(mlir::OpAsmParser &p, llvm::ArrayRef<Operand> inputs,
                                 TypeList<mlir::Type> &inputTypes,
                                 TypeList<mlir::Type> &outputTypes);

// What they print is complete.
template <typename... Rest> void printLoadTypes(mlir::OpAsmPrinter &p, LoadOp op, Rest...) {
  p << ": " << op.getPtr().getType();
}
template <typename... Rest> void printStoreTypes(mlir::OpAsmPrinter &p, StoreOp op, Rest...) {
  p << ": " << op.getPtr().getType();
}
template <typename... Rest> void printRmwTypes(mlir::OpAsmPrinter &p, AtomicRmwOp op, Rest...) {
  p << ": " << op.getPtr().getType();
}
template <typename... Rest> void printCasTypes(mlir::OpAsmPrinter &p, AtomicCasOp op, Rest...) {
  p << ": " << op.getPtr().getType();
}
template <typename... Rest> void printAddressTypes(mlir::OpAsmPrinter &p, AddPtrOp op, Rest...) {
  p << ": " << op.getPtr().getType() << ", " << op.getOffset().getType();
}
template <typename... Rest> void printSwizzleTypes(mlir::OpAsmPrinter &p, Swizzle2dOp op, Rest...) {
  p << ": " << op.getI().getType();
}
template <typename... Rest> void printExpandTypes(mlir::OpAsmPrinter &p, ExpandDimsOp op, Rest...) {
  p << ": " << op.getSource().getType() << " -> " << op.getType();
}
template <typename... Rest> void printTransTypes(mlir::OpAsmPrinter &p, TransOp op, Rest...) {
  p << ": " << op.getSource().getType() << " -> " << op.getType();
}
template <typename... Rest> void printDotTypes(mlir::OpAsmPrinter &p, DotOp op, Rest...) {
  p << ": " << op.getA().getType() << ", " << op.getB().getType() << " -> " << op.getType();
}
template <typename... Rest> void printCallTypes(mlir::OpAsmPrinter &p, CallOp op, Rest...) {
  p << ": ";
  p.printFunctionalType(op.getInputs().getTypes(), op.getResultTypes());
}

/// The type of a value that has been defined, which MLIR's parser knows and has no word for. Null
/// after an error.
mlir::Type typeOf(mlir::OpAsmParser &p, const Operand &operand);
/// The same, but `none` for one that has not been defined, which the parser reports at the end.
mlir::Type typeOrNone(mlir::OpAsmParser &p, const Operand &operand);
/// The element type that a dot of these adds up in; null where there is none.
mlir::Type accumulatorOf(mlir::Type a, mlir::Type b);
/// `source` with dimensions rearranged: entry i is one of its own, or -1 for a new extent of 1.
mlir::Type rearranged(mlir::RankedTensorType source, llvm::ArrayRef<int64_t> pick);

} // namespace tile

#endif
