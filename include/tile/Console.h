//===- Console.h - what kernels say: prints and failed asserts --*- C -*-===//
//
// tile.print and tile.assert leave records, which the runtime turns into text and errors after the
// launch. Compiler and runtime agree here on what lies where.
//
// Each such op is a *site*. Its description is text, fields between TILE_CONSOLE_SEPARATOR:
//
//   print  FILE  LINE  COLUMN  TEXT  TYPE..        types as "4x8xf32", "i32", "ptr"
//   print iux 128  ..                              the same, an element a line (`tile.elements`, as
//                                                  Triton prints): for each value whether integers
//                                                  are signed, unsigned or hexadecimal; and how
//                                                  often a number, or a text alone, is printed:
//                                                  once for each thread
//   assert FILE  LINE  COLUMN  TEXT  SHAPE         "4x8xi1", "i1"
//
// On the CPU a kernel calls the runtime with its site's description (TILE_CONSOLE_PRINT and
// TILE_CONSOLE_FAIL name the functions). On the GPU the module carries three globals, so that a
// stored cubin is as good as a new one:
//
//   __tile_console_sites   all descriptions, each with a NUL after it
//   __tile_console_failed  for each site 64 bits, 0 where no assert failed: the greatest of
//                          (2^39 - 1 - program) << 25 | (2^24 - index), which is that of the first
//                          program, counted along x, then y, then z, and the first element in it
//   __tile_console         +0   8 bytes: how many bytes prints asked for, the header aside
//                          +16  records, one behind the other, that fit:
//
//     +0 site  +4 x  +8 y  +12 z   of the program, i32 each
//     +16      each value's elements, row-major, from a multiple of 16 on; of a dimension that is
//              shortened, those that are shown
//
// A tile of more than 1000 elements is shortened: of a dimension of more than six, the first
// three and the last three are shown, as tile_host.dump does it.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_CONSOLE_H
#define TILE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_CONSOLE_SEPARATOR '\x1f'

#define TILE_CONSOLE_GLOBAL "__tile_console"
#define TILE_CONSOLE_SITES_GLOBAL "__tile_console_sites"
#define TILE_CONSOLE_FAILED_GLOBAL "__tile_console_failed"

/// void (const char *site, int32_t x, y, z, const int64_t *values): for each value the address of
/// its elements and the length of a row in memory, in elements.
#define TILE_CONSOLE_PRINT "tileConsolePrint"
/// void (const char *site, int32_t x, y, z, const uint8_t *lanes, int64_t count, int64_t first):
/// some of `count` bytes, for the elements from number `first` on, are 0. Does not return: the
/// program ends.
#define TILE_CONSOLE_FAIL "tileConsoleFail"

enum {
  TILE_CONSOLE_BYTES = 4 << 20, ///< for records
  TILE_CONSOLE_HEADER = 16,     ///< before them
  TILE_CONSOLE_RECORD = 16,     ///< before the values of one
  TILE_CONSOLE_INDEX_BITS = 25,
  TILE_CONSOLE_PROGRAM_BITS = 39,
  TILE_CONSOLE_MAX_RANK = 16,
  TILE_CONSOLE_FULL = 1000, ///< elements that are all shown
  TILE_CONSOLE_EDGE = 3,    ///< elements shown at either end, beyond
};

/// How a value lies in a record.
typedef struct TileConsoleValue {
  int rank;
  int64_t shape[TILE_CONSOLE_MAX_RANK];
  int64_t shown[TILE_CONSOLE_MAX_RANK];   ///< extents in the record
  int64_t strides[TILE_CONSOLE_MAX_RANK]; ///< there, in elements
  int64_t bytes;                          ///< there, a multiple of 16
} TileConsoleValue;

/// `elementBytes` is 1 for i1, 8 for a pointer.
TileConsoleValue tileConsoleValue(int rank, const int64_t *shape, int elementBytes);

#ifdef __cplusplus
}
#endif
#endif
