//===- Boxes.c - the copy engine, and barriers in shared memory -----------===//
//
// cp.async.bulk.tensor moves boxes between global memory, as a tensor map describes it,
// and shared memory. One thread starts a copy; what comes in counts its bytes at an
// mbarrier, what goes out belongs to that thread's bulk groups.
//
// The engine is another proxy: what threads wrote to shared memory it sees only behind a
// proxy fence of the writer (lowerBarrier, group_barrier).
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include <stdlib.h>

//===- pieces -------------------------------------------------------------===//

/// i1: is this the first thread of warp `warp`?
static MlirValue isFirstOfWarp(Lowering *l, int warp) {
  MlirValue number = lowerI32(l, warp), zero = lowerI32(l, 0);
  MlirValue other = tileBuildBinary(&l->b, "arith.xori", l->warp, number);
  MlirValue any = tileBuildBinary(&l->b, "arith.ori", other, l->lane);
  return tileBuildCmpi(&l->b, TILE_EQ, any, zero);
}

void lowerPrefetchMaps(Lowering *l, int numMaps, const MlirValue *maps) {
  TileBuilder outside = lowerBeginIf(l, isFirstOfWarp(l, 0));
  // LLVM 22 makes two of an nvvm.prefetch: one in .param space, one at the generic address.
  for (int i = 0; i < numMaps; ++i)
    lowerInlineAsm(l, "prefetch.tensormap [$0];", "l", (MlirType){NULL}, 1, maps + i);
  lowerEndIf(l, outside);
}

/// i1: is this the first thread of its warp group?
static MlirValue isFirstOfGroup(Lowering *l) {
  MlirValue three = lowerI32(l, 3), zero = lowerI32(l, 0);
  MlirValue inside = tileBuildBinary(&l->b, "arith.andi", l->warp, three);
  MlirValue any = tileBuildBinary(&l->b, "arith.ori", inside, l->lane);
  return tileBuildCmpi(&l->b, TILE_EQ, any, zero);
}

/// One copy of the engine: the box at `position` of the tile that begins at the op's indices.
typedef struct {
  MlirOperation op; // desc, indices, buffer, ..
  TileMapBox box;
  MlirValue map;    // !llvm.ptr
  MlirValue buffer; // i32
  MlirValue below;  // i32: rows further down, or null
  MlirValue right;  // i32: elements further along the last dimension, or null
} BoxCopy;

static bool planCopy(Lowering *l, MlirOperation op, BoxCopy *copy) {
  copy->op = op;
  copy->below = copy->right = (MlirValue){NULL};
  MlirType desc = mlirValueGetType(tileOperand(op, 0));
  if (!tileDescBox(desc, &copy->box)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected boxes with rows of 16 bytes or more, found shorter ones");
    return false;
  }
  copy->map = lowerGet(l, tileOperand(op, 0));
  copy->buffer = lowerGet(l, tileOperand(op, 1 + copy->box.rank));
  return true;
}

/// The coordinates of copy `i`, fastest dimension first, `moved` being added to the first extent
/// that is not 1; and where its bytes lie.
static MlirValue placeCopy(Lowering *l, const BoxCopy *copy, int64_t i, int64_t rows,
                           int64_t offset, MlirValue coordinates[TILE_MAP_MAX_RANK]) {
  const TileMapBox *box = &copy->box;
  int64_t position[TILE_MAP_MAX_RANK];
  int slowest = tileTensorMapSlowest(box->rank, box->shape);
  offset += tileTensorMapCopy(box, i, position);
  position[slowest] += rows;
  for (int d = 0; d < box->rank; ++d) {
    MlirValue index = lowerGet(l, tileOperand(copy->op, 1 + d));
    MlirValue distance = lowerI32(l, position[d]);
    if (d == slowest && !mlirValueIsNull(copy->below))
      index = tileBuildBinary(&l->b, "arith.addi", index, copy->below);
    if (d == box->rank - 1 && !mlirValueIsNull(copy->right))
      index = tileBuildBinary(&l->b, "arith.addi", index, copy->right);
    coordinates[box->rank - 1 - d] =
        position[d] ? tileBuildBinary(&l->b, "arith.addi", index, distance) : index;
  }
  MlirValue bytes = lowerI32(l, offset);
  MlirValue at = offset ? tileBuildBinary(&l->b, "arith.addi", copy->buffer, bytes) : copy->buffer;
  return lowerSharedPointer(l, at);
}

