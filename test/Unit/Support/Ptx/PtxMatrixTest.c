// RUN: %unit/PtxMatrixTest
//===- PtxMatrixTest.c - mma.sync and the moves of its tiles --------------===//
//
// Each form of mma.sync against a plain product of float64 or integers. Where an element lies is
// written here by type, after the lists of PTX ISA's "Matrix Fragments for mma.m*n*k*".
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

enum { LANES = 32, MOST = 32, ROWS = 16, REGISTERS = 8 };

/// A warp's registers of one operand.
typedef union Fragment {
  uint32_t words[REGISTERS][LANES];
  uint64_t wide[REGISTERS][LANES];
} Fragment;

typedef struct Position {
  int row, column;
} Position;

//===- Where elements lie -------------------------------------------------===//

/// Element i of a lane's fragment of a, of m x k.
static Position placeA(PtxElement type, int m, int k, int lane, int i) {
  const int group = lane >> 2, member = lane % 4;
  switch (type) {
  case PTX_MATRIX_F16:
  case PTX_MATRIX_BF16:
    if (k == 8) return (Position){i < 2 ? group : group + 8, member * 2 + (i & 1)};
    return (Position){i < 2 || (i >= 4 && i < 6) ? group : group + 8,
                      i < 4 ? member * 2 + (i & 1) : member * 2 + (i & 1) + 8};
  case PTX_MATRIX_TF32:
    if (k == 4) return (Position){i == 0 ? group : group + 8, member};
    return (Position){i == 0 || i == 2 ? group : group + 8, i < 2 ? member : member + 4};
  case PTX_MATRIX_F64:
    if (m == 8) return (Position){group, member};
    if (k == 4) return (Position){i == 0 ? group : group + 8, member};
    if (k == 8)
      return (Position){i == 0 || i == 2 ? group : group + 8, i < 2 ? member : member + 4};
    return (Position){i % 2 ? group + 8 : group, i % 2 ? i * 2 - 2 + member : i * 2 + member};
  default: // 8 bits
    if (m == 8) return (Position){group, member * 4 + i};
    if (k == 16) return (Position){i < 4 ? group : group + 8, member * 4 + (i & 3)};
    return (Position){i < 4 || (i >= 8 && i < 12) ? group : group + 8,
                      i < 8 ? member * 4 + (i & 3) : member * 4 + (i & 3) + 16};
  }
}

/// Of b, of k x 8.
static Position placeB(PtxElement type, int lane, int i) {
  const int group = lane >> 2, member = lane % 4;
  switch (type) {
  case PTX_MATRIX_F16:
  case PTX_MATRIX_BF16:
    return (Position){i < 2 ? member * 2 + (i & 1) : member * 2 + (i & 1) + 8, group};
  case PTX_MATRIX_TF32:
    return (Position){i == 0 ? member : member + 4, group};
  case PTX_MATRIX_F64:
    return (Position){member + i * 4, group};
  default:
    return (Position){i < 4 ? member * 4 + i : member * 4 + (i & 3) + 16, group};
  }
}

/// Of c and d.
static Position placeC(int lane, int i) {
  const int group = lane >> 2, member = lane % 4;
  return (Position){i < 2 ? group : group + 8, member * 2 + (i & 1)};
}

//===- Elements -----------------------------------------------------------===//

static int getBits(PtxElement type) {
  switch (type) {
  case PTX_MATRIX_F16:
  case PTX_MATRIX_BF16:
    return 16;
  case PTX_MATRIX_TF32:
  case PTX_MATRIX_F32:
  case PTX_MATRIX_S32:
    return 32;
  case PTX_MATRIX_F64:
    return 64;
  default:
    return 8;
  }
}

