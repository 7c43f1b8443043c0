// RUN: %unit/LayoutSharedTest
//===- LayoutSharedTest.c - shared memory: swizzles, banks, ldmatrix ------===//
//
// Addresses against the byte formulas of the TMA swizzles; conflicts against what
// the theory of 32 banks says; ldmatrix against a memory filled with the elements'
// own coordinates, read as the PTX ISA draws it.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"
#include "tile/Layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/// Wavefronts beyond the least possible of a warp's access of `vector` elements a lane; -1 where it
/// is not possible.
static int bankConflicts(TileLayout distributed, TileLayout shared, int elementBytes, int vector) {
  TileLayout address;
  if (vector > tileLayoutSharedVector(distributed, shared, elementBytes) ||
      !tileLayoutSharedAddress(distributed, shared, &address))
    return -1;
  uint32_t laneBytes[TILE_LANE_BITS] = {0};
  for (int bit = 0; bit < address.inBits[TILE_LANE]; ++bit)
    laneBytes[bit] = (uint32_t)(applyLayout(address, 0, 1u << bit, 0) * (uint64_t)elementBytes);
  return tileBankConflicts(laneBytes, vector * elementBytes);
}

static const int rowMajor[] = {1, 0};
static const int firstFastest[] = {0, 1};

/// Byte address of (row, column) of a box of `swizzle` bytes a row, as the swizzle is stated for
/// TMA: bits 4-6 of the address xored with bits 7-9, or fewer.
static int64_t boxByte(int64_t row, int64_t columnByte, int swizzle) {
  int64_t address = row * swizzle + columnByte;
  int64_t mask = swizzle == 128 ? 7 : swizzle == 64 ? 3 : 1;
  return address ^ (address >> 7 & mask) << 4;
}

/// Where each element lies, in elements.
static uint32_t places[1 << 15];

static void invert(TileLayout shared) {
  uint32_t count = tileLayoutSize(shared, TILE_OFFSET);
  assert_true(count <= sizeof places / sizeof *places && tileLayoutIsInjective(shared));
  for (uint32_t offset = 0; offset < count; ++offset)
    places[tileLayoutApplyOffset(shared, offset)] = offset;
}

static void tmaSwizzles(void **state) {
  (void)state;
  for (int bytes = 1; bytes <= 8; bytes *= 2)
    for (int swizzle = 32; swizzle <= 128; swizzle *= 2)
      for (int64_t rows = 1; rows <= 64; rows *= 2)
        for (int64_t columns = swizzle / bytes; columns <= 4 * swizzle / bytes; columns *= 2) {
          const int64_t shape[] = {rows, columns};
          TileLayout layout = tileLayoutShared(2, shape, bytes, NULL, swizzle);
          assert_int_equal(tileLayoutSize(layout, TILE_OFFSET), rows * columns);
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < columns; ++c) {
              int64_t box = c * bytes / swizzle;
              int64_t byte = box * rows * swizzle + boxByte(r, c * bytes - box * swizzle, swizzle);
              uint64_t packed = (uint64_t)(r * columns + c);
              assert_int_equal(tileLayoutApplyOffset(layout, (uint32_t)(byte / bytes)), packed);
            }
        }
}

static void swizzleOfTheHeader(void **state) {
  (void)state;
  // chunk ^= row & 7, chunk ^= row >> 1 & 3, chunk ^= row >> 2 & 1, in f16.
  for (int swizzle = 32; swizzle <= 128; swizzle *= 2) {
    const int64_t shape[] = {16, swizzle / 2};
    TileLayout layout = tileLayoutShared(2, shape, 2, NULL, swizzle);
    for (int64_t r = 0; r < 16; ++r)
      for (int64_t c = 0; c < swizzle / 2; ++c) {
        int64_t turn = swizzle == 128 ? r & 7 : swizzle == 64 ? r >> 1 & 3 : r >> 2 & 1;
        int64_t offset = r * (swizzle / 2) + (c / 8 ^ turn) * 8 + c % 8;
        assert_int_equal(tileLayoutApplyOffset(layout, (uint32_t)offset), r * (swizzle / 2) + c);
      }
  }
}

