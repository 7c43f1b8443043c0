//===- Handles.c - handles, which are no addresses ------------------------===//
//
// A handle is the number of an entry in a table, and how often that entry was used before:
//
//    63     56  55            24  23          0
//   [ mark    | generation      | entry       ]
//
// The mark makes it an address that no program has. Entries are never freed, so that a handle of
// long ago, or one that never was, is read without touching what is gone. Reading takes no lock.
//===----------------------------------------------------------------------===//
#include "Library.h"
#include <stdatomic.h>
#include <stdlib.h>

enum {
  ENTRY_BITS = 24,
  CHUNK_BITS = 10,
  CHUNK_ENTRIES = 1 << CHUNK_BITS,
  CHUNKS = 1 << (ENTRY_BITS - CHUNK_BITS),
  KIND_BITS = 4,
};
#define MARK (UINT64_C(0x71) << 56)
#define MARK_MASK (UINT64_C(0xff) << 56)

typedef struct Entry {
  /// generation << KIND_BITS | kind; published after `object`.
  _Atomic uint64_t state;
  void *_Atomic object;
  /// The next one that is free; 0: none.
  uint32_t nextFree;
} Entry;

/// The process's: a handle knows no owner.
static _Atomic(Entry *) chunks[CHUNKS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used = 1, firstFree; ///< entry 0 stays unused

static Entry *getEntry(uint64_t number) {
  Entry *chunk = atomic_load_explicit(&chunks[number >> CHUNK_BITS], memory_order_acquire);
  return chunk ? &chunk[number & (CHUNK_ENTRIES - 1)] : NULL;
}

static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }

/// A fork finds the table between two changes.
__attribute__((constructor)) static void watchForks(void) { pthread_atfork(lock, unlock, unlock); }

/// An entry that nobody uses; 0 when there is none. With the mutex.
static uint32_t takeEntry(void) {
  uint32_t number = firstFree;
  if (number) {
    firstFree = getEntry(number)->nextFree;
    return number;
  }
  if (used >> ENTRY_BITS) return 0;
  if (!getEntry(used)) {
    Entry *chunk = calloc(CHUNK_ENTRIES, sizeof *chunk);
    if (!chunk) return 0;
    atomic_store_explicit(&chunks[used >> CHUNK_BITS], chunk, memory_order_release);
  }
  return used++;
}

void *tileLibMakeHandle(TileLibKind kind, void *object) {
  pthread_mutex_lock(&mutex);
  uint32_t number = takeEntry();
  uint64_t generation = 0;
  if (number) {
    Entry *entry = getEntry(number);
    generation = (atomic_load(&entry->state) >> KIND_BITS) & UINT32_MAX;
    atomic_store(&entry->object, object);
    atomic_store(&entry->state, generation << KIND_BITS | (uint64_t)kind);
  }
  pthread_mutex_unlock(&mutex);
  return number ? (void *)(uintptr_t)(MARK | generation << ENTRY_BITS | number) : NULL;
}

/// The entry of a handle that may be one, and its generation.
static Entry *readHandle(const void *handle, uint64_t *generation) {
  uint64_t bits = (uintptr_t)handle;
  if ((bits & MARK_MASK) != MARK) return NULL;
  *generation = bits >> ENTRY_BITS & UINT32_MAX;
  return getEntry(bits & ((UINT64_C(1) << ENTRY_BITS) - 1));
}

void *tileLibFind(const void *handle, TileLibKind kind) {
  uint64_t generation;
  Entry *entry = readHandle(handle, &generation);
  if (!entry) return NULL;
  uint64_t wanted = generation << KIND_BITS | (uint64_t)kind;
  if (atomic_load_explicit(&entry->state, memory_order_acquire) != wanted) return NULL;
  return atomic_load_explicit(&entry->object, memory_order_relaxed);
}

void tileLibDropHandle(const void *handle) {
  uint64_t generation;
  Entry *entry = readHandle(handle, &generation);
  if (!entry) return;
  pthread_mutex_lock(&mutex);
  if (atomic_load(&entry->state) >> KIND_BITS == generation) {
    atomic_store(&entry->state, ((generation + 1) & UINT32_MAX) << KIND_BITS);
    atomic_store(&entry->object, NULL);
    // One whose generations are through is left alone.
    if (generation < UINT32_MAX) {
      entry->nextFree = firstFree;
      firstFree = (uint32_t)((uintptr_t)handle & ((UINT64_C(1) << ENTRY_BITS) - 1));
    }
  }
  pthread_mutex_unlock(&mutex);
}
