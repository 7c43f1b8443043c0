//===- StoreBoxes.c - results leave through the copy engine ---------------===//
#include "StoreBoxes.h"
#include "../Kernel.h"
#include "tile/Layout.h"
#include "tile/MachineNumbers.h"
#include <assert.h>

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

/// Does warp group g hold the g-th part of the tile along `dim`, and nobody else?
static bool groupsOwn(TileLayout layout, int warpGroups, int dim) {
  int64_t all = tileLayoutExtent(layout, dim), own = all / warpGroups;
  if (own * warpGroups != all || 1 << layout.inBits[TILE_WARP] != 4 * warpGroups) return false;
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      int64_t at = tileLayoutCoordinate(layout, layout.bases[in][b], dim),
              other = tileLayoutCoordinate(layout, layout.bases[in][b], 1 - dim);
      bool group = in == TILE_WARP && b >= 2;
      if (group ? at != own << (b - 2) || other : at >= own) return false;
    }
  return true;
}

//===- columns as rows ----------------------------------------------------===//

/// A tile of R x C on its way to one of (C/W H) x (R/H W), boxes being H x W: R/H x H x C/W x W,
/// C/W x H x R/H x W, and that.
enum { divided = 1, turned, stacked };

static TileLayout layoutOfStage(TileLayout from, int64_t height, int64_t width, int stage,
                                int64_t shape[4]) {
  int64_t stacks = tileLayoutExtent(from, 1) / width, pieces = tileLayoutExtent(from, 0) / height;
  const int64_t shapes[][4] = {[divided] = {pieces, height, stacks, width},
                               [turned] = {stacks, height, pieces, width},
                               [stacked] = {stacks * height, pieces * width}};
  TileLayout result = tileLayoutEmpty(stage == stacked ? 2 : 4);
  for (int d = 0; d < result.rank; ++d) {
    shape[d] = shapes[stage][d];
    while ((int64_t)1 << result.outBits[d] < shape[d]) ++result.outBits[d];
  }
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int b = 0; b < from.inBits[in]; ++b) {
      int64_t row = tileLayoutCoordinate(from, from.bases[in][b], 0), piece = row / height,
              column = tileLayoutCoordinate(from, from.bases[in][b], 1), stack = column / width;
      row %= height;
      column %= width;
      const int64_t places[][TILE_MAX_RANK] = {
          [divided] = {piece, row, stack, column},
          [turned] = {stack, row, piece, column},
          [stacked] = {stack * height + row, piece * width + column}};
      result.bases[in][result.inBits[in]++] = tileLayoutPack(result, places[stage]);
    }
  return result;
}

static MlirValue buildStage(TileBuilder *b, const TileBoxStore *s, MlirValue value, TileLayout from,
                            int stage) {
  int64_t shape[4];
  TileLayout layout = layoutOfStage(from, s->height, s->across, stage, shape);
  MlirType element = tileElementType(mlirValueGetType(value));
  MlirType type =
      mlirRankedTensorTypeGet(layout.rank, shape, element, tileLayoutToAttr(b->context, &layout));
  if (stage != turned) return tileBuildUnary(b, "tile.reshape", type, value);
  const int32_t order[] = {2, 1, 0, 3};
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 4, order);
  return tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(value), 1, &type, TILE_ATTRS({"order", attr}), 0));
}

/// Takes columns of warp groups for rows, so that there are `boxes` at least, where rows are
/// enough. Of rows before padding the last box begins so that it ends with them. False where groups
/// have neither.
static bool stackColumns(TileBoxStore *s, int warpGroups, int64_t bits, TileLayout *layout,
                         int64_t shape[], int64_t stored[2], int boxes) {
  const TileMachine *machine = tileMachineOf(s->write);
  int64_t slotBytes =
      tileMachineNumber(machine, s->adds ? TILE_NUMBER_SUM_BYTES : TILE_NUMBER_STORE_BYTES);
  int64_t rows = stored[0], leastRows = machine->swizzleRows, rowBytes = machine->swizzleBytes;
  if (stored[1] != shape[1] || bits < 8 || !groupsOwn(*layout, warpGroups, 1)) return false;
  s->across = shape[1] / warpGroups;
  if (s->across * bits / 8 > rowBytes) s->across = rowBytes * 8 / bits;
  s->height = shape[0];
  while (s->height > leastRows && (s->height * shape[1] * bits / 8 > slotBytes ||
                                   s->height * boxes > shape[0] || s->height > rows))
    s->height /= 2;
  if (rows < shape[0] && (rows % leastRows || !beginsAt(*layout, 0, rows & -rows))) return false;
  *layout = layoutOfStage(*layout, s->height, s->across, stacked, shape);
  stored[1] = rows * s->across / s->height;
  stored[0] = shape[0];
  return true;
}

