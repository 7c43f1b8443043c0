//===- Tuned.c - tuning results in the cache and in files -----------------===//
#include "tile/Runtime/Tuned.h"
#include "../File.h"
#include "CacheImpl.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The texts of a result by number, in the order of the table's columns.
static const char **textOf(TileTuned *t, int i) {
  const char **texts[TILE_TUNED_TEXTS] = {&t->kernel, &t->code,    &t->key,   &t->types,
                                          &t->device, &t->version, &t->config};
  return texts[i];
}

static void addCopy(TileTunedList *list, const TileTuned *result) {
  // Room for a power of two of them: it is full where the count is one.
  if (!(list->count & (list->count - 1))) {
    TileTuned *grown = tileRuntimeAlloc((list->count ? 2 * list->count : 1) * sizeof *grown);
    if (list->count) memcpy(grown, list->items, list->count * sizeof *grown);
    free(list->items);
    list->items = grown;
  }
  TileTuned copy = *result;
  for (int i = 0; i < TILE_TUNED_TEXTS; ++i) {
    const char **text = textOf(&copy, i);
    *text = *text ? tileRuntimeCopy(*text, strlen(*text)) : tileRuntimeAlloc(1);
  }
  list->items[list->count++] = copy;
}

static void freeTexts(TileTuned *result) {
  for (int i = 0; i < TILE_TUNED_TEXTS; ++i) free((void *)(uintptr_t)*textOf(result, i));
}

/// Do they stand for the same? The last of the texts is what was found.
static bool isSame(TileTuned *a, TileTuned *b) {
  for (int i = 0; i < TILE_TUNED_TEXTS - 1; ++i)
    if (strcmp(*textOf(a, i), *textOf(b, i)) != 0) return false;
  return true;
}

void tileTunedListPut(TileTunedList *list, const TileTuned *result) {
  TileTuned given = *result;
  addCopy(list, result);
  TileTuned *last = &list->items[list->count - 1];
  for (size_t k = 0; k + 1 < list->count; ++k) {
    if (!isSame(&list->items[k], &given)) continue;
    freeTexts(&list->items[k]);
    list->items[k] = *last;
    --list->count;
    return;
  }
}

void tileTunedListDestroy(TileTunedList *list) {
  for (size_t k = 0; k < list->count; ++k) freeTexts(&list->items[k]);
  free(list->items);
  *list = (TileTunedList){0};
}

//===- in the cache -------------------------------------------------------===//

typedef struct Search {
  TileTuned like;
  TileTunedList *list;
} Search;

