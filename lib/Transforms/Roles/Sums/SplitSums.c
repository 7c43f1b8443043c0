//===- SplitSums.c - blocks that have a part each of a loop ---------------===//
//
// Before:  %s = scf.for %k = %first to %end step %n iter_args(%acc = 0) { .. dot .. }
//          .. what is made of %s ..
// After:   %rank = tile_gpu.cluster_rank
//          %s = scf.for %k = %from to %till step %n iter_args(%acc = 0) { .. dot .. }
//          %sum = tile_gpu.add_parts %s
//          .. what is made of %sum ..
//
// A launch of few programs leaves multiprocessors idle, however long each program's loop is. Here
// a program is a cluster's: its blocks take consecutive steps, as many each as the others or one
// more, and then add what they have, in the order of their numbers: so a launch always gives the
// same bits. They show each other their sums in shared memory; nothing is kept in global memory,
// and launches in graphs and streams know nothing of each other.
//
// Clusters of many blocks leave multiprocessors without any. With `splits` a program is that of as
// many clusters, or of blocks of none, that follow each other. These show each other their sums in
// memory, and who comes last goes on:
//
//          %part = tile_gpu.part
//          %s = scf.for %k = %from to %till step %n iter_args(%acc = 0) { .. dot .. }
//          %own = tile_gpu.add_parts %s
//          %sum, %last = tile_gpu.collect_parts %own
//          .. what is made of %sum ..
//
// Of the loop, each value that it carries has to be such a sum: of dots that add to it, or by
// additions, from 0 on. Neither the loop nor what stands in front of it may write: every block does
// it. What stands behind is one block's alone (tile-join-sums).
//
// Teams of a block (Plan/Teams.c: the kernel says how many, tile_gpu.in_block) divide a loop as the
// blocks of a cluster do, or that of each of these once more:
//
//          %part = tile_gpu.part
//          %s = scf.for %k = %from to %till step %n iter_args(%acc = 0) { .. dot .. }
//          %sum = tile_gpu.add_parts %s {tile_gpu.teams}
//
// A kernel whose dots read no boxes has no schedule. Its one loop of dots is divided among blocks
// of no cluster where the author, or who launches, says so (num_splits); there may be pointers that
// it moves on, too (LoneLoop.c). So do teams, where a launch is of few programs.
//
// Requires: layouts assigned; a schedule with `parts` or `splits`, or none.  Preserves: numerics,
// but for the order of additions.
//===----------------------------------------------------------------------===//
#include "../../Launch.h"
#include "../../Loops.h"
#include "../Kernel.h"
#include "Sums.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>

//===- whether ------------------------------------------------------------===//

MlirOperation tileFindSummingLoop(const TileChannels *channels) {
  MlirOperation loop = {NULL};
  for (int i = 0; i < channels->count; ++i) {
    const TileChannel *c = &channels->list[i];
    MlirOperation of = mlirBlockGetParentOperation(c->block);
    bool other = i && !mlirOperationEqual(of, loop);
    if (!c->looped || other) return (MlirOperation){NULL};
    loop = of;
  }
  return loop;
}

static const char *checkSums(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t count = mlirOperationGetNumResults(loop), sums = 0;
  for (intptr_t i = 0; i < count; ++i) {
    if (tileIsMoved(loop, i)) continue;
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
    int bits = tileTypeIsTile(type) ? tileBitWidth(tileElementType(type)) : 0;
    if (bits != 32 && !mlirTypeIsAF64(tileElementType(type)))
      return "expected sums of f32, f64 or i32 alone to be carried by the loop, found other values";
    if (!tileIsZero(tileForGetInit(loop, i)))
      return "expected sums that begin with 0, found another beginning";
    if (!tileAddsTo(tileOperand(yield, i), mlirBlockGetArgument(body, 1 + i)))
      return "expected sums that the loop does nothing with but add to them, found other uses";
    ++sums;
  }
  return sums ? NULL : "expected a loop that carries a sum, found one that carries none";
}

