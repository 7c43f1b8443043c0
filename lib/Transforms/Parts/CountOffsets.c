//===- CountOffsets.c - offsets follow from a loop's counter ---------------===//
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
// Steps are added up without a sign, so wherever the sums wrap, these do.
//
// Declines, with a remark, where the number that is added is not the same for all of the tile, or
// no multiple of the step, and where the last offsets are wanted behind the loop.
//
// Requires: meta-parameters bound; loops over ranges.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/IR.h"
#include "tile/Passes.h"

enum { LOWER, UPPER, STEP, INITS };

/// What a tile grows by in each step of its loop: `number`, or the scalar `value`.
typedef struct {
  int64_t number;
  MlirValue value; // null: a number
} Growth;

static bool isInFront(MlirOperation loop, MlirValue value) {
  return !tileBlockHolds(tileBody(loop, 0), tileValueGetBlock(value));
}

/// Is `by` the same number for all of a tile, and in all steps?
static bool findGrowth(MlirOperation loop, MlirValue by, Growth *growth) {
  *growth = (Growth){.value = {NULL}};
  if (tileConstantInt(by, &growth->number)) return true;
  MlirOperation splat = tileValueGetOp(by);
  if (mlirOperationIsNull(splat) || !tileOpIsASplat(splat)) return false;
  growth->value = tileOperand(splat, 0);
  if (tileConstantInt(growth->value, &growth->number)) growth->value = (MlirValue){NULL};
  return mlirValueIsNull(growth->value) || isInFront(loop, growth->value);
}

/// What `next` adds to `carried`; null where it is no such sum.
static MlirValue addedTo(MlirValue next, MlirValue carried) {
  MlirOperation op = tileValueGetOp(next);
  MlirValue none = {NULL};
  if (mlirOperationIsNull(op) || !tileOpIs(op, "arith.addi")) return none;
  if (mlirValueEqual(tileOperand(op, 0), carried)) return tileOperand(op, 1);
  return mlirValueEqual(tileOperand(op, 1), carried) ? tileOperand(op, 0) : none;
}

/// `count`, a number without a sign, as `type`.
static MlirValue resize(TileBuilder *b, MlirValue count, MlirType type) {
  int from = tileBitWidth(mlirValueGetType(count)), to = tileBitWidth(type);
  if (from == to) return count;
  return tileBuildUnary(b, from < to ? "arith.extui" : "arith.trunci", type, count);
}

/// first + (counter - lower) / step * growth, at the beginning of the body.
static MlirValue buildOffsets(MlirOperation loop, intptr_t number, const Growth *growth) {
  MlirBlock body = tileBody(loop, 0);
  TileBuilder b = tileBuilderBefore(mlirBlockGetFirstOperation(body));
  MlirValue first = tileOperand(loop, INITS + number), lower = tileOperand(loop, LOWER);
  MlirType type = mlirValueGetType(first), element = tileElementType(type);
  int64_t zero = -1, step = 1;
  MlirValue counter = mlirBlockGetArgument(body, 0);
  if (!tileConstantInt(lower, &zero) || zero != 0)
    counter = tileBuildBinary(&b, "arith.subi", counter, lower);
  MlirValue steps = resize(&b, counter, element), by = growth->value;
  tileConstantInt(tileOperand(loop, STEP), &step);
  if (mlirValueIsNull(by)) by = tileBuildInt(&b, element, growth->number / step);
  MlirValue far = tileBuildBinary(&b, "arith.muli", steps, by);
  MlirValue fars = tileBuildUnary(&b, "tile.splat", type, far);
  return tileBuildBinary(&b, "arith.addi", first, fars);
}

static bool isOffsets(MlirType type) {
  return tileTypeIsTile(type) && mlirTypeIsAInteger(tileElementType(type)) &&
         tileBitWidth(tileElementType(type)) >= 32;
}

/// Null where what the loop carries at `number` can be counted; or why not. `growth` is set.
static const char *whyNot(MlirOperation loop, intptr_t number, MlirValue by, Growth *growth) {
  int64_t step = 0;
  if (!findGrowth(loop, by, growth)) return "one number to be added in each step";
  bool known = tileConstantInt(tileOperand(loop, STEP), &step) && step > 0;
  if (!known || (mlirValueIsNull(growth->value) ? growth->number % step : step - 1) != 0)
    return "a multiple of the loop's step to be added";
  bool isUsed = !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(loop, number)));
  return isUsed ? "nothing that reads them behind the loop" : NULL;
}

static void runLoop(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  if (!mlirTypeIsAInteger(mlirValueGetType(tileOperand(loop, LOWER)))) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue carried = mlirBlockGetArgument(body, 1 + i);
    if (!isOffsets(mlirValueGetType(carried))) continue;
    MlirValue by = addedTo(tileOperand(yield, i), carried);
    if (mlirValueIsNull(by)) continue;
    Growth growth;
    const char *why = whyNot(loop, i, by, &growth);
    if (why) {
      tileEmitRemark(mlirOperationGetLocation(loop), "offsets are carried: expected %s", why);
      continue;
    }
    MlirValue counted = buildOffsets(loop, i, &growth);
    mlirValueReplaceAllUsesOfWith(carried, counted);
    mlirOperationSetOperand(yield, i, carried); // which vanishes when it is simplified
  }
}

MlirLogicalResult tileRunCountOffsets(MlirOperation func) {
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  for (size_t i = 0; i < loops.count; ++i) runLoop(loops.ops[i]);
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
