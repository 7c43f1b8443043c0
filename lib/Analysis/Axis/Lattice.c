//===- Lattice.c - claims about a value, and how two of them meet ---------===//
//
// A claim (contiguity c, divisibility D) of a dimension speaks of the first
// values of runs of length c. Shorter runs have more first values, so cutting c
// to a divisor g costs divisibility: first + j*g is a multiple of gcd(D, g)
// only. Taking the gcd of both numbers apart would be wrong: 0 1 2 3 (4, 4)
// and 0 4 8 12 (1, 4) have (1, 1) in common, not (1, 4).
//
//===----------------------------------------------------------------------===//
#include "Axis.h"
#include <string.h>

AxisType axisTypeOf(MlirType type) {
  AxisType result = {.kind = AXIS_OTHER, .width = 64, .unit = 1, .extents = {1}};
  MlirType element = tileElementType(type);
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  if (rank < 0 || (mlirTypeIsAShaped(type) && !tileTypeIsTile(type))) return result;
  result.rank = rank;
  for (int d = 0; d < rank; ++d) {
    result.extents[d] = shape[d] > 0 ? shape[d] : 1;
    result.dynamic |= shape[d] < 0;
  }
  if (tileTypeIsAPtr(element)) {
    result.kind = AXIS_POINTER;
    result.unit = tileElementBytes(tilePtrTypeGetPointee(element));
  } else if (mlirTypeIsAIndex(element) ||
             (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) <= 64)) {
    result.kind = AXIS_INTEGER;
    result.width = tileBitWidth(element);
  }
  return result;
}

int64_t axisGcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

int64_t axisPowerOfTwoIn(int64_t x) {
  uint64_t bits = (uint64_t)x;
  bits &= ~bits + 1;
  return bits == 0 || bits > (uint64_t)AXIS_MAX_DIVISIBILITY ? AXIS_MAX_DIVISIBILITY
                                                             : (int64_t)bits;
}

int64_t axisTimes(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return AXIS_MAX_DIVISIBILITY;
  return axisMin(product, AXIS_MAX_DIVISIBILITY);
}

TileAxisInfo axisUnknown(AxisType type) {
  TileAxisInfo info = {.rank = type.rank, .min = INT64_MIN, .max = INT64_MAX};
  for (int d = 0; d < axisDims(type.rank); ++d)
    info.contiguity[d] = info.divisibility[d] = info.constancy[d] = 1;
  if (type.kind == AXIS_INTEGER) {
    info.min = axisTypeMin(type.width);
    info.max = axisTypeMax(type.width);
  }
  return info;
}

TileAxisInfo axisConstant(AxisType type, int64_t value) {
  TileAxisInfo info = axisUnknown(type);
  info.min = info.max = value;
  return axisNormal(info, type);
}

int64_t axisDivisorAt(const TileAxisInfo *info, AxisType type, int d, int64_t step) {
  int64_t run = info->contiguity[d];
  if (step % run == 0) return info->divisibility[d];
  // Such an element is a multiple of gcd(run, step) places behind the first of its run.
  int64_t places = axisPowerOfTwoIn(axisGcd(run, step));
  return axisMin(info->divisibility[d], axisTimes(places, type.unit));
}

int64_t axisDivisor(const TileAxisInfo *info, AxisType type) {
  int64_t best = 1;
  for (int d = 0; d < axisDims(type.rank); ++d)
    best = axisMax(best, axisDivisorAt(info, type, d, 1));
  return best;
}

/// Bounds of multiples of a divisor are multiples themselves.
static void tighten(TileAxisInfo *info, int64_t divisor) {
  int64_t above = info->max & (divisor - 1),
          below = (int64_t)(-(uint64_t)info->min & (uint64_t)(divisor - 1));
  int64_t max = info->max - above, min;
  if (__builtin_add_overflow(info->min, below, &min) || min > max) return;
  info->min = min;
  info->max = max;
}

