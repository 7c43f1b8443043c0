//===- Registers.c - fewer registers for a second block -------------------===//
#include "tile/Target/Registers.h"
#include "tile/Target/Occupancy.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

static const char reqntid[] = ".reqntid ";

/// Is nothing said of registers, and nothing multiplied by tensor cores, whose operands are many?
static bool isFree(const char *ptx) {
  return !strstr(ptx, "maxnreg") && !strstr(ptx, ".minnctapersm") && !strstr(ptx, "mma.");
}

/// The most registers a thread with which two blocks fit, 0 where that is not worth while.
static int findLimit(const TileMachine *arch, int threads, int sharedBytes, int registers) {
  TileOccupancy now = tileOccupancyCompute(arch, threads, registers, sharedBytes);
  if (now.blocks != 1 || now.limit != TILE_LIMIT_REGISTERS) return 0;
  int unit = arch->warpRegisterGranule / 32;
  int limit = arch->registers / (2 * threads) / unit * unit;
  int least = tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_REGISTERS) * registers / 100;
  if (limit < least || limit >= registers) return 0;
  return tileOccupancyCompute(arch, threads, limit, sharedBytes).blocks < 2 ? 0 : limit;
}

int tileRegistersForSecondBlock(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                                const TileBlob *cubin, TileBlob *limited) {
  const char *at = ptx->size && isFree(ptx->data) ? strstr(ptx->data, reqntid) : NULL;
  int registers, frame;
  if (!at || !tileCubinGetRegisters(cubin, &registers, &frame)) return 0;
  int threads = (int)strtol(at + strlen(reqntid), NULL, 10);
  int limit = threads > 0 ? findLimit(arch, threads, sharedBytes, registers) : 0;
  const char *line = strchr(at, '\n');
  if (!limit || !line) return 0;
  TileText text = {0};
  tileTextAddBytes(&text, ptx->data, (size_t)(line + 1 - ptx->data));
  tileTextPrint(&text, ".maxnreg %d\n", limit);
  tileTextAdd(&text, line + 1);
  *limited = (TileBlob){.data = text.data, .size = text.size};
  return limit;
}

bool tileRegistersKeepSecondBlock(const TileMachine *arch, const TileBlob *first,
                                  const TileBlob *second) {
  int registers, before, after;
  return tileCubinGetRegisters(first, &registers, &before) &&
         tileCubinGetRegisters(second, &registers, &after) &&
         after - before <= tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_SPILLS);
}
