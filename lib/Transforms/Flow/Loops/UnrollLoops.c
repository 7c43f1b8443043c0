//===- UnrollLoops.c - loops of a few short steps -------------------------===//
//
// Before:  %sum = scf.for %s = 0 to 3 step 1 iter_args(%t = %zero) { .. yield %u }
// After:   the body three times, with 0, 1 and 2 for %s, and %u of each for %t of the next
//
// Convolutions and filters walk over their taps so. What steps have in common is computed once
// then, loads of all taps are on their way together, and the loop around is the innermost one: no
// ring of copies is filled, and waited for, in each of its steps.
//
// Loops of arithmetic alone stay, but those whose steps compute with their number.
//
// Unrolled are loops of a constant number of steps whose ops give each element by itself, load or
// store: no dots, nothing that crosses threads. Inner ones first; a loop around them is
// unrolled, too, while what a thread does in all its steps stays short. So are the
// instructions: of sines, powers and divisions of 64 bits a few dozen are more than the instruction
// cache holds.
//
// A loop along a row whose elements threads load one by one, as rows that begin anywhere are read,
// stays where a step has loads enough on their way and all of them would fill the registers: they
// would begin together (tile-issue-loads), and leave few blocks.
//
// A loop that walks along rows is unrolled in part, steps known to be a multiple of that:
//
// Before:  scf.for %k = 0 to %n step 1 { %x = tile.load (%a + %rows * %pitch + %k) .. }
// After:   scf.for %k = 0 to %n step 4 { %x = tile.load (%a + %rows * %pitch + %k)
//                                        .. + %k + 1 .. + %k + 2 .. + %k + 3 .. }
//
// Products without a dot, distances and recurrences read a column of several rows so, each element
// from a line of its own. What four steps read lies side by side, and becomes accesses of 8 bytes
// (tile-join-accesses): a half or a fourth as many lines.
//
// Requires: extents bound.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../../ValueMap.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Support/OpLength.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// What an op does for a thread: elements that it computes, loads or stores, and instructions that
/// it is, about.
typedef struct {
  int64_t elements, instructions;
} Work;

/// False for an op of which a loop stays a loop.
static bool addWork(Work *work, MlirOperation op, int64_t threads) {
  if (mlirOperationGetNumRegions(op)) return false;
  int length = tileOpLength(op);
  if (!length) return true;
  if (!tileOpIsElementwise(op) && !tileOpIsAArange(op) && !tileOpIsAAddPtr(op) &&
      !tileOpIsALoad(op) && !tileOpIsAStore(op))
    return false;
  bool hasResult = mlirOperationGetNumResults(op);
  MlirType type = mlirValueGetType(hasResult ? mlirOperationGetResult(op, 0) : tileOperand(op, 0));
  int64_t shape[TILE_MAX_RANK], elements = 1;
  int rank = tileTypeIsTile(type) ? tileShape(type, shape) : 0;
  for (int d = 0; d < rank; ++d) elements *= tilePadExtent(shape[d]);
  elements = (elements + threads - 1) / threads;
  work->elements += elements;
  work->instructions += elements * length;
  return true;
}

/// Why a loop of so many steps is too long to stand there several times; NULL where it is not.
/// `folds`: what is computed of the number of a step alone is a constant in each.
static const char *whyLong(MlirOperation loop, int64_t steps, int64_t threads, int64_t most,
                           bool folds) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  Work work = {0, 0};
  TILE_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, yield)) break;
    Work before = work;
    if (!addWork(&work, op, threads))
      return "expected loads, stores and what gives each element by itself";
    if (folds && !tileTypeIsTile(mlirValueGetType(mlirOperationGetResult(op, 0)))) work = before;
  }
  if (work.elements * steps > most) return "expected fewer elements of a thread in all steps";
  if (work.instructions * steps > tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_UNROLL_LENGTH))
    return "expected fewer instructions in all steps";
  return NULL;
}

static bool hasAccess(MlirOperation loop) {
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) if (tileOpIsAccess(op)) return true;
  return false;
}

