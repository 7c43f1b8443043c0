//===- ProgramHost.c - what compiled host programs call -------------------===//
//
// The functions of tile/HostToLLVM.h for the program that this thread runs. One that fails reports
// and goes back to tileProgramRunHost by longjmp: between here and there is only compiled code,
// which has nothing to clean up.
//
//===----------------------------------------------------------------------===//
#include "ProgramImpl.h"
#include "Ranges.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local TileProgram *current;

static _Noreturn void escape(void) { longjmp(current->escape, 1); }

static _Noreturn void fail(TileError *error) {
  current->outOfMemory = error->outOfMemory;
  tileProgramReport(current->place, error);
  escape();
}

/// The op of a call, which becomes the place that errors name.
static MlirOperation enter(int64_t site) {
  MlirOperation op = current->sites[site];
  current->place = mlirOperationGetLocation(op);
  return op;
}

static void *pointerOf(int64_t address) { return (void *)(intptr_t)address; }

//===- arrays -------------------------------------------------------------===//

static int64_t keep(TileArray *array) {
  TileProgram *p = current;
  if (p->numArrays == p->capacityArrays) {
    p->capacityArrays = p->capacityArrays ? 2 * p->capacityArrays : 16;
    TileArray **grown = tileRuntimeAlloc(p->capacityArrays * sizeof *grown);
    if (p->numArrays) memcpy(grown, p->arrays, p->numArrays * sizeof *grown);
    free(p->arrays);
    p->arrays = grown;
  }
  p->arrays[p->numArrays++] = array;
  return (int64_t)(intptr_t)array->host;
}

static MlirType typeOfResult(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static TileElementType elementOf(MlirType memref) {
  TileElementType type = TILE_ELEMENT_I8;
  tileProgramGetElementType(mlirShapedTypeGetElementType(memref), &type);
  return type;
}

static TileArray *makeArray(int64_t site, int64_t extents) {
  MlirType type = typeOfResult(enter(site));
  TileError error = TILE_ERROR_INIT;
  unsigned rank = (unsigned)mlirShapedTypeGetRank(type);
  TileArray *array = tileArrayCreate(elementOf(type), rank, pointerOf(extents), &error);
  if (!array) fail(&error);
  return array;
}

static int64_t hostAlloc(int64_t site, int64_t extents) { return keep(makeArray(site, extents)); }

static int64_t hostRandom(int64_t site, int64_t extents) {
  TileArray *array = makeArray(site, extents);
  if (!current->wanted)
    tileArrayFillRandom(array, (uint64_t)tileRandomGetSeed(current->sites[site]));
  tileProgramMarkWritten(current, array);
  return keep(array);
}

static void printShape(char *text, size_t size, unsigned rank, const int64_t *shape) {
  size_t used = 0;
  text[0] = 0;
  for (unsigned i = 0; i < rank && used + 24 < size; ++i)
    used += (size_t)(shape[i] < 0 ? snprintf(text + used, size - used, i ? " x ?" : "?")
                                  : snprintf(text + used, size - used, i ? " x %lld" : "%lld",
                                             (long long)shape[i]));
}

/// Fails unless `array`, just read, has the rank and the fixed extents of `type`.
static void expectShape(const TileArray *array, MlirType type, const char *path) {
  unsigned rank = (unsigned)mlirShapedTypeGetRank(type);
  int64_t wanted[TILE_ARRAY_MAX_RANK];
  bool same = rank == array->rank;
  for (unsigned i = 0; i < rank && i < TILE_ARRAY_MAX_RANK; ++i) {
    wanted[i] = mlirShapedTypeIsDynamicDim(type, i) ? -1 : mlirShapedTypeGetDimSize(type, i);
    if (same && wanted[i] >= 0) same = wanted[i] == array->shape[i];
  }
  if (same) return;
  char expected[256], found[256];
  printShape(expected, sizeof expected, rank, wanted);
  printShape(found, sizeof found, array->rank, array->shape);
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error, "expected an array of rank %u (%s) in '%s', found rank %u (%s)", rank,
               expected, path, array->rank, found);
  fail(&error);
}

