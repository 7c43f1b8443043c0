//===- NestLoops.c - tiles, and the steps of each, from one loop ----------===//
//
// Before:  scf.for %s = 0 to %total step 1 iter_args(%k0 = -1, %t0 = %from, %sum0 = %zero) {
//            %k = arith.select (%k0 == %steps - 1), 0, %k0 + 1
//            %t = scf.if (%k == 0) { ..yield the next tile } else { yield %t0 }
//            %sum = ..%t, %k, %sum0..
//            scf.if (%k == %steps - 1) { ..store %sum.. }
//            %next = arith.select (%k == %steps - 1), %zero, %sum
//            scf.yield %k, %t, %next }
// After:   scf.for %tile = 0 to %tiles step 1 iter_args(%t0 = %from) {
//            %t = ..the next tile
//            %sum = scf.for %k = 0 to %steps step 1 iter_args(%sum0 = %zero) { .. }
//            ..store %sum.. }
//
// Persistent kernels are written so where a compiler overlaps the steps of one loop alone: the
// first steps of a tile are then on their way while the one before is stored. Here boxes are copied
// ahead by a loop that writes nothing, and warps that copy go on to the next tile by themselves.
//
// Which step of its tile a step is says a number that the loop carries, from -1 on and moved on
// before it is used, or from 0 on and moved on behind; or the remainder of the loop's counter. What
// is done in first steps alone goes in front of the inner loop, what is done in last ones behind
// it. The steps of a last tile that is not complete are left out: they write nothing.
//
// Declines, with a remark, where something is written in other steps, or something is read behind
// what is written. Loops without dots stay.
//
// Requires: loops over ranges.  Preserves: numerics, order of effects; but the product of the
// numbers of tiles and of steps, where it is the loop's end, may not wrap.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../../ValueMap.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include <stdlib.h>

enum {
  WRITES = TILE_WRITES_CONSOLE | TILE_WRITES_CONTROL | TILE_WRITES_GLOBAL | TILE_WRITES_LAUNCH |
           TILE_WRITES_SHARED
};

/// One loop that is to be two; then those.
typedef struct {
  MlirOperation loop, outer, inner;
  MlirValue steps;  ///< of a tile; null where it is `number`
  int64_t number;   ///< 0: `steps`
  MlirValue phase;  ///< which step of its tile this is; the inner loop's counter, when there is one
  intptr_t carried; ///< the number of what the loop carries for it; -1: it follows from the counter
  TileValueMap first; ///< what values of the body are in the first step of a tile
  TileValueMap last;  ///< and in the last one
} Nest;

static MlirBlock bodyOf(const Nest *n) {
  return tileBody(mlirOperationIsNull(n->inner) ? n->loop : n->inner, 0);
}
static bool isInBody(const Nest *n, MlirValue value) {
  return mlirBlockEqual(tileValueGetBlock(value), bodyOf(n));
}
static bool isOp(MlirValue value, const char *name) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIs(op, name);
}

//===- finding ------------------------------------------------------------===//

/// Is `value` `by` more than `than`?
static bool isMore(MlirValue value, MlirValue than, int64_t by) {
  int64_t number;
  MlirOperation op = tileValueGetOp(value);
  bool adds = isOp(value, "arith.addi");
  return (adds || isOp(value, "arith.subi")) && mlirValueEqual(tileOperand(op, 0), than) &&
         tileConstantInt(tileOperand(op, 1), &number) && (adds ? number : -number) == by;
}

/// Is `value` the number of steps of a tile, less `less`? Where that is not known yet, it is since.
static bool isSteps(Nest *n, MlirValue value, int64_t less) {
  int64_t number;
  bool known = n->number || !mlirValueIsNull(n->steps);
  if (tileConstantInt(value, &number)) {
    if (!known) n->number = number + less > 0 ? number + less : 0;
    return n->number && n->number == number + less;
  }
  MlirOperation op = tileValueGetOp(value);
  bool differs = less && (isOp(value, "arith.addi") || isOp(value, "arith.subi"));
  if (less && !differs) return false;
  MlirValue steps = less ? tileOperand(op, 0) : value;
  if (less && !isMore(value, steps, -less)) return false;
  if (!known && tileIsOutside(steps, n->loop)) n->steps = steps;
  return !mlirValueIsNull(n->steps) && mlirValueEqual(n->steps, steps);
}

