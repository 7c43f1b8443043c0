//===- LaunchFacts.c - what is known of a launch, for tile-specialize -----===//
#include "CompileKernel.h"
#include "tile/Text.h"

/// A size that is a multiple of this is a multiple of most tiles too: what wraps around at its end,
/// as the offsets of some matmuls do, then does not, and masks hold everywhere. Positive ones alone
/// are worth telling: proofs about tiles of an array need its extents' signs.
enum { WHOLE_TILES = 256 };

size_t tileProgramGetFactsSize(const TileProgramKernel *kernel) {
  return kernel->count + (size_t)2;
}

int tileProgramGetMultiprocessors(const TileProgram *p) {
  if (p->wanted && p->wantedForCpu) return 0;
  if (p->device) return tileDeviceGetInfo(p->device)->multiprocessors;
  return p->wanted ? tileProgramGetArch(p)->multiprocessors : 0;
}

/// The fact of the grid. Of code that no pass makes use of it for, it is not told: it would be
/// compiled once more.
static char findWave(const TileProgram *p, const TileProgramKernel *kernel, const int32_t grid[3]) {
  const TileArch *arch = tileProgramGetArch(p);
  int64_t room = tileProgramGetMultiprocessors(p);
  if (!room || !grid || !kernel->multiplies || arch->major < 9 || !arch->exact) return '-';
  int64_t layer = (int64_t)grid[0] * grid[1];
  if (layer > room) return '-';
  int64_t programs = layer * grid[2];
  return programs < 1 || programs > room ? '-' : 2 * programs <= room ? '2' : '1';
}

void tileProgramFindFacts(const TileProgram *p, const TileProgramKernel *kernel,
                          const uint64_t *slots, const int32_t grid[3], char *facts) {
  for (unsigned i = 0; i < kernel->count; ++i) {
    const TileParameter *parameter = &kernel->parameters[i];
    facts[i] = '-';
    if (parameter->isPointer || parameter->isInteger) {
      int64_t value = (int64_t)slots[i];
      if (!parameter->isPointer) value = tileElementToInteger(parameter->type, &slots[i]);
      bool one = !parameter->isPointer && value == 1 && parameter->type != TILE_ELEMENT_I1;
      if (one)
        facts[i] = '1';
      else if (!parameter->isPointer && value > 0 && value % WHOLE_TILES == 0)
        facts[i] = 't';
      else if (value % 16 == 0)
        facts[i] = 'd';
      else if (!parameter->isPointer && value % 2 == 0)
        facts[i] = (char)('0' + (value & -value));
    }
  }
  facts[kernel->count] = findWave(p, kernel, grid);
  facts[kernel->count + 1] = 0;
}

/// " name=1,4": the arguments that have `fact`.
static void appendFacts(TileText *t, const char *name, const TileProgramKernel *kernel,
                        const char *facts, char fact) {
  const char *separator = name;
  for (unsigned i = 0; i < kernel->count; ++i) {
    if (facts[i] != fact) continue;
    tileTextPrint(t, "%s%u", separator, i);
    separator = ",";
  }
}

/// " divisibility=1:8,4:2": the arguments whose fact is a digit above 1, or 't'.
static void appendDivisors(TileText *t, const TileProgramKernel *kernel, const char *facts) {
  const char *separator = " divisibility=";
  for (unsigned i = 0; i < kernel->count; ++i) {
    if ((facts[i] < '2' || facts[i] > '8') && facts[i] != 't') continue;
    int divisor = facts[i] == 't' ? WHOLE_TILES : facts[i] - '0';
    tileTextPrint(t, "%s%u:%d", separator, i, divisor);
    separator = ",";
  }
}

char *tileProgramPrintSpecialize(const TileProgram *p, const TileProgramKernel *kernel,
                                 const char *facts, const char *config) {
  TileText t = {0};
  // What is inlined is simplified by the pipelines, as kernels bear it, or not at all.
  tileTextAdd(&t, "tile-instantiate,inline{default-pipeline=},symbol-dce,tile-specialize{kernel=");
  tileTextAddBytes(&t, kernel->name.data, kernel->name.length);
  for (size_t i = 0; i < p->options.numBind; ++i) {
    tileTextAdd(&t, i ? "," : " bind=");
    tileTextAdd(&t, p->options.bind[i]);
  }
  if (*config) {
    tileTextAdd(&t, p->options.numBind ? "," : " bind=");
    tileTextAdd(&t, config);
  }
  appendFacts(&t, " divisible=", kernel, facts, 'd');
  appendDivisors(&t, kernel, facts);
  appendFacts(&t, " positive=", kernel, facts, 't');
  appendFacts(&t, " ones=", kernel, facts, '1');
  char wave = facts[kernel->count];
  if (wave != '-') tileTextPrint(&t, " single-wave=%c", wave);
  tileTextAdd(&t, "}");
  return t.data;
}
