//===- CompileKernel.c - one kernel through the passes --------------------===//
#include "CompileKernel.h"
#include "tile/Conversion/Pipelines.h"
#include "tile/Text.h"
#include <stdlib.h>

const TileMachine *tileProgramGetArch(const TileProgram *p) {
  const TileMachine *arch = p->arch ? p->arch : p->options.arch;
  return arch ? arch : tileMachineOf(mlirModuleGetOperation(p->module));
}

const TileMachine *tileProgramGetMachine(const TileProgram *p) { return tileProgramGetArch(p); }

MlirLogicalResult tileProgramAddPasses(const TileProgram *p, MlirOpPassManager pm,
                                       const char *passes) {
  TileText message = {0};
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(pm, tileString(passes), tileTextCollect, &message);
  if (mlirLogicalResultIsFailure(result))
    tileEmitError(p->loc, "expected passes that are registered, found '%s': %s", passes,
                  message.data ? message.data : "");
  free(message.data);
  return result;
}

/// A module with this kernel and the helpers alone.
static MlirModule cloneKernel(const TileProgram *p, const TileProgramKernel *kernel) {
  MlirModule clone = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(p->module)));
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(clone)) {
    bool helper = tileOpIsAFunc(op) && !mlirAttributeIsNull(tileAttr(op, "sym_visibility"));
    bool self = tileOpIsAFunc(op) && mlirStringRefEqual(tileFuncGetSymName(op), kernel->name);
    if (!helper && !self) mlirOperationDestroy(op);
  }
  return clone;
}

static MlirLogicalResult addPasses(const TileProgram *p, const TileProgramKernel *kernel,
                                   const TileFacts *facts, bool forCpu, TileStage stage,
                                   MlirOpPassManager pm) {
  if (forCpu) {
    TileToCPUOptions options = {.check = p->options.check,
                                .trace = p->options.traces,
                                .stage = stage,
                                .facts = facts,
                                .kernel = kernel->name};
    return tileBuildToCPU(pm, &options);
  }
  TileToNVVMOptions options = {.arch = tileString(tileProgramGetArch(p)->name),
                               .stage = stage,
                               .facts = facts,
                               .kernel = kernel->name};
  return tileBuildToNVVM(pm, &options);
}

void tileLoweringFinish(TileLowering *l) {
  mlirPassManagerDestroy(l->passes);
  if (!mlirModuleIsNull(l->module)) mlirModuleDestroy(l->module);
}

MlirLogicalResult tileLoweringStart(const TileProgram *p, const TileProgramKernel *kernel,
                                    const TileFacts *facts, bool forCpu, TileStage stage,
                                    TileLowering *l) {
  l->module = cloneKernel(p, kernel);
  l->passes = mlirPassManagerCreate(p->context);
  l->stages = NULL;
  tileProgramVerifyOnce(l->passes);
  MlirOpPassManager pm = mlirPassManagerGetAsOpPassManager(l->passes);
  return addPasses(p, kernel, facts, forCpu, stage, pm);
}

static MlirLogicalResult runPasses(TileLowering *l) {
  TILE_TRY(l->stages ? tileStagesRunPasses(l->stages, &l->module, l->passes)
                     : mlirPassManagerRunOnOp(l->passes, mlirModuleGetOperation(l->module)));
  return mlirOperationVerify(mlirModuleGetOperation(l->module)) ? mlirLogicalResultSuccess()
                                                                : mlirLogicalResultFailure();
}

MlirLogicalResult tileLoweringRun(const TileProgram *p, TileLowering *l) {
  TILE_TRY(tileReproducerWrite(p, l));
  return tileReproducerFinish(p, runPasses(l));
}
