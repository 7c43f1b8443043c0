//===- WarpSpecialize.c - warps with roles, blocks that stay --------------===//
//
// Before:  scf.for %k = .. {
//            tile_gpu.desc_copy %a[%i, %k] into %s
//            %d = tile.dot %s, .. }
// After:   %ring = tile_gpu.alloc_shared .., stages = 4       // and barriers full, empty
//          tile_gpu.warp_specialize producer {
//            scf.for %program = .. { scf.for %k = .. {
//              tile_gpu.barrier_wait %empty[%stage]
//              tile_gpu.tma_load %a[%i, %k] into %ring[%stage] signal %full[%stage] } }
//          } consumer {
//            scf.for %program = .. { scf.for %k = .. {
//              tile_gpu.barrier_wait %full[%stage]
//              %d = tile.dot %ring[%stage], .. async
//              tile_gpu.barrier_arrive %empty[%stage before] } }
//          }
//
// One more warp group issues the copies, by one thread, as far ahead as the rings
// allow: into the next program while the consumers still store the last one. Each block
// works through several programs for that (option persistent): programs p, p + blocks, ..,
// of a two-dimensional grid in groups of 16 rows, every other group backwards, so that
// blocks that run together share rows and columns in the L2 cache.
//
// Columns of padding are neither copied (NarrowBoxes.h) nor stored (StoreBoxes.h).
//
// Where the device holds all programs at a time (tile_gpu.single_wave) every block has one: nothing
// is deferred, results leave as soon as they are there (tile_gpu.one_program, if they are
// clusters'), and the cache is asked for the first boxes ahead (WarmCache.h).
//
// Blocks of a cluster share copies of boxes (option num-ctas): see Clusters.h.
// Two blocks share each of the last programs: see LastRound.h.
//
// The scheme (ring, roles, setmaxregister, deferred stores) is CUTLASS's persistent
// warp-specialized kernel; the order of programs is that of fast.cu.
//
// Kernels whose boxes no loop reads, or whose positions follow from more than scalar
// arithmetic, and those with asserts, which end all threads of a program, stay as they are, with
// a remark.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "Channels.h"
#include "Clusters.h"
#include "Consumer.h"
#include "DeferStores.h"
#include "LastSteps.h"
#include "NarrowBoxes.h"
#include "Producer.h"
#include "StoreBoxes.h"
#include "WarmCache.h"
#include "tile/Passes.h"
#include "tile/Scratch.h"

enum { groupRows = 16, barrierBytes = 1024, pipelineStages = 3 };

typedef struct {
  MlirOperation func;
  int warpGroups;
  TileChannels channels;
  TileBoxStore stores[tileMaxStores];
  int numStores;
  bool persistent, deferred;
  bool once;                  // each block has one program
  int wish;                   // blocks of a cluster that are asked for
  TileClusterProgram cluster; // of 1 block: none
  TileRounds rounds;
  bool sharesLast; // the last programs have two blocks each
  MlirValue ours;  // i1: this warp group works on the program
} Specializer;

//===- what stays in front ------------------------------------------------===//

/// Descriptors and what they are made of stay outside the roles, and so do numbers.
static bool staysInFront(MlirOperation op) {
  if (tileOpIsAGrid(op) || tileOpIsACost(op) || tileOpIsAMakeDesc(op) || tileOpIsAReturn(op))
    return true;
  if (!tileOpIsOfDialect(op, "arith") || tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!mlirValueIsABlockArgument(operand) && !staysInFront(tileValueGetOp(operand))) return false;
  }
  return true;
}

static bool isDefinedInFront(MlirValue value, MlirBlock body) {
  if (mlirValueIsABlockArgument(value)) return true;
  MlirOperation op = tileValueGetOp(value);
  return mlirBlockEqual(mlirOperationGetBlock(op), body) && staysInFront(op);
}

//===- programs of a block ------------------------------------------------===//

