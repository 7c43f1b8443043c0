//===- Rounded.c - values of which 16 bits are kept -----------------------===//
#include "tile/Analysis/Rounded.h"
#include "tile/IR.h"

enum { mostSteps = 8 }; // from a value to its rounding

static bool isRounded(MlirValue value, int steps) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || steps == mostSteps) return false;
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpIs(user, "arith.truncf") &&
        tileBitWidth(tileElementType(mlirValueGetType(tileResult(user)))) == 16)
      continue;
    if (!tileOpIs(user, "arith.mulf") || !isRounded(tileResult(user), steps + 1)) return false;
  }
  return true;
}

bool tileIsRoundedTo16(MlirValue value) { return isRounded(value, 0); }
