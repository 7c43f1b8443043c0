// RUN: %unit/PtxInstructionTest
//===- PtxInstructionTest.c - single instructions of the PTX emulator -----===//
//
// A kernel a test: each of 96 threads of three warps, the last half of which is not there, loads
// three operands, runs an instruction and stores what it gives. What it has to be is written here
// in C, of random operands and of those at the ends of a type.
//===----------------------------------------------------------------------===//
#include "../../../Support/Ptx/Emulator.h"
#include "../../../Support/Ptx/Memory.h"
#include "../../../Support/Ptx/Numbers.h"
#include "Random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { THREADS = 80, ROUNDS = 12 };

/// What an instruction makes of its operands' bits, in the low bits of each.
typedef uint64_t (*Expected)(uint64_t a, uint64_t b, uint64_t c);

typedef enum Kind { INTEGERS, SINGLES, DOUBLES, HALVES, EIGHTHS } Kind;

typedef struct Instruction {
  /// With %0 for the result and %1, %2, %3 for the operands.
  const char *text;
  /// Bits of a register of the result and of the operands: 16, 32 or 64.
  int result, operands[3];
  Kind kind; ///< which operands are of interest
  Expected expected;
} Instruction;

//===- Operands -----------------------------------------------------------===//

static const uint32_t singles[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                   0xff800000, 0x7fc00001, 0xffffffff, 0x00000001, 0x807fffff,
                                   0x7f7fffff, 0x00800000, 0x4f000000, 0xcf000000, 0x3f000000};
static const uint16_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e01,
                                  0xffff, 0x0001, 0x83ff, 0x7bff, 0x0400, 0x3800, 0x3555};
static const uint64_t integers[] = {0,
                                    1,
                                    UINT64_MAX,
                                    INT32_MAX,
                                    UINT32_C(1) << 31,
                                    UINT32_MAX,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    127,
                                    128,
                                    255,
                                    32767,
                                    32768,
                                    31};
static const double doubles[] = {0, -0.0, 1, -1, 1e300, -1e300, 0.5, 2.5, -2.5, 3e9, -3e9, 1e-310};
#define PICK(list) (list)[randomBelow(sizeof(list) / sizeof *(list))]

static uint64_t makeOperand(Kind kind) {
  double value;
  uint64_t bits = nextRandom();
  const bool isSpecial = bits % 4 == 0;
  switch (kind) {
  case INTEGERS:
    return isSpecial ? PICK(integers) : bits >> randomBelow(64);
  case SINGLES:
    if (isSpecial) return PICK(singles) | (uint64_t)PICK(singles) << 32;
    return (bits & UINT64_C(0x83ffffff83ffffff)) | UINT64_C(0x3c0000003c000000);
  case HALVES:
    if (isSpecial) return PICK(halves) | (uint64_t)PICK(halves) << 16;
    return bits & 0xffffffff;
  case DOUBLES:
    value = isSpecial ? PICK(doubles) : ((double)(bits >> 11) - 0x1p52) * 0x1p-40;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  case EIGHTHS:
    return bits & 0xffff;
  }
  return bits;
}

//===- Running ------------------------------------------------------------===//

static void addLoads(char *text, size_t size, const Instruction *t) {
  for (int i = 0; i < 3; ++i) {
    const int bits = t->operands[i];
    if (!bits) continue;
    const size_t length = strlen(text);
    const char *letter = bits == 64 ? "l" : bits == 16 ? "h" : "w";
    snprintf(text + length, size - length, "ld.global.b%d %%%s%d, [%%address+%d];\n", bits, letter,
             i + 1, 8 * (i + 1));
  }
}

/// The instruction, with a register in the place of each number.
static void addText(char *text, size_t size, const Instruction *t) {
  const int bits[] = {t->result, t->operands[0], t->operands[1], t->operands[2]};
  for (const char *at = t->text; *at; ++at) {
    const size_t length = strlen(text);
    if (*at != '%' || at[1] < '0' || at[1] > '3') {
      snprintf(text + length, size - length, "%c", *at);
      continue;
    }
    const int i = *++at - '0';
    snprintf(text + length, size - length, "%%%c%d",
             bits[i] == 64   ? 'l'
             : bits[i] == 16 ? 'h'
                             : 'w',
             i);
  }
}

