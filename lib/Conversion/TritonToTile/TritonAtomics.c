//===- TritonAtomics.c - atomic accesses ----------------------------------===//
//
// Before:  %v = tt.atomic_load acquire, gpu, %p, %m : (tensor<8x!tt.ptr<f32>>, tensor<8xi1>) ->
// tensor<8xf32>
//          tt.atomic_store release, gpu, %p, %v, %m : tensor<8x!tt.ptr<f32>>
//          %ok = tt.atomic_poll acquire, gpu, %flag, %n : !tt.ptr<i32>, i32 -> i1
// After:   %bits = tile.atomic_rmw or acquire gpu %q, %zeros, %m : tensor<8x!tile.ptr<i32>>
//          %v = arith.bitcast %bits
//          tile.atomic_rmw xchg release gpu %q, %bits, %m
//          scf.while { %seen = tile.atomic_rmw or acquire gpu %flag, %c0; condition(%seen != %n) }
//
// Atomics that change nothing read, as tile has no atomic load; of 16 bits they are
// compare-and-swap, and a store of 16 bits is a loop of these. A poll with a timeout asks
// %globaltimer in each step.
//
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include <stdio.h>

static const char *const kinds[] = {"add", "fadd", "and",  "or",   "xor", "min",
                                    "max", "umin", "umax", "xchg", NULL};
static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel", NULL};
static const char *const scopes[] = {"cta", "gpu", "sys", NULL};

/// "#tile<rmw_kind fadd>" and so on; null for a word that is none of `words`.
static MlirAttribute enumAttr(MlirContext context, const char *name, const char *const words[],
                              MlirStringRef word) {
  char text[128];
  for (; *words; ++words) {
    if (!tileStringIs(word, *words)) continue;
    snprintf(text, sizeof text, "#tile<%s %s>", name, *words);
    return tileParseAttr(context, text);
  }
  return mlirAttributeGetNull();
}

static MlirLogicalResult convertRmw(MlirOperation op, TileBuilder *b) {
  MlirStringRef word = tritonWord(op, "kind");
  if (tileStringIs(word, "exch")) word = tileString("xchg");
  MlirAttribute kind = enumAttr(b->context, "rmw_kind", kinds, word);
  MlirAttribute order = enumAttr(b->context, "order", orders, tritonWord(op, "sem"));
  MlirAttribute scope = enumAttr(b->context, "scope", scopes, tritonWord(op, "scope"));
  if (mlirAttributeIsNull(kind) || mlirAttributeIsNull(order) || mlirAttributeIsNull(scope))
    return tritonRefuse(op, "a kind, an order and a scope that tile has", "another");
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 3) return tritonRefuse(op, "pointers, values and a mask", "more");
  MlirValue operands[3] = {tileOperand(op, 0), tileOperand(op, 1)};
  if (count > 2) operands[2] = tileOperand(op, 2);
  MlirType type = tritonResultType(op);
  MlirOperation made =
      tileBuildOp(b, "tile.atomic_rmw", count, operands, 1, &type,
                  TILE_ATTRS({"kind", kind}, {"order", order}, {"scope", scope}), 0);
  return tritonReplace(op, tileResult(made));
}

static MlirLogicalResult convertCas(MlirOperation op, TileBuilder *b) {
  MlirAttribute order = enumAttr(b->context, "order", orders, tritonWord(op, "sem"));
  MlirAttribute scope = enumAttr(b->context, "scope", scopes, tritonWord(op, "scope"));
  if (mlirAttributeIsNull(order) || mlirAttributeIsNull(scope))
    return tritonRefuse(op, "an order and a scope that tile has", "another");
  MlirValue operands[3];
  for (intptr_t i = 0; i < 3; ++i) operands[i] = tileOperand(op, i);
  MlirType type = tritonResultType(op);
  MlirOperation made = tileBuildOp(b, "tile.atomic_cas", 3, operands, 1, &type,
                                   TILE_ATTRS({"order", order}, {"scope", scope}), 0);
  return tritonReplace(op, tileResult(made));
}

//===- loads and stores ---------------------------------------------------===//

/// What an atomic load or store goes through: pointers to integers, their type, the order and
/// scope.
typedef struct {
  MlirValue pointers;
  MlirType bits;
  MlirAttribute order, scope;
} Words;

