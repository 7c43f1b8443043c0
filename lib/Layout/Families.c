//===- Families.c - the distributed layouts that matter -------------------===//
//
// Each family is a product of identities, low bits first, then fitted to the
// shape. The fragments are those of the PTX ISA, "Warp level matrix
// instructions" and "Asynchronous warpgroup level matrix instructions".
//
//===----------------------------------------------------------------------===//
#include "tile/Layout.h"
#include "tile/Support/Bits.h"

static bool shapeIsSupported(int rank, const int64_t shape[]) {
  if (rank < 0 || rank > TILE_MAX_RANK) return false;
  int bits = 0;
  for (int d = 0; d < rank; ++d) {
    if (!tileIsPowerOfTwo(shape[d])) return false;
    bits += tileLog2(shape[d]);
    if (bits > TILE_MAX_BITS) return false;
  }
  return true;
}

/// `extents` of positions along each dimension, beyond `shape` if need be: the part of that box
/// inside what is left of the shape selects elements, the rest is zero bases (or absent, in
/// registers). Appends it to `layout`.
static TileLayout appendBox(TileLayout layout, TileInDim inDim, const int64_t shape[],
                            const int extents[], const int order[]) {
  int rank = layout.rank;
  for (int i = 0; i < rank && tileLayoutIsValid(layout); ++i) {
    int dim = order ? order[i] : rank - 1 - i;
    if (dim < 0 || dim >= rank || !tileIsPowerOfTwo(extents[dim])) return tileLayoutInvalid();
    int bits = tileLog2(extents[dim]);
    int room = tileLog2(shape[dim]) - layout.outBits[dim];
    int inside = bits < room ? bits : room;
    layout = tileLayoutProduct(layout, tileLayoutIdentity(inDim, inside, rank, dim));
    if (inDim != TILE_REGISTER)
      layout = tileLayoutProduct(layout, tileLayoutZeros(inDim, bits - inside, rank));
  }
  return layout;
}

/// Repeats the layout in registers until it fills the shape.
static TileLayout fill(TileLayout layout, const int64_t shape[], const int order[]) {
  int extents[TILE_MAX_RANK];
  if (!tileLayoutIsValid(layout)) return layout;
  for (int d = 0; d < layout.rank; ++d) extents[d] = 1 << tileLog2(shape[d]);
  return appendBox(layout, TILE_REGISTER, shape, extents, order);
}

static bool orderIsPermutation(int rank, const int order[]) {
  if (!order) return true;
  unsigned seen = 0;
  for (int i = 0; i < rank; ++i) {
    if (order[i] < 0 || order[i] >= rank) return false;
    seen |= 1u << order[i];
  }
  return seen == (1u << rank) - 1;
}

TileLayout tileLayoutBlocked(int rank, const int64_t shape[], const int sizePerThread[],
                             const int threadsPerWarp[], const int warpsPerBlock[],
                             const int order[]) {
  if (!shapeIsSupported(rank, shape) || !orderIsPermutation(rank, order))
    return tileLayoutInvalid();
  TileLayout layout = tileLayoutEmpty(rank);
  layout = appendBox(layout, TILE_REGISTER, shape, sizePerThread, order);
  layout = appendBox(layout, TILE_LANE, shape, threadsPerWarp, order);
  layout = appendBox(layout, TILE_WARP, shape, warpsPerBlock, order);
  if (rank == 0) layout = tileLayoutZeros(TILE_LANE, TILE_LANE_BITS, 0);
  if (!tileLayoutIsValid(layout) || layout.inBits[TILE_LANE] != TILE_LANE_BITS)
    return tileLayoutInvalid();
  return fill(layout, shape, order);
}

/// Registers and lanes go along the dimensions in order; what is left of both, and the warps of a
/// layout that keeps nothing whole, too.
static void placeInOrder(int rank, const int64_t shape[], const int order[], int left[3],
                         int box[3][TILE_MAX_RANK], int levels) {
  for (int i = 0; i < rank; ++i) {
    int dim = order ? order[i] : rank - 1 - i;
    int room = tileLog2(shape[dim]);
    for (int level = 0; level < levels; ++level) {
      int bits = left[level] < room ? left[level] : room;
      if (level == 0 && i > 0) bits = 0;
      if (level > 0 && i == rank - 1) bits = left[level];
      left[level] -= bits;
      room -= bits < room ? bits : room;
      box[level][dim] = 1 << (unsigned)bits;
    }
  }
}

