// RUN: %unit/WorkTest
//===- WorkTest.c - the model of products ---------------------------------===//
//
// What the model says is a guess; that it orders launches as they must be ordered is not.
//===----------------------------------------------------------------------===//
#include "tile/Work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const TileMachine *hopper(void) { return tileMachineFind("sm_90a"); }

/// A product in f16 by tiles of bm x bn x 64.
static TileWork productOf(int64_t m, int64_t n, int64_t k, int64_t bm, int64_t bn) {
  return (TileWork){.programs = (m + bm - 1) / bm * ((n + bn - 1) / bn),
                    .steps = (double)((k + 63) / 64),
                    .flops = 2.0 * (double)(bm * bn) * 64,
                    .rate = TILE_RATE_F16_MATRIX,
                    .stepBytes = (bm + bn) * 64 * 2,
                    .rowBytes = bm * 64 * 2,
                    .sums = bm * bn,
                    .staged = 2 * bm * bn,
                    .storedRow = 2 * bn,
                    .storedBits = 16,
                    .warps = 8,
                    .blocks = 1,
                    .parts = 1,
                    .clusters = 1,
                    .multiprocessors = 132};
}

static double estimate(TileWork work) { return tileWorkEstimate(hopper(), &work); }

/// What two blocks share, and what threads do besides.
static void threadsTakeLonger(void **state) {
  (void)state;
  const TileWork one = productOf(4096, 4096, 4096, 128, 128);
  // Two blocks do not share a program whose operands both would split.
  TileWork shared = productOf(1024, 1024, 4096, 128, 128), alone = shared;
  alone.splits = 1e-3;
  assert_true(estimate(alone) > 1.3 * estimate(shared));
  // Nor where threads hold what results need besides, or compute an operand.
  TileWork beside = shared, computed = shared;
  beside.loadsBeside = true;
  computed.computed = 128;
  assert_true(estimate(beside) > 1.05 * estimate(shared));
  assert_true(estimate(computed) > 1.05 * estimate(shared));
  // Which takes longer, and so do warp groups of more rows than an instruction has.
  const TileWork wide = productOf(4096, 4096, 4096, 128, 256);
  TileWork tall = wide;
  computed = one;
  computed.computed = 128 * 64;
  tall.rowsOfDot = 256;
  assert_true(estimate(computed) > 1.2 * estimate(one));
  assert_true(estimate(tall) > estimate(wide));
}

/// One warp group has its dot wait for the operand that it computes, of two one multiplies
/// meanwhile; threads of many sums read nothing ahead.
static void oneWarpGroupWaits(void **state) {
  (void)state;
  TileWork one = productOf(4096, 4096, 4096, 64, 128), two = productOf(4096, 4096, 4096, 128, 128);
  one.warps = 4;
  TileWork oneComputes = one, twoCompute = two;
  oneComputes.computed = twoCompute.computed = 128;
  double alone = estimate(oneComputes) / estimate(one),
         beside = estimate(twoCompute) / estimate(two);
  assert_true(alone > beside + .03);
  TileWork few = productOf(4096, 4096, 4096, 256, 128), many;
  few.rate = TILE_RATE_F32;
  few.isSynchronous = true;
  few.sums -= 1;
  many = few;
  many.sums += 1;
  assert_true(estimate(many) > 1.04 * estimate(few));
}

/// Results leave under the next program's dots, a box a step: those of more boxes, and of products
/// that threads wait for, go in front of them.
static void fewStepsHideNoStores(void **state) {
  (void)state;
  enum { boxBytes = 128 };
  TileWork shorts = productOf(24576, 2048, 64, 128, 128),
           longs = productOf(24576, 2048, 512, 128, 128);
  TileWork wideShorts = shorts, wideLongs = longs, narrow = shorts, waits = longs;
  wideShorts.storedBits = wideLongs.storedBits = 32; // which never do
  narrow.storedRow = boxBytes;
  waits.computed = 1e-9;
  assert_true(estimate(wideLongs) > 1.1 * estimate(longs));
  assert_true(estimate(wideShorts) > estimate(shorts));
  assert_true(estimate(shorts) > estimate(narrow));
  wideLongs.computed = waits.computed;
  assert_true(estimate(wideLongs) == estimate(waits));
}

