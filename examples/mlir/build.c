// Builds a kernel by MLIR's C API and tile's, runs tile's passes over it, and prints what they
// made.
//
//   cmake -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build && build/build
//
// For compilers that make kernels of something else. Such a program links the distribution's MLIR,
// and what it makes may as well go to tile.h as text or bytecode.
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Pass.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tile-mlir.h>

static MlirContext context;
static MlirLocation here;

static MlirStringRef string(const char *text) { return mlirStringRefCreateFromCString(text); }
static MlirType type(const char *text) { return mlirTypeParseGet(context, string(text)); }
static MlirAttribute attribute(const char *text) {
  return mlirAttributeParseGet(context, string(text));
}

/// Appends an op with an attribute (`key` NULL: without), and gives its result.
static MlirValue append(MlirBlock block, const char *name, intptr_t count,
                        const MlirValue *operands, const char *result, const char *key,
                        const char *value) {
  MlirOperationState state = mlirOperationStateGet(string(name), here);
  mlirOperationStateAddOperands(&state, count, operands);
  if (result) {
    MlirType made = type(result);
    mlirOperationStateAddResults(&state, 1, &made);
  }
  if (key) {
    MlirIdentifier identifier = mlirIdentifierGet(context, string(key));
    MlirNamedAttribute named = mlirNamedAttributeGet(identifier, attribute(value));
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, op);
  return result ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

/// x[i] += x[i] for i < 256.
static void fill(MlirBlock body) {
  static const char *const index = "tensor<256xi32>", *const values = "tensor<256xf32>";
  static const char *const pointers = "tensor<256x!tile.ptr<f32>>";
  MlirValue x = mlirBlockGetArgument(body, 0);
  MlirValue lane = append(body, "tile.arange", 0, NULL, index, NULL, NULL);
  MlirValue base = append(body, "tile.splat", 1, &x, pointers, NULL, NULL);
  MlirValue places =
      append(body, "tile.addptr", 2, (MlirValue[]){base, lane}, pointers, NULL, NULL);
  MlirValue loaded =
      append(body, "tile.load", 1, &places, values, "operandSegmentSizes", "array<i32: 1, 0, 0>");
  MlirValue sum = append(body, "arith.addf", 2, (MlirValue[]){loaded, loaded}, values, NULL, NULL);
  append(body, "tile.store", 2, (MlirValue[]){places, sum}, NULL, NULL, NULL);
  append(body, "tile.return", 0, NULL, NULL, NULL, NULL);
}

/// A module of one kernel.
static MlirModule build(void) {
  MlirModule module = mlirModuleCreateEmpty(here);
  MlirType pointer = tilePtrTypeGet(mlirF32TypeGet(context));
  MlirBlock body = mlirBlockCreate(1, &pointer, &here);
  fill(body);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirAttribute signature = mlirTypeAttrGet(mlirFunctionTypeGet(context, 1, &pointer, 0, NULL));
  const MlirNamedAttribute attributes[2] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, string("sym_name")), attribute("\"twice\"")),
      mlirNamedAttributeGet(mlirIdentifierGet(context, string("function_type")), signature)};
  MlirOperationState state = mlirOperationStateGet(string("tile.func"), here);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), mlirOperationCreate(&state));
  return module;
}

static void print(MlirStringRef part, void *file) { fwrite(part.data, 1, part.length, file); }

/// Runs a pipeline, as tile-opt takes it.
static bool run(MlirModule module, const char *pipeline) {
  MlirPassManager passes = mlirPassManagerCreate(context);
  bool ok =
      mlirLogicalResultIsSuccess(mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(passes),
                                                       string(pipeline), print, stderr)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(passes);
  return ok;
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tile__(), context);
  mlirContextGetOrLoadDialect(context, string("arith"));
  here = mlirLocationFileLineColGet(context, string(__FILE__), __LINE__, 1);

  MlirModule module = build();
  MlirOperation op = mlirModuleGetOperation(module);
  bool ok = mlirOperationVerify(op);
  if (ok) mlirOperationPrint(op, print, stdout);
  ok = ok && run(module, "builtin.module(tile-to-nvvm{arch=sm_90a})");
  if (ok) mlirOperationPrint(op, print, stdout);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok ? 0 : 1;
}
