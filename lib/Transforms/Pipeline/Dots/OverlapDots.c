//===- OverlapDots.c - what lies between dots runs under one of them ------===//
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
// A loop of one dot that takes A from registers, where A is computed in the loop, as weights that
// become f16 on their way to the dot are, is divided in the same way: its first half is what makes
// A, and runs under the dot of the step before.
//
//   before:  barrier_wait W ; %w = buffer_load ; %a = sitofp %w
//            barrier_wait B ; %d = tile.dot %a, %b, %acc by wgmma ; barrier_arrive B, W
//   after:   barrier_wait B ; %d = tile.dot %a, %b, %acc by wgmma async
//            tile_gpu.dot_wait %d pending 1 ; barrier_arrive of the step before, if there is one
//            barrier_wait W ; %w = buffer_load ; %next = sitofp %w
//
// and two steps are a turn of the loop: one variable for A would be made while the dot reads it,
// and ptxas makes dots wait for each other then (C7513). The wait stands in front of what makes A,
// as ptxas would move it there; where the sum is read in its step, behind, for the dot itself.
//
// What a second dot reads that threads turn round (../Roles/TurnAhead.h) is made behind the start
// of the first; of a dot alone, under that of the step before.
//
// Branches of a few ops on tiles become choices. Declines, with a remark, where the first half
// needs the second's result, what is alive at once exceeds the registers, a ring has one slot,
// which the next step would wait for, or A takes long to be made beside its dot (UnderDots.h).
//
// Requires: roles assigned (tile-warp-specialize).  Preserves: numerics, order of barriers.
//===----------------------------------------------------------------------===//
#include "../../Flow/Branches/SelectBranch.h"
#include "../../Loops.h"
#include "../../Roles/Kernel.h"
#include "../../Roles/TurnAhead.h"
#include "Overlap.h"
#include "UnderDots.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include <stdlib.h>

//===- parts --------------------------------------------------------------===//

static int indexOf(const Overlap *o, MlirOperation op) {
  for (int i = 0; i < o->numOps; ++i)
    if (mlirOperationEqual(o->ops[i], op)) return i;
  return -1;
}

static bool isLate(const Overlap *o, int i) {
  return i >= 0 &&
         (o->parts[i] == PART_ADDEND || o->parts[i] == PART_SECOND || o->parts[i] >= PART_END);
}

/// Does the second half of the same step make `value`, or did that of the step before?
static bool isMadeLate(const Overlap *o, MlirValue value) {
  intptr_t number = tileCarriedNumber(o->body, value);
  if (number >= 0) return o->delayed[number];
  return !mlirValueIsABlockArgument(value) && isLate(o, indexOf(o, tileValueGetOp(value)));
}

/// May it stand anywhere that its operands are known? So may a number read where nobody writes.
static bool isFree(MlirOperation op) { return tileOpIsMovable(op) || tileLoadsSteadyNumber(op); }

/// May it stand in either half, or be the end of one?
static bool isOfHalf(MlirOperation op) {
  return isFree(op) || tileOpIsABarrierWait(op) || tileOpIsABarrierArrive(op) ||
         tileFillsTurned(op);
}

/// Reads what nothing in a loop of such ops writes.
static bool onlyReads(MlirOperation op) {
  return tileOpIsABufferLoad(op) || tileOpIsALoad(op) || tileOpIsAGroupBarrier(op);
}

/// Does the dot take A from registers, where an op of its loop has put it, or what is turned round?
static bool takesMade(const Overlap *o, MlirOperation dot) {
  MlirValue a = tileDotGetA(dot);
  bool isMade = tileTypeIsTile(mlirValueGetType(a)) && !mlirValueIsABlockArgument(a) &&
                mlirBlockEqual(tileValueGetBlock(a), o->body);
  return isMade || tileReadsTurned(dot);
}

