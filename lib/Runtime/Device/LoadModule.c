//===- LoadModule.c - assembling and loading kernels ----------------------===//
#include "Cuda.h"
#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 1 << 16, MAX_OPTIONS = 8 };

/// The options of one run of the driver's assembler, and its two logs.
typedef struct Jit {
  unsigned count;
  int options[MAX_OPTIONS];
  void *values[MAX_OPTIONS];
  char *errorLog, *infoLog;
} Jit;

static void addOption(Jit *jit, int option, uintptr_t value) {
  jit->options[jit->count] = option;
  jit->values[jit->count++] = (void *)value;
}

static void startJit(Jit *jit, const TileModuleOptions *options) {
  *jit = (Jit){.errorLog = tileRuntimeAlloc(LOG_BYTES), .infoLog = tileRuntimeAlloc(LOG_BYTES)};
  addOption(jit, CUDA_JIT_ERROR_LOG, (uintptr_t)jit->errorLog);
  addOption(jit, CUDA_JIT_ERROR_LOG_BYTES, LOG_BYTES - 1);
  addOption(jit, CUDA_JIT_INFO_LOG, (uintptr_t)jit->infoLog);
  addOption(jit, CUDA_JIT_INFO_LOG_BYTES, LOG_BYTES - 1);
  addOption(jit, CUDA_JIT_LOG_VERBOSE, 1);
  if (options && options->maxRegisters)
    addOption(jit, CUDA_JIT_MAX_REGISTERS, options->maxRegisters);
  if (options && options->lineInfo) addOption(jit, CUDA_JIT_LINE_INFO, 1);
}

static void endJit(Jit *jit) {
  free(jit->errorLog);
  free(jit->infoLog);
}

static void trimEnd(char *text) {
  size_t length = strlen(text);
  while (length && strchr(" \n\r\t", text[length - 1])) text[--length] = 0;
}

/// Adds the assembler's log to the message of a failed call.
static bool checkJit(const TileDriver *driver, CudaResult result, const char *what, Jit *jit,
                     TileError *error) {
  if (tileCudaCheck(driver, result, what, error)) return true;
  trimEnd(jit->errorLog);
  if (error && *jit->errorLog) tileErrorSet(error, "%s:\n%s", error->message, jit->errorLog);
  return false;
}

/// The image with a NUL after it: the driver reads PTX up to one.
static char *terminate(const void *image, size_t size) {
  char *copy = tileRuntimeAlloc(size + 1);
  memcpy(copy, image, size);
  return copy;
}

static bool isElf(const void *image, size_t size) {
  return size >= 4 && !memcmp(image,
                              "\x7f"
                              "ELF",
                              4);
}

TileModule *tileModuleCreate(TileDevice *device, const void *image, size_t size,
                             const TileModuleOptions *options, TileError *error) {
  const TileDriver *driver = device->driver;
  if (!tileCudaEnter(device, error)) return NULL;
  Jit jit;
  startJit(&jit, options);
  char *copy = terminate(image, size);
  CudaHandle handle = NULL;
  CudaResult result = driver->moduleLoad(&handle, copy, jit.count, jit.options, jit.values);
  const char *what = isElf(image, size) ? "loading the cubin" : "assembling and loading the PTX";
  TileModule *module = NULL;
  if (checkJit(driver, result, what, &jit, error)) {
    module = tileRuntimeAlloc(sizeof *module);
    module->device = device;
    module->module = handle;
    pthread_mutex_init(&module->mutex, NULL);
  }
  free(copy);
  endJit(&jit);
  return module;
}

void tileModuleDestroy(TileModule *module) {
  if (!module) return;
  TileKernel *next;
  for (TileKernel *kernel = module->kernels; kernel; kernel = next) {
    next = kernel->next;
    free(kernel->parameterBytes);
    free(kernel->name);
    free(kernel);
  }
  if (tileCudaEnter(module->device, NULL)) module->device->driver->moduleUnload(module->module);
  pthread_mutex_destroy(&module->mutex);
  free(module);
}

bool tileDeviceAssemble(TileDevice *device, const void *ptx, size_t size,
                        const TileModuleOptions *options, void **cubin, size_t *cubinSize,
                        TileError *error) {
  const TileDriver *driver = device->driver;
  const char *what = "assembling the PTX";
  if (!tileCudaEnter(device, error)) return false;
  Jit jit;
  startJit(&jit, options);
  char *copy = terminate(ptx, size);
  CudaHandle link = NULL;
  void *linked = NULL;
  bool ok = checkJit(driver, driver->linkCreate(jit.count, jit.options, jit.values, &link), what,
                     &jit, error) &&
            checkJit(driver,
                     driver->linkAdd(link, CUDA_JIT_INPUT_PTX, copy, size + 1, "kernel.ptx", 0,
                                     NULL, NULL),
                     what, &jit, error) &&
            checkJit(driver, driver->linkComplete(link, &linked, cubinSize), what, &jit, error);
  if (ok) {
    *cubin = tileRuntimeAlloc(*cubinSize);
    memcpy(*cubin, linked, *cubinSize); // the link state owns what it linked
  }
  if (link) driver->linkDestroy(link);
  free(copy);
  endJit(&jit);
  return ok;
}

