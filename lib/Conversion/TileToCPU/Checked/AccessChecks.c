//===- AccessChecks.c - accesses, sums and asserts that report to a checker ===//
//
// With `check`, a chunk's access is preceded by a call that sees its lanes and says which may run:
//
//   %m = .. : vector<8xi1>                      llvm.store %ptrs, %pointers
//   %v = llvm.intr.masked.load %p, %m    ->     llvm.store %m as bytes, %mask
//                                               func.call @tileCheckAccess(%checker, 4, 8, ..)
//                                               %ok = llvm.load %mask, != 0
//                                               %v = llvm.intr.masked.load %p, %ok
//
// and an execution of the op ends with @tileCheckFlush, which reports. So what is tested is the
// code that would run anyway: its addresses, its masks, its tails. Loads stand where the kernel has
// them, as buffers, so that each is tested once and in the program's order.
//
// Integer arithmetic is computed again in 64 bits, once where it stands:
//
//   %s = arith.addi %a, %b : i32     ->     %w = arith.addi (extsi %a), (extsi %b) : i64
//                                           scf.if (extsi (trunci %w)) != %w { call @tileCheckFail
//                                           }
//
// The `site` of a call is a number; the module's `tile.sites` says what it stands for.
//
//===----------------------------------------------------------------------===//
#include "../Lowering.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cpuIsChecked(const CpuLowering *l) { return l->checks && l->checks->check; }

//===- sites --------------------------------------------------------------===//

static MlirNamedAttribute entryOf(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, tileString(name)), value);
}

/// Pointers that loops carry and that are being looked at: what they begin with is `from`, and what
/// their steps hand on has to be of that, too.
typedef struct CarriedPointers {
  const struct CarriedPointers *outer;
  MlirValue pointer;
  int64_t from;
} CarriedPointers;

static int64_t argumentOf(MlirValue pointer, int depth, const CarriedPointers *carried);

/// That of a pointer that a loop carries from step to step: it begins in an array and moves on, and
/// what it moves by keeps to the array. One that it swaps with another array's is of neither.
static int64_t argumentOfCarried(MlirValue pointer, int depth, const CarriedPointers *outer) {
  for (const CarriedPointers *c = outer; c; c = c->outer)
    if (mlirValueEqual(c->pointer, pointer)) return c->from;
  MlirBlock body = mlirBlockArgumentGetOwner(pointer);
  MlirOperation loop = mlirBlockGetParentOperation(body);
  intptr_t i = mlirBlockArgumentGetArgNumber(pointer) - 1;
  int64_t from = argumentOf(tileForGetInit(loop, i), depth, outer);
  if (from < 0) return -1;
  CarriedPointers here = {outer, pointer, from};
  MlirValue next = tileOperand(mlirBlockGetTerminator(body), i);
  return argumentOf(next, depth, &here) == from ? from : -1;
}

/// The number of the kernel's argument that all lanes of a pointer come from; -1: not known.
static int64_t argumentOf(MlirValue pointer, int depth, const CarriedPointers *carried) {
  if (++depth > 64) return -1;
  if (mlirValueIsABlockArgument(pointer)) {
    MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(pointer));
    intptr_t i = mlirBlockArgumentGetArgNumber(pointer);
    if (tileOpIsAFunc(owner)) return i;
    return tileOpIs(owner, "scf.for") && i ? argumentOfCarried(pointer, depth, carried) : -1;
  }
  MlirOperation op = tileValueGetOp(pointer);
  if (tileOpIs(op, "scf.for")) {
    intptr_t i = mlirOpResultGetResultNumber(pointer);
    return argumentOfCarried(mlirBlockGetArgument(tileBody(op, 0), i + 1), depth, carried);
  }
  bool moves = tileOpIsAAddPtr(op) || tileOpIsAPtrCast(op) || tileOpIsASplat(op) ||
               tileOpIsABroadcast(op) || tileOpIsAExpandDims(op) || tileOpIsAReshape(op) ||
               tileOpIsATrans(op) || tileOpIsASlice(op);
  return moves ? argumentOf(tileOperand(op, 0), depth, carried) : -1;
}

