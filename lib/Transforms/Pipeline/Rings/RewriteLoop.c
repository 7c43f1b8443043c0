//===- RewriteLoop.c - the loop whose copies run ahead ---------------------===//
//
// Pipeline.c says what becomes of a loop, and has decided how many slots its rings have, how far
// copies run ahead, and which dots they wait for.
//
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../FeedReaders.h"
#include "../Flight.h"
#include "../StepAhead.h"
#include "Pipeliner.h"
#include "tile/IR.h"

/// The slice once more, over mapped values; it loads nothing unless `exists` (i1).
static void cloneSlice(TilePipeliner *p, TileBuilder *b, MlirValue exists) {
  for (int i = 0; i < p->feeds.numSlice; ++i) {
    MlirOperation op = p->feeds.slice[i];
    if (tileOpIsALoad(op))
      tileCloneLoadWhere(b, &p->map, op, exists);
    else
      tileCloneMapped(b, &p->map, op);
  }
}

/// tile_gpu.async_copy of loads `from` to `to` into ring[stage], masked by `exists` (i1), and a
/// commit, which is returned.
static MlirOperation emitCopies(TilePipeliner *p, TileBuilder *b, MlirValue stage, MlirValue exists,
                                int from, int to) {
  for (int i = from; i < to; ++i) {
    MlirOperation load = p->feeds.feeds[i].load;
    MlirValue pointers = tileValueMapGet(p->map, tileLoadGetPtr(load)),
              mask = tileLoadGetMask(load);
    MlirType type = tileWithElement(mlirValueGetType(pointers), tileI1(b->context));
    MlirValue all = tileBuildUnary(b, "tile.splat", type, exists);
    if (!mlirValueIsNull(mask))
      all = tileBuildBinary(b, "arith.andi", tileValueMapGet(p->map, mask), all);
    MlirValue view = tileBuildSlot(b, p->feeds.feeds[i].ring, stage);
    int run = p->feeds.feeds[i].run;
    TileNamedAttr attr = {"tile_gpu.run", mlirIntegerAttrGet(tileI32(b->context), run)};
    tileBuildOp(b, "tile_gpu.async_copy", TILE_VALUES(pointers, all, view), TILE_NONE, run > 1,
                &attr, 0);
  }
  return tileBuildOp(b, "tile_gpu.async_commit", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

static void emitWait(TileBuilder *b, int pending) {
  MlirAttribute n = mlirIntegerAttrGet(tileI32(b->context), pending);
  tileBuildOp(b, "tile_gpu.async_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", n}), 0);
}

/// The loads that run a step ahead: all, or the first lot.
static int numAhead(const TilePipeliner *p) { return p->lot ? p->lot : p->feeds.numFeeds; }

/// Is the first lot all that there is?
static bool isOneLot(const TilePipeliner *p) { return p->lot == p->feeds.numFeeds; }

/// iv + n * step
static MlirValue advanced(TileBuilder *b, MlirValue iv, MlirValue step, int n) {
  MlirType type = mlirValueGetType(iv);
  MlirValue count = tileBuildInt(b, type, n);
  MlirValue distance = tileBuildBinary(b, "arith.muli", step, count);
  return tileBuildBinary(b, "arith.addi", iv, distance);
}

/// `yes` where copies may run ahead, else `no`.
static MlirValue ifMayRun(const TilePipeliner *p, TileBuilder *b, MlirValue yes, MlirValue no) {
  if (mlirValueIsNull(p->mayRun)) return yes;
  MlirType type = mlirValueGetType(yes);
  MlirValue condition = p->mayRun;
  if (tileTypeIsTile(type))
    condition =
        tileBuildUnary(b, "tile.splat", tileWithElement(type, tileI1(b->context)), condition);
  return tileBuildSelect(b, condition, yes, no);
}