/// The path of a read or write; the caller frees it.
static char *copyPath(MlirStringRef path) {
  char *copy = tileRuntimeAlloc(path.length + 1);
  memcpy(copy, path.data, path.length);
  return copy;
}

static int64_t hostRead(int64_t site, int64_t extents) {
  MlirOperation op = enter(site);
  MlirType type = typeOfResult(op);
  TileElementType element = elementOf(type);
  char *path = copyPath(tileReadGetPath(op));
  TileError error = TILE_ERROR_INIT;
  TileArray *array = tilePnmIsPath(path) ? tilePnmRead(path, element, &error)
                                         : tileNpyRead(path, &element, &error);
  if (array) {
    int64_t address = keep(array);
    expectShape(array, type, path);
    tileProgramMarkWritten(current, array);
    memcpy(pointerOf(extents), array->shape, array->rank * sizeof *array->shape);
    free(path);
    return address;
  }
  free(path);
  fail(&error);
}

/// The array at `data`, as one of `extents`: all of it, or contiguous rows of it.
static TileArray viewArray(int64_t data, MlirType type, int64_t extents) {
  TileError error = TILE_ERROR_INIT;
  TileArray *array = tileArrayFind(pointerOf(data));
  if (!array) {
    tileErrorSet(&error, "expected an array of tile.alloc, tile.random or tile.read, found other "
                         "memory");
    fail(&error);
  }
  if (!tileArrayToHost(array, &error)) fail(&error);
  TileArray view = *array;
  view.rank = (unsigned)mlirShapedTypeGetRank(type);
  view.host = pointerOf(data);
  view.count = 1;
  for (unsigned i = view.rank; i-- > 0;) {
    view.shape[i] = ((const int64_t *)pointerOf(extents))[i];
    view.strides[i] = view.count;
    view.count *= view.shape[i];
  }
  view.bytes = (size_t)view.count * tileElementGetSize(view.type);
  view.hostValid = true;
  return view;
}

static void hostWrite(int64_t site, int64_t data, int64_t extents) {
  MlirOperation op = enter(site);
  if (current->wanted) return;
  TileArray view = viewArray(data, mlirValueGetType(tileWriteGetArray(op)), extents);
  char *path = copyPath(tileWriteGetPath(op));
  TileError error = TILE_ERROR_INIT;
  tileProgramCheckHostRead(current, site, 0, &view);
  bool written =
      tilePnmIsPath(path) ? tilePnmWrite(path, &view, &error) : tileNpyWrite(path, &view, &error);
  free(path);
  if (!written) fail(&error);
}

static void hostDump(int64_t site, int64_t data, int64_t extents) {
  MlirOperation op = enter(site);
  if (current->wanted) return;
  TileArray view = viewArray(data, mlirValueGetType(tileDumpGetArray(op)), extents);
  tileProgramCheckHostRead(current, site, 0, &view);
  TileError error = TILE_ERROR_INIT;
  if (!tileArrayPrint(stdout, &view, 0, &error)) fail(&error);
}

static void hostExpectClose(int64_t site, int64_t got, int64_t gotExtents, int64_t want,
                            int64_t wantExtents) {
  MlirOperation op = enter(site);
  if (current->wanted) return;
  TileArray gotView = viewArray(got, mlirValueGetType(tileExpectCloseGetGot(op)), gotExtents);
  TileArray wantView = viewArray(want, mlirValueGetType(tileExpectCloseGetWant(op)), wantExtents);
  tileProgramCheckHostRead(current, site, 0, &gotView);
  tileProgramCheckHostRead(current, site, 1, &wantView);
  TileComparison found;
  TileError error = TILE_ERROR_INIT;
  if (!tileArrayCompare(&gotView, &wantView, tileExpectCloseGetAtol(op), tileExpectCloseGetRtol(op),
                        &found, &error) ||
      !tileComparisonCheck(&found, &error))
    fail(&error);
  TileProgramChecks *checks = &current->checks;
  ++checks->count;
  if (found.maxAbsError > checks->maxAbsError) checks->maxAbsError = found.maxAbsError;
  if (found.frobeniusError > checks->frobeniusError) checks->frobeniusError = found.frobeniusError;
}

