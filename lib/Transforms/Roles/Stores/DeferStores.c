//===- DeferStores.c - store a program's results under the next one's dots -===//
//
// Before:  scf.for %program = .. {                 After:  scf.for .. iter_args(%last, %row,
// %column) {
//            %sum = scf.for %k = 0 .. { dot }                step 0 ; box 0 of %last
//            boxes 0, 1, .. of %sum }                        step 1 ; box 1 of %last ..
//                                                            %sum = scf.for %k = 2 .. { dot }
//                                                            scf.yield %sum, .. }
//                                                          boxes 0, 1, .. of the last
//
// The tensor cores need not wait for the stores: results, narrowed already, are carried into the
// block's next program, where one box goes out while each of its first dots runs. On
// the first trip there is none; its row is the array's extent, at which the copy engine
// writes nothing.
//
// Where blocks share copies, the boxes after the first are stored at equal distances over the loop:
//
//   step 0 ; box 0 ; scf.for %k = 1 .. 1 + n ; box 1 ; scf.for %k = 1 + n .. ; box 2 ; .. ; the
//   rest
//
// All blocks store at once, and copies that several blocks wait for are late then. The first trip,
// which has nothing to store, branches around it there.
//
// The first steps always run: tile-warp-specialize has seen to it that the loop has so many
// (LongerLoop.h).
//
// The scheme is that of the hand-written kernels that pass cuBLAS on this chip; see
// docs/compiler/hopper.md.
//
// Requires: a schedule with `stores = deferred`, roles.  Preserves: numerics, order of barriers.
//===----------------------------------------------------------------------===//
#include "../../ValueMap.h"
#include "../Kernel.h"
#include "../LongerLoop.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>

//===- peeling ------------------------------------------------------------===//

/// The ops of a loop's body once more, in front of it.
typedef struct {
  MlirOperation loop;
  int spare; // stage of the barrier that stands for the dot before the first
  TileValueMap values;
} Peeler;

/// Does `op` free the slot of the dot before the first? Nobody waits for that, and without it ptxas
/// can tell that all threads of a warp walk through the step together.
static bool freesNothing(const Peeler *p, MlirOperation op) {
  if (!tileOpIsABarrierArrive(op)) return false;
  MlirOperation slot = tileValueGetOp(tileBarrierArriveGetBarrier(op));
  int64_t stage;
  return !mlirOperationIsNull(slot) && tileOpIsABufferStage(slot) &&
         tileConstantInt(tileValueMapGet(p->values, tileBufferStageGetStage(slot)), &stage) &&
         stage == p->spare;
}

/// One step with counter `counter`; `carried` goes in and comes out.
static void peelStep(Peeler *p, MlirValue counter, MlirValue *carried) {
  MlirBlock body = tileBody(p->loop, 0);
  intptr_t n = mlirOperationGetNumResults(p->loop);
  TileBuilder b = tileBuilderBefore(p->loop);
  tileValueMapClear(&p->values);
  tileValueMapSet(&p->values, mlirBlockGetArgument(body, 0), counter);
  for (intptr_t i = 0; i < n; ++i)
    tileValueMapSet(&p->values, mlirBlockGetArgument(body, 1 + i), carried[i]);
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIs(op, "scf.yield")) {
      for (intptr_t i = 0; i < n; ++i) carried[i] = tileValueMapGet(p->values, tileOperand(op, i));
      return;
    }
    if (!freesNothing(p, op)) tileCloneMapped(&b, &p->values, op);
  }
}

/// The counter's distance from one stored box to the next, so that they are spread over the loop:
/// stores of all blocks at once keep copies waiting. The last steps are left as they are.
static MlirValue buildDistance(TileBuilder *b, MlirOperation loop, int boxes, int64_t lastSteps) {
  MlirValue lower = tileForGetLower(loop), step = tileForGetStep(loop);
  MlirType type = mlirValueGetType(lower);
  MlirValue one = tileBuildInt(b, type, 1), others = tileBuildInt(b, type, boxes - 1);
  MlirValue ends = tileBuildInt(b, type, 1 + lastSteps);
  MlirValue way = tileBuildBinary(b, "arith.subi", tileForGetUpper(loop), lower);
  MlirValue steps = tileBuildBinary(b, "arith.ceildivsi", way, step);
  MlirValue middle = tileBuildBinary(b, "arith.subi", steps, ends);
  MlirValue each = tileBuildBinary(b, "arith.divsi", middle, others);
  MlirValue least = tileBuildBinary(b, "arith.maxsi", each, one);
  return tileBuildBinary(b, "arith.muli", least, step);
}

