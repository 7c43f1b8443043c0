//===- NarrowFloat.c - f16, bf16 and f8 to and from f32 -------------------===//
//
// f16 has instructions (F16C). bf16 is the upper half of an f32. An f8 of e exponent and m mantissa
// bits is placed where f32 has its own, which gives the value but for a factor of
// 2^(127 - bias); multiplying by that factor is exact and puts subnormals right too. Rounding goes
// the other way: normal results by adding half a unit to the f32's bits, subnormal ones by adding
// a number so large that f32 itself rounds at the wanted bit.
//
// The method is the usual one, e.g. in Fabian Giesen's notes on half to float conversion.
//===----------------------------------------------------------------------===//
#include "NarrowFloat.h"

static MlirValue binary(CpuLowering *l, const char *name, MlirValue x, int64_t y) {
  MlirValue constant = cpuInt(l, mlirValueGetType(x), y);
  return tileBuildBinary(&l->at, name, x, constant);
}

static MlirValue cast(CpuLowering *l, const char *name, MlirValue x, MlirType element) {
  return tileBuildUnary(&l->at, name, cpuWiden(element, cpuWidth(x)), x);
}

static MlirValue bitsOf(CpuLowering *l, MlirValue x) {
  return cast(l, "arith.bitcast", x, tileI32(l->context));
}

static MlirValue isNan(CpuLowering *l, MlirValue x) {
  return tileBuildCmpf(&l->at, TILE_CMPF_UNO, x, x);
}

//===- f8 -----------------------------------------------------------------===//

typedef struct {
  int mantissa, bias;
  bool hasInfinity;
} Format;

static Format formatOf(MlirType type) {
  return mlirTypeIsAFloat8E5M2(type) ? (Format){2, 15, true} : (Format){3, 7, false};
}

/// 2^exponent as f32.
static MlirValue power(CpuLowering *l, MlirValue like, int exponent) {
  double value = 1;
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) value *= exponent < 0 ? 0.5 : 2;
  return cpuFloat(l, cpuWiden(tileF32(l->context), cpuWidth(like)), value);
}

static MlirValue extendF8(CpuLowering *l, MlirValue value, Format f) {
  MlirValue wide = cast(l, "arith.extui", value, tileI32(l->context));
  MlirValue magnitude = binary(l, "arith.andi", wide, 0x7f);
  MlirValue sign = binary(l, "arith.shli", binary(l, "arith.andi", wide, 0x80), 24);
  MlirValue placed = binary(l, "arith.shli", magnitude, 23 - f.mantissa);
  MlirValue small = cast(l, "arith.bitcast", placed, tileF32(l->context));
  MlirValue scale = power(l, value, 127 - f.bias);
  MlirValue scaled = bitsOf(l, tileBuildBinary(&l->at, "arith.mulf", small, scale));
  // What f8 calls NaN or infinity gets f32's exponent.
  int64_t first = f.hasInfinity ? 0x7c : 0x7f;
  MlirValue limit = cpuInt(l, mlirValueGetType(magnitude), first);
  MlirValue special = tileBuildCmpi(&l->at, TILE_UGE, magnitude, limit);
  MlirValue bits = binary(l, "arith.ori", placed, 0x7f800000);
  MlirValue chosen = tileBuildSelect(&l->at, special, bits, scaled);
  MlirValue whole = tileBuildBinary(&l->at, "arith.ori", chosen, sign);
  return cast(l, "arith.bitcast", whole, tileF32(l->context));
}

