//===- LoadInStep.c - what is loaded a step ahead is loaded in its step ---===//
//
// Before:  %a0 = tile.load %p                      // by its author, for the first step
//          %p1 = tile.addptr %p, %by
//          %r:3 = scf.for .. to %n - 1 iter_args(%q = %p1, %a = %a0, %s = %zero) {
//            %next = tile.load %q
//            %d = tile.dot %a, .., %s
//            %q1 = tile.addptr %q, %by
//            scf.yield %q1, %next, %d }
//          %sum = tile.dot %r#1, .., %r#2          // and the last step
// After:   %r:3 = scf.for .. to %n iter_args(%q = %p, .., %s = %zero) {
//            %a = tile.load %q
//            %d = tile.dot %a, .., %s
//            %q1 = tile.addptr %q, %by
//            scf.yield %q1, .., %d }
//
// Who learned to hide latency by hand loads the next step's tiles in front of this one's dot. So
// the loop carries whole tiles, in registers, of which nothing can be copied ahead into shared
// memory: what runs ahead is tile's own part, and begins with loads in the steps that want them.
//
// The first load has to read what the one in the loop would have read a step before: the same ops
// over what the loop carries, each of whose numbers and pointers begins one addition further on.
// These are begun one earlier, and read by such loads alone. Those that are moved on in front of
// the load are read as the step begins. Where the values are wanted behind
// the loop they are loaded there, by the same ops; where what stands behind the loop is all of a
// step once more, the loop takes that step, too.
//
// Loops without dots are none of its business. Declines, with a remark, where a loop of dots
// writes or waits, since the loads move past what it does; where what is loaded in front of it is
// something else, or something is written behind that; where somebody else reads the addresses as
// they are in this step; and where the tiles are wanted behind a loop whose counter in its last
// step is not known by a difference.
//
// Requires: meta-parameters bound; loops over ranges; before tile-count-offsets, which takes the
// pointers apart.  Preserves: numerics; which elements are loaded.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { MOST = 32, MOST_OPERANDS = 8, BUDGET = 2048 };

/// A loop, and what is found out of it.
typedef struct {
  MlirOperation loop, yield;
  MlirBlock body;
  intptr_t numCarried;
  bool isTile[MOST];      ///< carried from a load in one step to the next step
  bool isWalked[MOST];    ///< begins one addition further on than it will
  bool isNext[MOST];      ///< its next value is read: in the step before that was what it is
  MlirValue before[MOST]; ///< what that begins with; null where it is `number`
  int64_t number[MOST];
  bool counts;        ///< an address or a mask asks for the counter
  TileOpList slice;   ///< ops in the body that addresses and masks are made of, and the loads
  MlirOperation load; ///< the one that is looked at
  int budget;
} Ahead;

static MlirValue argOf(const Ahead *a, intptr_t k) { return mlirBlockGetArgument(a->body, k + 1); }

static MlirValue initOf(const Ahead *a, intptr_t k) { return tileForGetInit(a->loop, k); }
static MlirValue nextOf(const Ahead *a, intptr_t k) { return tileOperand(a->yield, k); }

static bool isOutside(const Ahead *a, MlirValue value) {
  return !tileBlockHolds(a->body, tileValueGetBlock(value));
}

static bool sameNumber(MlirValue a, MlirValue b) {
  int64_t x, y;
  return mlirValueEqual(a, b) || (mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) &&
                                  tileConstantInt(a, &x) && tileConstantInt(b, &y) && x == y);
}

static void addToSlice(Ahead *a, MlirOperation op) {
  if (!tileOpListHolds(&a->slice, op)) tileOpListAdd(&a->slice, op);
}

