//===- PlanRoles.c - how blocks and warps will share a kernel's work ------===//
//
// Before:  tile.func @f(..) { .. tile_gpu.desc_copy in a loop .. }
// After:   tile.func @f(..) attributes {tile_gpu.schedule = #tile_gpu.schedule<programs = loop,
//            group_rows = 16, cluster = 1, stages = 4, producers = 1, stores = deferred, turns = 3,
//            last_round = shared, warm_steps = 0>} { .. as before .. }
//
// This pass decides and changes nothing; those behind it do what the schedule says, each its part,
// and none of them decides. A kernel that has a schedule already, a user's or a search's, keeps it.
//
// What it chooses, and by what:
//
//   programs    `loop`: as many blocks as the device holds, each with several programs. Where a
//               launch has a multiprocessor for each (tile_gpu.single_wave), a block each: `grid`,
//               or `one`, where clusters number their programs themselves. `serpentine` where
//               loops are longer in some programs than in others. A print wants `grid`, and so do
//               lengths that are read from memory; and results for which there is no room beside
//               two slots of rings: of a block's only program they take the rings' place.
//   group_rows  0 where the kernel has an order of its own: it divides the number of its program
//   cluster     what the author says (num_ctas); else pairs where the rows of a shared array begin
//               off the lines of the L2 cache, and products are by wgmma: the others wait in turn,
//               and another block of the multiprocessor hides more of it than a pair's copies
//   blocks      as many as registers are for, where each has slots enough: while one stores its
//               results, or waits, the others multiply. Results are not deferred then
//   stages      what the author says (num_stages); else as many as fit into shared memory
//   producers   two warps in turn where blocks share copies and all programs fill as many slots
//   stores      `deferred` under the next program's dots where results are few and narrow enough,
//               `at_once` where there is no other program, `boxes` otherwise; these are staged at a
//               time (tile_gpu.together) where there is room beside rings of slots enough
//   turns       where work lies behind a loop whose stores are deferred
//   last_round  `shared` where products go straight to their boxes; `split` where the author, or
//               who launches, says so (num_last_splits): results are not deferred then
//   warm_steps  where a block has one program
//   parts       what the author, or who launches, says (num_parts): then a program is a cluster's
//               or, where a launch has a multiprocessor for each program, and steps wait, of teams
//               of its block (Teams.c)
//   splits      the same (num_splits): then it is that of so many clusters
//   waited      one slot for rings whose dots are waited for, where there is no room for two
//   ahead       two slots for what programs read outside of their loops, where there is room and a
//               next program
//
// A kernel without boxes in loops gets none; each thing that is not chosen has its remark.
//
// Requires: layouts assigned, boxes narrowed.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "../../Launch.h"
#include "Plan.h"
#include "tile/Analysis/ProgramLengths.h"
#include "tile/Analysis/Waiting.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"
#include "tile/Trace.h"

