//===- Sums.c - what the copy engine may add to memory --------------------===//
#include "Sums.h"
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

/// The kernel's argument that pointers are made of; null where that is not known.
static MlirValue arrayOf(MlirValue pointers) {
  for (;;) {
    MlirOperation op = tileValueGetOp(pointers);
    if (mlirOperationIsNull(op)) {
      MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(pointers));
      intptr_t i = mlirBlockArgumentGetArgNumber(pointers);
      if (tileOpIsAFunc(owner)) return pointers;
      if (!tileOpIs(owner, "scf.for") || i == 0) return (MlirValue){NULL};
      pointers = tileOperand(owner, 2 + i);
    } else if (tileOpIsAAddPtr(op) || tileOpIsASplat(op) || tileOpIsABroadcast(op) ||
               tileOpMovesElements(op)) {
      pointers = tileOperand(op, 0);
    } else {
      return (MlirValue){NULL};
    }
  }
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
  MlirValue array = touches ? arrayOf(tileOperand(op, 0)) : (MlirValue){NULL};
  bool isOther = !touches || (!mlirValueIsNull(array) && !mlirValueEqual(array, o->array));
  o->meets = isTold || !isOther || (tileOpIsAInlinePtx(op) && !tileInlinePtxGetPure(op));
  return o->meets ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileWhyNotAdded(MlirOperation func, MlirOperation op) {
  MlirType element = tileElementType(mlirValueGetType(tileAtomicRmwGetValue(op)));
  if (!mlirTypeIsAF32(element)) return "expected sums of f32, found others";
  if (tileAtomicRmwGetScope(op) == TILE_SCOPE_SYS)
    return "expected sums of this GPU, found some that others see";
  Others others = {.array = arrayOf(tileAtomicRmwGetPtr(op))};
  if (mlirValueIsNull(others.array)) return "expected an array that is an argument, found another";
  mlirOperationWalk(func, findOther, &others, MlirWalkPreOrder);
  return others.meets ? "expected no other access of the array, and nothing that tells others how "
                        "far the program is, found such"
                      : NULL;
}