/// Copy `i` of the box; with a `mask` (i16), into the same place of every block of the cluster
/// whose bit is set.
static void emitLoad(Lowering *l, const BoxCopy *copy, int64_t i, MlirValue barrier,
                     MlirValue mask) {
  MlirContext c = l->b.context;
  int rank = copy->box.rank;
  bool shared = !mlirValueIsNull(mask);
  int32_t segments[] = {1, 1, rank, 1, 0, shared, 0, 0};
  MlirValue operands[TILE_MAP_MAX_RANK + 4];
  operands[0] = placeCopy(l, copy, i, 0, 0, operands + 2);
  if (shared)
    operands[0] = tileBuildUnary(&l->b, "llvm.addrspacecast",
                                 mlirTypeParseGet(c, tileString("!llvm.ptr<7>")), operands[0]);
  operands[1] = copy->map;
  operands[2 + rank] = barrier;
  operands[3 + rank] = mask;
  tileBuildOp(&l->b, "nvvm.cp.async.bulk.tensor.shared.cluster.global", rank + 3 + shared, operands,
              TILE_NONE,
              TILE_ATTRS({"isCTAOnly", mlirBoolAttrGet(c, !shared)},
                         {"mode", tileParseAttr(c, "#nvvm.tma_load_mode<tile>")},
                         {"operandSegmentSizes", mlirDenseI32ArrayGet(c, 8, segments)}),
              0);
}

static void emitLoads(Lowering *l, const BoxCopy *copy, MlirValue barrier) {
  for (int64_t i = 0; i < copy->box.copies; ++i) emitLoad(l, copy, i, barrier, (MlirValue){NULL});
}

/// Adds what lies at operand 1 to the box that the others say, where `operands` store it.
static void emitAdd(Lowering *l, int rank, const MlirValue *operands) {
  MlirContext c = l->b.context;
  int32_t segments[] = {1, 1, rank, 0};
  tileBuildOp(&l->b, "nvvm.cp.async.bulk.tensor.reduce", rank + 2, operands, TILE_NONE,
              TILE_ATTRS({"redKind", tileParseAttr(c, "#nvvm.tma_redux_kind<add>")},
                         {"mode", tileParseAttr(c, "#nvvm.tma_store_mode<tile>")},
                         {"operandSegmentSizes", mlirDenseI32ArrayGet(c, 4, segments)}),
              0);
}

/// All copies of the box that lies `offset` bytes into the buffer and `rows` into the tile, stored
/// or added.
static void emitStores(Lowering *l, const BoxCopy *copy, int64_t rows, int64_t offset) {
  MlirContext c = l->b.context;
  int rank = copy->box.rank;
  int32_t segments[] = {1, 1, rank, 0, 0};
  bool adds = !mlirAttributeIsNull(tileAttr(copy->op, "add"));
  for (int64_t i = 0; i < copy->box.copies; ++i) {
    MlirValue operands[TILE_MAP_MAX_RANK + 2];
    operands[0] = copy->map;
    operands[1] = placeCopy(l, copy, i, rows, offset, operands + 2);
    if (adds) {
      emitAdd(l, rank, operands);
      continue;
    }
    tileBuildOp(&l->b, "nvvm.cp.async.bulk.tensor.global.shared.cta", rank + 2, operands, TILE_NONE,
                TILE_ATTRS({"mode", tileParseAttr(c, "#nvvm.tma_store_mode<tile>")},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(c, 5, segments)}),
                0);
  }
  lowerBare(l, "nvvm.cp.async.bulk.commit.group");
}

static void emitStoreWait(Lowering *l, int64_t pending) {
  MlirContext c = l->b.context;
  tileBuildOp(
      &l->b, "nvvm.cp.async.bulk.wait_group", TILE_NONE, TILE_NONE,
      TILE_ATTRS({"group", mlirIntegerAttrGet(tileI32(c), pending)}, {"read", mlirUnitAttrGet(c)}),
      0);
}

//===- mbarriers ----------------------------------------------------------===//

static void emitInit(Lowering *l, MlirValue pointer, int64_t count) {
  MlirValue n = lowerI32(l, count);
  tileBuildOp(&l->b, "nvvm.mbarrier.init", TILE_VALUES(pointer, n), TILE_NONE, TILE_NONE, 0);
}

