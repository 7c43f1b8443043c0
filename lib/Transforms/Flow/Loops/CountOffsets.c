//===- CountOffsets.c - offsets follow from a loop's counter, or a scalar ---===//
//
// Before:  scf.for %i = %from to %to step %c1 iter_args(%k = %first) {       tensor<32xi32>
//            ..%k..
//            %next = arith.addi %k, %c64
//            scf.yield %next }
// After:   scf.for %i = %from to %to step %c1 {
//            %steps = arith.subi %i, %from
//            %far = arith.muli %steps, %c64
//            %fars = tile.splat %far
//            %k = arith.addi %first, %fars
//            ..%k.. }
//
// What a loop carries lies one way among the threads. Offsets that kernels move on in each step,
// and compare with the end of rows and of columns, are wanted in several: a mask of each step then
// goes through shared memory, behind barriers. What follows from the counter is computed wherever
// it is wanted, and takes no registers over the step.
//
// Steps are added up without a sign, so wherever the sums wrap, these do. Where the number that is
// added is another in each step (the next block of a list), or no multiple of the step, the loop
// carries how far the tile has moved, a scalar:
//
//            iter_args(%far = %c0) {
//            %fars = tile.splat %far
//            %k = arith.addi %first, %fars
//            ..%k..
//            %next = arith.addi %far, %by
//
// Pointers that move on so are the same, where a step has several accesses through them, as one
// that reads what is there, adds a product to it and stores that: each access wants them as its
// value lies, and pointers are dear to exchange, 64 bits for each element. How far they are is
// counted in 64 bits. Pointers of one access stay, for it decides how they lie.
//
// Declines, with a remark, where the number that is added is not the same for all of the tile, and
// where the last offsets are wanted behind the loop.
//
// Requires: meta-parameters bound; loops over ranges.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/IR.h"
#include "tile/Passes.h"

/// What a tile grows by in each step of its loop: `number`, or the scalar `value`.
typedef struct {
  int64_t number;
  MlirValue value; // null: a number
  bool isCounted;  ///< it follows from the loop's counter
} Growth;

/// Is `by` the same number for all of a tile? Fills in `growth`.
static bool findGrowth(MlirOperation loop, MlirValue by, Growth *growth) {
  *growth = (Growth){.value = {NULL}};
  if (!tileConstantInt(by, &growth->number)) {
    MlirOperation splat = tileValueGetOp(by);
    if (mlirOperationIsNull(splat) || !tileOpIsASplat(splat)) return false;
    growth->value = tileOperand(splat, 0);
    if (tileConstantInt(growth->value, &growth->number)) growth->value = (MlirValue){NULL};
  }
  int64_t step = 0;
  bool known = tileConstantInt(tileForGetStep(loop), &step) && step > 0;
  growth->isCounted =
      known && (mlirValueIsNull(growth->value) ? growth->number % step == 0
                                               : step == 1 && tileIsOutside(growth->value, loop));
  return true;
}

/// What `next` adds to `carried`; null where it is no such sum.
static MlirValue addedTo(MlirValue next, MlirValue carried) {
  MlirOperation op = tileValueGetOp(next);
  MlirValue none = {NULL};
  if (mlirOperationIsNull(op)) return none;
  if (tileOpIsAAddPtr(op))
    return mlirValueEqual(tileOperand(op, 0), carried) ? tileOperand(op, 1) : none;
  if (!tileOpIs(op, "arith.addi")) return none;
  if (mlirValueEqual(tileOperand(op, 0), carried)) return tileOperand(op, 1);
  return mlirValueEqual(tileOperand(op, 1), carried) ? tileOperand(op, 0) : none;
}

/// `count` as `type`, widened by `widens`.
static MlirValue resize(TileBuilder *b, MlirValue count, MlirType type, const char *widens) {
  int from = tileBitWidth(mlirValueGetType(count)), to = tileBitWidth(type);
  if (from == to) return count;
  return tileBuildUnary(b, from < to ? widens : "arith.trunci", type, count);
}

/// (counter - lower) / step * growth
static MlirValue buildFromCounter(TileBuilder *b, MlirOperation loop, MlirType element,
                                  const Growth *growth) {
  int64_t zero = -1, step = 1;
  MlirValue counter = mlirBlockGetArgument(tileBody(loop, 0), 0), lower = tileForGetLower(loop);
  if (!tileConstantInt(lower, &zero) || zero != 0)
    counter = tileBuildBinary(b, "arith.subi", counter, lower);
  MlirValue steps = resize(b, counter, element, "arith.extui"), by = growth->value;
  tileConstantInt(tileForGetStep(loop), &step);
  by = mlirValueIsNull(by) ? tileBuildInt(b, element, growth->number / step)
                           : resize(b, by, element, "arith.extsi");
  return tileBuildBinary(b, "arith.muli", steps, by);
}

