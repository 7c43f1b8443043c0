//===- TritonDotScaled.c - products of microscaled operands ---------------===//
//
// Before:  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16
//              : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x64xbf16> -> tensor<128x64xf32>
// After:   %d = tile.dot %x, %b, %c, with %x : tensor<128x64xbf16> the numbers of %a, times 2 to
// the
//              scales of %s, of which each stands for 32 numbers along K
//
// Formats are those of the OCP Microscaling Formats (MX) Specification 1.0: e2m1 numbers, two in a
// byte, the first in the low bits; e4m3 and e5m2; scales that are powers of two (e8m0, a byte: 2 to
// the byte less 127, 255 for NaN). Scales of e4m3, as NVFP4 has them, are numbers themselves. As
// Triton does it below sm_100, both operands become f16 where one is f16 already, and else bf16,
// which holds every number of 8 bits or less times every scale exactly.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include <math.h>

/// One operand on its way.
typedef struct Operand {
  MlirOperation op;
  TileBuilder *b;
  /// What is multiplied: bf16 or f16.
  MlirType compute;
  /// Its dimension along K, and the one that numbers of e2m1 are packed along.
  int k, packed;
} Operand;

static MlirValue shiftLeft(TileBuilder *b, MlirValue x, int64_t bits) {
  MlirValue by = tileBuildInt(b, mlirValueGetType(x), bits);
  return tileBuildBinary(b, "arith.shli", x, by);
}

static MlirValue swap(TileBuilder *b, MlirValue x) {
  MlirType from = mlirValueGetType(x);
  int64_t shape[2] = {mlirShapedTypeGetDimSize(from, 1), mlirShapedTypeGetDimSize(from, 0)};
  MlirType type = mlirRankedTensorTypeGet(2, shape, tileElementType(from), mlirAttributeGetNull());
  const int32_t order[2] = {1, 0};
  MlirAttribute attr = mlirDenseI32ArrayGet(b->context, 2, order);
  return tileResult(
      tileBuildOp(b, "tile.trans", TILE_VALUES(x), 1, &type, TILE_ATTRS({"order", attr}), 0));
}

/// `x` [rows, columns] with a dimension of `count` behind it that repeats it, and the last two as
/// one: [rows, columns * count].
static MlirValue repeatColumns(TileBuilder *b, MlirValue x, int64_t count) {
  MlirType from = mlirValueGetType(x), element = tileElementType(from);
  int64_t rows = mlirShapedTypeGetDimSize(from, 0), columns = mlirShapedTypeGetDimSize(from, 1);
  int64_t one[3] = {rows, columns, 1}, many[3] = {rows, columns, count};
  int64_t flat[2] = {rows, columns * count};
  MlirAttribute none = mlirAttributeGetNull(), axis = mlirIntegerAttrGet(tileI32(b->context), 2);
  MlirType type = mlirRankedTensorTypeGet(3, one, element, none);
  x = tileResult(
      tileBuildOp(b, "tile.expand_dims", TILE_VALUES(x), 1, &type, TILE_ATTRS({"axis", axis}), 0));
  x = tileBuildUnary(b, "tile.broadcast", mlirRankedTensorTypeGet(3, many, element, none), x);
  return tritonReshape(b, x, mlirRankedTensorTypeGet(2, flat, element, none));
}

//===- numbers ------------------------------------------------------------===//

/// The bits of e2m1 numbers, in the low four of i16, as numbers of the compute type: as these lie
/// in it they are too small by what the biases of the exponents differ by, the one without an
/// exponent, a half, as well. So a product is exact, and no case is told apart.
static MlirValue decodeFp4(Operand *o, MlirValue x) {
  TileBuilder *b = o->b;
  MlirType type = mlirValueGetType(x);
  bool isHalf = mlirTypeIsAF16(o->compute);
  // Exponents of two bits with a bias of 1, one bit behind them.
  int mantissa = isHalf ? 10 : 7, bias = isHalf ? 15 : 127;
  MlirValue size = tileBuildBinary(b, "arith.andi", x, tileBuildInt(b, type, 7));
  MlirValue sign = tileBuildBinary(b, "arith.andi", x, tileBuildInt(b, type, 8));
  size = shiftLeft(b, size, mantissa - 1);
  MlirValue bits = tileBuildBinary(b, "arith.ori", size, shiftLeft(b, sign, 12));
  MlirValue small = tritonCast(b, "arith.bitcast", bits, o->compute);
  MlirValue scale = tileBuildFloat(b, mlirValueGetType(small), ldexp(1, bias - 1));
  return tileBuildBinary(b, "arith.mulf", small, scale);
}

