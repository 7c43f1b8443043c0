//===- FakeCudaDriver.c - a CUDA driver without a GPU, for tests ----------===//
//
// Stands in for libcuda.so.1: device memory is host memory, a launch of "add" adds two float arrays
// on the host, and what a launch was asked for is kept for the test to read (fakeLastLaunch). The
// environment makes it fail:
//
//   FAKE_CUDA_VERSION=12020    the driver's version (12080 when unset)
//   FAKE_CUDA_DEVICES=0        the number of devices (1 when unset)
//   FAKE_CUDA_INIT=100         cuInit's result
//   FAKE_CUDA_INIT_MS=1000     how long cuInit takes
//   FAKE_CUDA_LAUNCH=719       a launch's result
//   FAKE_CUDA_FAULT=719        the result of waiting for a stream that something was launched on
//   FAKE_CUDA_LAUNCH_US=50     how long the host takes to launch
//   FAKE_CUDA_MEMORY=1000      bytes of device memory (1 GiB when unset)
//   FAKE_CUDA_MANAGED=1        device memory is managed
//   FAKE_CUDA_REGISTERS=168    registers of every kernel (32 when unset)
//   FAKE_CUDA_GRID=1           "add" has three more parameters of 4 bytes ..
//   FAKE_CUDA_MAPS=2           .. and after these so many of 128
//   FAKE_CUDA_ELAPSED=20       nanoseconds between any two events (1.5 ms when unset)
//   FAKE_CUDA_SLOWER=100       millionths by which that grows each time it is asked for
//   FAKE_CUDA_CAPTURE=900      the result of beginning a graph
//
// Built with TILE_FAKE_PARTIAL it lacks cuLaunchKernelEx, as a truncated driver would.
//===----------------------------------------------------------------------===//
#include "FakeCudaDriver.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *Handle;
typedef uint64_t Pointer;

/// Declares and defines an entry point.
#define ENTRY(name, parameters)                                                                    \
  int name parameters;                                                                             \
  int name parameters

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_PTX = 218, NOT_FOUND = 500 };

static int context, stream, function, pack;
int fakeOtherContext;
static _Thread_local Handle current;
/// Memory that was allocated, 256 bytes before it.
typedef struct Block {
  size_t bytes;
  struct Block *next;
} Block;
static Block *allBlocks;
static size_t allocated;
static bool capturing;
FakeLaunch fakeLastLaunch;
FakeGlobal fakeGlobals[3];
void (*fakeOnLaunch)(void);
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t *lockIt(void) {
  pthread_mutex_lock(&one);
  return &one;
}
static void unlockIt(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }
/// Until the block ends this thread alone is in the driver.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define ONE_AT_A_TIME __attribute__((cleanup(unlockIt))) pthread_mutex_t *lock = lockIt()

static int getSetting(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? (int)strtol(text, NULL, 10) : otherwise;
}

ENTRY(cuDriverGetVersion, (int *version)) {
  *version = getSetting("FAKE_CUDA_VERSION", 12080);
  return 0;
}

ENTRY(cuInit, (unsigned flags)) {
  (void)flags;
  const int milliseconds = getSetting("FAKE_CUDA_INIT_MS", 0);
  const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&pause, NULL);
  return getSetting("FAKE_CUDA_INIT", 0);
}

ENTRY(cuGetErrorName, (int result, const char **name)) {
  *name = result == 100             ? "CUDA_ERROR_NO_DEVICE"
          : result == INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
          : result == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == INVALID_PTX   ? "CUDA_ERROR_INVALID_PTX"
          : result == 719           ? "CUDA_ERROR_LAUNCH_FAILED"
                                    : NULL;
  return *name ? 0 : INVALID_VALUE;
}

ENTRY(cuGetErrorString, (int result, const char **text)) {
  *text = result == 719 ? "unspecified launch failure" : "some text";
  return 0;
}

