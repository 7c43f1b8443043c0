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
// In reverse, "earlier" is where the bit is set.
//===----------------------------------------------------------------------===//
#include "Combine.h"
#include "tile/Analysis/Identity.h"
#include <stdlib.h>

typedef struct {
  Combiner c;
  bool reverse;
  TileScanBit bits[TILE_MAX_BITS];
  int numBits;
  uint32_t live; ///< register bits that are no copies
  Combined prefix, total, before;
  uint32_t totalBits, beforeBits; ///< register bits that tell their elements apart
  MlirValue valid;                ///< vector<i1>: is there a `before`? Null: nowhere
  uint32_t holders; ///< lane bits of which the last lane alone has `total`; 0: all lanes have it
} Scan;

/// Lane bits from which on one combination for each and two more shuffles are fewer instructions
/// than two combinations for each.
enum { leastLanes = 3 };

/// Totals that a lane takes at once, of tiles that have more than lanes.
enum { MOST_PARTS = 8 };

//===- vectors over some of the register bits -----------------------------===//
//
// Element i of a vector over a mask is that of the register whose bits under the mask are those of
// i, in their order.

static int64_t sizeOver(uint32_t mask) { return (int64_t)1 << __builtin_popcount(mask); }

/// The number under `mask` of register `reg`.
static int64_t numberUnder(uint32_t mask, uint32_t reg) {
  int64_t number = 0;
  for (int at = 0; mask; mask &= mask - 1, ++at)
    if (reg & (mask & -mask)) number |= (int64_t)1 << at;
  return number;
}

/// For each element over `to`, with the bits `fixed` of its register as well, the one over `from`.
static int64_t *indicesOver(uint32_t from, uint32_t to, uint32_t fixed) {
  int64_t n = sizeOver(to), *indices = lowerIndices(n);
  for (int64_t i = 0; i < n; ++i)
    indices[i] = numberUnder(from, (uint32_t)tileDepositBits((uint32_t)i, to) | fixed);
  return indices;
}

static Combined over(Scan *s, const Combined *values, uint32_t from, uint32_t to, uint32_t fixed) {
  if (from == to) return *values;
  int64_t *indices = indicesOver(from, to, fixed);
  Combined result = lowerCombinedPermute(&s->c, values, sizeOver(to), indices);
  free(indices);
  return result;
}

static MlirValue validOver(Scan *s, uint32_t to, uint32_t fixed) {
  if (s->beforeBits == to) return s->valid;
  int64_t *indices = indicesOver(s->beforeBits, to, fixed);
  MlirValue result = lowerPermute(s->c.l, s->valid, sizeOver(to), indices);
  free(indices);
  return result;
}

/// Elements with `bit` clear from `clear`, those with it set from `set`; over `mask` all together.
static MlirValue mergeOne(Lowering *l, MlirValue clear, MlirValue set, uint32_t mask,
                          uint32_t bit) {
  int64_t n = sizeOver(mask), half = n / 2, *indices = lowerIndices(n);
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
  MlirType type = tileVectorType(sizeOver(mask), tileI1(l->b.context));
  return tileBuildUnary(&l->b, "vector.broadcast", type, condition);
}

//===- steps --------------------------------------------------------------===//

/// Two blocks that a register bit tells apart; their totals, and the new one.
static bool joinTotals(Scan *s, uint32_t bit, Combined *earlier) {
  uint32_t rest = s->totalBits & ~bit;
  *earlier = over(s, &s->total, s->totalBits, rest, s->reverse ? bit : 0);
  Combined later = over(s, &s->total, s->totalBits, rest, s->reverse ? 0 : bit);
  s->totalBits = rest;
  return lowerCombine(&s->c, earlier, &later, &s->total);
}

