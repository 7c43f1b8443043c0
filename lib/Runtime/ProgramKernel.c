//===- ProgramKernel.c - specializing, compiling and emitting kernels -----===//
#include "ProgramImpl.h"
#include "tile/CpuSort.h"
#include "tile/Pipelines.h"
#include "tile/Text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A size that is a multiple of this is a multiple of most tiles too: what wraps around at its end,
/// as the offsets of some matmuls do, then does not, and masks hold everywhere. Positive ones alone
/// are worth telling: proofs about tiles of an array need its extents' signs.
enum { WHOLE_TILES = 256 };

void tileProgramFindFacts(const TileProgramKernel *kernel, const uint64_t *slots, char *facts) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    const TileParameter *parameter = &kernel->parameters[i];
    facts[i] = '-';
    if (parameter->isPointer || parameter->isInteger) {
      int64_t value = (int64_t)slots[i];
      if (!parameter->isPointer) value = tileElementToInteger(parameter->type, &slots[i]);
      bool one = !parameter->isPointer && value == 1 && parameter->type != TILE_ELEMENT_I1;
      if (one)
        facts[i] = '1';
      else if (!parameter->isPointer && value > 0 && value % WHOLE_TILES == 0)
        facts[i] = 't';
      else if (value % 16 == 0)
        facts[i] = 'd';
      else if (!parameter->isPointer && value % 2 == 0)
        facts[i] = (char)('0' + (value & -value));
    }
  }
  facts[kernel->count] = 0;
}

//===- passes -------------------------------------------------------------===//

/// " name=1,4": the arguments that have `fact`.
static void appendFacts(TileText *t, const char *name, const char *facts, char fact) {
  const char *separator = name;
  for (size_t i = 0; facts[i]; ++i) {
    if (facts[i] != fact) continue;
    char number[32];
    snprintf(number, sizeof number, "%s%zu", separator, i);
    tileTextAdd(t, number);
    separator = ",";
  }
}

/// " divisibility=1:8,4:2": the arguments whose fact is a digit above 1, or 't'.
static void appendDivisors(TileText *t, const char *facts) {
  const char *separator = " divisibility=";
  for (size_t i = 0; facts[i]; ++i) {
    if ((facts[i] < '2' || facts[i] > '8') && facts[i] != 't') continue;
    char pair[48];
    int divisor = facts[i] == 't' ? WHOLE_TILES : facts[i] - '0';
    snprintf(pair, sizeof pair, "%s%zu:%d", separator, i, divisor);
    tileTextAdd(t, pair);
    separator = ",";
  }
}

/// Binds what is known of the kernel; helpers are inlined first, for their tiles name the same
/// meta-parameters.
static char *buildSpecialize(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *facts, const char *config) {
  TileText t = {0};
  tileTextAdd(&t, "tile-instantiate,");
  // Checked code stays as it is written.
  tileTextAdd(&t, p->checker ? "inline{default-pipeline=}" : "inline");
  tileTextAdd(&t, ",symbol-dce,tile-specialize{kernel=");
  tileTextAddBytes(&t, kernel->name.data, kernel->name.length);
  for (size_t i = 0; i < p->options.numBind; ++i) {
    tileTextAdd(&t, i ? "," : " bind=");
    tileTextAdd(&t, p->options.bind[i]);
  }
  if (*config) {
    tileTextAdd(&t, p->options.numBind ? "," : " bind=");
    tileTextAdd(&t, config);
  }
  appendFacts(&t, " divisible=", facts, 'd');
  appendDivisors(&t, facts);
  appendFacts(&t, " positive=", facts, 't');
  appendFacts(&t, " ones=", facts, '1');
  tileTextAdd(&t, "}");
  return t.data;
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
                                   const char *facts, const char *config, bool forCpu,
                                   TileStage stage, MlirOpPassManager pm) {
  char *specialize = buildSpecialize(p, kernel, facts, config);
  TileText message = {0};
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(pm, tileString(specialize), tileTextCollect, &message);
  if (mlirLogicalResultIsFailure(result))
    tileEmitError(p->loc, "expected passes that are registered, found '%s': %s", specialize,
                  message.data);
  free(message.data);
  free(specialize);
  TILE_TRY(result);
  if (forCpu) {
    TileToCPUOptions options = {.check = p->options.check, .trace = p->options.traces};
    return tileBuildToCPU(pm, &options);
  }
  const TileArch *arch = p->arch ? p->arch : p->options.arch;
  TileToNVVMOptions options = {.arch = tileString(arch ? arch->name : "sm_90a"), .stage = stage};
  return tileBuildToNVVM(pm, &options);
}

