//===- Rounds.c - which ops the choice of layouts looks at again ----------===//
//
// An op is looked at again when a layout that it was chosen by is new; all others would come to the
// same. So a kernel whose values are settled one by one takes time by its ops, and not by their
// square. What is looked at, and in which order, is as if each round went over all ops.
//
//===----------------------------------------------------------------------===//
#include "Assigner.h"

void tileAssignerBeginRounds(TileAssigner *a) {
  for (size_t i = 0; i < a->numOps; ++i) {
    size_t *place = tilePointerTableAdd(&a->places, a->ops[i].ptr, sizeof *place);
    *place = i;
  }
  for (int r = 0; r < TILE_NUM_ROUNDS; ++r) a->waiting[r] = tileWorklistCreate(a->numOps);
}

void tileAssignerEndRounds(TileAssigner *a) {
  for (int r = 0; r < TILE_NUM_ROUNDS; ++r) tileWorklistDestroy(&a->waiting[r]);
  tilePointerTableClear(&a->places);
}

/// The ops from `first` to `last`, and what is in their regions but for those of the last.
static void wake(TileAssigner *a, MlirOperation first, MlirOperation last) {
  const size_t *from = tilePointerTableFind(a->places, first.ptr);
  const size_t *to = tilePointerTableFind(a->places, last.ptr);
  for (int r = 0; from && to && r < TILE_NUM_ROUNDS; ++r)
    tileWorklistAdd(&a->waiting[r], *from, *to);
}

/// A loop or branch, and what ends its regions: they carry the same values.
static void wakeCarrier(TileAssigner *a, MlirOperation op) {
  wake(a, op, op);
  if (!tileOpIsOfDialect(op, "scf")) return;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock body = tileBody(op, r);
    if (mlirBlockIsNull(body)) continue;
    MlirOperation end = mlirBlockGetTerminator(body);
    wake(a, end, end);
  }
}

/// What looks at the operands of `user`: it, and where it ends a region what that belongs to. In a
/// loop also what computes with it a few ops on, where `far`.
static void wakeUser(TileAssigner *a, MlirOperation user, bool far) {
  MlirBlock block = mlirOperationGetBlock(user);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  wake(a, user, user);
  bool ends = mlirOperationEqual(mlirBlockGetTerminator(block), user);
  if (tileOpIsOfDialect(parent, "scf") && ends) wakeCarrier(a, parent);
  if (far && tileOpIs(parent, "scf.for")) wake(a, parent, mlirBlockGetTerminator(block));
}

void tileAssignerWakeReaders(TileAssigner *a, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  bool isArgument = mlirOperationIsNull(op), isDot = !isArgument && tileOpIsADot(op);
  MlirBlock home = tileValueGetBlock(value);
  wakeCarrier(a, isArgument ? mlirBlockGetParentOperation(home) : op);
  // A load that a sum begins with comes as the sum lies.
  MlirOperation start = isDot ? tileValueGetOp(tileOperand(op, 2)) : (MlirOperation){NULL};
  if (!mlirOperationIsNull(start)) wake(a, start, start);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    wakeUser(a, user, isDot || !mlirBlockEqual(mlirOperationGetBlock(user), home));
  }
}
