//===- ShapeOps.c - layouts through operations that move no data ----------===//
//
// A shape operation renames coordinates. Where the renaming is linear, so is
// what it does to a layout: each basis is renamed, registers stay.
//
//===----------------------------------------------------------------------===//
#include "tile/Layout.h"

#include <string.h>

/// Rewrites each basis: coordinate d of the result is coordinate from[d] of the layout, or 0 with
/// extent 1 where from[d] is negative.
static TileLayout renameDims(TileLayout layout, int rank, const int from[]) {
  TileLayout result = tileLayoutEmpty(rank);
  if (!tileLayoutIsValid(result)) return result;
  for (int d = 0; d < rank; ++d) result.outBits[d] = from[d] < 0 ? 0 : layout.outBits[from[d]];
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim) {
    result.inBits[dim] = layout.inBits[dim];
    for (int bit = 0; bit < layout.inBits[dim]; ++bit) {
      int64_t coordinates[TILE_MAX_RANK] = {0};
      for (int d = 0; d < rank; ++d)
        if (from[d] >= 0)
          coordinates[d] = tileLayoutCoordinate(layout, layout.bases[dim][bit], from[d]);
      result.bases[dim][bit] = tileLayoutPack(result, coordinates);
    }
  }
  return result;
}

TileLayout tileLayoutSlice(TileLayout layout, int dim) {
  if (!tileLayoutIsValid(layout) || dim < 0 || dim >= layout.rank) return tileLayoutInvalid();
  int from[TILE_MAX_RANK];
  for (int d = 0; d < layout.rank - 1; ++d) from[d] = d < dim ? d : d + 1;
  return renameDims(layout, layout.rank - 1, from);
}

TileLayout tileLayoutRemoveFreeRegisters(TileLayout layout, uint32_t *freeBits) {
  uint32_t mask = tileLayoutIsValid(layout) ? tileLayoutFreeBits(layout, TILE_REGISTER) : 0;
  if (freeBits) *freeBits = mask;
  TileLayout result = layout;
  int kept = 0;
  for (int bit = 0; bit < layout.inBits[TILE_REGISTER]; ++bit) {
    result.bases[TILE_REGISTER][bit] = 0;
    if (!(mask >> bit & 1)) result.bases[TILE_REGISTER][kept++] = layout.bases[TILE_REGISTER][bit];
  }
  result.inBits[TILE_REGISTER] = kept;
  return result;
}

TileLayout tileLayoutSliceCompact(TileLayout layout, int dim) {
  return tileLayoutRemoveFreeRegisters(tileLayoutSlice(layout, dim), NULL);
}

TileLayout tileLayoutExpandDims(TileLayout layout, int dim) {
  if (!tileLayoutIsValid(layout) || dim < 0 || dim > layout.rank || layout.rank == TILE_MAX_RANK)
    return tileLayoutInvalid();
  int from[TILE_MAX_RANK];
  for (int d = 0; d <= layout.rank; ++d) from[d] = d < dim ? d : d == dim ? -1 : d - 1;
  return renameDims(layout, layout.rank + 1, from);
}

TileLayout tileLayoutBroadcastBackward(TileLayout result, const int64_t shape[]) {
  if (!tileLayoutIsValid(result)) return result;
  int from[TILE_MAX_RANK];
  for (int d = 0; d < result.rank; ++d) {
    from[d] = shape[d] == 1 ? -1 : d;
    if (shape[d] != 1 && shape[d] != tileLayoutExtent(result, d)) return tileLayoutInvalid();
  }
  return renameDims(result, result.rank, from);
}

/// Gives the basis `packed` to the first input bit with a zero basis, else to a new register bit.
static bool placeBasis(TileLayout *layout, uint64_t packed) {
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < layout->inBits[dim]; ++bit)
      if (!layout->bases[dim][bit]) {
        layout->bases[dim][bit] = packed;
        return true;
      }
  if (layout->inBits[TILE_REGISTER] == TILE_MAX_BITS) return false;
  layout->bases[TILE_REGISTER][layout->inBits[TILE_REGISTER]++] = packed;
  return true;
}