/// A product in f64 by tiles of bm x bn x bk.
static TileWork doublesOf(int64_t m, int64_t n, int64_t k, const int64_t tile[3]) {
  TileWork work = productOf(m, n, k, tile[0], tile[1]);
  work.steps = (double)((k + tile[2] - 1) / tile[2]);
  work.flops = 2.0 * (double)(tile[0] * tile[1] * tile[2]);
  work.rate = TILE_RATE_F64_MATRIX;
  work.isSynchronous = true;
  work.stepBytes = (tile[0] + tile[1]) * tile[2] * 8;
  work.staged = 8 * tile[0] * tile[1];
  work.warps = tile[1] > 64 ? 8 : 4;
  return work;
}

/// A step by FMA takes some hundred cycles besides its products: large tiles are faster, where they
/// fill the device; long steps of a warp group that is alone wait for their code.
static void stepsByFmaTakeMore(void **state) {
  (void)state;
  const int64_t large[] = {128, 128, 32}, small[] = {16, 64, 64}, tall[] = {64, 64, 64};
  TileWork wide = doublesOf(4096, 4096, 4096, large), narrow = doublesOf(4096, 4096, 4096, small);
  TileWork alone = doublesOf(64, 4096, 4096, tall), shorter = doublesOf(64, 4096, 4096, small);
  wide.rate = narrow.rate = alone.rate = shorter.rate = TILE_RATE_F32;
  assert_true(estimate(narrow) > 1.3 * estimate(wide));
  assert_true(estimate(alone) > 1.5 * estimate(shorter));
}

/// Threads wait for products of f64: another block hides it, and rows off the lines of the cache
/// take longer, as nobody shares their copies.
static void doublesWait(void **state) {
  (void)state;
  const int64_t wide[] = {64, 128, 32}, square[] = {64, 64, 16}, small[] = {32, 32, 32};
  TileWork large = doublesOf(100, 5000, 500, wide), few = doublesOf(100, 5000, 500, small);
  large.rows = few.rows = TILE_ROWS_AT_CHUNKS;
  assert_true(estimate(few) > estimate(large));
  // Of three programs two run together, and the third alone: that is less than four.
  TileWork three = doublesOf(64, 3 * 64 * 132, 1024, square),
           four = doublesOf(64, 4 * 64 * 132, 1024, square);
  assert_true(estimate(four) > 1.1 * estimate(three));
  // Warps of low tiles read more of shared memory than it gives while they multiply; those of
  // square ones do not, nor is it asked of where threads copy.
  const int64_t low[] = {16, 64, 32};
  TileWork flat = doublesOf(66, 8832, 1664, low), even = doublesOf(4096, 4096, 1024, square);
  double unread = estimate(flat), full = estimate(even);
  flat.rowsOfDot = 16, even.rowsOfDot = 64;
  assert_true(estimate(flat) > unread && estimate(even) == full);
  flat.rows = TILE_ROWS_COPIED;
  double copied = estimate(flat);
  flat.rowsOfDot = 0;
  assert_true(estimate(flat) == copied);
}

static void moreTakesLonger(void **state) {
  (void)state;
  const TileWork one = productOf(4096, 4096, 4096, 128, 128);
  TileWork more = one;
  more.steps *= 2;
  assert_true(estimate(more) > estimate(one));
  more = one;
  more.programs *= 2;
  assert_true(estimate(more) > estimate(one));
  more = one;
  more.memoryBytes = 1e10;
  assert_true(estimate(more) > estimate(one));
  // Elements that are loaded one by one take longer than boxes.
  TileWork singles = one;
  singles.rows = TILE_ROWS_AHEAD;
  singles.singles = 64;
  assert_true(estimate(singles) > 2 * estimate(one));
  singles.rows = TILE_ROWS_ALONE;
  assert_true(estimate(singles) > 4 * estimate(one));
  // So does a step whose threads wait for what they multiply, and one in which they split operands.
  TileWork waits = one, splits = one;
  waits.isSynchronous = true;
  splits.splits = 48;
  assert_true(estimate(waits) > 1.1 * estimate(one));
  TileWork boxes = productOf(4096, 4096, 128, 128, 128), threads = boxes;
  threads.storesSingles = true;
  assert_true(estimate(threads) > estimate(boxes));
  assert_true(estimate(splits) > 1.1 * estimate(one));
}

/// Results that are too wide, or too many, to leave under the next program's dots: each round
/// waits.
static void resultsTakeLonger(void **state) {
  (void)state;
  const TileWork few = productOf(1408, 1536, 512, 128, 128),
                 many = productOf(14080, 15360, 512, 128, 128);
  TileWork fewWide = few, manyWide = many;
  fewWide.storedBits = manyWide.storedBits = 32;
  assert_true(estimate(fewWide) == estimate(few));
  assert_true(estimate(manyWide) > 1.1 * estimate(many));
  TileWork large = productOf(14080, 15360, 512, 128, 256);
  const double held = estimate(large);
  large.staged += 2 * large.staged / 16;
  assert_true(estimate(large) > 1.1 * held);
}

