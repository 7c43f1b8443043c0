//===- TritonCombine.c - reductions, scans and histograms -----------------===//
#include "TritonToTile.h"

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
  TILE_TRY(isolate(op, tileBody(op, 0)));
  MlirAttribute reverse = tileAttr(op, "reverse");
  bool isReverse = !mlirAttributeIsNull(reverse) && mlirAttributeIsABool(reverse) &&
                   mlirBoolAttrGetValue(reverse);
  TileNamedAttr attrs[2] = {{"axis", tileAttr(op, "axis")},
                            {"reverse", mlirUnitAttrGet(b->context)}};
  tritonRebuild(op, b, tileOpIs(op, "tt.scan") ? "tile.scan" : "tile.reduce", isReverse ? 2 : 1,
                attrs);
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
  if (width > 32) {
    // A number that i32 does not hold is beyond any bin; it must not become one by losing its top.
    MlirValue in =
        tileBuildCmpi(b, TILE_ULT, operands[0], tileBuildInt(b, from, tileNumElements(type)));
    operands[1] = count > 1 ? tileBuildBinary(b, "arith.andi", operands[1], in) : in;
    operands[0] = tritonCast(b, "arith.trunci", operands[0], i32);
    count = 2;
  }
  if (width < 32) operands[0] = tritonCast(b, "arith.extui", operands[0], i32);
  MlirValue made = tileBuild(b, "tile.histogram", type, count, operands);
  return tritonReplace(op, made);
}

MlirValue tritonReduceAll(TileBuilder *b, MlirValue x, const char *name) {
  MlirType type = mlirValueGetType(x), element = tileElementType(type);
  int64_t count = tileNumElements(type);
  x = tritonReshape(b, x, mlirRankedTensorTypeGet(1, &count, element, mlirAttributeGetNull()));
  MlirAttribute axis = mlirIntegerAttrGet(tileI32(b->context), 0);
  MlirOperation made =
      tileBuildOp(b, "tile.reduce", TILE_VALUES(x), 1, &element, TILE_ATTRS({"axis", axis}), 1);
  MlirType types[2] = {element, element};
  MlirLocation locations[2] = {b->location, b->location};
  MlirBlock body = mlirBlockCreate(2, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, 0), body);
  TileBuilder in = tileBuilderAtEnd(body, b->location);
  MlirValue lhs = mlirBlockGetArgument(body, 0), rhs = mlirBlockGetArgument(body, 1);
  MlirValue both = tileBuildBinary(&in, name, lhs, rhs);
  tileBuildOp(&in, "tile.yield", TILE_VALUES(both), TILE_NONE, TILE_NONE, 0);
  return tileResult(made);
}

/// A tile of one element as a number: a reduction without anything to combine.
static MlirLogicalResult convertUnsplat(MlirOperation op, TileBuilder *b) {
  MlirValue x = tileOperand(op, 0);
  MlirType element = tritonResultType(op);
  if (tileNumElements(mlirValueGetType(x)) != 1 || tileTypeIsAPtr(element))
    return tritonRefuse(op, "a tile of one number", "another");
  const char *name = tileTypeIsFloat(element) ? "arith.maxnumf" : "arith.maxsi";
  return tritonReplace(op, tritonReduceAll(b, x, name));
}

//===- a function of each element -----------------------------------------===//

/// Where the region of a tt.map_elementwise goes: before `at`, as ops of tiles like `shape`.
typedef struct {
  MlirOperation at;
  MlirType shape;
} Mapping;

static MlirValue asTile(const Mapping *mapping, TileBuilder *b, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  if (tileTypeIsTile(type)) return x;
  return tileBuildUnary(b, "tile.splat", tileWithElement(mapping->shape, type), x);
}

static MlirLogicalResult mapBlock(const Mapping *mapping, MlirBlock block);

/// Both branches are computed, and the condition picks of their results.
static MlirLogicalResult mapIf(const Mapping *mapping, MlirOperation branch) {
  MlirBlock yes = tileBody(branch, 0), no = tileBody(branch, 1);
  if (mlirBlockIsNull(no)) return tritonRefuse(mapping->at, "branches that yield", "another");
  TILE_TRY(mapBlock(mapping, yes));
  TILE_TRY(mapBlock(mapping, no));
  TileBuilder b = tileBuilderBefore(mapping->at);
  MlirValue condition = asTile(mapping, &b, tileOperand(branch, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i) {
    MlirValue lhs = asTile(mapping, &b, tileOperand(mlirBlockGetTerminator(yes), i));
    MlirValue rhs = asTile(mapping, &b, tileOperand(mlirBlockGetTerminator(no), i));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, i),
                                  tileBuildSelect(&b, condition, lhs, rhs));
  }
  mlirOperationDestroy(branch);
  return mlirLogicalResultSuccess();
}

