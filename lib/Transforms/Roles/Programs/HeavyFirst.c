//===- HeavyFirst.c - programs with long loops begin before the others ----===//
//
// Before:  %block = tile.program_id x
//          %end = arith.muli %block, %c128
//          scf.for %k = %c0 to %end step %c64 ..          the last program takes longest
// After:   %id = tile.program_id x
//          %count = tile.num_programs x
//          %last = arith.subi %count, %c1
//          %block = arith.subi %last, %id                 and begins first
//
// A device starts programs in the order of their numbers. Where those that begin last are the
// longest (causal attention, products of triangular matrices), multiprocessors idle at the end for
// as long as one of them takes; where they are the shortest, hardly at all: the rule of the longest
// job first (Graham, "Bounds on multiprocessing timing anomalies", 1969). Programs of a launch have
// no order, so any may be taken for any other.
//
// How long a loop is follows from its bounds: do they grow with a program's number? That is only
// asked to see what pays; so quantities that no constant tells are taken to be positive.
//
// Kernels that wait for other programs in a loop (scf.while around an access) keep their order, as
// the one waited for may not have begun.
//
// Requires: helpers inlined.  Preserves: numerics, control flow; of atomics, the order changes,
// which nothing promises.
//===----------------------------------------------------------------------===//
#include "tile/IR.h"
#include "tile/Passes.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"

/// How an integer moves with the number of the program; the sum of two is their disjunction.
typedef enum { STEADY = 0, GROWS = 1, SHRINKS = 2, UNKNOWN = 3 } Trend;

typedef struct {
  int axis;
  TilePointerTable trends; // of values, as Trend; block arguments have none: they are steady
} Trends;

static Trend trendOf(const Trends *t, MlirValue value) {
  const Trend *trend = tilePointerTableFind(t->trends, value.ptr);
  return trend ? *trend : STEADY;
}

static Trend opposite(Trend trend) {
  return trend == GROWS ? SHRINKS : trend == SHRINKS ? GROWS : trend;
}

static bool isOneOf(MlirOperation op, const char *const *names) {
  for (; *names; ++names)
    if (tileOpIs(op, *names)) return true;
  return false;
}

/// Do the results grow with each of the operands? A divisor is steady where this is asked.
static bool isMonotone(MlirOperation op) {
  static const char *const names[] = {
      "arith.addi",       "arith.minsi",        "arith.maxsi",     "arith.minui",
      "arith.maxui",      "arith.extsi",        "arith.extui",     "arith.trunci",
      "arith.index_cast", "arith.index_castui", "arith.muli",      "arith.shli",
      "arith.divsi",      "arith.divui",        "arith.ceildivsi", "arith.ceildivui",
      "arith.floordivsi", "arith.shrsi",        "arith.shrui",     NULL};
  return isOneOf(op, names);
}

/// Does the second operand decide on how steep the result is, and not on where it begins?
static bool isScaled(MlirOperation op) {
  static const char *const names[] = {
      "arith.muli",      "arith.shli",       "arith.divsi", "arith.divui", "arith.ceildivsi",
      "arith.ceildivui", "arith.floordivsi", "arith.shrsi", "arith.shrui", NULL};
  return isOneOf(op, names);
}

/// Of an op of which `isMonotone` holds, or of a difference.
static Trend ofArithmetic(const Trends *t, MlirOperation op) {
  Trend first = trendOf(t, tileOperand(op, 0));
  if (mlirOperationGetNumOperands(op) == 1) return first;
  Trend second = trendOf(t, tileOperand(op, 1));
  if (tileOpIs(op, "arith.subi")) return first | opposite(second);
  if (!isScaled(op)) return first | second;
  if (!tileOpIs(op, "arith.muli")) return second ? UNKNOWN : first;
  int64_t factor;
  bool known =
      tileConstantInt(tileOperand(op, 1), &factor) || tileConstantInt(tileOperand(op, 0), &factor);
  Trend trend = first | second;
  return !known || factor > 0 ? trend : factor ? opposite(trend) : STEADY;
}

