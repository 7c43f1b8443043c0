//===- Driver.h - the CUDA driver, devices, kernels, launches -------------===//
//
// The CUDA driver is opened with dlopen at run time: building needs no CUDA toolkit, and a machine
// without a GPU gets one clear line from tileDriverOpen. From text to a launch:
//
//   TileDriver *driver = tileDriverOpen(&error);
//   TileDevice *device = tileDeviceCreate(driver, 0, &error);
//   TileModule *module = tileModuleCreate(device, ptx, strlen(ptx), NULL, &error);
//   TileKernel *kernel = tileModuleGetKernel(module, "add", &error);
//   TileLaunch launch = {.grid = {96, 1, 1}, .block = {128, 1, 1}};
//   uint64_t slots[] = {x, y, out, n};
//   bool ok = tileKernelLaunchSlots(kernel, &launch, slots, 4, NULL, &error);
//
// Always true: a launch that asks for more threads, registers, shared memory or a larger cluster
// than there is fails before it reaches the device, and the message names the limit and the ask.
// Nothing here prints, exits, or touches the device's settings.
//
// Every function makes the device's primary context current on the calling thread; functions may be
// called from any thread, a launch and a change of the same kernel's attributes not at once. Work
// goes to the device's own stream unless a stream is given; that stream does not synchronize with
// the legacy default stream. Launches and copies between device addresses are asynchronous, copies
// between host and device return when the host memory may be reused or read.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_DRIVER_H
#define TILE_RUNTIME_DRIVER_H

#include "tile/Runtime/ElementType.h"
#include "tile/Runtime/Error.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An address in a device's memory; 0 is none.
typedef uint64_t TileDevicePtr;

typedef struct TileDriver TileDriver;
typedef struct TileDevice TileDevice;
typedef struct TileModule TileModule;
typedef struct TileKernel TileKernel;
typedef struct TileStream TileStream;
typedef struct TileEvent TileEvent;

//===- The driver ---------------------------------------------------------===//

/// The oldest driver that takes what the compiler emits (PTX ISA 8.6): CUDA 12.7, in the driver's
/// own numbering 1000 * major + 10 * minor.
enum { TILE_MIN_DRIVER_VERSION = 12070 };

/// The process's driver, opened at the first call (from $TILE_CUDA_DRIVER if set, else
/// libcuda.so.1) and kept until exit; borrowed. Safe from any thread; a failure is remembered and
/// reported again. Fails when the library or one of its entry points is missing, the driver is
/// older than TILE_MIN_DRIVER_VERSION (the message has both versions), or there is no device.
TileDriver *tileDriverOpen(TileError *error);

/// The same from a given path, opened anew and owned by the caller. For tests and embedders.
TileDriver *tileDriverCreate(const char *path, TileError *error);

/// Closes a driver made by tileDriverCreate; its devices must be gone. NULL is allowed.
void tileDriverDestroy(TileDriver *driver);

/// The process's driver where it is open, also by somebody else's hand (the library is loaded):
/// nothing is loaded or begun for the question. NULL where it is not.
TileDriver *tileDriverFind(void);
/// The same where this runtime has opened it, which takes no time to say.
TileDriver *tileDriverGet(void);
/// Is this memory of a device's, which the host cannot read? Managed memory is not.
bool tileDriverIsDeviceMemory(const TileDriver *driver, uint64_t address);

//===- Contexts of others -------------------------------------------------===//

/// A number for the driver's context that is current on this thread, which no other context of the
/// process has or will have. Where none is current, the primary context of device 0 becomes it, and
/// stays until the process ends.
bool tileDriverEnterCurrent(TileDriver *driver, uint64_t *context, TileError *error);

/// The primary context of device `ordinal` becomes current on this thread; it stays until the
/// process ends.
bool tileDriverEnterPrimary(TileDriver *driver, uint32_t ordinal, TileError *error);

/// The driver's context (a CUcontext) that is current on this thread, NULL for none; and making it
/// current again.
void *tileDriverGetCurrent(const TileDriver *driver);
void tileDriverSetCurrent(const TileDriver *driver, void *context);

