//===- WidenPairs.c - small numbers are sorted as words -------------------===//
//
// Before:  %b = tile.reduce xor %x axis 1 : tensor<64x2x8xi8>
//          %other = %x ^ tile.broadcast (tile.expand_dims %b axis 1)
//          %y = arith.select (%x > %other) ^ %up, %other, %x
// After:   %w = arith.extsi %x : tensor<64x2x8xi32>
//          .. the same of words ..
//          %y = arith.trunci %v : tensor<64x2x8xi8>
//
// Four bytes lie in a register, and are taken out, compared and put back in each step of a sort,
// which is two instructions of three. As words the two of a pair that one thread has are a minimum
// and a maximum; those that lanes exchange are as many exchanges as numbers, not a fourth.
//
// What is a word meanwhile is all that steps of pairs are connected by: exchanges, comparisons,
// selections, and shapes. Done where there are more steps than the two conversions, and something
// is compared, always with a sign or always without: what is turned round by exchanges alone stays
// packed.
//
// Requires: no layouts.  Preserves: everything.
//===----------------------------------------------------------------------===//
#include "WidenPairs.h"
#include "tile/Analysis/Laws.h"
#include "tile/OpTraits.h"
#include "tile/Support/PointerTable.h"
#include "tile/Trace.h"
#include <stdlib.h>

enum { CONVERSIONS = 2 };

static bool isSmall(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!tileTypeIsTile(type) || !mlirTypeIsAInteger(tileElementType(type))) return false;
  int width = tileBitWidth(tileElementType(type));
  return width == 8 || width == 16;
}

static bool isExchange(MlirOperation op) {
  if (!tileOpIsAReduce(op) || mlirOperationGetNumOperands(op) != 1) return false;
  MlirOperation only = tileCombineGetOnlyOp(op);
  return !mlirOperationIsNull(only) && tileOpIs(only, "arith.xori");
}

/// Is operand `i` of `op` a small number of a step, as those are that it is computed of?
static bool isOfStep(MlirOperation op, intptr_t i) {
  bool moves = tileOpIsAReshape(op) || tileOpIsAExpandDims(op) || tileOpIsABroadcast(op) ||
               tileOpIsATrans(op) || tileOpIs(op, "arith.xori") || tileOpIs(op, "arith.cmpi");
  bool chooses = tileOpIs(op, "arith.select") && i > 0;
  return (moves || chooses || isExchange(op)) && isSmall(tileOperand(op, i));
}

/// Steps that are connected, and the comparisons of them.
typedef struct {
  TileOpList ops;
  int pairs;
  bool hasSigned, hasUnsigned;
} Network;

static void add(Network *n, MlirOperation op, MlirBlock block) {
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), block)) return;
  bool takesPart = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) takesPart |= isOfStep(op, i);
  if (!takesPart || tileOpListHolds(&n->ops, op)) return;
  tileOpListAdd(&n->ops, op);
  n->pairs += isExchange(op);
  if (!tileOpIs(op, "arith.cmpi")) return;
  int64_t predicate = mlirIntegerAttrGetValueInt(tileAttr(op, "predicate"));
  n->hasUnsigned |= predicate >= TILE_ULT;
  n->hasSigned |= predicate >= TILE_SLT && predicate < TILE_ULT;
}

/// All that hangs together with the exchange `first`.
static Network networkOf(MlirOperation first) {
  Network n = {.pairs = 0};
  MlirBlock block = mlirOperationGetBlock(first);
  add(&n, first, block);
  for (size_t k = 0; k < n.ops.count; ++k) {
    MlirOperation op = n.ops.ops[k];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (isOfStep(op, i)) add(&n, tileValueGetOp(tileOperand(op, i)), block);
    if (!isSmall(tileResult(op))) continue;
    MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (isOfStep(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use)))
        add(&n, mlirOpOperandGetOwner(use), block);
  }
  return n;
}

