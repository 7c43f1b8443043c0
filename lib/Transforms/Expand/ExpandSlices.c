//===- ExpandSlices.c - parts of tiles ------------------------------------===//
//
// Layouts are linear over bits, and a half of a tile is what one bit says. So a part whose extent
// is a power of two, as is the whole, and that begins at a multiple of it, is a half of a half:
//
// Before:  %r = tile.slice %x[0, 32] : tensor<16x64xf16> -> tensor<16x32xf16>
// After:   %a = tile.reshape %x : -> tensor<16x2x32xf16>
//          %b = tile.trans %a order [0, 2, 1] : -> tensor<16x32x2xf16>
//          %left, %r = tile.split %b
//
// which moves nothing where one thread holds both halves. Any other part is picked element by
// element:
//
// Before:  %r = tile.slice %x[10] : tensor<96xf16> -> tensor<40xf16>
// After:   %i = 10 + arange : tensor<40xi32>
//          %r = tile.gather %x, %i axis 0
//
// Of a sort whose first elements alone are taken, at most half, no more are sorted:
//
// Before:  %s = tile.sort %x axis 0 : tensor<4096xf32>
//          %r = tile.slice %s[0] : tensor<4096xf32> -> tensor<64xf32>
// After:   %r = tile.partial_sort %x axis 0 : (tensor<4096xf32>) -> tensor<64xf32>
//
// Requires: bound extents (tile-specialize).  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "tile/Passes.h"
#include "tile/Patterns.h"
#include "tile/Support/Bits.h"

typedef struct {
  int rank;
  int64_t extent[TILE_MAX_RANK];
} Shape;

static MlirType withShape(MlirType element, const Shape *shape) {
  return mlirRankedTensorTypeGet(shape->rank, shape->extent, element, mlirAttributeGetNull());
}

/// The lower or upper half of dimension `d`.
static MlirValue halve(TileBuilder *b, MlirValue x, Shape *shape, int d, bool upper) {
  MlirType element = tileElementType(mlirValueGetType(x));
  Shape wide = {.rank = shape->rank + 1}, turned = {.rank = shape->rank + 1};
  int32_t order[TILE_MAX_RANK];
  shape->extent[d] /= 2;
  for (int i = 0; i < shape->rank; ++i) {
    wide.extent[i < d ? i : i + 1] = turned.extent[i] = shape->extent[i];
    order[i] = i < d ? i : i + 1;
  }
  wide.extent[d] = turned.extent[shape->rank] = 2;
  order[shape->rank] = d;
  x = tileBuildUnary(b, "tile.reshape", withShape(element, &wide), x);
  MlirType type = withShape(element, &turned);
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, turned.rank, order);
  x = tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(x), 1, &type, TILE_ATTRS({"order", attr}), 0));
  MlirType half = withShape(element, shape), types[] = {half, half};
  MlirOperation split = tileBuildOp(b, "tile.split", TILE_VALUES(x), 2, types, TILE_NONE, 0);
  return mlirOperationGetResult(split, upper);
}

/// Elements `offset` to `offset` + `extent` of dimension `d`, by their numbers.
static MlirValue pick(TileBuilder *b, MlirValue x, Shape *shape, int d, int64_t offset,
                      int64_t extent) {
  MlirType element = tileElementType(mlirValueGetType(x)), i32 = tileI32(b->context);
  Shape line = {.rank = 1, .extent = {extent}}, column = {.rank = shape->rank};
  shape->extent[d] = extent;
  for (int i = 0; i < shape->rank; ++i) column.extent[i] = i == d ? extent : 1;
  MlirType lineType = withShape(i32, &line);
  MlirValue at = tileBuild(b, "tile.arange", lineType, TILE_NONE);
  MlirValue first = tileBuildInt(b, lineType, offset);
  at = tileBuildBinary(b, "arith.addi", at, first);
  if (shape->rank > 1) {
    at = tileBuildUnary(b, "tile.reshape", withShape(i32, &column), at);
    at = tileBuildUnary(b, "tile.broadcast", withShape(i32, shape), at);
  }
  MlirType type = withShape(element, shape);
  MlirAttribute axis = mlirIntegerAttrGet(i32, d);
  return tileResult(
      tileBuildOp(b, "tile.gather", TILE_VALUES(x, at), 1, &type, TILE_ATTRS({"axis", axis}), 0));
}

