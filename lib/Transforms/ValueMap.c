//===- ValueMap.c - what stands for a value -------------------------------===//
#include "ValueMap.h"

void tileValueMapSet(TileValueMap *map, MlirValue from, MlirValue to) {
  MlirValue *entry = tilePointerTableAdd(&map->table, from.ptr, sizeof *entry);
  *entry = to;
}

bool tileValueMapHas(TileValueMap map, MlirValue from) {
  return tilePointerTableFind(map.table, from.ptr);
}

MlirValue tileValueMapGet(TileValueMap map, MlirValue from) {
  const MlirValue *entry = tilePointerTableFind(map.table, from.ptr);
  return entry ? *entry : from;
}

void tileValueMapClear(TileValueMap *map) { tilePointerTableClear(&map->table); }

MlirOperation tileCloneMapped(TileBuilder *b, TileValueMap *map, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, tileValueMapGet(*map, tileOperand(copy, i)));
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); ++i)
    tileValueMapSet(map, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
  return copy;
}
