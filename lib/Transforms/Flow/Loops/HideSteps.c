//===- HideSteps.c - loops whose many steps ptxas shall not count ---------===//
//
// Before:  scf.for %k = %c0 to %c512 step %c8 { %x = tile.load %p, %m .. }
// After:   %end = tile.inline_ptx "..add.u32 $0, zero, 512;" constraints "=r" pure () : () -> i32
//          scf.for %k = %c0 to %end step %c8 { .. }
//
// ptxas unrolls a loop whose steps it can count as a whole, up to some 32 of them; one of more it
// leaves as it is, with what one step loads on its way. A loop whose steps it cannot count it
// unrolls by four, and loads of four steps are on their way together. So of a loop of many short
// steps, which loads little in each, the end becomes a number of which nothing is known: a grid of
// 2^31 programs or more, which no launch has, would add one to it.
//
// Declines, with a remark, in loops that load much in a step, or whose steps do anything but
// compute, load, store and hand on among lanes: what waits for copies, or for other warps, is not
// unrolled for loads.
//
// Requires: layouts assigned, loops pipelined.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/Analysis/Scratch.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"
#include <stdio.h>

/// Bytes that a thread loads in `op`; -1 for an op of which a loop is left as it is.
static int64_t loadedBytes(MlirOperation op, int64_t threads) {
  // Lanes hand on values by shuffles, and wait for nobody.
  if (tileOpIsAConvertLayout(op)) return tileOpScratchBytes(op) == 0 ? 0 : -1;
  if (mlirOperationGetNumRegions(op)) return -1;
  if (tileOpIsView(op) || tileOpIs(op, "arith.constant") || tileOpIsAArange(op) ||
      tileOpIsAAddPtr(op) || tileOpIsAStore(op))
    return 0;
  if (!tileOpIsALoad(op)) return tileOpIsElementwise(op) && !tileOpGetEffects(op) ? 0 : -1;
  MlirType type = mlirValueGetType(tileResult(op));
  if (!tileTypeIsTile(type)) return 0;
  int64_t bytes = tileNumElements(type) * tileBitWidth(tileElementType(type)) / 8;
  return (bytes + threads - 1) / threads;
}

/// Does each step load something, and little? `loads` is set where it loads anything.
static bool loadsLittle(MlirOperation loop, int64_t threads, bool *loads) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  int64_t bytes = 0;
  bool waits = false;
  TILE_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, yield)) break;
    int64_t each = loadedBytes(op, threads);
    waits |= each < 0;
    bytes += each < 0 ? 0 : each;
  }
  *loads = bytes > 0;
  return *loads && !waits && bytes < tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_HIDE_BYTES);
}

/// Can the assembler count its steps, and are they more than it unrolls as a whole?
static bool hasManySteps(MlirOperation loop, int64_t *end) {
  int64_t counted = tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_HIDE_STEPS);
  return tileOpIs(loop, "scf.for") && tileCountSteps(loop) > counted &&
         tileConstantInt(tileForGetUpper(loop), end) && *end >= 0 && *end <= INT32_MAX / 2 &&
         mlirTypeEqual(mlirValueGetType(tileForGetUpper(loop)),
                       tileI32(mlirOperationGetContext(loop)));
}

/// `end`, by way of a number that is 0 in every grid.
static MlirValue buildHidden(TileBuilder *b, int64_t end) {
  char text[160];
  snprintf(text, sizeof text,
           "{\n.reg .b32 zero;\nmov.u32 zero, %%nctaid.x;\nshr.u32 zero, zero, 31;\n"
           "add.u32 $0, zero, %lld;\n}",
           (long long)end);
  MlirType i32 = tileI32(b->context);
  MlirAttribute pure = mlirUnitAttrGet(b->context);
  return tileResult(
      tileBuildOp(b, "tile.inline_ptx", TILE_NONE, 1, &i32,
                  TILE_ATTRS({"text", tileStringAttr(b->context, text)},
                             {"constraints", tileStringAttr(b->context, "=r")}, {"pure", pure}),
                  0));
}

static void runLoop(MlirOperation loop) {
  int64_t end;
  bool loads;
  if (!hasManySteps(loop, &end)) return;
  if (loadsLittle(loop, tileNumThreadsOf(loop), &loads)) {
    TileBuilder b = tileBuilderBefore(loop);
    tileTrace(mlirOperationGetLocation(loop), "%d steps are not counted",
              (int)tileCountSteps(loop));
    mlirOperationSetOperand(loop, TILE_FOR_UPPER, buildHidden(&b, end));
  } else if (loads) {
    tileEmitRemark(mlirOperationGetLocation(loop),
                   "steps are counted: expected less than %lld bytes that a thread loads in each, "
                   "and nothing that waits",
                   (long long)tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_HIDE_BYTES));
  }
}

MlirLogicalResult tileRunHideSteps(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
