//===- Shape.c - operations that move no data -----------------------------===//
//
// Renaming coordinates renames the bases of a layout and leaves the registers:
//
//   %t = tile.trans %x : 16x32, L  ->  32x16, transpose(L)       nothing
//   %b = tile.broadcast %x : 16x1  ->  16x32                     registers repeat
//   %j = tile.join %x, %y : 16  ->  16x2, join(L)                registers interleave
//
// Where the result's type carries another numbering of the same registers, one
// vector.shuffle renumbers. A result layout for which an element would have to
// change its thread is an error: that is what tile_gpu.convert_layout is for.
//
//===----------------------------------------------------------------------===//
#include "Exchange/Exchange.h"
#include "tile/Support/Bits.h"
#include <stdlib.h>

static bool layoutOfValue(MlirOperation op, MlirValue tile, TileLayout *layout) {
  return lowerLayoutOf(mlirOperationGetLocation(op), mlirValueGetType(tile), layout);
}

/// The padded extents of a layout.
static void paddedShape(const TileLayout *layout, int64_t shape[TILE_MAX_RANK]) {
  for (int d = 0; d < layout->rank; ++d) shape[d] = tileLayoutExtent(*layout, d);
}

//===- expand_dims, reshape, trans ----------------------------------------===//

/// Row-major numbering of the padded tile agrees with that of the tile itself where, in each group
/// of dimensions that the reshape merges or splits, only the leading one is no power of two.
static bool reshapeKeepsOrder(MlirType from, MlirType to) {
  int64_t a[TILE_MAX_RANK], b[TILE_MAX_RANK];
  int i = tileShape(from, a) - 1, j = tileShape(to, b) - 1;
  int64_t left = 1, right = 1;
  while (i >= 0 || j >= 0) {
    bool takeLeft = j < 0 || (i >= 0 && left <= right);
    int64_t extent = takeLeft ? a[i--] : b[j--];
    int64_t *product = takeLeft ? &left : &right;
    if (extent != 1 && !tileIsPowerOfTwo(*product)) return false;
    *product *= extent;
    if (left == right) left = right = 1;
  }
  return true;
}

static TileLayout relabel(MlirOperation op, TileLayout source, const TileLayout *result) {
  if (tileOpIsAExpandDims(op)) return tileLayoutExpandDims(source, (int)tileExpandDimsGetAxis(op));
  if (tileOpIsATrans(op)) {
    MlirAttribute attr = tileAttr(op, "order");
    int order[TILE_MAX_RANK] = {0};
    for (int d = 0; d < source.rank; ++d) order[d] = mlirDenseI32ArrayGetElement(attr, d);
    return tileLayoutTranspose(source, order);
  }
  int64_t shape[TILE_MAX_RANK];
  paddedShape(result, shape);
  return tileLayoutReshape(source, result->rank, shape);
}

MlirLogicalResult lowerRelabel(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue operand = tileOperand(op, 0);
  TileLayout source, result;
  if (!layoutOfValue(op, operand, &source) || !layoutOfValue(op, tileResult(op), &result))
    return mlirLogicalResultFailure();
  if (tileOpIsAReshape(op) &&
      !reshapeKeepsOrder(mlirValueGetType(operand), mlirValueGetType(tileResult(op)))) {
    tileEmitError(loc, "expected a reshape that merges and splits extents that are powers of two, "
                       "found other extents");
    return mlirLogicalResultFailure();
  }
  TileLayout free = relabel(op, source, &result);
  MlirValue thread = lowerRenumber(l, loc, lowerGet(l, operand), &free, &result);
  if (mlirValueIsNull(thread)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), thread);
  return mlirLogicalResultSuccess();
}

//===- broadcast ----------------------------------------------------------===//

MlirLogicalResult lowerBroadcast(Lowering *l, MlirOperation op) {
  // What each position of the result needs of the operand is the result's layout with the new
  // extents erased.
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue operand = tileOperand(op, 0);
  TileLayout source, result;
  if (!layoutOfValue(op, operand, &source) || !layoutOfValue(op, tileResult(op), &result))
    return mlirLogicalResultFailure();
  int64_t shape[TILE_MAX_RANK];
  paddedShape(&source, shape);
  TileLayout needed = tileLayoutBroadcastBackward(result, shape);
  MlirValue thread = lowerRenumber(l, loc, lowerGet(l, operand), &source, &needed);
  if (mlirValueIsNull(thread)) return mlirLogicalResultFailure();
  lowerSet(l, tileResult(op), thread);
  return mlirLogicalResultSuccess();
}

//===- join, split, cat ---------------------------------------------------===//

