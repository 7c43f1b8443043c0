//===- Occupancy.c - how many blocks a multiprocessor holds ---------------===//
#include "tile/Target/Occupancy.h"

static int roundUp(int value, int unit) { return (value + unit - 1) / unit * unit; }

TileOccupancy tileOccupancyCompute(const TileMachine *arch, int threads, int registers,
                                   int sharedBytes) {
  int warps = (threads + 31) / 32;
  if (warps < 1) warps = 1;
  int perWarp = roundUp(registers * 32, arch->warpRegisterGranule);
  // Warps are spread over four quarters, each with its own registers.
  int warpsByRegisters = perWarp ? arch->registers / 4 / perWarp * 4 : arch->warps;
  int64_t shared = tileMachineGetBlockShared(arch, sharedBytes);
  const int fits[] = {
      [TILE_LIMIT_THREADS] = arch->warps / warps,
      [TILE_LIMIT_BLOCKS] = arch->blocks,
      [TILE_LIMIT_REGISTERS] = warpsByRegisters / warps,
      [TILE_LIMIT_SHARED] = (int)(arch->multiprocessorSharedBytes / shared),
  };
  TileOccupancy result = {.blocks = fits[0]};
  for (int i = 1; i <= TILE_LIMIT_SHARED; ++i)
    if (fits[i] < result.blocks)
      result = (TileOccupancy){.blocks = fits[i], .limit = (TileOccupancyLimit)i};
  result.share = (double)(result.blocks * warps) / arch->warps;
  return result;
}

const char *tileOccupancyGetLimitName(TileOccupancyLimit limit) {
  switch (limit) {
  case TILE_LIMIT_THREADS:
    return "threads";
  case TILE_LIMIT_BLOCKS:
    return "blocks";
  case TILE_LIMIT_REGISTERS:
    return "registers";
  case TILE_LIMIT_SHARED:
    return "shared memory";
  }
  return "";
}
