//===- Step.c - how far neighbours of a tile lie apart --------------------===//
#include "Axis.h"
#include <stdlib.h>

/// How many ops are looked at.
enum { MAX_DEPTH = 16 };

/// What is asked: whether guesses count, too, that a quotient stays and a remainder goes on.
typedef struct {
  const TileAxisAnalysis *analysis;
  bool guesses;
} Question;

static bool stepOf(const Question *q, MlirValue value, int dim, int depth, int64_t *step);

/// Of both operands of `op`, whose positions are its own.
static bool stepsOf(const Question *q, MlirOperation op, int dim, int depth, int64_t steps[2]) {
  for (int i = 0; i < 2; ++i)
    if (!stepOf(q, tileOperand(op, i), dim, depth, &steps[i])) return false;
  return true;
}

/// Of what is multiplied by a number, known or not where neighbours have the same.
static bool stepOfProduct(const Question *q, MlirOperation op, int dim, int depth, int64_t *step) {
  for (int i = 0; i < 2; ++i) {
    const TileAxisInfo *info = tileAxisAnalysisGet(q->analysis, tileOperand(op, i));
    if (!info->hasConstant || !stepOf(q, tileOperand(op, 1 - i), dim, depth, step)) continue;
    return !__builtin_mul_overflow(*step, info->constant, step);
  }
  int64_t steps[2];
  *step = 0;
  return q->guesses && stepsOf(q, op, dim, depth, steps) && !steps[0] && !steps[1];
}

/// Of a quotient or remainder of neighbours, the same number for all: most are within one run of
/// it.
static bool guessStep(const Question *q, MlirOperation op, int dim, int depth, int64_t *step) {
  AxisType type = axisTypeOf(mlirValueGetType(tileResult(op)));
  bool divides = tileOpIsQuotient(op);
  if (!q->guesses || (!divides && !tileOpIsRemainder(op)) ||
      tileAxisAnalysisGet(q->analysis, tileOperand(op, 1))->constancy[dim] < type.extents[dim] ||
      !stepOf(q, tileOperand(op, 0), dim, depth, step))
    return false;
  if (divides) *step = 0;
  return true;
}

/// Do neighbours of a tile of few bits, of which each is `step` above the one before modulo 2^n,
/// lie as far apart once they are wider?
static bool staysApart(const TileAxisAnalysis *analysis, MlirOperation extension, int64_t step) {
  MlirValue from = tileOperand(extension, 0);
  AxisType type = axisTypeOf(mlirValueGetType(from));
  if (type.width >= TILE_OFFSET_BITS || !step) return true;
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, from);
  int64_t all = INT64_C(1) << type.width;
  bool isInOrder = tileOpIs(extension, "arith.extsi") || info->min >= 0;
  return isInOrder && info->rank == type.rank && llabs(step) < all &&
         info->max - info->min < all - llabs(step);
}

static bool extends(MlirOperation op) {
  return tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui");
}

/// Of ops that a position passes through; false where it does not.
static bool passes(MlirOperation op, int *dim) {
  if (tileOpIsAExpandDims(op)) {
    *dim -= *dim > tileExpandDimsGetAxis(op);
    return true;
  }
  return tileOpIsABroadcast(op) || tileOpIsAConvertLayout(op) || extends(op);
}

static bool stepOf(const Question *q, MlirValue value, int dim, int depth, int64_t *step) {
  AxisType type = axisTypeOf(mlirValueGetType(value));
  const TileAxisInfo *info = tileAxisAnalysisGet(q->analysis, value);
  if (dim >= type.rank || info->rank != type.rank) return false;
  *step = info->contiguity[dim] >= type.extents[dim] && type.extents[dim] > 1;
  if (*step || info->constancy[dim] >= type.extents[dim]) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || depth == 0) return false;
  if (passes(op, &dim))
    return stepOf(q, tileOperand(op, 0), dim, depth - 1, step) &&
           (q->guesses || !extends(op) || staysApart(q->analysis, op, *step));
  if (tileOpIs(op, "arith.muli")) return stepOfProduct(q, op, dim, depth - 1, step);
  if (guessStep(q, op, dim, depth - 1, step)) return true;
  bool subtracts = tileOpIs(op, "arith.subi");
  if (!subtracts && !tileOpIs(op, "arith.addi") && !tileOpIsAAddPtr(op)) return false;
  int64_t steps[2];
  if (!stepsOf(q, op, dim, depth - 1, steps)) return false;
  return subtracts ? !__builtin_sub_overflow(steps[0], steps[1], step)
                   : !__builtin_add_overflow(steps[0], steps[1], step);
}

