//===- Extremes.c - what all lanes combine by redux.sync ------------------===//
//
// Before:  five xor shuffles, each with a comparison and selects
// After:   %key = order(%x)                         // f32 as an integer of the same order
//          %best = nvvm.redux.sync max %key
//          %mine = select (%key == %best), %i, 2^31 - 1
//          %first = nvvm.redux.sync min %mine       // the lowest index of those that have it
//
// Integers of 32 bits and less meet in one instruction. So do the greatest and the least of floats
// once they are integers of the same order: negative ones have all bits but the sign turned round,
// and a NaN is the first or the last of all, as the region has it win or lose. Of pairs, as argmax
// has them, a second instruction finds the index. The instruction takes as long as a shuffle.
//
// A thread's own pairs need no comparison of indices where these grow with the registers: of
// neighbours the first one stays if it is not less.
//
//===----------------------------------------------------------------------===//
#include "Combine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_LANES = (1u << TILE_LANE_BITS) - 1 };

//===- what the region is -------------------------------------------------===//

/// Ops of a region of one value. Extremes of floats have integers' instructions; `nanWins`: theirs
/// is NaN as soon as one of them is.
static const struct {
  const char *op, *kind;
  bool isFloat, nanWins;
} singles[] = {
    {"arith.addi", "add", 0, 0},     {"arith.maxsi", "max", 0, 0},
    {"arith.minsi", "min", 0, 0},    {"arith.maxui", "umax", 0, 0},
    {"arith.minui", "umin", 0, 0},   {"arith.andi", "and", 0, 0},
    {"arith.ori", "or", 0, 0},       {"arith.xori", "xor", 0, 0},
    {"arith.maxnumf", "max", 1, 0},  {"arith.minnumf", "min", 1, 0},
    {"arith.maximumf", "max", 1, 1}, {"arith.minimumf", "min", 1, 1},
};

static bool isWord(MlirType type) {
  return tileTypeIsFloat(type) ? mlirTypeIsAF32(type) || mlirTypeIsAF16(type)
                               : tileBitWidth(type) > 1 && tileBitWidth(type) <= 32;
}

/// Is `value` the argument of the region that is the first's, or the second's, operand `i`?
static bool isArgument(const Combiner *c, MlirValue value, int i, bool second) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockArgumentGetArgNumber(value) == i + (second ? c->count : 0);
}

/// The op's predicate, if it compares the two operands `i` of the region, floats or integers, the
/// first one first; -1. (8-bit floats are bytes here, which nobody compares as such.)
static int64_t comparisonOf(const Combiner *c, MlirOperation op, int i, bool isFloat) {
  if (mlirOperationIsNull(op) || !tileOpIs(op, isFloat ? "arith.cmpf" : "arith.cmpi") ||
      !isArgument(c, tileOperand(op, 0), i, false) || !isArgument(c, tileOperand(op, 1), i, true))
    return -1;
  return mlirIntegerAttrGetValueInt(tileAttr(op, "predicate"));
}

/// Is `op` (v0 == v1) & (i0 < i1)?
static bool isTie(const Combiner *c, MlirOperation op, const LowerExtreme *e) {
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.andi")) return false;
  for (int first = 0; first < 2; ++first) {
    int64_t same = comparisonOf(c, tileValueGetOp(tileOperand(op, first)), e->number, e->isFloat);
    int64_t below = comparisonOf(c, tileValueGetOp(tileOperand(op, 1 - first)), e->index, false);
    if (same == (e->isFloat ? TILE_CMPF_OEQ : TILE_EQ) && below == TILE_SLT) return true;
  }
  return false;
}

/// What a strict comparison of numbers keeps; null of others.
static const char *kindOf(bool isFloat, int64_t predicate) {
  if (isFloat)
    return predicate == TILE_CMPF_OGT ? "max" : predicate == TILE_CMPF_OLT ? "min" : NULL;
  return predicate == TILE_SGT   ? "max"
         : predicate == TILE_SLT ? "min"
         : predicate == TILE_UGT ? "umax"
         : predicate == TILE_ULT ? "umin"
                                 : NULL;
}

/// Does the region choose both of a pair by `choice`: the first one if its number is better, or the
/// same and its index lower?
static bool isPairBy(const Combiner *c, MlirOperation choice, LowerExtreme *e) {
  if (mlirOperationIsNull(choice) || !tileOpIs(choice, "arith.ori")) return false;
  for (int first = 0; first < 2; ++first) {
    MlirOperation better = tileValueGetOp(tileOperand(choice, first));
    e->kind = kindOf(e->isFloat, comparisonOf(c, better, e->number, e->isFloat));
    if (e->kind && isTie(c, tileValueGetOp(tileOperand(choice, 1 - first)), e)) return true;
  }
  return false;
}

