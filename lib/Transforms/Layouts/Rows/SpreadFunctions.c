//===- SpreadFunctions.c - what lanes and warps compute alike -------------===//
//
// Before:  %c = math.cos %a        // 64 angles, four a thread, which two lanes and four warps have
// After:   %b = math.cos %a'       // two a thread
//          %c = tile_gpu.convert_layout %b
//
// A row that follows from positions alone is computed wherever it is wanted, by all lanes and warps
// that hold the rows below: angles of a rotary embedding, factors of a Fourier transform. Of
// functions that are long that costs more than computing each element once and handing it on: among
// lanes by a shuffle for each register, or through shared memory, where that is still less. So it
// is of quotients by what the launch alone knows: taps of a convolution by the extents of its
// filter.
//
// Before a load the row would have to be loaded otherwise; rows of loads are tile-localize-rows'.
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/OpLength.h"
#include "tile/Trace.h"
#include <stdlib.h>

/// Bits of `dim` in which nothing differs tell apart what registers did, the last ones first.
static bool fill(TileLayout *layout, TileInDim dim) {
  bool some = false;
  for (int bit = 0; bit < layout->inBits[dim] && layout->inBits[TILE_REGISTER]; ++bit) {
    if (layout->bases[dim][bit]) continue;
    int top = --layout->inBits[TILE_REGISTER];
    layout->bases[dim][bit] = layout->bases[TILE_REGISTER][top];
    layout->bases[TILE_REGISTER][top] = 0;
    some = true;
  }
  return some;
}

/// Is the result looked at by none, or by such ops alone?
static bool isUnused(MlirOperation op, int depth) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool computes = tileOpIsElementwise(user) || tileOpIsShapeChange(user);
    if (!depth || !computes || !isUnused(user, depth - 1)) return false;
  }
  return true;
}

/// What is saved where `value` is computed in `layout`, in slots of a warp, beside what handing it
/// on takes; 0 where that cannot be.
static int64_t gainOf(MlirValue value, MlirAttribute layout, TileRowSlice *slice) {
  TileConversion plan;
  MlirType type = mlirValueGetType(value);
  slice->count = 0;
  if (!tileRowsPlan(tileWithEncoding(type, layout), type, &plan) ||
      !tileRowsCollect(slice, value, layout))
    return 0;
  int64_t gain = -plan.cost;
  for (int k = 0; k < slice->count; ++k) {
    if (slice->steps[k].loads) return 0;
    gain -= tileRowsMoreOfStep(&slice->steps[k]);
  }
  return gain > 0 ? gain : 0;
}

static void spread(MlirOperation op, MlirAttribute layout) {
  MlirValue value = tileResult(op);
  TileRowSlice slice = {0};
  TileValueMap map = {{0}};
  tileRowsCollect(&slice, value, layout);
  tileRowsCloneSteps(&slice, &map, value);
  TileBuilder b = tileBuilderAfter(tileValueGetOp(tileValueMapGet(map, value)));
  MlirValue moved = tileBuildUnary(&b, "tile_gpu.convert_layout", mlirValueGetType(value),
                                   tileValueMapGet(map, value));
  mlirValueReplaceAllUsesOfWith(value, moved);
  tileValueMapClear(&map);
  free(slice.steps);
}

/// Is it a quotient or remainder by what the launch alone knows? It takes a dozen instructions.
static bool isDivision(MlirOperation op) {
  int64_t by;
  return (tileOpIsQuotient(op) || tileOpIsRemainder(op)) &&
         !tileConstantInt(tileOperand(op, 1), &by) &&
         tileTypeIsTile(mlirValueGetType(tileResult(op)));
}

static void visit(MlirOperation op) {
  TileLayout layout;
  TileRowSlice slice = {0};
  MlirType type = mlirValueGetType(tileResult(op));
  MlirContext context = mlirOperationGetContext(op);
  if (!tileTypeGetLayout(type, &layout)) return;
  layout = tileLayoutRemoveFreeRegisters(layout, NULL);
  MlirAttribute best = mlirAttributeGetNull();
  // Addresses wait for what is handed on.
  int64_t most = 0, least = isDivision(op)
                                ? tileMachineNumber(tileMachineOf(op), TILE_NUMBER_SPREAD_GAIN)
                                : 0;
  for (int dim = TILE_LANE; dim <= TILE_WARP; ++dim) {
    if (!fill(&layout, dim)) continue;
    MlirAttribute attr = tileLayoutToAttr(context, &layout);
    int64_t gain = gainOf(tileResult(op), attr, &slice);
    if (gain <= most || gain < least) continue;
    most = gain;
    best = attr;
  }
  free(slice.steps);
  if (mlirAttributeIsNull(best)) return;
  tileTrace(mlirOperationGetLocation(op), "computed once and handed on: %d slots less", (int)most);
  spread(op, best);
}

static bool isFunction(MlirOperation op, void *data) {
  (void)data;
  if (isDivision(op)) return true;
  int least = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_SPREAD_LENGTH);
  return tileOpIsOfDialect(op, "math") && tileOpLength(op) >= least &&
         tileTypeIsTile(mlirValueGetType(tileResult(op)));
}

void tileRowsSpreadFunctions(MlirOperation func) {
  enum { DEPTH = 16 };
  TileOpList functions = {0};
  tileOpListCollect(&functions, func, MlirWalkPostOrder, isFunction, NULL);
  // The last ones first: what they are computed of goes with them.
  for (size_t i = functions.count; i-- > 0;)
    if (!isUnused(functions.ops[i], DEPTH)) visit(functions.ops[i]);
  tileOpListDestroy(&functions);
}
