//===- Facts.c - axis analysis: what is known of each value ---------------===//
#include "Facts.h"
#include <stdlib.h>

typedef struct AxisFact {
  const void *key; // MlirValue.ptr
  TileAxisInfo info;
  UT_hash_handle hh;
} AxisFact;

typedef struct AxisPromised {
  const void *key; // MlirValue.ptr
  AxisPromise promise;
  UT_hash_handle hh;
} AxisPromised;

void *axisAllocate(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) abort();
  return memory;
}

static const TileAxisInfo *find(const TileAxisAnalysis *a, MlirValue value) {
  AxisFact *fact;
  HASH_FIND_PTR(a->facts, &value.ptr, fact);
  return fact ? &fact->info : NULL;
}

TileAxisInfo axisGetFact(const TileAxisAnalysis *a, MlirValue value) {
  const TileAxisInfo *info = find(a, value);
  return info ? *info : axisUnknown(axisTypeOfValue(value));
}

void axisSetFact(TileAxisAnalysis *a, MlirValue value, TileAxisInfo info) {
  AxisPromised *promise;
  HASH_FIND_PTR(a->promises, &value.ptr, promise);
  if (promise) info = axisRefine(info, axisTypeOfValue(value), promise->promise);
  AxisFact *fact;
  HASH_FIND_PTR(a->facts, &value.ptr, fact);
  if (!fact) {
    fact = axisAllocate(sizeof *fact);
    fact->key = value.ptr;
    HASH_ADD_PTR(a->facts, key, fact);
  }
  fact->info = info;
}

void axisSetUnknown(TileAxisAnalysis *a, MlirValue value) {
  axisSetFact(a, value, axisUnknown(axisTypeOfValue(value)));
}

void axisAddPromise(TileAxisAnalysis *a, MlirValue value, AxisPromise promise) {
  AxisPromised *entry;
  HASH_FIND_PTR(a->promises, &value.ptr, entry);
  if (!entry) {
    entry = axisAllocate(sizeof *entry);
    entry->key = value.ptr;
    entry->promise = promise;
    HASH_ADD_PTR(a->promises, key, entry);
    return;
  }
  AxisPromise *known = &entry->promise;
  known->divisibility = axisMax(known->divisibility, promise.divisibility);
  known->min = axisMax(known->min, promise.min);
  known->max = axisMin(known->max, promise.max);
}

void axisDestroyFacts(TileAxisAnalysis *a) {
  // NOLINTBEGIN(clang-analyzer-unix.Malloc): the analyzer loses uthash's list
  AxisFact *fact, *nextFact;
  HASH_ITER(hh, a->facts, fact, nextFact) {
    HASH_DEL(a->facts, fact);
    free(fact);
  }
  AxisPromised *promise, *nextPromise;
  HASH_ITER(hh, a->promises, promise, nextPromise) {
    HASH_DEL(a->promises, promise);
    free(promise);
  }
  // NOLINTEND(clang-analyzer-unix.Malloc)
}

const TileAxisInfo *tileAxisAnalysisGet(const TileAxisAnalysis *a, MlirValue value) {
  static const TileAxisInfo nothing = {
      .contiguity = {1, 1, 1, 1, 1, 1},
      .divisibility = {1, 1, 1, 1, 1, 1},
      .constancy = {1, 1, 1, 1, 1, 1},
      .min = INT64_MIN,
      .max = INT64_MAX,
  };
  _Static_assert(TILE_MAX_RANK == 6, "an entry for each dimension");
  const TileAxisInfo *info = find(a, value);
  return info ? info : &nothing;
}