static bool sameOps(MlirOperation x, MlirOperation y) {
  if (!mlirStringRefEqual(tileOpName(x), tileOpName(y)) ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y) ||
      mlirOperationGetNumAttributes(x) != mlirOperationGetNumAttributes(y) ||
      mlirOperationGetNumResults(x) != 1 || mlirOperationGetNumResults(y) != 1 ||
      mlirOperationGetNumRegions(x) ||
      !mlirTypeEqual(mlirValueGetType(tileResult(x)), mlirValueGetType(tileResult(y))))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(x); ++i) {
    MlirNamedAttribute p = mlirOperationGetAttribute(x, i), q = mlirOperationGetAttribute(y, i);
    if (!mlirIdentifierEqual(p.name, q.name) || !mlirAttributeEqual(p.attribute, q.attribute))
      return false;
  }
  return true;
}

/// `x op y`, which wraps around: numbers of a kernel's text may be any.
static int64_t wrap(int64_t x, char op, int64_t y) {
  uint64_t a = (uint64_t)x, b = (uint64_t)y;
  return (int64_t)(op == '+' ? a + b : op == '-' ? a - b : a * b);
}

//===- what the step before begins with -----------------------------------===//

/// Finds out what carried `k` was before it was moved on as a step moves it on.
static bool findBefore(Ahead *a, intptr_t k) {
  if (a->isWalked[k]) return true;
  if (a->isNext[k]) return false;
  static const char *const moves[] = {"arith.addi", "arith.subi", "tile.addptr", NULL};
  MlirOperation move = tileValueGetOp(nextOf(a, k)), first = tileValueGetOp(initOf(a, k));
  if (mlirOperationIsNull(move) || !tileOpIsOneOf(move, moves) ||
      !mlirValueEqual(tileOperand(move, 0), argOf(a, k)) || !isOutside(a, tileOperand(move, 1)))
    return false;
  MlirValue by = tileOperand(move, 1);
  int64_t begin, step;
  if (!mlirOperationIsNull(first) && mlirStringRefEqual(tileOpName(first), tileOpName(move)) &&
      sameNumber(tileOperand(first, 1), by)) {
    a->before[k] = tileOperand(first, 0);
  } else if (tileConstantInt(initOf(a, k), &begin) && tileConstantInt(by, &step)) {
    a->before[k] = (MlirValue){NULL};
    a->number[k] = wrap(begin, tileOpIs(move, "arith.subi") ? '+' : '-', step);
  } else {
    return false;
  }
  return a->isWalked[k] = true;
}

/// The carried value whose next one is `value`, which nothing begins earlier; -1: none.
static intptr_t nextIs(const Ahead *a, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIsMovable(op)) return -1;
  for (intptr_t k = 0; k < a->numCarried; ++k)
    if (!a->isWalked[k] && !a->isTile[k] && mlirValueEqual(value, nextOf(a, k))) return k;
  return -1;
}

/// The number that `value` of the body is in the step before the first, where it is a constant.
static bool numberBefore(Ahead *a, MlirValue value, int64_t *result) {
  int64_t x, y;
  if (tileConstantInt(value, result)) return true;
  if (isOutside(a, value)) return false;
  intptr_t k = tileCarriedNumber(a->body, value);
  if (mlirValueEqual(value, mlirBlockGetArgument(a->body, 0))) {
    a->counts = true;
    if (!tileConstantInt(tileForGetLower(a->loop), &x) ||
        !tileConstantInt(tileForGetStep(a->loop), &y))
      return false;
    *result = wrap(x, '-', y);
    return true;
  }
  if (k >= 0) {
    if (!findBefore(a, k)) return false;
    *result = a->number[k];
    return mlirValueIsNull(a->before[k]) || tileConstantInt(a->before[k], result);
  }
  if ((k = nextIs(a, value)) >= 0)
    return tileConstantInt(initOf(a, k), result) && (a->isNext[k] = true);
  MlirOperation op = tileValueGetOp(value);
  if (tileOpIs(op, "tile.splat") || tileOpIs(op, "tile.broadcast")) {
    if (!numberBefore(a, tileOperand(op, 0), result)) return false;
    addToSlice(a, op);
    return true;
  }
  bool adds = tileOpIs(op, "arith.addi"), subtracts = tileOpIs(op, "arith.subi");
  if ((!adds && !subtracts && !tileOpIs(op, "arith.muli")) ||
      !numberBefore(a, tileOperand(op, 0), &x) || !numberBefore(a, tileOperand(op, 1), &y))
    return false;
  *result = wrap(x, adds ? '+' : subtracts ? '-' : '*', y);
  addToSlice(a, op);
  return true;
}

