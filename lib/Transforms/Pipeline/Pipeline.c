//===- Pipeline.c - software pipelining of loads that feed dots -----------===//
//
// Before:  scf.for %i = .. iter_args(%acc, %p) {
//            %a = tile.load %p, %m
//            %s = tile_gpu.alloc_shared : !tile_gpu.buffer<..>
//            tile_gpu.buffer_store %a, %s
//            %d = tile.dot %s, ..
//            %q = tile.addptr %p, %step
//            scf.yield %d, %q }
// After:   %ring = tile_gpu.alloc_shared : !tile_gpu.buffer<.., stages = 3>
//          <copies of iterations 0 and 1 into %ring[0] and %ring[1]>
//          scf.for %i = .. iter_args(%acc, %ahead, %fill, %use) {
//            tile_gpu.async_wait 1
//            gpu.barrier
//            tile_gpu.async_copy %ahead, %m2 into %ring[%fill]   // of iteration i + 2
//            tile_gpu.async_commit
//            %d = tile.dot %ring[%use], ..
//            %next = tile.addptr %ahead, %step .. }
//          tile_gpu.async_wait 0
//
// What a load's addresses and mask follow from (its slice) runs num_stages - 1 iterations ahead;
// copies of iterations that do not exist are masked off. One barrier an iteration serves both
// hazards: it comes after the wait, so all copies of the block are visible, and before the copy
// into the slot that the previous iteration read.
//
// Where dots are on their way across steps (Flight.h), a slot is filled two steps after it was
// read: copies run num_stages - 2 iterations ahead, and come behind the first dot. Of one dot a
// step and three stages or more, they run num_stages - 1 ahead: behind the dot's start all wait for
// the one before, which read the slot, at a second barrier, as Triton's loops do. Where threads
// store an operand of it in each step, gated keys say, they have waited for the one before in front
// of that, and met behind it: three stages do, and no barrier more.
//
// Where a loop is known to have as many steps as there is room for, all copies start in front of
// it: a block with few steps waits for memory once.
//
// Which loads are copied, and who reads the copies, says Feeds.h; others stay, with a warning. What
// is loaded to find them by, as the numbers of pages, starts a step before them (StepAhead.h).
//
// Where two slots of all that a step reads leave a multiprocessor one block of few warps, and one
// slot two, each has one, and the loads are two lots: what the first dots of a step multiply, and
// what those behind them do, as keys and values of attention are. One lot is on its way while the
// other is multiplied, as FlashAttention-2 has it:
//
//   scf.for .. { <wait, barrier>  <values of this step>  %s = tile.dot %q, %keys
//                <wait, barrier>  <keys of the next one> %d = tile.dot %p, %values }
//
// Where they are not two, as latents that are keys and values at once, all are copied when a step
// has read them, and it is the other block that multiplies meanwhile.
//
// A loop without dots streams: it has no barrier, since each thread reads its own copies, and as
// many stages as leave room for all blocks that a multiprocessor has. Where it writes, whether
// copies may run ahead of that is asked in front of it (Hazards.h), `%may`: those in front of the
// loop are masked by it, and in the loop `scf.if %may_not { tile_gpu.async_wait 0 }` waits for all.
//
// Of many loops in one block, as of a filter's taps, first copies but one stand in branches: many
// steps are not there, and no loop holds another one's addresses.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "../ValueMap.h"
#include "FeedReaders.h"
#include "Flight.h"
#include "LateLoads.h"
#include "PassWrites.h"
#include "Rings/Lots.h"
#include "Rings/Stages.h"
#include "StepAhead.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"
#include <stdlib.h>

typedef struct {
  TileFeeds feeds;
  int stages;
  int ahead;          // steps that copies run ahead of their use
  bool whole;         // do all steps have a slot? Then all copies start in front of the loop
  bool boxesAlone;    // are all that fences are for?
  bool starts, flies; // are dots on their way while others start, also across steps?
  bool guards;        // do copies wait for the dot of the step before?
  int lot;            // feeds of the first lot, where there are two; else 0
  MlirOperation next; // the first dot that reads the second one
  MlirValue mayRun;   // i1: may copies run ahead? Null: always
  TileRings rings;    // of `feeds`
  TileValueMap map;   // from the old body's values
} Pipeliner;

//===- emission -----------------------------------------------------------===//