/// Does `condition` hold where `phase` is the last step of a tile?
static bool isLast(Nest *n, MlirValue condition, MlirValue phase) {
  MlirOperation op = tileValueGetOp(condition);
  if (!isOp(condition, "arith.cmpi") || tileIntAttr(op, "predicate", -1) != TILE_EQ) return false;
  for (int i = 0; i < 2; ++i) {
    MlirValue mine = tileOperand(op, i), other = tileOperand(op, 1 - i);
    if (mlirValueEqual(mine, phase) && isSteps(n, other, 1)) return true;
    if (isMore(mine, phase, 1) && isSteps(n, other, 0)) return true;
  }
  return false;
}

static bool isFirst(MlirValue condition, MlirValue phase) {
  int64_t zero;
  MlirOperation op = tileValueGetOp(condition);
  if (!isOp(condition, "arith.cmpi") || tileIntAttr(op, "predicate", -1) != TILE_EQ) return false;
  return mlirValueEqual(tileOperand(op, 0), phase) && tileConstantInt(tileOperand(op, 1), &zero) &&
         zero == 0;
}

/// Is `next` the step behind `phase`, and 0 behind a tile's last one?
static bool movesOn(Nest *n, MlirValue next, MlirValue phase) {
  int64_t zero;
  MlirOperation op = tileValueGetOp(next);
  return isOp(next, "arith.select") && tileConstantInt(tileOperand(op, 1), &zero) && zero == 0 &&
         isMore(tileOperand(op, 2), phase, 1) && isLast(n, tileOperand(op, 0), phase);
}

/// Is what the loop carries read by nobody but what moves it on?
static bool onlyMovesOn(MlirValue carried, MlirValue next) {
  MlirOperation select = tileValueGetOp(next);
  MlirOperation compare = tileValueGetOp(tileOperand(select, 0));
  for (MlirOpOperand use = mlirValueGetFirstUse(carried); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool adds = mlirOperationEqual(user, tileValueGetOp(tileOperand(select, 2)));
    if (!adds && !mlirOperationEqual(user, compare)) return false;
  }
  return !mlirOpOperandIsNull(tileOnlyUse(tileResult(compare)));
}

/// Finds what says which step of its tile a step is.
static bool findPhase(Nest *n) {
  MlirBlock body = tileBody(n->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue counter = mlirBlockGetArgument(body, 0), none = {NULL};
  MlirType type = mlirValueGetType(counter);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(n->loop); ++i) {
    MlirValue carried = mlirBlockGetArgument(body, 1 + i), next = tileOperand(yield, i);
    int64_t from;
    if (!mlirTypeEqual(mlirValueGetType(carried), type) ||
        !tileConstantInt(tileForGetInit(n->loop, i), &from) || from < -1 || from > 0)
      continue;
    n->steps = none, n->number = 0, n->carried = i;
    if (!movesOn(n, next, carried) || (from < 0 && !onlyMovesOn(carried, next))) continue;
    n->phase = from < 0 ? next : carried;
    return true;
  }
  n->carried = -1;
  TILE_FOR_EACH_OP(op, body) {
    if (!tileOpIsRemainder(op) || !mlirValueEqual(tileOperand(op, 0), counter)) continue;
    n->steps = none, n->number = 0, n->phase = tileResult(op);
    if (isSteps(n, tileOperand(op, 1), 0)) return true;
  }
  return false;
}

/// Is each result of `op`, done in last steps, read by the next step alone?
static bool handsOn(const Nest *n, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirOpOperand use = tileOnlyUse(mlirOperationGetResult(op, i));
    MlirOperation yield = mlirBlockGetTerminator(bodyOf(n));
    if (mlirOpOperandIsNull(use) || !mlirOperationEqual(mlirOpOperandGetOwner(use), yield))
      return false;
  }
  return true;
}