//===- Devices ------------------------------------------------------------===//

/// What a kernel can count on. Sizes in bytes.
typedef struct TileDeviceInfo {
  char name[128];
  /// Compute capability: 9 and 0 for sm_90.
  int major, minor;
  int ordinal;
  int driverVersion;
  int multiprocessors;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiprocessor;
  int maxBlockExtent[3], maxGridExtent[3];
  int registersPerBlock, registersPerMultiprocessor;
  /// Shared memory a block gets without asking, at most when it asks (static and dynamic together),
  /// and what a multiprocessor has.
  int sharedPerBlock, sharedPerBlockOptin, sharedPerMultiprocessor;
  int l2Bytes;
  bool clusters;
  size_t memoryBytes;
  /// Highest clocks in kHz (0 when the driver does not say) and the memory bus width in bits: for
  /// peak rates.
  int clockKHz, memoryClockKHz, memoryBusBits;
} TileDeviceInfo;

/// Retains the primary context of device `ordinal` and makes the device's own stream.
TileDevice *tileDeviceCreate(TileDriver *driver, int ordinal, TileError *error);

/// The device of the context that is current on this thread, in which all then happens, and which
/// stays its owner's. It must outlive the device, or what it held is lost with it.
TileDevice *tileDeviceBorrow(TileDriver *driver, TileError *error);

/// Frees the stream and releases the context; modules, streams, events and memory of the device
/// must be gone. NULL is allowed.
void tileDeviceDestroy(TileDevice *device);

const TileDeviceInfo *tileDeviceGetInfo(const TileDevice *device);

/// The device's address on the PCI bus, as "0000:1b:00.0", by which other libraries know it.
bool tileDeviceGetPciAddress(const TileDevice *device, char *text, size_t size, TileError *error);

/// Makes the device's primary context current on this thread and gives its own stream, a CUstream:
/// for libraries that work beside this one. NULL after an error.
void *tileDeviceEnterForeign(TileDevice *device, TileError *error);

/// Waits for all work on the device, and reports a kernel's late failure (an illegal address, say).
bool tileDeviceSynchronize(TileDevice *device, TileError *error);

//===- Memory -------------------------------------------------------------===//

/// Allocates `bytes` (0 is taken as 1) on a 256-byte boundary. The message of a failure says how
/// much was asked for and how much is free.
bool tileDeviceAlloc(TileDevice *device, size_t bytes, TileDevicePtr *result, TileError *error);
/// Frees what tileDeviceAlloc gave; waits for work that may use it. 0 is allowed.
void tileDeviceFree(TileDevice *device, TileDevicePtr pointer);

/// Copies between host and device, ordered after earlier work on the device's own stream; they
/// return when the copy is done.
bool tileDeviceCopyIn(TileDevice *device, TileDevicePtr to, const void *from, size_t bytes,
                      TileError *error);
bool tileDeviceCopyOut(TileDevice *device, void *to, TileDevicePtr from, size_t bytes,
                       TileError *error);
/// Copies on the device, asynchronously on `stream` (NULL: the device's own).
bool tileDeviceCopy(TileDevice *device, TileDevicePtr to, TileDevicePtr from, size_t bytes,
                    TileStream *stream, TileError *error);
/// Sets bytes, asynchronously.
bool tileDeviceSet(TileDevice *device, TileDevicePtr to, uint8_t value, size_t bytes,
                   TileStream *stream, TileError *error);

/// Puts other data into the L2 cache by writing a scratch buffer of twice its size, asynchronously:
/// for timing with a cold cache. The buffer is made at the first call and freed with the device.
bool tileDeviceFlushL2(TileDevice *device, TileStream *stream, TileError *error);

//===- Streams and events -------------------------------------------------===//

