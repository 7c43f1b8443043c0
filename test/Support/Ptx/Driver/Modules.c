//===- Modules.c - loading PTX, and what kernels need ---------------------===//
//
// The driver's linker hands PTX through as it is: what cuLinkComplete gives is PTX to load.
//===----------------------------------------------------------------------===//
#include "Driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 65536, MOST_REGISTERS = 128, GRANULE = 8, RESERVED_SHARED = 1024 };

typedef struct Module {
  PtxModule *module;
  PtxKernel *kernels;
} Module;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// A buffer among a call's options, for the assembler's messages.
typedef struct Log {
  char *text;
  size_t bytes;
} Log;

static Log findLog(unsigned count, const int *options, void *const *values) {
  Log log = {NULL, 0};
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == CUDA_JIT_ERROR_LOG) log.text = values[i];
    if (options[i] == CUDA_JIT_ERROR_LOG_BYTES) log.bytes = (size_t)(uintptr_t)values[i];
  }
  return log;
}

static PtxModule *load(const void *image, const Log *log, CudaResult *result) {
  char unread[256];
  static const char elf[] = "\x7f"
                            "ELF";
  *result = ptxContextGetError();
  if (*result) return NULL;
  // Machine code is not emulated: whoever has the PTX loads that then.
  if (!strncmp(image, elf, 4)) {
    *result = PTX_NO_BINARY;
    return NULL;
  }
  bool has = log->text && log->bytes;
  return ptxModuleCreate(image, ptxDeviceGet()->arch, has ? log->text : unread,
                         has ? log->bytes : sizeof unread, result);
}

PTX_ENTRY(cuModuleLoadDataEx,
          (CudaHandle * result, const void *image, unsigned count, int *options, void **values)) {
  const Log log = findLog(count, options, values);
  CudaResult code;
  PtxModule *loaded = load(image, &log, &code);
  if (!loaded) return code;
  Module *module = calloc(1, sizeof *module);
  if (module) module->module = loaded;
  if (!module) ptxModuleDestroy(loaded);
  *result = module;
  return module ? 0 : PTX_OUT_OF_MEMORY;
}

PTX_ENTRY(cuModuleUnload, (CudaHandle of)) {
  Module *module = of;
  PtxKernel *next;
  for (PtxKernel *kernel = module->kernels; kernel; kernel = next) {
    next = kernel->next;
    free(kernel);
  }
  ptxModuleDestroy(module->module);
  free(module);
  return ptxContextGetError();
}

static PtxKernel *findKernel(Module *module, PtxEntry *entry) {
  for (PtxKernel *kernel = module->kernels; kernel; kernel = kernel->next)
    if (kernel->entry == entry) return kernel;
  PtxKernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel) return NULL;
  const PtxEntryInfo *info = ptxEntryGetInfo(entry);
  *kernel = (PtxKernel){.entry = entry,
                        .info = info,
                        .maxDynamicShared = (48 << 10) - info->staticSharedBytes,
                        .next = module->kernels};
  if (kernel->maxDynamicShared < 0) kernel->maxDynamicShared = 0;
  module->kernels = kernel;
  return kernel;
}

PTX_ENTRY(cuModuleGetFunction, (CudaHandle * result, CudaHandle of, const char *name)) {
  Module *module = of;
  PtxEntry *entry = ptxModuleFindEntry(module->module, name);
  if (!entry) return PTX_NOT_FOUND;
  pthread_mutex_lock(&lock);
  *result = findKernel(module, entry);
  pthread_mutex_unlock(&lock);
  return *result ? 0 : PTX_OUT_OF_MEMORY;
}

PTX_ENTRY(cuModuleGetGlobal_v2,
          (TileDevicePtr * pointer, size_t *bytes, CudaHandle of, const char *name)) {
  uint64_t address = 0;
  if (!ptxModuleFindGlobal(((Module *)of)->module, name, &address, bytes)) return PTX_NOT_FOUND;
  *pointer = address;
  return 0;
}

//===- Functions ----------------------------------------------------------===//

int ptxKernelGetRegisters(const PtxKernel *kernel) {
  if (kernel->info->maxRegisters) return kernel->info->maxRegisters;
  int fits = REGISTERS / kernel->info->maxThreads / GRANULE * GRANULE;
  return fits < MOST_REGISTERS ? fits : MOST_REGISTERS;
}

int ptxKernelGetOccupancy(const PtxKernel *kernel, int threads, size_t sharedBytes) {
  const PtxDevice *device = ptxDeviceGet();
  if (threads < 1 || threads > kernel->info->maxThreads) return 0;
  const int registers = (ptxKernelGetRegisters(kernel) + GRANULE - 1) / GRANULE * GRANULE;
  const int warped = (threads + 31) / 32 * 32;
  const size_t shared = sharedBytes + (size_t)kernel->info->staticSharedBytes + RESERVED_SHARED;
  int blocks = device->blocksPerMultiprocessor;
  const int byThreads = device->threadsPerMultiprocessor / warped;
  const int byRegisters = REGISTERS / (registers * warped);
  const size_t byShared = (size_t)device->sharedPerMultiprocessor / shared;
  if (byThreads < blocks) blocks = byThreads;
  if (byRegisters < blocks) blocks = byRegisters;
  return byShared < (size_t)blocks ? (int)byShared : blocks;
}

