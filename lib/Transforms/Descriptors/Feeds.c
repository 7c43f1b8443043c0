//===- Feeds.c - what loads lead to, and stores come from -----------------===//
#include "Feeds.h"
#include "../Layouts/Converted.h"
#include "tile/Analysis/DotForm.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
#include <stdlib.h>

bool tileIsInLoop(MlirOperation op) {
  for (op = mlirOperationGetParentOperation(op); !mlirOperationIsNull(op) && !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op))
    if (tileOpIs(op, "scf.for") || tileOpIs(op, "scf.while")) return true;
  return false;
}

/// Will the dot be wgmma's by its types and shape?
static bool isForWgmma(MlirOperation dot, const TileDotForm *form) {
  const TileMachine *machine = tileMachineOf(dot);
  const TileMatrix *wgmma = tileDotFormMatrix(form, machine, TILE_MATRIX_WGMMA);
  int64_t shape[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileResult(dot)), shape);
  return wgmma && rank == 2 && shape[0] >= wgmma->m &&
         shape[1] >= tileMachineNumber(machine, TILE_NUMBER_DOT_COLUMNS_LEAST);
}

/// Does the dot read its operands from shared memory as they come, and gain by a copy engine that
/// fills it? Those of an FMA are rearranged. Of the few warps of a small program each waits for
/// boxes longer than its mma.sync take; more blocks of plain copies hide that.
static bool readsBoxes(MlirOperation dot, int64_t warps) {
  TileDotForm form;
  if (!tileDotGetForm(dot, &form)) return false;
  return warps >= tileMachineNumber(tileMachineOf(dot), TILE_NUMBER_ROLE_MMA_WARPS_LEAST) ||
         isForWgmma(dot, &form);
}

static MlirWalkResult findLoopDot(MlirOperation op, void *data) {
  bool *found = data;
  *found = tileOpIsADot(op) && tileIsInLoop(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileFeedsDot(MlirValue value, bool converts, int64_t warps) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsADot(user) && mlirOpOperandGetOperandNumber(use) < 2)
      return readsBoxes(user, warps);
    bool moves = tileOpMovesElements(user) || tileOpIs(user, "arith.bitcast");
    if ((moves || (converts && tileOpConverts(user))) &&
        tileFeedsDot(tileResult(user), converts, warps))
      return true;
  }
  return false;
}

/// A search backwards from values: those found and not yet looked at, each once.
typedef struct {
  TilePointerTable seen; // a set of values
  MlirValue *stack;
  size_t count, capacity;
} Search;

static void searchFrom(Search *s, MlirValue value) {
  if (!tilePointerTableInsert(&s->seen, value.ptr)) return;
  s->stack = tileGrow(s->stack, s->count, &s->capacity, sizeof *s->stack);
  s->stack[s->count++] = value;
}

static void searchFromOperands(Search *s, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) searchFrom(s, tileOperand(op, i));
}

static void searchEnd(Search *s) {
  tilePointerTableClear(&s->seen);
  free(s->stack);
}

bool tileComesFromDot(MlirValue value) {
  Search s = {0};
  bool found = false;
  searchFrom(&s, value);
  while (s.count && !found) {
    MlirValue at = s.stack[--s.count];
    MlirOperation op = tileValueGetOp(at);
    if (mlirOperationIsNull(op)) continue;
    found = tileOpIsADot(op);
    bool passes = tileOpIsElementwise(op) || tileOpMovesElements(op);
    if (tileOpIs(op, "scf.for"))
      searchFrom(&s, tileOperand(mlirBlockGetTerminator(tileBody(op, 0)),
                                 mlirOpResultGetResultNumber(at)));
    else if (passes)
      searchFromOperands(&s, op);
  }
  searchEnd(&s);
  return found;
}

bool tileIsTransposedProduct(MlirValue value) {
  Search s = {0};
  bool found = false;
  searchFrom(&s, value);
  while (s.count && !found) {
    MlirOperation op = tileValueGetOp(s.stack[--s.count]);
    if (mlirOperationIsNull(op)) continue;
    if (tileOpIsATrans(op))
      found = tileComesFromDot(tileOperand(op, 0));
    else if (tileOpIsElementwise(op))
      searchFromOperands(&s, op);
  }
  searchEnd(&s);
  return found;
}

bool tileMultipliesInLoop(MlirOperation func) {
  bool found = false;
  mlirOperationWalk(func, findLoopDot, &found, MlirWalkPreOrder);
  return found;
}
