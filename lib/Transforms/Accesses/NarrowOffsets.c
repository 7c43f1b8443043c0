//===- NarrowOffsets.c - rows and columns of an address are apart ---------===//
//
// Before:  %sum = arith.addi (broadcast %row), (broadcast %column) : tensor<128x32xi32>
//          %at = arith.muli %sum, (splat %pitch)
//          %p = tile.addptr (tile.addptr (splat %x), %at), (broadcast %place)
// After:   %r = arith.muli %row, (splat %pitch) : tensor<128x1xi32>
//          %c = arith.muli %column, (splat %pitch) : tensor<1x32xi32>
//          %at = arith.addi (broadcast %r), (broadcast %c) : tensor<128x32xi32>
//          %q = tile.addptr (splat %x), %place : tensor<128x1x!tile.ptr<f16>>
//          %p = tile.addptr (broadcast %q), %at
//
// Authors write ((image * C + c) * H + h) * W + w, of which a thread with 4 rows and 16 columns
// then computes 64 products in each step, or holds them all along where a loop leaves them alone.
// By rows and by columns they are 20, and one sum is left of each element. What wraps around is the
// same: products distribute over sums modulo 2^32.
//
// In loops of dots that are many in a block only, as those of a filter's taps that its author wrote
// out: what each leaves alone would be held beside all others. One loop holds its numbers, and an
// instruction less a copy: NHWC gradients by 32 x 32 x 64 took 45 us, and 71 by rows and columns.
//
// Requires: extents bound.  Preserves: numerics, order of effects.
//===----------------------------------------------------------------------===//
#include "../Loops.h"
#include "tile/MachineNumbers.h"
#include "tile/Passes.h"
#include "tile/Patterns.h"
#include "tile/Trace.h"

/// Terms of a sum that are looked at, and parts that they may come in.
enum { MOST_TERMS = 8, MOST_PARTS = 2 };

/// Terms of a sum: each is the same along a dimension.
typedef struct {
  MlirValue terms[MOST_TERMS]; ///< as they are spread: the operands of broadcasts
  int count;
} Sum;

static bool collect(MlirValue value, Sum *sum) {
  MlirOperation op = tileValueGetOp(value);
  if (mlirOperationIsNull(op)) return false;
  if (tileOpIs(op, "arith.addi"))
    return collect(tileOperand(op, 0), sum) && collect(tileOperand(op, 1), sum);
  if (!tileOpIsABroadcast(op) || sum->count == MOST_TERMS) return false;
  sum->terms[sum->count++] = tileOperand(op, 0);
  return true;
}

/// The number that `value` has everywhere, as a tile of `type`; null: it has several.
static MlirValue spread(TileBuilder *b, MlirValue value, MlirType type) {
  MlirOperation op = tileValueGetOp(value);
  if (!mlirOperationIsNull(op) && tileOpIsASplat(op)) {
    MlirValue scalar = tileSplatGetValue(op);
    return tileResult(tileBuildLike(b, op, 1, &scalar, &type));
  }
  int64_t number;
  return tileConstantInt(value, &number) ? tileBuildInt(b, type, number) : (MlirValue){NULL};
}

/// Is it the same number everywhere?
static bool isSpread(MlirValue value) {
  MlirOperation op = tileValueGetOp(value);
  int64_t number;
  return !mlirOperationIsNull(op) && (tileOpIsASplat(op) || tileConstantInt(value, &number));
}

/// Adds up terms of one shape, multiplies each of these sums by `factor`, spreads and adds them.
static MlirValue buildParts(TileBuilder *b, const Sum *sum, MlirValue factor, MlirType type) {
  MlirValue whole = {NULL};
  bool taken[MOST_TERMS] = {false};
  for (int i = 0; i < sum->count; ++i) {
    if (taken[i]) continue;
    MlirValue part = sum->terms[i];
    MlirType own = mlirValueGetType(part);
    for (int k = i + 1; k < sum->count; ++k) {
      if (!mlirTypeEqual(mlirValueGetType(sum->terms[k]), own)) continue;
      part = tileBuildBinary(b, "arith.addi", part, sum->terms[k]);
      taken[k] = true;
    }
    part = tileBuildBinary(b, "arith.muli", part, spread(b, factor, own));
    part = tileBuildUnary(b, "tile.broadcast", type, part);
    whole = mlirValueIsNull(whole) ? part : tileBuildBinary(b, "arith.addi", whole, part);
  }
  return whole;
}