static Trend trendOfOp(const Trends *t, MlirOperation op) {
  if (tileOpIsAProgramId(op)) return (int)tileProgramIdGetAxis(op) == t->axis ? GROWS : STEADY;
  if (isMonotone(op) || tileOpIs(op, "arith.subi")) return ofArithmetic(t, op);
  if (mlirOperationGetNumRegions(op)) return UNKNOWN;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (trendOf(t, tileOperand(op, i)) != STEADY) return UNKNOWN;
  return STEADY;
}

/// Of a loop's number of steps. Bounds that move together leave it as it is.
static Trend trendOfSteps(const Trends *t, MlirOperation loop) {
  Trend lower = trendOf(t, tileOperand(loop, 0)), upper = trendOf(t, tileOperand(loop, 1));
  return lower && lower == upper ? STEADY : upper | opposite(lower);
}

/// Do some loops of the body take more steps in later programs along the axis, and none fewer?
static bool growsAlong(MlirBlock body, int axis) {
  Trends t = {.axis = axis};
  bool grows = false, shrinks = false;
  TILE_FOR_EACH_OP(op, body) {
    if (tileOpIs(op, "scf.for")) {
      Trend steps = trendOfSteps(&t, op);
      grows |= steps == GROWS;
      shrinks |= steps == SHRINKS;
    }
    Trend trend = trendOfOp(&t, op);
    for (intptr_t r = 0; trend != STEADY && r < mlirOperationGetNumResults(op); ++r)
      *(Trend *)tilePointerTableAdd(&t.trends, mlirOperationGetResult(op, r).ptr, sizeof trend) =
          trend;
  }
  tilePointerTableClear(&t.trends);
  return grows && !shrinks;
}

//===- waiting ------------------------------------------------------------===//

static MlirWalkResult findAccess(MlirOperation op, void *found) {
  bool loops = mlirOperationGetNumRegions(op) != 0; // their ops are asked themselves
  *(bool *)found |= !loops && tileOpGetEffects(op) != 0;
  return MlirWalkResultAdvance;
}

/// The first loop without a count that looks at memory: it may wait for another program.
static MlirWalkResult findWaiting(MlirOperation op, void *data) {
  bool found = false;
  if (!tileOpIs(op, "scf.while")) return MlirWalkResultAdvance;
  mlirOperationWalk(op, findAccess, &found, MlirWalkPreOrder);
  if (!found) return MlirWalkResultAdvance;
  *(MlirOperation *)data = op;
  return MlirWalkResultInterrupt;
}

//===- the rewrite --------------------------------------------------------===//

static MlirWalkResult turnId(MlirOperation op, void *data) {
  const int *axis = data;
  if (!tileOpIsAProgramId(op) || (int)tileProgramIdGetAxis(op) != *axis)
    return MlirWalkResultAdvance;
  TileBuilder b = tileBuilderAfter(op);
  MlirValue id = tileResult(op);
  MlirType type = mlirValueGetType(id);
  MlirAttribute along = tileAttr(op, "axis");
  MlirValue count = tileResult(tileBuildOp(&b, "tile.num_programs", TILE_NONE, 1, &type,
                                           TILE_ATTRS({"axis", along}), /*numRegions=*/0));
  MlirValue one = tileBuildInt(&b, type, 1);
  MlirValue last = tileBuildBinary(&b, "arith.subi", count, one);
  MlirValue turned = tileBuildBinary(&b, "arith.subi", last, id);
  MlirOperation made = tileValueGetOp(turned);
  mlirValueReplaceAllUsesExcept(id, turned, 1, &made);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunHeavyFirst(MlirOperation func) {
  MlirLocation location = mlirOperationGetLocation(func);
  for (int axis = 0; axis < 3; ++axis) {
    if (!growsAlong(tileBody(func, 0), axis)) continue;
    MlirOperation waiting = {NULL};
    mlirOperationWalk(func, findWaiting, &waiting, MlirWalkPreOrder);
    if (!mlirOperationIsNull(waiting)) {
      tileEmitRemark(mlirOperationGetLocation(waiting),
                     "programs with long loops do not begin first: expected no loop that may wait "
                     "for another program, found scf.while around an access");
      return mlirLogicalResultSuccess();
    }
    tileTrace(location, "programs with long loops begin first along %c", "xyz"[axis]);
    mlirOperationWalk(func, turnId, &axis, MlirWalkPreOrder);
  }
  return mlirLogicalResultSuccess();
}
