//===- OverlapDots.c - what lies between two dots runs under one of them --===//
//
// Before:  scf.for %i = %lower to %upper iter_args(%acc = ..) {
//            barrier_wait K ; %s = tile.dot %q, %k, 0 by wgmma ; barrier_arrive K
//            %p = exp2(%s ..) ; %old = %acc * ..
//            barrier_wait V ; %d = tile.dot %p, %v, %old by wgmma ; barrier_arrive V
//            scf.yield %d }
// After:   scf.if %lower < %upper {
//            first half of step 0: %p
//            scf.for %i = %lower + 1 .. iter_args(%acc = .., %p0 = %p) {
//              %old = %acc * ..
//              barrier_wait K ; %s = tile.dot %q, %k, 0 by wgmma async
//              barrier_wait V ; %d = tile.dot %p0, %v, %old by wgmma async
//              tile_gpu.dot_wait %s pending 1 tied ; barrier_arrive K
//              %e = exp2(%s ..)
//              tile_gpu.dot_wait %d pending 0 tied ; %p = truncf %e ; barrier_arrive V
//              scf.yield %d, %p }
//            second half of the last step
//          } else { what the loop starts from }
//
// The second half of a step (the second dot, what it adds to, its channel) runs in the next: all
// that is computed from the first dot runs while the second is on the tensor cores. What the first
// half made for the second is carried. Warp groups start their dots in turn (tile_gpu.turn_wait in
// front of the first, tile_gpu.turn_pass behind the second), so that what lies between the dots of
// one runs under those of the other. The scheme is FlashAttention-3's (Shah et al. 2024,
// "intra-warpgroup overlap" and "pingpong"), applied to any loop of two chained dots.
//
// Declines, with a remark, where the first half needs the second's result, or what is alive at
// once exceeds the registers.
//
// Requires: roles assigned (tile-warp-specialize).  Preserves: numerics, order of barriers.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/IR.h"
#include "tile/Layout.h"
#include "tile/Passes.h"
#include <stdlib.h>

enum { maxOps = 512, maxCarried = 64 };

/// The parts in the order of a step: what is computed for the second dot of the step before, the
/// first dot, the second dot, what follows the first, what makes A of the next second dot, and what
/// follows the second.
typedef enum { ADDEND, BEGIN, SECOND, REST, OPERAND, END } Part;

typedef struct {
  MlirOperation loop;
  MlirBlock body;
  MlirOperation ops[maxOps];
  Part parts[maxOps];
  int numOps, first, second; // of ops
  bool delayed[maxCarried];  // does the second half make what the loop carries?
  MlirValue crossing[maxCarried];
  int numCrossing;
  bool turns; // do several warp groups share the tensor cores?
} Overlap;

//===- parts --------------------------------------------------------------===//

static int indexOf(const Overlap *o, MlirOperation op) {
  for (int i = 0; i < o->numOps; ++i)
    if (mlirOperationEqual(o->ops[i], op)) return i;
  return -1;
}

static bool isLate(const Overlap *o, int i) {
  return i >= 0 && (o->parts[i] == ADDEND || o->parts[i] == SECOND || o->parts[i] == END);
}

/// The number of what the loop carries that `value` is the body's argument for; -1: none.
static intptr_t carriedNumber(const Overlap *o, MlirValue value) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), o->body))
    return -1;
  return mlirBlockArgumentGetArgNumber(value) - 1;
}

/// Does the second half of the same step make `value`, or did that of the step before?
static bool isMadeLate(const Overlap *o, MlirValue value) {
  intptr_t number = carriedNumber(o, value);
  if (number >= 0) return o->delayed[number];
  return !mlirValueIsABlockArgument(value) && isLate(o, indexOf(o, tileValueGetOp(value)));
}

