//===- StageOperands.c - operands of dots go to shared memory once --------===//
//
// Before:  %q = tile.load ..
//          %k = tile.load ..
//          tile_gpu.buffer_store %q, %b0
//          %s = tile.dot %b0, ..
//          tile_gpu.buffer_store %q, %b1      // the same again
//          tile_gpu.buffer_store %k, %b2
//          %t = tile.dot %b1, %b2
// After:   %q = tile.load ..
//          tile_gpu.buffer_store %q, %b0
//          %k = tile.load ..
//          tile_gpu.buffer_store %k, %b2
//          %s = tile.dot %b0, ..
//          %t = tile.dot %b0, %b2
//
// tile-assign-layouts stores an operand in front of each dot that reads it. Chunks of linear
// attention multiply each of their tiles several times: a tile that lies in shared memory as
// another dot wants it, or as its transpose is wanted, is not stored again, so there is no barrier
// either. And what is loaded for dots alone is stored as soon as it is there: held in registers
// until its dot it would be alive over those in front.
//
//          %c = tile_gpu.convert_layout %h       tile_gpu.buffer_store %h, %b
//          tile.store %p, %c                ->   %c = tile_gpu.buffer_load %b
//          tile_gpu.buffer_store %h, %b          tile.store %p, %c
//          %d = tile.dot %a, %b                  %d = tile.dot %a, %b
//
// So is what is computed for a dot by mma.sync or FMA, though not of those in front of it: all
// threads meet once for all that is stored, where they would meet twice for each. Under one by
// wgmma it is computed while that runs, and stays.
//
// Nor does a tile go through shared memory a second time to be converted, where rows of it can be
// read from the operand by 8 bytes or more a thread. A store to memory of what is converted so goes
// down to where the operand is stored, past what has nothing to do with memory, with what makes the
// tile: states of linear attention, several of which a step stores before it multiplies the first
// one, would all be held, or lie in shared memory, until then.
//
// All make buffers live longer. They may take what a block has where registers allow no more
// blocks than they do of threads that use all they can, or where rings leave no more, and all that
// there is where threads would hold more than they have registers; beyond, an operand stays as it
// is, with a remark.
//
// Requires: layouts assigned, rings made.  Preserves: numerics, control flow.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "Staged.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"
#include <stdlib.h>

enum { maxLives = 1024 };

/// Shared memory between two ops, by their numbers.
typedef struct {
  MlirOperation op; ///< tile_gpu.alloc_shared, or the op whose scratch it is
  int64_t bytes, first, last;
} Life;

/// A tile that a buffer has from `store` on, which nothing else writes.
typedef struct {
  MlirOperation store;
} Staged;

typedef struct {
  TilePointerTable numbers; ///< op -> int64_t
  int64_t next;
  Life *lives;
  size_t numLives, livesCapacity;
  Staged *staged;
  size_t numStaged, stagedCapacity;
  int64_t limit; ///< bytes
  int64_t shared, early, read;
} Stager;

//===- what is alive when -------------------------------------------------===//

static int64_t numberOf(const Stager *s, MlirOperation op) {
  const int64_t *number = tilePointerTableFind(s->numbers, op.ptr);
  return number ? *number : 0;
}

static Life *findLife(Stager *s, MlirOperation op) {
  for (size_t i = 0; i < s->numLives; ++i)
    if (mlirOperationEqual(s->lives[i].op, op)) return &s->lives[i];
  return NULL;
}

static void addLife(Stager *s, MlirOperation op, int64_t bytes, int64_t at) {
  s->lives = tileGrow(s->lives, s->numLives, &s->livesCapacity, sizeof *s->lives);
  s->lives[s->numLives++] = (Life){op, bytes, at, at};
}

/// Numbers what is in `block`; what lives outside of an inner block and is used there is alive
/// until its end.
static void number(Stager *s, MlirBlock block) {
  TILE_FOR_EACH_OP(op, block) {
    int64_t at = s->next++;
    *(int64_t *)tilePointerTableAdd(&s->numbers, op.ptr, sizeof at) = at;
    int64_t scratch = tileOpScratchBytes(op);
    if (tileOpIsAAllocShared(op))
      addLife(s, op, tileBufferBytes(mlirValueGetType(tileResult(op))), at);
    else if (scratch)
      addLife(s, op, scratch, at);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      if (!tileTypeIsABuffer(mlirValueGetType(operand))) continue;
      Life *life = findLife(s, tileBufferGetSource(operand));
      if (life) life->last = at;
    }
    size_t before = s->numLives;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) number(s, tileBody(op, r));
    for (size_t i = 0; i < before; ++i)
      if (s->lives[i].last > at) s->lives[i].last = s->next;
  }
}

