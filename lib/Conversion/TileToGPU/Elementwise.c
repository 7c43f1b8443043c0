//===- Elementwise.c - indices, arithmetic --------------------------------===//
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

/// The op over thread values, without what it says of a tile's dimensions.
static MlirOperation buildOver(Lowering *l, MlirOperation op, intptr_t count,
                               const MlirValue *operands, const MlirType *types) {
  static const char *const hints[] = {"tile.contiguity", "tile.constancy", "tile.divisibility"};
  MlirOperation made = tileBuildLike(&l->b, op, count, operands, types);
  for (int i = 0; i < 3; ++i) mlirOperationRemoveAttributeByName(made, tileString(hints[i]));
  return made;
}

/// A quotient or remainder of i64 that 32 bits compute as well: program ids that kernels widen, so
/// that what they are multiplied by does not wrap. Null for others.
static MlirValue lowerShortDivision(Lowering *l, MlirOperation op, MlirType type) {
  bool isSigned = tileOpIs(op, "arith.divsi") || tileOpIs(op, "arith.remsi");
  if (!tileOpIsQuotient(op) && !tileOpIsRemainder(op)) return (MlirValue){NULL};
  if (tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))) != 64)
    return (MlirValue){NULL};
  const TileAxisInfo *a = tileAxisAnalysisGet(l->axis, tileOperand(op, 0));
  const TileAxisInfo *b = tileAxisAnalysisGet(l->axis, tileOperand(op, 1));
  // With another dividend than INT32_MIN no signed quotient overflows.
  if (a->min < (isSigned ? -INT32_MAX : 0) || a->max > INT32_MAX || b->max > INT32_MAX ||
      b->min < (isSigned ? INT32_MIN : 0))
    return (MlirValue){NULL};
  MlirType i32 = tileI32(l->b.context);
  bool isVector = mlirTypeIsAVector(type);
  MlirType narrow = isVector ? tileVectorType(mlirShapedTypeGetDimSize(type, 0), i32) : i32;
  MlirValue operands[2];
  for (int i = 0; i < 2; ++i)
    operands[i] = tileBuildUnary(&l->b, "arith.trunci", narrow, lowerGet(l, tileOperand(op, i)));
  MlirOperation made = buildOver(l, op, 2, operands, &narrow);
  return tileBuildUnary(&l->b, "arith.extsi", type, tileResult(made));
}

/// Is each element of `value` a multiple of `by`?
static bool isMultiple(const Lowering *l, MlirValue value, int64_t by) {
  const TileAxisInfo *info = tileAxisAnalysisGet(l->axis, value);
  for (int d = 0; d < info->rank; ++d)
    if (info->contiguity[d] == 1 && info->divisibility[d] % by == 0) return true;
  return false;
}

/// `value` without the multiples of `by` that it is a sum with.
static MlirValue withoutMultiples(const Lowering *l, MlirValue value, int64_t by) {
  for (MlirOperation op = tileValueGetOp(value);
       !mlirOperationIsNull(op) && tileOpIs(op, "arith.addi"); op = tileValueGetOp(value)) {
    bool second = isMultiple(l, tileOperand(op, 0), by);
    if (!second && !isMultiple(l, tileOperand(op, 1), by)) break;
    value = tileOperand(op, second);
  }
  return value;
}

/// A quotient or remainder, by a power of two, of what is not below 0, number by number: LLVM knows
/// of a vector what is the same for all. Which of two numbers in a byte a row of weights is says
/// the number of a thread's register then: steps of a loop begin at multiples. Null for others.
static MlirValue lowerBitsOf(Lowering *l, MlirOperation op, MlirType type) {
  const bool divides = tileOpIs(op, "arith.divsi");
  if (!divides && !tileOpIs(op, "arith.remsi")) return (MlirValue){NULL};
  const TileAxisInfo *a = tileAxisAnalysisGet(l->axis, tileOperand(op, 0));
  int64_t by, bits = 0;
  if (!tileConstantInt(tileOperand(op, 1), &by) || by < 2 || by & (by - 1) || a->min < 0)
    return (MlirValue){NULL};
  while (by >> bits != 1) ++bits;
  const bool isVector = mlirTypeIsAVector(type);
  MlirType element = isVector ? mlirShapedTypeGetElementType(type) : type;
  MlirValue whole = tileOperand(op, 0), other;
  MlirValue x = lowerGet(l, divides ? whole : withoutMultiples(l, whole, by));
  other = tileBuildInt(&l->b, element, divides ? bits : by - 1);
  const char *name = divides ? "arith.shrui" : "arith.andi";
  if (!isVector) return tileBuildBinary(&l->b, name, x, other);
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  MlirValue *numbers = malloc((size_t)count * sizeof *numbers);
  if (!numbers) abort();
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = tileBuildBinary(&l->b, name, lowerExtract(l, x, i), other);
  MlirValue all = lowerFromElements(l, element, count, numbers);
  free(numbers);
  return all;
}

