//===- CarryTruths.c - truths that loops carry, as numbers ----------------===//
//
// Before:  %any = scf.for .. iter_args(%a = %none) -> (tensor<2x1024xi1>) {
//            %is = arith.cmpf une, %x, %zero : tensor<2x1024xf32>
//            %or = arith.ori %a, %is : tensor<2x1024xi1>
//            scf.yield %or }
// After:   %sum = scf.for .. iter_args(%a = %zeros) -> (tensor<2x1024xi32>) {
//            %is = arith.cmpf une, %x, %zero : tensor<2x1024xf32>
//            %number = arith.extui %is : tensor<2x1024xi1> to tensor<2x1024xi32>
//            %or = arith.ori %a, %number : tensor<2x1024xi32>
//            scf.yield %or }
//          %any = arith.cmpi ne, %sum, %zeros
//
// A truth is a predicate, of which a thread has seven. Others ptxas keeps as bits of a register,
// where each is put and taken out again by two instructions or three in each step; what a loop
// carries is in use all along. As numbers of 32 bits they are registers, and what is made of them
// by and, or, and exclusive or is one instruction each.
//
// Requires: extents bound.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// Ops from what is yielded back to what is carried that are looked at, one behind the other.
enum { MOST_OPS = 8 };

static bool isTruths(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return tileTypeIsTile(type) && tileBitWidth(tileElementType(type)) == 1;
}

static MlirType asNumbers(MlirType truths) {
  return tileWithElement(truths, tileI32(mlirTypeGetContext(truths)));
}

/// `truth` as a number.
static MlirValue numberOf(TileBuilder *b, MlirValue truth) {
  return tileBuildUnary(b, "arith.extui", asNumbers(mlirValueGetType(truth)), truth);
}

/// Is `number` 1? It is 0 or 1.
static MlirValue truthOf(TileBuilder *b, MlirValue number) {
  MlirValue zero = tileBuildZero(b, mlirValueGetType(number));
  return tileBuildCmpi(b, TILE_NE, number, zero);
}

/// What a loop carries as a number, and that number asked for.
typedef struct {
  MlirValue number, truth;
} Carried;

/// `value` of a step, a truth, as a number made of numbers as far back as the one that is carried.
static MlirValue widen(const Carried *carried, MlirValue value, MlirOperation yield, int depth) {
  static const char *const joins[] = {"arith.andi", "arith.ori", "arith.xori"};
  if (mlirValueEqual(value, carried->truth)) return carried->number;
  MlirOperation op = tileValueGetOp(value);
  const char *name = NULL;
  for (int i = 0; i < 3 && !mlirOperationIsNull(op) && depth > 0; ++i)
    if (tileOpIs(op, joins[i])) name = joins[i];
  TileBuilder b = tileBuilderBefore(yield);
  if (!name || !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(yield)))
    return numberOf(&b, value);
  MlirValue lhs = widen(carried, tileOperand(op, 0), yield, depth - 1);
  MlirValue rhs = widen(carried, tileOperand(op, 1), yield, depth - 1);
  return tileBuildBinary(&b, name, lhs, rhs);
}

/// Makes the loop's `i`th carried value one of numbers.
static void carryAsNumber(MlirOperation loop, intptr_t i) {
  MlirBlock body = tileBody(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirValue argument = mlirBlockGetArgument(body, i + 1), result = mlirOperationGetResult(loop, i);
  MlirType numbers = asNumbers(mlirValueGetType(result));
  TileBuilder before = tileBuilderBefore(loop), after = tileBuilderAfter(loop);
  mlirOperationSetOperand(loop, TILE_FOR_INITS + i, numberOf(&before, tileForGetInit(loop, i)));

  Carried carried = {.number = argument};
  TileBuilder inside = tileBuilderAtStart(body);
  mlirValueSetType(argument, numbers);
  carried.truth = truthOf(&inside, argument);
  MlirOperation asked = tileValueGetOp(carried.truth);
  mlirValueReplaceAllUsesExcept(argument, carried.truth, 1, &asked);
  MlirValue yielded = widen(&carried, tileOperand(yield, i), yield, MOST_OPS);
  mlirOperationSetOperand(yield, i, yielded);

  mlirValueSetType(result, numbers);
  MlirValue truth = truthOf(&after, result);
  asked = tileValueGetOp(truth);
  mlirValueReplaceAllUsesExcept(result, truth, 1, &asked);
}

/// Truths that a thread has of what the loop carries.
static int64_t truthsOf(MlirOperation loop, int64_t threads) {
  int64_t truths = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue result = mlirOperationGetResult(loop, i);
    if (isTruths(result)) truths += tileNumElements(mlirValueGetType(result)) / threads;
  }
  return truths;
}

MlirLogicalResult tileRunCarryTruths(MlirOperation func, const TileCarryTruthsOptions *options) {
  TileOpList loops = {0};
  tileFindLoops(func, &loops);
  int64_t warps = options->numWarps ? options->numWarps : tileNumWarpsOf(func);
  for (size_t n = 0; n < loops.count; ++n) {
    MlirOperation loop = loops.ops[n];
    int64_t most = tileMachineNumber(tileMachineOf(loop), TILE_NUMBER_CARRIED_TRUTHS);
    int64_t truths = truthsOf(loop, 32 * warps);
    if (truths <= most) {
      if (truths)
        tileEmitRemark(mlirOperationGetLocation(loop),
                       "truths stay truths: expected more than %lld that a thread has of what the "
                       "loop carries, found %lld",
                       (long long)most, (long long)truths);
      continue;
    }
    tileTrace(mlirOperationGetLocation(loop), "truths that a loop carries become numbers");
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
      if (isTruths(mlirOperationGetResult(loop, i))) carryAsNumber(loop, i);
  }
  tileOpListDestroy(&loops);
  return mlirLogicalResultSuccess();
}
