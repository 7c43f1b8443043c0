//===- ProgramLengths.c - do loops take more steps in later programs? -----===//
#include "tile/Analysis/ProgramLengths.h"
#include "tile/Support/PointerTable.h"
#include "tile/Support/ValueSearch.h"

typedef struct {
  int axis;
  TilePointerTable trends; // of values, as TileTrend; block arguments have none: they are steady
} Trends;

static TileTrend trendOf(const Trends *t, MlirValue value) {
  const TileTrend *trend = tilePointerTableFind(t->trends, value.ptr);
  return trend ? *trend : TILE_STEADY;
}

static TileTrend opposite(TileTrend trend) {
  return trend == TILE_GROWS ? TILE_SHRINKS : trend == TILE_SHRINKS ? TILE_GROWS : trend;
}

/// Does the second operand decide on how steep the result is, and not on where it begins?
static bool isScaled(MlirOperation op) {
  static const char *const names[] = {
      "arith.muli",      "arith.shli",       "arith.divsi", "arith.divui", "arith.ceildivsi",
      "arith.ceildivui", "arith.floordivsi", "arith.shrsi", "arith.shrui", NULL};
  return tileOpIsOneOf(op, names);
}

/// Do the results grow with each of the operands? A divisor is steady where this is asked.
static bool isMonotone(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",       "arith.minsi",        "arith.maxsi", "arith.minui",
      "arith.maxui",      "arith.extsi",        "arith.extui", "arith.trunci",
      "arith.index_cast", "arith.index_castui", NULL};
  return isScaled(op) || tileOpIsOneOf(op, names);
}

/// Of an op of which `isMonotone` holds, or of a difference.
static TileTrend ofArithmetic(const Trends *t, MlirOperation op) {
  TileTrend first = trendOf(t, tileOperand(op, 0));
  if (mlirOperationGetNumOperands(op) == 1) return first;
  TileTrend second = trendOf(t, tileOperand(op, 1));
  if (tileOpIs(op, "arith.subi")) return first | opposite(second);
  if (!isScaled(op)) return first | second;
  if (!tileOpIs(op, "arith.muli")) return second ? TILE_UNKNOWN : first;
  int64_t factor;
  bool known =
      tileConstantInt(tileOperand(op, 1), &factor) || tileConstantInt(tileOperand(op, 0), &factor);
  TileTrend trend = first | second;
  return !known || factor > 0 ? trend : factor ? opposite(trend) : TILE_STEADY;
}

static TileTrend trendOfOp(const Trends *t, MlirOperation op) {
  if (tileOpIsAProgramId(op))
    return (int)tileProgramIdGetAxis(op) == t->axis ? TILE_GROWS : TILE_STEADY;
  if (isMonotone(op) || tileOpIs(op, "arith.subi")) return ofArithmetic(t, op);
  if (mlirOperationGetNumRegions(op)) return TILE_UNKNOWN;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (trendOf(t, tileOperand(op, i)) != TILE_STEADY) return TILE_UNKNOWN;
  return TILE_STEADY;
}

/// Of a loop's number of steps. Bounds that move together leave it as it is.
static TileTrend trendOfSteps(const Trends *t, MlirOperation loop) {
  TileTrend lower = trendOf(t, tileOperand(loop, 0)), upper = trendOf(t, tileOperand(loop, 1));
  return lower && lower == upper ? TILE_STEADY : upper | opposite(lower);
}

TileTrend tileProgramLengths(MlirOperation func, int axis) {
  Trends t = {.axis = axis};
  bool grows = false, shrinks = false;
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (tileOpIs(op, "scf.for")) {
      TileTrend steps = trendOfSteps(&t, op);
      grows |= steps == TILE_GROWS;
      shrinks |= steps == TILE_SHRINKS;
    }
    TileTrend trend = trendOfOp(&t, op);
    for (intptr_t r = 0; trend != TILE_STEADY && r < mlirOperationGetNumResults(op); ++r)
      *(TileTrend *)tilePointerTableAdd(&t.trends, mlirOperationGetResult(op, r).ptr,
                                        sizeof trend) = trend;
  }
  tilePointerTableClear(&t.trends);
  return (grows ? TILE_GROWS : TILE_STEADY) | (shrinks ? TILE_SHRINKS : TILE_STEADY);
}

bool tileProgramLengthsAreRead(MlirOperation func) {
  TileValueSearch s = {0};
  bool read = false;
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    for (intptr_t i = 0; tileOpIs(op, "scf.for") && i < 3; ++i)
      tileValueSearchAdd(&s, tileOperand(op, i));
  }
  while (s.count && !read) {
    MlirOperation op = tileValueGetOp(s.stack[--s.count]);
    if (mlirOperationIsNull(op)) continue;
    read = tileOpIsALoad(op);
    bool selects = tileOpIs(op, "arith.select"); // a loop, or none (early returns)
    for (intptr_t i = selects; i < mlirOperationGetNumOperands(op); ++i)
      tileValueSearchAdd(&s, tileOperand(op, i));
  }
  tileValueSearchClear(&s);
  return read;
}
