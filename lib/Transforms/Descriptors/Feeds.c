//===- Feeds.c - what loads lead to, and stores come from -----------------===//
#include "Feeds.h"
#include "../Layouts/Converted.h"
#include "tile/Analysis/DotForm.h"
#include "tile/MachineNumbers.h"
#include "tile/Support/ValueSearch.h"

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
  TileRate rate = TILE_RATE_F16_MATRIX;
  int64_t a[TILE_MAX_RANK];
  int rank = tileShape(mlirValueGetType(tileDotGetA(dot)), a);
  if (!tileDotGetForm(dot, &form) || !tileDotGetRate(dot, &rate) || rank < 2) return false;
  return tileMachineHasMmaBoxes(tileMachineOf(dot), warps, rate, tileDotGetFlops(dot)) ||
         isForWgmma(dot, &form);
}

static bool isLoopDot(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsADot(op) && tileIsInLoop(op);
}

/// As tileFeedsDot is asked.
typedef struct {
  bool converts;
  int64_t warps;
} Question;

/// Is `value` an operand of a dot that reads boxes? What else it becomes is looked at later.
static bool feedsAtOnce(TileValueSearch *s, MlirValue value, const void *data) {
  const Question *q = data;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileUseFeedsDot(use)) return readsBoxes(user, q->warps);
    bool moves = tileOpMovesElements(user) || tileOpIs(user, "arith.bitcast");
    if (moves || (q->converts && tileOpConverts(user))) tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

bool tileFeedsDot(MlirValue value, bool converts, int64_t warps) {
  const Question question = {converts, warps};
  return tileValueSearchFinds(value, feedsAtOnce, &question);
}

/// Is `value`, computed with element by element, B of a dot?
static bool isB(TileValueSearch *s, MlirValue value, const void *data) {
  (void)data;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIsADot(user) && mlirOpOperandGetOperandNumber(use) == 1) return true;
    if (!tileOpIsADot(user) && tileOpConverts(user)) tileValueSearchAdd(s, tileResult(user));
  }
  return false;
}

static bool isLoad(MlirOperation op) { return tileOpIsALoad(op) || tileOpIsADescLoad(op); }

bool tileIsDotOperand(MlirOperation op) {
  return isLoad(op) && tileFeedsDot(tileResult(op), false, INT64_MAX);
}

bool tileIsStoredForB(MlirOperation op) {
  return isLoad(op) && !tileIsDotOperand(op) && tileValueSearchFinds(tileResult(op), isB, NULL);
}

bool tileComesFromDot(MlirValue value) {
  TileValueSearch s = {0};
  bool found = false;
  tileValueSearchAdd(&s, value);
  while (s.count && !found) {
    MlirValue at = s.stack[--s.count];
    MlirOperation op = tileValueGetOp(at);
    if (mlirOperationIsNull(op)) continue;
    found = tileOpIsADot(op);
    bool passes = tileOpIsElementwise(op) || tileOpMovesElements(op);
    if (tileOpIs(op, "scf.for"))
      tileValueSearchAdd(&s, tileOperand(mlirBlockGetTerminator(tileBody(op, 0)),
                                         mlirOpResultGetResultNumber(at)));
    else if (passes)
      tileValueSearchAddOperands(&s, op);
  }
  tileValueSearchClear(&s);
  return found;
}

bool tileIsTransposedProduct(MlirValue value) {
  TileValueSearch s = {0};
  bool found = false;
  tileValueSearchAdd(&s, value);
  while (s.count && !found) {
    MlirOperation op = tileValueGetOp(s.stack[--s.count]);
    if (mlirOperationIsNull(op)) continue;
    if (tileOpIsATrans(op))
      found = tileComesFromDot(tileOperand(op, 0));
    else if (tileOpIsElementwise(op))
      tileValueSearchAddOperands(&s, op);
  }
  tileValueSearchClear(&s);
  return found;
}

bool tileMultipliesInLoop(MlirOperation func) { return tileHoldsOp(func, isLoopDot, NULL); }
