//===- HoistSteadyLoads.c - what all steps load alike is loaded once ------===//
//
// Before:  %s = scf.for %n = %first to %end .. {
//            %q = tile.load %row, %mask             // nothing of it follows from the step
//            .. %q ..
//          }
// After:   %some = arith.cmpi slt, %first, %end     // left out where there is a step
//          %q = tile.load %row, (%mask and %some)
//          %s = scf.for %n = %first to %end .. { .. %q .. }
//
// Authors write a loop over the other side of a comparison with both loads in it. Loaded in front,
// the one is waited for once, and tile-assign-layouts knows which of the two may be converted for
// nothing. A loop that takes no step loads nothing: its addresses may be none.
//
// Left where they are: loads in loops that write, or wait for who does; in loops of dots, whose
// operands have passes of their own; volatile ones; those in branches; and, with a remark, what
// would take more than a few words of each thread.
//
// Requires: nothing.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "../Masks.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"

/// Is all that it reads computed in front of `loop`?
static bool isSteady(MlirOperation load, MlirOperation loop) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(load); ++i)
    if (!tileIsOutside(tileOperand(load, i), loop)) return false;
  return tileLoadGetCache(load) != TILE_CACHE_USE_CV;
}

/// Words of a thread, where each element lies in one.
static int64_t wordsOf(MlirOperation load) {
  MlirType type = mlirValueGetType(tileResult(load));
  int64_t threads = tileNumThreadsOf(load);
  if (!tileTypeIsTile(type)) return 1;
  return (tileNumElements(type) * tileBitWidth(tileElementType(type)) / 32 + threads - 1) / threads;
}

/// Is there a step? Null where that is sure.
static MlirValue buildSome(MlirOperation loop) {
  if (tileCountSteps(loop) > 0) return (MlirValue){NULL};
  TileBuilder b = tileBuilderBefore(loop);
  return tileBuildCmpi(&b, TILE_SLT, tileForGetLower(loop), tileForGetUpper(loop));
}

static void hoistFrom(MlirOperation loop) {
  if (tileHoldsEffects(loop, TILE_WRITES_GLOBAL | TILE_WRITES_CONTROL) || tileHoldsDot(loop))
    return;
  int most = tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_HOISTED_WORDS);
  MlirValue some = {NULL};
  MlirBlock body = tileBody(loop, 0);
  MlirOperation end = mlirBlockGetTerminator(body), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, end);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!tileOpIsALoad(op) || !isSteady(op, loop)) continue;
    if (wordsOf(op) > most) {
      tileEmitRemark(mlirOperationGetLocation(op),
                     "load does not leave the loop: expected at most %d words a thread, found %d",
                     most, (int)wordsOf(op));
      continue;
    }
    if (mlirValueIsNull(some)) some = buildSome(loop);
    mlirOperationMoveBefore(op, loop);
    if (!mlirValueIsNull(some)) tileAccessOnlyIf(op, some);
  }
}

MlirLogicalResult tileRunHoistSteadyLoads(MlirOperation func) {
  // Inner loops come first: what leaves one may leave the next.
  tileVisitLoops(func, hoistFrom);
  return mlirLogicalResultSuccess();
}
