//===- Gather.c - elements picked by index, through shared memory ---------===//
//
// The source goes to scratch in row-major order, where any thread finds any element:
//
//   store source[c] at rowmajor(c)
//   gpu.barrier
//   result[.., i, ..] = load rowmajor(.., min(index, extent - 1), ..)
//
// An index out of range picks the last element along the axis (indices count as
// unsigned): nothing outside the scratch is read.
//
//===----------------------------------------------------------------------===//
#include "Exchange.h"
#include <stdlib.h>

/// %offset = sum over dimensions of coordinate * stride, the axis' coordinate being `index`; bytes.
static MlirValue offsetOf(Lowering *l, const TileLayout *result, const TileLayout *source, int axis,
                          const MlirValue thread[], int reg, MlirValue index, int bytes) {
  MlirValue sum = {NULL};
  for (int d = 0; d < result->rank; ++d) {
    MlirValue at = index;
    if (d != axis)
      at = lowerCombineParts(l, result, d, thread[d], lowerRegisterPart(result, reg, d));
    MlirValue stride = lowerI32(l, ((int64_t)bytes) << tileLayoutShift(*source, d));
    MlirValue part = tileBuildBinary(&l->b, "arith.muli", at, stride);
    sum = mlirValueIsNull(sum) ? part : tileBuildBinary(&l->b, "arith.addi", sum, part);
  }
  return sum;
}

MlirLogicalResult lowerGather(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  TileLayout source, result;
  MlirType sourceType = mlirValueGetType(tileGatherGetSource(op));
  if (!lowerLayoutOf(loc, sourceType, &source) ||
      !lowerLayoutOf(loc, mlirValueGetType(tileResult(op)), &result))
    return mlirLogicalResultFailure();
  int axis = (int)tileGatherGetAxis(op);
  MlirType element = lowerElementType(tileElementType(sourceType));
  MlirValue values = lowerToStored(l, lowerGet(l, tileGatherGetSource(op)));
  MlirType stored = mlirShapedTypeGetElementType(mlirValueGetType(values));
  int bytes = lowerElementBytes(element);
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), bytes);

  TileLayout map = lowerRowMajor(&source);
  MlirValue scratch = lowerI32(l, lowerSharedOffset(op));
  LowerAddress address = lowerBufferAddress(l, scratch, &map, bytes);
  uint32_t copies = tileLayoutFreeBits(source, TILE_REGISTER);
  for (int r = 0; r < lowerNumRegisters(&source); ++r) {
    if ((uint32_t)r & copies) continue;
    MlirValue value = lowerExtract(l, values, r);
    MlirValue pointer = lowerBufferPointer(l, &address, r, (MlirValue){NULL});
    tileBuildOp(&l->b, "llvm.store", TILE_VALUES(value, pointer), TILE_NONE,
                TILE_ATTRS({"alignment", alignment}), 0);
  }
  lowerBarrier(l);

  MlirValue thread[TILE_MAX_RANK], indices = lowerGet(l, tileGatherGetIndices(op));
  for (int d = 0; d < result.rank; ++d) thread[d] = lowerThreadPart(l, &result, d);
  int n = lowerNumRegisters(&result);
  MlirValue *picked = malloc((size_t)n * sizeof *picked);
  if (!picked) abort();
  MlirType indexType = mlirShapedTypeGetElementType(mlirValueGetType(indices));
  MlirValue last = tileBuildInt(&l->b, indexType, tileLayoutExtent(source, axis) - 1);
  for (int r = 0; r < n; ++r) {
    MlirValue index = lowerExtract(l, indices, r);
    index = tileBuildBinary(&l->b, "arith.minui", index, last);
    if (tileBitWidth(indexType) == 64)
      index = tileBuildUnary(&l->b, "arith.trunci", tileI32(l->b.context), index);
    MlirValue at = offsetOf(l, &result, &source, axis, thread, r, index, bytes);
    at = tileBuildBinary(&l->b, "arith.addi", at, scratch);
    MlirValue pointer = lowerSharedPointer(l, at);
    picked[r] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &stored,
                                       TILE_ATTRS({"alignment", alignment}), 0));
  }
  MlirValue whole = lowerFromElements(l, stored, n, picked);
  free(picked);
  lowerSet(l, tileResult(op), lowerFromStored(l, whole, element));
  return mlirLogicalResultSuccess();
}