/// The first `n` bits of the axis, of registers: each prefix is the one before and its own element.
static bool stepPrefixes(Scan *s, int n) {
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
    parts[i] = over(s, &s->prefix, s->live, mask, place);
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

/// `front` goes before all that is before already. `valid`: of the elements concerned; null: none.
static bool putInFront(Scan *s, const Combined *front, MlirValue valid, const Combined *before,
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
  Combined spread = over(s, front, s->totalBits, s->beforeBits, 0), joined;
  if (!putInFront(s, &spread, s->valid, &s->before, &joined)) return false;
  MlirValue laters = splat(s, later, s->beforeBits);
  bool first = mlirValueIsNull(s->valid);
  s->before = first ? joined : lowerCombinedSelect(&s->c, laters, &joined, &s->before);
  s->valid = first ? laters : tileBuildBinary(&l->b, "arith.ori", s->valid, laters);
  return true;
}

static MlirValue not(Lowering *l, MlirValue condition) {
  MlirValue yes = tileBuildInt(&l->b, tileI1(l->b.context), 1);
  return tileBuildBinary(&l->b, "arith.xori", condition, yes);
}

static bool stepLane(Scan *s, uint32_t bit) {
  Lowering *l = s->c.l;
  MlirValue mask = lowerI32(l, bit), later = lowerTestBits(l, l->lane, bit);
  if (s->reverse) later = not(l, later);
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

/// Lane bits `first` .. `first + n - 1`, which rise: `total` becomes that up to each lane.
static bool raiseLanes(Scan *s, int first, int n) {
  Lowering *l = s->c.l;
  uint32_t mask = 0;
  for (int k = 0; k < n; ++k) {
    uint32_t bit = (uint32_t)1 << s->bits[first + k].bit;
    MlirValue later = lowerTestBits(l, l->lane, bit);
    if (s->reverse) later = not(l, later);
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

/// Behind raiseLanes: what is up to the lane in front comes before.
static bool stepLaneBefore(Scan *s) {
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

static bool stepLanes(Scan *s, int first, int n) {
  if (!raiseLanes(s, first, n)) return false;
  bool alone = s->totalBits == s->live && mlirValueIsNull(s->valid);
  if (!alone) return stepLaneBefore(s);
  s->prefix = s->total;
  return true;
}

/// All lanes get what the last one has.
static void shareTotal(Scan *s) {
  Lowering *l = s->c.l;
  if (!s->holders) return;
  uint32_t all = (1u << TILE_LANE_BITS) - 1;
  MlirValue bits = lowerI32(l, s->reverse ? all & ~s->holders : s->holders);
  MlirValue last = tileBuildBinary(&l->b, s->reverse ? "arith.andi" : "arith.ori", l->lane, bits);
  s->total = lowerCombinedShuffle(&s->c, LOWER_SHUFFLE_LANE, &s->total, last);
  s->holders = 0;
}

/// Null: all lanes hold totals. Else i1: is this one of those that do?
static MlirValue isHolder(Scan *s) {
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
  s->before = over(s, &earlierTotal, s->totalBits, s->beforeBits, 0);
  MlirType half = tileVectorType(sizeOver(s->beforeBits) / 2, tileI1(s->c.l->b.context));
  MlirValue no = tileBuildInt(&s->c.l->b, half, 0), yes = tileBuildInt(&s->c.l->b, half, 1);
  s->valid = mergeOne(s->c.l, s->reverse ? yes : no, s->reverse ? no : yes, s->beforeBits, bit);
  return true;
}

/// A register bit above lanes or warps.
static bool stepRegister(Scan *s, uint32_t bit) {
  uint32_t rest = s->beforeBits & ~bit, laterBit = s->reverse ? 0 : bit;
  Combined earlierTotal, joined;
  if (mlirValueIsNull(s->valid)) return stepFirstRegister(s, bit);
  if (!joinTotals(s, bit, &earlierTotal)) return false;
  Combined front = over(s, &earlierTotal, s->totalBits, rest, 0);
  Combined clear = over(s, &s->before, s->beforeBits, rest, 0);
  Combined set = over(s, &s->before, s->beforeBits, rest, bit);
  Combined *later = s->reverse ? &clear : &set;
  MlirValue valid = validOver(s, rest, laterBit), other = validOver(s, rest, bit & ~laterBit);
  if (!putInFront(s, &front, valid, later, &joined)) return false;
  *later = joined;
  s->before = merge(s, &clear, &set, s->beforeBits, bit);
  MlirValue all = tileBuildInt(&s->c.l->b, mlirValueGetType(other), 1);
  s->valid = s->reverse ? mergeOne(s->c.l, all, other, s->beforeBits, bit)
                        : mergeOne(s->c.l, other, all, s->beforeBits, bit);
  return true;
}

/// This warp's place in the order of the axis, over bits `first` .. `first + n - 1`; i32.
static MlirValue warpPlace(Scan *s, int first, int n) {
  Lowering *l = s->c.l;
  MlirValue place = {NULL};
  for (int k = 0; k < n; ++k) {
    MlirValue set = lowerTestBits(l, l->warp, (uint32_t)1 << s->bits[first + k].bit);
    if (s->reverse) set = not(l, set);
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

/// All warp bits: bits `first` .. `first + n - 1` of the axis.
static bool stepWarps(Scan *s, int first, int n) {
  Lowering *l = s->c.l;
  TileCombinePlan plan = s->c.plan;
  CombinedScratch scratch;
  tilePlanScanWarps(&plan, &s->c.plan);
  bool ok = lowerCombinedPublish(&s->c, &s->total, isHolder(s), 0, &scratch);
  s->holders = 0;
  MlirValue place = warpPlace(s, first, n);
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

//===- totals in lanes ----------------------------------------------------===//

/// All totals of a tile, by lanes: which of them are side by side in one.
typedef struct {
  int first, bits;           ///< of the axis: warps, and registers above them
  int warps, each;           ///< how many bits are warps'; how many tell those of one lane apart
  TileLayout map;            ///< registers and lanes to places in scratch
  Combined part[MOST_PARTS]; ///< one register each
} Totals;

/// Where the holder of bit number `t` of the totals' order has them in scratch: registers lowest,
/// as lowerCombinedPublish puts them.
static uint64_t placeOfBit(const Scan *s, const Totals *t, int bit) {
  TileScanBit holder = s->bits[t->first + bit];
  uint32_t below = ((uint32_t)1 << holder.bit) - 1;
  if (holder.dim == TILE_REGISTER) return (uint64_t)1 << __builtin_popcount(s->totalBits & below);
  int registers = __builtin_popcount(s->totalBits);
  return (uint64_t)1 << (registers + __builtin_popcount(s->c.plan.along[TILE_WARP] & below));
}

/// Are there enough of them, no rows beside each other, and nothing but warps and then registers?
static bool planTotals(const Scan *s, int first, Totals *t) {
  const TileCombinePlan *plan = &s->c.plan;
  bool simple = s->c.commutes && s->c.count == 1;
  int least = tileMachineNumber(s->c.l->machine, simple ? TILE_NUMBER_LANE_PARTIALS
                                                        : TILE_NUMBER_LANE_PARTIALS_OF_SEVERAL);
  *t = (Totals){.first = first, .bits = s->numBits - first, .map = tileLayoutEmpty(1)};
  for (int i = 0; i < s->c.count; ++i)
    if (tileBitWidth(s->c.elements[i]) < 8) return false;
  if (plan->kept[TILE_REGISTER] || plan->kept[TILE_LANE] || plan->kept[TILE_WARP]) return false;
  while (t->warps < t->bits && s->bits[first + t->warps].dim == TILE_WARP) ++t->warps;
  for (int k = first + t->warps; k < s->numBits; ++k)
    if (s->bits[k].dim != TILE_REGISTER) return false;
  t->each = t->bits > TILE_LANE_BITS ? t->bits - TILE_LANE_BITS : 0;
  if (1 << t->bits < least || 1 << t->each > MOST_PARTS) return false;
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
static void loadTotals(Scan *s, Totals *t) {
  Lowering *l = s->c.l;
  int64_t offset = lowerSharedOffset(s->c.op);
  for (int i = 0; i < s->c.count; ++i) {
    MlirType element = s->c.elements[i];
    int bytes = lowerElementBytes(element);
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
static bool scanTotals(Scan *s, Totals *t, Combined *before) {
  int n = 1 << t->each, turned = s->reverse ? n - 1 : 0;
  for (int r = 1; r < n; ++r) {
    Combined next = t->part[r ^ turned];
    if (!lowerCombine(&s->c, &t->part[(r - 1) ^ turned], &next, &t->part[r ^ turned])) return false;
  }
  Scan lanes = {.c = s->c, .reverse = s->reverse, .total = t->part[(n - 1) ^ turned]};
  for (int k = 0; k < t->bits - t->each; ++k)
    lanes.bits[lanes.numBits++] = (TileScanBit){TILE_LANE, k};
  if (!raiseLanes(&lanes, 0, lanes.numBits)) return false;
  *before = lanes.total;
  if (!t->each) return true;
  if (!stepLaneBefore(&lanes)) return false;
  Combined parts[MOST_PARTS], joined;
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
static Combined fetchTotals(Scan *s, const Totals *t, Combined before) {
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
  int64_t n = sizeOver(s->totalBits);
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
static MlirValue haveOthers(Scan *s, const Totals *t) {
  Lowering *l = s->c.l;
  int64_t n = sizeOver(s->totalBits), firstBlock = s->reverse ? n - 1 : 0;
  MlirValue zero = lowerI32(l, 0), place = warpPlace(s, t->first, t->warps);
  MlirValue *each = lowerNewSlices(n);
  for (int64_t r = 0; r < n; ++r)
    each[r] = r == firstBlock ? tileBuildCmpi(&l->b, TILE_NE, place, zero)
                              : tileBuildInt(&l->b, tileI1(l->b.context), 1);
  MlirValue result = lowerFromElements(l, tileI1(l->b.context), n, each);
  free(each);
  return result;
}

/// All warps and the registers above them.
static bool stepTotals(Scan *s, Totals *t) {
  Lowering *l = s->c.l;
  TileCombinePlan plan = s->c.plan;
  CombinedScratch scratch;
  Combined front, joined;
  tilePlanScanWarps(&plan, &s->c.plan);
  bool ok = lowerCombinedPublish(&s->c, &s->total, isHolder(s), 0, &scratch);
  s->holders = 0;
  if (ok) loadTotals(s, t);
  s->c.plan = plan;
  if (!ok || !scanTotals(s, t, &front)) return false;
  front = fetchTotals(s, t, front);
  MlirValue valid = haveOthers(s, t);
  if (!putInFront(s, &front, s->valid, &s->before, &joined)) return false;
  bool first = mlirValueIsNull(s->valid);
  s->before = first ? joined : lowerCombinedSelect(&s->c, valid, &joined, &s->before);
  s->valid = first ? valid : tileBuildBinary(&l->b, "arith.ori", s->valid, valid);
  return true;
}

//===- the op -------------------------------------------------------------===//

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
    Totals totals;
    if (planTotals(s, first, &totals)) return stepTotals(s, &totals) ? totals.bits : 0;
    while (first + n < s->numBits && s->bits[first + n].dim == TILE_WARP) ++n;
    return stepWarps(s, first, n) ? n : 0;
  }
  shareTotal(s);
  if (s->bits[first].dim == TILE_REGISTER) return stepRegister(s, bit) ? 1 : 0;
  n = countLanes(s, first);
  if (n < leastLanes) return stepLane(s, bit) ? 1 : 0;
  return stepLanes(s, first, n) ? n : 0;
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
  Combined front = over(s, &s->before, s->beforeBits, s->live, 0), prefix = s->prefix, joined;
  MlirValue valid = validOver(s, s->live, 0);
  if (!lowerCombine(&s->c, &front, &prefix, &joined)) return false;
  s->prefix = filled ? joined : lowerCombinedSelect(&s->c, valid, &joined, &prefix);
  return true;
}

static bool scan(Scan *s) {
  int k = 0;
  s->total = s->prefix;
  s->totalBits = s->live;
  while (k < s->numBits && s->bits[k].dim == TILE_REGISTER) ++k;
  if (k && !stepPrefixes(s, k)) return false;
  s->beforeBits = s->totalBits;
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
  s.prefix = over(&s, &values, all, s.live, 0);
  if (!scan(&s)) return mlirLogicalResultFailure();
  Combined whole = over(&s, &s.prefix, s.live, all, 0);
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
