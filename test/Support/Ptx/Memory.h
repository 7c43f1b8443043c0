//===- Memory.h - the PTX emulator's device memory and shared windows -----===//
//
// Device memory is host memory, and a device address is the host's. What is allocated (by
// cuMemAlloc, or a module's variables) is listed here, so that an access elsewhere is an error.
//===----------------------------------------------------------------------===//
#ifndef TILE_TEST_PTX_MEMORY_H
#define TILE_TEST_PTX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A span of device memory, [first, last).
typedef struct PtxSpan {
  uint64_t first, last;
} PtxSpan;

/// Allocates device memory on a 256-byte boundary, filled with a5. 0 where there is none left.
uint64_t ptxMemoryAllocate(size_t bytes);
/// False for an address that ptxMemoryAllocate did not give.
bool ptxMemoryFree(uint64_t address);

/// The allocation that has the address, or an empty span. Any thread. For many accesses: keep the
/// span, it holds until a launch ends (nothing is freed while a kernel runs).
PtxSpan ptxMemoryFind(uint64_t address);

/// Whether one allocation has all of the bytes.
static inline bool ptxMemoryHas(uint64_t address, uint64_t bytes) {
  PtxSpan span = ptxMemoryFind(address);
  return span.last != span.first && bytes <= span.last - address;
}

/// Bytes allocated at present.
size_t ptxMemoryGetUsed(void);

struct PtxFault;

/// A block's shared memory as the instructions here see it: addresses are offsets in it.
typedef struct PtxShared {
  uint8_t *bytes;
  uint32_t size;
  /// A byte for each byte of shared memory: nonzero once it was written. NULL: not watched. Reads
  /// of an unwritten byte are then errors, and writes mark.
  uint8_t *written;
  /// Asked of every read and write that is inside; NULL for nobody. False with a fault.
  bool (*see)(const struct PtxShared *shared, uint64_t address, uint32_t bytes, bool isWrite,
              struct PtxFault *fault);
  const void *watcher; ///< its own
} PtxShared;

/// Whether accesses have to be told to ptxSharedCheckRead and ptxSharedCheckWrite.
static inline bool ptxSharedIsWatched(const PtxShared *shared) {
  return shared->written || shared->see;
}

/// What went wrong, for a launch's error: text and CUDA's number of it (700 for an address, 716 for
/// a misaligned one, 719 for others). text[0] is 0 for no error.
typedef struct PtxFault {
  int code;
  char text[236];
} PtxFault;

/// Keeps the first fault of those reported. False, to be returned.
bool ptxFaultSet(PtxFault *fault, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Whether the window has the bytes (and, where watched, all were written before a read).
bool ptxSharedCheckRead(const PtxShared *shared, uint64_t address, uint32_t bytes, PtxFault *fault);
bool ptxSharedCheckWrite(const PtxShared *shared, uint64_t address, uint32_t bytes,
                         PtxFault *fault);

#endif // TILE_TEST_PTX_MEMORY_H