/// A stream that somebody else made in the device's primary context (a CUstream; NULL is the legacy
/// default stream), for work of ours in order with theirs. Destroy leaves the stream itself alone.
TileStream *tileStreamBorrow(TileDevice *device, void *stream);
void tileStreamDestroy(TileStream *stream);
/// Waits for the work given to the stream so far. `stream` may be NULL: the device's own.
bool tileStreamSynchronize(TileDevice *device, TileStream *stream, TileError *error);

/// An event that keeps time.
TileEvent *tileEventCreate(TileDevice *device, TileError *error);
void tileEventDestroy(TileEvent *event);
/// Marks the point after all work given to `stream` (NULL: the device's own) so far.
bool tileEventRecord(TileEvent *event, TileStream *stream, TileError *error);
bool tileEventSynchronize(TileEvent *event, TileError *error);
/// Milliseconds between two recorded events, waiting for the second. Resolution about 0.5 us.
bool tileEventGetElapsed(TileEvent *from, TileEvent *to, double *milliseconds, TileError *error);

//===- Graphs -------------------------------------------------------------===//

/// Work that was recorded once and runs again with one call, none of it waiting for the host.
typedef struct TileGraph TileGraph;

/// From here to tileGraphEnd, work given to the device's own stream by this thread is recorded
/// instead of run. Copies from and to the host do not belong there, nor does waiting. Fails where
/// the driver has no graphs.
bool tileGraphBegin(TileDevice *device, TileError *error);
/// Ends the recording, always; NULL with an error when something in it failed.
TileGraph *tileGraphEnd(TileDevice *device, TileError *error);
/// Runs all of it on the device's own stream, asynchronously.
bool tileGraphLaunch(TileGraph *graph, TileError *error);
void tileGraphDestroy(TileGraph *graph);
/// tileEventRecord for the time between Begin and End: each run of the graph records the event.
bool tileGraphRecordEvent(TileEvent *event, TileError *error);

//===- Modules and kernels ------------------------------------------------===//

typedef struct TileModuleOptions {
  /// Most registers a thread may use; 0 leaves it to the kernel's own directives.
  unsigned maxRegisters;
  /// Keep line information for profilers (PTX only).
  bool lineInfo;
} TileModuleOptions;

/// Loads PTX text or a cubin (told apart by the ELF magic). `image` needs no terminating NUL and
/// may be freed after. `options` may be NULL. A failure carries the assembler's log.
TileModule *tileModuleCreate(TileDevice *device, const void *image, size_t size,
                             const TileModuleOptions *options, TileError *error);
/// Unloads it, with its kernels. NULL is allowed.
void tileModuleDestroy(TileModule *module);

/// Assembles PTX to a cubin for the device's own architecture, without loading it. `*cubin` is the
/// caller's, released with free().
bool tileDeviceAssemble(TileDevice *device, const void *ptx, size_t size,
                        const TileModuleOptions *options, void **cubin, size_t *cubinSize,
                        TileError *error);

/// The address and size of a global variable of the module.
bool tileModuleGetGlobal(TileModule *module, const char *name, TileDevicePtr *pointer,
                         size_t *bytes, TileError *error);

/// The kernel of that name, borrowed from the module; the same handle each time.
TileKernel *tileModuleGetKernel(TileModule *module, const char *name, TileError *error);

typedef struct TileKernelInfo {
  /// Registers a thread, and bytes a thread keeps in local memory: register spills and arrays that
  /// are indexed dynamically.
  int registers, localBytes;
  /// Bytes of statically declared shared memory, and constant memory.
  int staticSharedBytes, constantBytes;
  /// Most threads in a block that this kernel's registers and its .maxntid allow.
  int maxThreadsPerBlock;
  /// The PTX ISA or architecture it was made for: 10 * major + minor.
  int ptxVersion, binaryVersion;
  /// Number of parameters.
  unsigned parameters;
} TileKernelInfo;

const TileKernelInfo *tileKernelGetInfo(const TileKernel *kernel);
/// Bytes of parameter `index`; 0 when there is no such parameter.
size_t tileKernelGetParameterBytes(const TileKernel *kernel, unsigned index);

