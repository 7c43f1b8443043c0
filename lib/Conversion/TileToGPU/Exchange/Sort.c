//===- Sort.c - tile.sort and tile.partial_sort ---------------------------===//
//
// What is sorted is the pair (key, position), so that no two are equal and the sort is stable.
// Keys become unsigned numbers of the same order:
//
//   integers  with the sign bit flipped; i1 as 0 and 1
//   floats    -inf .. -0, +0 .. inf, and all NaNs, equal, after them
//
// each bit inverted for a descending sort. A key and its position share one word, of 32 bits or of
// 64, where they have room; keys with nothing beside them need no positions (TileSortPlan).
//
// SortNetwork.h sorts the words by slots. Behind it slot i has the element of position i:
//
//   keys       made of the words again
//   positions  of the words; an operand that is tile.arange along the axis is no more than these
//   others     each place reads the element at the position that its pair names, from scratch
//
// Where slots are numbered otherwise than positions, and for fewer results, keys and positions go
// through scratch once.
//===----------------------------------------------------------------------===//
#include "SortNetwork.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/Slow.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  Lowering *l;
  MlirOperation op;
  TileLayout layout, result; ///< of the operands; of the result that is made
  int axis;
  bool descending;
  MlirType element; ///< of the keys
  TileCombinePlan along;
  TileScanBit bits[TILE_MAX_BITS]; ///< who holds the bits of positions
  SortNetwork network;
} Sort;

static MlirType vectorOf(MlirValue like, MlirType element) {
  return tileVectorType(mlirShapedTypeGetDimSize(mlirValueGetType(like), 0), element);
}
static MlirType integerOf(Sort *s, int width) {
  return mlirIntegerTypeGet(s->l->b.context, (unsigned)width);
}
static MlirValue constant(Sort *s, MlirType type, int64_t value) {
  return tileBuildInt(&s->l->b, type, value);
}
static MlirValue apply(Sort *s, const char *name, MlirValue vector, int64_t value) {
  MlirValue operand = constant(s, mlirValueGetType(vector), value);
  return tileBuildBinary(&s->l->b, name, vector, operand);
}
/// The vector's elements with more bits, the new ones 0, or with fewer.
static MlirValue resize(Sort *s, MlirValue vector, int from, int to) {
  if (from == to) return vector;
  return tileBuildUnary(&s->l->b, from < to ? "arith.extui" : "arith.trunci",
                        vectorOf(vector, integerOf(s, to)), vector);
}

//===- keys ---------------------------------------------------------------===//

static int64_t signOf(int width) { return (int64_t)((uint64_t)-1 << (width - 1)); }

/// Unsigned numbers in the order of the sort, of a key's width.
static MlirValue orderKeys(Sort *s, MlirValue values) {
  Lowering *l = s->l;
  int width = s->network.plan.keyBits;
  MlirType type = vectorOf(values, integerOf(s, width));
  MlirValue bits = lowerBitcast(l, values, type);
  if (width > 1 && !tileTypeIsFloat(s->element)) bits = apply(s, "arith.xori", bits, signOf(width));
  if (tileTypeIsFloat(s->element)) {
    MlirValue spread = apply(s, "arith.shrsi", bits, width - 1);
    MlirValue flip = apply(s, "arith.ori", spread, signOf(width));
    MlirValue key = tileBuildBinary(&l->b, "arith.xori", bits, flip);
    MlirValue magnitude = apply(s, "arith.andi", bits, ~signOf(width));
    MlirValue most = constant(s, type, tileFloatGetLargest(s->element));
    MlirValue last = constant(s, type, -1);
    MlirValue isNan = tileBuildCmpi(&l->b, TILE_UGT, magnitude, most);
    bits = tileBuildSelect(&l->b, isNan, last, key);
  }
  return s->descending ? apply(s, "arith.xori", bits, -1) : bits;
}

