//===- TurnAhead.c - operands that threads turn round, ahead --------------===//
#include "TurnAhead.h"

static const char mark[] = "tile_gpu.turns";

/// The store into the buffer, and the dot that reads it; false where there is anything else.
static bool findUses(MlirOperation alloc, MlirOperation *store, MlirOperation *dot) {
  *store = *dot = (MlirOperation){NULL};
  MlirBlock block = mlirOperationGetBlock(alloc);
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(alloc));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool isStore = tileOpIsABufferStore(user);
    bool isDot = tileOpIsWgmma(user) && mlirOpOperandGetOperandNumber(use) == 1;
    MlirOperation *found = isStore ? store : dot;
    if (!(isStore || isDot) || !mlirOperationIsNull(*found) ||
        !mlirBlockEqual(mlirOperationGetBlock(user), block))
      return false;
    *found = user;
  }
  return !mlirOperationIsNull(*store) && !mlirOperationIsNull(*dot) &&
         mlirOperationIsBeforeInBlock(*store, *dot);
}

bool tileIsTurned(MlirOperation alloc) {
  MlirOperation store, dot;
  if (!tileOpIsAAllocShared(alloc) || !findUses(alloc, &store, &dot)) return false;
  MlirBlock block = mlirOperationGetBlock(alloc);
  MlirOperation load = tileValueGetSource(tileBufferStoreGetValue(store));
  return tileOpIs(mlirBlockGetParentOperation(block), "scf.for") && !mlirOperationIsNull(load) &&
         tileOpIsABufferLoad(load) && mlirBlockEqual(mlirOperationGetBlock(load), block);
}

bool tileFillsTurned(MlirOperation op) { return !mlirAttributeIsNull(tileAttr(op, mark)); }

bool tileReadsTurned(MlirOperation dot) { return tileFillsTurned(dot); }

static void setMark(MlirOperation op) {
  MlirContext c = mlirOperationGetContext(op);
  mlirOperationSetAttributeByName(op, tileString(mark), mlirUnitAttrGet(c));
}

/// The stage of a ring that `view` shows; null where it shows none.
static MlirValue stageOf(MlirValue view) {
  MlirOperation op = tileValueGetOp(view);
  bool isStage = !mlirOperationIsNull(op) && tileOpIsABufferStage(op);
  return isStage ? tileBufferStageGetStage(op) : (MlirValue){NULL};
}

static bool isOfStage(MlirValue view, MlirValue stage) {
  MlirValue own = stageOf(view);
  return !mlirValueIsNull(own) && mlirValueEqual(own, stage);
}

enum { mostMoved = 8 };

/// What stands between the box's arrival and the end of `store`: the wait for it, where that is
/// behind `first`, the load, the barrier and the arrival that give the slot back, and the store.
/// Returns how many, 0 where they are not known.
static int findFilling(MlirOperation first, MlirOperation load, MlirOperation store,
                       MlirOperation found[mostMoved]) {
  int count = 0;
  bool isRead = false;
  MlirValue stage = stageOf(tileBufferLoadGetBuffer(load));
  if (mlirValueIsNull(stage)) return 0;
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(load)) {
    bool isBehind = mlirOperationIsBeforeInBlock(first, op);
    bool isWait = tileOpIsABarrierWait(op) && isOfStage(tileBarrierWaitGetBarrier(op), stage);
    bool isArrival =
        tileOpIsABarrierArrive(op) && isOfStage(tileBarrierArriveGetBarrier(op), stage);
    if (mlirOperationEqual(op, load)) isRead = true;
    bool isGroup = tileOpIsAGroupBarrier(op) && isRead;
    bool isOurs = isWait || isArrival || isGroup || mlirOperationEqual(op, load) ||
                  mlirOperationEqual(op, store);
    if (!isOurs || !isBehind) continue;
    if (count == mostMoved || (isArrival && !isRead)) return 0;
    found[count++] = op;
    if (mlirOperationEqual(op, store)) return isRead ? count : 0;
  }
  return 0;
}

/// Moves `op` behind `*last`, and in front of it what it reads that stands farther on, and marks
/// them.
static void moveBehind(MlirOperation *last, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(*last);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (!mlirOperationIsNull(from) && mlirBlockEqual(mlirOperationGetBlock(from), block) &&
        mlirOperationIsBeforeInBlock(*last, from))
      moveBehind(last, from);
  }
  mlirOperationMoveAfter(op, *last);
  *last = op;
  setMark(op);
}