static void hostTouch(int64_t data, int32_t writes) {
  TileArray *array = tileArrayFind(pointerOf(data));
  if (!array) return;
  TileError error = TILE_ERROR_INIT;
  if (!tileArrayToHost(array, &error)) fail(&error);
  if (!writes) return;
  tileArrayMarkHostWritten(array);
  tileProgramMarkWritten(current, array);
}

//===- launches -----------------------------------------------------------===//

bool tileProgramFindArrays(const TileProgramKernel *kernel, const uint64_t *slots,
                           TileArray **arrays, TileError *error) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (!kernel->parameters[i].isPointer) continue;
    arrays[i] = tileArrayFind(pointerOf((int64_t)slots[i]));
    if (arrays[i]) continue;
    return tileErrorSet(error,
                        "expected an array of tile.alloc, tile.random or tile.read for argument "
                        "%u, found other memory",
                        i);
  }
  return true;
}

bool tileProgramPlaceArguments(TileProgram *p, const TileProgramKernel *kernel,
                               TileArray *const *arrays, uint64_t *slots, TileError *error) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    TileArray *array = arrays[i];
    if (!array) continue;
    if (!p->device) {
      if (!tileArrayToHost(array, error)) return false;
      continue;
    }
    if (!tileArrayToDevice(array, p->device, error)) return false;
    slots[i] += array->devicePtr - (uintptr_t)array->host;
  }
  return true;
}

void tileProgramMarkArguments(TileProgram *p, const TileProgramKernel *kernel,
                              TileArray *const *arrays) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (!arrays[i] || (i < 64 && !(kernel->written >> i & 1))) continue;
    if (p->device)
      tileArrayMarkDeviceWritten(arrays[i]);
    else
      tileArrayMarkHostWritten(arrays[i]);
  }
}

/// The integers and floats among the arguments, as "512, 1, 0.5".
static char *describeArguments(const TileProgramKernel *kernel, const uint64_t *slots) {
  size_t size = 32 * (size_t)kernel->count + 1, used = 0;
  char *text = tileRuntimeAlloc(size);
  for (unsigned i = 0; i < kernel->count; ++i) {
    const TileParameter *parameter = &kernel->parameters[i];
    if (parameter->isPointer) continue;
    const char *separator = used ? ", " : "";
    int length = tileElementIsInteger(parameter->type)
                     ? snprintf(text + used, size - used, "%s%lld", separator,
                                (long long)tileElementToInteger(parameter->type, &slots[i]))
                     : snprintf(text + used, size - used, "%s%g", separator,
                                tileElementToDouble(parameter->type, &slots[i]));
    used += (size_t)length;
  }
  return text;
}

static bool isRecord(const TileProgramRecord *r, const TileSpecialization *code,
                     const uint64_t *placed, const int32_t grid[3], size_t size) {
  return r->code == code && !memcmp(r->grid, grid, sizeof r->grid) &&
         !memcmp(r->slots, placed, size);
}