/// The values that these numbers were made of; of a NaN some NaN.
static MlirValue restoreKeys(Sort *s, MlirValue words) {
  Lowering *l = s->l;
  const TileSortPlan *plan = &s->network.plan;
  int width = plan->keyBits;
  if (plan->shift) words = apply(s, "arith.shrui", words, plan->shift);
  MlirValue bits = resize(s, words, plan->wordBits, width);
  if (s->descending) bits = apply(s, "arith.xori", bits, -1);
  if (width > 1 && !tileTypeIsFloat(s->element)) bits = apply(s, "arith.xori", bits, signOf(width));
  if (tileTypeIsFloat(s->element)) {
    MlirValue spread = apply(s, "arith.shrsi", bits, width - 1);
    MlirValue flip = apply(s, "arith.xori", spread, -1);
    flip = apply(s, "arith.ori", flip, signOf(width));
    bits = tileBuildBinary(&l->b, "arith.xori", bits, flip);
  }
  return lowerBitcast(l, bits, vectorOf(bits, lowerElementType(s->element)));
}

/// vector<Nxi32>: where each register is along the axis.
static MlirValue axisPositions(Sort *s) {
  Lowering *l = s->l;
  int registers = lowerNumRegisters(&s->layout);
  MlirValue *parts = malloc((size_t)registers * sizeof *parts);
  if (!parts) abort();
  MlirValue thread = lowerThreadPart(l, &s->layout, s->axis);
  for (int r = 0; r < registers; ++r)
    parts[r] = lowerCombineParts(l, &s->layout, s->axis, thread,
                                 lowerRegisterPart(&s->layout, r, s->axis));
  MlirValue result = lowerFromElements(l, tileI32(l->b.context), registers, parts);
  free(parts);
  return result;
}

static void makeWords(Sort *s) {
  SortNetwork *n = &s->network;
  const TileSortPlan *plan = &n->plan;
  MlirValue keys = orderKeys(s, lowerGet(s->l, tileOperand(s->op, 0)));
  n->words = resize(s, keys, plan->keyBits, plan->wordBits);
  if (!plan->positions) return;
  MlirValue positions = axisPositions(s);
  if (plan->apart) {
    n->positions = positions;
    return;
  }
  n->words = apply(s, "arith.shli", n->words, plan->shift);
  positions = resize(s, positions, 32, plan->wordBits);
  n->words = tileBuildBinary(&s->l->b, "arith.ori", n->words, positions);
}

/// vector<Nxi32>: where the elements in this thread's slots came from.
static MlirValue positionsOf(Sort *s) {
  const TileSortPlan *plan = &s->network.plan;
  if (plan->apart) return s->network.positions;
  if (plan->wordBits == 64) return resize(s, s->network.words, 64, 32);
  return apply(s, "arith.andi", s->network.words, ((int64_t)1 << plan->shift) - 1);
}

//===- scratch ------------------------------------------------------------===//

static MlirAttribute alignTo(Sort *s, int bytes) {
  return mlirIntegerAttrGet(tileI64(s->l->b.context), bytes);
}

/// What a thread holds, as `map` has it in elements, at `offset` bytes of the scratch.
static void publish(Sort *s, MlirValue values, const TileLayout *map, int64_t offset) {
  Lowering *l = s->l;
  int bytes = tileElementBytes(mlirShapedTypeGetElementType(mlirValueGetType(values)));
  MlirValue base = lowerI32(l, lowerSharedOffset(s->op) + offset);
  LowerAddress address = lowerBufferAddress(l, base, map, bytes);
  uint32_t copies = tileLayoutFreeBits(*map, TILE_REGISTER);
  for (int r = 0; r < lowerNumRegisters(map); ++r) {
    if ((uint32_t)r & copies) continue;
    MlirValue value = lowerExtract(l, values, r);
    MlirValue pointer = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE,
                TILE_ATTRS({"alignment", alignTo(s, bytes)}), 0);
  }
}

static MlirValue loadFrom(Sort *s, MlirValue pointer, MlirType type) {
  MlirAttribute alignment = alignTo(s, tileElementBytes(type));
  return tileResult(tileBuildOp(&s->l->b, "llvm.load", TILE_VALUES(pointer), 1, &type,
                                TILE_ATTRS({"alignment", alignment}), 0));
}

/// The results' elements from where they lie in row-major order.
static MlirValue readBack(Sort *s, MlirType element, int64_t offset) {
  Lowering *l = s->l;
  int registers = lowerNumRegisters(&s->result);
  TileLayout map = lowerRowMajor(&s->result);
  MlirValue base = lowerI32(l, lowerSharedOffset(s->op) + offset);
  LowerAddress address = lowerBufferAddress(l, base, &map, tileElementBytes(element));
  MlirValue *parts = malloc((size_t)registers * sizeof *parts);
  if (!parts) abort();
  for (int r = 0; r < registers; ++r) {
    MlirValue pointer = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    parts[r] = loadFrom(s, pointer, element);
  }
  MlirValue whole = lowerFromElements(l, element, registers, parts);
  free(parts);
  return whole;
}

