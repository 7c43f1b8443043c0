//===- Shuffles.c - conversions inside a warp -----------------------------===//
//
// The position map, restricted to what moves, is
//
//   source register = A r + B l        source lane = C r + D l
//
// for destination register r and lane l. A shuffle moves one register a lane, and
// all lanes that read a lane get what that lane published. So destination
// registers are not filled in the same order by all lanes: in round t, lane l
// fills register t + F l, with F chosen so that D' = D + C F is invertible. (It need not
// be where all lanes that read one want the same of its registers in each round: F = 0.) Then
// each round is one shuffle: with B' = B + A F,
//
//   lane l reads lane s = C t + D' l, which publishes A t + B' l
//                                   = (A + H C) t + H s,  H = B' D'^-1
//
// and rounds that read their own lane (D' = 1, C t = 0) are free. Exchanging n
// register bits with n lane bits this way takes (1 - 2^-n) of the registers in
// shuffles. Where source lanes hold copies, any vector of the source's kernel may
// be added to a column of D as well.
//
//===----------------------------------------------------------------------===//
#include "Conversion.h"
#include "Span.h"

/// A source position, or a move from one: the two parts that matter here.
typedef struct Place {
  uint32_t reg, lane;
} Place;

static Place placeOf(const TileLayout *map, TileInDim dim, int bit) {
  uint64_t basis = map->bases[dim][bit];
  return (Place){(uint32_t)tileLayoutCoordinate(*map, basis, TILE_REGISTER),
                 (uint32_t)tileLayoutCoordinate(*map, basis, TILE_LANE)};
}

static Place sum(Place a, Place b) { return (Place){a.reg ^ b.reg, a.lane ^ b.lane}; }

typedef struct Shuffles {
  int numRounds; ///< bits
  Place rounds[TILE_MAX_BITS];
  uint32_t roundsOfRegister[TILE_MAX_BITS]; ///< per destination register bit
  Place lanes[TILE_LANE_BITS];              ///< D' and B'
  uint32_t fill[TILE_LANE_BITS];            ///< F
  int numKernel;
  Place kernel[TILE_LANE_BITS]; ///< moves between source lanes that hold the same
} Shuffles;

/// Destination registers that hold the same element need one round.
static void numberRounds(const TileLayout *dst, const TileLayout *map, Shuffles *s) {
  Span span = {0};
  for (int bit = 0; bit < dst->inBits[TILE_REGISTER]; ++bit) {
    uint32_t combination = 0;
    if (spanAdd(&span, dst->bases[TILE_REGISTER][bit])) {
      s->rounds[s->numRounds] = placeOf(map, TILE_REGISTER, bit);
      s->roundsOfRegister[bit] = (uint32_t)1 << s->numRounds++;
    } else {
      spanReduce(&span, dst->bases[TILE_REGISTER][bit], &combination);
      s->roundsOfRegister[bit] = combination;
    }
  }
}

static void findKernel(const TileLayout *src, Shuffles *s) {
  Span span = {0};
  Place generators[TILE_MAX_BITS];
  for (int dim = TILE_REGISTER; dim <= TILE_LANE; ++dim)
    for (int bit = 0; bit < src->inBits[dim]; ++bit) {
      Place place =
          dim == TILE_LANE ? (Place){0, (uint32_t)1 << bit} : (Place){(uint32_t)1 << bit, 0};
      if (spanAdd(&span, src->bases[dim][bit])) {
        generators[span.size - 1] = place;
      } else if (dim == TILE_LANE) {
        uint32_t combination = 0;
        spanReduce(&span, src->bases[dim][bit], &combination);
        for (; combination; combination &= combination - 1)
          place = sum(place, generators[__builtin_ctz(combination)]);
        s->kernel[s->numKernel++] = place;
      }
    }
}