static MlirValue gridOp(TileBuilder *b, const char *name, int axis) {
  static const char *const axes[] = {"#tile<axis x>", "#tile<axis y>", "#tile<axis z>"};
  MlirType type = tileI32(b->context);
  MlirAttribute attr = tileParseAttr(b->context, axes[axis]);
  return tileResult(tileBuildOp(b, name, TILE_NONE, 1, &type, TILE_ATTRS({"axis", attr}), 0));
}

/// x and y of program `t` of one layer of the grid.
static void buildPosition(TileBuilder *b, MlirValue t, MlirValue sizeX, MlirValue sizeY,
                          MlirValue position[2]) {
  MlirValue rows = tileBuildInt(b, tileI32(b->context), groupRows);
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue zero = tileBuildInt(b, tileI32(b->context), 0);
  MlirValue perGroup = tileBuildBinary(b, "arith.muli", rows, sizeY);
  MlirValue group = tileBuildBinary(b, "arith.divui", t, perGroup);
  MlirValue inside = tileBuildBinary(b, "arith.remui", t, perGroup);
  MlirValue first = tileBuildBinary(b, "arith.muli", group, rows);
  MlirValue left = tileBuildBinary(b, "arith.subi", sizeX, first);
  MlirValue height = tileBuildBinary(b, "arith.minui", left, rows);
  MlirValue row = tileBuildBinary(b, "arith.remui", inside, height);
  MlirValue column = tileBuildBinary(b, "arith.divui", inside, height);
  MlirValue last = tileBuildBinary(b, "arith.subi", sizeY, one);
  MlirValue back = tileBuildBinary(b, "arith.subi", last, column);
  MlirValue odd = tileBuildBinary(b, "arith.andi", group, one);
  MlirValue isOdd = tileBuildCmpi(b, TILE_NE, odd, zero);
  position[0] = tileBuildBinary(b, "arith.addi", first, row);
  position[1] = tileBuildSelect(b, isOdd, back, column);
}

/// Of the kernel's grid: 1, 2 or 3 dimensions; 3 where it says nothing.
static int gridRank(MlirOperation func) {
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (tileOpIsAGrid(op))
      return (int)mlirOperationGetNumOperands(mlirBlockGetTerminator(tileBody(op, 0)));
  }
  return 3;
}

typedef struct {
  MlirValue position[3], extent[3];
} Program;

/// program_id and num_programs mean the program, no longer the block.
static void replaceIds(MlirBlock block, const Program *program) {
  TILE_FOR_EACH_OP(op, block) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) replaceIds(tileBody(op, r), program);
    if (tileOpIsAProgramId(op))
      tileReplaceOp(op, 1, &program->position[tileProgramIdGetAxis(op)]);
    else if (tileOpIsANumPrograms(op))
      tileReplaceOp(op, 1, &program->extent[tileNumProgramsGetAxis(op)]);
  }
}

/// The program of a turn of the loop over programs.
static MlirValue buildProgram(Specializer *s, TileBuilder *b, MlirValue turn) {
  TileClusterProgram *p = &s->cluster;
  MlirValue program = turn;
  if (p->blocks > 1) {
    p->base = turn;
    tileBuildClusterProgram(b, p);
    program = p->program;
  } else if (s->sharesLast) {
    program = tileBuildProgramOfTurn(b, &s->rounds, turn);
  }
  if (!s->sharesLast) return program;
  if (p->blocks > 1) turn = tileBuildBinary(b, "arith.addi", turn, p->rank);
  s->ours = tileBuildIsOurs(b, &s->rounds, turn);
  p->real = p->blocks > 1 ? tileBuildBinary(b, "arith.andi", p->real, s->ours) : s->ours;
  return program;
}

