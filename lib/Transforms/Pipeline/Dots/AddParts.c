//===- AddParts.c - products that are added to a sum, part by part --------===//
//
// Before:  %d = tile.dot %a, %b, %zero by wgmma                       : tensor<128x256xf32>
//          ..
//          %s = arith.addf %sum, %d
// After:   %s = tile.dot %a, %b, %sum by wgmma {tile.part = 64}
//          ..
//
// Tensor cores add products of 8-bit floats with few bits, so kernels begin each step at zero and
// add what comes of it by themselves. A thread then holds both sums: of 128 x 256 by two warp
// groups 128 registers each, which are all there are, and a part of them is written to memory and
// read again in every step. With `tile.part` a dot multiplies so many registers of a thread at a
// time, 64 rows by 128 columns, from zero on, and adds them to the sum before it goes on. While one
// warp group adds, another multiplies.
//
// Where each step's product is scaled on its way to the sum, the dot keeps its zero, and the ops up
// to the sum stand right behind it, so that they are lowered a part at a time with it (Strips.c):
//
// Before:  %d = tile.dot %a, %b, %zero by wgmma               After:  %y = tile.broadcast %scale
//          %y = tile.broadcast %scale                                 %d = tile.dot %a, %b, %zero
//          %x = arith.mulf %d, %y                                            {tile.part = 64}
//          %s = arith.addf %sum, %x                                   %x = arith.mulf %d, %y
//                                                                     %s = arith.addf %sum, %x
//
// A row of scales, one for each column, is half as many registers as the sum: a part is half as
// large beside it.
//
// Declines, with a remark: dots that are not waited for where they stand, sums that are made
// behind them, scales that something else stands in front of, and parts that would not be whole.
//
// Requires: layouts assigned, dots waited for as they will be.  Preserves: numerics, order of
// effects.
//===----------------------------------------------------------------------===//
#include "../../Loops.h"
#include "tile/IR.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Trace.h"

/// A dot, where its sum is waited for if that is apart, and the op that adds it to another one.
typedef struct {
  MlirOperation dot, wait, add;
} Sum;

/// The op that alone reads `value`, if it is called `name`; else null.
static MlirOperation onlyReader(MlirValue value, const char *name) {
  MlirOpOperand use = tileOnlyUse(value);
  MlirOperation none = {NULL};
  if (mlirOpOperandIsNull(use)) return none;
  MlirOperation reader = mlirOpOperandGetOwner(use);
  return tileOpIs(reader, name) ? reader : none;
}

static MlirOperation endOf(const Sum *sum) {
  return mlirOperationIsNull(sum->wait) ? sum->dot : sum->wait;
}

/// What the dot is added to.
static MlirValue otherOf(const Sum *sum) {
  MlirValue own = tileResult(endOf(sum));
  return tileOperand(sum->add, mlirValueEqual(tileOperand(sum->add, 0), own));
}

/// Does `dot` begin at zero, and is what it computes only added to something else, where it stands?
/// What is added to zero, as a loop of one step leaves it, is no second sum; and of parts in the
/// same registers that are each added to zero ptxas 12.8 and 13.0 compute the last one alone.
static bool findSum(MlirOperation dot, Sum *sum) {
  if (!tileOpIsWgmma(dot) || !tileIsZero(tileDotGetAcc(dot))) return false;
  MlirValue value = tileResult(dot);
  *sum = (Sum){.dot = dot};
  if (tileDotGetAsync(dot)) {
    sum->wait = onlyReader(value, "tile_gpu.dot_wait");
    if (mlirOperationIsNull(sum->wait)) return false;
    value = tileResult(sum->wait);
  }
  sum->add = onlyReader(value, "arith.addf");
  return !mlirOperationIsNull(sum->add) &&
         mlirBlockEqual(mlirOperationGetBlock(sum->add), mlirOperationGetBlock(dot)) &&
         !tileIsZero(otherOf(sum));
}

/// Why `sum` stays as it is; null where it is made part by part.
static const char *whyWhole(const Sum *sum) {
  if (!mlirValueIsNull(tileDotGetWhen(sum->dot)))
    return "expected a dot of all warp groups, found one of some";
  if (!mlirOperationIsNull(sum->wait) && tileDotWaitGetPending(sum->wait))
    return "expected a dot that is waited for before others start, found one of several";
  return NULL;
}

/// The same where the dot adds to the sum itself.
static const char *whyNotAdded(const Sum *sum) {
  if (!tileIsThereAt(otherOf(sum), endOf(sum)))
    return "expected a sum that is there where the dot ends, found one made behind it";
  return NULL;
}

