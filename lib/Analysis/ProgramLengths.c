//===- ProgramLengths.c - do loops take more steps in later programs? -----===//
#include "tile/Analysis/ProgramLengths.h"
#include "tile/Support/PointerTable.h"
#include "tile/Support/ValueSearch.h"

typedef struct {
  int axis;
  TilePointerTable trends; // of values, as TileTrend; block arguments have none: they are steady
} Trends;

typedef struct {
  int axis;
  bool found;
} Blocks;

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

/// Is it 0 or 1? As a factor it says whether a loop has steps at all.
static bool isTruth(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIs(op, "arith.extui"))
    return mlirTypeIsAInteger(mlirValueGetType(tileOperand(op, 0))) &&
           mlirIntegerTypeGetWidth(mlirValueGetType(tileOperand(op, 0))) == 1;
  int64_t yes, no;
  return tileOpIs(op, "arith.select") && tileConstantInt(tileOperand(op, 1), &yes) &&
         tileConstantInt(tileOperand(op, 2), &no) && yes == 1 && no == 0;
}

/// Of an op of which `isMonotone` holds, or of a difference.
static TileTrend ofArithmetic(const Trends *t, MlirOperation op) {
  TileTrend first = trendOf(t, tileOperand(op, 0));
  if (mlirOperationGetNumOperands(op) == 1) return first;
  TileTrend second = trendOf(t, tileOperand(op, 1));
  if (tileOpIs(op, "arith.subi")) return first | opposite(second);
  if (!isScaled(op)) return first | second;
  if (!tileOpIs(op, "arith.muli")) return second ? TILE_UNKNOWN : first;
  if (isTruth(tileOperand(op, 0))) return second;
  if (isTruth(tileOperand(op, 1))) return first;
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

/// Where the loop ends in programs that did not return early: in others it ends where it begins.
static MlirValue endOf(MlirOperation loop) {
  MlirValue first = tileForGetLower(loop), end = tileForGetUpper(loop);
  MlirOperation op = tileValueGetOp(end);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.select")) return end;
  if (mlirValueEqual(tileOperand(op, 2), first)) return tileOperand(op, 1);
  return mlirValueEqual(tileOperand(op, 1), first) ? tileOperand(op, 2) : end;
}

/// Of a loop's number of steps. Bounds that move together leave it as it is.
static TileTrend trendOfSteps(const Trends *t, MlirOperation loop) {
  TileTrend lower = trendOf(t, tileForGetLower(loop)), upper = trendOf(t, endOf(loop));
  return lower && lower == upper ? TILE_STEADY : upper | opposite(lower);
}

/// Looks at all values of the body; `found` hears of each loop's steps.
static void collectTrends(MlirOperation func, Trends *t,
                          void (*found)(const Trends *, MlirOperation loop, void *data),
                          void *data) {
  TILE_FOR_EACH_OP(op, tileBody(func, 0)) {
    if (tileOpIs(op, "scf.for")) found(t, op, data);
    TileTrend trend = trendOfOp(t, op);
    for (intptr_t r = 0; trend != TILE_STEADY && r < mlirOperationGetNumResults(op); ++r)
      *(TileTrend *)tilePointerTableAdd(&t->trends, mlirOperationGetResult(op, r).ptr,
                                        sizeof trend) = trend;
  }
  tilePointerTableClear(&t->trends);
}

static void joinSteps(const Trends *t, MlirOperation loop, void *data) {
  TileTrend *all = data, steps = trendOfSteps(t, loop);
  if (steps == TILE_GROWS || steps == TILE_SHRINKS) *all |= steps;
}

TileTrend tileProgramLengths(MlirOperation func, int axis) {
  Trends t = {.axis = axis};
  TileTrend all = TILE_STEADY;
  collectTrends(func, &t, joinSteps, &all);
  return all;
}

/// Is `value` read from a place that moves with the program's number? Else what it is computed from
/// may be.
static bool isReadThere(TileValueSearch *s, MlirValue value, const void *data) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  bool selects = tileOpIs(op, "arith.select"); // a loop, or none (early returns)
  for (intptr_t i = selects; i < mlirOperationGetNumOperands(op); ++i)
    tileValueSearchAdd(s, tileOperand(op, i));
  return tileOpIsALoad(op) && trendOf(data, tileOperand(op, 0)) != TILE_STEADY;
}

static void findRead(const Trends *t, MlirOperation loop, void *data) {
  bool *read = data;
  *read |= trendOfSteps(t, loop) == TILE_UNKNOWN &&
           tileValueSearchFinds(tileForGetUpper(loop), isReadThere, t);
}

/// Is `value` a tile, or a place of boxes, of as many elements as a program's number is times?
static bool spreads(MlirValue first, int64_t extent) {
  for (MlirOpOperand use = mlirValueGetFirstUse(first); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIsASplat(user)) continue;
    MlirType type = mlirValueGetType(tileResult(user));
    for (int64_t d = 0; d < mlirShapedTypeGetRank(type); ++d)
      if (mlirShapedTypeGetDimSize(type, d) == extent) return true;
  }
  return false;
}

static MlirWalkResult findBlocks(MlirOperation op, void *data) {
  Blocks *b = data;
  int64_t extent;
  if (!tileOpIs(op, "arith.muli") || !tileConstantInt(tileOperand(op, 1), &extent) || extent < 2)
    return MlirWalkResultAdvance;
  MlirOperation id = tileValueGetOp(tileOperand(op, 0));
  b->found |= !mlirOperationIsNull(id) && tileOpIsAProgramId(id) &&
              (int)tileProgramIdGetAxis(id) == b->axis && spreads(tileResult(op), extent);
  return b->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileProgramLengthsAreReadAlong(MlirOperation func, int axis) {
  Trends t = {.axis = axis};
  Blocks blocks = {.axis = axis};
  bool read = false;
  collectTrends(func, &t, findRead, &read);
  if (read) mlirOperationWalk(func, findBlocks, &blocks, MlirWalkPreOrder);
  return blocks.found;
}

/// Does `value` follow from a program's number?
static bool isOfProgram(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  tileValueSearchAddOperands(s, op);
  return tileOpIsAProgramId(op);
}

/// Is it read from a place that does?
static bool isReadByProgram(TileValueSearch *s, MlirValue value, const void *data) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsALoad(op)) return tileValueSearchFinds(tileOperand(op, 0), isOfProgram, data);
  tileValueSearchAddOperands(s, op);
  return false;
}

/// Does what is read for a program say which of those beside it have work, as the rows of a batch
/// that blocks of rows are counted up to? A constant, or what is read for all, says it of few.
static bool comparesWithRead(TileValueSearch *s, MlirValue value, const void *data) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || tileOpIsALoad(op)) return false;
  tileValueSearchAddOperands(s, op);
  for (int i = 0; tileOpIs(op, "arith.cmpi") && i < 2; ++i)
    if (tileValueSearchFinds(tileOperand(op, i), isReadByProgram, data) &&
        tileValueSearchFinds(tileOperand(op, 1 - i), isOfProgram, data))
      return true;
  return false;
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
    if (selects) read = tileValueSearchFinds(tileOperand(op, 0), comparesWithRead, NULL);
    for (intptr_t i = selects; i < mlirOperationGetNumOperands(op); ++i)
      tileValueSearchAdd(&s, tileOperand(op, i));
  }
  tileValueSearchClear(&s);
  return read;
}
