//===- Reduce.c - combine the elements along an axis ----------------------===//
//
//   within a thread   strip after strip of the register vector, as element-wise ops make them,
//                     then halves of the strip, until one register is left for each result
//   within a warp     xor shuffles over the lane bits along the axis, and where order could matter
//                     one more, from the lane that has it right; of all lanes and 32 bits and less
//                     one redux.sync, or two of argmax (Extremes.c)
//   across warps      each warp's partial through shared scratch; every thread then
//                     combines them in the same order, so that all copies of a
//                     result are equal bit by bit; partials that lie side by side
//                     are loaded several at a time, or, of many warps, one by each lane,
//                     whose shuffles combine them: a register in place of 16 or 32. Of several
//                     results, or of partials that take long to combine, lanes that hold the
//                     same combine a part each, and hand it on; where each has others, and there
//                     are many partials, warps do, through shared memory again (Divided.c)
//
// Before:  %s = tile.reduce add %x axis 1 : tensor<16x64xf32, L> -> tensor<16xf32, slice(L, 1)>
// After:   %g = arith.addf %x[0..8], %x[8..16] : vector
//          ...
//          %h = arith.addf %g[0..4], %g[4..8] : vector
//          ...
//          %t = nvvm.shfl.sync bfly %h, 1
//          %u = arith.addf %h, %t : vector
//
//===----------------------------------------------------------------------===//
#include "Combine.h"
#include "tile/MachineNumbers.h"
#include <stdlib.h>

enum { ALL_LANES = (1u << TILE_LANE_BITS) - 1 };

/// Combines the upper half of `n` registers with the lower one until `kept` are left.
static bool combineHalves(Combiner *c, Combined *values, int64_t n, int64_t kept) {
  for (int64_t half = n / 2; half >= kept; half /= 2) {
    Combined low = lowerCombinedSlice(c, values, 0, half);
    Combined high = lowerCombinedSlice(c, values, half, half);
    if (!lowerCombine(c, &low, &high, values)) return false;
  }
  return true;
}

/// Adds strips of the `n` registers up, so that what made a strip need not wait for the others;
/// then halves of the strip, until `kept` are left.
static bool combineStrips(Combiner *c, Combined *values, int64_t n, int64_t kept) {
  int64_t strip = kept, most = tileMachineNumber(c->l->machine, TILE_NUMBER_STRIP_REGISTERS);
  while (strip < most && strip < n) strip *= 2;
  Combined sum = lowerCombinedSlice(c, values, 0, strip);
  for (int64_t at = strip; at < n; at += strip) {
    Combined before = sum, next = lowerCombinedSlice(c, values, at, strip);
    if (!lowerCombine(c, &before, &next, &sum)) return false;
  }
  *values = sum;
  return combineHalves(c, values, strip, kept);
}

/// One register for each combination of kept bits, in their order.
static bool reduceRegisters(Combiner *c, Combined *values) {
  const TileCombinePlan *plan = &c->plan;
  uint32_t kept = plan->kept[TILE_REGISTER], along = plan->along[TILE_REGISTER];
  int keptBits = __builtin_popcount(kept);
  int64_t n = (int64_t)1 << (keptBits + __builtin_popcount(along)), *indices = lowerIndices(n);
  for (int64_t k = 0; k < n; ++k)
    indices[k] = (int64_t)(tileDepositBits((uint32_t)k & (((uint32_t)1 << keptBits) - 1), kept) |
                           tileDepositBits((uint32_t)k >> keptBits, along));
  *values = lowerCombinedPermute(c, values, n, indices);
  free(indices);
  LowerExtreme e;
  if (!lowerFindExtreme(c, &e) || !lowerIndicesGrow(c, &e))
    return combineStrips(c, values, n, (int64_t)1 << keptBits);
  lowerCombineGrowing(c, &e, values, n, (int64_t)1 << keptBits);
  return true;
}

