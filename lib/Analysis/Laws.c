//===- Laws.c - what holds of ops that put two numbers together -----------===//
#include "tile/Analysis/Laws.h"
#include "tile/IR.h"
#include <math.h>

typedef enum { ZERO, ONE, ALL_BITS, LEAST, GREATEST, LOWEST, HIGHEST, NOT_A_NUMBER } Identity;

enum {
  ROUNDS = TILE_COMMUTES,
  WRAPS = TILE_COMMUTES | TILE_ASSOCIATES,
  CHOOSES = TILE_COMMUTES | TILE_ASSOCIATES | TILE_IDEMPOTENT
};

typedef struct {
  const char *name;
  Identity identity;
  unsigned laws;
} Combination;

static const Combination combinations[] = {
    {"arith.addf", ZERO, ROUNDS},
    {"arith.addi", ZERO, WRAPS},
    {"arith.mulf", ONE, ROUNDS},
    {"arith.muli", ONE, WRAPS},
    {"arith.maximumf", LOWEST, CHOOSES},
    {"arith.minimumf", HIGHEST, CHOOSES},
    {"arith.maxnumf", NOT_A_NUMBER, CHOOSES},
    {"arith.minnumf", NOT_A_NUMBER, CHOOSES},
    {"arith.maxsi", LEAST, CHOOSES},
    {"arith.minsi", GREATEST, CHOOSES},
    {"arith.maxui", ZERO, CHOOSES},
    {"arith.minui", ALL_BITS, CHOOSES},
    {"arith.ori", ZERO, CHOOSES},
    {"arith.xori", ZERO, WRAPS},
    {"arith.andi", ALL_BITS, CHOOSES},
};

/// What is known of `op`; null: nothing.
static const Combination *combinationOf(MlirOperation op) {
  for (size_t i = 0; i < sizeof combinations / sizeof *combinations; ++i)
    if (tileOpIs(op, combinations[i].name)) return &combinations[i];
  return NULL;
}

unsigned tileOpGetLaws(MlirOperation op) {
  const Combination *known = combinationOf(op);
  return known ? known->laws : 0;
}

static MlirAttribute numberOf(MlirType element, Identity identity) {
  MlirContext c = mlirTypeGetContext(element);
  bool isFloat = tileTypeIsFloat(element), isTruth = tileBitWidth(element) == 1;
  double most = mlirTypeIsAFloat8E4M3FN(element) ? 448 : INFINITY; // it has no infinity
  int64_t least = isFloat ? 0 : (int64_t)((uint64_t)1 << (tileBitWidth(element) - 1));
  switch (identity) {
  case ZERO: // x + -0 is x for every x, and x + 0 is not x for -0
    return isFloat ? mlirFloatAttrDoubleGet(c, element, -0.0) : mlirIntegerAttrGet(element, 0);
  case ONE:
    return isFloat ? mlirFloatAttrDoubleGet(c, element, 1) : mlirIntegerAttrGet(element, 1);
  case ALL_BITS:
    return mlirIntegerAttrGet(element, -1);
  case LEAST:
    return mlirIntegerAttrGet(element, least);
  case GREATEST:
    return mlirIntegerAttrGet(element, isTruth ? 0 : ~least);
  case LOWEST:
    return mlirFloatAttrDoubleGet(c, element, -most);
  case HIGHEST:
    return mlirFloatAttrDoubleGet(c, element, most);
  case NOT_A_NUMBER:
    break;
  }
  return mlirFloatAttrDoubleGet(c, element, NAN);
}

static bool isArgument(MlirValue value, MlirBlock block, intptr_t i) {
  return mlirValueEqual(value, mlirBlockGetArgument(block, i));
}

MlirOperation tileCombineGetOnlyOp(MlirOperation combine) {
  MlirBlock body = tileBody(combine, 0);
  MlirOperation only = mlirBlockGetFirstOperation(body), yield = mlirBlockGetTerminator(body);
  MlirOperation none = {NULL};
  if (mlirBlockGetNumArguments(body) != 2 || mlirOperationEqual(only, yield) ||
      !mlirOperationEqual(mlirOperationGetNextInBlock(only), yield) ||
      mlirOperationGetNumOperands(only) != 2 ||
      !mlirValueEqual(tileOperand(yield, 0), tileResult(only)))
    return none;
  MlirValue x = tileOperand(only, 0), y = tileOperand(only, 1);
  bool inOrder = isArgument(x, body, 0) && isArgument(y, body, 1);
  bool swapped = isArgument(x, body, 1) && isArgument(y, body, 0);
  return inOrder || swapped ? only : none;
}

MlirAttribute tileCombineGetIdentity(MlirOperation combine) {
  MlirOperation only = tileCombineGetOnlyOp(combine);
  const Combination *known = mlirOperationIsNull(only) ? NULL : combinationOf(only);
  return known ? numberOf(mlirValueGetType(tileResult(only)), known->identity)
               : mlirAttributeGetNull();
}

bool tileCombineCountsTruths(MlirOperation combine) {
  MlirOperation only = tileCombineGetOnlyOp(combine);
  MlirOperation from = tileValueGetOp(tileOperand(combine, 0));
  if (mlirOperationIsNull(only) || !tileOpIs(only, "arith.addi") || mlirOperationIsNull(from) ||
      !tileOpIs(from, "arith.extui"))
    return false;
  int bits = tileBitWidth(tileElementType(mlirValueGetType(tileOperand(from, 0))));
  return bits == 1 && tileBitWidth(tileElementType(mlirValueGetType(tileResult(from)))) >= 8;
}