/// A random element, and its value.
static uint64_t makeElement(PtxElement type, double *value) {
  static const PtxFormat formats[] = {[PTX_MATRIX_F16] = PTX_F16,   [PTX_MATRIX_BF16] = PTX_BF16,
                                      [PTX_MATRIX_TF32] = PTX_TF32, [PTX_MATRIX_E4M3] = PTX_E4M3,
                                      [PTX_MATRIX_E5M2] = PTX_E5M2, [PTX_MATRIX_F32] = PTX_F32,
                                      [PTX_MATRIX_F64] = PTX_F64};
  if (type == PTX_MATRIX_S8 || type == PTX_MATRIX_U8 || type == PTX_MATRIX_S32) {
    int32_t integer = (int32_t)nextRandom();
    // Sums near the ends of their range, too.
    if (type == PTX_MATRIX_S32 && integer % 2)
      integer = (integer < 0 ? INT32_MIN : INT32_MAX - 0xffff) + (integer & 0xffff);
    *value = type == PTX_MATRIX_S8   ? (int8_t)integer
             : type == PTX_MATRIX_U8 ? (uint8_t)integer
                                     : integer;
    return (uint64_t)(type == PTX_MATRIX_S32 ? (uint32_t)integer : (uint8_t)integer);
  }
  double wanted = ((double)randomBelow(1 << 20) - (1 << 19)) / (1 << 18);
  uint64_t bits = ptxEncode(formats[type], wanted, PTX_RN, false);
  *value = ptxDecode(formats[type], bits);
  // The hardware does not look at TF32's low bits.
  return type == PTX_MATRIX_TF32 ? bits | randomBelow(1 << 13) : bits;
}

static void putElement(Fragment *fragment, PtxElement type, int lane, int i, uint64_t bits) {
  const int size = getBits(type), each = 32 / size;
  if (size == 64)
    fragment->wide[i][lane] = bits;
  else
    fragment->words[i / each][lane] |= (uint32_t)bits << (i % each * size);
}

static double getElement(const Fragment *fragment, PtxElement type, int lane, int i) {
  switch (type) {
  case PTX_MATRIX_F64:
    return ptxDecode(PTX_F64, fragment->wide[i][lane]);
  case PTX_MATRIX_F16:
    return ptxDecode(PTX_F16, fragment->words[i / 2][lane] >> (i % 2 * 16) & 0xffff);
  case PTX_MATRIX_S32:
    return (int32_t)fragment->words[i][lane];
  default:
    return ptxDecode(PTX_F32, fragment->words[i][lane]);
  }
}

//===- mma.sync -----------------------------------------------------------===//

typedef struct Operands {
  double a[ROWS][MOST], b[MOST][8], c[ROWS][8];
  Fragment fragments[4]; ///< d, a, b, c
} Operands;

static void fill(const PtxMatrixForm *f, Operands *o) {
  static const Operands none;
  *o = none;
  for (int lane = 0; lane < LANES; ++lane) {
    for (int i = 0; i < f->m * f->k / LANES; ++i) {
      Position at = placeA(f->a, f->m, f->k, lane, i);
      putElement(&o->fragments[1], f->a, lane, i, makeElement(f->a, &o->a[at.row][at.column]));
    }
    for (int i = 0; i < f->k * 8 / LANES; ++i) {
      Position at = placeB(f->b, lane, i);
      putElement(&o->fragments[2], f->b, lane, i, makeElement(f->b, &o->b[at.row][at.column]));
    }
    for (int i = 0; i < f->m * 8 / LANES; ++i) {
      Position at = placeC(lane, i);
      putElement(&o->fragments[3], f->c, lane, i, makeElement(f->c, &o->c[at.row][at.column]));
    }
  }
}

static void checkResult(const PtxMatrixForm *f, const Operands *o, const char *name) {
  for (int lane = 0; lane < LANES; ++lane)
    for (int i = 0; i < f->m * 8 / LANES; ++i) {
      const Position at = placeC(lane, i);
      double wanted = o->c[at.row][at.column], size = fabs(wanted);
      for (int k = 0; k < f->k; ++k) {
        wanted += o->a[at.row][k] * o->b[k][at.column];
        size += fabs(o->a[at.row][k] * o->b[k][at.column]);
      }
      double unit = f->d == PTX_MATRIX_F16 ? 0x1p-10 : f->d == PTX_MATRIX_F32 ? 0x1p-21 : 0x1p-48;
      if (f->d == PTX_MATRIX_S32) {
        unit = 0;
        if (f->saturates)
          wanted = fmin(fmax(wanted, INT32_MIN), INT32_MAX);
        else
          wanted = (int32_t)(uint32_t)(int64_t)wanted;
      }
      const double found = getElement(&o->fragments[0], f->d, lane, i);
      if (fabs(found - wanted) <= unit * size) continue;
      fail_msg("%s: expected %g in lane %d, element %d, found %g", name, wanted, lane, i, found);
    }
}

