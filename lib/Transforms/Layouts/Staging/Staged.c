//===- Staged.c - operands that threads store to shared memory ------------===//
#include "Staged.h"
#include "tile/Analysis/Scratch.h"

static bool onlyReads(MlirOperation user) {
  if (tileOpIsADot(user) || tileOpIsABufferLoad(user)) return true;
  if (!tileOpIsABufferTrans(user)) return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(user));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    if (!tileOpIsADot(reader) && !tileOpIsABufferLoad(reader)) return false;
  }
  return true;
}

bool tileFillsAlone(MlirOperation store) {
  MlirOperation alloc = tileBufferGetAlloc(tileBufferStoreGetBuffer(store));
  if (mlirOperationIsNull(alloc) || tileAllocSharedGetGuarded(alloc) ||
      !mlirBlockEqual(mlirOperationGetBlock(alloc), mlirOperationGetBlock(store)) ||
      tileBufferTypeGetStages(mlirValueGetType(tileResult(alloc))) > 1)
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(alloc));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(user, store) && !onlyReads(user)) return false;
  }
  return true;
}

/// Is one of two tiles the other one transposed?
static bool isTranspose(MlirValue a, MlirValue b) {
  MlirOperation x = tileValueGetOp(a), y = tileValueGetOp(b);
  return (!mlirOperationIsNull(x) && tileOpIsATrans(x) && mlirValueEqual(tileOperand(x, 0), b)) ||
         (!mlirOperationIsNull(y) && tileOpIsATrans(y) && mlirValueEqual(tileOperand(y, 0), a));
}

bool tileIsStagedBy(MlirOperation store, MlirOperation other) {
  MlirValue value = tileBufferStoreGetValue(store), from = tileBufferStoreGetValue(other);
  MlirType type = mlirValueGetType(tileBufferStoreGetBuffer(store)),
           has = mlirValueGetType(tileBufferStoreGetBuffer(other));
  if (mlirValueEqual(value, from)) return mlirTypeEqual(type, has);
  MlirType turned = tileBufferTurned(has);
  return !mlirTypeIsNull(turned) && mlirTypeEqual(turned, type) && isTranspose(value, from);
}

MlirOperation tileFindStaged(MlirOperation store) {
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(store)) {
    if (mlirOperationEqual(op, store)) break;
    if (tileOpIsABufferStore(op) && tileIsStagedBy(store, op) && tileFillsAlone(op)) return op;
  }
  return (MlirOperation){NULL};
}

void tileReadStaged(MlirOperation store, MlirOperation other) {
  MlirValue buffer = tileBufferStoreGetBuffer(store), staged = tileBufferStoreGetBuffer(other);
  MlirOperation alloc = tileValueGetOp(buffer);
  MlirType type = mlirValueGetType(buffer);
  if (!mlirTypeEqual(mlirValueGetType(staged), type)) {
    TileBuilder b = tileBuilderBefore(store);
    const int32_t order[] = {1, 0};
    MlirAttribute attr = mlirDenseI32ArrayGet(b.context, 2, order);
    staged = tileResult(tileBuildOp(&b, "tile_gpu.buffer_trans", TILE_VALUES(staged), 1, &type,
                                    TILE_ATTRS({"order", attr}), 0));
  }
  mlirValueReplaceAllUsesOfWith(buffer, staged);
  mlirOperationDestroy(store);
  mlirOperationDestroy(alloc);
}

/// Does `conversion` go through shared memory, and read a buffer of `type` as well?
static bool readsAsWell(MlirOperation conversion, MlirType type) {
  enum { LEAST_BYTES = 8 };
  MlirType from = mlirValueGetType(tileConvertLayoutGetSource(conversion));
  TileLayout src, dst, shared = tileBufferLayout(type);
  if (!tileTypeGetLayout(from, &src) || !tileLayoutIsValid(shared) ||
      !tileTypeGetLayout(mlirValueGetType(tileResult(conversion)), &dst))
    return false;
  int bytes = tileElementBytes(tileElementType(from));
  return tileLayoutPlanConversion(src, dst, bytes).kind == TILE_CONVERSION_SHARED &&
         tileLayoutSharedVector(dst, shared, bytes) * bytes >= LEAST_BYTES;
}

MlirOperation tileFindStoreToRead(MlirOperation conversion) {
  MlirOpOperand use = mlirValueGetFirstUse(tileConvertLayoutGetSource(conversion));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsABufferStore(user) &&
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(conversion)) &&
        tileFillsAlone(user) &&
        readsAsWell(conversion, mlirValueGetType(tileBufferStoreGetBuffer(user))))
      return user;
  }
  return (MlirOperation){NULL};
}
