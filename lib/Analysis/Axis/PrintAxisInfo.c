//===- PrintAxisInfo.c - what axis analysis knows, as remarks -------------===//
//
// Before:  %r = tile.arange : tensor<64xi32>
// After:   the same, and the remark
//          contiguity = [64], divisibility = [4611686018427387904], constancy = [1],
//          range = [0, 63]
//
// One remark for each integer, truth value and pointer that an op defines or carries around a
// loop, and one for each access of a tile: vector = [4], order = [0]. Where a line
// has several they say `result #0: ..`, `argument #0: ..` and, for the second region of a while,
// `passed on #0: ..`.
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

/// "vector = [..], order = [..]" of a load, store or atomic of a tile.
static void printAccess(const TileAxisAnalysis *analysis, MlirOperation op) {
  MlirValue pointers, mask;
  if (!axisAccessOf(op, &pointers, &mask)) return;
  int rank = axisTypeOf(mlirValueGetType(pointers)).rank, order[TILE_MAX_RANK];
  if (rank == 0) return;
  tileAxisAccessOrder(analysis, pointers, order);
  char vectors[TILE_MAX_RANK * 8] = "", orders[TILE_MAX_RANK * 8] = "";
  for (int d = 0, v = 0, o = 0; d < rank; ++d) {
    const char *comma = d ? ", " : "";
    v += snprintf(vectors + v, sizeof vectors - (size_t)v, "%s%d", comma,
                  tileAxisAccessVector(analysis, op, d));
    o += snprintf(orders + o, sizeof orders - (size_t)o, "%s%d", comma, order[d]);
  }
  tileEmitRemark(mlirOperationGetLocation(op), "vector = [%s], order = [%s]", vectors, orders);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  const TileAxisAnalysis *analysis = data;
  MlirLocation at = mlirOperationGetLocation(op);
  intptr_t results = mlirOperationGetNumResults(op), regions = mlirOperationGetNumRegions(op);
  const char *what = results > 1 || regions > 0 ? "result" : NULL;
  for (intptr_t i = 0; i < results; ++i)
    print(analysis, at, what, i, mlirOperationGetResult(op, i));
  printAccess(analysis, op);
  // What a reduction does to two elements stands on its line too, and is not a value of the
  // program.
  if (tileOpIsAReduce(op) || tileOpIsAScan(op)) return MlirWalkResultSkip;
  if (!tileOpIsOfDialect(op, "scf")) return MlirWalkResultAdvance;
  for (intptr_t r = 0; r < regions; ++r) {
    MlirBlock block = tileBody(op, r);
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i)
      print(analysis, at, r ? "passed on" : "argument", i, mlirBlockGetArgument(block, i));
  }
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileRunPrintAxisInfo(MlirOperation func) {
  TileAxisAnalysis *analysis = tileAxisAnalysisCreate(func);
  mlirOperationWalk(func, visit, analysis, MlirWalkPreOrder);
  tileAxisAnalysisDestroy(analysis);
  return mlirLogicalResultSuccess();
}
