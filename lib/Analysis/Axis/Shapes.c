//===- Shapes.c - transfer functions of shapes, constants and pointers ----===//
//
// Shape ops move runs from one dimension to another; a run never spans two
// dimensions of the result. What holds of all elements (divisors, ranges)
// survives any of them.
//
//===----------------------------------------------------------------------===//
#include "Axis.h"
#include <stdlib.h>

/// Unknown, but for what holds of every element of `a`.
static TileAxisInfo sameElements(AxisType type, const TileAxisInfo *a, int64_t divisor) {
  TileAxisInfo info = axisUnknown(type);
  for (int d = 0; d < axisDims(type.rank); ++d) info.divisibility[d] = divisor;
  info.min = a->min;
  info.max = a->max;
  return info;
}

static void copyAxis(TileAxisInfo *to, int i, const TileAxisInfo *from, int k) {
  to->contiguity[i] = from->contiguity[k];
  to->divisibility[i] = from->divisibility[k];
  to->constancy[i] = from->constancy[k];
}

TileAxisInfo axisArange(AxisType type) {
  TileAxisInfo info = axisUnknown(type);
  info.min = 0;
  if (type.dynamic) return info;
  info.max = type.extents[0] - 1;
  info.contiguity[0] = type.extents[0];
  info.divisibility[0] = AXIS_MAX_DIVISIBILITY;
  return axisNormal(info, type);
}

TileAxisInfo axisSplat(AxisType type, const TileAxisInfo *scalar) {
  TileAxisInfo info = sameElements(type, scalar, scalar->divisibility[0]);
  for (int d = 0; d < type.rank; ++d) info.constancy[d] = type.extents[d];
  return axisNormal(info, type);
}

TileAxisInfo axisExpandDims(AxisType type, const TileAxisInfo *a, int axis) {
  TileAxisInfo info = sameElements(type, a, 1);
  for (int d = 0, from = 0; d < type.rank; ++d)
    if (d != axis) copyAxis(&info, d, a, from++);
  return axisNormal(info, type);
}

TileAxisInfo axisBroadcast(AxisType type, AxisType from, const TileAxisInfo *a) {
  TileAxisInfo info = sameElements(type, a, 1);
  for (int d = 0; d < type.rank; ++d) {
    copyAxis(&info, d, a, d);
    if (from.extents[d] == 1) info.constancy[d] = type.extents[d];
  }
  return axisNormal(info, type);
}

TileAxisInfo axisTrans(AxisType type, const TileAxisInfo *a, const int order[TILE_MAX_RANK]) {
  TileAxisInfo info = sameElements(type, a, 1);
  for (int d = 0; d < type.rank; ++d) copyAxis(&info, d, a, order[d]);
  return axisNormal(info, type);
}

//===- reshape ------------------------------------------------------------===//

/// Dimensions [first, last) of a shape.
typedef struct {
  int first, last;
} Dims;

/// Runs of `dims` of `a` in row-major order, as the one dimension of the result.
static TileAxisInfo flatten(AxisType from, const TileAxisInfo *a, Dims dims) {
  TileAxisInfo flat = {.contiguity = {1}, .divisibility = {axisDivisor(a, from)}, .constancy = {1}};
  int64_t size = 1;
  for (int d = dims.last - 1; d >= dims.first; --d) {
    if (from.extents[d] == 1) continue;
    if (size == 1)
      copyAxis(&flat, 0, a, d);
    else if (flat.constancy[0] == size)
      flat.constancy[0] *= a->constancy[d];
    else
      break;
    size *= from.extents[d];
  }
  return flat;
}

/// Runs of a flat dimension, as `dims` of the result.
static void unflatten(TileAxisInfo *info, AxisType type, Dims dims, const TileAxisInfo *flat) {
  int64_t stride = 1;
  for (int d = dims.last - 1; d >= dims.first; --d) {
    int64_t extent = type.extents[d];
    if (stride == 1) {
      int64_t run = axisGcd(flat->contiguity[0], extent);
      info->divisibility[d] = axisDivisorAt(flat, type, 0, run);
      info->contiguity[d] = run;
      info->constancy[d] = axisGcd(flat->constancy[0], extent);
    } else if (flat->constancy[0] % stride == 0) {
      info->constancy[d] = axisGcd(flat->constancy[0] / stride, extent);
    }
    stride *= extent;
  }
}

