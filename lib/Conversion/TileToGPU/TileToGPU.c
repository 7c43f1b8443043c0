//===- TileToGPU.c - kernels become one thread's program ------------------===//
//
// Before:  tile.func @add(%x: !tile.ptr<f32>, %n: i32) {
//            %v = tile.load %p, %m : tensor<1024x!tile.ptr<f32>, #layout>
// After:   gpu.module @kernels {
//            llvm.func @add(%x: !llvm.ptr<1>, %n: i32)
//                attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
//              %v = llvm.load %q {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
//
// Where a launch packs arrays for it, the module has the kernel that does (Memory/Pack.c).
//
// The kernel's function carries tile.num_warps, tile_gpu.shared_bytes and what Parameters.c says
// for whoever launches it. Host functions of the module are dropped: they are compiled apart.
//
// Requires: layouts assigned, shared memory allocated.  Preserves: control flow,
// numerics.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "MathLowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile/Passes.h"
#include "tile/Schedule.h"
#include <stdio.h>
#include <stdlib.h>

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
  int32_t threads = 32 * l->blockWarps * l->teams;
  TileBuilder at = tileBuilderAtEnd(module, loc);
  MlirType i32 = tileI32(c);
  MlirOperation func = tileBuildOp(
      &at, "llvm.func", TILE_NONE, TILE_NONE,
      TILE_ATTRS({"sym_name", mlirStringAttrGet(c, tileFuncGetSymName(l->kernel))},
                 {"function_type", mlirTypeAttrGet(type)}, {"gpu.kernel", mlirUnitAttrGet(c)},
                 {"nvvm.kernel", mlirUnitAttrGet(c)},
                 {"nvvm.reqntid", mlirDenseI32ArrayGet(c, 1, &threads)},
                 {"tile.num_warps", mlirIntegerAttrGet(i32, l->numWarps)},
                 {"tile_gpu.shared_bytes", mlirIntegerAttrGet(i32, l->teams * lowerTeamBytes(l))}),
      1);
  // A block whose warps hand registers on begins with all that a multiprocessor has: with fewer, as
  // its author may want them, warps that take more would wait for ever.
  int64_t maxRegisters = tileIntAttr(l->kernel, "tile.maxnreg", 0);
  if (maxRegisters && !l->handsRegistersOn)
    mlirOperationSetAttributeByName(func, tileString("nvvm.maxnreg"),
                                    mlirIntegerAttrGet(i32, maxRegisters));
  // setmaxregister is for blocks whose registers are known at the start.
  TileSchedule schedule = {.blocks = 1};
  tileScheduleFromAttr(tileAttr(l->kernel, "tile_gpu.schedule"), &schedule);
  if (!mlirAttributeIsNull(tileAttr(l->kernel, "tile_gpu.block_warps")))
    mlirOperationSetAttributeByName(func, tileString("nvvm.minctasm"),
                                    mlirIntegerAttrGet(i32, schedule.blocks));
  lowerMarkHidden(l, func);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(func, 0), entry);
  return func;
}

