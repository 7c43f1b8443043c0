//===- ArrayFill.c - constant and random contents -------------------------===//
//
// The random numbers are a function of (seed, index): Philox4x32-10 of Salmon, Moraes, Dror and
// Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. So any thread can make any part.
//===----------------------------------------------------------------------===//
#include "tile/Runtime/Array.h"
#include "tile/Runtime/Executor.h"
#include <string.h>

enum { PHILOX_ROUNDS = 10, PARALLEL_ELEMENTS = 1 << 20, LOOP_GRAIN = 1 << 16 };

typedef struct Philox {
  uint32_t word[4];
} Philox;

static inline Philox philox(uint64_t block, uint64_t seed) {
  uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32), c2 = 0, c3 = 0;
  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  for (int round = 0; round < PHILOX_ROUNDS; ++round) {
    uint64_t product0 = UINT64_C(0xD2511F53) * c0;
    uint64_t product1 = UINT64_C(0xCD9E8D57) * c2;
    c0 = (uint32_t)(product1 >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)product1;
    c2 = (uint32_t)(product0 >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)product0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return (Philox){{c0, c1, c2, c3}};
}

typedef struct Fill {
  unsigned char *data;
  TileElementType type;
  size_t size;
  uint64_t seed;
  /// For floats of 11 significand bits at most: the encoding of k * 2^(1-p) - 1 for each k. For a
  /// constant fill: the element.
  uint16_t table[1 << 11];
  unsigned char element[8];
} Fill;

static void fillConstant(void *context, int64_t begin, int64_t end) {
  const Fill *fill = context;
  unsigned char *first = fill->data + (size_t)begin * fill->size;
  size_t bytes = (size_t)(end - begin) * fill->size, done = fill->size;
  memcpy(first, fill->element, fill->size);
  for (; done < bytes; done *= 2)
    memcpy(first + done, first, done < bytes - done ? done : bytes - done);
}

/// Stores the element that a random word stands for; f64 has its own loop.
static inline void storeWord(const Fill *fill, int64_t index, uint32_t word) {
  unsigned char *at = fill->data + (size_t)index * fill->size;
  int64_t integer = (int64_t)(word >> 28) - 8;
  float number;
  switch (fill->type) {
  case TILE_ELEMENT_I1:
    *at = (unsigned char)(word >> 31);
    return;
  case TILE_ELEMENT_I8:
  case TILE_ELEMENT_I16:
  case TILE_ELEMENT_I32:
  case TILE_ELEMENT_I64:
    memcpy(at, &integer, fill->size);
    return;
  case TILE_ELEMENT_F32:
    number = (float)((int32_t)(word >> 8) - (1 << 23)) * 0x1p-23f;
    memcpy(at, &number, sizeof number);
    return;
  case TILE_ELEMENT_F16:
    memcpy(at, &fill->table[word >> 21], 2);
    return;
  case TILE_ELEMENT_BF16:
    memcpy(at, &fill->table[word >> 24], 2);
    return;
  case TILE_ELEMENT_F8E4M3FN:
    *at = (unsigned char)fill->table[word >> 28];
    return;
  case TILE_ELEMENT_F8E5M2:
    *at = (unsigned char)fill->table[word >> 29];
    return;
  case TILE_ELEMENT_F64:
    return;
  }
}

static void fillWords(void *context, int64_t begin, int64_t end) {
  const Fill *fill = context;
  for (int64_t block = begin / 4; block * 4 < end; ++block) {
    Philox random = philox((uint64_t)block, fill->seed);
    int64_t first = block * 4 > begin ? block * 4 : begin;
    int64_t last = block * 4 + 4 < end ? block * 4 + 4 : end;
    for (int64_t i = first; i < last; ++i) storeWord(fill, i, random.word[i & 3]);
  }
}

static void fillDoubles(void *context, int64_t begin, int64_t end) {
  const Fill *fill = context;
  for (int64_t i = begin; i < end; ++i) {
    Philox random = philox((uint64_t)i / 2, fill->seed);
    uint64_t high = random.word[2 * (i & 1)], low = random.word[2 * (i & 1) + 1];
    int64_t bits = (int64_t)((high << 32 | low) >> 11);
    double number = (double)(bits - (INT64_C(1) << 52)) * 0x1p-52;
    memcpy(fill->data + (size_t)i * 8, &number, sizeof number);
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

void tileArrayFill(TileArray *array, double value) {
  Fill fill = {0};
  tileElementFromDouble(array->type, value, fill.element);
  fillParallel(array, &fill, fillConstant);
}

void tileArrayFillRandom(TileArray *array, uint64_t seed) {
  Fill fill = {.seed = seed};
  unsigned precision = tileElementGetPrecision(array->type);
  if (!tileElementIsInteger(array->type) && precision <= 11) {
    double step = 2.0 / (double)(1u << precision);
    for (unsigned k = 0; k < 1u << precision; ++k)
      fill.table[k] = (uint16_t)tileElementEncodeSmallFloat(array->type, k * step - 1.0);
  }
  fillParallel(array, &fill, array->type == TILE_ELEMENT_F64 ? fillDoubles : fillWords);
}
