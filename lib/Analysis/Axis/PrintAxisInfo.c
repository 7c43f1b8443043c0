//===- PrintAxisInfo.c - what axis analysis knows, as remarks -------------===//
//
// Before:  %r = tile.arange : tensor<64xi32>
// After:   the same, and the remark
//          contiguity = [64], divisibility = [4611686018427387904], constancy = [1],
//          range = [0, 63]
//
// One remark for each integer, truth value and pointer that an op defines or carries around a
// loop. Results after the first say `result #1: ..`, values carried `argument #0: ..`.
//
// Requires: nothing.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "Axis.h"
#include "tile/Passes.h"
#include <stdio.h>

static void print(const TileAxisAnalysis *analysis, MlirLocation at, const char *what, intptr_t i,
                  MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (axisTypeOf(type).kind == AXIS_OTHER) return;
  char text[TILE_AXIS_TEXT], prefix[64] = "";
  if (what) snprintf(prefix, sizeof prefix, "%s #%ld: ", what, (long)i);
  const TileAxisInfo *info = tileAxisAnalysisGet(analysis, value);
  tileEmitRemark(at, "%s%s", prefix, tileAxisInfoPrint(info, type, text));
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  const TileAxisAnalysis *analysis = data;
  MlirLocation at = mlirOperationGetLocation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    print(analysis, at, i ? "result" : NULL, i, mlirOperationGetResult(op, i));
  if (!tileOpIsOfDialect(op, "scf")) return MlirWalkResultAdvance;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = tileBody(op, r);
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i)
      print(analysis, at, r ? "second argument" : "argument", i, mlirBlockGetArgument(block, i));
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunPrintAxisInfo(MlirOperation func) {
  TileAxisAnalysis *analysis = tileAxisAnalysisCreate(func);
  mlirOperationWalk(func, visit, analysis, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(analysis);
  return mlirLogicalResultSuccess();
}
