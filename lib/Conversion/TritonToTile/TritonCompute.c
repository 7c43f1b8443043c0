//===- TritonCompute.c - products, conversions and what Triton names apart ===//
#include "TritonToTile.h"
#include <stdio.h>
#include <string.h>

//===- products -----------------------------------------------------------===//

/// How the dot `op` rounds operands of f32: as Triton says, in the same words.
static MlirAttribute precisionOf(MlirOperation op) {
  static const char *const words[] = {"tf32", "tf32x3", "bf16x3", "bf16x6"};
  const char *precision = "ieee";
  bool isF32 = mlirTypeIsAF32(tileElementType(mlirValueGetType(tileOperand(op, 0))));
  for (size_t i = 0; isF32 && i < sizeof words / sizeof *words; ++i)
    if (tritonWordIs(op, "inputPrecision", words[i])) precision = words[i];
  char text[64];
  snprintf(text, sizeof text, "#tile<precision %s>", precision);
  return tileParseAttr(mlirOperationGetContext(op), text);
}

static bool isOnlyUse(MlirValue value, MlirOperation owner, intptr_t number) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) &&
         mlirOperationEqual(mlirOpOperandGetOwner(use), owner) &&
         mlirOpOperandGetOperandNumber(use) == number;
}

/// The loop that carries `acc` for the product `op` alone, which adds to it; null where none does.
static MlirOperation findLoopOfSum(MlirOperation op, MlirValue acc) {
  MlirOperation none = {NULL};
  if (!mlirValueIsABlockArgument(acc)) return none;
  MlirBlock body = mlirBlockArgumentGetOwner(acc);
  MlirOperation loop = mlirBlockGetParentOperation(body);
  bool isSum = tileOpIs(loop, "scf.for") && mlirBlockEqual(mlirOperationGetBlock(op), body) &&
               isOnlyUse(acc, op, 2) &&
               isOnlyUse(tileResult(op), mlirBlockGetTerminator(body),
                         mlirBlockArgumentGetArgNumber(acc) - 1);
  return isSum ? loop : none;
}

/// Has `loop` carry `acc` as `wide`, and what comes of it narrowed behind the loop.
static void carryWide(MlirOperation loop, MlirValue acc, MlirType wide) {
  intptr_t number = mlirBlockArgumentGetArgNumber(acc) - 1;
  MlirValue result = mlirOperationGetResult(loop, number);
  MlirType element = tileElementType(mlirValueGetType(acc));
  TileBuilder b = tileBuilderBefore(loop);
  MlirValue init = tileForGetInit(loop, number);
  mlirOperationSetOperand(loop, TILE_FOR_INITS + number,
                          tritonCast(&b, "arith.extf", init, tileElementType(wide)));
  mlirValueSetType(acc, wide);
  mlirValueSetType(result, wide);
  b = tileBuilderBefore(mlirOperationGetNextInBlock(loop));
  MlirValue narrow = tritonCast(&b, "arith.truncf", result, element);
  MlirOperation cast = tileValueGetOp(narrow);
  mlirValueReplaceAllUsesExcept(result, narrow, 1, &cast);
}

/// Does the author ask for sums of 8-bit floats that add no more of K in the tensor core's own
/// registers, of fewer bits than f32's, than this product has? Then it begins at zero.
static bool isPart(MlirOperation op) {
  int64_t shape[TILE_MAX_RANK], most = tileIntAttr(op, "maxNumImpreciseAcc", 0);
  MlirType lhs = mlirValueGetType(tileOperand(op, 0)), rhs = mlirValueGetType(tileOperand(op, 1));
  int rank = tileShape(lhs, shape);
  return most > 0 && most <= shape[rank - 1] && tileBitWidth(tileElementType(lhs)) == 8 &&
         tileBitWidth(tileElementType(rhs)) == 8 &&
         mlirTypeIsAF32(tileElementType(tritonResultType(op)));
}

