//===- Roles.c - warps with roles, and who waits for whom -----------------===//
#include "Lowering.h"
#include "tile/MachineNumbers.h"
#include <stdio.h>

/// Threads at the barrier of a turn: those that wait for it, and those that pass it on.
enum { groupTurn = 256, producerTurn = 64 };

//===- clusters -----------------------------------------------------------===//

MlirLogicalResult lowerClusterRank(Lowering *l, MlirOperation op) {
  MlirValue rank = l->cluster > 1 ? tileBuild(&l->b, "nvvm.read.ptx.sreg.cluster.ctarank",
                                              tileI32(l->b.context), TILE_NONE)
                                  : lowerI32(l, 0);
  lowerSet(l, tileResult(op), rank);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerClusterLane(Lowering *l, MlirOperation op) {
  MlirValue last = lowerI32(l, l->cluster - 1);
  lowerSet(l, tileResult(op), tileBuildBinary(&l->b, "arith.andi", l->lane, last));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerClusterVote(Lowering *l, MlirOperation op) {
  MlirType i32 = tileI32(l->b.context);
  MlirValue everyone = lowerI32(l, -1), blocks = lowerI32(l, ((int64_t)1 << l->cluster) - 1);
  MlirValue holds = lowerGet(l, tileClusterVoteGetCondition(op));
  MlirAttribute kind = tileParseAttr(l->b.context, "#nvvm<vote_sync_kind ballot>");
  MlirValue votes = tileResult(tileBuildOp(&l->b, "nvvm.vote.sync", TILE_VALUES(everyone, holds), 1,
                                           &i32, TILE_ATTRS({"kind", kind}), 0));
  lowerSet(l, tileResult(op), tileBuildBinary(&l->b, "arith.andi", votes, blocks));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerElect(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), tileBuild(&l->b, "nvvm.elect.sync", tileI1(l->b.context), TILE_NONE));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerPin(Lowering *l, MlirOperation op) {
  MlirValue value = lowerGet(l, tilePinGetValue(op));
  MlirType type = mlirValueGetType(value);
  bool isWide = tileBitWidth(type) == 64;
  MlirOperation moved = lowerInlineAsm(l, isWide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;",
                                       isWide ? "=l,l" : "=r,r", type, 1, &value);
  lowerSet(l, tileResult(op), tileResult(moved));
  return mlirLogicalResultSuccess();
}

/// Relaxed: barriers in shared memory are the only thing that another block touches, and whoever
/// makes them has a fence of its own (lowerBarrierInit). Warps may come from different roles.
MlirLogicalResult lowerClusterArrive(Lowering *l, MlirOperation op) {
  (void)op;
  lowerBare(l, "nvvm.cluster.arrive.relaxed");
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerClusterWait(Lowering *l, MlirOperation op) {
  (void)op;
  lowerBare(l, "nvvm.cluster.wait");
  return mlirLogicalResultSuccess();
}

//===- registers ----------------------------------------------------------===//

MlirLogicalResult lowerWarpGroup(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), lowerGroup(l));
  return mlirLogicalResultSuccess();
}

static MlirValue producerOf(Lowering *l) {
  MlirValue consumers = lowerI32(l, l->numWarps);
  return tileBuildBinary(&l->b, "arith.subi", l->warp, consumers);
}

MlirLogicalResult lowerProducer(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), producerOf(l));
  return mlirLogicalResultSuccess();
}

/// The threads of a group, or a producer, wait at its barrier for those of the one before.
MlirLogicalResult lowerTurnWait(Lowering *l, MlirOperation op) {
  (void)op;
  int first = l->consumes ? lowerTurnsBarriers : lowerProducersBarriers;
  MlirValue member = l->consumes ? lowerGroup(l) : producerOf(l);
  lowerNamedBarrier(l, lowerBarrierNumber(l, first, member),
                    l->consumes ? groupTurn : producerTurn);
  return mlirLogicalResultSuccess();
}

/// Arrives at a barrier of so many threads without waiting.
static void emitArrival(Lowering *l, MlirValue number, int threads) {
  char text[32];
  snprintf(text, sizeof text, "bar.arrive $0, %d;", threads);
  lowerInlineAsm(l, text, "r", (MlirType){NULL}, TILE_VALUES(number));
}

/// Arrives for `group`.
static void emitTurn(Lowering *l, MlirValue group) {
  emitArrival(l, lowerBarrierNumber(l, lowerTurnsBarriers, group), groupTurn);
}

/// Arrives for the other one of two producers.
static void emitProducerTurn(Lowering *l) {
  MlirValue last = lowerI32(l, lowerProducersBarriers + 1);
  MlirValue number = tileBuildBinary(&l->b, "arith.subi", last, producerOf(l));
  emitArrival(l, number, producerTurn);
}

