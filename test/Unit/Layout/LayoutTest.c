// RUN: %unit/LayoutTest
//===- LayoutTest.c - the algebra of linear layouts -----------------------===//
//
// Each operation against what its words say, evaluated at every position.
//
//===----------------------------------------------------------------------===//
#include "tile/Layout.h"
#include "Apply.h"
#include "Random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/// Any bases at all; shape 8 x 16 and the given input bits.
static TileLayout randomLayout(int registerBits, int laneBits, int warpBits) {
  TileLayout layout = tileLayoutEmpty(2);
  layout.outBits[0] = 3;
  layout.outBits[1] = 4;
  layout.inBits[TILE_REGISTER] = registerBits;
  layout.inBits[TILE_LANE] = laneBits;
  layout.inBits[TILE_WARP] = warpBits;
  for (int dim = TILE_REGISTER; dim <= TILE_WARP; ++dim)
    for (int bit = 0; bit < layout.inBits[dim]; ++bit) layout.bases[dim][bit] = nextRandom() % 128;
  return layout;
}

static void evaluatesAsTheXorOfBases(void **state) {
  (void)state;
  TileLayout layout = tileLayoutMma(2, (const int64_t[]){16, 16}, (const int[]){1, 1});
  uint64_t at = applyLayout(layout, 3, 5, 0);
  assert_int_equal(tileLayoutCoordinate(layout, at, 0), 9);
  assert_int_equal(tileLayoutCoordinate(layout, at, 1), 3);
  assert_int_equal(tileLayoutPack(layout, (const int64_t[]){9, 3}), at);
  assert_int_equal(at, 9 * 16 + 3);
  for (int round = 0; round < 200; ++round) {
    TileLayout any = randomLayout(3, 5, 2);
    uint32_t r1 = nextRandom() % 8, r2 = nextRandom() % 8, l1 = nextRandom() % 32,
             l2 = nextRandom() % 32, w1 = nextRandom() % 4, w2 = nextRandom() % 4;
    assert_int_equal(applyLayout(any, r1 ^ r2, l1 ^ l2, w1 ^ w2),
                     applyLayout(any, r1, l1, w1) ^ applyLayout(any, r2, l2, w2));
  }
}

static void formatsBases(void **state) {
  (void)state;
  char text[200];
  TileLayout layout = tileLayoutMma(2, (const int64_t[]){16, 16}, (const int[]){1, 1});
  const char *expected = "register: (0,1) (8,0) (0,8); lane: (0,2) (0,4) (1,0) (2,0) (4,0)";
  assert_int_equal(tileLayoutFormat(layout, text, sizeof text), strlen(expected));
  assert_string_equal(text, expected);
  // Like snprintf: a short buffer gets a prefix, the length is that of the whole.
  assert_int_equal(tileLayoutFormat(layout, text, 10), strlen(expected));
  assert_string_equal(text, "register:");
  assert_int_equal(tileLayoutFormat(layout, NULL, 0), strlen(expected));
  tileLayoutFormat(tileLayoutInvalid(), text, sizeof text);
  assert_string_equal(text, "invalid");
}

static void productTilesLowInsideHigh(void **state) {
  (void)state;
  // 2 x 4 registers of a thread, 8 x 4 threads.
  TileLayout low = tileLayoutIdentityBox(TILE_REGISTER, 2, (const int64_t[]){2, 4}, NULL);
  TileLayout high = tileLayoutIdentityBox(TILE_LANE, 2, (const int64_t[]){8, 4}, NULL);
  TileLayout both = tileLayoutProduct(low, high);
  assert_int_equal(tileLayoutExtent(both, 0), 16);
  assert_int_equal(tileLayoutExtent(both, 1), 16);
  for (uint32_t r = 0; r < 8; ++r)
    for (uint32_t l = 0; l < 32; ++l) {
      uint64_t at = applyLayout(both, r, l, 0);
      assert_int_equal(tileLayoutCoordinate(both, at, 0), l / 4 * 2 + r / 4);
      assert_int_equal(tileLayoutCoordinate(both, at, 1), l % 4 * 4 + r % 4);
    }
  // Column-major order: dimension 0 fastest.
  TileLayout columns =
      tileLayoutIdentityBox(TILE_LANE, 2, (const int64_t[]){8, 4}, (const int[]){0, 1});
  for (uint32_t l = 0; l < 32; ++l) {
    uint64_t at = applyLayout(columns, 0, l, 0);
    assert_int_equal(tileLayoutCoordinate(columns, at, 0), l % 8);
    assert_int_equal(tileLayoutCoordinate(columns, at, 1), l / 8);
  }
}

