//===- TritonMemory.c - pointers, loads and stores ------------------------===//
#include "TritonToTile.h"
#include <string.h>

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

/// An atomic that changes nothing reads what others wrote, each time anew. Numbers of 8 and 16 bits
/// have no such atomic: behind a barrier they are read again, though what other programs write may
/// be seen late.
static MlirValue buildVolatileLoad(TileBuilder *b, MlirType type, MlirValue ptr, MlirValue mask) {
  int width = tileBitWidth(tileElementType(type));
  MlirType bits = tileWithElement(type, mlirIntegerTypeGet(b->context, (unsigned)width));
  MlirType to = tileWithElement(mlirValueGetType(ptr), tilePtrTypeGet(tileElementType(bits)));
  if (!mlirTypeEqual(mlirValueGetType(ptr), to)) ptr = tileBuildUnary(b, "tile.ptr_cast", to, ptr);
  MlirValue operands[3] = {ptr, tileBuildZero(b, bits), mask};
  TileNamedAttr attrs[3] = {{"kind", tileParseAttr(b->context, "#tile<rmw_kind or>")},
                            {"order", tileParseAttr(b->context, "#tile<order relaxed>")},
                            {"scope", tileParseAttr(b->context, "#tile<scope sys>")}};
  MlirValue loaded = tileResult(tileBuildOp(b, "tile.atomic_rmw", mlirValueIsNull(mask) ? 2 : 3,
                                            operands, 1, &bits, 3, attrs, 0));
  return mlirTypeEqual(bits, type) ? loaded : tileBuildUnary(b, "arith.bitcast", type, loaded);
}

/// The attributes of caches that a load or store of tile's has of `op`: their number, or -1 where
/// Triton asks for something that is unknown, of which it is told.
static int takeHints(MlirOperation op, MlirContext c, TileNamedAttr attrs[2]) {
  static const char *const caches[][2] = {
      {"ca", "#tile<cache ca>"},
      {"cg", "#tile<cache cg>"},
      {"cs", "#tile<cache cs>"},
      {"cv", "#tile<cache cv>"},
      {"wb", "#tile<cache wb>"},
      {"wt", "#tile<cache wt>"},
      {"none", NULL},
      {"", NULL},
  };
  static const char *const evicts[][2] = {
      {"evict_first", "#tile<evict first>"},
      {"evict_last", "#tile<evict last>"},
      {"evict_normal", NULL},
      {"", NULL},
  };
  MlirStringRef cache = tileTritonAccessGetCache(op), evict = tileTritonAccessGetEvict(op);
  size_t numCaches = sizeof caches / sizeof *caches, numEvicts = sizeof evicts / sizeof *evicts;
  size_t i = 0, j = 0;
  int count = 0;
  while (i < numCaches && !tileStringIs(cache, caches[i][0])) ++i;
  while (j < numEvicts && !tileStringIs(evict, evicts[j][0])) ++j;
  if (i == numCaches || j == numEvicts) {
    (void)tritonRefuse(op,
                       "a cache modifier ca, cg, cs, cv, wb or wt and an eviction policy normal, "
                       "first or last",
                       "others");
    return -1;
  }
  if (caches[i][1]) attrs[count++] = (TileNamedAttr){"cache", tileParseAttr(c, caches[i][1])};
  if (evicts[j][1]) attrs[count++] = (TileNamedAttr){"evict", tileParseAttr(c, evicts[j][1])};
  return count;
}

static MlirLogicalResult convertLoad(MlirOperation op, TileBuilder *b) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue operands[3] = {tileOperand(op, 0)};
  MlirType wanted = tritonResultType(op), type = pointeeOf(operands[0]);
  if (mlirTypeIsNull(type) || count > 3) return tritonRefuse(op, "pointers", "another operand");
  if (count > 1) operands[1] = tileOperand(op, 1);
  if (count > 2) operands[2] = asByte(b, tileOperand(op, 2));
  bool again = isVolatile(op), isPtr = tileTypeIsAPtr(tileElementType(type));
  if (again && !isPtr && tileBitWidth(tileElementType(type)) >= 32) {
    MlirValue loaded = buildVolatileLoad(b, type, operands[0], operands[1]);
    if (count > 2) loaded = tileBuildSelect(b, operands[1], loaded, operands[2]);
    return tritonReplace(op, loaded);
  }
  TileNamedAttr attrs[3];
  int numAttrs = takeHints(op, b->context, attrs);
  if (numAttrs < 0) return mlirLogicalResultFailure();
  if (again) tileBuildOp(b, "tile.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  int32_t sizes[3] = {1, count > 1, count > 2};
  MlirAttribute segments = mlirDenseI32ArrayGet(b->context, 3, sizes);
  attrs[numAttrs++] = (TileNamedAttr){"operandSegmentSizes", segments};
  MlirValue loaded =
      tileResult(tileBuildOp(b, "tile.load", count, operands, 1, &type, numAttrs, attrs, 0));
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
  TileNamedAttr attrs[2];
  int numAttrs = takeHints(op, b->context, attrs);
  if (numAttrs < 0) return mlirLogicalResultFailure();
  tileBuildOp(b, "tile.store", count, operands, TILE_NONE, numAttrs, attrs, 0);
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
