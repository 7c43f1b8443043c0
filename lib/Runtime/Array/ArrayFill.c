//===- ArrayFill.c - random contents --------------------------------------===//
//
// The random numbers are a function of (seed, index): Philox4x32-10 of Salmon, Moraes, Dror and
// Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. So any thread can make any part.
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Array.h"
#include "tile/Runtime/Executor.h"
#include <string.h>

enum {
  PHILOX_ROUNDS = 10,
  BATCH_BLOCKS = 16, ///< Blocks made at a time, side by side, so that the compiler uses vectors.
  BATCH_WORDS = 4 * BATCH_BLOCKS,
  PARALLEL_ELEMENTS = 1 << 20,
  LOOP_GRAIN = 1 << 16,
};

/// The words of BATCH_BLOCKS blocks from `block` on, in order.
static void philox(uint64_t block, uint64_t seed, uint32_t words[BATCH_WORDS]) {
  uint32_t c0[BATCH_BLOCKS], c1[BATCH_BLOCKS], c2[BATCH_BLOCKS], c3[BATCH_BLOCKS];
  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  for (unsigned i = 0; i < BATCH_BLOCKS; ++i) {
    c0[i] = (uint32_t)(block + i);
    c1[i] = (uint32_t)((block + i) >> 32);
    c2[i] = c3[i] = 0;
  }
  for (int round = 0; round < PHILOX_ROUNDS; ++round) {
    for (unsigned i = 0; i < BATCH_BLOCKS; ++i) {
      uint64_t product0 = (uint64_t)0xD2511F53 * c0[i];
      uint64_t product1 = (uint64_t)0xCD9E8D57 * c2[i];
      c0[i] = (uint32_t)(product1 >> 32) ^ c1[i] ^ k0;
      c1[i] = (uint32_t)product1;
      c2[i] = (uint32_t)(product0 >> 32) ^ c3[i] ^ k1;
      c3[i] = (uint32_t)product0;
    }
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  for (unsigned i = 0; i < BATCH_BLOCKS; ++i) {
    words[4 * i] = c0[i];
    words[4 * i + 1] = c1[i];
    words[4 * i + 2] = c2[i];
    words[4 * i + 3] = c3[i];
  }
}

typedef struct Fill {
  unsigned char *data;
  TileElementType type;
  size_t size;
  uint64_t seed;
  /// For floats of 11 significand bits at most: the encoding of k * 2^(1-p) - 1 for each k.
  uint16_t table[1 << 11];
} Fill;

/// Stores the elements that `count` random words stand for.
static void storeWords(const Fill *fill, unsigned char *to, const uint32_t *words, size_t count) {
  const uint16_t *table = fill->table;
  switch (fill->type) {
  case TILE_ELEMENT_I1:
    for (size_t i = 0; i < count; ++i) to[i] = (unsigned char)(words[i] >> 31);
    return;
  case TILE_ELEMENT_I8:
  case TILE_ELEMENT_I16:
  case TILE_ELEMENT_I32:
  case TILE_ELEMENT_I64:
    for (size_t i = 0; i < count; ++i) {
      int64_t integer = (int64_t)(words[i] >> 28) - 8;
      memcpy(to + i * fill->size, &integer, fill->size);
    }
    return;
  case TILE_ELEMENT_F32:
    for (size_t i = 0; i < count; ++i)
      ((float *)(void *)to)[i] = (float)((int32_t)(words[i] >> 8) - (1 << 23)) * 0x1p-23f;
    return;
  case TILE_ELEMENT_F16:
    for (size_t i = 0; i < count; ++i) ((uint16_t *)(void *)to)[i] = table[words[i] >> 21];
    return;
  case TILE_ELEMENT_BF16:
    for (size_t i = 0; i < count; ++i) ((uint16_t *)(void *)to)[i] = table[words[i] >> 24];
    return;
  case TILE_ELEMENT_F8E4M3FN:
    for (size_t i = 0; i < count; ++i) to[i] = (unsigned char)table[words[i] >> 28];
    return;
  case TILE_ELEMENT_F8E5M2:
    for (size_t i = 0; i < count; ++i) to[i] = (unsigned char)table[words[i] >> 29];
    return;
  case TILE_ELEMENT_F64:
    for (size_t i = 0; i < count; ++i) {
      uint64_t wide = (uint64_t)words[2 * i] << 32 | words[2 * i + 1];
      ((double *)(void *)to)[i] = (double)((int64_t)(wide >> 11) - (INT64_C(1) << 52)) * 0x1p-52;
    }
    return;
  }
}

static void fillRandom(void *context, int64_t begin, int64_t end) {
  const Fill *fill = context;
  int64_t perWord = fill->type == TILE_ELEMENT_F64 ? 2 : 1, batch = BATCH_WORDS / perWord;
  uint32_t words[BATCH_WORDS];
  while (begin < end) {
    // Batches start at multiples of their size, wherever the range was cut.
    int64_t inside = begin % batch, count = batch - inside;
    if (count > end - begin) count = end - begin;
    philox((uint64_t)(begin / batch) * BATCH_BLOCKS, fill->seed, words);
    storeWords(fill, fill->data + (size_t)begin * fill->size, words + inside * perWord,
               (size_t)count);
    begin += count;
  }
}

static void fillParallel(TileArray *array, Fill *fill, TileLoopBody body) {
  fill->data = array->host;
  fill->type = array->type;
  fill->size = tileElementGetSize(array->type);
  TileExecutor *executor = array->count > PARALLEL_ELEMENTS ? tileExecutorGetDefault(NULL) : NULL;
  tileExecutorLoop(executor, array->count, LOOP_GRAIN, body, fill);
  tileArrayMarkHostWritten(array);
}

void tileArrayFillRandom(TileArray *array, uint64_t seed) {
  Fill fill = {.seed = seed};
  unsigned precision = tileElementGetPrecision(array->type);
  if (!tileElementIsInteger(array->type) && precision <= 11) {
    double step = 2.0 / (double)(1u << precision);
    for (unsigned k = 0; k < 1u << precision; ++k)
      fill.table[k] = (uint16_t)tileElementEncodeSmallFloat(array->type, k * step - 1.0);
  }
  fillParallel(array, &fill, fillRandom);
}
