//===- Ahead.c - loads that another warp can make ahead -------------------===//
#include "Ahead.h"
#include "tile/Support/ValueSearch.h"

static void lookAtBounds(TileValueSearch *s, MlirOperation loop) {
  for (intptr_t i = 0; i < 3; ++i) tileValueSearchAdd(s, tileOperand(loop, i));
}

/// What number `i` of what an scf.for carries is.
static void lookAtCarried(TileValueSearch *s, MlirOperation loop, intptr_t i) {
  tileValueSearchAdd(s, tileOperand(loop, 3 + i));
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
  return tileOpIsALoad(op);
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
  while (s.count && !why)
    if (lookBehind(&s, s.stack[--s.count]))
      why = "expected positions that follow from arguments and program ids, found loaded ones";
  tileValueSearchClear(&s);
  return why;
}
