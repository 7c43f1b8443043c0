//===- Float8.c - 8-bit floats are carried as i8 --------------------------===//
//
// A thread holds f8E4M3FN and f8E5M2 as vector<Nxi8>. They are extended to other floats
// and rounded from them, selected and reinterpreted; arithmetic is done in f32 and rounded
// op by op.
//
// Extending: the bits without the sign, moved to where f32 has its exponent and mantissa,
// are the value but for a factor 2^(127 - bias); multiplying by it is exact, subnormal
// numbers included. Rounding, ties to even: normal results by adding almost half a unit
// to the bits of f32, subnormal ones by adding a number so large that f32 itself rounds
// at the unit. What is too large becomes infinity, or NaN in f8E4M3FN, which has none.
//
// The method is the usual one, e.g. in Fabian Giesen's notes on half to float conversion.
// Chips that multiply 8-bit floats extend two at a time to f16, which holds all of them, and round
// two at a time. Their rounding saturates, where ours gives infinity or NaN: what is too large is
// put right behind it, unless the numbers are clamped to what the format holds in front of it; then
// the clamp is left to the rounding.
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"
#include <math.h>
#include <stdlib.h>

typedef MlirValue V;

typedef struct {
  int mantissa, bias;
  int64_t infinity; ///< the least magnitude that is no number
  int64_t nan;
  double most; ///< the largest number
  /// Bits of the least f32 that is rounded to no number.
  int64_t beyond;
} Format;

static Format formatOf(MlirType f8) {
  // Halfway to the number that would follow, ties go to what is even: 61440 up, and 464 down.
  return mlirTypeIsAFloat8E5M2(f8) ? (Format){2, 15, 0x7c, 0x7e, 57344, 0x47700000}
                                   : (Format){3, 7, 0x7f, 0x7f, 448, 0x43e80001};
}

static bool isFloat8(MlirType type) {
  MlirType element = tileElementType(type);
  return mlirTypeIsAFloat8E5M2(element) || mlirTypeIsAFloat8E4M3FN(element);
}

bool lowerInvolvesFloat8(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isFloat8(mlirValueGetType(tileOperand(op, i)))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (isFloat8(mlirValueGetType(mlirOperationGetResult(op, i)))) return true;
  return false;
}

//===- building -----------------------------------------------------------===//

/// `like` (a scalar or vector type) with another element type.
static MlirType withElement(MlirType like, MlirType element) {
  if (!mlirTypeIsAVector(like)) return element;
  return tileVectorType(mlirShapedTypeGetDimSize(like, 0), element);
}

static V cast(Lowering *l, const char *name, V x, MlirType element) {
  MlirType type = withElement(mlirValueGetType(x), element);
  if (mlirTypeEqual(type, mlirValueGetType(x))) return x;
  return tileBuildUnary(&l->b, name, type, x);
}

static V withConstant(Lowering *l, const char *name, V x, int64_t constant) {
  V y = tileBuildInt(&l->b, mlirValueGetType(x), constant);
  return tileBuildBinary(&l->b, name, x, y);
}

static V isAtLeast(Lowering *l, V x, int64_t limit) {
  V y = tileBuildInt(&l->b, mlirValueGetType(x), limit);
  return tileBuildCmpi(&l->b, TILE_UGE, x, y);
}

//===- conversions --------------------------------------------------------===//

