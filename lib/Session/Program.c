//===- Program.c - making, opening and running programs -------------------===//
#include "ProgramImpl.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/SharedLoops.h"
#include "tile/Passes.h"
#include "tile/Support/Suggest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MlirLogicalResult tileProgramReport(MlirLocation loc, TileError *error) {
  tileEmitError(loc, "%s", tileErrorGetMessage(error));
  tileErrorDestroy(error);
  return mlirLogicalResultFailure();
}

//===- what the module has ------------------------------------------------===//

bool tileProgramGetElementType(MlirType type, TileElementType *result) {
  struct {
    bool is;
    TileElementType type;
  } floats[] = {
      {mlirTypeIsAF16(type), TILE_ELEMENT_F16},
      {mlirTypeIsABF16(type), TILE_ELEMENT_BF16},
      {mlirTypeIsAF32(type), TILE_ELEMENT_F32},
      {mlirTypeIsAF64(type), TILE_ELEMENT_F64},
      {mlirTypeIsAFloat8E4M3FN(type), TILE_ELEMENT_F8E4M3FN},
      {mlirTypeIsAFloat8E5M2(type), TILE_ELEMENT_F8E5M2},
  };
  for (size_t i = 0; i < sizeof floats / sizeof *floats; ++i)
    if (floats[i].is) {
      *result = floats[i].type;
      return true;
    }
  if (mlirTypeIsAIndex(type)) {
    *result = TILE_ELEMENT_I64;
    return true;
  }
  if (!mlirTypeIsAInteger(type)) return false;
  char name[16];
  int length = snprintf(name, sizeof name, "i%u", mlirIntegerTypeGetWidth(type));
  return tileElementParse(name, (size_t)length, result);
}

static MlirLogicalResult describeKernel(TileProgramKernel *k, MlirOperation func) {
  MlirBlock body = tileBody(func, 0);
  k->name = tileFuncGetSymName(func);
  k->func = func;
  k->count = (unsigned)mlirBlockGetNumArguments(body);
  k->parameters = tileRuntimeAlloc((k->count + 1) * sizeof *k->parameters);
  k->written = tileKernelGetWrittenArguments(func);
  for (unsigned i = 0; i < k->count; ++i) {
    TileParameter *parameter = &k->parameters[i];
    MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
    parameter->isPointer = tileTypeIsAPtr(type);
    parameter->isInteger = mlirTypeIsAInteger(type);
    if (parameter->isPointer || tileProgramGetElementType(type, &parameter->type)) continue;
    tileEmitError(mlirOperationGetLocation(func),
                  "expected a kernel's arguments to be pointers, integers and floats, found "
                  "another type for argument %u",
                  i);
    return mlirLogicalResultFailure();
  }
  return mlirLogicalResultSuccess();
}

typedef struct Contents {
  bool dots, calls, wide, bytes, loops;
} Contents;

static MlirWalkResult findContents(MlirOperation op, void *data) {
  // What the host evaluates has rules of its own.
  if (tileOpIsAGrid(op) || tileOpIsACost(op)) return MlirWalkResultSkip;
  Contents *found = data;
  found->dots |= tileOpIsADot(op);
  found->wide |= tileOpIsADot(op) && tileBitWidth(tileDotOperandElement(tileDotGetA(op))) == 64;
  found->bytes |= tileOpIsADot(op) && tileBitWidth(tileDotOperandElement(tileDotGetA(op))) == 8 &&
                  tileBitWidth(tileDotOperandElement(tileDotGetB(op))) == 8;
  found->calls |= tileOpIsACall(op);
  found->loops |= tileOpIsLoop(op);
  return MlirWalkResultAdvance;
}