/// Warps go along the slowest dimensions first, and along those of `kept` where no other has room.
static void placeWarps(int rank, const int64_t shape[], const int order[], int left,
                       int box[3][TILE_MAX_RANK], unsigned kept) {
  for (int d = 0; d < rank; ++d) box[2][d] = 1;
  for (int keep = 0; keep < 2; ++keep)
    for (int i = rank; i-- > 0;) {
      int dim = order ? order[i] : rank - 1 - i;
      int room = tileLog2(shape[dim]) - tileLog2(box[0][dim]) - tileLog2(box[1][dim]);
      if ((int)(kept >> (unsigned)dim & 1) != keep || room <= 0) continue;
      int bits = left < room ? left : room;
      left -= bits;
      box[2][dim] = 1 << (unsigned)bits;
    }
  // Warps that nothing is left for hold what others hold.
  box[2][order ? order[rank - 1] : 0] <<= (unsigned)left;
}

TileLayout tileLayoutCoalescedKeeping(int rank, const int64_t shape[], const int order[],
                                      int vector, int numWarps, unsigned kept) {
  if (!shapeIsSupported(rank, shape) || !orderIsPermutation(rank, order) ||
      !tileIsPowerOfTwo(vector) || !tileIsPowerOfTwo(numWarps))
    return tileLayoutInvalid();
  if (rank == 0)
    return tileLayoutProduct(tileLayoutZeros(TILE_LANE, TILE_LANE_BITS, 0),
                             tileLayoutZeros(TILE_WARP, tileLog2(numWarps), 0));
  int total = 0;
  for (int d = 0; d < rank; ++d) total += tileLog2(shape[d]);
  // As many elements a thread as leave none without work.
  int perThread = total - TILE_LANE_BITS - tileLog2(numWarps);
  if (perThread > tileLog2(vector)) perThread = tileLog2(vector);
  if (perThread < 0) perThread = 0;
  int left[3] = {perThread, TILE_LANE_BITS, tileLog2(numWarps)};
  int box[3][TILE_MAX_RANK];
  placeInOrder(rank, shape, order, left, box, kept ? 2 : 3);
  if (kept) placeWarps(rank, shape, order, left[2], box, kept);
  return tileLayoutBlocked(rank, shape, box[0], box[1], box[2], order);
}

TileLayout tileLayoutCoalesced(int rank, const int64_t shape[], const int order[], int vector,
                               int numWarps) {
  return tileLayoutCoalescedKeeping(rank, shape, order, vector, numWarps, 0);
}

//===----------------------------------------------------------------------===//
// Tensor core fragments
//===----------------------------------------------------------------------===//

/// Bits of one input dimension along one output dimension, in the order they are counted.
typedef struct Step {
  TileInDim inDim;
  int dim, bits;
} Step;

/// The product of the steps, cut to the shape as appendBox does.
static TileLayout appendSteps(TileLayout layout, const int64_t shape[], const Step steps[],
                              int count) {
  for (int i = 0; i < count; ++i) {
    int extents[TILE_MAX_RANK] = {1, 1, 1, 1, 1, 1};
    extents[steps[i].dim] = 1 << steps[i].bits;
    layout = appendBox(layout, steps[i].inDim, shape, extents, NULL);
  }
  return layout;
}

/// Whether no dimension of `shape` is shorter than the instruction's `fragment`.
static bool holdsFragment(const int64_t shape[], int rank, const int64_t fragment[]) {
  if (!shapeIsSupported(rank, shape)) return false;
  for (int d = 0; d < 2; ++d)
    if (shape[rank - 2 + d] < fragment[d]) return false;
  return true;
}

/// Repeats the fragment in registers until it fills `shape` divided by `warps`, dimensions in the
/// order given; then appends the warps, last dimension fastest. Warps along a dimension where
/// `spread` is 0 broadcast.
static TileLayout tileWarps(TileLayout fragment, const int64_t shape[], const int warps[],
                            const int order[], const int spread[]) {
  int rank = fragment.rank;
  int64_t part[TILE_MAX_RANK] = {0};
  for (int d = 0; d < rank && tileLayoutIsValid(fragment); ++d) {
    if (!tileIsPowerOfTwo(warps[d])) return tileLayoutInvalid();
    part[d] = spread[d] && shape[d] > warps[d] ? shape[d] / warps[d] : spread[d] ? 1 : shape[d];
    int64_t held = tileLayoutExtent(fragment, d);
    if (part[d] < held) part[d] = held;
  }
  TileLayout layout = fill(fragment, part, order);
  for (int d = rank - 1; d >= 0 && tileLayoutIsValid(layout); --d) {
    int extents[TILE_MAX_RANK] = {1, 1, 1, 1, 1, 1};
    extents[d] = warps[d];
    if (spread[d])
      layout = appendBox(layout, TILE_WARP, shape, extents, NULL);
    else
      layout = tileLayoutProduct(layout, tileLayoutZeros(TILE_WARP, tileLog2(warps[d]), rank));
  }
  return layout;
}