TileLayout tileLayoutBroadcast(TileLayout operand, const int64_t shape[]) {
  if (!tileLayoutIsValid(operand)) return operand;
  // Widening a dimension is a product with nothing in it but the extent.
  TileLayout wider = tileLayoutEmpty(operand.rank);
  for (int d = 0; d < operand.rank; ++d) {
    int64_t extent = tileLayoutExtent(operand, d);
    if (shape[d] <= 0 || (shape[d] & (shape[d] - 1))) return tileLayoutInvalid();
    if (shape[d] == extent) continue;
    if (extent != 1) return tileLayoutInvalid();
    wider.outBits[d] = __builtin_ctzll((unsigned long long)shape[d]);
    if (wider.outBits[d] > TILE_MAX_BITS) return tileLayoutInvalid();
  }
  TileLayout result = tileLayoutProduct(operand, wider);
  for (int d = operand.rank - 1; d >= 0 && tileLayoutIsValid(result); --d)
    for (int bit = 0; bit < wider.outBits[d]; ++bit)
      if (!placeBasis(&result, (uint64_t)1 << (tileLayoutShift(result, d) + bit)))
        return tileLayoutInvalid();
  return result;
}

TileLayout tileLayoutTranspose(TileLayout operand, const int order[]) {
  if (!tileLayoutIsValid(operand)) return operand;
  unsigned seen = 0;
  for (int d = 0; d < operand.rank; ++d) {
    if (order[d] < 0 || order[d] >= operand.rank) return tileLayoutInvalid();
    seen |= 1u << order[d];
  }
  if (seen != (1u << operand.rank) - 1) return tileLayoutInvalid();
  return renameDims(operand, operand.rank, order);
}

/// The coordinate bits along `dim` that the `in` of a layout tells apart.
static int64_t bitsAlong(TileLayout layout, TileInDim in, int dim) {
  int64_t bits = 0;
  for (int b = 0; b < layout.inBits[in]; ++b)
    bits |= tileLayoutCoordinate(layout, layout.bases[in][b], dim);
  return bits;
}

/// The coordinate bits `low` along `dim` below all others, each in their order.
static TileLayout putBelow(TileLayout layout, int dim, int64_t low) {
  int places[TILE_MAX_BITS], next = 0;
  for (int own = 1; own >= 0; --own)
    for (int bit = 0; bit < layout.outBits[dim]; ++bit)
      if ((low >> bit & 1) == own) places[bit] = next++;
  for (int in = 0; in < TILE_NUM_IN_DIMS; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      int64_t coordinates[TILE_MAX_RANK];
      for (int d = 0; d < layout.rank; ++d)
        coordinates[d] = tileLayoutCoordinate(layout, layout.bases[in][b], d);
      int64_t old = coordinates[dim];
      coordinates[dim] = 0;
      for (int bit = 0; bit < layout.outBits[dim]; ++bit)
        if (old >> bit & 1) coordinates[dim] |= (int64_t)1 << places[bit];
      layout.bases[in][b] = tileLayoutPack(layout, coordinates);
    }
  return layout;
}

TileLayout tileLayoutLowerRegisters(TileLayout layout, int dim) {
  if (!tileLayoutIsValid(layout) || dim < 0 || dim >= layout.rank) return tileLayoutInvalid();
  return putBelow(layout, dim, bitsAlong(layout, TILE_REGISTER, dim));
}

TileLayout tileLayoutRaiseWarps(TileLayout layout, int dim, int times) {
  if (!tileLayoutIsValid(layout) || dim < 0 || dim >= layout.rank) return tileLayoutInvalid();
  int64_t registers = bitsAlong(layout, TILE_REGISTER, dim);
  int64_t lanes = bitsAlong(layout, TILE_LANE, dim), low = lanes;
  for (int bit = 0; bit < layout.outBits[dim]; ++bit) {
    bool isAbove = lanes >> bit == 0; // neighbours of a thread's own stay below lanes
    if (!(registers >> bit & 1) || (isAbove && times <= 1)) continue;
    low |= (int64_t)1 << bit;
    if (isAbove) times /= 2;
  }
  return putBelow(layout, dim, low);
}

/// Does bit `b` of `in` step along `dim` alone?
static bool stepsAlong(const TileLayout *layout, TileInDim in, int b, int dim) {
  int64_t coordinates[TILE_MAX_RANK] = {0};
  coordinates[dim] = tileLayoutCoordinate(*layout, layout->bases[in][b], dim);
  return coordinates[dim] && layout->bases[in][b] == tileLayoutPack(*layout, coordinates);
}

/// Does it step along some other dimension alone?
static bool stepsAcross(const TileLayout *layout, TileInDim in, int b, int dim) {
  bool found = false;
  for (int d = 0; d < layout->rank; ++d) found |= d != dim && stepsAlong(layout, in, b, d);
  return found;
}

