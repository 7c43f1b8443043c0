//===- IR.c - reading and building MLIR from C ----------------------------===//
#include "tile/IR.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>
#include <string.h>

//===- reading ------------------------------------------------------------===//

bool tileOpIsModular(MlirOperation op) {
  static const char *const names[] = {"arith.addi", "arith.subi",   "arith.muli",
                                      "arith.shli", "arith.trunci", NULL};
  return tileOpIsOneOf(op, names);
}

bool tileOpIsOfDialect(MlirOperation op, const char *dialect) {
  MlirStringRef name = tileOpName(op);
  size_t length = strlen(dialect);
  return name.length > length && name.data[length] == '.' && !memcmp(name.data, dialect, length);
}

static bool isScalar(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) || mlirTypeIsAFloat(type) ||
         tileTypeIsAPtr(type);
}

bool tileOpIsScalarArithmetic(MlirOperation op) {
  if (!tileOpIsMovable(op) || mlirOperationGetNumResults(op) == 0) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!isScalar(mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isScalar(mlirValueGetType(tileOperand(op, i)))) return false;
  return true;
}

bool tileOpIsSource(MlirOperation op) {
  if (!tileOpIsMovable(op) || mlirOperationGetNumResults(op) != 1 ||
      !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tileOperand(op, i)))) return false;
  return true;
}

MlirOperation tileValueGetOp(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

MlirOperation tileValueGetSource(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && (tileOpIsATrans(op) || tileOpIsAReshape(op)))
    op = tileValueGetOp(tileOperand(op, 0));
  return op;
}

bool tileOpIsWgmma(MlirOperation op) {
  return tileOpIsADot(op) && tileDotGetInstruction(op) == TILE_INSTRUCTION_WGMMA;
}

bool tileOpIsBufferView(MlirOperation op) {
  return tileOpIsABufferStage(op) || tileOpIsABufferTrans(op);
}

MlirOperation tileBufferGetSource(MlirValue buffer) {
  MlirOperation op = tileValueGetOp(buffer);
  while (!mlirOperationIsNull(op) && tileOpIsBufferView(op))
    op = tileValueGetOp(tileOperand(op, 0));
  return op;
}

MlirOperation tileBufferGetAlloc(MlirValue buffer) {
  MlirOperation op = tileValueGetOp(buffer);
  return !mlirOperationIsNull(op) && tileOpIsAAllocShared(op) ? op : (MlirOperation){NULL};
}

bool tileDotReadsStored(MlirOperation dot, MlirOperation store) {
  MlirOperation written = tileBufferGetSource(tileBufferStoreGetBuffer(store));
  for (int i = 0; i < 2; ++i) {
    MlirValue operand = tileOperand(dot, i);
    if (tileTypeIsABuffer(mlirValueGetType(operand)) &&
        mlirOperationEqual(tileBufferGetSource(operand), written))
      return true;
  }
  return false;
}

int64_t tileIntAttr(MlirOperation op, const char *name, int64_t otherwise) {
  MlirAttribute attr = tileAttr(op, name);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr)) return otherwise;
  return mlirIntegerAttrGetValueInt(attr);
}

bool tileOpGetExtents(MlirOperation op, int rank, int64_t extents[TILE_MAX_RANK]) {
  MlirAttribute attr = tileAttr(op, "tile.extents");
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsADenseI64Array(attr) ||
      mlirDenseArrayGetNumElements(attr) != rank)
    return false;
  for (int d = 0; d < rank; ++d)
    if (mlirDenseI64ArrayGetElement(attr, d) < 1) return false;
  for (int d = 0; d < rank; ++d) extents[d] = mlirDenseI64ArrayGetElement(attr, d);
  return true;
}

MlirOpOperand tileOnlyUse(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool several = !mlirOpOperandIsNull(use) && !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return several ? (MlirOpOperand){NULL} : use;
}

int64_t tileSliceOffset(MlirOperation slice, int d) {
  MlirAttribute offset = mlirArrayAttrGetElement(tileSliceGetOffsetsAttr(slice), d);
  return mlirAttributeIsAInteger(offset) ? mlirIntegerAttrGetValueInt(offset) : -1;
}

int64_t tilePadExtent(int64_t extent) {
  int64_t padded = 1;
  while (padded < extent) padded *= 2;
  return padded;
}

static MlirWalkResult findBarrier(MlirOperation op, void *data) {
  if (!tileOpIsABarrier(op)) return MlirWalkResultAdvance;
  *(bool *)data = true;
  return MlirWalkResultInterrupt;
}

