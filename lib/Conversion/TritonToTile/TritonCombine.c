//===- TritonCombine.c - reductions, scans and histograms -----------------===//
#include "TritonToTile.h"
#include <stdlib.h>

/// tile's regions are isolated from above: constants of outside are made again inside.
static MlirLogicalResult isolate(MlirOperation combine, MlirBlock body) {
  TILE_FOR_EACH_OP(op, body) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      MlirValue operand = tileOperand(op, i);
      if (mlirBlockEqual(tileValueGetBlock(operand), body)) continue;
      MlirOperation constant = tileValueGetOp(operand);
      if (mlirOperationIsNull(constant) || !tileOpIs(constant, "arith.constant"))
        return tritonRefuse(combine, "a region of its arguments and constants alone",
                            "a value of outside");
      MlirOperation copy = mlirOperationClone(constant);
      mlirBlockInsertOwnedOperationBefore(body, op, copy);
      mlirOperationSetOperand(op, i, tileResult(copy));
    }
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult convertCombine(MlirOperation op, TileBuilder *b) {
  MlirBlock body = tileBody(op, 0);
  TILE_TRY(isolate(op, body));
  intptr_t count = mlirOperationGetNumOperands(op), numResults = mlirOperationGetNumResults(op);
  MlirValue *values = malloc((size_t)(count + numResults + 1) * sizeof *values);
  MlirType *types = malloc((size_t)(numResults + 1) * sizeof *types);
  if (!values || !types) abort();
  for (intptr_t i = 0; i < count; ++i) values[i] = tileOperand(op, i);
  for (intptr_t i = 0; i < numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirAttribute reverse = tileAttr(op, "reverse");
  bool isReverse = !mlirAttributeIsNull(reverse) && mlirAttributeIsABool(reverse) &&
                   mlirBoolAttrGetValue(reverse);
  TileNamedAttr attrs[2] = {{"axis", tileAttr(op, "axis")},
                            {"reverse", mlirUnitAttrGet(b->context)}};
  MlirOperation made = tileBuildOp(b, tileOpIs(op, "tt.scan") ? "tile.scan" : "tile.reduce", count,
                                   values, numResults, types, isReverse ? 2 : 1, attrs, 1);
  mlirRegionTakeBody(mlirOperationGetRegion(made, 0), mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < numResults; ++i) values[i] = mlirOperationGetResult(made, i);
  tileReplaceOp(op, numResults, values);
  free(types);
  free(values);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult convertYield(MlirOperation op, TileBuilder *b) {
  return tritonReplaceTerminator(op, b, "tile.yield");
}

static MlirLogicalResult convertHistogram(MlirOperation op, TileBuilder *b) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue operands[2] = {tileOperand(op, 0)};
  if (count > 1) operands[1] = tileOperand(op, 1);
  MlirType type = tritonResultType(op), from = mlirValueGetType(operands[0]);
  MlirType i32 = tileI32(b->context);
  int width = tileBitWidth(tileElementType(from));
  // A number that i32 does not hold is beyond any bin; it must not become one by losing its top.
  if (width > 32) return tritonRefuse(op, "numbers of at most 32 bits", "wider ones");
  if (width < 32) operands[0] = tritonCast(b, "arith.extui", operands[0], i32);
  MlirValue made = tileBuild(b, "tile.histogram", type, count, operands);
  return tritonReplace(op, made);
}

/// A tile of one element as a number: a reduction without anything to combine, in rank 1.
static MlirLogicalResult convertUnsplat(MlirOperation op, TileBuilder *b) {
  MlirValue x = tileOperand(op, 0);
  MlirType element = tritonResultType(op);
  if (tileNumElements(mlirValueGetType(x)) != 1 || tileTypeIsAPtr(element))
    return tritonRefuse(op, "a tile of one number", "another");
  int64_t one = 1;
  x = tritonReshape(b, x, mlirRankedTensorTypeGet(1, &one, element, mlirAttributeGetNull()));
  MlirAttribute axis = tileIntegerAttr(tileI32(b->context), 0);
  MlirOperation made =
      tileBuildOp(b, "tile.reduce", TILE_VALUES(x), 1, &element, TILE_ATTRS({"axis", axis}), 1);
  MlirType types[2] = {element, element};
  MlirLocation locations[2] = {b->location, b->location};
  MlirBlock body = mlirBlockCreate(2, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, 0), body);
  TileBuilder in = tileBuilderAtEnd(body, b->location);
  const char *name = tileTypeIsFloat(element) ? "arith.maxnumf" : "arith.maxsi";
  MlirValue lhs = mlirBlockGetArgument(body, 0), rhs = mlirBlockGetArgument(body, 1);
  MlirValue either = tileBuildBinary(&in, name, lhs, rhs);
  tileBuildOp(&in, "tile.yield", TILE_VALUES(either), TILE_NONE, TILE_NONE, 0);
  return tritonReplace(op, tileResult(made));
}

const TritonRule tritonCombineRules[] = {{"tt.reduce", convertCombine},
                                         {"tt.scan", convertCombine},
                                         {"tt.reduce.return", convertYield},
                                         {"tt.scan.return", convertYield},
                                         {"tt.histogram", convertHistogram},
                                         {"tt.unsplat", convertUnsplat},
                                         {NULL, NULL}};
