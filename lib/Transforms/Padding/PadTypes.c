//===- PadTypes.c - padded tiles, and where they end ----------------------===//
#include "PadExtents.h"
#include <string.h>

//===- types --------------------------------------------------------------===//

unsigned padDims(MlirType type) {
  PadShape shape = padShapeOf(type);
  unsigned dims = 0;
  for (int d = 0; d < shape.rank; ++d)
    if (!padIsPowerOfTwo(shape.extent[d])) dims |= 1U << d;
  return dims;
}

static MlirType tileOf(PadShape shape, MlirType element) {
  for (int d = 0; d < shape.rank; ++d) shape.extent[d] = tilePadExtent(shape.extent[d]);
  return mlirRankedTensorTypeGet(shape.rank, shape.extent, element, mlirAttributeGetNull());
}

MlirType padType(MlirType type) {
  return padDims(type) ? tileOf(padShapeOf(type), tileElementType(type)) : type;
}

//===- positions ----------------------------------------------------------===//

/// `line`, a tile of rank 1, along dimension d of `shape`.
static MlirValue spread(TileBuilder *b, MlirValue line, PadShape shape, int d) {
  MlirType element = tileElementType(mlirValueGetType(line)), i32 = tileI32(b->context);
  PadShape now = {.rank = 1, .extent = {shape.extent[d]}};
  // %t = tile.expand_dims %line axis ..: 1 x .. x n x .. x 1
  for (int k = 0; k < shape.rank; ++k) {
    if (k == d) continue;
    int axis = k < d ? 0 : now.rank;
    memmove(now.extent + axis + 1, now.extent + axis,
            (size_t)(now.rank - axis) * sizeof *now.extent);
    now.extent[axis] = 1;
    ++now.rank;
    MlirType type = tileOf(now, element);
    MlirAttribute attr = mlirIntegerAttrGet(i32, axis);
    line = tileResult(tileBuildOp(b, "tile.expand_dims", TILE_VALUES(line), 1, &type,
                                  TILE_ATTRS({"axis", attr}), 0));
  }
  MlirType whole = tileOf(shape, element);
  if (mlirTypeEqual(whole, mlirValueGetType(line))) return line;
  return tileBuildUnary(b, "tile.broadcast", whole, line);
}

static MlirValue lineOf(TileBuilder *b, PadShape shape, int d) {
  PadShape one = {.rank = 1, .extent = {shape.extent[d]}};
  return tileBuild(b, "tile.arange", tileOf(one, tileI32(b->context)), TILE_NONE);
}

MlirValue padCoordinate(TileBuilder *b, PadShape shape, int d) {
  return spread(b, lineOf(b, shape, d), shape, d);
}

MlirValue padInside(TileBuilder *b, PadShape shape, unsigned dims) {
  MlirValue all = {NULL};
  for (int d = 0; d < shape.rank; ++d) {
    if (!(dims >> d & 1)) continue;
    MlirValue line = lineOf(b, shape, d);
    MlirValue end = tileBuildInt(b, mlirValueGetType(line), shape.extent[d]);
    MlirValue in = tileBuildCmpi(b, TILE_ULT, line, end);
    in = spread(b, in, shape, d);
    all = mlirValueIsNull(all) ? in : tileBuildBinary(b, "arith.andi", all, in);
  }
  return all;
}

MlirValue padReplace(TileBuilder *b, MlirValue value, MlirValue inside, MlirAttribute otherwise) {
  MlirType type = padType(mlirValueGetType(value));
  MlirValue other = tileBuildConstant(b, mlirDenseElementsAttrSplatGet(type, otherwise));
  return tileBuild(b, "arith.select", type, TILE_VALUES(inside, value, other));
}

//===- what is said of them -----------------------------------------------===//

PadShape padExtentsOf(MlirOperation op, MlirType type) {
  PadShape shape = padShapeOf(type);
  tileOpGetExtents(op, shape.rank, shape.extent);
  return shape;
}

void padSetExtents(MlirOperation op, PadShape shape) {
  mlirOperationSetAttributeByName(
      op, tileString("tile.extents"),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), shape.rank, shape.extent));
}

bool padKeepsZeros(MlirOperation op) {
  static const char *const names[] = {"arith.extf",   "arith.truncf", "arith.extsi", "arith.extui",
                                      "arith.sitofp", "arith.uitofp", NULL};
  return tileOpIsOneOf(op, names);
}
