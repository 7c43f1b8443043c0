//===- SortNetwork.c - a bitonic network over registers, lanes, warps -----===//
//
// Two runs that ascend are merged by comparing slot i with slot ~i of both, which leaves the lesser
// half below the greater one, and then halves, quarters and so on with each other:
//
//   for size = 1 .. kept:
//     compare i with i ^ (2^size - 1);  for bit = size - 2 .. 0: compare i with i ^ 2^bit
//
// Where only the first 2^kept are wanted, runs are no longer than that. Of two runs, of which one
// ascends and the other descends, the lesser of each two elements are the first 2^kept of both;
// they are in bitonic order:
//
//   while there are two runs:
//     run[i] = min(run[i], other[i]);  for bit = kept - 1 .. 0: compare i with i ^ 2^bit
//
// Lanes of the one run and of the other share that work: both send half of their registers to
// each other, and go on with half as many. A run descends where the slot's next bit is set; but for
// the bit of the half that is sent, which ascends in both, so that both send the same registers.
//
// What is exchanged: registers by a permutation, lanes by shfl bfly, warps through scratch.
// (K. E. Batcher, "Sorting networks and their applications", AFIPS 1968.)
//===----------------------------------------------------------------------===//
#include "SortNetwork.h"
#include <stdlib.h>

/// How far away the other slot of a pair is, by xor.
typedef struct {
  int64_t registers;
  uint32_t lanes, warps;
} Distance;

/// Where a run descends: where this bit is set.
typedef struct {
  TileScanBit bit;
  bool any; ///< is there such a bit?
} Descent;

typedef struct {
  MlirValue words, positions;
} Elements;

void lowerSortBegin(SortNetwork *n, const TileLayout *layout, const TileScanBit *bits) {
  int count = 0;
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < layout->inBits[dim]; ++bit)
      for (int k = 0; k < n->numBits; ++k)
        if ((int)bits[k].dim == dim && bits[k].bit == bit) n->bits[count++] = bits[k];
  n->numRegisterBits = layout->inBits[TILE_REGISTER];
  for (int b = 0; b < n->numRegisterBits; ++b) n->registerBits[b] = b;
}

//===- exchange -----------------------------------------------------------===//

/// The scratch as words of each register of each thread, next to those of the next thread.
static LowerAddress scratchOf(SortNetwork *n, int64_t offset, int bytes) {
  int warpBits = __builtin_ctz((unsigned)n->l->numWarps);
  TileLayout map = tileLayoutEmpty(1);
  map.outBits[0] = TILE_MAX_BITS;
  map.inBits[TILE_REGISTER] = n->numRegisterBits;
  map.inBits[TILE_LANE] = TILE_LANE_BITS;
  map.inBits[TILE_WARP] = warpBits;
  for (int b = 0; b < n->numRegisterBits; ++b)
    map.bases[TILE_REGISTER][b] = (uint64_t)1 << (TILE_LANE_BITS + warpBits + b);
  for (int b = 0; b < TILE_LANE_BITS; ++b) map.bases[TILE_LANE][b] = (uint64_t)1 << b;
  for (int b = 0; b < warpBits; ++b) map.bases[TILE_WARP][b] = (uint64_t)1 << (TILE_LANE_BITS + b);
  MlirValue base = lowerI32(n->l, lowerSharedOffset(n->op) + offset);
  return lowerBufferAddress(n->l, base, &map, bytes);
}

static int64_t sizeOf(MlirValue vector) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0);
}

static MlirAttribute alignTo(SortNetwork *n, int bytes) {
  return mlirIntegerAttrGet(tileI64(n->l->b.context), bytes);
}

static void store(SortNetwork *n, const LowerAddress *address, MlirValue vector) {
  for (int r = 0; r < (int)sizeOf(vector); ++r) {
    MlirValue value = lowerExtract(n->l, vector, r);
    MlirValue pointer = lowerBufferPointer(n->l, address, r, (MlirValue){NULL});
    tileBuildOp(&n->l->b, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE,
                TILE_ATTRS({"alignment", alignTo(n, address->bytes)}), 0);
  }
}

/// What the thread has stored whose number is `mask` away.
static MlirValue load(SortNetwork *n, LowerAddress address, uint32_t mask, MlirType type) {
  int64_t size = mlirShapedTypeGetDimSize(type, 0);
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirValue *parts = malloc((size_t)size * sizeof *parts);
  if (!parts) abort();
  MlirValue flipped = lowerI32(n->l, (int64_t)mask * address.bytes);
  address.start = tileBuildBinary(&n->l->b, "arith.xori", address.start, flipped);
  for (int r = 0; r < (int)size; ++r) {
    MlirValue pointer = lowerBufferPointer(n->l, &address, r, (MlirValue){NULL});
    parts[r] = tileResult(tileBuildOp(&n->l->b, "llvm.load", TILE_VALUES(pointer), 1, &element,
                                      TILE_ATTRS({"alignment", alignTo(n, address.bytes)}), 0));
  }
  MlirValue result = lowerFromElements(n->l, element, size, parts);
  free(parts);
  return result;
}