/// The slice once more, over mapped values; it loads nothing unless `exists` (i1).
static void cloneSlice(Pipeliner *p, TileBuilder *b, MlirValue exists) {
  for (int i = 0; i < p->feeds.numSlice; ++i) {
    MlirOperation op = p->feeds.slice[i];
    if (tileOpIsALoad(op))
      tileCloneLoadWhere(b, &p->map, op, exists);
    else
      tileCloneMapped(b, &p->map, op);
  }
}

/// tile_gpu.async_copy of loads `from` to `to` into ring[stage], masked by `exists` (i1), and a
/// commit, which is returned.
static MlirOperation emitCopies(Pipeliner *p, TileBuilder *b, MlirValue stage, MlirValue exists,
                                int from, int to) {
  for (int i = from; i < to; ++i) {
    MlirOperation load = p->feeds.feeds[i].load;
    MlirValue pointers = tileValueMapGet(p->map, tileLoadGetPtr(load)),
              mask = tileLoadGetMask(load);
    MlirType type = tileWithElement(mlirValueGetType(pointers), tileI1(b->context));
    MlirValue all = tileBuildUnary(b, "tile.splat", type, exists);
    if (!mlirValueIsNull(mask))
      all = tileBuildBinary(b, "arith.andi", tileValueMapGet(p->map, mask), all);
    MlirValue view = tileBuildSlot(b, p->feeds.feeds[i].ring, stage);
    int run = p->feeds.feeds[i].run;
    TileNamedAttr attr = {"tile_gpu.run", mlirIntegerAttrGet(tileI32(b->context), run)};
    tileBuildOp(b, "tile_gpu.async_copy", TILE_VALUES(pointers, all, view), TILE_NONE, run > 1,
                &attr, 0);
  }
  return tileBuildOp(b, "tile_gpu.async_commit", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

static void emitWait(TileBuilder *b, int pending) {
  MlirAttribute n = mlirIntegerAttrGet(tileI32(b->context), pending);
  tileBuildOp(b, "tile_gpu.async_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", n}), 0);
}

/// The loads that run a step ahead: all, or the first lot.
static int numAhead(const Pipeliner *p) { return p->lot ? p->lot : p->feeds.numFeeds; }

/// Is the first lot all that there is?
static bool isOneLot(const Pipeliner *p) { return p->lot == p->feeds.numFeeds; }

/// iv + n * step
static MlirValue advanced(TileBuilder *b, MlirValue iv, MlirValue step, int n) {
  MlirType type = mlirValueGetType(iv);
  MlirValue count = tileBuildInt(b, type, n);
  MlirValue distance = tileBuildBinary(b, "arith.muli", step, count);
  return tileBuildBinary(b, "arith.addi", iv, distance);
}

/// `yes` where copies may run ahead, else `no`.
static MlirValue ifMayRun(const Pipeliner *p, TileBuilder *b, MlirValue yes, MlirValue no) {
  if (mlirValueIsNull(p->mayRun)) return yes;
  MlirType type = mlirValueGetType(yes);
  MlirValue condition = p->mayRun;
  if (tileTypeIsTile(type))
    condition =
        tileBuildUnary(b, "tile.splat", tileWithElement(type, tileI1(b->context)), condition);
  return tileBuildSelect(b, condition, yes, no);
}

/// Is the loop one of several of dots that stand in one block, as those of a filter's taps that its
/// author wrote out, whose copies ahead follow from its counter?
static bool isOneOfMany(const Pipeliner *p) {
  int count = 0;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(p->feeds.loop)) count += tileIsLoopOfDots(op);
  return count >= tileMachineNumber(tileMachineOf(p->feeds.loop), TILE_NUMBER_MANY_LOOPS) &&
         !p->feeds.numCarried;
}