static void invertAndComposeFindsASourceForEveryPosition(void **state) {
  (void)state;
  int solved = 0, refused = 0;
  for (int round = 0; round < 2000; ++round) {
    TileLayout dst = randomLayout(2, 5, 1), src = randomLayout(3, 5, 1), x;
    // Independently: is every element of dst somewhere in src?
    bool held[128] = {false}, all = true;
    for (uint32_t i = 0; i < 512; ++i) held[applyLayout(src, i % 8, i / 8 % 32, i / 256)] = true;
    for (uint32_t i = 0; i < 256; ++i)
      all = all && held[applyLayout(dst, i % 4, i / 4 % 32, i / 128)];
    assert_int_equal(tileLayoutInvertAndCompose(dst, src, &x), all);
    all ? ++solved : ++refused;
    if (!all) continue;
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t r = i % 4, l = i / 4 % 32, w = i / 128;
      uint64_t at = applyLayout(x, r, l, w);
      uint64_t found = applyLayout(src, (uint32_t)tileLayoutCoordinate(x, at, TILE_REGISTER),
                                   (uint32_t)tileLayoutCoordinate(x, at, TILE_LANE),
                                   (uint32_t)tileLayoutCoordinate(x, at, TILE_WARP));
      assert_int_equal(found, applyLayout(dst, r, l, w));
    }
  }
  assert_true(solved > 100 && refused > 100);
  TileLayout other = tileLayoutIdentity(TILE_LANE, 5, 1, 0), x;
  assert_false(tileLayoutInvertAndCompose(other, randomLayout(1, 1, 1), &x));
}

static void injectiveSurjectiveFreeByCounting(void **state) {
  (void)state;
  for (int round = 0; round < 2000; ++round) {
    TileLayout layout =
        randomLayout(1 + (int)(nextRandom() % 3), (int)(nextRandom() % 4), (int)(nextRandom() % 3));
    int count[128] = {0}, free[128] = {0};
    uint32_t freeBits[3];
    for (int dim = 0; dim < 3; ++dim) freeBits[dim] = tileLayoutFreeBits(layout, (TileInDim)dim);
    for (uint32_t r = 0; r < tileLayoutSize(layout, TILE_REGISTER); ++r)
      for (uint32_t l = 0; l < tileLayoutSize(layout, TILE_LANE); ++l)
        for (uint32_t w = 0; w < tileLayoutSize(layout, TILE_WARP); ++w) {
          uint64_t at = applyLayout(layout, r, l, w);
          ++count[at];
          if (!(r & freeBits[0]) && !(l & freeBits[1]) && !(w & freeBits[2])) ++free[at];
        }
    bool injective = true, surjective = true;
    for (int i = 0; i < 128; ++i) {
      injective = injective && count[i] <= 1;
      surjective = surjective && count[i];
      assert_int_equal(free[i], count[i] > 0);
    }
    assert_int_equal(tileLayoutIsInjective(layout), injective);
    assert_int_equal(tileLayoutIsSurjective(layout), surjective);
  }
}

