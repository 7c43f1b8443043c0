//===- Math.c - math functions as arithmetic ------------------------------===//
#include "Math.h"

MlirValue tileExpandMath(TileBuilder *b, MlirOperation op, const MlirValue *operands,
                         MlirType type) {
  // Every target has an instruction for a square root.
  if (!tileOpIs(op, "math.rsqrt")) return (MlirValue){NULL};
  MlirValue one = tileBuildFloat(b, type, 1);
  MlirValue root = tileBuildUnary(b, "math.sqrt", type, operands[0]);
  return tileBuildBinary(b, "arith.divf", one, root);
}
