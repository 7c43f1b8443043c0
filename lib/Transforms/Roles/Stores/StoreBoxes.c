//===- StoreBoxes.c - results leave through the copy engine ---------------===//
#include "StoreBoxes.h"
#include "../Kernel.h"
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

/// The layout of a box of `rows` by `columns`: what threads hold of it lies in whole registers of
/// theirs. False where a box would be somebody's more than another's.
static bool cutBox(TileLayout whole, int64_t rows, int64_t columns, TileLayout *part) {
  TileLayout result = tileLayoutEmpty(2);
  while ((int64_t)1 << result.outBits[0] < rows) ++result.outBits[0];
  while ((int64_t)1 << result.outBits[1] < columns) ++result.outBits[1];
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int b = 0; b < whole.inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK] = {tileLayoutCoordinate(whole, whole.bases[in][b], 0),
                                   tileLayoutCoordinate(whole, whole.bases[in][b], 1)};
      bool inside = at[0] < rows && at[1] < columns;
      if (!inside && (in != TILE_REGISTER || at[0] % rows || at[1] % columns)) return false;
      if (inside) result.bases[in][result.inBits[in]++] = tileLayoutPack(result, at);
    }
  *part = result;
  return true;
}

/// What of the tile is stored: the rest is padding, along one dimension.
static void storedExtents(MlirOperation write, int rank, const int64_t shape[2],
                          int64_t stored[2]) {
  MlirAttribute extents = tileDescWriteGetExtentsAttr(write);
  for (int d = 0; d < 2; ++d)
    stored[d] = mlirAttributeIsNull(extents) ? shape[d]
                                             : mlirDenseI64ArrayGetElement(extents, rank - 2 + d);
}

/// What the box is of, with two dimensions: of more, all but the last two have to be 1, and a
/// tile.reshape has to have put them in front. Null where it is something else.
static MlirValue storedTile(MlirOperation store, int rank) {
  MlirValue value = tileBufferStoreGetValue(store);
  int64_t shape[TILE_MAX_RANK], flat[TILE_MAX_RANK];
  if (tileShape(mlirValueGetType(value), shape) != rank) return (MlirValue){NULL};
  if (rank == 2) return value;
  MlirOperation op = tileValueGetOp(value);
  if (rank < 2 || mlirOperationIsNull(op) || !tileOpIsAReshape(op)) return (MlirValue){NULL};
  value = tileOperand(op, 0);
  if (tileShape(mlirValueGetType(value), flat) != 2 || flat[0] != shape[rank - 2] ||
      flat[1] != shape[rank - 1])
    return (MlirValue){NULL};
  return value;
}

