//===- CpuSort.c - what compiled CPU kernels call to sort -----------------===//
#include "tile/Runtime/CpuSort.h"
#include <stdlib.h>
#include <string.h>

/// A key as an unsigned number of the sort's order, and where it was.
typedef struct Pair {
  uint64_t key, place;
} Pair;

static int compare(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static uint64_t toNumber(uint64_t bits, int64_t bytes, int64_t kind, int64_t infinity) {
  uint64_t sign = UINT64_C(1) << (8 * bytes - 1), all = sign | (sign - 1);
  if (kind == TILE_SORT_UNSIGNED) return bits;
  if (kind == TILE_SORT_SIGNED) return bits ^ sign;
  if ((bits & (sign - 1)) > (uint64_t)infinity) return all;
  return bits & sign ? ~bits & all : bits | sign;
}

void tileCpuSortOrder(const void *keys, int64_t bytes, int64_t kind, int64_t infinity,
                      int64_t descending, int64_t count, int64_t stride, uint64_t *order) {
  Pair *pairs = (Pair *)order;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0; // little-endian, as the arrays are
    memcpy(&bits, (const char *)keys + i * stride * bytes, (size_t)bytes);
    uint64_t number = toNumber(bits, bytes, kind, infinity);
    pairs[i] = (Pair){descending ? ~number : number, (uint64_t)i};
  }
  qsort(pairs, (size_t)count, sizeof *pairs, compare);
}

void tileCpuSortMove(const void *from, void *to, int64_t bytes, int64_t count, int64_t stride,
                     const uint64_t *order) {
  const Pair *pairs = (const Pair *)order;
  for (int64_t i = 0; i < count; ++i)
    memcpy((char *)to + i * stride * bytes,
           (const char *)from + (int64_t)pairs[i].place * stride * bytes, (size_t)bytes);
}
