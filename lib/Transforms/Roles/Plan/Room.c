//===- Room.c - slots that shared memory has room for ---------------------===//
#include "Plan.h"
#include "tile/Analysis/Scratch.h"

/// Is `value` computed from what threads load? `left`: ops that may still be looked at.
static bool isLoadedByThreads(MlirValue value, int *left) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || tileOpIsABufferLoad(op) || --*left < 0) return *left < 0;
  if (tileOpIsALoad(op)) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isLoadedByThreads(tileOperand(op, i), left)) return true;
  return false;
}

/// Is it a buffer of a loop that threads fill from memory? tile-pipeline will make a ring of it.
static bool willBePipelined(MlirOperation alloc) {
  enum { mostOps = 256 };
  if (!tileOpIs(mlirBlockGetParentOperation(mlirOperationGetBlock(alloc)), "scf.for")) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(alloc));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int left = mostOps;
    if (tileOpIsABufferStore(user) && isLoadedByThreads(tileBufferStoreGetValue(user), &left))
      return true;
  }
  return false;
}

/// Shared memory that the program takes besides: buffers and scratch of what stays as it is. An
/// upper bound: some of it is not alive at the same time.
static int64_t otherBytes(MlirBlock block, int64_t pipelineStages) {
  int64_t bytes = 0;
  TILE_FOR_EACH_OP(op, block) {
    bytes += tileOpIsAAllocShared(op) ? tileBufferBytes(mlirValueGetType(tileResult(op))) *
                                            (willBePipelined(op) ? pipelineStages : 1)
                                      : tileOpScratchBytes(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) bytes += otherBytes(tileBody(op, r), pipelineStages);
  }
  return bytes;
}

/// What is staged takes the place of the results' buffers, and rings that of the boxes'.
static int64_t boxBytes(const TilePlan *p) {
  int64_t bytes = 0;
  for (int i = 0; i < p->channels.count; ++i) bytes += p->channels.list[i].bytes;
  for (int i = 0; i < p->stores.count; ++i) {
    const TileBoxStore *store = &p->stores.list[i];
    bytes += tileBufferBytes(mlirValueGetType(tileResult(store->alloc)));
    bytes -= tileBoxStoreBytes(store);
  }
  return bytes;
}

/// Bytes of a slot of all rings, and of what is read outside of loops.
static void slotBytes(const TilePlan *p, int64_t *looped, int64_t *outside) {
  *looped = *outside = 0;
  for (int i = 0; i < p->channels.count; ++i) {
    const TileChannel *c = &p->channels.list[i];
    if (c->ring == i) *(c->looped ? looped : outside) += c->bytes;
  }
}

bool tileChooseStages(TilePlan *p, int64_t wish, int64_t bytes) {
  int64_t each, outside;
  int64_t pipelineStages = tileKernelGetNumber(p->func, TILE_NUMBER_THREAD_RING_STAGES);
  slotBytes(p, &each, &outside);
  p->room = bytes - tileKernelGetNumber(p->func, TILE_NUMBER_RING_BARRIER_BYTES);
  p->room -= otherBytes(p->channels.program, pipelineStages) - boxBytes(p) + outside;
  int64_t stages = each && p->room > 0 ? p->room / each : 0;
  int64_t most = tileKernelGetNumber(p->func, TILE_NUMBER_RING_STAGES);
  if (stages > most) stages = most;
  if (wish && wish < stages) stages = wish;
  p->schedule.stages = stages;
  return stages >= tileKernelGetNumber(p->func, TILE_NUMBER_RING_STAGES_LEAST);
}

void tileChooseAhead(TilePlan *p) {
  int64_t each, outside, stages = p->schedule.stages;
  int64_t least = tileKernelGetNumber(p->func, TILE_NUMBER_AHEAD_STAGES);
  slotBytes(p, &each, &outside);
  if (!outside) return;
  int64_t fit = p->room > outside ? (p->room - outside) / each : 0;
  if (fit < (stages < least ? stages : least)) {
    tileEmitRemark(
        mlirOperationGetLocation(p->func),
        "boxes outside of loops are not copied ahead: expected room for %lld bytes more, "
        "found less",
        (long long)outside);
    return;
  }
  p->schedule.ahead = 2;
  if (fit < stages) p->schedule.stages = fit;
}
