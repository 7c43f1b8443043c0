//===- Grow.c - lists that grow -------------------------------------------===//
#include "tile/Support/Grow.h"
#include <stdlib.h>

void *tileGrow(void *list, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return list;
  *capacity = *capacity ? 2 * *capacity : 16;
  list = realloc(list, *capacity * size);
  if (!list) abort();
  return list;
}