/// The same registers of the thread that is so far away.
static Elements fetch(SortNetwork *n, Elements mine, Distance away) {
  Lowering *l = n->l;
  Elements other = mine;
  if (!away.warps) {
    if (!away.lanes) return other;
    MlirValue mask = lowerI32(l, away.lanes);
    other.words = lowerShuffle(l, LOWER_SHUFFLE_XOR, mine.words, mask);
    if (n->plan.apart) other.positions = lowerShuffle(l, LOWER_SHUFFLE_XOR, mine.positions, mask);
    return other;
  }
  int bytes = n->plan.wordBits / 8;
  int64_t behind = (int64_t)32 * l->numWarps * bytes << n->numRegisterBits;
  uint32_t mask = away.warps << TILE_LANE_BITS | away.lanes;
  // What an earlier exchange left there has been read by all.
  if (n->written) lowerBarrier(l);
  LowerAddress words = scratchOf(n, 0, bytes), positions = words;
  if (n->plan.apart) positions = scratchOf(n, behind, 4);
  store(n, &words, mine.words);
  if (n->plan.apart) store(n, &positions, mine.positions);
  lowerBarrier(l);
  n->written = true;
  other.words = load(n, words, mask, mlirValueGetType(mine.words));
  if (n->plan.apart) other.positions = load(n, positions, mask, mlirValueGetType(mine.positions));
  return other;
}

static Elements permute(SortNetwork *n, Elements e, int64_t size, const int64_t *indices) {
  Elements result = e;
  result.words = lowerPermute(n->l, e.words, size, indices);
  if (n->plan.apart) result.positions = lowerPermute(n->l, e.positions, size, indices);
  return result;
}

//===- comparing ----------------------------------------------------------===//

/// vector<Nxi1>: does `a` come before `b`?
static MlirValue before(SortNetwork *n, Elements a, Elements b) {
  TileBuilder *at = &n->l->b;
  MlirValue less = tileBuildCmpi(at, TILE_ULT, a.words, b.words);
  if (!n->plan.apart) return less;
  MlirValue same = tileBuildCmpi(at, TILE_EQ, a.words, b.words);
  MlirValue lower = tileBuildCmpi(at, TILE_ULT, a.positions, b.positions);
  lower = tileBuildBinary(at, "arith.andi", same, lower);
  return tileBuildBinary(at, "arith.ori", less, lower);
}

static Elements choose(SortNetwork *n, MlirValue which, Elements yes, Elements no) {
  Elements result = no;
  result.words = tileBuildSelect(&n->l->b, which, yes.words, no.words);
  if (n->plan.apart)
    result.positions = tileBuildSelect(&n->l->b, which, yes.positions, no.positions);
  return result;
}

/// i1: is the bit set, of a lane or warp?
static MlirValue isSet(SortNetwork *n, TileScanBit bit) {
  MlirValue position = bit.dim == TILE_LANE ? n->l->lane : n->l->warp;
  return lowerTestBits(n->l, position, (uint32_t)1 << bit.bit);
}

static MlirValue flipWhere(SortNetwork *n, MlirValue truths, MlirValue flag) {
  MlirValue all = tileBuildUnary(&n->l->b, "vector.broadcast", mlirValueGetType(truths), flag);
  return tileBuildBinary(&n->l->b, "arith.xori", truths, all);
}

static bool isRegister(TileScanBit bit) { return bit.dim == TILE_REGISTER; }

/// Pairs of registers: the lesser goes to the one whose bit `top` is clear.
static void compareRegisters(SortNetwork *n, int64_t away, TileScanBit top, Descent descent) {
  int64_t size = sortRegisters(n), k = 0;
  int64_t *lower = lowerIndices(size), *upper = lowerIndices(size), *places = lowerIndices(size);
  for (int64_t r = 0; r < size; ++r) {
    if (r >> top.bit & 1) continue;
    bool down = descent.any && isRegister(descent.bit) && r >> descent.bit.bit & 1;
    lower[k] = down ? r ^ away : r;
    upper[k] = down ? r : r ^ away;
    places[lower[k]] = k;
    places[upper[k]] = size / 2 + k;
    ++k;
  }
  Elements all = {n->words, n->positions};
  Elements a = permute(n, all, size / 2, lower), b = permute(n, all, size / 2, upper);
  MlirValue swap = before(n, b, a);
  if (descent.any && !isRegister(descent.bit)) swap = flipWhere(n, swap, isSet(n, descent.bit));
  Elements first = choose(n, swap, b, a), second = choose(n, swap, a, b);
  n->words = lowerShuffleVectors(n->l, first.words, second.words, size, places);
  if (n->plan.apart)
    n->positions = lowerShuffleVectors(n->l, first.positions, second.positions, size, places);
  free(lower);
  free(upper);
  free(places);
}

