//===- Barrier.c - bar and barrier.cluster --------------------------------===//
#include "../Module/Decode.h"
#include "Races.h"
#include <string.h>

enum { SYNC, ARRIVE, RED_AND, RED_OR, RED_POPC };

static void complete(PtxBlock *block, PtxBarrier *barrier) {
  ptxRaceComplete(block, (int)(barrier - block->barriers));
  barrier->lastAll = barrier->isAll, barrier->lastAny = barrier->isAny;
  barrier->lastCount = barrier->count;
  barrier->arrived = barrier->expected = 0;
  ++barrier->generation;
}

/// Whether those that a barrier waits for are there; UINT32_MAX are all of the block's.
static void checkBarrier(PtxBlock *block, PtxBarrier *barrier) {
  uint32_t expected = barrier->expected;
  if (expected == UINT32_MAX) expected = (uint32_t)block->livingWarps * PTX_LANES;
  if (barrier->arrived && barrier->arrived >= expected) complete(block, barrier);
}

static void giveResult(PtxWarp *warp, const PtxOp *op, uint32_t mask, const PtxBarrier *barrier) {
  const PtxSlot *d = op->operands[0].slots;
  if (op->is.kind == RED_POPC) {
    for (uint32_t left = mask; left; left &= left - 1)
      ptxSetLane(warp, d, ptxFirst(left), barrier->lastCount);
  } else if (op->is.kind >= RED_AND) {
    bool result = op->is.kind == RED_AND ? barrier->lastAll : barrier->lastAny;
    PtxU32 *to = ptxRow(warp, d->row);
    *to = (*to & ~mask) | (result ? mask : 0);
  }
}

/// What a warp says to bar.red.
static void addVotes(PtxWarp *warp, const PtxOp *op, uint32_t mask, PtxBarrier *barrier) {
  if (!barrier->arrived) barrier->isAll = true, barrier->isAny = false, barrier->count = 0;
  if (op->is.kind < RED_AND) return;
  uint32_t votes = ptxPredicate(warp, op->operands[op->operandCount - 1].slots) & mask;
  barrier->isAll &= votes == mask;
  barrier->isAny |= votes != 0;
  barrier->count += (uint32_t)__builtin_popcount(votes);
}

static PtxStatus runBarrier(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  int first = op->is.kind >= RED_AND, lane = ptxFirst(mask);
  bool hasCount = op->is.count;
  PtxGroup *group = ptxGroup(warp);
  uint64_t number = ptxLane(warp, op->operands[first].slots, lane);
  if (number >= PTX_BARRIERS)
    return ptxFaultAt(warp, op, lane, PTX_FAILED, "expected a barrier of %d, found %llu",
                      PTX_BARRIERS, (unsigned long long)number);
  PtxBarrier *barrier = &warp->block->barriers[number];
  if (group->hasArrived) {
    if (barrier->generation == group->generation) return PTX_BLOCKED;
    group->hasArrived = false;
    ptxRaceLeave(warp, (int)number);
    giveResult(warp, op, mask, barrier);
    return PTX_NEXT;
  }
  uint32_t expected = UINT32_MAX;
  if (hasCount) expected = (uint32_t)ptxLane(warp, op->operands[first + 1].slots, lane);
  if (expected % PTX_LANES && hasCount)
    return ptxFaultAt(warp, op, lane, PTX_FAILED, "expected a count of whole warps, found %u",
                      expected);
  if (barrier->arrived && barrier->expected != expected)
    return ptxFaultAt(warp, op, lane, PTX_FAILED,
                      "expected %d threads at barrier %d as the warps before said, found %d",
                      (int)barrier->expected, (int)number, (int)expected);
  addVotes(warp, op, mask, barrier);
  ptxRaceArrive(warp, (int)number);
  barrier->expected = expected;
  barrier->arrived += PTX_LANES;
  uint32_t generation = barrier->generation;
  ptxNoteWrite(ptxGrid(warp));
  checkBarrier(warp->block, barrier);
  if (op->is.kind == ARRIVE) return PTX_NEXT;
  if (barrier->generation != generation) {
    ptxRaceLeave(warp, (int)number);
    giveResult(warp, op, mask, barrier);
    return PTX_NEXT;
  }
  group->hasArrived = true, group->generation = generation;
  return PTX_BLOCKED;
}

static void checkCluster(PtxCluster *cluster) {
  if (!cluster->arrived || cluster->arrived < cluster->livingThreads) return;
  ptxRaceCompleteCluster(cluster);
  cluster->arrived = 0;
  ++cluster->generation;
}

