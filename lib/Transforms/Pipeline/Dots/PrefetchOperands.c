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
// Where another role copies (tile-warp-specialize) the next step's stage is waited for
// in front of the last part, and this step's is given back behind it, as before:
//
// Before:  scf.for .. iter_args(%acc, %use, %phase) {
//            tile_gpu.barrier_wait %full[%use] parity %phase
//            %d = tile.dot <%rings[%use]>, .., %acc by mma_sync
//            tile_gpu.barrier_arrive %empty[%use]
//            %next, %other = .. }
// After:   %a0 = <waits for the first, if there are steps>
//          scf.for .. iter_args(%acc, %use, %phase, %fa = %a0, ..) {
//            %a1 = tile_gpu.buffer_load %a at [0, 16]
//            %d0 = tile.dot %fa, %fb, %acc by mma_sync
//            %next, %other = ..                       // behind the last step: %use, %phase
//            tile_gpu.barrier_wait %full[%next] parity %other
//            %a0' = tile_gpu.buffer_load <%rings[%next]> at [0, 0]
//            %d1 = tile.dot %a1, %b1, %d0 by mma_sync
//            tile_gpu.barrier_arrive %empty[%use] .. }
//
// A dot by FMA is cut into parts of 16 bytes along K, of which threads hold what their
// sums want: no loop over K is left in it.
//
// A loop is taken whose rings one dot alone reads, by mma.sync or FMA, where two parts
// of the operands fit beside the accumulators, and what lives through the loop, in a
// thread's registers.
//
// The idea is that of CUTLASS's multistage mainloop, and of Triton's prefetch pass.
//
// Requires: loops pipelined (tile-pipeline), and not simplified since.
// Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../../Layouts/Layouts.h"
#include "../../Loops.h"
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Schedule.h"
#include "tile/Trace.h"

enum { maxCopies = 16 };

/// One operand of the dot: rows of a ring, part by part.
typedef struct {
  MlirValue view; // tile_gpu.buffer_stage of this iteration, or tile_gpu.buffer_trans of it
  MlirType part;
  int dim; // K
} Operand;

typedef struct {
  MlirOperation loop, dot;
  MlirOperation wait; // for a step's copies: an async_wait in front of `barrier`, or a barrier_wait
  MlirOperation barrier;           // null where another role copies
  MlirOperation copies[maxCopies]; // and what closes their group
  int numCopies;
  MlirBlock body;
  MlirValue use;         // which stage the dot reads: a value that the loop carries
  MlirAttribute pending; // of the async_wait
  MlirValue full, phase; // where another role copies: the barriers of stages, and that one's phase
  Operand operands[2];
  int depth; // of an instruction
  int parts;
} Prefetcher;

//===- what can be prefetched ---------------------------------------------===//

/// The stage of a ring that `value` is, or shows with other dimensions; null where it is none.
static MlirOperation stageOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIsABufferTrans(op)) op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && tileOpIsABufferStage(op) ? op : (MlirOperation){NULL};
}

typedef struct {
  MlirOperation dot;
  int count;
} Readers;

static bool isSignal(MlirOperation op) {
  return tileOpIsABarrierWait(op) || tileOpIsABarrierArrive(op);
}

