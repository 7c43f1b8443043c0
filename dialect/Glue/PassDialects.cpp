//===- PassDialects.cpp - the dialects that passes make ops of ------------===//
#include "PassDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/MLIRContext.h"
using namespace mlir;

// Each as the template that it stands for, which other files may have of the same dialect.
#define TILE_PASS_DIALECT(SPACE, CLASS)                                                            \
  template <> void DialectRegistry::insert<SPACE::CLASS>() {                                       \
    insert(TypeID::get<SPACE::CLASS>(), SPACE::CLASS::getDialectNamespace(),                       \
           [](MLIRContext *context) -> Dialect * {                                                 \
             return context->getOrLoadDialect<SPACE::CLASS>();                                     \
           });                                                                                     \
  }
TILE_PASS_DIALECTS(TILE_PASS_DIALECT)
