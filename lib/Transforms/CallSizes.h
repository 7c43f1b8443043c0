//===- CallSizes.h - what inlining would make of a kernel -------*- C -*-===//
//
// Helpers that call others twice, thirty deep, are a page of text and 2^30 copies of the last one.
// So how large kernels become is computed before anything is copied.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_CALLSIZES_H
#define TILE_TRANSFORMS_CALLSIZES_H

#include "mlir-c/IR.h"

enum {
  /// Ops of a kernel and all it calls: fifty times what the largest of the gallery has, and some
  /// seconds of compiling.
  TILE_MAX_OPS = 100000,
  TILE_MAX_CALL_DEPTH = 512
};

/// Fails, with an error at the call, where a kernel of the module would be larger.
MlirLogicalResult tileCheckCallSizes(MlirOperation module, MlirSymbolTable symbols);

#endif // TILE_TRANSFORMS_CALLSIZES_H
