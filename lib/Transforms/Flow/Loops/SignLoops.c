//===- SignLoops.c - loops that count numbers with a sign -------------------===//
//
// Before:  scf.for unsigned %i = %from to %to step %by { ..%i.. }                        i32
// After:   %first = arith.xori %from, 2^31
//          %last = arith.xori %to, 2^31
//          scf.for %k = %first to %last step %by {
//            %i = arith.xori %k, 2^31
//            ..%i.. }
//
// Numbers without a sign are in the order of numbers with one that are 2^31 less, and wrap where
// those do. Passes of loops, and the CPU's lowering, compare counters as numbers with a sign. Where
// no number of the loop is beyond 2^31, it becomes one of these as it stands.
//
// Requires: nothing.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/IR.h"
#include "tile/Passes.h"

/// Are the bounds, and what a step ends with, the same numbers with a sign and without?
static bool isSame(const TileAxisAnalysis *axis, MlirOperation loop, int width) {
  const TileAxisInfo *lower = tileAxisAnalysisGet(axis, tileForGetLower(loop));
  const TileAxisInfo *upper = tileAxisAnalysisGet(axis, tileForGetUpper(loop));
  const TileAxisInfo *step = tileAxisAnalysisGet(axis, tileForGetStep(loop));
  int64_t most = width < 62 ? INT64_C(1) << (width - 1) : INT64_C(1) << 61, last;
  return lower->min >= 0 && upper->min >= 0 && step->min > 0 &&
         !__builtin_add_overflow(upper->max, step->max, &last) && last <= most;
}

static void biasLoop(MlirOperation loop, int width) {
  TileBuilder b = tileBuilderBefore(loop);
  MlirBlock body = tileBody(loop, 0);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  MlirType type = mlirValueGetType(counter);
  MlirValue sign = tileBuildInt(&b, type, (int64_t)(~UINT64_C(0) << (width - 1)));
  for (int i = TILE_FOR_LOWER; i <= TILE_FOR_UPPER; ++i) {
    MlirValue bound = tileBuildBinary(&b, "arith.xori", tileOperand(loop, i), sign);
    mlirOperationSetOperand(loop, i, bound);
  }
  TileBuilder in = tileBuilderAtStart(body);
  in.location = b.location;
  MlirValue same = tileBuildBinary(&in, "arith.xori", counter, sign);
  MlirOperation own = tileValueGetOp(same);
  mlirValueReplaceAllUsesExcept(counter, same, 1, &own);
}

MlirLogicalResult tileRunSignLoops(MlirOperation func) {
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  TileAxisAnalysis *axis = NULL;
  for (size_t i = 0; i < loops.count; ++i) {
    MlirOperation loop = loops.ops[i];
    if (mlirAttributeIsNull(tileAttr(loop, "unsignedCmp"))) continue;
    if (!axis) axis = tileAxisAnalysisCreate(func);
    MlirType type = mlirValueGetType(tileForGetLower(loop));
    int width = mlirTypeIsAIndex(type) ? 64 : tileBitWidth(type);
    if (!isSame(axis, loop, width)) biasLoop(loop, width);
    mlirOperationRemoveAttributeByName(loop, tileString("unsignedCmp"));
  }
  if (axis) tileAxisAnalysisDestroy(axis);
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
