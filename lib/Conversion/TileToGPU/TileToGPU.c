//===- TileToGPU.c - kernels become one thread's program ------------------===//
//
// Before:  tile.func @add(%x: !tile.ptr<f32>, %n: i32) {
//            %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #layout>
// After:   gpu.module @kernels {
//            llvm.func @add(%x: !llvm.ptr<1>, %n: i32)
//                attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
//              %v = llvm.load %q {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
//
// The kernel's function carries tile.num_warps, tile_gpu.shared_bytes and what Parameters.c says
// for whoever launches it. Host functions of the module are dropped: they are compiled apart.
//
// Requires: layouts assigned, shared memory allocated.  Preserves: control flow,
// numerics.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile/Passes.h"
#include <stdlib.h>
#include <string.h>

//===- structured control flow --------------------------------------------===//

/// scf.for, if, while and their terminators: the same op over thread values.
static MlirLogicalResult lowerStructured(Lowering *l, MlirOperation op) {
  intptr_t numOperands = mlirOperationGetNumOperands(op),
           numResults = mlirOperationGetNumResults(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType types[lowerMaxResults];
  if (!lowerResultTypes(l, op, types)) return mlirLogicalResultFailure();
  MlirOperationState state = mlirOperationStateGet(tileOpName(op), loc);
  for (intptr_t i = 0; i < numOperands; ++i) {
    MlirValue operand = lowerGet(l, mlirOperationGetOperand(op, i));
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddResults(&state, numResults, types);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attr = mlirOperationGetAttribute(op, i);
    if (!tileStringIs(mlirIdentifierStr(attr.name), "tile.num_stages"))
      mlirOperationStateAddAttributes(&state, 1, &attr);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(l->b.block, made);
  TileBuilder outside = l->b;
  MlirLogicalResult result = mlirLogicalResultSuccess();
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op) && mlirLogicalResultIsSuccess(result);
       ++r) {
    MlirBlock from = tileBody(op, r);
    if (mlirBlockIsNull(from)) continue;
    MlirBlock to = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, r), to);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(from); ++i) {
      MlirValue arg = mlirBlockGetArgument(from, i);
      MlirType type = lowerType(l, loc, mlirValueGetType(arg));
      if (mlirTypeIsNull(type)) return mlirLogicalResultFailure();
      lowerSet(l, arg, mlirBlockAddArgument(to, type, mlirValueGetLocation(arg)));
    }
    l->b.block = to;
    result = lowerBlock(l, from);
  }
  l->b = outside;
  for (intptr_t i = 0; i < numResults; ++i)
    lowerSet(l, mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  return result;
}

//===- dispatch -----------------------------------------------------------===//

/// What only the host evaluates, and what stands for nothing.
static MlirLogicalResult lowerNothing(Lowering *l, MlirOperation op) {
  (void)l, (void)op;
  return mlirLogicalResultSuccess();
}