/// An atomic that orders no other access.
static bool isRelaxed(MlirOperation op) {
  int64_t order = tileOpIsAAtomicRmw(op)   ? tileAtomicRmwGetOrder(op)
                  : tileOpIsAAtomicCas(op) ? tileAtomicCasGetOrder(op)
                                           : -1;
  return order == TILE_ORDER_RELAXED;
}

static bool isAccess(MlirOperation op) {
  return tileOpIsALoad(op) || tileOpIsAStore(op) || tileOpIsAAtomicRmw(op) ||
         tileOpIsAAtomicCas(op);
}

static void appendSite(CpuChecks *c, MlirAttribute site) {
  if (c->numSites == c->roomSites) {
    c->roomSites = c->roomSites ? 2 * c->roomSites : 64;
    MlirAttribute *grown = realloc(c->sites, (size_t)c->roomSites * sizeof *grown);
    if (!grown) abort();
    c->sites = grown;
  }
  c->sites[c->numSites++] = site;
}

int cpuSite(CpuLowering *l, MlirOperation op, const char *kind, MlirType type, int rank,
            const char *text, int result) {
  CpuChecks *c = l->checks;
  if (mlirOperationEqual(c->siteOp, op) && !strcmp(c->siteKind, kind)) return c->site;
  MlirContext context = l->context;
  MlirType i64 = tileI64(context);
  int64_t argument = -1;
  if (isAccess(op))
    argument = argumentOf(tileOperand(op, 0), 0, NULL);
  else if (mlirOperationGetNumResults(op) && tileTypeIsAPtr(tileElementType(type)))
    argument = argumentOf(mlirOperationGetResult(op, result), 0, NULL);
  MlirStringRef name = tileOpName(op);
  MlirAttribute opName = mlirStringAttrGet(context, name);
  MlirNamedAttribute entries[] = {
      entryOf(context, "argument", mlirIntegerAttrGet(i64, argument)),
      entryOf(context, "kind", tileStringAttr(context, kind)),
      entryOf(context, "loc", mlirLocationGetAttribute(mlirOperationGetLocation(op))),
      entryOf(context, "op", opName),
      entryOf(context, "rank", mlirIntegerAttrGet(i64, rank)),
      entryOf(context, "result", mlirIntegerAttrGet(i64, result)),
      entryOf(context, "text", tileStringAttr(context, text ? text : "")),
      entryOf(context, "type", mlirTypeAttrGet(type)),
  };
  appendSite(c, mlirDictionaryAttrGet(context, sizeof entries / sizeof *entries, entries));
  c->siteOp = op;
  c->siteKind = kind;
  c->site = c->numSites - 1;
  return c->site;
}

void cpuFinishChecks(CpuChecks *c) {
  MlirContext context = mlirOperationGetContext(c->module);
  MlirAttribute all = mlirArrayAttrGet(context, c->numSites, c->sites);
  mlirOperationSetDiscardableAttributeByName(c->module, tileString("tile.sites"), all);
  free(c->sites);
}

//===- the runtime's functions --------------------------------------------===//

static void declare(CpuChecks *c, const char *name, const char *type) {
  MlirContext context = mlirOperationGetContext(c->module);
  MlirType function = mlirTypeParseGet(context, tileString(type));
  TileBuilder b = tileBuilderAtEnd(tileBody(c->module, 0), mlirLocationUnknownGet(context));
  tileBuildOp(&b, "func.func", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(context, name)},
                         {"sym_visibility", tileStringAttr(context, "private")},
                         {"function_type", mlirTypeAttrGet(function)}),
              1);
}

void cpuDeclareChecks(CpuChecks *c) {
  declare(c, "tileCheckEnter", "(!llvm.ptr, i32, i32, i32) -> i1");
  declare(c, "tileCheckAccess",
          "(!llvm.ptr, i32, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()");
  declare(c, "tileCheckFail", "(!llvm.ptr, i32, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()");
  declare(c, "tileCheckFlush", "(!llvm.ptr, i32) -> ()");
  declare(c, "tileTraceValue", "(!llvm.ptr, i32, !llvm.ptr, i64) -> ()");
}

