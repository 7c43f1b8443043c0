//===- Open.c - where the cache is, and what to do when it is broken ------===//
#include "CacheImpl.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  BUSY_MILLISECONDS = 5000, ///< How long to wait for another process's transaction.
  LOCK_TRIES = 200,         ///< Of 10 ms each, for the lock; then without it.
};

static const int64_t defaultLimit = INT64_C(512) << 20;

/// What is wrong is known to be the file, not the machine.
static bool isCorrupt(int code) {
  return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

void tileCacheWarn(TileCache *cache, const char *format, ...) {
  if (cache->warned) return;
  cache->warned = true;
  if (!cache->options.warn) return;
  char text[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  cache->options.warn(text, cache->options.data);
}

//===- folders and sizes --------------------------------------------------===//

__attribute__((format(printf, 1, 2))) static char *print(const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = tileRuntimeAlloc((size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

/// mkdir -p. False with errno, also where the path is something else than a folder.
static bool makeFolder(const char *path) {
  char *part = print("%s", path);
  for (char *c = part + 1; *c; ++c) {
    if (*c != '/') continue;
    *c = 0;
    // Only the last one has to succeed: one above may be there and not ours to write.
    mkdir(part, 0777);
    *c = '/';
  }
  // The cache is the user's own.
  int made = mkdir(part, 0700);
  int reason = errno;
  struct stat status;
  bool there = stat(part, &status) == 0;
  free(part);
  errno = reason;
  if (made == 0 || (there && S_ISDIR(status.st_mode))) return true;
  if (there) errno = ENOTDIR;
  return false;
}

/// The folder that the environment names; NULL where it names none.
static char *findFolder(bool *explicitly) {
  const char *own = getenv("TILE_CACHE");
  *explicitly = own && *own;
  if (*explicitly) return print("%s", own);
  const char *base = getenv("XDG_CACHE_HOME");
  if (base && *base == '/') return print("%s/tile", base);
  const char *home = getenv("HOME");
  return home && *home == '/' ? print("%s/.cache/tile", home) : NULL;
}

/// "2000000", "64M", "1G" as bytes; 0 when it is none of these.
static int64_t parseSize(const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || errno || value <= 0) return 0;
  static const char units[] = "KMGT";
  int shift = 0;
  const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
  if (unit) shift = 10 * (int)(unit - units + 1), ++end;
  return *end || value > INT64_MAX >> shift ? 0 : (int64_t)value << shift;
}

static bool findLimit(TileCache *cache, TileError *error) {
  const char *text = getenv("TILE_CACHE_SIZE");
  cache->limit = cache->options.limit;
  if (cache->limit > 0) return true;
  cache->limit = defaultLimit;
  if (!text || !*text) return true;
  cache->limit = parseSize(text);
  if (cache->limit) return true;
  return tileErrorSet(error, "expected TILE_CACHE_SIZE in bytes or as 64M or 1G, found '%s'", text);
}

//===- opening the database -----------------------------------------------===//

/// The lock of the folder, or -1: without it all works, but for two processes that set the same
/// corrupt file aside at the same time.
static int lock(const TileCache *cache) {
  char *path = print("%s/cache.lock", cache->directory);
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  free(path);
  const struct timespec pause = {.tv_nsec = 10000000};
  for (int i = 0; file >= 0 && i < LOCK_TRIES; ++i) {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
    if (errno != EWOULDBLOCK && errno != EINTR) break; // a file system without locks
    nanosleep(&pause, NULL);
  }
  if (file >= 0) close(file);
  return -1;
}

static void unlock(int file) {
  if (file >= 0) close(file);
}

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS entries(kind INTEGER NOT NULL, key BLOB NOT NULL,"
    " size INTEGER NOT NULL, used INTEGER NOT NULL, digest INTEGER NOT NULL, data BLOB NOT NULL,"
    " UNIQUE(kind, key));"
    // The order of eviction, the sum of sizes and the counts, without a look at the data.
    "CREATE INDEX IF NOT EXISTS uses ON entries(used, size, kind);"
    "CREATE TABLE IF NOT EXISTS tuning(kernel TEXT NOT NULL, code TEXT NOT NULL,"
    " key TEXT NOT NULL, types TEXT NOT NULL, device TEXT NOT NULL, version TEXT NOT NULL,"
    " config TEXT NOT NULL, seconds REAL NOT NULL, tried INTEGER NOT NULL, made INTEGER NOT NULL,"
    " UNIQUE(kernel, code, key, types, device, version));"
    "PRAGMA user_version = 1;"
    "COMMIT;";

int tileCacheReadNumber(sqlite3 *db, const char *query, int64_t *number) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(db, query, -1, &statement, NULL);
  if (code) return code;
  code = sqlite3_step(statement);
  if (code == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return code == SQLITE_ROW ? SQLITE_OK : code;
}

/// Settings and tables. Changing the mode can be refused without a wait while another process does
/// it too, where there is no lock.
static int prepareDatabase(TileCache *cache) {
  sqlite3 *db = cache->db;
  int64_t version = 0;
  int code = tileCacheReadNumber(db, "PRAGMA user_version", &version);
  const struct timespec pause = {.tv_nsec = 10000000};
  // Another version's: it stays as it is, down to its mode.
  if (!code && version != 0 && version != 1) return SQLITE_MISMATCH;
  // The log of WAL mode is shared through memory, which two machines do not.
  const char *mode = tileCacheIsRemote(cache) ? "PRAGMA auto_vacuum = INCREMENTAL;"
                                                "PRAGMA journal_mode = DELETE"
                                              : "PRAGMA auto_vacuum = INCREMENTAL;"
                                                "PRAGMA journal_mode = WAL";
  for (int i = 0; !code && i < LOCK_TRIES; ++i) {
    code = sqlite3_exec(db, mode, NULL, NULL, NULL);
    if ((code & 0xff) != SQLITE_BUSY) break;
    code = SQLITE_OK;
    nanosleep(&pause, NULL);
  }
  // NORMAL: no flush to the disk at each commit, but at checkpoints; after a power cut the last
  // entries may be missing, and nothing is broken.
  if (!code)
    code = sqlite3_exec(db,
                        "PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON;"
                        "PRAGMA journal_size_limit = 4194304; PRAGMA trusted_schema = OFF",
                        NULL, NULL, NULL);
  if (!code && version == 0) {
    code = sqlite3_exec(db, schema, NULL, NULL, NULL);
    if (code) sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
  }
  // Names that clash: somebody else's tables.
  return code == SQLITE_ERROR ? SQLITE_CORRUPT : code;
}

/// Opens the file, under the lock.
static int openFile(TileCache *cache) {
  // SQLite gives its logs the mode of the database, which it would create for all to read. Where
  // this fails, SQLite says why.
  int made = open(cache->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (made >= 0) close(made);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(cache->path, &cache->db, flags, cache->options.vfs);
  struct stat status;
  if (!code && stat(cache->path, &status) == 0) {
    cache->device = status.st_dev;
    cache->inode = status.st_ino;
  }
  if (!code) code = sqlite3_extended_result_codes(cache->db, 1);
  if (!code) code = sqlite3_busy_timeout(cache->db, BUSY_MILLISECONDS);
  if (!code) code = prepareDatabase(cache);
  if (!code && sqlite3_db_readonly(cache->db, "main") == 1) code = SQLITE_READONLY;
  if (!code) return code;
  sqlite3_close_v2(cache->db);
  cache->db = NULL;
  return code;
}

/// Renames the database and its log, unless another process has done so already. Under the lock.
static void setAside(TileCache *cache) {
  struct stat status;
  bool same = stat(cache->path, &status) == 0 && status.st_dev == cache->device &&
              status.st_ino == cache->inode;
  if (!same) return;
  static const char *const ends[] = {"-wal", "-shm", ""};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    char *from = print("%s%s", cache->path, ends[i]);
    char *to = print("%s.corrupt%s", cache->path, ends[i]);
    // One that stays would be taken for the new database's own.
    if (rename(from, to) != 0) unlink(from);
    free(from);
    free(to);
  }
}

/// Opens the database, once more with a new one if what is there is none. SQLITE_OK, or why not.
static int connectTo(TileCache *cache) {
  // Said already.
  if (!tileCacheIsTrusted(cache)) return SQLITE_PERM;
  int file = lock(cache);
  int code = openFile(cache);
  // SQLite calls a file corrupt, too, when its disk has failed to read it (EIO): so it is looked at
  // again before anything is taken away.
  if (isCorrupt(code)) code = openFile(cache);
  if (isCorrupt(code)) {
    tileCacheWarn(cache,
                  "expected a SQLite database in '%s', found a corrupt one: set aside as "
                  "%s.corrupt and begun anew",
                  cache->path, strrchr(cache->path, '/') + 1);
    setAside(cache);
    code = openFile(cache);
    if (!code) tileCacheSalvage(cache);
  }
  unlock(file);
  cache->writable = code == SQLITE_OK;
  return code;
}

/// Says that the cache stays out of use.
static void giveUp(TileCache *cache, int code) {
  const char *reason = (code & 0xff) == SQLITE_BUSY ? "locked by another process"
                       : code == SQLITE_MISMATCH    ? "a database of another version of tile"
                                                    : sqlite3_errstr(code);
  tileCacheWarn(cache, "expected to read and write the cache in '%s', found: %s; running without",
                cache->directory, reason);
}

TileCache *tileCacheOpen(const TileCacheOptions *options, TileError *error) {
  bool explicitly = options && options->directory;
  char *directory = explicitly ? print("%s", options->directory) : findFolder(&explicitly);
  if (directory && !strcmp(directory, "off")) {
    free(directory);
    return NULL;
  }
  TileCache *cache = tileRuntimeAlloc(sizeof *cache);
  if (options) cache->options = *options;
  cache->options.directory = NULL;
  pthread_mutex_init(&cache->mutex, NULL);
  cache->directory = directory ? directory : print("~/.cache/tile");
  cache->path = print("%s/cache-v1.db", cache->directory);
  bool made = directory && makeFolder(directory);
  if (!findLimit(cache, error)) goto fail;
  if (!made && explicitly) {
    tileErrorSet(error, "expected a folder for the cache in '%s', found: %s", directory,
                 strerror(errno));
    goto fail;
  }
  if (!made) {
    tileCacheWarn(cache, "expected a folder for the cache in '%s', found: %s; running without",
                  cache->directory, directory ? strerror(errno) : "no HOME and no XDG_CACHE_HOME");
    return cache;
  }
  int code = connectTo(cache);
  if (code) giveUp(cache, code);
  return cache;
fail:
  tileCacheClose(cache);
  return NULL;
}

void tileCacheClose(TileCache *cache) {
  if (!cache) return;
  if (cache->db) sqlite3_close_v2(cache->db);
  pthread_mutex_destroy(&cache->mutex);
  free(cache->path);
  free(cache->directory);
  free(cache);
}

//===- work with the database ---------------------------------------------===//

int tileCachePrepare(TileCache *cache, const char *sql, sqlite3_stmt **statement) {
  int code = sqlite3_prepare_v2(cache->db, sql, -1, statement, NULL);
  return code == SQLITE_ERROR ? SQLITE_CORRUPT : code;
}

int tileCacheFinish(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

int tileCacheTransact(TileCache *cache, TileCacheWork work, void *context) {
  int code = sqlite3_exec(cache->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (code) return code;
  code = work(cache, context);
  if (!code) code = sqlite3_exec(cache->db, "COMMIT", NULL, NULL, NULL);
  // Some failures have rolled back already; then this one fails, and harms nothing.
  if (code) sqlite3_exec(cache->db, "ROLLBACK", NULL, NULL, NULL);
  return code;
}

static void disconnect(TileCache *cache) {
  if (cache->db) sqlite3_close_v2(cache->db);
  cache->db = NULL;
  cache->writable = false;
}

/// Opens the database again.
static int reopen(TileCache *cache) {
  disconnect(cache);
  int file = lock(cache);
  int code = openFile(cache);
  unlock(file);
  cache->writable = code == SQLITE_OK;
  return code;
}

/// Replaces a database that turned out to be corrupt after it was opened.
static int rebuild(TileCache *cache) {
  tileCacheWarn(cache,
                "expected an intact database in '%s', found a corrupt one: set aside as "
                "%s.corrupt and begun anew",
                cache->path, strrchr(cache->path, '/') + 1);
  disconnect(cache);
  int file = lock(cache);
  setAside(cache);
  int code = openFile(cache);
  if (!code) tileCacheSalvage(cache);
  unlock(file);
  cache->writable = code == SQLITE_OK;
  return code;
}

bool tileCacheDo(TileCache *cache, TileCacheWork work, void *context, bool writes) {
  if (!cache || !cache->db || (writes && !cache->writable)) return false;
  int code = work(cache, context);
  if (isCorrupt(code)) {
    code = reopen(cache);
    if (!code) code = work(cache, context);
  }
  if (isCorrupt(code)) {
    code = rebuild(cache);
    if (!code) code = work(cache, context);
  }
  if (!code) return true;
  int kind = code & 0xff;
  if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED) return false;
  if (writes && cache->db) {
    tileCacheWarn(cache, "expected room for the cache in '%s', found: %s; storing no more",
                  cache->directory, sqlite3_errstr(code));
    cache->writable = false;
  } else {
    giveUp(cache, code);
    disconnect(cache);
  }
  return false;
}