static MlirValue extract(TileBuilder *b, MlirValue value, MlirType part, int64_t row,
                         int64_t column) {
  const int32_t at[] = {(int32_t)row, (int32_t)column};
  MlirAttribute offsets = mlirDenseI32ArrayGet(b->context, 2, at);
  return tileResult(tileBuildOp(b, "tile_gpu.extract_tile", TILE_VALUES(value), 1, &part,
                                TILE_ATTRS({"offsets", offsets}), 0));
}

/// A box's rows of `value`, of which warp groups hold columns, as they have rows of it.
static MlirValue buildRows(TileBuilder *b, const TileBoxStore *s, MlirValue value, int64_t row) {
  TileLayout from;
  MlirType type = mlirValueGetType(value), element = tileElementType(type);
  int64_t shape[TILE_MAX_RANK];
  bool isCut = tileShape(type, shape) == 2 && tileTypeGetLayout(type, &from) &&
               cutBox(from, s->height, shape[1], &from);
  assert(isCut && "found as boxes of whole registers");
  if (!isCut) return value;
  shape[0] = s->height;
  value = extract(b, value,
                  mlirRankedTensorTypeGet(2, shape, element, tileLayoutToAttr(b->context, &from)),
                  row, 0);
  for (int stage = divided; stage <= stacked; ++stage) value = buildStage(b, s, value, from, stage);
  return value;
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

/// All boxes of a sum are staged at once where there is room: so threads wait once a step.
static int slotsOfSum(const TileBoxStore *s, int64_t boxBytes) {
  int64_t slots = tileMachineNumber(tileMachineOf(s->write), TILE_NUMBER_SUM_BYTES) / boxBytes;
  return slots < 1 ? 1 : slots < s->boxes ? (int)slots : s->boxes;
}

/// Slots in which boxes of so many bytes are staged.
static int slotsOf(const TileBoxStore *s, int64_t boxBytes) {
  if (s->boxes == 1) return 1;
  return s->adds ? slotsOfSum(s, boxBytes)
                 : tileMachineNumber(tileMachineOf(s->write), TILE_NUMBER_STORE_SLOTS);
}

bool tileFindBoxStore(MlirOperation write, int warpGroups, int boxes, TileBoxStore *s) {
  enum { leastBytes = 32 }; // that a swizzle has in a row
  const TileMachine *machine = tileMachineOf(write);
  const int patternRows = machine->swizzleRows, mostBytes = machine->swizzleBytes;
  MlirValue buffer = tileDescWriteGetBuffer(write);
  *s = (TileBoxStore){.write = write,
                      .alloc = tileBufferGetAlloc(buffer),
                      .adds = tileDescWriteGetAdd(write),
                      .shares = -1};
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
  int64_t bits = tileBitWidth(tileElementType(type)), row = leastBytes, swizzle;
  storedExtents(write, s->rank, shape, stored);
  // Warps of one group, too, may hold columns of more than one box.
  bool columns = !groupsOwn(layout, warpGroups, 0) ||
                 (boxes > 1 && !beginsAt(layout, 1, shape[1] / boxes)) ||
                 (stored[0] < shape[0] && !beginsAt(layout, 1, mostBytes * 8 / bits));
  if (columns && !stackColumns(s, warpGroups, bits, &layout, shape, stored, boxes)) return false;
  s->end = stored[1];
  int64_t widest = s->across ? s->across : s->end;
  while (2 * row <= widest * bits / 8) row *= 2;
  swizzle = row < mostBytes ? row : mostBytes;
  while (!s->across && swizzle > leastBytes && swizzle * boxes > s->end * bits / 8) swizzle /= 2;
  s->columns = swizzle * 8 / bits;
  if (s->columns > s->end || (!s->across && !beginsAt(layout, 1, s->end & -s->end))) return false;
  bool cuts = stored[0] < shape[0];
  if (cuts && (warpGroups > 1 || stored[0] % patternRows || !beginsAt(layout, 0, patternRows)))
    return false;
  if (bits < 8 || swizzle < leastBytes || shape[0] / warpGroups > machine->boxExtent ||
      shape[0] / warpGroups < patternRows)
    return false;
  s->boxes = (int)((s->end + s->columns - 1) / s->columns);
  s->slots = slotsOf(s, shape[0] * swizzle);
  s->layout = layout;
  return cutRows(s, type, layout, stored[0], swizzle);
}

/// Lets a store have the ring of one before it that stages boxes of its kind: it waits for that.
static void shareRing(TileBoxStore *list, int i) {
  for (int k = 0; k < i && list[i].shares < 0; ++k) {
    bool isSame = list[k].numParts == 1 && list[i].numParts == 1 && list[k].shares < 0 &&
                  list[k].boxes == list[i].boxes &&
                  mlirTypeEqual(list[k].parts[0].staging, list[i].parts[0].staging);
    if (isSame) list[i].shares = k;
  }
}

void tileShareBoxStoreRings(TileBoxStores *stores) {
  for (int i = 1; i < stores->count; ++i) shareRing(stores->list, i);
}

typedef struct {
  MlirOperation func;
  MlirBlock program;
  TileBoxStores *sums;
} TileBoxSums;

void tileFindBoxStores(MlirOperation func, TileBoxStores *stores) {
  stores->count = 0;
  stores->left = (MlirOperation){NULL};
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    TileBoxStore store;
    if (!tileOpIsADescWrite(op) || !tileValueIsInFront(func, tileDescWriteGetDesc(op)) ||
        !tileFindBoxStore(op, tileKernelGetWarpGroups(func), 1, &store))
      continue;
    if (stores->count < tileMaxStores)
      stores->list[stores->count++] = store;
    else if (mlirOperationIsNull(stores->left))
      stores->left = op;
  }
}