/// ^bb0(%a: i32, %b: i32): tile.yield (%a ^ %b)
static void buildBody(MlirOperation combine, MlirType word) {
  MlirLocation location = mlirOperationGetLocation(combine);
  MlirType types[2] = {word, word};
  MlirBlock body = mlirBlockCreate(2, types, (MlirLocation[2]){location, location});
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(combine, 0), body);
  TileBuilder b = tileBuilderAtEnd(body, location);
  MlirValue both = tileBuildBinary(&b, "arith.xori", mlirBlockGetArgument(body, 0),
                                   mlirBlockGetArgument(body, 1));
  tileBuildOp(&b, "tile.yield", TILE_VALUES(both), TILE_NONE, TILE_NONE, 0);
}

/// `value` as words, which are made in front of `b` where nobody has yet.
static MlirValue wordsOf(TileBuilder *b, TilePointerTable *words, MlirValue value, bool isSigned) {
  MlirValue *known = tilePointerTableFind(*words, value.ptr);
  if (known) return *known;
  MlirType type = tileWithElement(mlirValueGetType(value), tileI32(b->context));
  MlirValue wide = tileBuildUnary(b, isSigned ? "arith.extsi" : "arith.extui", type, value);
  *(MlirValue *)tilePointerTableAdd(words, value.ptr, sizeof wide) = wide;
  return wide;
}

static void widen(MlirOperation op, TilePointerTable *words, bool isSigned) {
  enum { MOST = 3 };
  TileBuilder b = tileBuilderBefore(op);
  MlirValue operands[MOST];
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    operands[i] =
        isOfStep(op, i) ? wordsOf(&b, words, tileOperand(op, i), isSigned) : tileOperand(op, i);
  MlirValue result = tileResult(op);
  MlirType word = tileI32(b.context), type = mlirValueGetType(result);
  if (isSmall(result)) type = tileWithElement(type, word);
  MlirOperation made;
  if (tileOpIsAReduce(op)) {
    made = tileBuildOp(&b, "tile.reduce", 1, operands, 1, &type,
                       TILE_ATTRS({"axis", tileAttr(op, "axis")}), 1);
    buildBody(made, word);
  } else {
    made = tileBuildLike(&b, op, count, operands, &type);
  }
  MlirValue wide = tileResult(made), value = wide;
  if (isSmall(result)) {
    *(MlirValue *)tilePointerTableAdd(words, result.ptr, sizeof wide) = wide;
    value = tileBuildUnary(&b, "arith.trunci", mlirValueGetType(result), wide);
  }
  // Steps behind this one find its words by what it was.
  for (MlirOpOperand use = mlirValueGetFirstUse(result), next; !mlirOpOperandIsNull(use);
       use = next) {
    next = mlirOpOperandGetNextUse(use);
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t i = mlirOpOperandGetOperandNumber(use);
    bool isInNetwork = isSmall(result) && isOfStep(user, i) &&
                       mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op));
    if (!isInNetwork) mlirOperationSetOperand(user, i, value);
  }
}

static void widenAll(Network *n, MlirBlock block) {
  TilePointerTable words = {0};
  TileOpList ordered = {0};
  TILE_FOR_EACH_OP(op, block) {
    if (tileOpListHolds(&n->ops, op)) tileOpListAdd(&ordered, op);
  }
  for (size_t i = 0; i < ordered.count; ++i) widen(ordered.ops[i], &words, !n->hasUnsigned);
  for (size_t i = ordered.count; i > 0; --i) mlirOperationDestroy(ordered.ops[i - 1]);
  tileOpListDestroy(&ordered);
  tilePointerTableClear(&words);
}

static bool isSmallExchange(MlirOperation op, void *data) {
  (void)data;
  return isExchange(op) && isSmall(tileOperand(op, 0));
}

void tileWidenPairs(MlirOperation func) {
  while (true) {
    TileOpList exchanges = {0};
    tileOpListCollect(&exchanges, func, MlirWalkPreOrder, isSmallExchange, NULL);
    bool done = true;
    for (size_t i = 0; i < exchanges.count && done; ++i) {
      MlirOperation first = exchanges.ops[i];
      Network n = networkOf(first);
      if (n.pairs > CONVERSIONS && n.hasSigned != n.hasUnsigned) {
        tileTrace(mlirOperationGetLocation(first), "%d exchanges of words", n.pairs);
        widenAll(&n, mlirOperationGetBlock(first));
        done = false;
      }
      tileOpListDestroy(&n.ops);
    }
    tileOpListDestroy(&exchanges);
    if (done) return;
  }
}
