//===- Pipeline.c - software pipelining of loads that feed dots -----------===//
//
// Before:  scf.for %i = .. iter_args(%acc, %p) {
//            %a = tile.load %p, %m
//            %s = tile_gpu.alloc_shared : !tile_gpu.buffer<..>
//            tile_gpu.buffer_store %a, %s
//            %d = tile.dot %s, ..
//            %q = tile.addptr %p, %step
//            scf.yield %d, %q }
// After:   %ring = tile_gpu.alloc_shared : !tile_gpu.buffer<.., stages = 3>
//          <copies of iterations 0 and 1 into %ring[0] and %ring[1]>
//          scf.for %i = .. iter_args(%acc, %ahead, %fill, %use) {
//            tile_gpu.async_wait 1
//            gpu.barrier
//            tile_gpu.async_copy %ahead, %m2 into %ring[%fill]   // of iteration i + 2
//            tile_gpu.async_commit
//            %d = tile.dot %ring[%use], ..
//            %next = tile.addptr %ahead, %step .. }
//          tile_gpu.async_wait 0
//
// What a load's addresses and mask follow from (its slice) runs num_stages - 1
// iterations ahead; copies of iterations that do not exist are masked off. One
// barrier an iteration serves both hazards: it comes after the wait, so all copies of
// the block are visible, and before the copy into the slot that the previous
// iteration read.
//
// Loads that cannot be pipelined stay as they are, with a remark.
//
// Requires: layouts assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/Analysis.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Scratch.h"
#include "tile/Slow.h"
#include "tile/Trace.h"
#include <stdlib.h>

enum { maxLoads = 8, maxSlice = 512, maxCarried = 64 };

/// One load that becomes a ring of asynchronous copies.
typedef struct {
  MlirOperation load, store, alloc;
  MlirValue ring;
} Feed;

typedef struct {
  MlirOperation loop;
  MlirBlock body;
  int stages;
  const TileAxisAnalysis *axis;
  Feed feeds[maxLoads];
  int numFeeds;
  MlirOperation slice[maxSlice]; // in program order
  int numSlice;
  int carried[maxCarried]; // iter_args the slice reads, by number
  int numCarried;
  TileValueMap map; // from the old body's values
} Pipeliner;

//===- what can be pipelined ----------------------------------------------===//

static bool isIn(MlirOperation op, MlirBlock block) {
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), block);
}

/// The one op that uses `value`; null when there are none or several.
static MlirOperation onlyUser(MlirValue value) {
  MlirOpOperand use = tileOnlyUse(value);
  return mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
}

/// Why a load that feeds a shared buffer cannot be copied asynchronously; null when it can.
static const char *whyNot(const Pipeliner *p, MlirOperation load, MlirOperation alloc) {
  MlirValue other = tileLoadGetOther(load);
  if (!mlirValueIsNull(other) && !tileIsZero(other)) return "expected masked-out lanes to read 0";
  if (!isIn(alloc, p->body)) return "expected its buffer to be made in the loop";
  MlirType type = mlirValueGetType(tileLoadGetPtr(load));
  int bytes = tileBitWidth(tileElementType(mlirValueGetType(tileResult(load)))) / 8;
  TileLayout layout;
  if (!tileTypeGetLayout(type, &layout)) return "expected a layout";
  if (tileAxisAccessVectorIn(p->axis, load, layout) * bytes < 4)
    return "expected runs of 4 bytes or more in memory";
  TileLayout shared = tileBufferLayout(mlirValueGetType(tileResult(alloc)));
  if (!tileLayoutIsValid(shared) || tileLayoutSharedVector(layout, shared, bytes) * bytes < 4)
    return "expected runs of 4 bytes or more in shared memory";
  if (p->numFeeds == maxLoads) return "expected at most 8 loads in a loop";
  return NULL;
}

