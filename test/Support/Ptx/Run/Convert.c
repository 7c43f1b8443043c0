//===- Convert.c - cvt ----------------------------------------------------===//
//
// PTX ISA, "Data Movement and Conversion Instructions: cvt". An integer goes through 64 bits and a
// float through f64, which holds all of either; what kernels do most has loops of its own. A
// register of 16 bits has results of 8 bits with their sign, and its lanes' upper halves are zero.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include <pthread.h>
#include <string.h>

/// A conversion's types, in the fields that an instruction has for them: from `format` (or an
/// integer of `bytes`, `isSigned`) to `to` (or `toBytes`, `isSignedTo`).
typedef enum Way {
  ROUNDS_INTEGRAL = 1, ///< .rni and its like between floats
  KEEPS_FINITE = 2,    ///< .satfinite
} Way;

//===- One value ----------------------------------------------------------===//

static uint64_t signExtend(uint64_t value, int bytes) {
  const int shift = 64 - 8 * bytes;
  return (uint64_t)((int64_t)(value << shift) >> shift);
}

static uint64_t zeroExtend(uint64_t value, int bytes) {
  return bytes == 8 ? value : value & ((UINT64_C(1) << (8 * bytes)) - 1);
}

/// A result's bits as its register has them.
static uint64_t fit(const PtxOp *op, uint64_t value) {
  if (op->is.toBytes == 1 && op->is.isSignedTo) return signExtend(value, 1) & 0xffff;
  return zeroExtend(value, op->is.toBytes);
}

/// .sat of an integer: the nearest that the result's type has.
static uint64_t clamp(const PtxOp *op, uint64_t value) {
  const int bits = 8 * op->is.toBytes;
  const bool isNegative = op->is.isSigned && (int64_t)value < 0;
  const uint64_t most =
      op->is.isSignedTo ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
  if (!isNegative) return value > most ? most : value;
  if (!op->is.isSignedTo) return 0;
  return (int64_t)value < -(int64_t)most - 1 ? (uint64_t)(-(int64_t)most - 1) : value;
}

static uint64_t fromInteger(const PtxOp *op, uint64_t bits) {
  const uint64_t value =
      op->is.isSigned ? signExtend(bits, op->is.bytes) : zeroExtend(bits, op->is.bytes);
  if (op->is.to == PTX_FORMATS) return fit(op, op->is.saturates ? clamp(op, value) : value);
  return op->is.isSigned ? ptxEncodeSigned(op->is.to, (int64_t)value, op->is.rounding)
                         : ptxEncodeUnsigned(op->is.to, value, op->is.rounding);
}

static uint64_t fromFloat(const PtxOp *op, uint64_t bits) {
  double value = ptxDecode(op->is.format, bits);
  if (op->is.flushes && op->is.format == PTX_F32) value = ptxFlush((float)value);
  if (op->is.to == PTX_FORMATS) {
    const bool wide = op->is.format == PTX_F64 || op->is.toBytes == 8;
    return fit(op,
               ptxToInteger(value, op->is.rounding, 8 * op->is.toBytes, op->is.isSignedTo, wide));
  }
  PtxRounding rounding = op->is.rounding;
  if (op->is.kind & ROUNDS_INTEGRAL) value = ptxRound(value, rounding), rounding = PTX_RN;
  if (op->is.saturates) value = value > 0 ? (value < 1 ? value : 1) : 0;
  if (op->is.relu && value < 0) value = 0;
  uint64_t result = ptxEncode(op->is.to, value, rounding, op->is.kind & KEEPS_FINITE);
  if (op->is.flushes && op->is.to == PTX_F32)
    result = ptxF32ToBits(ptxFlush(ptxBitsToF32((uint32_t)result)));
  return result;
}

//===- All lanes ----------------------------------------------------------===//

static uint64_t readLane(const void *row, int lane, int bytes) {
  return bytes == 8 ? ((const PtxU64 *)row)[lane] : ((const PtxU32 *)row)[lane];
}

static void runAny(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)b, (void)c;
  for (int i = 0; i < PTX_LANES; ++i) {
    const uint64_t bits = readLane(a, i, op->is.bytes);
    const uint64_t result =
        op->is.format == PTX_FORMATS ? fromInteger(op, bits) : fromFloat(op, bits);
    if (op->dBytes == 8)
      ((PtxU64 *)d)[i] = result;
    else
      ((PtxU32 *)d)[i] = (uint32_t)result;
  }
}

/// Bits from one half of a pair to the next: those of 6 bits have 8.
static int getPlace(PtxFormat format) {
  const int bits = ptxFormatGetBits(format);
  return bits == 6 ? 8 : bits;
}

