//===- SplitLastRound.c - blocks have a part each of the last programs ----===//
//
// Before:  scf.for %t = %block to %total step %blocks {       // tile-make-persistent's
//            .. the program %t:
//            %s = scf.for %k = %first to %end step %n iter_args(%acc = 0) { .. dot .. }
//            .. boxes of %s that are stored .. }
// After:   %whole = the first program of the last round; %rest = %total - %whole
//          scf.for %t = %block to %whole + parts * %rest step %blocks {
//            %split = %t >= %whole
//            %part = (%t - %whole) / %rest, %number = what is left
//            .. the program %split ? %whole + %number : %t:
//            %s = scf.for %k = %from to %till step %n iter_args(%acc = 0) { .. dot .. }
//            %sum, %last = tile_gpu.collect_turns %s part %part of %number when %split
//            .. boxes of %sum that are stored .. }
//
// 300 programs on 264 blocks are a round and 36 programs: 228 blocks have nothing to do as long as
// these run. Or 200 programs of the same blocks are one round, of which 64 blocks know nothing. In
// four parts they are 144 turns, or 800: four rounds of a quarter for three and a bit.
//
// Turns of the same part follow each other, so that blocks that run together read the same rows and
// columns at a time, and blocks of a cluster share copies. Parts are added up in memory by the turn
// that comes last, in the order of the parts: the bits are the same at every launch, and no block
// waits for another one. What stands behind is that turn's alone (tile-join-sums).
//
// Requires: a schedule with `last_round = split`, a loop over programs, one loop of boxes in it
// that only adds to sums, no roles yet.  Preserves: numerics, but for the order of additions.
//===----------------------------------------------------------------------===//
#include "../Kernel.h"
#include "../Sums/Sums.h"
#include "LastRound.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// What a turn has.
typedef struct {
  MlirValue whole, rest;         ///< the first program of the last round, and how many it has
  MlirValue split, part, number; ///< i1: a part of one of these; which part, and of which
  MlirValue together;            ///< i1: all such turns are of one round
} Turn;

/// How many programs stand in front of the last round, which is not full. Blocks of a cluster have
/// the same part: past the end there are programs more, which the loop leaves out.
static void buildRest(TileBuilder *b, MlirOperation loop, int64_t cluster, Turn *turn) {
  MlirValue total = tileForGetUpper(loop), blocks = tileForGetStep(loop);
  MlirValue rounds = tileBuildBinary(b, "arith.divui", total, blocks);
  turn->whole = tileBuildBinary(b, "arith.muli", rounds, blocks);
  turn->rest = tileBuildBinary(b, "arith.subi", total, turn->whole);
  if (cluster == 1) return;
  MlirType i32 = tileI32(b->context);
  MlirValue up = tileBuildBinary(b, "arith.addi", turn->rest, tileBuildInt(b, i32, cluster - 1));
  turn->rest = tileBuildBinary(b, "arith.andi", up, tileBuildInt(b, i32, -cluster));
}

/// Turns go on until each part of the last programs has had one.
static void lengthen(TileBuilder *b, MlirOperation loop, Turn *turn, int64_t parts) {
  MlirValue count = tileBuildInt(b, tileI32(b->context), parts);
  MlirValue turns = tileBuildBinary(b, "arith.muli", turn->rest, count);
  turn->together = tileBuildCmpi(b, TILE_ULE, turns, tileForGetStep(loop));
  mlirOperationSetOperand(loop, TILE_FOR_UPPER,
                          tileBuildBinary(b, "arith.addi", turn->whole, turns));
}

/// What turn `t` has, whose program takes its place. Which part it is says `first`, the loop's
/// counter, which all blocks of a cluster have: their loops take as many steps.
static void buildTurn(TileBuilder *b, MlirValue first, MlirValue t, Turn *turn) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue all = tileBuildBinary(b, "arith.subi", first, turn->whole);
  MlirValue some = tileBuildBinary(b, "arith.maxui", turn->rest, one);
  turn->part = tileBuildBinary(b, "arith.divui", all, some);
  turn->split = tileBuildCmpi(b, TILE_UGE, first, turn->whole);
  MlirValue behind = tileBuildBinary(b, "arith.subi", t, turn->whole);
  MlirValue before = tileBuildBinary(b, "arith.muli", turn->part, some);
  turn->number = tileBuildBinary(b, "arith.subi", behind, before);
  MlirValue last = tileBuildBinary(b, "arith.addi", turn->whole, turn->number);
  MlirValue program = tileBuildSelect(b, turn->split, last, t);
  MlirOperation own[] = {tileValueGetOp(all), tileValueGetOp(turn->split), tileValueGetOp(behind),
                         tileValueGetOp(program)};
  mlirValueReplaceAllUsesExcept(t, program, 4, own);
}

