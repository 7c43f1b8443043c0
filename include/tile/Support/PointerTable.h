//===- PointerTable.h - what is known of an op, a value, an attribute --*- C -*-===//
//
//   typedef struct { int64_t uses; } Known;
//   TilePointerTable table = {0};
//   Known *known = tilePointerTableAdd(&table, value.ptr, sizeof *known);
//   ++known->uses;
//   for (known = tilePointerTableFirst(table); known; known = tilePointerTableNext(known)) ..
//   tilePointerTableClear(&table);
//
// A hash table from addresses that MLIR keeps unique (of an op, a value, a type, an attribute, an
// op's name) to entries, all of one size, that stay where they are until the table is cleared.
// Addresses are compared, and never followed: numbers cast to pointers will do. Entries come out in
// the order in which they went in, so that what is built from a walk over a table is the same in
// each run. Memory that runs out ends the process. Finding, adding and going on take the same time
// on average however many entries there are.
//===----------------------------------------------------------------------===//
#ifndef TILE_POINTER_TABLE_H
#define TILE_POINTER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Empty where zero. Owns its entries until tilePointerTableClear; a copy is the same table, and
/// only to be read.
typedef struct TilePointerTable {
  struct TilePointerEntry *first;
} TilePointerTable;

/// The entry of `key`; NULL where there is none.
void *tilePointerTableFind(TilePointerTable table, const void *key);
/// The entry of `key`: where there was none, a new one of `size` bytes, all 0, as aligned as
/// malloc's. Never NULL. One table is asked for one size only.
void *tilePointerTableAdd(TilePointerTable *table, const void *key, size_t size);
/// For a set, whose entries are empty: false where `key` is in it already.
bool tilePointerTableInsert(TilePointerTable *table, const void *key);

/// The oldest entry, and the one that came after `entry`; NULL: there is none.
void *tilePointerTableFirst(TilePointerTable table);
void *tilePointerTableNext(const void *entry);

/// Frees all entries; what they point at is the caller's. The table may be used again.
void tilePointerTableClear(TilePointerTable *table);

#ifdef __cplusplus
}
#endif
#endif