PTX_ENTRY(cuFuncGetAttribute, (int *value, int attribute, CudaHandle of)) {
  const PtxKernel *kernel = of;
  switch (attribute) {
  case CUDA_FUNCTION_MAX_THREADS:
    *value = kernel->info->maxThreads;
    return 0;
  case CUDA_FUNCTION_SHARED_BYTES:
    *value = kernel->info->staticSharedBytes;
    return 0;
  case CUDA_FUNCTION_CONST_BYTES:
    *value = kernel->info->constantBytes;
    return 0;
  case CUDA_FUNCTION_LOCAL_BYTES:
    *value = kernel->info->localBytes;
    return 0;
  case CUDA_FUNCTION_REGISTERS:
    *value = ptxKernelGetRegisters(kernel);
    return 0;
  case CUDA_FUNCTION_PTX_VERSION:
  case CUDA_FUNCTION_BINARY_VERSION:
    *value = ptxDeviceGet()->arch;
    return 0;
  case CUDA_FUNCTION_MAX_DYNAMIC_SHARED:
    *value = kernel->maxDynamicShared;
    return 0;
  default:
    return PTX_INVALID_VALUE;
  }
}

PTX_ENTRY(cuFuncSetAttribute, (CudaHandle of, int attribute, int value)) {
  PtxKernel *kernel = of;
  if (attribute == CUDA_FUNCTION_NON_PORTABLE_CLUSTER) {
    kernel->allowsLargeClusters = value != 0;
    return 0;
  }
  if (attribute != CUDA_FUNCTION_MAX_DYNAMIC_SHARED || value < 0 ||
      value > ptxDeviceGet()->sharedPerBlock - kernel->info->staticSharedBytes)
    return PTX_INVALID_VALUE;
  kernel->maxDynamicShared = value;
  return 0;
}

PTX_ENTRY(cuFuncGetParamInfo, (CudaHandle of, size_t index, size_t *offset, size_t *bytes)) {
  const PtxKernel *kernel = of;
  if (index >= (size_t)kernel->info->parameterCount) return PTX_INVALID_VALUE;
  *offset = kernel->info->parameters[index].offset;
  *bytes = kernel->info->parameters[index].bytes;
  return 0;
}

PTX_ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor,
          (int *blocks, CudaHandle of, int threads, size_t sharedBytes)) {
  *blocks = ptxKernelGetOccupancy(of, threads, sharedBytes);
  return 0;
}

/// As if clusters fitted together wherever their blocks fit one by one.
PTX_ENTRY(cuOccupancyMaxActiveClusters,
          (int *clusters, CudaHandle of, const CudaLaunchConfig *config)) {
  unsigned size = 1;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    const CudaLaunchAttribute *a = &config->attributes[i];
    if (a->id != CUDA_LAUNCH_CLUSTER) continue;
    size = a->value.cluster[0] * a->value.cluster[1] * a->value.cluster[2];
  }
  if (!size) return PTX_INVALID_VALUE;
  const unsigned *block = config->block;
  int blocks =
      ptxKernelGetOccupancy(of, (int)(block[0] * block[1] * block[2]), config->sharedBytes);
  *clusters = blocks * ptxDeviceGet()->multiprocessors / (int)size;
  return 0;
}

//===- Linking ------------------------------------------------------------===//

typedef struct Link {
  Log log;
  char *text;
} Link;

PTX_ENTRY(cuLinkCreate_v2, (unsigned count, int *options, void **values, CudaHandle *result)) {
  Link *link = calloc(1, sizeof *link);
  *result = link;
  if (!link) return PTX_OUT_OF_MEMORY;
  link->log = findLog(count, options, values);
  return 0;
}

PTX_ENTRY(cuLinkAddData_v2, (CudaHandle of, int type, void *data, size_t size, const char *name,
                             unsigned count, int *options, void **values)) {
  (void)name, (void)count, (void)options, (void)values;
  Link *link = of;
  if (type != CUDA_JIT_INPUT_PTX || link->text) return PTX_INVALID_VALUE;
  link->text = strndup(data, size);
  if (!link->text) return PTX_OUT_OF_MEMORY;
  CudaResult result;
  PtxModule *module = load(link->text, &link->log, &result);
  if (!module) return result;
  ptxModuleDestroy(module);
  return 0;
}

PTX_ENTRY(cuLinkComplete, (CudaHandle of, void **image, size_t *size)) {
  Link *link = of;
  if (!link->text) return PTX_INVALID_VALUE;
  *image = link->text;
  *size = strlen(link->text) + 1;
  return 0;
}

PTX_ENTRY(cuLinkDestroy, (CudaHandle of)) {
  Link *link = of;
  free(link->text);
  free(link);
  return 0;
}
