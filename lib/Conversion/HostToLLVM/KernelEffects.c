//===- KernelEffects.c - which arguments a kernel may write through -------===//
//
// Pointers flow from arguments through addptr, splat, selects and loop-carried values to stores. A
// value's set of arguments only grows, so passes over the kernel until none grows reach the answer;
// loops make it two or three.
//
//===----------------------------------------------------------------------===//
#include "tile/Conversion/HostToLLVM.h"
#include "tile/IR.h"
#include <stdlib.h>

/// The arguments each pointer value may come from.
typedef struct Flow {
  const void **values;
  uint64_t *sets;
  size_t count, capacity;
  bool grew;
  uint64_t written;
} Flow;

static bool isPointer(MlirValue value) {
  MlirType element = tileElementType(mlirValueGetType(value));
  return tileTypeIsAPtr(element) || tileTypeIsADesc(element);
}

static size_t find(const Flow *f, MlirValue value) {
  size_t i = 0;
  while (i < f->count && f->values[i] != value.ptr) ++i;
  return i;
}

static uint64_t get(const Flow *f, MlirValue value) {
  size_t i = find(f, value);
  return i < f->count ? f->sets[i] : 0;
}

static void add(Flow *f, MlirValue value, uint64_t set) {
  if (!isPointer(value)) return;
  size_t i = find(f, value);
  if (i == f->count) {
    if (f->count == f->capacity) {
      f->capacity = f->capacity ? 2 * f->capacity : 64;
      const void **values = realloc(f->values, f->capacity * sizeof *values);
      if (values) f->values = values;
      uint64_t *sets = realloc(f->sets, f->capacity * sizeof *sets);
      if (sets) f->sets = sets;
      if (!values || !sets) abort();
    }
    f->values[f->count] = value.ptr;
    f->sets[f->count++] = 0;
  }
  if ((f->sets[i] | set) == f->sets[i]) return;
  f->sets[i] |= set;
  f->grew = true;
}

/// What any pointer among the operands may come from.
static uint64_t getOperands(const Flow *f, MlirOperation op) {
  uint64_t set = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isPointer(mlirOperationGetOperand(op, i))) set |= get(f, mlirOperationGetOperand(op, i));
  return set;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  Flow *f = data;
  uint64_t set = getOperands(f, op);
  if (tileOpGetEffects(op) & TILE_WRITES_GLOBAL) f->written |= set;
  if (tileOpIsAFunc(op)) return MlirWalkResultAdvance;
  // What an address made of a number reaches nobody knows.
  if (tileOpIsAPtrCast(op) && !isPointer(tileOperand(op, 0))) set = UINT64_MAX;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); !mlirBlockIsNull(b);
         b = mlirBlockGetNextInRegion(b)) {
      MlirOperation last = mlirBlockGetTerminator(b);
      if (!mlirOperationIsNull(last)) set |= getOperands(f, last);
    }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); !mlirBlockIsNull(b);
         b = mlirBlockGetNextInRegion(b))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(b); ++i)
        add(f, mlirBlockGetArgument(b, i), set);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add(f, mlirOperationGetResult(op, i), set);
  return MlirWalkResultAdvance;
}

uint64_t tileKernelGetWrittenArguments(MlirOperation func) {
  MlirBlock body = tileBody(func, 0);
  Flow f = {0};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    add(&f, mlirBlockGetArgument(body, i), i < 64 ? UINT64_C(1) << i : 0);
  do {
    f.grew = false;
    mlirOperationWalk(func, visit, &f, MlirWalkPreOrder);
  } while (f.grew);
  free(f.values);
  free(f.sets);
  return f.written;
}
