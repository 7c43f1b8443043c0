//===- UnderDots.c - what a dot's sum does not need runs under it ---------===//
#include "UnderDots.h"
#include "../../Loops.h"
#include "../../Roles/Kernel.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Analysis/Scratch.h"
#include "tile/MachineNumbers.h"
#include "tile/OpTraits.h"
#include "tile/Trace.h"

/// Is every reader of `op` behind `dot`, or one that moves there?
static bool isForBehind(const TileOpList *moved, MlirOperation op, MlirOperation dot) {
  MlirBlock block = mlirOperationGetBlock(dot);
  bool isRead = false;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = tileAncestorIn(block, mlirOpOperandGetOwner(use));
      bool isBehind = !mlirOperationIsNull(user) && mlirOperationIsBeforeInBlock(dot, user);
      if (!isBehind && (mlirOperationIsNull(user) || !tileOpListHolds(moved, user))) return false;
      isRead = true;
    }
  }
  return isRead;
}

/// Computes a tile from tiles, by threads or lanes, without a barrier of all.
static bool computes(MlirOperation op) {
  return tileOpIsMovable(op) && mlirOperationGetNumResults(op) == 1 &&
         (mlirOperationGetNumRegions(op) == 0 || tileOpIsAReduce(op)) &&
         mlirOperationGetNumOperands(op) > 0 && tileTypeIsTile(mlirValueGetType(tileResult(op))) &&
         tileOpScratchBytes(op) == 0;
}

/// Leaves shared memory as it is: what is read in front of such ops can be read behind them.
static bool leavesBuffers(MlirOperation op) {
  return tileOpIsMovable(op) || tileOpIsABufferLoad(op) || tileOpIsABufferStage(op) ||
         tileOpIsABarrierWait(op);
}

/// What stands in front of the dot, for readers behind it: from the dot up. With `loads` also what
/// is read of shared memory that nothing up to the dot changes.
static void findMoved(TileOpList *moved, MlirOperation dot, bool loads) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(dot));
  TileOpList before = {0};
  for (; !mlirOperationEqual(op, dot); op = mlirOperationGetNextInBlock(op))
    tileOpListAdd(&before, op);
  while (before.count-- > 0) {
    op = before.ops[before.count];
    loads &= leavesBuffers(op);
    bool moves = computes(op) || (loads && tileOpIsABufferLoad(op));
    if (moves && isForBehind(moved, op, dot)) tileOpListAdd(moved, op);
  }
  tileOpListDestroy(&before);
}

static bool reads(MlirOperation op, MlirValue value) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (mlirOperationEqual(tileAncestorIn(block, mlirOpOperandGetOwner(use)), op)) return true;
  return false;
}

