//===- Divided.c - warps divide the partials of their results -------------===//
//
// Before:  8 warps have rows of 8 x 1024 numbers, each thread 8 columns: of the sum of rows each
//          thread has 8 results, and loads and adds 8 partials of each, as 8 warps do alike
// After:   warp w adds the 8 partials of every eighth result, a thread one, and stores it where the
//          first of them was; behind another barrier each thread loads the 8 results
//
// A place in shared memory is a result's number, whose bits are those of registers, lanes and warps
// that have other results, and a warp's number along the axis above them. The lowest bits of a
// result's number are the lanes' now, so that they read side by side, and those above them are the
// warps', that were along the axis; what is left are registers. Where results are fewer than
// threads, lanes divide the partials of one besides, the last of them, and shuffles combine what
// they have: those lie as far apart as there are results, which is one bank, but for a bit of the
// result's number that each bit of theirs turns (CombinedShares.swizzled).
//
// A result is written over its first partial, which no other warp reads.
//===----------------------------------------------------------------------===//
#include "Combine.h"
#include "tile/MachineNumbers.h"

/// How many bits of what threads divide: results that lanes, warps and registers number, and
/// partials that lanes and registers do.
typedef struct {
  int laneResults, warpResults, ownResults, lanePartials, ownPartials;
} Division;

/// False where lanes have too few results to read side by side.
static bool divide(const Combiner *c, Division *d) {
  const TileCombinePlan *plan = &c->plan;
  int results =
      __builtin_popcount(plan->kept[TILE_REGISTER]) + __builtin_popcount(plan->kept[TILE_LANE]);
  int warps = __builtin_popcount(plan->along[TILE_WARP]);
  if (results < TILE_LANE_BITS) return false;
  int spare = TILE_LANE_BITS + warps - results;
  d->lanePartials = spare > 0 ? spare : 0;
  d->ownPartials = warps - d->lanePartials;
  d->laneResults = TILE_LANE_BITS - d->lanePartials;
  d->warpResults = warps;
  d->ownResults = spare < 0 ? -spare : 0;
  return true;
}

/// The slots that it takes a thread: loads one by one, what combines them, shuffles, a store, and
/// loads of results of up to 16 bytes.
static int64_t costOf(const Combiner *c, const Division *d) {
  enum { SHUFFLE = 2, BYTES = 16 };
  int64_t own = (int64_t)1 << d->ownResults, loaded = (int64_t)1 << d->ownPartials;
  int64_t kept = (int64_t)1 << __builtin_popcount(c->plan.kept[TILE_REGISTER]);
  int64_t rounds = d->lanePartials, shuffles = rounds ? rounds + (c->commutes ? 0 : 1) : 0;
  int64_t cost = own * (loaded - 1 + rounds) * lowerSlotsOfCombining(c);
  for (int i = 0; i < c->count; ++i) {
    int64_t bytes = kept * tileElementBytes(c->elements[i]);
    cost += own * (loaded + 1 + SHUFFLE * shuffles) + (bytes + BYTES - 1) / BYTES;
  }
  return cost;
}

