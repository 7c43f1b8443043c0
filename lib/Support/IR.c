//===- IR.c - reading MLIR from C -----------------------------------------===//
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

static bool isBarrier(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsABarrier(op);
}

bool tileHoldsBarrier(MlirOperation op) { return tileHoldsOp(op, isBarrier, NULL); }

static bool isDot(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADot(op);
}

bool tileHoldsDot(MlirOperation op) { return tileHoldsOp(op, isDot, NULL); }

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

bool tileOpIsToInteger(MlirOperation op) {
  return tileOpIs(op, "arith.fptosi") || tileOpIs(op, "arith.fptoui");
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

bool tileOpIsLoop(MlirOperation op) { return tileOpIs(op, "scf.for") || tileOpIs(op, "scf.while"); }

/// The innermost op around `op` that `is` holds of, in its kernel; null where there is none.
static MlirOperation opAround(MlirOperation op, bool (*is)(MlirOperation)) {
  for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op) && !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op))
    if (is(op)) return op;
  return (MlirOperation){NULL};
}

MlirOperation tileLoopAround(MlirOperation op) { return opAround(op, tileOpIsLoop); }

static bool isFor(MlirOperation op) { return tileOpIs(op, "scf.for"); }

MlirOperation tileForAround(MlirOperation op) { return opAround(op, isFor); }

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

//===- ops that pass a test -----------------------------------------------===//

typedef struct Finder {
  TileOpTest test;
  void *data;
  MlirOperation found;
} Finder;

static MlirWalkResult find(MlirOperation op, void *data) {
  Finder *f = data;
  if (!f->test(op, f->data)) return MlirWalkResultAdvance;
  f->found = op;
  return MlirWalkResultInterrupt;
}

MlirOperation tileFindOp(MlirOperation root, TileOpTest test, void *data) {
  Finder finder = {test, data, {NULL}};
  mlirOperationWalk(root, find, &finder, MlirWalkPreOrder);
  return finder.found;
}

bool tileHoldsOp(MlirOperation root, TileOpTest test, void *data) {
  return !mlirOperationIsNull(tileFindOp(root, test, data));
}

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
  TileOpTest test;
  void *data;
} Collector;

static MlirWalkResult collect(MlirOperation op, void *data) {
  const Collector *c = data;
  if (!c->test || c->test(op, c->data)) tileOpListAdd(c->list, op);
  return MlirWalkResultAdvance;
}

void tileOpListCollect(TileOpList *list, MlirOperation root, MlirWalkOrder order, TileOpTest test,
                       void *data) {
  Collector collector = {list, test, data};
  mlirOperationWalk(root, collect, &collector, order);
}

void tileOpListDestroy(TileOpList *list) {
  free(list->ops);
  *list = (TileOpList){0};
}
