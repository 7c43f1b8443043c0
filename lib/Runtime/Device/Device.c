//===- Device.c - a device, its memory, streams and events ----------------===//
#include "Cuda.h"
#include <stdlib.h>

bool tileCudaEnter(const TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  return tileCudaCheck(driver, driver->ctxSetCurrent(device->context), "cuCtxSetCurrent", error);
}

//===- Devices ------------------------------------------------------------===//

static bool readAttributes(TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  TileDeviceInfo *info = &device->info;
  int clusters = 0;
  const struct {
    int attribute, *value;
    bool mayFail;
  } wanted[] = {
      {CUDA_CAPABILITY_MAJOR, &info->major, false},
      {CUDA_CAPABILITY_MINOR, &info->minor, false},
      {CUDA_MULTIPROCESSORS, &info->multiprocessors, false},
      {CUDA_WARP_SIZE, &info->warpSize, false},
      {CUDA_MAX_THREADS_PER_BLOCK, &info->maxThreadsPerBlock, false},
      {CUDA_THREADS_PER_MULTIPROCESSOR, &info->maxThreadsPerMultiprocessor, false},
      {CUDA_MAX_BLOCK_X, &info->maxBlockExtent[0], false},
      {CUDA_MAX_BLOCK_X + 1, &info->maxBlockExtent[1], false},
      {CUDA_MAX_BLOCK_X + 2, &info->maxBlockExtent[2], false},
      {CUDA_MAX_GRID_X, &info->maxGridExtent[0], false},
      {CUDA_MAX_GRID_X + 1, &info->maxGridExtent[1], false},
      {CUDA_MAX_GRID_X + 2, &info->maxGridExtent[2], false},
      {CUDA_REGISTERS_PER_BLOCK, &info->registersPerBlock, false},
      {CUDA_REGISTERS_PER_MULTIPROCESSOR, &info->registersPerMultiprocessor, false},
      {CUDA_SHARED_PER_BLOCK, &info->sharedPerBlock, false},
      {CUDA_SHARED_PER_BLOCK_OPTIN, &info->sharedPerBlockOptin, false},
      {CUDA_SHARED_PER_MULTIPROCESSOR, &info->sharedPerMultiprocessor, false},
      {CUDA_L2_BYTES, &info->l2Bytes, false},
      {CUDA_CLUSTER_LAUNCH, &clusters, true},
      {CUDA_CLOCK_RATE, &info->clockKHz, true},
      {CUDA_MEMORY_CLOCK_RATE, &info->memoryClockKHz, true},
      {CUDA_MEMORY_BUS_WIDTH, &info->memoryBusBits, true},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    CudaResult result =
        driver->deviceGetAttribute(wanted[i].value, wanted[i].attribute, device->device);
    if (result == CUDA_SUCCESS_CODE) continue;
    *wanted[i].value = 0;
    if (!wanted[i].mayFail) return tileCudaCheck(driver, result, "cuDeviceGetAttribute", error);
  }
  info->clusters = clusters != 0;
  return true;
}

static bool describeDevice(TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  TileDeviceInfo *info = &device->info;
  info->driverVersion = driver->version;
  return tileCudaCheck(driver, driver->deviceGetName(info->name, sizeof info->name, device->device),
                       "cuDeviceGetName", error) &&
         tileCudaCheck(driver, driver->deviceTotalMem(&info->memoryBytes, device->device),
                       "cuDeviceTotalMem", error) &&
         readAttributes(device, error);
}

static bool makeStream(TileDevice *device, TileError *error) {
  return tileCudaCheck(device->driver,
                       device->driver->streamCreate(&device->stream, CUDA_STREAM_NON_BLOCKING),
                       "cuStreamCreate", error);
}

static bool openDevice(TileDevice *device, int ordinal, TileError *error) {
  const TileDriver *driver = device->driver;
  device->info.ordinal = ordinal;
  return tileCudaCheck(driver, driver->deviceGet(&device->device, ordinal), "cuDeviceGet", error) &&
         describeDevice(device, error) &&
         tileCudaCheck(driver, driver->primaryRetain(&device->context, device->device),
                       "cuDevicePrimaryCtxRetain", error) &&
         tileCudaEnter(device, error) && makeStream(device, error);
}