/// Bits of lanes along M and N: what one of these has no room for, beside a thread's neighbours and
/// the warps, the other one takes, so that no two lanes compute the same.
static void shareLanes(int lanes[2], const int64_t shape[2], const int edges[2],
                       const int warps[2]) {
  int room[2];
  for (int i = 0; i < 2; ++i) {
    room[i] = tileLog2(shape[i]) - tileLog2(edges[i]) - tileLog2(warps[i]);
    if (room[i] < 0) room[i] = 0;
  }
  for (int i = 0; i < 2; ++i)
    while (lanes[i] > room[i] && lanes[1 - i] < room[1 - i]) {
      --lanes[i];
      ++lanes[1 - i];
    }
}

TileLayout tileLayoutFma(int rank, const int64_t shape[], const int edges[2],
                         const int warpsPerBlock[]) {
  if (rank < 2 || rank > 3 || !shapeIsSupported(rank, shape) || !tileIsPowerOfTwo(edges[0]) ||
      !tileIsPowerOfTwo(edges[1]))
    return tileLayoutInvalid();
  int m = rank - 2, n = rank - 1, lanes[] = {2, 3};
  shareLanes(lanes, shape + m, edges, warpsPerBlock + m);
  const int first[] = {lanes[0] > 0, lanes[1] > 0};
  const Step steps[] = {{TILE_REGISTER, n, tileLog2(edges[1])},
                        {TILE_REGISTER, m, tileLog2(edges[0])},
                        {TILE_LANE, m, first[0]},
                        {TILE_LANE, n, first[1]},
                        {TILE_LANE, m, lanes[0] - first[0]},
                        {TILE_LANE, n, lanes[1] - first[1]}};
  TileLayout layout = appendSteps(tileLayoutEmpty(rank), shape, steps, 6);
  layout = appendBox(layout, TILE_WARP, shape, warpsPerBlock, NULL);
  return fill(layout, shape, NULL);
}

TileLayout tileLayoutMma(int rank, const int64_t shape[], const int warpsPerBlock[]) {
  if (rank < 2 || rank > 3 || !shapeIsSupported(rank, shape)) return tileLayoutInvalid();
  int m = rank - 2, n = rank - 1;
  const Step steps[] = {
      {TILE_REGISTER, n, 1}, {TILE_LANE, n, 2}, {TILE_LANE, m, 3}, {TILE_REGISTER, m, 1}};
  const int spread[TILE_MAX_RANK] = {1, 1, 1}, order[TILE_MAX_RANK] = {n, m, 0};
  TileLayout layout = appendSteps(tileLayoutEmpty(rank), shape, steps, 4);
  return tileWarps(layout, shape, warpsPerBlock, order, spread);
}

void tileLayoutWarps(TileLayout layout, int warps[TILE_MAX_RANK]) {
  for (int d = 0; d < layout.rank; ++d) {
    warps[d] = 1;
    for (int b = 0; b < layout.inBits[TILE_WARP]; ++b)
      if (tileLayoutCoordinate(layout, layout.bases[TILE_WARP][b], d)) warps[d] *= 2;
  }
}

/// Of each 16 of K, the four that one lane has lie one after another: sums do not ask in which
/// order K is gone through, as long as A and B go through it alike.
static TileLayout gatherQuads(TileLayout layout, int k) {
  for (int in = 0; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK];
      for (int d = 0; d < layout.rank; ++d)
        at[d] = tileLayoutCoordinate(layout, layout.bases[in][b], d);
      at[k] = (at[k] & ~(int64_t)15) | (at[k] & 3) << 2 | (at[k] >> 2 & 3);
      layout.bases[in][b] = tileLayoutPack(layout, at);
    }
  return layout;
}