/// The argument that `value` is, or that additions and divisions make it of; -1: none.
static int findArgument(MlirOperation func, MlirValue value) {
  static const char *const names[] = {"arith.addi",  "arith.subi",       "arith.divsi",
                                      "arith.divui", "arith.ceildivsi",  "arith.ceildivui",
                                      "arith.extsi", "arith.index_cast", NULL};
  while (!mlirValueIsABlockArgument(value)) {
    MlirOperation op = tileValueGetOp(value);
    if (!tileOpIsOneOf(op, names)) return -1;
    value = tileOperand(op, 0);
  }
  bool is = mlirBlockEqual(mlirBlockArgumentGetOwner(value), tileBody(func, 0));
  is = is && mlirTypeIsAInteger(mlirValueGetType(value));
  return is ? (int)mlirBlockArgumentGetArgNumber(value) : -1;
}

static MlirWalkResult findLength(MlirOperation op, void *data) {
  TileProgramKernel *kernel = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  MlirOperation loop = tileForAround(op);
  if (!mlirOperationIsNull(loop))
    kernel->length = findArgument(kernel->func, tileForGetUpper(loop));
  return kernel->length < 0 ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static MlirWalkResult findShared(MlirOperation op, void *data) {
  TileProgramKernel *kernel = data;
  kernel->shared = tileArgumentOfPrograms(kernel->func, op);
  return kernel->shared < 0 ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/// Which kernels multiply tiles, helpers' products among them; fails for what no kernel has.
static MlirLogicalResult findDots(TileProgram *p) {
  Contents helpers = {0};
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(p->module)) {
    if (!tileOpIsAFunc(op)) continue;
    // Before a kernel is taken apart from what ops of other dialects may refer to.
    TILE_TRY(tileRunCheckOps(op));
    if (!tileOpIsAKernel(op)) mlirOperationWalk(op, findContents, &helpers, MlirWalkPreOrder);
  }
  for (size_t i = 0; i < p->numKernels; ++i) {
    Contents own = {0};
    mlirOperationWalk(p->kernels[i].func, findContents, &own, MlirWalkPreOrder);
    p->kernels[i].multiplies = own.dots || (own.calls && helpers.dots);
    p->kernels[i].streams =
        !p->kernels[i].multiplies && (own.loops || (own.calls && helpers.loops));
    p->kernels[i].isWide = own.wide || (own.calls && helpers.wide);
    p->kernels[i].multipliesBytes = own.bytes || (own.calls && helpers.bytes);
    if (own.calls && helpers.dots) p->kernels[i].whole = tileWholeCreate();
    p->kernels[i].isKeyed = tileProgramGridIsKeyed(&p->kernels[i]);
    p->kernels[i].length = p->kernels[i].shared = -1;
    mlirOperationWalk(p->kernels[i].func, findLength, &p->kernels[i], MlirWalkPreOrder);
    if (p->kernels[i].streams)
      mlirOperationWalk(p->kernels[i].func, findShared, &p->kernels[i], MlirWalkPreOrder);
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult describeKernels(TileProgram *p) {
  MlirBlock body = mlirModuleGetBody(p->module);
  size_t count = 0;
  TILE_FOR_EACH_OP(op, body) { count += tileOpIsAKernel(op); }
  p->kernels = tileRuntimeAlloc((count + 1) * sizeof *p->kernels);
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIsAKernel(op)) TILE_TRY(describeKernel(&p->kernels[p->numKernels++], op));
  }
  return findDots(p);
}

static MlirWalkResult collectSite(MlirOperation op, void *data) {
  TileProgram *p = data;
  if (tileOpIsHost(op)) p->sites[tileIntAttr(op, "tile_host.site", 0)] = op;
  return MlirWalkResultAdvance;
}

TileProgramKernel *tileProgramFindKernel(TileProgram *p, MlirStringRef name) {
  for (size_t i = 0; i < p->numKernels; ++i)
    if (mlirStringRefEqual(p->kernels[i].name, name)) return &p->kernels[i];
  return NULL;
}

MlirOperation tileProgramFindFunction(const TileProgram *p, const char *name) {
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(p->module)) {
    if (!tileOpIs(op, "func.func") || mlirBlockIsNull(tileBody(op, 0))) continue;
    if (tileStringIs(mlirStringAttrGetValue(tileAttr(op, "sym_name")), name)) return op;
  }
  return (MlirOperation){NULL};
}