ENTRY(cuDeviceGetCount, (int *count)) {
  *count = getSetting("FAKE_CUDA_DEVICES", 1);
  return 0;
}

ENTRY(cuDeviceGet, (int *device, int ordinal)) {
  *device = ordinal;
  return 0;
}

ENTRY(cuDeviceGetName, (char *name, int length, int device)) {
  (void)device;
  strncpy(name, "Fake GPU", (size_t)length);
  return 0;
}

ENTRY(cuDeviceTotalMem_v2, (size_t *bytes, int device)) {
  (void)device;
  *bytes = (size_t)getSetting("FAKE_CUDA_MEMORY", 1 << 30);
  return 0;
}

ENTRY(cuDeviceGetAttribute, (int *value, int attribute, int device)) {
  (void)device;
  // A GH100's figures, by the numbers of the driver API reference.
  static const int values[][2] = {
      {1, 1024},  {2, 1024}, {3, 1024},   {4, 64},       {5, 2147483647}, {6, 65535},   {7, 65535},
      {8, 49152}, {10, 32},  {12, 65536}, {13, 1980000}, {16, 132},       {37, 6144},   {38, 4096},
      {39, 2048}, {75, 9},   {76, 0},     {81, 233472},  {82, 65536},     {97, 232448}, {120, 1},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    if (values[i][0] != attribute) continue;
    *value = values[i][1];
    return 0;
  }
  return INVALID_VALUE; // the memory clock, which newer drivers do not tell
}

ENTRY(cuDevicePrimaryCtxRetain, (Handle * result, int device)) {
  *result = device ? &fakeOtherContext : &context;
  return 0;
}

ENTRY(cuDevicePrimaryCtxRelease_v2, (int device)) {
  (void)device;
  return 0;
}

ENTRY(cuCtxSetCurrent, (Handle wanted)) {
  if (wanted && wanted != &context && wanted != &fakeOtherContext) return INVALID_VALUE;
  current = wanted;
  return 0;
}

ENTRY(cuCtxGetCurrent, (Handle * result)) {
  *result = current;
  return 0;
}

ENTRY(cuCtxGetDevice, (int *device)) {
  *device = current == &fakeOtherContext && getSetting("FAKE_CUDA_DEVICES", 1) > 1;
  return !current;
}

ENTRY(cuCtxGetId, (Handle of, unsigned long long *number)) {
  *number = of == &context ? 7 : 8;
  return 0;
}

ENTRY(cuCtxSynchronize, (void)) { return 0; }

/// PTX with the word "wrong" does not assemble.
static int assemble(const char *text, unsigned count, int *options, void **values) {
  bool bad = strstr(text, "wrong") != NULL;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 5 && bad)
      snprintf(values[i], 256, "ptxas application ptx input, line 1; error : Unknown word\n");
    if (options[i] == 3 && !bad) snprintf(values[i], 256, "ptxas info : Used 32 registers\n");
  }
  return bad ? INVALID_PTX : 0;
}

ENTRY(cuModuleLoadDataEx,
      (Handle * module, const void *image, unsigned count, int *options, void **values)) {
  int result = assemble(image, count, options, values);
  *module = &function;
  return result;
}

ENTRY(cuModuleUnload, (Handle module)) {
  (void)module;
  return 0;
}

ENTRY(cuModuleGetFunction, (Handle * result, Handle module, const char *name)) {
  bool packs = !strcmp(name, "__tile_pack");
  *result = packs ? (Handle)&pack : module;
  return packs || !strcmp(name, "add") ? 0 : NOT_FOUND;
}

ENTRY(cuModuleGetGlobal_v2, (Pointer * pointer, size_t *bytes, Handle module, const char *name)) {
  (void)module;
  for (int i = 0; i < 3; ++i) {
    const FakeGlobal *global = &fakeGlobals[i];
    if (!global->name || strcmp(global->name, name) != 0) continue;
    *pointer = (Pointer)(uintptr_t)global->data;
    *bytes = global->bytes;
    return 0;
  }
  return NOT_FOUND;
}

