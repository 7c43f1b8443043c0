//===- Integer.c - arithmetic and logic of integers -----------------------===//
//
// A function a form and type, each a loop over lanes; a table finds them by the whole name. 16-bit
// values are the low halves of 32-bit lanes.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "Warp.h"
#include <string.h>

// A result may be an operand, and no other row overlaps: what clang is told of each loop.
#ifdef __clang__
#define LANES _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < PTX_LANES; ++i)
#else
#define LANES for (int i = 0; i < PTX_LANES; ++i)
#endif

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

/// Bits in the other order: halves change places, of ever smaller parts.
static inline uint32_t reverse32(uint32_t v) {
  v = v >> 16 | v << 16;
  v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  return (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
}
static inline uint64_t reverse64(uint64_t v) {
  return (uint64_t)reverse32((uint32_t)v) << 32 | reverse32((uint32_t)(v >> 32));
}

/// name(a, b, c): an expression in A, B and C of `type`, read from lanes of `from` and written to
/// lanes of `to`.
#define FORM(name, type, from, result, to, expression)                                             \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op;                                                                                      \
    LANES {                                                                                        \
      type A = (type)((const from *)a)[i], B = (type)((const from *)b)[i];                         \
      type C = (type)((const from *)c)[i];                                                         \
      (void)A, (void)B, (void)C;                                                                   \
      ((to *)d)[i] = (to)(result)(expression);                                                     \
    }                                                                                              \
  }
