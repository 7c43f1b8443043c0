//===- Ragged.c - rows that begin anywhere --------------------------------===//
//
// Of rows that begin anywhere nothing says that an offset of 32 bits does not wrap around within
// one. Here none does: index arithmetic of an address is exact, as affine accesses have it
// (docs/analysis/affine-accesses.md).
//
#include "Axis.h"

/// How many ops of a mask, or of a pointer, are looked at.
enum { MAX_DEPTH = 16 };

/// Of a comparison that is true of what is smaller: the side that must be it. -1: no such one.
static int smallerSide(MlirOperation compare, bool *isUnsigned) {
  int64_t predicate = mlirIntegerAttrGetValueInt(tileAttr(compare, "predicate"));
  *isUnsigned = predicate >= TILE_ULT;
  switch (predicate) {
  case TILE_SLT:
  case TILE_SLE:
  case TILE_ULT:
  case TILE_ULE:
    return 0;
  case TILE_SGT:
  case TILE_SGE:
  case TILE_UGT:
  case TILE_UGE:
    return 1;
  default:
    return -1;
  }
}

static bool isWhole(AxisType type, const TileAxisInfo *info, const int64_t *runs, int dim) {
  return info->rank == type.rank && dim < type.rank && runs[dim] >= type.extents[dim];
}

/// Is what rises by 1 along `dim` compared with what is one number there?
static bool comparesPrefix(const TileAxisAnalysis *analysis, MlirOperation compare, int dim) {
  bool isUnsigned;
  int side = smallerSide(compare, &isUnsigned);
  if (side < 0) return false;
  MlirValue rising = tileOperand(compare, side), bound = tileOperand(compare, 1 - side);
  AxisType type = axisTypeOf(mlirValueGetType(rising));
  const TileAxisInfo *rises = tileAxisAnalysisGet(analysis, rising);
  const TileAxisInfo *stays = tileAxisAnalysisGet(analysis, bound);
  return isWhole(type, rises, rises->contiguity, dim) &&
         isWhole(type, stays, stays->constancy, dim) && (!isUnsigned || rises->min >= 0);
}

/// Is `mask`, along `dim`, true up to some element and false from there on?
static bool isPrefix(const TileAxisAnalysis *analysis, MlirValue mask, int dim, int depth) {
  AxisType type = axisTypeOf(mlirValueGetType(mask));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, mask);
  if (isWhole(type, info, info->constancy, dim)) return true;
  MlirOperation op = tileValueGetOp(mask);
  if (mlirOperationIsNull(op) || depth == 0) return false;
  if (tileOpIs(op, "arith.andi"))
    return isPrefix(analysis, tileOperand(op, 0), dim, depth - 1) &&
           isPrefix(analysis, tileOperand(op, 1), dim, depth - 1);
  if (tileOpIs(op, "arith.cmpi")) return comparesPrefix(analysis, op, dim);
  if (tileOpIsAExpandDims(op)) dim -= dim > tileExpandDimsGetAxis(op);
  bool passes = tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) || tileOpIsAConvertLayout(op);
  return passes && isPrefix(analysis, tileOperand(op, 0), dim, depth - 1);
}

static bool isSteady(const TileAxisAnalysis *analysis, MlirValue value, int dim) {
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  return isWhole(axisTypeOf(mlirValueGetType(value)), info, info->constancy, dim);
}

static bool rises(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth);

/// Does each trip move what the loop carries by one number along `dim`?
static bool movesSteadily(const TileAxisAnalysis *analysis, MlirValue carried, int dim,
                          MlirValue next) {
  for (int depth = 0; depth < MAX_DEPTH && !mlirValueEqual(next, carried); ++depth) {
    MlirOperation op = tileValueGetOp(next);
    if (mlirOperationIsNull(op)) return false;
    bool adds = tileOpIsAAddPtr(op) || tileOpIs(op, "arith.addi");
    if (!adds || !isSteady(analysis, tileOperand(op, 1), dim)) return false;
    next = tileOperand(op, 0);
  }
  return mlirValueEqual(next, carried);
}

/// The same of what a loop carries: in front of it, and round it.
static bool risesRound(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth) {
  MlirBlock body = mlirBlockArgumentGetOwner(value);
  MlirOperation loop = mlirBlockGetParentOperation(body);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (i == 0 || !tileOpIs(loop, "scf.for")) return false;
  MlirValue next = tileOperand(mlirBlockGetTerminator(body), i - 1);
  return rises(analysis, tileOperand(loop, i + 2), dim, depth - 1) &&
         movesSteadily(analysis, value, dim, next);
}

/// Does `value` rise by 1 from each element along `dim` to the next, if nothing wraps?
static bool rises(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth) {
  AxisType type = axisTypeOf(mlirValueGetType(value));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  if (isWhole(type, info, info->contiguity, dim)) return true;
  if (depth == 0 || dim < 0) return false;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return risesRound(analysis, value, dim, depth);
  MlirValue first = mlirOperationGetNumOperands(op) ? tileOperand(op, 0) : value;
  if (tileOpIsAExpandDims(op))
    return rises(analysis, first, dim - (dim > tileExpandDimsGetAxis(op)), depth - 1);
  if (tileOpIsABroadcast(op))
    return axisTypeOf(mlirValueGetType(first)).extents[dim] == type.extents[dim] &&
           rises(analysis, first, dim, depth - 1);
  bool extends = tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui");
  if (extends && axisTypeOf(mlirValueGetType(first)).width < TILE_OFFSET_BITS) return false;
  if (extends || tileOpIsAConvertLayout(op)) return rises(analysis, first, dim, depth - 1);
  if (!tileOpIsAAddPtr(op) && !tileOpIs(op, "arith.addi")) return false;
  MlirValue second = tileOperand(op, 1);
  return (isSteady(analysis, second, dim) && rises(analysis, first, dim, depth - 1)) ||
         (isSteady(analysis, first, dim) && rises(analysis, second, dim, depth - 1));
}

int tileAxisRaggedDim(const TileAxisAnalysis *analysis, MlirOperation load, bool words) {
  enum { CHUNK = 16, WORD = 4, LANES = 32 };
  MlirValue pointers, mask;
  if (!tileOpIsALoad(load) || !axisAccessOf(load, &pointers, &mask)) return -1;
  AxisType type = axisTypeOf(mlirValueGetType(pointers));
  if (type.kind != AXIS_POINTER || type.rank != 2 || type.unit > (words ? WORD : WORD / 2))
    return -1;
  int order[TILE_MAX_RANK];
  tileAxisAccessOrder(analysis, pointers, order);
  int dim = order[0];
  int64_t bytes = type.extents[dim] * type.unit;
  if (!rises(analysis, pointers, dim, MAX_DEPTH)) return -1;
  if (bytes % CHUNK || bytes > CHUNK * LANES) return -1;
  int64_t least = type.unit < WORD ? WORD : 2 * WORD;
  if (tileAxisAccessVector(analysis, load, dim) * type.unit >= least) return -1;
  return mlirValueIsNull(mask) || isPrefix(analysis, mask, dim, MAX_DEPTH) ? dim : -1;
}
