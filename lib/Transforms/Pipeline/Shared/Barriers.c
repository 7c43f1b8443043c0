//===- Barriers.c - barriers between accesses of shared memory ------------===//
//
// A walk keeps the byte ranges read and written since the last barrier; an op that reads what was
// written (RAW), or writes what was read or written (WAR, WAW), gets one before it. Loop bodies are
// walked twice, so that what the end of an iteration leaves meets the start of the next; a loop
// that is met again as it was the last time, with no barrier added since, is not walked again, or
// nests of depth d would be walked 2^d times. A loop first gets the barriers that its steps need
// among themselves. Where one of its ops still meets what happened in front of the loop, as a dot
// that reads the same operand in all steps, the barrier is there, once, and not in each step.
//
// What threads store for wgmma, or for boxes that leave, goes through a proxy fence before the
// barrier, and a fence waits for all that is on its way, copies of later steps too. So the last
// barrier between a store and what reads its buffer so keeps its fence, and the others have none
// (`tile_gpu.unfenced`), as have those of ops with barriers of their own. What a loop only reads
// has it in front of the loop. Where the copy engine writes shared memory, all keep theirs but
// those of steps whose threads copy an operand beside boxes of products alone.
//
//===----------------------------------------------------------------------===//
#include "Allocation.h"
#include "Proxies.h"
#include "tile/IR.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
#include <stdlib.h>

typedef enum {
  ACCESS,   ///< of a block, since the last barrier
  UNFENCED, ///< a store to a block by threads, which tensor cores have not been told of
  BARRIER,  ///< the last one on some way here: `op`
} TouchKind;

typedef struct {
  TouchKind kind;
  const TileSharedBlock *block;
  MlirOperation op;
  bool write;
  bool flying; // an asynchronous copy that no wait has made sure of: barriers do not order it
  bool passed; // unfenced: a barrier came behind it
  /// A dot that reads it is on its way, and so many were started behind that: no barrier ends it,
  /// and behind its wait other warp groups may still be at it.
  bool computing;
  int younger;
} Touch;

enum { mostYounger = 8 }; // that are told apart

/// What happened to shared memory since the last barrier, or fence.
typedef struct {
  Touch *touches;
  intptr_t count;
  size_t capacity;
} Pending;

/// What the last walk of a loop met and left.
typedef struct {
  Pending before, after;
  int64_t numBarriers;
  bool isSettled; ///< has it the barriers that its own steps need?
} LoopVisit;

typedef struct {
  const TileAllocation *allocation;
  Pending pending;
  /// Barriers inserted so far.
  int64_t numBarriers;
  TilePointerTable visits; ///< op -> LoopVisit
  TilePointerTable fenced; ///< barriers, and ops with barriers of their own, that need a fence
  bool unsure; ///< is something read by another proxy that was stored in front of no barrier?
  bool groups; ///< are there several warp groups, which wait for dots each for itself?
  bool looks;  ///< without making barriers, whether one is `needed`
  bool needed;
} Barriers;

/// Must a barrier stand between what happened and this? A guarded block is ordered by the waits
/// and barriers that came with it, so it never conflicts with itself.
static bool conflicts(const Pending *p, const TileSharedBlock *block, bool write) {
  for (intptr_t i = 0; i < p->count; ++i) {
    const Touch *t = &p->touches[i];
    if (t->kind != ACCESS || t->computing || (t->block == block && block->guarded)) continue;
    bool overlap = block->offset < t->block->offset + t->block->bytes &&
                   t->block->offset < block->offset + block->bytes;
    if ((write || t->write) && overlap) return true;
  }
  return false;
}

static bool areAlike(const Touch *x, const Touch *y) {
  return x->kind == y->kind && x->block == y->block && x->write == y->write &&
         x->op.ptr == y->op.ptr;
}

static void touch(Pending *p, Touch what) {
  for (intptr_t i = 0; i < p->count; ++i)
    if (areAlike(&p->touches[i], &what)) {
      Touch *t = &p->touches[i];
      t->flying |= what.flying;
      t->passed |= what.passed;
      if (what.computing && (!t->computing || what.younger < t->younger)) t->younger = what.younger;
      t->computing |= what.computing;
      return;
    }
  p->touches = tileGrow(p->touches, (size_t)p->count, &p->capacity, sizeof *p->touches);
  p->touches[p->count++] = what;
}

