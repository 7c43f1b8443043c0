//===- IndexArithmetic.c - the integers that addresses are made of --------===//
//
// From the offset of every addptr, the mask of every access and the position of every descriptor
// access backwards, through arithmetic, shapes and what loops carry:
//
//   %row = arith.muli %pid, %block     <- in the set
//   %at = arith.extsi %row : i32 to i64
//   %q = tile.addptr %p, %at
//
// What was loaded or reduced ends the walk: it is data, and data may wrap. So may an op that says
// so, by tile.wraps; and one that promises not to, by an overflow flag of arith, is in the set
// wherever it stands.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  CpuLowering *l;
  TilePointerTable followed; ///< a set of values
} Walk;

/// Ops whose result is an index or a mask where their operands are.
static bool keepsIndices(MlirOperation op) {
  static const char *const arith[] = {
      "arith.addi",   "arith.subi",     "arith.muli",       "arith.shli",
      "arith.shrsi",  "arith.shrui",    "arith.divsi",      "arith.divui",
      "arith.remsi",  "arith.remui",    "arith.ceildivsi",  "arith.floordivsi",
      "arith.minsi",  "arith.maxsi",    "arith.minui",      "arith.maxui",
      "arith.select", "arith.extsi",    "arith.extui",      "arith.trunci",
      "arith.andi",   "arith.ori",      "arith.cmpi",       "arith.index_cast",
      "tile.splat",   "tile.broadcast", "tile.reshape",     "tile.trans",
      "tile.join",    "tile.split",     "tile.cat",         "tile.gather",
      "tile.slice",   "tile.addptr",    "tile.expand_dims", NULL};
  return tileOpIsOneOf(op, arith);
}

/// Does the op compute in 32 bits or fewer what may not fit?
static bool mayWrap(MlirOperation op) {
  if (!tileOpIsModular(op) && !tileOpIs(op, "arith.index_cast")) return false;
  MlirType element = tileElementType(mlirValueGetType(tileResult(op)));
  int bits = tileBitWidth(element);
  return mlirTypeIsAInteger(element) && bits > 1 && bits <= 32;
}

bool cpuHasOverflowFlag(MlirOperation op, const char *flag) {
  MlirAttribute flags = tileAttr(op, "overflowFlags");
  if (mlirAttributeIsNull(flags)) return false;
  TileText text = {0};
  mlirAttributePrint(flags, tileTextCollect, &text);
  bool has = text.data && strstr(text.data, flag);
  free(text.data);
  return has;
}

static void follow(Walk *w, MlirValue value);

static void followArgument(Walk *w, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation owner = mlirBlockGetParentOperation(block);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (tileOpIs(owner, "scf.for")) {
    if (i == 0) return;
    follow(w, tileForGetInit(owner, i - 1));
    follow(w, tileOperand(mlirBlockGetTerminator(block), i - 1));
  } else if (tileOpIs(owner, "scf.while")) {
    MlirBlock before = tileBody(owner, 0), after = tileBody(owner, 1);
    if (mlirBlockEqual(block, after)) {
      follow(w, tileOperand(mlirBlockGetTerminator(before), 1 + i));
      return;
    }
    follow(w, tileOperand(owner, i));
    follow(w, tileOperand(mlirBlockGetTerminator(after), i));
  }
}

static void followResult(Walk *w, MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  if (mayWrap(op) && mlirAttributeIsNull(tileAttr(op, "tile.wraps")))
    tilePointerTableInsert(&w->l->checks->arithmetic, op.ptr);
  if (keepsIndices(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) follow(w, tileOperand(op, i));
    return;
  }
  bool isWhile = tileOpIs(op, "scf.while");
  if (!isWhile && !tileOpIs(op, "scf.for") && !tileOpIs(op, "scf.if")) return;
  intptr_t i = mlirOpResultGetResultNumber(value);
  // What a while yields to the outside is its condition's operand.
  for (intptr_t r = 0; r < (isWhile ? 1 : mlirOperationGetNumRegions(op)); ++r) {
    MlirBlock block = tileBody(op, r);
    if (!mlirBlockIsNull(block))
      follow(w, tileOperand(mlirBlockGetTerminator(block), isWhile ? 1 + i : i));
  }
  if (tileOpIs(op, "scf.for")) follow(w, tileForGetInit(op, i));
}

static void follow(Walk *w, MlirValue value) {
  if (mlirValueIsNull(value) || !tilePointerTableInsert(&w->followed, value.ptr)) return;
  if (mlirValueIsABlockArgument(value))
    followArgument(w, value);
  else
    followResult(w, value);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  Walk *w = data;
  if (tileOpIsAGrid(op) || tileOpIsACost(op)) return MlirWalkResultSkip;
  if (mayWrap(op) && (cpuHasOverflowFlag(op, "nsw") || cpuHasOverflowFlag(op, "nuw")))
    tilePointerTableInsert(&w->l->checks->arithmetic, op.ptr);
  if (tileOpIsAAddPtr(op)) follow(w, tileAddPtrGetOffset(op));
  if (tileOpIsALoad(op)) follow(w, tileLoadGetMask(op));
  if (tileOpIsAStore(op)) follow(w, tileStoreGetMask(op));
  if (tileOpIsAAtomicRmw(op)) follow(w, tileAtomicRmwGetMask(op));
  if (tileOpIsAAtomicCas(op)) follow(w, tileAtomicCasGetMask(op));
  if (tileOpIsADescLoad(op) || tileOpIsADescStore(op) || tileOpIsAMakeDesc(op))
    for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i) {
      MlirType element = tileElementType(mlirValueGetType(tileOperand(op, i)));
      bool isValue = tileOpIsADescStore(op) && i + 1 == mlirOperationGetNumOperands(op);
      if (!isValue && mlirTypeIsAInteger(element)) follow(w, tileOperand(op, i));
    }
  return MlirWalkResultAdvance;
}

void cpuFindIndexArithmetic(CpuLowering *l) {
  Walk w = {.l = l};
  mlirOperationWalk(l->kernel, visit, &w, MlirWalkPreOrder);
  tilePointerTableClear(&w.followed);
}

void cpuForgetIndexArithmetic(CpuLowering *l) { tilePointerTableClear(&l->checks->arithmetic); }

bool cpuIsIndexArithmetic(const CpuLowering *l, MlirOperation op) {
  return tilePointerTableFind(l->checks->arithmetic, op.ptr);
}
