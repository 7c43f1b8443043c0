//===- Sort.c - a bitonic network over registers, lanes and warps ---------===//
//
// What is sorted is the pair (key, position), so that no two are equal and the sort is stable.
// Keys become unsigned numbers of the same order:
//
//   integers  with the sign bit flipped; i1 as 0 and 1
//   floats    -inf .. -0, +0 .. inf, and all NaNs, equal, after them
//
// each bit inverted for a descending sort. Keys of at most 32 bits share one i64 with the position:
// key << 32 | position.
//
//   for size = 1 .. bits: for bit = size - 1 .. 0:
//     other = the pair at position ^ (1 << bit)     registers: a permutation; lanes: shfl bfly;
//                                                   warps: through scratch
//     pair  = the smaller or larger of both, as bits `bit` and `size` of the position say
//
// At the end every operand goes through scratch once: each place reads the element at the position
// that its pair names. (K. E. Batcher, "Sorting networks and their applications", AFIPS 1968.)
//===----------------------------------------------------------------------===//
#include "Exchange.h"
#include "tile/Analysis/Scratch.h"
#include "tile/Support/Slow.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  Lowering *l;
  MlirOperation op;
  TileLayout layout;
  int axis, registers;
  TileScanBit bits[TILE_MAX_BITS];
  int numBits;
  bool packed;         ///< `keys` have the position in their low half
  MlirValue keys;      ///< vector<Nxi64>
  MlirValue positions; ///< vector<Nxi32> where not packed
  MlirValue thread[TILE_MAX_RANK];
  TileLayout map; ///< to row-major numbers
} Sort;

static MlirType vectorOf(const Sort *s, MlirType element) {
  return tileVectorType(s->registers, element);
}
static MlirValue constant(Sort *s, MlirType type, int64_t value) {
  return tileBuildInt(&s->l->b, type, value);
}

//===- keys ---------------------------------------------------------------===//

/// vector<Nxi64>: unsigned numbers in the order of the sort, below 2^32 where `packed`.
static MlirValue orderKeys(Sort *s, MlirValue values, MlirType element, bool descending) {
  Lowering *l = s->l;
  int width = tileBitWidth(element);
  MlirType i64 = vectorOf(s, tileI64(l->b.context));
  MlirType type = vectorOf(s, mlirIntegerTypeGet(l->b.context, (unsigned)width));
  MlirValue bits = lowerBitcast(l, values, type);
  if (width > 1) {
    MlirValue sign = constant(s, type, (int64_t)((uint64_t)-1 << (width - 1)));
    MlirValue flip = sign;
    if (tileTypeIsFloat(element)) {
      MlirValue amount = constant(s, type, width - 1);
      MlirValue spread = tileBuildBinary(&l->b, "arith.shrsi", bits, amount);
      flip = tileBuildBinary(&l->b, "arith.ori", spread, sign);
    }
    MlirValue key = tileBuildBinary(&l->b, "arith.xori", bits, flip);
    if (tileTypeIsFloat(element)) {
      MlirValue magnitude = constant(s, type, (int64_t)(((uint64_t)1 << (width - 1)) - 1));
      magnitude = tileBuildBinary(&l->b, "arith.andi", bits, magnitude);
      MlirValue most = constant(s, type, tileFloatGetLargest(element)),
                last = constant(s, type, -1);
      MlirValue isNan = tileBuildCmpi(&l->b, TILE_UGT, magnitude, most);
      key = tileBuildSelect(&l->b, isNan, last, key);
    }
    bits = key;
  }
  if (descending) {
    MlirValue all = constant(s, type, -1);
    bits = tileBuildBinary(&l->b, "arith.xori", bits, all);
  }
  return width == 64 ? bits : tileBuildUnary(&l->b, "arith.extui", i64, bits);
}

/// vector<Nxi32>: where each register is along the axis.
static MlirValue axisPositions(Sort *s) {
  Lowering *l = s->l;
  MlirValue *parts = malloc((size_t)s->registers * sizeof *parts);
  if (!parts) abort();
  for (int r = 0; r < s->registers; ++r)
    parts[r] = lowerCombineParts(l, &s->layout, s->axis, s->thread[s->axis],
                                 lowerRegisterPart(&s->layout, r, s->axis));
  MlirValue result = lowerFromElements(l, tileI32(l->b.context), s->registers, parts);
  free(parts);
  return result;
}

//===- exchange -----------------------------------------------------------===//

static MlirAttribute alignTo(Sort *s, int bytes) {
  return tileIntegerAttr(tileI64(s->l->b.context), bytes);
}

/// Every register to its place in scratch, in row-major order, from `offset` on.
static LowerAddress publish(Sort *s, MlirValue values, int bytes, int64_t offset) {
  Lowering *l = s->l;
  MlirValue base = lowerI32(l, lowerSharedOffset(s->op) + offset);
  LowerAddress address = lowerBufferAddress(l, base, &s->map, bytes);
  uint32_t copies = tileLayoutFreeBits(s->layout, TILE_REGISTER);
  for (int r = 0; r < s->registers; ++r) {
    if ((uint32_t)r & copies) continue;
    MlirValue value = lowerExtract(l, values, r);
    MlirValue pointer = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE,
                TILE_ATTRS({"alignment", alignTo(s, bytes)}), 0);
  }
  return address;
}

