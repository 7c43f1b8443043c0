//===- LaunchKernel.c - checking and launching kernels --------------------===//
//
// The checks know the hardware's limits from the device and the kernel's needs from its attributes,
// so a launch that cannot run is refused with both numbers; the driver would only say
// "invalid value" or "too many resources requested".
//===----------------------------------------------------------------------===//
#include "Cuda.h"
#include <string.h>

enum {
  PORTABLE_CLUSTER = 8,
  MAX_CLUSTER = 16,
  REGISTER_GRANULE = 8, ///< A thread's registers are given in eights.
  MAX_SLOTS = 512,      ///< 4096 bytes of parameters.
  MAX_ATTRIBUTES = 2,   ///< Of a launch.
};

static uint64_t product(const uint32_t extents[3]) {
  return (uint64_t)extents[0] * extents[1] * extents[2];
}

static void getCluster(const TileLaunch *launch, uint32_t cluster[3]) {
  for (int i = 0; i < 3; ++i) cluster[i] = launch->cluster[i] ? launch->cluster[i] : 1;
}

static bool checkThreads(const TileKernel *kernel, const TileLaunch *launch, TileError *error) {
  const TileDeviceInfo *device = &kernel->module->device->info;
  const uint32_t *block = launch->block;
  for (int i = 0; i < 3; ++i)
    if (block[i] < 1 || block[i] > (uint32_t)device->maxBlockExtent[i])
      return tileErrorSet(error, "expected a block extent in 1 .. %d in dimension %c, found %u",
                          device->maxBlockExtent[i], "xyz"[i], block[i]);
  uint64_t threads = product(block);
  if (threads > (uint64_t)device->maxThreadsPerBlock)
    return tileErrorSet(error, "expected at most %d threads in a block of '%s', found %llu",
                        device->maxThreadsPerBlock, kernel->name, (unsigned long long)threads);
  uint64_t warp = (uint64_t)device->warpSize;
  uint64_t perThread = ((uint64_t)kernel->info.registers + REGISTER_GRANULE - 1) /
                       REGISTER_GRANULE * REGISTER_GRANULE;
  uint64_t registers = (threads + warp - 1) / warp * warp * perThread;
  if (registers > (uint64_t)device->registersPerBlock)
    return tileErrorSet(
        error,
        "expected at most %d registers in a block of '%s', found %llu: %llu threads "
        "of %llu",
        device->registersPerBlock, kernel->name, (unsigned long long)registers,
        (unsigned long long)threads, (unsigned long long)perThread);
  if (threads > (uint64_t)kernel->info.maxThreadsPerBlock)
    return tileErrorSet(
        error,
        "expected at most %d threads in a block of '%s', for which it was compiled, "
        "found %llu",
        kernel->info.maxThreadsPerBlock, kernel->name, (unsigned long long)threads);
  return true;
}

static bool checkShared(const TileKernel *kernel, const TileLaunch *launch, TileError *error) {
  const TileDeviceInfo *device = &kernel->module->device->info;
  uint64_t asked = (uint64_t)kernel->info.staticSharedBytes + launch->sharedBytes;
  if (asked <= (uint64_t)device->sharedPerBlockOptin) return true;
  return tileErrorSet(error,
                      "expected at most %d bytes of shared memory in a block of '%s', found %llu "
                      "(%d static, %u dynamic)",
                      device->sharedPerBlockOptin, kernel->name, (unsigned long long)asked,
                      kernel->info.staticSharedBytes, launch->sharedBytes);
}

static bool checkGrid(const TileKernel *kernel, const TileLaunch *launch, TileError *error) {
  const TileDeviceInfo *device = &kernel->module->device->info;
  uint32_t cluster[3];
  getCluster(launch, cluster);
  uint64_t size = product(cluster);
  if (size > 1 && !device->clusters)
    return tileErrorSet(error, "expected a cluster of 1 block on sm_%d%d, found %u x %u x %u",
                        device->major, device->minor, cluster[0], cluster[1], cluster[2]);
  if (size > MAX_CLUSTER)
    return tileErrorSet(error, "expected at most %d blocks in a cluster, found %u x %u x %u",
                        MAX_CLUSTER, cluster[0], cluster[1], cluster[2]);
  for (int i = 0; i < 3; ++i) {
    if (launch->grid[i] > (uint32_t)device->maxGridExtent[i])
      return tileErrorSet(error, "expected a grid extent of at most %d in dimension %c, found %u",
                          device->maxGridExtent[i], "xyz"[i], launch->grid[i]);
    if (launch->grid[i] % cluster[i])
      return tileErrorSet(error,
                          "expected a grid extent that is a multiple of the cluster's %u in "
                          "dimension %c, found %u",
                          cluster[i], "xyz"[i], launch->grid[i]);
  }
  return true;
}

bool tileKernelCheckLaunch(const TileKernel *kernel, const TileLaunch *launch, TileError *error) {
  return checkThreads(kernel, launch, error) && checkShared(kernel, launch, error) &&
         checkGrid(kernel, launch, error);
}

