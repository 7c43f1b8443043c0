//===- ProgramKernel.c - specializing, compiling and emitting kernels -----===//
#include "ProgramImpl.h"
#include "tile/Pipelines.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
      else if (value % 16 == 0)
        facts[i] = 'd';
    }
  }
  facts[kernel->count] = 0;
}

//===- passes -------------------------------------------------------------===//

/// Text that grows.
typedef struct Text {
  char *data;
  size_t size, capacity;
} Text;

static void append(Text *t, const char *data, size_t size) {
  if (t->size + size + 1 > t->capacity) {
    t->capacity = 2 * (t->size + size + 1);
    char *grown = tileRuntimeAlloc(t->capacity);
    if (t->size) memcpy(grown, t->data, t->size);
    free(t->data);
    t->data = grown;
  }
  memcpy(t->data + t->size, data, size);
  t->size += size;
  t->data[t->size] = 0;
}

static void appendRef(MlirStringRef text, void *data) { append(data, text.data, text.length); }
static void appendString(Text *t, const char *text) { append(t, text, strlen(text)); }

/// " name=1,4": the arguments that have `fact`.
static void appendFacts(Text *t, const char *name, const char *facts, char fact) {
  const char *separator = name;
  for (size_t i = 0; facts[i]; ++i) {
    if (facts[i] != fact) continue;
    char number[32];
    snprintf(number, sizeof number, "%s%zu", separator, i);
    appendString(t, number);
    separator = ",";
  }
}

