//===- KernelCode.c - code for launches: from the cache, or made and loaded ===//
#include "CompileKernel.h"
#include "tile/Runtime/CpuSort.h"
#include "tile/Text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *copyName(const TileProgramKernel *kernel, char name[256]) {
  snprintf(name, 256, "%.*s", (int)kernel->name.length, kernel->name.data);
  return name;
}

static MlirLogicalResult loadGpu(TileProgram *p, TileSpecialization *s, const TileCode *code) {
  TileError error = TILE_ERROR_INIT;
  const TileModuleOptions options = {.lineInfo = true};
  s->module = tileModuleCreate(p->device, code->binary.data, code->binary.size, &options, &error);
  char name[256];
  if (s->module) s->gpu = tileModuleGetKernel(s->module, copyName(s->kernel, name), &error);
  if (s->gpu) s->console = tileModuleConsoleOpen(s->module, p->device);
  s->speaks = s->console != NULL;
  if (s->gpu && tileProgramMakeLauncher(s, code, &error)) return mlirLogicalResultSuccess();
  return tileProgramReport(mlirOperationGetLocation(s->kernel->func), &error);
}

enum { MAX_SYMBOLS = 32 };

/// What compiled kernels call; their number.
static size_t collectSymbols(const TileProgram *p, TileJitSymbol symbols[MAX_SYMBOLS]) {
  size_t count = 0, checks = 0;
  symbols[count++] = (TileJitSymbol){TILE_CONSOLE_PRINT, (void (*)(void))tileConsolePrint};
  symbols[count++] = (TileJitSymbol){TILE_CONSOLE_FAIL, (void (*)(void))tileConsoleFail};
  symbols[count++] = (TileJitSymbol){TILE_CPU_SORT_ORDER, (void (*)(void))tileCpuSortOrder};
  symbols[count++] = (TileJitSymbol){TILE_CPU_SORT_MOVE, (void (*)(void))tileCpuSortMove};
  const TileJitSymbol *more = p->checker ? tileProgramGetCheckSymbols(&checks) : NULL;
  for (size_t i = 0; i < checks && count < MAX_SYMBOLS; ++i) symbols[count++] = more[i];
  return count;
}

TileJit *tileProgramLoadObject(TileProgram *p, MlirStringRef name, const TileBlob *object) {
  TileJitSymbol symbols[MAX_SYMBOLS];
  size_t count = collectSymbols(p, symbols);
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  char entry[256];
  if (!kernel) return NULL;
  return tileJitCreate(mlirOperationGetLocation(kernel->func), object, copyName(kernel, entry),
                       symbols, count);
}

static MlirLogicalResult loadCpu(TileProgram *p, TileSpecialization *s, const TileCode *code) {
  MlirStringRef speaks = tileString("tile.speaks");
  s->speaks = !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(code->launch, speaks));
  char name[256];
  s->jit = tileProgramLoadObject(p, s->kernel->name, &code->binary);
  if (!s->jit) return mlirLogicalResultFailure();
  s->cpu = (TileCpuKernel)tileJitLookup(s->jit, copyName(s->kernel, name));
  return mlirLogicalResultSuccess();
}

/// Code for `s`: from the cache, or compiled and put there.
static MlirLogicalResult findCode(TileProgram *p, TileSpecialization *s) {
  TileLowering l;
  TileCode code = {.kind = p->device ? TILE_CACHE_CUBIN : TILE_CACHE_OBJECT};
  bool found = false;
  MlirLogicalResult result =
      tileLoweringStart(p, s->kernel, &s->facts, !p->device, TILE_STAGE_NVVM, &l);
  if (mlirLogicalResultIsSuccess(result)) result = tileStagesCreate(p, s->kernel, &l.stages);
  // Checked code comes with the places in the file that it was made from, and is always made anew.
  if (mlirLogicalResultIsSuccess(result) && !p->checker)
    found = tileProgramFindCode(p, l.module, l.passes, &code);
  if (mlirLogicalResultIsSuccess(result) && !found) {
    result =
        tileLoweringMake(p, &l, !p->device, p->device ? TILE_EMIT_CUBIN : TILE_EMIT_OBJECT, &code);
    if (mlirLogicalResultIsSuccess(result) && !p->checker) tileProgramKeepCode(p, &code);
    if (mlirLogicalResultIsSuccess(result)) s->sites = tileProgramReadSites(p, s->kernel, l.module);
  }
  result = tileStagesFinish(l.stages, result);
  if (mlirLogicalResultIsSuccess(result))
    result = p->device ? loadGpu(p, s, &code) : loadCpu(p, s, &code);
  // What cannot be loaded is compiled anew the next time.
  if (mlirLogicalResultIsFailure(result) && found)
    tileCacheRemove(p->options.cache, code.kind, code.key);
  tileBlobDestroy(&code.binary);
  tileLoweringFinish(&l);
  return result;
}

