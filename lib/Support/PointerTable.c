//===- PointerTable.c - uthash with keys that are addresses ---------------===//
#include "tile/Support/PointerTable.h"
#include <stdlib.h>
#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct TilePointerEntry {
  const void *key;
  UT_hash_handle hh;
  _Alignas(max_align_t) char bytes[];
} Entry;

static const Entry *entryOf(const void *bytes) {
  return (const Entry *)((const char *)bytes - offsetof(Entry, bytes));
}

static Entry *find(const Entry *first, const void *key) {
  Entry *entry;
  HASH_FIND_PTR(first, &key, entry);
  return entry;
}

void *tilePointerTableFind(TilePointerTable table, const void *key) {
  Entry *entry = find(table.first, key);
  return entry ? entry->bytes : NULL;
}

static Entry *add(TilePointerTable *table, const void *key, size_t size) {
  Entry *entry = calloc(1, sizeof *entry + size);
  if (!entry) abort();
  entry->key = key;
  HASH_ADD_PTR(table->first, key, entry);
  return entry;
}

void *tilePointerTableAdd(TilePointerTable *table, const void *key, size_t size) {
  Entry *entry = find(table->first, key);
  if (!entry) entry = add(table, key, size);
  return entry->bytes;
}

bool tilePointerTableInsert(TilePointerTable *table, const void *key) {
  if (find(table->first, key)) return false;
  add(table, key, 0);
  return true;
}

void *tilePointerTableFirst(TilePointerTable table) {
  return table.first ? table.first->bytes : NULL;
}

void *tilePointerTableNext(const void *entry) {
  Entry *next = entryOf(entry)->hh.next;
  return next ? next->bytes : NULL;
}

void tilePointerTableClear(TilePointerTable *table) {
  Entry *entry = table->first;
  HASH_CLEAR(hh, table->first); // the buckets; entries keep their links
  while (entry) {
    Entry *next = entry->hh.next;
    free(entry);
    entry = next;
  }
}