/// Binds what is known of the kernel; helpers are inlined first, for their tiles name the same
/// meta-parameters.
static char *buildSpecialize(const TileProgram *p, const TileProgramKernel *kernel,
                             const char *facts) {
  Text t = {0};
  appendString(&t, "tile-instantiate,");
  // Checked code stays as it is written.
  appendString(&t, p->checker ? "inline{default-pipeline=}" : "inline");
  appendString(&t, ",symbol-dce,tile-specialize{kernel=");
  append(&t, kernel->name.data, kernel->name.length);
  for (size_t i = 0; i < p->options.numBind; ++i) {
    appendString(&t, i ? "," : " bind=");
    appendString(&t, p->options.bind[i]);
  }
  appendFacts(&t, " divisible=", facts, 'd');
  appendFacts(&t, " ones=", facts, '1');
  appendString(&t, "}");
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

static void collect(MlirStringRef text, void *data) { append(data, text.data, text.length); }

static MlirLogicalResult addPasses(const TileProgram *p, const TileProgramKernel *kernel,
                                   const char *facts, bool forCpu, TileStage stage,
                                   MlirOpPassManager pm) {
  char *specialize = buildSpecialize(p, kernel, facts);
  Text message = {0};
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(pm, tileString(specialize), collect, &message);
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
} Lowering;

static void finishLowering(Lowering *l) {
  mlirPassManagerDestroy(l->passes);
  if (!mlirModuleIsNull(l->module)) mlirModuleDestroy(l->module);
}

/// Prepares lowering to `stage` (of the GPU's pipeline), or through all of the CPU's.
static MlirLogicalResult startLowering(const TileProgram *p, const TileProgramKernel *kernel,
                                       const char *facts, bool forCpu, TileStage stage,
                                       Lowering *l) {
  l->module = cloneKernel(p, kernel);
  l->passes = mlirPassManagerCreate(p->context);
  tileProgramVerifyOnce(l->passes);
  MlirOpPassManager pm = mlirPassManagerGetAsOpPassManager(l->passes);
  return addPasses(p, kernel, facts, forCpu, stage, pm);
}

static MlirLogicalResult runLowering(Lowering *l) {
  MlirOperation op = mlirModuleGetOperation(l->module);
  TILE_TRY(mlirPassManagerRunOnOp(l->passes, op));
  return mlirOperationVerify(op) ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// The lowered kernel; a null module after a diagnostic.
static MlirModule lower(const TileProgram *p, const TileProgramKernel *kernel, const char *facts,
                        bool forCpu, TileStage stage) {
  Lowering l;
  MlirModule module = {NULL};
  MlirLogicalResult result = startLowering(p, kernel, facts, forCpu, stage, &l);
  if (mlirLogicalResultIsSuccess(result)) result = runLowering(&l);
  if (mlirLogicalResultIsSuccess(result)) {
    module = l.module;
    l.module = (MlirModule){NULL};
  }
  finishLowering(&l);
  return module;
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

/// Generates machine code of a lowered kernel.
static MlirLogicalResult generate(TileProgram *p, MlirModule lowered, TileCode *code) {
  code->launch = tileProgramCollectLaunch(mlirModuleGetOperation(lowered));
  if (!p->device)
    return tileTargetEmitHost(lowered, TILE_HOST_OBJECT, TILE_HOST_EXPLICIT_VECTORS, &code->binary);
  TileGpuOptions options = gpuOptions(p);
  TileBlob ptx;
  TILE_TRY(tileTargetEmitGpu(lowered, TILE_GPU_PTX, &options, &ptx));
  TileModuleOptions assembling = {.lineInfo = true};
  TileError error = TILE_ERROR_INIT;
  void *cubin;
  bool ok = tileDeviceAssemble(p->device, ptx.data, ptx.size, &assembling, &cubin,
                               &code->binary.size, &error);
  tileBlobDestroy(&ptx);
  if (!ok) return tileProgramReport(p->loc, &error);
  code->binary.data = cubin;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult loadGpu(TileProgram *p, TileSpecialization *s, const TileCode *code) {
  TileError error = TILE_ERROR_INIT;
  s->module = tileModuleCreate(p->device, code->binary.data, code->binary.size, NULL, &error);
  char name[256];
  if (s->module) s->gpu = tileModuleGetKernel(s->module, copyName(s->kernel, name), &error);
  if (s->gpu && tileProgramMakeLauncher(s, code, &error)) return mlirLogicalResultSuccess();
  return tileProgramReport(mlirOperationGetLocation(s->kernel->func), &error);
}

static MlirLogicalResult loadCpu(TileProgram *p, TileSpecialization *s, const TileCode *code) {
  size_t count = 0;
  const TileJitSymbol *symbols = p->checker ? tileProgramGetCheckSymbols(&count) : NULL;
  char name[256];
  copyName(s->kernel, name);
  MlirLocation loc = mlirOperationGetLocation(s->kernel->func);
  s->jit = tileJitCreate(loc, &code->binary, name, symbols, count);
  if (!s->jit) return mlirLogicalResultFailure();
  s->cpu = (TileCpuKernel)tileJitLookup(s->jit, name);
  return mlirLogicalResultSuccess();
}

/// Code for `s`: from the cache, or compiled and put there.
static MlirLogicalResult findCode(TileProgram *p, TileSpecialization *s, const char *facts) {
  Lowering l;
  TileCode code = {.kind = p->device ? TILE_CACHE_CUBIN : TILE_CACHE_OBJECT};
  bool found = false;
  MlirLogicalResult result = startLowering(p, s->kernel, facts, !p->device, TILE_STAGE_NVVM, &l);
  // Checked code comes with the places in the file that it was made from, and is always made anew.
  if (mlirLogicalResultIsSuccess(result) && !p->checker)
    found = tileProgramFindCode(p, l.module, l.passes, &code);
  if (mlirLogicalResultIsSuccess(result) && !found) {
    result = runLowering(&l);
    if (mlirLogicalResultIsSuccess(result)) result = generate(p, l.module, &code);
    if (mlirLogicalResultIsSuccess(result) && !p->checker) tileProgramKeepCode(p, &code);
    if (mlirLogicalResultIsSuccess(result)) s->sites = tileProgramReadSites(p, s->kernel, l.module);
  }
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
  tileModuleDestroy(s->module);
  tileJitDestroy(s->jit);
  free(s->key);
  free(s);
}

TileSpecialization *tileProgramGetCode(TileProgram *p, TileProgramKernel *kernel,
                                       const char *facts) {
  size_t size = kernel->name.length + strlen(facts) + 2;
  char *key = tileRuntimeAlloc(size);
  snprintf(key, size, "%.*s %s", (int)kernel->name.length, kernel->name.data, facts);
  TileSpecialization *s;
  HASH_FIND_STR(p->code, key, s);
  if (s) {
    free(key);
    return s;
  }
  s = tileRuntimeAlloc(sizeof *s);
  s->key = key;
  s->kernel = kernel;
  if (mlirLogicalResultIsFailure(findCode(p, s, facts))) {
    tileSpecializationDestroy(s);
    return NULL;
  }
  HASH_ADD_KEYPTR(hh, p->code, s->key, strlen(s->key), s);
  return s;
}

//===- emission -----------------------------------------------------------===//

static TileBlob blobFromText(Text *t) { return (TileBlob){.data = t->data, .size = t->size}; }

static TileBlob printModule(MlirModule module) {
  Text t = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, appendRef, &t);
  mlirOpPrintingFlagsDestroy(flags);
  return blobFromText(&t);
}

static MlirLogicalResult assemble(TileProgram *p, TileBlob *ptx, TileBlob *cubin) {
  TileGpuOptions options = gpuOptions(p);
  bool found;
  MlirLogicalResult result = tileTargetAssemble(p->loc, ptx, options.arch, cubin, &found);
  if (found) return result;
  // Without ptxas the driver's own assembler does, for its own device.
  TileError error = TILE_ERROR_INIT;
  TileDriver *driver = tileDriverOpen(&error);
  TileDevice *device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  void *data;
  size_t size;
  bool ok = device && tileDeviceAssemble(device, ptx->data, ptx->size, NULL, &data, &size, &error);
  if (ok)
    *cubin = (TileBlob){.data = data, .size = size};
  else
    tileEmitError(p->loc, "expected ptxas on PATH or a CUDA driver, found neither: %s",
                  tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  tileDeviceDestroy(device);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static MlirLogicalResult emitDevice(TileProgram *p, MlirModule lowered, TileEmit stage,
                                    TileBlob *blob) {
  TileGpuOptions options = gpuOptions(p);
  if (stage == TILE_EMIT_LLVM) return tileTargetEmitGpu(lowered, TILE_GPU_LLVM, &options, blob);
  TILE_TRY(tileTargetEmitGpu(lowered, TILE_GPU_PTX, &options, blob));
  if (stage == TILE_EMIT_PTX) return mlirLogicalResultSuccess();
  TileBlob ptx = *blob;
  MlirLogicalResult result = assemble(p, &ptx, blob);
  tileBlobDestroy(&ptx);
  return result;
}

static bool isForCpu(const TileProgram *p, TileEmit stage) {
  return stage == TILE_EMIT_ASM ||
         (stage == TILE_EMIT_LLVM && p->options.target == TILE_PROGRAM_CPU);
}

static MlirLogicalResult emitLowered(TileProgram *p, MlirModule lowered, TileEmit stage,
                                     TileHostPasses passes, TileBlob *blob) {
  if (!isForCpu(p, stage)) return emitDevice(p, lowered, stage, blob);
  TileHostStage host = stage == TILE_EMIT_ASM ? TILE_HOST_ASSEMBLY : TILE_HOST_LLVM;
  return tileTargetEmitHost(lowered, host, passes, blob);
}

MlirLogicalResult tileProgramEmitKernel(TileProgram *p, const TileProgramKernel *kernel,
                                        const char *facts, TileEmit stage, TileBlob *blob) {
  *blob = (TileBlob){0};
  bool forCpu =
      stage == TILE_EMIT_ASM || (stage == TILE_EMIT_LLVM && p->options.target == TILE_PROGRAM_CPU);
  TileStage last = stage == TILE_EMIT_TILE      ? TILE_STAGE_TILE
                   : stage == TILE_EMIT_LAYOUTS ? TILE_STAGE_LAYOUTS
                                                : TILE_STAGE_NVVM;
  MlirModule lowered = lower(p, kernel, facts, forCpu, last);
  if (mlirModuleIsNull(lowered)) return mlirLogicalResultFailure();
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (stage <= TILE_EMIT_NVVM)
    *blob = printModule(lowered);
  else if (forCpu)
    result =
        tileTargetEmitHost(lowered, stage == TILE_EMIT_ASM ? TILE_HOST_ASSEMBLY : TILE_HOST_LLVM,
                           TILE_HOST_EXPLICIT_VECTORS, blob);
  else
    result = emitDevice(p, lowered, stage, blob);
  mlirModuleDestroy(lowered);
  return result;
}

/// The kernel meant by `name`, an empty one standing for the only kernel; NULL after a diagnostic.
static TileProgramKernel *chooseKernel(TileProgram *p, MlirStringRef name) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  if (!name.length && p->numKernels == 1) return &p->kernels[0];
  if (kernel) return kernel;
  Text known = {0};
  for (size_t i = 0; i < p->numKernels; ++i) {
    appendString(&known, i ? ", " : "");
    append(&known, p->kernels[i].name.data, p->kernels[i].name.length);
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
    MlirLogicalResult result = emitLowered(p, copy, stage, TILE_HOST_OPTIMIZE, blob);
    mlirModuleDestroy(copy);
    return result;
  }
  TileProgramKernel *kernel = chooseKernel(p, name);
  if (!kernel) return mlirLogicalResultFailure();
  free(p->facts);
  p->facts = NULL;
  if (arguments) {
    TILE_TRY(observeFacts(p, kernel, arguments, count));
  } else {
    p->facts = tileRuntimeAlloc(kernel->count + 1);
    for (unsigned i = 0; i < kernel->count; ++i)
      p->facts[i] = kernel->parameters[i].isPointer ? 'd' : '-';
  }
  return tileProgramEmitKernel(p, kernel, p->facts, stage, blob);
}
