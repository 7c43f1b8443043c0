//===- WarmCache.c - first boxes come to the L2 cache at once -------------===//
#include "WarmCache.h"

enum { steps = 4, mostElements = 4096, maxArrays = tileMaxChannels * tileMaxBoxes };

/// Where an array begins: `count` elements along `dim`.
typedef struct {
  MlirOperation desc;
  int64_t count;
  int dim;
} Beginning;

/// Of another box, maybe, but of the same elements in the same place.
static bool isSameArray(MlirOperation a, MlirOperation b) {
  intptr_t count = mlirOperationGetNumOperands(a);
  if (count != mlirOperationGetNumOperands(b)) return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirValueEqual(tileOperand(a, i), tileOperand(b, i))) return false;
  return true;
}

/// What the first steps of `loop`, which counts from 0, copy; false where that does not follow from
/// its counter.
static bool findBeginning(MlirOperation loop, MlirOperation copy, Beginning *result) {
  MlirOperation desc = tileValueGetOp(tileDescCopyGetDesc(copy));
  int64_t first, step;
  if (!tileOpIs(loop, "scf.for") || mlirOperationIsNull(desc) || !tileOpIsAMakeDesc(desc) ||
      tileMakeDescGetNumShape(desc) != 2)
    return false;
  if (!tileConstantInt(tileOperand(loop, 0), &first) || first ||
      !tileConstantInt(tileOperand(loop, 2), &step) || step < 1 || step > mostElements / steps)
    return false;
  MlirValue counter = mlirBlockGetArgument(tileBody(loop, 0), 0);
  for (int d = 0; d < 2; ++d) {
    if (!mlirValueEqual(tileOperand(copy, 1 + d), counter)) continue;
    *result = (Beginning){desc, steps * step, d};
    return true;
  }
  return false;
}

static int addBeginning(Beginning *all, int count, Beginning one) {
  for (int i = 0; i < count; ++i)
    if (isSameArray(all[i].desc, one.desc) && all[i].dim == one.dim) return count;
  all[count] = one;
  return count + 1;
}

void tileWarmCache(TileBuilder *b, const TileChannels *channels) {
  Beginning all[maxArrays], one;
  int count = 0;
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    MlirOperation loop = mlirBlockGetParentOperation(c->block);
    for (int k = 0; c->looped && k < c->numCopies; ++k)
      if (findBeginning(loop, c->copies[k], &one)) count = addBeginning(all, count, one);
  }
  for (int i = 0; i < count; ++i) {
    MlirAttribute elements = mlirIntegerAttrGet(tileI64(b->context), all[i].count);
    MlirAttribute dim = mlirIntegerAttrGet(tileI32(b->context), all[i].dim);
    tileBuildOp(b, "tile_gpu.prefetch_array", TILE_VALUES(tileResult(all[i].desc)), TILE_NONE,
                TILE_ATTRS({"count", elements}, {"dim", dim}), 0);
  }
}
