// RUN: %unit/PtxWgmmaTest
//===- PtxWgmmaTest.c - wgmma against plain products ----------------------===//
//
// Matrices are laid out in shared memory by PTX ISA's table of canonical layouts, as CuTe writes
// them: nested shapes and strides of elements, T of which are 16 bytes, and a Swizzle<B, 4, 3> of
// the byte's address. The strides between the repeated parts are drawn at random.
//===----------------------------------------------------------------------===//
#include "../../../Support/Ptx/Matrix.h"
#include "../../../Support/Ptx/Numbers.h"
#include "Random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LANES = 32, WARPS = 4, ROWS = 64, DEPTH = 32, COLUMNS = 256, REGISTERS = 128 };
enum { SHARED = 1 << 18 };

static uint8_t bytes[SHARED], written[SHARED];
static double a[ROWS][DEPTH], b[DEPTH][COLUMNS], c[ROWS][COLUMNS];
static uint32_t sums[WARPS][REGISTERS][LANES], factors[WARPS][4][LANES];

//===- Elements -----------------------------------------------------------===//

typedef struct Type {
  const char *name;
  PtxFormat format; ///< PTX_FORMATS of integers
  bool isSigned;
  int bits;
} Type;

static const Type f16 = {"f16", PTX_F16, false, 16}, bf16 = {"bf16", PTX_BF16, false, 16},
                  tf32 = {"tf32", PTX_TF32, false, 32}, e4m3 = {"e4m3", PTX_E4M3, false, 8},
                  e5m2 = {"e5m2", PTX_E5M2, false, 8}, s8 = {"s8", PTX_FORMATS, true, 8},
                  u8 = {"u8", PTX_FORMATS, false, 8}, f32 = {"f32", PTX_F32, false, 32},
                  s32 = {"s32", PTX_FORMATS, true, 32};

static uint32_t makeElement(const Type *type, double *value) {
  if (type->format == PTX_FORMATS) {
    const uint8_t bits = (uint8_t)nextRandom();
    *value = type->isSigned ? (int8_t)bits : bits;
    return type->bits == 32 ? (uint32_t)(int32_t)(int8_t)bits : bits;
  }
  const double wanted = ((double)randomBelow(1 << 20) - (1 << 19)) / (1 << 18);
  const uint32_t bits = (uint32_t)ptxEncode(type->format, wanted, PTX_RN, false);
  *value = ptxDecode(type->format, bits);
  return bits;
}

//===- Shared memory ------------------------------------------------------===//

/// How a matrix lies: its major dimension, its swizzle's bits, and LBO and SBO in bytes.
typedef struct Place {
  bool isMnMajor;
  int swizzleBits;
  uint32_t start, leading, stride;
} Place;

/// Element (mn, k): the canonical layouts, row by row of the table.
static uint32_t findElement(const Place *p, const Type *type, uint32_t mn, uint32_t k) {
  const uint32_t size = (uint32_t)type->bits / 8, t = 16 / size, lbo = p->leading / size,
                 sbo = p->stride / size, w = 1u << p->swizzleBits;
  uint32_t at;
  if (p->isMnMajor && !p->swizzleBits) // ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
    at = mn % t + mn / t * sbo + k % 8 * t + k / 8 * lbo;
  else if (p->isMnMajor) // ((T,w,m),(8,k)):((1,T,LBO),(wT,SBO))
    at = mn % t + mn / t % w * t + mn / t / w * lbo + k % 8 * w * t + k / 8 * sbo;
  else if (!p->swizzleBits) // ((8,m),(T,2k)):((1T,SBO),(1,LBO))
    at = mn % 8 * t + mn / 8 * sbo + k % t + k / t * lbo;
  else // ((8,m),(T,2k)):((wT,SBO),(1,T))
    at = mn % 8 * w * t + mn / 8 * sbo + k % t + k / t * t;
  const uint32_t address = p->start + at * size, mask = w - 1;
  return address ^ (address >> 7 & mask) << 4;
}