/// May boxes begin at any multiple of `step` along dimension `d`? What tells them apart is then the
/// number of a register.
static bool beginsAt(TileLayout layout, int d, int64_t step) {
  for (int in = TILE_LANE; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b)
      if (tileLayoutCoordinate(layout, layout.bases[in][b], d) >= step) return false;
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

/// Whole boxes, or as few parts as rows that end there make.
static bool cutRows(TileBoxStore *s, MlirType tile, TileLayout layout, int64_t rows,
                    int64_t swizzle) {
  const int64_t order[] = {1, 0};
  MlirContext c = mlirTypeGetContext(tile);
  MlirType element = tileElementType(tile);
  for (int64_t row = 0; row < rows;) {
    int64_t height = tileLayoutExtent(layout, 0);
    while (height > rows - row) height /= 2;
    const int64_t shape[] = {height, s->columns};
    TileLayout held;
    if (s->numParts == tileMaxBoxParts || !cutBox(layout, height, s->columns, &held)) return false;
    s->parts[s->numParts++] = (TileBoxPart){
        .row = row,
        .rows = height,
        .held = mlirRankedTensorTypeGet(2, shape, element, tileLayoutToAttr(c, &held)),
        .staging = tileBufferTypeGet(c, 2, shape, element, swizzle, order, s->slots)};
    row += height;
  }
  return true;
}

bool tileFindBoxStore(MlirOperation write, int warpGroups, TileBoxStore *s) {
  enum { patternRows = 8, mostRows = 256 };
  MlirValue buffer = tileDescWriteGetBuffer(write);
  *s = (TileBoxStore){.write = write, .alloc = tileBufferGetAlloc(buffer)};
  s->desc = tileValueGetOp(tileDescWriteGetDesc(write));
  s->store = onlyWriter(buffer, write);
  if (mlirOperationIsNull(s->desc) || mlirOperationIsNull(s->alloc) ||
      mlirOperationIsNull(s->store) || !tileOpIsAMakeDesc(s->desc))
    return false;
  MlirType whole = tileDescTypeGetBox(mlirValueGetType(tileDescWriteGetDesc(write)));
  s->rank = (int)mlirShapedTypeGetRank(whole);
  s->value = storedTile(s->store, s->rank);
  if (mlirValueIsNull(s->value)) return false;
  MlirType type = mlirValueGetType(s->value);
  int64_t shape[TILE_MAX_RANK], stored[2];
  TileLayout layout;
  if (tileShape(type, shape) != 2 || !tileTypeGetLayout(type, &layout)) return false;
  int64_t bits = tileBitWidth(tileElementType(type)), row = 32, swizzle;
  storedExtents(write, s->rank, shape, stored);
  s->end = stored[1];
  while (2 * row <= s->end * bits / 8) row *= 2;
  swizzle = row < 128 ? row : 128;
  s->columns = swizzle * 8 / bits;
  if (s->columns > s->end || !beginsAt(layout, 1, s->end & -s->end)) return false;
  bool cuts = stored[0] < shape[0];
  if (cuts && (warpGroups > 1 || stored[0] % patternRows || !beginsAt(layout, 0, patternRows)))
    return false;
  if (bits < 8 || swizzle < 32 || shape[0] / warpGroups > mostRows ||
      shape[0] / warpGroups < patternRows)
    return false;
  if (!groupsOwnRows(layout, warpGroups)) return false;
  s->boxes = (int)((s->end + s->columns - 1) / s->columns);
  s->slots = s->boxes == 1 ? 1 : 2;
  return cutRows(s, type, layout, stored[0], swizzle);
}

void tileFindBoxStores(MlirOperation func, TileBoxStores *stores) {
  stores->count = 0;
  stores->left = (MlirOperation){NULL};
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    TileBoxStore store;
    if (!tileOpIsADescWrite(op) || !tileValueIsInFront(func, tileDescWriteGetDesc(op)) ||
        !tileFindBoxStore(op, tileKernelGetWarpGroups(func), &store))
      continue;
    if (stores->count < tileMaxStores)
      stores->list[stores->count++] = store;
    else if (mlirOperationIsNull(stores->left))
      stores->left = op;
  }
}

int tileCountBoxes(const TileBoxStores *stores) {
  int boxes = 0;
  for (int i = 0; i < stores->count; ++i) boxes += stores->list[i].boxes;
  return boxes;
}

int64_t tileBoxStoreBytes(const TileBoxStore *s) {
  int64_t bytes = 0;
  for (int i = 0; i < s->numParts; ++i) bytes += tileBufferBytes(s->parts[i].staging);
  return bytes;
}

static void buildPart(TileBuilder *b, const TileBoxStore *s, TileBoxPart *part, int warpGroups) {
  part->ring = tileResult(tileBuildOp(b, "tile_gpu.alloc_shared", TILE_NONE, 1, &part->staging,
                                      TILE_ATTRS({"guarded", mlirUnitAttrGet(b->context)}), 0));
  int64_t shape[TILE_MAX_RANK];
  for (int d = 0; d < s->rank; ++d) shape[d] = 1;
  shape[s->rank - 2] = part->rows / warpGroups;
  shape[s->rank - 1] = s->columns;
  MlirType element = tileElementType(part->held);
  MlirType box = mlirRankedTensorTypeGet(s->rank, shape, element, mlirAttributeGetNull());
  MlirOperation desc = mlirOperationClone(s->desc);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(s->desc), s->desc, desc);
  mlirValueSetType(tileResult(desc), tileDescTypeGet(box));
  part->made = tileResult(desc);
}

void tileBuildBoxStoreRing(TileBuilder *b, TileBoxStore *s, int warpGroups) {
  for (int i = 0; i < s->numParts; ++i) buildPart(b, s, &s->parts[i], warpGroups);
}

