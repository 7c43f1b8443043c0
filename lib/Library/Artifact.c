//===- Artifact.c - kernels compiled --------------------------------------===//
#include "Library.h"
#include "tile/IR.h"
#include "tile/Text.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

//===- programs -----------------------------------------------------------===//

static TileLibTarget *findTarget(const TileLibModule *module, const TileLibDevice *device,
                                 const TileMachine *arch) {
  TileLibTarget *each = module->targets;
  while (each && (each->device != device || each->arch != arch)) each = each->next;
  return each;
}

TileProgramOptions tileLibChooseOptions(const TileLibContext *context, const TileLibDevice *device,
                                        const TileMachine *arch) {
  bool isCpu = !device && !arch;
  return (TileProgramOptions){.target = isCpu ? TILE_PROGRAM_CPU : TILE_PROGRAM_GPU,
                              .arch = arch,
                              .cache = context->cache,
                              .assembled = context->assembled,
                              .apart = context->isolates ? &context->limits : NULL,
                              .console = context->console};
}

/// A program of this module, open where that takes something; NULL after a message.
static TileProgram *openProgram(MlirModule module, const TileProgramOptions *options,
                                TileLibDevice *device) {
  TileProgram *program = tileProgramCreate(module, options);
  bool ok = program != NULL;
  if (ok && device)
    ok = mlirLogicalResultIsSuccess(tileProgramOpenOn(program, device->device));
  else if (ok && options->target == TILE_PROGRAM_CPU)
    ok = mlirLogicalResultIsSuccess(tileProgramOpen(program, NULL));
  if (ok) return program;
  tileProgramDestroy(program);
  return NULL;
}

TileProgram *tileLibGetProgram(TileLibModule *module, TileLibDevice *device,
                               const TileMachine *arch) {
  TileLibTarget *target = findTarget(module, device, arch);
  if (target) return target->program;
  const TileProgramOptions options = tileLibChooseOptions(module->context, device, arch);
  TileProgram *program = openProgram(module->module, &options, device);
  if (!program) return NULL;
  target = calloc(1, sizeof *target);
  if (!target) {
    tileLibFail(TILE_STATUS_MEMORY, "expected memory for a program, found none");
    tileProgramDestroy(program);
    return NULL;
  }
  *target = (TileLibTarget){device, arch, program, module->targets};
  module->targets = target;
  return program;
}

//===- options ------------------------------------------------------------===//

/// The device, or else the machine, that is asked for; both NULL for the CPU.
static tile_status findMachine(TileLibContext *context, const char *arch, TileLibDevice **device,
                               const TileMachine **machine) {
  *device = NULL;
  *machine = NULL;
  if (!arch) {
    *device = tileLibGetDevice(context);
    return *device ? TILE_STATUS_OK : TILE_STATUS_DEVICE;
  }
  if (!strcmp(arch, "cpu")) return TILE_STATUS_OK;
  *machine = tileMachineFind(arch);
  if (*machine) return TILE_STATUS_OK;
  return tileLibFail(TILE_STATUS_UNSUPPORTED, "expected one of %s or cpu, found '%s'",
                     tileMachineGetNames(), arch);
}

static tile_status findStage(tile_format *format, bool isCpu, TileEmit *stage) {
  if (*format == TILE_FORMAT_DEFAULT) *format = isCpu ? TILE_FORMAT_OBJECT : TILE_FORMAT_CUBIN;
  switch (*format) {
  case TILE_FORMAT_PTX:
    *stage = TILE_EMIT_PTX;
    break;
  case TILE_FORMAT_CUBIN:
    *stage = TILE_EMIT_CUBIN;
    break;
  case TILE_FORMAT_OBJECT:
    *stage = TILE_EMIT_OBJECT;
    break;
  case TILE_FORMAT_ASSEMBLY:
    *stage = TILE_EMIT_ASM;
    break;
  case TILE_FORMAT_LLVM:
    *stage = TILE_EMIT_LLVM;
    break;
  case TILE_FORMAT_TILE:
    *stage = TILE_EMIT_TILE;
    break;
  default:
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a tile_format, found %d", (int)*format);
  }
  bool ofGpu = *stage == TILE_EMIT_PTX || *stage == TILE_EMIT_CUBIN;
  bool ofCpu = *stage == TILE_EMIT_OBJECT || *stage == TILE_EMIT_ASM;
  if (isCpu ? !ofGpu : !ofCpu) return TILE_STATUS_OK;
  return tileLibFail(TILE_STATUS_ARGUMENT, "expected a format of the %s, found one of the %s",
                     isCpu ? "CPU" : "GPU", isCpu ? "GPU" : "CPU");
}

