//===- Random.h - numbers for tests, the same in each run -----------------===//
#ifndef TILE_TEST_RANDOM_H
#define TILE_TEST_RANDOM_H

#include <stdint.h>

/// Marsaglia's xorshift ("Xorshift RNGs", Journal of Statistical Software, 2003), 13, 7, 17.
static inline uint64_t nextRandom(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

#endif
