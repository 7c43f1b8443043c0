// RUN: %unit/LayoutFamiliesTest
//===- LayoutFamiliesTest.c - who holds which element, exhaustively -------===//
//
// Every family, every shape up to 64 x 64, up to 4 warps, every position: against
// formulas written down here from the figures of the PTX ISA (groupID and
// threadID_in_group as they are called there), or from the definition of a blocked
// layout, never by way of bases.
//
//===----------------------------------------------------------------------===//
#include "Apply.h"
#include "tile/Layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Element {
  int64_t row, column;
} Element;

/// Where a test says that register `r` of `lane` of `warp` is.
typedef Element (*Formula)(const void *parameters, int r, int lane, int warp);

/// Compares all positions with the formula, and that every element is held.
static void check(TileLayout layout, const int64_t shape[2], int registers, int warps,
                  Formula formula, const void *parameters, const char *what) {
  if (!tileLayoutIsValid(layout) || (int)tileLayoutSize(layout, TILE_REGISTER) != registers ||
      (int)tileLayoutSize(layout, TILE_WARP) != warps || tileLayoutExtent(layout, 0) != shape[0] ||
      tileLayoutExtent(layout, 1) != shape[1] || layout.inBits[TILE_LANE] != TILE_LANE_BITS)
    fail_msg("%s: %d registers expected for %d x %d", what, registers, (int)shape[0],
             (int)shape[1]);
  static bool held[128 * 64];
  static uint64_t byRegister[128 * 64];
  memset(held, 0, sizeof held);
  for (int r = 0; r < registers; ++r)
    byRegister[r] = tileLayoutApplyDim(&layout, TILE_REGISTER, (uint32_t)r);
  for (int w = 0; w < warps; ++w)
    for (int l = 0; l < 32; ++l) {
      uint64_t thread = applyLayout(layout, 0, (uint32_t)l, (uint32_t)w);
      for (int r = 0; r < registers; ++r) {
        uint64_t at = thread ^ byRegister[r];
        Element element = formula(parameters, r, l, w);
        if (at != (uint64_t)(element.row * shape[1] + element.column))
          fail_msg("%s, %d x %d: register %d of lane %d of warp %d: expected (%d,%d), found "
                   "element %d",
                   what, (int)shape[0], (int)shape[1], r, l, w, (int)element.row,
                   (int)element.column, (int)at);
        held[at] = true;
      }
    }
  if (memchr(held, 0, (size_t)(shape[0] * shape[1]))) fail_msg("%s: elements without owner", what);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

typedef struct Blocked {
  int64_t shape[2];
  int size[2], threads[2], warps[2], order[2];
} Blocked;

/// Splits a counter into coordinates of a box, dimension order[0] fastest.
static void split(int counter, const int64_t box[2], const int order[2], int64_t at[2]) {
  at[order[0]] = counter % box[order[0]];
  at[order[1]] = counter / box[order[0]];
}

static Element blockedElement(const void *parameters, int r, int lane, int warp) {
  const Blocked *p = parameters;
  int64_t size[2], repeats[2], inThread[2], again[2], thread[2], inBlock[2], at[2];
  for (int d = 0; d < 2; ++d) {
    size[d] = smaller(p->size[d], p->shape[d]);
    int64_t whole = size[d] * p->threads[d] * p->warps[d];
    repeats[d] = p->shape[d] > whole ? p->shape[d] / whole : 1;
  }
  split(r % (int)(size[0] * size[1]), size, p->order, inThread);
  split(r / (int)(size[0] * size[1]), repeats, p->order, again);
  split(lane, (const int64_t[]){p->threads[0], p->threads[1]}, p->order, thread);
  split(warp, (const int64_t[]){p->warps[0], p->warps[1]}, p->order, inBlock);
  for (int d = 0; d < 2; ++d)
    at[d] = (inThread[d] +
             size[d] * (thread[d] + p->threads[d] * (inBlock[d] + p->warps[d] * again[d]))) %
            p->shape[d];
  return (Element){at[0], at[1]};
}

static int blockedRegisters(const Blocked *p) {
  int64_t registers = 1;
  for (int d = 0; d < 2; ++d) {
    int64_t size = smaller(p->size[d], p->shape[d]), whole = size * p->threads[d] * p->warps[d];
    registers *= size * (p->shape[d] > whole ? p->shape[d] / whole : 1);
  }
  return (int)registers;
}

static void blockedOfShape(int64_t m, int64_t n) {
  for (int s0 = 1; s0 <= 4; s0 *= 2)
    for (int s1 = 1; s1 <= 8; s1 *= 2)
      for (int t0 = 1; t0 <= 32; t0 *= 2)
        for (int w0 = 1; w0 <= 4; w0 *= 2)
          for (int fast = 0; fast < 2; ++fast) {
            Blocked p = {{m, n}, {s0, s1}, {t0, 32 / t0}, {w0, 4 / w0}, {fast, !fast}};
            TileLayout layout = tileLayoutBlocked(2, p.shape, p.size, p.threads, p.warps, p.order);
            check(layout, p.shape, blockedRegisters(&p), 4, blockedElement, &p, "blocked");
          }
}

static void blocked(void **state) {
  (void)state;
  for (int64_t m = 1; m <= 64; m *= 2)
    for (int64_t n = 1; n <= 64; n *= 2) blockedOfShape(m, n);
}

static void coalescedFeedsEveryThread(void **state) {
  (void)state;
  for (int64_t m = 1; m <= 64; m *= 2)
    for (int64_t n = 1; n <= 64; n *= 2)
      for (int vector = 1; vector <= 16; vector *= 2)
        for (int fast = 0; fast < 2; ++fast) {
          const int64_t shape[] = {m, n};
          const int order[] = {fast, !fast};
          TileLayout layout = tileLayoutCoalesced(2, shape, order, vector, 4);
          char text[200];
          assert_true(tileLayoutVerifyDistributed(layout, 2, shape, 4, text, sizeof text));
          // A vector as wide as was asked, unless that leaves threads without elements.
          int64_t width = smaller(vector, shape[fast]);
          while (width > 1 && m * n / width < 128) width /= 2;
          assert_int_equal(smaller(tileLayoutContiguous(layout, fast), width), width);
          // As many registers as elements need, or one.
          int64_t registers = m * n > 128 ? m * n / 128 : 1;
          if (shape[fast] >= width)
            assert_int_equal(tileLayoutSize(layout, TILE_REGISTER), registers);
          // Neighbouring lanes hold neighbouring vectors.
          if (shape[fast] > width) {
            uint64_t next = applyLayout(layout, 0, 1, 0);
            assert_int_equal(tileLayoutCoordinate(layout, next, fast), width);
          }
        }
}

static void coalescedOneAndThreeDimensions(void **state) {
  (void)state;
  const int64_t line[] = {1024};
  TileLayout layout = tileLayoutCoalesced(1, line, NULL, 4, 4);
  for (uint32_t i = 0; i < 1024; ++i) {
    uint32_t r = i % 4 + i / 512 * 4, lane = i / 4 % 32, warp = i / 128 % 4;
    assert_int_equal(applyLayout(layout, r, lane, warp), i);
  }
  const int64_t box[] = {4, 8, 16};
  layout = tileLayoutCoalesced(3, box, NULL, 4, 2);
  assert_true(tileLayoutIsSurjective(layout) && tileLayoutIsInjective(layout));
  assert_int_equal(tileLayoutContiguous(layout, 2), 4);
  // A tile of rank 0 is held by every lane.
  layout = tileLayoutCoalesced(0, NULL, NULL, 4, 4);
  assert_int_equal(tileLayoutFreeBits(layout, TILE_LANE), 31);
  assert_int_equal(tileLayoutFreeBits(layout, TILE_WARP), 3);
  assert_true(tileLayoutIsSurjective(layout));
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

typedef struct Mma {
  int64_t shape[2];
  int warps[2]; ///< of the accumulator
  int bits;
} Mma;

/// The part of `extent` that one warp owns, in elements, and which part warp `index` owns.
static int64_t owned(int64_t extent, int fragment, int warps) {
  int64_t part = extent / warps;
  return part < fragment ? fragment : part;
}

static int64_t firstOwned(int64_t extent, int fragment, int warps, int index) {
  int64_t part = owned(extent, fragment, warps);
  return index % (extent / part) * part;
}

static Element mmaElement(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int64_t m = owned(p->shape[0], 16, p->warps[0]), n = owned(p->shape[1], 8, p->warps[1]);
  (void)m;
  int groupID = lane >> 2, threadInGroup = lane % 4;
  // m16n8, .f32 accumulators c0..c3.
  int i = r % 4;
  int64_t tile = r / 4;
  int row = i < 2 ? groupID : groupID + 8, column = threadInGroup * 2 + (i & 1);
  int64_t tilesAcross = n / 8;
  return (Element){firstOwned(p->shape[0], 16, p->warps[0], warp / p->warps[1]) +
                       tile / tilesAcross * 16 + row,
                   firstOwned(p->shape[1], 8, p->warps[1], warp % p->warps[1]) +
                       tile % tilesAcross * 8 + column};
}

static void mmaAccumulator(void **state) {
  (void)state;
  for (int64_t m = 16; m <= 64; m *= 2)
    for (int64_t n = 8; n <= 64; n *= 2)
      for (int w0 = 1; w0 <= 4; w0 *= 2)
        for (int w1 = 1; w0 * w1 <= 4; w1 *= 2) {
          Mma p = {{m, n}, {w0, w1}, 32};
          int64_t registers = owned(m, 16, w0) * owned(n, 8, w1) / 32;
          TileLayout layout = tileLayoutMma(2, p.shape, p.warps);
          check(layout, p.shape, (int)registers, w0 * w1, mmaElement, &p, "mma accumulator");
          // Warps repeat where the tile has no fragment left for them.
          int warps[TILE_MAX_RANK];
          tileLayoutWarps(layout, warps);
          assert_int_equal(warps[0], w0 * 16 <= m ? w0 : m / 16);
          assert_int_equal(warps[1], w1 * 8 <= n ? w1 : n / 8);
        }
}

/// Row and column inside one fragment of A; the figures for .f16 m16n8k16, .u8 m16n8k32 and .tf32
/// m16n8k8.
static Element fragmentA(int bits, int i, int groupID, int threadInGroup) {
  switch (bits) {
  case 16:
    return (Element){(i >= 0 && i < 2) || (i >= 4 && i < 6) ? groupID : groupID + 8,
                     i < 4 ? threadInGroup * 2 + (i & 1) : threadInGroup * 2 + (i & 1) + 8};
  case 8:
    return (Element){(i >= 0 && i < 4) || (i >= 8 && i < 12) ? groupID : groupID + 8,
                     i < 8 ? threadInGroup * 4 + (i & 3) : threadInGroup * 4 + (i & 3) + 16};
  case 64:
    return (Element){i == 0 ? groupID : groupID + 8, threadInGroup};
  default:
    return (Element){i == 0 || i == 2 ? groupID : groupID + 8,
                     i < 2 ? threadInGroup : threadInGroup + 4};
  }
}

static Element fragmentB(int bits, int i, int groupID, int threadInGroup) {
  switch (bits) {
  case 16:
    return (Element){i < 2 ? threadInGroup * 2 + (i & 1) : threadInGroup * 2 + (i & 1) + 8,
                     groupID};
  case 8:
    return (Element){i < 4 ? threadInGroup * 4 + (i & 3) : threadInGroup * 4 + (i & 3) + 16,
                     groupID};
  case 64:
    return (Element){threadInGroup, groupID};
  default:
    return (Element){i == 0 ? threadInGroup : threadInGroup + 4, groupID};
  }
}

/// Of f64, a lane's four of each 16 of K follow each other.
static int64_t inQuads(const Mma *p, int64_t extent, int64_t k) {
  return p->bits == 64 && extent >= 16 ? (k & ~(int64_t)15) | (k & 3) << 2 | (k >> 2 & 3) : k;
}

static Element operandAElement(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int64_t k = 256 / p->bits, perFragment = 16 * k / 32, tilesAcross = p->shape[1] / k;
  Element e = fragmentA(p->bits, (int)(r % perFragment), lane >> 2, lane % 4);
  int64_t tile = r / perFragment;
  return (Element){firstOwned(p->shape[0], 16, p->warps[0], warp / p->warps[1]) +
                       tile / tilesAcross * 16 + e.row,
                   inQuads(p, p->shape[1], tile % tilesAcross * k + e.column)};
}

static Element operandBElement(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int64_t k = 256 / p->bits, perFragment = 8 * k / 32, tilesDown = p->shape[0] / k;
  Element e = fragmentB(p->bits, (int)(r % perFragment), lane >> 2, lane % 4);
  int64_t tile = r / perFragment;
  return (Element){inQuads(p, p->shape[0], tile % tilesDown * k + e.row),
                   firstOwned(p->shape[1], 8, p->warps[1], warp % p->warps[1]) +
                       tile / tilesDown * 8 + e.column};
}

static void mmaOperands(void **state) {
  (void)state;
  for (int bits = 8; bits <= 64; bits *= 2)
    for (int64_t outer = 8; outer <= 64; outer *= 2)
      for (int64_t k = 256 / bits; k <= 64; k *= 2)
        for (int w0 = 1; w0 <= 4; w0 *= 2)
          for (int w1 = 1; w0 * w1 <= 4; w1 *= 2) {
            Mma a = {{outer, k}, {w0, w1}, bits}, b = {{k, outer}, {w0, w1}, bits};
            if (outer >= 16)
              check(tileLayoutMmaOperand(2, a.shape, a.warps, TILE_DOT_A, bits), a.shape,
                    (int)(owned(outer, 16, w0) * k / 32), w0 * w1, operandAElement, &a,
                    "mma operand A");
            check(tileLayoutMmaOperand(2, b.shape, b.warps, TILE_DOT_B, bits), b.shape,
                  (int)(owned(outer, 8, w1) * k / 32), w0 * w1, operandBElement, &b,
                  "mma operand B");
          }
}

/// Of less than a fragment: the registers that the tile has, lanes that repeat.
static Element fewElement(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int columns = p->shape[1] < 2 ? 1 : 2;
  (void)warp;
  return (Element){(lane >> 2) % p->shape[0], (lane % 4 * 2 + r % columns) % p->shape[1]};
}

/// The registers of A are those of 16 rows but for every second word.
static Element fewOfA(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int perWord = p->bits < 32 ? 32 / p->bits : 1;
  Mma whole = {{16, p->shape[1]}, {p->warps[0], p->warps[1]}, p->bits};
  Element e = operandAElement(&whole, r / perWord * 2 * perWord + r % perWord, lane, warp);
  return (Element){e.row % p->shape[0], e.column};
}

static void mmaOfFew(void **state) {
  (void)state;
  for (int64_t m = 1; m <= 8; m *= 2) {
    for (int64_t n = 1; n <= 8; n *= 2) {
      Mma p = {{m, n}, {1, 1}, 32};
      check(tileLayoutMma(2, p.shape, p.warps), p.shape, n < 2 ? 1 : 2, 1, fewElement, &p,
            "mma of few");
    }
    for (int bits = 8; bits <= 64; bits *= 2) {
      Mma p = {{m, 64}, {1, 1}, bits};
      check(tileLayoutMmaOperand(2, p.shape, p.warps, TILE_DOT_A, bits), p.shape, 8 * 64 / 32, 1,
            fewOfA, &p, "mma operand A of few");
    }
  }
}

/// A product by FMA: `edges` neighbouring rows and columns a thread, 4 x 8 of them a warp, whose
/// lanes go along M and N in turn.
typedef struct {
  int64_t shape[2];
  int edges[2], warps[2];
} FmaParameters;

static Element fmaElement(const void *parameters, int r, int lane, int warp) {
  const FmaParameters *p = parameters;
  int m = p->edges[0], n = p->edges[1];
  int row = (lane & 1) + (lane >> 2 & 1) * 2, column = (lane >> 1 & 1) + (lane >> 3) * 2;
  int boxM = m * 4 * p->warps[0], boxN = n * 8 * p->warps[1];
  int inBox = r % (m * n), box = r / (m * n), across = (int)(p->shape[1] / boxN);
  return (Element){.row = box / across * boxM + (warp / p->warps[1] * 4 + row) * m + inBox / n,
                   .column =
                       box % across * boxN + (warp % p->warps[1] * 8 + column) * n + inBox % n};
}

static void fma_(void **state) {
  (void)state;
  for (int m = 1; m <= 4; m *= 2)
    for (int n = 1; n <= 4; n *= 2)
      for (int warps = 1; warps <= 4; warps *= 2) {
        FmaParameters p = {
            .shape = {64, 64}, .edges = {m, n}, .warps = {warps > 1 ? 2 : 1, warps > 2 ? 2 : 1}};
        int count = p.warps[0] * p.warps[1];
        check(tileLayoutFma(2, p.shape, p.edges, p.warps), p.shape, 64 * 64 / 32 / count, count,
              fmaElement, &p, "fma");
      }
  // In batches, the first dimension is one of registers.
  const int64_t shape[] = {2, 16, 16};
  TileLayout batches = tileLayoutFma(3, shape, (const int[]){2, 2}, (const int[]){1, 2, 1});
  assert_int_equal(tileLayoutSize(batches, TILE_REGISTER), 8);
  assert_int_equal(tileLayoutCoordinate(batches, batches.bases[TILE_REGISTER][2], 0), 1);
  assert_false(tileLayoutIsValid(tileLayoutFma(1, shape, (const int[]){1, 1}, (const int[]){1})));
  assert_false(
      tileLayoutIsValid(tileLayoutFma(2, shape, (const int[]){3, 1}, (const int[]){1, 1})));
}

/// Of an operand a thread has the rows (dim 0) or columns of its sums, each once, and all of K.
static void checkFmaOperand(TileLayout acc, int dim, bool depthFirst) {
  enum { DEPTH_BITS = 2, DEPTH = 1 << DEPTH_BITS };
  TileLayout o = tileLayoutFmaOperand(acc, dim, 1 - dim, DEPTH_BITS, depthFirst);
  assert_true(tileLayoutIsValid(o));
  int sums = (int)tileLayoutSize(acc, TILE_REGISTER);
  int registers = (int)tileLayoutSize(o, TILE_REGISTER);
  for (int warp = 0; warp < (int)tileLayoutSize(acc, TILE_WARP); ++warp)
    for (int lane = 0; lane < 32; ++lane) {
      bool wanted[64] = {false}, found[64][DEPTH] = {{false}};
      for (int r = 0; r < sums; ++r)
        wanted[tileLayoutCoordinate(acc, applyLayout(acc, r, lane, warp), dim)] = true;
      for (int r = 0; r < registers; ++r) {
        uint64_t at = applyLayout(o, r, lane, warp);
        int64_t row = tileLayoutCoordinate(o, at, dim), k = tileLayoutCoordinate(o, at, 1 - dim);
        assert_true(wanted[row] && !found[row][k]);
        found[row][k] = true;
        if (depthFirst) assert_int_equal(k, r % DEPTH);
      }
      for (int i = 0; i < 64; ++i)
        for (int k = 0; k < DEPTH; ++k) assert_int_equal(found[i][k], wanted[i]);
    }
}

static void fmaOperands(void **state) {
  (void)state;
  const int64_t shape[] = {64, 64};
  for (int edge = 1; edge <= 4; edge *= 4)
    for (int dim = 0; dim < 2; ++dim) {
      TileLayout acc = tileLayoutFma(2, shape, (const int[]){edge, 4}, (const int[]){2, 2});
      checkFmaOperand(acc, dim, true);
      checkFmaOperand(acc, dim, false);
    }
}

static void mmaInBatches(void **state) {
  (void)state;
  // Each batch is the 2-D layout; the batch follows in registers, then in warps.
  for (int wb = 1; wb <= 4; wb *= 2) {
    const int warps[] = {wb, 2, 1};
    const int64_t shape[] = {4, 32, 16};
    TileLayout layout = tileLayoutMma(3, shape, warps);
    TileLayout one = tileLayoutMma(2, shape + 1, warps + 1);
    uint32_t inOne = tileLayoutSize(one, TILE_REGISTER);
    assert_int_equal(tileLayoutSize(layout, TILE_REGISTER), inOne * 4 / (uint32_t)wb);
    for (uint32_t r = 0; r < tileLayoutSize(layout, TILE_REGISTER); ++r)
      for (uint32_t l = 0; l < 32; ++l)
        for (uint32_t w = 0; w < (uint32_t)wb * 2; ++w) {
          uint64_t batch = r / inOne + w / 2 * (4 / (uint32_t)wb);
          assert_int_equal(applyLayout(layout, r, l, w),
                           batch * 512 + applyLayout(one, r % inOne, l, w % 2));
        }
    // Operand A is (batch, M, K): warps along N do not exist here, so the same arrangement.
    TileLayout a = tileLayoutMmaOperand(3, shape, warps, TILE_DOT_A, 16);
    TileLayout oneA = tileLayoutMmaOperand(2, shape + 1, warps + 1, TILE_DOT_A, 16);
    uint32_t inA = tileLayoutSize(oneA, TILE_REGISTER);
    for (uint32_t r = 0; r < tileLayoutSize(a, TILE_REGISTER); ++r)
      for (uint32_t w = 0; w < (uint32_t)wb * 2; ++w) {
        uint64_t batch = r / inA + w / 2 * (4 / (uint32_t)wb);
        assert_int_equal(applyLayout(a, r, 7, w),
                         batch * 512 + applyLayout(oneA, r % inA, 7, w % 2));
      }
  }
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static Element wgmmaElement(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int64_t n = owned(p->shape[1], 8, p->warps[1]);
  int64_t d = r % (n / 2), tile = r / (n / 2);
  int group = warp / 4;
  // m64nN: d(i) of the figure.
  int64_t row = 16 * (int64_t)(warp % 4) + lane / 4 + 8 * (d / 2 % 2);
  int64_t column = 8 * (d / 4) + 2 * (int64_t)(lane % 4) + d % 2;
  return (Element){firstOwned(p->shape[0], 64, p->warps[0], group / p->warps[1]) + 64 * tile + row,
                   firstOwned(p->shape[1], 8, p->warps[1], group % p->warps[1]) + column};
}

static Element wgmmaAElement(const void *parameters, int r, int lane, int warp) {
  const Mma *p = parameters;
  int64_t k = 256 / p->bits, perFragment = 16 * k / 32, tilesAcross = p->shape[1] / k;
  int64_t tile = r / perFragment, rowOfWarp = 16 * (int64_t)(warp % 4);
  int group = warp / 4;
  Element e = fragmentA(p->bits, (int)(r % perFragment), lane >> 2, lane % 4);
  return (Element){firstOwned(p->shape[0], 64, p->warps[0], group / p->warps[1]) +
                       tile / tilesAcross * 64 + rowOfWarp + e.row,
                   inQuads(p, p->shape[1], tile % tilesAcross * k + e.column)};
}

static void wgmma(void **state) {
  (void)state;
  for (int64_t m = 64; m <= 128; m *= 2)
    for (int64_t n = 8; n <= 64; n *= 2)
      for (int w0 = 1; w0 <= 2; ++w0)
        for (int w1 = 1; w1 <= 2; ++w1) {
          Mma p = {{m, n}, {w0, w1}, 32};
          int64_t tiles = owned(m, 64, w0) / 64;
          check(tileLayoutWgmma(p.shape, p.warps), p.shape, (int)(tiles * owned(n, 8, w1) / 2),
                4 * w0 * w1, wgmmaElement, &p, "wgmma accumulator");
          for (int bits = 8; bits <= 32; bits *= 2) {
            Mma a = {{m, n}, {w0, w1}, bits};
            if (n >= 256 / bits)
              check(tileLayoutWgmmaOperandA(a.shape, a.warps, bits), a.shape, (int)(tiles * n / 2),
                    4 * w0 * w1, wgmmaAElement, &a, "wgmma operand A");
          }
        }
  // The tile of a Hopper matmul: 128 x 256 over two consumer groups.
  Mma p = {{128, 256}, {2, 1}, 32};
  TileLayout layout = tileLayoutWgmma(p.shape, p.warps);
  assert_int_equal(tileLayoutSize(layout, TILE_REGISTER), 128);
  for (int w = 0; w < 8; ++w)
    for (int l = 0; l < 32; ++l)
      for (int r = 0; r < 128; ++r) {
        Element e = wgmmaElement(&p, r, l, w);
        assert_int_equal(applyLayout(layout, (uint32_t)r, (uint32_t)l, (uint32_t)w),
                         e.row * 256 + e.column);
      }
}

//===----------------------------------------------------------------------===//
// Shape operations: the element at each position, renamed as the operation does
//===----------------------------------------------------------------------===//

#define FOR_POSITIONS(layout)                                                                      \
  for (uint32_t w = 0; w < tileLayoutSize(layout, TILE_WARP); ++w)                                 \
    for (uint32_t l = 0; l < 32; ++l)                                                              \
      for (uint32_t r = 0; r < tileLayoutSize(layout, TILE_REGISTER); ++r)

static TileLayout example(void) {
  return tileLayoutMma(2, (const int64_t[]){32, 16}, (const int[]){2, 1});
}

static void sliceErases(void **state) {
  (void)state;
  TileLayout parent = example();
  for (int dim = 0; dim < 2; ++dim) {
    TileLayout slice = tileLayoutSlice(parent, dim);
    FOR_POSITIONS(parent)
    assert_int_equal(applyLayout(slice, r, l, w),
                     tileLayoutCoordinate(parent, applyLayout(parent, r, l, w), 1 - dim));
    uint32_t freeBits;
    TileLayout compact = tileLayoutRemoveFreeRegisters(slice, &freeBits);
    assert_true(tileLayoutEqual(compact, tileLayoutSliceCompact(parent, dim)));
    assert_int_equal(tileLayoutFreeBits(compact, TILE_REGISTER), 0);
    FOR_POSITIONS(compact)
    assert_int_equal(applyLayout(compact, r, l, w),
                     applyLayout(slice, tileDepositBits(r, ~freeBits), l, w));
  }
}

static void expandAndBroadcast(void **state) {
  (void)state;
  TileLayout parent = example();
  for (int dim = 0; dim < 2; ++dim) {
    TileLayout expanded = tileLayoutExpandDims(tileLayoutSlice(parent, dim), dim);
    assert_int_equal(expanded.rank, 2);
    assert_int_equal(tileLayoutExtent(expanded, dim), 1);
    FOR_POSITIONS(expanded)
    assert_int_equal(tileLayoutCoordinate(expanded, applyLayout(expanded, r, l, w), 1 - dim),
                     tileLayoutCoordinate(parent, applyLayout(parent, r, l, w), 1 - dim));
    // Backward, the operand is the result without the broadcast dimension.
    int64_t shape[] = {32, 16};
    TileLayout wide = tileLayoutBroadcast(expanded, shape);
    shape[dim] = 1;
    assert_true(tileLayoutEqual(tileLayoutBroadcastBackward(parent, shape), expanded));
    // Forward, every element is held, by who held its operand.
    assert_true(tileLayoutIsSurjective(wide));
    uint32_t mask = tileLayoutSize(expanded, TILE_REGISTER) - 1;
    FOR_POSITIONS(wide)
    assert_int_equal(
        tileLayoutCoordinate(wide, applyLayout(wide, r, l, w), 1 - dim),
        tileLayoutCoordinate(expanded, applyLayout(expanded, r & mask, l, w), 1 - dim));
  }
  // Where nothing is free, registers are added.
  TileLayout column = tileLayoutCoalesced(2, (const int64_t[]){64, 1}, NULL, 1, 2);
  TileLayout wide = tileLayoutBroadcast(column, (const int64_t[]){64, 8});
  assert_int_equal(tileLayoutSize(wide, TILE_REGISTER), 8);
  FOR_POSITIONS(wide) { assert_int_equal(applyLayout(wide, r, l, w), (w * 32 + l) * 8 + r); }
  assert_false(tileLayoutIsValid(tileLayoutBroadcast(example(), (const int64_t[]){64, 16})));
  assert_false(
      tileLayoutIsValid(tileLayoutBroadcastBackward(example(), (const int64_t[]){16, 16})));
}

static void transposeRenames(void **state) {
  (void)state;
  TileLayout box = tileLayoutCoalesced(3, (const int64_t[]){4, 8, 16}, NULL, 4, 2);
  const int order[] = {2, 0, 1};
  TileLayout turned = tileLayoutTranspose(box, order);
  FOR_POSITIONS(box) {
    uint64_t from = applyLayout(box, r, l, w), to = applyLayout(turned, r, l, w);
    for (int d = 0; d < 3; ++d)
      assert_int_equal(tileLayoutCoordinate(turned, to, d),
                       tileLayoutCoordinate(box, from, order[d]));
  }
  assert_true(tileLayoutEqual(tileLayoutTransposeBackward(turned, order), box));
}

static void lowerRegistersGivesAThreadNeighbours(void **state) {
  (void)state;
  // 32 columns, 8 lanes of 4; of 64 rows 4 lanes, 4 warps, 4 registers.
  TileLayout tile = tileLayoutCoalesced(2, (const int64_t[]){64, 32}, NULL, 4, 4);
  TileLayout runs = tileLayoutLowerRegisters(tile, 0);
  char text[200];
  assert_true(
      tileLayoutVerifyDistributed(runs, 2, (const int64_t[]){64, 32}, 4, text, sizeof text));
  FOR_POSITIONS(runs) {
    uint64_t at = applyLayout(runs, r, l, w);
    assert_int_equal(tileLayoutCoordinate(runs, at, 0), (w * 4 + l / 8) * 4 + r / 4);
    assert_int_equal(tileLayoutCoordinate(runs, at, 1), l % 8 * 4 + r % 4);
  }
  // Those that have no registers, or have them below all others, stay as they are.
  assert_true(tileLayoutEqual(tileLayoutLowerRegisters(tile, 1), tile));
  assert_true(tileLayoutEqual(tileLayoutLowerRegisters(runs, 0), runs));
}

static void reshapeKeepsTheRowMajorIndex(void **state) {
  (void)state;
  TileLayout layout = example();
  TileLayout flat = tileLayoutReshape(layout, 3, (const int64_t[]){4, 64, 2});
  assert_int_equal(flat.rank, 3);
  FOR_POSITIONS(layout) {
    uint64_t at = applyLayout(flat, r, l, w);
    int64_t index =
        (tileLayoutCoordinate(flat, at, 0) * 64 + tileLayoutCoordinate(flat, at, 1)) * 2 +
        tileLayoutCoordinate(flat, at, 2);
    assert_int_equal(index, applyLayout(layout, r, l, w));
  }
}

static void joinSplitCat(void **state) {
  (void)state;
  TileLayout part = example();
  TileLayout joined = tileLayoutJoin(part);
  FOR_POSITIONS(joined) {
    uint64_t at = applyLayout(joined, r, l, w);
    assert_int_equal(tileLayoutCoordinate(joined, at, 2), r % 2);
    assert_int_equal(at / 2, applyLayout(part, r / 2, l, w));
  }
  int bit = -1;
  assert_true(tileLayoutEqual(tileLayoutSplit(joined, &bit), part));
  assert_int_equal(bit, 0);
  // Lanes that tell the halves apart cannot split.
  TileLayout lanes = tileLayoutCoalesced(2, (const int64_t[]){64, 2}, NULL, 1, 4);
  assert_false(tileLayoutIsValid(tileLayoutSplit(lanes, &bit)));
  for (int dim = 0; dim < 2; ++dim) {
    TileLayout longer = tileLayoutCat(part, dim);
    uint32_t half = tileLayoutSize(part, TILE_REGISTER);
    FOR_POSITIONS(longer) {
      uint64_t at = applyLayout(longer, r, l, w);
      uint64_t from = applyLayout(part, r % half, l, w);
      for (int d = 0; d < 2; ++d)
        assert_int_equal(tileLayoutCoordinate(longer, at, d),
                         tileLayoutCoordinate(part, from, d) +
                             (d == dim && r >= half ? tileLayoutExtent(part, d) : 0));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocked),
      cmocka_unit_test(coalescedFeedsEveryThread),
      cmocka_unit_test(coalescedOneAndThreeDimensions),
      cmocka_unit_test(mmaAccumulator),
      cmocka_unit_test(mmaOperands),
      cmocka_unit_test(mmaOfFew),
      cmocka_unit_test(fma_),
      cmocka_unit_test(fmaOperands),
      cmocka_unit_test(mmaInBatches),
      cmocka_unit_test(wgmma),
      cmocka_unit_test(sliceErases),
      cmocka_unit_test(expandAndBroadcast),
      cmocka_unit_test(transposeRenames),
      cmocka_unit_test(lowerRegistersGivesAThreadNeighbours),
      cmocka_unit_test(reshapeKeepsTheRowMajorIndex),
      cmocka_unit_test(joinSplitCat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