static MlirOperation call(CpuLowering *l, const char *name, intptr_t count,
                          const MlirValue *arguments, intptr_t numTypes, const MlirType *types) {
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(l->context, tileString(name));
  return tileBuildOp(&l->at, "func.call", count, arguments, numTypes, types,
                     TILE_ATTRS({"callee", callee}), 0);
}

void cpuCallRuntime(CpuLowering *l, const char *name, int site, intptr_t count,
                    const MlirValue *arguments) {
  MlirValue all[8] = {l->checks->checker, cpuInt(l, tileI32(l->context), site)};
  for (intptr_t i = 0; i < count; ++i) all[2 + i] = arguments[i];
  call(l, name, 2 + count, all, TILE_NONE);
}

void cpuEnterProgram(CpuLowering *l) {
  CpuChecks *c = l->checks;
  MlirType i64 = tileI64(l->context), i1 = tileI1(l->context);
  int64_t lanes = l->vectorBits / 32;
  c->pointers = cpuAllocateStack(l, i64, lanes);
  c->mask = cpuAllocateStack(l, i1, lanes);
  // Two operands a lane, for arithmetic.
  c->values = cpuAllocateStack(l, i64, 2 * lanes);
  c->indices = cpuAllocateStack(l, i64, CPU_MAX_RANK);
  c->siteOp = (MlirOperation){NULL};
  c->numSpare = 0;
  MlirValue arguments = mlirBlockGetArgument(l->body, 0);
  int64_t count = mlirBlockGetNumArguments(tileBody(l->kernel, 0));
  MlirValue slot = cpuOffset(l, arguments, i64, cpuI64(l, count)), null = {NULL};
  c->checker = cpuLoad(l, slot, tilePtrTypeGet(i64), 0, null, null);
  MlirOperation enter =
      call(l, "tileCheckEnter",
           TILE_VALUES(c->checker, l->programId[0], l->programId[1], l->programId[2]), 1, &i1);
  c->traced = tileResult(enter);
}

//===- chunks -------------------------------------------------------------===//

static void storeRaw(CpuLowering *l, MlirValue value, MlirValue pointer) {
  // A vector's own alignment may be more than the memory has.
  MlirAttribute align = mlirIntegerAttrGet(tileI64(l->context), 1);
  tileBuildOp(&l->at, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE,
              TILE_ATTRS({"alignment", align}), 0);
}

/// Puts the indices of a chunk's first element where the runtime reads them.
static void storeIndices(CpuLowering *l, const CpuIndex *index) {
  for (int d = 0; d < index->rank; ++d) {
    MlirValue at = l->checks->indices;
    if (d) at = cpuOffset(l, at, tileI64(l->context), cpuI64(l, d));
    storeRaw(l, index->base[d], at);
  }
}

static MlirValue allLanes(CpuLowering *l, int64_t width) {
  return width ? cpuFirstLanes(l, width, width) : cpuInt(l, tileI1(l->context), 1);
}

MlirValue cpuCheckAccess(CpuLowering *l, MlirOperation op, const CpuIndex *index,
                         MlirValue pointers, MlirValue mask, MlirValue value) {
  CpuChecks *c = l->checks;
  MlirType i1 = tileI1(l->context), i32 = tileI32(l->context);
  MlirType element = tilePtrTypeGetPointee(tileElementType(mlirValueGetType(tileOperand(op, 0))));
  int64_t width = cpuWidth(pointers);
  const char *kind = tileOpIsALoad(op)    ? "load"
                     : tileOpIsAStore(op) ? "store"
                     : isRelaxed(op)      ? "relaxed"
                                          : "atomic";
  int site = cpuSite(l, op, kind, element, index->rank, NULL, 0);
  if (mlirValueIsNull(mask)) mask = allLanes(l, width);
  storeRaw(l, pointers, c->pointers);
  MlirValue bytes = cpuToMemory(l, mask, i1);
  storeRaw(l, bytes, c->mask);
  if (!mlirValueIsNull(value)) {
    MlirValue stored = cpuToMemory(l, value, element);
    storeRaw(l, stored, c->values);
  }
  storeIndices(l, index);
  MlirValue lanes = cpuInt(l, i32, width ? width : 1), lane = cpuInt(l, i32, index->lane);
  cpuCallRuntime(l, "tileCheckAccess", site,
                 TILE_VALUES(lanes, lane, c->pointers, c->mask, c->values, c->indices));
  MlirValue null = {NULL};
  return cpuLoad(l, c->mask, i1, width, null, null);
}