/// Lets `narrow`, the result of `op` as its author wants it, go as it was made to those that widen
/// it, if all do: each of both ops may be left out with the other (arith's folders).
static void passWide(MlirOperation op, MlirValue narrow) {
  MlirOpOperand use = mlirValueGetFirstUse(tileResult(op));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!tileOpIs(user, "arith.extf") ||
        !mlirTypeIsAF32(tileElementType(mlirValueGetType(tileResult(user)))))
      return;
  }
  MlirAttribute flags = tileParseAttr(mlirOperationGetContext(op), "#arith.fastmath<contract>");
  mlirOperationSetAttributeByName(tileValueGetOp(narrow), tileString("fastmath"), flags);
  for (use = mlirValueGetFirstUse(tileResult(op)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    mlirOperationSetAttributeByName(mlirOpOperandGetOwner(use), tileString("fastmath"), flags);
}

/// Results of 16 bits are accumulated in 32, and in a loop that only adds products narrowed behind
/// it: a tensor core that adds to 16 bits rounds what it has in each step. Who adds them to sums of
/// 32 bits gets them as they are.
static MlirLogicalResult convertDot(MlirOperation op, TileBuilder *b) {
  MlirValue lhs = tileOperand(op, 0), rhs = tileOperand(op, 1), acc = tileOperand(op, 2);
  MlirType type = tritonResultType(op), element = tileElementType(type);
  MlirType f32 = tileF32(b->context);
  bool isNarrow = tileTypeIsFloat(element) && tileBitWidth(element) < 32;
  MlirOperation loop = isNarrow ? findLoopOfSum(op, acc) : (MlirOperation){NULL};
  if (!mlirOperationIsNull(loop)) {
    carryWide(loop, acc, tileWithElement(type, f32));
    isNarrow = false;
  }
  if (isNarrow) acc = tritonCast(b, "arith.extf", acc, f32);
  MlirType wide = mlirValueGetType(acc);
  bool part = isPart(op);
  MlirValue from = part ? tileBuildZero(b, wide) : acc;
  MlirValue made = tileResult(tileBuildOp(b, "tile.dot", TILE_VALUES(lhs, rhs, from), 1, &wide,
                                          TILE_ATTRS({"precision", precisionOf(op)}), 0));
  if (part) made = tileBuildBinary(b, "arith.addf", acc, made);
  if (isNarrow) {
    made = tritonCast(b, "arith.truncf", made, element);
    passWide(op, made);
  }
  return tritonReplace(op, made);
}

//===- arithmetic ---------------------------------------------------------===//

static MlirLogicalResult convertClamp(MlirOperation op, TileBuilder *b) {
  bool all = tritonWordIs(op, "propagateNan", "all");
  MlirValue x = tileOperand(op, 0), least = tileOperand(op, 1), most = tileOperand(op, 2);
  x = tileBuildBinary(b, all ? "arith.maximumf" : "arith.maxnumf", x, least);
  x = tileBuildBinary(b, all ? "arith.minimumf" : "arith.minnumf", x, most);
  return tritonReplace(op, x);
}

MlirValue tritonMulHigh64(TileBuilder *b, MlirValue x, MlirValue y) {
  MlirValue mask = tileBuildInt(b, mlirValueGetType(x), INT64_C(0xffffffff));
  MlirValue xl = tileBuildBinary(b, "arith.andi", x, mask),
            xh = tileBuildWithInt(b, "arith.shrui", x, 32);
  MlirValue yl = tileBuildBinary(b, "arith.andi", y, mask),
            yh = tileBuildWithInt(b, "arith.shrui", y, 32);
  MlirValue low = tileBuildBinary(b, "arith.muli", xl, yl);
  MlirValue carry = tileBuildWithInt(b, "arith.shrui", low, 32);
  MlirValue cross = tileBuildBinary(b, "arith.muli", xh, yl);
  cross = tileBuildBinary(b, "arith.addi", cross, carry);
  MlirValue lower = tileBuildBinary(b, "arith.andi", cross, mask);
  MlirValue other = tileBuildBinary(b, "arith.muli", xl, yh);
  other = tileBuildBinary(b, "arith.addi", other, lower);
  MlirValue high = tileBuildBinary(b, "arith.muli", xh, yh);
  high = tileBuildBinary(b, "arith.addi", high, tileBuildWithInt(b, "arith.shrui", cross, 32));
  return tileBuildBinary(b, "arith.addi", high, tileBuildWithInt(b, "arith.shrui", other, 32));
}

static MlirLogicalResult convertMulHigh(MlirOperation op, TileBuilder *b) {
  MlirValue x = tileOperand(op, 0), y = tileOperand(op, 1);
  MlirType element = tileElementType(tritonResultType(op));
  if (tileBitWidth(element) == 64) return tritonReplace(op, tritonMulHigh64(b, x, y));
  MlirType i64 = mlirIntegerTypeGet(b->context, 64);
  x = tritonCast(b, "arith.extui", x, i64);
  y = tritonCast(b, "arith.extui", y, i64);
  MlirValue product = tileBuildBinary(b, "arith.muli", x, y);
  product = tileBuildWithInt(b, "arith.shrui", product, tileBitWidth(element));
  return tritonReplace(op, tritonCast(b, "arith.trunci", product, element));
}

static MlirLogicalResult convertSqrt(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  return tritonReplace(op, tileBuildUnary(b, "math.sqrt", type, tileOperand(op, 0)));
}

static MlirLogicalResult convertDiv(MlirOperation op, TileBuilder *b) {
  MlirValue x = tileOperand(op, 0), y = tileOperand(op, 1);
  return tritonReplace(op, tileBuildBinary(b, "arith.divf", x, y));
}

//===- debugging and promises ---------------------------------------------===//

/// For each value how Triton prints its numbers: hexadecimal, signed or unsigned.
static MlirAttribute printedAs(MlirOperation op, intptr_t count, char *letters) {
  MlirAttribute hex = tileAttr(op, "hex"), isSigned = tileAttr(op, "isSigned");
  bool isHex = !mlirAttributeIsNull(hex) && mlirAttributeIsABool(hex) && mlirBoolAttrGetValue(hex);
  bool known = !mlirAttributeIsNull(isSigned) && mlirAttributeIsADenseI32Array(isSigned) &&
               mlirDenseArrayGetNumElements(isSigned) == count;
  for (intptr_t i = 0; i < count; ++i) {
    bool plain = !known || mlirDenseI32ArrayGetElement(isSigned, i);
    letters[i] = isHex ? 'x' : plain ? 'i' : 'u';
  }
  MlirStringRef text = mlirStringRefCreate(letters, (size_t)count);
  return mlirStringAttrGet(mlirOperationGetContext(op), text);
}

/// Triton's prefix is " x: ", and tile prints the colon itself.
static MlirLogicalResult convertPrint(MlirOperation op, TileBuilder *b) {
  MlirStringRef prefix = tritonWord(op, "prefix");
  while (prefix.length && prefix.data[0] == ' ') ++prefix.data, --prefix.length;
  while (prefix.length && strchr(": ", prefix.data[prefix.length - 1])) --prefix.length;
  MlirAttribute text = mlirStringAttrGet(b->context, prefix);
  intptr_t count = mlirOperationGetNumOperands(op);
  enum { MOST = 64 };
  if (count > MOST) return tritonRefuse(op, "at most 64 values", "more");
  MlirValue values[MOST];
  for (intptr_t i = 0; i < count; ++i) values[i] = tileOperand(op, i);
  int32_t sizes[2] = {(int32_t)count, 0};
  MlirAttribute segments = mlirDenseI32ArrayGet(b->context, 2, sizes);
  char letters[MOST];
  MlirAttribute elements = printedAs(op, count, letters);
  tileBuildOp(
      b, "tile.print", count, values, TILE_NONE,
      TILE_ATTRS({"text", text}, {"operandSegmentSizes", segments}, {"tile.elements", elements}),
      0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// Reductions and scans combine as it suits them: an assert in there has no place, and is left out.
static bool combines(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  return tileOpIs(parent, "tt.reduce") || tileOpIs(parent, "tt.scan") || tileOpIsAReduce(parent) ||
         tileOpIsAScan(parent);
}

/// TTIR has no word for how an assert ends: whoever launches the kernel says it on the module.
static bool isFatal(MlirOperation op) {
  while (!tileOpIs(op, "builtin.module")) op = mlirOperationGetParentOperation(op);
  MlirAttribute attr = tileAttr(op, "tt.fatal_asserts");
  return !mlirAttributeIsNull(attr) && mlirAttributeIsABool(attr) && mlirBoolAttrGetValue(attr);
}

static MlirLogicalResult convertAssert(MlirOperation op, TileBuilder *b) {
  if (combines(op)) {
    mlirOperationDestroy(op);
    return mlirLogicalResultSuccess();
  }
  MlirAttribute text = mlirStringAttrGet(b->context, tritonWord(op, "message"));
  MlirOperation made = tileBuildOp(b, "tile.assert", TILE_VALUES(tileOperand(op, 0)), TILE_NONE,
                                   TILE_ATTRS({"text", text}), 0);
  if (isFatal(op))
    mlirOperationSetAttributeByName(made, tileString("fatal"), mlirUnitAttrGet(b->context));
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult convertAssume(MlirOperation op, TileBuilder *b) {
  tileBuildOp(b, "tile.assume", TILE_VALUES(tileOperand(op, 0)), TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// Launches of tile's begin when what was launched before them has ended.
static MlirLogicalResult convertDependency(MlirOperation op, TileBuilder *b) {
  if (mlirOperationGetNumResults(op))
    mlirValueReplaceAllUsesOfWith(tileResult(op), tileBuildZero(b, tritonResultType(op)));
  mlirOperationDestroy(op);
  return mlirLogicalResultSuccess();
}

/// tl.extra.cuda's gdc_wait and gdc_launch_dependents.
static bool isDependency(MlirOperation op) {
  static const char word[] = "griddepcontrol.";
  MlirStringRef text = tritonWord(op, "asm_string");
  return mlirOperationGetNumResults(op) == 1 && !mlirOperationGetNumOperands(op) &&
         text.length >= sizeof word - 1 && !strncmp(text.data, word, sizeof word - 1);
}

static MlirAttribute elementsOfResults(MlirOperation op) {
  enum { MOST = 16 };
  MlirAttribute elements[MOST];
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    elements[i] = mlirTypeAttrGet(tileElementType(mlirValueGetType(mlirOperationGetResult(op, i))));
  return mlirArrayAttrGet(mlirOperationGetContext(op), count, elements);
}

/// The constraints without blanks, which Triton takes and LLVM does not.
static MlirAttribute constraintsOf(MlirOperation op) {
  enum { MOST = 512 };
  char text[MOST];
  size_t length = 0;
  MlirStringRef given = tritonWord(op, "constraints");
  for (size_t i = 0; i < given.length && length < MOST; ++i)
    if (!strchr(" \t\n", given.data[i])) text[length++] = given.data[i];
  return mlirStringAttrGet(mlirOperationGetContext(op), mlirStringRefCreate(text, length));
}

/// A text of several results is one op for each.
static MlirLogicalResult convertAsm(MlirOperation op, TileBuilder *b) {
  if (isDependency(op)) return convertDependency(op, b);
  enum { MOST = 16, FIXED = 3 };
  intptr_t count = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  MlirAttribute pure = tileAttr(op, "pure");
  bool isPure =
      !mlirAttributeIsNull(pure) && mlirAttributeIsABool(pure) && mlirBoolAttrGetValue(pure);
  if (results < 1 || results > MOST || count > MOST)
    return tritonRefuse(op, "1 to 16 results, and at most 16 operands", "others");
  if (results > 1 && !isPure) return tritonRefuse(op, "one result of what is not pure", "several");
  MlirValue values[MOST], made[MOST];
  for (intptr_t i = 0; i < count; ++i) values[i] = tileOperand(op, i);
  MlirAttribute pack =
      mlirIntegerAttrGet(tileI32(b->context), tileIntAttr(op, "packed_element", 1));
  TileNamedAttr attrs[FIXED + 3] = {
      {"text", tileAttr(op, "asm_string")}, {"constraints", constraintsOf(op)}, {"pack", pack}};
  intptr_t used = FIXED;
  if (isPure) attrs[used++] = (TileNamedAttr){"pure", mlirUnitAttrGet(b->context)};
  if (results > 1) attrs[used++] = (TileNamedAttr){"outputs", elementsOfResults(op)};
  for (intptr_t i = 0; i < results; ++i) {
    MlirAttribute index = mlirIntegerAttrGet(tileI32(b->context), i);
    if (results > 1) attrs[used] = (TileNamedAttr){"index", index};
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    made[i] = tileResult(
        tileBuildOp(b, "tile.inline_ptx", count, values, 1, &type, used + (results > 1), attrs, 0));
  }
  tileReplaceOp(op, results, made);
  return mlirLogicalResultSuccess();
}

/// A value that nobody looks at, as branches leave where control does not get: any will do.
static MlirLogicalResult convertPoison(MlirOperation op, TileBuilder *b) {
  MlirType type = tritonResultType(op);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)))) {
    mlirOperationDestroy(op);
    return mlirLogicalResultSuccess();
  }
  return tritonReplace(op, tileBuildZero(b, type));
}

const TritonRule tritonComputeRules[] = {
    {"tt.dot", convertDot},
    {"tt.clampf", convertClamp},
    {"tt.mulhiui", convertMulHigh},
    {"tt.precise_sqrt", convertSqrt},
    {"tt.precise_divf", convertDiv},
    {"tt.approx_divf", convertDiv},
    {"tt.print", convertPrint},
    {"tt.assert", convertAssert},
    {"llvm.intr.assume", convertAssume},
    {"ub.poison", convertPoison},
    {"tt.elementwise_inline_asm", convertAsm},
    {"tt.grid_dependency_wait", convertDependency},
    {"tt.grid_dependency_launch_dependents", convertDependency},
    {NULL, NULL}};
