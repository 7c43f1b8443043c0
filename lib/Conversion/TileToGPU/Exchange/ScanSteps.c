//===- ScanSteps.c - bits of a scan: registers, lanes, warps --------------===//
//
// Each step makes one block of two, or of as many as the bits tell apart: prefixes of registers
// that come first, else `total` and `before` (Scan.c).
//
//===----------------------------------------------------------------------===//
#include "Scan.h"
#include <stdlib.h>

//===- vectors over some of the register bits -----------------------------===//
//
// Element i of a vector over a mask is that of the register whose bits under the mask are those of
// i, in their order.

int64_t lowerScanSize(uint32_t mask) { return (int64_t)1 << __builtin_popcount(mask); }

/// The number under `mask` of register `reg`.
static int64_t numberUnder(uint32_t mask, uint32_t reg) {
  int64_t number = 0;
  for (int at = 0; mask; mask &= mask - 1, ++at)
    if (reg & (mask & -mask)) number |= (int64_t)1 << at;
  return number;
}

/// For each element over `to`, with the bits `fixed` of its register as well, the one over `from`.
static int64_t *indicesOver(uint32_t from, uint32_t to, uint32_t fixed) {
  int64_t n = lowerScanSize(to), *indices = lowerIndices(n);
  for (int64_t i = 0; i < n; ++i)
    indices[i] = numberUnder(from, (uint32_t)tileDepositBits((uint32_t)i, to) | fixed);
  return indices;
}

Combined lowerScanOver(Scan *s, const Combined *values, uint32_t from, uint32_t to,
                       uint32_t fixed) {
  if (from == to) return *values;
  int64_t *indices = indicesOver(from, to, fixed);
  Combined result = lowerCombinedPermute(&s->c, values, lowerScanSize(to), indices);
  free(indices);
  return result;
}

MlirValue lowerScanValid(Scan *s, uint32_t to, uint32_t fixed) {
  if (s->beforeBits == to) return s->valid;
  int64_t *indices = indicesOver(s->beforeBits, to, fixed);
  MlirValue result = lowerPermute(s->c.l, s->valid, lowerScanSize(to), indices);
  free(indices);
  return result;
}

/// Elements with `bit` clear from `clear`, those with it set from `set`; over `mask` all together.
static MlirValue mergeOne(Lowering *l, MlirValue clear, MlirValue set, uint32_t mask,
                          uint32_t bit) {
  int64_t n = lowerScanSize(mask), half = n / 2, *indices = lowerIndices(n);
  for (int64_t i = 0; i < n; ++i) {
    uint32_t reg = (uint32_t)tileDepositBits((uint32_t)i, mask);
    indices[i] = numberUnder(mask & ~bit, reg) + (reg & bit ? half : 0);
  }
  MlirValue result = lowerShuffleVectors(l, clear, set, n, indices);
  free(indices);
  return result;
}

static Combined merge(Scan *s, const Combined *clear, const Combined *set, uint32_t mask,
                      uint32_t bit) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < s->c.count; ++i)
    result.v[i] = mergeOne(s->c.l, clear->v[i], set->v[i], mask, bit);
  return result;
}

/// The scalar i1 for every element over `mask`.
static MlirValue splat(Scan *s, MlirValue condition, uint32_t mask) {
  Lowering *l = s->c.l;
  MlirType type = tileVectorType(lowerScanSize(mask), tileI1(l->b.context));
  return tileBuildUnary(&l->b, "vector.broadcast", type, condition);
}

//===- steps --------------------------------------------------------------===//

/// Two blocks that a register bit tells apart; their totals, and the new one.
static bool joinTotals(Scan *s, uint32_t bit, Combined *earlier) {
  uint32_t rest = s->totalBits & ~bit;
  *earlier = lowerScanOver(s, &s->total, s->totalBits, rest, s->reverse ? bit : 0);
  Combined later = lowerScanOver(s, &s->total, s->totalBits, rest, s->reverse ? 0 : bit);
  s->totalBits = rest;
  return lowerCombine(&s->c, earlier, &later, &s->total);
}

