//===- library.c - tile as a shared library for bench/compare.py ----------===//
//
// A handful of plain C functions over tile/Session/Program.h that ctypes can call: a module's text
// becomes a program, and its kernels are launched on memory and streams of the same process, so
// that tile stands in one line with libraries that Python drives. CUDA work of both sides is in the
// device's primary context, which the driver shares.
//
//   TileBench *b = tileBenchCreate(text, "BM=128,num_warps=8", "sm_90a");
//   tileBenchLaunch(b, "matmul", slots, 12, stream);
//   tileBenchDestroy(b);
//
// Errors go to stderr as MLIR's diagnostics; the results are NULL and nonzero.
//===----------------------------------------------------------------------===//
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_BINDINGS = 16 };

typedef struct TileBench {
  MlirDialectRegistry registry;
  MlirContext context;
  MlirModule module;
  TileProgram *program;
  char *bindings;
  const char *bind[MAX_BINDINGS];
  /// The stream of the last launch.
  TileStream *stream;
  void *handle;
} TileBench;

/// cuLaunchKernel.
typedef int TileBenchLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                  unsigned blockX, unsigned blockY, unsigned blockZ,
                                  unsigned sharedBytes, void *stream, void **parameters,
                                  void **extra);

#define EXPORT __attribute__((visibility("default")))

EXPORT TileBench *tileBenchCreate(const char *text, const char *bindings, const char *arch);
EXPORT int tileBenchLaunch(TileBench *b, const char *kernel, const uint64_t *slots, size_t count,
                           void *stream);
EXPORT void tileBenchDestroy(TileBench *b);
/// Microseconds that each of `count` calls of `launch`, the driver's cuLaunchKernel, takes the
/// host: four blocks of 128 threads, one call behind the other. What any launch costs at least.
EXPORT double tileBenchTimeDriver(TileBenchLaunchKernel *launch, void *function, void *stream,
                                  void **parameters, int count);

/// "A=1,B=2" as two strings.
static size_t splitBindings(TileBench *b, const char *bindings) {
  size_t count = 0;
  b->bindings = strdup(bindings ? bindings : "");
  char *rest = NULL;
  for (char *each = strtok_r(b->bindings, ",", &rest); each && count < MAX_BINDINGS;
       each = strtok_r(NULL, ",", &rest))
    b->bind[count++] = each;
  return count;
}

TileBench *tileBenchCreate(const char *text, const char *bindings, const char *arch) {
  TileBench *b = tileRuntimeAlloc(sizeof *b);
  b->registry = mlirDialectRegistryCreate();
  tileRegisterDialects(b->registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  b->context = mlirContextCreateWithRegistry(b->registry, false);
  b->module = tileParse(b->context, mlirStringRefCreateFromCString(text),
                        mlirStringRefCreateFromCString("<text>"));
  TileProgramOptions options = {.target = TILE_PROGRAM_AUTO, .bind = b->bind};
  options.numBind = splitBindings(b, bindings);
  bool chosen = arch && *arch;
  if (chosen) options.arch = tileMachineFind(arch);
  if (chosen && !options.arch)
    fprintf(stderr, "error: expected one of %s, found '%s'\n", tileMachineGetNames(), arch);
  else if (!mlirModuleIsNull(b->module))
    b->program = tileProgramCreate(b->module, &options);
  if (b->program && mlirLogicalResultIsSuccess(tileProgramOpen(b->program, NULL))) return b;
  tileBenchDestroy(b);
  return NULL;
}

int tileBenchLaunch(TileBench *b, const char *kernel, const uint64_t *slots, size_t count,
                    void *stream) {
  TileDevice *device = tileProgramGetDevice(b->program);
  if (device && (!b->stream || b->handle != stream)) {
    tileStreamDestroy(b->stream);
    b->stream = tileStreamBorrow(device, stream);
    b->handle = stream;
  }
  MlirStringRef name = mlirStringRefCreateFromCString(kernel);
  return mlirLogicalResultIsFailure(tileProgramCall(b->program, name, slots, count, b->stream));
}

void tileBenchDestroy(TileBench *b) {
  tileStreamDestroy(b->stream);
  tileProgramDestroy(b->program);
  if (!mlirModuleIsNull(b->module)) mlirModuleDestroy(b->module);
  mlirContextDestroy(b->context);
  mlirDialectRegistryDestroy(b->registry);
  free(b->bindings);
  free(b);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

double tileBenchTimeDriver(TileBenchLaunchKernel *launch, void *function, void *stream,
                           void **parameters, int count) {
  double start = now();
  for (int i = 0; i < count; ++i)
    if (launch(function, 4, 1, 1, 128, 1, 1, 0, stream, parameters, NULL)) return -1;
  return (now() - start) / count;
}
