// RUN: %unit/PtxTensorMapTest
//===- PtxTensorMapTest.c - boxes of tensor maps, element by element ------===//
//
// Each element of a box is found in the array and in shared memory by plain arithmetic: the swizzle
// as the PTX ISA's tables show it, chunks of 16 bytes in rows of 128 that change places.
//===----------------------------------------------------------------------===//
#include "../../../Support/Ptx/Numbers.h"
#include "../../../Support/Ptx/TensorMap.h"
#include "Random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANK = PTX_MAP_RANK, SHARED = 1 << 17, U16 = 1, S32 = 3, F16 = 6, F32 = 7, F64 = 8 };

typedef struct Box {
  int type, swizzle, fill;
  unsigned rank;
  uint32_t size;                       ///< of an element, bytes
  uint64_t shape[RANK], strides[RANK]; ///< strides[0] is of dimension 0, which is not told
  uint32_t box[RANK];
  int32_t coords[RANK];
  uint32_t address;
  uint64_t base, bytes; ///< of the array
} Box;

static uint8_t shared[SHARED], before[SHARED], written[SHARED];
static _Alignas(64) uint8_t map[PTX_MAP_BYTES];

static Box chooseBox(void) {
  static const struct {
    int type;
    uint32_t size;
  } types[] = {{0, 1}, {U16, 2}, {S32, 4}, {5, 8}, {F16, 2}, {F32, 4}, {F64, 8}, {9, 2}};
  const uint32_t which = randomBelow(8);
  Box b = {.type = types[which].type,
           .size = types[which].size,
           .rank = 1 + randomBelow(RANK),
           .swizzle = (int)randomBelow(4)};
  b.fill = b.type >= F16 && randomBelow(2);
  const uint32_t most = b.swizzle ? 16u << b.swizzle : 128;
  b.box[0] = (1 + randomBelow(most / 16)) * 16 / b.size;
  uint64_t stride = b.size;
  for (unsigned i = 0; i < b.rank; ++i) {
    if (i) b.box[i] = 1 + randomBelow(b.rank > 3 ? 4 : 12);
    b.shape[i] = 1 + randomBelow(2 * b.box[i] + 3);
    b.strides[i] = stride;
    stride = (stride * b.shape[i] + 15) / 16 * 16 + 16 * randomBelow(3);
    // From before the array to behind it.
    b.coords[i] = (int32_t)randomBelow((uint32_t)b.shape[i] + 2 * b.box[i]) - (int32_t)b.box[i];
  }
  b.bytes = stride;
  b.address = 128 * randomBelow(16);
  return b;
}

static int encode(const Box *b) {
  const uint32_t steps[RANK] = {1, 1, 1, 1, 1};
  return ptxMapEncode(map, b->type, b->rank, (void *)(uintptr_t)b->base, b->shape, b->strides + 1,
                      b->box, steps, 0, b->swizzle, 2, b->fill);
}

/// Element number `index` of a box: its place in shared memory; NULL outside of the array, or its
/// place there.
static uint32_t findElement(const Box *b, uint64_t index, uint8_t **global) {
  uint64_t rest = index, offset = 0;
  bool isInside = true;
  for (unsigned i = 0; i < b->rank; ++i) {
    const int64_t at = b->coords[i] + (int64_t)(rest % b->box[i]);
    rest /= b->box[i];
    isInside = isInside && at >= 0 && at < (int64_t)b->shape[i];
    offset += (uint64_t)at * b->strides[i];
  }
  *global = isInside ? (uint8_t *)(uintptr_t)(b->base + offset) : NULL;
  // Rows of 128 bytes of 8 chunks. Of 128 bytes all 8 rows differ; of 64 and 32, pairs and fours of
  // neighbours alike, as the pattern's row is that much shorter.
  const uint32_t plain = b->address + (uint32_t)(index * b->size);
  const uint32_t row = plain / 128, chunk = plain / 16 % 8, patterns[] = {1, 2, 4, 8};
  return row * 128 + (chunk ^ row % patterns[b->swizzle]) * 16 + plain % 16;
}

static uint64_t countElements(const Box *b) {
  uint64_t count = 1;
  for (unsigned i = 0; i < b->rank; ++i) count *= b->box[i];
  return count;
}

static void scatter(uint8_t *bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) bytes[i] = (uint8_t)nextRandom();
}

static uint64_t getFill(const Box *b) {
  return !b->fill       ? 0
         : b->type == 9 ? 0x7fff
                        : ptxEncode(b->type == F16   ? PTX_F16
                                    : b->type == F32 ? PTX_F32
                                                     : PTX_F64,
                                    __builtin_nan(""), PTX_RN, false);
}