ENTRY(cuFuncGetAttribute, (int *value, int attribute, Handle of)) {
  (void)of;
  static const int values[] = {1024, 1024, 0, 16, 0, 86, 90, 0, 49152};
  if (attribute > 8) return INVALID_VALUE;
  *value = attribute == 4 ? getSetting("FAKE_CUDA_REGISTERS", 32) : values[attribute];
  return 0;
}

ENTRY(cuFuncSetAttribute, (Handle of, int attribute, int value)) {
  ONE_AT_A_TIME;
  (void)of;
  if (attribute == 8) fakeLastLaunch.maxDynamicShared = value;
  if (attribute == 14) fakeLastLaunch.nonPortable = value;
  return 0;
}

ENTRY(cuFuncGetParamInfo, (Handle of, size_t index, size_t *offset, size_t *bytes)) {
  if (of == (Handle)&pack) {
    *offset = 8 * index;
    *bytes = index >= 4 && index < 8 ? 4 : 8;
    return index < 13 ? 0 : INVALID_VALUE;
  }
  size_t plain = getSetting("FAKE_CUDA_GRID", 0) ? 7 : 4;
  if (index >= plain + (size_t)getSetting("FAKE_CUDA_MAPS", 0)) return INVALID_VALUE;
  *offset = 8 * index;
  *bytes = index >= plain ? 128 : index >= 3 ? 4 : 8;
  return 0;
}

ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor,
      (int *blocks, Handle of, int threads, size_t shared)) {
  (void)of, (void)shared;
  *blocks = 2048 / threads;
  return 0;
}

#ifndef TILE_FAKE_PARTIAL
typedef struct Config {
  unsigned grid[3], block[3], shared;
  Handle stream;
  struct {
    int id, pad;
    unsigned words[16];
  } *attributes;
  unsigned attributeCount;
} Config;

/// 30 clusters, whatever they are.
ENTRY(cuOccupancyMaxActiveClusters, (int *clusters, Handle of, const Config *config)) {
  (void)of;
  *clusters = config->attributeCount ? 30 : 0;
  return 0;
}

/// What __tile_pack does, row by row (tile/Runtime/Launcher.h). Bytes that no thread of the grid
/// has stay as they are; all do where the array does not end where its last row does.
static void packRows(const Config *config, void **parameters) {
  uint64_t at[4], strides[4];
  unsigned counts[4];
  for (int i = 0; i < 4; ++i) {
    memcpy(&at[i], parameters[i], sizeof at[i]);
    memcpy(&counts[i], parameters[4 + i], sizeof counts[i]);
    memcpy(&strides[i], parameters[8 + i], sizeof strides[i]);
  }
  uint64_t reach = (uint64_t)config->grid[1] * config->block[0] * 64, told, end = at[0] + at[2];
  unsigned slowest = counts[0] / counts[1] / counts[2] / counts[3];
  for (int i = 0; i < 4; ++i) end += ((i ? counts[i] : slowest) - 1) * strides[i];
  memcpy(&told, parameters[12], sizeof told);
  if (told != end) return;
  uint64_t rows = (uint64_t)config->grid[0] * config->block[1];
  for (unsigned r = 0; r < counts[0] && r < rows; ++r) {
    unsigned d3 = r % counts[3], d2 = r / counts[3] % counts[2];
    unsigned d1 = r / counts[3] / counts[2] % counts[1], d0 = r / counts[3] / counts[2] / counts[1];
    const char *from = (const char *)(uintptr_t)(at[0] + d0 * strides[0] + d1 * strides[1] +
                                                 d2 * strides[2] + d3 * strides[3]);
    char *to = (char *)(uintptr_t)(at[1] + r * at[3]);
    for (uint64_t i = 0; i < at[3] && i < reach; ++i) to[i] = i < at[2] ? from[i] : 0;
  }
  ++fakeLastLaunch.packs;
}

