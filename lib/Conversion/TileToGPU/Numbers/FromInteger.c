//===- FromInteger.c - bytes and other small integers as floats -----------===//
//
// Before:  %y = arith.sitofp %x : vector<4xi8> to vector<4xf16>
// After:   %w = the four bytes as a word, xor 0x80808080           0 .. 255, 128 too large
//          %low = llvm.nvvm.prmt %w, 0x64646464, 0x4140            two f16 of 1024 + byte
//          %high = llvm.nvvm.prmt %w, 0x64646464, 0x4342
//          %y = both - 1152
//
// And signed bytes to bf16:
//          %low = llvm.nvvm.prmt %w, 0x43434343, 0x4140
//          %y = (%low and 0xff7fff7f) - (%low and 0xff80ff80)
//
// A multiprocessor converts 16 integers a cycle, which is as long as the tensor cores take for a
// step of 128 x 128 x 64; it moves bytes about 64 words a cycle, and adds 128 pairs of f16. A byte
// in the lowest bits of 1024 is 1024 more than it was, so that the difference is exact. bf16 has
// seven such bits, those of 128; the eighth makes 256 of it, and what the lower seven say counts
// twice. So 128 and the lower seven, less 128 or 256, is the signed byte. An unsigned one goes by
// f32, which has 2^23 in place of 1024, an element each, and so do all that become f32: a sum of
// bytes that memory brings as fast as it can takes more than 16 of them a cycle.
//
// Integers of 32 bits of which as few are known to be (weights of 4 bits out of words, by shifts
// and masks: below 1024 for f16, 128 for bf16) go the same way, two by two. A mask is for both:
//
//          %pair = llvm.nvvm.prmt %x0, %x1, 0x5410
//          %y = (%pair and 0x000f000f or 0x64006400) - 1024    0x43004300 and 128 for bf16
//
// What is one such integer less another, as weights less their zeros are, is what both are above
// 1024 less each other. Others that may be below 0 go by 1536 and 192, whose lower bits have room
// for as many on either side:
//
//          %low = %x0 + 0x6600     %high = %x1 + 0x6600        0x4340 for bf16
//
// The method is the usual one of kernels with weights of 8 and 4 bits, e.g. Kim et al. 2022, "Who
// Says Elephants Can't Run".
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"
#include <stdlib.h>

typedef MlirValue V;

bool lowerIsFromBytes(MlirOperation op, MlirType type) {
  if (!tileOpIs(op, "arith.sitofp") && !tileOpIs(op, "arith.uitofp")) return false;
  if (!mlirTypeIsAVector(type) || mlirShapedTypeGetDimSize(type, 0) % 4) return false;
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = mlirShapedTypeGetElementType(type);
  return tileBitWidth(from) == 8 &&
         (mlirTypeIsAF16(to) || mlirTypeIsABF16(to) || mlirTypeIsAF32(to));
}

/// What integers that are few are added to, as bits of f16 or bf16, and the number that these are;
/// `has` is 0 where they are too many.
typedef struct {
  int64_t bits;
  double number;
  bool has, isSigned;
} Above;

/// Is each element of `tile` one of the integers from 0 on that 1024, or 128, has bits for?
static bool isFew(const Lowering *l, V tile, bool isHalf) {
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, tile);
  return info->min >= 0 && info->max < (isHalf ? 1024 : 128);
}

static Above unsignedAbove(bool isHalf) {
  return isHalf ? (Above){0x6400, 1024, true, false} : (Above){0x4300, 128, true, false};
}

static Above aboveOf(const Lowering *l, MlirOperation op, bool isHalf) {
  if (isFew(l, tileOperand(op, 0), isHalf)) return unsignedAbove(isHalf);
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, tileOperand(op, 0));
  int64_t room = isHalf ? 1024 : 128;
  bool fits = info->min >= -room / 2 && info->max < room / 2 && tileOpIs(op, "arith.sitofp");
  return isHalf ? (Above){0x6600, 1536, fits, true} : (Above){0x4340, 192, fits, true};
}

