//===- SplitMasks.c - steps that a mask leaves alone have their own loop --===//
//
// Before:  scf.for %j = %c0 to %end step %c64 iter_args(%a = %x) {
//            %keys = splat %j + arange(64)
//            %seen = arith.cmpi sle, %keys, %queries            causal: up to the diagonal
//            %s = arith.select %seen, %scores, %hidden
//          }
// After:   %m = min(%c0 + max((%first - 64) - %c0 + 64, 0) / 64 * 64, %end)
//          %b = scf.for %j = %c0 to %m step %c64 iter_args(%a = %x) { .. true for %seen }
//          scf.for %j = %m to %end step %c64 iter_args(%a = %b) { .. as it was }
//
// with %first the least query. Attention hides keys by comparing numbers of keys with those of
// queries, or with a length, in each step, and all but the last steps see everything: without the
// comparison and the selection a multiplication and a subtraction become one instruction, too.
// That is what kernels do by hand that have one loop below the diagonal and one on it.
//
// A comparison counts where its least favourable position is known: sums and differences of the
// loop's counter, of what stands outside of the loop, and of tile.arange, and products of these
// with numbers above 0 (%j * 64, where a loop counts pages), in which the counter stays with a
// factor above 0. Numbers are those of elements, and are taken not to wrap; sums here are
// of 64 bits. Quotients and remainders by numbers count where arange alone is divided. Comparisons
// that later steps satisfy (windows) stay.
//
// Done where it pays: loops of dots that read boxes, whose copies run on from one loop into the
// next where warps have roles. Not where kernels have split already: where one loop
// of dots hands its results to another.
//
// Rings that threads fill would run empty between two loops. In other loops of dots the one tile
// that such comparisons alone select, of enough registers, has a branch instead, which all threads
// take alike:
//
//            %hides = arith.cmpi sge, %j, %m
//            %s = scf.if %hides { %seen = .., yield select %seen, %scores, %hidden }
//                 else { yield %scores }
//
// What is the same of a row in each step, as whether it has a query, is asked in both.
//
// At last a window that is compared on both sides, as 0 <= d and d < 128, or queries >= keys and
// queries - keys < 128, is one unsigned comparison, d < 128, also where others stand between the
// two sides, as a row's and a column's of an image do.
//
// Requires: boxes (tile-raise-descriptors), masks folded.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { mostTerms = 12, mostMasks = 8, mostOps = 200 };

//===- what a comparison asks of the counter ------------------------------===//

/// counter * factor + number + the sum of times[i] * terms[i].
typedef struct {
  MlirOperation loop;
  int64_t factor, number;
  MlirValue terms[mostTerms];
  int64_t times[mostTerms];
  int count;
  int left; ///< ops that may still be looked at
} Sum;

/// The number by which `op` multiplies its operand `which`; 0 where it is none, or makes `times`
/// more than a position can be.
static int64_t scaleOf(MlirOperation op, int64_t times, int *which) {
  int64_t number;
  for (int i = 0; i < 2 && tileOpIs(op, "arith.muli"); ++i) {
    if (!tileConstantInt(tileOperand(op, 1 - i), &number)) continue;
    *which = i;
    bool fits = number > 0 && number <= INT32_MAX / (times < 0 ? -times : times);
    return fits ? number : 0;
  }
  return 0;
}

static bool isSmall(int64_t number) { return number >= INT32_MIN && number <= INT32_MAX; }

static bool addNumber(Sum *sum, MlirValue value, int64_t times) {
  int64_t number;
  int which;
  if (mlirValueEqual(value, mlirBlockGetArgument(tileBody(sum->loop, 0), 0))) {
    sum->factor += times;
    return true;
  }
  if (tileConstantInt(value, &number)) {
    if (!isSmall(number)) return false;
    sum->number += times * number;
    return true;
  }
  if (tileIsOutside(value, sum->loop)) {
    if (sum->count == mostTerms) return false;
    sum->terms[sum->count] = value;
    sum->times[sum->count++] = times;
    return true;
  }
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !sum->left--) return false;
  int64_t scale = scaleOf(op, times, &which);
  if (scale) return addNumber(sum, tileOperand(op, which), times * scale);
  bool subtracts = tileOpIs(op, "arith.subi");
  if (!subtracts && !tileOpIs(op, "arith.addi")) return false;
  return addNumber(sum, tileOperand(op, 0), times) &&
         addNumber(sum, tileOperand(op, 1), subtracts ? -times : times);
}

