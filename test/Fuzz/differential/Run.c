//===- Run.c - compiling and launching a kernel's text --------------------===//
//
// All arrays of a kernel lie in one block of memory, each between two margins that nothing may
// touch; the block goes to the device and back as one.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "Floats.h"
#include "mlir-c/Diagnostics.h"
#include "tile/Facts.h"
#include "tile/Runtime/FactCode.h"
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MARGIN = 256, UNTOUCHED = 0xA5, MAX_KERNELS_OF_CONTEXT = 32 };

struct Runner {
  MlirDialectRegistry registry;
  MlirContext context;
  int kernels; ///< that the context has seen
  TileDevice *device;
  char message[1024];
};

typedef struct {
  unsigned char *bytes;
  size_t size, at[MAX_PARAMETERS];
} Arena;

//===- the compiler -------------------------------------------------------===//

static void keepText(MlirStringRef text, void *data) {
  Runner *r = data;
  size_t used = strlen(r->message);
  snprintf(r->message + used, sizeof r->message - used, "%.*s", (int)text.length, text.data);
}

/// Keeps the first error.
static MlirLogicalResult keepError(MlirDiagnostic diagnostic, void *data) {
  Runner *r = data;
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError && !*r->message)
    mlirDiagnosticPrint(diagnostic, keepText, r);
  return mlirLogicalResultSuccess();
}

static TileDevice *openDevice(void) {
  TileError error = TILE_ERROR_INIT;
  TileDriver *driver = tileDriverOpen(&error);
  TileDevice *device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  tileErrorDestroy(&error);
  return device;
}

bool findGpu(void) {
  pid_t child = fork();
  if (!child) _exit(openDevice() ? 0 : 1);
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         !WEXITSTATUS(status);
}

Runner *createRunner(bool wantsGpu) {
  Runner *r = calloc(1, sizeof *r);
  if (!r) abort();
  // Workers are as many as there are cores.
  setenv("TILE_NUM_THREADS", "1", 1);
  r->registry = mlirDialectRegistryCreate();
  tileRegisterDialects(r->registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  // Held open, so that programs come to a context that is there.
  r->device = wantsGpu ? openDevice() : NULL;
  return r;
}

bool hasGpu(const Runner *r) { return r->device != NULL; }

/// Contexts keep every type and attribute that they have seen: a new one now and then.
static MlirContext freshContext(Runner *r) {
  if (r->context.ptr && r->kernels++ < MAX_KERNELS_OF_CONTEXT) return r->context;
  if (r->context.ptr) mlirContextDestroy(r->context);
  r->context = mlirContextCreateWithRegistry(r->registry, /*threadingEnabled=*/false);
  mlirContextAttachDiagnosticHandler(r->context, keepError, r, NULL);
  r->kernels = 0;
  return r->context;
}

void destroyRunner(Runner *r) {
  if (r->context.ptr) mlirContextDestroy(r->context);
  mlirDialectRegistryDestroy(r->registry);
  tileDeviceDestroy(r->device);
  free(r);
}

//===- memory -------------------------------------------------------------===//

/// Is it what a descriptor begins with? These are aligned.
static bool isDescribed(const Kernel *k, int value) {
  for (int i = 0; i < k->numOps; ++i) {
    bool isBox = k->ops[i].kind == OP_DESC_LOAD || k->ops[i].kind == OP_DESC_STORE;
    if (isBox && k->ops[i].operands[0] == value) return true;
  }
  return false;
}

/// With each array where the kernel says, or, `again`, some of them an element further on.
static Arena layOut(const Kernel *k, bool again) {
  Arena a = {NULL, MARGIN, {0}};
  for (int p = 0; p < k->numParameters; ++p) {
    const Parameter *parameter = &k->parameters[p];
    if (parameter->role == ROLE_SCALAR) continue;
    size_t bytes = (size_t)bytesOf(parameter->element);
    a.at[p] = (a.size + 255) / 256 * 256 + (size_t)parameter->offset * bytes;
    if (again && (p + k->seed) % 3 && !isDescribed(k, parameter->value)) a.at[p] += bytes;
    a.size = a.at[p] + (size_t)parameter->length * bytes + MARGIN;
  }
  a.size = (a.size + 255) / 256 * 256;
  a.bytes = aligned_alloc(256, a.size);
  if (!a.bytes) abort();
  memset(a.bytes, UNTOUCHED, a.size);
  return a;
}

static void putArrays(const Kernel *k, const Memory *from, Arena *a) {
  for (int p = 0; p < k->numParameters; ++p) {
    const Parameter *parameter = &k->parameters[p];
    size_t bytes = (size_t)bytesOf(parameter->element);
    for (int64_t i = 0; from->arrays[p] && i < parameter->length; ++i)
      memcpy(a->bytes + a->at[p] + (size_t)i * bytes, &from->arrays[p][i].bits, bytes);
  }
}

static uint64_t bitsAt(const Arena *a, size_t at, size_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, a->bytes + at, bytes);
  return bits;
}