/// A pair of two operands, the first of which is the upper half.
static void packTwo(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)c;
  const PtxU32 *upper = a, *lower = b;
  for (int i = 0; i < PTX_LANES; ++i)
    ((PtxU32 *)d)[i] =
        (uint32_t)(fromFloat(op, lower[i]) | fromFloat(op, upper[i]) << getPlace(op->is.to));
}

/// A pair of another's formats.
static void convertPair(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)b, (void)c;
  const PtxU32 *x = a;
  const int from = getPlace(op->is.format), to = getPlace(op->is.to);
  const uint32_t mask = (1u << from) - 1;
  for (int i = 0; i < PTX_LANES; ++i)
    ((PtxU32 *)d)[i] =
        (uint32_t)(fromFloat(op, x[i] & mask) | fromFloat(op, x[i] >> from & mask) << to);
}

/// Loops whose results are put together before they are written, as the result may be an operand.
#define LOOP(name, From, To, expression)                                                           \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    const From *x = a, *y = b;                                                                     \
    To all[PTX_LANES];                                                                             \
    (void)op, (void)y, (void)c;                                                                    \
    for (int i = 0; i < PTX_LANES; ++i) all[i] = (expression);                                     \
    memcpy(d, all, sizeof all);                                                                    \
  }
LOOP(u64FromU32, PtxU32, PtxU64, x[i])
LOOP(s64FromS32, PtxS32, PtxS64, x[i])
LOOP(u32FromU64, PtxU64, PtxU32, (uint32_t)x[i])
LOOP(u32FromU16, PtxU32, PtxU32, x[i] & 0xffff)
LOOP(s32FromS16, PtxU32, PtxS32, (int16_t)x[i])
LOOP(s32FromS8, PtxU32, PtxS32, (int8_t)x[i])
LOOP(f32FromF16, PtxU32, PtxFloat, ptxF16ToF32((uint16_t)x[i]))
LOOP(f32FromBf16, PtxU32, PtxFloat, ptxBf16ToF32((uint16_t)x[i]))
LOOP(f16FromF32, PtxFloat, PtxU32, ptxF32ToF16(x[i]))
LOOP(bf16FromF32, PtxFloat, PtxU32, ptxF32ToBf16(x[i]))
LOOP(f16x2FromF32, PtxFloat, PtxU32, ptxF32ToF16(y[i]) | (uint32_t)ptxF32ToF16(x[i]) << 16)
LOOP(bf16x2FromF32, PtxFloat, PtxU32, ptxF32ToBf16(y[i]) | (uint32_t)ptxF32ToBf16(x[i]) << 16)
LOOP(f32FromS32, PtxS32, PtxFloat, (float)x[i])
LOOP(f32FromU32, PtxU32, PtxFloat, (float)x[i])

/// f16 of every E4M3 and E5M2.
static uint16_t halves[2][256];
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static void fillHalves(void) {
  for (unsigned i = 0; i < 256; ++i) {
    halves[0][i] = (uint16_t)ptxEncode(PTX_F16, ptxDecode(PTX_E4M3, i), PTX_RN, false);
    halves[1][i] = (uint16_t)ptxEncode(PTX_F16, ptxDecode(PTX_E5M2, i), PTX_RN, false);
  }
}

LOOP(f16x2FromE4m3x2, PtxU32, PtxU32,
     halves[0][x[i] & 0xff] | (uint32_t)halves[0][x[i] >> 8 & 0xff] << 16)
LOOP(f16x2FromE5m2x2, PtxU32, PtxU32,
     halves[1][x[i] & 0xff] | (uint32_t)halves[1][x[i] >> 8 & 0xff] << 16)

static const struct {
  const char *name;
  PtxLanes lanes;
} loops[] = {
    {"cvt.u64.u32", u64FromU32},
    {"cvt.s64.s32", s64FromS32},
    {"cvt.u32.u64", u32FromU64},
    {"cvt.u32.u16", u32FromU16},
    {"cvt.u16.u32", u32FromU16},
    {"cvt.s32.s16", s32FromS16},
    {"cvt.s32.s8", s32FromS8},
    {"cvt.f32.f16", f32FromF16},
    {"cvt.f32.bf16", f32FromBf16},
    {"cvt.rn.f16.f32", f16FromF32},
    {"cvt.rn.bf16.f32", bf16FromF32},
    {"cvt.rn.f16x2.f32", f16x2FromF32},
    {"cvt.rn.bf16x2.f32", bf16x2FromF32},
    {"cvt.rn.f32.s32", f32FromS32},
    {"cvt.rn.f32.u32", f32FromU32},
    {"cvt.rn.f16x2.e4m3x2", f16x2FromE4m3x2},
    {"cvt.rn.f16x2.e5m2x2", f16x2FromE5m2x2},
};

