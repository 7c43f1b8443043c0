//===- ScanTotals.c - all totals of a scan, by lanes ----------------------===//
//
// Of long rows, with registers above the warps, each lane takes one of the totals that warps
// published, or a few that follow each other, and lanes combine them as a scan does: each warp
// finds what goes before its blocks in them.
//
//===----------------------------------------------------------------------===//
#include "Scan.h"
#include "tile/MachineNumbers.h"
#include <stdlib.h>

/// Where the holder of bit number `t` of the totals' order has them in scratch: registers lowest,
/// as lowerCombinedPublish puts them.
static uint64_t placeOfBit(const Scan *s, const ScanTotals *t, int bit) {
  TileScanBit holder = s->bits[t->first + bit];
  uint32_t below = ((uint32_t)1 << holder.bit) - 1;
  if (holder.dim == TILE_REGISTER) return (uint64_t)1 << __builtin_popcount(s->totalBits & below);
  int registers = __builtin_popcount(s->totalBits);
  return (uint64_t)1 << (registers + __builtin_popcount(s->c.plan.along[TILE_WARP] & below));
}

bool lowerPlanScanTotals(const Scan *s, int first, ScanTotals *t) {
  const TileCombinePlan *plan = &s->c.plan;
  bool simple = s->c.commutes && s->c.count == 1;
  int least = tileMachineNumber(s->c.l->machine, simple ? TILE_NUMBER_LANE_PARTIALS
                                                        : TILE_NUMBER_LANE_PARTIALS_OF_SEVERAL);
  *t = (ScanTotals){.first = first, .bits = s->numBits - first, .map = tileLayoutEmpty(1)};
  for (int i = 0; i < s->c.count; ++i)
    if (tileBitWidth(s->c.elements[i]) < 8) return false;
  if (plan->kept[TILE_REGISTER] || plan->kept[TILE_LANE] || plan->kept[TILE_WARP]) return false;
  while (t->warps < t->bits && s->bits[first + t->warps].dim == TILE_WARP) ++t->warps;
  for (int k = first + t->warps; k < s->numBits; ++k)
    if (s->bits[k].dim != TILE_REGISTER) return false;
  t->each = t->bits > TILE_LANE_BITS ? t->bits - TILE_LANE_BITS : 0;
  if (1 << t->bits < least || 1 << t->each > SCAN_MOST_PARTS) return false;
  t->map.inBits[TILE_REGISTER] = t->each;
  t->map.inBits[TILE_LANE] = TILE_LANE_BITS;
  t->map.inBits[TILE_WARP] = plan->source.inBits[TILE_WARP];
  t->map.outBits[0] = t->bits;
  for (int k = 0; k < t->bits; ++k) {
    bool own = k < t->each;
    t->map.bases[own ? TILE_REGISTER : TILE_LANE][own ? k : k - t->each] = placeOfBit(s, t, k);
  }
  return true;
}

/// Each lane's totals, by the plan of what was published.
static void loadTotals(Scan *s, ScanTotals *t) {
  Lowering *l = s->c.l;
  int64_t offset = lowerSharedOffset(s->c.op);
  for (int i = 0; i < s->c.count; ++i) {
    MlirType element = s->c.elements[i];
    int bytes = tileElementBytes(element);
    LowerScratch lanes = lowerScratch(l, &t->map, bytes, offset);
    for (int r = 0; r < 1 << t->each; ++r) {
      MlirValue own = lowerScratchLoad(l, &lanes, r, element, 1);
      t->part[r].v[i] = lowerFromStored(l, own, element);
    }
    offset += tileCombineScratchBytes(&s->c.plan, bytes);
  }
}

/// Registers of one each, behind one another.
static Combined join(const Scan *s, int n, const Combined *parts) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < s->c.count; ++i) {
    MlirValue *slices = lowerNewSlices(n);
    for (int r = 0; r < n; ++r) slices[r] = parts[r].v[i];
    result.v[i] = lowerJoinSlices(s->c.l, n, slices);
  }
  return result;
}

/// What comes before each of a lane's totals; before the first of all, any. Of one a lane, what is
/// up to it: its neighbour's is as near.
static bool findBefore(Scan *s, ScanTotals *t, Combined *before) {
  int n = 1 << t->each, turned = s->reverse ? n - 1 : 0;
  for (int r = 1; r < n; ++r) {
    Combined next = t->part[r ^ turned];
    if (!lowerCombine(&s->c, &t->part[(r - 1) ^ turned], &next, &t->part[r ^ turned])) return false;
  }
  Scan lanes = {.c = s->c, .reverse = s->reverse, .total = t->part[(n - 1) ^ turned]};
  for (int k = 0; k < t->bits - t->each; ++k)
    lanes.bits[lanes.numBits++] = (TileScanBit){TILE_LANE, k};
  if (!lowerScanRaiseLanes(&lanes, 0, lanes.numBits)) return false;
  *before = lanes.total;
  if (!t->each) return true;
  if (!lowerScanLaneBefore(&lanes)) return false;
  Combined parts[SCAN_MOST_PARTS], joined;
  parts[turned] = lanes.before;
  for (int r = 1; r < n; ++r) {
    const Combined *own = &t->part[(r - 1) ^ turned];
    if (!lowerCombine(&s->c, &lanes.before, own, &joined)) return false;
    parts[r ^ turned] = lowerCombinedSelect(&s->c, lanes.valid, &joined, own);
  }
  *before = join(s, n, parts);
  return true;
}