/// Has everything up to the loop's end no effect but on shared memory?
static bool isRepeatable(MlirOperation loop) {
  bool writes = false;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(loop)) {
    writes |=
        !tileOpStaysInFront(op) && tileHoldsEffects(op, TILE_WRITES_GLOBAL | TILE_WRITES_CONSOLE);
    if (mlirOperationEqual(op, loop)) break;
  }
  return !writes;
}

const char *tileMayHaveClusters(MlirOperation func) {
  bool has = tileMachineHas(tileMachineOf(func), TILE_FEATURE_CLUSTERS);
  return has ? NULL : "expected a chip with clusters, found another";
}

/// Null, or why the loop cannot be divided.
static const char *checkLoop(MlirOperation loop) {
  const char *reason = checkSums(loop);
  if (!reason && !isRepeatable(loop))
    reason = "expected nothing that is written before the sum is there, found a write";
  return reason;
}

const char *tileMaySplitSums(const TileChannels *channels) {
  MlirOperation loop = tileFindSummingLoop(channels);
  if (mlirOperationIsNull(loop)) return "expected one loop that reads boxes, found others";
  if (!mlirBlockEqual(mlirOperationGetBlock(loop), channels->program))
    return "expected a loop that is in no other one, found it inside";
  return checkLoop(loop);
}

int64_t tileSumsGetBytes(MlirOperation func, const TileChannels *channels) {
  MlirOperation loop = tileFindSummingLoop(channels);
  int64_t most = 0, threads = tileNumThreadsOf(func);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    TileLayout layout;
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
    if (!tileTypeGetLayout(type, &layout)) continue;
    int64_t element = tileBitWidth(tileElementType(type)) / 8;
    int64_t bytes = threads * (element << layout.inBits[TILE_REGISTER]);
    if (bytes > most) most = bytes;
  }
  return most;
}

//===- dividing -----------------------------------------------------------===//

static const char clusterName[] = "tile_gpu.cluster", splitsName[] = "tile_gpu.splits",
                  teamsName[] = "tile_gpu.teams";

static MlirValue convert(TileBuilder *b, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type)) return value;
  return tileBuildUnary(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", type,
                        value);
}

void tileDivideLoop(MlirOperation loop, MlirValue rank, int64_t parts, MlirValue when) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue lower = tileForGetLower(loop), upper = tileForGetUpper(loop),
            step = tileForGetStep(loop);
  MlirType type = mlirValueGetType(lower);
  MlirValue number = convert(&b, rank, type), count = tileBuildInt(&b, type, parts);
  MlirValue zero = tileBuildInt(&b, type, 0), one = tileBuildInt(&b, type, 1);
  MlirValue way = tileBuildBinary(&b, "arith.subi", upper, lower);
  MlirValue all = tileBuildBinary(&b, "arith.ceildivsi", way, step);
  all = tileBuildBinary(&b, "arith.maxsi", all, zero);
  MlirValue each = tileBuildBinary(&b, "arith.divui", all, count);
  MlirValue rest = tileBuildBinary(&b, "arith.remui", all, count);
  MlirValue before = tileBuildBinary(&b, "arith.muli", number, each);
  MlirValue more = tileBuildBinary(&b, "arith.minui", number, rest);
  before = tileBuildBinary(&b, "arith.addi", before, more);
  MlirValue has = tileBuildCmpi(&b, TILE_ULT, number, rest);
  MlirValue extra = tileBuildSelect(&b, has, one, zero);
  MlirValue steps = tileBuildBinary(&b, "arith.addi", each, extra);
  if (!mlirValueIsNull(when)) {
    before = tileBuildSelect(&b, when, before, zero);
    steps = tileBuildSelect(&b, when, steps, all);
  }
  MlirValue skipped = tileBuildBinary(&b, "arith.muli", before, step);
  MlirValue from = tileBuildBinary(&b, "arith.addi", lower, skipped);
  MlirValue length = tileBuildBinary(&b, "arith.muli", steps, step);
  MlirValue till = tileBuildBinary(&b, "arith.addi", from, length);
  till = tileBuildBinary(&b, "arith.minsi", till, upper);
  mlirOperationSetOperand(loop, TILE_FOR_LOWER, from);
  mlirOperationSetOperand(loop, TILE_FOR_UPPER, till);
  tileMoveOn(&b, loop, before);
}

