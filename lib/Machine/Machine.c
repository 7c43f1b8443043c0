//===- Machine.c - the records --------------------------------------------===//
#include "tile/MachineNumbers.h"
#include <string.h>

//===- what chips have in common ------------------------------------------===//

enum {
  KIB = 1024,
  GEFORCE = TILE_FEATURE_MMA_F8 | TILE_FEATURE_MMA_F64_WIDE | TILE_FEATURE_BF16_ATOMICS |
            TILE_FEATURE_STMATRIX | TILE_FEATURE_TENSOR_MAPS | TILE_FEATURE_CLUSTERS,
  // As ptxas has it, 13.0: e4m3 and e5m2 are multiplied at full speed by wgmma and tcgen05 alone.
  HOPPER = GEFORCE | TILE_FEATURE_MMA_F8_BY_F16,
  // What only code for that very chip may use.
  HOPPER_EXACT = HOPPER | TILE_FEATURE_SETMAXNREG | TILE_FEATURE_MULTICAST | TILE_FEATURE_WGMMA,
  BLACKWELL_EXACT =
      HOPPER | TILE_FEATURE_SETMAXNREG | TILE_FEATURE_MULTICAST | TILE_FEATURE_TENSOR_MEMORY,
  GEFORCE_EXACT = GEFORCE | TILE_FEATURE_SETMAXNREG,
};

// Of every chip here.
#define COMMON                                                                                     \
  .systemSharedBytes = 1 * KIB, .sharedGranule = 128, .registers = 64 * KIB,                       \
  .threadRegisters = 255, .warpRegisterGranule = 256, .threads = 1024, .namedBarriers = 16,        \
  .lineBytes = 128, .accessBytes = 16
// Shared memory of a multiprocessor; a block can have all but the system's.
#define SHARED(kib) .sharedBytes = ((kib) - 1) * KIB, .multiprocessorSharedBytes = (kib) * KIB
#define NO_ENGINE .clusterBlocks = 1
// The copy engine of sm_90 and later.
#define ENGINE                                                                                     \
  .clusterBlocks = 8, .boxRank = 5, .boxExtent = 256, .boxAlignment = 16, .swizzleBytes = 128,     \
  .swizzleRows = 8
#define SETMAXNREG .setmaxnregStep = 8

//===- the records --------------------------------------------------------===//

static const TileNumberChange geforce[] = {
    {TILE_NUMBER_ROLES, 0,
     "not measured; shared memory, warps and instructions of sm_89, whose road it takes"},
};

