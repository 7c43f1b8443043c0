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
// two slots take turns; or each box has one (tile_gpu.together), and all are staged once the engine
// has read what the program before staged. With `at_once`, where nothing of another program is on
// its way, as many go out at a time as there are slots. Where blocks have added up parts of a sum,
// each stores a share of its boxes, if it can (../Sums/ShareSums.c).
//
// What cannot go box by box is stored whole. Of a loop over programs it leaves while the next
// program multiplies (tile_gpu.flies), which waits for it where it stages its own.
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
#include "tile/Analysis/Scratch.h"
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
  bool together = tileKernelStagesTogether(func);
  if (together) {
    tileStageAllBoxes(stores);
    TileBuilder first = tileBuilderBefore(stores->list[0].store);
    tileBuildStoresFree(&first);
  }
  TileBuilder top = tileKernelBeforeRoles(func);
  tileBuildBoxStoreRings(&top, stores, tileKernelGetWarpGroups(func));
  for (int i = 0; i < stores->count; ++i) {
    pinPositions(&stores->list[i]);
    tileReplaceByBoxes(&stores->list[i], atOnce || together);
  }
  waitAtEnd(func);
}

//===- whole results ------------------------------------------------------===//

/// The one result of a program, and what else takes shared memory.
typedef struct {
  MlirBlock program;
  MlirOperation write, store, alloc;
  int results;
  bool others;
} Whole;

static MlirWalkResult findWhole(MlirOperation op, void *data) {
  Whole *w = data;
  bool isBuffer = tileOpIsAAllocShared(op) && mlirAttributeIsNull(tileAttr(op, "guarded"));
  if (tileOpIsADescWrite(op)) {
    ++w->results;
    w->write = op;
  } else if (isBuffer && mlirOperationIsNull(w->alloc)) {
    w->alloc = op;
  } else {
    w->others |= isBuffer || tileOpScratchBytes(op) > 0;
  }
  if (tileOpIsABufferStore(op)) w->store = op;
  return MlirWalkResultAdvance;
}

/// Is there one, of a loop over programs, for which no other takes the place where it is staged?
static bool findOnlyWhole(MlirOperation func, Whole *w) {
  *w = (Whole){.program = tileKernelGetProgram(func)};
  mlirOperationWalk(func, findWhole, w, MlirWalkPreOrder);
  if (w->results != 1 || w->others || mlirOperationIsNull(w->alloc) ||
      mlirOperationIsNull(w->store) || mlirOperationIsNull(tileKernelGetProgramLoop(func)))
    return false;
  MlirBlock blocks[] = {mlirOperationGetBlock(w->write), mlirOperationGetBlock(w->store),
                        mlirOperationGetBlock(w->alloc)};
  for (int i = 0; i < 3; ++i)
    if (!mlirBlockEqual(blocks[i], w->program)) return false;
  return mlirValueEqual(tileDescWriteGetBuffer(w->write), tileResult(w->alloc)) &&
         mlirValueEqual(tileBufferStoreGetBuffer(w->store), tileResult(w->alloc)) &&
         !tileDescWriteGetAdd(w->write);
}

/// A result that is stored whole leaves while the next program multiplies, which waits for it where
/// it stages its own.
static void letFly(MlirOperation func) {
  Whole w;
  if (!findOnlyWhole(func, &w)) return;
  TileBuilder top = tileKernelBeforeRoles(func);
  MlirType type = mlirValueGetType(tileResult(w.alloc));
  MlirValue kept = tileBuild(&top, "tile_gpu.alloc_shared", type, TILE_NONE);
  mlirValueReplaceAllUsesOfWith(tileResult(w.alloc), kept);
  mlirOperationDestroy(w.alloc);
  TileBuilder b = tileBuilderBefore(w.store);
  tileBuildStoreWait(&b);
  tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  mlirOperationSetAttributeByName(w.write, tileString("tile_gpu.flies"),
                                  mlirUnitAttrGet(top.context));
  waitAtEnd(func);
  tileTrace(mlirOperationGetLocation(w.write), "result leaves under the next program's dots");
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
  bool isPlanned = tileKernelGetSchedule(func, &schedule);
  if (isPlanned && schedule.stores == TILE_STORES_WHOLE &&
      !mlirOperationIsNull(tileKernelGetRoles(func)))
    letFly(func);
  if (!isPlanned || schedule.stores == TILE_STORES_WHOLE || schedule.stores == TILE_STORES_DEFERRED)
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