/// The sum of what was added so far, which the loop, made anew, carries.
static MlirValue buildFromSum(MlirOperation *loop, MlirType element, const Growth *growth) {
  TileBuilder b = tileBuilderBefore(*loop);
  MlirValue none = tileBuildInt(&b, element, 0), by = growth->value;
  *loop = tileExtendFor(*loop, 1, &none);
  MlirBlock body = tileBody(*loop, 0);
  MlirValue far = mlirBlockGetArgument(body, mlirOperationGetNumResults(*loop));
  TileBuilder end = tileBuilderBefore(mlirBlockGetTerminator(body));
  by = mlirValueIsNull(by) ? tileBuildInt(&end, element, growth->number)
                           : resize(&end, by, element, "arith.extsi");
  MlirValue next = tileBuildBinary(&end, "arith.addi", far, by);
  tileExtendYield(body, 1, &next);
  return far;
}

/// What the loop carries at `number`, at the beginning of the body; the loop may be made anew.
static MlirValue buildOffsets(MlirOperation *loop, intptr_t number, const Growth *growth) {
  MlirValue first = tileForGetInit(*loop, number);
  MlirType type = mlirValueGetType(first), element = tileElementType(type);
  bool isPtr = tileTypeIsAPtr(element);
  if (isPtr) element = mlirIntegerTypeGet(mlirTypeGetContext(type), 64);
  MlirValue far = {NULL};
  if (!growth->isCounted) far = buildFromSum(loop, element, growth);
  TileBuilder b = tileBuilderAtStart(tileBody(*loop, 0));
  if (growth->isCounted) far = buildFromCounter(&b, *loop, element, growth);
  MlirValue fars = tileBuildUnary(&b, "tile.splat", tileWithElement(type, element), far);
  return tileBuildBinary(&b, isPtr ? "tile.addptr" : "arith.addi", first, fars);
}

/// Does a step read or write memory through `ptrs` more than once?
static bool haveAccesses(MlirValue ptrs) {
  int accesses = 0;
  MlirOpOperand use = mlirValueGetFirstUse(ptrs);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    accesses += (tileOpGetEffects(mlirOpOperandGetOwner(use)) &
                 (TILE_READS_GLOBAL | TILE_WRITES_GLOBAL)) != 0;
  return accesses > 1;
}

/// Offsets, or pointers, that are better counted than carried.
static bool isCountable(MlirValue carried) {
  MlirType type = mlirValueGetType(carried);
  if (!tileTypeIsTile(type)) return false;
  MlirType element = tileElementType(type);
  if (tileTypeIsAPtr(element)) return haveAccesses(carried);
  return mlirTypeIsAInteger(element) && tileBitWidth(element) >= 32;
}

/// Null where what the loop carries at `number` need not be carried; or why not. `growth` is set.
static const char *whyNot(MlirOperation loop, intptr_t number, MlirValue by, Growth *growth) {
  if (!findGrowth(loop, by, growth)) return "one number to be added to all of the tile";
  bool isUsed = !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(loop, number)));
  return isUsed ? "nothing that reads them behind the loop" : NULL;
}

static void runLoop(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  if (!mlirTypeIsAInteger(mlirValueGetType(tileForGetLower(loop)))) return;
  for (intptr_t i = 0, count = mlirOperationGetNumResults(loop); i < count; ++i) {
    MlirValue carried = mlirBlockGetArgument(body, 1 + i);
    if (!isCountable(carried)) continue;
    MlirValue by = addedTo(tileOperand(mlirBlockGetTerminator(body), i), carried);
    if (mlirValueIsNull(by)) continue;
    Growth growth;
    const char *why = whyNot(loop, i, by, &growth);
    if (why) {
      tileEmitRemark(mlirOperationGetLocation(loop), "offsets are carried: expected %s", why);
      continue;
    }
    MlirValue counted = buildOffsets(&loop, i, &growth);
    mlirValueReplaceAllUsesOfWith(carried, counted);
    mlirOperationSetOperand(mlirBlockGetTerminator(body), i,
                            carried); // which vanishes when it is simplified
  }
}

MlirLogicalResult tileRunCountOffsets(MlirOperation func) {
  tileVisitLoops(func, runLoop);
  return mlirLogicalResultSuccess();
}
