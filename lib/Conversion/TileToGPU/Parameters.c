//===- Parameters.c - what a launch adds to a kernel's arguments ----------===//
//
// Before:  tile.func @f(%x: !tile.ptr<f16>, %m: i32, ..) attributes {tile_gpu.persistent} {
//            %e = tile_gpu.grid_extent x
//            %d = tile.make_desc %x, [%m, %m], [%s] : !tile.ptr<f16> -> !tile.desc<64x64xf16>
// After:   llvm.func @f(%x: !llvm.ptr<1>, %m: i32, ..,
//                       %e: i32, %ey: i32, %ez: i32,
//                       %d: !llvm.ptr {llvm.align = 64 : i64, nvvm.grid_constant,
//                                      llvm.byval = !llvm.array<16 x i64>})
//              attributes {tile_gpu.persistent,
//                          tile_gpu.tensor_maps = ["f16 %0 [%1:i32, %1:i32] [..] box [64, 64] .."]}
//
// One tensor map for each different description, wherever its make_desc stands: what it says
// follows from the arguments. Without grid_constant LLVM would copy the map to local memory, where
// the copy engine cannot read it.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include <stdlib.h>

enum { GRID_EXTENTS = 3 };

//===- which --------------------------------------------------------------===//

/// The map of a description; -1 where there is none.
static int findMap(const LowerHidden *hidden, MlirAttribute description) {
  for (int i = 0; i < hidden->numMaps; ++i)
    if (mlirAttributeEqual(hidden->maps[i], description)) return i;
  return -1;
}

static bool isUsed(MlirOperation op) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)));
}

typedef struct {
  Lowering *l;
  MlirLogicalResult result;
} Plan;

static MlirLogicalResult planMap(Lowering *l, MlirOperation op) {
  LowerHidden *hidden = &l->hidden;
  MlirLocation loc = mlirOperationGetLocation(op);
  char text[TILE_TENSOR_MAP_TEXT];
  if (!tileMachineHas(l->machine, TILE_FEATURE_TENSOR_MAPS)) {
    tileEmitError(loc, "expected a chip with tensor maps for a descriptor, found %s",
                  l->machine->name);
    return mlirLogicalResultFailure();
  }
  if (!tileDescribeTensorMap(op, text)) return mlirLogicalResultFailure();
  MlirAttribute description = tileStringAttr(l->b.context, text);
  if (findMap(hidden, description) >= 0) return mlirLogicalResultSuccess();
  if (hidden->numMaps == lowerMaxMaps) {
    tileEmitError(loc, "expected at most %d different descriptors in a kernel, found more",
                  lowerMaxMaps);
    return mlirLogicalResultFailure();
  }
  hidden->maps[hidden->numMaps++] = description;
  return mlirLogicalResultSuccess();
}

