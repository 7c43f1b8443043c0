//===- Memory.c - the PTX emulator's device memory and shared windows -----===//
#include "Memory.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256, UNWRITTEN = 0xa5 };

/// What is allocated, in order of addresses.
static PtxSpan *spans;
static size_t spanCount, spanCapacity, usedBytes;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/// The index of the first span that ends behind the address.
static size_t search(uint64_t address) {
  size_t first = 0, last = spanCount;
  while (first < last) {
    size_t middle = first + (last - first) / 2;
    if (spans[middle].last > address)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

static bool insert(PtxSpan span) {
  if (spanCount == spanCapacity) {
    size_t capacity = spanCapacity ? 2 * spanCapacity : 64;
    PtxSpan *grown = realloc(spans, capacity * sizeof *spans);
    if (!grown) return false;
    spans = grown;
    spanCapacity = capacity;
  }
  size_t at = search(span.first);
  memmove(&spans[at + 1], &spans[at], (spanCount - at) * sizeof *spans);
  spans[at] = span;
  ++spanCount;
  usedBytes += span.last - span.first;
  return true;
}

uint64_t ptxMemoryAllocate(size_t bytes) {
  if (!bytes || bytes > SIZE_MAX - ALIGNMENT) return 0;
  char *block = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (!block) return 0;
  memset(block, UNWRITTEN, bytes); // fresh device memory is not zero
  uint64_t address = (uint64_t)(uintptr_t)block;
  pthread_rwlock_wrlock(&lock);
  bool isListed = insert((PtxSpan){address, address + bytes});
  pthread_rwlock_unlock(&lock);
  if (isListed) return address;
  free(block);
  return 0;
}

bool ptxMemoryFree(uint64_t address) {
  pthread_rwlock_wrlock(&lock);
  size_t at = search(address);
  bool found = at < spanCount && spans[at].first == address;
  if (found) {
    usedBytes -= spans[at].last - spans[at].first;
    --spanCount;
    memmove(&spans[at], &spans[at + 1], (spanCount - at) * sizeof *spans);
  }
  pthread_rwlock_unlock(&lock);
  if (found) free((void *)(uintptr_t)address);
  return found;
}

PtxSpan ptxMemoryFind(uint64_t address) {
  PtxSpan span = {0, 0};
  pthread_rwlock_rdlock(&lock);
  size_t at = search(address);
  if (at < spanCount && spans[at].first <= address) span = spans[at];
  pthread_rwlock_unlock(&lock);
  return span;
}

size_t ptxMemoryGetUsed(void) {
  pthread_rwlock_rdlock(&lock);
  size_t bytes = usedBytes;
  pthread_rwlock_unlock(&lock);
  return bytes;
}

bool ptxFaultSet(PtxFault *fault, int code, const char *format, ...) {
  if (fault->text[0]) return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault->text, sizeof fault->text, format, arguments);
  va_end(arguments);
  fault->code = code;
  return false;
}

static bool isInside(const PtxShared *shared, uint64_t address, uint32_t bytes, const char *what,
                     PtxFault *fault) {
  if (address <= shared->size && bytes <= shared->size - address) return true;
  return ptxFaultSet(
      fault, 700, "expected %s of %u bytes inside %u bytes of shared memory, found address 0x%llx",
      what, bytes, shared->size, (unsigned long long)address);
}

bool ptxSharedCheckRead(const PtxShared *shared, uint64_t address, uint32_t bytes,
                        PtxFault *fault) {
  if (!isInside(shared, address, bytes, "a read", fault)) return false;
  if (shared->see && !shared->see(shared, address, bytes, false, fault)) return false;
  if (!shared->written) return true;
  const uint8_t *missing = memchr(shared->written + address, 0, bytes);
  if (!missing) return true;
  return ptxFaultSet(fault, 719, "expected shared memory that was written, found 0x%llx unwritten",
                     (unsigned long long)(missing - shared->written));
}

bool ptxSharedCheckWrite(const PtxShared *shared, uint64_t address, uint32_t bytes,
                         PtxFault *fault) {
  if (!isInside(shared, address, bytes, "a write", fault)) return false;
  if (shared->see && !shared->see(shared, address, bytes, true, fault)) return false;
  if (shared->written) memset(shared->written + address, 1, bytes);
  return true;
}