/// The least and the greatest element of a tile, where they are known.
typedef struct {
  int64_t least, most;
  bool known;
} Span;

static Span spanOf(MlirValue value, int left);

/// Of a quotient or a remainder by a number above 0.
static Span spanOfDivision(MlirOperation op, int left) {
  int64_t by;
  bool divides = tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.divui");
  bool remains = tileOpIs(op, "arith.remsi") || tileOpIs(op, "arith.remui");
  if ((!divides && !remains) || !tileConstantInt(tileOperand(op, 1), &by) || by <= 0)
    return (Span){0};
  Span of = spanOf(tileOperand(op, 0), left);
  if (!of.known || of.least < 0) return (Span){0};
  if (divides) return (Span){of.least / by, of.most / by, true};
  return of.most < by ? of : (Span){0, by - 1, true};
}

/// Of a tile that arange and numbers make alone.
static Span spanOf(MlirValue value, int left) {
  int64_t number, shape[TILE_MAX_RANK];
  int which;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !left) return (Span){0};
  if (tileConstantInt(value, &number)) return (Span){number, number, isSmall(number)};
  if (tileOpIsAArange(op)) {
    tileShape(mlirValueGetType(value), shape);
    return (Span){0, shape[0] - 1, true};
  }
  if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op))
    return spanOf(tileOperand(op, 0), left - 1);
  int64_t scale = scaleOf(op, 1, &which);
  if (scale) {
    Span of = spanOf(tileOperand(op, which), left - 1);
    return (Span){of.least * scale, of.most * scale, of.known};
  }
  return spanOfDivision(op, left - 1);
}

/// Adds `times` times the greatest element of the tile, or with `least` its least.
static bool addTile(Sum *sum, MlirValue value, int64_t times, bool least) {
  int which;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !sum->left--) return false;
  Span span = spanOf(value, mostTerms);
  if (span.known) {
    sum->number += times * (least ? span.least : span.most);
    return true;
  }
  if (tileOpIsASplat(op)) return addNumber(sum, tileOperand(op, 0), times);
  if (tileOpIsAExpandDims(op) || tileOpIsABroadcast(op))
    return addTile(sum, tileOperand(op, 0), times, least);
  int64_t scale = scaleOf(op, times, &which);
  if (scale) return addTile(sum, tileOperand(op, which), times * scale, least);
  bool subtracts = tileOpIs(op, "arith.subi");
  if (!subtracts && !tileOpIs(op, "arith.addi")) return false;
  return addTile(sum, tileOperand(op, 0), times, least) &&
         addTile(sum, tileOperand(op, 1), subtracts ? -times : times, subtracts ? !least : least);
}

/// Fills in what must be below 0 for the comparison to hold at each position; false where it is
/// none that holds for small counters.
static bool findSum(MlirOperation compare, MlirOperation loop, Sum *sum) {
  int64_t predicate = tileIntAttr(compare, "predicate", -1);
  bool less = predicate == TILE_SLT || predicate == TILE_SLE;
  bool more = predicate == TILE_SGT || predicate == TILE_SGE;
  MlirValue small = tileOperand(compare, more), large = tileOperand(compare, !more);
  *sum = (Sum){.loop = loop, .left = mostOps};
  if ((!less && !more) || !addTile(sum, small, 1, false) || !addTile(sum, large, -1, true))
    return false;
  if (predicate == TILE_SLE || predicate == TILE_SGE) --sum->number;
  return sum->factor > 0;
}

//===- loops --------------------------------------------------------------===//

/// The comparisons of a loop, by their places in its body.
typedef struct {
  MlirOperation loop;
  Sum sums[mostMasks];
  int places[mostMasks], count;
} Masks;

/// Does the loop have dots that read boxes, and nothing by threads as large as these?
static bool readsBoxes(MlirOperation loop) {
  int dots = 0, boxes = 0, tiles = 0;
  int64_t shape[TILE_MAX_RANK];
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    dots += tileOpIsADot(op);
    boxes += tileOpIsADescLoad(op);
    if (mlirOperationGetNumRegions(op) && !tileOpIsAReduce(op)) return false;
    if (tileOpIsALoad(op)) tiles += tileShape(mlirValueGetType(tileResult(op)), shape) > 1;
  }
  return dots && boxes && !tiles;
}