/// Wraps the ops of `block` in a loop over this block's programs.
static void makePersistent(Specializer *s, MlirBlock block) {
  TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(block));
  MlirOperation body = b.before;
  Program program;
  int rank = gridRank(s->func);
  MlirValue one = tileBuildInt(&b, tileI32(b.context), 1);
  for (int d = 0; d < 3; ++d)
    program.extent[d] = d < rank ? gridOp(&b, "tile_gpu.grid_extent", d) : one;
  MlirValue total = program.extent[0];
  for (int d = 1; d < rank; ++d)
    total = tileBuildBinary(&b, "arith.muli", total, program.extent[d]);
  MlirValue first = gridOp(&b, "tile.program_id", 0);
  MlirValue step = gridOp(&b, "tile.num_programs", 0);
  if (s->cluster.blocks > 1) {
    s->cluster.total = total;
    s->cluster.rank = tileBuild(&b, "tile_gpu.cluster_rank", tileI32(b.context), TILE_NONE);
    first = tileBuildBinary(&b, "arith.subi", first, s->cluster.rank);
  }
  if (s->sharesLast) {
    s->rounds = tileBuildRounds(&b, total, step);
    s->cluster.rounds = &s->rounds;
  }
  MlirValue end = s->sharesLast ? s->rounds.end : total;
  MlirValue zero = tileBuildInt(&b, tileI32(b.context), 0);
  // A loop of one turn vanishes when it is simplified.
  MlirOperation loop = s->once ? tileBuildFor(&b, TILE_VALUES(zero, one, one))
                               : tileBuildFor(&b, TILE_VALUES(first, end, step));
  MlirBlock inner = tileBody(loop, 0);
  TileBuilder in = tileBuilderAtEnd(inner, b.location);
  MlirValue t = buildProgram(s, &in, s->once ? first : mlirBlockGetArgument(inner, 0));
  program.position[0] = t;
  program.position[1] = program.position[2] = zero;
  if (rank == 3) {
    MlirValue layer = tileBuildBinary(&in, "arith.muli", program.extent[0], program.extent[1]);
    program.position[2] = tileBuildBinary(&in, "arith.divui", t, layer);
    t = tileBuildBinary(&in, "arith.remui", t, layer);
  }
  if (rank >= 2) buildPosition(&in, t, program.extent[0], program.extent[1], program.position);
  while (!mlirOperationIsNull(body)) {
    MlirOperation next = mlirOperationGetNextInBlock(body);
    mlirOperationRemoveFromParent(body);
    mlirBlockAppendOwnedOperation(inner, body);
    body = next;
  }
  replaceIds(inner, &program);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  mlirOperationSetAttributeByName(s->func, tileString("tile_gpu.persistent"),
                                  mlirUnitAttrGet(b.context));
}

//===- results ------------------------------------------------------------===//

/// Stores of the program that can go box by box.
static void findStores(Specializer *s, MlirBlock block) {
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpIsADescWrite(op) && s->numStores < tileMaxStores &&
        isDefinedInFront(tileDescWriteGetDesc(op), tileBody(s->func, 0)) &&
        tileFindBoxStore(op, s->warpGroups, &s->stores[s->numStores]))
      ++s->numStores;
  }
}

static int64_t stagingBytes(const Specializer *s) {
  int64_t bytes = 0;
  for (int i = 0; i < s->numStores; ++i) bytes += tileBoxStoreBytes(&s->stores[i]);
  return bytes;
}

/// Positions of results are computed while the first boxes are on their way.
static void pinPositions(const TileBoxStore *store) {
  MlirBlock block = mlirOperationGetBlock(store->write);
  for (intptr_t i = 1; i <= 2; ++i) {
    MlirValue index = tileOperand(store->write, i);
    MlirOperation def = tileValueGetOp(index);
    if (mlirOperationIsNull(def) || !mlirBlockEqual(mlirOperationGetBlock(def), block)) continue;
    TileBuilder b = tileBuilderBefore(mlirOperationGetNextInBlock(def));
    MlirValue pinned = tileBuild(&b, "tile_gpu.pin", tileI32(b.context), TILE_VALUES(index));
    mlirOperationSetOperand(store->write, i, pinned);
  }
}

