//===- Memory.c - the driver's memory, copies and tensor maps -------------===//
#include "../TensorMap.h"
#include "Work.h"
#include <string.h>

PTX_ENTRY(cuMemGetInfo_v2, (size_t *available, size_t *total)) {
  size_t used = ptxMemoryGetUsed();
  *total = ptxDeviceGet()->memoryBytes;
  *available = used < *total ? *total - used : 0;
  return ptxContextGetError();
}

PTX_ENTRY(cuMemAlloc_v2, (TileDevicePtr * pointer, size_t bytes)) {
  size_t available, total;
  CudaResult result = cuMemGetInfo_v2(&available, &total);
  if (result) return result;
  if (!bytes) return PTX_INVALID_VALUE;
  if (bytes > available) return PTX_OUT_OF_MEMORY;
  *pointer = ptxMemoryAllocate(bytes);
  return *pointer ? 0 : PTX_OUT_OF_MEMORY;
}

PTX_ENTRY(cuMemFree_v2, (TileDevicePtr pointer)) {
  if (pointer && !ptxMemoryFree(pointer)) return PTX_INVALID_VALUE;
  return ptxContextGetError();
}

PTX_ENTRY(cuPointerGetAttribute, (void *value, int attribute, TileDevicePtr pointer)) {
  if (!ptxMemoryHas(pointer, 1)) return PTX_INVALID_VALUE;
  unsigned kind = CUDA_MEMORY_DEVICE;
  if (attribute == CUDA_POINTER_MEMORY_TYPE) {
    memcpy(value, &kind, sizeof kind);
    return ptxContextGetError();
  }
  if (attribute != CUDA_POINTER_IS_MANAGED) return PTX_INVALID_VALUE;
  *(unsigned char *)value = 0;
  return ptxContextGetError();
}

static CudaResult copy(TileDevicePtr to, TileDevicePtr from, size_t bytes, CudaHandle stream) {
  return ptxStreamGive(stream, &(PtxWork){.kind = PTX_WORK_COPY,
                                          .to = (void *)(uintptr_t)to,
                                          .from = (const void *)(uintptr_t)from,
                                          .bytes = bytes});
}

PTX_ENTRY(cuMemcpyHtoDAsync_v2,
          (TileDevicePtr to, const void *from, size_t bytes, CudaHandle stream)) {
  if (!ptxMemoryHas(to, bytes)) return PTX_INVALID_VALUE;
  return copy(to, (TileDevicePtr)(uintptr_t)from, bytes, stream);
}

PTX_ENTRY(cuMemcpyDtoHAsync_v2, (void *to, TileDevicePtr from, size_t bytes, CudaHandle stream)) {
  if (!ptxMemoryHas(from, bytes)) return PTX_INVALID_VALUE;
  return copy((TileDevicePtr)(uintptr_t)to, from, bytes, stream);
}

PTX_ENTRY(cuMemcpyDtoDAsync_v2,
          (TileDevicePtr to, TileDevicePtr from, size_t bytes, CudaHandle stream)) {
  if (!ptxMemoryHas(to, bytes) || !ptxMemoryHas(from, bytes)) return PTX_INVALID_VALUE;
  return copy(to, from, bytes, stream);
}

PTX_ENTRY(cuMemsetD8Async,
          (TileDevicePtr to, unsigned char value, size_t bytes, CudaHandle stream)) {
  if (!ptxMemoryHas(to, bytes)) return PTX_INVALID_VALUE;
  return ptxStreamGive(stream, &(PtxWork){.kind = PTX_WORK_SET,
                                          .to = (void *)(uintptr_t)to,
                                          .value = value,
                                          .bytes = bytes});
}

PTX_ENTRY(cuTensorMapEncodeTiled,
          (void *map, int type, unsigned rank, void *base, const uint64_t *shape,
           const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
           int swizzle, int promotion, int fill)) {
  return ptxMapEncode(map, type, rank, base, shape, strides, box, steps, interleave, swizzle,
                      promotion, fill);
}
