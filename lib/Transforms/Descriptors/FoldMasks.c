//===- FoldMasks.c - comparisons that hold everywhere ---------------------===//
//
// Before:  %in = arith.cmpi slt, %rows, %left : tensor<128x1xi32>
//          %t = tile.load %p, %in
// After:   %in = arith.constant dense<true> : tensor<128x1xi1>
//          %t = tile.load %p, %in                        // canonicalize drops the mask
//
// where the affine prover (tile/Analysis/Affine.h) shows that the comparison holds at each
// position, in each program and each iteration: first_m + row < m follows where m
// is a multiple of the tile's rows, a launch fact, and the grid has m / rows of them;
// k0 + column < k where k is a multiple of the loop's step.
//
// A comparison of what may wrap around is not folded: what is compared has to fit its type
// (lib/Analysis/Affine/Exact.c).
//
// Requires: meta-parameters bound, swizzle2d expanded.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Affine.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

static bool alwaysHolds(MlirOperation op, void *affine) {
  bool mayWrap;
  if (!tileOpIs(op, "arith.cmpi") || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return false;
  if (tileAffineAlwaysHolds(affine, op, &mayWrap)) return true;
  MlirLocation location = mlirOperationGetLocation(op);
  if (mayWrap)
    tileEmitRemark(location, "comparison is not folded: expected numbers that fit their type, "
                             "found some that may wrap around");
  else // as the masks of most kernels' ends, of which there is nothing to tell
    tileTrace(location, "comparison is not shown to hold everywhere");
  return false;
}

MlirLogicalResult tileRunFoldMasks(MlirOperation func) {
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  TileAffine *affine = tileAffineCreate(func, axes, NULL);
  TileOpList found = {0};
  tileOpListCollect(&found, func, MlirWalkPreOrder, alwaysHolds, affine);
  tileAffineDestroy(affine);
  tileAxisAnalysisDestroy(axes);
  for (size_t i = 0; i < found.count; ++i) {
    MlirType type = mlirValueGetType(tileResult(found.ops[i]));
    tileTrace(mlirOperationGetLocation(found.ops[i]), "comparison always holds");
    TileBuilder b = tileBuilderBefore(found.ops[i]);
    MlirValue yes = tileBuildInt(&b, type, 1);
    tileReplaceOp(found.ops[i], TILE_VALUES(yes));
  }
  tileOpListDestroy(&found);
  return mlirLogicalResultSuccess();
}