bool lowerScanPrefixes(Scan *s, int n) {
  int count = 1 << n;
  uint32_t mask = s->live;
  for (int k = 0; k < n; ++k) mask &= ~((uint32_t)1 << s->bits[k].bit);
  s->totalBits = mask;
  Combined *parts = malloc((size_t)count * sizeof *parts);
  if (!parts) abort();
  bool ok = true;
  for (int i = 0; i < count; ++i) {
    uint32_t place = 0;
    for (int k = 0; k < n; ++k) place |= (uint32_t)(i >> k & 1) << s->bits[k].bit;
    parts[i] = lowerScanOver(s, &s->prefix, s->live, mask, place);
  }
  int turned = s->reverse ? count - 1 : 0;
  for (int i = 1; i < count && ok; ++i) {
    Combined own = parts[i ^ turned];
    ok = lowerCombine(&s->c, &parts[(i - 1) ^ turned], &own, &parts[i ^ turned]);
  }
  s->total = parts[(count - 1) ^ turned];
  for (int k = 0; k < n && ok; ++k) {
    uint32_t bit = (uint32_t)1 << s->bits[k].bit;
    mask |= bit;
    for (int i = 0; i < count >> (k + 1); ++i)
      parts[i] = merge(s, &parts[2 * i], &parts[2 * i + 1], mask, bit);
  }
  s->prefix = parts[0];
  free(parts);
  return ok;
}

bool lowerScanPutInFront(Scan *s, const Combined *front, MlirValue valid, const Combined *before,
                         Combined *result) {
  *result = *front;
  if (mlirValueIsNull(valid)) return true;
  Combined joined;
  if (!lowerCombine(&s->c, front, before, &joined)) return false;
  *result = lowerCombinedSelect(&s->c, valid, &joined, front);
  return true;
}

/// `front` (over totalBits) goes before where `later` (i1) holds.
static bool stepBefore(Scan *s, const Combined *front, MlirValue later) {
  Lowering *l = s->c.l;
  Combined spread = lowerScanOver(s, front, s->totalBits, s->beforeBits, 0), joined;
  if (!lowerScanPutInFront(s, &spread, s->valid, &s->before, &joined)) return false;
  MlirValue laters = splat(s, later, s->beforeBits);
  bool first = mlirValueIsNull(s->valid);
  s->before = first ? joined : lowerCombinedSelect(&s->c, laters, &joined, &s->before);
  s->valid = first ? laters : tileBuildBinary(&l->b, "arith.ori", s->valid, laters);
  return true;
}

static MlirValue inverse(Lowering *l, MlirValue condition) {
  MlirValue yes = tileBuildInt(&l->b, tileI1(l->b.context), 1);
  return tileBuildBinary(&l->b, "arith.xori", condition, yes);
}

bool lowerScanLane(Scan *s, uint32_t bit) {
  Lowering *l = s->c.l;
  MlirValue mask = lowerI32(l, bit), later = lowerTestBits(l, l->lane, bit);
  if (s->reverse) later = inverse(l, later);
  Combined other = lowerCombinedShuffle(&s->c, LOWER_SHUFFLE_XOR, &s->total, mask);
  if (!stepBefore(s, &other, later)) return false;
  MlirValue laters = splat(s, later, s->totalBits);
  Combined own = s->total, first = own, second = other;
  if (!s->c.commutes) {
    first = lowerCombinedSelect(&s->c, laters, &other, &own);
    second = lowerCombinedSelect(&s->c, laters, &own, &other);
  }
  return lowerCombine(&s->c, &first, &second, &s->total);
}

/// The neighbour in front of this lane, of those that `mask` tells apart; i32. The first one gets
/// any.
static MlirValue laneBefore(Scan *s, uint32_t mask) {
  Lowering *l = s->c.l;
  uint32_t others = ((1u << TILE_LANE_BITS) - 1) & ~mask;
  MlirValue under = lowerI32(l, mask), rest = lowerI32(l, others), one = lowerI32(l, 1);
  // What is carried or borrowed passes through the bits that are not of the mask.
  MlirValue own = tileBuildBinary(&l->b, s->reverse ? "arith.ori" : "arith.andi", l->lane,
                                  s->reverse ? rest : under);
  MlirValue next = tileBuildBinary(&l->b, s->reverse ? "arith.addi" : "arith.subi", own, one);
  next = tileBuildBinary(&l->b, "arith.andi", next, under);
  rest = tileBuildBinary(&l->b, "arith.andi", l->lane, rest);
  return tileBuildBinary(&l->b, "arith.ori", next, rest);
}

