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
  TileTable table = {.size = tileElementBytes(tileElementType(type)),
                     .count = given / length * row};
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

/// llvm.mlir.global internal constant @__tile_table_N(value), first in the module.
static void buildGlobal(const TileTables *tables, MlirLocation loc, MlirAttribute value,
                        const char *type, const char *name) {
  MlirContext c = mlirAttributeGetContext(value);
  TileBuilder b = {.context = c, .location = loc, .block = tables->module};
  b.before = mlirBlockGetFirstOperation(tables->module);
  tileBuildOp(&b, "llvm.mlir.global", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(c, name)},
                         {"global_type", tileParseAttr(c, type)},
                         {"linkage", tileParseAttr(c, "#llvm.linkage<internal>")},
                         {"constant", mlirUnitAttrGet(c)}, {"value", value},
                         {"addr_space", mlirIntegerAttrGet(tileI32(c), tables->space)},
                         {"alignment", mlirIntegerAttrGet(tileI64(c), 64)}),
              1);
}

MlirValue tileTablesAddress(TileTables *tables, TileBuilder *b, const TileTable *table) {
  MlirContext c = b->context;
  MlirType element = mlirIntegerTypeGet(c, 8 * (unsigned)table->size);
  MlirType shape = mlirRankedTensorTypeGet(1, &table->count, element, mlirAttributeGetNull());
  MlirAttribute value = mlirDenseElementsAttrRawBufferGet(
      shape, (size_t)table->count * (size_t)table->size, table->bytes);
  const int *known = tilePointerTableFind(tables->made, value.ptr);
  char name[32], text[64];
  snprintf(name, sizeof name, "__tile_table_%d", known ? *known : tables->next);
  if (!known) {
    int *number = tilePointerTableAdd(&tables->made, value.ptr, sizeof *number);
    *number = tables->next++;
    snprintf(text, sizeof text, "!llvm.array<%lld x i%d>", (long long)table->count,
             8 * table->size);
    buildGlobal(tables, b->location, value, text, name);
  }
  snprintf(text, sizeof text, tables->space ? "!llvm.ptr<%d>" : "!llvm.ptr", tables->space);
  MlirType pointer = mlirTypeParseGet(c, tileString(text));
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(c, tileString(name));
  return tileResult(tileBuildOp(b, "llvm.mlir.addressof", TILE_NONE, 1, &pointer,
                                TILE_ATTRS({"global_name", symbol}), 0));
}

void tileTablesClear(TileTables *tables) { tilePointerTableClear(&tables->made); }
