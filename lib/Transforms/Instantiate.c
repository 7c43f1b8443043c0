//===- Instantiate.c - helpers for any extents, as helpers for some -------===//
//
// Before:  tile.func private @range(%i: i32) -> tensor<?xi32, #tile.dims<[N]>> {
//            %n = tile.meta N : i32
//            ...
//          %rows = tile.call @range(%i) : (i32) -> tensor<?xi32, #tile.dims<[BM]>>
//          %four = tile.call @range(%j) : (i32) -> tensor<4xi32>
// After:   tile.func private @range_BM(%i: i32) -> tensor<?xi32, #tile.dims<[BM]>> {
//            %n = tile.meta BM : i32
//            ...
//          tile.func private @range_4(%i: i32) -> tensor<4xi32> { %n = arith.constant 4 ...
//          %rows = tile.call @range_BM(%i) : (i32) -> tensor<?xi32, #tile.dims<[BM]>>
//          %four = tile.call @range_4(%j) : (i32) -> tensor<4xi32>
//
// The names in a helper's signature are its own, other names in it are its callers'. A call that
// binds each name to itself keeps its callee. Helpers that nothing calls any more stay, for
// `inline` to remove.
//
// Refuses kernels that inlining would make too large (CallSizes.h), and helpers of so many
// instances.
//
// Requires: nothing (the verifier of tile.call has matched the types).
// Preserves: control flow, numerics.
//===----------------------------------------------------------------------===//
#include "CallSizes.h"
#include "Extents.h"
#include "tile/Passes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One set of bindings of a helper, and the copy made for it.
typedef struct Instance {
  struct Instance *next;
  MlirOperation helper, copy;
  char *key; ///< what the names of the signature are bound to, in the order of their first use
} Instance;

/// Functions whose calls are still to be looked at.
typedef struct Pending {
  struct Pending *next;
  MlirOperation func;
} Pending;

typedef struct {
  MlirSymbolTable symbols;
  Instance *instances;
  Pending *pending, *seen;
  /// Ops of all copies so far.
  int64_t copied;
  bool failed;
} Instantiator;

/// The bindings that a call makes, a list without names in common.
typedef struct {
  TileExtentBinder binder; // first: what binds names is the call
  MlirStringRef *names;
  TileExtent *extents;
  intptr_t count, capacity;
} Bindings;

static void *allocate(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) abort();
  return memory;
}

/// A longer copy of `count` elements, in the place of `old`.
static void *grow(void *old, size_t count, size_t capacity, size_t size) {
  void *longer = allocate(capacity * size);
  if (count) memcpy(longer, old, count * size);
  free(old);
  return longer;
}

//===- what a call binds --------------------------------------------------===//

static const TileExtent *findBinding(const Bindings *b, MlirStringRef name) {
  for (intptr_t i = 0; i < b->count; ++i)
    if (mlirStringRefEqual(b->names[i], name)) return &b->extents[i];
  return NULL;
}

/// A name that the signature lacks is one of the caller's, and stays.
static bool lookUpExtent(TileExtentBinder *binder, MlirLocation loc, MlirStringRef name,
                         TileExtent *extent) {
  (void)loc;
  const TileExtent *bound = findBinding((const Bindings *)binder, name);
  *extent = bound ? *bound : (TileExtent){-1, name};
  return true;
}

static void addBinding(Bindings *b, MlirStringRef name, TileExtent extent) {
  if (findBinding(b, name)) return;
  if (b->count == b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 8;
    b->names = grow(b->names, (size_t)b->count, (size_t)b->capacity, sizeof *b->names);
    b->extents = grow(b->extents, (size_t)b->count, (size_t)b->capacity, sizeof *b->extents);
  }
  b->names[b->count] = name;
  b->extents[b->count++] = extent;
}

