//===- Device.c - the emulated device, its context and its errors ---------===//
#include "Driver.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PtxDevice device;
static pthread_once_t described = PTHREAD_ONCE_INIT;
/// The one context: its address is its handle.
static int context;
static _Thread_local CudaHandle current;
static atomic_int lost;

/// The largest number of threads and shared memory, by the tables of the CUDA C++ programming
/// guide, "Compute Capabilities".
static void describe(void) {
  const char *arch = getenv("PTX_EMULATOR_ARCH"), *count = getenv("PTX_EMULATOR_MULTIPROCESSORS");
  int number = arch && !strncmp(arch, "sm_", 3) ? (int)strtol(arch + 3, NULL, 10) : 90;
  int multiprocessors = count ? (int)strtol(count, NULL, 10) : 8;
  bool isSmall = number == 86 || number == 89 || number >= 110;
  device = (PtxDevice){
      .arch = number,
      .multiprocessors = multiprocessors > 0 ? multiprocessors : 1,
      .threadsPerMultiprocessor = isSmall ? 1536 : 2048,
      .blocksPerMultiprocessor = number == 86              ? 16
                                 : number == 89 || isSmall ? 24
                                                           : 32,
      .sharedPerBlock = (isSmall       ? 99
                         : number < 90 ? 163
                                       : 227)
                        << 10,
      .sharedPerMultiprocessor = (isSmall       ? 100
                                  : number < 90 ? 164
                                                : 228)
                                 << 10,
      .memoryBytes = (size_t)8 << 30,
  };
}

const PtxDevice *ptxDeviceGet(void) {
  pthread_once(&described, describe);
  return &device;
}

CudaResult ptxContextGetError(void) { return atomic_load(&lost); }

void ptxContextSetError(CudaResult error) {
  int none = 0;
  atomic_compare_exchange_strong(&lost, &none, error);
}

//===- Errors -------------------------------------------------------------===//

static const struct {
  CudaResult code;
  const char *name, *text;
} errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the PTX was compiled with an unsupported toolchain"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {710, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "operation not supported on this address space"},
    {718, "CUDA_ERROR_INVALID_PC", "invalid program counter"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
};

static CudaResult findError(CudaResult code, const char **name, const char **text) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i) {
    if (errors[i].code != code) continue;
    *(name ? name : text) = name ? errors[i].name : errors[i].text;
    return 0;
  }
  *(name ? name : text) = NULL;
  return PTX_INVALID_VALUE;
}

PTX_ENTRY(cuGetErrorName, (CudaResult result, const char **name)) {
  return findError(result, name, NULL);
}

PTX_ENTRY(cuGetErrorString, (CudaResult result, const char **text)) {
  return findError(result, NULL, text);
}

//===- The device ---------------------------------------------------------===//

PTX_ENTRY(cuDriverGetVersion, (int *version)) {
  *version = 13000;
  return 0;
}

PTX_ENTRY(cuInit, (unsigned flags)) { return flags ? PTX_INVALID_VALUE : 0; }

PTX_ENTRY(cuDeviceGetCount, (int *count)) {
  *count = 1;
  return 0;
}

PTX_ENTRY(cuDeviceGet, (CudaDevice * result, int ordinal)) {
  *result = ordinal;
  return ordinal ? PTX_INVALID_DEVICE : 0;
}

PTX_ENTRY(cuDeviceGetName, (char *name, int length, CudaDevice of)) {
  snprintf(name, (size_t)length, "PTX emulator of sm_%d", ptxDeviceGet()->arch);
  return of ? PTX_INVALID_DEVICE : 0;
}

PTX_ENTRY(cuDeviceTotalMem_v2, (size_t *bytes, CudaDevice of)) {
  *bytes = ptxDeviceGet()->memoryBytes;
  return of ? PTX_INVALID_DEVICE : 0;
}

PTX_ENTRY(cuDeviceGetPCIBusId, (char *text, int length, CudaDevice of)) {
  snprintf(text, (size_t)length, "0000:00:00.%d", of);
  return of ? PTX_INVALID_DEVICE : 0;
}

PTX_ENTRY(cuDeviceGetAttribute, (int *value, int attribute, CudaDevice of)) {
  const PtxDevice *d = ptxDeviceGet();
  const int values[][2] = {
      {CUDA_MAX_THREADS_PER_BLOCK, 1024},
      {CUDA_MAX_BLOCK_X, 1024},
      {CUDA_MAX_BLOCK_X + 1, 1024},
      {CUDA_MAX_BLOCK_X + 2, 64},
      {CUDA_MAX_GRID_X, 2147483647},
      {CUDA_MAX_GRID_X + 1, 65535},
      {CUDA_MAX_GRID_X + 2, 65535},
      {CUDA_SHARED_PER_BLOCK, 48 << 10},
      {CUDA_WARP_SIZE, 32},
      {CUDA_REGISTERS_PER_BLOCK, 65536},
      {CUDA_REGISTERS_PER_MULTIPROCESSOR, 65536},
      {CUDA_CLOCK_RATE, 1000000},
      {CUDA_MULTIPROCESSORS, d->multiprocessors},
      {CUDA_MEMORY_CLOCK_RATE, 1000000},
      {CUDA_MEMORY_BUS_WIDTH, 512},
      {CUDA_L2_BYTES, 64 << 10}, // small, for measurements write over all of it
      {CUDA_THREADS_PER_MULTIPROCESSOR, d->threadsPerMultiprocessor},
      {CUDA_CAPABILITY_MAJOR, d->arch / 10},
      {CUDA_CAPABILITY_MINOR, d->arch % 10},
      {CUDA_SHARED_PER_MULTIPROCESSOR, d->sharedPerMultiprocessor},
      {CUDA_SHARED_PER_BLOCK_OPTIN, d->sharedPerBlock},
      {CUDA_CLUSTER_LAUNCH, d->arch >= 90},
  };
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    if (values[i][0] != attribute) continue;
    *value = values[i][1];
    return of ? PTX_INVALID_DEVICE : 0;
  }
  return PTX_INVALID_VALUE;
}

//===- Its context --------------------------------------------------------===//

PTX_ENTRY(cuDevicePrimaryCtxRetain, (CudaHandle * result, CudaDevice of)) {
  *result = &context;
  return of ? PTX_INVALID_DEVICE : 0;
}

PTX_ENTRY(cuDevicePrimaryCtxRelease_v2, (CudaDevice of)) { return of ? PTX_INVALID_DEVICE : 0; }

PTX_ENTRY(cuCtxSetCurrent, (CudaHandle wanted)) {
  if (wanted && wanted != &context) return PTX_INVALID_CONTEXT;
  current = wanted;
  return 0;
}

PTX_ENTRY(cuCtxGetCurrent, (CudaHandle * result)) {
  *result = current;
  return 0;
}

PTX_ENTRY(cuCtxGetDevice, (CudaDevice * result)) {
  *result = 0;
  return current ? 0 : PTX_INVALID_CONTEXT;
}

PTX_ENTRY(cuCtxGetId, (CudaHandle of, unsigned long long *number)) {
  *number = 1;
  return !of || of == &context ? 0 : PTX_INVALID_CONTEXT;
}

PTX_ENTRY(cuCtxSynchronize, (void)) { return ptxContextGetError(); }