/// The first reason why `loop` stays as it is; null where it holds two dots, and nothing that has
/// effects but barriers. `isMeant` is set where there are two dots.
static const char *collect(Overlap *o, bool *isMeant) {
  int dots = 0;
  bool isFull = false;
  *isMeant = false;
  const char *reason = NULL;
  o->first = o->second = -1;
  TILE_FOR_EACH_OP(op, o->body) {
    if (tileOpIs(op, "scf.yield")) break;
    bool isDot = tileOpIsWgmma(op);
    if (isDot) dots += 1 + tileDotGetAsync(op);
    if (o->numOps == maxOps) {
      isFull = true;
      continue;
    }
    if (isDot) {
      *(o->first < 0 ? &o->first : &o->second) = o->numOps;
    } else if (!tileOpIsMovable(op) && !tileOpIsABarrierWait(op) && !tileOpIsABarrierArrive(op)) {
      reason = "expected nothing but dots, barriers and arithmetic, found another op";
    }
    o->ops[o->numOps++] = op;
  }
  *isMeant = dots == 2 && (o->second >= 0 || isFull);
  if (isFull) return "expected a body of at most 512 ops, found more";
  if (mlirOperationGetNumResults(o->loop) > maxCarried)
    return "expected a loop that carries at most 64 values, found more";
  return reason;
}

static bool isOnlyUsedLate(const Overlap *o, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!isLate(o, indexOf(o, mlirOpOperandGetOwner(use)))) return false;
  }
  return true;
}

static bool readsLate(const Overlap *o, MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    if (isMadeLate(o, tileOperand(op, k))) return true;
  return false;
}

/// One more look at all ops and carried values; false when nothing has changed.
static bool delayMore(Overlap *o) {
  bool changed = false;
  MlirOperation yield = mlirBlockGetTerminator(o->body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    if (!o->delayed[i] && isMadeLate(o, tileOperand(yield, i))) changed = o->delayed[i] = true;
  for (int i = o->numOps; i-- > 0;) {
    MlirOperation op = o->ops[i];
    if (isLate(o, i)) continue;
    // A view is cheaper made in the second half than carried to it.
    bool late = readsLate(o, op) || (tileOpIsView(op) && isOnlyUsedLate(o, op));
    if (!late) continue;
    o->parts[i] = i > o->second ? END : ADDEND;
    changed = true;
  }
  return changed;
}

/// Scalars that only the second half uses, as the cursor of its channel: they move to it together
/// with what the loop carries of them, or stay where anybody else looks at one.
typedef struct {
  bool ops[maxOps], carried[maxCarried];
} Scalars;

static bool isOnlyFor(const Overlap *o, const Scalars *s, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    int i = indexOf(o, user);
    bool ours = i >= 0
                    ? isLate(o, i) || s->ops[i]
                    : tileOpIs(user, "scf.yield") && s->carried[mlirOpOperandGetOperandNumber(use)];
    if (!ours) return false;
  }
  return true;
}

static bool isIn(const Overlap *o, const Scalars *s, MlirValue value) {
  intptr_t number = carriedNumber(o, value);
  if (number >= 0) return s->carried[number];
  if (mlirValueIsABlockArgument(value)) return false;
  int i = indexOf(o, tileValueGetOp(value));
  return i >= 0 && (s->ops[i] || isLate(o, i));
}

/// Takes out what does not belong; false when all is settled.
static bool sieveScalars(const Overlap *o, Scalars *s) {
  bool changed = false;
  MlirOperation yield = mlirBlockGetTerminator(o->body);
  for (int i = 0; i < o->numOps; ++i)
    for (intptr_t r = 0; s->ops[i] && r < mlirOperationGetNumResults(o->ops[i]); ++r)
      if (!isOnlyFor(o, s, mlirOperationGetResult(o->ops[i], r))) {
        s->ops[i] = false;
        changed = true;
      }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    if (s->carried[i] && (!isOnlyFor(o, s, mlirBlockGetArgument(o->body, 1 + i)) ||
                          !isIn(o, s, tileOperand(yield, i)))) {
      s->carried[i] = false;
      changed = true;
    }
  return changed;
}

