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
// which changes nothing, as 65520 is infinite already. LLVM 22.1 counts significant bits to tell
// whether a float holds an integer, and so widens the f16 of 2^30 to the f32 2^30, not to infinity.
//
// Requires: nothing.  Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "Expand.h"
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
static bool clampToHalf(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
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

MlirLogicalResult tileRunExpandOps(MlirOperation func) {
  static const TilePattern patterns[] = {
      {"tile.swizzle2d", expandSwizzle2d}, {"tile.rand", tileExpandRand},
      {"math.ipowi", tileExpandIPowI},     {"math.sincos", expandSinCos},
      {"arith.sitofp", clampToHalf},       {"arith.uitofp", clampToHalf},
  };
  tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