void cpuEndAccess(CpuLowering *l, MlirOperation op) {
  CpuChecks *c = l->checks;
  // An op whose tile has no chunks, or that failed, has no site.
  if (mlirOperationEqual(c->siteOp, op)) cpuCallRuntime(l, "tileCheckFlush", c->site, TILE_NONE);
}

//===- what may fail lane by lane -----------------------------------------===//

typedef struct {
  MlirOperation op;
  const char *kind, *text;
  /// Of an overflow: how its operands become wide.
  const char *extension;
  const CpuIndex *index;
  /// Lanes that failed, and their operands as i64, null where there are none.
  MlirValue bad, operands[2];
} Test;

static void reportLanes(CpuLowering *l, bool yes, void *data) {
  (void)yes;
  Test *t = data;
  CpuChecks *c = l->checks;
  MlirType i32 = tileI32(l->context), i64 = tileI64(l->context);
  int64_t width = cpuWidth(t->bad);
  MlirType type = tileElementType(mlirValueGetType(tileOperand(t->op, 0)));
  if (mlirOperationGetNumResults(t->op))
    type = tileElementType(mlirValueGetType(tileResult(t->op)));
  int site = cpuSite(l, t->op, t->kind, type, t->index->rank, t->text, 0);
  MlirValue bytes = cpuToMemory(l, t->bad, tileI1(l->context));
  storeRaw(l, bytes, c->mask);
  storeIndices(l, t->index);
  for (int i = 0; i < 2; ++i) {
    if (mlirValueIsNull(t->operands[i])) continue;
    MlirValue at = cpuOffset(l, c->values, i64, cpuI64(l, i * (width ? width : 1)));
    storeRaw(l, t->operands[i], at);
  }
  MlirValue lanes = cpuInt(l, i32, width ? width : 1), lane = cpuInt(l, i32, t->index->lane);
  cpuCallRuntime(l, "tileCheckFail", site,
                 TILE_VALUES(lanes, lane, c->mask, c->values, c->indices));
}

/// scf.if (any lane is bad) { report }
static void reportIfAny(CpuChunk *chunk, Test *t) {
  CpuLowering *l = chunk->l;
  MlirType i1 = tileI1(l->context);
  if (!mlirValueIsNull(chunk->tail))
    t->bad = tileBuildBinary(&l->at, "arith.andi", t->bad, chunk->tail);
  MlirValue any = t->bad;
  if (cpuWidth(any)) {
    MlirAttribute kind = tileParseAttr(l->context, "#vector.kind<or>");
    any = tileResult(tileBuildOp(&l->at, "vector.reduction", TILE_VALUES(any), 1, &i1,
                                 TILE_ATTRS({"kind", kind}), 0));
  }
  cpuIf(l, any, false, reportLanes, t);
}

static void runTest(CpuLowering *l, Test *t, MlirType type, CpuChunkBody body) {
  CpuNest nest = {.lane = -1};
  if (tileTypeIsTile(type)) nest = cpuNestOf(l, type);
  cpuNest(l, &nest, false, body, t);
  cpuEndAccess(l, t->op);
}

static MlirValue asI64(CpuLowering *l, MlirValue value, const char *extension) {
  MlirType type = tileElementType(mlirValueGetType(value));
  if (mlirTypeIsAIndex(type)) {
    MlirType wide = cpuWiden(tileI64(l->context), cpuWidth(value));
    return tileBuildUnary(&l->at, "arith.index_cast", wide, value);
  }
  if (tileBitWidth(type) == 64) return value;
  MlirType wide = cpuWiden(tileI64(l->context), cpuWidth(value));
  return tileBuildUnary(&l->at, extension, wide, value);
}