bool tileHoldsBarrier(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, findBarrier, &found, MlirWalkPreOrder);
  return found;
}

static MlirWalkResult findDot(MlirOperation op, void *data) {
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  *(bool *)data = true;
  return MlirWalkResultInterrupt;
}

bool tileHoldsDot(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, findDot, &found, MlirWalkPreOrder);
  return found;
}

MlirBlock tileValueGetBlock(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

MlirOperation tileAncestorIn(MlirBlock block, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool tileOpIsOneOf(MlirOperation op, const char *const *names) {
  while (*names && !tileOpIs(op, *names)) ++names;
  return *names != NULL;
}

bool tileOpIsQuotient(MlirOperation op) {
  return tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.divui");
}

bool tileOpIsRemainder(MlirOperation op) {
  return tileOpIs(op, "arith.remsi") || tileOpIs(op, "arith.remui");
}

bool tileOpDividesIntegers(MlirOperation op) {
  static const char *const others[] = {"arith.ceildivsi", "arith.ceildivui", "arith.floordivsi",
                                       NULL};
  return tileOpIsQuotient(op) || tileOpIsRemainder(op) || tileOpIsOneOf(op, others);
}

bool tileOpHolds(MlirOperation outer, MlirOperation inner) {
  while (!mlirOperationIsNull(inner) && !mlirOperationEqual(inner, outer))
    inner = mlirOperationGetParentOperation(inner);
  return !mlirOperationIsNull(inner);
}

MlirOperation tileFuncOf(MlirOperation op) {
  while (!tileOpIsAFunc(op)) op = mlirOperationGetParentOperation(op);
  return op;
}

int tileNumWarpsOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tileOpIsAFunc(op)) op = mlirOperationGetParentOperation(op);
  return mlirOperationIsNull(op) ? TILE_USUAL_WARPS
                                 : (int)tileIntAttr(op, "tile.num_warps", TILE_USUAL_WARPS);
}

int tileNumThreadsOf(MlirOperation op) {
  enum { WARP = 1 << TILE_LANE_BITS };
  return WARP * tileNumWarpsOf(op);
}

bool tileBlockHolds(MlirBlock outer, MlirBlock inner) {
  if (mlirBlockEqual(inner, outer)) return true;
  return !mlirOperationIsNull(tileAncestorIn(outer, mlirBlockGetParentOperation(inner)));
}

MlirOperation tileNextOrNull(MlirOperation op) {
  return mlirOperationIsNull(op) ? op : mlirOperationGetNextInBlock(op);
}

//===- types --------------------------------------------------------------===//

MlirType tileElementType(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

int tileShape(MlirType type, int64_t shape[TILE_MAX_RANK]) {
  if (!tileTypeIsTile(type)) return 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > TILE_MAX_RANK) return -1;
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeIsDynamicDim(type, i) ? -1 : mlirShapedTypeGetDimSize(type, i);
  return (int)rank;
}

int64_t tileNumElements(MlirType type) {
  int64_t shape[TILE_MAX_RANK], count = 1;
  int rank = tileShape(type, shape);
  for (int i = 0; i < rank; ++i) count *= shape[i];
  return count;
}