/// Ops that whole warps take part in by their number: descriptors, roles.
static bool wantsUniform(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsWgmma(op) || tileOpIsAWarpSpecialize(op);
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

/// Comparisons of positions with a number, as of rows whose length is no argument.
static bool hasFixedEnd(MlirOperation op, void *data) {
  (void)data;
  int64_t end;
  return tileOpIs(op, "arith.cmpi") && tileTypeIsTile(mlirValueGetType(tileOperand(op, 0))) &&
         tileConstantInt(tileOperand(op, 1), &end);
}

/// %thread: of how many, LLVM hears where it decides by that which parts of a tile lie behind the
/// end of a row.
static MlirValue buildThread(Lowering *l) {
  MlirContext c = l->b.context;
  MlirValue thread = tileBuild(&l->b, "nvvm.read.ptx.sreg.tid.x", tileI32(c), TILE_NONE);
  bool byEnd = !tileHoldsDot(l->kernel) && l->teams == 1;
  if (!byEnd || !tileHoldsOp(l->kernel, hasFixedEnd, NULL)) return thread;
  char text[64];
  snprintf(text, sizeof text, "#llvm.constant_range<i32, 0, %d>", 32 * l->numWarps);
  mlirOperationSetAttributeByName(mlirOpResultGetOwner(thread), tileString("range"),
                                  tileParseAttr(c, text));
  return thread;
}

/// %team, and %warp as its number there. Warps that hold tiles come first, team by team, since a
/// warp group begins at a multiple of four; behind them those that copy.
static void joinTeam(Lowering *l) {
  MlirValue warp = l->warp;
  int shift = __builtin_ctz((unsigned)l->numWarps), copies = l->blockWarps - l->numWarps;
  MlirValue bits = lowerI32(l, shift), last = lowerI32(l, l->numWarps - 1);
  l->team = tileBuildBinary(&l->b, "arith.shrui", warp, bits);
  l->warp = tileBuildBinary(&l->b, "arith.andi", warp, last);
  if (!copies) return;
  MlirValue first = lowerI32(l, (int64_t)l->numWarps * l->teams), each = lowerI32(l, copies);
  MlirValue holds = tileBuildCmpi(&l->b, TILE_ULT, warp, first);
  MlirValue behind = tileBuildBinary(&l->b, "arith.subi", warp, first);
  MlirValue team = tileBuildBinary(&l->b, "arith.divui", behind, each);
  MlirValue copier = tileBuildBinary(&l->b, "arith.remui", behind, each);
  copier = tileBuildBinary(&l->b, "arith.addi", copier, lowerI32(l, l->numWarps));
  l->team = tileBuildSelect(&l->b, holds, l->team, team);
  l->warp = tileBuildSelect(&l->b, holds, l->warp, copier);
}

/// %lane, %warp, the base of shared memory; pointers as numbers.
static void buildPrologue(Lowering *l) {
  MlirContext c = l->b.context;
  MlirValue thread = buildThread(l);
  l->first = mlirOpResultGetOwner(thread);
  MlirValue mask = lowerI32(l, 31), five = lowerI32(l, 5);
  l->lane = tileBuildBinary(&l->b, "arith.andi", thread, mask);
  l->warp = tileBuildBinary(&l->b, "arith.shrui", thread, five);
  if (tileHoldsOp(l->kernel, wantsUniform, NULL)) l->warp = uniform(l, l->warp);
  if (l->teams > 1) joinTeam(l);
  MlirType type = mlirTypeParseGet(c, tileString("!llvm.ptr<3>"));
  if (tileIntAttr(l->kernel, "tile_gpu.shared_bytes", 0))
    l->shared =
        tileResult(tileBuildOp(&l->b, "llvm.mlir.addressof", TILE_NONE, 1, &type,
                               TILE_ATTRS({"global_name", tileParseAttr(c, "@__tile_shared")}), 0));
  if (l->teams > 1 && !mlirValueIsNull(l->shared)) {
    MlirValue bytes = lowerI32(l, lowerTeamBytes(l));
    l->shared = lowerSharedPointer(l, tileBuildBinary(&l->b, "arith.muli", l->team, bytes));
  }
  MlirBlock body = tileBody(l->kernel, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue from = mlirBlockGetArgument(body, i), to = mlirBlockGetArgument(l->b.block, i);
    if (tileTypeIsAPtr(mlirValueGetType(from)))
      to = tileBuildUnary(&l->b, "llvm.ptrtoint", tileI64(c), to);
    lowerSet(l, from, to);
  }
}

static bool usesAsyncProxy(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsWgmma(op) || tileOpIsADescCopy(op) || tileOpIsADescWrite(op) ||
         tileOpIsATmaStore(op);
}

static MlirLogicalResult lowerKernel(MlirOperation kernel, TileTables *tables,
                                     LowerConsole *console) {
  Lowering l = {.kernel = kernel,
                .console = console,
                .tables = tables,
                .machine = tileMachineOf(kernel),
                .hasDots = tileHoldsDot(kernel),
                .b = {.context = mlirOperationGetContext(kernel),
                      .location = mlirOperationGetLocation(kernel)},
                .numWarps = tileNumWarpsOf(kernel),
                .cluster = (int)tileIntAttr(kernel, "tile_gpu.cluster", 1),
                .splits = (int)tileIntAttr(kernel, "tile_gpu.splits", 1),
                .teams = (int)tileIntAttr(kernel, "tile_gpu.teams", 1)};
  l.blockWarps = (int)tileIntAttr(kernel, "tile_gpu.block_warps", l.numWarps);
  l.handsRegistersOn = lowerMayHandRegistersOn(&l);
  TILE_TRY(lowerPlanHidden(&l));
  MlirOperation func = buildFunction(&l, tables->module);
  if (mlirOperationIsNull(func)) return mlirLogicalResultFailure();
  l.b.block = tileBody(func, 0);
  l.axis = tileAxisAnalysisCreate(kernel);
  l.usesAsyncProxy = tileHoldsOp(kernel, usesAsyncProxy, NULL);
  buildPrologue(&l);
  lowerPrefetchHidden(&l);
  lowerOrderLongDivisions(kernel);
  MlirLogicalResult result = lowerBlock(&l, tileBody(kernel, 0));
  tileAxisAnalysisDestroy(l.axis);
  lowerFreeValues(&l);
  lowerFreePointers(&l);
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

static bool isPacked(MlirOperation op, void *data) {
  (void)data;
  return tileOpIsAMakeDesc(op) && tileDescIsPacked(op) &&
         !mlirOpOperandIsNull(mlirValueGetFirstUse(tileResult(op)));
}

MlirLogicalResult tileRunConvertTileToGPU(MlirOperation module) {
  bool any = false;
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) any |= tileOpIsAFunc(op);
  if (!any) return mlirLogicalResultSuccess();
  MlirBlock gpu = buildGpuModule(module);
  LowerConsole console = {0};
  // The first number is that of the shared memory, which is an array too.
  TileTables tables = {.module = gpu, .space = 1, .next = 1};
  MlirLogicalResult result = mlirLogicalResultSuccess();
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (tileOpIsAFunc(op) && mlirLogicalResultIsSuccess(result))
      result = lowerKernel(op, &tables, &console);
  }
  tileTablesClear(&tables);
  if (tileHoldsOp(module, isPacked, NULL)) lowerPackKernel(gpu, mlirOperationGetLocation(module));
  lowerConsoleEnd(&console, gpu, mlirOperationGetLocation(module));
  TILE_TRY(result);
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (tileOpIsAFunc(op) || tileOpIs(op, "func.func")) mlirOperationDestroy(op);
  }
  return mlirLogicalResultSuccess();
}
