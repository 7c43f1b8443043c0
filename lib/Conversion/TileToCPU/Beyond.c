//===- Beyond.c - where the elements of a row are all one -----------------===//
//
// Rows of any length are computed in tiles of a power of two:
//
//   %in = %column < %n                      781 of 1024, or 20000 of 32768
//   %x  = tile.load %ptrs, %in, -inf
//   %e  = math.exp (%x - %max)
//
// From %n on, nothing in %e depends on the column: loads give what they have instead, comparisons
// are false, the rest follows. So a nest over %e ends at %n, and what is behind it is one number.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/MachineNumbers.h"

typedef struct {
  CpuLowering *l;
  MlirValue reach; ///< of the masks on the way; null: none yet
  int budget;      ///< ops that are still looked at, so that large kernels compile in time
} Search;

static bool isOne(Search *s, MlirValue tile, int axis);

/// A mask that is off behind a place.
static bool endsSomewhere(Search *s, MlirValue mask, int axis) {
  MlirValue reach = cpuFindReachAlong(s->l, mask, axis);
  if (mlirValueIsNull(reach)) return false;
  bool isFirst = mlirValueIsNull(s->reach);
  s->reach = isFirst ? reach : tileBuildBinary(&s->l->at, "arith.maxsi", s->reach, reach);
  return true;
}

static bool isOneLoad(Search *s, MlirOperation load, int axis) {
  MlirValue mask = tileLoadGetMask(load), other = tileLoadGetOther(load);
  if (mlirValueIsNull(mask) || !endsSomewhere(s, mask, axis)) return false;
  return mlirValueIsNull(other) || isOne(s, other, axis);
}

static bool isOneElementwise(Search *s, MlirOperation op, int axis) {
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  if (mlirTypeIsAInteger(element) && tileBitWidth(element) == 1 &&
      endsSomewhere(s, tileResult(op), axis))
    return true;
  intptr_t first = 0;
  if (tileOpIs(op, "arith.select") && tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))) &&
      endsSomewhere(s, tileOperand(op, 0), axis))
    first = 2;
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (!isOne(s, tileOperand(op, i), axis)) return false;
  return true;
}

/// Are all elements of the tile along `axis` one, from where the masks end?
static bool isOne(Search *s, MlirValue tile, int axis) {
  MlirType type = mlirValueGetType(tile);
  if (!tileTypeIsTile(type)) return true;
  int64_t shape[CPU_MAX_RANK];
  tileShape(type, shape);
  if (shape[axis] == 1) return true;
  MlirOperation op = tileValueGetOp(tile);
  if (mlirOperationIsNull(op) || --s->budget < 0) return false;
  if (tileOpIsASplat(op)) return true;
  if (tileOpIs(op, "arith.constant")) return !tileIsTable(op);
  if (tileOpIsALoad(op)) return isOneLoad(s, op, axis);
  if (tileOpIsABroadcast(op)) return isOne(s, tileOperand(op, 0), axis);
  if (tileOpIsAExpandDims(op)) {
    int added = (int)tileExpandDimsGetAxis(op);
    return added == axis || isOne(s, tileOperand(op, 0), axis - (added < axis));
  }
  return cpuIsElementwise(op) && isOneElementwise(s, op, axis);
}

MlirValue cpuFindBeyond(CpuLowering *l, MlirValue tile, int axis, bool alongLanes) {
  MlirValue none = {NULL};
  int64_t shape[CPU_MAX_RANK];
  int64_t least = tileNumberGetInfo(TILE_NUMBER_CPU_BEYOND_VECTORS)->value;
  if (alongLanes) least = least * l->vectorBits / 32;
  if (l->checks || tileShape(mlirValueGetType(tile), shape) > 2 || shape[axis] < least) return none;
  Search s = {.l = l, .budget = 100};
  return isOne(&s, tile, axis) ? s.reach : none;
}
