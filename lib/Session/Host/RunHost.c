//===- RunHost.c - host programs: compiled, and run -----------------------===//
#include "HostImpl.h"
#include "tile/Support/Process.h"
#include "tile/Text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local TileProgram *current;

TileProgram *hostProgram(void) { return current; }

_Noreturn void hostEscape(void) { longjmp(current->escape, 1); }

_Noreturn void hostFail(TileError *error) {
  current->outOfMemory = error->outOfMemory;
  tileProgramReport(current->place, error);
  hostEscape();
}

void hostOpen(void) {
  if (mlirLogicalResultIsFailure(tileProgramOpen(current, NULL))) hostEscape();
}

MlirOperation hostEnter(int64_t site) {
  MlirOperation op = current->sites[site];
  current->place = mlirOperationGetLocation(op);
  return op;
}

/// A double as the 16 bits of a bf16, in the low half of the register that a float travels in: what
/// compiled code expects of this name, and libgcc 12 lacks.
static float truncateDoubleToBf16(double value) {
  uint32_t bits = tileElementEncodeSmallFloat(TILE_ELEMENT_BF16, value);
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}
static float truncateFloatToBf16(float value) { return truncateDoubleToBf16((double)value); }

//===- asserts of host code -----------------------------------------------===//
//
// cf.assert becomes puts() and abort(); so do the tests of memref, tensor and linalg that
// generate-runtime-verification makes for --check, whose text says where they stand:
//
//   ERROR: Runtime op verification failed\n<the op>\n^ out-of-bounds access\nLocation: loc(..)

static int hostPuts(const char *text) {
  static const char failed[] = "ERROR: Runtime op verification failed\n";
  if (strncmp(text, failed, sizeof failed - 1) != 0) return puts(text);
  const char *reason = strstr(text, "\n^ "), *place = strstr(text, "\nLocation: ");
  MlirLocation loc = current->place;
  MlirAttribute parsed = {NULL};
  if (place) parsed = tileParseAttr(current->context, place + strlen("\nLocation: "));
  if (!mlirAttributeIsNull(parsed)) loc = mlirLocationFromAttribute(parsed);
  size_t length = reason ? strcspn(reason + 3, "\n") : 0;
  tileEmitError(loc, "expected host code to keep to its arrays, found: %.*s", (int)length,
                reason ? reason + 3 : "");
  current->place = loc;
  current->failedCheck = true;
  return 0;
}

static void hostAbort(void) {
  if (!current->failedCheck)
    tileEmitError(current->place, "expected the host program to end, found it aborted");
  hostEscape();
}

#define SYMBOL(name, function) {name, (void (*)(void))(function)}

static const TileJitSymbol symbols[] = {
    SYMBOL("puts", hostPuts),
    SYMBOL("abort", hostAbort),
    SYMBOL("tileHostAlloc", hostAlloc),
    SYMBOL("tileHostRandom", hostRandom),
    SYMBOL("tileHostRead", hostRead),
    SYMBOL("tileHostWrite", hostWrite),
    SYMBOL("tileHostDump", hostDump),
    SYMBOL("tileHostExpectClose", hostExpectClose),
    SYMBOL("tileHostLaunch", hostLaunch),
    SYMBOL("tileHostCheckDivision", hostCheckDivision),
    SYMBOL("tileHostMultiprocessors", hostMultiprocessors),
    SYMBOL("tileHostBind", hostBind),
    SYMBOL("tileHostConfigure", hostConfigure),
    SYMBOL("tileHostMeta", hostMeta),
    SYMBOL("tileHostTouch", hostTouch),
    SYMBOL("__truncdfbf2", truncateDoubleToBf16),
    SYMBOL("__truncsfbf2", truncateFloatToBf16),
};