static MlirWalkResult findSum(MlirOperation op, void *data) {
  TileBoxSums *s = data;
  TileBoxStore store;
  if (tileOpIsADescWrite(op) && tileDescWriteGetAdd(op) && s->sums->count < tileMaxStores &&
      !mlirBlockEqual(mlirOperationGetBlock(op), s->program) &&
      tileValueIsInFront(s->func, tileDescWriteGetDesc(op)) &&
      tileFindBoxStore(op, tileKernelGetWarpGroups(s->func), 1, &store))
    s->sums->list[s->sums->count++] = store;
  return MlirWalkResultAdvance;
}

void tileFindBoxSums(MlirOperation func, TileBoxStores *sums) {
  sums->count = 0;
  sums->left = (MlirOperation){NULL};
  TileBoxSums s = {.func = func, .program = tileKernelGetProgram(func), .sums = sums};
  if (tileKernelGetWarpGroups(func)) mlirOperationWalk(func, findSum, &s, MlirWalkPreOrder);
  for (int i = 1; i < sums->count; ++i) shareRing(sums->list, i);
}

int tileCountBoxes(const TileBoxStores *stores) {
  int boxes = 0;
  for (int i = 0; i < stores->count; ++i) boxes += stores->list[i].boxes;
  return boxes;
}

int64_t tileBoxStoreBytes(const TileBoxStore *s) {
  int64_t bytes = 0;
  if (s->shares >= 0) return 0;
  for (int i = 0; i < s->numParts; ++i) bytes += tileBufferBytes(s->parts[i].staging);
  return bytes;
}

int64_t tileBoxStoreMoreBytes(const TileBoxStore *s) {
  return tileBoxStoreBytes(s) / s->slots * (s->boxes - s->slots);
}