/// Vectors of f16 of pairs of bytes, in one: cvt.rn.f16x2.e4m3x2.
static V extendPairs(Lowering *l, V bytes, int64_t n, Format f) {
  MlirContext c = l->b.context;
  MlirType i16 = mlirIntegerTypeGet(c, 16), pair = tileVectorType(2, mlirF16TypeGet(c));
  const char *name =
      f.mantissa == 2 ? "llvm.nvvm.e5m2x2.to.f16x2.rn" : "llvm.nvvm.e4m3x2.to.f16x2.rn";
  V words = lowerBitcast(l, bytes, tileVectorType(n / 2, i16));
  V *halves = malloc((size_t)n * sizeof *halves);
  if (!halves) abort();
  for (int64_t i = 0; i < n / 2; ++i) {
    V word = lowerExtract(l, words, i);
    V both = lowerIntrinsic(l, name, 1, &word, pair);
    halves[2 * i] = lowerExtract(l, both, 0);
    halves[2 * i + 1] = lowerExtract(l, both, 1);
  }
  V result = lowerFromElements(l, mlirF16TypeGet(c), (int)n, halves);
  free(halves);
  return result;
}

void lowerExtendWord(Lowering *l, MlirType f8, V word, V halves[2]) {
  MlirType pair = tileVectorType(2, mlirF16TypeGet(l->b.context));
  V bytes = lowerBitcast(l, word, tileVectorType(4, tileI8(l->b.context)));
  V all = extendPairs(l, bytes, 4, formatOf(f8));
  V words = lowerBitcast(l, all, tileVectorType(2, tileI32(l->b.context)));
  for (int i = 0; i < 2; ++i) halves[i] = lowerBitcast(l, lowerExtract(l, words, i), pair);
}

/// The same of any vector or number, as f16.
static V extendByChip(Lowering *l, V x, Format f) {
  MlirType type = mlirValueGetType(x), i8 = tileI8(l->b.context);
  bool scalar = !mlirTypeIsAVector(type);
  int64_t n = scalar ? 1 : mlirShapedTypeGetDimSize(type, 0);
  if (n % 2 == 0) return extendPairs(l, x, n, f);
  // An odd one out goes with a zero.
  V bytes[2] = {scalar ? x : lowerExtract(l, x, 0), tileBuildInt(&l->b, i8, 0)};
  V pair = lowerFromElements(l, i8, 2, bytes);
  V first = lowerExtract(l, extendPairs(l, pair, 2, f), 0);
  return scalar ? first : lowerFromElements(l, mlirValueGetType(first), 1, &first);
}

static V extend(Lowering *l, V x, Format f) {
  if (tileMachineHas(l->machine, TILE_FEATURE_MMA_F8)) {
    V half = extendByChip(l, x, f);
    return cast(l, "arith.extf", half, tileF32(l->b.context));
  }
  MlirType i32 = tileI32(l->b.context), f32 = tileF32(l->b.context);
  V wide = cast(l, "arith.extui", x, i32);
  V sign = withConstant(l, "arith.andi", wide, 0x80);
  sign = withConstant(l, "arith.shli", sign, 24);
  V magnitude = withConstant(l, "arith.andi", wide, 0x7f);
  V placed = withConstant(l, "arith.shli", magnitude, 23 - f.mantissa);
  V value = cast(l, "arith.bitcast", placed, f32);
  V scale = tileBuildFloat(&l->b, mlirValueGetType(value), ldexp(1, 127 - f.bias));
  value = tileBuildBinary(&l->b, "arith.mulf", value, scale);
  V bits = cast(l, "arith.bitcast", value, i32);
  V special = isAtLeast(l, magnitude, f.infinity);
  V noNumber = withConstant(l, "arith.ori", placed, 0x7f800000);
  bits = tileBuildSelect(&l->b, special, noNumber, bits);
  bits = tileBuildBinary(&l->b, "arith.ori", bits, sign);
  return cast(l, "arith.bitcast", bits, f32);
}

/// The code of a magnitude (bits of an f32) that is a normal number of the format, or beyond it.
static V roundNormal(Lowering *l, V magnitude, Format f) {
  int shift = 23 - f.mantissa;
  V odd = withConstant(l, "arith.shrui", magnitude, shift);
  odd = withConstant(l, "arith.andi", odd, 1);
  int64_t almostHalf = ((int64_t)1 << (shift - 1)) - 1, rebias = (int64_t)(127 - f.bias) << 23;
  V raised = withConstant(l, "arith.addi", magnitude, almostHalf - rebias);
  raised = tileBuildBinary(&l->b, "arith.addi", raised, odd);
  V code = withConstant(l, "arith.shrui", raised, shift);
  V beyond = isAtLeast(l, code, f.infinity);
  V infinity = tileBuildInt(&l->b, mlirValueGetType(code), f.infinity);
  return tileBuildSelect(&l->b, beyond, infinity, code);
}