/// False, after a diagnostic, where elements are bytes.
static bool describeWords(MlirOperation op, TileBuilder *b, MlirType element, Words *w) {
  int width = tileTypeIsAPtr(element) ? 64 : tileBitWidth(element);
  if (width < 16) {
    (void)tritonRefuse(op, "numbers of 16, 32 or 64 bits", "others");
    return false;
  }
  w->order = enumAttr(b->context, "order", orders, tritonWord(op, "sem"));
  w->scope = enumAttr(b->context, "scope", scopes, tritonWord(op, "scope"));
  if (mlirAttributeIsNull(w->order) || mlirAttributeIsNull(w->scope)) {
    (void)tritonRefuse(op, "an order and a scope that tile has", "another");
    return false;
  }
  MlirType from = mlirValueGetType(tileOperand(op, 0));
  MlirType word = mlirIntegerTypeGet(b->context, (unsigned)width);
  MlirType to = tileWithElement(from, tilePtrTypeGet(word));
  w->bits = tileWithElement(from, word);
  w->pointers = mlirTypeEqual(from, to)
                    ? tileOperand(op, 0)
                    : tileBuildUnary(b, "tile.ptr_cast", to, tileOperand(op, 0));
  return true;
}

/// The words as they are now; 0 where the mask, which may be null, is off.
static MlirValue readWords(TileBuilder *b, const Words *w, MlirValue mask) {
  MlirValue zero = tileBuildZero(b, w->bits);
  bool swaps = tileBitWidth(tileElementType(w->bits)) < 32, masked = !mlirValueIsNull(mask);
  MlirValue operands[4] = {w->pointers, zero};
  intptr_t count = 2;
  if (swaps) operands[count++] = zero;
  if (masked) operands[count++] = mask;
  TileNamedAttr attrs[3] = {{"order", w->order}, {"scope", w->scope}};
  if (!swaps) attrs[2] = (TileNamedAttr){"kind", tileParseAttr(b->context, "#tile<rmw_kind or>")};
  return tileResult(tileBuildOp(b, swaps ? "tile.atomic_cas" : "tile.atomic_rmw", count, operands,
                                1, &w->bits, swaps ? 2 : 3, attrs, 0));
}

static MlirLogicalResult convertLoad(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  Words w;
  if (!describeWords(op, b, tileElementType(type), &w)) return mlirLogicalResultFailure();
  bool masked = mlirOperationGetNumOperands(op) > 1;
  MlirValue read = readWords(b, &w, masked ? tileOperand(op, 1) : (MlirValue){NULL});
  return tritonReplace(
      op, mlirTypeEqual(w.bits, type) ? read : tileBuildUnary(b, "arith.bitcast", type, read));
}

/// Does any element wait?
static MlirValue buildAny(TileBuilder *b, MlirValue waits) {
  return tileTypeIsTile(mlirValueGetType(waits)) ? tritonReduceAll(b, waits, "arith.ori") : waits;
}

/// The blocks of a loop, of which the second hands on what the first one does; a builder in the
/// first.
static TileBuilder buildWhile(TileBuilder *b, intptr_t count, const MlirValue *values,
                              const MlirType *types, MlirOperation *loop) {
  *loop = tileBuildOp(b, "scf.while", count, values, count, types, TILE_NONE, 2);
  MlirBlock blocks[2];
  MlirLocation at[2] = {b->location, b->location};
  for (intptr_t i = 0; i < 2; ++i) {
    blocks[i] = mlirBlockCreate(count, types, at);
    mlirRegionAppendOwnedBlock(mlirOperationGetRegion(*loop, i), blocks[i]);
  }
  TileBuilder after = tileBuilderAtEnd(blocks[1], b->location);
  MlirValue handed[2];
  for (intptr_t i = 0; i < count; ++i) handed[i] = mlirBlockGetArgument(blocks[1], i);
  tileBuildOp(&after, "scf.yield", count, handed, TILE_NONE, TILE_NONE, 0);
  return tileBuilderAtEnd(blocks[0], b->location);
}

/// Words of 16 bits, which no instruction exchanges: what was seen there is swapped for the value
/// until it was there still. A loop that carries what was seen, and which elements wait.
static void swapWords(TileBuilder *b, const Words *w, MlirValue value, MlirValue mask) {
  MlirType truth = tileWithElement(w->bits, mlirIntegerTypeGet(b->context, 1));
  MlirType types[2] = {w->bits, truth};
  MlirValue first[2] = {tileBuildZero(b, w->bits), mask};
  if (mlirValueIsNull(mask)) first[1] = tileBuildInt(b, truth, 1);
  MlirOperation loop;
  TileBuilder in = buildWhile(b, 2, first, types, &loop);
  MlirBlock block = tileBody(loop, 0);
  MlirValue before = mlirBlockGetArgument(block, 0), waits = mlirBlockGetArgument(block, 1);
  MlirValue found =
      tileResult(tileBuildOp(&in, "tile.atomic_cas", TILE_VALUES(w->pointers, before, value, waits),
                             1, &w->bits, TILE_ATTRS({"order", w->order}, {"scope", w->scope}), 0));
  MlirValue differs = tileBuildCmpi(&in, TILE_NE, found, before);
  waits = tileBuildBinary(&in, "arith.andi", waits, differs);
  MlirValue any = buildAny(&in, waits);
  tileBuildOp(&in, "scf.condition", TILE_VALUES(any, found, waits), TILE_NONE, TILE_NONE, 0);
}

