//===- TurnLoops.c - what is read again is read from its end --------------===//
//
// Before:  %sum = scf.for %k = %c0 to %n step %c2048 .. { .. tile.load x + k + i .. }
//          scf.for %k = %c0 to %n step %c2048 {
//            %v = tile.load x + k + i               // all of the row once more
//            tile.store y + k + i, %v / %sum }
// After:   %last = (n - 1) / 2048 * 2048
//          %sum = scf.for %k = .. { .. tile.load x + k + i .. }
//          scf.for %k = %c0 to %n step %c2048 {
//            %at = arith.subi %last, %k
//            %v = tile.load x + at + i
//            tile.store y + at + i, %v / %sum }
//
// Norms, softmaxes and losses of long rows read a row for its sums, and once more for what follows
// from these. The rows that a multiprocessor works on at a time may be more than its L1 cache
// holds, and all of them more than the L2 cache: what is read first is gone by the time that it is
// wanted again, and the last of a row takes the place of the first, and so on to its end. From the
// end on, what was read last is there still, as much of it as a cache holds.
//
// Programs that go down columns lie side by side in memory, and each reads again what the others
// have just read: how they fare depends on whether all of the array fits the L2 cache (.79 to 1.26
// of their time). They stay.
//
// A loop is turned that carries nothing but sums, greatest, least and the like of what its steps
// have, where an earlier one of its block with the same end reads the same array, and moves on in
// it alike. Third ones run as the first did. Each store has to move on by all that it covers, and
// what else is stored or read of its array has to be what the step stores to there: then steps are
// the same in any order. It stays, with a remark, where it is not so, or where a step does anything
// but load and store. Kernels with dots have rings for what they read.
//
// Sums of floats are rounded in another order then, with the same bounds of their errors: so are
// those of squares behind a mean, as variances have them. With `sums=false` loops that carry such
// stay.
//
// Requires: ranges of loops, and masks of steps, are done with.  Preserves: numerics, but for the
// order of such sums; the order of effects but for steps of such loops.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/Analysis/Affine.h"
#include "tile/Analysis/Laws.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

enum { MOST_STORES = 8 };

/// What a loop does, and why it may not be turned.
typedef struct {
  TileAffine *affine;
  MlirOperation loop;
  int64_t step;
  TileAffineAddress stores[MOST_STORES];
  int numStores;
  const char *why;
} Turn;

/// Does the newest store go to an array that another one stores to, elsewhere? What a step leaves
/// there the next may overwrite.
static bool meetsAnother(const Turn *t) {
  const TileAffineAddress *newest = &t->stores[t->numStores];
  for (int i = 0; i < t->numStores; ++i)
    if (mlirValueEqual(t->stores[i].base, newest->base) &&
        !tileAffineSamePlaces(&t->stores[i], newest))
      return true;
  return false;
}