/// Does the number of its step stand in the loop's arithmetic?
static bool readsCounter(MlirOperation loop) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(tileBody(loop, 0), 0)));
}

/// Is a loop of so many steps worth to stand there several times? What it loads is on its way
/// together then. Arithmetic alone has nothing on its way, and more steps of it take registers; but
/// terms of a series have numbers that are known in each, and as those of twice as many steps are
/// short. Of a loop of few steps that stays it is said why.
static bool isWorthIt(MlirOperation loop, int64_t steps, int64_t threads, int64_t mostSteps,
                      int64_t most) {
  bool loads = hasAccess(loop);
  int64_t times = loads || !readsCounter(loop) ? 1 : 2;
  if (steps < 1 || steps > times * mostSteps) return false;
  const char *why = loads || times == 2 ? whyLong(loop, steps, threads, times * most, !loads)
                                        : "expected loads, or arithmetic with the number of a step";
  if (why)
    tileEmitRemark(mlirOperationGetLocation(loop), "loop of %d steps is not unrolled: %s",
                   (int)steps, why);
  return !why;
}

/// Elements that a thread loads one by one in each step, further parts of rows that no step before
/// has read.
static int64_t streamedSingles(const TileAxisAnalysis *axis, MlirOperation loop, int64_t threads) {
  int64_t singles = 0;
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    int64_t shape[TILE_MAX_RANK], step;
    if (!tileOpIsALoad(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op)))) continue;
    MlirType type = mlirValueGetType(tileResult(op));
    int rank = tileShape(type, shape), along = 0;
    for (int d = 1; d < rank; ++d)
      if (shape[d] > shape[along]) along = d;
    if (tileNumElements(type) == shape[along] && tileAxisAccessVector(axis, op, along) == 1 &&
        tileAxisStepInLoop(axis, tileLoadGetPtr(op), loop, &step) && llabs(step) >= shape[along])
      singles += (tilePadExtent(shape[along]) + threads - 1) / threads;
  }
  return singles;
}

/// Adds to `full` the loops of a few steps all of which together would load so much one by one that
/// few blocks were left, where one step has enough on its way.
static void findFull(MlirOperation func, const TileOpList *loops, int64_t threads,
                     TileOpList *full) {
  const TileMachine *m = tileMachineOf(func);
  TileAxisAnalysis *axis = NULL;
  for (size_t i = 0; i < loops->count; ++i) {
    int64_t steps = tileCountSteps(loops->ops[i]);
    if (steps < 1 || steps > tileMachineNumber(m, TILE_NUMBER_UNROLL_STEPS)) continue;
    if (!axis) axis = tileAxisAnalysisCreate(func);
    int64_t singles = streamedSingles(axis, loops->ops[i], threads);
    if (singles < tileMachineNumber(m, TILE_NUMBER_ISSUE_LOADS) ||
        singles * steps <= tileMachineNumber(m, TILE_NUMBER_ISSUE_BLOCK_WORDS) / threads)
      continue;
    tileEmitRemark(mlirOperationGetLocation(loops->ops[i]),
                   "loop of %d steps is not unrolled: expected fewer words that a thread loads one "
                   "by one in each, found %d",
                   (int)steps, (int)singles);
    tileOpListAdd(full, loops->ops[i]);
  }
  tileAxisAnalysisDestroy(axis);
}

/// The values that a loop carries, and the ops of its body but the last.
typedef struct {
  MlirValue *carried;
  TileOpList ops;
} Steps;

static Steps stepsOf(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  intptr_t count = mlirOperationGetNumResults(loop);
  Steps steps = {.carried = malloc(((size_t)count + 1) * sizeof *steps.carried)};
  if (!steps.carried) abort();
  TILE_FOR_EACH_OP(op, body) tileOpListAdd(&steps.ops, op);
  --steps.ops.count;
  return steps;
}

static void clearSteps(Steps *steps) {
  free(steps->carried);
  tileOpListDestroy(&steps->ops);
}

