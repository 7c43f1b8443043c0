//===- KernelFile.c - files of kernels, and what the command line adds ----===//
#include "TileRun.h"
#include "tile/IR.h"
#include "tile/Triton.h"

MlirModule readKernels(MlirContext context, const char *path, const RunOptions *o) {
  MlirModule module = tileParseFile(context, tileString(path));
  if (mlirModuleIsNull(module)) return module;
  if (mlirLogicalResultIsSuccess(tileImportTriton(module)) && restrictHost(module, o))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

/// Helpers are private.
static bool isKernel(MlirOperation op) {
  return tileOpIsAFunc(op) && mlirAttributeIsNull(tileAttr(op, "sym_visibility"));
}

MlirOperation findKernel(MlirModule module, const char *wanted) {
  MlirOperation found = {NULL};
  int count = 0;
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    if (!isKernel(op)) continue;
    MlirStringRef name = mlirStringAttrGetValue(tileAttr(op, "sym_name"));
    if (wanted && !tileStringIs(name, wanted)) continue;
    found = op;
    ++count;
  }
  if (count == 1) return found;
  MlirLocation location = mlirOperationGetLocation(mlirModuleGetOperation(module));
  if (wanted)
    tileEmitError(location, "expected the name of a kernel, found '%s'", wanted);
  else
    tileEmitError(location, "expected --kernel NAME, or a file of one kernel, found %d", count);
  return (MlirOperation){NULL};
}

MlirLogicalResult addKernelGrid(MlirOperation kernel, const int32_t grid[3]) {
  MlirBlock body = tileBody(kernel, 0);
  TILE_FOR_EACH_OP(op, body) {
    if (!tileOpIsAGrid(op)) continue;
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a kernel without a grid beside --grid, found this one");
    return mlirLogicalResultFailure();
  }
  TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(body));
  MlirOperation made = tileBuildOp(&b, "tile.grid", TILE_NONE, TILE_NONE, TILE_NONE, 1);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, 0), block);
  TileBuilder in = tileBuilderAtEnd(block, b.location);
  MlirValue extents[3];
  for (int i = 0; i < 3; ++i) extents[i] = tileBuildInt(&in, tileI32(b.context), grid[i]);
  tileBuildOp(&in, "tile.yield", 3, extents, TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}