/// Moves an op of numbers out of the region, and makes it one of tiles.
static MlirLogicalResult mapOp(const Mapping *mapping, MlirOperation op) {
  if (tileOpIs(op, "scf.if")) return mapIf(mapping, op);
  bool computes = tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math");
  if (!computes || mlirOperationGetNumResults(op) != 1)
    return tritonRefuse(mapping->at, "a region of arith, math and scf.if", "another op");
  TileBuilder b = tileBuilderBefore(mapping->at);
  mlirOperationMoveBefore(op, mapping->at);
  // A constant is read as others of outside are.
  if (tileOpIs(op, "arith.constant")) return mlirLogicalResultSuccess();
  b = tileBuilderBefore(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(op, i, asTile(mapping, &b, tileOperand(op, i)));
  MlirValue result = tileResult(op);
  mlirValueSetType(result, tileWithElement(mapping->shape, mlirValueGetType(result)));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult mapBlock(const Mapping *mapping, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, end);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    TILE_TRY(mapOp(mapping, op));
  }
  return mlirLogicalResultSuccess();
}

/// The two halves of `x`, its even and its odd elements, in rank 1.
static void parts(TileBuilder *b, MlirValue x, MlirValue halves[2]) {
  MlirType from = mlirValueGetType(x), element = tileElementType(from);
  int64_t pairs[2] = {tileNumElements(from) / 2, 2};
  MlirAttribute none = mlirAttributeGetNull();
  x = tritonReshape(b, x, mlirRankedTensorTypeGet(2, pairs, element, none));
  MlirType half = mlirRankedTensorTypeGet(1, pairs, element, none);
  MlirOperation split =
      tileBuildOp(b, "tile.split", TILE_VALUES(x), 2, (MlirType[]){half, half}, TILE_NONE, 0);
  for (int i = 0; i < 2; ++i) halves[i] = mlirOperationGetResult(split, i);
}

enum { MOST_PACKED = 16 };

/// `x` as `pack` tiles, the kth of elements k, k + pack, and so on.
static void unpack(TileBuilder *b, MlirValue x, int pack, MlirValue *into) {
  if (pack == 1) {
    into[0] = x;
    return;
  }
  MlirValue halves[2], some[MOST_PACKED] = {{NULL}};
  parts(b, x, halves);
  for (int i = 0; i < 2; ++i) {
    unpack(b, halves[i], pack / 2, some);
    for (int k = 0; k < pack / 2; ++k) into[2 * k + i] = some[k];
  }
}

/// The inverse, in rank 1.
static MlirValue packed(TileBuilder *b, const MlirValue *from, int pack) {
  if (pack == 1) return from[0];
  MlirValue halves[2], some[MOST_PACKED] = {{NULL}};
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < pack / 2; ++k) some[k] = from[2 * k + i];
    halves[i] = packed(b, some, pack / 2);
  }
  MlirType half = mlirValueGetType(halves[0]), element = tileElementType(half);
  int64_t shape[2] = {tileNumElements(half), 2}, flat = 2 * shape[0];
  MlirAttribute none = mlirAttributeGetNull();
  MlirValue joined = tileBuild(b, "tile.join", mlirRankedTensorTypeGet(2, shape, element, none),
                               TILE_VALUES(halves[0], halves[1]));
  return tritonReshape(b, joined, mlirRankedTensorTypeGet(1, &flat, element, none));
}

/// Elements that are packed stand beside each other; which those are Triton leaves open.
static MlirLogicalResult convertMap(MlirOperation op, TileBuilder *b) {
  int pack = (int)tileIntAttr(op, "pack", 1);
  intptr_t count = mlirOperationGetNumOperands(op), numResults = mlirOperationGetNumResults(op);
  MlirBlock body = tileBody(op, 0);
  bool fits = pack >= 1 && pack <= MOST_PACKED && !(pack & (pack - 1)) && count > 0 &&
              mlirBlockGetNumArguments(body) == count * pack &&
              mlirOperationGetNumOperands(mlirBlockGetTerminator(body)) == numResults * pack;
  MlirType from = count > 0 ? mlirValueGetType(tileOperand(op, 0)) : (MlirType){NULL};
  if (!fits || !tileTypeIsTile(from) || tileNumElements(from) % pack)
    return tritonRefuse(op, "tiles of packs of 1, 2, 4, 8 or 16 elements", "another");
  MlirValue some[MOST_PACKED];
  for (intptr_t i = 0; i < count; ++i) {
    unpack(b, tileOperand(op, i), pack, some);
    for (int k = 0; k < pack; ++k)
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i * pack + k), some[k]);
  }
  Mapping mapping = {op, mlirValueGetType(some[0])};
  TILE_TRY(mapBlock(&mapping, body));
  MlirOperation end = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    for (int k = 0; k < pack; ++k) some[k] = asTile(&mapping, b, tileOperand(end, i * pack + k));
    MlirValue made = tritonReshape(b, packed(b, some, pack), mlirValueGetType(result));
    mlirValueReplaceAllUsesOfWith(result, made);
  }
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// The op around it takes what it yields.
static MlirLogicalResult keep(MlirOperation op, TileBuilder *b) {
  (void)op, (void)b;
  return mlirLogicalResultSuccess();
}

const TritonRule tritonCombineRules[] = {{"tt.reduce", convertCombine},
                                         {"tt.scan", convertCombine},
                                         {"tt.reduce.return", convertYield},
                                         {"tt.scan.return", convertYield},
                                         {"tt.histogram", convertHistogram},
                                         {"tt.unsplat", convertUnsplat},
                                         {"tt.map_elementwise", convertMap},
                                         {"tt.map_elementwise.return", keep},
                                         {NULL, NULL}};
