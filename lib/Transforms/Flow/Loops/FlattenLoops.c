//===- FlattenLoops.c - a loop over taps around one of dots as one loop ---===//
//
// Before:  %r = scf.for %i = 0 to 3 step 1 iter_args(%s = %zero) {
//            %row = %y + %i
//            %t = scf.for %c = 0 to %n step 32 iter_args(%u = %s) { .. tile.dot .. }
//            scf.yield %t }
// After:   %steps = 3 * (%n > 0 ? (%n - 1) / 32 + 1 : 0)
//          %r:3 = scf.for %k = 0 to %steps step 1 iter_args(%u = %zero, %i = 0, %c = 0) {
//            %row = %y + %i
//            .. tile.dot ..
//            %next = %c + 32
//            %wraps = %next >= %n
//            scf.yield %d, (%wraps ? %i + 1 : %i), (%wraps ? 0 : %next) }
//
// A convolution as a product over taps has a short loop of dots for each tap. What runs ahead in
// such a loop, copies or loads, begins anew in front of each, and is waited for: of two steps half
// of them are. In one loop steps of one tap run ahead under those of the one before, once begun.
//
// Flattened are loops of known, few steps whose body is one loop of dots, and arithmetic in front
// of it; the bounds of that one do not change, and what it carries is handed on from one to the
// next, or begins anew as a number. Innermost nests first, so that rows, columns and channels
// become one.
//
// Declined, with a remark: loops that read boxes, which warps that copy follow from loop to loop;
// inner loops that are known to be long.
//
// Requires: boxes raised.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// A loop around one of dots.
typedef struct {
  MlirOperation outer, inner;
  int64_t steps; ///< of the outer one
} Nest;

/// The one loop in the body, if all else there is arithmetic in front of it; else null.
static MlirOperation onlyLoop(MlirOperation outer) {
  MlirBlock body = tileBody(outer, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), found = {NULL};
  TILE_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, yield)) break;
    if (!mlirOperationIsNull(found)) return (MlirOperation){NULL};
    if (tileOpIs(op, "scf.for"))
      found = op;
    else if (!tileOpIsMovable(op) || mlirOperationGetNumRegions(op))
      return (MlirOperation){NULL};
  }
  return found;
}

/// Is all that the inner loop carries handed on, or a number that begins anew?
static bool carriesThrough(const Nest *n) {
  MlirBlock body = tileBody(n->outer, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  intptr_t count = mlirOperationGetNumResults(n->outer), handed = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(n->inner); ++i) {
    MlirValue init = tileForGetInit(n->inner, i), result = mlirOperationGetResult(n->inner, i);
    if (tileIsOutside(init, n->outer)) {
      if (tileTypeIsTile(mlirValueGetType(init)) ||
          !mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
        return false;
      continue;
    }
    // One after the other, as the outer loop carries them, and read by nobody else.
    if (handed == count || !mlirValueEqual(init, mlirBlockGetArgument(body, handed + 1)) ||
        mlirOpOperandIsNull(tileOnlyUse(init)) ||
        !mlirValueEqual(tileOperand(yield, handed), result) ||
        mlirOpOperandIsNull(tileOnlyUse(result)))
      return false;
    ++handed;
  }
  return handed == count;
}

static bool isBox(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADescLoad(op);
}

static bool isSigned(MlirOperation loop) {
  return mlirAttributeIsNull(tileAttr(loop, "unsignedCmp"));
}

/// Why a loop around one of dots stays one; null: it need not.
static const char *whyNot(const Nest *n) {
  const TileMachine *m = tileMachineOf(n->outer);
  int64_t lower, step;
  bool steady = isSigned(n->outer) && isSigned(n->inner);
  for (int i = TILE_FOR_LOWER; i <= TILE_FOR_STEP; ++i)
    steady &= tileIsOutside(tileOperand(n->inner, i), n->outer);
  steady = steady && tileConstantInt(tileForGetLower(n->inner), &lower) && lower >= 0 &&
           tileConstantInt(tileForGetStep(n->inner), &step) && step > 0;
  if (n->steps < 2 || n->steps > tileMachineNumber(m, TILE_NUMBER_FLATTEN_TAPS))
    return "expected a loop of known, few steps, found another";
  if (tileHoldsOp(n->inner, isBox, NULL))
    return "expected no boxes, which warps copy from loop to loop, found one";
  if (!steady)
    return "expected an inner loop from a constant to what does not change, found another";
  if (tileCountSteps(n->inner) > tileMachineNumber(m, TILE_NUMBER_FLATTEN_STEPS))
    return "expected a short inner loop, found a long one";
  return carriesThrough(n) ? NULL : "expected sums handed on from loop to loop, found others";
}

/// How many steps both have together, in front of all loops in which the bounds do not change.
static MlirValue buildSteps(const Nest *n) {
  MlirOperation front = n->outer, parent = mlirOperationGetParentOperation(front);
  MlirValue lower = tileForGetLower(n->inner), upper = tileForGetUpper(n->inner),
            step = tileForGetStep(n->inner);
  while (tileOpIs(parent, "scf.for") && tileIsOutside(upper, parent)) {
    front = parent;
    parent = mlirOperationGetParentOperation(front);
  }
  int64_t first, by;
  tileConstantInt(lower, &first);
  tileConstantInt(step, &by);
  TileBuilder b = tileBuilderBefore(front);
  MlirType type = mlirValueGetType(upper);
  MlirValue begin = tileBuildInt(&b, type, first), one = tileBuildInt(&b, type, 1);
  MlirValue size = tileBuildInt(&b, type, by), none = tileBuildInt(&b, type, 0);
  MlirValue any = tileBuildCmpi(&b, TILE_SLT, begin, upper);
  MlirValue far = tileBuildBinary(&b, "arith.subi", upper, begin);
  MlirValue last = tileBuildBinary(&b, "arith.subi", far, one);
  MlirValue whole = tileBuildBinary(&b, "arith.divsi", last, size);
  MlirValue count = tileBuildBinary(&b, "arith.addi", whole, one);
  MlirValue some = tileBuildSelect(&b, any, count, none);
  return tileBuildBinary(&b, "arith.muli", some, tileBuildInt(&b, type, n->steps));
}

/// Leaves the next step's counters, `tap` of the outer loop and `at` of the inner one, to the yield
/// of `loop`, and lets numbers that begin anew do so.
static void buildNext(const Nest *n, MlirOperation loop, MlirValue tap, MlirValue at) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  TileBuilder b = tileBuilderBefore(yield);
  MlirValue next = tileBuildBinary(&b, "arith.addi", at, tileForGetStep(loop));
  MlirValue wraps = tileBuildCmpi(&b, TILE_SGE, next, tileForGetUpper(loop));
  MlirValue after = tileBuildBinary(&b, "arith.addi", tap, tileForGetStep(n->outer));
  MlirValue taps = tileBuildSelect(&b, wraps, after, tap);
  MlirValue places = tileBuildSelect(&b, wraps, tileForGetLower(loop), next);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue init = tileForGetInit(loop, i);
    if (tileIsOutside(init, n->outer))
      mlirOperationSetOperand(yield, i, tileBuildSelect(&b, wraps, init, tileOperand(yield, i)));
  }
  MlirValue more[2] = {taps, places};
  tileExtendYield(body, 2, more);
}

