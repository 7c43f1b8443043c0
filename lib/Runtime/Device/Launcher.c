//===- Launcher.c - launching kernels as the compiler wants them ----------===//
//
// Parameters are the user's slots, then the grid's extents, then maps. Encoded maps are kept by
// everything that went into them, so a launch like an earlier one only evaluates a few expressions
// and looks them up. Arrays that are packed are copied at each launch (Pack.h); programs that are
// split have memory to add up in (SplitParts.h).
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Launcher.h"
#include "Cuda.h"
#include "Pack.h"
#include "SplitParts.h"
#include "tile/Support/Hash.h"
#include <stdlib.h>
#include <string.h>

enum {
  GRID_EXTENTS = 3,
  MAX_PARAMETERS = 512,
  MAX_ENCODED = 1024, ///< Of one kernel; then all are forgotten.
  EMPTY_BYTES = 32,   ///< Of each map's.
};

typedef struct Encoded {
  TileTensorMapSpec key;
  TileTensorMap map;
  UT_hash_handle hh;
} Encoded;

struct TileLauncher {
  pthread_mutex_t mutex; ///< held through a launch
  TileKernel *kernel;
  TileLaunchFacts facts; ///< But for the maps' text.
  TileMapForm **forms;
  Encoded *encoded;
  /// The maps of the last launch and the arguments that they were made of.
  uint64_t *lastSlots;
  TileTensorMap **lastMaps;
  bool hasLast;
  TilePacker packer;
  TileSplitParts parts;
  /// Zeros, the one element of arrays without any, another one for each map, since boxes are stored
  /// to some; 0 until there is such an array.
  TileDevicePtr empty;
  /// Blocks of a persistent kernel that the device holds at a time; 0 until asked for.
  int64_t resident;
};

//===- making one ---------------------------------------------------------===//

static bool checkParameters(const TileLauncher *l, TileError *error) {
  const TileLaunchFacts *facts = &l->facts;
  unsigned plain = facts->arguments + (facts->persistent ? GRID_EXTENTS : 0);
  unsigned found = tileKernelGetInfo(l->kernel)->parameters;
  if (found != plain + facts->numMaps || found > MAX_PARAMETERS)
    return tileErrorSet(error, "expected %u parameters of '%s', found %u", plain + facts->numMaps,
                        l->kernel->name, found);
  for (unsigned i = 0; i < found; ++i) {
    size_t bytes = tileKernelGetParameterBytes(l->kernel, i);
    if (i < plain ? bytes <= sizeof(uint64_t) : bytes == TILE_TENSOR_MAP_BYTES) continue;
    return tileErrorSet(error, "expected parameter %u of '%s' to have %s bytes, found %zu", i,
                        l->kernel->name, i < plain ? "at most 8" : "128", bytes);
  }
  return true;
}

static bool parseMaps(TileLauncher *l, const char *const *maps, TileError *error) {
  for (unsigned i = 0; i < l->facts.numMaps; ++i) {
    l->forms[i] = tileMapFormCreate(maps[i], error);
    if (!l->forms[i]) return false;
    bool packs = tileMapFormIsPacked(l->forms[i]) && !l->packer.kernel;
    if (packs) l->packer.kernel = tileModuleGetKernel(l->kernel->module, TILE_PACK, error);
    if (packs && !l->packer.kernel) return false;
  }
  return true;
}

TileLauncher *tileLauncherCreate(TileKernel *kernel, const TileLaunchFacts *facts,
                                 TileError *error) {
  TileLauncher *l = tileRuntimeAlloc(sizeof *l);
  pthread_mutex_init(&l->mutex, NULL);
  l->kernel = kernel;
  l->facts = *facts;
  l->facts.maps = NULL;
  l->forms = tileRuntimeAlloc((facts->numMaps + (size_t)1) * sizeof *l->forms);
  l->lastMaps = tileRuntimeAlloc((facts->numMaps + (size_t)1) * sizeof(TileTensorMap *));
  l->lastSlots = tileRuntimeAlloc((facts->arguments + (size_t)1) * sizeof *l->lastSlots);
  if (checkParameters(l, error) && parseMaps(l, facts->maps, error) &&
      tileSplitPartsCreate(kernel, &l->parts, error))
    return l;
  tileLauncherDestroy(l);
  return NULL;
}

static void forgetEncoded(TileLauncher *l) {
  Encoded *each, *next;
  HASH_ITER(hh, l->encoded, each, next) {
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it leaves the table before it is freed
    HASH_DEL(l->encoded, each);
    free(each);
  }
  l->hasLast = false;
}