/// The copies of a step that there may not be, and what they ask for, in a branch: where there is
/// none they cost nothing, and no loop behind this one holds what they computed. Their commit
/// stays outside, since waits count them.
static void copyWhere(Pipeliner *p, TileBuilder *b, MlirValue stage, MlirValue exists) {
  MlirOperation branch = tileBuildIf(b, exists, TILE_NONE, false);
  TileBuilder within = tileBuilderAtEnd(tileBody(branch, 0), b->location);
  MlirValue always = tileBuildInt(&within, tileI1(b->context), 1);
  cloneSlice(p, &within, always);
  MlirOperation commit = emitCopies(p, &within, stage, always, 0, numAhead(p));
  mlirOperationMoveAfter(commit, branch);
  tileBuildOp(&within, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Rings, and the copies of the first iterations. Leaves in `ahead` the slice's carried values for
/// iteration `ahead`.
static void emitPrologue(Pipeliner *p, MlirValue ahead[]) {
  TileBuilder b = tileBuilderBefore(p->feeds.loop);
  MlirValue lower = tileOperand(p->feeds.loop, 0), upper = tileOperand(p->feeds.loop, 1),
            step = tileOperand(p->feeds.loop, 2);
  MlirOperation yield = mlirBlockGetTerminator(p->feeds.body);
  for (int i = 0; i < p->feeds.numFeeds; ++i) {
    MlirType type = tileBufferWithStages(p->feeds.feeds[i].block, p->stages);
    p->feeds.feeds[i].ring = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  }
  for (int i = 0; i < p->feeds.numCarried; ++i)
    ahead[i] = tileOperand(p->feeds.loop, 3 + p->feeds.carried[i]);
  for (int s = 0; s < p->ahead; ++s) {
    MlirValue iv = advanced(&b, lower, step, s);
    MlirValue exists = tileBuildCmpi(&b, TILE_SLT, iv, upper);
    if (!mlirValueIsNull(p->mayRun)) exists = tileBuildBinary(&b, "arith.andi", exists, p->mayRun);
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 0), iv);
    for (int i = 0; i < p->feeds.numCarried; ++i)
      tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 1 + p->feeds.carried[i]),
                      ahead[i]);
    MlirValue stage = tileBuildInt(&b, tileI32(b.context), s);
    if (s && isOneOfMany(p)) {
      copyWhere(p, &b, stage, exists);
    } else {
      cloneSlice(p, &b, exists);
      emitCopies(p, &b, stage, exists, 0, numAhead(p));
    }
    for (int i = 0; i < p->feeds.numCarried; ++i)
      ahead[i] = tileValueMapGet(p->map, tileOperand(yield, p->feeds.carried[i]));
  }
  for (int i = 0; i < p->feeds.numCarried; ++i)
    ahead[i] = ifMayRun(p, &b, ahead[i], tileOperand(p->feeds.loop, 3 + p->feeds.carried[i]));
}

/// The loop with room for the slice's values ahead and the two stage numbers.
static MlirOperation buildLoop(Pipeliner *p, const MlirValue ahead[], TileBuilder *b) {
  MlirValue operands[3 + 2 * tileMaxCarried + 2];
  MlirType types[2 * tileMaxCarried + 3];
  MlirLocation locs[2 * tileMaxCarried + 3];
  intptr_t count = mlirOperationGetNumOperands(p->feeds.loop);
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(p->feeds.loop, i);
  for (int i = 0; i < p->feeds.numCarried; ++i) operands[count++] = ahead[i];
  MlirValue fill = tileBuildInt(b, tileI32(b->context), p->ahead % p->stages);
  MlirValue use = tileBuildInt(b, tileI32(b->context), 0);
  operands[count++] = ifMayRun(p, b, fill, use);
  operands[count++] = use;
  types[0] = mlirValueGetType(operands[0]);
  for (intptr_t i = 3; i < count; ++i) types[i - 2] = mlirValueGetType(operands[i]);
  for (intptr_t i = 0; i < count - 2; ++i) locs[i] = b->location;
  MlirOperation loop =
      tileBuildOp(b, "scf.for", count, operands, count - 3, types + 1, TILE_NONE, 1);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0),
                             mlirBlockCreate(count - 2, types, locs));
  return loop;
}

/// Moves what is left of the old body behind the copies, reading the rings at `use`.
static void moveBody(Pipeliner *p, TileBuilder *b, MlirValue use) {
  for (int i = 0; i < p->feeds.numFeeds; ++i) {
    MlirValue slot = tileBuildSlot(b, p->feeds.feeds[i].ring, use);
    if (p->feeds.streams)
      tileFeedReplaceStream(&p->feeds.feeds[i], slot);
    else
      tileFeedReplace(&p->feeds.feeds[i], slot);
  }
  TileBuilder end = tileBuilderAtEnd(b->block, b->location);
  tileMoveOps(&end, mlirBlockGetFirstOperation(p->feeds.body),
              mlirBlockGetTerminator(p->feeds.body), NULL);
}

