//===- Providers.c - finding the work that others do too ------------------===//
#include "Providers.h"
#include "tile/IR.h"
#include "tile/Support/Suggest.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  bool onGpu, onCpu, computes;
  bool (*open)(BenchProvider *, TileProgram *, size_t, TileError *);
} providers[] = {
    {"cublas", true, false, true, benchOpenCublas},
    {"copy", true, true, false, benchOpenCopy},
    {"openblas", false, true, true, benchOpenOpenblas},
};
enum { NUM_PROVIDERS = sizeof providers / sizeof *providers };

bool benchProviderCheck(const char *name, bool onGpu, TileError *error) {
  char known[64] = "";
  TileSuggestion suggestion = tileSuggestionFor(name, strlen(name));
  for (int i = 0; i < NUM_PROVIDERS; ++i) {
    if (onGpu ? !providers[i].onGpu : !providers[i].onCpu) continue;
    if (!strcmp(providers[i].name, name)) return true;
    tileSuggestionOffer(&suggestion, providers[i].name, strlen(providers[i].name));
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", providers[i].name);
  }
  return tileErrorSet(error, "expected NAME=FILE or a provider for the %s (%s), found '%s'%s",
                      onGpu ? "GPU" : "CPU", known, name, tileSuggestionSay(&suggestion).text);
}

bool benchProviderComputes(const char *name) {
  for (int i = 0; i < NUM_PROVIDERS; ++i)
    if (!strcmp(providers[i].name, name)) return providers[i].computes;
  return false;
}

BenchProvider *benchProviderCreate(const char *name, TileProgram *program, size_t launch,
                                   TileError *error) {
  BenchProvider *provider = tileRuntimeAlloc(sizeof *provider);
  provider->device = tileProgramGetDevice(program);
  for (int i = 0; i < NUM_PROVIDERS; ++i)
    if (!strcmp(providers[i].name, name) && providers[i].open(provider, program, launch, error))
      return provider;
  benchProviderDestroy(provider);
  return NULL;
}

void benchProviderDestroy(BenchProvider *provider) {
  if (!provider) return;
  if (provider->close) provider->close(provider);
  free(provider);
}

bool benchProviderRun(void *provider, TileError *error) {
  BenchProvider *p = provider;
  return p->run(p, error);
}

void *benchOpenLibrary(const char *variable, const char *const *names, TileError *error) {
  const char *path = getenv(variable);
  if (path && *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      tileErrorSet(error, "expected the library that $%s names, found: %s", variable, dlerror());
    return library;
  }
  for (size_t i = 0; names[i]; ++i) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  tileErrorSet(error, "expected %s or the like to be installed (or $%s), found none", names[0],
               variable);
  return NULL;
}

bool benchFindSymbol(void *library, const char *symbol, void *function, TileError *error) {
  void *address = dlsym(library, symbol);
  memcpy(function, &address, sizeof address);
  return address ||
         tileErrorSet(error, "expected '%s' in the library, found no such symbol", symbol);
}

//===- products -----------------------------------------------------------===//

static MlirWalkResult findTf32(MlirOperation op, void *data) {
  bool *tf32 = data;
  if (tileOpIsADot(op) && tileDotGetPrecision(op) != TILE_PRECISION_IEEE) *tf32 = true;
  return MlirWalkResultAdvance;
}

bool benchFindProduct(TileProgram *program, size_t launch, BenchProduct *product,
                      TileError *error) {
  enum { MAX_ARGUMENTS = 64 };
  *product = (BenchProduct){0};
  TileArray **inputs[] = {&product->a, &product->b};
  size_t numInputs = 0, others = 0;
  for (unsigned i = 0; i < MAX_ARGUMENTS; ++i) {
    TileArray *array = tileProgramGetLaunchArray(program, launch, i);
    if (!array) continue;
    bool written = tileProgramLaunchWrites(program, launch, i);
    if (array->rank != 2 || (written ? product->c != NULL : numInputs == 2))
      ++others;
    else if (written)
      product->c = array;
    else
      *inputs[numInputs++] = array;
  }
  if (others || numInputs != 2 || !product->c)
    return tileErrorSet(error, "expected a launch that multiplies two matrices into a third, found "
                               "other arrays");
  const int64_t *a = product->a->shape, *b = product->b->shape, *c = product->c->shape;
  product->m = c[0];
  product->n = c[1];
  product->k = a[1];
  bool plain = b[0] == product->k && b[1] == product->n;
  product->transposedB = !plain;
  if (a[0] != product->m || (!plain && (b[1] != product->k || b[0] != product->n)))
    return tileErrorSet(error,
                        "expected M x K times K x N (or N x K) into M x N, found %lld x %lld times "
                        "%lld x %lld into %lld x %lld",
                        (long long)a[0], (long long)a[1], (long long)b[0], (long long)b[1],
                        (long long)c[0], (long long)c[1]);
  if (product->a->type != product->b->type)
    return tileErrorSet(error, "expected A and B of one type, found %s and %s",
                        tileElementGetName(product->a->type), tileElementGetName(product->b->type));
  MlirOperation module = mlirOperationGetParentOperation(tileProgramGetMain(program));
  mlirOperationWalk(module, findTf32, &product->tf32, MlirWalkPreOrder);
  return true;
}