static void makeText(char *text, size_t size, const Instruction *t) {
  snprintf(text, size,
           ".version 8.6\n.target sm_90a\n.address_size 64\n"
           ".visible .entry kernel(.param .u64 base)\n{\n"
           ".reg .b16 %%h<8>;\n.reg .b32 %%w<8>;\n.reg .b64 %%l<8>;\n.reg .pred %%p<4>;\n"
           ".reg .b32 %%thread;\n.reg .b64 %%address;\n.reg .b64 %%offset;\n"
           "ld.param.u64 %%address, [base];\nmov.u32 %%thread, %%tid.x;\n"
           "mul.wide.u32 %%offset, %%thread, 32;\nadd.s64 %%address, %%address, %%offset;\n");
  addLoads(text, size, t);
  addText(text, size, t);
  const size_t length = strlen(text);
  snprintf(text + length, size - length, "\nst.global.b%d [%%address], %%%c0;\nret;\n}\n",
           t->result,
           t->result == 64   ? 'l'
           : t->result == 16 ? 'h'
                             : 'w');
}

static bool isNan(uint64_t bits, Kind kind, int width) {
  double value = 0;
  if (kind == DOUBLES && width == 64) memcpy(&value, &bits, sizeof value);
  return value != value;
}

static uint64_t keep(uint64_t value, int bits) {
  return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static void checkRound(const Instruction *t, PtxEntry *entry, uint64_t address) {
  uint64_t (*rows)[4] = (uint64_t (*)[4])(uintptr_t)address;
  for (int i = 0; i < THREADS; ++i)
    for (int j = 0; j < 4; ++j) rows[i][j] = j ? makeOperand(t->kind) : 0;
  const PtxLaunch launch = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .parameters = &address};
  assert_int_equal(ptxLaunch(entry, &launch), 0);
  for (int i = 0; i < THREADS; ++i) {
    const uint64_t *row = rows[i];
    uint64_t operands[3];
    for (int j = 0; j < 3; ++j)
      operands[j] = keep(row[j + 1], t->operands[j] ? t->operands[j] : 64);
    const uint64_t wanted = keep(t->expected(operands[0], operands[1], operands[2]), t->result);
    const uint64_t found = keep(row[0], t->result);
    if (found == wanted || (isNan(found, t->kind, t->result) && isNan(wanted, t->kind, t->result)))
      continue;
    fail_msg("%s of %llx, %llx, %llx: expected %llx, found %llx", t->text,
             (unsigned long long)operands[0], (unsigned long long)operands[1],
             (unsigned long long)operands[2], (unsigned long long)wanted,
             (unsigned long long)found);
  }
}

static void checkAll(const Instruction *all, size_t count) {
  const uint64_t address = ptxMemoryAllocate(THREADS * 32);
  for (size_t i = 0; i < count; ++i) {
    char text[2048], log[512];
    int code = 0;
    makeText(text, sizeof text, &all[i]);
    PtxModule *module = ptxModuleCreate(text, 90, log, sizeof log, &code);
    if (!module) fail_msg("%s: %s", all[i].text, log);
    PtxEntry *entry = ptxModuleFindEntry(module, "kernel");
    assert_non_null(entry);
    for (int round = 0; round < ROUNDS; ++round) checkRound(&all[i], entry, address);
    ptxModuleDestroy(module);
  }
  assert_true(ptxMemoryFree(address));
}
#define CHECK(list) checkAll(list, sizeof(list) / sizeof *(list))

//===- f32 ----------------------------------------------------------------===//

/// Declares what is expected of f32 operands x, y and z; NaNs are 7fffffff.
#define SINGLE(name, expression)                                                                   \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                       \
    const float x = ptxBitsToF32((uint32_t)a), y = ptxBitsToF32((uint32_t)b),                      \
                z = ptxBitsToF32((uint32_t)c);                                                     \
    (void)x, (void)y, (void)z;                                                                     \
    const float value = (float)(expression);                                                       \
    return value != value ? 0x7fffffffu : ptxF32ToBits(value);                                     \
  }

