//===- Salvage.c - what is left of a database that is damaged -------------===//
//
// Code can be compiled again; tuning results have cost time on a device. So those that can still be
// read go from the database that was set aside into the new one, row by row up to the first that
// cannot be.
//
//===----------------------------------------------------------------------===//
#include "CacheImpl.h"

enum { COLUMNS = 10 };

static int copyRow(sqlite3_stmt *from, sqlite3_stmt *to) {
  for (int i = 0; i < COLUMNS; ++i) {
    int code = sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
    if (code) return code;
  }
  int code = sqlite3_step(to);
  sqlite3_reset(to);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void copyRows(sqlite3 *db) {
  sqlite3_stmt *from = NULL, *to = NULL;
  int code = sqlite3_prepare_v2(db,
                                "SELECT kernel, code, key, types, device, version, config, seconds,"
                                " tried, made FROM old.tuning",
                                -1, &from, NULL);
  if (!code)
    code = sqlite3_prepare_v2(db,
                              "INSERT OR IGNORE INTO main.tuning(kernel, code, key, types, device,"
                              " version, config, seconds, tried, made)"
                              " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              -1, &to, NULL);
  while (!code && sqlite3_step(from) == SQLITE_ROW) code = copyRow(from, to);
  sqlite3_finalize(from);
  sqlite3_finalize(to);
}

void tileCacheSalvage(TileCache *cache) {
  sqlite3_stmt *attach;
  char *path = sqlite3_mprintf("%s.corrupt", cache->path);
  if (!path) return;
  int code = sqlite3_prepare_v2(cache->db, "ATTACH ? AS old", -1, &attach, NULL);
  if (!code) code = sqlite3_bind_text(attach, 1, path, -1, SQLITE_STATIC);
  if (!code) code = tileCacheFinish(attach);
  if (!code) copyRows(cache->db);
  // Where nothing was attached this fails, and harms nothing.
  sqlite3_exec(cache->db, "DETACH old", NULL, NULL, NULL);
  sqlite3_free(path);
}
