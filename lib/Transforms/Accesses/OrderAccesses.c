//===- OrderAccesses.c - what follows by the same pointers follows a store ===//
//
// Before:  tile.store %p, %x, %mask ; %y = tile.load %p, %mask ; tile.store %q, %z ; tile.load %q
// After:   tile.store %p, %x, %mask                              // %y is %x, or 0 where masked out
//          tile.store %q, %z ; tile.barrier ; tile.load %q       // where others wrote in between
//
// Threads are picked for each access by itself: the one that loads an element need not be the one
// that stored it. A kernel that writes and reads by one tile of pointers wants what it wrote, as
// it is on the CPU, and in Triton, which has all accesses by the same pointers made by the same
// threads. So what a store wrote is handed on where that is known for all elements and nothing else
// can have been written since; else a barrier of the program stands between, as behind atomics, and
// between two stores. In loops, a step before may have written what this one reads.
//
// What is read, and then overwritten by the same pointers, is read first by all threads:
//
// Before:  %x = tile.load %p ; tile.store %p, %y ; .. %x ..
// After:   %x = tile.load %p ; tile.barrier ; tile.store %p, %y ; .. %x ..
//
// A store of what is computed of %x lane by lane waits for it by itself. Of a small tile, or a
// number, several threads have each element, and only the one that stores it does so; others wait
// where they want what they have read.
//
// Barriers of the kernel's own stand in front of and behind loops that write nothing
// (LoopBarriers.h).
//
// Pointers that are computed twice have to be one value for this (cse). Accesses that meet by other
// pointers need a barrier of the kernel's own, as in Triton.
//
// Requires: helpers inlined.  Preserves: numerics; what stands in memory.
//===----------------------------------------------------------------------===//
#include "LoopBarriers.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Ops.h"
#include "tile/Passes.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"

static bool isAtomic(MlirOperation op) {
  return tileOpIs(op, "tile.atomic_rmw") || tileOpIs(op, "tile.atomic_cas");
}

/// Is it an access by pointers, all of which have them as their first operand?
static bool isAccess(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsALoad(op) || tileOpIsAStore(op) || isAtomic(op);
}

//===- what comes before --------------------------------------------------===//

/// A loop whose steps all have the same `value`.
static bool isLoopAround(MlirOperation op, MlirValue value) {
  if (!tileOpIsLoop(op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    if (tileBlockHolds(tileBody(op, i), tileValueGetBlock(value))) return false;
  return true;
}

/// Where `second` has to wait for `first`, by the same `pointers`, of this step or one before: in
/// front of `second`, or of what holds it; null where `first` cannot have been made by then.
static MlirOperation meetingOf(MlirOperation first, MlirOperation second, MlirValue pointers) {
  MlirOperation inner = second;
  for (MlirOperation at = second; !mlirOperationIsNull(at) && !tileOpIsAFunc(at);
       inner = at, at = mlirOperationGetParentOperation(at)) {
    MlirOperation held = tileAncestorIn(mlirOperationGetBlock(at), first);
    if (mlirOperationIsNull(held)) continue;
    bool both = mlirOperationEqual(held, at);
    if (!both && mlirOperationIsBeforeInBlock(held, at)) return at;
    // One region of a while writes what the other reads.
    if (both && tileOpIs(at, "scf.while") && isLoopAround(at, pointers)) return inner;
    if (isLoopAround(mlirOperationGetParentOperation(at), pointers)) return at;
  }
  return (MlirOperation){NULL};
}

/// May `op`, or one inside it, write to memory?
static bool mayWrite(MlirOperation op) {
  return mlirOperationGetNumRegions(op) || (tileOpGetEffects(op) & TILE_WRITES_GLOBAL);
}

/// An access that has to wait for others by the same pointers.
typedef struct {
  MlirOperation where; ///< in front of it; null: it has to wait for nothing
  MlirOperation last;  ///< before `where` in its block: who is, or holds it; null: none there
} Wait;

/// May threads of several warps have each element? A thread has as many as it accesses at once; of
/// a row each warp may load all, and each lane what it wants (tile-localize-rows).
static bool isRepeated(MlirOperation load) {
  enum { LANES = 32, WORD_BITS = 32 };
  MlirType type = mlirValueGetType(tileResult(load));
  int64_t shape[TILE_MAX_RANK], warps = tileNumWarpsOf(load);
  if (!tileTypeIsTile(type)) return true;
  int64_t bits = tileNumElements(type) * tileBitWidth(tileElementType(type));
  const TileMachine *machine = tileMachineOf(load);
  int64_t most = warps * LANES * 8 * machine->accessBytes;
  int words = tileMachineNumber(machine, TILE_NUMBER_LANE_ROW_WORDS);
  if (tileShape(type, shape) == 1 && most < LANES * words * WORD_BITS)
    most = LANES * words * WORD_BITS;
  return bits < most;
}

/// What has a number of its own for each of `value`'s where `use` hands these on to a loop, its
/// next step, or who is behind a loop or a condition; how many values that are, 0 for other uses.
static int handedOnTo(MlirOpOperand use, MlirValue values[2]) {
  MlirOperation op = mlirOpOperandGetOwner(use), outer = op;
  intptr_t i = mlirOpOperandGetOperandNumber(use);
  if (tileOpIs(op, "scf.for"))
    i -= TILE_FOR_INITS;
  else if (tileOpIs(op, "scf.yield"))
    outer = mlirOperationGetParentOperation(op);
  else
    return 0;
  bool isLoop = tileOpIs(outer, "scf.for");
  if (i < 0 || (!isLoop && !tileOpIs(outer, "scf.if"))) return 0;
  values[0] = mlirOperationGetResult(outer, i);
  if (isLoop) values[1] = mlirBlockGetArgument(tileBody(outer, 0), i + 1);
  return isLoop ? 2 : 1;
}

/// Does anybody read `value` but the threads that store what is computed of it lane by lane, by
/// `pointers`? One thread stores numbers.
static bool isSeenByOthers(TilePointerTable *known, MlirValue value, MlirValue pointers) {
  if (!tilePointerTableInsert(known, value.ptr)) return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool isOwn = tileOpIsAStore(op) && (mlirValueEqual(tileOperand(op, 0), pointers) ||
                                        !tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))));
    if (isOwn && mlirOpOperandGetOperandNumber(use) > 0) continue;
    MlirValue next[2];
    int count = handedOnTo(use, next);
    bool computes = tileOpIsElementwise(op) && !tileOpGetEffects(op) && tileOpIsMovable(op) &&
                    mlirOperationGetNumResults(op) == 1;
    if (computes) next[count++] = tileResult(op);
    if (!count) return true;
    for (int i = 0; i < count; ++i)
      if (isSeenByOthers(known, next[i], pointers)) return true;
  }
  return false;
}