static float flushed(float value) { return fabsf(value) < 0x1p-126f ? copysignf(0, value) : value; }
static float smaller(float a, float b) {
  if (a != a || b != b) return a != a ? b : a;
  return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static float larger(float a, float b) { return -smaller(-a, -b); }

SINGLE(addF32, x + y)
SINGLE(subF32, x - y)
SINGLE(mulF32, x *y)
SINGLE(divF32, x / y)
SINGLE(fmaF32, fmaf(x, y, z))
SINGLE(fmaSatF32, fmaf(x, y, z) > 0 ? fminf(fmaf(x, y, z), 1) : 0)
SINGLE(addFlushF32, flushed(flushed(x) + flushed(y)))
SINGLE(minF32, smaller(x, y))
SINGLE(maxF32, larger(x, y))
SINGLE(nanMinF32, x != x || y != y ? NAN : smaller(x, y))
SINGLE(nanMaxF32, x != x || y != y ? NAN : larger(x, y))
SINGLE(sqrtF32, sqrtf(x))
SINGLE(rcpF32, 1 / x)
SINGLE(ex2F32, flushed(exp2f(flushed(x))))
SINGLE(tanhF32, tanhf(x))
SINGLE(roundF32, nearbyintf(x))
SINGLE(floorF32, floorf(x))
SINGLE(ceilF32, ceilf(x))
SINGLE(mulDownF32, ptxMulF32(x, y, PTX_RM)) // has its own test
SINGLE(mixedF32, fmaf(ptxBf16ToF32((uint16_t)a), ptxBf16ToF32((uint16_t)b), z))

static uint64_t negF32(uint64_t a, uint64_t b, uint64_t c) {
  (void)b, (void)c;
  return a ^ 0x80000000u;
}
static uint64_t absF32(uint64_t a, uint64_t b, uint64_t c) {
  (void)b, (void)c;
  return a & 0x7fffffffu;
}
static uint64_t copysignF32(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return (a & 0x80000000u) | (b & 0x7fffffffu);
}
static uint64_t addPairF32(uint64_t a, uint64_t b, uint64_t c) {
  return addF32(a, b, c) | addF32(a >> 32, b >> 32, c) << 32;
}
static uint64_t fmaPairF32(uint64_t a, uint64_t b, uint64_t c) {
  return fmaF32(a, b, c) | fmaF32(a >> 32, b >> 32, c >> 32) << 32;
}

static void singlesCompute(void **state) {
  (void)state;
  static const Instruction all[] = {
      {"add.rn.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, addF32},
      {"add.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, addF32},
      {"sub.rn.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, subF32},
      {"mul.rn.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, mulF32},
      {"div.rn.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, divF32},
      {"div.full.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, divF32},
      {"fma.rn.f32 %0, %1, %2, %3;", 32, {32, 32, 32}, SINGLES, fmaF32},
      {"fma.rn.sat.f32 %0, %1, %2, %3;", 32, {32, 32, 32}, SINGLES, fmaSatF32},
      {"add.rn.ftz.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, addFlushF32},
      {"min.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, minF32},
      {"max.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, maxF32},
      {"min.NaN.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, nanMinF32},
      {"max.NaN.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, nanMaxF32},
      {"mul.rm.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, mulDownF32},
      {"neg.f32 %0, %1;", 32, {32}, SINGLES, negF32},
      {"abs.f32 %0, %1;", 32, {32}, SINGLES, absF32},
      {"copysign.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, copysignF32},
      {"sqrt.rn.f32 %0, %1;", 32, {32}, SINGLES, sqrtF32},
      {"rcp.rn.f32 %0, %1;", 32, {32}, SINGLES, rcpF32},
      {"ex2.approx.ftz.f32 %0, %1;", 32, {32}, SINGLES, ex2F32},
      {"tanh.approx.f32 %0, %1;", 32, {32}, SINGLES, tanhF32},
      {"cvt.rni.f32.f32 %0, %1;", 32, {32}, SINGLES, roundF32},
      {"cvt.rmi.f32.f32 %0, %1;", 32, {32}, SINGLES, floorF32},
      {"cvt.rpi.f32.f32 %0, %1;", 32, {32}, SINGLES, ceilF32},
      {"add.rn.f32x2 %0, %1, %2;", 64, {64, 64}, SINGLES, addPairF32},
      {"fma.rn.f32x2 %0, %1, %2, %3;", 64, {64, 64, 64}, SINGLES, fmaPairF32},
      {"fma.rn.f32.bf16 %0, %1, %2, %3;", 32, {16, 16, 32}, SINGLES, mixedF32},
      // The result may be an operand.
      {"add.rn.f32 %1, %1, %2;\nmov.b32 %0, %1;", 32, {32, 32}, SINGLES, addF32},
      // An instruction under a predicate leaves other lanes as they were.
      {"setp.ne.b32 %p1, %1, %1;\nmov.b32 %0, %2;\n@%p1 add.rn.f32 %0, %1, %1;\n"
       "@!%p1 add.rn.f32 %0, %1, %2;",
       32,
       {32, 32},
       SINGLES,
       addF32},
  };
  CHECK(all);
}

//===- f64, f16 and bf16 --------------------------------------------------===//

#define DOUBLE(name, expression)                                                                   \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                       \
    double x, y, z, value;                                                                         \
    memcpy(&x, &a, sizeof x), memcpy(&y, &b, sizeof y), memcpy(&z, &c, sizeof z);                  \
    value = (expression);                                                                          \
    memcpy(&a, &value, sizeof a);                                                                  \
    return a;                                                                                      \
  }
DOUBLE(addF64, x + y)
DOUBLE(mulF64, x *y)
DOUBLE(fmaF64, fma(x, y, z))
DOUBLE(divF64, x / y)
DOUBLE(minF64, x == y ? (signbit(x) ? x : y) : fmin(x, y))
DOUBLE(sqrtF64, sqrt(x))
DOUBLE(copysignF64, copysign(y, x))

/// The nearest f16 of a number: halfway to the next, the even one.
static uint16_t toHalf(double value) { return (uint16_t)ptxEncode(PTX_F16, value, PTX_RN, false); }
static double ofHalf(uint64_t bits) { return ptxDecode(PTX_F16, bits & 0xffff); }
static double ofBrain(uint64_t bits) { return ptxDecode(PTX_BF16, bits & 0xffff); }

/// f16 in f64, where sums and products are exact and fused ones nearly; ptxFmaOdd has its own test.
static uint64_t addF16(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return toHalf(ofHalf(a) + ofHalf(b));
}
static uint64_t mulF16(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return toHalf(ofHalf(a) * ofHalf(b));
}
static uint64_t fmaF16(uint64_t a, uint64_t b, uint64_t c) {
  return toHalf(ptxFmaOdd(ofHalf(a), ofHalf(b), ofHalf(c)));
}
static uint64_t maxNanF16(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  const double x = ofHalf(a), y = ofHalf(b);
  if (x != x || y != y) return 0x7fff;
  return x == y ? a & b : x > y ? a : b;
}
static uint64_t absF16(uint64_t a, uint64_t b, uint64_t c) {
  (void)b, (void)c;
  return a & 0x7fff;
}
static uint64_t pairOf(Expected one, uint64_t a, uint64_t b, uint64_t c) {
  return (one(a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff) |
         (one(a >> 16, b >> 16, c >> 16) & 0xffff) << 16;
}
static uint64_t addPairF16(uint64_t a, uint64_t b, uint64_t c) { return pairOf(addF16, a, b, c); }
static uint64_t subPairF16(uint64_t a, uint64_t b, uint64_t c) {
  return pairOf(addF16, a, b ^ 0x80008000, c);
}
static uint64_t mulPairF16(uint64_t a, uint64_t b, uint64_t c) { return pairOf(mulF16, a, b, c); }
static uint64_t fmaPairF16(uint64_t a, uint64_t b, uint64_t c) { return pairOf(fmaF16, a, b, c); }
static uint64_t tanhPairF16(uint64_t a, uint64_t b, uint64_t c) {
  (void)b, (void)c;
  return toHalf(tanhf((float)ofHalf(a))) | (uint32_t)toHalf(tanhf((float)ofHalf(a >> 16))) << 16;
}
static uint64_t fmaBf16(uint64_t a, uint64_t b, uint64_t c) {
  return ptxEncode(PTX_BF16, ptxFmaOdd(ofBrain(a), ofBrain(b), ofBrain(c)), PTX_RN, false);
}

static void othersCompute(void **state) {
  (void)state;
  static const Instruction all[] = {
      {"add.rn.f64 %0, %1, %2;", 64, {64, 64}, DOUBLES, addF64},
      {"mul.rn.f64 %0, %1, %2;", 64, {64, 64}, DOUBLES, mulF64},
      {"fma.rn.f64 %0, %1, %2, %3;", 64, {64, 64, 64}, DOUBLES, fmaF64},
      {"div.rn.f64 %0, %1, %2;", 64, {64, 64}, DOUBLES, divF64},
      {"min.f64 %0, %1, %2;", 64, {64, 64}, DOUBLES, minF64},
      {"sqrt.rn.f64 %0, %1;", 64, {64}, DOUBLES, sqrtF64},
      {"copysign.f64 %0, %1, %2;", 64, {64, 64}, DOUBLES, copysignF64},
      {"add.rn.f16x2 %0, %1, %2;", 32, {32, 32}, HALVES, addPairF16},
      {"sub.rn.f16x2 %0, %1, %2;", 32, {32, 32}, HALVES, subPairF16},
      {"mul.rn.f16x2 %0, %1, %2;", 32, {32, 32}, HALVES, mulPairF16},
      {"fma.rn.f16x2 %0, %1, %2, %3;", 32, {32, 32, 32}, HALVES, fmaPairF16},
      {"tanh.approx.f16x2 %0, %1;", 32, {32}, HALVES, tanhPairF16},
      {"mul.rn.f16 %0, %1, %2;", 16, {16, 16}, HALVES, mulF16},
      {"max.NaN.f16 %0, %1, %2;", 16, {16, 16}, HALVES, maxNanF16},
      {"abs.f16 %0, %1;", 16, {16}, HALVES, absF16},
      {"fma.rn.bf16 %0, %1, %2, %3;", 16, {16, 16, 16}, HALVES, fmaBf16},
  };
  CHECK(all);
}

//===- Conversions --------------------------------------------------------===//

#define CONVERSION(name, expression)                                                               \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                       \
    const float x = ptxBitsToF32((uint32_t)a);                                                     \
    (void)b, (void)c, (void)x;                                                                     \
    return (uint64_t)(expression);                                                                 \
  }
CONVERSION(u64OfU32, a)
CONVERSION(s64OfS32, (int64_t)(int32_t)a)
CONVERSION(u32OfU64, (uint32_t)a)
CONVERSION(u32OfU16, (uint16_t)a)
CONVERSION(s32OfS8, (uint32_t)(int8_t)a)
CONVERSION(s32OfS16, (uint32_t)(int16_t)a)
CONVERSION(s16OfS8, (uint16_t)(int8_t)a)
CONVERSION(s8OfS32, (uint16_t)(int8_t)a)
CONVERSION(u8SatOfS32, (int32_t)a < 0 ? 0 : (int32_t)a > 255 ? 255 : a)
CONVERSION(f32OfF16, ofHalf(a) != ofHalf(a) ? (ptxF32ToBits(ptxF16ToF32((uint16_t)a)))
                                            : ptxF32ToBits((float)ofHalf(a)))
CONVERSION(f16OfF32, toHalf(x))
CONVERSION(f32OfS32, ptxF32ToBits((float)(int32_t)a))
CONVERSION(f32OfU64, ptxF32ToBits((float)a))
CONVERSION(f64OfF32, ptxEncode(PTX_F64, x, PTX_RN, false))
CONVERSION(s32OfF32, x != x                ? 0
                     : x >= 2147483648.0f  ? INT32_MAX
                     : x <= -2147483648.0f ? INT32_MIN
                                           : (int32_t)x)
CONVERSION(u8OfF32, x != x || x <= 0 ? 0 : x >= 255 ? 255 : (uint8_t)x)
CONVERSION(s64OfF32, x != x                        ? UINT64_C(1) << 63
                     : x >= 9223372036854775808.0f ? INT64_MAX
                     : x <= -0x1p63f               ? (uint64_t)INT64_MIN
                                                   : (uint64_t)(int64_t)x)
CONVERSION(f16x2OfE4m3x2, ptxEncode(PTX_F16, ptxDecode(PTX_E4M3, a & 0xff), PTX_RN, false) |
                              ptxEncode(PTX_F16, ptxDecode(PTX_E4M3, a >> 8 & 0xff), PTX_RN, false)
                                  << 16)

static uint64_t f16x2OfF32(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return toHalf(ptxBitsToF32((uint32_t)b)) | (uint32_t)toHalf(ptxBitsToF32((uint32_t)a)) << 16;
}
static uint64_t e4m3x2OfF32(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return ptxEncode(PTX_E4M3, ptxBitsToF32((uint32_t)b), PTX_RN, true) |
         ptxEncode(PTX_E4M3, ptxBitsToF32((uint32_t)a), PTX_RN, true) << 8;
}

static void valuesConvert(void **state) {
  (void)state;
  static const Instruction all[] = {
      {"cvt.u64.u32 %0, %1;", 64, {32}, INTEGERS, u64OfU32},
      {"cvt.s64.s32 %0, %1;", 64, {32}, INTEGERS, s64OfS32},
      {"cvt.u32.u64 %0, %1;", 32, {64}, INTEGERS, u32OfU64},
      {"cvt.u32.u16 %0, %1;", 32, {16}, INTEGERS, u32OfU16},
      {"cvt.u16.u32 %0, %1;", 16, {32}, INTEGERS, u32OfU16},
      {"cvt.s32.s8 %0, %1;", 32, {32}, INTEGERS, s32OfS8},
      {"cvt.s32.s16 %0, %1;", 32, {16}, INTEGERS, s32OfS16},
      {"cvt.s16.s8 %0, %1;", 16, {16}, INTEGERS, s16OfS8},
      {"cvt.s8.s32 %0, %1;", 16, {32}, INTEGERS, s8OfS32},
      {"cvt.sat.u8.s32 %0, %1;", 32, {32}, INTEGERS, u8SatOfS32},
      {"cvt.f32.f16 %0, %1;", 32, {16}, HALVES, f32OfF16},
      {"cvt.rn.f16.f32 %0, %1;", 16, {32}, SINGLES, f16OfF32},
      {"cvt.rn.f32.s32 %0, %1;", 32, {32}, INTEGERS, f32OfS32},
      {"cvt.rn.f32.u64 %0, %1;", 32, {64}, INTEGERS, f32OfU64},
      {"cvt.f64.f32 %0, %1;", 64, {32}, SINGLES, f64OfF32},
      {"cvt.rzi.s32.f32 %0, %1;", 32, {32}, SINGLES, s32OfF32},
      {"cvt.rzi.u8.f32 %0, %1;", 32, {32}, SINGLES, u8OfF32},
      {"cvt.rzi.s64.f32 %0, %1;", 64, {32}, SINGLES, s64OfF32},
      {"cvt.rn.f16x2.e4m3x2 %0, %1;", 32, {16}, EIGHTHS, f16x2OfE4m3x2},
      {"cvt.rn.f16x2.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, f16x2OfF32},
      {"cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", 16, {32, 32}, SINGLES, e4m3x2OfF32},
  };
  CHECK(all);
}

//===- Comparisons --------------------------------------------------------===//

#define COMPARISON(name, Type, expression)                                                         \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                       \
    Type x, y;                                                                                     \
    (void)c;                                                                                       \
    memcpy(&x, &a, sizeof x), memcpy(&y, &b, sizeof y);                                            \
    return expression;                                                                             \
  }
COMPARISON(ltS32, int32_t, x < y)
COMPARISON(ltU32, uint32_t, x < y)
COMPARISON(geS16, int16_t, x >= y)
COMPARISON(neB64, uint64_t, x != y)
COMPARISON(gtS64, int64_t, x > y)
COMPARISON(eqF32, float, x == y)
COMPARISON(neF32, float, x<y || x> y)
COMPARISON(neuF32, float, !(x == y))
COMPARISON(ltuF32, float, x < y || x != x || y != y)
COMPARISON(geuF32, float, x >= y || x != x || y != y)
COMPARISON(nanF32, float, x != x || y != y)
COMPARISON(numF64, double, x == x && y == y)
COMPARISON(leF64, double, x <= y)
COMPARISON(infinite, float, x == INFINITY || x == -INFINITY)
static uint64_t ltF16(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return ofHalf(a) < ofHalf(b);
}
static uint64_t andNot(uint64_t a, uint64_t b, uint64_t c) {
  return (int32_t)a < (int32_t)b && !((uint32_t)c == (uint32_t)a);
}
static uint64_t bothWays(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return (int32_t)a < (int32_t)b ? 1 : 2;
}

#define SELECT "\nselp.b32 %0, 1, 0, %p1;"
static void valuesCompare(void **state) {
  (void)state;
  static const Instruction all[] = {
      {"setp.lt.s32 %p1, %1, %2;" SELECT, 32, {32, 32}, INTEGERS, ltS32},
      {"setp.lt.u32 %p1, %1, %2;" SELECT, 32, {32, 32}, INTEGERS, ltU32},
      {"setp.lo.u32 %p1, %1, %2;" SELECT, 32, {32, 32}, INTEGERS, ltU32},
      {"setp.ge.s16 %p1, %1, %2;" SELECT, 32, {16, 16}, INTEGERS, geS16},
      {"setp.ne.b64 %p1, %1, %2;" SELECT, 32, {64, 64}, INTEGERS, neB64},
      {"setp.gt.s64 %p1, %1, %2;" SELECT, 32, {64, 64}, INTEGERS, gtS64},
      {"setp.eq.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, eqF32},
      {"setp.ne.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, neF32},
      {"setp.neu.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, neuF32},
      {"setp.ltu.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, ltuF32},
      {"setp.geu.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, geuF32},
      {"setp.nan.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, nanF32},
      {"setp.num.f64 %p1, %1, %2;" SELECT, 32, {64, 64}, DOUBLES, numF64},
      {"setp.le.f64 %p1, %1, %2;" SELECT, 32, {64, 64}, DOUBLES, leF64},
      {"setp.lt.f16 %p1, %1, %2;" SELECT, 32, {16, 16}, HALVES, ltF16},
      {"testp.infinite.f32 %p1, %1;" SELECT, 32, {32}, SINGLES, infinite},
      {"setp.eq.b32 %p2, %3, %1;\nsetp.lt.and.s32 %p1, %1, %2, !%p2;" SELECT,
       32,
       {32, 32, 32},
       INTEGERS,
       andNot},
      {"setp.lt.s32 %p1|%p2, %1, %2;\nselp.b32 %0, 1, 0, %p1;\n@%p2 add.s32 %0, %0, 2;",
       32,
       {32, 32},
       INTEGERS,
       bothWays},
  };
  CHECK(all);
}

//===- Integers -----------------------------------------------------------===//

#define INTEGER(name, expression)                                                                  \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                       \
    (void)b, (void)c;                                                                              \
    return (uint64_t)(expression);                                                                 \
  }
INTEGER(addS64, a + b)
INTEGER(subS32, a - b)
INTEGER(mulLo, a *b)
INTEGER(mulHiU32, (a & UINT32_MAX) * (b & UINT32_MAX) >> 32)
INTEGER(mulHiS32, (int64_t)(int32_t)a *(int32_t)b >> 32)
__extension__ typedef unsigned __int128 Unsigned128;
INTEGER(mulHiU64, (Unsigned128)a *b >> 64)
INTEGER(mulWideS32, (int64_t)(int32_t)a *(int32_t)b)
INTEGER(madLoS32, a *b + c)
INTEGER(minS32, (int32_t)a < (int32_t)b ? a : b)
INTEGER(maxU64, a > b ? a : b)
INTEGER(absS32, (int32_t)a < 0 ? 0 - a : a)
INTEGER(shlB32, (uint32_t)b > 31 ? 0 : a << (b & 31))
INTEGER(shrS32, (int32_t)a >> ((uint32_t)b > 31 ? 31 : b & 31))
INTEGER(shrU64, (uint32_t)b > 63 ? 0 : a >> (b & 63))
INTEGER(popcB32, __builtin_popcount((uint32_t)a))
INTEGER(selected, (int32_t)a < 0 ? b : c)
INTEGER(indexed, (a & 3) == 3 ? 7 : (a & 3) == 1 ? 2 : 1)
INTEGER(unpacked, (a >> 32) + (a & UINT32_MAX))
INTEGER(shfLeft, (uint32_t)c % 32 ? (uint32_t)b << (c % 32) | (uint32_t)a >> (32 - c % 32) : b)
static uint64_t divS32(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  const int64_t x = (int32_t)a, y = (int32_t)b | 1;
  return (uint64_t)(x / y);
}
static uint64_t remU32(uint64_t a, uint64_t b, uint64_t c) {
  (void)c;
  return (uint32_t)a % ((uint32_t)b | 1);
}
/// A byte of the eight of b:a for each of the selector's four nibbles, or its sign.
static uint64_t prmtB32(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t result = 0, bytes = (a & UINT32_MAX) | b << 32;
  for (int i = 0; i < 4; ++i) {
    const unsigned nibble = c >> (4 * i) & 15;
    uint64_t byte = bytes >> (8 * (nibble & 7)) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
static uint64_t bfeU32(uint64_t a, uint64_t b, uint64_t c) {
  const unsigned position = b & 0xff, length = c & 0xff;
  if (position > 31 || !length) return 0;
  const uint64_t field = (a & UINT32_MAX) >> position;
  return length > 31 ? field : field & ((UINT64_C(1) << length) - 1);
}

static void integersCompute(void **state) {
  (void)state;
  static const Instruction all[] = {
      {"add.s64 %0, %1, %2;", 64, {64, 64}, INTEGERS, addS64},
      {"add.s16 %0, %1, %2;", 16, {16, 16}, INTEGERS, addS64},
      {"sub.s32 %0, %1, %2;", 32, {32, 32}, INTEGERS, subS32},
      {"mul.lo.s32 %0, %1, %2;", 32, {32, 32}, INTEGERS, mulLo},
      {"mul.lo.s64 %0, %1, %2;", 64, {64, 64}, INTEGERS, mulLo},
      {"mul.hi.u32 %0, %1, %2;", 32, {32, 32}, INTEGERS, mulHiU32},
      {"mul.hi.s32 %0, %1, %2;", 32, {32, 32}, INTEGERS, mulHiS32},
      {"mul.hi.u64 %0, %1, %2;", 64, {64, 64}, INTEGERS, mulHiU64},
      {"mul.wide.s32 %0, %1, %2;", 64, {32, 32}, INTEGERS, mulWideS32},
      {"mad.lo.s32 %0, %1, %2, %3;", 32, {32, 32, 32}, INTEGERS, madLoS32},
      {"min.s32 %0, %1, %2;", 32, {32, 32}, INTEGERS, minS32},
      {"max.u64 %0, %1, %2;", 64, {64, 64}, INTEGERS, maxU64},
      {"abs.s32 %0, %1;", 32, {32}, INTEGERS, absS32},
      {"or.b32 %2, %2, 1;\ndiv.s32 %0, %1, %2;", 32, {32, 32}, INTEGERS, divS32},
      {"or.b32 %2, %2, 1;\nrem.u32 %0, %1, %2;", 32, {32, 32}, INTEGERS, remU32},
      {"shl.b32 %0, %1, %2;", 32, {32, 32}, INTEGERS, shlB32},
      {"shr.s32 %0, %1, %2;", 32, {32, 32}, INTEGERS, shrS32},
      {"shr.u64 %0, %1, %2;", 64, {64, 32}, INTEGERS, shrU64},
      {"popc.b32 %0, %1;", 32, {32}, INTEGERS, popcB32},
      {"bfe.u32 %0, %1, %2, %3;", 32, {32, 32, 32}, INTEGERS, bfeU32},
      {"prmt.b32 %0, %1, %2, %3;", 32, {32, 32, 32}, INTEGERS, prmtB32},
      {"shf.l.wrap.b32 %0, %1, %2, %3;", 32, {32, 32, 32}, INTEGERS, shfLeft},
      {"setp.lt.s32 %p1, %1, 0;\nselp.b32 %0, %2, %3, %p1;", 32, {32, 32, 32}, INTEGERS, selected},
      // Lanes go three ways by a table, and one of them by no table.
      {"and.b32 %w5, %1, 3;\nmov.b32 %0, 7;\nsetp.lt.u32 %p1, %w5, 3;\nbra.uni start;\n"
       "table: .branchtargets one, two, one;\nstart:\n@%p1 brx.idx %w5, table;\nbra.uni end;\n"
       "one: mov.b32 %0, 1;\nbra.uni end;\ntwo: mov.b32 %0, 2;\nend:",
       32,
       {32},
       INTEGERS,
       indexed},
      {"mov.b64 {%w6, %w7}, %1;\nadd.s32 %0, %w6, %w7;", 32, {64}, INTEGERS, unpacked},
  };
  CHECK(all);
}

//===- What is refused ----------------------------------------------------===//

static void unknownNamesAreRefused(void **state) {
  (void)state;
  static const Instruction all[] = {
      {"add.rn.up.f32 %0, %1, %2;", 32, {32, 32}, SINGLES, NULL},
      {"cvt.f99.f32 %0, %1;", 32, {32}, SINGLES, NULL},
      {"cvt.s32.f32 %0, %1;", 32, {32}, SINGLES, NULL},
      {"setp.almost.f32 %p1, %1, %2;" SELECT, 32, {32, 32}, SINGLES, NULL},
      {"setp.ltu.s32 %p1, %1, %2;" SELECT, 32, {32, 32}, INTEGERS, NULL},
      {"add.rn.f32 %0, %1;", 32, {32}, SINGLES, NULL},
      {"fma.rn.f32 %0, %1, %2, %3;", 32, {32, 64, 32}, SINGLES, NULL},
      {"frobnicate.f32 %0, %1;", 32, {32}, SINGLES, NULL},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    char text[2048], log[512] = "";
    int code = 0;
    makeText(text, sizeof text, &all[i]);
    if (ptxModuleCreate(text, 90, log, sizeof log, &code)) fail_msg("%s was taken", all[i].text);
    assert_int_equal(code, PTX_INVALID_TEXT);
    assert_non_null(strstr(log, "expected"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(singlesCompute),  cmocka_unit_test(othersCompute),
      cmocka_unit_test(valuesConvert),   cmocka_unit_test(valuesCompare),
      cmocka_unit_test(integersCompute), cmocka_unit_test(unknownNamesAreRefused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