/// Binds the names of `wanted`, a type of the signature, to the extents of `found`.
static void matchType(Bindings *b, MlirType wanted, MlirType found) {
  if (tileTypeIsADesc(wanted)) {
    matchType(b, tileDescTypeGetBox(wanted), tileDescTypeGetBox(found));
    return;
  }
  if (!tileTypeIsTile(wanted)) return;
  MlirAttribute names = mlirRankedTensorTypeGetEncoding(wanted);
  MlirAttribute others = mlirRankedTensorTypeGetEncoding(found);
  if (!tileAttributeIsADims(names)) return;
  intptr_t next = 0, nextOther = 0;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(wanted); ++i) {
    if (!mlirShapedTypeIsDynamicDim(wanted, i)) continue;
    MlirStringRef name = tileDimsGetName(names, next++);
    bool isDynamic = mlirShapedTypeIsDynamicDim(found, i);
    MlirStringRef other =
        isDynamic ? tileDimsGetName(others, nextOther++) : (MlirStringRef){NULL, 0};
    // Arithmetic follows from names, which other extents bind.
    if (memchr(name.data, ' ', name.length)) continue;
    if (isDynamic)
      addBinding(b, name, (TileExtent){-1, other});
    else
      addBinding(b, name, (TileExtent){mlirShapedTypeGetDimSize(found, i), {NULL, 0}});
  }
}

static bool isIdentity(const Bindings *b) {
  for (intptr_t i = 0; i < b->count; ++i)
    if (b->extents[i].size >= 0 || !mlirStringRefEqual(b->extents[i].name, b->names[i]))
      return false;
  return true;
}

/// "_BM_4": a copy's name, but for that of its helper. The caller frees it.
static char *formatKey(const Bindings *b) {
  size_t size = 1;
  for (intptr_t i = 0; i < b->count; ++i) size += b->extents[i].name.length + 24;
  char *key = allocate(size);
  for (intptr_t i = 0, used = 0; i < b->count; ++i) {
    const TileExtent *extent = &b->extents[i];
    char *at = key + used;
    size_t room = size - (size_t)used;
    used += extent->size < 0
                ? snprintf(at, room, "_%.*s", (int)extent->name.length, extent->name.data)
                : snprintf(at, room, "_%lld", (long long)extent->size);
  }
  return key;
}

//===- copies -------------------------------------------------------------===//