/// Remembers a launch for timing, once for equal ones: as a rule, it is equal to the site's last.
static void record(TileProgram *p, TileLaunchSite *here, const int32_t grid[3], int64_t operations,
                   int64_t bytes) {
  TileSpecialization *code = here->code;
  const uint64_t *slots = here->slots, *placed = here->placed;
  size_t size = (code->kernel->count + 1) * sizeof *slots;
  if (here->record >= p->numRecords ||
      !isRecord(&p->records[here->record], code, placed, grid, size))
    for (here->record = 0; here->record < p->numRecords; ++here->record)
      if (isRecord(&p->records[here->record], code, placed, grid, size)) break;
  if (here->record < p->numRecords) {
    ++p->records[here->record].times;
    return;
  }
  if (p->numRecords == TILE_PROGRAM_MAX_RECORDS) return;
  TileProgramRecord *r = &p->records[p->numRecords++];
  *r = (TileProgramRecord){.code = code,
                           .slots = tileRuntimeAlloc(size),
                           .arrays = tileRuntimeAlloc(size),
                           .arguments = describeArguments(code->kernel, slots),
                           .grid = {grid[0], grid[1], grid[2]},
                           .operations = operations,
                           .bytes = bytes,
                           .times = 1,
                           .loc = p->place};
  memcpy(r->slots, placed, size);
  memcpy(r->arrays, here->arrays, code->kernel->count * sizeof *r->arrays);
}

static TileLaunchSite *findLaunchSite(TileProgram *p, int64_t site, MlirOperation op) {
  TileLaunchSite *here = &p->launches[site];
  if (here->kernel) return here;
  here->kernel = tileProgramFindKernel(p, tileLaunchGetKernel(op));
  size_t count = here->kernel->count + (size_t)1;
  here->facts = tileRuntimeAlloc(count);
  here->newFacts = tileRuntimeAlloc(count);
  here->placed = tileRuntimeAlloc(count * sizeof *here->placed);
  here->slots = tileRuntimeAlloc(count * sizeof *here->slots);
  here->arrays = tileRuntimeAlloc(count * sizeof *here->arrays);
  here->key = tileRuntimeAlloc(count * sizeof *here->key);
  here->config = "";
  snprintf(here->name, sizeof here->name, "%.*s", (int)here->kernel->name.length,
           here->kernel->name.data);
  return here;
}

/// The code for a launch with `slots`: that of the last one, as a rule. Does not return where it
/// does not compile.
static TileSpecialization *findCode(TileProgram *p, TileLaunchSite *here, const uint64_t *slots) {
  TileProgramKernel *kernel = here->kernel;
  tileProgramFindFacts(kernel, slots, here->newFacts);
  bool same = here->code && here->config == here->codeConfig;
  if (same && !memcmp(here->facts, here->newFacts, kernel->count)) return here->code;
  here->code = tileProgramGetCode(p, kernel, here->newFacts, here->config);
  if (!here->code) {
    tileEmitError(p->place, "expected kernel '%.*s' to compile for this launch, found errors",
                  (int)kernel->name.length, kernel->name.data);
    escape();
  }
  memcpy(here->facts, here->newFacts, kernel->count);
  here->codeConfig = here->config;
  return here->code;
}

/// Finds the code and the arrays for a launch. Those of the site's last launch are right where its
/// arguments, the configuration and the arrays that exist are the same.
static TileSpecialization *settleLaunch(TileProgram *p, TileLaunchSite *here,
                                        const uint64_t *slots) {
  size_t size = here->kernel->count * sizeof *slots;
  uint64_t generation = tileArrayGetGeneration();
  if (here->code && here->generation == generation && here->config == here->codeConfig &&
      !memcmp(here->slots, slots, size))
    return here->code;
  TileError error = TILE_ERROR_INIT;
  here->generation = 0;
  TileSpecialization *code = findCode(p, here, slots);
  if (!tileProgramFindArrays(here->kernel, slots, here->arrays, &error)) fail(&error);
  memcpy(here->slots, slots, size);
  here->generation = generation;
  return code;
}

static int32_t hostConfigure(int64_t site, int64_t slotsAddress) {
  TileProgram *p = current;
  MlirOperation op = enter(site);
  TileLaunchSite *here = findLaunchSite(p, site, op);
  const uint64_t *slots = pointerOf(slotsAddress);
  if (p->options.tune && !p->wanted) {
    int choice = tileTuningChoose(p, here, slots);
    if (choice < 0) escape();
    return choice;
  }
  here->again = !here->again;
  if (here->again) here->config = tileProgramChooseConfig(p, here, slots);
  return here->again;
}

