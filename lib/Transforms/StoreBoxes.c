//===- StoreBoxes.c - results leave through the copy engine ---------------===//
#include "StoreBoxes.h"
#include "tile/Layout.h"

/// The op that writes `buffer`, if it is the only other one that uses it.
static MlirOperation onlyWriter(MlirValue buffer, MlirOperation reader) {
  MlirOperation writer = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, reader)) continue;
    if (!mlirOperationIsNull(writer) || !tileOpIsABufferStore(user)) return (MlirOperation){NULL};
    writer = user;
  }
  return writer;
}

/// The layout of one box of `columns`: what threads hold of it lies in whole registers of theirs.
/// False where a box would be somebody's more than another's.
static bool cutColumns(TileLayout whole, int64_t columns, TileLayout *part) {
  TileLayout result = tileLayoutEmpty(2);
  result.outBits[0] = whole.outBits[0];
  while ((int64_t)1 << result.outBits[1] < columns) ++result.outBits[1];
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int b = 0; b < whole.inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK] = {tileLayoutCoordinate(whole, whole.bases[in][b], 0),
                                   tileLayoutCoordinate(whole, whole.bases[in][b], 1)};
      if (at[1] >= columns && (in != TILE_REGISTER || at[0] || at[1] % columns)) return false;
      if (at[1] >= columns) continue;
      result.bases[in][result.inBits[in]++] = tileLayoutPack(result, at);
    }
  *part = result;
  return true;
}

/// Columns of the tile that are stored: the others are padding. 0 where rows are, too.
static int64_t storedColumns(MlirOperation write, const int64_t shape[2]) {
  MlirAttribute extents = tileDescWriteGetExtentsAttr(write);
  if (mlirAttributeIsNull(extents)) return shape[1];
  return mlirDenseI64ArrayGetElement(extents, 0) < shape[0]
             ? 0
             : mlirDenseI64ArrayGetElement(extents, 1);
}

/// May boxes begin at any multiple of `columns`? What tells columns between these apart is then the
/// number of a register.
static bool beginsAt(TileLayout layout, int64_t columns) {
  for (int in = TILE_LANE; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b)
      if (tileLayoutCoordinate(layout, layout.bases[in][b], 1) >= columns) return false;
  return true;
}

/// Does warp group g hold rows g * R/G .. of the tile, and nobody else?
static bool groupsOwnRows(TileLayout layout, int warpGroups) {
  int64_t rows = tileLayoutExtent(layout, 0), own = rows / warpGroups;
  if (own * warpGroups != rows || 1 << layout.inBits[TILE_WARP] != 4 * warpGroups) return false;
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      int64_t row = tileLayoutCoordinate(layout, layout.bases[in][b], 0),
              column = tileLayoutCoordinate(layout, layout.bases[in][b], 1);
      bool group = in == TILE_WARP && b >= 2;
      if (group ? row != own << (b - 2) || column : row >= own) return false;
    }
  return true;
}

bool tileFindBoxStore(MlirOperation write, int warpGroups, TileBoxStore *s) {
  MlirValue buffer = tileDescWriteGetBuffer(write);
  *s = (TileBoxStore){.write = write, .alloc = tileValueGetOp(buffer)};
  s->desc = tileValueGetOp(tileDescWriteGetDesc(write));
  s->store = onlyWriter(buffer, write);
  if (mlirOperationIsNull(s->desc) || mlirOperationIsNull(s->alloc) ||
      mlirOperationIsNull(s->store) || !tileOpIsAAllocShared(s->alloc) ||
      !tileOpIsAMakeDesc(s->desc))
    return false;
  MlirType type = mlirValueGetType(tileBufferStoreGetValue(s->store)),
           element = tileElementType(type);
  int64_t shape[TILE_MAX_RANK], order[] = {1, 0};
  TileLayout layout, part;
  MlirType whole = tileDescTypeGetBox(mlirValueGetType(tileDescWriteGetDesc(write)));
  if (mlirShapedTypeGetRank(whole) != 2 || tileShape(type, shape) != 2 ||
      !tileTypeGetLayout(type, &layout))
    return false;
  int64_t bits = tileBitWidth(element), row = 32, swizzle;
  s->end = storedColumns(write, shape);
  while (2 * row <= s->end * bits / 8) row *= 2;
  swizzle = row < 128 ? row : 128;
  s->columns = swizzle * 8 / bits;
  if (s->columns > s->end || !beginsAt(layout, s->end & -s->end)) return false;
  if (bits < 8 || swizzle < 32 || shape[0] / warpGroups > 256 || shape[0] / warpGroups < 8)
    return false;
  if (!groupsOwnRows(layout, warpGroups) || !cutColumns(layout, s->columns, &part)) return false;
  s->boxes = (int)((s->end + s->columns - 1) / s->columns);
  s->slots = s->boxes == 1 ? 1 : 2;
  shape[1] = s->columns;
  MlirContext c = mlirOperationGetContext(write);
  s->part = mlirRankedTensorTypeGet(2, shape, element, tileLayoutToAttr(c, &part));
  s->staging = tileBufferTypeGet(c, 2, shape, element, swizzle, order, s->slots);
  return true;
}