typedef struct {
  bool boxesLeave, others;
} EngineUse;

static MlirWalkResult findEngineUse(MlirOperation op, void *data) {
  EngineUse *use = data;
  use->boxesLeave |= tileOpIsADescWrite(op);
  use->others |= tileOpIsWgmma(op) || tileOpIsADescCopy(op);
  return MlirWalkResultAdvance;
}

/// Are boxes that leave all that is not threads' own in shared memory? The barrier right before
/// each has the fence that it needs, and others none.
static bool fencesBoxesAlone(MlirOperation func) {
  EngineUse use = {0};
  mlirOperationWalk(func, findEngineUse, &use, MlirWalkPreOrder);
  return use.boxesLeave && !use.others;
}

/// The barrier at the start of a step of `loop`. Where dots read nothing but copies and what was
/// stored before the loop, it has no proxy fence, for which every copy on its way would have to
/// land: one barrier in front of the loop makes the stores known, and copies need none (CUTLASS's
/// and Triton's loops of cp.async and wgmma do without). Nor has it where nothing
/// but the kernel's results is the copy engine's.
static MlirOperation emitBarrier(const Pipeliner *p, MlirOperation loop, TileBuilder *b) {
  MlirOperation barrier = tileBuildOp(b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirAttribute unfenced = mlirUnitAttrGet(b->context);
  if (p->boxesAlone)
    mlirOperationSetAttributeByName(barrier, tileString("tile_gpu.unfenced"), unfenced);
  if (!p->starts) return barrier;
  TILE_FOR_EACH_OP(op, p->feeds.body) {
    bool staysStored = tileOpIsABufferStore(op) && !tileFeedsReplaceStore(&p->feeds, op);
    if (staysStored || (mlirOperationGetNumRegions(op) && !tileOpIsAReduce(op))) return barrier;
  }
  if (p->rings.outerBytes) {
    TileBuilder before = tileBuilderBefore(loop);
    tileBuildOp(&before, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  mlirOperationSetAttributeByName(barrier, tileString("tile_gpu.unfenced"), unfenced);
  return barrier;
}

/// Moves what stands behind `from`, up to a commit, in front of `place`.
static void moveCopies(MlirOperation from, MlirOperation commit, MlirOperation place) {
  for (bool last = false; !last;) {
    MlirOperation op = mlirOperationGetNextInBlock(from);
    last = mlirOperationEqual(op, commit);
    mlirOperationMoveBefore(op, place);
  }
}

/// Moves the copies, up to their commit, behind the first dot of the step.
static void copyBehindDot(MlirBlock body, MlirOperation barrier, MlirOperation commit) {
  moveCopies(barrier, commit, mlirOperationGetNextInBlock(tileFindFlying(body)));
}

/// Copies of the second lot, of the step of `body` itself.
static void emitSecondLot(Pipeliner *p, TileBuilder *b, MlirBlock body, MlirValue use) {
  MlirValue yes = tileBuildInt(b, tileI1(b->context), 1);
  for (intptr_t i = 0; i <= mlirOperationGetNumResults(p->feeds.loop); ++i)
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, i), mlirBlockGetArgument(body, i));
  cloneSlice(p, b, yes);
  emitCopies(p, b, use, yes, p->lot, p->feeds.numFeeds);
}

/// The first lot, which stands between `from` and `commit`, is copied when its slot has been read:
/// in front of the first dot that reads the second one, which has to be there by then; or at the
/// end of the step.
static void takeTurns(const Pipeliner *p, MlirOperation from, MlirOperation commit) {
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(commit));
  MlirOperation place = isOneLot(p) ? end : p->next;
  TileBuilder b = tileBuilderBefore(place);
  if (!isOneLot(p)) emitWait(&b, 0);
  tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  moveCopies(from, commit, place);
}

/// The only dot of `body`, one by wgmma whose sum the loop carries; null: there is another.
static MlirOperation onlyFlying(MlirBlock body) {
  MlirOperation only = {NULL};
  TILE_FOR_EACH_OP(op, body) {
    if (!tileOpIsADot(op)) continue;
    if (!mlirOperationIsNull(only) || !tileOpIsWgmma(op)) return (MlirOperation){NULL};
    only = op;
  }
  bool carries = !mlirOperationIsNull(only) && tileDotCarried(only) >= 0;
  return carries ? only : (MlirOperation){NULL};
}

