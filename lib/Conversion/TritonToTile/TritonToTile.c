//===- TritonToTile.c - kernels of Triton become kernels of tile ----------===//
//
// Before:  tt.func public @add(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
//            %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
//            %end = tt.splat %n : i32 -> tensor<64xi32>
//            %in = arith.cmpi slt, %lane, %end : tensor<64xi32>
//            %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
//            %p = tt.addptr %xs, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
//            %v = tt.load %p, %in : tensor<64x!tt.ptr<f32>>
// After:   tile.func @add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
//            %lane = tile.arange : tensor<64xi32>
//            ...
//            %v = tile.load %p, %in : tensor<64x!tile.ptr<f32>>
//
// Both dialects mean programs over whole tiles, and share arith, math and scf; so the functions are
// changed in place: first branches become structured (upstream's CFGToSCF; Triton leaves those of
// early returns), then values get tile's types, then each op of tt is replaced by its rule. How
// many programs there are Triton leaves to the launch: a kernel of its has no tile.grid.
//
// Refuses, at the op, what tile has no equivalent of, by its name.
//
// Requires: what Triton's make_ttir leaves (no block pointers).  Preserves: control flow, and
// numerics as TritonNumerics.c says.
//===----------------------------------------------------------------------===//
#include "TritonToTile.h"
#include "mlir-c/Pass.h"
#include "tile/Passes.h"
#include <stdio.h>
#include <stdlib.h>

MlirStringRef tritonWord(MlirOperation op, const char *name) {
  MlirAttribute attr = tileAttr(op, name);
  bool is = !mlirAttributeIsNull(attr) && mlirAttributeIsAString(attr);
  return is ? mlirStringAttrGetValue(attr) : tileString("");
}

MlirLogicalResult tritonRefuse(MlirOperation op, const char *expected, const char *found) {
  MlirStringRef name = tileOpName(op);
  tileEmitError(mlirOperationGetLocation(op), "'%.*s': expected %s, found %s", (int)name.length,
                name.data, expected, found);
  return mlirLogicalResultFailure();
}

//===- functions ----------------------------------------------------------===//

/// What Triton knows of an argument, in tile's words; the rest says nothing to tile.
static MlirAttribute convertArgument(MlirContext context, MlirAttribute known, MlirType type) {
  MlirNamedAttribute kept;
  intptr_t count = 0;
  MlirAttribute divisor = mlirDictionaryAttrGetElementByName(known, tileString("tt.divisibility"));
  bool is = !mlirAttributeIsNull(divisor) && mlirAttributeIsAInteger(divisor);
  int64_t value = is ? mlirIntegerAttrGetValueInt(divisor) : 0;
  bool takes = tileTypeIsAPtr(type) || mlirTypeIsAInteger(type);
  if (takes && value > 0 && value <= 1 << 30 && !(value & (value - 1))) {
    MlirIdentifier name = mlirIdentifierGet(context, tileString("tile.divisibility"));
    MlirAttribute attr = mlirIntegerAttrGet(tileI32(context), value);
    kept = mlirNamedAttributeGet(name, attr);
    count = 1;
  }
  return mlirDictionaryAttrGet(context, count, &kept);
}

/// A tile.func in the place of a tt.func, with its body.
static MlirLogicalResult replaceFunc(MlirOperation func) {
  MlirContext context = mlirOperationGetContext(func);
  MlirBlock body = tileBody(func, 0);
  intptr_t count = mlirBlockGetNumArguments(body);
  MlirAttribute known = tileAttr(func, "arg_attrs");
  MlirType *types = malloc((size_t)(count + 1) * sizeof *types);
  MlirAttribute *arguments = malloc((size_t)(count + 1) * sizeof *arguments);
  if (!types || !arguments) abort();
  bool says = false; // something of an argument
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(body, i));
    bool has = !mlirAttributeIsNull(known) && mlirArrayAttrGetNumElements(known) > i;
    arguments[i] = has ? convertArgument(context, mlirArrayAttrGetElement(known, i), types[i])
                       : mlirDictionaryAttrGet(context, 0, NULL);
    says |= mlirDictionaryAttrGetNumElements(arguments[i]) > 0;
  }
  MlirOperation end = mlirBlockGetTerminator(body);
  intptr_t numResults = mlirOperationGetNumOperands(end);
  MlirType *results = malloc((size_t)(numResults + 1) * sizeof *results);
  if (!results) abort();
  for (intptr_t i = 0; i < numResults; ++i) results[i] = mlirValueGetType(tileOperand(end, i));
  MlirType type = mlirFunctionTypeGet(context, count, types, numResults, results);
  TileNamedAttr attrs[4] = {{"sym_name", tileAttr(func, "sym_name")},
                            {"function_type", mlirTypeAttrGet(type)},
                            {"arg_attrs", mlirArrayAttrGet(context, count, arguments)}};
  bool isPrivate = tritonWordIs(func, "sym_visibility", "private");
  attrs[3] = (TileNamedAttr){"sym_visibility", tileStringAttr(context, "private")};
  TileBuilder b = tileBuilderBefore(func);
  MlirOperation made =
      tileBuildTaking(&b, "tile.func", func, TILE_NONE, TILE_NONE, isPrivate ? 4 : 3, attrs);
  // What a launch says of arguments that are 1 is in the text by then: they are constants.
  if (says && !isPrivate)
    mlirOperationSetDiscardableAttributeByName(made, tileString("tile.knows_ones"),
                                               mlirUnitAttrGet(context));
  mlirOperationDestroy(func);
  free(results);
  free(arguments);
  free(types);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult tritonReplaceTerminator(MlirOperation op, TileBuilder *b, const char *name) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *values = malloc((size_t)(count + 1) * sizeof *values);
  if (!values) abort();
  for (intptr_t i = 0; i < count; ++i) values[i] = tileOperand(op, i);
  tileBuildOp(b, name, count, values, TILE_NONE, TILE_NONE, 0);
  mlirOperationDestroy(op);
  free(values);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult convertReturn(MlirOperation op, TileBuilder *b) {
  return tritonReplaceTerminator(op, b, "tile.return");
}