static void boxesLoad(void **state) {
  (void)state;
  for (int round = 0; round < 4000; ++round) {
    Box b = chooseBox();
    b.base = ptxMemoryAllocate(b.bytes);
    scatter((uint8_t *)(uintptr_t)b.base, b.bytes);
    assert_int_equal(encode(&b), 0);
    const PtxShared window = {.bytes = shared, .size = sizeof shared, .written = written};
    PtxFault fault = {0};
    uint32_t bytes;
    memset(shared, 0x5a, sizeof shared);
    memset(written, 0, sizeof written);
    assert_true(ptxMapCheck(map, (int)b.rank, &bytes, &fault));
    assert_int_equal(bytes, countElements(&b) * b.size);
    if (!ptxBoxLoad(map, (int)b.rank, b.coords, &window, b.address, &fault))
      fail_msg("%s", fault.text);
    memset(before, 0, sizeof before);
    for (uint64_t i = 0; i < countElements(&b); ++i) {
      uint8_t *global;
      uint64_t outside = getFill(&b);
      const uint32_t at = findElement(&b, i, &global);
      assert_memory_equal(shared + at, global ? (void *)global : &outside, b.size);
      memset(before + at, 1, b.size);
    }
    // Nothing else was written, and what was is marked.
    assert_memory_equal(before, written, sizeof written);
    for (uint32_t i = 0; i < SHARED; ++i)
      if (!before[i]) assert_int_equal(shared[i], 0x5a);
    assert_true(ptxMemoryFree(b.base));
  }
}

static void boxesStore(void **state) {
  (void)state;
  for (int round = 0; round < 4000; ++round) {
    Box b = chooseBox();
    b.fill = 0;
    b.base = ptxMemoryAllocate(b.bytes);
    uint8_t *array = (uint8_t *)(uintptr_t)b.base, *wanted = malloc(b.bytes);
    assert_non_null(wanted);
    scatter(array, b.bytes);
    memcpy(wanted, array, b.bytes);
    scatter(shared, sizeof shared);
    assert_int_equal(encode(&b), 0);
    for (uint64_t i = 0; i < countElements(&b); ++i) {
      uint8_t *global;
      const uint32_t at = findElement(&b, i, &global);
      if (global) memcpy(wanted + (global - array), shared + at, b.size);
    }
    const PtxShared window = {.bytes = shared, .size = sizeof shared};
    PtxFault fault = {0};
    if (!ptxBoxStore(map, (int)b.rank, b.coords, &window, b.address, &fault))
      fail_msg("%s", fault.text);
    assert_memory_equal(array, wanted, b.bytes);
    free(wanted);
    assert_true(ptxMemoryFree(b.base));
  }
}

/// 16 elements, the first 12 of which the array has.
static void boxesReduce(void **state) {
  (void)state;
  const PtxShared window = {.bytes = shared, .size = sizeof shared};
  PtxFault fault = {0};
  Box b = {.type = S32, .size = 4, .rank = 1, .shape = {12}, .box = {16}, .address = 256};
  b.base = ptxMemoryAllocate(64);
  int32_t *array = (int32_t *)(uintptr_t)b.base, old[16], values[16];
  assert_int_equal(encode(&b), 0);
  for (int operation = PTX_REDUCE_ADD; operation <= PTX_REDUCE_XOR; ++operation) {
    for (int i = 0; i < 16; ++i)
      array[i] = old[i] = (int32_t)nextRandom(), values[i] = (int32_t)nextRandom();
    memcpy(shared + 256, values, sizeof values);
    assert_true(ptxBoxReduce(map, 1, (PtxReduction)operation, b.coords, &window, 256, &fault));
    for (int i = 0; i < 16; ++i) {
      const uint32_t x = (uint32_t)old[i], y = (uint32_t)values[i];
      const uint32_t wanted[] = {x + y,
                                 (uint32_t)(old[i] < values[i] ? old[i] : values[i]),
                                 (uint32_t)(old[i] > values[i] ? old[i] : values[i]),
                                 x >= y ? 0 : x + 1,
                                 x == 0 || x > y ? y : x - 1,
                                 x & y,
                                 x | y,
                                 x ^ y};
      assert_int_equal(array[i], i < 12 ? (int32_t)wanted[operation] : old[i]);
    }
  }
  b.type = F32;
  assert_int_equal(encode(&b), 0);
  float *reals = (float *)(uintptr_t)b.base, addends[16], was[16];
  for (int i = 0; i < 16; ++i) reals[i] = was[i] = 0.1f * (float)i, addends[i] = 1.7f;
  memcpy(shared + 256, addends, sizeof addends);
  assert_true(ptxBoxReduce(map, 1, PTX_REDUCE_ADD, b.coords, &window, 256, &fault));
  for (int i = 0; i < 12; ++i) assert_true(reals[i] == was[i] + addends[i]);
  assert_false(ptxBoxReduce(map, 1, PTX_REDUCE_XOR, b.coords, &window, 256, &fault));
  assert_true(ptxMemoryFree(b.base));
}

