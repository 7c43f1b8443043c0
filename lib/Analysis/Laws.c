//===- Identity.c - what a combination leaves as it is --------------------===//
#include "tile/Analysis/Identity.h"
#include "tile/IR.h"
#include <math.h>

typedef enum { ZERO, ONE, ALL_BITS, LEAST, GREATEST, LOWEST, HIGHEST, NOT_A_NUMBER } Identity;

static const struct {
  const char *name;
  Identity identity;
} identities[] = {
    {"arith.addf", ZERO},
    {"arith.addi", ZERO},
    {"arith.mulf", ONE},
    {"arith.muli", ONE},
    {"arith.maximumf", LOWEST},
    {"arith.minimumf", HIGHEST},
    {"arith.maxnumf", NOT_A_NUMBER},
    {"arith.minnumf", NOT_A_NUMBER},
    {"arith.maxsi", LEAST},
    {"arith.minsi", GREATEST},
    {"arith.maxui", ZERO},
    {"arith.minui", ALL_BITS},
    {"arith.ori", ZERO},
    {"arith.xori", ZERO},
    {"arith.andi", ALL_BITS},
};

static MlirAttribute numberOf(MlirType element, Identity identity) {
  MlirContext c = mlirTypeGetContext(element);
  bool isFloat = tileTypeIsFloat(element), isTruth = tileBitWidth(element) == 1;
  double most = mlirTypeIsAFloat8E4M3FN(element) ? 448 : INFINITY; // it has no infinity
  int64_t least = isFloat ? 0 : (int64_t)((uint64_t)1 << (tileBitWidth(element) - 1));
  switch (identity) {
  case ZERO: // x + -0 is x for every x, and x + 0 is not x for -0
    return isFloat ? mlirFloatAttrDoubleGet(c, element, -0.0) : tileIntegerAttr(element, 0);
  case ONE:
    return isFloat ? mlirFloatAttrDoubleGet(c, element, 1) : tileIntegerAttr(element, 1);
  case ALL_BITS:
    return tileIntegerAttr(element, -1);
  case LEAST:
    return tileIntegerAttr(element, least);
  case GREATEST:
    return tileIntegerAttr(element, isTruth ? 0 : ~least);
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
  if (mlirOperationIsNull(only)) return mlirAttributeGetNull();
  for (size_t i = 0; i < sizeof identities / sizeof *identities; ++i)
    if (tileOpIs(only, identities[i].name))
      return numberOf(mlirValueGetType(tileResult(only)), identities[i].identity);
  return mlirAttributeGetNull();
}
