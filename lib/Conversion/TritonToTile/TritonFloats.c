//===- TritonFloats.c - floats of other widths ----------------------------===//
//
// tt.fp_to_fp rounds to the nearest or towards zero, and what 8 bits cannot hold becomes the
// largest number that they can, infinities among it, as cvt.rn.satfinite of PTX does it (PTX
// ISA 9.7.9.21). Towards zero infinities stay where e5m2 has them, as in Triton, which drops bits.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"

/// `x` no further from zero than the largest number of `to`; NaN stays.
static MlirValue clampTo(TileBuilder *b, MlirValue x, MlirType to) {
  double most = mlirTypeIsAFloat8E5M2(to) ? 57344 : 448;
  MlirValue high = tileBuildFloat(b, mlirValueGetType(x), most);
  MlirValue low = tileBuildFloat(b, mlirValueGetType(x), -most);
  x = tileBuildBinary(b, "arith.minimumf", x, high);
  return tileBuildBinary(b, "arith.maximumf", x, low);
}

/// To the nearest, ties to even.
static MlirValue narrow(TileBuilder *b, MlirValue x, MlirType to) {
  if (tileBitWidth(to) == 8) x = clampTo(b, x, to);
  return tritonCast(b, "arith.truncf", x, to);
}

/// Towards zero from f32 to bf16: the bits of the one that the other has not are dropped.
static MlirValue truncateToBf16(TileBuilder *b, MlirValue x) {
  MlirValue bits = tritonCast(b, "arith.bitcast", x, tileI32(b->context));
  MlirValue by = tileBuildInt(b, mlirValueGetType(bits), 16);
  bits = tileBuildBinary(b, "arith.shrui", bits, by);
  MlirValue half = tritonCast(b, "arith.trunci", bits, tileI16(b->context));
  return tritonCast(b, "arith.bitcast", half, mlirBF16TypeGet(b->context));
}

static MlirValue truncate(TileBuilder *b, MlirValue x, MlirType to);

/// Towards zero to e5m2: the upper half of what f16 holds of it.
static MlirValue truncateToE5M2(TileBuilder *b, MlirValue x) {
  MlirType half = mlirF16TypeGet(b->context), from = tileElementType(mlirValueGetType(x));
  if (mlirTypeIsABF16(from)) x = tritonCast(b, "arith.extf", x, tileF32(b->context));
  if (!mlirTypeIsAF16(from)) x = truncate(b, x, half);
  MlirValue bits = tritonCast(b, "arith.bitcast", x, tileI16(b->context));
  MlirValue by = tileBuildInt(b, mlirValueGetType(bits), 8);
  bits = tileBuildBinary(b, "arith.shrui", bits, by);
  MlirValue upper = tritonCast(b, "arith.trunci", bits, tileI8(b->context));
  return tritonCast(b, "arith.bitcast", upper, mlirFloat8E5M2TypeGet(b->context));
}

/// Towards zero: the nearest, or, where that is further from zero than `x`, the number before it,
/// whose bits are one less.
static MlirValue truncate(TileBuilder *b, MlirValue x, MlirType to) {
  MlirType from = tileElementType(mlirValueGetType(x));
  if (mlirTypeIsAF32(from) && mlirTypeIsABF16(to)) return truncateToBf16(b, x);
  if (mlirTypeIsAFloat8E5M2(to)) return truncateToE5M2(b, x);
  MlirValue near = narrow(b, x, to), back = tritonCast(b, "arith.extf", near, from);
  MlirType wide = mlirValueGetType(x);
  MlirValue size = tileBuildUnary(b, "math.absf", wide, x);
  MlirValue found = tileBuildUnary(b, "math.absf", wide, back);
  MlirValue over = tileBuildCmpf(b, TILE_CMPF_OGT, found, size);
  MlirType integer = mlirIntegerTypeGet(b->context, (unsigned)tileBitWidth(to));
  MlirValue bits = tritonCast(b, "arith.bitcast", near, integer);
  MlirValue one = tileBuildInt(b, mlirValueGetType(bits), 1);
  MlirValue before = tileBuildBinary(b, "arith.subi", bits, one);
  return tritonCast(b, "arith.bitcast", tileBuildSelect(b, over, before, bits), to);
}

static MlirLogicalResult convertFloat(MlirOperation op, TileBuilder *b) {
  MlirValue x = tileOperand(op, 0);
  MlirType from = tileElementType(mlirValueGetType(x));
  MlirType to = tileElementType(tritonResultType(op));
  if (!tileTypeIsFloat(from) || !tileTypeIsFloat(to))
    return tritonRefuse(op, "numbers of floating point", "others");
  if (mlirTypeEqual(from, to)) return tritonReplace(op, x);
  if (tileBitWidth(to) > tileBitWidth(from))
    return tritonReplace(op, tritonCast(b, "arith.extf", x, to));
  // Neither of two types of one width holds the other's numbers.
  if (tileBitWidth(to) == tileBitWidth(from))
    x = tritonCast(b, "arith.extf", x, tileF32(b->context));
  bool truncates = tritonWordIs(op, "rounding", "rtz");
  return tritonReplace(op, truncates ? truncate(b, x, to) : narrow(b, x, to));
}

const TritonRule tritonFloatRules[] = {{"tt.fp_to_fp", convertFloat}, {NULL, NULL}};