/// Both numbers of each byte, along the packed dimension.
static MlirValue unpackFp4(Operand *o, MlirValue x) {
  TileBuilder *b = o->b;
  if (o->packed == 0) x = swap(b, x);
  MlirValue wide = tritonCast(b, "arith.extui", x, tileI16(b->context));
  MlirType type = mlirValueGetType(wide);
  MlirValue four = tileBuildInt(b, type, 4);
  MlirValue high = tileBuildBinary(b, "arith.shrui", wide, four);
  MlirValue first = decodeFp4(o, wide), second = decodeFp4(o, high);
  int64_t rows = mlirShapedTypeGetDimSize(type, 0), columns = mlirShapedTypeGetDimSize(type, 1);
  int64_t pairs[3] = {rows, columns, 2}, flat[2] = {rows, 2 * columns};
  MlirAttribute none = mlirAttributeGetNull();
  MlirType joined = mlirRankedTensorTypeGet(3, pairs, o->compute, none);
  x = tileBuild(b, "tile.join", joined, TILE_VALUES(first, second));
  x = tritonReshape(b, x, mlirRankedTensorTypeGet(2, flat, o->compute, none));
  return o->packed == 0 ? swap(b, x) : x;
}

/// A number of any format as one of the compute type; null where there is none of that name.
static MlirValue convertNumber(Operand *o, MlirValue x, const char *format) {
  TileBuilder *b = o->b;
  MlirType from = tileElementType(mlirValueGetType(x));
  if (tritonWordIs(o->op, format, "e2m1")) return unpackFp4(o, x);
  // As bytes, where nobody has said yet what they hold.
  if (mlirTypeIsAInteger(from)) {
    bool is4 = tritonWordIs(o->op, format, "e4m3");
    from = is4 ? mlirFloat8E4M3FNTypeGet(b->context) : mlirFloat8E5M2TypeGet(b->context);
    x = tritonCast(b, "arith.bitcast", x, from);
  }
  if (mlirTypeEqual(from, o->compute)) return x;
  if (tileBitWidth(from) < 16) return tritonCast(b, "arith.extf", x, o->compute);
  x = tritonCast(b, "arith.extf", x, tileF32(b->context));
  return tritonCast(b, "arith.truncf", x, o->compute);
}

//===- scales -------------------------------------------------------------===//

/// 2 to the byte less 127, exactly as far as the compute type has it, and NaN of 255.
static MlirValue decodeScale(Operand *o, MlirValue x) {
  TileBuilder *b = o->b;
  bool isHalf = mlirTypeIsAF16(o->compute);
  // The exponent of a bf16 or an f32; of 0, 2 to the -127, which has none in either.
  MlirType bits = isHalf ? tileI32(b->context) : tileI16(b->context);
  int mantissa = isHalf ? 23 : 7;
  MlirValue wide = tritonCast(b, "arith.extui", x, bits);
  MlirType type = mlirValueGetType(wide);
  MlirValue scale = shiftLeft(b, wide, mantissa), zero = tileBuildInt(b, type, 0);
  MlirValue least = tileBuildInt(b, type, INT64_C(1) << (mantissa - 1));
  scale = tileBuildSelect(b, tileBuildCmpi(b, TILE_EQ, wide, zero), least, scale);
  MlirType between = isHalf ? tileF32(b->context) : o->compute;
  scale = tritonCast(b, "arith.bitcast", scale, between);
  if (isHalf) scale = tritonCast(b, "arith.truncf", scale, o->compute);
  MlirValue all = tileBuildInt(b, type, 255), isNan = tileBuildCmpi(b, TILE_EQ, wide, all);
  return tileBuildSelect(b, isNan, tileBuildFloat(b, mlirValueGetType(scale), NAN), scale);
}

