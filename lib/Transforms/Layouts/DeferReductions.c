//===- DeferReductions.c - threads meet once, behind a loop ---------------===//
//
// Before:  %s = scf.for .. iter_args(%sum = %start) {
//            %r = tile.reduce add %x axis 1 : tensor<64x64xf32> -> tensor<64xf32>
//            %c = tile_gpu.convert_layout %r
//            %next = arith.addf %sum, %c
//            scf.yield %next
//          }
// After:   %parts = scf.for .. iter_args(%part = dense<-0.0>) {
//            %split = tile.reshape %x : tensor<64x64xf32> -> tensor<64x16x4xf32>
//            %own = tile.reduce add %split axis 2       // in a thread's registers
//            %next = arith.addf %part, %own : tensor<64x16xf32>
//            scf.yield %next
//          }
//          %r = tile.reduce add %parts axis 1
//          %c = tile_gpu.convert_layout %r
//          %s = arith.addf %start, %c
//
// A reduction that is combined with what a loop carries, by the op that it is made with, and is
// looked at behind the loop alone, need not be finished in each step: its shuffles, its way through
// shared memory and its barriers are made once. What lies along the axis in a thread's registers is
// combined at once, the rest is carried as it is.
//
// Sums of floats are added in another order than the loop has it. A reduction adds its terms in any
// order, and those of all steps are terms of one sum: each is added to no more others than before,
// those of one thread and step first, so the bound of the error does not grow; what is carried
// starts from -0, which every sum leaves as it is. The order follows from the layout alone: a
// launch always gives the same bits. Of numbers of which every order gives the same (integers,
// least and greatest) nothing changes.
//
// Declined with a remark where a thread would carry too many words, or the layout mixes the axis
// with others.
//
// Requires: layouts assigned.  Preserves: numerics but for the order of additions.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "Layouts.h"
#include "OwnParts.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"

enum { mostSteps = 8 };

/// A carried value that a reduction is combined with in each step.
typedef struct {
  MlirOperation loop;
  intptr_t number;                ///< of the value among what the loop carries
  MlirOperation reduce, combine;  ///< in the loop's body
  MlirOperation chain[mostSteps]; ///< from the reduction to what is combined
  int steps;
  TileOwnPart part; ///< what a thread combines by itself
} Sum;

static bool isOnlyUse(MlirValue value) { return !mlirOpOperandIsNull(tileOnlyUse(value)); }

static bool movesAlong(MlirOperation op) {
  return tileOpIsAConvertLayout(op) || tileOpIsAExpandDims(op) || tileOpIsAReshape(op);
}

/// Does the value come from a reduction, through changes of shape and layout that nobody else
/// reads?
static bool findReduction(Sum *s, MlirValue value, MlirBlock body) {
  for (s->steps = 0; s->steps < mostSteps; ++s->steps) {
    MlirOperation op = tileValueGetOp(value);
    if (mlirOperationIsNull(op) || !isOnlyUse(value) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), body))
      return false;
    s->reduce = op;
    if (tileOpIsAReduce(op)) return mlirOperationGetNumOperands(op) == 1;
    if (!movesAlong(op)) return false;
    s->chain[s->steps] = op;
    value = tileOperand(op, 0);
  }
  return false;
}

/// Finds how the loop makes what it carries as number `s->number`.
static bool findSum(Sum *s) {
  MlirBlock body = tileBody(s->loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, s->number + 1);
  MlirValue next = tileOperand(mlirBlockGetTerminator(body), s->number);
  s->combine = tileValueGetOp(next);
  if (mlirOperationIsNull(s->combine) || !isOnlyUse(next) || !isOnlyUse(carried) ||
      !mlirBlockEqual(mlirOperationGetBlock(s->combine), body) ||
      mlirOperationGetNumOperands(s->combine) != 2 ||
      mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(s->loop, s->number))))
    return false;
  bool first = mlirValueEqual(tileOperand(s->combine, 0), carried);
  if (!first && !mlirValueEqual(tileOperand(s->combine, 1), carried)) return false;
  if (!findReduction(s, tileOperand(s->combine, first), body)) return false;
  MlirOperation only = tileCombineGetOnlyOp(s->reduce);
  return !mlirOperationIsNull(only) && !mlirAttributeIsNull(tileCombineGetIdentity(s->reduce)) &&
         mlirIdentifierEqual(mlirOperationGetName(only), mlirOperationGetName(s->combine));
}