/// Is `number` divided? Sums with it are looked at later.
static bool isDivided(TileValueSearch *s, MlirValue number, const void *data) {
  (void)data;
  static const char *const sums[] = {"arith.addi", "arith.extsi", "arith.extui", "arith.index_cast",
                                     NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(number); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOpOperandGetOperandNumber(use) == 0 && tileOpDividesIntegers(user)) return true;
    if (tileOpIsOneOf(user, sums)) tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

static bool isOrder(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAProgramId(op) && tileProgramIdGetAxis(op) == 0 &&
         tileValueSearchFinds(tileResult(op), isDivided, NULL);
}

/// Rows of the grid that go together: none where the kernel groups its programs itself, since two
/// orders undo one another.
static int64_t chooseGroupRows(MlirOperation func) {
  return tileHoldsOp(func, isOrder, NULL) ? 0 : tileKernelGetNumber(func, TILE_NUMBER_PROGRAM_ROWS);
}

/// Do threads read what loops copy?
static bool isByThreads(const TileChannels *channels) {
  bool found = false;
  for (int i = 0; i < channels->count; ++i)
    found |= channels->list[i].looped && channels->list[i].byThreads;
  return found;
}

/// Clusters that the author asks for, or the arrays' rows do.
static void planCluster(TilePlan *p) {
  int64_t wish = tileIntAttr(p->func, "tile.num_ctas", 0);
  if (wish > INT32_MAX) wish = INT32_MAX;
  if (!wish)
    wish = !isByThreads(&p->channels) && tileHasStraddlingRows(p->func, &p->channels)
               ? tileKernelGetNumber(p->func, TILE_NUMBER_STRADDLE_BLOCKS)
               : 1;
  if (wish == 1) return;
  TileSharedCopies shared;
  const char *reason = p->schedule.programs == TILE_PROGRAMS_GRID
                           ? "expected blocks that stay, found one for each program"
                           : tileFindSharedCopies(p->func, &p->channels, (int)wish, &shared);
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(p->func), "blocks share no copies: %s", reason);
    return;
  }
  p->schedule.cluster = wish;
  if (wish > 2 && p->schedule.groupRows && tileSharesAcross(p->func, &shared))
    p->schedule.columns = 2;
}

/// Blocks that have no more than one program, or a part of one, store it when it is there, and ask
/// the L2 cache for their first boxes.
static void planAlone(TilePlan *p, TilePrograms programs) {
  TileSchedule *s = &p->schedule;
  s->programs = programs;
  if (p->stores.count) s->stores = TILE_STORES_AT_ONCE;
  int64_t steps = tileKernelGetNumber(p->func, TILE_NUMBER_WARM_STEPS);
  if (tileCanWarmCache(p->func, &p->channels, steps)) s->warmSteps = steps;
}

/// The kernel's blocks have one program each.
static void planOnce(TilePlan *p) {
  planAlone(p, p->schedule.cluster > 1 ? TILE_PROGRAMS_ONE : TILE_PROGRAMS_GRID);
}

/// Stores under the next program's dots, and warp groups' turns at the end of the loop before.
static void planDeferral(TilePlan *p) {
  const char *late = tilePlanIsShort(p) ? "expected no num_at_once, found it"
                                        : tileShouldDefer(p->func, &p->channels, &p->stores);
  if (late) {
    MlirLocation loc = mlirOperationGetLocation(p->stores.list[0].write);
    tileEmitRemark(loc, "store is not deferred: %s", late);
    return;
  }
  p->schedule.stores = TILE_STORES_DEFERRED;
  int64_t spare = p->schedule.stages - 1;
  int64_t lastSteps = tileKernelGetNumber(p->func, TILE_NUMBER_LAST_STEPS);
  if (p->warpGroups > 1 && tileWorksBehind(&p->channels))
    p->schedule.turns = spare < lastSteps ? spare : lastSteps;
}

/// Do programs take more or fewer steps along some axis of the grid?
static bool areUneven(MlirOperation func) {
  bool uneven = false;
  for (int axis = 0; axis < 3; ++axis) uneven |= tileProgramLengths(func, axis) != TILE_STEADY;
  return uneven;
}

/// Which programs a block has, and when it stores their results.
static void planRounds(TilePlan *p, int64_t wish) {
  const char *alone = tileShouldShareLastRound(p->func, &p->stores, p->warpGroups);
  if (p->schedule.cluster == 1 && areUneven(p->func))
    p->schedule.programs = TILE_PROGRAMS_SERPENTINE;
  int64_t room = tileLaunchGetMultiprocessors(p->func);
  if (room == 1 || (room > 1 && alone)) {
    planOnce(p);
    return;
  }
  if (!alone && p->schedule.programs == TILE_PROGRAMS_SERPENTINE)
    alone = "expected programs that are equally long, found others";
  if (alone)
    tileEmitRemark(mlirOperationGetLocation(p->func), "the last programs are not shared: %s",
                   alone);
  else
    p->schedule.lastRound = TILE_LAST_ROUND_SHARED;
  // Stores share a ring beside sums, and wait for one another.
  if (p->stores.count && !p->sums.count && p->schedule.blocks == 1) planDeferral(p);
  bool deferred = p->schedule.stores == TILE_STORES_DEFERRED;
  if (p->schedule.cluster > 1 && tileCanTakeTurns(&p->channels, deferred))
    p->schedule.producers = 2;
  tileChooseAhead(p);
  if (p->schedule.stores == TILE_STORES_BOXES && !p->sums.count && tileStageTogether(p, wish))
    tileKernelStageTogether(p->func);
}

