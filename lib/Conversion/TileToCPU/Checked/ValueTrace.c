//===- ValueTrace.c - a program's values, printed op by op ----------------===//
//
// With `trace`, each op is followed by a call for each of its results:
//
//   scf.if %traced {
//     the tile written to a stack buffer, unless it is in one
//     func.call @tileTraceValue(%checker, 7, %buffer, 16)
//   }
//
// The last operand is the distance of rows in elements. An op without results is announced alone.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"

/// Room for a value that is printed and then forgotten: an earlier one's, if it is large enough.
static CpuBuffer spareBuffer(CpuLowering *l, MlirType type) {
  CpuChecks *c = l->checks;
  int64_t count;
  CpuBuffer buffer = cpuDescribeBuffer(l, type, (MlirType){NULL}, &count);
  int64_t bytes = count * tileElementBytes(buffer.element);
  for (int i = 0; i < c->numSpare; ++i) {
    if (c->spareBytes[i] < bytes) continue;
    buffer.pointer = c->spare[i];
    return buffer;
  }
  buffer.pointer = cpuAllocateStack(l, buffer.element, count);
  if (c->numSpare == CPU_MAX_SPARE) return buffer;
  c->spareBytes[c->numSpare] = bytes;
  c->spare[c->numSpare++] = buffer.pointer;
  return buffer;
}

typedef struct {
  MlirOperation op;
  MlirValue value; ///< of the kernel; null: the op alone
  int site;
} Printed;

static void emitTile(CpuLowering *l, const Printed *p) {
  CpuSlot *slot = cpuFind(l, p->value);
  MlirType type = mlirValueGetType(p->value);
  CpuBuffer buffer;
  if (slot->form == CPU_BUFFER) {
    buffer = slot->buffer;
  } else {
    buffer = spareBuffer(l, type);
    cpuWrite(l, p->value, &buffer);
  }
  int64_t row = buffer.rank > 1 ? buffer.strides[buffer.rank - 2] : buffer.shape[0];
  cpuCallRuntime(l, "tileTraceValue", p->site, TILE_VALUES(buffer.pointer, cpuI64(l, row)));
}

static void emitScalar(CpuLowering *l, const Printed *p) {
  MlirValue scalar = cpuScalar(l, p->value), room = l->checks->values, null = {NULL};
  MlirType element = mlirValueGetType(p->value);
  if (mlirTypeIsAIndex(element)) {
    element = tileI64(l->context);
    scalar = tileBuildUnary(&l->at, "arith.index_cast", element, scalar);
  }
  cpuStore(l, room, element, scalar, null);
  cpuCallRuntime(l, "tileTraceValue", p->site, TILE_VALUES(room, cpuI64(l, 1)));
}

static void emitPrinted(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  const Printed *p = data;
  if (mlirValueIsNull(p->value)) {
    MlirValue nothing = tileBuild(&l->at, "llvm.mlir.zero", cpuPointerType(l), TILE_NONE);
    cpuCallRuntime(l, "tileTraceValue", p->site, TILE_VALUES(nothing, cpuI64(l, 0)));
  } else if (tileTypeIsTile(mlirValueGetType(p->value))) {
    emitTile(l, p);
  } else {
    emitScalar(l, p);
  }
}

static void trace(CpuLowering *l, MlirOperation op, const char *kind, MlirValue value, int result) {
  MlirType type = mlirValueIsNull(value) ? tileI1(l->context) : mlirValueGetType(value);
  Printed p = {.op = op, .value = value};
  // Each result is a site of its own.
  l->checks->siteOp = (MlirOperation){NULL};
  p.site = cpuSite(l, op, kind, type, 0, NULL, result);
  cpuIf(l, l->checks->traced, false, emitPrinted, &p);
}

void cpuTraceOp(CpuLowering *l, MlirOperation op) {
  if (!l->checks || !l->checks->trace || l->failed) return;
  intptr_t count = mlirOperationGetNumResults(op);
  MlirValue null = {NULL};
  if (!count) trace(l, op, "op", null, 0);
  bool isTile = count && tileTypeIsTile(mlirValueGetType(tileResult(op)));
  if (tileOpIs(op, "arith.constant") && !isTile) return;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (cpuFind(l, result)) trace(l, op, "value", result, (int)i);
  }
}

void cpuTraceIteration(CpuLowering *l, MlirOperation loop) {
  if (!l->checks || !l->checks->trace || l->failed) return;
  trace(l, loop, "iteration", mlirBlockGetArgument(tileBody(loop, 0), 0), 0);
}