MlirLogicalResult lowerTurnPass(Lowering *l, MlirOperation op) {
  (void)op;
  if (!l->consumes) {
    emitProducerTurn(l);
    return mlirLogicalResultSuccess();
  }
  // A power of two of groups.
  MlirValue group = lowerGroup(l), one = lowerI32(l, 1), last = lowerI32(l, l->numWarps / 4 - 1);
  MlirValue next = tileBuildBinary(&l->b, "arith.addi", group, one);
  emitTurn(l, tileBuildBinary(&l->b, "arith.andi", next, last));
  return mlirLogicalResultSuccess();
}

static bool isTurn(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsATurnWait(op);
}

/// Do the consumers take turns?
static bool hasTurns(MlirOperation roles) {
  TILE_FOR_EACH_OP(op, tileBody(roles, 1)) {
    if (tileHoldsOp(op, isTurn, NULL)) return true;
  }
  return false;
}

/// The second of two producers gives the first one the first turn.
static void emitFirstProducer(Lowering *l) {
  MlirValue number = producerOf(l), one = lowerI32(l, 1);
  TileBuilder outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_EQ, number, one));
  emitProducerTurn(l);
  lowerEndIf(l, outside);
}

/// Where there are turns, the last group gives the first one the first.
static void emitFirstTurn(Lowering *l, MlirOperation roles) {
  if (!hasTurns(roles)) return;
  MlirValue group = lowerGroup(l), last = lowerI32(l, l->numWarps / 4 - 1), zero = lowerI32(l, 0);
  TileBuilder outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_EQ, group, last));
  emitTurn(l, zero);
  lowerEndIf(l, outside);
}

bool lowerMayHandRegistersOn(const Lowering *l) {
  return l->blockWarps - l->numWarps >= 4 && l->teams == 1 &&
         tileMachineConsumerRegisters(l->machine, l->numWarps / 4, 0) > 0;
}

/// Registers of a thread: what a multiprocessor's give each of 128 * (groups + 1) threads at first;
/// then the producers' few, and the rest for the consumers: all that there are where each holds two
/// products at a time.
static void emitRegisters(Lowering *l, MlirOperation roles, bool consumer) {
  MlirContext c = l->b.context;
  const TileMachine *m = l->machine;
  int groups = l->numWarps / 4;
  if (!l->handsRegistersOn) return;
  bool tight = hasTurns(roles) && l->cluster <= 1; // shared copies take more of the producer
  bool roomy = groups < tileMachineNumber(m, TILE_NUMBER_FEW_REGISTERS_GROUPS) && !tight;
  int few = tileMachineNumber(m, roomy ? TILE_NUMBER_PRODUCER_REGISTERS
                                       : TILE_NUMBER_PRODUCER_REGISTERS_FEW);
  int many = tileMachineConsumerRegisters(m, groups, few);
  tileBuildOp(&l->b, "nvvm.setmaxregister", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"regCount", mlirIntegerAttrGet(tileI32(c), consumer ? many : few)},
                         {"action", tileParseAttr(c, consumer ? "#nvvm<action increase>"
                                                              : "#nvvm<action decrease>")}),
              0);
}

/// Warps beyond those that hold tiles produce: their first, or the first two.
MlirLogicalResult lowerWarpSpecialize(Lowering *l, MlirOperation op) {
  MlirValue warp = l->warp, count = lowerI32(l, l->numWarps);
  MlirValue consumes = tileBuildCmpi(&l->b, TILE_ULT, warp, count);
  MlirOperation branch = tileBuildIf(&l->b, consumes, TILE_NONE, true);
  TileBuilder outside = l->b;
  l->b = tileBuilderAtEnd(tileBody(branch, 0), outside.location);
  l->consumes = true;
  emitRegisters(l, op, true);
  emitFirstTurn(l, op);
  MlirLogicalResult result = lowerBlock(l, tileBody(op, 1));
  l->consumes = false;
  lowerEndIf(l, outside);
  if (mlirLogicalResultIsFailure(result)) return result;

  l->b = tileBuilderAtEnd(tileBody(branch, 1), outside.location);
  emitRegisters(l, op, false);
  bool pair = tileWarpSpecializeGetPair(op);
  MlirValue end = lowerI32(l, l->numWarps + 2);
  MlirValue produces =
      pair ? tileBuildCmpi(&l->b, TILE_ULT, warp, end) : tileBuildCmpi(&l->b, TILE_EQ, warp, count);
  MlirOperation role = tileBuildIf(&l->b, produces, TILE_NONE, true);
  TileBuilder inRole = l->b;
  l->b = tileBuilderAtEnd(tileBody(role, 0), inRole.location);
  if (pair) emitFirstProducer(l);
  result = lowerBlock(l, tileBody(op, 0));
  lowerEndIf(l, inRole);
  l->b = tileBuilderAtEnd(tileBody(role, 1), inRole.location);
  // All threads that arrived wait.
  if (l->cluster > 1 && l->hidden.persistent) lowerBare(l, "nvvm.cluster.wait");
  lowerEndIf(l, inRole);
  lowerEndIf(l, outside);
  return result;
}
