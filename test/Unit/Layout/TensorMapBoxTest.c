// RUN: %unit/TensorMapBoxTest
//===- TensorMapBoxTest.c - boxes of the copy engine and buffers agree ----===//
//
// The copy engine is simulated as the PTX ISA states it: a box is written row by row from its
// offset on, and address bits 4 and up are xored with bits 7 and up, as many as the swizzle has.
// Every element must come to lie where tileLayoutShared says, whatever the extents.
//
//===----------------------------------------------------------------------===//
#include "tile/Layout.h"
#include "tile/TensorMap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static int64_t swizzled(int64_t address, int swizzle) {
  int64_t mask = swizzle == 128 ? 7 : swizzle == 64 ? 3 : swizzle == 32 ? 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

/// Marks what copy `i` writes, and checks where.
static void checkCopy(const TileMapBox *box, int64_t i, TileLayout layout, unsigned char *seen) {
  int64_t position[TILE_MAP_MAX_RANK];
  int64_t offset = tileTensorMapCopy(box, i, position), elements = box->bytes / box->elementBytes;
  assert_int_equal(offset, i * box->bytes);
  for (int64_t e = 0; e < elements; ++e) {
    int64_t rest = e, packed = 0, scale = 1;
    for (int d = box->rank; d-- > 0;) {
      int64_t coordinate = position[d] + rest % box->box[d];
      assert_true(coordinate < box->shape[d]);
      packed += coordinate * scale;
      scale *= box->shape[d];
      rest /= box->box[d];
    }
    int64_t at = swizzled(offset + e * box->elementBytes, box->swizzle) / box->elementBytes;
    assert_int_equal(tileLayoutApplyOffset(layout, (uint32_t)at), packed);
    assert_int_equal(seen[packed], 0);
    seen[packed] = 1;
  }
}

static void checkShape(int rank, const int64_t *shape, int bytes) {
  int64_t elements = 1;
  for (int d = 0; d < rank; ++d) elements *= shape[d];
  TileMapBox box;
  if (!tileTensorMapBox(rank, shape, bytes, &box)) {
    assert_true(shape[rank - 1] * bytes < 16);
    return;
  }
  assert_int_equal(box.copies * box.bytes, elements * bytes);
  for (int d = 0; d < rank; ++d) assert_in_range(box.box[d], 1, 256);
  int64_t row = box.box[rank - 1] * bytes;
  assert_int_equal(row % 16, 0);
  if (box.swizzle) assert_int_equal(row, box.swizzle);
  TileLayout layout = tileLayoutShared(rank, shape, bytes, NULL, box.swizzle);
  assert_true(tileLayoutIsValid(layout));
  unsigned char *seen = calloc((size_t)elements, 1);
  assert_non_null(seen);
  for (int64_t i = 0; i < box.copies; ++i) checkCopy(&box, i, layout, seen);
  free(seen);
}

static void boxesFillTheirBuffer(void **state) {
  (void)state;
  for (int bytes = 1; bytes <= 8; bytes *= 2) {
    for (int64_t n = 1; n <= 1024; n *= 2) {
      checkShape(1, &n, bytes);
      for (int64_t m = 1; m <= 512; m *= 8) checkShape(2, (const int64_t[]){m, n}, bytes);
    }
    for (int64_t m = 1; m <= 16; m *= 4)
      for (int64_t n = 4; n <= 256; n *= 8) {
        checkShape(3, (const int64_t[]){2, m, n}, bytes);
        checkShape(4, (const int64_t[]){m, 2, 4, n}, bytes);
        checkShape(5, (const int64_t[]){2, m, 1, 2, n}, bytes);
      }
    checkShape(3, (const int64_t[]){4, 512, 32}, bytes);
  }
}

/// Worked out by hand from the rule of the header.
static void someBoxes(void **state) {
  (void)state;
  static const struct {
    int rank, bytes;
    int64_t shape[3], box[3];
    int swizzle;
    int64_t copies;
  } cases[] = {
      {2, 2, {128, 64}, {128, 64}, 128, 1},     {2, 2, {64, 256}, {64, 64}, 128, 4},
      {2, 2, {512, 64}, {256, 64}, 128, 2},     {2, 4, {64, 64}, {64, 32}, 128, 2},
      {2, 2, {64, 32}, {64, 32}, 64, 1},        {2, 1, {64, 32}, {64, 32}, 32, 1},
      {2, 2, {64, 8}, {64, 8}, 0, 1},           {2, 2, {4, 128}, {4, 128}, 0, 1},
      {2, 2, {4, 512}, {1, 256}, 0, 8},         {1, 4, {1024}, {256}, 0, 4},
      {3, 2, {2, 64, 64}, {2, 64, 64}, 128, 1}, {3, 2, {2, 512, 64}, {1, 256, 64}, 128, 4},
      {2, 2, {240, 64}, {240, 64}, 128, 1},     {2, 2, {72, 128}, {72, 64}, 128, 2},
      {2, 2, {64, 192}, {64, 64}, 128, 3},      {2, 2, {72, 32}, {72, 32}, 64, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    TileMapBox box;
    assert_true(tileTensorMapBox(cases[i].rank, cases[i].shape, cases[i].bytes, &box));
    for (int d = 0; d < cases[i].rank; ++d) assert_int_equal(box.box[d], cases[i].box[d]);
    assert_int_equal(box.swizzle, cases[i].swizzle);
    assert_int_equal(box.copies, cases[i].copies);
  }
}

static void whatNoCopyCanMove(void **state) {
  (void)state;
  TileMapBox box;
  assert_false(tileTensorMapBox(1, (const int64_t[]){4}, 2, &box));
  assert_false(tileTensorMapBox(2, (const int64_t[]){64, 96}, 2, &box));
  assert_false(tileTensorMapBox(2, (const int64_t[]){300, 64}, 2, &box));
  assert_false(tileTensorMapBox(2, (const int64_t[]){60, 64}, 2, &box));
  assert_false(tileTensorMapBox(2, (const int64_t[]){4, 12}, 2, &box));
  assert_false(tileTensorMapBox(2, (const int64_t[]){64, 64}, 3, &box));
  assert_false(tileTensorMapBox(6, (const int64_t[]){1, 1, 1, 1, 1, 64}, 2, &box));
  assert_false(tileTensorMapBox(0, NULL, 2, &box));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxesFillTheirBuffer),
      cmocka_unit_test(someBoxes),
      cmocka_unit_test(whatNoCopyCanMove),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
