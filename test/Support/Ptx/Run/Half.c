//===- Half.c - arithmetic of f16 and bf16 --------------------------------===//
//
// PTX ISA, "Half Precision Floating Point Instructions". A lane has one value or, of f16x2 and
// bf16x2, two. Each is rounded once.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include <math.h>
#include <string.h>

typedef enum Kind { ADD, SUB, MUL, FMA, MIN, MAX, NAN_MIN, NAN_MAX, NEG, ABS, APPROXIMATION } Kind;

static const struct {
  const char *name;
  Kind kind;
  uint8_t sources;
} names[] = {
    {"add", ADD, 2},           {"sub", SUB, 2},
    {"mul", MUL, 2},           {"fma", FMA, 3},
    {"min", MIN, 2},           {"max", MAX, 2},
    {"neg", NEG, 1},           {"abs", ABS, 1},
    {"ex2", APPROXIMATION, 1}, {"tanh", APPROXIMATION, 1},
};

//===- One value ----------------------------------------------------------===//

static uint16_t getNan(PtxFormat format) { return (uint16_t)ptxEncode(format, NAN, PTX_RN, false); }

static uint16_t chooseHalf(const PtxOp *op, uint16_t a, uint16_t b) {
  const Kind kind = (Kind)op->is.kind;
  const bool isMin = kind == MIN || kind == NAN_MIN, keeps = kind == NAN_MIN || kind == NAN_MAX;
  const double x = ptxDecode(op->is.format, a), y = ptxDecode(op->is.format, b);
  if (x != x && y != y) return getNan(op->is.format);
  if (x != x || y != y) return keeps ? getNan(op->is.format) : x != x ? b : a;
  if (x == y) return isMin ? a | b : a & b; // zeros of either sign
  return (x < y) == isMin ? a : b;
}

static uint16_t computeHalf(const PtxOp *op, uint16_t a, uint16_t b, uint16_t c) {
  const PtxFormat format = op->is.format;
  switch ((Kind)op->is.kind) {
  case ADD:
    return ptxAddHalf(format, a, b);
  case SUB:
    return ptxAddHalf(format, a, b ^ 0x8000);
  case MUL:
    return ptxMulHalf(format, a, b);
  case FMA:
    return ptxFmaHalf(format, a, b, c);
  case NEG:
    return a ^ 0x8000;
  case ABS:
    return a & 0x7fff;
  case APPROXIMATION:
    return (uint16_t)ptxEncode(format, op->is.approximation((float)ptxDecode(format, a)), PTX_RN,
                               false);
  default:
    return chooseHalf(op, a, b);
  }
}

/// Zero in place of a subnormal number.
static uint16_t flush(PtxFormat format, uint16_t bits) {
  return bits & (format == PTX_F16 ? 0x7c00 : 0x7f80) ? bits : bits & 0x8000;
}

static uint16_t finish(const PtxOp *op, uint16_t bits) {
  const PtxFormat format = op->is.format;
  if (op->is.flushes) bits = flush(format, bits);
  const double value = ptxDecode(format, bits);
  if (op->is.saturates)
    return value > 0 ? (uint16_t)ptxEncode(format, fmin(value, 1), PTX_RN, false) : 0;
  return op->is.relu && value <= 0 ? 0 : bits;
}

static void runHalves(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  const PtxU32 *x = a, *y = op->is.count > 1 ? b : a, *z = op->is.count > 2 ? c : a;
  for (int i = 0; i < PTX_LANES; ++i) {
    const uint32_t values[] = {x[i], y[i], z[i]};
    uint32_t result = 0;
    for (int half = 0; half <= op->is.isVector2; ++half) {
      uint16_t v[3];
      for (int s = 0; s < 3; ++s) {
        v[s] = (uint16_t)(values[s] >> (16 * half));
        if (op->is.flushes) v[s] = flush(op->is.format, v[s]);
      }
      result |= (uint32_t)finish(op, computeHalf(op, v[0], v[1], v[2])) << (16 * half);
    }
    ((PtxU32 *)d)[i] = result;
  }
}

//===- Loops --------------------------------------------------------------===//

