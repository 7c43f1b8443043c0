//===- PadShape.c - changes of shape that padding would come in between ---===//
//
// Rows of 10 that become one row of 30 leave gaps in the padded row of 16 after 16 after 16. The
// element that belongs at a position is then picked by its index:
//
//   %f = tile.reshape %x : tensor<4x16xT> -> tensor<64xT>            as it lies
//   %i = 16 * (lane / 10) + lane % 10 : tensor<32xi32>               where it should come from
//   %r = tile.gather %f, %i axis 0 : -> tensor<32xT>
//
// Merging and splitting extents moves nothing where only the leading one of each group is padded:
// 48 is 3 x 16, and 64 is 4 x 16.
//
//===----------------------------------------------------------------------===//
#include "PadExtents.h"

static MlirType lineType(int64_t extent, MlirType element) {
  return mlirRankedTensorTypeGet(1, &extent, element, mlirAttributeGetNull());
}

static MlirValue gather(TileBuilder *b, MlirType type, MlirValue source, MlirValue indices,
                        int axis) {
  MlirAttribute attr = mlirIntegerAttrGet(tileI32(b->context), axis);
  return tileResult(tileBuildOp(b, "tile.gather", TILE_VALUES(source, indices), 1, &type,
                                TILE_ATTRS({"axis", attr}), 0));
}

static MlirValue reshape(TileBuilder *b, MlirType type, MlirValue tile) {
  if (mlirTypeEqual(type, padType(mlirValueGetType(tile)))) return tile;
  return tileBuildUnary(b, "tile.reshape", type, tile);
}

//===- reshape ------------------------------------------------------------===//

/// Do the padded tiles, too, hold the same elements in row-major order? Walks both from the fastest
/// dimension, group by group of equal products: within a group only the leading extent may be
/// padded, on each side.
static bool keepsOrder(PadShape a, PadShape b) {
  int i = a.rank - 1, j = b.rank - 1;
  int64_t left = 1, right = 1;
  while (i >= 0 || j >= 0) {
    bool takeLeft = j < 0 || (i >= 0 && left <= right);
    int64_t extent = takeLeft ? a.extent[i--] : b.extent[j--];
    int64_t *product = takeLeft ? &left : &right;
    if (extent != 1 && !padIsPowerOfTwo(*product)) return false;
    *product *= extent;
    if (left == right) left = right = 1;
  }
  return true;
}

/// Of each number in `positions` (row-major in the padded `shape`): its number without padding.
static MlirValue withoutPadding(TileBuilder *b, MlirValue positions, PadShape shape) {
  MlirValue sum = tileBuildInt(b, mlirValueGetType(positions), 0), rest = positions;
  int64_t stride = 1;
  for (int d = shape.rank; d-- > 0; stride *= shape.extent[d]) {
    int64_t padded = tilePadExtent(shape.extent[d]);
    if (padded == 1) continue;
    MlirValue at = tileBuildWithInt(b, "arith.andi", rest, padded - 1);
    rest = tileBuildWithInt(b, "arith.shrui", rest, __builtin_ctzll((unsigned long long)padded));
    at = tileBuildWithInt(b, "arith.muli", at, stride);
    sum = tileBuildBinary(b, "arith.addi", sum, at);
  }
  return sum;
}

/// The inverse: the place in the padded `shape` of each number. Numbers of no element go anywhere.
static MlirValue withPadding(TileBuilder *b, MlirValue numbers, PadShape shape) {
  MlirValue sum = tileBuildInt(b, mlirValueGetType(numbers), 0), rest = numbers;
  int64_t stride = 1;
  for (int d = shape.rank; d-- > 0; stride *= tilePadExtent(shape.extent[d])) {
    if (shape.extent[d] == 1) continue;
    MlirValue at = tileBuildWithInt(b, "arith.remui", rest, shape.extent[d]);
    rest = tileBuildWithInt(b, "arith.divui", rest, shape.extent[d]);
    at = tileBuildWithInt(b, "arith.muli", at, stride);
    sum = tileBuildBinary(b, "arith.addi", sum, at);
  }
  return sum;
}

void padReshape(MlirOperation op) {
  MlirValue source = tileReshapeGetSource(op);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(tileResult(op));
  MlirType element = tileElementType(from);
  PadShape a = padShapeOf(from), r = padShapeOf(to);
  if ((!padDims(from) && !padDims(to)) || keepsOrder(a, r)) return;
  TileBuilder b = tileBuilderBefore(op);
  int64_t have = tileNumElements(padType(from)), want = tileNumElements(padType(to));
  MlirValue flat = reshape(&b, lineType(have, element), source);
  MlirValue lane = tileBuild(&b, "tile.arange", lineType(want, tileI32(b.context)), TILE_NONE);
  MlirValue number = withoutPadding(&b, lane, r);
  MlirValue index = withPadding(&b, number, a);
  MlirValue picked = gather(&b, lineType(want, element), flat, index, 0);
  MlirValue result = reshape(&b, padType(to), picked);
  tileReplaceOp(op, TILE_VALUES(result));
}

//===- cat ----------------------------------------------------------------===//

/// result[i] = i < n ? lhs[i] : rhs[i - n]; tiles of one extent that needs no padding stay.
void padCat(MlirOperation op) {
  MlirValue lhs = tileCatGetLhs(op), rhs = tileCatGetRhs(op);
  MlirType type = padType(mlirValueGetType(tileResult(op)));
  int axis = (int)tileCatGetAxis(op);
  PadShape left = padShapeOf(mlirValueGetType(lhs)), right = padShapeOf(mlirValueGetType(rhs));
  int64_t n = left.extent[axis];
  if (n == right.extent[axis] && padIsPowerOfTwo(n)) return;
  TileBuilder b = tileBuilderBefore(op);
  PadShape whole = padShapeOf(mlirValueGetType(tileResult(op)));
  MlirValue at = padCoordinate(&b, whole, axis);
  MlirValue first = tileBuildInt(&b, mlirValueGetType(at), n);
  MlirValue isLeft = tileBuildCmpi(&b, TILE_ULT, at, first);
  MlirValue leftAt = tileBuildWithInt(&b, "arith.minui", at, n - 1);
  MlirValue rightAt = tileBuildBinary(&b, "arith.subi", at, first);
  MlirValue zero = tileBuildInt(&b, mlirValueGetType(at), 0);
  rightAt = tileBuildSelect(&b, isLeft, zero, rightAt);
  rightAt = tileBuildWithInt(&b, "arith.minui", rightAt, right.extent[axis] - 1);
  MlirValue x = gather(&b, type, lhs, leftAt, axis);
  MlirValue y = gather(&b, type, rhs, rightAt, axis);
  MlirValue result = tileBuild(&b, "arith.select", type, TILE_VALUES(isLeft, x, y));
  tileReplaceOp(op, TILE_VALUES(result));
}

//===- gather -------------------------------------------------------------===//

/// An index out of range picks the last element along the axis, not the last of the padding.
void padGather(MlirOperation op) {
  MlirType source = mlirValueGetType(tileGatherGetSource(op));
  int axis = (int)tileGatherGetAxis(op);
  if (!(padDims(source) >> axis & 1)) return;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue indices = tileGatherGetIndices(op);
  MlirType type = padType(mlirValueGetType(indices));
  MlirValue last = tileBuildInt(&b, type, padShapeOf(source).extent[axis] - 1);
  MlirValue kept = tileBuild(&b, "arith.minui", type, TILE_VALUES(indices, last));
  mlirOperationSetOperand(op, 1, kept);
}
