//===- LoopBarriers.c - barriers of loops that write nothing --------------===//
//
// Before:  scf.for { tile.load ; tile.barrier ; tile.load } ; tile.store
// After:   scf.for { tile.load ; tile.load } ; tile.barrier ; tile.store
//
// Between a barrier of one step and of the next nothing is written, so that they order what stands
// in front of the loop, in it and behind it, and nothing within. One barrier behind it does the
// same, and one in front of it where the kernel may have written by then. Authors put them between
// loads and products, for compilers that lost track there; copies ahead run past none (Hazards.h).
//
// A loop that waits for others, by loads that no cache answers, stays, as do those of atomics.
//===----------------------------------------------------------------------===//
#include "LoopBarriers.h"
#include "tile/OpTraits.h"
#include "tile/Ops.h"
#include "tile/Trace.h"

static bool isTouch(MlirOperation op, void *data) {
  (void)data;
  bool waits = tileOpIsALoad(op) && tileLoadGetCache(op) == TILE_CACHE_USE_CV;
  bool writes = !mlirOperationGetNumRegions(op) && !tileOpIsABarrier(op) &&
                (tileOpGetEffects(op) & TILE_WRITES_GLOBAL);
  return waits || writes || tileOpIs(op, "scf.while");
}

/// Does the op, or one in it, write to memory, or wait for what others write?
static bool touches(MlirOperation op) { return tileHoldsOp(op, isTouch, NULL); }

/// May something be written in front of `loop`? In a loop around it, steps before count as well.
static bool isBehindWrites(MlirOperation loop) {
  for (MlirOperation op = loop; !tileOpIsAFunc(op); op = mlirOperationGetParentOperation(op)) {
    if (tileOpIsLoop(op) && !mlirOperationEqual(op, loop) && touches(op)) return true;
    TILE_FOR_EACH_OP(before, mlirOperationGetBlock(op)) {
      if (mlirOperationEqual(before, op)) break;
      if (touches(before)) return true;
    }
  }
  return false;
}

static bool isBarrier(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsABarrier(op);
}

static bool isFor(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "scf.for");
}

static void emitBarrier(TileBuilder b) {
  tileBuildOp(&b, "tile.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

void tileMoveLoopBarriers(MlirOperation func) {
  TileOpList loops = {0};
  tileOpListCollect(&loops, func, MlirWalkPreOrder, isFor, NULL); // outer ones first
  for (size_t i = 0; i < loops.count; ++i) {
    MlirOperation loop = loops.ops[i];
    if (!tileHoldsBarrier(loop) || touches(loop)) continue;
    TileOpList barriers = {0};
    tileOpListCollect(&barriers, loop, MlirWalkPreOrder, isBarrier, NULL);
    for (size_t k = 0; k < barriers.count; ++k) mlirOperationDestroy(barriers.ops[k]);
    tileOpListDestroy(&barriers);
    if (isBehindWrites(loop)) emitBarrier(tileBuilderBefore(loop));
    emitBarrier(tileBuilderAfter(loop));
    tileTrace(mlirOperationGetLocation(loop), "barriers of a loop that writes nothing move out");
  }
  tileOpListDestroy(&loops);
}
