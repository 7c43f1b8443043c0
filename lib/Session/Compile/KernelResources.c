//===- KernelResources.c - what a kernel would take of a GPU --------------===//
#include "../ProgramImpl.h"

MlirLogicalResult tileProgramFindResources(TileProgram *p, MlirStringRef kernel,
                                           const char *const *arguments, size_t count,
                                           TileResources *resources) {
  TileBlob ptx;
  TILE_TRY(tileProgramEmit(p, kernel, TILE_EMIT_PTX, arguments, count, &ptx));
  const TileCode code = {.launch = p->emitted};
  int64_t warps = tileProgramGetLaunchInt(&code, "tile.num_warps", TILE_USUAL_WARPS);
  int threads = 32 * (int)tileProgramGetLaunchInt(&code, "tile_gpu.block_warps", warps);
  int shared = (int)tileProgramGetLaunchInt(&code, "tile_gpu.shared_bytes", 0);
  MlirLogicalResult result =
      tileResourcesFind(p->loc, &ptx, tileProgramGetArch(p), threads, shared, resources);
  tileBlobDestroy(&ptx);
  return result;
}

size_t tileProgramGetNumKernels(const TileProgram *p) { return p->numKernels; }
MlirStringRef tileProgramGetKernelName(const TileProgram *p, size_t index) {
  return p->kernels[index].name;
}
