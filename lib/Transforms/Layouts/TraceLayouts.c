//===- TraceLayouts.c - say which layouts were chosen ---------------------===//
#include "Layouts.h"
#include "tile/IR.h"
#include "tile/Tile.h"
#include "tile/Trace.h"
#include <stdio.h>

static void describe(MlirType type, char *text, size_t size) {
  TileLayout layout;
  text[0] = 0;
  if (tileTypeGetLayout(type, &layout)) tileLayoutFormat(layout, text, size);
}

/// The tile whose layout decides about an anchor: an access's pointers, a result otherwise.
static MlirType typeOf(MlirOperation op) {
  return mlirValueGetType(tileOpIsAccess(op) ? tileOperand(op, 0) : tileResult(op));
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  (void)data;
  char to[480], from[480];
  MlirLocation loc = mlirOperationGetLocation(op);
  bool anchor = tileOpIsAccess(op) || tileOpIsADot(op);
  bool converts = tileOpIsAConvertLayout(op);
  if ((!anchor && !converts) || !tileTypeIsTile(typeOf(op))) return MlirWalkResultAdvance;
  describe(typeOf(op), to, sizeof to);
  if (converts) {
    describe(mlirValueGetType(tileOperand(op, 0)), from, sizeof from);
    tileTrace(loc, "layout is converted: from [%s] to [%s]", from, to);
  } else {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    tileTrace(loc, "layout of %.*s: [%s]", (int)name.length, name.data, to);
  }
  return MlirWalkResultAdvance;
}

void tileTraceLayouts(MlirOperation func) {
  if (tileTraceIsOn()) mlirOperationWalk(func, visit, NULL, MlirWalkPreOrder);
}
