//===- TileToCPU.c - kernels as functions over vectors --------------------===//
//
// Before:  tile.func @add(%x: !tile.ptr<f32>, %n: i32) { .. tile.load .. tile.store .. }
// After:   func.func @add(%args: !llvm.ptr, %x: i32, %y: i32, %z: i32,
//                         %nx: i32, %ny: i32, %nz: i32) {
//            one program's work: scf loops over vectors, llvm loads and stores
//          }
//
// %args points at the kernel's arguments, one slot of 8 bytes each (TileCpuKernel of
// tile/Runtime/Executor.h). How tiles become loops is in Lowering.h.
//
// Requires: meta-parameters bound, helpers inlined, structured control flow.
// Preserves: numerics, but for the order of sums in tile.dot and tile.reduce, fused
// multiply-add in tile.dot, and math functions, whose error bounds are in docs/cpu.md.
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tile/Passes.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include <stdlib.h>
#include <string.h>

/// Widest stack of one program: executor threads have 64 MiB.
enum { MAX_STACK_BYTES = 48 << 20 };

//===- one op -------------------------------------------------------------===//

static bool hasTiles(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(tileOperand(op, i)))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (tileTypeIsTile(mlirValueGetType(mlirOperationGetResult(op, i)))) return true;
  return false;
}

static void lowerScalarArith(CpuLowering *l, MlirOperation op) {
  MlirValue operands[4];
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > 4) {
    cpuFail(l, op, "an op of at most four operands");
    return;
  }
  for (intptr_t i = 0; i < count; ++i) operands[i] = cpuScalar(l, tileOperand(op, i));
  cpuSetScalar(l, tileResult(op), cpuElementwise(l, op, operands, 0));
}

static void lowerScalarAddPtr(CpuLowering *l, MlirOperation op) {
  MlirValue base = cpuScalar(l, tileAddPtrGetPtr(op));
  MlirValue offset = cpuScalar(l, tileAddPtrGetOffset(op));
  MlirType i64 = tileI64(l->context);
  if (!mlirTypeEqual(mlirValueGetType(offset), i64))
    offset = tileBuildUnary(&l->at, "arith.extsi", i64, offset);
  MlirType pointee = tilePtrTypeGetPointee(mlirValueGetType(tileResult(op)));
  cpuSetScalar(l, tileResult(op), cpuOffset(l, base, pointee, offset));
}

static void lowerScalarLoad(CpuLowering *l, MlirOperation op) {
  MlirValue mask = tileLoadGetMask(op), other = tileLoadGetOther(op);
  if (!mlirValueIsNull(mask)) mask = cpuScalar(l, mask);
  if (!mlirValueIsNull(other)) other = cpuScalar(l, other);
  MlirType element = mlirValueGetType(tileResult(op));
  MlirValue pointer = cpuScalar(l, tileLoadGetPtr(op)), null = {NULL};
  if (cpuIsChecked(l)) {
    CpuIndex whole = {.lane = -1};
    mask = cpuCheckAccess(l, op, &whole, pointer, mask, null);
    cpuEndAccess(l, op);
  }
  cpuSetScalar(l, tileResult(op), cpuLoad(l, pointer, element, 0, mask, other));
}

/// gather and reshape read their source as a buffer: its own, or a copy. The source itself stays
/// what it is, as the copy is made on this path of the program alone.
static CpuBuffer bufferOfSource(CpuLowering *l, MlirValue source) {
  CpuSlot *slot = cpuFind(l, source);
  if (slot->form == CPU_BUFFER) return slot->buffer;
  CpuBuffer copy = cpuAllocateBuffer(l, mlirValueGetType(source), (MlirType){NULL});
  cpuWrite(l, source, &copy);
  return copy;
}

/// How deep an inline op's results are, and whether they follow from memory.
static CpuSlot describeInline(CpuLowering *l, MlirOperation op) {
  CpuSlot result = {.depth = 1, .isRead = tileOpIsALoad(op) || tileOpIsAGather(op)};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const CpuSlot *slot = cpuFind(l, tileOperand(op, i));
    if (slot && slot->form == CPU_INDUCTION) slot = cpuFind(l, slot->start);
    if (!slot) continue;
    if (slot->depth >= result.depth) result.depth = slot->depth + 1;
    result.isRead |= slot->isRead || slot->form == CPU_BUFFER;
  }
  return result;
}