/// What the loop carries besides, without what it only hands on.
static int64_t wordsCarried(const Sum *s) {
  int64_t words = 0;
  MlirBlock body = tileBody(s->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(s->loop); ++i)
    if (i != s->number && !mlirValueEqual(tileOperand(yield, i), mlirBlockGetArgument(body, i + 1)))
      words += tileTypeGetWords(mlirValueGetType(mlirOperationGetResult(s->loop, i)));
  return words;
}

/// Does each step exchange anything that it need not?
static bool pays(const Sum *s) {
  bool pays = !tileOwnPartIsWhole(&s->part);
  for (int i = 0; i < s->steps; ++i) pays |= tileOpIsAConvertLayout(s->chain[i]);
  return pays;
}

//===- rewriting ----------------------------------------------------------===//

/// The chain behind the reduction, once more over `value`, at `b`.
static MlirValue moveAlong(TileBuilder *b, const Sum *s, MlirValue value) {
  for (int i = s->steps; i-- > 0;) {
    MlirType type = mlirValueGetType(tileResult(s->chain[i]));
    value = tileResult(tileBuildLike(b, s->chain[i], 1, &value, &type));
  }
  return value;
}

/// What was carried is no longer wanted: it stays a number that canonicalize drops.
static void keepUnread(const Sum *s, TileBuilder *b, MlirValue carried) {
  MlirValue unread = tileBuildZero(b, mlirValueGetType(carried));
  mlirOperationSetOperand(s->loop, TILE_FOR_INITS + s->number, unread);
  mlirOperationSetOperand(mlirBlockGetTerminator(tileBody(s->loop, 0)), s->number, carried);
}

/// Is it what a loop that was visited before has behind it, as this sum would have it: its parts
/// reduced, and moved along?
static bool isFinished(const Sum *s, MlirValue value, MlirType type, MlirValue *parts) {
  MlirOperation only = tileCombineGetOnlyOp(s->reduce);
  bool reduced = tileOwnPartIsWhole(&s->part);
  for (int i = 0; i < mostSteps + 2; ++i) {
    MlirOperation op = tileValueGetOp(value);
    if (mlirOperationIsNull(op) || !isOnlyUse(value)) return false;
    if (reduced && tileOpIs(op, "scf.for")) {
      *parts = value;
      return mlirTypeEqual(mlirValueGetType(value), type);
    }
    if (tileOpIsAReduce(op)) {
      MlirOperation other = tileCombineGetOnlyOp(op);
      if (reduced || mlirOperationGetNumOperands(op) != 1 || mlirOperationIsNull(other) ||
          !mlirIdentifierEqual(mlirOperationGetName(only), mlirOperationGetName(other)) ||
          (int)tileReduceGetAxis(op) != s->part.axis)
        return false;
      reduced = true;
    } else if (!movesAlong(op)) {
      return false;
    }
    value = tileOperand(op, 0);
  }
  return false;
}

/// Where the loop goes on with the sum of another one, as the masked steps of a row do behind the
/// others, threads go on with their parts of it: `parts`, and `*from` what they are added to.
static bool findEarlier(const Sum *s, MlirType type, MlirValue *from, MlirValue *parts) {
  MlirOperation end = tileValueGetOp(*from);
  if (mlirOperationIsNull(end) || !isOnlyUse(*from) ||
      !mlirIdentifierEqual(mlirOperationGetName(end), mlirOperationGetName(s->combine)))
    return false;
  for (int i = 0; i < 2; ++i) {
    if (!isFinished(s, tileOperand(end, i), type, parts)) continue;
    *from = tileOperand(end, 1 - i);
    return true;
  }
  return false;
}