//===- the pass -----------------------------------------------------------===//

/// Is it a buffer of a loop that threads fill? tile-pipeline will make a ring of it.
static bool willBePipelined(MlirOperation alloc) {
  if (!tileOpIs(mlirBlockGetParentOperation(mlirOperationGetBlock(alloc)), "scf.for")) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(alloc));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (tileOpIsABufferStore(mlirOpOperandGetOwner(use))) return true;
  return false;
}

/// Shared memory that the program takes besides: buffers and scratch of what stays as it is. An
/// upper bound: some of it is not alive at the same time.
static int64_t otherBytes(Specializer *s, MlirBlock block) {
  int64_t bytes = 0;
  TILE_FOR_EACH_OP(op, block) {
    bytes += tileOpIsAAllocShared(op) ? tileBufferBytes(mlirValueGetType(tileResult(op))) *
                                            (willBePipelined(op) ? pipelineStages : 1)
                                      : tileOpScratchBytes(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(tileBody(op, r))) bytes += otherBytes(s, tileBody(op, r));
  }
  return bytes;
}

static int64_t boxBytes(const Specializer *s) {
  int64_t bytes = 0;
  for (int i = 0; i < s->channels.count; ++i) bytes += s->channels.list[i].bytes;
  for (int i = 0; i < s->numStores; ++i)
    bytes += tileBufferBytes(mlirValueGetType(tileResult(s->stores[i].alloc)));
  return bytes;
}

/// Blocks of a cluster that are asked for, or that the arrays' rows ask for; 1: none.
static int wishCluster(const Specializer *s, const TileWarpSpecializeOptions *options) {
  int64_t wish = options->numCtas ? options->numCtas : tileIntAttr(s->func, "tile.num_ctas", 0);
  if (wish) return wish > INT32_MAX ? INT32_MAX : (int)wish;
  return tileHasStraddlingRows(s->func, &s->channels) ? 2 : 1;
}

/// Why the kernel stays as it is; null when it can be specialized. Fills in channels and stores.
static const char *plan(Specializer *s, const TileWarpSpecializeOptions *options) {
  int64_t warps = tileIntAttr(s->func, "tile.num_warps", 4);
  if (warps != 4 && warps != 8 && warps != 16)
    return "expected 4, 8 or 16 warps, found another number";
  s->warpGroups = (int)warps / 4;
  MlirBlock body = tileBody(s->func, 0);
  const char *reason = tileFindChannels(s->func, &s->channels);
  if (reason) return reason;
  s->wish = wishCluster(s, options);
  if (tileNarrowBoxes(&s->channels)) reason = tileFindChannels(s->func, &s->channels);
  if (reason) return reason;
  for (int i = 0; i < s->channels.count; ++i)
    for (int k = 0; k < s->channels.list[i].numCopies; ++k)
      if (!isDefinedInFront(tileDescCopyGetDesc(s->channels.list[i].copies[k]), body))
        return "expected descriptors made of the kernel's arguments, found another";
  TileProducer *producer = tileProducerCreate(body, &s->channels, &reason);
  if (!producer) return reason;
  tileProducerDestroy(producer);
  findStores(s, body);
  int64_t other = otherBytes(s, body) - boxBytes(s) + stagingBytes(s) + barrierBytes;
  int64_t wish =
      options->numStages ? options->numStages : tileIntAttr(s->func, "tile.num_stages", 0);
  if (!tileChooseStages(&s->channels, wish, options->sharedBytes - other))
    return "expected room for two stages in shared memory, found less";
  return NULL;
}