/// Both operands of join and cat have one layout; `together` is the layout of what they form, in
/// which register bit `bit` tells them apart.
static MlirLogicalResult mergeOperands(Lowering *l, MlirOperation op, const TileLayout *together,
                                       int bit) {
  TileLayout result;
  if (!layoutOfValue(op, tileResult(op), &result)) return mlirLogicalResultFailure();
  int64_t n = lowerNumRegisters(&result), *indices = lowerIndices(n);
  bool fits = lowerRegisterMap(mlirOperationGetLocation(op), together, &result, indices);
  if (fits) {
    uint32_t mask = (uint32_t)1 << bit;
    int64_t half = lowerNumRegisters(together) / 2;
    for (int64_t i = 0; i < n; ++i) {
      uint32_t reg = (uint32_t)indices[i];
      indices[i] = (int64_t)tileExtractBits(reg, ~mask) + (reg & mask ? half : 0);
    }
    MlirValue first = lowerGet(l, tileOperand(op, 0)), second = lowerGet(l, tileOperand(op, 1));
    lowerSet(l, tileResult(op), lowerShuffleVectors(l, first, second, n, indices));
  }
  free(indices);
  return fits ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirLogicalResult lowerJoin(Lowering *l, MlirOperation op) {
  TileLayout operand;
  if (!layoutOfValue(op, tileOperand(op, 0), &operand)) return mlirLogicalResultFailure();
  TileLayout together = tileLayoutJoin(operand);
  return mergeOperands(l, op, &together, 0);
}

MlirLogicalResult lowerCat(Lowering *l, MlirOperation op) {
  MlirValue lhs = tileOperand(op, 0), rhs = tileOperand(op, 1);
  MlirType type = mlirValueGetType(lhs);
  int axis = (int)tileCatGetAxis(op);
  int64_t shape[TILE_MAX_RANK];
  TileLayout operand;
  if (!layoutOfValue(op, lhs, &operand)) return mlirLogicalResultFailure();
  tileShape(type, shape);
  if (!mlirTypeEqual(type, mlirValueGetType(rhs)) || !tileIsPowerOfTwo(shape[axis])) {
    tileEmitError(mlirOperationGetLocation(op),
                  "expected two tiles of one type, whose extent along axis %d is a power of two, "
                  "found others",
                  axis);
    return mlirLogicalResultFailure();
  }
  TileLayout together = tileLayoutCat(operand, axis);
  return mergeOperands(l, op, &together, operand.inBits[TILE_REGISTER]);
}

MlirLogicalResult lowerSplit(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  TileLayout source, result;
  int bit = 0;
  if (!layoutOfValue(op, tileOperand(op, 0), &source) ||
      !layoutOfValue(op, tileResult(op), &result))
    return mlirLogicalResultFailure();
  TileLayout half = tileLayoutSplit(source, &bit);
  if (!tileLayoutIsValid(half)) {
    tileEmitError(loc, "expected both halves of a split in the registers of one thread, found them "
                       "in several (convert the layout first)");
    return mlirLogicalResultFailure();
  }
  int64_t n = lowerNumRegisters(&result), *indices = lowerIndices(n);
  bool fits = lowerRegisterMap(loc, &half, &result, indices);
  for (int side = 0; side < 2 && fits; ++side) {
    int64_t *picked = lowerIndices(n);
    for (int64_t i = 0; i < n; ++i)
      picked[i] = (int64_t)tileDepositBits((uint32_t)indices[i], ~((uint32_t)1 << bit)) +
                  ((int64_t)side << bit);
    MlirValue value = lowerGet(l, tileOperand(op, 0));
    lowerSet(l, mlirOperationGetResult(op, side), lowerPermute(l, value, n, picked));
    free(picked);
  }
  free(indices);
  return fits ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/// Do lanes and warps mean the same in both?
static bool sameThreads(const TileLayout *a, const TileLayout *b) {
  for (int in = TILE_LANE; in <= TILE_WARP; ++in) {
    if (a->inBits[in] != b->inBits[in]) return false;
    for (int bit = 0; bit < a->inBits[in]; ++bit)
      for (int d = 0; d < a->rank; ++d)
        if (tileLayoutCoordinate(*a, a->bases[in][bit], d) !=
            tileLayoutCoordinate(*b, b->bases[in][bit], d))
          return false;
  }
  return true;
}

/// Register r of the part is the register of the whole that lies `offsets` further.
MlirLogicalResult lowerExtractTile(Lowering *l, MlirOperation op) {
  MlirLocation loc = mlirOperationGetLocation(op);
  TileLayout from, part;
  if (!lowerLayoutOf(loc, mlirValueGetType(tileExtractTileGetSource(op)), &from) ||
      !lowerLayoutOf(loc, mlirValueGetType(tileResult(op)), &part))
    return mlirLogicalResultFailure();
  MlirAttribute offsets = tileExtractTileGetOffsetsAttr(op);
  int n = lowerNumRegisters(&part);
  int64_t *indices = malloc((size_t)n * sizeof *indices);
  if (!indices) abort();
  bool found = sameThreads(&from, &part);
  for (int r = 0; r < n && found; ++r) {
    found = false;
    for (int k = 0; k < lowerNumRegisters(&from) && !found; ++k) {
      found = true;
      for (int d = 0; d < part.rank; ++d)
        found &= lowerRegisterPart(&from, k, d) ==
                 lowerRegisterPart(&part, r, d) + mlirDenseI32ArrayGetElement(offsets, d);
      indices[r] = k;
    }
  }
  if (found)
    lowerSet(l, tileResult(op),
             lowerPermute(l, lowerGet(l, tileExtractTileGetSource(op)), n, indices));
  else
    tileEmitError(loc, "expected a part that every thread holds already, found another layout");
  free(indices);
  return found ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
