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
// A source that lies in a buffer already (tile-stage-gathers) is read from there, the second half
// alone.
//
//===----------------------------------------------------------------------===//
#include "Exchange.h"
#include "tile/Analysis/Scratch.h"
#include <stdlib.h>

/// What is picked from: where it begins in shared memory, its extent along the axis, and how many
/// bytes lie between neighbours along each dimension.
typedef struct {
  MlirValue start;
  int axis;
  int64_t extent, strides[TILE_MAX_RANK];
} Picked;

/// %offset = sum over dimensions of coordinate * stride, the axis' coordinate being `index`; bytes.
static MlirValue offsetOf(Lowering *l, const TileLayout *result, const Picked *from,
                          const MlirValue thread[], int reg, MlirValue index) {
  MlirValue sum = {NULL};
  for (int d = 0; d < result->rank; ++d) {
    MlirValue at = index;
    if (d != from->axis)
      at = lowerCombineParts(l, result, d, thread[d], lowerRegisterPart(result, reg, d));
    MlirValue stride = lowerI32(l, from->strides[d]);
    MlirValue part = tileBuildBinary(&l->b, "arith.muli", at, stride);
    sum = mlirValueIsNull(sum) ? part : tileBuildBinary(&l->b, "arith.addi", sum, part);
  }
  return sum;
}

/// Loads `op`'s result, which lies as `result`, at `indices`.
static void pick(Lowering *l, MlirOperation op, const TileLayout *result, const Picked *from,
                 MlirValue indices) {
  MlirType element = lowerElementType(tileElementType(mlirValueGetType(tileResult(op))));
  MlirType stored = tileBitWidth(element) == 1 ? tileI8(l->b.context) : element;
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), lowerElementBytes(element));
  MlirValue thread[TILE_MAX_RANK];
  for (int d = 0; d < result->rank; ++d) thread[d] = lowerThreadPart(l, result, d);
  int n = lowerNumRegisters(result);
  MlirValue *picked = malloc((size_t)n * sizeof *picked);
  if (!picked) abort();
  MlirType indexType = mlirShapedTypeGetElementType(mlirValueGetType(indices));
  MlirValue last = tileBuildInt(&l->b, indexType, from->extent - 1);
  for (int r = 0; r < n; ++r) {
    MlirValue index = lowerExtract(l, indices, r);
    index = tileBuildBinary(&l->b, "arith.minui", index, last);
    if (tileBitWidth(indexType) == 64)
      index = tileBuildUnary(&l->b, "arith.trunci", tileI32(l->b.context), index);
    MlirValue at = offsetOf(l, result, from, thread, r, index);
    at = tileBuildBinary(&l->b, "arith.addi", at, from->start);
    MlirValue pointer = lowerSharedPointer(l, at);
    picked[r] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(pointer), 1, &stored,
                                       TILE_ATTRS({"alignment", alignment}), 0));
  }
  MlirValue whole = lowerFromElements(l, stored, n, picked);
  free(picked);
  lowerSet(l, tileResult(op), lowerFromStored(l, whole, element));
}

MlirLogicalResult lowerGather(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  TileLayout source, result;
  MlirType sourceType = mlirValueGetType(tileGatherGetSource(op));
  if (!lowerLayoutOf(loc, sourceType, &source) ||
      !lowerLayoutOf(loc, mlirValueGetType(tileResult(op)), &result))
    return mlirLogicalResultFailure();
  MlirValue values = lowerToStored(l, lowerGet(l, tileGatherGetSource(op)));
  int bytes = lowerElementBytes(lowerElementType(tileElementType(sourceType)));
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

  Picked from = {.start = scratch, .axis = (int)tileGatherGetAxis(op)};
  from.extent = tileLayoutExtent(source, from.axis);
  for (int d = 0; d < source.rank; ++d)
    from.strides[d] = (int64_t)bytes << tileLayoutShift(source, d);
  pick(l, op, &result, &from, lowerGet(l, tileGatherGetIndices(op)));
  return mlirLogicalResultSuccess();
}

MlirLogicalResult lowerBufferGather(Lowering *l, MlirOperation op) {
  TileLayout result;
  MlirType type = mlirValueGetType(tileResult(op));
  MlirType buffer = mlirValueGetType(tileBufferGatherGetBuffer(op));
  if (!lowerLayoutOf(mlirOperationGetLocation(op), type, &result))
    return mlirLogicalResultFailure();
  Picked from = {.start = lowerGet(l, tileBufferGatherGetBuffer(op)),
                 .axis = (int)tileBufferGatherGetAxis(op)};
  from.extent = tileBufferTypeGetDim(buffer, from.axis);
  int64_t stride = lowerElementBytes(lowerElementType(tileElementType(type)));
  for (int i = 0; i < result.rank; ++i) { // fastest first
    int64_t d = tileBufferTypeGetOrder(buffer, i);
    from.strides[d] = stride;
    stride *= tileBufferTypeGetDim(buffer, (int)d);
  }
  pick(l, op, &result, &from, lowerGet(l, tileBufferGatherGetIndices(op)));
  return mlirLogicalResultSuccess();
}