static MlirLogicalResult convertStore(MlirOperation op, TileBuilder *b) {
  MlirValue value = tileOperand(op, 1);
  Words w;
  if (!describeWords(op, b, tileElementType(mlirValueGetType(value)), &w))
    return mlirLogicalResultFailure();
  if (!mlirTypeEqual(mlirValueGetType(value), w.bits))
    value = tileBuildUnary(b, "arith.bitcast", w.bits, value);
  bool masked = mlirOperationGetNumOperands(op) > 2;
  MlirValue operands[3] = {w.pointers, value, masked ? tileOperand(op, 2) : (MlirValue){NULL}};
  if (tileBitWidth(tileElementType(w.bits)) < 32) {
    swapWords(b, &w, value, operands[2]);
  } else {
    MlirAttribute kind = tileParseAttr(b->context, "#tile<rmw_kind xchg>");
    tileBuildOp(b, "tile.atomic_rmw", masked ? 3 : 2, operands, 1, &w.bits,
                TILE_ATTRS({"kind", kind}, {"order", w.order}, {"scope", w.scope}), 0);
  }
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// Nanoseconds, of a clock that all programs share and each thread looks at for itself: as many
/// elements as a block has threads at most, of which the latest is one number for all of them.
static MlirValue buildClock(TileBuilder *b) {
  MlirType i64 = tileI64(b->context);
  const int64_t threads[] = {1024};
  MlirType type = mlirRankedTensorTypeGet(1, threads, i64, mlirAttributeGetNull());
  MlirOperation read =
      tileBuildOp(b, "tile.inline_ptx", TILE_NONE, 1, &type,
                  TILE_ATTRS({"text", tileStringAttr(b->context, "mov.u64 $0, %globaltimer;")},
                             {"constraints", tileStringAttr(b->context, "=l")}),
                  0);
  return tritonReduceAll(b, tileResult(read), "arith.maxui");
}

/// A loop that carries which elements wait; it ends when none does, or time is up.
static MlirLogicalResult convertPoll(MlirOperation op, TileBuilder *b) {
  MlirValue expected = tileOperand(op, 1), start = {NULL};
  bool timed = mlirOperationGetNumOperands(op) > 2;
  MlirType truth = tritonResultType(op);
  Words w;
  if (!describeWords(op, b, tileElementType(mlirValueGetType(expected)), &w))
    return mlirLogicalResultFailure();
  MlirValue all = tileBuildInt(b, truth, 1);
  if (timed) start = buildClock(b);
  MlirOperation loop;
  TileBuilder in = buildWhile(b, 1, &all, &truth, &loop);
  MlirValue waits = mlirBlockGetArgument(tileBody(loop, 0), 0);
  MlirValue seen = readWords(&in, &w, waits);
  waits = tileBuildBinary(&in, "arith.andi", waits, tileBuildCmpi(&in, TILE_NE, seen, expected));
  MlirValue any = buildAny(&in, waits);
  if (timed) {
    MlirValue passed = tileBuildBinary(&in, "arith.subi", buildClock(&in), start);
    MlirValue early = tileBuildCmpi(&in, TILE_ULT, passed, tileOperand(op, 2));
    any = tileBuildBinary(&in, "arith.andi", any, early);
  }
  tileBuildOp(&in, "scf.condition", TILE_VALUES(any, waits), TILE_NONE, TILE_NONE, 0);
  if (!timed) return tritonReplace(op, all);
  // Those that wait still were not seen.
  return tritonReplace(op, tileBuildBinary(b, "arith.xori", tileResult(loop), all));
}

const TritonRule tritonAtomicRules[] = {
    {"tt.atomic_rmw", convertRmw},   {"tt.atomic_cas", convertCas},
    {"tt.atomic_load", convertLoad}, {"tt.atomic_store", convertStore},
    {"tt.atomic_poll", convertPoll}, {NULL, NULL}};
