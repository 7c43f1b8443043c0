//===- Cuda.h - the runtime's view of the CUDA driver (private) -----------===//
//
// The types, numbers and entry points of the CUDA Driver API that the runtime uses, declared here
// so that building needs no CUDA header. Names and values are those of NVIDIA's driver API
// reference; a suffix _v2 is the symbol that the header's macro of the plain name stands for.
//===----------------------------------------------------------------------===//
#ifndef TILE_LIB_RUNTIME_CUDA_H
#define TILE_LIB_RUNTIME_CUDA_H

#include "tile/Runtime/Driver.h"
#include <pthread.h>

typedef int CudaResult;
typedef int CudaDevice;
typedef void *CudaHandle; ///< A context, module, function, stream, event or link state.

enum { CUDA_SUCCESS_CODE = 0, CUDA_NOT_FOUND_CODE = 500, CUDA_OUT_OF_MEMORY_CODE = 2 };

enum CudaDeviceAttribute {
  CUDA_MAX_THREADS_PER_BLOCK = 1,
  CUDA_MAX_BLOCK_X = 2,
  CUDA_MAX_GRID_X = 5,
  CUDA_SHARED_PER_BLOCK = 8,
  CUDA_WARP_SIZE = 10,
  CUDA_REGISTERS_PER_BLOCK = 12,
  CUDA_CLOCK_RATE = 13,
  CUDA_MULTIPROCESSORS = 16,
  CUDA_MEMORY_CLOCK_RATE = 36,
  CUDA_MEMORY_BUS_WIDTH = 37,
  CUDA_L2_BYTES = 38,
  CUDA_THREADS_PER_MULTIPROCESSOR = 39,
  CUDA_CAPABILITY_MAJOR = 75,
  CUDA_CAPABILITY_MINOR = 76,
  CUDA_SHARED_PER_MULTIPROCESSOR = 81,
  CUDA_REGISTERS_PER_MULTIPROCESSOR = 82,
  CUDA_SHARED_PER_BLOCK_OPTIN = 97,
  CUDA_CLUSTER_LAUNCH = 120,
};

enum CudaFunctionAttribute {
  CUDA_FUNCTION_MAX_THREADS = 0,
  CUDA_FUNCTION_SHARED_BYTES = 1,
  CUDA_FUNCTION_CONST_BYTES = 2,
  CUDA_FUNCTION_LOCAL_BYTES = 3,
  CUDA_FUNCTION_REGISTERS = 4,
  CUDA_FUNCTION_PTX_VERSION = 5,
  CUDA_FUNCTION_BINARY_VERSION = 6,
  CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
  CUDA_FUNCTION_NON_PORTABLE_CLUSTER = 14,
};

enum CudaPointerAttribute {
  CUDA_POINTER_MEMORY_TYPE = 2,
  CUDA_POINTER_IS_MANAGED = 8,
  CUDA_MEMORY_DEVICE = 2, ///< a value of the first
};

enum CudaJitOption {
  CUDA_JIT_MAX_REGISTERS = 0,
  CUDA_JIT_INFO_LOG = 3,
  CUDA_JIT_INFO_LOG_BYTES = 4,
  CUDA_JIT_ERROR_LOG = 5,
  CUDA_JIT_ERROR_LOG_BYTES = 6,
  CUDA_JIT_LOG_VERBOSE = 12,
  CUDA_JIT_LINE_INFO = 13,
};

enum {
  CUDA_JIT_INPUT_PTX = 1,
  CUDA_STREAM_NON_BLOCKING = 1,
  CUDA_LAUNCH_COOPERATIVE = 2,
  CUDA_LAUNCH_CLUSTER = 4,
  CUDA_CAPTURE_RELAXED = 2,
  CUDA_EVENT_RECORD_EXTERNAL = 1,
};

typedef struct CudaLaunchAttribute {
  int id;
  int pad;
  union {
    char bytes[64];
    unsigned cluster[3];
    int cooperative;
  } value;
} CudaLaunchAttribute;

typedef struct CudaLaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  CudaHandle stream;
  CudaLaunchAttribute *attributes;
  unsigned attributeCount;
} CudaLaunchConfig;