/// Strides under which no two elements of mn x k meet.
static Place choosePlace(const Type *type, bool isMnMajor, int swizzleBits, uint32_t mn,
                         uint32_t start) {
  const uint32_t w = 1u << swizzleBits, atom = 8 * 16 * w, extra = randomBelow(3) * atom;
  const uint32_t size = (uint32_t)type->bits / 8, parts = (mn * size + 16 * w - 1) / (16 * w);
  Place p = {.isMnMajor = isMnMajor, .swizzleBits = swizzleBits, .start = start};
  if (isMnMajor && swizzleBits && parts > 1 && nextRandom() % 2) {
    p.stride = atom + extra, p.leading = 2 * p.stride; // k inside of mn
  } else if (isMnMajor && swizzleBits) {
    p.leading = atom + extra, p.stride = parts * p.leading;
  } else if (isMnMajor) {
    p.stride = atom + extra, p.leading = parts * p.stride;
  } else if (!swizzleBits) {
    p.stride = atom + extra, p.leading = mn / 8 * p.stride;
  } else {
    p.stride = atom + extra;
    p.leading = randomBelow(1 << 14) << 4; // not looked at
    // Along k a swizzled row has room for more than an instruction takes: start anywhere in it.
    p.start += randomBelow(w / 2) * 32;
  }
  return p;
}

static uint64_t describe(const Place *p) {
  static const uint64_t modes[] = {0, 3, 2, 1};
  return p->start >> 4 | (uint64_t)(p->leading >> 4) << 16 | (uint64_t)(p->stride >> 4) << 32 |
         modes[p->swizzleBits] << 62;
}

static void putElement(const Place *p, const Type *type, int mn, int k, uint32_t bits) {
  const uint32_t at = findElement(p, type, (uint32_t)mn, (uint32_t)k);
  assert_true(at + (uint32_t)type->bits / 8 <= SHARED && !written[at]);
  memcpy(bytes + at, &bits, (size_t)type->bits / 8);
  memset(written + at, 1, (size_t)type->bits / 8);
}

//===- One product --------------------------------------------------------===//

typedef struct Case {
  const Type *a, *b, *d;
  int n;
  bool registersA, scaleD, negateA, negateB, mnMajorA, mnMajorB, saturates;
  int swizzleA, swizzleB;
} Case;

/// a in registers: figures of m64nNk16, k8 and k32. A lane has runs of 32 bits along k.
static void putFactor(const Type *type, int row, int k, uint32_t bits) {
  const int each = 32 / type->bits, run = k / each;
  const int lane = row % 8 * 4 + run % 4, place = (row / 8 % 2) + run / 4 * 2;
  factors[row / 16][place][lane] |= bits << (k % each * type->bits);
}

/// Where element (row, column) of d is: a register, a lane, and a half of f16.
static uint32_t *findSum(const Type *type, int row, int column, int *half) {
  const int lane = row % 8 * 4 + column % 8 / 2;
  const int i = column / 8 * 4 + row / 8 % 2 * 2 + column % 2;
  *half = type->bits == 16 ? i % 2 : 0;
  return &sums[row / 16][type->bits == 16 ? i / 2 : i][lane];
}

static void fill(const Case *t, int depth, const Place *placeA, const Place *placeB) {
  memset(written, 0, sizeof written);
  memset(sums, 0, sizeof sums);
  memset(factors, 0, sizeof factors);
  for (int row = 0; row < ROWS; ++row)
    for (int k = 0; k < depth; ++k) {
      const uint32_t bits = makeElement(t->a, &a[row][k]);
      if (t->registersA)
        putFactor(t->a, row, k, bits);
      else
        putElement(placeA, t->a, row, k, bits);
    }
  for (int k = 0; k < depth; ++k)
    for (int n = 0; n < t->n; ++n) putElement(placeB, t->b, n, k, makeElement(t->b, &b[k][n]));
  for (int row = 0; row < ROWS; ++row)
    for (int n = 0; n < t->n; ++n) {
      int half;
      uint32_t *at = findSum(t->d, row, n, &half);
      uint32_t bits = makeElement(t->d, &c[row][n]);
      // Integers near the end of their range.
      if (t->d == &s32 && (row + n) % 3 == 0) bits = 0x7fffff00u, c[row][n] = bits;
      *at |= bits << (16 * half);
    }
}