/// Past `barrier`, an op that has one.
static void passBarrier(Pending *p, MlirOperation barrier) {
  intptr_t kept = 0;
  for (intptr_t i = 0; i < p->count; ++i) {
    Touch t = p->touches[i];
    t.passed = t.kind == UNFENCED;
    if (t.kind == UNFENCED || (t.kind == ACCESS && (t.flying || t.computing)))
      p->touches[kept++] = t;
  }
  p->count = kept;
  touch(p, (Touch){.kind = BARRIER, .op = barrier});
}

static bool isFenced(const Barriers *b, MlirOperation op) {
  return tilePointerTableFind(b->fenced, op.ptr) != NULL;
}

/// A fence at the barriers that were passed last, for what was stored in front of them, if `block`
/// is of that.
static void fenceFor(Barriers *b, const TileSharedBlock *block) {
  Pending *p = &b->pending;
  bool isStored = false;
  intptr_t kept = 0;
  for (intptr_t i = 0; i < p->count; ++i) {
    const Touch *t = &p->touches[i];
    if (t->kind != UNFENCED || t->block != block) continue;
    isStored |= t->passed;
    b->unsure |= !t->passed;
  }
  for (intptr_t i = 0; i < p->count && isStored; ++i) {
    Touch t = p->touches[i];
    if (t.kind == BARRIER && !isFenced(b, t.op)) {
      *(MlirOperation *)tilePointerTableAdd(&b->fenced, t.op.ptr, sizeof t.op) = t.op;
      ++b->numBarriers;
    }
    if (t.kind != UNFENCED || !t.passed) p->touches[kept++] = t;
  }
  if (isStored) p->count = kept;
}

/// All copies have landed: for this thread; for the others it takes a barrier, as after any write.
static void passWait(Pending *p) {
  for (intptr_t i = 0; i < p->count; ++i) p->touches[i].flying = false;
}

/// Past the start of a dot, or, with `pending` of 0 and more, past the wait for all but so many.
static void passDots(Pending *p, int64_t pending) {
  for (intptr_t i = 0; i < p->count; ++i) {
    Touch *t = &p->touches[i];
    if (pending < 0)
      t->younger += t->computing && t->younger < mostYounger;
    else
      t->computing &= t->younger < pending;
  }
}

static void barrierBefore(Barriers *b, MlirOperation op) {
  b->needed = true;
  if (b->looks) return;
  TileBuilder at = tileBuilderBefore(op);
  passBarrier(&b->pending, tileBuildOp(&at, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0));
  ++b->numBarriers;
}

/// A print under a condition may have no barrier.
static bool mayBeSkipped(MlirOperation op) {
  return tileOpIsAPrint(op) && !mlirValueIsNull(tilePrintGetCondition(op));
}

static void visitAccess(Barriers *b, MlirOperation op) {
  bool write = tileWritesBuffers(op), needed = false;
  bool starts = b->groups && tileOpIsWgmma(op) && tileDotGetAsync(op);
  if (starts) passDots(&b->pending, -1);
  for (int round = 0; round < 2; ++round) { // first look, then record
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      if (!tileTypeIsABuffer(mlirValueGetType(operand)) || tileOpIsBufferView(op)) continue;
      TileSharedBlock *block = tileAllocationFind(b->allocation, tileBufferGetSource(operand));
      if (!block) continue;
      if (round == 0) {
        needed |= conflicts(&b->pending, block, write);
        continue;
      }
      if ((tileReadsByProxy(op) || tileOpIsATmaStore(op)) && !b->looks) fenceFor(b, block);
      touch(&b->pending, (Touch){.block = block,
                                 .write = write,
                                 .flying = tileOpIsAAsyncCopy(op),
                                 .computing = starts});
      if (tileOpIsABufferStore(op))
        touch(&b->pending, (Touch){.kind = UNFENCED, .block = block, .write = true});
    }
    TileSharedBlock *scratch =
        tileOpIsAAllocShared(op) ? NULL : tileAllocationFind(b->allocation, op);
    if (scratch) {
      // Such an op writes its scratch, has a barrier of its own, and then reads it.
      if (round == 0) {
        needed |= conflicts(&b->pending, scratch, true);
      } else {
        if (!mayBeSkipped(op)) passBarrier(&b->pending, op);
        touch(&b->pending, (Touch){.block = scratch});
      }
    }
    if (round == 0 && needed) barrierBefore(b, op);
  }
}

