//===- Converted.c - operands that are computed on their way to a dot -----===//
#include "Converted.h"
#include "../Loops.h"
#include "Layouts.h"
#include "tile/Support/OpLength.h"
#include "tile/Support/PointerTable.h"

bool tileOpConverts(MlirOperation op) {
  return (tileOpIsElementwise(op) && !tileOpIsAAddPtr(op)) || tileOpIsAJoin(op) ||
         tileOpIsATrans(op) || tileOpIsAReshape(op);
}

bool tileOpRepeats(MlirOperation op) { return tileOpIsAExpandDims(op) || tileOpIsABroadcast(op); }

static bool isTileLoad(MlirOperation op) {
  if (!tileOpIsALoad(op) && !tileOpIsADescLoad(op)) return false;
  int64_t shape[TILE_MAX_RANK];
  return tileShape(mlirValueGetType(tileResult(op)), shape) == 2 && shape[0] > 1 && shape[1] > 1;
}

static void addOperands(TilePointerTable *values, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = tileOperand(op, i);
    *(MlirValue *)tilePointerTableAdd(values, value.ptr, sizeof value) = value;
  }
}

/// Is `value` computed by such ops from a tile that is loaded, as a box where `isBox`?
static bool isConvertedFrom(MlirValue value, bool isBox) {
  // What `value` is made of: by moves alone, and by arithmetic, too. A table is walked as it grows.
  TilePointerTable moved = {0}, computed = {0};
  bool found = false;
  *(MlirValue *)tilePointerTableAdd(&moved, value.ptr, sizeof value) = value;
  for (MlirValue *v = tilePointerTableFirst(moved); v; v = tilePointerTableNext(v)) {
    MlirOperation op = tileValueGetOp(*v);
    if (mlirOperationIsNull(op) || !tileOpConverts(op)) continue;
    addOperands(tileOpIsATrans(op) || tileOpIsAReshape(op) ? &moved : &computed, op);
  }
  for (MlirValue *v = tilePointerTableFirst(computed); v && !found; v = tilePointerTableNext(v)) {
    MlirOperation op = tileValueGetOp(*v);
    if (mlirOperationIsNull(op)) continue;
    found = isTileLoad(op) && (!isBox || tileOpIsADescLoad(op));
    if (!found && tileOpConverts(op)) addOperands(&computed, op);
  }
  tilePointerTableClear(&moved);
  tilePointerTableClear(&computed);
  return found;
}

bool tileIsConverted(MlirValue value) { return isConvertedFrom(value, false); }

bool tileIsConvertedBox(MlirValue value) { return isConvertedFrom(value, true); }

//===- what rings bring, computed with in the registers that A comes from -===//

enum { LEAST_COPIED = 4, LEAST_BITS = 16 }; // bytes that cp.async brings; of an element

/// Is `op` a load of the loop of dots around it that cp.async brings, so that threads read it out
/// of a ring however they like?
static bool isCopied(const TileLayoutRules *rules, MlirOperation op) {
  if (!tileOpIsALoad(op) || !isTileLoad(op) ||
      !tileIsLoopOfDots(mlirOperationGetParentOperation(op)))
    return false;
  MlirValue other = tileLoadGetOther(op);
  if (!mlirValueIsNull(other) && !tileIsZero(other)) return false;
  int bits = tileBitWidth(tileElementType(mlirValueGetType(tileResult(op)))), order[TILE_MAX_RANK];
  tileAxisAccessOrder(rules->axis, tileLoadGetPtr(op), order);
  return bits >= LEAST_BITS &&
         tileAxisAccessVector(rules->axis, op, order[0]) * bits / 8 >= LEAST_COPIED;
}

/// Do ops that compute element by element, reductions and the dot alone look at `value`, or at what
/// it is turned round to?
static bool isSeenInStep(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool turned = tileOpIsATrans(user) && isSeenInStep(tileResult(user));
    if (!turned && !tileOpIsElementwise(user) && !tileOpIsAReduce(user) && !tileOpIsADot(user))
      return false;
  }
  return true;
}

/// Adds what `op`, in `block`, computes element by element from; false where it is no such op. What
/// is repeated, or can be made anywhere, is had in any layout.
static bool addComputed(TilePointerTable *values, MlirOperation op, MlirBlock block) {
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), block) ||
      !tileOpIsElementwise(op) || tileOpIsAAddPtr(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = tileOperand(op, i);
    MlirOperation from = tileValueGetOp(value);
    bool isAnywhere = !mlirOperationIsNull(from) && (tileOpRepeats(from) || tileOpIsASplat(from) ||
                                                     tileOpIs(from, "arith.constant"));
    if (tileTypeIsTile(mlirValueGetType(value)) && !isAnywhere)
      *(MlirValue *)tilePointerTableAdd(values, value.ptr, sizeof value) = value;
  }
  return true;
}

/// Is `op` one that turns round what the step of `dot` computes?
static bool isTurnedIn(MlirOperation op, MlirOperation dot) {
  return !mlirOperationIsNull(op) && tileOpIsATrans(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(dot));
}

/// Is `op` a reduction, or does one look at what it computes element by element, as at a distance?
static bool isReduced(MlirOperation op) {
  if (tileOpIsAReduce(op)) return true;
  MlirOpOperand use = tileOpIsElementwise(op) && mlirOperationGetNumResults(op) == 1
                          ? mlirValueGetFirstUse(tileResult(op))
                          : (MlirOpOperand){NULL};
  return !mlirOpOperandIsNull(use) && tileOpIsAReduce(mlirOpOperandGetOwner(use));
}

/// Instructions of an element of `op`, and of what is reduced of it besides, about.
static int64_t lengthOfStep(MlirOperation op) {
  // A processor makes floats integers eight times as slowly as it adds them.
  enum { TO_INTEGER = 8 };
  int64_t length =
      tileOpIs(op, "arith.fptosi") || tileOpIs(op, "arith.fptoui") ? TO_INTEGER : tileOpLength(op);
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    length += isReduced(mlirOpOperandGetOwner(use));
  return length;
}

int64_t tileLengthOfComputed(const TileLayoutRules *rules, MlirValue value, MlirOperation dot) {
  TilePointerTable values = {0};
  int64_t length = 0;
  bool turned = isTurnedIn(tileValueGetOp(value), dot), found = false,
       holds = !turned || isSeenInStep(value);
  if (turned) value = tileOperand(tileValueGetOp(value), 0);
  *(MlirValue *)tilePointerTableAdd(&values, value.ptr, sizeof value) = value;
  for (MlirValue *v = tilePointerTableFirst(values); v && holds; v = tilePointerTableNext(v)) {
    MlirOperation op = tileValueGetOp(*v);
    bool copied = !mlirOperationIsNull(op) && isCopied(rules, op), turns = isTurnedIn(op, dot);
    found |= copied;
    if (turns) addOperands(&values, op);
    // What is turned round and no more the dot reads as it was copied.
    holds = isSeenInStep(*v) && !(turned && (copied || turns) && mlirValueEqual(*v, value)) &&
            (copied || turns || addComputed(&values, op, mlirOperationGetBlock(dot)));
    if (holds && !copied && !turns) length += lengthOfStep(op);
  }
  tilePointerTableClear(&values);
  return found && holds ? length : -1;
}

bool tileIsComputedOfCopies(const TileLayoutRules *rules, MlirValue value, MlirOperation dot) {
  return tileLengthOfComputed(rules, value, dot) >= 0;
}