void tileLauncherDestroy(TileLauncher *l) {
  if (!l) return;
  forgetEncoded(l);
  for (unsigned i = 0; i < l->facts.numMaps; ++i) tileMapFormDestroy(l->forms[i]);
  free(l->forms);
  free(l->lastSlots);
  free(l->lastMaps);
  tilePackDestroy(&l->packer);
  tileSplitPartsDestroy(&l->parts);
  tileDeviceFree(l->kernel->module->device, l->empty);
  pthread_mutex_destroy(&l->mutex);
  free(l);
}

//===- tensor maps --------------------------------------------------------===//

static bool placeEmpty(TileLauncher *l, unsigned i, TileTensorMapSpec *spec, TileError *error) {
  TileDevice *device = l->kernel->module->device;
  if (!l->empty) {
    size_t bytes = (size_t)l->facts.numMaps * EMPTY_BYTES;
    TileDevicePtr zeros;
    if (!tileDeviceAlloc(device, bytes, &zeros, error)) return false;
    l->empty = zeros;
    if (!tileDeviceSet(device, zeros, 0, bytes, NULL, error) ||
        !tileStreamSynchronize(device, NULL, error))
      return false;
  }
  spec->base = l->empty + (TileDevicePtr)i * EMPTY_BYTES;
  return true;
}

/// The map for these slots; borrowed. NULL after an error.
static TileTensorMap *getMap(TileLauncher *l, unsigned i, const uint64_t *slots, TileError *error) {
  TileTensorMapSpec spec;
  bool empty;
  if (!tileMapFormEvaluate(l->forms[i], slots, l->facts.arguments, &spec, &empty, error) ||
      (empty && !placeEmpty(l, i, &spec, error)))
    return NULL;
  bool packs = tileMapFormIsPacked(l->forms[i]) && tilePackIsNeeded(&spec);
  if (packs && !tilePackAdd(&l->packer, &spec, error)) return NULL;
  Encoded *found;
  HASH_FIND(hh, l->encoded, &spec, sizeof spec, found);
  if (found) return &found->map;
  // Entries of an allocator's aligned memory: a map starts on 64 bytes.
  found = aligned_alloc(_Alignof(Encoded), sizeof *found);
  if (!found) {
    tileErrorSet(error, "expected memory for a tensor map, found none");
    return NULL;
  }
  memset(found, 0, sizeof *found);
  memcpy(&found->key, &spec, sizeof spec);
  if (!tileDeviceEncodeTensorMap(l->kernel->module->device, &spec, &found->map, error)) {
    free(found);
    return NULL;
  }
  HASH_ADD(hh, l->encoded, key, sizeof found->key, found);
  return &found->map;
}

/// All maps, into l->lastMaps.
static bool findMaps(TileLauncher *l, const uint64_t *slots, TileError *error) {
  // Before a launch, not during one: its maps stay until it has copied them.
  if (HASH_COUNT(l->encoded) + l->facts.numMaps > MAX_ENCODED) forgetEncoded(l);
  l->packer.count = 0;
  for (unsigned i = 0; i < l->facts.numMaps; ++i) {
    TileError reason = TILE_ERROR_INIT;
    l->lastMaps[i] = getMap(l, i, slots, &reason);
    if (l->lastMaps[i]) continue;
    tileErrorSet(error, "descriptor %u of '%s', of argument %u: %s", i, l->kernel->name,
                 tileMapFormGetBase(l->forms[i]), tileErrorGetMessage(&reason));
    tileErrorDestroy(&reason);
    return false;
  }
  return true;
}

/// All maps, as parameters.
static bool addMaps(TileLauncher *l, const uint64_t *slots, void **parameters, TileError *error) {
  size_t size = l->facts.arguments * sizeof *slots;
  if (!l->hasLast || memcmp(l->lastSlots, slots, size) != 0) {
    l->hasLast = false;
    if (!findMaps(l, slots, error)) return false;
    memcpy(l->lastSlots, slots, size);
    l->hasLast = true;
  }
  for (unsigned i = 0; i < l->facts.numMaps; ++i) parameters[i] = l->lastMaps[i];
  return true;
}

//===- launches -----------------------------------------------------------===//

static int64_t roundUp(int64_t blocks, int64_t cluster) {
  return blocks + (cluster - blocks % cluster) % cluster;
}

