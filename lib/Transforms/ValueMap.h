//===- ValueMap.h - what stands for a value ---------------------*- C -*-===//
//
// Clones of ops read clones of values: a table from a value to what stands for it where ops are
// cloned to. The C counterpart of mlir::IRMapping.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_TRANSFORMS_VALUE_MAP_H
#define TILE_TRANSFORMS_VALUE_MAP_H

#include "tile/IR.h"
#include "tile/Support/PointerTable.h"

/// Empty where zero; owns its entries until tileValueMapClear.
typedef struct {
  TilePointerTable table; ///< of MlirValues
} TileValueMap;

/// From now on `to` stands for `from`.
void tileValueMapSet(TileValueMap *map, MlirValue from, MlirValue to);
bool tileValueMapHas(TileValueMap map, MlirValue from);
/// What stands for `from`: itself where nothing was set.
MlirValue tileValueMapGet(TileValueMap map, MlirValue from);
void tileValueMapClear(TileValueMap *map);
/// Clones `op` to where `b` builds, reading what stands for its operands; the clone's results then
/// stand for its own. What its regions read from outside stays as it is.
MlirOperation tileCloneMapped(TileBuilder *b, TileValueMap *map, MlirOperation op);

#endif
