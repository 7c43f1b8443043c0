//===- Bits.h - powers of two -----------------------------------*- C -*-===//
#ifndef TILE_SUPPORT_BITS_H
#define TILE_SUPPORT_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline bool tileIsPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// The exponent of `value`, a power of two; of another number that of the largest that divides it.
static inline int tileLog2(int64_t value) { return __builtin_ctzll((unsigned long long)value); }

#endif
