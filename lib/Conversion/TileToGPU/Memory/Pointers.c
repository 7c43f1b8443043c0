//===- Pointers.c - where accesses point, as getelementptr ----------------===//
//
// What a thread holds of pointers are numbers: they cross lanes, are carried and compared as those
// are. Of sums of numbers InstCombine makes `p + 4 (i + j)` where `(p + 4 i) + 4 j` stands, and
// i + j has 64 bits: four instructions for the one of `+ 4 j`, and `p + 4 i` is made anew in each
// step of a loop that does not change it. So accesses through a sum of a tile of sums, in loops if
// those change one of them, get pointers of their own, beside numbers that nobody reads then:
//
//   %p = tile.addptr %x, %rows      %e = llvm.getelementptr %x[%rows r] : i32
//   scf.for .. {                    scf.for .. {
//     %q = tile.addptr %p, %taps      %f = llvm.getelementptr %e[%taps r] : i32
//     %v = tile.load %q               %v = llvm.load %f
//
// Loops with dots keep numbers, and kernels with dots outside of loops: their tiles have many
// pointers, and each would be held in two registers beside the accumulators.
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include <stdlib.h>

/// Pointers that were made of a tile, each beside its number; null: not yet.
typedef struct {
  MlirValue numbers; ///< what they were made of
  MlirValue *of;     ///< a register
} Made;

static MlirValue *findMade(Lowering *l, MlirValue tile, MlirValue numbers, int r) {
  Made *made = tilePointerTableAdd(&l->pointers, tile.ptr, sizeof *made);
  MlirType type = mlirValueGetType(numbers);
  int64_t count = mlirTypeIsAVector(type) ? mlirShapedTypeGetDimSize(type, 0) : 1;
  if (!mlirValueEqual(made->numbers, numbers)) {
    free(made->of);
    *made = (Made){.numbers = numbers, .of = calloc((size_t)count, sizeof *made->of)};
    if (!made->of) abort();
  }
  return &made->of[r];
}

void lowerFreePointers(Lowering *l) {
  for (Made *m = tilePointerTableFirst(l->pointers); m; m = tilePointerTableNext(m)) free(m->of);
  tilePointerTableClear(&l->pointers);
}

static MlirValue numberAt(Lowering *l, MlirValue value, int r) {
  return mlirTypeIsAVector(mlirValueGetType(value)) ? lowerExtract(l, value, r) : value;
}

/// The pointer that a number is; an argument of the kernel is one.
static MlirValue pointerOf(Lowering *l, MlirValue number) {
  MlirOperation from = tileValueGetOp(number);
  MlirType type = mlirTypeParseGet(l->b.context, tileString("!llvm.ptr<1>"));
  if (!mlirOperationIsNull(from) && tileOpIs(from, "llvm.ptrtoint") &&
      mlirTypeEqual(mlirValueGetType(tileOperand(from, 0)), type))
    return tileOperand(from, 0);
  return tileBuildUnary(&l->b, "llvm.inttoptr", type, number);
}

static MlirValue pointerAt(Lowering *l, MlirValue tile, int r);

/// %e = llvm.getelementptr %base[%offset] : as wide as an element of memory
static MlirValue buildPointer(Lowering *l, MlirOperation addptr, int r) {
  MlirContext c = l->b.context;
  MlirValue base = pointerAt(l, tileAddPtrGetPtr(addptr), r);
  MlirValue offset = numberAt(l, lowerGet(l, tileAddPtrGetOffset(addptr)), r);
  if (tileBitWidth(mlirValueGetType(offset)) < 64)
    offset = tileBuildUnary(&l->b, "arith.extsi", tileI64(c), offset);
  MlirType pointers = tileElementType(mlirValueGetType(tileResult(addptr)));
  int bytes = lowerElementBytes(tilePtrTypeGetPointee(pointers));
  MlirAttribute element = mlirTypeAttrGet(mlirIntegerTypeGet(c, 8 * (unsigned)bytes));
  int32_t isOperand = INT32_MIN;
  MlirAttribute indices = mlirDenseI32ArrayGet(c, 1, &isOperand);
  MlirType type = mlirValueGetType(base);
  return tileResult(tileBuildOp(&l->b, "llvm.getelementptr", TILE_VALUES(base, offset), 1, &type,
                                TILE_ATTRS({"rawConstantIndices", indices}, {"elem_type", element}),
                                0));
}