static MlirWalkResult findWrite(MlirOperation op, void *data) {
  bool writes = tileOpIsAStore(op) || tileOpIsAAtomicRmw(op) || tileOpIsAAtomicCas(op) ||
                tileOpIsADescStore(op) || tileOpIsABarrier(op);
  *(bool *)data |= writes;
  return writes ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Does `value` reach a dot's operand in the body, computed or converted on its way?
static bool reachesDot(const Pipeliner *p, MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!isIn(user, p->body)) continue;
    if (tileOpIsADot(user)) return mlirOpOperandGetOperandNumber(use) < 2;
    if (tileOpIsABufferStore(user)) {
      MlirOpOperand read = mlirValueGetFirstUse(tileBufferStoreGetBuffer(user));
      for (; !mlirOpOperandIsNull(read); read = mlirOpOperandGetNextUse(read))
        if (tileOpIsADot(mlirOpOperandGetOwner(read))) return true;
    }
    bool passes = tileOpConverts(user) || tileOpIsAConvertLayout(user);
    if (passes && reachesDot(p, tileResult(user))) return true;
  }
  return false;
}

/// A load whose tile is computed with before a dot reads it waits in each step.
static void sayConverted(const Pipeliner *p, MlirOperation load) {
  int64_t shape[TILE_MAX_RANK];
  if (tileShape(mlirValueGetType(tileResult(load)), shape) != 2 || shape[0] == 1 || shape[1] == 1 ||
      !reachesDot(p, tileResult(load)))
    return;
  tileEmitSlow(mlirOperationGetLocation(load),
               "load is not pipelined: expected a box, or a tile that a dot reads as it lies in "
               "memory, found others in between");
}

static void findFeeds(Pipeliner *p) {
  bool writes = false, isUnsigned = !mlirAttributeIsNull(tileAttr(p->loop, "unsignedCmp"));
  mlirOperationWalk(p->loop, findWrite, &writes, MlirWalkPreOrder);
  TILE_FOR_EACH_OP(op, p->body) {
    if (!tileOpIsALoad(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op)))) continue;
    MlirOperation store = onlyUser(tileResult(op));
    if (!isIn(store, p->body) || !tileOpIsABufferStore(store)) {
      sayConverted(p, op);
      continue;
    }
    MlirOperation alloc = tileValueGetOp(tileBufferStoreGetBuffer(store));
    // A copy that runs ahead must not pass a write to what it reads.
    const char *reason = writes ? "expected a loop without writes of global memory or barriers"
                         : isUnsigned ? "expected a loop over signed numbers"
                                      : whyNot(p, op, alloc);
    if (reason)
      tileEmitSlow(mlirOperationGetLocation(op), "load is not pipelined: %s", reason);
    else
      p->feeds[p->numFeeds++] = (Feed){.load = op, .store = store, .alloc = alloc};
  }
}

//===- slices -------------------------------------------------------------===//

static bool inSlice(const Pipeliner *p, MlirOperation op) {
  for (int i = 0; i < p->numSlice; ++i)
    if (mlirOperationEqual(p->slice[i], op)) return true;
  return false;
}

/// Adds what `value` follows from inside the body. False where that touches memory or has regions.
static bool addToSlice(Pipeliner *p, MlirValue value) {
  if (mlirValueIsNull(value)) return true;
  if (mlirValueIsABlockArgument(value)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), p->body) || number == 0) return true;
    int arg = (int)number - 1;
    for (int i = 0; i < p->numCarried; ++i)
      if (p->carried[i] == arg) return true;
    if (p->numCarried == maxCarried) return false;
    p->carried[p->numCarried++] = arg;
    return addToSlice(p, tileOperand(mlirBlockGetTerminator(p->body), arg));
  }
  MlirOperation op = tileValueGetOp(value);
  if (!isIn(op, p->body) || inSlice(p, op)) return true;
  bool pure = tileOpIsOfDialect(op, "arith") || tileOpIsAAddPtr(op) || tileOpIsAPtrCast(op) ||
              tileOpIsASplat(op) || tileOpIsABroadcast(op) || tileOpIsAExpandDims(op) ||
              tileOpIsAArange(op) || tileOpIsATrans(op) || tileOpIsAReshape(op) ||
              tileOpIsAConvertLayout(op) || tileOpIsAProgramId(op) || tileOpIsANumPrograms(op);
  if (!pure || p->numSlice == maxSlice) return false;
  p->slice[p->numSlice++] = op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!addToSlice(p, tileOperand(op, i))) return false;
  return true;
}

