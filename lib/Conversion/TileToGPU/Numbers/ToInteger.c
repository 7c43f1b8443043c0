//===- ToInteger.c - floats as integers -----------------------------------===//
//
// Before:  %i = arith.fptosi %x : vector<4xf32> to vector<4xi32>
// After:   %i = llvm.call_intrinsic "llvm.nvvm.f2i.rz"(%e) : (f32) -> i32     of each element
//
// Before:  %i = arith.fptosi %x : vector<4xf32> to vector<4xi8>
// After:   %w = llvm.inline_asm "cvt.rzi.s8.f32 $0, $1;" %e : (f32) -> i32    of each element
//          %i = arith.trunci %w
//
// Of f64 and of other widths the nearest number in range is taken of an i32, and truncated.
//
// What lies beyond the integer's range becomes its end, and NaN 0 (docs/dialect.md). LLVM's own
// conversion gives anything there, and is assumed never to meet it; PTX's cvt has the rule built
// in, but for NaN where 64 bits are on either side (PTX ISA, "cvt").
//
//===----------------------------------------------------------------------===//
#include "../MathLowering.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef MlirValue V;

/// The count of a vector, 0 for a scalar.
static int64_t sizeOf(V x) {
  MlirType type = mlirValueGetType(x);
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 0;
}

static MlirType likeOf(V x, MlirType element) {
  int64_t n = sizeOf(x);
  return n ? tileVectorType(n, element) : element;
}

/// The instruction, an intrinsic or a line of PTX, on a scalar.
static V convertOne(Lowering *l, const char *name, V x, MlirType element) {
  MlirContext c = l->b.context;
  if (!strncmp(name, "llvm.", 5)) return lowerIntrinsic(l, name, 1, &x, element);
  MlirAttribute text = tileStringAttr(c, name), constraints = tileStringAttr(c, "=r,f");
  return tileResult(tileBuildOp(&l->b, "llvm.inline_asm", TILE_VALUES(x), 1, &element,
                                TILE_ATTRS({"asm_string", text}, {"constraints", constraints}), 0));
}

/// The same for each element.
static V convertEach(Lowering *l, const char *name, V x, MlirType element) {
  int64_t n = sizeOf(x);
  if (!n) return convertOne(l, name, x, element);
  V *results = malloc((size_t)n * sizeof *results);
  if (!results) abort();
  for (int64_t i = 0; i < n; ++i) {
    V part = lowerExtract(l, x, i);
    results[i] = convertOne(l, name, part, element);
  }
  V result = lowerFromElements(l, element, n, results);
  free(results);
  return result;
}

static V zeroWhereNaN(Lowering *l, V x, V converted) {
  V isNaN = tileBuildCmpf(&l->b, TILE_CMPF_UNO, x, x);
  V zero = tileBuildInt(&l->b, mlirValueGetType(converted), 0);
  return tileBuildSelect(&l->b, isNaN, zero, converted);
}

/// The nearest number of fewer bits, in them.
static V clamp(Lowering *l, V x, int bits, bool isSigned, MlirType narrow) {
  MlirType type = mlirValueGetType(x);
  int64_t end = (int64_t)1 << (isSigned ? bits - 1 : bits);
  V most = tileBuildInt(&l->b, type, end - 1);
  x = tileBuildBinary(&l->b, isSigned ? "arith.minsi" : "arith.minui", x, most);
  if (isSigned) {
    V least = tileBuildInt(&l->b, type, -end);
    x = tileBuildBinary(&l->b, "arith.maxsi", x, least);
  }
  return tileBuildUnary(&l->b, "arith.trunci", narrow, x);
}

/// What a number without its fraction was made of: the conversion drops that by itself.
static V withFraction(V x) {
  MlirOperation op = tileValueGetOp(x);
  if (mlirOperationIsNull(op) || !tileOpIs(op, "llvm.call_intrinsic")) return x;
  MlirAttribute name = tileAttr(op, "intrin");
  bool isTrunc = mlirAttributeIsAString(name) &&
                 mlirStringRefEqual(mlirStringAttrGetValue(name), tileString("llvm.trunc"));
  return isTrunc ? tileOperand(op, 0) : x;
}

MlirValue lowerToInteger(Lowering *l, MlirOperation op, MlirValue x, MlirType type) {
  bool isSigned = tileOpIs(op, "arith.fptosi");
  int bits = tileBitWidth(mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type);
  MlirType from = tileElementType(mlirValueGetType(x)), f32 = tileF32(l->b.context);
  if (sizeOf(x)) from = mlirShapedTypeGetElementType(mlirValueGetType(x));
  x = withFraction(x);
  if (tileBitWidth(from) < 32) {
    x = tileBuildUnary(&l->b, "arith.extf", likeOf(x, f32), x);
    from = f32;
  }
  bool isDouble = tileBitWidth(from) == 64, isLong = bits == 64;
  char intrinsic[32];
  if (!isDouble && (bits == 8 || bits == 16)) {
    snprintf(intrinsic, sizeof intrinsic, "cvt.rzi.%c%d.f32 $0, $1;", isSigned ? 's' : 'u', bits);
    V wide = convertEach(l, intrinsic, x, tileI32(l->b.context));
    return tileBuildUnary(&l->b, "arith.trunci", type, wide);
  }
  // f2i, f2ui, f2ll, f2ull; d2i and so on.
  snprintf(intrinsic, sizeof intrinsic, "llvm.nvvm.%c2%s%s.rz", isDouble ? 'd' : 'f',
           isSigned ? "" : "u", isLong ? "ll" : "i");
  MlirType wide = isLong ? tileI64(l->b.context) : tileI32(l->b.context);
  V result = convertEach(l, intrinsic, x, wide);
  if (isDouble || isLong) result = zeroWhereNaN(l, x, result);
  return bits < 32 ? clamp(l, result, bits, isSigned, type) : result;
}