/// The next dimensions of both shapes with as many elements; false at the end, or where there are
/// none.
static bool nextGroups(AxisType from, AxisType type, Dims *source, Dims *target) {
  source->first = source->last;
  target->first = target->last;
  if (source->last == from.rank || target->last == type.rank) return false;
  int64_t left = from.extents[source->last++], right = type.extents[target->last++];
  while (left != right) {
    if (left < right && source->last < from.rank)
      left *= from.extents[source->last++];
    else if (right < left && target->last < type.rank)
      right *= type.extents[target->last++];
    else
      return false;
  }
  return true;
}

TileAxisInfo axisReshape(AxisType type, AxisType from, const TileAxisInfo *a) {
  TileAxisInfo info = sameElements(type, a, axisDivisor(a, from));
  if (type.dynamic || from.dynamic) return axisNormal(info, type);
  Dims source = {0, 0}, target = {0, 0};
  while (nextGroups(from, type, &source, &target)) {
    TileAxisInfo flat = flatten(from, a, source);
    unflatten(&info, type, target, &flat);
  }
  return axisNormal(info, type);
}

//===- several tiles ------------------------------------------------------===//

TileAxisInfo axisJoinTiles(AxisType type, AxisType from, const TileAxisInfo *a,
                           const TileAxisInfo *b) {
  TileAxisInfo both = axisJoin(a, b, from);
  TileAxisInfo info = sameElements(type, &both, axisDivisor(&both, from));
  for (int d = 0; d < type.rank - 1; ++d) copyAxis(&info, d, &both, d);
  return axisNormal(info, type);
}

TileAxisInfo axisSplitTile(AxisType type, const TileAxisInfo *a) {
  TileAxisInfo info =
      sameElements(type, a, a->contiguity[a->rank - 1] == 1 ? a->divisibility[a->rank - 1] : 1);
  for (int d = 0; d < type.rank; ++d) copyAxis(&info, d, a, d);
  return axisNormal(info, type);
}

TileAxisInfo axisCat(AxisType type, AxisType lhs, const TileAxisInfo *a, AxisType rhs,
                     const TileAxisInfo *b, int axis) {
  // Runs of both that divide both extents; behind the seam they start where their own do.
  AxisType common = type;
  common.extents[axis] = axisGcd(lhs.extents[axis], rhs.extents[axis]);
  common.dynamic = type.dynamic || lhs.dynamic || rhs.dynamic;
  if (common.dynamic) common.extents[axis] = 1;
  TileAxisInfo both = axisJoin(a, b, common);
  return axisNormal(both, type);
}

//===- constants ----------------------------------------------------------===//

/// Element `i` of a dense attribute of integers.
static int64_t denseValue(AxisType type, bool isIndex, MlirAttribute dense, intptr_t i) {
  if (isIndex) return (int64_t)mlirDenseElementsAttrGetIndexValue(dense, i);
  switch (type.width) {
  case 1:
    return mlirDenseElementsAttrGetBoolValue(dense, i);
  case 8:
    return mlirDenseElementsAttrGetInt8Value(dense, i);
  case 16:
    return mlirDenseElementsAttrGetInt16Value(dense, i);
  case 32:
    return mlirDenseElementsAttrGetInt32Value(dense, i);
  default:
    return mlirDenseElementsAttrGetInt64Value(dense, i);
  }
}