static void moveOps(MlirBlock from, MlirBlock to) {
  TILE_FOR_EACH_OP(op, from) {
    if (staysInFront(op)) continue;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
}

/// The loop over programs, the last of the consumers' ops.
static MlirOperation programLoop(MlirBlock consumer) {
  MlirOperation last = {NULL};
  TILE_FOR_EACH_OP(op, consumer) { last = op; }
  return last;
}

static void shareCopies(Specializer *s, MlirBlock consumer) {
  MlirOperation loop = programLoop(consumer);
  tileBuildSharing(tileBody(loop, 0), &s->cluster, &s->channels);
  MlirContext c = mlirOperationGetContext(s->func);
  mlirOperationSetAttributeByName(s->func, tileString("tile_gpu.cluster"),
                                  mlirIntegerAttrGet(tileI32(c), s->cluster.blocks));
}

static void specialize(Specializer *s) {
  MlirContext c = mlirOperationGetContext(s->func);
  MlirBlock body = tileBody(s->func, 0), producer = mlirBlockCreate(0, NULL, NULL),
            consumer = mlirBlockCreate(0, NULL, NULL);
  moveOps(body, consumer);
  TileBuilder b = tileBuilderBefore(mlirBlockGetTerminator(body));
  b.location = mlirOperationGetLocation(s->func);
  if (s->once) tileWarmCache(&b, &s->channels);
  tileBuildRings(&b, &s->channels, s->warpGroups);
  for (int i = 0; i < s->numStores; ++i) tileBuildBoxStoreRing(&b, &s->stores[i], s->warpGroups);
  bool clusters = s->cluster.blocks > 1;
  // No block may arrive at another's barrier before it is made.
  tileBuildOp(&b, clusters ? "tile_gpu.cluster_arrive" : "gpu.barrier", TILE_NONE, TILE_NONE,
              TILE_NONE, 0);
  MlirOperation roles =
      tileBuildOp(&b, "tile_gpu.warp_specialize", TILE_NONE, TILE_NONE, TILE_NONE, 2);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(roles, 0), producer);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(roles, 1), consumer);
  if (s->persistent) makePersistent(s, consumer);
  // Ops have moved, and blocks with them.
  for (int i = 0; i < s->channels.count; ++i) {
    TileChannel *channel = &s->channels.list[i];
    channel->block = mlirOperationGetBlock(channel->copies[0]);
  }
  if (clusters) shareCopies(s, consumer);
  if (clusters || s->sharesLast) tileStoreOnce(tileBody(programLoop(consumer), 0), &s->cluster);
  if (s->deferred) tileLengthenLoop(&s->channels, s->stores, s->numStores);
  const char *reason;
  TileProducer *fills = tileProducerCreate(consumer, &s->channels, &reason);
  if (fills) {
    TileBuilder in = tileBuilderAtEnd(producer, b.location);
    if (tileProducerBuild(fills, &in, s->once))
      mlirOperationSetAttributeByName(roles, tileString("pair"), mlirUnitAttrGet(c));
    tileProducerDestroy(fills);
  }
  tileBuildConsumer(consumer, &s->channels);
  if (s->sharesLast) tileMultiplyWhen(tileBody(programLoop(consumer), 0), s->ours);
  if (s->deferred) {
    tileDeferStores(&s->channels, programLoop(consumer), s->stores, s->numStores);
    if (s->warpGroups > 1) tileTakeTurnsAtEnd(tileAsyncChannel(&s->channels));
  }
  for (int i = 0; i < s->numStores && !s->deferred; ++i) {
    pinPositions(&s->stores[i]);
    tileReplaceByBoxes(&s->stores[i], s->once);
  }
  if (clusters) {
    TileBuilder first = tileBuilderBefore(mlirBlockGetFirstOperation(consumer));
    tileBuildOp(&first, "tile_gpu.cluster_wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  if (s->numStores) {
    TileBuilder end = tileBuilderAtEnd(consumer, b.location);
    tileBuildStoreWait(&end);
  }
  mlirOperationSetAttributeByName(s->func, tileString("tile_gpu.block_warps"),
                                  mlirIntegerAttrGet(tileI32(c), 4 * (s->warpGroups + 1)));
}

typedef struct {
  bool copies, prints, asserts;
} Contents;

