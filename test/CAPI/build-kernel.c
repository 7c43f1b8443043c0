// A program in C alone builds a kernel through mlir-c, verifies it, prints it and compiles it.
//
// RUN: %unit/build-kernel | FileCheck %s
// RUN: %unit/build-kernel ptx | FileCheck %s --check-prefix=PTX

// CHECK-LABEL: tile.func @twice(
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32>, %[[N:.*]]: i32) {
// CHECK: tile.grid(%[[N]] : i32) {
// CHECK: tile.yield
// CHECK: %[[LANE:.*]] = tile.arange : tensor<256xi32>
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[LANE]]
// CHECK: %[[V:.*]] = tile.load %[[P:.*]], %[[IN]] : tensor<256x!tile.ptr<f32>>
// CHECK: %[[SUM:.*]] = arith.addf %[[V]], %[[V]] : tensor<256xf32>
// CHECK: tile.store %[[P]], %[[SUM]], %[[IN]] : tensor<256x!tile.ptr<f32>>

// PTX: .target sm_90a
// PTX: .visible .entry twice(
// PTX: ld.global
// PTX: add.{{(rn.)?}}f32
// PTX: st.global
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "tile/Session/Program.h"
#include "tile/Tile.h"
#include <stdio.h>

static MlirContext context;
static MlirLocation loc;

static MlirStringRef text(const char *c) { return mlirStringRefCreateFromCString(c); }

static MlirAttribute attribute(const char *c) { return mlirAttributeParseGet(context, text(c)); }

static MlirType type(const char *c) { return mlirTypeParseGet(context, text(c)); }

/// Appends an op to `block`; `key` (NULL: none) is the name of its one attribute.
static MlirOperation append(MlirBlock block, const char *name, intptr_t count,
                            const MlirValue *operands, MlirType result, const char *key,
                            MlirAttribute value) {
  MlirOperationState state = mlirOperationStateGet(text(name), loc);
  mlirOperationStateAddOperands(&state, count, operands);
  if (!mlirTypeIsNull(result)) mlirOperationStateAddResults(&state, 1, &result);
  if (key) {
    MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(context, text(key)), value);
    mlirOperationStateAddAttributes(&state, 1, &named);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, op);
  return op;
}

static MlirValue value(MlirBlock block, const char *name, intptr_t count, const MlirValue *operands,
                       const char *result) {
  MlirOperation op =
      append(block, name, count, operands, type(result), NULL, mlirAttributeGetNull());
  return mlirOperationGetResult(op, 0);
}

/// tile.grid(%n : i32) { one program }
static void appendGrid(MlirBlock body, MlirValue n) {
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(1, &i32, &loc);
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperation one = append(block, "arith.constant", 0, NULL, i32, "value", attribute("1 : i32"));
  MlirValue programs = mlirOperationGetResult(one, 0);
  append(block, "tile.yield", 1, &programs, (MlirType){NULL}, NULL, mlirAttributeGetNull());
  MlirOperationState state = mlirOperationStateGet(text("tile.grid"), loc);
  mlirOperationStateAddOperands(&state, 1, &n);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockAppendOwnedOperation(body, mlirOperationCreate(&state));
}

/// x[i] += x[i] for i < n, at most 256 of them.
static void fill(MlirBlock body) {
  const char *const index = "tensor<256xi32>", *const values = "tensor<256xf32>";
  const char *const pointers = "tensor<256x!tile.ptr<f32>>";
  MlirType none = {NULL};
  MlirValue x = mlirBlockGetArgument(body, 0), n = mlirBlockGetArgument(body, 1);
  appendGrid(body, n);
  MlirValue lane = value(body, "tile.arange", 0, NULL, index);
  MlirValue end = value(body, "tile.splat", 1, &n, index);
  MlirOperation compare = append(body, "arith.cmpi", 2, (MlirValue[]){lane, end},
                                 type("tensor<256xi1>"), "predicate", attribute("2 : i64"));
  MlirValue in = mlirOperationGetResult(compare, 0);
  MlirValue base = value(body, "tile.splat", 1, &x, pointers);
  MlirValue places = value(body, "tile.addptr", 2, (MlirValue[]){base, lane}, pointers);
  MlirOperation load = append(body, "tile.load", 2, (MlirValue[]){places, in}, type(values),
                              "operandSegmentSizes", attribute("array<i32: 1, 1, 0>"));
  MlirValue loaded = mlirOperationGetResult(load, 0);
  MlirValue sum = value(body, "arith.addf", 2, (MlirValue[]){loaded, loaded}, values);
  append(body, "tile.store", 3, (MlirValue[]){places, sum, in}, none, NULL, mlirAttributeGetNull());
  append(body, "tile.return", 0, NULL, none, NULL, mlirAttributeGetNull());
}

static MlirModule build(void) {
  MlirModule module = mlirModuleCreateEmpty(loc);
  MlirType inputs[2] = {tilePtrTypeGet(mlirF32TypeGet(context)), mlirIntegerTypeGet(context, 32)};
  MlirLocation locs[2] = {loc, loc};
  MlirBlock body = mlirBlockCreate(2, inputs, locs);
  fill(body);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirAttribute signature = mlirTypeAttrGet(mlirFunctionTypeGet(context, 2, inputs, 0, NULL));
  MlirNamedAttribute attributes[2] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, text("sym_name")), attribute("\"twice\"")),
      mlirNamedAttributeGet(mlirIdentifierGet(context, text("function_type")), signature)};
  MlirOperationState state = mlirOperationStateGet(text("tile.func"), loc);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), mlirOperationCreate(&state));
  return module;
}

static void print(MlirStringRef part, void *data) {
  (void)data;
  fwrite(part.data, 1, part.length, stdout);
}

static bool printPtx(MlirModule module) {
  TileProgramOptions options = {.arch = tileMachineFind("sm_90a")};
  TileProgram *program = tileProgramCreate(module, &options);
  TileBlob ptx = {0};
  bool ok = program && mlirLogicalResultIsSuccess(
                           tileProgramEmit(program, text("twice"), TILE_EMIT_PTX, NULL, 0, &ptx));
  if (ok) fwrite(ptx.data, 1, ptx.size, stdout);
  tileBlobDestroy(&ptx);
  tileProgramDestroy(program);
  return ok;
}

int main(int argc, char **argv) {
  (void)argv;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterDialects(registry);
  tileRegisterUpstreamPasses();
  tileRegisterPasses();
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tile__(), context);
  mlirContextGetOrLoadDialect(context, text("arith"));
  loc = mlirLocationFileLineColGet(context, text(__FILE__), __LINE__, 1);

  MlirModule module = build();
  MlirOperation op = mlirModuleGetOperation(module);
  bool ok = mlirOperationVerify(op);
  if (ok && argc == 1) mlirOperationPrint(op, print, NULL);
  if (ok && argc > 1) ok = printPtx(module);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ok ? 0 : 1;
}
