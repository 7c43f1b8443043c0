//===- EmitStage.c - one stage of one kernel, to look at ------------------===//
#include "CompileKernel.h"
#include "tile/Support/Names.h"
#include "tile/Support/Suggest.h"
#include "tile/Text.h"
#include <stdlib.h>

static TileBlob blobFromText(TileText *t) { return (TileBlob){.data = t->data, .size = t->size}; }

static TileBlob printModule(MlirModule module) {
  TileText t = {0};
  tileNamePrint(mlirModuleGetOperation(module), tileTextCollect, &t);
  return blobFromText(&t);
}

static bool isForCpu(const TileProgram *p, TileEmit stage) {
  return stage == TILE_EMIT_ASM || stage == TILE_EMIT_OBJECT ||
         ((stage == TILE_EMIT_TILE || stage == TILE_EMIT_LLVM) &&
          p->options.target == TILE_PROGRAM_CPU);
}

/// A module that was lowered by somebody else.
static MlirLogicalResult emitLowered(TileProgram *p, MlirModule lowered, TileEmit stage,
                                     TileBlob *blob) {
  if (!isForCpu(p, stage)) return tileLoweringGenerateGpu(p, NULL, lowered, NULL, stage, blob);
  TileHostStage host = stage == TILE_EMIT_LLVM  ? TILE_HOST_LLVM
                       : stage == TILE_EMIT_ASM ? TILE_HOST_ASSEMBLY
                                                : TILE_HOST_OBJECT;
  return tileTargetEmitHost(lowered, host, TILE_HOST_OPTIMIZE, blob);
}

/// GPU code to look at, from LLVM IR on, and what the lowerings left on the kernel.
static MlirLogicalResult emitGpu(TileProgram *p, TileLowering *l, TileEmit stage, TileCode *code) {
  TILE_TRY(tileLoweringRun(p, l));
  code->launch = tileProgramCollectLaunch(mlirModuleGetOperation(l->module));
  return tileLoweringGenerateGpu(p, NULL, l->module, l->stages, stage, &code->binary);
}

/// The same of any stage.
static MlirLogicalResult emitLowering(TileProgram *p, TileLowering *l, bool forCpu, TileEmit stage,
                                      TileCode *code) {
  if (!forCpu && stage > TILE_EMIT_NVVM) return tileLoweringMakeBest(p, l, stage, emitGpu, code);
  TILE_TRY(tileLoweringRun(p, l));
  code->launch = tileProgramCollectLaunch(mlirModuleGetOperation(l->module));
  if (forCpu && stage > TILE_EMIT_NVVM)
    return tileLoweringGenerateCpu(l->module, l->stages, stage, &code->binary);
  code->binary = printModule(l->module);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileProgramEmitKernel(TileProgram *p, const TileProgramKernel *kernel,
                                        const TileFacts *facts, const char *config, TileEmit stage,
                                        TileBlob *blob) {
  *blob = (TileBlob){0};
  bool forCpu = isForCpu(p, stage);
  TileStage last = stage == TILE_EMIT_TILE      ? TILE_STAGE_TILE
                   : stage == TILE_EMIT_LAYOUTS ? TILE_STAGE_LAYOUTS
                                                : TILE_STAGE_NVVM;
  TileFacts all = {0};
  tileFactsCopy(&all, facts);
  TileLowering l = {0};
  MlirLogicalResult result = tileProgramBindFacts(p, config, &all);
  if (mlirLogicalResultIsSuccess(result))
    result = tileLoweringStart(p, kernel, &all, forCpu, last, &l);
  if (mlirLogicalResultIsSuccess(result)) result = tileStagesCreate(p, kernel, &l.stages);
  TileCode code = {.binary = {0}};
  if (mlirLogicalResultIsSuccess(result)) result = emitLowering(p, &l, forCpu, stage, &code);
  if (mlirLogicalResultIsSuccess(result)) p->emitted = code.launch;
  *blob = code.binary;
  result = tileStagesFinish(l.stages, result);
  tileLoweringFinish(&l);
  tileFactsDestroy(&all);
  return result;
}

/// The kernel meant by `name`, an empty one standing for the only kernel; NULL after a diagnostic.
static TileProgramKernel *chooseKernel(TileProgram *p, MlirStringRef name) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (!name.length && p->numKernels == 1) return &p->kernels[0];
  if (kernel) return kernel;
  TileText known = {0};
  TileSuggestion suggestion = tileSuggestionFor(name.data, name.length);
  for (size_t i = 0; i < p->numKernels; ++i) {
    tileTextAdd(&known, i ? ", " : "");
    tileTextAddBytes(&known, p->kernels[i].name.data, p->kernels[i].name.length);
    tileSuggestionOffer(&suggestion, p->kernels[i].name.data, p->kernels[i].name.length);
  }
  if (name.length)
    tileEmitError(p->loc, "expected the name of a kernel (%s), found '%.*s'%s",
                  known.size ? known.data : "there are none", (int)name.length, name.data,
                  tileSuggestionSay(&suggestion).text);
  else if (p->numKernels)
    tileEmitError(p->loc, "expected --kernel to name one (%s), found none", known.data);
  else
    tileEmitError(p->loc, "expected a kernel (tile.func, or Triton's public tt.func), found none");
  free(known.data);
  return NULL;
}

