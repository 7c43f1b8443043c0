//===- Parts.c - equal parts of tiles -------------------------------------===//
#include "Parts.h"

enum { maxDepth = 128 };

int tileDimBefore(MlirOperation op, int dim) {
  if (tileOpIsATrans(op)) return mlirDenseI32ArrayGetElement(tileTransGetOrderAttr(op), dim);
  if (tileOpIsAExpandDims(op)) {
    int axis = (int)tileExpandDimsGetAxis(op);
    return axis == dim ? -1 : dim - (axis < dim);
  }
  int64_t shape[TILE_MAX_RANK];
  tileShape(mlirValueGetType(tileOperand(op, 0)), shape);
  return tileOpIsABroadcast(op) && shape[dim] == 1 ? -1 : dim;
}

/// The dimension of the operands that runs along `dim` of the results; -1 where none does.
static int operandDim(MlirOperation op, int dim) {
  if (tileOpIsAReduce(op)) return dim + ((int)tileReduceGetAxis(op) <= dim);
  bool isShape = tileOpIsATrans(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op);
  if (isShape) return tileDimBefore(op, dim);
  return tileOpIsASplat(op) ? -1 : dim;
}

static bool isSplatConstant(MlirOperation op) {
  MlirAttribute value = tileAttr(op, "value");
  return tileOpIs(op, "arith.constant") && mlirAttributeIsADenseElements(value) &&
         mlirDenseElementsAttrIsSplat(value);
}

//===- what may be read later ---------------------------------------------===//

/// What a pointer's lanes count from: through steps and shapes to where it comes from.
static MlirValue baseOf(MlirValue pointer) {
  for (MlirOperation op = tileValueGetOp(pointer); !mlirOperationIsNull(op);
       op = tileValueGetOp(pointer)) {
    if (!tileOpIsAAddPtr(op) && !tileOpIsASplat(op) && !tileOpIsABroadcast(op) &&
        !tileOpIsAExpandDims(op))
      break;
    pointer = tileOperand(op, 0);
  }
  return pointer;
}

static bool isArgument(MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         tileOpIsAFunc(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
}

/// Has each lane of both the same distance from its base? Then a lane meets no other lane.
static bool stepsAlike(MlirValue pointer, MlirValue other) {
  if (mlirValueEqual(pointer, other)) return true;
  MlirOperation op = tileValueGetOp(pointer), otherOp = tileValueGetOp(other);
  if (mlirOperationIsNull(op) || mlirOperationIsNull(otherOp)) return false;
  return tileOpIsAAddPtr(op) && tileOpIsAAddPtr(otherOp) &&
         tileOpIsASplat(tileValueGetOp(tileOperand(op, 0))) &&
         tileOpIsASplat(tileValueGetOp(tileOperand(otherOp, 0))) &&
         mlirTypeEqual(mlirValueGetType(pointer), mlirValueGetType(other)) &&
         mlirValueEqual(tileOperand(op, 1), tileOperand(otherOp, 1));
}

typedef struct {
  MlirOperation load, reader;
  bool ok;
} Later;

/// Does `op` leave what the load reads as it is? The reader's own store may overwrite it, lane by
/// lane: each part is read in front of it. Arrays that are passed as different arguments may be
/// one, of which programs read and write the same elements.
static MlirWalkResult checkWrite(MlirOperation op, void *data) {
  Later *later = data;
  bool writes = tileOpGetEffects(op) & TILE_WRITES_GLOBAL;
  if (writes && tileOpIsAccess(op)) {
    MlirValue from = tileLoadGetPtr(later->load), to = tileOperand(op, 0);
    MlirValue base = baseOf(from), otherBase = baseOf(to);
    bool isOther = isArgument(base) && isArgument(otherBase) && !mlirValueEqual(base, otherBase);
    bool isOwn = mlirOperationEqual(op, later->reader), alike = stepsAlike(from, to);
    writes = isOther ? alike && !isOwn : !(alike && isOwn && tileOpIsAStore(op));
  }
  later->ok &= !writes && !tileOpIsABarrier(op);
  return MlirWalkResultAdvance;
}

static bool canReadLater(const TileDivision *d, MlirOperation load) {
  Later later = {load, d->reader, true};
  TileReach *reach = d->reach;
  const int64_t *reader = tilePointerTableFind(reach->places, d->reader.ptr);
  int64_t *clear = tilePointerTableAdd(&reach->clear, load.ptr, sizeof *clear);
  if (*reader <= *clear) return true;
  // From where an earlier reader has looked up to, as long as the block is what it was.
  MlirOperation op = *clear && reach->ops.count ? reach->ops.ops[*clear] : load;
  do {
    op = mlirOperationGetNextInBlock(op);
    mlirOperationWalk(op, checkWrite, &later, MlirWalkPreOrder);
  } while (later.ok && !mlirOperationEqual(op, d->reader));
  // Of its own store the next reader has to know.
  if (later.ok) *clear = *reader - 1;
  return later.ok;
}

//===- can it be? ---------------------------------------------------------===//

/// Do parts of its results follow from parts of its operands?
static bool divides(const TileDivision *d, MlirOperation op) {
  if (isSplatConstant(op) || tileOpIsASplat(op) || tileOpIsAArange(op) || tileOpIsATrans(op) ||
      tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsAReduce(op))
    return true;
  // A load that has to see what others write meanwhile counts as a write, and happens once.
  if (tileOpIsALoad(op))
    return !(tileOpGetEffects(op) & TILE_WRITES_GLOBAL) &&
           mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(d->reader)) &&
           canReadLater(d, op);
  return tileOpIsElementwise(op) && tileOpIsMovable(op) && mlirOperationGetNumRegions(op) == 0;
}

