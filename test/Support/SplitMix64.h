//===- SplitMix64.h - random numbers that a seed decides ------------------===//
#ifndef TILE_TEST_SPLITMIX64_H
#define TILE_TEST_SPLITMIX64_H

#include <stdint.h>

/// The next 64 random bits of `state`, which any number begins (G. L. Steele, D. Lea and C. H.
/// Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
static inline uint64_t splitMix64(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

#endif // TILE_TEST_SPLITMIX64_H
