//===- WarpSpecialize.c - warps with roles --------------------------------===//
//
// Before:  scf.for %k = .. {
//            tile_gpu.desc_copy %a[%i, %k] into %s
//            %d = tile.dot %s, .. }
// After:   %ring = tile_gpu.alloc_shared .., stages = 4       // and barriers full, empty
//          tile_gpu.warp_specialize producer {
//            scf.for %k = .. {
//              tile_gpu.barrier_wait %empty[%stage]
//              tile_gpu.tma_load %a[%i, %k] into %ring[%stage] signal %full[%stage] }
//          } consumer {
//            scf.for %k = .. {
//              tile_gpu.barrier_wait %full[%stage]
//              %d = tile.dot %ring[%stage], .. async
//              tile_gpu.barrier_arrive %empty[%stage before] }
//          }
//
// One more warp group issues the copies, by one thread, as far ahead as the rings allow: into the
// next program, where a loop over programs is around it (tile-make-persistent). What blocks of a
// cluster copy together (tile-share-copies) arrives in all of them, and `empty` counts the readers
// of all; two warps may then take turns with programs (Producer.c).
//
// Rings, their barriers and the code of both roles come in one pass: a barrier is right only if
// both ends count the same phases, and with either end missing the other waits for ever. For the
// same reason a loop that takes more steps for deferred stores does so here (LongerLoop.h).
//
// The scheme (ring, roles, setmaxregister) is CUTLASS's persistent warp-specialized kernel.
//
// Requires: layouts assigned; a schedule; with `cluster`, tile-share-copies.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "Channels.h"
#include "Consumer.h"
#include "Kernel.h"
#include "LongerLoop.h"
#include "Producer.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

typedef struct {
  MlirOperation func;
  TileSchedule schedule;
  int warpGroups;
  TileChannels channels;
  TileBoxStores stores;
} Specializer;

//===- whether ------------------------------------------------------------===//

/// Null where blocks share copies as the schedule says; or why not.
static const char *findSharing(Specializer *s) {
  bool shares = tileSetCluster(&s->channels, (int)s->schedule.cluster);
  if (shares != (s->schedule.cluster > 1))
    return shares ? "expected a block on its own, found copies that blocks share"
                  : "expected copies that blocks of a cluster share, found none";
  bool deferred = s->schedule.stores == TILE_STORES_DEFERRED;
  return s->schedule.producers == 2 && !tileCanTakeTurns(&s->channels, deferred)
             ? "expected programs that two warps can fill in turn, found others"
             : NULL;
}

/// Null where the kernel can have the roles that its schedule says; or why not. Finds all that they
/// take.
static const char *findRoles(Specializer *s) {
  s->warpGroups = tileKernelGetWarpGroups(s->func);
  const char *reason = tileFindRoles(s->func, &s->channels);
  if (!reason) reason = findSharing(s);
  if (reason || s->schedule.stores != TILE_STORES_DEFERRED) return reason;
  tileFindBoxStores(s->func, &s->stores);
  return tileMayDefer(&s->channels, &s->stores);
}

//===- the pass -----------------------------------------------------------===//

/// A block has one program: the loop has one turn, and vanishes when it is simplified.
static void takeOneTurn(MlirOperation loop) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirType i32 = tileI32(b.context);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(tileBody(loop, 0), 0), tileForGetLower(loop));
  mlirOperationSetOperand(loop, TILE_FOR_LOWER, tileBuildInt(&b, i32, 0));
  for (intptr_t i = 1; i < 3; ++i) mlirOperationSetOperand(loop, i, tileBuildInt(&b, i32, 1));
}

static bool isWgmma(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsWgmma(op);
}

/// Are all boxes read by threads, of which no warp then has to wait for others?
static bool areReadByThreads(const Specializer *s) {
  for (int i = 0; i < s->channels.count; ++i)
    if (!s->channels.list[i].byThreads) return false;
  return !tileHoldsOp(s->func, isWgmma, NULL);
}