static MlirLogicalResult addHostPasses(TileProgram *p, MlirOpPassManager pm) {
  TileText passes = {0};
  tileTextAdd(&passes, "tile-instantiate,inline,");
  // Bounds, ranks and strides of memref, tensor and linalg, tested as the program runs.
  if (p->options.check) tileTextAdd(&passes, "generate-runtime-verification,");
  tileTextAdd(&passes, "convert-tile-host{configure=");
  tileTextAdd(&passes, p->configures ? "true" : "false");
  for (size_t i = 0; i < p->options.numBind; ++i) {
    tileTextAdd(&passes, i ? "," : " bind=");
    tileTextAdd(&passes, p->options.bind[i]);
  }
  tileTextAdd(&passes, "}");
  MlirLogicalResult result = tileProgramAddPasses(p, pm, passes.data);
  free(passes.data);
  TILE_TRY(result);
  return tileBuildHostToLLVM(pm);
}

static MlirLogicalResult generateHost(MlirModule module, MlirPassManager passes,
                                      TileHostPasses effort, TileBlob *object) {
  MlirOperation op = mlirModuleGetOperation(module);
  TILE_TRY(mlirPassManagerRunOnOp(passes, op));
  if (!mlirOperationVerify(op)) return mlirLogicalResultFailure();
  return tileTargetEmitHost(module, TILE_HOST_OBJECT, effort, object);
}

typedef struct {
  MlirStringRef kernel;
  bool mayCall; ///< a function that launches it
  bool found;
} LaunchSearch;

static MlirWalkResult findLaunch(MlirOperation op, void *context) {
  LaunchSearch *search = context;
  bool calls = tileOpIs(op, "func.call") || tileOpIs(op, "func.call_indirect");
  search->found |= search->mayCall && calls;
  search->found |=
      tileOpIsALaunch(op) && mlirStringRefEqual(tileLaunchGetKernel(op), search->kernel);
  return search->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool mayLaunch(MlirOperation op, LaunchSearch search) {
  mlirOperationWalk(op, findLaunch, &search, MlirWalkPreOrder);
  return search.found;
}

/// Ends `body` behind `last`; it returns zeros.
static void endBehind(MlirBlock body, MlirOperation last) {
  MlirOperation end = mlirBlockGetTerminator(body);
  MlirBlock behind = mlirBlockCreate(0, NULL, NULL);
  TileBuilder there = tileBuilderAtEnd(behind, mlirOperationGetLocation(end));
  tileMoveOps(&there, tileNextOrNull(last), end, NULL);
  TileBuilder b = tileBuilderBefore(end);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    MlirValue zero = tileBuildZero(&b, mlirValueGetType(tileOperand(end, i)));
    mlirOperationSetOperand(end, i, zero);
  }
  mlirBlockDestroy(behind);
}

/// A run that looks for the facts of a launch ends at it. So what @main does behind the last op
/// that may launch the kernel, which often is to compare results, need not be compiled, nor what it
/// alone calls, nor what results would have been compared with.
static void leaveOutWhatFollows(MlirModule module, MlirStringRef kernel) {
  MlirBlock body = {NULL};
  LaunchSearch search = {.kernel = kernel};
  MlirAttribute hidden = tileStringAttr(mlirModuleGetContext(module), "private");
  TILE_FOR_EACH_OP(function, mlirModuleGetBody(module)) {
    if (!tileOpIs(function, "func.func") || mlirBlockIsNull(tileBody(function, 0))) continue;
    if (tileStringIs(mlirStringAttrGetValue(tileAttr(function, "sym_name")), "main")) {
      body = tileBody(function, 0);
    } else {
      search.mayCall |= mayLaunch(function, search);
      mlirOperationSetAttributeByName(function, tileString("sym_visibility"), hidden);
    }
  }
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body))) return;
  MlirOperation last = {NULL};
  TILE_FOR_EACH_OP(op, body) if (mayLaunch(op, search)) last = op;
  if (mlirOperationIsNull(last)) return;
  endBehind(body, last);
  hostLeaveOutUnread(mlirBlockGetParentOperation(body));
}