/// Facts of the kernel's first launch by @main.
static MlirLogicalResult observeFacts(TileProgram *p, const TileProgramKernel *kernel,
                                      TileEmit stage, const char *const *arguments, size_t count) {
  uint64_t *slots;
  TILE_TRY(tileProgramParseArguments(p, arguments, count, &slots));
  p->wanted = kernel;
  // What was found on this CPU says nothing of the code of a GPU that is not here.
  bool knew = p->knowsTuned;
  p->wantedForCpu = p->options.target == TILE_PROGRAM_CPU || isForCpu(p, stage);
  if (!p->device && !p->wantedForCpu) p->knowsTuned = true;
  MlirLogicalResult result = tileProgramRunHost(p, slots, true);
  p->knowsTuned = knew;
  p->wanted = NULL;
  free(slots);
  TILE_TRY(result);
  if (p->observed) return result;
  tileEmitError(p->loc, "expected @main to launch '%.*s', found no launch of it",
                (int)kernel->name.length, kernel->name.data);
  return mlirLogicalResultFailure();
}

/// Is the module what --emit=nvvm prints? A host program may declare functions of llvm, too.
static bool isLowered(const TileProgram *p) {
  bool any = false;
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(p->module)) {
    if (!tileOpIsOfDialect(op, "llvm") && !tileOpIsOfDialect(op, "gpu")) return false;
    any = true;
  }
  return any;
}

MlirLogicalResult tileProgramEmit(TileProgram *p, MlirStringRef name, TileEmit stage,
                                  const char *const *arguments, size_t count, TileBlob *blob) {
  *blob = (TileBlob){0};
  if (!p->numKernels && !name.length && stage >= TILE_EMIT_LLVM && isLowered(p)) {
    // Line information goes into a copy.
    MlirModule copy =
        mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(p->module)));
    MlirLogicalResult result = emitLowered(p, copy, stage, blob);
    mlirModuleDestroy(copy);
    return result;
  }
  TileProgramKernel *kernel = chooseKernel(p, name);
  if (!kernel) return mlirLogicalResultFailure();
  tileFactsDestroy(&p->facts);
  free(p->config);
  p->observed = false;
  p->config = NULL;
  if (arguments) {
    // What was tuned was tuned on a device. Another architecture's code has nothing to do with it.
    if (!p->options.arch && tileProgramMayBeTuned(p)) TILE_TRY(tileProgramOpen(p, NULL));
    TILE_TRY(observeFacts(p, kernel, stage, arguments, count));
  } else {
    tileProgramAssumeFacts(kernel, &p->facts);
  }
  return tileProgramEmitKernel(p, kernel, &p->facts, p->config ? p->config : "", stage, blob);
}