static int findRows(TileCache *cache, void *context) {
  Search *search = context;
  sqlite3_stmt *s;
  tileTunedListDestroy(search->list); // of an attempt that failed
  int code = tileCachePrepare(
      cache,
      "SELECT kernel, code, key, types, device, version, config, seconds, tried, made FROM tuning"
      " WHERE (?1 IS NULL OR kernel = ?1) AND (?2 IS NULL OR code = ?2) AND (?3 IS NULL OR key = "
      "?3)"
      " AND (?4 IS NULL OR types = ?4) AND (?5 IS NULL OR device = ?5)"
      " AND (?6 IS NULL OR version = ?6) ORDER BY kernel, length(key), key, device, made",
      &s);
  if (code) return code;
  for (int i = 0; !code && i < TILE_TUNED_TEXTS - 1; ++i) {
    const char *text = *textOf(&search->like, i);
    if (text) code = sqlite3_bind_text(s, i + 1, text, -1, SQLITE_STATIC);
  }
  while (!code && (code = sqlite3_step(s)) == SQLITE_ROW) {
    TileTuned row = {.seconds = sqlite3_column_double(s, 7),
                     .tried = sqlite3_column_int64(s, 8),
                     .made = sqlite3_column_int64(s, 9)};
    for (int i = 0; i < TILE_TUNED_TEXTS; ++i)
      *textOf(&row, i) = (const char *)sqlite3_column_text(s, i);
    addCopy(search->list, &row);
    code = SQLITE_OK;
  }
  sqlite3_finalize(s);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

bool tileTunedFind(TileCache *cache, const TileTuned *like, TileTunedList *list) {
  *list = (TileTunedList){0};
  if (!cache) return false;
  Search search = {.like = *like, .list = list};
  pthread_mutex_lock(&cache->mutex);
  bool ok = tileCacheDo(cache, findRows, &search, false);
  pthread_mutex_unlock(&cache->mutex);
  return ok;
}

typedef struct Results {
  const TileTuned *items;
  size_t count;
} Results;

static int insert(TileCache *cache, const TileTuned *result) {
  sqlite3_stmt *s;
  int code = tileCachePrepare(cache,
                              "INSERT OR REPLACE INTO tuning(kernel, code, key, types, device,"
                              " version, config, seconds, tried, made)"
                              " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              &s);
  if (code) return code;
  TileTuned copy = *result;
  for (int i = 0; !code && i < TILE_TUNED_TEXTS; ++i)
    code = sqlite3_bind_text(s, i + 1, *textOf(&copy, i), -1, SQLITE_STATIC);
  if (!code) code = sqlite3_bind_double(s, 8, copy.seconds);
  if (!code) code = sqlite3_bind_int64(s, 9, copy.tried);
  if (!code) code = sqlite3_bind_int64(s, 10, copy.made ? copy.made : tileCacheNow());
  int done = tileCacheFinish(s);
  return code ? code : done;
}

static int insertAll(TileCache *cache, void *context) {
  const Results *results = context;
  int code = SQLITE_OK;
  for (size_t i = 0; !code && i < results->count; ++i) code = insert(cache, &results->items[i]);
  return code;
}

static int insertWhole(TileCache *cache, void *context) {
  return tileCacheTransact(cache, insertAll, context);
}

bool tileTunedPut(TileCache *cache, const TileTuned *results, size_t count, TileError *error) {
  Results all = {results, count};
  if (cache) pthread_mutex_lock(&cache->mutex);
  bool ok = cache && tileCacheDo(cache, insertWhole, &all, true);
  if (cache) pthread_mutex_unlock(&cache->mutex);
  return ok || tileErrorSet(error, "expected a cache to keep tuning results in, found %s",
                            cache ? "one that cannot be written" : "none");
}

//===- in files -----------------------------------------------------------===//

static const char heading[] = "tile tuning results\tversion " TILE_TUNED_VERSION "\n";

static bool writeList(FILE *file, const void *data) {
  const TileTunedList *list = data;
  fputs(heading, file);
  for (size_t k = 0; k < list->count; ++k) {
    TileTuned result = list->items[k];
    for (int i = 0; i < TILE_TUNED_TEXTS; ++i) fprintf(file, "%s\t", *textOf(&result, i));
    fprintf(file, "%.9g\t%lld\t%lld\n", result.seconds, (long long)result.tried,
            (long long)result.made);
  }
  return !ferror(file);
}

bool tileTunedPrint(FILE *file, const TileTunedList *list) { return writeList(file, list); }

bool tileTunedWrite(const char *path, const TileTunedList *list, TileError *error) {
  return tileFileReplace(path, writeList, list, error);
}

/// One line of a file, cut at its tabs.
static bool parseLine(char *line, TileTunedList *list) {
  TileTuned result = {0};
  for (int i = 0; i < TILE_TUNED_TEXTS; ++i) {
    *textOf(&result, i) = line;
    line = strchr(line, '\t');
    if (!line) return false;
    *line++ = 0;
  }
  long long tried, made;
  char end;
  if (sscanf(line, "%lf\t%lld\t%lld%c", &result.seconds, &tried, &made, &end) != 4 || end != '\n')
    return false;
  result.tried = tried;
  result.made = made;
  if (strcmp(result.version, TILE_TUNED_VERSION) != 0 || !(result.seconds > 0)) return false;
  addCopy(list, &result);
  return true;
}

static bool refuseHeading(const char *path, const char *found, TileError *error) {
  enum { MOST = 80 };
  int length = (int)strcspn(found, "\n");
  return tileErrorSet(error, "expected '%.*s' as the first line of '%s', found '%.*s'",
                      (int)sizeof heading - 2, heading, path, length < MOST ? length : MOST, found);
}

/// All lines of a file.
static bool readLines(FILE *file, const char *path, TileTunedList *list, TileError *error) {
  char *line = NULL;
  size_t capacity = 0;
  bool ok = true;
  int number = 0;
  errno = 0;
  while (ok && getline(&line, &capacity, file) >= 0) {
    if (++number == 1)
      ok = !strcmp(line, heading) || refuseHeading(path, line, error);
    else if (!parseLine(line, list))
      ok = tileErrorSet(error, "expected a tuning result in '%s', line %d, found another text",
                        path, number);
  }
  free(line);
  // What was read before is good, but not all.
  if (ok && !feof(file)) return tileFileFail("read", path, error);
  return ok && (number || refuseHeading(path, "", error));
}

bool tileTunedParse(FILE *file, const char *name, TileTunedList *list, TileError *error) {
  *list = (TileTunedList){0};
  bool ok = readLines(file, name, list, error);
  if (!ok) tileTunedListDestroy(list);
  return ok;
}

bool tileTunedRead(const char *path, TileTunedList *list, TileError *error) {
  uint64_t bytes = 0;
  *list = (TileTunedList){0};
  FILE *file = tileFileOpen(path, &bytes, error);
  bool ok = file && tileTunedParse(file, path, list, error);
  if (file) fclose(file);
  return ok;
}