static int64_t bytesAt(const Stager *s, int64_t at, const Life *without) {
  int64_t bytes = 0;
  for (size_t i = 0; i < s->numLives; ++i) {
    const Life *l = &s->lives[i];
    if (l != without && l->first <= at && at <= l->last) bytes += l->bytes;
  }
  return bytes;
}

/// May `life` last from `first` to `last`, and what is in `without` be gone?
static bool mayLast(const Stager *s, const Life *life, int64_t first, int64_t last,
                    const Life *without) {
  Life longer = *life;
  if (first < longer.first) longer.first = first;
  if (last > longer.last) longer.last = last;
  for (size_t i = 0; i < s->numLives; ++i) {
    int64_t at = s->lives[i].first < longer.first ? longer.first : s->lives[i].first;
    if (at > longer.last || (at >= life->first && at <= life->last)) continue;
    if (bytesAt(s, at, without) + longer.bytes > s->limit) return false;
  }
  return true;
}

/// Says why `op` stays as it is (`what`): something would last too long.
static void refuseRoom(const Stager *s, MlirOperation op, const char *what) {
  tileEmitRemark(mlirOperationGetLocation(op),
                 "%s: expected at most %lld bytes of shared memory in use, found more", what,
                 (long long)s->limit);
}

/// Is `value` looked at behind `dot`, in its block?
static bool isWantedBehind(MlirValue value, MlirOperation dot) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = tileAncestorIn(mlirOperationGetBlock(dot), mlirOpOperandGetOwner(use));
    if (!mlirOperationIsNull(user) && mlirOperationIsBeforeInBlock(dot, user)) return true;
  }
  return false;
}

/// Registers of a thread for the floats that its block makes in front of `dot`, which adds to some
/// of them, and that are wanted behind it, its own sums among them.
static int64_t wordsOver(MlirOperation dot) {
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(dot)));
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(dot)) {
    if (mlirOperationEqual(op, dot)) break;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue value = mlirOperationGetResult(op, i);
      MlirType type = mlirValueGetType(value);
      if (tileTypeIsTile(type) && tileTypeIsFloat(tileElementType(type)) &&
          isWantedBehind(value, dot))
        words += tileTypeGetWords(type);
    }
  }
  return words;
}

static bool isFull(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADot(op) && wordsOver(op) > tileMachineOf(op)->threadRegisters;
}

/// What a dot reads may be read until the next one has begun (tile-chain-dots).
static MlirWalkResult keepUntilNext(MlirOperation dot, void *data) {
  if (!tileOpIsADot(dot)) return MlirWalkResultAdvance;
  MlirOperation next = mlirOperationGetNextInBlock(dot);
  while (!mlirOperationIsNull(next) && !tileOpIsADot(next))
    next = mlirOperationGetNextInBlock(next);
  for (int i = 0; i < 2 && !mlirOperationIsNull(next); ++i) {
    MlirValue operand = tileOperand(dot, i);
    bool isBuffer = tileTypeIsABuffer(mlirValueGetType(operand));
    Life *life = isBuffer ? findLife(data, tileBufferGetSource(operand)) : NULL;
    if (life && life->last < numberOf(data, next)) life->last = numberOf(data, next);
  }
  return MlirWalkResultAdvance;
}

/// What the kernel may have at a time. Where a thread would hold more than its registers over some
/// dot, all that a block can have: nothing takes longer than what is spilled. Where it has more
/// already than tileSharedLimit gives, as by rings, as many blocks as fit then have room for more.
static int64_t findLimit(Stager *s, MlirOperation func) {
  const TileMachine *m = tileMachineOf(func);
  int64_t limit = tileSharedLimit(func), most = 0;
  if (tileHoldsOp(func, isFull, NULL)) {
    mlirOperationWalk(func, keepUntilNext, s, MlirWalkPreOrder);
    return m->sharedBytes;
  }
  for (size_t i = 0; i < s->numLives; ++i) {
    int64_t bytes = bytesAt(s, s->lives[i].first, NULL);
    if (bytes > most) most = bytes;
  }
  if (most <= limit) return limit;
  int64_t blocks = m->multiprocessorSharedBytes / tileMachineGetBlockShared(m, most);
  return tileMachineShareShared(m, blocks > 1 ? blocks : 1);
}