/// Two blocks that share a program of the last round copy half of one operand each, and all of the
/// other.
static void lastRoundsCopy(void **state) {
  (void)state;
  TileWork even = productOf(128 * 198, 256, 4096, 128, 256), uneven = even;
  uneven.rowBytes = uneven.stepBytes / 16;
  assert_true(estimate(uneven) > 1.03 * estimate(even));
  // Nobody shares programs of a whole round.
  TileWork whole = productOf(128 * 132, 256, 4096, 128, 256), other = whole;
  other.rowBytes = other.stepBytes / 16;
  assert_true(estimate(other) == estimate(whole));
}

/// Rings, and how rows begin.
static void rowsTakeLonger(void **state) {
  (void)state;
  // What is staged takes slots of the ring, but not all of a large result at a time.
  TileWork staged = productOf(128, 128, 65536, 128, 128), large = staged;
  staged.staged = 0;
  large.staged = 1 << 20;
  assert_true(estimate(large) >= estimate(staged));
  large.staged = 1 << 30;
  assert_true(estimate(large) < 2 * estimate(staged));
  // Rows off the lines of the L2 cache cost copies more, and those that begin anywhere two passes.
  TileWork few = productOf(128, 4096, 4096, 128, 64), off = few, packed = few;
  few.memoryBytes = off.memoryBytes = packed.memoryBytes = 33e6;
  off.rows = TILE_ROWS_AT_CHUNKS;
  packed.rows = TILE_ROWS_PACKED;
  assert_true(estimate(off) >= estimate(few));
  assert_true(estimate(packed) > 1.5 * estimate(few));
  // What threads copy beside a few long products takes less than packing first.
  packed.steps = 8;
  packed.rate = TILE_RATE_F64_MATRIX;
  packed.isSynchronous = true;
  TileWork copied = packed;
  copied.rows = TILE_ROWS_COPIED;
  copied.singles = 32;
  assert_true(estimate(copied) < estimate(packed));
  copied.singles = 1024;
  assert_true(estimate(copied) > estimate(packed));
  // Words that warps read of rows that begin anywhere take a step's time.
  TileWork ragged = few;
  ragged.rows = TILE_ROWS_RAGGED;
  ragged.singles = 16;
  assert_true(estimate(ragged) < 2 * estimate(few));
  ragged.singles = 4096;
  assert_true(estimate(ragged) > 4 * estimate(few));
  // Two slots wait for what four have on its way.
  TileWork two = productOf(128, 128, 65536, 128, 128), many = two;
  two.stages = 2;
  many.stages = 4;
  assert_true(estimate(two) > estimate(many));
}

/// Attention in f16, not causal, by bm queries and bn keys a step.
static TileWork attentionOf(int64_t heads, int64_t length, int64_t depth, int64_t bm, int64_t bn,
                            int warps) {
  return (TileWork){.programs = heads * ((length + bm - 1) / bm),
                    .steps = (double)((length + bn - 1) / bn),
                    .flops = 4.0 * (double)(bm * bn * depth),
                    .rate = TILE_RATE_F16_MATRIX,
                    .stepBytes = 2 * bn * depth * 2,
                    .special = (double)(bm * bn),
                    .sums = bm * depth,
                    .slotBytes = 2 * bn * depth * 2,
                    .keptBytes = 2 * bm * depth,
                    .held = bm * depth + bm * bn * 3 / 2,
                    .staged = 2 * bm * depth,
                    .warps = warps,
                    .blocks = 1,
                    .parts = 1,
                    .clusters = 1,
                    .multiprocessors = 132};
}