bool tileAxisStep(const TileAxisAnalysis *analysis, MlirValue value, int dim, int64_t *step) {
  const Question q = {analysis, false};
  return stepOf(&q, value, dim, MAX_DEPTH, step);
}

bool axisLikelyStep(const TileAxisAnalysis *analysis, MlirValue value, int dim, int64_t *step) {
  const Question q = {analysis, true};
  return stepOf(&q, value, dim, MAX_DEPTH, step);
}

static bool strideOf(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth,
                     int64_t *divisor);

/// Of a sum or product of two: of a product one is the same all along.
static bool strideOfBoth(const TileAxisAnalysis *analysis, MlirOperation op, int dim, int depth,
                         int64_t *divisor) {
  AxisType type = axisTypeOf(mlirValueGetType(tileResult(op)));
  bool isProduct = tileOpIs(op, "arith.muli"), isFixed = false;
  int64_t sum = 0, product = 0;
  for (int i = 0; i < 2; ++i) {
    int64_t own;
    if (!strideOf(analysis, tileOperand(op, i), dim, depth, &own)) return false;
    sum = axisGcd(sum, own);
    const TileAxisInfo *other = tileAxisAnalysisGet(analysis, tileOperand(op, 1 - i));
    if (other->constancy[dim] < type.extents[dim]) continue;
    isFixed = true;
    int64_t by = other->hasConstant ? llabs(other->constant) : other->divisibility[dim];
    if (own && __builtin_mul_overflow(own, by, &product)) return false;
  }
  *divisor = isProduct ? product : sum;
  return !isProduct || isFixed;
}

/// Does `value` move on by as much from each neighbour along `dim` to the next, a number that may
/// be known to the launch alone? `*divisor`: what divides that; 0 where it stays.
static bool strideOf(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth,
                     int64_t *divisor) {
  AxisType type = axisTypeOf(mlirValueGetType(value));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  if (dim >= type.rank || info->rank != type.rank) return false;
  *divisor = info->constancy[dim] < type.extents[dim];
  if (!*divisor || info->contiguity[dim] >= type.extents[dim]) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || depth == 0) return false;
  if (passes(op, &dim)) return strideOf(analysis, tileOperand(op, 0), dim, depth - 1, divisor);
  bool computes = tileOpIs(op, "arith.muli") || tileOpIs(op, "arith.addi") ||
                  tileOpIs(op, "arith.subi") || tileOpIsAAddPtr(op);
  return computes && strideOfBoth(analysis, op, dim, depth - 1, divisor);
}

bool axisStride(const TileAxisAnalysis *analysis, MlirValue value, int dim, int64_t *divisor) {
  return strideOf(analysis, value, dim, MAX_DEPTH, divisor);
}

static bool divides(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth) {
  AxisType type = axisTypeOf(mlirValueGetType(value));
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || depth == 0 || dim >= type.rank || info->rank != type.rank ||
      info->constancy[dim] >= type.extents[dim])
    return false;
  if (passes(op, &dim)) return divides(analysis, tileOperand(op, 0), dim, depth - 1);
  if (tileOpIsQuotient(op))
    return tileAxisAnalysisGet(analysis, tileOperand(op, 1))->constancy[dim] >= type.extents[dim];
  bool computes = tileOpIs(op, "arith.muli") || tileOpIs(op, "arith.addi") ||
                  tileOpIs(op, "arith.subi") || tileOpIsAAddPtr(op);
  for (int i = 0; computes && i < 2; ++i)
    if (divides(analysis, tileOperand(op, i), dim, depth - 1)) return true;
  return false;
}

