//===- Compare.c - setp ---------------------------------------------------===//
//
// PTX ISA, "Comparison and Selection Instructions". Results are a bit a lane.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include "Warp.h"
#include <string.h>

typedef enum Comparison {
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  EQU, ///< and those behind it are true of a NaN
  NEU,
  LTU,
  LEU,
  GTU,
  GEU,
  NUM,
  NOT_A_NUMBER,
  COMPARISONS,
} Comparison;

/// The names of integers without a sign are others.
static const struct {
  const char *name;
  Comparison comparison;
} names[] = {{"eq", EQ},   {"ne", NE},
             {"lt", LT},   {"le", LE},
             {"gt", GT},   {"ge", GE},
             {"equ", EQU}, {"neu", NEU},
             {"ltu", LTU}, {"leu", LEU},
             {"gtu", GTU}, {"geu", GEU},
             {"num", NUM}, {"nan", NOT_A_NUMBER},
             {"lo", LT},   {"ls", LE},
             {"hi", GT},   {"hs", GE}};

typedef enum Combination { ALONE, AND, OR, XOR } Combination;

/// Bits of 32 bytes that are 0 or 1: a product gathers those of 8.
static uint32_t gather(const uint8_t truths[PTX_LANES]) {
  uint32_t bits = 0;
  for (int i = 0; i < PTX_LANES; i += 8) {
    uint64_t eight;
    memcpy(&eight, truths + i, sizeof eight);
    bits |= (uint32_t)(eight * UINT64_C(0x0102040810204080) >> 56) << i;
  }
  return bits;
}

#define LOOP(comparison, expression)                                                               \
  case comparison:                                                                                 \
    for (int i = 0; i < PTX_LANES; ++i) truths[i] = (expression);                                  \
    break;
#define ORDERS                                                                                     \
  LOOP(EQ, x[i] == y[i])                                                                           \
  LOOP(LT, x[i] < y[i]) LOOP(LE, x[i] <= y[i]) LOOP(GT, x[i] > y[i]) LOOP(GE, x[i] >= y[i])

/// Comparisons of integers of a type in lanes of another.
#define INTEGERS(name, Type)                                                                       \
  static uint32_t name(Comparison comparison, const Type *x, const Type *y) {                      \
    uint8_t truths[PTX_LANES] = {0};                                                               \
    switch (comparison) {                                                                          \
      ORDERS                                                                                       \
      LOOP(NE, x[i] != y[i])                                                                       \
    default:                                                                                       \
      break;                                                                                       \
    }                                                                                              \
    return gather(truths);                                                                         \
  }
INTEGERS(compareU32, PtxU32)
INTEGERS(compareS32, PtxS32)
INTEGERS(compareU64, PtxU64)
INTEGERS(compareS64, PtxS64)

#define FLOATS(name, Type)                                                                         \
  static uint32_t name(Comparison comparison, const Type *x, const Type *y) {                      \
    uint8_t truths[PTX_LANES] = {0};                                                               \
    switch (comparison) {                                                                          \
      ORDERS                                                                                       \
      LOOP(NE, (x[i] < y[i]) | (x[i] > y[i]))                                                      \
      LOOP(EQU, !((x[i] < y[i]) | (x[i] > y[i])))                                                  \
      LOOP(NEU, x[i] != y[i])                                                                      \
      LOOP(LTU, !(x[i] >= y[i]))                                                                   \
      LOOP(LEU, !(x[i] > y[i]))                                                                    \
      LOOP(GTU, !(x[i] <= y[i]))                                                                   \
      LOOP(GEU, !(x[i] < y[i]))                                                                    \
      LOOP(NUM, (x[i] == x[i]) & (y[i] == y[i]))                                                   \
      LOOP(NOT_A_NUMBER, (x[i] != x[i]) | (y[i] != y[i]))                                          \
    default:                                                                                       \
      break;                                                                                       \
    }                                                                                              \
    return gather(truths);                                                                         \
  }
FLOATS(compareF32, PtxFloat)
FLOATS(compareF64, PtxDouble)

/// 16 bits of lanes, with their sign or without.
static uint32_t compareShort(const PtxOp *op, const PtxU32 *a, const PtxU32 *b) {
  PtxS32 x[PTX_LANES], y[PTX_LANES];
  for (int i = 0; i < PTX_LANES; ++i) {
    x[i] = op->is.isSigned ? (int16_t)a[i] : (int32_t)(a[i] & 0xffff);
    y[i] = op->is.isSigned ? (int16_t)b[i] : (int32_t)(b[i] & 0xffff);
  }
  return compareS32((Comparison)op->is.kind, x, y);
}

