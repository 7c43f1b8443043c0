//===- UnrollLoops.c - loops of a few short steps -------------------------===//
//
// Before:  %sum = scf.for %s = 0 to 3 step 1 iter_args(%t = %zero) { .. yield %u }
// After:   the body three times, with 0, 1 and 2 for %s, and %u of each for %t of the next
//
// Convolutions and filters walk over their taps so. What steps have in common is computed once
// then, loads of all taps are on their way together, and the loop around is the innermost one: no
// ring of copies is filled, and waited for, in each of its steps.
//
// Unrolled are loops of a constant number of steps whose ops give each element by itself, load or
// store: no dots, nothing that crosses threads. Inner ones first; a loop around them is
// unrolled, too, while what a thread does in all its steps stays short.
//
// Requires: extents bound.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../ValueMap.h"
#include "tile/IR.h"
#include "tile/Machine.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdlib.h>

enum { LOWER, UPPER, STEP, INITS };

/// Elements of a thread that an op computes, loads or stores; -1 for an op of which a loop stays a
/// loop.
static int64_t workOf(MlirOperation op, int64_t threads) {
  if (mlirOperationGetNumRegions(op)) return -1;
  if (tileOpIsView(op) || tileOpIs(op, "arith.constant")) return 0;
  if (!tileOpIsElementwise(op) && !tileOpIsAArange(op) && !tileOpIsAAddPtr(op) &&
      !tileOpIsALoad(op) && !tileOpIsAStore(op))
    return -1;
  bool hasResult = mlirOperationGetNumResults(op);
  MlirType type = mlirValueGetType(hasResult ? mlirOperationGetResult(op, 0) : tileOperand(op, 0));
  int64_t shape[TILE_MAX_RANK], elements = 1;
  int rank = tileTypeIsTile(type) ? tileShape(type, shape) : 0;
  for (int d = 0; d < rank; ++d) elements *= tilePadExtent(shape[d]);
  return (elements + threads - 1) / threads;
}

/// Is it short enough to stand there several times?
static bool isShort(MlirOperation loop, int64_t steps, int64_t threads, int64_t most) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  int64_t work = 0;
  TILE_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, yield)) break;
    int64_t each = workOf(op, threads);
    if (each < 0) return false;
    work += each;
  }
  return work * steps <= most;
}

/// The loop's body `steps` times where the loop is.
static void unroll(MlirOperation loop, int64_t steps) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  TileBuilder b = tileBuilderBefore(loop);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirValue *carried = malloc(((size_t)count + 1) * sizeof *carried);
  if (!carried) abort();
  int64_t lower = 0, step = 0;
  tileConstantInt(tileOperand(loop, LOWER), &lower);
  tileConstantInt(tileOperand(loop, STEP), &step);
  MlirType type = mlirValueGetType(mlirBlockGetArgument(body, 0));
  for (intptr_t i = 0; i < count; ++i) carried[i] = tileOperand(loop, INITS + i);
  for (int64_t s = 0; s < steps; ++s) {
    TileValueMap map = {0};
    tileValueMapSet(&map, mlirBlockGetArgument(body, 0), tileBuildInt(&b, type, lower + s * step));
    for (intptr_t i = 0; i < count; ++i)
      tileValueMapSet(&map, mlirBlockGetArgument(body, i + 1), carried[i]);
    TILE_FOR_EACH_OP(op, body) if (!mlirOperationEqual(op, yield)) tileCloneMapped(&b, &map, op);
    for (intptr_t i = 0; i < count; ++i) carried[i] = tileValueMapGet(map, tileOperand(yield, i));
    tileValueMapClear(&map);
  }
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), carried[i]);
  free(carried);
  mlirOperationDestroy(loop);
}

static bool isFor(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "scf.for");
}

MlirLogicalResult tileRunUnrollLoops(MlirOperation func, const TileUnrollLoopsOptions *options) {
  int64_t warps = options->numWarps ? options->numWarps : tileIntAttr(func, "tile.num_warps", 4);
  const TileMachine *m = tileMachineOf(func);
  int64_t most = tileMachineNumber(m, TILE_NUMBER_UNROLL_WORK);
  int64_t mostSteps = tileMachineNumber(m, TILE_NUMBER_UNROLL_STEPS);
  TileOpList loops = {0};
  tileOpListCollect(&loops, func, MlirWalkPostOrder, isFor, NULL);
  for (size_t i = 0; i < loops.count; ++i) {
    int64_t steps = tileCountSteps(loops.ops[i]);
    if (steps < 1 || steps > mostSteps || !isShort(loops.ops[i], steps, 32 * warps, most)) continue;
    tileTrace(mlirOperationGetLocation(loops.ops[i]), "a loop of %d steps is unrolled", (int)steps);
    unroll(loops.ops[i], steps);
  }
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
