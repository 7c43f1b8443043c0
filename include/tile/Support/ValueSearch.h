//===- ValueSearch.h - values to look at, each once --------------*- C -*-===//
//
//   TileValueSearch s = {0};
//   tileValueSearchAdd(&s, value);
//   while (s.count) look at s.stack[--s.count], and add what it leads to
//   tileValueSearchClear(&s);
//
//===----------------------------------------------------------------------===//
#ifndef TILE_SUPPORT_VALUE_SEARCH_H
#define TILE_SUPPORT_VALUE_SEARCH_H

#include "mlir-c/IR.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
#include <stdbool.h>
#include <stdlib.h>

/// Empty where zero. Owns both until tileValueSearchClear.
typedef struct TileValueSearch {
  TilePointerTable seen;
  MlirValue *stack;
  size_t count, capacity;
} TileValueSearch;

/// Puts `value` on the stack, unless it was there before.
static inline void tileValueSearchAdd(TileValueSearch *s, MlirValue value) {
  if (!tilePointerTableInsert(&s->seen, value.ptr)) return;
  s->stack = (MlirValue *)tileGrow(s->stack, s->count, &s->capacity, sizeof *s->stack);
  s->stack[s->count++] = value;
}

static inline void tileValueSearchAddOperands(TileValueSearch *s, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    tileValueSearchAdd(s, mlirOperationGetOperand(op, i));
}

static inline void tileValueSearchClear(TileValueSearch *s) {
  tilePointerTableClear(&s->seen);
  free(s->stack);
  s->stack = NULL;
  s->count = s->capacity = 0;
}

/// Does `look` find what it looks for at `value`, or at one of those that it adds to the search?
static inline bool tileValueSearchFinds(MlirValue value,
                                        bool (*look)(TileValueSearch *, MlirValue, const void *),
                                        const void *data) {
  TileValueSearch s = {0};
  bool found = false;
  tileValueSearchAdd(&s, value);
  while (s.count && !found) found = look(&s, s.stack[--s.count], data);
  tileValueSearchClear(&s);
  return found;
}

#endif // TILE_SUPPORT_VALUE_SEARCH_H