/// The same buffer with so many stages.
static MlirType withStages(MlirType buffer, int64_t stages) {
  int64_t shape[2], order[2];
  for (int d = 0; d < 2; ++d) {
    shape[d] = tileBufferTypeGetDim(buffer, d);
    order[d] = tileBufferTypeGetOrder(buffer, d);
  }
  return tileBufferTypeGet(mlirTypeGetContext(buffer), 2, shape, tileBufferTypeGetElement(buffer),
                           tileBufferTypeGetSwizzle(buffer), order, stages);
}

void tileStageAllBoxes(TileBoxStores *stores) {
  for (int i = 0; i < stores->count; ++i) {
    TileBoxStore *s = &stores->list[i];
    s->slots = s->boxes;
    for (int k = 0; k < s->numParts; ++k)
      s->parts[k].staging = withStages(s->parts[k].staging, s->slots);
  }
}

static void buildPart(TileBuilder *b, const TileBoxStore *s, TileBoxPart *part, int warpGroups) {
  if (s->shares < 0)
    part->ring = tileResult(tileBuildOp(b, "tile_gpu.alloc_shared", TILE_NONE, 1, &part->staging,
                                        TILE_ATTRS({"guarded", mlirUnitAttrGet(b->context)}), 0));
  int64_t shape[TILE_MAX_RANK];
  for (int d = 0; d < s->rank; ++d) shape[d] = 1;
  shape[s->rank - 2] = s->across ? s->height : part->rows / warpGroups;
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

void tileBuildBoxStoreRings(TileBuilder *b, TileBoxStores *stores, int warpGroups) {
  for (int i = 0; i < stores->count; ++i) {
    TileBoxStore *s = &stores->list[i];
    if (s->shares >= 0) s->parts[0].ring = stores->list[s->shares].parts[0].ring;
    tileBuildBoxStoreRing(b, s, warpGroups);
  }
}

void tileBuildStoreWait(TileBuilder *b) {
  MlirAttribute none = mlirIntegerAttrGet(tileI32(b->context), 0);
  tileBuildOp(b, "tile_gpu.tma_store_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", none}), 0);
}

int64_t tileBoxStoreColumn(const TileBoxStore *s, int box) {
  int64_t first = box * s->columns, last = s->end - s->columns;
  return first < last ? first : last;
}

static MlirValue slotOf(TileBuilder *b, const TileBoxStore *s, const TileBoxPart *part, int box) {
  return tileBuildSlot(b, part->ring, tileBuildInt(b, tileI32(b->context), box % s->slots));
}

/// The first row of a box that lies across warp groups: its columns in `layout` are rows of it.
static int64_t rowAcross(const TileBoxStore *s, int box) {
  return tileBoxStoreColumn(s, box) * s->height / s->across;
}