static void contiguousByLooking(void **state) {
  (void)state;
  int wide = 0;
  for (int round = 0; round < 3000; ++round) {
    TileLayout layout = randomLayout(3, 4, 0);
    // Make vectors likely.
    for (int bit = 0; bit < (int)(nextRandom() % 4); ++bit)
      layout.bases[TILE_REGISTER][bit] = (uint64_t)1 << bit;
    if (nextRandom() % 2)
      for (int bit = 0; bit < 4; ++bit) layout.bases[TILE_LANE][bit] &= ~(uint64_t)3;
    uint32_t width = 8;
    for (; width > 1; width /= 2) {
      bool fits = true;
      for (uint32_t r = 0; r < 8; ++r)
        for (uint32_t l = 0; l < 16; ++l) {
          uint64_t first = applyLayout(layout, r / width * width, l, 0);
          fits = fits && first % width == 0 && applyLayout(layout, r, l, 0) == first + r % width;
        }
      if (fits) break;
    }
    assert_int_equal(tileLayoutContiguous(layout, 1), width);
    wide += width > 1;
  }
  assert_true(wide > 100);
  TileLayout columns = tileLayoutCoalesced(2, (const int64_t[]){64, 64}, (const int[]){0, 1}, 4, 4);
  assert_int_equal(tileLayoutContiguous(columns, 0), 4);
  assert_int_equal(tileLayoutContiguous(columns, 1), 1);
  assert_int_equal(tileLayoutHeld(columns, 0), 4);
  // What a word was unpacked into lies side by side in registers that do not.
  int last = columns.inBits[TILE_REGISTER] - 1;
  uint64_t step = columns.bases[TILE_REGISTER][0];
  columns.bases[TILE_REGISTER][0] = columns.bases[TILE_REGISTER][last];
  columns.bases[TILE_REGISTER][last] = step;
  assert_int_equal(tileLayoutContiguous(columns, 0), 1);
  assert_int_equal(tileLayoutHeld(columns, 0), 4);
  assert_int_equal(tileLayoutHeld(columns, 1), tileLayoutContiguous(columns, 1));
}

/// Lanes have neighbouring eights of rows of 64; of 512 a lane has two.
static void runsOverLanesFromARowsFirstOn(void **state) {
  (void)state;
  const int64_t rows[] = {32, 64}, columns[] = {64, 32}, one[] = {4, 512};
  const int down[] = {0, 1};
  TileLayout layout = tileLayoutCoalescedKeeping(2, rows, NULL, 8, 4, 2);
  assert_true(tileLayoutRunsOverLanes(layout, 1, 8));
  assert_false(tileLayoutRunsOverLanes(layout, 0, 8));
  assert_false(tileLayoutRunsOverLanes(layout, 1, 16)); // a thread has eight
  assert_false(tileLayoutRunsOverLanes(layout, 1, 4));  // whose second four are the same thread's
  layout = tileLayoutCoalescedKeeping(2, columns, down, 8, 4, 1);
  assert_true(tileLayoutRunsOverLanes(layout, 0, 8));
  layout = tileLayoutCoalescedKeeping(2, one, NULL, 8, 4, 2); // longer than the lanes' eights
  assert_false(tileLayoutRunsOverLanes(layout, 1, 8));
  assert_false(tileLayoutRunsOverLanes(tileLayoutInvalid(), 1, 8));
}

/// A lane has two neighbours, and those of the next lane follow; its other two lie behind all of
/// these, and come by an access of their own. A warp's own bits are of no matter.
static void runsAsFarAsOneAccess(void **state) {
  (void)state;
  const int64_t rows[] = {4, 64}, two[] = {256};
  TileLayout layout = tileLayoutCoalescedKeeping(2, rows, NULL, 2, 4, 2);
  assert_int_equal(tileLayoutRun(layout, 1), 64);
  assert_int_equal(tileLayoutRun(layout, 0), 1);
  layout = tileLayoutCoalescedKeeping(1, two, NULL, 2, 2, 1);
  assert_int_equal(layout.inBits[TILE_REGISTER], 2);
  assert_int_equal(tileLayoutRun(layout, 0), 64);
  // Lanes first, then registers: no lane has neighbours, and a warp's access ends with its lanes.
  uint64_t first = layout.bases[TILE_REGISTER][0];
  layout.bases[TILE_REGISTER][0] = layout.bases[TILE_LANE][TILE_LANE_BITS - 1];
  for (int b = TILE_LANE_BITS - 1; b > 0; --b)
    layout.bases[TILE_LANE][b] = layout.bases[TILE_LANE][b - 1];
  layout.bases[TILE_LANE][0] = first;
  assert_int_equal(tileLayoutRun(layout, 0), 32);
  assert_int_equal(tileLayoutRun(tileLayoutInvalid(), 0), 1);
}