static void emitExpect(Lowering *l, MlirValue pointer, int64_t bytes) {
  MlirContext c = l->b.context;
  MlirValue n = lowerI32(l, bytes);
  tileBuildOp(&l->b, "nvvm.mbarrier.arrive.expect_tx", TILE_VALUES(pointer, n), TILE_NONE,
              TILE_ATTRS({"scope", tileParseAttr(c, "#nvvm.mem_scope<cta>")},
                         {"relaxed", mlirBoolAttrGet(c, 0)}),
              0);
}

/// A loop around the instruction, which gives up after so many nanoseconds. Not that of nvvm's op,
/// whose branches are `bra.uni`: from there on ptxas keeps what warps have alike in registers of
/// each thread, where a block has one warp group, and moves each word of wgmma's descriptors.
static void emitWait(Lowering *l, MlirValue pointer, MlirValue parity) {
  static const char text[] = "{\n.reg .pred done;\nwait:\n"
                             "mbarrier.try_wait.parity.shared.b64 done, [$0], $1, 10000000;\n"
                             "@!done bra wait;\n}";
  MlirValue operands[] = {tileBuildUnary(&l->b, "llvm.ptrtoint", tileI32(l->b.context), pointer),
                          parity};
  lowerInlineAsm(l, text, "r,r", (MlirType){NULL}, 2, operands);
}

MlirLogicalResult lowerBarrierInit(Lowering *l, MlirOperation op) {
  MlirValue ring = tileBarrierInitGetBarrier(op), base = lowerGet(l, ring);
  int64_t stages = tileBufferTypeGetStages(mlirValueGetType(ring));
  TileBuilder outside = lowerBeginIf(l, isFirstOfWarp(l, 0));
  for (int64_t s = 0; s < stages; ++s) {
    MlirValue offset = lowerI32(l, 8 * s);
    MlirValue at = tileBuildBinary(&l->b, "arith.addi", base, offset);
    emitInit(l, lowerSharedPointer(l, at), tileBarrierInitGetCount(op));
  }
  lowerBare(l, "nvvm.fence.mbarrier.init");
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerBarrierExpect(Lowering *l, MlirOperation op) {
  MlirValue pointer = lowerSharedPointer(l, lowerGet(l, tileBarrierExpectGetBarrier(op)));
  emitExpect(l, pointer, tileBarrierExpectGetBytes(op));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerBarrierWait(Lowering *l, MlirOperation op) {
  MlirValue pointer = lowerSharedPointer(l, lowerGet(l, tileBarrierWaitGetBarrier(op)));
  emitWait(l, pointer, lowerGet(l, tileBarrierWaitGetParity(op)));
  return mlirLogicalResultSuccess();
}

static bool isOfEachWarp(MlirOperation op) {
  return !mlirAttributeIsNull(tileAttr(op, "tile_gpu.each_warp"));
}

/// What the warp's threads have read, they have read: a fence, since loads may be on their way
/// (lowerGroupBarrier).
static void finishReads(Lowering *l) {
  lowerProxyFence(l);
  MlirValue all = tileBuildInt(&l->b, tileI32(l->b.context), -1);
  tileBuildOp(&l->b, "nvvm.bar.warp.sync", TILE_VALUES(all), TILE_NONE, TILE_NONE, 0);
}

/// Thread r of a warp group (or of a warp) arrives in block r of the cluster. The scope stays the
/// block's: release at cluster scope is a fence of the whole GPU.
static MlirLogicalResult arriveInCluster(Lowering *l, MlirOperation op) {
  MlirContext c = l->b.context;
  MlirValue pointer = lowerSharedPointer(l, lowerGet(l, tileBarrierArriveGetBarrier(op)));
  MlirValue three = lowerI32(l, 3), five = lowerI32(l, 5), count = lowerI32(l, l->cluster);
  MlirValue inside = tileBuildBinary(&l->b, "arith.andi", l->warp, three);
  MlirValue first = tileBuildBinary(&l->b, "arith.shli", inside, five);
  MlirValue thread =
      isOfEachWarp(op) ? l->lane : tileBuildBinary(&l->b, "arith.ori", first, l->lane);
  TileBuilder outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_ULT, thread, count));
  MlirType remote = mlirTypeParseGet(c, tileString("!llvm.ptr<7>"));
  MlirValue there = tileBuild(&l->b, "nvvm.mapa", remote, TILE_VALUES(pointer, thread));
  tileBuildOp(&l->b, "nvvm.mbarrier.arrive", TILE_VALUES(there), TILE_NONE,
              TILE_ATTRS({"scope", tileParseAttr(c, "#nvvm.mem_scope<cta>")},
                         {"relaxed", mlirBoolAttrGet(c, 0)}),
              0);
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}