TileAxisInfo axisNormal(TileAxisInfo info, AxisType type) {
  if (type.kind == AXIS_INTEGER && type.width > 1) tighten(&info, axisDivisor(&info, type));
  info.hasConstant = type.kind == AXIS_INTEGER && info.min == info.max;
  info.constant = info.hasConstant ? info.min : 0;
  bool isNumber = type.kind != AXIS_OTHER && type.width > 1;
  for (int d = 0; d < axisDims(type.rank); ++d) {
    if (info.hasConstant) {
      info.contiguity[d] = 1;
      info.divisibility[d] = axisPowerOfTwoIn(info.constant);
      info.constancy[d] = type.extents[d];
    }
    info.constancy[d] = axisGcd(info.constancy[d], type.extents[d]);
    int64_t run = axisGcd(info.contiguity[d], type.extents[d]);
    info.divisibility[d] = axisDivisorAt(&info, type, d, run);
    info.contiguity[d] = run;
    if (!isNumber) info.contiguity[d] = info.divisibility[d] = 1;
  }
  int64_t all = axisDivisor(&info, type);
  for (int d = 0; d < axisDims(type.rank); ++d)
    info.divisibility[d] = axisMax(info.divisibility[d], all);
  return info;
}

TileAxisInfo axisJoin(const TileAxisInfo *a, const TileAxisInfo *b, AxisType type) {
  TileAxisInfo info = axisUnknown(type);
  info.min = axisMin(a->min, b->min);
  info.max = axisMax(a->max, b->max);
  for (int d = 0; d < axisDims(type.rank); ++d) {
    int64_t run = axisGcd(a->contiguity[d], b->contiguity[d]);
    info.contiguity[d] = run;
    info.divisibility[d] = axisMin(axisDivisorAt(a, type, d, run), axisDivisorAt(b, type, d, run));
    info.constancy[d] = axisGcd(a->constancy[d], b->constancy[d]);
  }
  return axisNormal(info, type);
}

TileAxisInfo axisWiden(const TileAxisInfo *before, TileAxisInfo next, AxisType type) {
  TileAxisInfo limits = axisUnknown(type);
  if (next.min < before->min) next.min = next.min >= 0 ? 0 : limits.min;
  if (next.max > before->max) next.max = next.max <= 0 ? 0 : limits.max;
  return next;
}

bool axisEqual(const TileAxisInfo *a, const TileAxisInfo *b) {
  if (a->rank != b->rank || a->min != b->min || a->max != b->max ||
      a->hasConstant != b->hasConstant)
    return false;
  for (int d = 0; d < axisDims(a->rank); ++d)
    if (a->contiguity[d] != b->contiguity[d] || a->divisibility[d] != b->divisibility[d] ||
        a->constancy[d] != b->constancy[d])
      return false;
  return true;
}

TileAxisInfo axisWithoutWrap(TileAxisInfo info, AxisType type, bool isSigned) {
  // The run that wraps holds both the last value of the order and the first.
  bool reachesLast = isSigned ? info.max == axisTypeMax(type.width) : info.min < 0;
  bool reachesFirst = isSigned ? info.min == axisTypeMin(type.width) : info.max >= 0;
  if (!reachesLast || !reachesFirst || type.kind != AXIS_INTEGER) return info;
  for (int d = 0; d < axisDims(type.rank); ++d) {
    int64_t run = axisAlignedRun(&info, type, d);
    info.divisibility[d] = axisDivisorAt(&info, type, d, run);
    info.contiguity[d] = run;
  }
  return info;
}

int64_t axisAlignedRun(const TileAxisInfo *info, AxisType type, int d) {
  // 2^k numbers that start at a multiple of 2^k do not pass a multiple of 2^k; the orders wrap at
  // multiples of half the type.
  int64_t half = INT64_C(1) << axisMin(type.width - 1, 62);
  return axisMin(axisGcd(info->contiguity[d], info->divisibility[d]), half);
}