void tritonRebuild(MlirOperation op, TileBuilder *b, const char *name, intptr_t numAttrs,
                   const TileNamedAttr *attrs) {
  intptr_t count = mlirOperationGetNumOperands(op), numResults = mlirOperationGetNumResults(op);
  MlirValue *values = malloc((size_t)(count + numResults + 1) * sizeof *values);
  MlirType *types = malloc((size_t)(numResults + 1) * sizeof *types);
  if (!values || !types) abort();
  for (intptr_t i = 0; i < count; ++i) values[i] = tileOperand(op, i);
  for (intptr_t i = 0; i < numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirOperation made =
      tileBuildTaking(b, name, op, count, values, numResults, types, numAttrs, attrs);
  for (intptr_t i = 0; i < numResults; ++i) values[i] = mlirOperationGetResult(made, i);
  tileReplaceOp(op, numResults, values);
  free(types);
  free(values);
}

static MlirLogicalResult convertCall(MlirOperation op, TileBuilder *b) {
  tritonRebuild(op, b, "tile.call", TILE_ATTRS({"callee", tileAttr(op, "callee")}));
  return mlirLogicalResultSuccess();
}

/// What CFGToSCF makes of several ways that meet, a switch over numbers, as a chain of branches:
/// one for each case, the next in its other half, and the default in the last.
static MlirLogicalResult convertSwitch(MlirOperation op, TileBuilder *b) {
  MlirAttribute cases = tileAttr(op, "cases");
  intptr_t count = mlirDenseArrayGetNumElements(cases), numResults = mlirOperationGetNumResults(op);
  if (!count) return tritonRefuse(op, "a case", "none");
  MlirValue *values = malloc((size_t)(numResults + 1) * sizeof *values);
  MlirType *types = malloc((size_t)(numResults + 1) * sizeof *types);
  if (!values || !types) abort();
  for (intptr_t i = 0; i < numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirOperation cast = tileValueGetOp(tileOperand(op, 0));
  bool isCast = !mlirOperationIsNull(cast) && tileOpIs(cast, "arith.index_castui");
  MlirValue number = isCast ? tileOperand(cast, 0) : tileOperand(op, 0);
  TileBuilder at = *b;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue wanted =
        tileBuildInt(&at, mlirValueGetType(number), mlirDenseI64ArrayGetElement(cases, i));
    MlirValue is = tileBuildCmpi(&at, TILE_EQ, number, wanted);
    MlirOperation branch = tileBuildIf(&at, is, numResults, types, true);
    // Region 0 is the default's.
    mlirRegionTakeBody(mlirOperationGetRegion(branch, 0), mlirOperationGetRegion(op, i + 1));
    for (intptr_t r = 0; r < numResults; ++r) values[r] = mlirOperationGetResult(branch, r);
    if (i > 0) tileBuildOp(&at, "scf.yield", numResults, values, TILE_NONE, TILE_NONE, 0);
    if (i + 1 == count)
      mlirRegionTakeBody(mlirOperationGetRegion(branch, 1), mlirOperationGetRegion(op, 0));
    else
      at = tileBuilderAtEnd(tileBody(branch, 1), b->location);
    if (i == 0)
      for (intptr_t r = 0; r < numResults; ++r)
        mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, r), values[r]);
  }
  mlirOperationDestroy(op);
  if (isCast && mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(cast))))
    mlirOperationDestroy(cast);
  free(types);
  free(values);
  return mlirLogicalResultSuccess();
}