/// Runs once; `*same` is whether C is then what `want` says.
static bool tryProduct(BenchProvider *provider, TileArray *want, bool *same, TileError *error) {
  TileArray *c = provider->product.c;
  if (!provider->run(provider, error)) return false;
  if (provider->device)
    tileArrayMarkDeviceWritten(c);
  else
    tileArrayMarkHostWritten(c);
  TileComparison found;
  if (!tileArrayCompare(c, want, 0, 0, &found, error)) return false;
  // A rounding of the result to 8 bits or more; products with a factor in the wrong order are off
  // by about 1.4.
  *same = found.frobeniusError < 0.02;
  return true;
}

bool benchCheckProduct(BenchProvider *provider, TileError *error) {
  BenchProduct *product = &provider->product;
  TileArray *c = product->c;
  TileArray *want = tileArrayCreate(c->type, c->rank, c->shape, error);
  bool same = false;
  bool ok = want && tileArrayToHost(c, error);
  if (ok) {
    memcpy(want->host, c->host, c->bytes);
    tileArrayMarkHostWritten(want);
    // C as the provider sees it is on the device again, and not zero by chance.
    ok = tryProduct(provider, want, &same, error);
    if (ok && !same && product->n == product->k) {
      product->transposedB = !product->transposedB;
      ok = tryProduct(provider, want, &same, error);
    }
    if (ok && !same)
      ok = tileErrorSet(error, "expected the kernel to compute A * B, found another result");
  }
  tileArrayDestroy(want);
  return ok;
}

//===- copy ---------------------------------------------------------------===//

/// Half of the bytes that the launch moves, from one buffer to another: read and written, that is
/// as many.
typedef struct Copy {
  TileDevicePtr to, from;
  char *hostTo, *hostFrom;
  size_t bytes;
} Copy;

static void copyPart(void *context, int64_t begin, int64_t end) {
  const Copy *copy = context;
  memcpy(copy->hostTo + begin, copy->hostFrom + begin, (size_t)(end - begin));
}

static bool runCopy(BenchProvider *provider, TileError *error) {
  Copy *copy = provider->state;
  if (provider->device)
    return tileDeviceCopy(provider->device, copy->to, copy->from, copy->bytes, NULL, error);
  TileExecutor *executor = tileExecutorGetDefault(error);
  if (executor) tileExecutorLoop(executor, (int64_t)copy->bytes, 1 << 16, copyPart, copy);
  return executor;
}

static void closeCopy(BenchProvider *provider) {
  Copy *copy = provider->state;
  if (provider->device) {
    tileDeviceFree(provider->device, copy->to);
    tileDeviceFree(provider->device, copy->from);
  }
  free(copy->hostTo);
  free(copy->hostFrom);
  free(copy);
}

bool benchOpenCopy(BenchProvider *provider, TileProgram *program, size_t launch, TileError *error) {
  int64_t bytes = tileProgramGetLaunch(program, launch).bytes;
  if (bytes < 2)
    return tileErrorSet(error, "expected a tile.cost that says how many bytes move, found %lld",
                        (long long)bytes);
  Copy *copy = tileRuntimeAlloc(sizeof *copy);
  copy->bytes = (size_t)bytes / 2;
  provider->state = copy;
  provider->run = runCopy;
  provider->close = closeCopy;
  if (provider->device)
    return tileDeviceAlloc(provider->device, copy->bytes, &copy->from, error) &&
           tileDeviceAlloc(provider->device, copy->bytes, &copy->to, error) &&
           tileDeviceSet(provider->device, copy->from, 0x3c, copy->bytes, NULL, error);
  copy->hostFrom = malloc(copy->bytes);
  copy->hostTo = malloc(copy->bytes);
  if (!copy->hostFrom || !copy->hostTo)
    return tileErrorSetOutOfMemory(error, "expected memory for a copy of %zu bytes, found none",
                                   copy->bytes);
  memset(copy->hostFrom, 0x3c, copy->bytes);
  memset(copy->hostTo, 0, copy->bytes);
  return true;
}
