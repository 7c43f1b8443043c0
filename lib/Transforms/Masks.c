//===- Masks.c - masks of accesses ----------------------------------------===//
#include "Masks.h"

MlirOperation tileLoadWithMask(MlirOperation load, MlirValue mask) {
  TileBuilder b = tileBuilderBefore(load);
  MlirValue other = tileLoadGetOther(load), operands[3] = {tileLoadGetPtr(load)};
  int32_t sizes[3] = {1, !mlirValueIsNull(mask), !mlirValueIsNull(other)};
  intptr_t count = 1;
  if (sizes[1]) operands[count++] = mask;
  if (sizes[2]) operands[count++] = other;
  MlirType type = mlirValueGetType(tileResult(load));
  MlirOperation made = tileBuildOp(&b, "tile.load", count, operands, 1, &type, TILE_NONE, 0);
  tileCopyAttributes(load, made);
  mlirOperationSetAttributeByName(made, tileString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(b.context, 3, sizes));
  tileReplaceOp(load, TILE_VALUES(tileResult(made)));
  return made;
}

/// `condition` for each of `pointers`.
static MlirValue spread(TileBuilder *b, MlirValue condition, MlirValue pointers) {
  MlirType type = mlirValueGetType(pointers);
  if (!tileTypeIsTile(type)) return condition;
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(type, shape);
  MlirType mask = mlirRankedTensorTypeGet(rank, shape, tileI1(b->context), mlirAttributeGetNull());
  return tileBuildUnary(b, "tile.splat", mask, condition);
}

/// The number of the operand that is the mask, or would be.
static intptr_t maskNumber(MlirOperation access) {
  return tileOpIsALoad(access) ? 1 : tileOpIsAAtomicCas(access) ? 3 : 2;
}

void tileAccessOnlyIf(MlirOperation access, MlirValue condition) {
  TileBuilder b = tileBuilderBefore(access);
  MlirValue operands[4], mask = spread(&b, condition, tileOperand(access, 0));
  intptr_t number = maskNumber(access), count = mlirOperationGetNumOperands(access);
  if (number < count) mask = tileBuildBinary(&b, "arith.andi", tileOperand(access, number), mask);
  if (tileOpIsALoad(access)) {
    tileLoadWithMask(access, mask);
    return;
  }
  for (intptr_t i = 0; i < number; ++i) operands[i] = tileOperand(access, i);
  operands[number] = mask;
  mlirOperationSetOperands(access, number + 1, operands);
}