static bool findPair(const Combiner *c, LowerExtreme *e) {
  MlirOperation yield = mlirBlockGetTerminator(tileBody(c->op, 0));
  MlirOperation selects[2];
  for (int i = 0; i < 2; ++i) {
    selects[i] = tileValueGetOp(tileOperand(yield, i));
    if (mlirOperationIsNull(selects[i]) || !tileOpIs(selects[i], "arith.select") ||
        !isArgument(c, tileOperand(selects[i], 1), i, false) ||
        !isArgument(c, tileOperand(selects[i], 2), i, true))
      return false;
  }
  MlirValue choice = tileOperand(selects[0], 0);
  if (!mlirValueEqual(choice, tileOperand(selects[1], 0))) return false;
  for (int number = 0; number < 2; ++number) {
    *e = (LowerExtreme){.number = number, .index = 1 - number};
    e->isFloat = tileTypeIsFloat(c->elements[number]);
    if (!tileTypeIsFloat(c->elements[e->index]) && isPairBy(c, tileValueGetOp(choice), e))
      return true;
  }
  return false;
}

bool lowerFindExtreme(const Combiner *c, LowerExtreme *e) {
  for (int i = 0; i < c->count; ++i)
    if (!isWord(c->elements[i])) return false;
  if (c->count == 2) return findPair(c, e);
  if (!c->commutes || c->count != 1) return false;
  MlirOperation op = mlirBlockGetFirstOperation(tileBody(c->op, 0));
  for (size_t i = 0; i < sizeof singles / sizeof *singles; ++i) {
    if (!tileOpIs(op, singles[i].op)) continue;
    if (singles[i].isFloat != tileTypeIsFloat(c->elements[0])) return false;
    *e = (LowerExtreme){.kind = singles[i].kind, .index = -1, .isFloat = singles[i].isFloat};
    e->nanWins = singles[i].nanWins;
    return true;
  }
  return false;
}

bool lowerIsIdempotent(const LowerExtreme *e) {
  return strcmp(e->kind, "add") != 0 && strcmp(e->kind, "xor") != 0;
}

//===- all lanes ----------------------------------------------------------===//

static bool isMost(const LowerExtreme *e) { return strstr(e->kind, "max") != NULL; }
static bool isUnsigned(const LowerExtreme *e) { return e->kind[0] == 'u'; }

static MlirValue reduxOf(Lowering *l, const char *kind, MlirValue own) {
  char text[32];
  snprintf(text, sizeof text, "#nvvm<redux_kind %s>", kind);
  MlirAttribute attr = tileParseAttr(l->b.context, text);
  MlirType i32 = tileI32(l->b.context);
  return tileResult(tileBuildOp(&l->b, "nvvm.redux.sync", TILE_VALUES(own, lowerI32(l, -1)), 1,
                                &i32, TILE_ATTRS({"kind", attr}), 0));
}

/// Turns the bits of negative numbers round, but for the sign: there, and back.
static MlirValue turnNegative(Lowering *l, MlirValue bits) {
  MlirValue sign = tileBuildBinary(&l->b, "arith.shrsi", bits, lowerI32(l, 31));
  MlirValue turned = tileBuildBinary(&l->b, "arith.andi", sign, lowerI32(l, INT32_MAX));
  return tileBuildBinary(&l->b, "arith.xori", bits, turned);
}

/// A number as an integer of 32 bits of the same order.
static MlirValue keyOf(Lowering *l, const LowerExtreme *e, MlirValue number) {
  MlirType i32 = tileI32(l->b.context), f32 = mlirF32TypeGet(l->b.context);
  int width = tileBitWidth(mlirValueGetType(number));
  if (!e->isFloat) {
    const char *extend = isUnsigned(e) ? "arith.extui" : "arith.extsi";
    return width < 32 ? tileBuildUnary(&l->b, extend, i32, number) : number;
  }
  if (width < 32) number = tileBuildUnary(&l->b, "arith.extf", f32, number);
  // Equal numbers are to have equal keys: -0 + 0 is 0.
  if (e->index >= 0)
    number = tileBuildBinary(&l->b, "arith.addf", number, tileBuildFloat(&l->b, f32, 0));
  MlirValue key = turnNegative(l, tileBuildUnary(&l->b, "arith.bitcast", i32, number));
  MlirValue isNan = tileBuildCmpf(&l->b, TILE_CMPF_UNO, number, number);
  int32_t nan = isMost(e) == e->nanWins ? INT32_MAX : INT32_MIN;
  return tileBuildSelect(&l->b, isNan, lowerI32(l, nan), key);
}

