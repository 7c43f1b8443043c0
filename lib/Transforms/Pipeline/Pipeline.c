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
#include "../Launch.h"
#include "../Loops.h"
#include "FeedReaders.h"
#include "Flight.h"
#include "LateLoads.h"
#include "PassWrites.h"
#include "Rings/Lots.h"
#include "Rings/Pipeliner.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"
#include <stdlib.h>

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

/// Do threads store an operand of the only dot in each step, which there is, computed of copies? In
/// front of that all have waited for the dot of the step before (Flight.h), and behind it they
/// meet: so copies behind this one's start find the slot free that the one before read.
static bool storesOperand(const TilePipeliner *p) {
  MlirOperation dot = onlyFlying(p->feeds.body);
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
static bool guardsStages(const TilePipeliner *p) {
  const TileMachine *m = tileMachineOf(p->feeds.loop);
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(onlyFlying(p->feeds.body))));
  int few = tileMachineNumber(m, TILE_NUMBER_GUARDED_STAGES);
  return p->stages == few ||
         (p->stages > few && words <= tileMachineNumber(m, TILE_NUMBER_GUARDED_WORDS));
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

//===- the pass -----------------------------------------------------------===//

/// Of `stages` as many as there is room for beside the rings of loops within this one, which are
/// read while its own are filled, and what these exchange; 1 where not even two are. Whoever asks
/// for a number of stages has innermost loops in mind.
static int leaveNested(const TilePipeliner *p, int stages, int64_t left) {
  int64_t nested = tileNestedBytes(p->feeds.body, p->rings.scratchBytes),
          fit = (left - nested) / tileRingsStageBytes(&p->rings);
  if (!nested || stages <= fit) return stages;
  tileEmitRemark(mlirOperationGetLocation(p->feeds.loop),
                 "loop has fewer stages: expected room for %d beside rings of loops within it, "
                 "found room for %lld",
                 stages, (long long)(fit < 0 ? 0 : fit));
  return fit < 2 ? 1 : (int)fit;
}