void tileSpecializationDestroy(TileSpecialization *s) {
  tileLauncherDestroy(s->launcher);
  tileModuleConsoleClose(s->console);
  tileModuleDestroy(s->module);
  tileJitDestroy(s->jit);
  tileFactsDestroy(&s->facts);
  free(s->config);
  free(s->key);
  free(s);
}

/// "kernel facts", the caller's.
static char *printKey(const TileProgramKernel *kernel, const TileFacts *facts) {
  TileText text = {0};
  tileTextAddBytes(&text, kernel->name.data, kernel->name.length);
  tileTextAdd(&text, " ");
  tileFactsPrint(facts, &text);
  return text.data;
}

/// Code for facts with all bindings, which become the code's own.
static TileSpecialization *makeCode(TileProgram *p, TileProgramKernel *kernel, TileFacts *facts,
                                    const char *config) {
  char *key = printKey(kernel, facts);
  TileSpecialization *s;
  HASH_FIND_STR(p->code, key, s);
  if (s) {
    free(key);
    return s;
  }
  s = tileRuntimeAlloc(sizeof *s);
  s->key = key;
  s->kernel = kernel;
  s->facts = *facts;
  *facts = (TileFacts){0};
  s->config = strdup(config);
  if (!s->config || mlirLogicalResultIsFailure(findCode(p, s))) {
    tileSpecializationDestroy(s);
    return NULL;
  }
  HASH_ADD_KEYPTR(hh, p->code, s->key, strlen(s->key), s);
  return s;
}

/// Warps of a program of `kernel`, of these bindings.
static int64_t warpsOf(const TileProgramKernel *kernel, const TileFacts *facts) {
  const TileBinding *binding = tileFactsFindBinding(facts, "num_warps", strlen("num_warps"));
  if (binding) return binding->value;
  MlirAttribute meta = tileFuncGetMetaAttr(kernel->func), own = {NULL};
  if (!mlirAttributeIsNull(meta))
    own = mlirDictionaryAttrGetElementByName(meta, tileString("num_warps"));
  bool has = !mlirAttributeIsNull(own) && mlirAttributeIsAInteger(own);
  return has ? mlirIntegerAttrGetValueInt(own) : tileNumWarpsOf(kernel->func);
}

/// Where the programs of a multiprocessor have half of its warps it does not matter how many more
/// there are (tile-pipeline): such launches share code. Of fewer it does, by powers of two.
static void roundPrograms(const TileProgram *p, const TileProgramKernel *kernel, TileFacts *facts) {
  int64_t warps = warpsOf(kernel, facts), half = tileProgramGetArch(p)->warps / 2;
  bool enough = warps > 0 && facts->programs * warps >= half;
  if (enough) facts->programs = (int)((half + warps - 1) / warps);
}

TileSpecialization *tileProgramGetCode(TileProgram *p, TileProgramKernel *kernel,
                                       const TileFacts *facts, const char *config) {
  TileFacts all = {0};
  tileFactsCopy(&all, facts);
  TileSpecialization *code = NULL;
  if (mlirLogicalResultIsSuccess(tileProgramBindFacts(p, config, &all))) {
    roundPrograms(p, kernel, &all);
    code = makeCode(p, kernel, &all, config);
  }
  tileFactsDestroy(&all);
  return code;
}