static void lowerInline(CpuLowering *l, MlirOperation op) {
  CpuBuffer source = {0};
  const CpuSlot like = describeInline(l, op);
  if (tileOpIsAGather(op) || tileOpIsAReshape(op)) source = bufferOfSource(l, tileOperand(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    CpuSlot *slot = cpuSet(l, mlirOperationGetResult(op, i), CPU_INLINE);
    slot->buffer = source;
    slot->depth = like.depth;
    slot->isRead = like.isRead;
  }
  for (intptr_t i = 0; like.depth > CPU_MAX_DEPTH && i < mlirOperationGetNumResults(op); ++i)
    cpuMaterialize(l, mlirOperationGetResult(op, i));
  if (like.depth <= CPU_MAX_DEPTH && cpuShouldMaterialize(l, op)) cpuMaterialize(l, tileResult(op));
  if (cpuIsChecked(l) && tileOpIsALoad(op)) cpuEndAccess(l, op);
}

/// A constant tile whose elements differ: a buffer that is there from the start.
static void lowerTable(CpuLowering *l, MlirOperation op) {
  int64_t count;
  CpuBuffer buffer =
      cpuDescribeBuffer(l, mlirValueGetType(tileResult(op)), (MlirType){NULL}, &count);
  TileTable table = tileTableOf(op, buffer.rank > 1 ? buffer.strides[buffer.rank - 2] : count);
  buffer.pointer = tileTablesAddress(l->tables, &l->entry, &table);
  free(table.bytes);
  cpuSetBuffer(l, tileResult(op), buffer, false);
}

typedef struct {
  bool (*is)(MlirOperation);
  void (*lower)(CpuLowering *, MlirOperation);
} Root;

static const Root roots[] = {
    {tileIsTable, lowerTable},
    {tileOpIsAStore, cpuLowerStore},
    {tileOpIsAAtomicRmw, cpuLowerAtomic},
    {tileOpIsAReduce, cpuLowerReduce},
    {tileOpIsAScan, cpuLowerScan},
    {tileOpIsADot, cpuLowerDot},
    {tileOpIsACat, cpuLowerCat},
    {tileOpIsAAtomicCas, cpuLowerAtomic},
    {tileOpIsAPrint, cpuLowerPrint},
    {tileOpIsAAssert, cpuLowerAssert},
    {tileOpIsASort, cpuLowerSort},
    {tileOpIsAPartialSort, cpuLowerSort},
    {tileOpIsAHistogram, cpuLowerHistogram},
};

static bool lowerRoot(CpuLowering *l, MlirOperation op) {
  if (cpuIsChecked(l) && tileOpIsAAssert(op)) {
    cpuCheckAssert(l, op);
    return true;
  }
  for (size_t i = 0; i < sizeof roots / sizeof *roots; ++i) {
    if (!roots[i].is(op)) continue;
    roots[i].lower(l, op);
    return true;
  }
  bool isControl = true;
  if (tileOpIs(op, "scf.for"))
    cpuLowerFor(l, op);
  else if (tileOpIs(op, "scf.if"))
    cpuLowerIf(l, op);
  else if (tileOpIs(op, "scf.while"))
    cpuLowerWhile(l, op);
  else
    isControl = false;
  return isControl;
}

static bool lowerScalar(CpuLowering *l, MlirOperation op) {
  if (tileOpIsAProgramId(op)) {
    cpuSetScalar(l, tileResult(op), l->programId[tileProgramIdGetAxis(op)]);
  } else if (tileOpIsANumPrograms(op)) {
    cpuSetScalar(l, tileResult(op), l->numPrograms[tileNumProgramsGetAxis(op)]);
  } else if (hasTiles(op)) {
    return false;
  } else if (tileOpIs(op, "arith.constant")) {
    MlirType type = mlirValueGetType(tileResult(op));
    cpuSetScalar(l, tileResult(op), cpuScalarConstant(l, type, tileAttr(op, "value")));
  } else if (cpuIsElementwise(op)) {
    lowerScalarArith(l, op);
  } else if (tileOpIsAAddPtr(op)) {
    lowerScalarAddPtr(l, op);
  } else if (tileOpIsAPtrCast(op)) {
    MlirType from = mlirValueGetType(tileOperand(op, 0)), to = mlirValueGetType(tileResult(op));
    MlirValue source = cpuScalar(l, tileOperand(op, 0));
    cpuSetScalar(l, tileResult(op), cpuCastPtr(l, source, from, to));
  } else if (tileOpIsALoad(op)) {
    lowerScalarLoad(l, op);
  } else if (cpuIsClock(op)) {
    cpuLowerClock(l, op);
  } else {
    return false;
  }
  return true;
}

/// Host-side regions, hints and terminators, whose owner looks at them.
static bool isSkipped(MlirOperation op) {
  return tileOpIsAGrid(op) || tileOpIsACost(op) || tileOpIsAAssume(op) || tileOpIsABarrier(op) ||
         tileOpIsAReturn(op) || tileOpIs(op, "scf.yield") || tileOpIs(op, "scf.condition");
}

static void refuse(CpuLowering *l, MlirOperation op) {
  if (!tileOpIsAInlinePtx(op)) {
    cpuFail(l, op, "an op that the CPU lowering takes");
    return;
  }
  MlirStringRef text = tileInlinePtxGetText(op);
  if (!l->failed)
    tileEmitError(mlirOperationGetLocation(op),
                  "expected PTX of instructions on registers that the CPU has too, found '%.*s'",
                  (int)text.length, text.data);
  l->failed = true;
}

void cpuLowerBlock(CpuLowering *l, MlirBlock block) {
  TILE_FOR_EACH_OP(op, block) {
    if (l->failed) return;
    l->at.location = mlirOperationGetLocation(op);
    if (cpuIsChecked(l) && tileOpIsAAssume(op)) cpuCheckAssume(l, op);
    if (isSkipped(op)) continue;
    if (cpuIsChecked(l) && tileOpIsAGather(op)) cpuCheckGather(l, op);
    if (cpuIsChecked(l) && cpuIsIndexArithmetic(l, op)) cpuCheckOverflow(l, op);
    if (lowerRoot(l, op) || lowerScalar(l, op)) {
      cpuTraceOp(l, op);
      continue;
    }
    if (cpuIsInline(op))
      lowerInline(l, op);
    else
      refuse(l, op);
    cpuTraceOp(l, op);
  }
}

//===- one kernel ---------------------------------------------------------===//

/// Tiles must be static, of a rank and a number of elements that there is room for.
static MlirWalkResult checkTypes(MlirOperation op, void *data) {
  CpuLowering *l = data;
  if (tileOpIsAGrid(op) || tileOpIsACost(op)) return MlirWalkResultSkip;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    int64_t shape[CPU_MAX_RANK];
    if (!tileTypeIsTile(type)) continue;
    int rank = tileShape(type, shape);
    bool known = rank >= 0;
    for (int d = 0; d < rank; ++d) known &= shape[d] > 0;
    if (known) continue;
    cpuFail(l, op, rank < 0 ? "tiles of fewer dimensions" : "tiles whose extents are bound");
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

/// func.func @name(!llvm.ptr, i32 x 6), empty; ops go to the end of its body.
static MlirOperation createFunction(CpuLowering *l) {
  MlirType i32 = tileI32(l->context);
  MlirType inputs[7] = {cpuPointerType(l), i32, i32, i32, i32, i32, i32};
  MlirLocation loc = mlirOperationGetLocation(l->kernel), locations[7];
  for (int i = 0; i < 7; ++i) locations[i] = loc;
  TileBuilder before = tileBuilderBefore(l->kernel);
  MlirAttribute type = mlirTypeAttrGet(mlirFunctionTypeGet(l->context, 7, inputs, 0, NULL));
  MlirOperation func = tileBuildOp(
      &before, "func.func", TILE_NONE, TILE_NONE,
      TILE_ATTRS({"sym_name", tileAttr(l->kernel, "sym_name")}, {"function_type", type}), 1);
  l->body = mlirBlockCreate(7, inputs, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(func, 0), l->body);
  l->at = tileBuilderAtEnd(l->body, loc);
  for (int i = 0; i < 3; ++i) {
    l->programId[i] = mlirBlockGetArgument(l->body, 1 + i);
    l->numPrograms[i] = mlirBlockGetArgument(l->body, 4 + i);
  }
  return func;
}

static void loadArguments(CpuLowering *l, MlirBlock body) {
  MlirValue args = mlirBlockGetArgument(l->body, 0), null = {NULL};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i), slot = args;
    if (i) slot = cpuOffset(l, args, tileI64(l->context), cpuI64(l, i));
    cpuSetScalar(l, argument, cpuLoad(l, slot, mlirValueGetType(argument), 0, null, null));
  }
}