/// A kernel about to be lowered: the module and the passes that stand before it.
typedef struct Lowering {
  MlirModule module;
  MlirPassManager passes;
  /// NULL, as a rule.
  TileStages *stages;
} Lowering;

static void finishLowering(Lowering *l) {
  mlirPassManagerDestroy(l->passes);
  if (!mlirModuleIsNull(l->module)) mlirModuleDestroy(l->module);
}

/// Prepares lowering to `stage` (of the GPU's pipeline), or through all of the CPU's.
static MlirLogicalResult startLowering(const TileProgram *p, const TileProgramKernel *kernel,
                                       const char *facts, const char *config, bool forCpu,
                                       TileStage stage, Lowering *l) {
  l->module = cloneKernel(p, kernel);
  l->passes = mlirPassManagerCreate(p->context);
  l->stages = NULL;
  tileProgramVerifyOnce(l->passes);
  MlirOpPassManager pm = mlirPassManagerGetAsOpPassManager(l->passes);
  return addPasses(p, kernel, facts, config, forCpu, stage, pm);
}

static MlirLogicalResult runLowering(Lowering *l) {
  TILE_TRY(l->stages ? tileStagesRunPasses(l->stages, &l->module, l->passes)
                     : mlirPassManagerRunOnOp(l->passes, mlirModuleGetOperation(l->module)));
  return mlirOperationVerify(mlirModuleGetOperation(l->module)) ? mlirLogicalResultSuccess()
                                                                : mlirLogicalResultFailure();
}

void tileProgramVerifyOnce(MlirPassManager passes) { mlirPassManagerEnableVerifier(passes, false); }

//===- code ---------------------------------------------------------------===//

static TileGpuOptions gpuOptions(const TileProgram *p) {
  const TileArch *arch = p->arch ? p->arch : p->options.arch;
  if (!arch) arch = tileArchFind(tileString("sm_90a"));
  return (TileGpuOptions){.arch = arch, .lineInfo = true};
}

static const char *copyName(const TileProgramKernel *kernel, char name[256]) {
  snprintf(name, 256, "%.*s", (int)kernel->name.length, kernel->name.data);
  return name;
}

static MlirLogicalResult generateGpu(TileProgram *p, MlirModule lowered, TileStages *stages,
                                     TileEmit last, TileBlob *blob);
static MlirLogicalResult generateCpu(MlirModule lowered, TileStages *stages, TileEmit last,
                                     TileBlob *blob);

/// Generates machine code of a lowered kernel.
static MlirLogicalResult generate(TileProgram *p, const Lowering *l, TileCode *code) {
  code->launch = tileProgramCollectLaunch(mlirModuleGetOperation(l->module));
  return p->device ? generateGpu(p, l->module, l->stages, TILE_EMIT_CUBIN, &code->binary)
                   : generateCpu(l->module, l->stages, TILE_EMIT_OBJECT, &code->binary);
}

