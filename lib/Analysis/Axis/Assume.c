//===- Assume.c - facts promised by tile.assume ---------------------------===//
//
// Understood: comparisons of a scalar with a constant, `x % c == 0` and
// `x & (c - 1) == 0`, and any `and` of those; and what stands on an op of its
// result, as tile.contiguity, tile.divisibility and tile.constancy.
//
//===----------------------------------------------------------------------===//
#include "Axis.h"

typedef void (*Found)(void *data, MlirValue value, AxisPromise promise);

/// The operation that defines `value`, if it has this name.
static MlirOperation definedBy(MlirValue value, const char *name) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIs(op, name) ? op : (MlirOperation){NULL};
}

/// x % c == 0, x & m == 0: the power of two that divides x then.
static void promiseDivisor(MlirValue rest, Found found, void *data) {
  MlirOperation op = definedBy(rest, "arith.remsi");
  if (mlirOperationIsNull(op)) op = definedBy(rest, "arith.remui");
  bool isMask = mlirOperationIsNull(op);
  if (isMask) op = definedBy(rest, "arith.andi");
  int64_t c;
  if (mlirOperationIsNull(op) || !tileConstantInt(tileOperand(op, 1), &c)) return;
  AxisPromise promise = {1, INT64_MIN, INT64_MAX};
  // The low bits that the mask holds without a gap are 0.
  if (isMask) c = (int64_t)((uint64_t)c + 1);
  if (c == 0) return;
  promise.divisibility = axisPowerOfTwoIn(c);
  found(data, tileOperand(op, 0), promise);
}

/// The predicate after its operands change places.
static int64_t swapped(int64_t predicate) {
  switch (predicate) {
  case TILE_SLT:
    return TILE_SGT;
  case TILE_SLE:
    return TILE_SGE;
  case TILE_SGT:
    return TILE_SLT;
  case TILE_SGE:
    return TILE_SLE;
  case TILE_ULT:
    return TILE_UGT;
  case TILE_ULE:
    return TILE_UGE;
  case TILE_UGT:
    return TILE_ULT;
  case TILE_UGE:
    return TILE_ULE;
  default:
    return predicate;
  }
}

static void promiseBounds(int64_t predicate, MlirValue value, int64_t c, Found found, void *data) {
  AxisPromise promise = {1, INT64_MIN, INT64_MAX};
  bool isUnsigned = predicate == TILE_ULT || predicate == TILE_ULE;
  if (isUnsigned && c >= 0) promise.min = 0;
  switch (predicate) {
  case TILE_EQ:
    promise.min = promise.max = c;
    break;
  case TILE_ULT:
    if (c < 0) return;
    promise.max = axisMax(c - 1, 0);
    break;
  case TILE_ULE:
    if (c < 0) return;
    promise.max = c;
    break;
  case TILE_SLT:
    if (c == INT64_MIN) return;
    promise.max = c - 1;
    break;
  case TILE_SLE:
    promise.max = c;
    break;
  case TILE_SGT:
    if (c == INT64_MAX) return;
    promise.min = c + 1;
    break;
  case TILE_SGE:
    promise.min = c;
    break;
  default:
    return;
  }
  found(data, value, promise);
}

void axisPromisesOf(MlirValue condition, Found found, void *data) {
  MlirOperation both = definedBy(condition, "arith.andi");
  if (!mlirOperationIsNull(both)) {
    axisPromisesOf(tileOperand(both, 0), found, data);
    axisPromisesOf(tileOperand(both, 1), found, data);
    return;
  }
  MlirOperation compare = definedBy(condition, "arith.cmpi");
  if (mlirOperationIsNull(compare)) return;
  MlirValue lhs = tileOperand(compare, 0), rhs = tileOperand(compare, 1);
  int64_t predicate = tileIntAttr(compare, "predicate", -1), c;
  if (mlirValueIsAOpResult(lhs) && tileConstantInt(lhs, &c)) {
    MlirValue value = lhs;
    lhs = rhs;
    rhs = value;
    predicate = swapped(predicate);
  }
  if (axisTypeOf(mlirValueGetType(lhs)).width == 1 || !tileConstantInt(rhs, &c)) return;
  promiseBounds(predicate, lhs, c, found, data);
  if (predicate == TILE_EQ && c == 0) promiseDivisor(lhs, found, data);
}

/// A hint's number for dimension d; 0 where it has none.
static int64_t hintOf(MlirOperation op, const char *name, int rank, int d) {
  MlirAttribute attr = mlirOperationGetDiscardableAttributeByName(op, tileString(name));
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsADenseI64Array(attr) ||
      mlirDenseArrayGetNumElements(attr) != axisDims(rank))
    return 0;
  return mlirDenseI64ArrayGetElement(attr, d);
}

TileAxisInfo axisHint(TileAxisInfo info, AxisType type, MlirOperation op) {
  if (type.kind == AXIS_OTHER) return info;
  bool runs = false;
  for (int d = 0; d < axisDims(type.rank); ++d) {
    int64_t contiguity = hintOf(op, "tile.contiguity", type.rank, d);
    int64_t constancy = hintOf(op, "tile.constancy", type.rank, d);
    // A longer run begins where one of those known begins.
    if (contiguity > info.contiguity[d] && contiguity % info.contiguity[d] == 0)
      info.contiguity[d] = contiguity;
    if (constancy > info.constancy[d] && constancy % info.constancy[d] == 0)
      info.constancy[d] = constancy;
    runs |= info.contiguity[d] > 1;
  }
  for (int d = 0; d < axisDims(type.rank); ++d) {
    // Of a dimension without runs the number would speak of every element, those inside the runs of
    // another dimension, too.
    if (runs && info.contiguity[d] == 1) continue;
    info.divisibility[d] =
        axisMax(info.divisibility[d], hintOf(op, "tile.divisibility", type.rank, d));
  }
  return axisNormal(info, type);
}

TileAxisInfo axisRefine(TileAxisInfo info, AxisType type, AxisPromise promise) {
  if (type.kind != AXIS_INTEGER || type.rank != 0) return info;
  int64_t min = axisMax(info.min, promise.min), max = axisMin(info.max, promise.max);
  // Promises that contradict each other, or what is known, say nothing.
  if (min <= max) {
    info.min = min;
    info.max = max;
  }
  info.divisibility[0] = axisMax(info.divisibility[0], promise.divisibility);
  return axisNormal(info, type);
}