/// Adds to column `lane` of D a round or a kernel vector that is independent of `columns`; one that
/// makes it the unit column if there is one.
static bool repairColumn(Shuffles *s, int lane, Span *columns) {
  int chosen = -1;
  for (int i = 0; i < s->numRounds + s->numKernel; ++i) {
    Place candidate = i < s->numRounds ? s->rounds[i] : s->kernel[i - s->numRounds];
    if (spanContains(columns, candidate.lane)) continue;
    if (chosen < 0) chosen = i;
    if ((s->lanes[lane].lane ^ candidate.lane) == (uint32_t)1 << lane) {
      chosen = i;
      break;
    }
  }
  if (chosen < 0) return false;
  if (chosen < s->numRounds) {
    s->fill[lane] = (uint32_t)1 << chosen;
    s->lanes[lane] = sum(s->lanes[lane], s->rounds[chosen]);
  } else {
    s->lanes[lane] = sum(s->lanes[lane], s->kernel[chosen - s->numRounds]);
  }
  return spanAdd(columns, s->lanes[lane].lane);
}

static bool makeInvertible(Shuffles *s) {
  Span columns = {0};
  unsigned dependent = 0;
  for (int lane = 0; lane < TILE_LANE_BITS; ++lane)
    if (!spanAdd(&columns, s->lanes[lane].lane)) dependent |= 1u << lane;
  for (int lane = 0; lane < TILE_LANE_BITS; ++lane)
    if (dependent >> lane & 1 && !repairColumn(s, lane, &columns)) return false;
  return true;
}

static uint32_t applyBits(const uint32_t columns[], uint32_t bits) {
  uint32_t result = 0;
  for (; bits; bits &= bits - 1) result ^= columns[__builtin_ctz(bits)];
  return result;
}

/// H, as the register that each source lane bit adds. False where lanes that read the same one want
/// different registers of it.
static bool solvePublished(const Shuffles *s, uint32_t published[TILE_LANE_BITS]) {
  Span columns = {0};
  uint32_t registers[TILE_LANE_BITS];
  for (int lane = 0; lane < 2 * TILE_LANE_BITS; ++lane) {
    bool known = lane < TILE_LANE_BITS; // a lane that nobody reads publishes what it likes
    uint64_t column = known ? s->lanes[lane].lane : (uint64_t)1 << (lane - TILE_LANE_BITS);
    uint32_t wanted = known ? s->lanes[lane].reg : 0, combination = 0;
    if (spanAdd(&columns, column)) {
      registers[columns.size - 1] = wanted;
      continue;
    }
    spanReduce(&columns, column, &combination);
    if (known && applyBits(registers, combination) != wanted) return false;
  }
  for (int lane = 0; lane < TILE_LANE_BITS; ++lane) {
    uint32_t combination = 0;
    spanReduce(&columns, (uint64_t)1 << lane, &combination);
    published[lane] = applyBits(registers, combination);
  }
  return true;
}

/// An empty position map from (rounds or registers, the positions of `dst`) to `outDim`.
static TileLayout startMap(const TileLayout *dst, int registerBits, TileInDim outDim, int outBits) {
  TileLayout map = tileLayoutEmpty(TILE_NUM_IN_DIMS);
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) map.inBits[dim] = dst->inBits[dim];
  map.inBits[TILE_REGISTER] = registerBits;
  map.outBits[outDim] = outBits;
  return map;
}

