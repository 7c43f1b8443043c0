//===- Pipelines.h - the order of the passes --------------------*- C -*-===//
//
// Each pipeline is a list in lib/Conversion/Pipelines.c, one line and one reason
// a pass. tile-opt and tile-run use the same lists.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_PIPELINES_H
#define TILE_PIPELINES_H

#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"
#include "tile/Facts.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far a pipeline goes.
typedef enum {
  TILE_STAGE_TILE,    ///< bound and inlined, padded, descriptors raised: tiles without layouts
  TILE_STAGE_LAYOUTS, ///< every tile has a layout, shared memory is placed
  TILE_STAGE_GPU,     ///< one thread's program in gpu, nvvm, vector and arith
  TILE_STAGE_NVVM,    ///< llvm and nvvm alone
} TileStage;

typedef struct {
  MlirStringRef arch; ///< as sm_90a; empty: the module's own target, or sm_90a
  int64_t numWarps;   ///< warps a program; 0: the kernel's own num_warps, or 4
  int64_t numStages;  ///< depth of software pipelining; 0: chosen by shared memory
  TileStage stage;    ///< where to stop
  /// What is known of the launch, borrowed during the call; NULL: nothing. And of which kernel
  /// alone it is known, or an empty name.
  const TileFacts *facts;
  MlirStringRef kernel;
} TileToNVVMOptions;

/// Appends the passes of --tile-to-nvvm to `pm`, a manager of builtin.module. Fails, with a
/// message on stderr, only where a pass of the list is not registered.
MlirLogicalResult tileBuildToNVVM(MlirOpPassManager pm, const TileToNVVMOptions *options);

typedef struct {
  int64_t vectorBits; ///< width of the host's vectors; 0: ask the host
  /// Test accesses at run time; print one program's values. The code then calls the functions of
  /// tile/Runtime/Check.h, and tiles are not simplified, so that every op stays where it is
  /// written.
  bool check, trace;
  /// Where to stop: TILE_STAGE_TILE, or TILE_STAGE_NVVM for the llvm dialect.
  TileStage stage;
  /// As in TileToNVVMOptions.
  const TileFacts *facts;
  MlirStringRef kernel;
} TileToCPUOptions;

/// Appends the passes of --tile-to-cpu, down to the llvm dialect for the host. Fails as
/// tileBuildToNVVM does.
MlirLogicalResult tileBuildToCPU(MlirOpPassManager pm, const TileToCPUOptions *options);

#ifdef __cplusplus
}
#endif
#endif
