//===- LaunchFacts.c - what is known of a launch --------------------------===//
#include "CompileKernel.h"
#include "tile/MachineNumbers.h"
#include "tile/Runtime/FactCode.h"
#include <string.h>

/// A size that is a multiple of this is a multiple of most tiles too: what wraps around at its end,
/// as the offsets of some matmuls do, then does not, and masks hold everywhere. Positive ones alone
/// are worth telling: proofs about tiles of an array need its extents' signs.
static int wholeTiles(const TileProgram *p) {
  return tileMachineNumber(tileProgramGetArch(p), TILE_NUMBER_WHOLE_TILES);
}

int tileProgramGetMultiprocessors(const TileProgram *p) {
  if (p->wanted && p->wantedForCpu) return 0;
  if (p->device) return tileDeviceGetInfo(p->device)->multiprocessors;
  return p->wanted ? tileProgramGetArch(p)->multiprocessors : 0;
}

/// Programs that have a multiprocessor each; 0 for code that no pass makes use of it for: it would
/// be compiled once more.
static int64_t findRoom(const TileProgram *p, const TileProgramKernel *kernel) {
  bool matters = kernel->multiplies && tileMachineHasRoles(tileProgramGetArch(p));
  return matters ? tileProgramGetMultiprocessors(p) : 0;
}

/// Multiprocessors whose programs are counted: what a loop without dots keeps on its way depends on
/// how many others a multiprocessor has.
static int64_t findShared(const TileProgram *p, const TileProgramKernel *kernel) {
  return kernel->streams ? tileProgramGetMultiprocessors(p) : 0;
}

static TileArgumentFact factOf(uint8_t code) {
  unsigned shift = code & TILE_FACT_DIVISOR;
  return (TileArgumentFact){.divisor = shift ? UINT32_C(1) << shift : 0,
                            .positive = code & TILE_FACT_POSITIVE,
                            .negative = code & TILE_FACT_NEGATIVE,
                            .one = code & TILE_FACT_ONE};
}

/// Elements of a sector of the L2 cache, where that is more than what is told of all kernels:
/// whether blocks share copies hangs on where rows begin (tile-plan-roles).
static uint32_t findSector(const TileProgram *p, const TileProgramKernel *kernel) {
  if (!kernel->multipliesBytes || !findRoom(p, kernel)) return 0;
  return (uint32_t)tileMachineNumber(tileProgramGetArch(p), TILE_NUMBER_SECTOR_BYTES);
}

static uint8_t findFact(const TileParameter *parameter, uint64_t slot, uint32_t whole,
                        uint32_t sector) {
  if (parameter->isPointer) return tileFactOfPointer(slot);
  if (!parameter->isInteger) return 0;
  int64_t value = tileElementToInteger(parameter->type, &slot);
  return tileFactOfInteger(value, parameter->type == TILE_ELEMENT_I1, whole, sector);
}

/// Programs of a launch that pays for packing. Elements of 64 bits are copied beside products as
/// well, one by one: only where many programs read each is it worth two more passes.
static int64_t leastToPack(const TileProgram *p, const TileProgramKernel *kernel) {
  TileNumber which =
      kernel && kernel->isWide ? TILE_NUMBER_PACK_WIDE_PROGRAMS : TILE_NUMBER_PACK_PROGRAMS;
  return tileMachineNumber(tileProgramGetArch(p), which);
}

/// Elements of a loop that pay for packing, however few programs there are; 0 where nobody asks.
static int64_t leastLength(const TileProgram *p, const TileProgramKernel *kernel) {
  bool matters = kernel->length >= 0 && !kernel->isWide && findRoom(p, kernel);
  return matters ? tileMachineNumber(tileProgramGetArch(p), TILE_NUMBER_PACK_LENGTH) : 0;
}

static int64_t valueOf(const TileProgramKernel *kernel, const uint64_t *slots, int argument) {
  if (argument < 0) return 0;
  return tileElementToInteger(kernel->parameters[argument].type, &slots[argument]);
}

