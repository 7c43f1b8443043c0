//===- Arithmetic.c - transfer functions of arith -------------------------===//
//
// Everything rests on one picture. Along a dimension let x run through g
// consecutive numbers that start at a multiple of g = 2^k, and let d be one
// number, itself a multiple of g. Between two neighbouring multiples of g
// nothing of d's lies, so over the whole run
//
//     x < d, x >= d     are constant
//     x / d, x & d      are constant  (division that rounds down)
//     x % d             steps by 1    (x >= 0)
//
// which is how Triton's AxisInfo reasons about masks and quotients.
//
//===----------------------------------------------------------------------===//
#include "Axis.h"

/// Length of runs where `x` is as in the picture above and `d` one multiple of that length.
static int64_t pictureRun(const TileAxisInfo *x, const TileAxisInfo *d, AxisType type, int dim) {
  if (d->contiguity[dim] != 1) return 1;
  int64_t multiple = axisGcd(d->constancy[dim], d->divisibility[dim]);
  return axisGcd(axisAlignedRun(x, type, dim), multiple);
}

/// Is `info` one power of two, or its negative? (The lowest of 64 bits is none.)
static bool isPowerOfTwo(const TileAxisInfo *info) {
  if (!info->hasConstant || info->constant == 0) return false;
  int64_t c = info->constant;
  return c > 0 ? (c & (c - 1)) == 0 : c != INT64_MIN && (-c & (-c - 1)) == 0;
}

static bool isConstant(const TileAxisInfo *info, int64_t value) {
  return info->hasConstant && info->constant == value;
}

/// Does one of the operands pass through unchanged? Returns it, or NULL.
static const TileAxisInfo *passesThrough(AxisBinary op, AxisType type, const TileAxisInfo *a,
                                         const TileAxisInfo *b) {
  bool nonNegative = a->min >= 0 && b->min >= 0;
  switch (op) {
  case AXIS_ADD:
  case AXIS_OR:
  case AXIS_XOR:
    if (isConstant(a, 0)) return b;
    return isConstant(b, 0) ? a : NULL;
  case AXIS_SUB:
  case AXIS_SHL:
  case AXIS_SHRS:
  case AXIS_SHRU:
    return isConstant(b, 0) ? a : NULL;
  case AXIS_MUL:
    if (isConstant(a, 1)) return b;
    return isConstant(b, 1) ? a : NULL;
  case AXIS_DIVS:
  case AXIS_DIVU:
  case AXIS_CEILDIVS:
  case AXIS_CEILDIVU:
  case AXIS_FLOORDIVS:
    return isConstant(b, 1) && type.width > 1 ? a : NULL;
  case AXIS_REMS:
  case AXIS_REMU:
    return nonNegative && a->max < b->min ? a : NULL;
  case AXIS_AND:
    if (isConstant(b, type.width == 1 ? 1 : -1)) return a;
    if (isConstant(a, type.width == 1 ? 1 : -1)) return b;
    return nonNegative && b->hasConstant && (b->constant & (b->constant + 1)) == 0 &&
                   a->max <= b->constant
               ? a
               : NULL;
  case AXIS_MINU:
  case AXIS_MAXU:
  case AXIS_MINS:
  case AXIS_MAXS: {
    bool isMin = op == AXIS_MINS || op == AXIS_MINU;
    bool isSigned = op == AXIS_MINS || op == AXIS_MAXS;
    if (type.width == 1 || (!isSigned && !nonNegative)) return NULL;
    if (a->max <= b->min) return isMin ? a : b;
    if (b->max <= a->min) return isMin ? b : a;
    return NULL;
  }
  }
  return NULL;
}

/// One dimension of a result.
typedef struct {
  int64_t contiguity, divisibility, constancy;
} Axis;

static Axis sumAxis(AxisBinary op, AxisType type, const TileAxisInfo *a, const TileAxisInfo *b,
                    int d) {
  Axis axis = {1, 1, axisGcd(a->constancy[d], b->constancy[d])};
  axis.contiguity = axisGcd(a->contiguity[d], b->constancy[d]);
  if (op == AXIS_ADD)
    axis.contiguity = axisMax(axis.contiguity, axisGcd(a->constancy[d], b->contiguity[d]));
  axis.divisibility = axisMin(axisDivisorAt(a, type, d, axis.contiguity),
                              axisDivisorAt(b, type, d, axis.contiguity));
  return axis;
}