static void checkForm(const char *name) {
  static Operands o;
  PtxMatrixForm f;
  if (!ptxMatrixParse(name, &f)) fail_msg("%s: expected to be parsed", name);
  for (int round = 0; round < 20; ++round) {
    fill(&f, &o);
    void *rows[4][REGISTERS];
    for (int operand = 0; operand < 4; ++operand)
      for (int i = 0; i < REGISTERS; ++i)
        rows[operand][i] = f.a == PTX_MATRIX_F64 ? (void *)o.fragments[operand].wide[i]
                                                 : (void *)o.fragments[operand].words[i];
    ptxMma(&f, rows[0], (const void *const *)rows[1], (const void *const *)rows[2],
           (const void *const *)rows[3]);
    checkResult(&f, &o, name);
    // The result may take its addend's registers.
    const Fragment apart = o.fragments[0];
    ptxMma(&f, rows[3], (const void *const *)rows[1], (const void *const *)rows[2],
           (const void *const *)rows[3]);
    size_t bytes =
        (f.a == PTX_MATRIX_F64 ? sizeof *apart.wide : sizeof *apart.words) * (size_t)f.registersD;
    assert_memory_equal(&apart, &o.fragments[3], bytes);
  }
}

/// All forms of floats: shapes, and the types of their operands and sums.
static void floatsMultiply(void **state) {
  (void)state;
  static const char *const forms[] = {
      "m16n8k16.row.col.f32.f16.f16.f32",   "m16n8k16.row.col.f16.f16.f16.f16",
      "m16n8k8.row.col.f32.f16.f16.f32",    "m16n8k8.row.col.f16.f16.f16.f16",
      "m16n8k16.row.col.f32.bf16.bf16.f32", "m16n8k8.row.col.f32.bf16.bf16.f32",
      "m16n8k8.row.col.f32.tf32.tf32.f32",  "m16n8k4.row.col.f32.tf32.tf32.f32",
      "m16n8k32.row.col.f32.e4m3.e4m3.f32", "m16n8k32.row.col.f32.e5m2.e4m3.f32",
      "m16n8k32.row.col.f16.e4m3.e5m2.f16", "m16n8k16.row.col.f32.e4m3.e5m2.f32",
      "m16n8k16.row.col.f16.e5m2.e5m2.f16", "m8n8k4.row.col.f64.f64.f64.f64",
      "m16n8k4.row.col.f64.f64.f64.f64",    "m16n8k8.row.col.f64.f64.f64.f64",
      "m16n8k16.row.col.f64.f64.f64.f64",
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    char name[80];
    snprintf(name, sizeof name, "mma.sync.aligned.%s", forms[i]);
    checkForm(name);
  }
}

static void integersMultiply(void **state) {
  (void)state;
  static const char *const shapes[] = {"m16n8k32", "m16n8k16", "m8n8k16"};
  static const char *const types[] = {"s8.s8", "u8.u8", "s8.u8", "u8.s8"};
  for (int i = 0; i < 3 * 4 * 2; ++i) {
    char name[80];
    snprintf(name, sizeof name, "mma.sync.aligned.%s.row.col.%ss32.%s.s32", shapes[i % 3],
             i / 12 ? "satfinite." : "", types[i / 3 % 4]);
    checkForm(name);
  }
}

static void othersAreRefused(void **state) {
  (void)state;
  static const char *const names[] = {
      "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
      "mma.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16",
      "mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16",
      "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
      "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32",
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
      "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16",
      "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8",
      "wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16",
      "wgmma.mma_async.sync.aligned.m64n64k8.f32.f16.f16",
      "",
  };
  PtxMatrixForm form;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    assert_false(ptxMatrixParse(names[i], &form));
  PtxTileForm tile;
  assert_false(ptxTileParse("ldmatrix.sync.aligned.m8n8.x3.shared.b16", &tile));
  assert_false(ptxTileParse("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", &tile));
  assert_false(ptxTileParse("stmatrix.sync.aligned.m8n8.x4.b16", &tile));
}

//===- ldmatrix, stmatrix and movmatrix -----------------------------------===//

