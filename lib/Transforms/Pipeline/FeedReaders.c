//===- FeedReaders.c - who reads a load, and then its copies --------------===//
#include "FeedReaders.h"
#include "../Layouts/Converted.h"
#include "../Layouts/Layouts.h"
#include "../Layouts/Rows/Rows.h"
#include "../Loops.h"
#include "tile/Support/ValueSearch.h"
#include "tile/TensorMap.h"
#include <stdlib.h>

//===- who reads a load ---------------------------------------------------===//

bool tileIsInStep(MlirOperation op, MlirBlock body) {
  if (mlirOperationIsNull(op) || tileIsOfBlock(op, body)) return !mlirOperationIsNull(op);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return tileOpIs(parent, "scf.if") && tileIsOfBlock(parent, body);
}

/// The buffer in the same block that `store` fills; null where `store` is no such store.
static MlirOperation filledBuffer(MlirOperation store, MlirBlock body) {
  if (!tileIsInStep(store, body) || !tileOpIsABufferStore(store)) return (MlirOperation){NULL};
  MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store));
  return tileIsOfBlock(alloc, mlirOperationGetBlock(store)) ? alloc : (MlirOperation){NULL};
}

/// The store of `value`, a transposed tile, that brings it to a dot; the first one where all that
/// read it are such stores, to buffers of one type. Else null.
static MlirOperation storeOfTurned(MlirValue value, MlirBlock body) {
  MlirOperation first = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation store = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(filledBuffer(store, body))) return (MlirOperation){NULL};
    if (mlirOperationIsNull(first)) first = store;
    if (!mlirTypeEqual(mlirValueGetType(tileBufferStoreGetBuffer(store)),
                       mlirValueGetType(tileBufferStoreGetBuffer(first))))
      return (MlirOperation){NULL};
  }
  return first;
}

/// Where `user`, a reader of a load in `body`, only brings its tile to dots by way of buffers, the
/// (first) store to one; `turned` where it is transposed before. Else null.
static MlirOperation storeOf(MlirOperation user, MlirBlock body, bool *turned) {
  *turned = tileOpIsATrans(user);
  if (*turned) return storeOfTurned(tileResult(user), body);
  return mlirOperationIsNull(filledBuffer(user, body)) ? (MlirOperation){NULL} : user;
}

/// What a block of the ring must be for `store` to be no more than a view of it; null: cannot be.
static MlirType blockOf(MlirOperation store, bool turned) {
  MlirType type = mlirValueGetType(tileBufferStoreGetBuffer(store));
  return turned ? tileBufferTurned(type) : type;
}

/// Are all that read what `store` writes dots by mma.sync? Those read rows wherever they begin.
static bool isReadByMma(MlirOperation store) {
  MlirOpOperand use = mlirValueGetFirstUse(tileBufferStoreGetBuffer(store));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation dot = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(dot, store)) continue;
    if (!tileOpIsADot(dot) || tileDotGetInstruction(dot) != TILE_INSTRUCTION_MMA_SYNC) return false;
  }
  return true;
}

/// Is `store` no more than a view of the feed's ring?
static bool isView(const TileFeed *feed, MlirOperation store, bool turned) {
  if (tileBufferTypeIsRagged(feed->block)) return isReadByMma(store);
  return mlirTypeEqual(blockOf(store, turned), feed->block);
}

/// Does somebody read the tile otherwise than its copies are spread over threads? Lanes that read
/// one column of several rows would find them in one bank.
static bool isReadAcross(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (tileOpIsAConvertLayout(mlirOpOperandGetOwner(use))) return true;
  return false;
}

/// The dimension along which neighbouring threads lie.
static int acrossLanes(TileLayout layout) {
  for (int bit = 0; bit < layout.inBits[TILE_LANE]; ++bit)
    for (int d = 0; d < layout.rank; ++d)
      if (tileLayoutCoordinate(layout, layout.bases[TILE_LANE][bit], d)) return d;
  return tileLayoutFastest(layout);
}

/// A block for a tile that is read in registers alone: as it lies in memory. Where each copy brings
/// one element, those of neighbouring threads are neighbours: as a thread has them below each
/// other, 32 of 4 bytes would be in one bank.
static MlirType plainBlock(const TileFeeds *f, MlirOperation load) {
  MlirValue value = tileResult(load);
  MlirType type = mlirValueGetType(value);
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  TileLayout layout;
  if (!tileTypeGetLayout(type, &layout)) return (MlirType){NULL};
  bool single = tileAxisAccessVectorIn(f->axis, load, layout) == 1;
  int fastest = single ? acrossLanes(layout) : tileLayoutFastest(layout);
  order[0] = fastest;
  for (int d = rank, n = 1; d-- > 0;)
    if (d != fastest) order[n++] = d;
  MlirType element = tileElementType(type);
  bool swizzled = rank == 2 && isReadAcross(value);
  int64_t row = shape[fastest] * tileBitWidth(element) / 8;
  return tileBufferTypeGet(mlirTypeGetContext(type), rank, shape, element,
                           swizzled ? tileTensorMapSwizzle(row) : 0, order, 1);
}