/// Does `store` write what the step computes of copies?
static bool isComputedOfCopies(TileValueSearch *s, MlirValue value, const void *data) {
  const TileFeeds *f = data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), f->body)) return false;
  for (int i = 0; i < f->numFeeds; ++i)
    if (mlirOperationEqual(f->feeds[i].load, op)) return true;
  tileValueSearchAddOperands(s, op);
  return false;
}

/// Do threads store an operand of the only dot in each step, computed of copies? In front of that
/// all have waited for the dot of the step before (Flight.h), and behind it they meet: so copies
/// behind this one's start find the slot free that the one before read.
static bool storesOperand(const Pipeliner *p) {
  MlirOperation dot = onlyFlying(p->feeds.body);
  if (mlirOperationIsNull(dot)) return false;
  TILE_FOR_EACH_OP(op, p->feeds.body) {
    if (mlirOperationEqual(op, dot)) break;
    if (!tileOpIsABufferStore(op) || tileFeedsReplaceStore(&p->feeds, op)) continue;
    MlirValue buffer = tileBufferStoreGetBuffer(op);
    bool reads =
        mlirValueEqual(tileDotGetA(dot), buffer) || mlirValueEqual(tileDotGetB(dot), buffer);
    if (reads && tileValueSearchFinds(tileBufferStoreGetValue(op), isComputedOfCopies, &p->feeds))
      return true;
  }
  return false;
}

/// Is a second barrier in each step better than copies that run a step less ahead?
static bool guardsStages(const Pipeliner *p) {
  const TileMachine *m = tileMachineOf(p->feeds.loop);
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(onlyFlying(p->feeds.body))));
  int few = tileMachineNumber(m, TILE_NUMBER_GUARDED_STAGES);
  return p->stages == few ||
         (p->stages > few && words <= tileMachineNumber(m, TILE_NUMBER_GUARDED_WORDS));
}

/// The wait at the end of a step for the dot of the step before comes right behind the start of
/// this one's, and a barrier behind it: then all are done with the slot that is filled next. Where
/// threads wait in front of the start, as they make an operand in registers, a barrier behind it
/// does for several warp groups, of which one else fills what another one's dot still reads.
static void guardCopies(MlirBlock body, int64_t numWarps) {
  MlirOperation dot = tileFindFlying(body);
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  MlirOperation wait = mlirOpOperandIsNull(use) ? dot : mlirOpOperandGetOwner(use);
  bool isBehind = tileOpIsADotWait(wait);
  if (!isBehind && numWarps <= 4) return;
  if (isBehind)
    mlirOperationMoveAfter(wait, dot);
  else
    wait = dot;
  TileBuilder b = tileBuilderAfter(wait);
  MlirOperation barrier = tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  mlirOperationSetAttributeByName(barrier, tileString("tile_gpu.unfenced"),
                                  mlirUnitAttrGet(b.context));
}

/// The induction variable of the iteration that a step at `b` copies.
static MlirValue emitLater(const Pipeliner *p, TileBuilder *front, TileBuilder *b, MlirValue iv) {
  MlirValue step = tileOperand(p->feeds.loop, 2);
  if (mlirValueIsNull(p->mayRun)) return advanced(b, iv, step, p->ahead);
  MlirType type = mlirValueGetType(iv);
  MlirValue way = tileBuildBinary(front, "arith.muli", step, tileBuildInt(front, type, p->ahead));
  way = ifMayRun(p, front, way, tileBuildInt(front, type, 0));
  return tileBuildBinary(b, "arith.addi", iv, way);
}

/// Where copies may not run ahead, the step waits for its own.
static void emitOwnWait(const Pipeliner *p, TileBuilder *front, TileBuilder *b) {
  MlirValue yes = tileBuildInt(front, tileI1(front->context), 1);
  MlirValue mayNot = tileBuildBinary(front, "arith.xori", p->mayRun, yes);
  MlirOperation branch = tileBuildIf(b, mayNot, TILE_NONE, false);
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b->location);
  emitWait(&in, 0);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// The copies that a step starts for a later one, into `fill`; returns their commit. What stands
