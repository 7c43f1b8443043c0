//===- ValueMap.c - what stands for a value -------------------------------===//
#include "ValueMap.h"
#include <stdlib.h>
#include <uthash.h>

typedef struct TileValueMapEntry {
  const void *key; // of the value
  MlirValue to;
  UT_hash_handle hh;
} Entry;

static Entry *find(TileValueMap map, MlirValue from) {
  Entry *entry;
  HASH_FIND_PTR(map, &from.ptr, entry);
  return entry;
}

void tileValueMapSet(TileValueMap *map, MlirValue from, MlirValue to) {
  Entry *entry = find(*map, from);
  if (!entry) {
    entry = calloc(1, sizeof *entry);
    if (!entry) abort();
    entry->key = from.ptr;
    HASH_ADD_PTR(*map, key, entry);
  }
  entry->to = to;
}

bool tileValueMapHas(TileValueMap map, MlirValue from) { return find(map, from); }

MlirValue tileValueMapGet(TileValueMap map, MlirValue from) {
  const Entry *entry = find(map, from);
  return entry ? entry->to : from;
}

void tileValueMapClear(TileValueMap *map) {
  Entry *entry, *next;
  HASH_ITER(hh, *map, entry, next) {
    HASH_DEL(*map, entry);
    free(entry);
  }
}

MlirOperation tileCloneMapped(TileBuilder *b, TileValueMap *map, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, tileValueMapGet(*map, tileOperand(copy, i)));
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); ++i)
    tileValueMapSet(map, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
  return copy;
}
