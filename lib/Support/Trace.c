//===- Trace.c - what passes decide, for those who ask --------------------===//
#include "tile/Trace.h"
#include "tile/Passes.h"
#include "tile/Tile.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local const char *running;

static const char *wanted;
static void readWanted(void) {
  const char *text = getenv("TILE_TRACE");
  wanted = text ? text : "";
}

static const char *getWanted(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, readWanted);
  return wanted;
}

/// "tile-pipeline" is "pipeline" for short.
static bool names(const char *item, size_t length, const char *pass) {
  if (strlen(pass) == length && !memcmp(pass, item, length)) return true;
  return !strncmp(pass, "tile-", 5) && strlen(pass + 5) == length &&
         !memcmp(pass + 5, item, length);
}

static bool isAll(const char *item, size_t length) {
  return length == 3 && !memcmp(item, "all", 3);
}

/// The next item of a list with commas; `*length` 0 at the end.
static const char *nextItem(const char *at, size_t *length) {
  at += strspn(at, ",");
  *length = strcspn(at, ",");
  return at;
}

bool tileTraceIsAnyOn(void) { return *getWanted() != 0; }

bool tileTraceIsOn(void) { return running && tilePassListHas(getWanted(), running); }

bool tilePassListHas(const char *list, const char *pass) {
  size_t length;
  for (const char *at = nextItem(list, &length); length; at = nextItem(at + length, &length))
    if (isAll(at, length) || names(at, length, pass)) return true;
  return false;
}

/// The passes, and their names without "tile-".
static void offerPasses(const char *const *passes, size_t count, TileSuggestion *s) {
  for (size_t i = 0; i < count; ++i) {
    const char *plain = strncmp(passes[i], "tile-", 5) ? passes[i] : passes[i] + 5;
    tileSuggestionOffer(s, plain, strlen(plain));
    tileSuggestionOffer(s, passes[i], strlen(passes[i]));
  }
}

char *tilePassListFindUnknown(const char *list, TileSuggestionText *meant) {
  static const char *const passes[] = {TILE_PASS_NAMES};
  size_t length;
  const char *at = nextItem(list ? list : getWanted(), &length);
  if (list && !length) {
    *meant = (TileSuggestionText){0};
    return strdup(list);
  }
  for (; length; at = nextItem(at + length, &length)) {
    bool known = isAll(at, length);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; ++i)
      known |= names(at, length, passes[i]);
    if (known) continue;
    TileSuggestion suggestion = tileSuggestionFor(at, length);
    offerPasses(passes, sizeof passes / sizeof *passes, &suggestion);
    *meant = tileSuggestionSay(&suggestion);
    return strndup(at, length);
  }
  return NULL;
}

const char *tileTraceGetPass(void) { return running; }

const char *tileTraceSetPass(const char *name) {
  const char *outer = running;
  running = name;
  return outer;
}

void tileTrace(MlirLocation location, const char *format, ...) {
  if (!tileTraceIsOn()) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  tileEmitRemark(location, "%s", text);
}
