//===- Histogram.c - counting, in shared memory ---------------------------===//
//
//   counters = 0, a share of them a thread
//   gpu.barrier
//   scf.if (value u< B and mask) { atomicrmw add counters[value], 1 }   for each register
//   gpu.barrier
//   result[i] = load counters[i]
//
// Values are compared as unsigned numbers, so those below 0 are none of 0 .. B - 1 either.
//===----------------------------------------------------------------------===//
#include "Exchange.h"

/// The pointer to counter `number` (i32).
static MlirValue counterAt(Lowering *l, MlirOperation op, MlirValue number) {
  MlirValue four = lowerI32(l, 4), base = lowerI32(l, lowerSharedOffset(op));
  MlirValue at = tileBuildBinary(&l->b, "arith.muli", number, four);
  return lowerSharedPointer(l, tileBuildBinary(&l->b, "arith.addi", at, base));
}

static void clearCounters(Lowering *l, MlirOperation op, int64_t count) {
  int64_t threads = 32 * (int64_t)l->numWarps;
  MlirValue width = lowerI32(l, 32), zero = lowerI32(l, 0), end = lowerI32(l, count);
  MlirValue thread = tileBuildBinary(&l->b, "arith.muli", l->warp, width);
  thread = tileBuildBinary(&l->b, "arith.addi", thread, l->lane);
  for (int64_t first = 0; first < count; first += threads) {
    MlirValue start = lowerI32(l, first);
    MlirValue number = tileBuildBinary(&l->b, "arith.addi", thread, start);
    bool all = first + threads <= count;
    TileBuilder outside = l->b;
    if (!all) outside = lowerBeginIf(l, tileBuildCmpi(&l->b, TILE_ULT, number, end));
    MlirValue pointer = counterAt(l, op, number);
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(zero, pointer), TILE_NONE, TILE_NONE, 0);
    if (!all) lowerEndIf(l, outside);
  }
}

static void countOne(Lowering *l, MlirOperation op, MlirValue value) {
  MlirType i64 = tileI64(l->b.context), i32 = tileI32(l->b.context);
  MlirAttribute add = mlirIntegerAttrGet(i64, 1), monotonic = mlirIntegerAttrGet(i64, 2);
  MlirValue pointer = counterAt(l, op, value), one = lowerI32(l, 1);
  tileBuildOp(&l->b, "llvm.atomicrmw", TILE_VALUES(pointer, one), 1, &i32,
              TILE_ATTRS({"bin_op", add}, {"ordering", monotonic}), 0);
}

MlirLogicalResult lowerHistogram(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirType type = mlirValueGetType(tileResult(op)), i32 = tileI32(l->b.context);
  MlirValue maskTile = tileHistogramGetMask(op), mask = {NULL};
  TileLayout source, result;
  if (!lowerLayoutOf(loc, mlirValueGetType(tileHistogramGetSource(op)), &source) ||
      !lowerLayoutOf(loc, type, &result))
    return mlirLogicalResultFailure();
  if (mlirValueIsNull(l->shared)) {
    tileEmitError(loc, "expected a kernel with shared memory for a histogram (see "
                       "tile-allocate-shared), found none");
    return mlirLogicalResultFailure();
  }
  if (!mlirValueIsNull(maskTile)) mask = lowerGet(l, maskTile);
  int64_t count = tileNumElements(type);
  clearCounters(l, op, count);
  lowerBarrier(l);

  MlirValue values = lowerGet(l, tileHistogramGetSource(op)), end = lowerI32(l, count);
  MlirValue first = lowerIsFirstCopy(l, &source);
  uint32_t copies = tileLayoutFreeBits(source, TILE_REGISTER);
  for (int r = 0; r < lowerNumRegisters(&source); ++r) {
    if ((uint32_t)r & copies) continue;
    MlirValue value = lowerExtract(l, values, r);
    MlirValue counts = lowerBoth(l, first, tileBuildCmpi(&l->b, TILE_ULT, value, end));
    if (!mlirValueIsNull(mask)) counts = lowerBoth(l, counts, lowerExtract(l, mask, r));
    TileBuilder outside = lowerBeginIf(l, counts);
    countOne(l, op, value);
    lowerEndIf(l, outside);
  }
  lowerBarrier(l);

  MlirValue thread = lowerThreadPart(l, &result, 0);
  int n = lowerNumRegisters(&result);
  MlirType one = tileVectorType(1, i32);
  MlirValue *slices = lowerNewSlices(n);
  for (int r = 0; r < n; ++r) {
    MlirValue number = lowerCombineParts(l, &result, 0, thread, lowerRegisterPart(&result, r, 0));
    MlirValue pointer = counterAt(l, op, number);
    slices[r] = tileResult(
        tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &one,
                    TILE_ATTRS({"alignment", mlirIntegerAttrGet(tileI64(l->b.context), 4)}), 0));
  }
  lowerSet(l, tileResult(op), lowerJoinSlices(l, n, slices));
  return mlirLogicalResultSuccess();
}
