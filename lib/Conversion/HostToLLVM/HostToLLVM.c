//===- HostToLLVM.c - host programs call the runtime ----------------------===//
//
// Before:  func.func @main(%n: i32) {
//            %x = tile_host.random(%n) seed 1 : (i32) -> memref<?xf32>
//            tile_host.launch @add(%x, %n) : memref<?xf32>, i32
//            %v = memref.load %x[%c0] : memref<?xf32>
// After:   func.func @main(%n: i32) {
//            %a = call @tileHostRandom(%site0, %extents) : (i64, i64) -> i64
//            %x = ... a memref of %n elements at %a
//            %grid = arith.ceildivsi %n, %c1024           // the kernel's tile.grid, in place
//            call @tileHostLaunch(%site1, %slots, %grid, %c1, %c1, %operations, %bytes)
//            call @tileHostTouch(%a, %c0)
//            %v = memref.load %x[%c0] : memref<?xf32>
//          func.func @tileHostMain(%slots: i64) -> i32    // calls @main
//
// The kernels leave the module. tile/Conversion/HostToLLVM.h describes the functions called.
//
// Requires: helpers that grids call are inlined.  Preserves: all host code that is upstream's.
//===----------------------------------------------------------------------===//
#include "Host.h"
#include <stdio.h>

static MlirWalkResult number(MlirOperation op, void *data) {
  int64_t *next = data;
  if (!tileOpIsHost(op)) return MlirWalkResultAdvance;
  MlirType i64 = tileI64(mlirOperationGetContext(op));
  MlirAttribute site = mlirIntegerAttrGet(i64, (*next)++);
  mlirOperationSetDiscardableAttributeByName(op, tileString("tile_host.site"), site);
  return MlirWalkResultAdvance;
}

int64_t tileNumberHostOps(MlirOperation module) {
  int64_t count = 0;
  mlirOperationWalk(module, number, &count, MlirWalkPreOrder);
  return count;
}

typedef struct Search {
  MlirOperation found;
  bool numbered;
} Search;

static MlirWalkResult findHostOp(MlirOperation op, void *data) {
  Search *search = data;
  if (!tileOpIsHost(op)) return MlirWalkResultAdvance;
  search->found = op;
  search->numbered = !mlirAttributeIsNull(tileAttr(op, "tile_host.site"));
  return MlirWalkResultInterrupt;
}

/// Lowers the host ops of `func` one by one.
static MlirLogicalResult lowerFunction(Host *h, MlirOperation func) {
  for (;;) {
    Search search = {0};
    mlirOperationWalk(func, findHostOp, &search, MlirWalkPreOrder);
    MlirOperation op = search.found;
    if (mlirOperationIsNull(op)) return mlirLogicalResultSuccess();
    TILE_TRY(tileOpIsALaunch(op) ? tileHostLowerLaunch(h, op) : tileHostLowerArrayOp(h, op));
  }
}

