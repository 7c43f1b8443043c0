//===- WarmCache.c - arrays come to the L2 cache at once ------------------===//
#include "WarmCache.h"

enum { leastBlocks = 4, maxArrays = tileMaxChannels * tileMaxBoxes };

/// Of another box, maybe, but of the same elements in the same place.
static bool isSameArray(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumOperands(a);
  if (count != mlirOperationGetNumOperands(b)) return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirValueEqual(tileOperand(a, i), tileOperand(b, i))) return false;
  return true;
}

/// An array that a mask does not end has INT32_MAX elements (tile-raise-descriptors).
static bool hasEnd(MlirOperation desc) {
  for (intptr_t d = 0; d < tileMakeDescGetNumShape(desc); ++d) {
    int64_t extent;
    if (tileConstantInt(tileMakeDescGetShape(desc, d), &extent) && extent == INT32_MAX)
      return false;
  }
  return true;
}

/// Adds the array that `copy` reads, unless it is there already.
static int addArray(MlirOperation arrays[maxArrays], int count, MlirOperation copy) {
  MlirOperation desc = tileValueGetOp(tileDescCopyGetDesc(copy));
  if (mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) || !hasEnd(desc)) return count;
  for (int i = 0; i < count; ++i)
    if (isSameArray(arrays[i], desc)) return count;
  arrays[count] = desc;
  return count + 1;
}

void tileWarmCache(TileBuilder *b, const TileChannels *channels, int blocks) {
  MlirOperation arrays[maxArrays];
  int count = 0;
  if (blocks < leastBlocks) return;
  for (int i = 0; i < channels->count; ++i)
    for (int k = 0; channels->list[i].looped && k < channels->list[i].numCopies; ++k)
      count = addArray(arrays, count, channels->list[i].copies[k]);
  for (int i = 0; i < count; ++i)
    tileBuildOp(b, "tile.prefetch_array", TILE_VALUES(tileResult(arrays[i])), TILE_NONE, TILE_NONE,
                0);
}
