//===- Resources.c - registers, spills, occupancy -------------------------===//
#include "tile/Target/Resources.h"
#include "Emit.h"
#include "tile/Target/Registers.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// The number before ` WORDS` in ptxas's report, 0 when it says none.
static int numberBefore(const char *log, const char *words) {
  const char *at = strstr(log, words);
  if (!at) return 0;
  while (at > log && isdigit((unsigned char)at[-1])) --at;
  return (int)strtol(at, NULL, 10);
}

/// What a cubin takes that was made of the PTX.
static bool getUse(const TileBlob *ptx, const TileBlob *cubin, const TileBlob *log,
                   TileRegisterUse *use) {
  bool says = tileCubinGetRegisters(cubin, use);
  use->serialized = tileRegistersSerialize(ptx, log);
  return says;
}

/// Assembles with a limit of registers, and takes what comes of it if that is better.
static bool assembleLimited(MlirLocation loc, const TileBlob *ptx, const TileMachine *arch,
                            int sharedBytes, const TileRegisterLimit *limit, TileBlob *cubin,
                            TileBlob *log) {
  TileBlob limited = tileRegistersLimit(ptx, limit->registers), second = {0}, said = {0};
  TileRegisterUse use;
  bool found;
  bool better =
      mlirLogicalResultIsSuccess(tileTargetAssemble(loc, &limited, arch, &second, &said, &found)) &&
      getUse(ptx, &second, &said, &use) &&
      tileRegistersKeepLimited(arch, sharedBytes, ptx, &use, limit);
  if (better) {
    TileBlob first = *cubin, firstLog = *log;
    *cubin = second, *log = said;
    second = first, said = firstLog;
  }
  tileBlobDestroy(&limited);
  tileBlobDestroy(&second);
  tileBlobDestroy(&said);
  return better;
}

/// What a session makes of it where another number of registers promises more.
static void assembleAgain(MlirLocation loc, const TileBlob *ptx, const TileMachine *arch,
                          int sharedBytes, TileBlob *cubin, TileBlob *log) {
  TileRegisterLimit limits[TILE_REGISTER_LIMITS];
  TileRegisterUse use;
  int n = getUse(ptx, cubin, log, &use)
              ? tileRegistersFindLimits(arch, sharedBytes, ptx, &use, limits)
              : 0;
  for (int i = 0; i < n; ++i)
    if (assembleLimited(loc, ptx, arch, sharedBytes, &limits[i], cubin, log)) return;
}

MlirLogicalResult tileResourcesFind(MlirLocation loc, const TileBlob *ptx, const TileMachine *arch,
                                    int threads, int sharedBytes, TileResources *result) {
  *result = (TileResources){.arch = arch->name, .threads = threads, .sharedBytes = sharedBytes};
  tileCountPtx(ptx->data, result->mix);
  TileBlob cubin, log;
  MlirLogicalResult assembled =
      tileTargetAssemble(loc, ptx, arch, &cubin, &log, &result->assembled);
  if (!result->assembled) return mlirLogicalResultSuccess();
  if (mlirLogicalResultIsFailure(assembled)) return assembled;
  assembleAgain(loc, ptx, arch, sharedBytes, &cubin, &log);
  result->registers = numberBefore(log.data, " registers");
  result->spillStores = numberBefore(log.data, " bytes spill stores");
  result->spillLoads = numberBefore(log.data, " bytes spill loads");
  result->barriers = numberBefore(log.data, " barriers");
  result->sharedBytes += numberBefore(log.data, " bytes smem");
  result->occupancy = tileOccupancyCompute(arch, threads, result->registers, result->sharedBytes);
  TileBlob sass;
  if (mlirLogicalResultIsSuccess(tileTargetDisassemble(loc, &cubin, &sass, &result->fromSass)) &&
      result->fromSass)
    tileCountSass(sass.data, result->mix);
  tileBlobDestroy(&sass);
  tileBlobDestroy(&log);
  tileBlobDestroy(&cubin);
  return mlirLogicalResultSuccess();
}

void tileResourcesPrint(FILE *file, const TileResources *r) {
  fprintf(file, " for %s: %d threads, %d shared bytes", r->arch, r->threads, r->sharedBytes);
  if (r->assembled)
    fprintf(file,
            ", %d registers, %d bytes spilled and %d read back, %d barrier%s\n"
            "  %d blocks a multiprocessor, occupancy %.0f %%, limited by %s\n",
            r->registers, r->spillStores, r->spillLoads, r->barriers, r->barriers == 1 ? "" : "s",
            r->occupancy.blocks, 100 * r->occupancy.share,
            tileOccupancyGetLimitName(r->occupancy.limit));
  else
    fputs("; registers and occupancy are unknown without ptxas on PATH\n", file);
  const char *separator = r->fromSass ? "  SASS: " : "  PTX: ";
  for (int i = 0; i < TILE_MIX_KINDS; ++i) {
    if (!r->mix[i]) continue;
    fprintf(file, "%s%s %d", separator, tileMixGetName((TileMixKind)i), r->mix[i]);
    separator = ", ";
  }
  fputc('\n', file);
}
