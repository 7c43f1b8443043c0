//===- Build.c - building MLIR from C -------------------------------------===//
#include "tile/IR.h"
#include <stdlib.h>

TileBuilder tileBuilderBefore(MlirOperation op) {
  return (TileBuilder){.context = mlirOperationGetContext(op),
                       .location = mlirOperationGetLocation(op),
                       .block = mlirOperationGetBlock(op),
                       .before = op};
}

TileBuilder tileBuilderAfter(MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  b.before = mlirOperationGetNextInBlock(op);
  return b;
}

TileBuilder tileBuilderAtStart(MlirBlock block) {
  return tileBuilderBefore(mlirBlockGetFirstOperation(block));
}

TileBuilder tileBuilderBehind(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? tileBuilderAtStart(mlirBlockArgumentGetOwner(value))
                                          : tileBuilderAfter(tileValueGetOp(value));
}

TileBuilder tileBuilderAtEnd(MlirBlock block, MlirLocation location) {
  return (TileBuilder){
      .context = mlirLocationGetContext(location), .location = location, .block = block};
}

static MlirOperation insert(const TileBuilder *b, MlirOperation op) {
  if (mlirOperationIsNull(b->before))
    mlirBlockAppendOwnedOperation(b->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
  return op;
}

void tileMoveOps(const TileBuilder *b, MlirOperation first, MlirOperation end,
                 bool (*stays)(MlirOperation)) {
  for (MlirOperation op = first; !mlirOperationIsNull(op) && !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!stays || !stays(op)) {
      mlirOperationRemoveFromParent(op);
      insert(b, op);
    }
    op = next;
  }
}

