//===- CallSizes.c - what inlining would make of a kernel -----------------===//
#include "CallSizes.h"
#include "tile/IR.h"
#include <stdio.h>
#include <stdlib.h>
#include <uthash.h>

/// What a function comes to when its calls are inlined, once for all who call it.
typedef struct {
  const void *func;
  int64_t ops;
  UT_hash_handle hh;
} Size;

typedef struct {
  MlirSymbolTable symbols;
  Size *sizes;
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
  Size *known;
  HASH_FIND_PTR(s->sizes, &func.ptr, known);
  if (known) return known->ops;
  Sum sum = {.sizer = s};
  ++s->depth;
  mlirOperationWalk(func, addOp, &sum, MlirWalkPreOrder);
  --s->depth;
  // The first that is too large, from the leaves up: there somebody can do something about it.
  if (!s->failed && sum.ops > TILE_MAX_OPS) {
    report(&sum, func);
    s->failed = true;
  }
  known = calloc(1, sizeof *known);
  if (!known) abort();
  known->func = func.ptr;
  known->ops = sum.ops;
  HASH_ADD_PTR(s->sizes, func, known);
  return sum.ops;
}

MlirLogicalResult tileCheckCallSizes(MlirOperation module, MlirSymbolTable symbols) {
  Sizer s = {.symbols = symbols};
  TILE_FOR_EACH_OP(func, tileBody(module, 0)) {
    bool isPrivate = !mlirAttributeIsNull(tileAttr(func, "sym_visibility"));
    if (!s.failed && tileOpIsAFunc(func) && !isPrivate) getSize(&s, func);
  }
  Size *size, *next;
  HASH_ITER(hh, s.sizes, size, next) {
    HASH_DEL(s.sizes, size);
    free(size);
  }
  return s.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