static MlirWalkResult findContents(MlirOperation op, void *data) {
  Contents *found = data;
  found->copies |= tileOpIsADescCopy(op);
  found->prints |= tileOpIsAPrint(op);
  found->asserts |= tileOpIsAAssert(op);
  return MlirWalkResultAdvance;
}

static void planCluster(Specializer *s) {
  s->cluster.blocks = 1;
  if (s->wish == 1) return;
  const char *reason = s->persistent ? tilePlanCluster(s->func, &s->channels, s->wish)
                                     : "expected blocks that stay, found one for each program";
  if (reason)
    tileEmitRemark(mlirOperationGetLocation(s->func), "blocks share no copies: %s", reason);
  else
    s->cluster.blocks = s->wish;
}

/// Which programs a block has, and when it stores their results.
static void planRounds(Specializer *s) {
  MlirLocation loc = mlirOperationGetLocation(s->func);
  const char *alone = tilePlanLastRound(s->func, s->stores, s->numStores, s->warpGroups);
  int64_t room = tileIntAttr(s->func, "tile_gpu.single_wave", 0);
  s->once = room == 1 || (room > 1 && alone);
  s->sharesLast = !alone && !s->once;
  if (s->sharesLast)
    mlirOperationSetAttributeByName(s->func, tileString("tile_gpu.shares_last"),
                                    mlirUnitAttrGet(mlirOperationGetContext(s->func)));
  if (s->once) {
    // Clusters number their programs themselves.
    s->persistent = s->cluster.blocks > 1;
    if (s->persistent)
      mlirOperationSetAttributeByName(s->func, tileString("tile_gpu.one_program"),
                                      mlirUnitAttrGet(mlirOperationGetContext(s->func)));
    return;
  }
  if (alone) tileEmitRemark(loc, "the last programs are not shared: %s", alone);
  if (!s->numStores) return;
  const char *late = tileMayDefer(&s->channels, s->stores, s->numStores);
  s->deferred = !late;
  if (late)
    tileEmitRemark(mlirOperationGetLocation(s->stores[0].write), "store is not deferred: %s", late);
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
  if (!tileFindBoxStore(op, c->warpGroups, &store)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a box whose rows warp groups own, to be stored without its padding, "
                  "found another layout");
    c->failed = true;
    return MlirWalkResultInterrupt;
  }
  TileBuilder top = tileBuilderBefore(mlirBlockGetFirstOperation(tileBody(c->func, 0)));
  tileBuildBoxStoreRing(&top, &store, c->warpGroups);
  TileBuilder behind = tileBuilderBefore(mlirOperationGetNextInBlock(op));
  tileBuildStoreWait(&behind);
  tileReplaceByBoxes(&store, false);
  return MlirWalkResultAdvance;
}

static MlirLogicalResult cutAllPadded(MlirOperation func) {
  Cutter c = {.func = func, .warpGroups = (int)tileIntAttr(func, "tile.num_warps", 4) / 4};
  if (c.warpGroups) mlirOperationWalk(func, cutPadded, &c, MlirWalkPostOrder);
  return c.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirLogicalResult tileRunWarpSpecialize(MlirOperation func,
                                        const TileWarpSpecializeOptions *options) {
  Specializer s = {.func = func, .persistent = options->persistent};
  Contents has = {0};
  mlirOperationWalk(func, findContents, &has, MlirWalkPreOrder);
  if (!has.copies) return cutAllPadded(func);
  // A print names the program it runs in by itself: a block for each.
  s.persistent &= !has.prints;
  // All threads of a block vote on an assert, and leave where it fails; a producer's would wait for
  // consumers that wait for its vote, or are gone.
  const char *reason = has.asserts ? "expected no tile.assert, found one" : plan(&s, options);
  if (!reason) {
    planCluster(&s);
    if (s.persistent) planRounds(&s);
    specialize(&s);
  } else {
    tileEmitRemark(mlirOperationGetLocation(func), "kernel is not warp-specialized: %s", reason);
  }
  return cutAllPadded(func);
}
