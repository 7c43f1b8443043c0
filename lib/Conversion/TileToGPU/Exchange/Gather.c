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
// Where an index is a place of the tile but for bits that are turned, as (i ^ 4) or (i ^ 4) >> 1,
// all of a thread's lie at known distances from one address: neighbours are loaded together, as
// they were stored.
//
// A source that lies in a buffer already (tile-stage-gathers) is read from there, the second half
// alone.
//
//===----------------------------------------------------------------------===//
#include "Exchange.h"
#include "tile/Analysis/Analysis.h"
#include "tile/Analysis/Scratch.h"
#include <stdlib.h>

/// What is picked from: where it begins in shared memory, its extent along the axis, and how many
/// bytes lie between neighbours along each dimension.
typedef struct {
  MlirValue start;
  int axis;
  int64_t extent, strides[TILE_MAX_RANK];
} Picked;

//===- indices that are places with some bits turned ----------------------===//

/// Ops from an index to a place that are looked at.
enum { DEPTH = 8 };

/// Of an index, an integer: bits that differ between a thread's registers; those that threads
/// differ in, with whatever nobody knows; and what register 0 has in the others.
typedef struct {
  int64_t registers, threads, known;
} IndexBits;

/// The dimension of the tile that the arange `value` comes from, through ops that repeat it, is
/// along; -1: there is none.
static int findArange(MlirValue value) {
  int dims[TILE_MAX_RANK], rank = (int)mlirShapedTypeGetRank(mlirValueGetType(value));
  for (int d = 0; d < rank; ++d) dims[d] = d;
  MlirOperation op = tileValueGetOp(value);
  for (; !mlirOperationIsNull(op) && !tileOpIsAArange(op); op = tileValueGetOp(value)) {
    if (tileOpIsAExpandDims(op)) {
      --rank;
      for (int d = (int)tileExpandDimsGetAxis(op); d < rank; ++d) dims[d] = dims[d + 1];
    } else if (!tileOpIsABroadcast(op)) {
      return -1;
    }
    value = tileOperand(op, 0);
  }
  return !mlirOperationIsNull(op) && rank == 1 ? dims[0] : -1;
}

/// Of `value`, which lies as `layout`, by what register `reg` differs from register 0. False where
/// it is no place of the tile with bits turned, taken away or moved by constants.
static bool findBits(const TileLayout *layout, MlirValue value, int reg, int depth, int64_t *part,
                     IndexBits *bits) {
  MlirOperation op = tileValueGetOp(value);
  int64_t by;
  if (mlirOperationIsNull(op) || !depth) return false;
  int dim = findArange(value);
  if (dim >= 0) {
    *part = lowerRegisterPart(layout, reg, dim);
    *bits = (IndexBits){0};
    for (int in = TILE_REGISTER; in <= TILE_WARP; ++in)
      for (int b = 0; b < layout->inBits[in]; ++b) {
        int64_t bit = tileLayoutCoordinate(*layout, layout->bases[in][b], dim);
        *(in == TILE_REGISTER ? &bits->registers : &bits->threads) |= bit;
      }
    return true;
  }
  bool isTurned = tileOpIs(op, "arith.xori"), isPart = tileOpIs(op, "arith.andi");
  bool isMoved = tileOpIs(op, "arith.shrui"), extends = tileOpIs(op, "arith.extsi");
  if (!extends && (!(isTurned || isPart || isMoved) || !tileConstantInt(tileOperand(op, 1), &by) ||
                   by < 0 || (isMoved && by > 31)))
    return false;
  if (!findBits(layout, tileOperand(op, 0), reg, depth - 1, part, bits)) return false;
  if (isTurned) bits->known ^= by;
  if (isPart) *part &= by, bits->registers &= by, bits->threads &= by, bits->known &= by;
  if (isMoved) *part >>= by, bits->registers >>= by, bits->threads >>= by, bits->known >>= by;
  return true;
}

/// Does each register have an index at a known distance from that of register 0 without the bits
/// in which registers differ?
static bool hasDistances(const TileLayout *layout, MlirValue indices, IndexBits *bits) {
  int64_t part;
  return findBits(layout, indices, 0, DEPTH, &part, bits) && !(bits->registers & bits->threads);
}

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

