//===- Elementwise.c - constants, indices, arithmetic ---------------------===//
#include "../Table.h"
#include "MathLowering.h"
#include <stdlib.h>

/// min.NaN and its like are one instruction up to 32 bits; what arith's own lowering expands them
/// to are comparisons and selects, to which -0 and +0 are equal. Null for other ops.
static const char *extremum(MlirOperation op) {
  static const struct {
    const char *name, *intrinsic;
  } known[] = {{"arith.maximumf", "llvm.maximum"},
               {"arith.minimumf", "llvm.minimum"},
               {"arith.maxnumf", "llvm.maxnum"},
               {"arith.minnumf", "llvm.minnum"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (tileOpIs(op, known[i].name)) return known[i].intrinsic;
  return NULL;
}

/// The op itself over thread values: arith works on vectors as on tiles.
MlirLogicalResult lowerElementwise(Lowering *l, MlirOperation op) {
  MlirType types[lowerMaxResults];
  if (!lowerResultTypes(l, op, types)) return mlirLogicalResultFailure();
  if (extremum(op) || lowerIsFastDivision(op)) {
    MlirValue operands[] = {lowerGet(l, tileOperand(op, 0)), lowerGet(l, tileOperand(op, 1))};
    lowerSet(l, tileResult(op), lowerRepeat(l, op, operands, types[0]));
    return mlirLogicalResultSuccess();
  }
  if (lowerIsToInteger(op)) {
    MlirValue x = lowerGet(l, tileOperand(op, 0));
    lowerSet(l, tileResult(op), lowerRepeat(l, op, &x, types[0]));
    return mlirLogicalResultSuccess();
  }
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = malloc((size_t)(count + 1) * sizeof *operands);
  if (!operands) abort();
  for (intptr_t i = 0; i < count; ++i) operands[i] = lowerGet(l, tileOperand(op, i));
  MlirOperation made = tileBuildLike(&l->b, op, count, operands, types);
  free(operands);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    lowerSet(l, mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  return mlirLogicalResultSuccess();
}

MlirValue lowerRepeat(Lowering *l, MlirOperation op, const MlirValue *operands, MlirType type) {
  const char *intrinsic = extremum(op);
  if (intrinsic) return lowerIntrinsic(l, intrinsic, 2, operands, type);
  if (lowerIsFastDivision(op)) return lowerFastDivision(l, operands);
  if (lowerIsToInteger(op)) return lowerToInteger(l, op, operands[0], type);
  MlirOperation made = tileBuildLike(&l->b, op, mlirOperationGetNumOperands(op), operands, &type);
  return tileResult(made);
}

MlirAttribute lowerScalarAttr(MlirAttribute value, MlirType element) {
  MlirType thread = lowerElementType(element);
  if (mlirTypeEqual(thread, element)) return value;
  return mlirIntegerAttrGet(thread, lowerFloat8Code(element, mlirFloatAttrGetValueDouble(value)));
}

MlirLogicalResult lowerConstant(Lowering *l, MlirOperation op) {
  MlirAttribute value = tileAttr(op, "value");
  MlirType type = mlirValueGetType(tileResult(op));
  if (!tileTypeIsTile(type)) {
    lowerSet(l, tileResult(op), tileBuildConstant(&l->b, lowerScalarAttr(value, type)));
    return mlirLogicalResultSuccess();
  }
  if (tileIsTable(op)) return lowerTable(l, op);
  if (!mlirAttributeIsADenseElements(value)) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected a constant tile of dense elements, found others");
    return mlirLogicalResultFailure();
  }
  MlirType thread = lowerType(l, mlirOperationGetLocation(op), type);
  if (mlirTypeIsNull(thread)) return mlirLogicalResultFailure();
  value = lowerScalarAttr(mlirDenseElementsAttrGetSplatValue(value), tileElementType(type));
  MlirAttribute splat = mlirDenseElementsAttrSplatGet(thread, value);
  lowerSet(l, tileResult(op), tileBuildConstant(&l->b, splat));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerProgramId(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), lowerSpecialRegister(l, "ctaid", (int)tileProgramIdGetAxis(op)));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerNumPrograms(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), lowerSpecialRegister(l, "nctaid", (int)tileNumProgramsGetAxis(op)));
  return mlirLogicalResultSuccess();
}

/// %v = vector.broadcast %x : T to vector<NxT>
static MlirValue broadcast(Lowering *l, MlirType type, MlirValue scalar) {
  return tileBuildUnary(&l->b, "vector.broadcast", type, scalar);
}

/// The thread's part of the coordinate plus, or xor, what each register adds.
MlirLogicalResult lowerArange(Lowering *l, MlirOperation op) {
  TileLayout layout;
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!lowerLayoutOf(loc, mlirValueGetType(tileResult(op)), &layout))
    return mlirLogicalResultFailure();
  int n = lowerNumRegisters(&layout);
  MlirAttribute *parts = malloc((size_t)n * sizeof *parts);
  if (!parts) abort();
  MlirType i32 = tileI32(l->b.context), type = tileVectorType(n, i32);
  for (int r = 0; r < n; ++r) parts[r] = mlirIntegerAttrGet(i32, lowerRegisterPart(&layout, r, 0));
  MlirValue registers = tileBuildConstant(&l->b, mlirDenseElementsAttrGet(type, n, parts));
  free(parts);
  MlirValue thread = lowerThreadPart(l, &layout, 0);
  thread = broadcast(l, type, thread);
  const char *name = lowerPartsAreDisjoint(&layout, 0) ? "arith.addi" : "arith.xori";
  lowerSet(l, tileResult(op), tileBuildBinary(&l->b, name, thread, registers));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerSplat(Lowering *l, MlirOperation op) {
  MlirType type = lowerType(l, mlirOperationGetLocation(op), mlirValueGetType(tileResult(op)));
  if (mlirTypeIsNull(type)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), broadcast(l, type, lowerGet(l, tileSplatGetValue(op))));
  return mlirLogicalResultSuccess();
}

/// %q = %p + sext(%offset) * sizeof(element), all in 64 bits
MlirLogicalResult lowerAddPtr(Lowering *l, MlirOperation op) {
  MlirValue pointers = lowerGet(l, tileAddPtrGetPtr(op)),
            offset = lowerGet(l, tileAddPtrGetOffset(op));
  MlirType type = mlirValueGetType(pointers);
  MlirType pointee = tilePtrTypeGetPointee(tileElementType(mlirValueGetType(tileAddPtrGetPtr(op))));
  if (!mlirTypeEqual(mlirValueGetType(offset), type))
    offset = tileBuildUnary(&l->b, "arith.extsi", type, offset);
  int bytes = lowerElementBytes(pointee);
  if (bytes > 1) {
    MlirValue scale = tileBuildInt(&l->b, type, bytes);
    offset = tileBuildBinary(&l->b, "arith.muli", offset, scale);
  }
  lowerSet(l, tileResult(op), tileBuildBinary(&l->b, "arith.addi", pointers, offset));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerAssume(Lowering *l, MlirOperation op) {
  MlirValue condition = lowerGet(l, tileAssumeGetCondition(op));
  tileBuildOp(&l->b, "llvm.intr.assume", TILE_VALUES(condition), TILE_NONE,
              TILE_ATTRS({"op_bundle_sizes", mlirDenseI32ArrayGet(l->b.context, 0, NULL)}), 0);
  return mlirLogicalResultSuccess();
}