ENTRY(cuLaunchKernelEx, (const Config *config, Handle of, void **parameters, void **extra)) {
  (void)extra;
  int result = getSetting("FAKE_CUDA_LAUNCH", 0);
  if (result) return result;
  const struct timespec pause = {0, 1000L * getSetting("FAKE_CUDA_LAUNCH_US", 0)};
  if (pause.tv_nsec && of != (Handle)&pack) nanosleep(&pause, NULL);
  // Others may come in meanwhile.
  if (fakeOnLaunch && of != (Handle)&pack) fakeOnLaunch();
  ONE_AT_A_TIME;
  if (of == (Handle)&pack) {
    packRows(config, parameters);
    return 0;
  }
  memcpy(fakeLastLaunch.grid, config->grid, sizeof config->grid);
  memcpy(fakeLastLaunch.block, config->block, sizeof config->block);
  memset(fakeLastLaunch.cluster, 0, sizeof fakeLastLaunch.cluster);
  for (unsigned i = 0; i < config->attributeCount; ++i)
    if (config->attributes[i].id == 4)
      memcpy(fakeLastLaunch.cluster, config->attributes[i].words, 3 * sizeof(unsigned));
  fakeLastLaunch.cooperative = 0;
  for (unsigned i = 0; i < config->attributeCount; ++i)
    if (config->attributes[i].id == 2)
      memcpy(&fakeLastLaunch.cooperative, config->attributes[i].words, sizeof(int));
  fakeLastLaunch.shared = config->shared;
  fakeLastLaunch.context = current;
  ++fakeLastLaunch.count;
  float *x, *y, *out;
  int n;
  memcpy(&x, parameters[0], sizeof x);
  memcpy(&y, parameters[1], sizeof y);
  memcpy(&out, parameters[2], sizeof out);
  memcpy(&n, parameters[3], sizeof n);
  // A test of arrays that are packed gives one that begins anywhere.
  bool aligned = ((uintptr_t)x | (uintptr_t)y | (uintptr_t)out) % sizeof(float) == 0;
  for (int i = 0; i < n && aligned; ++i) out[i] = x[i] + y[i];
  int extents = getSetting("FAKE_CUDA_GRID", 0) ? 3 : 0, maps = getSetting("FAKE_CUDA_MAPS", 0);
  for (int i = 0; i < extents; ++i)
    memcpy(&fakeLastLaunch.extents[i], parameters[4 + i], sizeof(int));
  for (int i = 0; i < maps && i < 4; ++i)
    fakeLastLaunch.maps[i] = *(unsigned char *)parameters[4 + extents + i];
  return 0;
}
#endif

ENTRY(cuMemGetInfo_v2, (size_t *available, size_t *total)) {
  *total = (size_t)getSetting("FAKE_CUDA_MEMORY", 1 << 30);
  *available = *total - allocated;
  return 0;
}

ENTRY(cuMemAlloc_v2, (Pointer * pointer, size_t bytes)) {
  ONE_AT_A_TIME;
  size_t available, total;
  cuMemGetInfo_v2(&available, &total);
  if (bytes > available) return OUT_OF_MEMORY;
  Block *block = malloc(256 + bytes);
  if (!block) return OUT_OF_MEMORY;
  *block = (Block){bytes, allBlocks};
  allBlocks = block;
  allocated += bytes;
  memset((char *)block + 256, 0xa5, bytes); // fresh device memory is not zero
  *pointer = (Pointer)(uintptr_t)block + 256;
  return 0;
}