/// Quotients that round down are constant over a run; exact ones keep what is left of a divisor.
static Axis quotientAxis(AxisBinary op, AxisType type, const TileAxisInfo *a, const TileAxisInfo *b,
                         int d) {
  Axis axis = {1, 1, axisGcd(a->constancy[d], b->constancy[d])};
  bool roundsDown =
      op == AXIS_DIVU || (op == AXIS_DIVS && a->min >= 0) || (op == AXIS_FLOORDIVS && b->min > 0);
  if (roundsDown) axis.constancy = axisMax(axis.constancy, pictureRun(a, b, type, d));
  bool isUnsigned = op == AXIS_DIVU || op == AXIS_CEILDIVU;
  if (isPowerOfTwo(b) && (!isUnsigned || b->constant > 0)) {
    int64_t by = axisPowerOfTwoIn(b->constant), of = axisDivisor(a, type);
    if (of >= by) axis.divisibility = of / by;
  }
  return axis;
}

static Axis remainderAxis(AxisBinary op, AxisType type, const TileAxisInfo *a,
                          const TileAxisInfo *b, int d) {
  Axis axis = {1, 1, axisGcd(a->constancy[d], b->constancy[d])};
  if (op == AXIS_REMU || a->min >= 0) axis.contiguity = pictureRun(a, b, type, d);
  axis.divisibility = axisMin(axisDivisorAt(a, type, d, axis.contiguity),
                              axisDivisorAt(b, type, d, axis.contiguity));
  return axis;
}

static Axis shiftAxis(AxisBinary op, AxisType type, const TileAxisInfo *a, const TileAxisInfo *b,
                      int d) {
  Axis axis = {1, 1, axisGcd(a->constancy[d], b->constancy[d])};
  int64_t of = axisDivisor(a, type);
  int64_t by = b->min >= 0 && b->min < 62 ? INT64_C(1) << b->min : 1;
  if (op == AXIS_SHL) {
    axis.divisibility = axisTimes(of, by);
  } else if (b->hasConstant && b->constant >= 0 && b->constant < type.width) {
    axis.constancy = axisMax(axis.constancy, axisGcd(axisAlignedRun(a, type, d), by));
    if (by > 1 && of >= by) axis.divisibility = of / by;
  }
  return axis;
}

static Axis andAxis(AxisType type, const TileAxisInfo *a, const TileAxisInfo *b, int d) {
  Axis axis = {1, 1, axisGcd(a->constancy[d], b->constancy[d])};
  axis.constancy = axisMax(axis.constancy, pictureRun(a, b, type, d));
  axis.constancy = axisMax(axis.constancy, pictureRun(b, a, type, d));
  // x & (2^k - 1) is an unsigned x % 2^k.
  if (b->hasConstant && b->constant >= 0 && (b->constant & (b->constant + 1)) == 0)
    axis.contiguity =
        axisGcd(axisAlignedRun(a, type, d), axisPowerOfTwoIn((int64_t)((uint64_t)b->constant + 1)));
  axis.divisibility = axisMax(axisDivisorAt(a, type, d, axis.contiguity),
                              axisDivisorAt(b, type, d, axis.contiguity));
  return axis;
}

static Axis axisOf(AxisBinary op, AxisType type, const TileAxisInfo *a, const TileAxisInfo *b,
                   int d) {
  Axis axis = {1, 1, axisGcd(a->constancy[d], b->constancy[d])};
  switch (op) {
  case AXIS_ADD:
  case AXIS_SUB:
    return sumAxis(op, type, a, b, d);
  case AXIS_MUL:
    axis.divisibility = axisTimes(axisDivisor(a, type), axisDivisor(b, type));
    return axis;
  case AXIS_DIVS:
  case AXIS_DIVU:
  case AXIS_CEILDIVS:
  case AXIS_CEILDIVU:
  case AXIS_FLOORDIVS:
    return quotientAxis(op, type, a, b, d);
  case AXIS_REMS:
  case AXIS_REMU:
    return remainderAxis(op, type, a, b, d);
  case AXIS_SHL:
  case AXIS_SHRS:
  case AXIS_SHRU:
    return shiftAxis(op, type, a, b, d);
  case AXIS_AND:
    return andAxis(type, a, b, d);
  case AXIS_OR:
  case AXIS_XOR:
  case AXIS_MINS:
  case AXIS_MAXS:
  case AXIS_MINU:
  case AXIS_MAXU:
    axis.divisibility = axisMin(axisDivisor(a, type), axisDivisor(b, type));
    return axis;
  }
  return axis;
}

/// Have `a` and `b` no bit in common, b being below all of a's bits?
static bool liesBelow(const TileAxisInfo *b, const TileAxisInfo *a, AxisType type) {
  return b->min >= 0 && b->max < axisDivisor(a, type);
}