static bool expandSlice(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirValue x = tileSliceGetSource(op);
  Shape shape = {0}, part = {0};
  shape.rank = tileShape(mlirValueGetType(x), shape.extent);
  part.rank = tileShape(mlirValueGetType(tileResult(op)), part.extent);
  for (int d = 0; d < shape.rank; ++d)
    if (shape.extent[d] < 0 || tileSliceOffset(op, d) < 0) return false;
  for (int d = 0; d < shape.rank; ++d) {
    int64_t extent = part.extent[d];
    int64_t offset = tileSliceOffset(op, d);
    if (extent == shape.extent[d]) continue;
    bool isAligned =
        tileIsPowerOfTwo(extent) && tileIsPowerOfTwo(shape.extent[d]) && offset % extent == 0;
    if (!isAligned || shape.rank == TILE_MAX_RANK) {
      x = pick(b, x, &shape, d, offset, extent);
      continue;
    }
    while (shape.extent[d] > extent) {
      int64_t half = shape.extent[d] / 2;
      bool upper = offset >= half;
      x = halve(b, x, &shape, d, upper);
      offset -= upper ? half : 0;
    }
  }
  results[0] = x;
  return true;
}

//===- sorts --------------------------------------------------------------===//

/// How many of the first elements along `axis` the slice takes; 0 where it takes others, or not all
/// of another dimension.
static int64_t firstTaken(MlirOperation op, int axis) {
  int64_t from[TILE_MAX_RANK], to[TILE_MAX_RANK];
  if (!tileOpIsASlice(op)) return 0;
  int rank = tileShape(mlirValueGetType(tileSliceGetSource(op)), from);
  tileShape(mlirValueGetType(tileResult(op)), to);
  for (int d = 0; d < rank; ++d)
    if (tileSliceOffset(op, d) != 0 || to[d] < 0 || (d != axis && to[d] != from[d])) return 0;
  return to[axis];
}

/// The most that slices take of the sort's results along the axis; 0 where something else does, or
/// nothing.
static int64_t mostTaken(MlirOperation sort) {
  int64_t most = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(sort); ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(sort, i));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      int64_t taken = firstTaken(mlirOpOperandGetOwner(use), (int)tileSortGetAxis(sort));
      if (!taken) return 0;
      if (taken > most) most = taken;
    }
  }
  return most;
}

static bool sortPart(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  enum { mostResults = 16 };
  int64_t kept = mostTaken(op);
  intptr_t count = mlirOperationGetNumResults(op);
  int axis = (int)tileSortGetAxis(op);
  MlirType types[mostResults];
  MlirValue sources[mostResults];
  if (!kept || count > mostResults) return false;
  for (intptr_t i = 0; i < count; ++i) {
    Shape shape = {0};
    sources[i] = tileSortGetSources(op, i);
    MlirType type = mlirValueGetType(sources[i]);
    shape.rank = tileShape(type, shape.extent);
    if (shape.extent[axis] < 2 * kept) return false;
    shape.extent[axis] = kept;
    types[i] = withShape(tileElementType(type), &shape);
  }
  MlirAttribute at = mlirIntegerAttrGet(tileI32(b->context), axis);
  TileNamedAttr attrs[] = {{"axis", at}, {"descending", tileAttr(op, "descending")}};
  MlirOperation part = tileBuildOp(b, "tile.partial_sort", count, sources, count, types,
                                   tileSortGetDescending(op) ? 2 : 1, attrs, 0);
  for (intptr_t i = 0; i < count; ++i) results[i] = mlirOperationGetResult(part, i);
  return true;
}

MlirLogicalResult tileRunExpandSlices(MlirOperation func) {
  static const TilePattern sorts[] = {{"tile.sort", sortPart}};
  static const TilePattern patterns[] = {{"tile.slice", expandSlice}};
  tileApplyPatterns(func, TILE_PATTERNS(sorts), NULL);
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