static MlirValue numberOf(Lowering *l, const LowerExtreme *e, MlirValue key, MlirType type) {
  bool narrow = tileBitWidth(type) < 32;
  if (!e->isFloat) return narrow ? tileBuildUnary(&l->b, "arith.trunci", type, key) : key;
  MlirType f32 = mlirF32TypeGet(l->b.context);
  MlirValue number = tileBuildUnary(&l->b, "arith.bitcast", f32, turnNegative(l, key));
  return narrow ? tileBuildUnary(&l->b, "arith.truncf", type, number) : number;
}

/// The lowest index of the lanes whose key is the best one.
static MlirValue indexOf(Lowering *l, MlirValue key, MlirValue best, MlirValue index) {
  MlirType type = mlirValueGetType(index), i32 = tileI32(l->b.context);
  bool narrow = tileBitWidth(type) < 32;
  if (narrow) index = tileBuildUnary(&l->b, "arith.extsi", i32, index);
  MlirValue has = tileBuildCmpi(&l->b, TILE_EQ, key, best);
  index = reduxOf(l, "min", tileBuildSelect(&l->b, has, index, lowerI32(l, INT32_MAX)));
  return narrow ? tileBuildUnary(&l->b, "arith.trunci", type, index) : index;
}

void lowerCombineAllLanes(Combiner *c, const LowerExtreme *e, Combined *values) {
  Lowering *l = c->l;
  bool isPair = e->index >= 0;
  int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(values->v[e->number]), 0);
  MlirValue *numbers = lowerNewSlices(n), *indices = lowerNewSlices(n);
  for (int64_t i = 0; i < n; ++i) {
    MlirValue key = keyOf(l, e, lowerExtract(l, values->v[e->number], i));
    MlirValue best = reduxOf(l, e->kind, key);
    numbers[i] = numberOf(l, e, best, c->elements[e->number]);
    if (isPair) indices[i] = indexOf(l, key, best, lowerExtract(l, values->v[e->index], i));
  }
  values->v[e->number] = lowerFromElements(l, c->elements[e->number], n, numbers);
  if (isPair) values->v[e->index] = lowerFromElements(l, c->elements[e->index], n, indices);
  free(numbers);
  free(indices);
}

//===- a thread's own -----------------------------------------------------===//

bool lowerIndicesGrow(const Combiner *c, const LowerExtreme *e) {
  if (e->index < 0) return false;
  MlirOperation op = tileValueGetOp(tileOperand(c->op, e->index));
  while (!mlirOperationIsNull(op) && (tileOpIsABroadcast(op) || tileOpIsAExpandDims(op)))
    op = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(op) || !tileOpIsAArange(op)) return false;
  const TileLayout *layout = &c->plan.source;
  uint64_t before = 0;
  for (int r = 0; r < layout->inBits[TILE_REGISTER]; ++r) {
    if (!(c->plan.along[TILE_REGISTER] >> r & 1)) continue;
    uint64_t at = (uint64_t)lowerRegisterPart(layout, 1 << r, c->plan.axis);
    if (at <= before || at & (at - 1)) return false;
    before = at;
  }
  return true;
}

static MlirValue isNotWorse(Lowering *l, const LowerExtreme *e, MlirValue a, MlirValue b) {
  if (e->isFloat) return tileBuildCmpf(&l->b, isMost(e) ? TILE_CMPF_OGE : TILE_CMPF_OLE, a, b);
  int least = isUnsigned(e) ? TILE_ULE : TILE_SLE, most = isUnsigned(e) ? TILE_UGE : TILE_SGE;
  return tileBuildCmpi(&l->b, isMost(e) ? most : least, a, b);
}

void lowerCombineGrowing(Combiner *c, const LowerExtreme *e, Combined *values, int64_t n,
                         int64_t kept) {
  Lowering *l = c->l;
  for (; n > kept; n /= 2) {
    // Registers lie as [neighbours][kept].
    int64_t *firsts = lowerIndices(n / 2), *seconds = lowerIndices(n / 2);
    for (int64_t k = 0; k < n / 2; ++k) {
      firsts[k] = k / kept * 2 * kept + k % kept;
      seconds[k] = firsts[k] + kept;
    }
    Combined first = lowerCombinedPermute(c, values, n / 2, firsts);
    Combined second = lowerCombinedPermute(c, values, n / 2, seconds);
    MlirValue stays = isNotWorse(l, e, first.v[e->number], second.v[e->number]);
    *values = lowerCombinedSelect(c, stays, &first, &second);
    free(firsts);
    free(seconds);
  }
}
