//===- Converted.c - operands that are computed on their way to a dot -----===//
#include "Converted.h"
#include "Layouts.h"
#include "tile/Support/PointerTable.h"

bool tileOpConverts(MlirOperation op) {
  return (tileOpIsElementwise(op) && !tileOpIsAAddPtr(op)) || tileOpIsAJoin(op) ||
         tileOpIsATrans(op) || tileOpIsAReshape(op);
}

bool tileOpRepeats(MlirOperation op) { return tileOpIsAExpandDims(op) || tileOpIsABroadcast(op); }

static bool isTileLoad(MlirOperation op) {
  if (!tileOpIsALoad(op) && !tileOpIsADescLoad(op)) return false;
  int64_t shape[TILE_MAX_RANK];
  return tileShape(mlirValueGetType(tileResult(op)), shape) == 2 && shape[0] > 1 && shape[1] > 1;
}

static void addOperands(TilePointerTable *values, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = tileOperand(op, i);
    *(MlirValue *)tilePointerTableAdd(values, value.ptr, sizeof value) = value;
  }
}

/// Is `value` computed by such ops from a tile that is loaded, as a box where `isBox`?
static bool isConvertedFrom(MlirValue value, bool isBox) {
  // What `value` is made of: by moves alone, and by arithmetic, too. A table is walked as it grows.
  TilePointerTable moved = {0}, computed = {0};
  bool found = false;
  *(MlirValue *)tilePointerTableAdd(&moved, value.ptr, sizeof value) = value;
  for (MlirValue *v = tilePointerTableFirst(moved); v; v = tilePointerTableNext(v)) {
    MlirOperation op = tileValueGetOp(*v);
    if (mlirOperationIsNull(op) || !tileOpConverts(op)) continue;
    addOperands(tileOpIsATrans(op) || tileOpIsAReshape(op) ? &moved : &computed, op);
  }
  for (MlirValue *v = tilePointerTableFirst(computed); v && !found; v = tilePointerTableNext(v)) {
    MlirOperation op = tileValueGetOp(*v);
    if (mlirOperationIsNull(op)) continue;
    found = isTileLoad(op) && (!isBox || tileOpIsADescLoad(op));
    if (!found && tileOpConverts(op)) addOperands(&computed, op);
  }
  tilePointerTableClear(&moved);
  tilePointerTableClear(&computed);
  return found;
}

bool tileIsConverted(MlirValue value) { return isConvertedFrom(value, false); }

bool tileIsConvertedBox(MlirValue value) { return isConvertedFrom(value, true); }
