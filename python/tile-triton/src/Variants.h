//===- Variants.h - code for launches whose sizes are multiples ---*- C -*-===//
//
// Triton compiles a kernel anew for sizes that are multiples of 16 and for those that are not. Rows
// of 1000 f16 are aligned all the same: 8 of them are 16 bytes. So of sizes that are no multiples
// of 16 it is told here which are multiples of 8, or else of 4 or 2, and code for that is compiled
// at the first such launch, once for each set of such arguments:
//
//   n = 1000, pitch = 1002, k = 77   of arguments 3, 4 and 5   -->   facts "3/8,4/2"
//
// Of a descriptor's extents and strides Triton tells nothing, nor of what is not specialized
// (do_not_specialize, sizes that torch.compile takes as they come), so that it is told here which
// are multiples of 16, too. Of kernels with products it is also told which are multiples of 256, as
// of most tiles: rows that wrap around at the end of a matrix (`% M`) then do not.
//
//   m = 4096, n = 1000               of arguments 3 and 4      -->   facts "3/256+,4/8"
//
// A loop without products keeps less on its way where other programs of its multiprocessor do, and
// so does a tile that is read in parts. The common code of such a kernel takes for granted that
// they fill it; a launch of fewer has its own:
//
//   512 programs of 4 warps, 132 multiprocessors             -->   facts "programs:2"
//
// A loop of products has more copies on their way where fewer blocks share a multiprocessor: it is
// told of fewer programs than have eight warps together, and where each program has a
// multiprocessor, or two:
//
//   64 programs, 132 multiprocessors                         -->   facts "wave:2"
//
// Where a loop over a row has a step for all of it, as a loss' over a vocabulary may, or a
// product's over the rank of an adapter, that is told, and the row is read once:
//
//   n = 4000 of argument 3, up to which loops go by 4096       -->   facts "3/16<4096"
//
// Of kernels with products also where loops up to it have two steps at most, or four: rings have no
// more slots than there are steps.
//
// Of numbers on which no address, mask or end of a loop depends nothing is told: seeds, scales.
//
// A launch without any of this, and one for which there is no such code, has the common code.
//===----------------------------------------------------------------------===//
#ifndef TILE_TRITON_VARIANTS_H
#define TILE_TRITON_VARIANTS_H

#include "tile.h"
#include <stdbool.h>

typedef struct Variant Variant;

/// `{0}` has none. Not for several threads at a time: Python's lock is held.
typedef struct Variants {
  Variant *first;
  uint32_t count;
} Variants;

void variantsDestroy(Variants *variants);

/// A bit for each of the first 64 values.
typedef struct VariantsRule {
  uint64_t untold; ///< Triton does not say whether it is a multiple of 16
  uint64_t silent; ///< nothing is told of it
  bool whole;      ///< multiples of 256 are told
  /// Of each, the least step of loops up to it; 0: there is none. What is no more is told.
  const uint32_t *steps;
} VariantsRule;

/// Four descriptors of four dimensions are 64 values: attention has them.
enum { VARIANTS_WORDS = 8, VARIANTS_IN_WORD = 8 };

/// What is told of a launch; `{0}`: nothing.
typedef struct VariantsKey {
  /// Eight bits for each of the first 64 values.
  uint64_t values[VARIANTS_WORDS];
  /// How many programs each multiprocessor has, a power of two; 0: as many as the common code has.
  uint32_t programs;
  /// How many multiprocessors there are for each program, 1 or 2; 0: fewer, or nothing is told.
  uint32_t wave;
} VariantsKey;

/// The facts of the common code of a kernel that counts its programs.
#define VARIANTS_MANY_PROGRAMS "programs:64"

/// Warps of a multiprocessor, on any chip; and those from which on products are told of no
/// programs.
enum { VARIANTS_WARPS = 64, VARIANTS_DOT_WARPS = 8 };

/// Adds what is told of the values to `key`.
void variantsGetValues(const tile_value *values, size_t count, VariantsRule rule, VariantsKey *key);

/// Is nothing told?
bool variantsIsCommon(VariantsKey key);

/// Of the grid, of programs of so many warps; `most` of them on a multiprocessor are as many as the
/// common code has.
uint32_t variantsGetPrograms(const uint32_t grid[3], uint32_t multiprocessors, uint32_t warps,
                             uint32_t most);

/// Of the grid: the key's `wave`.
uint32_t variantsGetWave(const uint32_t grid[3], uint32_t multiprocessors);

/// Code for launches of `key`, which tells something; false where it has to be made. `*artifact` is
/// NULL where there is none, or there are so many that no more are made.
bool variantsFind(const Variants *variants, VariantsKey key, tile_artifact **artifact);

/// Keeps what was made, and owns it; gives it back, or NULL where there is no memory. NULL: none
/// can be made.
tile_artifact *variantsAdd(Variants *variants, VariantsKey key, tile_artifact *artifact);

/// Compiles code for launches of `key`: `options` are those of the common code; without a number of
/// programs what is told of them stays. NULL where that cannot be. Needs no lock.
tile_artifact *variantsCompile(tile_kernel *kernel, const tile_compile_options *options,
                               VariantsKey key);

#endif