/// Is `out`, in front of the loop, what `in` of its body is in the step before the first one, or,
/// with `behind`, what it would be in one more step?
static bool isSame(Ahead *a, MlirValue in, MlirValue out, bool behind) {
  if (--a->budget < 0) return false;
  if (isOutside(a, in)) return sameNumber(in, out);
  intptr_t k = tileCarriedNumber(a->body, in);
  int64_t x, y;
  if (k >= 0 && behind) return mlirValueEqual(out, mlirOperationGetResult(a->loop, k));
  if (k >= 0) {
    if (a->isTile[k] || !findBefore(a, k)) return false;
    return mlirValueIsNull(a->before[k]) ? tileConstantInt(out, &x) && x == a->number[k]
                                         : sameNumber(a->before[k], out);
  }
  if (!behind && tileConstantInt(out, &x) && numberBefore(a, in, &y))
    return x == y && mlirTypeEqual(mlirValueGetType(in), mlirValueGetType(out));
  k = behind ? -1 : nextIs(a, in);
  if (k >= 0 && sameNumber(initOf(a, k), out)) return a->isNext[k] = true;
  MlirOperation op = tileValueGetOp(in), other = tileValueGetOp(out);
  if (mlirOperationIsNull(op)) return false;
  for (int i = 0; i < 2 && !behind; ++i)
    if ((tileOpIs(op, "arith.addi") || (i && tileOpIs(op, "arith.subi"))) &&
        numberBefore(a, tileOperand(op, i), &y) && y == 0) {
      addToSlice(a, op);
      return isSame(a, tileOperand(op, 1 - i), out, behind);
    }
  if (mlirOperationIsNull(other) || !sameOps(op, other) ||
      (!tileOpIsMovable(op) && !(behind ? tileOpIsADot(op) : mlirOperationEqual(op, a->load))))
    return false;
  if (mlirOperationGetNumOperands(op) > MOST_OPERANDS) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isSame(a, tileOperand(op, i), tileOperand(other, i), behind)) return false;
  if (!behind) addToSlice(a, op);
  return true;
}

//===- what may be moved --------------------------------------------------===//

static bool touches(MlirOperation op) {
  return tileHoldsEffects(op, TILE_WRITES_GLOBAL) || tileHoldsBarrier(op);
}

/// Does nothing between `first` and the loop, which stand in one block, write or wait?
static bool isQuietUntil(const Ahead *a, MlirOperation first) {
  if (!mlirBlockEqual(mlirOperationGetBlock(first), mlirOperationGetBlock(a->loop))) return false;
  MlirOperation op = first;
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, a->loop)) {
    if (touches(op)) return false;
    op = mlirOperationGetNextInBlock(op);
  }
  return !mlirOperationIsNull(op);
}

/// Is carried `k` a tile that both the step before and what is in front of the loop load?
static bool isLoaded(const Ahead *a, intptr_t k) {
  MlirOperation load = tileValueGetOp(nextOf(a, k)), first = tileValueGetOp(initOf(a, k));
  return !mlirOperationIsNull(load) && !mlirOperationIsNull(first) && tileOpIsALoad(load) &&
         tileOpIsALoad(first) && mlirBlockEqual(mlirOperationGetBlock(load), a->body);
}