void tileBuildBoxStoreRing(TileBuilder *b, TileBoxStore *s, int warpGroups) {
  s->ring = tileResult(tileBuildOp(b, "tile.alloc_shared", TILE_NONE, 1, &s->staging,
                                   TILE_ATTRS({"guarded", mlirUnitAttrGet(b->context)}), 0));
  int64_t shape[TILE_MAX_RANK];
  tileShape(s->part, shape);
  shape[0] /= warpGroups;
  MlirType box =
      mlirRankedTensorTypeGet(2, shape, tileElementType(s->part), mlirAttributeGetNull());
  MlirOperation desc = mlirOperationClone(s->desc);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(s->desc), s->desc, desc);
  mlirValueSetType(tileResult(desc), tileDescTypeGet(box));
  s->made = tileResult(desc);
}

/// Until nobody reads what was staged before.
static void waitForStores(TileBuilder *b) {
  MlirAttribute none = mlirIntegerAttrGet(tileI32(b->context), 0);
  tileBuildOp(b, "tile.tma_store_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", none}), 0);
}

void tileBuildStoreBox(TileBuilder *b, const TileBoxStore *s, MlirValue value, MlirValue row,
                       MlirValue column, int box, bool once) {
  MlirContext c = b->context;
  if (!once && box == 0 && s->boxes % 2) { // the last one of the program before had this slot
    waitForStores(b);
    tileBuildOp(b, "tile.group_barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  int64_t first = box * s->columns, last = s->end - s->columns;
  int32_t at[] = {0, (int32_t)(first < last ? first : last)};
  MlirValue part =
      tileResult(tileBuildOp(b, "tile.extract_tile", TILE_VALUES(value), 1, &s->part,
                             TILE_ATTRS({"offsets", mlirDenseI32ArrayGet(c, 2, at)}), 0));
  MlirValue slot = tileBuildSlot(b, s->ring, tileBuildInt(b, tileI32(c), box % s->slots));
  tileBuildOp(b, "tile.buffer_store", TILE_VALUES(part, slot), TILE_NONE, TILE_NONE, 0);
  // The next box takes the slot of the one before this.
  bool isFreed = !once || (box > 0 && box + 1 < s->boxes);
  if (isFreed) waitForStores(b);
  tileBuildOp(b, "tile.group_barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirValue distance = tileBuildInt(b, tileI32(c), at[1]);
  MlirValue there = at[1] ? tileBuildBinary(b, "arith.addi", column, distance) : column;
  tileBuildOp(b, "tile.tma_store", TILE_VALUES(s->made, row, there, slot), TILE_NONE, TILE_NONE, 0);
}

void tileReplaceByBoxes(TileBoxStore *s, bool once) {
  TileBuilder b = tileBuilderBefore(s->write);
  MlirValue value = tileBufferStoreGetValue(s->store);
  for (int box = 0; box < s->boxes; ++box)
    tileBuildStoreBox(&b, s, value, tileOperand(s->write, 1), tileOperand(s->write, 2), box, once);
  mlirOperationDestroy(s->write);
  mlirOperationDestroy(s->store);
  mlirOperationDestroy(s->alloc);
}
