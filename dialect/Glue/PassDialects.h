//===- PassDialects.h - the dialects that passes make ops of ----*- C++ -*-===//
//
// A pass registers the dialects of its results, which in MLIR takes the class of each, and with the
// classes come the ops of all of them: twenty seconds of compiling for each new line of Passes.td.
// Here the classes are names, and PassDialects.cpp, which seldom changes, knows the rest.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_DIALECT_PASSDIALECTS_H
#define TILE_DIALECT_PASSDIALECTS_H

#include "mlir/IR/DialectRegistry.h"

#define TILE_PASS_DIALECTS(APPLY)                                                                  \
  APPLY(arith, ArithDialect)                                                                       \
  APPLY(cf, ControlFlowDialect)                                                                    \
  APPLY(func, FuncDialect)                                                                         \
  APPLY(gpu, GPUDialect)                                                                           \
  APPLY(LLVM, LLVMDialect)                                                                         \
  APPLY(math, MathDialect)                                                                         \
  APPLY(memref, MemRefDialect)                                                                     \
  APPLY(NVVM, NVVMDialect)                                                                         \
  APPLY(scf, SCFDialect)                                                                           \
  APPLY(ub, UBDialect)                                                                             \
  APPLY(vector, VectorDialect)

#define TILE_PASS_DIALECT(SPACE, CLASS)                                                            \
  namespace mlir::SPACE {                                                                          \
  class CLASS;                                                                                     \
  }                                                                                                \
  template <> void mlir::DialectRegistry::insert<mlir::SPACE::CLASS>();
TILE_PASS_DIALECTS(TILE_PASS_DIALECT)
#undef TILE_PASS_DIALECT

#endif // TILE_DIALECT_PASSDIALECTS_H