/// One of these kernels has a use for a meta-parameter of this name: else it is a typing error.
static MlirLogicalResult checkName(const TileProgram *p, const TileProgramKernel *kernels,
                                   size_t count, MlirStringRef name) {
  // These bind no extent but belong to every kernel (see tile-specialize).
  static const char *const everywhere[] = {"num_warps", "num_stages",  "num_ctas",
                                           "num_parts", "num_splits",  "num_last_splits",
                                           "num_teams", "num_at_once", "maxnreg"};
  for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; ++i)
    if (tileStringIs(name, everywhere[i])) return mlirLogicalResultSuccess();
  char known[256] = "";
  TileSuggestion suggestion = tileSuggestionFor(name.data, name.length);
  for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; ++i)
    tileSuggestionOffer(&suggestion, everywhere[i], strlen(everywhere[i]));
  for (size_t k = 0; k < count; ++k) {
    MlirAttribute meta = tileFuncGetMetaAttr(kernels[k].func);
    if (mlirAttributeIsNull(meta)) continue;
    if (!mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(meta, name)))
      return mlirLogicalResultSuccess();
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(meta); ++i) {
      MlirStringRef other = mlirIdentifierStr(mlirDictionaryAttrGetElement(meta, i).name);
      size_t used = strlen(known);
      snprintf(known + used, sizeof known - used, "%s%.*s", used ? ", " : "", (int)other.length,
               other.data);
      tileSuggestionOffer(&suggestion, other.data, other.length);
    }
  }
  tileEmitError(p->loc, "expected the name of a meta-parameter (%s), found '%.*s'%s",
                known[0] ? known : "there are none", (int)name.length, name.data,
                tileSuggestionSay(&suggestion).text);
  return mlirLogicalResultFailure();
}

static MlirLogicalResult checkBinding(TileProgram *p, const char *text) {
  TileFacts facts = {0};
  const char *wrong, *equals = strchr(text, '=');
  size_t length;
  bool ok = tileFactsParse(&facts, text, strlen(text), &wrong, &length) && facts.numBindings == 1 &&
            !facts.numArguments && !facts.singleWave && !facts.programs && !facts.packs;
  tileFactsDestroy(&facts);
  if (!ok) {
    tileEmitError(p->loc, "expected NAME=VALUE with a positive value below 2^31, found '%s'", text);
    return mlirLogicalResultFailure();
  }
  return checkName(p, p->kernels, p->numKernels,
                   mlirStringRefCreate(text, (size_t)(equals - text)));
}

