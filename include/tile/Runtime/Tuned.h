//===- Tuned.h - what tuning found, in the cache --------------------------===//
//
// A result says which configuration of a kernel is fastest for one key. It holds for just the
// kernel that was tuned (its name and the hash of its code), its argument types, the device and the
// version of the compiler.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_TUNED_H
#define TILE_RUNTIME_TUNED_H

#include "tile/Runtime/Cache.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The compiler's version in results.
#define TILE_TUNED_VERSION "0.1"

enum { TILE_TUNED_TEXTS = 7 };

typedef struct TileTuned {
  /// The kernel's name; a hash of its code; its tile.key arguments as "512, 512, 64"; the types of
  /// its arguments; where it was timed; TILE_TUNED_VERSION; and what was found,
  /// "BM=64,num_warps=4". Owned by a list, else borrowed.
  const char *kernel, *code, *key, *types, *device, *version, *config;
  /// Of one launch with it.
  double seconds;
  /// Configurations tried; microseconds since 1970.
  int64_t tried, made;
} TileTuned;

typedef struct TileTunedList {
  TileTuned *items;
  size_t count;
} TileTunedList;

/// Results that have the texts of `like`, those that are NULL standing for any, ordered by kernel
/// and key. False where the cache cannot be read.
bool tileTunedFind(TileCache *cache, const TileTuned *like, TileTunedList *list);
void tileTunedListDestroy(TileTunedList *list);
/// Adds a copy, in place of one that has the same texts but for its configuration.
void tileTunedListPut(TileTunedList *list, const TileTuned *result);

/// Stores results over older ones of the same kernel, key and so on, all or none. False with a
/// message where the cache cannot be written.
bool tileTunedPut(TileCache *cache, const TileTuned *results, size_t count, TileError *error);

/// Reads a file that tileTunedWrite wrote. False with a message on another file, or one of another
/// version of the compiler.
bool tileTunedRead(const char *path, TileTunedList *list, TileError *error);
/// The same of an open stream, which stays open and which messages call `name`.
bool tileTunedParse(FILE *file, const char *name, TileTunedList *list, TileError *error);
/// Writes results as text, one a line, tabs between, to a stream; false where it takes no more.
bool tileTunedPrint(FILE *file, const TileTunedList *list);
/// And to a file: whole or not at all.
bool tileTunedWrite(const char *path, const TileTunedList *list, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_TUNED_H