/// Notes the ops that read stages of rings.
static MlirWalkResult findReaders(MlirOperation op, void *data) {
  Readers *readers = data;
  bool isReader = false;
  if (tileOpIsAAsyncCopy(op) || tileOpIsBufferView(op) || isSignal(op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    isReader |= !mlirOperationIsNull(stageOf(tileOperand(op, i)));
  if (!isReader) return MlirWalkResultAdvance;
  readers->dot = op;
  ++readers->count;
  return MlirWalkResultAdvance;
}

static bool isMma(MlirOperation dot) {
  return tileDotGetInstruction(dot) == TILE_INSTRUCTION_MMA_SYNC;
}

/// Is it a value that the loop carries?
static bool isCarried(const Prefetcher *p, MlirValue value) {
  return tileCarriedNumber(p->body, value) >= 0;
}

/// The layout of operand `i` in registers, `shape` being a part's; invalid where there is none.
static TileLayout layoutOfPart(const Prefetcher *p, TileLayout acc, int i, const int64_t shape[],
                               int bits) {
  if (isMma(p->dot))
    return tileLayoutMmaOperandOf(acc, shape, i == 0 ? TILE_DOT_A : TILE_DOT_B, bits);
  int k = p->operands[i].dim;
  bool alongDepth = tileBufferTypeGetOrder(mlirValueGetType(p->operands[i].view), 0) == k;
  return tileLayoutFmaOperand(acc, 1 - k, k, __builtin_ctz((unsigned)p->depth), alongDepth);
}

/// The registers a thread that accumulators and parts may take.
static int64_t mostWords(MlirOperation func, const TileMachine *m, int numWarps) {
  int warps = (int)tileIntAttr(func, "tile_gpu.block_warps", numWarps), left = 0;
  TileSchedule schedule = {.blocks = 1};
  tileScheduleFromAttr(tileAttr(func, "tile_gpu.schedule"), &schedule);
  if (warps - numWarps >= 4)
    left = tileMachineConsumerRegisters(m, numWarps / 4,
                                        tileMachineNumber(m, TILE_NUMBER_PRODUCER_REGISTERS));
  if (!left) left = tileMachineShareRegisters(m, warps, (int)schedule.blocks);
  left -= tileMachineNumber(m, TILE_NUMBER_PREFETCH_OTHERS);
  int most = tileMachineNumber(m, TILE_NUMBER_PREFETCH_REGISTERS);
  return left < most ? left : most;
}

/// How much of K a part has, of elements of `bits`; 0 where it is cut into none. By FMA, what a
/// load of 16 bytes along it has, as far as all parts together are no more code than pays.
static int depthOf(const Prefetcher *p, const TileMachine *m, int *bits) {
  TileDotForm form;
  if (isMma(p->dot)) {
    if (!tileDotGetForm(p->dot, &form)) return 0;
    *bits = form.bits;
    return form.bits > 32 ? 4 * tileDotFormDepth(&form) : tileDotFormDepth(&form);
  }
  *bits = tileBitWidth(tileBufferTypeGetElement(mlirValueGetType(p->operands[0].view)));
  int64_t sums = tileTypeGetWords(mlirValueGetType(tileResult(p->dot)));
  int64_t depth = tileBufferTypeGetDim(mlirValueGetType(p->operands[0].view), 1);
  return sums * depth > tileMachineNumber(m, TILE_NUMBER_PREFETCH_PRODUCTS) ? 0 : 128 / *bits;
}

/// The layouts of the parts; false where there are none.
static bool layOut(Prefetcher *p, MlirOperation func, int numWarps) {
  int64_t shape[TILE_MAX_RANK];
  TileLayout acc;
  MlirType result = mlirValueGetType(tileResult(p->dot));
  int rank = tileShape(result, shape), warps[TILE_MAX_RANK];
  if (rank != 2 || !tileTypeGetLayout(result, &acc)) return false;
  tileLayoutWarps(acc, warps);
  const TileMachine *m = tileMachineOf(p->dot);
  int bits = 0;
  p->depth = warps[0] * warps[1] == numWarps ? depthOf(p, m, &bits) : 0;
  if (!p->depth) return false;
  int64_t words = (int64_t)tileTypeGetWords(result) + tileLiveWords(p->loop);
  for (int i = 0; i < 2; ++i) {
    Operand *o = &p->operands[i];
    MlirType buffer = mlirValueGetType(o->view);
    for (int d = 0; d < 2; ++d) shape[d] = tileBufferTypeGetDim(buffer, d);
    o->dim = i == 0 ? 1 : 0;
    p->parts = (int)(shape[o->dim] / p->depth);
    if (!p->parts) return false;
    shape[o->dim] = p->depth;
    TileLayout layout = layoutOfPart(p, acc, i, shape, bits);
    if (!tileLayoutIsValid(layout)) return false;
    MlirAttribute encoding = tileLayoutToAttr(mlirOperationGetContext(p->dot), &layout);
    o->part = mlirRankedTensorTypeGet(2, shape, tileBufferTypeGetElement(buffer), encoding);
    // Two parts; wide fragments of A are moved into their places from where loads of 16 bytes leave
    // them, and are there twice.
    bool isMoved = i == 0 && bits > 32 && tileMachineHas(m, TILE_FEATURE_MMA_F64_WIDE);
    words += (isMoved ? 3 : 2) * tileTypeGetWords(o->part);
  }
  return words <= mostWords(func, m, numWarps);
}

/// Where another role copies: finds the wait for the stage that the dot reads. The stage is given
/// back behind the dot, so that one more has to be there to be read meanwhile.
static bool findSignals(Prefetcher *p) {
  MlirValue ring = tileBufferStageGetRing(stageOf(p->operands[0].view));
  if (tileBufferTypeGetStages(mlirValueGetType(ring)) < 2) return false;
  TILE_FOR_EACH_OP(op, p->body) {
    if (!isSignal(op)) continue;
    MlirOperation slot = stageOf(tileOperand(op, 0));
    if (mlirOperationIsNull(slot) || !mlirValueEqual(tileBufferStageGetStage(slot), p->use))
      continue;
    bool isWait = tileOpIsABarrierWait(op);
    if (isWait != mlirOperationIsBeforeInBlock(op, p->dot)) return false;
    if (!isWait) continue;
    if (!mlirOperationIsNull(p->wait)) return false;
    p->wait = op;
    p->full = tileBufferStageGetRing(slot);
    p->phase = tileBarrierWaitGetParity(op);
  }
  return !mlirOperationIsNull(p->wait) && isCarried(p, p->phase);
}

/// Why the loop, one that tile-pipeline made, stays as it is; null where it can be rewritten.
static const char *whyNot(Prefetcher *p, MlirOperation func, int numWarps) {
  Readers readers = {.count = 0};
  mlirOperationWalk(p->loop, findReaders, &readers, MlirWalkPreOrder);
  MlirOperation dot = readers.dot;
  if (readers.count != 1 || !tileOpIsADot(dot) ||
      !mlirBlockEqual(mlirOperationGetBlock(dot), p->body) ||
      tileDotGetInstruction(dot) == TILE_INSTRUCTION_WGMMA)
    return "expected one dot by mma.sync or fma as what reads the copies";
  p->dot = dot;
  for (int i = 0; i < 2; ++i) {
    MlirOperation stage = stageOf(tileOperand(dot, i));
    if (mlirOperationIsNull(stage)) return "expected copies for both operands of the dot";
    p->operands[i].view = tileOperand(dot, i);
    MlirValue use = tileBufferStageGetStage(stage);
    if (!isCarried(p, use) || (i > 0 && !mlirValueEqual(use, p->use)))
      return "expected operands in the stage that the loop carries";
    p->use = use;
  }
  if (mlirOperationIsNull(p->barrier) && !findSignals(p))
    return "expected a wait for the stage that the loop carries, and another stage";
  if (!layOut(p, func, numWarps)) return "expected two parts of both operands to fit the registers";
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
  MlirValue view = tileBuildSlot(b, tileBufferStageGetRing(stageOf(o->view)), stage);
  MlirOperation shown = tileValueGetOp(o->view);
  if (tileOpIsABufferTrans(shown)) {
    shown = mlirOperationClone(shown);
    mlirOperationSetOperand(shown, 0, view);
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, shown);
    view = tileResult(shown);
  }
  return loadPart(b, o, view, 0);
}

/// Waits for the copies of a stage.
static void buildWait(TileBuilder *b, const Prefetcher *p, MlirValue stage, MlirValue phase) {
  if (mlirOperationIsNull(p->barrier)) {
    MlirValue full = tileBuildSlot(b, p->full, stage);
    tileBuildOp(b, "tile_gpu.barrier_wait", TILE_VALUES(full, phase), TILE_NONE, TILE_NONE, 0);
    return;
  }
  tileBuildOp(b, "tile_gpu.async_wait", TILE_NONE, TILE_NONE, TILE_ATTRS({"pending", p->pending}),
              0);
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
static void placeCopies(const Prefetcher *p, int n) {
  if (!p->numCopies) return;
  int parts = mlirIntegerAttrGetValueInt(p->pending) == 0 ? 1 : p->parts - 1;
  if (n >= parts) return;
  for (int i = p->numCopies * n / parts; i < p->numCopies * (n + 1) / parts; ++i)
    mlirOperationMoveBefore(p->copies[i], p->dot);
}

/// Part 0 of the first step, in front of the loop. Another role copies nothing for a loop of no
/// steps.
static void readFirst(const Prefetcher *p, MlirValue firsts[2]) {
  TileBuilder b = tileBuilderBefore(p->loop), in = b;
  MlirType types[2] = {p->operands[0].part, p->operands[1].part};
  MlirValue stage = tileCarriedInit(p->use);
  MlirOperation branch = {NULL};
  if (mlirOperationIsNull(p->barrier)) {
    MlirValue any = tileBuildCmpi(&b, TILE_SLT, tileForGetLower(p->loop), tileForGetUpper(p->loop));
    branch = tileBuildIf(&b, any, 2, types, true);
    in = tileBuilderAtEnd(tileBody(branch, 0), b.location);
  }
  buildWait(&in, p, stage, mlirOperationIsNull(branch) ? stage : tileCarriedInit(p->phase));
  for (int i = 0; i < 2; ++i) firsts[i] = loadFirst(&in, &p->operands[i], stage);
  if (mlirOperationIsNull(branch)) return;
  tileBuildOp(&in, "scf.yield", 2, firsts, TILE_NONE, TILE_NONE, 0);
  in = tileBuilderAtEnd(tileBody(branch, 1), b.location);
  for (int i = 0; i < 2; ++i) firsts[i] = tileBuildZero(&in, types[i]);
  tileBuildOp(&in, "scf.yield", 2, firsts, TILE_NONE, TILE_NONE, 0);
  for (int i = 0; i < 2; ++i) firsts[i] = mlirOperationGetResult(branch, i);
}

/// Waits for the next step's copies, and reads its part 0. Behind the last step another role copies
/// nothing, or for another loop: it reads its own stage again.
static void readNext(TileBuilder *b, const Prefetcher *p, MlirValue ahead[2]) {
  MlirValue stage = tileCarriedNext(p->use), phase = {NULL};
  moveBefore(p, stage);
  if (mlirOperationIsNull(p->barrier)) {
    phase = tileCarriedNext(p->phase);
    moveBefore(p, phase);
    MlirValue next =
        tileBuildBinary(b, "arith.addi", mlirBlockGetArgument(p->body, 0), tileForGetStep(p->loop));
    MlirValue more = tileBuildCmpi(b, TILE_SLT, next, tileForGetUpper(p->loop));
    stage = tileBuildSelect(b, more, stage, p->use);
    phase = tileBuildSelect(b, more, phase, p->phase);
  }
  buildWait(b, p, stage, phase);
  for (int i = 0; i < 2; ++i) ahead[i] = loadFirst(b, &p->operands[i], stage);
}

static void rewriteLoop(Prefetcher *p) {
  MlirValue firsts[2], parts[2], ahead[2], acc = tileDotGetAcc(p->dot);
  readFirst(p, firsts);
  intptr_t numArgs = mlirBlockGetNumArguments(p->body);
  p->loop = tileExtendFor(p->loop, 2, firsts);
  mlirOperationDestroy(p->wait);
  if (!mlirOperationIsNull(p->barrier)) mlirOperationDestroy(p->barrier);

  findCopies(p);
  TileBuilder b = tileBuilderBefore(p->dot);
  for (int i = 0; i < 2; ++i) parts[i] = mlirBlockGetArgument(p->body, numArgs + i);
  for (int n = 0; n < p->parts; ++n) {
    if (n + 1 == p->parts) {
      readNext(&b, p, ahead);
    } else {
      for (int i = 0; i < 2; ++i)
        ahead[i] = loadPart(&b, &p->operands[i], p->operands[i].view, n + 1);
      placeCopies(p, n);
    }
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
  MlirOperation wait = mlirBlockGetFirstOperation(p->body);
  if (!tileOpIsAAsyncWait(wait)) return false;
  MlirOperation barrier = mlirOperationGetNextInBlock(wait);
  if (!tileOpIs(barrier, "gpu.barrier")) return false;
  p->wait = wait;
  p->barrier = barrier;
  p->pending = tileAttr(wait, "pending");
  return true;
}

/// Does it wait for what another role copies, for a dot by mma.sync?
static bool isReceiver(const Prefetcher *p) {
  bool waits = false, multiplies = false;
  TILE_FOR_EACH_OP(op, p->body) {
    waits |= tileOpIsABarrierWait(op);
    multiplies |= tileOpIsADot(op) && tileDotGetInstruction(op) != TILE_INSTRUCTION_WGMMA;
  }
  return waits && multiplies;
}

static void runLoop(MlirOperation loop) {
  Prefetcher p = {.loop = loop, .body = tileBody(loop, 0)};
  if (!isPipelined(&p) && !isReceiver(&p)) return;
  MlirLocation loc = mlirOperationGetLocation(loop);
  const char *reason = whyNot(&p, tileFuncOf(loop), tileNumWarpsOf(loop));
  if (reason) {
    tileEmitRemark(loc, "operands are not read ahead: %s", reason);
    return;
  }
  tileTrace(loc, "operands are read ahead: %d parts of depth %d", p.parts, p.depth);
  rewriteLoop(&p);
}

MlirLogicalResult tileRunPrefetchOperands(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