/// Is it a narrowing of f32 to 16 bits, of an even number of registers, which LLVM would do number
/// by number? So it does where each is stored by itself, behind a change of layout: beside 192
/// columns of accumulators of a kernel with roles ptxas then serializes wgmma (C7514). And so it
/// does where the numbers are widened again, to cut f32 into halves, by an instruction of which a
/// multiprocessor does 16 a cycle; of that for two it does 64.
static bool narrowsByTwos(const Lowering *l, MlirOperation op, MlirType type) {
  if (!tileOpIs(op, "arith.truncf") || !mlirTypeIsAVector(type) ||
      !mlirAttributeIsNull(tileAttr(op, "roundingmode")) || mlirShapedTypeGetDimSize(type, 0) % 2 ||
      !mlirTypeIsAF32(tileElementType(mlirValueGetType(tileOperand(op, 0)))))
    return false;
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  if (!mlirTypeIsAF16(element) && !mlirTypeIsABF16(element)) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (tileOpIs(reader, "arith.extf")) return true;
    if (l->consumes && tileOpIsAConvertLayout(reader)) return true;
  }
  return false;
}

static MlirValue narrowByTwos(Lowering *l, MlirValue x, MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type), pair = tileVectorType(2, element);
  const char *name = mlirTypeIsAF16(element) ? "llvm.nvvm.ff2f16x2.rn" : "llvm.nvvm.ff2bf16x2.rn";
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  MlirValue *words = malloc((size_t)count / 2 * sizeof *words);
  if (!words) abort();
  MlirType i32 = tileI32(l->b.context);
  for (int64_t i = 0; i < count; i += 2) {
    MlirValue low = lowerExtract(l, x, i), high = lowerExtract(l, x, i + 1);
    MlirValue both = lowerIntrinsic(l, name, TILE_VALUES(high, low), pair);
    words[i / 2] = lowerExtract(l, lowerBitcast(l, both, tileVectorType(1, i32)), 0);
  }
  MlirValue all = lowerFromElements(l, i32, count / 2, words);
  free(words);
  return lowerBitcast(l, all, type);
}

/// Of a choice between numbers of fewer than 32 bits, how many neighbouring registers fill a word
/// and have one truth, as where rows are chosen whose columns lie side by side; 1: they have
/// several.
static int64_t chosenTogether(const Lowering *l, MlirOperation op, MlirType type) {
  TileLayout layout;
  LowerSame same;
  MlirType chosen = mlirValueGetType(tileResult(op));
  if (!tileOpIs(op, "arith.select") || !mlirTypeIsAVector(type)) return 1;
  int64_t bits = tileBitWidth(tileElementType(chosen)), n = mlirShapedTypeGetDimSize(type, 0);
  if ((bits != 8 && bits != 16) || !tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))) ||
      !tileTypeGetLayout(chosen, &layout) || !lowerFindSame(l, tileOperand(op, 0), &same))
    return 1;
  int64_t each = 32 / bits;
  for (int64_t r = 0; r < n; ++r)
    if (lowerFirstSame(&layout, &same, (int)r, 1) !=
        lowerFirstSame(&layout, &same, (int)(r / each * each), 1))
      return 1;
  return n % each ? 1 : each;
}

/// The choice, a word of `each` registers at a time: LLVM would take words apart, and put together
/// again what it has chosen of each.
static MlirValue chooseWords(Lowering *l, MlirOperation op, MlirType type, int64_t each) {
  int64_t n = mlirShapedTypeGetDimSize(type, 0) / each;
  MlirType words = tileVectorType(n, tileI32(l->b.context));
  int64_t *first = malloc((size_t)n * sizeof *first);
  if (!first) abort();
  for (int64_t i = 0; i < n; ++i) first[i] = i * each;
  MlirValue truths = lowerPermute(l, lowerGet(l, tileOperand(op, 0)), n, first);
  free(first);
  MlirValue x = lowerBitcast(l, lowerGet(l, tileOperand(op, 1)), words);
  MlirValue y = lowerBitcast(l, lowerGet(l, tileOperand(op, 2)), words);
  return lowerBitcast(l, tileBuildSelect(&l->b, truths, x, y), type);
}

/// Is it a comparison of integers with a constant? Of a thread's positions, which are a lane's with
/// bits of a register's set, LLVM sees of a number that it cannot be equal, and of a vector of them
/// only what holds for all.
static bool comparesWithConstant(MlirOperation op, MlirType type) {
  int64_t constant;
  return tileOpIs(op, "arith.cmpi") && mlirShapedTypeGetDimSize(type, 0) > 1 &&
         (tileConstantInt(tileOperand(op, 1), &constant) ||
          tileConstantInt(tileOperand(op, 0), &constant));
}

/// The op, number by number, where LLVM knows more of numbers than of vectors; null for others.
static MlirValue lowerEach(Lowering *l, MlirOperation op, MlirType type) {
  bool isLong = lowerIsLongDivision(op);
  if (!mlirTypeIsAVector(type) || (!comparesWithConstant(op, type) && !isLong))
    return (MlirValue){NULL};
  MlirValue together = isLong ? lowerLongDivision(l, op) : (MlirValue){NULL};
  if (!mlirValueIsNull(together)) return together;
  MlirValue a = lowerGet(l, tileOperand(op, 0)), b = lowerGet(l, tileOperand(op, 1));
  int64_t count = mlirShapedTypeGetDimSize(type, 0);
  MlirValue *numbers = malloc((size_t)count * sizeof *numbers);
  if (!numbers) abort();
  MlirType element = mlirShapedTypeGetElementType(type);
  for (int64_t i = 0; i < count; ++i) {
    MlirValue each[] = {lowerExtract(l, a, i), lowerExtract(l, b, i)};
    numbers[i] = tileResult(buildOver(l, op, 2, each, &element));
  }
  MlirValue all = lowerFromElements(l, element, count, numbers);
  free(numbers);
  return all;
}

