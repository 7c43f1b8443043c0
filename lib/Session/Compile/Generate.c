//===- Generate.c - from lowered kernels to PTX and machine code ----------===//
#include "CompileKernel.h"
#include "tile/Support/Render.h"
#include "tile/Target/Registers.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

//===- PTX to what a device loads -----------------------------------------===//
//
// A kernel is assembled as a whole program, by ptxas where there is one. The driver's linker, which
// gives cubins too, assembles for linking with other units: ptxas then takes about as many
// registers as would help one thread, and fewer blocks fit a multiprocessor (`ptxas -c` shows it:
// Liger's SwiGLU 88 for 38), and moves none between warps (setmaxnreg, C7504). None of its options
// changes that. The driver's loader assembles whole programs, but keeps its code in a cache of its
// own.

/// The name behind `.entry`, the caller's to free; NULL where PTX has no kernel.
static char *findEntry(const char *ptx) {
  static const char word[] = ".entry ";
  const char *at = strstr(ptx, word);
  return at ? strndup(at + strlen(word), strcspn(at + strlen(word), "( \n")) : NULL;
}

/// Loads code to see whether the device takes it, and what it takes of a thread.
static bool tryToLoad(TileDevice *device, const TileBlob *code, const char *entry,
                      TileRegisterUse *use, TileError *error) {
  const TileModuleOptions options = {.lineInfo = true};
  TileModule *module = tileModuleCreate(device, code->data, code->size, &options, error);
  TileKernel *kernel = module && entry ? tileModuleGetKernel(module, entry, NULL) : NULL;
  const TileKernelInfo *info = kernel ? tileKernelGetInfo(kernel) : NULL;
  *use = (TileRegisterUse){0};
  if (info) use->registers = info->registers, use->frameBytes = info->localBytes;
  tileModuleDestroy(module);
  return module != NULL;
}

/// By ptxas. False where there is none, none for this PTX, or none for this driver.
static bool assembleByPtxas(TileProgram *p, TileDevice *device, const TileBlob *ptx,
                            TileAssembledCode *made) {
  TileRegisterUse loaded;
  TileBlob said;
  if (!tileTargetTryToAssemble(ptx, tileProgramGetArch(p), &made->code, &said)) return false;
  tileCubinGetRegisters(&made->code, &made->use);
  made->use.serialized = tileRegistersSerialize(ptx, &said);
  tileBlobDestroy(&said);
  bool loads = tryToLoad(device, &made->code, NULL, &loaded, NULL);
  if (!loads) tileBlobDestroy(&made->code);
  return loads;
}