static bool isConditional(MlirOperation op) {
  return tileOpIs(op, "scf.if") ||
         (tileOpIs(op, "arith.select") && !tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))));
}

typedef struct {
  const Nest *n;
  bool others; ///< what is neither numbers nor pointers
} Reads;

static MlirWalkResult findOthers(MlirOperation op, void *data) {
  Reads *r = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = tileOperand(op, i);
    MlirType element = tileElementType(mlirValueGetType(value));
    bool number =
        mlirTypeIsAInteger(element) || tileTypeIsFloat(element) || tileTypeIsAPtr(element);
    r->others |= isInBody(r->n, value) && !number;
  }
  return MlirWalkResultAdvance;
}

/// Is `op` done in last steps, for nobody but the next step, and else nothing?
static bool isOfLast(Nest *n, MlirOperation op) {
  if (!isConditional(op) || !isLast(n, tileOperand(op, 0), n->phase) || !handsOn(n, op))
    return false;
  MlirBlock otherwise = {NULL};
  if (tileOpIs(op, "scf.if")) otherwise = tileBody(op, 1);
  if (!mlirBlockIsNull(otherwise) &&
      !mlirOperationEqual(mlirBlockGetFirstOperation(otherwise), mlirBlockGetTerminator(otherwise)))
    return false;
  Reads reads = {.n = n};
  mlirOperationWalk(op, findOthers, &reads, MlirWalkPreOrder);
  return !reads.others;
}

/// Why the loop cannot be two; null where it can.
static const char *whyNot(Nest *n) {
  bool written = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(n->loop); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(n->loop, i))))
      return "nothing that is read behind it";
  TILE_FOR_EACH_OP(op, tileBody(n->loop, 0)) {
    if (tileHoldsEffects(op, WRITES)) {
      if (!isOfLast(n, op)) return "writes in last steps alone";
      written = true;
    } else if (written && tileHoldsEffects(op, TILE_EFFECTS_ALL)) {
      return "nothing that is read behind what is written";
    }
  }
  return written ? NULL : "something that is written in last steps";
}

//===- what values are in first and last steps ----------------------------===//

static MlirValue buildSteps(const Nest *n, TileBuilder *b, MlirType type) {
  return n->number ? tileBuildInt(b, type, n->number) : n->steps;
}

/// What the inner loop hands out of `value`; null where it does not.
static MlirValue handedOut(const Nest *n, MlirValue value) {
  MlirOperation yield = mlirBlockGetTerminator(bodyOf(n));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    if (mlirValueEqual(tileOperand(yield, i), value)) return mlirOperationGetResult(n->inner, i);
  return (MlirValue){NULL};
}

/// An argument of the inner loop's body in the first step, or the last one; null where that is not
/// known.
static MlirValue argumentAt(const Nest *n, TileBuilder *b, bool first, MlirValue argument) {
  intptr_t number = mlirBlockArgumentGetArgNumber(argument);
  if (number > 0) return first ? tileForGetInit(n->inner, number - 1) : (MlirValue){NULL};
  MlirType type = mlirValueGetType(argument);
  if (first) return tileBuildInt(b, type, 0);
  MlirValue steps = buildSteps(n, b, type), one = tileBuildInt(b, type, 1);
  return tileBuildBinary(b, "arith.subi", steps, one);
}

/// What stands for `value`, of the inner loop's body, where `b` builds: in the first step of a tile
/// with n->first, in the last one with n->last. Makes again what follows from what is known; null
/// where that is not enough.
static MlirValue valueAt(Nest *n, TileBuilder *b, TileValueMap *map, MlirValue value) {
  if (!isInBody(n, value) || tileValueMapHas(*map, value)) return tileValueMapGet(*map, value);
  bool first = map == &n->first;
  MlirOperation op = tileValueGetOp(value);
  MlirValue none = {NULL}, out = first ? none : handedOut(n, value);
  if (!mlirValueIsNull(out)) return out; // not kept: the loop may be made anew
  if (mlirOperationIsNull(op)) return argumentAt(n, b, first, value);
  bool again = tileOpIsMovable(op) && !mlirOperationGetNumRegions(op) && !tileHoldsDot(op);
  MlirValue *operands = calloc((size_t)mlirOperationGetNumOperands(op) + 1, sizeof *operands);
  if (!operands) abort();
  for (intptr_t i = 0; again && i < mlirOperationGetNumOperands(op); ++i) {
    operands[i] = valueAt(n, b, map, tileOperand(op, i));
    again = !mlirValueIsNull(operands[i]);
  }
  if (again) {
    MlirOperation made = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, made);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      mlirOperationSetOperand(made, i, operands[i]);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      tileValueMapSet(map, mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  }
  free(operands);
  return again ? tileValueMapGet(*map, value) : none;
}

