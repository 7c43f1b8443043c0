//===- FactCode.h - what is known of a launch, a byte an argument ---------===//
//
// The rule by which a launch's arguments become facts (tile/Facts.h), for all that launches: a
// multiple of 16 is what an access of 16 bytes can use, one of `whole` (a multiple of most tiles,
// by the machine's numbers) makes masks hold everywhere, one of half of that does so for most, and
// rows of a part of it (of two numbers a byte, say) still begin where boxes may; an integer that is
// 1 vanishes. Launches of equal bytes, and equal waves, share code.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_FACT_CODE_H
#define TILE_RUNTIME_FACT_CODE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bits of a byte: the power of two that divides it in the low ones.
enum {
  TILE_FACT_ONE = 0x80,
  TILE_FACT_POSITIVE = 0x40,
  TILE_FACT_NEGATIVE = 0x20,
  TILE_FACT_DIVISOR = 0x1f
};

/// log2 of the divisor that is worth telling of most: the elements that one access can take.
enum { TILE_FACT_ACCESS = 4 };

/// Of an array's address.
static inline uint8_t tileFactOfPointer(uint64_t address) {
  return address % (1 << TILE_FACT_ACCESS) ? 0 : TILE_FACT_ACCESS;
}

/// The power of two alone of an integer that is not 1, see below.
static inline uint8_t tileFactOfFactor(int64_t value, uint32_t whole, uint32_t sector) {
  for (uint32_t part = whole; value > 0 && part >= whole / 2 && part > 1; part /= 2)
    if (!((uint64_t)value & (part - 1))) return (uint8_t)(TILE_FACT_POSITIVE | __builtin_ctz(part));
  if (sector && !((uint64_t)value & (sector - 1))) return (uint8_t)__builtin_ctz(sector);
  if (!((uint64_t)value & ((1 << TILE_FACT_ACCESS) - 1))) return TILE_FACT_ACCESS;
  return (uint8_t)__builtin_ctzll((uint64_t)value);
}

/// Of an integer; `isBit`: one of type i1. `whole` is a power of two, and so is `sector`, elements
/// of a sector of the L2 cache where dots read bytes: rows that begin there are told from such that
/// begin within one (0: nobody asks).
static inline uint8_t tileFactOfInteger(int64_t value, bool isBit, uint32_t whole,
                                        uint32_t sector) {
  if (value == 1 && !isBit) return TILE_FACT_ONE;
  // No array is described by a stride below 0, which is seen no later than here.
  uint8_t sign = value < 0 && !isBit ? TILE_FACT_NEGATIVE : 0;
  return (uint8_t)(sign | tileFactOfFactor(value, whole, sector));
}

/// Does what is so of an argument imply what code was told of it?
static inline bool tileFactImplies(uint8_t is, uint8_t told) {
  const uint8_t flags = TILE_FACT_ONE | TILE_FACT_POSITIVE;
  return !(told & ~is & flags) && (is & TILE_FACT_DIVISOR) >= (told & TILE_FACT_DIVISOR);
}

/// Bits of what is known of a grid: how many multiprocessors there are for each program, 1, 2 or,
/// for less than one, 0; and whether programs are many.
enum { TILE_FACT_WAVE = 3, TILE_FACT_MANY = 4 };

/// Above them, one more than log2 of the programs that each multiprocessor has, rounded down, of
/// one or fewer 0; 0: nobody asks.
enum { TILE_FACT_PROGRAMS = 3, TILE_FACT_MOST_PROGRAMS = 6, TILE_FACT_PROGRAMS_MASK = 7 };

/// And a bit above these: the argument that somebody asks for is the number of programs along x.
enum { TILE_FACT_EACH = 1 << 6 };

/// Of the grid, on a device with room for so many programs (0: nobody asks). `many`: as many are.
static inline int tileFactOfGrid(int64_t room, int64_t many, const int32_t grid[3]) {
  int64_t layer = (int64_t)grid[0] * grid[1];
  if (!room || layer < 1 || grid[2] < 1) return 0;
  if (layer > room) return layer > (many - 1) / grid[2] ? TILE_FACT_MANY : 0;
  int64_t programs = layer * grid[2];
  int wave = programs > room ? 0 : 2 * programs <= room ? 2 : 1;
  return programs >= many ? wave | TILE_FACT_MANY : wave;
}

/// The same where loops of dots go up to `length`: of few programs with loops of `least` or more,
/// it is as if they were many. `least` 0: nobody asks.
static inline int tileFactOfLength(int grid, int64_t length, int64_t least) {
  return least && length >= least ? grid | TILE_FACT_MANY : grid;
}

/// The same with how many programs each of `multiprocessors` has (0: nobody asks).
static inline int tileFactOfPrograms(int code, int64_t multiprocessors, const int32_t grid[3]) {
  int64_t layer = (int64_t)grid[0] * grid[1];
  if (!multiprocessors || layer < 1 || grid[2] < 1) return code;
  // More of them than 64 for each are as good as 64.
  const int64_t most = multiprocessors << TILE_FACT_MOST_PROGRAMS;
  int64_t programs = layer > most ? most : layer * grid[2];
  int power = 0;
  while (power < TILE_FACT_MOST_PROGRAMS && multiprocessors << (power + 1) <= programs) ++power;
  return code | (power + 1) << TILE_FACT_PROGRAMS;
}

/// Programs of each multiprocessor that the code of a grid tells: so many or more, but that 1 is
/// one or fewer; 0: nothing.
static inline int tileFactGetPrograms(int code) {
  int power = code >> TILE_FACT_PROGRAMS & TILE_FACT_PROGRAMS_MASK;
  return power ? 1 << (power - 1) : 0;
}

/// The same of an argument that loops over what programs share go up to.
static inline int tileFactOfShared(int code, int64_t shared, const int32_t grid[3]) {
  return shared == grid[0] ? code | TILE_FACT_EACH : code;
}

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_FACT_CODE_H
