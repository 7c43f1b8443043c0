//===- UnreadArrays.c - arrays that a host program fills and never reads --===//
#include "HostImpl.h"
#include "tile/IR.h"
#include "tile/Support/Grow.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  MlirOperation *list;
  size_t count, capacity;
} Ops;

static void add(Ops *ops, MlirOperation op) {
  ops->list = tileGrow(ops->list, ops->count, &ops->capacity, sizeof *ops->list);
  ops->list[ops->count++] = op;
}

static void destroy(Ops *ops) {
  for (size_t i = 0; i < ops->count; ++i) mlirOperationDestroy(ops->list[i]);
  free(ops->list);
}

/// Is the result the same array, a part of it or with another type?
static bool isView(MlirOperation op) {
  static const char *const views[] = {"memref.subview",          "memref.cast",
                                      "memref.reinterpret_cast", "memref.expand_shape",
                                      "memref.collapse_shape",   NULL};
  return tileOpIsOneOf(op, views);
}

typedef struct {
  bool isInside; ///< a function that is called: one that calls others is not looked through
  bool found;
} Effects;

static MlirWalkResult findEffect(MlirOperation op, void *data);

/// Does the function do anything but compute? A mere declaration may.
static bool hasEffect(MlirOperation call) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(tileAttr(call, "callee"));
  MlirOperation module = call;
  while (!tileOpIs(module, "builtin.module")) module = mlirOperationGetParentOperation(module);
  TILE_FOR_EACH_OP(function, tileBody(module, 0)) {
    MlirAttribute own = tileAttr(function, "sym_name");
    if (mlirAttributeIsNull(own) || !mlirStringRefEqual(mlirStringAttrGetValue(own), name))
      continue;
    Effects effects = {.isInside = true, .found = mlirBlockIsNull(tileBody(function, 0))};
    mlirOperationWalk(function, findEffect, &effects, MlirWalkPreOrder);
    return effects.found;
  }
  return true;
}

static MlirWalkResult findEffect(MlirOperation op, void *data) {
  static const char *const dialects[] = {"linalg", "arith", "math"};
  Effects *effects = data;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (tileOpIsOfDialect(op, dialects[i])) return MlirWalkResultAdvance;
  bool isCall = tileOpIs(op, "func.call");
  if (effects->isInside ? tileOpIsOfDialect(op, "func") && !isCall : isCall && !hasEffect(op))
    return MlirWalkResultAdvance;
  effects->found = true;
  return MlirWalkResultInterrupt;
}

/// Does a linalg op do no more than to write its one output, operand `number`?
static bool fillsOnly(MlirOperation op, intptr_t number) {
  Effects effects = {.found = false};
  mlirOperationWalk(op, findEffect, &effects, MlirWalkPreOrder);
  MlirAttribute sizes = tileAttr(op, "operandSegmentSizes");
  return !effects.found && !mlirAttributeIsNull(sizes) &&
         mlirDenseArrayGetNumElements(sizes) == 2 && mlirDenseI32ArrayGetElement(sizes, 1) == 1 &&
         number == mlirDenseI32ArrayGetElement(sizes, 0) && !mlirOperationGetNumResults(op);
}

/// Adds what writes the array or is a part of it; false where anything else uses it.
static bool findWriters(Ops *writers, MlirValue array) {
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    bool writes = (tileOpIs(op, "memref.store") && number == 1) ||
                  (tileOpIsOfDialect(op, "linalg") && fillsOnly(op, number));
    if (isView(op) ? !findWriters(writers, tileResult(op)) : !writes) return false;
    add(writers, op);
  }
  return true;
}

static MlirWalkResult findUnread(MlirOperation op, void *data) {
  Ops *writers = data;
  size_t before = writers->count;
  bool isRead = tileOpIs(op, "tile_host.alloc") && !findWriters(writers, tileResult(op));
  if (isRead) writers->count = before;
  return MlirWalkResultAdvance;
}

static MlirWalkResult findIdle(MlirOperation op, void *data) {
  if (tileOpIsAExpectClose(op) || tileOpIsADump(op) || tileOpIsAWrite(op)) add(data, op);
  return MlirWalkResultAdvance;
}

void hostLeaveOutUnread(MlirOperation function) {
  Ops ops = {NULL, 0, 0};
  mlirOperationWalk(function, findIdle, &ops, MlirWalkPreOrder);
  // What only such an array was computed from is read by nobody then.
  do {
    destroy(&ops);
    ops = (Ops){NULL, 0, 0};
    mlirOperationWalk(function, findUnread, &ops, MlirWalkPreOrder);
  } while (ops.count);
  destroy(&ops); // there is a list also where none of what was found is left
}