//===- Names --------------------------------------------------------------===//

/// Whether a part is one of the roundings to an integral value.
static bool isIntegral(const PtxName *name) {
  for (int i = 1; i < name->count; ++i)
    if (strlen(name->parts[i]) == 3 && name->parts[i][0] == 'r' && name->parts[i][2] == 'i')
      return true;
  return false;
}

static bool readParts(PtxDecoder *decoder, const PtxType *from, const PtxType *to) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  const bool integral = isIntegral(name);
  op->is.rounding = ptxTakeRounding(name, PTX_RN);
  op->is.flushes = ptxTake(name, "ftz");
  op->is.saturates = ptxTake(name, "sat");
  op->is.relu = ptxTake(name, "relu");
  if (ptxTake(name, "satfinite")) op->is.kind |= KEEPS_FINITE;
  if (integral && from->letter == 'f' && to->letter == 'f') op->is.kind |= ROUNDS_INTEGRAL;
  op->is.format = from->format, op->is.to = to->format;
  op->is.bytes = (uint8_t)((from->bits + 7) / 8), op->is.toBytes = (uint8_t)((to->bits + 7) / 8);
  op->is.isSigned = from->letter == 's', op->is.isSignedTo = to->letter == 's';
  // From a float an integer's rounding is told, and it is one to an integer.
  if (from->letter == 'f' && to->letter != 'f' && !integral) return false;
  return from->bits <= 64 && to->bits <= 64 && ptxAllTaken(name);
}

/// Chooses what converts, and tells how many operands it has.
static int chooseLanes(PtxOp *op, const PtxName *name, const PtxType *from, const PtxType *to) {
  const int sources = to->isPair && !from->isPair ? 2 : 1;
  op->lanes = sources == 2 ? packTwo : from->isPair ? convertPair : runAny;
  for (size_t i = 0; i < sizeof loops / sizeof *loops; ++i)
    if (!strcmp(name->whole, loops[i].name)) op->lanes = loops[i].lanes;
  pthread_once(&filled, fillHalves);
  return sources;
}

/// Registers may be wider than what a cvt reads or writes: of a source the low bits count, a result
/// is extended as its type says.
static void convertWide(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  uint32_t low[PTX_LANES], result[PTX_LANES];
  const bool isWideSource = op->is.count & 1, isWideResult = op->is.count & 2;
  for (int i = 0; isWideSource && i < PTX_LANES; ++i) low[i] = (uint32_t)((const PtxU64 *)a)[i];
  op->is.inner(op, isWideResult ? result : d, isWideSource ? low : a, b, c);
  for (int i = 0; isWideResult && i < PTX_LANES; ++i)
    ((PtxU64 *)d)[i] = op->is.isSignedTo ? signExtend(result[i], op->is.toBytes) : result[i];
}

/// Whether an operand is a register of 64 bits where the type asks for fewer.
static bool isWide(const PtxOp *op, int index, int bytes) {
  const PtxOperand *operand = &op->operands[index];
  return bytes == 4 && operand->kind == PTX_REGISTERS && operand->slots[0].bytes == 8;
}

int ptxDecodeConvert(PtxDecoder *decoder) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  PtxType from, to;
  if (!ptxIs(name, 0, "cvt")) return 0;
  if (!ptxTakeType(name, &from) || !ptxTakeType(name, &to) || !readParts(decoder, &from, &to))
    return -1;
  const bool isPair = from.isPair || to.isPair;
  if (isPair && (from.letter != 'f' || to.letter != 'f' || !to.isPair)) return -1;
  const int sources = chooseLanes(op, name, &from, &to);
  if (!ptxExpectOperands(decoder, sources + 1, sources + 1)) return -1;
  const int toBytes = to.bits == 64 ? 8 : 4, fromBytes = from.bits == 64 ? 8 : 4;
  if (sources == 1 && !isPair) {
    const bool wideResult = isWide(op, 0, toBytes), wideSource = isWide(op, 1, fromBytes);
    op->is.count = (uint8_t)(wideSource | wideResult << 1);
    if (op->is.count) op->is.inner = op->lanes, op->lanes = convertWide;
    if (op->is.count)
      return ptxBind(decoder, -1, 0, wideResult ? 8 : toBytes) &&
                     ptxBind(decoder, 0, 1, wideSource ? 8 : fromBytes)
                 ? 1
                 : -1;
  }
  if (!ptxBind(decoder, -1, 0, toBytes)) return -1;
  for (int s = 0; s < sources; ++s)
    if (!ptxBind(decoder, s, s + 1, fromBytes)) return -1;
  return 1;
}