static bool differ(const Kernel *k, int p, int64_t i, Number want, uint64_t got, char *message,
                   size_t size) {
  const Parameter *parameter = &k->parameters[p];
  Element e = parameter->element;
  int used = snprintf(message, size, "%%v%d[%" PRId64 "]: expected 0x%" PRIx64, parameter->value, i,
                      want.bits);
  if (isFloat(e))
    snprintf(message + used, size - (size_t)used,
             " (%.17g within %.3g), found 0x%" PRIx64 " (%.17g)", floatOf(e, want.bits), want.error,
             got, floatOf(e, got));
  else
    snprintf(message + used, size - (size_t)used,
             " (%" PRId64 "), found 0x%" PRIx64 " (%" PRId64 ")", signedOf(e, want.bits), got,
             signedOf(e, got));
  return false;
}

/// The elements, and the bytes around them.
static bool compareArrays(const Kernel *k, const Arena *a, const Memory *want, char *message,
                          size_t size) {
  size_t end = 0;
  for (int p = 0; p <= k->numParameters; ++p) {
    bool isLast = p == k->numParameters;
    const Parameter *parameter = &k->parameters[p];
    if (!isLast && parameter->role == ROLE_SCALAR) continue;
    for (size_t i = end; i < (isLast ? a->size : a->at[p]); ++i)
      if (a->bytes[i] != UNTOUCHED) {
        snprintf(message, size, "expected the bytes %s array %d to stay, found a write",
                 isLast ? "behind the last" : "before", p);
        return false;
      }
    if (isLast) break;
    size_t bytes = (size_t)bytesOf(parameter->element);
    for (int64_t i = 0; i < parameter->length; ++i) {
      uint64_t got = bitsAt(a, a->at[p] + (size_t)i * bytes, bytes);
      if (!isClose(parameter->element, want->arrays[p][i], got))
        return differ(k, p, i, want->arrays[p][i], got, message, size);
    }
    end = a->at[p] + (size_t)parameter->length * bytes;
  }
  return true;
}

//===- running ------------------------------------------------------------===//

static bool callKernel(TileProgram *program, const Kernel *k, uint64_t base, const Arena *a) {
  uint64_t slots[MAX_PARAMETERS];
  for (int p = 0; p < k->numParameters; ++p)
    slots[p] = k->parameters[p].role == ROLE_SCALAR ? k->parameters[p].literal : base + a->at[p];
  MlirStringRef name = mlirStringRefCreateFromCString("fuzz");
  return mlirLogicalResultIsSuccess(
      tileProgramCall(program, name, slots, (size_t)k->numParameters, NULL));
}

static bool callOnGpu(Runner *r, TileProgram *program, const Kernel *k, Arena *a, bool *isBroken) {
  TileError error = TILE_ERROR_INIT;
  TileDevicePtr memory = 0;
  bool ok = tileDeviceAlloc(r->device, a->size, &memory, &error) &&
            tileDeviceCopyIn(r->device, memory, a->bytes, a->size, &error);
  bool isCalled = ok && callKernel(program, k, memory, a);
  if (isCalled)
    ok = tileDeviceSynchronize(r->device, &error) &&
         tileDeviceCopyOut(r->device, a->bytes, memory, a->size, &error);
  *isBroken = !ok;
  if (!ok) snprintf(r->message, sizeof r->message, "%s", tileErrorGetMessage(&error));
  tileErrorDestroy(&error);
  tileDeviceFree(r->device, memory);
  return ok && isCalled;
}

/// What a launch with these arguments would tell, but for the grid.
static TileFacts findFacts(const Kernel *k, const Arena *a) {
  TileFacts facts = {0};
  const uint32_t whole = 256;
  for (int p = 0; p < k->numParameters; ++p) {
    const Parameter *parameter = &k->parameters[p];
    bool isScalar = parameter->role == ROLE_SCALAR;
    if (isScalar && isFloat(parameter->element)) continue;
    int64_t number = signedOf(parameter->element, parameter->literal);
    uint8_t code = isScalar ? tileFactOfInteger(number, parameter->element == I1, whole, 0)
                            : tileFactOfPointer(a->at[p]);
    TileArgumentFact fact = {.divisor = 1u << (code & TILE_FACT_DIVISOR),
                             .positive = code & TILE_FACT_POSITIVE,
                             .one = code & TILE_FACT_ONE};
    if (fact.divisor > 1 || fact.one) tileFactsSetArgument(&facts, (unsigned)p, fact);
  }
  return facts;
}