static void writeMaps(const TileLayout *src, const TileLayout *dst, const TileLayout *map,
                      const Shuffles *s, const uint32_t published[], TileShufflePlan *plan) {
  *plan = (TileShufflePlan){0};
  plan->roundBits = s->numRounds;
  plan->send = startMap(dst, s->numRounds, TILE_REGISTER, src->inBits[TILE_REGISTER]);
  plan->lane = startMap(dst, s->numRounds, TILE_LANE, TILE_LANE_BITS);
  plan->receive = startMap(dst, dst->inBits[TILE_REGISTER], TILE_REGISTER, s->numRounds);
  plan->butterfly = true;
  for (int bit = 0; bit < s->numRounds; ++bit) {
    Place round = s->rounds[bit];
    plan->send.bases[TILE_REGISTER][bit] = round.reg ^ applyBits(published, round.lane);
    plan->lane.bases[TILE_REGISTER][bit] = round.lane;
    if (!round.lane) plan->packBits |= (uint32_t)1 << bit;
  }
  for (int bit = 0; bit < TILE_LANE_BITS; ++bit) {
    plan->send.bases[TILE_LANE][bit] = published[bit];
    plan->lane.bases[TILE_LANE][bit] = s->lanes[bit].lane;
    plan->receive.bases[TILE_LANE][bit] = s->fill[bit];
    if (s->lanes[bit].lane != (uint32_t)1 << bit) plan->butterfly = false;
  }
  for (int bit = 0; bit < dst->inBits[TILE_WARP]; ++bit) {
    Place place = placeOf(map, TILE_WARP, bit);
    plan->send.bases[TILE_WARP][bit] = place.reg ^ applyBits(published, place.lane);
    plan->lane.bases[TILE_WARP][bit] = place.lane;
    if (place.lane) plan->butterfly = false;
  }
  for (int bit = 0; bit < dst->inBits[TILE_REGISTER]; ++bit)
    plan->receive.bases[TILE_REGISTER][bit] = s->roundsOfRegister[bit];
}

static int positionBasesUsed(const TileLayout *map) {
  int used = 0;
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < map->inBits[dim]; ++bit) used += map->bases[dim][bit] != 0;
  return used;
}

static void countWork(TileShufflePlan *plan, int elementBytes) {
  Span lanes = {0};
  for (int bit = 0; bit < plan->roundBits; ++bit)
    spanAdd(&lanes, plan->lane.bases[TILE_REGISTER][bit]);
  int rounds = 1 << plan->roundBits;
  if (plan->butterfly) rounds -= rounds >> lanes.size;
  int packed = 1 << __builtin_popcount(plan->packBits);
  if (packed > 4 / elementBytes) packed = 4 / elementBytes;
  plan->numShuffles = elementBytes > 4 ? 2 * rounds : rounds / packed;
  int sendSelects = positionBasesUsed(&plan->send) << plan->send.outBits[TILE_REGISTER];
  int receiveSelects = positionBasesUsed(&plan->receive) << plan->roundBits;
  plan->numSelects = sendSelects + receiveSelects;
}

int layoutShufflesCost(const TileShufflePlan *plan, int elementBytes) {
  return COST_WAVEFRONT * plan->numShuffles + plan->numSelects * (elementBytes > 4 ? 2 : 1);
}

static bool isInvertible(const Shuffles *s) {
  Span columns = {0};
  for (int lane = 0; lane < TILE_LANE_BITS; ++lane)
    if (!spanAdd(&columns, s->lanes[lane].lane)) return false;
  return true;
}

/// The plan as `s` has it; false where it has none.
static bool planAs(const Shuffles *s, const TileLayout *src, const TileLayout *dst,
                   const TileLayout *map, int elementBytes, TileShufflePlan *plan) {
  uint32_t published[TILE_LANE_BITS];
  if (!solvePublished(s, published)) return false;
  writeMaps(src, dst, map, s, published, plan);
  countWork(plan, elementBytes);
  return true;
}

bool layoutPlanShuffles(const TileLayout *src, const TileLayout *dst, const TileLayout *map,
                        int elementBytes, TileShufflePlan *plan) {
  if (src->inBits[TILE_LANE] != TILE_LANE_BITS || dst->inBits[TILE_LANE] != TILE_LANE_BITS)
    return false;
  Shuffles s = {0};
  numberRounds(dst, map, &s);
  findKernel(src, &s);
  for (int lane = 0; lane < TILE_LANE_BITS; ++lane) s.lanes[lane] = placeOf(map, TILE_LANE, lane);
  bool inOrder = planAs(&s, src, dst, map, elementBytes, plan);
  if (isInvertible(&s) || !makeInvertible(&s)) return inOrder;
  TileShufflePlan filled;
  if (!planAs(&s, src, dst, map, elementBytes, &filled)) return inOrder;
  if (!inOrder ||
      layoutShufflesCost(&filled, elementBytes) < layoutShufflesCost(plan, elementBytes))
    *plan = filled;
  return true;
}
