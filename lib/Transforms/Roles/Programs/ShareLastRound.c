//===- ShareLastRound.c - two blocks share each of the last programs ------===//
//
// Before:  scf.for %t = %block to %total step %blocks {       // tile-make-persistent's
//            .. the program %t: dots, boxes that are stored .. }
// After:   %shared = the first program of two blocks; %total where there is none
//          scf.for %t = %block to %total + (%total - %shared) step %blocks {
//            %program = %t < %shared ? %t : %shared + (%t - %shared) / 2
//            %ours = %t < %shared or (%t - %shared) % 2 == warp group
//            .. the program %program: dots `when %ours`, boxes that are stored if %ours .. }
//
// 561 programs on 132 blocks are four rounds, then one of 33 programs, in which 99 blocks have
// nothing to do. Now 66 blocks work on these 33, two on each: both copy all boxes, and one warp
// group of either multiplies and stores its rows.
//
// A multiplication by one warp group alone takes the tensor cores half the time of one by two. So
// the last round, if no more than half of the blocks have a program there, takes half as long as
// the others. The idle group keeps pace with the barriers; what it holds is never stored.
//
// Of a cluster each block has a turn of its own, %t + %rank, and what is said of %t above holds of
// that.
//
// Requires: a schedule with `last_round = shared`, a loop over programs, two warp groups, products
// that reach boxes through element-wise ops (LastRound.h), no roles yet.  Preserves: numerics. Rows
// of a result are stored by the warp group that has them: tile-defer-stores or tile-stage-stores
// have to follow, as the schedule's verifier asks.
//===----------------------------------------------------------------------===//
#include "../Kernel.h"
#include "LastRound.h"
#include "StoreWhen.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// The first turn whose program has two blocks, an i32; `total` where none has.
static MlirValue buildShared(TileBuilder *b, MlirValue total, MlirValue blocks) {
  MlirValue rounds = tileBuildBinary(b, "arith.divui", total, blocks);
  MlirValue complete = tileBuildBinary(b, "arith.muli", rounds, blocks);
  MlirValue rest = tileBuildBinary(b, "arith.subi", total, complete);
  MlirValue twice = tileBuildBinary(b, "arith.addi", rest, rest);
  MlirValue enough = tileBuildCmpi(b, TILE_ULE, twice, blocks);
  return tileBuildSelect(b, enough, complete, total);
}

/// Turns go on until each of the shared programs has had two.
static void lengthen(MlirOperation loop, MlirValue shared) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue total = tileForGetUpper(loop);
  MlirValue more = tileBuildBinary(&b, "arith.subi", total, shared);
  mlirOperationSetOperand(loop, TILE_FOR_UPPER, tileBuildBinary(&b, "arith.addi", total, more));
}

/// The program of turn `turn`, which takes its place.
static MlirValue buildProgram(TileBuilder *b, MlirValue shared, MlirValue turn) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue block = tileBuildBinary(b, "arith.subi", turn, shared);
  MlirValue pair = tileBuildBinary(b, "arith.shrui", block, one);
  MlirValue second = tileBuildBinary(b, "arith.addi", shared, pair);
  MlirValue isShared = tileBuildCmpi(b, TILE_UGE, turn, shared);
  MlirValue program = tileBuildSelect(b, isShared, second, turn);
  MlirOperation own[] = {tileValueGetOp(block), tileValueGetOp(isShared), tileValueGetOp(program)};
  mlirValueReplaceAllUsesExcept(turn, program, 3, own);
  return program;
}

/// Behind what says that a cluster's program is not past the end, `total`; `otherwise` where
/// nothing does.
static TileBuilder builderBehindReal(MlirValue program, MlirValue total, TileBuilder otherwise) {
  MlirOpOperand use = mlirValueGetFirstUse(program);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tileOpIs(op, "arith.cmpi") && mlirValueEqual(tileOperand(op, 1), total))
      return tileBuilderBefore(mlirOperationGetNextInBlock(op));
  }
  return otherwise;
}