/// The shape of a launch. Unused extents are 1; a zero in `cluster` is taken as 1, so that a
/// launch without clusters needs not mention them.
typedef struct TileLaunch {
  uint32_t grid[3], block[3], cluster[3];
  /// Dynamic shared memory, beside what the kernel declares statically.
  uint32_t sharedBytes;
  /// Not 0: all blocks run at the same time, or the driver refuses.
  uint32_t cooperative;
} TileLaunch;

/// Checks that the device can run this launch: threads, registers, shared memory, extents, cluster.
/// Without a device's work; tileKernelLaunch does the same.
bool tileKernelCheckLaunch(const TileKernel *kernel, const TileLaunch *launch, TileError *error);

/// Blocks of such a launch that fit on one multiprocessor at a time (0: none fit).
bool tileKernelGetOccupancy(TileKernel *kernel, const TileLaunch *launch, int *blocks,
                            TileError *error);

/// Blocks of such a launch that the device holds at a time, the grid's extents aside: whole
/// clusters, of which the device may hold fewer than its multiprocessors have room for.
bool tileKernelGetResident(TileKernel *kernel, const TileLaunch *launch, int64_t *blocks,
                           TileError *error);

/// Launches on `stream` (NULL: the device's own). `parameters[i]` points at the value of parameter
/// i, copied before this returns. An extent of 0 in the grid launches nothing.
bool tileKernelLaunch(TileKernel *kernel, const TileLaunch *launch, void *const *parameters,
                      TileStream *stream, TileError *error);

/// The same for parameters of 8 bytes and less in 8-byte slots, the form that TileCpuKernel takes
/// too. `count` must be the kernel's number of parameters.
bool tileKernelLaunchSlots(TileKernel *kernel, const TileLaunch *launch, const uint64_t *slots,
                           unsigned count, TileStream *stream, TileError *error);

//===- Tensor maps --------------------------------------------------------===//

enum { TILE_TENSOR_MAP_MAX_RANK = 5, TILE_TENSOR_MAP_BYTES = 128 };

/// How 16-byte chunks of the box are permuted in shared memory: within rows of this many bytes.
typedef enum TileSwizzle {
  TILE_SWIZZLE_NONE,
  TILE_SWIZZLE_32B,
  TILE_SWIZZLE_64B,
  TILE_SWIZZLE_128B,
} TileSwizzle;

/// The copy engine's description of an array in device memory and of the box that one copy moves
/// (sm_90 and later). Dimensions are in the array's order, the last one contiguous.
typedef struct TileTensorMapSpec {
  TileElementType type;
  /// 1 .. 5.
  unsigned rank;
  /// On a 16-byte boundary.
  TileDevicePtr base;
  /// In elements, each 1 .. 2^32.
  uint64_t shape[TILE_TENSOR_MAP_MAX_RANK];
  /// In bytes, each a multiple of 16 below 2^40; the last (contiguous) dimension's is not read.
  uint64_t strides[TILE_TENSOR_MAP_MAX_RANK];
  /// In elements, each 1 .. 256; the last one's bytes are a multiple of 16 and at most the
  /// swizzle's row.
  uint32_t box[TILE_TENSOR_MAP_MAX_RANK];
  TileSwizzle swizzle;
  /// Out-of-bounds elements read NaN instead of 0 (float types only).
  bool nanFill;
} TileTensorMapSpec;

/// An encoded map, passed to a kernel as a 128-byte `__grid_constant__` parameter: hand
/// tileKernelLaunch its address.
typedef struct TileTensorMap {
#ifdef __cplusplus
  alignas(64)
#else
  _Alignas(64)
#endif
      unsigned char bytes[TILE_TENSOR_MAP_BYTES];
} TileTensorMap;

/// Encodes a map. Fails on a device or driver without the copy engine and on any limit above.
bool tileDeviceEncodeTensorMap(TileDevice *device, const TileTensorMapSpec *spec,
                               TileTensorMap *map, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_DRIVER_H