// Upwards by capability, the more general of two with the same one first. Rates in the order of
// TileRate. PTX 8.6 is what TILE_MIN_DRIVER_VERSION takes; chips that it does not know have the
// first version that does.
static const TileMachine machines[] = {
    {.name = "sm_80",
     .major = 8,
     .minor = 0,
     .ptx = 86,
     .board = "A100",
     .multiprocessors = 108,
     COMMON,
     SHARED(164),
     NO_ENGINE,
     .warps = 64,
     .blocks = 32,
     .rates = {128, 64, 2048, 1024, 0, 4096, 128}},
    {.name = "sm_86",
     .major = 8,
     .minor = 6,
     .ptx = 86,
     .board = "GeForce RTX 3090",
     .multiprocessors = 82,
     COMMON,
     SHARED(100),
     NO_ENGINE,
     .warps = 48,
     .blocks = 16,
     .rates = {256, 4, 1024, 512, 0, 2048, 4}},
    {.name = "sm_87",
     .major = 8,
     .minor = 7,
     .ptx = 86,
     .board = "Jetson AGX Orin",
     .multiprocessors = 16,
     COMMON,
     SHARED(164),
     NO_ENGINE,
     .warps = 48,
     .blocks = 16,
     .rates = {256, 4, 2048, 1024, 0, 4096, 4}},
    {.name = "sm_89",
     .major = 8,
     .minor = 9,
     .ptx = 86,
     .board = "GeForce RTX 4090",
     .multiprocessors = 128,
     .features = TILE_FEATURE_MMA_F8,
     COMMON,
     SHARED(100),
     NO_ENGINE,
     .warps = 48,
     .blocks = 24,
     .rates = {256, 4, 1024, 512, 2048, 2048, 4}},
    {.name = "sm_90",
     .major = 9,
     .minor = 0,
     .ptx = 86,
     .board = "H100 SXM, H200",
     .multiprocessors = 132,
     .features = HOPPER,
     COMMON,
     SHARED(228),
     ENGINE,
     .warps = 64,
     .blocks = 32,
     .rates = {256, 128, 4096, 2048, 8192, 8192, 256}},
    {.name = "sm_90a",
     .major = 9,
     .minor = 0,
     .exact = true,
     .ptx = 86,
     .board = "H100 SXM, H200",
     .multiprocessors = 132,
     .features = HOPPER_EXACT,
     COMMON,
     SHARED(228),
     ENGINE,
     SETMAXNREG,
     .warps = 64,
     .blocks = 32,
     .rates = {256, 128, 4096, 2048, 8192, 8192, 256}},
    {.name = "sm_100",
     .major = 10,
     .minor = 0,
     .ptx = 86,
     .board = "B200",
     .multiprocessors = 148,
     .features = HOPPER,
     COMMON,
     SHARED(228),
     ENGINE,
     .warps = 64,
     .blocks = 32,
     .rates = {256, 128, 8192, 4096, 16384, 16384, 128}},
    {.name = "sm_100a",
     .major = 10,
     .minor = 0,
     .exact = true,
     .ptx = 86,
     .board = "B200",
     .multiprocessors = 148,
     .features = BLACKWELL_EXACT,
     COMMON,
     SHARED(228),
     ENGINE,
     SETMAXNREG,
     .warps = 64,
     .blocks = 32,
     .rates = {256, 128, 8192, 4096, 16384, 16384, 128}},
    {.name = "sm_103a",
     .major = 10,
     .minor = 3,
     .exact = true,
     .ptx = 88,
     .board = "B300",
     .multiprocessors = 160,
     .features = BLACKWELL_EXACT,
     COMMON,
     SHARED(228),
     ENGINE,
     SETMAXNREG,
     .warps = 64,
     .blocks = 32,
     .rates = {[TILE_RATE_F32] = 256}},
    {.name = "sm_110a",
     .major = 11,
     .minor = 0,
     .exact = true,
     .ptx = 90,
     .board = "Jetson AGX Thor",
     .multiprocessors = 20,
     .features = BLACKWELL_EXACT,
     COMMON,
     SHARED(228),
     ENGINE,
     SETMAXNREG,
     .warps = 48,
     .blocks = 24,
     .rates = {[TILE_RATE_F32] = 256}},
    {.name = "sm_120",
     .major = 12,
     .minor = 0,
     .ptx = 87,
     .board = "GeForce RTX 5090",
     .multiprocessors = 170,
     .features = GEFORCE,
     COMMON,
     SHARED(100),
     ENGINE,
     .warps = 48,
     .blocks = 24,
     .rates = {256, 4, 1024, 512, 2048, 2048, 4}},
    {.name = "sm_120a",
     .major = 12,
     .minor = 0,
     .exact = true,
     .ptx = 87,
     .board = "GeForce RTX 5090",
     .multiprocessors = 170,
     .features = GEFORCE_EXACT,
     COMMON,
     SHARED(100),
     ENGINE,
     SETMAXNREG,
     .warps = 48,
     .blocks = 24,
     .rates = {256, 4, 1024, 512, 2048, 2048, 4},
     .changes = geforce,
     .numChanges = 1},
};
enum { MACHINES = sizeof machines / sizeof *machines };

//===- finding one --------------------------------------------------------===//

const TileMachine *tileMachineGet(int i) { return i >= 0 && i < MACHINES ? &machines[i] : NULL; }

const TileMachine *tileMachineFind(const char *name) {
  for (int i = 0; i < MACHINES; ++i)
    if (!strcmp(machines[i].name, name)) return &machines[i];
  return NULL;
}

const TileMachine *tileMachineGetDefault(void) { return tileMachineFind("sm_90a"); }

bool tileMachineRunsOn(const TileMachine *m, int major, int minor) {
  if (m->major == major && m->minor == minor) return true;
  return !m->exact && (m->major < major || (m->major == major && m->minor < minor));
}

const TileMachine *tileMachineForDevice(int major, int minor) {
  const TileMachine *best = NULL;
  for (int i = 0; i < MACHINES; ++i)
    if (tileMachineRunsOn(&machines[i], major, minor)) best = &machines[i];
  return best;
}

