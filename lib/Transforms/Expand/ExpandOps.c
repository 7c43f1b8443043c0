//===- ExpandOps.c - convenience ops as plain arithmetic ------------------===//
//
// Before:  %a, %b = tile.swizzle2d %i, %j, %size_i, %size_j, %group : i32
// After:   %ij = i * size_j + j          %per_group = group * size_j
//          %first = ij / per_group * group
//          %rows = min(size_i - first, group)
//          %in_group = ij % per_group
//          %a = first + in_group % rows  %b = in_group / rows
//
// and tile.rand as the rounds of its generator (ExpandRand.c), math.ipowi as multiplications
// (ExpandPower.c), math.sincos as a sine and a cosine, so that canonicalization, analyses
// and both lowerings see arithmetic alone.
//
// Integers beyond 16 bits are clamped on their way to f16:
//
// Before:  %y = arith.sitofp %x : i32 to f16
// After:   %low = min(%x, 65535)  %both = max(%low, -65535)
//          %y = arith.sitofp %both : i32 to f16
//
// which changes nothing, as 65520 is infinite already, and is left out where axis analysis has
// bounds (what is unpacked of words is small). LLVM 22.1 counts significant bits to tell whether a
// float holds an integer, and so widens the f16 of 2^30 to the f32 2^30, not to infinity.
//
// Integers beyond 24 bits are rounded to odd on their way to bf16, which goes by f32 where no
// instruction does it all at once (the CPU, chips before sm_90): what is dropped stays visible in
// the last bit that f32 holds, so that what is rounded again is rounded as at once (Boldo and
// Melquiond, "When double rounding is odd", 2005).
//
// Before:  %y = arith.sitofp %x : i32 to bf16
// After:   %odd = (%x | (%x & 255) + 255) & -256     %fits = -2^24 <= %x < 2^24
//          %y = arith.sitofp (%fits ? %x : %odd) : i32 to bf16
//
// and of i64 the same with 2047 and 2^53, by f64.
//
// A value that is poison becomes zero, or a pointer to nothing: any would do.
//
// Before:  %x = ub.poison : tensor<4xf32>
// After:   %x = arith.constant dense<0.0> : tensor<4xf32>
//
// Requires: nothing.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Expand.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Passes.h"

static bool expandSwizzle2d(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirValue i = tileSwizzle2dGetI(op), j = tileSwizzle2dGetJ(op);
  MlirValue sizeI = tileSwizzle2dGetSizeI(op), sizeJ = tileSwizzle2dGetSizeJ(op);
  MlirValue group = tileSwizzle2dGetGroup(op);
  MlirValue above = tileBuildBinary(b, "arith.muli", i, sizeJ);
  MlirValue position = tileBuildBinary(b, "arith.addi", above, j);
  MlirValue perGroup = tileBuildBinary(b, "arith.muli", group, sizeJ);
  MlirValue groupId = tileBuildBinary(b, "arith.divsi", position, perGroup);
  MlirValue first = tileBuildBinary(b, "arith.muli", groupId, group);
  MlirValue left = tileBuildBinary(b, "arith.subi", sizeI, first);
  MlirValue rows = tileBuildBinary(b, "arith.minsi", left, group);
  MlirValue inGroup = tileBuildBinary(b, "arith.remsi", position, perGroup);
  MlirValue row = tileBuildBinary(b, "arith.remsi", inGroup, rows);
  results[0] = tileBuildBinary(b, "arith.addi", first, row);
  results[1] = tileBuildBinary(b, "arith.divsi", inGroup, rows);
  return true;
}

static bool expandSinCos(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirValue x = tileOperand(op, 0);
  MlirAttribute flags = tileAttr(op, "fastmath");
  for (int i = 0; i < 2; ++i) {
    results[i] = tileBuildUnary(b, i ? "math.cos" : "math.sin", mlirValueGetType(x), x);
    if (!mlirAttributeIsNull(flags))
      mlirOperationSetAttributeByName(tileValueGetOp(results[i]), tileString("fastmath"), flags);
  }
  return true;
}

/// arith.sitofp or arith.uitofp of an integer that f16 may be too small for.
static bool clampToHalf(TileBuilder *b, MlirOperation op, MlirValue *results) {
  MlirValue x = tileOperand(op, 0);
  MlirType type = mlirValueGetType(tileResult(op));
  if (!mlirTypeIsAF16(tileElementType(type)) ||
      tileBitWidth(tileElementType(mlirValueGetType(x))) <= 16)
    return false;
  bool isSigned = tileOpIs(op, "arith.sitofp");
  MlirValue most = tileBuildInt(b, mlirValueGetType(x), 65535);
  x = tileBuildBinary(b, isSigned ? "arith.minsi" : "arith.minui", x, most);
  if (isSigned) {
    MlirValue least = tileBuildInt(b, mlirValueGetType(x), -65535);
    x = tileBuildBinary(b, "arith.maxsi", x, least);
  }
  results[0] = tileResult(tileBuildLike(b, op, 1, &x, &type));
  return true;
}

