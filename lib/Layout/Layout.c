//===- Layout.c - the algebra of linear layouts ---------------------------===//
//
// Values in, values out. The one algorithm is elimination over F2 (Span.h); all
// else moves bits to where another layout keeps them.
//
//===----------------------------------------------------------------------===//
#include "tile/Layout.h"
#include "Span.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

uint64_t tileLayoutPack(TileLayout layout, const int64_t coordinates[]) {
  uint64_t packed = 0;
  for (int d = 0; d < layout.rank; ++d)
    packed = packed << layout.outBits[d] | (uint64_t)coordinates[d];
  return packed;
}

int tileLayoutTotalInBits(TileLayout layout) {
  int bits = 0;
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) bits += layout.inBits[dim];
  return bits;
}

int tileLayoutTotalOutBits(TileLayout layout) {
  int bits = 0;
  for (int d = 0; d < layout.rank; ++d) bits += layout.outBits[d];
  return bits;
}

bool tileLayoutEqual(TileLayout a, TileLayout b) {
  if (a.rank != b.rank) return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.outBits[d] != b.outBits[d]) return false;
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) {
    if (a.inBits[dim] != b.inBits[dim]) return false;
    for (int bit = 0; bit < a.inBits[dim]; ++bit)
      if (a.bases[dim][bit] != b.bases[dim][bit]) return false;
  }
  return true;
}

static int layoutRankOverF2(const TileLayout *layout) {
  Span span = {0};
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) spanAddDim(&span, layout, (TileInDim)dim);
  return span.size;
}

bool tileLayoutIsSurjective(TileLayout layout) {
  return tileLayoutIsValid(layout) && layoutRankOverF2(&layout) == tileLayoutTotalOutBits(layout);
}

bool tileLayoutIsInjective(TileLayout layout) {
  return tileLayoutIsValid(layout) && layoutRankOverF2(&layout) == tileLayoutTotalInBits(layout);
}

uint32_t tileLayoutFreeBits(TileLayout layout, TileInDim dim) {
  Span span = {0};
  for (int before = 0; before < (int)dim; ++before) spanAddDim(&span, &layout, (TileInDim)before);
  uint32_t mask = 0;
  for (int bit = 0; bit < layout.inBits[dim]; ++bit)
    if (!spanAdd(&span, layout.bases[dim][bit])) mask |= (uint32_t)1 << bit;
  return mask;
}

int tileLayoutContiguous(TileLayout layout, int dim) {
  if (!tileLayoutIsValid(layout)) return 1;
  int shift = tileLayoutShift(layout, dim), bits = 0;
  while (bits < layout.outBits[dim] && bits < layout.inBits[TILE_REGISTER] &&
         layout.bases[TILE_REGISTER][bits] == (uint64_t)1 << (shift + bits))
    ++bits;
  for (int in = 0; in < TILE_NUM_IN_DIMS; ++in)
    for (int bit = in == TILE_REGISTER ? bits : 0; bit < layout.inBits[in]; ++bit)
      while (bits > 0 && layout.bases[in][bit] >> shift & (((uint64_t)1 << bits) - 1)) --bits;
  return 1 << bits;
}

int64_t tileLayoutRun(TileLayout layout, int dim) {
  if (!tileLayoutIsValid(layout)) return 1;
  int64_t coordinates[TILE_MAX_RANK] = {0}, extent = (int64_t)1 << layout.outBits[dim], run = 1;
  for (int in = TILE_REGISTER; in <= TILE_LANE; ++in)
    for (bool found = true; found && run < extent;) {
      coordinates[dim] = run;
      uint64_t next = tileLayoutPack(layout, coordinates);
      found = false;
      for (int bit = 0; bit < layout.inBits[in]; ++bit) found |= layout.bases[in][bit] == next;
      if (found) run *= 2;
    }
  return run;
}

int tileLayoutHeld(TileLayout layout, int dim) {
  if (!tileLayoutIsValid(layout)) return 1;
  int shift = tileLayoutShift(layout, dim), bits = 0;
  uint64_t others = 0; // along `dim`, of bases that are no single step of a register
  bool found = true;
  for (int in = 0; in < TILE_NUM_IN_DIMS; ++in)
    for (int bit = 0; bit < layout.inBits[in]; ++bit) {
      uint64_t base = layout.bases[in][bit];
      if (in != TILE_REGISTER || (base & (base - 1))) others |= base >> shift;
    }
  while (found && bits < layout.outBits[dim] && !(others >> bits & 1)) {
    found = false;
    for (int bit = 0; bit < layout.inBits[TILE_REGISTER] && !found; ++bit)
      found = layout.bases[TILE_REGISTER][bit] == (uint64_t)1 << (shift + bits);
    bits += found;
  }
  return 1 << bits;
}