/// Where a thread's slots lie among the results, in row-major order.
static TileLayout slotMap(const Sort *s) {
  const SortNetwork *n = &s->network;
  TileLayout map = tileLayoutEmpty(1);
  map.outBits[0] = TILE_MAX_BITS;
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim) {
    bool registers = dim == TILE_REGISTER;
    map.inBits[dim] = registers ? n->numRegisterBits : s->layout.inBits[dim];
    for (int b = 0; b < map.inBits[dim]; ++b) {
      int64_t at[TILE_MAX_RANK] = {0};
      uint64_t basis = s->layout.bases[dim][registers ? n->registerBits[b] : b];
      for (int d = 0; d < s->layout.rank; ++d)
        if (d != s->axis) at[d] = tileLayoutCoordinate(s->layout, basis, d);
      for (int k = 0; k < n->numBits; ++k)
        if ((int)n->bits[k].dim == dim && n->bits[k].bit == b) at[s->axis] = (int64_t)1 << k;
      map.bases[dim][b] = tileLayoutPack(s->result, at);
    }
  }
  return map;
}

/// The operand's elements, each from the position that `from` names.
static MlirValue pick(Sort *s, MlirType element, MlirValue from) {
  Lowering *l = s->l;
  int registers = lowerNumRegisters(&s->result), bytes = tileElementBytes(element);
  MlirValue *parts = malloc((size_t)registers * sizeof *parts), thread[TILE_MAX_RANK];
  if (!parts) abort();
  for (int d = 0; d < s->result.rank; ++d) thread[d] = lowerThreadPart(l, &s->result, d);
  MlirValue base = lowerI32(l, lowerSharedOffset(s->op));
  for (int r = 0; r < registers; ++r) {
    MlirValue at = base;
    for (int d = 0; d < s->result.rank; ++d) {
      MlirValue coordinate = d == s->axis ? lowerExtract(l, from, r)
                                          : lowerCombineParts(l, &s->result, d, thread[d],
                                                              lowerRegisterPart(&s->result, r, d));
      MlirValue stride = lowerI32(l, (int64_t)bytes << tileLayoutShift(s->layout, d));
      MlirValue part = tileBuildBinary(&l->b, "arith.muli", coordinate, stride);
      at = tileBuildBinary(&l->b, "arith.addi", at, part);
    }
    parts[r] = loadFrom(s, lowerSharedPointer(l, at), element);
  }
  MlirValue whole = lowerFromElements(l, element, registers, parts);
  free(parts);
  return whole;
}

//===- results ------------------------------------------------------------===//

/// Is it 0, 1, .. along the axis?
static bool isPositions(MlirValue value, int axis) {
  for (;;) {
    MlirOperation op = tileValueGetOp(value);
    if (mlirOperationIsNull(op)) return false;
    if (tileOpIsAArange(op)) return axis == 0;
    if (tileOpIsAExpandDims(op)) {
      int added = (int)tileExpandDimsGetAxis(op);
      if (added == axis) return false;
      axis -= axis > added;
    } else if (tileOpIsABroadcast(op)) {
      int64_t shape[TILE_MAX_RANK];
      tileShape(mlirValueGetType(tileOperand(op, 0)), shape);
      if (shape[axis] == 1) return false;
    } else if (!tileOpIsAConvertLayout(op)) {
      return false;
    }
    value = tileOperand(op, 0);
  }
}

/// Do results lie as slots do?
static bool liesAsSlots(const Sort *s) {
  const SortNetwork *n = &s->network;
  TileLayout slots = slotMap(s), wanted = lowerRowMajor(&s->result);
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim) {
    if (slots.inBits[dim] != wanted.inBits[dim]) return false;
    for (int b = 0; b < slots.inBits[dim]; ++b)
      if (slots.bases[dim][b] != wanted.bases[dim][b]) return false;
  }
  return n->numBits == s->result.outBits[s->axis];
}

