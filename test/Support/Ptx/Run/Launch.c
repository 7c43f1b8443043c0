//===- Launch.c - a grid's clusters, in turns -----------------------------===//
#include "../Sync/Races.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_RESIDENT = 1024, ///< blocks, of a launch that does not say
  WINDOW = 8,           ///< blocks that take turns when there is no need of more
  GROW_AFTER = 200000,  ///< instructions without a write, after which one more cluster begins
  LIVELOCK = 400000000, ///< and after which the launch is taken for endless
  MAX_SHARED = 232448,
  LATE_CHANCE = 8,  ///< one in so many rounds a warp falls behind,
  LATE_ROUNDS = 64, ///< for so many at most
};

/// UINT32_MAX for what is more.
static uint32_t product(const uint32_t extents[3]) {
  uint64_t plane = (uint64_t)extents[0] * extents[1];
  return plane > UINT32_MAX / extents[2] ? UINT32_MAX : (uint32_t)(plane * extents[2]);
}

static void setRow(PtxWarp *warp, PtxSpecial special, int lane, uint32_t value) {
  int32_t row = warp->entry->specials[special];
  if (row >= 0) ((PtxU32 *)(warp->registers + row))[lane] = value;
}

static void setTriple(PtxWarp *warp, PtxSpecial first, int lane, const uint32_t triple[3]) {
  for (int i = 0; i < 3; ++i) setRow(warp, (PtxSpecial)((int)first + i), lane, triple[i]);
}

static void setSpecials(PtxWarp *warp, int lane) {
  const PtxBlock *block = warp->block;
  const PtxGrid *grid = block->cluster->grid;
  const PtxLaunch *launch = grid->launch;
  uint32_t thread = (uint32_t)(warp->index * PTX_LANES + lane), inCluster[3];
  uint32_t tid[3] = {thread % launch->block[0], thread / launch->block[0] % launch->block[1],
                     thread / launch->block[0] / launch->block[1]};
  for (int i = 0; i < 3; ++i) inCluster[i] = block->id[i] % grid->cluster[i];
  setTriple(warp, PTX_TID_X, lane, tid);
  setTriple(warp, PTX_NTID_X, lane, launch->block);
  setTriple(warp, PTX_CTAID_X, lane, block->id);
  setTriple(warp, PTX_NCTAID_X, lane, launch->grid);
  setTriple(warp, PTX_CLUSTER_CTAID_X, lane, inCluster);
  setTriple(warp, PTX_CLUSTER_NCTAID_X, lane, grid->cluster);
  setRow(warp, PTX_LANEID, lane, (uint32_t)lane);
  setRow(warp, PTX_WARPID, lane, (uint32_t)warp->index);
  setRow(warp, PTX_SMID, lane, block->id[0] % 8);
  setRow(warp, PTX_CLUSTER_CTARANK, lane, block->rank);
  setRow(warp, PTX_CLUSTER_NCTARANK, lane, product(grid->cluster));
  uint32_t bit = 1u << lane;
  setRow(warp, PTX_LANEMASK_EQ, lane, bit);
  setRow(warp, PTX_LANEMASK_LT, lane, bit - 1);
  setRow(warp, PTX_LANEMASK_LE, lane, bit | (bit - 1));
  setRow(warp, PTX_LANEMASK_GT, lane, ~(bit | (bit - 1)));
  setRow(warp, PTX_LANEMASK_GE, lane, ~(bit - 1));
  setRow(warp, PTX_DYNAMIC_SHARED, lane, launch->sharedBytes);
}

/// What no one wrote is all ones: a NaN in every format, and an index that is out of every bound.
enum { UNWRITTEN = 0xff };

static bool beginWarp(PtxBlock *block, int index) {
  const PtxGrid *grid = block->cluster->grid;
  PtxWarp *warp = &block->warps[index];
  const PtxEntry *entry = grid->entry;
  size_t bytes = ((size_t)entry->fileBytes + 63) / 64 * 64;
  *warp = (PtxWarp){.block = block, .entry = entry, .index = index};
  warp->registers = aligned_alloc(64, bytes);
  warp->busy = calloc(1, bytes / PTX_ROW + 2);
  warp->fresh = grid->findsRaces ? calloc(1, bytes / PTX_ROW + 2) : NULL;
  warp->local = entry->localBytes ? malloc((size_t)entry->localBytes * PTX_LANES) : NULL;
  if (!warp->registers || !warp->busy || (grid->findsRaces && !warp->fresh) ||
      (entry->localBytes && !warp->local))
    return false;
  memset(warp->registers, UNWRITTEN, bytes);
  if (warp->local) memset(warp->local, UNWRITTEN, (size_t)entry->localBytes * PTX_LANES);
  uint32_t left = grid->blockThreads - (uint32_t)index * PTX_LANES;
  warp->living = left >= PTX_LANES ? UINT32_MAX : (1u << left) - 1;
  warp->groups[0] = (PtxGroup){.mask = warp->living};
  warp->groupCount = 1;
  for (int lane = 0; lane < PTX_LANES; ++lane) setSpecials(warp, lane);
  return true;
}

