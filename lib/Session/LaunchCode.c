//===- LaunchCode.c - launches of compiled code ---------------------------===//
//
// What the lowerings left on a kernel, as tile/Runtime/Launcher.h wants it:
//
//   tile.num_warps      warps that hold tiles
//   tile_gpu.block_warps    warps of a block, where there are more than those
//   tile_gpu.shared_bytes   dynamic shared memory
//   tile_gpu.cluster        blocks of a cluster
//   tile_gpu.persistent     one row of blocks run through programs in a loop
//   tile_gpu.shares_last    and two of them share each of the last programs, if there are enough
//   tile_gpu.one_program    or have one program each, so that there are as many
//   tile_gpu.boxes_may_cost what spills may be lowered again without boxes (Compile/LowerAgain.c)
//   tile_gpu.rounds_may_cost  and that with a block for each program
//   tile_gpu.tensor_maps    descriptions of tensor maps, an array of strings
//===----------------------------------------------------------------------===//
#include "ProgramImpl.h"
#include <stdlib.h>
#include <string.h>

static MlirAttribute getFact(const TileCode *code, const char *name) {
  return mlirDictionaryAttrGetElementByName(code->launch, tileString(name));
}

/// The strings of `texts`, each with a NUL, in an array to be freed with what it points at.
static char **copyTexts(MlirAttribute texts, unsigned *count) {
  bool is = !mlirAttributeIsNull(texts) && mlirAttributeIsAArray(texts);
  *count = is ? (unsigned)mlirArrayAttrGetNumElements(texts) : 0;
  char **copies = tileRuntimeAlloc((*count + (size_t)1) * sizeof *copies);
  for (unsigned i = 0; i < *count; ++i) {
    MlirStringRef text = mlirStringAttrGetValue(mlirArrayAttrGetElement(texts, i));
    copies[i] = tileRuntimeAlloc(text.length + 1);
    memcpy(copies[i], text.data, text.length);
  }
  return copies;
}

TileLaunchFacts tileCodeReadLaunch(const TileCode *code, unsigned arguments) {
  int64_t warps = tileProgramGetLaunchInt(code, "tile.num_warps", TILE_USUAL_WARPS);
  TileLaunchFacts facts = {
      .arguments = arguments,
      .warps = (unsigned)tileProgramGetLaunchInt(code, "tile_gpu.block_warps", warps),
      .sharedBytes = (uint32_t)tileProgramGetLaunchInt(code, "tile_gpu.shared_bytes", 0),
      .cluster = (unsigned)tileProgramGetLaunchInt(code, "tile_gpu.cluster", 1),
      .persistent = !mlirAttributeIsNull(getFact(code, "tile_gpu.persistent")),
      .sharesLast = !mlirAttributeIsNull(getFact(code, "tile_gpu.shares_last")),
      .oneProgram = !mlirAttributeIsNull(getFact(code, "tile_gpu.one_program"))};
  facts.maps =
      (const char *const *)copyTexts(getFact(code, "tile_gpu.tensor_maps"), &facts.numMaps);
  return facts;
}

void tileLaunchFactsDestroy(TileLaunchFacts *facts) {
  for (unsigned i = 0; i < facts->numMaps; ++i) free((void *)(uintptr_t)facts->maps[i]);
  free((void *)(uintptr_t)facts->maps);
  *facts = (TileLaunchFacts){0};
}

bool tileProgramMakeLauncher(TileSpecialization *s, const TileCode *code, TileError *error) {
  TileLaunchFacts facts = tileCodeReadLaunch(code, s->kernel->count);
  s->threads = (int)facts.warps * 32;
  s->sharedBytes = (int)facts.sharedBytes;
  s->launcher = tileLauncherCreate(s->gpu, &facts, error);
  tileLaunchFactsDestroy(&facts);
  return s->launcher != NULL;
}

bool tileProgramFindArrays(const TileProgramKernel *kernel, const uint64_t *slots,
                           TileArray **arrays, TileError *error) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (!kernel->parameters[i].isPointer) continue;
    arrays[i] = tileArrayFind((void *)(intptr_t)slots[i]);
    if (arrays[i]) continue;
    return tileErrorSet(
        error,
        "expected an array of tile_host.alloc, tile_host.random or tile_host.read for argument "
        "%u, found other memory",
        i);
  }
  return true;
}

bool tileProgramPlaceArguments(TileProgram *p, const TileProgramKernel *kernel,
                               TileArray *const *arrays, uint64_t *slots, TileError *error) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    TileArray *array = arrays[i];
    if (!array) continue;
    if (!p->device) {
      if (!tileArrayToHost(array, error)) return false;
      continue;
    }
    if (!tileArrayToDevice(array, p->device, error)) return false;
    slots[i] += array->devicePtr - (uintptr_t)array->host;
  }
  return true;
}

void tileProgramMarkArguments(TileProgram *p, const TileProgramKernel *kernel,
                              TileArray *const *arrays) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (!arrays[i] || (i < 64 && !(kernel->written >> i & 1))) continue;
    if (p->device)
      tileArrayMarkDeviceWritten(arrays[i]);
    else
      tileArrayMarkHostWritten(arrays[i]);
  }
}

bool tileProgramLaunchCode(TileProgram *p, const TileSpecialization *code, const uint64_t *slots,
                           const int32_t grid[3], TileError *error) {
  if (!p->device && code->speaks) {
    TileConsoleCall call = {code->cpu, slots, p->console};
    return tileExecutorRun(p->executor, tileConsoleRunProgram, &call, grid, error);
  }
  if (!p->device) return tileExecutorRun(p->executor, code->cpu, slots, grid, error);
  return tileLauncherRun(code->launcher, slots, grid, NULL, error);
}

MlirLogicalResult tileProgramFlush(TileProgram *p, const TileSpecialization *code,
                                   const int32_t grid[3]) {
  TileError error = TILE_ERROR_INIT;
  if (code->console && !tileModuleConsoleRead(code->console, grid, p->console, &error))
    return tileProgramReport(p->place, &error);
  TileConsolePlace place = {0};
  if (tileConsoleFlush(p->console, p->options.console ? p->options.console : stdout, &place,
                       &error))
    return mlirLogicalResultSuccess();
  MlirLocation loc =
      mlirLocationFileLineColGet(p->context, tileString(place.file), place.line, place.column);
  free(place.file);
  return tileProgramReport(loc, &error);
}