static void flatten(const Nest *n) {
  MlirOperation outer = n->outer;
  MlirBlock around = tileBody(outer, 0);
  MlirValue steps = buildSteps(n);
  MlirValue begins[2] = {tileForGetLower(outer), tileForGetLower(n->inner)};
  intptr_t carried = mlirOperationGetNumResults(n->inner), handed = 0;
  MlirOperation loop = tileExtendFor(n->inner, 2, begins);
  MlirBlock body = tileBody(loop, 0);
  MlirValue tap = mlirBlockGetArgument(body, carried + 1);
  MlirValue at = mlirBlockGetArgument(body, carried + 2);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), at);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(around, 0), tap);
  buildNext(n, loop, tap, at);
  MlirOperation first = mlirBlockGetFirstOperation(around);
  if (!mlirOperationEqual(first, loop)) {
    TileBuilder front = tileBuilderAtStart(body);
    tileMoveOps(&front, first, loop, NULL);
  }
  // Where the steps are counted, so that loops further out find bounds that do not change.
  TileBuilder far = tileBuilderAfter(tileValueGetOp(steps)), b = tileBuilderBefore(outer);
  mlirOperationSetOperand(loop, TILE_FOR_LOWER, tileBuildInt(&far, mlirValueGetType(steps), 0));
  mlirOperationSetOperand(loop, TILE_FOR_UPPER, steps);
  mlirOperationSetOperand(loop, TILE_FOR_STEP, tileBuildInt(&far, mlirValueGetType(steps), 1));
  for (intptr_t i = 0; i < carried; ++i) {
    if (tileIsOutside(tileForGetInit(loop, i), outer)) continue;
    mlirOperationSetOperand(loop, TILE_FOR_INITS + i, tileForGetInit(outer, handed));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(outer, handed),
                                  mlirOperationGetResult(loop, i));
    ++handed;
  }
  tileMoveOps(&b, loop, mlirBlockGetTerminator(around), NULL);
  mlirOperationDestroy(outer);
}

static void runLoop(MlirOperation outer) {
  Nest n = {.outer = outer, .inner = onlyLoop(outer), .steps = tileCountSteps(outer)};
  if (mlirOperationIsNull(n.inner) || !tileHoldsDot(n.inner)) return;
  MlirLocation loc = mlirOperationGetLocation(outer);
  const char *reason = whyNot(&n);
  if (reason) {
    tileEmitRemark(loc, "loops of dots stay apart: %s", reason);
    return;
  }
  tileTrace(loc, "%d loops of dots are one", (int)n.steps);
  flatten(&n);
}

MlirLogicalResult tileRunFlattenLoops(MlirOperation func) {
  // Inner ones first; one that is flattened was looked at before.
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
