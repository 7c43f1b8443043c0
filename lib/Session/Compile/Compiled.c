//===- Compiled.c - code to be taken elsewhere ----------------------------===//
#include "CompileKernel.h"

void tileCompiledDestroy(TileCompiled *compiled) {
  tileBlobDestroy(&compiled->code);
  tileLaunchFactsDestroy(&compiled->launch);
  *compiled = (TileCompiled){0};
}

static bool isForCpu(const TileProgram *p, TileEmit stage) {
  return stage == TILE_EMIT_ASM || stage == TILE_EMIT_OBJECT ||
         (p->options.target == TILE_PROGRAM_CPU && stage <= TILE_EMIT_LLVM);
}

/// Is code of this stage kept?
static bool isKept(TileEmit stage) {
  return stage == TILE_EMIT_PTX || stage == TILE_EMIT_CUBIN || stage == TILE_EMIT_OBJECT;
}

/// From the cache, or compiled and put there.
static MlirLogicalResult findCode(TileProgram *p, const TileProgramKernel *kernel,
                                  const TileFacts *facts, TileEmit stage, TileCode *code,
                                  bool *cached) {
  bool forCpu = isForCpu(p, stage);
  TileLowering l = {0};
  MlirLogicalResult result = tileLoweringStart(p, kernel, facts, forCpu, TILE_STAGE_NVVM, &l);
  *code = (TileCode){.kind = forCpu ? TILE_CACHE_OBJECT : TILE_CACHE_CUBIN};
  if (!forCpu && !(p->device && stage == TILE_EMIT_CUBIN)) code->without = stage;
  *cached = mlirLogicalResultIsSuccess(result) && isKept(stage) &&
            tileProgramFindCode(p, l.module, l.passes, code);
  if (mlirLogicalResultIsSuccess(result) && !*cached) {
    result = tileLoweringMake(p, &l, forCpu, stage, code);
    if (mlirLogicalResultIsSuccess(result) && isKept(stage)) tileProgramKeepCode(p, code);
  }
  tileLoweringFinish(&l);
  return result;
}

static MlirLogicalResult compile(TileProgram *p, const TileProgramKernel *kernel,
                                 const TileFacts *facts, const char *config, TileEmit stage,
                                 TileCompiled *compiled) {
  // A reader's stages stop on their way, and no launch is made of them.
  if (stage < TILE_EMIT_LLVM)
    return tileProgramEmitKernel(p, kernel, facts, config, stage, &compiled->code);
  TileFacts all = {0};
  TileCode code = {.binary = {0}};
  tileFactsCopy(&all, facts);
  MlirLogicalResult result = tileProgramBindFacts(p, config, &all);
  if (mlirLogicalResultIsSuccess(result))
    result = findCode(p, kernel, &all, stage, &code, &compiled->wasCached);
  tileFactsDestroy(&all);
  compiled->code = code.binary;
  if (mlirLogicalResultIsFailure(result)) return result;
  compiled->numWarps = (unsigned)tileProgramGetLaunchInt(&code, "tile.num_warps", TILE_USUAL_WARPS);
  compiled->launch = tileCodeReadLaunch(&code, kernel->count);
  compiled->speaks = !mlirAttributeIsNull(
      mlirDictionaryAttrGetElementByName(code.launch, tileString("tile.speaks")));
  return result;
}

MlirLogicalResult tileProgramCompile(TileProgram *p, MlirStringRef name, const TileFacts *facts,
                                     const char *config, TileEmit stage, TileCompiled *compiled) {
  *compiled = (TileCompiled){0};
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (!kernel) {
    tileEmitError(p->loc, "expected a kernel '%.*s', found none", (int)name.length, name.data);
    return mlirLogicalResultFailure();
  }
  TILE_TRY(tileProgramCheckConfig(p, name, config));
  MlirLogicalResult result = compile(p, kernel, facts, config, stage, compiled);
  if (mlirLogicalResultIsFailure(result)) tileCompiledDestroy(compiled);
  return result;
}