/// Is all that `op` reads there in front of `first`, or made by what may stand anywhere?
static bool canMove(MlirOperation first, MlirOperation op, int depth) {
  MlirBlock block = mlirOperationGetBlock(first);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation from = tileValueGetOp(tileOperand(op, i));
    if (mlirOperationIsNull(from) || !mlirBlockEqual(mlirOperationGetBlock(from), block) ||
        mlirOperationIsBeforeInBlock(from, first) || tileOpIsABufferLoad(from))
      continue;
    if (depth == 0 || !tileOpIsMovable(from) || !canMove(first, from, depth - 1)) return false;
  }
  return true;
}

/// The filling of a ring by `store`, which ends with `barrier`, runs right behind the first dot of
/// the step, where that is another one than `dot`.
static void fillEarly(MlirOperation store, MlirOperation barrier, MlirOperation dot) {
  enum { deepest = 16 };
  MlirOperation first = dot, found[mostMoved],
                load = tileValueGetSource(tileBufferStoreGetValue(store));
  TILE_FOR_EACH_OP(op, mlirOperationGetBlock(dot)) {
    if (!tileOpIsWgmma(op)) continue;
    first = op;
    break;
  }
  setMark(load);
  setMark(store);
  setMark(barrier);
  bool isBehind = mlirOperationIsBeforeInBlock(first, load);
  int count = isBehind ? findFilling(first, load, store, found) : 0;
  bool can = count > 0;
  for (int i = 0; i < count; ++i) can &= canMove(first, found[i], deepest);
  MlirOperation last = first;
  for (int i = 0; i < count && can; ++i) moveBehind(&last, found[i]);
  if (can) moveBehind(&last, barrier);
}

static MlirOperation specializationOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !tileOpIsAWarpSpecialize(op))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/// One buffer becomes a ring. Returns the loop that stands for `loop`.
static MlirOperation turnAhead(MlirOperation loop, MlirOperation alloc) {
  MlirOperation store, dot;
  if (!findUses(alloc, &store, &dot)) return loop;
  MlirType type = mlirValueGetType(tileResult(alloc));
  int64_t shape[TILE_MAX_RANK], order[TILE_MAX_RANK];
  int rank = (int)tileBufferTypeGetRank(type);
  for (int d = 0; d < rank; ++d) {
    shape[d] = tileBufferTypeGetDim(type, d);
    order[d] = tileBufferTypeGetOrder(type, d);
  }
  MlirContext c = mlirOperationGetContext(loop);
  MlirType ringType = tileBufferTypeGet(c, rank, shape, tileBufferTypeGetElement(type),
                                        tileBufferTypeGetSwizzle(type), order, tileTurnSlots);
  TileBuilder b = tileBuilderBefore(specializationOf(loop));
  MlirValue ring = tileResult(tileBuildOp(&b, "tile_gpu.alloc_shared", TILE_NONE, 1, &ringType,
                                          TILE_ATTRS({"guarded", mlirUnitAttrGet(c)}), 0));
  b = tileBuilderBefore(loop);
  MlirValue zero = tileBuildInt(&b, tileI32(c), 0);
  tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  MlirBlock body = tileBody(loop, 0);
  intptr_t number = mlirBlockGetNumArguments(body);
  loop = tileExtendFor(loop, 1, &zero);
  MlirValue slot = mlirBlockGetArgument(body, number);
  b = tileBuilderBefore(store);
  MlirValue view = tileBuildSlot(&b, ring, slot);
  mlirValueReplaceAllUsesOfWith(tileResult(alloc), view);
  mlirOperationDestroy(alloc);
  setMark(dot);
  b = tileBuilderAfter(store);
  MlirOperation barrier = tileBuildOp(&b, "gpu.barrier", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  b = tileBuilderBefore(mlirBlockGetTerminator(body));
  MlirValue one = tileBuildInt(&b, tileI32(c), 1),
            slots = tileBuildInt(&b, tileI32(c), tileTurnSlots);
  MlirValue next = tileBuildBinary(&b, "arith.addi", slot, one);
  MlirValue ends = tileBuildCmpi(&b, TILE_EQ, next, slots);
  next = tileBuildSelect(&b, ends, zero, next);
  tileExtendYield(body, 1, &next);
  fillEarly(store, barrier, dot);
  return loop;
}

MlirOperation tileTurnAhead(MlirOperation loop) {
  if (mlirOperationIsNull(specializationOf(loop))) return loop;
  for (bool found = true; found;) {
    found = false;
    TILE_FOR_EACH_OP(op, tileBody(loop, 0)) {
      if (!tileIsTurned(op)) continue;
      loop = turnAhead(loop, op);
      found = true;
      break;
    }
  }
  return loop;
}