static bool borrowDevice(TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  device->borrowed = true;
  if (!tileCudaCheck(driver, driver->ctxGetCurrent(&device->context), "cuCtxGetCurrent", error) ||
      !tileCudaCheck(driver, driver->ctxGetDevice(&device->device), "cuCtxGetDevice", error))
    return false;
  // A CUdevice is the device's number.
  device->info.ordinal = device->device;
  return describeDevice(device, error) && makeStream(device, error);
}

TileDevice *tileDeviceCreate(TileDriver *driver, int ordinal, TileError *error) {
  if (ordinal < 0 || ordinal >= driver->deviceCount) {
    tileErrorSet(error, "expected a device number in 0 .. %d, found %d", driver->deviceCount - 1,
                 ordinal);
    return NULL;
  }
  TileDevice *device = tileRuntimeAlloc(sizeof *device);
  device->driver = driver;
  pthread_mutex_init(&device->flushMutex, NULL);
  if (openDevice(device, ordinal, error)) return device;
  tileDeviceDestroy(device);
  return NULL;
}

TileDevice *tileDeviceBorrow(TileDriver *driver, TileError *error) {
  TileDevice *device = tileRuntimeAlloc(sizeof *device);
  device->driver = driver;
  pthread_mutex_init(&device->flushMutex, NULL);
  if (borrowDevice(device, error)) return device;
  tileDeviceDestroy(device);
  return NULL;
}

void tileDeviceDestroy(TileDevice *device) {
  if (!device) return;
  const TileDriver *driver = device->driver;
  // A context that its owner has destroyed cannot be entered, and took all of this along.
  if (device->context && tileCudaEnter(device, NULL)) {
    if (device->flushBuffer) driver->memFree(device->flushBuffer);
    if (device->stream) driver->streamDestroy(device->stream);
  }
  if (device->context && !device->borrowed) {
    driver->ctxSetCurrent(NULL);
    driver->primaryRelease(device->device);
  }
  pthread_mutex_destroy(&device->flushMutex);
  free(device);
}

const TileDeviceInfo *tileDeviceGetInfo(const TileDevice *device) { return &device->info; }

void *tileDeviceEnterForeign(TileDevice *device, TileError *error) {
  return tileCudaEnter(device, error) ? device->stream : NULL;
}

bool tileDeviceGetPciAddress(const TileDevice *device, char *text, size_t size, TileError *error) {
  const TileDriver *driver = device->driver;
  if (!driver->pciBusId)
    return tileErrorSet(error, "expected a driver that tells PCI addresses, found CUDA %d.%d",
                        driver->version / 1000, driver->version % 1000 / 10);
  return tileCudaCheck(driver, driver->pciBusId(text, (int)size, device->device),
                       "cuDeviceGetPCIBusId", error);
}

bool tileDeviceSynchronize(TileDevice *device, TileError *error) {
  return tileCudaEnter(device, error) &&
         tileCudaCheck(device->driver, device->driver->ctxSynchronize(), "the work on the device",
                       error);
}

//===- Memory -------------------------------------------------------------===//

bool tileDeviceAlloc(TileDevice *device, size_t bytes, TileDevicePtr *result, TileError *error) {
  if (!tileCudaEnter(device, error)) return false;
  const TileDriver *driver = device->driver;
  CudaResult code = driver->memAlloc(result, bytes ? bytes : 1);
  size_t available = 0, total = 0;
  if (code == CUDA_OUT_OF_MEMORY_CODE &&
      driver->memGetInfo(&available, &total) == CUDA_SUCCESS_CODE)
    return tileErrorSetOutOfMemory(
        error,
        "expected at most %zu bytes, which are free on device %d, found a request "
        "for %zu",
        available, device->info.ordinal, bytes);
  return tileCudaCheck(driver, code, "cuMemAlloc", error);
}

void tileDeviceFree(TileDevice *device, TileDevicePtr pointer) {
  if (pointer && tileCudaEnter(device, NULL)) device->driver->memFree(pointer);
}

bool tileDeviceCopyIn(TileDevice *device, TileDevicePtr to, const void *from, size_t bytes,
                      TileError *error) {
  const TileDriver *driver = device->driver;
  if (!bytes) return true;
  return tileCudaEnter(device, error) &&
         tileCudaCheck(driver, driver->copyIn(to, from, bytes, device->stream),
                       "the copy to the device", error) &&
         tileStreamSynchronize(device, NULL, error);
}