MlirOperation tileBuildOp(TileBuilder *b, const char *name, intptr_t numOperands,
                          const MlirValue *operands, intptr_t numTypes, const MlirType *types,
                          intptr_t numAttrs, const TileNamedAttr *attrs, intptr_t numRegions) {
  MlirOperationState state = mlirOperationStateGet(tileString(name), b->location);
  mlirOperationStateAddOperands(&state, numOperands, operands);
  mlirOperationStateAddResults(&state, numTypes, types);
  for (intptr_t i = 0; i < numAttrs; ++i) {
    MlirIdentifier key = mlirIdentifierGet(b->context, tileString(attrs[i].name));
    MlirNamedAttribute attr = mlirNamedAttributeGet(key, attrs[i].attr);
    mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  for (intptr_t i = 0; i < numRegions; ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  return insert(b, mlirOperationCreate(&state));
}

MlirOperation tileBuildLike(TileBuilder *b, MlirOperation op, intptr_t numOperands,
                            const MlirValue *operands, const MlirType *types) {
  MlirOperationState state = mlirOperationStateGet(tileOpName(op), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, numOperands, operands);
  mlirOperationStateAddResults(&state, mlirOperationGetNumResults(op), types);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  return insert(b, mlirOperationCreate(&state));
}

MlirOperation tileBuildTaking(TileBuilder *b, const char *name, MlirOperation op,
                              intptr_t numOperands, const MlirValue *operands, intptr_t numTypes,
                              const MlirType *types, intptr_t numAttrs,
                              const TileNamedAttr *attrs) {
  intptr_t numRegions = mlirOperationGetNumRegions(op);
  MlirOperation made =
      tileBuildOp(b, name, numOperands, operands, numTypes, types, numAttrs, attrs, numRegions);
  for (intptr_t i = 0; i < numRegions; ++i)
    mlirRegionTakeBody(mlirOperationGetRegion(made, i), mlirOperationGetRegion(op, i));
  return made;
}

MlirValue tileBuild(TileBuilder *b, const char *name, MlirType type, intptr_t numOperands,
                    const MlirValue *operands) {
  return tileResult(tileBuildOp(b, name, numOperands, operands, 1, &type, TILE_NONE, 0));
}

MlirValue tileBuildBinary(TileBuilder *b, const char *name, MlirValue lhs, MlirValue rhs) {
  return tileBuild(b, name, mlirValueGetType(lhs), TILE_VALUES(lhs, rhs));
}

MlirValue tileBuildWithInt(TileBuilder *b, const char *name, MlirValue x, int64_t constant) {
  MlirValue y = tileBuildInt(b, mlirValueGetType(x), constant);
  return tileBuildBinary(b, name, x, y);
}

MlirValue tileBuildUnary(TileBuilder *b, const char *name, MlirType type, MlirValue operand) {
  return tileBuild(b, name, type, TILE_VALUES(operand));
}

MlirValue tileBuildConstant(TileBuilder *b, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  return tileResult(
      tileBuildOp(b, "arith.constant", TILE_NONE, 1, &type, TILE_ATTRS({"value", value}), 0));
}

MlirAttribute tileSplatAttr(MlirType type, MlirAttribute value) {
  return mlirTypeIsAShaped(type) ? mlirDenseElementsAttrSplatGet(type, value) : value;
}

MlirValue tileBuildInt(TileBuilder *b, MlirType type, int64_t value) {
  MlirAttribute number = mlirIntegerAttrGet(tileElementType(type), value);
  return tileBuildConstant(b, tileSplatAttr(type, number));
}

MlirValue tileBuildFloat(TileBuilder *b, MlirType type, double value) {
  MlirAttribute number = mlirFloatAttrDoubleGet(b->context, tileElementType(type), value);
  return tileBuildConstant(b, tileSplatAttr(type, number));
}

MlirValue tileBuildZero(TileBuilder *b, MlirType type) {
  if (tileTypeIsAPtr(tileElementType(type))) {
    MlirValue address = tileBuildInt(b, tileWithElement(type, tileI64(b->context)), 0);
    return tileBuildUnary(b, "tile.ptr_cast", type, address);
  }
  return tileTypeIsFloat(type) ? tileBuildFloat(b, type, 0) : tileBuildInt(b, type, 0);
}

static MlirValue buildComparison(TileBuilder *b, const char *name, int predicate, MlirValue lhs,
                                 MlirValue rhs) {
  MlirType operand = mlirValueGetType(lhs), type = tileI1(b->context);
  if (mlirTypeIsAVector(operand))
    type = tileVectorType(mlirShapedTypeGetDimSize(operand, 0), type);
  else
    type = tileWithElement(operand, type);
  MlirAttribute attr = mlirIntegerAttrGet(tileI64(b->context), predicate);
  return tileResult(
      tileBuildOp(b, name, TILE_VALUES(lhs, rhs), 1, &type, TILE_ATTRS({"predicate", attr}), 0));
}

MlirValue tileBuildCmpi(TileBuilder *b, int predicate, MlirValue lhs, MlirValue rhs) {
  return buildComparison(b, "arith.cmpi", predicate, lhs, rhs);
}

MlirValue tileBuildCmpf(TileBuilder *b, int predicate, MlirValue lhs, MlirValue rhs) {
  return buildComparison(b, "arith.cmpf", predicate, lhs, rhs);
}

MlirValue tileBuildSelect(TileBuilder *b, MlirValue condition, MlirValue yes, MlirValue no) {
  return tileBuild(b, "arith.select", mlirValueGetType(yes), TILE_VALUES(condition, yes, no));
}

MlirValue tileBuildSlot(TileBuilder *b, MlirValue ring, MlirValue stage) {
  return tileBuild(b, "tile_gpu.buffer_stage", tileBufferWithStages(mlirValueGetType(ring), 1),
                   TILE_VALUES(ring, stage));
}

MlirValue tileBuildDotWait(TileBuilder *b, MlirValue sum, int pending, bool tied) {
  MlirType type = mlirValueGetType(sum);
  MlirAttribute n = mlirIntegerAttrGet(tileI32(b->context), pending);
  TileNamedAttr attrs[] = {{"pending", n}, {"tied", mlirUnitAttrGet(b->context)}};
  return tileResult(
      tileBuildOp(b, "tile_gpu.dot_wait", TILE_VALUES(sum), 1, &type, tied ? 2 : 1, attrs, 0));
}

MlirValue tileBuildNextStage(TileBuilder *b, MlirValue stage, int stages, MlirValue *wraps) {
  MlirType i32 = tileI32(b->context);
  MlirValue one = tileBuildInt(b, i32, 1), count = tileBuildInt(b, i32, stages),
            zero = tileBuildInt(b, i32, 0);
  MlirValue next = tileBuildBinary(b, "arith.addi", stage, one);
  MlirValue isEnd = tileBuildCmpi(b, TILE_EQ, next, count);
  if (wraps) *wraps = isEnd;
  return tileBuildSelect(b, isEnd, zero, next);
}

MlirOperation tileBuildFor(TileBuilder *b, intptr_t numOperands, const MlirValue *operands) {
  intptr_t carried = numOperands - 3;
  MlirType *types = malloc((size_t)(1 + carried) * sizeof *types);
  MlirLocation *locs = malloc((size_t)(1 + carried) * sizeof *locs);
  if (!types || !locs) abort();
  types[0] = mlirValueGetType(operands[0]);
  for (intptr_t i = 0; i < carried; ++i) types[1 + i] = mlirValueGetType(operands[3 + i]);
  for (intptr_t i = 0; i <= carried; ++i) locs[i] = b->location;
  MlirOperation loop =
      tileBuildOp(b, "scf.for", numOperands, operands, carried, types + 1, TILE_NONE, 1);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0),
                             mlirBlockCreate(1 + carried, types, locs));
  free(types);
  free(locs);
  return loop;
}