/// Whatever runs beside a dot that is under way may run before it starts.
static void addParts(const Sum *sum, int64_t part) {
  MlirOperation dot = sum->dot;
  MlirContext c = mlirOperationGetContext(dot);
  mlirOperationSetOperand(dot, 2, otherOf(sum));
  mlirOperationSetAttributeByName(dot, tileString("tile.part"),
                                  mlirIntegerAttrGet(tileI32(c), part));
  mlirValueReplaceAllUsesOfWith(tileResult(sum->add), tileResult(dot));
  mlirOperationDestroy(sum->add);
  if (mlirOperationIsNull(sum->wait)) return;
  mlirOperationMoveBefore(dot, sum->wait);
  mlirOperationRemoveAttributeByName(dot, tileString("async"));
  mlirOperationDestroy(sum->wait);
}

//===- products that are scaled first -------------------------------------===//

/// Ops from what a dot computes up to the sum that its loop carries, in their order.
enum { MOST_OPS = 16, MOST_BESIDE = 64 };
typedef struct {
  Sum sum; ///< without `add`
  MlirOperation ops[MOST_OPS];
  int count;
  MlirOperation beside[MOST_BESIDE]; ///< what they read, and stands behind the dot
  int numBeside;
  int64_t rows; ///< registers of what is repeated along an axis for them
} Chain;

static bool isIn(const MlirOperation *ops, int count, MlirOperation op) {
  for (int i = 0; i < count; ++i)
    if (mlirOperationEqual(ops[i], op)) return true;
  return false;
}

/// Does `op` add what the chain computes to a value that the loop around it carries?
static bool addsToCarried(const Chain *chain, MlirOperation op) {
  bool isSum = tileOpIs(op, "arith.addf") || tileOpIs(op, "math.fma");
  MlirBlock block = mlirOperationGetBlock(chain->sum.dot);
  for (intptr_t i = 0; isSum && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = tileOperand(op, i);
    bool carried = mlirValueIsABlockArgument(value) &&
                   mlirBlockEqual(mlirBlockArgumentGetOwner(value), block) &&
                   mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(tileResult(op)));
    if (carried && (i == 2 || tileOpIs(op, "arith.addf"))) return true;
  }
  return false;
}

/// An op of one result, as large as the dot's, of its elements: it may stand in the chain.
static bool isElement(MlirOperation op, MlirOperation dot) {
  bool computes = tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math");
  return computes && mlirOperationGetNumResults(op) == 1 && !mlirOperationGetNumRegions(op) &&
         mlirTypeEqual(mlirValueGetType(tileResult(op)), mlirValueGetType(tileResult(dot)));
}

/// Finds the ops from the dot's result to the sum: each read by the next ones alone.
static bool findChain(MlirOperation dot, Chain *chain) {
  *chain = (Chain){.sum = {.dot = dot}};
  if (!tileOpIsWgmma(dot) || !tileIsZero(tileDotGetAcc(dot))) return false;
  MlirValue value = tileResult(dot);
  if (tileDotGetAsync(dot)) {
    chain->sum.wait = onlyReader(value, "tile_gpu.dot_wait");
    if (mlirOperationIsNull(chain->sum.wait)) return false;
    value = tileResult(chain->sum.wait);
  }
  for (;;) {
    MlirOpOperand use = tileOnlyUse(value);
    if (mlirOpOperandIsNull(use) || chain->count == MOST_OPS) return false;
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!isElement(op, dot) ||
        !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot)))
      return false;
    chain->ops[chain->count++] = op;
    if (addsToCarried(chain, op)) return chain->count > 1 || tileOpIs(op, "math.fma");
    value = tileResult(op);
  }
}

/// Adds what `value` is made of behind the dot's end to `chain`; false where something of it cannot
/// stand in front of that.
static bool findBeside(Chain *chain, MlirValue value) {
  MlirOperation end = endOf(&chain->sum);
  if (tileIsThereAt(value, end)) return true;
  MlirOperation op = tileValueGetOp(value);
  if (isIn(chain->ops, chain->count, op) || isIn(chain->beside, chain->numBeside, op)) return true;
  bool moves = tileOpIsMovable(op) && chain->numBeside < MOST_BESIDE &&
               mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(end));
  for (intptr_t i = 0; moves && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue from = tileOperand(op, i);
    MlirOperation maker = tileValueGetOp(from);
    moves = mlirOperationIsNull(maker) || !isIn(chain->ops, chain->count, maker);
    moves = moves && findBeside(chain, from);
  }
  if (moves) chain->beside[chain->numBeside++] = op;
  return moves;
}

/// Registers of what `value` is a repetition of; 0 where it is none.
static int64_t rowsOf(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || !tileOpIsABroadcast(op)) return 0;
  return tileTypeGetWords(mlirValueGetType(tileOperand(op, 0)));
}