typedef struct {
  bool copies, prints, waits;
} Contents;

static int64_t wishFor(const TilePlan *p, const char *attr, int64_t most) {
  int64_t wish = tileIntAttr(p->func, attr, 1);
  return wish < most ? wish : most;
}

/// Blocks that divide each program's loop; false where they do not.
static bool planParts(TilePlan *p, const Contents *has) {
  int64_t splits = wishFor(p, "tile.num_splits", tileMaxSplits);
  int64_t parts = wishFor(p, "tile.num_parts", tileMaxParts);
  if (parts < 2 && splits < 2) return false;
  const char *reason =
      has->prints ? "expected no print, which names the program of a block, found one"
      : has->waits
          ? "expected no loop that may wait for another program, found scf.while around an access"
          : tileMaySplitSums(&p->channels);
  if (!reason && parts > 1) reason = tileMayHaveClusters(p->func);
  if (!reason && parts > 1 && tileSumsGetBytes(p->func, &p->channels) > p->room)
    reason = "expected sums that fit into shared memory, found larger ones";
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(p->func), "blocks do not divide the loop: %s", reason);
    return false;
  }
  p->schedule.parts = parts < 2 ? 1 : parts;
  p->schedule.splits = splits < 2 ? 1 : splits;
  planAlone(p, TILE_PROGRAMS_GRID);
  return true;
}

/// Turns that have a part each of a program of the last round; false where each has all of it.
static bool planLastSplits(TilePlan *p) {
  int64_t splits = wishFor(p, "tile.num_last_splits", tileMaxSplits);
  if (splits < 2) return false;
  const char *reason = p->schedule.programs != TILE_PROGRAMS_LOOP
                           ? "expected blocks that stay, found one for each program"
                       : areUneven(p->func)
                           ? "expected programs that are equally long, found others"
                           : tileMaySplitSums(&p->channels);
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(p->func), "the last programs are not split: %s",
                   reason);
    return false;
  }
  p->schedule.lastRound = TILE_LAST_ROUND_SPLIT;
  p->schedule.splits = splits;
  return true;
}

static const char *const programs[] = {"a block each", "loop over them", "one a block of clusters",
                                       "loop over them, every other round backwards"};
static const char *const stores[] = {"whole", "in boxes", "in boxes at once",
                                     "under the next program's dots"};

static void trace(const TilePlan *p) {
  MlirLocation loc = mlirOperationGetLocation(p->func);
  const TileSchedule *s = &p->schedule;
  tileTrace(loc, "programs: %s", programs[s->programs]);
  if (s->programs != TILE_PROGRAMS_GRID)
    tileTrace(loc, "programs are worked through in groups of %d rows", (int)s->groupRows);
  tileTrace(loc, "blocks that share copies: %d, of columns: %d", (int)s->cluster, (int)s->columns);
  tileTrace(loc, "blocks of a multiprocessor: %d", (int)s->blocks);
  tileTrace(loc, "slots of a ring: %d, in %lld bytes of shared memory", (int)s->stages,
            (long long)p->room);
  tileTrace(loc, "slots of what is read outside of loops: %d", (int)s->ahead);
  if (s->waited) tileTrace(loc, "slots of rings whose dots are waited for: %d", (int)s->waited);
  tileTrace(loc, "warps that copy: %d", (int)s->producers);
  tileTrace(loc, "results are stored %s", stores[s->stores]);
  if (tileKernelStagesTogether(p->func)) tileTrace(loc, "boxes of results are staged together");
  tileTrace(loc, "steps that warp groups take in turn: %d", (int)s->turns);
  bool splitsLast = s->lastRound == TILE_LAST_ROUND_SPLIT;
  tileTrace(loc, "blocks of a program in the last round: %d",
            splitsLast                               ? (int)s->splits
            : s->lastRound == TILE_LAST_ROUND_SHARED ? 2
                                                     : 1);
  tileTrace(loc, "steps that the L2 cache is asked for: %d", (int)s->warmSteps);
  tileTrace(loc, "blocks that divide a program's loop: %d",
            splitsLast ? 1 : (int)(s->parts * s->splits));
}