/// Is what is loaded for carried `k` in front of the loop what the step before the first one would
/// load?
static bool isLoadedAhead(Ahead *a, intptr_t k) {
  if (!isLoaded(a, k)) return false;
  MlirOperation load = tileValueGetOp(nextOf(a, k));
  a->load = load;
  a->budget = BUDGET;
  return !mlirOpOperandIsNull(tileOnlyUse(tileResult(load))) &&
         mlirOperationGetNumOperands(load) <= MOST_OPERANDS &&
         isQuietUntil(a, tileValueGetOp(initOf(a, k))) &&
         isSame(a, tileResult(load), initOf(a, k), false);
}

/// Do the loads alone read what is begun earlier, and what moves it on?
static bool areReadByLoads(const Ahead *a) {
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    if (!a->isWalked[k]) continue;
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(a->loop, k))) ||
        mlirOpOperandIsNull(tileOnlyUse(nextOf(a, k))))
      return false;
    MlirOpOperand use = mlirValueGetFirstUse(argOf(a, k));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!tileOpListHolds(&a->slice, user) &&
          !mlirOperationEqual(user, tileValueGetOp(nextOf(a, k))))
        return false;
    }
  }
  // What else reads an op of theirs has it as it is in this step, not in the one before.
  for (size_t i = 0; i < a->slice.count; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(tileResult(a->slice.ops[i]));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (!tileOpListHolds(&a->slice, user) && !tileOpIsALoad(a->slice.ops[i])) return false;
    }
  }
  return true;
}

static bool isWanted(const Ahead *a, intptr_t k) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(a->loop, k)));
}

/// Is what stands behind the loop one step more of it? `sums` are the ops that end it, for each
/// carried value that is wanted and no tile that is loaded.
static bool endsWithStep(Ahead *a, MlirOperation sums[MOST]) {
  bool any = false;
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    sums[k] = (MlirOperation){NULL};
    if (!isWanted(a, k) || a->isTile[k]) continue;
    MlirOpOperand use = tileOnlyUse(mlirOperationGetResult(a->loop, k));
    if (mlirOpOperandIsNull(use)) return false;
    sums[k] = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(sums[k]), mlirOperationGetBlock(a->loop)) ||
        mlirOperationGetNumResults(sums[k]) != 1 ||
        !isSame(a, nextOf(a, k), tileResult(sums[k]), true))
      return false;
    any = true;
  }
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    if (!a->isTile[k]) continue;
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(a->loop, k));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      bool known = false;
      for (intptr_t m = 0; m < a->numCarried; ++m)
        known |= !mlirOperationIsNull(sums[m]) &&
                 mlirOperationEqual(sums[m], mlirOpOperandGetOwner(use));
      if (!known) return false;
    }
  }
  return any;
}

//===- moving -------------------------------------------------------------===//

/// Gives the loop one step more, whatever it had: one at least.
static void addStep(const Ahead *a) {
  TileBuilder b = tileBuilderBefore(a->loop);
  MlirValue upper = tileForGetUpper(a->loop), step = tileForGetStep(a->loop);
  MlirValue least = tileBuildBinary(&b, "arith.addi", tileForGetLower(a->loop), step);
  MlirOperation op = tileValueGetOp(upper);
  int64_t by, x;
  bool less = !mlirOperationIsNull(op) && tileConstantInt(step, &by) &&
              ((tileOpIs(op, "arith.subi") && tileConstantInt(tileOperand(op, 1), &x) && x == by) ||
               (tileOpIs(op, "arith.addi") && tileConstantInt(tileOperand(op, 1), &x) && x == -by));
  upper = less ? tileOperand(op, 0) : tileBuildBinary(&b, "arith.addi", upper, step);
  mlirOperationSetOperand(a->loop, TILE_FOR_UPPER,
                          tileBuildBinary(&b, "arith.maxsi", upper, least));
}