static int64_t hostMeta(int64_t site, int64_t number) {
  return tileProgramGetMeta(&current->launches[site], number);
}

static void hostCheckDivision(int64_t site, int64_t dividend, int64_t divisor, int64_t width) {
  bool least = width && dividend == INT64_MIN >> (64 - width);
  if (divisor && !(least && divisor == -1)) return;
  MlirStringRef kernel = tileLaunchGetKernel(enter(site));
  TileError error = TILE_ERROR_INIT;
  tileErrorSet(&error,
               "expected divisors other than %s in the tile.grid and tile.cost of '%.*s', found "
               "%lld / %lld",
               divisor ? "-1 for the least number" : "0", (int)kernel.length, kernel.data,
               (long long)dividend, (long long)divisor);
  fail(&error);
}

static void hostLaunch(int64_t site, int64_t slotsAddress, int32_t x, int32_t y, int32_t z,
                       int64_t operations, int64_t bytes) {
  TileProgram *p = current;
  MlirOperation op = enter(site);
  TileLaunchSite *here = findLaunchSite(p, site, op);
  TileProgramKernel *kernel = here->kernel;
  const uint64_t *slots = pointerOf(slotsAddress);
  TileError error = TILE_ERROR_INIT;
  if (x < 0 || y < 0 || z < 0) {
    tileErrorSet(&error, "expected a grid with no extent below 0, found %d x %d x %d", x, y, z);
    fail(&error);
  }
  if (p->wanted && kernel != p->wanted) return;
  if (p->wanted) {
    p->facts = tileRuntimeAlloc(kernel->count + 1);
    tileProgramFindFacts(kernel, slots, p->facts);
    p->config = here->config;
    escape();
  }
  const int32_t grid[3] = {x, y, z};
  if (p->tuning && tileTuningTry(p, here, slots, grid)) return;
  if (!x || !y || !z) return;
  TileSpecialization *code = settleLaunch(p, here, slots);
  memcpy(here->placed, slots, kernel->count * sizeof *slots);
  if (!tileProgramPlaceArguments(p, kernel, here->arrays, here->placed, &error)) fail(&error);
  if (code->sites)
    here->placed[kernel->count] = tileProgramBeginCheckedLaunch(p, code->sites, here->placed, grid);
  tileRangeBegin(here->name);
  bool launched = tileProgramLaunchCode(p, code, here->placed, grid, &error);
  tileRangeEnd();
  if (!launched) fail(&error);
  tileProgramMarkArguments(p, kernel, here->arrays);
  record(p, here, grid, operations, bytes);
  if (code->speaks && mlirLogicalResultIsFailure(tileProgramFlush(p, code, grid))) escape();
}

//===- running ------------------------------------------------------------===//

/// A double as the 16 bits of a bf16, in the low half of the register that a float travels in: what
/// compiled code expects of this name, and libgcc 12 lacks.
static float truncateDoubleToBf16(double value) {
  uint32_t bits = tileElementEncodeSmallFloat(TILE_ELEMENT_BF16, value);
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}
static float truncateFloatToBf16(float value) { return truncateDoubleToBf16((double)value); }

#define SYMBOL(name, function) {name, (void (*)(void))(function)}

static const TileJitSymbol symbols[] = {
    SYMBOL("tileHostAlloc", hostAlloc),
    SYMBOL("tileHostRandom", hostRandom),
    SYMBOL("tileHostRead", hostRead),
    SYMBOL("tileHostWrite", hostWrite),
    SYMBOL("tileHostDump", hostDump),
    SYMBOL("tileHostExpectClose", hostExpectClose),
    SYMBOL("tileHostLaunch", hostLaunch),
    SYMBOL("tileHostCheckDivision", hostCheckDivision),
    SYMBOL("tileHostConfigure", hostConfigure),
    SYMBOL("tileHostMeta", hostMeta),
    SYMBOL("tileHostTouch", hostTouch),
    SYMBOL("__truncdfbf2", truncateDoubleToBf16),
    SYMBOL("__truncsfbf2", truncateFloatToBf16),
};