/// Rings and barriers, and both roles: the program is the consumer's, the producer's is empty.
static MlirOperation buildRoles(Specializer *s, MlirBlock producer, MlirBlock consumer) {
  MlirBlock body = tileBody(s->func, 0);
  TileBuilder end = tileBuilderAtEnd(consumer, mlirOperationGetLocation(s->func));
  tileMoveOps(&end, mlirBlockGetFirstOperation(body), (MlirOperation){NULL}, tileOpStaysInFront);
  TileBuilder b = tileBuilderBefore(mlirBlockGetTerminator(body));
  b.location = mlirOperationGetLocation(s->func);
  tileBuildRings(&b, &s->channels, s->warpGroups);
  // No block may arrive at another's barrier before it is made.
  bool clusters = s->schedule.cluster > 1;
  tileBuildOp(&b, clusters ? "tile_gpu.cluster_arrive" : "gpu.barrier", TILE_NONE, TILE_NONE,
              TILE_NONE, 0);
  MlirOperation roles =
      tileBuildOp(&b, "tile_gpu.warp_specialize", TILE_NONE, TILE_NONE, TILE_NONE, 2);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(roles, 0), producer);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(roles, 1), consumer);
  // Ops have moved, and blocks with them.
  s->channels.program = tileKernelGetProgram(s->func);
  for (int i = 0; i < s->channels.count; ++i) {
    TileChannel *channel = &s->channels.list[i];
    channel->block = mlirOperationGetBlock(channel->copies[0]);
  }
  return roles;
}

/// Fills the producer's block; null, or why it cannot be filled.
static const char *produce(Specializer *s, MlirOperation roles) {
  const char *reason = NULL;
  TileProducer *producer = tileProducerCreate(tileBody(roles, 1), &s->channels, &reason);
  if (!producer) return reason;
  bool pair = s->schedule.producers == 2;
  TileBuilder in = tileBuilderAtEnd(tileBody(roles, 0), mlirOperationGetLocation(s->func));
  tileProducerBuild(producer, &in, pair);
  tileProducerDestroy(producer);
  if (pair) mlirOperationSetAttributeByName(roles, tileString("pair"), mlirUnitAttrGet(in.context));
  return NULL;
}

static MlirLogicalResult specialize(Specializer *s) {
  s->channels.byWarps = areReadByThreads(s);
  tileFreeBehindDots(&s->channels);
  tileFindPassed(s->func, &s->channels);
  if (s->schedule.programs == TILE_PROGRAMS_ONE) takeOneTurn(tileKernelGetProgramLoop(s->func));
  MlirBlock producer = mlirBlockCreate(0, NULL, NULL), consumer = mlirBlockCreate(0, NULL, NULL);
  MlirOperation roles = buildRoles(s, producer, consumer);
  bool clusters = s->schedule.cluster > 1;
  if (s->schedule.stores == TILE_STORES_DEFERRED) tileLengthenLoop(&s->channels, &s->stores);
  const char *reason = produce(s, roles);
  if (reason) return tileScheduleFails(s->func, reason);
  tileBuildConsumer(consumer, &s->channels);
  tileStopIdleCarries(roles); // as positions that the producer alone wants
  if (clusters) {
    TileBuilder first = tileBuilderAtStart(consumer);
    tileBuildOp(&first, "tile_gpu.cluster_wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  int copies = tileKernelGetTeams(s->func) > 1
                   ? (int)s->schedule.producers
                   : tileScheduleGetCopyWarps(&s->schedule, s->warpGroups);
  int numWarps = 4 * s->warpGroups + copies;
  MlirAttribute warps = mlirIntegerAttrGet(tileI32(mlirOperationGetContext(s->func)), numWarps);
  mlirOperationSetAttributeByName(s->func, tileString("tile_gpu.block_warps"), warps);
  return mlirLogicalResultSuccess();
}

static void trace(const Specializer *s) {
  MlirLocation loc = mlirOperationGetLocation(s->func);
  for (int i = 0; i < s->channels.count; ++i) {
    const TileChannel *c = &s->channels.list[i];
    if (c->ring == i)
      tileTrace(loc, "ring %d: %d slots of %lld bytes, %d boxes each", i, c->stages,
                (long long)c->bytes, c->numCopies);
  }
}

MlirLogicalResult tileRunWarpSpecialize(MlirOperation func) {
  Specializer s = {.func = func};
  if (!tileKernelGetSchedule(func, &s.schedule) || !mlirOperationIsNull(tileKernelGetRoles(func)))
    return mlirLogicalResultSuccess();
  const char *reason = findRoles(&s);
  if (reason) return tileScheduleFails(func, reason);
  tileSetStages(&s.channels, &s.schedule);
  trace(&s);
  return specialize(&s);
}