static double getWanted(const Case *t, int depth, int row, int n, double *size) {
  double wanted = t->scaleD ? c[row][n] : 0;
  const double sign = t->negateA != t->negateB && t->d != &s32 ? -1 : 1;
  *size = fabs(wanted);
  for (int k = 0; k < depth; ++k) {
    wanted += sign * a[row][k] * b[k][n];
    *size += fabs(a[row][k] * b[k][n]);
  }
  if (t->d != &s32) return wanted;
  *size = 0;
  return t->saturates ? fmin(fmax(wanted, INT32_MIN), INT32_MAX)
                      : (int32_t)(uint32_t)(int64_t)wanted;
}

static void check(const Case *t, int depth, const char *name) {
  for (int row = 0; row < ROWS; ++row)
    for (int n = 0; n < t->n; ++n) {
      int half;
      double size, wanted = getWanted(t, depth, row, n, &size);
      const uint32_t bits = *findSum(t->d, row, n, &half);
      const double found = t->d == &s32   ? (int32_t)bits
                           : t->d == &f16 ? ptxDecode(PTX_F16, bits >> (16 * half) & 0xffff)
                                          : ptxDecode(PTX_F32, bits);
      if (fabs(found - wanted) <= (t->d == &f16 ? 0x1p-10 : 0x1p-21) * size) continue;
      fail_msg("%s: expected %g at %d, %d, found %g", name, wanted, row, n, found);
    }
}

static void checkCase(const Case *t) {
  PtxMatrixForm form;
  char name[96];
  const int depth = 256 / t->a->bits;
  snprintf(name, sizeof name, "wgmma.mma_async.sync.aligned.m64n%dk%d.%s%s.%s.%s", t->n, depth,
           t->saturates ? "satfinite." : "", t->d->name, t->a->name, t->b->name);
  if (!ptxMatrixParse(name, &form)) fail_msg("%s: expected to be parsed", name);
  const Place placeA = choosePlace(t->a, t->mnMajorA, t->swizzleA, ROWS, 1024 * randomBelow(8));
  const Place placeB =
      choosePlace(t->b, t->mnMajorB, t->swizzleB, (uint32_t)t->n, (100 + randomBelow(8)) * 1024);
  fill(t, depth, &placeA, &placeB);
  const PtxWgmma operands = {.descriptorA = describe(&placeA),
                             .descriptorB = describe(&placeB),
                             .registersA = t->registersA,
                             .scaleD = t->scaleD,
                             .negateA = t->negateA,
                             .negateB = t->negateB,
                             .transposeA = t->mnMajorA,
                             .transposeB = t->mnMajorB};
  void *rows[WARPS][REGISTERS];
  const void *rowsA[WARPS][4];
  void *const *d[WARPS];
  const void *const *fromA[WARPS];
  for (int warp = 0; warp < WARPS; ++warp) {
    for (int i = 0; i < REGISTERS; ++i) rows[warp][i] = sums[warp][i];
    for (int i = 0; i < 4; ++i) rowsA[warp][i] = factors[warp][i];
    d[warp] = rows[warp], fromA[warp] = rowsA[warp];
  }
  const PtxShared shared = {.bytes = bytes, .size = sizeof bytes, .written = written};
  PtxFault fault = {0};
  // At once, or warp by warp.
  const int step = nextRandom() % 2 ? 4 : 1;
  for (int warp = 0; warp < WARPS; warp += step)
    if (!ptxWgmma(&form, &operands, warp, warp + step, d, t->registersA ? fromA : NULL, &shared,
                  &fault))
      fail_msg("%s: %s", name, fault.text);
  check(t, depth, name);
}

//===- Tests --------------------------------------------------------------===//

