//===- StageGathers.c - what is gathered from often is stored once --------===//
//
// Before:  scf.for %j .. {
//            %row = tile.gather %k, %j axis 0       // %k is stored, threads meet, and read
// After:   tile_gpu.buffer_store %k, %b
//          scf.for %j .. {
//            %row = tile_gpu.buffer_gather %b, %j axis 0
//
// Chunks of linear attention go through their rows one by one, and pick each of tiles that the loop
// does not change. A gather stores its source into scratch, and has a barrier behind that and one
// in front, in each step; of a source from outside of the loop one store in front of it is enough.
// So is what several gathers of one block pick from, through shared memory: a table that the
// unrolled steps of a state machine look up their next state in.
//
// The axis is the slowest dimension there, so that neighbours of a row are neighbours in memory.
//
// Declined, with a remark, where a block would take more shared memory than it has where registers
// allow no more blocks (tileSharedLimit).
//
// Requires: layouts assigned.  Preserves: numerics, control flow.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// A tile that lies in a buffer in front of a loop, or, where that is null, of the first of several
/// gathers of its block.
typedef struct {
  MlirValue source, buffer;
  MlirOperation loop;
  int axis;
} Staged;

typedef struct {
  TileOpList gathers;
  Staged *staged;
  size_t count, capacity;
  int64_t used, scratch; ///< bytes of buffers, and the most that is scratch at a time
} Gathers;

static MlirWalkResult look(MlirOperation op, void *data) {
  Gathers *g = data;
  if (tileOpIsAGather(op)) tileOpListAdd(&g->gathers, op);
  if (tileOpIsAAllocShared(op))
    g->used += tileBufferBytes(mlirValueGetType(tileResult(op)));
  else if (tileOpScratchBytes(op) > g->scratch)
    g->scratch = tileOpScratchBytes(op);
  return MlirWalkResultAdvance;
}

/// The op in front of which the source of `gather` is there, and which has a loop with the gather,
/// or is one; null: there is none.
static MlirOperation findPlace(MlirOperation gather) {
  MlirOperation place = tileAncestorIn(tileValueGetBlock(tileGatherGetSource(gather)), gather);
  if (mlirOperationIsNull(place) || mlirOperationEqual(place, gather)) return (MlirOperation){NULL};
  bool loops = false;
  MlirOperation op = gather;
  while (!mlirOperationEqual(op, place)) {
    op = mlirOperationGetParentOperation(op);
    if (!tileOpIsOfDialect(op, "scf")) return (MlirOperation){NULL};
    loops |= tileOpIsLoop(op);
  }
  return loops ? place : (MlirOperation){NULL};
}

/// Does `gather`, of a source of its own block, take shared memory?
static bool isFlat(MlirOperation gather) {
  return mlirBlockEqual(tileValueGetBlock(tileGatherGetSource(gather)),
                        mlirOperationGetBlock(gather)) &&
         tileOpScratchBytes(gather) > 0;
}

/// Is there another gather like `gather`, which is the one of number `number`, that is yet to come
/// or was staged?
static bool comesAgain(const Gathers *g, size_t number, MlirOperation gather) {
  for (size_t i = number + 1; i < g->gathers.count; ++i) {
    MlirOperation other = g->gathers.ops[i];
    if (mlirValueEqual(tileGatherGetSource(other), tileGatherGetSource(gather)) &&
        tileGatherGetAxis(other) == tileGatherGetAxis(gather) && isFlat(other))
      return true;
  }
  return false;
}

static const Staged *findStaged(const Gathers *g, MlirValue source, int axis, MlirOperation loop) {
  for (size_t i = 0; i < g->count; ++i)
    if (mlirValueEqual(g->staged[i].source, source) && g->staged[i].axis == axis &&
        mlirOperationEqual(g->staged[i].loop, loop))
      return &g->staged[i];
  return NULL;
}

/// A buffer without a swizzle in which `axis` is slowest.
static MlirType bufferOf(MlirType tile, int axis) {
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileShape(tile, shape), n = 0;
  for (int d = rank; d-- > 0;)
    if (d != axis) order[n++] = d;
  order[n] = axis;
  return tileBufferTypeGet(mlirTypeGetContext(tile), rank, shape, tileElementType(tile), 0, order,
                           1);
}

static MlirValue store(Gathers *g, MlirValue source, int axis, MlirOperation loop,
                       MlirOperation gather) {
  MlirOperation place = mlirOperationIsNull(loop) ? gather : loop;
  MlirType type = bufferOf(mlirValueGetType(source), axis);
  TileBuilder b = tileBuilderBefore(place);
  MlirValue buffer = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  tileBuildOp(&b, "tile_gpu.buffer_store", TILE_VALUES(source, buffer), TILE_NONE, TILE_NONE, 0);
  g->staged = tileGrow(g->staged, g->count, &g->capacity, sizeof *g->staged);
  g->staged[g->count++] = (Staged){source, buffer, loop, axis};
  g->used += tileBufferBytes(type);
  return buffer;
}

static void stage(Gathers *g, size_t number, int64_t limit) {
  MlirOperation gather = g->gathers.ops[number], loop = findPlace(gather);
  MlirValue source = tileGatherGetSource(gather);
  MlirType type = mlirValueGetType(source), element = tileElementType(type);
  int axis = (int)tileGatherGetAxis(gather);
  const Staged *found = findStaged(g, source, axis, loop);
  bool isOften =
      !mlirOperationIsNull(loop) || (isFlat(gather) && (found || comesAgain(g, number, gather)));
  if (!isOften || !(tileTypeIsFloat(element) || mlirTypeIsAInteger(element))) return;
  int64_t wanted = g->used + g->scratch + (found ? 0 : tileBufferBytes(bufferOf(type, axis)));
  if (wanted > limit) {
    tileEmitRemark(mlirOperationGetLocation(gather),
                   "what is gathered from is stored each time: expected at most %lld bytes of "
                   "shared memory, found %lld",
                   (long long)limit, (long long)wanted);
    return;
  }
  MlirValue buffer = found ? found->buffer : store(g, source, axis, loop, gather);
  TileBuilder b = tileBuilderBefore(gather);
  MlirType result = mlirValueGetType(tileResult(gather));
  MlirOperation read = tileBuildOp(
      &b, "tile_gpu.buffer_gather", TILE_VALUES(buffer, tileGatherGetIndices(gather)), 1, &result,
      TILE_ATTRS({"axis", mlirIntegerAttrGet(tileI32(b.context), axis)}), 0);
  MlirValue picked = tileResult(read);
  tileReplaceOp(gather, 1, &picked);
}

MlirLogicalResult tileRunStageGathers(MlirOperation func) {
  Gathers g = {0};
  mlirOperationWalk(func, look, &g, MlirWalkPreOrder);
  int64_t limit = tileSharedLimit(func);
  for (size_t i = 0; i < g.gathers.count; ++i) stage(&g, i, limit);
  if (g.count)
    tileTrace(mlirOperationGetLocation(func), "tiles that are gathered from often, stored once: %d",
              (int)g.count);
  tileOpListDestroy(&g.gathers);
  free(g.staged);
  return mlirLogicalResultSuccess();
}