/// `value` of the last step: handed out of the inner loop where it cannot be made again.
static MlirValue valueBehind(Nest *n, TileBuilder *b, MlirValue value) {
  MlirValue found = valueAt(n, b, &n->last, value);
  if (!mlirValueIsNull(found)) return found;
  TileBuilder front = tileBuilderBefore(n->inner);
  MlirValue none = tileBuildZero(&front, mlirValueGetType(value));
  n->inner = tileExtendFor(n->inner, 1, &none);
  tileExtendYield(bodyOf(n), 1, &value);
  return handedOut(n, value);
}

/// An op that reads what is made in the body, in front of the inner loop or behind it.
typedef struct {
  Nest *n;
  TileBuilder *b;
  bool first;
  bool changes; ///< else it is only asked whether all is known
  bool unknown;
} Settling;

static MlirValue settled(Settling *s, MlirValue value) {
  if (!isInBody(s->n, value)) return value;
  return s->first ? valueAt(s->n, s->b, &s->n->first, value) : valueBehind(s->n, s->b, value);
}

static MlirWalkResult settle(MlirOperation op, void *data) {
  Settling *s = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue known = settled(s, tileOperand(op, i));
    s->unknown |= mlirValueIsNull(known);
    if (s->changes && !s->unknown) mlirOperationSetOperand(op, i, known);
  }
  return s->unknown ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Makes what `op` does under its condition read what is known where it will stand; false, with
/// nothing changed, where something is not.
static bool settleThen(Settling *s, MlirOperation op) {
  if (!tileOpIs(op, "scf.if")) {
    MlirValue known = settled(s, tileOperand(op, 1));
    if (!mlirValueIsNull(known)) mlirOperationSetOperand(op, 1, known);
    return !mlirValueIsNull(known);
  }
  for (int turn = 0; turn < 2; ++turn) {
    s->changes = turn;
    TILE_FOR_EACH_OP(inside, tileBody(op, 0)) {
      mlirOperationWalk(inside, settle, s, MlirWalkPreOrder);
      if (s->unknown) return false;
    }
  }
  return true;
}

/// What `op`, of a condition, hands on as its result `i` where that holds, or does not.
static MlirValue whatOf(MlirOperation op, bool holds, intptr_t i) {
  if (!tileOpIs(op, "scf.if")) return tileOperand(op, holds ? 1 : 2);
  return tileOperand(mlirBlockGetTerminator(tileBody(op, holds ? 0 : 1)), i);
}

/// Moves what `op` does under its condition to where `b` builds; `op` is gone.
static void moveThen(const TileBuilder *b, MlirOperation op) {
  if (tileOpIs(op, "scf.if")) {
    MlirBlock then = tileBody(op, 0);
    tileMoveOps(b, mlirBlockGetFirstOperation(then), mlirBlockGetTerminator(then), NULL);
  }
  mlirOperationDestroy(op);
}

//===- the two loops ------------------------------------------------------===//

/// Is what `op`, done in first steps, else hands on carried by the loop, and read by `op` alone?
static bool onlyBegins(const Nest *n, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue carried = whatOf(op, false, i);
    if (!isInBody(n, carried) || !mlirOperationIsNull(tileValueGetOp(carried)) ||
        mlirBlockArgumentGetArgNumber(carried) == 0)
      return false;
    for (intptr_t j = 0; j < i; ++j)
      if (mlirValueEqual(whatOf(op, false, j), carried)) return false;
    for (MlirOpOperand use = mlirValueGetFirstUse(carried); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      if (!tileOpHolds(op, mlirOpOperandGetOwner(use))) return false;
  }
  return true;
}