/// Program order, so that clones find their operands.
static void sortSlice(Pipeliner *p) {
  int next = 0;
  TILE_FOR_EACH_OP(op, p->body) {
    for (int i = next; i < p->numSlice; ++i)
      if (mlirOperationEqual(p->slice[i], op)) {
        MlirOperation other = p->slice[next];
        p->slice[next++] = op;
        p->slice[i] = other;
        break;
      }
  }
}

static bool findSlice(Pipeliner *p) {
  for (int i = 0; i < p->numFeeds; ++i) {
    MlirOperation load = p->feeds[i].load;
    if (addToSlice(p, tileLoadGetPtr(load)) && addToSlice(p, tileLoadGetMask(load))) continue;
    tileEmitSlow(mlirOperationGetLocation(load),
                 "load is not pipelined: expected addresses that follow from arithmetic alone");
    return false;
  }
  sortSlice(p);
  return true;
}

//===- emission -----------------------------------------------------------===//

/// The slice once more, over mapped values.
static void cloneSlice(Pipeliner *p, TileBuilder *b) {
  for (int i = 0; i < p->numSlice; ++i) tileCloneMapped(b, &p->map, p->slice[i]);
}

/// tile_gpu.async_copy of every load into ring[stage], masked by `exists` (i1), and a commit.
static void emitCopies(Pipeliner *p, TileBuilder *b, MlirValue stage, MlirValue exists) {
  for (int i = 0; i < p->numFeeds; ++i) {
    MlirOperation load = p->feeds[i].load;
    MlirValue pointers = tileValueMapGet(p->map, tileLoadGetPtr(load)),
              mask = tileLoadGetMask(load);
    MlirType type = tileWithElement(mlirValueGetType(pointers), tileI1(b->context));
    MlirValue all = tileBuildUnary(b, "tile.splat", type, exists);
    if (!mlirValueIsNull(mask))
      all = tileBuildBinary(b, "arith.andi", tileValueMapGet(p->map, mask), all);
    MlirValue view = tileBuildSlot(b, p->feeds[i].ring, stage);
    tileBuildOp(b, "tile_gpu.async_copy", TILE_VALUES(pointers, all, view), TILE_NONE, TILE_NONE,
                0);
  }
  tileBuildOp(b, "tile_gpu.async_commit", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

static void emitWait(TileBuilder *b, int pending) {
  MlirAttribute n = mlirIntegerAttrGet(tileI32(b->context), pending);
  tileBuildOp(b, "tile_gpu.async_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", n}), 0);
}

/// iv + n * step
static MlirValue advanced(TileBuilder *b, MlirValue iv, MlirValue step, int n) {
  MlirType type = mlirValueGetType(iv);
  MlirValue count = tileBuildInt(b, type, n);
  MlirValue distance = tileBuildBinary(b, "arith.muli", step, count);
  return tileBuildBinary(b, "arith.addi", iv, distance);
}

/// Rings, and the copies of the first iterations. Leaves in `ahead` the slice's carried values for
/// iteration stages - 1.
static void emitPrologue(Pipeliner *p, MlirValue ahead[]) {
  TileBuilder b = tileBuilderBefore(p->loop);
  MlirValue lower = tileOperand(p->loop, 0), upper = tileOperand(p->loop, 1),
            step = tileOperand(p->loop, 2);
  MlirOperation yield = mlirBlockGetTerminator(p->body);
  for (int i = 0; i < p->numFeeds; ++i) {
    MlirType type =
        tileBufferWithStages(mlirValueGetType(tileResult(p->feeds[i].alloc)), p->stages);
    p->feeds[i].ring = tileBuild(&b, "tile_gpu.alloc_shared", type, TILE_NONE);
  }
  for (int i = 0; i < p->numCarried; ++i) ahead[i] = tileOperand(p->loop, 3 + p->carried[i]);
  for (int s = 0; s < p->stages - 1; ++s) {
    MlirValue iv = advanced(&b, lower, step, s);
    MlirValue exists = tileBuildCmpi(&b, TILE_SLT, iv, upper);
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->body, 0), iv);
    for (int i = 0; i < p->numCarried; ++i)
      tileValueMapSet(&p->map, mlirBlockGetArgument(p->body, 1 + p->carried[i]), ahead[i]);
    cloneSlice(p, &b);
    MlirValue stage = tileBuildInt(&b, tileI32(b.context), s);
    emitCopies(p, &b, stage, exists);
    for (int i = 0; i < p->numCarried; ++i)
      ahead[i] = tileValueMapGet(p->map, tileOperand(yield, p->carried[i]));
  }
}