/// The first op behind `dot` that may not run under it: each block ends with one.
static MlirOperation firstBehind(MlirOperation dot) {
  MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(dot));
  MlirOperation op = mlirOperationGetNextInBlock(dot);
  while (
      !mlirOperationEqual(op, end) && !reads(op, tileResult(dot)) &&
      (computes(op) || tileOpIsScalarArithmetic(op) || tileOpIsALoad(op) || tileOpIsBufferView(op)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/// Words of a thread that the result of `op` takes. Views take those of what they show.
static int64_t wordsOf(MlirOperation op) {
  return computes(op) && !tileOpIsView(op) ? tileTypeGetWords(mlirValueGetType(tileResult(op))) : 0;
}

/// Words that it takes beyond those of what it reads: as a row of which each thread gets all the
/// columns that it has, where it had one of them.
static int64_t wordsMore(MlirOperation op) {
  int64_t words = wordsOf(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    words -= tileTypeGetWords(mlirValueGetType(tileOperand(op, i)));
  return words;
}

/// Words of a thread that are there when `wait` ends: what the loop carries, the sum, and what was
/// computed under the dot.
static int64_t wordsAtEnd(MlirOperation dot, MlirOperation wait) {
  MlirOperation loop = mlirOperationGetParentOperation(dot);
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(dot))) + tileCarriedWords(loop);
  for (MlirOperation op = mlirOperationGetNextInBlock(dot); !mlirOperationEqual(op, wait);
       op = mlirOperationGetNextInBlock(op))
    words += wordsOf(op);
  return words;
}

/// Where registers do not hold all that is there when `wait` ends, what takes more than it reads
/// is computed behind it, the last first: a few registers at a time are then enough, and none
/// spills in each step.
static void leaveBehind(MlirOperation dot, MlirOperation wait) {
  MlirOperation func = tileFuncOf(dot);
  int64_t words = wordsAtEnd(dot, wait) + tileKernelGetNumber(func, TILE_NUMBER_ROLE_REGISTERS);
  int64_t most = tileKernelGetConsumerRegisters(func);
  TileOpList under = {0}, none = {0};
  for (MlirOperation op = mlirOperationGetNextInBlock(dot); !mlirOperationEqual(op, wait);
       op = mlirOperationGetNextInBlock(op))
    tileOpListAdd(&under, op);
  while (words > most && under.count > 0) {
    MlirOperation op = under.ops[--under.count];
    bool grows = computes(op) && (tileOpIsView(op) || wordsMore(op) > 0);
    if (!grows || !isForBehind(&none, op, wait)) continue;
    tileTrace(mlirOperationGetLocation(op), "is left behind the dot: %d registers wanted of %d",
              (int)words, (int)most);
    words -= tileOpIsView(op) ? 0 : wordsMore(op);
    mlirOperationMoveAfter(op, wait);
  }
  tileOpListDestroy(&under);
}

/// Moves what findMoved has found behind the dot; false where that is nothing.
static bool moveBehind(MlirOperation dot, bool loads) {
  TileOpList moved = {0};
  findMoved(&moved, dot, loads);
  bool any = moved.count > 0;
  for (MlirOperation place = dot; moved.count > 0; place = moved.ops[moved.count])
    mlirOperationMoveAfter(moved.ops[--moved.count], place);
  tileOpListDestroy(&moved);
  return any;
}

void tileStartInFront(MlirOperation dot) {
  MlirBlock block = mlirOperationGetBlock(dot);
  MlirOpOperand use = tileOnlyUse(tileResult(dot));
  if (!tileOpIs(mlirOperationGetParentOperation(dot), "scf.for") || mlirOpOperandIsNull(use) ||
      !tileOpIsADotWait(mlirOpOperandGetOwner(use)) ||
      !mlirBlockEqual(mlirOperationGetBlock(mlirOpOperandGetOwner(use)), block))
    return;
  TILE_FOR_EACH_OP(op, block)
  if (tileOpIsADot(op) && !mlirOperationEqual(op, dot)) return;
  if (moveBehind(dot, true))
    tileTrace(mlirOperationGetLocation(dot), "starts in front of what is computed beside it");
}

void tileComputeUnder(MlirOperation dot) {
  MlirOperation loop = mlirOperationGetParentOperation(dot);
  if (!tileOpIs(loop, "scf.for") || !tileIsZero(tileDotGetAcc(dot))) return;
  MlirOperation end = firstBehind(dot);
  bool any = moveBehind(dot, false);
  for (MlirOperation op = mlirOperationGetNextInBlock(dot); !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    any |= computes(op);
  if (!any) return;
  tileTrace(mlirOperationGetLocation(dot), "what the sum does not need is computed under the dot");
  mlirOperationSetAttributeByName(dot, tileString("async"),
                                  mlirUnitAttrGet(mlirOperationGetContext(dot)));
  TileBuilder b = tileBuilderBefore(end);
  MlirOperation wait = tileValueGetOp(tileBuildDotWait(&b, tileResult(dot), 0, true));
  mlirValueReplaceAllUsesExcept(tileResult(dot), tileResult(wait), 1, &wait);
  leaveBehind(dot, wait);
}

//===- A that is made under a dot -----------------------------------------===//

bool tileOpNarrows(MlirOperation op) {
  if (mlirOperationIsNull(op)) return false;
  return tileOpIsATrans(op) || tileOpIsAReshape(op) || tileOpIsAConvertLayout(op) ||
         tileOpIs(op, "arith.truncf") || tileOpIs(op, "arith.maximumf") ||
         tileOpIs(op, "arith.minimumf");
}

/// Is A a box as it is read, or is it computed of one?
static bool isRead(MlirOperation dot) {
  MlirOperation op = tileValueGetSource(tileDotGetA(dot));
  return !mlirOperationIsNull(op) && tileOpIsABufferLoad(op);
}

int64_t tileWordsOfTwo(MlirOperation dot) {
  int64_t words = tileTypeGetWords(mlirValueGetType(tileResult(dot)));
  words += (isRead(dot) ? 2 : 3) * tileTypeGetWords(mlirValueGetType(tileDotGetA(dot)));
  return words + tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_MADE_REGISTERS);
}

int64_t tileWordsBeside(MlirValue value, MlirOperation dot, int most) {
  int64_t shape[TILE_MAX_RANK], told[TILE_MAX_RANK];
  int64_t words = tileTypeGetWords(mlirValueGetType(value));
  MlirOperation op = tileValueGetOp(value);
  if (words <= 2 * most && tileShape(mlirValueGetType(value), shape) == 2) {
    bool isTold = !mlirOperationIsNull(op) && tileOpIsADot(op) && tileOpGetExtents(op, 2, told);
    int64_t held = isTold ? told[1] : shape[1];
    if (mlirValueEqual(tileDotGetA(dot), value)) held = tileIntAttr(dot, "tile.depth", held);
    words = words * held / shape[1];
  }
  return words > most ? most + 1 : words;
}

/// Words that a thread loads and computes in `op`.
static int64_t wordsMade(MlirOperation op) {
  bool isConstant = tileOpIs(op, "arith.constant") || mlirOperationGetNumResults(op) != 1;
  bool isMade =
      tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math") || tileOpIsABufferLoad(op);
  if (!isMade || isConstant) return 0;
  MlirType type = mlirValueGetType(tileResult(op));
  return tileTypeIsTile(type) ? tileTypeGetWords(type) : 0;
}

/// Cycles of a dot of one of the kernel's warp groups; 0: not known.
static double cyclesOf(MlirOperation func, MlirOperation dot) {
  return tileDotGetCycles(dot) / ((double)tileNumWarpsOf(func) / 4);
}

const char *tileWhyNotMadeUnder(MlirOperation func, MlirOperation dot) {
  if (tileWordsOfTwo(dot) > tileMachineOf(dot)->threadRegisters)
    return "expected two dots on their way to fit the registers of a thread, found more";
  int64_t words = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(dot));
       !mlirOperationEqual(op, dot); op = mlirOperationGetNextInBlock(op))
    words += wordsMade(op);
  double cycles = cyclesOf(func, dot);
  int most = tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_MADE_WORDS);
  return cycles > 0 && 100. * (double)words > most * cycles
             ? "expected an operand that takes a fraction of its dot's time, found one that takes "
               "more"
             : NULL;
}