/// A ranked tensor of `type`'s shape.
static MlirType retype(MlirType type, MlirType element, MlirAttribute encoding) {
  int64_t shape[TILE_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank && i < TILE_MAX_RANK; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirRankedTensorTypeGet(rank, shape, element, encoding);
}

MlirType tileWithElement(MlirType type, MlirType element) {
  if (!tileTypeIsTile(type)) return element;
  return retype(type, element, mlirRankedTensorTypeGetEncoding(type));
}

MlirType tileWithEncoding(MlirType type, MlirAttribute encoding) {
  if (!tileTypeIsTile(type)) return type;
  return retype(type, mlirShapedTypeGetElementType(type), encoding);
}

bool tileTypeGetLayout(MlirType type, TileLayout *layout) {
  int64_t shape[TILE_MAX_RANK];
  if (!tileTypeIsTile(type)) return false;
  int rank = tileShape(type, shape);
  MlirAttribute attr = mlirRankedTensorTypeGetEncoding(type);
  return rank >= 0 && tileAttributeIsALayout(attr) && tileLayoutFromAttr(attr, rank, shape, layout);
}

int64_t tileTypeGetWords(MlirType type) {
  TileLayout layout;
  int64_t bits = tileBitWidth(tileElementType(type));
  if (tileTypeIsABuffer(type)) return 1;
  if (!tileTypeIsTile(type)) return (bits + 31) / 32;
  if (!tileTypeGetLayout(type, &layout)) return INT64_MAX;
  return ((bits << layout.inBits[TILE_REGISTER]) + 31) / 32;
}

MlirType tileBufferWithStages(MlirType buffer, int stages) {
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = tileBufferTypeGetRank(buffer);
  for (int d = 0; d < rank; ++d) {
    shape[d] = tileBufferTypeGetDim(buffer, d);
    order[d] = tileBufferTypeGetOrder(buffer, d);
  }
  MlirType type =
      tileBufferTypeGet(mlirTypeGetContext(buffer), rank, shape, tileBufferTypeGetElement(buffer),
                        tileBufferTypeGetSwizzle(buffer), order, stages);
  return tileBufferTypeIsRagged(buffer) ? tileBufferTypeGetRagged(type) : type;
}

MlirType tileBufferTurned(MlirType buffer) {
  if (tileBufferTypeGetRank(buffer) != 2) return (MlirType){NULL};
  const int64_t shape[] = {tileBufferTypeGetDim(buffer, 1), tileBufferTypeGetDim(buffer, 0)};
  const int64_t order[] = {1 - tileBufferTypeGetOrder(buffer, 0),
                           1 - tileBufferTypeGetOrder(buffer, 1)};
  MlirType type = tileBufferTypeGet(
      mlirTypeGetContext(buffer), 2, shape, tileBufferTypeGetElement(buffer),
      tileBufferTypeGetSwizzle(buffer), order, (int)tileBufferTypeGetStages(buffer));
  return tileBufferTypeIsRagged(buffer) ? tileBufferTypeGetRagged(type) : type;
}

int tileBitWidth(MlirType element) {
  if (mlirTypeIsAInteger(element)) return (int)mlirIntegerTypeGetWidth(element);
  if (mlirTypeIsAFloat(element)) return (int)mlirFloatTypeGetWidth(element);
  return 64;
}

int64_t tileBufferPitch(MlirType buffer) {
  int64_t row = tileBufferTypeGetDim(buffer, (int)tileBufferTypeGetOrder(buffer, 0));
  return row * tileBitWidth(tileBufferTypeGetElement(buffer)) / 8 + 16;
}

int64_t tileBufferBytes(MlirType buffer) {
  int bits = tileBitWidth(tileBufferTypeGetElement(buffer));
  if (tileBufferTypeIsRagged(buffer)) {
    int64_t rows = tileBufferTypeGetDim(buffer, (int)tileBufferTypeGetOrder(buffer, 1));
    // What says where rows begin ends at a multiple of 16 bytes, too.
    int64_t places = (4 * rows + 15) / 16 * 16;
    return (rows * tileBufferPitch(buffer) + places) * tileBufferTypeGetStages(buffer);
  }
  int64_t bytes = (bits < 8 ? 1 : bits / 8) * tileBufferTypeGetStages(buffer);
  for (int i = 0; i < tileBufferTypeGetRank(buffer); ++i) bytes *= tileBufferTypeGetDim(buffer, i);
  return bytes;
}

bool tileTypeIsFloat(MlirType type) { return mlirTypeIsAFloat(tileElementType(type)); }

int64_t tileFloatGetLargest(MlirType type) {
  if (mlirTypeIsAF64(type)) return INT64_C(0x7ff0000000000000);
  if (mlirTypeIsAF32(type)) return 0x7f800000;
  if (mlirTypeIsAF16(type)) return 0x7c00;
  if (mlirTypeIsABF16(type)) return 0x7f80;
  return mlirTypeIsAFloat8E5M2(type) ? 0x7c : 0x7e;
}

MlirType tileI1(MlirContext context) { return mlirIntegerTypeGet(context, 1); }
MlirType tileI8(MlirContext context) { return mlirIntegerTypeGet(context, 8); }
MlirType tileI16(MlirContext context) { return mlirIntegerTypeGet(context, 16); }
MlirType tileI32(MlirContext context) { return mlirIntegerTypeGet(context, 32); }
MlirType tileI64(MlirContext context) { return mlirIntegerTypeGet(context, 64); }
MlirType tileF32(MlirContext context) { return mlirF32TypeGet(context); }
MlirType tileVectorType(int64_t n, MlirType element) { return mlirVectorTypeGet(1, &n, element); }

//===- building -----------------------------------------------------------===//

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

MlirValue tileBuild(TileBuilder *b, const char *name, MlirType type, intptr_t numOperands,
                    const MlirValue *operands) {
  return tileResult(tileBuildOp(b, name, numOperands, operands, 1, &type, TILE_NONE, 0));
}

MlirValue tileBuildBinary(TileBuilder *b, const char *name, MlirValue lhs, MlirValue rhs) {
  return tileBuild(b, name, mlirValueGetType(lhs), TILE_VALUES(lhs, rhs));
}

MlirValue tileBuildUnary(TileBuilder *b, const char *name, MlirType type, MlirValue operand) {
  return tileBuild(b, name, type, TILE_VALUES(operand));
}

MlirValue tileBuildConstant(TileBuilder *b, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  return tileResult(
      tileBuildOp(b, "arith.constant", TILE_NONE, 1, &type, TILE_ATTRS({"value", value}), 0));
}

/// `value` itself, or a splat of it where `type` is shaped.
static MlirValue buildSplat(TileBuilder *b, MlirType type, MlirAttribute value) {
  if (mlirTypeIsAShaped(type)) value = mlirDenseElementsAttrSplatGet(type, value);
  return tileBuildConstant(b, value);
}

MlirValue tileBuildInt(TileBuilder *b, MlirType type, int64_t value) {
  return buildSplat(b, type, mlirIntegerAttrGet(tileElementType(type), value));
}

MlirValue tileBuildFloat(TileBuilder *b, MlirType type, double value) {
  return buildSplat(b, type, mlirFloatAttrDoubleGet(b->context, tileElementType(type), value));
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
  MlirOperation made =
      tileBuildOp(&b, "scf.for", count + more, operands, results + more, types, TILE_NONE, 1);
  mlirRegionTakeBody(mlirOperationGetRegion(made, 0), mlirOperationGetRegion(loop, 0));
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

MlirAttribute tileIntegerAttr(MlirType type, int64_t value) {
  return mlirIntegerAttrGet(type, value);
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

//===- values that are known ----------------------------------------------===//

/// What a constant holds, or a splat of it; null for anything else.
static MlirAttribute constantOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  MlirAttribute none = {NULL};
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.constant")) return none;
  MlirAttribute attr = tileAttr(op, "value");
  if (mlirAttributeIsADenseElements(attr))
    return mlirDenseElementsAttrIsSplat(attr) ? mlirDenseElementsAttrGetSplatValue(attr) : none;
  return attr;
}

bool tileConstantInt(MlirValue value, int64_t *result) {
  MlirAttribute attr = constantOf(value);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr)) return false;
  *result = mlirIntegerAttrGetValueInt(attr);
  return true;
}