/// func.func @tileHostMain(%slots: i64) -> i32 that calls `main`.
static MlirLogicalResult addEntry(Host *h, MlirOperation main) {
  MlirBlock mainBody = tileBody(main, 0);
  MlirType mainType = mlirTypeAttrGetValue(tileAttr(main, "function_type"));
  MlirLocation loc = mlirOperationGetLocation(main);
  intptr_t results = mlirFunctionTypeGetNumResults(mainType);
  if (results > 1 ||
      (results == 1 && !mlirTypeEqual(mlirFunctionTypeGetResult(mainType, 0), h->i32))) {
    tileEmitError(loc, "expected @main to return nothing or one i32, found other results");
    return mlirLogicalResultFailure();
  }
  TileBuilder top = tileBuilderAtEnd(tileBody(h->module, 0), loc);
  MlirAttribute type = mlirTypeAttrGet(mlirFunctionTypeGet(h->context, 1, &h->i64, 1, &h->i32));
  MlirAttribute name = tileStringAttr(h->context, "tileHostMain");
  MlirOperation entry = tileBuildOp(&top, "func.func", TILE_NONE, TILE_NONE,
                                    TILE_ATTRS({"sym_name", name}, {"function_type", type}), 1);
  MlirBlock body = mlirBlockCreate(1, &h->i64, &loc);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(entry, 0), body);

  TileBuilder b = tileBuilderAtEnd(body, loc);
  MlirType pointerType = mlirTypeParseGet(h->context, tileString("!llvm.ptr"));
  MlirValue eight = tileBuildInt(&b, h->i64, 8);
  MlirValue address = mlirBlockGetArgument(body, 0);
  intptr_t count = mlirBlockGetNumArguments(mainBody);
  MlirValue arguments[64];
  for (intptr_t i = 0; i < count; ++i) {
    // %bits = llvm.load %slot : i64
    MlirValue pointer = tileBuildUnary(&b, "llvm.inttoptr", pointerType, address);
    MlirValue bits = tileBuildUnary(&b, "llvm.load", h->i64, pointer);
    MlirType wanted = mlirValueGetType(mlirBlockGetArgument(mainBody, i));
    MlirValue value = i < 64 ? tileHostFromBits(h, &b, bits, wanted) : (MlirValue){NULL};
    if (mlirValueIsNull(value)) {
      tileEmitError(loc,
                    "expected @main to take at most 64 integers and floats of 64 bits at most, "
                    "found another type for argument %d",
                    (int)i);
      return mlirLogicalResultFailure();
    }
    arguments[i] = value;
    address = tileBuildBinary(&b, "arith.addi", address, eight);
  }
  MlirAttribute callee = mlirFlatSymbolRefAttrGet(h->context, tileString("main"));
  MlirOperation call = tileBuildOp(&b, "func.call", count, arguments, results, &h->i32,
                                   TILE_ATTRS({"callee", callee}), 0);
  MlirValue status = results ? tileResult(call) : tileBuildInt(&b, h->i32, 0);
  tileBuildOp(&b, "func.return", TILE_VALUES(status), TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}

/// Is it a func.func with a body?
static bool isDefinition(MlirOperation op) {
  return tileOpIs(op, "func.func") && !mlirBlockIsNull(tileBody(op, 0));
}

MlirLogicalResult tileRunConvertTileHost(MlirOperation module,
                                         const TileConvertTileHostOptions *options) {
  MlirContext context = mlirOperationGetContext(module);
  Host h = {.context = context,
            .module = module,
            .options = options,
            .index = mlirIndexTypeGet(context),
            .i32 = tileI32(context),
            .i64 = tileI64(context)};
  Search search = {0};
  mlirOperationWalk(module, findHostOp, &search, MlirWalkPreOrder);
  if (!search.numbered) tileNumberHostOps(module);

  MlirBlock body = tileBody(module, 0);
  MlirOperation main = {NULL};
  TILE_FOR_EACH_OP(op, body) {
    if (!isDefinition(op)) continue;
    if (tileStringIs(mlirStringAttrGetValue(tileAttr(op, "sym_name")), "main")) main = op;
    tileHostInsertTouches(&h, op);
  }
  TILE_FOR_EACH_OP(func, body) {
    if (isDefinition(func)) TILE_TRY(lowerFunction(&h, func));
  }
  if (!mlirOperationIsNull(main)) {
    TILE_TRY(addEntry(&h, main));
    // tile_host.default has done its work, and LLVM would not know it.
    mlirOperationRemoveAttributeByName(main, tileString("arg_attrs"));
  }
  TILE_FOR_EACH_OP(kernel, body) {
    if (tileOpIsAFunc(kernel)) mlirOperationDestroy(kernel);
  }
  return mlirLogicalResultSuccess();
}

// One line and one reason a pass.
static const char *const hostPasses[] = {
    // Reference computations become loops that LLVM vectorizes.
    "func.func(convert-linalg-to-loops)",
    "func.func(canonicalize,cse)",
    // bf16 conversions and rounding divisions have no LLVM form of their own.
    "func.func(arith-expand{include-bf16=true})",
    "lower-affine",
    // Subviews become pointer arithmetic.
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-vector-to-llvm{force-32bit-vector-indices=0}",
    // What math has no LLVM intrinsic for is libm's.
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    // Memrefs made from descriptors meet the descriptors that memrefs became.
    "reconcile-unrealized-casts",
};

static void report(MlirStringRef message, void *data) {
  (void)data;
  fprintf(stderr, "%.*s", (int)message.length, message.data);
}

MlirLogicalResult tileBuildHostToLLVM(MlirOpPassManager pm) {
  for (size_t i = 0; i < sizeof hostPasses / sizeof *hostPasses; ++i)
    TILE_TRY(mlirOpPassManagerAddPipeline(pm, tileString(hostPasses[i]), report, NULL));
  return mlirLogicalResultSuccess();
}
