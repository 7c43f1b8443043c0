//===- Launch.c - launches, and what a driver refuses of them -------------===//
#include "Work.h"
#include <stdlib.h>
#include <string.h>

enum { PORTABLE_CLUSTER = 8, MOST_CLUSTER = 16 };

/// Reads a launch's attributes. False for one that is not known.
static bool readAttributes(const CudaLaunchConfig *config, PtxLaunch *launch) {
  for (int i = 0; i < 3; ++i) launch->cluster[i] = 1;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    const CudaLaunchAttribute *a = &config->attributes[i];
    if (a->id == CUDA_LAUNCH_CLUSTER)
      memcpy(launch->cluster, a->value.cluster, sizeof launch->cluster);
    else if (a->id == CUDA_LAUNCH_COOPERATIVE)
      launch->cooperative = a->value.cooperative != 0;
    else
      return false;
  }
  return true;
}

/// What the driver refuses before it launches anything. Says how many blocks are resident.
static CudaResult check(const PtxKernel *kernel, PtxLaunch *launch) {
  uint64_t threads = 1, blocks = 1, cluster = 1;
  for (int i = 0; i < 3; ++i) {
    const uint32_t each = launch->cluster[i];
    if (!launch->grid[i] || !launch->block[i] || !each || launch->grid[i] % each)
      return PTX_INVALID_VALUE;
    if (launch->block[i] > 1024 || each > MOST_CLUSTER) return PTX_INVALID_VALUE;
    threads *= launch->block[i], blocks *= launch->grid[i], cluster *= each;
  }
  if (cluster > (kernel->allowsLargeClusters ? MOST_CLUSTER : PORTABLE_CLUSTER) ||
      (cluster > 1 && ptxDeviceGet()->arch < 90) || threads > (uint64_t)kernel->info->maxThreads ||
      launch->sharedBytes > (uint32_t)kernel->maxDynamicShared)
    return PTX_INVALID_VALUE;
  const int held = ptxKernelGetOccupancy(kernel, (int)threads, launch->sharedBytes);
  if (!held) return PTX_TOO_MANY_RESOURCES;
  launch->resident = held * ptxDeviceGet()->multiprocessors;
  return launch->cooperative && blocks > (uint64_t)launch->resident ? PTX_COOPERATIVE_TOO_LARGE : 0;
}

PTX_ENTRY(cuLaunchKernelEx,
          (const CudaLaunchConfig *config, CudaHandle of, void **parameters, void **extra)) {
  PtxKernel *kernel = of;
  PtxWork work = {.kind = PTX_WORK_LAUNCH, .kernel = kernel};
  PtxLaunch *launch = &work.launch;
  memcpy(launch->grid, config->grid, sizeof launch->grid);
  memcpy(launch->block, config->block, sizeof launch->block);
  launch->sharedBytes = config->sharedBytes;
  const PtxEntryInfo *info = kernel->info;
  if (extra || (info->parameterCount && !parameters) || !readAttributes(config, launch))
    return PTX_INVALID_VALUE;
  CudaResult result = check(kernel, launch);
  if (result) return result;
  // Tensor maps among the parameters lie on 64 bytes.
  const size_t bytes = (info->parameterBytes + 63) / 64 * 64;
  unsigned char *packed = aligned_alloc(64, bytes ? bytes : 64);
  if (!packed) return PTX_OUT_OF_MEMORY;
  for (int i = 0; i < info->parameterCount; ++i)
    memcpy(packed + info->parameters[i].offset, parameters[i], info->parameters[i].bytes);
  launch->parameters = packed;
  result = ptxStreamGive(config->stream, &work);
  free(packed);
  return result;
}
