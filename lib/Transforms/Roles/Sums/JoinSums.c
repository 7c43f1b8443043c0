//===- JoinSums.c - one block does what follows from a divided sum --------===//
//
// Before:  %sum = tile_gpu.add_parts %s
//          .. what is made of %sum, and its stores ..
// After:   %sum = tile_gpu.add_parts %s
//          %rank = tile_gpu.cluster_rank
//          %first = arith.cmpi eq, %rank, 0
//          scf.if %first { .. what is made of %sum, and its stores .. }
//
// It comes when warps have their roles and results their way out: so none of the passes that look
// for stores behind a loop need know of the condition. Where blocks have a share of the sum each
// (`shares`), all of them go on.
//
// Requires: tile-split-sums, and all passes of a schedule.  Preserves: numerics.
//===----------------------------------------------------------------------===//
#include "../Kernel.h"
#include "tile/Passes.h"

/// The last of the program's sums; null where none is divided.
static MlirOperation findLast(MlirOperation func) {
  MlirOperation last = {NULL};
  TILE_FOR_EACH_OP(op, tileKernelGetProgram(func)) {
    if (tileOpIsAAddParts(op)) last = op;
  }
  return last;
}

/// Moves what stands behind `branch`, but for the end of the block, into it.
static void moveRest(MlirOperation branch) {
  MlirBlock to = tileBody(branch, 0);
  for (MlirOperation next = mlirOperationGetNextInBlock(branch); !mlirOperationIsNull(next);) {
    MlirOperation op = next;
    next = mlirOperationGetNextInBlock(op);
    if (tileOpIsAReturn(op)) break;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(to, op);
  }
  TileBuilder b = tileBuilderAtEnd(to, mlirOperationGetLocation(branch));
  tileBuildOp(&b, "scf.yield", TILE_NONE, TILE_NONE, TILE_NONE, 0);
}

MlirLogicalResult tileRunJoinSums(MlirOperation func) {
  MlirOperation last = findLast(func);
  MlirOperation next = mlirOperationIsNull(last) ? last : mlirOperationGetNextInBlock(last);
  bool joined = mlirOperationIsNull(next) ||
                !mlirAttributeIsNull(tileAddPartsGetSharesAttr(last)) ||
                tileOpIsAClusterRank(next) || tileOpIsAReturn(next);
  if (joined) return mlirLogicalResultSuccess();
  TileBuilder b = tileBuilderAfter(last);
  MlirType i32 = tileI32(b.context);
  MlirValue rank = tileBuild(&b, "tile_gpu.cluster_rank", i32, TILE_NONE);
  MlirValue first = tileBuildCmpi(&b, TILE_EQ, rank, tileBuildInt(&b, i32, 0));
  moveRest(tileBuildIf(&b, first, TILE_NONE, false));
  return mlirLogicalResultSuccess();
}