/// Combines over the lanes that differ in `bits`; where the results go through shared memory
/// anyway, a lane takes but its share of them: at each bit the lane with the bit set keeps the
/// upper half, and gives the other one away.
static bool reduceLanes(Combiner *c, Combined *values, uint32_t bits) {
  int64_t n = (int64_t)1 << __builtin_popcount(c->plan.kept[TILE_REGISTER]);
  LowerExtreme e;
  bool byOne = bits == ALL_LANES && lowerFindExtreme(c, &e);
  bool shares = c->commutes && c->plan.along[TILE_WARP] && !byOne;
  for (uint32_t left = bits; shares && left && n > 1; left &= left - 1) {
    uint32_t bit = left & -left;
    MlirValue isSet = lowerTestBits(c->l, c->l->lane, bit), mask = lowerI32(c->l, bit);
    n /= 2;
    Combined low = lowerCombinedSlice(c, values, 0, n);
    Combined high = lowerCombinedSlice(c, values, n, n);
    Combined given = lowerCombinedSelect(c, isSet, &low, &high);
    Combined own = lowerCombinedSelect(c, isSet, &high, &low);
    Combined other = lowerCombinedShuffle(c, LOWER_SHUFFLE_XOR, &given, mask);
    if (!lowerCombine(c, &own, &other, values)) return false;
    c->shared |= bit;
  }
  return lowerCombineLanes(c, values, bits & ~c->shared);
}

/// The slots of combining `partials` of `kept` registers each, of which lanes take a share, and
/// hand on what they have: loads of 16 bytes at most, what combines them, and shuffles, one more
/// where order could matter.
static int64_t costOfPartials(const Combiner *c, int64_t partials, int64_t kept,
                              CombinedShares share) {
  enum { SHUFFLE = 2, BYTES = 16 };
  int64_t own = kept >> share.registers, loaded = partials >> share.partials;
  int64_t rounds = share.partials, shuffles = share.registers ? kept : 0;
  if (rounds) shuffles += own * (rounds + (c->commutes ? 0 : 1));
  int64_t cost = (loaded - 1 + rounds) * own * lowerSlotsOfCombining(c);
  for (int i = 0; i < c->count; ++i) {
    int64_t bytes = own * tileElementBytes(c->elements[i]);
    cost += loaded * ((bytes + BYTES - 1) / BYTES) + SHUFFLE * shuffles;
  }
  return cost;
}

/// What lanes that hold the same results divide among them, where that saves a good deal: shuffles
/// come one behind the other.
static CombinedShares sharesOf(const Combiner *c, int partials) {
  int least = tileMachineNumber(c->l->machine, TILE_NUMBER_SHARED_PARTIALS);
  int registers = __builtin_popcount(c->plan.kept[TILE_REGISTER]);
  int lanes = __builtin_popcount(c->plan.along[TILE_LANE]);
  CombinedShares best = {0};
  if (lowerCombinedAreOneEach(c)) return best;
  int64_t kept = 1 << registers, most = costOfPartials(c, partials, kept, best) - least;
  for (int r = 0; r <= registers && r <= lanes; ++r)
    for (int p = 0; 1 << p <= partials && r + p <= lanes; ++p) {
      CombinedShares share = {.registers = r, .partials = p};
      int64_t cost = costOfPartials(c, partials, kept, share);
      if (r + p == 0 || cost > most) continue;
      best = share;
      most = cost - 1;
    }
  return best;
}

/// Every lane gets the registers that others of `shared` bits have.
static void handOn(Combiner *c, int shared, Combined *values) {
  Lowering *l = c->l;
  if (!shared) return;
  uint32_t lanes = c->plan.along[TILE_LANE], mask = tileDepositBits((1u << shared) - 1, lanes);
  int parts = 1 << shared;
  MlirValue rest = lowerI32(l, ((1u << TILE_LANE_BITS) - 1) & ~mask);
  rest = tileBuildBinary(&l->b, "arith.andi", l->lane, rest);
  MlirValue *slices[LOWER_MAX_COMBINED];
  for (int i = 0; i < c->count; ++i) slices[i] = lowerNewSlices(parts);
  for (int k = 0; k < parts; ++k) {
    MlirValue own = lowerI32(l, tileDepositBits((uint32_t)k, lanes));
    MlirValue from = tileBuildBinary(&l->b, "arith.ori", rest, own);
    Combined part = lowerCombinedShuffle(c, LOWER_SHUFFLE_LANE, values, from);
    for (int i = 0; i < c->count; ++i) slices[i][k] = part.v[i];
  }
  for (int i = 0; i < c->count; ++i) values->v[i] = lowerJoinSlices(l, parts, slices[i]);
}