MlirOperation tileBuildIf(TileBuilder *b, MlirValue condition, intptr_t numTypes,
                          const MlirType *types, bool hasElse) {
  MlirOperation branch = tileBuildOp(b, "scf.if", 1, &condition, numTypes, types, TILE_NONE, 2);
  for (int r = 0; r <= hasElse; ++r)
    mlirRegionAppendOwnedBlock(mlirOperationGetRegion(branch, r), mlirBlockCreate(0, NULL, NULL));
  return branch;
}

MlirOperation tileExtendFor(MlirOperation loop, intptr_t more, const MlirValue *inits) {
  TileBuilder b = tileBuilderBefore(loop);
  intptr_t count = mlirOperationGetNumOperands(loop), results = mlirOperationGetNumResults(loop);
  MlirValue *operands = malloc((size_t)(count + more) * sizeof *operands);
  MlirType *types = malloc((size_t)(results + more + 1) * sizeof *types);
  if (!operands || !types) abort();
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(loop, i);
  for (intptr_t i = 0; i < more; ++i) operands[count + i] = inits[i];
  for (intptr_t i = 0; i < results + more; ++i) types[i] = mlirValueGetType(operands[3 + i]);
  MlirOperation made = tileBuildTaking(&b, "scf.for", loop, count + more, operands, results + more,
                                       types, TILE_NONE);
  for (intptr_t i = 0; i < more; ++i)
    mlirBlockAddArgument(tileBody(made, 0), types[results + i], b.location);
  tileCopyAttributes(loop, made);
  for (intptr_t i = 0; i < results; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(made, i));
  mlirOperationDestroy(loop);
  free(types);
  free(operands);
  return made;
}

void tileExtendYield(MlirBlock body, intptr_t more, const MlirValue *values) {
  MlirOperation yield = mlirBlockGetTerminator(body);
  TileBuilder b = tileBuilderBefore(yield);
  intptr_t count = mlirOperationGetNumOperands(yield);
  MlirValue *operands = malloc((size_t)(count + more + 1) * sizeof *operands);
  if (!operands) abort();
  for (intptr_t i = 0; i < count; ++i) operands[i] = tileOperand(yield, i);
  for (intptr_t i = 0; i < more; ++i) operands[count + i] = values[i];
  tileBuildOp(&b, "scf.yield", count + more, operands, TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(yield);
  free(operands);
}

MlirAttribute tileStringAttr(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, tileString(text));
}

void tileCopyAttributes(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(from); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(from, i);
    mlirOperationSetAttributeByName(to, mlirIdentifierStr(attr.name), attr.attribute);
  }
}

void tileReplaceOp(MlirOperation op, intptr_t numValues, const MlirValue *values) {
  for (intptr_t i = 0; i < numValues; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), values[i]);
  mlirOperationDestroy(op);
}
