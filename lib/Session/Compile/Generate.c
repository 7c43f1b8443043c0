//===- Generate.c - from lowered kernels to PTX and machine code ----------===//
#include "CompileKernel.h"
#include "tile/Support/Render.h"
#include "tile/Target/Registers.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

/// Does the kernel move registers between its warps? The driver's linker, which gives us cubins,
/// compiles for linking with other units: then registers cannot be moved (C7504), and it spills.
/// None of its options changes that.
static bool movesRegisters(const TileBlob *ptx) {
  static const char word[] = "setmaxnreg";
  return memmem(ptx->data, ptx->size, word, sizeof word - 1) != NULL;
}

/// A cubin of PTX as a whole, by ptxas. False where there is none, or none for this driver: then
/// the driver's loader has to take the PTX, and keeps what it makes of it in a cache of its own.
static bool assembleWhole(TileProgram *p, const TileBlob *ptx, TileBlob *cubin) {
  if (!tileTargetTryToAssemble(ptx, tileProgramGetArch(p), cubin)) return false;
  TileModule *module = tileModuleCreate(p->device, cubin->data, cubin->size, NULL, NULL);
  tileModuleDestroy(module);
  if (!module) tileBlobDestroy(cubin);
  return module != NULL;
}

/// Neither of the two that assemble is there.
static void refuseAssembly(MlirLocation loc, const TileError *error) {
  TileText text = {0};
  tileTextAdd(&text, "expected ptxas on PATH or a CUDA driver, found neither: ");
  tileTextAdd(&text, tileErrorGetMessage(error));
  const TileNote help = {
      loc, tileString(TILE_HELP "PTX needs neither: tile-compile --ptx, tile-run --emit=ptx")};
  tileEmitWithNotes(MlirDiagnosticError, loc, tileString(text.data ? text.data : ""), &help, 1);
  free(text.data);
}