static V roundSubnormal(Lowering *l, V magnitude, Format f) {
  MlirType i32 = tileI32(l->b.context);
  V value = cast(l, "arith.bitcast", magnitude, tileF32(l->b.context));
  V large = tileBuildFloat(&l->b, mlirValueGetType(value), ldexp(1, 24 - f.bias - f.mantissa));
  value = tileBuildBinary(&l->b, "arith.addf", value, large);
  V bits = cast(l, "arith.bitcast", value, i32);
  return withConstant(l, "arith.andi", bits, 0x7fffff);
}

static V roundByHand(Lowering *l, V x, Format f) {
  V bits = cast(l, "arith.bitcast", x, tileI32(l->b.context));
  V sign = withConstant(l, "arith.shrui", bits, 24);
  sign = withConstant(l, "arith.andi", sign, 0x80);
  V magnitude = withConstant(l, "arith.andi", bits, 0x7fffffff);
  V normal = roundNormal(l, magnitude, f);
  V subnormal = roundSubnormal(l, magnitude, f);
  V isNormal = isAtLeast(l, magnitude, (int64_t)(128 - f.bias) << 23);
  V code = tileBuildSelect(&l->b, isNormal, normal, subnormal);
  V isNan = isAtLeast(l, magnitude, 0x7f800001);
  V nan = tileBuildInt(&l->b, mlirValueGetType(code), f.nan);
  code = tileBuildSelect(&l->b, isNan, nan, code);
  code = tileBuildBinary(&l->b, "arith.ori", code, sign);
  return cast(l, "arith.trunci", code, tileI8(l->b.context));
}

/// Two f32 in an i16, the first in its low byte: cvt.rn.satfinite.e4m3x2.f32.
static V roundPair(Lowering *l, V low, V high, Format f) {
  const char *name = f.mantissa == 2 ? "llvm.nvvm.ff.to.e5m2x2.rn" : "llvm.nvvm.ff.to.e4m3x2.rn";
  V both[2] = {high, low};
  return lowerIntrinsic(l, name, 2, both, mlirIntegerTypeGet(l->b.context, 16));
}

/// A vector of f32, or one, in bytes, saturated.
static V roundPairs(Lowering *l, V x, Format f) {
  MlirType type = mlirValueGetType(x), i8 = tileI8(l->b.context), f32 = tileF32(l->b.context);
  MlirType i16 = mlirIntegerTypeGet(l->b.context, 16);
  int64_t n = mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 1;
  if (n == 1) {
    V first = mlirTypeIsAVector(type) ? lowerExtract(l, x, 0) : x;
    V pair = roundPair(l, first, tileBuildZero(&l->b, f32), f);
    V byte = tileBuildUnary(&l->b, "arith.trunci", i8, pair);
    return mlirTypeIsAVector(type) ? lowerFromElements(l, i8, 1, &byte) : byte;
  }
  V *words = malloc((size_t)n * sizeof *words);
  if (!words) abort();
  for (int64_t i = 0; i < n / 2; ++i)
    words[i] = roundPair(l, lowerExtract(l, x, 2 * i), lowerExtract(l, x, 2 * i + 1), f);
  V result = lowerFromElements(l, i16, (int)(n / 2), words);
  free(words);
  return lowerBitcast(l, result, tileVectorType(n, i8));
}

