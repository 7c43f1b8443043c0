//===- Assembled.c - PTX that was assembled before ------------------------===//
#include "tile/Session/Assembled.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 128 };

typedef enum State { STATE_EMPTY, STATE_UNDER_WAY, STATE_THERE } State;

typedef struct Entry {
  State state;
  TileCacheKey key;
  TileAssembledCode made;
} Entry;

struct TileAssembled {
  pthread_mutex_t mutex; ///< of what follows
  pthread_cond_t changed;
  unsigned next; ///< The entry that is there for longest.
  Entry entries[ENTRIES];
};

TileAssembled *tileAssembledCreate(void) {
  TileAssembled *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  pthread_mutex_init(&made->mutex, NULL);
  pthread_cond_init(&made->changed, NULL);
  return made;
}

void tileAssembledDestroy(TileAssembled *assembled) {
  if (!assembled) return;
  for (unsigned i = 0; i < ENTRIES; ++i) tileBlobDestroy(&assembled->entries[i].made.code);
  pthread_cond_destroy(&assembled->changed);
  pthread_mutex_destroy(&assembled->mutex);
  free(assembled);
}

static bool copyCode(const TileAssembledCode *from, TileAssembledCode *to) {
  char *data = malloc(from->code.size + 1); // PTX ends with a NUL
  if (!data) return false;
  memcpy(data, from->code.data, from->code.size);
  data[from->code.size] = 0;
  *to = (TileAssembledCode){{data, from->code.size}, from->use};
  return true;
}

static Entry *findEntry(TileAssembled *assembled, TileCacheKey key) {
  for (unsigned i = 0; i < ENTRIES; ++i) {
    Entry *each = &assembled->entries[i];
    if (each->state != STATE_EMPTY && !memcmp(&each->key, &key, sizeof key)) return each;
  }
  return NULL;
}

/// The key's, which somebody begins to make; nowhere, where all are under way.
static void begin(TileAssembled *assembled, TileCacheKey key) {
  for (unsigned i = 0; i < ENTRIES; ++i) {
    Entry *each = &assembled->entries[assembled->next];
    assembled->next = (assembled->next + 1) % ENTRIES;
    if (each->state == STATE_UNDER_WAY) continue;
    tileBlobDestroy(&each->made.code);
    *each = (Entry){.state = STATE_UNDER_WAY, .key = key};
    return;
  }
}

bool tileAssembledFind(TileAssembled *assembled, TileCacheKey key, TileAssembledCode *made) {
  if (!assembled) return false;
  pthread_mutex_lock(&assembled->mutex);
  Entry *entry;
  while ((entry = findEntry(assembled, key)) && entry->state == STATE_UNDER_WAY)
    pthread_cond_wait(&assembled->changed, &assembled->mutex);
  bool found = entry && copyCode(&entry->made, made);
  if (!entry) begin(assembled, key);
  pthread_mutex_unlock(&assembled->mutex);
  return found;
}

void tileAssembledKeep(TileAssembled *assembled, TileCacheKey key, const TileAssembledCode *made) {
  if (!assembled) return;
  pthread_mutex_lock(&assembled->mutex);
  Entry *entry = findEntry(assembled, key);
  if (entry && entry->state == STATE_UNDER_WAY)
    entry->state = made && copyCode(made, &entry->made) ? STATE_THERE : STATE_EMPTY;
  pthread_cond_broadcast(&assembled->changed);
  pthread_mutex_unlock(&assembled->mutex);
}
