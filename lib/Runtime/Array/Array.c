//===- Array.c - making arrays, finding them, moving them -----------------===//
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // madvise
#endif
#include "tile/Runtime/Array.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

//===- The living arrays, sorted by address -------------------------------===//

static pthread_rwlock_t registryLock = PTHREAD_RWLOCK_INITIALIZER;
static TileArray **registry;
static size_t registryCount, registryCapacity;
static _Atomic uint64_t generation;

/// The number of arrays whose data begins at or before `address`.
static size_t countUpTo(uintptr_t address) {
  size_t low = 0, high = registryCount;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)registry[middle]->host <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void enterArray(TileArray *array) {
  pthread_rwlock_wrlock(&registryLock);
  if (registryCount == registryCapacity) {
    size_t capacity = registryCapacity ? 2 * registryCapacity : 16;
    TileArray **larger = tileRuntimeAlloc(capacity * sizeof *larger);
    if (registry) memcpy(larger, registry, registryCount * sizeof *larger);
    free(registry);
    registry = larger;
    registryCapacity = capacity;
  }
  size_t at = countUpTo((uintptr_t)array->host);
  memmove(registry + at + 1, registry + at, (registryCount - at) * sizeof *registry);
  registry[at] = array;
  ++registryCount;
  ++generation;
  pthread_rwlock_unlock(&registryLock);
}

static void removeArray(const TileArray *array) {
  pthread_rwlock_wrlock(&registryLock);
  size_t at = countUpTo((uintptr_t)array->host) - 1;
  --registryCount;
  ++generation;
  memmove(registry + at, registry + at + 1, (registryCount - at) * sizeof *registry);
  if (!registryCount) {
    free(registry);
    registry = NULL;
    registryCapacity = 0;
  }
  pthread_rwlock_unlock(&registryLock);
}

uint64_t tileArrayGetGeneration(void) {
  return atomic_load_explicit(&generation, memory_order_acquire);
}

TileArray *tileArrayFind(const void *pointer) {
  uintptr_t address = (uintptr_t)pointer;
  TileArray *found = NULL;
  pthread_rwlock_rdlock(&registryLock);
  size_t count = countUpTo(address);
  if (count) {
    TileArray *array = registry[count - 1];
    size_t offset = address - (uintptr_t)array->host;
    if (offset < array->bytes || offset == 0) found = array;
  }
  pthread_rwlock_unlock(&registryLock);
  return found;
}

//===- Making and freeing -------------------------------------------------===//

/// Fills in count, bytes and strides; false when the size overflows.
static bool measure(TileArray *array) {
  size_t elements = 1, stride = 1;
  bool empty = false;
  for (unsigned i = array->rank; i-- > 0;) {
    array->strides[i] = (int64_t)stride;
    size_t extent = (size_t)array->shape[i];
    empty |= extent == 0;
    // Strides of an empty array count its other extents, as numpy's do not: they are never used.
    if (extent && __builtin_mul_overflow(stride, extent, &stride)) return false;
    if (stride > (size_t)INT64_MAX) return false;
  }
  elements = empty ? 0 : stride;
  array->count = (int64_t)elements;
  return !__builtin_mul_overflow(elements, tileElementGetSize(array->type), &array->bytes) &&
         array->bytes <= (size_t)INT64_MAX;
}

/// Maps zeroed memory. Small blocks come from the allocator; large ones lie on a huge-page
/// boundary.
static bool mapHost(TileArray *array) {
  if (array->bytes < HUGE_PAGE) {
    size_t rounded = array->bytes ? (array->bytes + 63) / 64 * 64 : 64;
    array->host = aligned_alloc(64, rounded);
    if (array->host) memset(array->host, 0, rounded);
    return array->host != NULL;
  }
  if (__builtin_add_overflow(array->bytes, (size_t)HUGE_PAGE, &array->mappingBytes)) return false;
  void *mapping =
      mmap(NULL, array->mappingBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return false;
  array->mapping = mapping;
  size_t past = (uintptr_t)mapping % HUGE_PAGE;
  array->host = (char *)mapping + (past ? HUGE_PAGE - past : 0);
  madvise(array->host, array->bytes, MADV_HUGEPAGE); // a hint: refusing it is no failure
  return true;
}

TileArray *tileArrayCreate(TileElementType type, unsigned rank, const int64_t *shape,
                           TileError *error) {
  if (rank > TILE_ARRAY_MAX_RANK) {
    tileErrorSet(error, "expected an array of rank %d at most, found rank %u", TILE_ARRAY_MAX_RANK,
                 rank);
    return NULL;
  }
  TileArray *array = tileRuntimeAlloc(sizeof *array);
  array->type = type;
  array->rank = rank;
  for (unsigned i = 0; i < rank; ++i) {
    array->shape[i] = shape[i];
    if (shape[i] >= 0) continue;
    tileErrorSet(error, "expected extents of 0 or more, found %lld in dimension %u",
                 (long long)shape[i], i);
    free(array);
    return NULL;
  }
  if (!measure(array)) {
    tileErrorSet(error, "expected an array that fits in the address space, found a larger shape");
    free(array);
    return NULL;
  }
  if (!mapHost(array)) {
    tileErrorSetOutOfMemory(error, "expected memory for an array of %zu bytes, found: %s",
                            array->bytes, strerror(ENOMEM));
    free(array);
    return NULL;
  }
  array->hostValid = true;
  array->fresh = true;
  enterArray(array);
  return array;
}

void tileArrayDestroy(TileArray *array) {
  if (!array) return;
  removeArray(array);
  if (array->devicePtr) tileDeviceFree(array->device, array->devicePtr);
  if (array->mapping)
    munmap(array->mapping, array->mappingBytes);
  else
    free(array->host);
  free(array);
}

//===- Moving -------------------------------------------------------------===//

bool tileArrayToDevice(TileArray *array, TileDevice *device, TileError *error) {
  if (array->device && array->device != device)
    return tileErrorSet(error, "expected an array of device %d, found it on device %d",
                        tileDeviceGetInfo(device)->ordinal,
                        tileDeviceGetInfo(array->device)->ordinal);
  if (!array->devicePtr) {
    if (!tileDeviceAlloc(device, array->bytes, &array->devicePtr, error)) return false;
    array->device = device;
  }
  if (array->deviceValid) return true;
  bool moved = array->fresh
                   ? tileDeviceSet(device, array->devicePtr, 0, array->bytes, NULL, error)
                   : tileDeviceCopyIn(device, array->devicePtr, array->host, array->bytes, error);
  array->deviceValid = moved;
  return moved;
}

bool tileArrayToHost(TileArray *array, TileError *error) {
  array->fresh = false;
  if (array->hostValid) return true;
  array->hostValid =
      tileDeviceCopyOut(array->device, array->host, array->devicePtr, array->bytes, error);
  return array->hostValid;
}

void tileArrayMarkDeviceWritten(TileArray *array) {
  array->hostValid = false;
  array->deviceValid = true;
  array->fresh = false;
}

void tileArrayMarkHostWritten(TileArray *array) {
  array->hostValid = true;
  array->deviceValid = false;
  array->fresh = false;
}
