//===- tile-mlir.h - tile's dialects and passes, for MLIR's C API -*- C -*-===//
//
// For programs that build kernels, or run tile's passes, by MLIR's own C API: libtile-mlir.a, and
// with it the MLIR of the distribution, of the version that tile was built with.
//
//   find_package(tile REQUIRED COMPONENTS mlir)
//   target_link_libraries(program PRIVATE tile::mlir)
//
//   tile/Tile.h    the dialects' registration (mlirGetDialectHandle__tile__ and so on), the passes'
//                  (tileRegisterPasses), types and attributes
//   tile/Ops.h     accessors of every op: tileLoadGetMask(op), tileOpIsALoad(op)
//   tile/IR.h      building and reading IR in one line a use
//
// It follows MLIR, whose C API promises nothing between versions: unlike tile.h this may change
// with each release. libtile.so.1 may be linked beside it, but knows nothing of contexts made here:
// kernels go from one to the other as text or as bytecode.
//===----------------------------------------------------------------------===//
#ifndef TILE_MLIR_H
#define TILE_MLIR_H

#include "tile/IR.h"
#include "tile/Ops.h"
#include "tile/Tile.h"

#endif // TILE_MLIR_H
