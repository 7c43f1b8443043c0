//===- LastRound.c - may two blocks share each of the last programs? ------===//
#include "LastRound.h"
#include "../Kernel.h"
#include "StoreWhen.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/PointerTable.h"

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

/// Does it make a tile the one matrix of a box of more dimensions, which is stored at once?
static bool isBoxOfMatrix(const Search *s, MlirOperation op) {
  if (!tileOpIsAReshape(op)) return false;
  MlirOpOperand use = tileOnlyUse(tileResult(op));
  return !mlirOpOperandIsNull(use) && isBoxStore(s, mlirOpOperandGetOwner(use));
}

static void followUse(Search *s, MlirOperation user, intptr_t operand) {
  MlirOperation parent = mlirOperationGetParentOperation(user);
  if (tileOpIsADot(user) && operand == 2)
    follow(s, tileResult(user));
  else if (tileOpIs(user, "scf.for") && operand >= TILE_FOR_INITS)
    followLoop(s, user, operand - TILE_FOR_INITS);
  else if (tileOpIs(user, "scf.yield") && tileOpIs(parent, "scf.for"))
    followLoop(s, parent, operand);
  else if (tileOpIsElementwise(user) || tileOpIsATrans(user))
    follow(s, tileResult(user));
  else if (!isBoxStore(s, user) && !isBoxOfMatrix(s, user))
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
  // Where threads hold A, those of the idle group would have to leave it out, too: on an H200 that
  // ended in an illegal instruction (docs/results/notebook/strangers.md).
  if (!s->reason && !tileTypeIsABuffer(mlirValueGetType(tileDotGetA(op))))
    s->reason = "expected operands that lie in shared memory, found one in registers";
  follow(s, tileResult(op));
  return s->reason ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isConstant(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  return !mlirOperationIsNull(op) && tileOpIs(op, "arith.constant");
}

static bool holdsDot(MlirBlock block) {
  TILE_FOR_EACH_OP(op, block)
  if (tileOpIsADot(op)) return true;
  return false;
}

/// What threads hold of other tiles takes the registers that carry the number of the turn.
static MlirWalkResult findOtherTiles(MlirOperation op, void *data) {
  Search *s = data;
  if (!tileOpIsElementwise(op) || !tilePointerTableFind(s->seen, tileResult(op).ptr))
    return MlirWalkResultAdvance;
  // Tensor cores that are told whether to multiply, and threads that look at each sum: ptxas has
  // one wait for the other after each instruction (C7514).
  if (tileOpIs(mlirOperationGetParentOperation(op), "scf.for") &&
      holdsDot(mlirOperationGetBlock(op)))
    s->reason = "expected sums that dots alone add to, found other arithmetic beside them";
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = tileOperand(op, i);
    if (!tilePointerTableFind(s->seen, operand.ptr) && !isConstant(operand))
      s->reason = "expected products and constants on their way to boxes, found other values";
  }
  return s->reason ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static const char *whyNot(MlirOperation func, const TileBoxStores *stores, int warpGroups,
                          bool pays) {
  if (warpGroups != tileMachineNumber(tileMachineOf(func), TILE_NUMBER_SHARED_ROUND_GROUPS))
    return "expected two warp groups, found another number";
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

MlirValue tileFindTurn(MlirOperation func, MlirOperation loop, int64_t cluster) {
  MlirValue counter = mlirBlockGetArgument(tileBody(loop, 0), 0);
  MlirValue rank = tileKernelGetClusterRank(func), none = {NULL};
  if (cluster == 1) return counter;
  if (mlirValueIsNull(rank)) return none;
  MlirOpOperand use = mlirValueGetFirstUse(counter);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (tileOpIs(op, "arith.addi") &&
        (mlirValueEqual(tileOperand(op, 0), rank) || mlirValueEqual(tileOperand(op, 1), rank)))
      return tileResult(op);
  }
  return none;
}