/// By the driver's loader: what is kept is the PTX.
static MlirLogicalResult assembleByLoader(TileProgram *p, TileDevice *device, const TileBlob *ptx,
                                          TileAssembledCode *made) {
  TileError error = TILE_ERROR_INIT;
  char *entry = findEntry(ptx->data);
  bool loads = tryToLoad(device, ptx, entry, &made->use, &error);
  made->use.serialized = tileRegistersSerialize(ptx, NULL);
  free(entry);
  if (!loads) {
    tileEmitError(p->loc, "%s", tileErrorGetMessage(&error));
    tileErrorDestroy(&error);
    return mlirLogicalResultFailure();
  }
  made->code = (TileBlob){.data = tileRuntimeAlloc(ptx->size + 1), .size = ptx->size};
  memcpy(made->code.data, ptx->data, ptx->size);
  ((char *)made->code.data)[ptx->size] = 0;
  return mlirLogicalResultSuccess();
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

/// To read or to keep: a cubin by ptxas, and where there is none by the driver's linker. Ptxas says
/// something of it.
static MlirLogicalResult assembleForReaders(TileProgram *p, const TileBlob *ptx, TileBlob *cubin,
                                            TileBlob *said) {
  bool found;
  MlirLogicalResult result =
      tileTargetAssemble(p->loc, ptx, tileProgramGetArch(p), cubin, said, &found);
  if (found) return result;
  TileError error = TILE_ERROR_INIT;
  const TileModuleOptions options = {.lineInfo = true};
  TileDriver *driver = tileDriverOpen(&error);
  TileDevice *device = driver ? tileDeviceCreate(driver, 0, &error) : NULL;
  void *data;
  size_t size;
  bool ok =
      device && tileDeviceAssemble(device, ptx->data, ptx->size, &options, &data, &size, &error);
  if (ok)
    *cubin = (TileBlob){.data = data, .size = size};
  else if (device)
    tileEmitError(p->loc, "%s", tileErrorGetMessage(&error));
  else
    refuseAssembly(p->loc, &error);
  tileErrorDestroy(&error);
  tileDeviceDestroy(device);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static MlirLogicalResult assembleOnce(TileProgram *p, TileDevice *device, const TileBlob *ptx,
                                      TileAssembledCode *made) {
  *made = (TileAssembledCode){.code = {0}};
  if (device && assembleByPtxas(p, device, ptx, made)) return mlirLogicalResultSuccess();
  if (device) return assembleByLoader(p, device, ptx, made);
  TileBlob said;
  MlirLogicalResult result = assembleForReaders(p, ptx, &made->code, &said);
  tileCubinGetRegisters(&made->code, &made->use);
  made->use.serialized = tileRegistersSerialize(ptx, &said);
  tileBlobDestroy(&said);
  return result;
}

/// Assembles with a limit of registers, and takes what comes of it if that is better.
static bool assembleLimited(TileProgram *p, TileDevice *device, const TileBlob *ptx,
                            int sharedBytes, const TileRegisterLimit *limit,
                            TileAssembledCode *made) {
  TileBlob limited = tileRegistersLimit(ptx, limit->registers);
  TileAssembledCode second;
  bool better =
      mlirLogicalResultIsSuccess(assembleOnce(p, device, &limited, &second)) &&
      second.use.registers &&
      tileRegistersKeepLimited(tileProgramGetArch(p), sharedBytes, ptx, &second.use, limit);
  if (p->options.runsPasses)
    tileEmitRemark(p->loc, "%s with %d registers a thread",
                   better ? "assembled again" : "no better assembled", limit->registers);
  if (better) {
    TileAssembledCode first = *made;
    *made = second;
    second = first;
  }
  tileBlobDestroy(&second.code);
  tileBlobDestroy(&limited);
  return better;
}

/// Assembles again where another number of registers promises more, and keeps the better code.
static void assembleAgain(TileProgram *p, TileDevice *device, const TileBlob *ptx, int sharedBytes,
                          TileAssembledCode *made) {
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  if (!made->use.registers) return;
  int n = tileRegistersFindLimits(tileProgramGetArch(p), sharedBytes, ptx, &made->use, limits);
  for (int i = 0; i < n; ++i)
    if (assembleLimited(p, device, ptx, sharedBytes, &limits[i], made)) return;
}

/// Warns at the kernel's line of what its threads write to memory and read again, or leaves that to
/// who may lower it again.
static void warnOfSpills(TileProgram *p, MlirModule module, const TileBlob *ptx,
                         const TileRegisterUse *use) {
  p->use = *use;
  p->spilled = tileRegistersCountSpilled(tileProgramGetArch(p), ptx, use);
  if (!p->mayLowerAgain) tileLoweringWarnOfSpills(p, module);
}

static MlirLogicalResult assembleBest(TileProgram *p, TileDevice *device, const TileBlob *ptx,
                                      int sharedBytes, TileAssembledCode *made) {
  TILE_TRY(assembleOnce(p, device, ptx, made));
  assembleAgain(p, device, ptx, sharedBytes, made);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tileLoweringAssemble(TileProgram *p, TileDevice *device, MlirModule module,
                                       const TileBlob *ptx, int sharedBytes, TileBlob *code) {
  // Who listens to what passes remark hears what is remarked here, too.
  TileAssembled *assembled = p->options.runsPasses ? NULL : p->options.assembled;
  const TileCacheKey key =
      assembled ? tileProgramHashPtx(p, device, ptx, sharedBytes) : (TileCacheKey){{0}};
  TileAssembledCode made;
  if (!tileAssembledFind(assembled, key, &made)) {
    MlirLogicalResult result = assembleBest(p, device, ptx, sharedBytes, &made);
    tileAssembledKeep(assembled, key, mlirLogicalResultIsSuccess(result) ? &made : NULL);
    TILE_TRY(result);
  }
  warnOfSpills(p, module, ptx, &made.use);
  *code = made.code;
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

MlirLogicalResult tileLoweringGenerateGpu(TileProgram *p, TileDevice *device, MlirModule lowered,
                                          TileStages *stages, TileEmit last, TileBlob *blob) {
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
    result = tileLoweringAssemble(p, device, lowered, &ptx, findSharedBytes(lowered), blob);
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