/// stage + 1, or 0 at the end of the ring.
static MlirValue nextStage(TileBuilder *b, MlirValue stage, int stages) {
  MlirType i32 = tileI32(b->context);
  MlirValue one = tileBuildInt(b, i32, 1), count = tileBuildInt(b, i32, stages),
            zero = tileBuildInt(b, i32, 0);
  MlirValue next = tileBuildBinary(b, "arith.addi", stage, one);
  MlirValue wraps = tileBuildCmpi(b, TILE_EQ, next, count);
  return tileBuildSelect(b, wraps, zero, next);
}

/// The loop with room for the slice's values ahead and the two stage numbers.
static MlirOperation buildLoop(Pipeliner *p, const MlirValue ahead[], TileBuilder *b) {
  MlirValue operands[3 + 2 * maxCarried + 2];
  MlirType types[2 * maxCarried + 3];
  MlirLocation locs[2 * maxCarried + 3];
  intptr_t count = mlirOperationGetNumOperands(p->loop);
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(p->loop, i);
  for (int i = 0; i < p->numCarried; ++i) operands[count++] = ahead[i];
  operands[count++] = tileBuildInt(b, tileI32(b->context), p->stages - 1);
  operands[count++] = tileBuildInt(b, tileI32(b->context), 0);
  types[0] = mlirValueGetType(operands[0]);
  for (intptr_t i = 3; i < count; ++i) types[i - 2] = mlirValueGetType(operands[i]);
  for (intptr_t i = 0; i < count - 2; ++i) locs[i] = b->location;
  MlirOperation loop =
      tileBuildOp(b, "scf.for", count, operands, count - 3, types + 1, TILE_NONE, 1);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0),
                             mlirBlockCreate(count - 2, types, locs));
  return loop;
}

/// Is everything that reads carried value `arg` in the slice? Then its own copy need not go on.
static bool onlyForSlice(const Pipeliner *p, int arg) {
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(p->loop, arg))))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(mlirBlockGetArgument(p->body, 1 + arg));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool feed = false;
    for (int i = 0; i < p->numFeeds; ++i) feed |= mlirOperationEqual(p->feeds[i].load, user);
    if (!feed && !inSlice(p, user)) return false;
  }
  return true;
}

/// Moves what is left of the old body behind the copies, reading the rings at `use`.
static void moveBody(Pipeliner *p, TileBuilder *b, MlirValue use) {
  for (int i = 0; i < p->numFeeds; ++i) {
    MlirValue view = tileBuildSlot(b, p->feeds[i].ring, use);
    mlirOperationDestroy(p->feeds[i].store);
    mlirOperationDestroy(p->feeds[i].load);
    mlirValueReplaceAllUsesOfWith(tileResult(p->feeds[i].alloc), view);
    mlirOperationDestroy(p->feeds[i].alloc);
  }
  TILE_FOR_EACH_OP(op, p->body) {
    if (tileOpIs(op, "scf.yield")) break;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(b->block, op);
  }
}

