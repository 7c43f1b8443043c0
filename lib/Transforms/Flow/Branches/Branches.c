//===- Branches.c - loops out of branches ---------------------------------===//
//
// Before:  scf.if %outside {                 a program that returns early
//          } else {
//            %first = arith.muli %pid, 64
//            %sum = scf.for %k = %lower to %upper step %s { .. loads, dots .. }
//            .. %sum is stored
//          }
// After:   %first = arith.muli %pid, 64
//          %enters = arith.xori %outside, true
//          %end = arith.select %enters, %upper, %lower
//          %sum = scf.for %k = %lower to %end step %s { .. }
//          scf.if %outside {} else { .. %sum is stored }
//
// A warp that copies ahead follows loops, and no branches; a program that returns early is one
// whose loop has no steps. What the loop follows from is computed where it would not have been: it
// is arithmetic alone, or the loop stays. So it does where the branch has written something, or
// waited, in front of it: steps must not pass that. A promise (tile.assume) is neither: it stays in
// the branch, and what it says is asked of nothing that is done where that is not taken.
//===----------------------------------------------------------------------===//
#include "Branches.h"
#include "../../Loops.h"
#include "PredicateBranches.h"
#include "tile/OpTraits.h"
#include "tile/Support/PointerTable.h"
#include "tile/Support/ValueSearch.h"

/// A loop on its way out of the branches around it.
typedef struct {
  MlirOperation loop, outer; ///< the outermost branch; null: there is none
  TilePointerTable needed;   ///< set of the ops in `outer` that the loop follows from
} Leaving;

/// Fills in what is around `loop`, up to the next loop or the kernel; false where that is another
/// op.
static bool lookAround(MlirOperation loop, Leaving *l) {
  MlirOperation around = mlirOperationGetParentOperation(loop);
  *l = (Leaving){.loop = loop, .outer = {NULL}};
  for (; tileOpIs(around, "scf.if"); around = mlirOperationGetParentOperation(around))
    l->outer = around;
  return tileOpIs(around, "scf.for") || tileOpIsAFunc(around);
}

/// What the loop reads of what is made around it.
static MlirWalkResult addOperands(MlirOperation op, void *data) {
  tileValueSearchAddOperands(data, op);
  return MlirWalkResultAdvance;
}

/// Finds the ops that the loop, and whether it is reached, follow from; false where one of them is
/// more than arithmetic.
static bool findNeeded(Leaving *l) {
  TileValueSearch s = {0};
  bool may = true;
  mlirOperationWalk(l->loop, addOperands, &s, MlirWalkPreOrder);
  for (MlirOperation at = l->loop; !mlirOperationEqual(at, l->outer);) {
    at = mlirOperationGetParentOperation(at);
    tileValueSearchAdd(&s, tileOperand(at, 0));
  }
  while (s.count && may) {
    MlirOperation op = tileValueGetOp(s.stack[--s.count]); // null: an argument of a loop
    if (mlirOperationIsNull(op) || tileOpHolds(l->loop, op) || !tileOpHolds(l->outer, op)) continue;
    may = tileOpIsMovable(op) && mlirOperationGetNumRegions(op) == 0;
    tilePointerTableInsert(&l->needed, op.ptr);
    tileValueSearchAddOperands(&s, op);
  }
  tileValueSearchClear(&s);
  return may;
}

/// May the loop run in front of what stands before it in its branches?
static bool mayPass(const Leaving *l) {
  const uint32_t reads = TILE_READS_GLOBAL | TILE_READS_SHARED;
  bool writes = tileHoldsEffects(l->loop, ~reads);
  for (MlirOperation at = l->loop; !mlirOperationEqual(at, l->outer);
       at = mlirOperationGetParentOperation(at))
    TILE_FOR_EACH_OP(op, mlirOperationGetBlock(at)) {
      if (mlirOperationEqual(op, at)) break;
      if (!tileOpIsAAssume(op) && tileHoldsEffects(op, writes ? ~0U : ~reads)) return false;
    }
  return true;
}

const char *tileWhyInBranch(MlirOperation op) {
  static const char other[] = "expected it in loops (scf.for) alone, found another region";
  bool inLoop = false;
  const char *why = NULL;
  for (; !why && !tileOpIsAFunc(op);) {
    Leaving l;
    if (!lookAround(op, &l))
      why = other;
    else if (!mlirOperationIsNull(l.outer) && !inLoop)
      why = other;
    else if (!mlirOperationIsNull(l.outer) && !findNeeded(&l))
      why = "expected a loop that follows from arithmetic in front of its branch, found more";
    else if (!mlirOperationIsNull(l.outer) && !mayPass(&l))
      why = "expected nothing written in front of the loop in its branch, found that";
    tilePointerTableClear(&l.needed);
    op = mlirOperationGetParentOperation(mlirOperationIsNull(l.outer) ? op : l.outer);
    inLoop = true;
  }
  return why;
}

/// i1: are all branches taken?
static MlirValue buildEnters(TileBuilder *b, const Leaving *l) {
  MlirValue enters = {NULL};
  for (MlirOperation at = l->loop; !mlirOperationEqual(at, l->outer);) {
    MlirBlock block = mlirOperationGetBlock(at);
    at = mlirOperationGetParentOperation(at);
    MlirValue taken = tileOperand(at, 0);
    if (!mlirBlockEqual(block, tileBody(at, 0))) taken = tileBuildContrary(b, taken);
    enters = mlirValueIsNull(enters) ? taken : tileBuildBinary(b, "arith.andi", taken, enters);
  }
  return enters;
}

static bool isNeeded(MlirOperation op, void *data) {
  const Leaving *l = data;
  return tilePointerTableFind(l->needed, op.ptr) != NULL;
}

static void leave(Leaving *l) {
  TileOpList needed = {0};
  findNeeded(l);
  tileOpListCollect(&needed, l->outer, MlirWalkPreOrder, isNeeded, l);
  for (size_t i = 0; i < needed.count; ++i) mlirOperationMoveBefore(needed.ops[i], l->outer);
  TileBuilder b = tileBuilderBefore(l->outer);
  b.location = mlirOperationGetLocation(l->loop);
  MlirValue enters = buildEnters(&b, l), lower = tileForGetLower(l->loop);
  tileMarkEntry(mlirOperationGetBlock(l->loop), enters);
  mlirOperationSetOperand(l->loop, TILE_FOR_UPPER,
                          tileBuildSelect(&b, enters, tileForGetUpper(l->loop), lower));
  mlirOperationMoveBefore(l->loop, l->outer);
  tileOpListDestroy(&needed);
  tilePointerTableClear(&l->needed);
}

void tileLeaveBranches(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op)) {
    Leaving l;
    if (lookAround(op, &l) && !mlirOperationIsNull(l.outer)) leave(&l);
  }
}