/// Lane l has elements 2 (l % 4) and the next of row l / 4: of the matrix, or of its transpose.
static void matricesLoadAndStore(void **state) {
  (void)state;
  for (int round = 0; round < 200; ++round) {
    uint8_t bytes[2048], written[2048] = {0};
    const PtxShared shared = {.bytes = bytes, .size = sizeof bytes, .written = written};
    PtxTileForm form;
    PtxFault fault = {0};
    char name[80];
    const int count = 1 << randomBelow(3);
    const bool turned = nextRandom() & 1;
    snprintf(name, sizeof name, "stmatrix.sync.aligned.m8n8.x%d%s.shared.b16", count,
             turned ? ".trans" : "");
    assert_true(ptxTileParse(name, &form));
    uint32_t registers[4][LANES], loaded[4][LANES], addresses[LANES];
    uint32_t *rows[4], *back[4];
    // Rows anywhere, all different: an odd multiplier permutes 128 places.
    const uint32_t factor = 2 * randomBelow(64) + 1;
    for (uint32_t i = 0; i < LANES; ++i) addresses[i] = i * factor % 128 * 16;
    for (int i = 0; i < 4 * LANES; ++i) registers[i / LANES][i % LANES] = (uint32_t)nextRandom();
    for (int i = 0; i < 4; ++i) rows[i] = registers[i], back[i] = loaded[i];
    assert_true(ptxStmatrix(&form, (const uint32_t *const *)rows, addresses, &shared, &fault));
    for (int i = 0; i < count; ++i)
      for (int lane = 0; lane < LANES; ++lane)
        for (int half = 0; half < 2; ++half) {
          int row = lane / 4, column = lane % 4 * 2 + half;
          if (turned) row = lane % 4 * 2 + half, column = lane / 4;
          uint16_t found;
          memcpy(&found, bytes + addresses[i * 8 + row] + column * 2, 2);
          assert_int_equal(found, registers[i][lane] >> (half * 16) & 0xffff);
        }
    snprintf(name, sizeof name, "ldmatrix.sync.aligned.m8n8.x%d%s.shared::cta.b16", count,
             turned ? ".trans" : "");
    assert_true(ptxTileParse(name, &form));
    assert_true(ptxLdmatrix(&form, back, addresses, &shared, &fault));
    assert_memory_equal(loaded, registers, sizeof *loaded * (size_t)count);
  }
}

static void badRowsAreFaults(void **state) {
  (void)state;
  uint8_t bytes[512], written[512] = {0};
  PtxShared shared = {.bytes = bytes, .size = sizeof bytes};
  const PtxTileForm form = {.count = 1};
  uint32_t registers[LANES] = {0}, *rows[] = {registers}, addresses[LANES];
  for (uint32_t i = 0; i < LANES; ++i) addresses[i] = i % 8 * 16;
  PtxFault none = {0}, misaligned = {0}, outside = {0}, unwritten = {0};
  assert_true(ptxLdmatrix(&form, rows, addresses, &shared, &none));
  shared.written = written;
  assert_false(ptxLdmatrix(&form, rows, addresses, &shared, &unwritten));
  assert_int_equal(unwritten.code, 719);
  addresses[7] = 504;
  assert_false(ptxStmatrix(&form, (const uint32_t *const *)rows, addresses, &shared, &misaligned));
  assert_int_equal(misaligned.code, 716);
  addresses[7] = 512;
  assert_false(ptxStmatrix(&form, (const uint32_t *const *)rows, addresses, &shared, &outside));
  assert_int_equal(outside.code, 700);
}

static void matricesAreTransposed(void **state) {
  (void)state;
  uint32_t registers[LANES], result[LANES];
  for (int i = 0; i < LANES; ++i) registers[i] = (uint32_t)nextRandom();
  ptxMovmatrix(result, registers);
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      uint32_t from = registers[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
      uint32_t to = result[column * 4 + row / 2] >> (row % 2 * 16) & 0xffff;
      assert_int_equal(from, to);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floatsMultiply),   cmocka_unit_test(integersMultiply),
      cmocka_unit_test(othersAreRefused), cmocka_unit_test(matricesLoadAndStore),
      cmocka_unit_test(badRowsAreFaults), cmocka_unit_test(matricesAreTransposed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