static void floatsMultiply(void **state) {
  (void)state;
  static const struct {
    const Type *a, *b, *d;
  } types[] = {{&f16, &f16, &f32},   {&f16, &f16, &f16},   {&bf16, &bf16, &f32},
               {&tf32, &tf32, &f32}, {&e4m3, &e4m3, &f32}, {&e5m2, &e4m3, &f32},
               {&e4m3, &e5m2, &f16}, {&e5m2, &e5m2, &f32}};
  for (int i = 0; i < 8 * 96; ++i) {
    Case t = {.a = types[i % 8].a,
              .b = types[i % 8].b,
              .d = types[i % 8].d,
              .n = 8 * (1 + (int)randomBelow(i < 400 ? 16 : 32)),
              .registersA = nextRandom() % 4 == 0,
              .scaleD = nextRandom() % 4 != 0,
              .negateA = nextRandom() % 4 == 0,
              .negateB = nextRandom() % 4 == 0,
              .swizzleA = (int)randomBelow(4),
              .swizzleB = (int)randomBelow(4)};
    t.mnMajorA = t.a->bits == 16 && !t.registersA && nextRandom() % 2;
    t.mnMajorB = t.b->bits == 16 && nextRandom() % 2;
    // N-major spans of a swizzle are whole.
    if (t.mnMajorB && t.swizzleB) t.n = (t.n * 2 / (16 << t.swizzleB) + 1) * (16 << t.swizzleB) / 2;
    if (t.n > 256) t.n = 256;
    checkCase(&t);
  }
}

static void integersMultiply(void **state) {
  (void)state;
  static const Type *const types[] = {&s8, &u8};
  for (int i = 0; i < 96; ++i) {
    Case t = {.a = types[i % 2],
              .b = types[i / 2 % 2],
              .d = &s32,
              .n = i % 3 ? 8 * (1 + (int)randomBelow(4)) : 16 * (3 + (int)randomBelow(14)),
              .registersA = nextRandom() % 4 == 0,
              .scaleD = nextRandom() % 4 != 0,
              .saturates = i / 4 % 2,
              .swizzleA = (int)randomBelow(4),
              .swizzleB = (int)randomBelow(4)};
    checkCase(&t);
  }
}

static void badDescriptorsAreFaults(void **state) {
  (void)state;
  PtxMatrixForm form;
  assert_true(ptxMatrixParse("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", &form));
  static const void *rowsA[4];
  void *rows[4];
  for (int i = 0; i < 4; ++i) rows[i] = sums[0][i], rowsA[i] = factors[0][i];
  void *const *d[] = {rows, rows, rows, rows};
  const void *const *fromA[] = {rowsA, rowsA, rowsA, rowsA};
  const Place place = {.swizzleBits = 3, .start = 1024, .stride = 1024};
  PtxWgmma operands = {.descriptorB = describe(&place), .registersA = true};
  PtxShared shared = {.bytes = bytes, .size = 1024 + 7 * 128 + 112 + 16};
  PtxFault none = {0}, outside = {0}, unwritten = {0}, shifted = {0};
  memset(written, 0, sizeof written);
  assert_true(ptxWgmma(&form, &operands, 0, 1, d, fromA, &shared, &none));
  shared.size = 1024 + 7 * 128;
  assert_false(ptxWgmma(&form, &operands, 0, 1, d, fromA, &shared, &outside));
  assert_int_equal(outside.code, 700);
  shared = (PtxShared){.bytes = bytes, .size = sizeof bytes, .written = written};
  assert_false(ptxWgmma(&form, &operands, 0, 1, d, fromA, &shared, &unwritten));
  assert_int_equal(unwritten.code, 719);
  operands.descriptorB |= UINT64_C(1) << 49;
  assert_false(ptxWgmma(&form, &operands, 0, 1, d, fromA, &shared, &shifted));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floatsMultiply),
      cmocka_unit_test(integersMultiply),
      cmocka_unit_test(badDescriptorsAreFaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
