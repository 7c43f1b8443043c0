//===- Sums.c - what the copy engine may add to memory --------------------===//
#include "Sums.h"
#include "../Loops.h"
#include "Feeds.h"

bool tileAddsProduct(MlirOperation op) {
  if (!tileOpIsAAtomicRmw(op) || tileAtomicRmwGetKind(op) != TILE_RMW_KIND_FADD ||
      !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op))))
    return false;
  int64_t shape[TILE_MAX_RANK];
  MlirValue value = tileAtomicRmwGetValue(op);
  return tileShape(mlirValueGetType(value), shape) == 2 && tileIsInLoop(op) &&
         tileComesFromDot(value);
}

typedef struct {
  MlirValue array;
  bool meets;
} Others;

/// Touches `op` the array but to add to it, or may others be told by it how far the program is?
static MlirWalkResult findOther(MlirOperation op, void *data) {
  Others *o = data;
  bool adds = tileOpIsAAtomicRmw(op) && !tileAddsProduct(op);
  bool isTold = tileOpIsABarrier(op) || tileOpIsAAtomicCas(op);
  isTold |= adds && tileAtomicRmwGetOrder(op) != TILE_ORDER_RELAXED;
  bool touches = tileOpIsALoad(op) || tileOpIsAStore(op) || tileOpIsAMakeDesc(op) || adds;
  MlirValue array = touches ? tileArrayOf(tileOperand(op, 0)) : (MlirValue){NULL};
  bool isOther = !touches || (!mlirValueIsNull(array) && !mlirValueEqual(array, o->array));
  o->meets = isTold || !isOther || (tileOpIsAInlinePtx(op) && !tileInlinePtxGetPure(op));
  return o->meets ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileWhyNotAdded(MlirOperation func, MlirOperation op) {
  MlirType element = tileElementType(mlirValueGetType(tileAtomicRmwGetValue(op)));
  if (!mlirTypeIsAF32(element)) return "expected sums of f32, found others";
  if (tileAtomicRmwGetScope(op) == TILE_SCOPE_SYS)
    return "expected sums of this GPU, found some that others see";
  Others others = {.array = tileArrayOf(tileAtomicRmwGetPtr(op))};
  if (mlirValueIsNull(others.array)) return "expected an array that is an argument, found another";
  mlirOperationWalk(func, findOther, &others, MlirWalkPreOrder);
  return others.meets ? "expected no other access of the array, and nothing that tells others how "
                        "far the program is, found such"
                      : NULL;
}
