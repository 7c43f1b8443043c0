//===- Scan.c - running combinations along an axis ------------------------===//
//
// Bit by bit of the position along the axis, lowest first, whoever it tells apart: registers,
// lanes or warps. Two neighbouring blocks of 2^k elements become one: what is in the later block
// gets the total of the earlier one in front.
//
//   prefix   of each element, within what has been seen of its block
//   total    of each block: one register for all that it tells apart by registers
//   before   what is still to be put in front of every prefix of a block, at the very end
//
// The lowest bits are registers, as a rule; they go into the prefixes at once, one element behind
// the other. From the first lane or warp bit on only `total` and `before` are kept up to date, for
// as many elements as there are blocks in a thread, and each prefix is touched once more. Lanes
// have one combination for each bit: what they all have in the end is `upTo`, the total up to a
// lane and of it, from which `before` is one lane away (three bits and more in the order of the
// lanes; of fewer, total and `before` are combined each by itself). Where nothing went into the
// prefixes before the lanes, `upTo` is the prefix, and lanes leave no `before`. Warps exchange
// totals through scratch: all of theirs at once, each from the last lane. Of long rows, with
// registers above the warps, each lane then takes one of these totals, or a few that follow each
// other, and lanes combine them as above: each warp finds what goes before its blocks in them.
//
// Before:  %s = tile.scan add %x axis 0 : tensor<256xf32, L>     2 registers, 32 lanes, 4 warps
// After:   %p1 = x0 + x1; upTo = %p1
//          for each lane bit { other = shfl idx upTo, the last lane of the earlier block;
//                              later lanes: upTo = other + upTo }
//          before = shfl idx upTo, lane - 1
//          last lanes: scratch[warp] = upTo; barrier
//          before = scratch[0] + .. + scratch[warp - 1] + before
//          before = something before ? before : -0     (or a choice for each result: fillBefore)
//          result = (before + x0, before + %p1)
//
// Lanes that count truths vote instead (ScanTruths.c). In reverse, "earlier" is where the bit is
// set.
//===----------------------------------------------------------------------===//
#include "Scan.h"
#include "tile/Analysis/Laws.h"

/// Lane bits from which on one combination for each and two more shuffles are fewer instructions
/// than two combinations for each.
enum { leastLanes = 3 };

/// How many bits from `first` on are of lanes, and have the lanes' order.
static int countLanes(const Scan *s, int first) {
  int n = 0;
  for (int k = first; k < s->numBits && s->bits[k].dim == TILE_LANE; ++k, ++n)
    if (n && s->bits[k].bit <= s->bits[k - 1].bit) break;
  return n;
}

/// The bits of one kind from `first` on; how many they are, 0 after an error.
static int step(Scan *s, int first) {
  uint32_t bit = (uint32_t)1 << s->bits[first].bit;
  int n = 1;
  if (s->bits[first].dim == TILE_WARP) {
    ScanTotals totals;
    if (lowerPlanScanTotals(s, first, &totals))
      return lowerScanTotals(s, &totals) ? totals.bits : 0;
    while (first + n < s->numBits && s->bits[first + n].dim == TILE_WARP) ++n;
    return lowerScanWarps(s, first, n) ? n : 0;
  }
  lowerScanShareTotal(s);
  if (s->bits[first].dim == TILE_REGISTER) return lowerScanRegister(s, bit) ? 1 : 0;
  n = countLanes(s, first);
  if (n < leastLanes) return lowerScanLane(s, bit) ? 1 : 0;
  return lowerScanLanes(s, first, n) ? n : 0;
}

/// What leaves others as they are becomes `before` where nothing is. False where no such number is
/// known, or as many have a `before` as there are prefixes: then to choose those is no more.
static bool fillBefore(Scan *s) {
  MlirAttribute identity = tileCombineGetIdentity(s->c.op);
  if (mlirAttributeIsNull(identity) || s->c.count != 1 || s->beforeBits == s->live) return false;
  MlirType type = mlirValueGetType(s->before.v[0]);
  if (!mlirTypeEqual(mlirAttributeGetType(identity), mlirShapedTypeGetElementType(type)))
    return false;
  Combined none = {{tileBuildConstant(&s->c.l->b, mlirDenseElementsAttrSplatGet(type, identity))}};
  s->before = lowerCombinedSelect(&s->c, s->valid, &s->before, &none);
  return true;
}

/// Puts `before` in front of every prefix.
static bool finish(Scan *s) {
  bool filled = fillBefore(s);
  Combined front = lowerScanOver(s, &s->before, s->beforeBits, s->live, 0), prefix = s->prefix,
           joined;
  MlirValue valid = lowerScanValid(s, s->live, 0);
  if (!lowerCombine(&s->c, &front, &prefix, &joined)) return false;
  s->prefix = filled ? joined : lowerCombinedSelect(&s->c, valid, &joined, &prefix);
  return true;
}

static bool scan(Scan *s) {
  int k = 0;
  s->total = s->prefix;
  s->totalBits = s->live;
  while (k < s->numBits && s->bits[k].dim == TILE_REGISTER) ++k;
  if (k && !lowerScanPrefixes(s, k)) return false;
  s->beforeBits = s->totalBits;
  if (lowerScansTruths(s, k)) {
    lowerScanTruths(s, k);
    k += TILE_LANE_BITS;
  }
  while (k < s->numBits) {
    int n = step(s, k);
    if (!n) return false;
    k += n;
  }
  return mlirValueIsNull(s->valid) || finish(s);
}

MlirLogicalResult lowerScan(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  int axis = (int)tileScanGetAxis(op);
  Scan s = {.reverse = tileScanGetReverse(op)};
  Combined values;
  if (!lowerCombinerStart(l, op, axis, &s.c)) return mlirLogicalResultFailure();
  const char *refusal = tilePlanScan(&s.c.plan, s.bits, &s.numBits);
  if (refusal) {
    tileEmitError(loc, "%s", refusal);
    return mlirLogicalResultFailure();
  }
  if (!lowerCombinerOperands(&s.c, &values)) return mlirLogicalResultFailure();
  uint32_t all = (uint32_t)lowerNumRegisters(&s.c.plan.source) - 1;
  s.live = all & ~s.c.plan.free[TILE_REGISTER];
  s.prefix = lowerScanOver(&s, &values, all, s.live, 0);
  if (!scan(&s)) return mlirLogicalResultFailure();
  Combined whole = lowerScanOver(&s, &s.prefix, s.live, all, 0);
  for (int i = 0; i < s.c.count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    TileLayout want;
    if (!lowerLayoutOf(loc, mlirValueGetType(result), &want)) return mlirLogicalResultFailure();
    MlirValue thread = lowerRenumber(l, loc, whole.v[i], &s.c.plan.source, &want);
    if (mlirValueIsNull(thread)) return mlirLogicalResultFailure();
    lowerSet(l, result, thread);
  }
  return mlirLogicalResultSuccess();
}