static bool holdsBoxes(MlirOperation loop) {
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (tileOpIsADescLoad(op)) return true;
  }
  return false;
}

/// Does it go on where another loop ends, or another where it ends?
static bool isSplit(MlirOperation loop) {
  for (intptr_t i = TILE_FOR_INITS; i < mlirOperationGetNumOperands(loop); ++i) {
    MlirOperation before = tileValueGetOp(tileOperand(loop, i));
    if (!mlirOperationIsNull(before) && tileIsLoopOfDots(before)) return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(loop, i));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (tileIsLoopOfDots(mlirOpOperandGetOwner(use))) return true;
  }
  return false;
}

static bool findMasks(MlirOperation loop, Masks *masks) {
  int place = 0;
  *masks = (Masks){.loop = loop};
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    bool compares = tileOpIs(op, "arith.cmpi") && tileTypeIsTile(mlirValueGetType(tileResult(op)));
    if (compares && masks->count < mostMasks && findSum(op, loop, &masks->sums[masks->count]))
      masks->places[masks->count++] = place;
    ++place;
  }
  return masks->count > 0;
}

//===- splitting ----------------------------------------------------------===//

static MlirValue widen(TileBuilder *b, MlirValue value) {
  MlirType i64 = tileI64(b->context);
  bool wide = mlirTypeEqual(mlirValueGetType(value), i64);
  return wide ? value : tileBuildUnary(b, "arith.extsi", i64, value);
}

/// How far behind the greatest counter for which the comparison holds everywhere one step further
/// is: step + (-1 - number - the terms) / factor, rounded down.
static MlirValue buildReach(TileBuilder *b, const Sum *sum, int64_t step) {
  MlirType i64 = tileI64(b->context);
  MlirValue reach = tileBuildInt(b, i64, step * sum->factor - 1 - sum->number);
  for (int i = 0; i < sum->count; ++i) {
    int64_t times = sum->times[i], size = times < 0 ? -times : times;
    MlirValue term = widen(b, sum->terms[i]);
    if (size > 1) term = tileBuildBinary(b, "arith.muli", term, tileBuildInt(b, i64, size));
    reach = tileBuildBinary(b, times > 0 ? "arith.subi" : "arith.addi", reach, term);
  }
  if (sum->factor == 1) return reach;
  return tileBuildBinary(b, "arith.floordivsi", reach, tileBuildInt(b, i64, sum->factor));
}

/// Where the steps end in front of the loop that all comparisons leave alone.
static MlirValue buildEnd(TileBuilder *b, const Masks *masks, int64_t step) {
  MlirValue reach = {NULL}, lower = widen(b, tileForGetLower(masks->loop));
  MlirValue upper = widen(b, tileForGetUpper(masks->loop));
  MlirType i64 = tileI64(b->context), i32 = tileI32(b->context);
  for (int i = 0; i < masks->count; ++i) {
    MlirValue next = buildReach(b, &masks->sums[i], step);
    reach = i ? tileBuildBinary(b, "arith.minsi", reach, next) : next;
  }
  MlirValue way = tileBuildBinary(b, "arith.subi", reach, lower), by = tileBuildInt(b, i64, step);
  way = tileBuildBinary(b, "arith.maxsi", way, tileBuildInt(b, i64, 0));
  MlirValue steps = tileBuildBinary(b, "arith.divsi", way, by);
  MlirValue end =
      tileBuildBinary(b, "arith.addi", lower, tileBuildBinary(b, "arith.muli", steps, by));
  end = tileBuildBinary(b, "arith.minsi", end, upper);
  return tileBuildUnary(b, "arith.trunci", i32, end);
}

/// The comparisons in `loop`, which is the masks' or a copy of it; how many.
static int findCompared(const Masks *masks, MlirOperation loop, MlirOperation found[mostMasks]) {
  int place = 0, next = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (next < masks->count && place == masks->places[next]) found[next++] = op;
    ++place;
  }
  return next;
}

static void holdMasks(MlirOperation loop, const Masks *masks) {
  MlirOperation found[mostMasks];
  int count = findCompared(masks, loop, found);
  for (int i = 0; i < count; ++i) {
    TileBuilder b = tileBuilderBefore(found[i]);
    MlirValue yes = tileBuildInt(&b, mlirValueGetType(tileResult(found[i])), 1);
    tileReplaceOp(found[i], TILE_VALUES(yes));
  }
}