TileAxisInfo axisBinary(AxisBinary op, AxisType type, const TileAxisInfo *a,
                        const TileAxisInfo *b) {
  int64_t value;
  if (type.kind != AXIS_INTEGER) return axisUnknown(type);
  if (a->hasConstant && b->hasConstant &&
      axisFold(op, type.width, a->constant, b->constant, &value))
    return axisConstant(type, value);
  const TileAxisInfo *same = passesThrough(op, type, a, b);
  if (same) return *same;
  if ((op == AXIS_OR || op == AXIS_XOR) && (liesBelow(a, b, type) || liesBelow(b, a, type)))
    return axisBinary(AXIS_ADD, type, a, b);
  bool isRemainder = op == AXIS_REMS || (op == AXIS_REMU && b->min > 0);
  if (isRemainder && isPowerOfTwo(b) && type.width > 1 &&
      axisDivisor(a, type) >= axisPowerOfTwoIn(b->constant))
    return axisConstant(type, 0);

  TileAxisInfo info = axisUnknown(type);
  for (int d = 0; d < axisDims(type.rank); ++d) {
    Axis axis = axisOf(op, type, a, b, d);
    info.contiguity[d] = axis.contiguity;
    info.divisibility[d] = axis.divisibility;
    info.constancy[d] = axis.constancy;
  }
  axisFoldRange(op, type.width, a, b, &info.min, &info.max);
  return axisNormal(info, type);
}

TileAxisInfo axisCompare(int predicate, AxisType type, AxisType operands, const TileAxisInfo *a,
                         const TileAxisInfo *b) {
  TileAxisInfo info = axisUnknown(type);
  bool isOrder = predicate != TILE_EQ && predicate != TILE_NE;
  if (operands.kind == AXIS_INTEGER && !(isOrder && operands.width == 1)) {
    int known = axisCompareRanges(predicate, a, b);
    if (known >= 0) return axisConstant(type, known);
  }
  bool leftRuns = predicate == TILE_SLT || predicate == TILE_SGE || predicate == TILE_ULT ||
                  predicate == TILE_UGE;
  for (int d = 0; d < axisDims(type.rank); ++d) {
    int64_t run = axisGcd(a->constancy[d], b->constancy[d]);
    if (isOrder && operands.kind == AXIS_INTEGER)
      run = axisMax(run, leftRuns ? pictureRun(a, b, operands, d) : pictureRun(b, a, operands, d));
    info.constancy[d] = run;
  }
  return axisNormal(info, type);
}

TileAxisInfo axisSelect(AxisType type, AxisType conditionType, const TileAxisInfo *condition,
                        const TileAxisInfo *yes, const TileAxisInfo *no) {
  if (condition->hasConstant) return condition->constant ? *yes : *no;
  TileAxisInfo info = axisUnknown(type);
  info.min = axisMin(yes->min, no->min);
  info.max = axisMax(yes->max, no->max);
  for (int d = 0; d < axisDims(type.rank); ++d) {
    // Over so many coordinates one side is taken as a whole.
    int64_t whole = conditionType.rank == 0 ? type.extents[d] : condition->constancy[d];
    int64_t run = axisGcd(axisGcd(yes->contiguity[d], no->contiguity[d]), whole);
    info.contiguity[d] = run;
    info.divisibility[d] =
        axisMin(axisDivisorAt(yes, type, d, run), axisDivisorAt(no, type, d, run));
    info.constancy[d] = axisGcd(axisGcd(yes->constancy[d], no->constancy[d]), whole);
  }
  return axisNormal(info, type);
}

/// Bounds of `a` in a wider type.
static void extendRange(TileAxisInfo *info, AxisType from, bool isSigned, const TileAxisInfo *a) {
  if (from.width == 1 && isSigned) { // true is -1
    info->min = -a->max;
    info->max = -a->min;
  } else if (isSigned || a->min >= 0) {
    info->min = a->min;
    info->max = a->max;
  } else if (from.width > 62) {
    info->min = 0;
  } else {
    int64_t values = INT64_C(1) << from.width;
    info->min = a->max < 0 ? a->min + values : 0;
    info->max = a->max < 0 ? a->max + values : values - 1;
  }
}

TileAxisInfo axisCast(AxisType to, AxisType from, bool isSigned, const TileAxisInfo *a) {
  TileAxisInfo info = axisUnknown(to);
  if (to.kind != AXIS_INTEGER || from.kind != AXIS_INTEGER) return info;
  if (to.width < from.width && a->hasConstant)
    return axisConstant(to, axisWrap((uint64_t)a->constant, to.width));
  TileAxisInfo source = to.width > from.width ? axisWithoutWrap(*a, from, isSigned) : *a;
  for (int d = 0; d < axisDims(to.rank); ++d) {
    info.contiguity[d] = source.contiguity[d];
    info.divisibility[d] = source.divisibility[d];
    info.constancy[d] = source.constancy[d];
  }
  if (to.width > from.width)
    extendRange(&info, from, isSigned, a);
  else if (a->min >= info.min && a->max <= info.max) {
    info.min = a->min;
    info.max = a->max;
  }
  return axisNormal(info, to);
}