/// One more step at `b`, of the counter `now`, over what the step before leaves.
static void repeat(TileBuilder *b, MlirOperation loop, Steps *steps, MlirValue now) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t count = mlirOperationGetNumResults(loop);
  TileValueMap map = {0};
  tileValueMapSet(&map, mlirBlockGetArgument(body, 0), now);
  for (intptr_t i = 0; i < count; ++i)
    tileValueMapSet(&map, mlirBlockGetArgument(body, i + 1), steps->carried[i]);
  for (size_t i = 0; i < steps->ops.count; ++i) tileCloneMapped(b, &map, steps->ops.ops[i]);
  for (intptr_t i = 0; i < count; ++i)
    steps->carried[i] = tileValueMapGet(map, tileOperand(yield, i));
  tileValueMapClear(&map);
}

/// The loop's body `count` times where the loop is.
static void unroll(MlirOperation loop, int64_t count) {
  TileBuilder b = tileBuilderBefore(loop);
  Steps steps = stepsOf(loop);
  int64_t lower = 0, step = 0;
  tileConstantInt(tileForGetLower(loop), &lower);
  tileConstantInt(tileForGetStep(loop), &step);
  MlirType type = mlirValueGetType(mlirBlockGetArgument(tileBody(loop, 0), 0));
  intptr_t results = mlirOperationGetNumResults(loop);
  for (intptr_t i = 0; i < results; ++i) steps.carried[i] = tileForGetInit(loop, i);
  for (int64_t s = 0; s < count; ++s)
    repeat(&b, loop, &steps, tileBuildInt(&b, type, lower + s * step));
  for (intptr_t i = 0; i < results; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), steps.carried[i]);
  clearSteps(&steps);
  mlirOperationDestroy(loop);
}

//===- loops along rows ---------------------------------------------------===//

/// How an address follows from a loop's counter.
typedef struct {
  const TileAxisAnalysis *axis;
  MlirBlock body;
  int64_t bytes; ///< that all but the counter are to be multiples of
  int size;      ///< bytes of an element
  int counters;
} Walk;

/// A divisor of each number, or address.
static int64_t divisorOf(const TileAxisAnalysis *axis, MlirValue value) {
  const TileAxisInfo *info = tileAxisAnalysisGet(axis, value);
  int64_t best = info->rank ? 1 : info->divisibility[0];
  for (int d = 0; d < info->rank; ++d)
    if (info->contiguity[d] == 1 && info->divisibility[d] > best) best = info->divisibility[d];
  return best;
}

/// Is `value` a sum of the counter and of what no step changes, which are multiples?
static bool walks(Walk *w, MlirValue value, int depth) {
  enum { MOST_DEPTH = 8 };
  MlirOperation op = tileValueGetOp(value);
  if (!tileBlockHolds(w->body, tileValueGetBlock(value))) {
    MlirType type = mlirValueGetType(value);
    bool isPointer = tileTypeIsAPtr(tileTypeIsTile(type) ? tileElementType(type) : type);
    return divisorOf(w->axis, value) * (isPointer ? 1 : w->size) % w->bytes == 0;
  }
  if (mlirValueIsABlockArgument(value)) {
    ++w->counters;
    return mlirBlockArgumentGetArgNumber(value) == 0;
  }
  bool sums = tileOpIsAAddPtr(op) || tileOpIs(op, "arith.addi");
  bool spreads = tileOpIsASplat(op) || tileOpIsABroadcast(op) || tileOpIsAExpandDims(op);
  if (depth == MOST_DEPTH || (!sums && !spreads)) return false;
  return walks(w, tileOperand(op, 0), depth + 1) &&
         (spreads || walks(w, tileOperand(op, 1), depth + 1));
}

