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
// Kernels that wait for other programs in a loop (scf.while around an access) keep their order, as
// the one waited for may not have begun.
//
// Requires: helpers inlined.  Preserves: numerics, control flow; of atomics, the order changes,
// which nothing promises.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/ProgramLengths.h"
#include "tile/Analysis/Waiting.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

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
    if (tileProgramLengths(func, axis) != TILE_GROWS) continue;
    MlirOperation waiting = tileFindWaiting(func);
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
