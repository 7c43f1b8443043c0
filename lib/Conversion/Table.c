//===- Table.c - constant tiles with a value for each element -------------===//
#include "Table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tileIsTable(MlirOperation op) {
  if (!tileOpIs(op, "arith.constant")) return false;
  MlirAttribute value = tileAttr(op, "value");
  return mlirAttributeIsADenseElements(value) && !mlirDenseElementsAttrIsSplat(value);
}

TileTable tileTableOf(MlirOperation op, int64_t row) {
  MlirAttribute value = tileAttr(op, "value");
  MlirType type = mlirAttributeGetType(value);
  int bits = tileBitWidth(tileElementType(type));
  int64_t given = tileNumElements(type), shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  int64_t length = rank > 0 ? shape[rank - 1] : 1;
  if (!row) row = length;
  TileTable table = {.size = bits < 8 ? 1 : bits / 8, .count = given / length * row};
  table.bytes = calloc((size_t)table.count, (size_t)table.size);
  if (!table.bytes) abort();
  const char *raw = bits == 1 ? NULL : mlirDenseElementsAttrGetRawData(value);
  for (int64_t i = 0; i < given; ++i) {
    char *to = table.bytes + (i / length * row + i % length) * table.size;
    if (raw)
      memcpy(to, raw + i * table.size, (size_t)table.size);
    else
      *to = mlirDenseElementsAttrGetBoolValue(value, i);
  }
  return table;
}

static MlirOperation findGlobal(MlirBlock module, MlirAttribute value, int space) {
  TILE_FOR_EACH_OP(op, module) {
    if (tileOpIs(op, "llvm.mlir.global") && mlirAttributeEqual(tileAttr(op, "value"), value) &&
        tileIntAttr(op, "addr_space", 0) == space)
      return op;
  }
  return (MlirOperation){NULL};
}

static MlirOperation buildGlobal(MlirBlock module, MlirLocation loc, MlirAttribute value,
                                 const char *type, int space) {
  MlirContext c = mlirAttributeGetContext(value);
  char name[32];
  int number = 0;
  TILE_FOR_EACH_OP(op, module) number += tileOpIs(op, "llvm.mlir.global");
  snprintf(name, sizeof name, "__tile_table_%d", number);
  TileBuilder b = {.context = c, .location = loc, .block = module};
  b.before = mlirBlockGetFirstOperation(module);
  return tileBuildOp(&b, "llvm.mlir.global", TILE_NONE, TILE_NONE,
                     TILE_ATTRS({"sym_name", tileStringAttr(c, name)},
                                {"global_type", tileParseAttr(c, type)},
                                {"linkage", tileParseAttr(c, "#llvm.linkage<internal>")},
                                {"constant", mlirUnitAttrGet(c)}, {"value", value},
                                {"addr_space", mlirIntegerAttrGet(tileI32(c), space)},
                                {"alignment", mlirIntegerAttrGet(tileI64(c), 64)}),
                     1);
}

MlirValue tileTableAddress(TileBuilder *b, MlirBlock module, const TileTable *table, int space) {
  MlirContext c = b->context;
  MlirType element = mlirIntegerTypeGet(c, 8 * (unsigned)table->size);
  MlirType type = mlirRankedTensorTypeGet(1, &table->count, element, mlirAttributeGetNull());
  MlirAttribute value = mlirDenseElementsAttrRawBufferGet(
      type, (size_t)table->count * (size_t)table->size, table->bytes);
  MlirOperation global = findGlobal(module, value, space);
  if (mlirOperationIsNull(global)) {
    char text[64];
    snprintf(text, sizeof text, "!llvm.array<%lld x i%d>", (long long)table->count,
             8 * table->size);
    global = buildGlobal(module, b->location, value, text, space);
  }
  char text[32];
  snprintf(text, sizeof text, space ? "!llvm.ptr<%d>" : "!llvm.ptr", space);
  MlirType pointer = mlirTypeParseGet(c, tileString(text));
  MlirAttribute symbol =
      mlirFlatSymbolRefAttrGet(c, mlirStringAttrGetValue(tileAttr(global, "sym_name")));
  return tileResult(tileBuildOp(b, "llvm.mlir.addressof", TILE_NONE, 1, &pointer,
                                TILE_ATTRS({"global_name", symbol}), 0));
}
