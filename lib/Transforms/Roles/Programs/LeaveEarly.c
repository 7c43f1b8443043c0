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
// Requires: shared memory is placed.  Preserves: numerics.  Declines, with a remark: blocks of
// several programs, and clusters, whose blocks wait for each other; a condition behind a write, or
// one that follows from more.
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
/// none. Is something written in front of it?
static MlirOperation findCondition(MlirBlock program, bool *isWritten) {
  TILE_FOR_EACH_OP(op, program) {
    if (!mlirAttributeIsNull(tileAttr(op, "tile.leaves"))) return op;
    *isWritten |= tileHoldsEffects(op, TILE_WRITES_GLOBAL);
  }
  return (MlirOperation){NULL};
}

/// Why the condition cannot come first; null where it can, and `q` is what it follows from.
static const char *whyNotFirst(MlirOperation func, Question *q, MlirOperation condition,
                               bool isWritten) {
  if (!mlirOperationIsNull(tileKernelGetProgramLoop(func)))
    return "expected one program of a block, found a loop over programs";
  if (tileIntAttr(func, "tile_gpu.cluster", 1) != 1)
    return "expected blocks that wait for no others, found a cluster";
  if (isWritten) return "expected nothing that is written in front of it, found a write";
  return findQuestion(q, condition)
             ? NULL
             : "expected scalar arithmetic and numbers that are read, found more";
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
  Question q = {.front = tileBody(func, 0), .program = tileKernelGetProgram(func)};
  bool isWritten = false;
  MlirOperation condition = findCondition(q.program, &isWritten);
  if (mlirOperationIsNull(condition)) return mlirLogicalResultSuccess();
  const char *reason = whyNotFirst(func, &q, condition, isWritten);
  if (reason) {
    tileEmitRemark(mlirOperationGetLocation(condition),
                   "programs that return early do so behind what a block makes ready: %s", reason);
    return mlirLogicalResultSuccess();
  }

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