/// Is `value` made, element by element, for an op of the chain alone? As a tile it would be as
/// large as the sum.
static bool isMadeForChain(const Chain *chain, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && chain->count < MOST_OPS && isElement(op, chain->sum.dot) &&
         tileOpIsMovable(op) && !tileOpIsSource(op) && !mlirOpOperandIsNull(tileOnlyUse(value)) &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(chain->sum.dot));
}

/// Why the chain is not gone through part by part; null where it is. What is made for it alone
/// becomes a part of it.
static const char *whyNotScaled(Chain *chain) {
  MlirValue own = tileResult(endOf(&chain->sum));
  for (int k = 0; k < chain->count; ++k)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(chain->ops[k]); ++i) {
      MlirValue value = tileOperand(chain->ops[k], i);
      MlirOperation op = tileValueGetOp(value);
      if (mlirValueEqual(value, own) || isIn(chain->ops, chain->count, op)) continue;
      if (isMadeForChain(chain, value)) {
        chain->ops[chain->count++] = op;
        continue;
      }
      chain->rows += rowsOf(value);
      if (!findBeside(chain, value))
        return "expected scales that can be there where the dot ends, found others";
    }
  return NULL;
}

/// In the order of their block.
static void sortChain(Chain *chain) {
  for (int k = 1; k < chain->count; ++k) {
    MlirOperation op = chain->ops[k];
    int at = k;
    for (; at && mlirOperationIsBeforeInBlock(op, chain->ops[at - 1]); --at)
      chain->ops[at] = chain->ops[at - 1];
    chain->ops[at] = op;
  }
}

/// Registers of a part: as many as `part`, or half beside a row of scales.
static int64_t partOf(const Chain *chain, int64_t part) {
  return 2 * chain->rows > part ? part / 2 : part;
}

/// The dot, in front of what reads it, and that in one piece.
static void scaleParts(const Chain *chain, int64_t part) {
  MlirOperation dot = chain->sum.dot, wait = chain->sum.wait;
  MlirContext c = mlirOperationGetContext(dot);
  MlirOperation end = endOf(&chain->sum);
  for (int i = 0; i < chain->numBeside; ++i) mlirOperationMoveBefore(chain->beside[i], end);
  mlirOperationSetAttributeByName(dot, tileString("tile.part"),
                                  mlirIntegerAttrGet(tileI32(c), part));
  if (!mlirOperationIsNull(wait)) {
    mlirValueReplaceAllUsesOfWith(tileResult(wait), tileResult(dot));
    mlirOperationMoveBefore(dot, wait);
    mlirOperationRemoveAttributeByName(dot, tileString("async"));
    mlirOperationDestroy(wait);
  }
  for (int k = chain->count; k--;) mlirOperationMoveAfter(chain->ops[k], dot);
}

static void tryScaled(MlirOperation dot, int64_t part) {
  MlirLocation loc = mlirOperationGetLocation(dot);
  Chain chain;
  if (!findChain(dot, &chain)) return;
  int64_t extents[TILE_MAX_RANK], words = tileTypeGetWords(mlirValueGetType(tileResult(dot)));
  const char *reason = whyWhole(&chain.sum);
  if (!reason && tileOpGetExtents(dot, 2, extents))
    reason = "expected sums without padding, found some with";
  if (!reason) reason = whyNotScaled(&chain);
  if (reason) {
    tileEmitRemark(loc, "dot holds two sums: %s", reason);
    return;
  }
  part = partOf(&chain, part);
  if (words % part) return;
  sortChain(&chain);
  scaleParts(&chain, part);
  tileTrace(loc, "dot is scaled and added to its sum part by part");
}

static void tryParts(MlirOperation dot, int64_t part) {
  MlirLocation loc = mlirOperationGetLocation(dot);
  if (tileTypeGetWords(mlirValueGetType(tileResult(dot))) <= part) return;
  Sum sum;
  if (!findSum(dot, &sum)) {
    tryScaled(dot, part);
    return;
  }
  const char *reason = whyWhole(&sum);
  if (!reason) reason = whyNotAdded(&sum);
  if (reason) {
    tileEmitRemark(loc, "dot holds two sums: %s", reason);
    return;
  }
  addParts(&sum, part);
  tileTrace(loc, "dot is added to its sum part by part");
}

MlirLogicalResult tileRunAddParts(MlirOperation func) {
  int64_t part = tileMachineNumber(tileMachineOf(func), TILE_NUMBER_ADD_PART);
  TileOpList dots = {0};
  tileFindDots(func, &dots);
  for (size_t i = 0; i < dots.count; ++i) tryParts(dots.ops[i], part);
  tileOpListDestroy(&dots);
  return mlirLogicalResultSuccess();
}