/// Do products of a ring stay on their way in the next step?
static bool flies(const TilePlan *p) {
  for (int i = 0; i < p->channels.count; ++i)
    if (p->channels.list[i].async) return true;
  return false;
}

/// Blocks of a multiprocessor, two or four, and the slots of each: of more blocks each has fewer.
/// Where no product is in flight, a block waits in each step, and others have work meanwhile: two
/// slots do, where registers have room for them, since what does not fit is written to memory. Two
/// warp groups want the slots of the shortest steps for one block.
static void planBlocks(TilePlan *p, int64_t wish) {
  int64_t stages = p->schedule.stages, room = p->room;
  int64_t count = p->warpGroups > 1 && tileHasShortSlots(p) ? 1 : tileCountBlocks(p);
  int64_t most = tileKernelGetNumber(p->func, TILE_NUMBER_ROLE_BLOCK_STAGES);
  int64_t told = tileLaunchGetPrograms(p->func);
  // Rounded down to a power of two: there are fewer than twice as many.
  bool isFew = told && 2 * told <= count;
  if (isFew) count = 2 * told;
  for (int64_t blocks = count; blocks > 1; --blocks) {
    bool waits = !flies(p) && tileBlocksHaveRegisters(p, blocks);
    int64_t least = waits ? tileKernelGetNumber(p->func, TILE_NUMBER_RING_STAGES_LEAST) : most;
    if (!(blocks & (blocks - 1)) && tileChooseStages(p, wish, blocks) &&
        (wish || p->schedule.stages >= least)) {
      p->schedule.blocks = blocks;
      if (!wish && !isFew) tileShortenLead(p);
      return;
    }
  }
  p->schedule.stages = stages;
  p->room = room;
}

/// Has a block one program, whose results take the place of its rings.
static void takeOneProgram(TilePlan *p) {
  p->schedule.programs = TILE_PROGRAMS_GRID;
  if (p->stores.count) p->schedule.stores = TILE_STORES_AT_ONCE;
}

/// Of two slots a product on its way holds one, and copies are waited for in each step: where there
/// is room for a third one without what programs store, and read behind their loops, a block has
/// one program, whose results take the place of its rings.
static void leaveResultsTheRings(TilePlan *p) {
  enum { TWO = 2 };
  TileSchedule kept = p->schedule;
  int64_t room = p->room;
  if (kept.stages > TWO || kept.programs == TILE_PROGRAMS_GRID) return;
  takeOneProgram(p);
  if (tileChooseStages(p, 0, 1) && p->schedule.stages > TWO) return;
  p->schedule = kept;
  p->room = room;
}

/// Chooses slots for rings. Where two do not fit beside what is behind the loops, a block has one
/// program, whose results take the place of its rings; then beside fewer slots of rings that
/// threads fill; and where a step waits for its dots, which come one after the other, the next
/// one's boxes may take the slots as they are read. A loop without rings would wait for each box.
static bool findRoom(TilePlan *p, int64_t wish) {
  p->threadStages = tileKernelGetNumber(p->func, TILE_NUMBER_THREAD_RING_STAGES);
  if (tileChooseStages(p, wish, 1)) {
    if (!wish && flies(p)) leaveResultsTheRings(p);
    return true;
  }
  takeOneProgram(p);
  if (tileChooseStages(p, wish, 1)) return true;
  p->threadStages = tileKernelGetNumber(p->func, TILE_NUMBER_RING_STAGES_LEAST);
  if (tileChooseStages(p, wish, 1)) return true;
  p->schedule.waited = 1;
  return tileChooseStages(p, wish, 1);
}