TileLayout tileLayoutNarrowLanes(TileLayout layout, int dim, int64_t extent) {
  if (!tileLayoutIsValid(layout) || dim < 0 || dim >= layout.rank) return tileLayoutInvalid();
  int registers = 0, wide = 0;
  for (int b = 0; b < layout.inBits[TILE_REGISTER]; ++b)
    registers += stepsAcross(&layout, TILE_REGISTER, b, dim);
  for (int b = 0; b < layout.inBits[TILE_LANE]; ++b)
    wide += stepsAlong(&layout, TILE_LANE, b, dim) &&
            tileLayoutCoordinate(layout, layout.bases[TILE_LANE][b], dim) >= extent;
  for (int b = 0, r = 0; b < layout.inBits[TILE_LANE] && registers; ++b) {
    uint64_t *lane = &layout.bases[TILE_LANE][b];
    if (!stepsAlong(&layout, TILE_LANE, b, dim) ||
        tileLayoutCoordinate(layout, *lane, dim) < extent || wide-- > registers)
      continue;
    while (!stepsAcross(&layout, TILE_REGISTER, r, dim)) ++r;
    uint64_t across = layout.bases[TILE_REGISTER][r];
    layout.bases[TILE_REGISTER][r++] = *lane;
    *lane = across;
    --registers;
  }
  return layout;
}

TileLayout tileLayoutTransposeBackward(TileLayout result, const int order[]) {
  int inverse[TILE_MAX_RANK] = {0};
  for (int d = 0; d < result.rank; ++d) {
    if (order[d] < 0 || order[d] >= result.rank) return tileLayoutInvalid();
    inverse[order[d]] = d;
  }
  return tileLayoutTranspose(result, inverse);
}

TileLayout tileLayoutReshape(TileLayout layout, int rank, const int64_t shape[]) {
  if (!tileLayoutIsValid(layout) || rank < 0 || rank > TILE_MAX_RANK) return tileLayoutInvalid();
  int total = tileLayoutTotalOutBits(layout);
  layout.rank = rank;
  memset(layout.outBits, 0, sizeof layout.outBits);
  for (int d = 0; d < rank; ++d) {
    if (shape[d] <= 0 || (shape[d] & (shape[d] - 1))) return tileLayoutInvalid();
    layout.outBits[d] = __builtin_ctzll((unsigned long long)shape[d]);
    total -= layout.outBits[d];
  }
  return total == 0 ? layout : tileLayoutInvalid();
}

TileLayout tileLayoutJoin(TileLayout operand) {
  TileLayout wider = tileLayoutExpandDims(operand, operand.rank);
  if (!tileLayoutIsValid(wider)) return wider;
  return tileLayoutProduct(tileLayoutIdentity(TILE_REGISTER, 1, wider.rank, wider.rank - 1), wider);
}

TileLayout tileLayoutSplit(TileLayout layout, int *bit) {
  if (!tileLayoutIsValid(layout) || layout.rank == 0 || layout.outBits[layout.rank - 1] != 1)
    return tileLayoutInvalid();
  // The last dimension is bit 0 of a packed coordinate.
  int found = -1;
  for (int dim = 0; dim < TILE_NUM_IN_DIMS; ++dim)
    for (int i = 0; i < layout.inBits[dim]; ++i) {
      if (!(layout.bases[dim][i] & 1)) continue;
      if (dim != TILE_REGISTER || found >= 0 || layout.bases[dim][i] != 1)
        return tileLayoutInvalid();
      found = i;
    }
  if (found < 0) return tileLayoutInvalid();
  int last = --layout.inBits[TILE_REGISTER];
  memmove(&layout.bases[TILE_REGISTER][found], &layout.bases[TILE_REGISTER][found + 1],
          sizeof(uint64_t) * (size_t)(last - found));
  layout.bases[TILE_REGISTER][last] = 0;
  if (bit) *bit = found;
  return tileLayoutSlice(layout, layout.rank - 1);
}

TileLayout tileLayoutCat(TileLayout operand, int dim) {
  if (!tileLayoutIsValid(operand) || dim < 0 || dim >= operand.rank) return tileLayoutInvalid();
  return tileLayoutProduct(operand, tileLayoutIdentity(TILE_REGISTER, 1, operand.rank, dim));
}