TileLayout tileLayoutMmaOperand(int rank, const int64_t shape[], const int warpsPerBlock[],
                                TileDotOperand operand, int elementBits) {
  bool isWide = elementBits == 64; // a step is one group of four lanes along K
  if (elementBits != 8 && elementBits != 16 && elementBits != 32 && !isWide)
    return tileLayoutInvalid();
  // `outer` is M of A and N of B. Only A has the second half of 8 rows.
  bool isA = operand == TILE_DOT_A;
  int64_t instrK = 256 / elementBits;
  if (rank < 2 || rank > 3 ||
      !holdsFragment(shape, rank,
                     isA ? (const int64_t[]){1, instrK} : (const int64_t[]){instrK, 1}))
    return tileLayoutInvalid();
  int outer = isA ? rank - 2 : rank - 1, k = isA ? rank - 1 : rank - 2;
  const Step steps[] = {{TILE_REGISTER, k, isWide ? 0 : tileLog2(32 / elementBits)},
                        {TILE_LANE, k, 2},
                        {TILE_LANE, outer, 3},
                        {TILE_REGISTER, outer, isA ? 1 : 0},
                        {TILE_REGISTER, k, isWide ? 0 : 1}};
  TileLayout layout = appendSteps(tileLayoutEmpty(rank), shape, steps, 5);
  int spread[TILE_MAX_RANK] = {1, 1, 1};
  spread[k] = 0;
  const int order[TILE_MAX_RANK] = {k, outer, 0};
  layout = tileWarps(layout, shape, warpsPerBlock, order, spread);
  return isWide && tileLayoutIsValid(layout) && shape[k] >= 16 ? gatherQuads(layout, k) : layout;
}

TileLayout tileLayoutFmaOperand(TileLayout acc, int dim, int k, int depthBits, bool depthFirst) {
  TileLayout layout = tileLayoutEmpty(acc.rank);
  for (int d = 0; d < acc.rank; ++d) layout.outBits[d] = acc.outBits[d];
  layout.outBits[k] = depthBits;
  for (int in = 0; in <= TILE_WARP; ++in) {
    bool isRegister = in == TILE_REGISTER;
    int n = isRegister && depthFirst ? depthBits : 0;
    for (int b = 0; b < acc.inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK] = {0};
      for (int d = 0; d < acc.rank; ++d)
        if (d == dim || d < acc.rank - 2) at[d] = tileLayoutCoordinate(acc, acc.bases[in][b], d);
      uint64_t base = tileLayoutPack(layout, at);
      if (base || !isRegister) layout.bases[in][n++] = base;
    }
    for (int b = 0; isRegister && b < depthBits; ++b) {
      int64_t at[TILE_MAX_RANK] = {0};
      at[k] = (int64_t)1 << b;
      layout.bases[in][depthFirst ? b : n++] = tileLayoutPack(layout, at);
    }
    layout.inBits[in] = n;
  }
  return layout;
}

/// Four warps stacked along M, each 16 rows, then the rest of the shape.
static TileLayout tileWarpGroups(TileLayout fragment, const int64_t shape[2], const int groups[2],
                                 const int spread[]) {
  const Step warps = {TILE_WARP, 0, 2};
  const int order[TILE_MAX_RANK] = {1, 0};
  return tileWarps(appendSteps(fragment, shape, &warps, 1), shape, groups, order, spread);
}

TileLayout tileLayoutWgmma(const int64_t shape[2], const int warpGroups[2]) {
  if (!holdsFragment(shape, 2, (const int64_t[]){64, 8})) return tileLayoutInvalid();
  const Step steps[] = {
      {TILE_REGISTER, 1, 1}, {TILE_LANE, 1, 2}, {TILE_LANE, 0, 3}, {TILE_REGISTER, 0, 1}};
  const int spread[TILE_MAX_RANK] = {1, 1};
  TileLayout layout = appendSteps(tileLayoutEmpty(2), shape, steps, 4);
  return tileWarpGroups(layout, shape, warpGroups, spread);
}

TileLayout tileLayoutWgmmaOperandA(const int64_t shape[2], const int warpGroups[2],
                                   int elementBits) {
  if (elementBits != 8 && elementBits != 16 && elementBits != 32) return tileLayoutInvalid();
  if (!holdsFragment(shape, 2, (const int64_t[]){64, 256 / elementBits}))
    return tileLayoutInvalid();
  const Step steps[] = {{TILE_REGISTER, 1, tileLog2(32 / elementBits)},
                        {TILE_LANE, 1, 2},
                        {TILE_LANE, 0, 3},
                        {TILE_REGISTER, 0, 1},
                        {TILE_REGISTER, 1, 1}};
  const int spread[TILE_MAX_RANK] = {1, 0};
  TileLayout layout = appendSteps(tileLayoutEmpty(2), shape, steps, 5);
  return tileWarpGroups(layout, shape, warpGroups, spread);
}

TileLayout tileLayoutInterleave(TileLayout layout, int dim) {
  enum { half = 8, both = 2 * half };
  if (!tileLayoutIsValid(layout) || tileLayoutExtent(layout, dim) < both)
    return tileLayoutInvalid();
  for (int in = 0; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK];
      for (int d = 0; d < layout.rank; ++d)
        at[d] = tileLayoutCoordinate(layout, layout.bases[in][b], d);
      at[dim] = (at[dim] & ~(int64_t)(both - 1)) | at[dim] % half * 2 | at[dim] / half % 2;
      layout.bases[in][b] = tileLayoutPack(layout, at);
    }
  return layout;
}