static void unswizzledAndOtherOrders(void **state) {
  (void)state;
  const int64_t shape[] = {8, 32};
  TileLayout rows = tileLayoutShared(2, shape, 4, NULL, 0);
  TileLayout columns = tileLayoutShared(2, shape, 4, firstFastest, 0);
  for (uint32_t i = 0; i < 256; ++i) {
    assert_int_equal(tileLayoutApplyOffset(rows, i), i);
    assert_int_equal(tileLayoutApplyOffset(columns, i), i % 8 * 32 + i / 8);
  }
  assert_true(tileLayoutEqual(rows, tileLayoutShared(2, shape, 4, rowMajor, 0)));
  // A swizzled K x N tile whose K lies along the rows of memory.
  const int64_t tile[] = {64, 16};
  TileLayout turned = tileLayoutShared(2, tile, 2, firstFastest, 128);
  for (int64_t k = 0; k < 64; ++k)
    for (int64_t n = 0; n < 16; ++n)
      assert_int_equal(tileLayoutApplyOffset(turned, (uint32_t)(boxByte(n, k * 2, 128) / 2)),
                       k * 16 + n);
  // Stages of boxes: a leading dimension counts rows on.
  const int64_t stages[] = {4, 8, 64};
  TileLayout ring = tileLayoutShared(3, stages, 2, NULL, 128);
  for (int64_t s = 0; s < 4; ++s)
    for (int64_t r = 0; r < 8; ++r)
      for (int64_t c = 0; c < 64; ++c)
        assert_int_equal(
            tileLayoutApplyOffset(ring, (uint32_t)(boxByte(s * 8 + r, c * 2, 128) / 2)),
            (s * 8 + r) * 64 + c);
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

static void banksByHand(void **state) {
  (void)state;
  const uint32_t unit[] = {4, 8, 16, 32, 64}, same[] = {0, 0, 0, 0, 0};
  const uint32_t twice[] = {8, 16, 32, 64, 128}, column[] = {128, 256, 512, 1024, 2048};
  const uint32_t halves[] = {2, 4, 8, 16, 32}, wide[] = {16, 32, 64, 128, 256};
  const uint32_t pairs[] = {8, 16, 32, 64, 128}, rows[] = {128, 256, 512, 16, 32};
  assert_int_equal(tileBankConflicts(unit, 4), 0);
  assert_int_equal(tileBankConflicts(same, 4), 0);
  assert_int_equal(tileBankConflicts(halves, 2), 0);
  assert_int_equal(tileBankConflicts(twice, 4), 1);
  assert_int_equal(tileBankConflicts(column, 4), 31);
  assert_int_equal(tileBankConflicts(pairs, 8), 0);
  assert_int_equal(tileBankConflicts(wide, 16), 0);
  // Each quarter warp reads 8 rows of 128 bytes in the same 16: 8 wavefronts instead of 1.
  assert_int_equal(tileBankConflicts(rows, 16), 4 * 7);
}

static void swizzleFreesColumns(void **state) {
  (void)state;
  // f16, 64 x 64, 8 elements a lane. Rows are free; eight rows at one column are 8 deep without a
  // swizzle and free with one.
  const int64_t shape[] = {64, 64};
  const int vectors[] = {1, 8}, down[] = {32, 1}, across[] = {4, 8}, ones[] = {1, 1};
  TileLayout rows = tileLayoutBlocked(2, shape, vectors, across, ones, NULL);
  TileLayout columns = tileLayoutBlocked(2, shape, vectors, down, ones, NULL);
  TileLayout plain = tileLayoutShared(2, shape, 2, NULL, 0);
  TileLayout swizzled = tileLayoutShared(2, shape, 2, NULL, 128);
  assert_int_equal(tileLayoutSharedVector(rows, plain, 2), 8);
  assert_int_equal(tileLayoutSharedVector(rows, swizzled, 2), 8);
  assert_int_equal(bankConflicts(rows, plain, 2, 8), 0);
  assert_int_equal(bankConflicts(rows, swizzled, 2, 8), 0);
  assert_int_equal(bankConflicts(columns, plain, 2, 8), 4 * 7);
  assert_int_equal(bankConflicts(columns, swizzled, 2, 8), 0);
  // Narrower swizzles on their own boxes do as well as they can: 64 bytes has 8 rows in 2 lines.
  for (int swizzle = 32; swizzle <= 128; swizzle *= 2) {
    const int64_t box[] = {64, swizzle / 2};
    TileLayout down8 = tileLayoutBlocked(2, box, vectors, down, ones, NULL);
    TileLayout shared = tileLayoutShared(2, box, 2, NULL, swizzle);
    assert_int_equal(bankConflicts(down8, shared, 2, 8), 0);
  }
  // An access wider than the layouts allow is refused.
  assert_int_equal(bankConflicts(columns, tileLayoutShared(2, shape, 2, firstFastest, 0), 2, 8),
                   -1);
  assert_int_equal(bankConflicts(rows, swizzled, 2, 16), -1);
  const int64_t other[] = {32, 64};
  assert_int_equal(tileLayoutSharedVector(rows, tileLayoutShared(2, other, 2, NULL, 0), 2), 0);
}

static void foldedFreesRowsApart(void **state) {
  (void)state;
  // Lanes that write each second row, 16 bytes at a time, meet in half of the banks of a 128-byte
  // swizzle; those that write two boxes at once, each second chunk, too.
  const int64_t shape[] = {64, 64}, wide[] = {8, 128};
  const int vectors[] = {2, 8}, down[] = {32, 1}, chunks[] = {1, 16}, along[] = {4, 8},
            ones[] = {1, 1};
  TileLayout rows = tileLayoutBlocked(2, shape, vectors, down, ones, NULL);
  TileLayout boxes = tileLayoutBlocked(2, wide, chunks, along, ones, NULL);
  TileLayout folded = tileLayoutShared(2, shape, 2, NULL, TILE_SWIZZLE_FOLDED);
  TileLayout two = tileLayoutShared(2, wide, 2, NULL, TILE_SWIZZLE_FOLDED);
  assert_int_equal(tileLayoutStoreConflicts(rows, tileLayoutShared(2, shape, 2, NULL, 128), 2),
                   4 * 16);
  assert_int_equal(tileLayoutStoreConflicts(rows, folded, 2), 0);
  assert_int_equal(tileLayoutStoreConflicts(boxes, tileLayoutShared(2, wide, 2, NULL, 128), 2),
                   4 * 4);
  assert_int_equal(tileLayoutStoreConflicts(boxes, two, 2), 0);
  // Eight rows in a row at one column are as free as before, and every element has its own place.
  const int ones8[] = {1, 8};
  TileLayout columns = tileLayoutBlocked(2, shape, ones8, down, ones, NULL);
  assert_int_equal(bankConflicts(columns, folded, 2, 8), 0);
  invert(folded);
  invert(two);
  // Rows of 64 and 32 bytes, two and four of which lie in 128.
  for (int64_t row = 32; row >= 16; row /= 2) {
    const int64_t narrow[] = {64, row};
    TileLayout lanes = tileLayoutBlocked(2, narrow, vectors, down, ones, NULL);
    TileLayout shared = tileLayoutShared(2, narrow, 2, NULL, TILE_SWIZZLE_FOLDED);
    assert_true(
        tileLayoutStoreConflicts(lanes, tileLayoutShared(2, narrow, 2, NULL, (int)row * 2), 2) > 0);
    assert_int_equal(tileLayoutStoreConflicts(lanes, shared, 2), 0);
    assert_int_equal(
        bankConflicts(tileLayoutBlocked(2, narrow, ones8, down, ones, NULL), shared, 2, 8), 0);
    invert(shared);
  }
  // Shorter ones have none.
  const int64_t least[] = {64, 8};
  assert_false(tileLayoutIsValid(tileLayoutShared(2, least, 2, NULL, TILE_SWIZZLE_FOLDED)));
}

static void conflictsBySimulation(void **state) {
  (void)state;
  // Every blocked layout of a warp against every shared layout, lane by lane.
  const int64_t shape[] = {32, 64};
  for (int bytes = 1; bytes <= 8; bytes *= 2)
    for (int kind = 0; kind < 8; ++kind) {
      const int *order = kind % 2 ? firstFastest : NULL;
      int swizzle = (const int[]){0, 32, 64, 128}[kind / 2];
      TileLayout shared = tileLayoutShared(2, shape, bytes, order, swizzle);
      if (!tileLayoutIsValid(shared)) continue;
      invert(shared);
      for (int t0 = 1; t0 <= 32; t0 *= 2)
        for (int s1 = 1; s1 <= 16; s1 *= 2) {
          TileLayout layout =
              tileLayoutBlocked(2, shape, (const int[]){1, s1}, (const int[]){t0, 32 / t0},
                                (const int[]){2, 2}, NULL);
          int vector = tileLayoutSharedVector(layout, shared, bytes);
          int most = 0, words = vector * bytes > 4 ? vector * bytes / 4 : 1, expected = 0;
          for (int first = 0; first < 32; first += 32 / words) {
            most = 1;
            for (uint32_t bank = 0; bank < 32; ++bank) {
              uint32_t lines[32] = {0}, depth = 0;
              for (int l = first; l < first + 32 / words; ++l) {
                uint64_t at = applyLayout(layout, 0, (uint32_t)l, 3);
                uint32_t offset = places[at];
                uint32_t word = offset * (uint32_t)bytes / 4;
                for (uint32_t i = word; i < word + (uint32_t)words; ++i) {
                  bool known = i % 32 != bank;
                  for (uint32_t j = 0; j < depth; ++j) known = known || lines[j] == i;
                  if (!known) lines[depth++] = i;
                }
              }
              if ((int)depth > most) most = (int)depth;
            }
            expected += most - 1;
          }
          assert_int_equal(bankConflicts(layout, shared, bytes, vector), expected);
        }
    }
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Carries the plan out on a memory that holds packed coordinates, and compares each register.
static void runLdmatrix(TileLayout layout, TileLayout shared, int bytes, const TileLdmatrix *plan) {
  static uint64_t memory[1 << 14];
  for (uint32_t i = 0; i < tileLayoutSize(shared, TILE_OFFSET); ++i)
    memory[i] = tileLayoutApplyOffset(shared, i);
  uint32_t perWord = 4 / (uint32_t)bytes, perRow = 16 / (uint32_t)bytes;
  uint32_t perGroup = (uint32_t)plan->count * perWord;
  for (uint32_t w = 0; w < tileLayoutSize(layout, TILE_WARP); ++w)
    for (uint32_t first = 0; first < tileLayoutSize(layout, TILE_REGISTER); first += perGroup) {
      uint64_t packed = applyLayout(plan->address, first, 0, w);
      uint32_t base = (uint32_t)tileLayoutCoordinate(plan->address, packed, TILE_OFFSET);
      uint32_t rows[32];
      for (uint32_t l = 0; l < 32; ++l) {
        rows[l] = base;
        for (int bit = 0; bit < 5; ++bit)
          if (l >> bit & 1) rows[l] ^= plan->laneOffset[bit];
        assert_int_equal(rows[l] % perRow, 0);
      }
      for (uint32_t matrix = 0; matrix < (uint32_t)plan->count; ++matrix)
        for (uint32_t l = 0; l < 32; ++l)
          for (uint32_t i = 0; i < perWord; ++i) {
            uint32_t row = plan->transposed ? l % 4 * 2 + i : l / 4;
            uint32_t column = plan->transposed ? l / 4 : l % 4 * perWord + i;
            assert_int_equal(memory[rows[matrix * 8 + row] + column],
                             applyLayout(layout, first + matrix * perWord + i, l, w));
          }
    }
}

static void ldmatrixFeedsOperands(void **state) {
  (void)state;
  const int warps[] = {2, 2};
  for (int swizzle = 32; swizzle <= 128; swizzle *= 2)
    for (int64_t outer = 16; outer <= 64; outer *= 2)
      for (int64_t k = 16; k <= 64; k *= 2)
        for (int variant = 0; variant < 4; ++variant) {
          // A (M, K) and B (K, N), stored along K or along the other dimension.
          bool isA = variant / 2 == 0, alongK = variant % 2 == 0;
          const int64_t shape[] = {isA ? outer : k, isA ? k : outer};
          bool lastFast = isA == alongK;
          TileLayout operand =
              tileLayoutMmaOperand(2, shape, warps, isA ? TILE_DOT_A : TILE_DOT_B, 16);
          TileLayout shared =
              tileLayoutShared(2, shape, 2, lastFast ? NULL : firstFastest, swizzle);
          if (!tileLayoutIsValid(shared)) continue;
          TileLdmatrix plan;
          assert_true(tileLayoutSupportsLdmatrix(operand, shared, 2, &plan));
          assert_int_equal(plan.transposed, !alongK);
          assert_int_equal(plan.count, tileLayoutSize(operand, TILE_REGISTER) >= 8 ? 4 : 2);
          // The swizzle is there so that eight rows lie in different banks.
          assert_int_equal(plan.conflicts, 0);
          runLdmatrix(operand, shared, 2, &plan);
        }
}

/// What a loop over K does with its buffers, as tile-assign-layouts and tile-prefetch-operands
/// choose it: copies of 16 bytes a lane come in, parts of 16 along K go out by ldmatrix. Neither
/// has bank conflicts, and every part is read from its place.
static void stepsOfAMatmul(void **state) {
  (void)state;
  for (int variant = 0; variant < 4; ++variant)
    for (int64_t outer = 64; outer <= 256; outer *= 2)
      for (int64_t k = 32; k <= 64; k *= 2)
        for (int numWarps = 4; numWarps <= 8; numWarps *= 2) {
          bool isA = variant / 2 == 0, alongK = variant % 2 == 0, lastFast = isA == alongK;
          const int64_t shape[] = {isA ? outer : k, isA ? k : outer};
          const int *order = lastFast ? NULL : firstFastest;
          int64_t row = 2 * (alongK ? k : outer);
          TileLayout shared = tileLayoutShared(2, shape, 2, order, row >= 128 ? 128 : 64);
          TileLayout copies = tileLayoutCoalesced(2, shape, order, 8, numWarps);
          assert_int_equal(tileLayoutSharedVector(copies, shared, 2), 8);
          assert_int_equal(bankConflicts(copies, shared, 2, 8), 0);

          const int64_t part[] = {isA ? outer : 16, isA ? 16 : outer};
          const int64_t parts[] = {isA ? 1 : k / 16, isA ? k / 16 : 1};
          const int warps[] = {2, numWarps / 2};
          TileLayout operand =
              tileLayoutMmaOperand(2, part, warps, isA ? TILE_DOT_A : TILE_DOT_B, 16);
          TileLayout all =
              tileLayoutProduct(operand, tileLayoutIdentityBox(TILE_REGISTER, 2, parts, NULL));
          TileLdmatrix plan;
          assert_true(tileLayoutSupportsLdmatrix(all, shared, 2, &plan));
          assert_int_equal(plan.count, 4);
          assert_int_equal(plan.conflicts, 0);
          runLdmatrix(all, shared, 2, &plan);
          // Registers of part n hold what is n * 16 along K from those of part 0.
          uint32_t registers = tileLayoutSize(operand, TILE_REGISTER);
          for (uint32_t n = 0; n < (uint32_t)(k / 16); ++n) {
            uint64_t packed = applyLayout(all, n * registers, 0, 0);
            assert_int_equal(tileLayoutCoordinate(all, packed, isA ? 1 : 0), 16 * n);
            assert_int_equal(tileLayoutCoordinate(all, packed, isA ? 0 : 1), 0);
          }
        }
}

static void ldmatrixNeedsASwizzle(void **state) {
  (void)state;
  const int64_t shape[] = {64, 64};
  TileLayout operand = tileLayoutMmaOperand(2, shape, (const int[]){2, 2}, TILE_DOT_A, 16);
  TileLdmatrix plan;
  assert_true(
      tileLayoutSupportsLdmatrix(operand, tileLayoutShared(2, shape, 2, NULL, 0), 2, &plan));
  // Eight rows of 128 bytes in one bank group, for each of four matrices.
  assert_int_equal(plan.conflicts, 4 * 7);
}

static void ldmatrixOfOtherElements(void **state) {
  (void)state;
  // Bytes and tf32 move as 16-byte rows along K; across K they have no ldmatrix.
  for (int bytes = 1; bytes <= 4; bytes *= 4)
    for (int operand = TILE_DOT_A; operand <= TILE_DOT_B; ++operand) {
      const int64_t k = 128 / bytes,
                    shape[] = {operand == TILE_DOT_A ? 32 : k, operand == TILE_DOT_A ? k : 32};
      TileLayout layout =
          tileLayoutMmaOperand(2, shape, (const int[]){2, 2}, (TileDotOperand)operand, bytes * 8);
      const int *alongK = operand == TILE_DOT_A ? NULL : firstFastest;
      const int *across = operand == TILE_DOT_A ? firstFastest : NULL;
      TileLayout shared = tileLayoutShared(2, shape, bytes, alongK, 128);
      TileLdmatrix plan;
      assert_true(tileLayoutSupportsLdmatrix(layout, shared, bytes, &plan));
      assert_false(plan.transposed);
      assert_int_equal(plan.conflicts, 0);
      runLdmatrix(layout, shared, bytes, &plan);
      assert_false(tileLayoutSupportsLdmatrix(layout, tileLayoutShared(2, shape, bytes, across, 0),
                                              bytes, &plan));
    }
}

/// The four bytes that `selector` picks of two words.
static void permute(const uint64_t first[4], const uint64_t second[4], int selector,
                    uint64_t to[4]) {
  for (int i = 0; i < 4; ++i) {
    int from = selector >> 4 * i & 7;
    to[i] = from < 4 ? first[from] : second[from - 4];
  }
}

/// What lane `l` gets of a matrix, transposed, whose rows begin at rows[0 .. 7].
static void readTransposed(const uint64_t *memory, const uint32_t rows[8], uint32_t l,
                           uint64_t word[4]) {
  for (uint32_t i = 0; i < 4; ++i) word[i] = memory[rows[l % 4 * 2 + i / 2] + l / 4 * 2 + i % 2];
}

/// Carries out the plan of bytes that lie across, prmt and all, and compares each register.
static void runBytes(TileLayout layout, TileLayout shared, const TileLdmatrix *plan) {
  static uint64_t memory[1 << 14];
  for (uint32_t i = 0; i < tileLayoutSize(shared, TILE_OFFSET); ++i)
    memory[i] = tileLayoutApplyOffset(shared, i);
  uint32_t words = tileLayoutSize(layout, TILE_REGISTER) / 4, group = 1u << plan->words[0];
  if (plan->count == 4) group |= 1u << plan->words[1];
  for (uint32_t w = 0; w < tileLayoutSize(layout, TILE_WARP); ++w)
    for (uint32_t word = 0; word < words; ++word) {
      if (word & group) continue;
      uint64_t packed = applyLayout(plan->address, word * 4, 0, w);
      uint32_t rows[32];
      for (uint32_t l = 0; l < 32; ++l) {
        rows[l] = (uint32_t)tileLayoutCoordinate(plan->address, packed, TILE_OFFSET);
        for (int bit = 0; bit < 5; ++bit)
          if (l >> bit & 1) rows[l] ^= plan->laneOffset[bit];
        if (l < 8u * (uint32_t)plan->count) assert_int_equal(rows[l] % 16, 0);
      }
      for (uint32_t half = 0; half < (uint32_t)plan->count / 2; ++half)
        for (uint32_t l = 0; l < 32; ++l) {
          bool isCrossed = plan->crossed && (l & 2);
          uint32_t isSwapped = (uint32_t)__builtin_popcount(l & plan->swapped) & 1;
          uint64_t first[4], second[4], got[2][4];
          readTransposed(memory, rows + half * 16, l, first);
          readTransposed(memory, rows + half * 16 + 8, l, second);
          permute(first, second, isCrossed ? 0x2064 : 0x6420, got[isSwapped]);
          permute(first, second, isCrossed ? 0x3175 : 0x7531, got[1 - isSwapped]);
          for (uint32_t i = 0; i < 8; ++i) {
            uint32_t at = word | (half ? 1u << plan->words[1] : 0);
            at |= i / 4 ? 1u << plan->words[0] : 0;
            assert_int_equal(got[i / 4][i % 4], applyLayout(layout, at * 4 + i % 4, l, w));
          }
        }
    }
}

/// Bytes with the other dimension than K fastest, for operands in registers and to be turned round.
static void bytesAcrossComeByTwos(void **state) {
  (void)state;
  const int warps[] = {2, 2}, groups[] = {2, 1};
  for (int swizzle = 32; swizzle <= 128; swizzle *= 2)
    for (int64_t outer = 32; outer <= 128; outer *= 2)
      for (int64_t k = 32; k <= 128; k *= 2)
        for (int kind = 0; kind < 4; ++kind) {
          // A and B of mma.sync, A of wgmma, and B of wgmma as it is turned.
          bool isA = kind % 2 == 0;
          int dim = isA ? 0 : 1;
          const int64_t shape[] = {isA ? outer : k, isA ? k : outer};
          TileLayout straight =
              tileLayoutMmaOperand(2, shape, warps, isA ? TILE_DOT_A : TILE_DOT_B, 8);
          if (kind == 2) straight = tileLayoutWgmmaOperandA(shape, groups, 8);
          TileLayout layout =
              kind == 3 ? tileLayoutTurning(shape, 0, 8) : tileLayoutInterleave(straight, dim);
          TileLayout shared = tileLayoutShared(2, shape, 1, isA ? firstFastest : NULL, swizzle);
          TileLayout turned = tileLayoutShared(2, shape, 1, isA ? NULL : firstFastest, swizzle);
          if (!tileLayoutIsValid(shared) || !tileLayoutIsValid(layout)) continue;
          TileLdmatrix plan;
          if (kind < 3) assert_false(tileLayoutSupportsLdmatrix(straight, shared, 1, &plan));
          assert_true(tileLayoutIsSurjective(layout) && tileLayoutIsInterleaved(layout, dim));
          assert_true(tileLayoutSupportsLdmatrix(layout, shared, 1, &plan));
          assert_true(plan.transposed && plan.bytes && plan.count == 4);
          assert_int_equal(plan.conflicts, 0);
          runBytes(layout, shared, &plan);
          if (!tileLayoutIsValid(turned)) continue;
          assert_true(tileLayoutSupportsLdmatrix(layout, turned, 1, &plan));
          assert_false(plan.transposed || plan.bytes);
          if (kind == 3) assert_int_equal(plan.conflicts, 0);
          runLdmatrix(layout, turned, 1, &plan);
        }
}

/// Words with the other dimension than K fastest, which lanes of mma.sync read one by one: of a
/// tile of 16 or more, eight neighbours in each of four rows of K share banks, and spread ones do
/// not.
static void wordsAcrossAreSpreadOverBanks(void **state) {
  (void)state;
  const int warps[] = {2, 2};
  for (int64_t outer = 8; outer <= 128; outer *= 2)
    for (int64_t k = 8; k <= 64; k *= 2)
      for (int isA = outer < 32; isA < 2; ++isA) {
        TileDotOperand operand = isA ? TILE_DOT_A : TILE_DOT_B;
        const int64_t shape[] = {isA ? outer : k, isA ? k : outer}, sums[] = {outer, outer};
        const int ones[] = {1, 1}, *w = outer < 32 ? ones : warps, dim = isA ? 0 : 1;
        TileLayout plain = tileLayoutMma(2, sums, w), spread = tileLayoutSpreadBanks(plain, dim);
        TileLayout shared = tileLayoutShared(2, shape, 4, isA ? firstFastest : NULL,
                                             outer * 4 > 128 ? 128 : (int)outer * 4);
        assert_false(tileLayoutIsSpreadOverBanks(plain, dim));
        assert_int_equal(tileLayoutIsValid(spread), outer > 8);
        TileLayout straight = tileLayoutMmaOperandOf(plain, shape, operand, 32);
        if (!tileLayoutIsValid(straight)) continue;
        assert_int_equal(bankConflicts(straight, shared, 4, 1), outer > 8);
        if (outer == 8) continue;
        assert_true(tileLayoutIsSurjective(spread) && tileLayoutIsSpreadOverBanks(spread, dim));
        TileLayout layout = tileLayoutMmaOperandOf(spread, shape, operand, 32);
        assert_true(tileLayoutIsSurjective(layout) && tileLayoutIsSpreadOverBanks(layout, dim));
        assert_int_equal(bankConflicts(layout, shared, 4, 1), 0);
      }
}

/// An accumulator whose columns are interleaved has two neighbours of 16 bits in a thread, but not
/// in neighbouring registers.
static void neighboursAreJoined(void **state) {
  (void)state;
  const int64_t turned[] = {64, 16}, shape[] = {16, 64};
  TileLayout product = tileLayoutInterleave(tileLayoutWgmma(turned, (const int[]){1, 1}), 0);
  TileLayout held = tileLayoutTranspose(product, (const int[]){1, 0});
  TileLayout shared = tileLayoutShared(2, shape, 2, NULL, 128);
  int order[TILE_MAX_BITS];
  assert_int_equal(tileLayoutSharedVector(held, shared, 2), 1);
  TileLayout joined = tileLayoutSharedOrder(held, shared, 2, order);
  assert_int_equal(tileLayoutSharedVector(joined, shared, 2), 2);
  assert_int_equal(bankConflicts(joined, shared, 2, 2), 0);
  assert_int_equal(order[0], 1);
  assert_int_equal(order[1], 0);
  for (int bit = 2; bit < held.inBits[TILE_REGISTER]; ++bit) assert_int_equal(order[bit], bit);
  for (int bit = 0; bit < held.inBits[TILE_REGISTER]; ++bit)
    assert_int_equal(joined.bases[TILE_REGISTER][bit], held.bases[TILE_REGISTER][order[bit]]);
}

static void stmatrixStagesAnAccumulator(void **state) {
  (void)state;
  // An epilogue through a swizzled box of 64 columns: chunk c of row r at r * 128 + (c ^ r & 7) *
  // 16; lane l addresses row l mod 16, chunk 2 j + l / 16.
  const int64_t shape[] = {64, 64};
  TileLayout accumulator = tileLayoutWgmma(shape, (const int[]){1, 1});
  TileLayout shared = tileLayoutShared(2, shape, 2, NULL, 128);
  TileLdmatrix plan;
  assert_true(tileLayoutSupportsLdmatrix(accumulator, shared, 2, &plan));
  assert_int_equal(plan.count, 4);
  assert_int_equal(plan.conflicts, 0);
  runLdmatrix(accumulator, shared, 2, &plan);
  for (uint32_t w = 0; w < 4; ++w)
    for (uint32_t j = 0; j < 4; ++j)
      for (uint32_t l = 0; l < 32; ++l) {
        uint32_t row = 16 * w + l % 16, chunk = 2 * j + l / 16;
        uint64_t packed = applyLayout(plan.address, j * 8, 0, w);
        uint32_t offset = (uint32_t)tileLayoutCoordinate(plan.address, packed, TILE_OFFSET);
        for (int bit = 0; bit < 5; ++bit)
          if (l >> bit & 1) offset ^= plan.laneOffset[bit];
        assert_int_equal(offset * 2, row * 128 + (chunk ^ (row & 7)) * 16);
      }
}

/// A transposed product's columns lie along rows of the box: 64 rows, and the 8 that are left
/// of 72.
static void stmatrixStagesATransposedProduct(void **state) {
  (void)state;
  for (int64_t rows = 8; rows <= 64; rows *= 2) {
    const int64_t turned[] = {64, rows}, shape[] = {rows, 64};
    TileLayout product = tileLayoutWgmma(turned, (const int[]){1, 1});
    TileLayout held = tileLayoutTranspose(product, (const int[]){1, 0});
    TileLayout shared = tileLayoutShared(2, shape, 2, NULL, 128);
    TileLdmatrix plan;
    assert_true(tileLayoutSupportsLdmatrix(held, shared, 2, &plan));
    assert_true(plan.transposed);
    assert_int_equal(plan.count, rows == 8 ? 2 : 4);
    assert_int_equal(plan.conflicts, 0);
    runLdmatrix(held, shared, 2, &plan);
  }
}

static void ldmatrixRefusesOthers(void **state) {
  (void)state;
  const int64_t shape[] = {64, 64};
  TileLdmatrix plan;
  TileLayout shared = tileLayoutShared(2, shape, 2, NULL, 128);
  TileLayout blocked = tileLayoutCoalesced(2, shape, NULL, 8, 4);
  assert_false(tileLayoutSupportsLdmatrix(blocked, shared, 2, &plan));
  TileLayout operand = tileLayoutMmaOperand(2, shape, (const int[]){2, 2}, TILE_DOT_A, 16);
  assert_false(tileLayoutSupportsLdmatrix(operand, shared, 8, &plan));
  const int64_t other[] = {32, 64};
  assert_false(
      tileLayoutSupportsLdmatrix(operand, tileLayoutShared(2, other, 2, NULL, 128), 2, &plan));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tmaSwizzles),
      cmocka_unit_test(swizzleOfTheHeader),
      cmocka_unit_test(unswizzledAndOtherOrders),
      cmocka_unit_test(banksByHand),
      cmocka_unit_test(swizzleFreesColumns),
      cmocka_unit_test(foldedFreesRowsApart),
      cmocka_unit_test(conflictsBySimulation),
      cmocka_unit_test(ldmatrixFeedsOperands),
      cmocka_unit_test(stepsOfAMatmul),
      cmocka_unit_test(ldmatrixNeedsASwizzle),
      cmocka_unit_test(ldmatrixOfOtherElements),
      cmocka_unit_test(bytesAcrossComeByTwos),
      cmocka_unit_test(wordsAcrossAreSpreadOverBanks),
      cmocka_unit_test(neighboursAreJoined),
      cmocka_unit_test(stmatrixStagesAnAccumulator),
      cmocka_unit_test(stmatrixStagesATransposedProduct),
      cmocka_unit_test(ldmatrixRefusesOthers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