/// A sum and product of f16 in f32, whose 24 bits are twice f16's and two more: rounding again to
/// f16 gives what rounding once does (Figueroa, 1995).
static inline uint16_t addOnce(uint16_t a, uint16_t b, uint16_t c) {
  (void)c;
  return ptxF32ToF16(ptxF16ToF32(a) + ptxF16ToF32(b));
}
static inline uint16_t subOnce(uint16_t a, uint16_t b, uint16_t c) {
  (void)c;
  return ptxF32ToF16(ptxF16ToF32(a) - ptxF16ToF32(b));
}
static inline uint16_t mulOnce(uint16_t a, uint16_t b, uint16_t c) {
  (void)c;
  return ptxF32ToF16(ptxF16ToF32(a) * ptxF16ToF32(b));
}
/// A product is exact in f32, and the sum is rounded to odd down to f32's bits.
static inline uint16_t fmaOnce(uint16_t a, uint16_t b, uint16_t c) {
  double sum = ptxAddOdd(ptxF16ToF32(a) * ptxF16ToF32(b), ptxF16ToF32(c));
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  const uint64_t low = (UINT64_C(1) << 29) - 1;
  bits = (bits & ~low) | (bits & low ? low + 1 : 0);
  memcpy(&sum, &bits, sizeof sum);
  return ptxF32ToF16((float)sum);
}

/// Of f16x2.
#define LOOP(name, function)                                                                       \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    const PtxU16 *x = a, *y = b, *z = op->is.count > 2 ? c : b;                                    \
    PtxU16 all[2 * PTX_LANES];                                                                     \
    for (int i = 0; i < 2 * PTX_LANES; ++i) all[i] = function(x[i], y[i], z[i]);                   \
    memcpy(d, all, sizeof all);                                                                    \
  }
LOOP(addPairs, addOnce)
LOOP(subPairs, subOnce)
LOOP(mulPairs, mulOnce)
LOOP(fmaPairs, fmaOnce)
static const PtxLanes loops[] = {
    [ADD] = addPairs, [SUB] = subPairs, [MUL] = mulPairs, [FMA] = fmaPairs};

//===- Names --------------------------------------------------------------===//

static bool readParts(PtxDecoder *decoder, const PtxType *type) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  if (ptxTakeRounding(name, PTX_RN) != PTX_RN) return false;
  op->is.format = type->format;
  op->is.isVector2 = type->isPair;
  op->is.flushes = ptxTake(name, "ftz");
  op->is.saturates = ptxTake(name, "sat");
  op->is.relu = ptxTake(name, "relu");
  ptxTake(name, "noftz");
  if ((op->is.kind == MIN || op->is.kind == MAX) && ptxTake(name, "NaN"))
    op->is.kind = op->is.kind == MIN ? NAN_MIN : NAN_MAX;
  if (op->is.kind == APPROXIMATION) {
    op->is.approximation = ptxApproximationByName(name->parts[0], strlen(name->parts[0]));
    if (!ptxTake(name, "approx")) return false;
  }
  return ptxAllTaken(name);
}

int ptxDecodeHalf(PtxDecoder *decoder) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  PtxType type;
  if (!ptxTypeParse(name->parts[name->count - 1], &type) ||
      (type.format != PTX_F16 && type.format != PTX_BF16))
    return 0;
  size_t i = 0;
  while (i < sizeof names / sizeof *names && !ptxIs(name, 0, names[i].name)) ++i;
  if (i == sizeof names / sizeof *names) return 0;
  op->is.kind = (uint8_t)names[i].kind, op->is.count = names[i].sources;
  ptxTakeType(name, &type);
  if (!readParts(decoder, &type)) return -1;
  const bool isPlain = !op->is.flushes && !op->is.saturates && !op->is.relu;
  op->lanes = isPlain && type.format == PTX_F16 && type.isPair && op->is.kind <= FMA
                  ? loops[op->is.kind]
                  : runHalves;
  if (!ptxExpectOperands(decoder, op->is.count + 1, op->is.count + 1)) return -1;
  for (int s = -1; s < op->is.count; ++s)
    if (!ptxBind(decoder, s, s + 1, 4)) return -1;
  return 1;
}