/// Cuts the grid of a persistent kernel down to what the device holds, in whole clusters; where it
/// holds two blocks for each program and these can share them, there are so many; where several
/// have a part each of a program, as many as are held. Blocks that have one program each stay as
/// many as there are programs. Programs that may wait for each other are not run one behind the
/// other.
static bool shrinkGrid(TileLauncher *l, TileLaunch *launch, TileError *error) {
  int64_t programs = (int64_t)launch->grid[0] * launch->grid[1];
  if (__builtin_mul_overflow(programs, (int64_t)launch->grid[2], &programs) || programs > INT32_MAX)
    return tileErrorSet(error,
                        "expected at most 2^31 - 1 programs of persistent '%s', found %u x %u x %u",
                        l->kernel->name, launch->grid[0], launch->grid[1], launch->grid[2]);
  int64_t cluster = launch->cluster[0];
  launch->grid[0] = launch->grid[1] = launch->grid[2] = 1;
  if (l->facts.oneProgram) {
    launch->grid[0] = (uint32_t)roundUp(programs, cluster);
    return true;
  }
  if (!l->resident) {
    if (!tileKernelGetResident(l->kernel, launch, &l->resident, error)) return false;
    if (l->resident < cluster) l->resident = cluster;
    l->resident -= l->resident % cluster;
  }
  int64_t each = l->parts.blocks > 1 ? l->parts.blocks : 1; // turns of a program of the last round
  if (l->facts.sharesLast && 2 * programs <= l->resident) each = 2;
  int64_t turns = programs < l->resident ? each * programs : programs;
  int64_t blocks = roundUp(turns, cluster);
  launch->grid[0] = (uint32_t)(blocks < l->resident ? blocks : l->resident);
  if (!launch->cooperative || launch->grid[0] >= programs) return true;
  return tileErrorSet(error,
                      "expected at most %u programs of a cooperative launch of '%s', found %lld",
                      launch->grid[0], l->kernel->name, (long long)programs);
}

static bool getLaunch(TileLauncher *l, const int32_t grid[3], bool cooperative, TileLaunch *launch,
                      TileError *error) {
  *launch = (TileLaunch){.grid = {(uint32_t)grid[0], (uint32_t)grid[1], (uint32_t)grid[2]},
                         .block = {32 * l->facts.warps, 1, 1},
                         .cluster = {l->facts.cluster ? l->facts.cluster : 1, 1, 1},
                         .sharedBytes = l->facts.sharedBytes,
                         .cooperative = cooperative};
  if (l->facts.persistent) return shrinkGrid(l, launch, error);
  // A program is a cluster's, or that of several blocks.
  uint32_t blocks = l->parts.blocks > 1 ? l->parts.blocks : launch->cluster[0];
  if (!__builtin_mul_overflow(launch->grid[0], blocks, &launch->grid[0]) &&
      launch->grid[0] <= INT32_MAX)
    return true;
  return tileErrorSet(error, "expected at most 2^31 - 1 blocks of '%s' along x, found more",
                      l->kernel->name);
}

bool tileLauncherGetLaunch(TileLauncher *l, const int32_t grid[3], TileLaunch *launch,
                           TileError *error) {
  pthread_mutex_lock(&l->mutex);
  bool ok = getLaunch(l, grid, false, launch, error);
  pthread_mutex_unlock(&l->mutex);
  return ok;
}

static bool run(TileLauncher *l, const uint64_t *slots, const int32_t grid[3], TileStream *stream,
                bool cooperative, TileError *error) {
  void *parameters[MAX_PARAMETERS];
  TileLaunch launch;
  if (!getLaunch(l, grid, cooperative, &launch, error)) return false;
  unsigned count = l->facts.arguments;
  for (unsigned i = 0; i < count; ++i) parameters[i] = (void *)(uintptr_t)&slots[i];
  for (unsigned i = 0; l->facts.persistent && i < GRID_EXTENTS; ++i)
    parameters[count++] = (void *)(uintptr_t)&grid[i];
  uint64_t programs = (uint64_t)grid[0] * (uint64_t)grid[1] * (uint64_t)grid[2];
  // Of a loop over programs those of the last round alone are split, fewer than there are blocks.
  if (l->facts.persistent) programs = launch.grid[0];
  return tileSplitPartsPrepare(&l->parts, programs, stream, error) &&
         (!l->facts.numMaps || addMaps(l, slots, parameters + count, error)) &&
         tilePackRun(&l->packer, stream, error) &&
         tileKernelLaunch(l->kernel, &launch, parameters, stream, error);
}

static bool runAlone(TileLauncher *l, const uint64_t *slots, const int32_t grid[3],
                     TileStream *stream, bool cooperative, TileError *error) {
  pthread_mutex_lock(&l->mutex);
  bool ok = run(l, slots, grid, stream, cooperative, error);
  pthread_mutex_unlock(&l->mutex);
  return ok;
}

bool tileLauncherRun(TileLauncher *l, const uint64_t *slots, const int32_t grid[3],
                     TileStream *stream, TileError *error) {
  return runAlone(l, slots, grid, stream, false, error);
}

bool tileLauncherRunOn(TileLauncher *l, const uint64_t *slots, const int32_t grid[3], void *stream,
                       bool cooperative, TileError *error) {
  TileStream theirs = {l->kernel->module->device, stream, true};
  return runAlone(l, slots, grid, &theirs, cooperative, error);
}