bool tilePartsCan(TileDivision *d, MlirValue value, int dim, int depth) {
  const int *known = tilePointerTableFind(d->dims, value.ptr);
  if (known) return *known == dim;
  int64_t shape[TILE_MAX_RANK];
  MlirOperation op = tileValueGetOp(value);
  int rank = tileShape(mlirValueGetType(value), shape);
  if (mlirOperationIsNull(op) || rank <= dim || shape[dim] % d->count || depth == maxDepth ||
      !divides(d, op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    int *entry = tilePointerTableAdd(&d->dims, mlirOperationGetResult(op, i).ptr, sizeof *entry);
    *entry = dim;
  }
  d->reduces += tileOpIsAReduce(op);
  int before = operandDim(op, dim);
  if (before < 0) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    bool isTile = tileTypeIsTile(mlirValueGetType(operand));
    if (isTile && !tilePartsCan(d, operand, before, depth + 1)) return false;
  }
  return true;
}

//===- building -----------------------------------------------------------===//

/// `type` with a `count`th of the extent along `dim`.
static MlirType partType(MlirType type, int dim, int64_t count) {
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  shape[dim] /= count;
  return mlirRankedTensorTypeGet(rank, shape, tileElementType(type), mlirAttributeGetNull());
}

/// The positions of a part: those of the first, and as many as are in front of it.
static MlirValue partArange(TileBuilder *b, MlirType type, MlirValue number) {
  int64_t length = tileNumElements(type);
  MlirValue step = tileBuildInt(b, mlirValueGetType(number), length);
  MlirValue before = tileBuildBinary(b, "arith.muli", number, step);
  MlirValue first = tileBuild(b, "tile.arange", type, TILE_NONE);
  MlirValue all = tileBuildUnary(b, "tile.splat", type, before);
  return tileBuildBinary(b, "arith.addi", first, all);
}

static void buildOp(const TileDivision *d, TileBuilder *b, TileValueMap *map, MlirOperation op,
                    int dim, MlirValue number) {
  int before = operandDim(op, dim);
  for (intptr_t i = 0; before >= 0 && i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tileOperand(op, i))))
      tilePartsBuild(d, b, map, tileOperand(op, i), number);
  MlirType type = partType(mlirValueGetType(tileResult(op)), dim, d->count);
  b->location = mlirOperationGetLocation(op);
  if (tileOpIsAArange(op)) {
    tileValueMapSet(map, tileResult(op), partArange(b, type, number));
  } else if (isSplatConstant(op)) {
    MlirAttribute value = mlirDenseElementsAttrGetSplatValue(tileAttr(op, "value"));
    MlirAttribute part = mlirDenseElementsAttrSplatGet(type, value);
    tileValueMapSet(map, tileResult(op), tileBuildConstant(b, part));
  } else {
    MlirOperation made = tileCloneMapped(b, map, op);
    // Where padding begins is counted from the whole tile's first element.
    mlirOperationRemoveAttributeByName(made, tileString("tile.extents"));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(made); ++i) {
      MlirValue result = mlirOperationGetResult(made, i);
      mlirValueSetType(result, partType(mlirValueGetType(result), dim, d->count));
    }
  }
}

MlirValue tilePartsBuild(const TileDivision *d, TileBuilder *b, TileValueMap *map, MlirValue value,
                         MlirValue number) {
  const int *dim = tilePointerTableFind(d->dims, value.ptr);
  if (dim && !tileValueMapHas(*map, value)) buildOp(d, b, map, tileValueGetOp(value), *dim, number);
  return tileValueMapGet(*map, value);
}