/// The first reason why `loop` stays as it is; null where it holds two dots, or one that takes what
/// the loop makes, for which `isMeant` is set, and nothing that has effects but barriers.
static const char *collect(Overlap *o, bool *isMeant) {
  int dots = 0;
  bool isFull = false, holdsOther = false, holdsReader = false, isSingle = false;
  o->numOps = 0, o->first = o->second = -1;
  TILE_FOR_EACH_OP(op, o->body) {
    if (tileOpIs(op, "scf.yield")) break;
    bool isDot = tileOpIsWgmma(op);
    if (isDot) dots += 1 + tileDotGetAsync(op);
    isFull |= o->numOps == maxOps;
    if (isFull) continue;
    if (isDot) *(o->first < 0 ? &o->first : &o->second) = o->numOps;
    holdsReader |= onlyReads(op) && !isOfHalf(op);
    holdsOther |= !isDot && !isOfHalf(op) && !onlyReads(op) && !tileIsChoice(op);
    isSingle |= tileOpIsABufferStage(op) &&
                tileBufferTypeGetStages(mlirValueGetType(tileBufferStageGetRing(op))) < 2;
    o->ops[o->numOps++] = op;
  }
  bool isAlone = dots == 1 && o->first >= 0 && takesMade(o, o->ops[o->first]);
  *isMeant = isAlone || (dots == 2 && (o->second >= 0 || isFull));
  if (isFull) return "expected a body of at most 512 ops, found more";
  if (mlirOperationGetNumResults(o->loop) > maxCarried)
    return "expected a loop that carries at most 64 values, found more";
  if (holdsOther || (holdsReader && !isAlone))
    return "expected nothing but dots, barriers and arithmetic, found another op";
  if (isAlone && isSingle) return "expected rings of two slots, found one";
  if (isAlone) {
    o->second = o->first;
    o->first = -1;
  }
  return NULL;
}

/// Is it used in the second half alone, or in `part`?
static bool isOnlyUsedLate(const Overlap *o, MlirOperation op, Part part) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      int i = indexOf(o, mlirOpOperandGetOwner(use));
      if (!isLate(o, i) && (i < 0 || o->parts[i] != part)) return false;
    }
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
    bool late = readsLate(o, op) || (tileOpIsView(op) && isOnlyUsedLate(o, op, PART_SECOND));
    if (!late) continue;
    o->parts[i] = i > o->second ? PART_END : PART_ADDEND;
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
  intptr_t number = tileCarriedNumber(o->body, value);
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
    if (s.ops[i]) o->parts[i] = i > o->second ? PART_END : PART_ADDEND;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(o->loop); ++i) o->delayed[i] |= s.carried[i];
}

/// The op that makes A of the second dot, and what it narrows or moves, where nobody else in the
/// first half reads it.
static void delayOperand(Overlap *o) {
  MlirOperation op = tileValueGetOp(tileDotGetA(o->ops[o->second]));
  bool isFirst = tileTypeIsTile(mlirValueGetType(tileDotGetA(o->ops[o->second])));
  for (; isFirst || tileOpNarrows(op); isFirst = false) {
    int i = indexOf(o, op);
    if (i < 0 || o->parts[i] != PART_REST || !isOnlyUsedLate(o, op, PART_OPERAND)) return;
    o->parts[i] = PART_OPERAND;
    op = tileOpNarrows(op) ? tileValueGetOp(tileOperand(op, 0)) : (MlirOperation){NULL};
  }
}

static const char *divide(Overlap *o) {
  for (int i = 0; i < o->numOps; ++i) o->parts[i] = i <= o->first ? PART_BEGIN : PART_REST;
  o->parts[o->second] = PART_SECOND;
  for (int i = o->second - 1; i > o->first && o->first >= 0; --i)
    if (tileFillsTurned(o->ops[i])) o->parts[i] = PART_TURN;
  // What the second dot waits for, and what it frees.
  for (int i = o->second - 1;
       i > o->first && (isFree(o->ops[i]) || tileOpIsABarrierWait(o->ops[i])); --i)
    if (!isFree(o->ops[i])) o->parts[i] = PART_SECOND;
  for (int i = o->second + 1; i < o->numOps; ++i)
    if (!isFree(o->ops[i])) o->parts[i] = PART_END;
  while (delayMore(o)) {
  }
  delayScalars(o);
  if (o->first < 0) return NULL;
  delayOperand(o);
  return isLate(o, o->first)
             ? "expected a first dot that does not wait for the second, found one that does"
             : NULL;
}