bool tileLayoutRunsOverLanes(TileLayout layout, int dim, int vector) {
  if (!tileLayoutIsValid(layout) || tileLayoutContiguous(layout, dim) < vector) return false;
  int shift = tileLayoutShift(layout, dim), first = 0;
  while (1 << first < vector) ++first;
  int lanes = layout.outBits[dim] - first;
  for (int in = 0; in < TILE_NUM_IN_DIMS; ++in)
    for (int bit = in == TILE_REGISTER ? first : 0; bit < layout.inBits[in]; ++bit) {
      bool isRun = in == TILE_LANE && bit < lanes;
      uint64_t wanted = isRun ? (uint64_t)1 << (shift + first + bit) : 0;
      uint64_t along = (((uint64_t)1 << layout.outBits[dim]) - 1) << shift;
      if (isRun ? layout.bases[in][bit] != wanted : layout.bases[in][bit] & along) return false;
    }
  return lanes <= layout.inBits[TILE_LANE];
}

int tileLayoutFastest(TileLayout layout) {
  int best = layout.rank - 1;
  for (int d = layout.rank; d-- > 0;)
    if (tileLayoutContiguous(layout, d) > tileLayoutContiguous(layout, best)) best = d;
  return best;
}

uint32_t tileDepositBits(uint32_t value, uint32_t mask) {
  uint32_t result = 0;
  for (int from = 0; mask; mask &= mask - 1, ++from)
    if (value >> from & 1) result |= mask & -mask;
  return result;
}

