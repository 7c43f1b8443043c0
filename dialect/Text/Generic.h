//===- Generic.h - helpers for any element types ---------------*- C++ -*-===//
#ifndef TILE_DIALECT_TEXT_GENERIC_H
#define TILE_DIALECT_TEXT_GENERIC_H

#include "Tile.h"
#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Before:  tile.func private @sum(%x: tensor<?x!tile.any<T>, #tile.dims<[N]>>) -> !tile.any<T>
///          %a = tile.call @sum(%x) : (tensor<?xf16, #tile.dims<[M]>>) -> f16
/// After:   tile.func private @sum_f16(%x: tensor<?xf16, #tile.dims<[N]>>) -> f16
///          %a = tile.call @sum_f16(%x) : (tensor<?xf16, #tile.dims<[M]>>) -> f16
///
/// Helpers whose signatures have `!tile.any` are copied for each set of types they are called with,
/// and go. Extents stay for tile-instantiate. Failure after a diagnostic, where a call binds a name
/// to two types, to none, or to what is no number.
mlir::LogicalResult instantiateTypes(mlir::ModuleOp module);

} // namespace tile

#endif