static MlirValue loadFrom(Sort *s, MlirValue pointer, MlirType type, int bytes) {
  return tileResult(tileBuildOp(&s->l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                TILE_ATTRS({"alignment", alignTo(s, bytes)}), 0));
}

/// Of what was published, the elements `bit` of the axis away.
static MlirValue readAcross(Sort *s, const LowerAddress *address, int bit, MlirType element) {
  Lowering *l = s->l;
  int64_t step = ((int64_t)address->bytes << bit) << tileLayoutShift(s->layout, s->axis);
  MlirValue extra = lowerI32(l, step), *parts = malloc((size_t)s->registers * sizeof *parts);
  if (!parts) abort();
  for (int r = 0; r < s->registers; ++r) {
    MlirValue pointer = lowerBufferPointer(l, address, r, extra);
    parts[r] = loadFrom(s, pointer, element, address->bytes);
  }
  MlirValue result = lowerFromElements(l, element, s->registers, parts);
  free(parts);
  return result;
}

/// The vector as it is at the position with bit `bit` of the axis flipped, by registers or lanes.
static MlirValue across(Sort *s, MlirValue vector, int bit) {
  TileScanBit holder = s->bits[bit];
  if (holder.dim == TILE_LANE) {
    MlirValue mask = lowerI32(s->l, (int64_t)1 << holder.bit);
    return lowerShuffle(s->l, LOWER_SHUFFLE_XOR, vector, mask);
  }
  int64_t *indices = lowerIndices(s->registers);
  for (int r = 0; r < s->registers; ++r) indices[r] = r ^ (1 << holder.bit);
  MlirValue result = lowerPermute(s->l, vector, s->registers, indices);
  free(indices);
  return result;
}

typedef struct {
  MlirValue keys, positions;
} Pairs;

static Pairs pairsAcross(Sort *s, int bit) {
  MlirContext c = s->l->b.context;
  Pairs other = {{NULL}, {NULL}};
  if (s->bits[bit].dim != TILE_WARP) {
    other.keys = across(s, s->keys, bit);
    if (!s->packed) other.positions = across(s, s->positions, bit);
    return other;
  }
  // What an earlier round left there has been read by all.
  lowerBarrier(s->l);
  int64_t behind = (int64_t)8 << tileLayoutTotalOutBits(s->layout);
  LowerAddress keys = publish(s, s->keys, 8, 0), positions = keys;
  if (!s->packed) positions = publish(s, s->positions, 4, behind);
  lowerBarrier(s->l);
  other.keys = readAcross(s, &keys, bit, tileI64(c));
  if (!s->packed) other.positions = readAcross(s, &positions, bit, tileI32(c));
  return other;
}

//===- the network --------------------------------------------------------===//

/// vector<Nxi1>: bit `bit` of the position along the axis.
static MlirValue bitOfPosition(Sort *s, int bit) {
  Lowering *l = s->l;
  TileScanBit holder = s->bits[bit];
  MlirType i1 = tileI1(l->b.context), type = vectorOf(s, i1);
  if (holder.dim != TILE_REGISTER) {
    MlirValue position = holder.dim == TILE_LANE ? l->lane : l->warp;
    MlirValue set = lowerTestBits(l, position, (uint32_t)1 << holder.bit);
    return tileBuildUnary(&l->b, "vector.broadcast", type, set);
  }
  int *set = malloc((size_t)s->registers * sizeof *set);
  if (!set) abort();
  for (int r = 0; r < s->registers; ++r) set[r] = r >> holder.bit & 1;
  MlirAttribute all = mlirDenseElementsAttrBoolGet(type, s->registers, set);
  free(set);
  return tileBuildConstant(&l->b, all);
}

static void compareAcross(Sort *s, int size, int bit) {
  Lowering *l = s->l;
  Pairs other = pairsAcross(s, bit);
  MlirValue less = tileBuildCmpi(&l->b, TILE_ULT, other.keys, s->keys);
  if (!s->packed) {
    MlirValue same = tileBuildCmpi(&l->b, TILE_EQ, other.keys, s->keys);
    MlirValue before = tileBuildCmpi(&l->b, TILE_ULT, other.positions, s->positions);
    before = tileBuildBinary(&l->b, "arith.andi", same, before);
    less = tileBuildBinary(&l->b, "arith.ori", less, before);
  }
  MlirValue larger = bitOfPosition(s, bit);
  if (size < s->numBits)
    larger = tileBuildBinary(&l->b, "arith.xori", larger, bitOfPosition(s, size));
  // Copies of one element are no pair: they decide alike.
  MlirValue take = tileBuildBinary(&l->b, "arith.xori", less, larger);
  s->keys = tileBuildSelect(&l->b, take, other.keys, s->keys);
  if (!s->packed) s->positions = tileBuildSelect(&l->b, take, other.positions, s->positions);
}