void tileBuildStoreWait(TileBuilder *b) {
  MlirAttribute none = mlirIntegerAttrGet(tileI32(b->context), 0);
  tileBuildOp(b, "tile_gpu.tma_store_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", none}), 0);
}

static int64_t firstColumn(const TileBoxStore *s, int box) {
  int64_t first = box * s->columns, last = s->end - s->columns;
  return first < last ? first : last;
}

static MlirValue slotOf(TileBuilder *b, const TileBoxStore *s, const TileBoxPart *part, int box) {
  return tileBuildSlot(b, part->ring, tileBuildInt(b, tileI32(b->context), box % s->slots));
}

/// From registers to its slot.
static void stageBox(TileBuilder *b, const TileBoxStore *s, MlirValue value, int box) {
  for (int i = 0; i < s->numParts; ++i) {
    const TileBoxPart *part = &s->parts[i];
    const int32_t at[] = {(int32_t)part->row, (int32_t)firstColumn(s, box)};
    MlirAttribute offsets = mlirDenseI32ArrayGet(b->context, 2, at);
    MlirValue held = tileResult(tileBuildOp(b, "tile_gpu.extract_tile", TILE_VALUES(value), 1,
                                            &part->held, TILE_ATTRS({"offsets", offsets}), 0));
    MlirValue slot = slotOf(b, s, part, box);
    tileBuildOp(b, "tile_gpu.buffer_store", TILE_VALUES(held, slot), TILE_NONE, TILE_NONE, 0);
  }
}

static MlirValue offsetBy(TileBuilder *b, MlirValue index, int64_t distance) {
  if (!distance) return index;
  return tileBuildBinary(b, "arith.addi", index, tileBuildInt(b, tileI32(b->context), distance));
}

/// From its slot to memory.
static void sendBox(TileBuilder *b, const TileBoxStore *s, const MlirValue *at, int box) {
  int row = s->rank - 2, column = s->rank - 1;
  MlirValue operands[TILE_MAX_RANK + 2];
  for (int d = 0; d < row; ++d) operands[1 + d] = at[d];
  operands[1 + column] = offsetBy(b, at[column], firstColumn(s, box));
  for (int i = 0; i < s->numParts; ++i) {
    const TileBoxPart *part = &s->parts[i];
    operands[0] = part->made;
    operands[1 + row] = offsetBy(b, at[row], part->row);
    operands[1 + s->rank] = slotOf(b, s, part, box);
    tileBuildOp(b, "tile_gpu.tma_store", s->rank + 2, operands, TILE_NONE, TILE_NONE, 0);
  }
}

static void synchronize(TileBuilder *b) {
  tileBuildOp(b, "tile_gpu.group_barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void tileBuildStoreBox(TileBuilder *b, const TileBoxStore *s, MlirValue value, const MlirValue *at,
                       int box) {
  if (box == 0 && s->boxes % 2) { // the last one of the program before had this slot
    tileBuildStoreWait(b);
    synchronize(b);
  }
  stageBox(b, s, value, box);
  tileBuildStoreWait(b);
  synchronize(b);
  sendBox(b, s, at, box);
}

/// As many boxes at a time as there are slots.
static void storeOnce(TileBuilder *b, const TileBoxStore *s, const MlirValue *at) {
  for (int box = 0; box < s->boxes; box += s->slots) {
    int end = box + s->slots < s->boxes ? box + s->slots : s->boxes;
    if (box) {
      tileBuildStoreWait(b);
      synchronize(b);
    }
    for (int i = box; i < end; ++i) stageBox(b, s, s->value, i);
    synchronize(b);
    for (int i = box; i < end; ++i) sendBox(b, s, at, i);
  }
}

void tileReplaceByBoxes(TileBoxStore *s, bool once) {
  TileBuilder b = tileBuilderBefore(s->write);
  MlirValue at[TILE_MAX_RANK];
  for (int d = 0; d < s->rank; ++d) at[d] = tileOperand(s->write, 1 + d);
  if (once) storeOnce(&b, s, at);
  for (int box = 0; box < s->boxes && !once; ++box) tileBuildStoreBox(&b, s, s->value, at, box);
  mlirOperationDestroy(s->write);
  mlirOperationDestroy(s->store);
  mlirOperationDestroy(s->alloc);
}