/// Is element i of its result computed of element i of operand `i`, among others'?
static bool goesLaneByLane(MlirOperation op, intptr_t i) {
  enum { SUM = 2 };
  return tileOpIsElementwise(op) || (tileOpIsADot(op) && i == SUM);
}

static bool followsFrom(TilePointerTable *known, MlirValue value, MlirValue from);

/// The same of result `i` of a loop: of what it begins with, by way of each step.
static bool loopFollowsFrom(TilePointerTable *known, MlirOperation loop, intptr_t i,
                            MlirValue from) {
  MlirBlock body = tileBody(loop, 0);
  MlirValue next = tileOperand(mlirBlockGetTerminator(body), i);
  return followsFrom(known, next, mlirBlockGetArgument(body, i + 1)) &&
         followsFrom(known, tileForGetInit(loop, i), from);
}

/// Is `value` computed of `from`, lane by lane?
static bool followsFrom(TilePointerTable *known, MlirValue value, MlirValue from) {
  if (mlirValueEqual(value, from)) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tilePointerTableInsert(known, value.ptr)) return false;
  if (tileOpIs(op, "scf.for"))
    return loopFollowsFrom(known, op, mlirOpResultGetResultNumber(value), from);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (goesLaneByLane(op, i) && followsFrom(known, tileOperand(op, i), from)) return true;
  return false;
}

/// Does a store wait for the load by itself, each element for its own?
static bool needsLoaded(MlirOperation store, MlirOperation load) {
  TilePointerTable known = {0};
  bool needs = false;
  for (intptr_t i = 1; tileOpIsAStore(store) && i < mlirOperationGetNumOperands(store); ++i)
    needs |= followsFrom(&known, tileOperand(store, i), tileResult(load));
  tilePointerTableClear(&known);
  return needs;
}

/// May a thread read what `op`, of another, has overwritten by then, and want what was there?
static bool mayReadLate(MlirOperation load, MlirOperation op) {
  bool isTile = tileTypeIsTile(mlirValueGetType(tileResult(load)));
  if (tileNumWarpsOf(load) == 1) return false;
  if (isTile && !isRepeated(load))
    return !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(load))) && !needsLoaded(op, load);
  TilePointerTable known = {0};
  bool seen = isSeenByOthers(&known, tileResult(load), tileOperand(load, 0));
  tilePointerTableClear(&known);
  return seen;
}

/// Does `op` have to wait for who has the use? For what writes, but atomics for no atomics; where
/// it writes, also for what is read.
static bool isAwaited(MlirOpOperand use, MlirOperation op) {
  MlirOperation first = mlirOpOperandGetOwner(use);
  if (mlirOpOperandGetOperandNumber(use) != 0 || mlirOperationEqual(first, op)) return false;
  if (tileOpIsALoad(first)) return !tileOpIsALoad(op) && mayReadLate(first, op);
  return tileOpIsAStore(first) || (isAtomic(first) && !isAtomic(op));
}