/// The signature that the arguments and the return of a bound helper have.
static void updateSignature(MlirOperation func) {
  MlirBlock body = tileBody(func, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  intptr_t numInputs = mlirBlockGetNumArguments(body);
  intptr_t numResults = mlirOperationGetNumOperands(end);
  MlirType *types = allocate((size_t)(numInputs + numResults + 1) * sizeof *types);
  for (intptr_t i = 0; i < numInputs; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
  for (intptr_t i = 0; i < numResults; ++i)
    types[numInputs + i] = mlirValueGetType(mlirOperationGetOperand(end, i));
  MlirType type = mlirFunctionTypeGet(mlirOperationGetContext(func), numInputs, types, numResults,
                                      types + numInputs);
  mlirOperationSetAttributeByName(func, tileString("function_type"), mlirTypeAttrGet(type));
  free(types);
}

static MlirWalkResult countOp(MlirOperation op, void *data) {
  (void)op;
  ++*(int64_t *)data;
  return MlirWalkResultAdvance;
}

static MlirOperation copyHelper(Instantiator *in, MlirOperation helper, Bindings *b,
                                const char *key) {
  MlirOperation copy = mlirOperationClone(helper);
  mlirOperationWalk(copy, countOp, &in->copied, MlirWalkPreOrder);
  MlirStringRef base = tileFuncGetSymName(helper);
  size_t size = base.length + strlen(key) + 1;
  char *name = allocate(size);
  snprintf(name, size, "%.*s%s", (int)base.length, base.data, key);
  mlirOperationSetAttributeByName(copy, mlirSymbolTableGetSymbolAttributeName(),
                                  tileStringAttr(mlirOperationGetContext(copy), name));
  free(name);
  // A name that is taken gets a number.
  mlirSymbolTableInsert(in->symbols, copy);
  tileBindExtentsIn(&b->binder, copy);
  updateSignature(copy);
  return copy;
}

static MlirOperation getInstance(Instantiator *in, MlirOperation helper, Bindings *b) {
  char *key = formatKey(b);
  for (Instance *i = in->instances; i; i = i->next) {
    if (!mlirOperationEqual(i->helper, helper) || strcmp(i->key, key) != 0) continue;
    free(key);
    return i->copy;
  }
  Instance *instance = allocate(sizeof *instance);
  *instance = (Instance){in->instances, helper, copyHelper(in, helper, b, key), key};
  in->instances = instance;
  return instance->copy;
}

//===- calls --------------------------------------------------------------===//

static void addPending(Instantiator *in, MlirOperation func) {
  for (Pending *p = in->seen; p; p = p->next)
    if (mlirOperationEqual(p->func, func)) return;
  for (Pending *p = in->pending; p; p = p->next)
    if (mlirOperationEqual(p->func, func)) return;
  Pending *added = allocate(sizeof *added);
  *added = (Pending){in->pending, func};
  in->pending = added;
}

static MlirWalkResult visitCall(MlirOperation op, void *data) {
  Instantiator *in = data;
  if (!tileOpIsACall(op)) return MlirWalkResultAdvance;
  MlirOperation helper = mlirSymbolTableLookup(in->symbols, tileCallGetCallee(op));
  if (mlirOperationIsNull(helper) || !tileOpIsAFunc(helper)) return MlirWalkResultAdvance;
  MlirType type = mlirTypeAttrGetValue(tileAttr(helper, "function_type"));
  Bindings b = {.binder = {lookUpExtent}};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    matchType(&b, mlirFunctionTypeGetInput(type, i), mlirValueGetType(tileOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    matchType(&b, mlirFunctionTypeGetResult(type, i),
              mlirValueGetType(mlirOperationGetResult(op, i)));
  MlirOperation callee = isIdentity(&b) ? helper : getInstance(in, helper, &b);
  free(b.names);
  free(b.extents);
  addPending(in, callee);
  if (in->copied > TILE_MAX_OPS) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected at most %d ops in helpers for each of their extents, found more",
                  TILE_MAX_OPS);
    in->failed = true;
  }
  MlirAttribute symbol =
      mlirFlatSymbolRefAttrGet(mlirOperationGetContext(op), tileFuncGetSymName(callee));
  mlirOperationSetAttributeByName(op, tileString("callee"), symbol);
  return in->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void destroy(Instantiator *in) {
  for (Instance *i = in->instances, *next; i; i = next) {
    next = i->next;
    free(i->key);
    free(i);
  }
  Pending *const lists[] = {in->seen, in->pending};
  for (int i = 0; i < 2; ++i)
    for (Pending *p = lists[i], *next; p; p = next) {
      next = p->next;
      free(p);
    }
  mlirSymbolTableDestroy(in->symbols);
}

MlirLogicalResult tileRunInstantiate(MlirOperation module) {
  Instantiator in = {.symbols = mlirSymbolTableCreate(module)};
  TILE_FOR_EACH_OP(func, tileBody(module, 0)) {
    bool isPrivate = !mlirAttributeIsNull(tileAttr(func, "sym_visibility"));
    if (tileOpIsAFunc(func) && !isPrivate) addPending(&in, func);
  }
  while (in.pending && !in.failed) {
    Pending *p = in.pending;
    in.pending = p->next;
    p->next = in.seen;
    in.seen = p;
    mlirOperationWalk(p->func, visitCall, &in, MlirWalkPostOrder);
  }
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (!in.failed) result = tileCheckCallSizes(module, in.symbols);
  destroy(&in);
  return result;
}