static void split(const Masks *masks, int64_t step) {
  MlirOperation loop = masks->loop, first = mlirOperationClone(loop);
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue end = buildEnd(&b, masks, step);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(loop), loop, first);
  mlirOperationSetOperand(first, TILE_FOR_UPPER, end);
  mlirOperationSetOperand(loop, TILE_FOR_LOWER, end);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    mlirOperationSetOperand(loop, TILE_FOR_INITS + i, mlirOperationGetResult(first, i));
  holdMasks(first, masks);
  tileTrace(mlirOperationGetLocation(loop),
            "steps that %d masks leave alone have a loop of their own", masks->count);
}

//===- branches -----------------------------------------------------------===//

/// The comparisons of a loop, and what a step is asked in their place.
typedef struct {
  MlirOperation loop, found[mostMasks];
  int count;
  MlirValue hides; ///< i1, in the body: may one of them not hold?
} Branches;

static bool isFound(const Branches *r, MlirOperation op) {
  for (int i = 0; i < r->count && !mlirOperationIsNull(op); ++i)
    if (mlirOperationEqual(r->found[i], op)) return true;
  return false;
}

/// Is it the same in each step, of a row or a column?
static bool isSteadyRow(const Branches *r, MlirValue mask) {
  MlirOperation op = tileValueGetOp(mask);
  return tileIsOutside(mask, r->loop) && !mlirOperationIsNull(op) &&
         (tileOpIsABroadcast(op) || tileOpIsAExpandDims(op));
}

/// Are comparisons all that `mask` is made of in a step, beside rows that are the same in each;
/// `*asks`: is there one?
static bool isMadeOf(const Branches *r, MlirValue mask, bool *asks) {
  MlirOperation op = tileValueGetOp(mask);
  *asks |= isFound(r, op);
  if (isFound(r, op) || isSteadyRow(r, mask)) return true;
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsABroadcast(op) || tileOpIsAExpandDims(op))
    return isMadeOf(r, tileOperand(op, 0), asks);
  return tileOpIs(op, "arith.andi") && isMadeOf(r, tileOperand(op, 0), asks) &&
         isMadeOf(r, tileOperand(op, 1), asks);
}

/// The mask again, at `b`; without `whole` what is left of it where the comparisons hold, or null.
static MlirValue cloneMask(const Branches *r, TileBuilder *b, MlirValue mask, bool whole) {
  MlirOperation op = tileValueGetOp(mask);
  bool compares = isFound(r, op);
  if (compares && !whole) return (MlirValue){NULL};
  if (!compares && isSteadyRow(r, mask)) return mask;
  MlirValue operands[2];
  intptr_t count = compares ? 0 : mlirOperationGetNumOperands(op), some = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = cloneMask(r, b, tileOperand(op, i), whole);
    if (!mlirValueIsNull(operand)) operands[some++] = operand;
  }
  if (some < count && !some) return (MlirValue){NULL};
  if (some < count) return operands[0]; // of two that are joined
  MlirOperation made = mlirOperationClone(op);
  for (intptr_t i = 0; i < count; ++i) mlirOperationSetOperand(made, i, operands[i]);
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, made);
  return tileResult(made);
}

/// Is it worth a branch: scores, of so many elements a thread, and none of them a number? Distances
/// that a position decides, as |i - j|, cost less than being held from the branch on.
static bool isLarge(MlirOperation select) {
  int64_t number, threads = tileNumThreadsOf(select);
  double real;
  MlirValue kept = tileOperand(select, 1);
  int64_t least = tileMachineNumber(tileMachineOf(select), TILE_NUMBER_SUNK_WORDS);
  if (!mlirTypeIsAFloat(tileElementType(mlirValueGetType(kept)))) return false;
  return tileNumElements(mlirValueGetType(kept)) >= least * threads &&
         !tileConstantInt(kept, &number) && !tileConstantFloat(kept, &real);
}