const char *tileMachineGetNames(void) {
  return "sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_103a, sm_110a, sm_120, "
         "sm_120a";
}

//===- what it has --------------------------------------------------------===//

bool tileMachineHas(const TileMachine *machine, unsigned features) {
  return (machine->features & features) == features;
}

bool tileMachineHasRoles(const TileMachine *machine) {
  return tileMachineHas(machine, TILE_FEATURE_TENSOR_MAPS | TILE_FEATURE_SETMAXNREG) &&
         tileMachineNumber(machine, TILE_NUMBER_ROLES);
}

bool tileMachineHasMmaBoxes(const TileMachine *machine, int64_t warps, TileRate rate,
                            double flops) {
  double cycles = machine->rates[rate] > 0 ? flops / machine->rates[rate] : 0;
  return warps >= tileMachineNumber(machine, TILE_NUMBER_ROLE_MMA_WARPS_LEAST) ||
         cycles >= tileMachineNumber(machine, TILE_NUMBER_ROLE_MMA_CYCLES);
}

bool tileMachineHasTeams(const TileMachine *machine, TileRate rate, int64_t words) {
  bool isNarrow = rate >= TILE_RATE_F16_MATRIX && rate != TILE_RATE_F64_MATRIX;
  return isNarrow && words <= tileMachineNumber(machine, TILE_NUMBER_TEAM_WORDS);
}

int tileMachineShareRegisters(const TileMachine *m, int warps, int blocks) {
  enum { QUARTERS = 4, LANES = 32 };
  int each = (blocks * warps + QUARTERS - 1) / QUARTERS, unit = m->warpRegisterGranule / LANES;
  int share = m->registers / (QUARTERS * LANES * each) / unit * unit;
  return share < m->threadRegisters ? share : m->threadRegisters;
}

int64_t tileMachineShareShared(const TileMachine *m, int64_t blocks) {
  if (blocks == 1) return m->sharedBytes;
  int64_t each = m->multiprocessorSharedBytes / blocks - m->systemSharedBytes;
  return each & -m->sharedGranule;
}

int64_t tileMachineGetBlockShared(const TileMachine *m, int64_t bytes) {
  int64_t all = bytes + m->systemSharedBytes + m->sharedGranule - 1;
  return all / m->sharedGranule * m->sharedGranule;
}

int64_t tileMachineGetCarveout(const TileMachine *m, int64_t bytes) {
  // CUDA C++ Programming Guide, "Compute Capabilities": each has the first ones of these, in KiB.
  static const int steps[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i)
    if (steps[i] * INT64_C(1024) >= bytes) return steps[i] * INT64_C(1024);
  return m->multiprocessorSharedBytes;
}

int tileMachineConsumerRegisters(const TileMachine *m, int groups, int few) {
  enum { GROUP = 128 };
  int step = m->setmaxnregStep, start = (m->registers / (GROUP * (groups + 1))) & -step;
  if (start > m->threadRegisters) return 0;
  int many = ((start * (groups + 1) - few) / groups) & -step;
  int most = tileMachineNumber(m, TILE_NUMBER_CONSUMER_REGISTERS);
  return many < most ? many : most;
}

const char *tileFeatureGetName(TileFeature feature) {
  switch (feature) {
  case TILE_FEATURE_MMA_F8:
    return "mma.sync of 8-bit floats";
  case TILE_FEATURE_MMA_F8_BY_F16:
    return "8-bit floats made f16 for mma.sync";
  case TILE_FEATURE_MMA_F64_WIDE:
    return "mma.sync of f64 with 16 rows";
  case TILE_FEATURE_BF16_ATOMICS:
    return "bf16 arithmetic and atomics";
  case TILE_FEATURE_STMATRIX:
    return "stmatrix";
  case TILE_FEATURE_TENSOR_MAPS:
    return "tensor maps";
  case TILE_FEATURE_CLUSTERS:
    return "clusters";
  case TILE_FEATURE_SETMAXNREG:
    return "setmaxnreg";
  case TILE_FEATURE_MULTICAST:
    return "multicast";
  case TILE_FEATURE_WGMMA:
    return "wgmma";
  case TILE_FEATURE_TENSOR_MEMORY:
    return "tensor memory";
  case TILE_FEATURES:
    break;
  }
  return "";
}