/// Of 16, 32 and 64 bits with a sign and without.
#define FORMS(name, expression)                                                                    \
  FORM(name##U16, uint16_t, PtxU32, uint16_t, PtxU32, expression)                                  \
  FORM(name##S16, int16_t, PtxU32, uint16_t, PtxU32, expression)                                   \
  FORM(name##U32, uint32_t, PtxU32, uint32_t, PtxU32, expression)                                  \
  FORM(name##S32, int32_t, PtxU32, uint32_t, PtxU32, expression)                                   \
  FORM(name##U64, uint64_t, PtxU64, uint64_t, PtxU64, expression)                                  \
  FORM(name##S64, int64_t, PtxU64, uint64_t, PtxU64, expression)
/// Without a sign alone: where the bits are the same.
#define PLAIN(name, expression)                                                                    \
  FORM(name##U16, uint16_t, PtxU32, uint16_t, PtxU32, expression)                                  \
  FORM(name##U32, uint32_t, PtxU32, uint32_t, PtxU32, expression)                                  \
  FORM(name##U64, uint64_t, PtxU64, uint64_t, PtxU64, expression)

PLAIN(add, A + B)
PLAIN(sub, A - B)
PLAIN(mul, (uint64_t)A *B)
PLAIN(mad, (uint64_t)A *B + C)
PLAIN(neg, 0 - (uint64_t)A)
PLAIN(and, A &B)
PLAIN(or, A | B)
PLAIN(xor, A ^ B)
PLAIN(not, ~A)
FORMS(min, A < B ? A : B)
FORMS(max, A > B ? A : B)
// A quotient by zero is unspecified; that of the least number and -1 wraps.
#define UNSIGNED_QUOTIENTS(type, from, name)                                                       \
  FORM(div##name, type, from, type, from, B ? A / (B ? B : 1) : (type) - 1)                        \
  FORM(rem##name, type, from, type, from, B ? A % (B ? B : 1) : A)
UNSIGNED_QUOTIENTS(uint16_t, PtxU32, U16)
UNSIGNED_QUOTIENTS(uint32_t, PtxU32, U32)
UNSIGNED_QUOTIENTS(uint64_t, PtxU64, U64)
#define SIGNED_QUOTIENTS(type, plain, from, name)                                                  \
  FORM(div##name, type, from, plain, from,                                                         \
       B == -1 ? 0 - (uint64_t)A                                                                   \
       : B     ? (uint64_t)(A / B)                                                                 \
               : UINT64_MAX)                                                                       \
  FORM(rem##name, type, from, plain, from, B == -1 ? 0 : B ? A % B : A)
SIGNED_QUOTIENTS(int16_t, uint16_t, PtxU32, S16)
SIGNED_QUOTIENTS(int32_t, uint32_t, PtxU32, S32)
SIGNED_QUOTIENTS(int64_t, uint64_t, PtxU64, S64)
FORM(absS16, int16_t, PtxU32, uint16_t, PtxU32, A < 0 ? -A : A)
FORM(absS32, int32_t, PtxU32, uint32_t, PtxU32, A < 0 ? 0u - (uint32_t)A : (uint32_t)A)
FORM(absS64, int64_t, PtxU64, uint64_t, PtxU64, A < 0 ? 0 - (uint64_t)A : (uint64_t)A)
FORM(reluMinS32, int32_t, PtxU32, uint32_t, PtxU32, (A < B ? A : B) < 0 ? 0 : A < B ? A : B)
FORM(reluMaxS32, int32_t, PtxU32, uint32_t, PtxU32, (A > B ? A : B) < 0 ? 0 : A > B ? A : B)
FORM(hiU16, uint16_t, PtxU32, uint16_t, PtxU32, (uint32_t)A *B >> 16)
FORM(hiS16, int16_t, PtxU32, uint16_t, PtxU32, (uint32_t)((int32_t)A * B) >> 16)
FORM(hiU32, uint32_t, PtxU32, uint32_t, PtxU32, ((uint64_t)A * B) >> 32)
FORM(hiS32, int32_t, PtxU32, uint32_t, PtxU32, (uint64_t)((int64_t)A * B) >> 32)
FORM(hiU64, uint64_t, PtxU64, uint64_t, PtxU64, ((Unsigned128)A * B) >> 64)
FORM(hiS64, int64_t, PtxU64, uint64_t, PtxU64, ((Signed128)A * B) >> 64)
FORM(madHiU32, uint32_t, PtxU32, uint32_t, PtxU32, ((uint64_t)A * B >> 32) + C)
FORM(madHiS32, int32_t, PtxU32, uint32_t, PtxU32,
     ((uint64_t)((int64_t)A * B) >> 32) + (uint64_t)(int64_t)C)
FORM(madHiU64, uint64_t, PtxU64, uint64_t, PtxU64, (uint64_t)((Unsigned128)A * B >> 64) + C)
FORM(madHiS64, int64_t, PtxU64, uint64_t, PtxU64, (uint64_t)((Signed128)A * B >> 64) + (uint64_t)C)
FORM(wideU16, uint16_t, PtxU32, uint32_t, PtxU32, (uint32_t)A *B)
FORM(wideS16, int16_t, PtxU32, uint32_t, PtxU32, (int32_t)A *B)
FORM(wideU32, uint32_t, PtxU32, uint64_t, PtxU64, (uint64_t)A *B)
FORM(wideS32, int32_t, PtxU32, uint64_t, PtxU64, (int64_t)A *B)
FORM(popcU32, uint32_t, PtxU32, uint32_t, PtxU32, (uint32_t)__builtin_popcount(A))
FORM(popcU64, uint64_t, PtxU64, uint32_t, PtxU32, (uint32_t)__builtin_popcountll(A))
FORM(clzU32, uint32_t, PtxU32, uint32_t, PtxU32, A ? (uint32_t)__builtin_clz(A) : 32)
FORM(clzU64, uint64_t, PtxU64, uint32_t, PtxU32, A ? (uint32_t)__builtin_clzll(A) : 64)
FORM(revU32, uint32_t, PtxU32, uint32_t, PtxU32, reverse32(A))
FORM(revU64, uint64_t, PtxU64, uint64_t, PtxU64, reverse64(A))

/// mad.wide: the sum has twice the factors' bits.
#define MAD_WIDE(name, type, product)                                                              \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op;                                                                                      \
    LANES((PtxU64 *)d)                                                                             \
    [i] = (uint64_t)((product)(type)((const PtxU32 *)a)[i] * (type)((const PtxU32 *)b)[i]) +       \
          ((const PtxU64 *)c)[i];                                                                  \
  }
MAD_WIDE(madWideU32, uint32_t, uint64_t)
MAD_WIDE(madWideS32, int32_t, int64_t)

/// Shifts, by 32 bits of count, which are clamped.
#define SHIFT(name, type, from, expression, beyond)                                                \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op, (void)c;                                                                             \
    LANES {                                                                                        \
      type A = (type)((const from *)a)[i];                                                         \
      uint32_t B = ((const PtxU32 *)b)[i], bits = 8 * (uint32_t)sizeof A;                          \
      type value = (type)(B >= bits ? (beyond) : (expression));                                    \
      ((from *)d)[i] = sizeof A == 2 ? (from)(value & 0xffff) : (from)value;                       \
    }                                                                                              \
  }
SHIFT(shlB16, uint16_t, PtxU32, A << (B & 15), 0)
SHIFT(shlB32, uint32_t, PtxU32, A << (B & 31), 0)
SHIFT(shlB64, uint64_t, PtxU64, A << (B & 63), 0)
SHIFT(shrU16, uint16_t, PtxU32, A >> (B & 15), 0)
SHIFT(shrU32, uint32_t, PtxU32, A >> (B & 31), 0)
SHIFT(shrU64, uint64_t, PtxU64, A >> (B & 63), 0)
SHIFT(shrS16, int16_t, PtxU32, A >> (B & 15), A < 0 ? -1 : 0)
SHIFT(shrS32, int32_t, PtxU32, A >> (B & 31), A < 0 ? -1 : 0)
SHIFT(shrS64, int64_t, PtxU64, A >> (B & 63), A < 0 ? -1 : 0)

/// Funnel shifts: the high (left) or low (right) word of b:a shifted.
#define FUNNEL(name, shift, expression)                                                            \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op;                                                                                      \
    LANES {                                                                                        \
      uint64_t both = (uint64_t)((const PtxU32 *)b)[i] << 32 | ((const PtxU32 *)a)[i];             \
      uint32_t C = ((const PtxU32 *)c)[i];                                                         \
      uint32_t count = shift;                                                                      \
      ((PtxU32 *)d)[i] = (uint32_t)(expression);                                                   \
    }                                                                                              \
  }
FUNNEL(funnelLeftWrap, C & 31, both << count >> 32)
FUNNEL(funnelLeftClamp, C > 32 ? 32 : C, both << count >> 32)
FUNNEL(funnelRightWrap, C & 31, both >> count)
FUNNEL(funnelRightClamp, C > 32 ? 32 : C, both >> count)

/// bfe: `length` bits from `position` on, with the highest of them as the sign.
#define EXTRACT(name, type, lanesType, isSigned)                                                   \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op;                                                                                      \
    for (int i = 0; i < PTX_LANES; ++i) {                                                          \
      type A = (type)((const lanesType *)a)[i];                                                    \
      const int bits = 8 * (int)sizeof A;                                                          \
      int position = (int)(((const PtxU32 *)b)[i] & 255);                                          \
      int length = (int)(((const PtxU32 *)c)[i] & 255);                                            \
      int top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;               \
      type fill = length && (isSigned) && A >> top & 1 ? ~(type)0 : 0;                             \
      type value = position < bits ? A >> position : 0;                                            \
      int kept = position < bits ? (length < bits - position ? length : bits - position) : 0;      \
      type mask = kept >= bits ? ~(type)0 : ((type)1 << kept) - 1;                                 \
      ((lanesType *)d)[i] = (value & mask) | (fill & ~mask);                                       \
    }                                                                                              \
  }
EXTRACT(bfeU32, uint32_t, PtxU32, false)
EXTRACT(bfeS32, uint32_t, PtxU32, true)
EXTRACT(bfeU64, uint64_t, PtxU64, false)
EXTRACT(bfeS64, uint64_t, PtxU64, true)

/// bfi: the low `length` bits of a into b from `position` on.
#define INSERT(name, type)                                                                         \
  static PtxStatus name(PtxWarp *warp, const PtxOp *op, uint32_t mask) {                           \
    for (uint32_t left = mask; left; left &= left - 1) {                                           \
      int lane = ptxFirst(left);                                                                   \
      type a = (type)ptxLane(warp, op->operands[1].slots, lane);                                   \
      type b = (type)ptxLane(warp, op->operands[2].slots, lane);                                   \
      uint64_t position = ptxLane(warp, op->operands[3].slots, lane) & 255, bits = 8 * sizeof a;   \
      uint64_t length = ptxLane(warp, op->operands[4].slots, lane) & 255;                          \
      type field = length >= bits ? (type) ~(type)0 : (type)(((type)1 << length) - 1);             \
      type where = position >= bits ? 0 : (type)(field << position);                               \
      type value = position >= bits ? 0 : (type)(a << position);                                   \
      ptxSetLane(warp, op->operands[0].slots, lane, (b & ~where) | (value & where));               \
    }                                                                                              \
    return PTX_NEXT;                                                                               \
  }
INSERT(bfiB32, uint32_t)
INSERT(bfiB64, uint64_t)

/// Pairs of 16 bits: max.s16x2 and its like.
#define PAIR(name, type, expression)                                                               \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op, (void)c;                                                                             \
    for (int i = 0; i < PTX_LANES; ++i) {                                                          \
      uint32_t result = 0;                                                                         \
      for (int h = 0; h < 32; h += 16) {                                                           \
        type A = (type)(((const PtxU32 *)a)[i] >> h), B = (type)(((const PtxU32 *)b)[i] >> h);     \
        result |= (uint32_t)(uint16_t)(expression) << h;                                           \
      }                                                                                            \
      ((PtxU32 *)d)[i] = result;                                                                   \
    }                                                                                              \
  }
PAIR(maxS16x2, int16_t, A > B ? A : B)
PAIR(minS16x2, int16_t, A < B ? A : B)
PAIR(maxU16x2, uint16_t, A > B ? A : B)
PAIR(minU16x2, uint16_t, A < B ? A : B)
PAIR(addU16x2, uint16_t, A + B)

/// dp4a: the sum of four products of bytes, and c.
#define DOT(name, typeA, typeB)                                                                    \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op;                                                                                      \
    for (int i = 0; i < PTX_LANES; ++i) {                                                          \
      uint32_t A = ((const PtxU32 *)a)[i], B = ((const PtxU32 *)b)[i];                             \
      uint32_t sum = ((const PtxU32 *)c)[i];                                                       \
      for (int h = 0; h < 32; h += 8) sum += (uint32_t)((typeA)(A >> h) * (typeB)(B >> h));        \
      ((PtxU32 *)d)[i] = sum;                                                                      \
    }                                                                                              \
  }
DOT(dotUU, uint8_t, uint8_t)
DOT(dotUS, uint8_t, int8_t)
DOT(dotSU, int8_t, uint8_t)
DOT(dotSS, int8_t, int8_t)

#define PREDICATE(name, expression)                                                                \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    (void)op, (void)c;                                                                             \
    uint32_t A = *(const PtxU32 *)a, B = *(const PtxU32 *)b;                                       \
    (void)B;                                                                                       \
    *(PtxU32 *)d = expression;                                                                     \
  }
PREDICATE(andPred, A &B)
PREDICATE(orPred, A | B)
PREDICATE(xorPred, A ^ B)
PREDICATE(notPred, ~A)

/// Bytes a lane of the result and of the sources; 0 for none.
typedef struct Form {
  const char *name;
  PtxLanes lanes;
  uint8_t d, s[3];
} Form;

#define W1(name, f, n)                                                                             \
  {                                                                                                \
    name, f, n, { n }                                                                              \
  }
#define W2(name, f, n)                                                                             \
  {                                                                                                \
    name, f, n, { n, n }                                                                           \
  }
#define W3(name, f, n)                                                                             \
  {                                                                                                \
    name, f, n, { n, n, n }                                                                        \
  }
#define SIGNLESS(op, f, W)                                                                         \
  W(op ".s16", f##U16, 4), W(op ".u16", f##U16, 4), W(op ".s32", f##U32, 4),                       \
      W(op ".u32", f##U32, 4), W(op ".s64", f##U64, 8), W(op ".u64", f##U64, 8)
#define SIGNED(op, f, W)                                                                           \
  W(op ".s16", f##S16, 4), W(op ".u16", f##U16, 4), W(op ".s32", f##S32, 4),                       \
      W(op ".u32", f##U32, 4), W(op ".s64", f##S64, 8), W(op ".u64", f##U64, 8)
#define BITS(op, f, W) W(op ".b16", f##U16, 4), W(op ".b32", f##U32, 4), W(op ".b64", f##U64, 8)

static const Form forms[] = {
    SIGNLESS("add", add, W2),
    SIGNLESS("sub", sub, W2),
    SIGNLESS("mul.lo", mul, W2),
    SIGNLESS("mad.lo", mad, W3),
    SIGNED("min", min, W2),
    SIGNED("max", max, W2),
    SIGNED("div", div, W2),
    SIGNED("rem", rem, W2),
    BITS("and", and, W2),
    BITS("or", or, W2),
    BITS("xor", xor, W2),
    BITS("not", not, W1),
    W1("neg.s16", negU16, 4),
    W1("neg.s32", negU32, 4),
    W1("neg.s64", negU64, 8),
    W1("abs.s16", absS16, 4),
    W1("abs.s32", absS32, 4),
    W1("abs.s64", absS64, 8),
    W2("min.relu.s32", reluMinS32, 4),
    W2("max.relu.s32", reluMaxS32, 4),
    W2("mul.hi.u16", hiU16, 4),
    W2("mul.hi.s16", hiS16, 4),
    W2("mul.hi.u32", hiU32, 4),
    W2("mul.hi.s32", hiS32, 4),
    W2("mul.hi.u64", hiU64, 8),
    W2("mul.hi.s64", hiS64, 8),
    W3("mad.hi.u32", madHiU32, 4),
    W3("mad.hi.s32", madHiS32, 4),
    W3("mad.hi.u64", madHiU64, 8),
    W3("mad.hi.s64", madHiS64, 8),
    W2("mul.wide.u16", wideU16, 4),
    W2("mul.wide.s16", wideS16, 4),
    {"mul.wide.u32", wideU32, 8, {4, 4}},
    {"mul.wide.s32", wideS32, 8, {4, 4}},
    {"mad.wide.u32", madWideU32, 8, {4, 4, 8}},
    {"mad.wide.s32", madWideS32, 8, {4, 4, 8}},
    W1("popc.b32", popcU32, 4),
    {"popc.b64", popcU64, 4, {8}},
    W1("clz.b32", clzU32, 4),
    {"clz.b64", clzU64, 4, {8}},
    W1("brev.b32", revU32, 4),
    W1("brev.b64", revU64, 8),
    W2("shl.b16", shlB16, 4),
    W2("shl.b32", shlB32, 4),
    {"shl.b64", shlB64, 8, {8, 4}},
    W2("shr.u16", shrU16, 4),
    W2("shr.b16", shrU16, 4),
    W2("shr.u32", shrU32, 4),
    W2("shr.b32", shrU32, 4),
    {"shr.u64", shrU64, 8, {8, 4}},
    {"shr.b64", shrU64, 8, {8, 4}},
    W2("shr.s16", shrS16, 4),
    W2("shr.s32", shrS32, 4),
    {"shr.s64", shrS64, 8, {8, 4}},
    W3("shf.l.wrap.b32", funnelLeftWrap, 4),
    W3("shf.l.clamp.b32", funnelLeftClamp, 4),
    W3("shf.r.wrap.b32", funnelRightWrap, 4),
    W3("shf.r.clamp.b32", funnelRightClamp, 4),
    W3("bfe.u32", bfeU32, 4),
    W3("bfe.s32", bfeS32, 4),
    {"bfe.u64", bfeU64, 8, {8, 4, 4}},
    {"bfe.s64", bfeS64, 8, {8, 4, 4}},
    W2("max.s16x2", maxS16x2, 4),
    W2("min.s16x2", minS16x2, 4),
    W2("max.u16x2", maxU16x2, 4),
    W2("min.u16x2", minU16x2, 4),
    W2("add.u16x2", addU16x2, 4),
    W2("add.s16x2", addU16x2, 4),
    W3("dp4a.u32.u32", dotUU, 4),
    W3("dp4a.u32.s32", dotUS, 4),
    W3("dp4a.s32.u32", dotSU, 4),
    W3("dp4a.s32.s32", dotSS, 4),
    W2("and.pred", andPred, 1),
    W2("or.pred", orPred, 1),
    W2("xor.pred", xorPred, 1),
    W1("not.pred", notPred, 1),
};

static int decodeInsert(PtxDecoder *decoder, bool isWide) {
  int bytes = isWide ? 8 : 4;
  decoder->op->run = isWide ? bfiB64 : bfiB32;
  return ptxExpectOperands(decoder, 5, 5) && ptxBindResult(decoder, 0, bytes) &&
                 ptxBindOperand(decoder, 1, bytes) && ptxBindOperand(decoder, 2, bytes) &&
                 ptxBindOperand(decoder, 3, 4) && ptxBindOperand(decoder, 4, 4)
             ? 1
             : -1;
}

int ptxDecodeInteger(PtxDecoder *decoder) {
  PtxOp *op = decoder->op;
  if (ptxIs(&decoder->name, 0, "bfi") && decoder->name.count == 2)
    return ptxIs(&decoder->name, 1, "b64")   ? decodeInsert(decoder, true)
           : ptxIs(&decoder->name, 1, "b32") ? decodeInsert(decoder, false)
                                             : -1;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
    const Form *form = &forms[i];
    if (strcmp(form->name, decoder->name.whole) != 0) continue;
    int sources = 0;
    while (sources < 3 && form->s[sources]) ++sources;
    op->lanes = form->lanes;
    if (!ptxExpectOperands(decoder, sources + 1, sources + 1) || !ptxBind(decoder, -1, 0, form->d))
      return -1;
    for (int s = 0; s < sources; ++s)
      if (!ptxBind(decoder, s, s + 1, form->s[s])) return -1;
    return 1;
  }
  return 0;
}
