//===- Kernels.c - files of kernels, made ready to be programs ------------===//
#include "tile/Session/Kernels.h"
#include "tile/Conversion/Triton.h"
#include "tile/IR.h"
#include "tile/Support/Suggest.h"
#include "tile/Text.h"
#include <stdlib.h>
#include <string.h>

//===- what host programs may do ------------------------------------------===//

/// What MLIR's own lowerings call: of memref, and of the printing ops of vector.
static bool isRuntimes(MlirStringRef name) {
  static const char *const names[] = {"malloc",     "free",         "aligned_alloc", "memrefCopy",
                                      "printI64",   "printU64",     "printF32",      "printF64",
                                      "printBF16",  "printF16",     "printOpen",     "printClose",
                                      "printComma", "printNewline", "printString"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (tileStringIs(name, names[i])) return true;
  return false;
}

static bool isExtern(MlirOperation op, void *data) {
  (void)data;
  MlirAttribute name = tileAttr(op, "sym_name");
  bool isFunction = !mlirAttributeIsNull(tileAttr(op, "function_type")) &&
                    !mlirAttributeIsNull(name) && mlirOperationGetNumRegions(op) == 1;
  return isFunction && mlirBlockIsNull(tileBody(op, 0)) &&
         !isRuntimes(mlirStringAttrGetValue(name));
}

static void takeOutHost(MlirModule module) {
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    if (!tileOpIsAFunc(op)) mlirOperationDestroy(op);
  }
}

static MlirLogicalResult refuseExtern(MlirModule module) {
  MlirOperation found = tileFindOp(mlirModuleGetOperation(module), isExtern, NULL);
  if (mlirOperationIsNull(found)) return mlirLogicalResultSuccess();
  MlirStringRef name = mlirStringAttrGetValue(tileAttr(found, "sym_name"));
  tileEmitError(mlirOperationGetLocation(found),
                "expected functions with a body (or --allow-extern, for host programs that may "
                "call any function of this process), found '%.*s' without one",
                (int)name.length, name.data);
  return mlirLogicalResultFailure();
}

MlirLogicalResult tileKernelsTake(MlirModule module, TileHostTrust trust) {
  TILE_TRY(tileImportTriton(module));
  if (trust == TILE_HOST_TRUST_NONE) takeOutHost(module);
  return trust == TILE_HOST_TRUST_OWN ? refuseExtern(module) : mlirLogicalResultSuccess();
}

//===- kernels ------------------------------------------------------------===//

bool tileOpIsAKernel(MlirOperation op) {
  if (!tileOpIsAFunc(op)) return false;
  MlirAttribute visibility = tileAttr(op, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         !tileStringIs(mlirStringAttrGetValue(visibility), "private");
}

/// The attribute `name` of argument `i`, or null.
static MlirAttribute argumentAttr(MlirOperation kernel, unsigned i, const char *name) {
  MlirAttribute all = tileAttr(kernel, "arg_attrs");
  if (mlirAttributeIsNull(all)) return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i), tileString(name));
}

bool tileKernelHasKey(MlirOperation kernel, unsigned i) {
  return !mlirAttributeIsNull(argumentAttr(kernel, i, "tile.key"));
}

int64_t tileKernelGetMultiple(MlirOperation kernel, unsigned i) {
  MlirAttribute multiple = argumentAttr(kernel, i, "tile.divisibility");
  return mlirAttributeIsNull(multiple) ? 0 : mlirIntegerAttrGetValueInt(multiple);
}

bool tileKernelFindMeasure(MlirOperation kernel, unsigned i, bool *isStride, uint32_t *array,
                           uint32_t *dimension) {
  MlirAttribute pair = argumentAttr(kernel, i, "tile.extent");
  *isStride = mlirAttributeIsNull(pair);
  if (*isStride) pair = argumentAttr(kernel, i, "tile.stride");
  if (mlirAttributeIsNull(pair)) return false;
  *array = (uint32_t)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(pair, 0));
  *dimension = (uint32_t)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(pair, 1));
  return true;
}