static MlirLogicalResult loadGpu(TileProgram *p, TileSpecialization *s, const TileCode *code) {
  TileError error = TILE_ERROR_INIT;
  s->module = tileModuleCreate(p->device, code->binary.data, code->binary.size, NULL, &error);
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

static MlirLogicalResult loadCpu(TileProgram *p, TileSpecialization *s, const TileCode *code) {
  TileJitSymbol symbols[MAX_SYMBOLS];
  size_t count = collectSymbols(p, symbols);
  MlirStringRef speaks = tileString("tile.speaks");
  s->speaks = !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(code->launch, speaks));
  char name[256];
  copyName(s->kernel, name);
  MlirLocation loc = mlirOperationGetLocation(s->kernel->func);
  s->jit = tileJitCreate(loc, &code->binary, name, symbols, count);
  if (!s->jit) return mlirLogicalResultFailure();
  s->cpu = (TileCpuKernel)tileJitLookup(s->jit, name);
  return mlirLogicalResultSuccess();
}

/// Code for `s`: from the cache, or compiled and put there.
static MlirLogicalResult findCode(TileProgram *p, TileSpecialization *s, const char *facts,
                                  const char *config) {
  Lowering l;
  TileCode code = {.kind = p->device ? TILE_CACHE_CUBIN : TILE_CACHE_OBJECT};
  bool found = false;
  MlirLogicalResult result =
      startLowering(p, s->kernel, facts, config, !p->device, TILE_STAGE_NVVM, &l);
  if (mlirLogicalResultIsSuccess(result)) result = tileStagesCreate(p, s->kernel, &l.stages);
  // Checked code comes with the places in the file that it was made from, and is always made anew.
  if (mlirLogicalResultIsSuccess(result) && !p->checker)
    found = tileProgramFindCode(p, l.module, l.passes, &code);
  if (mlirLogicalResultIsSuccess(result) && !found) {
    result = runLowering(&l);
    if (mlirLogicalResultIsSuccess(result)) result = generate(p, &l, &code);
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
  finishLowering(&l);
  return result;
}

void tileSpecializationDestroy(TileSpecialization *s) {
  tileLauncherDestroy(s->launcher);
  tileModuleConsoleClose(s->console);
  tileModuleDestroy(s->module);
  tileJitDestroy(s->jit);
  free(s->key);
  free(s);
}

TileSpecialization *tileProgramGetCode(TileProgram *p, TileProgramKernel *kernel, const char *facts,
                                       const char *config) {
  size_t size = kernel->name.length + strlen(facts) + strlen(config) + 3;
  char *key = tileRuntimeAlloc(size);
  snprintf(key, size, "%.*s %s %s", (int)kernel->name.length, kernel->name.data, facts, config);
  TileSpecialization *s;
  HASH_FIND_STR(p->code, key, s);
  if (s) {
    free(key);
    return s;
  }
  s = tileRuntimeAlloc(sizeof *s);
  s->key = key;
  s->kernel = kernel;
  if (mlirLogicalResultIsFailure(findCode(p, s, facts, config))) {
    tileSpecializationDestroy(s);
    return NULL;
  }
  HASH_ADD_KEYPTR(hh, p->code, s->key, strlen(s->key), s);
  return s;
}

//===- emission -----------------------------------------------------------===//

static TileBlob blobFromText(TileText *t) { return (TileBlob){.data = t->data, .size = t->size}; }

static TileBlob printModule(MlirModule module) {
  TileText t = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, tileTextCollect, &t);
  mlirOpPrintingFlagsDestroy(flags);
  return blobFromText(&t);
}

/// Does the kernel move registers between its warps? The driver's linker, which gives us cubins,
/// compiles for linking with other units: then registers cannot be moved (C7504), and it spills.
/// None of its options changes that.
static bool movesRegisters(const TileBlob *ptx) {
  static const char word[] = "setmaxnreg";
  return memmem(ptx->data, ptx->size, word, sizeof word - 1) != NULL;
}