/// Does `barrier` lie in one place, whichever step asks?
static bool isInOnePlace(MlirValue barrier) {
  MlirOperation op = tileValueGetOp(barrier);
  int64_t stage;
  return !mlirOperationIsNull(op) &&
         (tileOpIsAAllocShared(op) ||
          (tileOpIsABufferStage(op) && tileConstantInt(tileBufferStageGetStage(op), &stage)));
}

/// The address in a register of its own, in front of the branch to one thread's arrival. Where the
/// branch holds an address that is a constant, ptxas takes what the loops around count for each
/// thread's own: slots leave uniform registers, and each wgmma has its descriptor moved there.
static MlirValue holdAddress(Lowering *l, MlirValue pointer) {
  MlirType type = mlirValueGetType(pointer);
  return tileResult(lowerInlineAsm(l, "mov.b64 $0, $1;", "=l,l", type, 1, &pointer));
}

MlirLogicalResult lowerBarrierArrive(Lowering *l, MlirOperation op) {
  bool each = isOfEachWarp(op);
  if (each) finishReads(l);
  if (tileBarrierArriveGetCluster(op)) return arriveInCluster(l, op);
  MlirContext c = l->b.context;
  MlirValue barrier = tileBarrierArriveGetBarrier(op);
  MlirValue pointer = lowerSharedPointer(l, lowerGet(l, barrier));
  if (isInOnePlace(barrier)) pointer = holdAddress(l, pointer);
  MlirValue zero = lowerI32(l, 0);
  MlirValue one = each ? tileBuildCmpi(&l->b, TILE_EQ, l->lane, zero) : isFirstOfGroup(l);
  TileBuilder outside = lowerBeginIf(l, one);
  tileBuildOp(&l->b, "nvvm.mbarrier.arrive", TILE_VALUES(pointer), TILE_NONE,
              TILE_ATTRS({"scope", tileParseAttr(c, "#nvvm.mem_scope<cta>")},
                         {"relaxed", mlirBoolAttrGet(c, 0)}),
              0);
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}

//===- copies -------------------------------------------------------------===//

MlirLogicalResult lowerTmaLoad(Lowering *l, MlirOperation op) {
  BoxCopy copy;
  if (!planCopy(l, op, &copy)) return mlirLogicalResultFailure();
  MlirValue barrier = lowerGet(l, tileTmaLoadGetBarrier(op));
  emitLoads(l, &copy, lowerSharedPointer(l, barrier));
  return mlirLogicalResultSuccess();
}

/// What a part of a box is, of i32: `cut` halvings of rows behind `halved` between copies.
typedef struct {
  MlirValue halved, cut;
} Splits;

/// A box that is 2^n copies, times an odd number, is halved n times between them.
static Splits divideSplits(Lowering *l, MlirValue splits, int between) {
  MlirValue most = lowerI32(l, between);
  MlirValue halved = tileBuildBinary(&l->b, "arith.minui", splits, most);
  return (Splits){halved, tileBuildBinary(&l->b, "arith.subi", splits, halved)};
}