/// The pointers of all registers, whose indices are known not to pass the end.
static void pointAtDistances(Lowering *l, MlirValue places, const TileLayout *result,
                             const Picked *from, const MlirValue thread[], const IndexBits *bits,
                             MlirValue pointers[]) {
  MlirValue indices = lowerGet(l, places);
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(indices));
  MlirValue first = lowerExtract(l, indices, 0), rest = tileBuildInt(&l->b, type, ~bits->registers);
  first = tileBuildBinary(&l->b, "arith.andi", first, rest);
  if (tileBitWidth(type) == 64)
    first = tileBuildUnary(&l->b, "arith.trunci", tileI32(l->b.context), first);
  MlirValue at = offsetOf(l, result, from, thread, 0, first);
  MlirValue base = lowerSharedPointer(l, tileBuildBinary(&l->b, "arith.addi", at, from->start));
  for (int r = 0; r < lowerNumRegisters(result); ++r) {
    int64_t part = 0, bytes = 0;
    IndexBits same;
    findBits(result, places, r, DEPTH, &part, &same);
    bytes = ((part ^ bits->known) & bits->registers) * from->strides[from->axis];
    for (int d = 0; d < result->rank; ++d)
      if (d != from->axis)
        bytes +=
            (lowerRegisterPart(result, r, d) - lowerRegisterPart(result, 0, d)) * from->strides[d];
    pointers[r] = lowerConstantOffset(l, base, bytes);
  }
}

/// Are those dimensions that it does not pick along such that registers add to what threads have?
static bool addsElsewhere(const TileLayout *result, int axis) {
  for (int d = 0; d < result->rank; ++d)
    if (d != axis && !lowerPartsAreDisjoint(result, d)) return false;
  return true;
}

/// Loads `op`'s result, which lies as `result`, at the indices `places`.
static void pick(Lowering *l, MlirOperation op, MlirValue places, const TileLayout *result,
                 const Picked *from) {
  MlirValue indices = lowerGet(l, places);
  MlirType element = lowerElementType(tileElementType(mlirValueGetType(tileResult(op))));
  MlirType stored = tileBitWidth(element) == 1 ? tileI8(l->b.context) : element;
  MlirAttribute alignment = mlirIntegerAttrGet(tileI64(l->b.context), tileElementBytes(element));
  MlirValue thread[TILE_MAX_RANK];
  for (int d = 0; d < result->rank; ++d) thread[d] = lowerThreadPart(l, result, d);
  int n = lowerNumRegisters(result);
  MlirValue *picked = malloc((size_t)n * sizeof *picked);
  if (!picked) abort();
  MlirType indexType = mlirShapedTypeGetElementType(mlirValueGetType(indices));
  const TileAxisInfo *known = tileAxisAnalysisGet(l->axis, places);
  bool isWithin = known->min >= 0 && known->max < from->extent;
  IndexBits bits;
  bool isKnown =
      isWithin && addsElsewhere(result, from->axis) && hasDistances(result, places, &bits);
  if (isKnown) pointAtDistances(l, places, result, from, thread, &bits, picked);
  MlirValue last = tileBuildInt(&l->b, indexType, from->extent - 1);
  for (int r = 0; r < n; ++r) {
    MlirValue index = {NULL};
    if (!isKnown) {
      index = lowerExtract(l, indices, r);
      if (!isWithin) index = tileBuildBinary(&l->b, "arith.minui", index, last);
      if (tileBitWidth(indexType) == 64)
        index = tileBuildUnary(&l->b, "arith.trunci", tileI32(l->b.context), index);
      MlirValue at = offsetOf(l, result, from, thread, r, index);
      picked[r] = lowerSharedPointer(l, tileBuildBinary(&l->b, "arith.addi", at, from->start));
    }
    picked[r] = tileResult(tileBuildOp(&l->b, "llvm.load", TILE_VALUES(picked[r]), 1, &stored,
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
  int bytes = tileElementBytes(lowerElementType(tileElementType(sourceType)));
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
  pick(l, op, tileGatherGetIndices(op), &result, &from);
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
  int64_t stride = tileElementBytes(lowerElementType(tileElementType(type)));
  for (int i = 0; i < result.rank; ++i) { // fastest first
    int64_t d = tileBufferTypeGetOrder(buffer, i);
    from.strides[d] = stride;
    stride *= tileBufferTypeGetDim(buffer, (int)d);
  }
  pick(l, op, tileBufferGatherGetIndices(op), &result, &from);
  return mlirLogicalResultSuccess();
}