static void delayScalars(Overlap *o) {
  Scalars s = {0};
  for (int i = 0; i < o->numOps; ++i)
    s.ops[i] = !isLate(o, i) && tileOpIsScalarArithmetic(o->ops[i]);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    s.carried[i] = !tileTypeIsTile(mlirValueGetType(mlirBlockGetArgument(o->body, 1 + i)));
  while (sieveScalars(o, &s)) {
  }
  for (int i = 0; i < o->numOps; ++i)
    if (s.ops[i]) o->parts[i] = i > o->second ? END : ADDEND;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i) o->delayed[i] |= s.carried[i];
}

/// The op that makes A of the second dot, where nobody else in the first half reads it.
static void delayOperand(Overlap *o) {
  MlirValue a = tileDotGetA(o->ops[o->second]);
  int i = mlirValueIsABlockArgument(a) ? -1 : indexOf(o, tileValueGetOp(a));
  if (i < 0 || o->parts[i] != REST || !tileTypeIsTile(mlirValueGetType(a))) return;
  if (isOnlyUsedLate(o, o->ops[i])) o->parts[i] = OPERAND;
}

static const char *divide(Overlap *o) {
  for (int i = 0; i < o->numOps; ++i) o->parts[i] = i <= o->first ? BEGIN : REST;
  o->parts[o->second] = SECOND;
  // What the second dot waits for, and what it frees.
  for (int i = o->second - 1;
       i > o->first && (tileOpIsMovable(o->ops[i]) || tileOpIsABarrierWait(o->ops[i])); --i)
    if (!tileOpIsMovable(o->ops[i])) o->parts[i] = SECOND;
  for (int i = o->second + 1; i < o->numOps; ++i)
    if (!tileOpIsMovable(o->ops[i])) o->parts[i] = END;
  while (delayMore(o)) {
  }
  delayScalars(o);
  delayOperand(o);
  return isLate(o, o->first)
             ? "expected a first dot that does not wait for the second, found one that does"
             : NULL;
}

/// What `value` takes of a thread's registers; of more than `most`, one more.
static int64_t wordsOf(MlirValue value, int most) {
  int64_t words = tileTypeGetWords(mlirValueGetType(value));
  return words > most ? most + 1 : words;
}

/// What the first half hands to the second.
static const char *findCrossing(Overlap *o) {
  int most = tileMachineNumber(tileMachineOf(o->loop), TILE_NUMBER_OVERLAP_REGISTERS);
  int64_t words = wordsOf(tileResult(o->ops[o->first]), most);
  words += wordsOf(tileResult(o->ops[o->second]), most);
  for (int i = 0; i < o->numOps; ++i) {
    if (!isLate(o, i)) continue;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->ops[i]); ++k) {
      MlirValue value = tileOperand(o->ops[i], k);
      bool isHere = mlirValueIsABlockArgument(value)
                        ? mlirBlockEqual(mlirBlockArgumentGetOwner(value), o->body)
                        : indexOf(o, tileValueGetOp(value)) >= 0;
      bool known = !isHere || isMadeLate(o, value);
      for (int c = 0; c < o->numCrossing && !known; ++c)
        known = mlirValueEqual(o->crossing[c], value);
      if (known) continue;
      if (o->numCrossing == maxCarried)
        return "expected at most 64 values from the first half of a step, found more";
      o->crossing[o->numCrossing++] = value;
      // Those of this step are made while those of the last are still read.
      words += 2 * wordsOf(value, most);
    }
  }
  return words > most ? "expected what is alive at once to fit the registers, found more" : NULL;
}

//===- emission -----------------------------------------------------------===//