static void branch(const Branches *r, MlirOperation select) {
  TileBuilder b = tileBuilderBefore(select);
  MlirType type = mlirValueGetType(tileResult(select));
  MlirOperation made = tileBuildIf(&b, r->hides, 1, &type, true);
  MlirValue kept = tileOperand(select, 1);
  TileBuilder within = tileBuilderAtEnd(tileBody(made, 0), b.location);
  TileBuilder beside = tileBuilderAtEnd(tileBody(made, 1), b.location);
  MlirValue mask = cloneMask(r, &within, tileOperand(select, 0), true);
  MlirValue rest = cloneMask(r, &beside, tileOperand(select, 0), false);
  MlirValue hidden = tileBuildSelect(&within, mask, kept, tileOperand(select, 2));
  if (!mlirValueIsNull(rest)) kept = tileBuildSelect(&beside, rest, kept, tileOperand(select, 2));
  tileBuildOp(&within, "scf.yield", TILE_VALUES(hidden), TILE_NONE, TILE_NONE, 0);
  tileBuildOp(&beside, "scf.yield", TILE_VALUES(kept), TILE_NONE, TILE_NONE, 0);
  MlirValue result = tileResult(made);
  tileReplaceOp(select, 1, &result);
}

/// What the loop selects by its comparisons alone has a branch, if it is one tile: of two, as the
/// scores of two softmaxes, either would be held over the other's. Why not, where it has none.
static const char *branchLoop(const Masks *masks, int64_t step) {
  MlirBlock body = tileBody(masks->loop, 0);
  Branches r = {.loop = masks->loop};
  r.count = findCompared(masks, masks->loop, r.found);
  TileOpList selects = {0};
  TILE_FOR_EACH_OP(op, body) {
    bool asks = false;
    if (tileOpIs(op, "arith.select") && tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))) &&
        isMadeOf(&r, tileOperand(op, 0), &asks) && asks && isLarge(op))
      tileOpListAdd(&selects, op);
  }
  if (selects.count == 1) {
    TileBuilder b = tileBuilderBefore(masks->loop);
    MlirValue end = buildEnd(&b, masks, step);
    TileBuilder first = tileBuilderAtStart(body);
    r.hides = tileBuildCmpi(&first, TILE_SGE, mlirBlockGetArgument(body, 0), end);
    branch(&r, selects.ops[0]);
    tileTrace(mlirOperationGetLocation(masks->loop), "what masks select has a branch");
  }
  size_t count = selects.count;
  tileOpListDestroy(&selects);
  if (count > 1) return "expected one tile that comparisons select, found several";
  return count ? NULL : "expected a large tile that comparisons alone select";
}

/// Its step, where it counts in i32 by a constant; 0 elsewhere.
static int64_t stepOf(MlirOperation loop) {
  int64_t step;
  MlirType type = mlirValueGetType(tileForGetLower(loop));
  bool counts = mlirTypeEqual(type, tileI32(mlirOperationGetContext(loop)));
  return counts && tileConstantInt(tileForGetStep(loop), &step) && step > 0 ? step : 0;
}

//===- windows ------------------------------------------------------------===//

/// lesser <= greater, of tiles; where `truth` is no such comparison, false.
static bool readOrder(MlirValue truth, MlirValue *lesser, MlirValue *greater) {
  MlirOperation op = tileValueGetOp(truth);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.cmpi")) return false;
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  bool turned = predicate == TILE_SGE;
  *lesser = tileOperand(op, turned);
  *greater = tileOperand(op, !turned);
  return turned || predicate == TILE_SLE;
}

/// Is it the number of an element in a loop, which does not wrap?
static bool isPosition(MlirValue value, MlirOperation loop) {
  Sum sum = {.loop = loop, .left = mostOps};
  return tileOpIs(loop, "scf.for") && addTile(&sum, value, 1, true);
}

/// Is `distance` known not to be below 0 where lesser <= greater: that minus this, or itself beside
/// 0?
static bool isDistance(MlirValue distance, MlirValue lesser, MlirValue greater) {
  int64_t number;
  if (mlirValueEqual(distance, greater)) return tileConstantInt(lesser, &number) && number == 0;
  MlirOperation op = tileValueGetOp(distance);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.subi")) return false;
  MlirOperation loop = mlirOperationGetParentOperation(op);
  return mlirValueEqual(tileOperand(op, 0), greater) &&
         mlirValueEqual(tileOperand(op, 1), lesser) && isPosition(greater, loop) &&
         isPosition(lesser, loop);
}