//===- ops ----------------------------------------------------------------===//

static const TritonRule functionRules[] = {{"tt.return", convertReturn},
                                           {"tt.call", convertCall},
                                           {"scf.index_switch", convertSwitch},
                                           {NULL, NULL}};

static TritonConversion *findRule(MlirOperation op) {
  const TritonRule *const all[] = {
      functionRules,         tritonShapeRules,         tritonMemoryRules,  tritonAtomicRules,
      tritonDescriptorRules, tritonDescriptorRowRules, tritonComputeRules, tritonDotScaledRules,
      tritonFloatRules,      tritonCombineRules,       tritonExternRules};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    for (const TritonRule *rule = all[i]; rule->name; ++rule)
      if (tileOpIs(op, rule->name)) return rule->convert;
  return NULL;
}

/// Ops that tile's kernels are made of, too.
static bool isShared(MlirOperation op) {
  return tileOpIsOfDialect(op, "arith") || tileOpIsOfDialect(op, "math") ||
         tileOpIsOfDialect(op, "scf") || tileOpIsOfDialect(op, "tile");
}

static MlirLogicalResult convertOp(MlirOperation op, bool fuses) {
  TritonConversion *convert = findRule(op);
  if (convert) {
    TileBuilder b = tileBuilderBefore(op);
    return convert(op, &b);
  }
  TileBuilder before = tileBuilderBefore(op);
  if (tritonConvertToBytes(op, &before)) return mlirLogicalResultSuccess();
  if (isShared(op)) {
    tritonRelax(op, fuses);
    tritonKeepHints(op, op);
    tritonKeepStages(op);
    tritonTakeAsNonnegative(op);
    return mlirLogicalResultSuccess();
  }
  MlirStringRef name = tileOpName(op);
  tileEmitError(mlirOperationGetLocation(op),
                "expected an op of Triton's that tile has an equivalent of, found '%.*s'",
                (int)name.length, name.data);
  return mlirLogicalResultFailure();
}

/// Inner ops come first: those that yield are there when the op around them takes their region.
static MlirLogicalResult convertFunc(MlirOperation func, bool fuses) {
  TILE_TRY(tileTritonLiftControlFlow(func));
  TILE_TRY(tritonConvertTypes(func));
  if (!tritonWordIs(func, "sym_visibility", "private")) tritonExpandArguments(func);
  TILE_TRY(tritonSpreadDescriptors(func));
  TileOpList list = {0};
  tileOpListCollect(&list, func, MlirWalkPostOrder, NULL, NULL);
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (size_t i = 0; i + 1 < list.count && mlirLogicalResultIsSuccess(result); ++i)
    result = convertOp(list.ops[i], fuses);
  tileOpListDestroy(&list);
  TILE_TRY(result);
  return replaceFunc(func);
}

static bool isFunc(MlirOperation op) { return tileOpIs(op, "tt.func"); }

/// Whether the module allows it, too: TTIR has no word for it, so Triton's caller adds one.
static bool mayFuse(MlirOperation module) {
  MlirAttribute attr = tileAttr(module, "tt.fp_fusion");
  return mlirAttributeIsNull(attr) || !mlirAttributeIsABool(attr) || mlirBoolAttrGetValue(attr);
}

MlirLogicalResult tileRunConvertTritonToTile(MlirOperation module,
                                             const TileConvertTritonToTileOptions *options) {
  bool fuses = options->fpFusion && mayFuse(module);
  TilePointerTable others = {0};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (!mlirLogicalResultIsSuccess(result)) break;
    if (!isFunc(op))
      tilePointerTableInsert(&others, op.ptr);
    else if (mlirBlockIsNull(tileBody(op, 0))) // nothing to run
      result = tritonRefuse(op, "a body", "a declaration");
    else
      result = convertFunc(op, fuses);
  }
  if (mlirLogicalResultIsSuccess(result)) tritonMarkWraps(module, &others);
  tilePointerTableClear(&others);
  return result;
}

//===- for whoever reads files --------------------------------------------===//

bool tileIsTriton(MlirModule module) {
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    if (isFunc(op)) return true;
  }
  return false;
}

static void report(MlirStringRef message, void *data) {
  (void)data;
  fprintf(stderr, "%.*s", (int)message.length, message.data);
}

MlirLogicalResult tileImportTriton(MlirModule module) {
  if (!tileIsTriton(module)) return mlirLogicalResultSuccess();
  MlirOperation op = mlirModuleGetOperation(module);
  MlirPassManager pm = mlirPassManagerCreate(mlirOperationGetContext(op));
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(pm);
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(passes, tileString("convert-triton-to-tile"), report, NULL);
  if (mlirLogicalResultIsSuccess(result)) result = mlirPassManagerRunOnOp(pm, op);
  mlirPassManagerDestroy(pm);
  return result;
}
