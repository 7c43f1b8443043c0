//===- ScanLayouts.c - layouts of what is scanned -------------------------===//
//
// Before:  %v = tile.load : 32 elements of a row a thread, each beside those of other lanes
//          %s = tile.scan %v
//          tile.store %s
// After:   %v = tile.load
//          %c = tile_gpu.convert_layout %v : 32 neighbours a thread
//          %s = tile.scan %c
//          %d = tile_gpu.convert_layout %s
//          tile.store %d
//
// A scan whose lines warps would have to share, and whose sums are converted to be stored, runs as
// they are stored where each line lies in one warp so: what it reads is converted in their place.
// One of which registers hold less than all runs with lines in threads.
//
// What is wider where it is stored, as places are, is converted as it was.
//
// Of a row that begins anywhere, which is read and written element by element, a thread has single
// elements: for each of them lanes exchange totals in five steps. Where these are more work than to
// take what is scanned, and what comes of it, through shared memory, a thread has neighbours.
//
//===----------------------------------------------------------------------===//
#include "Assigner.h"
#include "tile/Analysis/Laws.h"
#include "tile/Support/OpLength.h"

/// Element-wise ops that are looked at between a scan and an access.
enum { DEEPEST = 8 };

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
  TileLayout layout = tileLayoutOn(attr, type);
  if (!tileLayoutIsValid(layout) || layout.rank < 1) return true;
  for (int b = 0; b < layout.inBits[TILE_WARP]; ++b)
    if (tileLayoutCoordinate(layout, layout.bases[TILE_WARP][b], axis)) return true;
  return false;
}

/// `attr` with each line of `scan` in one thread: lanes and warps take what its registers step
/// across. Null where these are too few, or registers hold all that a thread scans.
static MlirAttribute layoutOfLines(MlirOperation scan, MlirAttribute attr) {
  MlirType type = mlirValueGetType(tileScanGetResults(scan, 0));
  TileLayout layout = tileLayoutOn(attr, type);
  int axis = (int)tileScanGetAxis(scan);
  if (!tileLayoutIsValid(layout)) return mlirAttributeGetNull();
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

/// The issue slots of a warp that it takes to have all elements of a scan's operands and results of
/// tile `type` in the other layout.
static int64_t costOfConversions(const TileAssigner *a, MlirOperation scan, TileLayout one,
                                 TileLayout other) {
  int64_t cost = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(scan); ++i) {
    MlirValue operand = tileOperand(scan, i);
    int bytes = tileElementBytes(tileElementType(mlirValueGetType(operand)));
    int64_t each = tileLayoutPlanConversion(one, other, bytes).cost;
    bool isComputed = tileAssignerFind(a, operand)->class == TILE_LAYOUT_FLEXIBLE;
    bool isUnused = mlirOpOperandIsNull(mlirValueGetFirstUse(tileScanGetResults(scan, i)));
    cost += each * (!isComputed + !isUnused);
  }
  return cost;
}

/// Instructions that lanes take for each run of a thread's elements: those that combine two
/// elements of a scan, and those that exchange them; of truths a vote and two counts.
static int64_t lengthOfRun(MlirOperation scan, int64_t lanes) {
  enum { VOTE = 5 };
  if (tileCombineCountsTruths(scan)) return VOTE;
  int64_t length = 2 * mlirOperationGetNumResults(scan);
  TILE_FOR_EACH_OP(op, tileBody(scan, 0)) length += tileOpLength(op);
  return lanes * length;
}

/// `attr` with a thread's elements of each line side by side, in the place of some that lie beside
/// those of other lanes and warps: one total of each thread for lanes to exchange, and not one of
/// each run. Null where that saves less than the conversions cost.
static MlirAttribute layoutOfNeighbours(const TileAssigner *a, MlirOperation scan,
                                        MlirAttribute attr) {
  MlirType type = mlirValueGetType(tileScanGetResults(scan, 0));
  TileLayout layout = tileLayoutOn(attr, type);
  int64_t runs = 1, lanes = 0;
  int axis = (int)tileScanGetAxis(scan);
  if (!tileLayoutIsValid(layout)) return mlirAttributeGetNull();
  TileLayout side = tileLayoutLowerRegisters(layout, axis);
  if (!tileLayoutIsValid(side)) return mlirAttributeGetNull();
  for (int b = 0; b < layout.inBits[TILE_REGISTER]; ++b)
    if (tileLayoutCoordinate(layout, layout.bases[TILE_REGISTER][b], axis)) runs *= 2;
  runs /= tileLayoutHeld(layout, axis);
  for (int b = 0; b < layout.inBits[TILE_LANE]; ++b)
    lanes += tileLayoutCoordinate(layout, layout.bases[TILE_LANE][b], axis) != 0;
  int64_t saved = (runs - 1) * lengthOfRun(scan, lanes);
  if (saved <= costOfConversions(a, scan, layout, side)) return mlirAttributeGetNull();
  return tileLayoutToAttr(mlirOperationGetContext(scan), &side);
}

/// Does `op` have wider elements of what a scan computes, for a store?
static bool widensScanned(MlirOperation op) {
  if (!tileOpIsElementwise(op) || mlirOperationGetNumOperands(op) != 1) return false;
  MlirOperation from = tileValueGetOp(tileOperand(op, 0));
  int own = tileBitWidth(tileElementType(mlirValueGetType(tileOperand(op, 0))));
  return !mlirOperationIsNull(from) && tileOpIsAScan(from) &&
         tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) > own;
}

MlirAttribute tileAssignerOfScanned(const TileAssigner *a, MlirOperation op, MlirAttribute layout) {
  if (widensScanned(op)) {
    MlirAttribute stored = layoutOfStored(a, tileResult(op), DEEPEST);
    return mlirAttributeIsNull(stored) ? layout : stored;
  }
  MlirOperation scan = scanOf(op);
  if (mlirOperationIsNull(scan) || mlirAttributeIsNull(layout)) return layout;
  MlirType type = mlirValueGetType(tileScanGetResults(scan, 0));
  int axis = (int)tileScanGetAxis(scan);
  MlirAttribute better = mlirAttributeGetNull();
  if (dividesAxis(layout, type, axis)) {
    for (intptr_t i = 0; i < mlirOperationGetNumResults(scan) && mlirAttributeIsNull(better); ++i)
      better = layoutOfStored(a, tileScanGetResults(scan, i), DEEPEST);
    if (mlirAttributeIsNull(better) || dividesAxis(better, type, axis))
      better = layoutOfLines(scan, layout);
  }
  if (mlirAttributeIsNull(better)) better = layoutOfNeighbours(a, scan, layout);
  return mlirAttributeIsNull(better) ? layout : better;
}
