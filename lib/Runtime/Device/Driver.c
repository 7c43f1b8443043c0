//===- Driver.c - opening the CUDA driver ---------------------------------===//
#include "Cuda.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// Errors after which all calls in the context fail, and so do those of the process's other ones:
/// what the driver API's reference says of them, "the process must be terminated and relaunched".
static bool losesContext(CudaResult result) {
  return result == 700 || result == 702 || result == 710 || (result >= 714 && result <= 719);
}

bool tileCudaCheck(const TileDriver *driver, CudaResult result, const char *what,
                   TileError *error) {
  if (result == CUDA_SUCCESS_CODE) return true;
  const char *name = NULL, *text = NULL;
  driver->getErrorName(result, &name);
  driver->getErrorString(result, &text);
  return tileErrorSet(error, "expected %s to succeed, found %s (%s)%s", what,
                      name ? name : "an unknown CUDA error", text ? text : "no description",
                      losesContext(result) ? ": the context is lost, and CUDA for this process"
                                           : "");
}

/// Looks a symbol up into a function pointer, which ISO C cannot assign from a `void *`.
static bool findSymbol(const TileDriver *driver, const char *symbol, void *function,
                       TileError *error) {
  void *address = dlsym(driver->library, symbol);
  memcpy(function, &address, sizeof address);
  if (address) return true;
  return tileErrorSet(error, "expected the entry point %s in the CUDA driver, found none in '%s'",
                      symbol, driver->path);
}

static bool checkVersion(TileDriver *driver, TileError *error) {
  CudaResult result = driver->driverGetVersion(&driver->version);
  if (result != CUDA_SUCCESS_CODE)
    return tileErrorSet(error, "expected the CUDA driver to tell its version, found error %d",
                        result);
  int version = driver->version;
  if (version >= TILE_MIN_DRIVER_VERSION) return true;
  return tileErrorSet(error,
                      "expected a CUDA driver for CUDA %d.%d or later (PTX ISA 8.6), found one for "
                      "CUDA %d.%d: update the NVIDIA driver",
                      TILE_MIN_DRIVER_VERSION / 1000, TILE_MIN_DRIVER_VERSION % 1000 / 10,
                      version / 1000, version % 1000 / 10);
}

static bool findSymbols(TileDriver *driver, TileError *error) {
#define TILE_CUDA_FIND(field, symbol, parameters)                                                  \
  if (!findSymbol(driver, symbol, (void *)&driver->field, error)) return false;
  TILE_CUDA_REQUIRED(TILE_CUDA_FIND)
#undef TILE_CUDA_FIND
#define TILE_CUDA_FIND(field, symbol, parameters)                                                  \
  findSymbol(driver, symbol, (void *)&driver->field, NULL);
  TILE_CUDA_OPTIONAL(TILE_CUDA_FIND)
#undef TILE_CUDA_FIND
  return true;
}

static bool countDevices(TileDriver *driver, TileError *error) {
  CudaResult result = driver->init(0);
  if (result == CUDA_SUCCESS_CODE) result = driver->deviceGetCount(&driver->deviceCount);
  if (result == CUDA_SUCCESS_CODE && driver->deviceCount > 0) return true;
  const char *name = NULL;
  if (result != CUDA_SUCCESS_CODE) driver->getErrorName(result, &name);
  return tileErrorSet(error, "expected a CUDA device, found none (%s)",
                      result == CUDA_SUCCESS_CODE ? "the driver counts 0"
                      : name                      ? name
                                                  : "unknown CUDA error");
}

TileDriver *tileDriverCreate(const char *path, TileError *error) {
  TileDriver *driver = tileRuntimeAlloc(sizeof *driver);
  driver->path = strdup(path);
  driver->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  bool ok = driver->library != NULL;
  if (!ok) {
    const char *reason = dlerror();
    tileErrorSet(error, "expected a CUDA driver, found none: %s", reason ? reason : path);
  }
  // The version comes first: an old driver lacks entry points, and its age is the better message.
  ok = ok && findSymbol(driver, "cuDriverGetVersion", (void *)&driver->driverGetVersion, error) &&
       checkVersion(driver, error) && findSymbols(driver, error) && countDevices(driver, error);
  if (ok) return driver;
  tileDriverDestroy(driver);
  return NULL;
}

void tileDriverDestroy(TileDriver *driver) {
  if (!driver) return;
  if (driver->library) dlclose(driver->library);
  free(driver->path);
  free(driver);
}