static void lowerBody(CpuLowering *l) {
  MlirBlock body = tileBody(l->kernel, 0);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body))) {
    cpuFail(l, l->kernel, "structured control flow (scf)");
    return;
  }
  // Constants and stack buffers go before the first of these.
  MlirValue first = tileBuildInt(&l->at, tileI64(l->context), 0);
  l->entry = tileBuilderBefore(tileValueGetOp(first));
  loadArguments(l, body);
  if (l->checks) cpuEnterProgram(l);
  cpuLowerBlock(l, body);
  tileBuildOp(&l->at, "func.return", TILE_NONE, TILE_NONE, TILE_NONE, 0);
  if (l->stackBytes > MAX_STACK_BYTES && !l->failed) {
    tileEmitError(mlirOperationGetLocation(l->kernel),
                  "expected tiles that need at most %d bytes of a program's stack, found %lld",
                  MAX_STACK_BYTES, (long long)l->stackBytes);
    l->failed = true;
  }
}

static MlirLogicalResult lowerKernel(MlirOperation kernel, const CpuLowering *like,
                                     CpuChecks *checks) {
  CpuLowering l = *like;
  l.context = mlirOperationGetContext(kernel);
  l.kernel = kernel;
  l.checks = checks;
  cpuExpandPtx(kernel);
  if (checks) cpuFindIndexArithmetic(&l);
  if (!checks) cpuHoistMasks(&l);
  mlirOperationWalk(kernel, checkTypes, &l, MlirWalkPreOrder);
  if (!l.failed) {
    MlirOperation func = createFunction(&l);
    lowerBody(&l);
    if (l.failed) mlirOperationDestroy(func);
  }
  if (checks) cpuForgetIndexArithmetic(&l);
  cpuDestroy(&l);
  if (l.failed) return mlirLogicalResultFailure();
  mlirOperationDestroy(kernel);
  return mlirLogicalResultSuccess();
}