/// Of `op`, is what it converts the difference of two that are few?
static bool isDifference(const Lowering *l, MlirOperation op, bool isHalf) {
  MlirOperation sub = tileValueGetOp(tileOperand(op, 0));
  return tileOpIs(op, "arith.sitofp") && !mlirOperationIsNull(sub) && tileOpIs(sub, "arith.subi") &&
         isFew(l, tileOperand(sub, 0), isHalf) && isFew(l, tileOperand(sub, 1), isHalf);
}

bool lowerIsFromFew(const Lowering *l, MlirOperation op, MlirType type) {
  if (!tileOpIs(op, "arith.sitofp") && !tileOpIs(op, "arith.uitofp")) return false;
  if (!mlirTypeIsAVector(type) || mlirShapedTypeGetDimSize(type, 0) % 2) return false;
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  MlirType to = mlirShapedTypeGetElementType(type);
  if (tileBitWidth(from) != 32 || (!mlirTypeIsAF16(to) && !mlirTypeIsABF16(to))) return false;
  return aboveOf(l, op, mlirTypeIsAF16(to)).has || isDifference(l, op, mlirTypeIsAF16(to));
}

static V permute(Lowering *l, V word, int64_t other, int64_t selector) {
  V operands[] = {word, lowerI32(l, other), lowerI32(l, selector)};
  return lowerIntrinsic(l, "llvm.nvvm.prmt", 3, operands, tileI32(l->b.context));
}

/// `x` less `number`, as vectors of floats.
static V subtract(Lowering *l, V x, double number) {
  MlirType type = mlirValueGetType(x);
  MlirAttribute one =
      mlirFloatAttrDoubleGet(l->b.context, mlirShapedTypeGetElementType(type), number);
  V all = tileBuildConstant(&l->b, mlirDenseElementsAttrSplatGet(type, one));
  return tileBuildBinary(&l->b, "arith.subf", x, all);
}

/// Words of pairs 0x43 and a byte, as signed bf16.
static V signedBrains(Lowering *l, V words, MlirType type) {
  static const int32_t masks[] = {(int32_t)0xff7fff7f, (int32_t)0xff80ff80};
  V parts[2];
  for (int i = 0; i < 2; ++i) {
    V mask = tileBuildInt(&l->b, mlirValueGetType(words), masks[i]);
    parts[i] = lowerBitcast(l, tileBuildBinary(&l->b, "arith.andi", words, mask), type);
  }
  return tileBuildBinary(&l->b, "arith.subf", parts[0], parts[1]);
}

MlirValue lowerFromBytes(Lowering *l, MlirOperation op, MlirValue x, MlirType type) {
  if (!mlirTypeIsAF32(mlirShapedTypeGetElementType(type)) && lowerIsFromNibbles(x, type))
    return lowerFromNibbles(l, x, type);
  MlirContext c = l->b.context;
  MlirType to = mlirShapedTypeGetElementType(type), i32 = tileI32(c), f32 = tileF32(c);
  const bool isSigned = tileOpIs(op, "arith.sitofp"), isHalf = mlirTypeIsAF16(to);
  const bool isFloat = mlirTypeIsAF32(to);
  const bool few = mlirTypeIsABF16(to) && isFew(l, tileOperand(op, 0), false);
  const bool byPairs = isHalf || few || (isSigned && !isFloat);
  const int64_t n = mlirShapedTypeGetDimSize(type, 0), each = byPairs ? 2 : 4;
  const int64_t above = isHalf ? 0x64646464 : byPairs ? 0x43434343 : 0x4b000000;
  V words = lowerBitcast(l, x, tileVectorType(n / 4, i32));
  V *made = malloc((size_t)n * sizeof *made);
  if (!made) abort();
  for (int64_t w = 0; w < n / 4; ++w) {
    V word = lowerExtract(l, words, w);
    if (isSigned && (isHalf || isFloat))
      word = tileBuildBinary(&l->b, "arith.xori", word, lowerI32(l, (int32_t)0x80808080));
    for (int64_t i = 0; i < each; ++i)
      made[each * w + i] = permute(l, word, above, !byPairs ? 0x7440 | i : i ? 0x4342 : 0x4140);
  }
  V all = lowerFromElements(l, i32, each * n / 4, made);
  free(made);
  if (few) return subtract(l, lowerBitcast(l, all, type), 128);
  if (byPairs && !isHalf) return signedBrains(l, all, type);
  all = lowerBitcast(l, all, tileVectorType(n, isHalf ? to : f32));
  all = subtract(l, all, (isHalf ? 1024.0 : 8388608.0) + (isSigned ? 128 : 0));
  return isHalf || isFloat ? all : tileBuildUnary(&l->b, "arith.truncf", type, all);
}

