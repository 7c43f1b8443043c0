//===- Ahead.c - loads that another warp can make ahead -------------------===//
#include "Ahead.h"
#include "../Flow/Branches/Branches.h"
#include "../Loops.h"
#include "Feeds.h"
#include "tile/Analysis/Waiting.h"
#include "tile/Support/ValueSearch.h"

static void lookAtBounds(TileValueSearch *s, MlirOperation loop) {
  for (intptr_t i = 0; i < 3; ++i) tileValueSearchAdd(s, tileOperand(loop, i));
}

/// What number `i` of what an scf.for carries is.
static void lookAtCarried(TileValueSearch *s, MlirOperation loop, intptr_t i) {
  tileValueSearchAdd(s, tileForGetInit(loop, i));
  tileValueSearchAdd(s, tileOperand(mlirBlockGetTerminator(tileBody(loop, 0)), i));
}

/// What `value` follows from; true where that is what memory holds.
static bool lookBehind(TileValueSearch *s, MlirValue value) {
  if (mlirValueIsABlockArgument(value)) {
    MlirOperation loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (tileOpIs(loop, "scf.for") && number == 0) lookAtBounds(s, loop);
    if (tileOpIs(loop, "scf.for") && number > 0) lookAtCarried(s, loop, number - 1);
    return false;
  }
  MlirOperation op = tileValueGetOp(value);
  if (tileOpIs(op, "scf.for"))
    lookAtCarried(s, op, mlirOpResultGetResultNumber(value));
  else
    tileValueSearchAddOperands(s, op);
  return tileOpIsALoad(op) && !tileLoadsSteadyNumber(op);
}

const char *tileWhyNotAhead(MlirOperation load) {
  TileValueSearch s = {0};
  const char *why = NULL;
  tileValueSearchAdd(&s, tileLoadGetPtr(load));
  for (MlirOperation op = mlirOperationGetParentOperation(load); !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op)) {
    if (tileOpIs(op, "scf.for")) lookAtBounds(&s, op);
    if (tileOpIs(op, "scf.while")) why = "expected loops of scf.for around a box, found another";
  }
  while (s.count && !why) {
    MlirValue value = s.stack[--s.count];
    MlirOperation op = tileValueGetOp(value);
    if (lookBehind(&s, value))
      why = "expected positions that follow from arguments and program ids, found loaded ones";
    else if (!mlirOperationIsNull(op) && tileOpIs(op, "scf.if"))
      why = "expected positions that follow from numbers and loops of them, found a branch";
  }
  tileValueSearchClear(&s);
  return why;
}

const char *tileWhyOrdered(MlirOperation access) {
  bool isLoad = tileOpIsALoad(access) || tileOpIsADescLoad(access);
  if (!isLoad || !tileIsInLoop(access))
    return "expected no tile.barrier in a kernel that has accesses like this, found one";
  for (MlirOperation op = access; !tileOpIsAFunc(op); op = mlirOperationGetParentOperation(op)) {
    bool isOrdered = tileOpIsLoop(op) && tileHoldsBarrier(op);
    MlirOperation before = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
    for (; !isOrdered && !mlirOperationEqual(before, op);
         before = mlirOperationGetNextInBlock(before))
      isOrdered = tileHoldsBarrier(before);
    if (isOrdered) return "expected no tile.barrier before the load, found one";
  }
  return NULL;
}

bool tileWaitsAtBarriers(MlirOperation func) {
  return tileHoldsBarrier(func) && !mlirOperationIsNull(tileFindWaiting(func));
}

bool tileFollowsMemory(MlirOperation access) {
  TileValueSearch s = {0};
  bool follows = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(access); ++i) {
    MlirType element = tileElementType(mlirValueGetType(tileOperand(access, i)));
    bool isMask = mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
    if (i == 0 || isMask) tileValueSearchAdd(&s, tileOperand(access, i));
  }
  while (s.count && !follows) {
    MlirValue value = s.stack[--s.count];
    lookBehind(&s, value);
    MlirOperation op = tileValueGetOp(value);
    follows =
        !mlirOperationIsNull(op) && tileOpIsALoad(op) && !tileTypeIsTile(mlirValueGetType(value));
  }
  tileValueSearchClear(&s);
  return follows;
}

static bool isInBranch(MlirOperation op) {
  while (!tileOpIsAFunc(op) && !tileOpIs(op, "scf.if")) op = mlirOperationGetParentOperation(op);
  return tileOpIs(op, "scf.if");
}

static bool isHeld(MlirOperation op, void *data) {
  (void)data;
  bool feeds =
      tileOpIsALoad(op) && tileIsInLoop(op) && tileFeedsDot(tileResult(op), true, INT64_MAX);
  return feeds && (tileWhyInBranch(op) || (isInBranch(op) && tileFollowsMemory(op)));
}

bool tileIsHeldByBranch(MlirOperation func) { return tileHoldsOp(func, isHeld, NULL); }

//===- what is read again -------------------------------------------------===//

typedef struct {
  MlirOperation store;
  MlirValue array;
} Reading;

static MlirValue arrayOfDesc(MlirValue desc) {
  MlirOperation made = tileValueGetOp(desc);
  bool isMade = !mlirOperationIsNull(made) && tileOpIsAMakeDesc(made);
  return isMade ? tileArrayOf(tileMakeDescGetBase(made)) : (MlirValue){NULL};
}

/// The array that `op` reads, or that a sum of threads adds to; null where it is none.
static MlirValue arrayRead(MlirOperation op) {
  if (tileOpIsALoad(op) || tileOpIsAAtomicRmw(op) || tileOpIsAAtomicCas(op))
    return tileArrayOf(tileOperand(op, 0));
  if (tileOpIsADescLoad(op)) return arrayOfDesc(tileDescLoadGetDesc(op));
  bool adds = tileOpIsADescStore(op) && tileDescStoreGetAdd(op);
  return adds ? arrayOfDesc(tileDescStoreGetDesc(op)) : (MlirValue){NULL};
}

static bool readsAgain(MlirOperation op, void *data) {
  const Reading *r = data;
  MlirValue array = mlirOperationEqual(op, r->store) ? (MlirValue){NULL} : arrayRead(op);
  return !mlirValueIsNull(array) && mlirValueEqual(array, r->array);
}

bool tileIsReadAgain(MlirOperation store) {
  Reading r = {.store = store,
               .array = tileOpIsADescStore(store) ? arrayOfDesc(tileDescStoreGetDesc(store))
                                                  : tileArrayOf(tileOperand(store, 0))};
  if (mlirValueIsNull(r.array)) return false;
  MlirOperation outer = store;
  for (MlirOperation at = store; !tileOpIsAFunc(at); at = mlirOperationGetParentOperation(at)) {
    if (tileOpIsLoop(at)) outer = at;
    for (MlirOperation next = at; !mlirOperationIsNull(next);
         next = mlirOperationGetNextInBlock(next))
      if (tileHoldsOp(next, readsAgain, &r)) return true;
  }
  return tileHoldsOp(outer, readsAgain, &r);
}