//===- what may be shared -------------------------------------------------===//

/// What has been stored of the same tile, in the same way, and is seen from `store`.
static const Staged *findStaged(const Stager *s, MlirOperation store) {
  for (size_t i = 0; i < s->numStaged; ++i) {
    const Staged *other = &s->staged[i];
    if (tileIsStagedBy(store, other->store) &&
        tileBlockHolds(mlirOperationGetBlock(other->store), mlirOperationGetBlock(store)))
      return other;
  }
  return NULL;
}

/// True where `store` is gone.
static bool shareStaged(Stager *s, MlirOperation store) {
  const Staged *other = findStaged(s, store);
  if (!other) return false;
  MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store)),
                kept = tileValueGetOp(tileBufferStoreGetBuffer(other->store));
  Life *life = findLife(s, kept), *own = findLife(s, alloc);
  if (!life || !own) return false;
  int64_t last = own->last;
  // Of a buffer in front of a loop around, the end of that loop.
  MlirOperation around = tileAncestorIn(mlirOperationGetBlock(other->store), store);
  if (!mlirOperationEqual(around, store)) {
    MlirOperation behind = mlirOperationGetNextInBlock(around);
    if (!mlirOperationIsNull(behind) && numberOf(s, behind) > last) last = numberOf(s, behind);
  }
  if (!mayLast(s, life, life->first, last, own)) {
    refuseRoom(s, store, "operand is stored again");
    return false;
  }
  if (last > life->last) life->last = last;
  own->bytes = 0;
  own->op = (MlirOperation){NULL};
  tileReadStaged(store, other->store);
  ++s->shared;
  return true;
}

/// Does what reads `value`, as it is or transposed, only store it into buffers?
static bool isOnlyStored(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsATrans(user) ? !isOnlyStored(tileResult(user)) : !tileOpIsABufferStore(user))
      return false;
  }
  return true;
}

/// The load in its block whose tile `store` stores, and others like it; else null. `trans`: what
/// transposes the tile in between, or null.
static MlirOperation loadOf(MlirOperation store, MlirOperation *trans) {
  MlirOperation op = tileValueGetOp(tileBufferStoreGetValue(store));
  *trans = (MlirOperation){NULL};
  if (!mlirOperationIsNull(op) && tileOpIsATrans(op)) {
    *trans = op;
    op = tileValueGetOp(tileOperand(op, 0));
  }
  if (mlirOperationIsNull(op) || !tileOpIsALoad(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(store)) ||
      !isOnlyStored(tileResult(op)))
    return (MlirOperation){NULL};
  return op;
}

/// Is there a dot between `first` and `last`, over which a tile would be held?
static bool hasDotBetween(MlirOperation first, MlirOperation last) {
  MlirOperation op = mlirOperationGetNextInBlock(first);
  for (; !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op))
    if (tileOpIsADot(op) || mlirOperationGetNumRegions(op) > 0) return true;
  return false;
}

/// Would `store`, behind `front`, write over what a dot of the step before may be reading? One that
/// its own step does not wait for is over behind a wait of the next step alone.
static bool isStillRead(MlirOperation store, MlirOperation front) {
  MlirOperation op = front;
  bool waits = false, isRead = false;
  for (; !mlirOperationEqual(op, store); op = mlirOperationGetNextInBlock(op))
    waits |= tileOpIsADotWait(op);
  for (; waits && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (tileOpIsADotWait(op) && tileDotWaitGetPending(op) == 0) isRead = false;
    isRead |= tileOpIsWgmma(op) && tileDotGetAsync(op) && tileDotReadsStored(op, store);
  }
  return isRead;
}