/// What is beyond the largest number is none; NaN is NaN already.
static V putRight(Lowering *l, V x, V code, Format f) {
  V bits = cast(l, "arith.bitcast", x, tileI32(l->b.context));
  V magnitude = withConstant(l, "arith.andi", bits, 0x7fffffff);
  V isBeyond = isAtLeast(l, magnitude, f.beyond);
  V sign = withConstant(l, "arith.andi", code, INT8_MIN);
  V none = withConstant(l, "arith.ori", sign, f.infinity);
  V isNan = isAtLeast(l, magnitude, 0x7f800001);
  none = tileBuildSelect(&l->b, isNan, code, none);
  return tileBuildSelect(&l->b, isBeyond, none, code);
}

/// Threads hold one element, or an even number.
static V roundTo(Lowering *l, V x, Format f, bool isClamped) {
  if (!tileMachineHas(l->machine, TILE_FEATURE_MMA_F8)) return roundByHand(l, x, f);
  V code = roundPairs(l, x, f);
  return isClamped ? code : putRight(l, x, code, f);
}

//===- ops ----------------------------------------------------------------===//

/// Is `value` a constant, or a tile of it?
static bool isConstant(MlirValue value, double wanted) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.constant")) return false;
  MlirAttribute found = tileAttr(op, "value");
  if (mlirAttributeIsADenseElements(found)) {
    if (!mlirDenseElementsAttrIsSplat(found)) return false;
    found = mlirDenseElementsAttrGetSplatValue(found);
  }
  return mlirAttributeIsAFloat(found) && mlirFloatAttrGetValueDouble(found) == wanted;
}

static bool isBounded(MlirValue value, const char *name, double bound, MlirValue *inner) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIs(op, name) || !isConstant(tileOperand(op, 1), bound))
    return false;
  *inner = tileOperand(op, 0);
  return true;
}

/// max(min(x, most), -most) or min(max(x, -most), most), as who wants saturation writes it; NaN
/// stays.
static bool isClamped(MlirValue value, Format f) {
  MlirValue inner;
  return (isBounded(value, "arith.maximumf", -f.most, &inner) &&
          isBounded(inner, "arith.minimumf", f.most, &inner)) ||
         (isBounded(value, "arith.minimumf", f.most, &inner) &&
          isBounded(inner, "arith.maximumf", -f.most, &inner));
}

/// Of a lowered clamp what is clamped; `x` itself where its two ops are not there as such.
static V pastClamp(V x) {
  V inner = x;
  for (int i = 0; i < 2; ++i) {
    MlirOperation op = tileValueGetOp(inner);
    if (mlirOperationIsNull(op) || !tileOpIs(op, "llvm.call_intrinsic")) return x;
    MlirStringRef name = mlirStringAttrGetValue(tileAttr(op, "intrin"));
    if (!tileStringIs(name, "llvm.maximum") && !tileStringIs(name, "llvm.minimum")) return x;
    inner = tileOperand(op, 0);
  }
  return inner;
}

int64_t lowerFloat8Code(MlirType f8, double value) {
  Format f = formatOf(f8);
  int64_t sign = signbit(value) ? 0x80 : 0;
  if (isnan(value)) return sign | f.nan;
  if (isinf(value)) return sign | f.infinity;
  for (int64_t code = 0; code < f.infinity; ++code) {
    int64_t exponent = code >> f.mantissa, mantissa = code & (((int64_t)1 << f.mantissa) - 1);
    if (exponent) mantissa |= (int64_t)1 << f.mantissa;
    int power = (int)(exponent ? exponent : 1) - f.bias - f.mantissa;
    if (ldexp((double)mantissa, power) == fabs(value)) return sign | code;
  }
  return sign | f.nan;
}