/// A run length is possible if no run holds a place where the pattern breaks: every such place, and
/// the extent, is a multiple of it.
static void measure(TileAxisInfo *info, AxisType type, const int64_t *values, int64_t count,
                    int d) {
  int64_t stride = 1, extent = type.extents[d];
  for (int k = d + 1; k < type.rank; ++k) stride *= type.extents[k];
  int64_t steps = extent, equal = extent;
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = i / stride % extent;
    if (at == 0) continue;
    uint64_t before = (uint64_t)values[i - stride], value = (uint64_t)values[i];
    if (axisWrap(before + 1, type.width) != values[i]) steps = axisGcd(steps, at);
    if (before != value) equal = axisGcd(equal, at);
  }
  int64_t firsts = 0;
  for (int64_t i = 0; i < count; ++i)
    if (i / stride % extent % steps == 0) firsts |= values[i];
  info->contiguity[d] = steps;
  info->constancy[d] = equal;
  info->divisibility[d] = axisPowerOfTwoIn(firsts);
}

/// Tiles written out element by element are small; larger ones are left alone.
#define MAX_MEASURED 65536

TileAxisInfo axisConstantOp(AxisType type, MlirAttribute value) {
  TileAxisInfo info = axisUnknown(type);
  if (mlirAttributeIsAInteger(value) && type.kind == AXIS_INTEGER)
    return axisConstant(type, axisWrap((uint64_t)mlirIntegerAttrGetValueInt(value), type.width));
  if (!mlirAttributeIsADenseElements(value) || type.dynamic) return info;
  bool isSplat = mlirDenseElementsAttrIsSplat(value);
  if (type.kind != AXIS_INTEGER) {
    for (int d = 0; isSplat && d < type.rank; ++d) info.constancy[d] = type.extents[d];
    return info;
  }
  MlirType element = tileElementType(mlirAttributeGetType(value));
  bool isIndex = mlirTypeIsAIndex(element);
  if (isSplat) {
    MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(value);
    return axisConstant(type, axisWrap((uint64_t)mlirIntegerAttrGetValueInt(splat), type.width));
  }
  bool isRead = type.width == 1 || type.width == 8 || type.width == 16 || type.width == 32 ||
                type.width == 64;
  int64_t count = mlirElementsAttrGetNumElements(value);
  int64_t *values =
      isRead && count > 0 && count <= MAX_MEASURED ? malloc((size_t)count * sizeof *values) : NULL;
  if (!values) return info;
  info.min = INT64_MAX;
  info.max = INT64_MIN;
  for (int64_t i = 0; i < count; ++i) {
    values[i] = denseValue(type, isIndex, value, i);
    info.min = axisMin(info.min, values[i]);
    info.max = axisMax(info.max, values[i]);
  }
  for (int d = 0; d < type.rank; ++d) measure(&info, type, values, count, d);
  free(values);
  return axisNormal(info, type);
}

//===- pointers -----------------------------------------------------------===//

TileAxisInfo axisAddPtr(AxisType type, AxisType offsets, const TileAxisInfo *pointers,
                        const TileAxisInfo *offset) {
  if (offset->hasConstant && offset->constant == 0) return *pointers;
  // Offsets of 32 bits are extended before they are added.
  TileAxisInfo o = axisWithoutWrap(*offset, offsets, true);
  TileAxisInfo info = axisUnknown(type);
  for (int d = 0; d < axisDims(type.rank); ++d) {
    int64_t run = axisMax(axisGcd(pointers->contiguity[d], o.constancy[d]),
                          axisGcd(pointers->constancy[d], o.contiguity[d]));
    int64_t bytes = axisTimes(axisDivisorAt(&o, offsets, d, run), type.unit);
    info.contiguity[d] = run;
    info.divisibility[d] = axisMin(axisDivisorAt(pointers, type, d, run), bytes);
    info.constancy[d] = axisGcd(pointers->constancy[d], o.constancy[d]);
  }
  return axisNormal(info, type);
}

TileAxisInfo axisPtrCast(AxisType type, AxisType from, const TileAxisInfo *source) {
  TileAxisInfo info = axisUnknown(type);
  bool same = type.unit == from.unit;
  for (int d = 0; d < axisDims(type.rank); ++d) {
    info.contiguity[d] = same ? source->contiguity[d] : 1;
    info.divisibility[d] = axisDivisorAt(source, from, d, info.contiguity[d]);
    info.constancy[d] = source->constancy[d];
  }
  return axisNormal(info, type);
}
