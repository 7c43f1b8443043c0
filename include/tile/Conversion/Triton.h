//===- Triton.h - kernels as Triton's front end prints them -----*- C -*-===//
//
// TTIR, of Triton 3.6 to 3.9, is read by the dialects tt and ttg and becomes tile
// by the pass convert-triton-to-tile. Whoever reads a file for a user calls
// tileImportTriton on its module, which does nothing to a module of tile kernels.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_H
#define TILE_TRITON_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Does the module hold functions of Triton's?
bool tileIsTriton(MlirModule module);

/// Turns the Triton kernels of a module into kernels of tile, in place. Fails after a diagnostic at
/// what tile has no equivalent of; the module is then good for nothing but to be destroyed.
MlirLogicalResult tileImportTriton(MlirModule module);

//===- for the pass -------------------------------------------------------===//

/// !tt.ptr<T>, in any address space, and !tt.tensordesc of a box, a ranked tensor type.
bool tileTypeIsATritonPtr(MlirType type);
MlirType tileTritonPtrTypeGetPointee(MlirType ptr);
bool tileTypeIsATritonDesc(MlirType type);
MlirType tileTritonDescTypeGetBox(MlirType desc);

/// What a tt.load or tt.store says of caches, as 3.6 ("cacheModifier = cg") or 3.9 (a cachePolicy)
/// writes it; empty where it says nothing. Valid as long as the context is.
MlirStringRef tileTritonAccessGetCache(MlirOperation access);
MlirStringRef tileTritonAccessGetEvict(MlirOperation access);

/// Makes branches between the blocks of a tt.func (early returns) structured, by upstream's
/// CFGToSCF. Fails after a diagnostic where that cannot be done.
MlirLogicalResult tileTritonLiftControlFlow(MlirOperation func);

#ifdef __cplusplus
}
#endif
#endif