/// f64 as an f32 that is odd where bits were lost, so that rounding it again rounds once.
static V roundToOdd(Lowering *l, V x) {
  MlirType i32 = tileI32(l->b.context), f32 = tileF32(l->b.context);
  V nearest = cast(l, "arith.truncf", x, f32);
  V back = tileBuildUnary(&l->b, "arith.extf", mlirValueGetType(x), nearest);
  V bits = cast(l, "arith.bitcast", nearest, i32);
  V magnitude = lowerAbsolute(l, x), rounded = lowerAbsolute(l, back);
  V grew = tileBuildCmpf(&l->b, TILE_CMPF_OGT, rounded, magnitude);
  V lost = tileBuildCmpf(&l->b, TILE_CMPF_UNE, back, x);
  V down = withConstant(l, "arith.subi", bits, 1);
  bits = tileBuildSelect(&l->b, grew, down, bits);
  V odd = withConstant(l, "arith.ori", bits, 1);
  bits = tileBuildSelect(&l->b, lost, odd, bits);
  return cast(l, "arith.bitcast", bits, f32);
}

static V convert(Lowering *l, MlirOperation op, V x) {
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = tileElementType(mlirValueGetType(tileResult(op)));
  if (tileOpIs(op, "arith.extf")) {
    if (mlirTypeIsAF16(to) && tileMachineHas(l->machine, TILE_FEATURE_MMA_F8))
      return extendByChip(l, x, formatOf(from));
    x = extend(l, x, formatOf(from));
    return cast(l, tileBitWidth(to) > 32 ? "arith.extf" : "arith.truncf", x, to);
  }
  Format f = formatOf(to);
  bool clamped = isClamped(tileOperand(op, 0), f);
  if (clamped && tileMachineHas(l->machine, TILE_FEATURE_MMA_F8)) x = pastClamp(x);
  if (tileBitWidth(from) > 32) x = roundToOdd(l, x);
  x = cast(l, "arith.extf", x, tileF32(l->b.context));
  return roundTo(l, x, f, clamped);
}

/// The op on f32 in the place of 8-bit floats. An integer that f32 rounds is beyond all of theirs.
static V throughF32(Lowering *l, MlirOperation op, const V *operands) {
  V wide[4];
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = tileElementType(mlirValueGetType(tileOperand(op, i)));
    wide[i] = isFloat8(type) ? extend(l, operands[i], formatOf(type)) : operands[i];
  }
  MlirType to = tileElementType(mlirValueGetType(tileResult(op)));
  MlirType element = isFloat8(to) ? tileF32(l->b.context) : lowerElementType(to);
  MlirType type = withElement(mlirValueGetType(operands[0]), element);
  bool isMath = tileOpIsOfDialect(op, "math") || tileOpIs(op, "arith.remf");
  V result = isMath ? lowerMathOf(l, op, wide, type) : lowerRepeat(l, op, wide, type);
  if (mlirValueIsNull(result)) return result;
  return isFloat8(to) ? roundTo(l, result, formatOf(to), false) : result;
}

MlirValue lowerFloat8Of(Lowering *l, MlirOperation op, const MlirValue *operands) {
  if (tileOpIs(op, "arith.extf") || tileOpIs(op, "arith.truncf"))
    return convert(l, op, operands[0]);
  if (mlirOperationGetNumOperands(op) <= 4 && mlirOperationGetNumResults(op) == 1)
    return throughF32(l, op, operands);
  MlirStringRef name = tileOpName(op);
  tileEmitError(mlirOperationGetLocation(op),
                "expected arithmetic of at most 4 operands and 1 result on 8-bit floats, found "
                "'%.*s'",
                (int)name.length, name.data);
  return (MlirValue){NULL};
}

MlirLogicalResult lowerFloat8(Lowering *l, MlirOperation op) {
  if (tileOpIs(op, "arith.select") || tileOpIs(op, "arith.bitcast")) return lowerElementwise(l, op);
  V operands[4];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 4; ++i)
    operands[i] = lowerGet(l, tileOperand(op, i));
  V result = lowerFloat8Of(l, op, operands);
  if (mlirValueIsNull(result)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), result);
  return mlirLogicalResultSuccess();
}