/// Compiles for a GPU up to `stage`, as a launch with these arguments would have it.
static bool emit(TileProgram *program, const Kernel *k, const Arena *a, TileEmit stage,
                 TileCompiled *compiled) {
  TileFacts facts = findFacts(k, a);
  MlirLogicalResult result = tileProgramCompile(program, mlirStringRefCreateFromCString("fuzz"),
                                                &facts, "", stage, compiled);
  tileFactsDestroy(&facts);
  return mlirLogicalResultIsSuccess(result);
}

static bool emitPtx(TileProgram *program, const Kernel *k, const Arena *a) {
  TileCompiled compiled = {0};
  bool ok = emit(program, k, a, TILE_EMIT_PTX, &compiled);
  if (ok) tileCompiledDestroy(&compiled);
  return ok;
}

/// Runs on the CPU what the passes for a GPU make of tiles before these have layouts.
static bool callFront(Runner *r, TileProgram *program, const Kernel *k, const Arena *a) {
  TileCompiled compiled = {0};
  if (!emit(program, k, a, TILE_EMIT_TILE, &compiled)) return false;
  MlirStringRef text = mlirStringRefCreate(compiled.code.data, compiled.code.size);
  MlirModule module = mlirModuleCreateParse(r->context, text);
  TileProgramOptions options = {.target = TILE_PROGRAM_CPU};
  TileProgram *front = mlirModuleIsNull(module) ? NULL : tileProgramCreate(module, &options);
  bool ok = front && callKernel(front, k, (uint64_t)(uintptr_t)a->bytes, a);
  tileProgramDestroy(front);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  tileCompiledDestroy(&compiled);
  return ok;
}

static bool callAnywhere(Runner *r, TileProgram *program, const Kernel *k, Target target, Arena *a,
                         bool *isBroken) {
  if (target == TARGET_GPU) return callOnGpu(r, program, k, a, isBroken);
  if (target == TARGET_CPU) return callKernel(program, k, (uint64_t)(uintptr_t)a->bytes, a);
  if (target == TARGET_FRONT) return callFront(r, program, k, a);
  return emitPtx(program, k, a);
}

bool runKernel(Runner *r, const Kernel *k, const char *text, Target target, const Memory *before,
               const Memory *want, char *message, size_t size, bool *isBroken) {
  *r->message = 0;
  *message = 0;
  *isBroken = false;
  MlirModule module = mlirModuleCreateParse(freshContext(r), mlirStringRefCreateFromCString(text));
  char warps[32], stages[32];
  snprintf(warps, sizeof warps, "num_warps=%d", k->numWarps);
  snprintf(stages, sizeof stages, "num_stages=%d", k->numStages);
  char extents[MAX_NAMES][32], wishes[4][32];
  const char *bind[6 + MAX_NAMES] = {warps, stages};
  size_t numBind = 2;
  for (int i = 0; i < 4; ++i) {
    static const char *const names[] = {"num_splits", "num_ctas", "num_parts", "num_last_splits"};
    const int wanted[] = {k->numSplits, k->numCtas, k->numParts, k->numLastSplits};
    if (!wanted[i]) continue;
    snprintf(wishes[i], sizeof wishes[i], "%s=%d", names[i], wanted[i]);
    bind[numBind++] = wishes[i];
  }
  for (int i = 0; i < k->numNames && k->isNamed && k->isBound; ++i) {
    snprintf(extents[i], sizeof extents[i], "%c=%d", 'A' + i, k->named[i]);
    bind[numBind++] = extents[i];
  }
  TileProgramOptions options = {.target =
                                    target == TARGET_GPU ? TILE_PROGRAM_GPU : TILE_PROGRAM_CPU,
                                .bind = bind,
                                .numBind = numBind};
  if (target == TARGET_PTX || target == TARGET_FRONT) options.target = TILE_PROGRAM_AUTO;
  if (target != TARGET_CPU) options.arch = tileMachineFind(k->isOld ? "sm_80" : "sm_90a");
  TileProgram *program = mlirModuleIsNull(module) ? NULL : tileProgramCreate(module, &options);
  bool ok = true;
  // What is known of a second launch is less: the code of the first must not be taken for it.
  int launches = target != TARGET_PTX && k->seed % 3 == 0 ? 2 : 1;
  for (int launch = 0; launch < launches && ok; ++launch) {
    Arena arena = layOut(k, launch > 0);
    putArrays(k, before, &arena);
    ok = program && callAnywhere(r, program, k, target, &arena, isBroken);
    if (!ok)
      snprintf(message, size, "refused: %s", r->message);
    else if (target != TARGET_PTX)
      ok = compareArrays(k, &arena, want, message, size);
    free(arena.bytes);
  }
  tileProgramDestroy(program);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  return ok;
}