static void storeEarly(Stager *s, MlirOperation store) {
  MlirOperation trans, load = loadOf(store, &trans);
  if (mlirOperationIsNull(load) || !hasDotBetween(load, store)) return;
  if (isStillRead(store, load)) {
    tileEmitRemark(mlirOperationGetLocation(load),
                   "operand is stored in front of its dot: expected no dot on its way that reads "
                   "the one before");
    return;
  }
  MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store));
  Life *life = findLife(s, alloc);
  int64_t first = numberOf(s, load);
  if (!life || !mayLast(s, life, first, life->last, life)) {
    refuseRoom(s, load, "operand is stored in front of its dot");
    return;
  }
  life->first = first;
  mlirOperationMoveAfter(store, load);
  mlirOperationMoveAfter(alloc, load);
  if (!mlirOperationIsNull(trans)) mlirOperationMoveAfter(trans, load);
  ++s->early;
}

/// Adds to `chain` what computes `value`, element by element, behind `front` in its block; false
/// where it follows from that otherwise.
static bool followsBehind(TileOpList *chain, MlirValue value, MlirOperation front) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(front)) ||
      mlirOperationIsBeforeInBlock(op, front) || tileOpListHolds(chain, op))
    return true;
  if (!tileOpIsElementwise(op) && !tileOpIsATrans(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!followsBehind(chain, tileOperand(op, i), front)) return false;
  tileOpListAdd(chain, op);
  return true;
}

/// The first of the dots in front of `store`, none of which may only start, in front of which what
/// it stores can be computed; null where there is none. `chain`: what computes it behind that one.
static MlirOperation firstDotOver(MlirOperation store, TileOpList *chain) {
  MlirOperation first = {NULL};
  TileOpList dots = {0};
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(store)) {
    if (mlirOperationEqual(op, store)) break;
    bool ends = mlirOperationGetNumRegions(op) > 0 || tileOpIsWgmma(op);
    if (ends) dots.count = 0;
    if (!ends && tileOpIsADot(op)) tileOpListAdd(&dots, op);
  }
  while (dots.count) {
    MlirOperation dot = dots.ops[--dots.count];
    TileOpList behind = {0};
    bool follows = followsBehind(&behind, tileBufferStoreGetValue(store), dot);
    if (follows) first = dot;
    tileOpListDestroy(follows ? chain : &behind);
    if (!follows) break;
    *chain = behind;
  }
  tileOpListDestroy(&dots);
  return first;
}

/// What is computed for a dot by mma.sync or FMA, without those in front of it, is stored in front
/// of them, as what they read is: all threads meet once for all.
static void storeComputed(Stager *s, MlirOperation store) {
  MlirOperation made = tileValueGetOp(tileBufferStoreGetValue(store));
  if (mlirOperationIsNull(made) || !tileOpIsElementwise(made) || !isOnlyStored(tileResult(made)))
    return;
  TileOpList chain = {0};
  MlirOperation dot = firstDotOver(store, &chain);
  MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store));
  Life *life = findLife(s, alloc);
  if (!mlirOperationIsNull(dot) && life) {
    int64_t first = numberOf(s, dot);
    if (mayLast(s, life, first, life->last, life)) {
      life->first = first;
      for (size_t i = 0; i < chain.count; ++i) mlirOperationMoveBefore(chain.ops[i], dot);
      mlirOperationMoveBefore(alloc, dot);
      mlirOperationMoveBefore(store, dot);
      ++s->early;
    } else {
      refuseRoom(s, made, "operand is stored in front of its dot");
    }
  }
  tileOpListDestroy(&chain);
}

//===- conversions --------------------------------------------------------===//

/// %c = tile_gpu.buffer_load %b in place of a conversion.
static void readStored(Stager *s, MlirOperation conversion) {
  MlirOperation store = tileFindStoreToRead(conversion);
  if (mlirOperationIsNull(store)) return;
  if (mlirOperationIsBeforeInBlock(conversion, store) && isStillRead(store, conversion)) return;
  MlirValue buffer = tileBufferStoreGetBuffer(store);
  MlirOperation alloc = tileValueGetOp(buffer);
  Life *life = findLife(s, alloc), *own = findLife(s, conversion);
  int64_t at = numberOf(s, conversion);
  int64_t first = at < life->first ? at : life->first, last = at > life->last ? at : life->last;
  if (!mayLast(s, life, first, last, own)) {
    refuseRoom(s, conversion, "tile is stored again to be converted");
    return;
  }
  life->first = first;
  life->last = last;
  own->bytes = 0;
  own->op = (MlirOperation){NULL};
  if (mlirOperationIsBeforeInBlock(conversion, store)) {
    mlirOperationMoveBefore(alloc, conversion);
    mlirOperationMoveBefore(store, conversion);
  }
  TileBuilder b = tileBuilderBefore(conversion);
  MlirType type = mlirValueGetType(tileResult(conversion));
  MlirValue read = tileBuild(&b, "tile_gpu.buffer_load", type, TILE_VALUES(buffer));
  tileReplaceOp(conversion, 1, &read);
  ++s->read;
}

