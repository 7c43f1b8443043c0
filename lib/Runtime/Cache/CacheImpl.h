//===- CacheImpl.h - what the files of the cache share --------------------===//
//
// The database, `cache-v1.db`; another layout would get another name, so that two versions of tile
// can use one folder:
//
//   entries  kind key | size  used                   digest               data
//                     | bytes microseconds (Unix)    XXH3 of key, data
//   tuning   the results of tile-run --tune: Tuning.c
//
// It is kept in WAL mode (on a network file system: with a rollback journal, where readers wait for
// writers): readers never wait, a process that dies leaves a log whose complete transactions count
// and whose last one does not. `cache.lock` is held (flock) while a database is
// opened, and while one is set aside: so no process renames a file that another has just begun.
//
//===----------------------------------------------------------------------===//
#ifndef TILE_RUNTIME_CACHE_IMPL_H
#define TILE_RUNTIME_CACHE_IMPL_H

#include "tile/Runtime/Cache.h"
#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>

struct TileCache {
  TileCacheOptions options;
  char *directory, *path;
  int64_t limit;
  /// NULL: nothing can be read.
  sqlite3 *db;
  bool writable, warned;
  /// Which file `db` has open.
  dev_t device;
  ino_t inode;
  int64_t hits, misses, stored;
  pthread_mutex_t mutex;
};

/// Says what is wrong, the first time.
void tileCacheWarn(TileCache *cache, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Whether nobody else could have put anything into the cache; where somebody could, warns.
bool tileCacheIsTrusted(TileCache *cache);

/// Whether other machines may have the folder, too.
bool tileCacheIsRemote(const TileCache *cache);

/// Copies what can be read of the tuning results in the database that was set aside.
void tileCacheSalvage(TileCache *cache);

/// One piece of work with the database, under the mutex: a SQLite result code.
typedef int (*TileCacheWork)(TileCache *cache, void *context);

/// The number that `query` gives, as PRAGMA user_version: a SQLite result code.
int tileCacheReadNumber(sqlite3 *db, const char *query, int64_t *number);

/// Does `work` and deals with what goes wrong: with a corrupt database it is done again, after a
/// second look at the file, and then with a new file. `writes`: what fails for lack of room ends
/// storing, not reading. True for success.
bool tileCacheDo(TileCache *cache, TileCacheWork work, void *context, bool writes);

/// `work` in a transaction that other processes see whole or not at all.
int tileCacheTransact(TileCache *cache, TileCacheWork work, void *context);

/// Prepares a statement, or says why not. A statement of ours that SQLite does not understand means
/// tables that are not ours: SQLITE_CORRUPT.
int tileCachePrepare(TileCache *cache, const char *sql, sqlite3_stmt **statement);

/// Runs a statement that yields no rows, and finalizes it.
int tileCacheFinish(sqlite3_stmt *statement);

/// Microseconds since 1970.
int64_t tileCacheNow(void);

#endif // TILE_RUNTIME_CACHE_IMPL_H