/// Pairs of threads: each takes its one of the pair. Copies of one element are no pair: they decide
/// alike.
static void compareThreads(SortNetwork *n, Distance away, TileScanBit top, Descent descent) {
  int64_t size = sortRegisters(n), *indices = lowerIndices(size);
  for (int64_t r = 0; r < size; ++r) indices[r] = r ^ away.registers;
  Elements mine = {n->words, n->positions};
  Elements other = fetch(n, permute(n, mine, size, indices), away);
  free(indices);
  MlirValue upper = isSet(n, top);
  if (descent.any) {
    MlirValue down = isSet(n, descent.bit);
    upper = tileBuildBinary(&n->l->b, "arith.xori", upper, down);
  }
  MlirValue take = flipWhere(n, before(n, other, mine), upper);
  mine = choose(n, take, other, mine);
  n->words = mine.words;
  n->positions = mine.positions;
}

/// Slots i and i ^ mask. Registers hold the lowest bits, so where a run descends by a register's
/// bit all of the mask's are registers.
static void compareAcross(SortNetwork *n, uint32_t mask, Descent descent) {
  Distance away = {0, 0, 0};
  int top = 31 - __builtin_clz(mask);
  for (int k = 0; k <= top; ++k) {
    if (!(mask >> k & 1)) continue;
    if (isRegister(n->bits[k])) away.registers |= (int64_t)1 << n->bits[k].bit;
    if (n->bits[k].dim == TILE_LANE) away.lanes |= (uint32_t)1 << n->bits[k].bit;
    if (n->bits[k].dim == TILE_WARP) away.warps |= (uint32_t)1 << n->bits[k].bit;
  }
  if (away.lanes || away.warps)
    compareThreads(n, away, n->bits[top], descent);
  else
    compareRegisters(n, away.registers, n->bits[top], descent);
}

//===- runs ---------------------------------------------------------------===//

/// The bit of a run of 2^kept slots by whose halves two threads divide the next minimum; -1 where
/// registers are at an end, or both runs lie in one thread.
static int sharedBit(const SortNetwork *n, int kept) {
  if (n->numBits <= kept || isRegister(n->bits[kept])) return -1;
  for (int k = kept; k-- > 0;)
    if (isRegister(n->bits[k])) return k;
  return -1;
}

/// Compares by bits first - 1 .. 0 in runs of 2^kept, the last that is done to them before two
/// become one.
static void finishRuns(SortNetwork *n, int first, int kept, bool fold) {
  Descent descent = {.any = n->numBits > kept};
  if (descent.any) descent.bit = n->bits[kept];
  int shared = sharedBit(n, kept);
  for (int k = first; k-- > 0;) {
    uint32_t mask = fold && k == first - 1 ? ((uint32_t)2 << k) - 1 : (uint32_t)1 << k;
    compareAcross(n, mask, k == shared ? (Descent){.any = false} : descent);
  }
}

/// Registers whose bit `bit` is `set`; the others are gone.
static Elements half(SortNetwork *n, Elements e, int bit, bool set) {
  int64_t size = sortRegisters(n), k = 0, *indices = lowerIndices(size);
  for (int64_t r = 0; r < size; ++r)
    if ((r >> bit & 1) == set) indices[k++] = r;
  Elements result = permute(n, e, k, indices);
  free(indices);
  return result;
}

static void dropRegisterBit(SortNetwork *n, int bit) {
  for (int b = bit; b + 1 < n->numRegisterBits; ++b) n->registerBits[b] = n->registerBits[b + 1];
  --n->numRegisterBits;
  for (int k = 0; k < n->numBits; ++k)
    if (isRegister(n->bits[k]) && n->bits[k].bit > bit) --n->bits[k].bit;
}

/// Two runs become one, of the lesser halves of both.
static void joinRuns(SortNetwork *n, int kept) {
  TileScanBit holder = n->bits[kept];
  int shared = sharedBit(n, kept);
  Elements mine = {n->words, n->positions}, other;
  uint32_t mask = (uint32_t)1 << holder.bit;
  Distance away = {.lanes = holder.dim == TILE_LANE ? mask : 0,
                   .warps = holder.dim == TILE_WARP ? mask : 0};
  int dropped = isRegister(holder) ? holder.bit : shared >= 0 ? n->bits[shared].bit : -1;
  if (dropped >= 0) {
    other = half(n, mine, dropped, true);
    mine = half(n, mine, dropped, false);
  } else {
    other = mine;
  }
  other = fetch(n, other, away);
  Elements least = choose(n, before(n, other, mine), other, mine);
  n->words = least.words;
  n->positions = least.positions;
  if (shared >= 0) n->bits[shared] = holder;
  for (int k = kept; k + 1 < n->numBits; ++k) n->bits[k] = n->bits[k + 1];
  --n->numBits;
  if (dropped >= 0) dropRegisterBit(n, dropped);
}

void lowerSortNetwork(SortNetwork *n, int kept) {
  for (int size = 1; size < kept; ++size)
    for (int k = size; k-- > 0;)
      compareAcross(n, k == size - 1 ? ((uint32_t)2 << k) - 1 : (uint32_t)1 << k,
                    (Descent){.any = false});
  finishRuns(n, kept, kept, true);
  while (n->numBits > kept) {
    joinRuns(n, kept);
    finishRuns(n, kept, kept, false);
  }
}