MlirLogicalResult tileProgramCheckConfig(TileProgram *p, MlirStringRef name, const char *config) {
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  TileFacts facts = {0};
  const char *wrong = config;
  size_t length = strlen(config);
  bool ok = kernel && tileFactsParse(&facts, config, strlen(config), &wrong, &length) &&
            !facts.numArguments && !facts.singleWave && !facts.programs && !facts.packs;
  if (!ok)
    tileEmitError(p->loc,
                  "expected a configuration as BM=64,num_warps=4, values from 1 to 2^31 - 1, found "
                  "'%.*s'",
                  (int)length, wrong);
  for (unsigned i = 0; ok && i < facts.numBindings; ++i)
    ok = mlirLogicalResultIsSuccess(checkName(p, kernel, 1, tileString(facts.bindings[i].name)));
  tileFactsDestroy(&facts);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// "STAGE=FILE" where there is one kernel, else "KERNEL/STAGE=FILE".
static MlirLogicalResult checkOverride(TileProgram *p, const char *text) {
  const char *equals = strchr(text, '=');
  const char *slash = equals ? memchr(text, '/', (size_t)(equals - text)) : NULL;
  const char *stage = slash ? slash + 1 : text;
  MlirStringRef kernel = mlirStringRefCreate(text, slash ? (size_t)(slash - text) : 0);
  if (!equals || equals == stage || !equals[1])
    tileEmitError(p->loc, "expected STAGE=FILE or KERNEL/STAGE=FILE to override, found '%s'", text);
  else if (slash && !tileProgramFindKernel(p, kernel))
    tileEmitError(p->loc, "expected the name of a kernel in front of '/', found '%s'", text);
  else if (!slash && p->numKernels > 1)
    tileEmitError(p->loc, "expected KERNEL/STAGE=FILE where there are %zu kernels, found '%s'",
                  p->numKernels, text);
  else
    return mlirLogicalResultSuccess();
  return mlirLogicalResultFailure();
}

TileProgram *tileProgramCreate(MlirModule module, const TileProgramOptions *options) {
  MlirOperation op = mlirModuleGetOperation(module);
  TileProgram *p = tileRuntimeAlloc(sizeof *p);
  p->module = module;
  p->context = mlirModuleGetContext(module);
  p->loc = mlirOperationGetLocation(op);
  p->place = p->loc;
  if (options) p->options = *options;
  tileProgramCreateChecker(p);
  p->console = tileConsoleCreate();
  p->numSites = tileNumberHostOps(op);
  p->sites = tileRuntimeAlloc(((size_t)p->numSites + 1) * sizeof *p->sites);
  p->launches = tileRuntimeAlloc(((size_t)p->numSites + 1) * sizeof *p->launches);
  mlirOperationWalk(op, collectSite, p, MlirWalkPreOrder);
  bool ok = mlirLogicalResultIsSuccess(describeKernels(p));
  for (size_t i = 0; ok && i < p->options.numBind; ++i)
    ok = mlirLogicalResultIsSuccess(checkBinding(p, p->options.bind[i]));
  for (size_t i = 0; ok && i < p->options.numOverrides; ++i)
    ok = mlirLogicalResultIsSuccess(checkOverride(p, p->options.overrides[i]));
  if (ok && p->options.tune) ok = mlirLogicalResultIsSuccess(tileTuneCheck(p));
  if (ok) return p;
  tileProgramDestroy(p);
  return NULL;
}

void tileProgramReset(TileProgram *p) {
  tileProgramForgetArrays(p);
  for (size_t i = 0; i < p->numArrays; ++i) tileArrayDestroy(p->arrays[i]);
  for (size_t i = 0; i < p->numRecords; ++i) {
    free(p->records[i].slots);
    free(p->records[i].arrays);
    free(p->records[i].arguments);
  }
  p->numArrays = 0;
  p->numRecords = 0;
  p->hasMoreRecords = false;
  p->checks = (TileProgramChecks){0};
}

void tileProgramDestroy(TileProgram *p) {
  if (!p) return;
  TileSpecialization *code, *next;
  HASH_ITER(hh, p->code, code, next) {
    HASH_DEL(p->code, code);
    tileSpecializationDestroy(code);
  }
  tileProgramReset(p);
  tileJitDestroy(p->host);
  tileProgramDestroyChecker(p);
  // The default one is the process's.
  if (p->checker) tileExecutorDestroy(p->executor);
  for (int64_t i = 0; i < p->numSites; ++i) {
    tileFactsDestroy(&p->launches[i].facts);
    tileFactsDestroy(&p->launches[i].newFacts);
    free(p->launches[i].placed);
    free(p->launches[i].slots);
    free(p->launches[i].arrays);
    free(p->launches[i].key);
    free(p->launches[i].bound);
    free(p->launches[i].boundConfig);
  }
  tileTuningDestroy(p);
  for (size_t i = 0; i < p->numKernels; ++i) {
    free(p->kernels[i].parameters);
    if (p->kernels[i].calls) free(p->kernels[i].calls->key);
    free(p->kernels[i].calls);
    tileTunedListDestroy(&p->kernels[i].tuned);
    tileProgramForgetPicks(&p->kernels[i]);
    tileWholeDestroy(p->kernels[i].whole);
  }
  if (!p->deviceIsLent) tileDeviceDestroy(p->device);
  tileConsoleDestroy(p->console);
  free(p->arrays);
  free(p->kernels);
  free(p->sites);
  free(p->launches);
  free(p->cpuReason);
  free(p->cpuTarget);
  free(p->gpuTarget);
  tileFactsDestroy(&p->facts);
  free(p->config);
  free(p);
}

//===- where it runs ------------------------------------------------------===//

/// Settles what to compile for.
static bool fitDevice(TileProgram *p, TileError *error) {
  const TileDeviceInfo *info = tileDeviceGetInfo(p->device);
  const TileMachine *arch = p->options.arch;
  p->arch = arch ? arch : tileMachineForDevice(info->major, info->minor);
  if (!p->arch)
    return tileErrorSet(error,
                        "expected a GPU of compute capability 8.0 or later, found %s with %d.%d",
                        info->name, info->major, info->minor);
  if (!tileMachineRunsOn(p->arch, info->major, info->minor))
    return tileErrorSet(error,
                        "expected a GPU of compute capability %d.%d%s for %s, found %s with %d.%d",
                        p->arch->major, p->arch->minor, p->arch->exact ? "" : " or later",
                        p->arch->name, info->name, info->major, info->minor);
  snprintf(p->deviceName, sizeof p->deviceName, "%s", info->name);
  return true;
}

/// Opens the first device.
static bool openDevice(TileProgram *p, TileError *error) {
  TileDriver *driver = tileDriverOpen(error);
  if (!driver) return false;
  p->device = tileDeviceCreate(driver, 0, error);
  return p->device && fitDevice(p, error);
}

MlirLogicalResult tileProgramOpenOn(TileProgram *p, TileDevice *device) {
  TileError error = TILE_ERROR_INIT;
  p->device = device;
  p->deviceIsLent = true;
  p->opened = fitDevice(p, &error);
  return p->opened ? mlirLogicalResultSuccess() : tileProgramReport(p->loc, &error);
}

MlirLogicalResult tileProgramOpen(TileProgram *p, const char **reason) {
  if (reason) *reason = NULL;
  TileError error = TILE_ERROR_INIT;
  bool cpu = p->options.target == TILE_PROGRAM_CPU || p->checker;
  if (!p->opened && !cpu && !openDevice(p, &error)) {
    // A device that is there and does not fit what was asked for is no reason to run elsewhere.
    if (p->options.target == TILE_PROGRAM_GPU || p->device)
      return tileProgramReport(p->loc, &error);
    p->cpuReason = error.message;
    error.message = NULL;
    if (p->options.onCpu) p->options.onCpu(p->cpuReason);
  }
  if (!p->opened && !p->device) {
    // A checked run has one order.
    const TileExecutorOptions alone = {.threads = 1};
    p->executor = p->checker ? tileExecutorCreate(&alone, &error) : tileExecutorGetDefault(&error);
    if (!p->executor) return tileProgramReport(p->loc, &error);
    unsigned threads = tileExecutorGetThreads(p->executor);
    snprintf(p->deviceName, sizeof p->deviceName, "cpu (%u thread%s)", threads,
             threads == 1 ? "" : "s");
  }
  p->opened = true;
  if (reason) *reason = p->cpuReason;
  return mlirLogicalResultSuccess();
}

const char *tileProgramGetDeviceName(const TileProgram *p) { return p->deviceName; }

MlirOperation tileProgramGetMain(const TileProgram *p) {
  return tileProgramFindFunction(p, "main");
}

TileDevice *tileProgramGetDevice(const TileProgram *p) { return p->device; }

bool tileProgramRanOutOfMemory(const TileProgram *p) { return p->outOfMemory; }

TileProgramChecks tileProgramGetChecks(const TileProgram *p) { return p->checks; }

MlirLogicalResult tileProgramRun(TileProgram *p, const char *const *arguments, size_t count) {
  uint64_t *slots;
  p->failed = true;
  TILE_TRY(tileProgramParseArguments(p, arguments, count, &slots));
  MlirLogicalResult result = tileProgramRunHost(p, slots, false);
  free(slots);
  TILE_TRY(result);
  p->failed = false;
  // A program without launches has not needed it so far.
  return tileProgramOpen(p, NULL);
}