bool axisDivides(const TileAxisAnalysis *analysis, MlirValue value, int dim) {
  return divides(analysis, value, dim, MAX_DEPTH);
}

//===- distances that the launch alone knows ------------------------------===//

/// The integer that `value` has everywhere, where it is spread over a tile; null where it is none.
static MlirValue scalarOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) && (tileOpIsABroadcast(op) || tileOpIsAConvertLayout(op) ||
                                      tileOpIsAExpandDims(op) || tileOpIs(op, "arith.extsi")))
    op = tileValueGetOp(tileOperand(op, 0));
  if (mlirOperationIsNull(op) || !tileOpIsASplat(op) ||
      !mlirTypeIsAInteger(mlirValueGetType(tileSplatGetValue(op))))
    return (MlirValue){NULL};
  return tileSplatGetValue(op);
}

/// Has it as many bits as offsets have?
static bool isOffset(MlirValue value) {
  return axisTypeOf(mlirValueGetType(value)).width >= TILE_OFFSET_BITS;
}

static bool distanceOf(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth,
                       TileAxisDistance *distance);

/// Of what is multiplied by a number, known or not.
static bool distanceOfProduct(const TileAxisAnalysis *analysis, MlirOperation op, int dim,
                              int depth, TileAxisDistance *distance) {
  for (int i = 0; i < 2; ++i) {
    MlirValue by = tileOperand(op, i);
    const TileAxisInfo *info = tileAxisAnalysisGet(analysis, by);
    MlirValue scalar = info->hasConstant ? (MlirValue){NULL} : scalarOf(by);
    if (!info->hasConstant && mlirValueIsNull(scalar)) continue;
    if (!distanceOf(analysis, tileOperand(op, 1 - i), dim, depth, distance)) continue;
    if (info->hasConstant)
      return !__builtin_mul_overflow(distance->count, info->constant, &distance->count);
    if (!mlirValueIsNull(distance->times)) return false;
    distance->times = scalar;
    return true;
  }
  return false;
}

/// Of a sum of two, of which one stays, or both move on by as many of the same.
static bool distanceOfSum(const TileAxisAnalysis *analysis, MlirOperation op, int dim, int depth,
                          TileAxisDistance *distance) {
  TileAxisDistance both[2];
  for (int i = 0; i < 2; ++i)
    if (!distanceOf(analysis, tileOperand(op, i), dim, depth, &both[i])) return false;
  *distance = both[both[0].count == 0];
  if (!both[0].count || !both[1].count) return true;
  return mlirValueEqual(both[0].times, both[1].times) &&
         !__builtin_add_overflow(both[0].count, both[1].count, &distance->count);
}

/// Of pointers that an scf.for carries, and moves on as a whole in each step: as where they begin.
static bool distanceOfCarried(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth,
                              TileAxisDistance *distance) {
  MlirBlock body = mlirBlockArgumentGetOwner(value);
  MlirOperation loop = mlirBlockGetParentOperation(body);
  intptr_t i = mlirBlockArgumentGetArgNumber(value) - 1;
  if (!tileOpIs(loop, "scf.for") || i < 0 || depth == 0) return false;
  MlirOperation next = tileValueGetOp(tileOperand(mlirBlockGetTerminator(body), i));
  TileAxisDistance moved;
  return !mlirOperationIsNull(next) && tileOpIsAAddPtr(next) &&
         mlirValueEqual(tileAddPtrGetPtr(next), value) &&
         distanceOf(analysis, tileAddPtrGetOffset(next), dim, depth - 1, &moved) && !moved.count &&
         distanceOf(analysis, tileForGetInit(loop, i), dim, depth - 1, distance);
}