_Static_assert(sizeof(CudaLaunchAttribute) == 72, "CUlaunchAttribute is 72 bytes");
_Static_assert(sizeof(CudaLaunchConfig) == 56, "CUlaunchConfig is 56 bytes");

/// X(field, symbol, parameters): entry points that every driver of the required version has.
#define TILE_CUDA_REQUIRED(X)                                                                      \
  X(init, "cuInit", (unsigned))                                                                    \
  X(getErrorName, "cuGetErrorName", (CudaResult, const char **))                                   \
  X(getErrorString, "cuGetErrorString", (CudaResult, const char **))                               \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                                                   \
  X(deviceGet, "cuDeviceGet", (CudaDevice *, int))                                                 \
  X(deviceGetName, "cuDeviceGetName", (char *, int, CudaDevice))                                   \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CudaDevice))                          \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, CudaDevice))                                 \
  X(primaryRetain, "cuDevicePrimaryCtxRetain", (CudaHandle *, CudaDevice))                         \
  X(primaryRelease, "cuDevicePrimaryCtxRelease_v2", (CudaDevice))                                  \
  X(ctxSetCurrent, "cuCtxSetCurrent", (CudaHandle))                                                \
  X(ctxGetCurrent, "cuCtxGetCurrent", (CudaHandle *))                                              \
  X(ctxGetDevice, "cuCtxGetDevice", (CudaDevice *))                                                \
  X(ctxGetId, "cuCtxGetId", (CudaHandle, unsigned long long *))                                    \
  X(ctxSynchronize, "cuCtxSynchronize", (void))                                                    \
  X(moduleLoad, "cuModuleLoadDataEx", (CudaHandle *, const void *, unsigned, int *, void **))      \
  X(moduleUnload, "cuModuleUnload", (CudaHandle))                                                  \
  X(moduleGetFunction, "cuModuleGetFunction", (CudaHandle *, CudaHandle, const char *))            \
  X(moduleGetGlobal, "cuModuleGetGlobal_v2",                                                       \
    (TileDevicePtr *, size_t *, CudaHandle, const char *))                                         \
  X(funcGetAttribute, "cuFuncGetAttribute", (int *, int, CudaHandle))                              \
  X(funcSetAttribute, "cuFuncSetAttribute", (CudaHandle, int, int))                                \
  X(funcGetParamInfo, "cuFuncGetParamInfo", (CudaHandle, size_t, size_t *, size_t *))              \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *, CudaHandle, int, size_t))    \
  X(launch, "cuLaunchKernelEx", (const CudaLaunchConfig *, CudaHandle, void **, void **))          \
  X(memAlloc, "cuMemAlloc_v2", (TileDevicePtr *, size_t))                                          \
  X(memFree, "cuMemFree_v2", (TileDevicePtr))                                                      \
  X(memGetInfo, "cuMemGetInfo_v2", (size_t *, size_t *))                                           \
  X(copyIn, "cuMemcpyHtoDAsync_v2", (TileDevicePtr, const void *, size_t, CudaHandle))             \
  X(copyOut, "cuMemcpyDtoHAsync_v2", (void *, TileDevicePtr, size_t, CudaHandle))                  \
  X(copy, "cuMemcpyDtoDAsync_v2", (TileDevicePtr, TileDevicePtr, size_t, CudaHandle))              \
  X(set, "cuMemsetD8Async", (TileDevicePtr, unsigned char, size_t, CudaHandle))                    \
  X(streamCreate, "cuStreamCreate", (CudaHandle *, unsigned))                                      \
  X(streamDestroy, "cuStreamDestroy_v2", (CudaHandle))                                             \
  X(streamSynchronize, "cuStreamSynchronize", (CudaHandle))                                        \
  X(eventCreate, "cuEventCreate", (CudaHandle *, unsigned))                                        \
  X(eventDestroy, "cuEventDestroy_v2", (CudaHandle))                                               \
  X(eventRecord, "cuEventRecord", (CudaHandle, CudaHandle))                                        \
  X(eventSynchronize, "cuEventSynchronize", (CudaHandle))                                          \
  X(eventElapsed, "cuEventElapsedTime", (float *, CudaHandle, CudaHandle))                         \
  X(linkCreate, "cuLinkCreate_v2", (unsigned, int *, void **, CudaHandle *))                       \
  X(linkAdd, "cuLinkAddData_v2",                                                                   \
    (CudaHandle, int, void *, size_t, const char *, unsigned, int *, void **))                     \
  X(linkComplete, "cuLinkComplete", (CudaHandle, void **, size_t *))                               \
  X(linkDestroy, "cuLinkDestroy", (CudaHandle))

