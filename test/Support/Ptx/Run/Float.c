//===- Float.c - arithmetic of f32, f64 and f32x2 -------------------------===//
//
// PTX ISA, "Floating Point Instructions". What kernels do most has loops of its own, which become
// vectors; all else is computed lane by lane, whatever its rounding. A NaN that a f32 instruction
// gives is the canonical 7fffffff.
//===----------------------------------------------------------------------===//
#include "../Module/Decode.h"
#include <math.h>
#include <string.h>

enum { CANONICAL_NAN = 0x7fffffff, SIGN = INT32_MIN };

typedef enum Kind {
  ADD,
  SUB,
  MUL,
  FMA,
  DIV,
  MIN,
  MAX,
  NAN_MIN, ///< .NaN: of a NaN and a number the NaN
  NAN_MAX,
  NEG,
  ABS,
  COPYSIGN,
  SQRT,
  RCP,
  APPROXIMATION,
  RCP_F64, ///< .approx.ftz.f64
  RSQRT_F64,
  KINDS,
} Kind;

static const struct {
  const char *name;
  Kind kind;
  uint8_t sources;
} names[] = {
    {"add", ADD, 2},
    {"sub", SUB, 2},
    {"mul", MUL, 2},
    {"fma", FMA, 3},
    {"mad", FMA, 3},
    {"div", DIV, 2},
    {"min", MIN, 2},
    {"max", MAX, 2},
    {"neg", NEG, 1},
    {"abs", ABS, 1},
    {"copysign", COPYSIGN, 2},
    {"sqrt", SQRT, 1},
    {"rcp", RCP, 1},
    {"ex2", APPROXIMATION, 1},
    {"lg2", APPROXIMATION, 1},
    {"sin", APPROXIMATION, 1},
    {"cos", APPROXIMATION, 1},
    {"tanh", APPROXIMATION, 1},
    {"rsqrt", APPROXIMATION, 1},
};

//===- One lane -----------------------------------------------------------===//

static float canonical(float value) { return value != value ? ptxBitsToF32(CANONICAL_NAN) : value; }

/// The smaller or larger one; -0 is below 0, and a NaN no number unless it is to be kept.
static double choose(Kind kind, double a, double b) {
  const bool isMin = kind == MIN || kind == NAN_MIN, keeps = kind == NAN_MIN || kind == NAN_MAX;
  if (a != a || b != b) return (a != a) == keeps ? a : b;
  if (a == b) return (signbit(a) != 0) == isMin ? a : b;
  return (a < b) == isMin ? a : b;
}

static float computeSingle(const PtxOp *op, float a, float b, float c) {
  const PtxRounding rounding = op->is.rounding;
  switch ((Kind)op->is.kind) {
  case ADD:
    return ptxAddF32(a, b, rounding);
  case SUB:
    return ptxAddF32(a, -b, rounding);
  case MUL:
    return ptxMulF32(a, b, rounding);
  case FMA:
    return ptxFmaF32(a, b, c, rounding);
  case DIV:
    return ptxDivF32(a, b, rounding);
  case MIN:
  case MAX:
  case NAN_MIN:
  case NAN_MAX:
    if (!op->is.xorsSigns) return (float)choose((Kind)op->is.kind, a, b);
    return copysignf((float)choose((Kind)op->is.kind, fabsf(a), fabsf(b)),
                     signbit(a) != signbit(b) ? -1.0F : 1.0F);
  case NEG:
    return ptxBitsToF32(ptxF32ToBits(a) ^ (uint32_t)SIGN);
  case ABS:
    return fabsf(a);
  case COPYSIGN: // the sign of the first, on the second
    return copysignf(b, a);
  case SQRT:
    return ptxSqrtF32(a, rounding);
  case RCP:
    return ptxDivF32(1, a, rounding);
  case APPROXIMATION:
    return op->is.approximation(a);
  default:
    return 0;
  }
}