/// Where a thread's results are, and with `partials` the partials of each, above them.
static TileLayout mapOf(const Combiner *c, const Division *d, int vectorBits, bool partials) {
  const TileCombinePlan *plan = &c->plan;
  TileLayout map = tileLayoutEmpty(1);
  int places[TILE_MAX_BITS], at = 0;
  int above =
      lowerResultPlaces(plan, vectorBits, places) + __builtin_popcount(plan->kept[TILE_WARP]);
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim) map.inBits[dim] = plan->source.inBits[dim];
  map.inBits[TILE_REGISTER] = d->ownResults + (partials ? d->ownPartials : 0);
  map.outBits[0] = above + d->warpResults;
  for (int i = 0; i < d->laneResults; ++i) map.bases[TILE_LANE][i] = (uint64_t)1 << places[at++];
  for (int i = 0; i < d->lanePartials && partials; ++i)
    map.bases[TILE_LANE][d->laneResults + i] =
        (uint64_t)1 << (above + d->ownPartials + i) |
        lowerTurnedPlace(plan, vectorBits, d->lanePartials, i);
  for (uint32_t left = plan->along[TILE_WARP]; left; left &= left - 1)
    map.bases[TILE_WARP][__builtin_ctz(left)] = (uint64_t)1 << places[at++];
  for (int i = 0; i < d->ownResults; ++i) map.bases[TILE_REGISTER][i] = (uint64_t)1 << places[at++];
  for (int i = 0; i < d->ownPartials && partials; ++i)
    map.bases[TILE_REGISTER][d->ownResults + i] = (uint64_t)1 << (above + i);
  at = vectorBits + __builtin_popcount(plan->kept[TILE_LANE]);
  for (uint32_t left = plan->kept[TILE_WARP]; left; left &= left - 1)
    map.bases[TILE_WARP][__builtin_ctz(left)] = (uint64_t)1 << at++;
  return map;
}

static MlirType storedType(const Combiner *c, int i) {
  return tileBitWidth(c->elements[i]) == 1 ? tileI8(c->l->b.context) : c->elements[i];
}

/// The thread's own results of the partial number `which` that it has.
static Combined loadOwn(Combiner *c, const LowerScratch *from, int which, int own) {
  Combined result = {{{NULL}}};
  for (int i = 0; i < c->count; ++i) {
    MlirValue *slices = lowerNewSlices(own);
    for (int r = 0; r < own; ++r)
      slices[r] = lowerScratchLoad(c->l, &from[i], which * own + r, storedType(c, i), 1);
    result.v[i] = lowerFromStored(c->l, lowerJoinSlices(c->l, own, slices), c->elements[i]);
  }
  return result;
}

/// Makes the places of each value; those of its results begin where the partials do.
static void place(Combiner *c, const Division *d, const CombinedScratch *scratch,
                  LowerScratch *partials, LowerScratch *results) {
  int64_t offset = lowerSharedOffset(c->op);
  for (int i = 0; i < c->count; ++i) {
    int bytes = tileElementBytes(c->elements[i]), vectorBits = __builtin_ctz(scratch->vector[i]);
    TileLayout read = mapOf(c, d, vectorBits, true), write = mapOf(c, d, vectorBits, false);
    partials[i] = lowerScratch(c->l, &read, bytes, offset);
    results[i] = lowerScratch(c->l, &write, bytes, offset);
    offset += tileCombineScratchBytes(&c->plan, bytes);
  }
}

bool lowerCombineDivided(Combiner *c, int64_t cost, Combined *values) {
  Division d;
  int least = tileMachineNumber(c->l->machine, TILE_NUMBER_DIVIDED_PARTIALS);
  if (!divide(c, &d) || costOf(c, &d) + least > cost) return false;
  CombinedScratch scratch;
  LowerScratch read[LOWER_MAX_COMBINED], write[LOWER_MAX_COMBINED];
  CombinedShares shares = {.swizzled = d.lanePartials};
  if (!lowerCombinedPublish(c, values, (MlirValue){NULL}, shares, &scratch)) return false;
  place(c, &d, &scratch, read, write);
  int own = 1 << d.ownResults;
  Combined sum = loadOwn(c, read, 0, own);
  for (int which = 1; which < 1 << d.ownPartials; ++which) {
    Combined before = sum, next = loadOwn(c, read, which, own);
    if (!lowerCombine(c, &before, &next, &sum)) return false;
  }
  uint32_t lanes = ((1u << d.lanePartials) - 1) << d.laneResults;
  if (!lowerCombineLanes(c, &sum, lanes)) return false;
  for (int i = 0; i < c->count; ++i) {
    MlirValue stored = lowerToStored(c->l, sum.v[i]);
    for (int r = 0; r < own; ++r) lowerScratchStore(c->l, &write[i], r, stored, r, 1);
  }
  lowerBarrier(c->l);
  *values = lowerCombinedPartial(c, &scratch, 0);
  return true;
}