/// The ops that `value` of the body is made of, once more where `b` builds: in the body, with the
/// counter a step back, or behind the loop, with what it leaves.
static MlirValue buildAgain(TileBuilder *b, const Ahead *a, MlirValue value, MlirValue counter,
                            bool behind) {
  if (isOutside(a, value)) return value;
  if (mlirValueEqual(value, mlirBlockGetArgument(a->body, 0))) return counter;
  intptr_t k = tileCarriedNumber(a->body, value);
  if (k >= 0) return behind ? mlirOperationGetResult(a->loop, k) : value;
  k = nextIs(a, value);
  if (k >= 0 && a->isNext[k]) return behind ? mlirOperationGetResult(a->loop, k) : argOf(a, k);
  MlirOperation op = tileValueGetOp(value);
  MlirValue operands[MOST_OPERANDS];
  MlirType type = mlirValueGetType(value);
  intptr_t n = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = buildAgain(b, a, tileOperand(op, i), counter, behind);
  return tileResult(tileBuildLike(b, op, n, operands, &type));
}

/// The counter of the step before, at the body's begin, or of the last step, behind the loop; null
/// where nobody asks.
static MlirValue counterBefore(const Ahead *a, bool behind) {
  if (!a->counts) return (MlirValue){NULL};
  MlirValue step = tileForGetStep(a->loop);
  TileBuilder b = behind ? tileBuilderAfter(a->loop) : tileBuilderAtStart(a->body);
  if (!behind) return tileBuildBinary(&b, "arith.subi", mlirBlockGetArgument(a->body, 0), step);
  MlirValue end =
      tileBuildBinary(&b, "arith.maxsi", tileForGetUpper(a->loop), tileForGetLower(a->loop));
  return tileBuildBinary(&b, "arith.subi", end, step);
}

/// Loads carried `k` where the step wants it, and behind the loop, where it is wanted there.
static void loadLater(const Ahead *a, intptr_t k) {
  MlirOperation load = tileValueGetOp(nextOf(a, k));
  MlirValue counter = counterBefore(a, false);
  TileBuilder b =
      a->counts ? tileBuilderAfter(tileValueGetOp(counter)) : tileBuilderAtStart(a->body);
  MlirValue tile = buildAgain(&b, a, tileResult(load), counter, false);
  mlirValueReplaceAllUsesOfWith(argOf(a, k), tile);
  if (isWanted(a, k)) {
    MlirValue last = counterBefore(a, true);
    b = tileBuilderAfter(a->counts ? tileValueGetOp(last) : a->loop);
    MlirValue late = buildAgain(&b, a, tileResult(load), last, true);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(a->loop, k), late);
  }
  mlirOperationSetOperand(a->yield, k, argOf(a, k));
  mlirOperationDestroy(load);
}

/// Carries the tiles no longer, in a loop of the same body.
static void dropTiles(const Ahead *a) {
  MlirValue operands[TILE_FOR_INITS + MOST], yields[MOST];
  TileBuilder b = tileBuilderBefore(a->loop);
  intptr_t n = 0;
  for (intptr_t i = 0; i < TILE_FOR_INITS; ++i) operands[i] = tileOperand(a->loop, i);
  for (intptr_t k = 0; k < a->numCarried; ++k)
    if (!a->isTile[k]) operands[TILE_FOR_INITS + n++] = initOf(a, k);
  MlirOperation loop = tileBuildFor(&b, TILE_FOR_INITS + n, operands);
  MlirBlock body = tileBody(loop, 0);
  tileCopyAttributes(a->loop, loop);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(a->body, 0), mlirBlockGetArgument(body, 0));
  n = 0;
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    if (a->isTile[k]) continue;
    mlirValueReplaceAllUsesOfWith(argOf(a, k), mlirBlockGetArgument(body, n + 1));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(a->loop, k),
                                  mlirOperationGetResult(loop, n));
    yields[n++] = nextOf(a, k);
  }
  TileBuilder end = tileBuilderAtEnd(body, mlirOperationGetLocation(a->yield));
  tileMoveOps(&end, mlirBlockGetFirstOperation(a->body), a->yield, NULL);
  tileBuildOp(&end, "scf.yield", n, yields, 0, NULL, 0, NULL, 0);
  mlirOperationDestroy(a->loop);
}

