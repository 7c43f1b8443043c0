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
// compare-and-swap.
//
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include <stdio.h>

/// "#tile<rmw_kind fadd>" and so on; null, after MLIR's diagnostic, for a word that tile has not.
static MlirAttribute enumAttr(MlirContext context, const char *name, MlirStringRef word) {
  char text[128];
  snprintf(text, sizeof text, "#tile<%s %.*s>", name, (int)word.length, word.data);
  return tileParseAttr(context, text);
}

static MlirLogicalResult convertRmw(MlirOperation op, TileBuilder *b) {
  MlirStringRef word = tritonWord(op, "kind");
  if (tileStringIs(word, "exch")) word = tileString("xchg");
  MlirAttribute kind = enumAttr(b->context, "rmw_kind", word);
  MlirAttribute order = enumAttr(b->context, "order", tritonWord(op, "sem"));
  MlirAttribute scope = enumAttr(b->context, "scope", tritonWord(op, "scope"));
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
  MlirAttribute order = enumAttr(b->context, "order", tritonWord(op, "sem"));
  MlirAttribute scope = enumAttr(b->context, "scope", tritonWord(op, "scope"));
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

/// False, after a diagnostic, where elements have fewer than `least` bits.
static bool describeWords(MlirOperation op, TileBuilder *b, MlirType element, int least, Words *w) {
  int width = tileTypeIsAPtr(element) ? 64 : tileBitWidth(element);
  if (width < least) {
    (void)tritonRefuse(
        op, least == 32 ? "numbers of 32 or 64 bits" : "numbers of 16, 32 or 64 bits", "others");
    return false;
  }
  w->order = enumAttr(b->context, "order", tritonWord(op, "sem"));
  w->scope = enumAttr(b->context, "scope", tritonWord(op, "scope"));
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
  if (!describeWords(op, b, tileElementType(type), 16, &w)) return mlirLogicalResultFailure();
  bool masked = mlirOperationGetNumOperands(op) > 1;
  MlirValue read = readWords(b, &w, masked ? tileOperand(op, 1) : (MlirValue){NULL});
  return tritonReplace(
      op, mlirTypeEqual(w.bits, type) ? read : tileBuildUnary(b, "arith.bitcast", type, read));
}

static MlirLogicalResult convertStore(MlirOperation op, TileBuilder *b) {
  MlirValue value = tileOperand(op, 1);
  Words w;
  if (!describeWords(op, b, tileElementType(mlirValueGetType(value)), 32, &w))
    return mlirLogicalResultFailure();
  if (!mlirTypeEqual(mlirValueGetType(value), w.bits))
    value = tileBuildUnary(b, "arith.bitcast", w.bits, value);
  bool masked = mlirOperationGetNumOperands(op) > 2;
  MlirValue operands[3] = {w.pointers, value, masked ? tileOperand(op, 2) : (MlirValue){NULL}};
  MlirAttribute kind = tileParseAttr(b->context, "#tile<rmw_kind xchg>");
  tileBuildOp(b, "tile.atomic_rmw", masked ? 3 : 2, operands, 1, &w.bits,
              TILE_ATTRS({"kind", kind}, {"order", w.order}, {"scope", w.scope}), 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// Does any element wait?
static MlirValue buildAny(TileBuilder *b, MlirValue waits) {
  return tileTypeIsTile(mlirValueGetType(waits)) ? tritonReduceAll(b, waits, "arith.ori") : waits;
}

/// A loop that carries which elements wait; it ends when none does, so that all were seen.
static MlirLogicalResult convertPoll(MlirOperation op, TileBuilder *b) {
  if (mlirOperationGetNumOperands(op) > 2) return tritonRefuse(op, "no timeout", "one");
  MlirValue expected = tileOperand(op, 1);
  MlirType truth = tritonResultType(op);
  Words w;
  if (!describeWords(op, b, tileElementType(mlirValueGetType(expected)), 16, &w))
    return mlirLogicalResultFailure();
  MlirValue all = tileBuildInt(b, truth, 1);
  MlirOperation loop = tileBuildOp(b, "scf.while", TILE_VALUES(all), 1, &truth, TILE_NONE, 2);
  for (intptr_t i = 0; i < 2; ++i) {
    MlirBlock block = mlirBlockCreate(1, &truth, &b->location);
    mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, i), block);
    TileBuilder in = tileBuilderAtEnd(block, b->location);
    MlirValue waits = mlirBlockGetArgument(block, 0);
    if (i) {
      tileBuildOp(&in, "scf.yield", TILE_VALUES(waits), TILE_NONE, TILE_NONE, 0);
      continue;
    }
    MlirValue seen = readWords(&in, &w, waits);
    waits = tileBuildBinary(&in, "arith.andi", waits, tileBuildCmpi(&in, TILE_NE, seen, expected));
    MlirValue any = buildAny(&in, waits);
    tileBuildOp(&in, "scf.condition", TILE_VALUES(any, waits), TILE_NONE, TILE_NONE, 0);
  }
  return tritonReplace(op, all);
}

const TritonRule tritonAtomicRules[] = {
    {"tt.atomic_rmw", convertRmw},   {"tt.atomic_cas", convertCas},
    {"tt.atomic_load", convertLoad}, {"tt.atomic_store", convertStore},
    {"tt.atomic_poll", convertPoll}, {NULL, NULL}};