/// Does the op read and write nothing but shared memory?
static bool isPassed(MlirOperation op) {
  uint32_t own = TILE_READS_SHARED | TILE_WRITES_SHARED;
  return mlirOperationGetNumRegions(op) == 0 && !(tileOpGetEffects(op) & ~own);
}

/// Moves `write`, a store of what a conversion alone makes for it, and the conversion down to where
/// the converted tile is stored as an operand, past other operands or dots, if nothing on the way
/// is in theirs; and the tile, where one op makes it for both.
static void sinkWrite(MlirOperation write) {
  MlirOperation conversion = tileValueGetOp(tileStoreGetValue(write)), store;
  if (mlirOperationIsNull(conversion) || !tileOpIsAConvertLayout(conversion) ||
      mlirOpOperandIsNull(tileOnlyUse(tileResult(conversion))) ||
      mlirOperationIsNull(store = tileFindStoreToRead(conversion)) ||
      !mlirBlockEqual(mlirOperationGetBlock(write), mlirOperationGetBlock(store)) ||
      !mlirOperationIsBeforeInBlock(write, store))
    return;
  bool passes = false;
  for (MlirOperation op = mlirOperationGetNextInBlock(write); !mlirOperationEqual(op, store);
       op = mlirOperationGetNextInBlock(op)) {
    if (!isPassed(op)) return;
    passes |= tileOpIsADot(op) || tileOpIsABufferStore(op);
  }
  if (!passes) return;
  mlirOperationMoveBefore(write, store);
  mlirOperationMoveBefore(conversion, write);
  MlirOperation made = tileValueGetOp(tileBufferStoreGetValue(store));
  if (!mlirOperationIsNull(made) && tileOpIsMovable(made) &&
      mlirBlockEqual(mlirOperationGetBlock(made), mlirOperationGetBlock(store)) &&
      mlirOperationEqual(tileFirstReader(made), conversion))
    mlirOperationMoveBefore(made, conversion);
}

/// The last ones first: stores keep their order.
static void sinkWrites(MlirBlock block) {
  TileOpList writes = {0};
  TILE_FOR_EACH_OP(op, block) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) sinkWrites(tileBody(op, r));
    if (tileOpIsAStore(op)) tileOpListAdd(&writes, op);
  }
  while (writes.count) sinkWrite(writes.ops[--writes.count]);
  tileOpListDestroy(&writes);
}

static MlirWalkResult visitConversion(MlirOperation op, void *data) {
  if (tileOpIsAConvertLayout(op)) readStored(data, op);
  return MlirWalkResultAdvance;
}

static void visit(Stager *s, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; !mlirOperationIsNull(op);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) visit(s, tileBody(op, r));
    if (!tileOpIsABufferStore(op) || !tileFillsAlone(op) || shareStaged(s, op)) continue;
    if (!findStaged(s, op)) {
      storeEarly(s, op);
      storeComputed(s, op);
    }
    s->staged = tileGrow(s->staged, s->numStaged, &s->stagedCapacity, sizeof *s->staged);
    s->staged[s->numStaged++] = (Staged){op};
  }
}

MlirLogicalResult tileRunStageOperands(MlirOperation func) {
  Stager s = {.limit = 0};
  sinkWrites(tileBody(func, 0));
  number(&s, tileBody(func, 0));
  if (s.numLives <= maxLives) {
    s.limit = findLimit(&s, func);
    visit(&s, tileBody(func, 0));
    mlirOperationWalk(func, visitConversion, &s, MlirWalkPostOrder);
  }
  if (s.shared || s.early || s.read)
    tileTrace(mlirOperationGetLocation(func),
              "operands that lie in shared memory already: %lld; stored early: %lld; conversions "
              "that read them: %lld",
              (long long)s.shared, (long long)s.early, (long long)s.read);
  tilePointerTableClear(&s.numbers);
  free(s.lives);
  free(s.staged);
  return mlirLogicalResultSuccess();
}
