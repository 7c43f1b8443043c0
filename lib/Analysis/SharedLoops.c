//===- SharedLoops.c - loops over what programs share ---------------------===//
#include "tile/Analysis/SharedLoops.h"

/// What `value` is but for wider types.
static MlirValue withoutCasts(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  while (!mlirOperationIsNull(op) &&
         (tileOpIs(op, "arith.extsi") || tileOpIs(op, "arith.index_cast"))) {
    value = tileOperand(op, 0);
    op = tileValueGetOp(value);
  }
  return value;
}

int tileArgumentOfPrograms(MlirOperation func, MlirOperation op) {
  enum { AXIS = 0 };
  if (!tileOpIs(op, "scf.for")) return -1;
  MlirOperation first = tileValueGetOp(withoutCasts(tileOperand(op, 0)));
  MlirOperation step = tileValueGetOp(withoutCasts(tileOperand(op, 2)));
  MlirValue end = withoutCasts(tileOperand(op, 1));
  bool shares = !mlirOperationIsNull(first) && tileOpIsAProgramId(first) &&
                tileProgramIdGetAxis(first) == AXIS && !mlirOperationIsNull(step) &&
                tileOpIsANumPrograms(step) && tileNumProgramsGetAxis(step) == AXIS;
  if (!shares || !mlirValueIsABlockArgument(end)) return -1;
  bool isOwn = mlirBlockEqual(mlirBlockArgumentGetOwner(end), tileBody(func, 0)) &&
               mlirTypeIsAInteger(mlirValueGetType(end));
  return isOwn ? (int)mlirBlockArgumentGetArgNumber(end) : -1;
}

void tileTakeOneStep(MlirOperation loop) {
  enum { BOUNDS = 3 };
  MlirBlock body = tileBody(loop, 0);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), tileOperand(loop, 0));
  intptr_t carried = mlirOperationGetNumResults(loop);
  for (intptr_t i = 0; i < carried; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 1 + i), tileOperand(loop, BOUNDS + i));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < carried; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), tileOperand(yield, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
       op = mlirBlockGetFirstOperation(body))
    mlirOperationMoveBefore(op, loop);
  mlirOperationDestroy(loop);
}