MlirType tileFeedGetBlock(const TileFeeds *f, MlirOperation load, bool *forDot) {
  *forDot = false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(load));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    bool turned;
    MlirOperation store = storeOf(mlirOpOperandGetOwner(use), f->body, &turned);
    MlirType type = mlirOperationIsNull(store) ? (MlirType){NULL} : blockOf(store, turned);
    if (mlirTypeIsNull(type)) continue;
    *forDot = true;
    return type;
  }
  return plainBlock(f, load);
}

/// Does `value` reach a dot in the body, computed or converted on its way? A sum that begins with
/// it, as scores do with a bias, waits for it in front of the dot.
static bool reachesDot(TileValueSearch *s, MlirValue value, const void *data) {
  const TileFeeds *f = data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileIsInStep(user, f->body)) continue;
    if (tileOpIsADot(user)) return true;
    if (tileOpIsABufferStore(user)) {
      MlirOpOperand read = mlirValueGetFirstUse(tileBufferStoreGetBuffer(user));
      for (; !mlirOpOperandIsNull(read); read = mlirOpOperandGetNextUse(read))
        if (tileOpIsADot(mlirOpOperandGetOwner(read))) return true;
    }
    if (tileOpConverts(user) || tileOpIsAConvertLayout(user) || tileOpRepeats(user))
      tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

bool tileFeedReachesDot(const TileFeeds *f, MlirOperation load) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(load)), shape);
  for (int d = rank > 2 ? rank - 2 : 0; d < rank; ++d)
    if (shape[d] == 1) return false;
  return rank >= 2 && tileValueSearchFinds(tileResult(load), reachesDot, f);
}

/// Is all that reads the load's tile a buffer that dots read?
static bool isMultipliedAlone(const TileFeeds *f, MlirOperation load) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(load));
  bool any = !mlirOpOperandIsNull(use), turned;
  for (; any && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationIsNull(storeOf(user, f->body, &turned))) return false;
    if (turned && mlirOpOperandIsNull(tileOnlyUse(tileResult(user)))) return false;
  }
  return any && tileFeedReachesDot(f, load);
}

MlirType tileFeedGetRaggedBlock(const TileFeeds *f, MlirOperation load) {
  enum { CHUNK = 16 };
  int dim = tileAxisRaggedDim(f->axis, load, true);
  MlirType type = mlirValueGetType(tileResult(load));
  MlirValue other = tileLoadGetOther(load);
  bool isZero = mlirValueIsNull(other) || tileIsZero(other);
  TileLayout layout;
  if (dim < 0 || !isZero || f->streams || !isMultipliedAlone(f, load)) return (MlirType){NULL};
  if (!tileTypeGetLayout(type, &layout)) return (MlirType){NULL};
  MlirType element = tileElementType(type);
  int64_t shape[TILE_MAX_RANK], order[] = {dim, 1 - dim};
  int rank = tileShape(type, shape), chunk = 8 * CHUNK / tileBitWidth(element);
  if (!tileLayoutRunsOverLanes(layout, dim, chunk)) return (MlirType){NULL};
  return tileBufferTypeGetRagged(
      tileBufferTypeGet(mlirTypeGetContext(type), rank, shape, element, 0, order, 1));
}

bool tileFeedsReplaceStore(const TileFeeds *f, MlirOperation store) {
  MlirOperation op = tileValueGetOp(tileBufferStoreGetValue(store));
  bool turned = !mlirOperationIsNull(op) && tileOpIsATrans(op);
  if (mlirOperationIsNull(filledBuffer(store, f->body))) return false;
  // Who else reads the transposed tile has it from the slot by threads, and the store with it.
  if (turned && mlirOperationIsNull(storeOfTurned(tileResult(op), f->body))) return false;
  if (turned) op = tileValueGetOp(tileOperand(op, 0));
  for (int i = 0; i < f->numFeeds; ++i)
    if (!mlirOperationIsNull(op) && mlirOperationEqual(f->feeds[i].load, op))
      return isView(&f->feeds[i], store, turned);
  return false;
}