/// Do threads store again what was copied in whole chunks, for wgmma? Each step waits for its dots
/// then: a barrier behind a wait for those of the step before is one too many. And the fence behind
/// what is stored waits for all copies on their way, so that more than a step's are of no use.
static bool realigns(const TilePipeliner *p) {
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
static bool isShort(const TilePipeliner *p, int64_t steps) {
  return steps > 0 &&
         steps <= tileMachineNumber(tileMachineOf(p->feeds.loop), TILE_NUMBER_STREAM_STEPS);
}

/// What a step does that decides how far ahead of it copies run.
typedef struct {
  int64_t most;  ///< tileMostSteps
  bool realigns; ///< dots are waited for in their step
  bool stores;   ///< storesOperand
  bool areSlots; ///< a ring has a slot for each step: all is copied in front of the loop
} Steps;

/// Are there loads to copy ahead, and not more values than can be carried?
static bool findFeeds(TilePipeliner *p) {
  tileFeedsFind(&p->feeds);
  if (!p->feeds.numFeeds) return false;
  intptr_t carried = mlirOperationGetNumResults(p->feeds.loop);
  if (carried < tileMaxCarried) return true;
  tileEmitRemark(mlirOperationGetLocation(p->feeds.loop),
                 "loop is not pipelined: expected fewer than %d carried values, found %ld",
                 (int)tileMaxCarried, (long)carried);
  return false;
}

/// How many slots each ring has, in `left` bytes beside what else the step takes; 1: none, unless
/// that is a slot for each step.
static int chooseStages(const TilePipeliner *p, Steps *steps, int64_t wish, int64_t left) {
  int stages = tileRingsChooseStages(&p->rings, wish, left);
  if (steps->realigns && stages > 2) stages = 2;
  int few = tileMachineNumber(tileMachineOf(p->feeds.loop), TILE_NUMBER_GUARDED_STAGES);
  if (steps->stores && !wish && stages > few) stages = few;
  // More slots than steps are never filled, and other blocks have no room for it.
  bool reach = steps->most && steps->most <= stages && stages > 1;
  if (reach) stages = (int)steps->most;
  stages = leaveNested(p, stages, left);
  steps->areSlots = reach && stages == steps->most && !p->feeds.streams;
  return stages;
}

/// In which order a step waits, copies and multiplies; `stages` are chosen.
static void chooseOrder(TilePipeliner *p, const Steps *steps) {
  bool stores = steps->stores && !p->lot;
  if (p->lot) p->starts = p->guards = false;
  // Of few stages all are better copies on their way.
  p->guards = p->guards && !stores && guardsStages(p);
  p->flies = p->starts && !steps->realigns && (p->stages >= 4 || p->guards || stores);
  p->ahead = p->lot ? 1 : p->stages - 1 - (p->flies && !p->guards && !stores);
  p->whole = !p->lot && steps->areSlots;
  if (p->whole) p->ahead = p->stages;
}

/// Pipelines the loop if it has what can be copied ahead; false where it stays as it is.
static bool pipelineLoop(TilePipeliner *p, int64_t wish, int64_t left) {
  int64_t asked = tileIntAttr(p->feeds.loop, "tile.num_stages", wish);
  if (asked == 1 || !findFeeds(p)) return false;
  tileRingsMeasure(&p->rings);
  left -= p->rings.otherBytes;
  Steps steps = {.most = tileMostSteps(p->feeds.loop), .realigns = realigns(p)};
  p->starts = !tileIsInRole(p->feeds.loop) && tileMayFly(p->feeds.loop);
  p->guards = p->starts && !steps.realigns && !mlirOperationIsNull(onlyFlying(p->feeds.body));
  steps.stores = p->guards && storesOperand(p);
  p->rings.starts = p->starts;
  p->rings.guards = p->guards;
  p->stages = chooseStages(p, &steps, wish, left);
  if (p->stages == 1 && !steps.areSlots) return false;
  if (p->feeds.streams && isShort(p, tileCountSteps(p->feeds.loop))) return false;
  // Who asks for more slots than two has them.
  if (asked <= 2 && steps.most != 1 && tileRingsWantTurns(&p->rings, left))
    p->lot = tileFeedsDivideLots(&p->feeds, &p->next);
  if (p->lot) p->stages = 1;
  tileTrace(mlirOperationGetLocation(p->feeds.loop),
            "loop is pipelined: %d load%s in rings of %d stages, %lld bytes a stage",
            p->feeds.numFeeds, p->feeds.numFeeds == 1 ? "" : "s", p->stages,
            (long long)tileRingsStageBytes(&p->rings));
  chooseOrder(p, &steps);
  if (p->feeds.streams) p->mayRun = tileHazardsBuild(&p->feeds.hazards);
  tilePipelinerRewrite(p);
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
  int64_t all = tileTeamSharedBytes(func);
  int64_t numWarps = tileNumWarpsOf(func);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  TileAffine *affine = NULL; // of the kernel as it is, where a loop writes
  bool boxesAlone = fencesBoxesAlone(func);
  int64_t programs = tileHoldsDot(func) ? 0 : tileLaunchGetPrograms(func);
  TilePipeliner *p = malloc(sizeof *p);
  if (!p) abort();
  for (size_t i = 0; i < loops->count; ++i) {
    MlirOperation loop = loops->ops[i];
    MlirBlock block = mlirOperationGetBlock(loop);
    MlirOperation front = tileOpInFrontOf(loop), behind = mlirOperationGetNextInBlock(loop);
    if (!affine && tileHoldsEffects(loop, TILE_WRITES_GLOBAL))
      affine = tileAffineCreate(func, axis, NULL);
    *p = (TilePipeliner){.feeds = {.loop = loop, .axis = axis}, .boxesAlone = boxesAlone};
    p->feeds.body = tileBody(loop, 0);
    p->feeds.programs = programs;
    p->rings = (TileRings){.feeds = &p->feeds, .numWarps = numWarps};
    p->feeds.hazards = (TileHazards){.loop = loop, .affine = affine};
    if (!pipelineLoop(p, wish, all - tileGuardedBytesAt(loop))) continue;
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