static void moveLoads(Ahead *a, MlirOperation sums[MOST], bool ends) {
  MlirOperation firsts[MOST];
  intptr_t numFirsts = 0;
  if (ends) addStep(a);
  for (intptr_t k = 0; k < a->numCarried && ends; ++k) {
    if (mlirOperationIsNull(sums[k])) continue;
    mlirValueReplaceAllUsesOfWith(tileResult(sums[k]), mlirOperationGetResult(a->loop, k));
    mlirOperationDestroy(sums[k]);
  }
  TileBuilder b = tileBuilderBefore(a->loop);
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    if (!a->isWalked[k]) continue;
    MlirValue init = a->before[k];
    if (mlirValueIsNull(init))
      init = tileBuildInt(&b, mlirValueGetType(initOf(a, k)), a->number[k]);
    mlirOperationSetOperand(a->loop, TILE_FOR_INITS + k, init);
  }
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    if (!a->isTile[k]) continue;
    firsts[numFirsts++] = tileValueGetOp(initOf(a, k));
    loadLater(a, k);
  }
  dropTiles(a);
  for (intptr_t i = 0; i < numFirsts; ++i)
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(firsts[i]))))
      mlirOperationDestroy(firsts[i]);
}

/// Finds the tiles that are loaded ahead; how many there are.
static int findTiles(Ahead *a) {
  int count = 0;
  for (intptr_t k = 0; k < a->numCarried; ++k) {
    Ahead was = *a;
    bool found = isLoadedAhead(a, k);
    if (!found) {
      // Ops that only this one reads are nobody's.
      TileOpList slice = a->slice;
      slice.count = was.slice.count;
      *a = was;
      a->slice = slice;
    }
    a->isTile[k] = found;
    count += found;
  }
  return count;
}

/// Is the counter of the last step known behind the loop, wherever a load there asks for it?
static bool isCountKnown(const Ahead *a) {
  int64_t step;
  if (!a->counts || (tileConstantInt(tileForGetStep(a->loop), &step) && step == 1)) return true;
  for (intptr_t k = 0; k < a->numCarried; ++k)
    if (a->isTile[k] && isWanted(a, k)) return false;
  return true;
}

/// Moves the loads of a loop of dots that carries tiles which it loads; null, or why they stay.
static const char *moveWherePossible(Ahead *a) {
  if (touches(a->loop)) return "a loop that neither writes nor waits";
  MlirOperation sums[MOST];
  int count = findTiles(a);
  if (!count) return "the same load in front of the loop, a step before, and nothing written since";
  if (!areReadByLoads(a)) return "addresses that nobody else reads";
  a->budget = BUDGET;
  bool ends = endsWithStep(a, sums);
  if (!ends && !isCountKnown(a)) return "steps of one, to know the last of them";
  tileTrace(mlirOperationGetLocation(a->loop), "%d tiles are loaded in their steps%s", count,
            ends ? ", of which there is one more" : "");
  moveLoads(a, sums, ends);
  return NULL;
}

static void runLoop(MlirOperation loop) {
  Ahead a = {.loop = loop, .body = tileBody(loop, 0)};
  a.yield = mlirBlockGetTerminator(a.body);
  a.numCarried = mlirOperationGetNumResults(loop);
  if (a.numCarried > MOST || !tileHoldsDot(loop)) return;
  bool any = false;
  for (intptr_t k = 0; k < a.numCarried; ++k) any |= isLoaded(&a, k);
  if (!any) return;
  MlirLocation where = mlirOperationGetLocation(loop);
  const char *why = moveWherePossible(&a);
  if (why)
    tileEmitRemark(where, "tiles are carried from the step that loads them: expected %s", why);
  tileOpListDestroy(&a.slice);
}

MlirLogicalResult tileRunLoadInStep(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
