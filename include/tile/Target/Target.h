//===- Target.h - LLVM dialect to LLVM IR, PTX, cubin, and host code ------===//
//
// What comes in is a module that the conversions have finished with: only LLVM and NVVM dialect
// ops, either directly in a builtin.module (host code) or in the one gpu.module of a builtin.module
// (device code). What goes out is a stage of it as bytes, or code ready to be called:
//
//                 +-- tileTargetEmitGpu ---> LLVM IR text, PTX ---+-- tileTargetAssemble -> cubin
//    MlirModule --+
//                 +-- tileTargetEmitHost --> LLVM IR text, assembly, object --+
//                                                                             |
//                      functions of this process <-------- tileJitCreate -----+
//
// Needs: a context with the translations to LLVM IR registered, which tileRegisterDialects does
// (tile/Tile.h), and the upstream passes registered for line information.
//
// Errors are MLIR diagnostics at the module's location, and the result is failure: what LLVM itself
// reports (its diagnostics, and the fatal errors that would end the process, "Cannot select" among
// them) is caught and becomes one. Inputs that reach a fatal error: NVVM ops above the architecture
// asked for (wgmma on sm_80), and a vector element type the backend has no register for. After such
// an error what LLVM had allocated for that module is lost, which is the price of going on.
//===----------------------------------------------------------------------===//
#ifndef TILE_TARGET_H
#define TILE_TARGET_H

#include "mlir-c/IR.h"
#include "tile/Machine.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

//===- bytes --------------------------------------------------------------===//

/// What a stage produced: text or a binary. A NUL follows the last byte, not counted in `size`.
typedef struct TileBlob {
  char *data;
  size_t size;
} TileBlob;

/// Frees the bytes and leaves an empty blob. An empty one (all zero) is allowed.
void tileBlobDestroy(TileBlob *blob);

//===- device code --------------------------------------------------------===//

typedef enum TileGpuStage {
  /// LLVM IR as the MLIR translation gives it.
  TILE_GPU_LLVM,
  TILE_GPU_PTX,
} TileGpuStage;

typedef struct TileGpuOptions {
  const TileMachine *arch;
  /// `.loc` directives that name the lines of the .mlir, so that profilers show tile code. Does not
  /// change the code.
  bool lineInfo;
  /// LLVM IR to start from in place of the module's; NULL for that.
  const TileBlob *llvm;
} TileGpuOptions;

/// Emits `stage` of the one gpu.module in `module`, or of `module` itself when it has none. Adds
/// line information to `module` if asked; else leaves it as it is.
MlirLogicalResult tileTargetEmitGpu(MlirModule module, TileGpuStage stage,
                                    const TileGpuOptions *options, TileBlob *blob);

/// PTX to a cubin through ptxas: the one that $TILE_PTXAS names, which is none where it is empty;
/// else the first on PATH, else that of $CUDA_HOME, $CUDA_PATH or /usr/local/cuda. Sets `*found` to
/// whether there is one; without it the result is failure and nothing is reported, so that the
/// caller can try the driver. `said` is what ptxas says of registers, spills, barriers and wgmma.
/// Both blobs are the caller's.
MlirLogicalResult tileTargetAssemble(MlirLocation loc, const TileBlob *ptx, const TileMachine *arch,
                                     TileBlob *cubin, TileBlob *said, bool *found);

/// The same where it is no matter if that fails: reports nothing.
bool tileTargetTryToAssemble(const TileBlob *ptx, const TileMachine *arch, TileBlob *cubin,
                             TileBlob *said);

/// Names that ptxas, as another one would be named otherwise; false when there is none.
bool tileTargetDescribeAssembler(char *text, size_t size);

/// A cubin as SASS, the device's own instructions, through the nvdisasm or the cuobjdump on PATH.
/// Sets `*found` to whether there is either; without, the result is failure and nothing is
/// reported.
MlirLogicalResult tileTargetDisassemble(MlirLocation loc, const TileBlob *cubin, TileBlob *sass,
                                        bool *found);

//===- host code ----------------------------------------------------------===//

typedef enum TileHostStage {
  TILE_HOST_LLVM,
  TILE_HOST_ASSEMBLY,
  TILE_HOST_OBJECT,
} TileHostStage;

/// How much LLVM has left to do.
typedef enum TileHostPasses {
  /// Code that is explicit vectors already, from tile-to-cpu: clean up and hoist.
  TILE_HOST_EXPLICIT_VECTORS,
  /// Scalar loops, from host programs: everything, the vectorizers above all.
  TILE_HOST_OPTIMIZE,
} TileHostPasses;

/// Emits `stage` of a module for this machine's processor.
MlirLogicalResult tileTargetEmitHost(MlirModule module, TileHostStage stage, TileHostPasses passes,
                                     TileBlob *blob);

/// Compiled code in this process.
typedef struct TileJit TileJit;

/// A function that compiled code calls by name.
typedef struct TileJitSymbol {
  const char *name;
  /// Any function, cast to this type.
  void (*address)(void);
} TileJitSymbol;

/// Emits `stage` (not TILE_HOST_LLVM) of LLVM IR as TILE_HOST_LLVM gives it. Errors are at `loc`.
MlirLogicalResult tileTargetEmitHostIR(MlirLocation loc, const TileBlob *llvm, TileHostStage stage,
                                       TileBlob *blob);

/// This machine's processor and what it can do, as tileTargetEmitHost compiles for it; for keys of
/// a cache. The caller frees it.
char *tileTargetDescribeHost(void);

/// Links an object that tileTargetEmitHost made on a machine like this one, and which defines
/// `entry`. Names it uses and does not define are looked up in `symbols`, then in the process
/// (libm, malloc); one found in neither is an error here, reported at `loc`. Returns NULL after a
/// diagnostic. The object may be freed after.
TileJit *tileJitCreate(MlirLocation loc, const TileBlob *object, const char *entry,
                       const TileJitSymbol *symbols, size_t count);

/// The function `name` of the object, or NULL. Callable until the code is destroyed.
void (*tileJitLookup(TileJit *jit, const char *name))(void);

/// Frees the code; none of it may run. NULL is allowed.
void tileJitDestroy(TileJit *jit);

#ifdef __cplusplus
}
#endif

#endif // TILE_TARGET_H