/// An address is an i64, whatever lies there.
static MlirLogicalResult lowerSame(Lowering *l, MlirOperation op) {
  lowerSet(l, tileResult(op), lowerGet(l, tileOperand(op, 0)));
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult lowerReturn(Lowering *l, MlirOperation op) {
  (void)op;
  tileBuildOp(&l->b, "llvm.return", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult lowerGpuBarrier(Lowering *l, MlirOperation op) {
  (void)op;
  lowerBarrier(l);
  return mlirLogicalResultSuccess();
}

static const struct {
  const char *name;
  LowerFn lower;
} lowerings[] = {
    {"tile.grid", lowerNothing},
    {"tile.cost", lowerNothing},
    {"tile.return", lowerReturn},
    {"tile.program_id", lowerProgramId},
    {"tile.num_programs", lowerNumPrograms},
    {"tile_gpu.grid_extent", lowerGridExtent},
    {"tile.make_desc", lowerMakeDesc},
    {"tile.arange", lowerArange},
    {"tile.splat", lowerSplat},
    {"tile.expand_dims", lowerRelabel},
    {"tile.reshape", lowerRelabel},
    {"tile.trans", lowerRelabel},
    {"tile.broadcast", lowerBroadcast},
    {"tile.join", lowerJoin},
    {"tile.split", lowerSplit},
    {"tile.cat", lowerCat},
    {"tile.gather", lowerGather},
    {"tile.addptr", lowerAddPtr},
    {"tile.ptr_cast", lowerSame},
    {"tile.barrier", lowerGpuBarrier},
    {"tile.inline_ptx", lowerInlinePtx},
    {"tile.load", lowerLoad},
    {"tile.store", lowerStore},
    {"tile.atomic_rmw", lowerAtomicRmw},
    {"tile.atomic_cas", lowerAtomicCas},
    {"tile.assume", lowerAssume},
    {"tile.dot", lowerDot},
    {"tile.reduce", lowerReduce},
    {"tile.scan", lowerScan},
    {"tile.histogram", lowerHistogram},
    {"tile.sort", lowerSort},
    {"tile.print", lowerPrint},
    {"tile.assert", lowerAssert},
    {"tile_gpu.convert_layout", lowerConvertLayout},
    {"tile_gpu.alloc_shared", lowerAllocShared},
    {"tile_gpu.buffer_stage", lowerBufferStage},
    {"tile_gpu.buffer_store", lowerBufferStore},
    {"tile_gpu.buffer_load", lowerBufferLoad},
    {"tile_gpu.async_copy", lowerAsyncCopy},
    {"tile_gpu.async_commit", lowerAsyncCommit},
    {"tile_gpu.async_wait", lowerAsyncWait},
    {"tile_gpu.desc_copy", lowerDescCopy},
    {"tile_gpu.desc_write", lowerDescWrite},
    {"tile_gpu.tma_load", lowerTmaLoad},
    {"tile_gpu.tma_multicast", lowerTmaMulticast},
    {"tile_gpu.tma_store", lowerTmaStore},
    {"tile_gpu.tma_store_wait", lowerTmaStoreWait},
    {"tile_gpu.prefetch_array", lowerPrefetchArray},
    {"tile_gpu.barrier_init", lowerBarrierInit},
    {"tile_gpu.barrier_expect", lowerBarrierExpect},
    {"tile_gpu.barrier_wait", lowerBarrierWait},
    {"tile_gpu.barrier_arrive", lowerBarrierArrive},
    {"tile_gpu.group_barrier", lowerGroupBarrier},
    {"tile_gpu.cluster_lane", lowerClusterLane},
    {"tile_gpu.cluster_rank", lowerClusterRank},
    {"tile_gpu.cluster_vote", lowerClusterVote},
    {"tile_gpu.cluster_wait", lowerClusterWait},
    {"tile_gpu.elect", lowerElect},
    {"tile_gpu.pin", lowerPin},
    {"tile_gpu.producer", lowerProducer},
    {"tile_gpu.warp_group", lowerWarpGroup},
    {"tile_gpu.cluster_arrive", lowerClusterArrive},
    {"tile_gpu.warp_specialize", lowerWarpSpecialize},
    {"tile_gpu.turn_wait", lowerTurnWait},
    {"tile_gpu.turn_pass", lowerTurnPass},
    {"tile_gpu.dot_wait", lowerDotWait},
    {"tile_gpu.extract_tile", lowerExtractTile},
    {"gpu.barrier", lowerGpuBarrier},
    {"arith.constant", lowerConstant},
};

LowerFn lowerFind(MlirOperation op) {
  for (size_t i = 0; i < sizeof lowerings / sizeof *lowerings; ++i)
    if (tileOpIs(op, lowerings[i].name)) return lowerings[i].lower;
  bool isMath = tileOpIsOfDialect(op, "math") || tileOpIs(op, "arith.remf");
  if ((isMath || tileOpIsOfDialect(op, "arith")) && lowerInvolvesFloat8(op)) return lowerFloat8;
  if (isMath || tileOpIsOfDialect(op, "arith")) return isMath ? lowerMath : lowerElementwise;
  return tileOpIsOfDialect(op, "scf") ? lowerStructured : NULL;
}

MlirLogicalResult lowerBlock(Lowering *l, MlirBlock from) {
  MlirOperation last = {NULL};
  TILE_FOR_EACH_OP(op, from) {
    if (!mlirOperationIsNull(last)) {
      if (mlirOperationEqual(op, last)) last = (MlirOperation){NULL};
      continue;
    }
    TILE_TRY(lowerStrips(l, op, &last));
    if (!mlirOperationIsNull(last)) {
      if (mlirOperationEqual(op, last)) last = (MlirOperation){NULL};
      continue;
    }
    LowerFn lower = lowerFind(op);
    if (!lower) {
      MlirStringRef name = tileOpName(op);
      tileEmitError(mlirOperationGetLocation(op),
                    "expected an operation that convert-tile-to-gpu lowers, found '%.*s'",
                    (int)name.length, name.data);
      return mlirLogicalResultFailure();
    }
    l->b.location = mlirOperationGetLocation(op);
    TILE_TRY(lower(l, op));
  }
  return mlirLogicalResultSuccess();
}

//===- kernels ------------------------------------------------------------===//

/// The type of a function that begins with this block and has no results.
static MlirType functionType(MlirContext c, MlirBlock entry) {
  intptr_t count = mlirBlockGetNumArguments(entry);
  MlirType *types = calloc((size_t)count + 1, sizeof *types);
  if (!types) abort();
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  MlirType type = mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(c), count, types, false);
  free(types);
  return type;
}

/// llvm.func @name(..) attributes {..}, with its entry block.
static MlirOperation buildFunction(Lowering *l, MlirBlock module) {
  MlirContext c = l->b.context;
  MlirBlock body = tileBody(l->kernel, 0);
  MlirBlock entry = mlirBlockCreate(0, NULL, NULL);
  MlirLocation loc = mlirOperationGetLocation(l->kernel);
  MlirType global = mlirLLVMPointerTypeGet(c, 1);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    MlirType type = mlirValueGetType(argument);
    bool pointer = tileTypeIsAPtr(type);
    if (!pointer && !mlirTypeIsAInteger(type) && !mlirTypeIsAFloat(type)) {
      tileEmitError(
          loc,
          "expected pointers and numbers as kernel arguments, found another type for argument %ld",
          (long)i);
      mlirBlockDestroy(entry);
      return (MlirOperation){NULL};
    }
    mlirBlockAddArgument(entry, pointer ? global : lowerElementType(type),
                         mlirValueGetLocation(argument));
  }
  lowerAddHidden(l, entry);
  MlirType type = functionType(c, entry);
  int32_t threads = 32 * (int32_t)tileIntAttr(l->kernel, "tile_gpu.block_warps", l->numWarps);
  TileBuilder at = tileBuilderAtEnd(module, loc);
  MlirType i32 = tileI32(c);
  MlirOperation func = tileBuildOp(
      &at, "llvm.func", TILE_NONE, TILE_NONE,
      TILE_ATTRS({"sym_name", mlirStringAttrGet(c, tileFuncGetSymName(l->kernel))},
                 {"function_type", mlirTypeAttrGet(type)}, {"gpu.kernel", mlirUnitAttrGet(c)},
                 {"nvvm.kernel", mlirUnitAttrGet(c)},
                 {"nvvm.reqntid", mlirDenseI32ArrayGet(c, 1, &threads)},
                 {"tile.num_warps", mlirIntegerAttrGet(i32, l->numWarps)},
                 {"tile_gpu.shared_bytes",
                  mlirIntegerAttrGet(i32, tileIntAttr(l->kernel, "tile_gpu.shared_bytes", 0))}),
      1);
  int64_t maxRegisters = tileIntAttr(l->kernel, "tile.maxnreg", 0);
  if (maxRegisters)
    mlirOperationSetAttributeByName(func, tileString("nvvm.maxnreg"),
                                    mlirIntegerAttrGet(i32, maxRegisters));
  // setmaxregister is for blocks whose registers are known at the start.
  if (!mlirAttributeIsNull(tileAttr(l->kernel, "tile_gpu.block_warps")))
    mlirOperationSetAttributeByName(func, tileString("nvvm.minctasm"), mlirIntegerAttrGet(i32, 1));
  lowerMarkHidden(l, func);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(func, 0), entry);
  return func;
}