static void mapsAreChecked(void **state) {
  (void)state;
  const Box good = {.type = F16,
                    .size = 2,
                    .rank = 2,
                    .shape = {100, 50},
                    .strides = {2, 208},
                    .box = {64, 8},
                    .swizzle = 3,
                    .base = 4096};
  assert_int_equal(encode(&good), 0);
  Box b = good;
  b.strides[1] = 200; // no multiple of 16
  assert_int_equal(encode(&b), 1);
  b = good, b.base += 8;
  assert_int_equal(encode(&b), 1);
  b = good, b.box[0] = 72; // 144 bytes beyond the swizzle's 128
  assert_int_equal(encode(&b), 1);
  b = good, b.box[1] = 257;
  assert_int_equal(encode(&b), 1);
  b = good, b.rank = 6;
  assert_int_equal(encode(&b), 1);
  b = good, b.shape[1] = 0;
  assert_int_equal(encode(&b), 1);
  b = good, b.type = U16, b.fill = 1; // integers have no NaN
  assert_int_equal(encode(&b), 1);
}

static void badBoxesAreFaults(void **state) {
  (void)state;
  Box b = {.type = F16, .size = 2, .rank = 2, .strides = {2, 128}, .box = {64, 8}, .swizzle = 3};
  b.shape[0] = 64, b.shape[1] = 8;
  b.base = ptxMemoryAllocate(7 * 128); // a row short
  assert_int_equal(encode(&b), 0);
  PtxShared window = {.bytes = shared, .size = 4096};
  PtxFault unallocated = {0}, misaligned = {0}, outside = {0}, unwritten = {0}, rank = {0},
           bytes = {0};
  assert_false(ptxBoxLoad(map, 2, b.coords, &window, 0, &unallocated));
  assert_int_equal(unallocated.code, 700);
  assert_false(ptxBoxLoad(map, 2, b.coords, &window, 64, &misaligned));
  assert_int_equal(misaligned.code, 716);
  assert_false(ptxBoxLoad(map, 2, b.coords, &window, 4096 - 512, &outside));
  assert_int_equal(outside.code, 700);
  memset(written, 0, sizeof written);
  window.written = written;
  assert_false(ptxBoxStore(map, 2, b.coords, &window, 0, &unwritten));
  assert_int_equal(unwritten.code, 719);
  assert_false(ptxBoxLoad(map, 3, b.coords, &window, 0, &rank));
  map[0] ^= 1;
  assert_false(ptxBoxLoad(map, 2, b.coords, &window, 0, &bytes));
  assert_true(ptxMemoryFree(b.base));
}

static void memoryIsListed(void **state) {
  (void)state;
  uint64_t blocks[100];
  for (int i = 0; i < 100; ++i) blocks[i] = ptxMemoryAllocate(1 + randomBelow(5000));
  size_t used = ptxMemoryGetUsed();
  for (int i = 0; i < 100; i += 2) {
    PtxSpan span = ptxMemoryFind(blocks[i]);
    assert_int_equal(span.first, blocks[i]);
    assert_int_equal(blocks[i] % 256, 0);
    assert_true(ptxMemoryHas(span.last - 1, 1) && !ptxMemoryHas(span.last - 1, 2));
    assert_true(!ptxMemoryHas(span.first - 1, 1) && !ptxMemoryHas(span.first, UINT64_MAX));
    assert_false(ptxMemoryFree(blocks[i] + 256));
    assert_true(ptxMemoryFree(blocks[i]));
    assert_false(ptxMemoryHas(blocks[i], 1));
    used -= span.last - span.first;
  }
  assert_int_equal(ptxMemoryGetUsed(), used);
  for (int i = 1; i < 100; i += 2) assert_true(ptxMemoryFree(blocks[i]));
  assert_int_equal(ptxMemoryGetUsed(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxesLoad),         cmocka_unit_test(boxesStore),
      cmocka_unit_test(boxesReduce),       cmocka_unit_test(mapsAreChecked),
      cmocka_unit_test(badBoxesAreFaults), cmocka_unit_test(memoryIsListed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
