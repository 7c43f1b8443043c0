//===- LaunchFacts.c - what is known of a launch --------------------------===//
#include "CompileKernel.h"
#include <string.h>

/// A size that is a multiple of this is a multiple of most tiles too: what wraps around at its end,
/// as the offsets of some matmuls do, then does not, and masks hold everywhere. Positive ones alone
/// are worth telling: proofs about tiles of an array need its extents' signs.
static int wholeTiles(const TileProgram *p) {
  return tileMachineNumber(tileProgramGetArch(p), TILE_NUMBER_WHOLE_TILES);
}

/// What a divisor below that is worth: the elements that one access of 16 bytes can take.
enum { MOST_USED = 16 };

int tileProgramGetMultiprocessors(const TileProgram *p) {
  if (p->wanted && p->wantedForCpu) return 0;
  if (p->device) return tileDeviceGetInfo(p->device)->multiprocessors;
  return p->wanted ? tileProgramGetArch(p)->multiprocessors : 0;
}

/// The fact of the grid. Of code that no pass makes use of it for, it is not told: it would be
/// compiled once more.
static int findWave(const TileProgram *p, const TileProgramKernel *kernel, const int32_t grid[3]) {
  const TileMachine *arch = tileProgramGetArch(p);
  int64_t room = tileProgramGetMultiprocessors(p);
  if (!room || !grid || !kernel->multiplies || !tileMachineHasRoles(arch)) return 0;
  int64_t layer = (int64_t)grid[0] * grid[1];
  if (layer > room) return 0;
  int64_t programs = layer * grid[2];
  return programs < 1 || programs > room ? 0 : 2 * programs <= room ? 2 : 1;
}

static TileArgumentFact findFact(const TileParameter *parameter, uint64_t slot, int whole) {
  TileArgumentFact fact = {0};
  if (!parameter->isPointer && !parameter->isInteger) return fact;
  int64_t value = (int64_t)slot;
  if (!parameter->isPointer) value = tileElementToInteger(parameter->type, &slot);
  if (!parameter->isPointer && value == 1 && parameter->type != TILE_ELEMENT_I1)
    fact.one = true;
  else if (!parameter->isPointer && value > 0 && value % whole == 0)
    fact = (TileArgumentFact){.divisor = (uint32_t)whole, .positive = true};
  else if (value % MOST_USED == 0)
    fact.divisor = MOST_USED;
  else if (!parameter->isPointer && value % 2 == 0)
    fact.divisor = (uint32_t)(value & -value);
  return fact;
}

void tileProgramFindFacts(const TileProgram *p, const TileProgramKernel *kernel,
                          const uint64_t *slots, const int32_t grid[3], TileFacts *facts) {
  int whole = wholeTiles(p);
  for (unsigned i = kernel->count; i-- > 0;)
    tileFactsSetArgument(facts, i, findFact(&kernel->parameters[i], slots[i], whole));
  facts->singleWave = findWave(p, kernel, grid);
}

void tileProgramAssumeFacts(const TileProgramKernel *kernel, TileFacts *facts) {
  for (unsigned i = kernel->count; i-- > 0;)
    if (kernel->parameters[i].isPointer)
      tileFactsSetArgument(facts, i, (TileArgumentFact){.divisor = MOST_USED});
}

/// Adds bindings, which are all that `text` may have.
static MlirLogicalResult bind(const TileProgram *p, const char *text, TileFacts *facts) {
  TileFacts found = {0};
  const char *wrong = text;
  size_t length = strlen(text);
  bool ok = tileFactsParse(&found, text, length, &wrong, &length) && !found.numArguments &&
            !found.singleWave;
  if (!ok)
    tileEmitError(p->loc, "expected a configuration as BM=64,BN=32, found '%.*s'", (int)length,
                  wrong);
  for (unsigned i = 0; ok && i < found.numBindings; ++i) {
    const TileBinding *binding = &found.bindings[i];
    tileFactsBind(facts, binding->name, strlen(binding->name), binding->value);
  }
  tileFactsDestroy(&found);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirLogicalResult tileProgramBindFacts(const TileProgram *p, const char *config, TileFacts *facts) {
  for (size_t i = 0; i < p->options.numBind; ++i) TILE_TRY(bind(p, p->options.bind[i], facts));
  return bind(p, config, facts);
}
