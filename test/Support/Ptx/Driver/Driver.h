//===- Driver.h - the PTX emulator as a CUDA driver (private) -------------===//
//
// The entry points are those of lib/Runtime/Device/Cuda.h, whose numbers and structures these files
// use. Work runs when it is given, on the thread that gives it, one piece at a time; a stream is a
// place to record graphs. A kernel that fails loses the context: every call from then on returns
// its error, as the driver API's reference says of such errors. The environment says what device it
// is:
//
//   PTX_EMULATOR_ARCH=sm_80             sm_90 when unset
//   PTX_EMULATOR_MULTIPROCESSORS=132    8 when unset
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_DRIVER_H
#define TILE_TEST_PTX_DRIVER_H

#include "../../../../lib/Runtime/Device/Cuda.h"
#include "../Emulator.h"
#include "../Memory.h"

/// Declares and defines an entry point.
#define PTX_ENTRY(name, parameters)                                                                \
  __attribute__((visibility("default"))) CudaResult name parameters;                               \
  CudaResult name parameters

enum {
  PTX_OUT_OF_MEMORY = 2,
  PTX_NOT_INITIALIZED = 3,
  PTX_INVALID_DEVICE = 101,
  PTX_INVALID_IMAGE = 200,
  PTX_INVALID_CONTEXT = 201,
  PTX_NO_BINARY = 209,
  PTX_INVALID_HANDLE = 400,
  PTX_NOT_FOUND = 500,
  PTX_COOPERATIVE_TOO_LARGE = 720,
  PTX_CAPTURE_UNSUPPORTED = 900,
};

/// What the emulated device is and has.
typedef struct PtxDevice {
  int arch; ///< 90
  int multiprocessors, threadsPerMultiprocessor, blocksPerMultiprocessor;
  int sharedPerBlock, sharedPerMultiprocessor; ///< the most that is had by asking
  size_t memoryBytes;
} PtxDevice;

const PtxDevice *ptxDeviceGet(void);

/// A kernel, which is what the driver calls a function.
typedef struct PtxKernel {
  PtxEntry *entry;
  const PtxEntryInfo *info;
  int maxDynamicShared;
  bool allowsLargeClusters;
  struct PtxKernel *next;
} PtxKernel;

/// Blocks of a kernel that a multiprocessor holds.
int ptxKernelGetOccupancy(const PtxKernel *kernel, int threads, size_t sharedBytes);
/// Registers of a thread: not known from PTX, so what the kernel's own limits allow, at most 128.
int ptxKernelGetRegisters(const PtxKernel *kernel);

/// The error that lost the context, 0 while none has. Any thread.
CudaResult ptxContextGetError(void);
void ptxContextSetError(CudaResult error);

#endif // TILE_TEST_PTX_DRIVER_H