/// Warps have whole rows of 128 elements, a lane four of each; of one row, they divide it.
static void warpsKeepRows(void **state) {
  (void)state;
  const int64_t rows[] = {16, 128}, row[] = {1, 256};
  TileLayout layout = tileLayoutCoalescedKeeping(2, rows, NULL, 1, 4, 2);
  for (uint32_t i = 0; i < 16 * 128; ++i) {
    uint32_t r = i / 32 % 4 + i / 512 * 4, lane = i % 32, warp = i / 128 % 4;
    assert_int_equal(applyLayout(layout, r, lane, warp), i);
  }
  layout = tileLayoutCoalescedKeeping(2, row, NULL, 2, 4, 2);
  assert_true(tileLayoutEqual(layout, tileLayoutCoalesced(2, row, NULL, 2, 4)));
  layout = tileLayoutCoalescedKeeping(2, rows, NULL, 4, 32, 2); // more warps than rows
  assert_true(tileLayoutIsSurjective(layout));
  assert_int_equal(tileLayoutFreeBits(layout, TILE_WARP), 0);
}

static void sublayoutKeepsWhatIsNamed(void **state) {
  (void)state;
  TileLayout layout = tileLayoutMma(2, (const int64_t[]){32, 32}, (const int[]){2, 1});
  TileLayout rows = tileLayoutSublayout(layout, 1u << TILE_LANE | 1u << TILE_WARP, 1u << 0);
  assert_int_equal(rows.inBits[TILE_REGISTER], 0);
  assert_int_equal(tileLayoutExtent(rows, 0), 32);
  assert_int_equal(tileLayoutExtent(rows, 1), 1);
  for (uint32_t l = 0; l < 32; ++l)
    for (uint32_t w = 0; w < 2; ++w) assert_int_equal(applyLayout(rows, 0, l, w), l / 4 + 16 * w);
}

static void deposit(void **state) {
  (void)state;
  assert_int_equal(tileDepositBits(0x5, 0xb2), 0x22);
  assert_int_equal(tileExtractBits(0x22, 0xb2), 0x5);
  for (uint32_t mask = 0; mask < 256; ++mask)
    for (uint32_t value = 0; value < 256; ++value) {
      assert_int_equal(tileDepositBits(tileExtractBits(value, mask), mask), value & mask);
    }
}

static void verifyNamesWhatIsWrong(void **state) {
  (void)state;
  char text[200];
  TileLayout good = tileLayoutCoalesced(2, (const int64_t[]){32, 32}, NULL, 4, 4);
  assert_true(tileLayoutVerify(good, text, sizeof text));
  TileLayout bad = good;
  bad.rank = TILE_MAX_RANK + 1;
  assert_false(tileLayoutVerify(bad, text, sizeof text));
  assert_string_equal(text, "expected a layout of rank 0 to 16, found 17");
  bad = good;
  bad.outBits[1] = 25;
  assert_false(tileLayoutVerify(bad, text, sizeof text));
  assert_string_equal(text, "expected 0 to 24 bits in dimension 1, found 25");
  bad.outBits[1] = 20;
  assert_false(tileLayoutVerify(bad, text, sizeof text));
  assert_string_equal(text, "expected at most 2^24 elements, found 2^25");
  bad = good;
  bad.inBits[TILE_LANE] = 25;
  assert_false(tileLayoutVerify(bad, text, sizeof text));
  assert_string_equal(text, "expected 0 to 24 lane bits, found 25");
  bad = good;
  bad.bases[TILE_WARP][1] = 1024;
  assert_false(tileLayoutVerify(bad, text, sizeof text));
  assert_string_equal(text, "expected the basis of warp bit 1 inside the tile of 1024 elements, "
                            "found element 1024");
}