static bool beginBlock(PtxCluster *cluster, uint32_t rank) {
  PtxGrid *grid = cluster->grid;
  PtxBlock *block = &cluster->blocks[rank];
  uint32_t place[3] = {rank % grid->cluster[0], rank / grid->cluster[0] % grid->cluster[1],
                       rank / grid->cluster[0] / grid->cluster[1]};
  *block = (PtxBlock){.cluster = cluster, .rank = rank};
  for (int i = 0; i < 3; ++i) block->id[i] = cluster->id[i] * grid->cluster[i] + place[i];
  block->warpCount = block->livingWarps = (int)((grid->blockThreads + PTX_LANES - 1) / PTX_LANES);
  block->warps = calloc((size_t)block->warpCount, sizeof *block->warps);
  block->shared.size = grid->sharedBytes;
  block->shared.bytes = malloc(grid->sharedBytes + 64);
  if (grid->watchesShared) block->shared.written = calloc(1, grid->sharedBytes + 64);
  if (!block->warps || !block->shared.bytes || (grid->watchesShared && !block->shared.written))
    return false;
  memset(block->shared.bytes, UNWRITTEN, grid->sharedBytes);
  for (int i = 0; i < block->warpCount; ++i)
    if (!beginWarp(block, i)) return false;
  return true;
}

static void endCluster(PtxCluster *cluster) {
  if (!cluster) return;
  for (int b = 0; cluster->blocks && b < cluster->blockCount; ++b) {
    PtxBlock *block = &cluster->blocks[b];
    for (int w = 0; block->warps && w < block->warpCount; ++w) {
      ptxQueueFree(&block->warps[w].copies);
      ptxQueueFree(&block->warps[w].bulks);
      ptxFreeProducts(&block->warps[w]);
      free(block->warps[w].registers);
      free(block->warps[w].busy);
      free(block->warps[w].fresh);
      free(block->warps[w].local);
    }
    free(block->warps);
    free(block->shared.bytes);
    free(block->shared.written);
  }
  ptxFreeLoads(cluster);
  ptxRacesDestroy(cluster->races);
  free(cluster->blocks);
  free(cluster);
}

/// NULL where there is no memory for it.
static PtxCluster *beginCluster(PtxGrid *grid, uint32_t index) {
  PtxCluster *cluster = calloc(1, sizeof *cluster);
  if (!cluster) return NULL;
  uint32_t x = grid->launch->grid[0] / grid->cluster[0],
           y = grid->launch->grid[1] / grid->cluster[1];
  *cluster = (PtxCluster){.grid = grid, .id = {index % x, index / x % y, index / x / y}};
  cluster->blockCount = (int)product(grid->cluster);
  cluster->blocks = calloc((size_t)cluster->blockCount, sizeof *cluster->blocks);
  bool isMade = cluster->blocks;
  for (int b = 0; isMade && b < cluster->blockCount; ++b) {
    isMade = beginBlock(cluster, (uint32_t)b);
    cluster->livingWarps += cluster->blocks[b].livingWarps;
    cluster->livingThreads += grid->blockThreads;
  }
  if (isMade && grid->findsRaces) {
    cluster->races = ptxRacesCreate(cluster);
    isMade = cluster->races;
  }
  if (isMade) return cluster;
  endCluster(cluster);
  return NULL;
}

/// The clusters of a launch that run.
typedef struct Residents {
  PtxGrid *grid;
  PtxCluster **clusters;
  int count, window, most;
  uint32_t next, total;
} Residents;

static bool fill(Residents *residents) {
  while (residents->count < residents->window && residents->next < residents->total) {
    PtxCluster *cluster = beginCluster(residents->grid, residents->next);
    if (!cluster) {
      residents->grid->fault =
          (PtxFault){.code = 2, .text = "expected memory for a cluster, found none"};
      return false;
    }
    residents->clusters[residents->count++] = cluster;
    ++residents->next;
  }
  return true;
}

