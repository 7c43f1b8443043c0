//===- PrefetchOperands.c - read a dot's operands while another computes --===//
//
// Before:  scf.for %i = .. iter_args(%acc, .., %use) {
//            tile_gpu.async_wait 1
//            gpu.barrier
//            <copies for later iterations>
//            %a = tile_gpu.buffer_stage %rings[%use]               // 128 x 32
//            %d = tile.dot %a, %b, %acc by mma_sync
//            %next = <%use + 1, round the ring> .. }
// After:   tile_gpu.async_wait 1
//          gpu.barrier
//          %a0 = tile_gpu.buffer_load %first at [0, 0]             // 128 x 16
//          scf.for %i = .. iter_args(%acc, .., %use, %fa = %a0, %fb = %b0) {
//            %a1 = tile_gpu.buffer_load %a at [0, 16]
//            <copies for later iterations>
//            %d0 = tile.dot %fa, %fb, %acc by mma_sync
//            %next = ..
//            tile_gpu.async_wait 1
//            gpu.barrier
//            %a0' = tile_gpu.buffer_load %rings[%next] at [0, 0]
//            %d1 = tile.dot %a1, %b1, %d0 by mma_sync .. }
//
// The dot is cut along K into parts of one instruction's depth, and each part's
// operands are read from shared memory before the part in front of it computes. The
// first part of an iteration is read in the one before, so the wait and the barrier
// stand where all of this iteration has been read, with products still to compute
// behind them: warps do not start every iteration by waiting for each other and then
// for shared memory. The copies of the next iteration fill what this one has read,
// and come after that barrier as before; they are spread over the parts, behind what
// is read for the next, which an assembler would not move in front of them. The last
// iteration reads a part that nobody uses.
//
// A loop is taken whose rings one mma.sync dot alone reads, where two parts of the
// operands fit beside the accumulators in a thread's registers.
//
// The idea is that of CUTLASS's multistage mainloop, and of Triton's prefetch pass.
//
// Requires: loops pipelined (tile-pipeline), and not simplified since.
// Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Layouts/Layouts.h"
#include "../Loops.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { maxCopies = 16 };

/// One operand of the dot: rows of a ring, part by part.
typedef struct {
  MlirValue view; // tile_gpu.buffer_stage of this iteration
  MlirType part;
  int dim; // K
} Operand;

typedef struct {
  MlirOperation loop, wait, barrier, dot;
  MlirOperation copies[maxCopies]; // and what closes their group
  int numCopies;
  MlirBlock body;
  MlirValue use; // which stage the dot reads: a value that the loop carries
  Operand operands[2];
  int depth; // of an instruction
  int parts;
} Prefetcher;

//===- what can be prefetched ---------------------------------------------===//

static MlirOperation stageOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIsABufferStage(op) ? op : (MlirOperation){NULL};
}

typedef struct {
  MlirOperation dot;
  int count;
} Readers;

/// Notes the ops that read stages of rings.
static MlirWalkResult findReaders(MlirOperation op, void *data) {
  Readers *readers = data;
  bool isReader = false;
  if (tileOpIsAAsyncCopy(op)) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    isReader |= !mlirOperationIsNull(stageOf(tileOperand(op, i)));
  if (!isReader) return MlirWalkResultAdvance;
  readers->dot = op;
  ++readers->count;
  return MlirWalkResultAdvance;
}

/// The layouts of the parts; false where there are none.
static bool layOut(Prefetcher *p, int64_t numWarps) {
  int64_t shape[TILE_MAX_RANK];
  TileLayout acc;
  MlirType result = mlirValueGetType(tileResult(p->dot));
  int rank = tileShape(result, shape), warps[TILE_MAX_RANK];
  if (rank != 2 || !tileTypeGetLayout(result, &acc)) return false;
  tileLayoutWarps(acc, warps);
  TileDotForm form;
  if (warps[0] * warps[1] != numWarps || !tileDotGetForm(p->dot, &form)) return false;
  p->depth = form.bits > 32 ? 4 * tileDotFormDepth(&form) : tileDotFormDepth(&form);
  int64_t words = (int64_t)tileTypeGetWords(result);
  for (int i = 0; i < 2; ++i) {
    Operand *o = &p->operands[i];
    MlirType buffer = mlirValueGetType(o->view);
    for (int d = 0; d < 2; ++d) shape[d] = tileBufferTypeGetDim(buffer, d);
    o->dim = i == 0 ? 1 : 0;
    p->parts = (int)(shape[o->dim] / p->depth);
    if (!p->parts) return false;
    shape[o->dim] = p->depth;
    TileLayout layout =
        tileLayoutMmaOperand(2, shape, warps, i == 0 ? TILE_DOT_A : TILE_DOT_B, form.bits);
    if (!tileLayoutIsValid(layout)) return false;
    MlirAttribute encoding = tileLayoutToAttr(mlirOperationGetContext(p->dot), &layout);
    o->part = mlirRankedTensorTypeGet(2, shape, tileBufferTypeGetElement(buffer), encoding);
    words += 2 * tileTypeGetWords(o->part); // two parts
  }
  return words <= tileMachineNumber(tileMachineOf(p->dot), TILE_NUMBER_PREFETCH_REGISTERS);
}