/// i1: does this warp group work on it?
static MlirValue buildIsOurs(TileBuilder *b, MlirValue shared, MlirValue turn) {
  MlirType i32 = tileI32(b->context);
  MlirValue one = tileBuildInt(b, i32, 1), zero = tileBuildInt(b, i32, 0);
  MlirValue group = tileBuild(b, "tile_gpu.warp_group", i32, TILE_NONE);
  MlirValue block = tileBuildBinary(b, "arith.subi", turn, shared);
  MlirValue distance = tileBuildBinary(b, "arith.xori", block, group);
  MlirValue odd = tileBuildBinary(b, "arith.andi", distance, one);
  MlirValue same = tileBuildCmpi(b, TILE_EQ, odd, zero);
  MlirValue alone = tileBuildCmpi(b, TILE_ULT, turn, shared);
  return tileBuildBinary(b, "arith.ori", alone, same);
}

/// Leaves out the products of the program where `ours` is false.
static MlirWalkResult multiplyWhen(MlirOperation op, void *data) {
  MlirValue *ours = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  MlirValue operands[] = {tileOperand(op, 0), tileOperand(op, 1), tileOperand(op, 2), *ours};
  MlirType type = mlirValueGetType(tileResult(op));
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation made = tileBuildLike(&b, op, 4, operands, &type);
  MlirValue result = tileResult(made);
  tileReplaceOp(op, 1, &result);
  return MlirWalkResultAdvance;
}

static void shareLastRound(MlirOperation func, MlirOperation loop, MlirValue turn) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue total = tileForGetUpper(loop);
  MlirValue shared = buildShared(&b, total, tileForGetStep(loop));
  lengthen(loop, shared);
  MlirOperation def = tileValueGetOp(turn);
  b = tileBuilderBefore(mlirOperationIsNull(def) ? mlirBlockGetFirstOperation(tileBody(loop, 0))
                                                 : mlirOperationGetNextInBlock(def));
  MlirValue program = buildProgram(&b, shared, turn);
  b = builderBehindReal(program, total, b);
  MlirValue ours = buildIsOurs(&b, shared, turn);
  tileStoreWhen(loop, ours);
  mlirOperationWalk(loop, multiplyWhen, &ours, MlirWalkPostOrder);
  tileKernelMark(func, "tile_gpu.shares_last");
}

/// Null where blocks can share programs as the schedule says; or why not.
static const char *whyNot(MlirOperation func, MlirOperation loop) {
  TileBoxStores stores;
  if (!mlirOperationIsNull(tileKernelGetRoles(func)))
    return "expected a kernel whose warps have no roles yet, found roles";
  if (mlirOperationIsNull(loop)) return "expected a loop over programs, found none";
  tileFindBoxStores(func, &stores);
  return tileMayShareLastRound(func, &stores, tileKernelGetWarpGroups(func));
}

MlirLogicalResult tileRunShareLastRound(MlirOperation func) {
  TileSchedule schedule;
  if (!tileKernelGetSchedule(func, &schedule) || schedule.lastRound != TILE_LAST_ROUND_SHARED ||
      !mlirAttributeIsNull(tileAttr(func, "tile_gpu.shares_last")))
    return mlirLogicalResultSuccess();
  MlirOperation loop = tileKernelGetProgramLoop(func);
  const char *reason = whyNot(func, loop);
  if (reason) return tileScheduleFails(func, reason);
  MlirValue turn = tileFindTurn(func, loop, schedule.cluster);
  if (mlirValueIsNull(turn))
    return tileScheduleFails(func, "expected programs that follow from a block's number in its "
                                   "cluster, found others");
  shareLastRound(func, loop, turn);
  tileTrace(mlirOperationGetLocation(func), "two blocks share each program of the last round");
  return mlirLogicalResultSuccess();
}