/// Takes `reader`, an op of the body, to the first and the last.
static void addReader(TileReaders *readers, MlirOperation reader) {
  if (mlirOperationIsNull(readers->first) || mlirOperationIsBeforeInBlock(reader, readers->first))
    readers->first = reader;
  if (mlirOperationIsNull(readers->last) || mlirOperationIsBeforeInBlock(readers->last, reader))
    readers->last = reader;
}

/// Takes the dots that read what `store` fills; false: others read it.
static bool addDots(const TileFeeds *f, MlirOperation store, TileReaders *readers) {
  MlirOpOperand use = mlirValueGetFirstUse(tileBufferStoreGetBuffer(store));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation dot = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(dot, store)) continue;
    if (!tileOpIsADot(dot) || !tileIsOfBlock(dot, f->body)) return false;
    addReader(readers, dot);
  }
  return true;
}

/// Takes those that read `value` in registers. What only spreads it over more of them, or has it
/// otherwise than it was loaded, is read where its own first reader stands (`sink`).
static void addThreads(const TileFeeds *f, MlirValue value, TileReaders *readers) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(f->body, mlirOpOperandGetOwner(use));
    addReader(readers, user);
    readers->threads = true;
    if (tileOpIsAConvertLayout(user) || tileOpIsAExpandDims(user) || tileOpIsABroadcast(user))
      addThreads(f, tileResult(user), readers);
  }
}

bool tileFeedFindReaders(const TileFeeds *f, MlirOperation load, TileReaders *readers) {
  *readers = (TileReaders){0};
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(load));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    bool turned;
    MlirOperation user = mlirOpOperandGetOwner(use), store = storeOf(user, f->body, &turned);
    if (mlirOperationIsNull(store) || !tileFeedsReplaceStore(f, store)) {
      if (mlirOperationIsNull(tileAncestorIn(f->body, user))) return false;
      addReader(readers, tileAncestorIn(f->body, user));
      readers->threads = true;
      if (tileOpIsAConvertLayout(user)) addThreads(f, tileResult(user), readers);
      continue;
    }
    MlirOpOperand way = turned ? mlirValueGetFirstUse(tileResult(user)) : use;
    for (; !mlirOpOperandIsNull(way); way = mlirOpOperandGetNextUse(way)) {
      if (!addDots(f, mlirOpOperandGetOwner(way), readers)) return false;
      if (!turned) break;
    }
  }
  return !mlirOperationIsNull(readers->first);
}

//===- replacing ----------------------------------------------------------===//

/// Is `other` what masked-out lanes are copied as?
static bool isCopiedAs(MlirValue other) { return mlirValueIsNull(other) || tileIsZero(other); }

/// %v = tile_gpu.buffer_load %slot in front of `user`; masked-out lanes as the load has them.
static MlirValue readSlot(MlirOperation load, MlirValue slot, MlirType type, MlirOperation user) {
  MlirBlock body = mlirOperationGetBlock(load);
  TileBuilder b = tileBuilderBefore(tileIsInStep(user, body) ? user : tileAncestorIn(body, user));
  MlirValue read = tileBuild(&b, "tile_gpu.buffer_load", type, TILE_VALUES(slot));
  MlirValue other = tileLoadGetOther(load), mask = tileLoadGetMask(load);
  if (mlirValueIsNull(mask) || isCopiedAs(other)) return read;
  return tileBuildSelect(&b, mask, read, other);
}

/// Which lanes a load reads, and what the others have, in the layout that a reader wants; null:
/// nothing to choose.
typedef struct {
  MlirValue mask, other;
} Lanes;

/// Makes the load's mask and what masked-out lanes have once more in front of `reader`, of indices
/// and constants, in `layout`. False where these are loaded, or carried by a loop.
static bool remakeLanes(MlirOperation load, MlirAttribute layout, MlirOperation reader,
                        Lanes *lanes) {
  *lanes = (Lanes){.mask = tileLoadGetMask(load), .other = tileLoadGetOther(load)};
  if (mlirValueIsNull(lanes->mask) || isCopiedAs(lanes->other)) {
    *lanes = (Lanes){0};
    return true;
  }
  TileRowSlice slice = {0};
  bool known =
      tileRowsCollect(&slice, lanes->mask, layout) && tileRowsCollect(&slice, lanes->other, layout);
  for (int k = 0; k < slice.count; ++k) known &= !slice.steps[k].loads;
  if (known) {
    TileValueMap map = {{0}};
    tileRowsCloneSteps(&slice, &map, lanes->mask);
    tileRowsCloneSteps(&slice, &map, lanes->other);
    for (int k = 0; k < slice.count; ++k) // what is outside of the loop stays as it was analysed
      mlirOperationMoveBefore(tileValueGetOp(tileValueMapGet(map, tileResult(slice.steps[k].op))),
                              reader);
    lanes->mask = tileValueMapGet(map, lanes->mask);
    lanes->other = tileValueMapGet(map, lanes->other);
    tileValueMapClear(&map);
  }
  free(slice.steps);
  return known;
}