static MlirValue roundF8(CpuLowering *l, MlirValue value, Format f) {
  MlirValue bits = bitsOf(l, value);
  MlirType type = mlirValueGetType(bits);
  MlirValue sign = binary(l, "arith.andi", binary(l, "arith.shrui", bits, 24), 0x80);
  MlirValue magnitude = binary(l, "arith.andi", bits, 0x7fffffff);
  int shift = 23 - f.mantissa;

  // Normal: (magnitude + half - 1 + odd) >> shift, with the bias exchanged.
  MlirValue odd = binary(l, "arith.andi", binary(l, "arith.shrui", magnitude, shift), 1);
  int64_t half = ((int64_t)1 << (shift - 1)) - 1, rebias = (int64_t)(127 - f.bias) << 23;
  MlirValue raised = binary(l, "arith.addi", magnitude, half - rebias);
  MlirValue rounded = tileBuildBinary(&l->at, "arith.addi", raised, odd);
  MlirValue normal = binary(l, "arith.shrui", rounded, shift);

  // Subnormal: adding 2^(23 - mantissa + 1 - bias) makes f32 round at the last f8 bit.
  MlirValue positive = cast(l, "arith.bitcast", magnitude, tileF32(l->context));
  int exponent = 23 - f.mantissa + 1 - f.bias;
  MlirValue magic = power(l, value, exponent);
  MlirValue sum = bitsOf(l, tileBuildBinary(&l->at, "arith.addf", positive, magic));
  MlirValue subnormal = binary(l, "arith.subi", sum, (int64_t)(exponent + 127) << 23);
  MlirValue least = cpuInt(l, type, (int64_t)(128 - f.bias) << 23);
  MlirValue isSmall = tileBuildCmpi(&l->at, TILE_ULT, magnitude, least);
  MlirValue result = tileBuildSelect(&l->at, isSmall, subnormal, normal);

  // Too large: infinity (E5M2) or NaN (E4M3FN); the largest finite code is one below.
  int64_t beyond = f.hasInfinity ? 0x7c : 0x7f;
  MlirValue over = cpuInt(l, type, beyond);
  MlirValue isOver = tileBuildCmpi(&l->at, TILE_SGE, result, over);
  MlirValue notSmall = tileBuildCmpi(&l->at, TILE_UGE, magnitude, least);
  isOver = tileBuildBinary(&l->at, "arith.andi", isOver, notSmall);
  result = tileBuildSelect(&l->at, isOver, over, result);
  MlirValue huge = cpuInt(l, type, (int64_t)(127 + 64) << 23);
  MlirValue isHuge = tileBuildCmpi(&l->at, TILE_UGE, magnitude, huge);
  result = tileBuildSelect(&l->at, isHuge, over, result);
  MlirValue nan = cpuInt(l, type, 0x7f);
  result = tileBuildSelect(&l->at, isNan(l, value), nan, result);
  result = tileBuildBinary(&l->at, "arith.ori", result, sign);
  return cast(l, "arith.trunci", result, tileI8(l->context));
}

//===- bf16 ---------------------------------------------------------------===//

static MlirValue extendBF16(CpuLowering *l, MlirValue value) {
  MlirValue wide = cast(l, "arith.extui", value, tileI32(l->context));
  return cast(l, "arith.bitcast", binary(l, "arith.shli", wide, 16), tileF32(l->context));
}

static MlirValue roundBF16(CpuLowering *l, MlirValue value) {
  MlirValue bits = bitsOf(l, value);
  MlirValue odd = binary(l, "arith.andi", binary(l, "arith.shrui", bits, 16), 1);
  MlirValue raised = tileBuildBinary(&l->at, "arith.addi", bits, odd);
  raised = binary(l, "arith.addi", raised, 0x7fff);
  // A NaN must not carry into infinity: keep its upper half, quiet.
  MlirValue quiet = binary(l, "arith.ori", bits, 0x400000);
  MlirValue chosen = tileBuildSelect(&l->at, isNan(l, value), quiet, raised);
  MlirValue upper = binary(l, "arith.shrui", chosen, 16);
  return cast(l, "arith.trunci", upper, tileI16(l->context));
}

//===- all ----------------------------------------------------------------===//

MlirValue cpuExtendNarrow(CpuLowering *l, MlirValue value, MlirType from) {
  if (mlirTypeIsABF16(from)) return extendBF16(l, value);
  if (mlirTypeIsAF16(from)) return cast(l, "arith.extf", value, tileF32(l->context));
  return extendF8(l, value, formatOf(from));
}

MlirValue cpuRoundNarrow(CpuLowering *l, MlirValue value, MlirType to) {
  if (mlirTypeIsABF16(to)) return roundBF16(l, value);
  if (mlirTypeIsAF16(to)) return cast(l, "arith.truncf", value, to);
  return roundF8(l, value, formatOf(to));
}

MlirValue cpuRoundToOdd(CpuLowering *l, MlirValue value) {
  MlirValue nearest = cast(l, "arith.truncf", value, tileF32(l->context));
  MlirValue again = cast(l, "arith.extf", nearest, mlirF64TypeGet(l->context));
  // Both ordered: NaN and exact results stay as they are.
  MlirValue inexact = tileBuildCmpf(&l->at, TILE_CMPF_ONE, again, value);
  // Toward zero first: one step down where the magnitude grew.
  MlirValue larger = tileBuildUnary(&l->at, "math.absf", mlirValueGetType(again), again);
  MlirValue magnitude = tileBuildUnary(&l->at, "math.absf", mlirValueGetType(value), value);
  MlirValue grew = tileBuildCmpf(&l->at, TILE_CMPF_OGT, larger, magnitude);
  MlirValue bits = bitsOf(l, nearest);
  MlirValue down = binary(l, "arith.subi", bits, 1);
  bits = tileBuildSelect(&l->at, grew, down, bits);
  MlirValue odd = binary(l, "arith.ori", bits, 1);
  bits = tileBuildSelect(&l->at, inexact, odd, bits);
  return cast(l, "arith.bitcast", bits, tileF32(l->context));
}