/// The op itself over thread values: arith works on vectors as on tiles.
MlirLogicalResult lowerElementwise(Lowering *l, MlirOperation op) {
  MlirType types[2]; // arith has no op of more results
  if (!lowerResultTypes(l, op, types)) return mlirLogicalResultFailure();
  if (extremum(op) || lowerIsFastDivision(op)) {
    MlirValue operands[] = {lowerGet(l, tileOperand(op, 0)), lowerGet(l, tileOperand(op, 1))};
    lowerSet(l, tileResult(op), lowerRepeat(l, op, operands, types[0]));
    return mlirLogicalResultSuccess();
  }
  MlirValue integers = lowerBitsOf(l, op, types[0]);
  if (mlirValueIsNull(integers)) integers = lowerShortDivision(l, op, types[0]);
  if (mlirValueIsNull(integers)) integers = lowerEach(l, op, types[0]);
  if (!mlirValueIsNull(integers)) {
    lowerSet(l, tileResult(op), lowerOnce(l, tileResult(op), integers));
    return mlirLogicalResultSuccess();
  }
  if (tileOpIsToInteger(op) || lowerIsFromBytes(op, types[0]) || lowerIsFromFew(l, op, types[0]) ||
      lowerIsByteShift(op, types[0])) {
    MlirValue x = lowerGet(l, tileOperand(op, 0));
    lowerSet(l, tileResult(op), lowerRepeat(l, op, &x, types[0]));
    return mlirLogicalResultSuccess();
  }
  int64_t each = chosenTogether(l, op, types[0]);
  if (each > 1) {
    lowerSet(l, tileResult(op), chooseWords(l, op, types[0], each));
    return mlirLogicalResultSuccess();
  }
  if (narrowsByTwos(l, op, types[0])) {
    lowerSet(l, tileResult(op), narrowByTwos(l, lowerGet(l, tileOperand(op, 0)), types[0]));
    return mlirLogicalResultSuccess();
  }
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = malloc((size_t)(count + 1) * sizeof *operands);
  if (!operands) abort();
  for (intptr_t i = 0; i < count; ++i) operands[i] = lowerGet(l, tileOperand(op, i));
  MlirOperation made = buildOver(l, op, count, operands, types);
  free(operands);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue tile = mlirOperationGetResult(op, i), thread = mlirOperationGetResult(made, i);
    // Masks and quotients of neighbours are often one; of the numbers above them a tile is a tile.
    bool isInteger = mlirTypeIsAInteger(tileElementType(mlirValueGetType(tile)));
    lowerSet(l, tile, isInteger ? lowerOnce(l, tile, thread) : thread);
  }
  return mlirLogicalResultSuccess();
}

MlirValue lowerRepeat(Lowering *l, MlirOperation op, const MlirValue *operands, MlirType type) {
  const char *intrinsic = extremum(op);
  if (intrinsic) return lowerIntrinsic(l, intrinsic, 2, operands, type);
  if (lowerIsFastDivision(op)) return lowerFastDivision(l, op, operands);
  if (tileOpIsToInteger(op)) return lowerToInteger(l, op, operands[0], type);
  if (lowerIsFromBytes(op, type)) return lowerFromBytes(l, op, operands[0], type);
  if (lowerIsFromFew(l, op, type)) return lowerFromFew(l, op, operands[0], type);
  if (lowerIsByteShift(op, type)) return lowerByteShift(l, op, operands[0], type);
  return tileResult(buildOver(l, op, mlirOperationGetNumOperands(op), operands, &type));
}

/// Of blocks along an axis, the programs where one is that of `splits` clusters.
static MlirValue countPrograms(Lowering *l, MlirValue blocks, int axis) {
  int each = l->cluster * l->splits;
  if (axis || each <= 1 || l->hidden.persistent) return blocks;
  return tileBuildBinary(&l->b, "arith.divui", blocks, lowerI32(l, each));
}

MlirLogicalResult lowerProgramId(Lowering *l, MlirOperation op) {
  int axis = (int)tileProgramIdGetAxis(op);
  MlirValue block = lowerSpecialRegister(l, "ctaid", axis);
  lowerSet(l, tileResult(op), countPrograms(l, block, axis));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerNumPrograms(Lowering *l, MlirOperation op) {
  int axis = (int)tileNumProgramsGetAxis(op);
  MlirValue blocks = lowerSpecialRegister(l, "nctaid", axis);
  lowerSet(l, tileResult(op), countPrograms(l, blocks, axis));
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
  int bytes = tileElementBytes(pointee);
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