/// The facts of the grid, once those of arguments are there. Arrays may be packed where some array
/// may need it: something is no multiple of 16.
static void setWave(const TileProgramKernel *kernel, int wave, TileFacts *facts) {
  facts->singleWave = wave & TILE_FACT_WAVE;
  facts->programs = tileFactGetPrograms(wave);
  if (wave & TILE_FACT_EACH && kernel->shared >= 0) {
    TileArgumentFact fact = tileFactsGetArgument(facts, (unsigned)kernel->shared);
    fact.programs = true;
    tileFactsSetArgument(facts, (unsigned)kernel->shared, fact);
  }
  for (unsigned i = 0; i < kernel->count && wave & TILE_FACT_MANY; ++i) {
    TileArgumentFact fact = tileFactsGetArgument(facts, i);
    bool counts = kernel->parameters[i].isPointer || kernel->parameters[i].isInteger;
    facts->packs |= counts && !fact.one && fact.divisor < 1 << TILE_FACT_ACCESS;
  }
}

void tileProgramFindFacts(const TileProgram *p, const TileProgramKernel *kernel,
                          const uint64_t *slots, const int32_t grid[3], TileFacts *facts) {
  uint32_t whole = (uint32_t)wholeTiles(p), sector = findSector(p, kernel);
  for (unsigned i = kernel->count; i-- > 0;)
    tileFactsSetArgument(facts, i,
                         factOf(findFact(&kernel->parameters[i], slots[i], whole, sector)));
  int wave = grid ? tileFactOfGrid(findRoom(p, kernel), leastToPack(p, kernel), grid) : 0;
  if (grid)
    wave = tileFactOfLength(wave, valueOf(kernel, slots, kernel->length), leastLength(p, kernel));
  if (grid) wave = tileFactOfPrograms(wave, findShared(p, kernel), grid);
  if (grid && kernel->shared >= 0)
    wave = tileFactOfShared(wave, valueOf(kernel, slots, kernel->shared), grid);
  setWave(kernel, wave, facts);
}

TileLaunchRule tileProgramGetLaunchRule(TileProgram *p, MlirStringRef name) {
  const TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  return (TileLaunchRule){.whole = (uint32_t)wholeTiles(p),
                          .sector = kernel ? findSector(p, kernel) : 0,
                          .room = kernel ? findRoom(p, kernel) : 0,
                          .many = leastToPack(p, kernel),
                          .least = kernel ? leastLength(p, kernel) : 0,
                          .multiprocessors = kernel ? findShared(p, kernel) : 0,
                          .length = kernel ? kernel->length : -1,
                          .shared = kernel ? kernel->shared : -1};
}

MlirLogicalResult tileProgramSpecialize(TileProgram *p, MlirStringRef name, const uint8_t *codes,
                                        int wave, const char *config, TileLaunchCode *result) {
  TileProgramKernel *kernel = tileProgramFindKernel(p, name);
  TileFacts facts = {0};
  for (unsigned i = kernel ? kernel->count : 0; i-- > 0;)
    tileFactsSetArgument(&facts, i, factOf(codes[i]));
  if (kernel) setWave(kernel, wave, &facts);
  TileSpecialization *s = kernel ? tileProgramGetCode(p, kernel, &facts, config) : NULL;
  tileFactsDestroy(&facts);
  if (!s) return mlirLogicalResultFailure();
  *result = (TileLaunchCode){s->launcher, s->cpu, s->speaks, s};
  return mlirLogicalResultSuccess();
}

void tileProgramAssumeFacts(const TileProgramKernel *kernel, TileFacts *facts) {
  for (unsigned i = kernel->count; i-- > 0;)
    if (kernel->parameters[i].isPointer)
      tileFactsSetArgument(facts, i, (TileArgumentFact){.divisor = 1 << TILE_FACT_ACCESS});
}

/// Adds bindings, which are all that `text` may have.
static MlirLogicalResult bind(const TileProgram *p, const char *text, TileFacts *facts) {
  TileFacts found = {0};
  const char *wrong = text;
  size_t length = strlen(text);
  bool ok = tileFactsParse(&found, text, length, &wrong, &length) && !found.numArguments &&
            !found.singleWave && !found.programs && !found.packs;
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