static void visitBlock(Barriers *b, MlirBlock block);

static void touchAll(Pending *to, const Pending *from) {
  for (intptr_t i = 0; i < from->count; ++i) touch(to, from->touches[i]);
}

static bool contains(const Pending *p, const Touch *what) {
  for (intptr_t i = 0; i < p->count; ++i) {
    const Touch *t = &p->touches[i];
    if (areAlike(t, what))
      return t->flying == what->flying && t->passed == what->passed &&
             t->computing == what->computing && t->younger == what->younger;
  }
  return false;
}

static bool isSame(const Pending *x, const Pending *y) {
  bool same = x->count == y->count;
  for (intptr_t i = 0; same && i < x->count; ++i) same = contains(y, &x->touches[i]);
  return same;
}

static void copyTo(Pending *to, const Pending *from) {
  to->count = 0;
  for (; to->count < from->count; ++to->count) {
    to->touches = tileGrow(to->touches, (size_t)to->count, &to->capacity, sizeof *to->touches);
    to->touches[to->count] = from->touches[to->count];
  }
}

static LoopVisit *getVisit(Barriers *b, MlirOperation op) {
  LoopVisit *visit = tilePointerTableFind(b->visits, op.ptr);
  if (visit) return visit;
  visit = tilePointerTableAdd(&b->visits, op.ptr, sizeof *visit);
  visit->numBarriers = -1;
  return visit;
}

static void destroyVisits(Barriers *b) {
  const LoopVisit *visit = tilePointerTableFirst(b->visits);
  for (; visit; visit = tilePointerTableNext(visit)) {
    free(visit->before.touches);
    free(visit->after.touches);
  }
  tilePointerTableClear(&b->visits);
}

/// Bodies twice: the second walk meets what the first left. The body of a for may also not run; a
/// while is left after its condition, which runs once more than the rest.
static void walkLoop(Barriers *b, MlirOperation op) {
  Pending skipped = {0};
  bool isWhile = tileOpIs(op, "scf.while");
  if (isWhile) visitBlock(b, tileBody(op, 0));
  touchAll(&skipped, &b->pending);
  for (int round = 0; round < 2; ++round) {
    if (isWhile) visitBlock(b, tileBody(op, 1));
    visitBlock(b, tileBody(op, 0));
  }
  touchAll(&b->pending, &skipped);
  free(skipped.touches);
}

static void visitRegions(Barriers *b, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) visitBlock(b, tileBody(op, r));
}

/// The barriers that the steps of a loop need among themselves, whatever came before it.
static void settleLoop(Barriers *b, MlirOperation op) {
  Pending before = b->pending;
  b->pending = (Pending){0};
  walkLoop(b, op);
  free(b->pending.touches);
  b->pending = before;
}

/// Does a settled loop meet what happened before it, with no barrier of its own in between? Not
/// what copies write that are on their way: waits order it, and the barriers behind them.
static bool meetsBefore(Barriers *b, MlirOperation op) {
  Pending before = b->pending;
  b->pending = (Pending){0};
  for (intptr_t i = 0; i < before.count; ++i)
    if (!before.touches[i].flying && !before.touches[i].computing)
      touch(&b->pending, before.touches[i]);
  b->looks = true;
  b->needed = false;
  visitRegions(b, op);
  b->looks = false;
  free(b->pending.touches);
  b->pending = before;
  return b->needed;
}

/// What was stored in front of a loop for its products has its fence there, too: at the steps' own
/// barrier it would have each wait for the copies of later ones.
static void fenceBefore(Barriers *b, MlirOperation loop) {
  for (intptr_t i = b->pending.count; i-- > 0;) {
    if (i >= b->pending.count || b->pending.touches[i].kind != UNFENCED) continue; // taken away
    MlirOperation alloc = b->pending.touches[i].block->op;
    if (!tileReadsByProxyAlone(loop, alloc)) continue;
    if (!b->pending.touches[i].passed) barrierBefore(b, loop);
    fenceFor(b, tileAllocationFind(b->allocation, alloc));
  }
}