/// The operand's elements, each from the position that the sorted pair names.
static MlirValue collect(Sort *s, MlirValue values, MlirValue from) {
  Lowering *l = s->l;
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(values));
  MlirValue stored = lowerToStored(l, values);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(stored));
  int bytes = lowerElementBytes(element);
  lowerBarrier(l);
  publish(s, stored, bytes, 0);
  lowerBarrier(l);
  MlirValue *parts = malloc((size_t)s->registers * sizeof *parts);
  if (!parts) abort();
  MlirValue base = lowerI32(l, lowerSharedOffset(s->op));
  for (int r = 0; r < s->registers; ++r) {
    MlirValue at = base;
    for (int d = 0; d < s->layout.rank; ++d) {
      MlirValue coordinate = d == s->axis ? lowerExtract(l, from, r)
                                          : lowerCombineParts(l, &s->layout, d, s->thread[d],
                                                              lowerRegisterPart(&s->layout, r, d));
      MlirValue stride = lowerI32(l, (int64_t)bytes << tileLayoutShift(s->layout, d));
      MlirValue part = tileBuildBinary(&l->b, "arith.muli", coordinate, stride);
      at = tileBuildBinary(&l->b, "arith.addi", at, part);
    }
    parts[r] = loadFrom(s, lowerSharedPointer(l, at), element, bytes);
  }
  MlirValue whole = lowerFromElements(l, element, s->registers, parts);
  free(parts);
  return lowerFromStored(l, whole, type);
}

static const char *plan(Sort *s) {
  TileCombinePlan along;
  const char *refusal = tilePlanCombine(s->layout, s->axis, &along);
  return refusal ? refusal : tilePlanExchange(&along, s->bits, &s->numBits);
}

/// The network is one exchange after the other of all elements that a thread holds, pairs of 64
/// bits: code and registers grow with them.
static void sayMany(const Sort *s) {
  enum { mostWarps = 32 };
  int most = tileMachineNumber(s->l->machine, TILE_NUMBER_SORT_ELEMENTS);
  int wanted = s->l->numWarps * (s->registers / most);
  char how[40];
  if (s->registers <= most) return;
  snprintf(how, sizeof how, wanted > mostWarps ? "in a smaller tile" : "by num_warps = %d", wanted);
  tileEmitSlow(mlirOperationGetLocation(s->op),
               "sort takes long to compile, and registers spill: expected at most %d elements a "
               "thread (%s), found %d",
               most, how, s->registers);
}

MlirLogicalResult lowerSort(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue key = tileSortGetSources(op, 0);
  MlirType element = tileElementType(mlirValueGetType(key)), i64 = tileI64(l->b.context);
  Sort s = {.l = l, .op = op, .axis = (int)tileSortGetAxis(op)};
  if (!lowerLayoutOf(loc, mlirValueGetType(key), &s.layout)) return mlirLogicalResultFailure();
  const char *refusal = plan(&s);
  if (!refusal && mlirValueIsNull(l->shared))
    refusal = "expected a kernel with shared memory for a sort (see tile-allocate-shared), found "
              "none";
  if (refusal) {
    tileEmitError(loc, "%s", refusal);
    return mlirLogicalResultFailure();
  }
  s.registers = lowerNumRegisters(&s.layout);
  sayMany(&s);
  s.map = lowerRowMajor(&s.layout);
  s.packed = tileBitWidth(element) <= 32;
  for (int d = 0; d < s.layout.rank; ++d) s.thread[d] = lowerThreadPart(l, &s.layout, d);
  s.keys = orderKeys(&s, lowerGet(l, key), element, tileSortGetDescending(op));
  s.positions = axisPositions(&s);
  if (s.packed) {
    MlirType type = vectorOf(&s, i64);
    MlirValue amount = constant(&s, type, 32);
    MlirValue high = tileBuildBinary(&l->b, "arith.shli", s.keys, amount);
    MlirValue low = tileBuildUnary(&l->b, "arith.extui", type, s.positions);
    s.keys = tileBuildBinary(&l->b, "arith.ori", high, low);
  }
  for (int size = 1; size <= s.numBits; ++size)
    for (int bit = size; bit-- > 0;) compareAcross(&s, size, bit);
  MlirValue from = s.positions;
  if (s.packed)
    from = tileBuildUnary(&l->b, "arith.trunci", vectorOf(&s, tileI32(l->b.context)), s.keys);
  for (intptr_t i = 0; i < tileSortGetNumSources(op); ++i) {
    MlirValue sorted = collect(&s, lowerGet(l, tileSortGetSources(op, i)), from);
    lowerSet(l, mlirOperationGetResult(op, i), sorted);
  }
  return mlirLogicalResultSuccess();
}