/// Why the loop, one that tile-pipeline made, stays as it is; null where it can be rewritten.
static const char *whyNot(Prefetcher *p, int64_t numWarps) {
  Readers readers = {.count = 0};
  mlirOperationWalk(p->loop, findReaders, &readers, MlirWalkPreOrder);
  MlirOperation dot = readers.dot;
  if (readers.count != 1 || !tileOpIsADot(dot) ||
      !mlirBlockEqual(mlirOperationGetBlock(dot), p->body) ||
      tileDotGetInstruction(dot) != TILE_INSTRUCTION_MMA_SYNC)
    return "expected one dot by mma.sync as what reads the copies";
  p->dot = dot;
  for (int i = 0; i < 2; ++i) {
    MlirOperation stage = stageOf(tileOperand(dot, i));
    if (mlirOperationIsNull(stage)) return "expected copies for both operands of the dot";
    p->operands[i].view = tileResult(stage);
    MlirValue use = tileBufferStageGetStage(stage);
    bool isCarried = mlirValueIsABlockArgument(use) &&
                     mlirBlockEqual(mlirBlockArgumentGetOwner(use), p->body) &&
                     mlirBlockArgumentGetArgNumber(use) > 0;
    if (!isCarried || (i > 0 && !mlirValueEqual(use, p->use)))
      return "expected operands in the stage that the loop carries";
    p->use = use;
  }
  if (!layOut(p, numWarps)) return "expected two parts of both operands to fit the registers";
  return p->parts < 2 ? "expected a dot of two instructions' depth or more" : NULL;
}

//===- rewriting ----------------------------------------------------------===//

/// tile_gpu.buffer_load of part `n` of a stage.
static MlirValue loadPart(TileBuilder *b, const Operand *o, MlirValue view, int n) {
  int32_t at[2] = {0, 0};
  int64_t shape[TILE_MAX_RANK];
  tileShape(o->part, shape);
  at[o->dim] = n * (int32_t)shape[o->dim];
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 2, at);
  return tileResult(tileBuildOp(b, "tile_gpu.buffer_load", TILE_VALUES(view), 1, &o->part,
                                TILE_ATTRS({"at", attr}), 0));
}

/// Part 0 of stage `stage` of the ring.
static MlirValue loadFirst(TileBuilder *b, const Operand *o, MlirValue stage) {
  MlirValue ring = tileBufferStageGetRing(tileValueGetOp(o->view));
  MlirValue view =
      tileBuild(b, "tile_gpu.buffer_stage", mlirValueGetType(o->view), TILE_VALUES(ring, stage));
  return loadPart(b, o, view, 0);
}

static void buildWait(TileBuilder *b, MlirAttribute pending) {
  tileBuildOp(b, "tile_gpu.async_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", pending}), 0);
  tileBuildOp(b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Moves what `value` is computed from, inside the body and after `dot`, in front of the dot: a few
/// ops of arithmetic, as tile-pipeline made them.
static void moveBefore(const Prefetcher *p, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), p->body)) return;
  if (mlirOperationIsBeforeInBlock(op, p->dot)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) moveBefore(p, tileOperand(op, i));
  mlirOperationMoveBefore(op, p->dot);
}

/// The dot of part `n`, by register tiles.
static MlirValue buildDot(TileBuilder *b, const Prefetcher *p, const MlirValue parts[2],
                          MlirValue acc) {
  MlirOperation made = mlirOperationClone(p->dot);
  mlirOperationSetOperand(made, 0, parts[0]);
  mlirOperationSetOperand(made, 1, parts[1]);
  mlirOperationSetOperand(made, 2, acc);
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, made);
  return tileResult(made);
}