/// Of memory that is not its own, a driver says that it knows it not.
ENTRY(cuPointerGetAttribute, (void *value, int attribute, Pointer pointer)) {
  ONE_AT_A_TIME;
  bool is = false;
  for (const Block *b = allBlocks; b; b = b->next) {
    Pointer first = (Pointer)(uintptr_t)b + 256;
    is |= pointer >= first && pointer < first + b->bytes;
  }
  unsigned found = attribute == 2 ? 2 : (unsigned)getSetting("FAKE_CUDA_MANAGED", 0);
  if (is) memcpy(value, &found, attribute == 2 ? sizeof found : 1);
  return is ? 0 : INVALID_VALUE;
}

ENTRY(cuMemFree_v2, (Pointer pointer)) {
  ONE_AT_A_TIME;
  Block *block = (Block *)(uintptr_t)(pointer - 256), **at = &allBlocks;
  while (*at != block) at = &(*at)->next;
  *at = block->next;
  allocated -= block->bytes;
  free(block);
  return 0;
}

ENTRY(cuMemcpyHtoDAsync_v2, (Pointer to, const void *from, size_t bytes, Handle on)) {
  ONE_AT_A_TIME;
  (void)on;
  ++fakeLastLaunch.copiesIn;
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}

ENTRY(cuMemcpyDtoHAsync_v2, (void *to, Pointer from, size_t bytes, Handle on)) {
  ONE_AT_A_TIME;
  (void)on;
  ++fakeLastLaunch.copiesOut;
  memcpy(to, (void *)(uintptr_t)from, bytes);
  return 0;
}

ENTRY(cuMemcpyDtoDAsync_v2, (Pointer to, Pointer from, size_t bytes, Handle on)) {
  (void)on;
  memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
  return 0;
}

ENTRY(cuMemsetD8Async, (Pointer to, unsigned char value, size_t bytes, Handle on)) {
  (void)on;
  memset((void *)(uintptr_t)to, value, bytes);
  return 0;
}

ENTRY(cuStreamCreate, (Handle * result, unsigned flags)) {
  (void)flags;
  *result = &stream;
  return 0;
}

ENTRY(cuStreamDestroy_v2, (Handle of)) { return of != &stream; }
ENTRY(cuStreamSynchronize, (Handle of)) {
  ONE_AT_A_TIME;
  if (of && of != &stream) return INVALID_VALUE;
  return fakeLastLaunch.count ? getSetting("FAKE_CUDA_FAULT", 0) : 0;
}

ENTRY(cuEventCreate, (Handle * result, unsigned flags)) {
  (void)flags;
  *result = malloc(1);
  return 0;
}

ENTRY(cuEventDestroy_v2, (Handle event)) {
  free(event);
  return 0;
}

ENTRY(cuEventRecord, (Handle event, Handle on)) {
  (void)event;
  return on != &stream;
}

ENTRY(cuEventSynchronize, (Handle event)) {
  (void)event;
  return 0;
}

ENTRY(cuEventElapsedTime, (float *milliseconds, Handle from, Handle to)) {
  (void)from, (void)to;
  static double growth = 1;
  *milliseconds = (float)(getSetting("FAKE_CUDA_ELAPSED", 1500000) * 1e-6 * growth);
  growth *= 1 + getSetting("FAKE_CUDA_SLOWER", 0) * 1e-6;
  return 0;
}

// Graphs: work runs as it is recorded, and a replay is counted and does nothing.

ENTRY(cuStreamBeginCapture_v2, (Handle on, int mode)) {
  ONE_AT_A_TIME;
  (void)mode;
  int result = getSetting("FAKE_CUDA_CAPTURE", 0);
  if (result || on != &stream || capturing) return result ? result : INVALID_VALUE;
  capturing = true;
  return 0;
}

ENTRY(cuEventRecordWithFlags, (Handle event, Handle on, unsigned flags)) {
  ONE_AT_A_TIME;
  (void)event;
  fakeLastLaunch.eventsInGraphs += capturing && flags == 1;
  return on != &stream || !capturing;
}