/// Moves `copy` to the part: its first copy, and the part's rows of each.
static void moveToPart(Lowering *l, BoxCopy *copy, MlirValue part, Splits s) {
  const TileMapBox *box = &copy->box;
  int64_t rows = box->box[tileTensorMapSlowest(box->rank, box->shape)];
  MlirValue one = lowerI32(l, 1), all = lowerI32(l, rows), copies = lowerI32(l, box->copies);
  MlirValue group = tileBuildBinary(&l->b, "arith.shrui", part, s.cut);
  MlirValue each = tileBuildBinary(&l->b, "arith.shrui", copies, s.halved);
  MlirValue first = tileBuildBinary(&l->b, "arith.muli", group, each);
  MlirValue pieces = tileBuildBinary(&l->b, "arith.shli", one, s.cut);
  MlirValue last = tileBuildBinary(&l->b, "arith.subi", pieces, one);
  MlirValue piece = tileBuildBinary(&l->b, "arith.andi", part, last);
  MlirValue height = tileBuildBinary(&l->b, "arith.shrui", all, s.cut);
  MlirValue width = lowerI32(l, box->box[box->rank - 1]);
  MlirValue copyBytes = lowerI32(l, box->bytes), rowBytes = lowerI32(l, box->bytes / rows);
  copy->below = tileBuildBinary(&l->b, "arith.muli", piece, height);
  copy->right = tileBuildBinary(&l->b, "arith.muli", first, width);
  MlirValue skipped = tileBuildBinary(&l->b, "arith.muli", first, copyBytes);
  MlirValue above = tileBuildBinary(&l->b, "arith.muli", copy->below, rowBytes);
  MlirValue offset = tileBuildBinary(&l->b, "arith.addi", skipped, above);
  copy->buffer = tileBuildBinary(&l->b, "arith.addi", copy->buffer, offset);
}

/// The map of boxes with the part's rows.
static void chooseMap(Lowering *l, MlirOperation op, BoxCopy *copy, MlirValue cut) {
  for (intptr_t i = 0; i < tileTmaMulticastGetNumCuts(op); ++i) {
    MlirValue times = lowerI32(l, i + 1), map = lowerGet(l, tileTmaMulticastGetCuts(op, i));
    MlirValue fits = tileBuildCmpi(&l->b, TILE_EQ, cut, times);
    copy->map = tileBuildSelect(&l->b, fits, map, copy->map);
  }
}

MlirLogicalResult lowerTmaMulticast(Lowering *l, MlirOperation op) {
  BoxCopy copy;
  if (!planCopy(l, op, &copy)) return mlirLogicalResultFailure();
  MlirValue barrier = lowerSharedPointer(l, lowerGet(l, tileTmaMulticastGetBarrier(op)));
  MlirValue part = lowerGet(l, tileTmaMulticastGetPart(op));
  MlirValue splits = lowerGet(l, tileTmaMulticastGetSplits(op)), zero = lowerI32(l, 0);
  MlirValue blocks = tileBuildUnary(&l->b, "arith.trunci", tileI16(l->b.context),
                                    lowerGet(l, tileTmaMulticastGetBlocks(op)));
  MlirValue beyond = tileBuildBinary(&l->b, "arith.shrui", part, splits);
  MlirValue mine = tileBuildCmpi(&l->b, TILE_EQ, beyond, zero);
  int between = __builtin_ctzll((unsigned long long)copy.box.copies);
  Splits s = divideSplits(l, splits, between);
  chooseMap(l, op, &copy, s.cut);
  moveToPart(l, &copy, part, s);
  TileBuilder outside = lowerBeginIf(l, mine);
  for (int64_t i = 0; i < copy.box.copies; ++i) {
    if (i == 0 || copy.box.copies >> between > i) { // every part has so many
      emitLoad(l, &copy, i, barrier, blocks);
      continue;
    }
    MlirValue number = lowerI32(l, i), copies = lowerI32(l, copy.box.copies);
    MlirValue each = tileBuildBinary(&l->b, "arith.shrui", copies, s.halved);
    TileBuilder inPart = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_ULT, number, each));
    emitLoad(l, &copy, i, barrier, blocks);
    lowerEndIf(l, inPart);
  }
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}

/// One thread of each warp group stores what its group wrote: one piece of code for all of them,
/// with the group's number in the position, so that it stays in uniform registers.
/// From one box of a tma_store to the next: rows, or columns where they lie across.
static int64_t distanceOfBoxes(MlirOperation store, const TileMapBox *box, bool *across) {
  MlirAttribute columns = tileTmaStoreGetAcrossAttr(store);
  *across = !mlirAttributeIsNull(columns);
  return *across ? mlirIntegerAttrGetValueInt(columns)
                 : box->shape[tileTensorMapSlowest(box->rank, box->shape)];
}