/// Has readers of `parts`, but for `op`, read its first results.
static void replaceParts(MlirOperation op, intptr_t count, const MlirValue *parts) {
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesExcept(parts[i], mlirOperationGetResult(op, i), 1, &op);
}

/// %s = tile_gpu.add_parts %part, for each, which it becomes: of teams or of blocks.
static void addParts(TileBuilder *b, intptr_t count, MlirValue *parts, bool ofTeams) {
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = mlirValueGetType(parts[i]);
    MlirValue sum = tileBuildUnary(b, "tile_gpu.add_parts", type, parts[i]);
    if (ofTeams)
      mlirOperationSetAttributeByName(tileValueGetOp(sum), tileString(teamsName),
                                      mlirUnitAttrGet(b->context));
    replaceParts(tileValueGetOp(sum), 1, &parts[i]);
    parts[i] = sum;
  }
}

/// %s:2, %last = tile_gpu.collect_parts %a, %b
static void collectParts(TileBuilder *b, intptr_t count, const MlirValue *parts) {
  MlirType *types = malloc((size_t)(count + 1) * sizeof *types);
  if (!types) abort();
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(parts[i]);
  types[count] = tileI1(b->context);
  replaceParts(
      tileBuildOp(b, "tile_gpu.collect_parts", count, parts, count + 1, types, TILE_NONE, 0), count,
      parts);
  free(types);
}

/// What all blocks of the schedule have of the loop's sums becomes one.
static void joinParts(MlirOperation loop, const TileSchedule *schedule, int64_t teams) {
  TileBuilder b = tileBuilderAfter(loop);
  intptr_t results = mlirOperationGetNumResults(loop), count = 0;
  MlirValue *parts = malloc((size_t)results * sizeof *parts);
  if (!parts) abort();
  for (intptr_t i = 0; i < results; ++i)
    if (!tileIsMoved(loop, i)) parts[count++] = mlirOperationGetResult(loop, i);
  if (teams > 1) addParts(&b, count, parts, true);
  if (schedule->parts > 1) addParts(&b, count, parts, false);
  if (schedule->splits > 1) collectParts(&b, count, parts);
  free(parts);
}

static void setBlocks(MlirOperation func, const char *name, int64_t blocks) {
  MlirType i32 = tileI32(mlirOperationGetContext(func));
  if (blocks > 1)
    mlirOperationSetAttributeByName(func, tileString(name), mlirIntegerAttrGet(i32, blocks));
}

static void divide(MlirOperation func, MlirOperation loop, const TileSchedule *schedule) {
  int64_t teams = tileKernelGetTeams(func), blocks = schedule->parts * schedule->splits * teams;
  TileBuilder b = tileBuilderBefore(loop);
  const char *numbered =
      schedule->splits > 1 || teams > 1 ? "tile_gpu.part" : "tile_gpu.cluster_rank";
  MlirValue rank = tileBuild(&b, numbered, tileI32(b.context), TILE_NONE), always = {NULL};
  tileDivideLoop(loop, rank, blocks, always);
  joinParts(loop, schedule, teams);
  setBlocks(func, clusterName, schedule->parts);
  setBlocks(func, teamsName, teams);
  setBlocks(func, splitsName, schedule->splits);
  tileTrace(mlirOperationGetLocation(loop), "loop is divided among %d %s%s", (int)blocks,
            teams > 1 ? "teams" : "blocks", schedule->splits > 1 ? ", which add up in memory" : "");
}

typedef struct {
  int64_t words;
  bool pay;
} Teams;

static MlirWalkResult askDot(MlirOperation op, void *data) {
  Teams *t = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  bool isFma = tileDotGetInstruction(op) == TILE_INSTRUCTION_FMA;
  TileRate rate = TILE_RATE_F32;
  if (!isFma) tileDotGetRate(op, &rate);
  t->pay = tileMachineHasTeams(tileMachineOf(op), rate, t->words);
  return t->pay ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

bool tileLoopHasTeams(MlirOperation loop, int64_t words) {
  Teams teams = {.words = words, .pay = true};
  mlirOperationWalk(loop, askDot, &teams, MlirWalkPreOrder);
  return teams.pay;
}

/// Words of a thread of what the loop sums up.
static int64_t countWords(MlirOperation loop) {
  int64_t words = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(loop, i));
    if (!tileIsMoved(loop, i) && tileTypeIsTile(type)) words += tileTypeGetWords(type);
  }
  return words;
}

