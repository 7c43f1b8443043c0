//===- CpuSort.h - what compiled CPU kernels call to sort -------*- C -*-===//
//
// One line of a tile at a time: the order of its keys, and then each operand in that order.
//
//   integers  as signed numbers; i1 as 0 and 1
//   floats    -inf .. -0, +0 .. inf, and all NaNs, equal, after them
//
// Equal keys keep their order, in a descending sort too.
//===----------------------------------------------------------------------===//
#ifndef TILE_CPU_SORT_H
#define TILE_CPU_SORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_CPU_SORT_ORDER "tileCpuSortOrder"
#define TILE_CPU_SORT_MOVE "tileCpuSortMove"

/// How the bits of a key are read.
typedef enum TileSortKey {
  TILE_SORT_UNSIGNED,
  TILE_SORT_SIGNED,
  TILE_SORT_FLOAT,
} TileSortKey;

/// The order of `count` keys of `bytes` bytes, `stride` elements apart. Floats: a number whose
/// magnitude is above `infinity` is a NaN. `order` gets the places, in the upper 64 bits of each
/// 128; it has room for 2 * count words.
void tileCpuSortOrder(const void *keys, int64_t bytes, int64_t kind, int64_t infinity,
                      int64_t descending, int64_t count, int64_t stride, uint64_t *order);

/// to[i] = from[order of i].
void tileCpuSortMove(const void *from, void *to, int64_t bytes, int64_t count, int64_t stride,
                     const uint64_t *order);

#ifdef __cplusplus
}
#endif
#endif