static void verifyDistributedNamesWhatIsWrong(void **state) {
  (void)state;
  char text[200];
  const int64_t shape[] = {32, 32};
  TileLayout good = tileLayoutCoalesced(2, shape, NULL, 4, 4), bad = good;
  assert_true(tileLayoutVerifyDistributed(good, 2, shape, 4, text, sizeof text));
  assert_true(tileLayoutVerifyDistributed(good, 2, shape, 0, text, sizeof text));
  assert_false(tileLayoutVerifyDistributed(good, 2, shape, 8, text, sizeof text));
  assert_string_equal(text, "expected a layout over 8 warps, found 4 warps");
  assert_false(tileLayoutVerifyDistributed(good, 1, shape, 4, text, sizeof text));
  assert_string_equal(text, "expected a layout of rank 1, found rank 2");
  assert_false(
      tileLayoutVerifyDistributed(good, 2, (const int64_t[]){32, 64}, 4, text, sizeof text));
  assert_string_equal(text, "expected a layout of extent 64 in dimension 1, found extent 32");
  bad.bases[TILE_LANE][0] = 0;
  assert_false(tileLayoutVerifyDistributed(bad, 2, shape, 4, text, sizeof text));
  assert_string_equal(text, "expected every element to be held, found elements without owner");
  bad = good;
  bad.inBits[TILE_LANE] = 4;
  assert_false(tileLayoutVerifyDistributed(bad, 2, shape, 4, text, sizeof text));
  assert_string_equal(text, "expected 5 lane bits, found 4");
  TileLayout shared = tileLayoutShared(2, shape, 4, NULL, 128);
  assert_false(tileLayoutVerifyDistributed(shared, 2, shape, 4, text, sizeof text));
  assert_string_equal(text, "expected a distributed layout, found offset bits");
}

static void narrowLanesGivesAThreadMoreOfARow(void **state) {
  (void)state;
  // 128 columns, 32 lanes of 4; of 16 rows 2 warps, 8 registers: lanes have 32 columns of 4 rows.
  const int64_t shape[] = {16, 128};
  TileLayout tile = tileLayoutCoalesced(2, shape, NULL, 4, 2);
  TileLayout narrow = tileLayoutNarrowLanes(tile, 1, 32);
  char text[200];
  assert_true(tileLayoutVerifyDistributed(narrow, 2, shape, 2, text, sizeof text));
  int64_t columns = 0, rows = 0;
  for (int b = 0; b < 5; ++b) {
    columns |= tileLayoutCoordinate(narrow, narrow.bases[TILE_LANE][b], 1);
    rows |= tileLayoutCoordinate(narrow, narrow.bases[TILE_LANE][b], 0);
  }
  assert_int_equal(columns, 4 | 8 | 16);
  assert_int_equal(rows, 2 | 4);
  assert_int_equal(narrow.bases[TILE_LANE][3], tile.bases[TILE_REGISTER][2]);
  // One row has no registers of others to exchange; a wide enough extent changes nothing.
  TileLayout row = tileLayoutCoalesced(2, (const int64_t[]){1, 128}, NULL, 4, 1);
  assert_true(tileLayoutEqual(tileLayoutNarrowLanes(row, 1, 32), row));
  assert_true(tileLayoutEqual(tileLayoutNarrowLanes(tile, 1, 128), tile));
  // Where there are fewer registers than lanes the farthest lanes go.
  TileLayout few = tileLayoutCoalesced(2, (const int64_t[]){2, 128}, NULL, 4, 1);
  TileLayout half = tileLayoutNarrowLanes(few, 1, 32);
  assert_int_equal(tileLayoutCoordinate(half, half.bases[TILE_LANE][3], 1), 32);
  assert_int_equal(tileLayoutCoordinate(half, half.bases[TILE_LANE][4], 0), 1);
}

/// Where one dimension of a product by FMA is narrow the other one has more lanes: none computes
/// what another one does.
static void narrowProductsLeaveNoLaneIdle(void **state) {
  (void)state;
  const int64_t narrow[][2] = {{128, 16}, {8, 128}};
  for (int i = 0; i < 2; ++i) {
    TileLayout layout = tileLayoutFma(2, narrow[i], (const int[]){4, 4}, (const int[]){1, 1});
    assert_int_equal(tileLayoutSize(layout, TILE_REGISTER), narrow[i][0] * narrow[i][1] / 32);
    assert_true(tileLayoutIsSurjective(layout));
  }
}