/// Where a box lies, in a register in front of the branch to the thread that stores it, as
/// holdAddress has it.
static MlirValue holdOffset(Lowering *l, MlirValue bytes) {
  int64_t number;
  if (!tileConstantInt(bytes, &number)) return bytes;
  MlirType i32 = tileI32(l->b.context);
  return tileResult(lowerInlineAsm(l, "mov.b32 $0, $1;", "=r,r", i32, 1, &bytes));
}

MlirLogicalResult lowerTmaStore(Lowering *l, MlirOperation op) {
  BoxCopy copy;
  if (!planCopy(l, op, &copy)) return mlirLogicalResultFailure();
  int64_t boxBytes = copy.box.copies * copy.box.bytes,
          groups = l->numWarps < 4 ? 1 : l->numWarps / 4;
  int64_t boxes = tileBufferBytes(mlirValueGetType(tileTmaStoreGetBuffer(op))) / boxBytes;
  int64_t each = boxes > groups ? boxes / groups : 1;
  bool across;
  int64_t distance = distanceOfBoxes(op, &copy.box, &across);
  MlirValue count = lowerI32(l, boxes), group = lowerGroup(l), stores = isFirstOfGroup(l);
  if (boxes < groups) {
    MlirValue has = tileBuildCmpi(&l->b, TILE_ULT, group, count);
    stores = tileBuildBinary(&l->b, "arith.andi", stores, has);
  }
  TileBuilder outside = lowerBeginIf(l, stores);
  MlirValue first = {NULL};
  if (boxes > 1 && groups > 1) {
    MlirValue step = lowerI32(l, each * distance), size = lowerI32(l, each * boxBytes);
    first = tileBuildBinary(&l->b, "arith.muli", group, step);
    MlirValue offset = tileBuildBinary(&l->b, "arith.muli", group, size);
    copy.buffer = tileBuildBinary(&l->b, "arith.addi", copy.buffer, offset);
    *(across ? &copy.right : &copy.below) = first;
  }
  for (int64_t i = 0; i < each; ++i) {
    if (across && i) {
      MlirValue columns = lowerI32(l, i * distance);
      copy.right =
          mlirValueIsNull(first) ? columns : tileBuildBinary(&l->b, "arith.addi", first, columns);
    }
    emitStores(l, &copy, across ? 0 : i * distance, i * boxBytes);
  }
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerTmaStoreWait(Lowering *l, MlirOperation op) {
  emitStoreWait(l, tileTmaStoreWaitGetPending(op));
  return mlirLogicalResultSuccess();
}

/// One barrier of its own in the op's scratch, for one copy that all threads wait for.
MlirLogicalResult lowerDescCopy(Lowering *l, MlirOperation op) {
  BoxCopy copy;
  if (!planCopy(l, op, &copy)) return mlirLogicalResultFailure();
  MlirValue barrier = lowerSharedPointer(l, lowerI32(l, tileIntAttr(op, "offset", 0)));
  TileBuilder outside = lowerBeginIf(l, isFirstOfWarp(l, 0));
  emitInit(l, barrier, 1);
  lowerProxyFence(l);
  emitExpect(l, barrier, copy.box.copies * copy.box.bytes);
  emitLoads(l, &copy, barrier);
  lowerEndIf(l, outside);
  lowerBarrier(l);
  emitWait(l, barrier, lowerI32(l, 0));
  lowerBarrier(l);
  outside = lowerBeginIf(l, isFirstOfWarp(l, 0));
  tileBuildOp(&l->b, "nvvm.mbarrier.inval", TILE_VALUES(barrier), TILE_NONE, TILE_NONE, 0);
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerDescWrite(Lowering *l, MlirOperation op) {
  BoxCopy copy;
  if (!mlirAttributeIsNull(tileDescWriteGetExtentsAttr(op))) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a box without padding (see tile-stage-stores), found extents");
    return mlirLogicalResultFailure();
  }
  if (!planCopy(l, op, &copy)) return mlirLogicalResultFailure();
  copy.buffer = holdOffset(l, copy.buffer);
  TileBuilder outside = lowerBeginIf(l, isFirstOfWarp(l, 0));
  emitStores(l, &copy, 0, 0);
  // Who stages the next one waits (tile-stage-stores).
  if (mlirAttributeIsNull(tileAttr(op, "tile_gpu.flies"))) emitStoreWait(l, 0);
  lowerEndIf(l, outside);
  return mlirLogicalResultSuccess();
}
