//===- Clock.c - %globaltimer, on the CPU ---------------------------------===//
//
// Before:  %t = tile.inline_ptx "mov.u64 $0, %globaltimer;" constraints "=l"() : () -> i64
// After:   llvm.call @clock_gettime(CLOCK_MONOTONIC, %time)
//          %t = %time.tv_sec * 1000000000 + %time.tv_nsec
//
// Tiles are a scalar of this, spread; a text that reads the clock among other things has it too.
//===----------------------------------------------------------------------===//
#include "Ptx.h"
#include <time.h>

static const char readClock[] = "mov.u64 $0, %globaltimer;";

MlirValue cpuBuildClock(TileBuilder *b, MlirType like) {
  MlirType i64 = tileI64(b->context);
  MlirValue read =
      tileResult(tileBuildOp(b, "tile.inline_ptx", TILE_NONE, 1, &i64,
                             TILE_ATTRS({"text", tileStringAttr(b->context, readClock)},
                                        {"constraints", tileStringAttr(b->context, "=l")}),
                             0));
  if (!tileTypeIsTile(like)) return read;
  return tileBuildUnary(b, "tile.splat", cpuPtxType(b, like, 64), read);
}

bool cpuIsClock(MlirOperation op) {
  return tileOpIs(op, "tile.inline_ptx") && mlirOperationGetNumOperands(op) == 0 &&
         tileStringIs(tileInlinePtxGetText(op), readClock) &&
         mlirTypeEqual(mlirValueGetType(tileResult(op)), tileI64(mlirOperationGetContext(op)));
}

static void declareGetTime(CpuLowering *l, const char *name) {
  MlirBlock module = mlirOperationGetBlock(l->kernel);
  TILE_FOR_EACH_OP(op, module) {
    MlirAttribute symbol = tileAttr(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && tileStringIs(mlirStringAttrGetValue(symbol), name)) return;
  }
  TileBuilder b = tileBuilderAtStart(module);
  MlirAttribute type = tileParseAttr(l->context, "!llvm.func<i32 (i32, ptr)>");
  tileBuildOp(&b, "llvm.func", TILE_NONE, TILE_NONE,
              TILE_ATTRS({"sym_name", tileStringAttr(l->context, name)}, {"function_type", type}),
              1);
}

void cpuLowerClock(CpuLowering *l, MlirOperation op) {
  const char *name = "clock_gettime"; // of the C library, with CLOCK_MONOTONIC
  declareGetTime(l, name);
  MlirType i32 = tileI32(l->context), i64 = tileI64(l->context);
  MlirValue time = cpuAllocateStack(l, i64, 2), null = {NULL};
  MlirValue operands[2] = {tileBuildInt(&l->at, i32, CLOCK_MONOTONIC), time};
  const int32_t segments[] = {2, 0};
  MlirAttribute symbol = mlirFlatSymbolRefAttrGet(l->context, tileString(name));
  tileBuildOp(&l->at, "llvm.call", 2, operands, 1, &i32,
              TILE_ATTRS({"callee", symbol},
                         {"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)},
                         {"op_bundle_sizes", mlirDenseI32ArrayGet(l->context, 0, NULL)}),
              0);
  MlirValue seconds = cpuLoad(l, time, i64, 0, null, null);
  MlirValue rest = cpuLoad(l, cpuOffset(l, time, i64, cpuI64(l, 1)), i64, 0, null, null);
  MlirValue whole = tileBuildBinary(&l->at, "arith.muli", seconds, cpuI64(l, 1000000000));
  cpuSetScalar(l, tileResult(op), tileBuildBinary(&l->at, "arith.addi", whole, rest));
}