/// A cubin of PTX as a whole, by ptxas. False where there is none, or none for this driver: then
/// the driver's loader has to take the PTX, and keeps what it makes of it in a cache of its own.
static bool assembleWhole(TileProgram *p, const TileBlob *ptx, TileBlob *cubin) {
  if (!tileTargetTryToAssemble(ptx, gpuOptions(p).arch, cubin)) return false;
  TileModule *module = tileModuleCreate(p->device, cubin->data, cubin->size, NULL, NULL);
  tileModuleDestroy(module);
  if (!module) tileBlobDestroy(cubin);
  return module != NULL;
}

/// PTX to what the device loads, a cubin as a rule: by the device's own driver, and where none is
/// open by ptxas.
static MlirLogicalResult assemble(TileProgram *p, const TileBlob *ptx, TileBlob *cubin) {
  if (p->device && movesRegisters(ptx)) {
    if (assembleWhole(p, ptx, cubin)) return mlirLogicalResultSuccess();
    *cubin = (TileBlob){.data = tileRuntimeAlloc(ptx->size + 1), .size = ptx->size};
    memcpy(cubin->data, ptx->data, ptx->size);
    ((char *)cubin->data)[ptx->size] = 0;
    return mlirLogicalResultSuccess();
  }
  TileGpuOptions options = gpuOptions(p);
  bool found = false;
  if (!p->device) {
    MlirLogicalResult result = tileTargetAssemble(p->loc, ptx, options.arch, cubin, &found);
    if (found) return result;
  }
  TileError error = TILE_ERROR_INIT;
  TileModuleOptions assembling = {.lineInfo = true};
  TileDriver *driver = p->device ? NULL : tileDriverOpen(&error);
  TileDevice *own = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  TileDevice *device = p->device ? p->device : own;
  void *data;
  size_t size;
  bool ok =
      device && tileDeviceAssemble(device, ptx->data, ptx->size, &assembling, &data, &size, &error);
  if (ok)
    *cubin = (TileBlob){.data = data, .size = size};
  else if (device)
    tileEmitError(p->loc, "%s", tileErrorGetMessage(&error));
  else
    tileEmitError(p->loc, "expected ptxas on PATH or a CUDA driver, found neither: %s",
                  tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  tileDeviceDestroy(own);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// Puts SASS in the place of a cubin.
static MlirLogicalResult disassemble(const TileProgram *p, TileBlob *blob) {
  TileBlob cubin = *blob;
  bool found;
  MlirLogicalResult result = tileTargetDisassemble(p->loc, &cubin, blob, &found);
  tileBlobDestroy(&cubin);
  if (!found) tileEmitError(p->loc, "expected nvdisasm or cuobjdump on PATH, found neither");
  return result;
}

/// Goes through the GPU's last stages: LLVM IR, PTX, cubin.
static MlirLogicalResult generateGpu(TileProgram *p, MlirModule lowered, TileStages *stages,
                                     TileEmit last, TileBlob *blob) {
  TileGpuOptions options = gpuOptions(p);
  TileBlob llvm = {0}, ptx = {0};
  *blob = (TileBlob){0};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (stages || last == TILE_EMIT_LLVM) {
    result = tileTargetEmitGpu(lowered, TILE_GPU_LLVM, &options, &llvm);
    if (mlirLogicalResultIsSuccess(result)) result = tileStagesVisit(stages, "llvm", "ll", &llvm);
    // Line information is in the text by now.
    options.llvm = &llvm;
    options.lineInfo = false;
  }
  if (mlirLogicalResultIsSuccess(result) && last >= TILE_EMIT_PTX) {
    result = tileTargetEmitGpu(lowered, TILE_GPU_PTX, &options, &ptx);
    if (mlirLogicalResultIsSuccess(result)) result = tileStagesVisit(stages, "ptx", "ptx", &ptx);
  }
  if (mlirLogicalResultIsSuccess(result) && last >= TILE_EMIT_CUBIN) {
    result = assemble(p, &ptx, blob);
    if (mlirLogicalResultIsSuccess(result))
      result = tileStagesVisit(stages, "cubin", "cubin", blob);
  }
  TileBlob *wanted = last == TILE_EMIT_LLVM ? &llvm : last == TILE_EMIT_PTX ? &ptx : NULL;
  if (mlirLogicalResultIsSuccess(result) && wanted) {
    *blob = *wanted;
    *wanted = (TileBlob){0};
  }
  tileBlobDestroy(&llvm);
  tileBlobDestroy(&ptx);
  if (mlirLogicalResultIsSuccess(result) && last == TILE_EMIT_SASS) result = disassemble(p, blob);
  return result;
}

/// Goes through the CPU's last stages: LLVM IR, and then assembly or an object.
static MlirLogicalResult generateCpu(MlirModule lowered, TileStages *stages, TileEmit last,
                                     TileBlob *blob) {
  const TileHostPasses effort = TILE_HOST_EXPLICIT_VECTORS;
  const TileHostStage stage = last == TILE_EMIT_LLVM  ? TILE_HOST_LLVM
                              : last == TILE_EMIT_ASM ? TILE_HOST_ASSEMBLY
                                                      : TILE_HOST_OBJECT;
  if (!stages) return tileTargetEmitHost(lowered, stage, effort, blob);
  MlirLocation loc = mlirOperationGetLocation(mlirModuleGetOperation(lowered));
  TileBlob llvm;
  TILE_TRY(tileTargetEmitHost(lowered, TILE_HOST_LLVM, effort, &llvm));
  MlirLogicalResult result = tileStagesVisit(stages, "llvm", "ll", &llvm);
  if (last == TILE_EMIT_LLVM) {
    *blob = llvm;
    return result;
  }
  if (mlirLogicalResultIsSuccess(result))
    result = tileTargetEmitHostIR(loc, &llvm, TILE_HOST_ASSEMBLY, blob);
  if (mlirLogicalResultIsSuccess(result) && last == TILE_EMIT_ASM)
    result = tileStagesVisit(stages, "asm", "s", blob);
  if (mlirLogicalResultIsSuccess(result) && last != TILE_EMIT_ASM) {
    result = tileStagesShow(stages, "asm", "s", blob);
    tileBlobDestroy(blob);
    if (mlirLogicalResultIsSuccess(result))
      result = tileTargetEmitHostIR(loc, &llvm, TILE_HOST_OBJECT, blob);
    if (mlirLogicalResultIsSuccess(result)) result = tileStagesVisit(stages, "object", "o", blob);
  }
  tileBlobDestroy(&llvm);
  return result;
}

static bool isForCpu(const TileProgram *p, TileEmit stage) {
  return stage == TILE_EMIT_ASM || stage == TILE_EMIT_OBJECT ||
         (stage == TILE_EMIT_LLVM && p->options.target == TILE_PROGRAM_CPU);
}

/// A module that was lowered by somebody else.
static MlirLogicalResult emitLowered(TileProgram *p, MlirModule lowered, TileEmit stage,
                                     TileBlob *blob) {
  if (!isForCpu(p, stage)) return generateGpu(p, lowered, NULL, stage, blob);
  TileHostStage host = stage == TILE_EMIT_LLVM  ? TILE_HOST_LLVM
                       : stage == TILE_EMIT_ASM ? TILE_HOST_ASSEMBLY
                                                : TILE_HOST_OBJECT;
  return tileTargetEmitHost(lowered, host, TILE_HOST_OPTIMIZE, blob);
}

MlirLogicalResult tileProgramEmitKernel(TileProgram *p, const TileProgramKernel *kernel,
                                        const char *facts, const char *config, TileEmit stage,
                                        TileBlob *blob) {
  *blob = (TileBlob){0};
  bool forCpu = isForCpu(p, stage);
  TileStage last = stage == TILE_EMIT_TILE      ? TILE_STAGE_TILE
                   : stage == TILE_EMIT_LAYOUTS ? TILE_STAGE_LAYOUTS
                                                : TILE_STAGE_NVVM;
  Lowering l;
  MlirLogicalResult result = startLowering(p, kernel, facts, config, forCpu, last, &l);
  if (mlirLogicalResultIsSuccess(result)) result = tileStagesCreate(p, kernel, &l.stages);
  if (mlirLogicalResultIsSuccess(result)) result = runLowering(&l);
  if (mlirLogicalResultIsSuccess(result)) {
    p->emitted = tileProgramCollectLaunch(mlirModuleGetOperation(l.module));
    if (stage <= TILE_EMIT_NVVM)
      *blob = printModule(l.module);
    else
      result = forCpu ? generateCpu(l.module, l.stages, stage, blob)
                      : generateGpu(p, l.module, l.stages, stage, blob);
  }
  result = tileStagesFinish(l.stages, result);
  finishLowering(&l);
  return result;
}

/// The kernel meant by `name`, an empty one standing for the only kernel; NULL after a diagnostic.
static TileProgramKernel *chooseKernel(TileProgram *p, MlirStringRef name) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (!name.length && p->numKernels == 1) return &p->kernels[0];
  if (kernel) return kernel;
  TileText known = {0};
  for (size_t i = 0; i < p->numKernels; ++i) {
    tileTextAdd(&known, i ? ", " : "");
    tileTextAddBytes(&known, p->kernels[i].name.data, p->kernels[i].name.length);
  }
  tileEmitError(p->loc, "expected the name of a kernel (%s), found '%.*s'",
                known.size ? known.data : "there are none", (int)name.length,
                name.length ? name.data : "");
  free(known.data);
  return NULL;
}

/// Facts of the kernel's first launch by @main.
static MlirLogicalResult observeFacts(TileProgram *p, const TileProgramKernel *kernel,
                                      const char *const *arguments, size_t count) {
  uint64_t *slots;
  TILE_TRY(tileProgramParseArguments(p, arguments, count, &slots));
  p->wanted = kernel;
  MlirLogicalResult result = tileProgramRunHost(p, slots, true);
  p->wanted = NULL;
  free(slots);
  TILE_TRY(result);
  if (p->facts) return result;
  tileEmitError(p->loc, "expected @main to launch '%.*s', found no launch of it",
                (int)kernel->name.length, kernel->name.data);
  return mlirLogicalResultFailure();
}

MlirLogicalResult tileProgramEmit(TileProgram *p, MlirStringRef name, TileEmit stage,
                                  const char *const *arguments, size_t count, TileBlob *blob) {
  *blob = (TileBlob){0};
  if (!p->numKernels && !name.length && stage >= TILE_EMIT_LLVM) {
    // Line information goes into a copy.
    MlirModule copy =
        mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(p->module)));
    MlirLogicalResult result = emitLowered(p, copy, stage, blob);
    mlirModuleDestroy(copy);
    return result;
  }
  TileProgramKernel *kernel = chooseKernel(p, name);
  if (!kernel) return mlirLogicalResultFailure();
  free(p->facts);
  p->facts = NULL;
  p->config = NULL;
  if (arguments) {
    // What was tuned was tuned on a device. Another architecture's code has nothing to do with it.
    if (!p->options.arch && tileProgramMayBeTuned(p)) TILE_TRY(tileProgramOpen(p, NULL));
    TILE_TRY(observeFacts(p, kernel, arguments, count));
  } else {
    p->facts = tileRuntimeAlloc(kernel->count + 1);
    for (unsigned i = 0; i < kernel->count; ++i)
      p->facts[i] = kernel->parameters[i].isPointer ? 'd' : '-';
  }
  return tileProgramEmitKernel(p, kernel, p->facts, p->config ? p->config : "", stage, blob);
}
