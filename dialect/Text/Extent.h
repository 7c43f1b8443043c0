//===- Extent.h - extents with arithmetic, as text -------------*- C++ -*-===//
//
// #tile.dims<[BK floordiv 8, BN]>: an extent is a name, or an affine expression of names. As an
// attribute it is a text in one form for all that are equal: names sorted, simplified by MLIR's
// affine expressions. So verifiers compare expressions as they compare names.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DIALECT_TEXT_EXTENT_H
#define TILE_DIALECT_TEXT_EXTENT_H

#include "Tile.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile {

/// Reads an extent that has a name in it.
mlir::ParseResult parseExtentText(mlir::AsmParser &p, mlir::StringAttr &text);
/// Is it what parseExtentText makes?
bool isExtentText(mlir::StringAttr text);

/// A number, or (null expression) none: what an extent becomes.
struct BoundExtent {
  int64_t size = -1;     ///< where it is a number
  mlir::StringAttr text; ///< where names are left
};
/// `text` with what `lookUp` gives in the place of its names; nothing where that fails, or where
/// the arithmetic has no result.
std::optional<BoundExtent>
bindExtent(mlir::StringAttr text,
           llvm::function_ref<std::optional<BoundExtent>(mlir::StringAttr)> lookUp);
/// What both are together; numbers that have no sum are the largest.
BoundExtent addExtents(const BoundExtent &a, const BoundExtent &b, mlir::MLIRContext *context);

} // namespace tile

#endif