intptr_t tileKernelGetNumConfigs(MlirOperation kernel) {
  MlirAttribute configs = tileFuncGetConfigsAttr(kernel);
  return mlirAttributeIsNull(configs) ? 0 : mlirArrayAttrGetNumElements(configs);
}

char *tileKernelPrintConfig(MlirOperation kernel, intptr_t number) {
  MlirAttribute one = mlirArrayAttrGetElement(tileFuncGetConfigsAttr(kernel), number);
  TileText text = {0};
  tileTextAdd(&text, "");
  for (intptr_t k = 0; k < mlirDictionaryAttrGetNumElements(one); ++k) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(one, k);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    tileTextPrint(&text, "%s%.*s=%lld", text.size ? "," : "", (int)name.length, name.data,
                  (long long)mlirIntegerAttrGetValueInt(entry.attribute));
  }
  return text.data;
}

MlirOperation tileKernelGetGrid(MlirOperation kernel) {
  TILE_FOR_EACH_OP(op, tileBody(kernel, 0)) {
    if (tileOpIsAGrid(op)) return op;
  }
  return (MlirOperation){NULL};
}

/// Of the kernels `known` it is none, or not the only one.
static void refuseName(MlirModule module, const char *wanted, int count, const char *known,
                       const TileSuggestion *suggestion) {
  MlirLocation location = mlirOperationGetLocation(mlirModuleGetOperation(module));
  if (wanted)
    tileEmitError(location, "expected the name of a kernel (%s), found '%s'%s",
                  *known ? known : "there are none", wanted, tileSuggestionSay(suggestion).text);
  else
    tileEmitError(location, "expected --kernel NAME%s%s%s, or a file of one kernel, found %d",
                  *known ? " (" : "", known, *known ? ")" : "", count);
}

MlirOperation tileKernelsFind(MlirModule module, const char *wanted) {
  MlirOperation found = {NULL};
  int count = 0;
  TileSuggestion suggestion = tileSuggestionFor(wanted ? wanted : "", wanted ? strlen(wanted) : 0);
  TileText known = {0};
  tileTextAdd(&known, "");
  TILE_FOR_EACH_OP(op, mlirModuleGetBody(module)) {
    if (!tileOpIsAKernel(op)) continue;
    MlirStringRef name = mlirStringAttrGetValue(tileAttr(op, "sym_name"));
    tileSuggestionOffer(&suggestion, name.data, name.length);
    tileTextPrint(&known, "%s%.*s", known.size ? ", " : "", (int)name.length, name.data);
    if (wanted && !tileStringIs(name, wanted)) continue;
    found = op;
    ++count;
  }
  if (count != 1) refuseName(module, wanted, count, known.data, &suggestion);
  free(known.data);
  return count == 1 ? found : (MlirOperation){NULL};
}

MlirLogicalResult tileKernelSetGrid(MlirOperation kernel, const int32_t grid[3]) {
  MlirBlock body = tileBody(kernel, 0);
  MlirOperation own = tileKernelGetGrid(kernel);
  if (!mlirOperationIsNull(own)) {
    tileEmitError(mlirOperationGetLocation(own),
                  "expected a kernel without a grid beside --grid, found this one");
    return mlirLogicalResultFailure();
  }
  TileBuilder b = tileBuilderAtStart(body);
  MlirOperation made = tileBuildOp(&b, "tile.grid", TILE_NONE, TILE_NONE, TILE_NONE, 1);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, 0), block);
  TileBuilder in = tileBuilderAtEnd(block, b.location);
  MlirValue extents[3];
  for (int i = 0; i < 3; ++i) extents[i] = tileBuildInt(&in, tileI32(b.context), grid[i]);
  tileBuildOp(&in, "tile.yield", 3, extents, TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}