static tile_status parseFacts(const TileLibKernel *kernel, const char *text, TileFacts *facts) {
  const char *wrong = text;
  size_t length = strlen(text);
  bool ok = tileFactsParse(facts, text, length, &wrong, &length) && !facts->numBindings;
  if (!ok)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected facts as 0/16,3/256+,7=1, found '%.*s'",
                       (int)length, wrong);
  if (facts->numArguments > kernel->numArguments)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected facts of %zu arguments, found one of %u",
                       kernel->numArguments, facts->numArguments - 1);
  for (unsigned i = 0; i < facts->numArguments; ++i) {
    const TileLibArgument *argument = &kernel->arguments[i];
    TileArgumentFact fact = tileFactsGetArgument(facts, i);
    bool isInteger =
        !argument->isPointer && argument->hasType && tileElementIsInteger(argument->type);
    if (fact.programs)
      return tileLibFail(TILE_STATUS_ARGUMENT,
                         "expected facts of arguments, found one of a launch's grid for %u of '%s'",
                         i, kernel->name);
    if ((fact.one || fact.positive || fact.negative || fact.most) && !isInteger)
      return tileLibFail(TILE_STATUS_ARGUMENT,
                         "expected facts of an integer for argument %u of '%s', found another", i,
                         kernel->name);
  }
  return TILE_STATUS_OK;
}

//===- compiling ----------------------------------------------------------===//

static char *printFacts(const TileFacts *facts) {
  TileText text = {0};
  tileTextAdd(&text, "");
  tileFactsPrint(facts, &text);
  return text.data;
}

static TileLibArtifact *makeArtifact(const TileLibKernel *kernel, const char *config,
                                     const TileFacts *facts) {
  TileLibArtifact *artifact = calloc(1, sizeof *artifact);
  if (!artifact) return NULL;
  TileLibModule *module = kernel->module;
  artifact->kernel = kernel;
  artifact->module = module;
  artifact->config = strdup(config);
  artifact->facts = printFacts(facts);
  pthread_mutex_init(&artifact->mutex, NULL);
  pthread_mutex_lock(&module->context->mutex);
  ++module->references;
  pthread_mutex_unlock(&module->context->mutex);
  return artifact;
}

static void destroyArtifact(TileLibArtifact *artifact) {
  TileLibModule *module = artifact->module;
  TileLibCurrent saved = tileLibSaveCurrent(module->context);
  TileLibLoaded *next;
  for (TileLibLoaded *each = artifact->loaded; each; each = next) {
    next = each->next;
    tileLauncherDestroy(each->launcher);
    tileModuleConsoleClose(each->console);
    tileModuleDestroy(each->module);
    free(each);
  }
  tileLibRestoreCurrent(&saved);
  tileJitDestroy(artifact->jit);
  tileCompiledDestroy(&artifact->compiled);
  tileGridFormDestroy(&artifact->form);
  free(artifact->codes);
  pthread_mutex_destroy(&artifact->mutex);
  free(artifact->config);
  free(artifact->facts);
  free(artifact);
  tileLibReleaseModule(module);
}

/// Compiles, by the artifact's module or a copy of it.
static tile_status compile(const TileLibCompilation *c, TileProgram *program) {
  TileLibArtifact *artifact = c->artifact;
  bool ok = program && mlirLogicalResultIsSuccess(tileProgramCompile(
                           program, tileString(artifact->kernel->name), &c->facts, artifact->config,
                           c->stage, &artifact->compiled));
  if (ok && c->device) artifact->arch = tileProgramGetMachine(program);
  if (ok) return TILE_STATUS_OK;
  return program ? tileLibChildStatus(tileProgramGetChildEnd(program), TILE_STATUS_SOURCE)
                 : TILE_STATUS_SOURCE;
}