/// Each two elements of `x` in a word, by `selector`: their lower halves, or lowest bytes.
static V pairsOf(Lowering *l, V x, int64_t selector) {
  const int64_t n = mlirShapedTypeGetDimSize(mlirValueGetType(x), 0);
  MlirType i32 = tileI32(l->b.context);
  V *made = malloc((size_t)n * sizeof *made);
  if (!made) abort();
  for (int64_t i = 0; i < n / 2; ++i) {
    V operands[] = {lowerExtract(l, x, 2 * i), lowerExtract(l, x, 2 * i + 1),
                    lowerI32(l, selector)};
    made[i] = lowerIntrinsic(l, "llvm.nvvm.prmt", 3, operands, i32);
  }
  V pairs = lowerFromElements(l, i32, n / 2, made);
  free(made);
  return pairs;
}

static V both(Lowering *l, const char *name, V pairs, int64_t half) {
  V all = tileBuildInt(&l->b, mlirValueGetType(pairs), (int32_t)(uint32_t)(half * 0x00010001));
  return tileBuildBinary(&l->b, name, pairs, all);
}

/// 1024 or 128, and what `x` is above 0.
static V aboveZero(Lowering *l, V x, MlirType type) {
  MlirOperation mask = tileValueGetOp(x);
  int64_t bits;
  bool isMasked = !mlirOperationIsNull(mask) && tileOpIs(mask, "arith.andi") &&
                  tileConstantInt(tileOperand(mask, 1), &bits) && bits >= 0 && bits < 0x10000;
  // The bytes above the lowest are masked; which they are decides where shifts end
  // (Target/Rewrites).
  V pairs =
      pairsOf(l, isMasked ? tileOperand(mask, 0) : x, isMasked && bits < 0x100 ? 0x4400 : 0x5410);
  if (isMasked) pairs = both(l, "arith.andi", pairs, bits);
  bool isHalf = mlirTypeIsAF16(mlirShapedTypeGetElementType(type));
  return lowerBitcast(l, both(l, "arith.ori", pairs, unsignedAbove(isHalf).bits), type);
}

MlirValue lowerFromFew(Lowering *l, MlirOperation op, MlirValue x, MlirType type) {
  const bool isHalf = mlirTypeIsAF16(mlirShapedTypeGetElementType(type));
  MlirOperation sub = tileValueGetOp(x);
  if (isDifference(l, op, isHalf) && !mlirOperationIsNull(sub) && tileOpIs(sub, "arith.subi"))
    return tileBuildBinary(&l->b, "arith.subf", aboveZero(l, tileOperand(sub, 0), type),
                           aboveZero(l, tileOperand(sub, 1), type));
  Above above = aboveOf(l, op, isHalf);
  if (!above.has) return tileBuildUnary(&l->b, "arith.sitofp", type, x);
  if (!above.isSigned) return subtract(l, aboveZero(l, x, type), above.number);
  V bits = tileBuildInt(&l->b, mlirValueGetType(x), above.bits);
  V pairs = pairsOf(l, tileBuildBinary(&l->b, "arith.addi", x, bits), 0x5410);
  return subtract(l, lowerBitcast(l, pairs, type), above.number);
}