/// Whether one more can run beside them.
static bool widen(Residents *residents) {
  if (residents->window >= residents->most || residents->next >= residents->total) return false;
  ++residents->window;
  return true;
}

/// Some warp waits longer than others come without it, as on a chip after a miss of a cache.
static void chooseLate(PtxCluster *cluster, int all) {
  if (cluster->late || !cluster->isRunning || ptxRandom(cluster->grid, LATE_CHANCE)) return;
  cluster->late = 1 + (int)ptxRandom(cluster->grid, (uint32_t)all);
  cluster->lateFor = 1 + (int)ptxRandom(cluster->grid, LATE_ROUNDS);
}

/// Runs the warps of a cluster, each for a while, from a random one on. Whether one did anything.
static bool runCluster(PtxCluster *cluster) {
  PtxGrid *grid = cluster->grid;
  bool isRunning = false;
  int warps = cluster->blocks[0].warpCount, all = warps * cluster->blockCount;
  int first = (int)ptxRandom(grid, (uint32_t)all);
  chooseLate(cluster, all);
  for (int i = 0; i < all && !grid->fault.code; ++i) {
    int which = (first + i) % all;
    if (which == cluster->late - 1) continue;
    PtxWarp *warp = &cluster->blocks[which / warps].warps[which % warps];
    if (!warp->groupCount) continue;
    int budget =
        ptxRandom(grid, 4) == 0 ? 1 + (int)ptxRandom(grid, 32) : 100 + (int)ptxRandom(grid, 900);
    isRunning |= ptxRunWarp(warp, budget);
    // What lands may be what a warp before waits for.
    if (cluster->loads && ptxRandom(grid, 4) == 0) isRunning |= ptxLandLoads(cluster, false);
  }
  if (!isRunning && !grid->fault.code) isRunning = ptxLandLoads(cluster, false);
  bool isOver = cluster->late && (!isRunning || --cluster->lateFor <= 0);
  if (isOver) cluster->late = 0;
  cluster->isRunning = isRunning;
  return isRunning || isOver;
}

/// What every warp waits for, when none can go on.
static void reportDeadlock(Residents *residents, const char *what) {
  PtxGrid *grid = residents->grid;
  for (int c = 0; c < residents->count; ++c)
    for (int b = 0; b < residents->clusters[c]->blockCount; ++b) {
      PtxBlock *block = &residents->clusters[c]->blocks[b];
      for (int w = 0; w < block->warpCount; ++w) {
        PtxWarp *warp = &block->warps[w];
        for (int g = 0; g < warp->groupCount; ++g) {
          const PtxOp *op = &grid->entry->ops[warp->groups[g].pc];
          if (c == 0)
            fprintf(stderr, "  block %u,%u,%u warp %d lanes %08x at line %d: %s\n", block->id[0],
                    block->id[1], block->id[2], w, warp->groups[g].mask, op->line, op->text);
          if (!grid->fault.code)
            ptxFaultAt(warp, op, ptxFirst(warp->groups[g].mask), PTX_FAILED, "%s", what);
        }
      }
    }
}

static void runGrid(Residents *residents) {
  PtxGrid *grid = residents->grid;
  while (!grid->fault.code && fill(residents) && residents->count) {
    bool isRunning = false;
    for (int c = 0; c < residents->count && !grid->fault.code;) {
      isRunning |= runCluster(residents->clusters[c]);
      if (residents->clusters[c]->livingWarps || grid->fault.code) {
        ++c;
        continue;
      }
      ptxLandLoads(residents->clusters[c], true);
      endCluster(residents->clusters[c]);
      memmove(&residents->clusters[c], &residents->clusters[c + 1],
              (size_t)(--residents->count - c) * sizeof *residents->clusters);
      isRunning = true;
    }
    if (grid->fault.code) break;
    uint64_t idle = grid->steps - grid->lastWrite;
    if (!isRunning && !widen(residents))
      reportDeadlock(residents, "expected a warp that can go on, found every one waiting");
    else if (idle > GROW_AFTER && !widen(residents) && idle > LIVELOCK)
      reportDeadlock(residents, "expected a write in 400 million instructions, found none");
  }
}