static MlirWalkResult addStore(MlirOperation op, void *data) {
  Turn *t = data;
  const uint32_t all = ~(uint32_t)(TILE_READS_GLOBAL | TILE_READS_SHARED);
  if (mlirOperationEqual(op, t->loop) || !(tileOpGetEffects(op) & all))
    return MlirWalkResultAdvance;
  if (!tileOpIsAStore(op))
    t->why = "expected loads and stores alone";
  else if (t->numStores == MOST_STORES)
    t->why = "expected at most 8 stores";
  else if (!tileAffineAddressOf(t->affine, tileStoreGetPtr(op), t->loop, &t->stores[t->numStores]))
    t->why = "expected stores to addresses that are sums of strides times positions";
  else if (!tileAffineStepsApart(&t->stores[t->numStores], t->step))
    t->why = "expected each step to store behind all that the one before stores";
  else if (meetsAnother(t))
    t->why = "expected a step's stores to one array to be to the same places of it";
  else
    ++t->numStores;
  return t->why ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Is what `op` reads, where it is a load, nothing that another step stores?
static MlirWalkResult checkLoad(MlirOperation op, void *data) {
  Turn *t = data;
  if (!tileOpIsALoad(op)) return MlirWalkResultAdvance;
  MlirValue array = tileArrayOf(tileLoadGetPtr(op));
  TileAffineAddress read;
  bool known = tileAffineAddressOf(t->affine, tileLoadGetPtr(op), t->loop, &read);
  if (tileLoadGetCache(op) == TILE_CACHE_USE_CV) t->why = "expected no load that is volatile";
  if (mlirValueIsNull(array)) t->why = "expected loads of arrays that are known";
  for (int i = 0; i < t->numStores && !t->why; ++i)
    if (mlirValueEqual(array, t->stores[i].base) &&
        !(known && tileAffineSamePlaces(&read, &t->stores[i])))
      t->why = "expected to read what the step itself stores to";
  return t->why ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// May what `op` puts together come in any order? Of sums of floats with another rounding.
static bool joinsInAnyOrder(MlirOperation op, bool sums) {
  return (tileOpGetLaws(op) & TILE_ASSOCIATES) || (sums && tileOpIs(op, "arith.addf"));
}

/// How often an operand of `op` is `value`.
static int countIn(MlirOperation op, MlirValue value) {
  int count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    count += mlirValueEqual(tileOperand(op, i), value);
  return count;
}

static int countUses(MlirValue value) {
  int count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    ++count;
  return count;
}

/// Does each step put something to the loop's `i`th carried value, where a mask says so, and look
/// at it for nothing else?
static bool carriesJoint(MlirOperation loop, intptr_t i, bool sums) {
  MlirBlock body = tileBody(loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, i + 1);
  MlirOperation op = tileValueGetOp(tileOperand(mlirBlockGetTerminator(body), i));
  int uses = 1;
  if (!mlirOperationIsNull(op) && tileOpIs(op, "arith.select") &&
      mlirValueEqual(tileOperand(op, 2), carried)) {
    uses = 2;
    op = tileValueGetOp(tileOperand(op, 1));
  }
  return !mlirOperationIsNull(op) && mlirBlockEqual(mlirOperationGetBlock(op), body) &&
         joinsInAnyOrder(op, sums) && countIn(op, carried) == 1 && countUses(carried) == uses &&
         countUses(tileResult(op)) == 1;
}

/// Why `loop`, which reads again what an earlier one has read, runs as it does; or null.
static const char *findReason(TileAffine *affine, MlirOperation loop, bool sums) {
  Turn t = {.affine = affine, .loop = loop};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    if (!carriesJoint(loop, i, sums)) return "expected a loop that carries sums and the like alone";
  tileConstantInt(tileForGetStep(loop), &t.step);
  mlirOperationWalk(loop, addStore, &t, MlirWalkPreOrder);
  if (!t.why) mlirOperationWalk(loop, checkLoad, &t, MlirWalkPreOrder);
  return t.why;
}

static bool areOne(MlirValue x, MlirValue y) {
  int64_t a, b;
  return mlirValueEqual(x, y) || (tileConstantInt(x, &a) && tileConstantInt(y, &b) && a == b);
}

/// Do the loops run to one end, in steps of one length? The first step may stand in front of one.
static bool haveOneEnd(MlirOperation x, MlirOperation y) {
  return areOne(tileOperand(x, 1), tileOperand(y, 1)) &&
         areOne(tileOperand(x, 2), tileOperand(y, 2));
}

/// Does `earlier` read an array as `load` of `later` does, which goes along a row of it?
static bool readsAlike(TileAffine *affine, MlirOperation earlier, MlirOperation load,
                       MlirOperation later) {
  TileAffineAddress x, y;
  int64_t step;
  if (!tileConstantInt(tileOperand(later, 2), &step) ||
      !tileAffineAddressOf(affine, tileLoadGetPtr(load), later, &x) ||
      !tileAffineStepsJoin(&x, step))
    return false;
  TILE_FOR_EACH_OP(other, tileBody(earlier, 0))
  if (tileOpIsALoad(other) && tileAffineAddressOf(affine, tileLoadGetPtr(other), earlier, &y) &&
      tileAffineMoveAlike(&x, &y))
    return true;
  return false;
}

static bool readAlike(TileAffine *affine, MlirOperation earlier, MlirOperation later) {
  TILE_FOR_EACH_OP(load, tileBody(later, 0))
  if (tileOpIsALoad(load) && readsAlike(affine, earlier, load, later)) return true;
  return false;
}

/// Of `loops`, in their order, those that are to be turned.
static void choose(TileAffine *affine, const TileOpList *loops, bool sums, TileOpList *turned) {
  for (size_t i = 0; i < loops->count; ++i) {
    MlirOperation loop = loops->ops[i];
    if (tileCountSteps(loop) == 1) continue;
    for (size_t k = i; k-- > 0;) {
      MlirOperation earlier = loops->ops[k];
      if (!mlirBlockEqual(mlirOperationGetBlock(earlier), mlirOperationGetBlock(loop))) continue;
      if (!haveOneEnd(earlier, loop) || !readAlike(affine, earlier, loop)) continue;
      if (tileOpListHolds(turned, earlier)) break;
      const char *why = findReason(affine, loop, sums);
      if (!why)
        tileOpListAdd(turned, loop);
      else
        tileEmitRemark(mlirOperationGetLocation(loop), "loop is not turned: %s", why);
      break;
    }
  }
}

/// The loop's steps come in the opposite order.
static void turn(MlirOperation loop) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue lower = tileForGetLower(loop), upper = tileForGetUpper(loop),
            step = tileForGetStep(loop);
  MlirValue counter = mlirBlockGetArgument(tileBody(loop, 0), 0);
  MlirValue one = tileBuildInt(&b, mlirValueGetType(counter), 1);
  MlirValue far = tileBuildBinary(&b, "arith.subi", upper, one);
  far = tileBuildBinary(&b, "arith.subi", far, lower);
  far = tileBuildBinary(&b, "arith.divsi", far, step);
  far = tileBuildBinary(&b, "arith.muli", far, step);
  far = tileBuildBinary(&b, "arith.addi", far, lower);
  far = tileBuildBinary(&b, "arith.addi", far, lower);
  TileBuilder in = tileBuilderAtStart(tileBody(loop, 0));
  MlirValue at = tileBuildBinary(&in, "arith.subi", far, counter);
  MlirOperation own = tileValueGetOp(at);
  mlirValueReplaceAllUsesExcept(counter, at, 1, &own);
  tileTrace(mlirOperationGetLocation(loop), "read from the end");
}

MlirLogicalResult tileRunTurnLoops(MlirOperation func, const TileTurnLoopsOptions *options) {
  if (tileHoldsDot(func)) return mlirLogicalResultSuccess();
  TileOpList loops = {0}, turned = {0};
  tileFindLoops(func, &loops);
  TileAxisAnalysis *axis = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axis, NULL);
  choose(affine, &loops, options->sums, &turned);
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axis);
  for (size_t i = 0; i < turned.count; ++i) turn(turned.ops[i]);
  tileOpListDestroy(&loops);
  tileOpListDestroy(&turned);
  return mlirLogicalResultSuccess();
}