/// Moves `op` down to its first reader; in front of that, readers that only spread a value over
/// more registers. What is read from shared memory early is held in registers across the dots
/// between.
static void sink(MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation first = mlirBlockGetTerminator(block);
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(block, mlirOpOperandGetOwner(use));
    if (tileOpIsAExpandDims(user) || tileOpIsABroadcast(user)) sink(user);
  }
  for (use = mlirValueGetFirstUse(tileResult(op)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(block, mlirOpOperandGetOwner(use));
    if (mlirOperationIsBeforeInBlock(user, first)) first = user;
  }
  mlirOperationMoveBefore(op, first);
}

/// `store` writes what `slot` holds to a buffer: its readers look at the slot.
static void viewSlot(MlirOperation store, MlirValue slot, bool turned) {
  MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store));
  MlirValue view = slot;
  if (turned) {
    const int32_t order[] = {1, 0};
    TileBuilder b = tileBuilderBefore(store);
    MlirType type = tileBufferTurned(mlirValueGetType(slot));
    MlirAttribute attr = mlirDenseI32ArrayGet(b.context, 2, order);
    view = tileResult(tileBuildOp(&b, "tile_gpu.buffer_trans", TILE_VALUES(slot), 1, &type,
                                  TILE_ATTRS({"order", attr}), 0));
  }
  MlirOperation trans = turned ? tileValueGetOp(tileBufferStoreGetValue(store)) : store;
  mlirOperationDestroy(store);
  mlirValueReplaceAllUsesOfWith(tileResult(alloc), view);
  mlirOperationDestroy(alloc);
  if (turned && mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(trans))))
    mlirOperationDestroy(trans);
}

/// `conversion` of what `load` reads: it comes out of the slot in any layout, and what masked-out
/// lanes have is chosen there. False where that cannot be made in another layout.
static bool readConverted(MlirOperation load, MlirValue slot, MlirOperation conversion) {
  MlirType type = mlirValueGetType(tileResult(conversion));
  Lanes lanes;
  MlirAttribute layout = mlirRankedTensorTypeGetEncoding(type);
  if (!remakeLanes(load, layout, conversion, &lanes)) return false;
  TileBuilder b = tileBuilderBefore(conversion);
  MlirValue read = tileBuild(&b, "tile_gpu.buffer_load", type, TILE_VALUES(slot)), made = read;
  if (!mlirValueIsNull(lanes.mask)) made = tileBuildSelect(&b, lanes.mask, read, lanes.other);
  tileReplaceOp(conversion, 1, &made);
  if (!mlirValueEqual(made, read)) sink(tileValueGetOp(made));
  sink(tileValueGetOp(read));
  return true;
}

static void replaceReader(const TileFeed *feed, MlirOpOperand use, MlirValue slot) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  MlirValue value = tileResult(feed->load);
  bool turned;
  MlirOperation store = storeOf(user, mlirOperationGetBlock(feed->load), &turned);
  if (!mlirOperationIsNull(store) && isView(feed, store, turned)) {
    bool last = !turned;
    if (!turned) viewSlot(store, slot, false);
    while (!last) {
      MlirValue tile = tileResult(user);
      last = !mlirOpOperandIsNull(tileOnlyUse(tile));
      viewSlot(mlirOpOperandGetOwner(mlirValueGetFirstUse(tile)), slot, true);
    }
    return;
  }
  if (tileOpIsAConvertLayout(user) && readConverted(feed->load, slot, user)) return;
  MlirValue read = readSlot(feed->load, slot, mlirValueGetType(value), user);
  mlirOperationSetOperand(user, mlirOpOperandGetOperandNumber(use), read);
}

void tileFeedReplace(const TileFeed *feed, MlirValue slot) {
  MlirOpOperand use;
  while (!mlirOpOperandIsNull(use = mlirValueGetFirstUse(tileResult(feed->load))))
    replaceReader(feed, use, slot);
  mlirOperationDestroy(feed->load);
}

void tileFeedReplaceStream(const TileFeed *feed, MlirValue slot) {
  MlirValue read = readSlot(feed->load, slot, mlirValueGetType(tileResult(feed->load)), feed->load);
  tileReplaceOp(feed->load, 1, &read);
}