//===- copies -------------------------------------------------------------===//

/// The text of the kernels, with their places in the source. With the module's mutex.
static void printModule(TileLibModule *module) {
  if (module->text) return;
  TileText text = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsPrintGenericOpForm(flags); // which has the places of blocks' arguments
  mlirOpPrintingFlagsEnableDebugInfo(flags, /*enable=*/true, /*prettyForm=*/false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module->module), flags, tileTextCollect,
                              &text);
  module->textSize = text.size;
  atomic_store_explicit(&module->text, text.data, memory_order_release);
  mlirOpPrintingFlagsDestroy(flags);
}

void tileLibPrepareCopy(TileLibModule *module) {
  if (pthread_mutex_trylock(&module->mutex)) return;
  printModule(module);
  pthread_mutex_unlock(&module->mutex);
}

/// Who compiles holds the mutex until that is done: it is not waited for where the text is there.
static MlirStringRef getText(TileLibModule *module) {
  const char *text = atomic_load_explicit(&module->text, memory_order_acquire);
  if (text) return mlirStringRefCreate(text, module->textSize);
  pthread_mutex_lock(&module->mutex);
  printModule(module);
  pthread_mutex_unlock(&module->mutex);
  return mlirStringRefCreate(module->text, module->textSize);
}

TileProgram *tileLibOpenCopy(TileLibModule *module, const TileProgramOptions *options,
                             TileLibDevice *device, TileLibCopy *copy) {
  TileLibContext *context = module->context;
  const MlirStringRef text = getText(module);
  *copy = (TileLibCopy){
      .mlir = mlirContextCreateWithRegistry(context->registry, /*threadingEnabled=*/false)};
  mlirContextAttachDiagnosticHandler(copy->mlir, tileLibOnDiagnostic, context, NULL);
  copy->module = mlirModuleCreateParse(copy->mlir, text);
  if (!mlirModuleIsNull(copy->module)) copy->program = openProgram(copy->module, options, device);
  return copy->program;
}

void tileLibCloseCopy(TileLibCopy *copy) {
  tileProgramDestroy(copy->program);
  if (!mlirModuleIsNull(copy->module)) mlirModuleDestroy(copy->module);
  mlirContextDestroy(copy->mlir);
}

tile_status tileLibRunCompilation(TileLibCompilation *c) {
  TileLibModule *module = c->artifact->module;
  const TileProgramOptions options =
      tileLibChooseOptions(module->context, c->device, c->artifact->arch);
  TileLibCopy copy;
  tile_status status = compile(c, tileLibOpenCopy(module, &options, c->device, &copy));
  tileLibCloseCopy(&copy);
  return status;
}

tile_status tileLibBeginCompilation(TileLibKernel *kernel, const tile_compile_options *options,
                                    TileLibCompilation *c) {
  const TileMachine *arch = NULL;
  tile_format format = options->format;
  tile_status status = findMachine(kernel->module->context, options->arch, &c->device, &arch);
  if (!status) status = findStage(&format, !c->device && !arch, &c->stage);
  if (!status && options->facts) status = parseFacts(kernel, options->facts, &c->facts);
  if (status) return status;
  TileLibArtifact *artifact =
      makeArtifact(kernel, options->config ? options->config : "", &c->facts);
  c->artifact = artifact;
  if (!artifact || !artifact->config || !artifact->facts)
    return tileLibFail(TILE_STATUS_MEMORY, "expected memory for an artifact, found none");
  artifact->arch = arch;
  artifact->format = format;
  return TILE_STATUS_OK;
}

