//===- Kernels.h - files of kernels, made ready to be programs --*- C -*-===//
//
//   text or file --> tileParse.. --> tileKernelsTake --> tileProgramCreate (tile/Session/Program.h)
//                                    Triton's kernels become tile's; what host programs may do
//
// All failures are diagnostics at the op that they are about.
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_KERNELS_H
#define TILE_SESSION_KERNELS_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"
#include "tile/Runtime/ElementType.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a file's host program may do. It is compiled and run in this process, as a shell script is
/// by a shell (docs/security.md).
typedef enum TileHostTrust {
  /// Nothing: all but kernels is taken out of the module.
  TILE_HOST_TRUST_NONE,
  /// Call what the module brings, and what MLIR's own lowerings call.
  TILE_HOST_TRUST_OWN,
  /// Call any function of this process, system() among them.
  TILE_HOST_TRUST_ALL,
} TileHostTrust;

/// Makes what was parsed a module of tile's kernels: kernels of Triton's become such. A module that
/// fails is good for nothing but to be destroyed.
MlirLogicalResult tileKernelsTake(MlirModule module, TileHostTrust trust);

/// The kernel `wanted`, or with NULL the only one of the module; null after a diagnostic.
MlirOperation tileKernelsFind(MlirModule module, const char *wanted);

/// Is this a kernel, and no helper or host program?
bool tileOpIsAKernel(MlirOperation op);

/// Is argument `number` marked as one by which tuning tells launches apart (tile.key)?
bool tileKernelHasKey(MlirOperation kernel, unsigned number);

/// Does the text say that argument `number` is an extent or a stride (tile.extent, tile.stride)?
/// Then of which dimension of which argument.
bool tileKernelFindMeasure(MlirOperation kernel, unsigned number, bool *isStride, uint32_t *array,
                           uint32_t *dimension);

/// The arguments on which an address, a mask or the end of a loop depends, as a bit set by number;
/// of those past the 64th nothing is known.
uint64_t tileKernelGetSteeringArguments(MlirOperation kernel);

/// What the text says that argument `number` is a multiple of; 0: nothing.
int64_t tileKernelGetMultiple(MlirOperation kernel, unsigned number);

/// How many configurations the kernel proposes; and one of them, as "BM=64,num_warps=4", in memory
/// that the caller frees.
intptr_t tileKernelGetNumConfigs(MlirOperation kernel);
char *tileKernelPrintConfig(MlirOperation kernel, intptr_t number);

/// The kernel's tile.grid, or a null op.
MlirOperation tileKernelGetGrid(MlirOperation kernel);

/// The element type of an MLIR type, false when the runtime has none for it.
bool tileProgramGetElementType(MlirType type, TileElementType *result);

/// A number that a user wrote, as a value of `type` in the low bytes of a slot, the others 0: what
/// C's strtoll (base 0) and strtod take, in the range of the type, with a sign or without. False
/// for other text and other types.
bool tileProgramParseValue(MlirType type, const char *text, uint64_t *slot);

/// Gives a kernel a tile.grid of so many programs; one that has a grid is refused.
MlirLogicalResult tileKernelSetGrid(MlirOperation kernel, const int32_t grid[3]);

#ifdef __cplusplus
}
#endif

#endif // TILE_SESSION_KERNELS_H