ENTRY(cuStreamEndCapture, (Handle on, Handle *graph)) {
  ONE_AT_A_TIME;
  if (on != &stream || !capturing) return INVALID_VALUE;
  capturing = false;
  *graph = malloc(1);
  return 0;
}

ENTRY(cuGraphInstantiateWithFlags, (Handle * executable, Handle graph, unsigned long long flags)) {
  (void)graph;
  *executable = malloc(1);
  return flags != 0;
}

ENTRY(cuGraphDestroy, (Handle graph)) {
  free(graph);
  return 0;
}

ENTRY(cuGraphExecDestroy, (Handle executable)) {
  free(executable);
  return 0;
}

ENTRY(cuGraphLaunch, (Handle executable, Handle on)) {
  ONE_AT_A_TIME;
  (void)executable;
  ++fakeLastLaunch.replays;
  return on != &stream;
}

// The management library (TILE_NVML names the same file).

ENTRY(cuDeviceGetPCIBusId, (char *text, int size, int device)) {
  snprintf(text, (size_t)size, "0000:1b:00.%d", device);
  return 0;
}

ENTRY(nvmlInit_v2, (void)) { return 0; }
ENTRY(nvmlShutdown, (void)) { return 0; }

ENTRY(nvmlDeviceGetHandleByPciBusId_v2, (const char *address, Handle *device)) {
  *device = &context;
  return strcmp(address, "0000:1b:00.0") != 0;
}

ENTRY(nvmlSystemGetDriverVersion, (char *text, unsigned size)) {
  snprintf(text, size, "580.1.2");
  return 0;
}

ENTRY(nvmlDeviceGetClockInfo, (Handle device, int which, unsigned *value)) {
  *value = which == 1 ? 1755 : 2619;
  return device != &context;
}

ENTRY(nvmlDeviceGetMaxClockInfo, (Handle device, int which, unsigned *value)) {
  *value = which == 1 ? 1980 : 3201;
  return device != &context;
}

ENTRY(nvmlDeviceGetTemperature, (Handle device, int which, unsigned *value)) {
  *value = 41;
  return device != &context || which != 0;
}

ENTRY(nvmlDeviceGetPowerUsage, (Handle device, unsigned *value)) {
  (void)device, (void)value;
  return 3; // not supported
}

ENTRY(cuLinkCreate_v2, (unsigned count, int *options, void **values, Handle *state)) {
  (void)count, (void)options;
  *state = values[0]; // the error log
  return 0;
}

ENTRY(cuLinkAddData_v2, (Handle state, int type, void *data, size_t size, const char *name,
                         unsigned count, int *options, void **values)) {
  (void)type, (void)size, (void)name, (void)count, (void)options, (void)values;
  int option = 5;
  return assemble(data, 1, &option, &state);
}

ENTRY(cuLinkComplete, (Handle state, void **cubin, size_t *size)) {
  (void)state;
  static char image[] = "\x7f"
                        "ELF and more";
  *cubin = image;
  *size = sizeof image;
  return 0;
}

ENTRY(cuLinkDestroy, (Handle state)) {
  (void)state;
  return 0;
}

ENTRY(cuTensorMapEncodeTiled,
      (void *map, int type, unsigned rank, void *base, const uint64_t *shape,
       const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
       int swizzle, int promotion, int fill)) {
  ONE_AT_A_TIME;
  (void)steps, (void)interleave, (void)promotion;
  memset(map, 0x5a, 128);
  *(unsigned char *)map = (unsigned char)++fakeLastLaunch.encoded;
  FakeTensorMap *last = &fakeLastLaunch.map;
  *last =
      (FakeTensorMap){.type = type, .rank = rank, .swizzle = swizzle, .fill = fill, .base = base};
  memcpy(last->shape, shape, rank * sizeof *shape);
  memcpy(last->strides, strides, (rank - 1) * sizeof *strides);
  memcpy(last->box, box, rank * sizeof *box);
  return 0;
}