tile_status tileLibTakeArtifact(TileLibCompilation *c, tile_artifact **result) {
  TileLibArtifact *artifact = c->artifact;
  if (!artifact)
    return tileLibFail(TILE_STATUS_NOT_FOUND,
                       "expected an artifact that nobody has taken, found none");
  artifact->handle = tileLibMakeHandle(TILE_LIB_ARTIFACT, artifact);
  if (!artifact->handle)
    return tileLibFail(TILE_STATUS_MEMORY, "expected memory for a handle, found none");
  c->artifact = NULL;
  *result = artifact->handle;
  return TILE_STATUS_OK;
}

void tileLibEndCompilation(TileLibCompilation *c) {
  if (c->artifact) destroyArtifact(c->artifact);
  tileFactsDestroy(&c->facts);
}

/// On this thread, with the module's own.
static tile_status compileHere(TileLibKernel *kernel, const tile_compile_options *options,
                               TileLibCompilation *c, tile_artifact **result) {
  tile_status status = tileLibBeginCompilation(kernel, options, c);
  if (status) return status;
  TileLibModule *module = kernel->module;
  pthread_mutex_lock(&module->mutex);
  status = compile(c, tileLibGetProgram(module, c->device, c->artifact->arch));
  pthread_mutex_unlock(&module->mutex);
  return status ? status : tileLibTakeArtifact(c, result);
}

tile_status tile_kernel_compile(tile_kernel *handle, const tile_compile_options *given,
                                tile_artifact **result) {
  tileLibBegin();
  tile_compile_options options = {0};
  if (!result)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected a place for an artifact, found NULL");
  *result = NULL;
  TileLibKernel *kernel = tileLibFind(handle, TILE_LIB_KERNEL);
  if (!kernel) return tileLibFailHandle("kernel", handle);
  if (given &&
      !tileLibTake(&options, sizeof options, sizeof options, given, "tile_compile_options"))
    return TILE_STATUS_ARGUMENT;
  TileLibCompilation c = {.artifact = NULL};
  tile_status status = compileHere(kernel, &options, &c, result);
  tileLibEndCompilation(&c);
  return status;
}

tile_status tile_artifact_destroy(tile_artifact *handle) {
  tileLibBegin();
  if (!handle) return TILE_STATUS_OK;
  TileLibArtifact *artifact = tileLibFind(handle, TILE_LIB_ARTIFACT);
  if (!artifact) return tileLibFailHandle("artifact", handle);
  tileLibDropHandle(handle);
  destroyArtifact(artifact);
  return TILE_STATUS_OK;
}

//===- what is told -------------------------------------------------------===//

/// Has the code a global whose name begins so? PTX and cubins have names as they are.
static bool hasGlobal(const TileBlob *code, const char *name) {
  return memmem(code->data, code->size, name, strlen(name)) != NULL;
}

/// Does a launch need nothing but the arguments, and a block for each program? Parts of split
/// programs and what is printed lie in memory that our own launches give to the module's globals.
static bool isPlain(const TileLibArtifact *artifact) {
  const TileCompiled *c = &artifact->compiled;
  if (artifact->format != TILE_FORMAT_PTX && artifact->format != TILE_FORMAT_CUBIN) return false;
  return !c->launch.numMaps && !c->launch.persistent && c->launch.cluster <= 1 &&
         !hasGlobal(&c->code, TILE_PARTS_GLOBAL) && !hasGlobal(&c->code, TILE_CONSOLE_GLOBAL);
}

tile_status tile_artifact_get_info(tile_artifact *handle, tile_artifact_info *info) {
  tileLibBegin();
  tile_artifact_info found = {0};
  TileLibArtifact *artifact = tileLibFind(handle, TILE_LIB_ARTIFACT);
  if (!artifact) return tileLibFailHandle("artifact", handle);
  if (!info) return tileLibFail(TILE_STATUS_ARGUMENT, "expected a tile_artifact_info, found NULL");
  if (!tileLibTake(&found, sizeof found, sizeof found, info, "tile_artifact_info"))
    return TILE_STATUS_ARGUMENT;
  const TileCompiled *c = &artifact->compiled;
  found = (tile_artifact_info){.kernel = artifact->kernel->name,
                               .arch = artifact->arch ? artifact->arch->name : "cpu",
                               .config = artifact->config,
                               .facts = artifact->facts,
                               .format = artifact->format,
                               .code = c->code.data,
                               .code_size = c->code.size,
                               .num_arguments = artifact->kernel->numArguments,
                               .was_cached = c->wasCached};
  if (artifact->arch && artifact->format != TILE_FORMAT_TILE) {
    found.num_warps = c->numWarps;
    found.threads = 32 * c->launch.warps;
    found.shared_bytes = c->launch.sharedBytes;
    found.cluster = c->launch.cluster ? c->launch.cluster : 1;
    found.num_tensor_maps = c->launch.numMaps;
    found.is_persistent = c->launch.persistent;
    found.is_plain = isPlain(artifact);
  }
  tileLibGive(info, &found, sizeof found);
  return TILE_STATUS_OK;
}