static bool reduceWarps(Combiner *c, Combined *values) {
  int partials = 1 << __builtin_popcount(c->plan.along[TILE_WARP]);
  if (partials == 1) return true;
  CombinedScratch scratch;
  CombinedShares share = sharesOf(c, partials);
  int64_t kept = (int64_t)1 << __builtin_popcount(c->plan.kept[TILE_REGISTER]);
  if (lowerCombineDivided(c, costOfPartials(c, partials, kept, share), values)) return true;
  if (!lowerCombinedPublish(c, values, (MlirValue){NULL}, share, &scratch)) return false;
  if (lowerCombinedPartialOfLane(c, partials, values)) {
    LowerExtreme e;
    bool all = lowerFindExtreme(c, &e) && lowerIsIdempotent(&e);
    return lowerCombineLanes(c, values, all ? ALL_LANES : (uint32_t)partials - 1);
  }
  if (lowerCombinedPartials(c, &scratch, partials, values))
    return combineHalves(c, values, partials, 1);
  *values = lowerCombinedPartial(c, &scratch, 0);
  for (int which = 1; which < partials >> share.partials; ++which) {
    Combined sum = *values;
    Combined next = lowerCombinedPartial(c, &scratch, which);
    if (!lowerCombine(c, &sum, &next, values)) return false;
  }
  uint32_t others = ((1u << share.partials) - 1) << share.registers;
  others = tileDepositBits(others, c->plan.along[TILE_LANE]);
  if (!lowerCombineLanes(c, values, others)) return false;
  handOn(c, share.registers, values);
  return true;
}

//===- results that wait --------------------------------------------------===//

static bool usesResultOf(MlirOperation user, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, i));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation at = tileAncestorIn(mlirOperationGetBlock(op), mlirOpOperandGetOwner(use));
      if (!mlirOperationIsNull(at) && mlirOperationEqual(at, user)) return true;
    }
  }
  return false;
}

/// Is there another reduction in front of whatever reads the results?
static bool waitsForAnother(MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  for (; !mlirOperationIsNull(next); next = mlirOperationGetNextInBlock(next)) {
    if (usesResultOf(next, op)) return false;
    if (tileOpIsAReduce(next)) return true;
  }
  return false;
}

/// Has LLVM combine what warps published here. It moves what one place wants there, as into the
/// branch of the thread that stores: eight partials wait for that in registers of all threads, of
/// each reduction that an author has made by then.
static void finishHere(const Combiner *c, Combined *values) {
  Lowering *l = c->l;
  MlirType i32 = tileI32(l->b.context);
  for (int i = 0; i < c->count && waitsForAnother(c->op); ++i) {
    MlirType type = mlirValueGetType(values->v[i]), element = c->elements[i];
    if (mlirShapedTypeGetDimSize(type, 0) != 1 || tileBitWidth(element) != 32) continue;
    MlirValue whole = lowerExtract(l, values->v[i], 0);
    bool isInteger = mlirTypeIsAInteger(element);
    if (!isInteger) whole = tileBuildUnary(&l->b, "arith.bitcast", i32, whole);
    whole = tileResult(lowerInlineAsm(l, "mov.b32 $0, $1;", "=r,r", i32, 1, &whole));
    if (!isInteger) whole = tileBuildUnary(&l->b, "arith.bitcast", element, whole);
    values->v[i] = lowerFromElements(l, element, 1, &whole);
  }
}

MlirLogicalResult lowerReduce(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  int axis = (int)tileReduceGetAxis(op);
  Combiner c;
  Combined values;
  if (!lowerCombinerStart(l, op, axis, &c) || !lowerCombinerOperands(&c, &values) ||
      !reduceRegisters(&c, &values) || !reduceLanes(&c, &values, c.plan.along[TILE_LANE]) ||
      !reduceWarps(&c, &values))
    return mlirLogicalResultFailure();
  if (c.plan.along[TILE_WARP]) finishHere(&c, &values);
  TileLayout have = tileLayoutSliceCompact(c.plan.source, axis), want;
  for (int i = 0; i < c.count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i), thread = values.v[i];
    MlirType type = mlirValueGetType(result);
    if (!tileTypeIsTile(type)) {
      lowerSet(l, result, lowerExtract(l, thread, 0));
      continue;
    }
    if (!lowerLayoutOf(loc, type, &want)) return mlirLogicalResultFailure();
    thread = lowerRenumber(l, loc, thread, &have, &want);
    if (mlirValueIsNull(thread)) return mlirLogicalResultFailure();
    lowerSet(l, result, thread);
  }
  return mlirLogicalResultSuccess();
}