/// Steps from counter `from` to `to`.
static void buildSteps(MlirOperation loop, MlirValue from, MlirValue to, MlirValue *carried) {
  MlirOperation some = mlirOperationClone(loop);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, some);
  mlirOperationSetOperand(some, 0, from);
  mlirOperationSetOperand(some, 1, to);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    mlirOperationSetOperand(some, TILE_FOR_INITS + i, carried[i]);
    carried[i] = mlirOperationGetResult(some, i);
  }
}

//===- the transformation -------------------------------------------------===//

/// What the loop over programs carries: the last one's results and where they go.
typedef struct {
  MlirValue value, at[TILE_MAX_RANK];
} Last;

enum { mostOfLast = (1 + TILE_MAX_RANK) * tileMaxStores };

/// The same, one after the other.
static int listLast(const TileBoxStores *stores, Last *last, MlirValue **list) {
  int n = 0;
  for (int i = 0; i < stores->count; ++i) {
    list[n++] = &last[i].value;
    for (int d = 0; d < stores->list[i].rank; ++d) list[n++] = &last[i].at[d];
  }
  return n;
}

/// Box number `box` of the last program's results; with `branch`, nothing where there are none.
static void buildLastBox(TileBuilder *b, const TileBoxStore *store, const Last *last, int box,
                         bool branch) {
  if (!branch) {
    tileBuildStoreBox(b, store, last->value, last->at, box);
    return;
  }
  MlirValue isThere = tileBuildCmpi(b, TILE_SLT, last->at[0], tileOperand(store->desc, 1));
  MlirOperation only = tileBuildIf(b, isThere, TILE_NONE, false);
  TileBuilder in = tileBuilderAtEnd(tileBody(only, 0), b->location);
  tileBuildStoreBox(&in, store, last->value, last->at, box);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Do other blocks wait for the loop's slots, too?
static bool isShared(MlirOperation loop) {
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsABarrierArrive(op) && tileBarrierArriveGetCluster(op)) return true;
  }
  return false;
}

static void peel(MlirOperation loop, const TileSchedule *schedule, int64_t lastSteps,
                 const TileBoxStores *stores, const Last *last) {
  Peeler p = {.loop = loop, .spare = (int)schedule->stages};
  intptr_t n = mlirOperationGetNumResults(loop);
  MlirValue *carried = malloc((size_t)(n + 1) * sizeof *carried);
  if (!carried) abort();
  for (intptr_t i = 0; i < n; ++i) carried[i] = tileForGetInit(loop, i);
  TileBuilder b = tileBuilderBefore(loop);
  int boxes = tileCountBoxes(stores), number = 0;
  bool apart = boxes > 1 && isShared(loop);
  MlirValue distance = apart ? buildDistance(&b, loop, boxes, lastSteps) : tileForGetStep(loop);
  MlirValue counter = tileForGetLower(loop);
  for (int i = 0; i < stores->count; ++i)
    for (int box = 0; box < stores->list[i].boxes; ++box, ++number) {
      b = tileBuilderBefore(loop);
      bool one = number == 0 || !apart;
      MlirValue next = one ? tileBuildAfterSteps(&b, loop, number + 1)
                           : tileBuildBinary(&b, "arith.addi", counter, distance);
      if (one)
        peelStep(&p, counter, carried);
      else
        buildSteps(loop, counter, next, carried);
      b = tileBuilderBefore(loop);
      buildLastBox(&b, &stores->list[i], &last[i], box, apart);
      counter = next;
    }
  mlirOperationSetOperand(loop, TILE_FOR_LOWER, counter);
  for (intptr_t i = 0; i < n; ++i) mlirOperationSetOperand(loop, TILE_FOR_INITS + i, carried[i]);
  free(carried);
  tileValueMapClear(&p.values);
}