/// `x` with `bits` of its low ones dropped, where it has more than its type has beside those; the
/// last that stays says whether something was dropped.
static MlirValue roundToOdd(TileBuilder *b, MlirValue x, unsigned bits, bool isSigned) {
  MlirType type = mlirValueGetType(x);
  const int64_t dropped = (INT64_C(1) << bits) - 1;
  const int64_t limit = INT64_C(1) << ((unsigned)tileBitWidth(tileElementType(type)) - bits);
  MlirValue mask = tileBuildInt(b, type, dropped);
  MlirValue low = tileBuildBinary(b, "arith.andi", x, mask);
  MlirValue carried = tileBuildBinary(b, "arith.addi", low, mask);
  MlirValue sticky = tileBuildBinary(b, "arith.ori", x, carried);
  MlirValue odd = tileBuildBinary(b, "arith.andi", sticky, tileBuildInt(b, type, ~dropped));
  // As unsigned numbers, those that fit are the first.
  MlirValue place =
      isSigned ? tileBuildBinary(b, "arith.addi", x, tileBuildInt(b, type, limit)) : x;
  MlirValue end = tileBuildInt(b, type, isSigned ? 2 * limit : limit);
  MlirValue fits = tileBuildCmpi(b, TILE_ULT, place, end);
  return tileBuildSelect(b, fits, x, odd);
}

/// arith.sitofp or arith.uitofp of an integer that f32 may not hold, to bf16.
static bool roundOnce(TileBuilder *b, MlirOperation op, MlirValue *results) {
  MlirValue x = tileOperand(op, 0);
  MlirType type = mlirValueGetType(tileResult(op)), from = mlirValueGetType(x);
  const int64_t bits = tileBitWidth(tileElementType(from));
  if (!mlirTypeIsABF16(tileElementType(type)) || bits <= 16) return false;
  const bool isWide = bits == 64;
  MlirType by = isWide ? tileWithElement(type, mlirF64TypeGet(b->context)) : type;
  x = roundToOdd(b, x, isWide ? 11 : 8, tileOpIs(op, "arith.sitofp"));
  results[0] = tileResult(tileBuildLike(b, op, 1, &x, &by));
  if (isWide) results[0] = tileBuildUnary(b, "arith.truncf", type, results[0]);
  return true;
}

static bool isOfInteger(MlirOperation op, void *data) {
  (void)data;
  return tileOpIs(op, "arith.sitofp") || tileOpIs(op, "arith.uitofp");
}

/// Do bounds say that f16, or f32 on the way to bf16, holds what `op` converts?
static bool isSmall(const TileAxisAnalysis *axis, MlirOperation op) {
  bool isHalf = mlirTypeIsAF16(tileElementType(mlirValueGetType(tileResult(op))));
  const TileAxisInfo *info = tileAxisAnalysisGet(axis, tileOperand(op, 0));
  int64_t most = isHalf ? 65535 : INT64_C(1) << 24;
  return info->min >= (tileOpIs(op, "arith.sitofp") ? -most : 0) && info->max <= most;
}

static void convertIntegers(MlirOperation func) {
  TileOpList ops = {0};
  tileOpListCollect(&ops, func, MlirWalkPostOrder, isOfInteger, NULL);
  TileAxisAnalysis *axis = ops.count ? tileAxisAnalysisCreate(func) : NULL;
  size_t large = 0;
  for (size_t i = 0; i < ops.count; ++i)
    if (!isSmall(axis, ops.ops[i])) ops.ops[large++] = ops.ops[i];
  if (axis) tileAxisAnalysisDestroy(axis);
  for (size_t i = 0; i < large; ++i) {
    TileBuilder b = tileBuilderBefore(ops.ops[i]);
    MlirValue converted;
    if (clampToHalf(&b, ops.ops[i], &converted) || roundOnce(&b, ops.ops[i], &converted))
      tileReplaceOp(ops.ops[i], 1, &converted);
  }
  tileOpListDestroy(&ops);
}

static bool expandPoison(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  results[0] = tileBuildZero(b, mlirValueGetType(tileResult(op)));
  return true;
}

MlirLogicalResult tileRunExpandOps(MlirOperation func) {
  static const TilePattern patterns[] = {
      {"tile.swizzle2d", expandSwizzle2d}, {"tile.rand", tileExpandRand},
      {"math.ipowi", tileExpandIPowI},     {"math.sincos", expandSinCos},
      {"ub.poison", expandPoison},
  };
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  convertIntegers(func);
  return mlirLogicalResultSuccess();
}
