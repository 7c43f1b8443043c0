//===- HostBuild.c - building blocks of lowered host programs -------------===//
#include "Host.h"

bool tileOpIsHost(MlirOperation op) { return tileOpIsOfDialect(op, "tile_host"); }

MlirValue tileHostCall(Host *h, TileBuilder *b, const char *name, MlirType result, intptr_t count,
                       const MlirValue *arguments) {
  MlirType inputs[8];
  for (intptr_t i = 0; i < count; ++i) inputs[i] = mlirValueGetType(arguments[i]);
  intptr_t results = mlirTypeIsNull(result) ? 0 : 1;

  bool declared = false;
  TILE_FOR_EACH_OP(op, tileBody(h->module, 0)) {
    MlirAttribute symbol = tileAttr(op, "sym_name");
    declared |= !mlirAttributeIsNull(symbol) && tileStringIs(mlirStringAttrGetValue(symbol), name);
  }
  if (!declared) {
    // func.func private @name(inputs) -> result
    TileBuilder top = tileBuilderAtEnd(tileBody(h->module, 0), b->location);
    MlirType type = mlirFunctionTypeGet(h->context, count, inputs, results, &result);
    MlirAttribute typeAttr = mlirTypeAttrGet(type);
    MlirAttribute nameAttr = tileStringAttr(h->context, name);
    MlirAttribute private = tileStringAttr(h->context, "private");
    tileBuildOp(&top, "func.func", TILE_NONE, TILE_NONE,
                TILE_ATTRS({"sym_name", nameAttr}, {"function_type", typeAttr},
                           {"sym_visibility", private}),
                1);
  }
  // %result = func.call @name(arguments)
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(h->context, tileString(name));
  MlirOperation call = tileBuildOp(b, "func.call", count, arguments, results, &result,
                                   TILE_ATTRS({"callee", callee}), 0);
  return results ? tileResult(call) : (MlirValue){NULL};
}

MlirValue tileHostSite(Host *h, TileBuilder *b, MlirOperation op) {
  return tileBuildInt(b, h->i64, tileIntAttr(op, "tile_host.site", -1));
}

MlirValue tileHostToI64(Host *h, TileBuilder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAIndex(type)) return tileBuildUnary(b, "arith.index_cast", h->i64, value);
  if (mlirTypeEqual(type, h->i64)) return value;
  return tileBuildUnary(b, "arith.extsi", h->i64, value);
}

MlirValue tileHostAddress(Host *h, TileBuilder *b, MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  // %a = memref.extract_aligned_pointer_as_index %memref
  MlirValue aligned =
      tileBuildUnary(b, "memref.extract_aligned_pointer_as_index", h->index, memref);
  MlirValue address = tileBuildUnary(b, "arith.index_cast", h->i64, aligned);
  int64_t offset = 0;
  int64_t strides[64];
  bool strided =
      mlirShapedTypeGetRank(type) <= 64 &&
      mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset));
  if (strided && offset == 0) return address;
  // %base, %offset, %sizes:n, %strides:n = memref.extract_strided_metadata %memref
  MlirType element = mlirShapedTypeGetElementType(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType types[2 + 128];
  intptr_t count = 0;
  types[count++] =
      mlirMemRefTypeContiguousGet(element, 0, NULL, mlirMemRefTypeGetMemorySpace(type));
  while (count < 2 + 2 * rank && count < 130) types[count++] = h->index;
  MlirOperation metadata =
      tileBuildOp(b, "memref.extract_strided_metadata", 1, &memref, count, types, TILE_NONE, 0);
  MlirValue elements = tileHostToI64(h, b, mlirOperationGetResult(metadata, 1));
  MlirValue size = tileBuildInt(b, h->i64, tileElementBytes(element));
  MlirValue bytes = tileBuildBinary(b, "arith.muli", elements, size);
  return tileBuildBinary(b, "arith.addi", address, bytes);
}

/// The entry block of the function around `op`: a stack buffer in a loop would grow the frame.
static MlirBlock findEntry(MlirOperation op) {
  while (!tileOpIs(op, "func.func")) op = mlirOperationGetParentOperation(op);
  return tileBody(op, 0);
}

MlirValue tileHostBuffer(Host *h, MlirOperation op, int64_t count) {
  MlirBlock entry = findEntry(op);
  TileBuilder b = tileBuilderAtStart(entry);
  int64_t shape[1] = {count > 0 ? count : 1};
  MlirType type = mlirMemRefTypeContiguousGet(h->i64, 1, shape, mlirAttributeGetNull());
  // memref.alloca() : memref<count x i64>
  int32_t none[2] = {0, 0};
  MlirAttribute segments = mlirDenseI32ArrayGet(h->context, 2, none);
  return tileResult(tileBuildOp(&b, "memref.alloca", TILE_NONE, 1, &type,
                                TILE_ATTRS({"operandSegmentSizes", segments}), 0));
}

void tileHostStore(Host *h, TileBuilder *b, MlirValue buffer, int64_t i, MlirValue value) {
  MlirValue position = tileBuildInt(b, h->index, i);
  tileBuildOp(b, "memref.store", TILE_VALUES(value, buffer, position), TILE_NONE, TILE_NONE, 0);
}

MlirValue tileHostLoad(Host *h, TileBuilder *b, MlirValue buffer, int64_t i) {
  MlirValue position = tileBuildInt(b, h->index, i);
  return tileBuild(b, "memref.load", h->i64, TILE_VALUES(buffer, position));
}

MlirValue tileHostToBits(Host *h, TileBuilder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAIndex(type)) return tileBuildUnary(b, "arith.index_cast", h->i64, value);
  if (mlirTypeIsAFloat(type)) {
    type = mlirIntegerTypeGet(h->context, mlirFloatTypeGetWidth(type));
    value = tileBuildUnary(b, "arith.bitcast", type, value);
  }
  if (!mlirTypeIsAInteger(type) || tileBitWidth(type) > 64) return (MlirValue){NULL};
  if (tileBitWidth(type) == 64) return value;
  return tileBuildUnary(b, "arith.extui", h->i64, value);
}

MlirValue tileHostFromBits(Host *h, TileBuilder *b, MlirValue bits, MlirType type) {
  if (mlirTypeIsAIndex(type)) return tileBuildUnary(b, "arith.index_cast", type, bits);
  bool isFloat = mlirTypeIsAFloat(type);
  if ((!isFloat && !mlirTypeIsAInteger(type)) || tileBitWidth(type) > 64) return (MlirValue){NULL};
  MlirType integer = mlirIntegerTypeGet(h->context, (unsigned)tileBitWidth(type));
  if (tileBitWidth(type) < 64) bits = tileBuildUnary(b, "arith.trunci", integer, bits);
  return isFloat ? tileBuildUnary(b, "arith.bitcast", type, bits) : bits;
}