/// f16 and bf16 at a bit of lanes, and f32 without its subnormal numbers.
static uint32_t compareDecoded(const PtxOp *op, const PtxU32 *a, const PtxU32 *b, int shift) {
  PtxFloat x[PTX_LANES], y[PTX_LANES];
  const bool isSingle = op->is.format == PTX_F32, isF16 = op->is.format == PTX_F16;
  for (int i = 0; i < PTX_LANES; ++i) {
    const uint16_t p = (uint16_t)(a[i] >> shift), q = (uint16_t)(b[i] >> shift);
    x[i] = isSingle ? ptxBitsToF32(a[i]) : isF16 ? ptxF16ToF32(p) : ptxBf16ToF32(p);
    y[i] = isSingle ? ptxBitsToF32(b[i]) : isF16 ? ptxF16ToF32(q) : ptxBf16ToF32(q);
    if (op->is.flushes) x[i] = ptxFlush(x[i]), y[i] = ptxFlush(y[i]);
  }
  return compareF32((Comparison)op->is.kind, x, y);
}

static uint32_t compare(const PtxOp *op, const void *a, const void *b) {
  const Comparison comparison = (Comparison)op->is.kind;
  if (op->is.format == PTX_F64) return compareF64(comparison, a, b);
  if (op->is.format == PTX_F32 && !op->is.flushes) return compareF32(comparison, a, b);
  if (op->is.format != PTX_FORMATS) return compareDecoded(op, a, b, 0);
  if (op->is.bytes == 2) return compareShort(op, a, b);
  if (op->is.bytes == 8)
    return op->is.isSigned ? compareS64(comparison, a, b) : compareU64(comparison, a, b);
  return op->is.isSigned ? compareS32(comparison, a, b) : compareU32(comparison, a, b);
}

/// With the third predicate, of which `isSignedTo` says that it is negated.
static uint32_t combine(const PtxOp *op, uint32_t bits, const void *c) {
  if (op->is.count == ALONE) return bits;
  const uint32_t other = op->is.isSignedTo ? ~*(const PtxU32 *)c : *(const PtxU32 *)c;
  return op->is.count == AND ? bits & other : op->is.count == OR ? bits | other : bits ^ other;
}

static void runCompare(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  *(PtxU32 *)d = combine(op, compare(op, a, b), c);
}

static void assign(PtxWarp *warp, const PtxSlot *slot, uint32_t bits, uint32_t mask) {
  if (!slot->bytes) return; // "_"
  PtxU32 *to = ptxRow(warp, slot->row);
  *to = (*to & ~mask) | (bits & mask);
}

/// p|q: the comparison and its contrary, or, of pairs, those of the lower and the upper halves.
static PtxStatus runBoth(PtxWarp *warp, const PtxOp *op, uint32_t mask) {
  const void *a = ptxRow(warp, op->s[0]), *b = ptxRow(warp, op->s[1]), *c = ptxRow(warp, op->s[2]);
  const uint32_t first = compare(op, a, b);
  const uint32_t second = op->is.isVector2 ? compareDecoded(op, a, b, 16) : ~first;
  const uint32_t results[] = {combine(op, first, c), combine(op, second, c)};
  for (int i = 0; i < 2; ++i) assign(warp, &op->operands[0].slots[i], results[i], mask);
  return PTX_NEXT;
}

//===- Names --------------------------------------------------------------===//

/// Reads the third predicate of a combination, which may be negated.
static bool bindOther(PtxDecoder *decoder) {
  static const char *const combinations[] = {[AND] = "and", [OR] = "or", [XOR] = "xor"};
  PtxOp *op = decoder->op;
  for (int i = AND; i <= XOR; ++i)
    if (ptxTake(&decoder->name, combinations[i])) op->is.count = (uint8_t)i;
  const int operands = op->is.count == ALONE ? 3 : 4;
  if (!ptxExpectOperands(decoder, operands, operands)) return false;
  if (op->is.count == ALONE) return true;
  PtxSlot slot;
  if (!ptxBindSlot(decoder, 3, 0, 1, &slot)) return false;
  op->s[2] = slot.row, op->is.isSignedTo = slot.isNegated;
  return true;
}

static bool readComparison(PtxDecoder *decoder) {
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!ptxTake(&decoder->name, names[i].name)) continue;
    decoder->op->is.kind = (uint8_t)names[i].comparison;
    return true;
  }
  return false;
}

int ptxDecodeCompare(PtxDecoder *decoder) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  PtxType type;
  if (!ptxIs(name, 0, "setp")) return 0;
  if (!ptxTakeType(name, &type) || !readComparison(decoder)) return -1;
  const bool isFloat = type.letter == 'f';
  if (!isFloat && (op->is.kind > GE || (type.bits != 16 && type.bits != 32 && type.bits != 64)))
    return -1;
  op->is.format = type.format;
  op->is.bytes = (uint8_t)(type.bits / 8);
  op->is.isSigned = type.letter == 's';
  op->is.isVector2 = type.isPair;
  op->is.flushes = ptxTake(name, "ftz");
  if (!bindOther(decoder) || !ptxAllTaken(name)) return -1;
  for (int s = 0; s < 2; ++s)
    if (!ptxBind(decoder, s, s + 1, type.bits == 64 ? 8 : 4)) return -1;
  if (op->operandCount && op->operands[0].count == 2) {
    op->run = runBoth;
    return ptxBindResult(decoder, 0, 1) ? 1 : -1;
  }
  op->lanes = runCompare;
  return type.isPair || !ptxBind(decoder, -1, 0, 1) ? -1 : 1;
}
