//===- CallSizes.c - what inlining would make of a kernel -----------------===//
#include "CallSizes.h"
#include "tile/IR.h"
#include "tile/Support/PointerTable.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  MlirSymbolTable symbols;
  TilePointerTable sizes; ///< of int64_t: what a function comes to when its calls are inlined
  int depth;
  bool failed;
} Sizer;

/// The ops of one function, and the call that brings most.
typedef struct {
  Sizer *sizer;
  int64_t ops, largest;
  MlirOperation call;
} Sum;

static int64_t getSize(Sizer *s, MlirOperation func);

static MlirWalkResult addOp(MlirOperation op, void *data) {
  Sum *sum = data;
  int64_t ops = 1;
  if (tileOpIsACall(op)) {
    MlirOperation callee = mlirSymbolTableLookup(sum->sizer->symbols, tileCallGetCallee(op));
    if (sum->sizer->depth == TILE_MAX_CALL_DEPTH) {
      tileEmitError(mlirOperationGetLocation(op),
                    "expected at most %d calls within each other, found more", TILE_MAX_CALL_DEPTH);
      sum->sizer->failed = true;
    } else if (!mlirOperationIsNull(callee) && tileOpIsAFunc(callee)) {
      ops = getSize(sum->sizer, callee);
    }
    if (ops > sum->largest) {
      sum->largest = ops;
      sum->call = op;
    }
  }
  // Saturates: numbers of calls double with each level.
  if (__builtin_add_overflow(sum->ops, ops, &sum->ops)) sum->ops = INT64_MAX;
  return sum->sizer->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void report(const Sum *sum, MlirOperation func) {
  bool calls = !mlirOperationIsNull(sum->call);
  MlirStringRef name = tileFuncGetSymName(func);
  char found[64];
  snprintf(found, sizeof found, sum->ops == INT64_MAX ? "2^63 and more" : "%lld",
           (long long)sum->ops);
  tileEmitError(mlirOperationGetLocation(calls ? sum->call : func),
                "expected at most %d ops in '%.*s' with what it calls, found %s%s", TILE_MAX_OPS,
                (int)name.length, name.data, found, calls ? ", most of them by this call" : "");
}

static int64_t getSize(Sizer *s, MlirOperation func) {
  const int64_t *known = tilePointerTableFind(s->sizes, func.ptr);
  if (known) return *known;
  Sum sum = {.sizer = s};
  ++s->depth;
  mlirOperationWalk(func, addOp, &sum, MlirWalkPreOrder);
  --s->depth;
  // The first that is too large, from the leaves up: there somebody can do something about it.
  if (!s->failed && sum.ops > TILE_MAX_OPS) {
    report(&sum, func);
    s->failed = true;
  }
  int64_t *size = tilePointerTableAdd(&s->sizes, func.ptr, sizeof *size);
  *size = sum.ops;
  return sum.ops;
}

MlirLogicalResult tileCheckCallSizes(MlirOperation module, MlirSymbolTable symbols) {
  Sizer s = {.symbols = symbols};
  TILE_FOR_EACH_OP(func, tileBody(module, 0)) {
    bool isPrivate = !mlirAttributeIsNull(tileAttr(func, "sym_visibility"));
    if (!s.failed && tileOpIsAFunc(func) && !isPrivate) getSize(&s, func);
  }
  tilePointerTableClear(&s.sizes);
  return s.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