bool tileConstantFloat(MlirValue value, double *result) {
  MlirAttribute attr = constantOf(value);
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAFloat(attr)) return false;
  *result = mlirFloatAttrGetValueDouble(attr);
  return true;
}

bool tileIsZero(MlirValue value) {
  int64_t number;
  double real;
  if (tileConstantInt(value, &number)) return number == 0;
  return tileConstantFloat(value, &real) && real == 0;
}

//===- lists of ops -------------------------------------------------------===//

void tileOpListAdd(TileOpList *list, MlirOperation op) {
  list->ops = tileGrow(list->ops, list->count, &list->capacity, sizeof *list->ops);
  list->ops[list->count++] = op;
}

bool tileOpListHolds(const TileOpList *list, MlirOperation op) {
  for (size_t i = 0; i < list->count; ++i)
    if (mlirOperationEqual(list->ops[i], op)) return true;
  return false;
}

typedef struct Collector {
  TileOpList *list;
  bool (*test)(MlirOperation op, void *data);
  void *data;
} Collector;

static MlirWalkResult collect(MlirOperation op, void *data) {
  const Collector *c = data;
  if (!c->test || c->test(op, c->data)) tileOpListAdd(c->list, op);
  return MlirWalkResultAdvance;
}

void tileOpListCollect(TileOpList *list, MlirOperation root, MlirWalkOrder order,
                       bool (*test)(MlirOperation op, void *data), void *data) {
  Collector collector = {list, test, data};
  mlirOperationWalk(root, collect, &collector, order);
}

void tileOpListDestroy(TileOpList *list) {
  free(list->ops);
  *list = (TileOpList){0};
}