/// PTX to a cubin by the device's own driver, and where none is open by ptxas.
static MlirLogicalResult assembleOnce(TileProgram *p, const TileBlob *ptx, TileBlob *cubin) {
  bool found = false;
  if (!p->device) {
    MlirLogicalResult result =
        tileTargetAssemble(p->loc, ptx, tileProgramGetArch(p), cubin, &found);
    if (found) return result;
  }
  TileError error = TILE_ERROR_INIT;
  TileModuleOptions assembling = {.lineInfo = true};
  TileDriver *driver = p->device ? NULL : tileDriverOpen(&error);
  TileDevice *own = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  TileDevice *device = p->device ? p->device : own;
  void *data;
  size_t size;
  bool ok =
      device && tileDeviceAssemble(device, ptx->data, ptx->size, &assembling, &data, &size, &error);
  if (ok)
    *cubin = (TileBlob){.data = data, .size = size};
  else if (device)
    tileEmitError(p->loc, "%s", tileErrorGetMessage(&error));
  else
    refuseAssembly(p->loc, &error);
  tileErrorDestroy(&error);
  tileDeviceDestroy(own);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// Assembles with a limit of registers, and takes what comes of it if that is better.
static bool assembleLimited(TileProgram *p, const TileBlob *ptx, int sharedBytes,
                            const TileRegisterLimit *limit, TileBlob *cubin) {
  const TileMachine *arch = tileProgramGetArch(p);
  TileBlob limited = tileRegistersLimit(ptx, limit->registers), second = {0};
  bool better = mlirLogicalResultIsSuccess(assembleOnce(p, &limited, &second)) &&
                tileRegistersKeepLimited(arch, sharedBytes, ptx, &second, limit);
  if (p->options.runsPasses)
    tileEmitRemark(p->loc, "%s with %d registers a thread",
                   better ? "assembled again" : "no better assembled", limit->registers);
  if (better) {
    TileBlob first = *cubin;
    *cubin = second;
    second = first;
  }
  tileBlobDestroy(&second);
  tileBlobDestroy(&limited);
  return better;
}

/// Assembles again where another number of registers promises more, and keeps the better cubin.
static void assembleAgain(TileProgram *p, const TileBlob *ptx, int sharedBytes, TileBlob *cubin) {
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  int n = tileRegistersFindLimits(tileProgramGetArch(p), sharedBytes, ptx, cubin, limits);
  for (int i = 0; i < n && !assembleLimited(p, ptx, sharedBytes, &limits[i], cubin); ++i) continue;
}

MlirLogicalResult tileLoweringAssemble(TileProgram *p, const TileBlob *ptx, int sharedBytes,
                                       TileBlob *cubin) {
  if (p->device && movesRegisters(ptx)) {
    if (assembleWhole(p, ptx, cubin)) return mlirLogicalResultSuccess();
    *cubin = (TileBlob){.data = tileRuntimeAlloc(ptx->size + 1), .size = ptx->size};
    memcpy(cubin->data, ptx->data, ptx->size);
    ((char *)cubin->data)[ptx->size] = 0;
    return mlirLogicalResultSuccess();
  }
  TILE_TRY(assembleOnce(p, ptx, cubin));
  assembleAgain(p, ptx, sharedBytes, cubin);
  return mlirLogicalResultSuccess();
}

/// Of a block, as the lowering left it.
static int findSharedBytes(MlirModule lowered) {
  TileCode code = {.launch = tileProgramCollectLaunch(mlirModuleGetOperation(lowered))};
  return (int)tileProgramGetLaunchInt(&code, "tile_gpu.shared_bytes", 0);
}

/// Puts SASS in the place of a cubin.
static MlirLogicalResult disassemble(const TileProgram *p, TileBlob *blob) {
  TileBlob cubin = *blob;
  bool found;
  MlirLogicalResult result = tileTargetDisassemble(p->loc, &cubin, blob, &found);
  tileBlobDestroy(&cubin);
  if (!found) tileEmitError(p->loc, "expected nvdisasm or cuobjdump on PATH, found neither");
  return result;
}

MlirLogicalResult tileLoweringGenerateGpu(TileProgram *p, MlirModule lowered, TileStages *stages,
                                          TileEmit last, TileBlob *blob) {
  TileGpuOptions options = {.arch = tileProgramGetArch(p), .lineInfo = true};
  TileBlob llvm = {0}, ptx = {0};
  *blob = (TileBlob){0};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  if (stages || last == TILE_EMIT_LLVM) {
    result = tileTargetEmitGpu(lowered, TILE_GPU_LLVM, &options, &llvm);
    if (mlirLogicalResultIsSuccess(result)) result = tileStagesVisit(stages, "llvm", "ll", &llvm);
    // Line information is in the text by now.
    options.llvm = &llvm;
    options.lineInfo = false;
  }
  if (mlirLogicalResultIsSuccess(result) && last >= TILE_EMIT_PTX) {
    result = tileTargetEmitGpu(lowered, TILE_GPU_PTX, &options, &ptx);
    if (mlirLogicalResultIsSuccess(result)) result = tileStagesVisit(stages, "ptx", "ptx", &ptx);
  }
  if (mlirLogicalResultIsSuccess(result) && last >= TILE_EMIT_CUBIN) {
    result = tileLoweringAssemble(p, &ptx, findSharedBytes(lowered), blob);
    if (mlirLogicalResultIsSuccess(result))
      result = tileStagesVisit(stages, "cubin", "cubin", blob);
  }
  TileBlob *wanted = last == TILE_EMIT_LLVM ? &llvm : last == TILE_EMIT_PTX ? &ptx : NULL;
  if (mlirLogicalResultIsSuccess(result) && wanted) {
    *blob = *wanted;
    *wanted = (TileBlob){0};
  }
  tileBlobDestroy(&llvm);
  tileBlobDestroy(&ptx);
  if (mlirLogicalResultIsSuccess(result) && last == TILE_EMIT_SASS) result = disassemble(p, blob);
  return result;
}

MlirLogicalResult tileLoweringGenerateCpu(MlirModule lowered, TileStages *stages, TileEmit last,
                                          TileBlob *blob) {
  const TileHostPasses effort = TILE_HOST_EXPLICIT_VECTORS;
  const TileHostStage stage = last == TILE_EMIT_LLVM  ? TILE_HOST_LLVM
                              : last == TILE_EMIT_ASM ? TILE_HOST_ASSEMBLY
                                                      : TILE_HOST_OBJECT;
  if (!stages) return tileTargetEmitHost(lowered, stage, effort, blob);
  MlirLocation loc = mlirOperationGetLocation(mlirModuleGetOperation(lowered));
  TileBlob llvm;
  TILE_TRY(tileTargetEmitHost(lowered, TILE_HOST_LLVM, effort, &llvm));
  MlirLogicalResult result = tileStagesVisit(stages, "llvm", "ll", &llvm);
  if (last == TILE_EMIT_LLVM) {
    *blob = llvm;
    return result;
  }
  if (mlirLogicalResultIsSuccess(result))
    result = tileTargetEmitHostIR(loc, &llvm, TILE_HOST_ASSEMBLY, blob);
  if (mlirLogicalResultIsSuccess(result) && last == TILE_EMIT_ASM)
    result = tileStagesVisit(stages, "asm", "s", blob);
  if (mlirLogicalResultIsSuccess(result) && last != TILE_EMIT_ASM) {
    result = tileStagesShow(stages, "asm", "s", blob);
    tileBlobDestroy(blob);
    if (mlirLogicalResultIsSuccess(result))
      result = tileTargetEmitHostIR(loc, &llvm, TILE_HOST_OBJECT, blob);
    if (mlirLogicalResultIsSuccess(result)) result = tileStagesVisit(stages, "object", "o", blob);
  }
  tileBlobDestroy(&llvm);
  return result;
}