static void rewriteLoop(Pipeliner *p) {
  MlirValue ahead[maxCarried];
  emitPrologue(p, ahead);
  TileBuilder outer = tileBuilderBefore(p->loop);
  MlirOperation loop = buildLoop(p, ahead, &outer);
  MlirBlock body = tileBody(loop, 0);
  TileBuilder b = tileBuilderAtEnd(body, outer.location);
  intptr_t numArgs = mlirOperationGetNumResults(p->loop);
  MlirValue iv = mlirBlockGetArgument(body, 0),
            fill = mlirBlockGetArgument(body, 1 + numArgs + p->numCarried),
            use = mlirBlockGetArgument(body, 2 + numArgs + p->numCarried);

  emitWait(&b, p->stages - 2);
  tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirValue later = advanced(&b, iv, tileOperand(p->loop, 2), p->stages - 1);
  MlirValue exists = tileBuildCmpi(&b, TILE_SLT, later, tileOperand(p->loop, 1));
  tileValueMapSet(&p->map, mlirBlockGetArgument(p->body, 0), later);
  for (int i = 0; i < p->numCarried; ++i)
    tileValueMapSet(&p->map, mlirBlockGetArgument(p->body, 1 + p->carried[i]),
                    mlirBlockGetArgument(body, 1 + numArgs + i));
  cloneSlice(p, &b);
  emitCopies(p, &b, fill, exists);

  MlirOperation yield = mlirBlockGetTerminator(p->body);
  MlirValue yields[2 * maxCarried + 2];
  bool stale[maxCarried] = {0};
  for (int i = 0; i < p->numCarried; ++i) {
    yields[numArgs + i] = tileValueMapGet(p->map, tileOperand(yield, p->carried[i]));
    stale[i] = onlyForSlice(p, p->carried[i]);
  }
  for (intptr_t i = 0; i <= numArgs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(p->body, i), mlirBlockGetArgument(body, i));
  moveBody(p, &b, use);
  for (intptr_t i = 0; i < numArgs; ++i) yields[i] = tileOperand(yield, i);
  for (int i = 0; i < p->numCarried; ++i)
    if (stale[i]) yields[p->carried[i]] = mlirBlockGetArgument(body, 1 + p->carried[i]);
  yields[numArgs + p->numCarried] = nextStage(&b, fill, p->stages);
  yields[numArgs + p->numCarried + 1] = nextStage(&b, use, p->stages);
  tileBuildOp(&b, "scf.yield", numArgs + p->numCarried + 2, yields, TILE_NONE, TILE_NONE, 0);
  emitWait(&outer, 0);
  // Round an outer loop the next prologue fills slots that slower threads may still read.
  if (!tileOpIsAFunc(mlirOperationGetParentOperation(p->loop)))
    tileBuildOp(&outer, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  for (intptr_t i = 0; i < numArgs; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->loop, i),
                                  mlirOperationGetResult(loop, i));
  mlirOperationDestroy(p->loop);
}

//===- the pass -----------------------------------------------------------===//

/// Bytes of one stage.
static int64_t stageBytes(const Pipeliner *p) {
  int64_t bytes = 0;
  for (int i = 0; i < p->numFeeds; ++i) {
    MlirType type = mlirValueGetType(tileResult(p->feeds[i].load));
    bytes += tileNumElements(type) * tileBitWidth(tileElementType(type)) / 8;
  }
  return bytes;
}

/// How many blocks, 1 or 2, the registers of a multiprocessor are for, of which a thread takes one
/// for each 32 bits of numbers that the loop carries, and some for what it computes with.
static int residentBlocks(const Pipeliner *p, int64_t numWarps) {
  int64_t bits = 0, threads = 32 * numWarps;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(p->loop); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(p->loop, i));
    MlirType element = tileElementType(type);
    if (tileTypeIsTile(type) && !tileTypeIsAPtr(element))
      bits += tileNumElements(type) * tileBitWidth(element);
  }
  const TileMachine *m = tileMachineOf(p->loop);
  int blocks = tileMachineNumber(m, TILE_NUMBER_RESIDENT_BLOCKS);
  int64_t working = tileMachineNumber(m, TILE_NUMBER_WORKING_REGISTERS) * threads;
  return blocks * (bits / 32 + working) <= m->registers ? blocks : 1;
}

static MlirWalkResult addGuarded(MlirOperation op, void *data) {
  if (tileOpIsAAllocShared(op) && !mlirAttributeIsNull(tileAttr(op, "guarded")))
    *(int64_t *)data += tileBufferBytes(mlirValueGetType(tileResult(op)));
  return MlirWalkResultAdvance;
}

