//===- LeaveEarly.c - programs that return early return first -------------===//
//
// Before:  %ring = tile_gpu.alloc_shared ..            barriers, maybe roles
//          ..
//          %count = tile.load %counts                  in the consumers, maybe
//          %c = arith.cmpi slt, %first, %count {tile.leaves}
//          %end = arith.select %c, %steps, %zero
//          scf.for .. to %end { .. }
//          tile.store %out, %sum, (%seen and %c)
// After:   %count = tile.load %counts
//          %c = arith.cmpi slt, %first, %count
//          scf.if %c {
//            %ring = tile_gpu.alloc_shared ..
//            .. }
//
// Straight code of an early return (PredicateBranches.h) takes no step and stores nothing where its
// program would have returned; but it makes barriers ready, hands registers on, computes offsets
// and masks, and waits for all of that: some 2 us of a block. Grids for the longest of all groups
// of rows have ten such programs for one that works. `tile.leaves` says without which condition the
// whole program does nothing. All threads ask it first, where it follows from scalars alone and
// from what the program reads in front of all that it writes.
//
// Requires: shared memory is placed.  Preserves: numerics.  Declines: blocks of several programs,
// and clusters, whose blocks wait for each other.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "../Kernel.h"
#include "tile/OpTraits.h"
#include "tile/Passes.h"
#include "tile/Support/ValueSearch.h"

enum { maxSlice = 64 };

typedef struct {
  MlirBlock front, program;
  MlirOperation ops[maxSlice]; ///< what the condition follows from
  int count;
} Question;

static bool isOfQuestion(const Question *q, MlirOperation op) {
  for (int i = 0; i < q->count; ++i)
    if (mlirOperationEqual(q->ops[i], op)) return true;
  return false;
}

/// May all threads compute it in front of everything else?
static bool mayComeFirst(MlirOperation op) {
  bool isTile = tileTypeIsTile(mlirValueGetType(tileResult(op)));
  if (tileOpIsALoad(op)) return !isTile && tileLoadGetCache(op) != TILE_CACHE_USE_CV;
  return !isTile && (tileOpIsScalarArithmetic(op) || tileOpIs(op, "arith.constant"));
}

/// Finds all that `condition` follows from; false where it cannot come first.
static bool findQuestion(Question *q, MlirOperation condition) {
  TileValueSearch s = {0};
  bool may = true;
  for (MlirOperation op = condition;;) {
    MlirBlock block = mlirOperationGetBlock(op);
    bool isHere = mlirBlockEqual(block, q->program) || mlirBlockEqual(block, q->front);
    may = isHere && mlirOperationGetNumResults(op) == 1 && mayComeFirst(op) && q->count < maxSlice;
    if (!may) break;
    if (!isOfQuestion(q, op)) {
      q->ops[q->count++] = op;
      tileValueSearchAddOperands(&s, op);
    }
    while (s.count && mlirValueIsABlockArgument(s.stack[s.count - 1])) --s.count;
    if (!s.count) break;
    op = tileValueGetOp(s.stack[--s.count]);
  }
  tileValueSearchClear(&s);
  return may;
}

/// The condition without which the program does nothing, in its own block; null where there is
/// none, or something is written in front of it.
static MlirOperation findCondition(MlirBlock program) {
  TILE_FOR_EACH_OP(op, program) {
    if (!mlirAttributeIsNull(tileAttr(op, "tile.leaves"))) return op;
    if (tileHoldsEffects(op, TILE_WRITES_GLOBAL)) break;
  }
  return (MlirOperation){NULL};
}

/// Moves what the condition follows from to where `b` builds, in its order.
static void moveQuestion(const Question *q, MlirBlock from, TileBuilder *b) {
  for (MlirOperation op = mlirBlockGetFirstOperation(from); !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (isOfQuestion(q, op)) {
      mlirOperationRemoveFromParent(op);
      mlirBlockInsertOwnedOperationBefore(b->block, b->before, op);
    }
    op = next;
  }
}

MlirLogicalResult tileRunLeaveEarly(MlirOperation func) {
  bool isLone = mlirOperationIsNull(tileKernelGetProgramLoop(func)) &&
                tileIntAttr(func, "tile_gpu.cluster", 1) == 1;
  Question q = {.front = tileBody(func, 0), .program = tileKernelGetProgram(func)};
  MlirOperation condition = isLone ? findCondition(q.program) : (MlirOperation){NULL};
  if (mlirOperationIsNull(condition) || !findQuestion(&q, condition))
    return mlirLogicalResultSuccess();

  TileBuilder b = tileBuilderBefore(mlirBlockGetTerminator(q.front));
  b.location = mlirOperationGetLocation(condition);
  MlirOperation branch = tileBuildIf(&b, tileResult(condition), 0, NULL, false);
  TileBuilder in = tileBuilderAtEnd(tileBody(branch, 0), b.location);
  tileMoveOps(&in, mlirBlockGetFirstOperation(q.front), branch, tileOpStaysInFront);
  tileBuildOp(&in, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  TileBuilder first = tileBuilderBefore(branch);
  moveQuestion(&q, tileBody(branch, 0), &first);
  if (!mlirBlockEqual(q.program, q.front)) moveQuestion(&q, q.program, &first);
  return mlirLogicalResultSuccess();
}
