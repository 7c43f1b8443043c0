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

static void expandSwizzle2d(MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue i = tileSwizzle2dGetI(op), j = tileSwizzle2dGetJ(op);
  MlirValue sizeI = tileSwizzle2dGetSizeI(op), sizeJ = tileSwizzle2dGetSizeJ(op);
  MlirValue group = tileSwizzle2dGetGroup(op);
  MlirValue above = tileBuildBinary(&b, "arith.muli", i, sizeJ);
  MlirValue position = tileBuildBinary(&b, "arith.addi", above, j);
  MlirValue perGroup = tileBuildBinary(&b, "arith.muli", group, sizeJ);
  MlirValue groupId = tileBuildBinary(&b, "arith.divsi", position, perGroup);
  MlirValue first = tileBuildBinary(&b, "arith.muli", groupId, group);
  MlirValue left = tileBuildBinary(&b, "arith.subi", sizeI, first);
  MlirValue rows = tileBuildBinary(&b, "arith.minsi", left, group);
  MlirValue inGroup = tileBuildBinary(&b, "arith.remsi", position, perGroup);
  MlirValue row = tileBuildBinary(&b, "arith.remsi", inGroup, rows);
  MlirValue newI = tileBuildBinary(&b, "arith.addi", first, row);
  MlirValue newJ = tileBuildBinary(&b, "arith.divsi", inGroup, rows);
  tileReplaceOp(op, TILE_VALUES(newI, newJ));
}

static void expandSinCos(MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue x = tileOperand(op, 0);
  MlirAttribute flags = tileAttr(op, "fastmath");
  MlirValue parts[2];
  for (int i = 0; i < 2; ++i) {
    parts[i] = tileBuildUnary(&b, i ? "math.cos" : "math.sin", mlirValueGetType(x), x);
    if (!mlirAttributeIsNull(flags))
      mlirOperationSetAttributeByName(tileValueGetOp(parts[i]), tileString("fastmath"), flags);
  }
  tileReplaceOp(op, 2, parts);
}

/// True if `op` is arith.sitofp or arith.uitofp of an integer that f16 may be too small for.
static bool mayOverflowHalf(MlirOperation op) {
  if (!tileOpIs(op, "arith.sitofp") && !tileOpIs(op, "arith.uitofp")) return false;
  MlirType from = tileElementType(mlirValueGetType(tileOperand(op, 0)));
  return mlirTypeIsAF16(tileElementType(mlirValueGetType(tileResult(op)))) &&
         tileBitWidth(from) > 16;
}

static void clampToHalf(MlirOperation op) {
  TileBuilder b = tileBuilderBefore(op);
  MlirValue x = tileOperand(op, 0);
  bool isSigned = tileOpIs(op, "arith.sitofp");
  MlirValue most = tileBuildInt(&b, mlirValueGetType(x), 65535);
  x = tileBuildBinary(&b, isSigned ? "arith.minsi" : "arith.minui", x, most);
  if (isSigned) {
    MlirValue least = tileBuildInt(&b, mlirValueGetType(x), -65535);
    x = tileBuildBinary(&b, "arith.maxsi", x, least);
  }
  mlirOperationSetOperand(op, 0, x);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  if (tileOpIsASwizzle2d(op))
    expandSwizzle2d(op);
  else if (tileOpIsARand(op))
    tileExpandRand(op);
  else if (tileOpIs(op, "math.ipowi"))
    tileExpandIPowI(op);
  else if (tileOpIs(op, "math.sincos"))
    expandSinCos(op);
  else if (mayOverflowHalf(op))
    clampToHalf(op);
  else
    return MlirWalkResultAdvance;
  return MlirWalkResultSkip;
}

MlirLogicalResult tileRunExpandOps(MlirOperation func) {
  mlirOperationWalk(func, visit, NULL, MlirWalkPostOrder);
  return mlirLogicalResultSuccess();
}