//===- contexts of others -------------------------------------------------===//

/// The primary context of a device, current; it is held once, and never released.
static bool enterPrimary(TileDriver *driver, uint32_t ordinal, CudaHandle *context,
                         TileError *error) {
  CudaDevice device;
  uint64_t bit = ordinal < 64 ? UINT64_C(1) << ordinal : 0;
  if (!tileCudaCheck(driver, driver->deviceGet(&device, (int)ordinal), "cuDeviceGet", error) ||
      !tileCudaCheck(driver, driver->primaryRetain(context, device), "cuDevicePrimaryCtxRetain",
                     error))
    return false;
  if (atomic_fetch_or(&driver->held, bit) & bit) driver->primaryRelease(device);
  return tileCudaCheck(driver, driver->ctxSetCurrent(*context), "cuCtxSetCurrent", error);
}

bool tileDriverEnterPrimary(TileDriver *driver, uint32_t ordinal, TileError *error) {
  CudaHandle context;
  if (ordinal < (uint32_t)driver->deviceCount)
    return enterPrimary(driver, ordinal, &context, error);
  return tileErrorSet(error, "expected a device number in 0 .. %d, found %u",
                      driver->deviceCount - 1, ordinal);
}

bool tileDriverEnterCurrent(TileDriver *driver, uint64_t *context, TileError *error) {
  CudaHandle current = NULL;
  if (!tileCudaCheck(driver, driver->ctxGetCurrent(&current), "cuCtxGetCurrent", error) ||
      (!current && !enterPrimary(driver, 0, &current, error)))
    return false;
  unsigned long long number;
  if (!tileCudaCheck(driver, driver->ctxGetId(current, &number), "cuCtxGetId", error)) return false;
  *context = number;
  return true;
}

void *tileDriverGetCurrent(const TileDriver *driver) {
  CudaHandle current = NULL;
  return driver->ctxGetCurrent(&current) == CUDA_SUCCESS_CODE ? current : NULL;
}

void tileDriverSetCurrent(const TileDriver *driver, void *context) {
  driver->ctxSetCurrent(context);
}

//===- the process's driver -----------------------------------------------===//

static pthread_once_t processOnce = PTHREAD_ONCE_INIT;
static TileDriver *processDriver;
/// The same, for those who do not open it.
static _Atomic(TileDriver *) openDriver;
static TileError processError;

/// Frees the bookkeeping only: the library may have exit handlers of its own, and closing it under
/// them is not safe.
static void endProcessDriver(void) {
  if (processDriver) {
    free(processDriver->path);
    free(processDriver);
  }
  processDriver = NULL;
  atomic_store(&openDriver, NULL);
  tileErrorDestroy(&processError);
}

static const char *getPath(void) {
  const char *path = getenv("TILE_CUDA_DRIVER");
  return path && *path ? path : "libcuda.so.1";
}

static void openProcessDriver(void) {
  processDriver = tileDriverCreate(getPath(), &processError);
  atomic_store_explicit(&openDriver, processDriver, memory_order_release);
  atexit(endProcessDriver);
}

TileDriver *tileDriverOpen(TileError *error) {
  pthread_once(&processOnce, openProcessDriver);
  if (!processDriver) tileErrorSet(error, "%s", tileErrorGetMessage(&processError));
  return processDriver;
}

TileDriver *tileDriverGet(void) { return atomic_load_explicit(&openDriver, memory_order_acquire); }

TileDriver *tileDriverFind(void) {
  TileDriver *driver = tileDriverGet();
  void *loaded = driver ? NULL : dlopen(getPath(), RTLD_LAZY | RTLD_NOLOAD);
  if (!loaded) return driver;
  driver = tileDriverOpen(NULL);
  dlclose(loaded);
  return driver;
}

bool tileDriverIsDeviceMemory(const TileDriver *driver, uint64_t address) {
  unsigned type = 0, managed = 0;
  if (!address || !driver->pointerGetAttribute ||
      driver->pointerGetAttribute(&type, CUDA_POINTER_MEMORY_TYPE, address) != CUDA_SUCCESS_CODE)
    return false;
  if (driver->pointerGetAttribute(&managed, CUDA_POINTER_IS_MANAGED, address) != CUDA_SUCCESS_CODE)
    managed = 0;
  return type == CUDA_MEMORY_DEVICE && !managed;
}