/// Are steps of the prologue that there may not be left out by branches, as of one of many loops,
/// whose copies ahead follow from its counter?
static bool hasBranches(const TilePipeliner *p) {
  return tileIsOneOfManyLoops(p->feeds.loop) && !p->feeds.numCarried;
}

/// The copies of a step that there may not be, and what they ask for, in a branch: where there is
/// none they cost nothing, and no loop behind this one holds what they computed. Their commit
/// stays outside, since waits count them.
static void copyWhere(TilePipeliner *p, TileBuilder *b, MlirValue stage, MlirValue exists) {
  MlirOperation branch = tileBuildIf(b, exists, TILE_NONE, false);
  TileBuilder within = tileBuilderAtEnd(tileBody(branch, 0), b->location);
  MlirValue always = tileBuildInt(&within, tileI1(b->context), 1);
  cloneSlice(p, &within, always);
  MlirOperation commit = emitCopies(p, &within, stage, always, 0, numAhead(p));
  mlirOperationMoveAfter(commit, branch);
  tileBuildOp(&within, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Rings, and the copies of the first iterations. Leaves in `ahead` the slice's carried values for
/// iteration `ahead`.
static void emitPrologue(TilePipeliner *p, MlirValue ahead[]) {
  TileBuilder b = tileBuilderBefore(p->feeds.loop);
  MlirValue lower = tileForGetLower(p->feeds.loop), upper = tileForGetUpper(p->feeds.loop),
            step = tileForGetStep(p->feeds.loop);
  MlirOperation yield = mlirBlockGetTerminator(p->feeds.body);
  for (int i = 0; i < p->feeds.numFeeds; ++i) {
    MlirType type = tileBufferWithStages(p->feeds.feeds[i].block, p->stages);
    p->feeds.feeds[i].ring = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  }
  for (int i = 0; i < p->feeds.numCarried; ++i)
    ahead[i] = tileForGetInit(p->feeds.loop, p->feeds.carried[i]);
  for (int s = 0; s < p->ahead; ++s) {
    MlirValue iv = advanced(&b, lower, step, s);
    MlirValue exists = tileBuildCmpi(&b, TILE_SLT, iv, upper);
    if (!mlirValueIsNull(p->mayRun)) exists = tileBuildBinary(&b, "arith.andi", exists, p->mayRun);
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 0), iv);
    for (int i = 0; i < p->feeds.numCarried; ++i)
      tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 1 + p->feeds.carried[i]),
                      ahead[i]);
    MlirValue stage = tileBuildInt(&b, tileI32(b.context), s);
    if (s && hasBranches(p)) {
      copyWhere(p, &b, stage, exists);
    } else {
      cloneSlice(p, &b, exists);
      emitCopies(p, &b, stage, exists, 0, numAhead(p));
    }
    for (int i = 0; i < p->feeds.numCarried; ++i)
      ahead[i] = tileValueMapGet(p->map, tileOperand(yield, p->feeds.carried[i]));
  }
  for (int i = 0; i < p->feeds.numCarried; ++i)
    ahead[i] = ifMayRun(p, &b, ahead[i], tileForGetInit(p->feeds.loop, p->feeds.carried[i]));
}

/// The loop with room for the slice's values ahead and the two stage numbers.
static MlirOperation buildLoop(TilePipeliner *p, const MlirValue ahead[], TileBuilder *b) {
  MlirValue operands[3 + 2 * tileMaxCarried + 2];
  MlirType types[2 * tileMaxCarried + 3];
  MlirLocation locs[2 * tileMaxCarried + 3];
  intptr_t count = mlirOperationGetNumOperands(p->feeds.loop);
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(p->feeds.loop, i);
  for (int i = 0; i < p->feeds.numCarried; ++i) operands[count++] = ahead[i];
  MlirValue fill = tileBuildInt(b, tileI32(b->context), p->ahead % p->stages);
  MlirValue use = tileBuildInt(b, tileI32(b->context), 0);
  operands[count++] = ifMayRun(p, b, fill, use);
  operands[count++] = use;
  types[0] = mlirValueGetType(operands[0]);
  for (intptr_t i = 3; i < count; ++i) types[i - 2] = mlirValueGetType(operands[i]);
  for (intptr_t i = 0; i < count - 2; ++i) locs[i] = b->location;
  MlirOperation loop =
      tileBuildOp(b, "scf.for", count, operands, count - 3, types + 1, TILE_NONE, 1);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0),
                             mlirBlockCreate(count - 2, types, locs));
  return loop;
}

