//===- Random.h - numbers for the PTX emulator's tests --------------------===//
#ifndef TILE_TEST_PTX_RANDOM_H
#define TILE_TEST_PTX_RANDOM_H

#include "../../../Support/SplitMix64.h"

static uint64_t randomState = 1;

static inline uint64_t nextRandom(void) { return splitMix64(&randomState); }

static inline uint32_t randomBelow(uint32_t limit) { return (uint32_t)(nextRandom() % limit); }

#endif // TILE_TEST_PTX_RANDOM_H