bool tileDeviceCopyOut(TileDevice *device, void *to, TileDevicePtr from, size_t bytes,
                       TileError *error) {
  const TileDriver *driver = device->driver;
  if (!bytes) return tileStreamSynchronize(device, NULL, error);
  return tileCudaEnter(device, error) &&
         tileCudaCheck(driver, driver->copyOut(to, from, bytes, device->stream),
                       "the copy from the device", error) &&
         tileStreamSynchronize(device, NULL, error);
}

bool tileDeviceCopy(TileDevice *device, TileDevicePtr to, TileDevicePtr from, size_t bytes,
                    TileStream *stream, TileError *error) {
  const TileDriver *driver = device->driver;
  if (!bytes) return true;
  return tileCudaEnter(device, error) &&
         tileCudaCheck(driver, driver->copy(to, from, bytes, tileCudaGetStream(device, stream)),
                       "the copy on the device", error);
}

bool tileDeviceSet(TileDevice *device, TileDevicePtr to, uint8_t value, size_t bytes,
                   TileStream *stream, TileError *error) {
  const TileDriver *driver = device->driver;
  if (!bytes) return true;
  return tileCudaEnter(device, error) &&
         tileCudaCheck(driver, driver->set(to, value, bytes, tileCudaGetStream(device, stream)),
                       "cuMemsetD8Async", error);
}

bool tileDeviceFlushL2(TileDevice *device, TileStream *stream, TileError *error) {
  size_t bytes = 2 * (size_t)device->info.l2Bytes;
  pthread_mutex_lock(&device->flushMutex);
  bool ok = device->flushBuffer || tileDeviceAlloc(device, bytes, &device->flushBuffer, error);
  pthread_mutex_unlock(&device->flushMutex);
  return ok && tileDeviceSet(device, device->flushBuffer, 0, bytes, stream, error);
}

//===- Streams and events -------------------------------------------------===//

TileStream *tileStreamBorrow(TileDevice *device, void *handle) {
  TileStream *stream = tileRuntimeAlloc(sizeof *stream);
  *stream = (TileStream){device, handle, false};
  return stream;
}

void tileStreamDestroy(TileStream *stream) { free(stream); }

bool tileStreamSynchronize(TileDevice *device, TileStream *stream, TileError *error) {
  const TileDriver *driver = device->driver;
  return tileCudaEnter(device, error) &&
         tileCudaCheck(driver, driver->streamSynchronize(tileCudaGetStream(device, stream)),
                       "the work on the device", error);
}

TileEvent *tileEventCreate(TileDevice *device, TileError *error) {
  const TileDriver *driver = device->driver;
  CudaHandle handle;
  if (!tileCudaEnter(device, error) ||
      !tileCudaCheck(driver, driver->eventCreate(&handle, 0), "cuEventCreate", error))
    return NULL;
  TileEvent *event = tileRuntimeAlloc(sizeof *event);
  *event = (TileEvent){device, handle};
  return event;
}

void tileEventDestroy(TileEvent *event) {
  if (!event) return;
  if (tileCudaEnter(event->device, NULL)) event->device->driver->eventDestroy(event->event);
  free(event);
}

bool tileEventRecord(TileEvent *event, TileStream *stream, TileError *error) {
  const TileDriver *driver = event->device->driver;
  CudaHandle handle = tileCudaGetStream(event->device, stream);
  return tileCudaEnter(event->device, error) &&
         tileCudaCheck(driver, driver->eventRecord(event->event, handle), "cuEventRecord", error);
}

bool tileEventSynchronize(TileEvent *event, TileError *error) {
  const TileDriver *driver = event->device->driver;
  return tileCudaEnter(event->device, error) &&
         tileCudaCheck(driver, driver->eventSynchronize(event->event), "the work on the device",
                       error);
}

bool tileEventGetElapsed(TileEvent *from, TileEvent *to, double *milliseconds, TileError *error) {
  const TileDriver *driver = to->device->driver;
  float elapsed = 0;
  if (!tileEventSynchronize(to, error) ||
      !tileCudaCheck(driver, driver->eventElapsed(&elapsed, from->event, to->event),
                     "cuEventElapsedTime", error))
    return false;
  *milliseconds = (double)elapsed;
  return true;
}