/// Entry points whose absence only rules out what needs them.
#define TILE_CUDA_OPTIONAL(X)                                                                      \
  X(tensorMapEncode, "cuTensorMapEncodeTiled",                                                     \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *, const uint32_t *,          \
     const uint32_t *, int, int, int, int))                                                        \
  X(pointerGetAttribute, "cuPointerGetAttribute", (void *, int, TileDevicePtr))                    \
  X(pciBusId, "cuDeviceGetPCIBusId", (char *, int, CudaDevice))                                    \
  X(beginCapture, "cuStreamBeginCapture_v2", (CudaHandle, int))                                    \
  X(endCapture, "cuStreamEndCapture", (CudaHandle, CudaHandle *))                                  \
  X(eventRecordWithFlags, "cuEventRecordWithFlags", (CudaHandle, CudaHandle, unsigned))            \
  X(graphDestroy, "cuGraphDestroy", (CudaHandle))                                                  \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                                               \
    (CudaHandle *, CudaHandle, unsigned long long))                                                \
  X(graphLaunch, "cuGraphLaunch", (CudaHandle, CudaHandle))                                        \
  X(graphExecDestroy, "cuGraphExecDestroy", (CudaHandle))                                          \
  X(activeClusters, "cuOccupancyMaxActiveClusters", (int *, CudaHandle, const CudaLaunchConfig *))

struct TileDriver {
  char *path;
  void *library;
  int version, deviceCount;
  /// Devices whose primary contexts are held, a bit each, of the first 64.
  _Atomic uint64_t held;
  CudaResult (*driverGetVersion)(int *);
#define TILE_CUDA_FIELD(field, symbol, parameters) CudaResult(*field) parameters;
  TILE_CUDA_REQUIRED(TILE_CUDA_FIELD)
  TILE_CUDA_OPTIONAL(TILE_CUDA_FIELD)
#undef TILE_CUDA_FIELD
};

struct TileDevice {
  TileDriver *driver;
  CudaDevice device;
  CudaHandle context, stream;
  bool borrowed; ///< the context is somebody else's
  TileDeviceInfo info;
  pthread_mutex_t flushMutex;
  TileDevicePtr flushBuffer;
};

struct TileStream {
  TileDevice *device;
  CudaHandle stream;
  bool isCurrent; ///< so is the device's context, as long as this is used
};

struct TileEvent {
  TileDevice *device;
  CudaHandle event;
};

struct TileModule {
  TileDevice *device;
  CudaHandle module;
  pthread_mutex_t mutex;
  TileKernel *kernels; ///< A list through TileKernel.next.
};

struct TileKernel {
  TileModule *module;
  TileKernel *next;
  CudaHandle function;
  char *name;
  TileKernelInfo info;
  size_t *parameterBytes;
  int maxDynamicShared; ///< What the driver was last told.
  bool nonPortableCluster;
  /// The last launch that was checked and prepared for.
  TileLaunch checked;
};

/// True for success; otherwise a message `expected WHAT to succeed, found CUDA_ERROR_... (text)`.
bool tileCudaCheck(const TileDriver *driver, CudaResult result, const char *what, TileError *error);

/// Makes the device's context current on this thread.
bool tileCudaEnter(const TileDevice *device, TileError *error);

/// The handle of a stream, the device's own for NULL.
static inline CudaHandle tileCudaGetStream(const TileDevice *device, const TileStream *stream) {
  return stream ? stream->stream : device->stream;
}

#endif // TILE_LIB_RUNTIME_CUDA_H