/// Puts what is done in first steps in front of the inner loop.
static void moveToFront(Nest *n, MlirOperation op) {
  TileBuilder b = tileBuilderBefore(n->inner);
  Settling s = {.n = n, .b = &b, .first = true};
  if (!onlyBegins(n, op) || !settleThen(&s, op)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue carried = whatOf(op, false, i);
    mlirOperationSetOperand(n->inner, TILE_FOR_INITS + mlirBlockArgumentGetArgNumber(carried) - 1,
                            whatOf(op, true, i));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), carried);
  }
  moveThen(&b, op);
}

/// Puts what is done in last steps behind the inner loop.
static void moveBehind(Nest *n, MlirOperation op) {
  MlirOperation next = mlirBlockGetTerminator(tileBody(n->outer, 0));
  TileBuilder b = tileBuilderBefore(next);
  Settling s = {.n = n, .b = &b};
  settleThen(&s, op);
  MlirOperation yield = mlirBlockGetTerminator(bodyOf(n));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    intptr_t number = mlirOpOperandGetOperandNumber(tileOnlyUse(mlirOperationGetResult(op, i)));
    mlirOperationSetOperand(next, number, whatOf(op, true, i));
    mlirOperationSetOperand(yield, number, whatOf(op, false, i));
  }
  moveThen(&b, op);
}

/// How many tiles all steps make: the other factor of their product, or a quotient.
static MlirValue buildTiles(const Nest *n, TileBuilder *b) {
  MlirValue total = tileForGetUpper(n->loop), tiles = {NULL};
  MlirType type = mlirValueGetType(total);
  MlirOperation product = tileValueGetOp(total);
  MlirValue steps = buildSteps(n, b, type), none = tileBuildInt(b, type, 0);
  for (int i = 0; isOp(total, "arith.muli") && i < 2; ++i) {
    int64_t number;
    MlirValue factor = tileOperand(product, i);
    if (n->number ? tileConstantInt(factor, &number) && number == n->number
                  : mlirValueEqual(factor, steps))
      tiles = tileOperand(product, 1 - i);
  }
  if (mlirValueIsNull(tiles)) {
    MlirValue one = tileBuildInt(b, type, 1);
    MlirValue divisor = tileBuildBinary(b, "arith.maxsi", steps, one);
    tiles = tileBuildBinary(b, "arith.divsi", total, divisor);
  }
  if (n->number) return tiles;
  MlirValue some = tileBuildCmpi(b, TILE_SGT, steps, none);
  return tileBuildSelect(b, some, tiles, none);
}

/// An scf.for from 0 to `end` that carries `inits`.
static MlirOperation buildLoop(TileBuilder *b, MlirValue end, intptr_t count,
                               const MlirValue *inits) {
  MlirValue *operands = malloc((size_t)(TILE_FOR_INITS + count) * sizeof *operands);
  if (!operands) abort();
  operands[TILE_FOR_LOWER] = tileBuildInt(b, mlirValueGetType(end), 0);
  operands[TILE_FOR_UPPER] = end;
  operands[TILE_FOR_STEP] = tileBuildInt(b, mlirValueGetType(end), 1);
  for (intptr_t i = 0; i < count; ++i) operands[TILE_FOR_INITS + i] = inits[i];
  MlirOperation loop = tileBuildFor(b, TILE_FOR_INITS + count, operands);
  free(operands);
  return loop;
}

