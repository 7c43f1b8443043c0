//===- ExpandText.h - what text leaves out, made explicit -------*- C++ -*-===//
#ifndef TILE_DIALECT_TEXT_EXPAND_H
#define TILE_DIALECT_TEXT_EXPAND_H

#include "Tile.h"
#include "mlir/IR/Builders.h"

namespace tile {

/// Every tile.expr in `root` becomes ops of arith and tile, and operands that are scalars or have
/// extents of 1 where tiles are meant are repeated by tile.splat and tile.broadcast. Failure after
/// a diagnostic.
///
///   %p = tile.expr %x + %offs                %xs = tile.splat %x : ..
///                                            %p = tile.addptr %xs, %offs : ..
///   %v = tile.load %p, %some, %zero          %zeros = tile.splat %zero : ..
///                                            %v = tile.load %p, %some, %zeros : ..
mlir::LogicalResult expandText(mlir::Operation *root);

/// `value` repeated to the shape of `type`: itself, or a tile.splat or tile.broadcast of it.
mlir::Value repeatTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Type type);

} // namespace tile

#endif