static void emitTurn(TileBuilder *b, const char *name) {
  tileBuildOp(b, name, TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

/// Clones the ops of one part to the end of the builder's block.
static void emitPart(const Overlap *o, TileBuilder *b, TileValueMap *values, Part part,
                     bool async) {
  for (int i = 0; i < o->numOps; ++i) {
    if (o->parts[i] != part) continue;
    if (async && o->turns && i == o->first) emitTurn(b, "tile_gpu.turn_wait");
    MlirOperation copy = tileCloneMapped(b, values, o->ops[i]);
    if (async && tileOpIsWgmma(copy))
      mlirOperationSetAttributeByName(copy, tileString("async"), mlirUnitAttrGet(b->context));
  }
}

/// %w = tile_gpu.dot_wait %x pending n tied, for what stands for `value`; all later readers see %w.
static void emitWait(TileBuilder *b, TileValueMap *values, MlirValue value, int pending) {
  MlirValue made = tileValueMapGet(*values, value);
  tileValueMapSet(values, value, tileBuildDotWait(b, made, pending, true));
}

/// What the body yields of the kind (delayed or not), and where `early`, what crosses.
static int yielded(const Overlap *o, TileValueMap values, bool late, MlirValue out[]) {
  MlirOperation yield = mlirBlockGetTerminator(o->body);
  int n = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    if (o->delayed[i] == late) out[n++] = tileValueMapGet(values, tileOperand(yield, i));
  for (int c = 0; c < o->numCrossing && !late; ++c)
    out[n++] = tileValueMapGet(values, o->crossing[c]);
  return n;
}

/// Maps the body's arguments of the kind (and, of the early ones, what crosses) to `in`.
static int mapArguments(const Overlap *o, TileValueMap *values, bool late, const MlirValue in[]) {
  int n = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i)
    if (o->delayed[i] == late)
      tileValueMapSet(values, mlirBlockGetArgument(o->body, 1 + i), in[n++]);
  return n;
}

/// The loop over all steps but the first: its first half, and the second of the step before.
/// `early` and `late`: what both kinds begin as, and at last have become.
static void emitLoop(const Overlap *o, TileBuilder *b, MlirValue early[], int numEarly,
                     MlirValue late[], int numLate) {
  MlirValue operands[3 + 3 * maxCarried];
  MlirValue step = tileOperand(o->loop, 2);
  operands[0] = tileBuildBinary(b, "arith.addi", tileOperand(o->loop, 0), step);
  operands[1] = tileOperand(o->loop, 1);
  operands[2] = step;
  int n = 3;
  for (int i = 0; i < numEarly; ++i) operands[n++] = early[i];
  for (int i = 0; i < numLate; ++i) operands[n++] = late[i];
  MlirOperation loop = tileBuildFor(b, n, operands);
  MlirBlock body = tileBody(loop, 0);
  MlirValue args[3 * maxCarried];
  for (int i = 0; i < n - 3; ++i) args[i] = mlirBlockGetArgument(body, 1 + i);
  TileBuilder in = tileBuilderAtEnd(body, b->location);

  // What crosses may be an argument of the body, which is another value to the first half: the
  // parts of the step before have a map of their own.
  TileValueMap now = {{0}}, before = {{0}};
  tileValueMapSet(&now, mlirBlockGetArgument(o->body, 0), mlirBlockGetArgument(body, 0));
  int carried = mapArguments(o, &now, false, args);
  mapArguments(o, &before, true, args + numEarly);
  for (int c = 0; c < o->numCrossing; ++c)
    tileValueMapSet(&before, o->crossing[c], args[carried + c]);
  // What makes a dot's operands in registers (A, and what it adds to) may not stand between a dot
  // on its way and the wait for it: ptxas would serialize all of them (C7513).
  emitPart(o, &in, &before, ADDEND, true);
  emitPart(o, &in, &now, BEGIN, true);
  emitPart(o, &in, &before, SECOND, true);
  if (o->turns) emitTurn(&in, "tile_gpu.turn_pass");
  emitWait(&in, &now, tileResult(o->ops[o->first]), 1);
  emitPart(o, &in, &now, REST, false);
  emitWait(&in, &before, tileResult(o->ops[o->second]), 0);
  emitPart(o, &in, &now, OPERAND, false);
  emitPart(o, &in, &before, END, false);
  MlirValue out[3 * maxCarried];
  n = yielded(o, now, false, out);
  n += yielded(o, before, true, out + n);
  tileBuildOp(&in, "scf.yield", n, out, TILE_NONE, TILE_NONE, 0);
  tileValueMapClear(&now);
  tileValueMapClear(&before);
  for (int i = 0; i < numEarly; ++i) early[i] = mlirOperationGetResult(loop, i);
  for (int i = 0; i < numLate; ++i) late[i] = mlirOperationGetResult(loop, numEarly + i);
}

/// All steps, of which there is at least one.
static void emitSteps(const Overlap *o, TileBuilder *b) {
  MlirValue early[2 * maxCarried], late[maxCarried], results[maxCarried];
  intptr_t count = mlirOperationGetNumResults(o->loop);
  TileValueMap values = {{0}};
  tileValueMapSet(&values, mlirBlockGetArgument(o->body, 0), tileOperand(o->loop, 0));
  int numLate = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue init = tileOperand(o->loop, 3 + i);
    if (o->delayed[i])
      late[numLate++] = init;
    else
      tileValueMapSet(&values, mlirBlockGetArgument(o->body, 1 + i), init);
  }
  emitPart(o, b, &values, BEGIN, false);
  emitPart(o, b, &values, REST, false);
  emitPart(o, b, &values, OPERAND, false);
  int numEarly = yielded(o, values, false, early);
  tileValueMapClear(&values);

  emitLoop(o, b, early, numEarly, late, numLate);

  mapArguments(o, &values, true, late);
  for (int c = 0; c < o->numCrossing; ++c)
    tileValueMapSet(&values, o->crossing[c], early[numEarly - o->numCrossing + c]);
  emitPart(o, b, &values, ADDEND, false);
  emitPart(o, b, &values, SECOND, false);
  emitPart(o, b, &values, END, false);
  yielded(o, values, true, late);
  tileValueMapClear(&values);
  int e = 0, l = 0;
  for (intptr_t i = 0; i < count; ++i) results[i] = o->delayed[i] ? late[l++] : early[e++];
  tileBuildOp(b, "scf.yield", count, results, TILE_NONE, TILE_NONE, 0);
}