/// The copies in front of the dot; none are moved where there are more than expected.
static void findCopies(Prefetcher *p) {
  for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationEqual(op, p->dot);
       op = mlirOperationGetNextInBlock(op)) {
    if (!tileOpIsAAsyncCopy(op) && !tileOpIsAAsyncCommit(op)) continue;
    if (p->numCopies == maxCopies) {
      p->numCopies = 0;
      return;
    }
    p->copies[p->numCopies++] = op;
  }
}

/// Moves the share of part `n`, one of all but the last, in front of the dot: the first part's is
/// everything where this iteration waits for its own copies.
static void placeCopies(const Prefetcher *p, int n, bool isAwaited) {
  int parts = isAwaited ? 1 : p->parts - 1;
  if (n >= parts) return;
  for (int i = p->numCopies * n / parts; i < p->numCopies * (n + 1) / parts; ++i)
    mlirOperationMoveBefore(p->copies[i], p->dot);
}

static void rewriteLoop(Prefetcher *p) {
  MlirAttribute pending = tileAttr(p->wait, "pending");
  int carried = (int)mlirBlockArgumentGetArgNumber(p->use); // operand and yield are found by it
  TileBuilder outer = tileBuilderBefore(p->loop);
  MlirValue firsts[2], parts[2], ahead[2], acc = tileDotGetAcc(p->dot);
  buildWait(&outer, pending);
  for (int i = 0; i < 2; ++i)
    firsts[i] = loadFirst(&outer, &p->operands[i], tileOperand(p->loop, 2 + carried));
  intptr_t numArgs = mlirBlockGetNumArguments(p->body);
  p->loop = tileExtendFor(p->loop, 2, firsts);
  mlirOperationDestroy(p->wait);
  mlirOperationDestroy(p->barrier);

  findCopies(p);
  TileBuilder b = tileBuilderBefore(p->dot);
  MlirValue next = tileOperand(mlirBlockGetTerminator(p->body), carried - 1);
  for (int i = 0; i < 2; ++i) parts[i] = mlirBlockGetArgument(p->body, numArgs + i);
  for (int n = 0; n < p->parts; ++n) {
    if (n + 1 == p->parts) {
      moveBefore(p, next);
      buildWait(&b, pending);
    }
    for (int i = 0; i < 2; ++i)
      ahead[i] = n + 1 == p->parts ? loadFirst(&b, &p->operands[i], next)
                                   : loadPart(&b, &p->operands[i], p->operands[i].view, n + 1);
    if (n + 1 < p->parts) placeCopies(p, n, mlirIntegerAttrGetValueInt(pending) == 0);
    acc = buildDot(&b, p, parts, acc);
    for (int i = 0; i < 2; ++i) parts[i] = ahead[i];
  }
  tileExtendYield(p->body, 2, parts);
  mlirValueReplaceAllUsesOfWith(tileResult(p->dot), acc);
  mlirOperationDestroy(p->dot);
}

//===- the pass -----------------------------------------------------------===//

/// Does tile-pipeline's wait and barrier open the body?
static bool isPipelined(Prefetcher *p) {
  p->wait = mlirBlockGetFirstOperation(p->body);
  if (!tileOpIsAAsyncWait(p->wait)) return false;
  p->barrier = mlirOperationGetNextInBlock(p->wait);
  return tileOpIs(p->barrier, "gpu.barrier");
}

MlirLogicalResult tileRunPrefetchOperands(MlirOperation func) {
  TileOpList loops = {0};
  int64_t numWarps = tileIntAttr(func, "tile.num_warps", 4);
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) {
    Prefetcher p = {.loop = loops.ops[i], .body = tileBody(loops.ops[i], 0)};
    if (!isPipelined(&p)) continue;
    MlirLocation loc = mlirOperationGetLocation(p.loop);
    const char *reason = whyNot(&p, numWarps);
    if (reason) {
      tileEmitRemark(loc, "operands are not read ahead: %s", reason);
      continue;
    }
    tileTrace(loc, "operands are read ahead: %d parts of depth %d", p.parts, p.depth);
    rewriteLoop(&p);
  }
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
