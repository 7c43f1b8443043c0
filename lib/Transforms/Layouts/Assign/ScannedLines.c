//===- ScannedLines.c - tiles whose lines are scanned ---------------------===//
//
// Lines that several warps have parts of are scanned in two steps, through shared memory. So what
// is scanned lies as it is stored, where each line is one warp's so, or, of more than registers
// hold at once, with each line in one thread.
//
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/Machine.h"

enum { DEEPEST = 8 }; // ops from what is computed to the scan, or to the store

/// The scan that sees what `op` computes, element by element, and nobody else does; null: none.
static MlirOperation scanOf(MlirOperation op) {
  for (int depth = DEEPEST; depth > 0 && !tileOpIsAScan(op); --depth) {
    if (!tileOpIsElementwise(op)) return (MlirOperation){NULL};
    MlirOpOperand use = tileOnlyUse(tileResult(op));
    if (mlirOpOperandIsNull(use)) return (MlirOperation){NULL};
    op = mlirOpOperandGetOwner(use);
  }
  return tileOpIsAScan(op) ? op : (MlirOperation){NULL};
}

/// The layout in which a store takes what `value` becomes element by element; null: none does.
static MlirAttribute layoutOfStored(const TileAssigner *a, MlirValue value, int depth) {
  MlirAttribute found = mlirAttributeGetNull();
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use) && mlirAttributeIsNull(found);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsAStore(user) && mlirValueEqual(tileStoreGetValue(user), value))
      found = tileAssignerOfAccess(a, user);
    else if (tileOpIsElementwise(user) && depth > 0)
      found = layoutOfStored(a, tileResult(user), depth - 1);
  }
  return found;
}

/// Do several warps have parts of a line along `axis`?
static bool dividesAxis(MlirAttribute attr, MlirType type, int axis) {
  int64_t shape[TILE_MAX_RANK];
  TileLayout layout;
  int rank = tileShape(type, shape);
  if (rank < 1 || !tileLayoutFromAttr(attr, rank, shape, &layout)) return true;
  for (int b = 0; b < layout.inBits[TILE_WARP]; ++b)
    if (tileLayoutCoordinate(layout, layout.bases[TILE_WARP][b], axis)) return true;
  return false;
}

/// `attr` with each line of `scan` in one thread: lanes and warps take what its registers step
/// across. Null where these are too few, or registers hold all that a thread scans.
static MlirAttribute layoutOfLines(MlirOperation scan, MlirAttribute attr) {
  MlirType type = mlirValueGetType(tileScanGetResults(scan, 0));
  int64_t shape[TILE_MAX_RANK];
  TileLayout layout;
  int axis = (int)tileScanGetAxis(scan), rank = tileShape(type, shape);
  if (!tileLayoutFromAttr(attr, rank, shape, &layout)) return mlirAttributeGetNull();
  int64_t words = mlirOperationGetNumResults(scan) << layout.inBits[TILE_REGISTER];
  if (words <= tileMachineOf(scan)->threadRegisters) return mlirAttributeGetNull();
  for (int in = TILE_LANE; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      uint64_t *base = &layout.bases[in][b], along = *base;
      int r = layout.inBits[TILE_REGISTER] - 1;
      if (!tileLayoutCoordinate(layout, along, axis)) continue;
      while (r >= 0 && tileLayoutCoordinate(layout, layout.bases[TILE_REGISTER][r], axis)) --r;
      if (r < 0) return mlirAttributeGetNull();
      *base = layout.bases[TILE_REGISTER][r];
      layout.bases[TILE_REGISTER][r] = along;
    }
  return tileLayoutToAttr(mlirOperationGetContext(scan), &layout);
}

MlirAttribute tileAssignerOfScanned(const TileAssigner *a, MlirOperation op, MlirAttribute layout) {
  MlirOperation scan = scanOf(op);
  if (mlirOperationIsNull(scan) || mlirAttributeIsNull(layout)) return layout;
  MlirType type = mlirValueGetType(tileScanGetResults(scan, 0));
  int axis = (int)tileScanGetAxis(scan);
  if (!dividesAxis(layout, type, axis)) return layout;
  MlirAttribute stored = mlirAttributeGetNull();
  for (intptr_t i = 0; i < mlirOperationGetNumResults(scan) && mlirAttributeIsNull(stored); ++i)
    stored = layoutOfStored(a, tileScanGetResults(scan, i), DEEPEST);
  bool isBetter = !mlirAttributeIsNull(stored) && !dividesAxis(stored, type, axis);
  if (!isBetter) stored = layoutOfLines(scan, layout);
  return mlirAttributeIsNull(stored) ? layout : stored;
}