/// Makes the outer loop, and the inner one in it, whose body is that of the loop.
static void buildLoops(Nest *n) {
  TileBuilder b = tileBuilderBefore(n->loop);
  intptr_t count = mlirOperationGetNumResults(n->loop);
  MlirValue *values = malloc((size_t)(count + 1) * sizeof *values);
  if (!values) abort();
  for (intptr_t i = 0; i < count; ++i) values[i] = tileForGetInit(n->loop, i);
  MlirValue tiles = buildTiles(n, &b);
  n->outer = buildLoop(&b, tiles, count, values);
  b = tileBuilderAtEnd(tileBody(n->outer, 0), b.location);
  for (intptr_t i = 0; i < count; ++i)
    if (i != n->carried) values[i] = mlirBlockGetArgument(tileBody(n->outer, 0), 1 + i);
  MlirValue steps = buildSteps(n, &b, mlirValueGetType(tiles));
  MlirOperation inner = buildLoop(&b, steps, count, values);
  tileCopyAttributes(n->loop, inner);
  for (intptr_t i = 0; i < count; ++i)
    values[i] = i == n->carried ? mlirBlockGetArgument(tileBody(n->outer, 0), 1 + i)
                                : mlirOperationGetResult(inner, i);
  tileBuildOp(&b, "scf.yield", count, values, TILE_NONE, TILE_NONE, 0);
  b = tileBuilderAtEnd(tileBody(inner, 0), b.location);
  tileMoveOps(&b, mlirBlockGetFirstOperation(tileBody(n->loop, 0)), (MlirOperation){NULL}, NULL);
  n->inner = inner;
  free(values);
}

/// The counter of the loop that was, its quotients and remainders, by the counters of the two.
static void replaceCounter(Nest *n) {
  MlirBlock body = bodyOf(n);
  MlirValue was = mlirBlockGetArgument(tileBody(n->loop, 0), 0);
  MlirValue step = mlirBlockGetArgument(body, 0);
  MlirValue tile = mlirBlockGetArgument(tileBody(n->outer, 0), 0);
  TILE_FOR_EACH_OP(op, body) {
    bool divides = tileOpIsQuotient(op);
    if ((divides || tileOpIsRemainder(op)) && mlirValueEqual(tileOperand(op, 0), was) &&
        isSteps(n, tileOperand(op, 1), 0))
      tileReplaceOp(op, 1, divides ? &tile : &step);
  }
  TileBuilder b = tileBuilderAtStart(body);
  MlirValue steps = buildSteps(n, &b, mlirValueGetType(step));
  MlirValue before = tileBuildBinary(&b, "arith.muli", tile, steps);
  MlirValue counter = tileBuildBinary(&b, "arith.addi", before, step);
  mlirValueReplaceAllUsesOfWith(was, counter);
}

static void nest(Nest *n) {
  buildLoops(n);
  MlirBlock body = bodyOf(n), was = tileBody(n->loop, 0);
  MlirValue step = mlirBlockGetArgument(body, 0);
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(was); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    bool isPhase = mlirValueEqual(n->phase, mlirBlockGetArgument(was, i));
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(was, i), isPhase ? step : argument);
  }
  if (n->carried >= 0) {
    if (isInBody(n, n->phase)) mlirValueReplaceAllUsesOfWith(n->phase, step);
    mlirOperationSetOperand(mlirBlockGetTerminator(body), n->carried,
                            mlirBlockGetArgument(body, 1 + n->carried));
  }
  replaceCounter(n);
  mlirOperationDestroy(n->loop);
  n->phase = step;
  TileOpList ops = {0};
  TILE_FOR_EACH_OP(op, body) {
    if (isConditional(op)) tileOpListAdd(&ops, op);
  }
  for (size_t i = 0; i < ops.count; ++i) {
    MlirValue condition = tileOperand(ops.ops[i], 0);
    if (isFirst(condition, step))
      moveToFront(n, ops.ops[i]);
    else if (isOfLast(n, ops.ops[i]))
      moveBehind(n, ops.ops[i]);
  }
  tileOpListDestroy(&ops);
  tileValueMapClear(&n->first);
  tileValueMapClear(&n->last);
}

static void runLoop(MlirOperation loop) {
  int64_t from, by;
  Nest n = {.loop = loop};
  if (!tileConstantInt(tileForGetLower(loop), &from) || from != 0 ||
      !tileConstantInt(tileForGetStep(loop), &by) || by != 1 || !tileHoldsDot(loop) ||
      !findPhase(&n))
    return;
  const char *why = whyNot(&n);
  if (why)
    tileEmitRemark(mlirOperationGetLocation(loop), "tiles and steps stay one loop: expected %s",
                   why);
  else
    nest(&n);
}

MlirLogicalResult tileRunNestLoops(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