typedef struct {
  const TileAxisAnalysis *axis;
  int64_t words;
} LoadedWords;

/// Adds the words of a load that threads make element by element, and of its addresses.
static MlirWalkResult addLoaded(MlirOperation op, void *data) {
  LoadedWords *l = data;
  TileLayout layout;
  if (!tileOpIs(op, "tile.load")) return MlirWalkResultAdvance;
  MlirType places = mlirValueGetType(tileLoadGetPtr(op)), type = mlirValueGetType(tileResult(op));
  if (!tileTypeIsTile(type) || !tileTypeGetLayout(places, &layout)) return MlirWalkResultAdvance;
  int bits = tileBitWidth(tileElementType(type));
  // What is copied holds nothing in registers.
  if (tileAxisAccessVectorIn(l->axis, op, layout) * bits < 8 * tileCopiedRunBytes)
    l->words += tileTypeGetWords(places) + tileTypeGetWords(type);
  return MlirWalkResultAdvance;
}

/// Words of a thread of what a step loads element by element, with where each stands.
static int64_t countLoaded(MlirOperation func, MlirOperation loop) {
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  LoadedWords loaded = {.axis = axis};
  mlirOperationWalk(loop, addLoaded, &loaded, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(axis);
  return loaded.words;
}

enum { mostMade = 16 };
typedef struct {
  MlirValue seen[mostMade];
  int count;
  int64_t words;
} MadeOperands;

/// Adds the words of what threads multiply out of their registers, each once.
static MlirWalkResult addMade(MlirOperation op, void *data) {
  MadeOperands *made = data;
  for (int i = 0; tileOpIsADot(op) && i < 2; ++i) {
    MlirValue value = tileOperand(op, i);
    bool isNew = tileTypeIsTile(mlirValueGetType(value));
    for (int k = 0; k < made->count; ++k) isNew &= !mlirValueEqual(made->seen[k], value);
    if (!isNew || made->count == mostMade) continue;
    made->seen[made->count++] = value;
    made->words += tileTypeGetWords(mlirValueGetType(value));
  }
  return MlirWalkResultAdvance;
}

/// Words of a thread of operands that a step computes, as the parts of f32 are.
static int64_t countMade(MlirOperation loop) {
  MadeOperands made = {.count = 0};
  mlirOperationWalk(loop, addMade, &made, MlirWalkPreOrder);
  return made.words;
}

typedef struct {
  int64_t buffers, scratch;
} SharedUse;

static MlirWalkResult addShared(MlirOperation op, void *data) {
  SharedUse *use = data;
  bool makes = tileOpIsAAllocShared(op);
  if (makes) use->buffers += tileBufferBytes(mlirValueGetType(tileResult(op)));
  int64_t scratch = makes ? 0 : tileOpScratchBytes(op);
  if (scratch > use->scratch) use->scratch = scratch;
  return MlirWalkResultAdvance;
}

/// Null where a block may have so many teams; or why not: each has the threads of one, all that one
/// has in shared memory before there are rings, and its sums.
static const char *checkTeams(MlirOperation func, MlirOperation loop, int64_t teams) {
  const TileMachine *m = tileMachineOf(func);
  SharedUse use = {0};
  int64_t threads = tileNumThreadsOf(func), sums = 4 * countWords(loop) * threads;
  if (teams * threads > m->threads)
    return "expected no more threads in all teams than a block may have, found more";
  mlirOperationWalk(func, addShared, &use, MlirWalkPreOrder);
  int64_t bytes = use.buffers + use.scratch, room = tileSharedBytesOfTeams(m, teams);
  return bytes <= room && sums <= room
             ? NULL
             : "expected room for the tiles and sums of each team in shared memory, found less";
}

/// Blocks that a multiprocessor has at most of a launch with few programs: 1 where each has a
/// multiprocessor, else fewer than two for each that is told of; 0 where nothing is known.
static int64_t countBlocks(MlirOperation func) {
  if (tileLaunchGetMultiprocessors(func)) return 1;
  return 2 * tileLaunchGetPrograms(func);
}

/// Have `teams` of each of so many blocks of a multiprocessor room there, with `each` registers a
/// thread? More warps than a few of several blocks have work enough without being divided.
static bool fit(MlirOperation func, int64_t teams, int64_t blocks, int64_t each) {
  int64_t block = teams * tileNumWarpsOf(func), warps = blocks * block;
  int64_t most = blocks > 1 ? tileKernelGetNumber(func, TILE_NUMBER_TEAM_WARPS) : warps;
  return warps * 32 * each <= tileMachineOf(func)->registers && warps <= most;
}

/// Teams of a block that divide a loop whose operands threads load: as many as somebody says; else,
/// where a launch has few programs for each multiprocessor and sums are few, as many as registers
/// are for; of several blocks of a multiprocessor two.
static int64_t chooseTeams(MlirOperation func, MlirOperation loop) {
  int64_t asked = tileIntAttr(func, "tile.num_teams", 0);
  if (asked) return asked == 2 || asked == 4 ? asked : 1;
  int64_t words = countWords(loop), blocks = countBlocks(func);
  if (!blocks || !tileLoopHasTeams(loop, words)) return 1;
  int64_t made = countMade(loop) + tileKernelGetNumber(func, TILE_NUMBER_TEAM_MADE_REGISTERS);
  int64_t beside = tileKernelGetNumber(func, TILE_NUMBER_TEAM_REGISTERS);
  int64_t each = 2 * words + countLoaded(func, loop) + (made > beside ? made : beside);
  int64_t teams = blocks > 1 ? 2 : TILE_MOST_TEAMS;
  while (teams > 1 && (!fit(func, teams, blocks, each) || checkTeams(func, loop, teams)))
    teams /= 2;
  return teams;
}

/// A loop whose operands threads load: what is asked for and cannot be is left as it is.
static void divideLone(MlirOperation func) {
  int64_t splits = tileIntAttr(func, "tile.num_splits", 1);
  int64_t asked = tileIntAttr(func, "tile.num_teams", 1);
  bool isAsked = splits > 1 || asked > 1;
  TileSchedule schedule = {.parts = 1, .splits = splits < tileMaxSplits ? splits : tileMaxSplits};
  MlirOperation loop;
  const char *reason = tileFindLoneLoop(func, &loop);
  if (!reason) reason = checkLoop(loop);
  if (!reason && splits < 2 && asked > 1) reason = checkTeams(func, loop, asked);
  int64_t teams = !reason && splits < 2 ? chooseTeams(func, loop) : 1;
  if (reason && isAsked)
    tileEmitRemark(mlirOperationGetLocation(func), "%s do not divide the loop: %s",
                   splits > 1 ? "blocks" : "teams", reason);
  if (reason || (splits < 2 && teams < 2)) return;
  if (teams > 1) tileKernelSetTeams(func, teams);
  divide(func, loop, &schedule);
}

MlirLogicalResult tileRunSplitSums(MlirOperation func) {
  TileSchedule schedule;
  if (!mlirAttributeIsNull(tileAttr(func, clusterName)) ||
      !mlirAttributeIsNull(tileAttr(func, splitsName)) ||
      !mlirAttributeIsNull(tileAttr(func, teamsName)))
    return mlirLogicalResultSuccess();
  bool planned = tileKernelGetSchedule(func, &schedule);
  if (!planned) divideLone(func);
  bool whole = schedule.parts == 1 && schedule.splits == 1 && tileKernelGetTeams(func) == 1;
  // The last programs alone are split by the loop over programs (tile-split-last-round).
  if (!planned || whole || schedule.lastRound == TILE_LAST_ROUND_SPLIT)
    return mlirLogicalResultSuccess();
  TileChannels channels;
  const char *reason = tileFindChannels(func, &channels);
  if (!reason) reason = tileMaySplitSums(&channels);
  if (!reason && schedule.parts > 1) reason = tileMayHaveClusters(func);
  if (reason) return tileScheduleFails(func, reason);
  divide(func, tileFindSummingLoop(&channels), &schedule);
  return mlirLogicalResultSuccess();
}