/// behind `from` moves with them, where they move. None where all started in front of the loop.
static MlirOperation emitAhead(Pipeliner *p, TileBuilder *front, TileBuilder *b, MlirBlock body,
                               MlirValue fill, MlirOperation *from) {
  intptr_t numArgs = mlirOperationGetNumResults(p->feeds.loop);
  if (p->whole) { // waits count on one a step
    for (int i = 0; i < p->feeds.numCarried; ++i)
      tileValueMapSet(&p->map,
                      tileOperand(mlirBlockGetTerminator(p->feeds.body), p->feeds.carried[i]),
                      mlirBlockGetArgument(body, 1 + numArgs + i));
    return *from = emitCopies(p, b, fill, fill, 0, 0);
  }
  MlirValue later = emitLater(p, front, b, mlirBlockGetArgument(body, 0));
  MlirValue upper = tileOperand(p->feeds.loop, 1);
  MlirValue exists = tileBuildCmpi(b, TILE_SLT, later, upper);
  *from = tileValueGetOp(exists);
  tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 0), later);
  for (int i = 0; i < p->feeds.numCarried; ++i)
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 1 + p->feeds.carried[i]),
                    mlirBlockGetArgument(body, 1 + numArgs + i));
  cloneSlice(p, b, exists);
  if (isOneLot(p)) { // asked once more: what says where the lot lies does not move
    exists = tileBuildCmpi(b, TILE_SLT, later, upper);
    *from = tileValueGetOp(exists);
  }
  return emitCopies(p, b, fill, exists, 0, numAhead(p));
}

static void rewriteLoop(Pipeliner *p) {
  MlirValue ahead[tileMaxCarried];
  emitPrologue(p, ahead);
  if (!p->feeds.streams) tileSinkStores(p->feeds.loop);
  TileBuilder outer = tileBuilderBefore(p->feeds.loop);
  MlirOperation loop = buildLoop(p, ahead, &outer);
  MlirBlock body = tileBody(loop, 0);
  TileBuilder b = tileBuilderAtEnd(body, outer.location), front = tileBuilderBefore(loop);
  intptr_t numArgs = mlirOperationGetNumResults(p->feeds.loop);
  MlirValue fill = mlirBlockGetArgument(body, 1 + numArgs + p->feeds.numCarried),
            use = mlirBlockGetArgument(body, 2 + numArgs + p->feeds.numCarried);

  emitWait(&b, p->ahead - 1);
  MlirOperation barrier = p->feeds.streams ? (MlirOperation){NULL} : emitBarrier(p, loop, &b);
  if (p->lot && !isOneLot(p)) emitSecondLot(p, &b, body, use);
  MlirOperation from, commit = emitAhead(p, &front, &b, body, fill, &from);
  if (!mlirValueIsNull(p->mayRun)) emitOwnWait(p, &front, &b);

  MlirOperation yield = mlirBlockGetTerminator(p->feeds.body);
  MlirValue yields[2 * tileMaxCarried + 2];
  bool stale[tileMaxCarried] = {0};
  for (int i = 0; i < p->feeds.numCarried; ++i) {
    yields[numArgs + i] = tileValueMapGet(p->map, tileOperand(yield, p->feeds.carried[i]));
    // A second lot is copied by the values of its own step.
    bool isOwn = p->lot && !isOneLot(p);
    stale[i] = !isOwn && tileFeedsAloneRead(&p->feeds, p->feeds.carried[i]);
  }
  for (intptr_t i = 0; i <= numArgs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(p->feeds.body, i),
                                  mlirBlockGetArgument(body, i));
  moveBody(p, &b, use);
  for (intptr_t i = 0; i < numArgs; ++i) yields[i] = tileOperand(yield, i);
  for (int i = 0; i < p->feeds.numCarried; ++i)
    if (stale[i]) yields[p->feeds.carried[i]] = mlirBlockGetArgument(body, 1 + p->feeds.carried[i]);
  yields[numArgs + p->feeds.numCarried] = tileBuildNextStage(&b, fill, p->stages, NULL);
  yields[numArgs + p->feeds.numCarried + 1] = tileBuildNextStage(&b, use, p->stages, NULL);
  tileBuildOp(&b, "scf.yield", numArgs + p->feeds.numCarried + 2, yields, TILE_NONE, TILE_NONE, 0);
  emitWait(&outer, 0);
  // Round an outer loop the next prologue fills slots that slower threads may still read.
  bool again = !tileOpIsAFunc(mlirOperationGetParentOperation(p->feeds.loop));
  if (again && !p->feeds.streams)
    tileBuildOp(&outer, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  for (intptr_t i = 0; i < numArgs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->feeds.loop, i),
                                  mlirOperationGetResult(loop, i));
  mlirOperationDestroy(p->feeds.loop);
  if (p->lot) takeTurns(p, from, commit);
  if (p->starts) {
    copyBehindDot(body, barrier, commit);
    tileLetFly(loop, p->flies, false);
    if (p->guards) guardCopies(body, p->rings.numWarps);
  }
}