static double computeDouble(const PtxOp *op, double a, double b, double c) {
  const PtxRounding rounding = op->is.rounding;
  switch ((Kind)op->is.kind) {
  case ADD:
    return ptxAddF64(a, b, rounding);
  case SUB:
    return ptxAddF64(a, -b, rounding);
  case MUL:
    return ptxMulF64(a, b, rounding);
  case FMA:
    return ptxFmaF64(a, b, c, rounding);
  case DIV:
    return ptxDivF64(a, b, rounding);
  case MIN:
  case MAX:
  case NAN_MIN:
  case NAN_MAX:
    return choose((Kind)op->is.kind, a, b);
  case NEG:
    return -a;
  case ABS:
    return fabs(a);
  case COPYSIGN:
    return copysign(b, a);
  case SQRT:
    return ptxSqrtF64(a, rounding);
  case RCP:
    return ptxDivF64(1, a, rounding);
  case RCP_F64:
    return ptxRcpF64(a);
  case RSQRT_F64:
    return ptxRsqrtF64(a);
  default:
    return 0;
  }
}

//===- All lanes ----------------------------------------------------------===//

/// Whether an instruction changes bits of its operand alone, NaNs too.
static bool movesBits(const PtxOp *op) {
  return op->is.kind == NEG || op->is.kind == ABS || op->is.kind == COPYSIGN;
}

static float finish(const PtxOp *op, float value) {
  if (op->is.flushes) value = ptxFlush(value);
  if (op->is.saturates) value = value > 0 ? fminf(value, 1) : 0;
  return movesBits(op) ? value : canonical(value);
}

/// So many values of f32: a lane has one or two.
static void computeSingles(const PtxOp *op, int count, PtxFloat *d, const PtxFloat *a,
                           const PtxFloat *b, const PtxFloat *c) {
  for (int i = 0; i < count; ++i) {
    float x = a[i], y = op->is.count > 1 ? b[i] : 0, z = op->is.count > 2 ? c[i] : 0;
    if (op->is.flushes) x = ptxFlush(x), y = ptxFlush(y), z = ptxFlush(z);
    d[i] = finish(op, computeSingle(op, x, y, z));
  }
}

static void runSingles(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  computeSingles(op, PTX_LANES, d, a, b, c);
}

static void runPairs(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  computeSingles(op, 2 * PTX_LANES, d, a, b, c);
}

static void runDoubles(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  const PtxDouble *x = a, *y = b, *z = c;
  for (int i = 0; i < PTX_LANES; ++i)
    ((PtxDouble *)d)[i] =
        computeDouble(op, x[i], op->is.count > 1 ? y[i] : 0, op->is.count > 2 ? z[i] : 0);
}

/// A sum of f32 with factors or a term of fewer bits, in 16.
static void runMixed(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  const PtxU32 *x = a, *y = b;
  const PtxFloat *z = op->is.kind == FMA ? c : b;
  for (int i = 0; i < PTX_LANES; ++i) {
    const float first = (float)ptxDecode(op->is.format, x[i] & 0xffff), last = z[i];
    const float second = op->is.kind == FMA ? (float)ptxDecode(op->is.format, y[i] & 0xffff) : last;
    ((PtxFloat *)d)[i] = finish(op, computeSingle(op, first, second, last));
  }
}

