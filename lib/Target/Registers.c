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

/// What is to be tried: so many registers a thread, 0 for nothing, and the largest frame with which
/// it stands.
typedef struct {
  int registers, mostFrame;
} Limit;

/// What ptxas made of a kernel by itself.
typedef struct {
  int threads, sharedBytes, registers, frame;
} Made;

/// With which two blocks fit, where that is worth while.
static Limit fitTwo(const TileMachine *arch, const Made *k) {
  TileOccupancy now = tileOccupancyCompute(arch, k->threads, k->registers, k->sharedBytes);
  if (now.blocks != 1 || now.limit != TILE_LIMIT_REGISTERS) return (Limit){0};
  int limit = fitBlocks(arch, k->threads, 2);
  int least = tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_REGISTERS) * k->registers / 100;
  if (limit < least || limit >= k->registers) return (Limit){0};
  if (tileOccupancyCompute(arch, k->threads, limit, k->sharedBytes).blocks < 2) return (Limit){0};
  int spills = tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_SPILLS);
  return (Limit){limit, k->frame + spills};
}

/// All there are, where they are not taken, and something is spilled to speak of.
static Limit takeAll(const TileMachine *arch, const Made *k) {
  int limit = fitBlocks(arch, k->threads, 1);
  bool spills = k->frame > tileMachineNumber(arch, TILE_NUMBER_SECOND_BLOCK_SPILLS);
  return spills && k->registers < limit ? (Limit){limit, k->frame / 2} : (Limit){0};
}

/// All that as many blocks leave to each.
static Limit takeShare(const TileMachine *arch, const Made *k) {
  if (k->registers < tileMachineNumber(arch, TILE_NUMBER_SHARE_REGISTERS)) return (Limit){0};
  int blocks = tileOccupancyCompute(arch, k->threads, k->registers, k->sharedBytes).blocks;
  int limit = blocks > 0 ? fitBlocks(arch, k->threads, blocks) : 0;
  return limit > k->registers ? (Limit){limit, k->frame} : (Limit){0};
}

static Limit findLimit(const TileMachine *arch, const Made *k, bool dots) {
  Limit limit = takeAll(arch, k);
  if (!limit.registers && !dots) limit = fitTwo(arch, k);
  if (!limit.registers && !dots) limit = takeShare(arch, k);
  return limit;
}

int tileRegistersFindLimit(const TileMachine *arch, int sharedBytes, const TileBlob *ptx,
                           const TileBlob *cubin, TileBlob *limited, int *mostFrame) {
  const char *at = ptx->size && !isLimited(ptx->data) ? strstr(ptx->data, reqntid) : NULL;
  Made made = {.sharedBytes = sharedBytes};
  if (!at || !tileCubinGetRegisters(cubin, &made.registers, &made.frame)) return 0;
  made.threads = (int)strtol(at + strlen(reqntid), NULL, 10);
  const char *line = strchr(at, '\n');
  if (made.threads <= 0 || !line) return 0;
  Limit limit = findLimit(arch, &made, hasDots(ptx->data));
  if (!limit.registers) return 0;
  TileText text = {0};
  tileTextAddBytes(&text, ptx->data, (size_t)(line + 1 - ptx->data));
  tileTextPrint(&text, ".maxnreg %d\n", limit.registers);
  tileTextAdd(&text, line + 1);
  *limited = (TileBlob){.data = text.data, .size = text.size};
  *mostFrame = limit.mostFrame;
  return limit.registers;
}

bool tileRegistersKeepLimited(const TileBlob *second, int mostFrame) {
  int registers, frame;
  return tileCubinGetRegisters(second, &registers, &frame) && frame <= mostFrame;
}