/// How many shapes terms have.
static int countParts(const Sum *sum) {
  int count = 0;
  for (int i = 0; i < sum->count; ++i) {
    bool isNew = true;
    for (int k = 0; k < i && isNew; ++k)
      isNew = !mlirTypeEqual(mlirValueGetType(sum->terms[i]), mlirValueGetType(sum->terms[k]));
    count += isNew;
  }
  return count;
}

/// Does `op` stand in one of many loops of dots?
static bool isInMany(MlirOperation op) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  int count = 0, least = tileMachineNumber(tileMachineOf(op), TILE_NUMBER_MANY_LOOPS);
  if (tileIsLoopOfDots(loop))
    TILE_FOR_EACH_OP(other, mlirOperationGetBlock(loop)) count += tileIsLoopOfDots(other);
  if (count >= least) return true;
  tileEmitRemark(mlirOperationGetLocation(op),
                 "rows and columns stay together: expected one of %d loops of dots, found %d",
                 least, count);
  return false;
}

/// (rows + columns) * n.
static bool distribute(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirType type = mlirValueGetType(tileResult(op));
  for (int i = 0; i < 2 && tileTypeIsTile(type); ++i) {
    Sum sum = {.count = 0};
    if (!isSpread(tileOperand(op, i)) || !collect(tileOperand(op, 1 - i), &sum)) continue;
    if (countParts(&sum) > MOST_PARTS) {
      tileEmitRemark(mlirOperationGetLocation(op),
                     "rows and columns stay together: expected terms of %d shapes at most, found "
                     "%d",
                     (int)MOST_PARTS, countParts(&sum));
      continue;
    }
    if (!isInMany(op)) return false;
    results[0] = buildParts(b, &sum, tileOperand(op, i), type);
    return true;
  }
  return false;
}

/// (pointer + each its own) + rows.
static bool addRowsFirst(TileBuilder *b, MlirOperation op, void *data, MlirValue *results) {
  (void)data;
  MlirOperation inner = tileValueGetOp(tileAddPtrGetPtr(op));
  MlirOperation rows = tileValueGetOp(tileAddPtrGetOffset(op));
  if (mlirOperationIsNull(inner) || mlirOperationIsNull(rows) || !tileOpIsAAddPtr(inner) ||
      !tileOpIsABroadcast(rows))
    return false;
  MlirOperation base = tileValueGetOp(tileAddPtrGetPtr(inner));
  MlirOperation own = tileValueGetOp(tileAddPtrGetOffset(inner));
  if (mlirOperationIsNull(base) || !tileOpIsASplat(base) || mlirOperationIsNull(own) ||
      tileOpIsABroadcast(own) || tileOpIsASplat(own) || !isInMany(op))
    return false;
  MlirType type = mlirValueGetType(tileResult(op));
  MlirValue offset = tileOperand(rows, 0);
  MlirType narrow = tileWithElement(mlirValueGetType(offset), tileElementType(type));
  MlirValue scalar = tileSplatGetValue(base);
  MlirValue first = tileResult(tileBuildLike(b, base, 1, &scalar, &narrow));
  MlirValue values[] = {first, offset};
  first = tileResult(tileBuildLike(b, op, 2, values, &narrow));
  values[0] = tileBuildUnary(b, "tile.broadcast", type, first);
  values[1] = tileAddPtrGetOffset(inner);
  results[0] = tileResult(tileBuildLike(b, op, 2, values, &type));
  return true;
}

MlirLogicalResult tileRunNarrowOffsets(MlirOperation func) {
  static const TilePattern patterns[] = {{"arith.muli", distribute}, {"tile.addptr", addRowsFirst}};
  if (tileHoldsDot(func)) tileApplyPatterns(func, TILE_PATTERNS(patterns), NULL);
  return mlirLogicalResultSuccess();
}