/// %sum.., %last = tile_gpu.collect_turns of what `loop` sums up, whose readers read the sums.
static void collectTurns(MlirOperation loop, const Turn *turn, int64_t parts) {
  TileBuilder b = tileBuilderAfter(loop);
  intptr_t results = mlirOperationGetNumResults(loop), count = 0;
  MlirValue *operands = malloc((size_t)(results + 4) * sizeof *operands);
  MlirType *types = malloc((size_t)(results + 1) * sizeof *types);
  if (!operands || !types) abort();
  for (intptr_t i = 0; i < results; ++i) {
    if (tileIsMoved(loop, i)) continue;
    operands[count] = mlirOperationGetResult(loop, i);
    types[count] = mlirValueGetType(operands[count]);
    ++count;
  }
  operands[count] = turn->part;
  operands[count + 1] = turn->number;
  operands[count + 2] = turn->split;
  operands[count + 3] = turn->together;
  types[count] = tileI1(b.context);
  MlirAttribute attr = mlirIntegerAttrGet(tileI64(b.context), parts);
  MlirOperation op = tileBuildOp(&b, "tile_gpu.collect_turns", count + 4, operands, count + 1,
                                 types, TILE_ATTRS({"parts", attr}), 0);
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesExcept(operands[i], mlirOperationGetResult(op, i), 1, &op);
  free(operands);
  free(types);
}

static void splitLastRound(MlirOperation programs, MlirOperation loop, MlirValue t,
                           const TileSchedule *schedule) {
  Turn turn;
  int64_t parts = schedule->splits;
  TileBuilder b = tileBuilderBefore(programs);
  buildRest(&b, programs, schedule->cluster, &turn);
  lengthen(&b, programs, &turn, parts);
  MlirOperation def = tileValueGetOp(t);
  MlirOperation first = mlirBlockGetFirstOperation(tileBody(programs, 0));
  b = tileBuilderBefore(mlirOperationIsNull(def) ? first : mlirOperationGetNextInBlock(def));
  buildTurn(&b, mlirBlockGetArgument(tileBody(programs, 0), 0), t, &turn);
  tileDivideLoop(loop, turn.part, parts, turn.split);
  collectTurns(loop, &turn, parts);
}

/// Null where the last programs can be split as the schedule says; or why not. Finds what to split.
static const char *whyNot(MlirOperation func, MlirOperation *programs, MlirOperation *loop) {
  *programs = tileKernelGetProgramLoop(func);
  if (!mlirOperationIsNull(tileKernelGetRoles(func)))
    return "expected a kernel whose warps have no roles yet, found roles";
  if (mlirOperationIsNull(*programs)) return "expected a loop over programs, found none";
  TileChannels channels;
  const char *reason = tileFindChannels(func, &channels);
  if (!reason) reason = tileMaySplitSums(&channels);
  if (!reason) *loop = tileFindSummingLoop(&channels);
  return reason;
}

MlirLogicalResult tileRunSplitLastRound(MlirOperation func) {
  TileSchedule schedule;
  if (!tileKernelGetSchedule(func, &schedule) || schedule.lastRound != TILE_LAST_ROUND_SPLIT ||
      !mlirAttributeIsNull(tileAttr(func, "tile_gpu.splits_last")))
    return mlirLogicalResultSuccess();
  MlirOperation programs, loop;
  const char *reason = whyNot(func, &programs, &loop);
  if (reason) return tileScheduleFails(func, reason);
  MlirValue turn = tileFindTurn(func, programs, schedule.cluster);
  if (mlirValueIsNull(turn))
    return tileScheduleFails(func, "expected programs that follow from a block's number in its "
                                   "cluster, found others");
  splitLastRound(programs, loop, turn, &schedule);
  tileKernelMark(func, "tile_gpu.splits_last");
  tileTrace(mlirOperationGetLocation(func),
            "%d turns have a part each of a program of the last round", (int)schedule.splits);
  return mlirLogicalResultSuccess();
}