/// The loop over programs, which now carries the last results, and what it carries: inside, and
/// behind it.
static MlirOperation carryResults(MlirOperation programs, const TileBoxStores *stores, Last *inside,
                                  Last *behind) {
  MlirValue inits[mostOfLast], yields[mostOfLast], *within[mostOfLast], *after[mostOfLast];
  TileBuilder b = tileBuilderBefore(programs);
  int more = 0;
  for (int i = 0; i < stores->count; ++i) {
    const TileBoxStore *store = &stores->list[i];
    inits[more] = tileBuildZero(&b, mlirValueGetType(store->value));
    yields[more++] = store->value;
    for (int d = 0; d < store->rank; ++d) {
      // At the first extent nothing is written.
      inits[more] = d ? tileBuildInt(&b, tileI32(b.context), 0) : tileOperand(store->desc, 1);
      yields[more++] = tileOperand(store->write, 1 + d);
    }
  }
  intptr_t n = mlirOperationGetNumResults(programs);
  programs = tileExtendFor(programs, more, inits);
  MlirBlock body = tileBody(programs, 0);
  tileExtendYield(body, more, yields);
  listLast(stores, inside, within);
  listLast(stores, behind, after);
  for (int k = 0; k < more; ++k) {
    *within[k] = mlirBlockGetArgument(body, 1 + n + k);
    *after[k] = mlirOperationGetResult(programs, n + k);
  }
  return programs;
}

static void deferStores(MlirOperation func, const TileSchedule *schedule, TileBoxStores *stores) {
  Last inside[tileMaxStores], behind[tileMaxStores];
  TileBuilder top = tileKernelBeforeRoles(func);
  for (int i = 0; i < stores->count; ++i)
    tileBuildBoxStoreRing(&top, &stores->list[i], tileKernelGetWarpGroups(func));
  MlirOperation loop = tileKernelGetDotLoop(func);
  MlirOperation programs = carryResults(tileKernelGetProgramLoop(func), stores, inside, behind);
  peel(loop, schedule, tileKernelGetNumber(func, TILE_NUMBER_LAST_STEPS), stores, inside);
  TileBuilder after = tileBuilderAfter(programs);
  for (int i = 0; i < stores->count; ++i) {
    TileBoxStore *store = &stores->list[i];
    for (int box = 0; box < store->boxes; ++box)
      tileBuildStoreBox(&after, store, behind[i].value, behind[i].at, box);
    mlirOperationDestroy(store->write);
    mlirOperationDestroy(store->store);
    mlirOperationDestroy(store->alloc);
  }
  TileBuilder end =
      tileBuilderAtEnd(tileBody(tileKernelGetRoles(func), 1), mlirOperationGetLocation(func));
  tileBuildStoreWait(&end);
}

MlirLogicalResult tileRunDeferStores(MlirOperation func) {
  TileSchedule schedule;
  TileBoxStores stores;
  if (!tileKernelGetSchedule(func, &schedule) || schedule.stores != TILE_STORES_DEFERRED)
    return mlirLogicalResultSuccess();
  if (mlirOperationIsNull(tileKernelGetRoles(func)) ||
      mlirOperationIsNull(tileKernelGetProgramLoop(func)))
    return tileScheduleFails(func, "expected roles and a loop over programs, found none");
  MlirOperation loop = tileKernelGetDotLoop(func);
  if (mlirOperationIsNull(loop))
    return tileScheduleFails(func,
                             "expected a loop of dots in flight to store between, found none");
  tileFindBoxStores(func, &stores);
  if (!stores.count)
    return tileScheduleFails(func, "expected results that can go box by box, found none");
  deferStores(func, &schedule, &stores);
  tileTrace(mlirOperationGetLocation(func), "%d stores are deferred, in %d boxes", stores.count,
            tileCountBoxes(&stores));
  return mlirLogicalResultSuccess();
}