static MlirWalkResult planOp(MlirOperation op, void *data) {
  Plan *plan = data;
  if (!tileOpIsAMakeDesc(op) || !isUsed(op)) return MlirWalkResultAdvance;
  plan->result = planMap(plan->l, op);
  return mlirLogicalResultIsFailure(plan->result) ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

MlirLogicalResult lowerPlanHidden(Lowering *l) {
  l->hidden.persistent = !mlirAttributeIsNull(tileAttr(l->kernel, "tile_gpu.persistent"));
  Plan plan = {.l = l, .result = mlirLogicalResultSuccess()};
  mlirOperationWalk(l->kernel, planOp, &plan, MlirWalkPreOrder);
  return plan.result;
}

//===- in the function ----------------------------------------------------===//

void lowerAddHidden(Lowering *l, MlirBlock entry) {
  MlirContext c = l->b.context;
  MlirLocation loc = mlirOperationGetLocation(l->kernel);
  MlirType pointer = mlirTypeParseGet(c, tileString("!llvm.ptr"));
  for (int i = 0; l->hidden.persistent && i < GRID_EXTENTS; ++i)
    mlirBlockAddArgument(entry, tileI32(c), loc);
  for (int i = 0; i < l->hidden.numMaps; ++i) mlirBlockAddArgument(entry, pointer, loc);
}

void lowerMarkHidden(Lowering *l, MlirOperation func) {
  MlirContext c = l->b.context;
  const LowerHidden *hidden = &l->hidden;
  MlirAttribute warps = tileAttr(l->kernel, "tile_gpu.block_warps");
  if (l->teams > 1) warps = mlirIntegerAttrGet(tileI32(c), l->blockWarps * l->teams);
  if (!mlirAttributeIsNull(warps))
    mlirOperationSetAttributeByName(func, tileString("tile_gpu.block_warps"), warps);
  static const char *const marks[] = {"tile_gpu.persistent", "tile_gpu.shares_last",
                                      "tile_gpu.one_program", "tile_gpu.boxes_may_cost",
                                      "tile_gpu.rounds_may_cost"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    if (!mlirAttributeIsNull(tileAttr(l->kernel, marks[i])))
      mlirOperationSetAttributeByName(func, tileString(marks[i]), mlirUnitAttrGet(c));
  if (l->cluster > 1) {
    int32_t blocks[] = {l->cluster, 1, 1};
    mlirOperationSetAttributeByName(func, tileString("nvvm.cluster_dim"),
                                    mlirDenseI32ArrayGet(c, 3, blocks));
    mlirOperationSetAttributeByName(func, tileString("tile_gpu.cluster"),
                                    mlirIntegerAttrGet(tileI32(c), l->cluster));
  }
  if (!hidden->numMaps) return;
  mlirOperationSetAttributeByName(func, tileString("tile_gpu.tensor_maps"),
                                  mlirArrayAttrGet(c, hidden->numMaps, hidden->maps));
  // [{}, {}, .., {llvm.align, ..}]: one for each parameter
  intptr_t plain =
      mlirBlockGetNumArguments(tileBody(l->kernel, 0)) + (hidden->persistent ? GRID_EXTENTS : 0);
  MlirAttribute none = tileParseAttr(c, "{}");
  MlirAttribute map = tileParseAttr(c, "{llvm.align = 64 : i64, nvvm.grid_constant, "
                                       "llvm.byval = !llvm.array<16 x i64>}");
  intptr_t count = plain + hidden->numMaps;
  MlirAttribute *each = malloc((size_t)count * sizeof *each);
  if (!each) abort();
  for (intptr_t i = 0; i < count; ++i) each[i] = i < plain ? none : map;
  mlirOperationSetAttributeByName(func, tileString("arg_attrs"), mlirArrayAttrGet(c, count, each));
  free(each);
}

/// Parameter `i` behind the user's.
static MlirValue parameter(Lowering *l, int i) {
  intptr_t own = mlirBlockGetNumArguments(tileBody(l->kernel, 0));
  MlirBlock entry = mlirOperationGetBlock(l->first);
  return mlirBlockGetArgument(entry, own + i);
}

static MlirValue mapParameter(Lowering *l, int map) {
  return parameter(l, (l->hidden.persistent ? GRID_EXTENTS : 0) + map);
}

void lowerPrefetchHidden(Lowering *l) {
  MlirValue maps[lowerMaxMaps];
  for (int i = 0; i < l->hidden.numMaps; ++i) maps[i] = mapParameter(l, i);
  if (l->hidden.numMaps) lowerPrefetchMaps(l, l->hidden.numMaps, maps);
}

MlirLogicalResult lowerMakeDesc(Lowering *l, MlirOperation op) {
  char text[TILE_TENSOR_MAP_TEXT];
  if (!isUsed(op)) return mlirLogicalResultSuccess();
  if (!tileDescribeTensorMap(op, text)) return mlirLogicalResultFailure();
  int map = findMap(&l->hidden, tileStringAttr(l->b.context, text));
  lowerSet(l, tileResult(op), mapParameter(l, map));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerGridExtent(Lowering *l, MlirOperation op) {
  if (!l->hidden.persistent) {
    tileEmitError(
        mlirOperationGetLocation(op),
        "expected a kernel with tile_gpu.persistent around tile_gpu.grid_extent, found one "
        "without");
    return mlirLogicalResultFailure();
  }
  lowerSet(l, tileResult(op), parameter(l, (int)tileGridExtentGetAxis(op)));
  return mlirLogicalResultSuccess();
}