/// `x` times its scales [rows or columns of the product, K / some].
static MlirLogicalResult applyScale(Operand *o, MlirValue scale, MlirValue *x) {
  TileBuilder *b = o->b;
  MlirType type = mlirValueGetType(*x), scales = mlirValueGetType(scale);
  int64_t extent = mlirShapedTypeGetDimSize(type, o->k);
  bool fits = mlirShapedTypeGetRank(scales) == 2 &&
              mlirShapedTypeGetDimSize(scales, 0) == mlirShapedTypeGetDimSize(type, 1 - o->k) &&
              mlirShapedTypeGetDimSize(scales, 1) > 0 &&
              extent % mlirShapedTypeGetDimSize(scales, 1) == 0;
  if (!fits) return tritonRefuse(o->op, "scales that divide K", "others");
  MlirType element = tileElementType(scales);
  if (tileBitWidth(element) != 8) return tritonRefuse(o->op, "scales of 8 bits", "others");
  if (mlirTypeIsAInteger(element))
    scale = decodeScale(o, scale);
  else
    scale = tritonCast(b, "arith.extf", scale, o->compute);
  scale = repeatColumns(b, scale, extent / mlirShapedTypeGetDimSize(scales, 1));
  if (o->k == 0) scale = swap(b, scale);
  *x = tileBuildBinary(b, "arith.mulf", *x, scale);
  return mlirLogicalResultSuccess();
}

//===- the product --------------------------------------------------------===//

static bool packsAlongK(MlirOperation op, const char *name) {
  MlirAttribute attr = tileAttr(op, name);
  return mlirAttributeIsNull(attr) || !mlirAttributeIsABool(attr) || mlirBoolAttrGetValue(attr);
}

/// Rows and columns of floats, or of bytes: what is called e2m1 is packed in these.
static MlirLogicalResult checkOperand(MlirOperation op, MlirValue x, const char *format) {
  MlirType type = mlirValueGetType(x), element = tileElementType(type);
  if (mlirShapedTypeGetRank(type) != 2) return tritonRefuse(op, "operands of rank 2", "others");
  if (mlirTypeIsAInteger(element) ? tileBitWidth(element) != 8 : tritonWordIs(op, format, "e2m1"))
    return tritonRefuse(op, "operands of floats or bytes, and bytes of e2m1", "others");
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult convertDotScaled(MlirOperation op, TileBuilder *b) {
  int32_t sizes[5] = {1, 1, 1, 0, 0};
  MlirAttribute segments = tileAttr(op, "operandSegmentSizes");
  for (intptr_t i = 3; i < 5; ++i) sizes[i] = mlirDenseI32ArrayGetElement(segments, i);
  MlirValue lhs = tileOperand(op, 0), rhs = tileOperand(op, 1), acc = tileOperand(op, 2);
  TILE_TRY(checkOperand(op, lhs, "lhs"));
  TILE_TRY(checkOperand(op, rhs, "rhs"));
  bool isHalf = tritonWordIs(op, "lhs", "fp16") || tritonWordIs(op, "rhs", "fp16");
  MlirType compute = isHalf ? mlirF16TypeGet(b->context) : mlirBF16TypeGet(b->context);
  Operand left = {op, b, compute, 1, packsAlongK(op, "lhs_k_pack") ? 1 : 0};
  Operand right = {op, b, compute, 0, packsAlongK(op, "rhs_k_pack") ? 0 : 1};
  lhs = convertNumber(&left, lhs, "lhs");
  rhs = convertNumber(&right, rhs, "rhs");
  if (sizes[3]) TILE_TRY(applyScale(&left, tileOperand(op, 3), &lhs));
  if (sizes[4]) TILE_TRY(applyScale(&right, tileOperand(op, 3 + sizes[3]), &rhs));
  MlirAttribute precision = tileParseAttr(b->context, "#tile<precision ieee>");
  MlirType type = mlirValueGetType(acc);
  MlirOperation made = tileBuildOp(b, "tile.dot", TILE_VALUES(lhs, rhs, acc), 1, &type,
                                   TILE_ATTRS({"precision", precision}), 0);
  return tritonReplace(op, tileResult(made));
}

const TritonRule tritonDotScaledRules[] = {{"tt.dot_scaled", convertDotScaled}, {NULL, NULL}};