static void ignoreText(MlirStringRef text, void *data) {
  (void)text;
  (void)data;
}

static MlirLogicalResult addHostPasses(TileProgram *p, MlirOpPassManager pm) {
  char pipeline[4096] = "tile-instantiate,inline,convert-tile-host{bind=";
  size_t used = strlen(pipeline);
  for (size_t i = 0; i < p->options.numBind && used < sizeof pipeline; ++i)
    used += (size_t)snprintf(pipeline + used, sizeof pipeline - used, i ? ",%s" : "%s",
                             p->options.bind[i]);
  if (!p->options.numBind)
    snprintf(pipeline, sizeof pipeline, "tile-instantiate,inline,convert-tile-host%s",
             p->configures ? "{configure=true}" : "");
  else if (used < sizeof pipeline - 1)
    snprintf(pipeline + used, sizeof pipeline - used, "%s}",
             p->configures ? " configure=true" : "");
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(pm, tileString(pipeline), ignoreText, NULL);
  if (mlirLogicalResultIsSuccess(result)) return tileBuildHostToLLVM(pm);
  tileEmitError(p->loc, "expected passes that are registered, found '%s'", pipeline);
  return result;
}

static MlirLogicalResult generateHost(MlirModule module, MlirPassManager passes,
                                      TileHostPasses effort, TileBlob *object) {
  MlirOperation op = mlirModuleGetOperation(module);
  TILE_TRY(mlirPassManagerRunOnOp(passes, op));
  if (!mlirOperationVerify(op)) return mlirLogicalResultFailure();
  return tileTargetEmitHost(module, TILE_HOST_OBJECT, effort, object);
}

/// The host program as machine code; NULL after a diagnostic.
static TileJit *compileHost(TileProgram *p, TileHostPasses effort) {
  p->configures = p->options.tune || tileProgramMayBeTuned(p);
  MlirModule module =
      mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(p->module)));
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

MlirLogicalResult tileProgramPrepare(TileProgram *p) {
  if (p->host || mlirOperationIsNull(tileProgramGetMain(p))) return mlirLogicalResultSuccess();
  p->host = compileHost(p, TILE_HOST_OPTIMIZE);
  return p->host ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// Calls @main. Apart from the function that compiles, so that no value lives across the jump.
static bool callMain(TileProgram *p, int32_t (*entry)(int64_t), const uint64_t *slots,
                     int32_t *status) {
  if (setjmp(p->escape)) return false;
  *status = entry((int64_t)(intptr_t)slots);
  return true;
}

MlirLogicalResult tileProgramRunHost(TileProgram *p, const uint64_t *slots, bool light) {
  p->outOfMemory = false;
  TileJit *jit = p->host;
  for (int64_t i = 0; i < p->numSites; ++i) p->launches[i].again = p->launches[i].chosen = false;
  tileProgramLoadTuned(p);
  if (!jit) jit = compileHost(p, light ? TILE_HOST_EXPLICIT_VECTORS : TILE_HOST_OPTIMIZE);
  // Runs to come, of other sizes, use it again.
  if (!light) p->host = jit;
  if (!jit) return mlirLogicalResultFailure();
  int32_t (*entry)(int64_t) = (int32_t (*)(int64_t))tileJitLookup(jit, "tileHostMain");
  TileProgram *outer = current;
  current = p;
  int32_t status = 0;
  bool returned = entry && callMain(p, entry, slots, &status);
  current = outer;
  if (jit != p->host) tileJitDestroy(jit);
  // A run that only looks for facts ends where it finds them.
  if (p->wanted && p->facts) return mlirLogicalResultSuccess();
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