//===- the pass -----------------------------------------------------------===//

/// Of `stages` as many as there is room for beside the rings of loops within this one, which are
/// read while its own are filled; 1 where not even two are. Whoever asks for a number of stages has
/// innermost loops in mind.
static int leaveNested(const Pipeliner *p, int stages, int64_t left) {
  int64_t nested = tileRingBytes(p->feeds.body),
          fit = (left - nested) / tileRingsStageBytes(&p->rings);
  if (!nested || stages <= fit) return stages;
  tileTrace(mlirOperationGetLocation(p->feeds.loop),
            "rings of loops within the loop leave room for %lld of %d stages",
            (long long)(fit < 0 ? 0 : fit), stages);
  return fit < 2 ? 1 : (int)fit;
}

/// Do threads store again what was copied in whole chunks, for wgmma? Each step waits for its dots
/// then: a barrier behind a wait for those of the step before is one too many. And the fence behind
/// what is stored waits for all copies on their way, so that more than a step's are of no use.
static bool realigns(const Pipeliner *p) {
  bool ragged = false, stores = false;
  for (int i = 0; i < p->feeds.numFeeds; ++i)
    ragged |= tileBufferTypeIsRagged(p->feeds.feeds[i].block);
  TILE_FOR_EACH_OP(op, p->feeds.body) {
    stores |= tileOpIsABufferStore(op) && !tileFeedsReplaceStore(&p->feeds, op);
  }
  return ragged && stores;
}

static bool checkStages(MlirOperation op, int64_t n) {
  if (n >= 0 && n <= 16) return true;
  tileEmitError(mlirOperationGetLocation(op), "expected 1 to 16 stages, found %lld", (long long)n);
  return false;
}

/// Is it a loop of so few steps that a ring is filled, and waited for, for nothing? All its loads
/// may be on their way at once: ptxas unrolls it.
static bool isShort(const Pipeliner *p, int64_t steps) {
  return steps > 0 &&
         steps <= tileMachineNumber(tileMachineOf(p->feeds.loop), TILE_NUMBER_STREAM_STEPS);
}

/// Pipelines the loop if it has what can be copied ahead; false where it stays as it is.
static bool pipelineLoop(Pipeliner *p, int64_t wish, int64_t left) {
  MlirLocation loc = mlirOperationGetLocation(p->feeds.loop);
  if (tileIntAttr(p->feeds.loop, "tile.num_stages", wish) == 1) return false;
  tileFeedsFind(&p->feeds);
  if (!p->feeds.numFeeds) return false;
  intptr_t carried = mlirOperationGetNumResults(p->feeds.loop);
  if (carried >= tileMaxCarried) {
    tileEmitRemark(loc, "loop is not pipelined: expected fewer than %d carried values, found %ld",
                   (int)tileMaxCarried, (long)carried);
    return false;
  }
  tileRingsMeasure(&p->rings);
  left -= p->rings.otherBytes;
  p->starts = !tileIsInRole(p->feeds.loop) && tileMayFly(p->feeds.loop);
  bool waits = realigns(p);
  p->guards = p->starts && !waits && !mlirOperationIsNull(onlyFlying(p->feeds.body));
  p->rings.starts = p->starts;
  p->rings.guards = p->guards;
  p->stages = tileRingsChooseStages(&p->rings, wish, left);
  if (waits && p->stages > 2) p->stages = 2;
  bool stored = p->guards && storesOperand(p);
  int few = tileMachineNumber(tileMachineOf(p->feeds.loop), TILE_NUMBER_GUARDED_STAGES);
  if (stored && !wish && p->stages > few) p->stages = few;
  // More slots than steps are never filled, and other blocks have no room for it.
  int64_t steps = tileCountSteps(p->feeds.loop);
  if (steps > 1 && steps < p->stages) p->stages = (int)steps;
  p->stages = leaveNested(p, p->stages, left);
  if (p->stages == 1) return false;
  if (p->feeds.streams && isShort(p, steps)) return false;
  // Who asks for more slots than two has them.
  bool isAsked = tileIntAttr(p->feeds.loop, "tile.num_stages", wish) > 2;
  if (!isAsked && tileRingsWantTurns(&p->rings, left))
    p->lot = tileFeedsDivideLots(&p->feeds, &p->next);
  if (p->lot) p->starts = p->guards = stored = false;
  if (p->lot) p->stages = 1;
  tileTrace(loc, "loop is pipelined: %d load%s in rings of %d stages, %lld bytes a stage",
            p->feeds.numFeeds, p->feeds.numFeeds == 1 ? "" : "s", p->stages,
            (long long)tileRingsStageBytes(&p->rings));
  // Of few stages all are better copies on their way.
  p->guards = p->guards && !stored && guardsStages(p);
  p->flies = p->starts && !waits && (p->stages >= 4 || p->guards || stored);
  p->ahead = p->lot ? 1 : p->stages - 1 - (p->flies && !p->guards && !stored);
  p->whole = !p->lot && !p->feeds.streams && steps == p->stages;
  if (p->whole) p->ahead = p->stages;
  if (p->feeds.streams) p->mayRun = tileHazardsBuild(&p->feeds.hazards);
  rewriteLoop(p);
  tileValueMapClear(&p->map);
  return true;
}