/// The last lane of the earlier block, for lanes of the later one of two that `bit` tells apart;
/// `below`: the bits that their own lanes differ in. In reverse the last one has these clear.
static MlirValue lastOfEarlier(Scan *s, uint32_t bit, uint32_t below) {
  Lowering *l = s->c.l;
  uint32_t all = (1u << TILE_LANE_BITS) - 1, clears = s->reverse ? below : bit;
  MlirValue clear = lowerI32(l, all & ~clears);
  MlirValue set = lowerI32(l, s->reverse ? bit : below);
  MlirValue lane = tileBuildBinary(&l->b, "arith.andi", l->lane, clear);
  return tileBuildBinary(&l->b, "arith.ori", lane, set);
}

bool lowerScanRaiseLanes(Scan *s, int first, int n) {
  Lowering *l = s->c.l;
  uint32_t mask = 0;
  for (int k = 0; k < n; ++k) {
    uint32_t bit = (uint32_t)1 << s->bits[first + k].bit;
    MlirValue later = lowerTestBits(l, l->lane, bit);
    if (s->reverse) later = inverse(l, later);
    MlirValue from = mask ? lastOfEarlier(s, bit, mask) : lowerI32(l, bit);
    Combined other =
        lowerCombinedShuffle(&s->c, mask ? LOWER_SHUFFLE_LANE : LOWER_SHUFFLE_XOR, &s->total, from);
    Combined joined;
    if (!lowerCombine(&s->c, &other, &s->total, &joined)) return false;
    s->total = lowerCombinedSelect(&s->c, splat(s, later, s->totalBits), &joined, &s->total);
    mask |= bit;
  }
  s->holders = mask;
  return true;
}

bool lowerScanLaneBefore(Scan *s) {
  Lowering *l = s->c.l;
  uint32_t mask = s->holders;
  Combined front = lowerCombinedShuffle(&s->c, LOWER_SHUFFLE_LANE, &s->total, laneBefore(s, mask));
  MlirValue place = lowerTestBits(l, l->lane, mask);
  if (s->reverse) {
    MlirValue all = lowerI32(l, mask);
    place = tileBuildBinary(&l->b, "arith.andi", l->lane, all);
    place = tileBuildCmpi(&l->b, TILE_NE, place, all);
  }
  return stepBefore(s, &front, place);
}

bool lowerScanLanes(Scan *s, int first, int n) {
  if (!lowerScanRaiseLanes(s, first, n)) return false;
  bool alone = s->totalBits == s->live && mlirValueIsNull(s->valid);
  if (!alone) return lowerScanLaneBefore(s);
  s->prefix = s->total;
  return true;
}

void lowerScanShareTotal(Scan *s) {
  Lowering *l = s->c.l;
  if (!s->holders) return;
  uint32_t all = (1u << TILE_LANE_BITS) - 1;
  MlirValue bits = lowerI32(l, s->reverse ? all & ~s->holders : s->holders);
  MlirValue last = tileBuildBinary(&l->b, s->reverse ? "arith.andi" : "arith.ori", l->lane, bits);
  s->total = lowerCombinedShuffle(&s->c, LOWER_SHUFFLE_LANE, &s->total, last);
  s->holders = 0;
}

MlirValue lowerScanHolder(Scan *s) {
  Lowering *l = s->c.l;
  if (!s->holders) return (MlirValue){NULL};
  MlirValue mask = lowerI32(l, s->holders), last = lowerI32(l, s->reverse ? 0 : s->holders);
  MlirValue place = tileBuildBinary(&l->b, "arith.andi", l->lane, mask);
  return tileBuildCmpi(&l->b, TILE_EQ, place, last);
}

/// A register bit above lanes or warps, where nothing comes before any block yet.
static bool stepFirstRegister(Scan *s, uint32_t bit) {
  Combined earlierTotal;
  if (!joinTotals(s, bit, &earlierTotal)) return false;
  s->before = lowerScanOver(s, &earlierTotal, s->totalBits, s->beforeBits, 0);
  MlirType half = tileVectorType(lowerScanSize(s->beforeBits) / 2, tileI1(s->c.l->b.context));
  MlirValue no = tileBuildInt(&s->c.l->b, half, 0), yes = tileBuildInt(&s->c.l->b, half, 1);
  s->valid = mergeOne(s->c.l, s->reverse ? yes : no, s->reverse ? no : yes, s->beforeBits, bit);
  return true;
}

