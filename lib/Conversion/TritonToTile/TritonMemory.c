//===- TritonMemory.c - pointers, loads and stores ------------------------===//
#include "TritonToTile.h"

static MlirType pointeeOf(MlirValue ptr) {
  MlirType type = mlirValueGetType(ptr), element = tileElementType(type);
  return tileTypeIsAPtr(element) ? tileWithElement(type, tilePtrTypeGetPointee(element))
                                 : (MlirType){NULL};
}

static bool isTruth(MlirType type) {
  MlirType element = tileElementType(type);
  return mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
}

/// Offsets are signed; tile's have 32 or 64 bits.
static MlirLogicalResult convertAddPtr(MlirOperation op, TileBuilder *b) {
  MlirValue ptr = tileOperand(op, 0), offset = tileOperand(op, 1);
  MlirType type = tritonResultType(op);
  if (tileBitWidth(tileElementType(mlirValueGetType(offset))) < 32)
    offset = tritonCast(b, "arith.extsi", offset, tileI32(b->context));
  return tritonReplace(op, tileBuild(b, "tile.addptr", type, TILE_VALUES(ptr, offset)));
}

/// A truth lies in memory as a byte.
static MlirValue asByte(TileBuilder *b, MlirValue x) {
  if (mlirValueIsNull(x) || !isTruth(mlirValueGetType(x))) return x;
  return tritonCast(b, "arith.extui", x, tileI8(b->context));
}

/// Is the load to be made as often as it stands, whoever else writes there?
static bool isVolatile(MlirOperation op) {
  MlirAttribute attr = tileAttr(op, "isVolatile");
  return !mlirAttributeIsNull(attr) && mlirAttributeIsABool(attr) && mlirBoolAttrGetValue(attr);
}

/// An atomic that changes nothing reads what others wrote, each time anew.
static MlirLogicalResult convertVolatileLoad(MlirOperation op, TileBuilder *b) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirType type = tritonResultType(op), element = tileElementType(type);
  if (!mlirTypeIsAInteger(element) || tileBitWidth(element) < 32 || count > 2)
    return tritonRefuse(op, "a volatile load of i32 or i64 without an other value", "another");
  MlirValue operands[3] = {tileOperand(op, 0)};
  operands[1] = tileBuildZero(b, type);
  if (count > 1) operands[2] = tileOperand(op, 1);
  MlirAttribute kind = tileParseAttr(b->context, "#tile<rmw_kind or>");
  MlirAttribute order = tileParseAttr(b->context, "#tile<order relaxed>");
  MlirAttribute scope = tileParseAttr(b->context, "#tile<scope sys>");
  MlirOperation made =
      tileBuildOp(b, "tile.atomic_rmw", count + 1, operands, 1, &type,
                  TILE_ATTRS({"kind", kind}, {"order", order}, {"scope", scope}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertLoad(MlirOperation op, TileBuilder *b) {
  if (isVolatile(op)) return convertVolatileLoad(op, b);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue operands[3] = {tileOperand(op, 0)};
  MlirType wanted = tritonResultType(op), type = pointeeOf(operands[0]);
  if (mlirTypeIsNull(type) || count > 3) return tritonRefuse(op, "pointers", "another operand");
  if (count > 1) operands[1] = tileOperand(op, 1);
  if (count > 2) operands[2] = asByte(b, tileOperand(op, 2));
  int32_t sizes[3] = {1, count > 1, count > 2};
  MlirAttribute segments = mlirDenseI32ArrayGet(b->context, 3, sizes);
  MlirValue loaded = tileResult(tileBuildOp(b, "tile.load", count, operands, 1, &type,
                                            TILE_ATTRS({"operandSegmentSizes", segments}), 0));
  if (isTruth(wanted) && !isTruth(type)) {
    MlirValue zero = tileBuildZero(b, type);
    loaded = tileBuildCmpi(b, TILE_NE, loaded, zero);
  }
  return tritonReplace(op, loaded);
}

static MlirLogicalResult convertStore(MlirOperation op, TileBuilder *b) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue operands[3] = {tileOperand(op, 0)};
  MlirType type = pointeeOf(operands[0]);
  if (mlirTypeIsNull(type) || count > 3) return tritonRefuse(op, "pointers", "another operand");
  operands[1] = isTruth(type) ? tileOperand(op, 1) : asByte(b, tileOperand(op, 1));
  if (count > 2) operands[2] = tileOperand(op, 2);
  tileBuildOp(b, "tile.store", count, operands, TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// Of numbers, an arith.bitcast. Pointers to truths and to bytes are the same here.
static MlirLogicalResult convertBitcast(MlirOperation op, TileBuilder *b) {
  MlirValue x = tileOperand(op, 0);
  MlirType type = tritonResultType(op), from = mlirValueGetType(x);
  if (mlirTypeEqual(from, type)) return tritonReplace(op, x);
  if (tileTypeIsAPtr(tileElementType(from)))
    return tritonReplace(op, tileBuildUnary(b, "tile.ptr_cast", type, x));
  return tritonReplace(op, tileBuildUnary(b, "arith.bitcast", type, x));
}

static MlirLogicalResult convertAddress(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  return tritonReplace(op, tileBuildUnary(b, "tile.ptr_cast", type, tileOperand(op, 0)));
}

static MlirLogicalResult convertBarrier(MlirOperation op, TileBuilder *b) {
  tileBuildOp(b, "tile.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

const TritonRule tritonMemoryRules[] = {{"tt.addptr", convertAddPtr},
                                        {"tt.load", convertLoad},
                                        {"tt.store", convertStore},
                                        {"tt.bitcast", convertBitcast},
                                        {"tt.int_to_ptr", convertAddress},
                                        {"tt.ptr_to_int", convertAddress},
                                        {"gpu.barrier", convertBarrier},
                                        {"ttg.barrier", convertBarrier},
                                        {NULL, NULL}};
