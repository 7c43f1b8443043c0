//===- Facts.h - what is known of a launch ----------------------*- C -*-===//
//
// One record goes from the launcher, which looks at arguments and grid, to tile-specialize, which
// writes what it says on the kernel as attributes and constants. Launches with equal facts share
// code. The record has one text form, which the pass has as its option `facts`, and with it the
// cache's keys, traces and --verbose:
//
//   BM=64,num_warps=8,0/16,3/256+,7=1,wave:2,programs:8,pack
//
//   BM=64    the meta-parameter BM is 64
//   0/16     argument 0 is a multiple of 16, a power of two (of an array: its address in bytes)
//   3/256+   argument 3, an integer, is a multiple of 256, and positive
//   5/8-     argument 5, an integer, is below 0 besides
//   7=1      argument 7, an integer, is 1
//   4/8<4096  argument 4, an integer, is from 1 to 4096 besides
//   4/16+x   argument 4, an integer, is the number of the launch's programs along x besides
//   wave:2   the device has two multiprocessors for each program of the launch; wave:1: one
//   programs:8  a multiprocessor has 8 programs of the launch, or more; of 1, that or fewer
//   pack     arrays may be copied in front of the kernel to where their rows are aligned
//
// Of an argument that is not named, nothing is known. A name that is bound twice has its first
// value. Pure C, and no state: records are the caller's.
//===----------------------------------------------------------------------===//
#ifndef TILE_FACTS_H
#define TILE_FACTS_H

#include "tile/Text.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of one argument.
typedef struct TileArgumentFact {
  /// A power of two up to 2^30 that divides it; 0 says no more than 1.
  uint32_t divisor;
  /// An integer above 0.
  bool positive;
  /// An integer below 0.
  bool negative;
  /// An integer that is 1; the others are then not set.
  bool one;
  /// An integer from 1 to this; 0: nothing of that is known.
  uint32_t most;
  /// An integer, the number of the launch's programs along x.
  bool programs;
} TileArgumentFact;

/// A meta-parameter's value, from 1 to 2^31 - 1.
typedef struct TileBinding {
  char *name;
  int64_t value;
} TileBinding;

/// `{0}` knows nothing. What it points at is its own, freed by tileFactsDestroy.
typedef struct TileFacts {
  TileArgumentFact *arguments;
  unsigned numArguments, capacity;
  /// Multiprocessors that the device has for each program, at most 2; 0: less than one, or unknown.
  int singleWave;
  /// Programs of the launch for each multiprocessor of the device, that many or more, or, of 1, one
  /// or fewer; 0: nothing is known.
  int programs;
  /// Whoever launches can pack arrays for tensor maps, and the launch has programs enough to pay
  /// for it (see tile/Runtime/Launcher.h).
  bool packs;
  TileBinding *bindings;
  unsigned numBindings;
} TileFacts;

/// An argument's number is below this: more than a launch can pass.
enum { TILE_FACTS_MAX_ARGUMENTS = 1 << 15 };

void tileFactsDestroy(TileFacts *facts);
/// Puts a copy of `from` in place of what `to` has.
void tileFactsCopy(TileFacts *to, const TileFacts *from);
bool tileFactsAreEqual(const TileFacts *a, const TileFacts *b);

/// What is known of argument `number`; nothing of one past the last.
TileArgumentFact tileFactsGetArgument(const TileFacts *facts, unsigned number);
/// Sets it, in place of what was known. `number` is below TILE_FACTS_MAX_ARGUMENTS.
void tileFactsSetArgument(TileFacts *facts, unsigned number, TileArgumentFact fact);

/// The binding of a name (`length` bytes), borrowed, or NULL.
const TileBinding *tileFactsFindBinding(const TileFacts *facts, const char *name, size_t length);
/// Binds a name that is not bound yet.
void tileFactsBind(TileFacts *facts, const char *name, size_t length, int64_t value);

/// Appends the text form to `text`: bindings in their order, arguments by number. Nothing where
/// nothing is known.
void tileFactsPrint(const TileFacts *facts, TileText *text);
/// Adds what the text form (`length` bytes) says. Where an item is none, sets `*wrong` and
/// `*wrongLength` to it, and returns false; what stands before has been added.
bool tileFactsParse(TileFacts *facts, const char *text, size_t length, const char **wrong,
                    size_t *wrongLength);

#ifdef __cplusplus
}
#endif

#endif // TILE_FACTS_H