/// Where register r of `tile` points: made right behind its number, so that all who may read that
/// may read it.
static MlirValue pointerAt(Lowering *l, MlirValue tile, int r) {
  MlirOperation op = tileValueGetOp(tile);
  MlirValue numbers = lowerGet(l, tile);
  MlirOperation made = tileValueGetOp(numbers);
  if (!mlirOperationIsNull(op) && tileOpIsASplat(op)) return pointerAt(l, tileSplatGetValue(op), 0);
  if (mlirOperationIsNull(op) || !tileOpIsAAddPtr(op) || mlirOperationIsNull(made))
    return pointerOf(l, numberAt(l, numbers, r));
  MlirValue known = *findMade(l, tile, numbers, r);
  if (!mlirValueIsNull(known)) return known;
  TileBuilder here = l->b;
  l->b = tileBuilderAfter(made);
  known = buildPointer(l, op, r);
  l->b = here;
  return *findMade(l, tile, numbers, r) = known;
}

//===- where it pays ------------------------------------------------------===//

/// Null, no loop: all is.
static bool isIn(MlirOperation loop, MlirValue value) {
  if (mlirOperationIsNull(loop)) return true;
  MlirOperation op = mlirBlockGetParentOperation(tileValueGetBlock(value));
  return tileOpHolds(loop, op);
}

/// Is it a sum of its own, through what only gives it another shape? (Of a number that is spread
/// over a tile nothing is known once it is.)
static bool isSum(MlirValue pointers) {
  MlirOperation op = tileValueGetOp(pointers);
  while (!mlirOperationIsNull(op) && tileOpIsView(op) && !tileOpIsASplat(op))
    op = tileValueGetOp(tileOperand(op, 0));
  return !mlirOperationIsNull(op) && tileOpIsAAddPtr(op);
}

/// Is it one number for all of a tile?
static bool isUniform(MlirValue offset) {
  MlirOperation op = tileValueGetOp(offset);
  return !mlirOperationIsNull(op) && tileOpIsASplat(op);
}

/// Are neighbours as far apart everywhere, by a number that is known? Then registers are, and one
/// number for all of them is added to one pointer, from which they have their distances.
static bool isEven(const Lowering *l, MlirValue pointers) {
  int64_t step;
  for (int d = 0; d < (int)mlirShapedTypeGetRank(mlirValueGetType(pointers)); ++d)
    if (!tileAxisStep(l->axis, pointers, d, &step)) return false;
  return true;
}

/// Is it a sum of 64 bits of what the loop changes, and what it does not?
static bool mixesSum(MlirOperation loop, MlirValue offset) {
  MlirOperation op = tileValueGetOp(offset);
  return !mlirOperationIsNull(op) && tileOpIs(op, "arith.addi") &&
         tileBitWidth(tileElementType(mlirValueGetType(offset))) == 64 &&
         isIn(loop, tileOperand(op, 0)) != isIn(loop, tileOperand(op, 1));
}

/// Would two offsets be added up in a step of the loop, in front of what they are added to? Null:
/// where there is none.
static bool mixes(const Lowering *l, MlirOperation loop, MlirValue tile) {
  MlirOperation op = tileValueGetOp(tile);
  if (mlirOperationIsNull(op) || !tileOpIsAAddPtr(op)) return false;
  MlirValue base = tileAddPtrGetPtr(op), offset = tileAddPtrGetOffset(op);
  bool moves = isIn(loop, base) || isIn(loop, offset);
  if (isUniform(offset)) moves &= !isIn(loop, base) && !isEven(l, base);
  return (moves && isSum(base)) || mixesSum(loop, offset) || mixes(l, loop, base);
}

/// The innermost loop around an op; null where there is none.
static MlirOperation loopOf(MlirOperation op) {
  do op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !tileOpIs(op, "scf.for") && !tileOpIs(op, "scf.while"));
  return op;
}

MlirValue lowerPointerAt(Lowering *l, MlirOperation access, MlirValue tile, int r) {
  MlirOperation loop = loopOf(access);
  bool besideDots = l->hasDots && (mlirOperationIsNull(loop) || tileHoldsDot(loop));
  if (!besideDots && mixes(l, loop, tile)) return pointerAt(l, tile, r);
  return numberAt(l, lowerGet(l, tile), r);
}