/// Moves what is left of the old body behind the copies, reading the rings at `use`.
static void moveBody(TilePipeliner *p, TileBuilder *b, MlirValue use) {
  for (int i = 0; i < p->feeds.numFeeds; ++i) {
    MlirValue slot = tileBuildSlot(b, p->feeds.feeds[i].ring, use);
    if (p->feeds.streams)
      tileFeedReplaceStream(&p->feeds.feeds[i], slot);
    else
      tileFeedReplace(&p->feeds.feeds[i], slot);
  }
  TileBuilder end = tileBuilderAtEnd(b->block, b->location);
  tileMoveOps(&end, mlirBlockGetFirstOperation(p->feeds.body),
              mlirBlockGetTerminator(p->feeds.body), NULL);
}

/// The barrier at the start of a step of `loop`. Where dots read nothing but copies and what was
/// stored before the loop, it has no proxy fence, for which every copy on its way would have to
/// land: one barrier in front of the loop makes the stores known, and copies need none (CUTLASS's
/// and Triton's loops of cp.async and wgmma do without). Nor has it where nothing
/// but the kernel's results is the copy engine's.
static MlirOperation emitBarrier(const TilePipeliner *p, MlirOperation loop, TileBuilder *b) {
  MlirOperation barrier = tileBuildOp(b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirAttribute unfenced = mlirUnitAttrGet(b->context);
  if (p->boxesAlone)
    mlirOperationSetAttributeByName(barrier, tileString("tile_gpu.unfenced"), unfenced);
  if (!p->starts) return barrier;
  TILE_FOR_EACH_OP(op, p->feeds.body) {
    bool staysStored = tileOpIsABufferStore(op) && !tileFeedsReplaceStore(&p->feeds, op);
    if (staysStored || (mlirOperationGetNumRegions(op) && !tileOpIsAReduce(op))) return barrier;
  }
  if (p->rings.outerBytes) {
    TileBuilder before = tileBuilderBefore(loop);
    tileBuildOp(&before, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  }
  mlirOperationSetAttributeByName(barrier, tileString("tile_gpu.unfenced"), unfenced);
  return barrier;
}

/// Moves what stands behind `from`, up to a commit, in front of `place`.
static void moveCopies(MlirOperation from, MlirOperation commit, MlirOperation place) {
  for (bool last = false; !last;) {
    MlirOperation op = mlirOperationGetNextInBlock(from);
    last = mlirOperationEqual(op, commit);
    mlirOperationMoveBefore(op, place);
  }
}

/// Moves the copies, up to their commit, behind the first dot of the step.
static void copyBehindDot(MlirBlock body, MlirOperation barrier, MlirOperation commit) {
  moveCopies(barrier, commit, mlirOperationGetNextInBlock(tileFindFlying(body)));
}

/// Copies of the second lot, of the step of `body` itself.
static void emitSecondLot(TilePipeliner *p, TileBuilder *b, MlirBlock body, MlirValue use) {
  MlirValue yes = tileBuildInt(b, tileI1(b->context), 1);
  for (intptr_t i = 0; i <= mlirOperationGetNumResults(p->feeds.loop); ++i)
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, i), mlirBlockGetArgument(body, i));
  cloneSlice(p, b, yes);
  emitCopies(p, b, use, yes, p->lot, p->feeds.numFeeds);
}

