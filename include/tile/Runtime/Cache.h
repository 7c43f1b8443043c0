//===- Cache.h - compiled code and tuning results, kept between runs ------===//
//
// One SQLite database in a folder of the user's, shared by every process that opens it. What goes
// in is found again by the hash of everything that it was made from, so nothing in it is ever out
// of date; what is not used for long makes room.
//
//   TileCache *cache = tileCacheOpen(NULL, &error);       the folder that the environment names
//   TileCacheKey key = tileCacheHash(fields, count);      IR, options, target, versions
//   if (!tileCacheGet(cache, TILE_CACHE_CUBIN, key, &data, &size)) {
//     ... compile ...
//     tileCachePut(cache, TILE_CACHE_CUBIN, key, data, size);
//   }
//
// What is in it is run, so it is the user's own: a folder or a database that belongs to another, or
// that others may write, is not used.
//
// Always true: what Get returns is what some Put stored, byte for byte; its digest is checked. A
// process that is killed, at any moment, loses at most what it was storing. Trouble with the
// database is never the caller's: an entry that is not what was stored is dropped, a corrupt file
// is set aside as `*.corrupt` and begun anew with the tuning results that can be read of it; where
// nothing can be written the cache goes on without storing, where nothing can be read as an empty
// one. Each says so once through `warn`, and only that. A busy database counts as a miss.
//
// NULL stands for no cache: Get finds nothing, Put does nothing. A cache may be used by several
// threads; it must not be carried over a fork.
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_CACHE_H
#define TILE_RUNTIME_CACHE_H

#include "tile/Runtime/Error.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

//===- keys ---------------------------------------------------------------===//

/// A 128-bit hash (XXH3: 2^64 entries before two are likely to meet; nobody but the user writes to
/// the cache, so no defence against forged ones).
typedef struct TileCacheKey {
  unsigned char bytes[16];
} TileCacheKey;

/// One thing that an entry depends on. Fields count in their order, each with its length.
typedef struct TileCacheField {
  const void *data;
  size_t size;
} TileCacheField;

TileCacheKey tileCacheHash(const TileCacheField *fields, size_t count);

/// The identity of this build of the compiler and of the LLVM and MLIR it runs with: the build ids
/// that the linker left in them. Static.
const char *tileCacheGetBuild(void);

//===- the cache ----------------------------------------------------------===//

typedef struct TileCache TileCache;

typedef struct TileCacheOptions {
  /// The folder; NULL: $TILE_CACHE, else $XDG_CACHE_HOME/tile, else ~/.cache/tile.
  const char *directory;
  /// Bytes of code to keep at most; 0: $TILE_CACHE_SIZE (as 2000000, 64M, 1G), else 512 MiB.
  int64_t limit;
  /// Where warnings go; NULL drops them. The text is `expected ..., found ...`.
  void (*warn)(const char *text, void *data);
  void *data;
  /// The SQLite VFS to use (tests); NULL for the system's own.
  const char *vfs;
  /// An entry's last use is written down when the one on record is older than this many seconds:
  /// negative for at every use; 0 for an hour, so that a warm run writes nothing.
  int touchSeconds;
  /// Take the folder for one that other machines have, too (tests), as one on a network file system
  /// is taken.
  bool remote;
} TileCacheOptions;

/// Opens the cache and makes the folder and the database where they are missing. `options` may be
/// NULL. NULL without a message: caching is off (TILE_CACHE=off). NULL with a message: what the
/// caller or TILE_CACHE asked for is not a folder and cannot become one, or TILE_CACHE_SIZE is not
/// a size. A folder that is there and cannot be written is a cache that stores nothing, with one
/// warning.
TileCache *tileCacheOpen(const TileCacheOptions *options, TileError *error);
/// Closes it. NULL is allowed.
void tileCacheClose(TileCache *cache);

typedef enum TileCacheKind {
  /// Machine code for a GPU.
  TILE_CACHE_CUBIN,
  /// An object file for this processor.
  TILE_CACHE_OBJECT,
} TileCacheKind;
enum { TILE_CACHE_KINDS = 2 };

/// The entry of that key, in memory that the caller frees; false when there is none.
bool tileCacheGet(TileCache *cache, TileCacheKind kind, TileCacheKey key, void **data,
                  size_t *size);
/// Stores an entry over an older one of that key, and removes what was not used for longest until
/// all entries are within the limit. One that is larger than the limit is not stored.
void tileCachePut(TileCache *cache, TileCacheKind kind, TileCacheKey key, const void *data,
                  size_t size);
/// Drops an entry, one that turned out not to load.
void tileCacheRemove(TileCache *cache, TileCacheKind kind, TileCacheKey key);

typedef struct TileCacheStat {
  /// The database's file, borrowed until Close.
  const char *path;
  /// Whether entries can be read, and stored.
  bool readable, writable;
  int64_t limit;
  int64_t count[TILE_CACHE_KINDS], bytes[TILE_CACHE_KINDS];
  /// Tuning results.
  int64_t tuned;
  /// Of the file on disk.
  int64_t fileBytes;
  /// What this handle did.
  int64_t hits, misses, stored;
} TileCacheStat;

TileCacheStat tileCacheGetStat(TileCache *cache);

/// Removes everything, tuning results too, and gives the disk space back. False where the database
/// cannot be written.
bool tileCacheClear(TileCache *cache, TileError *error);

#ifdef __cplusplus
}
#endif

#endif // TILE_RUNTIME_CACHE_H