/// Of `n` registers those with the lowest bit of their number as `set` says.
static Combined chooseHalf(Scan *s, MlirValue set, const Combined *values, int64_t n) {
  int64_t *indices = lowerIndices(n);
  for (int64_t i = 0; i < n; ++i) indices[i] = 2 * (i % (n / 2)) + i / (n / 2);
  Combined clear = lowerCombinedPermute(&s->c, values, n / 2, indices);
  Combined sets = lowerCombinedPermute(&s->c, values, n / 2, indices + n / 2);
  free(indices);
  return lowerCombinedSelect(&s->c, set, &sets, &clear);
}

/// For each of this warp's blocks what comes before it: one of what a lane has.
static Combined fetchTotals(Scan *s, const ScanTotals *t, Combined before) {
  Lowering *l = s->c.l;
  int own = t->each < t->warps ? t->each : t->warps;
  MlirValue lane = lowerI32(l, 0);
  for (int k = 0; k < t->warps; ++k) {
    MlirValue set = lowerTestBits(l, l->warp, (uint32_t)1 << s->bits[t->first + k].bit);
    if (k < own) {
      before = chooseHalf(s, set, &before, (int64_t)1 << (t->each - k));
      continue;
    }
    MlirValue amount = lowerI32(l, k - t->each);
    set = tileBuildUnary(&l->b, "arith.extui", tileI32(l->b.context), set);
    set = tileBuildBinary(&l->b, "arith.shli", set, amount);
    lane = tileBuildBinary(&l->b, "arith.ori", lane, set);
  }
  int64_t n = lowerScanSize(s->totalBits);
  MlirValue one = lowerI32(l, 1);
  Combined *parts = malloc((size_t)n * sizeof *parts);
  if (!parts) abort();
  for (int64_t r = 0; r < n; ++r) {
    int64_t order = 0;
    for (int k = t->warps; k < t->bits; ++k)
      if ((uint64_t)r & placeOfBit(s, t, k)) order |= (int64_t)1 << k;
    Combined held =
        lowerCombinedSlice(&s->c, &before, (order & (((int64_t)1 << t->each) - 1)) >> own, 1);
    MlirValue high = lowerI32(l, order >> t->each);
    MlirValue which = tileBuildBinary(&l->b, "arith.ori", lane, high);
    if (!t->each)
      which = tileBuildBinary(&l->b, s->reverse ? "arith.addi" : "arith.subi", which, one);
    parts[r] = lowerCombinedShuffle(&s->c, LOWER_SHUFFLE_LANE, &held, which);
  }
  Combined result = join(s, (int)n, parts);
  free(parts);
  return result;
}

/// vector<i1> over totalBits: has a block any other in front? All but the first one of the first
/// warp.
static MlirValue haveOthers(Scan *s, const ScanTotals *t) {
  Lowering *l = s->c.l;
  int64_t n = lowerScanSize(s->totalBits), firstBlock = s->reverse ? n - 1 : 0;
  MlirValue zero = lowerI32(l, 0), place = lowerScanWarpPlace(s, t->first, t->warps);
  MlirValue *each = lowerNewSlices(n);
  for (int64_t r = 0; r < n; ++r)
    each[r] = r == firstBlock ? tileBuildCmpi(&l->b, TILE_NE, place, zero)
                              : tileBuildInt(&l->b, tileI1(l->b.context), 1);
  MlirValue result = lowerFromElements(l, tileI1(l->b.context), n, each);
  free(each);
  return result;
}

bool lowerScanTotals(Scan *s, ScanTotals *t) {
  Lowering *l = s->c.l;
  TileCombinePlan plan = s->c.plan;
  CombinedScratch scratch;
  Combined front, joined;
  tilePlanScanWarps(&plan, &s->c.plan);
  bool ok =
      lowerCombinedPublish(&s->c, &s->total, lowerScanHolder(s), (CombinedShares){0}, &scratch);
  s->holders = 0;
  if (ok) loadTotals(s, t);
  s->c.plan = plan;
  if (!ok || !findBefore(s, t, &front)) return false;
  front = fetchTotals(s, t, front);
  MlirValue valid = haveOthers(s, t);
  if (!lowerScanPutInFront(s, &front, s->valid, &s->before, &joined)) return false;
  bool first = mlirValueIsNull(s->valid);
  s->before = first ? joined : lowerCombinedSelect(&s->c, valid, &joined, &s->before);
  s->valid = first ? valid : tileBuildBinary(&l->b, "arith.ori", s->valid, valid);
  return true;
}
