//===- Assigner.c - what the parts of tile-assign-layouts share -----------===//
#include "Assigner.h"

bool tileValueIsTile(MlirValue value) { return tileTypeIsTile(mlirValueGetType(value)); }

TileValueInfo *tileAssignerFind(const TileAssigner *a, MlirValue value) {
  return tilePointerTableFind(a->values, value.ptr);
}

bool tileHasTileResult(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 && tileValueIsTile(tileResult(op));
}

MlirAttribute tileAssignerLayoutOf(const TileAssigner *a, MlirValue value) {
  TileValueInfo *info = tileValueIsTile(value) ? tileAssignerFind(a, value) : NULL;
  return info ? info->layout : mlirAttributeGetNull();
}

//===- structured control flow --------------------------------------------===//
//
// Values that must share a layout: what enters a loop, is carried, is yielded and
// comes out. tileAssignerVisitTies calls back for each set.

static TileTied tiedOperand(MlirOperation op, intptr_t i) {
  return (TileTied){op, i, tileOperand(op, i)};
}
static TileTied tiedValue(MlirValue value) { return (TileTied){.value = value}; }

static void visitFor(TileAssigner *a, MlirOperation op, TileTieVisitor visit) {
  MlirBlock body = tileBody(op, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    TileTied ties[] = {tiedValue(mlirBlockGetArgument(body, i + 1)), tiedOperand(yield, i),
                       tiedOperand(op, i + 3), tiedValue(mlirOperationGetResult(op, i))};
    if (tileValueIsTile(ties[0].value)) visit(a, ties, 4);
  }
}

static void visitIf(TileAssigner *a, MlirOperation op, TileTieVisitor visit) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    TileTied ties[] = {tiedValue(mlirOperationGetResult(op, i)),
                       tiedOperand(mlirBlockGetTerminator(tileBody(op, 0)), i),
                       tiedOperand(mlirBlockGetTerminator(tileBody(op, 1)), i)};
    if (tileValueIsTile(ties[0].value)) visit(a, ties, 3);
  }
}

static void visitWhile(TileAssigner *a, MlirOperation op, TileTieVisitor visit) {
  MlirBlock before = tileBody(op, 0), after = tileBody(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    TileTied ties[] = {tiedValue(mlirBlockGetArgument(before, i)), tiedOperand(yield, i),
                       tiedOperand(op, i)};
    if (tileValueIsTile(ties[0].value)) visit(a, ties, 3);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    TileTied ties[] = {tiedValue(mlirBlockGetArgument(after, i)), tiedOperand(condition, i + 1),
                       tiedValue(mlirOperationGetResult(op, i))};
    if (tileValueIsTile(ties[0].value)) visit(a, ties, 3);
  }
}

void tileAssignerVisitTies(TileAssigner *a, MlirOperation op, TileTieVisitor visit) {
  if (tileOpIs(op, "scf.for"))
    visitFor(a, op, visit);
  else if (tileOpIs(op, "scf.if"))
    visitIf(a, op, visit);
  else if (tileOpIs(op, "scf.while"))
    visitWhile(a, op, visit);
}