static MlirOperation defer(Sum *s) {
  MlirValue source = tileOperand(s->reduce, 0);
  TileBuilder before = tileBuilderBefore(s->loop), in = tileBuilderBefore(s->combine);
  bool isWhole = tileOwnPartIsWhole(&s->part);
  MlirValue own = isWhole ? tileResult(s->reduce) : tileReduceOwn(&in, &s->part, source);
  MlirType type = mlirValueGetType(own);
  MlirAttribute identity = tileCombineGetIdentity(s->reduce);
  MlirAttribute start =
      tileTypeIsTile(type) ? mlirDenseElementsAttrSplatGet(type, identity) : identity;
  MlirValue from = tileForGetInit(s->loop, s->number), init;
  if (!findEarlier(s, type, &from, &init)) init = tileBuildConstant(&before, start);
  s->loop = tileExtendFor(s->loop, 1, &init);
  MlirBlock body = tileBody(s->loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, s->number + 1);
  bool first = mlirValueEqual(tileOperand(s->combine, 0), carried);
  MlirValue part = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  MlirValue both[] = {first ? part : own, first ? own : part};
  MlirValue next = tileResult(tileBuildLike(&in, s->combine, 2, both, &type));
  tileExtendYield(body, 1, &next);
  before = tileBuilderBefore(s->loop);
  keepUnread(s, &before, carried);
  TileBuilder behind = tileBuilderAfter(s->loop);
  intptr_t last = mlirOperationGetNumResults(s->loop) - 1;
  MlirValue result = mlirOperationGetResult(s->loop, s->number);
  MlirValue whole = tileReduceRest(&behind, &s->part, mlirOperationGetResult(s->loop, last));
  whole = moveAlong(&behind, s, whole);
  MlirValue ends[] = {first ? from : whole, first ? whole : from};
  MlirType wide = mlirValueGetType(result);
  MlirOperation end = tileBuildLike(&behind, s->combine, 2, ends, &wide);
  mlirValueReplaceAllUsesOfWith(result, tileResult(end));
  mlirOperationDestroy(s->combine);
  for (int i = 0; i < s->steps; ++i) mlirOperationDestroy(s->chain[i]);
  if (!isWhole) mlirOperationDestroy(s->reduce);
  return s->loop;
}

/// Why what a loop carries stays, said where nothing else is left to be done.
static void explain(const Sum *s, const char *reason, int most, int all) {
  MlirLocation loc = mlirOperationGetLocation(s->reduce);
  if (reason)
    tileEmitRemark(loc, "threads meet in each step: %s", reason);
  else if (tileOwnPartWords(&s->part) > most)
    tileEmitRemark(loc, "threads meet in each step: expected at most %d words a thread, found %d",
                   most, (int)tileOwnPartWords(&s->part));
  else
    tileEmitRemark(loc,
                   "threads meet in each step: expected a loop that carries at most %d words a "
                   "thread, found %d",
                   all, (int)(wordsCarried(s) + tileOwnPartWords(&s->part)));
}

/// Defers what can be of one value that `*loop` carries, which is another loop then; true if it
/// did.
static bool visit(MlirOperation *loop, intptr_t number, bool explains) {
  Sum s = {.loop = *loop, .number = number};
  if (!findSum(&s)) return false;
  const TileMachine *machine = tileMachineOf(*loop);
  int most = tileMachineNumber(machine, TILE_NUMBER_SUM_WORDS);
  int all = tileMachineNumber(machine, TILE_NUMBER_SUM_REGISTERS);
  s.part.reduce = s.reduce;
  const char *reason = tilePlanOwnPart(&s.part);
  if (!reason && !pays(&s)) return false;
  if (reason || tileOwnPartWords(&s.part) > most ||
      wordsCarried(&s) + tileOwnPartWords(&s.part) > all) {
    if (explains) explain(&s, reason, most, all);
    return false;
  }
  *loop = defer(&s);
  return true;
}

/// Of several sums one may leave room for another: until no more can be deferred.
static void visitLoop(MlirOperation loop) {
  intptr_t count = mlirOperationGetNumResults(loop);
  bool more = true;
  while (more) {
    more = false;
    for (intptr_t number = 0; number < count; ++number) more |= visit(&loop, number, false);
  }
  for (intptr_t number = 0; number < count; ++number) visit(&loop, number, true);
}

MlirLogicalResult tileRunDeferReductions(MlirOperation func) {
  // Inner loops come first: what is left behind one may be what the next one carries.
  tileVisitLoops(func, visitLoop);
  return mlirLogicalResultSuccess();
}