/// Ops that whole warps take part in by their number: descriptors, roles.
static MlirWalkResult findUniformUse(MlirOperation op, void *data) {
  bool *found = data;
  *found |= tileOpIsADot(op) && tileDotGetInstruction(op) == TILE_INSTRUCTION_WGMMA;
  *found |= tileOpIsAWarpSpecialize(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// %w = shfl(warp, 0): the same in all lanes, and known to be.
static MlirValue uniform(Lowering *l, MlirValue warp) {
  MlirContext c = l->b.context;
  MlirType i32 = tileI32(c);
  MlirValue all = lowerI32(l, -1), zero = lowerI32(l, 0), clamp = lowerI32(l, 31);
  MlirAttribute kind = tileParseAttr(c, "#nvvm<shfl_kind idx>");
  return tileResult(tileBuildOp(&l->b, "nvvm.shfl.sync", TILE_VALUES(all, warp, zero, clamp), 1,
                                &i32, TILE_ATTRS({"kind", kind}), 0));
}

/// %lane, %warp, the base of shared memory; pointers as numbers.
static void buildPrologue(Lowering *l) {
  MlirContext c = l->b.context;
  MlirValue thread = tileBuild(&l->b, "nvvm.read.ptx.sreg.tid.x", tileI32(c), TILE_NONE);
  l->first = mlirOpResultGetOwner(thread);
  MlirValue mask = lowerI32(l, 31), five = lowerI32(l, 5);
  l->lane = tileBuildBinary(&l->b, "arith.andi", thread, mask);
  l->warp = tileBuildBinary(&l->b, "arith.shrui", thread, five);
  bool isUniform = false;
  mlirOperationWalk(l->kernel, findUniformUse, &isUniform, MlirWalkPreOrder);
  if (isUniform) l->warp = uniform(l, l->warp);
  MlirType type = mlirTypeParseGet(c, tileString("!llvm.ptr<3>"));
  if (tileIntAttr(l->kernel, "tile_gpu.shared_bytes", 0))
    l->shared =
        tileResult(tileBuildOp(&l->b, "llvm.mlir.addressof", TILE_NONE, 1, &type,
                               TILE_ATTRS({"global_name", tileParseAttr(c, "@__tile_shared")}), 0));
  MlirBlock body = tileBody(l->kernel, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue from = mlirBlockGetArgument(body, i), to = mlirBlockGetArgument(l->b.block, i);
    if (tileTypeIsAPtr(mlirValueGetType(from)))
      to = tileBuildUnary(&l->b, "llvm.ptrtoint", tileI64(c), to);
    lowerSet(l, from, to);
  }
}

static MlirWalkResult findAsyncProxy(MlirOperation op, void *data) {
  bool *found = data;
  *found |= tileOpIsADot(op) && tileDotGetInstruction(op) == TILE_INSTRUCTION_WGMMA;
  *found |= tileOpIsADescCopy(op) || tileOpIsADescWrite(op) || tileOpIsATmaStore(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static MlirLogicalResult lowerKernel(MlirOperation kernel, MlirBlock module,
                                     LowerConsole *console) {
  Lowering l = {.kernel = kernel,
                .console = console,
                .module = module,
                .machine = tileMachineOf(kernel),
                .b = {.context = mlirOperationGetContext(kernel),
                      .location = mlirOperationGetLocation(kernel)},
                .numWarps = (int)tileIntAttr(kernel, "tile.num_warps", 4),
                .cluster = (int)tileIntAttr(kernel, "tile_gpu.cluster", 1)};
  TILE_TRY(lowerPlanHidden(&l));
  MlirOperation func = buildFunction(&l, module);
  if (mlirOperationIsNull(func)) return mlirLogicalResultFailure();
  l.b.block = tileBody(func, 0);
  l.axis = tileAxisAnalysisCreate(kernel);
  mlirOperationWalk(kernel, findAsyncProxy, &l.usesAsyncProxy, MlirWalkPreOrder);
  buildPrologue(&l);
  lowerPrefetchHidden(&l);
  MlirLogicalResult result = lowerBlock(&l, tileBody(kernel, 0));
  tileAxisAnalysisDestroy(l.axis);
  lowerFreeValues(&l);
  return result;
}

/// gpu.module @kernels { llvm.mlir.global external @__tile_shared .. }
static MlirBlock buildGpuModule(MlirOperation module) {
  MlirContext c = mlirOperationGetContext(module);
  TileBuilder b = tileBuilderAtEnd(tileBody(module, 0), mlirOperationGetLocation(module));
  MlirOperation gpu = tileBuildOp(&b, "gpu.module", TILE_NONE, TILE_NONE,
                                  TILE_ATTRS({"sym_name", tileStringAttr(c, "kernels")}), 1);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(gpu, 0), block);
  // All dynamic shared memory; 1024 bytes is what a 128-byte swizzle needs.
  TileBuilder inside = tileBuilderAtEnd(block, b.location);
  tileBuildOp(&inside, "llvm.mlir.global", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(c, "__tile_shared")},
                         {"global_type", tileParseAttr(c, "!llvm.array<0 x i8>")},
                         {"linkage", tileParseAttr(c, "#llvm.linkage<external>")},
                         {"addr_space", mlirIntegerAttrGet(tileI32(c), 3)},
                         {"alignment", mlirIntegerAttrGet(tileI64(c), 1024)}),
              1);
  return block;
}

MlirLogicalResult tileRunConvertTileToGPU(MlirOperation module) {
  bool any = false;
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) any |= tileOpIsAFunc(op);
  if (!any) return mlirLogicalResultSuccess();
  MlirBlock gpu = buildGpuModule(module);
  LowerConsole console = {0};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (tileOpIsAFunc(op) && mlirLogicalResultIsSuccess(result))
      result = lowerKernel(op, gpu, &console);
  }
  lowerConsoleEnd(&console, gpu, mlirOperationGetLocation(module));
  TILE_TRY(result);
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (tileOpIsAFunc(op) || tileOpIs(op, "func.func")) mlirOperationDestroy(op);
  }
  return mlirLogicalResultSuccess();
}