/// The host program as machine code; NULL after a diagnostic.
static TileJit *compileHost(TileProgram *p, TileHostPasses effort) {
  p->mayBeTuned = p->options.tune || tileProgramMayBeTuned(p);
  p->configures = p->mayBeTuned || tileProgramMayChoose(p);
  MlirModule module =
      mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(p->module)));
  if (p->wanted) leaveOutWhatFollows(module, p->wanted->name);
  MlirPassManager passes = mlirPassManagerCreate(p->context);
  tileProgramVerifyOnce(passes);
  TileCode code = {.kind = TILE_CACHE_OBJECT, .effort = effort};
  code.launch = mlirDictionaryAttrGet(p->context, 0, NULL);
  MlirLogicalResult result = addHostPasses(p, mlirPassManagerGetAsOpPassManager(passes));
  if (mlirLogicalResultIsSuccess(result) && !tileProgramFindCode(p, module, passes, &code)) {
    result = generateHost(module, passes, effort, &code.binary);
    if (mlirLogicalResultIsSuccess(result)) tileProgramKeepCode(p, &code);
  }
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
  TileJit *jit = NULL;
  if (mlirLogicalResultIsSuccess(result))
    jit = tileJitCreate(p->loc, &code.binary, "tileHostMain", symbols,
                        sizeof symbols / sizeof *symbols);
  tileBlobDestroy(&code.binary);
  return jit;
}

/// Calls @main. Apart from the function that compiles, so that no value lives across the jump.
static bool callMain(TileProgram *p, int32_t (*entry)(int64_t), const uint64_t *slots,
                     int32_t *status) {
  if (setjmp(p->escape)) return false;
  *status = entry((int64_t)(intptr_t)slots);
  return true;
}

MlirLogicalResult tileProgramRunHost(TileProgram *p, const uint64_t *slots, bool light) {
  p->outOfMemory = p->failedCheck = false;
  p->place = mlirOperationGetLocation(tileProgramFindFunction(p, "main"));
  TileJit *jit = p->host;
  for (int64_t i = 0; i < p->numSites; ++i) p->launches[i].again = p->launches[i].chosen = false;
  if (!jit) jit = compileHost(p, light ? TILE_HOST_EXPLICIT_VECTORS : TILE_HOST_OPTIMIZE);
  // Runs to come, of other sizes, use it again.
  if (!light) p->host = jit;
  if (!jit) return mlirLogicalResultFailure();
  if (p->mayBeTuned) {
    // What tuning found is of one device; a run for the facts of a launch goes by what there is.
    if (!p->wanted) TILE_TRY(tileProgramOpen(p, NULL));
    tileProgramLoadTuned(p);
  }
  int32_t (*entry)(int64_t) = (int32_t (*)(int64_t))tileJitLookup(jit, "tileHostMain");
  TileProgram *outer = current;
  current = p;
  int32_t status = 0;
  const char *advice = p->options.check ? NULL : "--check tests what kernels access";
  tileProcessEnter("the program", advice);
  bool returned = entry && callMain(p, entry, slots, &status);
  // What kernels wrote beside their arrays may be found when memory is next asked for or freed.
  tileProcessEnter(advice ? "what follows the program" : NULL, advice);
  current = outer;
  if (jit != p->host) tileJitDestroy(jit);
  // A run that only looks for facts ends where it finds them.
  if (p->wanted && p->observed) return mlirLogicalResultSuccess();
  if (!returned) return mlirLogicalResultFailure();
  TileError error = TILE_ERROR_INIT;
  // A kernel's late failure is the last launch's, as far as anyone can tell.
  if (p->device && !tileDeviceSynchronize(p->device, &error))
    return tileProgramReport(p->place, &error);
  if (!status) return mlirLogicalResultSuccess();
  tileEmitError(mlirOperationGetLocation(tileProgramFindFunction(p, "main")),
                "expected @main to return 0, found %d", status);
  return mlirLogicalResultFailure();
}