bool tileLayoutIsInterleaved(TileLayout layout, int dim) {
  // What moves by one along it, by a lane or a pair of columns, moves by two.
  bool one = false;
  if (!tileLayoutIsValid(layout) || layout.inBits[TILE_LANE] != TILE_LANE_BITS) return false;
  bool inLanes = tileLayoutCoordinate(layout, layout.bases[TILE_LANE][2], dim) == 2;
  if (layout.inBits[TILE_REGISTER] > 0)
    one = tileLayoutCoordinate(layout, layout.bases[TILE_REGISTER][0], dim) == 2;
  return inLanes || one;
}

TileLayout tileLayoutSpreadBanks(TileLayout layout, int dim) {
  enum { four = 4, row = 32 }; // words: of 16 bytes, of a row of a box
  if (!tileLayoutIsValid(layout) || tileLayoutExtent(layout, dim) <= 2 * four)
    return tileLayoutInvalid();
  int64_t far = tileLayoutExtent(layout, dim) < row ? 2 * four : row / 2;
  for (int in = 0; in <= TILE_WARP; ++in)
    for (int b = 0; b < layout.inBits[in]; ++b) {
      int64_t at[TILE_MAX_RANK];
      for (int d = 0; d < layout.rank; ++d)
        at[d] = tileLayoutCoordinate(layout, layout.bases[in][b], d);
      int64_t kept = at[dim] & ~(far | four);
      at[dim] = kept | (at[dim] & four ? far : 0) | (at[dim] & far ? four : 0);
      layout.bases[in][b] = tileLayoutPack(layout, at);
    }
  return layout;
}

bool tileLayoutIsSpreadOverBanks(TileLayout layout, int dim) {
  enum { four = 4 };
  if (!tileLayoutIsValid(layout) || layout.inBits[TILE_LANE] != TILE_LANE_BITS ||
      tileLayoutIsInterleaved(layout, dim))
    return false;
  // The last lanes along columns, and along rows.
  return tileLayoutCoordinate(layout, layout.bases[TILE_LANE][1], dim) > four ||
         tileLayoutCoordinate(layout, layout.bases[TILE_LANE][4], dim) > four;
}

TileLayout tileLayoutMmaOperandOf(TileLayout acc, const int64_t shape[], TileDotOperand operand,
                                  int elementBits) {
  int warps[TILE_MAX_RANK], outer = operand == TILE_DOT_A ? acc.rank - 2 : acc.rank - 1;
  if (!tileLayoutIsValid(acc)) return acc;
  tileLayoutWarps(acc, warps);
  TileLayout layout = tileLayoutMmaOperand(acc.rank, shape, warps, operand, elementBits);
  if (tileLayoutIsSpreadOverBanks(acc, outer)) return tileLayoutSpreadBanks(layout, outer);
  return tileLayoutIsInterleaved(acc, outer) ? tileLayoutInterleave(layout, outer) : layout;
}

TileLayout tileLayoutTurning(const int64_t shape[2], int k, int numWarps) {
  const int64_t least[] = {k == 0 ? 32 : 16, k == 0 ? 16 : 32};
  if (!holdsFragment(shape, 2, least) || !tileIsPowerOfTwo(numWarps)) return tileLayoutInvalid();
  int outer = 1 - k, extents[] = {1, 1};
  const int order[] = {k, outer};
  const Step steps[] = {{TILE_REGISTER, k, 2},
                        {TILE_LANE, k, 2},
                        {TILE_LANE, outer, 3},
                        {TILE_REGISTER, outer, 1},
                        {TILE_REGISTER, k, 1}};
  TileLayout layout = appendSteps(tileLayoutEmpty(2), shape, steps, 5);
  // Warps go along the rows that are written, as far as there are any.
  extents[outer] = (int)(shape[outer] / 16 < numWarps ? shape[outer] / 16 : numWarps);
  extents[k] = numWarps / extents[outer];
  layout = appendBox(layout, TILE_WARP, shape, extents, order);
  layout = tileLayoutInterleave(fill(layout, shape, order), outer);
  // Eight rows that a matrix writes: 0, 2, 4, 6 and 9, 11, 13, 15.
  if (tileLayoutIsValid(layout))
    layout.bases[TILE_LANE][4] ^= (uint64_t)1 << tileLayoutShift(layout, outer);
  return layout;
}
