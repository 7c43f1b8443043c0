//===- DotForm.c - the products that a dot asks tensor cores for ----------===//
#include "tile/Analysis/DotForm.h"
#include "tile/IR.h"

MlirType tileDotOperandElement(MlirValue operand) {
  MlirType type = mlirValueGetType(operand);
  return tileTypeIsABuffer(type) ? tileBufferTypeGetElement(type) : tileElementType(type);
}

/// What elements of this type are multiplied as; 0 where tensor cores do not multiply them.
static TileMatrixType multiplied(MlirType element, int precision) {
  const TileMatrixType none = (TileMatrixType)0;
  if (mlirTypeIsAF16(element)) return TILE_MATRIX_F16;
  if (mlirTypeIsABF16(element)) return TILE_MATRIX_BF16;
  bool isTf32 = precision == TILE_PRECISION_TF32 || precision == TILE_PRECISION_TF32X3;
  if (mlirTypeIsAF32(element)) return isTf32 ? TILE_MATRIX_TF32 : none;
  if (mlirTypeIsAF64(element)) return TILE_MATRIX_F64;
  if (mlirTypeIsAFloat8E4M3FN(element)) return TILE_MATRIX_E4M3;
  if (mlirTypeIsAFloat8E5M2(element)) return TILE_MATRIX_E5M2;
  return mlirTypeIsAInteger(element) && tileBitWidth(element) == 8 ? TILE_MATRIX_S8 : none;
}

bool tileDotGetForm(MlirOperation dot, TileDotForm *form) {
  MlirType a = tileDotOperandElement(tileDotGetA(dot)), b = tileDotOperandElement(tileDotGetB(dot)),
           sum = tileElementType(mlirValueGetType(tileResult(dot)));
  int precision = (int)tileDotGetPrecision(dot);
  *form = (TileDotForm){.a = multiplied(a, precision),
                        .b = multiplied(b, precision),
                        .sum = mlirTypeIsAInteger(sum) ? TILE_MATRIX_S32
                               : mlirTypeIsAF64(sum)   ? TILE_MATRIX_F64
                                                       : TILE_MATRIX_F32,
                        .bits = tileBitWidth(a)};
  return form->a && form->b;
}

const TileMatrix *tileDotFormMatrix(const TileDotForm *form, const TileMachine *machine,
                                    TileMatrixFamily family) {
  return tileMachineFindMatrix(machine, family, form->a, form->b, form->sum);
}

const TileMatrix *tileDotFormWgmma(const TileDotForm *form) {
  const TileMachine *machine = NULL;
  for (int i = 0; (machine = tileMachineGet(i)); ++i)
    if (tileMachineHas(machine, TILE_FEATURE_WGMMA))
      return tileDotFormMatrix(form, machine, TILE_MATRIX_WGMMA);
  return NULL;
}

int tileDotFormDepth(const TileDotForm *form) {
  enum { stepBytes = 32 };
  return stepBytes * 8 / form->bits;
}

int64_t tileDotFormColumns(const TileDotForm *form, int64_t columns) {
  const TileMatrix *wgmma = tileDotFormWgmma(form);
  while (wgmma && columns < wgmma->mostN && !tileMatrixTakesColumns(wgmma, (int)columns)) ++columns;
  return columns;
}

static TileRate rateOfF32(int64_t precision) {
  if (precision == TILE_PRECISION_IEEE) return TILE_RATE_F32;
  bool isBf16 = precision == TILE_PRECISION_BF16X3 || precision == TILE_PRECISION_BF16X6;
  return isBf16 ? TILE_RATE_F16_MATRIX : TILE_RATE_TF32_MATRIX;
}

int tileDotCountProducts(MlirOperation dot) {
  int64_t precision = tileDotGetPrecision(dot);
  if (precision == TILE_PRECISION_BF16X6) return 6;
  return precision == TILE_PRECISION_TF32X3 || precision == TILE_PRECISION_BF16X3 ? 3 : 1;
}

bool tileDotGetRate(MlirOperation dot, TileRate *rate) {
  MlirType type = tileDotOperandElement(tileDotGetA(dot));
  MlirType other = tileDotOperandElement(tileDotGetB(dot));
  int bits = tileBitWidth(type), otherBits = tileBitWidth(other);
  bool isFloat = mlirTypeIsAFloat(type), same = mlirTypeEqual(type, other);
  same |= bits == 8 && otherBits == 8 && isFloat && mlirTypeIsAFloat(other);
  if (bits == 16 || otherBits == 16)
    *rate = TILE_RATE_F16_MATRIX;
  else if (bits == 8 && otherBits == 8)
    *rate = isFloat ? TILE_RATE_F8_MATRIX : TILE_RATE_I8_MATRIX;
  else if (bits == 64)
    *rate = TILE_RATE_F64_MATRIX;
  else
    *rate = rateOfF32(tileDotGetPrecision(dot));
  return same || bits == 16 || otherBits == 16;
}

/// Elements of K, of A in registers or in shared memory.
static int64_t depthOf(MlirOperation dot) {
  int64_t shape[TILE_MAX_RANK];
  MlirType a = mlirValueGetType(tileDotGetA(dot));
  if (tileTypeIsABuffer(a)) return tileBufferTypeGetDim(a, tileBufferTypeGetRank(a) - 1);
  int rank = tileShape(a, shape);
  return shape[rank - 1];
}

double tileDotGetFlops(MlirOperation dot) {
  return 2. * (double)(depthOf(dot) * tileNumElements(mlirValueGetType(tileResult(dot))));
}

double tileDotGetCycles(MlirOperation dot) {
  TileRate rate;
  double each = tileDotGetRate(dot, &rate) ? tileMachineOf(dot)->rates[rate] : 0;
  return each > 0 ? tileDotGetFlops(dot) / each : 0;
}

bool tileAddsTo(MlirValue value, MlirValue sum) {
  if (mlirOpOperandIsNull(tileOnlyUse(value))) return false;
  if (mlirValueEqual(value, sum)) return true;
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIsADot(op)) return tileAddsTo(tileDotGetAcc(op), sum);
  if (tileOpIs(op, "math.fma")) return tileAddsTo(tileOperand(op, 2), sum);
  bool adds = tileOpIs(op, "arith.addf") || tileOpIs(op, "arith.addi");
  return adds && (tileAddsTo(tileOperand(op, 0), sum) || tileAddsTo(tileOperand(op, 1), sum));
}