bool tileModuleGetGlobal(TileModule *module, const char *name, TileDevicePtr *pointer,
                         size_t *bytes, TileError *error) {
  const TileDriver *driver = module->device->driver;
  if (!tileCudaEnter(module->device, error)) return false;
  CudaResult result = driver->moduleGetGlobal(pointer, bytes, module->module, name);
  if (result == CUDA_NOT_FOUND_CODE)
    return tileErrorSet(error, "expected a global '%s' in the module, found none", name);
  return tileCudaCheck(driver, result, "cuModuleGetGlobal", error);
}

//===- Kernels ------------------------------------------------------------===//

static bool readKernel(TileKernel *kernel, TileError *error) {
  const TileDriver *driver = kernel->module->device->driver;
  TileKernelInfo *info = &kernel->info;
  const struct {
    int attribute, *value;
  } wanted[] = {
      {CUDA_FUNCTION_MAX_THREADS, &info->maxThreadsPerBlock},
      {CUDA_FUNCTION_SHARED_BYTES, &info->staticSharedBytes},
      {CUDA_FUNCTION_CONST_BYTES, &info->constantBytes},
      {CUDA_FUNCTION_LOCAL_BYTES, &info->localBytes},
      {CUDA_FUNCTION_REGISTERS, &info->registers},
      {CUDA_FUNCTION_PTX_VERSION, &info->ptxVersion},
      {CUDA_FUNCTION_BINARY_VERSION, &info->binaryVersion},
      {CUDA_FUNCTION_MAX_DYNAMIC_SHARED, &kernel->maxDynamicShared},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    CudaResult result =
        driver->funcGetAttribute(wanted[i].value, wanted[i].attribute, kernel->function);
    if (!tileCudaCheck(driver, result, "cuFuncGetAttribute", error)) return false;
  }
  // What a block gets without asking is for static and dynamic shared memory together; a driver may
  // leave the static part out of what it tells.
  int unasked = kernel->module->device->info.sharedPerBlock - info->staticSharedBytes;
  if (kernel->maxDynamicShared > unasked) kernel->maxDynamicShared = unasked > 0 ? unasked : 0;
  // The driver tells parameters one by one and says when there are no more.
  size_t offset, bytes;
  while (driver->funcGetParamInfo(kernel->function, info->parameters, &offset, &bytes) ==
         CUDA_SUCCESS_CODE) {
    size_t *larger =
        realloc(kernel->parameterBytes, (info->parameters + (size_t)1) * sizeof *larger);
    if (!larger)
      return tileErrorSet(error, "expected memory for a kernel's parameters, found none");
    larger[info->parameters++] = bytes;
    kernel->parameterBytes = larger;
  }
  return true;
}

static TileKernel *makeKernel(TileModule *module, const char *name, TileError *error) {
  const TileDriver *driver = module->device->driver;
  CudaHandle function = NULL;
  CudaResult result = driver->moduleGetFunction(&function, module->module, name);
  if (result == CUDA_NOT_FOUND_CODE)
    tileErrorSet(error, "expected a kernel '%s' in the module, found none", name);
  else
    tileCudaCheck(driver, result, "cuModuleGetFunction", error);
  if (result != CUDA_SUCCESS_CODE) return NULL;
  TileKernel *kernel = tileRuntimeAlloc(sizeof *kernel);
  kernel->module = module;
  kernel->function = function;
  kernel->name = tileRuntimeCopy(name, strlen(name));
  if (readKernel(kernel, error)) {
    kernel->next = module->kernels;
    module->kernels = kernel;
    return kernel;
  }
  free(kernel->parameterBytes);
  free(kernel->name);
  free(kernel);
  return NULL;
}

TileKernel *tileModuleGetKernel(TileModule *module, const char *name, TileError *error) {
  if (!tileCudaEnter(module->device, error)) return NULL;
  pthread_mutex_lock(&module->mutex);
  TileKernel *kernel = module->kernels;
  while (kernel && strcmp(kernel->name, name) != 0) kernel = kernel->next;
  if (!kernel) kernel = makeKernel(module, name, error);
  pthread_mutex_unlock(&module->mutex);
  return kernel;
}

const TileKernelInfo *tileKernelGetInfo(const TileKernel *kernel) { return &kernel->info; }

size_t tileKernelGetParameterBytes(const TileKernel *kernel, unsigned index) {
  return index < kernel->info.parameters ? kernel->parameterBytes[index] : 0;
}
