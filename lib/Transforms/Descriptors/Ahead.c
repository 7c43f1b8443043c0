//===- Ahead.c - loads that another warp can make ahead -------------------===//
#include "Ahead.h"
#include "tile/Support/Grow.h"
#include "tile/Support/PointerTable.h"
#include <stdlib.h>

/// Values to look at, each once. Its holder clears `seen` and frees `stack`.
typedef struct {
  TilePointerTable seen;
  MlirValue *stack;
  size_t count, capacity;
} Search;

static void look(Search *s, MlirValue value) {
  if (!tilePointerTableInsert(&s->seen, value.ptr)) return;
  s->stack = tileGrow(s->stack, s->count, &s->capacity, sizeof *s->stack);
  s->stack[s->count++] = value;
}

static void lookAtBounds(Search *s, MlirOperation loop) {
  for (intptr_t i = 0; i < 3; ++i) look(s, tileOperand(loop, i));
}

/// What number `i` of what an scf.for carries is.
static void lookAtCarried(Search *s, MlirOperation loop, intptr_t i) {
  look(s, tileOperand(loop, 3 + i));
  look(s, tileOperand(mlirBlockGetTerminator(tileBody(loop, 0)), i));
}

/// What `value` follows from; true where that is what memory holds.
static bool lookBehind(Search *s, MlirValue value) {
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
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) look(s, tileOperand(op, i));
  return tileOpIsALoad(op);
}

const char *tileWhyNotAhead(MlirOperation load) {
  Search s = {0};
  const char *why = NULL;
  look(&s, tileLoadGetPtr(load));
  for (MlirOperation op = mlirOperationGetParentOperation(load); !tileOpIsAFunc(op);
       op = mlirOperationGetParentOperation(op)) {
    if (tileOpIs(op, "scf.for")) lookAtBounds(&s, op);
    if (tileOpIs(op, "scf.while")) why = "expected loops of scf.for around a box, found another";
  }
  while (s.count && !why)
    if (lookBehind(&s, s.stack[--s.count]))
      why = "expected positions that follow from arguments and program ids, found loaded ones";
  tilePointerTableClear(&s.seen);
  free(s.stack);
  return why;
}
