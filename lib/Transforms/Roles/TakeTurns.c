//===- TakeTurns.c - warp groups end a loop of dots one by one ------------===//
//
// Before:  %d = scf.for %k = 0 to %n { dot }       After:  %c = scf.for %k = 0 to %n - 3 { dot }
//          tile_gpu.dot_wait %d                                tile_gpu.turn_wait
//          a function of each element                      %d = scf.for %k = %n - 3 to %n { dot }
//                                                          tile_gpu.turn_pass
//                                                          tile_gpu.dot_wait %d
//                                                          a function of each element
//
// Warp groups that share boxes run in step, and what they compute behind the loop keeps the tensor
// cores waiting for both. Now the first group issues its last steps, which have the tensor cores
// for themselves, and the second one its own while the first works on what lies behind; and the
// first begins its next program while the second does. A group that waits for its turn holds slots
// of the rings, so that there must be more slots than steps.
//
// Where results are only narrowed behind the loop there is nothing to hide, and the loop stays.
//
// Requires: a schedule with `turns`, roles with several warp groups of consumers.  Preserves:
// numerics.
//===----------------------------------------------------------------------===//
#include "Kernel.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// Where the last `steps` steps begin; all of them, where the loop has fewer.
static MlirValue buildMiddle(TileBuilder *b, MlirOperation loop, int steps) {
  MlirValue lower = tileForGetLower(loop), step = tileForGetStep(loop);
  MlirType type = mlirValueGetType(lower);
  MlirValue way = tileBuildBinary(b, "arith.subi", tileForGetUpper(loop), lower);
  MlirValue all = tileBuildBinary(b, "arith.ceildivsi", way, step);
  MlirValue before = tileBuildBinary(b, "arith.subi", all, tileBuildInt(b, type, steps));
  MlirValue most = tileBuildBinary(b, "arith.maxsi", before, tileBuildInt(b, type, 0));
  MlirValue distance = tileBuildBinary(b, "arith.muli", most, step);
  return tileBuildBinary(b, "arith.addi", lower, distance);
}

static void split(MlirOperation loop, int steps) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue middle = buildMiddle(&b, loop, steps);
  MlirOperation last = mlirOperationClone(loop);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(loop), loop, last);
  intptr_t n = mlirOperationGetNumResults(loop);
  for (intptr_t i = 0; i < n; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), mlirOperationGetResult(last, i));
  for (intptr_t i = 0; i < n; ++i)
    mlirOperationSetOperand(last, TILE_FOR_INITS + i, mlirOperationGetResult(loop, i));
  mlirOperationSetOperand(loop, TILE_FOR_UPPER, middle);
  mlirOperationSetOperand(last, 0, middle);
  b = tileBuilderBefore(last);
  tileBuildOp(&b, "tile_gpu.turn_wait", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  b = tileBuilderBefore(mlirOperationGetNextInBlock(last));
  tileBuildOp(&b, "tile_gpu.turn_pass", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

MlirLogicalResult tileRunTakeTurns(MlirOperation func) {
  TileSchedule schedule;
  if (!tileKernelGetSchedule(func, &schedule) || !schedule.turns) return mlirLogicalResultSuccess();
  if (mlirOperationIsNull(tileKernelGetRoles(func)))
    return tileScheduleFails(func, "expected roles that take turns, found none");
  if (tileKernelGetWarpGroups(func) < 2)
    return tileScheduleFails(func, "expected several warp groups that take turns, found one");
  MlirOperation loop = tileKernelGetDotLoop(func);
  if (mlirOperationIsNull(loop))
    return tileScheduleFails(func,
                             "expected a loop of dots in flight to take turns in, found none");
  split(loop, (int)schedule.turns);
  tileTrace(mlirOperationGetLocation(loop), "warp groups take the last %d steps in turn",
            (int)schedule.turns);
  return mlirLogicalResultSuccess();
}