/// The first lot, which stands between `from` and `commit`, is copied when its slot has been read:
/// in front of the first dot that reads the second one, which has to be there by then; or at the
/// end of the step.
static void takeTurns(const TilePipeliner *p, MlirOperation from, MlirOperation commit) {
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(commit));
  MlirOperation place = isOneLot(p) ? end : p->next;
  TileBuilder b = tileBuilderBefore(place);
  if (!isOneLot(p)) emitWait(&b, 0);
  tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  moveCopies(from, commit, place);
}

/// The wait at the end of a step for the dot of the step before comes right behind the start of
/// this one's, and a barrier behind it: then all are done with the slot that is filled next. Where
/// threads wait in front of the start, as they make an operand in registers, a barrier behind it
/// does for several warp groups, of which one else fills what another one's dot still reads.
static void guardCopies(MlirBlock body, int64_t numWarps) {
  MlirOperation dot = tileFindFlying(body);
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  MlirOperation wait = mlirOpOperandIsNull(use) ? dot : mlirOpOperandGetOwner(use);
  bool isBehind = tileOpIsADotWait(wait);
  if (!isBehind && numWarps <= 4) return;
  if (isBehind)
    mlirOperationMoveAfter(wait, dot);
  else
    wait = dot;
  TileBuilder b = tileBuilderAfter(wait);
  MlirOperation barrier = tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  mlirOperationSetAttributeByName(barrier, tileString("tile_gpu.unfenced"),
                                  mlirUnitAttrGet(b.context));
}

/// The induction variable of the iteration that a step at `b` copies.
static MlirValue emitLater(const TilePipeliner *p, TileBuilder *front, TileBuilder *b,
                           MlirValue iv) {
  MlirValue step = tileForGetStep(p->feeds.loop);
  if (mlirValueIsNull(p->mayRun)) return advanced(b, iv, step, p->ahead);
  MlirType type = mlirValueGetType(iv);
  MlirValue way = tileBuildBinary(front, "arith.muli", step, tileBuildInt(front, type, p->ahead));
  way = ifMayRun(p, front, way, tileBuildInt(front, type, 0));
  return tileBuildBinary(b, "arith.addi", iv, way);
}

/// Where copies may not run ahead, the step waits for its own.
static void emitOwnWait(const TilePipeliner *p, TileBuilder *front, TileBuilder *b) {
  MlirValue yes = tileBuildInt(front, tileI1(front->context), 1);
  MlirValue mayNot = tileBuildBinary(front, "arith.xori", p->mayRun, yes);
  MlirOperation branch = tileBuildIf(b, mayNot, TILE_NONE, false);
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b->location);
  emitWait(&in, 0);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// The copies that a step starts for a later one, into `fill`; returns their commit. What stands
/// behind `from` moves with them, where they move. None where all started in front of the loop.
static MlirOperation emitAhead(TilePipeliner *p, TileBuilder *front, TileBuilder *b, MlirBlock body,
                               MlirValue fill, MlirOperation *from) {
  intptr_t numArgs = mlirOperationGetNumResults(p->feeds.loop);
  if (p->whole) { // waits count on one a step
    for (int i = 0; i < p->feeds.numCarried; ++i)
      tileValueMapSet(&p->map,
                      tileOperand(mlirBlockGetTerminator(p->feeds.body), p->feeds.carried[i]),
                      mlirBlockGetArgument(body, 1 + numArgs + i));
    return *from = emitCopies(p, b, fill, fill, 0, 0);
  }
  MlirValue later = emitLater(p, front, b, mlirBlockGetArgument(body, 0));
  MlirValue upper = tileForGetUpper(p->feeds.loop);
  MlirValue exists = tileBuildCmpi(b, TILE_SLT, later, upper);
  *from = tileValueGetOp(exists);
  tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 0), later);
  for (int i = 0; i < p->feeds.numCarried; ++i)
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->feeds.body, 1 + p->feeds.carried[i]),
                    mlirBlockGetArgument(body, 1 + numArgs + i));
  cloneSlice(p, b, exists);
  if (isOneLot(p)) { // asked once more: what says where the lot lies does not move
    exists = tileBuildCmpi(b, TILE_SLT, later, upper);
    *from = tileValueGetOp(exists);
  }
  return emitCopies(p, b, fill, exists, 0, numAhead(p));
}