/// One thread writes numbers, in the order in which they stand.
static bool isInOrder(MlirOpOperand use, MlirOperation op) {
  return !tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))) && !tileOpIsALoad(op) &&
         !tileOpIsALoad(mlirOpOperandGetOwner(use));
}

static Wait waitOf(MlirOperation op) {
  MlirValue pointers = tileOperand(op, 0);
  Wait wait = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(pointers); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    if (isInOrder(use, op) || !isAwaited(use, op)) continue;
    MlirOperation meeting = meetingOf(mlirOpOperandGetOwner(use), op, pointers);
    if (mlirOperationIsNull(meeting)) continue;
    // Where they are to wait in two places, in front of the access both are behind.
    bool same = mlirOperationIsNull(wait.where) || mlirOperationEqual(wait.where, meeting);
    wait.where = same ? meeting : op;
  }
  if (mlirOperationIsNull(wait.where)) return wait;
  MlirBlock block = mlirOperationGetBlock(wait.where);
  for (MlirOpOperand use = mlirValueGetFirstUse(pointers); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation held = tileAncestorIn(block, mlirOpOperandGetOwner(use));
    if (isInOrder(use, op) || !isAwaited(use, op) || mlirOperationIsNull(held) ||
        !mlirOperationIsBeforeInBlock(held, wait.where))
      continue;
    if (mlirOperationIsNull(wait.last) || mlirOperationIsBeforeInBlock(wait.last, held))
      wait.last = held;
  }
  return wait;
}

/// Is there a barrier between what is waited for and where? `isNear`: nothing there writes. What
/// steps before wrote is behind any barrier of this step.
static bool hasBarrier(Wait wait, bool *isNear) {
  bool none = mlirOperationIsNull(wait.last);
  *isNear = !none;
  for (MlirOperation op = none ? mlirBlockGetFirstOperation(mlirOperationGetBlock(wait.where))
                               : mlirOperationGetNextInBlock(wait.last);
       !mlirOperationEqual(op, wait.where); op = mlirOperationGetNextInBlock(op)) {
    if (tileOpIsABarrier(op)) return true;
    *isNear &= !mayWrite(op);
  }
  return false;
}

//===- what is done about it ----------------------------------------------===//

/// Has `load` give what `store` wrote; false where that is not known for all elements.
static bool handOn(MlirOperation store, MlirOperation load) {
  MlirValue value = tileStoreGetValue(store), result = tileResult(load);
  MlirValue mask = tileLoadGetMask(load), other = tileLoadGetOther(load);
  MlirValue stored = tileStoreGetMask(store);
  if (tileLoadGetCache(load) == TILE_CACHE_USE_CV ||
      !mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(result)))
    return false;
  bool same = !mlirValueIsNull(mask) && mlirValueEqual(mask, stored);
  if (!mlirValueIsNull(stored) && !same) return false;
  TileBuilder b = tileBuilderBefore(load);
  if (!mlirValueIsNull(mask)) {
    if (mlirValueIsNull(other)) other = tileBuildZero(&b, mlirValueGetType(value));
    value = tileBuildSelect(&b, mask, value, other);
  }
  mlirValueReplaceAllUsesOfWith(result, value);
  mlirOperationDestroy(load);
  return true;
}

/// Loads that follow a store with nothing between them have what it wrote. This comes first: a
/// store has not to wait for a load that is gone, such as the one of the step before.
static void handAllOn(MlirOperation func) {
  TileOpList accesses = {0};
  tileOpListCollect(&accesses, func, MlirWalkPreOrder, isAccess, NULL);
  for (size_t i = 0; i < accesses.count; ++i) {
    MlirOperation op = accesses.ops[i];
    if (!tileOpIsALoad(op)) continue;
    MlirLocation location = mlirOperationGetLocation(op);
    Wait wait = waitOf(op);
    bool isNear;
    if (mlirOperationIsNull(wait.where) || hasBarrier(wait, &isNear)) continue;
    if (isNear && mlirOperationEqual(wait.where, op) && tileOpIsAStore(wait.last) &&
        handOn(wait.last, op))
      tileTrace(location, "a load has what was stored by the same pointers");
  }
  tileOpListDestroy(&accesses);
}

MlirLogicalResult tileRunOrderAccesses(MlirOperation func) {
  handAllOn(func);
  tileMoveLoopBarriers(func);
  TileOpList accesses = {0};
  tileOpListCollect(&accesses, func, MlirWalkPreOrder, isAccess, NULL);
  for (size_t i = 0; i < accesses.count; ++i) {
    Wait wait = waitOf(accesses.ops[i]);
    bool isNear;
    if (mlirOperationIsNull(wait.where) || hasBarrier(wait, &isNear)) continue;
    TileBuilder b = tileBuilderBefore(wait.where);
    tileBuildOp(&b, "tile.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
    tileTrace(mlirOperationGetLocation(accesses.ops[i]),
              "an access waits for what others did by the same pointers");
  }
  tileOpListDestroy(&accesses);
  return mlirLogicalResultSuccess();
}