static void invalidPassesOn(void **state) {
  (void)state;
  TileLayout bad = tileLayoutInvalid(), good = tileLayoutEmpty(2);
  const int64_t shape[] = {16, 16}, odd[] = {16, 12}, huge[] = {1 << 20, 1 << 20};
  const int ones[] = {1, 1}, threes[] = {3, 1}, lanes[] = {8, 4}, twice[] = {1, 1};
  assert_false(tileLayoutIsValid(tileLayoutProduct(bad, good)));
  assert_false(tileLayoutIsValid(tileLayoutProduct(good, bad)));
  assert_false(tileLayoutIsValid(tileLayoutProduct(good, tileLayoutEmpty(1))));
  assert_false(tileLayoutIsValid(tileLayoutEmpty(TILE_MAX_RANK + 1)));
  assert_false(tileLayoutIsValid(tileLayoutIdentity(TILE_LANE, 25, 1, 0)));
  assert_false(tileLayoutIsValid(tileLayoutIdentity(TILE_LANE, 5, 1, 1)));
  assert_false(tileLayoutIsValid(tileLayoutCoalesced(2, odd, NULL, 4, 4)));
  assert_false(tileLayoutIsValid(tileLayoutCoalesced(2, huge, NULL, 4, 4)));
  assert_false(tileLayoutIsValid(tileLayoutCoalesced(2, shape, NULL, 3, 4)));
  assert_false(tileLayoutIsValid(tileLayoutCoalesced(2, shape, NULL, 4, 3)));
  assert_false(tileLayoutIsValid(tileLayoutCoalesced(2, shape, twice, 4, 4)));
  assert_false(tileLayoutIsValid(tileLayoutBlocked(2, shape, threes, lanes, ones, NULL)));
  assert_false(tileLayoutIsValid(tileLayoutBlocked(2, shape, ones, ones, ones, NULL)));
  assert_false(tileLayoutIsValid(tileLayoutMma(2, odd, ones)));
  assert_false(tileLayoutIsValid(tileLayoutMma(2, shape, threes)));
  assert_false(tileLayoutIsValid(tileLayoutMma(1, shape, ones)));
  assert_false(tileLayoutIsValid(tileLayoutMmaOperand(2, shape, ones, TILE_DOT_A, 4)));
  assert_false(tileLayoutIsValid(tileLayoutMmaOperand(2, shape, ones, TILE_DOT_A, 8)));
  assert_false(tileLayoutIsValid(tileLayoutWgmma(shape, ones)));
  assert_false(tileLayoutIsValid(tileLayoutShared(2, shape, 3, NULL, 0)));
  assert_false(tileLayoutIsValid(tileLayoutShared(2, shape, 4, NULL, 96)));
  assert_false(tileLayoutIsValid(tileLayoutShared(2, shape, 4, NULL, 128)));
  assert_false(tileLayoutIsValid(tileLayoutSlice(bad, 0)));
  assert_false(tileLayoutIsValid(tileLayoutSlice(good, 2)));
  assert_false(tileLayoutIsValid(tileLayoutTranspose(good, twice)));
  assert_false(tileLayoutIsValid(tileLayoutReshape(good, 1, shape)));
  assert_int_equal(tileLayoutPlanConversion(bad, good, 4).kind, TILE_CONVERSION_IMPOSSIBLE);
  assert_int_equal(tileLayoutPlanConversion(good, good, 3).kind, TILE_CONVERSION_IMPOSSIBLE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evaluatesAsTheXorOfBases),
      cmocka_unit_test(formatsBases),
      cmocka_unit_test(productTilesLowInsideHigh),
      cmocka_unit_test(invertAndComposeFindsASourceForEveryPosition),
      cmocka_unit_test(injectiveSurjectiveFreeByCounting),
      cmocka_unit_test(contiguousByLooking),
      cmocka_unit_test(runsOverLanesFromARowsFirstOn),
      cmocka_unit_test(runsAsFarAsOneAccess),
      cmocka_unit_test(warpsKeepRows),
      cmocka_unit_test(sublayoutKeepsWhatIsNamed),
      cmocka_unit_test(deposit),
      cmocka_unit_test(verifyNamesWhatIsWrong),
      cmocka_unit_test(verifyDistributedNamesWhatIsWrong),
      cmocka_unit_test(narrowLanesGivesAThreadMoreOfARow),
      cmocka_unit_test(narrowProductsLeaveNoLaneIdle),
      cmocka_unit_test(invalidPassesOn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