void tilePipelinerRewrite(TilePipeliner *p) {
  MlirValue ahead[tileMaxCarried];
  emitPrologue(p, ahead);
  if (!p->feeds.streams) tileSinkStores(p->feeds.loop);
  TileBuilder outer = tileBuilderBefore(p->feeds.loop);
  MlirOperation loop = buildLoop(p, ahead, &outer);
  MlirBlock body = tileBody(loop, 0);
  TileBuilder b = tileBuilderAtEnd(body, outer.location), front = tileBuilderBefore(loop);
  intptr_t numArgs = mlirOperationGetNumResults(p->feeds.loop);
  MlirValue fill = mlirBlockGetArgument(body, 1 + numArgs + p->feeds.numCarried),
            use = mlirBlockGetArgument(body, 2 + numArgs + p->feeds.numCarried);

  emitWait(&b, p->ahead - 1);
  MlirOperation barrier = p->feeds.streams ? (MlirOperation){NULL} : emitBarrier(p, loop, &b);
  if (p->lot && !isOneLot(p)) emitSecondLot(p, &b, body, use);
  MlirOperation from, commit = emitAhead(p, &front, &b, body, fill, &from);
  if (!mlirValueIsNull(p->mayRun)) emitOwnWait(p, &front, &b);

  MlirOperation yield = mlirBlockGetTerminator(p->feeds.body);
  MlirValue yields[2 * tileMaxCarried + 2];
  bool stale[tileMaxCarried] = {0};
  for (int i = 0; i < p->feeds.numCarried; ++i) {
    yields[numArgs + i] = tileValueMapGet(p->map, tileOperand(yield, p->feeds.carried[i]));
    // A second lot is copied by the values of its own step.
    bool isOwn = p->lot && !isOneLot(p);
    stale[i] = !isOwn && tileFeedsAloneRead(&p->feeds, p->feeds.carried[i]);
  }
  for (intptr_t i = 0; i <= numArgs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(p->feeds.body, i),
                                  mlirBlockGetArgument(body, i));
  moveBody(p, &b, use);
  for (intptr_t i = 0; i < numArgs; ++i) yields[i] = tileOperand(yield, i);
  for (int i = 0; i < p->feeds.numCarried; ++i)
    if (stale[i]) yields[p->feeds.carried[i]] = mlirBlockGetArgument(body, 1 + p->feeds.carried[i]);
  yields[numArgs + p->feeds.numCarried] = tileBuildNextStage(&b, fill, p->stages, NULL);
  yields[numArgs + p->feeds.numCarried + 1] = tileBuildNextStage(&b, use, p->stages, NULL);
  tileBuildOp(&b, "scf.yield", numArgs + p->feeds.numCarried + 2, yields, TILE_NONE, TILE_NONE, 0);
  emitWait(&outer, 0);
  // Round an outer loop the next prologue fills slots that slower threads may still read.
  bool again = !tileOpIsAFunc(mlirOperationGetParentOperation(p->feeds.loop));
  if (again && !p->feeds.streams)
    tileBuildOp(&outer, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  for (intptr_t i = 0; i < numArgs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->feeds.loop, i),
                                  mlirOperationGetResult(loop, i));
  mlirOperationDestroy(p->feeds.loop);
  if (p->lot) takeTurns(p, from, commit);
  if (p->starts) {
    copyBehindDot(body, barrier, commit);
    tileLetFly(loop, p->flies, false);
    if (p->guards) guardCopies(body, p->rings.numWarps);
  }
}
