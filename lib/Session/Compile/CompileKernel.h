//===- CompileKernel.h - one kernel on its way to code ------------*- C -*-===//
//
//   LaunchFacts.c     what is known of a launch
//   CompileKernel.c   the kernel, alone in a module, through all passes
//   Reproducer.c      what a failing pass leaves behind
//   Generate.c        LLVM IR, PTX, a cubin; or an object of the CPU
//   Assembled.c       what PTX was assembled to before (tile/Session/Assembled.h)
//   Apart.c           both of these here, or in a child process
//   LowerAgain.c      once more, without roles, where threads spill beside them
//   KernelCode.c      the same for a launch, with the cache before and the loader behind
//   EmitStage.c       the same for a reader, up to some stage
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SESSION_COMPILEKERNEL_H
#define TILE_SESSION_COMPILEKERNEL_H

#include "../ProgramImpl.h"
#include "tile/Conversion/Pipelines.h"

/// A kernel about to be lowered: the module and the passes that stand before it.
typedef struct TileLowering {
  MlirModule module;
  MlirPassManager passes;
  /// NULL, as a rule.
  TileStages *stages;
} TileLowering;

/// Prepares lowering with these facts, bindings among them, to `stage`. To be finished even where
/// it fails.
MlirLogicalResult tileLoweringStart(const TileProgram *p, const TileProgramKernel *kernel,
                                    const TileFacts *facts, bool forCpu, TileStage stage,
                                    TileLowering *l);
/// Runs the passes and verifies what they made, with a reproducer around it if one is asked for.
MlirLogicalResult tileLoweringRun(const TileProgram *p, TileLowering *l);
/// Runs it, and makes code of it to `stage`, a cubin or less or an object of the CPU, with what a
/// launch has to know: in a child process where the options say so.
MlirLogicalResult tileLoweringMake(TileProgram *p, TileLowering *l, bool forCpu, TileEmit stage,
                                   TileCode *code);
/// What makes code of a lowering, as tileLoweringMake does.
typedef MlirLogicalResult (*TileMakeCode)(TileProgram *p, TileLowering *l, TileEmit stage,
                                          TileCode *code);
/// GPU code by `make`; of what spills with roles the better one of code with them and without.
MlirLogicalResult tileLoweringMakeBest(TileProgram *p, TileLowering *l, TileEmit stage,
                                       TileMakeCode make, TileCode *code);
/// Warns at the kernel's line, in `module`, of what the code that was assembled last spills.
void tileLoweringWarnOfSpills(const TileProgram *p, MlirModule module);
/// Frees the module and the passes; the stages are the caller's to finish.
void tileLoweringFinish(TileLowering *l);

/// Writes the module and the passes before it to the file of the options, as MLIR's tools take
/// them; nothing where the options name none.
MlirLogicalResult tileReproducerWrite(const TileProgram *p, const TileLowering *l);
/// After the passes: removes the file where they succeeded, else tells of it. Returns `result`.
MlirLogicalResult tileReproducerFinish(const TileProgram *p, MlirLogicalResult result);

/// Goes through the GPU's last stages up to `last`: LLVM IR, PTX, cubin, SASS. `*blob` is empty
/// before, and the caller's to destroy after it, a failure included. A cubin is for `device` as
/// tileLoweringAssemble says.
MlirLogicalResult tileLoweringGenerateGpu(TileProgram *p, TileDevice *device, MlirModule lowered,
                                          TileStages *stages, TileEmit last, TileBlob *blob);
/// PTX to what `device` loads: a cubin, or PTX where no ptxas is to be had. A cubin in any case
/// where `device` is NULL. `sharedBytes` of a block. What is spilled is a warning at the line of
/// the kernel in `module`, before or after its passes.
MlirLogicalResult tileLoweringAssemble(TileProgram *p, TileDevice *device, MlirModule module,
                                       const TileBlob *ptx, int sharedBytes, TileBlob *code);
/// The same on the CPU: LLVM IR, and then assembly or an object.
MlirLogicalResult tileLoweringGenerateCpu(MlirModule lowered, TileStages *stages, TileEmit last,
                                          TileBlob *blob);

#endif // TILE_SESSION_COMPILEKERNEL_H