/// What a step's loads are found by starts a step ahead.
static void leadAll(TileOpList *loops, int64_t wish) {
  TileFeeds *f = malloc(sizeof *f);
  if (!f) abort();
  for (size_t i = 0; i < loops->count; ++i) {
    if (tileIntAttr(loops->ops[i], "tile.num_stages", wish) == 1) continue;
    *f = (TileFeeds){.loop = loops->ops[i], .body = tileBody(loops->ops[i], 0)};
    loops->ops[i] = tileFeedsLead(f);
  }
  free(f);
}

static void pipelineAll(MlirOperation func, const TileOpList *loops, int64_t wish) {
  int64_t left = tileTeamSharedBytes(func) - tileGuardedBytes(func);
  int64_t numWarps = tileNumWarpsOf(func);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  TileAffine *affine = NULL; // of the kernel as it is, where a loop writes
  bool boxesAlone = fencesBoxesAlone(func);
  Pipeliner *p = malloc(sizeof *p);
  if (!p) abort();
  for (size_t i = 0; i < loops->count; ++i) {
    MlirOperation loop = loops->ops[i];
    MlirBlock block = mlirOperationGetBlock(loop);
    MlirOperation front = tileOpInFrontOf(loop), behind = mlirOperationGetNextInBlock(loop);
    if (!affine && tileHoldsEffects(loop, TILE_WRITES_GLOBAL))
      affine = tileAffineCreate(func, axis, NULL);
    *p = (Pipeliner){.feeds = {.loop = loop, .axis = axis}, .boxesAlone = boxesAlone};
    p->feeds.body = tileBody(loop, 0);
    p->rings = (TileRings){.feeds = &p->feeds, .numWarps = numWarps};
    p->feeds.hazards = (TileHazards){.loop = loop, .affine = affine};
    if (!pipelineLoop(p, wish, left)) continue;
    // What was analysed may be gone, and its place taken by something else.
    tileAffineDestroy(affine);
    affine = NULL;
    tileAxisAnalysisUpdate(axis, block, front, behind);
  }
  free(p);
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axis);
}

MlirLogicalResult tileRunPipeline(MlirOperation func, const TilePipelineOptions *options) {
  int64_t wish = options->numStages ? options->numStages : tileIntAttr(func, "tile.num_stages", 0);
  if (!checkStages(func, wish)) return mlirLogicalResultFailure();
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  bool ok = true;
  for (size_t i = 0; ok && i < loops.count; ++i)
    ok = checkStages(loops.ops[i], tileIntAttr(loops.ops[i], "tile.num_stages", 0));
  tileOpListDestroy(&loops);
  if (ok) tileLetPassWrites(func, wish);
  tileFindLoops(func, &loops);
  if (ok) leadAll(&loops, wish);
  if (ok) pipelineAll(func, &loops, wish);
  if (ok) tileWarnOfLateLoads(func);
  tileOpListDestroy(&loops);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