/// Does each step of the loop load the next element of several rows, whose elements lie apart?
static bool walksAlongRows(const TileAxisAnalysis *axis, MlirOperation loop, int64_t steps) {
  enum { JOINED_BYTES = 8 }; // tile-join-accesses
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    int64_t shape[TILE_MAX_RANK], longest = 1;
    if (!tileOpIsALoad(op) || !tileTypeIsTile(mlirValueGetType(tileResult(op)))) continue;
    int rank = tileShape(mlirValueGetType(tileResult(op)), shape);
    for (int d = 0; d < rank; ++d) longest = shape[d] > longest ? shape[d] : longest;
    int size = tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) / 8;
    int64_t bytes = steps * size < JOINED_BYTES ? steps * size : JOINED_BYTES;
    Walk w = {.axis = axis, .body = tileBody(loop, 0), .bytes = bytes, .size = size};
    if (size && size < bytes && longest > 1 && walks(&w, tileLoadGetPtr(op), 0) && w.counters == 1)
      return true;
  }
  return false;
}

/// Are the loop's steps, one by one, a multiple of `steps`?
static bool isMultiple(const TileAxisAnalysis *axis, MlirOperation loop, int64_t steps) {
  int64_t lower, step;
  return tileConstantInt(tileForGetStep(loop), &step) && step == 1 &&
         tileConstantInt(tileForGetLower(loop), &lower) && lower % steps == 0 &&
         divisorOf(axis, tileForGetUpper(loop)) % steps == 0;
}

/// Lets each step of the loop, a step of 1, do what `count` did.
static void unrollInPart(MlirOperation loop, int64_t count) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(counter);
  intptr_t results = mlirOperationGetNumResults(loop);
  Steps steps = stepsOf(loop);
  TileBuilder b = tileBuilderBefore(yield), front = tileBuilderBefore(loop);
  for (intptr_t i = 0; i < results; ++i) steps.carried[i] = tileOperand(yield, i);
  for (int64_t s = 1; s < count; ++s)
    repeat(&b, loop, &steps, tileBuildBinary(&b, "arith.addi", counter, tileBuildInt(&b, type, s)));
  for (intptr_t i = 0; i < results; ++i) mlirOperationSetOperand(yield, i, steps.carried[i]);
  mlirOperationSetOperand(loop, TILE_FOR_STEP, tileBuildInt(&front, type, count));
  clearSteps(&steps);
}

MlirLogicalResult tileRunUnrollLoops(MlirOperation func, const TileUnrollLoopsOptions *options) {
  int64_t warps = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  const TileMachine *m = tileMachineOf(func);
  int64_t most = tileMachineNumber(m, TILE_NUMBER_UNROLL_WORK);
  int64_t mostSteps = tileMachineNumber(m, TILE_NUMBER_UNROLL_STEPS);
  TileOpList loops = {0}, full = {0}, rest = {0};
  tileFindLoops(func, &loops);
  findFull(func, &loops, 32 * warps, &full);
  for (size_t i = 0; i < loops.count; ++i) {
    int64_t steps = tileCountSteps(loops.ops[i]);
    if (tileOpListHolds(&full, loops.ops[i]) ||
        !isWorthIt(loops.ops[i], steps, 32 * warps, mostSteps, most)) {
      tileOpListAdd(&rest, loops.ops[i]);
      continue;
    }
    tileTrace(mlirOperationGetLocation(loops.ops[i]), "a loop of %d steps is unrolled", (int)steps);
    unroll(loops.ops[i], steps);
  }
  tileOpListDestroy(&loops);
  tileOpListDestroy(&full);
  TileAxisAnalysis *axis = rest.count ? tileAxisAnalysisCreate(func) : NULL;
  int64_t along = tileMachineNumber(m, TILE_NUMBER_UNROLL_ALONG);
  for (size_t i = 0; i < rest.count; ++i) {
    MlirOperation loop = rest.ops[i];
    if (whyLong(loop, along, 32 * warps, most, false) || !isMultiple(axis, loop, along) ||
        !walksAlongRows(axis, loop, along))
      continue;
    tileTrace(mlirOperationGetLocation(loop), "%d steps along rows are one", (int)along);
    unrollInPart(loop, along);
  }
  tileAxisAnalysisDestroy(axis);
  tileOpListDestroy(&rest);
  return mlirLogicalResultSuccess();
}