static void whatIsBetweenProductsTakesTime(void **state) {
  (void)state;
  const TileWork wide = attentionOf(64, 2048, 64, 128, 128, 8);
  const TileWork high = attentionOf(64, 2048, 64, 256, 64, 16);
  assert_true(estimate(high) < estimate(wide));
  // Twice as deep 16 warps have no registers for it.
  const TileWork deep = attentionOf(64, 2048, 128, 128, 128, 8);
  assert_true(estimate(attentionOf(64, 2048, 128, 256, 64, 16)) > estimate(deep));
  assert_true(estimate(attentionOf(64, 2048, 128, 128, 64, 8)) > estimate(deep));
  assert_true(estimate(attentionOf(64, 2048, 128, 64, 64, 4)) > estimate(deep));
  // Two slots of 128 keys do not fit beside the queries.
  assert_true(estimate(attentionOf(64, 2048, 256, 128, 128, 8)) >
              estimate(attentionOf(64, 2048, 256, 128, 64, 8)));
  // Few programs: as many as there are multiprocessors for.
  assert_true(estimate(attentionOf(8, 1024, 128, 64, 128, 4)) <
              estimate(attentionOf(8, 1024, 128, 128, 128, 8)));
  // Exponentials cost, and so does a program that is longer than the others.
  TileWork none = deep, longer = deep;
  none.special /= 2;
  longer.longest = 2 * (int64_t)longer.steps;
  assert_true(estimate(none) < estimate(deep));
  assert_true(estimate(longer) > estimate(deep));
}

static void largeTilesAreForLargeProducts(void **state) {
  (void)state;
  const TileWork large = productOf(8192, 8192, 8192, 128, 256);
  const TileWork small = productOf(8192, 8192, 8192, 128, 64);
  assert_true(estimate(large) < estimate(small));
  TileWork few = productOf(512, 512, 512, 128, 256), all = productOf(512, 512, 512, 128, 64);
  few.warps = all.warps = 4;
  assert_true(estimate(all) < estimate(few));
}

static void aRoundMoreIsARoundMore(void **state) {
  (void)state;
  TileWork whole = productOf(128, 128 * 264, 4096, 128, 128);
  TileWork more = productOf(128, 128 * 365, 4096, 128, 128);
  assert_true(estimate(more) > 1.3 * estimate(whole));
  // Two blocks share each program of a last round that leaves half of them without one.
  TileWork half = productOf(128, 128 * 265, 4096, 128, 128);
  assert_true(estimate(half) > estimate(whole) && estimate(half) < estimate(more));
  TileWork one = half;
  one.warps = 4; // of one warp group none is left to another block
  assert_true(estimate(one) > estimate(half));
  TileWork four = half;
  four.warps = 16; // of two groups each block has one, and of four none has two
  assert_true(estimate(four) > estimate(half));
}

static void blocksOfShortStepsWaitForEachOther(void **state) {
  (void)state;
  // Two warp groups wait for a box each: of steps up to 128 cycles other blocks run meanwhile.
  TileWork small = productOf(8192, 8192, 8192, 128, 64), large = small;
  small.isSynchronous = large.isSynchronous = true;
  small.stepBytes = small.rowBytes = large.stepBytes = large.rowBytes = 4096;
  small.flops = 128 * hopper()->rates[TILE_RATE_F16_MATRIX];
  large.flops = 1.02 * small.flops;
  assert_true(estimate(large) > 1.1 * estimate(small));
}

static void partsPayWhereLoopsAreLong(void **state) {
  (void)state;
  TileWork one = productOf(512, 512, 16384, 128, 128), four = one;
  four.parts = 4;
  assert_true(estimate(four) < estimate(one));
  one = four = productOf(512, 512, 256, 128, 128);
  four.parts = 4;
  assert_true(estimate(four) > estimate(one));
}

static void clustersMayDivideALoopAgain(void **state) {
  (void)state;
  TileWork one = productOf(512, 512, 16384, 128, 128), two, pairs;
  one.sumBytes = 4 * one.sums;
  two = pairs = one;
  two.clusters = 8;
  assert_true(estimate(two) < estimate(one));
  // Clusters of two write and read half as much each.
  pairs.parts = 2;
  pairs.clusters = 8;
  two.parts = pairs.parts;
  two.sumBytes *= 2;
  assert_true(estimate(pairs) < estimate(two));
  one = two = productOf(512, 512, 256, 128, 128);
  two.clusters = 2;
  two.sumBytes = 4 * two.sums;
  assert_true(estimate(two) > estimate(one));
}

