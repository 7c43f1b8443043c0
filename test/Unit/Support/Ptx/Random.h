//===- Random.h - numbers for the PTX emulator's tests --------------------===//
#ifndef TILE_TEST_PTX_RANDOM_H
#define TILE_TEST_PTX_RANDOM_H

#include <stdint.h>

static uint64_t randomState = 1;

/// The next of splitmix64 (Steele, Lea and Flood, 2014).
static inline uint64_t nextRandom(void) {
  uint64_t z = randomState += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static inline uint32_t randomBelow(uint32_t limit) { return (uint32_t)(nextRandom() % limit); }

#endif // TILE_TEST_PTX_RANDOM_H