static PtxStatus runClusterArrive(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  PtxCluster *cluster = warp->block->cluster;
  if (warp->clusterArrived & mask)
    return ptxFaultAt(warp, op, ptxFirst(mask & warp->clusterArrived), PTX_FAILED,
                      "expected barrier.cluster.wait between two arrivals, found none");
  // A relaxed arrival lets nobody see what was before it.
  if (!op->is.isSigned) ptxRaceArriveCluster(warp);
  warp->clusterArrived |= mask;
  warp->clusterGeneration = cluster->generation;
  cluster->arrived += (uint32_t)__builtin_popcount(mask);
  ptxNoteWrite(ptxGrid(warp));
  checkCluster(cluster);
  return PTX_NEXT;
}

static PtxStatus runClusterWait(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  if (mask & ~warp->clusterArrived)
    return ptxFaultAt(warp, op, ptxFirst(mask & ~warp->clusterArrived), PTX_FAILED,
                      "expected barrier.cluster.arrive before the wait, found none");
  if (warp->block->cluster->generation == warp->clusterGeneration) return PTX_BLOCKED;
  warp->clusterArrived &= ~mask;
  ptxRaceLeaveCluster(warp);
  return PTX_NEXT;
}

void ptxLeaveBarriers(PtxWarp *warp, uint32_t lanes) {
  PtxBlock *block = warp->block;
  PtxCluster *cluster = block->cluster;
  uint32_t arrived = warp->clusterArrived & lanes;
  if (warp->clusterGeneration == cluster->generation)
    cluster->arrived -= (uint32_t)__builtin_popcount(arrived);
  warp->clusterArrived &= ~lanes;
  cluster->livingThreads -= (uint32_t)__builtin_popcount(lanes);
  checkCluster(cluster);
  if (warp->living) return;
  --block->livingWarps, --cluster->livingWarps;
  for (int i = 0; i < PTX_BARRIERS; ++i) checkBarrier(block, &block->barriers[i]);
}

static int decodeBar(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  ptxTake(name, "cta");
  ptxTake(name, "aligned");
  if (ptxTake(name, "sync"))
    op->is.kind = SYNC;
  else if (ptxTake(name, "arrive"))
    op->is.kind = ARRIVE;
  else if (!ptxTake(name, "red"))
    return -1;
  else if (ptxTake(name, "popc") && ptxTake(name, "u32"))
    op->is.kind = RED_POPC;
  else if (ptxTake(name, "and") && ptxTake(name, "pred"))
    op->is.kind = RED_AND;
  else if (ptxTake(name, "or") && ptxTake(name, "pred"))
    op->is.kind = RED_OR;
  else
    return -1;
  if (!ptxAllTaken(name)) return -1;
  bool isRed = op->is.kind >= RED_AND;
  int least = isRed ? 3 : op->is.kind == ARRIVE ? 2 : 1;
  if (!ptxExpectOperands(decoder, least, isRed ? 4 : 2)) return -1;
  op->run = runBarrier, op->isConvergent = true;
  op->is.count = op->operandCount == (isRed ? 4 : 2);
  for (int i = 0; i < op->operandCount; ++i) {
    int bytes = isRed && (i == op->operandCount - 1 || (i == 0 && op->is.kind != RED_POPC)) ? 1 : 4;
    bool isResult = isRed && i == 0;
    if (isResult ? !ptxBindResult(decoder, i, bytes) : !ptxBindOperand(decoder, i, bytes))
      return -1;
  }
  return 1;
}

static int decodeCluster(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  PtxName *name = &decoder->name;
  bool isArrive = ptxTake(name, "arrive");
  if (!isArrive && !ptxTake(name, "wait")) return -1;
  op->is.isSigned = ptxTake(name, "relaxed");
  ptxTakeOrder(name); // takes "cluster", too
  ptxTake(name, "cluster");
  op->isConvergent = ptxTake(name, "aligned");
  op->run = isArrive ? runClusterArrive : runClusterWait;
  return ptxAllTaken(name) && ptxExpectOperands(decoder, 0, 0) ? 1 : -1;
}

int ptxDecodeBarrier(PtxDecoder *decoder) {
  const PtxName *name = &decoder->name;
  if (ptxIs(name, 0, "bar") && ptxIs(name, 1, "warp")) return 0;
  if (ptxIs(name, 0, "barrier") && ptxIs(name, 1, "cluster")) return decodeCluster(decoder);
  if (ptxIs(name, 0, "bar") || ptxIs(name, 0, "barrier")) return decodeBar(decoder);
  if (ptxIs(name, 0, "mbarrier")) return ptxDecodeArrival(decoder);
  return 0;
}
