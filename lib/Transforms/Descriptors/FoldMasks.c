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
// Comparisons are those of indices, and are taken to be exact, as masks are wherever
// this prover is asked. One that --check would have to see fails is not folded: the
// CPU's pipeline does not have this pass.
//
// Requires: meta-parameters bound, swizzle2d expanded.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "tile/Analysis/Affine.h"
#include "tile/Passes.h"
#include "tile/Support/Grow.h"
#include "tile/Trace.h"
#include <stdlib.h>

typedef struct {
  TileAffine *affine;
  MlirOperation *found;
  size_t count, capacity;
} Folder;

static MlirWalkResult visit(MlirOperation op, void *data) {
  Folder *f = data;
  if (!tileOpIs(op, "arith.cmpi") || !tileTypeIsTile(mlirValueGetType(tileResult(op))))
    return MlirWalkResultAdvance;
  if (!tileAffineAlwaysHolds(f->affine, op)) return MlirWalkResultAdvance;
  f->found = tileGrow(f->found, f->count, &f->capacity, sizeof *f->found);
  f->found[f->count++] = op;
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunFoldMasks(MlirOperation func) {
  TileAxisAnalysis *axes = tileAxisAnalysisCreate(func);
  Folder f = {.affine = tileAffineCreate(func, axes, NULL), .count = 0};
  mlirOperationWalk(func, visit, &f, MlirWalkPreOrder);
  tileAffineDestroy(f.affine);
  tileAxisAnalysisDestroy(axes);
  for (size_t i = 0; i < f.count; ++i) {
    MlirType type = mlirValueGetType(tileResult(f.found[i]));
    tileTrace(mlirOperationGetLocation(f.found[i]), "comparison always holds");
    TileBuilder b = tileBuilderBefore(f.found[i]);
    MlirValue yes = tileBuildInt(&b, type, 1);
    tileReplaceOp(f.found[i], TILE_VALUES(yes));
  }
  free(f.found);
  return mlirLogicalResultSuccess();
}