/// What a distance that is not below 0 is compared with as `far` does it, as an unsigned number.
/// One that the launch says may be below 0, and nothing is less than 0 then; null: that may not be.
static MlirValue widthOf(MlirOperation far, int64_t predicate) {
  MlirValue most = tileOperand(far, 1);
  int64_t number;
  if (tileConstantInt(most, &number)) return number < 0 ? (MlirValue){NULL} : most;
  MlirOperation splat = tileValueGetOp(most);
  if (predicate != TILE_SLT || mlirOperationIsNull(splat) || !tileOpIsASplat(splat))
    return (MlirValue){NULL};
  TileBuilder b = tileBuilderBefore(splat);
  MlirValue scalar = tileOperand(splat, 0);
  MlirValue zero = tileBuildInt(&b, mlirValueGetType(scalar), 0);
  scalar = tileBuildBinary(&b, "arith.maxsi", scalar, zero);
  return tileBuildUnary(&b, "tile.splat", mlirValueGetType(most), scalar);
}

/// Both sides of a window as one comparison, in front of `both`; null where they are none.
static MlirValue joinSides(MlirOperation both, MlirValue near, MlirValue far) {
  MlirValue lesser, greater;
  MlirOperation op = tileValueGetOp(far);
  if (!readOrder(near, &lesser, &greater) || mlirOperationIsNull(op) || !tileOpIs(op, "arith.cmpi"))
    return (MlirValue){NULL};
  int64_t predicate = tileIntAttr(op, "predicate", -1);
  bool ends = predicate == TILE_SLT || predicate == TILE_SLE;
  if (!ends || !isDistance(tileOperand(op, 0), lesser, greater)) return (MlirValue){NULL};
  MlirValue width = widthOf(op, predicate);
  if (mlirValueIsNull(width)) return width;
  TileBuilder b = tileBuilderBefore(both);
  return tileBuildCmpi(&b, predicate == TILE_SLT ? TILE_ULT : TILE_ULE, tileOperand(op, 0), width);
}

/// The same, where one of them is among those that `rest` is all of, which nobody else reads: that
/// one is left out of it.
static MlirValue joinWithin(MlirOperation both, MlirValue truth, MlirValue rest) {
  MlirOperation chain = tileValueGetOp(rest);
  bool isChain = !mlirOperationIsNull(chain) && tileOpIs(chain, "arith.andi") &&
                 !mlirOpOperandIsNull(tileOnlyUse(rest));
  for (int i = 0; i < 2 && isChain; ++i) {
    MlirValue side = tileOperand(chain, i), other = tileOperand(chain, 1 - i);
    MlirValue joined = joinSides(both, side, truth);
    if (mlirValueIsNull(joined)) joined = joinSides(both, truth, side);
    if (!mlirValueIsNull(joined)) {
      tileReplaceOp(chain, 1, &other);
      return joined;
    }
    joined = joinWithin(both, truth, side);
    if (!mlirValueIsNull(joined)) return joined;
  }
  return (MlirValue){NULL};
}

static MlirWalkResult joinWindow(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIs(op, "arith.andi") || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return MlirWalkResultAdvance;
  for (int i = 0; i < 2; ++i) {
    MlirValue joined = joinSides(op, tileOperand(op, i), tileOperand(op, 1 - i));
    if (mlirValueIsNull(joined)) continue;
    tileReplaceOp(op, 1, &joined);
    return MlirWalkResultAdvance;
  }
  for (int i = 0; i < 2; ++i) {
    MlirValue joined = joinWithin(op, tileOperand(op, i), tileOperand(op, 1 - i));
    if (mlirValueIsNull(joined)) continue;
    mlirOperationSetOperand(op, i, joined);
    break;
  }
  return MlirWalkResultAdvance;
}

static void runLoop(MlirOperation loop) {
  Masks masks;
  int64_t step = tileIsLoopOfDots(loop) && !isSplit(loop) ? stepOf(loop) : 0;
  if (!step || !findMasks(loop, &masks)) return;
  const char *why = NULL;
  if (readsBoxes(loop))
    split(&masks, step);
  else if (holdsBoxes(loop))
    why = "expected tiles that come in boxes, or none that do";
  else
    why = branchLoop(&masks, step);
  if (why) tileEmitRemark(mlirOperationGetLocation(loop), "masks stay in each step: %s", why);
}

MlirLogicalResult tileRunSplitMasks(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  mlirOperationWalk(func, joinWindow, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