//===- the pass -----------------------------------------------------------===//

/// Bits of the widest vectors that this machine has, and whether it has vpdpbusd on these.
static int64_t askHost(bool *hasByteDots) {
  char *features = LLVMGetHostCPUFeatures();
  int64_t bits = strstr(features, "+avx512f") ? 512 : strstr(features, "+avx2") ? 256 : 128;
  *hasByteDots = strstr(features, bits == 512 ? "+avx512vnni" : "+avxvnni,") != NULL;
  LLVMDisposeMessage(features);
  return bits;
}

MlirLogicalResult tileRunConvertTileToCPU(MlirOperation module,
                                          const TileConvertTileToCPUOptions *options) {
  bool hasByteDots;
  int64_t bits = askHost(&hasByteDots);
  if (options->vectorBits) bits = options->vectorBits, hasByteDots = options->byteDots;
  if (bits != 128 && bits != 256 && bits != 512) {
    tileEmitError(mlirOperationGetLocation(module),
                  "expected vector-bits of 128, 256, 512 or 0 for the host's, found %lld",
                  (long long)bits);
    return mlirLogicalResultFailure();
  }
  // A host program would be left with launches of kernels that are no more.
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (tileOpIs(op, "func.func")) mlirOperationDestroy(op);
  }
  CpuChecks checks = {.check = options->check, .trace = options->trace, .module = module};
  bool isChecked = checks.check || checks.trace, ok = true;
  TileTables tables = {.module = tileBody(module, 0)};
  CpuLowering like = {.vectorBits = bits, .hasByteDots = hasByteDots, .tables = &tables};
  if (isChecked) cpuDeclareChecks(&checks);
  TILE_FOR_EACH_OP(op, tileBody(module, 0)) {
    if (!tileOpIsAFunc(op) || !ok) continue;
    MlirAttribute visibility = tileAttr(op, "sym_visibility");
    bool isPrivate = !mlirAttributeIsNull(visibility) &&
                     tileStringIs(mlirStringAttrGetValue(visibility), "private");
    if (isPrivate)
      mlirOperationDestroy(op);
    else
      ok = mlirLogicalResultIsSuccess(lowerKernel(op, &like, isChecked ? &checks : NULL));
  }
  tileTablesClear(&tables);
  if (isChecked) cpuFinishChecks(&checks);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
