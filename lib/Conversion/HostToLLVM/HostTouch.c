//===- HostTouch.c - say when host code is about to use an array ----------===//
//
// Before:  tile_host.launch @k(%c)                After:  tile_host.launch @k(%c)
//          scf.for %i = .. {                         call @tileHostTouch(%c, 0)
//            %x = memref.load %c[%i]                 scf.for %i = .. {
//            ...                                       %x = memref.load %c[%i]
//
// A *stretch* is a run of ops of one block with no launch in or between them. What a stretch uses
// of arrays made outside it is touched once, in front of the first op that uses it; ops that hold
// launches are entered, and their blocks have stretches of their own. A call may launch, so it ends
// a stretch; its callee touches for itself.
//
//===----------------------------------------------------------------------===//
#include "Host.h"
#include <stdlib.h>
#include <string.h>

/// Arrays that the current stretch has touched.
typedef struct Stretch {
  Host *host;
  MlirValue values[64];
  bool written[64];
  int count;
} Stretch;

static bool isLaunch(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsALaunch(op) || tileOpIs(op, "func.call") || tileOpIs(op, "func.call_indirect");
}

static bool mayLaunch(MlirOperation op) { return tileHoldsOp(op, isLaunch, NULL); }

/// Ops whose memref operands are passed on or measured, not accessed.
static bool onlyForwards(MlirOperation op) {
  static const char *const names[] = {"memref.cast",
                                      "memref.subview",
                                      "memref.reinterpret_cast",
                                      "memref.view",
                                      "memref.expand_shape",
                                      "memref.collapse_shape",
                                      "memref.transpose",
                                      "memref.memory_space_cast",
                                      "memref.dim",
                                      "memref.rank",
                                      "memref.extract_strided_metadata",
                                      "memref.extract_aligned_pointer_as_index",
                                      "memref.assume_alignment",
                                      "memref.dealloc",
                                      "arith.select",
                                      "builtin.unrealized_conversion_cast",
                                      NULL};
  return tileOpIsOfDialect(op, "scf") || tileOpIsOfDialect(op, "cf") ||
         tileOpIsOfDialect(op, "func") || tileOpIsHost(op) || tileOpIsOneOf(op, names);
}

/// Does `op` write through operand `i`, a memref?
static bool writesOperand(MlirOperation op, intptr_t i) {
  static const char *const reads[] = {
      "memref.load",          "affine.load",   "vector.load",     "vector.maskedload",
      "vector.transfer_read", "vector.gather", "memref.prefetch", NULL};
  if (tileOpIsOneOf(op, reads)) return false;
  if (tileOpIs(op, "memref.copy")) return i == 1;
  if (tileOpIsOfDialect(op, "linalg")) {
    MlirAttribute segments = tileAttr(op, "operandSegmentSizes");
    if (!mlirAttributeIsNull(segments) && mlirDenseArrayGetNumElements(segments) == 2)
      return i >= mlirDenseI32ArrayGetElement(segments, 0);
  }
  return true;
}

static bool isMemref(MlirValue value) { return mlirTypeIsAMemRef(mlirValueGetType(value)); }

/// Is `value` made inside `op`?
static bool isInside(MlirValue value, MlirOperation op) {
  return tileOpHolds(op, mlirBlockGetParentOperation(tileValueGetBlock(value)));
}

/// call @tileHostTouch(%address, %writes) before `op`, unless the stretch has it.
static void touch(Stretch *s, MlirOperation op, MlirValue value, bool writes) {
  int i = 0;
  while (i < s->count && !mlirValueEqual(s->values[i], value)) ++i;
  if (i < s->count && (s->written[i] || !writes)) return;
  if (i == s->count && s->count < 64) s->values[s->count++] = value;
  if (i < 64) s->written[i] = writes;
  TileBuilder b = tileBuilderBefore(op);
  MlirValue address = tileHostAddress(s->host, &b, value);
  MlirValue flag = tileBuildInt(&b, s->host->i32, writes);
  tileHostCall(s->host, &b, "tileHostTouch", (MlirType){NULL}, TILE_VALUES(address, flag));
}

/// Touches what `value`, used inside `outer`, is a view of. A block argument of a loop may be any
/// of the loop's memref operands.
static void touchRoots(Stretch *s, MlirOperation outer, MlirValue value, bool writes, int depth) {
  if (!isInside(value, outer)) {
    touch(s, outer, value, writes);
    return;
  }
  MlirOperation source = tileValueGetOp(value);
  if (mlirOperationIsNull(source))
    source = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(source) && depth < 32; ++i) {
    MlirValue operand = mlirOperationGetOperand(source, i);
    if (isMemref(operand)) touchRoots(s, outer, operand, writes, depth + 1);
  }
}

typedef struct Visit {
  Stretch *stretch;
  MlirOperation outer;
} Visit;

static MlirWalkResult visit(MlirOperation op, void *data) {
  const Visit *v = data;
  if (onlyForwards(op)) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (isMemref(operand)) touchRoots(v->stretch, v->outer, operand, writesOperand(op, i), 0);
  }
  return MlirWalkResultAdvance;
}

static void visitBlock(Host *h, MlirBlock block) {
  Stretch *s = calloc(1, sizeof *s);
  if (!s) abort();
  s->host = h;
  TILE_FOR_EACH_OP(op, block) {
    if (!mayLaunch(op)) {
      Visit v = {.stretch = s, .outer = op};
      mlirOperationWalk(op, visit, &v, MlirWalkPreOrder);
      continue;
    }
    s->count = 0;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
           !mlirBlockIsNull(b); b = mlirBlockGetNextInRegion(b))
        visitBlock(h, b);
  }
  free(s);
}

void tileHostInsertTouches(Host *h, MlirOperation func) {
  MlirRegion body = mlirOperationGetRegion(func, 0);
  for (MlirBlock b = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(b);
       b = mlirBlockGetNextInRegion(b))
    visitBlock(h, b);
}