bool lowerScanRegister(Scan *s, uint32_t bit) {
  uint32_t rest = s->beforeBits & ~bit, laterBit = s->reverse ? 0 : bit;
  Combined earlierTotal, joined;
  if (mlirValueIsNull(s->valid)) return stepFirstRegister(s, bit);
  if (!joinTotals(s, bit, &earlierTotal)) return false;
  Combined front = lowerScanOver(s, &earlierTotal, s->totalBits, rest, 0);
  Combined clear = lowerScanOver(s, &s->before, s->beforeBits, rest, 0);
  Combined set = lowerScanOver(s, &s->before, s->beforeBits, rest, bit);
  Combined *later = s->reverse ? &clear : &set;
  MlirValue valid = lowerScanValid(s, rest, laterBit),
            other = lowerScanValid(s, rest, bit & ~laterBit);
  if (!lowerScanPutInFront(s, &front, valid, later, &joined)) return false;
  *later = joined;
  s->before = merge(s, &clear, &set, s->beforeBits, bit);
  MlirValue all = tileBuildInt(&s->c.l->b, mlirValueGetType(other), 1);
  s->valid = s->reverse ? mergeOne(s->c.l, all, other, s->beforeBits, bit)
                        : mergeOne(s->c.l, other, all, s->beforeBits, bit);
  return true;
}

MlirValue lowerScanWarpPlace(Scan *s, int first, int n) {
  Lowering *l = s->c.l;
  MlirValue place = {NULL};
  for (int k = 0; k < n; ++k) {
    MlirValue set = lowerTestBits(l, l->warp, (uint32_t)1 << s->bits[first + k].bit);
    if (s->reverse) set = inverse(l, set);
    MlirValue part = tileBuildUnary(&l->b, "arith.extui", tileI32(l->b.context), set);
    MlirValue amount = lowerI32(l, k);
    part = tileBuildBinary(&l->b, "arith.shli", part, amount);
    place = k ? tileBuildBinary(&l->b, "arith.ori", place, part) : part;
  }
  return place;
}

/// Which of the published partials is in place `place`.
static int partialAt(const Scan *s, int first, int n, int place) {
  uint32_t warp = 0;
  for (int k = 0; k < n; ++k)
    if ((place >> k & 1) != s->reverse) warp |= (uint32_t)1 << s->bits[first + k].bit;
  return (int)numberUnder(s->c.plan.along[TILE_WARP], warp);
}

bool lowerScanWarps(Scan *s, int first, int n) {
  Lowering *l = s->c.l;
  TileCombinePlan plan = s->c.plan;
  CombinedScratch scratch;
  tilePlanScanWarps(&plan, &s->c.plan);
  bool ok =
      lowerCombinedPublish(&s->c, &s->total, lowerScanHolder(s), (CombinedShares){0}, &scratch);
  s->holders = 0;
  MlirValue place = lowerScanWarpPlace(s, first, n);
  Combined sum = {{{NULL}}}, front = sum;
  if (ok) sum = lowerCombinedPartial(&s->c, &scratch, partialAt(s, first, n, 0));
  for (int p = 1; ok && p < 1 << n; ++p) {
    MlirValue number = lowerI32(l, p);
    MlirValue here = tileBuildCmpi(&l->b, TILE_EQ, place, number);
    MlirValue heres = splat(s, here, s->totalBits);
    front = p == 1 ? sum : lowerCombinedSelect(&s->c, heres, &sum, &front);
    Combined before = sum, next = lowerCombinedPartial(&s->c, &scratch, partialAt(s, first, n, p));
    ok = lowerCombine(&s->c, &before, &next, &sum);
  }
  s->c.plan = plan;
  if (!ok) return false;
  s->total = sum;
  MlirValue zero = lowerI32(l, 0);
  return stepBefore(s, &front, tileBuildCmpi(&l->b, TILE_NE, place, zero));
}
