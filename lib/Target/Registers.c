//===- Registers.c - when to assemble again, with a limit -----------------===//
#include "tile/Target/Registers.h"
#include "tile/Target/Occupancy.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

static const char reqntid[] = ".reqntid ";

static bool isLimited(const char *ptx) {
  return strstr(ptx, "maxnreg") || strstr(ptx, ".minnctapersm");
}

/// Tensor cores take many registers as operands, and a block of them fills its multiprocessor.
static bool hasDots(const char *ptx) { return strstr(ptx, "mma.") != NULL; }

/// The most registers a thread with which so many blocks of a multiprocessor have room.
static int fitBlocks(const TileMachine *arch, int threads, int blocks) {
  int unit = arch->warpRegisterGranule / 32;
  int limit = arch->registers / (blocks * threads) / unit * unit;
  return limit < arch->threadRegisters ? limit : arch->threadRegisters;
}

/// With which two blocks fit, 0 where that is not worth while.
static int fitTwo(const TileMachine *arch, int threads, int sharedBytes, int registers) {
  TileOccupancy now = tileOccupancyCompute(arch, threads, registers, sharedBytes);
  if (now.blocks != 1 || now.limit != TILE_LIMIT_REGISTERS) return 0;
  int limit = fitBlocks(arch, threads, 2);
  int least = tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_REGISTERS) * registers / 100;
  if (limit < least || limit >= registers) return 0;
  return tileOccupancyCompute(arch, threads, limit, sharedBytes).blocks < 2 ? 0 : limit;
}

/// All there are, 0 where they are taken, or nothing is spilled to speak of.
static int takeAll(const TileMachine *arch, int threads, int registers, int frame) {
  int limit = fitBlocks(arch, threads, 1);
  bool spills = frame > tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_SPILLS);
  return spills && registers < limit ? limit : 0;
}

int tileRegistersFindLimit(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                           const TileBlob *cubin, TileBlob *limited) {
  const char *at = ptx->size && !isLimited(ptx->data) ? strstr(ptx->data, reqntid) : NULL;
  int registers, frame;
  if (!at || !tileCubinGetRegisters(cubin, &registers, &frame)) return 0;
  int threads = (int)strtol(at + strlen(reqntid), NULL, 10), limit = 0;
  if (threads > 0) limit = takeAll(arch, threads, registers, frame);
  if (threads > 0 && !limit && !hasDots(ptx->data))
    limit = fitTwo(arch, threads, sharedBytes, registers);
  const char *line = strchr(at, '\n');
  if (!limit || !line) return 0;
  TileText text = {0};
  tileTextAddBytes(&text, ptx->data, (size_t)(line + 1 - ptx->data));
  tileTextPrint(&text, ".maxnreg %d\n", limit);
  tileTextAdd(&text, line + 1);
  *limited = (TileBlob){.data = text.data, .size = text.size};
  return limit;
}

bool tileRegistersKeepLimited(const TileMachine *arch, const TileBlob *first,
                              const TileBlob *second) {
  int registers[2], frames[2];
  if (!tileCubinGetRegisters(first, &registers[0], &frames[0]) ||
      !tileCubinGetRegisters(second, &registers[1], &frames[1]))
    return false;
  if (registers[1] > registers[0]) return 2 * frames[1] <= frames[0];
  return frames[1] - frames[0] <= tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_SPILLS);
}