//===- loading ------------------------------------------------------------===//

static TileLibLoaded *findLoaded(TileLibArtifact *artifact, const TileLibDevice *device) {
  TileLibLoaded *each = atomic_load_explicit(&artifact->loaded, memory_order_acquire);
  while (each && each->device != device) each = each->next;
  return each;
}

static TileLibLoaded *load(TileLibArtifact *artifact, TileLibDevice *device) {
  const TileBlob *code = &artifact->compiled.code;
  const TileModuleOptions options = {.lineInfo = true};
  TileError error = TILE_ERROR_INIT;
  TileLibLoaded *made = calloc(1, sizeof *made);
  if (!made) {
    tileLibFail(TILE_STATUS_MEMORY, "expected memory for code, found none");
    return NULL;
  }
  made->device = device;
  made->module = tileModuleCreate(device->device, code->data, code->size, &options, &error);
  if (made->module)
    made->kernel = tileModuleGetKernel(made->module, artifact->kernel->name, &error);
  if (made->kernel)
    made->launcher = tileLauncherCreate(made->kernel, &artifact->compiled.launch, &error);
  if (made->launcher) {
    made->console = tileModuleConsoleOpen(made->module, device->device);
    made->next = artifact->loaded;
    atomic_store_explicit(&artifact->loaded, made, memory_order_release);
    return made;
  }
  tileLibFailWith(TILE_STATUS_DEVICE, &error);
  tileModuleDestroy(made->module);
  free(made);
  return NULL;
}

TileLibLoaded *tileLibLoadArtifact(TileLibArtifact *artifact, TileLibDevice *device) {
  TileLibLoaded *found = findLoaded(artifact, device);
  if (found) return found;
  const TileDeviceInfo *info = tileDeviceGetInfo(device->device);
  if (!tileMachineRunsOn(artifact->arch, info->major, info->minor)) {
    tileLibFail(TILE_STATUS_DEVICE, "expected a device that runs code of %s, found %s with %d.%d",
                artifact->arch->name, info->name, info->major, info->minor);
    return NULL;
  }
  pthread_mutex_lock(&artifact->mutex);
  found = findLoaded(artifact, device);
  if (!found) found = load(artifact, device);
  pthread_mutex_unlock(&artifact->mutex);
  return found;
}

TileCpuKernel tileLibLoadCpu(TileLibArtifact *artifact) {
  TileCpuKernel found = atomic_load_explicit(&artifact->cpu, memory_order_acquire);
  if (found) return found;
  TileLibModule *module = artifact->module;
  pthread_mutex_lock(&module->mutex);
  if (!artifact->cpu) {
    TileProgram *program = tileLibGetProgram(module, NULL, NULL);
    if (program)
      artifact->jit = tileProgramLoadObject(program, tileString(artifact->kernel->name),
                                            &artifact->compiled.code);
    if (artifact->jit)
      atomic_store_explicit(&artifact->cpu,
                            (TileCpuKernel)tileJitLookup(artifact->jit, artifact->kernel->name),
                            memory_order_release);
  }
  found = artifact->cpu;
  pthread_mutex_unlock(&module->mutex);
  return found;
}

//===- resources ----------------------------------------------------------===//