static bool distanceOf(const TileAxisAnalysis *analysis, MlirValue value, int dim, int depth,
                       TileAxisDistance *distance) {
  *distance = (TileAxisDistance){.count = 0};
  if (tileAxisStep(analysis, value, dim, &distance->count)) return true;
  if (mlirValueIsABlockArgument(value))
    return distanceOfCarried(analysis, value, dim, depth, distance);
  MlirOperation op = tileValueGetOp(value);
  if (depth == 0) return false;
  if (passes(op, &dim))
    return distanceOf(analysis, tileOperand(op, 0), dim, depth - 1, distance) &&
           (!extends(op) ||
            (mlirValueIsNull(distance->times) ? staysApart(analysis, op, distance->count)
                                              : isOffset(tileOperand(op, 0))));
  if (tileOpIs(op, "arith.muli")) return distanceOfProduct(analysis, op, dim, depth - 1, distance);
  return (tileOpIs(op, "arith.addi") || tileOpIsAAddPtr(op)) &&
         distanceOfSum(analysis, op, dim, depth - 1, distance);
}

bool tileAxisDistance(const TileAxisAnalysis *analysis, MlirValue value, int dim,
                      TileAxisDistance *distance) {
  return distanceOf(analysis, value, dim, MAX_DEPTH, distance);
}

//===- from one step of a loop to the next --------------------------------===//

static bool movesBy(const TileAxisAnalysis *analysis, MlirValue value, MlirOperation loop,
                    int depth, int64_t *step);

/// Of a sum, a difference, a product with a number, or what nothing changes.
static bool opMovesBy(const TileAxisAnalysis *analysis, MlirOperation op, MlirOperation loop,
                      int depth, int64_t *step) {
  int64_t steps[2] = {0, 0};
  intptr_t count = mlirOperationGetNumOperands(op);
  bool stays = true;
  for (intptr_t i = 0; i < count; ++i) {
    int64_t one;
    if (!movesBy(analysis, tileOperand(op, i), loop, depth, &one)) return false;
    stays &= one == 0;
    if (i < 2) steps[i] = one;
  }
  *step = 0;
  if (stays) return true;
  if (tileOpIsView(op) || tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.extui")) {
    *step = steps[0];
    return true;
  }
  if (tileOpIs(op, "arith.addi") || tileOpIsAAddPtr(op))
    return !__builtin_add_overflow(steps[0], steps[1], step);
  if (tileOpIs(op, "arith.subi")) return !__builtin_sub_overflow(steps[0], steps[1], step);
  for (int i = 0; i < 2 && tileOpIs(op, "arith.muli"); ++i) {
    const TileAxisInfo *by = tileAxisAnalysisGet(analysis, tileOperand(op, i));
    if (by->hasConstant && !steps[i])
      return !__builtin_mul_overflow(steps[1 - i], by->constant, step);
  }
  return false;
}

static bool movesBy(const TileAxisAnalysis *analysis, MlirValue value, MlirOperation loop,
                    int depth, int64_t *step) {
  MlirOperation op = tileValueGetOp(value);
  *step = mlirValueEqual(value, mlirBlockGetArgument(tileBody(loop, 0), 0));
  if (*step || !tileOpHolds(loop, mlirBlockGetParentOperation(tileValueGetBlock(value))))
    return true;
  bool computes = !mlirOperationIsNull(op) && depth > 0 && !mlirOperationGetNumRegions(op) &&
                  tileOpIsMovable(op);
  return computes && opMovesBy(analysis, op, loop, depth - 1, step);
}

bool tileAxisStepInLoop(const TileAxisAnalysis *analysis, MlirValue value, MlirOperation loop,
                        int64_t *step) {
  int64_t each;
  return tileOpIs(loop, "scf.for") && tileConstantInt(tileForGetStep(loop), &each) &&
         movesBy(analysis, value, loop, MAX_DEPTH, step) &&
         !__builtin_mul_overflow(*step, each, step);
}