/// From registers to its slot.
static void stageBox(TileBuilder *b, const TileBoxStore *s, MlirValue value, int box) {
  MlirValue rows = s->across ? buildRows(b, s, value, rowAcross(s, box)) : value;
  for (int i = 0; i < s->numParts; ++i) {
    const TileBoxPart *part = &s->parts[i];
    MlirValue held =
        s->across ? rows : extract(b, value, part->held, part->row, tileBoxStoreColumn(s, box));
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
  int64_t first = s->across ? 0 : tileBoxStoreColumn(s, box);
  int64_t below = s->across ? rowAcross(s, box) : 0;
  for (int d = 0; d < row; ++d) operands[1 + d] = at[d];
  operands[1 + column] = offsetBy(b, at[column], first);
  for (int i = 0; i < s->numParts; ++i) {
    const TileBoxPart *part = &s->parts[i];
    operands[0] = part->made;
    operands[1 + row] = offsetBy(b, at[row], part->row + below);
    operands[1 + s->rank] = slotOf(b, s, part, box);
    TileNamedAttr attrs[2];
    int numAttrs = 0;
    if (s->across)
      attrs[numAttrs++] =
          (TileNamedAttr){"across", mlirIntegerAttrGet(tileI64(b->context), s->across)};
    if (s->adds) attrs[numAttrs++] = (TileNamedAttr){"add", mlirUnitAttrGet(b->context)};
    tileBuildOp(b, "tile_gpu.tma_store", s->rank + 2, operands, TILE_NONE, numAttrs, attrs, 0);
  }
}

static void synchronize(TileBuilder *b) {
  tileBuildOp(b, "tile_gpu.group_barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void tileBuildStoresFree(TileBuilder *b) {
  tileBuildStoreWait(b);
  synchronize(b);
}

void tileBuildStoreBox(TileBuilder *b, const TileBoxStore *s, MlirValue value, const MlirValue *at,
                       int box) {
  if (box == 0 && s->boxes % 2) tileBuildStoresFree(b); // the program before had this slot last
  stageBox(b, s, value, box);
  tileBuildStoreWait(b);
  synchronize(b);
  sendBox(b, s, at, box);
}

/// Boxes `first` to `last` - 1, as many at a time as there are slots.
static void storeOnce(TileBuilder *b, const TileBoxStore *s, const MlirValue *at, int first,
                      int last) {
  for (int box = first; box < last; box += s->slots) {
    int end = box + s->slots < last ? box + s->slots : last;
    if (box > first) tileBuildStoresFree(b);
    for (int i = box; i < end; ++i) stageBox(b, s, s->value, i);
    synchronize(b);
    for (int i = box; i < end; ++i) sendBox(b, s, at, i);
  }
}

int tileBoxStoreFirst(const TileBoxStore *s, int block, int blocks) {
  return (block * s->boxes + blocks - 1) / blocks;
}

/// Ends a branch that was built at `b`.
static void endBranch(TileBuilder *b) {
  tileBuildOp(b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Each block of the cluster its boxes, or of a program that is split among single ones.
static void storeOwn(TileBuilder *b, const TileBoxStore *s, const MlirValue *at) {
  MlirType i32 = tileI32(b->context);
  const char *numbered = mlirValueIsNull(s->all) ? "tile_gpu.cluster_rank" : "tile_gpu.part";
  MlirValue rank = mlirValueIsNull(s->part) ? tileBuild(b, numbered, i32, TILE_NONE) : s->part;
  for (int r = 0; r < s->blocks; ++r) {
    int first = tileBoxStoreFirst(s, r, s->blocks), last = tileBoxStoreFirst(s, r + 1, s->blocks);
    if (first == last) continue;
    MlirValue is = tileBuildCmpi(b, TILE_EQ, rank, tileBuildInt(b, i32, r));
    MlirOperation branch = tileBuildIf(b, is, TILE_NONE, false);
    TileBuilder inside = tileBuilderAtEnd(tileBody(branch, 0), mlirOperationGetLocation(s->write));
    storeOnce(&inside, s, at, first, last);
    endBranch(&inside);
  }
}

static void storeShares(TileBuilder *b, const TileBoxStore *s, const MlirValue *at) {
  if (mlirValueIsNull(s->all)) {
    storeOwn(b, s, at);
    return;
  }
  MlirOperation branch = tileBuildIf(b, s->all, TILE_NONE, true);
  MlirLocation location = mlirOperationGetLocation(s->write);
  TileBuilder whole = tileBuilderAtEnd(tileBody(branch, 0), location);
  storeOnce(&whole, s, at, 0, s->boxes);
  endBranch(&whole);
  TileBuilder own = tileBuilderAtEnd(tileBody(branch, 1), location);
  storeOwn(&own, s, at);
  endBranch(&own);
}

void tileReplaceByBoxes(TileBoxStore *s, bool once) {
  TileBuilder b = tileBuilderBefore(s->write);
  MlirValue at[TILE_MAX_RANK];
  for (int d = 0; d < s->rank; ++d) at[d] = tileOperand(s->write, 1 + d);
  bool isTurn = !mlirValueIsNull(s->part);
  // Whoever had the slots before, in the step before.
  if (isTurn || (once && (s->adds || s->shares >= 0))) tileBuildStoresFree(&b);
  if (s->blocks > 1)
    storeShares(&b, s, at);
  else if (once)
    storeOnce(&b, s, at, 0, s->boxes);
  else
    for (int box = 0; box < s->boxes; ++box) tileBuildStoreBox(&b, s, s->value, at, box);
  mlirOperationDestroy(s->write);
  mlirOperationDestroy(s->store);
  mlirOperationDestroy(s->alloc);
}