/// Tells the driver about dynamic shared memory over the default and clusters over the portable
/// size: both are attributes of the kernel, not of the launch.
static bool prepare(TileKernel *kernel, const TileLaunch *launch, TileError *error) {
  const TileDriver *driver = kernel->module->device->driver;
  if (launch->sharedBytes > (uint32_t)kernel->maxDynamicShared) {
    CudaResult result = driver->funcSetAttribute(kernel->function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                                 (int)launch->sharedBytes);
    if (!tileCudaCheck(driver, result, "raising the limit of dynamic shared memory", error))
      return false;
    kernel->maxDynamicShared = (int)launch->sharedBytes;
  }
  uint32_t cluster[3];
  getCluster(launch, cluster);
  if (product(cluster) <= PORTABLE_CLUSTER || kernel->nonPortableCluster) return true;
  CudaResult result =
      driver->funcSetAttribute(kernel->function, CUDA_FUNCTION_NON_PORTABLE_CLUSTER, 1);
  kernel->nonPortableCluster = result == CUDA_SUCCESS_CODE;
  return tileCudaCheck(driver, result, "allowing a cluster of more than 8 blocks", error);
}

bool tileKernelGetOccupancy(TileKernel *kernel, const TileLaunch *launch, int *blocks,
                            TileError *error) {
  const TileDriver *driver = kernel->module->device->driver;
  if (!tileKernelCheckLaunch(kernel, launch, error) ||
      !tileCudaEnter(kernel->module->device, error) || !prepare(kernel, launch, error))
    return false;
  return tileCudaCheck(
      driver,
      driver->occupancy(blocks, kernel->function, (int)product(launch->block), launch->sharedBytes),
      "the occupancy query", error);
}

/// The driver's form of a launch. `attributes` live as long as the result.
static CudaLaunchConfig makeConfig(const TileLaunch *launch,
                                   CudaLaunchAttribute attributes[MAX_ATTRIBUTES]) {
  unsigned count = 0;
  CudaLaunchAttribute cluster = {.id = CUDA_LAUNCH_CLUSTER};
  getCluster(launch, cluster.value.cluster);
  if (product(cluster.value.cluster) > 1) attributes[count++] = cluster;
  if (launch->cooperative)
    attributes[count++] =
        (CudaLaunchAttribute){.id = CUDA_LAUNCH_COOPERATIVE, .value.cooperative = 1};
  return (CudaLaunchConfig){
      .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
      .block = {launch->block[0], launch->block[1], launch->block[2]},
      .sharedBytes = launch->sharedBytes,
      .attributes = attributes,
      .attributeCount = count,
  };
}

bool tileKernelGetResident(TileKernel *kernel, const TileLaunch *launch, int64_t *blocks,
                           TileError *error) {
  const TileDevice *device = kernel->module->device;
  const TileDriver *driver = device->driver;
  TileLaunch one = *launch;
  for (int i = 0; i < 3; ++i) one.grid[i] = one.cluster[i] ? one.cluster[i] : 1;
  int count;
  if (!tileKernelGetOccupancy(kernel, &one, &count, error)) return false;
  *blocks = (int64_t)(count ? count : 1) * device->info.multiprocessors;
  uint64_t size = product(one.grid);
  if (size == 1 || !driver->activeClusters) return true;
  CudaLaunchAttribute attributes[MAX_ATTRIBUTES];
  CudaLaunchConfig config = makeConfig(&one, attributes);
  CudaResult result = driver->activeClusters(&count, kernel->function, &config);
  *blocks = count * (int64_t)size;
  return tileCudaCheck(driver, result, "the occupancy query of clusters", error);
}

bool tileKernelLaunch(TileKernel *kernel, const TileLaunch *launch, void *const *parameters,
                      TileStream *stream, TileError *error) {
  TileDevice *device = kernel->module->device;
  const TileDriver *driver = device->driver;
  if (!product(launch->grid)) return tileKernelCheckLaunch(kernel, launch, error);
  if (!(stream && stream->isCurrent) && !tileCudaEnter(device, error)) return false;
  // A kernel is launched the same way again and again.
  if (memcmp(&kernel->checked, launch, sizeof *launch) != 0) {
    if (!tileKernelCheckLaunch(kernel, launch, error) || !prepare(kernel, launch, error))
      return false;
    kernel->checked = *launch;
  }
  CudaLaunchAttribute attributes[MAX_ATTRIBUTES];
  CudaLaunchConfig config = makeConfig(launch, attributes);
  config.stream = tileCudaGetStream(device, stream);
  CudaResult result = driver->launch(&config, kernel->function, (void **)parameters, NULL);
  return tileCudaCheck(driver, result, "the launch", error);
}

bool tileKernelLaunchSlots(TileKernel *kernel, const TileLaunch *launch, const uint64_t *slots,
                           unsigned count, TileStream *stream, TileError *error) {
  void *parameters[MAX_SLOTS];
  if (count != kernel->info.parameters || count > MAX_SLOTS)
    return tileErrorSet(error, "expected %u arguments for '%s', found %u", kernel->info.parameters,
                        kernel->name, count);
  for (unsigned i = 0; i < count; ++i) {
    if (kernel->parameterBytes[i] > sizeof *slots)
      return tileErrorSet(error,
                          "expected parameters of at most 8 bytes in '%s', found %zu bytes in "
                          "parameter %u",
                          kernel->name, kernel->parameterBytes[i], i);
    parameters[i] = (void *)(uintptr_t)&slots[i];
  }
  return tileKernelLaunch(kernel, launch, parameters, stream, error);
}
