//===- Tile.h - the dialects' C++ classes, for dialect/ alone --*- C++ -*-===//
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

#include "tile/Layout.h"

#include "TileTraits.h.inc"

#include "TileDialect.h.inc"
#include "TileEnums.h.inc"
#include "TileGpuDialect.h.inc"
#include "TileHostDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileAttrs.h.inc"
#define GET_ATTRDEF_CLASSES
#include "TileGpuAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TileTypes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "TileGpuTypes.h.inc"

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
/// Are `extents`, where there are some, those of a part of the box that begins where it does?
mlir::LogicalResult verifyPart(mlir::Operation *op, mlir::Type desc,
                               std::optional<llvm::ArrayRef<int64_t>> extents);
/// Has a box that is to be added to memory elements that the copy engine adds as threads do?
mlir::LogicalResult verifyAdds(mlir::Operation *op, mlir::Type desc, bool add);

/// i1 i8 i16 i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2.
bool isNumber(mlir::Type type);
/// Rank 1 to 16, each extent positive or a name of #tile.dims, at most 2^24 elements.
bool isTileShape(mlir::RankedTensorType type);
/// Are extent `i` of `a` and extent `j` of `b` one number, or one name?
bool sameExtent(mlir::RankedTensorType a, int64_t i, mlir::RankedTensorType b, int64_t j);
bool sameExtents(mlir::RankedTensorType a, mlir::RankedTensorType b);
/// The name of `?` extent `dim`; null for a static one.
mlir::StringAttr dimName(mlir::RankedTensorType type, int64_t dim);
/// Can `word` be written without quotes?
bool isKeyword(llvm::StringRef word);

/// One of the three dialects?
inline bool isTileDialect(mlir::Dialect *dialect) {
  return llvm::isa_and_nonnull<TileDialect, TileGpuDialect, TileHostDialect>(dialect);
}
/// Lets the inliner move what the dialect has. Called as it is initialized.
void addInlining(mlir::Dialect &dialect);

mlir::LogicalResult verifyOutsideKernel(mlir::Operation *op);
/// Ops of host programs: refused inside a tile.func.
template <typename Op> struct HostOnly : mlir::OpTrait::TraitBase<Op, HostOnly> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyOutsideKernel(op); }
};
} // namespace tile

#define GET_OP_CLASSES
#include "TileOps.h.inc"
#define GET_OP_CLASSES
#include "TileGpuOps.h.inc"
#define GET_OP_CLASSES
#include "TileHostOps.h.inc"

namespace tile {
/// Is `name` a meta-parameter of the kernel, or one that all kernels have?
bool isBindable(FuncOp func, llvm::StringRef name);
} // namespace tile

#endif
