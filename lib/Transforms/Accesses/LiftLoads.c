//===- LiftLoads.c - what a branch of a step multiplies loads in front of it ===//
//
// Before:  scf.for %i .. {
//            %r = scf.if %seen -> .. {
//              %k = tile.load %p, %mask
//              %s = tile.dot %q, %k, %c by mma_sync ..
//            } else { scf.yield .. }
//          }
// After:   scf.for %i .. {
//            %k = tile.load %p, (%mask and %seen)
//            %r = scf.if %seen -> .. {
//              %s = tile.dot %q, %k, %c by mma_sync ..
//            } else { scf.yield .. }
//          }
//
// Attention over blocks that each query chose has a list of them, and asks of each whether there is
// one. A load of each step can be copied ahead (tile-pipeline), one in a branch is waited for where
// it stands, in registers that its tile fills. What says where it lies comes along, and is loaded
// under the same condition.
//
// Only where the number that is asked for says where the tile lies: then most steps have one. Of a
// mask that is asked for each block, wherever that lies, most may be 0, and a step that is left out
// would take as long as one that is not (one in ten of 16 x 64: 135 us, Triton 71).
//
// Stays in the branch, with a remark: what follows from what the branch computes by more than
// arithmetic and loads. So does what an else does something for, and all of a loop that writes.
// Products by wgmma, which may be on their way across steps, are left alone.
//
// Requires: dots know their instruction, layouts are not assigned.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Flow/Branches/PredicateBranches.h"
#include "../Layouts/Converted.h"
#include "../Loops.h"
#include "../Masks.h"
#include "tile/Analysis/Analysis.h"
#include "tile/IR.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/PointerTable.h"

/// What leaves a branch with a load: the load, and what says where it lies.
typedef struct {
  MlirBlock branch;
  TilePointerTable seen;
  TileOpList ops;
} Slice;

/// Adds what computes `value` in the branch. False where that may not leave it.
static bool addToSlice(Slice *s, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), s->branch)) return true;
  if (!tilePointerTableInsert(&s->seen, op.ptr)) return true;
  bool loads = tileOpIsALoad(op) && tileLoadGetCache(op) != TILE_CACHE_USE_CV;
  tileOpListAdd(&s->ops, op);
  return loads || tileOpIsMovable(op);
}

static bool collectSlice(Slice *s, MlirOperation load) {
  bool leaves = addToSlice(s, tileResult(load));
  for (size_t k = 0; leaves && k < s->ops.count; ++k)
    for (intptr_t i = 0; leaves && i < mlirOperationGetNumOperands(s->ops.ops[k]); ++i)
      leaves = addToSlice(s, tileOperand(s->ops.ops[k], i));
  return leaves;
}

/// Takes the op that computes the value along, for all that its loop computes.
static void follow(TileOpList *ops, MlirValue value, MlirOperation loop) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpHolds(loop, op) && !tileOpListHolds(ops, op))
    tileOpListAdd(ops, op);
}

/// What `value` follows from in a step of the loop.
static void followAll(TileOpList *ops, MlirValue value, MlirOperation loop) {
  follow(ops, value, loop);
  for (size_t k = 0; k < ops->count; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(ops->ops[k]); ++i)
      follow(ops, tileOperand(ops->ops[k], i), loop);
}

/// Does a number that the step loads say both whether the branch is taken and where `load` reads?
static bool isListed(MlirOperation load, MlirOperation branch) {
  MlirOperation loop = mlirOperationGetParentOperation(branch);
  TileOpList asked = {0}, places = {0};
  bool found = false;
  followAll(&asked, tileOperand(branch, 0), loop);
  followAll(&places, tileLoadGetPtr(load), loop);
  for (size_t i = 0; i < asked.count && !found; ++i)
    found = tileOpIsALoad(asked.ops[i]) && tileOpListHolds(&places, asked.ops[i]);
  tileOpListDestroy(&asked);
  tileOpListDestroy(&places);
  return found;
}

static bool isOnTheWay(MlirOperation op) { return tileOpConverts(op) || tileOpMovesElements(op); }

/// A tile of two dimensions that a dot multiplies.
static bool isOperand(MlirOperation op) {
  MlirType type = tileOpIsALoad(op) ? mlirValueGetType(tileResult(op)) : (MlirType){NULL};
  int64_t shape[TILE_MAX_RANK];
  int rank = !mlirTypeIsNull(type) && tileTypeIsTile(type) ? tileShape(type, shape) : 0;
  return rank >= 2 && shape[rank - 1] > 1 && shape[rank - 2] > 1 &&
         tileReachesDot(tileResult(op), isOnTheWay);
}

/// Moves the slice in front of `branch`, in its order, and lets it load, and divide by what the
/// branch may know not to be 0, only where that is taken.
static void lift(const Slice *s, MlirOperation branch) {
  MlirOperation next, end = mlirBlockGetTerminator(s->branch);
  for (MlirOperation op = mlirBlockGetFirstOperation(s->branch); !mlirOperationEqual(op, end);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!tilePointerTableFind(s->seen, op.ptr)) continue;
    mlirOperationMoveBefore(op, branch);
    if (tileOpIsALoad(op)) tileAccessOnlyIf(op, tileOperand(branch, 0));
    tileGuardDivision(op, tileOperand(branch, 0));
  }
}

/// Lifts the loads of the branch that its dots multiply.
static void liftFrom(MlirOperation branch) {
  TileOpList loads = {0};
  TILE_FOR_EACH_OP(op, tileBody(branch, 0)) {
    if (isOperand(op) && isListed(op, branch)) tileOpListAdd(&loads, op);
  }
  for (size_t i = 0; i < loads.count; ++i) {
    Slice s = {.branch = tileBody(branch, 0)};
    if (collectSlice(&s, loads.ops[i]))
      lift(&s, branch);
    else
      tileEmitRemark(mlirOperationGetLocation(loads.ops[i]),
                     "load stays in its branch: expected a place that follows from arithmetic and "
                     "loads, found one that follows from more");
    tilePointerTableClear(&s.seen);
    tileOpListDestroy(&s.ops);
  }
  tileOpListDestroy(&loads);
}

/// A branch that is taken or does nothing, and multiplies by mma.sync alone.
static bool isStep(MlirOperation op) {
  bool any = false;
  if (!tileOpIs(op, "scf.if")) return false;
  MlirBlock other = tileBody(op, 1);
  if (!mlirBlockIsNull(other) &&
      !mlirOperationEqual(mlirBlockGetFirstOperation(other), mlirBlockGetTerminator(other)))
    return false;
  TILE_FOR_EACH_OP(dot, tileBody(op, 0)) {
    if (!tileOpIsADot(dot)) continue;
    if (tileDotGetInstruction(dot) != TILE_INSTRUCTION_MMA_SYNC) return false;
    any = true;
  }
  return any;
}

static void runLoop(MlirOperation loop) {
  if (tileHoldsEffects(loop, TILE_WRITES_GLOBAL | TILE_WRITES_CONTROL)) return;
  TileOpList branches = {0};
  TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
    if (isStep(op)) tileOpListAdd(&branches, op);
  }
  for (size_t k = 0; k < branches.count; ++k) liftFrom(branches.ops[k]);
  tileOpListDestroy(&branches);
}

MlirLogicalResult tileRunLiftLoads(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