/// `values`, by slots, as the results lie.
static MlirValue place(Sort *s, MlirValue values) {
  SortNetwork *n = &s->network;
  if (liesAsSlots(s)) return values;
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(values));
  MlirValue stored = lowerToStored(s->l, values);
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(stored));
  TileLayout map = slotMap(s);
  if (n->written) lowerBarrier(s->l);
  publish(s, stored, &map, 0);
  lowerBarrier(s->l);
  n->written = true;
  return lowerFromStored(s->l, readBack(s, type, 0), element);
}

/// Operand i, which is no key.
static MlirValue follow(Sort *s, MlirValue operand, MlirValue from) {
  MlirType type = tileElementType(mlirValueGetType(operand));
  if (tileBitWidth(type) == 32 && isPositions(operand, s->axis)) return from;
  MlirValue values = lowerGet(s->l, operand), stored = lowerToStored(s->l, values);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(values));
  MlirType storedElement = mlirShapedTypeGetElementType(mlirValueGetType(stored));
  TileLayout map = lowerRowMajor(&s->layout);
  if (s->network.written) lowerBarrier(s->l);
  publish(s, stored, &map, 0);
  lowerBarrier(s->l);
  s->network.written = true;
  return lowerFromStored(s->l, pick(s, storedElement, from), element);
}

static bool makeResults(Sort *s) {
  MlirLocation loc = mlirOperationGetLocation(s->op);
  TileLayout before = tileLayoutInvalid();
  MlirValue from = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(s->op); ++i) {
    MlirValue result = mlirOperationGetResult(s->op, i), made;
    if (!lowerLayoutOf(loc, mlirValueGetType(result), &s->result)) return false;
    if (i == 0) {
      made = place(s, restoreKeys(s, s->network.words));
    } else {
      if (i == 1 || !tileLayoutEqual(before, s->result)) from = place(s, positionsOf(s));
      made = follow(s, tileOperand(s->op, i), from);
      before = s->result;
    }
    lowerSet(s->l, result, made);
  }
  return true;
}

//===- the op -------------------------------------------------------------===//

static const char *plan(Sort *s) {
  const char *refusal = tilePlanCombine(s->layout, s->axis, &s->along);
  return refusal ? refusal : tilePlanExchange(&s->along, s->bits, &s->network.numBits);
}

/// The network is one exchange after the other of all elements that a thread holds: code and
/// registers grow with them.
static void sayMany(const Sort *s, int registers) {
  enum { mostWarps = 32 };
  int most = tileMachineNumber(s->l->machine, TILE_NUMBER_SORT_ELEMENTS);
  int wanted = s->l->numWarps * (registers / most);
  char how[40];
  if (registers <= most) return;
  snprintf(how, sizeof how, wanted > mostWarps ? "in a smaller tile" : "by num_warps = %d", wanted);
  tileEmitSlow(mlirOperationGetLocation(s->op),
               "sort takes long to compile, and registers spill: expected at most %d elements a "
               "thread (%s), found %d",
               most, how, registers);
}

/// The bits of the results' positions along the axis.
static int keptBits(const Sort *s) {
  int64_t shape[TILE_MAX_RANK];
  tileShape(mlirValueGetType(mlirOperationGetResult(s->op, 0)), shape);
  return __builtin_ctzll((unsigned long long)shape[s->axis]);
}

MlirLogicalResult lowerSort(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(tileOperand(op, 0));
  Sort s = {.l = l,
            .op = op,
            .axis = (int)tileIntAttr(op, "axis", 0),
            .descending = !mlirAttributeIsNull(tileAttr(op, "descending")),
            .element = tileElementType(type),
            .network = {.l = l, .op = op, .plan = tilePlanSort(op)}};
  if (!lowerLayoutOf(loc, type, &s.layout)) return mlirLogicalResultFailure();
  const char *refusal = plan(&s);
  if (!refusal && mlirValueIsNull(l->shared))
    refusal = "expected a kernel with shared memory for a sort (see tile-allocate-shared), found "
              "none";
  if (refusal) {
    tileEmitError(loc, "%s", refusal);
    return mlirLogicalResultFailure();
  }
  sayMany(&s, lowerNumRegisters(&s.layout));
  lowerSortBegin(&s.network, &s.layout, s.bits);
  makeWords(&s);
  lowerSortNetwork(&s.network, keptBits(&s));
  return makeResults(&s) ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