uint32_t tileExtractBits(uint32_t value, uint32_t mask) {
  uint32_t result = 0;
  for (int to = 0; mask; mask &= mask - 1, ++to)
    if (value & mask & -mask) result |= (uint32_t)1 << to;
  return result;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

TileLayout tileLayoutInvalid(void) { return (TileLayout){.rank = -1}; }

TileLayout tileLayoutEmpty(int rank) {
  if (rank < 0 || rank > TILE_MAX_RANK) return tileLayoutInvalid();
  return (TileLayout){.rank = rank};
}

TileLayout tileLayoutIdentity(TileInDim inDim, int bits, int rank, int outDim) {
  TileLayout layout = tileLayoutZeros(inDim, bits, rank);
  if (!tileLayoutIsValid(layout) || outDim < 0 || outDim >= rank) return tileLayoutInvalid();
  layout.outBits[outDim] = bits;
  for (int bit = 0; bit < bits; ++bit) layout.bases[inDim][bit] = (uint64_t)1 << bit;
  return layout;
}

TileLayout tileLayoutZeros(TileInDim inDim, int bits, int rank) {
  TileLayout layout = tileLayoutEmpty(rank);
  if (bits < 0 || bits > TILE_MAX_BITS) return tileLayoutInvalid();
  layout.inBits[inDim] = bits;
  return layout;
}

TileLayout tileLayoutIdentityBox(TileInDim inDim, int rank, const int64_t extents[],
                                 const int order[]) {
  TileLayout layout = tileLayoutEmpty(rank);
  for (int i = 0; i < rank && tileLayoutIsValid(layout); ++i) {
    int dim = order ? order[i] : rank - 1 - i;
    if (dim < 0 || dim >= rank || layout.outBits[dim]) return tileLayoutInvalid();
    int64_t extent = extents[dim];
    if (extent <= 0 || (extent & (extent - 1)) || extent >> TILE_MAX_BITS > 1)
      return tileLayoutInvalid();
    int bits = __builtin_ctzll((unsigned long long)extent);
    layout = tileLayoutProduct(layout, tileLayoutIdentity(inDim, bits, rank, dim));
  }
  return layout;
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

/// Moves a packed coordinate of a layout with extents `from` to one with the larger extents `to`,
/// each dimension `offset` bits up.
static uint64_t repack(uint64_t packed, int rank, const int from[], const int to[],
                       const int offset[]) {
  uint64_t result = 0;
  for (int d = rank - 1, source = 0, target = 0; d >= 0; --d) {
    uint64_t coordinate = packed >> source & (((uint64_t)1 << from[d]) - 1);
    result |= coordinate << (offset ? offset[d] : 0) << target;
    source += from[d];
    target += to[d];
  }
  return result;
}

TileLayout tileLayoutProduct(TileLayout low, TileLayout high) {
  if (!tileLayoutIsValid(low) || low.rank != high.rank) return tileLayoutInvalid();
  TileLayout result = tileLayoutEmpty(low.rank);
  int total = 0;
  for (int d = 0; d < low.rank; ++d) {
    result.outBits[d] = low.outBits[d] + high.outBits[d];
    total += result.outBits[d];
  }
  if (total > TILE_MAX_BITS) return tileLayoutInvalid();
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) {
    int lowBits = low.inBits[dim], bits = lowBits + high.inBits[dim];
    if (bits > TILE_MAX_BITS) return tileLayoutInvalid();
    result.inBits[dim] = bits;
    for (int bit = 0; bit < bits; ++bit)
      result.bases[dim][bit] =
          bit < lowBits ? repack(low.bases[dim][bit], low.rank, low.outBits, result.outBits, NULL)
                        : repack(high.bases[dim][bit - lowBits], low.rank, high.outBits,
                                 result.outBits, low.outBits);
  }
  return result;
}

static bool sameShape(const TileLayout *a, const TileLayout *b) {
  if (a->rank < 0 || a->rank != b->rank) return false;
  return memcmp(a->outBits, b->outBits, sizeof(int) * (size_t)a->rank) == 0;
}

bool layoutSolve(const TileLayout *dst, const TileLayout *src, unsigned own, TileLayout *x) {
  if (!sameShape(dst, src)) return false;
  TileLayout map = tileLayoutEmpty(TILE_NUM_IN_DIMS);
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) {
    map.inBits[dim] = dst->inBits[dim];
    map.outBits[dim] = src->inBits[dim];
  }
  if (tileLayoutTotalOutBits(map) > 63) return false;
  // Which position of the source each generator of its span is.
  Span span = {0};
  uint64_t positions[TILE_MAX_BITS] = {0};
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim)
    for (int bit = 0; bit < src->inBits[dim]; ++bit)
      if (spanAdd(&span, src->bases[dim][bit]))
        positions[span.size - 1] = (uint64_t)1 << (tileLayoutShift(map, dim) + bit);
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim)
    for (int bit = 0; bit < dst->inBits[dim]; ++bit) {
      uint64_t wanted = dst->bases[dim][bit], held = src->bases[dim][bit];
      if (own >> dim & 1 && bit < src->inBits[dim] && (dim != TILE_REGISTER || wanted == held)) {
        map.bases[dim][bit] = (uint64_t)1 << (tileLayoutShift(map, dim) + bit);
        wanted ^= held;
      }
      uint32_t combination = 0;
      if (spanReduce(&span, wanted, &combination)) return false;
      for (; combination; combination &= combination - 1)
        map.bases[dim][bit] ^= positions[__builtin_ctz(combination)];
    }
  *x = map;
  return true;
}

bool tileLayoutInvertAndCompose(TileLayout dst, TileLayout src, TileLayout *x) {
  return layoutSolve(&dst, &src, 0, x);
}

TileLayout tileLayoutSublayout(TileLayout layout, unsigned inDims, unsigned outDims) {
  if (!tileLayoutIsValid(layout)) return layout;
  TileLayout result = tileLayoutEmpty(layout.rank);
  for (int d = 0; d < layout.rank; ++d)
    result.outBits[d] = outDims >> d & 1 ? layout.outBits[d] : 0;
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) {
    if (!(inDims >> dim & 1)) continue;
    result.inBits[dim] = layout.inBits[dim];
    for (int bit = 0; bit < layout.inBits[dim]; ++bit) {
      int64_t kept[TILE_MAX_RANK];
      for (int d = 0; d < layout.rank; ++d)
        kept[d] = outDims >> d & 1 ? tileLayoutCoordinate(layout, layout.bases[dim][bit], d) : 0;
      result.bases[dim][bit] = tileLayoutPack(result, kept);
    }
  }
  return result;
}