static void rewrite(Overlap *o) {
  TileBuilder b = tileBuilderBefore(o->loop);
  intptr_t count = mlirOperationGetNumResults(o->loop);
  MlirType types[maxCarried];
  MlirValue inits[maxCarried], results[maxCarried];
  for (intptr_t i = 0; i < count; ++i) {
    inits[i] = tileOperand(o->loop, 3 + i);
    types[i] = mlirValueGetType(inits[i]);
  }
  MlirValue any = tileBuildCmpi(&b, TILE_SLT, tileOperand(o->loop, 0), tileOperand(o->loop, 1));
  MlirOperation branch = tileBuildIf(&b, any, count, types, true);
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b.location);
  emitSteps(o, &in);
  TileBuilder otherwise = tileBuilderAtEnd(tileBody(branch, 1), b.location);
  tileBuildOp(&otherwise, "scf.yield", count, inits, TILE_NONE, TILE_NONE, 0);
  for (intptr_t i = 0; i < count; ++i) results[i] = mlirOperationGetResult(branch, i);
  tileReplaceOp(o->loop, count, results);
}

//===- the pass -----------------------------------------------------------===//

static void overlapLoop(MlirOperation loop, bool turns) {
  Overlap *o = calloc(1, sizeof *o);
  if (!o) abort();
  o->loop = loop;
  o->turns = turns;
  o->body = tileBody(loop, 0);
  bool isMeant = false;
  const char *reason = collect(o, &isMeant);
  if (!reason && isMeant) reason = divide(o);
  if (!reason && isMeant) reason = findCrossing(o);
  if (isMeant && reason)
    tileEmitRemark(mlirOperationGetLocation(loop), "dots are not overlapped: %s", reason);
  else if (isMeant)
    rewrite(o);
  free(o);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  if (!tileOpIsAWarpSpecialize(op)) return MlirWalkResultAdvance;
  TILE_FOR_EACH_OP(consumer, tileBody(op, 1)) { tileFindLoops(consumer, data); }
  return MlirWalkResultSkip;
}

MlirLogicalResult tileRunOverlapDots(MlirOperation func) {
  TileOpList loops = {0};
  mlirOperationWalk(func, visit, &loops, MlirWalkPreOrder);
  bool turns = tileIntAttr(func, "tile.num_warps", 4) > 4;
  for (size_t i = 0; i < loops.count; ++i) overlapLoop(loops.ops[i], turns);
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