/// As numbers with a sign, or without.
static void overflowChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Test *t = data;
  t->index = index;
  intptr_t count = mlirOperationGetNumOperands(t->op);
  MlirType narrow = tileElementType(mlirValueGetType(tileResult(t->op)));
  for (intptr_t i = 0; i < count && i < 2; ++i) {
    MlirValue operand = cpuEvalVector(chunk, tileOperand(t->op, i), index);
    t->operands[i] = asI64(l, operand, t->extension);
  }
  MlirValue wide = t->operands[0];
  if (count == 2) {
    MlirStringRef ref = tileOpName(t->op);
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)ref.length, ref.data);
    wide = tileBuildBinary(&l->at, name, t->operands[0], t->operands[1]);
  }
  MlirType small = cpuWiden(narrow, cpuWidth(wide));
  MlirValue cut = tileBuildUnary(&l->at, "arith.trunci", small, wide);
  MlirValue back = tileBuildUnary(&l->at, t->extension, mlirValueGetType(wide), cut);
  t->bad = tileBuildCmpi(&l->at, TILE_NE, back, wide);
  reportIfAny(chunk, t);
}

void cpuCheckOverflow(CpuLowering *l, MlirOperation op) {
  MlirType type = mlirValueGetType(tileResult(op));
  bool isUnsigned = cpuHasOverflowFlag(op, "nuw");
  Test with = {.op = op, .kind = "overflow", .extension = "arith.extsi"};
  Test without = {.op = op, .kind = "overflow", .extension = "arith.extui"};
  // Offsets have a sign, unless the op says that its numbers have none.
  if (!isUnsigned || cpuHasOverflowFlag(op, "nsw")) runTest(l, &with, type, overflowChunk);
  if (isUnsigned) runTest(l, &without, type, overflowChunk);
}

/// Reports where the op's operand, a condition, does not hold.
static void conditionChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Test *t = data;
  t->index = index;
  MlirValue holds = cpuEvalVector(chunk, tileOperand(t->op, 0), index);
  MlirValue on = cpuInt(l, mlirValueGetType(holds), 1);
  t->bad = tileBuildBinary(&l->at, "arith.xori", holds, on);
  reportIfAny(chunk, t);
}

void cpuCheckAssert(CpuLowering *l, MlirOperation op) {
  MlirStringRef text = tileAssertGetText(op);
  char *copy = cpuAllocate(l, text.length + 1);
  if (text.length) memcpy(copy, text.data, text.length);
  Test t = {.op = op, .kind = "assert", .text = copy};
  runTest(l, &t, mlirValueGetType(tileAssertGetCondition(op)), conditionChunk);
}

void cpuCheckAssume(CpuLowering *l, MlirOperation op) {
  Test t = {.op = op, .kind = "assert", .text = "what tile.assume says"};
  runTest(l, &t, mlirValueGetType(tileAssumeGetCondition(op)), conditionChunk);
}

/// As unsigned numbers those below 0 are beyond the end, too.
static void gatherChunk(CpuChunk *chunk, const CpuIndex *index, void *data) {
  CpuLowering *l = chunk->l;
  Test *t = data;
  t->index = index;
  int64_t shape[CPU_MAX_RANK];
  tileShape(mlirValueGetType(tileGatherGetSource(t->op)), shape);
  MlirValue at = asI64(l, cpuEvalVector(chunk, tileGatherGetIndices(t->op), index), "arith.extsi");
  MlirValue end = cpuInt(l, mlirValueGetType(at), shape[tileGatherGetAxis(t->op)]);
  t->bad = tileBuildCmpi(&l->at, TILE_UGE, at, end);
  reportIfAny(chunk, t);
}

void cpuCheckGather(CpuLowering *l, MlirOperation op) {
  Test t = {.op = op, .kind = "assert", .text = "indices within the tile"};
  runTest(l, &t, mlirValueGetType(tileGatherGetIndices(op)), gatherChunk);
}
