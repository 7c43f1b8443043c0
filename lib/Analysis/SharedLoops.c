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

/// The number of the argument of `func` that `value` is, an integer; -1: none.
static int numberOf(MlirOperation func, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return -1;
  bool isOwn = mlirBlockEqual(mlirBlockArgumentGetOwner(value), tileBody(func, 0)) &&
               mlirTypeIsAInteger(mlirValueGetType(value));
  return isOwn ? (int)mlirBlockArgumentGetArgNumber(value) : -1;
}

int tileArgumentOfPrograms(MlirOperation func, MlirOperation op) {
  enum { AXIS = 0 };
  if (!tileOpIs(op, "scf.for")) return -1;
  MlirOperation first = tileValueGetOp(withoutCasts(tileForGetLower(op)));
  MlirOperation step = tileValueGetOp(withoutCasts(tileForGetStep(op)));
  MlirValue end = withoutCasts(tileForGetUpper(op));
  bool shares = !mlirOperationIsNull(first) && tileOpIsAProgramId(first) &&
                tileProgramIdGetAxis(first) == AXIS && !mlirOperationIsNull(step) &&
                tileOpIsANumPrograms(step) && tileNumProgramsGetAxis(step) == AXIS;
  return shares ? numberOf(func, end) : -1;
}

/// The C of `(%n + (C - 1)) / C`, whose %n becomes `*value`; 0: it is something else.
static int64_t partsOf(MlirValue *value) {
  MlirOperation quotient = tileValueGetOp(*value);
  int64_t by, added;
  if (mlirOperationIsNull(quotient) || !tileOpIs(quotient, "arith.divsi") ||
      !tileConstantInt(tileOperand(quotient, 1), &by) || by < 1)
    return 0;
  MlirOperation sum = tileValueGetOp(withoutCasts(tileOperand(quotient, 0)));
  if (mlirOperationIsNull(sum) || !tileOpIs(sum, "arith.addi") ||
      !tileConstantInt(tileOperand(sum, 1), &added) || added != by - 1)
    return 0;
  *value = withoutCasts(tileOperand(sum, 0));
  return by;
}

int64_t tileStepToArgument(MlirOperation func, MlirOperation op, int *argument) {
  int64_t from, step;
  if (!tileOpIs(op, "scf.for") || !tileConstantInt(withoutCasts(tileForGetLower(op)), &from) ||
      from || !tileConstantInt(withoutCasts(tileForGetStep(op)), &step) || step < 1)
    return 0;
  MlirValue end = withoutCasts(tileForGetUpper(op));
  if (step == 1) step = partsOf(&end);
  *argument = numberOf(func, end);
  return *argument < 0 ? 0 : step;
}

typedef struct {
  MlirOperation func;
  int number;
  int64_t least;
} Steps;

static MlirWalkResult findSteps(MlirOperation op, void *data) {
  Steps *s = data;
  int argument = -1;
  int64_t step = tileStepToArgument(s->func, op, &argument);
  if (step && argument == s->number && (!s->least || step < s->least)) s->least = step;
  return MlirWalkResultAdvance;
}

int64_t tileLeastStepTo(MlirOperation func, int number) {
  Steps s = {.func = func, .number = number};
  mlirOperationWalk(func, findSteps, &s, MlirWalkPreOrder);
  return s.least;
}

void tileTakeOneStep(MlirOperation loop) {
  MlirBlock body = tileBody(loop, 0);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), tileForGetLower(loop));
  intptr_t carried = mlirOperationGetNumResults(loop);
  for (intptr_t i = 0; i < carried; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 1 + i), tileForGetInit(loop, i));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < carried; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, i), tileOperand(yield, i));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
       op = mlirBlockGetFirstOperation(body))
    mlirOperationMoveBefore(op, loop);
  mlirOperationDestroy(loop);
}