static tile_status readLoaded(const TileLibArtifact *artifact, const TileLibLoaded *loaded,
                              tile_resources *found) {
  const TileKernelInfo *info = tileKernelGetInfo(loaded->kernel);
  const int32_t grid[3] = {1, 1, 1};
  TileLaunch launch;
  TileError error = TILE_ERROR_INIT;
  int blocks = 0;
  found->registers = (uint32_t)info->registers;
  found->local_bytes = (uint32_t)info->localBytes;
  found->shared_bytes = (uint32_t)info->staticSharedBytes + artifact->compiled.launch.sharedBytes;
  if (!tileLauncherGetLaunch(loaded->launcher, grid, &launch, &error) ||
      !tileKernelGetOccupancy(loaded->kernel, &launch, &blocks, &error))
    return tileLibFailWith(TILE_STATUS_DEVICE, &error);
  found->blocks = (uint32_t)blocks;
  return TILE_STATUS_OK;
}

/// By ptxas, of the PTX, which is compiled again where the code is a cubin.
static tile_status askAssembler(TileLibArtifact *artifact, tile_resources *found) {
  TileLibModule *module = artifact->module;
  const TileCompiled *c = &artifact->compiled;
  TileCompiled ptx = {0};
  TileResources r = {0};
  TileFacts facts = {0};
  const char *wrong;
  size_t length;
  tileFactsParse(&facts, artifact->facts, strlen(artifact->facts), &wrong, &length);
  pthread_mutex_lock(&module->mutex);
  TileProgram *program = tileLibGetProgram(module, NULL, artifact->arch);
  bool ok = program && mlirLogicalResultIsSuccess(
                           tileProgramCompile(program, tileString(artifact->kernel->name), &facts,
                                              artifact->config, TILE_EMIT_PTX, &ptx));
  ok = ok && mlirLogicalResultIsSuccess(
                 tileResourcesFind(mlirLocationUnknownGet(module->mlir), &ptx.code, artifact->arch,
                                   (int)c->launch.warps * 32, (int)c->launch.sharedBytes, &r));
  pthread_mutex_unlock(&module->mutex);
  tileFactsDestroy(&facts);
  tileCompiledDestroy(&ptx);
  if (!ok) return TILE_STATUS_SOURCE;
  if (!r.assembled)
    return tileLibFail(TILE_STATUS_UNSUPPORTED,
                       "expected ptxas on PATH or a device for %s, found neither",
                       artifact->arch->name);
  found->registers = (uint32_t)r.registers;
  found->local_bytes = (uint32_t)r.spillStores;
  found->shared_bytes = (uint32_t)r.sharedBytes;
  found->blocks = (uint32_t)r.occupancy.blocks;
  return TILE_STATUS_OK;
}

tile_status tile_artifact_get_resources(tile_artifact *handle, tile_resources *resources) {
  tileLibBegin();
  tile_resources found = {0};
  TileLibArtifact *artifact = tileLibFind(handle, TILE_LIB_ARTIFACT);
  if (!artifact) return tileLibFailHandle("artifact", handle);
  if (!resources) return tileLibFail(TILE_STATUS_ARGUMENT, "expected tile_resources, found NULL");
  if (!tileLibTake(&found, sizeof found, sizeof found, resources, "tile_resources"))
    return TILE_STATUS_ARGUMENT;
  if (!artifact->arch || artifact->format == TILE_FORMAT_TILE)
    return tileLibFail(TILE_STATUS_ARGUMENT, "expected code for a GPU, found other code");
  TileLibLoaded *loaded = atomic_load(&artifact->loaded);
  TileLibDevice *device = NULL;
  if (artifact->format == TILE_FORMAT_CUBIN && !loaded && tileDriverOpen(NULL))
    device = tileLibGetDevice(artifact->module->context);
  if (device) loaded = tileLibLoadArtifact(artifact, device);
  tile_status status =
      loaded ? readLoaded(artifact, loaded, &found) : askAssembler(artifact, &found);
  if (!status) tileLibBegin(); // a device that does not fit was no failure
  if (!status) tileLibGive(resources, &found, sizeof found);
  return status;
}
