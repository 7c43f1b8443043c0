//===- Constant.c - constants, and tiles with a value for each element ----===//
//
// Before:  %c = arith.constant dense<[3, 1, 2, 0, ..]> : tensor<128xi32, L>
// After:   %t = llvm.mlir.addressof @__tile_table_1 : !llvm.ptr<1>
//          %v = llvm.load invariant %t[4 * (lane + 32 * warp)] : vector<4xi32>
//
// A thread reads its elements from a constant array of the module, those that lie side
// by side at once. Where all threads hold the same elements, these are numbers known
// now, and nothing is read.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <stdlib.h>
#include <string.h>

/// How many registers, from any multiple of that on, hold neighbours: up to 16 bytes.
static int neighbours(const TileLayout *line, int size) {
  int n = 1;
  for (int b = 0; b < line->inBits[TILE_REGISTER] && 2 * n * size <= 16; ++b, n *= 2)
    if (lowerRegisterPart(line, 1 << b, 0) != n) break;
  // What else adds to a position must leave the bits below n alone.
  uint64_t others = 0;
  for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
    for (int b = 0; b < line->inBits[in]; ++b)
      if (in != TILE_REGISTER || 1 << b >= n) others |= line->bases[in][b];
  while (n > 1 && others & (uint64_t)(n - 1)) n /= 2;
  return n;
}

static bool dependsOnThread(const TileLayout *line) {
  for (int in = TILE_LANE; in <= TILE_WARP; ++in)
    for (int b = 0; b < line->inBits[in]; ++b)
      if (line->bases[in][b]) return true;
  return false;
}

/// The elements of a thread, the same in all, as one constant vector of integers.
static MlirValue wordsOfAll(Lowering *l, const TileTable *table, const TileLayout *line,
                            MlirType type) {
  int n = lowerNumRegisters(line);
  size_t size = (size_t)table->size;
  char *bytes = malloc((size_t)n * size);
  if (!bytes) abort();
  for (int r = 0; r < n; ++r)
    memcpy(bytes + (size_t)r * size, table->bytes + (size_t)lowerRegisterPart(line, r, 0) * size,
           size);
  MlirAttribute words = mlirDenseElementsAttrRawBufferGet(type, (size_t)n * size, bytes);
  free(bytes);
  return tileBuildConstant(&l->b, words);
}

/// %w = llvm.load invariant %base[%index] : !llvm.ptr<1> -> vector<NxiS>
static MlirValue readWords(Lowering *l, MlirValue base, MlirValue index, int count, MlirType word) {
  MlirContext c = l->b.context;
  MlirType pointer = mlirValueGetType(base), type = tileVectorType(count, word);
  int32_t dynamic = INT32_MIN;
  MlirAttribute indices = mlirDenseI32ArrayGet(c, 1, &dynamic);
  MlirValue at = tileResult(tileBuildOp(
      &l->b, "llvm.getelementptr", TILE_VALUES(base, index), 1, &pointer,
      TILE_ATTRS({"rawConstantIndices", indices}, {"elem_type", mlirTypeAttrGet(word)}), 0));
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(c), count * tileBitWidth(word) / 8);
  return tileResult(
      tileBuildOp(&l->b, "llvm.load", TILE_VALUES(at), 1, &type,
                  TILE_ATTRS({"alignment", alignment}, {"invariant", mlirUnitAttrGet(c)}), 0));
}

/// What lane and warp add to a position. Constants stand in front of all roles: warps that hold no
/// tiles read what one that does reads, and nothing behind the table.
static MlirValue threadPart(Lowering *l, const TileLayout *line) {
  MlirValue warp = l->warp;
  if (l->blockWarps > l->numWarps)
    l->warp = tileBuildBinary(&l->b, "arith.andi", warp, lowerI32(l, l->numWarps - 1));
  MlirValue thread = lowerThreadPart(l, line, 0);
  l->warp = warp;
  return thread;
}

static MlirValue readAll(Lowering *l, const TileTable *table, const TileLayout *line,
                         MlirType type) {
  int n = lowerNumRegisters(line), step = neighbours(line, table->size);
  MlirValue base = tileTablesAddress(l->tables, &l->b, table);
  MlirValue thread = threadPart(l, line), *slices = lowerNewSlices(n / step);
  for (int r = 0; r < n; r += step) {
    MlirValue index = lowerCombineParts(l, line, 0, thread, lowerRegisterPart(line, r, 0));
    slices[r / step] = readWords(l, base, index, step, tileElementType(type));
  }
  return lowerJoinSlices(l, n / step, slices);
}

/// arith.constant of a tile whose elements differ.
static MlirLogicalResult lowerTable(Lowering *l, MlirOperation op) {
  MlirType tile = mlirValueGetType(tileResult(op));
  TileLayout layout;
  if (!lowerLayoutOf(mlirOperationGetLocation(op), tile, &layout))
    return mlirLogicalResultFailure();
  int64_t count = tileNumElements(tile);
  TileLayout line = tileLayoutReshape(layout, 1, &count);
  TileTable table = tileTableOf(op, 0);
  MlirType word = mlirIntegerTypeGet(l->b.context, 8 * (unsigned)table.size);
  MlirType type = tileVectorType(lowerNumRegisters(&line), word);
  MlirValue words =
      dependsOnThread(&line) ? readAll(l, &table, &line, type) : wordsOfAll(l, &table, &line, type);
  free(table.bytes);
  MlirType element = lowerElementType(tileElementType(tile));
  if (tileBitWidth(element) == 1) {
    MlirValue zero = tileBuildZero(&l->b, type);
    words = tileBuildCmpi(&l->b, TILE_NE, words, zero);
  } else {
    words = lowerBitcast(l, words, tileVectorType(lowerNumRegisters(&line), element));
  }
  lowerSet(l, tileResult(op), words);
  return mlirLogicalResultSuccess();
}

MlirAttribute lowerScalarAttr(MlirAttribute value, MlirType element) {
  MlirType thread = lowerElementType(element);
  if (mlirTypeEqual(thread, element)) return value;
  return mlirIntegerAttrGet(thread, lowerFloat8Code(element, mlirFloatAttrGetValueDouble(value)));
}

MlirLogicalResult lowerConstant(Lowering *l, MlirOperation op) {
  MlirAttribute value = tileAttr(op, "value");
  MlirType type = mlirValueGetType(tileResult(op));
  if (!tileTypeIsTile(type)) {
    lowerSet(l, tileResult(op), tileBuildConstant(&l->b, lowerScalarAttr(value, type)));
    return mlirLogicalResultSuccess();
  }
  if (tileIsTable(op)) return lowerTable(l, op);
  if (!mlirAttributeIsADenseElements(value)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a constant tile of dense elements, found others");
    return mlirLogicalResultFailure();
  }
  MlirType thread = lowerType(l, mlirOperationGetLocation(op), type);
  if (mlirTypeIsNull(thread)) return mlirLogicalResultFailure();
  value = lowerScalarAttr(mlirDenseElementsAttrGetSplatValue(value), tileElementType(type));
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(thread, value);
  lowerSet(l, tileResult(op), tileBuildConstant(&l->b, splat));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerPoison(Lowering *l, MlirOperation op) {
  MlirType type = lowerType(l, mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)));
  if (mlirTypeIsNull(type)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), tileBuild(&l->b, "llvm.mlir.poison", type, TILE_NONE));
  return mlirLogicalResultSuccess();
}
