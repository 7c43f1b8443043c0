//===- Converted.c - operands that are computed on their way to a dot -----===//
#include "Converted.h"
#include "Layouts.h"

enum { mostOps = 64 };

bool tileOpConverts(MlirOperation op) {
  return (tileOpIsElementwise(op) && !tileOpIsAAddPtr(op)) || tileOpIsAJoin(op) ||
         tileOpIsATrans(op) || tileOpIsAReshape(op);
}

/// Looks for a load of a tile of two dimensions; `left`: ops that may still be looked at.
static bool comesFromLoad(MlirValue value, bool *computed, int *left) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op) || --*left < 0) return false;
  if (tileOpIsALoad(op) || tileOpIsADescLoad(op)) {
    int64_t shape[TILE_MAX_RANK];
    return tileShape(mlirValueGetType(value), shape) == 2 && shape[0] > 1 && shape[1] > 1;
  }
  if (!tileOpConverts(op)) return false;
  bool found = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !found; ++i)
    found = comesFromLoad(tileOperand(op, i), computed, left);
  *computed |= found && !tileOpIsATrans(op) && !tileOpIsAReshape(op);
  return found;
}

bool tileIsConverted(MlirValue value) {
  bool computed = false;
  int left = mostOps;
  return comesFromLoad(value, &computed, &left) && computed;
}
