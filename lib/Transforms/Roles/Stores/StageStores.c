//===- StageStores.c - results leave box by box ---------------------------===//
//
// Before:  tile_gpu.buffer_store %v, %b                     // all of 128 x 256, 64 KiB
//          tile_gpu.desc_write %desc[%i, %j] from %b
// After:   for each 64 columns at c:
//            %p = tile_gpu.extract_tile %v[0, c]
//            tile_gpu.buffer_store %p, %slot                // 16 KiB, one of two in turn
//            tile_gpu.group_barrier
//            tile_gpu.tma_store %desc'[%i, %j + c] from %slot
//
// Each warp group stores its rows, and waits for nobody else (StoreBoxes.h). With `stores = boxes`
// two slots take turns; with `at_once`, where nothing of another program is on its way, as many go
// out at a time as there are slots. Where blocks have added up parts of a sum, each stores a share
// of its boxes, if it can (../Sums/ShareSums.c).
//
// What a loop adds to memory (`add`) is staged so, too, whatever the schedule says of stores: all
// of it at once where tile/Machine.h leaves room, else a few boxes at a time. A step first waits
// until the engine has read what the one before it staged.
//
// Boxes with padding (`extents`) are cut by all means, wherever they stand and whatever the
// schedule says, as the copy engine would write it, too.
//
// Requires: layouts assigned; roles, where there is a schedule.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Kernel.h"
#include "../Sums/Sums.h"
#include "StoreBoxes.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// Positions of results are computed while the first boxes are on their way.
static void pinPositions(const TileBoxStore *store) {
  MlirBlock block = mlirOperationGetBlock(store->write);
  for (intptr_t i = 1; i <= store->rank; ++i) {
    MlirValue index = tileOperand(store->write, i);
    MlirOperation def = tileValueGetOp(index);
    if (mlirOperationIsNull(def) || !mlirBlockEqual(mlirOperationGetBlock(def), block)) continue;
    TileBuilder b = tileBuilderBefore(mlirOperationGetNextInBlock(def));
    MlirValue pinned = tileBuild(&b, "tile_gpu.pin", tileI32(b.context), TILE_VALUES(index));
    mlirOperationSetOperand(store->write, i, pinned);
  }
}

static void waitAtEnd(MlirOperation func) {
  TileBuilder end =
      tileBuilderAtEnd(tileBody(tileKernelGetRoles(func), 1), mlirOperationGetLocation(func));
  tileBuildStoreWait(&end);
}

/// What loops add to memory. True where there is something.
static bool stageSums(MlirOperation func) {
  TileBoxStores sums;
  if (mlirOperationIsNull(tileKernelGetRoles(func))) return false;
  tileFindBoxSums(func, &sums);
  if (!sums.count) return false;
  TileBuilder top = tileKernelBeforeRoles(func);
  tileBuildBoxStoreRings(&top, &sums, tileKernelGetWarpGroups(func));
  for (int i = 0; i < sums.count; ++i) {
    tileTrace(mlirOperationGetLocation(sums.list[i].write), "a sum is added in %d boxes",
              sums.list[i].boxes);
    tileReplaceByBoxes(&sums.list[i], true);
  }
  waitAtEnd(func);
  return true;
}

/// Blocks that divide a loop store a share of its sums each, where they can.
static void shareSums(MlirOperation func, const TileSchedule *schedule, TileBoxStores *stores) {
  int64_t blocks = schedule->parts > 1 ? schedule->parts : schedule->splits;
  if (blocks > 1 && blocks <= tileMaxParts) tileShareSums(func, (int)blocks, stores);
}

static void stageStores(MlirOperation func, TileBoxStores *stores, bool atOnce) {
  TileBuilder top = tileKernelBeforeRoles(func);
  tileBuildBoxStoreRings(&top, stores, tileKernelGetWarpGroups(func));
  for (int i = 0; i < stores->count; ++i) {
    pinPositions(&stores->list[i]);
    tileReplaceByBoxes(&stores->list[i], atOnce);
  }
  waitAtEnd(func);
}

//===- padding ------------------------------------------------------------===//

typedef struct {
  MlirOperation func;
  int warpGroups;
  bool failed;
} Cutter;

/// A write that leaves padding out, wherever it stands: as boxes, and a wait for them.
static MlirWalkResult cutPadded(MlirOperation op, void *data) {
  Cutter *c = data;
  if (!tileOpIsADescWrite(op) || mlirAttributeIsNull(tileDescWriteGetExtentsAttr(op)))
    return MlirWalkResultAdvance;
  TileBoxStore store;
  if (!tileFindBoxStore(op, c->warpGroups, 1, &store)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a box whose rows warp groups own, to be stored without its padding, "
                  "found another layout");
    c->failed = true;
    return MlirWalkResultInterrupt;
  }
  TileBuilder top = tileBuilderAtStart(tileBody(c->func, 0));
  tileBuildBoxStoreRing(&top, &store, c->warpGroups);
  TileBuilder behind = tileBuilderBefore(mlirOperationGetNextInBlock(op));
  tileBuildStoreWait(&behind);
  tileReplaceByBoxes(&store, false);
  return MlirWalkResultAdvance;
}

static MlirLogicalResult cutAllPadded(MlirOperation func) {
  Cutter c = {.func = func, .warpGroups = tileKernelGetWarpGroups(func)};
  if (c.warpGroups) mlirOperationWalk(func, cutPadded, &c, MlirWalkPostOrder);
  return c.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirLogicalResult tileRunStageStores(MlirOperation func) {
  TileSchedule schedule;
  bool adds = stageSums(func);
  if (!tileKernelGetSchedule(func, &schedule) ||
      (schedule.stores != TILE_STORES_BOXES && schedule.stores != TILE_STORES_AT_ONCE))
    return cutAllPadded(func);
  if (mlirOperationIsNull(tileKernelGetRoles(func)))
    return tileScheduleFails(func, "expected roles whose results are stored, found none");
  TileBoxStores stores;
  tileFindBoxStores(func, &stores);
  if (adds) tileShareBoxStoreRings(&stores);
  if (!stores.count)
    return tileScheduleFails(func, "expected results that can go box by box, found none");
  if (!adds && tileKernelGetTeams(func) == 1) shareSums(func, &schedule, &stores);
  stageStores(func, &stores, schedule.stores == TILE_STORES_AT_ONCE);
  tileTrace(mlirOperationGetLocation(func), "%d stores go out in %d boxes", stores.count,
            tileCountBoxes(&stores));
  return cutAllPadded(func);
}