/// What is left of shared memory beside the rings that the copy engine fills.
static int64_t bytesLeft(MlirOperation func, int64_t sharedBytes) {
  int64_t taken = 0;
  mlirOperationWalk(func, addGuarded, &taken, MlirWalkPreOrder);
  return sharedBytes - taken;
}

/// The loop's own number of stages, or the pass's; else as many as leave room for the blocks that a
/// multiprocessor can have at a time, PIPELINE_STAGES at most. 1 where not even two stages fit.
static int chooseStages(const Pipeliner *p, int64_t wish, int64_t sharedBytes, int64_t numWarps) {
  int64_t own = tileIntAttr(p->loop, "tile.num_stages", wish), bytes = stageBytes(p);
  if (own) return (int)own;
  if (2 * bytes > sharedBytes) {
    tileEmitRemark(mlirOperationGetLocation(p->loop),
                   "loop is not pipelined: expected two stages in %lld bytes of shared memory, "
                   "found stages of %lld",
                   (long long)sharedBytes, (long long)bytes);
    return 1;
  }
  int stages = tileMachineNumber(tileMachineOf(p->loop), TILE_NUMBER_PIPELINE_STAGES);
  int blocks = residentBlocks(p, numWarps);
  while (stages > 2 && blocks * stages * bytes > sharedBytes) --stages;
  return stages;
}

static bool checkStages(MlirOperation op, int64_t stages) {
  if (stages >= 0 && stages <= 16) return true;
  tileEmitError(mlirOperationGetLocation(op), "expected 1 to 16 stages, found %lld",
                (long long)stages);
  return false;
}

/// Pipelines the loop if it has what can be copied ahead; false where it stays as it is.
static bool pipelineLoop(Pipeliner *p, int64_t wish, int64_t left, int64_t numWarps) {
  MlirLocation loc = mlirOperationGetLocation(p->loop);
  if (tileIntAttr(p->loop, "tile.num_stages", wish) == 1) return false;
  findFeeds(p);
  if (!p->numFeeds) return false;
  intptr_t carried = mlirOperationGetNumResults(p->loop);
  if (carried >= maxCarried) {
    tileEmitRemark(loc, "loop is not pipelined: expected fewer than %d carried values, found %ld",
                   (int)maxCarried, (long)carried);
    return false;
  }
  if (!findSlice(p)) return false;
  p->stages = chooseStages(p, wish, left, numWarps);
  if (p->stages == 1) return false;
  tileTrace(loc, "loop is pipelined: %d load%s in rings of %d stages, %lld bytes a stage",
            p->numFeeds, p->numFeeds == 1 ? "" : "s", p->stages, (long long)stageBytes(p));
  rewriteLoop(p);
  tileValueMapClear(&p->map);
  return true;
}

static void pipelineAll(MlirOperation func, const TileLoops *loops, int64_t wish) {
  int64_t left = bytesLeft(func, tileMachineOf(func)->sharedBytes);
  int64_t numWarps = tileIntAttr(func, "tile.num_warps", 4);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  Pipeliner *p = malloc(sizeof *p);
  if (!p) abort();
  for (int i = 0; i < loops->count; ++i) {
    *p = (Pipeliner){.loop = loops->list[i], .body = tileBody(loops->list[i], 0), .axis = axis};
    if (!pipelineLoop(p, wish, left, numWarps) || i + 1 == loops->count) continue;
    // What was analysed may be gone, and its place taken by something else.
    tileAxisAnalysisDestroy(axis);
    axis = tileAxisAnalysisCreate(func);
  }
  free(p);
  tileAxisAnalysisDestroy(axis);
}

MlirLogicalResult tileRunPipeline(MlirOperation func, const TilePipelineOptions *options) {
  int64_t wish = options->numStages ? options->numStages : tileIntAttr(func, "tile.num_stages", 0);
  if (!checkStages(func, wish)) return mlirLogicalResultFailure();
  TileLoops loops = {.count = 0};
  tileFindLoops(func, &loops);
  bool ok = true;
  for (int i = 0; ok && i < loops.count; ++i)
    ok = checkStages(loops.list[i], tileIntAttr(loops.list[i], "tile.num_stages", 0));
  if (ok) pipelineAll(func, &loops, wish);
  tileLoopsDestroy(&loops);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