/// Null, or why the kernel stays as it is.
static const char *plan(TilePlan *p, const TilePlanRolesOptions *options, const Contents *has) {
  const char *reason = tileFindRoles(p->func, &p->channels);
  if (reason) return reason;
  p->warpGroups = tileKernelGetWarpGroups(p->func);
  tileFindBoxStores(p->func, &p->stores);
  tileFindBoxSums(p->func, &p->sums);
  if (p->sums.count) tileShareBoxStoreRings(&p->stores);
  if (!mlirOperationIsNull(p->stores.left))
    tileEmitRemark(mlirOperationGetLocation(p->stores.left),
                   "result is stored whole: expected at most %d in boxes, found more",
                   (int)tileMaxStores);
  // A print names the program it runs in by itself: a block for each. What waits for another
  // program waits for a block. Of programs whose lengths only memory tells, as of sequences that
  // lie behind one another, a block could have the longest of each round: whoever is done gets the
  // next. So does a kernel that a loop over programs left no registers (`tile.no_rounds`).
  bool persistent = !has->prints && !has->waits && !tileProgramLengthsAreRead(p->func) &&
                    mlirAttributeIsNull(tileAttr(p->func, "tile.no_rounds"));
  p->schedule = (TileSchedule){
      .programs = persistent ? TILE_PROGRAMS_LOOP : TILE_PROGRAMS_GRID,
      .groupRows = chooseGroupRows(p->func),
      .cluster = 1,
      .producers = 1,
      .blocks = 1,
      .ahead = 1,
      .stores = p->stores.count ? TILE_STORES_BOXES : TILE_STORES_WHOLE,
      .parts = 1,
      .splits = 1,
      .columns = 1,
  };
  int64_t wish =
      options->numStages ? options->numStages : tileIntAttr(p->func, "tile.num_stages", 0);
  if (!findRoom(p, wish)) return "expected room for two stages in shared memory, found less";
  bool hasTeams = tilePlanTeams(p, wish, has->prints, has->waits);
  if (!planParts(p, has) && !hasTeams) {
    bool splitsLast = planLastSplits(p);
    if (!has->waits) planCluster(p);
    planBlocks(p, wish);
    if (p->schedule.programs != TILE_PROGRAMS_GRID && !splitsLast) planRounds(p, wish);
  }
  trace(p);
  return NULL;
}

static MlirWalkResult findContents(MlirOperation op, void *data) {
  Contents *found = data;
  found->copies |= tileOpIsADescCopy(op);
  found->prints |= tileOpIsAPrint(op);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunPlanRoles(MlirOperation func, const TilePlanRolesOptions *options) {
  TilePlan p = {.func = func};
  Contents has = {0};
  MlirLocation loc = mlirOperationGetLocation(func);
  mlirOperationWalk(func, findContents, &has, MlirWalkPreOrder);
  if (!has.copies || !mlirOperationIsNull(tileKernelGetRoles(func)))
    return mlirLogicalResultSuccess();
  if (tileKernelGetSchedule(func, &p.schedule)) {
    tileTrace(loc, "kernel keeps the schedule that it has");
    return mlirLogicalResultSuccess();
  }
  has.waits = !mlirOperationIsNull(tileFindWaiting(func));
  const char *reason = plan(&p, options, &has);
  if (reason)
    tileEmitRemark(loc, "kernel is not warp-specialized: %s", reason);
  else
    tileKernelSetSchedule(func, &p.schedule);
  return mlirLogicalResultSuccess();
}