/// Loops over f32 or f64 for the nearest rounding, without more. The results are put together
/// before they are written, so that the result may be an operand and the loop a vector.
#define LOOP(name, Type, lanes, expression)                                                        \
  static void name(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {        \
    const Type *x = a, *y = b, *z = c;                                                             \
    Type all[lanes];                                                                               \
    (void)op, (void)y, (void)z;                                                                    \
    for (int i = 0; i < (lanes); ++i) all[i] = (expression);                                       \
    memcpy(d, all, sizeof all);                                                                    \
  }

static inline float minimum(float a, float b) {
  float less = a < b ? a : b;
  less = a == b ? ptxBitsToF32(ptxF32ToBits(a) | ptxF32ToBits(b)) : less;
  less = b != b ? a : less;
  return canonical(a != a ? b : less);
}

static inline float maximum(float a, float b) {
  float more = a > b ? a : b;
  more = a == b ? ptxBitsToF32(ptxF32ToBits(a) & ptxF32ToBits(b)) : more;
  more = b != b ? a : more;
  return canonical(a != a ? b : more);
}

/// Of f32: a lane has one value, or of f32x2 two.
#define SINGLES(name, lanes)                                                                       \
  LOOP(add##name, PtxFloat, lanes, canonical(x[i] + y[i]))                                         \
  LOOP(sub##name, PtxFloat, lanes, canonical(x[i] - y[i]))                                         \
  LOOP(mul##name, PtxFloat, lanes, canonical(x[i] * y[i]))                                         \
  LOOP(fma##name, PtxFloat, lanes, canonical(ptxFmaNear(x[i], y[i], z[i])))
SINGLES(F32, PTX_LANES)
SINGLES(F32x2, 2 * PTX_LANES)
LOOP(divF32, PtxFloat, PTX_LANES, canonical(x[i] / y[i]))
LOOP(minF32, PtxFloat, PTX_LANES, minimum(x[i], y[i]))
LOOP(maxF32, PtxFloat, PTX_LANES, maximum(x[i], y[i]))
LOOP(nanMinF32, PtxFloat, PTX_LANES,
     x[i] != x[i] || y[i] != y[i] ? ptxBitsToF32(CANONICAL_NAN) : minimum(x[i], y[i]))
LOOP(nanMaxF32, PtxFloat, PTX_LANES,
     x[i] != x[i] || y[i] != y[i] ? ptxBitsToF32(CANONICAL_NAN) : maximum(x[i], y[i]))
LOOP(negF32, PtxU32, PTX_LANES, x[i] ^ 0x80000000u)
LOOP(absF32, PtxU32, PTX_LANES, x[i] & 0x7fffffffu)
LOOP(addF64, PtxDouble, PTX_LANES, x[i] + y[i])
LOOP(subF64, PtxDouble, PTX_LANES, x[i] - y[i])
LOOP(mulF64, PtxDouble, PTX_LANES, x[i] * y[i])

static const PtxLanes singleLoops[KINDS] = {
    [ADD] = addF32,        [SUB] = subF32, [MUL] = mulF32, [FMA] = fmaF32,
    [DIV] = divF32,        [MIN] = minF32, [MAX] = maxF32, [NAN_MIN] = nanMinF32,
    [NAN_MAX] = nanMaxF32, [NEG] = negF32, [ABS] = absF32};
static const PtxLanes pairLoops[KINDS] = {
    [ADD] = addF32x2, [SUB] = subF32x2, [MUL] = mulF32x2, [FMA] = fmaF32x2};
static const PtxLanes doubleLoops[KINDS] = {[ADD] = addF64, [SUB] = subF64, [MUL] = mulF64};

//===- testp --------------------------------------------------------------===//

typedef enum Property { FINITE, INFINITE, NUMBER, NOT_A_NUMBER, NORMAL, SUBNORMAL } Property;

static bool hasProperty(Property property, int class) {
  switch (property) {
  case FINITE:
    return class != FP_NAN && class != FP_INFINITE;
  case INFINITE:
    return class == FP_INFINITE;
  case NUMBER:
    return class != FP_NAN;
  case NOT_A_NUMBER:
    return class == FP_NAN;
  case NORMAL:
    return class == FP_NORMAL;
  case SUBNORMAL:
    return class == FP_SUBNORMAL;
  }
  return false;
}

static void runTest(const PtxOp *op, void *d, const void *a, const void *b, const void *c) {
  (void)b, (void)c;
  uint32_t bits = 0;
  for (int i = 0; i < PTX_LANES; ++i) {
    const int class = op->is.format == PTX_F64 ? fpclassify(((const PtxDouble *)a)[i])
                                               : fpclassify(((const PtxFloat *)a)[i]);
    bits |= (uint32_t)hasProperty((Property)op->is.kind, class) << i;
  }
  *(PtxU32 *)d = bits;
}

static int decodeTest(PtxDecoder *decoder, const PtxType *type) {
  static const char *const properties[] = {"finite",     "infinite", "number",
                                           "notanumber", "normal",   "subnormal"};
  PtxOp *op = decoder->op;
  op->is.format = type->format;
  op->lanes = runTest;
  for (int i = 0; i < 6; ++i) {
    if (!ptxTake(&decoder->name, properties[i])) continue;
    op->is.kind = (uint8_t)i;
    return ptxAllTaken(&decoder->name) && ptxBind(decoder, -1, 0, 1) &&
                   ptxBind(decoder, 0, 1, type->bits / 8)
               ? 1
               : -1;
  }
  return -1;
}

//===- Names --------------------------------------------------------------===//

/// Reads the parts between the name and the type. False for one that is not known here.
static bool readParts(PtxDecoder *decoder, const PtxType *type) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  const bool isDouble = type->format == PTX_F64;
  const PtxRounding none = (PtxRounding)-1, rounding = ptxTakeRounding(name, none);
  const bool isNear = ptxTake(name, "approx"), isFull = ptxTake(name, "full");
  const bool isRooted = op->is.kind == APPROXIMATION && ptxIs(name, 0, "rsqrt");
  op->is.flushes = ptxTake(name, "ftz");
  op->is.saturates = ptxTake(name, "sat");
  op->is.rounding = rounding == none ? PTX_RN : rounding;
  if ((op->is.kind == MIN || op->is.kind == MAX) && ptxTake(name, "NaN"))
    op->is.kind = op->is.kind == MIN ? NAN_MIN : NAN_MAX;
  if (op->is.kind >= MIN && op->is.kind <= NAN_MAX && !isDouble && ptxTake(name, "xorsign"))
    op->is.xorsSigns = ptxTake(name, "abs");
  if (op->is.kind == APPROXIMATION)
    op->is.approximation = ptxApproximationByName(name->parts[0], strlen(name->parts[0]));
  if (isDouble && op->is.kind == RCP && isNear) op->is.kind = RCP_F64;
  if (isDouble && isRooted) op->is.kind = RSQRT_F64;
  if (isDouble && (op->is.kind == APPROXIMATION || op->is.saturates)) return false;
  if (op->is.kind == APPROXIMATION && !isNear) return false;
  return ptxAllTaken(name) && !(isFull && op->is.kind != DIV);
}

static void chooseLoop(PtxOp *op, const PtxType *type) {
  op->lanes = type->format == PTX_F64 ? runDoubles : type->isPair ? runPairs : runSingles;
  if (op->is.rounding != PTX_RN || op->is.flushes || op->is.saturates || op->is.xorsSigns) return;
  PtxLanes loop = type->format == PTX_F64 ? doubleLoops[op->is.kind]
                  : type->isPair          ? pairLoops[op->is.kind]
                                          : singleLoops[op->is.kind];
  if (loop) op->lanes = loop;
}

/// Whether it is add, sub or fma of f32 and of the type that its name ends with.
static bool isMixed(PtxDecoder *decoder, const PtxType *last, PtxType *type) {
  if ((last->format != PTX_F16 && last->format != PTX_BF16) || last->isPair) return false;
  PtxName name = decoder->name;
  return ptxTakeType(&name, type) && ptxTakeType(&name, type) && type->format == PTX_F32;
}

int ptxDecodeFloat(PtxDecoder *decoder) {
  PtxName *name = &decoder->name;
  PtxOp *op = decoder->op;
  PtxType last, type;
  if (!ptxTypeParse(name->parts[name->count - 1], &last) || last.letter != 'f') return 0;
  const bool mixed = isMixed(decoder, &last, &type);
  if (!mixed && last.format != PTX_F32 && last.format != PTX_F64) return 0;
  if (ptxIs(name, 0, "testp")) return ptxTakeType(name, &type) ? decodeTest(decoder, &type) : -1;
  size_t i = 0;
  while (i < sizeof names / sizeof *names && !ptxIs(name, 0, names[i].name)) ++i;
  if (i == sizeof names / sizeof *names) return 0;
  op->is.kind = (uint8_t)names[i].kind, op->is.count = names[i].sources;
  ptxTakeType(name, &type);
  if (mixed) ptxTakeType(name, &type);
  if (!readParts(decoder, &type)) return -1;
  chooseLoop(op, &type);
  if (mixed) {
    if (op->is.kind > FMA || op->is.kind == MUL) return -1;
    op->is.format = last.format, op->lanes = runMixed;
  }
  const int bytes = type.format == PTX_F64 || type.isPair ? 8 : 4;
  if (!ptxExpectOperands(decoder, op->is.count + 1, op->is.count + 1)) return -1;
  for (int s = -1; s < op->is.count; ++s)
    if (!ptxBind(decoder, s, s + 1, bytes)) return -1;
  return 1;
}