/// Does the second half know of its step what the loop carries as `number`?
static bool isKnownLate(const Overlap *o, intptr_t number) {
  for (int c = 0; c < o->numCrossing; ++c)
    if (tileCarriedNumber(o->body, o->crossing[c]) == number) return true;
  return o->delayed[number];
}

/// Fills in what `arrive` frees; false where that is no barrier of a stage that the loop carries.
static bool findRelease(const Overlap *o, MlirOperation arrive, Release *r) {
  r->arrive = arrive;
  r->view = tileValueGetOp(tileBarrierArriveGetBarrier(arrive));
  if (mlirOperationIsNull(r->view) || !tileOpIsABufferStage(r->view)) return false;
  r->stage = tileCarriedNumber(o->body, tileBufferStageGetStage(r->view));
  return r->stage >= 0 && isKnownLate(o, r->stage) &&
         !mlirBlockEqual(tileValueGetBlock(tileBufferStageGetRing(r->view)), o->body) &&
         !mlirOpOperandIsNull(tileOnlyUse(tileResult(r->view)));
}

/// Where nothing but the next dot reads the dot's sum, two may be on their way. Its slots are freed
/// a step later then.
static void findReleases(Overlap *o) {
  Release found[maxReleases];
  int count = 0;
  MlirOperation dot = o->ops[o->second];
  bool fits = tileWordsOfTwo(dot) <= tileKernelGetConsumerRegisters(o->func);
  if (tileDotCarried(dot) < 0 || !fits) return;
  for (int i = 0; i < o->numOps; ++i) {
    if (o->parts[i] != PART_END || isFree(o->ops[i])) continue;
    if (!tileOpIsABarrierArrive(o->ops[i]) || count == maxReleases ||
        !findRelease(o, o->ops[i], &found[count++]))
      return;
  }
  for (int k = 0; k < count; ++k) {
    o->releases[k] = found[k];
    o->parts[indexOf(o, found[k].arrive)] = o->parts[indexOf(o, found[k].view)] = PART_RELEASE;
  }
  o->numReleases = count;
}

/// What the first half hands to the second.
static const char *findCrossing(Overlap *o) {
  int most = tileMachineNumber(tileMachineOf(o->loop), TILE_NUMBER_OVERLAP_REGISTERS);
  MlirOperation second = o->ops[o->second];
  int64_t words = o->first < 0 ? 0 : tileWordsBeside(tileResult(o->ops[o->first]), second, most);
  words += tileWordsBeside(tileResult(second), second, most);
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
      words += 2 * tileWordsBeside(value, second, most);
    }
  }
  bool isEarly = o->first >= 0 || tileReadsTurned(o->ops[o->second]);
  for (int c = 0; c < o->numCrossing; ++c)
    isEarly |= tileTypeIsTile(mlirValueGetType(o->crossing[c]));
  if (!isEarly) return "expected an operand that does not wait for the dot, found one that does";
  return words > most ? "expected what is alive at once to fit the registers, found more" : NULL;
}

//===- the pass -----------------------------------------------------------===//

static void overlapLoop(MlirOperation func, MlirOperation loop, bool turns) {
  Overlap *o = calloc(1, sizeof *o);
  if (!o) abort();
  *o = (Overlap){.func = func, .loop = loop, .body = tileBody(loop, 0), .turns = turns};
  bool isMeant = false;
  const char *reason = collect(o, &isMeant);
  if (!reason && isMeant && tileSelectChoices(o->body)) reason = collect(o, &isMeant);
  if (!reason && isMeant) reason = divide(o);
  if (!reason && isMeant) reason = findCrossing(o);
  if (!reason && isMeant && o->first < 0) reason = tileWhyNotMadeUnder(func, o->ops[o->second]);
  if (!reason && isMeant && o->first < 0) findReleases(o);
  o->turns &= o->first >= 0 || o->numReleases > 0;
  if (isMeant && reason)
    tileEmitRemark(mlirOperationGetLocation(loop), "dots are not overlapped: %s", reason);
  else if (isMeant)
    overlapEmit(o);
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
  bool turns = tileNumWarpsOf(func) > 4;
  for (size_t i = 0; i < loops.count; ++i) overlapLoop(func, tileTurnAhead(loops.ops[i]), turns);
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