/// What a cluster asks for once is less to the L2 cache where rows lie off its lines, and nothing
/// but a reason to wait for each other elsewhere.
static void clustersShareRowsOffTheLines(void **state) {
  (void)state;
  TileWork alone = productOf(4096, 8192, 4096, 128, 256), shared;
  alone.rows = TILE_ROWS_AT_CHUNKS;
  shared = alone;
  shared.blocks = 2;
  shared.askedBytes = shared.stepBytes - shared.rowBytes;
  assert_true(estimate(shared) < estimate(alone));
  alone.rows = shared.rows = TILE_ROWS_AT_LINES;
  assert_true(estimate(shared) > estimate(alone));
  // Rows at sectors take no longer than those that begin within one.
  TileWork sectors = alone, chunks = alone;
  sectors.rows = TILE_ROWS_AT_SECTORS;
  chunks.rows = TILE_ROWS_AT_CHUNKS;
  assert_true(estimate(sectors) < estimate(chunks));
  // Nor do those of one operand whose rows do, beside another one's at lines or at sectors.
  TileWork rows = chunks, columns = chunks, between = chunks;
  rows.lineBytes = rows.rowBytes;
  columns.lineBytes = columns.stepBytes - columns.rowBytes;
  between.sectorBytes = between.rowBytes;
  assert_true(estimate(columns) < estimate(rows) && estimate(rows) <= estimate(between));
  assert_true(estimate(between) < estimate(chunks));
  // What a cluster asks for once is not of those that lie at lines.
  TileWork other = rows;
  other.blocks = 2;
  other.askedBytes = other.stepBytes - other.rowBytes / 2;
  other.besideAsked = other.rowBytes / 2;
  assert_true(estimate(other) > estimate(rows));
  // Of a cluster's last round, too, two blocks have each program.
  TileWork half = shared, whole = shared;
  half.programs = 132 + 60;
  whole.programs = 132 + 80;
  assert_true(estimate(half) < .9 * estimate(whole));
}

/// Programs of fewer steps than boxes of results, of which others follow.
static void shortLoopsStoreAtOnce(void **state) {
  (void)state;
  TileWork one = productOf(24576, 2048, 64, 128, 256), four = productOf(24576, 2048, 256, 128, 256);
  TileWork few = productOf(1024, 2048, 64, 128, 256), wide = one;
  wide.storedBits = 32;
  assert_true(tileWorkIsShort(hopper(), &one));
  assert_false(tileWorkIsShort(hopper(), &four));
  assert_false(tileWorkIsShort(hopper(), &few));
  assert_false(tileWorkIsShort(hopper(), &wide)); // which leave so in any case
  wide.steps = four.steps;
  assert_true(estimate(wide) > estimate(four));
}

static void clustersLeaveSomeWithoutAny(void **state) {
  (void)state;
  assert_int_equal(tileMachineFitClusters(hopper(), 132, 1), 132);
  assert_int_equal(tileMachineFitClusters(hopper(), 132, 2), 132);
  for (int blocks = 3; blocks <= 8; ++blocks) {
    int fit = tileMachineFitClusters(hopper(), 132, blocks);
    assert_int_equal(fit % blocks, 0);
    assert_in_range(fit, 100, 131);
  }
  assert_int_equal(tileMachineFitClusters(hopper(), 4, 8), 0);
}

static void whatIsNotKnownHasNoEstimate(void **state) {
  (void)state;
  TileWork work = productOf(512, 512, 512, 128, 128);
  assert_true(estimate(work) > 0);
  assert_true(tileWorkEstimate(tileMachineFind("sm_80"), &work) == 0);
  TileWork none = work;
  none.programs = 0;
  assert_true(estimate(none) == 0);
  none = work;
  none.multiprocessors = 0;
  assert_true(estimate(none) == 0);
  // More than any device holds.
  none = work;
  none.multiprocessors = 4;
  none.parts = 8;
  assert_true(estimate(none) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moreTakesLonger),
      cmocka_unit_test(threadsTakeLonger),
      cmocka_unit_test(oneWarpGroupWaits),
      cmocka_unit_test(fewStepsHideNoStores),
      cmocka_unit_test(stepsByFmaTakeMore),
      cmocka_unit_test(doublesWait),
      cmocka_unit_test(resultsTakeLonger),
      cmocka_unit_test(lastRoundsCopy),
      cmocka_unit_test(rowsTakeLonger),
      cmocka_unit_test(whatIsBetweenProductsTakesTime),
      cmocka_unit_test(largeTilesAreForLargeProducts),
      cmocka_unit_test(aRoundMoreIsARoundMore),
      cmocka_unit_test(blocksOfShortStepsWaitForEachOther),
      cmocka_unit_test(partsPayWhereLoopsAreLong),
      cmocka_unit_test(clustersMayDivideALoopAgain),
      cmocka_unit_test(clustersShareRowsOffTheLines),
      cmocka_unit_test(shortLoopsStoreAtOnce),
      cmocka_unit_test(clustersLeaveSomeWithoutAny),
      cmocka_unit_test(whatIsNotKnownHasNoEstimate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
