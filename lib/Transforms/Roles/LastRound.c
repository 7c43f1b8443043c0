//===- LastRound.c - two blocks share each of the last programs -----------===//
#include "LastRound.h"
#include "../Layouts/Layouts.h"
#include "Kernel.h"
#include "tile/Support/PointerTable.h"

//===- whether ------------------------------------------------------------===//

/// Results may only leave as boxes: a program that runs twice then stores nothing the second time.
static MlirWalkResult findEffect(MlirOperation op, void *data) {
  bool *found = data;
  bool isBox =
      tileOpIsADescWrite(op) && !mlirOperationIsNull(tileDescGetMaker(tileDescWriteGetDesc(op)));
  *found |= !isBox && (tileOpGetEffects(op) & TILE_WRITES_GLOBAL);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

const char *tileWhyNotTwice(MlirOperation func) {
  bool found = false;
  mlirOperationWalk(func, findEffect, &found, MlirWalkPreOrder);
  return found ? "expected results that leave as boxes, found a store through pointers" : NULL;
}

typedef struct {
  const TileBoxStores *stores;
  TilePointerTable seen; // a set of values
  const char *reason;
} Search;

static void follow(Search *s, MlirValue value);

static void followLoop(Search *s, MlirOperation loop, intptr_t carried) {
  follow(s, mlirBlockGetArgument(tileBody(loop, 0), 1 + carried));
  follow(s, mlirOperationGetResult(loop, carried));
}

static bool isBoxStore(const Search *s, MlirOperation op) {
  for (int i = 0; i < s->stores->count; ++i)
    if (mlirOperationEqual(s->stores->list[i].store, op)) return true;
  return false;
}

static void followUse(Search *s, MlirOperation user, intptr_t operand) {
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (tileOpIsADot(user) && operand == 2)
    follow(s, tileResult(user));
  else if (tileOpIs(user, "scf.for") && operand >= 3)
    followLoop(s, user, operand - 3);
  else if (tileOpIs(user, "scf.yield") && tileOpIs(parent, "scf.for"))
    followLoop(s, parent, operand);
  else if (tileOpIsElementwise(user))
    follow(s, tileResult(user));
  else if (!isBoxStore(s, user))
    s->reason = "expected products that reach boxes through element-wise ops, found another reader";
}

/// To all that is computed from a product.
static void follow(Search *s, MlirValue value) {
  if (s->reason || !tilePointerTableInsert(&s->seen, value.ptr)) return;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    followUse(s, mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use));
}

static MlirWalkResult followDot(MlirOperation op, void *data) {
  Search *s = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  if (tileDotGetInstruction(op) != TILE_INSTRUCTION_WGMMA)
    s->reason = "expected products by wgmma, found another instruction";
  follow(s, tileResult(op));
  return s->reason ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isConstant(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIs(op, "arith.constant");
}

/// What threads hold of other tiles takes the registers that carry the number of the turn.
static MlirWalkResult findOtherTiles(MlirOperation op, void *data) {
  Search *s = data;
  if (!tileOpIsElementwise(op) || !tilePointerTableFind(s->seen, tileResult(op).ptr))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!tilePointerTableFind(s->seen, operand.ptr) && !isConstant(operand))
      s->reason = "expected products and constants on their way to boxes, found other values";
  }
  return s->reason ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static const char *whyNot(MlirOperation func, const TileBoxStores *stores, int warpGroups,
                          bool pays) {
  if (warpGroups != 2) return "expected two warp groups, found another number";
  const char *reason = tileWhyNotTwice(func);
  if (reason) return reason;
  Search s = {.stores = stores};
  mlirOperationWalk(func, followDot, &s, MlirWalkPreOrder);
  if (!s.reason && pays) mlirOperationWalk(func, findOtherTiles, &s, MlirWalkPreOrder);
  if (!s.reason && !tilePointerTableFirst(s.seen)) s.reason = "expected a dot, found none";
  tilePointerTableClear(&s.seen);
  return s.reason;
}

const char *tileMayShareLastRound(MlirOperation func, const TileBoxStores *stores, int warpGroups) {
  return whyNot(func, stores, warpGroups, false);
}

const char *tileShouldShareLastRound(MlirOperation func, const TileBoxStores *stores,
                                     int warpGroups) {
  return whyNot(func, stores, warpGroups, true);
}

//===- rounds -------------------------------------------------------------===//

TileRounds tileBuildRounds(TileBuilder *b, MlirValue total, MlirValue blocks) {
  TileRounds r;
  MlirValue rounds = tileBuildBinary(b, "arith.divui", total, blocks);
  MlirValue complete = tileBuildBinary(b, "arith.muli", rounds, blocks);
  MlirValue rest = tileBuildBinary(b, "arith.subi", total, complete);
  MlirValue twice = tileBuildBinary(b, "arith.addi", rest, rest);
  MlirValue enough = tileBuildCmpi(b, TILE_ULE, twice, blocks);
  r.shared = tileBuildSelect(b, enough, complete, total);
  MlirValue more = tileBuildBinary(b, "arith.subi", total, r.shared);
  r.end = tileBuildBinary(b, "arith.addi", total, more);
  return r;
}

MlirValue tileBuildProgramOfTurn(TileBuilder *b, const TileRounds *r, MlirValue turn) {
  MlirValue one = tileBuildInt(b, tileI32(b->context), 1);
  MlirValue block = tileBuildBinary(b, "arith.subi", turn, r->shared);
  MlirValue pair = tileBuildBinary(b, "arith.shrui", block, one);
  MlirValue program = tileBuildBinary(b, "arith.addi", r->shared, pair);
  MlirValue isShared = tileBuildCmpi(b, TILE_UGE, turn, r->shared);
  return tileBuildSelect(b, isShared, program, turn);
}

MlirValue tileBuildIsOurs(TileBuilder *b, const TileRounds *r, MlirValue turn) {
  MlirType i32 = tileI32(b->context);
  MlirValue one = tileBuildInt(b, i32, 1), zero = tileBuildInt(b, i32, 0);
  MlirValue group = tileBuild(b, "tile_gpu.warp_group", i32, TILE_NONE);
  MlirValue block = tileBuildBinary(b, "arith.subi", turn, r->shared);
  MlirValue distance = tileBuildBinary(b, "arith.xori", block, group);
  MlirValue odd = tileBuildBinary(b, "arith.andi", distance, one);
  MlirValue same = tileBuildCmpi(b, TILE_EQ, odd, zero);
  MlirValue alone = tileBuildCmpi(b, TILE_ULT, turn, r->shared);
  return tileBuildBinary(b, "arith.ori", alone, same);
}

//===- products -----------------------------------------------------------===//

static MlirWalkResult multiplyWhen(MlirOperation op, void *data) {
  MlirValue *ours = data;
  if (!tileOpIsADot(op)) return MlirWalkResultAdvance;
  MlirValue operands[] = {tileOperand(op, 0), tileOperand(op, 1), tileOperand(op, 2), *ours};
  MlirType type = mlirValueGetType(tileResult(op));
  TileBuilder b = tileBuilderBefore(op);
  MlirOperation made = tileBuildLike(&b, op, 4, operands, &type);
  MlirValue result = tileResult(made);
  tileReplaceOp(op, 1, &result);
  return MlirWalkResultAdvance;
}

void tileMultiplyWhen(MlirBlock body, MlirValue ours) {
  mlirOperationWalk(mlirBlockGetParentOperation(body), multiplyWhen, &ours, MlirWalkPostOrder);
}