/// What the launch asks for and the kernel forbids.
static bool checkLaunch(PtxGrid *grid) {
  const PtxEntry *entry = grid->entry;
  const PtxLaunch *launch = grid->launch;
  for (int i = 0; i < 3; ++i) {
    grid->cluster[i] = launch->cluster[i]  ? launch->cluster[i]
                       : entry->cluster[i] ? entry->cluster[i]
                                           : 1;
    if (!launch->grid[i] || !launch->block[i] || launch->grid[i] % grid->cluster[i])
      return ptxFaultSet(&grid->fault, PTX_INVALID_VALUE,
                         "expected a grid of whole clusters of blocks");
    if (entry->required[0] && launch->block[i] != entry->required[i])
      return ptxFaultSet(&grid->fault, PTX_INVALID_VALUE,
                         "expected blocks of %u threads in dimension %d as .reqntid says, found %u",
                         entry->required[i], i, launch->block[i]);
    if (entry->cluster[0] && grid->cluster[i] != entry->cluster[i])
      return ptxFaultSet(
          &grid->fault, PTX_INVALID_VALUE,
          "expected clusters of %u in dimension %d as .reqnctapercluster says, found %u",
          entry->cluster[i], i, grid->cluster[i]);
  }
  grid->blockThreads = product(launch->block);
  grid->sharedBytes = entry->dynamicShared + launch->sharedBytes;
  if (grid->blockThreads > (uint32_t)entry->info.maxThreads)
    return ptxFaultSet(&grid->fault, PTX_INVALID_VALUE,
                       "expected blocks of %d threads at most, found %u", entry->info.maxThreads,
                       grid->blockThreads);
  if (product(grid->cluster) > PTX_MAX_CLUSTER)
    return ptxFaultSet(&grid->fault, PTX_INVALID_VALUE,
                       "expected clusters of %d blocks at most, found %u", PTX_MAX_CLUSTER,
                       product(grid->cluster));
  if (product(launch->grid) > INT32_MAX)
    return ptxFaultSet(&grid->fault, PTX_INVALID_VALUE, "expected a grid of %d blocks at most",
                       INT32_MAX);
  if (launch->sharedBytes > MAX_SHARED || grid->sharedBytes > MAX_SHARED)
    return ptxFaultSet(&grid->fault, PTX_INVALID_VALUE,
                       "expected %d bytes of shared memory at most, found %u", MAX_SHARED,
                       grid->sharedBytes);
  return true;
}

static void reportFault(const PtxGrid *grid) {
  fprintf(stderr, "ptx: kernel '%s': %s\n", grid->entry->name, grid->fault.text);
  const PtxOp *op = grid->faultOp;
  const PtxWarp *warp = grid->faultWarp;
  if (!op || !warp) return;
  fprintf(stderr, "  line %d: %s\n", op->line, op->text);
  if (op->source >= 0) fprintf(stderr, "  source line %d\n", grid->entry->sources[op->source].line);
  const uint32_t *id = warp->block->id;
  fprintf(stderr, "  block %u,%u,%u thread %u\n", id[0], id[1], id[2],
          (uint32_t)warp->index * PTX_LANES + grid->faultLane);
}

int ptxLaunch(PtxEntry *entry, const PtxLaunch *launch) {
  const char *seed = getenv("PTX_EMULATOR_SEED"), *watch = getenv("PTX_EMULATOR_WATCH_SHARED");
  const char *races = getenv("PTX_EMULATOR_RACES");
  PtxGrid grid = {.entry = entry, .launch = launch, .parameters = launch->parameters};
  grid.random = seed ? strtoull(seed, NULL, 10) : 1;
  grid.watchesShared = watch && *watch != '0';
  grid.findsRaces = races && *races != '0';
  Residents residents = {.grid = &grid};
  if (checkLaunch(&grid)) {
    uint32_t size = product(grid.cluster);
    residents.total = (uint32_t)((uint64_t)product(launch->grid) / size);
    uint32_t most = launch->cooperative ? residents.total
                    : launch->resident  ? (uint32_t)launch->resident / size
                                        : MOST_RESIDENT / size;
    if (!most) most = 1;
    residents.most = (int)(most < residents.total ? most : residents.total);
    residents.window = residents.most < WINDOW ? residents.most : WINDOW;
    residents.clusters = calloc((size_t)residents.most, sizeof *residents.clusters);
    if (residents.clusters)
      runGrid(&residents);
    else
      ptxFaultSet(&grid.fault, 2, "expected memory for a launch, found none");
  }
  if (grid.fault.code) reportFault(&grid);
  for (int c = 0; c < residents.count; ++c) endCluster(residents.clusters[c]);
  free(residents.clusters);
  return grid.fault.code;
}
