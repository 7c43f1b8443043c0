//===- LateLoads.c - loads of dots that do not run ahead ------------------===//
#include "LateLoads.h"
#include "../Layouts/Converted.h"
#include "FeedReaders.h"
#include "tile/Support/Slow.h"
#include "tile/Support/ValueSearch.h"

/// Does `value` reach a dot's operand, converted on its way or given by a branch?
static bool reachesSomeDot(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation parent = mlirOperationGetParentOperation(user);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    if (tileUseFeedsDot(use)) return true;
    if (tileOpIsABufferStore(user)) tileValueSearchAdd(s, tileBufferStoreGetBuffer(user));
    if (tileOpIs(user, "scf.yield") && tileOpIs(parent, "scf.if"))
      tileValueSearchAdd(s, mlirOperationGetResult(parent, number));
    if (tileOpConverts(user) || tileOpIsAConvertLayout(user) || tileOpRepeats(user))
      tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

/// Does `value` reach a dot in the block `data`, however it is computed on its way?
static bool reachesDotIn(TileValueSearch *s, MlirValue value, const void *data) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), *(const MlirBlock *)data)) continue;
    if (tileOpIsADot(user)) return true;
    if (tileOpIsABufferStore(user)) tileValueSearchAdd(s, tileBufferStoreGetBuffer(user));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); ++i)
      tileValueSearchAdd(s, mlirOperationGetResult(user, i));
  }
  return false;
}

/// Of a load of each step that `tile-pipeline` has not looked at: what stands between it and a dot
/// of the step, as a scan does; the dot itself where that is in a branch of a branch; else null.
static MlirOperation findBetween(MlirOperation load) {
  MlirBlock body = mlirOperationGetBlock(load);
  MlirOperation between = {NULL}, dot = {NULL};
  bool isFeed = false;
  TileValueSearch s = {0};
  tileValueSearchAdd(&s, tileResult(load));
  while (s.count && !isFeed) {
    MlirOpOperand use = mlirValueGetFirstUse(s.stack[--s.count]);
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      bool isHere = mlirBlockEqual(mlirOperationGetBlock(user), body);
      if (tileOpIsADot(user) && tileIsInStep(user, body)) isFeed = true;
      if (tileOpIsADot(user) && tileOpIs(mlirOperationGetParentOperation(user), "scf.if"))
        dot = user;
      if (tileOpIsABufferStore(user)) tileValueSearchAdd(&s, tileBufferStoreGetBuffer(user));
      if (tileOpConverts(user) || tileOpIsAConvertLayout(user) || tileOpRepeats(user))
        tileValueSearchAdd(&s, tileResult(user));
      else if (isHere && mlirOperationGetNumResults(user) &&
               tileValueSearchFinds(mlirOperationGetResult(user, 0), reachesDotIn, &body))
        between = user;
    }
  }
  tileValueSearchClear(&s);
  return isFeed ? (MlirOperation){NULL} : mlirOperationIsNull(between) ? dot : between;
}

static void warnOfBetween(MlirOperation load) {
  MlirOperation between = findBetween(load);
  if (mlirOperationIsNull(between) || tileTypeGetWords(mlirValueGetType(tileResult(load))) <= 4)
    return;
  MlirStringRef name = tileOpName(between);
  if (tileOpIsADot(between))
    tileEmitSlow(
        mlirOperationGetLocation(load),
        "load is not pipelined: expected a dot of each step, found one in a branch of a branch");
  else
    tileEmitSlow(
        mlirOperationGetLocation(load),
        "load is not pipelined: expected a dot of what is loaded, or computed of it element "
        "by element, found '%.*s' in between",
        (int)name.length, name.data);
}

static MlirWalkResult warnOfLoad(MlirOperation op, void *data) {
  (void)data;
  if (!tileOpIsALoad(op)) return MlirWalkResultAdvance;
  MlirOperation parent = mlirOperationGetParentOperation(op), loop = parent;
  while (tileOpIs(loop, "scf.if")) loop = mlirOperationGetParentOperation(loop);
  bool isRange = tileOpIs(loop, "scf.for"), isOfEachStep = mlirOperationEqual(parent, loop);
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(op)), shape);
  if (!tileOpIsLoop(loop) || rank < 2 || shape[rank - 1] == 1 || shape[rank - 2] == 1)
    return MlirWalkResultAdvance;
  if (isRange && isOfEachStep)
    warnOfBetween(op);
  else if (tileValueSearchFinds(tileResult(op), reachesSomeDot, NULL))
    tileEmitSlow(mlirOperationGetLocation(op), "load is not pipelined: expected %s",
                 isRange ? "a load of each step, found one in a branch"
                         : "a loop over a range, found one that runs until a condition");
  return MlirWalkResultAdvance;
}

void tileWarnOfLateLoads(MlirOperation func) {
  mlirOperationWalk(func, warnOfLoad, NULL, MlirWalkPreOrder);
}