/// What was stored in front of a loop has its barrier there, once, and not in each step.
static void visitLoop(Barriers *b, MlirOperation op) {
  if (b->looks) {
    visitRegions(b, op);
    return;
  }
  LoopVisit *last = getVisit(b, op);
  if (!last->isSettled) settleLoop(b, op);
  last->isSettled = true;
  if (meetsBefore(b, op)) barrierBefore(b, op);
  fenceBefore(b, op);
  if (last->numBarriers == b->numBarriers && isSame(&last->before, &b->pending)) {
    copyTo(&b->pending, &last->after);
    return;
  }
  copyTo(&last->before, &b->pending);
  walkLoop(b, op);
  copyTo(&last->after, &b->pending);
  last->numBarriers = b->numBarriers;
}

/// Either branch may have run: what any leaves is pending after both.
static void visitBranches(Barriers *b, MlirOperation op) {
  Pending before = b->pending, after = {0};
  b->pending = (Pending){0};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    b->pending.count = 0;
    touchAll(&b->pending, &before);
    if (!mlirBlockIsNull(tileBody(op, r))) visitBlock(b, tileBody(op, r));
    touchAll(&after, &b->pending);
  }
  free(b->pending.touches);
  free(before.touches);
  b->pending = after;
}

static void visitBlock(Barriers *b, MlirBlock block) {
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpIs(op, "gpu.barrier")) passBarrier(&b->pending, op);
    if (tileOpIsAAsyncWait(op) && tileAsyncWaitGetPending(op) == 0) passWait(&b->pending);
    if (tileOpIsADotWait(op)) passDots(&b->pending, tileDotWaitGetPending(op));
    if (tileOpIsWgmma(op) && !tileDotGetAsync(op)) passDots(&b->pending, 0);
    visitAccess(b, op);
    if (tileOpIsLoop(op))
      visitLoop(b, op);
    else if (tileOpIs(op, "scf.if"))
      visitBranches(b, op);
    else if (tileOpIsAWarpSpecialize(op))
      visitBlock(b, tileBody(op, 1)); // the producer touches guarded rings alone
  }
}

//===- fences -------------------------------------------------------------===//

static MlirWalkResult leaveUnfenced(MlirOperation op, void *data) {
  const Barriers *b = data;
  if (!tileOpIs(op, "gpu.barrier") &&
      (tileOpIsAAllocShared(op) || !tileAllocationFind(b->allocation, op)))
    return MlirWalkResultAdvance;
  static const char unfenced[] = "tile_gpu.unfenced";
  if (isFenced(b, op))
    mlirOperationRemoveAttributeByName(op, tileString(unfenced));
  else
    mlirOperationSetAttributeByName(op, tileString(unfenced),
                                    mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

/// The same of barriers behind the wait for a step's own copies alone.
static MlirWalkResult leaveCopiesUnfenced(MlirOperation op, void *data) {
  if (!tileOpIsAAsyncWait(op)) return MlirWalkResultAdvance;
  MlirOperation next = mlirOperationGetNextInBlock(op);
  if (!mlirOperationIsNull(next) && tileOpIs(next, "gpu.barrier")) leaveUnfenced(next, data);
  return MlirWalkResultAdvance;
}

/// Takes the fences away of barriers behind which nothing is read that needs one.
static void dropFences(MlirOperation func, Barriers *b) {
  TileProxyUse use = tileFindProxyUse(func);
  if (b->unsure) return;
  if (use.reads && !use.engine) mlirOperationWalk(func, leaveUnfenced, b, MlirWalkPreOrder);
  if (use.engine && tileBoxesAreOfProducts(func))
    mlirOperationWalk(func, leaveCopiesUnfenced, b, MlirWalkPreOrder);
}

void tileInsertBarriers(MlirOperation func, const TileAllocation *a) {
  Barriers barriers = {.allocation = a, .groups = tileNumWarpsOf(func) > 4};
  visitBlock(&barriers, tileBody(func, 0));
  dropFences(func, &barriers);
  free(barriers.pending.touches);
  destroyVisits(&barriers);
  tilePointerTableClear(&barriers.fenced);
}
